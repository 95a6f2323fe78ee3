//! Godot's dialect: XML, a `class` a file with its methods, members, signals and constants.

use super::draft::{Draft, export};
use super::entries::{
    Choice, MAX_PARAMETERS, class, enumeration, parameter, put, subject, unknown, why,
};
use crate::base::Name;
use crate::datagraph::{InterfaceKind, Key};
use crate::sources::pages::Page;
use crate::sources::pages::node::Node;
use crate::types::{Arity, Member, MemberKind, Signature, Type, TypeName, Writing};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is found in `page`.
pub fn draft(source: u32, page: &Page) -> Draft {
    let mut draft = Draft::default();
    let Some(root) = &page.root else { return draft };
    let is_listed = |one: &Node| {
        one.child("methods").is_some()
            || one.child("members").is_some()
            || one.child("constants").is_some()
            || !one.said("@inherits").is_empty()
            || one.child("brief_description").is_some()
    };
    for one in root.all("class").filter(|one| is_listed(one)) {
        let name = one.said("@name");
        // Scopes that hold for every script: what they list are global names.
        match name.starts_with('@') {
            true => globals(source, one, &mut draft),
            false => described(source, one, name, &mut draft),
        }
    }
    draft
}

fn described(source: u32, one: &Node, name: &str, draft: &mut Draft) {
    let at = (source, one.line);
    if !crate::types::print::is_plain(name) {
        draft.hole(at, format!("{name:?} can be no class's name"));
        return;
    }
    let of = TypeName::global(name);
    class(draft, &of, at);
    let interface = subject(draft, &of, InterfaceKind::Class, at);
    interface.deprecated = deprecation(one);
    let parent = one.said("@inherits");
    interface.extends.extend((!parent.is_empty()).then(|| Type::named(TypeName::global(parent))));
    let (values, itself) = (Key::of_type(of.clone()), Key::of_value(of.clone()));
    for method in one.items("methods") {
        let is_static = method.said("@qualifiers").split_whitespace().any(|word| word == "static");
        let member = called(source, method);
        put(draft, if is_static { &itself } else { &values }, method.said("@name"), member);
    }
    for field in one.items("members") {
        let writing = match field.child("@setter") {
            Some(setter) if setter.text.is_empty() => Writing::Refused,
            Some(_) | None => Writing::Allowed,
        };
        let declared = kind(field.said("@type"), field.said("@enum"));
        let deprecated = deprecation(field);
        let member =
            Member { writing, deprecated, at: (source, field.line), ..Member::property(declared) };
        put(draft, &values, field.said("@name"), member);
    }
    for signal in one.items("signals") {
        let signature = signature(signal);
        let declared = Type::Function(Arc::new(signature));
        let event = Member {
            kind: MemberKind::Event,
            at: (source, signal.line),
            deprecated: deprecation(signal),
            ..Member::property(declared)
        };
        put(draft, &values, signal.said("@name"), event);
    }
    for call in one.items("constructors") {
        let signature = Signature { returns: Type::named(of.clone()), ..signature(call) };
        draft
            .interface(itself.clone(), InterfaceKind::Statics, at)
            .shape
            .constructs
            .push(signature);
    }
    let mut enums: BTreeMap<&str, Vec<Choice>> = BTreeMap::new();
    for constant in one.items("constants") {
        let name = constant.said("@name");
        let choice = Choice {
            name: name.into(),
            at: (source, constant.line),
            deprecated: deprecation(constant),
        };
        let declared = match constant.said("@enum") {
            "" => Type::Number,
            named => {
                enums.entry(named).or_default().push(choice.clone());
                Type::named(of.child(named))
            }
        };
        let member = Member {
            writing: Writing::Refused,
            at: choice.at,
            deprecated: choice.deprecated,
            ..Member::property(declared)
        };
        put(draft, &itself, name, member);
    }
    for (named, choices) in enums {
        let at = choices.first().map_or(at, |choice| choice.at);
        enumeration(draft, &of.child(named), choices, Type::Number, at);
    }
}

fn globals(source: u32, one: &Node, draft: &mut Draft) {
    for method in one.items("methods") {
        let member = called(source, method);
        draft
            .exports
            .insert(method.said("@name").into(), Member { writing: Writing::Refused, ..member });
    }
    for field in one.items("members") {
        let declared = kind(field.said("@type"), field.said("@enum"));
        draft.exports.insert(field.said("@name").into(), export(declared, (source, field.line)));
    }
    for constant in one.items("constants") {
        draft
            .exports
            .insert(constant.said("@name").into(), export(Type::Number, (source, constant.line)));
    }
}

fn called(source: u32, method: &Node) -> Member {
    let at = (source, method.line);
    Member { at, deprecated: deprecation(method), ..Member::method(vec![signature(method)]) }
}

fn signature(call: &Node) -> Signature {
    let named = call.all("param").chain(call.all("argument")).take(MAX_PARAMETERS);
    let mut parameters: Vec<_> = named
        .map(|one| {
            let arity =
                if one.child("@default").is_some() { Arity::Optional } else { Arity::Required };
            parameter(one.said("@name"), kind(one.said("@type"), one.said("@enum")), arity)
        })
        .collect();
    if call.said("@qualifiers").split_whitespace().any(|word| word == "vararg") {
        parameters.push(parameter("rest", Type::Array(Arc::new(Type::Any)), Arity::Rest));
    }
    let returns =
        call.child("return").map_or(Type::Void, |one| kind(one.said("@type"), one.said("@enum")));
    Signature { parameters, returns, ..Signature::default() }
}

fn kind(spelt: &str, named: &str) -> Type {
    if !named.is_empty() {
        return Type::named(TypeName::global(named));
    }
    if let Some(one) = spelt.strip_suffix("[]") {
        return Type::Array(Arc::new(kind(one, "")));
    }
    match spelt {
        "" => unknown(),
        "void" => Type::Void,
        "int" | "float" => Type::Number,
        "bool" => Type::Boolean,
        "String" | "StringName" | "NodePath" => Type::String,
        "Variant" => Type::Any,
        named if crate::types::print::is_plain(named) => Type::named(TypeName::global(named)),
        _ => unknown(),
    }
}

fn deprecation(node: &Node) -> Option<Name> {
    match (node.child("@deprecated"), node.said("@is_deprecated")) {
        (Some(said), _) => Some(why(&said.text).unwrap_or_default()),
        (None, "true") => Some(Name::default()),
        (None, _) => None,
    }
}
