//! Did the tree hold still? A baseline and a fingerprint of now, compared.
//!
//! Held says no more than that the covered tree has the same bytes now as then; what was touched in between, or lies
//! outside of what is covered, is remarked on. What could not be told is unknown, and never held.

use crate::sources::repository::{Head, Repository};
use crate::sources::tree::{Entry, Fingerprint, Planted, Scope, Seat};
use crate::sources::workspace::{Lies, Patterns, TreePath};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What is kept of a tree from the beginning of a check to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Baseline {
    /// The root, as a path of the system.
    pub root: TreePath,
    /// Globs of ignored paths that count all the same.
    pub include: Vec<String>,
    /// Globs of paths that may move.
    pub allow: Vec<String>,
    /// The tree as it stood.
    pub fingerprint: Fingerprint,
}

/// What a comparison gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The verdict.
    pub verdict: Verdict,
    /// What else happened, in order of path within each kind.
    pub remarks: Vec<Remark>,
}

/// Whether the tree held still.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// What is covered has the same content now as then.
    Held,
    /// These did not, by path.
    Moved(Vec<Move>),
    /// It could not be told, for these reasons.
    Unknown(Vec<String>),
}

/// A path that moved.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// Which.
    pub path: TreePath,
    /// How.
    pub how: How,
}

/// How a path moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// It was not there.
    Appeared,
    /// It is not there any more.
    Vanished,
    /// Its bytes are others.
    Edited,
    /// It may be run now.
    Executable,
    /// It may not be run any more.
    NotExecutable,
    /// The link leads elsewhere.
    Retargeted,
    /// It was something else, and is this now.
    Became(Lies),
    /// The index holds what neither it nor the tree held.
    Staged,
    /// HEAD holds what neither it nor the tree held.
    Committed,
    /// The repository is gone, or another is in its place.
    Repository,
}

/// What happened beside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Where; of a repository its folder.
    pub path: TreePath,
    /// What.
    pub what: What,
}

/// What may happen beside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// HEAD stood at the first, and stands at the second.
    Head(Head, Head),
    /// The file of this name that steers git changed.
    Control(String),
    /// The user's ignore rules changed; those of the beginning were used.
    Excludes,
    /// The flags in the index were the first, and are the second.
    Flags(String, String),
    /// The index holds other content, which the tree or HEAD had.
    Staged,
    /// The index holds nothing any more.
    Unstaged,
    /// It moved in this way, as it may.
    Allowed(How),
    /// It was touched, and has the same content.
    Touched,
    /// The folder was moved away and back, or its time was put back.
    FolderTouched,
    /// Something came and went in the folder.
    CameAndWent,
    /// The file outside the root that the link leads to changed.
    Beyond,
    /// A pipe, socket or device appeared or vanished.
    Special,
    /// It was ignored or left by a test run, and changed or vanished.
    Uncovered(Scope),
    /// So much that is ignored or left by test runs is new in it.
    New(Scope, usize),
}

/// What happened between `base` and `now`; `planted` is what git's index and HEAD came to hold.
pub fn compare(base: &Baseline, now: &Fingerprint, planted: &[Planted]) -> Comparison {
    let allow = Patterns::of(&base.allow.join("\n"));
    let mut found = Found { allow: &allow, moves: Vec::new(), remarks: Vec::new() };
    let before = &base.fingerprint;
    let pairs = paired(before, now);
    found.repositories(before, now);
    for (path, (was, is)) in &pairs {
        found.path(path, *was, *is);
    }
    found.folders(&pairs);
    found.uncovered(&pairs, now);
    let mut untold = Vec::new();
    for one in planted {
        let how = match one.seat {
            Seat::Index => How::Staged,
            Seat::Head => How::Committed,
            Seat::Untold => {
                untold.push(format!("git's objects could not be read for {}", one.path));
                continue;
            }
        };
        // A path that moved in the tree needs no second line.
        if found.moves.iter().all(|m| m.path != one.path) {
            found.moved(&one.path, how);
        }
    }
    found.moves.sort();
    found.moves.dedup();
    let verdict = match (found.moves.is_empty(), untold.is_empty()) {
        (false, _) => Verdict::Moved(found.moves),
        (true, false) => Verdict::Unknown(untold),
        (true, true) => Verdict::Held,
    };
    Comparison { verdict, remarks: found.remarks }
}

