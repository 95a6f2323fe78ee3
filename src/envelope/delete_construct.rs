//! The answer of `delete_construct`: the patch, what stays behind and why, and the next call; and the same as data.
//!
//! The patch stands as it is, so that it can be applied; where the budget does not hold it, it is cut on a line's border and
//! goes on with the next call. What stays behind is always told.

use super::{finished, visible};
use crate::answers::delete_construct::{Because, Nothing, Plan, Planned};
use crate::base::Name;
use serde_json::{Value, json};
use std::fmt::Write;

/// How many lines that stay are told one by one.
const MAX_KEPT: usize = 40;

/// What a call asked for, and of what.
#[derive(Debug, Clone)]
pub struct Asked<'a> {
    /// The file, relative to the root.
    pub path: &'a str,
    /// The line that was named.
    pub line: Option<u32>,
    /// The variable that was named.
    pub variable: Option<&'a str>,
    /// The root that was named.
    pub root: Option<String>,
    /// The hash of what is shown: the file as it was read, and the patch.
    pub hash: String,
    /// How many names lead to the file's content.
    pub n_names: u64,
    /// How many characters the text may have.
    pub max_chars: usize,
    /// How many lines of the patch were shown by earlier calls.
    pub cursor: usize,
}

/// How far a deletion is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stand {
    /// It is shown.
    Shown,
    /// It was to be done, but the file is not what was shown.
    Stale,
    /// It is done.
    Done,
}

/// The answer as text.
pub fn delete_construct(
    planned: &Planned,
    asked: &Asked<'_>,
    stand: Stand,
    notes: &[String],
) -> String {
    let text = match planned {
        Planned::Plan(plan) => deletion(plan, asked, stand),
        Planned::Several(found) => several(found, asked),
        Planned::Nothing(nothing) => format!("delete_construct  {}", reason(nothing, asked.path)),
        Planned::Breaks(lines) => breaks(lines, asked.path),
    };
    match (planned, stand) {
        (Planned::Plan(_), _) | (_, Stand::Shown | Stand::Done) => finished(text, notes),
        (Planned::Several(_) | Planned::Nothing(_) | Planned::Breaks(_), Stand::Stale) => {
            finished(format!("{}\n{text}", stale(asked.path)), notes)
        }
    }
}

fn stale(path: &str) -> String {
    format!(
        "delete_construct  {path}  changed since that hash was given, or it was given for another deletion: nothing was deleted"
    )
}

fn deletion(plan: &Plan, asked: &Asked<'_>, stand: Stand) -> String {
    let mut text = headline(plan, asked, stand);
    let mut tail = String::new();
    let counted_kept = plan.kept.len();
    for (line, because) in kept(plan, stand).iter().take(MAX_KEPT) {
        let _ = writeln!(tail, "kept  {line:>4}  {}", why(because));
    }
    if counted_kept > MAX_KEPT {
        let _ = writeln!(tail, "kept  {} lines more", counted_kept - MAX_KEPT);
    }
    for remark in remarks(plan, asked) {
        let _ = writeln!(tail, "{remark}");
    }
    if stand == Stand::Done {
        text.push_str(&tail);
        return text.trim_end().to_owned();
    }
    if plan.patch.is_empty() {
        text.push_str(&tail);
        return text.trim_end().to_owned();
    }
    let _ = writeln!(tail, "hash  {}", asked.hash);
    let _ = writeln!(tail, "to delete exactly this: delete_construct {}", next(plan, asked, None));
    let n_kept = (text.chars().count() + tail.chars().count() + 300).min(asked.max_chars - 100);
    let (shown, cursor) = page(&plan.patch, asked.cursor, asked.max_chars - n_kept);
    text.push_str(&shown);
    if let Some(cursor) = cursor {
        let call = next(plan, asked, Some(cursor));
        let _ = writeln!(text, "the patch goes on: delete_construct {call}");
    }
    text.push_str(&tail);
    text.trim_end().to_owned()
}

/// What stays, by the lines of the file as it now is.
fn kept(plan: &Plan, stand: Stand) -> Vec<(u32, Because)> {
    match stand {
        Stand::Done => plan.kept_after(),
        Stand::Shown | Stand::Stale => plan.kept.clone(),
    }
}

