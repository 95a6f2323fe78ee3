//! The comment above a declaration, read like a page.
//!
//! What a tag says of a parameter or a result is left out; `@see`, `@example` and `@remarks` are kept. A comment is one
//! that begins with `/**` and ends directly above the declaration.

use super::prose::summary;
use crate::base::{Lines, to_u32};
use crate::sources::pages::Page;
use crate::sources::pages::markdown::page;

/// How many lines may stand between a comment and what it is about, if they say nothing.
const MAX_BETWEEN: u32 = 2;

/// What a link to a name, as comments have them, leads to: this, and then the name.
pub const NAMED: &str = "@link:";

/// Tags whose text is prose.
const PROSE: &[&str] = &["@description", "@desc", "@remarks", "@see", "@summary"];

/// A comment.
#[derive(Debug, Clone, Default)]
pub struct Comment {
    /// Its first line, from 1.
    pub first_line: u32,
    /// What it says; its lines are counted from 1 and begin with the comment's first.
    pub page: Page,
    /// The line of the source for each of the page's lines.
    lines: Vec<u32>,
}

impl Comment {
    /// The comment above `line`.
    pub fn above(text: &str, lines: &Lines, line: u32) -> Option<Comment> {
        let (first, last) = extent(text, lines, line)?;
        let (clean, lines) = cleaned(lines.stretch(text, first, last), first);
        Some(Comment { first_line: first, page: page(clean.as_bytes()), lines })
    }

    /// The line of the source on which line `line` of the page stands.
    pub fn source_line(&self, line: u32) -> u32 {
        let known = self.lines.get((line as usize).saturating_sub(1)).or(self.lines.last());
        known.copied().unwrap_or(self.first_line)
    }

    /// Its first sentences.
    pub fn summary(&self) -> String {
        let said = self.page.sections.iter().map(|section| summary(&section.blocks));
        said.into_iter().find(|said| !said.is_empty()).unwrap_or_default()
    }
}

/// The first and last line of the comment above `line`.
fn extent(text: &str, lines: &Lines, line: u32) -> Option<(u32, u32)> {
    let mut last = line.checked_sub(1)?;
    for _ in 0..MAX_BETWEEN {
        let said = lines.text(text, last).trim();
        if said.is_empty() || said.starts_with("//") {
            last = last.checked_sub(1)?;
        }
    }
    if last == 0 || !lines.text(text, last).trim_end().ends_with("*/") {
        return None;
    }
    let mut first = last;
    loop {
        let said = lines.text(text, first);
        if said.contains("/*") {
            return said.trim_start().starts_with("/**").then_some((first, last));
        }
        first -= 1;
        if first == 0 || lines.text(text, first).contains("*/") {
            return None;
        }
    }
}

/// What is done with the lines that come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tag {
    /// They are prose.
    Prose,
    /// They are left out.
    Dropped,
    /// They are code without a fence of its own.
    Code,
}

/// The text of a comment as Markdown, and the source line of each of its lines.
fn cleaned(comment: &str, first: u32) -> (String, Vec<u32>) {
    let (mut clean, mut lines) = (String::new(), Vec::new());
    let mut put = |text: &str, line: u32| {
        clean.push_str(text);
        clean.push('\n');
        lines.push(line);
    };
    let mut tag = Tag::Prose;
    let mut fenced = false;
    let all: Vec<&str> = comment.lines().collect();
    for (idx, line) in all.iter().enumerate() {
        let at = first + to_u32(idx);
        let said = bare(line);
        let begins = said.trim_start();
        if !fenced && begins.starts_with('@') {
            if tag == Tag::Code {
                put("```", at);
            }
            let (word, rest) = begins.split_once(char::is_whitespace).unwrap_or((begins, ""));
            put("", at);
            if PROSE.contains(&word) {
                tag = Tag::Prose;
                put(&linked(rest), at);
            } else if word == "@example" {
                let next = all.get(idx + 1).map_or("", |line| bare(line).trim_start());
                let is_code = !rest.trim_start().starts_with("```") && !next.starts_with("```");
                tag = if is_code { Tag::Code } else { Tag::Prose };
                put(if is_code { "```js" } else { rest }, at);
            } else {
                tag = Tag::Dropped;
            }
            continue;
        }
        if begins.starts_with("```") && tag == Tag::Prose {
            fenced = !fenced;
        }
        match tag {
            Tag::Prose if fenced => put(said, at),
            Tag::Prose => put(&linked(said), at),
            Tag::Code => put(said, at),
            Tag::Dropped => {}
        }
    }
    (clean, lines)
}

/// A line of a comment without the comment's own marks.
fn bare(line: &str) -> &str {
    let line = line.trim_end();
    let line = line.strip_suffix("*/").map_or(line, |rest| rest.trim_end_matches('*').trim_end());
    let inner = line.trim_start();
    let inner = match inner.strip_prefix("/**") {
        Some(rest) => rest,
        None => inner.strip_prefix('*').unwrap_or(inner),
    };
    inner.strip_prefix(' ').unwrap_or(inner)
}

/// `{@link X}` as code, `{@link X | said}` as a link.
fn linked(line: &str) -> String {
    let mut found = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("{@link") {
        found.push_str(before);
        let Some((inner, behind)) = after.split_once('}') else {
            rest = after;
            continue;
        };
        let inner = inner.strip_prefix("code").or(inner.strip_prefix("plain")).unwrap_or(inner);
        let (name, label) = inner.trim().split_once(['|', ' ']).unwrap_or((inner.trim(), ""));
        let label = label.trim().trim_start_matches('|').trim();
        match label.is_empty() || label.contains(['[', ']', '`']) {
            true => found.push_str(&format!("`{name}`")),
            false => found.push_str(&format!("[{label}](<{NAMED}{name}>)")),
        }
        rest = behind;
    }
    found.push_str(rest);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::pages::{Face, text_of};

    fn above(text: &str, line: u32) -> Option<Comment> {
        Comment::above(text, &Lines::of(text), line)
    }

    #[test]
    fn a_comment_is_prose_links_and_examples() {
        let text = "let a;\n/**\n * Draws `it`. See {@link Pen.draw} and {@link B | the b}.\n *\n * - one\n\
                    * @param x - no\n *   more\n * @example\n * pen.draw();\n * @see C\n */\n\n// eslint\nfoo(): void;\n";
        let comment = above(text, 14).unwrap();
        assert_eq!(comment.first_line, 2);
        assert_eq!(comment.summary(), "Draws it. See Pen.draw and the b.");
        let section = &comment.page.sections[0];
        let runs = &section.paragraphs().next().unwrap().runs;
        assert!(runs.iter().any(|run| run.face == Face::Code && run.text == "Pen.draw"));
        assert!(runs.iter().any(|run| run.link.as_deref() == Some("@link:B")));
        let fence = section.fences().next().unwrap();
        assert_eq!((fence.code.as_str(), comment.source_line(fence.line)), ("pen.draw();\n", 8));
        assert_eq!(text_of(&section.paragraphs().last().unwrap().runs), "C");
    }

    #[test]
    fn what_is_no_comment_of_a_declaration_is_none() {
        assert!(above("/** a */\nlet b;\nlet c;\n", 3).is_none());
        assert!(above("/* a */\nlet b;\n", 2).is_none());
        assert!(above("a */\nlet b;\n", 2).is_none());
        assert!(above("let b;\n", 1).is_none());
        assert_eq!(above("/** A. */\nlet b;\n", 2).unwrap().summary(), "A.");
        assert_eq!(above("/** {@link */\nlet b;\n", 2).unwrap().summary(), "");
    }
}
