//! What the commit under HEAD holds below a folder, to tell which files are still as they were committed.

use super::ids::{ObjectId, blob_id};
use super::objects::Held;
use super::{Repository, RepositoryTrouble};
use crate::sources::workspace::TreePath;
use crate::sources::workspace::paths::bytes_of_path;
use std::collections::BTreeMap;
use std::path::Path;

/// Repositories inside of one another are followed so deep.
const MAX_NESTED: usize = 8;

/// A repository at this path, as a commit holds it.
const GITLINK: u32 = 0o160_000;

/// What is committed below a folder.
#[derive(Debug, Default)]
pub struct Committed {
    ids: BTreeMap<TreePath, ObjectId>,
}

/// Why there is nothing to compare with.
#[derive(Debug, thiserror::Error)]
pub enum CommittedTrouble {
    /// No repository is around the folder.
    #[error("it is in no repository")]
    NoRepository,
    /// Nothing was committed yet.
    #[error("nothing was committed yet")]
    Unborn,
    /// The commit, or a folder of it, cannot be read.
    #[error("the commit under HEAD cannot be read")]
    Unreadable,
    /// The repository cannot be read.
    #[error(transparent)]
    Repository(#[from] RepositoryTrouble),
}

impl Committed {
    /// What HEAD holds below `root`, which lies in the repository whose top folder is `top`.
    pub fn below(
        root: &Path,
        top: &Path,
        home: Option<&Path>,
    ) -> Result<Committed, CommittedTrouble> {
        let above = root.strip_prefix(top).map_err(|_| CommittedTrouble::NoRepository)?;
        let above = TreePath::of(&bytes_of_path(above));
        let found = Repository::open(top, TreePath::default(), above, home)?;
        let mut committed = Committed::default();
        committed.take(&found.ok_or(CommittedTrouble::NoRepository)?, root, home, 0)?;
        Ok(committed)
    }

    fn take(
        &mut self,
        repository: &Repository,
        root: &Path,
        home: Option<&Path>,
        depth: usize,
    ) -> Result<(), CommittedTrouble> {
        let commit = repository.head.commit.as_ref().ok_or(CommittedTrouble::Unborn)?;
        let all = repository.objects().gained(None, commit).ok_or(CommittedTrouble::Unreadable)?;
        for (path, Held { mode, id }) in all {
            let Some(path) = repository.from_root(&path) else { continue };
            if mode & 0o170_000 == GITLINK && depth < MAX_NESTED {
                let inner = root.join(path.to_path());
                if let Some(inner) = Repository::open(&inner, path, TreePath::default(), home)? {
                    // One without a commit of its own has nothing that is committed.
                    let _ = self.take(&inner, root, home, depth + 1);
                }
                continue;
            }
            self.ids.insert(path, id);
        }
        Ok(())
    }

    /// Whether the file at `path` (relative to the root) has another content than was committed, or was not committed at
    /// all. Line ends that git would put back are no difference.
    pub fn differs(&self, path: &str, content: &[u8]) -> bool {
        let Some(id) = self.ids.get(&TreePath::of(path.as_bytes())) else { return true };
        let n_id = id.bytes().len();
        if blob_id(content, n_id) == *id {
            return false;
        }
        let has_crlf = content.windows(2).any(|two| two == b"\r\n");
        !has_crlf || blob_id(&with_lf(content), n_id) != *id
    }
}

fn with_lf(content: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(content.len());
    for (at, byte) in content.iter().enumerate() {
        if *byte != b'\r' || content.get(at + 1) != Some(&b'\n') {
            plain.push(*byte);
        }
    }
    plain
}
