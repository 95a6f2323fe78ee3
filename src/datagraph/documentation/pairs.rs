//! Pairs of callable members of one interface that open and close, by their names and types alone.
//!
//! Properties are the ends of a range and events the phases of one action: they are never paired.

use super::Symbol;
use super::meaning::{Meaning, signatures};
use super::opposites::{Bond, MIDDLES, Stem, bonds, is_three_part, stems};
use crate::base::Name;
use crate::datagraph::{Datagraph, Key};
use crate::types::{Access, Member, Type};
use std::collections::{BTreeMap, BTreeSet};

/// Two calls that may belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The call that opens.
    pub open: Symbol,
    /// The call that closes.
    pub close: Symbol,
    /// Calls that may stand between two parts.
    pub middle: Vec<Symbol>,
    /// The words that both names share.
    pub shared: Vec<String>,
    /// What the words say.
    pub bond: Bond,
    /// How usual the pair of words is; less is more.
    rank: usize,
}

/// The callable public members of an interface whose names may have an opposite.
type Candidates<'g> = Vec<(Stem, String, &'g Name)>;

/// All pairs of `graph`, sorted by their openers.
pub fn pairs(graph: &Datagraph, meaning: &Meaning<'_>) -> Vec<Pair> {
    let own: BTreeMap<&Key, Candidates<'_>> = graph
        .interfaces
        .iter()
        .map(|(key, one)| (key, candidates(&one.shape.members)))
        .filter(|(_, found)| !found.is_empty())
        .collect();
    let mut seen: BTreeSet<(Symbol, Symbol)> = BTreeSet::new();
    let mut found = Vec::new();
    for (key, one) in &graph.interfaces {
        if !own.contains_key(key) && one.extends.len() < 2 {
            continue;
        }
        let mut by_stem: BTreeMap<&Stem, BTreeMap<&str, Symbol>> = BTreeMap::new();
        for (owner, _) in meaning.above(key) {
            for (stem, word, name) in own.get(owner).into_iter().flatten() {
                let words = by_stem.entry(stem).or_default();
                words
                    .entry(word.as_str())
                    .or_insert_with(|| Symbol::member(owner.clone(), (*name).clone()));
            }
        }
        for (stem, words) in by_stem.iter().filter(|(_, words)| words.len() > 1) {
            let paired = of_stem(stem, words).filter(|pair| fits(key, pair, meaning));
            found.extend(paired.filter(|p| seen.insert((p.open.clone(), p.close.clone()))));
        }
    }
    keep_usual_partners(&mut found);
    found.sort_by(|a, b| (&a.open, &a.close).cmp(&(&b.open, &b.close)));
    found
}

fn candidates(members: &BTreeMap<Name, Member>) -> Candidates<'_> {
    let is_open = |name: &Name, member: &Member| {
        member.access == Access::Public
            && !name.starts_with(['_', '#', '@'])
            && !signatures(member).is_empty()
    };
    members
        .iter()
        .filter(|(name, member)| is_open(name, member))
        .flat_map(|(name, _)| stems(name).into_iter().map(move |(stem, word)| (stem, word, name)))
        .collect()
}

fn of_stem<'s>(
    stem: &'s Stem,
    words: &'s BTreeMap<&str, Symbol>,
) -> impl Iterator<Item = Pair> + 's {
    bonds(stem).filter_map(|(rank, open, close, bond)| {
        let between = MIDDLES.iter().filter_map(|word| words.get(word).cloned());
        Some(Pair {
            open: words.get(open)?.clone(),
            close: words.get(close)?.clone(),
            middle: if is_three_part(open, close) { between.collect() } else { Vec::new() },
            shared: stem.rest.clone(),
            bond,
            rank,
        })
    })
}

/// Whether the types let it be a pair of actions: two ends of a value are none, nor what puts into a list and takes out.
fn fits(at: &Key, pair: &Pair, meaning: &Meaning<'_>) -> bool {
    let is_member = |symbol: &Symbol, name: &str| symbol.member.as_deref() == Some(name);
    let is_list = || {
        let ends = ["Collection", "Array", "List", "Vector"];
        ends.iter().any(|end| at.name.path.ends_with(end))
            || ["length", "getLength", "forEach", "splice", "unshift"]
                .iter()
                .any(|name| meaning.member(at, name).is_some())
    };
    if is_member(&pair.open, "push") && is_member(&pair.close, "pop") && is_list() {
        return false;
    }
    let gives_value = |symbol: &Symbol| {
        let name = symbol.member.as_deref().unwrap_or("");
        let found = meaning.member(&symbol.owner, name);
        found.is_some_and(|(_, member)| {
            signatures(member).first().is_some_and(|s| is_value(&s.returns))
        })
    };
    let is_range = [pair.open.member.as_deref(), pair.close.member.as_deref()]
        .iter()
        .zip([&["start", "begin"][..], &["end"][..]])
        .all(|(name, words)| name.is_some_and(|n| holds_word(n, words)));
    !(is_range && gives_value(&pair.open) && gives_value(&pair.close))
}

fn holds_word(name: &str, words: &[&str]) -> bool {
    crate::words::parts(name).iter().any(|part| words.contains(&part.as_str()))
}

/// A number, a text, a truth or a date, maybe absent.
fn is_value(ty: &Type) -> bool {
    match ty {
        Type::Number | Type::String | Type::Boolean | Type::BigInt => true,
        Type::Text(_) | Type::Digits(_) | Type::Truth(_) => true,
        Type::Named(named) => ["Date", "Moment", "Unit", "Alignment", "DOMHighResTimeStamp"]
            .iter()
            .any(|end| named.name.path.ends_with(end)),
        Type::Union(parts) => {
            let absent = |part: &Type| matches!(part, Type::Null | Type::Undefined);
            parts.iter().any(is_value) && parts.iter().all(|part| absent(part) || is_value(part))
        }
        _ => false,
    }
}

/// One close for an open: where a call could go with several, the most usual pair of words holds.
fn keep_usual_partners(found: &mut Vec<Pair>) {
    let mut best: BTreeMap<(bool, Symbol), usize> = BTreeMap::new();
    let is_block = |pair: &Pair| matches!(pair.bond, Bond::Scope | Bond::Link);
    for pair in found.iter().filter(|pair| is_block(pair)) {
        for half in [(true, pair.open.clone()), (false, pair.close.clone())] {
            let known = best.entry(half).or_insert(pair.rank);
            *known = pair.rank.min(*known);
        }
    }
    found.retain(|pair| {
        let holds = |is_open: bool, half: &Symbol| {
            best.get(&(is_open, half.clone())).is_none_or(|best| *best == pair.rank)
        };
        !is_block(pair) || (holds(true, &pair.open) && holds(false, &pair.close))
    });
}
