//! What the words of the documentation say of a pair: that one half goes with the other, or must follow it.

use super::{Chunk, Symbol};
use std::collections::BTreeMap;

/// How many chunks of one symbol are read.
const MAX_CHUNKS: usize = 16;

/// How many words behind a `must` are read.
const REACH: usize = 12;

/// Words that ask for something.
const DEMANDS: &[&str] = &["must", "should", "need", "remember", "always"];

/// How the words begin that say what is asked for.
const DEEDS: &[&str] = &[
    "call", "close", "end", "stop", "release", "restore", "unlock", "match", "pair", "balance",
    "remove", "dispose",
];

/// Words that only say something where two things belong together.
const TIES: &[&str] = &[
    "matching",
    "pair",
    "paired",
    "counterpart",
    "opposite",
    "reverse",
    "reverses",
    "reversed",
    "previously",
    "until",
];

/// The chunks, to be asked by what they document.
pub struct Told<'c> {
    chunks: &'c [Chunk],
    by_symbol: BTreeMap<&'c Symbol, Vec<u32>>,
}

impl<'c> Told<'c> {
    /// Opens `chunks`.
    pub fn of(chunks: &'c [Chunk]) -> Told<'c> {
        let mut by_symbol: BTreeMap<&Symbol, Vec<u32>> = BTreeMap::new();
        for (idx, chunk) in (0..).zip(chunks) {
            for symbol in &chunk.symbols {
                let of_symbol = by_symbol.entry(symbol).or_default();
                if of_symbol.len() < MAX_CHUNKS {
                    of_symbol.push(idx);
                }
            }
        }
        Told { chunks, by_symbol }
    }

    fn texts<'t>(&'t self, symbol: &Symbol, not: &'t Symbol) -> impl Iterator<Item = &'c str> + 't {
        let of_symbol = self.by_symbol.get(symbol).into_iter().flatten();
        let chunks = of_symbol.filter_map(|idx| self.chunks.get(*idx as usize));
        // What documents both names both, whether or not they belong together.
        chunks.filter(|chunk| !chunk.symbols.contains(not)).map(|chunk| chunk.text.as_str())
    }

    /// Whether what is said of one half names the other, or says that something has to follow.
    pub fn ties(&self, open: &Symbol, close: &Symbol) -> bool {
        [(open, close), (close, open)].iter().any(|(one, other)| {
            let name = other.member.as_deref().unwrap_or("");
            self.texts(one, other).any(|text| names(text, name) || demands(text))
        })
    }

    /// Whether both halves are said to attach a handler, so that neither undoes the other.
    pub fn both_attach(&self, open: &Symbol, close: &Symbol) -> bool {
        self.texts(open, close).any(attaches) && self.texts(close, open).any(attaches)
    }
}

/// Whether `text` names a member: a word of several parts anywhere, a plain word only where it stands as code.
fn names(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let is_plain = crate::words::parts(name).len() < 2;
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + name.len()..].chars().next();
            let is_whole = !before.is_some_and(is_word) && !after.is_some_and(is_word);
            let is_code = matches!(before, Some('.' | '#' | '`' | ':' | '-'))
                || matches!(after, Some('(' | '`'));
            is_whole && (is_code || !is_plain)
        })
}

/// Whether `text` asks for a second deed, or says that two things belong together.
fn demands(text: &str) -> bool {
    let small = text.to_lowercase();
    small.split('.').any(|sentence| {
        let words: Vec<&str> = crate::words::runs(sentence).collect();
        words.iter().enumerate().any(|(idx, word)| {
            TIES.contains(word)
                || (DEMANDS.contains(word)
                    && words[idx + 1..]
                        .iter()
                        .take(REACH)
                        .any(|next| DEEDS.iter().any(|deed| next.starts_with(deed))))
        })
    })
}

/// Whether `text` has a sentence such as `Bind an event handler …`.
fn attaches(text: &str) -> bool {
    text.lines().any(|line| {
        let small = line.trim_start_matches(['/', '*', ' ', '#']).to_lowercase();
        let words: Vec<&str> = small.split_whitespace().take(6).collect();
        let begins =
            words.first().is_some_and(|w| ["bind", "register", "attach", "add"].contains(w));
        begins && words.iter().any(|w| w.starts_with("handler"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_word_names_a_member_only_as_code() {
        assert!(names("Ended by `x.tableEnd()`.", "tableEnd"));
        assert!(names("See tableEnd.", "tableEnd"));
        assert!(!names("See tableEnding.", "tableEnd"));
        assert!(!names("Do not close the lid.", "close"));
        assert!(names("Call `close` later.", "close") && names("then close() it", "close"));
    }

    #[test]
    fn demands_are_told_from_other_prose() {
        assert!(demands("You must call the other one."));
        assert!(demands("Runs UNTIL it is told otherwise."));
        assert!(!demands("You must be patient. Calls are cheap."));
    }
}
