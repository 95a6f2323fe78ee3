//! Markdown to a page.
//!
//! A heading inside of a list or a quotation opens no section. Lists that are nested deeper than [`MAX_DEPTH`] are read
//! as if they were not, so that no page costs more than its length.

use super::node::{Builder, Node};
use super::{Block, Face, Fence, Flaw, Item, Page, Paragraph, Run, Section, Table, json, yaml};
use crate::base::{Lines, Name, Span, to_u32};
use pulldown_cmark::{CodeBlockKind, Event, MetadataBlockKind, Options, Parser, Tag, TagEnd};
use std::ops::Range;
use std::sync::Arc;

/// How deep lists are nested before their items are put together.
const MAX_DEPTH: usize = 32;

/// The page that `bytes` spell; what is not UTF-8 is replaced and said.
pub fn page(bytes: &[u8]) -> Page {
    let text = String::from_utf8_lossy(bytes);
    let mut page = of_text(&text);
    if let Err(why) = std::str::from_utf8(bytes) {
        let line = Lines::of(&text).line(to_u32(why.valid_up_to()));
        page.flaws.push(Flaw { line, what: "bytes that are not UTF-8" });
    }
    page
}

/// Reads a page whose bytes were decoded.
pub fn of_text(text: &str) -> Page {
    let lines = Lines::of(text);
    let mut reader = Reader::new(&lines);
    let (front, blanked) = json_front(text);
    reader.page.front = front.map(Box::new);
    for (event, at) in
        Parser::new_ext(blanked.as_deref().unwrap_or(text), OPTIONS).into_offset_iter()
    {
        reader.take(event, &at, text);
    }
    let mut page = reader.end(text.len());
    let title =
        page.front.as_ref().map_or_else(String::new, |front| front.said("title").to_owned());
    page.entitle(&title);
    page
}

/// What is read of Markdown beside its core.
const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_YAML_STYLE_METADATA_BLOCKS)
    .union(Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS);

/// Front matter that is JSON, and the text with blanks in its place.
fn json_front(text: &str) -> (Option<Node>, Option<String>) {
    if !text.starts_with("{\n") && !text.starts_with("{\r\n") {
        return (None, None);
    }
    let (front, flaws, end) = json::first(text);
    if !flaws.is_empty() || !text.is_char_boundary(end) {
        return (None, None);
    }
    let (matter, rest) = text.split_at(end);
    let blank: String = matter.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }).collect();
    (Some(front), Some(blank + rest))
}

/// Front matter that is TOML, as far as it is keys with one text: the rest says nothing of the page.
fn toml_front(text: &str) -> Node {
    let mut builder = Builder::new();
    let pairs = text
        .lines()
        .zip(1..)
        .map_while(|(line, at)| (!line.starts_with('[')).then_some((line, at)));
    for (key, said, at) in
        pairs.filter_map(|(line, at)| line.split_once('=').map(|(k, v)| (k, v, at)))
    {
        builder.open(key.trim(), at);
        builder.text(said.trim().trim_matches(['"', '\'']), at);
        builder.close(at);
    }
    builder.finish(1)
}

/// The fenced code of a page: the words behind each fence, and where its lines lie in the text.
pub fn fences(text: &str) -> Vec<(String, Vec<Range<usize>>)> {
    let mut found: Vec<(String, Vec<Range<usize>>)> = Vec::new();
    let mut is_open = false;
    for (event, at) in Parser::new_ext(text, OPTIONS).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(words))) => {
                found.push((words.into_string(), Vec::new()));
                is_open = true;
            }
            Event::End(TagEnd::CodeBlock) => is_open = false,
            Event::Text(_) if is_open => {
                if let Some((_, ranges)) = found.last_mut() {
                    ranges.push(at);
                }
            }
            _ => {}
        }
    }
    found
}

struct Reader<'l> {
    lines: &'l Lines,
    page: Page,
    /// The headings that the next one may be inside of.
    above: Vec<u32>,
    runs: Vec<Run>,
    line: u32,
    /// Front matter that is being read: how it is spelt, and what was read of it.
    front: Option<(MetadataBlockKind, String)>,
    stressed: u32,
    link: Option<Arc<str>>,
    /// The items that are not closed yet.
    items: Vec<Item>,
    /// How many items are open, also where they were put together.
    depth: usize,
    /// The items of the list that is open outside of all others.
    list: Vec<Item>,
    n_lists: u32,
    fence: Option<Fence>,
    table: Option<Table>,
}

