//! Type parameters replaced by what they stand for.
//!
//! Replacing is by name and lexical: a signature's own parameter hides an outer one of the same name.

use super::{Member, Named, Parameter, Shape, Signature, Type, TypeParameter};
use crate::base::Name;
use std::sync::Arc;

/// What type parameters and `this` stand for.
#[derive(Debug, Clone, Default)]
pub struct Bindings {
    /// Parameters by name.
    pub parameters: Vec<(Name, Type)>,
    /// `this`.
    pub this: Option<Type>,
}

/// Type parameters with what they stand for: the argument, else the default, else nothing that is known.
pub fn parameters_to(parameters: &[TypeParameter], arguments: &[Type]) -> Vec<(Name, Type)> {
    let mut pairs: Vec<(Name, Type)> = Vec::with_capacity(parameters.len());
    for (i, parameter) in parameters.iter().enumerate() {
        let given = arguments.get(i).cloned();
        let meant = given.unwrap_or_else(|| match &parameter.default {
            Some(default) => Bindings { parameters: pairs.clone(), this: None }.apply(default),
            None => Type::Unknown,
        });
        pairs.push((parameter.name.clone(), meant));
    }
    pairs
}

impl Bindings {
    /// Nothing is replaced by it.
    pub fn is_empty(&self) -> bool {
        self.parameters.is_empty() && self.this.is_none()
    }

    /// What a bare name stands for.
    pub fn of(&self, name: &str) -> Option<&Type> {
        self.parameters.iter().find(|(n, _)| n == name).map(|(_, t)| t)
    }

    /// Without the names that `hidden` declares anew.
    fn without(&self, hidden: &[TypeParameter]) -> Bindings {
        let parameters =
            self.parameters.iter().filter(|(n, _)| !hidden.iter().any(|h| h.name == *n));
        Bindings { parameters: parameters.cloned().collect(), this: self.this.clone() }
    }

    /// `ty` with every parameter replaced.
    pub fn apply(&self, ty: &Type) -> Type {
        if self.is_empty() { ty.clone() } else { self.changed(ty).unwrap_or_else(|| ty.clone()) }
    }

    /// A signature with every outer parameter replaced.
    pub fn apply_signature(&self, signature: &Signature) -> Signature {
        match self.is_empty() {
            true => signature.clone(),
            false => self.signature(signature).unwrap_or_else(|| signature.clone()),
        }
    }

    /// `None` where nothing in it is replaced, so that what is shared stays shared.
    fn changed(&self, ty: &Type) -> Option<Type> {
        match ty {
            Type::This => self.this.clone(),
            Type::Named(named) => {
                if named.arguments.is_empty() && named.name.module.is_empty() {
                    return self.of(&named.name.path).cloned();
                }
                let arguments = self.list(&named.arguments)?;
                Some(Type::Named(Arc::new(Named { name: named.name.clone(), arguments })))
            }
            Type::Array(element) => Some(Type::Array(Arc::new(self.changed(element)?))),
            Type::KeyOf(inner) => Some(Type::KeyOf(Arc::new(self.changed(inner)?))),
            Type::Tuple(parts) => Some(Type::Tuple(self.list(parts)?.into())),
            Type::Union(parts) => Some(Type::union(self.list(parts)?)),
            Type::Intersection(parts) => Some(Type::Intersection(self.list(parts)?.into())),
            Type::Indexed(pair) => {
                let both = self.list(&[pair.0.clone(), pair.1.clone()])?;
                Some(Type::Indexed(Arc::new((both[0].clone(), both[1].clone()))))
            }
            Type::Is(pair) => Some(Type::Is(Arc::new((pair.0.clone(), self.changed(&pair.1)?)))),
            Type::Function(signature) => Some(Type::Function(Arc::new(self.signature(signature)?))),
            Type::Constructor(signature) => {
                Some(Type::Constructor(Arc::new(self.signature(signature)?)))
            }
            Type::Literal(shape) => Some(Type::Literal(Arc::new(self.shape(shape)?))),
            Type::Any
            | Type::Unknown
            | Type::Opaque(_)
            | Type::Never
            | Type::Void
            | Type::Null
            | Type::Undefined
            | Type::String
            | Type::Number
            | Type::Boolean
            | Type::BigInt
            | Type::Symbol
            | Type::Object
            | Type::Text(_)
            | Type::Digits(_)
            | Type::Truth(_)
            | Type::Typeof(_)
            | Type::Own(_) => None,
        }
    }

