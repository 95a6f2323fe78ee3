//! Patterns as `.gitignore` has them, matched against paths in a tree; used for ignore rules and for globs of a call.
//!
//! They are given as text, so that rules can be kept and asked again after the files that held them have changed.

use super::paths::path_of;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Patterns from one text, relative to one folder.
#[derive(Debug, Clone)]
pub struct Patterns(Gitignore);

/// What patterns say about a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// None of them matches.
    Nothing,
    /// The last that matches takes it in.
    Matched,
    /// The last that matches begins with `!`.
    Excepted,
}

/// Whether a path is a folder, since a pattern that ends in `/` matches nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// It is a folder.
    Folder,
    /// It is anything else.
    Other,
}

impl Patterns {
    /// From lines as in a `.gitignore`; a line that is no pattern matches nothing.
    pub fn of(text: &str) -> Patterns {
        let mut builder = GitignoreBuilder::new("");
        for line in text.trim_start_matches('\u{feff}').lines() {
            // A rule that cannot be understood covers nothing up, which is the safe side.
            let _ = builder.add_line(None, line);
        }
        Patterns(builder.build().unwrap_or_else(|_| Gitignore::empty()))
    }

    /// The first of `globs` that is no pattern, with the reason.
    pub fn misfit(globs: &[String]) -> Option<(String, String)> {
        globs.iter().find_map(|glob| {
            let mut builder = GitignoreBuilder::new("");
            let why = match builder.add_line(None, glob) {
                Ok(_) => builder.build().err()?,
                Err(why) => why,
            };
            Some((glob.clone(), why.to_string()))
        })
    }

    /// What they say about the path of these bytes, relative to their folder.
    pub fn say(&self, path: &[u8], asked: Asked) -> Said {
        match self.0.matched(path_of(path), asked == Asked::Folder) {
            Match::None => Said::Nothing,
            Match::Ignore(_) => Said::Matched,
            Match::Whitelist(_) => Said::Excepted,
        }
    }

    /// Whether they match a path or a folder that it lies in.
    pub fn hold(&self, path: &[u8]) -> bool {
        if self.0.is_empty() {
            return false;
        }
        match self.say(path, Asked::Other) {
            Said::Matched => return true,
            Said::Excepted => return false,
            Said::Nothing => {}
        }
        let mut ends = path.iter().enumerate().rev().filter(|(_, b)| **b == b'/');
        ends.any(|(end, _)| self.say(&path[..end], Asked::Folder) == Said::Matched)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_takes_in_what_lies_below() {
        let out = Patterns::of("out/**\nlogs/\n*.snap");
        assert!(out.hold(b"out/a/b.xml"));
        assert!(out.hold(b"x/logs/today/a.txt"));
        assert!(out.hold(b"deep/x.snap"));
        assert!(!out.hold(b"src/out.js"));
        assert!(!out.hold(b"x/out/a.js"));
        assert!(!Patterns::of("").hold(b"a"));
    }

    #[test]
    fn names_that_are_not_unicode_are_asked_as_well() {
        assert_eq!(Patterns::of("*.py").say(b"\xff.py", Asked::Other), Said::Matched);
        assert_eq!(Patterns::of("*\n!keep").say(b"keep", Asked::Other), Said::Excepted);
        assert_eq!(Patterns::of("a/").say(b"a", Asked::Other), Said::Nothing);
    }

    #[test]
    fn what_is_no_pattern_is_named() {
        let globs = ["a/**".to_owned(), "{a".to_owned()];
        assert_eq!(Patterns::misfit(&globs).map(|(glob, _)| glob), Some("{a".to_owned()));
    }
}
