//! The answer of `resolve_topic`: symbols with one line each, how they are built, and the next call; the same as data.
//!
//! STRONG names members; WEAK names interfaces and says that it is a hint; NONE says so and forbids nothing.

use super::quoting::{Block, Cursor, counted, page, short};
use super::{Around, visible};
use crate::answers::ladder::{Rung, Strength};
use crate::answers::resolve_topic::{Pattern, Resolved, Served};
use crate::datagraph::documentation::Evidence;
use serde_json::{Value, json};
use std::fmt::Write;

/// How much of a goal, a signature and a summary is shown, in characters.
const MAX_GOAL: usize = 120;
const MAX_SIGNATURE: usize = 140;
const MAX_SUMMARY: usize = 160;

/// How many interfaces a hint names.
const MAX_HINTED: usize = 5;

/// The answer of `resolve_topic`; `searched` says what was asked.
pub fn resolve_topic(resolved: &Resolved, searched: &str, around: &Around) -> String {
    let goal = format!("`{}`", short(&resolved.goal, MAX_GOAL));
    let head = format!("resolve_topic  {}  {goal}", strength(resolved.strength).to_uppercase());
    let mut said = String::new();
    let mut lines = Vec::new();
    match resolved.strength {
        Strength::Strong => {
            if let Some(rung) = resolved.rung {
                let _ = write!(said, "  {}", read_as(rung));
            }
            lines.extend(resolved.served.iter().map(line));
            lines.extend(resolved.pattern.as_ref().map(pattern));
            lines.push(next_line(resolved));
        }
        Strength::Weak => {
            said.push_str("  a hint, not a law: these interfaces share its words");
            lines.extend(hinted(resolved).into_iter().map(line));
            lines.extend(resolved.pattern.as_ref().map(pattern));
            lines.push(next_line(resolved));
        }
        Strength::None => {
            let _ = write!(said, "  nothing here is known to serve this goal ({searched})");
            let near: Vec<&str> = near(resolved).collect();
            if !near.is_empty() {
                lines.push(format!("nearest names that exist: {}", near.join(", ")));
            }
            lines.push(
                "The goal may still be reached with the language alone, or with words that the documentation uses."
                    .to_owned(),
            );
        }
    }
    let block = Block { lines, ..Block::default() };
    let cursor = Cursor { block: 0, line: around.cursor };
    let head = format!("{head}{said}");
    page("resolve_topic", &head, &[block], cursor, &around.notes, around.max_chars)
}

/// The answer of `resolve_topic` as data.
pub fn resolve_topic_listed(resolved: &Resolved, around: &Around) -> Value {
    let results: Vec<Value> = resolved.served.iter().map(row).collect();
    let mut data = json!({
        "strength": strength(resolved.strength),
        "results": results,
        "apis": around.apis,
        "notes": around.notes,
    });
    if let Some(arguments) = next(resolved) {
        data["next"] = json!({ "tool": "lookup_docs", "arguments": arguments });
    }
    data
}

/// The line that stands on top of a lookup.
pub fn phrasebook(resolved: &Resolved) -> String {
    let goal = short(&resolved.goal, 60);
    match resolved.strength {
        Strength::Strong => {
            let names: Vec<&str> =
                resolved.served.iter().take(4).map(|s| s.symbol.as_str()).collect();
            format!("phrasebook  STRONG  `{goal}`: {}", names.join(", "))
        }
        Strength::Weak => {
            let names: Vec<&str> =
                hinted(resolved).into_iter().map(|served| served.interface.as_str()).collect();
            format!("phrasebook  WEAK  `{goal}`: perhaps {} (a hint, not a law)", names.join(", "))
        }
        Strength::None => format!("phrasebook  NONE  `{goal}`: no topic leads from it"),
    }
}

/// How a strength is spelt.
pub fn strength(strength: Strength) -> &'static str {
    match strength {
        Strength::None => "none",
        Strength::Weak => "weak",
        Strength::Strong => "strong",
    }
}

