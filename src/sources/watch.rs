//! What happens to files between two moments: a watcher of folders writes down which paths were touched, and how.
//!
//! Reading is no touch. What the watcher missed, or may have missed, is a gap and is told; it is never taken for silence.

use super::workspace::TreePath;
use super::workspace::paths::bytes_of_path;
use notify::event::{EventKind, ModifyKind, RenameMode};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// So many touched paths are written down.
const MAX_PATHS: usize = 100_000;

/// So long is waited for the watcher to have told everything.
const PATIENCE: Duration = Duration::from_secs(2);

/// How a path was touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touch {
    /// Something was made there.
    Made,
    /// It was written to.
    Written,
    /// Its mode, owner or times were changed.
    Changed,
    /// It was removed.
    Removed,
    /// It was moved to another place.
    MovedAway,
    /// Something was moved there.
    MovedIn,
}

/// Why something may be missing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// More happened at once than the system keeps.
    Overflow,
    /// More paths were touched than are written down.
    Full,
    /// The watcher did not say that it had told everything.
    Unanswered,
    /// The watcher failed, for this reason.
    Failed(String),
}

/// What was touched.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Touched {
    /// How, by path below the root.
    pub paths: BTreeMap<TreePath, BTreeSet<Touch>>,
    /// What may be missing.
    pub gaps: BTreeSet<Gap>,
}

/// A watcher at work. It ends when it is dropped.
pub struct Watch {
    watcher: RecommendedWatcher,
    record: Arc<Record>,
    sign: PathBuf,
}

struct Record {
    root: PathBuf,
    sign: PathBuf,
    state: Mutex<State>,
    signed: Condvar,
}

#[derive(Default)]
struct State {
    touched: Touched,
    is_signed: bool,
}

impl Watch {
    /// Watches what lies directly in these folders below `root`, which is absolute and leads through no link. By opening
    /// `sign`, a file that nobody else opens, it finds out later whether everything was told.
    pub fn begin<'f>(
        root: &Path,
        folders: impl Iterator<Item = &'f TreePath>,
        sign: &Path,
    ) -> Result<Watch, String> {
        let record = Arc::new(Record {
            root: root.to_path_buf(),
            sign: sign.to_path_buf(),
            state: Mutex::default(),
            signed: Condvar::new(),
        });
        let told = Arc::clone(&record);
        let watcher = notify::recommended_watcher(move |event| told.take(event));
        let mut watcher = watcher.map_err(|why| why.to_string())?;
        let mut paths = watcher.paths_mut();
        let failed = |why: notify::Error| why.to_string();
        match folders_are_enough() {
            true => {
                for folder in folders {
                    let path = root.join(folder.to_path());
                    paths.add(&path, RecursiveMode::NonRecursive).map_err(failed)?;
                }
            }
            false => paths.add(root, RecursiveMode::Recursive).map_err(failed)?,
        }
        paths.add(sign, RecursiveMode::NonRecursive).map_err(failed)?;
        paths.commit().map_err(failed)?;
        Ok(Watch { watcher, record, sign: sign.to_path_buf() })
    }

    /// Watches one more folder; what happened in it before is not known.
    pub fn follow(&mut self, folder: &Path) -> Result<(), String> {
        match folders_are_enough() {
            true => {
                let added = self.watcher.watch(folder, RecursiveMode::NonRecursive);
                added.map_err(|why| why.to_string())
            }
            false => Ok(()),
        }
    }

    /// What was touched since the beginning or the last time. Everything that happened before this call is in it, or a gap
    /// says that it may not be.
    pub fn take(&self) -> Touched {
        self.record.locked().is_signed = false;
        let opened = File::open(&self.sign);
        let state = self.record.locked();
        let waited = self.record.signed.wait_timeout_while(state, PATIENCE, |s| !s.is_signed);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let mut touched = std::mem::take(&mut state.touched);
        if opened.is_err() || !state.is_signed {
            touched.gaps.insert(Gap::Unanswered);
        }
        touched
    }
}

/// Whether single folders are watched, as on Linux; elsewhere a watcher takes the whole tree.
fn folders_are_enough() -> bool {
    RecommendedWatcher::kind() == notify::WatcherKind::Inotify
}

impl Record {
    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, event: Result<Event, notify::Error>) {
        let event = match event {
            Ok(event) => event,
            Err(why) => {
                self.locked().touched.gaps.insert(Gap::Failed(why.to_string()));
                return;
            }
        };
        if event.need_rescan() {
            self.locked().touched.gaps.insert(Gap::Overflow);
        }
        if event.paths.contains(&self.sign) {
            self.locked().is_signed = true;
            self.signed.notify_all();
            return;
        }
        let Some(touch) = touch(event.kind) else { return };
        let mut state = self.locked();
        for path in &event.paths {
            let Ok(below) = path.strip_prefix(&self.root) else { continue };
            let path = TreePath::of(&bytes_of_path(below));
            if state.touched.paths.len() >= MAX_PATHS && !state.touched.paths.contains_key(&path) {
                state.touched.gaps.insert(Gap::Full);
                return;
            }
            state.touched.paths.entry(path).or_default().insert(touch);
        }
    }
}

