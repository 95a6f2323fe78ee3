//! Times to figures, figures to lines, and the bounds that must hold.

use std::time::Duration;

/// Times of calls, in milliseconds.
#[derive(Debug, Default, Clone)]
pub struct Times(Vec<f64>);

impl Times {
    /// One more.
    pub fn add(&mut self, took: Duration) {
        self.0.push(took.as_secs_f64() * 1000.0);
    }

    /// All of another's.
    pub fn append(&mut self, other: Times) {
        self.0.extend(other.0);
    }

    /// How many.
    pub fn n(&self) -> usize {
        self.0.len()
    }

    /// The time that this share of all is within.
    pub fn at(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        #[expect(
            clippy::cast_sign_loss,
            clippy::cast_possible_truncation,
            reason = "a place in a list"
        )]
        let place = (sorted.len() as f64 * share) as usize;
        sorted.get(place.min(sorted.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
    }

    /// Three of them in words.
    pub fn words(&self) -> String {
        let [p50, p95, p99] = [0.5, 0.95, 0.99].map(|share| self.at(share));
        format!("p50 {p50:.1} ms, p95 {p95:.1} ms, p99 {p99:.1} ms")
    }
}

/// What holds and what does not.
#[derive(Debug, Default)]
pub struct Bounds {
    broken: Vec<String>,
}

impl Bounds {
    /// Notes whether `held`.
    pub fn holds(&mut self, held: bool, what: String) {
        println!("  {} {what}", if held { "holds:" } else { "BROKEN:" });
        if !held {
            self.broken.push(what);
        }
    }

    /// What was broken.
    pub fn broken(&self) -> &[String] {
        &self.broken
    }
}