fn headline(plan: &Plan, asked: &Asked<'_>, stand: Stand) -> String {
    let path = asked.path;
    let mut what = match &plan.variable {
        Some(name) => format!("`{name}`, declared in line {}", plan.declared),
        None => format!("what line {} opens", plan.declared),
    };
    if plan.patch.is_empty() {
        return format!("delete_construct  {path}  nothing of {what} can go by itself\n");
    }
    let _ = write!(what, ": {}", counted(plan.n_lines() as usize, "line"));
    if !plan.lines.is_empty() {
        let _ = write!(what, " ({})", ranges(&plan.lines));
    }
    if !plan.shortened.is_empty() {
        let _ = write!(what, " and a piece of {}", counted(plan.shortened.len(), "line"));
    }
    let n_kept = match plan.kept.len() {
        0 => String::new(),
        n => format!(" · {n} kept"),
    };
    match stand {
        Stand::Shown => format!("delete_construct  {path}  would delete {what}{n_kept}\n"),
        Stand::Done => format!("delete_construct  {path}  deleted {what}{n_kept}\n"),
        Stand::Stale => format!("{}\nnow it would delete {what}{n_kept}\n", stale(path)),
    }
}

/// The lines of a patch from `cursor` on that fit, and where to go on.
fn page(patch: &str, cursor: usize, budget: usize) -> (String, Option<usize>) {
    // Line ends are not shown here; the answer as data has the patch byte for byte.
    let lines: Vec<String> =
        patch.lines().map(|line| visible(line.trim_end_matches('\r'))).collect();
    let (mut shown, mut n_left) = (String::new(), budget);
    for (idx, line) in lines.iter().enumerate().skip(cursor) {
        let n_chars = line.chars().count() + 1;
        if n_chars > n_left && idx > cursor {
            return (shown, Some(idx));
        }
        let fitting: String = line.chars().take(n_left.saturating_sub(2)).collect();
        shown.push_str(&fitting);
        shown.push_str(if fitting.len() < line.len() { "…\n" } else { "\n" });
        n_left = n_left.saturating_sub(n_chars);
    }
    (shown, None)
}

/// The arguments of the next call: the same, and `apply`, or where the patch goes on.
fn next(plan: &Plan, asked: &Asked<'_>, cursor: Option<usize>) -> String {
    let mut call = vec![format!("\"path\":{}", json!(asked.path))];
    match (&plan.variable, asked.line) {
        (_, Some(line)) => {
            call.push(format!("\"line\":{line}"));
            call.extend(asked.variable.map(|name| format!("\"variable\":{}", json!(name))));
        }
        (Some(name), None) => call.push(format!("\"variable\":{}", json!(name))),
        (None, None) => call.push(format!("\"line\":{}", plan.declared)),
    }
    call.extend(asked.root.as_ref().map(|root| format!("\"root\":{}", json!(root))));
    match cursor {
        Some(cursor) => call.push(format!("\"cursor\":\"{cursor}\"")),
        None => call.push(format!("\"apply\":true,\"hash\":\"{}\"", asked.hash)),
    }
    format!("{{{}}}", call.join(","))
}

/// Why a line stays.
fn why(because: &Because) -> String {
    match because {
        Because::Belongs(owner) => format!("belongs to `{owner}`, which lives on"),
        Because::Declares(name, line) => format!("declares `{name}`, which line {line} uses"),
        Because::Uses(name) => format!("uses `{name}`, which goes: change it by hand"),
        Because::Takes { owner, gone } => {
            format!("belongs to `{owner}`, which lives on, and uses `{gone}`: change it by hand")
        }
        Because::Makes { made, line, gone } => {
            format!("makes `{made}`, which line {line} uses, out of `{gone}`: change it by hand")
        }
        Because::Returns(name) => format!("returns `{name}`: change it and its callers by hand"),
        Because::Shares(name) => {
            format!("declares `{name}` as a parameter, in a loop or out of something with others")
        }
        Because::Leaves => "leaves the function or loop around it".to_owned(),
        Because::Module => "imports or exports".to_owned(),
        Because::Body => "is all that its branch or loop does: delete that by hand".to_owned(),
        Because::Torn => "its syntax does not hold, so where it ends is not known".to_owned(),
        Because::Shortened => "loses a piece; the rest belongs to something else".to_owned(),
        Because::Emptied => "holds nothing any more".to_owned(),
        Because::Unused(name) => format!("declares `{name}`, which nothing here uses any more"),
        Because::Comment => "is a comment right above what goes".to_owned(),
    }
}

fn remarks(plan: &Plan, asked: &Asked<'_>) -> Vec<String> {
    let unclosed = plan.unclosed.iter().map(|(line, closer)| {
        format!("line {line} opens what no {closer} beside it closes: look for that call")
    });
    let mut remarks: Vec<String> = unclosed.collect();
    if plan.exported {
        let name = plan.variable.as_deref().unwrap_or_default();
        let pattern = json!(name);
        remarks.push(format!(
            "it is exported: find_in_files {{\"pattern\":{pattern}}} shows who uses it"
        ));
    }
    if asked.n_names > 1 {
        let n_others = asked.n_names - 1;
        remarks.push(format!(
            "{n_others} other names lead to this file (hard links): they keep the old content"
        ));
    }
    remarks
}

