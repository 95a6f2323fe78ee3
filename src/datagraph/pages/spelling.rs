//! How pages spell types, signatures and lists of parameters, in the words that documentation uses.

use crate::base::Name;
use crate::sources::pages::{Block, Face, Item, Paragraph, Run, Section, text_of};
use crate::types::parse;
use crate::types::rename::rename;
use crate::types::{Arity, Member, Named, Parameter, Presence, Shape, Signature, Type};
use std::sync::Arc;

/// How deep described objects and callbacks may nest.
const MAX_DEPTH: u32 = 12;

/// The type that `text` spells, whose parts `items` describe.
pub fn type_of(text: &str, items: &[Item], depth: u32) -> Type {
    let text = text.trim().trim_end_matches(['.', ':', ',', ';']).trim();
    if text.is_empty() {
        return Type::opaque("untold type");
    }
    let parsed = parse::typescript(text);
    rename(&parsed, &|named| meaning(named, items, depth))
}

/// What words of documentation mean that are no names of types.
fn meaning(named: &Named, items: &[Item], depth: u32) -> Option<Type> {
    if !named.name.module.is_empty() || !named.arguments.is_empty() {
        return None;
    }
    let is_described = !items.is_empty() && depth < MAX_DEPTH;
    Some(match named.name.path.as_str() {
        "Integer" | "integer" | "Double" | "double" | "Float" | "float" | "Number" | "int" => {
            Type::Number
        }
        "String" => Type::String,
        "Boolean" | "bool" => Type::Boolean,
        "Any" => Type::Any,
        "Object" if is_described => {
            let shape = shape_of(items, depth + 1);
            match shape.members.is_empty() {
                true => Type::opaque("object that is not described"),
                false => Type::Literal(Arc::new(shape)),
            }
        }
        "Object" => Type::opaque("object that is not described"),
        "Function" if is_described => Type::Function(Arc::new(callback(items, depth + 1))),
        _ => return None,
    })
}

/// The properties that a list of bullets describes.
pub fn shape_of(items: &[Item], depth: u32) -> Shape {
    let mut shape = Shape::default();
    for item in items {
        if let Some((name, mut member)) = described(item, depth) {
            member.at = (0, item.line);
            shape.members.entry(name).or_insert(member);
        }
    }
    shape
}

/// The name that a bullet describes, with its type: a name as code, then the type, then a dash and prose.
pub fn described(item: &Item, depth: u32) -> Option<(Name, Member)> {
    let name = item.runs.first().filter(|run| run.face == Face::Code)?.text.trim();
    let name = name.trim_start_matches("...");
    if name.is_empty() || name.contains(char::is_whitespace) {
        return None;
    }
    let said: String = item.runs[1..]
        .iter()
        .filter(|run| run.face != Face::Stressed)
        .map(|run| run.text.as_str())
        .collect();
    let head = before_prose(&said);
    let optional = head.contains("(optional)");
    let spelt = head.split(" (").next().unwrap_or(head);
    let mut member = Member::property(type_of(spelt, &item.items, depth));
    if optional {
        member.presence = Presence::Maybe;
    }
    let stressed = |word| item.runs.iter().any(|r| r.face == Face::Stressed && r.text == word);
    if stressed("Readonly") {
        member.writing = crate::types::Writing::Refused;
    }
    if stressed("Deprecated") {
        member.deprecated = Some(Name::default());
    }
    Some((name.into(), member))
}

/// What stands before the dash that begins the prose.
fn before_prose(text: &str) -> &str {
    let dashes = [" - ", " – ", " — "];
    let at = dashes.iter().filter_map(|dash| text.find(dash)).min();
    &text[..at.unwrap_or(text.len())]
}

