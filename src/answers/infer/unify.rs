//! What type parameters must stand for, so that a parameter's type becomes an argument's.

use super::asked::{Inference, widened};
use super::fits::is_parameter;
use crate::base::Name;
use crate::corpus::Lookup;
use crate::corpus::lookup::indexed;
use crate::corpus::signatures::Way;
use crate::sources::script::{ClassMemberKind, Context, FunctionId, PropertyOf};
use crate::types::substitute::Bindings;
use crate::types::{Named, Own, Signature, Type};

/// How deep types are compared.
const MAX_NESTING: u32 = 12;

impl Inference<'_> {
    /// Adds to `found` what `given` says about the type parameters of `signature` that stand in `declared`.
    pub(super) fn unify(
        &mut self,
        declared: &Type,
        given: &Type,
        signature: &Signature,
        found: &mut Vec<(Name, Type)>,
        depth: u32,
    ) {
        if depth > MAX_NESTING || signature.type_parameters.is_empty() {
            return;
        }
        match declared {
            Type::Named(named) if is_parameter(&named.name, signature) => {
                self.note(&named.name.path, given, signature, found);
            }
            Type::Named(named) if named.arguments.is_empty() && self.is_plain(named) => {}
            Type::Named(named) => self.unify_named(named, given, signature, found, depth),
            Type::Array(element) => {
                if let Some(inner) = self.corpus.iterated(given) {
                    self.unify(element, &inner, signature, found, depth + 1);
                }
            }
            Type::Tuple(parts) => match given {
                Type::Tuple(others) => {
                    for (part, other) in parts.iter().zip(others.iter()) {
                        self.unify(part, other, signature, found, depth + 1);
                    }
                }
                other => {
                    if let Some(inner) = self.corpus.iterated(other) {
                        for part in parts.iter() {
                            self.unify(part, &inner, signature, found, depth + 1);
                        }
                    }
                }
            },
            Type::Union(parts) => self.unify_union(parts, given, signature, found, depth),
            Type::Intersection(parts) => {
                for part in parts.iter() {
                    self.unify(part, given, signature, found, depth + 1);
                }
            }
            Type::Function(asked) => self.unify_function(asked, given, signature, found, depth),
            Type::Constructor(asked) => {
                let made = match given {
                    Type::Own(Own::Class(class)) => Some(Type::Own(Own::Instance(*class))),
                    other => self.corpus.constructed(other),
                };
                if let Some(made) = made {
                    self.unify(&asked.returns, &made, signature, found, depth + 1);
                }
            }
            Type::Literal(shape) => {
                for (name, member) in &shape.members {
                    if let Lookup::Known(has) = self.lookup(given, name) {
                        let declared = member.gives();
                        self.unify(&declared, &has.gives, signature, found, depth + 1);
                    }
                }
                if let (Some(asked), Some(has)) = (indexed(shape), self.any_property(given)) {
                    self.unify(&asked, &has, signature, found, depth + 1);
                }
            }
            _ => {}
        }
    }

    /// What any property of an object is, where all of them are known or an index signature says so.
    fn any_property(&mut self, of: &Type) -> Option<Type> {
        match self.corpus.resolve(of) {
            Type::Literal(shape) => indexed(&shape),
            Type::Own(Own::Object(object)) => {
                let object = self.script.objects.get(object as usize)?;
                // Only what is written on the spot is never written to.
                let context = &self.script.expressions[object.expression.idx()].context;
                let is_whole = !object.may_have_more && object.spreads.is_empty();
                if !is_whole || !matches!(context, Context::Argument(..)) {
                    return None;
                }
                let is_field = |p: &PropertyOf| p.kind == ClassMemberKind::Field;
                if !object.properties.iter().all(is_field) {
                    return None;
                }
                let values: Vec<_> = object.properties.iter().map(|p| p.value).collect();
                let kinds: Vec<_> =
                    values.into_iter().map(|value| widened(self.expression(value))).collect();
                (!kinds.is_empty()).then(|| Type::union(kinds))
            }
            _ => None,
        }
    }

    /// A parameter stands for what it is first given; literals stay literal only where keys are asked for.
    fn note(
        &mut self,
        name: &Name,
        given: &Type,
        signature: &Signature,
        found: &mut Vec<(Name, Type)>,
    ) {
        let parameter = signature.type_parameters.iter().find(|p| p.name == *name);
        let wants_literal = parameter.and_then(|p| p.constraint.as_ref()).is_some_and(|c| {
            !matches!(self.corpus.resolve(c), Type::Named(_) | Type::Any | Type::Unknown)
        });
        let given = if wants_literal { given.clone() } else { widened(given.present()) };
        if matches!(given, Type::Null | Type::Undefined | Type::Void) {
            return;
        }
        match found.iter_mut().find(|(n, _)| n == name) {
            Some((_, before)) if *before == given => {}
            Some((_, before)) => *before = Type::union([before.clone(), given]),
            None => found.push((name.clone(), given)),
        }
    }

    /// Whether a named type without arguments hides no type parameter behind an alias.
    fn is_plain(&self, named: &Named) -> bool {
        self.corpus.alias(&named.name).is_none()
    }

    fn unify_named(
        &mut self,
        named: &Named,
        given: &Type,
        signature: &Signature,
        found: &mut Vec<(Name, Type)>,
        depth: u32,
    ) {
        let first = named.arguments.first();
        let global = named.name.module.is_empty();
        match (named.name.path.as_str(), first) {
            ("Promise" | "PromiseLike", Some(inner)) if global => {
                let value = self.corpus.awaited(given);
                self.unify(inner, &value, signature, found, depth + 1);
            }
            ("Iterable" | "ArrayLike" | "ReadonlyArray" | "Array", Some(inner)) if global => {
                if let Some(element) = self.corpus.iterated(given) {
                    self.unify(inner, &element, signature, found, depth + 1);
                }
            }
            _ => {
                if let Some(Type::Named(seen)) = self.corpus.seen_as(given, &named.name, 0) {
                    for (part, other) in named.arguments.iter().zip(&seen.arguments) {
                        self.unify(part, other, signature, found, depth + 1);
                    }
                    return;
                }
                let declared = Type::generic(named.name.clone(), named.arguments.clone());
                let meant = self.corpus.resolve(&declared);
                if meant != declared {
                    self.unify(&meant, given, signature, found, depth + 1);
                } else if let Some(callback) = self.corpus.callback(&declared) {
                    self.unify_function(&callback, given, signature, found, depth);
                }
            }
        }
    }

    /// `T | Promise<T>`: a promise says what `T` is through the promise alone.
    fn unify_union(
        &mut self,
        parts: &[Type],
        given: &Type,
        signature: &Signature,
        found: &mut Vec<(Name, Type)>,
        depth: u32,
    ) {
        let given = given.present();
        let is_promise = self.corpus.as_named(&given, "Promise").is_some();
        let naked = |p: &&Type| matches!(p, Type::Named(n) if is_parameter(&n.name, signature));
        let n_before = found.len();
        for part in parts.iter().filter(|p| !naked(p)) {
            let promises = matches!(part, Type::Named(n) if n.name.path.starts_with("Promise"));
            if promises == is_promise {
                self.unify(part, &given, signature, found, depth + 1);
            }
        }
        if found.len() == n_before {
            for part in parts.iter().filter(naked) {
                self.unify(part, &given, signature, found, depth + 1);
            }
        }
    }

    fn unify_function(
        &mut self,
        asked: &Signature,
        given: &Type,
        signature: &Signature,
        found: &mut Vec<(Name, Type)>,
        depth: u32,
    ) {
        let result = match given {
            Type::Own(Own::Function(function)) => self.result(FunctionId(*function)),
            Type::Own(_) => return,
            other => {
                let Some(own) = self.corpus.signatures(other, Way::Call).into_iter().next() else {
                    return;
                };
                let known = Bindings { parameters: found.clone(), this: None };
                let given = known.apply(&self.corpus.result_of(&own, &[]));
                for (part, other) in asked.parameters.iter().zip(&own.parameters) {
                    self.unify(&part.declared, &other.declared, signature, found, depth + 1);
                }
                given
            }
        };
        let asked = match &asked.returns {
            // `x is S`: the callback's boolean says nothing about S.
            Type::Is(_) => return,
            other => other,
        };
        self.unify(asked, &result, signature, found, depth + 1);
    }
}
