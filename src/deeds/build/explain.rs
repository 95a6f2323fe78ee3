//! What was recognised in an api's sources and what was not.

use crate::corpus::store::{Held, Recipe};
use crate::datagraph::Datagraph;
use crate::datagraph::documentation::Documentation;
use crate::sources::settings::dialects::Dialect;
use crate::sources::workspace::opening::slashed;
use crate::types::Member;
use std::collections::BTreeMap;
use std::fmt::Write;

/// How many things of one kind are listed before they are only counted.
const MAX_LISTED: usize = 20;

/// How many pages that the configuration's patterns read are shown, and how many members of each.
const MAX_SHOWN: usize = 3;

/// What a source, or all together, gave.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Interfaces that begin there.
    pub n_interfaces: usize,
    /// Members.
    pub n_members: usize,
    /// Members whose type is known whole.
    pub n_typed: usize,
    /// Type aliases.
    pub n_aliases: usize,
    /// Places that could not be represented.
    pub n_holes: usize,
}

/// One line for an api.
pub fn brief(held: &Held) -> String {
    let graph = &held.kept.datagraph;
    let all = tallies(graph).into_values().fold(Tally::default(), Tally::and);
    let from = match &held.recipe {
        Recipe::Package(package) => format!("installed in {}", slashed(&package.folder)),
        Recipe::Listed { files, pages, .. } if pages.is_empty() => format!("{} files", files.len()),
        Recipe::Listed { files, pages, .. } => {
            format!("{} files, {} pages", files.len(), pages.len())
        }
        Recipe::Folder { folder, .. } => format!("datagraph {}", slashed(folder)),
        Recipe::Embedded(_) => "built in".to_string(),
    };
    let name = format!("{} {}", graph.api, graph.version);
    format!("{}  {}  {from}\n", name.trim_end(), all.said())
}

/// What each source of an api gave, what `said` has of it, and everything that is not known for certain.
pub fn sources(held: &Held, said: &Documentation) -> String {
    let graph = &held.kept.datagraph;
    let mut text = brief(held);
    let spoken = spoken(said);
    let all = spoken.values().fold(Spoken::default(), |a, b| a.and(*b));
    let (n_constructs, n_topics) = (said.constructs.len(), said.topics.len());
    text.push_str(&format!(
        "  says: {} · {n_constructs} constructs · {n_topics} topics\n",
        all.said()
    ));
    dialects(&mut text, held);
    let tallies = tallies(graph);
    // What gave nothing or has holes comes first: that is what a reader looks for.
    let mut order: Vec<(u32, Tally)> = tallies.into_iter().collect();
    order.sort_by_key(|(source, t)| (t.n_holes == 0 && t.n_interfaces + t.n_members > 0, *source));
    let lines = order.iter().map(|(source, tally)| {
        let name = source_name(graph, *source);
        let dialect = held.kept.dialects.iter().find(|(path, _)| path == name);
        let dialect = dialect.map_or(String::new(), |(_, d)| format!("{d} · "));
        let spoken = spoken.get(source).copied().unwrap_or_default();
        format!("{name}  {dialect}{} · {}", tally.said(), spoken.said())
    });
    list(&mut text, "sources", lines);
    patterns(&mut text, held);
    let holes = graph
        .holes
        .iter()
        .map(|h| format!("{}:{}  {}", source_name(graph, h.source), h.line, h.what));
    list(&mut text, "holes", holes);
    let open = graph.interfaces.iter().filter_map(|(key, one)| {
        let why = one.open.as_ref()?;
        let name = crate::datagraph::names::key_text(key);
        Some(format!("{}:{}  {name}: {why}", source_name(graph, one.at.0), one.at.1))
    });
    list(&mut text, "open interfaces, on which nothing is called invented", open);
    let unread = held.kept.unread.iter().map(|u| format!("{}  {}", u.path, u.why));
    list(&mut text, "not read", unread);
    text
}

/// What the documentation has of a source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Spoken {
    n_chunks: usize,
    n_examples: usize,
}

impl Spoken {
    fn and(self, other: Spoken) -> Spoken {
        Spoken {
            n_chunks: self.n_chunks + other.n_chunks,
            n_examples: self.n_examples + other.n_examples,
        }
    }

    fn said(self) -> String {
        format!("{} chunks · {} with an example", self.n_chunks, self.n_examples)
    }
}

fn spoken(said: &Documentation) -> BTreeMap<u32, Spoken> {
    let mut all: BTreeMap<u32, Spoken> = BTreeMap::new();
    for chunk in &said.chunks {
        let one = all.entry(chunk.source).or_default();
        one.n_chunks += 1;
        one.n_examples += usize::from(["```", "~~~"].iter().any(|mark| chunk.text.contains(mark)));
    }
    all
}

