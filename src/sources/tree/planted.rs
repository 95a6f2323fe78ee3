//! What the index or HEAD holds now that neither the tree nor they held when the baseline was taken.
//!
//! Staging, unstaging and committing what is there plants nothing; an edit that was staged and then put back in the tree
//! does, since the next commit would carry it.

use super::records::{Fingerprint, Frame, Ground};
use crate::sources::repository::objects::Held;
use crate::sources::repository::{ObjectId, Objects, Repository, blob_id};
use crate::sources::workspace::TreePath;
use crate::sources::workspace::folder::own_bytes;
use sha2::{Digest, Sha256};

/// The largest file whose content is compared with what is staged.
const MAX_FILE: u64 = 1 << 30;

/// A path under which something was planted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Planted {
    /// Relative to the root.
    pub path: TreePath,
    /// Where.
    pub seat: Seat,
}

/// Where something was planted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Seat {
    /// In the index.
    Index,
    /// In the commit that HEAD stands at.
    Head,
    /// It could not be told, since git's objects could not be read.
    Untold,
}

/// What was planted between `base` and `now`, sorted.
pub fn planted(ground: Ground<'_>, base: &Fingerprint, now: &Frame) -> Vec<Planted> {
    let mut found = Vec::new();
    for now_repository in &now.repositories {
        let is_same =
            |r: &&Repository| r.at == now_repository.at && r.above == now_repository.above;
        let Some(before) = base.frame.repositories.iter().find(is_same) else { continue };
        let one = One { ground, base, now, before, objects: now_repository.objects() };
        one.index(now_repository, &mut found);
        one.head(now_repository, &mut found);
    }
    found.sort();
    found.dedup();
    found
}

/// One repository, then and now.
struct One<'o> {
    ground: Ground<'o>,
    base: &'o Fingerprint,
    now: &'o Frame,
    before: &'o Repository,
    objects: Objects,
}

impl One<'_> {
    fn index(&self, now: &Repository, found: &mut Vec<Planted>) {
        let before = self.before.index.rows();
        let mut rest = before.iter().peekable();
        for row in now.index.rows() {
            while rest.next_if(|was| was.key() < row.key()).is_some() {}
            let staged = &row.staged;
            let was = rest.next_if(|was| was.key() == row.key());
            if was.is_some_and(|w| w.staged.id == staged.id) || staged.flags.is_intention() {
                continue;
            }
            let held = Held { mode: staged.mode, id: staged.id };
            self.judge(&row.path, &held, Seat::Index, found);
        }
    }

    fn head(&self, now: &Repository, found: &mut Vec<Planted>) {
        let Some(commit) = now.head.commit.as_ref() else { return };
        if self.before.head.commit.as_ref() == Some(commit) {
            return;
        }
        match self.objects.gained(self.before.head.commit.as_ref(), commit) {
            Some(gained) => {
                for (path, held) in gained {
                    self.judge(&path, &held, Seat::Head, found);
                }
            }
            None => found.push(Planted { path: self.before.at.clone(), seat: Seat::Untold }),
        }
    }

    /// Whether what is held under `path` was there when the baseline was taken.
    fn judge(&self, path: &TreePath, held: &Held, seat: Seat, found: &mut Vec<Planted>) {
        let was_staged = self.before.index.at(path).iter().any(|row| row.staged.id == held.id);
        let in_tree = self.before.from_root(path);
        if was_staged || in_tree.as_ref().is_some_and(|p| self.is_in_tree(p, held)) {
            return;
        }
        let shown = in_tree.unwrap_or_else(|| path.clone());
        let was_committed = match &self.before.head.commit {
            Some(commit) => self.objects.held(commit, path.bytes()),
            None => Some(None),
        };
        match was_committed {
            Some(Some(was)) if was.id == held.id => {}
            Some(_) => found.push(Planted { path: shown, seat }),
            None => found.push(Planted { path: shown, seat: Seat::Untold }),
        }
    }

    /// Whether the tree holds this content at `path`, then and now; what differs between the two has moved anyway.
    fn is_in_tree(&self, path: &TreePath, held: &Held) -> bool {
        if held.mode & 0o170_000 == 0o160_000 {
            let frames = [&self.base.frame, self.now];
            let mut inner = frames.iter().flat_map(|f| &f.repositories).filter(|r| r.at == *path);
            return inner.any(|r| r.head.commit.as_ref() == Some(&held.id));
        }
        let Some(entry) = self.base.entry(path) else { return false };
        let full = self.ground.root.join(path.to_path());
        let content = match held.mode & 0o170_000 {
            0o120_000 => std::fs::read_link(&full)
                .ok()
                .map(|text| crate::sources::workspace::paths::bytes_of_path(&text)),
            _ => own_bytes(&full, MAX_FILE).ok().flatten(),
        };
        let Some(content) = content else { return false };
        // The content must be the one that was covered, or it proves nothing.
        let is_covered = Sha256::digest(&content)[..] == entry.hash[..];
        is_covered && names_of(&content, held.id.bytes().len()).contains(&held.id)
    }
}

/// The names under which git may hold this content: as it is, or with its line ends made LF.
fn names_of(content: &[u8], n_id: usize) -> Vec<ObjectId> {
    let mut names = vec![blob_id(content, n_id)];
    if content.windows(2).any(|pair| pair == b"\r\n") {
        let mut plain = Vec::with_capacity(content.len());
        let mut letters = content.iter().copied().peekable();
        while let Some(letter) = letters.next() {
            if letter != b'\r' || letters.peek() != Some(&b'\n') {
                plain.push(letter);
            }
        }
        names.push(blob_id(&plain, n_id));
    }
    names
}
