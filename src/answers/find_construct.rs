//! How something is built that takes several calls: which constructs a name or a word means, and how each is shown.
//!
//! A name is looked for first as a construct's, then as that of one of its calls; words are looked for in both, and only
//! where they fail the symbols that a topic gave decide. Nothing is answered that is not in the datagraph.

use super::suggest::{Candidate, suggest};
use crate::base::Name;
use crate::corpus::documents::Documents;
use crate::datagraph::documentation::constructs::example_of;
use crate::datagraph::documentation::examples::Example;
use crate::datagraph::documentation::meaning::signatures;
use crate::datagraph::documentation::{Construct, Evidence, Symbol};
use crate::datagraph::{Datagraph, Key, Side};
use crate::types::{Signature, Type};
use crate::words::{parts, stem};
use std::collections::{BTreeMap, BTreeSet};

/// How many constructs an answer has at most.
const MAX_FOUND: usize = 40;

/// How many are given where only words or a topic lead to them.
const MAX_LIKELY: usize = 5;

/// How many names are named where nothing is found.
const MAX_NEAREST: usize = 8;

/// How many names are told where none is near.
const MAX_KNOWN: usize = 40;

/// The longest question that is read, in bytes; no name is longer.
const MAX_ASKED: usize = 200;

/// Words of questions that any construct answers.
const GENERAL: &[&str] = &[
    "begin",
    "build",
    "call",
    "close",
    "construct",
    "create",
    "draw",
    "end",
    "finish",
    "make",
    "open",
    "start",
    "stop",
    "write",
];

/// How a question led to a construct.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rung {
    /// It is the construct's name.
    Name,
    /// It is the name of one of its calls.
    Call,
    /// It is the type that the construct belongs to.
    Owner,
    /// Its words are the construct's.
    Words,
    /// A topic leads to one of its calls.
    Topic,
}

/// A call with the words that a reader needs to write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spelt {
    /// What it is.
    pub symbol: Symbol,
    /// As code writes it: `layout.makeTable(name: string): Table`; one line for each way to call it.
    pub lines: Vec<String>,
    /// The text that says it is deprecated, maybe empty.
    pub deprecated: Option<Name>,
}

/// A documented example and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The code.
    pub code: String,
    /// The word behind the fence, maybe empty.
    pub language: String,
    /// The file.
    pub path: Name,
    /// The line of its first line of code, from 1.
    pub line: u32,
}

/// A construct that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The api that has it.
    pub api: Name,
    /// Its version.
    pub version: Name,
    /// How the question led to it.
    pub rung: Rung,
    /// The construct itself.
    pub construct: Construct,
    /// What declares it, spelt.
    pub declared_by: Vec<Spelt>,
    /// What opens it, spelt.
    pub opened_by: Spelt,
    /// What stands between its parts, spelt.
    pub middle: Vec<Spelt>,
    /// What closes it, spelt.
    pub closed_by: Spelt,
    /// What it contains, as code writes it, without arguments.
    pub contains: Vec<String>,
    /// Its calls in their order, likewise.
    pub order: Vec<String>,
    /// A whole example.
    pub example: Option<Shown>,
}

/// What was asked, found and searched.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Constructs {
    /// The question, as it came.
    pub asked: String,
    /// What was found, best first.
    pub found: Vec<Found>,
    /// How many more there are that fit no better.
    pub n_more: usize,
    /// Every symbol that the answer shows to exist.
    pub provides: Vec<Symbol>,
    /// The apis that were searched, with their versions and the number of their constructs.
    pub searched: Vec<(Name, Name, usize)>,
    /// Names of constructs that come near; looked for only where nothing was found.
    pub nearest: Vec<Name>,
    /// Where none comes near: the names of all that are shown by documentation or by names, if they are few.
    pub known: Vec<Name>,
}

