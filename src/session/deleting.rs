//! One call of `delete_construct`: which file is meant, what would go, and, when told to, writing what is left.
//!
//! What was shown is what is done: a file that is not byte for byte what a preview was made of is left alone. Nothing is
//! written but a file of the project that was named, and only with pieces taken out.

use super::arguments::{ArgumentTrouble, Arguments};
use super::call::{Call, Outcome, Reply};
use super::ground::Ground;
use crate::answers::delete_construct::{Known, Planned, Wanted, declarations, plan};
use crate::base::Stop;
use crate::corpus::documents::Documents;
use crate::datagraph::documentation::Construct;
use crate::envelope::delete_construct::{self as words, Asked, Stand};
use crate::envelope::{DEFAULT_CHARS, MOST_CHARS};
use crate::sources::script::Language;
use crate::sources::workspace::opening::hash_of;
use crate::sources::workspace::text::decoded;
use crate::sources::workspace::writing::{ReplaceTrouble, n_names, replace};
use crate::sources::workspace::{Decoding, OpenTrouble, Standing, Workspace};
use std::path::PathBuf;
use std::sync::Arc;

/// The stack of the thread that lowers scripts.
const STACK: usize = 64 * 1024 * 1024;

/// Why a call of `delete_construct` has no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum DeleteTrouble {
    /// An argument could not be understood.
    #[error(transparent)]
    Argument(#[from] ArgumentTrouble),
    /// Nothing is named.
    #[error(
        "delete_construct needs `path` with `line` or `variable`, as in \"path\": \"invoice.js\", \"line\": 13"
    )]
    Unnamed,
    /// The file cannot be read.
    #[error("`path`: {0}")]
    Open(#[from] OpenTrouble),
    /// It is no script.
    #[error(
        "{0} is no JavaScript or TypeScript, the only code whose variables are followed: edit it by hand"
    )]
    NoScript(String),
    /// What is left could not be written exactly as it was.
    #[error("{0} is {1}, and what stays could not be kept byte for byte: save it as UTF-8 first")]
    Encoding(String, &'static str),
    /// Several files declare the variable, or none.
    #[error("{0}")]
    Where(String),
    /// `apply` needs the hash.
    #[error(
        "`apply` needs the `hash` of a preview: call delete_construct without `apply` first, and take the hash it gives"
    )]
    NoHash,
    /// It was not written.
    #[error("{path} was not changed: {why}")]
    Write {
        /// Which file.
        path: String,
        /// Why, and what to do.
        why: String,
    },
    /// It ended before the answer was whole.
    #[error("delete_construct  stopped before the answer was whole; nothing was changed")]
    Stopped,
}

/// A file as it was read.
struct File {
    path: String,
    real: PathBuf,
    bytes: Vec<u8>,
    text: String,
    language: Language,
}

/// Answers the call.
pub(super) fn delete(
    call: &Call,
    ground: &Ground,
    (documents, mut notes): (&[Arc<Documents>], Vec<String>),
    stop: &Stop,
) -> Result<Reply, DeleteTrouble> {
    let arguments = Arguments(&call.arguments);
    notes.extend_from_slice(&ground.notes);
    let variable = arguments.text("variable")?.map(|name| name.trim().to_owned());
    let line = arguments.number("line", 0..=u64::from(u32::MAX))?.map(|n| n as u32);
    let wanted = match (&variable, line) {
        (Some(name), Some(line)) => Wanted::Both(name.as_str().into(), line),
        (Some(name), None) => Wanted::Variable(name.as_str().into()),
        (None, Some(line)) => Wanted::Line(line),
        (None, None) => return Err(DeleteTrouble::Unnamed),
    };
    let applies = arguments.flag("apply")? == Some(true);
    let hash = arguments.text("hash")?.map(|hash| hash.trim().to_lowercase());
    let max_chars = arguments.number("max_chars", 500..=MOST_CHARS as u64)?;
    let cursor = arguments.cursor()?;
    let path = match (arguments.text("path")?, &wanted) {
        (Some(path), _) => path,
        (None, Wanted::Variable(name)) => only_file(&ground.workspace, name, stop)?,
        (None, Wanted::Line(_) | Wanted::Both(..)) => return Err(DeleteTrouble::Unnamed),
    };
    let file = read(&ground.workspace, &path)?;
    let constructs: Vec<&Construct> = documents.iter().flat_map(|d| &d.constructs).collect();
    let known = Known { constructs: &constructs, corpus: &ground.corpus };
    let planned = deep(|| plan((&file.path, &file.text), file.language, known, &wanted));
    if stop.is_set() {
        return Err(DeleteTrouble::Stopped);
    }
    // What was shown: the file as it is, and what would go of it.
    let mut shown = file.bytes.clone();
    if let Planned::Plan(plan) = &planned {
        shown.extend_from_slice(plan.patch.as_bytes());
    }
    let asked = Asked {
        path: &file.path,
        line,
        variable: variable.as_deref(),
        root: arguments.text("root")?,
        hash: hash_of(&shown),
        n_names: n_names(&file.real),
        max_chars: max_chars.map_or(DEFAULT_CHARS, |n| n as usize),
        cursor,
    };
    let stand = match &planned {
        _ if applies && hash.is_none() => return Err(DeleteTrouble::NoHash),
        _ if applies && hash.as_ref() != Some(&asked.hash) => Stand::Stale,
        Planned::Plan(plan) if applies && !plan.patch.is_empty() => {
            write(&file, &plan.left)?;
            Stand::Done
        }
        Planned::Plan(_) | Planned::Several(_) | Planned::Nothing(_) | Planned::Breaks(_) => {
            Stand::Shown
        }
    };
    let outcome = match (&planned, stand) {
        (_, Stand::Stale) | (Planned::Breaks(_), _) => Outcome::Failed,
        (Planned::Plan(_) | Planned::Several(_) | Planned::Nothing(_), _) => Outcome::Clean,
    };
    let mut data = words::as_json(&planned, &asked, stand, &notes);
    let patch = data.get_mut("patch").map(serde_json::Value::take);
    let text = words::delete_construct(&planned, &asked, stand, &notes);
    let mut reply = Reply::new(text, data, outcome);
    // A patch is applied byte for byte; whoever prints it shows what hides in it as JSON does.
    reply.data["patch"] = patch.unwrap_or_default();
    Ok(reply)
}

