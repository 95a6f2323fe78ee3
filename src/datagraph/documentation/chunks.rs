//! From pages to the pieces that are indexed and quoted.
//!
//! A piece is a section, from its heading to the next one, as it stands. A section that is longer than [`MAX_PART`] is
//! cut between blocks; only what is longer by itself is cut inside: a list between its items, a table between its rows
//! (the head stays with the first), a fence or a paragraph between its lines. A line is never cut.

use super::meanings::Meanings;
use super::places::Places;
use super::prose::summary;
use super::usage::named;
use super::{Chunk, SourceText, Symbol, rendered};
use crate::base::{Lines, to_u32};
use crate::datagraph::{Key, Side};
use crate::sources::pages::{Block, Face, Form, Item, Page, Section};
use std::collections::{BTreeMap, BTreeSet};

/// The longest part of a section, in bytes.
const MAX_PART: usize = 6_000;

/// The longest title, in characters.
const MAX_TITLE: usize = 200;

/// The pieces of a page whose path is `path`.
pub fn of_page(
    source: &SourceText,
    page: &Page,
    path: &str,
    places: &Places,
    meanings: &Meanings<'_>,
) -> Vec<Chunk> {
    match page.form {
        Form::Text => of_text(source, page, path, places, meanings),
        Form::Marked | Form::Records => of_marked(source, page, path, places),
    }
}

fn of_text(
    source: &SourceText,
    page: &Page,
    path: &str,
    places: &Places,
    meanings: &Meanings<'_>,
) -> Vec<Chunk> {
    let text: &str = &source.text;
    let lines = Lines::of(text);
    let near: BTreeSet<Key> =
        places.within(source.source, 1, u32::MAX).iter().map(|(_, s)| s.owner.clone()).collect();
    let titles: Vec<String> = page.sections.iter().map(title).collect();
    let mut found = Vec::new();
    for (idx, section) in page.sections.iter().enumerate() {
        let first = first_line(section);
        let placed = places.within(source.source, section.line, section.line);
        let spelt = if placed.is_empty() { spelt(section, meanings, &near) } else { Vec::new() };
        let heading = if placed.is_empty() { &spelt[..] } else { placed };
        if section.blocks.is_empty() && heading.is_empty() {
            continue;
        }
        let headings = headings(page, idx, &titles, path);
        let summary = summary(&section.blocks);
        for (line, last) in parts(section, first, text, &lines) {
            let Some(last_line) = (line..=last).rev().find(|at| !is_blank(&lines, text, *at))
            else {
                continue;
            };
            let within = places.within(source.source, line, last);
            let is_carried = placed.is_empty() || line > section.line;
            let carried = heading.iter().filter(|_| is_carried);
            found.push(Chunk {
                headings: headings.clone(),
                symbols: ordered(carried.chain(within), &titles[idx]),
                source: source.source,
                line,
                last_line,
                summary: summary.clone(),
                text: lines.stretch(text, line, last_line).to_string(),
            });
        }
    }
    found
}

