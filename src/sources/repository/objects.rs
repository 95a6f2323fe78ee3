//! Git's objects, loose and packed: the files that a commit holds.
//!
//! Only what a question needs is read. What is not there or damaged gives nothing, and the caller says that it could not
//! tell.

use super::ids::{Hash, ObjectId};
use crate::sources::workspace::TreePath;
use crate::sources::workspace::folder::own_bytes;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The largest object and pack that are read.
const MAX_OBJECT: usize = 64 << 20;
const MAX_PACK: u64 = 1 << 30;

/// How long a chain of differences may be; git makes none longer than 4095.
const MAX_CHAIN: usize = 4096;

/// What a tree is nested at most.
const MAX_DEPTH: usize = 1000;

/// A kind of object, as far as it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Commit,
    Tree,
    Other,
}

/// What a commit holds under a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// The kind and executable bit, as git writes it.
    pub mode: u32,
    /// The object.
    pub id: ObjectId,
}

/// The objects of a repository.
pub struct Objects {
    folders: Vec<PathBuf>,
    packs: OnceCell<Vec<Pack>>,
}

impl Objects {
    /// Those of the repository whose shared folder this is, and of the repositories that it borrows from.
    pub fn of(common: &Path) -> Objects {
        let own = common.join("objects");
        let borrowed = own_bytes(&own.join("info/alternates"), 1 << 20).ok().flatten();
        let borrowed = String::from_utf8_lossy(&borrowed.unwrap_or_default()).into_owned();
        let others = borrowed.lines().filter(|l| !l.is_empty()).map(|line| own.join(line));
        let folders = std::iter::once(own.clone()).chain(others).collect();
        Objects { folders, packs: OnceCell::new() }
    }

    /// What `commit` holds under `path`; none where it cannot be told, `Some(None)` where it holds nothing there.
    pub fn held(&self, commit: &ObjectId, path: &[u8]) -> Option<Option<Held>> {
        let mut tree = self.tree_of(commit)?;
        let mut parts = path.split(|b| *b == b'/').peekable();
        while let Some(part) = parts.next() {
            let Some(held) = self.tree(&tree)?.remove(part) else { return Some(None) };
            if parts.peek().is_none() {
                return Some(Some(held));
            }
            if !is_tree(&held) {
                return Some(None);
            }
            tree = held.id;
        }
        Some(None)
    }

    /// The paths under which `to` holds something that `from` (if there is one) does not; none where it cannot be told.
    pub fn gained(&self, from: Option<&ObjectId>, to: &ObjectId) -> Option<Vec<(TreePath, Held)>> {
        let from = match from {
            Some(commit) => Some(self.tree_of(commit)?),
            None => None,
        };
        let mut gained = Vec::new();
        self.gained_in(from.as_ref(), &self.tree_of(to)?, &TreePath::default(), 0, &mut gained)?;
        Some(gained)
    }

    fn gained_in(
        &self,
        from: Option<&ObjectId>,
        to: &ObjectId,
        at: &TreePath,
        depth: usize,
        gained: &mut Vec<(TreePath, Held)>,
    ) -> Option<()> {
        if from == Some(to) {
            return Some(());
        }
        if depth > MAX_DEPTH {
            return None;
        }
        let before = match from {
            Some(tree) => self.tree(tree)?,
            None => BTreeMap::new(),
        };
        for (name, held) in self.tree(to)? {
            let was = before.get(&name);
            if was == Some(&held) {
                continue;
            }
            let path = at.join(&name);
            match is_tree(&held) {
                true => {
                    let was = was.filter(|w| is_tree(w)).map(|w| &w.id);
                    self.gained_in(was, &held.id, &path, depth + 1, gained)?;
                }
                false => gained.push((path, held)),
            }
        }
        Some(())
    }

    fn tree_of(&self, commit: &ObjectId) -> Option<ObjectId> {
        let (kind, content) = self.read(commit, 0)?;
        let line = content.split(|b| *b == b'\n').next()?.strip_prefix(b"tree ")?;
        if kind != Kind::Commit {
            return None;
        }
        ObjectId::of(std::str::from_utf8(line).ok()?)
    }

