//! What takes several calls to build: mined from names and types, and shown by the documentation's words and examples.
//!
//! A construct is never more than the datagraph has: each of its calls is a member there. What the documentation does not
//! show is left empty, and a pair that only its names suggest says so.

use super::evidence::Told;
use super::examples::{Example, Purpose, examples, reading};
use super::givers::{Givers, Giving};
use super::meaning::{Meaning, signatures};
use super::opposites::Bond;
use super::pairs::{Pair, pairs};
use super::{Chunk, Construct, Evidence, Symbol};
use crate::base::{Name, to_u32};
use crate::datagraph::{Datagraph, Key};
use crate::types::Arity;
use std::collections::{BTreeMap, BTreeSet};

/// How many constructs of one api are kept; what is shown goes before what only names say.
const MAX_CONSTRUCTS: usize = 5_000;

/// How many calls that a construct contains are kept.
const MAX_CONTAINED: usize = 12;

/// How many calls of an order are kept.
const MAX_ORDER: usize = 24;

/// How many ways to declare one are kept.
const MAX_DECLARED: usize = 6;

/// How many examples of one construct are weighed.
const MAX_EXAMPLES: usize = 200;

/// How many calls before and in a construct are looked at.
const MAX_AROUND: usize = 100;

/// The constructs of `graph`, by their openers; `chunks` is what its sources say.
pub fn constructs(graph: &Datagraph, chunks: &[Chunk]) -> Vec<Construct> {
    let meaning = Meaning::of(graph);
    let told = Told::of(chunks);
    let givers = Givers::of(graph, &meaning);
    let mut pairs = pairs(graph, &meaning);
    pairs.retain(|pair| !told.both_attach(&pair.open, &pair.close));
    let shows = shows(&pairs, chunks, &meaning);
    let blocks = || pairs.iter().filter(|pair| pair.bond == Bond::Scope);
    let origins = Origins {
        meaning: &meaning,
        givers: &givers,
        openers: blocks().map(|pair| &pair.open).collect(),
        closers: blocks().map(|pair| &pair.close).collect(),
    };
    let mut found: Vec<Construct> = Vec::new();
    for (pair, shows) in pairs.iter().zip(&shows) {
        found.push(construct(pair, shows, &told, &origins));
    }
    found.sort_by_key(|one| one.evidence);
    found.truncate(MAX_CONSTRUCTS);
    found.sort_by(|a, b| (&a.opened_by, &a.closed_by).cmp(&(&b.opened_by, &b.closed_by)));
    found
}

/// An example that calls both halves of a pair, from its first call to the closing one.
struct Show {
    chunk: u32,
    /// How long the example is.
    length: usize,
    /// What it calls before the opener.
    before: Vec<Symbol>,
    /// What it calls between, but not what lies in constructs between.
    between: Vec<Symbol>,
}

/// The examples that show each of `pairs`.
fn shows(pairs: &[Pair], chunks: &[Chunk], meaning: &Meaning<'_>) -> Vec<Vec<Show>> {
    let halves = Halves::of(pairs);
    let mut found: Vec<Vec<Show>> = pairs.iter().map(|_| Vec::new()).collect();
    for (number, chunk) in (0..).zip(chunks) {
        for Example { code, .. } in examples(chunk) {
            let calls = meaning.symbols(&reading(&code), chunk);
            let stretches = halves.stretches(&calls);
            for (start, of_start) in &stretches {
                let before = &calls[start.saturating_sub(MAX_AROUND)..*start];
                for (end, pair) in of_start {
                    if found[*pair].len() < MAX_EXAMPLES {
                        found[*pair].push(Show {
                            chunk: number,
                            length: code.len(),
                            before: before.iter().map(|(symbol, _)| symbol.clone()).collect(),
                            between: outermost(&calls, *start, *end, &stretches),
                        });
                    }
                }
            }
        }
    }
    found
}

/// Where constructs open and close among the calls of an example: by the opening call, the closing call and the pair.
type Stretches = BTreeMap<usize, Vec<(usize, usize)>>;

/// Which pairs a symbol opens and closes.
struct Halves<'p> {
    open: BTreeMap<&'p Symbol, Vec<usize>>,
    close: BTreeMap<&'p Symbol, Vec<usize>>,
}