impl<'l> Reader<'l> {
    fn new(lines: &'l Lines) -> Reader<'l> {
        let first = Section { line: 1, last_line: 1, ..Section::default() };
        Reader {
            lines,
            page: Page { sections: vec![first], ..Page::default() },
            above: Vec::new(),
            runs: Vec::new(),
            line: 1,
            front: None,
            stressed: 0,
            link: None,
            items: Vec::new(),
            depth: 0,
            list: Vec::new(),
            n_lists: 0,
            fence: None,
            table: None,
        }
    }

    fn take(&mut self, event: Event<'_>, at: &Range<usize>, text: &str) {
        match event {
            Event::Start(tag) => self.open(tag, at),
            Event::End(tag) => self.close(tag, at, text),
            Event::Text(said) => self.say(&said, Face::Plain),
            Event::Code(said) => self.say(&said, Face::Code),
            Event::SoftBreak | Event::HardBreak => self.say(" ", Face::Plain),
            Event::Html(_)
            | Event::InlineHtml(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::FootnoteReference(_)
            | Event::Rule
            | Event::TaskListMarker(_) => {}
        }
    }

    fn open(&mut self, tag: Tag<'_>, at: &Range<usize>) {
        let line = self.lines.line(to_u32(at.start));
        match tag {
            Tag::Paragraph | Tag::Heading { .. } => {
                if self.depth == 0 {
                    self.runs.clear();
                } else if !self.runs.is_empty() {
                    self.say(" ", Face::Plain);
                }
                self.line = line;
            }
            Tag::Emphasis | Tag::Strong => self.stressed += 1,
            Tag::Link { dest_url, .. } => self.link = Some(Arc::from(&*dest_url)),
            Tag::List(_) => self.n_lists += 1,
            Tag::Item => {
                self.keep_runs();
                self.depth += 1;
                if self.items.len() < MAX_DEPTH {
                    self.items.push(Item { line, ..Item::default() });
                }
            }
            Tag::CodeBlock(kind) => {
                self.keep_runs();
                let language = match kind {
                    CodeBlockKind::Fenced(said) => {
                        said.split([' ', ',', '\t']).next().unwrap_or("").to_string()
                    }
                    CodeBlockKind::Indented => String::new(),
                };
                self.fence = Some(Fence { language, code: String::new(), line });
            }
            Tag::Table(_) => self.table = Some(Table { rows: Vec::new(), line }),
            Tag::TableHead | Tag::TableRow => {
                if let Some(table) = &mut self.table {
                    table.rows.push(Vec::new());
                }
            }
            Tag::TableCell => self.runs.clear(),
            Tag::MetadataBlock(kind) => self.front = Some((kind, String::new())),
            _ => {}
        }
    }

    fn close(&mut self, tag: TagEnd, at: &Range<usize>, text: &str) {
        match tag {
            TagEnd::Paragraph if self.depth == 0 => {
                let runs = std::mem::take(&mut self.runs);
                self.add(Block::Paragraph(Paragraph { runs, line: self.line }));
            }
            TagEnd::Heading(level) if self.depth == 0 => self.head(level as u8, at),
            TagEnd::Emphasis | TagEnd::Strong => self.stressed = self.stressed.saturating_sub(1),
            TagEnd::Link => self.link = None,
            TagEnd::Item => self.close_item(),
            TagEnd::List(_) => {
                self.n_lists = self.n_lists.saturating_sub(1);
                if self.n_lists == 0 && !self.list.is_empty() {
                    let list = std::mem::take(&mut self.list);
                    self.add(Block::List(list));
                }
            }
            TagEnd::CodeBlock => {
                let Some(fence) = self.fence.take() else { return };
                let said = text.get(at.clone()).unwrap_or("").trim_end();
                let mark = said.get(..3).unwrap_or("");
                if ["```", "~~~"].contains(&mark) && (said.len() < 6 || !said.ends_with(mark)) {
                    self.page.flaws.push(Flaw { line: fence.line, what: "a fence without end" });
                }
                self.add(Block::Fence(fence));
            }
            TagEnd::TableCell => {
                let cell = super::text_of(&self.runs);
                self.runs.clear();
                if let Some(row) = self.table.as_mut().and_then(|t| t.rows.last_mut()) {
                    row.push(cell);
                }
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    self.add(Block::Table(table));
                }
            }
            TagEnd::MetadataBlock(_) => {
                let Some((kind, text)) = self.front.take() else { return };
                let front = match kind {
                    MetadataBlockKind::YamlStyle => yaml::nodes(&text).0,
                    MetadataBlockKind::PlusesStyle => toml_front(&text),
                };
                self.page.front.get_or_insert(Box::new(front));
            }
            _ => {}
        }
    }

    fn say(&mut self, text: &str, face: Face) {
        if let Some((_, front)) = &mut self.front {
            front.push_str(text);
            return;
        }
        if let Some(fence) = &mut self.fence {
            fence.code.push_str(text);
            return;
        }
        let face = if face == Face::Plain && self.stressed > 0 { Face::Stressed } else { face };
        match self.runs.last_mut() {
            Some(last) if last.face == face && face == Face::Plain && last.link == self.link => {
                last.text.push_str(text);
            }
            _ => self.runs.push(Run { text: text.to_string(), face, link: self.link.clone() }),
        }
    }

    /// What was said belongs to the item that is open.
    fn keep_runs(&mut self) {
        if self.depth > 0
            && let Some(item) = self.items.last_mut()
        {
            item.runs.append(&mut self.runs);
        }
    }

    fn close_item(&mut self) {
        self.keep_runs();
        if self.depth == self.items.len()
            && let Some(item) = self.items.pop()
        {
            match self.items.last_mut() {
                Some(outer) => outer.items.push(item),
                None => self.list.push(item),
            }
        }
        self.depth = self.depth.saturating_sub(1);
    }

    fn head(&mut self, level: u8, at: &Range<usize>) {
        let title = std::mem::take(&mut self.runs);
        self.end_section(at.start);
        let sections = &mut self.page.sections;
        while let Some(last) = self.above.last() {
            if sections[*last as usize].level < level {
                break;
            }
            self.above.pop();
        }
        let line = self.lines.line(to_u32(at.start));
        let parent = self.above.last().copied();
        self.above.push(to_u32(sections.len()));
        sections.push(Section {
            level,
            title,
            parent,
            span: Span::new(at.start, at.end),
            line,
            last_line: line,
            blocks: Vec::new(),
            id: Name::default(),
        });
    }

    fn end_section(&mut self, at: usize) {
        if let Some(last) = self.page.sections.last_mut() {
            last.span.end = to_u32(at);
            last.last_line = self.lines.line(to_u32(at.saturating_sub(1))).max(last.line);
        }
    }

    fn add(&mut self, block: Block) {
        if let Some(last) = self.page.sections.last_mut() {
            last.blocks.push(block);
        }
    }

    fn end(mut self, length: usize) -> Page {
        self.end_section(length);
        if self.page.sections[0].blocks.is_empty() && self.page.sections.len() > 1 {
            self.page.sections.remove(0);
            for section in &mut self.page.sections {
                section.parent = section.parent.map(|p| p - 1);
            }
        }
        self.page
    }
}

#[cfg(test)]
mod tests {
    use super::super::text_of;
    use super::*;

