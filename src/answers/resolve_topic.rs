//! `resolve_topic`: which symbols serve this goal?
//!
//! A name is answered by the ladder. A goal is answered by words, and how far the answer can be relied on is worked out
//! from how much of the goal it covers and how well it stands out, with weights fitted on public documentation; a plain
//! rule caps it, since a confident answer to half a question misleads most.

use super::ladder::{Apis, Climbed, Meant, Rung, Strength, climb, is_dotted};
use crate::corpus::documents::Documents;
use crate::corpus::documents::asking::{Hit, Ranked};
use crate::corpus::documents::listing::Kind;
use crate::datagraph::documentation::{Construct, Evidence, Symbol};

/// How many symbols an answer has.
pub const MAX_SERVED: usize = 10;

/// From where on an answer is strong, and below which there is none.
const STRONG: f32 = 0.7036;
const NOTHING: f32 = -2.0294;

/// What an answer of an api counts whose documentation has no prose: its names meet goals by chance.
const WITHOUT_PROSE: f32 = 0.75;

/// Two interfaces whose scores are nearer than this, as a share, are not told apart by them.
const TIE: f32 = 0.12;

/// What serves a goal.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    /// The goal, as it was asked.
    pub goal: String,
    /// Whether the answer can be relied on.
    pub strength: Strength,
    /// Where a name was asked for: how it was read.
    pub rung: Option<Rung>,
    /// What serves it, best first; where nothing is known to, what comes nearest.
    pub served: Vec<Served>,
    /// Of [`Resolved::served`]: how the first of them are opened and closed.
    pub pattern: Option<Pattern>,
}

/// A symbol that serves a goal.
#[derive(Debug, Clone, PartialEq)]
pub struct Served {
    /// Which one.
    pub meant: Meant,
    /// As code spells it.
    pub symbol: String,
    /// Its interface, as code spells it; an interface is its own.
    pub interface: String,
    /// How it is declared.
    pub signature: String,
    /// What it is about, on one line; empty where nothing says it.
    pub summary: String,
    /// The heading it is documented under; empty where it is only declared.
    pub heading: String,
    /// The api's name and version.
    pub api: (String, String),
    /// The source's path and line.
    pub at: (String, u32),
    /// How well it answers.
    pub score: f32,
}

/// How a construct is built.
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    /// Its name.
    pub name: String,
    /// What gives it, opens it, divides it, and closes it.
    pub declared_by: Vec<String>,
    /// See above.
    pub opened_by: String,
    /// See above.
    pub middle: Vec<String>,
    /// See above.
    pub closed_by: String,
    /// Whether more than the names say so.
    pub evidence: Evidence,
}

/// What serves `goal` in these apis.
pub fn resolve(apis: Apis<'_>, goal: &str) -> Resolved {
    let climbed = climb(apis, goal);
    let (by_words, strength) = ranked(apis, goal);
    let (served, strength, rung) = match climbed {
        Some(Climbed { rung, strength, meant }) => {
            let names = meant.iter().map(|m| (*m, 1.0));
            let others = by_words.iter().filter(|(m, _)| !meant.contains(m)).copied();
            (names.chain(others).take(MAX_SERVED).collect(), strength, Some(rung))
        }
        None => (by_words, strength, None),
    };
    let served: Vec<(Meant, f32)> = served;
    let pattern = pattern(apis, &served);
    let served = served.into_iter().filter_map(|(meant, score)| of(apis, meant, score)).collect();
    Resolved { goal: goal.to_owned(), strength, rung, served, pattern }
}

/// The best symbols of all apis by their words, and how far they can be relied on.
fn ranked(apis: Apis<'_>, goal: &str) -> (Vec<(Meant, f32)>, Strength) {
    let mut found: Vec<(Meant, f32)> = Vec::new();
    let mut strengths = Vec::new();
    for (api, documents) in apis.documents.iter().enumerate() {
        let ranked = documents.rank_symbols(goal, MAX_SERVED);
        let counts = if documents.n_chunks() == 0 { WITHOUT_PROSE } else { 1.0 };
        let strength = strength(documents, &ranked);
        strengths.push(if is_dotted(goal) { strength.min(Strength::Weak) } else { strength });
        let hits = ranked.hits.iter();
        found.extend(hits.map(|hit| (Meant { api, number: hit.number }, hit.score * counts)));
    }
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    found.truncate(MAX_SERVED);
    let strength = found.first().map_or(Strength::None, |(meant, _)| strengths[meant.api]);
    (found, strength)
}

/// How far the first of these can be relied on.
fn strength(documents: &Documents, ranked: &Ranked) -> Strength {
    let Some(first) = ranked.hits.first() else { return Strength::None };
    let sum = confidence(documents, ranked, first);
    let n_found = first.found.iter().filter(|found| **found).count();
    let is_half_met = n_found < 2 && n_found * 2 < ranked.words.len();
    if sum < NOTHING {
        Strength::None
    } else if sum < STRONG || is_half_met || is_tied(documents, ranked, first) {
        Strength::Weak
    } else {
        Strength::Strong
    }
}

