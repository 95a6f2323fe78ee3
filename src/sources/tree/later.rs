//! A tree as it stands beside what it was: what is in every respect as it was is not held twice.

use super::records::{Entry, Frame, covered, placed};
use crate::sources::workspace::TreePath;

/// What a walk found.
#[derive(Debug, Clone)]
pub struct Seen<'b> {
    before: &'b [Entry],
    /// For each entry of before, whether it was found again, in every respect the same.
    same: Vec<bool>,
    /// All others, sorted by path.
    others: Vec<Entry>,
}

/// A path with what lay there and what lies there now.
pub type Pair<'p> = (Option<&'p Entry>, Option<&'p Entry>);

/// A tree after a baseline was taken.
#[derive(Debug, Clone)]
pub struct Later<'b> {
    /// Every path.
    pub seen: Seen<'b>,
    /// The repositories as they stand now.
    pub frame: Frame,
}

impl<'b> Seen<'b> {
    /// What was found: the places of what is as it was among `before`, which is sorted, and all others.
    pub(super) fn new(before: &'b [Entry], places: &[u32], mut others: Vec<Entry>) -> Seen<'b> {
        let mut same = vec![false; before.len()];
        for place in places {
            if let Some(same) = same.get_mut(*place as usize) {
                *same = true;
            }
        }
        others.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        Seen { before, same, others }
    }

    /// What lies at `path`.
    pub fn entry(&self, path: &TreePath) -> Option<&Entry> {
        let as_before = placed(self.before, path).filter(|at| self.same.get(*at) == Some(&true));
        match as_before {
            Some(at) => self.before.get(at),
            None => placed(&self.others, path).and_then(|at| self.others.get(at)),
        }
    }

    /// Everything that was found, in no order.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        let same = self.before.iter().zip(&self.same).filter(|(_, same)| **same);
        same.map(|(entry, _)| entry).chain(&self.others)
    }

    /// The files and links that count, and their bytes.
    pub fn covered(&self) -> (usize, u64) {
        covered(self.entries())
    }

    /// Every path at which something is not in every respect as it was, sorted.
    pub fn differing(&self) -> Vec<Pair<'_>> {
        let mut pairs = Vec::new();
        let mut others = self.others.iter().peekable();
        let gone = self.before.iter().zip(&self.same).filter(|(_, same)| !**same);
        for (was, _) in gone {
            while let Some(is) = others.next_if(|is| is.path < was.path) {
                pairs.push((None, Some(is)));
            }
            pairs.push((Some(was), others.next_if(|is| is.path == was.path)));
        }
        pairs.extend(others.map(|is| (None, Some(is))));
        pairs
    }

    /// All of it, where nothing was before.
    pub(super) fn into_others(self) -> Vec<Entry> {
        self.others
    }
}

#[cfg(test)]
impl<'b> Seen<'b> {
    /// The same, from everything that was found.
    pub fn of(before: &'b [Entry], found: Vec<Entry>) -> Seen<'b> {
        let mut places = Vec::new();
        let mut others = Vec::new();
        for entry in found {
            match placed(before, &entry.path).filter(|at| before.get(*at) == Some(&entry)) {
                Some(at) => places.push(crate::base::to_u32(at)),
                None => others.push(entry),
            }
        }
        Seen::new(before, &places, others)
    }
}
