//! The file of old findings: what stood in a project before, so that only what is new counts.
//!
//! A finding is known again by its file, kind and symbol and by what its line says, not by the line's number, so that code
//! may move. What the file names and the code has no more is told, so that the file can be written again.

use super::read::Texts;
use super::{Finding, findings};
use crate::sources::workspace::opening::bytes_of;
use crate::sources::workspace::writing::write;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The form of the file that this build reads and writes.
const FORMAT: u64 = 1;

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// So much of a line is kept, in characters.
const MAX_LINE: usize = 200;

/// So many findings that are gone are named.
const MAX_GONE: usize = 20;

/// What is to be done with old findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OldFindings {
    /// There are none.
    None,
    /// Those in this file do not count.
    In(PathBuf),
    /// What is found now is written to this file.
    Write(PathBuf),
}

/// How much of a project was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Everything,
    /// Some files.
    Some,
}

/// Why old findings cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum BaselineTrouble {
    /// The file cannot be read.
    #[error("the baseline {0} cannot be read: {1}; write it with --write-baseline")]
    Read(PathBuf, String),
    /// The file cannot be written.
    #[error("the baseline {0} cannot be written: {1}")]
    Write(PathBuf, String),
    /// It is no such file.
    #[error("{0} is no baseline of this build: write it again with --write-baseline")]
    Form(PathBuf),
}

/// What tells one finding from another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Sign {
    file: String,
    kind: String,
    symbol: String,
    line: String,
}

/// Findings, and how often each stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline(BTreeMap<Sign, u64>);

impl Baseline {
    /// The findings of an answer; `source` gives a file's text by its path.
    pub fn of(data: &Value, source: impl Fn(&str) -> Option<String>) -> Baseline {
        let mut texts = Texts::new(source);
        let mut all = BTreeMap::new();
        for finding in findings(data) {
            *all.entry(Sign::of(&finding, texts.line(&finding).unwrap_or(""))).or_insert(0) += 1;
        }
        Baseline(all)
    }

    /// What the text of a file says; `None` where it is no such file.
    pub fn read(text: &str) -> Option<Baseline> {
        let whole: Value = serde_json::from_str(text).ok()?;
        if whole["format"].as_u64() != Some(FORMAT) {
            return None;
        }
        let mut all = BTreeMap::new();
        for row in whole["findings"].as_array()? {
            let said = |name: &str| row[name].as_str().map(str::to_owned);
            let sign = Sign {
                file: said("file")?,
                kind: said("kind")?,
                symbol: said("symbol")?,
                line: said("line")?,
            };
            *all.entry(sign).or_insert(0) += row["count"].as_u64().unwrap_or(1);
        }
        Some(Baseline(all))
    }

    /// The text of the file: a finding a line, sorted.
    pub fn text(&self) -> String {
        let rows = self.0.iter().map(|(sign, count)| {
            let Sign { file, kind, symbol, line } = sign;
            json!({"file": file, "kind": kind, "symbol": symbol, "line": line, "count": count})
                .to_string()
        });
        let rows: Vec<String> = rows.collect();
        format!("{{\"format\":{FORMAT},\"findings\":[\n{}\n]}}\n", rows.join(",\n"))
    }

    /// Takes the old findings out of an answer and notes how many there were, and what is gone from the code.
    pub fn sift(&self, data: &mut Value, extent: Extent, source: impl Fn(&str) -> Option<String>) {
        let mut texts = Texts::new(source);
        let mut left = self.0.clone();
        let is_new: Vec<bool> = findings(data)
            .iter()
            .map(|finding| {
                match left.get_mut(&Sign::of(finding, texts.line(finding).unwrap_or(""))) {
                    Some(count) if *count > 0 => {
                        *count -= 1;
                        false
                    }
                    Some(_) | None => true,
                }
            })
            .collect();
        let n_old = is_new.iter().filter(|new| !**new).count();
        if let Some(rows) = data["findings"].as_array_mut() {
            let mut is_new = is_new.into_iter();
            rows.retain(|_| is_new.next().unwrap_or(true));
        }
        let mut notes: Vec<String> = Vec::new();
        if n_old > 0 {
            notes.push(format!("{n_old} old findings do not count"));
        }
        let gone = left.into_iter().filter(|(_, count)| *count > 0);
        let gone: Vec<Sign> = match extent {
            Extent::Everything => gone.map(|(sign, _)| sign).collect(),
            Extent::Some => Vec::new(),
        };
        let named = gone.iter().take(MAX_GONE);
        notes.extend(
            named.map(|sign| format!("gone from {}: {} {}", sign.file, sign.kind, sign.symbol)),
        );
        if gone.len() > MAX_GONE {
            notes.push(format!("gone: {} more", gone.len() - MAX_GONE));
        }
        if !gone.is_empty() {
            notes.push("write the baseline again with --write-baseline".to_owned());
        }
        match data["notes"].as_array_mut() {
            Some(all) => all.extend(notes.into_iter().map(Value::from)),
            None => data["notes"] = notes.into(),
        }
    }
}

