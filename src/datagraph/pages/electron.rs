//! Electron's dialect: members are headings spelt as code, under `Methods`, `Instance Properties`, `Events` and the like.
//!
//! A page is a module (`# app`), a class (`## Class: Tray`), several of them, an element (`` # `<webview>` Tag ``), or a
//! structure (`# Size Object`), whose bullets are its properties. Emitters are node's, and so is `process`: those two
//! names are the dialect's own, all others come from the pages.

use super::draft::{Draft, add, export};
use super::spelling::{
    beginning, code_type, described, list_after, listed_parameters, named_parameters,
};
use crate::base::Name;
use crate::datagraph::{InterfaceKind, Key, Side};
use crate::sources::pages::{Block, Face, Fence, Page, Run, Section, text_of};
use crate::types::print::is_plain;
use crate::types::{
    Arity, Member, MemberKind, Parameter, Presence, Signature, Type, TypeName, Writing,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What objects with events inherit from.
const EMITTER: &str = "NodeJS.EventEmitter";

/// What `process` is.
const PROCESS: &str = "NodeJS.Process";

/// What is found in `page`.
pub fn draft(source: u32, page: &Page) -> Draft {
    let mut reader = Reader { source, draft: Draft::default(), owner: None, zone: None };
    reader.draft.modular = true;
    let outline = Outline::of(page);
    for section in &page.sections {
        reader.read(&outline, section);
    }
    reader.open_what_lists_nothing();
    reader.events_to_emitters();
    if reader.draft.n_found() == 0 {
        return Draft::default();
    }
    for section in &page.sections {
        section.fences().for_each(|fence| reader.draft.imports.extend(imports(fence)));
    }
    reader.draft
}

/// What a page's headings say of the page as a whole.
struct Outline {
    /// Whether it lists members outside of classes.
    has_members: bool,
    /// Its classes.
    classes: BTreeSet<String>,
    /// Those that can be made with `new`.
    constructed: BTreeSet<String>,
}

impl Outline {
    fn of(page: &Page) -> Outline {
        let mut outline =
            Outline { has_members: false, classes: BTreeSet::new(), constructed: BTreeSet::new() };
        for section in &page.sections {
            let title = section.title_text();
            outline.has_members |=
                section.level == 2 && ["Methods", "Events", "Properties"].contains(&title.as_str());
            let class = title.strip_prefix("Class: ").and_then(|t| t.split_whitespace().next());
            outline.classes.extend(class.map(str::to_owned));
            let first = section.title.first().map_or("", |run| run.text.as_str());
            let made = first.strip_prefix("new ").and_then(|rest| rest.split_once('('));
            outline.constructed.extend(made.map(|(name, _)| name.to_owned()));
        }
        outline
    }
}

struct Reader {
    source: u32,
    draft: Draft,
    /// What the members that come belong to.
    owner: Option<Owner>,
    zone: Option<Zone>,
}

#[derive(Debug, Clone)]
struct Owner {
    name: TypeName,
    /// Where plain members go: to the values of the type, or to the name itself.
    plain: Key,
}

/// The heading that the members that come stand under.
#[derive(Debug, Clone)]
struct Zone {
    level: u8,
    key: Key,
    kind: ZoneKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ZoneKind {
    Members,
    Attributes,
}

impl Reader {
    fn at(&self, line: u32) -> (u32, u32) {
        (self.source, line)
    }

    fn read(&mut self, outline: &Outline, section: &Section) {
        let title = section.title_text();
        let is_code = section.title.first().is_some_and(|run| run.face == Face::Code);
        if let Some(rest) = title.strip_prefix("Class: ") {
            self.class(outline, section, rest);
            return;
        }
        if (section.level == 1 && self.opens(outline, section, &title))
            || self.enters(section, &title)
        {
            return;
        }
        if let Some(name) = title.strip_prefix("Event: ") {
            self.event(section, name);
        } else if is_code {
            self.member(section, section.title[0].text.trim());
        } else if self.zone.as_ref().is_some_and(|zone| section.level <= zone.level) {
            self.zone = None;
        }
    }

    /// A heading that says what the whole page is about.
    fn opens(&mut self, outline: &Outline, section: &Section, title: &str) -> bool {
        let words: Vec<&str> = title.split_whitespace().collect();
        match words[..] {
            [name, "Object"] if is_name(name) => self.structure(section, name, None),
            [name, "Object", "extends", parent] if is_name(name) => {
                self.structure(section, name, Some(parent));
            }
            [tag, "Tag"] if tag.starts_with('<') && tag.ends_with('>') => {
                let name: Name = format!("{}Tag", capital(&tag[1..tag.len() - 1])).into();
                let key = Key::of_type(TypeName::global(name));
                let at = self.at(section.line);
                let one = self.draft.interface(key.clone(), InterfaceKind::Interface, at);
                one.extends.push(Type::named(TypeName::global("HTMLElement")));
                self.owner = Some(Owner { name: key.name.clone(), plain: key });
            }
            [name] if is_name(name) => self.module(outline, section, name),
            _ => return false,
        }
        true
    }

    fn module(&mut self, outline: &Outline, section: &Section, name: &str) {
        if !outline.has_members {
            self.owner = None;
            return;
        }
        let class = capital(name);
        let at = self.at(section.line);
        let has_class = outline.classes.contains(&class);
        if name == "process" {
            let key = Key::of_type(TypeName::global(PROCESS));
            self.draft.interface(key.clone(), InterfaceKind::Interface, at);
            self.owner = Some(Owner { name: key.name.clone(), plain: key });
            return;
        }
        let of = TypeName::global(class.as_str());
        let (key, kind, given) = match has_class {
            // The module is the class itself: what it lists are the statics.
            true => {
                let given = Type::Typeof(Arc::new(of.clone()));
                (Key::of_value(of.clone()), InterfaceKind::Statics, given)
            }
            false => (Key::of_type(of.clone()), InterfaceKind::Interface, Type::named(of.clone())),
        };
        self.draft.interface(key.clone(), kind, at);
        self.draft.exports.insert(name.into(), export(given, at));
        self.owner = Some(Owner { name: of, plain: key });
    }

    fn class(&mut self, outline: &Outline, section: &Section, title: &str) {
        let mut words = title.split_whitespace();
        let Some(name) = words.next().filter(|name| is_name(name)) else { return };
        let parent = words.next().filter(|word| *word == "extends").and_then(|_| words.next());
        let at = self.at(section.line);
        let of = TypeName::global(name);
        let one = self.draft.interface(Key::of_type(of.clone()), InterfaceKind::Class, at);
        one.extends.extend(parent.map(|p| Type::named(TypeName::global(p))));
        one.deprecated = is_stressed(&section.title, "Deprecated").then(Name::default);
        let statics = self.draft.interface(Key::of_value(of.clone()), InterfaceKind::Statics, at);
        statics.extends.extend(parent.map(|p| Type::Typeof(Arc::new(TypeName::global(p)))));
        if !outline.constructed.contains(name) {
            statics.open = Some("its page lists no constructor".into());
        }
        let exported = !section.paragraphs().any(|p| {
            p.runs.iter().any(|r| r.face == Face::Stressed && r.text.contains("not exported"))
        });
        if exported && !self.draft.exports.contains_key(name) {
            let value = Type::Typeof(Arc::new(of.clone()));
            self.draft.exports.insert(name.into(), export(value, at));
        }
        let key = Key::of_type(of.clone());
        self.owner = Some(Owner { name: of, plain: key.clone() });
        self.zone = Some(Zone { level: section.level, key, kind: ZoneKind::Members });
    }

    /// A heading such as `Instance Methods`, under which members stand.
    fn enters(&mut self, section: &Section, title: &str) -> bool {
        let Some(owner) = &self.owner else { return false };
        let mut kind = ZoneKind::Members;
        let key = match title {
            "Methods" | "Events" | "Properties" | "DOM Events" => owner.plain.clone(),
            "Tag Attributes" => {
                kind = ZoneKind::Attributes;
                owner.plain.clone()
            }
            "Instance Methods" | "Instance Properties" | "Instance Events" => {
                Key::of_type(owner.name.clone())
            }
            "Static Methods" | "Static Properties" | "Static Events" => {
                Key::of_value(owner.name.clone())
            }
            _ => return false,
        };
        self.zone = Some(Zone { level: section.level, key, kind });
        true
    }

    fn structure(&mut self, section: &Section, name: &str, parent: Option<&str>) {
        self.owner = None;
        let at = self.at(section.line);
        let mut members = Vec::new();
        let mut unclear = Vec::new();
        let list = section.blocks.iter().find_map(|block| match block {
            Block::List(items) => Some(items),
            Block::Paragraph(_) | Block::Fence(_) | Block::Table(_) => None,
        });
        for item in list.into_iter().flatten() {
            match described(item, 0) {
                Some((name, member)) => {
                    members.push((name, Member { at: self.at(item.line), ..member }))
                }
                None => unclear.push(item.line),
            }
        }
        let nothing = members.is_empty() && parent.is_none();
        let key = Key::of_type(TypeName::global(name));
        let one = self.draft.interface(key, InterfaceKind::Interface, at);
        one.extends.extend(parent.map(|p| Type::named(TypeName::global(p))));
        if nothing || !unclear.is_empty() {
            one.open = Some("its page does not list its properties clearly".into());
        }
        for (name, member) in members {
            add(&mut one.shape, name, member);
        }
        for line in unclear {
            self.draft.hole((self.source, line), format!("{name}: a bullet names no property"));
        }
        if nothing {
            self.draft.hole(at, format!("{name}: its page lists no property"));
        }
        self.check_types(name);
    }

    /// A hole for each property whose type could not be read.
    fn check_types(&mut self, name: &str) {
        let key = Key::of_type(TypeName::global(name));
        let Some(one) = self.draft.interfaces.get(&key) else { return };
        let untold: Vec<(Name, (u32, u32))> = one
            .shape
            .members
            .iter()
            .filter(|(_, m)| matches!(m.declared, Type::Opaque(_)))
            .map(|(n, m)| (n.clone(), m.at))
            .collect();
        for (member, at) in untold {
            self.draft.hole(at, format!("{name}.{member}: its type is not known"));
        }
    }

    fn event(&mut self, section: &Section, title: &str) {
        let Some(zone) = self.zone.clone().filter(|zone| section.level > zone.level) else {
            return;
        };
        let name = title.split('\'').nth(1).unwrap_or("");
        if name.is_empty() {
            self.draft.hole(self.at(section.line), format!("an event without name: {title}"));
            return;
        }
        let told = beginning(section, "Returns:");
        let items = told.map_or(&[][..], |(idx, _)| list_after(section, idx));
        let mut parameters = listed_parameters(items);
        for one in &mut parameters {
            // The first argument is the emitter's event, which has more than what other apis call so.
            if matches!(&one.declared, Type::Named(n) if n.name.path == "Event") {
                one.declared = Type::opaque("event");
            }
        }
        let listener = Signature { parameters, returns: Type::Void, ..Signature::default() };
        let member = Member {
            kind: MemberKind::Event,
            at: self.at(section.line),
            deprecated: deprecated(section),
            ..Member::property(Type::Function(Arc::new(listener)))
        };
        self.put(&zone.key, name.into(), member);
    }

    fn put(&mut self, key: &Key, name: Name, member: Member) {
        let kind = match key.side {
            Side::Type => InterfaceKind::Interface,
            Side::Value => InterfaceKind::Statics,
        };
        let at = member.at;
        let one = self.draft.interface(key.clone(), kind, at);
        // A method may have the name of an event; listening goes by the emitter's own methods.
        if member.kind == MemberKind::Event && key.name.path.ends_with("Tag") {
            let listening = on(&name, &member);
            add(&mut one.shape, "addEventListener".into(), listening.clone());
        } else if member.kind == MemberKind::Event {
            let listening = on(&name, &member);
            add(&mut one.shape, "on".into(), listening.clone());
            add(&mut one.shape, "once".into(), listening);
        }
        add(&mut one.shape, name, member);
    }

    fn member(&mut self, section: &Section, code: &str) {
        let Some(zone) = self.zone.clone().filter(|zone| section.level > zone.level) else {
            return;
        };
        if zone.kind == ZoneKind::Attributes && is_name(code) {
            let mut member = Member::property(self.property_type(section, code));
            member.at = self.at(section.line);
            self.put(&zone.key, code.into(), member);
            return;
        }
        if let Some(rest) = code.strip_prefix("new ") {
            self.constructor(section, rest, &zone);
            return;
        }
        let (head, call) = match code.find('(') {
            Some(at) => (&code[..at], Some(code[at + 1..].trim_end().trim_end_matches(')'))),
            None => (code, None),
        };
        // `getUserDefault<Type extends keyof UserDefaultTypes>` has a parameter of its own.
        let (head, generic) = match head.find('<').filter(|at| *at > 0) {
            Some(at) => (&head[..at], true),
            None => (head, false),
        };
        let parts: Vec<&str> = head.trim_start_matches('<').split('.').collect();
        // The classes that a class carries are listed without a receiver.
        let n_parts = if zone.key.side == Side::Value { parts.len().max(2) } else { parts.len() };
        let (Some(name), 2) = (parts.last().filter(|name| is_name(name)), n_parts) else {
            self.draft
                .hole(self.at(section.line), format!("a heading that names no member: {code}"));
            return;
        };
        let mut member = match call {
            Some(arguments) => {
                let mut signature = self.signature(section, arguments);
                if generic {
                    signature.returns = Type::opaque("generic type");
                    signature
                        .parameters
                        .iter_mut()
                        .for_each(|p| p.declared = Type::opaque("generic type"));
                }
                Member::method(vec![signature])
            }
            None => Member::property(self.property_type(section, code)),
        };
        member.at = self.at(section.line);
        member.deprecated = deprecated(section);
        if is_stressed(&section.title, "Readonly") {
            member.writing = Writing::Refused;
        }
        self.put(&zone.key, (*name).into(), member);
    }

    fn constructor(&mut self, section: &Section, code: &str, zone: &Zone) {
        let Some((name, arguments)) = code.split_once('(') else { return };
        let arguments = arguments.trim_end().trim_end_matches(')');
        let mut signature = self.signature(section, arguments);
        signature.returns = Type::named(TypeName::global(name.trim()));
        let key = Key::of_value(zone.key.name.clone());
        let at = self.at(section.line);
        let one = self.draft.interface(key, InterfaceKind::Statics, at);
        one.shape.constructs.push(signature);
    }

    fn signature(&self, section: &Section, arguments: &str) -> Signature {
        let bullets = section.blocks.iter().flat_map(|block| match block {
            Block::List(items) => items.as_slice(),
            Block::Paragraph(_) | Block::Fence(_) | Block::Table(_) => &[],
        });
        let mut told: BTreeMap<Name, Member> = BTreeMap::new();
        for (name, member) in bullets.filter_map(|item| described(item, 0)) {
            told.entry(name).or_insert(member);
        }
        let parameters = named_parameters(arguments).into_iter().map(|(name, arity)| {
            let (declared, presence) = match told.get(&name) {
                Some(member) => (member.declared.clone(), member.presence),
                None => (Type::opaque("untold type"), Presence::Always),
            };
            match (arity, presence) {
                (Arity::Rest, _) => {
                    let declared = match declared {
                        Type::Array(_) => declared,
                        other => Type::Array(Arc::new(other)),
                    };
                    Parameter { name, declared, arity }
                }
                (Arity::Required, Presence::Maybe) => {
                    Parameter { name, declared, arity: Arity::Optional }
                }
                (arity, _) => Parameter { name, declared, arity },
            }
        });
        Signature {
            parameters: parameters.collect(),
            returns: returns(section),
            ..Signature::default()
        }
    }

    fn property_type(&mut self, section: &Section, code: &str) -> Type {
        let told = section.blocks.iter().enumerate().find_map(|(idx, block)| {
            let Block::Paragraph(one) = block else { return None };
            let first = one.runs.first()?.text.trim();
            ["A", "An"]
                .contains(&first)
                .then(|| code_type(&one.runs[1..], list_after(section, idx), 0))
                .flatten()
        });
        told.unwrap_or_else(|| {
            self.draft.hole(self.at(section.line), format!("{code}: its type is not told"));
            Type::opaque("untold type")
        })
    }

    /// A class or module of which the page lists neither members nor a constructor may have any.
    fn open_what_lists_nothing(&mut self) {
        let listing: BTreeSet<TypeName> = self
            .draft
            .interfaces
            .iter()
            .filter(|(_, one)| !one.shape.members.is_empty() || !one.shape.constructs.is_empty())
            .map(|(key, _)| key.name.clone())
            .collect();
        let mut silent = Vec::new();
        for (key, one) in &mut self.draft.interfaces {
            if key.side == Side::Type && one.open.is_none() && !listing.contains(&key.name) {
                one.open = Some("its page lists no member".into());
                silent.push((one.at, format!("{}: its page has no member title", key.name)));
            }
        }
        for (at, what) in silent {
            self.draft.hole(at, what);
        }
    }

    /// Interfaces with events inherit from node's emitter, unless a page gives them a parent.
    fn events_to_emitters(&mut self) {
        for one in self.draft.interfaces.values_mut() {
            let has_events = one.shape.members.contains_key("on");
            if has_events && one.extends.is_empty() {
                one.extends.push(Type::named(TypeName::global(EMITTER)));
            }
        }
    }
}

/// What a method gives: the type behind `Returns`, or nothing where no paragraph begins so.
fn returns(section: &Section) -> Type {
    let Some((idx, one)) = beginning(section, "Returns ") else { return Type::Void };
    let told = match one.runs[0].text.trim() == "Returns" {
        true => code_type(&one.runs[1..], list_after(section, idx), 0),
        false => None,
    };
    told.unwrap_or_else(|| Type::opaque("untold type"))
}

/// How an emitter is listened to for one event.
fn on(name: &Name, event: &Member) -> Member {
    let parameter = |name: &str, declared: Type| Parameter {
        name: name.into(),
        declared,
        arity: Arity::Required,
    };
    let signature = Signature {
        parameters: vec![
            parameter("event", Type::Text(name.clone())),
            parameter("listener", event.declared.clone()),
        ],
        returns: Type::This,
        ..Signature::default()
    };
    Member { at: event.at, ..Member::method(vec![signature]) }
}

fn deprecated(section: &Section) -> Option<Name> {
    if !is_stressed(&section.title, "Deprecated") {
        return None;
    }
    let why = beginning(section, "Deprecated").map(|(_, one)| {
        let text = text_of(&one.runs);
        let text = text.trim_start_matches("Deprecated").trim_start_matches(':');
        text.trim().to_string()
    });
    Some(why.unwrap_or_default().into())
}

fn is_stressed(runs: &[Run], word: &str) -> bool {
    runs.iter().any(|run| run.face == Face::Stressed && run.text == word)
}

fn is_name(text: &str) -> bool {
    is_plain(text)
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What an example takes from where: `const { app } = require('electron')`, `import { app } from 'electron'`.
fn imports(fence: &Fence) -> Vec<(Name, Name)> {
    let mut found = Vec::new();
    for line in fence.code.lines() {
        let Some(from) = ["require(", " from "].iter().find_map(|w| line.split_once(w)) else {
            continue;
        };
        let quoted = from.1.trim_start().split(['\'', '"']).nth(1).unwrap_or("");
        let Some((_, names)) = from.0.split_once('{') else { continue };
        let names = names.split('}').next().unwrap_or("");
        for name in names.split(',') {
            let name = name.split([':', ' ']).find(|w| !w.is_empty()).unwrap_or("");
            if !quoted.is_empty() && is_name(name) {
                found.push((quoted.into(), name.into()));
            }
        }
    }
    found
}
