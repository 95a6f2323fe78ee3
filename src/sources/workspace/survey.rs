//! Every file that a search looks at, and what was left out, each with the rule that did it.
//!
//! Hidden files belong to it, the repository's own folder does not. Ignore rules hold, also where there is no
//! repository; what is named outright is looked at though they leave it out. Links are not followed.

use super::opening::{OpenTrouble, Workspace};
use super::walk::MAX_ENTRIES;
use crate::base::Stop;
use ignore::WalkBuilder;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// How many paths are kept for each reason and rule.
const MAX_PATHS: usize = 20;

/// What a survey found.
#[derive(Debug, Clone, Default)]
pub struct Surveyed {
    /// The files, sorted by path.
    pub files: Vec<Surveyable>,
    /// What was left out.
    pub omissions: Omissions,
}

/// A file that is looked at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Surveyable {
    /// Relative to the root, with `/`.
    pub path: String,
    /// Where it lies.
    pub real: PathBuf,
}

/// What was left out, counted by reason and rule.
#[derive(Debug, Clone, Default)]
pub struct Omissions(BTreeMap<(String, Option<String>), Omitted>);

/// What one reason and rule left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Omitted {
    /// How many.
    pub count: usize,
    /// The first of them.
    pub paths: Vec<String>,
}

impl Omissions {
    /// Counts one more.
    pub fn note(&mut self, reason: &str, rule: Option<String>, path: String) {
        let omitted = self.0.entry((reason.to_owned(), rule)).or_default();
        omitted.count += 1;
        let at = omitted.paths.partition_point(|known| *known < path);
        omitted.paths.insert(at, path);
        omitted.paths.truncate(MAX_PATHS);
    }

    /// Counts all of these too.
    pub fn add(&mut self, other: Omissions) {
        for (key, more) in other.0 {
            let omitted = self.0.entry(key).or_default();
            omitted.count += more.count;
            omitted.paths.extend(more.paths);
            omitted.paths.sort();
            omitted.paths.truncate(MAX_PATHS);
        }
    }

    /// Reason, rule and what they left out, in order.
    pub fn listed(&self) -> impl Iterator<Item = (&str, Option<&str>, &Omitted)> {
        self.0.iter().map(|((reason, rule), omitted)| (reason.as_str(), rule.as_deref(), omitted))
    }
}

impl Workspace {
    /// The files at or below `below` (the root, if nothing is named), or as many as were found before `stop`.
    pub fn survey(&self, below: Option<&str>, stop: &Stop) -> Result<Surveyed, OpenTrouble> {
        let real =
            below.map_or_else(|| Ok(self.root().to_path_buf()), |path| self.resolve(path))?;
        let mut surveyed = Surveyed::default();
        if !real.is_dir() {
            surveyed.files.push(Surveyable { path: self.shown(&real), real });
            return Ok(surveyed);
        }
        let mut rules = Rules::default();
        let is_ignored = real != self.root() && self.is_ignored(&real, &mut rules);
        let mut walk = WalkBuilder::new(&real);
        walk.hidden(false).require_git(false).follow_links(false).max_depth(Some(64));
        walk.git_global(false).parents(!is_ignored);
        walk.filter_entry(|entry| entry.depth() == 0 || entry.file_name() != ".git");
        let (mut folders, mut seen) = (Vec::new(), BTreeSet::new());
        for entry in walk.build() {
            if stop.is_set() {
                break;
            }
            let entry = match entry {
                Ok(entry) => entry,
                Err(why) => {
                    surveyed.omissions.note("cannot be read", None, why.to_string());
                    continue;
                }
            };
            if seen.len() >= MAX_ENTRIES {
                let what = "more entries than are walked";
                surveyed.omissions.note(what, None, self.shown(entry.path()));
                break;
            }
            let path = entry.path().to_path_buf();
            seen.insert(path.clone());
            match entry.file_type() {
                Some(kind) if kind.is_dir() => folders.push(path),
                Some(kind) if kind.is_file() => {
                    surveyed.files.push(Surveyable { path: self.shown(&path), real: path });
                }
                Some(kind) => {
                    let what = if kind.is_symlink() { "a link" } else { "a device or pipe" };
                    surveyed.omissions.note(what, None, self.shown(&path));
                }
                None => {}
            }
        }
        surveyed.files.sort();
        for folder in folders {
            if stop.is_set() || seen.len() >= MAX_ENTRIES {
                break;
            }
            self.note_unseen(&folder, &seen, &mut rules, &mut surveyed.omissions);
        }
        Ok(surveyed)
    }

