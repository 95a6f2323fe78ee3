//! A check's answer as people read it on a terminal.

use super::{findings, marked};
use crate::session::{Outcome, Reply};
use serde_json::Value;

/// A check's answer for people: its findings with their lines, and what became of old ones; where there are none, or it
/// failed, as the answer says it.
pub fn for_people(reply: &Reply, data: &Value, source: impl Fn(&str) -> Option<String>) -> String {
    let is_sifted = *data != reply.data;
    match reply.outcome {
        Outcome::Clean | Outcome::Findings if is_sifted || !findings(data).is_empty() => {
            marked::findings_marked(data, source)
        }
        Outcome::Clean | Outcome::Findings | Outcome::Failed => reply.text.clone(),
    }
}
