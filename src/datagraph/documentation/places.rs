//! Which symbols stand on which line of which source.
//!
//! A symbol stands where the datagraph says that it was read. Where declarations and pages are sources of one api, the
//! datagraph only keeps the declaration's place, so each page is asked again what it documents. A name that the
//! datagraph does not have stands nowhere.

use super::{SourceKind, SourceText, Symbol};
use crate::base::Name;
use crate::datagraph::pages::draft::Draft;
use crate::datagraph::pages::titles::Owners;
use crate::datagraph::pages::{Candidate, best};
use crate::datagraph::{Datagraph, Key};
use crate::types::TypeName;
use std::collections::{BTreeMap, BTreeSet};

/// The symbols by source and line.
#[derive(Debug, Default)]
pub struct Places {
    by_source: BTreeMap<u32, Vec<(u32, Symbol)>>,
}

impl Places {
    /// The places of all that `graph` has.
    pub fn of(graph: &Datagraph, sources: &[SourceText]) -> Places {
        let mut places = Places::default();
        for (key, one) in &graph.interfaces {
            places.add(one.at, || Symbol::interface(key.clone()));
            for (name, member) in &one.shape.members {
                places.add(member.at, || Symbol::member(key.clone(), name.clone()));
            }
        }
        for (name, alias) in &graph.aliases {
            places.add(alias.at, || Symbol::interface(Key::of_type(name.clone())));
        }
        let modules: Vec<&Name> = modules(graph);
        let pages = || {
            sources.iter().filter_map(|one| match &one.kind {
                SourceKind::Page(page) => Some((one.source, page)),
                SourceKind::Declarations => None,
            })
        };
        let mut owners = Owners::default();
        pages().for_each(|(_, page)| owners.take(page));
        for (source, page) in pages() {
            let path = graph.sources.get(source as usize).map_or("", |one| one.path.as_str());
            let (_, draft) = best(Candidate { source, path, page }, &owners, Draft::default());
            places.add_told(graph, &modules, draft);
        }
        let paged: BTreeSet<u32> =
            sources.iter().filter(|s| is_page(s)).map(|s| s.source).collect();
        for (source, found) in &mut places.by_source {
            // A module as a whole is documented by no section.
            found.retain(|(_, symbol)| !paged.contains(source) || !symbol.is_module());
            found.sort();
            found.dedup();
        }
        places
    }

    /// The symbols on the lines from `first` to `last`, in the order of the lines.
    pub fn within(&self, source: u32, first: u32, last: u32) -> &[(u32, Symbol)] {
        let all = self.by_source.get(&source).map_or(&[][..], Vec::as_slice);
        let start = all.partition_point(|(line, _)| *line < first);
        let end = all.partition_point(|(line, _)| *line <= last);
        all.get(start..end).unwrap_or(&[])
    }

    fn add(&mut self, at: (u32, u32), symbol: impl FnOnce() -> Symbol) {
        // Line 0 is the place of what has none.
        if at.1 > 0 {
            self.by_source.entry(at.0).or_default().push((at.1, symbol()));
        }
    }

    /// What a page documents, as far as `graph` has it.
    fn add_told(&mut self, graph: &Datagraph, modules: &[&Name], draft: Draft) {
        let mut tell = |key: &Key, member: Option<&Name>, at: (u32, u32)| {
            if let Some(symbol) = known(graph, modules, key, member) {
                self.add(at, || symbol);
            }
        };
        for (key, one) in &draft.interfaces {
            tell(key, None, one.at);
            for (name, member) in &one.shape.members {
                tell(key, Some(name), member.at);
            }
        }
        for (name, alias) in &draft.aliases {
            tell(&Key::of_type(name.clone()), None, alias.at);
        }
        for (name, export) in &draft.exports {
            tell(&Key::globals(), Some(name), export.at);
        }
    }
}

/// The modules that `graph` describes, each once.
pub fn modules(graph: &Datagraph) -> Vec<&Name> {
    let mut modules: Vec<&Name> = graph.modules.values().collect();
    modules.sort();
    modules.dedup();
    modules
}

/// The symbol that a page calls so: global, or of one of the modules.
fn known(graph: &Datagraph, modules: &[&Name], key: &Key, member: Option<&Name>) -> Option<Symbol> {
    let place = |module: &Name| {
        let name = TypeName { module: module.clone(), path: key.name.path.clone() };
        Symbol { owner: Key { name, side: key.side }, member: member.cloned() }
    };
    let as_said = Symbol { owner: key.clone(), member: member.cloned() };
    std::iter::once(as_said)
        .chain(modules.iter().map(|module| place(module)))
        .find(|symbol| symbol.is_in(graph))
}

fn is_page(source: &SourceText) -> bool {
    matches!(source.kind, SourceKind::Page(_))
}
