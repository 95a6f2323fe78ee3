//! Git's index, versions 2 to 4: which paths are tracked, and with which content.
//!
//! A file that is damaged or has a form that is not read gives an error, never half of the paths.

use super::ids::{Hash, ObjectId};
use crate::sources::workspace::TreePath;
use crate::sources::workspace::paths::range_below;
use serde::{Deserialize, Serialize};
use std::io::{BufRead, BufReader, Read};
use std::ops::{Range, RangeInclusive};

/// So much of the file is read at once.
const PIECE: usize = 64 << 10;

/// Fewer bytes than any entry has, so that a number of entries that is too large asks for no memory.
const SHORTEST: u64 = 62;

/// The tracked paths.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Index {
    // Sorted by path and stage, each pair once.
    rows: Vec<Row>,
}

/// A tracked path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// Relative to the repository's folder.
    pub path: TreePath,
    /// 0, or which side of a merge it is.
    pub stage: u8,
    /// What is held.
    pub staged: Staged,
}

impl Row {
    /// What rows are sorted by.
    pub fn key(&self) -> (&TreePath, u8) {
        (&self.path, self.stage)
    }
}

impl Index {
    fn of(mut rows: Vec<Row>) -> Index {
        if !rows.is_sorted_by(|a, b| a.key() < b.key()) {
            rows.sort_by(|a, b| a.key().cmp(&b.key()));
            rows.dedup_by(|next, row| next.key() == row.key());
        }
        Index { rows }
    }

    /// All of it, sorted by path and stage.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// What is held for `path`, at every stage.
    pub fn at(&self, path: &TreePath) -> &[Row] {
        let first = self.rows.partition_point(|row| row.path < *path);
        let rest = &self.rows[first..];
        &rest[..rest.iter().take_while(|row| row.path == *path).count()]
    }

    /// Where the rows lie whose paths are below `folder`.
    pub fn below(&self, folder: &[u8]) -> Range<usize> {
        range_below(&self.rows, folder, |row| row.path.bytes())
    }

    /// Whether one of the rows in `range` has this path.
    pub fn has(&self, range: Range<usize>, path: &[u8]) -> bool {
        let rows = self.rows.get(range).unwrap_or_default();
        rows.binary_search_by(|row| row.path.bytes().cmp(path)).is_ok()
    }
}

/// What the index holds for a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Staged {
    /// The kind and executable bit, as git writes it.
    pub mode: u32,
    /// The name of the object.
    pub id: ObjectId,
    /// What else is noted.
    pub flags: Flags,
}

impl Staged {
    /// Whether it stands for another repository's commit.
    pub fn is_repository(&self) -> bool {
        self.mode & 0o170_000 == 0o160_000
    }
}

/// Flags of a path in the index, each of which makes git look away or pretend.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flags(u8);

impl Flags {
    const ASSUMED: u8 = 1;
    const SKIPPED: u8 = 2;
    const INTENDED: u8 = 4;

    /// Whether only the intention to add it is noted, with no content.
    pub fn is_intention(self) -> bool {
        self.0 & Flags::INTENDED != 0
    }

    /// The flags by the names that git gives them.
    pub fn names(self) -> String {
        let named = [
            (Flags::ASSUMED, "assume-unchanged"),
            (Flags::SKIPPED, "skip-worktree"),
            (Flags::INTENDED, "intent-to-add"),
        ];
        let set: Vec<&str> =
            named.iter().filter(|(bit, _)| self.0 & bit != 0).map(|(_, name)| *name).collect();
        if set.is_empty() { "none".to_owned() } else { set.join(", ") }
    }
}

/// Why an index was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IndexTrouble {
    /// It ends early, or its checksum is not that of its content.
    #[error("it is damaged")]
    Damaged,
    /// It has a version that is not known.
    #[error("its version {0} is not known")]
    Version(u32),
    /// The system refused to give all of it.
    #[error("it cannot be read to its end")]
    Refused,
    /// Part of it is in another file.
    #[error("it is split: run git update-index --no-split-index")]
    Split,
}

const VERSIONS: RangeInclusive<u32> = 2..=4;

