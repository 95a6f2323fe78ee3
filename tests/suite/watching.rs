//! `groundline check --watch`: what changes is checked again, until the program is interrupted.

use crate::program::{Folder, PATIENCE, exit_within};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};

/// A check that goes on.
struct Watching {
    child: Child,
    answers: Receiver<Value>,
}

impl Watching {
    fn begin(folder: &Folder, more: &[&str]) -> Watching {
        let arguments = [&["check", "--watch", "--format", "json"], more].concat();
        let mut command = folder.command(&arguments);
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
        let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let (told, answers) = channel();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let _ = told.send(serde_json::from_str(&line).expect("a line is an object"));
            }
        });
        Watching { child, answers }
    }

    /// What the next answer found, as `file member`.
    fn found(&self) -> Vec<String> {
        let answer = self.answers.recv_timeout(PATIENCE).expect("it checks again");
        let findings = answer["findings"].as_array().expect("a list").iter();
        let text = |finding: &Value, name: &str| finding[name].as_str().unwrap_or("").to_owned();
        findings.map(|f| format!("{} {}", text(f, "file"), text(f, "member"))).collect()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A project with a script that is whole.
fn project() -> Folder {
    let folder = Folder::empty();
    let put = |path: &str, text: &str| fs::write(folder.project().join(path), text).unwrap();
    put("groundline.toml", "builtins = [\"ecmascript\"]\n");
    put(".gitignore", "out/\n");
    put("main.js", "[1].map(String);\n");
    folder
}

#[test]
#[cfg(target_os = "linux")]
fn what_changes_is_checked_again_and_what_is_ignored_is_not() {
    let folder = project();
    let put = |path: &str, text: &str| fs::write(folder.project().join(path), text).unwrap();
    let mut watching = Watching::begin(&folder, &[]);
    assert_eq!(watching.found(), [""; 0]);
    put("main.js", "[1].mapp(String);\n");
    assert_eq!(watching.found(), ["main.js mapp"]);
    fs::create_dir(folder.project().join("out")).unwrap();
    put("out/made.js", "[1].mapp(String);\n");
    put("notes.txt", "[1].mapp(String);\n");
    fs::create_dir_all(folder.project().join("src/deep")).unwrap();
    put("src/deep/new.js", "'a'.trimm();\n");
    assert_eq!(watching.found(), ["src/deep/new.js trimm"]);
    put("src/deep/new.js", "'a'.trim();\n");
    assert_eq!(watching.found(), [""; 0]);
    // What holds for all of them.
    put("groundline.toml", "builtins = [\"ecmascript\"]\n[check]\nmember = \"off\"\n");
    assert_eq!(watching.found(), [""; 0]);
    let pid = watching.child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    assert!(!exit_within(&mut watching.child, PATIENCE).success());
}

#[test]
#[cfg(target_os = "linux")]
fn only_what_is_asked_for_is_watched_and_forms_for_files_are_refused() {
    let folder = project();
    let put = |path: &str, text: &str| fs::write(folder.project().join(path), text).unwrap();
    fs::create_dir(folder.project().join("src")).unwrap();
    put("src/a.js", "[1].at(0);\n");
    let watching = Watching::begin(&folder, &["src"]);
    assert_eq!(watching.found(), [""; 0]);
    put("main.js", "[1].mapp(String);\n");
    put("src/a.js", "[1].att(0);\n");
    assert_eq!(watching.found(), ["src/a.js att"]);
    let (status, _, errors) = folder.run(&["check", "--watch", "--format", "sarif"], "");
    assert!(status == 2 && errors.contains("--watch prints text or JSON"), "{status} {errors}");
}
