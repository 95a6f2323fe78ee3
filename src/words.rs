//! Text to words: names into their parts, words that say nothing, and stems.
//!
//! The same words are taken from documentation and from questions, so that `makeTable`, "make table" and "tables that
//! were made" meet. Nothing here knows an api.

use frostem::{Algorithm, Stemmer};
use std::sync::OnceLock;

/// A longer run of letters is no word.
const MAX_WORD: usize = 64;

/// Words that say nothing of what is meant.
const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be", "because",
    "been", "before", "being", "both", "but", "by", "can", "cannot", "could", "did", "do", "does",
    "doing", "done", "each", "either", "for", "from", "given", "had", "has", "have", "having",
    "here", "how", "i", "if", "in", "into", "is", "it", "its", "itself", "just", "like", "may",
    "me", "might", "more", "most", "must", "my", "need", "no", "not", "of", "off", "on", "one",
    "only", "or", "other", "our", "out", "over", "own", "same", "shall", "should", "so", "some",
    "such", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this",
    "those", "to", "too", "under", "up", "upon", "us", "use", "used", "using", "very", "via",
    "want", "was", "way", "we", "were", "what", "when", "where", "which", "while", "who", "whose",
    "why", "will", "with", "within", "would", "you", "your",
];

/// The parts of a name, in lower case: `getHTMLText2` is `get`, `html`, `text`, `2`.
///
/// A run of capitals is one part, but its last one begins the next word where small letters follow.
pub fn parts(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let mut found: Vec<String> = Vec::new();
    let mut part = String::new();
    for (idx, c) in chars.iter().enumerate() {
        let before = idx.checked_sub(1).map(|at| chars[at]);
        let is_followed_by_small = chars.get(idx + 1).is_some_and(|next| next.is_lowercase());
        let is_hump =
            c.is_uppercase() && before.is_some_and(|b| !b.is_uppercase() || is_followed_by_small);
        let is_number = before.is_some_and(|b| b.is_numeric() != c.is_numeric());
        if (is_hump || is_number || !c.is_alphanumeric()) && !part.is_empty() {
            found.push(std::mem::take(&mut part));
        }
        if c.is_alphanumeric() {
            part.extend(c.to_lowercase());
        }
    }
    if !part.is_empty() {
        found.push(part);
    }
    found
}

/// The runs of letters and digits in a text, as they stand.
pub fn runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|run| !run.is_empty() && run.len() <= MAX_WORD)
}

/// The stems of a question: names in their parts, without words that say nothing, in their order.
pub fn asked(text: &str) -> Vec<String> {
    let parts = runs(text).flat_map(parts);
    parts.filter(|part| !is_empty_word(part)).map(|part| stem(&part)).collect()
}

/// The stems of what is indexed: as [`asked`], and each name of several parts joined as well, so that `blockstart`
/// finds `blockStart`.
pub fn indexed(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for run in runs(text) {
        let of_run = parts(run);
        let joined = (of_run.len() > 1).then(|| of_run.concat());
        let kept = of_run.into_iter().filter(|part| !is_empty_word(part));
        found.extend(kept.map(|part| stem(&part)));
        found.extend(joined);
    }
    found
}

/// Whether a word in lower case says nothing of what is meant.
pub fn is_empty_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
        || (word.chars().count() == 1 && !word.chars().all(char::is_numeric))
}

/// The Snowball stem (English) of a word in lower case.
pub fn stem(word: &str) -> String {
    static STEMMER: OnceLock<Stemmer> = OnceLock::new();
    let stemmer = STEMMER.get_or_init(|| Stemmer::new(Algorithm::English));
    stemmer.stem(word).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_apart_at_their_humps() {
        assert_eq!(parts("getHTMLText"), ["get", "html", "text"]);
        assert_eq!(parts("sRGB_to-xyz65"), ["s", "rgb", "to", "xyz", "65"]);
        assert_eq!(parts("ÄrgerGroß"), ["ärger", "groß"]);
        assert!(parts("-_-").is_empty());
    }

    #[test]
    fn questions_and_documentation_meet() {
        assert_eq!(asked("How do I draw the boxes?"), ["draw", "box"]);
        assert_eq!(asked("makeTable"), ["make", "tabl"]);
        assert_eq!(indexed("layout.makeTable"), ["layout", "make", "tabl", "maketable"]);
        assert!(asked("*** -- don't").iter().all(|w| w == "don"));
    }

    #[test]
    fn stop_words_can_be_searched() {
        assert!(STOP_WORDS.is_sorted());
    }
}
