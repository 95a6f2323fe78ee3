//! The phrasebook: goal words that lead to symbols, all from the sources and each with its place.
//!
//! A sentence leads to the symbols that it links or names as code; a heading that documents nothing itself, to those
//! that are used under it; a comment in an example, to those used in the lines that follow it. At most four each, the
//! telling ones first: what half of the sections use tells nothing of one.

use super::chunks::{ordered, subject};
use super::comments::{Comment, NAMED};
use super::links::Links;
use super::meanings::Meanings;
use super::places::Places;
use super::prose::{is_form, said, sentences};
use super::usage::{named, usage};
use super::{Symbol, Topic, TopicKind};
use crate::datagraph::Key;
use crate::sources::pages::{Block, Face, Fence, Item, Page, Run, Section, text_of};
use crate::words::{asked, runs};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The most symbols of a topic.
const MAX_SYMBOLS: usize = 4;

/// How many lines of code below a comment belong to it.
const MAX_LINES: usize = 3;

/// The longest words of a topic, in characters; longer ones are no goal.
const MAX_WORDS: usize = 400;

/// The fewest words that say something.
const MIN_WORDS: usize = 2;

/// What stands between a name and what is said of it.
const DASHES: &[&str] = &[" - ", " – ", " — ", ": "];

/// How much a link counts against a use in code.
const LINK: u64 = 3;

/// Languages whose examples are read.
const LANGUAGES: &[&str] =
    &["", "cjs", "javascript", "js", "jsx", "mjs", "ts", "tsx", "typescript", "fiddle"];

/// Headings that only divide a page.
const DIVIDING: &[&str] = &[
    "class methods",
    "constructor",
    "constructors",
    "dom events",
    "events",
    "example",
    "examples",
    "instance events",
    "instance methods",
    "instance properties",
    "introduction",
    "methods",
    "next steps",
    "notes",
    "overview",
    "properties",
    "references",
    "related",
    "remarks",
    "see also",
    "static methods",
    "static properties",
    "summary",
    "tag attributes",
    "usage",
];

/// Collects topics from pages and comments.
pub struct Phrasebook<'m> {
    meanings: &'m Meanings<'m>,
    links: &'m Links,
    topics: Vec<Topic>,
    headings: Vec<Heading>,
}

/// A heading and what is used under it.
struct Heading {
    words: String,
    at: (u32, u32),
    /// How much each symbol is used, in the order of their first use.
    used: Vec<(Symbol, u64)>,
}

/// Where text is read.
struct Here<'h> {
    source: u32,
    path: &'h str,
    /// The interfaces that the text is about.
    near: &'h BTreeSet<Key>,
    /// What the section or comment documents.
    about: Option<Symbol>,
    /// What code in it names that is no member: the parameters of what it documents.
    given: BTreeSet<&'h str>,
    /// The source's line of a line of the page.
    line: &'h dyn Fn(u32) -> u32,
}

impl<'m> Phrasebook<'m> {
    /// An empty one.
    pub fn new(meanings: &'m Meanings<'m>, links: &'m Links) -> Phrasebook<'m> {
        Phrasebook { meanings, links, topics: Vec::new(), headings: Vec::new() }
    }

    /// Takes what a page says.
    pub fn take_page(&mut self, source: u32, path: &str, page: &Page, places: &Places) {
        let near: BTreeSet<Key> =
            places.within(source, 1, u32::MAX).iter().map(|(_, s)| s.owner.clone()).collect();
        for section in &page.sections {
            let documents = places.within(source, section.line, section.line);
            let documents = ordered(documents.iter(), &section.title_text());
            let about = subject(&documents).map(|symbol| self.meanings.plain(symbol.clone()));
            let given = self.given(about.as_ref(), section);
            let here = Here { source, path, near: &near, about, given, line: &|line| line };
            let used = self.section(&here, section);
            let words = said(&section.title_text());
            let is_name = section.title.first().is_some_and(|run| run.face == Face::Code)
                || words.starts_with("Event: ")
                || DIVIDING.contains(&words.to_lowercase().as_str());
            if section.level > 0 && documents.is_empty() && !is_name {
                self.headings.push(Heading { words, at: (source, section.line), used });
            }
        }
    }

    /// Takes what the comment above `symbols` says.
    pub fn take_comment(&mut self, source: u32, comment: &Comment, symbols: &[Symbol]) {
        let near: BTreeSet<Key> = symbols.iter().map(|symbol| symbol.owner.clone()).collect();
        let line = |line| comment.source_line(line);
        for section in &comment.page.sections {
            let about = symbols.first().map(|symbol| self.meanings.plain(symbol.clone()));
            let given = self.given(about.as_ref(), section);
            let here = Here { source, path: "", near: &near, about, given, line: &line };
            self.section(&here, section);
        }
    }

    /// The parameters of what is documented: those that are declared, and those that bullets describe.
    fn given<'s>(&self, about: Option<&Symbol>, section: &'s Section) -> BTreeSet<&'s str>
    where
        'm: 's,
    {
        let Some(about) = about.filter(|symbol| symbol.member.is_some()) else {
            return BTreeSet::new();
        };
        let mut given = self.meanings.parameters(about);
        for block in &section.blocks {
            if let Block::List(items) = block {
                put_names(items, &mut given);
            }
        }
        given
    }