    fn tree(&self, id: &ObjectId) -> Option<BTreeMap<Vec<u8>, Held>> {
        let (kind, content) = self.read(id, 0)?;
        if kind != Kind::Tree {
            return None;
        }
        let mut held = BTreeMap::new();
        let mut rest = &content[..];
        while !rest.is_empty() {
            let space = rest.iter().position(|b| *b == b' ')?;
            let end = rest.iter().position(|b| *b == 0)?;
            let mode = u32::from_str_radix(std::str::from_utf8(&rest[..space]).ok()?, 8).ok()?;
            let name = rest.get(space + 1..end)?.to_vec();
            let n_id = id.bytes().len();
            let object = ObjectId::of_bytes(rest.get(end + 1..end + 1 + n_id)?)?;
            held.insert(name, Held { mode, id: object });
            rest = &rest[end + 1 + n_id..];
        }
        Some(held)
    }

    fn read(&self, id: &ObjectId, depth: usize) -> Option<(Kind, Vec<u8>)> {
        let hex = id.hex();
        for folder in &self.folders {
            let path = folder.join(&hex[..2]).join(&hex[2..]);
            if let Some(packed) = own_bytes(&path, MAX_OBJECT as u64).ok().flatten() {
                let whole = decompress_to_vec_zlib_with_limit(&packed, MAX_OBJECT).ok()?;
                let end = whole.iter().position(|b| *b == 0)?;
                let kind = match whole[..end].split(|b| *b == b' ').next()? {
                    b"commit" => Kind::Commit,
                    b"tree" => Kind::Tree,
                    _ => Kind::Other,
                };
                // An object that is not what its name says proves nothing.
                let mut hash = Hash::new(id.bytes().len());
                hash.update(&whole);
                return (hash.id() == *id).then(|| (kind, whole[end + 1..].to_vec()));
            }
        }
        let packs = self.packs.get_or_init(|| packs_in(&self.folders));
        let (pack, at) = packs.iter().find_map(|pack| Some((pack, pack.place(id)?)))?;
        self.packed(pack, at, id.bytes().len(), depth)
    }

    /// The object at this place of a pack.
    fn packed(&self, pack: &Pack, at: usize, n_id: usize, depth: usize) -> Option<(Kind, Vec<u8>)> {
        if depth > MAX_CHAIN {
            return None;
        }
        let bytes = pack.bytes()?;
        let mut next = at;
        let mut byte = *bytes.get(next)?;
        next += 1;
        let kind = byte >> 4 & 7;
        while byte & 0x80 != 0 {
            byte = *bytes.get(next)?;
            next += 1;
        }
        let unpacked =
            |from: usize| decompress_to_vec_zlib_with_limit(bytes.get(from..)?, MAX_OBJECT).ok();
        match kind {
            1 => Some((Kind::Commit, unpacked(next)?)),
            2 => Some((Kind::Tree, unpacked(next)?)),
            3 | 4 => Some((Kind::Other, unpacked(next)?)),
            6 => {
                let mut byte = *bytes.get(next)?;
                let mut back = usize::from(byte & 0x7f);
                next += 1;
                while byte & 0x80 != 0 {
                    byte = *bytes.get(next)?;
                    back = back.checked_add(1)?.checked_mul(128)? + usize::from(byte & 0x7f);
                    next += 1;
                }
                let base = at.checked_sub(back).filter(|base| *base < at)?;
                let (kind, base) = self.packed(pack, base, n_id, depth + 1)?;
                Some((kind, patched(&base, &unpacked(next)?)?))
            }
            7 => {
                let base = ObjectId::of_bytes(bytes.get(next..next + n_id)?)?;
                let (kind, base) = self.read(&base, depth + 1)?;
                Some((kind, patched(&base, &unpacked(next + n_id)?)?))
            }
            _ => None,
        }
    }
}

fn is_tree(held: &Held) -> bool {
    held.mode & 0o170_000 == 0o040_000
}

