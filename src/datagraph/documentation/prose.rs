//! Running text to sentences, and to the few that say what something is about.
//!
//! Sentences that only fill a form ("Type: number", "Read-only.") are known by their beginning. Nothing here knows an api.

use crate::sources::pages::{Block, Face, Item, Run, text_of};

/// The longest summary, in characters.
const MAX_SUMMARY: usize = 300;

/// How many blocks of a section are read for its summary.
const MAX_BLOCKS: usize = 12;

/// The longest text that is taken apart, in bytes; no sentence is this long.
const MAX_TEXT: usize = 16 * 1024;

/// How sentences begin that only say a type, a relation or that something comes.
const FORMS: &[&str] = &[
    "Access:",
    "Closed by ",
    "Contains:",
    "Default:",
    "Extends ",
    "Index signature:",
    "Inherited from ",
    "It is accessed using the global property",
    "It is only available as a return value of",
    "Made by ",
    "Object:",
    "One of:",
    "Opened by ",
    "Optional.",
    "Parameters:",
    "Parent interface:",
    "Parent interfaces:",
    "Process:",
    "Read-only.",
    "Returns:",
    "See also:",
    "See also",
    "Signature:",
    "Since:",
    "Syntax:",
    "This class is not exported from",
    "Type parameter:",
    "Type:",
];

