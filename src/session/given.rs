//! What the project itself gives: the names that its scripts, declarations, pages and settings declare, set and read.
//!
//! It is searched only for the names that something depends on, and what was checked is not read again.

use super::ground::Ground;
use super::mentions::{Mentions, in_page, in_settings, is_library, is_settings};
use crate::answers::check_symbols::Checked;
use crate::answers::names::NameUses;
use crate::base::{Name, Stop};
use crate::corpus::store::plan::Recipe;
use crate::sources::embedded::Markup;
use crate::sources::script::{Language, Script, script};
use crate::sources::workspace::{ScriptFile, Standing, standing};
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The stack of a thread that lowers and judges: types and syntax nest.
const STACK: usize = 64 * 1024 * 1024;

/// How many bytes of a project's scripts are searched for names that it gives itself.
const MAX_SEARCHED: u64 = 256 * 1024 * 1024;

/// What a text is: one script, or a file that holds some.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Script(Language),
    Holder(Markup),
}

impl Form {
    pub(super) fn of_path(path: &str) -> Option<Form> {
        let script = Language::of_path(path).map(Form::Script);
        script.or_else(|| Markup::of_path(path).map(Form::Holder))
    }

    /// The scripts of a text, in its own places.
    pub(super) fn scripts(self, text: &str) -> Vec<Script> {
        match self {
            Form::Script(language) => vec![script(text, language)],
            Form::Holder(markup) => {
                let blocks = markup.blocks(text);
                blocks.iter().map(|block| script(&block.text, block.language)).collect()
            }
        }
    }

    /// Whether a text of this form may add members to an api's types.
    pub(super) fn augments(self, text: &str) -> bool {
        self != Form::Script(Language::JavaScript) && NameUses::may_augment(text)
    }
}

/// The names that the project is searched for.
pub(super) struct Sought {
    pub(super) names: Vec<Name>,
    /// Those of them that stand by themselves.
    pub(super) plain: BTreeSet<Name>,
}

/// A text that was read and judged.
pub(super) struct Done {
    pub(super) idx: usize,
    pub(super) checked: Checked,
    pub(super) path: String,
    pub(super) scripts: Vec<Script>,
    /// Whether it is TypeScript that may add members to an api's types.
    pub(super) augments: bool,
    /// Its content, to know copies by.
    pub(super) mark: u64,
}

/// What texts with the same content have in common.
pub(super) fn mark(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Does `work` for each number below `n` on as many threads as there are cores, in order; ends early when `stop` is set.
pub(super) fn side_by_side<T: Send>(
    n: usize,
    stop: &Stop,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, T)>> = Mutex::default();
    let run = || {
        while !stop.is_set() {
            let idx = next.fetch_add(1, Ordering::Relaxed);
            if idx >= n {
                return;
            }
            let result = work(idx);
            locked(&results).push((idx, result));
        }
    };
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from).min(n);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads)
            .map(|_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run))
            .collect();
        if threads.iter().all(Result::is_err) {
            run();
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(idx, _)| *idx);
    results.into_iter().map(|(_, result)| result).collect()
}

/// The declaration files that apis which hold were mined from: they say nothing beside those apis.
fn sources(ground: &Ground) -> BTreeSet<&Path> {
    let listed = ground.held.iter().filter_map(|held| match &held.recipe {
        Recipe::Listed { files, .. } => Some(files),
        Recipe::Package(_) | Recipe::Folder { .. } | Recipe::Embedded(_) => None,
    });
    listed.flatten().map(PathBuf::as_path).collect()
}