/// What a difference makes of its base.
fn patched(base: &[u8], difference: &[u8]) -> Option<Vec<u8>> {
    let mut rest = difference.iter().copied();
    let mut size = || {
        let (mut size, mut shift) = (0_usize, 0_u32);
        loop {
            let byte = rest.next()?;
            size |= usize::from(byte & 0x7f).checked_shl(shift)?;
            shift += 7;
            if byte & 0x80 == 0 {
                return Some(size);
            }
        }
    };
    let (n_base, n_result) = (size()?, size()?);
    if n_base != base.len() || n_result > MAX_OBJECT {
        return None;
    }
    let mut result = Vec::with_capacity(n_result);
    while let Some(order) = rest.next() {
        if order & 0x80 == 0 {
            result.extend(rest.by_ref().take(usize::from(order)));
            continue;
        }
        let mut number = |bits: std::ops::Range<u8>| {
            let start = bits.start;
            bits.filter(|bit| order >> bit & 1 == 1).try_fold(0_usize, |number, bit| {
                Some(number | usize::from(rest.next()?) << (8 * (bit - start)))
            })
        };
        let (from, length) = (number(0..4)?, number(4..7)?);
        let length = if length == 0 { 0x1_0000 } else { length };
        result.extend_from_slice(base.get(from..from.checked_add(length)?)?);
    }
    (result.len() == n_result).then_some(result)
}

/// A pack and its table of places.
struct Pack {
    path: PathBuf,
    table: Vec<u8>,
    content: OnceCell<Option<Vec<u8>>>,
}

fn packs_in(folders: &[PathBuf]) -> Vec<Pack> {
    let mut packs = Vec::new();
    for folder in folders {
        let Ok(entries) = fs::read_dir(folder.join("pack")) else { continue };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
        paths.sort();
        for path in paths.into_iter().filter(|p| p.extension().is_some_and(|e| e == "idx")) {
            let Ok(Some(table)) = own_bytes(&path, MAX_PACK) else { continue };
            if table.starts_with(b"\xfftOc\0\0\0\x02") {
                let path = path.with_extension("pack");
                packs.push(Pack { path, table, content: OnceCell::new() });
            }
        }
    }
    packs
}

impl Pack {
    fn bytes(&self) -> Option<&[u8]> {
        self.content.get_or_init(|| own_bytes(&self.path, MAX_PACK).ok().flatten()).as_deref()
    }

    /// Where the object lies in the pack.
    fn place(&self, id: &ObjectId) -> Option<usize> {
        let number = |at: usize| {
            let bytes = self.table.get(at..at + 4)?.first_chunk()?;
            Some(u32::from_be_bytes(*bytes) as usize)
        };
        let first = usize::from(*id.bytes().first()?);
        let n_objects = number(8 + 255 * 4)?;
        let mut low = if first == 0 { 0 } else { number(8 + (first - 1) * 4)? };
        let mut high = number(8 + first * 4)?;
        let (names, n_id) = (8 + 256 * 4, id.bytes().len());
        while low < high {
            let middle = low + (high - low) / 2;
            let name = self.table.get(names + middle * n_id..names + (middle + 1) * n_id)?;
            match name.cmp(id.bytes()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => {
                    let places = names + n_objects * (n_id + 4);
                    let place = number(places + middle * 4)?;
                    if place & 0x8000_0000 == 0 {
                        return Some(place);
                    }
                    let far = places + n_objects * 4 + (place & 0x7fff_ffff) * 8;
                    let bytes = self.table.get(far..far + 8)?.first_chunk()?;
                    return usize::try_from(u64::from_be_bytes(*bytes)).ok();
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_copies_and_inserts() {
        // Five bytes become seven: four copied from the second on, then three of its own.
        let difference = [5, 7, 0x91, 1, 4, 3, b'x', b'y', b'z'];
        assert_eq!(patched(b"abcde", &difference).as_deref(), Some(&b"bcdexyz"[..]));
        assert_eq!(patched(b"abcd", &difference), None);
        assert_eq!(patched(b"abcde", &difference[..4]), None);
    }
}
