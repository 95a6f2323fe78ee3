//! What gives a value of a type: constructors, methods that make one, other methods, properties.

use super::Symbol;
use super::meaning::{Meaning, signatures};
use crate::datagraph::{Datagraph, Key, Side};
use crate::words::parts;
use std::collections::{BTreeMap, BTreeSet};

/// How many heirs of a type are asked.
const MAX_HEIRS: usize = 64;

/// How many givers of one type are kept.
const MAX_GIVERS: usize = 64;

/// First words of names of methods that make something new.
const MAKING: &[&str] =
    &["make", "create", "new", "build", "construct", "declare", "define", "add", "prepare", "from"];

/// How something is given, the surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Giving {
    /// It is made.
    Made,
    /// A call gives it.
    Called,
    /// A property holds it.
    Held,
}

/// An api, opened for the question where a value comes from.
pub struct Givers<'g> {
    by_type: BTreeMap<Key, BTreeSet<(Giving, Symbol)>>,
    heirs: BTreeMap<Key, Vec<&'g Key>>,
    /// Types of which a global name or an export of a module is one.
    standing: BTreeSet<Key>,
}

impl<'g> Givers<'g> {
    /// Opens `graph`.
    pub fn of(graph: &'g Datagraph, meaning: &Meaning<'_>) -> Givers<'g> {
        let mut givers =
            Givers { by_type: BTreeMap::new(), heirs: BTreeMap::new(), standing: BTreeSet::new() };
        for (key, one) in &graph.interfaces {
            for parent in one.extends.iter().flat_map(|base| meaning.keys_of(base)) {
                givers.heirs.entry(parent).or_default().push(key);
            }
            for made in one.shape.constructs.iter().flat_map(|s| meaning.keys_of(&s.returns)) {
                givers.add(made, Giving::Made, Symbol::interface(key.clone()));
            }
            let is_scope = key.name.path.is_empty();
            let current =
                one.shape.members.iter().filter(|(_, member)| member.deprecated.is_none());
            for (name, member) in current {
                let symbol = Symbol::member(key.clone(), name.clone());
                let makes = parts(name).first().is_some_and(|w| MAKING.contains(&w.as_str()));
                let giving = if makes { Giving::Made } else { Giving::Called };
                for given in signatures(member).iter().flat_map(|s| meaning.keys_of(&s.returns)) {
                    givers.add(given, giving, symbol.clone());
                }
                for held in meaning.keys_of(&member.declared) {
                    if is_scope {
                        givers.standing.insert(held.clone());
                    }
                    givers.add(held, Giving::Held, symbol.clone());
                }
            }
        }
        givers
    }

    fn add(&mut self, of: Key, giving: Giving, symbol: Symbol) {
        let known = self.by_type.entry(of).or_default();
        if known.len() < MAX_GIVERS {
            known.insert((giving, symbol));
        }
    }

    /// Whether a name that every script has is one.
    pub fn stands(&self, of: &Key) -> bool {
        of.side == Side::Value || self.standing.contains(of)
    }

    /// What gives a value of type `of` or of one that inherits from it, as surely as anything does and at least as surely as
    /// `least`.
    pub fn of_type(&self, of: &Key, least: Giving, not: impl Fn(&Symbol) -> bool) -> Vec<Symbol> {
        let mut asked = vec![of];
        let mut seen: BTreeSet<&Key> = BTreeSet::from([of]);
        let mut found: BTreeSet<(Giving, Symbol)> = BTreeSet::new();
        while let Some(next) = asked.pop() {
            let given = self.by_type.get(next).into_iter().flatten();
            found.extend(given.filter(|(giving, s)| *giving <= least && !not(s)).cloned());
            let heirs = self.heirs.get(next).into_iter().flatten();
            let fresh = heirs.filter(|heir| seen.len() < MAX_HEIRS && seen.insert(heir));
            asked.extend(fresh.copied().collect::<Vec<_>>());
        }
        let surest = found.first().map(|(giving, _)| *giving);
        let kept = found.into_iter().filter(|(giving, _)| Some(*giving) == surest);
        kept.map(|(_, symbol)| symbol).collect()
    }
}