/// An answer without the old findings; or as it is, where it is written down as the old ones.
pub fn applied(
    old: &OldFindings,
    mut data: Value,
    extent: Extent,
    source: impl Fn(&str) -> Option<String>,
) -> Result<Value, BaselineTrouble> {
    match old {
        OldFindings::None => {}
        OldFindings::In(file) => {
            let bytes = bytes_of(file, MAX_BYTES)
                .map_err(|why| BaselineTrouble::Read(file.clone(), why.to_string()))?;
            let baseline = Baseline::read(&String::from_utf8_lossy(&bytes));
            let baseline = baseline.ok_or_else(|| BaselineTrouble::Form(file.clone()))?;
            baseline.sift(&mut data, extent, source);
        }
        OldFindings::Write(file) => {
            let baseline = Baseline::of(&data, &source);
            write(file, baseline.text().as_bytes())
                .map_err(|why| BaselineTrouble::Write(file.clone(), why.to_string()))?;
            baseline.sift(&mut data, extent, source);
        }
    }
    Ok(data)
}

impl Sign {
    /// The sign of a finding, by the line that it stands in.
    fn of(finding: &Finding<'_>, line: &str) -> Sign {
        // More words than are kept are not looked at: a line may be as long as a file.
        let words: Vec<&str> = line.split_whitespace().take(MAX_LINE).collect();
        let symbol = match finding.receiver_type {
            "" => finding.member.to_owned(),
            ty => format!("{ty}.{}", finding.member),
        };
        Sign {
            file: finding.file.to_owned(),
            kind: finding.kind.to_owned(),
            symbol,
            line: words.join(" ").chars().take(MAX_LINE).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(lines: &[u64]) -> Value {
        let rows = lines.iter().map(|line| {
            json!({"kind": "member", "file": "a.js", "line": line, "column": 1, "member": "tabel",
                "receiver_type": "Layout", "message": "", "verdict": "invented", "suggestions": []})
        });
        json!({"findings": rows.collect::<Vec<Value>>(), "notes": []})
    }

    fn before(_: &str) -> Option<String> {
        Some("layout.tabel();\nlayout.tabel();\n".to_owned())
    }

    fn after(_: &str) -> Option<String> {
        Some("\n\n  layout.tabel( );\nlayout.tabel();\nlayout.tabel();\n".to_owned())
    }

    #[test]
    fn the_file_says_what_was_found_and_is_read_back() {
        let baseline = Baseline::of(&data(&[1, 2]), before);
        assert_eq!(Baseline::read(&baseline.text()), Some(baseline.clone()));
        assert_eq!(
            baseline.text(),
            "{\"format\":1,\"findings\":[\n{\"file\":\"a.js\",\"kind\":\"member\",\
             \"symbol\":\"Layout.tabel\",\"line\":\"layout.tabel();\",\"count\":2}\n]}\n"
        );
        for other in ["", "[]", "{}", "{\"format\":2,\"findings\":[]}", "{\"format\":1}"] {
            assert_eq!(Baseline::read(other), None, "{other}");
        }
    }

    #[test]
    fn code_may_move_and_what_is_written_anew_counts() {
        let baseline = Baseline::of(&data(&[1]), before);
        let mut now = data(&[3, 4, 5]);
        baseline.sift(&mut now, Extent::Everything, after);
        let lines: Vec<u64> = findings(&now).iter().map(|f| f.line).collect();
        assert_eq!(lines, [3, 5]);
        assert_eq!(now["notes"], json!(["1 old findings do not count"]));
    }

    #[test]
    fn what_is_gone_is_told_where_everything_was_checked() {
        let baseline = Baseline::of(&data(&[1, 2]), before);
        let mut now = data(&[1]);
        baseline.sift(&mut now, Extent::Some, before);
        assert_eq!(now["notes"], json!(["1 old findings do not count"]));
        let mut now = data(&[]);
        baseline.sift(&mut now, Extent::Everything, before);
        assert_eq!(
            now["notes"],
            json!([
                "gone from a.js: member Layout.tabel",
                "write the baseline again with --write-baseline"
            ])
        );
    }
}
