//! What is in scope: everything tracked, and everything untracked that was not ignored when the baseline was taken.
//!
//! Rules are read once and kept as text; asked again, the kept text answers and no file in the tree is believed.

use super::records::{Frame, Scope, TreeTrouble};
use crate::sources::repository::{Index, Repository};
use crate::sources::workspace::folder::bounded;
use crate::sources::workspace::{Asked, Folder, Listed, Patterns, Said, TreePath};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The largest `.gitignore` that is read; what a larger one hides stays in scope.
const MAX_RULES: u64 = 4 << 20;

/// Whether a folder lies in what is ignored; nothing in there is asked for its own rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    Open,
    Ignored,
}

/// Which paths a repository tracks; the outer ones count as well.
#[derive(Debug)]
pub(super) struct Territory {
    /// The repository's folder, relative to the root.
    at: TreePath,
    /// The root, relative to the repository's folder.
    above: TreePath,
    index: Arc<Index>,
    outer: Option<Arc<Territory>>,
}

impl Territory {
    fn of(repository: &Repository, outer: Option<Arc<Territory>>) -> Territory {
        let (at, above) = (repository.at.clone(), repository.above.clone());
        Territory { at, above, index: Arc::clone(&repository.index), outer }
    }

    /// The path as the index has it, if it lies in the repository.
    fn own<'p>(&self, path: &'p TreePath) -> Option<Cow<'p, [u8]>> {
        let below = path.below(&self.at)?;
        Some(match self.above.is_root() {
            true => Cow::Borrowed(below),
            false => Cow::Owned(self.above.join(below).bytes().to_vec()),
        })
    }

    /// Where in the index the paths below `folder` are.
    fn below(&self, folder: &TreePath) -> Range<usize> {
        match self.own(folder) {
            Some(own) => self.index.below(own.strip_suffix(b"/").unwrap_or(&own)),
            None => 0..0,
        }
    }

    /// Whether the path is tracked; `range` is where in the index its folder is.
    fn tracks(&self, path: &TreePath, range: Range<usize>) -> bool {
        self.own(path).is_some_and(|own| self.index.has(range, &own))
            || self.outer.as_ref().is_some_and(|o| o.tracks(path, 0..o.index.rows().len()))
    }
}

/// The ignore rules of one folder, and of those around it.
#[derive(Debug)]
pub(super) struct Level {
    /// Relative to the root.
    at: TreePath,
    /// The root relative to the folder of the rules, where that lies around the root.
    above: TreePath,
    patterns: Patterns,
    outer: Option<Arc<Level>>,
}

impl Level {
    fn ignores(&self, path: &TreePath, asked: Asked) -> bool {
        let below = path.below(&self.at).unwrap_or_default();
        match self.patterns.say(self.above.join(below).bytes(), asked) {
            Said::Matched => true,
            Said::Excepted => false,
            Said::Nothing => self.outer.as_ref().is_some_and(|o| o.ignores(path, asked)),
        }
    }
}

/// What holds in a folder.
#[derive(Debug, Clone)]
pub(super) struct Here {
    pub standing: Standing,
    territory: Option<Arc<Territory>>,
    /// Where in the territory's index this folder is.
    range: Range<usize>,
    level: Option<Arc<Level>>,
}

/// Where rules come from.
pub(super) enum Rules<'r> {
    /// From the files as they stand; what is read is kept.
    Read { root: &'r Path, home: Option<&'r Path>, kept: Mutex<Frame> },
    /// From the baseline.
    Kept(&'r Frame),
}

