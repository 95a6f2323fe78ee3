//! The answer of `find_in_files`: hits by file, names and footprints, and the same as data.
//!
//! Where the budget does not hold everything, context goes first, then the rest of long lines, then footprints; hits
//! that do not fit are counted, and the next call is named.

use super::{Around, finished};
use crate::answers::find_in_files::{Found, InPath, Rung, stands_in};
use crate::base::Span;
use crate::sources::search::{Hit, InFile, Searched};
use serde_json::{Value, json};
use std::fmt::Write;

/// How many names stand before the hits; the others come behind the last one.
const NAMES_FIRST: usize = 10;

/// What is kept free to say that footprints were cut, and for the next call, in characters.
const CUT_NOTICE: usize = 60;
const NEXT_CALL: usize = 160;

/// How many rules are told where nothing was found.
const MAX_RULES: usize = 12;

/// How much of the hits, names and lines is shown.
#[derive(Clone, Copy)]
struct Measure {
    context: Context,
    /// Characters of a line, at most.
    width: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Shown,
    LeftOut,
}

/// What is given up first.
const MEASURES: [Measure; 4] = [
    Measure { context: Context::Shown, width: 300 },
    Measure { context: Context::LeftOut, width: 300 },
    Measure { context: Context::LeftOut, width: 160 },
    Measure { context: Context::LeftOut, width: 100 },
];

/// A text that knows how many characters it has and may have.
struct Page {
    text: String,
    n_left: usize,
}

impl Page {
    fn new(n_left: usize) -> Page {
        Page { text: String::new(), n_left }
    }

    /// Adds a piece if it fits.
    fn add(&mut self, piece: &str) -> bool {
        let n_chars = super::visible(piece).chars().count();
        if n_chars > self.n_left {
            return false;
        }
        self.n_left -= n_chars;
        self.text.push_str(piece);
        true
    }
}

/// The answer of `find_in_files`.
pub fn find_in_files(found: &Found, around: &Around) -> String {
    let n_hits = found.n_hits();
    if n_hits == 0 && found.names.is_empty() {
        return finished(nothing(found, around), &around.notes);
    }
    let mut headline = headline(found);
    if headline.chars().count() > around.max_chars / 2 {
        headline.truncate(headline.find('\n').map_or(headline.len(), |at| at + 1));
    }
    let n_notes: usize = around.notes.iter().map(|note| note.chars().count() + 1).sum();
    let n_kept = headline.chars().count() + n_notes + CUT_NOTICE + NEXT_CALL;
    let budget = around.max_chars.saturating_sub(n_kept);
    let (names, n_first) = first_names(found, budget / 4);
    let names = if around.cursor == 0 { names } else { String::new() };
    let budget = budget.saturating_sub(names.chars().count());
    let footprints: Vec<String> = found.footprints.iter().filter_map(footprint).collect();
    let n_footprints: usize = footprints.iter().map(|f| f.chars().count()).sum();
    let pages = MEASURES.iter().map(|measure| hits_from(found, around.cursor, *measure, budget));
    let mut last = (Page::new(budget), around.cursor.min(n_hits));
    for (page, n_to) in pages {
        let is_whole = n_to == n_hits && page.n_left >= n_footprints;
        last = (page, n_to);
        if is_whole {
            break;
        }
    }
    let (mut page, mut n_to) = last;
    if page.text.is_empty() && n_to < n_hits {
        // However small the budget: a page without a hit would never be followed by another.
        (page.text, n_to) = (one_hit(found, n_to), n_to + 1);
    } else {
        add_footprints(&mut page, found, &footprints);
    }
    let mut next = (n_to < n_hits).then_some(n_to);
    if next.is_none() {
        next = rest_of_names(&mut page, found, n_first, around.cursor);
    }
    let mut text = format!("{headline}{names}{}", page.text);
    if let Some(next) = next {
        let left = match n_hits.checked_sub(next) {
            Some(n) if n > 0 => counted(n, "more hit"),
            _ => counted(n_hits + found.names.len() - next, "more name"),
        };
        let _ = writeln!(
            text,
            "{left}: call find_in_files with the same arguments and \"cursor\":\"{next}\""
        );
    }
    finished(text.trim_end().to_owned(), &around.notes)
}

