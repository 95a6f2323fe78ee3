//! Datagraphs as files of a folder, written so that a reader never sees half of one.

use super::wish::BuildTrouble;
use crate::datagraph::Datagraph;
use crate::datagraph::documentation::Documentation;
use crate::datagraph::format::{
    CHUNKS, CONSTRUCTS, PROVENANCE, SYMBOLS, TOPICS, chunks, constructs, provenance, symbols,
    topics,
};
use crate::sources::workspace::writing;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes `datagraph`, and what its sources say, as JSON into a folder of its own in `out`; gives that folder.
pub fn write(
    out: &Path,
    datagraph: &Datagraph,
    said: &Documentation,
) -> Result<PathBuf, BuildTrouble> {
    let folder = out.join(folder_name(&datagraph.api));
    file(&folder.join(SYMBOLS), symbols(datagraph).as_bytes())?;
    file(&folder.join(PROVENANCE), provenance(datagraph).as_bytes())?;
    file(&folder.join(CHUNKS), chunks(&said.chunks).as_bytes())?;
    file(&folder.join(CONSTRUCTS), constructs(&said.constructs).as_bytes())?;
    file(&folder.join(TOPICS), topics(&said.topics).as_bytes())?;
    Ok(folder)
}

/// Writes `bytes` to `path` under another name first; a file that holds them already is left alone.
pub fn file(path: &Path, bytes: &[u8]) -> Result<(), BuildTrouble> {
    let trouble = |why| BuildTrouble::Write { path: path.to_path_buf(), why };
    if fs::read(path).is_ok_and(|found| found == bytes) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(trouble)?;
    }
    writing::write(path, bytes).map_err(trouble)
}

/// The name of an api as the name of a folder: a scoped one is written as in `@types`.
pub fn folder_name(api: &str) -> String {
    let plain = api.trim_start_matches('@').replace('/', "__");
    let safe = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let name: String = plain.chars().map(safe).collect();
    match name.trim_matches('.').is_empty() {
        true => "api".to_string(),
        false => name,
    }
}
