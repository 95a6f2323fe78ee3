//! A text as the grammars can read it: what only a host understands, and what is nested too deep, turned into spaces.
//!
//! Every byte keeps its place, so spans of the cleaned text are spans of the text itself.

use crate::base::Span;
use std::borrow::Cow;

/// How deep brackets may nest before the parser, which recurses, is not shown them.
const MAX_BRACKETS: u32 = 5_000;

/// How many beginnings of comments the parser may see that never end.
const MAX_OPEN_COMMENTS: usize = 100;

/// Words behind `#` at the start of a line by which ExtendScript hosts and their kin speak to themselves.
const DIRECTIVES: [&str; 7] =
    ["include", "includepath", "target", "targetengine", "engine", "script", "strict"];

/// The text to parse, and what of it was blanked because it nests too deep.
pub(super) fn cleaned(text: &str) -> (Cow<'_, str>, Vec<Span>) {
    let deep = deep_stretches(text);
    let mut blanks = directives(text);
    let open_comments = open_comments(text);
    if blanks.is_empty() && deep.is_empty() && open_comments.is_empty() {
        return (Cow::Borrowed(text), deep);
    }
    blanks.extend(&deep);
    blanks.extend(&open_comments);
    blanks.sort_unstable();
    let mut clean = String::with_capacity(text.len());
    for blank in blanks {
        let (from, end) = (clean.len(), blank.end as usize);
        let start = (blank.start as usize).max(from);
        clean.push_str(text.get(from..start).unwrap_or(""));
        clean.extend(std::iter::repeat_n(' ', end.saturating_sub(clean.len())));
    }
    let from = clean.len();
    clean.push_str(text.get(from..).unwrap_or(""));
    (Cow::Owned(clean), deep)
}

/// Lines that only a host understands, and a `#!` that a byte order mark hides from the grammar.
fn directives(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    if text.starts_with("\u{feff}#!") {
        let end = text.find('\n').unwrap_or(text.len());
        found.push(Span::new('\u{feff}'.len_utf8(), end));
    }
    for (at, _) in text.match_indices('#') {
        let before = text[..at].trim_end_matches([' ', '\t']);
        if !before.is_empty() && !before.ends_with(['\n', '\r']) {
            continue;
        }
        let end = text[at..].find(['\n', '\r']).map_or(text.len(), |i| at + i);
        if is_directive(&text[at + 1..end]) {
            found.push(Span::new(at, end));
        }
    }
    found
}

/// Whether a line without its `#` is a directive and not a private member of a class.
fn is_directive(line: &str) -> bool {
    let length = line.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (word, rest) = line.split_at(length);
    let argument = rest.trim_start();
    DIRECTIVES.contains(&word)
        && argument.len() < rest.len()
        && argument.starts_with(|c: char| c.is_alphanumeric() || "\"'./<~_".contains(c))
        && !argument.starts_with("in ")
        && !line.contains('`')
        && !line.contains("${")
}

/// Beginnings of comments that never end: the parser would look for the end of each up to the end of the text.
///
/// The first ones stay, since they may be patterns of files in strings.
fn open_comments(text: &str) -> Vec<Span> {
    let from = text.rfind("*/").map_or(0, |at| at + 2);
    let open = text[from..].match_indices("/*").skip(MAX_OPEN_COMMENTS);
    open.map(|(at, begin)| Span::new(from + at, from + at + begin.len())).collect()
}

/// Where brackets nest too deep, from behind the bracket that is one too many to the one that closes it.
fn deep_stretches(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut depth = 0_u32;
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => {
                depth += 1;
                if depth == MAX_BRACKETS {
                    from = at + 1;
                }
            }
            b')' | b']' | b'}' => {
                if depth == MAX_BRACKETS {
                    found.push(Span::new(from, at));
                }
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
    }
    if depth >= MAX_BRACKETS {
        found.push(Span::new(from, text.len()));
    }
    found.retain(|s| s.start < s.end);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_of_hosts_become_spaces_and_private_members_stay() {
        let text =
            "#target photoshop\n#include \"a.js\"\nclass A {\n  #target = 1;\n  #include() {}\n}";
        let (clean, deep) = cleaned(text);
        assert_eq!(clean.len(), text.len());
        assert!(clean.trim_start().starts_with("class A"));
        assert!(clean.contains("#target = 1") && clean.contains("#include() {}"));
        assert!(deep.is_empty());
    }

    #[test]
    fn deep_nesting_becomes_spaces_between_its_brackets() {
        let text = format!("a({}{});b", "(".repeat(6_000), ")".repeat(6_000));
        let (clean, deep) = cleaned(&text);
        assert_eq!(clean.len(), text.len());
        assert_eq!(deep.len(), 1);
        assert!(clean.ends_with("));b") && clean.contains("( "));
    }
}