/// The constructs that `asked` means; `topical` are symbols that a topic gave for its words, best first.
pub fn find(asked: &str, documents: &[&Documents], topical: &[Symbol]) -> Constructs {
    let mut answer = Constructs { asked: asked.to_owned(), ..Constructs::default() };
    for one in documents {
        let graph = &one.graph;
        answer.searched.push((graph.api.clone(), graph.version.clone(), one.constructs.len()));
    }
    let question = Question::of(asked);
    let all = || {
        let numbered = documents.iter().enumerate();
        numbered.flat_map(|(at, one)| one.constructs.iter().map(move |c| (at, c)))
    };
    let mut hits: Vec<Hit<'_>> = all().filter_map(|(at, c)| question.named(c, at)).collect();
    if hits.is_empty() {
        hits = question.by_words(all());
    }
    if hits.is_empty() {
        hits = all().filter_map(|(at, c)| by_topic(c, at, topical)).collect();
    }
    hits.sort_by(|a, b| (&a.rank, &a.construct.opened_by).cmp(&(&b.rank, &b.construct.opened_by)));
    // Whose name it is decides; what else belongs to that type is shown by what it contains.
    if let Some(best) = hits.first().map(|hit| hit.rank.rung).filter(|best| *best <= Rung::Call) {
        hits.retain(|hit| hit.rank.rung == best);
    }
    // What is only opposite is told where nothing else is meant.
    if hits.iter().any(|hit| hit.construct.evidence != Evidence::Inverse) {
        hits.retain(|hit| {
            hit.construct.evidence != Evidence::Inverse || hit.rank.rung == Rung::Call
        });
    }
    let best = hits.first().map(|hit| hit.rank.rung);
    let most = match best {
        Some(Rung::Words | Rung::Topic) => MAX_LIKELY,
        Some(Rung::Name | Rung::Call | Rung::Owner) | None => MAX_FOUND,
    };
    answer.n_more = hits.len().saturating_sub(most);
    for hit in hits.into_iter().take(most) {
        answer.found.push(found(hit.construct, documents[hit.at], hit.rank.rung));
    }
    answer.provides = provided(&answer.found);
    if answer.found.is_empty() {
        let named = all().map(|(_, c)| c).filter(|c| c.evidence != Evidence::Inverse);
        let names: BTreeSet<&Name> = named.map(|c| &c.name).collect();
        answer.nearest = nearest(asked, &names);
        if answer.nearest.is_empty() && names.len() <= MAX_KNOWN {
            answer.known = names.into_iter().cloned().collect();
        }
    }
    answer
}

/// A construct that the question may mean.
struct Hit<'d> {
    at: usize,
    construct: &'d Construct,
    rank: Rank,
}

/// What goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    rung: Rung,
    /// How much of the question and of the construct's words did not meet.
    unmet: u32,
    evidence: Evidence,
}

/// A question, read.
struct Question {
    /// In small letters, without arguments and signs: `layout.tablestart`.
    plain: String,
    /// All its words in one: `tablestart` of "table start".
    joined: String,
    /// The stems of its words that tell something.
    stems: BTreeSet<String>,
}

impl Question {
    fn of(asked: &str) -> Question {
        let end =
            asked.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|e| *e <= MAX_ASKED);
        let asked = &asked[..end.last().unwrap_or(0)];
        let call = asked.split('(').next().unwrap_or(asked).trim();
        let plain = call.replace("::", ".").replace(['#', '/'], ".").to_lowercase();
        let words: Vec<String> = crate::words::runs(asked).flat_map(parts).collect();
        let telling = |word: &&String| !crate::words::is_empty_word(word);
        let special = |word: &&String| telling(word) && !GENERAL.contains(&word.as_str());
        let mut stems: BTreeSet<String> = words.iter().filter(special).map(|w| stem(w)).collect();
        if stems.is_empty() {
            stems = words.iter().filter(telling).map(|w| stem(w)).collect();
        }
        let joined = words.iter().filter(|w| !["the", "a", "an"].contains(&w.as_str()));
        Question { plain, joined: joined.cloned().collect(), stems }
    }

    /// The construct, where the question is its name, that of a call, or that of the type it belongs to.
    fn named<'d>(&self, construct: &'d Construct, at: usize) -> Option<Hit<'d>> {
        if self.joined.is_empty() {
            return None;
        }
        let is_joined = |name: &str| parts(name).concat() == self.joined;
        let is_call = |symbol: &Symbol| {
            let whole = symbol.to_string();
            whole.to_lowercase() == self.plain
                || is_joined(&whole)
                || symbol.member.as_deref().is_some_and(is_joined)
        };
        let halves = [&construct.opened_by, &construct.closed_by];
        let calls = halves.into_iter().chain(&construct.middle).chain(&construct.declared_by);
        let rung = if is_joined(&construct.name) {
            Rung::Name
        } else if calls.into_iter().any(is_call) {
            Rung::Call
        } else if is_joined(construct.opened_by.owner.name.last()) {
            Rung::Owner
        } else {
            return None;
        };
        let rank = Rank { rung, unmet: 0, evidence: construct.evidence };
        Some(Hit { at, construct, rank })
    }

    /// The constructs that share most words with the question: all of them, or those that leave the fewest out.
    fn by_words<'d>(&self, all: impl Iterator<Item = (usize, &'d Construct)>) -> Vec<Hit<'d>> {
        let mut hits = Vec::new();
        for (at, construct) in all {
            let (own, near) = words_of(construct);
            let n_met = self.stems.iter().filter(|s| own.contains(*s) || near.contains(*s)).count();
            if n_met == 0 || !self.stems.iter().any(|s| own.contains(s)) {
                continue;
            }
            let n_unmet = self.stems.len() - n_met;
            let n_extra = own.iter().filter(|s| !self.stems.contains(*s)).count();
            let unmet = crate::base::to_u32(n_unmet * 100 + n_extra);
            let rank = Rank { rung: Rung::Words, unmet, evidence: construct.evidence };
            hits.push(Hit { at, construct, rank });
        }
        let fewest = hits.iter().map(|hit| hit.rank.unmet / 100).min().unwrap_or(0);
        // A question of which most is left over means something else.
        if fewest as usize * 2 > self.stems.len() {
            return Vec::new();
        }
        hits.retain(|hit| hit.rank.unmet / 100 == fewest);
        hits
    }
}

