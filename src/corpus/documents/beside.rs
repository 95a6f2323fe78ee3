//! What stands beside the index in one small file: constructs, topics, which chunks document which symbol, and what the
//! score needs of each symbol.
//!
//! The file begins with a checksum of the rest, and holds the hashes of the index's own small files, which have none.

use super::DocumentsTrouble;
use crate::datagraph::documentation::{Construct, Topic};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;

/// The file's name.
const FILE: &str = "beside.bin";

/// Changes with the layout of the index and of this file, and with what is indexed: an older index is made again.
const MARK: &[u8; 5] = b"GLDO4";

/// The index's files that carry no checksum of their own.
const UNSUMMED: [&str; 2] = ["meta.json", ".managed.json"];

/// What stands beside the index.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Beside {
    /// Of the listing that numbers the symbols.
    pub digest: [u8; 32],
    /// How many symbols and chunks the index holds.
    pub n_symbols: u32,
    /// See above.
    pub n_chunks: u32,
    /// How many of the chunks are guide sections.
    pub n_sections: u32,
    /// Of each symbol: how much it counts before any word is looked at.
    pub priors: Vec<f32>,
    /// Of each symbol: how much its name says, as the sum of its words' weights.
    pub masses: Vec<f32>,
    /// Of each symbol: the numbers of the chunks that document it.
    pub by_symbol: Vec<Vec<u32>>,
    /// What takes several calls to build.
    pub constructs: Vec<Construct>,
    /// Goal words that lead to symbols.
    pub topics: Vec<Topic>,
}

#[derive(Serialize, Deserialize)]
struct Kept<B> {
    /// Of each file in [`UNSUMMED`].
    sums: Vec<[u8; 32]>,
    /// The names and lengths of all the index's files.
    files: Vec<(String, u64)>,
    beside: B,
}

/// Writes the file into the folder of a whole index.
pub fn write(folder: &Path, beside: &Beside) -> Result<(), DocumentsTrouble> {
    let sums = UNSUMMED.iter().map(|name| sum(&folder.join(name))).collect::<Result<_, _>>()?;
    let kept = Kept { sums, files: files(folder)?, beside };
    let content = postcard::to_stdvec(&kept).expect(
        "what stands beside an index is lists, texts and numbers, which all have a spelling",
    );
    let mut bytes = MARK.to_vec();
    bytes.extend_from_slice(&Sha256::digest(&content));
    bytes.extend_from_slice(&content);
    let path = folder.join(FILE);
    fs::write(&path, bytes).map_err(|why| DocumentsTrouble::unreadable(&path, &why))
}

/// Reads it, and makes sure that the folder holds what it held.
pub fn read(folder: &Path) -> Result<Beside, DocumentsTrouble> {
    let path = folder.join(FILE);
    let bytes = fs::read(&path).map_err(|why| DocumentsTrouble::unreadable(&path, &why))?;
    let kept = whole(&bytes).ok_or_else(|| DocumentsTrouble::damaged(FILE))?;
    for (name, was) in UNSUMMED.iter().zip(&kept.sums) {
        if sum(&folder.join(name))? != *was {
            return Err(DocumentsTrouble::damaged(name));
        }
    }
    for (name, length) in &kept.files {
        let is_same = fs::metadata(folder.join(name)).is_ok_and(|meta| meta.len() == *length);
        if !is_same {
            return Err(DocumentsTrouble::damaged(name));
        }
    }
    Ok(kept.beside)
}

fn whole(bytes: &[u8]) -> Option<Kept<Beside>> {
    let (sum, content) = bytes.strip_prefix(MARK)?.split_first_chunk::<32>()?;
    if Sha256::digest(content).as_slice() != sum {
        return None;
    }
    let kept: Kept<Beside> = postcard::from_bytes(content).ok()?;
    let Beside { n_symbols, priors, masses, by_symbol, .. } = &kept.beside;
    let n = *n_symbols as usize;
    (priors.len() == n && masses.len() == n && by_symbol.len() == n).then_some(kept)
}

fn sum(path: &Path) -> Result<[u8; 32], DocumentsTrouble> {
    let bytes = fs::read(path).map_err(|why| DocumentsTrouble::unreadable(path, &why))?;
    Ok(Sha256::digest(bytes).into())
}

fn files(folder: &Path) -> Result<Vec<(String, u64)>, DocumentsTrouble> {
    let unreadable = |why: std::io::Error| DocumentsTrouble::unreadable(folder, &why);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.ends_with(".lock") {
            files.push((name, entry.metadata().map_err(unreadable)?.len()));
        }
    }
    files.sort();
    Ok(files)
}
