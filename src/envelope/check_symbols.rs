//! The answer of `check_symbols`: each invention with its place and what to write, and the same as data.

use super::{Around, finished, misuses, one_line};
use crate::answers::check_symbols::{
    Checked, Ground, Invention, Judged, Kind, Suggestion, Verdict,
};
use crate::answers::misuse::Misuse;
use crate::answers::weighing::kind_of;
use crate::base::{Name, Place};
use crate::sources::script::Usage;
use crate::sources::settings::levels::{FindingKind, Level, Levels};
use serde_json::{Value, json};
use std::fmt::Write;

/// The last line of every correction: without it agents narrate the correction, or leave it in comments.
const SILENCE: &str = "Say nothing of this check in code or in reply.";

/// The answer of `check_symbols`.
pub fn check_symbols(checked: &[Checked], around: &Around) -> String {
    let findings = findings(checked);
    let mut text = headline(checked, &findings, around);
    if findings.is_empty() {
        return finished(text, &around.notes);
    }
    let budget =
        around.max_chars.saturating_sub(700 + around.notes.iter().map(String::len).sum::<usize>());
    let n_checked = checked.len();
    let mut shown: Vec<(&str, u32)> = Vec::new();
    let mut file = "";
    let mut n_seen = around.cursor;
    for (checked, finding) in findings.iter().skip(around.cursor) {
        let mut piece = String::new();
        if n_checked > 1 && file != checked.path {
            let _ = writeln!(piece, "{}", one_line(&checked.path));
        }
        piece.push_str(&match finding {
            Finding::Invented(judged, invention) => invented(judged, invention),
            Finding::Misused(misuse) => misuses::finding(misuse),
        });
        let fits = text.chars().count() + piece.chars().count() <= budget;
        if !fits && !shown.is_empty() {
            break;
        }
        file = &checked.path;
        text.push_str(&piece);
        shown.push((&checked.path, finding.place().line));
        n_seen += 1;
    }
    if shown.is_empty() {
        let _ =
            write!(text, "nothing is behind this cursor: there are {} findings", findings.len());
        return finished(text, &around.notes);
    }
    if n_seen < findings.len() {
        let _ = writeln!(
            text,
            "{} more: call check_symbols with the same arguments and \"cursor\":\"{n_seen}\"",
            findings.len() - n_seen
        );
    }
    let _ = write!(text, "{} {SILENCE}", only(&shown));
    finished(text, &around.notes)
}

/// The answer where only what changed was asked for, and nothing did.
pub fn check_symbols_unchanged(n_scripts: usize, around: &Around) -> String {
    let of = match n_scripts {
        1 => "the one script is as it was".to_owned(),
        n => format!("all {n} scripts are as they were"),
    };
    let text = format!(
        "check_symbols  nothing changed since HEAD: {of} committed; name `paths` to check them"
    );
    finished(text, &around.notes)
}

