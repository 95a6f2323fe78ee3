//! JSDoc's dialect: HTML, a page a class, namespace or module (`Class: Layout`), its members as headings with ids: `name`,
//! `.name` for statics, `event:name`.

use super::draft::{Draft, export};
use super::entries::{any_call, class, put, subject, unknown};
use super::spelling::named_parameters;
use crate::base::Name;
use crate::datagraph::{InterfaceKind, Key};
use crate::sources::pages::Page;
use crate::sources::pages::node::Node;
use crate::types::{Arity, Member, MemberKind, Signature, Type, TypeName, Writing, parse};
use std::sync::Arc;

/// What is found in `page`.
pub fn draft(source: u32, page: &Page) -> Draft {
    let mut draft = Draft::default();
    let Some(root) = &page.root else { return draft };
    let Some(title) = root.find(&|node| node.name == "h1") else { return draft };
    let text = title.whole_text();
    let Some((kind, name)) = text.split_once(": ") else { return draft };
    let name = name.split(['(', ' ']).next().unwrap_or("").trim_start_matches("exports.");
    let name = name.rsplit('~').next().unwrap_or(name).replace('#', ".");
    let is_own = root.find(&|node| node.name == "h4" && node.has_class("name")).is_some()
        || root.find(&|node| node.has_class("subsection-title")).is_some();
    if !is_own || !super::titles::is_path(&name) {
        return draft;
    }
    let (at, of) = ((source, title.line), TypeName::global(name.as_str()));
    match kind {
        "Class" => class(&mut draft, &of, at),
        "Interface" | "Mixin" => drop(subject(&mut draft, &of, InterfaceKind::Interface, at)),
        "Namespace" => {
            draft.interface(Key::of_value(of.clone()), InterfaceKind::Namespace, at).at = at;
            draft.described.insert(of.clone());
            if !name.contains('.') {
                draft
                    .exports
                    .insert(of.path.clone(), export(Type::Typeof(Arc::new(of.clone())), at));
            }
        }
        _ => return draft,
    }
    if let Some(one) = draft.interfaces.get_mut(&Key::of_type(of.clone())) {
        one.extends.extend(parents(root));
    }
    let is_value = kind == "Namespace";
    entries(source, root, &of, is_value, &mut draft);
    draft
}

/// What is listed under `Extends`.
fn parents(root: &Node) -> Vec<Type> {
    let mut found = Vec::new();
    root.walk(&mut |node| {
        let mut is_next = false;
        for child in node.elements() {
            if child.name == "h3" {
                is_next = child.whole_text() == "Extends";
            } else if is_next && child.name == "ul" {
                let names = child
                    .all("li")
                    .map(Node::whole_text)
                    .filter(|name| super::titles::is_path(name));
                found.extend(names.map(|name| Type::named(TypeName::global(name))));
                is_next = false;
            }
        }
    });
    found
}

/// The headings of members, each with the details that follow it.
fn entries(source: u32, root: &Node, of: &TypeName, is_value: bool, draft: &mut Draft) {
    let mut found: Vec<(&Node, Option<&Node>)> = Vec::new();
    root.walk(&mut |node| {
        let list: Vec<&Node> = node.elements().collect();
        for (idx, child) in list.iter().enumerate() {
            if child.name == "h4" && child.has_class("name") {
                let rest = list[idx + 1..].iter().take_while(|one| one.name != "h4");
                let details =
                    rest.copied().find_map(|one| one.find(&|node| node.has_class("details")));
                found.push((child, details));
            }
        }
    });
    for (head, details) in found {
        let has = |class: &str| {
            details.is_some_and(|one| one.find(&|node| node.has_class(class)).is_some())
        };
        let text = head.whole_text();
        if has("inherited-from")
            || has("tag-inherited-from")
            || text.contains("(private)")
            || text.contains("(inner)")
        {
            continue;
        }
        let at = (source, head.line);
        let id = head.said("@id");
        let name = id.strip_prefix("event:").or(id.strip_prefix('.')).unwrap_or(id);
        let is_static = id.starts_with('.') || text.contains("(static)") || is_value;
        if text.trim_start_matches("(abstract) ").starts_with("new ") {
            let made = Signature { returns: Type::named(of.clone()), ..signature(&text) };
            draft
                .interface(Key::of_value(of.clone()), InterfaceKind::Statics, at)
                .shape
                .constructs
                .push(made);
            continue;
        }
        let mut member = match (
            id.starts_with("event:"),
            text.contains('(')
                && head
                    .find(&|node| node.has_class("signature"))
                    .is_some_and(|s| !s.whole_text().is_empty()),
        ) {
            (true, _) => Member {
                kind: MemberKind::Event,
                ..Member::property(Type::Function(Arc::new(any_call())))
            },
            (false, true) => Member::method(vec![signature(&text)]),
            (false, false) => {
                Member::property(kind(text.rsplit_once(" :").map_or("", |(_, kind)| kind)))
            }
        };
        if text.contains("(readonly)") || text.contains("(constant)") {
            member.writing = Writing::Refused;
        }
        if has("tag-deprecated") || has("important") {
            member.deprecated = Some(Name::default());
        }
        member.at = at;
        let key = if is_static { Key::of_value(of.clone()) } else { Key::of_type(of.clone()) };
        put(draft, &key, name, member);
    }
}

/// `move(x, yopt) → {boolean}`: what is optional is marked behind its name.
fn signature(text: &str) -> Signature {
    let (call, given) = text.split_once('→').unwrap_or((text, ""));
    let inside = call.rsplit_once(')').map_or("", |(before, _)| before);
    let start = inside.rfind('(').map_or(inside.len(), |at| at + 1);
    let parameters = named_parameters(&inside[start..]).into_iter().map(|(name, arity)| {
        let (name, arity) = match (name.strip_suffix("opt"), arity) {
            (Some(name), Arity::Required) if !name.is_empty() => {
                (Name::from(name), Arity::Optional)
            }
            _ => (name, arity),
        };
        let declared =
            if arity == Arity::Rest { Type::Array(Arc::new(Type::Any)) } else { unknown() };
        super::entries::parameter(name.trim_start_matches(['…', '.']), declared, arity)
    });
    let returns = match given.trim().trim_start_matches('{').trim_end_matches('}') {
        "" => unknown(),
        spelt => kind(spelt),
    };
    Signature { parameters: parameters.collect(), returns, ..Signature::default() }
}

fn kind(spelt: &str) -> Type {
    match spelt.trim() {
        "" => unknown(),
        text => parse::jsdoc(text),
    }
}
