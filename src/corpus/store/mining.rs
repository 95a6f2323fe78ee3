//! From what an api is made of to its datagraph.

use super::plan::Recipe;
use crate::base::{Name, Stop};
use crate::datagraph::Datagraph;
use crate::datagraph::format::{self, PROVENANCE, SYMBOLS};
use crate::datagraph::symbols::{DeclarationFile, mine};
use crate::sources::packages::{Gathered, Unread, closure, listed};
use crate::sources::workspace::opening::{Stamp, bytes_of, hash_of, slashed, stamp};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The largest document of a datagraph that was mined before, in bytes.
const MAX_DOCUMENT: u64 = 256 * 1024 * 1024;

/// What was mined, and from what.
#[derive(Debug, Clone, PartialEq)]
pub struct Mined {
    /// The datagraph.
    pub datagraph: Datagraph,
    /// Every file that it was made of.
    pub files: Vec<SeenFile>,
    /// The packages that its files name.
    pub needs: Vec<Name>,
    /// What was not read, and why.
    pub unread: Vec<Unread>,
}

/// A file that something was made of, as it was then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenFile {
    /// Where it is.
    pub path: PathBuf,
    /// SHA-256 of its bytes, in hexadecimal.
    pub hash: Name,
    /// Its stamp, if it had one.
    pub stamp: Option<Stamp>,
}

impl SeenFile {
    fn now(path: &Path) -> Option<SeenFile> {
        let stamp = stamp(path);
        let bytes = bytes_of(path, MAX_DOCUMENT).ok()?;
        Some(SeenFile { path: path.to_path_buf(), hash: hash_of(&bytes).into(), stamp })
    }

    /// The same file with its present stamp, if its content is still the same.
    pub fn renewed(&self) -> Option<SeenFile> {
        SeenFile::now(&self.path).filter(|now| now.hash == self.hash)
    }
}

/// Mines what `recipe` says.
pub fn mined(recipe: &Recipe, stop: &Stop) -> Result<Mined, String> {
    match recipe {
        Recipe::Package(package) => {
            let gathered = closure(package, stop);
            if gathered.files.is_empty() {
                let why = gathered.unread.first().map(|u| u.why.clone());
                return Err(why.unwrap_or_else(|| "has no declaration file".to_string()));
            }
            let mut mined = from_gathered(&package.name, &package.version, gathered);
            // Which files it has is the manifest's decision.
            mined.files.extend(SeenFile::now(&package.folder.join("package.json")));
            Ok(mined)
        }
        Recipe::Listed { name, version, files, folder } => {
            let gathered = listed(files, folder, stop);
            if gathered.files.is_empty() {
                let why = gathered.unread.first().map_or("", |u| u.why.as_str());
                return Err(format!("none of its declarations could be read: {why}"));
            }
            Ok(from_gathered(name, version, gathered))
        }
        Recipe::Folder { name, folder } => from_folder(name, folder),
        Recipe::Embedded(name) => {
            let datagraph = crate::corpus::embedded::datagraph(name)?;
            let datagraph = Datagraph::clone(&datagraph);
            Ok(Mined { datagraph, files: Vec::new(), needs: Vec::new(), unread: Vec::new() })
        }
    }
}

/// Mines parsed files.
pub fn from_gathered(name: &Name, version: &Name, gathered: Gathered) -> Mined {
    let seen = gathered.files.iter().map(|f| SeenFile {
        path: f.path.clone(),
        hash: f.seen.hash.clone(),
        stamp: f.seen.stamp,
    });
    let seen = seen.collect();
    let files = gathered.files.into_iter().map(|f| DeclarationFile {
        path: f.shown,
        hash: f.seen.hash,
        module: f.module,
        resolved: f.resolved,
        declared: f.declared,
    });
    let datagraph = mine(name.clone(), version.clone(), files.collect(), gathered.modules);
    let needs = gathered.needs.into_iter().collect();
    Mined { datagraph, files: seen, needs, unread: gathered.unread }
}

fn from_folder(name: &Name, folder: &Path) -> Result<Mined, String> {
    let mut texts = Vec::new();
    let mut files = Vec::new();
    for document in [SYMBOLS, PROVENANCE] {
        let path = folder.join(document);
        let stamp = stamp(&path);
        let bytes = bytes_of(&path, MAX_DOCUMENT).map_err(|why| why.to_string())?;
        files.push(SeenFile { path: path.clone(), hash: hash_of(&bytes).into(), stamp });
        texts.push(String::from_utf8(bytes).map_err(|_| format!("{} is no text", slashed(&path)))?);
    }
    let mut datagraph = format::read(&texts[0], &texts[1]).map_err(|why| why.to_string())?;
    datagraph.api = name.clone();
    Ok(Mined { datagraph, files, needs: Vec::new(), unread: Vec::new() })
}
