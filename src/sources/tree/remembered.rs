//! Hashes of files that were read before, by what tells that nobody wrote to them since.
//!
//! Only a beginning asks here; a comparison reads every byte. The record is kept outside of every tree. One that is
//! missing, damaged or of another form remembers nothing, and the files are read.

use super::records::Entry;
use crate::sources::workspace::folder::own_bytes;
use crate::sources::workspace::opening::hash_of;
use crate::sources::workspace::paths::bytes_of_path;
use crate::sources::workspace::{Lies, Trace, writing};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What the record begins with; another form of it gets another mark.
const MARK: &[u8] = b"groundline hashes 1\n";

/// The largest record that is read.
const MAX_RECORD: u64 = 1 << 30;

/// What was changed this shortly before it was read may be changed again within the same tick of the file system's clock.
const A_TICK: i64 = 2_000_000_000;

const N_TRACE: usize = 40;
const N_HASH: usize = 32;
const N_ROW: usize = N_TRACE + N_HASH;

/// Where hashes are kept, and when the walk that uses them began.
#[derive(Debug, Clone)]
pub struct Memory {
    /// The file, whose folder is made when it is needed.
    pub file: PathBuf,
    /// In nanoseconds since 1970.
    pub begun: i64,
}

impl Memory {
    /// The memory of `root` below the cache folder `cache`, for a walk that begins at `begun`. None where it would lie in
    /// the tree that it is about.
    pub fn of(cache: &Path, root: &Path, begun: i64) -> Option<Memory> {
        let name = &hash_of(&bytes_of_path(root))[..16];
        (!writing::would_lie_in(cache, root))
            .then(|| Memory { file: cache.join("hashes").join(name), begun })
    }
}

/// A record: its rows are sorted, each a trace and then a hash.
#[derive(Debug)]
pub(super) struct Remembered {
    bytes: Vec<u8>,
}

impl Remembered {
    /// What the file holds.
    pub fn load(file: &Path) -> Option<Remembered> {
        Remembered::of(own_bytes(file, MAX_RECORD).ok().flatten()?)
    }

    fn of(bytes: Vec<u8>) -> Option<Remembered> {
        let (sum, packed) = bytes.strip_prefix(MARK)?.split_at_checked(N_HASH)?;
        let (rows, rest) = packed.as_chunks::<N_ROW>();
        let is_whole = rest.is_empty() && Sha256::digest(packed)[..] == *sum;
        (is_whole && rows.is_sorted()).then_some(Remembered { bytes })
    }

    fn rows(&self) -> &[[u8; N_ROW]] {
        self.bytes.get(MARK.len() + N_HASH..).unwrap_or_default().as_chunks().0
    }

    /// How many files are remembered.
    pub fn n_files(&self) -> usize {
        self.rows().len()
    }

    /// The hash of the file with this trace.
    pub fn hash(&self, trace: &Trace) -> Option<[u8; N_HASH]> {
        let key = key(trace);
        let at = self.rows().binary_search_by(|row| row[..N_TRACE].cmp(&key)).ok()?;
        self.rows().get(at)?.last_chunk().copied()
    }

    /// Keeps the hashes of these entries, which were read after `memory` says. Where that cannot be done the next walk
    /// reads the files.
    pub fn keep(entries: &[Entry], memory: &Memory) {
        let lasting = entries.iter().filter(|e| is_lasting(e, memory.begun));
        let row = |entry: &Entry| {
            let mut row = [0; N_ROW];
            row[..N_TRACE].copy_from_slice(&key(&entry.trace));
            row[N_TRACE..].copy_from_slice(&entry.hash);
            row
        };
        let mut rows: Vec<[u8; N_ROW]> = lasting.map(row).collect();
        rows.sort_unstable();
        rows.dedup();
        let packed = rows.as_flattened();
        let sum = Sha256::digest(packed);
        let folder = memory.file.parent().ok_or(ErrorKind::InvalidInput);
        let _ = folder
            .map_err(Into::into)
            .and_then(fs::create_dir_all)
            .and_then(|()| writing::write_unforced(&memory.file, &[MARK, &sum, packed]));
    }
}

/// Whether the trace tells of every later change.
fn is_lasting(entry: &Entry, begun: i64) -> bool {
    let is_file = entry.is_counted() && matches!(entry.lies, Lies::File { .. });
    let newest = entry.trace.changed.max(entry.trace.modified);
    is_file && entry.trace.inode != 0 && newest.saturating_add(A_TICK) < begun
}

/// A trace in a form that is compared byte by byte.
fn key(trace: &Trace) -> [u8; N_TRACE] {
    let Trace { device, inode, bytes, modified, changed } = *trace;
    let parts = [inode, changed.cast_unsigned(), modified.cast_unsigned(), bytes, device];
    let mut key = [0; N_TRACE];
    for (into, part) in key.as_chunks_mut::<8>().0.iter_mut().zip(parts) {
        *into = part.to_be_bytes();
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::tree::Scope;
    use crate::sources::workspace::TreePath;

    fn entry(inode: u64, changed: i64) -> Entry {
        Entry {
            path: TreePath::of(inode.to_string().as_bytes()),
            scope: Scope::Covered,
            lies: Lies::File { executable: false },
            hash: [u8::try_from(inode).unwrap(); N_HASH],
            trace: Trace { inode, changed, ..Trace::default() },
            beyond: None,
        }
    }

    #[test]
    fn what_was_changed_within_the_last_tick_is_not_remembered() {
        let dir = tempfile::tempdir().unwrap();
        let memory = Memory::of(dir.path(), Path::new("/r"), 10 * A_TICK).unwrap();
        let entries = [entry(1, 0), entry(2, 9 * A_TICK - 1), entry(3, 9 * A_TICK)];
        Remembered::keep(&entries, &memory);
        let remembered = Remembered::load(&memory.file).unwrap();
        assert_eq!(remembered.hash(&entries[0].trace), Some([1; N_HASH]));
        assert_eq!(remembered.hash(&entries[1].trace), Some([2; N_HASH]));
        assert_eq!(remembered.hash(&entries[2].trace), None);
        for other in [
            Trace { bytes: 1, ..entries[0].trace },
            Trace { device: 1, ..entries[0].trace },
            Trace { modified: 1, ..entries[0].trace },
            Trace { changed: 1, ..entries[0].trace },
        ] {
            assert_eq!(remembered.hash(&other), None, "{other:?}");
        }
    }

    #[test]
    fn a_damaged_record_remembers_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let memory = Memory::of(dir.path(), Path::new("/r"), 10 * A_TICK).unwrap();
        Remembered::keep(&[entry(1, 0), entry(2, 0)], &memory);
        let bytes = fs::read(&memory.file).unwrap();
        assert_eq!(Remembered::of(bytes.clone()).unwrap().n_files(), 2);
        for at in 0..bytes.len() {
            let mut bent = bytes.clone();
            bent[at] ^= 1;
            assert!(Remembered::of(bent).is_none(), "byte {at}");
            assert!(Remembered::of(bytes[..at].to_vec()).is_none(), "{at} bytes");
        }
    }

    #[test]
    fn a_memory_never_lies_in_its_tree() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("root");
        fs::create_dir(&root).unwrap();
        assert!(Memory::of(&root.join("cache"), &root, 0).is_none());
        assert!(Memory::of(&dir.path().join("cache"), &root, 0).is_some());
    }
}
