//! The files that a configuration's globs name, and those that it may not name.
//!
//! Globs are relative to the configuration's folder. Without the user's leave none reaches out of the repository, by
//! `..`, as an absolute path or through a link; secrets are never read.

use crate::sources::workspace::opening::{Reach, is_secret, slashed};
use crate::sources::workspace::walk::matching;
use globset::GlobBuilder;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// How many globs one list may have; plain paths do not count.
const MAX_GLOBS: usize = 100;

/// The longest glob, in bytes.
const MAX_GLOB_BYTES: usize = 1024;

/// What globs name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listed {
    /// The files, sorted, each once, without links in their paths.
    pub files: Vec<PathBuf>,
    /// Globs and files that are left out, with the reason.
    pub refused: Vec<Refused>,
}

/// A glob or file that is left out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Refused {
    /// The glob or path.
    pub path: String,
    /// Why.
    pub why: String,
}

/// The files that `globs` name from `folder`; the repository ends at `top`.
pub fn files(folder: &Path, globs: &[String], top: &Path, reach: Reach) -> Listed {
    let mut gathered = Gathered { top, reach, files: BTreeSet::new(), refused: Vec::new() };
    let mut n_globs = 0;
    for glob in globs {
        if let Some(path) = literal(glob) {
            gathered.one(glob, &lexical(&folder.join(path)));
            continue;
        }
        n_globs += 1;
        match n_globs > MAX_GLOBS || glob.len() > MAX_GLOB_BYTES {
            true => gathered.refuse(glob, "too many or too long globs"),
            false => gathered.glob(folder, glob),
        }
    }
    gathered.refused.sort();
    gathered.refused.dedup();
    Listed { files: gathered.files.into_iter().collect(), refused: gathered.refused }
}

/// Whether `path`, which may not exist, lies where `reach` allows; links in it count.
pub fn is_within(path: &Path, top: &Path, reach: Reach) -> bool {
    match reach {
        Reach::Anywhere => true,
        Reach::Repository => path.canonicalize().is_ok_and(|real| real.starts_with(top)),
    }
}

struct Gathered<'t> {
    top: &'t Path,
    reach: Reach,
    files: BTreeSet<PathBuf>,
    refused: Vec<Refused>,
}

impl Gathered<'_> {
    fn refuse(&mut self, path: &str, why: &str) {
        self.refused.push(Refused { path: path.to_string(), why: why.to_string() });
    }

    fn is_allowed(&self, path: &Path) -> bool {
        self.reach == Reach::Anywhere || path.starts_with(self.top)
    }

    /// A plain path: a file, or nothing.
    fn one(&mut self, said: &str, path: &Path) {
        // Judged before the file system is asked, so that nothing is learnt about what lies outside.
        if !self.is_allowed(path) {
            return self.refuse(said, OUTSIDE);
        }
        match path.canonicalize() {
            Ok(real) if real.is_file() => self.file(said, real),
            Ok(real) if real.is_dir() => {
                self.refuse(said, "is a folder: name the files in it, such as folder/**/*.d.ts")
            }
            Ok(_) => self.refuse(said, "is a device, pipe or socket, not a file"),
            Err(_) => self.refuse(said, "does not exist"),
        }
    }

    fn file(&mut self, said: &str, real: PathBuf) {
        if !self.is_allowed(&real) {
            return self.refuse(said, OUTSIDE);
        }
        match is_secret(&real) {
            true => self.refuse(said, "looks like a secret"),
            false => {
                self.files.insert(real);
            }
        }
    }

    fn glob(&mut self, folder: &Path, glob: &str) {
        let (plain, pattern) = split(glob);
        let base = lexical(&folder.join(plain));
        if !self.is_allowed(&base) {
            return self.refuse(glob, OUTSIDE);
        }
        let built = GlobBuilder::new(pattern.strip_prefix("./").unwrap_or(pattern))
            .literal_separator(true)
            .build();
        let matcher = match built {
            Ok(built) => built.compile_matcher(),
            Err(why) => return self.refuse(glob, &format!("not a glob: {}", why.kind())),
        };
        let Ok(real) = base.canonicalize() else {
            return self.refuse(glob, "names no file: its folder does not exist");
        };
        if !self.is_allowed(&real) {
            return self.refuse(glob, OUTSIDE);
        }
        let (found, cut) = matching(&real, &matcher);
        if cut {
            self.refuse(glob, "more files below its folder than are looked at");
        }
        if found.is_empty() {
            self.refuse(glob, "names no file");
        }
        for path in found {
            let said = slashed(&path);
            match path.canonicalize() {
                Ok(real) if real.is_file() => self.file(&said, real),
                Ok(_) | Err(_) => self.refuse(&said, "is a link that leads to no file"),
            }
        }
    }
}