fn several(found: &[(Name, u32)], asked: &Asked<'_>) -> String {
    let mut text = format!(
        "delete_construct  {}  {} may be meant; name one:\n",
        asked.path,
        counted(found.len(), "variable")
    );
    for (name, line) in found.iter().take(MAX_KEPT) {
        let (path, name) = (json!(asked.path), json!(name));
        let _ = writeln!(
            text,
            "  delete_construct {{\"path\":{path},\"variable\":{name},\"line\":{line}}}"
        );
    }
    if found.len() > MAX_KEPT {
        let _ = writeln!(text, "  {} more", found.len() - MAX_KEPT);
    }
    text.trim_end().to_owned()
}

fn reason(nothing: &Nothing, path: &str) -> String {
    match nothing {
        Nothing::NoLine { line, n_lines } => {
            format!("{path} has {n_lines} lines and no line {line}")
        }
        Nothing::NoVariable(line) => format!(
            "{path}  line {line} names no variable that this file declares, and opens or closes no construct that is known: name the line of a declaration"
        ),
        Nothing::Undeclared { name, near } => {
            let near: Vec<&str> = near.iter().map(Name::as_str).collect();
            let near = match near.is_empty() {
                true => String::new(),
                false => format!("; it declares {}", near.join(", ")),
            };
            format!("{path} declares no variable `{name}`{near}")
        }
    }
}

fn breaks(lines: &[(u32, u32)], path: &str) -> String {
    let lines = match lines.is_empty() {
        true => "a piece of a line".to_owned(),
        false => format!("lines {}", ranges(lines)),
    };
    format!(
        "delete_construct  {path}  without {lines} the code that stays would be read differently, so it cannot be deleted whole: edit it by hand"
    )
}

/// What is said where no script declares a variable.
pub fn nowhere(name: &str, n_scripts: usize) -> String {
    let pattern = json!(name);
    format!(
        "delete_construct  none of {n_scripts} scripts declares a variable `{name}`: find_in_files {{\"pattern\":{pattern}}} shows where the word stands"
    )
}

/// What is said where several files declare a variable.
pub fn everywhere(name: &str, found: &[(String, u32)]) -> String {
    let mut text = format!("delete_construct  `{name}` is declared in several files; name one:\n");
    for (path, line) in found.iter().take(MAX_KEPT) {
        let (path, name) = (json!(path), json!(name));
        let _ = writeln!(
            text,
            "  delete_construct {{\"path\":{path},\"variable\":{name},\"line\":{line}}}"
        );
    }
    if found.len() > MAX_KEPT {
        let _ = writeln!(text, "  {} more", found.len() - MAX_KEPT);
    }
    text.trim_end().to_owned()
}

fn ranges(lines: &[(u32, u32)]) -> String {
    let said = lines.iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}–{last}"),
    });
    said.collect::<Vec<_>>().join(", ")
}

fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// The answer as data.
pub fn as_json(planned: &Planned, asked: &Asked<'_>, stand: Stand, notes: &[String]) -> Value {
    let mut data = json!({
        "path": asked.path,
        "lines": [],
        "kept": [],
        "patch": "",
        "hash": asked.hash,
        "applied": stand == Stand::Done,
        "notes": notes,
    });
    match planned {
        Planned::Plan(plan) => {
            let kept = kept(plan, stand);
            let kept: Vec<Value> = kept
                .iter()
                .map(|(line, because)| json!({ "line": line, "why": why(because) }))
                .collect();
            data["lines"] = json!(plan.lines);
            data["kept"] = kept.into();
            data["patch"] = plan.patch.as_str().into();
            data["shortened"] = json!(plan.shortened);
            data["remarks"] = json!(remarks(plan, asked));
            data["variable"] = json!(plan.variable);
        }
        Planned::Several(found) => {
            let choices =
                found.iter().map(|(name, line)| json!({ "variable": name, "line": line }));
            data["choices"] = choices.collect::<Vec<_>>().into();
        }
        Planned::Nothing(nothing) => data["error"] = reason(nothing, asked.path).into(),
        Planned::Breaks(lines) => data["error"] = breaks(lines, asked.path).into(),
    }
    if stand == Stand::Stale {
        data["error"] = stale(asked.path).into();
    }
    data
}
