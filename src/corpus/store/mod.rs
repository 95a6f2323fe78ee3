//! The datagraphs that hold in a project: loaded where they were mined before, mined where not.
//!
//! Whatever cannot be had is a note, never silence. The disk only saves time: where it cannot be read or written, the
//! answer is the same and says so.

pub mod note;
pub mod plan;
pub mod mining;
pub mod cache;
pub mod documenting;
#[cfg(test)]
mod tests;

pub use note::{Note, Weight};
pub use plan::{Evidence, Plan, Project, Recipe, plan};

use crate::base::{Name, Progress, Stop, to_u32};
use crate::corpus::documents::Documents;
use crate::corpus::embedded;
use crate::sources::packages::{Ground, needed};
use crate::sources::workspace::opening::slashed;
use cache::{Cache, Kept};
use mining::Mined;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// How many apis may hold in one project.
pub const MAX_APIS: usize = 300;

/// The stack of a thread that mines: types nest.
const STACK: usize = 64 * 1024 * 1024;

/// Sources of at most so many bytes are mined again at once when they change; larger ones may be mined behind.
const AT_ONCE: u64 = 2 * 1024 * 1024;

/// Datagraphs by what they were mined from: in memory, and in the cache folder where there is one.
pub struct Store {
    shelf: Arc<Shelf>,
    behind: Mutex<Vec<JoinHandle<()>>>,
}

/// What the threads that mine share.
struct Shelf {
    cache: Cache,
    loaded: Mutex<BTreeMap<String, Arc<Kept>>>,
    /// The last key of each api, by its name and folder.
    latest: Mutex<BTreeMap<(Name, PathBuf), String>>,
    /// The keys that are being mined behind.
    under_way: Mutex<BTreeSet<String>>,
    /// What sources say, by a hash of their content.
    documents: Mutex<BTreeMap<String, Arc<Documents>>>,
    /// Held while documentation is read and indexed.
    indexing: Mutex<()>,
}

/// Whether what was mined before is good enough.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mining {
    /// If its sources are the same.
    #[default]
    WhereChanged,
    /// If its sources are the same, or so large that mining them would be waited for: then it holds until that is done
    /// behind, and a note names what changed.
    Behind,
    /// It is not: all is mined.
    Always,
}

/// How fresh what was mined of an api is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// It is part of the program.
    BuiltIn,
    /// Its sources are the same.
    Fresh,
    /// These of its files changed.
    Changed(Vec<String>),
    /// Nothing that was mined of these files is kept.
    Unmined,
}

/// An api that holds, and what it was made of.
#[derive(Debug, Clone)]
pub struct Held {
    /// What it is made of.
    pub recipe: Recipe,
    /// The datagraph with its stamps, and what was not read.
    pub kept: Arc<Kept>,
}

impl Store {
    /// A store that keeps its files in `cache`, or in memory only.
    pub fn new(cache: Option<PathBuf>) -> Store {
        let shelf = Shelf {
            cache: Cache::new(cache),
            loaded: Mutex::default(),
            latest: Mutex::default(),
            under_way: Mutex::default(),
            documents: Mutex::default(),
            indexing: Mutex::default(),
        };
        Store { shelf: Arc::new(shelf), behind: Mutex::default() }
    }