    /// All topics, sorted by their places; what is said twice is kept where it stands first.
    pub fn topics(mut self) -> Vec<Topic> {
        let mut n_uses: BTreeMap<&Symbol, u64> = BTreeMap::new();
        for heading in &self.headings {
            for (symbol, _) in &heading.used {
                *n_uses.entry(symbol).or_default() += 1;
            }
        }
        let n_all = self.headings.len() as u64;
        for heading in &self.headings {
            let mut used: Vec<(usize, &(Symbol, u64))> = heading.used.iter().enumerate().collect();
            let rarity = |symbol: &Symbol| (1 + n_all * 16 / n_uses[symbol]).ilog2();
            used.sort_by_key(|(idx, (symbol, n))| {
                (std::cmp::Reverse(n * u64::from(rarity(symbol))), *idx)
            });
            let symbols = used.into_iter().map(|(_, (symbol, _))| symbol.clone());
            let topic = topic(&heading.words, TopicKind::Heading, symbols, heading.at);
            self.topics.extend(topic);
        }
        self.topics.sort_by(|a, b| (a.at, a.kind, &a.words).cmp(&(b.at, b.kind, &b.words)));
        let mut known: BTreeSet<(String, TopicKind, Vec<Symbol>)> = BTreeSet::new();
        self.topics.retain(|t| known.insert((t.words.clone(), t.kind, t.symbols.clone())));
        self.topics
    }

    /// Takes the sentences and examples of a section; gives what is used in it.
    fn section(&mut self, here: &Here<'_>, section: &Section) -> Vec<(Symbol, u64)> {
        let mut used: Vec<(Symbol, u64)> = Vec::new();
        let mut slots: BTreeMap<Symbol, usize> = BTreeMap::new();
        let mut count = |symbols: Vec<Symbol>, weight: u64| {
            for symbol in symbols {
                let slot = *slots.entry(symbol.clone()).or_insert(used.len());
                match used.get_mut(slot) {
                    Some((_, n)) => *n += weight,
                    None => used.push((symbol, weight)),
                }
            }
        };
        count(self.symbols_of(here, &section.title), LINK);
        for block in &section.blocks {
            match block {
                Block::Paragraph(one) => count(self.prose(here, &one.runs, one.line), LINK),
                Block::List(items) => self.items(here, items, &mut count),
                Block::Fence(fence) => count(self.example(here, fence), 1),
                Block::Table(_) => {}
            }
        }
        used
    }

    fn items(&mut self, here: &Here<'_>, items: &[Item], count: &mut dyn FnMut(Vec<Symbol>, u64)) {
        for item in items {
            count(self.prose(here, &described(&item.runs), item.line), LINK);
            self.items(here, &item.items, count);
        }
    }

