//! A tree's content: every path in scope with its kind and the hash of its bytes.
//!
//! The tree is walked and read whole every time; no time stamp is trusted, no link is followed, nothing is written and
//! no program runs. What cannot be read gives an error, since a hole in a fingerprint is a place to hide in.

mod records;
mod later;
mod remembered;
mod scope;
mod walk;
mod planted;

pub use later::{Later, Pair, Seen};
pub use planted::{Planted, Seat, planted};
pub use records::{Entry, Fingerprint, Frame, Ground, Scope, TreeTrouble};
pub use remembered::Memory;
pub use scope::Frozen;

use super::repository::Repository;
use super::workspace::{Patterns, TreePath};
use crate::base::{Progress, Quiet, Stop};
use remembered::Remembered;
use scope::Rules;
use std::sync::{Mutex, PoisonError};
use walk::{Reading, Walk, Walked};

/// How often a tree is read that does not hold still.
const MAX_TRIES: usize = 3;

/// The fingerprint of a tree, with the rules as they stand now. A file that `memory` knows with the trace that it has is
/// not read again.
pub fn begin(
    ground: Ground<'_>,
    include: &Patterns,
    memory: Option<&Memory>,
    stop: &Stop,
    progress: &dyn Progress,
) -> Result<Fingerprint, TreeTrouble> {
    let remembered = memory.and_then(|m| Remembered::load(&m.file));
    let (fingerprint, n_remembered) = tried(|| {
        let Ground { root, home, .. } = ground;
        let rules = Rules::Read { root, home, kept: Mutex::default() };
        let walk = Walk { ground, rules: &rules, include, stop, progress };
        let walked = walk.run(Reading::Content { before: &[], remembered: remembered.as_ref() })?;
        let Rules::Read { kept, .. } = rules else { unreachable!("these rules were just made") };
        let mut frame = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        frame.repositories.sort_by(|a, b| (&a.at, &a.place).cmp(&(&b.at, &b.place)));
        held_still(ground, &walked, &frame, include, stop)?;
        let n_remembered = walked.n_remembered;
        Ok((Fingerprint { entries: walked.seen.into_others(), frame }, n_remembered))
    })?;
    let n_known = remembered.as_ref().map_or(0, Remembered::n_files) as u64;
    drop(remembered);
    if let Some(memory) = memory {
        let n_read = fingerprint.covered().0 as u64 - n_remembered;
        // What is gone from the tree stays in the record until something new is read.
        if n_read > 0 || n_known > n_remembered {
            Remembered::keep(&fingerprint.entries, memory);
        }
    }
    Ok(fingerprint)
}

/// The tree as it stands, by the rules of `base`, beside what it was; repositories as they stand now.
pub fn again<'b>(
    ground: Ground<'_>,
    base: &'b Fingerprint,
    include: &Patterns,
    stop: &Stop,
    progress: &dyn Progress,
) -> Result<Later<'b>, TreeTrouble> {
    tried(|| {
        let rules = Rules::Kept(&base.frame);
        let walk = Walk { ground, rules: &rules, include, stop, progress };
        let reading = Reading::Content { before: &base.entries, remembered: None };
        let walked = walk.run(reading)?;
        held_still(ground, &walked, &base.frame, include, stop)?;
        let mut frame = Frame::default();
        for was in &base.frame.repositories {
            let around = !was.above.is_root();
            let top = if around { ground.top.into() } else { ground.root.join(was.at.to_path()) };
            let (at, above) = (was.at.clone(), was.above.clone());
            frame.repositories.extend(Repository::open(&top, at, above, ground.home)?);
        }
        Ok(Later { seen: walked.seen, frame })
    })
}

/// Tries again while the tree changes under the walk.
fn tried<T>(mut one: impl FnMut() -> Result<T, TreeTrouble>) -> Result<T, TreeTrouble> {
    let mut n_tries = 1;
    loop {
        match one() {
            Err(TreeTrouble::Moving { .. }) if n_tries < MAX_TRIES => n_tries += 1,
            done => return done,
        }
    }
}

/// Whether everything that counts is still what was read, by a second walk that reads no content.
fn held_still(
    ground: Ground<'_>,
    walked: &Walked<'_>,
    frame: &Frame,
    include: &Patterns,
    stop: &Stop,
) -> Result<(), TreeTrouble> {
    let rules = Rules::Kept(frame);
    let walk = Walk { ground, rules: &rules, include, stop, progress: &Quiet };
    let after = walk.run(Reading::Still(&walked.seen))?;
    match after.n_covered == walked.n_covered {
        true => Ok(()),
        // Something vanished, and the times of its folder were put back at once.
        false => Err(TreeTrouble::Moving { path: TreePath::default() }),
    }
}

#[cfg(test)]
mod tests;