    fn list(&self, types: &[Type]) -> Option<Vec<Type>> {
        let changed: Vec<Option<Type>> = types.iter().map(|t| self.changed(t)).collect();
        if changed.iter().all(Option::is_none) {
            return None;
        }
        Some(changed.into_iter().zip(types).map(|(c, t)| c.unwrap_or_else(|| t.clone())).collect())
    }

    fn signature(&self, signature: &Signature) -> Option<Signature> {
        let inner;
        let inside = match signature.type_parameters.is_empty() {
            true => self,
            false => {
                inner = self.without(&signature.type_parameters);
                &inner
            }
        };
        let returns = inside.changed(&signature.returns);
        let this = signature.this.as_ref().and_then(|t| inside.changed(t));
        let parameters: Vec<Option<Type>> =
            signature.parameters.iter().map(|p| inside.changed(&p.declared)).collect();
        let bounds: Vec<Option<Type>> = signature
            .type_parameters
            .iter()
            .map(|p| p.constraint.as_ref().and_then(|c| inside.changed(c)))
            .collect();
        let same = returns.is_none()
            && this.is_none()
            && parameters.iter().chain(&bounds).all(Option::is_none);
        if same {
            return None;
        }
        Some(Signature {
            type_parameters: signature
                .type_parameters
                .iter()
                .zip(bounds)
                .map(|(p, bound)| TypeParameter {
                    name: p.name.clone(),
                    constraint: bound.or_else(|| p.constraint.clone()),
                    default: p.default.as_ref().map(|d| inside.apply(d)),
                })
                .collect(),
            this: this.or_else(|| signature.this.clone()),
            parameters: signature
                .parameters
                .iter()
                .zip(parameters)
                .map(|(p, declared)| Parameter {
                    declared: declared.unwrap_or_else(|| p.declared.clone()),
                    ..p.clone()
                })
                .collect(),
            returns: returns.unwrap_or_else(|| signature.returns.clone()),
        })
    }

    fn shape(&self, shape: &Shape) -> Option<Shape> {
        let mut new = shape.clone();
        let mut same = true;
        for member in new.members.values_mut() {
            same &= !self.member(member);
        }
        for signature in new.calls.iter_mut().chain(&mut new.constructs) {
            if let Some(changed) = self.signature(signature) {
                *signature = changed;
                same = false;
            }
        }
        for (key, value) in &mut new.index {
            for part in [key, value] {
                if let Some(changed) = self.changed(part) {
                    *part = changed;
                    same = false;
                }
            }
        }
        (!same).then_some(new)
    }

    /// Whether anything in the member was replaced.
    fn member(&self, member: &mut Member) -> bool {
        let mut any = false;
        if let Some(changed) = self.changed(&member.declared) {
            member.declared = changed;
            any = true;
        }
        for signature in &mut member.signatures {
            if let Some(changed) = self.signature(signature) {
                *signature = changed;
                any = true;
            }
        }
        any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::parse::typescript;

    #[test]
    fn a_signatures_own_parameter_hides_the_outer_one() {
        let bindings =
            Bindings { parameters: vec![("T".into(), Type::String)], this: Some(Type::Number) };
        let replaced = bindings.apply(&typescript("[T, this, <T>(a: T) => T, Map<T>, { a: T[] }]"));
        assert_eq!(
            replaced.to_string(),
            "[string, number, <T>(a: T) => T, Map<string>, { a: string[] }]"
        );
    }
}
