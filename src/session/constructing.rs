//! One call of `find_construct`: what the arguments ask for, and the documentation that is asked.

use super::arguments::{ArgumentTrouble, Arguments};
use super::call::{Call, Outcome, Reply};
use super::ground::Ground;
use super::resolving::{around, start};
use crate::answers::find_construct::find;
use crate::answers::ladder::{Apis, Strength};
use crate::answers::resolve_topic::resolve;
use crate::corpus::documents::Documents;
use crate::datagraph::documentation::Symbol;
use crate::envelope::{self, Around};
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
}

/// Answers the call from these documents.
pub(super) fn answer(
    call: &Call,
    ground: &Ground,
    documents: &[Arc<Documents>],
    notes: Vec<String>,
) -> Result<Reply, ConstructTrouble> {
    let arguments = Arguments(&call.arguments);
    let name = arguments.text("name")?.ok_or(ConstructTrouble::NoName)?;
    let around = around(&arguments, ground, notes)?;
    let opened: Vec<&Documents> = documents.iter().map(AsRef::as_ref).collect();
    let mut answer = find(&name, &opened, &[]);
    if answer.found.is_empty() {
        // Goal words are not always the api's: what the documentation uses for them may be a part of a construct.
        let topical = topical(&name, Apis { corpus: &ground.corpus, documents });
        answer = find(&name, &opened, &topical);
    }
    let cursor = if around.cursor < answer.found.len() { around.cursor } else { 0 };
    let around = Around { cursor, ..around };
    Ok(Reply {
        text: envelope::find_construct(&answer, &around),
        data: envelope::find_construct_listed(&answer, &around),
        outcome: Outcome::Clean,
    })
}

/// The symbols that the documentation uses for these words, best first.
fn topical(name: &str, apis: Apis<'_>) -> Vec<Symbol> {
    let resolved = resolve(apis, start(name.trim(), MAX_GOAL));
    if resolved.strength == Strength::None {
        return Vec::new();
    }
    let symbols = resolved.served.iter().filter_map(|served| {
        let documents = apis.documents.get(served.meant.api)?;
        Some(documents.listing.symbol(served.meant.number)?.symbol.clone())
    });
    symbols.collect()
}
