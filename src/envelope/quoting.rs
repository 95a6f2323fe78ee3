//! Quoted text in an answer: fenced so that it cannot end its own fence, and cut on line borders so that it fits.

use super::visible;
use std::fmt::Write;

/// A line is never longer than this, in characters; what is left out is said.
const MAX_LINE: usize = 1_000;

/// What is kept free for the next call, in characters.
const NEXT_CALL: usize = 160;

/// How many notes are told, and how much of each, in characters.
const MAX_NOTES: usize = 4;
const MAX_NOTE: usize = 160;

/// A part of an answer that is shown whole or cut between two lines.
#[derive(Debug, Clone, Default)]
pub struct Block {
    /// The line above it.
    pub head: String,
    /// Whether its lines are somebody else's text.
    pub kind: BlockKind,
    /// Its lines.
    pub lines: Vec<String>,
}

/// Whose text a block is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum BlockKind {
    /// Ours.
    #[default]
    Said,
    /// A source's, to be read as data.
    Quoted,
}

/// Where an answer goes on: the number of a block, and how many of its lines were shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor {
    /// From 0.
    pub block: usize,
    /// From 0.
    pub line: usize,
}

impl Cursor {
    /// Reads `2` or `2:40`; what is neither is the beginning.
    pub fn of(text: &str) -> Cursor {
        let (block, line) = text.trim().split_once(':').unwrap_or((text.trim(), "0"));
        Cursor { block: block.parse().unwrap_or(0), line: line.parse().unwrap_or(0) }
    }
}

impl std::fmt::Display for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            0 => write!(f, "{}", self.block),
            line => write!(f, "{}:{line}", self.block),
        }
    }
}

/// A quoted text as a block.
pub fn quoted(head: String, text: &str) -> Block {
    let lines = visible(text.trim_end());
    let lines = lines.lines().map(|line| short(line, MAX_LINE)).collect();
    Block { head, kind: BlockKind::Quoted, lines }
}

/// The backticks that enclose `lines`: more than stand together anywhere in them.
fn fence(lines: &[String]) -> String {
    let longest = lines.iter().flat_map(|line| line.split(|c| c != '`')).map(str::len).max();
    "`".repeat(longest.unwrap_or(0).max(2) + 1)
}

/// One page: the head, as many blocks from `from` on as fit into `max_chars`, what was cut with the next call of `tool`,
/// and the notes.
pub fn page(
    tool: &str,
    head: &str,
    blocks: &[Block],
    from: Cursor,
    notes: &[String],
    max_chars: usize,
) -> String {
    let mut text = heading(head, max_chars / 2);
    let notes = told(notes, max_chars / 6);
    let n_kept = n_chars(&text) + n_chars(&notes) + NEXT_CALL;
    let budget = max_chars.saturating_sub(n_kept);
    let mut left = budget;
    let mut next = None;
    for (block_idx, block) in blocks.iter().enumerate().skip(from.block) {
        let first = if block_idx == from.block { from.line } else { 0 };
        let first = first.min(block.lines.len());
        let whole = spelt(block, first, block.lines.len());
        if n_chars(&whole) <= left {
            left -= n_chars(&whole);
            text.push_str(&whole);
            continue;
        }
        // A block of which little would be shown waits for its own page.
        let is_worth_cutting = left * 3 >= budget;
        let shown = if is_worth_cutting { fitting(block, first, left) } else { None };
        let is_first = block_idx == from.block;
        // However small the budget: a page that shows nothing would never be followed by another.
        let shown = shown.or_else(|| is_first.then(|| (one_line(block, first, left), first + 1)));
        let line = shown.as_ref().map_or(first, |(_, line)| *line);
        text.extend(shown.map(|(piece, _)| piece));
        let is_done = line >= block.lines.len();
        let is_last = block_idx + 1 == blocks.len();
        next = match (is_done, is_last) {
            (false, _) => Some(Cursor { block: block_idx, line }),
            (true, false) => Some(Cursor { block: block_idx + 1, line: 0 }),
            (true, true) => None,
        };
        break;
    }
    if let Some(next) = next {
        let n_blocks = blocks.len().saturating_sub(next.block + 1);
        let n_lines = blocks[next.block].lines.len().saturating_sub(next.line);
        let more = match n_blocks {
            0 => String::new(),
            1 => " and 1 more piece".to_owned(),
            n => format!(" and {n} more pieces"),
        };
        let _ = writeln!(
            text,
            "cut here: {n_lines} more lines{more}: call {tool} with the same arguments and \"cursor\":\"{next}\""
        );
    } else if from.block >= blocks.len() && !blocks.is_empty() && from.block > 0 {
        let _ = writeln!(text, "nothing is behind this cursor: there are {} pieces", blocks.len());
    }
    text.push_str(&notes);
    text.trim_end().to_owned()
}

