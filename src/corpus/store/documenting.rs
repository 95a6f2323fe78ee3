//! The documentation of an api that holds: opened where it was indexed before, read and indexed where not.
//!
//! An index is a folder of the cache. It is made under another name and renamed when it is whole, so that neither a kill
//! nor a second process leaves half of one; its name is a hash of every source, so that an old one is never taken for a
//! new one. Where there is no folder to write, it is made in memory.

use super::cache::Kept;
use super::mining::MAX_DOCUMENT;
use super::{Held, Recipe, Shelf, Store, locked};
use crate::base::{Progress, Stop, to_u32};
use crate::corpus::documents::Documents;
use crate::corpus::embedded;
use crate::datagraph::Datagraph;
use crate::datagraph::documentation::{self, Documentation, SourceKind, SourceText};
use crate::datagraph::format::{self, CHUNKS, CONSTRUCTS, TOPICS};
use crate::sources::pages::reading;
use crate::sources::workspace::opening::{bytes_of, hash_of, slashed};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, TryLockError};
use std::time::{Duration, SystemTime};

/// The layout of an index; it grows when what is indexed, or how, changes.
const LAYOUT: u32 = 2;

/// How many indexes are kept in the cache; the ones that were made longest ago go first.
const MAX_KEPT: usize = 200;

/// How many are kept in memory.
const MAX_OPEN: usize = 400;

/// From this age on, an unfinished index of another process was left behind.
const LEFT_BEHIND: Duration = Duration::from_secs(3600);

/// The largest source that is read again, in bytes.
const MAX_SOURCE: u64 = 64 * 1024 * 1024;

/// How long one looks away from the stop sign while another call indexes.
const GLANCE: Duration = Duration::from_millis(20);

impl Store {
    /// What the sources of `held` say, indexed. An error where it cannot be had, with the reason.
    ///
    /// Sources that changed since `held` was mined are left out: what they say belongs to other symbols.
    pub fn documents(
        &self,
        held: &Held,
        stop: &Stop,
        progress: &dyn Progress,
    ) -> Result<Arc<Documents>, String> {
        let key = key_of(held);
        if let Some(known) = self.shelf.opened(&key) {
            return Ok(known);
        }
        // One at a time, so that two calls do not make the same index.
        let _turn = loop {
            match self.shelf.indexing.try_lock() {
                Ok(turn) => break turn,
                Err(TryLockError::Poisoned(turn)) => break turn.into_inner(),
                Err(TryLockError::WouldBlock) if stop.is_set() => return Err(STOPPED.to_string()),
                Err(TryLockError::WouldBlock) => std::thread::sleep(GLANCE),
            }
        };
        if let Some(known) = self.shelf.opened(&key) {
            return Ok(known);
        }
        let graph = Arc::clone(&held.kept.datagraph);
        let folder =
            self.shelf.cache.place(DOCUMENTS).map(|f| f.join(LAYOUT.to_string()).join(&key));
        let on_disk = folder.as_deref().filter(|f| f.is_dir());
        if let Some(Ok(found)) = on_disk.map(|f| Documents::open(Arc::clone(&graph), f)) {
            return Ok(self.shelf.hold(key, found));
        }
        progress.step(0, 0, &format!("reading the documentation of {}", held.recipe.name()));
        let documentation = documentation_of(held, stop)?;
        let made = match folder {
            Some(folder) => made_in(&folder, &graph, documentation),
            None => Documents::of(graph, documentation),
        };
        Ok(self.shelf.hold(key, made))
    }
}

const STOPPED: &str = "its documentation was not read: the work was stopped";

const DOCUMENTS: &str = "documents";

impl Shelf {
    fn opened(&self, key: &str) -> Option<Arc<Documents>> {
        locked(&self.documents).get(key).cloned()
    }

    fn hold(&self, key: String, documents: Documents) -> Arc<Documents> {
        let documents = Arc::new(documents);
        let mut open = locked(&self.documents);
        if open.len() >= MAX_OPEN {
            open.clear();
        }
        open.insert(key, Arc::clone(&documents));
        documents
    }
}

/// What tells this documentation from every other: what is mined, and the content of every file.
fn key_of(held: &Held) -> String {
    let hashes: String = held.kept.files.iter().map(|f| format!("\n{}", f.hash)).collect();
    hash_of(format!("{}{hashes}", held.recipe.key()).as_bytes())
}