/// The stems of a construct's own names, and of what stands around it.
fn words_of(construct: &Construct) -> (BTreeSet<String>, BTreeSet<String>) {
    let stems = |name: &str| parts(name).into_iter().map(|part| stem(&part)).collect::<Vec<_>>();
    let members = [&construct.opened_by, &construct.closed_by];
    let own = members.iter().filter_map(|s| s.member.as_deref()).flat_map(stems);
    let own: BTreeSet<String> = own.chain(stems(&construct.name)).collect();
    let declared = construct.declared_by.iter().filter_map(|s| s.member.as_deref());
    let near = declared.chain([construct.opened_by.owner.name.last()]).flat_map(stems).collect();
    (own, near)
}

/// The construct, where a topic leads to one of its calls or to the type of what it builds.
fn by_topic<'d>(construct: &'d Construct, at: usize, topical: &[Symbol]) -> Option<Hit<'d>> {
    let halves = [&construct.opened_by, &construct.closed_by];
    let calls: Vec<&Symbol> =
        halves.into_iter().chain(&construct.middle).chain(&construct.declared_by).collect();
    let means = |symbol: &Symbol| match &symbol.member {
        Some(_) => calls.contains(&symbol),
        None => {
            let last = symbol.owner.name.last();
            parts(last).concat() == parts(&construct.name).concat()
        }
    };
    let place = topical.iter().position(means)?;
    let unmet = crate::base::to_u32(place);
    Some(Hit {
        at,
        construct,
        rank: Rank { rung: Rung::Topic, unmet, evidence: construct.evidence },
    })
}

fn found(construct: &Construct, documents: &Documents, rung: Rung) -> Found {
    let graph = &documents.graph;
    let receivers = receivers(graph);
    let speak = |symbol: &Symbol| spelt(symbol, graph, &receivers);
    let all = |symbols: &[Symbol]| symbols.iter().map(speak).collect::<Vec<Spelt>>();
    let short = |symbols: &[Symbol]| {
        symbols.iter().map(|s| written(s, &receivers)).collect::<Vec<String>>()
    };
    let example = construct.example.and_then(|number| documents.chunk(number)).and_then(|chunk| {
        let Example { language, code, line } = example_of(construct, &chunk)?;
        let path = graph.sources.get(chunk.source as usize).map(|s| s.path.clone());
        Some(Shown { code, language, path: path?, line: chunk.line + line - 1 })
    });
    Found {
        api: graph.api.clone(),
        version: graph.version.clone(),
        rung,
        declared_by: all(&construct.declared_by),
        opened_by: speak(&construct.opened_by),
        middle: all(&construct.middle),
        closed_by: speak(&construct.closed_by),
        contains: short(&construct.contains),
        order: short(&construct.order),
        example,
        construct: construct.clone(),
    }
}

/// Of types that a name without receiver has: that name.
fn receivers(graph: &Datagraph) -> BTreeMap<Key, Name> {
    let mut found = BTreeMap::new();
    for (key, one) in graph.interfaces.iter().filter(|(key, _)| key.name.path.is_empty()) {
        for (name, member) in &one.shape.members {
            let held = match &member.declared {
                Type::Named(named) => Key::of_type(named.name.clone()),
                Type::Typeof(of) => Key::of_value((**of).clone()),
                _ => continue,
            };
            if held != *key {
                found.entry(held).or_insert_with(|| name.clone());
            }
        }
    }
    found
}

