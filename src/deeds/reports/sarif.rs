//! Findings as a log of the Static Analysis Results Interchange Format (SARIF 2.1.0, OASIS), for code hosts and editors.

use super::{Finding, findings};
use serde_json::{Value, json};
use std::fmt::Write;

/// Where the form is described.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The rules that a result may name, in their order.
const RULES: [(&str, &str, &str); 3] = [
    ("member", "invented-member", "A member that the receiver's type does not have"),
    ("import", "invented-import", "A name that the module does not export"),
    ("name", "unknown-name", "A name that nothing declares"),
];

/// The log of one check.
pub fn log(data: &Value) -> Value {
    let rules = RULES.map(|(_, id, text)| json!({"id": id, "shortDescription": {"text": text}}));
    let results: Vec<Value> = findings(data).iter().map(result).collect();
    let notes = data["notes"].as_array().map_or(&[][..], Vec::as_slice);
    let told: Vec<Value> = notes
        .iter()
        .filter_map(Value::as_str)
        .map(|note| json!({"level": "note", "message": {"text": note}}))
        .collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "groundline",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "utf16CodeUnits",
            "invocations": [{"executionSuccessful": true, "toolExecutionNotifications": told}],
            "results": results,
        }],
    })
}

fn result(finding: &Finding<'_>) -> Value {
    let at = RULES.iter().position(|(kind, ..)| *kind == finding.kind).unwrap_or(0);
    let mut message = format!("{}.", finding.message);
    if !finding.instead.is_empty() {
        let _ = write!(message, " Instead: {}.", finding.instead.join(" or "));
    }
    json!({
        "ruleId": RULES[at].1,
        "ruleIndex": at,
        "level": "error",
        "message": {"text": message},
        "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": uri(finding.file), "uriBaseId": "%SRCROOT%"},
            "region": {
                "startLine": finding.line,
                "startColumn": finding.column,
                "endColumn": finding.column + finding.width(),
            },
        }}],
    })
}

/// A path as a relative reference (RFC 3986).
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'-' | b'_' | b'~') {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_names_its_rule_and_its_place() {
        let data = json!({"notes": ["a.js was not checked"], "findings": [
            {"kind": "import", "file": "src/a b#é.js", "line": 3, "column": 10, "member": "mapp",
             "message": "rxjs exports no mapp", "suggestions": [
                {"symbol": "rxjs.map", "signature": "(): void"}]}]});
        let log = log(&data);
        let run = &log["runs"][0];
        let result = &run["results"][0];
        assert_eq!(result["ruleId"], "invented-import");
        let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert_eq!(result["message"]["text"], "rxjs exports no mapp. Instead: map(): void.");
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "src/a%20b%23%C3%A9.js");
        assert_eq!(place["region"], json!({"startLine": 3, "startColumn": 10, "endColumn": 14}));
        let told = &run["invocations"][0]["toolExecutionNotifications"][0];
        assert_eq!(told["message"]["text"], "a.js was not checked");
    }
}
