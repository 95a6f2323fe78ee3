//! Baselines on disk, outside of every tree, by whoever took them and the root that they belong to.
//!
//! What one principal took is not there for another, whatever id that one names: it is looked for in another place. Of
//! what comes from other machines only so much is kept; the machine's own user keeps everything.
//! A baseline's id is the hash of all that is kept of it: one that was damaged, exchanged or written by somebody else does
//! not have the id that the caller holds, and is refused. A file is there whole or not at all. Where the folder cannot be
//! used, baselines are kept in memory.

use super::call::Principal;
use crate::answers::verify_fingerprint::Baseline;
use crate::sources::workspace::folder::own_bytes;
use crate::sources::workspace::opening::hash_of;
use crate::sources::workspace::paths::bytes_of_path;
use crate::sources::workspace::writing;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What a kept baseline begins with; another form of it gets another mark.
const MARK: &[u8] = b"groundline baseline 2\n";

/// So many baselines of one root are kept of the subject of a token; the next takes the place of the oldest.
const MAX_OF_SUBJECT: usize = 64;

/// So much of a baseline is written at once.
const PIECE: usize = 64 << 10;

/// The largest baseline that is read.
const MAX_BASELINE: u64 = 4 << 30;

/// The baselines of all roots.
pub(super) struct Baselines {
    folder: Option<PathBuf>,
    memory: Mutex<Memory>,
    verdicts: Mutex<BTreeMap<Mine, String>>,
}

/// What is kept in memory, with the order in which it came.
#[derive(Default)]
struct Memory {
    kept: BTreeMap<Mine, (u64, Vec<u8>)>,
    n_kept: u64,
}

/// Whose baselines are meant, and of which root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Owner<'o> {
    /// Who asks.
    pub principal: &'o Principal,
    /// The root.
    pub root: &'o Path,
}

/// A baseline of an owner: who, the root, the id.
pub(super) type Mine = (Principal, PathBuf, String);

impl Owner<'_> {
    /// The baseline with this id, as the owner's own.
    pub fn mine(&self, id: &str) -> Mine {
        (self.principal.clone(), self.root.to_path_buf(), id.to_owned())
    }

    fn owns(&self, (principal, root, _): &Mine) -> bool {
        principal == self.principal && root == self.root
    }

    /// Which of these, each with when it was kept, are more than the owner may have: the oldest.
    fn outdated<T: Ord>(&self, mut rows: Vec<(T, String)>) -> Vec<String> {
        let n_kept = match self.principal {
            Principal::Own => return Vec::new(),
            Principal::Subject(_) => MAX_OF_SUBJECT,
        };
        rows.sort();
        rows.truncate(rows.len().saturating_sub(n_kept));
        rows.into_iter().map(|(_, id)| id).collect()
    }

    /// The name of the folder with this owner's baselines. Those of subjects have longer names than those of the
    /// machine's own user, so that no subject has a name that leads there.
    fn folder(&self) -> String {
        let root = bytes_of_path(self.root);
        match self.principal {
            Principal::Own => hash_of(&root)[..16].to_owned(),
            Principal::Subject(subject) => {
                let n_bytes = (subject.len() as u64).to_le_bytes();
                hash_of(&[&n_bytes[..], subject.as_bytes(), &root].concat())
            }
        }
    }
}

/// Where a baseline is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// On disk, in this file, for every process.
    Disk(PathBuf),
    /// In memory, for the reason given.
    Memory(String),
}

/// Why there is no such baseline.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(super) enum BaselineTrouble {
    /// No id has this form.
    #[error("`{0}` is no baseline id: give the 64 letters and digits that begin gave")]
    NoId(String),
    /// It was never kept, or is gone.
    #[error(
        "baseline {0} is not there for this root: it was never taken here, or was removed; begin again"
    )]
    Missing(String),
    /// It is not what its id says.
    #[error("baseline {0} was damaged or exchanged: what was checked is void, begin again")]
    Damaged(String),
    /// The system refused.
    #[error("baseline {id} cannot be read: {why}")]
    Refused {
        /// Which.
        id: String,
        /// What the system said.
        why: String,
    },
}

impl Baselines {
    /// Below this folder, which is made when it is first needed, or in memory.
    pub fn new(folder: Option<PathBuf>) -> Baselines {
        Baselines {
            folder: folder.map(|f| f.join("baselines")),
            memory: Mutex::default(),
            verdicts: Mutex::default(),
        }
    }

