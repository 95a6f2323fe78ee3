//! DocFX's dialect: YAML, a file a type (`uid: Sheets!Sheets.Range:interface`) with its members in lists, or several types in
//! a list of `items` that name their parents.

use super::draft::Draft;
use super::entries::{
    Choice, class, enumeration, put, qualified, spelt, subject, told, unknown, why,
};
use crate::base::Name;
use crate::datagraph::{Alias, InterfaceKind, Key};
use crate::sources::pages::Page;
use crate::sources::pages::node::Node;
use crate::types::{Member, MemberKind, Type, TypeName};
use std::collections::BTreeMap;

/// The lists that members stand in.
const LISTS: &[&str] = &["constructors", "properties", "fields", "methods", "events", "functions"];

/// What is found in `page`.
pub fn draft(source: u32, page: &Page) -> Draft {
    let mut draft = Draft::default();
    let Some(root) = &page.root else { return draft };
    let uid = root.said("uid");
    if uid.contains(['!', ':']) && root.child("name").is_some() {
        of_type(source, root, uid, &mut draft);
    } else if root
        .items("items")
        .any(|item| !item.said("uid").is_empty() && item.child("type").is_some())
    {
        of_items(source, root, &mut draft);
    }
    draft
}

/// The name and the kind in `Sheets!Sheets.Range:interface`.
fn parts(uid: &str) -> (&str, &str) {
    let name = uid.rsplit('!').next().unwrap_or(uid);
    name.rsplit_once(':').unwrap_or((name, ""))
}

fn of_type(source: u32, root: &Node, uid: &str, draft: &mut Draft) {
    let (path, kind) = parts(uid);
    let at = (source, root.line);
    let of = TypeName::global(path);
    let kind = if kind.is_empty() { root.said("type") } else { kind };
    if path.is_empty() || kind == "package" {
        return;
    }
    let deprecated = deprecation(root);
    match kind {
        "enum" => {
            let choices = root.items("fields").map(|field| Choice {
                name: field.said("name").into(),
                at: (source, field.line),
                deprecated: deprecation(field),
            });
            let choices: Vec<Choice> = choices.filter(|choice| !choice.name.is_empty()).collect();
            let is_text =
                root.items("fields").any(|field| field.said("value").starts_with(['"', '\'']));
            let means =
                if is_text { Type::String } else { Type::union([Type::Number, Type::String]) };
            enumeration(draft, &of, choices, means, at);
            return;
        }
        "type" | "typealias" => {
            let spelt = root.child("syntax").map_or("", |syntax| syntax.text.as_str());
            let means = told(spelt.split_once('=').map_or("", |(_, means)| means));
            let alias = Alias { type_parameters: Vec::new(), means, at };
            draft.aliases.insert(of, alias);
            return;
        }
        "class" => class(draft, &of, at),
        "interface" => drop(subject(draft, &of, InterfaceKind::Interface, at)),
        _ => return,
    }
    let one = subject(
        draft,
        &of,
        if kind == "class" { InterfaceKind::Class } else { InterfaceKind::Interface },
        at,
    );
    one.deprecated = deprecated;
    one.extends.extend(parents(root).into_iter().map(Type::named));
    for list in LISTS {
        for item in root.items(list) {
            member(source, item, list, &of, draft);
        }
    }
}

/// What `extends` names: a text, a list of texts, or a table with a `name`.
fn parents(root: &Node) -> Vec<TypeName> {
    let Some(extends) = root.child("extends") else { return Vec::new() };
    let texts =
        std::iter::once(extends.text.as_str()).chain(std::iter::once(extends.said("name"))).chain(
            extends
                .children
                .iter()
                .filter(|c| c.name.is_empty())
                .flat_map(|item| [item.text.as_str(), item.said("name")]),
        );
    let names = texts.map(|text| unlinked(text).split('<').next().unwrap_or("").trim().to_owned());
    names.filter(|name| !name.is_empty()).map(TypeName::global).collect()
}

/// A text with the names that its links stand for.
fn unlinked(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<xref uid=\"") {
        plain.push_str(before);
        let Some((uid, after)) = after.split_once('"') else { break };
        plain.push_str(parts(uid).0);
        rest = after.split_once('>').map_or("", |(_, rest)| rest);
    }
    plain.push_str(rest);
    plain
}

fn member(source: u32, item: &Node, list: &str, of: &TypeName, draft: &mut Draft) {
    let at = (source, item.line);
    let uid = item.said("uid");
    let inner = uid.rsplit('!').next().unwrap_or(uid);
    // `Type#name:member(1)` belongs to values, `Type.name:member` to the name itself.
    let inner = inner.split(":member").next().unwrap_or(inner);
    let inner = inner.split('(').next().unwrap_or(inner);
    let (is_own, name) = match inner.split_once('#') {
        Some((_, name)) => (true, name),
        None => (false, inner.rsplit(['.', '/']).next().unwrap_or(inner)),
    };
    let name = name.trim_end_matches(":constructor").trim_matches('"');
    let syntax = item.child("syntax");
    let content = syntax.map_or("", |syntax| syntax.said("content"));
    let linked = linked(syntax);
    if list == "constructors" || name == "constructor" || name == "(constructor)" {
        let signature = spelt(content, "constructor").and_then(|spelt| spelt.constructs);
        let mut signature = signature.unwrap_or_else(super::entries::any_call);
        signature.returns = Type::named(of.clone());
        let key = Key::of_value(of.clone());
        draft.interface(key, InterfaceKind::Statics, at).shape.constructs.push(signature);
        return;
    }
    let found = spelt(content, name);
    let is_static = found.as_ref().is_some_and(|found| found.is_static)
        || (!is_own && list != "events" && list != "fields");
    let mut member = match found {
        Some(found) => qualified(found.member, &linked),
        None if ["methods", "functions"].contains(&list) => {
            Member::method(vec![super::entries::any_call()])
        }
        None => {
            let kind = syntax
                .and_then(|syntax| syntax.child("return"))
                .map_or("", |given| given.said("type"));
            Member::property(told(&unlinked(kind)))
        }
    };
    if list == "events" {
        member.kind = MemberKind::Event;
    }
    member.at = at;
    member.deprecated = deprecation(item);
    let key = if is_static { Key::of_value(of.clone()) } else { Key::of_type(of.clone()) };
    put(draft, &key, name, member);
}