    /// The apis that hold in `project`, in the order of its configuration and then by name, and the notes.
    ///
    /// Ends early, with what there is, soon after `stop` is set.
    pub fn held(
        &self,
        project: &Project<'_>,
        mining: Mining,
        stop: &Stop,
        progress: &dyn Progress,
    ) -> (Vec<Held>, Vec<Note>) {
        let Plan { recipes, covered, mut notes, top } = plan(project);
        let ground = Ground { root: project.root, top: &top, reach: project.reach };
        let mut held = Vec::new();
        let mut known: BTreeSet<Name> = recipes.iter().map(Recipe::name).collect();
        known.extend(covered);
        let mut queue: Vec<Recipe> = recipes.into_iter().rev().collect();
        let mut n_left_out = 0;
        while let Some(recipe) = queue.pop() {
            if stop.is_set() {
                notes.push(Note::trouble(recipe.name(), "was not loaded: the work was stopped"));
                break;
            }
            let n_known = known.len() as u64;
            progress.step(held.len() as u64, n_known, &recipe.name());
            match self.obtain(&recipe, mining, stop, &mut notes) {
                Ok(kept) => {
                    let from = recipe.folder();
                    let mut fresh = Vec::new();
                    for name in kept.needs.iter().filter(|n| !known.contains(*n)) {
                        let found = from.and_then(|from| needed(name, from, &ground));
                        fresh.extend(found.map(|p| Recipe::Package(Box::new(p))));
                    }
                    for one in fresh {
                        match known.len() < MAX_APIS {
                            true if known.insert(one.name()) => queue.insert(0, one),
                            true => {}
                            false => n_left_out += 1,
                        }
                    }
                    held.push(Held { recipe, kept });
                }
                // Nobody asked for a package by name, so an answer need not speak of it.
                Err(why) => notes.push(match &recipe {
                    Recipe::Package(_) => Note::remark(recipe.name(), why),
                    Recipe::Listed { .. } | Recipe::Folder { .. } | Recipe::Embedded(_) => {
                        Note::trouble(recipe.name(), why)
                    }
                }),
            }
        }
        if n_left_out > 0 {
            let text = format!("{n_left_out} more apis are left out: {MAX_APIS} are loaded");
            notes.push(Note::remark("packages", text));
        }
        notes.extend(self.shelf.cache.notes());
        notes.sort();
        notes.dedup();
        (held, notes)
    }

    /// How fresh what was mined of `recipe` is, before anything is mined again.
    pub fn condition(&self, recipe: &Recipe) -> Condition {
        if let Recipe::Embedded(_) = recipe {
            return Condition::BuiltIn;
        }
        let key = recipe.key();
        let on_disk = || self.shelf.cache.load(&key).ok().flatten().map(Arc::new);
        match self.shelf.remembered(&key).or_else(on_disk) {
            None => Condition::Unmined,
            Some(kept) if kept.is_fresh() || kept.renewed().is_some() => Condition::Fresh,
            Some(kept) => Condition::Changed(kept.changed().map(|p| shown(recipe, p)).collect()),
        }
    }

    fn obtain(
        &self,
        recipe: &Recipe,
        mining: Mining,
        stop: &Stop,
        notes: &mut Vec<Note>,
    ) -> Result<Arc<Kept>, String> {
        let key = recipe.key();
        if let Recipe::Embedded(name) = recipe {
            return self.shelf.remembered(&key).map_or_else(
                || {
                    let datagraph = embedded::datagraph(name)?;
                    let kept = Kept { datagraph, ..Kept::default() };
                    Ok(self.shelf.remember(recipe, kept))
                },
                Ok,
            );
        }
        if mining != Mining::Always {
            let in_memory = self.shelf.remembered(&key);
            if let Some(kept) = in_memory.as_ref().filter(|kept| kept.is_fresh()) {
                return Ok(Arc::clone(kept));
            }
            let on_disk = self.shelf.on_disk(&key, recipe, notes);
            match on_disk {
                Some(kept) if kept.is_fresh() => return Ok(self.shelf.remember(recipe, kept)),
                old => {
                    let old = in_memory.or_else(|| old.map(Arc::new));
                    let old = old.or_else(|| self.shelf.before(recipe));
                    let large =
                        old.filter(|old| mining == Mining::Behind && old.n_bytes() > AT_ONCE);
                    if let Some(old) = large {
                        notes.push(outdated(recipe, &old));
                        self.mine_behind(key, recipe);
                        return Ok(old);
                    }
                }
            }
        }
        let mined = mining::mined(recipe, stop)?;
        if stop.is_set() {
            return Err("was not mined: the work was stopped".to_string());
        }
        notes.extend(told(recipe, &mined));
        Ok(self.shelf.keep(recipe, Kept::from(mined)))
    }

    /// Mines `recipe` on a thread of its own, unless one does so already.
    fn mine_behind(&self, key: String, recipe: &Recipe) {
        if !locked(&self.shelf.under_way).insert(key.clone()) {
            return;
        }
        let (shelf, recipe, done) = (Arc::clone(&self.shelf), recipe.clone(), key.clone());
        let work = move || {
            // What cannot be mined now is tried again, and told, when it is next asked for.
            if let Ok(mined) = mining::mined(&recipe, &Stop::default()) {
                shelf.keep(&recipe, Kept::from(mined));
            }
            locked(&shelf.under_way).remove(&done);
        };
        match std::thread::Builder::new().stack_size(STACK).spawn(work) {
            Ok(thread) => locked(&self.behind).push(thread),
            Err(_) => drop(locked(&self.shelf.under_way).remove(&key)),
        }
    }

