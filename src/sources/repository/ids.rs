//! The names of git's objects: hashes of what they hold.

use crate::sources::workspace::paths::FromBytes;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha1::{Digest, Sha1};
use sha2::Sha256;

/// The longest name of an object.
const LONGEST: usize = 32;

/// The name of an object: 20 or 32 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId {
    // What lies behind the name is zero, so that equal names are equal.
    bytes: [u8; LONGEST],
    length: u8,
}

impl ObjectId {
    /// From its bytes; none if no name has so many.
    pub fn of_bytes(name: &[u8]) -> Option<ObjectId> {
        let length = u8::try_from(name.len()).ok().filter(|n| matches!(n, 20 | 32))?;
        let mut bytes = [0; LONGEST];
        bytes[..name.len()].copy_from_slice(name);
        Some(ObjectId { bytes, length })
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }

    /// From hexadecimal text.
    pub fn of(text: &str) -> Option<ObjectId> {
        let text = text.trim();
        if !matches!(text.len(), 40 | 64) || !text.is_ascii() {
            return None;
        }
        let pairs = (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16));
        ObjectId::of_bytes(&pairs.collect::<Result<Vec<u8>, _>>().ok()?)
    }

    /// In hexadecimal.
    pub fn hex(&self) -> String {
        self.bytes().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl Serialize for ObjectId {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(self.bytes())
    }
}

impl<'de> Deserialize<'de> for ObjectId {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<ObjectId, D::Error> {
        from.deserialize_bytes(FromBytes(ObjectId::of_bytes))
    }
}

/// The name that git gives to a file with this content.
pub fn blob_id(content: &[u8], n_id: usize) -> ObjectId {
    let mut hash = Hash::new(n_id);
    hash.update(format!("blob {}\0", content.len()).as_bytes());
    hash.update(content);
    hash.id()
}

/// SHA-1 or SHA-256, by the length of its result.
pub(super) enum Hash {
    /// The older form.
    Sha1(Sha1),
    /// The newer form.
    Sha256(Sha256),
}

impl Hash {
    /// The one whose result has `n_id` bytes.
    pub fn new(n_id: usize) -> Hash {
        match n_id {
            32 => Hash::Sha256(Sha256::new()),
            _ => Hash::Sha1(Sha1::new()),
        }
    }

    /// Goes on with these bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        match self {
            Hash::Sha1(hash) => hash.update(bytes),
            Hash::Sha256(hash) => hash.update(bytes),
        }
    }

    /// The result, as a name.
    pub fn id(self) -> ObjectId {
        let id = match self {
            Hash::Sha1(hash) => ObjectId::of_bytes(&hash.finalize()),
            Hash::Sha256(hash) => ObjectId::of_bytes(&hash.finalize()),
        };
        id.expect("both results have the length of a name")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blob_has_the_name_that_git_gives_it() {
        assert_eq!(blob_id(b"", 20).hex(), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        assert_eq!(blob_id(b"hello\n", 20).hex(), "ce013625030ba8dba906f756967f9e9ca394464a");
    }

    #[test]
    fn a_name_is_read_as_it_is_written() {
        let name = "ce013625030ba8dba906f756967f9e9ca394464a";
        assert_eq!(ObjectId::of(&format!("{name}\n")).map(|id| id.hex()).as_deref(), Some(name));
        assert_eq!(ObjectId::of("ce01"), None);
        assert_eq!(ObjectId::of(&"ä".repeat(20)), None);
    }
}