impl Rules<'_> {
    /// What holds in the root, before its own rules.
    pub fn at_root(&self, top: Option<&Path>) -> Result<Here, TreeTrouble> {
        let nothing = nothing();
        let (root, home) = match self {
            Rules::Kept(frame) => return Ok(kept_at_root(frame)),
            Rules::Read { root, home, .. } => (*root, *home),
        };
        let Some(above) = top.filter(|top| *top != root).and_then(|t| root.strip_prefix(t).ok())
        else {
            return Ok(nothing);
        };
        let top = top.unwrap_or(root);
        let above = TreePath::of(&crate::sources::workspace::paths::bytes_of_path(above));
        let found = Repository::open(top, TreePath::default(), above.clone(), home)?;
        let Some(repository) = found else { return Ok(nothing) };
        let mut here = entered(&repository, &nothing);
        let mut rules_above = Vec::new();
        let mut folder = TreePath::default();
        for part in above.bytes().split(|b| *b == b'/') {
            let rest = above.below(&folder).map(TreePath::of).unwrap_or_default();
            if let Some(text) = own_rules(&Folder::open(&top.join(folder.to_path()))?)? {
                here.level = Some(level(&TreePath::default(), &rest, &text, here.level));
                rules_above.push((rest, text));
            }
            folder = folder.join(part);
            // A root that the repository around it ignores is a tree of its own.
            let asked = TreePath::of(folder.bytes());
            if is_ignored_above(&here, &above, &asked) {
                return Ok(nothing);
            }
        }
        if let Rules::Read { kept, .. } = self {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.rules_above = rules_above;
            kept.repositories.push(repository);
        }
        Ok(here)
    }

    /// What holds in the folder at `path`, given what holds around it.
    pub fn enter(
        &self,
        folder: &Folder,
        names: &[(Vec<u8>, Listed)],
        path: &TreePath,
        around: Here,
    ) -> Result<Here, TreeTrouble> {
        if around.standing == Standing::Ignored {
            return Ok(around);
        }
        let has = |name: &[u8]| names.binary_search_by(|(n, _)| n.as_slice().cmp(name)).is_ok();
        let mut here = around;
        match self {
            Rules::Kept(frame) => return Ok(kept_inside(frame, path, here)),
            Rules::Read { root, home, kept } => {
                if has(b".git") {
                    let top = root.join(path.to_path());
                    let above = TreePath::default();
                    if let Some(found) = Repository::open(&top, path.clone(), above, *home)? {
                        here = entered(&found, &here);
                        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                        kept.repositories.push(found);
                    }
                }
                // Outside any repository a `.gitignore` rules nothing.
                if here.territory.is_some()
                    && has(b".gitignore")
                    && let Some(text) = own_rules(folder)?
                {
                    here.level = Some(level(path, &TreePath::default(), &text, here.level));
                    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                    kept.rules.insert(path.clone(), text);
                }
            }
        }
        here.range = here.territory.as_ref().map_or(0..0, |t| t.below(path));
        Ok(here)
    }
}

impl Here {
    /// What holds in the folder at `path` below this one, before its own rules.
    pub fn below(&self, path: &TreePath) -> Here {
        let is_tracked = self.tracks(path);
        let standing = match !is_tracked && self.ignores(path, Asked::Folder) {
            true => Standing::Ignored,
            false => self.standing,
        };
        Here { standing, ..self.clone() }
    }

    /// Whether the path, which is no folder, counts.
    pub fn scope(&self, path: &TreePath, include: &Patterns) -> Scope {
        let is_tracked = self.tracks(path);
        if is_tracked || include.hold(path.bytes()) {
            return Scope::Covered;
        }
        if self.standing == Standing::Ignored || self.ignores(path, Asked::Other) {
            return Scope::Ignored;
        }
        if is_artefact(path) { Scope::Artefact } else { Scope::Covered }
    }

    fn tracks(&self, path: &TreePath) -> bool {
        self.territory.as_ref().is_some_and(|t| t.tracks(path, self.range.clone()))
    }

    fn ignores(&self, path: &TreePath, asked: Asked) -> bool {
        self.level.as_ref().is_some_and(|level| level.ignores(path, asked))
    }
}

fn nothing() -> Here {
    Here { standing: Standing::Open, territory: None, range: 0..0, level: None }
}

/// What holds in the root by a baseline, before its own rules.
fn kept_at_root(frame: &Frame) -> Here {
    let mut here = nothing();
    let around = frame.repositories.iter().find(|r| !r.above.is_root());
    if let Some(repository) = around {
        here = entered(repository, &here);
        for (above, text) in &frame.rules_above {
            here.level = Some(level(&TreePath::default(), above, text, here.level));
        }
    }
    here
}

/// What holds by a baseline in the folder at `path`, given what holds around it.
fn kept_inside(frame: &Frame, path: &TreePath, around: Here) -> Here {
    if around.standing == Standing::Ignored {
        return around;
    }
    let mut here = around;
    // They are sorted by place; one around the root has the root's own.
    let first = frame.repositories.partition_point(|r| r.at < *path);
    let at_path = frame.repositories.iter().skip(first).take_while(|r| r.at == *path);
    if let Some(repository) = at_path.into_iter().find(|r| r.above.is_root()) {
        here = entered(repository, &here);
    }
    if let Some(text) = frame.rules.get(path) {
        here.level = Some(level(path, &TreePath::default(), text, here.level));
    }
    here.range = here.territory.as_ref().map_or(0..0, |t| t.below(path));
    here
}

/// Asks the rules of a baseline about single paths.
pub struct Frozen<'f> {
    frame: &'f Frame,
    include: &'f Patterns,
    /// What holds in the folders that were asked for.
    known: BTreeMap<TreePath, Here>,
}