impl<'p> Halves<'p> {
    fn of(pairs: &'p [Pair]) -> Halves<'p> {
        let mut halves = Halves { open: BTreeMap::new(), close: BTreeMap::new() };
        for (idx, pair) in pairs.iter().enumerate() {
            halves.open.entry(&pair.open).or_default().push(idx);
            halves.close.entry(&pair.close).or_default().push(idx);
        }
        halves
    }

    fn stretches(&self, calls: &[(Symbol, Purpose)]) -> Stretches {
        let mut waiting: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut found = Stretches::new();
        for (at, (call, _)) in calls.iter().enumerate() {
            for pair in self.close.get(call).into_iter().flatten() {
                if let Some(start) = waiting.get_mut(pair).and_then(Vec::pop) {
                    found.entry(start).or_default().push((at, *pair));
                }
            }
            for pair in self.open.get(call).into_iter().flatten() {
                waiting.entry(*pair).or_default().push(at);
            }
        }
        found
    }
}

/// The calls between two places that are made for what they do; of what is opened and closed between them only the opening.
fn outermost(
    calls: &[(Symbol, Purpose)],
    start: usize,
    end: usize,
    stretches: &Stretches,
) -> Vec<Symbol> {
    let mut found = Vec::new();
    let mut at = start + 1;
    while at < end && found.len() < MAX_AROUND {
        if let (symbol, Purpose::Deed) = &calls[at] {
            found.push(symbol.clone());
        }
        let inner = stretches.get(&at).into_iter().flatten().map(|(inner, _)| *inner);
        at = inner.filter(|inner| *inner < end).max().unwrap_or(at) + 1;
    }
    found
}

/// Where the parts of constructs come from.
struct Origins<'o, 'g> {
    meaning: &'o Meaning<'g>,
    givers: &'o Givers<'g>,
    openers: BTreeSet<&'o Symbol>,
    closers: BTreeSet<&'o Symbol>,
}

impl Origins<'_, '_> {
    /// The types that the opener takes which something makes.
    fn taken(&self, pair: &Pair) -> Vec<(Key, Vec<Symbol>)> {
        let name = pair.open.member.as_deref().unwrap_or("");
        let Some((_, member)) = self.meaning.member(&pair.open.owner, name) else {
            return Vec::new();
        };
        let mut found: Vec<(Key, Vec<Symbol>)> = Vec::new();
        let signatures = signatures(member);
        let parameters = signatures.iter().flat_map(|s| s.parameters.iter().take(3));
        for declared in parameters.filter(|p| p.arity == Arity::Required) {
            for key in self.meaning.keys_of(&declared.declared) {
                if found.iter().all(|(known, _)| *known != key) {
                    let makers = self.givers.of_type(&key, Giving::Made, |s| self.is_half(pair, s));
                    found.push((key, makers));
                }
            }
        }
        found.retain(|(_, makers)| !makers.is_empty());
        found
    }

    /// What gives the thing on which the opener is called; nothing where a name that every script has is one.
    fn receiver(&self, pair: &Pair) -> Vec<Symbol> {
        let owner = &pair.open.owner;
        if self.givers.stands(owner) {
            return Vec::new();
        }
        let made = self.givers.of_type(owner, Giving::Made, |symbol| self.is_half(pair, symbol));
        if !made.is_empty() {
            return made;
        }
        // What another construct opens comes from there, however else it could be had.
        let opened = self.givers.of_type(owner, Giving::Held, |symbol| {
            self.is_half(pair, symbol) || !self.openers.contains(symbol)
        });
        if !opened.is_empty() {
            return opened;
        }
        self.givers.of_type(owner, Giving::Held, |symbol| {
            self.is_half(pair, symbol) || self.closers.contains(symbol)
        })
    }

