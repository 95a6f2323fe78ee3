//! What was mined, on disk: one file each, whole or not there.
//!
//! A file is written under another name in the same folder, forced to the disk and renamed, so that neither a kill nor a
//! second process leaves half of one; it begins with a checksum of the rest. Where the folder cannot be used, nothing
//! is kept and a note says so.

use super::mining::{Mined, SeenFile};
use super::note::Note;
use crate::base::Name;
use crate::datagraph::Datagraph;
use crate::datagraph::format::packed::LAYOUT;
use crate::datagraph::format::{packed, unpacked};
use crate::sources::packages::Unread;
use crate::sources::workspace::opening::{slashed, stamp};
use crate::sources::workspace::writing::write;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// How many files are kept; the ones that were written longest ago go first.
const MAX_KEPT: usize = 400;

/// From this age on, an unfinished file of another process was left behind, in seconds.
const LEFT_BEHIND: u64 = 3600;

/// What notes about the cache folder are about.
pub const CACHE: &str = "cache";

const MARK: &[u8; 4] = b"GLCA";

/// A datagraph and what it was made of.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Kept {
    /// The datagraph.
    pub datagraph: Arc<Datagraph>,
    /// Every file that it was made of.
    pub files: Vec<SeenFile>,
    /// The packages that its files name.
    pub needs: Vec<Name>,
    /// What was not read, and why.
    pub unread: Vec<Unread>,
    /// Of each page, how it documents members.
    pub dialects: Vec<(Name, Name)>,
    /// Of each pattern of the configuration, in how many sections it matched; known only where it was just mined.
    pub patterns: Vec<(Name, usize)>,
}

impl From<Mined> for Kept {
    fn from(mined: Mined) -> Kept {
        Kept {
            datagraph: Arc::new(mined.datagraph),
            files: mined.files,
            needs: mined.needs,
            unread: mined.unread,
            dialects: mined.dialects,
            patterns: mined.patterns,
        }
    }
}

impl Kept {
    /// Whether every file still has its stamp.
    pub fn is_fresh(&self) -> bool {
        self.files.iter().all(|f| f.stamp.is_some() && stamp(&f.path) == f.stamp)
    }

    /// The files that no longer have their stamp.
    pub fn changed(&self) -> impl Iterator<Item = &Path> {
        let same = |f: &&SeenFile| f.stamp.is_none() || stamp(&f.path) != f.stamp;
        self.files.iter().filter(same).map(|f| f.path.as_path())
    }

    /// How many bytes its files had.
    pub fn n_bytes(&self) -> u64 {
        self.files.iter().filter_map(|f| f.stamp).map(|s| s.bytes).sum()
    }

    /// The same with present stamps, if every file still has its content.
    pub fn renewed(&self) -> Option<Kept> {
        let files: Option<Vec<SeenFile>> = self.files.iter().map(SeenFile::renewed).collect();
        Some(Kept { files: files?, ..self.clone() })
    }
}

#[derive(Serialize, Deserialize)]
struct Head {
    key: String,
    files: Vec<SeenFile>,
    needs: Vec<Name>,
    unread: Vec<(String, String)>,
    dialects: Vec<(Name, Name)>,
}

/// The cache folder.
pub struct Cache {
    whole: Option<PathBuf>,
    folder: Option<PathBuf>,
    troubles: Mutex<Vec<Note>>,
}

impl Cache {
    /// A cache in `folder`, which is made when it is first needed, or none.
    pub fn new(folder: Option<PathBuf>) -> Cache {
        let whole = folder.clone();
        let folder = folder.map(|f| f.join("datagraphs").join(LAYOUT.to_string()));
        Cache { whole, folder, troubles: Mutex::default() }
    }

    /// What kept it from working since it was last asked.
    pub fn notes(&self) -> Vec<Note> {
        std::mem::take(&mut *self.troubles.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What is kept under `key`; an error where that is damaged.
    pub fn load(&self, key: &str) -> Result<Option<Kept>, &'static str> {
        let Some(path) = self.path(key) else { return Ok(None) };
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(why) if why.kind() == ErrorKind::NotFound => return Ok(None),
            Err(_) => return Err("unreadable"),
        };
        let kept = whole(&bytes, key).ok_or("damaged")?;
        Ok(Some(kept))
    }

    /// Keeps `kept` under `key`, if it can.
    pub fn save(&self, key: &str, kept: &Kept) {
        let Some(path) = self.path(key) else { return };
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        match folder.and_then(|()| write(&path, &bytes_of(key, kept))) {
            Ok(()) => prune(&path),
            Err(why) => {
                let folder = path.parent().map_or(String::new(), slashed);
                let text = format!("{folder} cannot be written ({why}), so nothing is kept there");
                let mut troubles = self.troubles.lock().unwrap_or_else(PoisonError::into_inner);
                troubles.push(Note::remark(CACHE, text));
            }
        }
    }

    /// The folder for what is kept under the name `what` beside the datagraphs.
    pub fn place(&self, what: &str) -> Option<PathBuf> {
        Some(self.whole.as_ref()?.join(what))
    }

    fn path(&self, key: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{key}.bin")))
    }
}

