//! A tree's content: every path in scope with its kind and the hash of its bytes.
//!
//! The tree is walked and read whole every time; no time stamp is trusted, no link is followed, nothing is written and
//! no program runs. What cannot be read gives an error, since a hole in a fingerprint is a place to hide in.

mod scope;
mod walk;
mod planted;

pub use planted::{Planted, Seat, planted};
pub use scope::Scope;

use super::repository::{Repository, RepositoryTrouble};
use super::workspace::{Lies, Patterns, Trace, TreePath};
use crate::base::{Progress, Stop};
use scope::Rules;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// How often a tree is read that does not hold still.
const MAX_TRIES: usize = 3;

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
    pub beyond: Option<Trace>,
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

/// The fingerprint of a tree, with the rules as they stand now.
pub fn begin(
    ground: Ground<'_>,
    include: &Patterns,
    stop: &Stop,
    progress: &dyn Progress,
) -> Result<Fingerprint, TreeTrouble> {
    tried(|| {
        let Ground { root, home, .. } = ground;
        let rules = Rules::Read { root, home, kept: Mutex::default() };
        let walk = walk::Walk { ground, rules: &rules, include, stop, progress };
        let entries = walk.run(walk::Reading::Content)?;
        let Rules::Read { kept, .. } = rules else { unreachable!("these rules were just made") };
        let mut frame = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        frame.repositories.sort_by(|a, b| (&a.at, &a.place).cmp(&(&b.at, &b.place)));
        held_still(ground, &entries, &frame, include, stop)?;
        Ok(Fingerprint { entries, frame })
    })
}

/// The fingerprint of the tree of `base`, by the rules of `base`; repositories as they stand now.
pub fn again(
    ground: Ground<'_>,
    base: &Frame,
    include: &Patterns,
    stop: &Stop,
    progress: &dyn Progress,
) -> Result<Fingerprint, TreeTrouble> {
    tried(|| {
        let rules = Rules::Kept(base);
        let walk = walk::Walk { ground, rules: &rules, include, stop, progress };
        let entries = walk.run(walk::Reading::Content)?;
        held_still(ground, &entries, base, include, stop)?;
        let mut frame = Frame::default();
        for was in &base.repositories {
            let around = !was.above.is_root();
            let top = if around { ground.top.into() } else { ground.root.join(was.at.to_path()) };
            let (at, above) = (was.at.clone(), was.above.clone());
            frame.repositories.extend(Repository::open(&top, at, above, ground.home)?);
        }
        Ok(Fingerprint { entries, frame })
    })
}

/// Tries again while the tree changes under the walk.
fn tried(
    mut one: impl FnMut() -> Result<Fingerprint, TreeTrouble>,
) -> Result<Fingerprint, TreeTrouble> {
    let mut n_tries = 1;
    loop {
        match one() {
            Err(TreeTrouble::Moving { .. }) if n_tries < MAX_TRIES => n_tries += 1,
            done => return done,
        }
    }
}

/// Whether everything that counts is still what was read, by a second walk that reads no content.
fn held_still(
    ground: Ground<'_>,
    entries: &[Entry],
    frame: &Frame,
    include: &Patterns,
    stop: &Stop,
) -> Result<(), TreeTrouble> {
    let rules = Rules::Kept(frame);
    let walk = walk::Walk { ground, rules: &rules, include, stop, progress: &crate::base::Quiet };
    let after = walk.run(walk::Reading::Traces)?;
    let counted = |entries: &[Entry]| -> Vec<(TreePath, Lies, Trace)> {
        let covered = entries.iter().filter(|e| e.scope == Scope::Covered);
        covered.map(|e| (e.path.clone(), e.lies, e.trace)).collect()
    };
    let (before, after) = (counted(entries), counted(&after));
    if before == after {
        return Ok(());
    }
    let differing = before.iter().zip(&after).find(|(a, b)| a != b).map(|(a, _)| a);
    let longer = if before.len() > after.len() { &before } else { &after };
    let path = differing.or(longer.last()).map(|(path, ..)| path.clone());
    Err(TreeTrouble::Moving { path: path.unwrap_or_default() })
}

impl Fingerprint {
    /// What lies at `path`.
    pub fn entry(&self, path: &TreePath) -> Option<&Entry> {
        let idx = self.entries.binary_search_by(|e| e.path.cmp(path)).ok()?;
        self.entries.get(idx)
    }

    /// The files and links that count, and their bytes.
    pub fn covered(&self) -> (usize, u64) {
        let counted = self.entries.iter().filter(|e| e.is_counted());
        counted.fold((0, 0), |(files, bytes), e| (files + 1, bytes + e.trace.bytes))
    }
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

#[cfg(test)]
mod tests;
