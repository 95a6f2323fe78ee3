//! Keys of an options object that no signature knows.

use super::given::shown;
use super::misfit::{mentions, taken_at};
use super::noted;
use super::wrong::Meant;
use crate::answers::infer::Inference;
use crate::answers::suggest::{Candidate, suggest};
use crate::base::{Name, Span};
use crate::corpus::{Corpus, Lookup};
use crate::datagraph::{InterfaceKind, Key};
use crate::sources::script::{ExpressionKind, ObjectId};
use crate::types::{Member, Signature, Type};

/// How deep objects in objects are followed.
const MAX_DEPTH: u32 = 4;

/// A key that is not known.
pub(super) struct UnknownKey {
    /// The key.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
    /// The type that lacks it, where it has a name.
    pub of: String,
    /// What is most likely meant.
    pub instead: Vec<Meant>,
}

/// The keys of the object literal at `idx` that nothing which may be asked for there knows.
pub(super) fn unknown(
    inference: &Inference<'_>,
    signatures: &[Signature],
    idx: usize,
    object: ObjectId,
) -> Vec<UnknownKey> {
    let mut asked = Vec::new();
    for signature in signatures {
        let Some(declared) = taken_at(signature, idx) else { return Vec::new() };
        if signature.type_parameters.iter().any(|p| mentions(&declared, &p.name)) {
            return Vec::new();
        }
        asked.push(declared);
    }
    let mut found = Vec::new();
    within(inference, &Type::union(asked), object, 0, &mut found);
    found
}

fn within(
    inference: &Inference<'_>,
    asked: &Type,
    object: ObjectId,
    depth: u32,
    found: &mut Vec<UnknownKey>,
) {
    let corpus = inference.corpus;
    let Some(shapes) = shapes(corpus, asked, 0).filter(|s| !s.is_empty() && depth < MAX_DEPTH)
    else {
        return;
    };
    let literal = &inference.script.objects[object.idx()];
    for property in &literal.properties {
        let lookups: Vec<Lookup> =
            shapes.iter().map(|shape| corpus.lookup(shape, &property.name)).collect();
        if lookups.iter().all(|lookup| matches!(lookup, Lookup::Missing(_))) {
            found.push(UnknownKey {
                name: property.name.clone(),
                span: property.span,
                of: named(&shapes),
                instead: instead(corpus, &shapes, &property.name),
            });
            continue;
        }
        let inner = &inference.script.expressions[property.value.idx()].kind;
        if let ExpressionKind::Object(inner) = inner {
            let gives: Vec<Type> = lookups
                .into_iter()
                .filter_map(|lookup| match lookup {
                    Lookup::Known(known) => Some(known.gives),
                    Lookup::Missing(_) => None,
                    Lookup::Doubt(_) => Some(Type::Unknown),
                })
                .collect();
            within(inference, &Type::union(gives), *inner, depth + 1, found);
        }
    }
}

/// The objects that a type asks for; `None` where some of it may be any object.
fn shapes(corpus: &Corpus, asked: &Type, depth: u32) -> Option<Vec<Type>> {
    if depth > MAX_DEPTH {
        return None;
    }
    match corpus.resolve(asked) {
        Type::Union(parts) => {
            let each: Option<Vec<Vec<Type>>> =
                parts.iter().map(|part| shapes(corpus, part, depth + 1)).collect();
            Some(each?.concat())
        }
        // An object literal is nothing of these.
        Type::String
        | Type::Number
        | Type::Boolean
        | Type::BigInt
        | Type::Symbol
        | Type::Null
        | Type::Undefined
        | Type::Void
        | Type::Text(_)
        | Type::Digits(_)
        | Type::Truth(_)
        | Type::Array(_)
        | Type::Tuple(_)
        | Type::Function(_)
        | Type::Constructor(_) => Some(Vec::new()),
        Type::Literal(shape) => {
            let is_closed = shape.index.is_empty() && !shape.members.is_empty();
            is_closed.then(|| vec![Type::Literal(shape)])
        }
        Type::Named(one) => {
            let key = Key::of_type(one.name.clone());
            // What stands in for an instance of a class may bring whatever it likes.
            let is_class = corpus.interfaces(&key).any(|i| i.kind == InterfaceKind::Class);
            let has_members = corpus.has(&key) && !corpus.members_of(&key).is_empty();
            (has_members && !is_class).then(|| vec![Type::Named(one)])
        }
        Type::Intersection(parts) => {
            let is_closed =
                parts.iter().all(|p| shapes(corpus, p, depth + 1).is_some_and(|s| !s.is_empty()));
            is_closed.then(|| vec![Type::Intersection(parts)])
        }
        Type::Any
        | Type::Unknown
        | Type::Opaque(_)
        | Type::Never
        | Type::Object
        | Type::Typeof(_)
        | Type::KeyOf(_)
        | Type::Indexed(_)
        | Type::This
        | Type::Is(_)
        | Type::Own(_) => None,
    }
}

/// How the types are called, where one has a name.
fn named(shapes: &[Type]) -> String {
    let names = shapes.iter().filter(|shape| matches!(shape, Type::Named(_))).map(shown);
    let mut names: Vec<String> = names.collect();
    names.dedup();
    names.truncate(3);
    names.join(" | ")
}

/// The keys that are most likely meant.
fn instead(corpus: &Corpus, shapes: &[Type], key: &Name) -> Vec<Meant> {
    let mut members: Vec<(Name, Member)> = Vec::new();
    for shape in shapes {
        keys_of(corpus, shape, 0, &mut members);
    }
    let candidates: Vec<Candidate> =
        members.iter().map(|(name, _)| Candidate { name: name.clone(), callable: false }).collect();
    let meant = suggest(key, false, &candidates).into_iter();
    meant
        .filter_map(|name| {
            let (_, member) = members.iter().find(|(n, _)| *n == name)?;
            Some(Meant { name, signature: noted::signature(member) })
        })
        .collect()
}

fn keys_of(corpus: &Corpus, shape: &Type, depth: u32, into: &mut Vec<(Name, Member)>) {
    match corpus.resolve(shape) {
        Type::Literal(shape) => {
            into.extend(shape.members.iter().map(|(name, member)| (name.clone(), member.clone())));
        }
        Type::Named(named) => {
            let key = Key::of_type(named.name.clone());
            for (name, owner) in corpus.members_of(&key) {
                let declared = corpus.interfaces(&owner).find_map(|i| i.shape.members.get(&name));
                into.extend(declared.map(|member| (name.clone(), member.clone())));
            }
        }
        Type::Intersection(parts) if depth < MAX_DEPTH => {
            for part in parts.iter() {
                keys_of(corpus, part, depth + 1, into);
            }
        }
        _ => {}
    }
}
