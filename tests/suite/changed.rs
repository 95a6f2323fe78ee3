//! What changed since the last commit is what a check is about when it is told nothing else.

use crate::program::Folder;
use serde_json::Value;
use std::fs;
use std::process::Command;

const WRONG: &str = "[1].atIndex(0)\n";

fn git(folder: &Folder, arguments: &[&str]) {
    let done = Command::new("git")
        .args([
            "-c",
            "user.name=suite",
            "-c",
            "user.email=suite@example.org",
            "-c",
            "core.autocrlf=false",
        ])
        .args(arguments)
        .current_dir(folder.project())
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

fn write(folder: &Folder, path: &str, text: &str) {
    let at = folder.project().join(path);
    fs::create_dir_all(at.parent().unwrap()).unwrap();
    fs::write(at, text).unwrap();
}

fn committed() -> Folder {
    let folder = Folder::empty();
    for path in ["a.js", "src/b.js", "inner/deep/c.js"] {
        write(&folder, path, WRONG);
    }
    git(&folder, &["init", "-q"]);
    git(&folder, &["add", "-A"]);
    git(&folder, &["commit", "-q", "-m", "x"]);
    folder
}

/// The files with findings of a check that is told nothing.
fn found(folder: &Folder) -> Vec<String> {
    let (_, output, said) = folder.run(&["call", "check_symbols", "--json"], "");
    let data: Value =
        serde_json::from_str(&output).unwrap_or_else(|e| panic!("{e}: {output}{said}"));
    let rows = data["findings"].as_array().unwrap();
    rows.iter().map(|row| row["file"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_is_as_it_was_committed_is_not_checked_and_said_so() {
    let folder = committed();
    let (status, output, _) = folder.run(&["call", "check_symbols"], "");
    assert_eq!(status, 0);
    assert!(
        output.contains("nothing changed since HEAD: all 3 scripts are as they were"),
        "{output}"
    );
    // Told to check everything, it does.
    assert_eq!(folder.run(&["check"], "").0, 1);
    assert_eq!(folder.run(&["check", "--changed"], "").0, 0);
}

#[test]
fn edited_staged_new_and_moved_files_are_changed() {
    let folder = committed();
    write(&folder, "a.js", &format!("// edited\n{WRONG}"));
    write(&folder, "new.js", WRONG);
    write(&folder, ".gitignore", "ignored.js\n");
    write(&folder, "ignored.js", WRONG);
    assert_eq!(found(&folder), ["a.js", "new.js"]);
    git(&folder, &["add", "-A"]);
    assert_eq!(found(&folder), ["a.js", "new.js"]);
    git(&folder, &["mv", "src/b.js", "src/d.js"]);
    assert_eq!(found(&folder), ["a.js", "new.js", "src/d.js"]);
    git(&folder, &["commit", "-q", "-m", "y"]);
    assert_eq!(found(&folder), [""; 0]);
}

#[test]
fn line_ends_that_git_puts_back_are_no_change() {
    let folder = committed();
    write(&folder, "a.js", &WRONG.replace('\n', "\r\n"));
    assert_eq!(found(&folder), [""; 0]);
}

#[test]
fn a_root_inside_of_a_repository_is_told_its_own_changes() {
    let folder = committed();
    write(&folder, "inner/deep/c.js", "[1].atIndex(1)\n");
    write(&folder, "a.js", "[1].atIndex(1)\n");
    let arguments = ["call", "check_symbols", "--json", "--root", "inner"];
    let (_, output, _) = folder.run(&arguments, "");
    let data: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(data["findings"].as_array().unwrap().len(), 1, "{output}");
    assert_eq!(data["findings"][0]["file"], "deep/c.js");
}

#[test]
fn without_a_commit_everything_is_checked_and_the_data_say_so() {
    let folder = Folder::empty();
    write(&folder, "a.js", WRONG);
    let remark = |folder: &Folder| {
        let (status, output, _) = folder.run(&["call", "check_symbols", "--json"], "");
        assert_eq!(status, 1);
        let data: Value = serde_json::from_str(&output).unwrap();
        data["remarks"].to_string()
    };
    assert!(remark(&folder).contains("it is in no repository"), "{}", remark(&folder));
    git(&folder, &["init", "-q"]);
    assert!(remark(&folder).contains("nothing was committed yet"), "{}", remark(&folder));
}

#[test]
fn a_check_prints_what_people_editors_and_code_hosts_read() {
    let folder = Folder::empty();
    write(&folder, "a.js", "const list = [];\n\tlist.pusch(1);\n");
    let (status, output, _) = folder.run(&["check"], "");
    assert_eq!(status, 1);
    assert!(
        output.contains("   2 | \tlist.pusch(1);\n     | \t     ^^^^^\n     = write push("),
        "{output}"
    );
    let (status, output, _) = folder.run(&["check", "--format", "github"], "");
    assert_eq!((status, output.lines().count()), (1, 1));
    assert!(output.starts_with("::error file=a.js,line=2,col=7,endColumn=12,"), "{output}");
    let (status, output, _) = folder.run(&["check", "--format", "sarif"], "");
    let log: Value = serde_json::from_str(&output).unwrap();
    assert_eq!((status, &log["version"]), (1, &"2.1.0".into()));
    let region = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
    assert_eq!(region["startColumn"], 7);
    write(&folder, "a.js", "const list = [];\n");
    let (status, output, _) = folder.run(&["check", "--format", "github"], "");
    assert_eq!((status, output.as_str()), (0, ""));
}
