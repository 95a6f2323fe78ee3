//! Pages that a configuration's own patterns read: titles say what a section is about, lines what holds of it.
//!
//! What a group finds is taken as it stands, if it can be a name or a type; a member without an interface belongs to the one
//! that was named last on the page. What an interface lists is all that it has.

use super::draft::{Draft, add, export};
use super::spelling::{named_parameters, type_of};
use crate::base::Name;
use crate::datagraph::{InterfaceKind, Key};
use crate::sources::pages::{Block, Item, Page, Section, text_of};
use crate::sources::settings::patterns::{Pattern, Where};
use crate::types::print::is_plain;
use crate::types::{Member, MemberKind, Parameter, Signature, Type, TypeName, Writing, parse};
use std::collections::BTreeMap;

/// What the patterns found in a page.
#[derive(Debug, Default)]
pub struct Patterned {
    /// What becomes of it.
    pub draft: Draft,
    /// In how many sections each pattern matched, in their order.
    pub counts: Vec<usize>,
}

/// What is found in `page`.
pub fn draft(source: u32, page: &Page, patterns: &[Pattern]) -> Patterned {
    let mut reader = Reader {
        source,
        patterns,
        owner: None,
        found: Patterned { counts: vec![0; patterns.len()], ..Patterned::default() },
    };
    if patterns.is_empty() {
        return reader.found;
    }
    for (idx, section) in page.sections.iter().enumerate() {
        reader.section(section, &page.path(idx).join(" > "));
    }
    reader.found
}

struct Reader<'p> {
    source: u32,
    patterns: &'p [Pattern],
    /// The interface that was named last.
    owner: Option<Name>,
    found: Patterned,
}

/// What is told of one thing: an interface or a member.
type Told = BTreeMap<&'static str, String>;

