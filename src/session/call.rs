//! What a session is started with, what a call is, and what it gives.

use crate::corpus::store::Mining;
use crate::envelope;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;

/// What a session is started with; the command line reads it from arguments and environment.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// `--root`.
    pub root: Option<PathBuf>,
    /// What the host says the project is (`CLAUDE_PROJECT_DIR`).
    pub project: Option<PathBuf>,
    /// The working directory.
    pub here: PathBuf,
    /// The home folder, which is never a root.
    pub home: Option<PathBuf>,
    /// Where caches are kept; none keeps them in memory.
    pub cache: Option<PathBuf>,
    /// Where baselines are kept; none keeps them in memory.
    pub state: Option<PathBuf>,
    /// Where these are given, calls are about these folders and what lies in them only; absolute, without links.
    pub only: Vec<PathBuf>,
    /// Whether a project's own configuration may name files outside its root (`--allow-outside`).
    pub outside: Outside,
    /// Whether what was mined before holds while large sources that changed are mined again.
    pub mining: Mining,
}

/// Whether files outside the root may be read because the project's configuration names them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Outside {
    /// They are left out, and said so.
    #[default]
    Refused,
    /// They are read.
    Allowed,
}

/// A call as it arrives: the tool's name and its arguments as JSON.
#[derive(Debug, Clone)]
pub struct Call {
    /// The tool's name.
    pub tool: String,
    /// Its arguments, as the caller wrote them.
    pub arguments: serde_json::Map<String, Value>,
    /// The roots that the client named, best first.
    pub client_roots: Vec<PathBuf>,
    /// Whether the answer as data lists every access (`--all`).
    pub listing: Listing,
    /// Who asks.
    pub principal: Principal,
}

/// Who asks: the subject of a token, or whoever uses this machine's own doors. What one principal was given by name (a
/// baseline's id) is not there for another.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Principal {
    /// The user of this machine.
    #[default]
    Own,
    /// The subject of a token, as its issuer names it.
    Subject(Arc<str>),
}

/// How much the answer as data lists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Listing {
    /// Findings.
    #[default]
    Findings,
    /// Every access.
    Everything,
}

/// What a call gives. It is made in one place, so that nothing in it hides itself.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The envelope: what an agent sees.
    pub text: String,
    /// The same answer as data.
    pub data: Value,
    /// How it went.
    pub outcome: Outcome,
    /// Nobody else can fill this in.
    _seen: Seen,
}

/// All characters were looked at.
#[derive(Debug, Clone, Copy)]
struct Seen;

/// How a call went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Answered, nothing found wrong.
    Clean,
    /// Answered, with findings.
    Findings,
    /// It could not be answered; the text says why and what to do.
    Failed,
}

impl Reply {
    /// What is said and the same as data, both with every character that hides itself shown.
    pub fn new(text: String, data: Value, outcome: Outcome) -> Reply {
        let (text, data) = (envelope::visible(&text), envelope::visible_value(data));
        Reply { text, data, outcome, _seen: Seen }
    }

    /// A call that could not be answered.
    pub fn failed(why: &str) -> Reply {
        Reply::new(why.to_owned(), json!({ "error": why }), Outcome::Failed)
    }
}
