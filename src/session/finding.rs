//! One call of `find_in_files`: what the arguments ask for, the readings of the pattern in turn, and footprints.

use super::arguments::{ArgumentTrouble, Arguments};
use super::call::{Call, Outcome, Reply};
use crate::answers::concepts::Behind;
use crate::answers::find_in_files::{
    Found, InPath, Reading, Rung, is_words, names_meant, names_of, nearest, rungs, stands_in,
};
use crate::answers::footprint::Footprints;
use crate::base::{Lines, Progress, Stop};
use crate::envelope::{self, Around, DEFAULT_CHARS, MOST_CHARS};
use crate::sources::script::{Language, script};
use crate::sources::search::{
    Case, GlobTrouble, Globs, InFile, Phrase, Reach, Seeker, identifiers, sweep, text_of,
};
use crate::sources::workspace::opening::MAX_TEXT;
use crate::sources::workspace::{OpenTrouble, Standing, Surveyable, Surveyed, Workspace, standing};
use std::collections::BTreeMap;

/// The stack of the thread that lowers scripts.
const STACK: usize = 64 * 1024 * 1024;

/// The variables of how many hits are looked at in one call.
const MAX_HITS_WITH_FOOTPRINTS: usize = 200;

/// The most lines of context.
const MAX_CONTEXT: u64 = 20;

