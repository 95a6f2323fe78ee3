//! Walking a tree on all cores, from folder to folder by descriptors.
//!
//! Folders wait on one pile, last first, each with the open folder that it lies in: so neither the depth of a tree nor
//! the length of a path has a limit, and few folders are open at once.

use super::later::Seen;
use super::records::{Entry, Ground, Scope, TreeTrouble, placed};
use super::remembered::Remembered;
use super::scope::{Here, Rules, Standing};
use crate::base::{Progress, Stop, to_u32};
use crate::sources::workspace::folder::status_of_file;
use crate::sources::workspace::paths::range_below;
use crate::sources::workspace::{Folder, Lies, Listed, Patterns, Status, Trace, TreePath};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How many bytes are read at once.
const CHUNK: usize = 128 << 10;

/// How long a thread without work waits before it looks at the stop sign.
const A_WHILE: Duration = Duration::from_millis(50);

/// What a walk is for.
#[derive(Clone, Copy)]
pub(super) enum Reading<'r> {
    /// To read all content but what is remembered.
    Content {
        /// What was there before, sorted.
        before: &'r [Entry],
        /// Hashes that hold as long as the traces do, where they may be believed.
        remembered: Option<&'r Remembered>,
    },
    /// To see whether what counts is still what was read, by traces alone.
    Still(&'r Seen<'r>),
}

/// One walk.
pub(super) struct Walk<'w> {
    pub ground: Ground<'w>,
    pub rules: &'w Rules<'w>,
    pub include: &'w Patterns,
    pub stop: &'w Stop,
    pub progress: &'w dyn Progress,
}

/// A folder that waits.
struct Waiting {
    inside: Option<Arc<Folder>>,
    path: TreePath,
    here: Here,
}

#[derive(Default)]
struct Pile {
    waiting: Vec<Waiting>,
    n_busy: usize,
    /// Places of what is in every respect as it was before.
    same: Vec<u32>,
    others: Vec<Entry>,
    troubles: Vec<TreeTrouble>,
}

/// The pile, and who waits for it.
struct Shared {
    pile: Mutex<Pile>,
    changed: Condvar,
    n_paths: AtomicU64,
    n_covered: AtomicU64,
    n_remembered: AtomicU64,
}

/// What a walk gave.
pub(super) struct Walked<'b> {
    /// Every path; none where it was only to be seen whether they are still there.
    pub seen: Seen<'b>,
    /// How many paths count, folders among them.
    pub n_covered: u64,
    /// How many files were not read, since they were remembered.
    pub n_remembered: u64,
}

