//! What was verified, as others can read it: an in-toto Statement v1 with the test-result predicate v0.1.
//!
//! It binds a command, how it ended and what it printed to the content of a tree. It is not signed: whoever may write the
//! file may write another one, and whoever needs more signs it.

use super::command::Printed;
use serde_json::{Value, json};

/// The type of a statement (in-toto Attestation Framework, spec v1).
const STATEMENT: &str = "https://in-toto.io/Statement/v1";

/// The type of what it says (in-toto attestation predicates, test-result v0.1).
const PREDICATE: &str = "https://in-toto.io/attestation/test-result/v0.1";

/// What a statement says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// SHA-256 of the tree's content, in hexadecimal.
    pub tree: String,
    /// The commit under HEAD, in hexadecimal, if there is one.
    pub commit: Option<String>,
    /// How the command ended.
    pub result: Tested,
    /// Its exit status.
    pub exit: i32,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Ignored paths that count all the same.
    pub include: Vec<String>,
    /// Paths that may move, and are not part of the content.
    pub allow: Vec<String>,
}

/// What came of the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tested {
    /// The command was content.
    Passed,
    /// It was not.
    Failed,
}

impl Tested {
    /// As the predicate spells it.
    pub fn word(self) -> &'static str {
        match self {
            Tested::Passed => "PASSED",
            Tested::Failed => "FAILED",
        }
    }
}

/// A statement as JSON; what the command printed is named by its hash, with its end.
pub fn written(statement: &Statement, stdout: &Printed, stderr: &Printed) -> Value {
    let mut subject = vec![json!({"name": "tree", "digest": {"sha256": statement.tree}})];
    if let Some(commit) = &statement.commit {
        subject.push(json!({"name": "HEAD", "digest": {"gitCommit": commit}}));
    }
    let printed = |name: &str, printed: &Printed| {
        json!({
            "name": name,
            "digest": {"sha256": printed.sha256},
            "annotations": {"bytes": printed.n_bytes, "tail": printed.tail},
        })
    };
    let command = json!({
        "name": "command",
        "uri": format!("urn:command:{}", statement.command.first().map_or("", String::as_str)),
        "annotations": {
            "command": statement.command,
            "exitStatus": statement.exit,
            "include": statement.include,
            "allow": statement.allow,
            "groundline": env!("CARGO_PKG_VERSION"),
        },
    });
    json!({
        "_type": STATEMENT,
        "subject": subject,
        "predicateType": PREDICATE,
        "predicate": {
            "result": statement.result.word(),
            "configuration": [command, printed("stdout", stdout), printed("stderr", stderr)],
        },
    })
}

/// Reads a statement that was written here; the error says what it lacks.
pub fn read(bytes: &[u8]) -> Result<Statement, String> {
    let whole: Value = serde_json::from_slice(bytes).map_err(|why| format!("is no JSON: {why}"))?;
    if whole["_type"] != STATEMENT || whole["predicateType"] != PREDICATE {
        return Err("is no in-toto statement of a test result".to_owned());
    }
    let digest = |name: &str, kind: &str| {
        let subjects = whole["subject"].as_array().into_iter().flatten();
        let mut subjects = subjects.filter(|subject| subject["name"] == name);
        subjects.find_map(|subject| subject["digest"][kind].as_str().map(str::to_owned))
    };
    let predicate = &whole["predicate"];
    let result = match predicate["result"].as_str() {
        Some("PASSED") => Tested::Passed,
        Some("FAILED") => Tested::Failed,
        _ => return Err("has neither PASSED nor FAILED for a result".to_owned()),
    };
    let mut configuration = predicate["configuration"].as_array().into_iter().flatten();
    let command = configuration.find(|one| one["name"] == "command");
    let annotations = &command.ok_or("does not say which command it was")?["annotations"];
    let texts = |name: &str| -> Option<Vec<String>> {
        let all = annotations[name].as_array()?.iter();
        all.map(|text| text.as_str().map(str::to_owned)).collect()
    };
    let exit = annotations["exitStatus"].as_i64().and_then(|exit| i32::try_from(exit).ok());
    let told = || {
        Some(Statement {
            tree: digest("tree", "sha256")?,
            commit: digest("HEAD", "gitCommit"),
            result,
            exit: exit?,
            command: texts("command")?,
            include: texts("include")?,
            allow: texts("allow")?,
        })
    };
    told().ok_or_else(|| "was not written by `groundline verify --attest`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement() -> Statement {
        Statement {
            tree: "ab".repeat(32),
            commit: Some("cd".repeat(20)),
            result: Tested::Failed,
            exit: 1,
            command: vec!["npm".to_owned(), "test".to_owned()],
            include: vec!["dist/**".to_owned()],
            allow: Vec::new(),
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let printed = Printed { sha256: "00".repeat(32), n_bytes: 3, tail: "abc".to_owned() };
        for statement in [statement(), Statement { commit: None, ..statement() }] {
            let text = written(&statement, &printed, &printed).to_string();
            assert_eq!(read(text.as_bytes()), Ok(statement));
        }
    }

    #[test]
    fn it_has_the_fields_that_the_specification_requires() {
        let value = written(&statement(), &Printed::default(), &Printed::default());
        assert_eq!(value["_type"], "https://in-toto.io/Statement/v1");
        assert!(value["subject"].as_array().unwrap().iter().all(|s| s["digest"].is_object()));
        assert_eq!(value["predicate"]["result"], "FAILED");
        // A resource descriptor has at least one of these.
        for one in value["predicate"]["configuration"].as_array().unwrap() {
            assert!(one["uri"].is_string() || one["digest"].is_object(), "{one}");
        }
    }

    #[test]
    fn anything_else_is_refused_with_what_it_lacks() {
        let whole = written(&statement(), &Printed::default(), &Printed::default());
        for (path, wrong) in [
            ("/_type", json!("x")),
            ("/predicate/result", json!("WARNED")),
            ("/predicate/configuration", json!([])),
            ("/predicate/configuration/0/annotations/exitStatus", json!("0")),
            ("/predicate/configuration/0/annotations/allow", json!([1])),
            ("/subject", json!([])),
        ] {
            let mut broken = whole.clone();
            *broken.pointer_mut(path).unwrap() = wrong;
            assert!(read(broken.to_string().as_bytes()).is_err(), "{path}");
        }
        for bytes in [&b""[..], b"[]", b"{", b"null", b"\xff"] {
            assert!(read(bytes).is_err());
        }
    }
}
