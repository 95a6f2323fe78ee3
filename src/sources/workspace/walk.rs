//! Walking a project: its scripts, files that match a glob, and what was left out by which rule.
//!
//! Links are not followed. Ignore rules of the project hold; packages of others are never the project's own scripts.

use super::opening::{Workspace, is_secret, slashed};
use crate::base::Stop;
use globset::GlobMatcher;
use ignore::{DirEntry, WalkBuilder};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// How many entries a walk looks at.
pub const MAX_ENTRIES: usize = 500_000;

/// How many paths are kept for each reason why files were skipped.
const MAX_SKIPPED_PATHS: usize = 20;

/// From this average length of a line on, a script was written by a program.
const MINIFIED_LINE: usize = 500;

/// What a walk found.
#[derive(Debug, Clone, Default)]
pub struct Walked {
    /// The scripts, sorted by path.
    pub files: Vec<ScriptFile>,
    /// What was left out, sorted by reason.
    pub skipped: Vec<Skipped>,
}

/// A script of the project.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScriptFile {
    /// Relative to the root, with `/`.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// Whose it is, as far as its path says.
    pub standing: Standing,
}

/// Whose a script is. What is not the project's own proves nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// The project's own.
    Own,
    /// Taken over from others, or written by a program; with the reason.
    Vendored(&'static str),
}

/// Files and folders that were left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Why.
    pub reason: String,
    /// How many.
    pub count: usize,
    /// The first of them.
    pub paths: Vec<String>,
}

/// The extensions of scripts.
pub const SCRIPTS: [&str; 9] = ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "gs"];

/// The extensions of files that are made of scripts and more.
const HOLDERS: [&str; 4] = ["html", "htm", "vue", "svelte"];

impl Workspace {
    /// The project's scripts and what holds some (declaration files are none), or as many as were found before `stop`.
    pub fn scripts(&self, stop: &Stop) -> Walked {
        let mut files = Vec::new();
        let skipped = self.each_file(stop, |path, entry| {
            if is_script(path) || extension(path).is_some_and(|e| HOLDERS.contains(&e)) {
                let bytes = entry.metadata().map_or(0, |m| m.len());
                let standing = standing_of_path(path);
                files.push(ScriptFile { path: path.to_string(), bytes, standing });
            }
        });
        files.sort();
        Walked { files, skipped }
    }

    /// The project's own declaration files, sorted, or as many as were found before `stop`.
    pub fn declarations(&self, stop: &Stop) -> Vec<String> {
        let mut files = Vec::new();
        self.each_file(stop, |path, _| {
            if [".d.ts", ".d.mts", ".d.cts"].iter().any(|end| path.ends_with(end)) {
                files.push(path.to_string());
            }
        });
        files.sort();
        files
    }

    /// Whether some file has one of these extensions; at most `limit` files are looked at.
    pub fn has_extension(&self, extensions: &[&str], limit: usize) -> bool {
        let stop = Stop::default();
        let (mut n_seen, mut found) = (0, false);
        self.each_file(&stop, |path, _| {
            n_seen += 1;
            found |= extension(path).is_some_and(|e| extensions.contains(&e));
            if found || n_seen >= limit {
                stop.set();
            }
        });
        found
    }