/// The pieces of a page that is quoted by what it says. Several of its sections may stand on one line.
fn of_marked(source: &SourceText, page: &Page, path: &str, places: &Places) -> Vec<Chunk> {
    let titles: Vec<String> = page.sections.iter().map(title).collect();
    let mut n_on_line: BTreeMap<u32, usize> = BTreeMap::new();
    page.sections.iter().for_each(|section| *n_on_line.entry(section.line).or_default() += 1);
    let mut by_name: BTreeMap<(u32, &str), Vec<&(u32, Symbol)>> = BTreeMap::new();
    for placed in places.within(source.source, 1, u32::MAX) {
        let name = placed.1.member.as_deref().unwrap_or_else(|| placed.1.owner.name.last());
        by_name.entry((placed.0, name)).or_default().push(placed);
    }
    let mut found = Vec::new();
    for (idx, section) in page.sections.iter().enumerate() {
        let is_alone = n_on_line.get(&section.line).is_none_or(|n| *n == 1);
        let last_line = section.last_line.max(section.line);
        let above = section.parent.and_then(|parent| titles.get(parent as usize));
        let symbols = match is_alone {
            true => {
                ordered(places.within(source.source, section.line, last_line).iter(), &titles[idx])
            }
            false => {
                let name = last_name(&titles[idx]);
                let named = by_name.get(&(section.line, name)).map_or(&[][..], Vec::as_slice);
                let is_meant = |symbol: &Symbol| {
                    symbol.member.is_none()
                        || above.is_none_or(|above| last_name(above) == symbol.owner.name.last())
                        || symbol.owner.name.path.is_empty()
                };
                let named = named.iter().copied().filter(|(_, symbol)| is_meant(symbol));
                ordered(named, &titles[idx])
            }
        };
        if section.blocks.is_empty() && symbols.is_empty() {
            continue;
        }
        let (headings, summary) = (headings(page, idx, &titles, path), summary(&section.blocks));
        for part in rendered::parts(section, &titles[idx], MAX_PART) {
            found.push(Chunk {
                headings: headings.clone(),
                symbols: symbols.clone(),
                source: source.source,
                line: part.line,
                last_line: part.last_line,
                summary: summary.clone(),
                text: part.text,
            });
        }
    }
    found
}

/// The last name of a title such as `Sheets.Range` or `pause()`.
fn last_name(title: &str) -> &str {
    let end = title.find(['(', '<']).unwrap_or(title.len());
    title[..end].rsplit(['.', ':', '#']).next().unwrap_or(title).trim()
}

/// What a title that nothing stands at spells as code: a constructor, or an event that has a method's name.
fn spelt(section: &Section, meanings: &Meanings<'_>, near: &BTreeSet<Key>) -> Vec<(u32, Symbol)> {
    let title = section.title_text();
    let found = match (section.title.first(), title.strip_prefix("Event: '")) {
        (Some(run), _) if run.face == Face::Code => named(&run.text, meanings, near),
        (_, Some(event)) => {
            let name = event.split('\'').next().unwrap_or("");
            meanings.close(name, near).map(|found| found.symbol()).into_iter().collect()
        }
        _ => Vec::new(),
    };
    let only = if found.len() == 1 { found } else { Vec::new() };
    only.into_iter().map(|symbol| (section.line, symbol)).collect()
}

/// What stands before the first heading begins with its first block: front matter documents nothing.
fn first_line(section: &Section) -> u32 {
    if section.level > 0 {
        return section.line;
    }
    section.blocks.iter().map(line_of).min().unwrap_or(section.line)
}

fn title(section: &Section) -> String {
    let title = section.title_text();
    match title.char_indices().nth(MAX_TITLE) {
        Some((end, _)) => format!("{}…", &title[..end]),
        None => title,
    }
}

/// The titles that lead to a section; one that has none is called as its file.
fn headings(page: &Page, idx: usize, titles: &[String], path: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut at = Some(idx);
    while let Some(here) = at {
        found.extend(titles.get(here).filter(|title| !title.is_empty()).cloned());
        at = page.sections.get(here).and_then(|section| section.parent).map(|p| p as usize);
    }
    if found.is_empty() {
        let name = path.rsplit('/').next().unwrap_or(path);
        found.push(name.split('.').next().unwrap_or(name).to_string());
    }
    found.reverse();
    found
}

fn is_blank(lines: &Lines, text: &str, line: u32) -> bool {
    lines.text(text, line).trim().is_empty()
}

