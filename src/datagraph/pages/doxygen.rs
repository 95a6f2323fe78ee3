//! Doxygen's dialect: HTML, a page a class (`ns::Layout Class Reference`), each member in a block with its prototype. What is
//! inherited stands in lists only and is not its own.

use super::draft::Draft;
use super::entries::{any_call, class, put, subject, unknown};
use crate::datagraph::{InterfaceKind, Key};
use crate::sources::pages::Page;
use crate::sources::pages::node::Node;
use crate::types::{Arity, Member, Signature, Type, TypeName};

/// How titles end that name a type.
const TAILS: &[&str] = &[
    "Class Reference",
    "Struct Reference",
    "Interface Reference",
    "Class Template Reference",
    "Struct Template Reference",
];

/// What is found in `page`.
pub fn draft(source: u32, page: &Page) -> Draft {
    let mut draft = Draft::default();
    let Some(root) = &page.root else { return draft };
    let is_title = |node: &Node| node.name == "div" && node.has_class("title") || node.name == "h1";
    let Some(title) = root.find(&is_title) else { return draft };
    let text = title.whole_text();
    let named = TAILS.iter().find_map(|tail| text.split_once(&format!(" {tail}")));
    let Some((name, _)) = named else { return draft };
    let path = name.split('<').next().unwrap_or(name).trim().replace("::", ".");
    if !super::titles::is_path(&path) {
        return draft;
    }
    let (at, of) = ((source, title.line), TypeName::global(path.as_str()));
    class(&mut draft, &of, at);
    let parents = parents(root);
    subject(&mut draft, &of, InterfaceKind::Class, at).extends.extend(parents);
    root.walk(&mut |node| {
        if node.has_class("memitem") {
            member(source, node, &of, &mut draft);
        }
    });
    draft
}

/// The names behind `Inherits`.
fn parents(root: &Node) -> Vec<Type> {
    let said =
        root.find(&|node| node.name == "p" && node.text.trim_start().starts_with("Inherits "));
    let links = said.into_iter().flat_map(|node| node.elements().filter(|one| one.name == "a"));
    links.map(|one| Type::named(TypeName::global(one.whole_text().replace("::", ".")))).collect()
}

fn member(source: u32, item: &Node, of: &TypeName, draft: &mut Draft) {
    let Some(proto) = item.find(&|node| node.has_class("memname")) else { return };
    let at = (source, item.line);
    let spelt = proto.whole_text();
    let head = spelt.split('(').next().unwrap_or("").trim();
    let whole = head.rsplit_once(' ').map_or(head, |(_, last)| last);
    let name = whole.rsplit("::").next().unwrap_or(whole).trim_start_matches(['*', '&']);
    let own = of.last();
    let labels = item
        .find(&|node| node.has_class("mlabels-right"))
        .map(Node::whole_text)
        .unwrap_or_default();
    if labels.contains("private")
        || labels.contains("protected")
        || name.starts_with('~')
        || head.contains("operator")
    {
        return;
    }
    let table = proto.name == "table"
        || item.find(&|node| node.has_class("paramname")).is_some()
        || spelt.contains('(');
    let signature = || signature(item);
    if name == own {
        let made = Signature { returns: Type::named(of.clone()), ..signature() };
        draft
            .interface(Key::of_value(of.clone()), InterfaceKind::Statics, at)
            .shape
            .constructs
            .push(made);
        return;
    }
    let mut member = match table && spelt.contains('(') {
        true => Member::method(vec![signature()]),
        false => Member::property(unknown()),
    };
    member.at = at;
    let key = if labels.contains("static") {
        Key::of_value(of.clone())
    } else {
        Key::of_type(of.clone())
    };
    put(draft, &key, name, member);
}

fn signature(item: &Node) -> Signature {
    let mut parameters = Vec::new();
    item.walk(&mut |node| {
        if node.has_class("paramname") && node.name == "td" {
            let text = node.whole_text();
            let arity = if text.contains('=') { Arity::Optional } else { Arity::Required };
            let name = text.split(['=', ',', ')']).next().unwrap_or("").trim().to_owned();
            if !name.is_empty() {
                parameters.push(super::entries::parameter(&name, unknown(), arity));
            }
        }
    });
    match parameters.len() > super::entries::MAX_PARAMETERS {
        true => any_call(),
        false => {
            Signature { parameters, returns: Type::opaque("untold type"), ..Signature::default() }
        }
    }
}
