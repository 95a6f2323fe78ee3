//! A finding as the answer of `check_symbols` has it in its data.

use serde_json::Value;

/// A finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding<'d> {
    /// `member`, `import` or `name`.
    pub kind: &'d str,
    /// The file, relative to the root.
    pub file: &'d str,
    /// From 1.
    pub line: u64,
    /// From 1, in UTF-16 units.
    pub column: u64,
    /// What does not exist.
    pub member: &'d str,
    /// What is wrong, in a sentence.
    pub message: &'d str,
    /// What exists instead, best first: names with signatures.
    pub instead: Vec<String>,
}

impl Finding<'_> {
    /// How many UTF-16 units the name has.
    pub fn width(&self) -> u64 {
        self.member.encode_utf16().count().max(1) as u64
    }
}

/// The findings in an answer's data, in its order.
pub fn findings(data: &Value) -> Vec<Finding<'_>> {
    let rows = data["findings"].as_array().map_or(&[][..], Vec::as_slice);
    rows.iter()
        .map(|row| Finding {
            kind: row["kind"].as_str().unwrap_or(""),
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
