//! From declarations to pieces: each symbol's comment and the lines that declare it.
//!
//! What has a body of its own (a class, a namespace) shows its first line only. A declaration is shown up to its end or
//! for [`MAX_LINES`] lines, and of a line that is longer than [`MAX_LINE`] bytes its beginning.

use super::comments::Comment;
use super::places::Places;
use super::{Chunk, SourceText, Symbol, chunks};
use crate::base::Lines;

/// The most lines of a declaration.
const MAX_LINES: u32 = 20;

/// The longest line of a declaration, in bytes.
const MAX_LINE: usize = 2_000;

/// The longest comment that is one piece, in bytes.
const MAX_COMMENT: usize = 6_000;

/// What has a body of its own.
const BODIES: &[&str] = &["class", "interface", "namespace", "module", "enum", "global"];

/// What may stand before the word that says what is declared.
const MARKS: &[&str] = &["export", "declare", "default", "abstract", "const"];

/// A declaration.
#[derive(Debug)]
pub struct Declaration {
    /// Its pieces; more than one where its comment is long.
    pub chunks: Vec<Chunk>,
    /// Its comment.
    pub comment: Option<Comment>,
}

/// What is declared in a source, in the order of its lines.
pub fn of_declarations(source: &SourceText, places: &Places) -> Vec<Declaration> {
    let text: &str = &source.text;
    let lines = Lines::of(text);
    let mut found = Vec::new();
    let placed = places.within(source.source, 1, u32::MAX);
    for on_line in placed.chunk_by(|(a, _), (b, _)| a == b) {
        let line = on_line[0].0;
        let symbols = chunks::ordered(on_line.iter(), "");
        if line as usize > lines.n_lines() || is_file(&symbols, lines.text(text, line)) {
            continue;
        }
        found.push(declaration(source, &lines, line, symbols));
    }
    found
}

/// Whether a line only begins a file that is a module.
fn is_file(symbols: &[Symbol], line: &str) -> bool {
    symbols.iter().all(Symbol::is_module) && !has_body(line)
}

fn declaration(source: &SourceText, lines: &Lines, line: u32, symbols: Vec<Symbol>) -> Declaration {
    let text: &str = &source.text;
    let comment = Comment::above(text, lines, line);
    let last_line = last_line(text, lines, line);
    let first = comment.as_ref().map_or(line, |comment| comment.first_line);
    let summary = comment.as_ref().map(Comment::summary).unwrap_or_default();
    let headings = symbols.first().map(headings).unwrap_or_default();
    let parts = parts(text, lines, first, last_line).into_iter();
    let chunks = parts.map(|(line, last_line)| Chunk {
        headings: headings.clone(),
        symbols: symbols.clone(),
        source: source.source,
        line,
        last_line,
        summary: summary.clone(),
        text: shown(text, lines, line, last_line),
    });
    Declaration { chunks: chunks.collect(), comment }
}

/// The lines as they stand, or the beginning of one that is too long.
fn shown(text: &str, lines: &Lines, first: u32, last: u32) -> String {
    let whole = lines.stretch(text, first, last);
    if whole.lines().all(|line| line.len() <= MAX_LINE) {
        return whole.to_string();
    }
    let each = whole.lines().map(|line| &line[..line.floor_char_boundary(MAX_LINE)]);
    each.collect::<Vec<_>>().join("\n")
}

/// A stretch of lines in parts that are not too long.
fn parts(text: &str, lines: &Lines, first: u32, last: u32) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    let mut begun = first;
    for line in first..=last {
        let size = lines.start(text, line.saturating_add(1)) - lines.start(text, begun);
        if size > MAX_COMMENT && line > begun {
            found.push((begun, line - 1));
            begun = line;
        }
    }
    found.push((begun, last));
    found
}

/// The module or namespace, and then the symbol.
fn headings(symbol: &Symbol) -> Vec<String> {
    let name = &symbol.owner.name;
    let path = name.path.as_str();
    let namespace = path.rsplit_once('.').map_or("", |(before, _)| before);
    let around = [name.module.as_str(), namespace].into_iter().filter(|part| !part.is_empty());
    let mut found: Vec<String> = around.map(str::to_string).collect();
    let last = path.rsplit('.').next().unwrap_or(path);
    found.push(match &symbol.member {
        Some(member) if last.is_empty() => member.to_string(),
        Some(member) => format!("{last}.{member}"),
        None => last.to_string(),
    });
    found.retain(|part| !part.is_empty());
    found
}

/// What is open while a declaration is read.
#[derive(Default)]
struct Depth {
    brackets: u32,
    angles: u32,
}

