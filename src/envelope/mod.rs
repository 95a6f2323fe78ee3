//! Answers to text: the one place where wording is made and where text leaves.
//!
//! A correction is an action with exact names, so that the cheapest thing to do is the right thing; where nothing is
//! wrong the answer is one line. Every text fits its budget: it is cut on line borders, says what was cut, and names the
//! next call. What cannot be seen is shown as `\u{…}`.

pub mod characters;
pub mod misuses;
pub mod check_symbols;
pub mod find_in_files;
pub mod find_construct;
pub mod verify_fingerprint;
pub mod delete_construct;
pub mod quoting;
pub mod resolve_topic;
pub mod lookup_docs;

pub use characters::{visible, visible_json, visible_value};
pub use check_symbols::{Counts, check_symbols, check_symbols_listed, check_symbols_unchanged};
pub use find_construct::{find_construct, find_construct_listed};
pub use find_in_files::{find_in_files, find_in_files_listed};

/// How long an answer is unless its caller says otherwise, in characters.
pub const DEFAULT_CHARS: usize = 20_000;

/// How long an answer may be at most, in characters: hosts cut at 40,000.
pub const MOST_CHARS: usize = 38_000;

/// What an envelope needs beside the answer.
#[derive(Debug, Clone, Default)]
pub struct Around {
    /// The apis that hold, as `name version`.
    pub apis: Vec<String>,
    /// What the caller must know about how the answer came about.
    pub notes: Vec<String>,
    /// What else is worth knowing; told as data only.
    pub remarks: Vec<String>,
    /// How many characters the text may have.
    pub max_chars: usize,
    /// How many findings were shown by earlier calls.
    pub cursor: usize,
}

/// A path or text on one line, whatever it holds.
fn one_line(text: &str) -> String {
    text.replace('\n', "\\u{a}").replace('\r', "\\u{d}").replace('\t', "\\u{9}")
}

fn finished(text: String, notes: &[String]) -> String {
    let mut whole = text;
    for note in notes {
        whole.push('\n');
        whole.push_str(note);
    }
    visible(&whole)
}
