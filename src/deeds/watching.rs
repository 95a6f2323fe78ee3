//! Which scripts of a project changed since they were looked at last, told by a watcher as it happens.

use crate::base::Stop;
use crate::sources::embedded::Markup;
use crate::sources::script::Language;
use crate::sources::watch::{Gap, Touch, Watch};
use crate::sources::workspace::{TreePath, Workspace};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often the watcher is asked, and how long nothing must happen before a change is taken to be over.
const QUIET: Duration = Duration::from_millis(150);

/// Files whose change may change what holds for every script.
const OF_ALL: [&str; 3] = ["groundline.toml", "package.json", "tsconfig.json"];

/// A project that is watched.
pub struct Watching<'w> {
    workspace: &'w Workspace,
    watch: Watch,
    sign: PathBuf,
    /// What is watched for, relative to the root; everything where it is empty.
    below: Vec<String>,
}

/// What changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Changed {
    /// These scripts, relative to the root.
    Scripts(Vec<String>),
    /// What holds for all of them, or nobody knows what; with the reason.
    Everything(String),
}

impl<'w> Watching<'w> {
    /// Watches the folders of what is searched in a project, for changes at or below `paths`; of everything where there
    /// are none. `sign` is a file that nobody opens all the time: the program itself. Fails with the system's reason.
    pub fn begin(
        workspace: &'w Workspace,
        paths: &[String],
        sign: &Path,
    ) -> Result<Watching<'w>, String> {
        let mut below = Vec::new();
        for path in paths {
            let real = workspace.resolve(path).map_err(|why| format!("{path}: {why}"))?;
            below.push(workspace.shown(&real));
        }
        let watch = watched(workspace, sign)?;
        Ok(Watching { workspace, watch, sign: sign.to_path_buf(), below })
    }

    /// Waits until something changed and nothing more does.
    pub fn wait(&mut self) -> Changed {
        let mut touched = BTreeSet::new();
        loop {
            std::thread::sleep(QUIET);
            let now = self.watch.take();
            let missed = now.gaps.iter().find_map(|gap| match gap {
                Gap::Overflow | Gap::Full => Some("more changed at once than is told".to_owned()),
                Gap::Failed(why) => Some(format!("the watcher failed: {why}")),
                Gap::Unanswered => None,
            });
            if let Some(why) = missed {
                // Folders that were made meanwhile are watched from now on.
                return Changed::Everything(match watched(self.workspace, &self.sign) {
                    Ok(watch) => {
                        self.watch = watch;
                        why
                    }
                    Err(more) => format!("{why}, and new folders are not watched: {more}"),
                });
            }
            let is_quiet = !now.paths.keys().any(|path| matters(&path.to_string()));
            for (path, how) in now.paths {
                let path = path.to_string();
                if how.contains(&Touch::Made) || how.contains(&Touch::MovedIn) {
                    self.follow(&path, &mut touched);
                }
                touched.insert(path);
            }
            if is_quiet && !touched.is_empty() {
                match self.meant(std::mem::take(&mut touched)) {
                    Changed::Scripts(none) if none.is_empty() => {}
                    changed => return changed,
                }
            }
        }
    }

    /// Watches a folder that is new, with those in it; what was put into it before is touched.
    fn follow(&mut self, path: &str, touched: &mut BTreeSet<String>) {
        let is_folder = self.workspace.resolve(path).is_ok_and(|real| real.is_dir());
        let is_left_out =
            path.split('/').any(|part| part.starts_with('.') || part == "node_modules");
        if !is_folder || is_left_out {
            return;
        }
        let Ok(surveyed) = self.workspace.survey(Some(path), &Stop::default()) else { return };
        let files: Vec<String> = surveyed.files.into_iter().map(|file| file.path).collect();
        for folder in folders_around(path, &files) {
            // What cannot be watched any more is gone again.
            let _ = self.watch.follow(&self.workspace.root().join(folder));
        }
        touched.extend(files);
    }

    /// What of all that was touched is to be checked again.
    fn meant(&self, touched: BTreeSet<String>) -> Changed {
        if let Some(path) = touched.iter().find(|path| is_of_all(path)) {
            return Changed::Everything(format!("{path} changed"));
        }
        let is_wanted = |path: &String| {
            let within = |below: &String| {
                below.is_empty()
                    || path
                        .strip_prefix(below.as_str())
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            is_checked(path) && (self.below.is_empty() || self.below.iter().any(within))
        };
        let mut touched: BTreeSet<String> = touched.into_iter().filter(is_wanted).collect();
        if !touched.is_empty() {
            // What is ignored or gone is no script of the project.
            let scripts = self.workspace.scripts(&Stop::default()).files;
            let scripts: BTreeSet<String> = scripts.into_iter().map(|file| file.path).collect();
            touched.retain(|path| scripts.contains(path));
        }
        Changed::Scripts(touched.into_iter().collect())
    }
}

/// A watcher of every folder in which something is searched.
fn watched(workspace: &Workspace, sign: &Path) -> Result<Watch, String> {
    let surveyed = workspace.survey(None, &Stop::default());
    let surveyed = surveyed.map_err(|why| why.to_string())?;
    let files: Vec<String> = surveyed.files.into_iter().map(|file| file.path).collect();
    let folders = folders_around("", &files).into_iter();
    let folders: Vec<TreePath> =
        folders.map(|folder| TreePath::of(folder.as_os_str().as_encoded_bytes())).collect();
    Watch::begin(workspace.root(), folders.iter(), sign)
}

/// The folder `top` and those below it in which these files lie.
fn folders_around<'f>(top: &'f str, files: &'f [String]) -> BTreeSet<&'f Path> {
    let around = files.iter().flat_map(|file| Path::new(file).ancestors().skip(1));
    let within = around.filter(|folder| folder.starts_with(top));
    std::iter::once(Path::new(top)).chain(within).collect()
}

/// Whether a file may be a script or hold some.
fn is_checked(path: &str) -> bool {
    Language::of_path(path).is_some() || Markup::of_path(path).is_some()
}

/// Whether a file's change may change what holds for every script.
fn is_of_all(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    OF_ALL.contains(&name)
        || [".d.ts", ".d.mts", ".d.cts"].iter().any(|ending| path.ends_with(ending))
}

/// Whether a change of it is waited out: what else is written all the time must not keep the rest waiting.
fn matters(path: &str) -> bool {
    is_checked(path) || is_of_all(path)
}
