//! What quoted documentation invents: its JavaScript and TypeScript is judged as the agent's code is.
//!
//! Examples name things that other lines of the page set up, so only what stands on a known and closed receiver is told.

use super::check_symbols::{Checked, Code, Kind, Verdict, judge, silence};
use super::free_names::Extent;
use super::names::NameUses;
use crate::base::{Name, Stop};
use crate::corpus::Corpus;
use crate::sources::script::{Language, script};

/// How many fences of one piece are judged, and how large one may be, in bytes.
const MAX_FENCES: usize = 12;
const MAX_FENCE: usize = 64 * 1024;

/// Something that quoted code uses and that does not exist.
#[derive(Debug, Clone)]
pub struct Doubtful {
    /// The line in the source, from 1.
    pub line: u32,
    /// What is judged to be invented, with its apis and what exists instead.
    pub judged: super::check_symbols::Judged,
}

/// A stretch of code in a text.
#[derive(Debug, PartialEq)]
struct Fence {
    language: Language,
    code: String,
    /// Its first line, counted from the text's first, from 0.
    line: u32,
}

/// What the code in `text` invents, where `text` begins at `line` of its source.
pub fn audit(corpus: &Corpus, text: &str, line: u32, stop: &Stop) -> Vec<Doubtful> {
    let mut found = Vec::new();
    for fence in fences(text) {
        if stop.is_set() {
            break;
        }
        let script = script(&fence.code, fence.language);
        let code = Code { path: String::new(), text: fence.code, script, extent: Extent::Piece };
        let mut checked: [Checked; 1] = [judge(corpus, &code, stop)];
        let wanted: std::collections::BTreeSet<Name> =
            super::check_symbols::candidates(&checked).into_iter().collect();
        silence(corpus, &mut checked, &NameUses::of(&code.script, |name| wanted.contains(name)));
        let [checked] = checked;
        let invented = checked.accesses.into_iter().filter(|judged| {
            judged.kind == Kind::Member && matches!(judged.verdict, Verdict::Invented(_))
        });
        let first = line.saturating_add(fence.line);
        found.extend(invented.map(|judged| Doubtful {
            line: first.saturating_add(judged.place.line).saturating_sub(1),
            judged,
        }));
    }
    found
}

/// The fences of a text that are said to be JavaScript or TypeScript; a comment's leading stars are no part of them.
fn fences(text: &str) -> Vec<Fence> {
    let mut found: Vec<Fence> = Vec::new();
    let mut open: Option<(String, Option<Fence>)> = None;
    for (idx, line) in (0u32..).zip(text.lines()) {
        let plain = line.trim_start();
        let starred = plain.strip_prefix("* ").or_else(|| (plain == "*").then_some(""));
        let plain = starred.map_or(plain, str::trim_start);
        let ticks: String = plain.chars().take_while(|c| matches!(c, '`' | '~')).collect();
        match &mut open {
            None if ticks.len() >= 3 => {
                let language = language(plain[ticks.len()..].trim());
                let fence = language.map(|language| Fence {
                    language,
                    code: String::new(),
                    line: idx.saturating_add(1),
                });
                open = Some((ticks, fence));
            }
            Some((opened, fence)) if plain.trim_end() == opened => {
                let whole = fence.take().filter(|fence| fence.code.len() <= MAX_FENCE);
                found.extend(whole);
                open = None;
            }
            Some((_, Some(fence))) => {
                fence.code.push_str(starred.unwrap_or(line));
                fence.code.push('\n');
            }
            Some((_, None)) | None => {}
        }
    }
    found.truncate(MAX_FENCES);
    found
}

fn language(said: &str) -> Option<Language> {
    let word: String = said.chars().take_while(|c| c.is_alphanumeric()).collect();
    match word.to_lowercase().as_str() {
        "js" | "javascript" | "jsx" | "mjs" | "cjs" => Some(Language::JavaScript),
        "ts" | "typescript" | "mts" | "cts" => Some(Language::TypeScript),
        "tsx" => Some(Language::Tsx),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_fences_of_a_known_language_are_read() {
        let text = "Intro\n```js\na.b()\n```\n```text\nc.d\n```\n~~~ts @ts-type={x}\ne\n~~~";
        let found = fences(text);
        let read: Vec<(&str, u32)> = found.iter().map(|f| (f.code.as_str(), f.line)).collect();
        assert_eq!(read, [("a.b()\n", 2), ("e\n", 8)]);
    }

    #[test]
    fn a_fence_in_a_comment_loses_its_stars() {
        let found = fences("/**\n * ```ts\n * a.b()\n * ```\n */");
        assert_eq!(found[0].code, "a.b()\n");
    }

    #[test]
    fn a_fence_that_never_ends_is_not_judged() {
        assert!(fences("```js\na.b()").is_empty());
    }
}