impl Walk<'_> {
    /// Walks the whole tree.
    pub fn run<'r>(&self, reading: Reading<'r>) -> Result<Walked<'r>, TreeTrouble> {
        let here = self.rules.at_root(Some(self.ground.top))?;
        let first = Waiting { inside: None, path: TreePath::default(), here };
        let pile = Mutex::new(Pile { waiting: vec![first], ..Pile::default() });
        let [n_paths, n_covered, n_remembered] = Default::default();
        let shared = Shared { pile, changed: Condvar::new(), n_paths, n_covered, n_remembered };
        let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 1..n_threads {
                scope.spawn(|| self.work(&shared, reading));
            }
            self.work(&shared, reading);
        });
        let Shared { pile, n_covered, n_remembered, .. } = shared;
        let pile = pile.into_inner().unwrap_or_else(PoisonError::into_inner);
        if self.stop.is_set() {
            return Err(TreeTrouble::Stopped);
        }
        // What is unreadable stays so; what moved may hold still on the next try, so it is told last.
        let is_moving = |t: &TreeTrouble| matches!(t, TreeTrouble::Moving { .. });
        let mut troubles = pile.troubles;
        troubles.sort_by_key(|trouble| (is_moving(trouble), trouble.to_string()));
        if let Some(trouble) = troubles.into_iter().next() {
            return Err(trouble);
        }
        let before = match reading {
            Reading::Content { before, .. } => before,
            Reading::Still(_) => &[],
        };
        Ok(Walked {
            seen: Seen::new(before, &pile.same, pile.others),
            n_covered: n_covered.into_inner(),
            n_remembered: n_remembered.into_inner(),
        })
    }

    fn work(&self, shared: &Shared, reading: Reading<'_>) {
        let size = match reading {
            Reading::Content { .. } => CHUNK,
            Reading::Still(_) => 0,
        };
        let mut buffer = vec![0; size];
        loop {
            let mut pile = shared.pile.lock().unwrap_or_else(PoisonError::into_inner);
            let next = loop {
                if self.stop.is_set() || !pile.troubles.is_empty() {
                    break None;
                }
                if let Some(next) = pile.waiting.pop() {
                    pile.n_busy += 1;
                    break Some(next);
                }
                if pile.n_busy == 0 {
                    break None;
                }
                // Woken by what others find, and now and then to look at the stop sign.
                let woken = shared.changed.wait_timeout(pile, A_WHILE);
                pile = woken.unwrap_or_else(PoisonError::into_inner).0;
            };
            drop(pile);
            let Some(next) = next else {
                shared.changed.notify_all();
                return;
            };
            let mut found = Found::new(self, reading, &mut buffer, &next.path);
            let done = found.folder(next);
            let Found { same, others, n_paths, n_covered, n_remembered, .. } = found;
            let n_all = shared.n_paths.fetch_add(n_paths, Ordering::Relaxed) + n_paths;
            shared.n_covered.fetch_add(n_covered, Ordering::Relaxed);
            shared.n_remembered.fetch_add(n_remembered, Ordering::Relaxed);
            let mut pile = shared.pile.lock().unwrap_or_else(PoisonError::into_inner);
            pile.n_busy -= 1;
            pile.same.extend(same);
            pile.others.extend(others);
            match done {
                Ok(below) => pile.waiting.extend(below),
                Err(trouble) => pile.troubles.push(trouble),
            }
            drop(pile);
            shared.changed.notify_all();
            self.progress.step(n_all, 0, "reading the tree");
        }
    }
}

/// What one folder gives.
struct Found<'f> {
    walk: &'f Walk<'f>,
    reading: Reading<'f>,
    /// Where what was before lies below this folder.
    near: Range<usize>,
    buffer: &'f mut [u8],
    same: Vec<u32>,
    others: Vec<Entry>,
    n_paths: u64,
    n_covered: u64,
    n_remembered: u64,
}

