//! MDN's dialect: Markdown, a page an interface and a page a member; front matter says what it is (`page-type`) and where it
//! belongs (`slug`).

use super::draft::{Draft, export};
use super::entries::{any_call, parameter, put, subject, unknown};
use super::spelling::named_parameters;
use crate::base::Name;
use crate::datagraph::{InterfaceKind, Key};
use crate::sources::pages::{Page, Section};
use crate::types::print::is_plain;
use crate::types::{Member, MemberKind, Signature, Type, TypeName, Writing};
use std::sync::Arc;

/// What is found in `page`.
pub fn draft(source: u32, page: &Page) -> Draft {
    let mut draft = Draft::default();
    let Some(front) = &page.front else { return draft };
    let (kind, slug, title) = (front.said("page-type"), front.said("slug"), front.said("title"));
    let kind = kind
        .trim_start_matches("web-api-")
        .trim_start_matches("javascript-")
        .trim_start_matches("webextension-api-");
    let at = (source, page.sections.first().map_or(1, |section| section.line));
    let mut steps = slug.rsplit('/');
    let (Some(last), Some(outer)) = (steps.next(), steps.next()) else { return draft };
    let deprecated = front.items("status").any(|one| one.text == "deprecated").then(Name::default);
    if ["interface", "class", "namespace"].contains(&kind) && is_plain(last) {
        let of = TypeName::global(last);
        let parent = inherited(page);
        let one = subject(&mut draft, &of, InterfaceKind::Interface, at);
        one.deprecated = deprecated;
        one.extends.extend(parent);
        draft.exports.insert(of.path.clone(), export(Type::Typeof(Arc::new(of.clone())), at));
        draft.interface(Key::of_value(of), InterfaceKind::Statics, at);
        return draft;
    }
    let Some(name) = member_name(title, last) else { return draft };
    if !is_plain(outer) {
        return draft;
    }
    let of = TypeName::global(outer);
    let mut member = match kind {
        "instance-method" | "static-method" | "function" => Member::method(signatures(page, &name)),
        "instance-property"
        | "static-property"
        | "static-data-property"
        | "instance-data-property" => Member::property(unknown()),
        "instance-accessor-property" | "static-accessor-property" => Member::property(unknown()),
        "event" => Member { kind: MemberKind::Event, ..Member::property(Type::opaque("event")) },
        "constructor" => {
            let made = signatures(page, outer)
                .into_iter()
                .map(|one| Signature { returns: Type::named(of.clone()), ..one });
            let one = draft.interface(Key::of_value(of.clone()), InterfaceKind::Statics, at);
            one.shape.constructs.extend(made);
            draft.parts.insert(of);
            return draft;
        }
        _ => return draft,
    };
    if says_read_only(page) {
        member.writing = Writing::Refused;
    }
    member.at = at;
    member.deprecated = deprecated;
    draft.parts.insert(of.clone());
    let key = if kind.starts_with("static") { Key::of_value(of) } else { Key::of_type(of) };
    put(&mut draft, &key, &name, member);
    draft
}

/// The member as its title spells it, `Element: closest() method`; the slug where it says none.
fn member_name(title: &str, last: &str) -> Option<String> {
    let said = title
        .split_once(": ")
        .map_or(title.rsplit_once('.').map_or("", |(_, name)| name), |(_, rest)| rest);
    let word = said.split([' ', '(']).next().unwrap_or("");
    let name = if word.is_empty() { last.trim_end_matches("_event") } else { word };
    is_plain(name).then(|| name.to_owned())
}

/// The parent that `{{InheritanceDiagram}}` pages name in prose.
fn inherited(page: &Page) -> Option<Type> {
    let texts = page
        .sections
        .iter()
        .flat_map(Section::paragraphs)
        .map(|one| crate::sources::pages::text_of(&one.runs));
    let mut found = texts.filter_map(|text| {
        let (_, rest) = text
            .split_once("from its parent, ")
            .or(text.split_once("from its parent interface, "))?;
        let name = rest.split("(\"").nth(1)?.split('"').next()?.to_owned();
        is_plain(&name).then(|| Type::named(TypeName::global(name)))
    });
    found.next()
}

/// The calls in the fence under `Syntax`.
fn signatures(page: &Page, name: &str) -> Vec<Signature> {
    let syntax = page.sections.iter().find(|one| one.title_text() == "Syntax");
    let lines: Vec<&str> =
        syntax.into_iter().flat_map(Section::fences).flat_map(|one| one.code.lines()).collect();
    let calls = lines.iter().filter_map(|line| {
        let (_, call) = line.split_once(&format!("{name}("))?;
        let inside = call.rsplit_once(')')?.0;
        let parameters = named_parameters(inside).into_iter().map(|(name, arity)| {
            let declared = if arity == crate::types::Arity::Rest {
                Type::Array(Arc::new(Type::Any))
            } else {
                unknown()
            };
            parameter(&name, declared, arity)
        });
        Some(Signature {
            parameters: parameters.collect(),
            returns: unknown(),
            ..Signature::default()
        })
    });
    let found: Vec<Signature> = calls.take(100).collect();
    if found.is_empty() { vec![any_call()] } else { found }
}

fn says_read_only(page: &Page) -> bool {
    let first = page.sections.iter().flat_map(Section::paragraphs).next();
    first.is_some_and(|one| {
        let text = crate::sources::pages::text_of(&one.runs);
        text.contains("read-only") || text.contains("{{ReadOnlyInline}}")
    })
}
