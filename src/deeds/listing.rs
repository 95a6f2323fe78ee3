//! `groundline symbols`, `topics` and `constructs`: what was mined, a line each, for people and for `grep`.
//!
//! Sorted, and the same on every run.

use super::opened::{Globs, opened};
use crate::base::{Progress, Stop};
use crate::corpus::documents::Documents;
use crate::corpus::store::{Held, Mining, Recipe, Weight};
use crate::datagraph::documentation::Symbol;
use crate::datagraph::{Datagraph, Key};
use crate::session::Settings;
use crate::sources::workspace::RootTrouble;
use crate::types::{Member, MemberKind, TypeName};
use std::fmt::Write;

/// What is to be listed.
#[derive(Debug, Clone, Default)]
pub struct ListWish {
    /// Of what.
    pub what: Listed,
    /// Only what has this in its name, in any case of letters; `*` stands for anything.
    pub pattern: Option<String>,
    /// Only of this api; without it, of all but the built-in ones of the language and its hosts.
    pub api: Option<String>,
}

/// What can be listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Listed {
    /// What exists.
    #[default]
    Symbols,
    /// Goal words, and what they lead to.
    Topics,
    /// What takes several calls to build.
    Constructs,
}

/// A list as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List {
    /// A line each; empty where nothing was found.
    pub text: String,
    /// What a reader of it should know; where nothing was found, why.
    pub notes: Vec<String>,
}

/// Lists what `wish` asks for.
pub fn run(
    settings: &Settings,
    wish: &ListWish,
    progress: &dyn Progress,
) -> Result<List, RootTrouble> {
    let opened = opened(settings, Globs::default(), Mining::WhereChanged, progress)?;
    let trouble = opened.notes.iter().filter(|n| n.weight == Weight::Trouble);
    let mut notes: Vec<String> = trouble.map(|n| format!("{}: {}", n.about, n.text)).collect();
    let wanted: Vec<&Held> = opened.held.iter().filter(|held| is_wanted(held, wish)).collect();
    let pattern = Pattern::of(wish.pattern.as_deref().unwrap_or(""));
    let mut text = String::new();
    for held in &wanted {
        if wish.what == Listed::Symbols {
            symbols(&held.kept.datagraph, &pattern, &mut text);
            continue;
        }
        match opened.store.documents(held, &Stop::default(), progress) {
            Ok(documents) => match wish.what {
                Listed::Topics => topics(&documents, &pattern, &mut text),
                Listed::Constructs => constructs(&documents, &pattern, &mut text),
                Listed::Symbols => {}
            },
            Err(why) => notes.push(format!("{}: {why}", held.recipe.name())),
        }
    }
    if text.is_empty() {
        notes.push(why_empty(wish, &wanted, &opened.held));
    }
    Ok(List { text, notes })
}

fn is_wanted(held: &Held, wish: &ListWish) -> bool {
    match (&wish.api, &held.recipe) {
        (Some(api), recipe) => recipe.name() == *api,
        // The demo holds only where it is named, so whoever asks means it.
        (None, Recipe::Embedded(name)) => name == "folio" || wish.pattern.is_some(),
        (None, Recipe::Package(_) | Recipe::Listed { .. } | Recipe::Folder { .. }) => true,
    }
}

fn why_empty(wish: &ListWish, wanted: &[&Held], all: &[Held]) -> String {
    let names = |held: &mut dyn Iterator<Item = &Held>| -> String {
        held.map(|h| h.recipe.name().to_string()).collect::<Vec<_>>().join(", ")
    };
    match (&wish.pattern, wanted.is_empty()) {
        (Some(pattern), false) => {
            format!("nothing has {pattern:?} in its name in {}", names(&mut wanted.iter().copied()))
        }
        (None, false) => format!("nothing was mined from {}", names(&mut wanted.iter().copied())),
        (_, true) => {
            format!("no such api holds here; name one with --api: {}", names(&mut all.iter()))
        }
    }
}

/// What a name must have: these pieces in this order, in lower case.
struct Pattern(Vec<String>);

impl Pattern {
    fn of(text: &str) -> Pattern {
        let pieces = text.split('*').filter(|piece| !piece.is_empty());
        Pattern(pieces.map(str::to_lowercase).collect())
    }

