//! Elements of HTML to sections, as far as they are prose.
//!
//! Headings open sections; so do the terms and rows that can be linked to, since references set out members so.

use super::node::{Node, TEXT};
use super::{Block, Face, Fence, Item, Paragraph, Run, Section, Table};
use crate::base::{Name, Span};
use std::sync::Arc;

/// The deepest level of a heading.
const MAX_LEVEL: u8 = 6;

/// Elements that stand in lines of text.
const INLINE: &[&str] = &[
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "img", "input", "ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span",
    "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
];

/// The sections of what is inside of `root`, up to line `last`.
pub fn sections(root: &Node, last: u32) -> Vec<Section> {
    let mut writer = Writer {
        sections: vec![Section { line: 1, ..Section::default() }],
        above: Vec::new(),
        runs: Vec::new(),
        line: 0,
        level: 0,
        depth: 0,
        language: String::new(),
        has_title: root.find(&|node| node.name == "h1").is_some(),
    };
    writer.blocks(root);
    writer.flush();
    super::close_sections(&mut writer.sections, last);
    writer.sections
}

struct Writer {
    sections: Vec<Section>,
    /// The sections that the next one may be inside of.
    above: Vec<u32>,
    runs: Vec<Run>,
    line: u32,
    /// The level of the last heading.
    level: u8,
    /// How many lists of terms are open.
    depth: u8,
    /// What the code that comes is written in, by the elements around it.
    language: String,
    has_title: bool,
}

impl Writer {
    fn blocks(&mut self, node: &Node) {
        self.say(&node.text, Face::Plain, None, node.line);
        for child in node.children.iter().filter(|child| !child.name.starts_with('@')) {
            self.block(child);
        }
    }

    fn block(&mut self, node: &Node) {
        let id = node.said("@id");
        match node.name.as_str() {
            TEXT => self.say(&node.text, Face::Plain, None, node.line),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.level = node.name.as_bytes()[1] - b'0';
                self.depth = 0;
                self.head(node, self.level, id);
            }
            "div" if !self.has_title && node.has_class("title") => {
                self.level = 1;
                self.head(node, 1, id);
            }
            "dt" | "tr" if !id.is_empty() => {
                let depth = self.depth.max(1);
                self.head(node, (self.level + depth).min(MAX_LEVEL), id);
            }
            "pre" => {
                self.flush();
                self.fence(node);
            }
            "ul" | "ol" if node.all("li").next().is_some() && !has_sections(node) => {
                self.flush();
                let items: Vec<Item> = node.all("li").map(item).collect();
                self.add(Block::List(items));
            }
            "table" if !has_sections(node) => {
                self.flush();
                self.table(node);
            }
            "br" => self.say(" ", Face::Plain, None, node.line),
            "dl" => {
                self.flush();
                self.depth = self.depth.saturating_add(1);
                self.blocks(node);
                self.flush();
                self.depth = self.depth.saturating_sub(1);
            }
            name if INLINE.contains(&name) && !has_blocks(node) => {
                inline(node, Face::Plain, None, &mut |run, line| {
                    self.push(run, line);
                })
            }
            _ => {
                self.flush();
                let outer =
                    language(node).map(|named| std::mem::replace(&mut self.language, named));
                self.blocks(node);
                self.flush();
                if let Some(outer) = outer {
                    self.language = outer;
                }
            }
        }
    }

    fn say(&mut self, text: &str, face: Face, link: Option<&Arc<str>>, line: u32) {
        if let Some(text) = spaced(text) {
            self.push(Run { text, face, link: link.cloned() }, line);
        }
    }

    fn push(&mut self, run: Run, line: u32) {
        if self.runs.is_empty() {
            if run.text.trim().is_empty() {
                return;
            }
            self.line = line;
        }
        add_run(&mut self.runs, run);
    }

    fn flush(&mut self) {
        let mut runs = std::mem::take(&mut self.runs);
        trim(&mut runs);
        if !runs.is_empty() {
            self.add(Block::Paragraph(Paragraph { runs, line: self.line }));
        }
    }

    fn add(&mut self, block: Block) {
        if let Some(last) = self.sections.last_mut() {
            last.blocks.push(block);
        }
    }

    fn head(&mut self, node: &Node, level: u8, id: &str) {
        self.flush();
        let mut title = Vec::new();
        inline(node, Face::Plain, None, &mut |run, _| add_run(&mut title, run));
        trim(&mut title);
        while let Some(last) = self.above.last() {
            if self.sections[*last as usize].level < level {
                break;
            }
            self.above.pop();
        }
        let parent = self.above.last().copied();
        self.above.push(crate::base::to_u32(self.sections.len()));
        self.sections.push(Section {
            level,
            title,
            parent,
            span: Span::default(),
            line: node.line,
            last_line: node.line,
            blocks: Vec::new(),
            id: Name::from(id),
        });
    }

    fn fence(&mut self, node: &Node) {
        let named = language(node).or_else(|| node.elements().find_map(language));
        let mut code = String::new();
        add_code(node, &mut code);
        let code = format!("{}\n", code.trim_matches(['\n', '\r']));
        let language = named.unwrap_or_else(|| self.language.clone());
        self.add(Block::Fence(Fence { language, code, line: node.line }));
    }

    fn table(&mut self, node: &Node) {
        let mut rows: Vec<Vec<String>> = Vec::new();
        node.walk(&mut |one| {
            if one.name == "tr" {
                let cells =
                    one.elements().filter(|cell| ["td", "th"].contains(&cell.name.as_str()));
                rows.push(cells.map(Node::whole_text).collect());
            }
        });
        rows.retain(|row| row.iter().any(|cell| !cell.is_empty()));
        if !rows.is_empty() {
            self.add(Block::Table(Table { rows, line: node.line }));
        }
    }
}

