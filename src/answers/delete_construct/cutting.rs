//! A text with stretches taken out of it: what stays of every line, the text that is left, and the patch that leads there.
//!
//! Nothing is ever put in. A line stays, goes, or loses a piece; line ends, byte order mark and a missing end of the last
//! line stay what they are.

use crate::base::Span;
use std::fmt::Write;

/// How many unchanged lines a patch shows around a change.
const CONTEXT: usize = 3;

const MARK: char = '\u{feff}';

/// What becomes of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fate {
    Stays,
    Goes,
    /// What is left of it.
    Becomes(String),
}

/// A text, line by line, and what becomes of each.
#[derive(Debug)]
pub struct Cut<'t> {
    lines: Vec<&'t str>,
    fates: Vec<Fate>,
}

impl<'t> Cut<'t> {
    /// Takes these stretches out of `text`.
    pub fn of(text: &'t str, spans: &[Span]) -> Cut<'t> {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let mut spans = spans.to_vec();
        spans.sort_unstable();
        let mut fates = Vec::with_capacity(lines.len());
        let (mut start, mut first) = (0, 0);
        for line in &lines {
            let end = start + line.len();
            while spans.get(first).is_some_and(|span| span.end as usize <= start) {
                first += 1;
            }
            let here = spans[first.min(spans.len())..].iter();
            let here = here.take_while(|span| (span.start as usize) < end);
            let pieces: Vec<(usize, usize)> = here
                .map(|span| {
                    let from = (span.start as usize).saturating_sub(start);
                    (from, (span.end as usize).saturating_sub(start).min(line.len()))
                })
                .filter(|(from, to)| from < to)
                .collect();
            fates.push(fate(line, &pieces));
            start = end;
        }
        let mut cut = Cut { lines, fates };
        cut.close_seams();
        cut.keep_mark();
        cut.keep_end();
        cut
    }

    /// Of two blank lines that come together where lines went, one goes too.
    fn close_seams(&mut self) {
        let mut is_seam = false;
        let mut before_is_blank = true;
        for idx in 0..self.lines.len() {
            match &self.fates[idx] {
                Fate::Goes => is_seam = true,
                Fate::Becomes(_) => (is_seam, before_is_blank) = (false, false),
                Fate::Stays => {
                    let is_blank = self.lines[idx].trim().is_empty();
                    if is_seam && is_blank && before_is_blank {
                        self.fates[idx] = Fate::Goes;
                    } else {
                        (is_seam, before_is_blank) = (false, is_blank);
                    }
                }
            }
        }
    }

    /// A byte order mark stays at the beginning, whatever the first line is then.
    fn keep_mark(&mut self) {
        let goes = self.fates.first() == Some(&Fate::Goes);
        if !goes || !self.lines[0].starts_with(MARK) {
            return;
        }
        let first = self.fates.iter().position(|fate| *fate != Fate::Goes);
        let left = match first.map(|idx| (&self.fates[idx], self.lines[idx])) {
            None => String::new(),
            Some((Fate::Becomes(left), _)) => left.clone(),
            Some((Fate::Stays | Fate::Goes, line)) => line.to_owned(),
        };
        self.fates[first.unwrap_or(0)] = Fate::Becomes(format!("{MARK}{left}"));
    }

    /// A text whose last line has no end keeps it that way.
    fn keep_end(&mut self) {
        let ends = self.lines.last().is_none_or(|last| last.ends_with('\n'));
        let Some(last) = self.fates.iter().rposition(|fate| *fate != Fate::Goes) else { return };
        if ends || last + 1 == self.lines.len() {
            return;
        }
        let left = match &self.fates[last] {
            Fate::Becomes(left) => left.as_str(),
            Fate::Stays | Fate::Goes => self.lines[last],
        };
        let bare = left.strip_suffix('\n').unwrap_or(left);
        let bare = bare.strip_suffix('\r').unwrap_or(bare).to_owned();
        self.fates[last] = Fate::Becomes(bare);
    }

    /// The text that is left.
    pub fn left(&self) -> String {
        let lines = self.lines.iter().zip(&self.fates);
        lines.fold(String::new(), |text, (line, fate)| match fate {
            Fate::Stays => text + line,
            Fate::Goes => text,
            Fate::Becomes(left) => text + left,
        })
    }

    /// The lines that go, from 1, as first and last of each stretch.
    pub fn gone(&self) -> Vec<(u32, u32)> {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        let gone = (1..).zip(&self.fates).filter(|(_, fate)| **fate == Fate::Goes);
        for (n, _) in gone {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == n => *last = n,
                _ => ranges.push((n, n)),
            }
        }
        ranges
    }

