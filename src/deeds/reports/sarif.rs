//! Findings as a log of the Static Analysis Results Interchange Format (SARIF 2.1.0, OASIS), for code hosts and editors.

use super::{Finding, Weight, findings};
use crate::sources::settings::levels::{FindingKind, Level};
use serde_json::{Value, json};
use std::fmt::Write;

/// Where the form is described.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// A rule: the kind of finding, its name here, what it is and what is done about it.
struct Rule(FindingKind, &'static str, &'static str, &'static str);

/// The rules that a result may name, in their order.
const RULES: [Rule; 11] = [
    Rule(
        FindingKind::Member,
        "invented-member",
        "A member that the receiver's type does not have",
        "Write one of the members that the message names; they are those that the type has.",
    ),
    Rule(
        FindingKind::Import,
        "invented-import",
        "A name that the module does not export",
        "Import one of the names that the message gives, or from another module.",
    ),
    Rule(
        FindingKind::Name,
        "unknown-name",
        "A name that nothing declares",
        "Declare it, import it, or write the name that the message gives.",
    ),
    Rule(
        FindingKind::Case,
        "wrong-case",
        "A name that exists in another case of letters only",
        "Write it as the message spells it.",
    ),
    Rule(
        FindingKind::Deprecated,
        "deprecated",
        "Something that its api calls deprecated",
        "Use what the message names instead, where its documentation names something.",
    ),
    Rule(
        FindingKind::ReadOnly,
        "read-only",
        "A value for a member that may only be read",
        "Remove the assignment.",
    ),
    Rule(
        FindingKind::Arity,
        "arity",
        "Too few or too many arguments",
        "Call it as the message shows.",
    ),
    Rule(
        FindingKind::ArgumentType,
        "argument-type",
        "An argument of a type that the parameter does not take",
        "Give it what the message says that it takes.",
    ),
    Rule(
        FindingKind::OptionKey,
        "option-key",
        "A key that the options of a call do not have",
        "Write one of the keys that the message names, or remove it.",
    ),
    Rule(
        FindingKind::Call,
        "not-callable",
        "A call of something that cannot be called",
        "Read it without calling it, or construct it with new.",
    ),
    Rule(
        FindingKind::Directive,
        "directive",
        "A groundline-allow comment that allows nothing, or gives no reason",
        "Remove the comment, or say behind a colon why the finding is wrong.",
    ),
];

/// The log of one check.
pub fn log(data: &Value) -> Value {
    let rules = RULES.map(|Rule(kind, id, text, help)| {
        let level = match kind.usual() {
            Level::Gate => "error",
            Level::Warn | Level::Off => "warning",
        };
        json!({
            "id": id,
            "shortDescription": {"text": format!("{text}.")},
            "help": {"text": help},
            "defaultConfiguration": {"level": level},
        })
    });
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
    let at = RULES.iter().position(|rule| rule.0.name() == finding.kind).unwrap_or(0);
    let level = match finding.weight {
        Weight::Error => "error",
        Weight::Warning => "warning",
    };
    let mut message = format!("{}.", finding.message);
    if !finding.instead.is_empty() {
        let _ = write!(message, " Instead: {}.", finding.instead.join(" or "));
    }
    json!({
        "ruleId": RULES[at].1,
        "ruleIndex": at,
        "level": level,
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
        assert_eq!(
            run["tool"]["driver"]["rules"].as_array().map(Vec::len),
            Some(FindingKind::ALL.len())
        );
        assert_eq!(result["message"]["text"], "rxjs exports no mapp. Instead: map(): void.");
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "src/a%20b%23%C3%A9.js");
        assert_eq!(place["region"], json!({"startLine": 3, "startColumn": 10, "endColumn": 14}));
        let told = &run["invocations"][0]["toolExecutionNotifications"][0];
        assert_eq!(told["message"]["text"], "a.js was not checked");
    }
}
