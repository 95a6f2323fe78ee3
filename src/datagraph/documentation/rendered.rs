//! What a section says, as Markdown, where its file spells it in marks that would hide it.
//!
//! Words and code are as the file has them; only blanks between words are put together.

use crate::sources::pages::{Block, Face, Item, Run, Section};

/// A part of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its first line in the file.
    pub line: u32,
    /// Its last line.
    pub last_line: u32,
    /// What it says.
    pub text: String,
}

/// The parts of a section, none longer than `most` bytes but where one line is.
pub fn parts(section: &Section, title: &str, most: usize) -> Vec<Part> {
    let head = match title.is_empty() {
        true => String::new(),
        false => format!("{} {title}\n", "#".repeat(usize::from(section.level.max(1)))),
    };
    let last_line = section.last_line.max(section.line);
    let mut open = Part { line: section.line, last_line, text: head };
    let mut found: Vec<Part> = Vec::new();
    for block in &section.blocks {
        let line = line_of(block).clamp(section.line, last_line);
        for piece in pieces(block, most) {
            if !open.text.is_empty() && open.text.len() + piece.len() > most {
                open.last_line = line.max(open.line);
                let next = Part { line, last_line, text: String::new() };
                found.push(std::mem::replace(&mut open, next));
            }
            if !open.text.is_empty() {
                open.text.push('\n');
            }
            open.text.push_str(&piece);
        }
    }
    open.last_line = last_line;
    found.push(open);
    for part in &mut found {
        part.text.truncate(part.text.trim_end().len());
    }
    found.retain(|part| !part.text.is_empty());
    found
}

fn line_of(block: &Block) -> u32 {
    match block {
        Block::Paragraph(one) => one.line,
        Block::List(items) => items.first().map_or(1, |item| item.line),
        Block::Fence(one) => one.line,
        Block::Table(one) => one.line,
    }
}

/// A block as Markdown, cut where it is longer than `most`: a fence is closed and opened again, a table keeps its head.
fn pieces(block: &Block, most: usize) -> Vec<String> {
    match block {
        Block::Paragraph(one) => vec![format!("{}\n", marked(&one.runs))],
        Block::List(items) => {
            let mut lines = Vec::new();
            items.iter().for_each(|item| add_item(item, 0, &mut lines));
            joined(&lines, "", "", most)
        }
        Block::Fence(one) => {
            let mark = if one.code.contains("```") { "~~~~" } else { "```" };
            let lines: Vec<String> = one.code.lines().map(|line| format!("{line}\n")).collect();
            joined(&lines, &format!("{mark}{}\n", one.language), &format!("{mark}\n"), most)
        }
        Block::Table(one) => {
            let mut rows = one.rows.iter().map(|row| format!("| {} |\n", row.join(" | ")));
            let Some(first) = rows.next() else { return Vec::new() };
            let n_columns = one.rows.first().map_or(1, Vec::len).max(1);
            let head = format!("{first}|{}\n", "---|".repeat(n_columns));
            let rows: Vec<String> = rows.collect();
            joined(&rows, &head, "", most)
        }
    }
}

/// `lines` put together between `before` and `after` into texts of at most `most` bytes.
fn joined(lines: &[String], before: &str, after: &str, most: usize) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = before.to_owned();
    for line in lines {
        if open.len() > before.len() && open.len() + line.len() + after.len() > most {
            open.push_str(after);
            found.push(std::mem::replace(&mut open, before.to_owned()));
        }
        open.push_str(line);
    }
    open.push_str(after);
    found.push(open);
    found
}

fn add_item(item: &Item, depth: usize, lines: &mut Vec<String>) {
    lines.push(format!("{}* {}\n", "  ".repeat(depth.min(8)), marked(&item.runs)));
    item.items.iter().for_each(|inner| add_item(inner, depth + 1, lines));
}

fn marked(runs: &[Run]) -> String {
    let mut text = String::new();
    for run in runs {
        match (run.face, run.text.trim().is_empty()) {
            (Face::Code, false) => text.push_str(&format!("`{}`", run.text)),
            (Face::Plain | Face::Stressed, _) | (Face::Code, true) => text.push_str(&run.text),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::pages::reading::page;

    #[test]
    fn a_section_is_said_in_words_and_cut_whole() {
        let rows: String =
            (0..60).map(|n| format!("<tr><td>row {n}</td><td>x</td></tr>")).collect();
        let html = format!(
            "<h2>Box</h2><p>Holds <code>x</code>,\n see <a href='y'>y</a>.</p>\n<pre>let a;\nlet b;</pre>\n<table><tr><th>n</th><th>m</th></tr>{rows}</table>"
        );
        let page = page("a.html", html.as_bytes());
        let whole = parts(&page.sections[0], "Box", 10_000);
        assert_eq!(whole.len(), 1);
        let expected = "## Box\n\nHolds `x`, see y.\n\n```\nlet a;\nlet b;\n```\n\n| n | m |\n|---|---|\n| row 0 | x |\n";
        assert!(whole[0].text.starts_with(expected), "{}", whole[0].text);
        let cut = parts(&page.sections[0], "Box", 300);
        assert!(
            cut.len() > 2 && cut[1..].iter().all(|part| part.text.starts_with("| n | m |\n")),
            "{cut:#?}"
        );
        assert!(cut.iter().all(|part| part.text.len() <= 300));
    }
}
