//! Roblox's dialect: YAML, a file a class, datatype, library, enumeration or global, its members in lists, named with their
//! owner before a dot or a colon.

use super::draft::{Draft, export};
use super::entries::{
    Choice, MAX_PARAMETERS, class, enumeration, parameter, put, subject, unknown, why,
};
use crate::base::Name;
use crate::datagraph::{InterfaceKind, Key};
use crate::sources::pages::Page;
use crate::sources::pages::node::Node;
use crate::types::{Arity, Member, MemberKind, Signature, Type, TypeName, Writing};
use std::sync::Arc;

/// Where members of values stand, and where those of the name itself.
const OF_VALUES: &[&str] = &["properties", "methods", "events", "callbacks"];
const OF_NAMES: &[&str] = &["functions", "constructors", "constants"];

/// What is found in `page`.
pub fn draft(source: u32, page: &Page) -> Draft {
    let mut draft = Draft::default();
    let Some(root) = &page.root else { return draft };
    let (name, kind) = (root.said("name"), root.said("type"));
    let is_listed = OF_VALUES
        .iter()
        .chain(OF_NAMES)
        .chain(&["items", "inherits"])
        .any(|list| root.child(list).is_some());
    if is_listed && kind == "global" {
        globals(source, root, &mut draft);
    }
    if !is_listed || kind == "global" || !crate::types::print::is_plain(name) {
        return draft;
    }
    let at = (source, root.line);
    match kind {
        "enum" => {
            let choices = root.items("items").map(|item| Choice {
                name: last(item.said("name")).into(),
                at: (source, item.line),
                deprecated: deprecation(item),
            });
            let choices = choices.filter(|choice| !choice.name.is_empty()).collect();
            enumeration(
                &mut draft,
                &TypeName::global("Enum").child(name),
                choices,
                Type::Number,
                at,
            );
        }
        "class" | "datatype" => described(source, root, name, &mut draft),
        "library" => described(source, root, name, &mut draft),
        _ => {}
    }
    draft
}

/// What every script can name.
fn globals(source: u32, root: &Node, draft: &mut Draft) {
    for list in ["functions", "properties"] {
        for item in root.items(list) {
            let member = Member { writing: Writing::Refused, ..member(source, item, list) };
            super::draft::add_export(draft, last(item.said("name")), member);
        }
    }
}

fn described(source: u32, root: &Node, name: &str, draft: &mut Draft) {
    let at = (source, root.line);
    let of = TypeName::global(name);
    class(draft, &of, at);
    let one = subject(draft, &of, InterfaceKind::Class, at);
    one.deprecated = deprecation(root);
    let parents =
        root.items("inherits").map(|item| item.text.trim()).filter(|parent| !parent.is_empty());
    one.extends.extend(parents.take(1).map(|parent| Type::named(TypeName::global(parent))));
    draft.exports.insert(name.into(), export(Type::Typeof(Arc::new(of.clone())), at));
    for (lists, key) in
        [(OF_VALUES, Key::of_type(of.clone())), (OF_NAMES, Key::of_value(of.clone()))]
    {
        for list in lists {
            for item in root.items(list) {
                let member = member(source, item, list);
                put(draft, &key, last(item.said("name")), member);
            }
        }
    }
}

fn member(source: u32, item: &Node, list: &str) -> Member {
    let mut member = match list {
        "properties" | "constants" => Member::property(kind(item.said("type"))),
        "events" | "callbacks" => Member::property(Type::Function(Arc::new(signature(item)))),
        _ => Member::method(vec![signature(item)]),
    };
    if list == "events" {
        member.kind = MemberKind::Event;
    }
    if list == "constants" || item.items("tags").any(|tag| tag.text == "ReadOnly") {
        member.writing = Writing::Refused;
    }
    member.at = (source, item.line);
    member.deprecated = deprecation(item);
    member
}

fn signature(item: &Node) -> Signature {
    let parameters = item.items("parameters").take(MAX_PARAMETERS).map(|one| {
        let name = one.said("name");
        let is_optional = one.child("default").is_some_and(|default| !default.text.is_empty())
            || one.said("type").ends_with('?');
        let arity = match (name == "..." || one.said("type") == "Tuple", is_optional) {
            (true, _) => Arity::Rest,
            (false, true) => Arity::Optional,
            (false, false) => Arity::Required,
        };
        let declared = kind(one.said("type"));
        let declared =
            if arity == Arity::Rest { Type::Array(Arc::new(Type::Any)) } else { declared };
        parameter(name, declared, arity)
    });
    let returns = match item.items("returns").count() {
        0 => Type::Void,
        1 => item.items("returns").next().map_or(Type::Void, |one| kind(one.said("type"))),
        _ => unknown(),
    };
    Signature { parameters: parameters.collect(), returns, ..Signature::default() }
}

fn kind(spelt: &str) -> Type {
    match spelt.trim_end_matches('?') {
        "" => unknown(),
        "void" | "()" => Type::Void,
        "int" | "int64" | "float" | "double" | "number" => Type::Number,
        "boolean" | "bool" => Type::Boolean,
        "string" | "Content" | "ContentId" | "ProtectedString" => Type::String,
        "Variant" => Type::Any,
        named
            if named.split('.').all(crate::types::print::is_plain)
                && named.starts_with(char::is_uppercase) =>
        {
            Type::named(TypeName::global(named))
        }
        _ => unknown(),
    }
}

/// `MoveTo` of `Humanoid:MoveTo`.
fn last(name: &str) -> &str {
    let end = name.find('(').unwrap_or(name.len());
    name[..end].rsplit(['.', ':']).next().unwrap_or(name).trim()
}

fn deprecation(node: &Node) -> Option<Name> {
    let tagged = node.items("tags").any(|tag| tag.text == "Deprecated");
    why(node.said("deprecation_message")).or(tagged.then(Name::default))
}
