//! Walking a tree on all cores, from folder to folder by descriptors.
//!
//! Folders wait on one pile, last first, each with the open folder that it lies in: so neither the depth of a tree nor
//! the length of a path has a limit, and few folders are open at once.

use super::records::{Entry, Ground, Scope, TreeTrouble};
use super::scope::{Here, Rules, Standing};
use crate::base::{Progress, Stop};
use crate::sources::workspace::folder::status_of_file;
use crate::sources::workspace::{Folder, Lies, Patterns, Status, Trace, TreePath};
use sha2::{Digest, Sha256};
use std::io::{self, ErrorKind, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How many bytes are read at once.
const CHUNK: usize = 128 << 10;

/// How long a thread without work waits before it looks at the stop sign.
const A_WHILE: Duration = Duration::from_millis(50);

/// Whether content is read, or only what tells that it was touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    Content,
    Traces,
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
    entries: Vec<Entry>,
    troubles: Vec<TreeTrouble>,
}

/// The pile, and who waits for it.
struct Shared {
    pile: Mutex<Pile>,
    changed: Condvar,
    n_files: AtomicU64,
}

impl Walk<'_> {
    /// Every path of the tree, sorted.
    pub fn run(&self, reading: Reading) -> Result<Vec<Entry>, TreeTrouble> {
        let here = self.rules.at_root(Some(self.ground.top))?;
        let first = Waiting { inside: None, path: TreePath::default(), here };
        let pile = Pile { waiting: vec![first], ..Pile::default() };
        let pile = Mutex::new(pile);
        let shared = Shared { pile, changed: Condvar::new(), n_files: AtomicU64::new(0) };
        let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 1..n_threads {
                scope.spawn(|| self.work(&shared, reading));
            }
            self.work(&shared, reading);
        });
        let pile = shared.pile.into_inner().unwrap_or_else(PoisonError::into_inner);
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
        let mut entries = pile.entries;
        entries.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        Ok(entries)
    }

    fn work(&self, shared: &Shared, reading: Reading) {
        let mut buffer = vec![0; if reading == Reading::Content { CHUNK } else { 0 }];
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
            let mut found = Found { walk: self, reading, buffer: &mut buffer, entries: Vec::new() };
            let done = found.folder(next);
            let entries = found.entries;
            let n_new = entries.len() as u64;
            let n_files = shared.n_files.fetch_add(n_new, Ordering::Relaxed) + n_new;
            let mut pile = shared.pile.lock().unwrap_or_else(PoisonError::into_inner);
            pile.n_busy -= 1;
            pile.entries.extend(entries);
            match done {
                Ok(below) => pile.waiting.extend(below),
                Err(trouble) => pile.troubles.push(trouble),
            }
            drop(pile);
            shared.changed.notify_all();
            self.progress.step(n_files, 0, "reading the tree");
        }
    }
}

/// What one folder gives.
struct Found<'f> {
    walk: &'f Walk<'f>,
    reading: Reading,
    buffer: &'f mut [u8],
    entries: Vec<Entry>,
}

impl Found<'_> {
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
        let (folder, status, names) =
            match opened.and_then(|f| Ok((f.own_status()?, f.names()?, f))) {
                Ok((status, names, folder)) => (folder, status, names),
                // What is ignored need not be readable, and may come and go.
                Err(_) if scope == Scope::Ignored => return Ok(Vec::new()),
                Err(why) => return Err(trouble(&path, why)),
            };
        self.entries.push(entry(path.clone(), scope, status));
        let here = self.walk.rules.enter(&folder, &path, here)?;
        let folder = Arc::new(folder);
        let mut below = Vec::new();
        for name in names {
            if self.walk.stop.is_set() {
                return Err(TreeTrouble::Stopped);
            }
            let inner = path.join(&name);
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
        if self.reading == Reading::Content {
            self.read(folder, name, &mut found)?;
        }
        self.entries.push(found);
        Ok(())
    }

    fn read(&mut self, folder: &Folder, name: &[u8], found: &mut Entry) -> Result<(), TreeTrouble> {
        let failed = |why| trouble(&found.path, why);
        match (found.scope, found.lies) {
            (Scope::Covered, Lies::File { .. }) => {
                let hash = hashed(folder, name, found, self.buffer).map_err(failed)?;
                let moved = || TreeTrouble::Moving { path: found.path.clone() };
                found.hash = hash.ok_or_else(moved)?;
            }
            (Scope::Covered, Lies::Link) => {
                let text = folder.link_text(name).map_err(failed)?;
                found.hash = Sha256::digest(&text).into();
                found.beyond = self.beyond(folder, name, &found.path);
            }
            (_, Lies::File { .. } | Lies::Link | Lies::Folder | Lies::Special) => {}
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

/// SHA-256 of a file; none where it changed meanwhile.
fn hashed(
    folder: &Folder,
    name: &[u8],
    entry: &Entry,
    buffer: &mut [u8],
) -> io::Result<Option<[u8; 32]>> {
    let mut file = folder.file(name)?;
    let mut hash = Sha256::new();
    let mut n_read = 0;
    loop {
        let n = match file.read(buffer) {
            Ok(0) => break,
            Ok(n) => n,
            Err(why) if why.kind() == ErrorKind::Interrupted => continue,
            Err(why) => return Err(why),
        };
        hash.update(&buffer[..n]);
        n_read += n as u64;
        // A file that grows while it is read may never end.
        if n_read > entry.trace.bytes {
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
