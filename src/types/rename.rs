//! Names in a type replaced by other types, wherever they stand.

use super::{Member, Named, Parameter, Shape, Signature, Type, TypeParameter};
use std::sync::Arc;

/// `ty` with every named type that `meaning` knows replaced; arguments of a type are replaced before it is asked.
pub fn rename(ty: &Type, meaning: &dyn Fn(&Named) -> Option<Type>) -> Type {
    let list = |types: &[Type]| -> Vec<Type> { types.iter().map(|t| rename(t, meaning)).collect() };
    match ty {
        Type::Named(named) => {
            let named = Named { name: named.name.clone(), arguments: list(&named.arguments) };
            meaning(&named).unwrap_or_else(|| Type::Named(Arc::new(named)))
        }
        Type::Typeof(name) => {
            let asked = Named { name: (**name).clone(), arguments: Vec::new() };
            // The value of a renamed name is not what its type is, so only the fact that it is renamed counts.
            match meaning(&asked) {
                Some(Type::Named(new)) => Type::Typeof(Arc::new(new.name.clone())),
                Some(_) => Type::Unknown,
                None => ty.clone(),
            }
        }
        Type::Array(element) => Type::Array(Arc::new(rename(element, meaning))),
        Type::KeyOf(inner) => Type::KeyOf(Arc::new(rename(inner, meaning))),
        Type::Tuple(parts) => Type::Tuple(list(parts).into()),
        Type::Union(parts) => Type::union(list(parts)),
        Type::Intersection(parts) => Type::Intersection(list(parts).into()),
        Type::Indexed(pair) => {
            Type::Indexed(Arc::new((rename(&pair.0, meaning), rename(&pair.1, meaning))))
        }
        Type::Is(pair) => Type::Is(Arc::new((pair.0.clone(), rename(&pair.1, meaning)))),
        Type::Function(signature) => Type::Function(Arc::new(in_signature(signature, meaning))),
        Type::Constructor(signature) => {
            Type::Constructor(Arc::new(in_signature(signature, meaning)))
        }
        Type::Literal(shape) => Type::Literal(Arc::new(in_shape(shape, meaning))),
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
        | Type::This
        | Type::Own(_) => ty.clone(),
    }
}

fn in_signature(signature: &Signature, meaning: &dyn Fn(&Named) -> Option<Type>) -> Signature {
    let own = &signature.type_parameters;
    let inside = |named: &Named| {
        let hidden = named.name.module.is_empty() && own.iter().any(|p| p.name == named.name.path);
        if hidden { None } else { meaning(named) }
    };
    Signature {
        type_parameters: own
            .iter()
            .map(|p| TypeParameter {
                name: p.name.clone(),
                constraint: p.constraint.as_ref().map(|c| rename(c, &inside)),
                default: p.default.as_ref().map(|d| rename(d, &inside)),
            })
            .collect(),
        this: signature.this.as_ref().map(|t| rename(t, &inside)),
        parameters: signature
            .parameters
            .iter()
            .map(|p| Parameter { declared: rename(&p.declared, &inside), ..p.clone() })
            .collect(),
        returns: rename(&signature.returns, &inside),
    }
}

fn in_shape(shape: &Shape, meaning: &dyn Fn(&Named) -> Option<Type>) -> Shape {
    let signatures = |all: &[Signature]| -> Vec<Signature> {
        all.iter().map(|s| in_signature(s, meaning)).collect()
    };
    Shape {
        members: shape
            .members
            .iter()
            .map(|(name, member)| {
                let changed = Member {
                    declared: rename(&member.declared, meaning),
                    signatures: signatures(&member.signatures),
                    ..member.clone()
                };
                (name.clone(), changed)
            })
            .collect(),
        calls: signatures(&shape.calls),
        constructs: signatures(&shape.constructs),
        index: shape.index.iter().map(|(k, v)| (rename(k, meaning), rename(v, meaning))).collect(),
    }
}
