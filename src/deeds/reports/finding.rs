//! A finding as the answer of `check_symbols` has it in its data.

use serde_json::Value;

/// A finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding<'d> {
    /// Its kind, as `[check]` names it.
    pub kind: &'d str,
    /// Whether the check fails by it.
    pub weight: Weight,
    /// Whether what it is about exists, and is used otherwise than it is declared.
    pub verdict: Verdict,
    /// The receiver's type; empty where there is none.
    pub receiver_type: &'d str,
    /// The file, relative to the root.
    pub file: &'d str,
    /// From 1.
    pub line: u64,
    /// From 1, in UTF-16 units.
    pub column: u64,
    /// How wide the mark is, in UTF-16 units; 0 where it is as wide as the name.
    pub mark: u64,
    /// What it is about.
    pub member: &'d str,
    /// What is wrong, in a sentence.
    pub message: &'d str,
    /// What exists instead, best first: names with signatures.
    pub instead: Vec<String>,
}

/// Whether a check fails by a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// It does.
    Error,
    /// It does not.
    Warning,
}

/// What a finding says of what it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It does not exist.
    Invented,
    /// It exists and is misused.
    Misused,
}

impl Finding<'_> {
    /// How many UTF-16 units are marked.
    pub fn width(&self) -> u64 {
        match self.mark {
            0 => self.member.encode_utf16().count().max(1) as u64,
            mark => mark,
        }
    }
}

/// The findings in an answer's data, in its order.
pub fn findings(data: &Value) -> Vec<Finding<'_>> {
    let rows = data["findings"].as_array().map_or(&[][..], Vec::as_slice);
    rows.iter()
        .map(|row| Finding {
            kind: row["kind"].as_str().unwrap_or(""),
            weight: match row["level"].as_str() {
                Some("warning") => Weight::Warning,
                Some(_) | None => Weight::Error,
            },
            verdict: match row["verdict"].as_str() {
                Some("known") => Verdict::Misused,
                Some(_) | None => Verdict::Invented,
            },
            receiver_type: row["receiver_type"].as_str().unwrap_or(""),
            mark: row["width"].as_u64().unwrap_or(0),
            file: row["file"].as_str().unwrap_or(""),
            line: row["line"].as_u64().unwrap_or(1),
            column: row["column"].as_u64().unwrap_or(1),
            member: row["member"].as_str().unwrap_or(""),
            message: row["message"].as_str().unwrap_or(""),
            instead: instead(row),
        })
        .collect()
}

fn instead(row: &Value) -> Vec<String> {
    let suggestions = row["suggestions"].as_array().map_or(&[][..], Vec::as_slice);
    let written = suggestions.iter().map(|suggestion| {
        let symbol = suggestion["symbol"].as_str().unwrap_or("");
        let name = symbol.rsplit('.').next().unwrap_or(symbol);
        format!("{name}{}", suggestion["signature"].as_str().unwrap_or(""))
    });
    written.collect()
}