impl<'f> Found<'f> {
    fn new(
        walk: &'f Walk<'f>,
        reading: Reading<'f>,
        buffer: &'f mut [u8],
        folder: &TreePath,
    ) -> Found<'f> {
        let near = match reading {
            Reading::Content { before, .. } => {
                range_below(before, folder.bytes(), |e| e.path.bytes())
            }
            Reading::Still(_) => 0..0,
        };
        let (same, others) = Default::default();
        let (n_paths, n_covered, n_remembered) = (0, 0, 0);
        Found { walk, reading, near, buffer, same, others, n_paths, n_covered, n_remembered }
    }

    fn folder(&mut self, waiting: Waiting) -> Result<Vec<Waiting>, TreeTrouble> {
        let Waiting { inside, path, here } = waiting;
        let opened = match &inside {
            Some(inside) => inside.folder(path.name()),
            None => Folder::open(self.walk.ground.root),
        };
        drop(inside);
        let scope = match here.standing {
            Standing::Open => Scope::Covered,
            Standing::Ignored => Scope::Ignored,
        };
        let (folder, status, names) = match opened.and_then(|f| Ok((f.own_status()?, f.list()?, f)))
        {
            Ok((status, names, folder)) => (folder, status, names),
            // What is ignored need not be readable, and may come and go.
            Err(_) if scope == Scope::Ignored => return Ok(Vec::new()),
            Err(why) => return Err(trouble(&path, why)),
        };
        let here = self.walk.rules.enter(&folder, &names, &path, here)?;
        self.take_folder(entry(path.clone(), scope, status))?;
        let folder = Arc::new(folder);
        let mut below = Vec::new();
        for (name, listed) in names {
            if self.walk.stop.is_set() {
                return Err(TreeTrouble::Stopped);
            }
            let inner = path.join(&name);
            if listed == Listed::File && name != b".git" && self.reads_at_once() {
                let scope = here.scope(&inner, self.walk.include);
                if scope == Scope::Covered {
                    self.file(&folder, &name, inner)?;
                    continue;
                }
            }
            match folder.status(&name) {
                Ok(status) if status.lies == Lies::Folder && name != b".git" => {
                    let here = here.below(&inner);
                    below.push(Waiting { inside: Some(Arc::clone(&folder)), path: inner, here });
                }
                Ok(status) => self.leaf(&folder, &name, inner, status, &here)?,
                Err(_) if here.standing == Standing::Ignored => {}
                Err(why) => return Err(trouble(&inner, why)),
            }
        }
        Ok(below)
    }

    /// Whether a file that counts is opened without a look at its status first: where nothing is remembered it is read
    /// in any case.
    fn reads_at_once(&self) -> bool {
        match self.reading {
            Reading::Content { remembered, .. } => remembered.is_none(),
            Reading::Still(_) => false,
        }
    }

    /// A regular file that counts.
    fn file(&mut self, folder: &Folder, name: &[u8], path: TreePath) -> Result<(), TreeTrouble> {
        let opened = folder.file_with_status(name);
        let (file, status) = opened.map_err(|why| trouble(&path, why))?;
        let mut found = entry(path, Scope::Covered, status);
        self.hash(file, &mut found)?;
        self.take(found)
    }

    fn leaf(
        &mut self,
        folder: &Folder,
        name: &[u8],
        path: TreePath,
        status: Status,
        here: &Here,
    ) -> Result<(), TreeTrouble> {
        let scope = match (name == b".git", here.standing) {
            (true, Standing::Open) => Scope::Covered,
            (true, Standing::Ignored) => Scope::Ignored,
            (false, _) => here.scope(&path, self.walk.include),
        };
        let mut found = entry(path, scope, status);
        // Git writes in its own folder with every command, so its times tell nothing.
        if found.is_repository() {
            found.trace = Trace::default();
        }
        if let Reading::Content { remembered, .. } = self.reading {
            self.read(folder, name, &mut found, remembered)?;
        }
        self.take(found)
    }

    fn read(
        &mut self,
        folder: &Folder,
        name: &[u8],
        found: &mut Entry,
        remembered: Option<&Remembered>,
    ) -> Result<(), TreeTrouble> {
        let failed = |why| trouble(&found.path, why);
        match (found.scope, found.lies) {
            (Scope::Covered, Lies::File { .. }) => {
                match remembered.and_then(|r| r.hash(&found.trace)) {
                    Some(hash) => {
                        found.hash = hash;
                        self.n_remembered += 1;
                    }
                    None => {
                        let file = folder.file(name).map_err(failed)?;
                        self.hash(file, found)?;
                    }
                }
            }
            (Scope::Covered, Lies::Link) => {
                let text = folder.link_text(name).map_err(failed)?;
                found.hash = Sha256::digest(&text).into();
                found.beyond = self.beyond(folder, name, &found.path).map(Box::new);
            }
            (_, Lies::File { .. } | Lies::Link | Lies::Folder | Lies::Special) => {}
        }
        Ok(())
    }

    fn hash(&mut self, file: File, found: &mut Entry) -> Result<(), TreeTrouble> {
        let hashed = hashed(file, found, self.buffer, self.walk.stop);
        let hash = hashed.map_err(|why| trouble(&found.path, why))?;
        if self.walk.stop.is_set() {
            return Err(TreeTrouble::Stopped);
        }
        found.hash = hash.ok_or_else(|| TreeTrouble::Moving { path: found.path.clone() })?;
        Ok(())
    }

    /// A folder's own path is not below itself.
    fn take_folder(&mut self, found: Entry) -> Result<(), TreeTrouble> {
        let place = match self.reading {
            Reading::Content { before, .. } => placed(before, &found.path),
            Reading::Still(_) => None,
        };
        self.take_at(found, place)
    }

    fn take(&mut self, found: Entry) -> Result<(), TreeTrouble> {
        let place = match self.reading {
            Reading::Content { before, .. } => {
                let near = before.get(self.near.clone()).unwrap_or_default();
                placed(near, &found.path).map(|at| self.near.start + at)
            }
            Reading::Still(_) => None,
        };
        self.take_at(found, place)
    }

    /// Takes what was found; `place` is where its path stood before.
    fn take_at(&mut self, found: Entry, place: Option<usize>) -> Result<(), TreeTrouble> {
        self.n_paths += 1;
        self.n_covered += u64::from(found.scope == Scope::Covered);
        match self.reading {
            Reading::Content { before, .. } => {
                match place.filter(|at| before.get(*at) == Some(&found)) {
                    Some(at) => self.same.push(to_u32(at)),
                    None => self.others.push(found),
                }
            }
            Reading::Still(seen) if found.scope == Scope::Covered => {
                let was = seen.entry(&found.path);
                let is_same = was.is_some_and(|was| {
                    (was.scope, was.lies, was.trace) == (found.scope, found.lies, found.trace)
                });
                if !is_same {
                    return Err(TreeTrouble::Moving { path: found.path });
                }
            }
            Reading::Still(_) => {}
        }
        Ok(())
    }

    /// The trace of the file that a link leads to, where that lies outside the root.
    fn beyond(&self, folder: &Folder, name: &[u8], path: &TreePath) -> Option<Trace> {
        let behind = folder.status_behind(name).ok()?;
        let Lies::File { .. } = behind.lies else { return None };
        let real = self.walk.ground.root.join(path.to_path()).canonicalize().ok()?;
        (!real.starts_with(self.walk.ground.root)).then_some(behind.trace)
    }
}

