//! What an api's sources say, opened for asking: chunks by number and by symbol, constructs, topics, and the text index.
//!
//! It is made once from what was mined, in memory or in a folder, and opened from there without being read through. A
//! folder that is damaged, or was made of another api, is an error and never an answer.

mod kin;
pub mod listing;
mod wording;
mod writing;
mod beside;
pub mod spellings;
pub mod asking;
#[cfg(test)]
mod tests;

use crate::base::to_u32;
use crate::datagraph::Datagraph;
use crate::datagraph::documentation::{Chunk, Construct, Documentation, Symbol, Topic};
use beside::Beside;
use listing::Listing;
use spellings::Spellings;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use tantivy::directory::{Directory, MmapDirectory, RamDirectory};
use tantivy::schema::Value;
use tantivy::store::StoreReader;
use tantivy::{Index, SegmentReader, TantivyDocument};
use wording::{Field, Wording};
use writing::Layout;

/// How many blocks of the chunk store are kept unpacked.
const CACHED_BLOCKS: usize = 16;

/// The documentation of one api.
pub struct Documents {
    /// What exists in the api.
    pub graph: Arc<Datagraph>,
    /// What takes several calls to build.
    pub constructs: Vec<Construct>,
    /// Goal words that lead to symbols.
    pub topics: Vec<Topic>,
    /// What exists in the api, in the order of the index.
    pub listing: Listing,
    beside: Beside,
    layout: Layout,
    segment: SegmentReader,
    store: StoreReader,
    spellings: OnceLock<Spellings>,
}

/// Why there is no text index.
#[derive(Debug, thiserror::Error)]
pub enum DocumentsTrouble {
    /// A file cannot be read or written.
    #[error("the text index cannot be used, {path}: {why}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: String,
    },
    /// What was kept is not what was written.
    #[error("the text index is damaged ({0}): it has to be made again")]
    Damaged(String),
    /// It was made of other symbols.
    #[error("the text index was made of another version of {0}: it has to be made again")]
    OtherApi(String),
}

impl DocumentsTrouble {
    fn index(why: tantivy::TantivyError) -> DocumentsTrouble {
        DocumentsTrouble::Damaged(why.to_string())
    }

    fn damaged(what: &str) -> DocumentsTrouble {
        DocumentsTrouble::Damaged(what.to_owned())
    }

    fn unreadable(path: &Path, why: &dyn fmt::Display) -> DocumentsTrouble {
        DocumentsTrouble::Unreadable { path: path.to_path_buf(), why: why.to_string() }
    }
}

impl Documents {
    /// Opens what was just mined, with its index in memory.
    pub fn of(graph: Arc<Datagraph>, documentation: Documentation) -> Documents {
        let made = Made::of(&graph, documentation, RamDirectory::create());
        let opened = made.and_then(|Made { listing, beside, index }| {
            Documents::from(graph, listing, beside, index)
        });
        opened.expect("an index in memory needs no file, and all of its fields are in its schema")
    }

    /// Writes a whole index into `folder`, which is made and must be new, and opens it. The folder may be renamed.
    pub fn build(
        graph: Arc<Datagraph>,
        documentation: Documentation,
        folder: &Path,
    ) -> Result<Documents, DocumentsTrouble> {
        std::fs::create_dir_all(folder)
            .map_err(|why| DocumentsTrouble::unreadable(folder, &why))?;
        let directory = MmapDirectory::open(folder)
            .map_err(|why| DocumentsTrouble::unreadable(folder, &why))?;
        let Made { listing, beside, index } = Made::of(&graph, documentation, directory)?;
        beside::write(folder, &beside)?;
        Documents::from(graph, listing, beside, index)
    }

    /// Opens the index in `folder`, which only is read: a lock or a list of files is written by nobody.
    pub fn open(graph: Arc<Datagraph>, folder: &Path) -> Result<Documents, DocumentsTrouble> {
        let beside = beside::read(folder)?;
        let listing = Listing::of(&graph);
        if beside.digest != listing.digest() {
            return Err(DocumentsTrouble::OtherApi(graph.api.to_string()));
        }
        // Its readers take a file at its word in places; all of its bytes were summed before they do.
        let opened = catch_unwind(AssertUnwindSafe(|| {
            let directory = MmapDirectory::open(folder)
                .map_err(|why| DocumentsTrouble::unreadable(folder, &why))?;
            let index = Index::open(directory).map_err(DocumentsTrouble::index)?;
            let damaged = index.validate_checksum().map_err(DocumentsTrouble::index)?;
            if let Some(first) = damaged.iter().min() {
                return Err(DocumentsTrouble::Damaged(first.display().to_string()));
            }
            Documents::from(graph, listing, beside, index)
        }));
        opened.unwrap_or_else(|_| Err(DocumentsTrouble::damaged("its files contradict each other")))
    }

    fn from(
        graph: Arc<Datagraph>,
        listing: Listing,
        mut beside: Beside,
        index: Index,
    ) -> Result<Documents, DocumentsTrouble> {
        let layout = Layout::new();
        if index.schema() != layout.schema {
            return Err(DocumentsTrouble::damaged("another schema"));
        }
        // Segments are opened without the index's own reader, which would write a lock file and watch the folder.
        let segments = index.searchable_segments().map_err(DocumentsTrouble::index)?;
        let [segment] = segments.as_slice() else {
            return Err(DocumentsTrouble::damaged("not one segment"));
        };
        let segment = SegmentReader::open(segment).map_err(DocumentsTrouble::index)?;
        if segment.max_doc() != beside.n_symbols.saturating_add(beside.n_chunks) {
            return Err(DocumentsTrouble::damaged("documents are missing"));
        }
        let store = segment
            .get_store_reader(CACHED_BLOCKS)
            .map_err(|why| DocumentsTrouble::Damaged(why.to_string()))?;
        let constructs = std::mem::take(&mut beside.constructs);
        let topics = std::mem::take(&mut beside.topics);
        let spellings = OnceLock::new();
        Ok(Documents {
            graph,
            constructs,
            topics,
            listing,
            beside,
            layout,
            segment,
            store,
            spellings,
        })
    }

