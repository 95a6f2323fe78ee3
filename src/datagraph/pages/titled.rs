//! The dialect of in-house engines: a page for each interface, a section titled `Interface-member` for each member.
//!
//! What holds of a member stands in fixed sentences: `Type:`, `Syntax:`, `Returns:`, `Parent interface:`, `Read-only.`,
//! `Deprecated:`, `One of:`, `accessed using the global property "x"`. A title's tail (`method`, `event`, …) may say the
//! kind. Which titles are trusted is decided over all pages; the same sentences may be plain text, without code.

use super::draft::{Draft, add, export};
use super::spelling::{described, listed_parameters, named_parameters, type_of};
use super::titles::{Owners, Title, is_path, last_step, starts_as_a_type};
use crate::base::Name;
use crate::datagraph::{Alias, InterfaceKind, Key};
use crate::sources::pages::{Block, Face, Item, Page, Run, Section, text_of};
use crate::types::print::is_plain;
use crate::types::{
    Arity, Member, MemberKind, Parameter, Presence, Signature, Type, TypeName, TypeParameter,
    Writing, parse,
};
use std::collections::BTreeMap;

/// What is found in `page`; `owners` are the interfaces by the titles of all pages.
pub fn draft(source: u32, page: &Page, owners: &Owners) -> Draft {
    let mut draft = Draft::default();
    for (idx, section) in page.sections.iter().enumerate() {
        match Title::of(page, idx) {
            Some(one) if owners.list(&one.owner) => member(source, section, &one, &mut draft),
            Some(_) => {}
            None => {
                let title = section.title_text();
                described_name(source, section, last_step(&title), owners, &mut draft);
            }
        }
    }
    draft
}

/// How many parameters of a call are read.
const MAX_PARAMETERS: usize = 256;

/// Labels that are heard without code behind them.
const PLAIN_LABELS: &[&str] = &["Type:", "Syntax:", "Returns:", "Access:"];

/// The longest type or syntax that is heard without code, in bytes.
const MAX_SPELT: usize = 400;

/// What a section's sentences say.
struct Told {
    declared: Option<String>,
    syntax: Vec<String>,
    returns: Option<String>,
    parents: Vec<String>,
    global: Option<String>,
    deprecated: Option<Name>,
    writing: Writing,
    presence: Presence,
    /// The texts of a set, or the values of an enumeration.
    one_of: Vec<String>,
    index: Option<String>,
    type_parameters: Vec<TypeParameter>,
    /// It is said what the interface inherits from, if only that it is nothing.
    is_interface: bool,
    /// Inherited members are listed, so that there may be none of its own.
    lists_inherited: bool,
}

impl Told {
    fn by(section: &Section) -> Told {
        let mut told = Told {
            declared: None,
            syntax: Vec::new(),
            returns: None,
            parents: Vec::new(),
            global: None,
            deprecated: None,
            writing: Writing::Allowed,
            presence: Presence::Always,
            one_of: Vec::new(),
            index: None,
            type_parameters: Vec::new(),
            is_interface: false,
            lists_inherited: false,
        };
        for block in &section.blocks {
            match block {
                Block::Paragraph(one) => told.hear(&one.runs),
                Block::List(items) => items.iter().for_each(|item| told.hear(&item.runs)),
                Block::Fence(_) | Block::Table(_) => {}
            }
        }
        told
    }

