//! One call of `find_construct`: what the arguments ask for, and the documentation that is asked.

use super::arguments::{ArgumentTrouble, Arguments};
use super::call::{Call, Outcome, Reply};
use super::ground::Ground;
use super::resolving::start;
use crate::answers::find_construct::find;
use crate::answers::ladder::{Apis, Strength};
use crate::answers::resolve_topic::resolve;
use crate::base::Stop;
use crate::corpus::documents::Documents;
use crate::datagraph::documentation::Symbol;
use crate::envelope::{self, Around, DEFAULT_CHARS, MOST_CHARS};
use std::sync::Arc;

/// How much of a question is read as a goal, in bytes.
const MAX_GOAL: usize = 200;

/// Why a call of `find_construct` has no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum ConstructTrouble {
    /// An argument could not be understood.
    #[error(transparent)]
    Argument(#[from] ArgumentTrouble),
    /// Nothing is asked.
    #[error("find_construct needs `name`, as in \"name\": \"table\"")]
    NoName,
    /// It ended before the answer was whole.
    #[error("find_construct  stopped before the answer was whole: name one api with `api`")]
    Stopped,
}

/// Answers the call.
pub(super) fn construct(
    call: &Call,
    ground: &Ground,
    documents: &[Arc<Documents>],
    missing: Vec<String>,
    stop: &Stop,
) -> Result<Reply, ConstructTrouble> {
    let arguments = Arguments(&call.arguments);
    let name = arguments.text("name")?.ok_or(ConstructTrouble::NoName)?;
    let n_chars = arguments.number("max_chars", 500..=MOST_CHARS as u64)?;
    let cursor = arguments.cursor()?;
    let opened: Vec<&Documents> = documents.iter().map(AsRef::as_ref).collect();
    let mut answer = find(&name, &opened, &[]);
    if answer.found.is_empty() {
        answer = find(&name, &opened, &topical(&name, Apis { corpus: &ground.corpus, documents }));
    }
    if stop.is_set() {
        return Err(ConstructTrouble::Stopped);
    }
    let around = Around {
        notes: ground.notes.iter().cloned().chain(missing).collect(),
        max_chars: n_chars.map_or(DEFAULT_CHARS, |n| n as usize),
        cursor: if cursor < answer.found.len() { cursor } else { 0 },
        ..Around::default()
    };
    Ok(Reply::new(
        envelope::find_construct(&answer, &around),
        envelope::find_construct_listed(&answer, &around),
        Outcome::Clean,
    ))
}

/// The symbols that the documentation's own words lead to; what only comes near builds nothing.
fn topical(words: &str, apis: Apis<'_>) -> Vec<Symbol> {
    let resolved = resolve(apis, start(words.trim(), MAX_GOAL));
    let served = resolved.served.into_iter().filter(|_| resolved.strength != Strength::None);
    served.filter_map(|one| apis.symbol(one.meant).cloned()).collect()
}