/// The whole names of what a member's types link to, by their last names.
fn linked(syntax: Option<&Node>) -> BTreeMap<String, TypeName> {
    let mut found = BTreeMap::new();
    let Some(syntax) = syntax else { return found };
    syntax.walk(&mut |node| {
        let mut rest = node.text.as_str();
        while let Some((_, after)) = rest.split_once("<xref uid=\"") {
            let Some((uid, after)) = after.split_once('"') else { break };
            let (path, _) = parts(uid);
            if let Some((_, last)) = path.rsplit_once('.') {
                found.insert(last.to_owned(), TypeName::global(path));
            }
            rest = after;
        }
    });
    found
}

fn deprecation(node: &Node) -> Option<Name> {
    let said = node.child("customDeprecatedMessage").map_or("", |why| why.text.as_str());
    match (node.said("isDeprecated"), said) {
        ("true", "") => Some(Name::default()),
        ("true", said) => why(said),
        _ => None,
    }
}

/// Types and members side by side, each with its `parent`.
fn of_items(source: u32, root: &Node, draft: &mut Draft) {
    let kinds: BTreeMap<&str, &str> =
        root.items("items").map(|item| (item.said("uid"), item.said("type"))).collect();
    for item in root.items("items") {
        let at = (source, item.line);
        let (uid, kind) = (item.said("uid"), item.said("type").to_lowercase());
        let of = TypeName::global(plain(uid));
        match kind.as_str() {
            "class" | "struct" | "interface" | "delegate" => {
                class(draft, &of, at);
                let parent = item.items("inheritance").last().map_or("", |one| one.text.trim());
                let is_base = ["", "System.Object", "Object", "System.ValueType"].contains(&parent);
                let one = subject(draft, &of, InterfaceKind::Class, at);
                one.extends
                    .extend((!is_base).then(|| Type::named(TypeName::global(plain(parent)))));
            }
            "enum" => {
                let fields = root.items("items").filter(|one| one.said("parent") == uid);
                let choices = fields.map(|one| Choice {
                    name: last(one.said("uid")).into(),
                    at: (source, one.line),
                    deprecated: None,
                });
                let choices = choices.collect();
                enumeration(draft, &of, choices, Type::Number, at);
            }
            "namespace" | "" => {}
            _ => {
                let parent = item.said("parent");
                if parent.is_empty()
                    || kinds.get(parent).is_some_and(|kind| kind.eq_ignore_ascii_case("enum"))
                {
                    continue;
                }
                listed(item, &kind, at, parent, draft);
            }
        }
    }
}

fn listed(item: &Node, kind: &str, at: (u32, u32), parent: &str, draft: &mut Draft) {
    let of = TypeName::global(plain(parent));
    if kind == "constructor" {
        let mut signature = super::entries::any_call();
        signature.returns = Type::named(of.clone());
        let key = Key::of_value(of);
        draft.interface(key, InterfaceKind::Statics, at).shape.constructs.push(signature);
        return;
    }
    let syntax = item.child("syntax");
    let content = syntax.map_or("", |syntax| syntax.said("content"));
    let is_static = content.split_whitespace().any(|word| word == "static" || word == "const");
    let name = last(item.said("uid"));
    let mut member = match kind {
        "method" | "function" | "operator" => Member::method(vec![super::entries::any_call()]),
        _ => {
            let given = syntax
                .and_then(|syntax| syntax.child("return"))
                .map_or("", |given| given.said("type"));
            let declared = match given {
                "System.String" => Type::String,
                "System.Boolean" => Type::Boolean,
                "System.Int32" | "System.Double" | "System.Single" | "System.Int64" => Type::Number,
                "" => unknown(),
                named => Type::named(TypeName::global(plain(named))),
            };
            Member::property(declared)
        }
    };
    if kind == "event" {
        member.kind = MemberKind::Event;
    }
    member.at = at;
    let key = if is_static { Key::of_value(of) } else { Key::of_type(of) };
    put(draft, &key, name, member);
}

/// A name without what tells overloads and generic forms apart.
fn plain(uid: &str) -> &str {
    let end = uid.find(['(', '`', '{', '<']).unwrap_or(uid.len());
    &uid[..end]
}

fn last(uid: &str) -> &str {
    plain(uid).rsplit('.').next().unwrap_or(uid).trim_end_matches('*')
}