const OUTSIDE: &str = "is outside the repository: pass --allow-outside to read it";

/// `glob` where it is a plain path.
fn literal(glob: &str) -> Option<&str> {
    (!glob.contains(['*', '?', '[', '{', '\\'])).then_some(glob)
}

/// A glob's plain folders and the rest.
fn split(glob: &str) -> (&str, &str) {
    let first = glob.find(['*', '?', '[', '{', '\\']).unwrap_or(glob.len());
    match glob[..first].rfind('/') {
        Some(slash) => glob.split_at(slash + 1),
        None => ("", glob),
    }
}

/// `path` without `.` and `..`, by its text alone.
pub fn lexical(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn repository() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let outer = dir.path().canonicalize().unwrap();
        for path in
            ["repo/t/a.d.ts", "repo/t/deep/b.d.ts", "repo/t/c.md", "repo/t/.env", "out.d.ts"]
        {
            let at = outer.join(path);
            fs::create_dir_all(at.parent().unwrap()).unwrap();
            fs::write(at, "").unwrap();
        }
        (dir, outer)
    }

    fn named(outer: &Path, globs: &[&str], reach: Reach) -> (Vec<String>, Vec<String>) {
        let globs: Vec<String> = globs.iter().map(|g| g.to_string()).collect();
        let top = outer.join("repo");
        let listed = files(&top.join("t"), &globs, &top, reach);
        let files = listed.files.iter().map(|f| slashed(f.strip_prefix(outer).unwrap())).collect();
        (files, listed.refused.iter().map(|r| format!("{}: {}", r.path, r.why)).collect())
    }

    #[test]
    fn globs_and_plain_paths_are_relative_to_the_configuration() {
        let (_dir, outer) = repository();
        let all = ["repo/t/a.d.ts".to_string(), "repo/t/deep/b.d.ts".to_string()];
        assert_eq!(named(&outer, &["**/*.d.ts"], Reach::Repository), (all.to_vec(), vec![]));
        assert_eq!(named(&outer, &["*.d.ts"], Reach::Repository).0, all[..1]);
        assert_eq!(named(&outer, &["./*.d.ts", "a.d.ts"], Reach::Repository).0, all[..1]);
        assert_eq!(named(&outer, &["../t/d*/b.d.ts"], Reach::Repository).0, all[1..]);
        assert_eq!(named(&outer, &["x/*.d.ts"], Reach::Repository).1.len(), 1);
    }

    #[test]
    fn what_is_outside_needs_leave_and_secrets_are_never_read() {
        let (_dir, outer) = repository();
        let absolute = outer.join("out.d.ts").to_string_lossy().into_owned();
        let globs = ["../../out.d.ts", &absolute, "../../*.d.ts", ".env", "*"];
        let (files, refused) = named(&outer, &globs, Reach::Repository);
        assert_eq!(files, ["repo/t/a.d.ts", "repo/t/c.md"]);
        assert_eq!(refused.iter().filter(|r| r.contains("outside")).count(), 3);
        assert_eq!(refused.iter().filter(|r| r.contains("secret")).count(), 2);
        let (files, refused) = named(&outer, &globs, Reach::Anywhere);
        assert_eq!(files, ["out.d.ts", "repo/t/a.d.ts", "repo/t/c.md"]);
        assert_eq!(refused.iter().filter(|r| r.contains("outside")).count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_out_of_the_repository_needs_leave() {
        let (_dir, outer) = repository();
        std::os::unix::fs::symlink(outer.join("out.d.ts"), outer.join("repo/t/l.d.ts")).unwrap();
        let (files, refused) = named(&outer, &["l.d.ts"], Reach::Repository);
        assert_eq!((files.len(), refused.len()), (0, 1));
        assert_eq!(named(&outer, &["l.d.ts"], Reach::Anywhere).0, ["out.d.ts"]);
    }
}