    /// The lines that lose a piece, from 1.
    pub fn shortened(&self) -> Vec<u32> {
        let lines = (1..).zip(&self.fates);
        lines.filter(|(_, fate)| matches!(fate, Fate::Becomes(_))).map(|(n, _)| n).collect()
    }

    /// The change as a unified diff of the file at `path`, as `git apply` and `patch -p1` take it.
    pub fn patch(&self, path: &str) -> String {
        let changed: Vec<usize> =
            (0..self.fates.len()).filter(|idx| self.fates[*idx] != Fate::Stays).collect();
        if changed.is_empty() {
            return String::new();
        }
        let (old, new) = (header("a/", path), header("b/", path));
        let mut patch = format!("--- {old}\n+++ {new}\n");
        let mut rest = changed.as_slice();
        let mut n_gone_before = 0;
        while let Some(first) = rest.first() {
            let far = |pair: &[usize]| pair[1] - pair[0] > 2 * CONTEXT;
            let n = rest.windows(2).position(far).map_or(rest.len(), |at| at + 1);
            let (hunk, behind) = rest.split_at(n);
            let last =
                hunk.last().map_or(*first, |last| (last + CONTEXT).min(self.lines.len() - 1));
            n_gone_before =
                self.hunk(first.saturating_sub(CONTEXT), last, n_gone_before, &mut patch);
            rest = behind;
        }
        patch
    }

    /// Adds one hunk; gives how many lines are gone up to its end.
    fn hunk(&self, first: usize, last: usize, n_gone: usize, patch: &mut String) -> usize {
        let fates = &self.fates[first..=last];
        let n_old = fates.len();
        let n_new = fates.iter().filter(|fate| **fate != Fate::Goes).count();
        // A side without lines is named by the line before it.
        let new_start = first - n_gone + usize::from(n_new > 0);
        let _ = writeln!(patch, "@@ -{},{n_old} +{new_start},{n_new} @@", first + 1);
        let mut added: Vec<&str> = Vec::new();
        for (line, fate) in self.lines[first..=last].iter().zip(fates) {
            if *fate == Fate::Stays {
                added.drain(..).for_each(|line| put(patch, '+', line));
            }
            match fate {
                Fate::Stays => put(patch, ' ', line),
                Fate::Goes => put(patch, '-', line),
                Fate::Becomes(left) => {
                    put(patch, '-', line);
                    added.extend((!left.is_empty()).then_some(left.as_str()));
                }
            }
        }
        added.drain(..).for_each(|line| put(patch, '+', line));
        n_gone + n_old - n_new
    }
}

fn put(patch: &mut String, sign: char, line: &str) {
    patch.push(sign);
    patch.push_str(line);
    if !line.ends_with('\n') {
        patch.push_str("\n\\ No newline at end of file\n");
    }
}

/// What becomes of a line of which these pieces are taken.
fn fate(line: &str, pieces: &[(usize, usize)]) -> Fate {
    if pieces.is_empty() {
        return Fate::Stays;
    }
    let bare = line.trim_end_matches('\n');
    let bare = bare.strip_suffix('\r').unwrap_or(bare);
    let mut left = String::new();
    let mut from = 0;
    for (start, end) in pieces {
        let (start, end) = ((*start).min(bare.len()).max(from), (*end).min(bare.len()).max(from));
        let before = bare.get(from..start).unwrap_or("");
        left.push_str(if from > 0 { before.trim_start() } else { before });
        from = end;
    }
    let behind = bare.get(from..).unwrap_or("");
    let is_comment = behind.trim_start().starts_with("//")
        || behind
            .trim()
            .strip_prefix("/*")
            .is_some_and(|rest| rest.find("*/") == Some(rest.len().saturating_sub(2)));
    let is_bare = left.trim_start_matches(MARK).trim().is_empty();
    if is_bare && (behind.trim().is_empty() || is_comment) {
        return Fate::Goes;
    }
    match behind.trim().is_empty() {
        true => left.truncate(left.trim_end().len()),
        false => left.push_str(behind.trim_start()),
    }
    left.push_str(&line[bare.len()..]);
    Fate::Becomes(left)
}

