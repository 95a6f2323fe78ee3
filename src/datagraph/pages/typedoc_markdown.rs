//! TypeDoc's pages as Markdown: `Class: Layout` as title, members as headings under `Methods`, `Properties` and the like, each
//! with its declaration in a quotation. What is `Inherited from` another is not its own.

use super::draft::Draft;
use super::entries::{Choice, any_call, class, enumeration, put, spelt, subject, told, unknown};
use crate::base::Name;
use crate::datagraph::{Alias, InterfaceKind, Key};
use crate::sources::pages::{Block, Page, Section, text_of};
use crate::types::{Member, Presence, Signature, Type, TypeName};

/// The headings that members stand under.
const ZONES: &[&str] =
    &["Constructors", "Properties", "Methods", "Accessors", "Events", "Enumeration Members"];

/// What is found in `page`.
pub fn draft(source: u32, page: &Page) -> Draft {
    let mut draft = Draft::default();
    let Some((idx, head)) = page.sections.iter().enumerate().find(|(_, one)| one.level == 1) else {
        return draft;
    };
    let title = head.title_text();
    let title = title.strip_prefix("Abstract ").unwrap_or(&title).to_owned();
    let Some((kind, rest)) = title.split_once(": ") else { return draft };
    let name = rest.split(['<', '(', '\\', ' ']).next().unwrap_or("");
    if !super::titles::is_path(name)
        || page.sections.iter().all(|one| quoted(one, name).is_empty() && zone(one).is_none())
    {
        return draft;
    }
    let (at, of) = ((source, head.line), TypeName::global(name));
    let below = page.sections.get(idx + 1..).unwrap_or(&[]);
    draft.modular = true;
    match kind {
        "Class" | "Interface" | "Abstract Class" => {
            let kind =
                if kind == "Interface" { InterfaceKind::Interface } else { InterfaceKind::Class };
            if kind == InterfaceKind::Class {
                class(&mut draft, &of, at);
            }
            let one = subject(&mut draft, &of, kind, at);
            one.extends.extend(
                below
                    .iter()
                    .filter(|one| one.level == 2 && one.title_text() == "Extends")
                    .flat_map(listed),
            );
            members(source, below, &of, &mut draft);
        }
        "Enumeration" => {
            let choices = entries(below).into_iter().map(|(_, one, _)| Choice {
                name: plain(&one.title_text().replace("~~", "")).into(),
                at: (source, one.line),
                deprecated: None,
            });
            let choices = choices.collect();
            enumeration(&mut draft, &of, choices, Type::union([Type::Number, Type::String]), at);
        }
        "Type Alias" => {
            let said = quoted(head, name);
            let means = told(
                said.first().and_then(|text| text.split_once(" = ")).map_or("", |(_, means)| means),
            );
            draft.aliases.insert(of, Alias { type_parameters: Vec::new(), means, at });
        }
        "Function" | "Variable" => {
            let all = std::iter::once(head).chain(below);
            for text in all.flat_map(|one| quoted(one, name)) {
                let found = spelt(&text, name).map(|found| found.member);
                let member = found.unwrap_or_else(|| {
                    if kind == "Function" {
                        Member::method(vec![any_call()])
                    } else {
                        Member::property(unknown())
                    }
                });
                super::draft::add_export(&mut draft, name, Member { at, ..member });
            }
        }
        _ => draft.modular = false,
    }
    draft
}

fn zone(section: &Section) -> Option<&'static str> {
    let title = section.title_text();
    ZONES.iter().copied().find(|zone| *zone == title)
}

