//! One caller's session: which folder it works in, what is known there, and one call from arguments to reply.
//!
//! The doors (server, command line) hand a [`Call`] in and print what comes out; nothing here knows a protocol.

pub mod call;
pub mod arguments;
mod ground;
mod changes;
mod mention;
mod mentions;
mod among;
mod given;
mod checking;
mod finding;
mod baselines;
mod watches;
mod fingerprinting;
mod deleting;
mod resolving;
mod looking;
mod constructing;

pub use call::{Call, Listing, Outcome, Outside, Principal, Reply, Settings};

use crate::answers::concepts::{Behind, behind};
use crate::base::{Progress, Stop};
use crate::corpus::documents::Documents;
use crate::sources::workspace::Workspace;
use arguments::Arguments;
use baselines::Baselines;
use ground::{Ground, Grounds};
use std::sync::Arc;
use std::time::Duration;
use watches::Watches;

/// One caller's session. It may be shared between threads.
pub struct Session {
    settings: Settings,
    grounds: Grounds,
    baselines: Baselines,
    watches: Watches,
}

/// The ground of a call with what its sources say, and what could not be had.
struct Read<'g> {
    ground: &'g Ground,
    documents: Vec<Arc<Documents>>,
    notes: Vec<String>,
}

impl Session {
    /// Starts a session; nothing is read before the first call.
    pub fn new(settings: Settings) -> Session {
        let grounds = Grounds::new(settings.cache.clone());
        let baselines = Baselines::new(settings.state.clone());
        Session { settings, grounds, baselines, watches: Watches::default() }
    }

    /// Answers one call. It looks at `stop` often and ends soon after it is set, with any reply.
    pub fn ask(&self, call: &Call, stop: &Stop, progress: &dyn Progress) -> Reply {
        match call.tool.as_str() {
            "check_symbols" => self.grounded(call, stop, progress, |ground| {
                checking::check(call, ground, stop, progress)
            }),
            "find_in_files" => self.find_in_files(call, stop, progress),
            "lookup_docs" => self.documented(call, stop, progress, |read| {
                looking::answer(call, read.ground, &read.documents, read.notes, stop)
            }),
            "resolve_topic" => self.documented(call, stop, progress, |read| {
                resolving::answer(call, read.ground, &read.documents, read.notes)
            }),
            "delete_construct" => self.documented(call, stop, progress, |read| {
                deleting::delete(call, read.ground, (&read.documents, read.notes), stop)
            }),
            "verify_fingerprint" => {
                let place = fingerprinting::Place::of(&self.settings, call);
                let answer = place.and_then(|p| {
                    let kept = (&self.baselines, &self.watches);
                    fingerprinting::verify(call, &p, kept, stop, progress)
                });
                answer.unwrap_or_else(|trouble| Reply::failed(&trouble.to_string()))
            }
            "find_construct" => self.documented(call, stop, progress, |read| {
                constructing::construct(call, read.ground, &read.documents, read.notes, stop)
            }),
            other => Reply::failed(&format!("no tool {other}")),
        }
    }

    /// How long ago each api's index was taken in, by the api's name and version.
    pub fn index_ages(&self) -> Vec<(String, Duration)> {
        self.grounds.ages()
    }

    /// Answers by the apis that hold in the root of the call.
    fn grounded<E: std::fmt::Display>(
        &self,
        call: &Call,
        stop: &Stop,
        progress: &dyn Progress,
        answer: impl FnOnce(&Ground) -> Result<Reply, E>,
    ) -> Reply {
        let asked = match Arguments(&call.arguments).text("root") {
            Ok(asked) => asked,
            Err(trouble) => return Reply::failed(&trouble.to_string()),
        };
        let opened =
            self.grounds.open(&self.settings, asked.as_deref(), &call.client_roots, stop, progress);
        match opened {
            Ok(ground) => answer(&ground).unwrap_or_else(|why| Reply::failed(&why.to_string())),
            Err(trouble) => Reply::failed(&trouble.to_string()),
        }
    }

    /// Answers by what the sources of these apis say, too.
    fn documented<E: std::fmt::Display>(
        &self,
        call: &Call,
        stop: &Stop,
        progress: &dyn Progress,
        answer: impl FnOnce(Read<'_>) -> Result<Reply, E>,
    ) -> Reply {
        self.grounded(call, stop, progress, |ground| {
            let api = Arguments(&call.arguments).text("api").map_err(|why| why.to_string())?;
            let (documents, notes) = self.grounds.documents(ground, api.as_deref(), stop, progress);
            if stop.is_set() {
                return Err("stopped before the documentation was open: call again".to_string());
            }
            answer(Read { ground, documents, notes }).map_err(|why| why.to_string())
        })
    }

    /// Search needs files only, so no api is mined for it.
    fn find_in_files(&self, call: &Call, stop: &Stop, progress: &dyn Progress) -> Reply {
        let asked = match Arguments(&call.arguments).text("root") {
            Ok(asked) => asked,
            Err(trouble) => return Reply::failed(&trouble.to_string()),
        };
        let root = ground::root_of(&self.settings, asked.as_deref(), &call.client_roots);
        let workspace = match root {
            Ok(root) => Workspace::new(root),
            Err(trouble) => return Reply::failed(&trouble.to_string()),
        };
        let behind = |pattern: &str| self.behind(pattern, call, asked.as_deref(), stop, progress);
        match finding::find(call, &workspace, &behind, stop, progress) {
            Ok(reply) => reply,
            Err(trouble) => Reply::failed(&trouble.to_string()),
        }
    }

    /// The real symbols behind words, where an api that holds knows them.
    fn behind(
        &self,
        pattern: &str,
        call: &Call,
        root: Option<&str>,
        stop: &Stop,
        progress: &dyn Progress,
    ) -> Vec<Behind> {
        let opened = self.grounds.open(&self.settings, root, &call.client_roots, stop, progress);
        // Without an api there is nothing behind words; whoever asks for one is told why.
        let Ok(ground) = opened else { return Vec::new() };
        let (documents, _) = self.grounds.documents(&ground, None, stop, progress);
        behind(&documents, pattern)
    }
}
