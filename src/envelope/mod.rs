//! Answers to text: the one place where wording is made and where text leaves.
//!
//! A correction is an action with exact names, so that the cheapest thing to do is the right thing; where nothing is
//! wrong the answer is one line. Every text fits its budget: it is cut on line borders, says what was cut, and names the
//! next call. What cannot be seen is shown as `\u{…}`.

pub mod check_symbols;
pub mod find_in_files;
pub mod find_construct;
pub mod verify_fingerprint;
pub mod delete_construct;
pub mod quoting;
pub mod resolve_topic;
pub mod lookup_docs;

pub use check_symbols::{Counts, check_symbols, check_symbols_listed};
pub use find_construct::{find_construct, find_construct_listed};
pub use find_in_files::{find_in_files, find_in_files_listed};

use std::fmt::Write;

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

fn finished(text: String, notes: &[String]) -> String {
    let mut whole = text;
    for note in notes {
        whole.push('\n');
        whole.push_str(note);
    }
    visible(&whole)
}

/// `text` with everything that cannot be seen, or that turns what is seen around, as `\u{…}`; line ends and tabs stay.
pub fn visible(text: &str) -> String {
    if !text.chars().any(hides) {
        return text.to_string();
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match hides(c) {
            true => {
                let _ = write!(shown, "\\u{{{:x}}}", c as u32);
            }
            false => shown.push(c),
        }
    }
    shown
}

/// Whether a character hides itself or others: controls, bidirectional overrides, zero widths, tags, fillers.
fn hides(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        c if c.is_control() => true,
        '\u{ad}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_shown() {
        assert_eq!(visible("a\u{202e}b\u{0}\tc\n\u{200b}"), "a\\u{202e}b\\u{0}\tc\n\\u{200b}");
        assert_eq!(visible("Größe 𝒳 日本"), "Größe 𝒳 日本");
    }
}