/// What the sources of `held` say.
pub fn documentation_of(held: &Held, stop: &Stop) -> Result<Documentation, String> {
    match &held.recipe {
        Recipe::Embedded(name) => embedded::documentation(name),
        Recipe::Folder { folder, .. } => of_folder(folder, &held.kept.datagraph),
        Recipe::Package(_) | Recipe::Listed { .. } => of_sources(&held.kept, stop),
    }
}

/// What was written beside the symbols; of a datagraph that was committed without it, what the names say.
fn of_folder(folder: &Path, graph: &Datagraph) -> Result<Documentation, String> {
    if !folder.join(CHUNKS).exists() {
        return Ok(documentation::of(graph, &[]));
    }
    let mut texts = Vec::new();
    for document in [CHUNKS, CONSTRUCTS, TOPICS] {
        let path = folder.join(document);
        let bytes = bytes_of(&path, MAX_DOCUMENT).map_err(|why| why.to_string())?;
        texts.push(String::from_utf8(bytes).map_err(|_| format!("{} is no text", slashed(&path)))?);
    }
    format::documentation(&texts[0], &texts[1], &texts[2]).map_err(|why| why.to_string())
}

fn of_sources(kept: &Kept, stop: &Stop) -> Result<Documentation, String> {
    let mut texts = Vec::new();
    // Sources and files have their own orders; what a source is made of is told by its hash.
    let files: BTreeMap<&str, &Path> =
        kept.files.iter().map(|file| (file.hash.as_str(), file.path.as_path())).collect();
    for (idx, source) in kept.datagraph.sources.iter().enumerate() {
        if stop.is_set() {
            return Err(STOPPED.to_string());
        }
        let Some(path) = files.get(source.hash.as_str()) else { continue };
        let Ok(bytes) = bytes_of(path, MAX_SOURCE) else { continue };
        if hash_of(&bytes) != source.hash.as_str() {
            continue;
        }
        let text: Arc<str> = String::from_utf8_lossy(&bytes).into();
        let kind = match reading::is_page(&source.path) {
            true => SourceKind::Page(reading::of_text(&source.path, &text)),
            false => SourceKind::Declarations,
        };
        texts.push(SourceText { source: to_u32(idx), text, kind });
    }
    Ok(documentation::of(&kept.datagraph, &texts))
}

/// An index in `folder`; in memory where that cannot be written.
fn made_in(folder: &Path, graph: &Arc<Datagraph>, documentation: Documentation) -> Documents {
    let unfinished = unfinished(folder);
    // What is damaged, or of a process that was killed, makes room.
    let _ = fs::remove_dir_all(&unfinished);
    let made = Documents::build(Arc::clone(graph), documentation.clone(), &unfinished);
    let whole = made.is_ok();
    drop(made);
    let opened = whole.then(|| {
        let _ = fs::remove_dir_all(folder);
        fs::rename(&unfinished, folder).ok()?;
        prune(folder);
        Documents::open(Arc::clone(graph), folder).ok()
    });
    let _ = fs::remove_dir_all(&unfinished);
    opened.flatten().unwrap_or_else(|| Documents::of(Arc::clone(graph), documentation))
}

fn unfinished(folder: &Path) -> PathBuf {
    let name =
        folder.file_name().map_or_else(Default::default, |n| n.to_string_lossy().into_owned());
    folder.with_file_name(format!(".{name}.{}.tmp", std::process::id()))
}

/// Removes the oldest indexes beyond [`MAX_KEPT`], and what other processes left unfinished; `newest` was just made.
fn prune(newest: &Path) {
    let Some(entries) = newest.parent().and_then(|folder| fs::read_dir(folder).ok()) else {
        return;
    };
    let mut kept: Vec<(SystemTime, PathBuf)> = Vec::new();
    let now = fs::metadata(newest).and_then(|m| m.modified()).ok();
    for entry in entries.flatten() {
        let Ok(modified) = entry.metadata().and_then(|m| m.modified()) else { continue };
        let is_unfinished = entry.file_name().to_string_lossy().starts_with('.');
        let age = now.and_then(|now| now.duration_since(modified).ok()).unwrap_or_default();
        match is_unfinished {
            true if age > LEFT_BEHIND => drop(fs::remove_dir_all(entry.path())),
            true => {}
            false => kept.push((modified, entry.path())),
        }
    }
    kept.sort();
    let n_over = kept.len().saturating_sub(MAX_KEPT);
    kept.into_iter().take(n_over).for_each(|(_, path)| drop(fs::remove_dir_all(path)));
}