    fn is_in(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        let mut rest = name.as_str();
        self.0.iter().all(|piece| match rest.split_once(piece.as_str()) {
            Some((_, behind)) => {
                rest = behind;
                true
            }
            None => false,
        })
    }
}

/// Every symbol of an api: what it is, its type, and where that was read.
fn symbols(graph: &Datagraph, pattern: &Pattern, text: &mut String) {
    let mut add = |symbol: Symbol, said: String, at: (u32, u32)| {
        let name = symbol.to_string();
        if pattern.is_in(&name) {
            line(text, graph, &format!("{name}{said}"), at);
        }
    };
    for (key, interface) in &graph.interfaces {
        let what = format!("{:?}", interface.kind).to_lowercase();
        let open = interface.open.as_ref().map_or(String::new(), |why| format!(", open: {why}"));
        if *key != Key::globals() {
            add(Symbol::interface(key.clone()), format!("  {what}{open}"), interface.at);
        }
        for (name, member) in &interface.shape.members {
            add(Symbol::member(key.clone(), name.clone()), said(member), member.at);
        }
    }
    for (name, alias) in &graph.aliases {
        let symbol = Symbol::interface(Key::of_type(TypeName::clone(name)));
        add(symbol, format!(" = {}", alias.means), alias.at);
    }
}

/// Every topic of an api: where its words stand, the words, and what they lead to.
fn topics(documents: &Documents, pattern: &Pattern, text: &mut String) {
    for topic in &documents.topics {
        let symbols = names(&topic.symbols);
        if pattern.is_in(&topic.words) || pattern.is_in(&symbols) {
            let kind = format!("{:?}", topic.kind).to_lowercase();
            let said = format!("{kind}  {}  -> {symbols}", topic.words);
            line(text, &documents.graph, &said, topic.at);
        }
    }
}

/// Every construct of an api: its calls, and how well it is shown.
fn constructs(documents: &Documents, pattern: &Pattern, text: &mut String) {
    for one in &documents.constructs {
        let calls = std::iter::once(&one.opened_by).chain(&one.middle).chain([&one.closed_by]);
        let calls = calls.map(Symbol::to_string).collect::<Vec<_>>().join(" … ");
        if !pattern.is_in(&one.name) && !pattern.is_in(&calls) {
            continue;
        }
        let evidence = format!("{:?}", one.evidence).to_lowercase();
        let mut said = format!("{}  {calls}  {evidence}", one.name);
        for (what, symbols) in [("declared by", &one.declared_by), ("contains", &one.contains)] {
            if !symbols.is_empty() {
                let _ = write!(said, "  {what} {}", names(symbols));
            }
        }
        let chunk = one.example.and_then(|number| documents.chunk(number));
        let at = chunk.map_or((u32::MAX, 0), |chunk| (chunk.source, chunk.line));
        line(text, &documents.graph, &said, at);
    }
}

fn names(symbols: &[Symbol]) -> String {
    symbols.iter().map(Symbol::to_string).collect::<Vec<_>>().join(", ")
}

fn said(member: &Member) -> String {
    let deprecated = match member.deprecated.as_deref() {
        None => String::new(),
        Some("") => ", deprecated".to_string(),
        Some(why) => format!(", deprecated: {why}"),
    };
    let what = match member.kind {
        MemberKind::Method => {
            let all: Vec<String> = member.signatures.iter().map(ToString::to_string).collect();
            all.join(" | ")
        }
        MemberKind::Event => format!(": {} (event)", member.declared),
        MemberKind::Property => format!(": {}", member.declared),
    };
    format!("{what}{deprecated}")
}

fn line(text: &mut String, graph: &Datagraph, what: &str, at: (u32, u32)) {
    let place = match graph.sources.get(at.0 as usize) {
        Some(source) => format!("{}:{}", source.path, at.1),
        None => "no place in the documentation".to_string(),
    };
    let what = crate::envelope::visible(&what.replace('\n', " "));
    writeln!(text, "{}  {what}  {place}", graph.api).expect("writing to a string cannot fail");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_found_in_any_case_and_over_stars() {
        assert!(Pattern::of("").is_in("Layout.tableStart"));
        assert!(Pattern::of("TABLE").is_in("Layout.tableStart"));
        assert!(Pattern::of("layout.*start").is_in("Layout.tableStart"));
        assert!(!Pattern::of("start*table").is_in("Layout.tableStart"));
    }
}
