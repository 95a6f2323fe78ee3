//! Where something is in a project: which readings of a pattern are tried, which names are meant, and what is near.
//!
//! A lower rung is tried only when a higher one found nothing, and the answer says which it was.

use super::concepts::Behind;
use super::suggest::{Candidate, suggest};
use crate::base::Name;
use crate::sources::search::{InFile, Phrase, Refusal, Searched};
use crate::sources::workspace::Omissions;
use crate::words::asked;
use std::collections::BTreeSet;

/// How a pattern was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rung {
    /// As a regular expression.
    Expression,
    /// As it stands.
    Literal,
    /// All its words on one line, in any order.
    AllWords,
    /// As words for something that an api has: the names of that.
    Concept,
}

impl Rung {
    /// As an answer says it.
    pub fn said(self) -> &'static str {
        match self {
            Rung::Expression => "as a regular expression",
            Rung::Literal => "literally",
            Rung::AllWords => "all words",
            Rung::Concept => "by the real symbols behind the words",
        }
    }
}

/// Which readings of a pattern may be tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// As a regular expression first.
    Any,
    /// It is text.
    Literal,
}

/// What was found, and what was searched for it.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// The pattern.
    pub pattern: String,
    /// The reading that had hits; none where there are no hits.
    pub rung: Option<Rung>,
    /// The readings that were tried, in order.
    pub tried: Vec<Rung>,
    /// Where words stand for something that an api has: what that is.
    pub behind: Vec<Behind>,
    /// Readings that cannot be, and what to write instead.
    pub refused: Vec<(Rung, Refusal)>,
    /// The files with hits, sorted by path.
    pub files: Vec<InFile>,
    /// Files whose name has the pattern, best first.
    pub names: Vec<String>,
    /// Variables on lines with hits, in the order of these.
    pub footprints: Vec<InPath>,
    /// Hits behind those whose variables were looked at.
    pub n_beyond: usize,
    /// How much was searched.
    pub searched: Searched,
    /// What was not.
    pub omissions: Omissions,
    /// Words of the tree that come near; looked for only where nothing was found.
    pub nearest: Vec<Name>,
}

/// A footprint and its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InPath {
    /// Relative to the root.
    pub path: String,
    /// The variable.
    pub variable: Name,
    /// Where it is declared.
    pub declared: u32,
    /// Its lines, from 1, with their text.
    pub lines: Vec<(u32, String)>,
}

impl Found {
    /// How many lines have it.
    pub fn n_hits(&self) -> usize {
        self.files.iter().map(|f| f.hits.len()).sum()
    }
}

/// The readings of a pattern in the order in which they are tried.
pub fn rungs(pattern: &str, reading: Reading) -> Vec<(Rung, Phrase)> {
    let literal = (Rung::Literal, Phrase::Literal(pattern.to_owned()));
    if reading == Reading::Literal {
        return vec![literal];
    }
    let mut rungs = vec![(Rung::Expression, Phrase::Expression(pattern.to_owned()))];
    if pattern.contains(|c: char| r"\.+*?()|[]{}^$".contains(c)) {
        rungs.push(literal);
    }
    let words: BTreeSet<&str> =
        pattern.split_whitespace().filter(|w| w.contains(char::is_alphanumeric)).collect();
    if words.len() > 1 {
        let words = words.into_iter().map(str::to_owned).collect();
        rungs.push((Rung::AllWords, Phrase::AllWords(words)));
    }
    rungs
}

/// Whether a pattern is made of words only, so that it may stand for something that an api has.
pub fn is_words(pattern: &str) -> bool {
    let is_plain = |c: char| c.is_alphabetic() || matches!(c, ' ' | '-' | '\'' | '’');
    pattern.len() <= MAX_CONCEPT && pattern.chars().all(is_plain) && !asked(pattern).is_empty()
}

/// What finds any of these symbols, by their names as whole identifiers; none where there is none.
pub fn names_of(behind: &[Behind]) -> Option<Phrase> {
    let names: BTreeSet<&str> = behind.iter().map(|b| b.name.as_str()).collect();
    let names: Vec<String> =
        names.into_iter().filter(|name| is_identifier(name)).map(escaped).collect();
    let whole = format!(r"\b(?:{})\b", names.join("|"));
    (!names.is_empty()).then_some(Phrase::Expression(whole))
}

fn is_identifier(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
}

fn escaped(name: &str) -> String {
    name.replace('$', r"\$")
}

/// Whether `name` stands in a text as a whole identifier.
pub fn stands_in(name: &str, text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
    })
}

/// A longer pattern is no name of a thing.
const MAX_CONCEPT: usize = 80;

