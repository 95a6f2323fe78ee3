//! A check that is run between two fingerprints: what it says counts only if the tree held still.

mod command;
mod statement;

pub use command::Ended;
pub use statement::Tested;

use super::opened::root_of;
use crate::answers::verify_fingerprint::Watch;
use crate::base::{Progress, Stop};
use crate::session::{Call, Listing, Outcome, Principal, Reply, Session, Settings};
use crate::sources::workspace::folder::own_bytes;
use crate::sources::workspace::opening::slashed;
use crate::sources::workspace::writing::write;
use command::{Left, Ran};
use serde_json::{Value, json};
use statement::Statement;
use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The largest attestation that is read, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// So many of the paths that moved are named.
const MAX_NAMED: usize = 200;

/// What is to be verified.
#[derive(Debug)]
pub struct VerifyWish {
    /// Ignored paths that count all the same.
    pub include: Vec<String>,
    /// Paths that the command may change.
    pub allow: Vec<String>,
    /// How long the command may run.
    pub timeout: Option<Duration>,
    /// Where the attestation goes.
    pub attest: Option<PathBuf>,
    /// The program and its arguments.
    pub command: Vec<OsString>,
}

/// What a check is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The command was content, and the tree held still.
    Pass,
    /// The command was not content, and the tree held still.
    Fail,
    /// The tree moved: what the command said is about no tree.
    Void,
    /// It could not be told.
    Unknown,
}

/// A verdict with what is told of it.
#[derive(Debug)]
pub struct Verified {
    /// The verdict.
    pub verdict: Verdict,
    /// The words; the first line begins with the verdict.
    pub text: String,
}

impl Verdict {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Pass => "PASS",
            Verdict::Fail => "FAIL",
            Verdict::Void => "VOID",
            Verdict::Unknown => "UNKNOWN",
        }
    }
}

/// Asks one session about one tree.
struct Tree<'t> {
    session: Session,
    progress: &'t dyn Progress,
}

impl Tree<'_> {
    fn ask(&self, arguments: Value) -> Reply {
        let Value::Object(arguments) = arguments else { return Reply::failed("no arguments") };
        let call = Call {
            tool: "verify_fingerprint".to_owned(),
            arguments,
            client_roots: Vec::new(),
            listing: Listing::Findings,
            principal: Principal::Own,
        };
        self.session.ask(&call, &Stop::default(), self.progress)
    }

    /// A baseline's data, or why there is none.
    fn begin(&self, include: &[String], allow: &[String], watch: Watch) -> Result<Value, String> {
        let watch = watch == Watch::On;
        let reply = self
            .ask(json!({"action": "begin", "include": include, "allow": allow, "watch": watch}));
        match reply.outcome {
            Outcome::Clean => Ok(reply.data),
            Outcome::Findings | Outcome::Failed => Err(reply.text),
        }
    }

    fn compare(&self, baseline: &Value) -> Reply {
        self.ask(json!({"action": "compare", "baseline": baseline}))
    }
}

/// Takes a fingerprint, runs the command, takes another, and says what that is worth.
pub fn run(settings: Settings, wish: &VerifyWish, progress: &dyn Progress) -> Verified {
    let here = settings.here.clone();
    let mut allow = wish.allow.clone();
    // The attestation may lie in the tree that it is about.
    let attested = wish.attest.as_deref().zip(root_of(&settings).ok());
    allow.extend(attested.and_then(|(file, root)| pattern_of(file, &root)));
    let tree = Tree { session: Session::new(settings), progress };
    let begun = match tree.begin(&wish.include, &allow, Watch::On) {
        Ok(begun) => begun,
        Err(why) => return unknown(&format!("nothing was run: {why}"), ""),
    };
    let ran = match command::run(&wish.command, &here, wish.timeout) {
        Ok(ran) => ran,
        Err(why) => {
            let name = wish.command.first().map_or("".into(), |name| name.to_string_lossy());
            tree.compare(&begun["baseline"]);
            return unknown(&format!("`{name}` could not be started: {why}"), "");
        }
    };
    let compared = tree.compare(&begun["baseline"]);
    let mut verified = judged(wish, &ran, &begun, &compared);
    let result = match verified.verdict {
        Verdict::Pass => Tested::Passed,
        Verdict::Fail => Tested::Failed,
        Verdict::Void | Verdict::Unknown => {
            if let Some(file) = &wish.attest {
                let _ = write!(verified.text, "\nnothing was attested in {}", slashed(file));
            }
            return verified;
        }
    };
    let (Some(file), Ended::Exit(exit)) = (&wish.attest, &ran.ended) else { return verified };
    let text = |name: &str| begun[name].as_str().map(str::to_owned);
    let statement = Statement {
        tree: text("tree").unwrap_or_default(),
        commit: text("commit"),
        result,
        exit: *exit,
        command: wish.command.iter().map(|part| part.to_string_lossy().into_owned()).collect(),
        include: wish.include.clone(),
        allow,
    };
    let whole = statement::written(&statement, &ran.stdout, &ran.stderr);
    let bytes = format!("{whole:#}\n");
    match write(file, bytes.as_bytes()) {
        Ok(()) => _ = write!(verified.text, "\nattested in {}", slashed(file)),
        Err(why) => {
            let said = format!("the attestation cannot be written to {}: {why}", slashed(file));
            return unknown(&said, &verified.text);
        }
    }
    verified
}

