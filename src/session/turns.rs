//! Who may work: a few calls at once, so that many of them do not take the processor from the conversation.

use crate::base::Stop;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How long one looks away from the stop sign while waiting.
const GLANCE: Duration = Duration::from_millis(20);

/// As many turns as there are cores.
pub(super) struct Turns {
    free: Mutex<usize>,
    given_back: Condvar,
}

/// A turn, given back when it is dropped.
pub(super) struct Turn<'t>(&'t Turns);

impl Turns {
    /// All turns are free.
    pub fn new() -> Turns {
        let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
        Turns { free: Mutex::new(n_cores), given_back: Condvar::new() }
    }

    /// Waits for a turn; none if `stop` is set meanwhile.
    pub fn take(&self, stop: &Stop) -> Option<Turn<'_>> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while *free == 0 {
            if stop.is_set() {
                return None;
            }
            let waited = self.given_back.wait_timeout(free, GLANCE);
            free = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        *free -= 1;
        Some(Turn(self))
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.given_back.notify_one();
    }
}
