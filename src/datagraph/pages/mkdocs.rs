//! The dialect of scripting guides: Markdown, a page an object, members as headings `Item.duration` under `Attributes`,
//! `Properties`, `Methods` or `Enumerations`, each with headings such as `Type` and `Returns` below it.

use super::draft::{Draft, export};
use super::entries::{class, parameter, put, subject, unknown};
use super::spelling::named_parameters;
use crate::base::Name;
use crate::datagraph::{InterfaceKind, Key};
use crate::sources::pages::{Face, Page, Paragraph, Run, Section, text_of};
use crate::types::print::is_plain;
use crate::types::{Arity, Member, Signature, Type, TypeName, Writing};

/// The headings that members stand under.
const ZONES: &[&str] =
    &["attributes", "properties", "methods", "functions", "enumerations", "enums", "constants"];

/// Last words of titles that are no part of an object's name.
const TAILS: &[&str] = &["object", "class", "collection", "objects"];

/// What is found in `page`.
pub fn draft(source: u32, page: &Page) -> Draft {
    let mut draft = Draft::default();
    let Some((first, head)) = page.sections.iter().enumerate().find(|(_, one)| one.level == 1)
    else {
        return draft;
    };
    let title = head.title_text();
    let name = owner(&title);
    let has_zone =
        page.sections.iter().any(|one| one.level == 2 && zone(&one.title_text()).is_some());
    let is_member = |one: &Section| {
        let title = one.title_text();
        let is_plain = one.title.first().is_some_and(|run| run.face == Face::Plain);
        is_plain
            && one.level == 3
            && (heading(&title).is_some_and(|(owner, _, _)| owner == Some(name))
                || title.ends_with("()"))
    };
    let opening: Vec<&Section> = page
        .sections
        .iter()
        .skip(first)
        .enumerate()
        .take_while(|(n, one)| *n == 0 || one.level > 2)
        .map(|(_, one)| one)
        .collect();
    let parent = opening.iter().find_map(|one| parent(one));
    // A guide may have such a heading too: an object's page names its members by the object, or says what it is.
    let is_object = title.split_whitespace().count() > 1
        && TAILS.iter().any(|tail| title.to_lowercase().ends_with(tail));
    let lists = has_zone && (is_object || page.sections.iter().any(is_member));
    if !is_plain(name) || !(lists || (is_object && parent.is_some())) {
        return draft;
    }
    let at = (source, head.line);
    let is_global = title.to_lowercase().starts_with("global");
    let of = TypeName::global(name);
    if !is_global {
        class(&mut draft, &of, at);
        let one = subject(&mut draft, &of, InterfaceKind::Class, at);
        one.extends.extend(parent.map(|parent| Type::named(TypeName::global(parent))));
        // How it is made is told in prose, if at all.
        draft.interface(Key::of_value(of.clone()), InterfaceKind::Statics, at).open =
            Some("its page lists no constructor".into());
        if let Some(global) = global(head) {
            draft.exports.insert(global, export(Type::named(of.clone()), at));
        }
    }
    members(source, page, name, is_global, &mut draft);
    draft
}

fn members(source: u32, page: &Page, name: &str, is_global: bool, draft: &mut Draft) {
    let of = Key::of_type(TypeName::global(name));
    let mut open_zone = None;
    let mut idx = 0;
    while let Some(section) = page.sections.get(idx) {
        idx += 1;
        if section.level <= 2 {
            open_zone = zone(&section.title_text());
            continue;
        }
        let Some(kind) = open_zone.filter(|_| section.level == 3) else { continue };
        let title = section.title_text();
        let Some((_, member, calls)) = heading(&title) else { continue };
        let below = page.sections.get(idx..).unwrap_or(&[]);
        let n_below = below.iter().take_while(|one| one.level > 3).count();
        let told = told(
            section,
            below.get(..n_below).unwrap_or(&[]),
            member,
            calls || kind == "methods" || kind == "functions",
        );
        let told = Member { at: (source, section.line), ..told };
        match is_global {
            true => super::draft::add_export(draft, member, told),
            false => put(draft, &of, member, told),
        }
    }
}

/// The object that a title names.
fn owner(title: &str) -> &str {
    let title = title.trim();
    let first = title.split_whitespace().next().unwrap_or("");
    match title.split_whitespace().skip(1).all(|word| TAILS.contains(&word.to_lowercase().as_str()))
    {
        true => first,
        // `Global functions` and the like hold names for every script.
        false if title.to_lowercase().starts_with("global") => "Global",
        false => "",
    }
}

/// The kind of members that stand under a heading of level 2.
fn zone(title: &str) -> Option<&'static str> {
    let lower = title.to_lowercase();
    ZONES.iter().copied().find(|zone| {
        lower == *zone || lower.strip_prefix(zone).is_some_and(|rest| rest.starts_with(' '))
    })
}

