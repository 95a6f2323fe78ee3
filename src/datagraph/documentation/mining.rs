//! From an api's sources to what they say.
//!
//! It reads texts that somebody else opened; what stands in none of them is not made up.

use super::constructs::constructs;
use super::links::Links;
use super::meanings::Meanings;
use super::places::Places;
use super::topics::Phrasebook;
use super::{Chunk, Documentation, SourceKind, SourceText, Symbol, chunks, declared};
use crate::datagraph::Datagraph;
use std::collections::BTreeSet;

/// What `sources`, from which `graph` was mined, say.
pub fn of(graph: &Datagraph, sources: &[SourceText]) -> Documentation {
    let places = Places::of(graph, sources);
    let mut meanings = Meanings::of(graph);
    for one in sources {
        if let SourceKind::Page(page) = &one.kind {
            meanings.learn(one.source, page, &places);
        }
    }
    let links = Links::of(graph, sources, &places);
    let mut phrasebook = Phrasebook::new(&meanings, &links);
    let mut chunks: Vec<Chunk> = Vec::new();
    for one in sources {
        match &one.kind {
            SourceKind::Page(page) => {
                let path = graph.sources.get(one.source as usize).map_or("", |s| s.path.as_str());
                chunks.extend(chunks::of_page(one, page, path, &places, &meanings));
                phrasebook.take_page(one.source, path, page, &places);
            }
            SourceKind::Declarations => {
                for declaration in declared::of_declarations(one, &places) {
                    let symbols = declaration.chunks.first().map_or(&[][..], |c| &c.symbols);
                    if let Some(comment) = &declaration.comment {
                        phrasebook.take_comment(one.source, comment, symbols);
                    }
                    chunks.extend(declaration.chunks);
                }
            }
        }
    }
    leave_out_what_pages_say(&mut chunks, sources);
    chunks.sort_by_key(|chunk| (chunk.source, chunk.line));
    let constructs = constructs(graph, &chunks);
    Documentation { chunks, constructs, topics: phrasebook.topics() }
}

/// A declaration is no piece of its own where a page documents all that it declares: the page says more.
fn leave_out_what_pages_say(chunks: &mut Vec<Chunk>, sources: &[SourceText]) {
    let pages = sources.iter().filter(|one| matches!(one.kind, SourceKind::Page(_)));
    let pages: BTreeSet<u32> = pages.map(|one| one.source).collect();
    let of_pages = chunks.iter().filter(|chunk| pages.contains(&chunk.source));
    let told: BTreeSet<Symbol> = of_pages.flat_map(|chunk| chunk.symbols.clone()).collect();
    chunks.retain(|chunk| {
        pages.contains(&chunk.source) || chunk.symbols.iter().any(|symbol| !told.contains(symbol))
    });
}
