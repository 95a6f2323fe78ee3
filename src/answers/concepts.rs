//! Words for a thing that an api has, and the real symbols behind them, from what the documentation says of both.
//!
//! A symbol is behind words if the documentation leads to it from a phrase that has them all, or if they are all in its
//! name. Nothing is guessed: without such a phrase or name there is nothing behind them.

use crate::base::Name;
use crate::corpus::documents::Documents;
use crate::datagraph::documentation::{Symbol, Topic};
use crate::datagraph::{Key, Side};
use crate::words::asked;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How many symbols are behind the same words.
const MAX_BEHIND: usize = 4;

/// A symbol that counts less than this part of the best is too far off.
const FAR: usize = 3;

/// What a phrase or name counts that has the words and nothing else; each further word makes it count less.
const WHOLE: usize = 60;

/// A symbol behind words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Behind {
    /// As code spells it: `Layout.makeBlock`.
    pub symbol: String,
    /// Its own name, as it stands in code: `makeBlock`.
    pub name: Name,
}

/// What is behind these words in these apis, best first.
pub fn behind(documents: &[Arc<Documents>], words: &str) -> Vec<Behind> {
    let wanted: BTreeSet<String> = asked(words).into_iter().collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let counts = |text: &str| -> usize {
        let found: BTreeSet<String> = asked(text).into_iter().collect();
        let n_more = found.len().saturating_sub(wanted.len());
        if wanted.is_subset(&found) { WHOLE / (n_more + 1) } else { 0 }
    };
    let mut scores: BTreeMap<Symbol, usize> = BTreeMap::new();
    for api in documents {
        scores.extend(by_phrases(&api.topics, &counts));
        // An api without phrases is no documentation of a project's own engine: its names meet words by chance.
        for (key, interface) in api.graph.interfaces.iter().filter(|_| !api.topics.is_empty()) {
            let mut by_name = |symbol: Symbol, name: &str| {
                let n = counts(name);
                if n > 0 {
                    *scores.entry(symbol).or_default() += n;
                }
            };
            if key.side == Side::Type {
                by_name(Symbol::interface(key.clone()), last_of(key));
            }
            for member in interface.shape.members.keys() {
                by_name(Symbol::member(key.clone(), member.clone()), member);
            }
        }
    }
    let mut found: Vec<(usize, Symbol)> =
        scores.into_iter().map(|(symbol, n)| (n, symbol)).collect();
    found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let least = found.first().map_or(0, |(best, _)| best / FAR);
    let found = found.into_iter().take_while(|(n, _)| *n >= least).take(MAX_BEHIND);
    found
        .map(|(_, symbol)| Behind {
            name: symbol.member.clone().unwrap_or_else(|| last_of(&symbol.owner).into()),
            symbol: symbol.to_string(),
        })
        .collect()
}

/// What phrases lead to, by how much they are about it: what stands behind every other phrase as well counts little.
fn by_phrases(
    topics: &[Topic],
    counts: &dyn Fn(&str) -> usize,
) -> impl Iterator<Item = (Symbol, usize)> {
    let mut all: BTreeMap<&Symbol, (usize, usize, usize)> = BTreeMap::new();
    for topic in topics {
        let n = counts(&topic.words);
        for symbol in &topic.symbols {
            let (sum, n_meant, n_all) = all.entry(symbol).or_default();
            *sum += n;
            *n_meant += usize::from(n > 0);
            *n_all += 1;
        }
    }
    let meant = all.into_iter().filter(|(_, (sum, ..))| *sum > 0);
    meant.map(|(symbol, (sum, n_meant, n_all))| (symbol.clone(), (sum * n_meant / n_all).max(1)))
}

/// The last part of an interface's name, as code says it.
fn last_of(key: &Key) -> &str {
    key.name.path.rsplit('.').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datagraph::documentation::{Documentation, TopicKind};
    use crate::datagraph::{Datagraph, Interface, InterfaceKind};
    use crate::types::TypeName;

    fn documents() -> Vec<Arc<Documents>> {
        let block = Key::of_type(TypeName::global("Block"));
        let boxed = Key::of_type(TypeName::global("PostBox"));
        let mut graph = Datagraph::default();
        for key in [&block, &boxed] {
            graph.interfaces.insert(key.clone(), Interface::new(InterfaceKind::Interface));
        }
        let topic = |words: &str, symbol: Symbol| Topic {
            words: words.into(),
            kind: TopicKind::Heading,
            symbols: vec![symbol],
            at: (0, 1),
        };
        let documentation = Documentation {
            topics: vec![
                topic("Draw a box", Symbol::interface(block.clone())),
                topic("Boxes that split", Symbol::member(block, "splits")),
            ],
            ..Documentation::default()
        };
        vec![Arc::new(Documents::of(graph.into(), documentation))]
    }

    fn found(words: &str) -> Vec<String> {
        behind(&documents(), words).into_iter().map(|b| b.symbol).collect()
    }

    #[test]
    fn phrases_and_names_lead_to_symbols() {
        assert_eq!(found("the box"), ["Block", "Block.splits", "PostBox"]);
        assert_eq!(found("split boxes"), ["Block.splits"]);
    }

    #[test]
    fn there_is_nothing_behind_words_that_nobody_says() {
        assert!(found("the crate").is_empty());
        assert!(found("the").is_empty());
    }
}