/// How an event touches its path, if it does.
fn touch(kind: EventKind) -> Option<Touch> {
    match kind {
        EventKind::Create(_) => Some(Touch::Made),
        EventKind::Remove(_) => Some(Touch::Removed),
        EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Any) => Some(Touch::Written),
        EventKind::Modify(ModifyKind::Metadata(_) | ModifyKind::Other) => Some(Touch::Changed),
        EventKind::Modify(ModifyKind::Name(RenameMode::From)) => Some(Touch::MovedAway),
        EventKind::Modify(ModifyKind::Name(RenameMode::To)) => Some(Touch::MovedIn),
        // Told once more for both ends; each end has an event of its own.
        EventKind::Modify(ModifyKind::Name(RenameMode::Both)) => None,
        EventKind::Modify(ModifyKind::Name(RenameMode::Any | RenameMode::Other)) => {
            Some(Touch::MovedAway)
        }
        EventKind::Access(_) | EventKind::Any | EventKind::Other => None,
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use std::fs;

    struct Tree {
        dir: tempfile::TempDir,
        watch: Watch,
    }

    impl Tree {
        fn watched() -> Tree {
            let dir = tempfile::tempdir().unwrap();
            let root = dir.path().canonicalize().unwrap().join("root");
            fs::create_dir_all(root.join("src")).unwrap();
            fs::write(root.join("src/a.js"), "a").unwrap();
            fs::write(root.join("sign"), "").unwrap();
            let sign = dir.path().canonicalize().unwrap().join("sign");
            fs::write(&sign, "").unwrap();
            let folders = [TreePath::default(), TreePath::of(b"src")];
            let watch = Watch::begin(&root, folders.iter(), &sign).unwrap();
            Tree { dir, watch }
        }

        fn at(&self, path: &str) -> PathBuf {
            self.dir.path().join("root").join(path)
        }

        fn taken(&self) -> Vec<(String, Vec<Touch>)> {
            let Touched { paths, gaps } = self.watch.take();
            assert_eq!(gaps, BTreeSet::new());
            let rows = paths.into_iter();
            rows.map(|(path, how)| (path.to_string(), how.into_iter().collect())).collect()
        }
    }

    #[test]
    fn everything_that_happened_before_it_is_asked_is_told() {
        let tree = Tree::watched();
        assert_eq!(tree.taken(), []);
        for round in 0..200 {
            fs::write(tree.at("src/a.js"), round.to_string()).unwrap();
            let written = vec![Touch::Written];
            assert_eq!(tree.taken(), [("src/a.js".to_owned(), written)], "round {round}");
        }
    }

    #[test]
    fn each_way_of_touching_is_told_apart_and_reading_is_none() {
        use Touch::{Changed, Made, MovedAway, MovedIn, Removed, Written};
        let tree = Tree::watched();
        fs::read(tree.at("src/a.js")).unwrap();
        fs::read_dir(tree.at("src")).unwrap().count();
        assert_eq!(tree.taken(), []);
        fs::rename(tree.at("src/a.js"), tree.at("b.js")).unwrap();
        fs::rename(tree.at("b.js"), tree.at("src/a.js")).unwrap();
        fs::write(tree.at("src/new.js"), "x").unwrap();
        fs::remove_file(tree.at("src/new.js")).unwrap();
        let mut mode = fs::metadata(tree.at("sign")).unwrap().permissions();
        mode.set_readonly(true);
        fs::set_permissions(tree.at("sign"), mode).unwrap();
        let expected = [
            ("b.js", vec![MovedAway, MovedIn]),
            ("sign", vec![Changed]),
            ("src/a.js", vec![MovedAway, MovedIn]),
            ("src/new.js", vec![Made, Written, Removed]),
        ];
        assert_eq!(tree.taken(), expected.map(|(path, how)| (path.to_owned(), how)));
    }

    #[test]
    fn what_cannot_be_watched_is_an_error_and_a_sign_that_is_gone_is_a_gap() {
        let tree = Tree::watched();
        let gone = [TreePath::of(b"gone")];
        let sign = tree.dir.path().join("sign");
        assert!(Watch::begin(&tree.at(""), gone.iter(), &sign).is_err());
        fs::remove_file(&sign).unwrap();
        assert_eq!(tree.watch.take().gaps, BTreeSet::from([Gap::Unanswered]));
    }
}