/// Whether something in `node` opens a section.
fn has_sections(node: &Node) -> bool {
    let opens = |one: &Node| match one.name.as_str() {
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => true,
        "dt" | "tr" => !one.said("@id").is_empty(),
        _ => false,
    };
    node.find(&opens).is_some()
}

fn has_blocks(node: &Node) -> bool {
    node.elements().any(|child| {
        !INLINE.contains(&child.name.as_str()) && child.name != "br" || has_blocks(child)
    })
}

fn item(node: &Node) -> Item {
    let mut runs = Vec::new();
    let mut items = Vec::new();
    let mut add = |run: Run, _: u32| add_run(&mut runs, run);
    if let Some(text) = spaced(&node.text) {
        add(Run { text, face: Face::Plain, link: None }, node.line);
    }
    for child in node.children.iter().filter(|child| !child.name.starts_with('@')) {
        match child.name.as_str() {
            "ul" | "ol" => items.extend(child.all("li").map(item)),
            TEXT => {
                if let Some(text) = spaced(&child.text) {
                    add(Run { text, face: Face::Plain, link: None }, child.line);
                }
            }
            _ => {
                inline(child, Face::Plain, None, &mut add);
                if !INLINE.contains(&child.name.as_str()) {
                    add(Run { text: " ".to_owned(), face: Face::Plain, link: None }, child.line);
                }
            }
        }
    }
    trim(&mut runs);
    Item { runs, line: node.line, items }
}

/// The runs of text in `node`.
fn inline(node: &Node, face: Face, link: Option<&Arc<str>>, add: &mut dyn FnMut(Run, u32)) {
    let face = match node.name.as_str() {
        "code" | "tt" | "kbd" | "samp" | "pre" => Face::Code,
        "em" | "strong" | "b" | "i" if face == Face::Plain => Face::Stressed,
        _ => face,
    };
    let target = match node.name.as_str() {
        "a" if !node.said("@href").is_empty() => Some(Arc::from(node.said("@href"))),
        _ => None,
    };
    let link = target.as_ref().or(link);
    let mut say = |text: &str, line: u32| {
        if let Some(text) = spaced(text) {
            add(Run { text, face, link: link.cloned() }, line);
        }
    };
    say(&node.text, node.line);
    if node.name == "br" {
        say(" ", node.line);
    }
    for child in node.children.iter().filter(|child| !child.name.starts_with('@')) {
        match child.name == TEXT {
            true => {
                if let Some(text) = spaced(&child.text) {
                    add(Run { text, face, link: link.cloned() }, child.line);
                }
            }
            false => inline(child, face, link, add),
        }
    }
}

/// A text with one blank for each stretch of them; none where there is nothing.
fn spaced(text: &str) -> Option<String> {
    if text.is_empty() {
        return None;
    }
    let mut kept = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter.is_whitespace() {
            true if kept.ends_with(' ') => {}
            true => kept.push(' '),
            // A mark that links to a heading is no part of it.
            false if ['¶', '\u{200b}', '\u{f0c1}'].contains(&letter) => {}
            false => kept.push(letter),
        }
    }
    Some(kept)
}

fn add_run(runs: &mut Vec<Run>, mut run: Run) {
    if let Some(last) = runs.last_mut() {
        if last.text.ends_with(' ') && run.text.starts_with(' ') {
            run.text.remove(0);
        }
        if last.face == run.face && last.link == run.link {
            last.text.push_str(&run.text);
            return;
        }
    }
    if !run.text.is_empty() {
        runs.push(run);
    }
}

fn trim(runs: &mut Vec<Run>) {
    if let Some(first) = runs.first_mut() {
        first.text = first.text.trim_start().to_owned();
    }
    if let Some(last) = runs.last_mut() {
        last.text.truncate(last.text.trim_end().len());
    }
    runs.retain(|run| !run.text.is_empty());
}

fn add_code(node: &Node, code: &mut String) {
    if node.name == "br" {
        code.push('\n');
    }
    code.push_str(&node.text);
    for child in node.children.iter().filter(|child| !child.name.starts_with('@')) {
        add_code(child, code);
    }
}

/// What an element's classes say that its code is written in.
fn language(node: &Node) -> Option<String> {
    let named = node.said("@class").split_whitespace().find_map(|class| {
        ["language-", "lang-", "highlight-", "highlight-source-"]
            .iter()
            .find_map(|prefix| class.strip_prefix(prefix))
    });
    named.filter(|named| !named.is_empty() && *named != "default").map(str::to_owned)
}