fn headline(found: &Found) -> String {
    let Searched { files, bytes } = found.searched;
    let mut text = format!("find_in_files  {}  ", quoted(&found.pattern));
    match (found.n_hits(), found.rung) {
        (n, Some(rung)) if n > 0 => {
            let n_files = counted(found.files.len(), "file");
            let _ = write!(text, "{} in {n_files}, {}", counted(n, "hit"), rung.said());
            let higher = found.tried.iter().take_while(|tried| **tried != rung);
            let higher: Vec<&str> = higher.map(|rung| rung.said()).collect();
            if !higher.is_empty() {
                let _ = write!(text, " (nothing {})", higher.join(", "));
            }
        }
        _ => {
            let _ = write!(text, "no line has it");
        }
    }
    if !found.names.is_empty() {
        let _ = write!(text, " · {}", counted(found.names.len(), "file name"));
    }
    let _ = writeln!(text, " · {} searched, {}", counted(files, "file"), size(bytes));
    if found.rung == Some(Rung::Concept) {
        let symbols = found.behind.iter().map(|of| {
            let hits = found.files.iter().flat_map(|file| &file.hits);
            let n_hits = hits.filter(|hit| stands_in(&of.name, &hit.text)).count();
            format!("{} ({})", of.symbol, counted(n_hits, "hit"))
        });
        let symbols: Vec<String> = symbols.collect();
        let pattern = quoted(&found.pattern);
        let _ = writeln!(text, "the real symbols behind {pattern}: {}", symbols.join(", "));
    }
    for (rung, why) in &found.refused {
        let _ = writeln!(text, "not {}: {why}", rung.said());
    }
    let n_skipped: usize = found.omissions.listed().map(|(_, _, o)| o.count).sum();
    if n_skipped > 0 {
        let mut reasons: Vec<(&str, usize)> = Vec::new();
        for (reason, _, omitted) in found.omissions.listed() {
            match reasons.last_mut() {
                Some((last, count)) if *last == reason => *count += omitted.count,
                _ => reasons.push((reason, omitted.count)),
            }
        }
        let said: Vec<String> = reasons.iter().map(|(r, n)| format!("{n} {r}")).collect();
        let _ = writeln!(text, "skipped: {}", said.join(" · "));
    }
    text
}

/// The names that stand before the hits, and how many they are; they never crowd the hits out.
fn first_names(found: &Found, budget: usize) -> (String, usize) {
    let (mut page, mut n_first) = (Page::new(budget), 0);
    let mut head = "by name:\n";
    for name in found.names.iter().take(NAMES_FIRST) {
        let name = shortened(name, Span::default(), 200);
        if !page.add(&format!("{head}  {name}\n")) {
            break;
        }
        (head, n_first) = ("", n_first + 1);
    }
    (page.text, n_first)
}

/// Hit number `idx` alone, as short as it goes.
fn one_hit(found: &Found, idx: usize) -> String {
    let hits = found.files.iter().flat_map(|file| file.hits.iter().map(move |hit| (file, hit)));
    let shortest = Measure { context: Context::LeftOut, width: 60 };
    hits.skip(idx).take(1).fold(String::new(), |text, (file, hit)| {
        let path = shortened(&file.path, Span::default(), 60);
        let first_line = Hit { text: hit.text.lines().next().unwrap_or("").to_owned(), ..*hit };
        format!("{text}{path}\n{}", hit_piece(file, &first_line, 0..0, 0, shortest))
    })
}

/// The hits from `cursor` on, as many as fit, and the number of the first that does not.
fn hits_from(found: &Found, cursor: usize, measure: Measure, budget: usize) -> (Page, usize) {
    let mut page = Page::new(budget);
    let mut hit_idx = 0;
    for file in &found.files {
        let mut head = format!("{}\n", file.path);
        let mut is_first = true;
        for (idx, hit) in file.hits.iter().enumerate() {
            if hit_idx >= cursor {
                let last = file.hits.get(idx + 1).map_or(u32::MAX, |next| next.line);
                let before = idx.checked_sub(1).map_or(0, |idx| file.hits[idx].line);
                let lead = if is_first { before..hit.line } else { 0..0 };
                let piece = hit_piece(file, hit, lead, last, measure);
                if !page.add(&format!("{head}{piece}")) {
                    return (page, hit_idx);
                }
                head.clear();
                is_first = false;
            }
            hit_idx += 1;
        }
    }
    (page, hit_idx)
}

