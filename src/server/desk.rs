//! One call after the other is put to a session on a thread of its own, and comes back within bounds.
//!
//! Whatever happens to the work (a panic, no end, nobody left to hear of it), the caller has an outcome in time. No
//! word of the protocol is known here.

use super::accounts::Asker;
use super::hands::{Hands, Pace};
use super::metrics::Metrics;
use super::places::Places;
use super::tools;
use crate::base::{Progress, Stop};
use crate::session::{Call, Outcome, Reply, Session};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot::error::RecvError;
use tokio::sync::{oneshot, watch};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Work of more than this is long: then the processor is others' first.
const LONG: Duration = Duration::from_millis(20);

/// A megabyte of code takes about half a second.
const A_BYTE: f64 = 5e-7;

/// What answers calls; a session, or what a test puts in its place.
pub trait Asks: Send + Sync + 'static {
    /// Answers one call, and ends soon after `stop` is set.
    fn ask(&self, call: &Call, stop: &Stop, progress: &dyn Progress) -> Reply;

    /// How old the indices are that it answers from, by the names of their apis.
    fn index_ages(&self) -> Vec<(String, Duration)> {
        Vec::new()
    }
}

impl Asks for Session {
    fn ask(&self, call: &Call, stop: &Stop, progress: &dyn Progress) -> Reply {
        Session::ask(self, call, stop, progress)
    }

    fn index_ages(&self) -> Vec<(String, Duration)> {
        Session::index_ages(self)
    }
}

/// What a call may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How long one call may run.
    pub deadline: Duration,
    /// How many calls may be in flight, running or waiting for their turn.
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
    /// The work broke a promise. What it said last may quote what it worked on, so it is not told.
    Broken,
}

/// Where calls are taken in, from all doors of a process.
pub struct Desk {
    asks: Arc<dyn Asks>,
    places: Arc<Places>,
    hands: Hands,
    limits: Limits,
    closing: CancellationToken,
    metrics: Arc<Metrics>,
}

impl Desk {
    /// Opens the desk; when `closing` is cancelled, all work is told to stop.
    pub fn new(asks: Arc<dyn Asks>, limits: Limits, closing: CancellationToken) -> Desk {
        let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
        let places = Places::new(limits.n_calls, n_cores);
        Desk { asks, places, hands: Hands::default(), limits, closing, metrics: Arc::default() }
    }

    /// What is counted here.
    pub fn metrics(&self) -> &Arc<Metrics> {
        &self.metrics
    }

    /// The counters as text, with what holds now.
    pub fn metrics_text(&self) -> String {
        self.metrics.text(self.places.taken(), self.asks.index_ages())
    }

    /// Puts one call of `asker`, and waits no longer than the deadline or until `cancelled`.
    pub async fn ask(
        &self,
        call: Call,
        asker: Asker,
        cancelled: &CancellationToken,
        steps: watch::Sender<Step>,
    ) -> Asked {
        let begun = Instant::now();
        let tool = tools::tool(&call.tool).map(|tool| tool.name);
        let asked = tokio::select! {
            asked = self.work(call, asker, steps) => asked,
            () = cancelled.cancelled() => Asked::Abandoned,
            () = self.closing.cancelled() => Asked::Abandoned,
        };
        if let Some(tool) = tool {
            self.metrics.called(tool, asked.name(), begun.elapsed(), asked.n_findings());
        }
        asked
    }

    async fn work(&self, call: Call, asker: Asker, steps: watch::Sender<Step>) -> Asked {
        let busy = Asked::Busy(self.limits.n_calls);
        let turn = self.places.take(asker.clone(), expected(&call));
        let waited = tokio::time::timeout(self.limits.deadline, turn).await;
        let Ok(Ok(place)) = waited else { return busy };
        let stop = Stop::default();
        let _unwanted_after = SetWhenDropped(stop.clone());
        let asks = Arc::clone(&self.asks);
        let (work, pace) = self.hands.put(place.standing(), move || {
            let reply = asks.ask(&call, &stop, &Telling(steps));
            // Held until the work has really ended: what does not stop in time still takes a place.
            drop(place);
            reply
        });
        let _behind_after = StepsBackWhenDropped(pace.clone());
        tokio::select! {
            done = self.giving_way(work, &pace, &asker) => match done {
                Ok(Ok(reply)) => Asked::Answered(reply),
                Ok(Err(_)) | Err(_) => Asked::Broken,
            },
            () = tokio::time::sleep(self.limits.deadline) => Asked::Late(self.limits.deadline),
        }
    }

    /// Waits for work; work that takes long steps back while others are here.
    async fn giving_way<T>(
        &self,
        mut work: oneshot::Receiver<T>,
        pace: &Pace,
        asker: &Asker,
    ) -> Result<T, RecvError> {
        loop {
            match tokio::time::timeout(LONG, &mut work).await {
                Ok(done) => return done,
                Err(_) if self.places.others_are_here(asker, Instant::now()) => break,
                Err(_) => {}
            }
        }
        pace.step_back();
        work.await
    }
}

impl Asked {
    /// How it went, in a word.
    fn name(&self) -> &'static str {
        match self {
            Asked::Answered(reply) => match reply.outcome {
                Outcome::Clean => "clean",
                Outcome::Findings => "findings",
                Outcome::Failed => "failed",
            },
            Asked::Busy(_) => "busy",
            Asked::Late(_) => "late",
            Asked::Abandoned => "abandoned",
            Asked::Broken => "broken",
        }
    }

    fn n_findings(&self) -> usize {
        let Asked::Answered(reply) = self else { return 0 };
        reply.data["findings"].as_array().map_or(0, Vec::len)
    }
}

/// Seconds that a call is expected to take, going by the length of its texts.
fn expected(call: &Call) -> f64 {
    let lengths = call.arguments.values().filter_map(|value| value.as_str()).map(str::len);
    lengths.map(|n| f64::from(u32::try_from(n).unwrap_or(u32::MAX))).sum::<f64>() * A_BYTE
}

struct SetWhenDropped(Stop);

impl Drop for SetWhenDropped {
    fn drop(&mut self) {
        self.0.set();
    }
}

/// Work that nobody waits for has time.
struct StepsBackWhenDropped(Pace);

impl Drop for StepsBackWhenDropped {
    fn drop(&mut self) {
        self.0.step_back();
    }
}

struct Telling(watch::Sender<Step>);

impl Progress for Telling {
    fn step(&self, done: u64, total: u64, what: &str) {
        self.0.send_replace(Step { done, total, what: what.to_owned() });
    }
}
