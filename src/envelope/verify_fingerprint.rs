//! The words of `verify_fingerprint`: what is covered, what moved and how, and what else happened.
//!
//! Nothing here says more than that the covered tree has the same bytes now as then.

use super::visible;
use crate::answers::verify_fingerprint::{Comparison, How, Remark, Verdict, What};
use crate::sources::repository::Head;
use crate::sources::tree::{Fingerprint, Scope, Seen};
use crate::sources::watch::Gap;
use crate::sources::workspace::{Lies, TreePath};
use serde_json::{Value, json};
use std::fmt::Write;

/// How many paths a text names before it counts.
const MAX_NAMED: usize = 200;

/// How much of an id is shown where the whole is known.
const SHORT: usize = 12;

/// What a beginning says of a watcher that runs.
pub const WATCHED: &str =
    "watched until it is compared, in this process: what is put back or comes and goes is named";

/// What a beginning says where no watcher could be started.
pub fn unwatched(why: &str) -> String {
    format!("not watched: {why}; what is put back is told by what it leaves behind only")
}

/// A baseline as `status` lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its id.
    pub id: String,
    /// The last verdict that was given with it, if any was.
    pub verdict: Option<String>,
}

/// The answer of `begin`.
pub fn begun(id: &str, fingerprint: &Fingerprint, notes: &[String], max_chars: usize) -> String {
    let (files, bytes) = fingerprint.covered();
    let (ignored, left) = uncovered(fingerprint);
    let mut text = format!("verify_fingerprint  begun  baseline {id}\n");
    let _ = writeln!(
        text,
        "covers {}, {}: all that is tracked, and all else that is not ignored now",
        counted(files as u64, "file"),
        counted(bytes, "byte")
    );
    let _ = write!(
        text,
        "told but not counted: {} ignored, {} left by test runs; files outside that links lead to",
        counted(ignored as u64, "file"),
        left
    );
    for note in notes {
        let _ = write!(text, "\n{note}");
    }
    let next = format!(
        "\nNow run the check, then call verify_fingerprint {{\"action\":\"compare\",\"baseline\":\"{id}\"}}. Its verdict \
         counts only if that says HELD."
    );
    finished(text, &[], &next, max_chars)
}

/// The answer of `compare`.
pub fn compared(id: &str, found: &Comparison, now: Option<&Seen<'_>>, max_chars: usize) -> String {
    let short: String = id.chars().take(SHORT).collect();
    let (head, lines, next) = match &found.verdict {
        Verdict::Held => {
            let (files, bytes) = now.map(Seen::covered).unwrap_or_default();
            let head = format!(
                "verify_fingerprint  HELD  baseline {short}  {}, {} have the same content now as then",
                counted(files as u64, "covered file"),
                counted(bytes, "byte")
            );
            (head, Vec::new(), "")
        }
        Verdict::Moved(moves) => {
            let head = format!(
                "verify_fingerprint  MOVED  baseline {short}  {} since it was taken",
                counted(moves.len() as u64, "path")
            );
            let lines = moves.iter().map(|m| format!("{}  {}", m.path, how(m.how))).collect();
            (
                head,
                lines,
                "\nWhat was checked is void: name these paths, begin again, and check again.",
            )
        }
        Verdict::Unknown(reasons) => {
            let head = format!("verify_fingerprint  UNKNOWN  baseline {short}  it cannot be told");
            (
                head,
                reasons.clone(),
                "\nWhat was checked is void: mend this, begin again, and check again.",
            )
        }
    };
    let remarks = found.remarks.iter().map(|r| format!("remark: {}", remark(r)));
    let lines: Vec<String> = lines.into_iter().chain(remarks).collect();
    finished(head, &lines, next, max_chars)
}