    /// Whether what is kept would lie in the tree of `root`, where it would be part of what it describes.
    pub fn lie_in(&self, root: &Path) -> bool {
        self.folder.as_ref().is_some_and(|folder| writing::would_lie_in(folder, root))
    }

    /// Keeps a baseline, and gives its id. For a subject the newest ones are kept, and older ones are gone as if they had
    /// never been taken.
    pub fn keep(&self, owner: Owner<'_>, baseline: &Baseline) -> (String, Place) {
        let why = match self.path(owner, "") {
            None => "there is no state folder".to_owned(),
            Some(folder) => match written(&folder, baseline) {
                Ok((id, path)) => {
                    // Where nothing was touched the same baseline is taken again; it waits for a comparison again.
                    self.forget_verdicts(owner, std::slice::from_ref(&id));
                    self.leave_newest_on_disk(owner, &id);
                    return (id, Place::Disk(path));
                }
                Err(why) => format!("{} cannot be written ({why})", folder.display()),
            },
        };
        let mut bytes = Vec::new();
        let id = packed(baseline, &mut bytes).expect("memory takes whatever is written to it");
        self.forget_verdicts(owner, std::slice::from_ref(&id));
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        memory.n_kept += 1;
        let n_kept = memory.n_kept;
        memory.kept.insert(owner.mine(&id), (n_kept, bytes));
        let rows = memory.kept.iter().filter(|(mine, _)| owner.owns(mine));
        let outdated = owner.outdated(rows.map(|(mine, (at, _))| (*at, mine.2.clone())).collect());
        for old in &outdated {
            memory.kept.remove(&owner.mine(old));
        }
        drop(memory);
        self.forget_verdicts(owner, &outdated);
        (id, Place::Memory(why))
    }

    /// The owner's baseline with this id.
    pub fn load(&self, owner: Owner<'_>, id: &str) -> Result<Baseline, BaselineTrouble> {
        if !is_id(id) {
            return Err(BaselineTrouble::NoId(id.chars().take(80).collect()));
        }
        let memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let in_memory = memory.kept.get(&owner.mine(id)).map(|(_, bytes)| bytes.clone());
        drop(memory);
        let bytes = match (in_memory, self.path(owner, &format!("{id}.baseline"))) {
            (Some(bytes), _) => Some(bytes),
            (None, Some(path)) => own_bytes(&path, MAX_BASELINE).map_err(|why| {
                BaselineTrouble::Refused { id: id.to_owned(), why: why.to_string() }
            })?,
            (None, None) => None,
        };
        let bytes = bytes.ok_or_else(|| BaselineTrouble::Missing(id.to_owned()))?;
        let damaged = || BaselineTrouble::Damaged(id.to_owned());
        if hash_of(&bytes) != id {
            return Err(damaged());
        }
        let packed = bytes.strip_prefix(MARK).ok_or_else(damaged)?;
        let baseline: Baseline = postcard::from_bytes(packed).map_err(|_| damaged())?;
        match baseline.root.bytes() == bytes_of_path(owner.root) {
            true => Ok(baseline),
            false => Err(BaselineTrouble::Missing(id.to_owned())),
        }
    }

    /// Notes the verdict that was given with a baseline; it serves `status` only, and no verdict rests on it. Of one that
    /// the owner does not have nothing is kept, so that naming ids fills no folder.
    pub fn note(&self, owner: Owner<'_>, id: &str, verdict: &str) {
        if !is_id(id) || !self.has(owner, id) {
            return;
        }
        let mut verdicts = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        verdicts.insert(owner.mine(id), verdict.to_owned());
        if let Some(path) = self.path(owner, &format!("{id}.verdict")) {
            // Where it cannot be written, this session remembers it all the same.
            let _ = write(&path, verdict.as_bytes());
        }
    }