    /// Calls `take` for every file that no rule leaves out; gives what was left out.
    fn each_file(&self, stop: &Stop, mut take: impl FnMut(&str, &DirEntry)) -> Vec<Skipped> {
        let left_out = Arc::new(Mutex::new(BTreeMap::<&'static str, Skipped>::new()));
        let mut walk = WalkBuilder::new(self.root());
        walk.hidden(false).require_git(false).follow_links(false).max_depth(Some(64));
        walk.git_global(false).parents(true);
        let (root, seen) = (self.clone(), Arc::clone(&left_out));
        walk.filter_entry(move |entry| match rule_against(entry) {
            None => true,
            Some(rule) => {
                note(&seen, rule, root.shown(entry.path()));
                false
            }
        });
        for (n_seen, entry) in walk.build().enumerate() {
            if stop.is_set() {
                break;
            }
            if n_seen >= MAX_ENTRIES {
                note(&left_out, "more entries than are walked", String::new());
                break;
            }
            match entry {
                Ok(entry) if entry.file_type().is_some_and(|t| t.is_file()) => {
                    take(&self.shown(entry.path()), &entry);
                }
                Ok(_) => {}
                Err(why) => note(&left_out, "cannot be read", why.to_string()),
            }
        }
        let mut kept = left_out.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *kept).into_values().collect()
    }
}

/// The files below `base` whose path relative to it `wanted` matches, sorted; ignore rules do not hold. Says whether
/// the walk ended early.
pub fn matching(base: &Path, wanted: &GlobMatcher) -> (Vec<PathBuf>, bool) {
    let mut walk = WalkBuilder::new(base);
    walk.standard_filters(false).follow_links(false).max_depth(Some(64));
    walk.filter_entry(|e| e.depth() == 0 || e.file_name() != ".git");
    let mut found = Vec::new();
    for (n_seen, entry) in walk.build().enumerate() {
        if n_seen >= MAX_ENTRIES {
            return (found, true);
        }
        let Ok(entry) = entry else { continue };
        let is_dir = entry.file_type().is_none_or(|t| t.is_dir());
        let Ok(relative) = entry.path().strip_prefix(base) else { continue };
        if !is_dir && wanted.is_match(relative) {
            found.push(entry.into_path());
        }
    }
    found.sort();
    (found, false)
}

/// Calls `take` for the path in `folder` of every file of the package there, in order, until it says no more; packages
/// inside it are others. Gives whether all were taken.
pub fn package_files(folder: &Path, mut take: impl FnMut(&str) -> bool) -> bool {
    let mut walk = WalkBuilder::new(folder);
    walk.standard_filters(false).follow_links(false).max_depth(Some(24));
    walk.sort_by_file_name(Ord::cmp);
    walk.filter_entry(|e| e.depth() == 0 || !is_other(e));
    let files = walk.build().flatten().filter(|e| e.file_type().is_some_and(|t| t.is_file()));
    for entry in files {
        let Ok(relative) = entry.path().strip_prefix(folder) else { continue };
        if !take(&slashed(relative)) {
            return false;
        }
    }
    true
}

/// The folders below `folder`, `depth` deep at most, without those of installed packages.
pub fn folders_below(folder: &Path, depth: usize) -> Vec<PathBuf> {
    let mut walk = WalkBuilder::new(folder);
    walk.standard_filters(false).follow_links(false).max_depth(Some(depth));
    walk.filter_entry(|e| e.depth() == 0 || !is_other(e));
    let below = walk.build().flatten().filter(|e| e.depth() > 0);
    below.filter(|e| e.file_type().is_some_and(|t| t.is_dir())).map(DirEntry::into_path).collect()
}

fn is_other(entry: &DirEntry) -> bool {
    matches!(entry.file_name().to_str(), Some("node_modules" | ".git"))
}

/// Whose the script at `path` with this text is.
pub fn standing(path: &str, text: &str) -> Standing {
    let by_path = standing_of_path(path);
    if by_path != Standing::Own {
        return by_path;
    }
    let n_lines = text.bytes().filter(|b| *b == b'\n').count() + 1;
    match text.len() > 2000 && text.len() / n_lines > MINIFIED_LINE {
        true => Standing::Vendored("minified"),
        false => Standing::Own,
    }
}

fn standing_of_path(path: &str) -> Standing {
    let name = path.rsplit('/').next().unwrap_or(path);
    let folders = ["vendor", "vendors", "third_party", "third-party", "bower_components"];
    let mut parts = path.split('/').rev().skip(1);
    if [".min.js", ".min.mjs", ".min.cjs", "-min.js", ".bundle.js"]
        .iter()
        .any(|e| name.ends_with(e))
    {
        return Standing::Vendored("minified");
    }
    match parts.any(|p| folders.contains(&p)) {
        true => Standing::Vendored("in a folder of vendored code"),
        false => Standing::Own,
    }
}

/// Whether `path` names a script; declaration files are none.
pub fn is_script(path: &str) -> bool {
    let declares = [".d.ts", ".d.mts", ".d.cts"].iter().any(|e| path.ends_with(e));
    !declares && extension(path).is_some_and(|e| SCRIPTS.contains(&e))
}

fn extension(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next()?;
    name.rsplit_once('.').map(|(_, extension)| extension)
}

fn rule_against(entry: &DirEntry) -> Option<&'static str> {
    if entry.depth() == 0 {
        return None;
    }
    let name = entry.file_name().to_string_lossy();
    let is_dir = entry.file_type().is_some_and(|t| t.is_dir());
    if name == ".git" {
        return Some("the repository's own");
    }
    if name == "node_modules" {
        return Some("installed packages");
    }
    if name.starts_with('.') {
        return Some("hidden");
    }
    if !is_dir && is_secret(Path::new(&slashed(entry.path()))) {
        return Some("looks like a secret");
    }
    entry.path_is_symlink().then_some("a link")
}

fn note(left_out: &Mutex<BTreeMap<&'static str, Skipped>>, rule: &'static str, path: String) {
    let mut left_out = left_out.lock().unwrap_or_else(PoisonError::into_inner);
    let skipped = left_out.entry(rule).or_insert_with(|| Skipped {
        reason: rule.to_string(),
        count: 0,
        paths: Vec::new(),
    });
    skipped.count += 1;
    if skipped.paths.len() < MAX_SKIPPED_PATHS && !path.is_empty() {
        skipped.paths.push(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn scripts_are_found_and_the_rest_is_accounted_for() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for (path, text) in [
            ("src/a.js", "a"),
            ("src/b.d.ts", "b"),
            ("lib/jquery.min.js", "c"),
            ("vendor/x.js", "d"),
            ("node_modules/p/i.js", "e"),
            (".hidden/x.js", "f"),
            ("out/gen.js", "g"),
            (".gitignore", "out/\n"),
            ("index.html", ""),
        ] {
            let at = root.join(path);
            fs::create_dir_all(at.parent().unwrap()).unwrap();
            fs::write(at, text).unwrap();
        }
        let workspace = Workspace::new(root);
        let walked = workspace.scripts(&Stop::default());
        let paths: Vec<(&str, Standing)> =
            walked.files.iter().map(|f| (f.path.as_str(), f.standing)).collect();
        assert_eq!(
            paths,
            [
                ("index.html", Standing::Own),
                ("lib/jquery.min.js", Standing::Vendored("minified")),
                ("src/a.js", Standing::Own),
                ("vendor/x.js", Standing::Vendored("in a folder of vendored code")),
            ]
        );
        let reasons: Vec<&str> = walked.skipped.iter().map(|s| s.reason.as_str()).collect();
        assert_eq!(reasons, ["hidden", "installed packages"]);
        assert!(workspace.has_extension(&["html"], 1000));
        assert!(!workspace.has_extension(&["vue"], 1000));
    }

    #[test]
    fn long_lines_tell_a_program_wrote_it() {
        let long = "x".repeat(3000);
        assert_eq!(standing("a.js", &long), Standing::Vendored("minified"));
        assert_eq!(standing("a.js", "let a;\n"), Standing::Own);
    }
}