    /// How many chunks there are.
    pub fn n_chunks(&self) -> usize {
        self.beside.n_chunks as usize
    }

    /// How many chunks are guide sections: they document no symbol.
    pub fn n_sections(&self) -> usize {
        self.beside.n_sections as usize
    }

    /// The chunk with this number; none where a construct or an index was made of other sources.
    pub fn chunk(&self, number: u32) -> Option<Chunk> {
        let document = self.beside.n_symbols.checked_add(number)?;
        let is_there = number < self.beside.n_chunks;
        let kept: TantivyDocument = is_there.then(|| self.store.get(document).ok())??;
        let bytes = kept.get_first(self.layout.chunk)?;
        postcard::from_bytes(bytes.as_bytes()?).ok()
    }

    /// The chunks that document `symbol`.
    pub fn chunks_of(&self, symbol: &Symbol) -> Vec<u32> {
        let number = self.listing.number(&self.graph, symbol);
        number.map_or(Vec::new(), |number| self.chunks_of_number(number).to_vec())
    }

    /// The chunks that document the symbol with this number in the listing.
    pub fn chunks_of_number(&self, number: u32) -> &[u32] {
        self.beside.by_symbol.get(number as usize).map_or(&[], Vec::as_slice)
    }

    /// How much a symbol counts before any word is looked at.
    pub fn prior(&self, number: u32) -> f32 {
        self.beside.priors.get(number as usize).copied().unwrap_or(1.0)
    }

    /// The names of the api by how they may be spelt.
    pub fn spellings(&self) -> &Spellings {
        self.spellings.get_or_init(|| Spellings::of(&self.listing))
    }

    /// How the symbol with this number is declared, on one line.
    pub fn signature(&self, number: u32) -> String {
        let one = self.listing.symbol(number);
        one.map_or(String::new(), |one| listing::signature(&self.graph, &one.symbol))
    }

    fn field(&self, field: Field) -> tantivy::schema::Field {
        self.layout.fields[&field]
    }
}

impl Default for Documents {
    fn default() -> Documents {
        Documents::of(Arc::default(), Documentation::default())
    }
}

impl fmt::Debug for Documents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Datagraph { api, version, .. } = self.graph.as_ref();
        write!(f, "Documents({api} {version}, {} chunks)", self.n_chunks())
    }
}

/// An index that was just written.
struct Made {
    listing: Listing,
    beside: Beside,
    index: Index,
}

impl Made {
    fn of(
        graph: &Datagraph,
        documentation: Documentation,
        directory: impl Into<Box<dyn Directory>>,
    ) -> Result<Made, DocumentsTrouble> {
        let listing = Listing::of(graph);
        let mut by_symbol: Vec<Vec<u32>> = vec![Vec::new(); listing.listed.len()];
        for (chunk_idx, chunk) in (0..).zip(&documentation.chunks) {
            for number in chunk.symbols.iter().filter_map(|s| listing.number(graph, s)) {
                let chunks = &mut by_symbol[number as usize];
                if chunks.last() != Some(&chunk_idx) {
                    chunks.push(chunk_idx);
                }
            }
        }
        // The piece that stands where a symbol is declared comes before those that name it too.
        for (one, chunks) in listing.listed.iter().zip(&mut by_symbol) {
            chunks.sort_by_key(|number| {
                let chunk = &documentation.chunks[*number as usize];
                let is_its_own =
                    chunk.source == one.at.0 && (chunk.line..=chunk.last_line).contains(&one.at.1);
                (!is_its_own, *number)
            });
        }
        let wording = Wording::of(graph, &listing, &documentation, &by_symbol);
        let priors = (0..listing.n_symbols()).map(|number| wording.prior(number)).collect();
        let (index, names) = writing::write(directory, &listing, &wording, &documentation)?;
        let n_sections = documentation.chunks.iter().filter(|c| writing::is_section(c)).count();
        let beside = Beside {
            digest: listing.digest(),
            n_symbols: listing.n_symbols(),
            n_chunks: to_u32(documentation.chunks.len()),
            n_sections: to_u32(n_sections),
            priors,
            masses: masses(&index, &names)?,
            by_symbol,
            constructs: documentation.constructs,
            topics: documentation.topics,
        };
        Ok(Made { listing, beside, index })
    }
}

/// What each name says: the sum of its words' weights.
fn masses(index: &Index, names: &[Vec<String>]) -> Result<Vec<f32>, DocumentsTrouble> {
    let (layout, segments) = (Layout::new(), index.searchable_segments());
    let segments = segments.map_err(DocumentsTrouble::index)?;
    let Some(segment) = segments.first() else { return Ok(vec![1.0; names.len()]) };
    let segment = SegmentReader::open(segment).map_err(DocumentsTrouble::index)?;
    let field = layout.fields[&Field::Any];
    let mut known: BTreeMap<&str, f32> = BTreeMap::new();
    for word in names.iter().flatten() {
        if !known.contains_key(word.as_str()) {
            known.insert(word, asking::weight(&segment, field, word, names.len()));
        }
    }
    let mass = |name: &Vec<String>| name.iter().map(|word| known[word.as_str()]).sum();
    Ok(names.iter().map(mass).collect())
}
