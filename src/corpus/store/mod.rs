//! The datagraphs that hold in a project: loaded where they were mined before, mined where not.
//!
//! Whatever cannot be had is a note, never silence. The disk only saves time: where it cannot be read or written, the
//! answer is the same and says so.

pub mod note;
pub mod plan;
pub mod mining;
pub mod cache;
#[cfg(test)]
mod tests;

pub use note::{Note, Weight};
pub use plan::{Evidence, Plan, Project, Recipe, plan};

use crate::base::{Name, Progress, Stop, to_u32};
use crate::corpus::embedded;
use crate::datagraph::Datagraph;
use crate::sources::packages::{Ground, needed};
use cache::{Cache, Kept};
use mining::Mined;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// How many apis may hold in one project.
pub const MAX_APIS: usize = 300;

/// Datagraphs by what they were mined from: in memory, and in the cache folder where there is one.
pub struct Store {
    cache: Cache,
    loaded: Mutex<BTreeMap<String, Arc<Kept>>>,
}

/// Whether what was mined before is good enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mining {
    /// If its sources are the same.
    WhereChanged,
    /// It is not: all is mined.
    Always,
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
        Store { cache: Cache::new(cache), loaded: Mutex::default() }
    }

    /// The datagraphs that hold in `project`, in the order of its configuration and then by name, and the notes.
    ///
    /// Ends early, with what there is, soon after `stop` is set.
    pub fn open(
        &self,
        project: &Project<'_>,
        stop: &Stop,
        progress: &dyn Progress,
    ) -> (Vec<Arc<Datagraph>>, Vec<Note>) {
        let (held, notes) = self.held(project, Mining::WhereChanged, stop, progress);
        (held.into_iter().map(|h| Arc::clone(&h.kept.datagraph)).collect(), notes)
    }

    /// As [`Store::open`], with what each is made of.
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
        notes.extend(self.cache.notes());
        notes.sort();
        notes.dedup();
        (held, notes)
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
            return self.remembered(&key).map_or_else(
                || {
                    let datagraph = embedded::datagraph(name)?;
                    let kept = Kept { datagraph, ..Kept::default() };
                    Ok(self.remember(key.clone(), kept))
                },
                Ok,
            );
        }
        if mining == Mining::WhereChanged {
            let in_memory = self.remembered(&key).filter(|kept| kept.is_fresh());
            if let Some(kept) = in_memory {
                return Ok(kept);
            }
            if let Some(kept) = self.on_disk(&key, recipe, notes) {
                return Ok(self.remember(key, kept));
            }
        }
        let mined = mining::mined(recipe, stop)?;
        if stop.is_set() {
            return Err("was not mined: the work was stopped".to_string());
        }
        notes.extend(told(recipe, &mined));
        let kept = Kept::from(mined);
        self.cache.save(&key, &kept);
        Ok(self.remember(key, kept))
    }

    /// What the disk holds for `key`, if it still holds.
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
        let renewed = kept.renewed()?;
        self.cache.save(key, &renewed);
        Some(renewed)
    }

    fn remembered(&self, key: &str) -> Option<Arc<Kept>> {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn remember(&self, key: String, kept: Kept) -> Arc<Kept> {
        let kept = Arc::new(kept);
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        // Lists of files that were added to leave their old keys behind; forgetting all of them costs one load each.
        if loaded.len() >= 2 * MAX_APIS {
            loaded.clear();
        }
        loaded.insert(key, Arc::clone(&kept));
        kept
    }
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