    /// Takes the sentences of a paragraph: a label, then what it says as code.
    fn hear(&mut self, runs: &[Run]) {
        if runs.iter().all(|run| run.face != Face::Code) {
            self.hear_plain(&text_of(runs));
        }
        let mut label = String::new();
        let mut deprecated: Option<String> = None;
        for run in runs {
            if let Some(text) = &mut deprecated {
                text.push_str(&run.text);
            }
            match run.face {
                Face::Code => self.code(&label, &run.text),
                Face::Plain | Face::Stressed => {
                    label.push_str(&run.text);
                    if let Some((_, why)) = run.text.split_once("Deprecated") {
                        deprecated = Some(why.trim_start_matches([':', '.', ' ']).to_string());
                    }
                }
            }
        }
        self.deprecated = deprecated.map(|text| text.trim().into()).or(self.deprecated.take());
        let said = text_of(runs);
        if said.starts_with("Read-only") || said.contains(". Read-only.") {
            self.writing = Writing::Refused;
        }
        if said.starts_with("Optional.") {
            self.presence = Presence::Maybe;
        }
        self.lists_inherited |= said.starts_with("Inherited from ");
        for label in ["Parent interface: ", "Parent interfaces: "] {
            if let Some((_, rest)) = said.split_once(label) {
                self.is_interface = true;
                let names = rest.split('.').next().unwrap_or("").split(',').map(str::trim);
                let names = names.filter(|name| !name.is_empty() && *name != "none");
                self.parents.extend(names.map(str::to_string));
            }
        }
        if let Some((_, rest)) = said.split_once("extension to the ")
            && let Some((names, _)) = rest.split_once(" interface")
            && let Some(name) = names.split_whitespace().next_back()
            && is_plain(name)
            && name.starts_with(char::is_uppercase)
        {
            self.is_interface = true;
            self.parents.push(name.to_string());
        }
        if let Some((_, rest)) = said.split_once("using the global property ") {
            let name = rest.trim_start_matches(['"', '“', '\'']);
            let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
            self.global = Some(name[..end].to_string());
        }
    }

    /// Takes the sentences of a paragraph without code: `Type: string. Access: read-only.`
    fn hear_plain(&mut self, said: &str) {
        let mut labels: Vec<(usize, &str)> = PLAIN_LABELS
            .iter()
            .flat_map(|label| said.match_indices(label).map(|(at, _)| (at, *label)))
            .filter(|(at, _)| *at == 0 || said[..*at].ends_with([' ', '.', ';', '|']))
            .collect();
        labels.sort_unstable();
        if labels.first().is_none_or(|(at, _)| *at > 0) {
            return;
        }
        let ends = labels.iter().skip(1).map(|(at, _)| *at).chain([said.len()]);
        for ((at, label), end) in labels.iter().zip(ends) {
            let piece = said.get(at + label.len()..end).unwrap_or("");
            let sentence = piece.split_once(". ").map_or(piece, |(first, _)| first);
            let spelt = sentence.trim().trim_end_matches(['.', ';']).trim();
            match *label {
                "Access:" if spelt.to_lowercase().starts_with("read-only") => {
                    self.writing = Writing::Refused;
                }
                _ if spelt.is_empty() || spelt.len() > MAX_SPELT => {}
                label => self.code(label, spelt),
            }
        }
    }

    /// Takes what stands as code behind a label.
    fn code(&mut self, label: &str, code: &str) {
        let (label, code) = (label.trim_end(), code.trim());
        let follows =
            |word: &str| label.ends_with(word) || (label.ends_with(',') && label.contains(word));
        if label.ends_with("Index signature:") {
            self.index = Some(code.to_string());
        } else if label.ends_with("Type parameter:") {
            self.type_parameters.extend(parse::type_parameter(code));
        } else if label.ends_with("Type:") && self.declared.is_none() {
            self.declared = Some(code.to_string());
        } else if follows("Syntax:") {
            self.syntax.push(code.to_string());
        } else if label.ends_with("Returns:") && self.returns.is_none() {
            self.returns = Some(code.to_string());
        } else if follows("One of:") {
            self.one_of.push(code.to_string());
        }
    }
}

