//! The answer of `find_construct`: the shape of each construct at a glance, with a whole example, and the same as data.
//!
//! Examples are quoted between fences that do not occur in them. Where the budget does not hold everything, whole
//! constructs are left for the next call; only of one that is too long alone the example goes.

use super::{Around, visible};
use crate::answers::find_construct::{Constructs, Found, Rung, Shown, Spelt};
use crate::datagraph::documentation::{Construct, Evidence, Symbol};
use serde_json::{Value, json};
use std::fmt::Write;

/// What is kept free for what stands around the constructs, in characters.
const AROUND: usize = 400;

/// How many ways to call something are shown.
const MAX_WAYS: usize = 4;

/// The answer of `find_construct`.
pub fn find_construct(answer: &Constructs, around: &Around) -> String {
    if answer.found.is_empty() {
        return super::finished(nothing(answer), &around.notes);
    }
    let mut text = headline(answer);
    let n_notes: usize = around.notes.iter().map(|note| note.chars().count() + 1).sum();
    let mut left = around.max_chars.saturating_sub(text.chars().count() + n_notes + AROUND);
    let mut next = None;
    for (idx, found) in answer.found.iter().enumerate().skip(around.cursor) {
        let is_first = idx == around.cursor;
        let whole = piece(found, found.example.as_ref());
        let piece = match size(&whole) <= left {
            true => whole,
            false if is_first => shortened(&piece_without(found), left),
            false => {
                next = Some(idx);
                break;
            }
        };
        left = left.saturating_sub(size(&piece));
        text.push_str(&piece);
    }
    let is_shown = answer.found.iter().any(|f| f.construct.evidence == Evidence::Strong);
    text.push_str(match is_shown {
        true => "Every call above exists: write these names, and every closer for its opener.\n",
        false => "Every call above exists: write these names.\n",
    });
    if answer.n_more > 0 {
        let _ = writeln!(text, "{} more fit no better: ask with a longer name.", answer.n_more);
    }
    if let Some(next) = next {
        let n_left = answer.found.len() - next;
        let _ = writeln!(
            text,
            "{n_left} more: call find_construct with the same arguments and \"cursor\":\"{next}\""
        );
    }
    super::finished(text.trim_end().to_owned(), &around.notes)
}

fn size(piece: &str) -> usize {
    visible(piece).chars().count()
}

fn headline(answer: &Constructs) -> String {
    let n = answer.found.len();
    let of = if n == 1 { "1 construct".to_owned() } else { format!("{n} constructs") };
    let how = match answer.found.first().map(|found| found.rung) {
        Some(Rung::Name) | None => "by name",
        Some(Rung::Call) => "by a call of theirs",
        Some(Rung::Owner) => "by the type they belong to",
        Some(Rung::Words) => "by shared words",
        Some(Rung::Topic) => "by the symbols that these words lead to",
    };
    format!("find_construct  {}  {of}, {how}\n", quoted(&answer.asked))
}

/// A construct without its example.
fn piece_without(found: &Found) -> String {
    let mut text = piece(found, None);
    if let Some(shown) = &found.example {
        let n_lines = shown.code.lines().count();
        let _ = writeln!(
            text,
            "  example      {n_lines} lines in {}:{}, cut: raise max_chars",
            shown.path, shown.line
        );
    }
    text
}

/// As many whole lines as fit.
fn shortened(piece: &str, most: usize) -> String {
    let mut kept = String::new();
    for line in piece.split_inclusive('\n') {
        if size(&kept) + size(line) > most.max(120) {
            kept.push_str("  … cut: raise max_chars\n");
            break;
        }
        kept.push_str(line);
    }
    kept
}

fn piece(found: &Found, example: Option<&Shown>) -> String {
    let one = &found.construct;
    let mut text = format!("\n{}  {}  {}\n", one.name, api(found), said(one.evidence));
    let labels = match one.evidence {
        Evidence::Inverse => ["given by", "does", "between", "undoes"],
        Evidence::Strong | Evidence::Weak => ["declared by", "opened by", "middle", "closed by"],
    };
    calls(&mut text, labels[0], &found.declared_by);
    calls(&mut text, labels[1], std::slice::from_ref(&found.opened_by));
    calls(&mut text, labels[2], &found.middle);
    if !found.contains.is_empty() {
        let _ = writeln!(text, "  {:<12} {}", "contains", found.contains.join(", "));
    }
    calls(&mut text, labels[3], std::slice::from_ref(&found.closed_by));
    if found.order.len() > 2 {
        let _ = writeln!(text, "  {:<12} {}", "order", found.order.join(" → "));
    }
    if let Some(shown) = example {
        let _ = writeln!(text, "  {:<12} {}  {}:{}", "example", api(found), shown.path, shown.line);
        let fence = fence(&shown.code);
        let _ = writeln!(text, "{fence}{}", shown.language);
        let _ = writeln!(text, "{}\n{fence}", shown.code.trim_end());
    }
    text
}

fn api(found: &Found) -> String {
    format!("{} {}", found.api, found.version).trim_end().to_owned()
}

