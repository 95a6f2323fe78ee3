//! qdoc's dialect: HTML, a page a QML type, its members in blocks that are linked to by `name-prop`, `name-method` and
//! `name-signal`; a parent is what the link behind `Inherits` leads to.

use super::draft::{Draft, LINKED};
use super::entries::{MAX_PARAMETERS, parameter, put, subject, unknown};
use crate::base::Name;
use crate::datagraph::{InterfaceKind, Key};
use crate::sources::pages::Page;
use crate::sources::pages::node::Node;
use crate::types::print::is_plain;
use crate::types::{Arity, Member, MemberKind, Signature, Type, TypeName, Writing};
use std::sync::Arc;

/// How ids of members end, what they are, and whether they belong to the name itself.
const ENDINGS: &[(&str, Kind, Own)] = &[
    ("-attached-prop", Kind::Property, Own::Itself),
    ("-attached-signal", Kind::Signal, Own::Itself),
    ("-attached-method", Kind::Method, Own::Itself),
    ("-prop", Kind::Property, Own::Values),
    ("-signal", Kind::Signal, Own::Values),
    ("-signal-handler", Kind::Signal, Own::Values),
    ("-method", Kind::Method, Own::Values),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Property,
    Method,
    Signal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Own {
    Values,
    Itself,
}

/// What is found in `page`, whose file is called `file`.
pub fn draft(source: u32, page: &Page, file: &str) -> Draft {
    let mut draft = Draft::default();
    let Some(root) = &page.root else { return draft };
    let Some(title) = root.find(&|node| node.name == "h1") else { return draft };
    let text = title.whole_text();
    let name = text.split_whitespace().next().unwrap_or("");
    let is_type =
        ["QML Type", "QML Basic Type", "QML Value Type"].iter().any(|tail| text.ends_with(tail));
    if !is_type || !is_plain(name) {
        return draft;
    }
    let rows = summary(root);
    let module = rows.iter().find(|(label, _)| label.starts_with("Import Statement"));
    let module = module.and_then(|(_, row)| {
        row.whole_text()
            .split("import ")
            .nth(1)
            .and_then(|rest| rest.split_whitespace().next().map(str::to_owned))
    });
    let of = TypeName::within(module.unwrap_or_default(), name);
    let at = (source, title.line);
    let one = subject(&mut draft, &of, InterfaceKind::Interface, at);
    one.extends.extend(
        rows.iter()
            .filter(|(label, _)| label.starts_with("Inherits"))
            .filter_map(|(_, row)| parent(row)),
    );
    draft.subjects.insert(file.into(), of.clone());
    root.walk(&mut |node| {
        // The second of several calls has a number behind it.
        let id =
            node.said("@id").trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('-');
        if id.is_empty() {
            return;
        }
        let found = ENDINGS
            .iter()
            .find_map(|(ending, kind, own)| Some((id.strip_suffix(ending)?, *kind, *own)));
        if let Some((name, kind, own)) = found
            && !matches!(node.name.as_str(), "a" | "li")
        {
            member(source, node, name, kind, own, &of, &mut draft);
        }
    });
    draft
}

/// The rows of the table at the top, by what their first cells say.
fn summary(root: &Node) -> Vec<(String, &Node)> {
    let mut rows = Vec::new();
    let table = root.find(&|node| node.name == "table" && node.has_class("alignedsummary"));
    if let Some(table) = table {
        table.walk(&mut |node| {
            let cells: Vec<&Node> = node.all("td").collect();
            if let [label, said, ..] = cells[..] {
                rows.push((label.whole_text(), said));
            }
        });
    }
    rows
}

/// The type that an element links to.
fn parent(cell: &Node) -> Option<Type> {
    let link = cell.find(&|node| node.name == "a" && !node.said("@href").is_empty())?;
    let target = link.said("@href").split('#').next().unwrap_or("");
    let file = target.rsplit('/').next().unwrap_or(target);
    let name = link.whole_text();
    is_plain(&name).then(|| Type::named(TypeName::within(format!("{LINKED}{file}"), name.as_str())))
}

fn member(
    source: u32,
    node: &Node,
    name: &str,
    kind: Kind,
    own: Own,
    of: &TypeName,
    draft: &mut Draft,
) {
    let at = (source, node.line);
    let spelt = node.whole_text();
    let name = name.trim_start_matches("attached-");
    // `anchors.fill` is a property of what `anchors` gives; it is listed with its path.
    let mut member = match kind {
        Kind::Property => {
            let linked = node.find(&|one| one.has_class("type")).and_then(parent);
            let told =
                || spelt.rsplit_once(':').map_or_else(unknown, |(_, said)| of_word(said.trim()));
            let declared = linked.filter(|_| !spelt.contains("list<")).unwrap_or_else(told);
            let mut member = Member::property(declared);
            if spelt.contains("[read-only]") || spelt.contains("[readonly]") {
                member.writing = Writing::Refused;
            }
            member
        }
        Kind::Method => Member::method(vec![signature(&spelt, name)]),
        Kind::Signal => {
            let listener = Type::Function(Arc::new(signature(&spelt, name)));
            Member { kind: MemberKind::Event, ..Member::property(listener) }
        }
    };
    member.at = at;
    let key = match own {
        Own::Values => Key::of_type(of.clone()),
        Own::Itself => Key::of_value(of.clone()),
    };
    if let Some((group, _)) = name.split_once('.') {
        let grouped = Member { at, ..Member::property(Type::opaque("group of properties")) };
        let one = draft.interface(key, InterfaceKind::Interface, at);
        one.shape.members.entry(Name::from(group)).or_insert(grouped);
        return;
    }
    put(draft, &key, name, member);
}

/// `string getText(int start, int end)`, or `getText(start)`.
fn signature(spelt: &str, name: &str) -> Signature {
    let Some((before, rest)) = spelt.split_once(name) else { return super::entries::any_call() };
    let inside = rest.split_once('(').map_or("", |(_, inside)| inside);
    let inside = inside.rsplit_once(')').map_or(inside, |(inside, _)| inside);
    let parameters =
        inside.split(',').map(str::trim).filter(|one| !one.is_empty()).take(MAX_PARAMETERS).map(
            |one| {
                let arity = match (one.contains("..."), one.contains('=')) {
                    (true, _) => Arity::Rest,
                    (false, true) => Arity::Optional,
                    (false, false) => Arity::Required,
                };
                let one = one.split('=').next().unwrap_or(one).trim();
                let (declared, named) = match one.rsplit_once(' ') {
                    Some((word, named)) => (of_word(word), named),
                    None => (unknown(), one),
                };
                let declared =
                    if arity == Arity::Rest { Type::Array(Arc::new(Type::Any)) } else { declared };
                parameter(named.trim_start_matches(['&', '*']), declared, arity)
            },
        );
    let returns = match before.trim() {
        "" => unknown(),
        word => of_word(word),
    };
    Signature { parameters: parameters.collect(), returns, ..Signature::default() }
}

fn of_word(word: &str) -> Type {
    match word.trim() {
        "void" => Type::Void,
        // An enumeration's values are numbers.
        "int" | "real" | "double" | "qreal" | "enumeration" | "flags" => Type::Number,
        "bool" | "boolean" => Type::Boolean,
        "string" | "url" | "QString" => Type::String,
        "var" | "variant" => Type::Any,
        _ => unknown(),
    }
}
