//! Paths in a tree as the file system has them: bytes, with `/`, relative to the root.
//!
//! A name need not be Unicode; its text for people shows what is not, and stays on one line.

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A path below a root; the empty one is the root itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreePath(Box<[u8]>);

impl TreePath {
    /// From the bytes that a file system or an index gives.
    pub fn of(bytes: &[u8]) -> TreePath {
        TreePath(bytes.into())
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Whether it is the root.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// What lies in it under `name`.
    pub fn join(&self, name: &[u8]) -> TreePath {
        if self.0.is_empty() {
            return TreePath::of(name);
        }
        TreePath([&self.0[..], b"/", name].concat().into())
    }

    /// The folder that holds it.
    pub fn parent(&self) -> TreePath {
        let end = self.0.iter().rposition(|b| *b == b'/').unwrap_or(0);
        TreePath::of(&self.0[..end])
    }

    /// Its last part.
    pub fn name(&self) -> &[u8] {
        self.0.rsplit(|b| *b == b'/').next().unwrap_or(&[])
    }

    /// What is left of it below `folder`, if it lies there.
    pub fn below(&self, folder: &TreePath) -> Option<&[u8]> {
        if folder.is_root() {
            return Some(&self.0);
        }
        self.0.strip_prefix(&*folder.0)?.strip_prefix(b"/")
    }

    /// As a path of the system.
    pub fn to_path(&self) -> PathBuf {
        path_of(&self.0)
    }
}

impl fmt::Display for TreePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_root() {
            return f.write_str(".");
        }
        for chunk in self.0.utf8_chunks() {
            for letter in chunk.valid().chars() {
                match letter.is_control() {
                    true => write!(f, "\\u{{{:x}}}", letter as u32)?,
                    false => write!(f, "{letter}")?,
                }
            }
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02x}")?;
            }
        }
        Ok(())
    }
}

impl Serialize for TreePath {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for TreePath {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<TreePath, D::Error> {
        from.deserialize_bytes(FromBytes(|bytes| Some(TreePath::of(bytes))))
    }
}

/// Reads what is written as bytes, all at once; the function says what they are, if anything.
pub struct FromBytes<T>(pub fn(&[u8]) -> Option<T>);

impl<T> Visitor<'_> for FromBytes<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes of a fitting length")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<T, E> {
        (self.0)(bytes).ok_or_else(|| E::invalid_length(bytes.len(), &"fewer bytes"))
    }
}

/// Where the rows lie whose paths are below `folder`; the rows are sorted by their paths.
pub fn range_below<T>(rows: &[T], folder: &[u8], path: impl Fn(&T) -> &[u8]) -> Range<usize> {
    if folder.is_empty() {
        return 0..rows.len();
    }
    // No byte lies between `/` and `0`.
    let [first, end] = [b"/", b"0"].map(|next| [folder, next].concat());
    let place = |key: &[u8]| rows.partition_point(|row| path(row) < key);
    place(&first)..place(&end)
}

/// Bytes as a path of the system.
#[cfg(unix)]
pub fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(bytes).into()
}

/// Bytes as a path of the system.
#[cfg(not(unix))]
pub fn path_of(bytes: &[u8]) -> PathBuf {
    String::from_utf8_lossy(bytes).into_owned().into()
}

/// A path of the system as bytes.
#[cfg(unix)]
pub fn bytes_of_path(path: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    path.as_os_str().as_bytes().to_vec()
}

/// A path of the system as bytes.
#[cfg(not(unix))]
pub fn bytes_of_path(path: &Path) -> Vec<u8> {
    slashed(path).into_bytes()
}

/// A path as text with `/`; what is not Unicode is replaced.
pub fn slashed(path: &Path) -> String {
    let said = path.to_string_lossy();
    match std::path::MAIN_SEPARATOR {
        '/' => said.into_owned(),
        separator => said.replace(separator, "/"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_shown_on_one_line_whatever_it_is() {
        assert_eq!(TreePath::of(b"a\nb/\xff.py").to_string(), "a\\u{a}b/\\xff.py");
        assert_eq!(TreePath::default().to_string(), ".");
    }

    #[test]
    fn what_lies_below_a_folder_lies_together() {
        let rows = ["a", "a-b", "a.js", "a/b", "a/c/d", "a0", "b/a"];
        let below = |folder: &str| &rows[range_below(&rows, folder.as_bytes(), |r| r.as_bytes())];
        assert_eq!(below("a"), ["a/b", "a/c/d"]);
        assert_eq!(below("a/c"), ["a/c/d"]);
        assert_eq!(below("c"), [""; 0]);
        assert_eq!(below(""), rows);
    }

    #[test]
    fn a_path_is_below_its_folders_only() {
        let path = TreePath::of(b"src/a.py");
        assert_eq!(path.below(&TreePath::of(b"src")), Some(&b"a.py"[..]));
        assert_eq!(path.below(&TreePath::of(b"sr")), None);
        assert_eq!(path.parent(), TreePath::of(b"src"));
        assert_eq!(path.name(), b"a.py");
        assert!(TreePath::of(b"a").parent().is_root());
    }
}
