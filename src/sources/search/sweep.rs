//! Going through files side by side, and what was searched and what was not.

use super::seeker::{Hit, Seeker};
use crate::base::{Progress, Stop, to_u32};
use crate::sources::workspace::opening::bytes_without_links;
use crate::sources::workspace::text::decoded;
use crate::sources::workspace::{Omissions, OpenTrouble, Surveyable, is_secret};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The largest file that is searched, in bytes.
pub const MAX_FILE: u64 = 64 * 1024 * 1024;

/// How many bytes are looked through for words that exist.
const MAX_WORDS_FROM: usize = 32 * 1024 * 1024;

/// How many different words are gathered.
const MAX_WORDS: usize = 100_000;

/// The hits in one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InFile {
    /// Relative to the root, with `/`.
    pub path: String,
    /// In order.
    pub hits: Vec<Hit>,
    /// The lines around the hits, by number.
    pub context: BTreeMap<u32, String>,
}

/// How much was searched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Searched {
    /// Files.
    pub files: usize,
    /// Their text in bytes.
    pub bytes: u64,
}

/// What going through files gave.
#[derive(Debug, Clone, Default)]
pub struct Sweep {
    /// The files with hits, sorted by path.
    pub files: Vec<InFile>,
    /// How much was searched.
    pub searched: Searched,
    /// What was not, and why.
    pub omissions: Omissions,
}

/// Searches all of these files for what `seeker` looks for; ends early where `stop` is set.
pub fn sweep(
    files: &[Surveyable],
    seeker: &Seeker,
    n_context: u32,
    stop: &Stop,
    progress: &dyn Progress,
) -> Sweep {
    let next = AtomicUsize::new(0);
    let all: Mutex<Sweep> = Mutex::default();
    let work = || {
        let mut mine = Sweep::default();
        while !stop.is_set() {
            let idx = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = files.get(idx) else { break };
            match text_of(file) {
                Ok(text) => {
                    mine.searched.files += 1;
                    mine.searched.bytes += text.len() as u64;
                    mine.files.extend(in_file(&file.path, &text, seeker, n_context, stop));
                }
                Err(reason) => mine.omissions.note(reason, None, file.path.clone()),
            }
            if idx.is_multiple_of(256) {
                progress.step(idx as u64, files.len() as u64, "searching");
            }
        }
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        all.files.append(&mut mine.files);
        all.searched.files += mine.searched.files;
        all.searched.bytes += mine.searched.bytes;
        all.omissions.add(mine.omissions);
    };
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 1..n_cores.min(files.len().div_ceil(16)) {
            scope.spawn(work);
        }
        work();
    });
    let mut sweep = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    sweep.files.sort_by(|a, b| a.path.cmp(&b.path));
    sweep
}

/// The text of a file as it is searched: without byte order mark, each line ended by LF; or why there is none.
pub fn text_of(file: &Surveyable) -> Result<String, &'static str> {
    if is_secret(Path::new(&file.path)) {
        return Err("looks like a secret, searched by name only");
    }
    let bytes = bytes_without_links(&file.real, MAX_FILE).map_err(|why| match why {
        OpenTrouble::TooLarge { .. } => "larger than the 64 MB that are searched",
        OpenTrouble::Secret(_) => "looks like a secret, searched by name only",
        OpenTrouble::NotAFile { .. } => "a device or pipe",
        OpenTrouble::Outside(_)
        | OpenTrouble::NoPath(_)
        | OpenTrouble::Missing(_)
        | OpenTrouble::Binary(_)
        | OpenTrouble::Exchanged(_)
        | OpenTrouble::Refused { .. } => "cannot be read",
    })?;
    let text = decoded(&bytes).ok_or("binary")?.text;
    let bare = text.strip_prefix('\u{feff}').unwrap_or(&text);
    match bare.contains("\r\n") {
        true => Ok(bare.replace("\r\n", "\n")),
        false if bare.len() == text.len() => Ok(text),
        false => Ok(bare.to_owned()),
    }
}

fn in_file(path: &str, text: &str, seeker: &Seeker, n_context: u32, stop: &Stop) -> Option<InFile> {
    let hits = seeker.hits_in(text, stop);
    if hits.is_empty() {
        return None;
    }
    let mut context = BTreeMap::new();
    if n_context > 0 {
        let mut wanted = BTreeSet::new();
        let mut own = BTreeSet::new();
        for hit in &hits {
            let last = hit.line + to_u32(hit.text.bytes().filter(|b| *b == b'\n').count());
            wanted.extend(hit.line.saturating_sub(n_context).max(1)..=last + n_context);
            own.extend(hit.line..=last);
        }
        let lines = (1..).zip(text.split_terminator('\n'));
        let wanted = lines.filter(|(n, _)| wanted.contains(n) && !own.contains(n));
        context.extend(wanted.map(|(n, line)| (n, line.to_owned())));
    }
    Some(InFile { path: path.to_owned(), hits, context })
}

/// The words of code that stand in these files; of a large tree, of its first files.
pub fn identifiers(files: &[Surveyable], stop: &Stop) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut n_bytes = 0;
    for file in files {
        if stop.is_set() || n_bytes > MAX_WORDS_FROM || found.len() > MAX_WORDS {
            break;
        }
        let Ok(text) = text_of(file) else { continue };
        n_bytes += text.len();
        for word in text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))) {
            let is_word = (3..=60).contains(&word.len()) && !word.starts_with(char::is_numeric);
            if is_word && !found.contains(word) {
                found.insert(word.to_owned());
            }
        }
    }
    found
}