/// A symbol as code writes it, without arguments.
fn written(symbol: &Symbol, receivers: &BTreeMap<Key, Name>) -> String {
    match (&symbol.member, receivers.get(&symbol.owner)) {
        (Some(member), Some(receiver)) => format!("{receiver}.{member}"),
        (None, _) if symbol.owner.side == Side::Value => format!("new {symbol}"),
        (None | Some(_), _) => symbol.to_string(),
    }
}

fn spelt(symbol: &Symbol, graph: &Datagraph, receivers: &BTreeMap<Key, Name>) -> Spelt {
    let head = written(symbol, receivers);
    let interface = graph.interfaces.get(&symbol.owner);
    let member = symbol.member.as_ref().and_then(|m| interface?.shape.members.get(m));
    let ways: Vec<Signature> = match (member, interface) {
        (Some(member), _) => signatures(member),
        (None, Some(one)) if symbol.member.is_none() => one.shape.constructs.clone(),
        (None, _) => Vec::new(),
    };
    let mut lines: Vec<String> = ways.iter().map(|way| format!("{head}{way}")).collect();
    if lines.is_empty() {
        lines.push(head);
    }
    Spelt { symbol: symbol.clone(), lines, deprecated: member.and_then(|m| m.deprecated.clone()) }
}

/// All symbols of all constructs, in the order in which they are shown.
fn provided(found: &[Found]) -> Vec<Symbol> {
    let mut provided: Vec<Symbol> = Vec::new();
    for Found { construct: one, .. } in found {
        let calls = one.declared_by.iter().chain([&one.opened_by]).chain(&one.middle);
        for symbol in calls.chain(&one.contains).chain([&one.closed_by]).chain(&one.order) {
            if !provided.contains(symbol) {
                provided.push(symbol.clone());
            }
        }
    }
    provided
}

/// The names of constructs that are nearest to what was asked.
fn nearest(asked: &str, names: &BTreeSet<&Name>) -> Vec<Name> {
    let candidates: Vec<Candidate> =
        names.iter().map(|name| Candidate { name: (*name).clone(), callable: false }).collect();
    let mut near: Vec<Name> = Vec::new();
    let words = crate::words::runs(asked).filter(|word| !crate::words::is_empty_word(word));
    for name in words.take(6).flat_map(|word| suggest(word, false, &candidates)) {
        if !near.contains(&name) {
            near.push(name);
        }
    }
    near.truncate(MAX_NEAREST);
    near
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::embedded;
    use crate::datagraph::documentation;

    fn answered(asked: &str, topical: &[&str]) -> Vec<String> {
        let graph = embedded::datagraph("folio").unwrap();
        let told = documentation::of(&graph, &[]);
        let documents = Documents::of(std::sync::Arc::clone(&graph), told);
        let symbols: Vec<Symbol> = topical
            .iter()
            .map(|name| {
                let owner = Key::of_type(crate::types::TypeName::global("Layout"));
                Symbol::member(owner, *name)
            })
            .collect();
        let answer = find(asked, &[&documents], &symbols);
        assert!(answer.provides.iter().all(|symbol| symbol.is_in(&graph)));
        answer.found.iter().map(|one| one.construct.opened_by.to_string()).collect()
    }

    #[test]
    fn names_calls_and_words_lead_to_the_same_construct() {
        for asked in [
            "table",
            "Table",
            "the table",
            "tableStart",
            "Layout.tableStart",
            "layout.tableStart(table)",
            "table start",
            "layout::tableEnd",
            "how do I open tables?",
        ] {
            assert_eq!(answered(asked, &[]), ["Layout.tableStart"], "{asked}");
        }
        assert_eq!(answered("row cell", &[]), ["Row.cellStart"]);
        assert_eq!(answered("PageNumbering", &[]), ["PageNumbering.suspend"]);
    }

    #[test]
    fn what_no_word_leads_to_a_topic_may() {
        assert_eq!(answered("the box", &[]), [""; 0]);
        assert_eq!(answered("the box", &["makeBlock"]), ["Layout.blockStart"]);
    }

    #[test]
    fn odd_questions_find_nothing() {
        let long = "x".repeat(10_000);
        let longer = "é(".repeat(10_000);
        for odd in
            ["", "***", "C++", "(", "\u{202e}", long.as_str(), longer.as_str(), "the", "null"]
        {
            assert_eq!(answered(odd, &[]), [""; 0], "{odd:.20}");
        }
    }
}
