//! Findings as people read them: the line of source with a mark under the name, and what to write.

use super::read::Texts;
use super::{Finding, Verdict, Weight, findings};
use serde_json::Value;
use std::fmt::Write;

/// So much of a long line is shown around the mark, in characters.
const AROUND: usize = 100;

/// A longer line is not shown, in bytes: finding the place in it once more for each finding would take too long.
const MAX_LINE: usize = 16 << 10;

/// The findings with their lines; `source` gives a file's text by its path. Ends with a line of counts.
pub fn findings_marked(data: &Value, source: impl Fn(&str) -> Option<String>) -> String {
    let mut texts = Texts::new(source);
    let mut report = String::new();
    let all = findings(data);
    for finding in &all {
        let line = texts.line(finding);
        report.push_str(&one(finding, line.filter(|line| line.len() <= MAX_LINE)));
    }
    let count = |name: &str| data["counts"][name].as_u64().unwrap_or(0);
    let n_misused = all.iter().filter(|f| f.verdict == Verdict::Misused).count();
    let misused = if n_misused > 0 { format!(" · {n_misused} misused") } else { String::new() };
    let _ = write!(
        report,
        "{} invented{misused} · {} known · {} in doubt",
        all.len() - n_misused,
        count("known"),
        count("doubt")
    );
    let notes = data["notes"].as_array().map_or(&[][..], Vec::as_slice);
    for note in notes.iter().filter_map(Value::as_str) {
        let _ = write!(report, "\nnote  {note}");
    }
    report
}

fn one(finding: &Finding<'_>, line: Option<&str>) -> String {
    let lead = match finding.weight {
        Weight::Error => "",
        Weight::Warning => "warning  ",
    };
    let mut text = format!(
        "{}:{}:{}  {lead}{}\n",
        finding.file.replace(['\n', '\r', '\t'], " "),
        finding.line,
        finding.column,
        finding.message
    );
    let margin = finding.line.to_string().len().max(4);
    if let Some(line) = line {
        let (shown, mark) = with_mark(line, finding);
        let _ = writeln!(text, "{:margin$} | {shown}", finding.line);
        let _ = writeln!(text, "{:margin$} | {mark}", "");
    }
    for (at, instead) in finding.instead.iter().enumerate() {
        let lead = if at == 0 { "write" } else { "or" };
        let _ = writeln!(text, "{:margin$} = {lead:5} {instead}", "");
    }
    text.push('\n');
    text
}

/// A line, cut to what is around the name, and the mark under it. Tabs stand under tabs.
fn with_mark(line: &str, finding: &Finding<'_>) -> (String, String) {
    let mut units = 1;
    let mut first = line.chars().count();
    for (at, letter) in line.chars().enumerate() {
        if units >= finding.column {
            first = at;
            break;
        }
        units += letter.len_utf16() as u64;
    }
    let from = first.saturating_sub(AROUND);
    let before: String = line.chars().skip(from).take(first - from).collect();
    let after: String = line.chars().skip(first).take(AROUND).collect();
    let is_cut = line.chars().count() > first + AROUND;
    let (head, tail) = (if from > 0 { "…" } else { "" }, if is_cut { "…" } else { "" });
    let pad: String = before.chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let head_pad = " ".repeat(head.chars().count());
    let width = match finding.mark {
        0 => finding.member.chars().count().max(1),
        units => usize::try_from(units).unwrap_or(1).min(after.chars().count().max(1)),
    };
    let mark = "^".repeat(width);
    (format!("{head}{before}{after}{tail}"), format!("{head_pad}{pad}{mark}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn data(line: u64, column: u64) -> Value {
        json!({"counts": {"known": 7, "doubt": 1}, "notes": ["one"], "findings": [
            {"kind": "member", "file": "a.js", "line": line, "column": column, "member": "tabel",
             "message": "Layout has no member tabel", "suggestions": [
                {"symbol": "Layout.table", "signature": "(): Table"},
                {"symbol": "Layout.tableEnd", "signature": "(): void"}]}]})
    }

    #[test]
    fn the_mark_stands_under_the_name() {
        let source = |_: &str| Some("first\n\tq(\"é😀\"); layout.tabel();\n".to_owned());
        assert_eq!(
            findings_marked(&data(2, 19), source),
            "a.js:2:19  Layout has no member tabel\n   2 | \tq(\"é😀\"); layout.tabel();\n     \
             | \t                ^^^^^\n     = write table(): Table\n     = or    tableEnd(): void\n\n\
             1 invented · 7 known · 1 in doubt\nnote  one"
        );
    }

    #[test]
    fn a_long_line_is_cut_around_the_name_and_a_file_that_is_gone_shows_none() {
        let long = format!("{}tabel{}", "x".repeat(300), "y".repeat(300));
        let text = findings_marked(&data(1, 301), |_| Some(long.clone()));
        let shown = text.lines().nth(1).unwrap();
        let mark = text.lines().nth(2).unwrap();
        assert_eq!(shown.find("tabel").map(|at| shown[..at].chars().count()), mark.find('^'));
        assert!(shown.chars().count() < 220);
        assert_eq!(findings_marked(&data(1, 1), |_| None).lines().count(), 6);
        assert_eq!(findings_marked(&data(9, 9), |_| Some(String::new())).lines().count(), 6);
    }
}