type Pairs<'e> = BTreeMap<&'e TreePath, (Option<&'e Entry>, Option<&'e Entry>)>;

fn paired<'e>(before: &'e Fingerprint, now: &'e Fingerprint) -> Pairs<'e> {
    let mut pairs: Pairs<'e> =
        before.entries.iter().map(|entry| (&entry.path, (Some(entry), None))).collect();
    for entry in &now.entries {
        pairs.entry(&entry.path).or_default().1 = Some(entry);
    }
    pairs
}

struct Found<'f> {
    allow: &'f Patterns,
    moves: Vec<Move>,
    remarks: Vec<Remark>,
}

impl Found<'_> {
    fn remark(&mut self, path: &TreePath, what: What) {
        self.remarks.push(Remark { path: path.clone(), what });
    }

    fn moved(&mut self, path: &TreePath, how: How) {
        // What is allowed to move are paths of the tree; a repository is not one of them.
        if how != How::Repository && self.allow.hold(path.bytes()) {
            self.remark(path, What::Allowed(how));
        } else {
            self.moves.push(Move { path: path.clone(), how });
        }
    }

    fn path(&mut self, path: &TreePath, was: Option<&Entry>, is: Option<&Entry>) {
        let counted = |entry: &&Entry| entry.is_counted();
        match (was.filter(counted), is.filter(counted)) {
            (Some(was), Some(is)) => match difference(was, is) {
                Some(how) => self.moved(path, how),
                None => self.equal(was, is),
            },
            (Some(_), None) => {
                let how = is.map_or(How::Vanished, |is| How::Became(is.lies));
                self.moved(path, how);
            }
            (None, Some(is)) => {
                let how = was.map_or(How::Appeared, |_| How::Became(is.lies));
                self.moved(path, how);
            }
            (None, None) => self.uncounted(path, was, is),
        }
    }

    /// Neither is a file or link that counts.
    fn uncounted(&mut self, path: &TreePath, was: Option<&Entry>, is: Option<&Entry>) {
        let is_repository =
            |e: Option<&Entry>| e.is_some_and(|e| e.is_repository() && e.scope == Scope::Covered);
        let is_special = |e: Option<&Entry>| e.is_some_and(|e| e.lies == Lies::Special);
        if is_repository(was) != is_repository(is) {
            self.moved(path, How::Repository);
        } else if is_special(was) != is_special(is) {
            self.remark(path, What::Special);
        }
    }

    fn equal(&mut self, was: &Entry, is: &Entry) {
        let path = &is.path;
        if (was.trace.inode, was.trace.changed) != (is.trace.inode, is.trace.changed) {
            self.remark(path, What::Touched);
        }
        if was.beyond != is.beyond {
            self.remark(path, What::Beyond);
        }
    }

    fn repositories(&mut self, before: &Fingerprint, now: &Fingerprint) {
        for was in &before.frame.repositories {
            let is_same = |r: &&Repository| r.at == was.at && r.above == was.above;
            match now.frame.repositories.iter().find(is_same) {
                Some(is) if is.place == was.place && is.shared == was.shared => {
                    self.repository(was, is);
                }
                Some(_) | None => self.moved(&was.at.join(b".git"), How::Repository),
            }
        }
    }

    fn repository(&mut self, was: &Repository, is: &Repository) {
        let at = &is.at;
        if was.head != is.head {
            let (from, to) = (was.head.clone(), is.head.clone());
            self.remark(at, What::Head(from, to));
        }
        let names: BTreeSet<&String> = was.control.keys().chain(is.control.keys()).collect();
        for name in names {
            if was.control.get(name) != is.control.get(name) {
                self.remark(at, What::Control(name.clone()));
            }
        }
        if was.excludes[0] != is.excludes[0] {
            self.remark(at, What::Excludes);
        }
        let keys: BTreeSet<_> = was.index.keys().chain(is.index.keys()).collect();
        for key in keys {
            let shown = || is.from_root(&key.0).unwrap_or_else(|| key.0.clone());
            match (was.index.get(key), is.index.get(key)) {
                (Some(a), Some(b)) => {
                    if a.flags != b.flags {
                        let (from, to) = (a.flags.names(), b.flags.names());
                        self.remark(&shown(), What::Flags(from, to));
                    }
                    if (&a.id, a.mode) != (&b.id, b.mode) {
                        self.remark(&shown(), What::Staged);
                    }
                }
                (None, Some(_)) => self.remark(&shown(), What::Staged),
                (Some(_), None) => self.remark(&shown(), What::Unstaged),
                (None, None) => {}
            }
        }
    }

    /// Folders whose own times tell what their content does not.
    fn folders(&mut self, pairs: &Pairs<'_>) {
        let replaced = pairs.iter().filter(|(_, (was, is))| match (was, is) {
            (Some(was), Some(is)) => was.trace.inode != is.trace.inode,
            (None, _) | (_, None) => true,
        });
        let explained: BTreeSet<TreePath> = replaced.map(|(path, _)| path.parent()).collect();
        for (path, pair) in pairs {
            let (Some(was), Some(is)) = pair else { continue };
            let is_folder = |e: &Entry| e.lies == Lies::Folder && e.scope == Scope::Covered;
            if !is_folder(was) || !is_folder(is) || is.is_repository() {
                continue;
            }
            let was_written = was.trace.modified != is.trace.modified;
            let was_changed = was.trace.changed != is.trace.changed;
            if was.trace.inode != is.trace.inode || (was_changed && !was_written) {
                self.remark(path, What::FolderTouched);
            } else if was_written && !explained.contains(*path) {
                self.remark(path, What::CameAndWent);
            }
        }
    }

    /// What is ignored or left by test runs: named where it was there, counted where it is new.
    fn uncovered(&mut self, pairs: &Pairs<'_>, now: &Fingerprint) {
        let mut new: BTreeMap<(TreePath, Scope), usize> = BTreeMap::new();
        for (path, (was, is)) in pairs {
            let uncovered = |e: &&&Entry| e.scope != Scope::Covered && e.lies != Lies::Folder;
            match (was.as_ref().filter(uncovered), is.as_ref().filter(uncovered)) {
                (Some(was), Some(is)) if was.trace == is.trace && was.lies == is.lies => {}
                (Some(was), _) => {
                    self.remark(path, What::Uncovered(was.scope));
                }
                (None, Some(is)) => {
                    *new.entry((top_uncovered(path, now), is.scope)).or_default() += 1;
                }
                (None, None) => {}
            }
        }
        for ((folder, scope), count) in new {
            self.remark(&folder, What::New(scope, count));
        }
    }
}

