//! Which folder a session works in.
//!
//! What was asked for by name is taken as it is or refused; only the working directory is climbed from. The root is
//! never the file system's top, a home folder or a folder around one: some hosts start their servers there.

use std::path::{Path, PathBuf};
use thiserror::Error;

/// Where the search for the root may start, besides a call's own argument.
#[derive(Debug, Clone, Copy)]
pub struct Starts<'s> {
    /// `--root`.
    pub root: Option<&'s Path>,
    /// What the host says the project is.
    pub project: Option<&'s Path>,
    /// The working directory.
    pub here: &'s Path,
    /// The home folder.
    pub home: Option<&'s Path>,
    /// Where these are given, a root is one of them or lies in one; their paths are absolute and without links.
    pub only: &'s [PathBuf],
}

/// Why there is no root.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum RootTrouble {
    /// The folder that was asked for is not there or cannot be entered.
    #[error("root {0} is not a folder that can be read: name an existing project folder")]
    Missing(PathBuf),
    /// The folder that was asked for is too much.
    #[error("root {0} is a home folder or the top of the file system: name a project folder in it")]
    TooWide(PathBuf),
    /// Nothing was asked for and the session does not run in a project.
    #[error("no project folder: {0} is none, so pass root, or start with --root DIR")]
    Nowhere(PathBuf),
    /// The folder that was asked for is none of those that are served.
    #[error(
        "root {asked} is not served here: leave it out, or name one of these or a folder in them: {served}"
    )]
    NotServed {
        /// What was asked for, as it was asked for.
        asked: String,
        /// What is served.
        served: String,
    },
}

/// The root: `argument`, else `--root`, else the host's project, else the client's roots, else the working directory,
/// from there upward to `groundline.toml` or the repository's top. Its path is absolute and without links.
///
/// A relative argument starts at the working directory.
pub fn root(
    starts: &Starts<'_>,
    argument: Option<&Path>,
    client_roots: &[PathBuf],
) -> Result<PathBuf, RootTrouble> {
    if let (Some(asked), false) = (argument, starts.only.is_empty()) {
        return served(asked, starts);
    }
    if let Some(asked) = argument.or(starts.root) {
        return taken(&starts.here.join(asked), starts.home);
    }
    // What a host says is a hint: one that names the home folder does not end the search.
    let hints = starts.project.into_iter().chain(client_roots.iter().map(PathBuf::as_path));
    for hint in hints {
        if let Ok(found) = taken(&starts.here.join(hint), starts.home) {
            return Ok(found);
        }
    }
    let here = taken(starts.here, starts.home)
        .map_err(|_| RootTrouble::Nowhere(starts.here.to_path_buf()))?;
    let marked = |mark: &str| below_home(&here, starts.home).find(|f| f.join(mark).exists());
    let top = marked(".git");
    let configured = marked("groundline.toml");
    // A configuration above the repository is another project's.
    let configured = configured.filter(|c| top.is_none_or(|t| c.starts_with(t)));
    Ok(configured.or(top).unwrap_or(&here).to_path_buf())
}

/// A root of those that are served. Whatever lies elsewhere gets one answer, whether it is there or not.
fn served(asked: &Path, starts: &Starts<'_>) -> Result<PathBuf, RootTrouble> {
    let found = taken(&starts.here.join(asked), starts.home);
    let is_served = |found: &PathBuf| starts.only.iter().any(|only| found.starts_with(only));
    found.ok().filter(is_served).ok_or_else(|| RootTrouble::NotServed {
        asked: asked.to_string_lossy().into_owned(),
        served: starts.only.iter().map(|o| o.to_string_lossy()).collect::<Vec<_>>().join(", "),
    })
}

/// The top of the repository that `folder` lies in, or `folder` where there is none.
pub fn top_of(folder: &Path, home: Option<&Path>) -> PathBuf {
    below_home(folder, home).find(|f| f.join(".git").exists()).unwrap_or(folder).to_path_buf()
}

/// `folder` and what is above it, up to but without a folder that is too wide to be a root.
pub fn below_home<'f>(
    folder: &'f Path,
    home: Option<&'f Path>,
) -> impl Iterator<Item = &'f Path> + use<'f> {
    let home = home.and_then(|h| h.canonicalize().ok());
    folder.ancestors().take_while(move |f| !is_too_wide(f, home.as_deref()))
}

fn taken(asked: &Path, home: Option<&Path>) -> Result<PathBuf, RootTrouble> {
    let missing = || RootTrouble::Missing(asked.to_path_buf());
    let found = asked.canonicalize().map_err(|_| missing())?;
    if !found.is_dir() {
        return Err(missing());
    }
    let home = home.and_then(|h| h.canonicalize().ok());
    match is_too_wide(&found, home.as_deref()) {
        true => Err(RootTrouble::TooWide(found)),
        false => Ok(found),
    }
}

fn is_too_wide(folder: &Path, home: Option<&Path>) -> bool {
    folder.parent().is_none() || home.is_some_and(|h| h.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn starts(here: &Path) -> Starts<'_> {
        Starts { root: None, project: None, here, home: None, only: &[] }
    }

    #[test]
    fn the_working_directory_is_climbed_from_and_a_named_root_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        fs::create_dir_all(top.join("a/b")).unwrap();
        fs::create_dir(top.join(".git")).unwrap();
        let deep = top.join("a/b");
        assert_eq!(root(&starts(&deep), None, &[]), Ok(top.clone()));
        assert_eq!(root(&starts(&top), Some(Path::new("a/b")), &[]), Ok(deep.clone()));
        fs::write(top.join("a/groundline.toml"), "").unwrap();
        assert_eq!(root(&starts(&deep), None, &[]), Ok(top.join("a")));
    }

    #[test]
    fn a_home_folder_is_never_a_root() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().canonicalize().unwrap();
        fs::create_dir_all(home.join("work")).unwrap();
        fs::create_dir(home.join(".git")).unwrap();
        let work = home.join("work");
        let at_home = Starts { home: Some(&home), ..starts(&home) };
        assert_eq!(root(&at_home, None, &[]), Err(RootTrouble::Nowhere(home.clone())));
        assert_eq!(root(&at_home, Some(&home), &[]), Err(RootTrouble::TooWide(home.clone())));
        assert!(matches!(root(&at_home, Some(Path::new("/")), &[]), Err(RootTrouble::TooWide(_))));
        assert_eq!(root(&at_home, None, &[home.clone(), work.clone()]), Ok(work.clone()));
        let below = Starts { home: Some(&home), ..starts(&work) };
        assert_eq!(root(&below, None, &[]), Ok(work));
    }

    #[test]
    fn where_some_folders_are_served_a_call_names_one_of_them_or_what_lies_in_it() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        for folder in ["served/inner", "other"] {
            fs::create_dir_all(top.join(folder)).unwrap();
        }
        let only = [top.join("served")];
        let started = Starts { root: Some(&only[0]), only: &only, ..starts(&top) };
        let asked = |path: &str| root(&started, Some(Path::new(path)), &[]);
        assert_eq!(root(&started, None, &[]), Ok(only[0].clone()));
        assert_eq!(asked("served"), Ok(only[0].clone()));
        assert_eq!(asked("served/inner"), Ok(only[0].join("inner")));
        // What is not served and what is not there get the same answer.
        for outside in ["other", "nowhere", "/", "served/../other", "served/.."] {
            let refused = asked(outside).unwrap_err().to_string();
            assert!(
                refused.starts_with(&format!("root {outside} is not served here")),
                "{refused}"
            );
        }
    }
}
