//! Watchers that run between a beginning and its comparison, in this process alone.
//!
//! Each ends at its comparison, with the session, after a time, or when its owner has begun too many others.

use super::baselines::Mine;
use crate::sources::watch::{Touched, Watch};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// So long may a check take that is watched.
const LONGEST: Duration = Duration::from_secs(4 * 60 * 60);

/// So many watchers run at once; the next takes the place of the oldest of the same owner, if there is one.
const MAX_WATCHES: usize = 16;

/// The watchers that run.
#[derive(Default)]
pub(super) struct Watches(Mutex<BTreeMap<Mine, (Instant, Watch)>>);

impl Watches {
    /// Whether one more may begin for a baseline of the owner that `mine` names, which makes room for it. One that runs
    /// for this baseline already goes on.
    pub fn has_room(&self, mine: &Mine) -> Room {
        let mut running = self.running();
        if running.contains_key(mine) {
            return Room::Taken;
        }
        if running.len() < MAX_WATCHES {
            return Room::Free;
        }
        let own = running.iter().filter(|((principal, ..), _)| *principal == mine.0);
        let oldest = own.min_by_key(|(_, (begun, _))| *begun).map(|(mine, _)| mine.clone());
        match oldest {
            Some(oldest) => {
                running.remove(&oldest);
                Room::Free
            }
            None => Room::Full,
        }
    }

    /// Lets a watcher run.
    pub fn begin(&self, mine: Mine, watch: Watch) {
        self.running().insert(mine, (now(), watch));
    }

    /// Ends the watcher of a baseline, and gives what it saw; none if none runs.
    pub fn end(&self, mine: &Mine) -> Option<Touched> {
        let (_, watch) = self.running().remove(mine)?;
        Some(watch.take())
    }

    /// Those that run, without those whose time is over.
    fn running(&self) -> MutexGuard<'_, BTreeMap<Mine, (Instant, Watch)>> {
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = now();
        running.retain(|_, (begun, _)| now.duration_since(*begun) < LONGEST);
        running
    }
}

/// Whether there is room for one more watcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    /// There is.
    Free,
    /// It runs already.
    Taken,
    /// There is none.
    Full,
}

#[expect(clippy::disallowed_methods, reason = "how long a watcher runs goes into no answer")]
fn now() -> Instant {
    Instant::now()
}
