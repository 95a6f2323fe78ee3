//! From documentation pages to a datagraph.
//!
//! Each page is tried in every dialect and belongs to the one that finds most in it. What a page lists is closed; what is
//! only mentioned, or listed nowhere, is open. A type that is not understood is opaque, a gap is a hole with its line.

pub mod draft;
pub mod spelling;
pub mod electron;
pub mod titles;
pub mod titled;
pub mod patterned;
#[cfg(test)]
mod tests;

use crate::base::{Name, to_u32};
use crate::datagraph::{Datagraph, Hole, Source};
use crate::sources::pages::Page;
use crate::sources::settings::patterns::Pattern;
use draft::Draft;
use std::collections::btree_map::Entry;
use std::fmt;
use titles::Owners;

/// A page to mine.
#[derive(Debug, Clone, PartialEq)]
pub struct PageFile {
    /// Its path as it is shown.
    pub path: Name,
    /// SHA-256 of its bytes, in hexadecimal.
    pub hash: Name,
    /// What it holds.
    pub page: Page,
}

/// How a page documents members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Members are headings spelt as code: `win.setTitle(title)`, `Event: 'closed'`.
    Electron,
    /// Members are sections titled `Interface-member`, described in fixed sentences.
    Titled,
    /// Members are what the configuration's own patterns find.
    Patterned,
    /// It documents none.
    Prose,
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dialect::Electron => "code headings",
            Dialect::Titled => "Interface-member titles",
            Dialect::Patterned => "your patterns",
            Dialect::Prose => "no members",
        })
    }
}

/// The datagraph of these pages, and the dialect of each in their order.
pub fn mine(api: Name, version: Name, files: Vec<PageFile>) -> (Datagraph, Vec<Dialect>) {
    let (graph, dialects, _) = mine_by(api, version, files, &[]);
    (graph, dialects)
}

/// The same with patterns of the configuration, and in how many sections each of them matched.
pub fn mine_by(
    api: Name,
    version: Name,
    files: Vec<PageFile>,
    patterns: &[Pattern],
) -> (Datagraph, Vec<Dialect>, Vec<usize>) {
    let mut graph = Datagraph { api, version, ..Datagraph::default() };
    let mut whole = Draft::default();
    let mut by_patterns = Draft::default();
    let mut counts = vec![0; patterns.len()];
    let mut dialects = Vec::new();
    let mut owners = Owners::default();
    files.iter().for_each(|file| owners.take(&file.page));
    for file in files {
        let source = to_u32(graph.sources.len());
        let patterned = patterned::draft(source, &file.page, patterns);
        counts.iter_mut().zip(&patterned.counts).for_each(|(all, here)| *all += here);
        let (dialect, draft) = best(source, &file.page, &owners, patterned.draft);
        let flaws = file.page.flaws.iter();
        graph.holes.extend(flaws.map(|f| Hole { source, line: f.line, what: f.what.into() }));
        match dialect {
            Dialect::Patterned => by_patterns.join(draft),
            Dialect::Electron | Dialect::Titled | Dialect::Prose => whole.join(draft),
        }
        dialects.push(dialect);
        graph.sources.push(Source { path: file.path, hash: file.hash });
    }
    patterned::open_what_lists_nothing(&mut by_patterns);
    whole.join(by_patterns);
    whole.settle(&mut graph);
    graph.holes.sort();
    graph.holes.dedup();
    (graph, dialects, counts)
}

/// What `page` documents, in the dialect that finds most in it; `owners` are the interfaces by the titles of all pages, and
/// `patterned` is what the configuration's own patterns found.
pub fn best(source: u32, page: &Page, owners: &Owners, patterned: Draft) -> (Dialect, Draft) {
    let electron = electron::draft(source, page);
    let titled = titled::draft(source, page, owners);
    let (n_electron, n_titled) = (electron.n_found(), titled.n_found());
    // What a team wrote down for its own pages goes before what only looks alike.
    if patterned.n_found() > 0 && patterned.n_found() >= n_electron.max(n_titled) {
        return (Dialect::Patterned, patterned);
    }
    match (n_electron, n_titled) {
        (0, 0) => (Dialect::Prose, Draft { holes: patterned.holes, ..Draft::default() }),
        (ours, theirs) if theirs >= ours => (Dialect::Titled, titled),
        _ => (Dialect::Electron, electron),
    }
}

/// Adds to `graph`, mined from declarations, what only `pages` have, and says so where they differ.
pub fn add(graph: &mut Datagraph, pages: Datagraph) {
    let n_before = to_u32(graph.sources.len());
    let moved = |at: (u32, u32)| (at.0 + n_before, at.1);
    for (key, mut one) in pages.interfaces {
        one.at = moved(one.at);
        for member in one.shape.members.values_mut() {
            member.at = moved(member.at);
        }
        let Some(known) = graph.interfaces.get_mut(&key) else {
            graph.interfaces.insert(key, one);
            continue;
        };
        for (name, member) in one.shape.members {
            if let Entry::Vacant(free) = known.shape.members.entry(name) {
                let what = format!("{}.{} is in the pages only", key.name, free.key());
                let (source, line) = member.at;
                graph.holes.push(Hole { source, line, what: what.into() });
                free.insert(member);
            }
        }
    }
    for (name, mut alias) in pages.aliases {
        alias.at = moved(alias.at);
        graph.aliases.entry(name).or_insert(alias);
    }
    for (specifier, module) in pages.modules {
        graph.modules.entry(specifier).or_insert(module);
    }
    let holes = pages.holes.into_iter();
    graph.holes.extend(holes.map(|hole| Hole { source: hole.source + n_before, ..hole }));
    graph.holes.sort();
    graph.sources.extend(pages.sources);
}
