//! TypeDoc's pages: HTML, a page a class, an interface or an enumeration, its members in sections of their own. What is marked as
//! inherited is not its own.

use super::draft::Draft;
use super::entries::{Choice, any_call, class, enumeration, put, spelt, subject, told, unknown};
use crate::base::Name;
use crate::datagraph::{Alias, InterfaceKind, Key};
use crate::sources::pages::Page;
use crate::sources::pages::node::Node;
use crate::types::{Member, Presence, Type, TypeName, Writing};

/// What is found in `page`.
pub fn draft(source: u32, page: &Page) -> Draft {
    let mut draft = Draft::default();
    let Some(root) = &page.root else { return draft };
    let is_own = |node: &Node| node.has_class("tsd-page-title") || node.has_class("tsd-panel");
    if root.find(&is_own).is_none() {
        return draft;
    }
    let Some(title) = root.find(&|node| node.name == "h1") else { return draft };
    // What stands behind the name are tags.
    let text = title.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((kind, name)) = named(&text) else { return draft };
    let (at, of) = ((source, title.line), TypeName::global(name));
    draft.modular = true;
    match kind {
        "Class" | "Interface" => {
            if kind == "Class" {
                class(&mut draft, &of, at);
            }
            let kind =
                if kind == "Class" { InterfaceKind::Class } else { InterfaceKind::Interface };
            let one = subject(&mut draft, &of, kind, at);
            one.extends.extend(parents(root));
            members(source, root, &of, &mut draft);
        }
        "Enumeration" => {
            let mut choices = Vec::new();
            sections(root, &mut |section| {
                let Some(head) = heading(section) else { return };
                choices.push(Choice {
                    name: word(head).into(),
                    at: (source, head.line),
                    deprecated: None,
                });
            });
            let is_text = root
                .find(&|node| node.has_class("tsd-signature") && node.whole_text().contains('"'))
                .is_some();
            let means = if is_text { Type::String } else { Type::Number };
            enumeration(&mut draft, &of, choices, means, at);
        }
        "Type Alias" => {
            let signature = root
                .find(&|node| node.has_class("tsd-signature"))
                .map(Node::whole_text)
                .unwrap_or_default();
            let means = told(
                signature
                    .split_once(" = ")
                    .or(signature.split_once(':'))
                    .map_or("", |(_, means)| means),
            );
            draft.aliases.insert(of, Alias { type_parameters: Vec::new(), means, at });
        }
        "Function" | "Variable" => {
            let name = name.trim_end_matches("()");
            let mut found = Vec::new();
            root.walk(&mut |node| {
                if node.has_class("tsd-signature") {
                    found.extend(spelt(&node.whole_text(), name));
                }
            });
            for one in found {
                super::draft::add_export(&mut draft, name, Member { at, ..one.member });
            }
        }
        _ => {}
    }
    draft
}

/// The kind and the name that a title says: `Class AbstractList<T>`.
fn named(title: &str) -> Option<(&str, &str)> {
    const KINDS: &[&str] =
        &["Class", "Interface", "Enumeration", "Type Alias", "Function", "Variable"];
    let (kind, rest) = KINDS
        .iter()
        .find_map(|kind| Some((*kind, title.strip_prefix(kind)?.strip_prefix(' ')?)))?;
    let end = rest.find(['<', ' ', '(']).unwrap_or(rest.len());
    super::titles::is_path(&rest[..end]).then_some((kind, &rest[..end]))
}

/// The sections of members that are its own.
fn sections<'n>(root: &'n Node, visit: &mut dyn FnMut(&'n Node)) {
    root.walk(&mut |node| {
        if node.has_class("tsd-member") && !node.has_class("tsd-is-inherited") {
            visit(node);
        }
    });
}

fn heading(section: &Node) -> Option<&Node> {
    section.elements().find(|node| ["h2", "h3", "h4"].contains(&node.name.as_str()))
}

