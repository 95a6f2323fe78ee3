//! API Documenter's dialect: Markdown, a page an interface and a page a member, titled `Layout class` and
//! `Layout.makeTable() method`, with what the declaration says in code behind `Signature:`.

use super::draft::{Draft, export};
use super::entries::{Choice, any_call, class, enumeration, put, spelt, subject, told, unknown};
use super::titles::is_path;
use crate::base::Name;
use crate::datagraph::{Alias, InterfaceKind, Key};
use crate::sources::pages::{Block, Face, Page, Section, text_of};
use crate::types::{Member, Type, TypeName};

/// What is found in `page`.
pub fn draft(source: u32, page: &Page) -> Draft {
    let mut draft = Draft::default();
    let Some((idx, section)) = page.sections.iter().enumerate().find(|(_, one)| one.level == 2)
    else {
        return draft;
    };
    let title = section.title_text();
    let Some((name, kind)) = named(&title, page) else { return draft };
    let Some(code) = signature(section) else { return draft };
    let at = (source, section.line);
    let rest = page.sections.get(idx + 1..).unwrap_or(&[]);
    draft.modular = true;
    if let Some(package) = package(page) {
        draft.imports.insert((package, name.split('.').next().unwrap_or("").into()));
    }
    let deprecated = deprecation(section);
    match kind {
        "class" | "interface" => {
            let of = TypeName::global(name.as_str());
            if kind == "class" {
                class(&mut draft, &of, at);
            }
            let kind =
                if kind == "class" { InterfaceKind::Class } else { InterfaceKind::Interface };
            let one = subject(&mut draft, &of, kind, at);
            one.deprecated = deprecated;
            one.extends.extend(parents(section, code));
            one.type_parameters = parameters_of(code, &name);
        }
        "enum" => enumeration_of(source, section, rest, &name, at, &mut draft),
        "type" | "typealias" => {
            let means = told(
                code.split_once('=').map_or("", |(_, means)| means).trim().trim_end_matches(';'),
            );
            let alias = Alias { type_parameters: parameters_of(code, &name), means, at };
            draft.aliases.insert(TypeName::global(name.as_str()), alias);
        }
        "function" | "variable" if !name.contains('.') => {
            let name = name.trim_end_matches("()");
            let found = spelt(code, name).map(|found| found.member);
            let member = found.unwrap_or_else(|| match kind {
                "function" => Member::method(vec![any_call()]),
                _ => Member::property(unknown()),
            });
            super::draft::add_export(
                &mut draft,
                name,
                Member { at, deprecated, ..export_of(member, at) },
            );
        }
        _ => member(&name, code, at, deprecated, &mut draft),
    }
    draft
}

fn export_of(member: Member, at: (u32, u32)) -> Member {
    match member.signatures.is_empty() {
        true => export(member.declared, at),
        false => Member { at, ..member },
    }
}

/// The name and the kind that a title says. Some sites leave the kind out of members' titles: their alias says the name.
fn named<'t>(title: &'t str, page: &Page) -> Option<(String, &'t str)> {
    let alias = page.front.as_ref().map_or("", |front| match front.child("aliases") {
        Some(list) if list.text.is_empty() => {
            list.children.first().map_or("", |one| one.text.as_str())
        }
        Some(one) => one.text.as_str(),
        None => "",
    });
    let (name, kind) = match title.rsplit_once(' ') {
        Some((name, kind)) => (name, kind),
        None => (title, "property"),
    };
    const KINDS: &[&str] = &[
        "class",
        "interface",
        "enum",
        "type",
        "typealias",
        "function",
        "variable",
        "method",
        "property",
        "constructor",
        "event",
        "namespace",
    ];
    if !KINDS.contains(&kind) || kind == "namespace" {
        return None;
    }
    let plain = name.split('(').next().filter(|plain| !plain.ends_with('.')).unwrap_or("");
    if kind == "constructor" || name.contains("(constructor)") || name.contains("._constructor_") {
        let owner = name.split(['(', '.']).next().unwrap_or("");
        return is_path(owner).then(|| (format!("{owner}.constructor"), "constructor"));
    }
    let plain = plain.split('<').next().unwrap_or(plain);
    match is_path(plain) && !plain.is_empty() {
        true => Some((plain.to_owned(), kind)),
        false => is_path(alias).then(|| (alias.to_owned(), kind)),
    }
}

/// The code behind `Signature:`.
fn signature(section: &Section) -> Option<&str> {
    let mut is_next = false;
    for block in &section.blocks {
        match block {
            Block::Paragraph(one) => is_next |= text_of(&one.runs).trim().ends_with("Signature:"),
            Block::Fence(one) if is_next => return Some(one.code.trim()),
            Block::Fence(_) | Block::List(_) | Block::Table(_) => {}
        }
    }
    None
}

