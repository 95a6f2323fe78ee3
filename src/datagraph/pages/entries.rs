//! What dialects of structured pages share: members from what a page spells, and where they are put.

use super::draft::{Draft, add, export};
use super::spelling::type_of;
use crate::base::Name;
use crate::datagraph::{Alias, Interface, InterfaceKind, Key, Side};
use crate::types::rename::rename;
use crate::types::{Arity, Member, Named, Parameter, Signature, Type, TypeName, Writing, parse};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The longest spelling of a member that is read, in bytes.
const MAX_SPELT: usize = 8_000;

/// How many parameters of a call are read.
pub const MAX_PARAMETERS: usize = 256;

/// The longest name, in bytes.
const MAX_NAME: usize = 200;

/// Puts a member where it belongs. A name that cannot be one is a hole.
pub fn put(draft: &mut Draft, key: &Key, name: &str, member: Member) {
    if name.is_empty() || name.len() > MAX_NAME || name.contains(char::is_whitespace) {
        draft.hole(member.at, format!("{}: what is listed there names no member", key.name));
        return;
    }
    let kind = match key.side {
        Side::Type => InterfaceKind::Interface,
        Side::Value => InterfaceKind::Statics,
    };
    if matches!(member.declared, Type::Opaque(_)) && member.signatures.is_empty() {
        draft.hole(member.at, format!("{}.{name}: its type is not known", key.name.path));
    }
    let one = draft.interface(key.clone(), kind, member.at);
    add(&mut one.shape, name.into(), member);
}

/// The two sides of a class, both there from now on; the name itself is a value.
pub fn class(draft: &mut Draft, of: &TypeName, at: (u32, u32)) {
    draft.interface(Key::of_value(of.clone()), InterfaceKind::Statics, at).at = at;
    if !of.path.contains('.') && of.module.is_empty() {
        draft.exports.insert(of.path.clone(), export(Type::Typeof(Arc::new(of.clone())), at));
    }
    subject(draft, of, InterfaceKind::Class, at);
}

/// The type side of an interface that a page is about.
pub fn subject<'d>(
    draft: &'d mut Draft,
    of: &TypeName,
    kind: InterfaceKind,
    at: (u32, u32),
) -> &'d mut Interface {
    draft.described.insert(of.clone());
    let one = draft.interface(Key::of_type(of.clone()), kind, at);
    one.at = at;
    one.kind = kind;
    one
}

/// A value of an enumeration.
#[derive(Debug, Clone)]
pub struct Choice {
    /// Its name.
    pub name: Name,
    /// Where it is told of.
    pub at: (u32, u32),
    /// Set where it is deprecated.
    pub deprecated: Option<Name>,
}

/// An enumeration: its name is a value that has its constants, and a type that is `means`.
pub fn enumeration(
    draft: &mut Draft,
    of: &TypeName,
    choices: Vec<Choice>,
    means: Type,
    at: (u32, u32),
) {
    let one = draft.interface(Key::of_value(of.clone()), InterfaceKind::Enum, at);
    one.at = at;
    one.kind = InterfaceKind::Enum;
    for choice in choices {
        let declared = Type::named(of.clone());
        let member = Member {
            at: choice.at,
            deprecated: choice.deprecated,
            writing: Writing::Refused,
            ..Member::property(declared)
        };
        add(&mut one.shape, choice.name, member);
    }
    draft.aliases.insert(of.clone(), Alias { type_parameters: Vec::new(), means, at });
    if !of.path.contains('.') && of.module.is_empty() {
        draft.exports.insert(of.path.clone(), export(Type::Typeof(Arc::new(of.clone())), at));
    }
}

/// Words before a member's name that are no part of its type.
const BEFORE: &[&str] = &[
    "export",
    "declare",
    "public",
    "protected",
    "abstract",
    "static",
    "async",
    "override",
    "function",
    "const",
    "let",
    "var",
    "get",
];

/// A member as a declaration spells it: `readonly name?: Type;`, `static open(name: string): Sheet;`.
#[derive(Debug, Clone)]
pub struct Spelt {
    /// The member.
    pub member: Member,
    /// Whether it belongs to the name itself.
    pub is_static: bool,
    /// Of a constructor, how it is called.
    pub constructs: Option<Signature>,
}

/// What `text` declares under `name`, if it can be read.
pub fn spelt(text: &str, name: &str) -> Option<Spelt> {
    if text.len() > MAX_SPELT {
        return None;
    }
    let text = text.trim().trim_end_matches([';', ',']).trim();
    let mut rest = text;
    let (mut is_static, mut is_getter) = (false, false);
    while let Some((word, after)) = rest.split_once(char::is_whitespace) {
        if !BEFORE.contains(&word) {
            break;
        }
        is_static |= word == "static";
        is_getter |= word == "get";
        rest = after.trim_start();
    }
    let rest = if is_getter { rest.replacen("()", "", 1) } else { rest.to_owned() };
    if let Some(call) = rest.strip_prefix("constructor") {
        let constructs = parse::signature(&format!("{}: void", call.trim()));
        let constructs = Some(constructs.unwrap_or_else(any_call));
        return Some(Spelt { member: Member::method(Vec::new()), is_static, constructs });
    }
    let Type::Literal(shape) = parse::typescript(&format!("{{ {rest} }}")) else { return None };
    let mut shape = Arc::unwrap_or_clone(shape);
    let mut member = shape.members.remove(name)?;
    if is_getter {
        member.writing = Writing::Refused;
    }
    Some(Spelt { member, is_static, constructs: None })
}

/// `member` with the bare names of `full` replaced by the whole ones.
pub fn qualified(member: Member, full: &BTreeMap<String, TypeName>) -> Member {
    let meaning = |named: &Named| -> Option<Type> {
        let whole = full.get(named.name.path.as_str()).filter(|_| named.name.module.is_empty())?;
        Some(Type::generic(whole.clone(), named.arguments.clone()))
    };
    let renamed = |signature: &Signature| match rename(
        &Type::Function(Arc::new(signature.clone())),
        &meaning,
    ) {
        Type::Function(renamed) => Arc::unwrap_or_clone(renamed),
        _ => signature.clone(),
    };
    Member {
        declared: rename(&member.declared, &meaning),
        signatures: member.signatures.iter().map(renamed).collect(),
        ..member
    }
}

/// A parameter.
pub fn parameter(name: &str, declared: Type, arity: Arity) -> Parameter {
    Parameter { name: name.into(), declared, arity }
}

/// A call of which nothing is told: any arguments, an unknown result.
pub fn any_call() -> Signature {
    let declared = Type::Array(Arc::new(Type::Any));
    Signature {
        parameters: vec![parameter("given", declared, Arity::Rest)],
        returns: unknown(),
        ..Signature::default()
    }
}

/// A type that no page tells.
pub fn unknown() -> Type {
    Type::opaque("untold type")
}

/// The type that `text` spells; unknown where it spells none or more than one can read.
pub fn told(text: &str) -> Type {
    match text.trim().is_empty() || text.len() > MAX_SPELT {
        true => unknown(),
        false => type_of(text, &[], 0),
    }
}

/// Why something is deprecated, where `text` says so.
pub fn why(text: &str) -> Option<Name> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty() && text != "false")
        .then(|| if text == "true" { Name::default() } else { text.into() })
}