/// Words after which a full stop ends no sentence.
const SHORT: &[&str] = &["e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "resp.", "no."];

/// The sentences of a text, run by run.
pub fn sentences(runs: &[Run]) -> Vec<Vec<Run>> {
    let mut found: Vec<Vec<Run>> = Vec::new();
    let mut open: Vec<Run> = Vec::new();
    let mut left = MAX_TEXT;
    for (idx, run) in runs.iter().enumerate() {
        if left == 0 {
            break;
        }
        let end = run.text.floor_char_boundary(left);
        left -= end.min(left);
        if end < run.text.len() {
            left = 0;
        }
        if run.face == Face::Code {
            open.push(run.clone());
            continue;
        }
        let mut rest = &run.text[..end];
        while let Some(end) = sentence_end(rest, runs.get(idx + 1)) {
            let text = rest[..end].to_string();
            open.push(Run { text, ..run.clone() });
            found.push(std::mem::take(&mut open));
            rest = &rest[end..];
        }
        if !rest.is_empty() {
            open.push(Run { text: rest.to_string(), ..run.clone() });
        }
    }
    found.push(open);
    found.retain(|sentence| sentence.iter().any(|run| !run.text.trim().is_empty()));
    found
}

/// Where the first sentence of `text` ends, if it does there: behind its stop.
fn sentence_end(text: &str, next: Option<&Run>) -> Option<usize> {
    let stops = text.match_indices(['.', '!', '?']);
    for (at, stop) in stops {
        let rest = &text[at + stop.len()..];
        let closed = rest.trim_start_matches([')', '"', '”', '\'', '’']);
        let end = text.len() - closed.len();
        let after = closed.trim_start();
        let goes_on = match (closed.len() == after.len(), after.chars().next()) {
            (true, Some(_)) => true,
            (true, None) => next.is_some_and(|run| !run.text.starts_with(char::is_whitespace)),
            (false, Some(letter)) => letter.is_lowercase(),
            (false, None) => next
                .and_then(|run| run.text.chars().next().filter(|_| run.face != Face::Code))
                .is_some_and(char::is_lowercase),
        };
        let word = text[..at + 1].rsplit(char::is_whitespace).next().unwrap_or("");
        let is_short = SHORT.contains(&word.trim_start_matches('(')) || word.len() == 2;
        if goes_on || (is_short && stop == ".") {
            continue;
        }
        return Some(end);
    }
    None
}

/// Whether a sentence only fills a form.
pub fn is_form(text: &str) -> bool {
    let text = text.trim();
    let text = text.strip_prefix("- ").unwrap_or(text);
    FORMS.iter().any(|form| text.starts_with(form))
        || text.ends_with("is an EventEmitter.")
        || !text.contains(char::is_alphanumeric)
}

/// A text on one line, without what marks a note and without what only says a result's type.
pub fn said(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    // `:::note` begins a box in some dialects of Markdown.
    let text = match text.strip_prefix(":::").and_then(|rest| rest.split_once(' ')) {
        Some((_, rest)) => rest.to_string(),
        None => text,
    };
    let text = match text.strip_prefix("[!").and_then(|rest| rest.split_once(']')) {
        Some((_, rest)) => rest.trim_start(),
        None => &text,
    };
    if let Some(rest) = text.strip_prefix("Returns ")
        && let Some((before, after)) = rest.split_once(" - ")
        && !before.contains(". ")
    {
        return after.to_string();
    }
    text.to_string()
}

/// A line of Markdown without its marks, cut to the length of a summary.
pub fn plain_line(line: &str) -> String {
    let mut plain = String::new();
    let mut rest = line.trim();
    while let Some(open) = rest.find('[') {
        let linked = rest[open + 1..].split_once("](").and_then(|(text, after)| {
            let (_, after) = after.split_once(')')?;
            (!text.contains(['[', ']'])).then_some((text, after))
        });
        plain.push_str(&rest[..open]);
        match linked {
            Some((text, after)) => {
                plain.push_str(text);
                rest = after;
            }
            None => {
                plain.push('[');
                rest = &rest[open + 1..];
            }
        }
    }
    plain.push_str(rest);
    cut(&said(&plain.replace(['`', '*'], "")))
}

/// What `blocks` are about: the first sentences of their prose, at most 300 characters; of a list alone, its items.
pub fn summary(blocks: &[Block]) -> String {
    let mut introduction = String::new();
    for block in blocks.iter().take(MAX_BLOCKS) {
        let Block::Paragraph(paragraph) = block else { continue };
        let mut found = String::new();
        for sentence in sentences(&paragraph.runs) {
            let text = said(&text_of(&sentence));
            let says_returns = text.starts_with("Returns ") && sentence.len() <= 2;
            if is_form(&text) || says_returns {
                continue;
            }
            if text.ends_with(':') {
                if introduction.is_empty() {
                    introduction = text;
                }
                continue;
            }
            if !found.is_empty() && found.chars().count() + text.chars().count() >= MAX_SUMMARY {
                break;
            }
            if !found.is_empty() {
                found.push(' ');
            }
            found.push_str(&text);
        }
        if !found.is_empty() {
            return cut(&found);
        }
    }
    let items = blocks.iter().take(MAX_BLOCKS).find_map(|block| match block {
        Block::List(items) => Some(listed(items)),
        Block::Paragraph(_) | Block::Fence(_) | Block::Table(_) => None,
    });
    let items = items.filter(|items| introduction.is_empty() && !items.is_empty());
    cut(&items.unwrap_or(introduction))
}

fn listed(items: &[Item]) -> String {
    let texts: Vec<String> =
        items.iter().take(MAX_BLOCKS).map(|item| said(&text_of(&item.runs))).collect();
    texts.join("; ")
}

/// At most [`MAX_SUMMARY`] characters, cut between words.
fn cut(text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(MAX_SUMMARY) else { return text.to_string() };
    let kept = &text[..end];
    let kept = kept.rfind(' ').map_or(kept, |space| &kept[..space]);
    format!("{}…", kept.trim_end_matches([' ', ',', ';', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::pages::markdown::page;

    fn summary_of(text: &str) -> String {
        summary(&page(text.as_bytes()).sections[0].blocks)
    }

    #[test]
    fn a_summary_is_prose_and_no_form() {
        let text = "# Page-turn\n\nType: `number`\n\nRead-only. Turns it, e.g. by `90`. See [x](y). More?\n";
        assert_eq!(summary_of(text), "Turns it, e.g. by 90. See x. More?");
        let text = "# a\n\nReturns `boolean` - Whether the window\nis **open**.\n";
        assert_eq!(summary_of(text), "Whether the window is open.");
        let text = "# A Object\n\n* `x` number\n* `y` number - it\n";
        assert_eq!(summary_of(text), "x number; y number - it");
        assert_eq!(summary_of("# a\n\nReturns `string`\n\nIt goes:\n"), "It goes:");
    }

    #[test]
    fn a_summary_has_a_length() {
        let long = format!("# a\n\n{}\n", "word ".repeat(10_000));
        let summary = summary_of(&long);
        assert!(summary.chars().count() <= MAX_SUMMARY && summary.ends_with("word…"), "{summary}");
        let two = format!("# a\n\nOne. X{}.\n", "x".repeat(400));
        assert_eq!(summary_of(&two), "One.");
    }

    #[test]
    fn a_line_loses_its_marks() {
        let line = "`x` [Rectangle](a.md) | **null** [raw] - It [is](b";
        assert_eq!(plain_line(line), "x Rectangle | null [raw] - It [is](b");
    }
}