/// The answer of `status`.
pub fn listed(baselines: &[Listed], max_chars: usize) -> String {
    if baselines.is_empty() {
        let none = "verify_fingerprint  no baseline of this root: call it with {\"action\":\"begin\"} before the check";
        return none.to_owned();
    }
    let head = format!("verify_fingerprint  {}", counted(baselines.len() as u64, "baseline"));
    let lines: Vec<String> = baselines
        .iter()
        .map(|b| format!("{}  {}", b.id, b.verdict.as_deref().unwrap_or("open: not compared yet")))
        .collect();
    finished(head, &lines, "", max_chars)
}

/// A comparison as data; with none, what was begun. `covered` is how many files are covered, and their bytes.
pub fn as_json(id: &str, found: Option<&Comparison>, covered: (usize, u64)) -> Value {
    let (files, bytes) = covered;
    let mut data = json!({ "baseline": id });
    let mut moved = Vec::new();
    let mut remarks: Vec<String> = Vec::new();
    if let Some(found) = found {
        data["verdict"] = word(&found.verdict).into();
        remarks.extend(found.remarks.iter().map(|r| visible(&remark(r))));
        match &found.verdict {
            Verdict::Held => {}
            Verdict::Moved(moves) => moved.extend(
                moves
                    .iter()
                    .map(|m| json!({ "path": visible(&m.path.to_string()), "how": how(m.how) })),
            ),
            Verdict::Unknown(reasons) => remarks.extend(reasons.iter().map(|r| visible(r))),
        }
    }
    data["moved"] = moved.into();
    data["remarks"] = remarks.into();
    data["covered"] = json!({ "files": files, "bytes": bytes });
    data
}

/// The listed baselines as data.
pub fn listed_as_json(baselines: &[Listed]) -> Value {
    let rows: Vec<Value> =
        baselines.iter().map(|b| json!({ "baseline": b.id, "verdict": b.verdict })).collect();
    json!({ "baselines": rows })
}

/// A verdict in one word.
pub fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Held => "held",
        Verdict::Moved(_) => "moved",
        Verdict::Unknown(_) => "unknown",
    }
}

fn how(how: How) -> &'static str {
    match how {
        How::Appeared => "appeared",
        How::Vanished => "vanished",
        How::Edited => "edited",
        How::Executable => "made executable",
        How::NotExecutable => "no longer executable",
        How::Retargeted => "leads elsewhere",
        How::Became(Lies::File { .. }) => "became a file",
        How::Became(Lies::Link) => "became a link",
        How::Became(Lies::Folder) => "became a folder",
        How::Became(Lies::Special) => "became a pipe, socket or device",
        How::Staged => "staged in the index with content that was not there",
        How::Committed => "committed with content that was not there",
        How::Repository => "the repository appeared, is gone, or is another",
    }
}

fn remark(remark: &Remark) -> String {
    let path = &remark.path;
    match &remark.what {
        What::Head(from, to) => {
            format!("HEAD moved{}: {} -> {}", within(path), stands(from), stands(to))
        }
        What::Control(name) => format!("git's {name} changed{}", within(path)),
        What::Excludes => {
            let said = "git's excludes file changed; the rules of the beginning were used";
            format!("{said}{}", within(path))
        }
        What::Flags(from, to) => format!("index flag of {path} changed: {from} -> {to}"),
        What::Staged => format!("staged or unstaged: {path}"),
        What::Unstaged => format!("no longer in the index: {path}"),
        What::Allowed(moved) => format!("allowed to move: {path} {}", how(*moved)),
        What::Touched => format!("touched, content equal: {path}"),
        What::FolderTouched => format!("folder moved away and back, or its time put back: {path}"),
        What::CameAndWent => format!("something came and went in the folder {path}"),
        What::PutBack => {
            format!("edited and put back, or written with the same content: {path}")
        }
        What::Replaced => format!("removed or replaced, and the same content is there: {path}"),
        What::MovedAndBack => format!("moved away and back: {path}"),
        What::WasThere => format!("came and went: {path}"),
        What::Gap(gap) => format!("the watcher may have missed something: {}", missed(gap)),
        What::Unwatched => "the watcher did not run to the end: what came and went is told by what it left behind only"
            .to_owned(),
        What::Beyond => format!("the file outside the root behind the link changed: {path}"),
        What::Special => format!("a pipe, socket or device came or went: {path}"),
        What::Uncovered(scope) => format!("{} path changed: {path}", called(*scope)),
        What::New(scope, count) => format!("{}: {count} new in or at {path}", called(*scope)),
    }
}

