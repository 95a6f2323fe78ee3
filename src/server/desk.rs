//! One call after the other is put to a session on a thread of its own, and comes back within bounds.
//!
//! Whatever happens to the work (a panic, no end, nobody left to hear of it), the caller has an outcome in time. No
//! word of the protocol is known here.

use crate::base::{Progress, Stop};
use crate::session::{Call, Reply, Session};
use std::any::Any;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinError;
use tokio_util::sync::CancellationToken;

/// What answers calls; a session, or what a test puts in its place.
pub trait Asks: Send + Sync + 'static {
    /// Answers one call, and ends soon after `stop` is set.
    fn ask(&self, call: &Call, stop: &Stop, progress: &dyn Progress) -> Reply;
}

impl Asks for Session {
    fn ask(&self, call: &Call, stop: &Stop, progress: &dyn Progress) -> Reply {
        Session::ask(self, call, stop, progress)
    }
}

/// What a call may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How long one call may run.
    pub deadline: Duration,
    /// How many calls may run at once.
    pub n_calls: usize,
    /// How long calls may run on when the input has ended.
    pub grace: Duration,
}

impl Limits {
    /// What holds in earnest. A host waits a second at most for a server that it has told to end.
    pub const REAL: Limits = Limits {
        deadline: Duration::from_secs(30),
        n_calls: 64,
        grace: Duration::from_millis(600),
    };
}

/// How far a call is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Step {
    /// Steps done.
    pub done: u64,
    /// Of so many; 0 where that is not known.
    pub total: u64,
    /// Of what.
    pub what: String,
}

/// What became of a call.
#[derive(Debug)]
pub enum Asked {
    /// It was answered.
    Answered(Reply),
    /// Too many calls are running.
    Busy(usize),
    /// It ran into the deadline, and was stopped.
    Late(Duration),
    /// Nobody wants the answer any more.
    Abandoned,
    /// The work broke a promise; this is what it said.
    Broken(String),
}

/// Where calls are taken in.
pub struct Desk {
    asks: Arc<dyn Asks>,
    places: Arc<Semaphore>,
    limits: Limits,
    closing: CancellationToken,
}

impl Desk {
    /// Opens the desk; when `closing` is cancelled, all work is told to stop.
    pub fn new(asks: Arc<dyn Asks>, limits: Limits, closing: CancellationToken) -> Desk {
        Desk { asks, places: Arc::new(Semaphore::new(limits.n_calls)), limits, closing }
    }

    /// Puts one call, and waits no longer than the deadline or until `cancelled`.
    pub async fn ask(
        &self,
        call: Call,
        cancelled: &CancellationToken,
        steps: watch::Sender<Step>,
    ) -> Asked {
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            return Asked::Busy(self.limits.n_calls);
        };
        let stop = Stop::default();
        let _unwanted_after = SetWhenDropped(stop.clone());
        let asks = Arc::clone(&self.asks);
        let work = tokio::task::spawn_blocking(move || {
            let reply = asks.ask(&call, &stop, &Telling(steps));
            // Held until the work has really ended: what does not stop in time still takes a place.
            drop(place);
            reply
        });
        tokio::select! {
            done = work => match done {
                Ok(reply) => Asked::Answered(reply),
                Err(error) => Asked::Broken(last_words(error)),
            },
            () = cancelled.cancelled() => Asked::Abandoned,
            () = self.closing.cancelled() => Asked::Abandoned,
            () = tokio::time::sleep(self.limits.deadline) => Asked::Late(self.limits.deadline),
        }
    }
}

struct SetWhenDropped(Stop);

impl Drop for SetWhenDropped {
    fn drop(&mut self) {
        self.0.set();
    }
}

struct Telling(watch::Sender<Step>);

impl Progress for Telling {
    fn step(&self, done: u64, total: u64, what: &str) {
        self.0.send_replace(Step { done, total, what: what.to_owned() });
    }
}

fn last_words(error: JoinError) -> String {
    let Ok(words) = error.try_into_panic() else { return "it was interrupted".to_owned() };
    let words: Box<dyn Any + Send> = words;
    let text = words.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| words.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "it said nothing".to_owned())
}
