//! The documentation of an api that holds: opened where it was indexed before, read and indexed where not.
//!
//! It is told from every other by a hash of every source, so that an old one is never taken for a new one.

use super::cache::Kept;
use super::{Held, Recipe, Shelf, Store, locked};
use crate::base::{Progress, Stop, to_u32};
use crate::corpus::documents::Documents;
use crate::datagraph::documentation::{self, Documentation, SourceKind, SourceText};
use crate::sources::pages::{ENDINGS, markdown};
use crate::sources::workspace::opening::{bytes_of, hash_of};
use std::sync::{Arc, TryLockError};
use std::time::Duration;

/// How many are kept in memory.
const MAX_OPEN: usize = 400;

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
        progress.step(0, 0, &format!("reading the documentation of {}", held.recipe.name()));
        let documentation = documentation_of(held, stop)?;
        let made = Documents::of(graph, documentation);
        Ok(self.shelf.hold(key, made))
    }
}

const STOPPED: &str = "its documentation was not read: the work was stopped";

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
        // Without sources, what the names say is all there is.
        Recipe::Embedded(_) | Recipe::Folder { .. } => {
            Ok(documentation::of(&held.kept.datagraph, &[]))
        }
        Recipe::Package(_) | Recipe::Listed { .. } => of_sources(&held.kept, stop),
    }
}

fn of_sources(kept: &Kept, stop: &Stop) -> Result<Documentation, String> {
    let mut texts = Vec::new();
    // What was mined names its sources in the order of its files.
    for (idx, (source, file)) in kept.datagraph.sources.iter().zip(&kept.files).enumerate() {
        if stop.is_set() {
            return Err(STOPPED.to_string());
        }
        let Ok(bytes) = bytes_of(&file.path, MAX_SOURCE) else { continue };
        if source.hash != file.hash || hash_of(&bytes) != file.hash.as_str() {
            continue;
        }
        let text: Arc<str> = String::from_utf8_lossy(&bytes).into();
        let is_page = ENDINGS.iter().any(|ending| source.path.ends_with(ending));
        let kind = match is_page {
            true => SourceKind::Page(markdown::of_text(&text)),
            false => SourceKind::Declarations,
        };
        texts.push(SourceText { source: to_u32(idx), text, kind });
    }
    Ok(documentation::of(&kept.datagraph, &texts))
}
