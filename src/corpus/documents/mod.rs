//! What an api's sources say, opened for asking: chunks by number and by symbol, constructs and topics.

use crate::datagraph::Datagraph;
use crate::datagraph::documentation::{Chunk, Construct, Documentation, Symbol, Topic};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The documentation of one api.
#[derive(Debug, Default)]
pub struct Documents {
    /// What exists in the api.
    pub graph: Arc<Datagraph>,
    /// What takes several calls to build.
    pub constructs: Vec<Construct>,
    /// Goal words that lead to symbols.
    pub topics: Vec<Topic>,
    chunks: Vec<Chunk>,
    by_symbol: BTreeMap<Symbol, Vec<u32>>,
}

impl Documents {
    /// Opens what was just mined.
    pub fn of(graph: Arc<Datagraph>, documentation: Documentation) -> Documents {
        let Documentation { chunks, constructs, topics } = documentation;
        let mut by_symbol: BTreeMap<Symbol, Vec<u32>> = BTreeMap::new();
        for (idx, chunk) in (0..).zip(&chunks) {
            for symbol in &chunk.symbols {
                by_symbol.entry(symbol.clone()).or_default().push(idx);
            }
        }
        Documents { graph, constructs, topics, chunks, by_symbol }
    }

    /// How many chunks there are.
    pub fn n_chunks(&self) -> usize {
        self.chunks.len()
    }

    /// The chunk with this number; none where a construct or an index was made of other sources.
    pub fn chunk(&self, number: u32) -> Option<Chunk> {
        self.chunks.get(number as usize).cloned()
    }

    /// The chunks that document `symbol`.
    pub fn chunks_of(&self, symbol: &Symbol) -> Vec<u32> {
        self.by_symbol.get(symbol).cloned().unwrap_or_default()
    }
}