/// A hit, with the lines around it: those in `lead` before it, and all up to the next hit behind it.
fn hit_piece(
    file: &InFile,
    hit: &Hit,
    lead: std::ops::Range<u32>,
    next: u32,
    measure: Measure,
) -> String {
    let around = |lines: std::ops::Range<u32>| {
        let mut text = String::new();
        if measure.context == Context::Shown && lines.start < lines.end {
            for (n, line) in file.context.range(lines) {
                let line = shortened(line, Span::default(), measure.width);
                let _ = writeln!(text, "  {n}-  {line}");
            }
        }
        text
    };
    let mut text = around(lead);
    let mut lines = hit.text.split('\n');
    let first = shortened(lines.next().unwrap_or(""), hit.matched, measure.width);
    let _ = writeln!(text, "  {}:{}  {first}", hit.line, hit.column);
    for (n, line) in (hit.line + 1..).zip(lines) {
        let _ = writeln!(text, "  {n}:  {}", shortened(line, Span::default(), measure.width));
    }
    text.push_str(&around(hit.line + 1..next));
    text
}

/// A line with at most `width` characters, cut so that the match stays; what is left out is said.
fn shortened(line: &str, matched: Span, width: usize) -> String {
    // Counted only as far as needed: a line may have a million characters.
    if line.len() <= width || line.chars().nth(width).is_none() {
        return line.to_owned();
    }
    let start = line.get(..matched.start as usize).map_or(0, str::len);
    let lead =
        line[..start].char_indices().rev().take(width / 3).last().map_or(start, |(at, _)| at);
    let end = line[lead..].char_indices().nth(width).map_or(line.len(), |(at, _)| lead + at);
    let before = if lead > 0 { "…" } else { "" };
    let after = match line.len() - end {
        0 => String::new(),
        n_bytes => format!("… {n_bytes} more bytes"),
    };
    format!("{before}{}{after}", &line[lead..end])
}

/// A footprint as text; one that has nothing beside the line it was found on is none.
fn footprint(of: &InPath) -> Option<String> {
    if of.lines.len() < 2 {
        return None;
    }
    let n_lines = counted(of.lines.len(), "line");
    let (variable, path, declared) = (&of.variable, &of.path, of.declared);
    let mut text =
        format!("footprint of {variable} in {path}: {n_lines}, declared in {declared}\n");
    for (n, line) in &of.lines {
        let _ = writeln!(text, "  {n}  {}", shortened(line, Span::default(), 200));
    }
    Some(text)
}

/// Adds what fits of the footprints; the others are told with their lines.
fn add_footprints(page: &mut Page, found: &Found, footprints: &[String]) {
    let mut cut = Vec::new();
    let told = found.footprints.iter().filter(|of| footprint(of).is_some());
    for (of, text) in told.zip(footprints) {
        if !page.add(text) {
            cut.push(format!("{} in {} ({})", of.variable, of.path, ranges(of)));
        }
    }
    page.n_left += CUT_NOTICE;
    if !cut.is_empty() {
        let n_cut = counted(cut.len(), "footprint");
        let told = format!("{n_cut} cut: {}\n", cut.join(", "));
        if !page.add(&told) {
            page.add(&format!("{n_cut} cut: narrow with `path` or `glob`\n"));
        }
    }
    if found.n_beyond > 0 {
        let beyond = counted(found.n_beyond, "later hit");
        page.add(&format!("footprints of {beyond} come with their own page\n"));
    }
}

/// `12–15, 18`.
fn ranges(of: &InPath) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for (n, _) in &of.lines {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *n => *last = *n,
            _ => ranges.push((*n, *n)),
        }
    }
    let said = ranges.iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}–{last}"),
    });
    said.collect::<Vec<_>>().join(", ")
}

/// Adds the names that did not stand before the hits; gives where to go on.
fn rest_of_names(page: &mut Page, found: &Found, n_first: usize, cursor: usize) -> Option<usize> {
    // The cursor counts names behind all hits.
    let n_hits = found.n_hits();
    let first = cursor.saturating_sub(n_hits).max(n_first);
    let mut head = "more by name:\n";
    for (idx, name) in found.names.iter().enumerate().skip(first) {
        let name = shortened(name, Span::default(), 200);
        if !page.add(&format!("{head}  {name}\n")) {
            return Some(n_hits + idx);
        }
        head = "";
    }
    None
}