/// How the project uses these names: in what was checked, and in its other scripts that mention one of them.
pub(super) fn uses(ground: &Ground, done: &[Done], sought: &Sought, stop: &Stop) -> NameUses {
    let workspace = &ground.workspace;
    let asked: BTreeSet<&str> = sought.names.iter().map(Name::as_str).collect();
    let wanted = |name: &str| asked.contains(name);
    let plainly = |names: BTreeSet<Name>| {
        NameUses::everywhere(names.intersection(&sought.plain).cloned().collect())
    };
    let mut uses = NameUses::default();
    for script in done.iter().flat_map(|one| &one.scripts) {
        uses.add(NameUses::of(script, wanted));
    }
    let checked: BTreeSet<&str> = done.iter().map(|d| d.path.as_str()).collect();
    let marks: BTreeSet<u64> = done.iter().map(|d| d.mark).collect();
    let is_other = |f: &ScriptFile| !checked.contains(f.path.as_str());
    let is_page = |f: &ScriptFile| Form::of_path(&f.path) == Some(Form::Holder(Markup::Html));
    // Only a plain name can come from vendored scripts, and from a page around the scripts that were checked in it.
    let others: Vec<ScriptFile> = workspace
        .scripts(stop)
        .files
        .into_iter()
        .filter(|f| match sought.plain.is_empty() {
            true => f.standing == Standing::Own && is_other(f),
            false => is_other(f) || is_page(f),
        })
        .collect();
    let Some(mentions) = Mentions::new(&sought.names) else { return uses };
    let next = AtomicUsize::new(0);
    let searched = AtomicU64::new(0);
    let sources = sources(ground);
    for path in workspace.declarations(stop) {
        if sources.contains(workspace.root().join(&path).as_path()) {
            continue;
        }
        if let Ok(read) = workspace.read(&path) {
            let given = mentions.of(&read.text).given;
            uses.add(plainly(given.clone()));
            uses.add(NameUses::declared(given));
        }
    }
    for one in done.iter().filter(|d| d.augments) {
        if let Ok(read) = workspace.read(&one.path) {
            let mentioned = mentions.of(&read.text);
            uses.add(plainly(mentioned.declared));
            uses.add(NameUses::declared(mentioned.given));
        }
    }
    if !sought.plain.is_empty() {
        uses.add(in_settings(workspace, &sought.plain));
    }
    let all = Mutex::new(uses);
    let work = || {
        while !stop.is_set() && searched.load(Ordering::Relaxed) < MAX_SEARCHED {
            let Some(file) = others.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
            searched.fetch_add(file.bytes, Ordering::Relaxed);
            let Some(form) = Form::of_path(&file.path) else { continue };
            let Ok(read) = workspace.read(&file.path) else { continue };
            if matches!(form, Form::Script(_)) && marks.contains(&mark(&read.text)) {
                continue;
            }
            let mentioned = mentions.of(&read.text);
            if standing(&file.path, &read.text) != Standing::Own || is_library(&read.text) {
                // What others wrote says something of an api only where it adds to it.
                locked(&all).add(NameUses::declared(mentioned.extended));
                locked(&all).add(plainly(mentioned.declared));
                locked(&all).add(plainly(mentioned.set));
                continue;
            }
            if form == Form::Holder(Markup::Html) {
                locked(&all).add(in_page(&read.text, &mentioned.given));
            }
            if is_settings(&file.path) {
                locked(&all).add(plainly(mentioned.given.clone()));
            }
            if !mentioned.read.is_empty() {
                locked(&all).add(NameUses::read(mentioned.read));
            }
            if form.augments(&read.text) {
                locked(&all).add(plainly(mentioned.declared));
                locked(&all).add(NameUses::declared(mentioned.given.clone()));
            }
            let is_open = |name: &Name| {
                let known = locked(&all);
                match sought.plain.contains(name) {
                    true => !known.gives_plainly(name),
                    false => !known.declares(name),
                }
            };
            let by_itself = mentioned.stated.iter().filter(|name| sought.plain.contains(*name));
            let as_member = mentioned.told.iter().filter(|name| !sought.plain.contains(*name));
            let is_mentioned = by_itself.chain(as_member).chain(&mentioned.set).any(is_open);
            if !is_mentioned && !NameUses::may_define(&read.text) {
                continue;
            }
            for script in form.scripts(&read.text) {
                locked(&all).add(NameUses::of(&script, wanted));
            }
        }
    };
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..n_threads {
            if std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).is_err() {
                work();
            }
        }
    });
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
