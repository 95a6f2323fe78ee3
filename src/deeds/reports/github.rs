//! Findings as annotations of GitHub's workflows: one command a line, shown beside the code of a pull request.
//!
//! The form is that of "Workflow commands for GitHub Actions".

use super::{Verdict, Weight, findings};
use serde_json::Value;

/// The annotations; empty where nothing was found.
pub fn annotations(data: &Value) -> String {
    let lines = findings(data).into_iter().map(|finding| {
        let mut message = finding.message.to_owned();
        if !finding.instead.is_empty() {
            message += &format!("\ninstead: {}", finding.instead.join(" or "));
        }
        let level = match finding.weight {
            Weight::Error => "error",
            Weight::Warning => "warning",
        };
        let lead = match finding.verdict {
            Verdict::Invented => "invented ",
            Verdict::Misused => "",
        };
        format!(
            "::{level} file={},line={},col={},endColumn={},title={lead}{}::{}\n",
            property(finding.file),
            finding.line,
            finding.column,
            finding.column + finding.width(),
            property(finding.kind),
            escaped(&message)
        )
    });
    lines.collect()
}

fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_annotation_is_one_line_whatever_a_name_holds() {
        let data = json!({"findings": [{"kind": "member", "file": "a,b:c%\n.js", "line": 3, "column": 5,
            "member": "éé", "message": "Layout has no member éé", "suggestions": [
                {"symbol": "Layout.e", "signature": "(): void"}]}]});
        assert_eq!(
            annotations(&data),
            "::error file=a%2Cb%3Ac%25%0A.js,line=3,col=5,endColumn=7,title=invented member::\
             Layout has no member éé%0Ainstead: e(): void\n"
        );
        let data = json!({"findings": [{"kind": "arity", "level": "warning", "file": "a.js", "line": 3,
            "column": 5, "width": 4, "member": "e", "message": "e takes 0 arguments, not 1",
            "verdict": "known", "suggestions": []}]});
        assert_eq!(
            annotations(&data),
            "::warning file=a.js,line=3,col=5,endColumn=9,title=arity::e takes 0 arguments, not 1\n"
        );
        assert_eq!(annotations(&json!({"findings": []})), "");
    }
}
