//! One call of `check_symbols`: which texts are meant, judging them side by side, and what the project itself gives.

use super::arguments::{ArgumentTrouble, Arguments};
use super::call::{Call, Listing, Outcome, Reply};
use super::changes;
use super::ground::Ground;
use super::mentions::{Mentions, in_page, in_settings, is_settings};
use crate::answers::check_symbols::{
    Checked, Code, Verdict, candidates, judge, plain_candidates, silence,
};
use crate::answers::free_names::{Extent, is_module};
use crate::answers::names::NameUses;
use crate::answers::weighing::{allow, heaviest, weigh};
use crate::base::{Name, Progress, Stop};
use crate::corpus::Corpus;
use crate::corpus::store::plan::Recipe;
use crate::envelope::{self, Around, DEFAULT_CHARS, MOST_CHARS};
use crate::sources::embedded::Markup;
use crate::sources::repository::committed::CommittedTrouble;
use crate::sources::script::{Language, Script, script};
use crate::sources::settings;
use crate::sources::settings::levels::{Level, Levels};
use crate::sources::workspace::{Decoding, ScriptFile, Standing, Workspace, standing, top_of};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The stack of a thread that lowers and judges: types and syntax nest.
const STACK: usize = 64 * 1024 * 1024;

/// How many bytes of a project's scripts are searched for names that it gives itself.
const MAX_SEARCHED: u64 = 256 * 1024 * 1024;

/// What is to be checked.
enum Wanted {
    /// A text that came with the call.
    Text { path: String, text: String, form: Form, placed: Placed },
    /// A file of the project.
    File { path: String, named: Named },
}

/// Whether a text that came with a call has a place in the project.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Placed {
    InProject,
    Nowhere,
}

/// What a text is: one script, or a file that holds some.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Script(Language),
    Holder(Markup),
}

impl Form {
    fn of_path(path: &str) -> Option<Form> {
        let script = Language::of_path(path).map(Form::Script);
        script.or_else(|| Markup::of_path(path).map(Form::Holder))
    }

    /// The scripts of a text, in its own places.
    fn scripts(self, text: &str) -> Vec<Script> {
        match self {
            Form::Script(language) => vec![script(text, language)],
            Form::Holder(markup) => {
                let blocks = markup.blocks(text);
                blocks.iter().map(|block| script(&block.text, block.language)).collect()
            }
        }
    }

    /// Whether a text of this form may add members to an api's types.
    fn augments(self, text: &str) -> bool {
        self != Form::Script(Language::JavaScript) && NameUses::may_augment(text)
    }
}

/// Whether a file was named outright; what was not is left out where it is not the project's own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    Outright,
    ByFolder,
}

/// The names that the project is searched for.
struct Sought {
    names: Vec<Name>,
    /// Those of them that stand by themselves.
    plain: BTreeSet<Name>,
}

/// A text that was read and judged.
struct Done {
    idx: usize,
    checked: Checked,
    path: String,
    scripts: Vec<Script>,
    /// Whether it is TypeScript that may add members to an api's types.
    augments: bool,
}

