//! What is looked for, compiled, and the lines of a text that have it.

use crate::base::{Span, Stop};
use grep_matcher::Matcher;
use grep_regex::{ErrorKind, RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkMatch};
use std::io;

/// The longest pattern that is looked for, in bytes.
const MAX_PATTERN: usize = 64 * 1024;

/// How large a compiled pattern may grow, in bytes.
const MAX_COMPILED: usize = 16 * 1024 * 1024;

/// A pattern and how it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Phrase {
    /// As a regular expression.
    Expression(String),
    /// As it stands.
    Literal(String),
    /// All of these on one line, in any order, each as it stands.
    AllWords(Vec<String>),
}

/// Whether `a` is `A`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Case {
    /// Only where the pattern has no capital.
    #[default]
    Smart,
    /// Never.
    Sensitive,
    /// Always.
    Ignored,
}

/// How far one match may reach.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Reach {
    /// To the end of its line.
    #[default]
    OneLine,
    /// Over several lines.
    ManyLines,
}

/// Why a phrase cannot be looked for, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Look-around.
    #[error(
        "look-around is not supported: write the text itself, and use `context` or `glob` for what is around it"
    )]
    LookAround,
    /// Backreferences.
    #[error("backreferences are not supported: write the repeated text itself")]
    Backreference,
    /// One repetition right behind another.
    #[error("a repetition of a repetition (++, **) is read as text: write (…)+ if it is meant")]
    Possessive,
    /// A line end in a search by lines.
    #[error("it holds a line end: add \"multiline\": true, or search for one line of it")]
    LineEnd,
    /// It would take too much memory.
    #[error("it is too large: shorten it, or lower its counts {{n,m}}")]
    TooLarge,
    /// It is no regular expression.
    #[error(
        "{0}: write \\ before each ( ) [ {{ * + ? that is meant as text, or add \"literal\": true"
    )]
    Syntax(String),
}

/// A line that has what is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// From 1.
    pub line: u32,
    /// Where the first match begins, in UTF-16 units from 1.
    pub column: u32,
    /// The line, or all lines that the match touches, without the last line end.
    pub text: String,
    /// Where in `text` the match stands.
    pub matched: Span,
}

/// A compiled phrase. What is found has the first part, and all others on the same line.
#[derive(Debug, Clone)]
pub struct Seeker {
    first: RegexMatcher,
    others: Vec<RegexMatcher>,
    reach: Reach,
}

impl Seeker {
    /// Compiles a phrase.
    pub fn of(phrase: &Phrase, case: Case, reach: Reach) -> Result<Seeker, Refusal> {
        let one = |text: &str, is_literal: bool| compiled(text, is_literal, case, reach);
        match phrase {
            Phrase::Expression(text) if doubles_repetition(text) => Err(Refusal::Possessive),
            Phrase::Expression(text) => {
                Ok(Seeker { first: one(text, false)?, others: Vec::new(), reach })
            }
            Phrase::Literal(text) => {
                Ok(Seeker { first: one(text, true)?, others: Vec::new(), reach })
            }
            Phrase::AllWords(words) => {
                let mut longest_first: Vec<&String> = words.iter().collect();
                longest_first.sort_by_key(|word| std::cmp::Reverse(word.len()));
                let mut parts = longest_first
                    .into_iter()
                    .map(|word| compiled(word, true, case, Reach::OneLine))
                    .collect::<Result<Vec<_>, _>>()?
                    .into_iter();
                let first = parts.next().ok_or_else(|| Refusal::Syntax("no word".into()))?;
                Ok(Seeker { first, others: parts.collect(), reach: Reach::OneLine })
            }
        }
    }

    /// Whether this one line has it.
    pub fn is_in(&self, line: &str) -> bool {
        let has = |part: &RegexMatcher| part.is_match(line.as_bytes()).unwrap_or(false);
        has(&self.first) && self.others.iter().all(has)
    }

    /// Every line of `text` that has it, once each, in order; those before `stop`.
    pub fn hits_in(&self, text: &str, stop: &Stop) -> Vec<Hit> {
        let mut searcher = SearcherBuilder::new()
            .line_number(true)
            .multi_line(self.reach == Reach::ManyLines)
            .binary_detection(BinaryDetection::none())
            .bom_sniffing(false)
            .build();
        let mut taken = Taken { seeker: self, stop, hits: Vec::new() };
        searcher
            .search_slice(&self.first, text.as_bytes(), &mut taken)
            .expect("a search in memory meets no device, and what takes the lines never fails");
        taken.hits
    }
}

fn compiled(
    text: &str,
    is_literal: bool,
    case: Case,
    reach: Reach,
) -> Result<RegexMatcher, Refusal> {
    if text.len() > MAX_PATTERN {
        return Err(Refusal::TooLarge);
    }
    let mut builder = RegexMatcherBuilder::new();
    builder.multi_line(true).unicode(true).octal(false).fixed_strings(is_literal);
    builder.size_limit(MAX_COMPILED).dfa_size_limit(MAX_COMPILED);
    builder.case_smart(case == Case::Smart).case_insensitive(case == Case::Ignored);
    builder.line_terminator((reach == Reach::OneLine).then_some(b'\n'));
    builder.build(text).map_err(|why| match why.kind() {
        ErrorKind::NotAllowed(_) | ErrorKind::Banned(_) | ErrorKind::InvalidLineTerminator(_) => {
            Refusal::LineEnd
        }
        _ => refusal(&why.to_string()),
    })
}