/// A section that has an interface's, an enumeration's or a type's name as its title.
fn described_name(source: u32, section: &Section, title: &str, owners: &Owners, draft: &mut Draft) {
    let at = (source, section.line);
    if let Some((owner, _)) = title.split_once("-[").filter(|(owner, _)| owners.list(owner)) {
        index(owner, section, at, draft);
        return;
    }
    let words: Vec<&str> = title.split_whitespace().collect();
    let ([name] | [name, "interface" | "object" | "enumeration"]) = words[..] else { return };
    if !is_path(name) || !(starts_as_a_type(name) || owners.list(name)) {
        return;
    }
    let told = Told::by(section);
    if !told.one_of.is_empty() {
        choice(name, section, &told.one_of, at, draft);
        return;
    }
    let of = TypeName::global(name);
    let is_listed = owners.list(name);
    if let Some(spelt) = told.declared.as_deref().filter(|_| !is_listed) {
        let means = type_of(spelt, &[], 0);
        draft.aliases.insert(of, Alias { type_parameters: Vec::new(), means, at });
        return;
    }
    if !is_listed && told.global.is_none() && !told.is_interface {
        return;
    }
    let one = draft.interface(Key::of_type(of.clone()), InterfaceKind::Interface, at);
    one.at = at;
    one.extends.extend(told.parents.iter().map(|p| type_of(p, &[], 0)));
    one.type_parameters = told.type_parameters;
    one.deprecated = told.deprecated;
    let is_enumerated = is_listed || told.lists_inherited;
    one.open = (!is_enumerated).then(|| "its page lists no member".into());
    if let Some(global) = told.global {
        draft.exports.insert(global.into(), export(Type::named(of), at));
    }
    if !is_enumerated {
        draft.hole(at, format!("{name}: its page has no member title"));
    }
}

/// A section that says which names an interface takes besides those that it lists.
fn index(owner: &str, section: &Section, at: (u32, u32), draft: &mut Draft) {
    let Some(spelt) = Told::by(section).index else {
        draft.hole(at, format!("{owner}: its index signature is not told"));
        return;
    };
    let key = Key::of_type(TypeName::global(owner));
    let one = draft.interface(key, InterfaceKind::Interface, at);
    match parse::typescript(&format!("{{ {spelt} }}")) {
        Type::Literal(shape) if !shape.index.is_empty() => {
            one.shape.index.extend(shape.index.iter().cloned());
        }
        _ => one.open = Some("its index signature is not understood".into()),
    }
}

/// A set of texts, or an enumeration whose values are spelt `Severity.Remark`.
fn choice(name: &str, section: &Section, one_of: &[String], at: (u32, u32), draft: &mut Draft) {
    let of = TypeName::global(name);
    let prefix = format!("{name}.");
    let values: Vec<&str> = one_of.iter().filter_map(|v| v.strip_prefix(&prefix)).collect();
    if values.is_empty() {
        let means = type_of(&one_of.join(" | "), &[], 0);
        draft.aliases.insert(of, Alias { type_parameters: Vec::new(), means, at });
        return;
    }
    let mut bullets: BTreeMap<&str, &Item> = BTreeMap::new();
    for block in &section.blocks {
        if let Block::List(items) = block {
            for item in items {
                let value = item.runs.first().and_then(|run| run.text.strip_prefix(&prefix));
                if let Some(value) = value {
                    bullets.entry(value).or_insert(item);
                }
            }
        }
    }
    let bullet = |value: &str| bullets.get(value).copied();
    let is_text = values
        .iter()
        .filter_map(|value| bullet(value))
        .any(|item| item.runs.get(2).is_some_and(|run| run.text.starts_with(['"', '\''])));
    let one = draft.interface(Key::of_value(of.clone()), InterfaceKind::Enum, at);
    for value in values {
        let at = (at.0, bullet(value).map_or(at.1, |item| item.line));
        let member =
            Member { at, writing: Writing::Refused, ..Member::property(Type::named(of.clone())) };
        add(&mut one.shape, value.into(), member);
    }
    let means = if is_text { Type::String } else { Type::Number };
    draft.aliases.insert(of.clone(), Alias { type_parameters: Vec::new(), means, at });
    let value = Member { at, ..Member::property(Type::Typeof(std::sync::Arc::new(of.clone()))) };
    draft.exports.insert(of.path.clone(), value);
}