/// The symbols by their lines; on one line what the title names comes first, then the interface before its members.
pub fn ordered<'p>(placed: impl Iterator<Item = &'p (u32, Symbol)>, title: &str) -> Vec<Symbol> {
    let named = |symbol: &Symbol| {
        let name = symbol.member.as_deref().unwrap_or_else(|| symbol.owner.name.last());
        title.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').any(|w| w == name)
            || title.split('\'').nth(1) == Some(name)
    };
    let mut placed: Vec<&(u32, Symbol)> = placed.collect();
    placed.sort_by_cached_key(|(line, symbol)| {
        let is_value = symbol.owner.side == Side::Value;
        (*line, !named(symbol), symbol.member.is_some(), is_value, symbol.clone())
    });
    placed.dedup_by(|a, b| a.1 == b.1);
    placed.into_iter().map(|(_, symbol)| symbol.clone()).collect()
}

/// What a section is about: an interface before what is exported under its name.
pub fn subject(ordered: &[Symbol]) -> Option<&Symbol> {
    ordered.iter().find(|symbol| symbol.member.is_none()).or(ordered.first())
}

/// Where a section may be cut, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Border {
    /// Between two blocks.
    Block,
    /// Before an item of a list, or a row of a table.
    Item,
    /// Before an item of a list that stands in an item.
    Inner,
    /// Before any line.
    Line,
}

impl Border {
    fn next(self) -> Option<Border> {
        match self {
            Border::Block => Some(Border::Item),
            Border::Item => Some(Border::Inner),
            Border::Inner => Some(Border::Line),
            Border::Line => None,
        }
    }
}

/// The first and last lines of the parts of a section.
fn parts(section: &Section, first: u32, text: &str, lines: &Lines) -> Vec<(u32, u32)> {
    let whole = (first, section.last_line.max(first));
    let size = |(first, last): (u32, u32)| {
        lines.start(text, last.saturating_add(1)) - lines.start(text, first)
    };
    if size(whole) <= MAX_PART {
        return vec![whole];
    }
    let borders = borders(section);
    let mut found = Vec::new();
    divide(whole, Border::Block, &borders, &size, &mut found);
    found
}

/// Divides `part` at its best borders into stretches that are as long as they may be.
fn divide(
    part: (u32, u32),
    border: Border,
    borders: &[(u32, Border)],
    size: &dyn Fn((u32, u32)) -> usize,
    found: &mut Vec<(u32, u32)>,
) {
    let (first, last) = part;
    let starts: Vec<u32> = match border {
        Border::Line => (first + 1..=last).collect(),
        Border::Block | Border::Item | Border::Inner => {
            let from = borders.partition_point(|(line, _)| *line <= first);
            let inside = borders[from..].iter().take_while(|(line, _)| *line <= last);
            inside.filter(|(_, b)| *b <= border).map(|(line, _)| *line).collect()
        }
    };
    let ends = starts.iter().map(|line| line - 1).chain([last]);
    let mut open: Option<(u32, u32)> = None;
    for (start, end) in std::iter::once(first).chain(starts.iter().copied()).zip(ends) {
        if let Some((begun, done)) = open {
            if size((begun, end)) <= MAX_PART {
                open = Some((begun, end));
                continue;
            }
            found.push((begun, done));
            open = None;
        }
        match border.next().filter(|_| size((start, end)) > MAX_PART) {
            Some(finer) => divide((start, end), finer, borders, size, found),
            None => open = Some((start, end)),
        }
    }
    found.extend(open);
}

/// The lines before which a section may be cut, in their order.
fn borders(section: &Section) -> Vec<(u32, Border)> {
    let mut found = Vec::new();
    for block in &section.blocks {
        let first = line_of(block);
        // What stands inside of a list was closed before the list.
        while found.last().is_some_and(|(line, _)| *line >= first) {
            found.pop();
        }
        found.push((first, Border::Block));
    }
    for block in &section.blocks {
        match block {
            Block::List(items) => item_borders(items, Border::Item, &mut found),
            Block::Table(table) => {
                let last = table.line + to_u32(table.rows.len());
                found.extend((table.line + 2..=last).map(|line| (line, Border::Item)));
            }
            Block::Paragraph(_) | Block::Fence(_) => {}
        }
    }
    found.sort();
    found.dedup_by_key(|(line, _)| *line);
    found
}

