//! What git's own files say about a folder, read without running git.
//!
//! The index, where HEAD stands, what steers git and which files it ignores beyond `.gitignore`. Nothing here writes,
//! and nothing that a repository names is run.

pub mod config;
pub mod ids;
pub mod index;
pub mod objects;
pub mod committed;

pub use ids::{ObjectId, blob_id};
pub use index::{Index, Row, Staged};
pub use objects::Objects;

use super::workspace::folder::{own_bytes, regular};
use super::workspace::paths::{bytes_of_path, path_of};
use super::workspace::{Folder, Lies, TreePath};
use config::Config;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest index and the largest of git's small files that are read.
const MAX_INDEX: u64 = 1 << 30;
const MAX_SMALL: u64 = 16 << 20;

/// A repository as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repository {
    /// Its folder, relative to the root.
    pub at: TreePath,
    /// The root, relative to its folder, where it lies around the root.
    pub above: TreePath,
    /// Where its own files are.
    pub place: TreePath,
    /// Where the files are that it shares with its other work trees.
    pub shared: TreePath,
    /// Where HEAD stands.
    pub head: Head,
    /// The tracked paths, relative to its folder.
    pub index: Arc<Index>,
    /// SHA-256 of each file that steers git, by its name.
    pub control: BTreeMap<String, [u8; 32]>,
    /// Ignore rules of `core.excludesFile` and of `info/exclude`, the weaker first.
    pub excludes: [String; 2],
    /// How many bytes an object's name has.
    pub n_id: usize,
}

/// Where HEAD stands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The branch, if it is on one.
    pub branch: Option<String>,
    /// The commit, if there is one.
    pub commit: Option<ObjectId>,
}

/// Why a repository was not read.
#[derive(Debug, thiserror::Error)]
pub enum RepositoryTrouble {
    /// The system refused.
    #[error("{path} cannot be read: {why}")]
    Refused {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        why: io::Error,
    },
    /// The index is not one that can be read.
    #[error("the index {path} cannot be read: {why}")]
    Index {
        /// Which file.
        path: PathBuf,
        /// What is the matter.
        why: index::IndexTrouble,
    },
}

impl Repository {
    /// The repository whose top folder `top` is, as it lies to the root; none where there is none.
    pub fn open(
        top: &Path,
        at: TreePath,
        above: TreePath,
        home: Option<&Path>,
    ) -> Result<Option<Repository>, RepositoryTrouble> {
        let Some(place) = place_of(top)? else { return Ok(None) };
        let Some(head) = small(&place.join("HEAD"))? else { return Ok(None) };
        let shared = match small(&place.join("commondir"))? {
            Some(text) => place.join(text.trim_end()),
            None => place.clone(),
        };
        let config = small(&shared.join("config"))?.map(|text| Config::of(&text));
        let config = config.unwrap_or_default();
        let n_id = if config.object_format.as_deref() == Some("sha256") { 32 } else { 20 };
        let excludes = [excludes_file(&config, top, home), small(&shared.join("info/exclude"))?];
        Ok(Some(Repository {
            head: head_of(&head, &place, &shared)?,
            index: Arc::new(index_of(&place, n_id)?),
            control: control_of(&place, &shared)?,
            excludes: excludes.map(Option::unwrap_or_default),
            place: TreePath::of(&bytes_of_path(&place)),
            shared: TreePath::of(&bytes_of_path(&shared)),
            at,
            above,
            n_id,
        }))
    }

    /// A path of its index relative to the root, if it lies below.
    pub fn from_root(&self, path: &TreePath) -> Option<TreePath> {
        let below = path.below(&self.above)?;
        Some(self.at.join(below))
    }

    /// Its objects.
    pub fn objects(&self) -> Objects {
        Objects::of(&self.shared.to_path())
    }
}