/// The outermost ignored folder around `path`, or the path itself.
fn top_uncovered(path: &TreePath, now: &Fingerprint) -> TreePath {
    let mut top = path.clone();
    loop {
        let parent = top.parent();
        match now.entry(&parent) {
            Some(folder) if folder.scope == Scope::Ignored => top = parent,
            Some(_) | None => return top,
        }
    }
}

fn difference(was: &Entry, is: &Entry) -> Option<How> {
    match (was.lies, is.lies) {
        (Lies::File { .. }, Lies::File { .. }) if was.hash != is.hash => Some(How::Edited),
        (Lies::File { executable: false }, Lies::File { executable: true }) => {
            Some(How::Executable)
        }
        (Lies::File { executable: true }, Lies::File { executable: false }) => {
            Some(How::NotExecutable)
        }
        (Lies::Link, Lies::Link) => (was.hash != is.hash).then_some(How::Retargeted),
        (was, is) => (was != is).then_some(How::Became(is)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::workspace::Trace;

    fn file(path: &str, hash: u8) -> Entry {
        Entry {
            path: TreePath::of(path.as_bytes()),
            scope: Scope::Covered,
            lies: Lies::File { executable: false },
            hash: [hash; 32],
            trace: Trace::default(),
            beyond: None,
        }
    }

    fn tree(entries: &[Entry]) -> Fingerprint {
        let mut entries = entries.to_vec();
        entries.sort();
        Fingerprint { entries, ..Fingerprint::default() }
    }

    fn compared(before: &[Entry], now: &[Entry], allow: &str) -> Comparison {
        let base = Baseline {
            root: TreePath::of(b"/r"),
            include: Vec::new(),
            allow: vec![allow.to_owned()],
            fingerprint: tree(before),
        };
        compare(&base, &tree(now), &[])
    }

    fn moved(path: &str, how: How) -> Verdict {
        Verdict::Moved(vec![Move { path: TreePath::of(path.as_bytes()), how }])
    }

    #[test]
    fn each_way_of_moving_is_named() {
        let a = file("a", 1);
        let run = Entry { lies: Lies::File { executable: true }, ..a.clone() };
        let link = Entry { lies: Lies::Link, ..a.clone() };
        let pipe = Entry { lies: Lies::Special, ..a.clone() };
        for (before, now, how) in [
            (vec![], vec![a.clone()], How::Appeared),
            (vec![a.clone()], vec![], How::Vanished),
            (vec![a.clone()], vec![file("a", 2)], How::Edited),
            (vec![a.clone()], vec![run.clone()], How::Executable),
            (vec![run], vec![a.clone()], How::NotExecutable),
            (vec![a.clone()], vec![link], How::Became(Lies::Link)),
            (vec![a.clone()], vec![pipe], How::Became(Lies::Special)),
        ] {
            assert_eq!(compared(&before, &now, "").verdict, moved("a", how));
        }
        assert_eq!(
            compared(std::slice::from_ref(&a), std::slice::from_ref(&a), "").verdict,
            Verdict::Held
        );
    }

    #[test]
    fn what_was_touched_and_is_equal_is_a_remark() {
        let trace = Trace { changed: 5, ..Trace::default() };
        let now = Entry { trace, ..file("a", 1) };
        let found = compared(&[file("a", 1)], &[now], "");
        assert_eq!(found.verdict, Verdict::Held);
        assert_eq!(found.remarks, [Remark { path: TreePath::of(b"a"), what: What::Touched }]);
    }

    #[test]
    fn what_may_move_is_a_remark_and_only_that() {
        let found = compared(
            &[file("a", 1), file("out/b", 1)],
            &[file("a", 2), file("out/b", 2)],
            "out/**",
        );
        assert_eq!(found.verdict, moved("a", How::Edited));
        let path = TreePath::of(b"out/b");
        assert_eq!(found.remarks, [Remark { path, what: What::Allowed(How::Edited) }]);
    }

    #[test]
    fn what_cannot_be_told_is_unknown_and_a_move_is_told_first() {
        let base = Baseline {
            root: TreePath::default(),
            include: Vec::new(),
            allow: Vec::new(),
            fingerprint: tree(&[file("a", 1)]),
        };
        let untold = [Planted { path: TreePath::of(b"a"), seat: Seat::Untold }];
        let held = compare(&base, &tree(&[file("a", 1)]), &untold);
        assert!(matches!(held.verdict, Verdict::Unknown(_)));
        let edited = compare(&base, &tree(&[file("a", 2)]), &untold);
        assert_eq!(edited.verdict, moved("a", How::Edited));
        let staged = [Planted { path: TreePath::of(b"a"), seat: Seat::Index }];
        let put_back = compare(&base, &tree(&[file("a", 1)]), &staged);
        assert_eq!(put_back.verdict, moved("a", How::Staged));
    }
}