/// Runs what recurses on a stack of its own.
fn deep<T: Send>(work: impl Fn() -> T + Send + Sync) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, &work);
        thread.map(std::thread::ScopedJoinHandle::join).map_or_else(
            |_| work(),
            |joined| joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        )
    })
}

fn read(workspace: &Workspace, path: &str) -> Result<File, DeleteTrouble> {
    let real = workspace.resolve(path)?;
    let shown = workspace.shown(&real);
    let bytes = workspace.bytes(&shown)?;
    let language =
        Language::of_path(&shown).ok_or_else(|| DeleteTrouble::NoScript(shown.clone()))?;
    let read = decoded(&bytes).ok_or_else(|| OpenTrouble::Binary(shown.clone()))?;
    match read.decoding {
        Decoding::Utf8 => Ok(File { path: shown, real, text: read.text, bytes, language }),
        Decoding::Utf16 => Err(DeleteTrouble::Encoding(shown, "UTF-16")),
        Decoding::Lossy => Err(DeleteTrouble::Encoding(shown, "not UTF-8 everywhere")),
    }
}

/// The one file of the project that declares a variable.
fn only_file(workspace: &Workspace, name: &str, stop: &Stop) -> Result<String, DeleteTrouble> {
    let scripts = workspace.scripts(stop).files;
    let n_scripts = scripts.len();
    let own = scripts.into_iter().filter(|file| file.standing == Standing::Own);
    let mut found: Vec<(String, u32)> = Vec::new();
    for file in own.take_while(|_| !stop.is_set()) {
        let Some(language) = Language::of_path(&file.path) else { continue };
        let Ok(read) = workspace.read(&file.path) else { continue };
        if read.text.contains(name) {
            let lines = deep(|| declarations(&read.text, language, name));
            found.extend(lines.into_iter().map(|line| (file.path.clone(), line)));
        }
    }
    if stop.is_set() {
        return Err(DeleteTrouble::Stopped);
    }
    found.sort();
    match &found[..] {
        [] => Err(DeleteTrouble::Where(words::nowhere(name, n_scripts))),
        [(path, _), rest @ ..] if rest.iter().all(|(other, _)| other == path) => Ok(path.clone()),
        _ => Err(DeleteTrouble::Where(words::everywhere(name, &found))),
    }
}

fn write(file: &File, left: &str) -> Result<(), DeleteTrouble> {
    let why = match replace(&file.real, &file.bytes, left.as_bytes()) {
        Ok(()) => return Ok(()),
        Err(ReplaceTrouble::Changed) => {
            "it changed while it was being deleted from: ask for a new preview".to_owned()
        }
        Err(ReplaceTrouble::ReadOnly) => "it is read-only: make it writable first".to_owned(),
        Err(ReplaceTrouble::Refused(why)) => {
            format!("its folder cannot be written ({why}): make it writable first")
        }
    };
    Err(DeleteTrouble::Write { path: file.path.clone(), why })
}
