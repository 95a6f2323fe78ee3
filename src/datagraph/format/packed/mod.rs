//! A datagraph as bytes that load at once: for the cache and for what is built in.
//!
//! Every name, type and signature is there once and is shared again when it is loaded, children before what is made of
//! them, so that reading neither recurses nor looks back. The bytes carry their layout's number and their length, but
//! prove nothing: who keeps them checks that they are whole.

pub mod writer;
pub mod reader;

use super::FormatTrouble;
use crate::datagraph::Datagraph;

/// The layout's number; it grows when the bytes change their meaning.
pub const LAYOUT: u32 = 2;

const MARK: &[u8; 4] = b"GLDG";

/// How hard is compressed: higher takes long and gains little.
const LEVEL: i32 = 9;

/// The largest datagraph, in bytes.
const MAX_BYTES: usize = 1 << 30;

/// The bytes of a datagraph, the same every time.
pub fn packed(datagraph: &Datagraph) -> Vec<u8> {
    packed_at(datagraph, LEVEL)
}

/// The bytes of a datagraph, compressed at `level` (1 to 22).
pub fn packed_at(datagraph: &Datagraph, level: i32) -> Vec<u8> {
    let plain = writer::plain(datagraph);
    let small = zstd::bulk::compress(&plain, level)
        .expect("compressing from memory to memory needs nothing but memory");
    let mut bytes = Vec::with_capacity(small.len() + 16);
    bytes.extend_from_slice(MARK);
    bytes.extend_from_slice(&LAYOUT.to_le_bytes());
    bytes.extend_from_slice(&(plain.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&small);
    bytes
}

/// The datagraph that `bytes` are.
pub fn unpacked(bytes: &[u8]) -> Result<Datagraph, FormatTrouble> {
    let damaged = |what: &str| FormatTrouble::Damaged(what.to_string());
    let rest = bytes.strip_prefix(MARK).ok_or_else(|| damaged("no mark"))?;
    let (layout, rest) = rest.split_first_chunk::<4>().ok_or_else(|| damaged("no layout"))?;
    if u32::from_le_bytes(*layout) != LAYOUT {
        return Err(damaged("another layout"));
    }
    let (length, small) = rest.split_first_chunk::<8>().ok_or_else(|| damaged("no length"))?;
    let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
    if length > MAX_BYTES {
        return Err(damaged("too long"));
    }
    let plain = zstd::bulk::decompress(small, length).map_err(|why| damaged(&why.to_string()))?;
    if plain.len() != length {
        return Err(damaged("cut short"));
    }
    reader::datagraph(&plain).ok_or_else(|| damaged("not what was written"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_are_read_without_panic() {
        let datagraph = Datagraph { api: "a".into(), version: "1".into(), ..Datagraph::default() };
        let plain = writer::plain(&datagraph);
        assert_eq!(reader::datagraph(&plain), Some(datagraph));
        for at in 0..plain.len() {
            assert_eq!(reader::datagraph(&plain[..at]), None);
            for byte in 0..=255 {
                let mut bent = plain.clone();
                bent[at] = byte;
                let _ = reader::datagraph(&bent);
            }
        }
    }
}