impl Depth {
    fn is_flat(&self) -> bool {
        self.brackets == 0 && self.angles == 0
    }
}

/// The last line of the declaration that begins on `line`.
fn last_line(text: &str, lines: &Lines, line: u32) -> u32 {
    let end = u32::try_from(lines.n_lines()).unwrap_or(u32::MAX);
    let furthest = line.saturating_add(MAX_LINES - 1).min(end);
    let has_body = has_body(lines.text(text, line));
    let mut depth = Depth::default();
    let mut in_comment = false;
    for at in line..=furthest {
        let said = lines.text(text, at);
        let said = &said[..said.floor_char_boundary(MAX_LINE)];
        match read_line(said, has_body, &mut depth, &mut in_comment) {
            Ending::Here => return at,
            Ending::Above => return at.saturating_sub(1).max(line),
            Ending::Open => {}
        }
        let next = lines.text(text, at.saturating_add(1)).trim_start();
        let said = said.trim_end();
        let goes_on = said.ends_with(['|', '&', '=', ':', ',', '(', '<', '?'])
            || said.ends_with("=>")
            || next.starts_with(['|', '&', '?', ':', '.', '=', '{'])
            || next.starts_with("extends ")
            || next.starts_with("implements ");
        if depth.is_flat() && !in_comment && !goes_on {
            return at;
        }
    }
    furthest
}

fn has_body(line: &str) -> bool {
    let mut words = line.split_whitespace().skip_while(|word| MARKS.contains(word));
    words.next().is_some_and(|word| BODIES.contains(&word))
}

/// Whether a declaration ends on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// On this line.
    Here,
    /// The line belongs to what is around it.
    Above,
    /// It may go on.
    Open,
}

/// Reads a line of a declaration.
fn read_line(line: &str, has_body: bool, depth: &mut Depth, in_comment: &mut bool) -> Ending {
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        if *in_comment {
            *in_comment = !rest.starts_with(b"*/");
            at += if *in_comment { 1 } else { 2 };
            continue;
        }
        match rest[0] {
            b'/' if rest.starts_with(b"//") => break,
            b'/' if rest.starts_with(b"/*") => *in_comment = true,
            quote @ (b'"' | b'\'' | b'`') => {
                at += rest[1..].iter().position(|b| *b == quote).unwrap_or(rest.len()) + 1;
            }
            b'{' if has_body && depth.is_flat() => return Ending::Here,
            b'(' | b'[' | b'{' => depth.brackets += 1,
            b')' | b']' | b'}' if depth.brackets == 0 => {
                let is_own = line[..at].contains(|c: char| c.is_alphanumeric());
                return if is_own { Ending::Here } else { Ending::Above };
            }
            b')' | b']' | b'}' => depth.brackets -= 1,
            b'<' => depth.angles += 1,
            b'>' if at > 0 && bytes[at - 1] == b'=' => {}
            b'>' => depth.angles = depth.angles.saturating_sub(1),
            b';' | b',' if depth.is_flat() => return Ending::Here,
            _ => {}
        }
        at += 1;
    }
    Ending::Open
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown_of(text: &str, line: u32) -> String {
        let lines = Lines::of(text);
        shown(text, &lines, line, last_line(text, &lines, line))
    }

    #[test]
    fn a_declaration_ends_where_it_ends() {
        let text = "export declare class A<T> extends B {\n  a: { b: string;\n    c: number };\n  \
                    d(x: Map<string, number>,\n    y: string): void\n  e?: string\n}\nenum E {\n  One = 1,\n  Two\n}\n\
                    type T =\n  | 'a;'\n  | \"b\";\nlet x: () => void, y;\n";
        assert_eq!(shown_of(text, 1), "export declare class A<T> extends B {");
        assert_eq!(shown_of(text, 2), "  a: { b: string;\n    c: number };");
        assert_eq!(shown_of(text, 4), "  d(x: Map<string, number>,\n    y: string): void");
        assert_eq!(shown_of(text, 6), "  e?: string");
        assert_eq!(shown_of(text, 9), "  One = 1,");
        assert_eq!(shown_of(text, 10), "  Two");
        assert_eq!(shown_of(text, 12), "type T =\n  | 'a;'\n  | \"b\";");
    }

    #[test]
    fn what_has_no_end_is_cut() {
        let text = format!("a: {{\n{}", "  b: string;\n".repeat(100));
        assert_eq!(shown_of(&text, 1).lines().count(), MAX_LINES as usize);
        let long = format!("a: {};", "x | ".repeat(100_000));
        assert_eq!(shown_of(&long, 1).len(), MAX_LINE);
    }
}