/// An answer without hits says what was searched, what was not, and what is near.
fn nothing(found: &Found, around: &Around) -> String {
    let Searched { files, bytes } = found.searched;
    let pattern = quoted(&found.pattern);
    let files = counted(files, "file");
    let mut text = format!("find_in_files  {pattern}  no match in {files} ({})", size(bytes));
    let tried: Vec<&str> = found.tried.iter().map(|rung| rung.said()).collect();
    if !tried.is_empty() {
        let _ = write!(text, ", searched {}, then by file name", tried.join(", then "));
    }
    text.push('\n');
    for (rung, why) in &found.refused {
        let _ = writeln!(text, "not {}: {why}", rung.said());
    }
    let mut page = Page::new(around.max_chars.saturating_sub(text.chars().count() + 700));
    let n_rules = found.omissions.listed().count();
    for (reason, rule, omitted) in found.omissions.listed().take(MAX_RULES) {
        let by = rule.map_or(String::new(), |rule| format!(" by {rule}"));
        let mut paths = omitted.paths.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
        if omitted.count > 5 {
            paths.push_str(", …");
        }
        page.add(&format!("skipped  {} {reason}{by}: {paths}\n", omitted.count));
    }
    if n_rules > MAX_RULES {
        page.add(&format!("skipped by {} more rules\n", n_rules - MAX_RULES));
    }
    if !found.nearest.is_empty() {
        let near: Vec<&str> = found.nearest.iter().map(|name| name.as_str()).collect();
        page.add(&format!("nearest words that exist: {}\n", near.join(", ")));
    }
    text.push_str(&page.text);
    text.trim_end().to_owned()
}

/// A pattern as one short line.
fn quoted(pattern: &str) -> String {
    let line = pattern.replace('\n', "⏎");
    format!("`{}`", shortened(&line, Span::default(), 80))
}

fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..10_000_000 => format!("{} KB", bytes / 1000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}

/// The answer of `find_in_files` as data.
pub fn find_in_files_listed(found: &Found, around: &Around) -> Value {
    let hits = found.files.iter().flat_map(|file| {
        file.hits.iter().map(|hit| {
            json!({ "path": file.path, "line": hit.line, "column": hit.column, "text": hit.text })
        })
    });
    let footprints = found.footprints.iter().map(|of| {
        let lines: Vec<u32> = of.lines.iter().map(|(n, _)| *n).collect();
        json!({ "variable": of.variable, "path": of.path, "lines": lines })
    });
    let skipped = found.omissions.listed().map(|(reason, rule, omitted)| {
        let mut row = json!({ "reason": reason, "count": omitted.count, "paths": omitted.paths });
        if let Some(rule) = rule {
            row["rule"] = rule.into();
        }
        row
    });
    let refused: Vec<String> =
        found.refused.iter().map(|(rung, why)| format!("not {}: {why}", rung.said())).collect();
    let Searched { files, bytes } = found.searched;
    let mut listed = json!({
        "rung": found.rung.map(name_of),
        "hits": hits.collect::<Vec<_>>(),
        "names": found.names,
        "footprints": footprints.collect::<Vec<_>>(),
        "searched": { "files": files, "bytes": bytes },
        "skipped": skipped.collect::<Vec<_>>(),
        "nearest": found.nearest,
        "notes": around.notes.iter().chain(&refused).collect::<Vec<_>>(),
    });
    if found.rung == Some(Rung::Concept) {
        let symbols: Vec<&str> = found.behind.iter().map(|of| of.symbol.as_str()).collect();
        listed["symbols"] = json!(symbols);
    }
    if found.n_beyond > 0 {
        let n_hits = found.n_hits() - found.n_beyond;
        listed["cursor"] = n_hits.to_string().into();
    }
    listed
}

fn name_of(rung: Rung) -> &'static str {
    match rung {
        Rung::Expression => "regex",
        Rung::Literal => "literal",
        Rung::AllWords => "words",
        Rung::Concept => "concept",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_cut_around_the_match() {
        let line = format!("{}needle{}", "é".repeat(500), "x".repeat(500));
        let cut = shortened(&line, Span::new(1000, 1006), 100);
        assert!(cut.starts_with('…') && cut.contains("needle"), "{cut}");
        assert!(cut.chars().count() < 130, "{cut}");
        assert_eq!(shortened("short", Span::new(0, 1), 100), "short");
    }
}