    /// The ids of all of the owner's baselines with their last verdicts, sorted.
    pub fn list(&self, owner: Owner<'_>) -> Vec<(String, Option<String>)> {
        let mut listed: BTreeMap<String, Option<String>> = BTreeMap::new();
        let folder = self.path(owner, "");
        let entries = folder.as_deref().and_then(|f| fs::read_dir(f).ok());
        for entry in entries.into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let Some(id) = name.strip_suffix(".baseline") else { continue };
            let noted = self.path(owner, &format!("{id}.verdict"));
            let noted = noted.and_then(|path| own_bytes(&path, 100).ok().flatten());
            let known = ["held", "moved", "unknown"];
            let noted = noted.and_then(|v| String::from_utf8(v).ok());
            listed.insert(id.to_owned(), noted.filter(|v| known.contains(&v.as_str())));
        }
        let memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let in_memory = memory.kept.keys().filter(|mine| owner.owns(mine));
        listed.extend(in_memory.map(|(_, _, id)| (id.clone(), None)));
        drop(memory);
        let verdicts = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        for (mine, verdict) in verdicts.iter().filter(|(mine, _)| owner.owns(mine)) {
            if let Some(row) = listed.get_mut(&mine.2) {
                *row = Some(verdict.clone());
            }
        }
        listed.into_iter().collect()
    }

    /// Removes what the owner has too much of. The newest is named, since files of one instant say no order.
    fn leave_newest_on_disk(&self, owner: Owner<'_>, newest: &str) {
        // Whoever may keep everything need not wait until all of it was looked at.
        let Principal::Subject(_) = owner.principal else { return };
        let entries = self.path(owner, "").and_then(|folder| fs::read_dir(folder).ok());
        let dated = |entry: fs::DirEntry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            let id = name.strip_suffix(".baseline")?.to_owned();
            let written = entry.metadata().and_then(|status| status.modified()).ok();
            Some(((id == newest, written), id))
        };
        let rows = entries.into_iter().flatten().flatten().filter_map(dated).collect();
        let outdated = owner.outdated(rows);
        for path in outdated.iter().filter_map(|id| self.path(owner, &format!("{id}.baseline"))) {
            // What cannot be removed is tried again with the next one.
            let _ = fs::remove_file(path);
        }
        self.forget_verdicts(owner, &outdated);
    }

    fn forget_verdicts(&self, owner: Owner<'_>, ids: &[String]) {
        let mut verdicts = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        for id in ids {
            verdicts.remove(&owner.mine(id));
            if let Some(path) = self.path(owner, &format!("{id}.verdict")) {
                let _ = fs::remove_file(path);
            }
        }
    }

    fn has(&self, owner: Owner<'_>, id: &str) -> bool {
        let memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        memory.kept.contains_key(&owner.mine(id))
            || self.path(owner, &format!("{id}.baseline")).is_some_and(|path| path.is_file())
    }

    fn path(&self, owner: Owner<'_>, name: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(owner.folder()).join(name))
    }
}

/// Writes a baseline into a folder that is made where it is missing; its id and its file.
fn written(folder: &Path, baseline: &Baseline) -> io::Result<(String, PathBuf)> {
    made(folder)?;
    let mut id = String::new();
    // After a loss of power a half one may be there, which does not have its id; no check outlives that either.
    let path = writing::write_named(folder, |file| {
        id = packed(baseline, file)?;
        Ok(format!("{id}.baseline"))
    })?;
    Ok((id, path))
}