    fn is_half(&self, pair: &Pair, symbol: &Symbol) -> bool {
        *symbol == pair.open || *symbol == pair.close || pair.middle.contains(symbol)
    }
}

fn construct(pair: &Pair, shows: &[Show], told: &Told<'_>, origins: &Origins<'_, '_>) -> Construct {
    let evidence = match pair.bond {
        Bond::Opposite => Evidence::Inverse,
        Bond::Scope | Bond::Link | Bond::Listen => {
            match !shows.is_empty() || told.ties(&pair.open, &pair.close) {
                true => Evidence::Strong,
                false => Evidence::Weak,
            }
        }
    };
    let taken = origins.taken(pair);
    let mut declared_by: Vec<Symbol> = taken.iter().flat_map(|(_, m)| m.clone()).collect();
    if declared_by.is_empty() {
        declared_by = origins.receiver(pair);
    }
    declared_by.truncate(MAX_DECLARED);
    let is_between = |part: &Symbol| shows.iter().any(|show| show.between.contains(part));
    let middle: Vec<Symbol> = pair.middle.iter().filter(|p| is_between(p)).cloned().collect();
    let contains = match pair.bond {
        Bond::Scope | Bond::Link => contained(shows, |s| origins.is_half(pair, s)),
        Bond::Listen | Bond::Opposite => Vec::new(),
    };
    let best = shows.iter().max_by_key(|show| {
        let is_declared = declared_by.iter().any(|s| show.before.contains(s));
        let n_middle = middle.iter().filter(|s| show.between.contains(s)).count();
        let n_contained = contains.iter().take(3).filter(|s| show.between.contains(s)).count();
        let n_shown = usize::from(is_declared) + n_middle + n_contained;
        (n_shown, std::cmp::Reverse((show.length, show.chunk)))
    });
    let set_up = |symbol: &Symbol| {
        declared_by.contains(symbol)
            || taken
                .iter()
                .any(|(key, _)| origins.meaning.above(key).any(|(above, _)| *above == symbol.owner))
    };
    let order = order(pair, best, set_up, |s| middle.contains(s) || contains.contains(s));
    Construct {
        name: name(pair),
        declared_by,
        opened_by: pair.open.clone(),
        middle,
        closed_by: pair.close.clone(),
        contains,
        order,
        evidence,
        example: best.map(|show| show.chunk),
    }
}

/// What examples call between, by the number of examples that do.
fn contained(shows: &[Show], not: impl Fn(&Symbol) -> bool) -> Vec<Symbol> {
    let mut counts: BTreeMap<&Symbol, u32> = BTreeMap::new();
    for show in shows {
        let once: BTreeSet<&Symbol> = show.between.iter().filter(|s| !not(s)).collect();
        once.into_iter().for_each(|symbol| *counts.entry(symbol).or_default() += 1);
    }
    let mut found: Vec<(&Symbol, u32)> = counts.into_iter().collect();
    found.sort_by_key(|(symbol, n)| (u32::MAX - n, *symbol));
    found.into_iter().take(MAX_CONTAINED).map(|(symbol, _)| symbol.clone()).collect()
}

/// The calls of a construct in the order of its example; without one, what opens and what closes.
fn order(
    pair: &Pair,
    best: Option<&Show>,
    set_up: impl Fn(&Symbol) -> bool,
    is_part: impl Fn(&Symbol) -> bool,
) -> Vec<Symbol> {
    let mut order: Vec<Symbol> = Vec::new();
    let mut add = |symbol: &Symbol| {
        if order.len() < MAX_ORDER && !order.contains(symbol) {
            order.push(symbol.clone());
        }
    };
    if let Some(show) = best {
        show.before.iter().filter(|s| set_up(s)).for_each(&mut add);
    }
    add(&pair.open);
    if let Some(show) = best {
        show.between.iter().filter(|s| is_part(s)).for_each(&mut add);
    }
    add(&pair.close);
    order
}

/// The words that both names share as one name; the opener's own name where they share none.
fn name(pair: &Pair) -> Name {
    let mut name = String::new();
    for (idx, word) in pair.shared.iter().enumerate() {
        let mut letters = word.chars();
        match letters.next().filter(|_| idx > 0) {
            Some(first) => {
                name.extend(first.to_uppercase());
                name.push_str(letters.as_str());
            }
            None => name.push_str(word),
        }
    }
    match name.is_empty() {
        true => pair.open.member.clone().unwrap_or_default(),
        false => name.into(),
    }
}

/// The index of the example of `chunk` that shows `construct`: the shortest that names both halves.
pub fn example_of(construct: &Construct, chunk: &Chunk) -> Option<Example> {
    let halves = [&construct.opened_by, &construct.closed_by];
    let shows = |example: &Example| {
        let calls = reading(&example.code).calls;
        halves.iter().all(|half| calls.iter().any(|call| half.member.as_ref() == Some(&call.name)))
    };
    let found = examples(chunk).into_iter().filter(shows);
    found.min_by_key(|example| to_u32(example.code.len()))
}
