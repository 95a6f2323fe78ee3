//! Whether an argument is surely nothing that a parameter takes.

use super::given::{Given, shown};
use super::wrong::Wrong;
use crate::corpus::signatures::Way;
use crate::corpus::{Corpus, Lookup};
use crate::datagraph::Key;
use crate::types::{Arity, Parameter, Presence, Signature, Type, TypeName};

/// How deep a parameter's type is followed.
const MAX_DEPTH: u32 = 6;

/// What is wrong with the argument at `idx`, where no signature takes it.
pub(super) fn misfit(
    corpus: &Corpus,
    signatures: &[Signature],
    idx: usize,
    given: &Given,
) -> Option<Wrong> {
    let mut takes: Vec<Type> = Vec::new();
    for signature in signatures {
        let declared = constrained(signature, taken_at(signature, idx)?);
        let is_open = signature.type_parameters.iter().any(|p| mentions(&declared, &p.name));
        if is_open || !is_misfit(corpus, given, &declared, 0) {
            return None;
        }
        takes.push(declared);
    }
    let parameter =
        signatures.first()?.parameters.get(idx).or(signatures.first()?.parameters.last());
    Some(Wrong::ArgumentType {
        parameter: parameter?.name.clone(),
        takes: shown(&Type::union(takes)),
        given: given.clone(),
    })
}

/// What the argument at `idx` is given to; of a rest parameter that is no plain list nothing is known.
pub(super) fn taken_at(signature: &Signature, idx: usize) -> Option<Type> {
    let last = signature.parameters.len().checked_sub(1)?;
    let parameter = signature.parameters.get(idx.min(last))?;
    let is_list = match &parameter.declared {
        Type::Array(_) | Type::Tuple(_) => true,
        Type::Named(named) => matches!(named.name.path.as_str(), "Array" | "ReadonlyArray"),
        _ => false,
    };
    // Documentation may let the first be left out (`show([window, ]options)`): then a place says little.
    let is_optional = |p: &&Parameter| p.arity == Arity::Optional;
    let mut behind = signature.parameters.iter().skip_while(|p| !is_optional(p));
    if behind.any(|p| p.arity == Arity::Required) {
        return Some(Type::Unknown);
    }
    match parameter.arity {
        Arity::Rest if !is_list => Some(Type::Unknown),
        Arity::Rest | Arity::Required | Arity::Optional => signature.parameter_at(idx),
    }
}

/// What a parameter takes; where it is a type parameter that must be a key or a primitive, that.
pub(super) fn constrained(signature: &Signature, declared: Type) -> Type {
    let Type::Named(named) = &declared else { return declared };
    let is_it = |name: &str| named.name.module.is_empty() && named.name.path == *name;
    let parameter = signature.type_parameters.iter().find(|p| is_it(&p.name));
    match parameter.and_then(|p| p.constraint.as_ref()) {
        Some(constraint @ (Type::KeyOf(_) | Type::String | Type::Number | Type::Union(_))) => {
            constraint.clone()
        }
        Some(_) | None => declared,
    }
}

/// Whether a type is made of a type parameter.
pub(super) fn mentions(ty: &Type, parameter: &str) -> bool {
    let is_it = |named: &TypeName| named.module.is_empty() && named.path == *parameter;
    match ty {
        Type::Named(named) => {
            is_it(&named.name) || named.arguments.iter().any(|a| mentions(a, parameter))
        }
        Type::Union(parts) | Type::Intersection(parts) | Type::Tuple(parts) => {
            parts.iter().any(|p| mentions(p, parameter))
        }
        Type::Array(inner) | Type::KeyOf(inner) => mentions(inner, parameter),
        Type::Indexed(pair) => mentions(&pair.0, parameter) || mentions(&pair.1, parameter),
        _ => false,
    }
}

/// Whether a value is surely nothing of a type.
fn is_misfit(corpus: &Corpus, given: &Given, declared: &Type, depth: u32) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    match corpus.resolve(declared) {
        Type::Union(parts) => parts.iter().all(|p| is_misfit(corpus, given, p, depth + 1)),
        Type::Null | Type::Undefined | Type::Void => true,
        // What JavaScript makes a text of itself is mostly meant so.
        Type::String => {
            matches!(given, Given::Object(_) | Given::Function | Given::Array | Given::Regex)
        }
        Type::KeyOf(_) => {
            matches!(given, Given::Object(_) | Given::Function | Given::Array | Given::Regex)
        }
        Type::Text(one) => match given {
            Given::Text(text) => *text != one,
            Given::String => false,
            _ => true,
        },
        Type::Number => !matches!(given, Given::Number),
        Type::Digits(_) => !matches!(given, Given::Number),
        Type::BigInt | Type::Symbol => !matches!(given, Given::Number),
        // What is true or false in JavaScript is a matter of taste.
        Type::Boolean | Type::Truth(_) => {
            matches!(given, Given::Object(_) | Given::Function | Given::Array | Given::Regex)
        }
        Type::Array(_) | Type::Tuple(_) => !matches!(given, Given::Array),
        Type::Function(_) | Type::Constructor(_) => !matches!(given, Given::Function),
        Type::Object => {
            matches!(given, Given::Text(_) | Given::String | Given::Number | Given::Boolean)
        }
        Type::Named(named) => {
            let named_type = Type::Named(named.clone());
            let key = Key::of_type(named.name.clone());
            if !corpus.has(&key) {
                return false;
            }
            let required = corpus.members_of(&key).into_iter().filter_map(|(name, owner)| {
                let mut declared = corpus.interfaces(&owner).map(|i| i.shape.members.get(&name));
                declared.any(|m| m.is_some_and(|m| m.presence == Presence::Always)).then_some(name)
            });
            lacks(corpus, given, &named_type, required)
        }
        Type::Literal(shape) => {
            let members = shape.members.iter();
            let required = members.filter(|(_, m)| m.presence == Presence::Always);
            let required: Vec<crate::base::Name> = required.map(|(name, _)| name.clone()).collect();
            lacks(corpus, given, &Type::Literal(shape), required.into_iter())
        }
        Type::Any
        | Type::Unknown
        | Type::Opaque(_)
        | Type::Never
        | Type::Typeof(_)
        | Type::Intersection(_)
        | Type::Indexed(_)
        | Type::This
        | Type::Is(_)
        | Type::Own(_) => false,
    }
}

/// Whether a value lacks what a type requires.
fn lacks(
    corpus: &Corpus,
    given: &Given,
    declared: &Type,
    mut required: impl Iterator<Item = crate::base::Name>,
) -> bool {
    let of_language = |name: &str| Type::named(TypeName::global(name));
    let own = match given {
        Given::Text(_) | Given::String => Type::String,
        Given::Number => Type::Number,
        Given::Boolean => Type::Boolean,
        Given::Regex => of_language("RegExp"),
        Given::Array => of_language("Array"),
        Given::Function if !corpus.signatures(declared, Way::Call).is_empty() => return false,
        Given::Function if !corpus.signatures(declared, Way::Construct).is_empty() => return false,
        Given::Function => of_language("Function"),
        Given::Object(keys) => {
            // An object that has nothing of what is asked for is not meant for it.
            let is_other = |key: &crate::base::Name| {
                matches!(corpus.lookup(declared, key), Lookup::Missing(_))
            };
            return !keys.is_empty() && keys.iter().all(is_other) && required.next().is_some();
        }
    };
    required.any(|name| matches!(corpus.lookup(&own, &name), Lookup::Missing(_)))
}