/// Answers the call.
pub(super) fn check(
    call: &Call,
    ground: &Ground,
    stop: &Stop,
    progress: &dyn Progress,
) -> Result<Reply, ArgumentTrouble> {
    let arguments = Arguments(&call.arguments);
    let mut notes = ground.notes.clone();
    let mut remarks = ground.remarks.clone();
    let wanted = wanted(&arguments, ground, stop, &mut notes, &mut remarks)?;
    let around = Around {
        apis: ground.apis.clone(),
        notes: Vec::new(),
        remarks: Vec::new(),
        max_chars: arguments
            .number("max_chars", 500..=MOST_CHARS as u64)?
            .map_or(DEFAULT_CHARS, |n| n as usize),
        cursor: arguments.text("cursor")?.and_then(|c| c.trim().parse().ok()).unwrap_or(0),
    };
    let wanted = match wanted {
        Meant::Texts(wanted) => wanted,
        Meant::NothingChanged(n_scripts) => {
            let around = Around { notes, ..around };
            let text = envelope::check_symbols_unchanged(n_scripts, &around);
            let data = envelope::check_symbols_listed(&[], &around, &Levels::default(), false);
            return Ok(Reply::new(text, data, Outcome::Clean));
        }
    };
    if wanted.is_empty() {
        let nothing = "check_symbols  nothing to check: no script was named, or none was found";
        return Ok(Reply::failed(&format!("{nothing}\n{}", notes.join("\n"))));
    }
    let api = arguments.text("api")?;
    if let Some(api) = api.as_deref().filter(|api| !ground.apis.iter().any(|of| is_of(of, api))) {
        let (api, held) = (api.trim(), ground.apis.join(", "));
        return Ok(Reply::failed(&format!("no api called {api} holds here; these do: {held}")));
    }
    let (mut done, unread) = judged(&ground.corpus, &ground.workspace, &wanted, stop, progress);
    notes.extend(unread);
    if done.is_empty() {
        let nothing = "check_symbols  nothing could be read";
        return Ok(Reply::failed(&format!("{nothing}\n{}", notes.join("\n"))));
    }
    done.sort_by_key(|d| d.idx);
    let mut checked: Vec<Checked> =
        done.iter_mut().map(|d| std::mem::take(&mut d.checked)).collect();
    let names = candidates(&checked);
    if !names.is_empty() {
        progress.step(0, 0, "looking for names that the project gives itself");
        let sought = Sought { plain: plain_candidates(&checked), names };
        let uses = uses(ground, &done, &sought, stop);
        silence(&ground.corpus, &mut checked, &uses);
    }
    let levels = levels(ground);
    for one in &mut checked {
        allow(one);
        weigh(one, &levels);
    }
    if let Some(api) = &api {
        for one in &mut checked {
            one.misuses.retain(|misuse| misuse.apis.iter().any(|of| is_of(of, api)));
            one.accesses.retain(|judged| match &judged.verdict {
                Verdict::Invented(invention) => invention.apis.iter().any(|of| is_of(of, api)),
                Verdict::Known | Verdict::Doubt(_) => true,
            });
        }
    }
    if stop.is_set() {
        return Ok(Reply::failed(
            "check_symbols  stopped before the answer was whole: name fewer paths",
        ));
    }
    let around = Around { notes, remarks, ..around };
    let outcome = match heaviest(&checked, &levels) {
        Level::Off | Level::Warn => Outcome::Clean,
        Level::Gate => Outcome::Findings,
    };
    let everything = call.listing == Listing::Everything;
    Ok(Reply::new(
        envelope::check_symbols(&checked, &around),
        envelope::check_symbols_listed(&checked, &around, &levels, everything),
        outcome,
    ))
}

/// What the project's configuration says that each kind of finding weighs.
fn levels(ground: &Ground) -> Levels {
    let root = ground.workspace.root();
    let home = ground.home.as_deref();
    let file = settings::found(root, &top_of(root, home), home);
    // One that cannot be read has ended the call before this.
    file.and_then(|file| settings::read(&file).ok()).map(|said| said.levels).unwrap_or_default()
}

/// Whether an api, as `name version`, is the one called `name`.
fn is_of(api: &str, name: &str) -> bool {
    let name = name.trim();
    api == name || api.strip_prefix(name).is_some_and(|rest| rest.starts_with(' '))
}

/// What the arguments come to.
enum Meant {
    /// These.
    Texts(Vec<Wanted>),
    /// What changed; and of so many scripts none did.
    NothingChanged(usize),
}