/// Why a call of `find_in_files` has no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum FindTrouble {
    /// An argument could not be understood.
    #[error(transparent)]
    Argument(#[from] ArgumentTrouble),
    /// There is nothing to look for.
    #[error("find_in_files needs `pattern`, as in \"pattern\": \"box.width\"")]
    NoPattern,
    /// An argument is none of the words that are understood.
    #[error("`case` must be smart, sensitive or ignore, as in \"case\": \"ignore\"; it was {0:?}")]
    Case(String),
    /// A glob cannot be read.
    #[error(transparent)]
    Glob(#[from] GlobTrouble),
    /// The path cannot be searched.
    #[error("`path`: {0}")]
    Path(#[from] OpenTrouble),
    /// It ended before the answer was whole.
    #[error("find_in_files  stopped before the answer was whole: narrow it with `path` or `glob`")]
    Stopped,
}

/// What a call asks for.
struct Question {
    pattern: String,
    reading: Reading,
    case: Case,
    reach: Reach,
    n_context: u32,
    footprints: Wish,
    globs: Globs,
    path: Option<String>,
    max_chars: usize,
    cursor: usize,
}

/// Whether footprints are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wish {
    Shown,
    LeftOut,
}

/// Answers the call.
pub(super) fn find(
    call: &Call,
    workspace: &Workspace,
    behind: &dyn Fn(&str) -> Vec<Behind>,
    stop: &Stop,
    progress: &dyn Progress,
) -> Result<Reply, FindTrouble> {
    let question = question(call)?;
    let Surveyed { mut files, omissions } = workspace.survey(question.path.as_deref(), stop)?;
    let n_surveyed = files.len();
    files.retain(|file| question.globs.accept(&file.path));
    let mut notes = Vec::new();
    if files.is_empty() && n_surveyed > 0 {
        notes.push(format!(
            "`glob` takes none of {n_surveyed} files: with a slash inside it is anchored at the root, as in src/**/*.js"
        ));
    }
    let mut found = climb(&question, &files, stop, progress);
    let is_empty = found.n_hits() == 0 && found.names.is_empty();
    if is_empty && question.reading == Reading::Any && is_words(&question.pattern) {
        // Only here is an api opened, so that all other searches stay as fast as the files allow.
        found.behind = behind(&question.pattern);
        by_concept(&mut found, &question, &files, stop, progress);
    }
    found.omissions.add(omissions);
    if question.footprints == Wish::Shown {
        add_footprints(&mut found, &files, question.cursor, stop);
    }
    if found.n_hits() == 0 && found.names.is_empty() {
        found.nearest = nearest(&question.pattern, &identifiers(&files, stop));
    }
    if stop.is_set() {
        return Err(FindTrouble::Stopped);
    }
    let around = Around {
        notes,
        max_chars: question.max_chars,
        cursor: question.cursor,
        ..Around::default()
    };
    Ok(Reply::new(
        envelope::find_in_files(&found, &around),
        envelope::find_in_files_listed(&found, &around),
        Outcome::Clean,
    ))
}

fn question(call: &Call) -> Result<Question, FindTrouble> {
    let arguments = Arguments(&call.arguments);
    // Looked for as it stands: `null` and a space are patterns too.
    let raw = call.arguments.get("pattern").and_then(|p| p.as_str()).filter(|p| !p.is_empty());
    let pattern = match raw {
        Some(raw) => raw.to_owned(),
        None => arguments.text("pattern")?.ok_or(FindTrouble::NoPattern)?,
    };
    let is_set = |name: &str| arguments.flag(name).map(|flag| flag == Some(true));
    let case = match arguments.text("case")? {
        None => Case::Smart,
        Some(said) => match said.trim().to_lowercase().as_str() {
            "smart" => Case::Smart,
            "sensitive" => Case::Sensitive,
            "ignore" | "ignored" | "insensitive" => Case::Ignored,
            _ => return Err(FindTrouble::Case(said)),
        },
    };
    let mut path = arguments.text("path")?.filter(|path| !matches!(path.trim(), "." | "./"));
    let mut globs = arguments.list_of_text("glob")?.unwrap_or_default();
    // A path with stars is a glob in the wrong place.
    globs.extend(path.take_if(|path| path.contains('*')));
    let pieces = arguments.number("max_chars", 500..=MOST_CHARS as u64)?;
    Ok(Question {
        pattern,
        reading: if is_set("literal")? { Reading::Literal } else { Reading::Any },
        case,
        reach: if is_set("multiline")? { Reach::ManyLines } else { Reach::OneLine },
        n_context: arguments.number("context", 0..=MAX_CONTEXT)?.map_or(0, |n| n as u32),
        footprints: match arguments.flag("footprints")? {
            Some(false) => Wish::LeftOut,
            Some(true) | None => Wish::Shown,
        },
        globs: Globs::of(&globs, false)?,
        path,
        max_chars: pieces.map_or(DEFAULT_CHARS, |n| n as usize),
        cursor: arguments.cursor()?,
    })
}

/// Tries the readings of the pattern from the first on until one has hits.
fn climb(question: &Question, files: &[Surveyable], stop: &Stop, progress: &dyn Progress) -> Found {
    let mut found = Found { pattern: question.pattern.clone(), ..Found::default() };
    for (rung, phrase) in rungs(&question.pattern, question.reading) {
        let seeker = match Seeker::of(&phrase, question.case, question.reach) {
            Ok(seeker) => seeker,
            Err(why) => {
                found.refused.push((rung, why));
                continue;
            }
        };
        found.tried.push(rung);
        let swept = sweep(files, &seeker, question.n_context, stop, progress);
        (found.files, found.searched, found.omissions) =
            (swept.files, swept.searched, swept.omissions);
        if found.names.is_empty() {
            found.names = names(files, &question.pattern, &phrase);
        }
        if !found.files.is_empty() {
            found.rung = Some(rung);
            break;
        }
        if stop.is_set() {
            break;
        }
    }
    found
}

/// Searches the symbols that the words of the pattern stand for; those that are found nowhere are left out.
fn by_concept(
    found: &mut Found,
    question: &Question,
    files: &[Surveyable],
    stop: &Stop,
    progress: &dyn Progress,
) {
    let seeker = names_of(&found.behind)
        .and_then(|phrase| Seeker::of(&phrase, Case::Sensitive, Reach::OneLine).ok());
    let Some(seeker) = seeker else { return };
    found.tried.push(Rung::Concept);
    let swept = sweep(files, &seeker, question.n_context, stop, progress);
    (found.files, found.searched, found.omissions) = (swept.files, swept.searched, swept.omissions);
    if found.files.is_empty() {
        return;
    }
    found.rung = Some(Rung::Concept);
    let hits: Vec<&str> =
        found.files.iter().flat_map(|file| &file.hits).map(|hit| hit.text.as_str()).collect();
    found.behind.retain(|symbol| hits.iter().any(|text| stands_in(&symbol.name, text)));
}

/// The files whose names the pattern means, in any case of letters.
fn names(files: &[Surveyable], pattern: &str, phrase: &Phrase) -> Vec<String> {
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let seeker = Seeker::of(phrase, Case::Ignored, Reach::OneLine).ok();
    let is_glob = pattern.contains(['*', '?']);
    let globs = is_glob.then(|| Globs::of(&[pattern.to_owned()], true).ok()).flatten();
    names_meant(&paths, pattern, |text| {
        seeker.as_ref().is_some_and(|seeker| seeker.is_in(text))
            || globs.as_ref().is_some_and(|globs| globs.accept(text))
    })
}

/// Looks at the variables on the lines with hits from `cursor` on.
fn add_footprints(found: &mut Found, files: &[Surveyable], cursor: usize, stop: &Stop) {
    let mut wanted: Vec<(&Surveyable, Vec<u32>)> = Vec::new();
    let by_path: BTreeMap<&str, &Surveyable> =
        files.iter().map(|file| (file.path.as_str(), file)).collect();
    let (mut hit_idx, end) = (0, cursor.saturating_add(MAX_HITS_WITH_FOOTPRINTS));
    for InFile { path, hits, .. } in &found.files {
        let of_page = |idx: usize| (cursor..end).contains(&idx);
        let numbered = (hit_idx..).zip(hits).filter(|(idx, _)| of_page(*idx));
        let lines: Vec<u32> = numbered.map(|(_, hit)| hit.line).collect();
        hit_idx += hits.len();
        if let Some(file) = by_path.get(path.as_str()).filter(|_| !lines.is_empty()) {
            wanted.push((file, lines));
        }
    }
    found.n_beyond = hit_idx.saturating_sub(end);
    let work = || -> Vec<InPath> {
        let wanted = wanted.iter().take_while(|_| !stop.is_set());
        wanted.flat_map(|(file, lines)| footprints_in(file, lines)).collect()
    };
    found.footprints = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        thread.map(std::thread::ScopedJoinHandle::join).map_or_else(
            |_| work(),
            |joined| joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        )
    });
}

/// The footprints of the variables on these lines, once each.
fn footprints_in(file: &Surveyable, lines: &[u32]) -> Vec<InPath> {
    let Some(language) = Language::of_path(&file.path) else { return Vec::new() };
    let Ok(text) = text_of(file) else { return Vec::new() };
    if text.len() as u64 > MAX_TEXT || standing(&file.path, &text) == Standing::Vendored("minified")
    {
        return Vec::new();
    }
    let script = script(&text, language);
    let (footprints, places) = (Footprints::of(&script, &text), Lines::of(&text));
    let mut found: Vec<InPath> = Vec::new();
    for footprint in lines.iter().flat_map(|line| footprints.at(*line)) {
        let with_text = footprint.lines.iter().map(|n| (*n, places.text(&text, *n).to_owned()));
        let one = InPath {
            path: file.path.clone(),
            variable: footprint.variable,
            declared: footprint.declared,
            lines: with_text.collect(),
        };
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}
