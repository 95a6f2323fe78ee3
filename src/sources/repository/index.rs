//! Git's index, versions 2 to 4: which paths are tracked, and with which content.
//!
//! A file that is damaged or has a form that is not read gives an error, never half of the paths.

use super::ids::{ObjectId, hashed};
use crate::sources::workspace::TreePath;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// The tracked paths, by path and stage.
pub type Index = BTreeMap<(TreePath, u8), Staged>;

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

    /// Whether it stands for a whole folder, as in a sparse index.
    pub fn is_folder(&self) -> bool {
        self.mode & 0o170_000 == 0o040_000
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
    /// Part of it is in another file.
    #[error("it is split: run git update-index --no-split-index")]
    Split,
}

const VERSIONS: RangeInclusive<u32> = 2..=4;

/// Reads an index whose objects' names have `n_id` bytes.
pub fn index(bytes: &[u8], n_id: usize) -> Result<Index, IndexTrouble> {
    let end = bytes.len().checked_sub(n_id).ok_or(IndexTrouble::Damaged)?;
    let (content, sum) = bytes.split_at(end);
    let is_summed = sum.iter().any(|byte| *byte != 0);
    if is_summed && hashed(&[content], n_id) != sum {
        return Err(IndexTrouble::Damaged);
    }
    let mut reader = Reader { rest: content };
    if reader.take(4)? != b"DIRC" {
        return Err(IndexTrouble::Damaged);
    }
    let version = reader.number()?;
    if !VERSIONS.contains(&version) {
        return Err(IndexTrouble::Version(version));
    }
    let n_entries = reader.number()?;
    let mut index = Index::new();
    let mut path = Vec::new();
    for _ in 0..n_entries {
        let (stage, staged) = reader.entry(version, n_id, &mut path)?;
        index.insert((TreePath::of(&path), stage), staged);
    }
    while !reader.rest.is_empty() {
        let name = reader.take(4)?;
        let length = reader.number()? as usize;
        let extension = reader.take(length)?;
        let is_split = name == b"link" && extension.iter().take(n_id).any(|byte| *byte != 0);
        if is_split {
            return Err(IndexTrouble::Split);
        }
    }
    Ok(index)
}

struct Reader<'b> {
    rest: &'b [u8],
}

impl<'b> Reader<'b> {
    fn take(&mut self, n: usize) -> Result<&'b [u8], IndexTrouble> {
        let (taken, rest) = self.rest.split_at_checked(n).ok_or(IndexTrouble::Damaged)?;
        self.rest = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, IndexTrouble> {
        let bytes = self.take(4)?.first_chunk().ok_or(IndexTrouble::Damaged)?;
        Ok(u32::from_be_bytes(*bytes))
    }

    fn short(&mut self) -> Result<u16, IndexTrouble> {
        let bytes = self.take(2)?.first_chunk().ok_or(IndexTrouble::Damaged)?;
        Ok(u16::from_be_bytes(*bytes))
    }

    /// One entry; `path` is that of the one before, and becomes its own.
    fn entry(
        &mut self,
        version: u32,
        n_id: usize,
        path: &mut Vec<u8>,
    ) -> Result<(u8, Staged), IndexTrouble> {
        let before = self.rest.len();
        self.take(24)?;
        let mode = self.number()?;
        self.take(12)?;
        let id = ObjectId(self.take(n_id)?.into());
        let flags = self.short()?;
        let more = if version >= 3 && flags & 0x4000 != 0 { self.short()? } else { 0 };
        if version == 4 {
            let n_dropped = self.varint()?;
            let kept = path.len().checked_sub(n_dropped).ok_or(IndexTrouble::Damaged)?;
            path.truncate(kept);
        } else {
            path.clear();
        }
        let length = self.rest.iter().position(|b| *b == 0).ok_or(IndexTrouble::Damaged)?;
        path.extend_from_slice(self.take(length)?);
        if version == 4 {
            self.take(1)?;
        } else {
            // Entries are padded with 1 to 8 zeros to a multiple of eight.
            let n_read = before - self.rest.len();
            self.take(8 - n_read % 8)?;
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
        let mut byte = self.take(1)?[0];
        let mut number = usize::from(byte & 0x7f);
        while byte & 0x80 != 0 {
            byte = self.take(1)?[0];
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

    #[test]
    fn tracked_paths_are_read_with_their_objects() {
        let index = index(&written(&["a.js", "src/long-name.js"]), 20).unwrap();
        let paths: Vec<String> = index.keys().map(|(path, _)| path.to_string()).collect();
        assert_eq!(paths, ["a.js", "src/long-name.js"]);
        assert!(
            index.values().all(|staged| staged.id.0[..] == [7; 20] && staged.mode == 0o100_644)
        );
    }

    #[test]
    fn a_damaged_index_gives_no_paths() {
        let mut bytes = written(&["a.js"]);
        for n in 0..bytes.len() {
            assert!(index(&bytes[..n], 20).is_err(), "{n} bytes");
        }
        let last = bytes.len() - 1;
        bytes[last] = 1;
        assert_eq!(index(&bytes, 20), Err(IndexTrouble::Damaged));
        let unknown = [&b"DIRC\0\0\0\x09\0\0\0\0"[..], &[0; 20]].concat();
        assert_eq!(index(&unknown, 20), Err(IndexTrouble::Version(9)));
    }
}