/// Writes a baseline in the form in which it is kept, piece by piece, and gives its id.
fn packed(baseline: &Baseline, to: impl Write) -> io::Result<String> {
    let mut to = BufWriter::with_capacity(PIECE, Hashing { to, hash: Sha256::new() });
    to.write_all(MARK)?;
    postcard::to_io(baseline, &mut to).map_err(io::Error::other)?;
    let hashing = to.into_inner().map_err(io::IntoInnerError::into_error)?;
    Ok(hashing.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Hashes what goes through it.
struct Hashing<W> {
    to: W,
    hash: Sha256,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.to.write(bytes)?;
        self.hash.update(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Writes a file of a folder that is made where it is missing.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    made(path.parent().ok_or(ErrorKind::InvalidInput)?)?;
    writing::write(path, bytes)
}

/// Whether a text has the form of an id; nothing else ever becomes part of a path.
fn is_id(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// The folder, made for its owner alone where the system knows owners: it names every file of a project.
fn made(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::verify_fingerprint::Watch;
    use crate::sources::tree::Fingerprint;
    use crate::sources::workspace::TreePath;

    fn baseline(root: &Path, allow: &str) -> Baseline {
        Baseline {
            root: TreePath::of(&bytes_of_path(root)),
            include: Vec::new(),
            allow: vec![allow.to_owned()],
            watch: Watch::Off,
            fingerprint: Fingerprint::default(),
        }
    }

    fn own(root: &Path) -> Owner<'_> {
        Owner { principal: &Principal::Own, root }
    }

    #[test]
    fn what_is_kept_is_found_by_its_id_and_another_replaces_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let root = Path::new("/r");
        let baselines = Baselines::new(Some(dir.path().into()));
        let (first, place) = baselines.keep(own(root), &baseline(root, "a"));
        assert!(matches!(place, Place::Disk(_)));
        let (second, _) = baselines.keep(own(root), &baseline(root, "b"));
        assert_ne!(first, second);
        assert_eq!(baselines.load(own(root), &first), Ok(baseline(root, "a")));
        baselines.note(own(root), &first, "held");
        let other = Baselines::new(Some(dir.path().into()));
        assert_eq!(other.load(own(root), &second), Ok(baseline(root, "b")));
        let mut listed = vec![(first.clone(), Some("held".to_owned())), (second, None)];
        listed.sort();
        assert_eq!(other.list(own(root)), listed);
        let elsewhere = other.load(own(Path::new("/s")), &first);
        assert!(matches!(elsewhere, Err(BaselineTrouble::Missing(_))));
    }

    #[test]
    fn a_baseline_that_was_damaged_or_exchanged_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let root = Path::new("/r");
        let baselines = Baselines::new(Some(dir.path().into()));
        let (first, _) = baselines.keep(own(root), &baseline(root, "a"));
        let (second, _) = baselines.keep(own(root), &baseline(root, "b"));
        let path = |id: &str| baselines.path(own(root), &format!("{id}.baseline")).unwrap();
        let bytes = fs::read(path(&first)).unwrap();
        for at in 0..bytes.len() {
            let mut bent = bytes.clone();
            bent[at] ^= 1;
            fs::write(path(&first), bent).unwrap();
            let loaded = baselines.load(own(root), &first);
            assert_eq!(loaded, Err(BaselineTrouble::Damaged(first.clone())), "byte {at}");
        }
        fs::copy(path(&second), path(&first)).unwrap();
        assert_eq!(baselines.load(own(root), &first), Err(BaselineTrouble::Damaged(first.clone())));
        fs::remove_file(path(&first)).unwrap();
        assert_eq!(baselines.load(own(root), &first), Err(BaselineTrouble::Missing(first)));
        for odd in ["", "../x", "feed", &"G".repeat(64)] {
            assert!(
                matches!(baselines.load(own(root), odd), Err(BaselineTrouble::NoId(_))),
                "{odd}"
            );
        }
    }

    #[test]
    fn without_a_folder_that_can_be_written_it_is_kept_in_memory() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("file"), "").unwrap();
        let root = Path::new("/r");
        for folder in [None, Some(dir.path().join("file"))] {
            let baselines = Baselines::new(folder);
            let (id, place) = baselines.keep(own(root), &baseline(root, "a"));
            assert!(matches!(place, Place::Memory(_)));
            assert_eq!(baselines.load(own(root), &id), Ok(baseline(root, "a")));
            assert_eq!(baselines.list(own(root)), [(id, None)]);
        }
    }

    #[test]
    fn a_state_folder_in_the_tree_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        assert!(Baselines::new(Some(root.join("not/yet"))).lie_in(&root));
        assert!(!Baselines::new(Some(root.clone())).lie_in(&root.join("project")));
    }

    #[test]
    fn what_one_principal_took_is_not_there_for_another() {
        let dir = tempfile::tempdir().unwrap();
        let root = Path::new("/r");
        let principals = [
            Principal::Own,
            Principal::Subject("a".into()),
            Principal::Subject("b".into()),
            Principal::Subject("".into()),
        ];
        for folder in [Some(dir.path().to_path_buf()), None] {
            let kept = Baselines::new(folder.clone());
            let taken: Vec<String> = (0..principals.len())
                .map(|at| {
                    let owner = Owner { principal: &principals[at], root };
                    let (id, _) = kept.keep(owner, &baseline(root, &at.to_string()));
                    kept.note(owner, &id, "held");
                    id
                })
                .collect();
            for (at, principal) in principals.iter().enumerate() {
                let owner = Owner { principal, root };
                let row = (taken[at].clone(), Some("held".to_owned()));
                assert_eq!(kept.list(owner), [row]);
                for (of, id) in taken.iter().enumerate() {
                    kept.note(owner, id, "held");
                    match of == at {
                        true => assert!(kept.load(owner, id).is_ok()),
                        false => assert_eq!(
                            kept.load(owner, id),
                            Err(BaselineTrouble::Missing(id.clone()))
                        ),
                    }
                }
            }
        }
    }

    #[test]
    fn of_a_subject_the_newest_baselines_are_kept_and_older_ones_are_as_if_never_taken() {
        let dir = tempfile::tempdir().unwrap();
        let root = Path::new("/r");
        let [ada, bob] = ["ada", "bob"].map(|name| Principal::Subject(name.into()));
        let [ada, bob] = [&ada, &bob].map(|principal| Owner { principal, root });
        let elsewhere = Owner { root: Path::new("/s"), ..ada };
        for folder in [Some(dir.path().to_path_buf()), None] {
            let kept = Baselines::new(folder);
            let others = [bob, elsewhere, own(root)];
            let of_others = others.map(|owner| kept.keep(owner, &baseline(owner.root, "x")).0);
            let take = |at: usize| {
                let (id, _) = kept.keep(ada, &baseline(root, &at.to_string()));
                kept.note(ada, &id, "held");
                // What was kept within one tick of the clock has no order.
                let written = std::time::UNIX_EPOCH + std::time::Duration::from_secs(at as u64);
                let path = kept.path(ada, &format!("{id}.baseline"));
                if let Some(file) = path.and_then(|p| fs::File::options().write(true).open(p).ok())
                {
                    file.set_modified(written).unwrap();
                }
                id
            };
            let mut taken: Vec<String> = (0..MAX_OF_SUBJECT).map(take).collect();
            // Taken again, the first is no longer the oldest, and waits for a comparison again.
            let again = kept.keep(ada, &baseline(root, "0")).0;
            assert_eq!(again, taken[0]);
            assert!(kept.list(ada).contains(&(again.clone(), None)));
            kept.note(ada, &again, "held");
            taken.extend((MAX_OF_SUBJECT..MAX_OF_SUBJECT + 3).map(take));
            let gone = &taken[1..4];
            for (at, id) in taken.iter().enumerate() {
                match gone.contains(id) {
                    true => {
                        let missing = BaselineTrouble::Missing(id.clone());
                        assert_eq!(kept.load(ada, id), Err(missing), "{at}");
                    }
                    false => assert_eq!(kept.load(ada, id), Ok(baseline(root, &at.to_string()))),
                }
            }
            let mut listed: Vec<String> =
                taken.iter().filter(|i| !gone.contains(i)).cloned().collect();
            listed.sort();
            let found: Vec<String> = kept.list(ada).into_iter().map(|(id, _)| id).collect();
            assert_eq!(found, listed);
            assert_eq!(kept.verdicts.lock().unwrap().len(), MAX_OF_SUBJECT);
            if let Some(folder) = kept.path(ada, "") {
                assert_eq!(fs::read_dir(folder).unwrap().count(), 2 * MAX_OF_SUBJECT);
            }
            for (owner, id) in others.into_iter().zip(&of_others) {
                assert!(kept.load(owner, id).is_ok());
            }
        }
    }

    #[test]
    fn of_the_machines_own_user_everything_is_kept() {
        let dir = tempfile::tempdir().unwrap();
        let root = Path::new("/r");
        for folder in [Some(dir.path().to_path_buf()), None] {
            let kept = Baselines::new(folder);
            for at in 0..2 * MAX_OF_SUBJECT {
                kept.keep(own(root), &baseline(root, &at.to_string()));
            }
            assert_eq!(kept.list(own(root)).len(), 2 * MAX_OF_SUBJECT);
        }
    }

    #[test]
    fn the_machines_own_user_finds_what_was_kept_before_there_were_others() {
        let dir = tempfile::tempdir().unwrap();
        let root = Path::new("/r");
        let baselines = Baselines::new(Some(dir.path().into()));
        let (id, _) = baselines.keep(own(root), &baseline(root, "a"));
        // The first 16 digits of the SHA-256 of "/r".
        let before = dir.path().join("baselines/6588117f7b516232");
        assert!(before.join(format!("{id}.baseline")).is_file());
    }

    #[test]
    fn ids_that_nobody_has_fill_no_folder() {
        let dir = tempfile::tempdir().unwrap();
        let root = Path::new("/r");
        let baselines = Baselines::new(Some(dir.path().into()));
        baselines.note(own(root), &"0".repeat(64), "unknown");
        assert!(fs::read_dir(dir.path()).unwrap().next().is_none());
    }
}
