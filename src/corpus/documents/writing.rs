//! The index as tantivy writes it: one segment, symbols first in the order of their listing, then every chunk.
//!
//! One thread writes, so the same documentation gives the same document numbers. Only guide sections among the chunks
//! have words of their own; all chunks are kept in the document store, so that quoting needs no memory.

use super::DocumentsTrouble;
use super::listing::Listing;
use super::wording::{FIELDS, Field, Wording, Words, section};
use crate::datagraph::documentation::{Chunk, Documentation};
use std::collections::BTreeMap;
use tantivy::directory::Directory;
use tantivy::schema::{IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{PreTokenizedString, Token};
use tantivy::{Index, TantivyDocument};

/// The field that holds a chunk.
const CHUNK: &str = "chunk";

/// How much memory the writer's tables begin with, in bytes.
const BUDGET: usize = 32 * 1024 * 1024;

/// How the index is laid out.
pub struct Layout {
    /// The schema.
    pub schema: Schema,
    /// The fields in it.
    pub fields: BTreeMap<Field, tantivy::schema::Field>,
    /// The field that holds a chunk.
    pub chunk: tantivy::schema::Field,
}

impl Layout {
    /// The one layout.
    pub fn new() -> Layout {
        let mut schema = Schema::builder();
        let mut fields = BTreeMap::new();
        for field in FIELDS {
            let record = match field.is_counted() {
                true => IndexRecordOption::WithFreqs,
                false => IndexRecordOption::Basic,
            };
            let indexing = TextFieldIndexing::default()
                .set_tokenizer("raw")
                .set_index_option(record)
                .set_fieldnorms(field.is_counted());
            let options = TextOptions::default().set_indexing_options(indexing);
            fields.insert(field, schema.add_text_field(field.spelt(), options));
        }
        let chunk = schema.add_bytes_field(CHUNK, tantivy::schema::STORED);
        Layout { schema: schema.build(), fields, chunk }
    }

    fn document(&self, words: Words) -> TantivyDocument {
        let mut document = TantivyDocument::new();
        for (field, words) in words.into_iter().filter(|(_, words)| !words.is_empty()) {
            document.add_pre_tokenized_text(self.fields[&field], tokens(words));
        }
        document
    }
}

/// The index in `directory`, and of each symbol its words of name for what stands beside the index.
pub fn write(
    directory: impl Into<Box<dyn Directory>>,
    listing: &Listing,
    wording: &Wording<'_>,
    documentation: &Documentation,
) -> Result<(Index, Vec<Vec<String>>), DocumentsTrouble> {
    let layout = Layout::new();
    let mut writer = Index::builder()
        .schema(layout.schema.clone())
        .single_segment_index_writer(directory, BUDGET)
        .map_err(DocumentsTrouble::index)?;
    let mut names = Vec::with_capacity(listing.listed.len());
    for number in 0..listing.n_symbols() {
        let words = wording.symbol(number);
        let of_name = [Field::Name, Field::Interface].iter().filter_map(|field| words.get(field));
        let mut of_name: Vec<String> = of_name.flatten().cloned().collect();
        of_name.sort();
        of_name.dedup();
        names.push(of_name);
        writer.add_document(layout.document(words)).map_err(DocumentsTrouble::index)?;
    }
    for chunk in &documentation.chunks {
        let words = if is_section(chunk) { section(chunk) } else { Words::new() };
        let mut document = layout.document(words);
        document.add_bytes(layout.chunk, &packed(chunk));
        writer.add_document(document).map_err(DocumentsTrouble::index)?;
    }
    let index = writer.finalize().map_err(DocumentsTrouble::index)?;
    Ok((index, names))
}

/// Whether a chunk documents no symbol, so that only its own words lead to it.
pub fn is_section(chunk: &Chunk) -> bool {
    chunk.symbols.is_empty()
}

fn packed(chunk: &Chunk) -> Vec<u8> {
    postcard::to_stdvec(chunk)
        .expect("a chunk holds only lists, texts and numbers, which all have a spelling")
}

fn tokens(words: Vec<String>) -> PreTokenizedString {
    let tokens = words.into_iter().enumerate().map(|(position, text)| Token {
        position,
        text,
        offset_from: 0,
        offset_to: 0,
        position_length: 1,
    });
    PreTokenizedString { text: String::new(), tokens: tokens.collect() }
}