/// A function whose parameters are described by bullets; one that begins with `Returns` says what it gives.
fn callback(items: &[Item], depth: u32) -> Signature {
    let mut signature = Signature { returns: Type::Void, ..Signature::default() };
    for item in items {
        match described(item, depth) {
            Some((name, member)) => {
                let is_rest = item.runs.first().is_some_and(|run| run.text.starts_with("..."));
                let (declared, arity) = match (is_rest, member.presence) {
                    (true, _) => (listed(member.declared), Arity::Rest),
                    (false, Presence::Always) => (member.declared, Arity::Required),
                    (false, Presence::Maybe) => (member.declared, Arity::Optional),
                };
                signature.parameters.push(Parameter { name, declared, arity });
            }
            None if text_of(&item.runs).starts_with("Returns") => {
                signature.returns = code_type(&item.runs[1..], &item.items, depth)
                    .unwrap_or(Type::opaque("untold type"));
            }
            None => {}
        }
    }
    signature
}

/// The type of a rest parameter, which some pages spell as that of one argument.
fn listed(declared: Type) -> Type {
    match declared {
        Type::Array(_) | Type::Tuple(_) | Type::Opaque(_) => declared,
        one => Type::Array(Arc::new(one)),
    }
}

/// The parameters of an event or of a method, all described in one list.
pub fn listed_parameters(items: &[Item]) -> Vec<Parameter> {
    callback(items, 0).parameters
}

/// The type that the leading code of `runs` spells: code and links, joined by `|` and such.
pub fn code_type(runs: &[Run], items: &[Item], depth: u32) -> Option<Type> {
    let mut spelt = String::new();
    for run in runs.iter().skip_while(|r| r.face == Face::Plain && r.text.trim().is_empty()) {
        let joins = |c: char| " |[]<>,&".contains(c);
        match run.face {
            Face::Code => spelt.push_str(&run.text),
            Face::Plain if run.link.is_some() => spelt.push_str(&run.text),
            Face::Plain => {
                let end = run.text.find(|c| !joins(c)).unwrap_or(run.text.len());
                spelt.push_str(&run.text[..end]);
                if end < run.text.len() {
                    break;
                }
            }
            Face::Stressed => break,
        }
    }
    let spelt = spelt.trim().trim_end_matches([',', '|', '&']).trim();
    let spelt = spelt.strip_suffix("(optional)").unwrap_or(spelt);
    (!spelt.is_empty()).then(|| type_of(spelt, items, depth))
}

/// The list that stands directly behind the block at `idx`.
pub fn list_after(section: &Section, idx: usize) -> &[Item] {
    match section.blocks.get(idx + 1) {
        Some(Block::List(items)) => items,
        Some(Block::Paragraph(_) | Block::Fence(_) | Block::Table(_)) | None => &[],
    }
}

/// The first paragraph that begins with `word`, and where it stands.
pub fn beginning<'s>(section: &'s Section, word: &str) -> Option<(usize, &'s Paragraph)> {
    section.blocks.iter().enumerate().find_map(|(idx, block)| match block {
        Block::Paragraph(one) if one.runs.first().is_some_and(|r| r.text.starts_with(word)) => {
            Some((idx, one))
        }
        Block::Paragraph(_) | Block::List(_) | Block::Fence(_) | Block::Table(_) => None,
    })
}

/// The parameters that `title[, options]` names, and how many arguments each takes.
pub fn named_parameters(text: &str) -> Vec<(Name, Arity)> {
    let mut found = Vec::new();
    let (mut name, mut depth, mut depth_at_start) = (String::new(), 0_i32, 0);
    for letter in text.chars().chain([',']) {
        match letter {
            '[' => depth += 1,
            ']' | ',' => {
                let rest = name.starts_with("...");
                let bare = name.trim_start_matches("...").trim_end_matches('?').to_string();
                let maybe = name.ends_with('?');
                if !bare.is_empty() {
                    let arity = match (rest, depth_at_start > 0 || maybe) {
                        (true, _) => Arity::Rest,
                        (false, true) => Arity::Optional,
                        (false, false) => Arity::Required,
                    };
                    found.push((Name::from(bare), arity));
                }
                name.clear();
                depth -= i32::from(letter == ']');
            }
            letter if letter.is_whitespace() => {}
            letter => {
                if name.is_empty() {
                    depth_at_start = depth;
                }
                name.push(letter);
            }
        }
    }
    found
}
