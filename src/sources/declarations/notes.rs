//! What is noted while a file is read: lines, deprecations, and what could not be represented.

use super::comments;
use super::declared::Gap;
use crate::base::{Lines, Name};
use oxc_ast::ast::Comment;
use std::collections::BTreeMap;

/// How many gaps are kept of one file.
const MAX_GAPS: usize = 200;

/// Notes on one file, or on none: inside a type literal nothing is noted.
#[derive(Default)]
pub(super) struct Notes {
    lines: Option<Lines>,
    deprecated: BTreeMap<u32, Name>,
    gaps: Vec<Gap>,
}

impl Notes {
    /// Notes on `text`.
    pub(super) fn on(text: &str, comments: &[Comment]) -> Notes {
        Notes {
            lines: Some(Lines::of(text)),
            deprecated: comments::deprecations(comments, text),
            gaps: Vec::new(),
        }
    }

    /// The line of a byte, from 1; 0 where nothing is noted.
    pub(super) fn line(&self, at: u32) -> u32 {
        self.lines.as_ref().map_or(0, |lines| lines.line(at))
    }

    /// What calls the declaration that begins at this byte deprecated.
    pub(super) fn deprecated(&self, at: u32) -> Option<Name> {
        self.deprecated.get(&at).cloned()
    }

    /// Notes that what stands at this byte could not be represented.
    pub(super) fn gap(&mut self, at: u32, what: &str) {
        if self.lines.is_some() && self.gaps.len() < MAX_GAPS {
            self.gaps.push(Gap { line: self.line(at), what: what.into() });
        }
    }

    /// The gaps that were noted.
    pub(super) fn into_gaps(self) -> Vec<Gap> {
        self.gaps
    }
}