/// The owner, if it is said, the member, and whether it is called: `Item.duration`, `Item.remove()`, `alert()`.
fn heading(title: &str) -> Option<(Option<&str>, &str, bool)> {
    let (head, call) = match title.split_once('(') {
        Some((head, _)) => (head.trim(), true),
        None => (title.trim(), false),
    };
    match head.split_once('.') {
        Some((owner, member)) => {
            (is_plain(owner) && is_plain(member)).then_some((Some(owner), member, call))
        }
        None => is_plain(head).then_some((None, head, call)),
    }
}

/// The nearest object that a section says its own inherits from.
fn parent(section: &Section) -> Option<String> {
    section.paragraphs().find_map(|one| {
        let text = text_of(&one.runs);
        let (_, rest) = text.split_once("is a subclass of ")?;
        let rest = rest.strip_prefix("the ").unwrap_or(rest);
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        (rest.starts_with(char::is_uppercase) && end > 0).then(|| rest[..end].to_owned())
    })
}

/// The global name that stands as code under a title.
fn global(head: &Section) -> Option<Name> {
    let code = code_line(head)?;
    is_plain(code).then(|| code.into())
}

/// A line that is nothing but code.
fn code_line(section: &Section) -> Option<&str> {
    section.paragraphs().find_map(|one| match one.runs.as_slice() {
        [run] if run.face == Face::Code => Some(run.text.trim()),
        _ => None,
    })
}

fn told(section: &Section, below: &[Section], member: &str, calls: bool) -> Member {
    let part = |names: &[&str]| {
        below.iter().find(|one| names.contains(&one.title_text().to_lowercase().as_str()))
    };
    let first = |section: &Section| section.paragraphs().next().cloned();
    let mut found = match calls {
        true => {
            let returns =
                part(&["returns", "return"]).and_then(first).map_or_else(unknown, |one| kind(&one));
            Member::method(vec![Signature {
                parameters: parameters(section, member),
                returns,
                ..Signature::default()
            }])
        }
        false => {
            let told = part(&["type"]).and_then(first);
            let mut property = Member::property(told.as_ref().map_or_else(unknown, kind));
            let said = told.map(|one| text_of(&one.runs).to_lowercase()).unwrap_or_default();
            // `read/write for X; otherwise, read-only` allows writing somewhere.
            if said.contains("read-only") && !said.contains("read/write") {
                property.writing = Writing::Refused;
            }
            property
        }
    };
    let said = std::iter::once(section)
        .chain(below)
        .filter(|one| one.level == 3 || one.title_text() == "Description");
    let mut said = said.flat_map(Section::paragraphs).map(|one| text_of(&one.runs));
    let is_marked = |text: &String| {
        let lower = text.to_lowercase();
        ["deprecated", "obsolete"].iter().any(|word| {
            lower.starts_with(word)
                || lower.contains(&format!("this method is {word}"))
                || lower.contains(&format!("this attribute is {word}"))
        })
    };
    found.deprecated = said.find(is_marked).map(Name::from);
    found
}

fn parameters(section: &Section, member: &str) -> Vec<crate::types::Parameter> {
    let Some(code) = code_line(section) else { return super::entries::any_call().parameters };
    let Some((_, call)) = code.rsplit_once(&format!("{member}(")) else {
        return super::entries::any_call().parameters;
    };
    let call = call.rsplit_once(')').map_or(call, |(inside, _)| inside);
    let named =
        named_parameters(call).into_iter().filter(|(name, _)| is_plain(name.trim_matches('.')));
    named
        .map(|(name, arity)| {
            let declared =
                if arity == Arity::Rest { Type::Array(Type::Any.into()) } else { unknown() };
            parameter(&name, declared, arity)
        })
        .collect()
}

/// The type that the words of a paragraph say, where they say one.
fn kind(one: &Paragraph) -> Type {
    if let Some(linked) = first_linked(&one.runs) {
        return Type::named(TypeName::global(linked));
    }
    let text = text_of(&one.runs);
    let end = text.find([';', ',', '.', '(', '\n']).unwrap_or(text.len());
    match text[..end].trim().to_lowercase().as_str() {
        "boolean" | "a boolean" => Type::Boolean,
        "string" | "a string" => Type::String,
        "integer"
        | "number"
        | "floating-point value"
        | "real"
        | "double"
        | "number (double)"
        | "number (long)" => Type::Number,
        "nothing" | "none" => Type::Void,
        _ => unknown(),
    }
}

/// The name of the object that a text begins with as a link: `[CompItem](../item/compitem.md) object`.
fn first_linked(runs: &[Run]) -> Option<&str> {
    let first = runs.iter().find(|run| !run.text.trim().is_empty())?;
    let leads = first.link.as_ref().is_some_and(|link| link.contains(".md"));
    let name = first.text.split_whitespace().next().unwrap_or("");
    let rest: String = runs.iter().skip(1).map(|run| run.text.as_str()).collect();
    let is_one = !rest.contains(" or ") && !rest.to_lowercase().contains("array");
    (leads && is_one && is_plain(name) && name.starts_with(char::is_uppercase)).then_some(name)
}