/// How a name was read.
pub fn read_as(rung: Rung) -> &'static str {
    match rung {
        Rung::Exact => "spelt so",
        Rung::Case => "spelt so but for capitals",
        Rung::Typed => "by the type of what stands left of the dot",
        Rung::Inherited => "inherited",
        Rung::Member => "a member of that name",
        Rung::Joined => "its words joined",
        Rung::Slip => "a slip away",
        Rung::Elsewhere => "on another interface only",
    }
}

fn line(served: &Served) -> String {
    let Served { symbol, signature, summary, api, at, .. } = served;
    let mut text = symbol.clone();
    if !signature.is_empty() {
        let _ = write!(text, "   {}", short(signature, MAX_SIGNATURE));
    }
    if !summary.is_empty() {
        let _ = write!(text, "   {}", short(summary, MAX_SUMMARY));
    }
    let _ = write!(text, "   ({})", place(api, at));
    text
}

/// `folio 1, pages/table.md:12`.
pub fn place(api: &(String, String), at: &(String, u32)) -> String {
    let named = format!("{} {}", api.0, api.1);
    match at.0.is_empty() {
        true => named.trim_end().to_owned(),
        false => format!("{}, {}:{}", named.trim_end(), at.0, at.1),
    }
}

/// The first of each interface.
fn hinted(resolved: &Resolved) -> Vec<&Served> {
    let mut found: Vec<&Served> = Vec::new();
    for served in &resolved.served {
        let is_new = found.iter().all(|before| before.interface != served.interface);
        if is_new && !served.interface.is_empty() && found.len() < MAX_HINTED {
            found.push(served);
        }
    }
    found
}

fn near(resolved: &Resolved) -> impl Iterator<Item = &str> {
    resolved.served.iter().take(3).map(|served| served.symbol.as_str())
}

fn pattern(pattern: &Pattern) -> String {
    let Pattern { name, declared_by, opened_by, middle, closed_by, evidence } = pattern;
    let mut text = format!("built so, {name}: {opened_by} opens it");
    if !middle.is_empty() {
        let _ = write!(text, ", {} divides it", middle.join(" or "));
    }
    let _ = write!(text, ", {closed_by} closes it");
    if !declared_by.is_empty() {
        let _ = write!(text, "; given by {}", declared_by.join(" or "));
    }
    if *evidence == Evidence::Weak {
        text.push_str(" (only their names say so)");
    }
    text
}

/// The arguments of the lookup that comes next.
fn next(resolved: &Resolved) -> Option<Value> {
    match resolved.strength {
        Strength::Strong => {
            resolved.served.first().map(|served| json!({ "symbol": served.symbol }))
        }
        Strength::Weak => Some(json!({ "query": resolved.goal })),
        Strength::None => None,
    }
}

fn next_line(resolved: &Resolved) -> String {
    let arguments = next(resolved).map_or(String::new(), |arguments| arguments.to_string());
    format!("next: lookup_docs {}", short(&arguments, 300))
}

fn row(served: &Served) -> Value {
    json!({
        "symbol": served.symbol,
        "heading": visible(&served.heading),
        "signature": visible(&served.signature),
        "summary": visible(&served.summary),
        "api": served.api.0,
        "version": served.api.1,
        "path": visible(&served.at.0),
        "line": served.at.1,
        "score": rounded(served.score),
    })
}

/// Four digits are enough to compare by, and the same on every machine.
pub fn rounded(score: f32) -> f64 {
    (f64::from(score) * 10_000.0).round() / 10_000.0
}

