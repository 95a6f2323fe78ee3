//! A bound on the work of one question: declarations may name themselves in circles and fan out on every round.
//!
//! What a thread is just working out is counted per thread, so that the many small functions which lead to each other
//! need not hand a counter on.

use std::cell::Cell;

/// How deep one step may lead to others.
const MAX_NESTING: u32 = 160;

/// How many steps one question may take.
const MAX_STEPS: u32 = 40_000;

thread_local! {
    /// Nesting and steps left of the question that this thread works on.
    static EFFORT: Cell<(u32, u32)> = const { Cell::new((0, 0)) };
}

/// Takes the nesting back when a step ends, also by a panic.
struct Step;

impl Drop for Step {
    fn drop(&mut self) {
        EFFORT.with(|e| {
            let (nesting, steps) = e.get();
            e.set((nesting.saturating_sub(1), steps));
        });
    }
}

/// Does one step of a question, or gives `too_much` where its bound is reached.
pub(super) fn bounded<T>(too_much: impl FnOnce() -> T, step: impl FnOnce() -> T) -> T {
    let (nesting, steps) = EFFORT.with(Cell::get);
    let steps = if nesting == 0 { MAX_STEPS } else { steps };
    if nesting >= MAX_NESTING || steps == 0 {
        return too_much();
    }
    EFFORT.with(|e| e.set((nesting + 1, steps - 1)));
    let _step = Step;
    step()
}
