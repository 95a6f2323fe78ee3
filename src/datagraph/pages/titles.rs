//! Which titles name a member, over all pages of an api: `Layout-makeTable`, `Interfaces > Layout interface > makeTable
//! method`, and `makeTable method` under `Layout interface`.
//!
//! A word before a hyphen proves nothing: it is taken for an interface only where it is a title itself, or stands before three
//! titles. Where both the interface and the member are called so (`X interface > y method`) the title is proof enough.

use crate::sources::pages::{Form, Page, Section};
use crate::types::print::is_plain;
use std::collections::{BTreeMap, BTreeSet};

/// How many titles make a prefix an interface that has no title of its own.
const ENOUGH_TITLES: usize = 3;

/// Last words of titles that name a member.
const MEMBER_KINDS: &[&str] = &["attribute", "property", "method", "event"];

/// Last words of titles that name a type.
pub const TYPE_KINDS: &[&str] = &["interface", "object", "enumeration"];

/// What parts the steps of a title that says its whole path.
const STEPS: &[&str] = &[" > ", " › ", " » "];

/// A title that names a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Title {
    /// The interface.
    pub owner: String,
    /// The member.
    pub member: String,
    /// The word behind, if it is one that names a kind.
    pub tail: Option<String>,
    /// Whether the title itself calls the owner an interface.
    is_sure: bool,
}

impl Title {
    /// What the title of `page`'s section at `idx` names.
    pub fn of(page: &Page, idx: usize) -> Option<Title> {
        let section = page.sections.get(idx)?;
        let whole = section.title_text();
        let (above, own) = steps(&whole);
        if let Some(title) = Title::hyphened(own) {
            return Some(title);
        }
        let words: Vec<&str> = own.split_whitespace().collect();
        let [member, tail] = words[..] else { return None };
        if !MEMBER_KINDS.contains(&tail) {
            return None;
        }
        let member = member.trim_end_matches("()");
        let owner = match above {
            Some(above) => owner_in(above),
            // Where the page does not say it, the steps that lead to it on its site may.
            None => parents(page, section)
                .find_map(|title| owner_in(steps(&title).1))
                .or_else(|| page.steps.iter().rev().find_map(|step| owner_in(step))),
        };
        let owner = owner.filter(|_| is_plain(member))?;
        Some(Title { owner, member: member.into(), tail: Some(tail.into()), is_sure: true })
    }

    /// `Layout-makeTable`, `Layout-makeTable() method`.
    fn hyphened(title: &str) -> Option<Title> {
        let mut words = title.split_whitespace();
        let (owner, member) = words.next()?.split_once('-')?;
        let tail = words.next().filter(|word| MEMBER_KINDS.contains(word));
        let member = member.trim_end_matches("()");
        let is_whole = words.next().is_none() && (tail.is_some() || !title.contains(' '));
        (is_whole && is_path(owner) && is_plain(member)).then(|| Title {
            owner: owner.into(),
            member: member.into(),
            tail: tail.map(str::to_owned),
            is_sure: false,
        })
    }
}

/// Whether `name` may be an interface's: `Layout`, `Sheets.Range`.
pub fn is_path(name: &str) -> bool {
    name.split('.').all(is_plain)
}

/// Whether a name begins as those of types do; other words before a hyphen are prose until a title says otherwise.
pub fn starts_as_a_type(name: &str) -> bool {
    name.rsplit('.').next().is_some_and(|last| last.starts_with(char::is_uppercase))
}

/// The steps above a title and its own.
fn steps(title: &str) -> (Option<&str>, &str) {
    let found = STEPS.iter().filter_map(|step| title.rsplit_once(step)).next();
    found.map_or((None, title.trim()), |(above, own)| (Some(above), own.trim()))
}

/// The last step of a title.
pub fn last_step(title: &str) -> &str {
    steps(title).1
}

/// `Layout` of `Interfaces > Layout interface`.
fn owner_in(above: &str) -> Option<String> {
    let words: Vec<&str> = steps(above).1.split_whitespace().collect();
    match words[..] {
        [name, "interface" | "object"] if is_plain(name) => Some(name.to_owned()),
        _ => None,
    }
}

/// The titles above a section, nearest first.
fn parents<'p>(page: &'p Page, section: &Section) -> impl Iterator<Item = String> + 'p {
    let mut next = section.parent;
    // A section has at most six above it.
    std::iter::from_fn(move || {
        let above = page.sections.get(next? as usize)?;
        next = above.parent;
        Some(above.title_text())
    })
}

/// What is an interface by the titles of all pages.
#[derive(Debug, Default)]
pub struct Owners {
    counts: BTreeMap<String, usize>,
    headed: BTreeSet<String>,
    sure: BTreeSet<String>,
}

impl Owners {
    /// Takes the titles of a page.
    pub fn take(&mut self, page: &Page) {
        if page.form == Form::Records {
            return;
        }
        let mut on_page: BTreeSet<String> = BTreeSet::new();
        let mut prefixes: BTreeSet<String> = BTreeSet::new();
        for (idx, section) in page.sections.iter().enumerate() {
            if let Some(title) = Title::of(page, idx) {
                if title.is_sure {
                    self.sure.insert(title.owner.clone());
                }
                *self.counts.entry(title.owner.clone()).or_default() += 1;
                prefixes.insert(title.owner);
                continue;
            }
            let title = section.title_text();
            let words: Vec<&str> = last_step(&title).split_whitespace().collect();
            if let Some(first) = words.first() {
                on_page.insert((*first).to_owned());
            }
            // What another page is about must be called by that name alone.
            if let [name] = words[..] {
                self.headed.insert(name.to_owned());
            }
            if let [name, kind] = words[..]
                && TYPE_KINDS.contains(&kind)
            {
                self.headed.insert(name.to_owned());
            }
        }
        self.headed.extend(prefixes.into_iter().filter(|prefix| on_page.contains(prefix)));
    }

    /// Whether titles list members of `name`.
    pub fn list(&self, name: &str) -> bool {
        let are_enough = |n: &usize| *n >= ENOUGH_TITLES && starts_as_a_type(name);
        self.counts.get(name).is_some_and(|n| are_enough(n) || self.headed.contains(name))
            || self.sure.contains(name)
    }
}
