//! Which words stand in which field of the index: for a symbol what its documentation says of it and around it, for a
//! guide section its own.

use super::listing::{Kind, Listed, Listing, Standing, signature};
use crate::datagraph::Datagraph;
use crate::datagraph::documentation::{Chunk, Documentation, Topic, TopicKind};
use crate::words::{asked, indexed};
use std::collections::{BTreeMap, BTreeSet};

/// How much of a symbol's prose, code and signature is indexed, in bytes.
const MAX_PROSE: usize = 3_000;
const MAX_CODE: usize = 1_500;
const MAX_SIGNATURE: usize = 400;

/// How many stems of what stands elsewhere are indexed.
const MAX_SENTENCES: usize = 400;
const MAX_HEADINGS: usize = 200;
const MAX_COMMENTS: usize = 300;

/// How many chunks of one symbol are read for its fields.
const MAX_CHUNKS: usize = 4;

/// How much of a guide section is indexed, in bytes.
const MAX_SECTION: usize = 20_000;

/// A field of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// The last part of its name.
    Name,
    /// Of a member: its interface's name.
    Interface,
    /// What it is about.
    Summary,
    /// What else is said of it.
    Body,
    /// How it is declared.
    Signature,
    /// Its examples.
    Code,
    /// Of a member: its interface's summary.
    Context,
    /// Of an interface: its members' names.
    Members,
    /// Sentences elsewhere that name it.
    Sentences,
    /// Headings elsewhere above what names it.
    Headings,
    /// Comments before its calls.
    Comments,
    /// Words that stand side by side.
    Pairs,
    /// Every word of its name, its documentation and what is said elsewhere, once.
    Any,
    /// Of a guide section: its headings.
    Title,
    /// Of a guide section: its prose.
    Prose,
    /// Of a guide section: its code.
    Listings,
    /// Of a guide section: words that stand side by side.
    Neighbours,
    /// Of a guide section: every word once.
    All,
}

/// All fields, in the order of the index's schema.
pub const FIELDS: [Field; 18] = [
    Field::Name,
    Field::Interface,
    Field::Summary,
    Field::Body,
    Field::Signature,
    Field::Code,
    Field::Context,
    Field::Members,
    Field::Sentences,
    Field::Headings,
    Field::Comments,
    Field::Pairs,
    Field::Any,
    Field::Title,
    Field::Prose,
    Field::Listings,
    Field::Neighbours,
    Field::All,
];

impl Field {
    /// Its name in the schema.
    pub fn spelt(self) -> &'static str {
        match self {
            Field::Name => "name",
            Field::Interface => "interface",
            Field::Summary => "summary",
            Field::Body => "body",
            Field::Signature => "signature",
            Field::Code => "code",
            Field::Context => "context",
            Field::Members => "members",
            Field::Sentences => "sentences",
            Field::Headings => "headings",
            Field::Comments => "comments",
            Field::Pairs => "pairs",
            Field::Any => "any",
            Field::Title => "title",
            Field::Prose => "prose",
            Field::Listings => "listings",
            Field::Neighbours => "neighbours",
            Field::All => "all",
        }
    }

    /// Whether how often a word stands there counts.
    pub fn is_counted(self) -> bool {
        !matches!(self, Field::Pairs | Field::Any | Field::Neighbours | Field::All)
    }
}

/// The words of one document, by field.
pub type Words = BTreeMap<Field, Vec<String>>;

/// Gives the words of symbols.
pub struct Wording<'d> {
    graph: &'d Datagraph,
    listing: &'d Listing,
    chunks: &'d [Chunk],
    by_symbol: &'d [Vec<u32>],
    topics: Vec<Vec<&'d Topic>>,
    members: Vec<Vec<u32>>,
}