fn small(path: &Path) -> Result<Option<String>, RepositoryTrouble> {
    let bytes = own_bytes(path, MAX_SMALL).map_err(|why| refused(path, why))?;
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

fn refused(path: &Path, why: io::Error) -> RepositoryTrouble {
    RepositoryTrouble::Refused { path: path.to_path_buf(), why }
}

/// The folder of git's own files: `.git`, or where a file of that name points.
fn place_of(top: &Path) -> Result<Option<PathBuf>, RepositoryTrouble> {
    let dot = top.join(".git");
    if dot.is_dir() {
        return Ok(Some(dot));
    }
    if !dot.is_file() {
        return Ok(None);
    }
    let pointer = own_bytes(&dot, MAX_SMALL).map_err(|why| refused(&dot, why))?;
    let pointer = pointer.unwrap_or_default();
    let to = pointer.strip_prefix(b"gitdir: ").map(|to| to.trim_ascii_end());
    Ok(to.map(|to| top.join(path_of(to))).filter(|place| place.is_dir()))
}

fn excludes_file(config: &Config, top: &Path, home: Option<&Path>) -> Option<String> {
    let read = |path: &Path| small(path).ok().flatten();
    let of_user = [".gitconfig", ".config/git/config"].iter().find_map(|name| {
        let text = read(&home?.join(name))?;
        Config::of(&text).excludes_file
    });
    let path = match config.excludes_file.clone().or(of_user) {
        Some(said) => match said.strip_prefix("~/") {
            Some(below) => home?.join(below),
            None => top.join(said),
        },
        None => home?.join(".config/git/ignore"),
    };
    read(&path)
}

fn head_of(text: &str, place: &Path, shared: &Path) -> Result<Head, RepositoryTrouble> {
    let mut text = text.trim().to_owned();
    let mut branch = None;
    // A name may stand for another name; five are as many as git follows.
    for _ in 0..5 {
        let Some(name) = text.strip_prefix("ref:").map(str::trim) else { break };
        let name = name.to_owned();
        if Path::new(&name).components().any(|c| !matches!(c, std::path::Component::Normal(_))) {
            break;
        }
        branch.get_or_insert_with(|| name.clone());
        let loose = match small(&place.join(&name))? {
            Some(text) => Some(text),
            None => small(&shared.join(&name))?,
        };
        let found = match loose {
            Some(text) => Some(text),
            None => packed_ref(shared, &name)?,
        };
        let Some(found) = found else { return Ok(Head { branch, commit: None }) };
        found.trim().clone_into(&mut text);
    }
    Ok(Head { branch, commit: ObjectId::of(&text) })
}

fn packed_ref(shared: &Path, name: &str) -> Result<Option<String>, RepositoryTrouble> {
    let text = small(&shared.join("packed-refs"))?.unwrap_or_default();
    let named = text.lines().filter_map(|line| line.split_once(' ')).find(|(_, n)| *n == name);
    Ok(named.map(|(id, _)| id.to_owned()))
}

fn index_of(place: &Path, n_id: usize) -> Result<Index, RepositoryTrouble> {
    let path = place.join("index");
    let file = match regular(&path) {
        Ok(file) => file,
        Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Index::default());
        }
        Err(why) => return Err(refused(&path, why)),
    };
    let length = file.metadata().map_err(|why| refused(&path, why))?.len();
    if length > MAX_INDEX {
        return Err(refused(&path, ErrorKind::FileTooLarge.into()));
    }
    index::index(file, length, n_id).map_err(|why| RepositoryTrouble::Index { path, why })
}

/// The files that steer git: configuration, hooks, ignore rules, attributes.
fn control_of(
    place: &Path,
    shared: &Path,
) -> Result<BTreeMap<String, [u8; 32]>, RepositoryTrouble> {
    let names = [
        "config",
        "config.worktree",
        "info/exclude",
        "info/attributes",
        "info/sparse-checkout",
        "info/grafts",
    ];
    let mut control = BTreeMap::new();
    for folder in [shared, place] {
        let hooks = hooks_in(folder);
        for name in names.iter().map(|n| (*n).to_owned()).chain(hooks) {
            let path = folder.join(&name);
            if let Some(bytes) = own_bytes(&path, MAX_SMALL).map_err(|why| refused(&path, why))? {
                control.insert(name, Sha256::digest(&bytes).into());
            }
        }
    }
    Ok(control)
}

fn hooks_in(folder: &Path) -> Vec<String> {
    let Ok(hooks) = Folder::open(&folder.join("hooks")) else { return Vec::new() };
    let names = hooks.names().unwrap_or_default().into_iter();
    let files = names.filter(|name| {
        let is_file = hooks.status(name).is_ok_and(|s| matches!(s.lies, Lies::File { .. }));
        is_file && !name.ends_with(b".sample")
    });
    files.map(|name| format!("hooks/{}", String::from_utf8_lossy(&name))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn opened(top: &Path) -> Option<Repository> {
        Repository::open(top, TreePath::default(), TreePath::default(), None).unwrap()
    }

    #[test]
    fn a_branch_is_followed_to_its_commit_loose_and_packed() {
        let dir = tempfile::tempdir().unwrap();
        let git = dir.path().join(".git");
        fs::create_dir_all(git.join("refs/heads")).unwrap();
        assert_eq!(opened(dir.path()), None);
        fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        let unborn = opened(dir.path()).unwrap();
        assert_eq!(unborn.head.branch.as_deref(), Some("refs/heads/main"));
        assert_eq!(unborn.head.commit, None);
        let (packed, loose) = ("a".repeat(40), "b".repeat(40));
        let refs = format!("# pack-refs with: peeled\n{packed} refs/heads/main\n");
        fs::write(git.join("packed-refs"), refs).unwrap();
        let commit = |top: &Path| opened(top).unwrap().head.commit.map(|c| c.hex());
        assert_eq!(commit(dir.path()), Some(packed));
        fs::write(git.join("refs/heads/main"), format!("{loose}\n")).unwrap();
        assert_eq!(commit(dir.path()), Some(loose));
    }

    #[test]
    fn a_pointer_leads_to_the_files_of_a_linked_work_tree() {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().join("main/.git/worktrees/wt");
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join("HEAD"), "c".repeat(40)).unwrap();
        fs::write(place.join("commondir"), "../..\n").unwrap();
        fs::write(dir.path().join("main/.git/config"), "[core]\n").unwrap();
        let tree = dir.path().join("wt");
        fs::create_dir(&tree).unwrap();
        fs::write(tree.join(".git"), format!("gitdir: {}\n", place.display())).unwrap();
        let found = opened(&tree).unwrap();
        assert_eq!(found.head.commit.map(|c| c.hex()), Some("c".repeat(40)));
        assert!(found.control.contains_key("config"));
    }
}