    #[test]
    fn sections_know_their_path_lines_and_parts() {
        let page = of_text(
            "---\ntitle: x\n---\n# app\n\nSay `hi` to [Dock](dock.md).\n\n## Methods\n\n### `app.quit()` _macOS_\n\n\
             * `a` string - it\n  * `b` [B](b.md)\n\n```js\napp.quit()\n```\n\n| a | b |\n|---|---|\n| `1` | 2 |\n",
        );
        assert_eq!(page.path(2), ["app", "Methods", "app.quit() macOS"]);
        let quit = &page.sections[2];
        assert_eq!((quit.line, quit.last_line), (10, 21));
        assert_eq!(quit.title[0].face, Face::Code);
        assert_eq!(quit.title[2].face, Face::Stressed);
        let Block::List(items) = &quit.blocks[0] else { panic!("{quit:?}") };
        assert_eq!(text_of(&items[0].runs), "a string - it");
        assert_eq!(text_of(&items[0].items[0].runs), "b B");
        assert_eq!(quit.fences().next().unwrap().code, "app.quit()\n");
        let Block::Table(table) = &quit.blocks[2] else { panic!("{quit:?}") };
        assert_eq!(table.rows, [["a", "b"], ["1", "2"]]);
        assert_eq!(page.flaws, []);
    }

    #[test]
    fn odd_pages_are_pages_too() {
        let many = "# A-b\n\ntext\n".repeat(100_000);
        assert_eq!(of_text(&many).sections.len(), 100_000);
        let rows = format!("| a |\n|---|\n{}", "| x |\n".repeat(50_000));
        let Block::Table(table) = &of_text(&rows).sections[0].blocks[0] else { panic!() };
        assert_eq!(table.rows.len(), 50_001);
        let unclosed = of_text("# A\n\n```js\n# no heading\n");
        assert_eq!(unclosed.flaws, [Flaw { line: 3, what: "a fence without end" }]);
        assert_eq!(of_text("---\nodd: [\n\n# A\n").sections.last().unwrap().title_text(), "A");
        let broken = page(b"# A\n\n\xff\xfe\n\n## B\n");
        assert_eq!(broken.sections[1].title_text(), "B");
        assert_eq!(broken.flaws[0].line, 3);
    }

    #[test]
    fn deep_lists_are_cut_not_followed() {
        let deep: String = (0..400).map(|n| format!("{}* x\n", "  ".repeat(n))).collect();
        let Block::List(items) = &of_text(&deep).sections[0].blocks[0] else { panic!() };
        assert_eq!(items.len(), 1);
        let _ = of_text(&"> ".repeat(20_000));
        let _ = of_text(&"* ".repeat(5_000));
    }
}
