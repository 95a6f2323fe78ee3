//! From documentation pages to a datagraph.
//!
//! Each page is tried in every dialect and belongs to the one that finds most in it. What a page lists is closed; what is
//! only mentioned, or listed nowhere, is open. A type that is not understood is opaque, a gap is a hole with its line.

pub mod draft;
pub mod spelling;
pub mod entries;
pub mod electron;
pub mod titles;
pub mod titled;
pub mod documenter;
pub mod mkdocs;
pub mod docfx;
pub mod roblox;
pub mod jquery;
pub mod godot;
pub mod typedoc;
pub mod qdoc;
pub mod typedoc_html;
pub mod typedoc_markdown;
pub mod sphinx;
pub mod jsdoc;
pub mod doxygen;
pub mod mdn;
pub mod own;
pub mod patterned;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod formats;

use crate::base::{Name, to_u32};
use crate::datagraph::{Datagraph, Hole, Source};
use crate::sources::pages::{Form, Page};
use crate::sources::settings::dialects::Dialect;
use crate::sources::settings::patterns::Pattern;
use draft::Draft;
use std::collections::btree_map::Entry;
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

/// A page that dialects are tried on.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'p> {
    /// Index into the datagraph's sources.
    pub source: u32,
    /// Its path as it is shown.
    pub path: &'p str,
    /// What it holds.
    pub page: &'p Page,
}

/// How pages are to be read, as far as a configuration says it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reading<'p> {
    /// Its own patterns.
    pub patterns: &'p [Pattern],
    /// The dialect of all pages; without it each page is tried in every one.
    pub dialect: Option<Dialect>,
}

/// The datagraph of these pages, and the dialect of each in their order.
pub fn mine(api: Name, version: Name, files: Vec<PageFile>) -> (Datagraph, Vec<Dialect>) {
    let (graph, dialects, _) = mine_by(api, version, files, Reading::default());
    (graph, dialects)
}

/// The same as a configuration says, and in how many sections each of its patterns matched.
pub fn mine_by(
    api: Name,
    version: Name,
    files: Vec<PageFile>,
    reading: Reading<'_>,
) -> (Datagraph, Vec<Dialect>, Vec<usize>) {
    let mut graph = Datagraph { api, version, ..Datagraph::default() };
    let mut whole = Draft::default();
    let mut by_patterns = Draft::default();
    let mut counts = vec![0; reading.patterns.len()];
    let mut dialects = Vec::new();
    let mut owners = Owners::default();
    files.iter().for_each(|file| owners.take(&file.page));
    for file in files {
        let source = to_u32(graph.sources.len());
        let patterned = patterned::draft(source, &file.page, reading.patterns);
        counts.iter_mut().zip(&patterned.counts).for_each(|(all, here)| *all += here);
        let candidate = Candidate { source, path: &file.path, page: &file.page };
        let (dialect, draft) = match reading.dialect {
            Some(dialect) => (dialect, read_as(dialect, candidate, &owners, patterned.draft)),
            None => best(candidate, &owners, patterned.draft),
        };
        let flaws = file.page.flaws.iter();
        graph.holes.extend(flaws.map(|f| Hole { source, line: f.line, what: f.what.into() }));
        match dialect == Dialect::Patterned {
            true => by_patterns.join(draft),
            false => whole.join(draft),
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

/// What a page documents in one dialect.
fn read_as(dialect: Dialect, one: Candidate<'_>, owners: &Owners, patterned: Draft) -> Draft {
    let Candidate { source, path, page } = one;
    match dialect {
        Dialect::Electron => electron::draft(source, page),
        Dialect::Titled => titled::draft(source, page, owners),
        Dialect::Documenter => documenter::draft(source, page),
        Dialect::MkDocs => mkdocs::draft(source, page),
        Dialect::DocFx => docfx::draft(source, page),
        Dialect::Roblox => roblox::draft(source, page),
        Dialect::JQuery => jquery::draft(source, page),
        Dialect::Godot => godot::draft(source, page),
        Dialect::TypeDoc => typedoc::draft(source, page),
        Dialect::Qdoc => qdoc::draft(source, page, path.rsplit('/').next().unwrap_or(path)),
        Dialect::TypeDocHtml => typedoc_html::draft(source, page),
        Dialect::TypeDocMarkdown => typedoc_markdown::draft(source, page),
        Dialect::Sphinx => sphinx::draft(source, page),
        Dialect::JsDoc => jsdoc::draft(source, page),
        Dialect::Doxygen => doxygen::draft(source, page),
        Dialect::Mdn => mdn::draft(source, page),
        Dialect::Own => own::draft(source, page),
        Dialect::Patterned => patterned,
        Dialect::Prose => Draft::default(),
    }
}

/// Whether pages of that form may be written in a dialect.
fn is_tried(dialect: Dialect, form: Form) -> bool {
    match dialect {
        Dialect::Electron
        | Dialect::Documenter
        | Dialect::MkDocs
        | Dialect::TypeDocMarkdown
        | Dialect::Mdn => form == Form::Text,
        Dialect::Titled => form != Form::Records,
        Dialect::DocFx
        | Dialect::Roblox
        | Dialect::JQuery
        | Dialect::Godot
        | Dialect::TypeDoc
        | Dialect::Own => form == Form::Records,
        Dialect::Qdoc
        | Dialect::TypeDocHtml
        | Dialect::Sphinx
        | Dialect::JsDoc
        | Dialect::Doxygen => form == Form::Marked,
        Dialect::Patterned | Dialect::Prose => false,
    }
}

/// What a page documents, in the dialect that finds most in it; `owners` are the interfaces by the titles of all pages, and
/// `patterned` is what the configuration's own patterns found.
pub fn best(one: Candidate<'_>, owners: &Owners, patterned: Draft) -> (Dialect, Draft) {
    let mut found = (Dialect::Prose, Draft::default());
    // Of two that find the same, the one that asks for more of a page goes first.
    for dialect in Dialect::ALL {
        if !is_tried(dialect, one.page.form) {
            continue;
        }
        let draft = read_as(dialect, one, owners, Draft::default());
        if draft.n_found() > found.1.n_found() {
            found = (dialect, draft);
        }
    }
    // What a team wrote down for its own pages goes before what only looks alike.
    if patterned.n_found() > 0 && patterned.n_found() >= found.1.n_found() {
        return (Dialect::Patterned, patterned);
    }
    if found.0 == Dialect::Prose {
        return (Dialect::Prose, Draft { holes: patterned.holes, ..Draft::default() });
    }
    found
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
