//! One call of `find_construct`: what the arguments ask for, and the documentation that is asked.

use super::arguments::{ArgumentTrouble, Arguments};
use super::call::{Call, Outcome, Reply};
use super::ground::Ground;
use crate::answers::find_construct::find;
use crate::base::Stop;
use crate::corpus::documents::Documents;
use crate::datagraph::documentation::Documentation;
use crate::datagraph::documentation::constructs::constructs;
use crate::envelope::{self, Around, DEFAULT_CHARS, MOST_CHARS};
use std::sync::Arc;

/// Why a call of `find_construct` has no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum ConstructTrouble {
    /// An argument could not be understood.
    #[error(transparent)]
    Argument(#[from] ArgumentTrouble),
    /// Nothing is asked.
    #[error("find_construct needs `name`, as in \"name\": \"table\"")]
    NoName,
    /// No such api holds.
    #[error("`api`: {asked} does not hold here: {known} do")]
    NoApi {
        /// What was asked for.
        asked: String,
        /// The apis that hold.
        known: String,
    },
    /// It ended before the answer was whole.
    #[error("find_construct  stopped before the answer was whole: name one api with `api`")]
    Stopped,
}

/// Answers the call.
pub(super) fn construct(
    call: &Call,
    ground: &Ground,
    stop: &Stop,
) -> Result<Reply, ConstructTrouble> {
    let arguments = Arguments(&call.arguments);
    let name = arguments.text("name")?.ok_or(ConstructTrouble::NoName)?;
    let api = arguments.text("api")?;
    let n_chars = arguments.number("max_chars", 500..=MOST_CHARS as u64)?;
    let cursor = arguments.text("cursor")?.and_then(|c| c.trim().parse().ok()).unwrap_or(0);
    let documents = documents(ground, api.as_deref(), stop)?;
    let opened: Vec<&Documents> = documents.iter().map(AsRef::as_ref).collect();
    let answer = find(&name, &opened, &[]);
    if stop.is_set() {
        return Err(ConstructTrouble::Stopped);
    }
    let around = Around {
        notes: ground.notes.clone(),
        max_chars: n_chars.map_or(DEFAULT_CHARS, |n| n as usize),
        cursor: if cursor < answer.found.len() { cursor } else { 0 },
        ..Around::default()
    };
    Ok(Reply {
        text: envelope::find_construct(&answer, &around),
        data: envelope::find_construct_listed(&answer, &around),
        outcome: Outcome::Clean,
    })
}

/// The documentation of the apis that hold, or of the one that is named.
fn documents(
    ground: &Ground,
    api: Option<&str>,
    stop: &Stop,
) -> Result<Vec<Arc<Documents>>, ConstructTrouble> {
    let is_meant = |name: &str| api.is_none_or(|api| api.trim().eq_ignore_ascii_case(name));
    let meant: Vec<_> = ground.corpus.graphs.iter().filter(|g| is_meant(&g.api)).collect();
    if let (Some(api), true) = (api, meant.is_empty()) {
        let known = ground.apis.join(", ");
        return Err(ConstructTrouble::NoApi { asked: format!("{api:?}"), known });
    }
    let mut found = Vec::new();
    for graph in meant {
        if stop.is_set() {
            return Err(ConstructTrouble::Stopped);
        }
        let constructs = constructs(graph, &[]);
        let documentation = Documentation { constructs, ..Documentation::default() };
        found.push(Arc::new(Documents::of(Arc::clone(graph), documentation)));
    }
    Ok(found)
}
