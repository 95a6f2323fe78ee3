//! One call of `resolve_topic`: the goal, the apis that are asked, and the reply.

use super::arguments::{ArgumentTrouble, Arguments};
use super::call::{Call, Outcome, Reply};
use super::ground::Ground;
use crate::answers::ladder::Apis;
use crate::answers::lookup_docs::listed;
use crate::answers::resolve_topic::resolve;
use crate::corpus::documents::Documents;
use crate::envelope::resolve_topic::{resolve_topic, resolve_topic_listed, searched};
use crate::envelope::{Around, DEFAULT_CHARS, MOST_CHARS};
use std::sync::Arc;

/// How much of a goal is read, in bytes: who says more says it in the first words.
const MAX_GOAL: usize = 2_000;

/// Why a call has no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum ResolveTrouble {
    /// An argument could not be understood.
    #[error(transparent)]
    Argument(#[from] ArgumentTrouble),
    /// There is no goal.
    #[error("resolve_topic needs `goal`, as in \"goal\": \"draw a table with a border\"")]
    NoGoal,
}

/// Answers the call from these documents.
pub(super) fn answer(
    call: &Call,
    ground: &Ground,
    documents: &[Arc<Documents>],
    notes: Vec<String>,
) -> Result<Reply, ResolveTrouble> {
    let arguments = Arguments(&call.arguments);
    let goal = arguments.text("goal")?.or(arguments.text("query")?);
    let goal = goal.ok_or(ResolveTrouble::NoGoal)?;
    let around = around(&arguments, ground, notes)?;
    let apis = Apis { corpus: &ground.corpus, documents };
    let resolved = resolve(apis, start(goal.trim(), MAX_GOAL));
    Ok(Reply::new(
        resolve_topic(&resolved, &searched(&listed(documents)), &around),
        resolve_topic_listed(&resolved, &around),
        Outcome::Clean,
    ))
}

/// What the envelope needs beside the answer.
pub(super) fn around(
    arguments: &Arguments<'_>,
    ground: &Ground,
    notes: Vec<String>,
) -> Result<Around, ArgumentTrouble> {
    let max_chars = arguments.number("max_chars", 500..=MOST_CHARS as u64)?;
    Ok(Around {
        apis: ground.apis.clone(),
        notes: ground.notes.iter().cloned().chain(notes).collect(),
        remarks: Vec::new(),
        max_chars: max_chars.map_or(DEFAULT_CHARS, |n| n as usize),
        cursor: arguments.cursor()?,
    })
}

/// The beginning of a text, at most `most` bytes.
pub(super) fn start(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