fn bytes_of(key: &str, kept: &Kept) -> Vec<u8> {
    let head = Head {
        key: key.to_string(),
        files: kept.files.clone(),
        needs: kept.needs.clone(),
        unread: kept.unread.iter().map(|u| (u.path.clone(), u.why.clone())).collect(),
        dialects: kept.dialects.clone(),
    };
    let head = postcard::to_stdvec(&head)
        .expect("a head holds only lists, texts and numbers, which all have a spelling");
    let mut content = (head.len() as u64).to_le_bytes().to_vec();
    content.extend_from_slice(&head);
    content.extend_from_slice(&packed(&kept.datagraph));
    let mut bytes = MARK.to_vec();
    bytes.extend_from_slice(&Sha256::digest(&content));
    bytes.extend_from_slice(&content);
    bytes
}

fn whole(bytes: &[u8], key: &str) -> Option<Kept> {
    let (sum, content) = bytes.strip_prefix(MARK)?.split_first_chunk::<32>()?;
    if Sha256::digest(content).as_slice() != sum {
        return None;
    }
    let (length, rest) = content.split_first_chunk::<8>()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let (head, small) = rest.split_at_checked(length)?;
    let head: Head = postcard::from_bytes(head).ok().filter(|h: &Head| h.key == key)?;
    let unread = head.unread.into_iter().map(|(path, why)| Unread { path, why });
    Some(Kept {
        datagraph: Arc::new(unpacked(small).ok()?),
        files: head.files,
        needs: head.needs,
        unread: unread.collect(),
        dialects: head.dialects,
        patterns: Vec::new(),
    })
}

/// Removes the oldest files beyond [`MAX_KEPT`] and what other processes left unfinished; `newest` was just written.
fn prune(newest: &Path) {
    let Some(folder) = newest.parent() else { return };
    let Ok(now) = fs::metadata(newest).and_then(|m| m.modified()) else { return };
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut kept = Vec::new();
    for entry in entries.flatten() {
        let Ok(modified) = entry.metadata().and_then(|m| m.modified()) else { continue };
        let path = entry.path();
        let age = now.duration_since(modified).map_or(0, |age| age.as_secs());
        match path.extension().is_some_and(|e| e == "tmp") {
            true if age > LEFT_BEHIND => drop(fs::remove_file(path)),
            true => {}
            false => kept.push((modified, path)),
        }
    }
    kept.sort();
    let n_over = kept.len().saturating_sub(MAX_KEPT);
    for (_, path) in kept.into_iter().take(n_over) {
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(folder: &Path, text: &str) -> Kept {
        let path = folder.join("a.d.ts");
        fs::write(&path, text).unwrap();
        let file = SeenFile { path, hash: Name::default(), stamp: None };
        let hash = crate::sources::workspace::opening::hash_of(text.as_bytes());
        let file = SeenFile { hash: hash.into(), ..file };
        let datagraph = Datagraph { api: "a".into(), ..Datagraph::default() };
        let kept = Kept { datagraph: datagraph.into(), files: vec![file], ..Kept::default() };
        kept.renewed().unwrap()
    }

    #[test]
    fn what_is_saved_is_loaded_until_a_source_changes() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::new(Some(dir.path().join("cache")));
        let first = kept(dir.path(), "interface A {}");
        assert_eq!(cache.load("k"), Ok(None));
        cache.save("k", &first);
        assert_eq!(cache.load("k"), Ok(Some(first.clone())));
        assert_eq!(cache.load("other"), Ok(None));
        assert!(first.is_fresh());
        fs::write(dir.path().join("a.d.ts"), "interface A { b: 1 }").unwrap();
        assert!(!first.is_fresh());
        assert_eq!(first.renewed(), None);
        assert_eq!(cache.notes(), []);
    }

    #[test]
    fn any_damage_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::new(Some(dir.path().join("cache")));
        cache.save("k", &kept(dir.path(), ""));
        let path = cache.path("k").unwrap();
        let bytes = fs::read(&path).unwrap();
        for at in 0..bytes.len() {
            let mut bent = bytes.clone();
            bent[at] ^= 1;
            fs::write(&path, &bent).unwrap();
            assert_eq!(cache.load("k"), Err("damaged"), "bit in byte {at}");
        }
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        assert_eq!(cache.load("k"), Err("damaged"));
        fs::rename(&path, cache.path("other").unwrap()).unwrap();
        fs::write(cache.path("other").unwrap(), &bytes).unwrap();
        assert_eq!(cache.load("other"), Err("damaged"));
    }

    #[test]
    fn a_folder_that_cannot_be_used_is_said() {
        let dir = tempfile::tempdir().unwrap();
        // A file where the folder should be stands for every folder that cannot be written, also for root.
        fs::write(dir.path().join("cache"), "").unwrap();
        let cache = Cache::new(Some(dir.path().join("cache")));
        cache.save("k", &Kept::default());
        let notes = cache.notes();
        assert_eq!(notes.len(), 1);
        assert!(notes[0].text.contains("cannot be written"), "{notes:?}");
        assert!(!matches!(cache.load("k"), Ok(Some(_))));
    }

    #[test]
    fn nothing_unfinished_stays_and_two_writers_do_no_harm() {
        let dir = tempfile::tempdir().unwrap();
        let kept = kept(dir.path(), "");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let cache = Cache::new(Some(dir.path().join("cache")));
                    for _ in 0..20 {
                        cache.save("k", &kept);
                        assert!(cache.load("k").is_ok());
                    }
                });
            }
        });
        let cache = Cache::new(Some(dir.path().join("cache")));
        assert_eq!(cache.load("k"), Ok(Some(kept)));
        let folder = cache.path("k").unwrap();
        let names = fs::read_dir(folder.parent().unwrap()).unwrap().count();
        assert_eq!(names, 1);
    }
}