fn item_borders(items: &[Item], border: Border, found: &mut Vec<(u32, Border)>) {
    for item in items {
        found.push((item.line, border));
        item_borders(&item.items, Border::Inner, found);
    }
}

/// The line on which a block begins.
fn line_of(block: &Block) -> u32 {
    match block {
        Block::Paragraph(paragraph) => paragraph.line,
        Block::List(items) => items.first().map_or(0, |item| item.line),
        Block::Fence(fence) => fence.line,
        Block::Table(table) => table.line,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Documentation, SourceKind, of};
    use super::*;
    use crate::datagraph::Datagraph;
    use crate::datagraph::pages::{PageFile, mine};
    use crate::sources::pages::markdown;
    use std::sync::Arc;

    fn mined(bytes: &[u8]) -> (Datagraph, Documentation) {
        let page = markdown::page(bytes);
        let file = PageFile { path: "a/b.md".into(), hash: "".into(), page: page.clone() };
        let (graph, _) = mine("x".into(), "1".into(), vec![file]);
        let text: Arc<str> = String::from_utf8_lossy(bytes).into();
        let source = SourceText { source: 0, text, kind: SourceKind::Page(page) };
        let documentation = of(&graph, &[source]);
        (graph, documentation)
    }

    fn chunks(text: &str) -> Vec<Chunk> {
        mined(text.as_bytes()).1.chunks
    }

    fn spelt(chunk: &Chunk) -> Vec<String> {
        chunk.symbols.iter().map(Symbol::to_string).collect()
    }

    #[test]
    fn a_section_is_a_piece_as_it_stands() {
        let text = "---\ntitle: x\n---\nBefore.\n\n# Block\n\nParent interface: none.\n\n\
                    ## Block-wide\n\nIs **wide**.\n\n```js\n# a\n```\n\n\n## Block-high\nType: `number`";
        let found = chunks(text);
        assert_eq!(found[0].headings, ["b"]);
        assert_eq!((found[0].line, found[0].text.as_str()), (4, "Before."));
        assert_eq!(spelt(&found[1]), ["Block"]);
        assert_eq!(found[2].headings, ["Block", "Block-wide"]);
        assert_eq!(spelt(&found[2]), ["Block.wide"]);
        assert_eq!(found[2].text, "## Block-wide\n\nIs **wide**.\n\n```js\n# a\n```");
        assert_eq!((found[2].line, found[2].last_line), (10, 16));
        assert_eq!((found[2].summary.as_str(), found[3].summary.as_str()), ("Is wide.", ""));
    }

    #[test]
    fn what_a_bullet_describes_belongs_to_its_section() {
        let text = "# Size Object\n\n* `width` number - How [wide](b.md) it is.\n* `high` number\n";
        let found = chunks(text);
        assert_eq!(spelt(&found[0]), ["Size", "Size.width", "Size.high"]);
        assert_eq!(found[0].says_of(&found[0].symbols[1]), "width number - How wide it is.");
        assert_eq!(found[0].says_of(&found[0].symbols[0]), found[0].summary);
    }

    #[test]
    fn what_declarations_have_is_found_in_pages_too() {
        let (graph, _) = mined(b"# Block\n\n## Block-wide\n\nType: `number`\n");
        let mut declared = graph;
        for one in declared.interfaces.values_mut() {
            one.at = (7, 1);
            one.shape.members.values_mut().for_each(|member| member.at = (7, 2));
        }
        let text = "# Block\n\n## Block-wide\n\nA.\n\n## Block-no\n\nB.\n";
        let page = markdown::page(text.as_bytes());
        let source = SourceText { source: 0, text: text.into(), kind: SourceKind::Page(page) };
        let found = of(&declared, &[source]).chunks;
        assert_eq!(spelt(&found[1]), ["Block.wide"]);
        assert_eq!(spelt(&found[2]), [""; 0]);
    }

    /// Whether the pieces are the text again, line by line, but for blank lines between them.
    fn assert_whole(text: &str, found: &[Chunk]) {
        let lines: Vec<&str> = text.lines().collect();
        let mut next = 1;
        for chunk in found {
            let between = &lines[next as usize - 1..chunk.line as usize - 1];
            assert!(between.iter().all(|line| line.trim().is_empty()), "{between:?}");
            let own = &lines[chunk.line as usize - 1..chunk.last_line as usize];
            assert_eq!(chunk.text.lines().collect::<Vec<_>>(), own);
            next = chunk.last_line + 1;
        }
        assert!(lines[next as usize - 1..].iter().all(|line| line.trim().is_empty()));
    }

    #[test]
    fn a_long_section_is_cut_between_blocks() {
        let block =
            format!("{}:\n\n```js\n{}```\n\n", "word ".repeat(300), "call();\n\n".repeat(200));
        let text = format!("# A\n\n{}", block.repeat(8));
        let found = chunks(&text);
        assert_whole(&text, &found);
        assert!(found.len() >= 4, "{}", found.len());
        for chunk in &found {
            assert!(chunk.text.len() <= MAX_PART);
            assert_eq!(chunk.text.matches("```").count() % 2, 0, "{}", chunk.text);
        }
    }

    #[test]
    fn what_is_longer_by_itself_is_cut_inside() {
        let items =
            "* `name` string - what it is\n  * inner\n\n    ```js\n    a\n\n    b\n    ```\n";
        let list = format!("# A Object\n\n{}", items.repeat(500));
        let table = format!("# A\n\n| a |\n|---|\n{}", "| some cell |\n".repeat(2_000));
        let fence = format!("# A\n\n```\n{}", "line\n".repeat(5_000));
        let paragraph = format!("# A\n\n{}", "words of a text\n".repeat(5_000));
        for text in [&list, &table, &fence, &paragraph] {
            let found = chunks(text);
            assert_whole(text, &found);
            assert!(found.len() > 3);
            assert!(found.iter().all(|chunk| chunk.text.len() <= MAX_PART));
        }
        assert!(chunks(&list)[1..].iter().all(|chunk| chunk.text.starts_with("* `name`")));
        assert!(chunks(&list).iter().all(|chunk| chunk.symbols[0].to_string() == "A"));
    }

    #[test]
    fn hostile_pages_cost_their_length_and_no_neighbour() {
        let neighbours = "\n# Block\n\n## Block-wide\n\nIs wide.\n";
        let odd: [Vec<u8>; 7] = [
            "# A-b\n\ntext\n".repeat(100_000).into_bytes(),
            format!("# {}\n\n{}", "x".repeat(1 << 20), "## b\n\nx\n".repeat(20_000)).into_bytes(),
            format!("# T\n\n| a |\n|---|\n{}", "| x |\n".repeat(50_000)).into_bytes(),
            format!("# T\n\n<div>{}<!-- \n-->\n", "<b>".repeat(50_000)).into_bytes(),
            b"---\nodd: [\n\n# A\n\n\xff\xfe\n".to_vec(),
            format!("# T\n\n{}\n", "* ".repeat(5_000)).into_bytes(),
            format!("# T\n\n{}\n", "a. ".repeat(500_000)).into_bytes(),
        ];
        for before in odd {
            let whole = [&before[..], neighbours.as_bytes()].concat();
            let (_, documentation) = mined(&whole);
            let last = documentation.chunks.last().unwrap();
            assert_eq!(
                (spelt(last), last.summary.as_str()),
                (vec!["Block.wide".into()], "Is wide.")
            );
        }
        let open =
            format!("# Block\n\n## Block-wide\n\nIs wide.\n\n```js\n{}", "# a\n".repeat(90_000));
        let found = chunks(&open);
        assert_eq!(spelt(&found[1]), ["Block.wide"]);
        assert_whole(&open, &found);
    }
}
