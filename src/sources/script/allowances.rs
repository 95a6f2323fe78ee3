//! Comments that allow a finding: `groundline-allow member: reason`.

use crate::base::{Name, Span};

/// The word that makes a comment allow something.
const WORD: &str = "groundline-allow";

/// A comment that allows one finding, on its own lines or on the line behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowance {
    /// The member, name or key that it allows.
    pub name: Name,
    /// Why; empty where nothing is said.
    pub reason: Name,
    /// Where the word and the name stand.
    pub span: Span,
    /// The whole comment.
    pub comment: Span,
    /// Beside what the comment stands.
    pub beside: Beside,
}

/// Beside what a comment stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    /// Beside code: it holds for its own lines.
    Code,
    /// On lines of its own: it holds for the line behind them.
    Nothing,
}

/// Beside what a comment stands; braces that only hold it are nothing.
fn beside(text: &str, comment: Span) -> Beside {
    let (start, end) = (comment.start as usize, comment.end as usize);
    let before = text.get(..start).and_then(|t| t.rsplit('\n').next()).unwrap_or("");
    let behind = text.get(end..).and_then(|t| t.split('\n').next()).unwrap_or("");
    let is_nothing = before.trim().trim_end_matches('{').is_empty()
        && behind.trim().trim_start_matches('}').is_empty();
    if is_nothing { Beside::Nothing } else { Beside::Code }
}

/// The findings that a comment allows.
pub(super) fn allowances(text: &str, comment: Span) -> Vec<Allowance> {
    let mut found = Vec::new();
    let inner = comment.of(text);
    for (at, _) in inner.match_indices(WORD) {
        let line = inner[at..].lines().next().unwrap_or("");
        let line = line.split("*/").next().unwrap_or(line);
        let said = line[WORD.len()..].strip_prefix([' ', '\t']).map(str::trim_start);
        // In the middle of a sentence it allows nothing.
        let before = inner[..at].rsplit('\n').next().unwrap_or("");
        if !before.trim_matches(['/', '*', '!', ' ', '\t', '\r']).is_empty() {
            continue;
        }
        let Some(said) = said else { continue };
        let (named, reason) = said.split_once(':').unwrap_or((said, ""));
        let named = named.split_whitespace().next().unwrap_or("");
        let name = named.rsplit(['.', '#']).next().unwrap_or(named);
        if name.is_empty() {
            continue;
        }
        let end = named.as_ptr() as usize - inner.as_ptr() as usize + named.len();
        let start = comment.start as usize;
        found.push(Allowance {
            name: name.into(),
            reason: reason.trim().into(),
            span: Span::new(start + at, start + end),
            comment,
            beside: beside(text, comment),
        });
    }
    found
}