/// Words for kinds of files, and how names of these end.
const KINDS: &[(&str, &[&str])] = &[
    ("json", &["json", "jsonc", "json5"]),
    ("xml", &["xml", "xsd", "xsl", "xslt"]),
    ("javascript", &["js", "mjs", "cjs", "jsx"]),
    ("js", &["js", "mjs", "cjs", "jsx"]),
    ("typescript", &["ts", "mts", "cts", "tsx"]),
    ("ts", &["ts", "mts", "cts", "tsx"]),
    ("csv", &["csv", "tsv"]),
    ("html", &["html", "htm"]),
    ("css", &["css", "scss", "less"]),
    ("yaml", &["yaml", "yml"]),
    ("toml", &["toml"]),
    ("markdown", &["md", "mdx", "markdown"]),
    ("pdf", &["pdf"]),
    ("image", &["png", "jpg", "jpeg", "gif", "svg", "webp"]),
    ("python", &["py"]),
    ("rust", &["rs"]),
];

/// Words around a kind of file that say nothing.
const FILLERS: &[&str] = &["the", "a", "an", "all", "any", "my", "this", "file", "files"];

/// The endings of the files that a pattern such as `the xml` means.
pub fn endings_meant(pattern: &str) -> Vec<&'static str> {
    let lower = pattern.to_lowercase();
    let mut said = lower.split_whitespace().filter(|word| !FILLERS.contains(word));
    let (Some(kind), None) = (said.next(), said.next()) else { return Vec::new() };
    let kind = kind.trim_start_matches("*.").trim_start_matches('.');
    let kinds = KINDS.iter().filter(|(word, _)| *word == kind || format!("{word}s") == kind);
    kinds.flat_map(|(_, endings)| endings.iter().copied()).collect()
}

/// The paths that a pattern means, best first: in the file's own name before in its folders' names. `has` tells
/// whether a text has the pattern.
pub fn names_meant(paths: &[&str], pattern: &str, has: impl Fn(&str) -> bool) -> Vec<String> {
    let endings = endings_meant(pattern);
    let mut found: Vec<(u8, &str)> = Vec::new();
    for path in paths {
        let name = path.rsplit('/').next().unwrap_or(path);
        let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_lowercase());
        let is_of_kind = ending.is_some_and(|e| endings.contains(&e.as_str()));
        if is_of_kind || has(name) {
            found.push((0, path));
        } else if has(path) {
            found.push((1, path));
        }
    }
    found.sort_unstable();
    found.into_iter().map(|(_, path)| path.to_owned()).collect()
}

/// The words that exist and are nearest to those of the pattern.
pub fn nearest(pattern: &str, existing: &BTreeSet<String>) -> Vec<Name> {
    let candidates: Vec<Candidate> = existing
        .iter()
        .map(|word| Candidate { name: word.as_str().into(), callable: false })
        .collect();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let mut words: Vec<&str> =
        pattern.split(|c| !is_part(c)).filter(|word| (3..=60).contains(&word.len())).collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    words.dedup();
    let mut near: Vec<Name> = Vec::new();
    for name in words.into_iter().take(3).flat_map(|word| suggest(word, false, &candidates)) {
        if !near.contains(&name) {
            near.push(name);
        }
    }
    near
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(pattern: &str, reading: Reading) -> Vec<Rung> {
        rungs(pattern, reading).into_iter().map(|(rung, _)| rung).collect()
    }

    #[test]
    fn rungs_are_those_that_differ() {
        use Rung::{AllWords, Expression, Literal};
        assert_eq!(tried("blockStart", Reading::Any), [Expression]);
        assert_eq!(tried("a[0]", Reading::Any), [Expression, Literal]);
        assert_eq!(tried("HandleRequest error", Reading::Any), [Expression, AllWords]);
        assert_eq!(tried("don't", Reading::Any), [Expression]);
        assert_eq!(tried("HandleRequest error", Reading::Literal), [Literal]);
    }

    #[test]
    fn only_words_stand_for_symbols() {
        for words in ["the box", "page-number", "Größe"] {
            assert!(is_words(words), "{words}");
        }
        for code in ["box.width", "the", "a[0]", "f()", "x = 1", &"word ".repeat(40)] {
            assert!(!is_words(code), "{code}");
        }
        assert!(stands_in("Block", "x: Block;") && !stands_in("Block", "makeBlock Blocks"));
    }

    #[test]
    fn a_kind_of_file_is_meant_by_its_word() {
        assert_eq!(endings_meant("the XML files")[0], "xml");
        assert!(endings_meant("xml parser").is_empty());
        let paths = ["data/a.json", "json/b.txt", "c.xml"];
        let has = |text: &str| text.contains("json");
        assert_eq!(names_meant(&paths, "json", has), ["data/a.json", "json/b.txt"]);
    }

    #[test]
    fn what_is_near_exists() {
        let existing = ["blockStart", "blockEnd", "unrelated"].map(str::to_owned).into();
        assert_eq!(nearest("layout.blockStrat(", &existing)[0], "blockStart");
    }
}
