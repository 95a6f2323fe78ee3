//! Groundline's own JSON, for what no other dialect reads: interfaces with their members, as a script of a team can write them.
//! Its schema is `datagraphs/schema/pages.schema.json`.

use super::draft::{Draft, export};
use super::entries::{any_call, class, put, subject, told, unknown};
use crate::datagraph::{InterfaceKind, Key};
use crate::sources::pages::Page;
use crate::sources::pages::node::Node;
use crate::types::{Member, MemberKind, Presence, Signature, Type, TypeName, Writing, parse};

/// What the key `format` says.
const FORMAT: &str = "groundline-pages-1";

/// What is found in `page`.
pub fn draft(source: u32, page: &Page) -> Draft {
    let mut draft = Draft::default();
    let Some(root) = page.root.as_ref().filter(|root| root.said("format") == FORMAT) else {
        return draft;
    };
    for one in root.items("interfaces") {
        interface(source, one, &mut draft);
    }
    for one in root.items("globals") {
        let member = member(source, one, &mut draft, "");
        super::draft::add_export(
            &mut draft,
            one.said("name"),
            Member { writing: Writing::Refused, ..member },
        );
    }
    draft
}

fn interface(source: u32, one: &Node, draft: &mut Draft) {
    let (at, name) = ((source, one.line), one.said("name"));
    if !super::titles::is_path(name) {
        draft.hole(at, format!("{name:?} can be no interface's name"));
        return;
    }
    let of = TypeName::global(name);
    let constructors: Vec<Signature> =
        one.items("constructors").filter_map(|call| parse::signature(call.text.trim())).collect();
    if one.child("constructors").is_some() || one.said("kind") == "class" {
        class(draft, &of, at);
        let made = constructors
            .into_iter()
            .map(|call| Signature { returns: Type::named(of.clone()), ..call });
        draft
            .interface(Key::of_value(of.clone()), InterfaceKind::Statics, at)
            .shape
            .constructs
            .extend(made);
    }
    let kind =
        if one.said("kind") == "class" { InterfaceKind::Class } else { InterfaceKind::Interface };
    let interface = subject(draft, &of, kind, at);
    interface.extends.extend(one.items("extends").map(|parent| told(&parent.text)));
    interface.deprecated = one.child("deprecated").map(|why| why.text.trim().into());
    interface.open =
        one.child("open").filter(|why| !why.text.is_empty()).map(|why| why.text.trim().into());
    if !one.said("global").is_empty() {
        draft.exports.insert(one.said("global").into(), export(Type::named(of.clone()), at));
    }
    for item in one.items("members") {
        let member = member(source, item, draft, name);
        let key = if item.said("static") == "true" {
            Key::of_value(of.clone())
        } else {
            Key::of_type(of.clone())
        };
        put(draft, &key, item.said("name"), member);
    }
}

fn member(source: u32, item: &Node, draft: &mut Draft, owner: &str) -> Member {
    let at = (source, item.line);
    let listed: Vec<&str> = match item.child("signatures") {
        Some(list) if list.children.is_empty() => vec![list.text.as_str()],
        Some(list) => list.children.iter().map(|one| one.text.as_str()).collect(),
        None => Vec::new(),
    };
    let mut member = match (item.said("kind"), listed.is_empty()) {
        ("method", _) | ("", false) => {
            let mut read = Vec::new();
            for text in listed {
                match parse::signature(text.trim()) {
                    Some(signature) => read.push(signature),
                    None => draft.hole(
                        at,
                        format!("{owner}.{}: {text:?} is no signature", item.said("name")),
                    ),
                }
            }
            Member::method(if read.is_empty() { vec![any_call()] } else { read })
        }
        _ => Member::property(match item.said("type") {
            "" => unknown(),
            spelt => told(spelt),
        }),
    };
    if item.said("kind") == "event" {
        member.kind = MemberKind::Event;
    }
    if item.said("readonly") == "true" {
        member.writing = Writing::Refused;
    }
    if item.said("optional") == "true" {
        member.presence = Presence::Maybe;
    }
    member.deprecated = item.child("deprecated").map(|why| why.text.trim().into());
    Member { at, ..member }
}