impl<'d> Wording<'d> {
    /// Of all symbols in `listing`, whose chunks are numbered in `by_symbol`.
    pub fn of(
        graph: &'d Datagraph,
        listing: &'d Listing,
        documentation: &'d Documentation,
        by_symbol: &'d [Vec<u32>],
    ) -> Wording<'d> {
        let n = listing.listed.len();
        let (mut topics, mut members) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        for topic in &documentation.topics {
            let numbers = topic.symbols.iter().filter_map(|s| listing.number(graph, s));
            for number in numbers.collect::<BTreeSet<u32>>() {
                topics[number as usize].push(topic);
            }
        }
        for (number, one) in (0..).zip(&listing.listed) {
            if let Some(interface) = one.interface {
                members[interface as usize].push(number);
            }
        }
        Wording { graph, listing, chunks: &documentation.chunks, by_symbol, topics, members }
    }

    /// The words of the symbol with this number.
    pub fn symbol(&self, number: u32) -> Words {
        let Listed { symbol, interface, .. } = &self.listing.listed[number as usize];
        let short = symbol.owner.name.last();
        let (prose, code) = self.said(number);
        let summary = self.summary(number);
        let mut words = Words::new();
        words.insert(Field::Name, indexed(symbol.member.as_deref().unwrap_or(short)));
        if symbol.member.is_some() {
            words.insert(Field::Interface, indexed(short));
        }
        words.insert(Field::Summary, indexed(summary));
        words.insert(Field::Body, indexed(start(&prose, MAX_PROSE)));
        let declared = signature(self.graph, symbol);
        words.insert(Field::Signature, indexed(start(&declared, MAX_SIGNATURE)));
        words.insert(Field::Code, indexed(start(&code, MAX_CODE)));
        words.insert(Field::Context, interface.map_or(Vec::new(), |i| indexed(self.summary(i))));
        let members = self.members[number as usize].iter();
        let names = members.filter_map(|m| self.listing.listed[*m as usize].symbol.member.as_ref());
        words.insert(Field::Members, names.flat_map(|name| indexed(name)).collect());
        for (field, kind, most) in [
            (Field::Sentences, TopicKind::Sentence, MAX_SENTENCES),
            (Field::Headings, TopicKind::Heading, MAX_HEADINGS),
            (Field::Comments, TopicKind::Comment, MAX_COMMENTS),
        ] {
            let topics = self.topics[number as usize].iter().filter(|topic| topic.kind == kind);
            words.insert(field, topics.flat_map(|t| indexed(&t.words)).take(most).collect());
        }
        let name = format!("{short} {}", symbol.member.as_deref().unwrap_or(""));
        words.insert(Field::Pairs, self.pairs(number, &name, summary, &prose));
        let any = [
            Field::Name,
            Field::Interface,
            Field::Summary,
            Field::Body,
            Field::Sentences,
            Field::Headings,
        ];
        words.insert(Field::Any, once(any.iter().flat_map(|field| words.get(field)).flatten()));
        words
    }

    fn pairs(&self, number: u32, name: &str, summary: &str, prose: &str) -> Vec<String> {
        let mut pairs = BTreeSet::new();
        pairs.extend(side_by_side(&asked(name)));
        pairs.extend(side_by_side(&asked(summary)));
        let mut body = asked(start(prose, MAX_PROSE));
        body.truncate(120);
        pairs.extend(side_by_side(&body));
        for (kind, most) in [(TopicKind::Sentence, 200), (TopicKind::Heading, 120)] {
            let topics = self.topics[number as usize].iter().filter(|topic| topic.kind == kind);
            let mut left: usize = most;
            for words in topics.map(|topic| asked(&topic.words)) {
                pairs.extend(side_by_side(&words[..words.len().min(left)]));
                left = left.saturating_sub(words.len());
            }
        }
        pairs.into_iter().collect()
    }

    /// The prose and the code of a symbol's chunks.
    fn said(&self, number: u32) -> (String, String) {
        let (mut prose, mut code) = (String::new(), String::new());
        for chunk in self.chunks_of(number) {
            let (more_prose, more_code) = apart(&chunk.text, self.is_declaration(chunk));
            prose.push_str(&more_prose);
            code.push_str(&more_code);
        }
        (prose, code)
    }

    fn summary(&self, number: u32) -> &'d str {
        let summaries = self.chunks_of(number).map(|chunk| chunk.summary.as_str());
        summaries.into_iter().find(|summary| !summary.is_empty()).unwrap_or("")
    }

    fn chunks_of(&self, number: u32) -> impl Iterator<Item = &'d Chunk> + use<'_, 'd> {
        let numbers = self.by_symbol[number as usize].iter().take(MAX_CHUNKS);
        numbers.filter_map(|number| self.chunks.get(*number as usize))
    }

    fn is_declaration(&self, chunk: &Chunk) -> bool {
        let source = self.graph.sources.get(chunk.source as usize);
        source.is_some_and(|s| [".ts", ".mts", ".cts"].iter().any(|end| s.path.ends_with(end)))
    }

    /// How much a symbol counts before any word is looked at: less where nobody is likely to mean it.
    pub fn prior(&self, number: u32) -> f32 {
        let Listed { symbol, kind, standing, .. } = &self.listing.listed[number as usize];
        let owner = symbol.owner.name.path.as_str();
        let mut prior = 1.0;
        if *standing == Standing::Deprecated {
            prior *= 0.8;
        }
        if symbol.member.is_some() {
            let mirrors = ["Data", "LoadOptions", "Options", "EventArgs"];
            if mirrors.iter().any(|end| owner.ends_with(end)) {
                prior *= 0.8;
            }
        }
        if owner.contains(".Interfaces.") {
            prior *= 0.75;
        }
        prior *= match kind {
            Kind::Interface => 1.05,
            Kind::Constant => 0.85,
            Kind::Alias | Kind::Method | Kind::Property | Kind::Event => 1.0,
        };
        if self.by_symbol[number as usize].is_empty() {
            prior *= 0.9;
        }
        prior
    }
}

