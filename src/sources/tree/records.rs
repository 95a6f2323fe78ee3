//! What is known of a tree: each path with what lies there, and what decides about scope.

use crate::sources::repository::{Repository, RepositoryTrouble};
use crate::sources::workspace::{Lies, Patterns, Trace, TreePath};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// A tree as it stands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Every path, sorted; folders as well.
    pub entries: Vec<Entry>,
    /// What was found with it.
    pub frame: Frame,
}

/// What decides about scope, frozen when a baseline is taken.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// The repositories in the tree and around it, sorted by place.
    pub repositories: Vec<Repository>,
    /// The text of each `.gitignore` that rules, by its folder.
    pub rules: BTreeMap<TreePath, String>,
    /// Those around the root, from the repository's top down, by what of the root's path lies below.
    pub rules_above: Vec<(TreePath, String)>,
}

/// A path and what lies there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Entry {
    /// Relative to the root.
    pub path: TreePath,
    /// Whether it counts.
    pub scope: Scope,
    /// What it is.
    pub lies: Lies,
    /// SHA-256 of a file's bytes or a link's text, where it is covered.
    pub hash: [u8; 32],
    /// Its trace.
    pub trace: Trace,
    /// The trace of the file outside the root that a link leads to.
    pub beyond: Option<Box<Trace>>,
}

/// Where a tree lies.
#[derive(Debug, Clone, Copy)]
pub struct Ground<'g> {
    /// Its root.
    pub root: &'g Path,
    /// The top of the repository around it, or the root.
    pub top: &'g Path,
    /// The home folder, where git keeps the user's ignore rules.
    pub home: Option<&'g Path>,
}

/// Why there is no fingerprint.
#[derive(Debug, thiserror::Error)]
pub enum TreeTrouble {
    /// Something in scope cannot be read.
    #[error(
        "{path} cannot be read: {why}; make it readable, or have git ignore it and begin again"
    )]
    Unreadable {
        /// Which path.
        path: TreePath,
        /// What the system said.
        why: io::Error,
    },
    /// Git's own files cannot be read.
    #[error(transparent)]
    Repository(#[from] RepositoryTrouble),
    /// The root or a folder around it cannot be read.
    #[error("the root cannot be read: {0}")]
    Root(#[from] io::Error),
    /// It keeps changing.
    #[error(
        "the tree would not hold still: {path} changed while it was read; try again when nothing writes to it"
    )]
    Moving {
        /// One path that changed.
        path: TreePath,
    },
    /// Nobody waits for it any more, or it took too long.
    #[error("stopped before the whole tree was read")]
    Stopped,
}

/// Whether a path counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Scope {
    /// Its content is hashed, and a change of it is a move.
    Covered,
    /// Ignored when the baseline was taken: watched by its trace, and told.
    Ignored,
    /// What a test run leaves, by its name: watched by its trace, and told.
    Artefact,
}

impl Fingerprint {
    /// What lies at `path`.
    pub fn entry(&self, path: &TreePath) -> Option<&Entry> {
        placed(&self.entries, path).and_then(|idx| self.entries.get(idx))
    }

    /// SHA-256 over what counts, in hexadecimal: paths, kinds and bytes, but for what `allow` lets move. Trees with the
    /// same content have the same.
    pub fn content(&self, allow: &Patterns) -> String {
        let mut whole = Sha256::new();
        let counted = self.entries.iter().filter(|e| e.is_counted());
        for entry in counted.filter(|e| !allow.hold(e.path.bytes())) {
            let path = entry.path.bytes();
            whole.update((path.len() as u64).to_le_bytes());
            whole.update(path);
            whole.update(match entry.lies {
                Lies::File { executable: false } => b"f",
                Lies::File { executable: true } => b"x",
                Lies::Link => b"l",
                Lies::Folder | Lies::Special => b"-",
            });
            whole.update(entry.hash);
        }
        hex(&whole.finalize())
    }

    /// The files and links that count, and their bytes.
    pub fn covered(&self) -> (usize, u64) {
        covered(self.entries.iter())
    }
}

/// The files and links that count among `entries`, and their bytes.
pub(super) fn covered<'e>(entries: impl Iterator<Item = &'e Entry>) -> (usize, u64) {
    let counted = entries.filter(|e| e.is_counted());
    counted.fold((0, 0), |(files, bytes), e| (files + 1, bytes + e.trace.bytes))
}

/// Where the entry of `path` stands among `entries`, which are sorted.
pub(super) fn placed(entries: &[Entry], path: &TreePath) -> Option<usize> {
    entries.binary_search_by(|e| e.path.cmp(path)).ok()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Entry {
    /// Whether a change of it is a move: a folder is what lies in it, and a pipe has no content.
    pub fn is_counted(&self) -> bool {
        self.scope == Scope::Covered && matches!(self.lies, Lies::File { .. } | Lies::Link)
    }

    /// Whether it is the folder of a repository's own files.
    pub fn is_repository(&self) -> bool {
        self.lies == Lies::Folder && self.path.name() == b".git"
    }
}