/// SHA-256 of a file; none where it changed meanwhile, or nobody waits for it any more.
fn hashed(
    mut file: File,
    entry: &Entry,
    buffer: &mut [u8],
    stop: &Stop,
) -> io::Result<Option<[u8; 32]>> {
    let mut hash = Sha256::new();
    let mut n_read = 0;
    // A file that says it is empty may hold something all the same, as those of /proc do.
    while n_read < entry.trace.bytes.max(1) {
        let n = match file.read(buffer) {
            Ok(0) => break,
            Ok(n) => n,
            Err(why) if why.kind() == ErrorKind::Interrupted => continue,
            Err(why) => return Err(why),
        };
        hash.update(&buffer[..n]);
        n_read += n as u64;
        // A file that grows while it is read may never end.
        if n_read > entry.trace.bytes || stop.is_set() {
            return Ok(None);
        }
    }
    let after = status_of_file(&file)?;
    let is_same = after == Status { lies: entry.lies, trace: entry.trace };
    Ok((is_same && n_read == entry.trace.bytes).then(|| hash.finalize().into()))
}

fn entry(path: TreePath, scope: Scope, status: Status) -> Entry {
    let Status { lies, trace } = status;
    Entry { path, scope, lies, hash: [0; 32], trace, beyond: None }
}

/// What vanished or became something else while it was read moved; anything else cannot be read.
fn trouble(path: &TreePath, why: io::Error) -> TreeTrouble {
    let path = path.clone();
    match why.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidInput => {
            TreeTrouble::Moving { path }
        }
        _ => TreeTrouble::Unreadable { path, why },
    }
}