/// Holds an attestation against the tree as it stands: PASS or FAIL, as it says, where the tree is the one it is about.
pub fn check(settings: Settings, file: &Path, progress: &dyn Progress) -> Verified {
    let said = slashed(file);
    let bytes = match own_bytes(file, MOST_BYTES) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return unknown(&format!("{said} does not exist"), ""),
        Err(why) => return unknown(&format!("{said} cannot be read: {why}"), ""),
    };
    let statement = match statement::read(&bytes) {
        Ok(statement) => statement,
        Err(why) => return unknown(&format!("{said} {why}"), ""),
    };
    let tree = Tree { session: Session::new(settings), progress };
    let begun = match tree.begin(&statement.include, &statement.allow, Watch::Off) {
        Ok(begun) => begun,
        Err(why) => return unknown(&why, ""),
    };
    // So that no baseline stays open that nobody will compare.
    tree.compare(&begun["baseline"]);
    let command = statement.command.join(" ");
    if begun["tree"].as_str() != Some(&statement.tree) {
        let text = format!(
            "VOID  {said} is about another tree than this one: run `{command}` again, with groundline verify"
        );
        return Verified { verdict: Verdict::Void, text };
    }
    let verdict = match statement.result {
        Tested::Passed => Verdict::Pass,
        Tested::Failed => Verdict::Fail,
    };
    let mut text = format!(
        "{}  `{command}` ended with {} on this very tree, says {said}, which is not signed",
        verdict.word(),
        statement.exit
    );
    if begun["commit"].as_str() != statement.commit.as_deref() {
        text.push_str("\nremark  HEAD stands elsewhere now, over the same tree");
    }
    Verified { verdict, text }
}

fn judged(wish: &VerifyWish, ran: &Ran, begun: &Value, compared: &Reply) -> Verified {
    let command: Vec<_> = wish.command.iter().map(|part| part.to_string_lossy()).collect();
    let said = format!("`{}` {}", command.join(" "), in_words(&ran.ended));
    let texts = |name: &str| compared.data[name].as_array().cloned().unwrap_or_default();
    let moved = texts("moved");
    let (verdict, rest) = match (compared.outcome, &ran.ended) {
        (Outcome::Findings, _) => {
            let n = moved.len();
            let paths = if n == 1 { "path" } else { "paths" };
            (Verdict::Void, format!("and that counts for nothing: {n} {paths} moved meanwhile"))
        }
        (Outcome::Failed, _) => {
            (Verdict::Unknown, "and whether the tree held still cannot be told".to_owned())
        }
        (Outcome::Clean, Ended::Exit(status)) => {
            let n = begun["covered"]["files"].as_u64().unwrap_or(0);
            let files = if n == 1 { "file" } else { "files" };
            let verdict = if *status == 0 { Verdict::Pass } else { Verdict::Fail };
            (verdict, format!("and the tree held still, {n} {files}"))
        }
        (Outcome::Clean, Ended::Killed(_) | Ended::Late(_) | Ended::Interrupted) => {
            (Verdict::Unknown, "so it said nothing; the tree held still".to_owned())
        }
    };
    let mut text = format!("{}  {said}, {rest}", verdict.word());
    for row in moved.iter().take(MAX_NAMED) {
        let part = |name: &str| row[name].as_str().unwrap_or("");
        let _ = write!(text, "\n  {}  {}", part("how"), part("path"));
    }
    if moved.len() > MAX_NAMED {
        let _ = write!(text, "\n  and {} more", moved.len() - MAX_NAMED);
    }
    for remark in texts("remarks").iter().filter_map(Value::as_str) {
        let _ = write!(text, "\nremark  {remark}");
    }
    match ran.left {
        Left::Nothing => {}
        Left::Ended => text.push_str("\nremark  what the command left running was ended"),
    }
    Verified { verdict, text }
}

fn in_words(ended: &Ended) -> String {
    match ended {
        Ended::Exit(status) => format!("ended with {status}"),
        Ended::Killed(Some(signal)) => format!("was ended by signal {signal}"),
        Ended::Killed(None) => "was ended from outside".to_owned(),
        Ended::Late(after) => format!("was stopped after {} s", after.as_secs()),
        Ended::Interrupted => "was interrupted".to_owned(),
    }
}

fn unknown(why: &str, before: &str) -> Verified {
    let before = if before.is_empty() { String::new() } else { format!("{before}\n") };
    Verified { verdict: Verdict::Unknown, text: format!("{before}UNKNOWN  {why}") }
}

/// The pattern that matches just this file, where it lies below the root.
fn pattern_of(file: &Path, root: &Path) -> Option<String> {
    let folder = file.parent()?.canonicalize().ok()?;
    let inside = folder.join(file.file_name()?);
    let path = slashed(inside.strip_prefix(root).ok()?);
    let mut pattern = String::from("/");
    for letter in path.chars() {
        if matches!(letter, '*' | '?' | '[' | ']' | '\\' | '!' | '#' | ' ') {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    Some(pattern)
}
