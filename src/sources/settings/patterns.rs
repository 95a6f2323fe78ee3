//! Patterns that a configuration gives for pages that no dialect covers: regular expressions with named groups.
//!
//! A pattern is tried on titles or on lines, and says by the names of its groups what it found there. It cannot cost more
//! than the length of what it is tried on: expressions and lines are bounded, and matching never goes back.

use regex::{Regex, RegexBuilder};
use std::fmt;

/// The longest expression, in bytes.
const MAX_EXPRESSION: usize = 2_000;

/// How large a compiled expression may be, in bytes.
const MAX_COMPILED: usize = 1024 * 1024;

/// The longest line that is tried, in bytes.
const MAX_LINE: usize = 4_000;

/// How many patterns an api may have.
pub const MAX_PATTERNS: usize = 50;

/// The names that groups may have.
pub const GROUPS: [&str; 9] = [
    "interface",
    "member",
    "kind",
    "type",
    "parameters",
    "returns",
    "parent",
    "global",
    "deprecated",
];

/// What a pattern is tried on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Where {
    /// The titles that lead to a section, joined with ` > `.
    Heading,
    /// Each line of a section: of paragraphs, list items, table rows and code.
    Line,
}

impl fmt::Display for Where {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Where::Heading => "heading",
            Where::Line => "line",
        })
    }
}

/// A pattern.
#[derive(Debug, Clone)]
pub struct Pattern {
    /// What it is tried on.
    pub place: Where,
    expression: Regex,
}

/// Two patterns are one where they are spelt the same.
impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        self.place == other.place && self.expression.as_str() == other.expression.as_str()
    }
}

impl Eq for Pattern {}

/// As a configuration has it: `heading = '…'`.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = '{}'", self.place, self.expression)
    }
}

impl Pattern {
    /// Reads a pattern; the error says what is wrong and what would be right.
    pub fn of(place: Where, text: &str) -> Result<Pattern, String> {
        if text.len() > MAX_EXPRESSION {
            return Err(format!(
                "{place} is longer than {MAX_EXPRESSION} bytes: divide it into several patterns"
            ));
        }
        let built = RegexBuilder::new(text)
            .size_limit(MAX_COMPILED)
            .dfa_size_limit(MAX_COMPILED)
            .nest_limit(50)
            .build();
        let expression = built.map_err(|why| {
            let said = why.to_string();
            let last = said.lines().last().unwrap_or("").trim_start_matches("error: ").to_owned();
            format!("{place} is no regular expression ({last}): {place} = '^(?<interface>\\w+)-(?<member>\\w+)$'")
        })?;
        let mut names = expression.capture_names().flatten().peekable();
        if names.peek().is_none() {
            let known = GROUPS.join(", ");
            return Err(format!(
                "{place} has no named group, as in (?<member>\\w+): {known} are known"
            ));
        }
        if let Some(other) = names.find(|name| !GROUPS.contains(name)) {
            let known = GROUPS.join(", ");
            return Err(format!(
                "{place} has the group {other}, which means nothing here: {known} are known"
            ));
        }
        Ok(Pattern { place, expression })
    }

    /// What the groups of the first match in `text` hold; none where it does not match.
    pub fn groups<'t>(&self, text: &'t str) -> Option<Vec<(&'static str, &'t str)>> {
        if text.len() > MAX_LINE {
            return None;
        }
        let captures = self.expression.captures(text)?;
        let named = GROUPS
            .iter()
            .filter_map(|group| captures.name(group).map(|found| (*group, found.as_str().trim())));
        Some(named.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_say_what_a_match_holds() {
        let pattern =
            Pattern::of(Where::Heading, r"> (?<interface>\w+)::(?<member>\w+)(?<kind>\(\))?$")
                .unwrap();
        assert_eq!(
            pattern.groups("API > Kiln::fire"),
            Some(vec![("interface", "Kiln"), ("member", "fire")])
        );
        assert_eq!(pattern.groups("Kiln.fire"), None);
        assert_eq!(pattern.groups(&"x".repeat(MAX_LINE + 1)), None);
    }

    #[test]
    fn what_is_wrong_is_said_with_what_would_be_right() {
        let why = |text: &str| Pattern::of(Where::Line, text).unwrap_err();
        assert!(
            why("(?<type>").starts_with("line is no regular expression ("),
            "{}",
            why("(?<type>")
        );
        assert!(why("(?<owner>x)").contains("has the group owner"));
        assert!(why(r"\w+").contains("has no named group, as in (?<member>\\w+)"));
        assert!(why(r"(?<type>(\w{1000}){1000})").contains("no regular expression"));
        assert!(why(&"x".repeat(3000)).contains("divide it"));
    }
}