    /// Counts what lies in `folder` and was not come across.
    fn note_unseen(
        &self,
        folder: &Path,
        seen: &BTreeSet<PathBuf>,
        rules: &mut Rules,
        omissions: &mut Omissions,
    ) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        for entry in entries.flatten() {
            let path = entry.path();
            if seen.contains(&path) || entry.file_name() == ".git" {
                continue;
            }
            let is_folder = entry.file_type().is_ok_and(|t| t.is_dir());
            let rule = rules.against(&path, is_folder).map(|(file, rule)| {
                let file = self.shown(&file);
                format!("{file}: {rule}")
            });
            let slash = if is_folder { "/" } else { "" };
            omissions.note("ignored", rule, format!("{}{slash}", self.shown(&path)));
        }
    }

    /// Whether a rule leaves this folder, or one around it inside the root, out.
    fn is_ignored(&self, folder: &Path, rules: &mut Rules) -> bool {
        let inside = folder.ancestors().take_while(|f| *f != self.root());
        inside.into_iter().any(|f| rules.against(f, true).is_some())
    }
}

/// The ignore files of folders, read once. The walk decides; this tells which rule it went by.
#[derive(Default)]
struct Rules(BTreeMap<PathBuf, Option<Gitignore>>);

impl Rules {
    /// The file and the rule that leave `path` out.
    fn against(&mut self, path: &Path, is_folder: bool) -> Option<(PathBuf, String)> {
        for kind in [".ignore", ".gitignore", ".git/info/exclude"] {
            for folder in path.ancestors().skip(1) {
                let file = self.0.entry(folder.join(kind)).or_insert_with_key(|file| {
                    let mut rules = GitignoreBuilder::new(folder);
                    let read = file.is_file() && rules.add(file).is_none();
                    read.then(|| rules.build().ok()).flatten()
                });
                let decided = file.as_ref().map(|rules| rules.matched(path, is_folder));
                match decided {
                    Some(ignore::Match::Ignore(rule)) => {
                        return Some((folder.join(kind), rule.original().to_owned()));
                    }
                    Some(ignore::Match::Whitelist(_)) => break,
                    Some(ignore::Match::None) | None => {}
                }
                if kind != ".ignore" && folder.join(".git").exists() {
                    break;
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surveyed(files: &[(&str, &str)], below: Option<&str>) -> (Vec<String>, Vec<String>) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for (path, text) in files {
            let at = root.join(path);
            fs::create_dir_all(at.parent().unwrap()).unwrap();
            fs::write(at, text).unwrap();
        }
        let surveyed = Workspace::new(root).survey(below, &Stop::default()).unwrap();
        let omitted = surveyed.omissions.listed().map(|(reason, rule, omitted)| {
            format!("{reason} by {}: {}", rule.unwrap_or("no rule"), omitted.paths.join(" "))
        });
        let omitted = omitted.collect();
        (surveyed.files.into_iter().map(|f| f.path).collect(), omitted)
    }

    #[test]
    fn what_a_rule_leaves_out_is_told_with_the_rule() {
        let (files, omitted) = surveyed(
            &[
                (".gitignore", "scripts/*\nout/\n"),
                ("scripts/w.py", ""),
                ("out/a.js", ""),
                ("sub/.ignore", "*.log"),
                ("sub/app.log", ""),
                (".hidden/x", ""),
                (".git/config", ""),
            ],
            None,
        );
        assert_eq!(files, [".gitignore", ".hidden/x", "sub/.ignore"]);
        assert_eq!(
            omitted,
            [
                "ignored by .gitignore: out/: out/",
                "ignored by .gitignore: scripts/*: scripts/w.py",
                "ignored by sub/.ignore: *.log: sub/app.log"
            ]
        );
    }

    #[test]
    fn what_is_named_outright_is_looked_at() {
        let tree = [(".gitignore", "out/**\nout\n"), ("out/deep/a.js", ""), ("b.js", "")];
        assert_eq!(surveyed(&tree, Some("out/deep/a.js")).0, ["out/deep/a.js"]);
        assert_eq!(surveyed(&tree, Some("out")).0, ["out/deep/a.js"]);
    }
}