fn headline(checked: &[Checked], findings: &[(&Checked, Finding<'_>)], around: &Around) -> String {
    let of = match checked {
        [one] => one_line(&one.path),
        many => format!("{} files", many.len()),
    };
    let counts = Counts::of(checked);
    let n_misused = findings.len() - counts.invented;
    let misused = if n_misused > 0 { format!(" · {n_misused} misused") } else { String::new() };
    let mut text = format!(
        "check_symbols  {of}  {} invented{misused} · {} known · {} in doubt",
        counts.invented, counts.known, counts.doubt
    );
    let n_broken: usize = checked.iter().map(|c| c.n_broken).sum();
    if n_broken > 0 {
        let _ = write!(text, " · {n_broken} broken stretches not judged");
    }
    if findings.is_empty() {
        match around.apis.is_empty() {
            true => text.push_str(" · no api holds here, so nothing could be judged"),
            false => {
                let _ = write!(text, " · against {}", around.apis.join(", "));
            }
        }
    } else {
        text.push('\n');
    }
    text
}

/// One invention: what is wrong, then what to write.
fn invented(judged: &Judged, invention: &Invention) -> String {
    let place = judged.place.to_string();
    let said = match (judged.kind, judged.receiver.is_empty()) {
        (Kind::Import, _) => format!("import {{ {} }}", judged.member),
        (Kind::Name, _) => judged.member.to_string(),
        (Kind::Member, true) => format!("{{ {} }}", judged.member),
        (Kind::Member, false) => format!("{}.{}", judged.receiver, judged.member),
    };
    let indent = " ".repeat(place.len() + 2);
    let mut text = format!("{place}  {said}   {}\n", message(judged, invention));
    let written: Vec<String> = invention.instead.iter().map(|s| instead(judged, s)).collect();
    let width = written.iter().map(|w| w.chars().count()).max().unwrap_or(0);
    for (i, (one, suggestion)) in written.iter().zip(&invention.instead).enumerate() {
        let lead = match (suggestion.ground, i) {
            (Ground::Likeness, 0) => "write",
            (Ground::Likeness, _) => "or   ",
            // A member that is used here is no guess of what was meant.
            (Ground::Use, _) => "used ",
        };
        let gap = " ".repeat(width - one.chars().count());
        let _ = writeln!(
            text,
            "{indent}{lead}  {one}{gap}   {}{}",
            suggestion.member, suggestion.signature
        );
    }
    match (written.is_empty(), invention.elsewhere.is_empty()) {
        (false, _) => {}
        (true, _) if judged.kind == Kind::Name => {
            let _ = writeln!(text, "{indent}declare it, import it or remove it");
        }
        (true, false) => {
            let _ = writeln!(
                text,
                "{indent}exists on another type only  {}",
                invention.elsewhere.join(", ")
            );
        }
        (true, true) => {
            let _ = writeln!(text, "{indent}remove it: {} has nothing like it", invention.owner);
        }
    }
    text
}

/// What is wrong, in one sentence without a stop.
pub fn message(judged: &Judged, invention: &Invention) -> String {
    let within = match invention.apis.is_empty() {
        true => String::new(),
        false => format!(" in {}", invention.apis.join(" and ")),
    };
    match judged.kind {
        Kind::Import => format!("{} exports no {}{within}", invention.owner, judged.member),
        Kind::Member => format!("{} has no member {}{within}", invention.owner, judged.member),
        Kind::Name => format!("nothing here declares {}", judged.member),
    }
}

/// What to write in place of an access.
fn instead(judged: &Judged, suggestion: &Suggestion) -> String {
    let called = matches!(judged.usage, Usage::Called | Usage::Constructed);
    let arguments = match (&suggestion.parameters, called) {
        (Some(parameters), true) => {
            let names: Vec<&str> = parameters.iter().map(Name::as_str).collect();
            format!("({})", names.join(", "))
        }
        _ => String::new(),
    };
    match judged.receiver.is_empty() {
        true => format!("{}{arguments}", suggestion.member),
        false => format!("{}.{}{arguments}", judged.receiver, suggestion.member),
    }
}

/// `Edit line 12 only.`
fn only(shown: &[(&str, u32)]) -> String {
    let mut lines: Vec<u32> = shown.iter().map(|(_, line)| *line).collect();
    lines.dedup();
    let one_file = shown.iter().all(|(path, _)| *path == shown[0].0);
    match (one_file, lines.as_slice()) {
        (true, [line]) => format!("Edit line {line} only."),
        (true, lines) if lines.len() <= 12 => {
            let (last, first) =
                lines.split_last().expect("a correction shows at least one finding");
            let first: Vec<String> = first.iter().map(u32::to_string).collect();
            format!("Edit lines {} and {last} only.", first.join(", "))
        }
        _ => "Edit only the lines named here.".to_string(),
    }
}

/// Something that was found.
#[derive(Clone, Copy)]
enum Finding<'c> {
    Invented(&'c Judged, &'c Invention),
    Misused(&'c Misuse),
}

impl Finding<'_> {
    fn place(&self) -> Place {
        match self {
            Finding::Invented(judged, _) => judged.place,
            Finding::Misused(misuse) => misuse.place,
        }
    }
}

/// Everything that was found: what does not exist before what is misused, each in the order of the texts.
fn findings(checked: &[Checked]) -> Vec<(&Checked, Finding<'_>)> {
    let invented = checked.iter().flat_map(|c| {
        c.accesses.iter().filter_map(move |j| match &j.verdict {
            Verdict::Invented(invention) => Some((c, Finding::Invented(j, invention))),
            Verdict::Known | Verdict::Doubt(_) => None,
        })
    });
    let misused =
        checked.iter().flat_map(|c| c.misuses.iter().map(move |m| (c, Finding::Misused(m))));
    invented.chain(misused).collect()
}

/// How many accesses got which verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// They exist.
    pub known: usize,
    /// They do not.
    pub invented: usize,
    /// Nothing is claimed.
    pub doubt: usize,
}