fn said(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::Strong => "shown by the documentation",
        Evidence::Weak => {
            "only the names say it: no documentation here shows that the two go together"
        }
        Evidence::Inverse => "opposite actions, which need not be paired",
    }
}

/// A line for each way to make each of these calls.
fn calls(text: &mut String, label: &str, spelt: &[Spelt]) {
    let mut label = label;
    for one in spelt {
        let deprecated = match one.deprecated.as_deref() {
            None => String::new(),
            Some("") => "  (deprecated)".to_owned(),
            Some(why) => format!("  (deprecated: {why})"),
        };
        for line in one.lines.iter().take(MAX_WAYS) {
            let _ = writeln!(text, "  {label:<12} {line}{deprecated}");
            label = "";
        }
        if one.lines.len() > MAX_WAYS {
            let _ = writeln!(text, "  {label:<12} and {} more ways", one.lines.len() - MAX_WAYS);
        }
    }
}

/// A fence that does not occur in `code`.
fn fence(code: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for c in code.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    "`".repeat((longest + 1).max(3))
}

/// An answer without constructs says what was searched, what is near, and how to go on.
fn nothing(answer: &Constructs) -> String {
    let asked = quoted(&answer.asked);
    let searched: Vec<String> = answer
        .searched
        .iter()
        .take(30)
        .map(|(api, version, n)| format!("{} ({n})", format!("{api} {version}").trim_end()))
        .collect();
    let mut text =
        format!("find_construct  {asked}  no construct is called so, nor is one of its calls\n");
    let apis = match answer.searched.len() - searched.len() {
        0 => searched.join(", "),
        n => format!("{} and {n} more apis", searched.join(", ")),
    };
    match answer.searched.is_empty() {
        true => text.push_str("no api holds here: name one in groundline.toml\n"),
        false => {
            let _ = writeln!(text, "searched the constructs of {apis}");
        }
    }
    if let Some(first) = answer.nearest.first() {
        let names: Vec<&str> = answer.nearest.iter().map(|name| name.as_str()).collect();
        let _ = writeln!(text, "nearest constructs: {}", names.join(", "));
        let _ = writeln!(text, "next  find_construct {}", json!({ "name": first }));
    } else if !answer.known.is_empty() {
        let names: Vec<&str> = answer.known.iter().map(|name| name.as_str()).collect();
        let _ = writeln!(text, "none comes near; the constructs here: {}", names.join(", "));
        text.push_str("next  find_construct with one of these names as `name`\n");
    } else {
        let shown: String = answer.asked.chars().take(80).collect();
        let _ = writeln!(text, "next  lookup_docs {}", json!({ "queries": [shown] }));
    }
    text.push_str("One call that needs no closing is no construct: look such a call up instead.");
    text
}

/// A question as one short line.
fn quoted(asked: &str) -> String {
    let line: String = asked.chars().map(|c| if c == '\n' { '⏎' } else { c }).take(80).collect();
    let more = if line.len() < asked.len() && asked.chars().count() > 80 { "…" } else { "" };
    format!("`{line}{more}`")
}

/// The answer of `find_construct` as data.
pub fn find_construct_listed(answer: &Constructs, around: &Around) -> Value {
    let constructs: Vec<Value> = answer.found.iter().map(listed).collect();
    let searched: Vec<Value> = answer
        .searched
        .iter()
        .map(|(api, version, n)| json!({ "api": api, "version": version, "constructs": n }))
        .collect();
    json!({
        "constructs": constructs,
        "provides": names(&answer.provides),
        "searched": searched,
        "nearest": answer.nearest,
        "notes": around.notes,
    })
}

fn names(symbols: &[Symbol]) -> Vec<String> {
    symbols.iter().map(ToString::to_string).collect()
}

fn listed(found: &Found) -> Value {
    let Construct {
        name,
        declared_by,
        opened_by,
        middle,
        closed_by,
        contains,
        order,
        evidence,
        ..
    } = &found.construct;
    let mut one = json!({
        "name": name,
        "api": found.api,
        "version": found.version,
        "declared_by": names(declared_by),
        "opened_by": opened_by.to_string(),
        "middle": names(middle),
        "closed_by": closed_by.to_string(),
        "contains": names(contains),
        "order": names(order),
        "evidence": evidence,
    });
    if let Some(shown) = &found.example {
        one["example"] = json!({ "path": shown.path, "line": shown.line, "code": shown.code });
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_never_occurs_in_what_it_fences() {
        assert_eq!(fence("a"), "```");
        assert_eq!(fence("````js"), "`````");
    }

    #[test]
    fn any_question_is_answered_in_few_lines() {
        for odd in ["***", "C++", "'", "\u{202e}", &"x".repeat(10_000)] {
            let answer = Constructs { asked: odd.to_owned(), ..Constructs::default() };
            let text = find_construct(&answer, &Around { max_chars: 500, ..Around::default() });
            assert!(text.chars().count() < 600, "{text}");
            assert!(text.contains("no api holds here"), "{text}");
        }
    }
}