/// The name in a heading, without its tags and marks.
fn word(head: &Node) -> String {
    let named = head
        .elements()
        .find(|node| node.name == "span")
        .map_or_else(|| head.whole_text(), Node::whole_text);
    named.trim_end_matches(['?', '!']).to_owned()
}

fn tag(head: &Node, word: &str) -> bool {
    head.find(&|node| node.has_class("tsd-tag") && node.whole_text() == word).is_some()
        || head.find(&|node| node.name == "code" && node.whole_text() == word).is_some()
}

fn members(source: u32, root: &Node, of: &TypeName, draft: &mut Draft) {
    let mut found: Vec<&Node> = Vec::new();
    sections(root, &mut |section| found.push(section));
    for section in found {
        let Some(head) = heading(section) else { continue };
        let (at, name) = ((source, head.line), word(head));
        let mut spellings = Vec::new();
        section.walk(&mut |node| {
            if node.has_class("tsd-signature") && spellings.len() < 100 {
                spellings.push(node.whole_text());
            }
        });
        if name == "constructor" {
            for text in &spellings {
                let call = text
                    .split_once('(')
                    .map_or(String::new(), |(_, call)| format!("constructor({call}"));
                let made = spelt(
                    call.rsplit_once(':').map_or(call.as_str(), |(call, _)| call),
                    "constructor",
                );
                let mut signature = made.and_then(|made| made.constructs).unwrap_or_else(any_call);
                signature.returns = Type::named(of.clone());
                let key = Key::of_value(of.clone());
                draft.interface(key, InterfaceKind::Statics, at).shape.constructs.push(signature);
            }
            continue;
        }
        let key =
            if tag(head, "Static") { Key::of_value(of.clone()) } else { Key::of_type(of.clone()) };
        let why = section.find(&|node| node.has_class("tsd-tag-deprecated"));
        let why = why.map(|node| {
            node.elements()
                .filter(|one| one.name == "p")
                .map(Node::whole_text)
                .collect::<Vec<_>>()
                .join(" ")
        });
        let is_called = spellings.iter().any(|text| {
            text.trim_start().starts_with(&format!("{name}("))
                || text.trim_start().starts_with(&format!("{name}<"))
        });
        for text in &spellings {
            let text = text.trim_start_matches("get ").trim_start_matches("set ");
            let mut member = match (spelt(text, &name), is_called) {
                (Some(found), _) => found.member,
                (None, true) => Member::method(vec![any_call()]),
                (None, false) => Member::property(unknown()),
            };
            member.at = at;
            member.deprecated = why.as_deref().map(Name::from);
            if tag(head, "Readonly") {
                member.writing = Writing::Refused;
            }
            if tag(head, "Optional") {
                member.presence = Presence::Maybe;
            }
            put(draft, &key, &name, member);
        }
    }
}

/// What stands above the page's own name in its hierarchy.
fn parents(root: &Node) -> Vec<Type> {
    let Some(panel) = root.find(&|node| node.name == "section" && node.has_class("tsd-hierarchy"))
    else {
        return Vec::new();
    };
    let Some(list) = panel.find(&|node| node.name == "ul") else { return Vec::new() };
    let is_target =
        |node: &Node| node.has_class("tsd-hierarchy-target") || node.has_class("target");
    let mut found = Vec::new();
    let mut waiting = vec![list];
    while let Some(list) = waiting.pop() {
        let leads = |item: &&Node| {
            let inner = item.child("ul");
            inner.is_some_and(|inner| inner.all("li").any(|one| one.elements().any(is_target)))
        };
        if list.all("li").any(|item| leads(&item)) {
            // The name stands below the last of its parents; the others have nothing below them.
            let parents = list.all("li").filter(|item| leads(item) || item.child("ul").is_none());
            for item in parents {
                let mut text = item.text.clone();
                let own = item
                    .children
                    .iter()
                    .filter(|one| one.name != "ul" && !one.name.starts_with('@'));
                own.for_each(|one| one.add_text(&mut text));
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                found.push(told(&text));
            }
        }
        waiting.extend(list.all("li").filter_map(|item| item.child("ul")));
    }
    found
}
