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
    /// Whether it says of itself that it is a library.
    pub(super) is_library: bool,
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

/// The names that are sought, and where they were looked for already.
struct Search<'s> {
    sought: &'s Sought,
    asked: BTreeSet<&'s str>,
    mentions: Mentions<'s>,
    /// What was checked, by its content: copies say nothing new.
    marks: BTreeSet<u64>,
    /// Whether what says of itself that it is a library may be the project's own, since such a thing is checked.
    has_libraries: bool,
}

impl Search<'_> {
    fn plainly(&self, names: BTreeSet<Name>) -> NameUses {
        NameUses::everywhere(names.intersection(&self.sought.plain).cloned().collect())
    }

    fn of_script(&self, script: &Script) -> NameUses {
        NameUses::of(script, |name| self.asked.contains(name))
    }

    /// How a declaration file of the project uses the names.
    fn of_declarations(&self, text: &str) -> NameUses {
        let given = self.mentions.of(text).given;
        let mut uses = self.plainly(given.clone());
        uses.add(NameUses::declared(given));
        uses
    }

    /// How a script that was checked adds to an api's types by these names.
    fn of_augmenting(&self, text: &str) -> NameUses {
        let mentioned = self.mentions.of(text);
        let mut uses = self.plainly(mentioned.declared);
        uses.add(NameUses::declared(mentioned.given));
        uses
    }

    /// How a script that was not checked uses the names.
    fn of_other(&self, path: &str, form: Form, text: &str) -> NameUses {
        let mut uses = NameUses::default();
        if matches!(form, Form::Script(_)) && self.marks.contains(&mark(text)) {
            return uses;
        }
        let mentioned = self.mentions.of(text);
        let is_others = !self.has_libraries && is_library(text);
        if standing(path, text) != Standing::Own || is_others {
            // What others wrote says something of an api only where it adds to it.
            uses.add(NameUses::declared(mentioned.extended));
            uses.add(self.plainly(mentioned.declared));
            uses.add(self.plainly(mentioned.set));
            return uses;
        }
        let plain = &self.sought.plain;
        let by_itself = mentioned.stated.iter().any(|name| plain.contains(name));
        let may_give = by_itself || !mentioned.told.is_empty() || !mentioned.set.is_empty();
        if form == Form::Holder(Markup::Html) {
            uses.add(in_page(text, &mentioned.given));
        }
        if is_settings(path) {
            uses.add(self.plainly(mentioned.given.clone()));
        }
        uses.add(NameUses::read(mentioned.read));
        if form.augments(text) {
            uses.add(self.plainly(mentioned.declared));
            uses.add(NameUses::declared(mentioned.given));
        }
        if may_give || NameUses::may_define(text) {
            form.scripts(text).iter().for_each(|script| uses.add(self.of_script(script)));
        }
        uses
    }
}

/// How the project uses these names: in what was checked, and in its other scripts that mention one of them.
pub(super) fn uses(ground: &Ground, done: &[Done], sought: &Sought, stop: &Stop) -> NameUses {
    let workspace = &ground.workspace;
    let mut uses = NameUses::default();
    let Some(mentions) = Mentions::new(&sought.names) else { return uses };
    let asked = sought.names.iter().map(Name::as_str).collect();
    let marks = done.iter().map(|d| d.mark).collect();
    let has_libraries = done.iter().any(|d| d.is_library);
    let search = Search { sought, asked, mentions, marks, has_libraries };
    for script in done.iter().flat_map(|one| &one.scripts) {
        uses.add(search.of_script(script));
    }
    let sources = sources(ground);
    for path in workspace.declarations(stop) {
        if sources.contains(workspace.root().join(&path).as_path()) {
            continue;
        }
        if let Ok(read) = workspace.read(&path) {
            uses.add(search.of_declarations(&read.text));
        }
    }
    for one in done.iter().filter(|d| d.augments) {
        if let Ok(read) = workspace.read(&one.path) {
            uses.add(search.of_augmenting(&read.text));
        }
    }
    if !sought.plain.is_empty() {
        uses.add(in_settings(workspace, &sought.plain));
    }
    let checked: BTreeSet<&str> = done.iter().map(|d| d.path.as_str()).collect();
    let is_other = |f: &ScriptFile| !checked.contains(f.path.as_str());
    // A plain name can also come from a page around the scripts that were checked in it.
    let is_page = |f: &ScriptFile| {
        !sought.plain.is_empty() && Form::of_path(&f.path) == Some(Form::Holder(Markup::Html))
    };
    let others = workspace.scripts(stop).files.into_iter();
    let others: Vec<ScriptFile> = others.filter(|f| is_other(f) || is_page(f)).collect();
    let searched = AtomicU64::new(0);
    let found = side_by_side(others.len(), stop, |idx| {
        let file = &others[idx];
        if searched.fetch_add(file.bytes, Ordering::Relaxed) >= MAX_SEARCHED {
            return NameUses::default();
        }
        match (Form::of_path(&file.path), workspace.read(&file.path)) {
            (Some(form), Ok(read)) => search.of_other(&file.path, form, &read.text),
            _ => NameUses::default(),
        }
    });
    found.into_iter().for_each(|one| uses.add(one));
    uses
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
