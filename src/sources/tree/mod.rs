//! A tree's content: every path in scope with its kind and the hash of its bytes.
//!
//! The tree is walked and read whole every time; no time stamp is trusted, no link is followed, nothing is written and
//! no program runs. What cannot be read gives an error, since a hole in a fingerprint is a place to hide in.

mod records;
mod scope;
mod walk;
mod planted;

pub use planted::{Planted, Seat, planted};
pub use records::{Entry, Fingerprint, Frame, Ground, Scope, TreeTrouble};

use super::repository::Repository;
use super::workspace::{Lies, Patterns, Trace, TreePath};
use crate::base::{Progress, Stop};
use scope::Rules;
use std::sync::{Mutex, PoisonError};

/// How often a tree is read that does not hold still.
const MAX_TRIES: usize = 3;

/// The fingerprint of a tree, with the rules as they stand now.
pub fn begin(
    ground: Ground<'_>,
    include: &Patterns,
    stop: &Stop,
    progress: &dyn Progress,
) -> Result<Fingerprint, TreeTrouble> {
    tried(|| {
        let Ground { root, home, .. } = ground;
        let rules = Rules::Read { root, home, kept: Mutex::default() };
        let walk = walk::Walk { ground, rules: &rules, include, stop, progress };
        let entries = walk.run(walk::Reading::Content)?;
        let Rules::Read { kept, .. } = rules else { unreachable!("these rules were just made") };
        let mut frame = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        frame.repositories.sort_by(|a, b| (&a.at, &a.place).cmp(&(&b.at, &b.place)));
        held_still(ground, &entries, &frame, include, stop)?;
        Ok(Fingerprint { entries, frame })
    })
}

/// The fingerprint of the tree of `base`, by the rules of `base`; repositories as they stand now.
pub fn again(
    ground: Ground<'_>,
    base: &Frame,
    include: &Patterns,
    stop: &Stop,
    progress: &dyn Progress,
) -> Result<Fingerprint, TreeTrouble> {
    tried(|| {
        let rules = Rules::Kept(base);
        let walk = walk::Walk { ground, rules: &rules, include, stop, progress };
        let entries = walk.run(walk::Reading::Content)?;
        held_still(ground, &entries, base, include, stop)?;
        let mut frame = Frame::default();
        for was in &base.repositories {
            let around = !was.above.is_root();
            let top = if around { ground.top.into() } else { ground.root.join(was.at.to_path()) };
            let (at, above) = (was.at.clone(), was.above.clone());
            frame.repositories.extend(Repository::open(&top, at, above, ground.home)?);
        }
        Ok(Fingerprint { entries, frame })
    })
}

/// Tries again while the tree changes under the walk.
fn tried(
    mut one: impl FnMut() -> Result<Fingerprint, TreeTrouble>,
) -> Result<Fingerprint, TreeTrouble> {
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
    entries: &[Entry],
    frame: &Frame,
    include: &Patterns,
    stop: &Stop,
) -> Result<(), TreeTrouble> {
    let rules = Rules::Kept(frame);
    let walk = walk::Walk { ground, rules: &rules, include, stop, progress: &crate::base::Quiet };
    let after = walk.run(walk::Reading::Traces)?;
    let counted = |entries: &[Entry]| -> Vec<(TreePath, Lies, Trace)> {
        let covered = entries.iter().filter(|e| e.scope == Scope::Covered);
        covered.map(|e| (e.path.clone(), e.lies, e.trace)).collect()
    };
    let (before, after) = (counted(entries), counted(&after));
    if before == after {
        return Ok(());
    }
    let differing = before.iter().zip(&after).find(|(a, b)| a != b).map(|(a, _)| a);
    let longer = if before.len() > after.len() { &before } else { &after };
    let path = differing.or(longer.last()).map(|(path, ..)| path.clone());
    Err(TreeTrouble::Moving { path: path.unwrap_or_default() })
}

#[cfg(test)]
mod tests;
