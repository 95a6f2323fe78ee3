//! The words that all rooms share: names, places in a text, and the reason why nothing is claimed.
//!
//! Nothing here reads a file, knows a format or decides anything.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A name as it stands in code: short, and cheap to copy.
pub type Name = SmolStr;

/// A stretch of a text, in UTF-8 bytes; `end` is not part of it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte behind the last.
    pub end: u32,
}

impl Span {
    /// From the first byte to the one behind the last; both must lie below 4 GiB.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: to_u32(start), end: to_u32(end) }
    }

    /// The piece of `text` that it covers; empty where it lies outside or cuts a character.
    pub fn of<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.start as usize..self.end as usize).unwrap_or("")
    }

    /// Whether `other` lies in it whole.
    pub fn holds(&self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

/// A length, count or index as 32 bits; what is larger is clamped.
pub fn to_u32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// A place as people and editors name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// From 1; a line ends at LF or CRLF.
    pub line: u32,
    /// From 1, in UTF-16 units.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Where the lines of a text begin, and how far its places lie from there.
#[derive(Debug, Clone)]
pub struct Lines {
    starts: Vec<u32>,
    /// UTF-16 units before every [`STRIDE`]th byte, so that a place in a long line need not be counted from its start.
    units: Vec<u32>,
}

/// How many bytes lie between two counted places.
const STRIDE: usize = 512;

/// The UTF-16 units of the characters that begin in these bytes.
fn units_in(bytes: &[u8]) -> u32 {
    bytes.iter().map(|b| u32::from(b & 0xC0 != 0x80) + u32::from(*b >= 0xF0)).sum()
}

impl Lines {
    /// Reads `text` once. Only LF ends a line (a CR before it belongs to the line's end).
    pub fn of(text: &str) -> Lines {
        let breaks = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        let starts = std::iter::once(0).chain(breaks.map(|(i, _)| to_u32(i + 1))).collect();
        let mut units = vec![0];
        for stretch in text.as_bytes().chunks(STRIDE) {
            units.push(units.last().copied().unwrap_or(0) + units_in(stretch));
        }
        Lines { starts, units }
    }

    /// The UTF-16 units before byte `at`.
    fn units_before(&self, text: &str, at: u32) -> u32 {
        let at = (at as usize).min(text.len());
        let stretch = at / STRIDE;
        self.units[stretch] + units_in(&text.as_bytes()[stretch * STRIDE..at])
    }

    /// How many lines there are; a text without a break has one.
    pub fn n_lines(&self) -> usize {
        self.starts.len()
    }

    /// The place of byte `at` of `text`, which must be the text that was read.
    pub fn place(&self, text: &str, at: u32) -> Place {
        let line_idx = self.starts.partition_point(|s| *s <= at).saturating_sub(1);
        let start = self.starts[line_idx];
        let column = self.units_before(text, at).saturating_sub(self.units_before(text, start));
        // A byte order mark is no part of the first line.
        let marked = line_idx == 0 && at > 0 && text.starts_with('\u{feff}');
        let column = column - u32::from(marked);
        Place { line: to_u32(line_idx + 1), column: column + 1 }
    }

    /// The line of byte `at`, from 1.
    pub fn line(&self, at: u32) -> u32 {
        to_u32(self.starts.partition_point(|s| *s <= at).max(1))
    }

    /// The byte at which `line` (from 1) begins; behind the last line, the text's length.
    pub fn start(&self, text: &str, line: u32) -> usize {
        self.starts.get((line as usize).saturating_sub(1)).map_or(text.len(), |s| *s as usize)
    }

    /// The lines from `first` to `last` (from 1) as they stand, without the last one's end.
    pub fn stretch<'t>(&self, text: &'t str, first: u32, last: u32) -> &'t str {
        let (start, end) = (self.start(text, first), self.start(text, last.saturating_add(1)));
        text.get(start..end).unwrap_or("").trim_end_matches(['\n', '\r'])
    }

    /// The text of line `line` (from 1) without its end.
    pub fn text<'t>(&self, text: &'t str, line: u32) -> &'t str {
        let Some(start) = self.starts.get((line as usize).wrapping_sub(1)) else { return "" };
        let end = self.starts.get(line as usize).map_or(text.len(), |e| *e as usize);
        text.get(*start as usize..end).unwrap_or("").trim_end_matches(['\n', '\r'])
    }
}

/// Asked often by long work: whether its answer is still wanted.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Nobody wants the answer any more.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work should end.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Told by long work how far it is.
pub trait Progress: Sync {
    /// `done` of `total` steps of `what`; a total of 0 is not known.
    fn step(&self, done: u64, total: u64, what: &str);
}

/// Tells nobody.
pub struct Quiet;

impl Progress for Quiet {
    fn step(&self, _done: u64, _total: u64, _what: &str) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_utf16_units_and_skip_the_byte_order_mark() {
        let text = "\u{feff}a.b\r\n𝒳.c";
        let lines = Lines::of(text);
        assert_eq!(lines.place(text, 5), Place { line: 1, column: 3 });
        let c = to_u32(text.find('c').unwrap());
        assert_eq!(lines.place(text, c), Place { line: 2, column: 4 });
        assert_eq!(lines.text(text, 1), "\u{feff}a.b");
    }
}
