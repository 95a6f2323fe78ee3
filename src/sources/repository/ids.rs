//! The names of git's objects: hashes of what they hold.

use serde::{Deserialize, Serialize};
use sha1::{Digest, Sha1};
use sha2::Sha256;

/// The name of an object: 20 or 32 bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ObjectId(pub Box<[u8]>);

impl ObjectId {
    /// From hexadecimal text.
    pub fn of(text: &str) -> Option<ObjectId> {
        let text = text.trim();
        if !matches!(text.len(), 40 | 64) || !text.is_ascii() {
            return None;
        }
        let pairs = (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16));
        pairs.collect::<Result<Vec<u8>, _>>().ok().map(|bytes| ObjectId(bytes.into()))
    }

    /// In hexadecimal.
    pub fn hex(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The name that git gives to a file with this content.
pub fn blob_id(content: &[u8], n_id: usize) -> ObjectId {
    let head = format!("blob {}\0", content.len());
    ObjectId(hashed(&[head.as_bytes(), content], n_id).into())
}

/// SHA-1 or SHA-256 of these pieces, by the length of its result.
pub(super) fn hashed(pieces: &[&[u8]], n_id: usize) -> Vec<u8> {
    match n_id {
        32 => pieces.iter().fold(Sha256::new(), |d, p| d.chain_update(p)).finalize().to_vec(),
        _ => pieces.iter().fold(Sha1::new(), |d, p| d.chain_update(p)).finalize().to_vec(),
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