/// Reads an index of `length` bytes whose objects' names have `n_id` bytes.
pub fn index(file: impl Read, length: u64, n_id: usize) -> Result<Index, IndexTrouble> {
    let content = length.checked_sub(n_id as u64).ok_or(IndexTrouble::Damaged)?;
    let file = BufReader::with_capacity(PIECE, file);
    let mut reader = Reader { file, left: content, hash: Hash::new(n_id) };
    let rows = reader.rows(n_id)?;
    while reader.left > 0 {
        let mut head = [0; 8];
        reader.take(&mut head)?;
        let [name @ .., _, _, _, _] = head;
        let length = u32::from_be_bytes([head[4], head[5], head[6], head[7]]);
        reader.extension(&name, u64::from(length), n_id)?;
    }
    let Reader { mut file, hash, .. } = reader;
    let mut sum = vec![0; n_id];
    file.read_exact(&mut sum).map_err(refused)?;
    // Where the sum is left out it is zero.
    let is_summed = sum.iter().any(|byte| *byte != 0);
    match is_summed && hash.id().bytes() != sum {
        true => Err(IndexTrouble::Damaged),
        false => Ok(Index::of(rows)),
    }
}

fn refused(why: std::io::Error) -> IndexTrouble {
    match why.kind() {
        std::io::ErrorKind::UnexpectedEof => IndexTrouble::Damaged,
        _ => IndexTrouble::Refused,
    }
}

/// Reads to the sum at the end, and sums up what it reads.
struct Reader<R> {
    file: BufReader<R>,
    left: u64,
    hash: Hash,
}

impl<R: Read> Reader<R> {
    fn take(&mut self, into: &mut [u8]) -> Result<(), IndexTrouble> {
        self.left = self.left.checked_sub(into.len() as u64).ok_or(IndexTrouble::Damaged)?;
        self.file.read_exact(into).map_err(refused)?;
        self.hash.update(into);
        Ok(())
    }

    fn byte(&mut self) -> Result<u8, IndexTrouble> {
        let mut byte = [0];
        self.take(&mut byte)?;
        Ok(byte[0])
    }

    fn number(&mut self) -> Result<u32, IndexTrouble> {
        let mut bytes = [0; 4];
        self.take(&mut bytes)?;
        Ok(u32::from_be_bytes(bytes))
    }

    fn short(&mut self) -> Result<u16, IndexTrouble> {
        let mut bytes = [0; 2];
        self.take(&mut bytes)?;
        Ok(u16::from_be_bytes(bytes))
    }

    /// Reads up to the next zero, which is taken as well.
    fn through_zero(&mut self, path: &mut Vec<u8>) -> Result<(), IndexTrouble> {
        let n_before = path.len();
        let mut rest = (&mut self.file).take(self.left);
        let n_read = rest.read_until(0, path).map_err(refused)?;
        self.left -= n_read as u64;
        self.hash.update(&path[n_before..]);
        match path.pop_if(|last| *last == 0 && n_read > 0) {
            Some(_) => Ok(()),
            None => Err(IndexTrouble::Damaged),
        }
    }

    fn rows(&mut self, n_id: usize) -> Result<Vec<Row>, IndexTrouble> {
        let mut mark = [0; 4];
        self.take(&mut mark)?;
        if mark != *b"DIRC" {
            return Err(IndexTrouble::Damaged);
        }
        let version = self.number()?;
        if !VERSIONS.contains(&version) {
            return Err(IndexTrouble::Version(version));
        }
        let n_entries = self.number()?;
        let most = usize::try_from(self.left / SHORTEST).unwrap_or(0);
        let mut rows = Vec::with_capacity(most.min(n_entries as usize));
        let mut path = Vec::new();
        for _ in 0..n_entries {
            let (stage, staged) = self.entry(version, n_id, &mut path)?;
            rows.push(Row { path: TreePath::of(&path), stage, staged });
        }
        Ok(rows)
    }

    fn extension(&mut self, name: &[u8; 4], length: u64, n_id: usize) -> Result<(), IndexTrouble> {
        let mut left = length;
        let mut piece = vec![0; PIECE];
        let mut is_first = true;
        while left > 0 {
            let n = usize::try_from(left).unwrap_or(PIECE).min(PIECE);
            self.take(&mut piece[..n])?;
            if is_first && name == b"link" && piece[..n].iter().take(n_id).any(|byte| *byte != 0) {
                return Err(IndexTrouble::Split);
            }
            is_first = false;
            left -= n as u64;
        }
        Ok(())
    }

