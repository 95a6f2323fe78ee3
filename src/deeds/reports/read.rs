//! The files that findings stand in, each read once.

use super::finding::Finding;
use crate::base::Lines;
use std::collections::BTreeMap;

/// Texts by their paths, read when they are first asked for.
pub(super) struct Texts<S> {
    source: S,
    read: BTreeMap<String, Option<(String, Lines)>>,
}

impl<S: Fn(&str) -> Option<String>> Texts<S> {
    /// `source` gives a file's text by its path.
    pub fn new(source: S) -> Texts<S> {
        Texts { source, read: BTreeMap::new() }
    }

    /// The line that a finding stands in, if its file can be read and has that line.
    pub fn line(&mut self, finding: &Finding<'_>) -> Option<&str> {
        if !self.read.contains_key(finding.file) {
            let text = (self.source)(finding.file);
            let lined = text.map(|text| {
                let lines = Lines::of(&text);
                (text, lines)
            });
            self.read.insert(finding.file.to_owned(), lined);
        }
        let (text, lines) = self.read.get(finding.file)?.as_ref()?;
        let line = u32::try_from(finding.line).ok()?;
        (1..=lines.n_lines()).contains(&(line as usize)).then(|| lines.text(text, line))
    }
}