/// A block from line `first` up to `last`.
fn spelt(block: &Block, first: usize, last: usize) -> String {
    let mut text = String::new();
    if !block.head.is_empty() {
        let more =
            if first > 0 { format!(" (from its line {} on)", first + 1) } else { String::new() };
        let _ = writeln!(text, "{}{more}", visible(&block.head));
    }
    let lines = &block.lines[first..last];
    let fence = match block.kind {
        BlockKind::Quoted => fence(&block.lines),
        BlockKind::Said => String::new(),
    };
    if !fence.is_empty() {
        let _ = writeln!(text, "{fence}text");
    }
    for line in lines {
        let _ = writeln!(text, "{}", visible(line));
    }
    if !fence.is_empty() {
        let _ = writeln!(text, "{fence}");
    }
    text
}

/// As much of a block as fits, at least one line, and the number of the first line that does not.
fn fitting(block: &Block, first: usize, left: usize) -> Option<(String, usize)> {
    let (mut least, mut most) = (first, block.lines.len());
    // The longest beginning that fits, by halving.
    while least < most {
        let middle = least + (most - least).div_ceil(2);
        match n_chars(&spelt(block, first, middle)) <= left && middle < block.lines.len() {
            true => least = middle,
            false => most = middle - 1,
        }
    }
    (least > first).then(|| (spelt(block, first, least), least))
}

/// One line of a block, shortened until it fits.
fn one_line(block: &Block, first: usize, left: usize) -> String {
    let line = block.lines.get(first).map_or("", String::as_str);
    let mut width = left;
    loop {
        let lines = vec![short(line, width)];
        let one = Block { head: short(&block.head, width.min(80)), lines, ..block.clone() };
        let text = spelt(&one, 0, 1);
        if n_chars(&text) <= left || width == 0 {
            return text;
        }
        width /= 2;
    }
}

/// The lines of a head that fit, the first one in any case.
fn heading(head: &str, most: usize) -> String {
    let mut text = String::new();
    for line in visible(head.trim_end()).lines() {
        let left = most.saturating_sub(n_chars(&text) + 2);
        if !text.is_empty() && n_chars(line) > left {
            break;
        }
        let _ = writeln!(text, "{}", short(line, left));
    }
    text
}

fn told(notes: &[String], most: usize) -> String {
    let mut text = String::new();
    let mut n_told = 0;
    for note in notes.iter().take(MAX_NOTES) {
        let note = visible(&short(note, MAX_NOTE));
        if n_chars(&text) + n_chars(&note) >= most {
            break;
        }
        let _ = writeln!(text, "{note}");
        n_told += 1;
    }
    if notes.len() > n_told {
        let _ = writeln!(text, "{} more notes", notes.len() - n_told);
    }
    text
}

/// A text on one line with at most `most` characters.
pub fn short(text: &str, most: usize) -> String {
    let line = text.split('\n').map(str::trim_end).collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// How many characters there are, as a host counts them.
pub fn n_chars(text: &str) -> usize {
    text.chars().count()
}

/// A count and what is counted: `1 piece`, `3 pieces`.
pub fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_any_in_its_text() {
        let block = quoted("x".into(), "a\n````js\nb\n````");
        assert_eq!(fence(&block.lines), "`````");
        assert_eq!(fence(&["plain".to_owned()]), "```");
    }

    #[test]
    fn a_page_fits_and_the_pages_together_show_every_line() {
        let long: String = (0..400).map(|n| format!("line {n} of the text\n")).collect();
        let blocks: Vec<Block> = (0..5).map(|n| quoted(format!("[{n}] piece"), &long)).collect();
        for max_chars in [500, 1_000, 3_000, 20_000] {
            let (mut from, mut n_shown, mut n_pages) = (Cursor::default(), 0, 0);
            loop {
                let text = page("lookup_docs", "head", &blocks, from, &["note".into()], max_chars);
                assert!(n_chars(&text) <= max_chars, "{max_chars}: {}", n_chars(&text));
                n_shown += text.lines().filter(|line| line.starts_with("line ")).count();
                n_pages += 1;
                let Some((_, rest)) = text.split_once("\"cursor\":\"") else { break };
                let next = Cursor::of(rest.split('"').next().unwrap());
                assert!(next > from && n_pages < 1_000);
                from = next;
            }
            assert_eq!(n_shown, 5 * 400, "{max_chars}");
        }
    }

    #[test]
    fn a_line_that_fits_no_page_is_shortened_and_passed() {
        let blocks = [quoted("head".into(), &format!("{}\nend", "\u{200b}x".repeat(900)))];
        let first = page("t", "h", &blocks, Cursor::default(), &[], 500);
        assert!(n_chars(&first) <= 500 && first.contains("\"cursor\":\"0:1\""), "{first}");
        let second = page("t", "h", &blocks, Cursor { block: 0, line: 1 }, &[], 500);
        assert!(second.contains("\nend\n"), "{second}");
    }

    #[test]
    fn cursors_are_read_as_they_are_written() {
        for cursor in [Cursor { block: 3, line: 0 }, Cursor { block: 0, line: 7 }] {
            assert_eq!(Cursor::of(&cursor.to_string()), cursor);
        }
        assert_eq!(Cursor::of("many"), Cursor::default());
    }
}