    /// Takes the sentences of a text; gives the symbols that it names.
    fn prose(&mut self, here: &Here<'_>, runs: &[Run], line: u32) -> Vec<Symbol> {
        let mut all = Vec::new();
        if runs.iter().all(|run| run.link.is_none() && run.face != Face::Code) {
            return all;
        }
        for sentence in sentences(runs) {
            let text = text_of(&sentence);
            let words = said(&text);
            if is_form(&words) {
                continue;
            }
            let symbols = self.symbols_of(here, behind_the_type(&sentence, &text));
            if symbols.is_empty() {
                continue;
            }
            let plain = sentence.iter().filter(|run| run.face != Face::Code && run.link.is_none());
            let plain: String = plain.map(|run| run.text.as_str()).collect();
            let points_on = words.ends_with(':')
                || ["Deprecated", "See "].iter().any(|form| words.starts_with(form));
            if n_words(&plain) >= MIN_WORDS && !points_on {
                let at = (here.source, (here.line)(line));
                // What a member's own documentation says, it says of the member first.
                let (first, last) = match &here.about {
                    Some(own) if own.member.is_some() => (Some(own), None),
                    own => (None, own.as_ref()),
                };
                let symbols = first.into_iter().chain(&symbols).chain(last).cloned();
                self.topics.extend(topic(&words, TopicKind::Sentence, symbols, at));
            }
            all.extend(symbols);
        }
        all
    }

    /// The symbols that a text links or names as code, each once.
    fn symbols_of(&self, here: &Here<'_>, runs: &[Run]) -> Vec<Symbol> {
        let mut found: Vec<Symbol> = Vec::new();
        for (idx, run) in runs.iter().enumerate() {
            let linked = run.link.as_deref().and_then(|link| match link.strip_prefix(NAMED) {
                Some(name) => named(name, self.meanings, here.near).into_iter().next(),
                None => self.links.leads_to(here.path, link).cloned(),
            });
            let symbols = match (linked, run.face) {
                (Some(symbol), _) => vec![symbol],
                (None, Face::Code) if here.given.contains(run.text.as_str()) => Vec::new(),
                (None, Face::Code) if is_word(&run.text) && !is_thing(runs.get(idx + 1)) => {
                    Vec::new()
                }
                (None, Face::Code) => named(&run.text, self.meanings, here.near),
                (None, Face::Plain | Face::Stressed) if run.link.is_some() => {
                    let is_title = run.text.contains(['-', '.']) && !run.text.contains(' ');
                    let named = is_title.then(|| named(&run.text, self.meanings, here.near));
                    named.unwrap_or_default()
                }
                (None, Face::Plain | Face::Stressed) => Vec::new(),
            };
            for symbol in symbols.into_iter().map(|symbol| self.meanings.plain(symbol)) {
                if !found.contains(&symbol) && found.len() < 2 * MAX_SYMBOLS {
                    found.push(symbol);
                }
            }
        }
        found
    }

    /// Takes the comments of an example; gives the symbols that it uses.
    fn example(&mut self, here: &Here<'_>, fence: &Fence) -> Vec<Symbol> {
        if !LANGUAGES.contains(&fence.language.to_lowercase().as_str()) {
            return Vec::new();
        }
        let usage = usage(&fence.code, self.meanings, here.near);
        for (first, last, words) in &usage.comments {
            let next = usage.comments.iter().map(|(first, _, _)| *first).find(|line| line > last);
            let lines = (*last as usize + 1..usage.has_code.len())
                .filter(|line| next.is_none_or(|next| *line < next as usize))
                .filter(|line| usage.has_code[*line])
                .take(MAX_LINES);
            let Some(end) = lines.last() else { continue };
            let start = usage.used.partition_point(|(line, _)| line <= last);
            let below = usage.used[start..].iter().take_while(|(line, _)| *line as usize <= end);
            if is_code(words) {
                continue;
            }
            let at = (here.source, (here.line)(fence.line + 1 + first));
            let symbols = below.map(|(_, symbol)| symbol.clone());
            self.topics.extend(topic(words, TopicKind::Comment, symbols, at));
        }
        usage.used.into_iter().map(|(_, symbol)| symbol).collect()
    }
}