/// The words of a guide section.
pub fn section(chunk: &Chunk) -> Words {
    let title = chunk.headings.join(" ");
    let (prose, code) = apart(start(&chunk.text, MAX_SECTION), false);
    let mut words = Words::new();
    words.insert(Field::Title, indexed(&title));
    words.insert(Field::Prose, indexed(&prose));
    words.insert(Field::Listings, indexed(&code));
    let (above, within) = (asked(&title), asked(&prose));
    let pairs: BTreeSet<String> = side_by_side(&above).chain(side_by_side(&within)).collect();
    words.insert(Field::Neighbours, pairs.into_iter().collect());
    let any = [Field::Title, Field::Prose, Field::Listings];
    words.insert(Field::All, once(any.iter().flat_map(|field| &words[field])));
    words
}

fn once<'w>(words: impl Iterator<Item = &'w String>) -> Vec<String> {
    words.collect::<BTreeSet<&String>>().into_iter().cloned().collect()
}

/// `a_b` of every two neighbours.
pub fn side_by_side(words: &[String]) -> impl Iterator<Item = String> + '_ {
    words.windows(2).map(|two| format!("{}_{}", two[0], two[1]))
}

/// The beginning of a text, at most `most` bytes.
fn start(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Prose and code apart: code stands between fences; of a declaration only its comment is prose.
fn apart(text: &str, is_declaration: bool) -> (String, String) {
    let (mut prose, mut code) = (String::new(), String::new());
    let mut is_fenced = false;
    for line in text.lines() {
        let plain = line.trim_start();
        let said = match is_declaration {
            true => match plain.strip_prefix("/**").or_else(|| plain.strip_prefix('*')) {
                Some(said) => said.trim_end_matches("*/").trim_start(),
                None => continue,
            },
            false => plain,
        };
        if said.starts_with("```") || said.starts_with("~~~") {
            is_fenced = !is_fenced;
            continue;
        }
        let into = if is_fenced { &mut code } else { &mut prose };
        into.push_str(said);
        into.push('\n');
    }
    (prose, code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_between_fences_is_no_prose() {
        let (prose, code) = apart("Draws.\n```js\ndraw()\n```\nEnds.", false);
        assert_eq!((prose.as_str(), code.as_str()), ("Draws.\nEnds.\n", "draw()\n"));
    }

    #[test]
    fn of_a_declaration_only_the_comment_is_prose() {
        let (prose, code) =
            apart("/** Draws.\n * ```\n * draw()\n * ```\n */\ndraw(): void;", true);
        assert_eq!((prose.as_str(), code.as_str()), ("Draws.\n/\n", "draw()\n"));
    }

    #[test]
    fn a_beginning_cuts_no_character() {
        assert_eq!(start("aä", 2), "a");
    }
}