/// What the arguments ask for.
fn wanted(
    arguments: &Arguments<'_>,
    ground: &Ground,
    stop: &Stop,
    notes: &mut Vec<String>,
    remarks: &mut Vec<String>,
) -> Result<Meant, ArgumentTrouble> {
    let workspace = &ground.workspace;
    // A text that is empty is still a text, though everywhere else nothing is said by saying nothing.
    let empty = matches!(arguments.0.get("code"), Some(Value::String(text)) if text.is_empty());
    if let Some(text) = arguments.text("code")?.or(empty.then(String::new)) {
        let path = arguments.text("path")?;
        let said = arguments.text("language")?;
        let form = match said {
            Some(said) => Some(form_named(&said).ok_or_else(|| no_language(said))?),
            None => None,
        };
        let form = form
            .or_else(|| path.as_deref().and_then(Form::of_path))
            .unwrap_or(Form::Script(Language::JavaScript));
        let placed = if path.is_some() { Placed::InProject } else { Placed::Nowhere };
        let path = path.unwrap_or_else(|| "code".to_string());
        return Ok(Meant::Texts(vec![Wanted::Text { path, text, form, placed }]));
    }
    let mut paths = arguments.list_of_text("paths")?.unwrap_or_default();
    paths.extend(arguments.text("path")?);
    // What models call it when they do not look.
    paths.extend(arguments.text("file")?);
    paths.extend(arguments.list_of_text("files")?.unwrap_or_default());
    if paths.is_empty() {
        let walked = workspace.scripts(stop);
        let is_empty = walked.files.is_empty();
        // What was left out explains an empty answer; beside findings only a walk that ended early matters.
        let told = walked.skipped.iter().filter(|s| is_empty || s.reason.contains("ended"));
        notes.extend(told.map(|s| match s.paths.is_empty() {
            true => format!("{} left out: {}", s.count, s.reason),
            false => format!("{} left out: {} ({})", s.count, s.reason, s.paths.join(", ")),
        }));
        let everything = arguments.flag("everything")? == Some(true);
        let n_scripts = walked.files.len();
        let files = match everything || is_empty {
            true => walked.files,
            false => match changes::since_head(ground, &walked.files, stop) {
                Ok(changed) if changed.is_empty() => return Ok(Meant::NothingChanged(n_scripts)),
                Ok(changed) => changed,
                Err(why) => {
                    let told = format!("every script was checked, not only what changed: {why}");
                    match why {
                        CommittedTrouble::NoRepository | CommittedTrouble::Unborn => {
                            remarks.push(told);
                        }
                        CommittedTrouble::Unreadable | CommittedTrouble::Repository(_) => {
                            notes.push(told);
                        }
                    }
                    walked.files
                }
            },
        };
        return Ok(Meant::Texts(by_folder(files, "", notes)));
    }
    let mut found = Vec::new();
    let mut all: Option<Vec<ScriptFile>> = None;
    for path in paths {
        let folder = workspace.resolve(&path).is_ok_and(|real| real.is_dir());
        if !folder {
            found.push(Wanted::File { path, named: Named::Outright });
            continue;
        }
        let files = all.get_or_insert_with(|| workspace.scripts(stop).files).clone();
        let real = workspace.resolve(&path).map(|real| workspace.shown(&real)).unwrap_or(path);
        let prefix = if real.is_empty() { String::new() } else { format!("{real}/") };
        found.extend(by_folder(files, &prefix, notes));
    }
    Ok(Meant::Texts(found))
}

/// The project's own scripts below a folder.
fn by_folder(files: Vec<ScriptFile>, prefix: &str, notes: &mut Vec<String>) -> Vec<Wanted> {
    let below: Vec<ScriptFile> = files.into_iter().filter(|f| f.path.starts_with(prefix)).collect();
    let n_vendored = below.iter().filter(|f| f.standing != Standing::Own).count();
    if n_vendored > 0 {
        notes.push(format!(
            "{n_vendored} vendored or generated scripts were left out; name one to check it"
        ));
    }
    below
        .into_iter()
        .filter(|f| f.standing == Standing::Own)
        .map(|f| Wanted::File { path: f.path, named: Named::ByFolder })
        .collect()
}

fn no_language(said: String) -> ArgumentTrouble {
    let known = "javascript, jsx, typescript, tsx, html, vue, svelte or markdown";
    ArgumentTrouble {
        name: "language".to_owned(),
        form: format!("{known}, as in \"language\": \"tsx\""),
        found: said.chars().take(60).collect(),
    }
}

fn form_named(said: &str) -> Option<Form> {
    match said.trim().to_ascii_lowercase().as_str() {
        "javascript" | "js" | "jsx" | "mjs" | "cjs" => Some(Form::Script(Language::JavaScript)),
        "typescript" | "ts" | "mts" | "cts" => Some(Form::Script(Language::TypeScript)),
        "tsx" => Some(Form::Script(Language::Tsx)),
        "html" => Some(Form::Holder(Markup::Html)),
        "vue" | "svelte" => Some(Form::Holder(Markup::Component)),
        "markdown" | "md" => Some(Form::Holder(Markup::Markdown)),
        _ => None,
    }
}