    /// One entry; `path` is that of the one before, and becomes its own.
    fn entry(
        &mut self,
        version: u32,
        n_id: usize,
        path: &mut Vec<u8>,
    ) -> Result<(u8, Staged), IndexTrouble> {
        let before = self.left;
        let mut status = [0; 40];
        self.take(&mut status)?;
        let mode = u32::from_be_bytes([status[24], status[25], status[26], status[27]]);
        let mut name = [0; 32];
        let name = name.get_mut(..n_id).ok_or(IndexTrouble::Damaged)?;
        self.take(name)?;
        let id = ObjectId::of_bytes(name).ok_or(IndexTrouble::Damaged)?;
        let flags = self.short()?;
        let more = if version >= 3 && flags & 0x4000 != 0 { self.short()? } else { 0 };
        if version == 4 {
            let n_dropped = self.varint()?;
            let kept = path.len().checked_sub(n_dropped).ok_or(IndexTrouble::Damaged)?;
            path.truncate(kept);
            self.through_zero(path)?;
        } else {
            path.clear();
            self.through_zero(path)?;
            // Entries are padded with 1 to 8 zeros to a multiple of eight, and one of them was taken.
            let n_read = before - self.left - 1;
            let mut padding = [0; 8];
            let n_zeros = usize::try_from(8 - n_read % 8).unwrap_or(8);
            self.take(&mut padding[1..n_zeros])?;
        }
        let bit = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
        let flags_set = bit(flags & 0x8000 != 0, Flags::ASSUMED)
            | bit(more & 0x4000 != 0, Flags::SKIPPED)
            | bit(more & 0x2000 != 0, Flags::INTENDED);
        let stage = u8::try_from(flags >> 12 & 3).unwrap_or(0);
        Ok((stage, Staged { mode, id, flags: Flags(flags_set) }))
    }

    /// A number as git writes offsets: seven bits a byte, each continuation adding one.
    fn varint(&mut self) -> Result<usize, IndexTrouble> {
        let mut byte = self.byte()?;
        let mut number = usize::from(byte & 0x7f);
        while byte & 0x80 != 0 {
            byte = self.byte()?;
            number = (number.checked_add(1).and_then(|n| n.checked_mul(128)))
                .ok_or(IndexTrouble::Damaged)?
                + usize::from(byte & 0x7f);
        }
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An index of version 2 with these paths, without a checksum.
    fn written(paths: &[&str]) -> Vec<u8> {
        let mut bytes = b"DIRC\0\0\0\x02".to_vec();
        bytes.extend(crate::base::to_u32(paths.len()).to_be_bytes());
        for path in paths {
            let start = bytes.len();
            bytes.extend([0; 24]);
            bytes.extend(0o100_644_u32.to_be_bytes());
            bytes.extend([0; 12]);
            bytes.extend([7; 20]);
            bytes.extend(u16::try_from(path.len()).unwrap().to_be_bytes());
            bytes.extend(path.as_bytes());
            let n_read = bytes.len() - start;
            bytes.extend(vec![0; 8 - n_read % 8]);
        }
        bytes.extend([0; 20]);
        bytes
    }

    fn read(bytes: &[u8]) -> Result<Index, IndexTrouble> {
        index(bytes, bytes.len() as u64, 20)
    }

    #[test]
    fn tracked_paths_are_read_with_their_objects() {
        let index = read(&written(&["a.js", "src/long-name.js"])).unwrap();
        let paths: Vec<String> = index.rows().iter().map(|row| row.path.to_string()).collect();
        assert_eq!(paths, ["a.js", "src/long-name.js"]);
        let staged = |row: &Row| row.staged.id.bytes() == [7; 20] && row.staged.mode == 0o100_644;
        assert!(index.rows().iter().all(staged));
        assert_eq!(index.at(&TreePath::of(b"a.js")), &index.rows()[..1]);
        assert!(index.has(index.below(b"src"), b"src/long-name.js"));
    }

    #[test]
    fn a_damaged_index_gives_no_paths() {
        let mut bytes = written(&["a.js"]);
        for n in 0..bytes.len() {
            assert!(read(&bytes[..n]).is_err(), "{n} bytes");
        }
        let last = bytes.len() - 1;
        bytes[last] = 1;
        assert_eq!(read(&bytes), Err(IndexTrouble::Damaged));
        let unknown = [&b"DIRC\0\0\0\x09\0\0\0\0"[..], &[0; 20]].concat();
        assert_eq!(read(&unknown), Err(IndexTrouble::Version(9)));
    }
}
