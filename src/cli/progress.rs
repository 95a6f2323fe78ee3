//! How far long work is, on standard error: a bar on a terminal, now and then a line elsewhere.
//!
//! Of work that is soon done nothing is shown.

use crate::base::Progress;
use crate::envelope::visible;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Work that ends sooner shows nothing.
const SOON: Duration = Duration::from_millis(500);

/// Between two lines, where there is no terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(1);

/// Where progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    /// A terminal.
    Terminal,
    /// A file, a pipe, a log.
    Plain,
}

/// Shows progress on standard error, and clears its bar in the end.
pub struct OnScreen {
    screen: Screen,
    begun: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    bar: Option<ProgressBar>,
    last_line: Option<Instant>,
}

impl OnScreen {
    /// Begins now.
    pub fn new(screen: Screen) -> OnScreen {
        OnScreen { screen, begun: now(), state: Mutex::default() }
    }
}

impl Progress for OnScreen {
    fn step(&self, done: u64, total: u64, what: &str) {
        let now = now();
        if now.duration_since(self.begun) < SOON {
            return;
        }
        // A panic elsewhere leaves nothing here half done.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match self.screen {
            Screen::Terminal => {
                let bar = state.bar.get_or_insert_with(new_bar);
                bar.set_length(total.max(done));
                bar.set_position(done);
                bar.set_message(visible(what));
            }
            Screen::Plain => {
                let due = state.last_line.is_none_or(|l| now.duration_since(l) >= BETWEEN_LINES);
                if due {
                    state.last_line = Some(now);
                    let of = if total == 0 { String::new() } else { format!(" of {total}") };
                    // Whoever does not read this misses nothing else.
                    let _ = writeln!(std::io::stderr(), "groundline: {} {done}{of}", visible(what));
                }
            }
        }
    }
}

impl Drop for OnScreen {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(bar) = state.bar.take() {
            bar.finish_and_clear();
        }
    }
}

fn new_bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    match ProgressStyle::with_template("{msg} {wide_bar} {pos} of {len}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

#[expect(clippy::disallowed_methods, reason = "only what is shown depends on it, never an answer")]
fn now() -> Instant {
    Instant::now()
}