/// How many pages are written in each dialect.
fn dialects(text: &mut String, held: &Held) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, dialect) in &held.kept.dialects {
        *counts.entry(dialect).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(dialect, n)| (std::cmp::Reverse(*n), *dialect));
    let lines = counts.iter().map(|(dialect, n)| match n {
        1 => format!("{dialect}  1 page"),
        n => format!("{dialect}  {n} pages"),
    });
    list(text, "dialects", lines);
}

/// How often each pattern of the configuration matched, and what became of the first pages that they read.
fn patterns(text: &mut String, held: &Held) {
    let counted = held.kept.patterns.iter().map(|(pattern, n)| match n {
        0 => format!("no section  {pattern}"),
        1 => format!("1 section  {pattern}"),
        n => format!("{n} sections  {pattern}"),
    });
    list(text, "patterns, and how many sections they matched", counted);
    let graph = &held.kept.datagraph;
    let theirs = Dialect::Patterned.to_string();
    let pages = held.kept.dialects.iter().filter(|(_, dialect)| *dialect == theirs);
    let shown = pages.take(MAX_SHOWN).map(|(path, _)| {
        let source = graph.sources.iter().position(|s| s.path == *path).unwrap_or(usize::MAX);
        let members: Vec<String> = graph
            .interfaces
            .iter()
            .flat_map(|(key, one)| one.shape.members.iter().map(move |(name, m)| (key, name, m)))
            .filter(|(_, _, member)| member.at.0 as usize == source)
            .map(|(key, name, member)| format!("{}.{name}{}", key.name.path, spelt(member)))
            .collect();
        let first = members.iter().take(MAX_SHOWN).cloned().collect::<Vec<_>>().join("; ");
        match members.len().saturating_sub(MAX_SHOWN) {
            0 => format!("{path}  {first}"),
            n => format!("{path}  {first}; and {n} more"),
        }
    });
    list(text, "what the patterns made of the first pages", shown);
}

/// What a member is, behind its name: its first signature, or its type.
fn spelt(member: &Member) -> String {
    match member.signatures.first() {
        Some(signature) => signature.to_string(),
        None => format!(": {}", member.declared),
    }
}

fn list(text: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let all: Vec<String> = lines.collect();
    if all.is_empty() {
        return;
    }
    let mut add = |line: String| {
        writeln!(text, "{line}").expect("writing to a string cannot fail");
    };
    add(format!("  {title}: {}", all.len()));
    all.iter().take(MAX_LISTED).for_each(|line| add(format!("    {line}")));
    if all.len() > MAX_LISTED {
        add(format!("    and {} more", all.len() - MAX_LISTED));
    }
}

fn source_name(graph: &Datagraph, source: u32) -> &str {
    graph.sources.get(source as usize).map_or("?", |s| s.path.as_str())
}

impl Tally {
    fn and(self, other: Tally) -> Tally {
        Tally {
            n_interfaces: self.n_interfaces + other.n_interfaces,
            n_members: self.n_members + other.n_members,
            n_typed: self.n_typed + other.n_typed,
            n_aliases: self.n_aliases + other.n_aliases,
            n_holes: self.n_holes + other.n_holes,
        }
    }

    fn said(&self) -> String {
        let share = (self.n_typed * 1000).checked_div(self.n_members).unwrap_or(1000);
        format!(
            "{} interfaces · {} members, {}.{} % with their whole type · {} aliases · {} holes",
            self.n_interfaces,
            self.n_members,
            share / 10,
            share % 10,
            self.n_aliases,
            self.n_holes
        )
    }
}

/// What each source of a datagraph gave.
pub fn tallies(graph: &Datagraph) -> BTreeMap<u32, Tally> {
    let mut all: BTreeMap<u32, Tally> = BTreeMap::new();
    for source in 0..graph.sources.len() {
        all.insert(crate::base::to_u32(source), Tally::default());
    }
    for one in graph.interfaces.values() {
        all.entry(one.at.0).or_default().n_interfaces += 1;
        for member in one.shape.members.values() {
            let tally = all.entry(member.at.0).or_default();
            tally.n_members += 1;
            tally.n_typed += usize::from(is_typed(member));
        }
    }
    for alias in graph.aliases.values() {
        all.entry(alias.at.0).or_default().n_aliases += 1;
    }
    for hole in &graph.holes {
        all.entry(hole.source).or_default().n_holes += 1;
    }
    all
}

/// Whether nothing in a member's type is opaque. Asked of its text, which spells every part.
fn is_typed(member: &Member) -> bool {
    let opaque = |text: String| text.contains("opaque(\"");
    !opaque(member.declared.to_string()) && !member.signatures.iter().any(|s| opaque(s.to_string()))
}
