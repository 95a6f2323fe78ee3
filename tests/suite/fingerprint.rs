//! The verification loop: who checks does not move what is checked.

use crate::program::{Era, Folder, Server};
use serde_json::{Value, json};
use std::fs;
use std::process::Command;

/// A project with a source and its test, in a repository that has no commit yet.
fn project() -> Folder {
    let folder = Folder::empty();
    let root = folder.project();
    for (path, text) in [
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".git/config", "[core]\n"),
        (".gitignore", "out/\n.env\n"),
        (".env", "MODE=test\n"),
        ("src/answer.js", "export const answer = 41;\n"),
        ("tests/answer.test.js", "expect(answer).toBe(42);\n"),
    ] {
        fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
        fs::write(root.join(path), text).unwrap();
    }
    folder
}

fn begun(folder: &Folder, more: &[&str]) -> String {
    let arguments = [&["fingerprint", "begin"], more].concat();
    let (status, output, error) = folder.run(&arguments, "");
    assert_eq!(status, 0, "{error}");
    output.lines().last().unwrap().to_owned()
}

fn compared(folder: &Folder, id: &str) -> (i32, String, String) {
    folder.run(&["fingerprint", "compare", id], "")
}

#[test]
fn a_verifier_that_mends_the_test_is_seen_and_one_that_puts_it_back_is_told() {
    for era in [Era::Initialize, Era::Discover] {
        let folder = project();
        let test = folder.project().join("tests/answer.test.js");
        let mut server = Server::open(&folder, era);
        let mut call =
            |id: u64, arguments: Value| server.call(id, "verify_fingerprint", &arguments);
        let (is_error, text) = call(1, json!({"action": "begin"}));
        assert!(!is_error && text.contains("covers 3 files"), "{text}");
        let id = text.split_whitespace().nth(3).unwrap().to_owned();
        let compare = json!({"action": "compare", "baseline": id});
        let (is_error, text) = call(2, compare.clone());
        assert!(!is_error && text.starts_with("verify_fingerprint  HELD"), "{text}");
        assert_eq!(text.lines().count(), 1, "an honest check has no remark: {text}");
        let before = fs::read(&test).unwrap();
        fs::write(&test, "expect(answer).toBe(41);\n").unwrap();
        let (is_error, text) = call(3, compare.clone());
        assert!(!is_error && text.starts_with("verify_fingerprint  MOVED"), "{text}");
        assert!(text.contains("\ntests/answer.test.js  edited\n"), "{text}");
        fs::write(&test, before).unwrap();
        let (_, text) = call(4, compare);
        assert!(text.starts_with("verify_fingerprint  HELD"), "{text}");
        assert!(text.contains("touched, content equal: tests/answer.test.js"), "{text}");
        let (_, text) = call(5, json!({"action": "status"}));
        assert!(text.contains(&format!("{id}  held")), "{text}");
        server.close();
    }
}

#[test]
fn scripts_read_the_exit_status_and_the_lines() {
    let folder = project();
    let root = folder.project();
    let id = begun(&folder, &["--allow", "report/**"]);
    assert_eq!(compared(&folder, &id), (0, String::new(), String::new()));
    fs::write(root.join(".env"), "MODE=production\n").unwrap();
    fs::create_dir(root.join("report")).unwrap();
    fs::write(root.join("report/junit.xml"), "").unwrap();
    let (status, output, _) = compared(&folder, &id);
    assert_eq!(status, 0);
    assert_eq!(output, "allowed to move: report/junit.xml appeared\nignored path changed: .env\n");
    fs::write(root.join(".gitignore"), "*\n").unwrap();
    fs::write(root.join("conftest.py"), "").unwrap();
    let (status, output, _) = compared(&folder, &id);
    assert_eq!((status, output.as_str()), (1, "edited\t.gitignore\nappeared\tconftest.py\n"));
}