impl Reader<'_> {
    fn section(&mut self, section: &Section, path: &str) {
        let mut matched = vec![false; self.patterns.len()];
        let mut told = Told::new();
        for (idx, pattern) in self.patterns.iter().enumerate() {
            if pattern.place == Where::Heading
                && told.is_empty()
                && let Some(groups) = pattern.groups(path)
            {
                matched[idx] = true;
                told.extend(groups.into_iter().map(|(group, text)| (group, text.to_owned())));
            }
        }
        // Lines hold only of what some title or line named.
        let mut listed: Vec<(u32, Told)> = Vec::new();
        if !told.is_empty() || self.patterns.iter().all(|p| p.place == Where::Line) {
            for (line, text) in lines(section) {
                for (idx, pattern) in self.patterns.iter().enumerate() {
                    let Some(groups) =
                        (pattern.place == Where::Line).then(|| pattern.groups(&text)).flatten()
                    else {
                        continue;
                    };
                    matched[idx] = true;
                    let groups = groups.into_iter().map(|(g, text)| (g, text.to_owned()));
                    let groups: Told = groups.collect();
                    match groups.contains_key("member") || groups.contains_key("interface") {
                        true => listed.push((line, groups)),
                        false => {
                            for (group, text) in groups {
                                told.entry(group).or_insert(text);
                            }
                        }
                    }
                }
            }
        }
        for (count, _) in self.found.counts.iter_mut().zip(&matched).filter(|(_, m)| **m) {
            *count += 1;
        }
        self.take(section.line, &told);
        listed.into_iter().for_each(|(line, told)| self.take(line, &told));
    }

    /// Adds what is told of an interface, or of a member of one.
    fn take(&mut self, line: u32, told: &Told) {
        let at = (self.source, line);
        if let Some(named) = told.get("interface") {
            if !is_plain(named) {
                self.found.draft.hole(at, format!("{named:?} can be no interface's name"));
                return;
            }
            self.owner = Some(named.as_str().into());
        }
        let Some(owner) = self.owner.clone() else {
            if told.contains_key("member") {
                self.found.draft.hole(at, "a member before any interface was named");
            }
            return;
        };
        match told.get("member") {
            Some(member) if is_plain(member) => self.member(&owner, member, at, told),
            Some(member) => {
                self.found.draft.hole(at, format!("{member:?} can be no member's name"));
            }
            None if told.contains_key("interface") => self.interface(&owner, at, told),
            None => {}
        }
    }

    fn interface(&mut self, owner: &Name, at: (u32, u32), told: &Told) {
        let of = TypeName::global(owner.clone());
        let draft = &mut self.found.draft;
        let one = draft.interface(Key::of_type(of.clone()), InterfaceKind::Interface, at);
        one.at = at;
        let parents = told.get("parent").map_or("", String::as_str).split(',').map(str::trim);
        let parents = parents.filter(|p| !p.is_empty() && !["none", "-", "–"].contains(p));
        one.extends.extend(parents.map(|parent| type_of(parent, &[], 0)));
        one.deprecated = told.get("deprecated").map(|why| why.as_str().into());
        if let Some(global) = told.get("global").filter(|name| is_plain(name)) {
            draft.exports.insert(global.as_str().into(), export(Type::named(of), at));
        }
    }

    fn member(&mut self, owner: &Name, name: &str, at: (u32, u32), told: &Told) {
        let word = told.get("kind").map(|kind| kind.to_lowercase()).unwrap_or_default();
        let calls = told.contains_key("parameters")
            || told.contains_key("returns")
            || ["method", "function", "()", "procedure", "operation"].contains(&word.as_str());
        let mut member = match calls {
            true => Member::method(vec![self.signature(owner, name, at, told)]),
            false => {
                let declared = told.get("type").map(|text| type_of(text, &[], 0));
                if declared.as_ref().is_none_or(|t| matches!(t, Type::Opaque(_))) {
                    let what = format!("{owner}.{name}: its type is not known");
                    self.found.draft.hole(at, what);
                }
                Member::property(declared.unwrap_or_else(|| Type::opaque("untold type")))
            }
        };
        if word == "event" {
            member.kind = MemberKind::Event;
        }
        if word.contains("read-only") || word.contains("readonly") {
            member.writing = Writing::Refused;
        }
        member.deprecated = told.get("deprecated").map(|why| why.as_str().into());
        member.at = at;
        let key = Key::of_type(TypeName::global(owner.clone()));
        let one = self.found.draft.interface(key, InterfaceKind::Interface, at);
        add(&mut one.shape, name.into(), member);
    }

    /// The signature that parameters such as `width: number, gap?` spell.
    fn signature(&mut self, owner: &Name, name: &str, at: (u32, u32), told: &Told) -> Signature {
        let returns = told.get("returns").or_else(|| told.get("type"));
        let returns = returns.map_or(Type::Void, |text| type_of(text, &[], 0));
        let spelt = told.get("parameters").map_or("", String::as_str).trim();
        let spelt = spelt.strip_prefix('(').unwrap_or(spelt).trim_end_matches(')');
        if spelt.contains(':')
            && let Some(signature) = parse::signature(&format!("({spelt}): void"))
        {
            return Signature { returns, ..signature };
        }
        let parameters: Vec<Parameter> = named_parameters(spelt)
            .into_iter()
            .map(|(name, arity)| Parameter { name, declared: Type::opaque("untold type"), arity })
            .collect();
        if !parameters.is_empty() {
            let what = format!("{owner}.{name}: the types of its parameters are not told");
            self.found.draft.hole(at, what);
        }
        Signature { parameters, returns, ..Signature::default() }
    }
}

/// An interface of which no member was found on any page may have any.
pub fn open_what_lists_nothing(draft: &mut Draft) {
    for one in draft.interfaces.values_mut() {
        if one.shape.members.is_empty() && one.extends.is_empty() {
            one.open = Some("no pattern found a member of it".into());
        }
    }
}

/// The lines of a section with their numbers: paragraphs whole, items, rows with ` | ` between cells, and code.
fn lines(section: &Section) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    for block in &section.blocks {
        match block {
            Block::Paragraph(one) => found.push((one.line, text_of(&one.runs))),
            Block::List(items) => items.iter().for_each(|item| add_item(item, &mut found)),
            Block::Fence(fence) => {
                let code = (fence.line + 1..).zip(fence.code.lines());
                found.extend(code.map(|(line, text)| (line, text.to_owned())));
            }
            Block::Table(table) => {
                let rows = (table.line..).zip(&table.rows);
                found.extend(rows.map(|(line, row)| (line, row.join(" | "))));
            }
        }
    }
    found
}

fn add_item(item: &Item, found: &mut Vec<(u32, String)>) {
    found.push((item.line, text_of(&item.runs)));
    // The reader bounds how deep lists nest.
    item.items.iter().for_each(|inner| add_item(inner, found));
}