/// A topic, if the words say something and lead somewhere.
fn topic(
    words: &str,
    kind: TopicKind,
    symbols: impl Iterator<Item = Symbol>,
    at: (u32, u32),
) -> Option<Topic> {
    let mut kept: Vec<Symbol> = Vec::new();
    for symbol in symbols {
        if kept.len() < MAX_SYMBOLS && !kept.contains(&symbol) {
            kept.push(symbol);
        }
    }
    let says = words.chars().count() <= MAX_WORDS && n_words(words) >= MIN_WORDS;
    (says && !kept.is_empty()).then(|| Topic { words: words.to_string(), kind, symbols: kept, at })
}

/// Whether a comment is code that was taken out, or the name of a file.
fn is_code(words: &str) -> bool {
    words.ends_with([';', '{', '}', ')', ',', '('])
        || words.contains(['=', '@'])
        || !words.contains(' ')
}

/// The names that bullets begin with.
fn put_names<'s>(items: &'s [Item], names: &mut BTreeSet<&'s str>) {
    for item in items {
        names.extend(
            item.runs.first().filter(|run| run.face == Face::Code).map(|run| run.text.as_str()),
        );
        put_names(&item.items, names);
    }
}

/// Whether code is a plain word, which may mean anything.
fn is_word(code: &str) -> bool {
    code.chars().all(|c| c.is_ascii_lowercase())
}

/// Whether the text goes on to say that a name is one of the api.
fn is_thing(next: Option<&Run>) -> bool {
    let word = next.and_then(|run| run.text.split_whitespace().next()).unwrap_or("");
    let word = word.trim_end_matches(['.', ',', ':']);
    ["module", "modules", "object", "API", "interface", "event"].contains(&word)
}

/// How many words of a text say something; a name is one.
fn n_words(text: &str) -> usize {
    runs(text).filter(|run| !asked(run).is_empty()).count()
}

/// A bullet without the name and type that it begins with.
fn described(runs: &[Run]) -> Cow<'_, [Run]> {
    if runs.first().is_none_or(|run| run.face != Face::Code) {
        return Cow::Borrowed(runs);
    }
    let dash =
        runs.iter().enumerate().filter(|(_, run)| run.face != Face::Code).find_map(|(idx, run)| {
            let behind = DASHES.iter().filter_map(|dash| run.text.split_once(dash)).next()?.1;
            Some((idx, behind))
        });
    let Some((idx, behind)) = dash else { return Cow::Borrowed(&[]) };
    let mut rest = vec![Run { text: behind.to_string(), ..runs[idx].clone() }];
    rest.extend_from_slice(&runs[idx + 1..]);
    Cow::Owned(rest)
}

/// A sentence without the type of a result: `Returns [Size](size.md) - the size`.
fn behind_the_type<'s>(sentence: &'s [Run], text: &str) -> &'s [Run] {
    if !text.starts_with("Returns ") {
        return sentence;
    }
    let dash = sentence.iter().position(|run| run.face != Face::Code && run.text.contains(" - "));
    dash.map_or(&[], |dash| &sentence[dash..])
}

#[cfg(test)]
mod tests {
    use super::super::{Documentation, SourceKind, SourceText, of};
    use super::*;
    use crate::datagraph::pages::{PageFile, mine};
    use crate::datagraph::symbols::{DeclarationFile, mine as mine_declared};
    use crate::sources::declarations::declarations;
    use crate::sources::pages::markdown;

    const LAYOUT: &str = "# Layout\n\nIt is accessed using the global property \"layout\".\n\n\
        ## Layout-makeBlock\n\nMakes a box.\n\nSyntax: `layout.makeBlock(): Block`\n\n\
        ## Layout-blockStart\n\nOpens what `layout.makeBlock` made.\n\nSyntax: `layout.blockStart(box: Block): void`\n\n\
        ## Layout-blockEnd\n\nSyntax: `layout.blockEnd(): void`\n\n\
        ## Layout-on\n\nSyntax: `layout.on(name: string): void`\n";
    const BLOCK: &str = "# Block\n\nParent interface: none.\n\n## Block-fill\n\nType: `string`\n";