fn missed(gap: &Gap) -> String {
    match gap {
        Gap::Overflow => "more happened at once than the system keeps".to_owned(),
        Gap::Full => "more paths were touched than are written down".to_owned(),
        Gap::Unanswered => "it did not say that it had told everything".to_owned(),
        Gap::Failed(why) => why.clone(),
    }
}

fn called(scope: Scope) -> &'static str {
    match scope {
        Scope::Covered => "covered",
        Scope::Ignored => "ignored",
        Scope::Artefact => "test-run artefact",
    }
}

fn within(at: &TreePath) -> String {
    if at.is_root() { String::new() } else { format!(" in {at}") }
}

fn stands(head: &Head) -> String {
    let commit = head.commit.as_ref().map_or_else(|| "no commit".to_owned(), |c| c.hex());
    let commit: String = commit.chars().take(SHORT).collect();
    match &head.branch {
        Some(branch) => format!("{commit} on {}", branch.trim_start_matches("refs/heads/")),
        None => format!("{commit}, detached"),
    }
}

fn uncovered(fingerprint: &Fingerprint) -> (usize, usize) {
    let of = |scope| {
        let files = fingerprint.entries.iter().filter(|e| e.lies != Lies::Folder);
        files.filter(|e| e.scope == scope).count()
    };
    (of(Scope::Ignored), of(Scope::Artefact))
}

fn counted(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// The lines that fit, then how many more there are, then what to do.
fn finished(head: String, lines: &[String], next: &str, max_chars: usize) -> String {
    let mut text = visible(&head);
    let budget = max_chars.saturating_sub(next.len() + 120);
    let mut n_shown = 0;
    for line in lines.iter().map(|line| visible(line)) {
        if n_shown >= MAX_NAMED || text.chars().count() + line.chars().count() > budget {
            break;
        }
        text.push('\n');
        text.push_str(&line);
        n_shown += 1;
    }
    if n_shown < lines.len() {
        let n_left = lines.len() - n_shown;
        let _ = write!(text, "\n{n_left} more; all of them: groundline fingerprint compare");
    }
    text + next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::verify_fingerprint::Move;

    fn moved(n: usize) -> Comparison {
        let name = |n: usize| TreePath::of(format!("src/{n}\n.js").as_bytes());
        let moves = (0..n).map(|n| Move { path: name(n), how: How::Edited }).collect();
        Comparison { verdict: Verdict::Moved(moves), remarks: Vec::new() }
    }

    #[test]
    fn a_move_names_its_path_on_one_line_and_says_what_follows() {
        assert_eq!(
            compared("0123456789abcdef", &moved(1), None, 20_000),
            "verify_fingerprint  MOVED  baseline 0123456789ab  1 path since it was taken\n\
             src/0\\u{a}.js  edited\n\
             What was checked is void: name these paths, begin again, and check again."
        );
    }

    #[test]
    fn many_paths_are_counted_and_the_text_fits() {
        let text = compared("0", &moved(5000), None, 20_000);
        assert!(text.contains("\n4800 more;"), "{text}");
        for max_chars in [500, 2_000] {
            assert!(compared("0", &moved(5000), None, max_chars).chars().count() <= max_chars);
        }
    }

    #[test]
    fn held_says_no_more_than_it_knows() {
        let held = Comparison { verdict: Verdict::Held, remarks: Vec::new() };
        let now = Seen::of(&[], Vec::new());
        assert_eq!(
            compared("0", &held, Some(&now), 20_000),
            "verify_fingerprint  HELD  baseline 0  0 covered files, 0 bytes have the same content now as then"
        );
    }
}
