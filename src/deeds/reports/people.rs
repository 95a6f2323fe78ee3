//! A check's answer as people read it on a terminal.

use super::marked;
use crate::session::{Outcome, Reply};
use crate::sources::workspace::Workspace;
use std::path::Path;

/// A check's answer for people, for the project at `root`: its findings with their lines; what is clean or failed as the
/// answer says it.
pub fn for_people(reply: &Reply, root: Option<&Path>) -> String {
    match reply.outcome {
        Outcome::Findings => {
            let workspace = root.map(|root| Workspace::new(root.to_path_buf()));
            let source = |path: &str| Some(workspace.as_ref()?.read(path).ok()?.text);
            marked::findings_marked(&reply.data, source)
        }
        Outcome::Clean | Outcome::Failed => reply.text.clone(),
    }
}