    fn of_pages(pages: &[(&str, &str)]) -> Documentation {
        let read = |text: &str| markdown::page(text.as_bytes());
        let files = pages.iter().map(|(path, text)| PageFile {
            path: (*path).into(),
            hash: "".into(),
            page: read(text),
        });
        let (graph, _) = mine("x".into(), "1".into(), files.collect());
        let sources = (0..).zip(pages).map(|(source, (_, text))| SourceText {
            source,
            text: (*text).into(),
            kind: SourceKind::Page(read(text)),
        });
        of(&graph, &sources.collect::<Vec<_>>())
    }

    fn spelt(topics: &[Topic], kind: TopicKind) -> Vec<String> {
        let of_kind = topics.iter().filter(|topic| topic.kind == kind);
        let spelt = of_kind.map(|topic| {
            let symbols: Vec<String> = topic.symbols.iter().map(Symbol::to_string).collect();
            format!("{} -> {}", topic.words, symbols.join(" "))
        });
        spelt.collect()
    }

    fn guide(text: &str) -> Vec<Topic> {
        let pages = [("guides/a.md", text), ("layout.md", LAYOUT), ("block.md", BLOCK)];
        let all = of_pages(&pages).topics;
        all.into_iter().filter(|topic| topic.at.0 == 0).collect()
    }

    #[test]
    fn sentences_lead_where_they_link_and_what_they_name() {
        let found = guide(
            "# Frames and such\n\nDraw a frame with [that](../layout.md#layout-makeblock). Then shade the whole [Block](../block.md)\n\
             with `block.fill`, and not with [this](https://x.y/layout.md) or `other.fill`.\n\nType: `Block`\n\n\
             * `box` [Block](../block.md) - Takes the size of [Layout-blockEnd](nowhere.md) too.\n",
        );
        assert_eq!(
            spelt(&found, TopicKind::Sentence),
            [
                "Draw a frame with that. -> Layout.makeBlock",
                "Then shade the whole Block with block.fill, and not with this or other.fill. -> Block Block.fill",
                "Takes the size of Layout-blockEnd too. -> Layout.blockEnd",
            ]
        );
        assert_eq!(found.iter().map(|t| t.at.1).collect::<Vec<_>>(), [3, 3, 8]);
    }

    #[test]
    fn what_points_on_and_what_is_given_is_no_goal() {
        let found = guide(
            "# Frames and such\n\nSee `block.fill` for the many colours. It shades all these things:\n\n\
             Deprecated: shade whole frames with `block.fill`.\n",
        );
        assert_eq!(spelt(&found, TopicKind::Sentence), [""; 0]);
        let line = "# Pen\n\n## Pen-penWidth\n\nType: `number`\n\n## Pen-draw\n\n\
            Draws lines as wide as `penWidth` says.\n\nSyntax: `pen.draw(SECOND: number): void`\n";
        let topics = |name: &str| of_pages(&[("pen.md", &line.replace("SECOND", name))]).topics;
        assert_eq!(
            spelt(&topics("wide"), TopicKind::Sentence),
            ["Draws lines as wide as penWidth says. -> Pen.draw Pen.penWidth"]
        );
        assert_eq!(spelt(&topics("penWidth"), TopicKind::Sentence), [""; 0]);
    }

    #[test]
    fn comments_lead_to_what_is_called_below_them() {
        let found = guide(
            "# A\n\n```js\n// A grey box,\n// well framed.\nconst box = layout.makeBlock();\nbox.fill = 'grey';\n\
             layout.blockStart(box);\nlayout.blockEnd();\n// const old = layout.makeBlock();\nlayout.blockEnd();\n```\n\n\
             ```python\n# Another grey box.\nlayout.blockEnd()\n```\n",
        );
        assert_eq!(
            spelt(&found, TopicKind::Comment),
            ["A grey box, well framed. -> Layout.makeBlock Block.fill Layout.blockStart"]
        );
        assert_eq!(found.last().unwrap().at, (0, 4));
    }

