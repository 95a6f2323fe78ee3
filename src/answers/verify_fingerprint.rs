//! Did the tree hold still? A baseline and a fingerprint of now, compared.
//!
//! Held says no more than that the covered tree has the same bytes now as then; what was touched in between, or lies
//! outside of what is covered, is remarked on. What could not be told is unknown, and never held.

use crate::sources::repository::{Head, Repository, Row};
use crate::sources::tree::{
    Entry, Fingerprint, Frame, Frozen, Later, Pair, Planted, Scope, Seat, Seen,
};
use crate::sources::watch::{Gap, Touch, Touched};
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
    /// Whether a watcher was to run until the comparison.
    pub watch: Watch,
    /// The tree as it stood.
    pub fingerprint: Fingerprint,
}

/// Whether what happens between a beginning and its comparison is watched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Watch {
    /// Nobody watches.
    #[default]
    Off,
    /// A watcher runs in the process that began.
    On,
}

/// What a watcher told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Watched {
    /// None was asked for.
    #[default]
    NotAsked,
    /// It did not run to the end.
    Lost,
    /// What was touched.
    Told(Touched),
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
    /// It was written to, and has the same content again.
    PutBack,
    /// It was removed or replaced, and something with the same content is there.
    Replaced,
    /// It was moved away and back.
    MovedAndBack,
    /// It was made, and is gone.
    WasThere,
    /// The watcher may have missed something.
    Gap(Gap),
    /// The watcher did not run to the end.
    Unwatched,
    /// The file outside the root that the link leads to changed.
    Beyond,
    /// A pipe, socket or device appeared or vanished.
    Special,
    /// It was ignored or left by a test run, and changed or vanished.
    Uncovered(Scope),
    /// So much that is ignored or left by test runs is new in it.
    New(Scope, usize),
}