/// The logistic sum over eight features of the first hit.
fn confidence(documents: &Documents, ranked: &Ranked, first: &Hit) -> f32 {
    let hits = &ranked.hits;
    let best_cover = hits.iter().take(3).map(|hit| hit.cover).fold(0.0, f32::max);
    let margin = match hits.get(1) {
        Some(second) if first.score > 0.0 => (first.score - second.score) / first.score,
        Some(_) | None => 1.0,
    };
    let interface = documents.interface_of(first.number);
    let top = hits.iter().take(5);
    let n_agreeing = top.filter(|hit| documents.interface_of(hit.number) == interface).count();
    let agreement = n_agreeing as f32 / hits.len().clamp(1, 5) as f32;
    let heaviest = ranked.words.iter().map(|word| word.weight).fold(0.0, f32::max);
    let missed = ranked.words.iter().zip(&first.found).filter(|(_, found)| !**found);
    let missed = missed.map(|(word, _)| word.weight).fold(0.0, f32::max);
    let missed = if heaviest > 0.0 { missed / heaviest } else { 0.0 };
    2.8292 * first.cover - 2.3344 * first.name_cover
        + 3.2448 * best_cover
        + 1.339 * margin
        + 1.2192 * agreement
        + 2.4184 * first.precision
        + 0.7449 * missed
        + 1.4382 * first.score
        - 5.6554
}

/// Whether another interface answers the same words about as well.
fn is_tied(documents: &Documents, ranked: &Ranked, first: &Hit) -> bool {
    let interface = documents.interface_of(first.number);
    ranked.hits.iter().take(3).skip(1).any(|hit| {
        documents.interface_of(hit.number) != interface
            && hit.found == first.found
            && hit.score >= first.score * (1.0 - TIE)
    })
}

/// A construct that the first symbols take part in.
fn pattern(apis: Apis<'_>, served: &[(Meant, f32)]) -> Option<Pattern> {
    served.iter().take(3).find_map(|(meant, _)| {
        let documents = apis.documents.get(meant.api)?;
        let symbol = apis.symbol(*meant)?;
        let shown = documents.constructs.iter().filter(|c| c.evidence != Evidence::Inverse);
        let construct = shown.filter(|c| takes_part(c, symbol)).min_by_key(|c| c.evidence)?;
        let spelt = |symbols: &[Symbol]| symbols.iter().map(Symbol::to_string).collect();
        Some(Pattern {
            name: construct.name.to_string(),
            declared_by: spelt(&construct.declared_by),
            opened_by: construct.opened_by.to_string(),
            middle: spelt(&construct.middle),
            closed_by: construct.closed_by.to_string(),
            evidence: construct.evidence,
        })
    })
}

fn takes_part(construct: &Construct, symbol: &Symbol) -> bool {
    let lists = [&construct.declared_by, &construct.middle];
    construct.opened_by == *symbol
        || construct.closed_by == *symbol
        || lists.iter().any(|list| list.contains(symbol))
}

/// What an answer says of a symbol.
pub fn of(apis: Apis<'_>, meant: Meant, score: f32) -> Option<Served> {
    let documents = apis.documents.get(meant.api)?;
    let listed = documents.listing.symbol(meant.number)?;
    let chunks = documents.chunks_of_number(meant.number).iter();
    let chunk = chunks.filter_map(|number| documents.chunk(*number)).next();
    let interface = match listed.kind {
        Kind::Interface | Kind::Alias => Some(meant),
        Kind::Method | Kind::Property | Kind::Event | Kind::Constant => {
            listed.interface.map(|number| Meant { number, ..meant })
        }
    };
    let (source, line) = chunk.as_ref().map_or(listed.at, |chunk| (chunk.source, chunk.line));
    let source = documents.graph.sources.get(source as usize);
    Some(Served {
        meant,
        symbol: listed.symbol.to_string(),
        interface: interface.map_or(String::new(), |interface| apis.spelt(interface)),
        signature: documents.signature(meant.number),
        summary: chunk.as_ref().map_or(String::new(), |chunk| chunk.summary.clone()),
        heading: chunk.and_then(|c| c.headings.last().cloned()).unwrap_or_default(),
        api: (documents.graph.api.to_string(), documents.graph.version.to_string()),
        at: (source.map_or(String::new(), |source| source.path.to_string()), line),
        score,
    })
}

#[cfg(test)]
mod tests {
    use super::super::ladder::tests::folio;
    use super::*;

    fn resolved(goal: &str) -> Resolved {
        let (corpus, documents) = folio();
        resolve(Apis { corpus: &corpus, documents: &documents }, goal)
    }

    #[test]
    fn a_goal_in_the_documentations_words_is_met() {
        let resolved = resolved("begin on a fresh sheet");
        assert_eq!(resolved.served[0].symbol, "Layout.pageBreak");
        assert_eq!(resolved.served[0].summary, "Goes on at the top of the next sheet.");
    }

    #[test]
    fn a_goal_of_another_field_is_never_strong() {
        for goal in [
            "send an email to a colleague with attachments",
            "train a neural network on images",
            "connect to a bluetooth headset",
        ] {
            assert!(resolved(goal).strength < Strength::Strong, "{goal}");
        }
    }

    #[test]
    fn half_of_a_goal_is_a_hint_at_most() {
        let resolved = resolved("balance my yearly budget against inflation");
        assert!(resolved.strength < Strength::Strong);
    }

    #[test]
    fn a_symbol_of_a_construct_brings_its_pattern() {
        let pattern = resolved("Layout.tableStart").pattern.unwrap();
        assert_eq!(pattern.opened_by, "Layout.tableStart");
        assert_eq!(pattern.closed_by, "Layout.tableEnd");
    }

    #[test]
    fn a_dotted_name_that_is_not_there_is_never_strong() {
        for goal in ["Layout.tableCellEnd", "layout.tableCellStart()", "app.activeDocument"] {
            assert!(resolved(goal).strength < Strength::Strong, "{goal}");
        }
    }

    #[test]
    fn any_goal_is_answered_the_same_twice() {
        let long = "draw a table ".repeat(1_000);
        for goal in ["", "***", "C++", "--flag", "don't", "🦀", "AND (", &long] {
            assert_eq!(resolved(goal), resolved(goal));
        }
    }
}
