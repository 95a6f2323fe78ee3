//! One call of `check_symbols`: which texts are meant, and judging them side by side.

use super::among::Among;
use super::arguments::{ArgumentTrouble, Arguments};
use super::call::{Call, Listing, Outcome, Reply};
use super::changes;
use super::given::{Done, Form, Sought, locked, mark, side_by_side, uses};
use super::ground::Ground;
use super::mentions::is_library;
use crate::answers::check_symbols::{
    Checked, Code, Sight, Verdict, candidates, judge_among, plain_candidates, silence,
};
use crate::answers::free_names::{Extent, is_module};
use crate::answers::infer::Meanings;
use crate::answers::names::NameUses;
use crate::answers::weighing::{allow, heaviest, weigh};
use crate::base::{Progress, Stop};
use crate::corpus::Corpus;
use crate::envelope::{self, Around, DEFAULT_CHARS, MOST_CHARS};
use crate::sources::embedded::Markup;
use crate::sources::repository::committed::CommittedTrouble;
use crate::sources::script::{Language, Script};
use crate::sources::settings;
use crate::sources::settings::levels::{Level, Levels};
use crate::sources::workspace::{Decoding, ScriptFile, Standing, Workspace, standing, top_of};
use serde_json::Value;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

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

/// Whether a file was named outright; what was not is left out where it is not the project's own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    Outright,
    ByFolder,
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
        cursor: arguments.cursor()?,
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
    let results = judged(&ground.corpus, &ground.workspace, &wanted, stop, progress);
    let corpus = results.corpus.as_ref().unwrap_or(&ground.corpus);
    let mut done = results.done;
    notes.extend(results.unread);
    if done.is_empty() {
        let nothing = "check_symbols  nothing could be read";
        return Ok(Reply::failed(&format!("{nothing}\n{}", notes.join("\n"))));
    }
    done.sort_by_key(|d| d.idx);
    let mut checked: Vec<Checked> =
        done.iter_mut().map(|d| std::mem::take(&mut d.checked)).collect();
    let names = candidates(&checked);
    let mut given = NameUses::default();
    if !names.is_empty() {
        progress.step(0, 0, "looking for names that the project gives itself");
        let sought = Sought { plain: plain_candidates(&checked), names };
        given = uses(ground, &done, &sought, stop);
    }
    silence(corpus, &mut checked, &given);
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

/// What came of the texts.
struct Results {
    done: Vec<Done>,
    /// What could not be read, and why.
    unread: Vec<String>,
    /// What exists, with the modules of the project that the texts import, where they import any.
    corpus: Option<Corpus>,
}

/// Reads, lowers and judges on as many threads as there are cores; says what could not be read.
fn judged(
    corpus: &Corpus,
    workspace: &Workspace,
    wanted: &[Wanted],
    stop: &Stop,
    progress: &dyn Progress,
) -> Results {
    let (mut lowered, mut unread, mut n_generated) = (Vec::new(), Vec::new(), 0);
    for result in side_by_side(wanted.len(), stop, |idx| lower_one(workspace, &wanted[idx], idx)) {
        match result {
            Ok(Some(one)) => lowered.push(one),
            Ok(None) => n_generated += 1,
            Err(why) => unread.push(why),
        }
    }
    let modules: Vec<(&str, &Script)> = lowered.iter().filter_map(Lowered::module).collect();
    let among = Among::of(workspace, &modules, stop);
    // Types and syntax nest, so this needs a thread of its own, too.
    let whole = side_by_side(1, stop, |_| among.corpus(corpus, &modules)).into_iter().flatten();
    let whole: Option<Corpus> = whole.last();
    let mut each = among.meanings.into_iter();
    let meanings: Vec<Meanings> = lowered
        .iter()
        .map(|one| one.module().and_then(|_| each.next()).unwrap_or_default())
        .collect();
    let (apis, corpus) = (corpus, whole.as_ref().unwrap_or(corpus));
    let n_done = AtomicUsize::new(0);
    let lowered: Vec<Mutex<Option<Lowered>>> =
        lowered.into_iter().map(|one| Mutex::new(Some(one))).collect();
    let done = side_by_side(lowered.len(), stop, |i| {
        let done = locked(&lowered[i])
            .take()
            .map(|one| one.judged(&Sight { apis, whole: corpus, meanings: &meanings[i] }, stop));
        let n_done = n_done.fetch_add(1, Ordering::Relaxed) + 1;
        progress.step(n_done as u64, wanted.len() as u64, "checking");
        done
    });
    let done = done.into_iter().flatten().collect();
    unread.sort();
    if n_generated > 0 {
        unread.push(format!(
            "{n_generated} scripts with lines as long as programs write them were left out; name one to check it"
        ));
    }
    Results { done, unread, corpus: whole }
}

/// A text with its scripts.
struct Lowered {
    idx: usize,
    path: String,
    text: String,
    scripts: Vec<(Script, Extent)>,
    form: Form,
    augments: bool,
}

impl Lowered {
    /// The script of a file that is one, by its path: what others may import.
    fn module(&self) -> Option<(&str, &Script)> {
        match (self.form, self.scripts.as_slice()) {
            (Form::Script(_), [(script, _)]) => Some((&self.path, script)),
            _ => None,
        }
    }

    fn judged(self, sight: &Sight<'_>, stop: &Stop) -> Done {
        let Lowered { idx, path, mut text, augments, .. } = self;
        let mut checked = Checked { path: path.clone(), ..Checked::default() };
        let mut scripts = Vec::new();
        for (script, extent) in self.scripts {
            let code = Code { path: path.clone(), text, script, extent };
            checked.add(judge_among(sight, &code, stop));
            text = code.text;
            scripts.push(code.script);
        }
        let (mark, is_library) = (mark(&text), is_library(&text));
        Done { idx, checked, path, scripts, augments, mark, is_library }
    }
}

fn lower_one(
    workspace: &Workspace,
    wanted: &Wanted,
    idx: usize,
) -> Result<Option<Lowered>, String> {
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
    let scripts = form.scripts(&text).into_iter().map(|script| {
        let extent = extent(wanted, form, &script);
        (script, extent)
    });
    let scripts = scripts.collect();
    Ok(Some(Lowered { idx, path, text, scripts, form, augments }))
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