    /// Waits for all that is mined behind.
    #[cfg(test)]
    fn finish(&self) {
        std::mem::take(&mut *locked(&self.behind)).into_iter().for_each(|t| t.join().unwrap());
    }
}

impl Shelf {
    /// What the disk holds for `key`, with present stamps where it still holds.
    fn on_disk(&self, key: &str, recipe: &Recipe, notes: &mut Vec<Note>) -> Option<Kept> {
        let kept = match self.cache.load(key) {
            Ok(found) => found?,
            Err(why) => {
                notes.push(Note::remark(
                    recipe.name(),
                    format!("its cache was {why} and is made again"),
                ));
                return None;
            }
        };
        if kept.is_fresh() {
            return Some(kept);
        }
        // Touched but equal, as after a checkout: the stamps are renewed.
        match kept.renewed() {
            Some(renewed) => {
                self.cache.save(key, &renewed);
                Some(renewed)
            }
            None => Some(kept),
        }
    }

    fn remembered(&self, key: &str) -> Option<Arc<Kept>> {
        locked(&self.loaded).get(key).cloned()
    }

    /// What was last mined of the same api, from other files.
    fn before(&self, recipe: &Recipe) -> Option<Arc<Kept>> {
        let key = locked(&self.latest).get(&place_of(recipe)?).cloned()?;
        self.remembered(&key)
    }

    /// Keeps what was just mined, in memory and on disk.
    fn keep(&self, recipe: &Recipe, kept: Kept) -> Arc<Kept> {
        self.cache.save(&recipe.key(), &kept);
        self.remember(recipe, kept)
    }

    fn remember(&self, recipe: &Recipe, kept: Kept) -> Arc<Kept> {
        let (key, kept) = (recipe.key(), Arc::new(kept));
        let mut loaded = locked(&self.loaded);
        // Lists of files that were added to leave their old keys behind; forgetting all of them costs one load each.
        if loaded.len() >= 2 * MAX_APIS {
            loaded.clear();
            locked(&self.latest).clear();
        }
        if let Some(place) = place_of(recipe) {
            locked(&self.latest).insert(place, key.clone());
        }
        loaded.insert(key, Arc::clone(&kept));
        kept
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An api by its name and folder, whatever files it has.
fn place_of(recipe: &Recipe) -> Option<(Name, PathBuf)> {
    Some((recipe.name(), recipe.folder()?.to_path_buf()))
}

/// How many changed files a note names.
const MAX_CHANGED: usize = 5;

/// Says that answers come from what was mined before, and which files changed since.
fn outdated(recipe: &Recipe, old: &Kept) -> Note {
    let changed: Vec<String> = old.changed().map(|path| shown(recipe, path)).collect();
    let which = match changed.len() {
        0 => "its list of files".to_string(),
        n if n <= MAX_CHANGED => changed.join(", "),
        n => format!("{} and {} more files", changed[..MAX_CHANGED].join(", "), n - MAX_CHANGED),
    };
    let text = format!(
        "{which} changed since it was mined; it is being mined again, and until then answers are from before"
    );
    Note::trouble(recipe.name(), text)
}

/// A path relative to the folder of its api.
fn shown(recipe: &Recipe, path: &Path) -> String {
    let inside = recipe.folder().and_then(|folder| path.strip_prefix(folder).ok());
    slashed(inside.unwrap_or(path))
}

/// What is worth saying of what was just mined.
fn told(recipe: &Recipe, mined: &Mined) -> Option<Note> {
    let first = mined.unread.first()?;
    let n_more = to_u32(mined.unread.len() - 1);
    let more = if n_more == 0 { String::new() } else { format!(", and {n_more} more") };
    let path = if first.path.is_empty() { String::new() } else { format!("{} ", first.path) };
    Some(Note::remark(recipe.name(), format!("not all was read: {path}{}{more}", first.why)))
}

impl Recipe {
    /// The folder that names in its files are looked up from.
    fn folder(&self) -> Option<&Path> {
        match self {
            Recipe::Package(package) => Some(&package.folder),
            Recipe::Listed { folder, .. } | Recipe::Folder { folder, .. } => Some(folder),
            Recipe::Embedded(_) => None,
        }
    }
}