impl Counts {
    /// Of all these texts.
    pub fn of(checked: &[Checked]) -> Counts {
        let mut counts = Counts::default();
        for judged in checked.iter().flat_map(|c| &c.accesses) {
            match judged.verdict {
                Verdict::Known => counts.known += 1,
                Verdict::Invented(_) => counts.invented += 1,
                Verdict::Doubt(_) => counts.doubt += 1,
            }
        }
        counts
    }
}

/// The answer of `check_symbols` as data; `everything` lists every access too.
pub fn check_symbols_listed(
    checked: &[Checked],
    around: &Around,
    levels: &Levels,
    everything: bool,
) -> Value {
    let counts = Counts::of(checked);
    let mut listed: Vec<Value> = Vec::new();
    for one in checked {
        let mut found = findings(std::slice::from_ref(one));
        found.sort_by_key(|(_, finding)| finding.place());
        listed.extend(found.iter().map(|(checked, finding)| row(checked, finding, levels)));
    }
    let mut data = json!({
        "findings": listed,
        "counts": { "known": counts.known, "invented": counts.invented, "doubt": counts.doubt },
        "apis": around.apis,
        "notes": around.notes,
        "remarks": around.remarks,
    });
    if everything {
        let accesses = checked.iter().flat_map(|c| c.accesses.iter().map(|j| access(c, j)));
        data["accesses"] = accesses.collect();
    }
    data
}

/// A finding as data.
fn row(checked: &Checked, finding: &Finding<'_>, levels: &Levels) -> Value {
    let place = finding.place();
    let level = |kind: FindingKind| match levels.of(kind) {
        Level::Gate => "error",
        Level::Warn | Level::Off => "warning",
    };
    match finding {
        Finding::Invented(judged, invention) => {
            let suggestions = invention.instead.iter().map(
                |s| json!({ "symbol": symbol(judged, invention, s), "signature": s.signature }),
            );
            let kind = kind_of(judged).unwrap_or(FindingKind::Member);
            json!({
                "kind": kind.name(),
                "level": level(kind),
                "file": checked.path,
                "line": place.line,
                "column": place.column,
                "receiver_type": judged.receiver_type,
                "member": judged.member,
                "verdict": "invented",
                "suggestions": suggestions.collect::<Vec<Value>>(),
                "message": message(judged, invention),
            })
        }
        // What it is about exists.
        Finding::Misused(misuse) => json!({
            "kind": misuse.kind().name(),
            "level": level(misuse.kind()),
            "file": checked.path,
            "line": place.line,
            "column": place.column,
            "width": misuse.width,
            "receiver_type": misuse.receiver_type,
            "member": misuse.member,
            "verdict": "known",
            "suggestions": misuses::suggestions(misuse),
            "message": misuses::message(misuse),
        }),
    }
}

/// A suggestion by its whole name.
fn symbol(judged: &Judged, invention: &Invention, suggestion: &Suggestion) -> String {
    match judged.kind {
        Kind::Member | Kind::Import => format!("{}.{}", invention.owner, suggestion.member),
        Kind::Name => suggestion.member.to_string(),
    }
}

fn access(checked: &Checked, judged: &Judged) -> Value {
    let (verdict, reason, suggestions): (&str, Option<String>, Vec<&str>) = match &judged.verdict {
        Verdict::Known => ("known", None, Vec::new()),
        Verdict::Doubt(why) => ("doubt", Some(why.to_string()), Vec::new()),
        Verdict::Invented(invention) => {
            ("invented", None, invention.instead.iter().map(|s| s.member.as_str()).collect())
        }
    };
    let mut row = json!({
        "file": checked.path,
        "line": judged.place.line,
        "column": judged.place.column,
        "receiver_type": judged.receiver_type,
        "member": judged.member,
        "verdict": verdict,
        "suggestions": suggestions,
    });
    if let Some(reason) = reason {
        row["reason"] = reason.into();
    }
    row
}