impl<'f> Frozen<'f> {
    /// By these rules and globs.
    pub fn new(frame: &'f Frame, include: &'f Patterns) -> Frozen<'f> {
        let root = TreePath::default();
        let here = kept_inside(frame, &root, kept_at_root(frame));
        Frozen { frame, include, known: BTreeMap::from([(root, here)]) }
    }

    /// Whether something at `path`, if it is no folder, counts. A repository's own files do not.
    pub fn scope(&mut self, path: &TreePath) -> Scope {
        if path.bytes().split(|b| *b == b'/').any(|part| part == b".git") {
            return Scope::Ignored;
        }
        self.inside(&path.parent()).scope(path, self.include)
    }

    fn inside(&mut self, folder: &TreePath) -> Here {
        let mut at = TreePath::default();
        let mut here = self.known.get(&at).cloned().unwrap_or_else(nothing);
        for part in folder.bytes().split(|b| *b == b'/').filter(|part| !part.is_empty()) {
            at = at.join(part);
            here = match self.known.get(&at) {
                Some(known) => known.clone(),
                None => {
                    let inside = kept_inside(self.frame, &at, here.below(&at));
                    self.known.insert(at.clone(), inside.clone());
                    inside
                }
            };
        }
        here
    }
}

/// What holds in the top folder of a repository: its own rules only, since git asks no others there.
fn entered(repository: &Repository, around: &Here) -> Here {
    let territory = Territory::of(repository, around.territory.clone());
    let weaker = repository
        .excludes
        .iter()
        .fold(None, |outer, text| Some(level(&repository.at, &repository.above, text, outer)));
    let territory = Some(Arc::new(territory));
    Here { standing: around.standing, territory, range: 0..0, level: weaker }
}

fn level(at: &TreePath, above: &TreePath, text: &str, outer: Option<Arc<Level>>) -> Arc<Level> {
    let patterns = Patterns::of(text);
    Arc::new(Level { at: at.clone(), above: above.clone(), patterns, outer })
}

/// Whether a folder between the repository's top and the root is ignored.
fn is_ignored_above(here: &Here, above: &TreePath, folder: &TreePath) -> bool {
    let mut level = here.level.as_ref();
    while let Some(one) = level {
        // `one.above` is the end of `above` that lies below the folder of these rules.
        let n_before = above.bytes().len() - one.above.bytes().len();
        let below = folder.bytes().get(n_before..).unwrap_or_default();
        match one.patterns.say(below, Asked::Folder) {
            Said::Matched => return true,
            Said::Excepted => return false,
            Said::Nothing => level = one.outer.as_ref(),
        }
    }
    false
}

/// The text of the folder's own `.gitignore`; one that is a link is none, as for git.
fn own_rules(folder: &Folder) -> Result<Option<String>, TreeTrouble> {
    match folder.file(b".gitignore").and_then(|file| bounded(file, MAX_RULES)) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        // What cannot be read hides nothing; if it is in scope, hashing it says what is the matter.
        Err(_) => Ok(None),
    }
}

/// Whether a test run leaves files of this name; a short list, so that nothing else hides behind it.
pub(super) fn is_artefact(path: &TreePath) -> bool {
    let folders: [&[u8]; 6] = [
        b".pytest_cache",
        b".mypy_cache",
        b".ruff_cache",
        b".hypothesis",
        b".nyc_output",
        b"htmlcov",
    ];
    let name = path.name();
    let parent = path.parent();
    if path.bytes().split(|b| *b == b'/').rev().skip(1).any(|part| folders.contains(&part)) {
        return true;
    }
    let is_bytecode = name.ends_with(b".pyc") && parent.name() == b"__pycache__";
    let is_coverage = name == b".coverage" || name.starts_with(b".coverage.");
    is_bytecode
        || is_coverage
        || name == b"coverage.xml"
        || name == b"lcov.info"
        || is_of_report(path)
}

/// Whether the path is a part of a coverage report for people or programs, as test runners of JavaScript leave them in
/// `coverage`. Only the names that reports have; a script of another name in there counts.
fn is_of_report(path: &TreePath) -> bool {
    let names: [&[u8]; 11] = [
        b"clover.xml",
        b"cobertura-coverage.xml",
        b"coverage-final.json",
        b"coverage-summary.json",
        b"base.css",
        b"block-navigation.js",
        b"favicon.png",
        b"prettify.css",
        b"prettify.js",
        b"sort-arrow-sprite.png",
        b"sorter.js",
    ];
    let name = path.name();
    let is_inside = path.parent().bytes().split(|b| *b == b'/').any(|part| part == b"coverage");
    is_inside && (names.contains(&name) || name.ends_with(b".html"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_test_runs_leave_is_an_artefact() {
        for path in [
            "a/__pycache__/x.cpython-311.pyc",
            ".pytest_cache/v/x",
            ".coverage",
            "lcov.info",
            "coverage/lcov-report/src/a.js.html",
            "pkg/coverage/coverage-final.json",
        ] {
            assert!(is_artefact(&TreePath::of(path.as_bytes())), "{path}");
        }
        for path in [
            "__pycache__/x.py",
            "x.pyc",
            "coverage.py",
            "tests/__snapshots__/a.snap",
            "coverage/setup.js",
            "src/index.html",
            "prettify.js",
        ] {
            assert!(!is_artefact(&TreePath::of(path.as_bytes())), "{path}");
        }
    }
}