fn member(source: u32, section: &Section, title: &Title, draft: &mut Draft) {
    let told = Told::by(section);
    let at = (source, section.line);
    let of = TypeName::global(title.owner.as_str());
    let is_method =
        title.tail.as_deref() == Some("method") || told.syntax.iter().any(|s| s.contains('('));
    let mut member = if is_method {
        let signatures =
            told.syntax.iter().map(|text| signature(text, &title.member, &told, section));
        Member::method(signatures.collect())
    } else {
        let declared = told.declared.as_deref().map(|text| type_of(text, &[], 0));
        let is_known = declared.as_ref().is_some_and(|t| !matches!(t, Type::Opaque(_)));
        if !is_known {
            draft.hole(at, format!("{}.{}: its type is not known", title.owner, title.member));
        }
        Member::property(declared.unwrap_or(Type::opaque("untold type")))
    };
    if is_method && member.signatures.is_empty() {
        draft.hole(at, format!("{}.{}: its syntax is not told", title.owner, title.member));
        member.signatures.push(any_call());
    }
    if title.tail.as_deref() == Some("event") {
        member.kind = MemberKind::Event;
    }
    member.at = at;
    member.deprecated = told.deprecated;
    member.writing = told.writing;
    member.presence = told.presence;
    let one = draft.interface(Key::of_type(of), InterfaceKind::Interface, at);
    add(&mut one.shape, title.member.as_str().into(), member);
}

/// The signature that `table.addColumn(width: number, alignment?)` spells; types that it leaves out come from bullets.
fn signature(text: &str, member: &str, told: &Told, section: &Section) -> Signature {
    let open = text.find(['(', '<']).unwrap_or(text.len());
    let head = text[..open].trim();
    let call = match head.rsplit('.').next() == Some(member) || head.is_empty() {
        true => &text[open..],
        false => text,
    };
    let returns = told.returns.as_deref().map(|t| type_of(t, &[], 0));
    let whole = match call.rfind(')') {
        Some(end) if call[end..].contains(':') || call[end..].contains("=>") => call.to_string(),
        _ => format!("{call}: void"),
    };
    let has_types = call.contains(':') || call.starts_with("()");
    if let Some(mut signature) = parse::signature(&whole).filter(|_| has_types) {
        if whole != call
            && let Some(returns) = returns
        {
            signature.returns = returns;
        }
        return signature;
    }
    let inner = call.trim_start_matches('(').split(')').next().unwrap_or("");
    let items: Vec<_> = section
        .blocks
        .iter()
        .filter_map(|block| match block {
            Block::List(items) => Some(items.as_slice()),
            Block::Paragraph(_) | Block::Fence(_) | Block::Table(_) => None,
        })
        .flatten()
        .filter_map(|item| described(item, 0))
        .take(MAX_PARAMETERS)
        .collect();
    let parameters =
        named_parameters(inner).into_iter().take(MAX_PARAMETERS).map(|(name, arity)| {
            let found = items.iter().find(|(n, _)| *n == name);
            let arity = match (arity, found.map(|(_, m)| m.presence)) {
                (Arity::Required, Some(Presence::Maybe)) => Arity::Optional,
                (arity, _) => arity,
            };
            let declared = found.map_or(Type::opaque("untold type"), |(_, m)| m.declared.clone());
            Parameter { name, declared, arity }
        });
    let returns = returns.unwrap_or(Type::Void);
    Signature { parameters: parameters.collect(), returns, ..Signature::default() }
}

/// A call of which nothing is told: any arguments, an unknown result.
fn any_call() -> Signature {
    let mut signature = Signature { returns: Type::opaque("untold type"), ..Signature::default() };
    signature.parameters = listed_parameters(&[]);
    let declared = Type::Array(std::sync::Arc::new(Type::Any));
    signature.parameters.push(Parameter { name: "given".into(), declared, arity: Arity::Rest });
    signature
}