/// Reads, lowers and judges on as many threads as there are cores; says what could not be read.
fn judged(
    corpus: &Corpus,
    workspace: &Workspace,
    wanted: &[Wanted],
    stop: &Stop,
    progress: &dyn Progress,
) -> (Vec<Done>, Vec<String>) {
    let next = AtomicUsize::new(0);
    let results: Mutex<(Vec<Done>, Vec<String>)> = Mutex::default();
    let n_generated = AtomicUsize::new(0);
    let work = || {
        while !stop.is_set() {
            let idx = next.fetch_add(1, Ordering::Relaxed);
            let Some(one) = wanted.get(idx) else { return };
            let result = judge_one(corpus, workspace, one, idx, stop);
            let mut all = locked(&results);
            match result {
                Ok(Some(done)) => all.0.push(done),
                Ok(None) => _ = n_generated.fetch_add(1, Ordering::Relaxed),
                Err(why) => all.1.push(why),
            }
            progress.step(all.0.len() as u64, wanted.len() as u64, "checking");
        }
    };
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from).min(wanted.len());
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads)
            .map(|_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work))
            .collect();
        if threads.iter().all(Result::is_err) {
            work();
        }
    });
    let (done, mut unread) = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    unread.sort();
    match n_generated.into_inner() {
        0 => {}
        n => unread.push(format!(
            "{n} scripts with lines as long as programs write them were left out; name one to check it"
        )),
    }
    (done, unread)
}

fn judge_one(
    corpus: &Corpus,
    workspace: &Workspace,
    wanted: &Wanted,
    idx: usize,
    stop: &Stop,
) -> Result<Option<Done>, String> {
    let (path, text, form) = match wanted {
        Wanted::Text { path, text, form, .. } => (path.clone(), text.clone(), *form),
        Wanted::File { path, named } => {
            let Some(form) = Form::of_path(path) else {
                return Err(format!("{path} was not checked: it is no script by its name"));
            };
            let read =
                workspace.read(path).map_err(|why| format!("{path} was not checked: {why}"))?;
            if *named == Named::ByFolder && standing(path, &read.text) != Standing::Own {
                return Ok(None);
            }
            if read.decoding == Decoding::Lossy
                && read.text.chars().filter(|c| *c == '\u{fffd}').count() > 64
            {
                return Err(format!("{path} was not checked: it is neither UTF-8 nor UTF-16 text"));
            }
            let shown = workspace.resolve(path).map(|real| workspace.shown(&real));
            (shown.unwrap_or_else(|_| path.clone()), read.text, form)
        }
    };
    let augments = form.augments(&text);
    let mut checked = Checked { path: path.clone(), ..Checked::default() };
    let mut scripts = Vec::new();
    let mut text = text;
    for script in form.scripts(&text) {
        let extent = extent(wanted, form, &script);
        let code = Code { path: path.clone(), text, script, extent };
        checked.add(judge(corpus, &code, stop));
        text = code.text;
        scripts.push(code.script);
    }
    Ok(Some(Done { idx, checked, path, scripts, augments }))
}

/// Whether a text is all that its names can mean. Scripts of pages and components are not: what is around them brings
/// names. Code that came with a call is, where it has a place in the project and imports or exports as a module does.
fn extent(wanted: &Wanted, form: Form, script: &Script) -> Extent {
    match (form, wanted) {
        (Form::Holder(_), _) => Extent::Piece,
        (Form::Script(_), Wanted::File { .. }) => Extent::Whole,
        (Form::Script(_), Wanted::Text { placed, .. }) => match placed {
            Placed::InProject if is_module(script) => Extent::Whole,
            Placed::InProject | Placed::Nowhere => Extent::Piece,
        },
    }
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
fn uses(ground: &Ground, done: &[Done], sought: &Sought, stop: &Stop) -> NameUses {
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
    let searched = std::sync::atomic::AtomicU64::new(0);
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
            let mentioned = mentions.of(&read.text);
            if standing(&file.path, &read.text) != Standing::Own {
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
            let is_mentioned = !mentioned.given.is_empty() || !mentioned.set.is_empty();
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

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