    #[test]
    fn headings_lead_to_what_is_used_under_them_the_telling_first() {
        let uses = "```js\nlayout.blockEnd();\n```\n\n";
        let text = format!(
            "# A\n\n## Begin a page\n\n{uses}## End a page\n\n{uses}## Shade a frame\n\n\
             {uses}See `Block.fill`, `Block.fill`.\n\n## Examples\n\n{uses}## Nothing here\n\nNo.\n"
        );
        let found = spelt(&guide(&text), TopicKind::Heading);
        assert_eq!(
            found,
            [
                "Begin a page -> Layout.blockEnd",
                "End a page -> Layout.blockEnd",
                "Shade a frame -> Block.fill Layout.blockEnd"
            ]
        );
    }

    #[test]
    fn what_is_said_of_a_member_leads_to_it_first() {
        let found = of_pages(&[("layout.md", LAYOUT)]).topics;
        let opens = "Opens what layout.makeBlock made. -> Layout.blockStart Layout.makeBlock";
        assert_eq!(spelt(&found, TopicKind::Sentence), [opens]);
    }

    #[test]
    fn comments_of_declarations_lead_too() {
        let text = "interface Pen {\n  /** Lifts the pen and waits. */\n  lift(): void;\n  /**\n   * Puts it down again; {@link Pen.lift} raises it.\n   * \
                    @param x - Never use {@link Pen.lift}.\n   * @example\n   * // Make two dots.\n   * pen.lift();\n   */\n  down(x: number): void;\n}\n\
                    declare const pen: Pen;\n";
        let file = DeclarationFile {
            path: "a.d.ts".into(),
            hash: "".into(),
            module: "".into(),
            resolved: BTreeMap::new(),
            declared: declarations(text),
        };
        let graph = mine_declared("x".into(), "1".into(), vec![file], BTreeMap::new());
        let source = SourceText { source: 0, text: text.into(), kind: SourceKind::Declarations };
        let found = of(&graph, &[source]);
        assert_eq!(
            spelt(&found.topics, TopicKind::Sentence),
            ["Puts it down again; Pen.lift raises it. -> Pen.down Pen.lift"]
        );
        assert_eq!(spelt(&found.topics, TopicKind::Comment), ["Make two dots. -> Pen.lift"]);
        assert_eq!(found.topics[1].at, (0, 8));
        let shown: Vec<(u32, &str, String)> = found
            .chunks
            .iter()
            .map(|c| (c.line, c.summary.as_str(), c.symbols[0].to_string()))
            .collect();
        assert_eq!(
            shown,
            [
                (1, "", "Pen".into()),
                (2, "Lifts the pen and waits.", "Pen.lift".into()),
                (4, "Puts it down again; Pen.lift raises it.", "Pen.down".into()),
                (13, "", "pen".into()),
            ]
        );
        assert!(found.chunks[2].text.ends_with("   */\n  down(x: number): void;"));
    }

    #[test]
    fn every_symbol_of_a_topic_exists_and_the_answer_is_the_same_again() {
        let odd = "`a.b.c.d`, `Layout.no`, [x](#y), [z](../../../etc#), `(((`, `new`, `.`, `-`, `é.fill`\n\n\
                   ```js\n// Say something odd here\nlayout.makeBlock(((( 'é\n}}) layout.fill.x().y ?. blockEnd\n```\n";
        let pages = [("a.md", odd), ("layout.md", LAYOUT), ("block.md", BLOCK)];
        let found = of_pages(&pages);
        let known = ["Layout", "Block"];
        for topic in &found.topics {
            assert!(topic.symbols.iter().all(|s| known.contains(&s.owner.name.last())));
        }
        assert_eq!(found, of_pages(&pages));
    }

    #[test]
    fn hostile_examples_cost_their_length() {
        let deep = format!("# A\n\n```js\n// Call it many times\n{}\n```\n", "a(".repeat(100_000));
        let chain =
            format!("# A\n\n```js\n// Call it many times\n{}\n```\n", "a.b().".repeat(50_000));
        let said = format!("# A\n\n{}\n", "`layout.makeBlock` says that. ".repeat(50_000));
        let linked = format!("# A\n\n{}\n", "[x](../layout.md#layout-makeblock) ".repeat(50_000));
        for text in [deep, chain, said, linked] {
            assert!(guide(&text).len() < 2);
        }
    }
}