/// What the crate says, as what to do; its drawing of the pattern is left away.
fn refusal(why: &str) -> Refusal {
    if why.contains("look-around") {
        return Refusal::LookAround;
    }
    if why.contains("backreferences") {
        return Refusal::Backreference;
    }
    if why.contains("size limit") || why.contains("too big") || why.contains("maximum") {
        return Refusal::TooLarge;
    }
    let last = why.lines().last().unwrap_or("").trim().trim_start_matches("error: ");
    Refusal::Syntax(last.chars().take(120).collect())
}

/// Whether one repetition stands right behind another, as in `C++`: valid here, and never what is meant.
fn doubles_repetition(text: &str) -> bool {
    let (mut is_escaped, mut in_class, mut before) = (false, false, ' ');
    for c in text.chars() {
        if is_escaped {
            (is_escaped, before) = (false, ' ');
            continue;
        }
        match c {
            '\\' => is_escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '+' | '*' if !in_class && matches!(before, '+' | '*') => return true,
            _ => {}
        }
        before = c;
    }
    false
}

struct Taken<'s> {
    seeker: &'s Seeker,
    stop: &'s Stop,
    hits: Vec<Hit>,
}

impl Sink for &mut Taken<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, io::Error> {
        let line = found.line_number().and_then(|n| u32::try_from(n).ok()).unwrap_or(u32::MAX);
        let text = String::from_utf8_lossy(found.bytes());
        let text = text.strip_suffix('\n').unwrap_or(&text);
        let has = |part: &RegexMatcher| part.is_match(text.as_bytes()).unwrap_or(false);
        if self.seeker.others.iter().all(has) {
            self.take(line, text);
        }
        Ok(!self.stop.is_set())
    }
}

impl Taken<'_> {
    /// One hit for each line on which a match begins.
    fn take(&mut self, first_line: u32, text: &str) {
        let mut done_to = 0;
        let mut hits = Vec::new();
        let take = |found: grep_matcher::Match| {
            if found.start() < done_to {
                return true;
            }
            let start = text[..found.start()].rfind('\n').map_or(0, |at| at + 1);
            let ends = found.end().max(found.start()).min(text.len());
            let end = text[ends..].find('\n').map_or(text.len(), |at| ends + at);
            let before = &text[..start];
            let n_before = before.bytes().filter(|b| *b == b'\n').count();
            hits.push(Hit {
                line: first_line.saturating_add(crate::base::to_u32(n_before)),
                column: crate::base::to_u32(text[start..found.start()].encode_utf16().count() + 1),
                text: text[start..end].to_owned(),
                matched: Span::new(found.start() - start, ends - start),
            });
            let first_end = text[found.start()..].find('\n').map(|at| found.start() + at + 1);
            done_to = first_end.unwrap_or(usize::MAX);
            first_end.is_some()
        };
        self.seeker.first.find_iter(text.as_bytes(), take).expect("this matcher never fails");
        self.hits.extend(hits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(phrase: Phrase, reach: Reach, text: &str) -> Vec<(u32, u32, String)> {
        let seeker = Seeker::of(&phrase, Case::Smart, reach).unwrap();
        let hits = seeker.hits_in(text, &Stop::default());
        hits.into_iter().map(|h| (h.line, h.column, h.text)).collect()
    }

    #[test]
    fn columns_count_utf16_units() {
        let found = hits(Phrase::Literal("c".into()), Reach::OneLine, "a\n𝒳.c c\n");
        assert_eq!(found, [(2, 4, "𝒳.c c".into())]);
    }

    #[test]
    fn words_are_met_on_one_line_in_any_order() {
        let words = Phrase::AllWords(vec!["HandleRequest".into(), "error".into()]);
        let text = "func HandleRequest() error\nHandleRequest\nerror\n";
        let found = hits(words, Reach::OneLine, text);
        assert_eq!(found, [(1, 6, "func HandleRequest() error".into())]);
    }

    #[test]
    fn a_match_over_lines_has_them_all() {
        let text = "a {\nb\n}\nc\na {\n}";
        let found = hits(Phrase::Expression(r"\{[^}]*\}".into()), Reach::ManyLines, text);
        assert_eq!(found, [(1, 3, "a {\nb\n}".into()), (5, 3, "a {\n}".into())]);
    }

    #[test]
    fn what_is_refused_says_what_to_write() {
        let refused = |text: &str| {
            let phrase = Phrase::Expression(text.into());
            Seeker::of(&phrase, Case::Smart, Reach::OneLine).err()
        };
        assert_eq!(refused("(?=x)y"), Some(Refusal::LookAround));
        assert_eq!(refused("(?<!x)y"), Some(Refusal::LookAround));
        assert_eq!(refused(r"(a)\1"), Some(Refusal::Backreference));
        assert_eq!(refused("a\nb"), Some(Refusal::LineEnd));
        assert_eq!(refused("C++"), Some(Refusal::Possessive));
        assert_eq!(refused(r"(\w{1000}){1000}"), Some(Refusal::TooLarge));
        assert!(matches!(refused("***"), Some(Refusal::Syntax(_) | Refusal::Possessive)));
        assert!(matches!(refused("a("), Some(Refusal::Syntax(_))));
        assert_eq!(refused(r"[+*]+\++"), None);
    }
}