/// A path in the header of a patch, quoted as git does where it must be.
fn header(side: &str, path: &str) -> String {
    let is_plain = |b: u8| (0x20..0x7f).contains(&b) && b != b'"' && b != b'\\';
    if path.bytes().all(is_plain) {
        // A tab ends a name that holds spaces.
        return format!("{side}{path}{}", if path.contains(' ') { "\t" } else { "" });
    }
    let mut quoted = format!("\"{side}");
    for byte in path.bytes() {
        match byte {
            b'"' | b'\\' => quoted.extend(['\\', char::from(byte)]),
            byte if is_plain(byte) => quoted.push(char::from(byte)),
            byte => {
                let _ = write!(quoted, "\\{byte:03o}");
            }
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut<'t>(text: &'t str, pieces: &[&str]) -> Cut<'t> {
        let spans: Vec<Span> = pieces
            .iter()
            .map(|piece| {
                let at = text.find(piece).unwrap();
                Span::new(at, at + piece.len())
            })
            .collect();
        Cut::of(text, &spans)
    }

    #[test]
    fn whole_lines_go_with_the_comment_behind_them() {
        let text = "a();\n  b(); // why\n  c(); /* x */\nd();\n";
        assert_eq!(cut(text, &["b();", "c();"]).left(), "a();\nd();\n");
        assert_eq!(cut(text, &["b();", "c();"]).gone(), [(2, 3)]);
    }

    #[test]
    fn a_line_that_holds_more_loses_a_piece() {
        let text = "  a(); b(); c();\n";
        assert_eq!(cut(text, &["b();"]).left(), "  a(); c();\n");
        assert_eq!(cut(text, &["a();"]).left(), "  b(); c();\n");
        assert_eq!(cut(text, &["c();"]).left(), "  a(); b();\n");
        assert_eq!(cut(text, &["a();", "c();"]).left(), "  b();\n");
        assert_eq!(cut(text, &["a();", "b();", "c();"]).left(), "");
        assert_eq!(cut("a(\n1); b();", &["a(\n1);"]).left(), "b();");
    }

    #[test]
    fn doubled_blank_lines_become_one() {
        let text = "a();\n\nb();\n\n\nc();\n";
        assert_eq!(cut(text, &["b();"]).left(), "a();\n\nc();\n");
        assert_eq!(cut("b();\n\nc();\n", &["b();"]).left(), "c();\n");
    }

    #[test]
    fn ends_and_marks_stay_what_they_are() {
        assert_eq!(cut("a();\r\nb();\r\n", &["a();"]).left(), "b();\r\n");
        assert_eq!(cut("a();\r\nb();", &["b();"]).left(), "a();");
        assert_eq!(cut("\u{feff}a();\nb();\n", &["a();"]).left(), "\u{feff}b();\n");
        assert_eq!(cut("\u{feff}a();\n", &["a();"]).left(), "\u{feff}");
    }

    #[test]
    fn a_patch_is_a_unified_diff() {
        let text = "1\n2\n3\n4\n5\n6\n7\n8\n9\nlast";
        assert_eq!(
            cut(text, &["1", "last"]).patch("a b.js"),
            "--- a/a b.js\t\n+++ b/a b.js\t\n@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4\n\
             @@ -6,5 +5,4 @@\n 6\n 7\n 8\n-9\n-last\n\\ No newline at end of file\n+9\n\\ No newline at end of file\n"
        );
        assert_eq!(header("a/", "ü\".js"), "\"a/\\303\\274\\\".js\"");
    }
}