/// The members' sections under their zones, each with what stands below it.
fn entries(sections: &[Section]) -> Vec<(&'static str, &Section, &[Section])> {
    let mut found = Vec::new();
    let mut open: Option<(&'static str, u8)> = None;
    for (idx, one) in sections.iter().enumerate() {
        if let Some(zone) = zone(one) {
            open = Some((zone, one.level));
            continue;
        }
        match open {
            Some((_, level)) if one.level <= level => open = None,
            Some((zone, level)) if one.level == level + 1 => {
                let rest = sections.get(idx + 1..).unwrap_or(&[]);
                let n = rest.iter().take_while(|inner| inner.level > one.level).count();
                found.push((zone, one, &rest[..n]));
            }
            Some(_) | None => {}
        }
    }
    found
}

fn members(source: u32, below: &[Section], of: &TypeName, draft: &mut Draft) {
    for (zone, section, inner) in entries(below) {
        if inner.iter().any(|one| one.title_text() == "Inherited from") {
            continue;
        }
        let (at, title) = ((source, section.line), section.title_text().replace("~~", ""));
        let name = plain(&title);
        let all = || std::iter::once(section).chain(inner);
        if zone == "Constructors" {
            for text in all().flat_map(|one| quoted(one, &format!("new {}", of.last()))) {
                let call = text.split_once('(').map_or("", |(_, call)| call);
                let call = call.rsplit_once(':').map_or(call, |(call, _)| call);
                let made = spelt(&format!("constructor({call}"), "constructor")
                    .and_then(|made| made.constructs);
                let signature =
                    Signature { returns: Type::named(of.clone()), ..made.unwrap_or_else(any_call) };
                draft
                    .interface(Key::of_value(of.clone()), InterfaceKind::Statics, at)
                    .shape
                    .constructs
                    .push(signature);
            }
            continue;
        }
        let texts: Vec<String> = all().flat_map(|one| quoted(one, name)).collect();
        let is_static = texts.iter().any(|text| text.starts_with("static "));
        let key = if is_static { Key::of_value(of.clone()) } else { Key::of_type(of.clone()) };
        let why = inner.iter().find(|one| one.title_text() == "Deprecated");
        let why = why
            .map(|one| one.paragraphs().next().map(|one| text_of(&one.runs)).unwrap_or_default());
        let mut spelt_all: Vec<Member> =
            texts.iter().filter_map(|text| spelt(text, name)).map(|found| found.member).collect();
        if spelt_all.is_empty() {
            spelt_all.push(if zone == "Methods" {
                Member::method(vec![any_call()])
            } else {
                Member::property(unknown())
            });
        }
        for mut member in spelt_all {
            member.at = at;
            for parameter in member.signatures.iter_mut().flat_map(|one| &mut one.parameters) {
                parameter.declared = described(inner, &parameter.name);
            }
            member.deprecated = why.as_deref().map(Name::from);
            if title.ends_with('?') {
                member.presence = Presence::Maybe;
            }
            put(draft, &key, name, member);
        }
    }
}

/// The type of a parameter, in the section that is called as it.
fn described(inner: &[Section], name: &str) -> Type {
    let one = inner.iter().find(|one| one.level > 4 && plain(&one.title_text()) == name);
    let first = one.and_then(|one| one.paragraphs().next());
    first.map_or_else(unknown, |one| told(&text_of(&one.runs)))
}

/// `addChild` of `addChild()`, `name` of `name?`.
fn plain(title: &str) -> &str {
    let end = title.find(['(', '?', '<', ' ']).unwrap_or(title.len());
    title[..end].trim()
}

/// The paragraphs of a section that declare `name`.
fn quoted(section: &Section, name: &str) -> Vec<String> {
    // What is deprecated is struck through.
    let texts = section.paragraphs().map(|one| text_of(&one.runs).replace("~~", ""));
    let declares = |text: &String| {
        let Some((before, after)) = text.split_once(name) else { return false };
        let words = [
            "",
            "static",
            "readonly",
            "abstract",
            "get",
            "set",
            "optional",
            "const",
            "type",
            "protected",
        ];
        before.split_whitespace().all(|word| words.contains(&word))
            && after.starts_with(['(', '<', ':', '?', ' ', '='])
    };
    texts.filter(declares).map(|text| text.replace("optional ", "")).collect()
}

fn listed(section: &Section) -> Vec<Type> {
    let lists = section.blocks.iter().filter_map(|block| match block {
        Block::List(items) => Some(items),
        Block::Paragraph(_) | Block::Fence(_) | Block::Table(_) => None,
    });
    lists.flatten().map(|item| told(&text_of(&item.runs))).collect()
}