fn parents(section: &Section, code: &str) -> Vec<Type> {
    // What is linked is spelt as a reader finds it; what the code says is whole.
    let head = code.split('{').next().unwrap_or(code);
    if let Some(after) = behind_extends(head) {
        let after =
            after.split(" implements ").next().unwrap_or(after).trim().trim_end_matches(';');
        return split_outside(after).into_iter().map(told).collect();
    }
    let said = section
        .paragraphs()
        .map(|one| text_of(&one.runs))
        .find(|text| text.starts_with("Extends:"));
    let said = said.unwrap_or_default();
    let names = said.strip_prefix("Extends:").unwrap_or("").trim().to_owned();
    split_outside(&names).into_iter().filter(|name| !name.is_empty()).map(told).collect()
}

/// What stands behind the `extends` of the declaration itself, not of its type parameters.
fn behind_extends(head: &str) -> Option<&str> {
    let mut depth = 0_i32;
    for (at, letter) in head.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' => depth -= 1,
            ' ' if depth == 0 => {
                if let Some(after) = head[at..].strip_prefix(" extends ") {
                    return Some(after);
                }
            }
            _ => {}
        }
    }
    None
}

/// The parts of a list, whose commas inside of `<…>` part nothing.
fn split_outside(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0_i32, 0, Vec::new());
    for (at, letter) in text.char_indices() {
        match letter {
            '<' | '(' | '{' | '[' => depth += 1,
            '>' | ')' | '}' | ']' => depth -= 1,
            ',' if depth == 0 => {
                found.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(text[start..].trim());
    found
}

/// The type parameters that stand behind the name in its declaration.
fn parameters_of(code: &str, name: &str) -> Vec<crate::types::TypeParameter> {
    let last = name.rsplit('.').next().unwrap_or(name);
    let Some((_, after)) = code.split_once(&format!("{last}<")) else { return Vec::new() };
    let mut depth = 1;
    for (at, letter) in after.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' if !after[..at].ends_with('=') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return crate::types::parse::type_parameters(&format!("<{}>", &after[..at]));
        }
    }
    Vec::new()
}

fn member(name: &str, code: &str, at: (u32, u32), deprecated: Option<Name>, draft: &mut Draft) {
    let Some((owner, last)) = name.rsplit_once('.') else { return };
    let of = TypeName::global(owner);
    draft.parts.insert(of.clone());
    let found = spelt(code, last);
    if let Some(mut signature) = found.as_ref().and_then(|found| found.constructs.clone()) {
        signature.returns = Type::named(of.clone());
        let one = draft.interface(Key::of_value(of), InterfaceKind::Statics, at);
        one.shape.constructs.push(signature);
        return;
    }
    let is_static =
        found.as_ref().is_some_and(|found| found.is_static) || code.starts_with("static ");
    let mut member = match found {
        Some(found) => found.member,
        None if code.contains('(') && !code.contains("=>") => Member::method(vec![any_call()]),
        None => Member::property(unknown()),
    };
    member.at = at;
    member.deprecated = deprecated;
    let key = if is_static { Key::of_value(of) } else { Key::of_type(of) };
    put(draft, &key, last, member);
}

fn enumeration_of(
    source: u32,
    section: &Section,
    rest: &[Section],
    name: &str,
    at: (u32, u32),
    draft: &mut Draft,
) {
    let tables =
        std::iter::once(section).chain(rest).flat_map(|one| &one.blocks).filter_map(|block| {
            match block {
                Block::Table(table) => Some(table),
                Block::Paragraph(_) | Block::List(_) | Block::Fence(_) => None,
            }
        });
    let mut choices = Vec::new();
    let mut is_text = false;
    for table in tables {
        for (row, line) in table.rows.iter().skip(1).zip(table.line + 2..) {
            let first = row.first().map_or("", |cell| cell.trim());
            is_text |= row.get(1).is_some_and(|value| value.contains(['"', '\'']));
            if crate::types::print::is_plain(first) {
                choices.push(Choice { name: first.into(), at: (source, line), deprecated: None });
            }
        }
    }
    let means = if is_text { Type::String } else { Type::Number };
    enumeration(draft, &TypeName::global(name), choices, means, at);
}

fn deprecation(section: &Section) -> Option<Name> {
    section.paragraphs().find_map(|one| {
        let text = text_of(&one.runs);
        let marked = text.contains("is now obsolete")
            || text.starts_with("@deprecated")
            || text.starts_with("Deprecated");
        let why = text.split_once("obsolete.").map_or("", |(_, why)| why).trim();
        marked.then(|| Name::from(why))
    })
}

/// The package in the steps at the top: `Home › package › …`, each of them a link.
fn package(page: &Page) -> Option<Name> {
    let first = page.sections.first()?.paragraphs().next()?;
    let links: Vec<&str> = first
        .runs
        .iter()
        .filter(|run| run.link.is_some() && run.face != Face::Code)
        .map(|run| run.text.trim())
        .collect();
    let home = links.first().is_some_and(|first| *first == "Home");
    let package = links.get(1).filter(|_| home)?;
    Some(Name::from(*package))
}