#[test]
fn what_cannot_be_told_is_status_2() {
    let folder = project();
    let (status, output, error) = compared(&folder, &"0".repeat(64));
    assert_eq!((status, output.as_str()), (2, ""));
    assert!(error.contains("UNKNOWN") && error.contains("begin again"), "{error}");
    let inside = folder.project().join("state");
    let state = ["--state", inside.to_str().unwrap()];
    let (status, _, error) = folder.run(&[&["fingerprint", "begin"], &state[..]].concat(), "");
    assert_eq!(status, 2);
    assert!(error.contains("inside the root") && !inside.exists(), "{error}");
    for (arguments, said) in [
        ("{}", "`action` must be"),
        (r#"{"action":"compare"}"#, "`baseline` must be the id"),
        (r#"{"action":"begin","include":["{a"]}"#, "is no pattern"),
    ] {
        let (status, _, error) = folder.run(&["call", "verify_fingerprint", arguments], "");
        assert_eq!(status, 2);
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn as_data_it_has_the_form_that_is_promised() {
    let folder = project();
    let id = begun(&folder, &["--include", ".env"]);
    fs::write(folder.project().join(".env"), "").unwrap();
    let arguments = json!({"action": "compare", "baseline": id}).to_string();
    let (status, output, _) = folder.run(&["call", "verify_fingerprint", &arguments, "--json"], "");
    assert_eq!(status, 1);
    let answer: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(answer["verdict"], "moved");
    assert_eq!(answer["moved"], json!([{"path": ".env", "how": "edited"}]));
    assert_eq!(answer["covered"]["files"], 4);
    assert_eq!(answer["baseline"], id);
    assert_eq!(answer["remarks"], json!([]));
}

/// Runs git as a user would; only what is compared afterwards is under test.
fn git(folder: &Folder, arguments: &str) {
    let done = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.invalid"])
        .args(arguments.split(' '))
        .current_dir(folder.project())
        .env("HOME", folder.project().parent().unwrap())
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(done.status.success(), "git {arguments}: {}", String::from_utf8_lossy(&done.stderr));
}

/// The project, committed twice, and packed so that its objects are differences.
fn committed() -> Folder {
    let folder = project();
    git(&folder, "init -q -b main");
    let long: String = (0..400).map(|n| format!("// line {n}\n")).collect();
    for text in [long.clone(), long + "// more\n"] {
        fs::write(folder.project().join("src/long.js"), text).unwrap();
        git(&folder, "add -A");
        git(&folder, "commit -q -m x");
    }
    git(&folder, "gc -q");
    folder
}

#[test]
fn staging_unstaging_and_committing_what_is_there_moves_nothing() {
    let folder = committed();
    let answer = folder.project().join("src/answer.js");
    fs::write(&answer, "export const answer = 42;\n").unwrap();
    git(&folder, "add -A");
    let id = begun(&folder, &[]);
    git(&folder, "reset -q");
    let (status, output, error) = compared(&folder, &id);
    assert_eq!(status, 0, "unstaged: {output}{error}");
    assert!(output.contains("staged or unstaged: src/answer.js"), "{output}");
    git(&folder, "commit -q -a -m y");
    let (status, output, error) = compared(&folder, &id);
    assert_eq!(status, 0, "committed: {output}{error}");
    assert!(output.contains("HEAD moved"), "{output}");
}

#[test]
fn an_edit_that_only_git_holds_is_a_move() {
    for commit in ["", "commit -q -m evil"] {
        let folder = committed();
        let answer = folder.project().join("src/answer.js");
        let before = fs::read(&answer).unwrap();
        let id = begun(&folder, &[]);
        fs::write(&answer, "export const answer = 43;\n").unwrap();
        git(&folder, "add -A");
        if !commit.is_empty() {
            git(&folder, commit);
        }
        fs::write(&answer, &before).unwrap();
        let (status, output, _) = compared(&folder, &id);
        assert_eq!(status, 1, "{output}");
        assert!(output.contains("\tsrc/answer.js"), "{output}");
        if !commit.is_empty() {
            // The index holds what it held; only HEAD would carry the edit on.
            git(&folder, "add -A");
            let (status, output, _) = compared(&folder, &id);
            let said = "committed with content that was not there\tsrc/answer.js\n";
            assert_eq!((status, output.as_str()), (1, said));
        }
    }
}

#[test]
fn a_baseline_stays_open_until_it_is_compared_and_another_replaces_none() {
    let folder = project();
    let status = |folder: &Folder| {
        let arguments = r#"{"action":"status"}"#;
        let (_, output, _) = folder.run(&["call", "verify_fingerprint", arguments, "--json"], "");
        let answer: Value = serde_json::from_str(&output).unwrap();
        answer["baselines"].as_array().unwrap().clone()
    };
    assert_eq!(status(&folder), [json!(null); 0]);
    let first = begun(&folder, &[]);
    fs::write(folder.project().join("src/answer.js"), "export const answer = 42;\n").unwrap();
    let second = begun(&folder, &[]);
    assert_ne!(first, second);
    let row = |id: &str, verdict: Value| json!({"baseline": id, "verdict": verdict});
    let mut rows = [row(&first, Value::Null), row(&second, Value::Null)];
    rows.sort_by_key(|row| row["baseline"].to_string());
    assert_eq!(status(&folder), rows);
    assert_eq!(compared(&folder, &second).0, 0);
    assert_eq!(compared(&folder, &first).0, 1);
    let mut rows = [row(&first, json!("moved")), row(&second, json!("held"))];
    rows.sort_by_key(|row| row["baseline"].to_string());
    assert_eq!(status(&folder), rows);
    // The tree is as it was, so the same baseline begins again, and what was said of it before says nothing of now.
    assert_eq!(begun(&folder, &[]), second);
    assert!(status(&folder).contains(&row(&second, Value::Null)));
}

#[cfg(target_os = "linux")]
#[test]
fn a_watcher_names_what_the_tree_no_longer_shows() {
    for era in [Era::Initialize, Era::Discover] {
        let folder = project();
        let root = folder.project();
        let mut server = Server::open(&folder, era);
        let mut call =
            |id: u64, arguments: Value| server.call(id, "verify_fingerprint", &arguments);
        let (is_error, text) = call(1, json!({"action": "begin", "watch": true}));
        assert!(!is_error && text.contains("watched until it is compared"), "{text}");
        let id = text.split_whitespace().nth(3).unwrap().to_owned();
        let test = root.join("tests/answer.test.js");
        let before = fs::read(&test).unwrap();
        fs::write(&test, "expect(answer).toBe(41);\n").unwrap();
        fs::write(&test, before).unwrap();
        fs::rename(root.join("src"), root.join("gone")).unwrap();
        fs::rename(root.join("gone"), root.join("src")).unwrap();
        fs::write(root.join("tests/setup.js"), "").unwrap();
        fs::remove_file(root.join("tests/setup.js")).unwrap();
        // What the rules of the beginning ignore is not named, nor are git's own files.
        fs::create_dir(root.join("out")).unwrap();
        fs::write(root.join("out/report"), "").unwrap();
        fs::write(root.join(".git/index.lock"), "").unwrap();
        fs::remove_file(root.join(".git/index.lock")).unwrap();
        let compare = json!({"action": "compare", "baseline": id});
        let (is_error, text) = call(2, compare.clone());
        assert!(!is_error && text.starts_with("verify_fingerprint  HELD"), "{text}");
        for said in [
            "edited and put back, or written with the same content: tests/answer.test.js\n",
            "moved away and back: src\n",
            "came and went: tests/setup.js",
        ] {
            assert!(text.contains(said), "{said} in {text}");
        }
        for silent in ["out/report", "index.lock", "touched", "may have missed"] {
            assert!(!text.contains(silent), "{silent} in {text}");
        }
        let (_, text) = call(3, compare);
        assert!(text.contains("HELD") && text.contains("did not run to the end"), "{text}");
        server.close();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_watcher_that_cannot_run_is_told_and_never_silence() {
    let folder = project();
    let begin = r#"{"action":"begin","watch":true}"#;
    let (_, output, _) = folder.run(&["call", "verify_fingerprint", begin, "--json"], "");
    let answer: Value = serde_json::from_str(&output).unwrap();
    // It ended with the process that began.
    let (status, output, _) = compared(&folder, answer["baseline"].as_str().unwrap());
    assert_eq!(status, 0);
    assert!(output.contains("did not run to the end"), "{output}");
    let file = folder.project().parent().unwrap().join("file");
    fs::write(&file, "").unwrap();
    let state = ["--state", file.to_str().unwrap()];
    let (_, output, _) =
        folder.run(&[&["call", "verify_fingerprint", begin][..], &state].concat(), "");
    assert!(output.contains("kept in memory only") && output.contains("not watched: "), "{output}");
}

#[test]
fn a_cache_that_is_gone_spoilt_or_in_the_tree_changes_no_answer() {
    let folder = project();
    let hashes = folder.cache().join("hashes");
    let id = begun(&folder, &[]);
    for spoilt in [None, Some("groundline hashes 1\n"), Some("")] {
        match spoilt {
            None => _ = fs::remove_dir_all(&hashes),
            Some(text) => {
                for entry in fs::read_dir(&hashes).unwrap() {
                    fs::write(entry.unwrap().path(), text).unwrap();
                }
            }
        }
        assert_eq!(begun(&folder, &[]), id);
        assert_eq!(compared(&folder, &id).0, 0);
        assert!(hashes.is_dir());
    }
}

#[cfg(unix)]
#[test]
fn a_deadline_ends_in_unknown_also_within_one_file() {
    let folder = project();
    let id = begun(&folder, &[]);
    // A file of so many zeros takes no place, and longer to be read than anybody waits.
    let huge = fs::File::create(folder.project().join("huge.bin")).unwrap();
    huge.set_len(1 << 40).unwrap();
    for (arguments, said) in [
        (vec!["fingerprint", "compare", &id, "--timeout", "1"], "UNKNOWN"),
        (vec!["fingerprint", "begin", "--timeout", "1"], "no baseline was taken"),
    ] {
        let (status, output, error) = folder.run(&arguments, "");
        assert_eq!((status, output.as_str()), (2, ""), "{error}");
        assert!(error.contains(said) && error.contains("stopped before"), "{error}");
    }
}