/// What happened between `base` and `now`; `planted` is what git's index and HEAD came to hold, `watched` what a watcher
/// told.
pub fn compare(
    base: &Baseline,
    now: &Later<'_>,
    planted: &[Planted],
    watched: &Watched,
) -> Comparison {
    let allow = Patterns::of(&base.allow.join("\n"));
    let mut found = Found { allow: &allow, moves: Vec::new(), remarks: Vec::new() };
    // What is in every respect as it was says nothing.
    let pairs = now.seen.differing();
    found.repositories(&base.fingerprint.frame, &now.frame);
    for (was, is) in &pairs {
        found.path(path_of((*was, *is)), *was, *is);
    }
    found.folders(&pairs);
    found.uncovered(&pairs, &now.seen);
    match watched {
        Watched::NotAsked => {}
        Watched::Lost => found.remark(&TreePath::default(), What::Unwatched),
        Watched::Told(touched) => found.watched(base, now, touched),
    }
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

fn path_of<'p>((was, is): Pair<'p>) -> &'p TreePath {
    let entry = was.or(is).expect("a path differs where something was or is");
    &entry.path
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

    fn repositories(&mut self, before: &Frame, now: &Frame) {
        for was in &before.repositories {
            let is_same = |r: &&Repository| r.at == was.at && r.above == was.above;
            match now.repositories.iter().find(is_same) {
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
        let mut rest = is.index.rows().iter().peekable();
        for row in was.index.rows() {
            while let Some(new) = rest.next_if(|new| new.key() < row.key()) {
                self.remark(&shown(is, new), What::Staged);
            }
            let Some(now) = rest.next_if(|now| now.key() == row.key()) else {
                self.remark(&shown(is, row), What::Unstaged);
                continue;
            };
            let (a, b) = (&row.staged, &now.staged);
            if a.flags != b.flags {
                self.remark(&shown(is, row), What::Flags(a.flags.names(), b.flags.names()));
            }
            if (a.id, a.mode) != (b.id, b.mode) {
                self.remark(&shown(is, row), What::Staged);
            }
        }
        for new in rest {
            self.remark(&shown(is, new), What::Staged);
        }
    }

    /// What was touched and is as it was; it says more than traces do, and takes their place.
    fn watched(&mut self, base: &Baseline, now: &Later<'_>, touched: &Touched) {
        let include = Patterns::of(&base.include.join("\n"));
        let mut rules = Frozen::new(&base.fingerprint.frame, &include);
        let moved: BTreeSet<TreePath> = self.moves.iter().map(|m| m.path.clone()).collect();
        let mut named = BTreeSet::new();
        for (path, how) in &touched.paths {
            let (was, is) = (base.fingerprint.entry(path), now.seen.entry(path));
            let is_counted = match was.or(is) {
                Some(entry) => entry.scope == Scope::Covered && !path.is_root(),
                None => rules.scope(path) == Scope::Covered,
            };
            if !is_counted || moved.contains(path) {
                continue;
            }
            if let Some(what) = in_between(how, was, is) {
                named.insert(path.clone());
                named.insert(path.parent());
                self.remark(path, what);
            }
        }
        let told_by_traces = [What::Touched, What::CameAndWent, What::FolderTouched];
        self.remarks.retain(|r| !(told_by_traces.contains(&r.what) && named.contains(&r.path)));
        for gap in &touched.gaps {
            self.remark(&TreePath::default(), What::Gap(gap.clone()));
        }
    }

    /// Folders whose own times tell what their content does not.
    fn folders(&mut self, pairs: &[Pair<'_>]) {
        let replaced = pairs.iter().filter(|(was, is)| match (was, is) {
            (Some(was), Some(is)) => was.trace.inode != is.trace.inode,
            (None, _) | (_, None) => true,
        });
        let explained: BTreeSet<TreePath> = replaced.map(|pair| path_of(*pair).parent()).collect();
        for pair in pairs {
            let (Some(was), Some(is)) = pair else { continue };
            let path = &is.path;
            let is_folder = |e: &Entry| e.lies == Lies::Folder && e.scope == Scope::Covered;
            if !is_folder(was) || !is_folder(is) || is.is_repository() {
                continue;
            }
            let was_written = was.trace.modified != is.trace.modified;
            let was_changed = was.trace.changed != is.trace.changed;
            if was.trace.inode != is.trace.inode || (was_changed && !was_written) {
                self.remark(path, What::FolderTouched);
            } else if was_written && !explained.contains(path) {
                self.remark(path, What::CameAndWent);
            }
        }
    }

    /// What is ignored or left by test runs: named where it was there, counted where it is new.
    fn uncovered(&mut self, pairs: &[Pair<'_>], now: &Seen<'_>) {
        let mut new: BTreeMap<(TreePath, Scope), usize> = BTreeMap::new();
        for (was, is) in pairs {
            let path = path_of((*was, *is));
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

/// What a watcher saw of a path at which the same lies as before: nothing, or something else than its trace tells.
fn in_between(how: &BTreeSet<Touch>, was: Option<&Entry>, is: Option<&Entry>) -> Option<What> {
    let has = |touch| how.contains(&touch);
    match (was, is) {
        (None, None) => Some(What::WasThere),
        (Some(_), Some(_)) if has(Touch::Made) || has(Touch::Removed) => Some(What::Replaced),
        (Some(_), Some(_)) if has(Touch::MovedAway) => Some(What::MovedAndBack),
        (Some(_), Some(_)) if has(Touch::MovedIn) => Some(What::Replaced),
        (Some(_), Some(_)) if has(Touch::Written) => Some(What::PutBack),
        // What became another is a move, and a mode that changed is told by its trace.
        (Some(_), Some(_)) | (Some(_), None) | (None, Some(_)) => None,
    }
}

/// The path of a row as the root has it, where it lies below.
fn shown(repository: &Repository, row: &Row) -> TreePath {
    repository.from_root(&row.path).unwrap_or_else(|| row.path.clone())
}

/// The outermost ignored folder around `path`, or the path itself.
fn top_uncovered(path: &TreePath, now: &Seen<'_>) -> TreePath {
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

    fn later<'b>(base: &'b Baseline, now: &[Entry]) -> Later<'b> {
        let seen = Seen::of(&base.fingerprint.entries, now.to_vec());
        Later { seen, frame: Frame::default() }
    }

    fn compared(before: &[Entry], now: &[Entry], allow: &str) -> Comparison {
        let base = Baseline {
            root: TreePath::of(b"/r"),
            include: Vec::new(),
            allow: vec![allow.to_owned()],
            watch: Watch::Off,
            fingerprint: tree(before),
        };
        compare(&base, &later(&base, now), &[], &Watched::NotAsked)
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
            watch: Watch::Off,
            fingerprint: tree(&[file("a", 1)]),
        };
        let untold = [Planted { path: TreePath::of(b"a"), seat: Seat::Untold }];
        let held = compare(&base, &later(&base, &[file("a", 1)]), &untold, &Watched::NotAsked);
        assert!(matches!(held.verdict, Verdict::Unknown(_)));
        let edited = compare(&base, &later(&base, &[file("a", 2)]), &untold, &Watched::NotAsked);
        assert_eq!(edited.verdict, moved("a", How::Edited));
        let staged = [Planted { path: TreePath::of(b"a"), seat: Seat::Index }];
        let put_back = compare(&base, &later(&base, &[file("a", 1)]), &staged, &Watched::NotAsked);
        assert_eq!(put_back.verdict, moved("a", How::Staged));
    }
    #[test]
    fn what_a_watcher_saw_is_named_where_the_same_lies_as_before() {
        use Touch::{Changed, Made, MovedAway, MovedIn, Removed, Written};
        let ignored = Entry { scope: Scope::Ignored, ..file("out", 1) };
        let before = [file("a", 1), file("b", 1), ignored];
        let base = Baseline {
            root: TreePath::default(),
            include: Vec::new(),
            allow: Vec::new(),
            watch: Watch::On,
            fingerprint: tree(&before),
        };
        let edited = [file("a", 1), file("b", 2), before[2].clone()];
        for (path, how, what) in [
            ("a", vec![Written], Some(What::PutBack)),
            ("a", vec![Removed, Made, Written], Some(What::Replaced)),
            ("a", vec![MovedIn], Some(What::Replaced)),
            ("a", vec![MovedAway, MovedIn], Some(What::MovedAndBack)),
            ("a", vec![Changed], None),
            ("c", vec![Made, Written, Removed], Some(What::WasThere)),
            ("new/c", vec![MovedIn, MovedAway], Some(What::WasThere)),
            ("b", vec![Written], None),
            ("out", vec![Written], None),
            (".git/index.lock", vec![Made, Removed], None),
        ] {
            let path = TreePath::of(path.as_bytes());
            let paths = BTreeMap::from([(path.clone(), how.into_iter().collect())]);
            let touched = Touched { paths, ..Touched::default() };
            let told = Watched::Told(touched);
            let found = compare(&base, &later(&base, &edited), &[], &told);
            let said: Vec<Remark> =
                what.into_iter().map(|what| Remark { path: path.clone(), what }).collect();
            assert_eq!(found.remarks, said, "{path}");
            assert_eq!(found.verdict, moved("b", How::Edited));
        }
        let gaps = BTreeSet::from([Gap::Overflow]);
        let told = Watched::Told(Touched { gaps, ..Touched::default() });
        let found = compare(&base, &later(&base, &edited), &[], &told);
        let what = What::Gap(Gap::Overflow);
        assert_eq!(found.remarks, [Remark { path: TreePath::default(), what }]);
    }
}
