//! From what an api is made of to its datagraph.

use super::plan::Recipe;
use crate::base::{Name, Stop};
use crate::datagraph::Datagraph;
use crate::datagraph::format::{self, PROVENANCE, SYMBOLS};
use crate::datagraph::pages::{self, PageFile, Reading};
use crate::datagraph::symbols::{DeclarationFile, mine};
use crate::sources::packages::closure::{MAX_BYTES, MAX_FILES};
use crate::sources::packages::{Gathered, Unread, closure, listed};
use crate::sources::pages::reading::{ENDINGS, is_page, page};
use crate::sources::workspace::opening::{Stamp, bytes_of, hash_of, slashed, stamp};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The largest document of a datagraph that was mined before, in bytes.
pub const MAX_DOCUMENT: u64 = 256 * 1024 * 1024;

/// The largest page, in bytes.
const MAX_PAGE: u64 = 64 * 1024 * 1024;

/// What was mined, and from what.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mined {
    /// The datagraph.
    pub datagraph: Datagraph,
    /// Every file that it was made of.
    pub files: Vec<SeenFile>,
    /// The packages that its files name.
    pub needs: Vec<Name>,
    /// What was not read, and why.
    pub unread: Vec<Unread>,
    /// Of each page, how it documents members.
    pub dialects: Vec<(Name, Name)>,
    /// Of each pattern of the configuration, in how many sections it matched.
    pub patterns: Vec<(Name, usize)>,
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
        Recipe::Listed { name, version, files, pages, patterns, dialect, folder } => {
            let declared = (!files.is_empty())
                .then(|| from_gathered(name, version, listed(files, folder, stop)));
            let paged = (!pages.is_empty()).then(|| {
                let reading = Reading { patterns, dialect: *dialect };
                from_pages((name, version), pages, reading, folder, stop)
            });
            let mined = match (declared, paged) {
                (Some(declared), Some(paged)) => both(declared, paged),
                (Some(one), None) | (None, Some(one)) => one,
                (None, None) => return Err("lists no file".to_string()),
            };
            if mined.files.is_empty() {
                let why = mined.unread.first().map_or("", |u| u.why.as_str());
                return Err(format!("none of its files could be read: {why}"));
            }
            Ok(mined)
        }
        Recipe::Folder { name, folder } => from_folder(name, folder),
        Recipe::Embedded(name) => {
            let datagraph = crate::corpus::embedded::datagraph(name)?;
            let datagraph = Datagraph::clone(&datagraph);
            Ok(Mined { datagraph, ..Mined::default() })
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
    Mined { datagraph, files: seen, needs, unread: gathered.unread, ..Mined::default() }
}

/// Mines pages; `folder` is what their paths are relative to.
fn from_pages(
    (name, version): (&Name, &Name),
    paths: &[PathBuf],
    reading: Reading<'_>,
    folder: &Path,
    stop: &Stop,
) -> Mined {
    let mut mined = Mined::default();
    let mut files: Vec<PageFile> = Vec::new();
    let mut n_bytes = 0;
    for path in paths.iter().take_while(|_| !stop.is_set()) {
        let shown = slashed(path.strip_prefix(folder).unwrap_or(path));
        match page_bytes(path, files.len(), n_bytes) {
            Ok((bytes, seen)) => {
                n_bytes += bytes.len() as u64;
                let (hash, page) = (seen.hash.clone(), page(&shown, &bytes));
                files.push(PageFile { path: shown.into(), hash, page });
                mined.files.push(seen);
            }
            Err(why) => mined.unread.push(Unread { path: shown, why }),
        }
    }
    let shown: Vec<Name> = files.iter().map(|f| f.path.clone()).collect();
    let (datagraph, dialects, counts) =
        pages::mine_by(name.clone(), version.clone(), files, reading);
    mined.patterns =
        reading.patterns.iter().map(|p| Name::from(p.to_string())).zip(counts).collect();
    mined.datagraph = datagraph;
    mined.dialects =
        shown.into_iter().zip(dialects.iter().map(|d| Name::from(d.to_string()))).collect();
    mined
}

fn page_bytes(path: &Path, n_files: usize, n_bytes: u64) -> Result<(Vec<u8>, SeenFile), String> {
    if !is_page(&slashed(path)) {
        return Err(format!("is no page that can be read ({})", ENDINGS.join(", ")));
    }
    if n_files >= MAX_FILES || n_bytes >= MAX_BYTES {
        return Err(format!("more than {MAX_FILES} files or {MAX_BYTES} bytes"));
    }
    let stamp = stamp(path);
    let bytes = bytes_of(path, MAX_PAGE).map_err(|why| why.to_string())?;
    let hash = hash_of(&bytes).into();
    Ok((bytes, SeenFile { path: path.to_path_buf(), hash, stamp }))
}

/// What declarations say, and what only pages have.
fn both(mut declared: Mined, paged: Mined) -> Mined {
    pages::add(&mut declared.datagraph, paged.datagraph);
    declared.files.extend(paged.files);
    declared.unread.extend(paged.unread);
    declared.dialects = paged.dialects;
    declared.patterns = paged.patterns;
    declared
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
    Ok(Mined { datagraph, files, ..Mined::default() })
}
