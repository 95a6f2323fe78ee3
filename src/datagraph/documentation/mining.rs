//! From an api's sources to what they say.
//!
//! It reads texts that somebody else opened; what stands in none of them is not made up.

use super::chunks;
use super::constructs::constructs;
use super::places::Places;
use super::{Chunk, Documentation, SourceKind, SourceText};
use crate::datagraph::Datagraph;

/// What `sources`, from which `graph` was mined, say.
pub fn of(graph: &Datagraph, sources: &[SourceText]) -> Documentation {
    let places = Places::of(graph, sources);
    let mut chunks: Vec<Chunk> = Vec::new();
    for one in sources {
        match &one.kind {
            SourceKind::Page(page) => {
                let path = graph.sources.get(one.source as usize).map_or("", |s| s.path.as_str());
                chunks.extend(chunks::of_page(one, page, path, &places));
            }
            SourceKind::Declarations => {}
        }
    }
    chunks.sort_by_key(|chunk| (chunk.source, chunk.line));
    let constructs = constructs(graph, &chunks);
    Documentation { chunks, constructs, ..Documentation::default() }
}