/// What was asked: `folio 1 (310 symbols, 412 pieces)`.
pub fn searched(apis: &[crate::answers::lookup_docs::ApiLine]) -> String {
    if apis.is_empty() {
        return "no api holds here".to_owned();
    }
    let said = apis.iter().take(8).map(|line| {
        let [n_interfaces, n_members, n_pieces, ..] = line.counts;
        let named = format!("{} {}", line.api, line.version);
        let symbols = counted(n_interfaces + n_members, "symbol");
        match n_pieces {
            0 => format!("{}: {symbols}, declarations only", named.trim_end()),
            n => format!("{}: {symbols}, {}", named.trim_end(), counted(n, "piece")),
        }
    });
    let mut text = said.collect::<Vec<_>>().join("; ");
    if apis.len() > 8 {
        let _ = write!(text, "; and {} more apis", apis.len() - 8);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::quoting::n_chars;
    use super::*;
    use crate::answers::ladder::Meant;

    fn served(symbol: &str, interface: &str) -> Served {
        Served {
            meant: Meant { api: 0, number: 0 },
            symbol: symbol.to_owned(),
            interface: interface.to_owned(),
            signature: "makeTable(columns: number): Table".to_owned(),
            summary: "Makes a table.".to_owned(),
            heading: "Tables".to_owned(),
            api: ("folio".to_owned(), "1.0".to_owned()),
            at: ("pages/layout.md".to_owned(), 40),
            score: 0.5,
        }
    }

    fn resolved(strength: Strength) -> Resolved {
        Resolved {
            goal: "make a table".to_owned(),
            strength,
            rung: None,
            served: vec![
                served("Layout.makeTable", "Layout"),
                served("Layout.tableStart", "Layout"),
                served("Table", "Table"),
            ],
            pattern: Some(Pattern {
                name: "table".to_owned(),
                declared_by: vec!["Layout.makeTable".to_owned()],
                opened_by: "Layout.tableStart".to_owned(),
                middle: Vec::new(),
                closed_by: "Layout.tableEnd".to_owned(),
                evidence: Evidence::Strong,
            }),
        }
    }

    fn text(strength: Strength) -> String {
        let around = Around { max_chars: 20_000, ..Around::default() };
        resolve_topic(&resolved(strength), "folio 1.0: 900 symbols", &around)
    }

    #[test]
    fn strong_names_members_the_pattern_and_the_next_call() {
        let text = text(Strength::Strong);
        assert!(text.contains("STRONG") && text.contains("Layout.tableStart opens it"), "{text}");
        assert!(text.ends_with("next: lookup_docs {\"symbol\":\"Layout.makeTable\"}"), "{text}");
    }

    #[test]
    fn weak_names_each_interface_once_and_says_that_it_is_a_hint() {
        let text = text(Strength::Weak);
        assert!(text.contains("a hint, not a law"), "{text}");
        assert!(!text.contains("\nLayout.tableStart "), "{text}");
    }

    #[test]
    fn none_forbids_nothing_and_names_what_is_near() {
        let text = text(Strength::None);
        assert!(text.contains("nothing here is known to serve this goal"), "{text}");
        assert!(text.contains("nearest names that exist: Layout.makeTable"), "{text}");
        assert!(!text.contains("next:"), "{text}");
    }

    #[test]
    fn every_answer_fits_its_budget() {
        let mut resolved = resolved(Strength::Strong);
        resolved.goal = "goal ".repeat(3_000);
        for one in &mut resolved.served {
            one.summary = "ü".repeat(9_000);
        }
        for max_chars in [500, 800, 20_000] {
            let around = Around { max_chars, ..Around::default() };
            let text = resolve_topic(&resolved, &"folio ".repeat(300), &around);
            assert!(n_chars(&text) <= max_chars, "{max_chars}: {}", n_chars(&text));
        }
    }

    #[test]
    fn data_names_the_next_call() {
        let data = resolve_topic_listed(&resolved(Strength::Strong), &Around::default());
        assert_eq!(data["next"]["tool"], "lookup_docs");
        assert_eq!(data["next"]["arguments"]["symbol"], "Layout.makeTable");
        assert_eq!(data["results"][0]["symbol"], "Layout.makeTable");
    }
}
