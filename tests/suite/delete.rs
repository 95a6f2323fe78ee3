//! Deleting through the built binary: what is shown is what is done, byte for byte, and nothing else is touched.

use crate::program::Folder;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

fn with(files: &[(&str, &[u8])]) -> Folder {
    let folder = Folder::empty();
    for (path, bytes) in files {
        let at = folder.project().join(path);
        fs::create_dir_all(at.parent().unwrap()).unwrap();
        fs::write(at, bytes).unwrap();
    }
    folder
}

/// The answer as data.
fn asked(folder: &Folder, arguments: &Value) -> Value {
    let (_, output, error) =
        folder.run(&["call", "delete_construct", "-", "--json"], &format!("{arguments}\n"));
    serde_json::from_str(&output).unwrap_or_else(|_| panic!("{output}{error}"))
}

/// The answer as text.
fn said(folder: &Folder, arguments: &Value) -> String {
    let (_, output, error) = folder.run(&["call", "delete_construct", &arguments.to_string()], "");
    output + &error
}

fn applied(folder: &Folder, mut arguments: Value) -> Value {
    arguments["hash"] = asked(folder, &arguments)["hash"].clone();
    arguments["apply"] = true.into();
    asked(folder, &arguments)
}

fn bytes(folder: &Folder, path: &str) -> Vec<u8> {
    fs::read(folder.project().join(path)).unwrap()
}

const CODE: &str = "\
const a = 1;
const box = layout.makeBlock();
box.x = a;

box.width = 2; // wide
show(a);
";

#[test]
fn a_preview_changes_nothing_and_names_the_next_call() {
    let folder = with(&[("a.js", CODE.as_bytes())]);
    let text = said(&folder, &json!({ "path": "a.js", "line": 3 }));
    assert_eq!(bytes(&folder, "a.js"), CODE.as_bytes());
    let hash = asked(&folder, &json!({ "path": "a.js", "line": 3 }))["hash"].clone();
    assert!(
        text.starts_with(
            "delete_construct  a.js  would delete `box`, declared in line 2: 4 lines (2–5)\n--- a/a.js\n+++ b/a.js\n@@ -1,6 +1,2 @@\n const a = 1;\n-const box"
        ),
        "{text}"
    );
    let next = format!(
        "delete_construct {{\"path\":\"a.js\",\"line\":3,\"apply\":true,\"hash\":{hash}}}\n"
    );
    assert!(text.ends_with(&next), "{text}");
}

#[test]
fn what_was_shown_is_done_once() {
    let folder = with(&[("a.js", CODE.as_bytes())]);
    let arguments = json!({ "path": "a.js", "variable": "box" });
    let done = applied(&folder, arguments.clone());
    assert_eq!(done["applied"], true, "{done}");
    assert_eq!(done["lines"], json!([[2, 5]]));
    assert_eq!(bytes(&folder, "a.js"), b"const a = 1;\nshow(a);\n");
    let mut again = arguments;
    again["hash"] = done["hash"].clone();
    again["apply"] = true.into();
    let refused = asked(&folder, &again);
    assert_eq!(refused["applied"], false, "{refused}");
    assert_eq!(bytes(&folder, "a.js"), b"const a = 1;\nshow(a);\n");
}

#[test]
fn a_file_that_changed_is_left_alone_and_shown_anew() {
    let folder = with(&[("a.js", CODE.as_bytes())]);
    let arguments = json!({ "path": "a.js", "variable": "box" });
    let hash = asked(&folder, &arguments)["hash"].clone();
    let changed = format!("{CODE}box.y = 3;\n");
    fs::write(folder.project().join("a.js"), &changed).unwrap();
    let apply = json!({ "path": "a.js", "variable": "box", "apply": true, "hash": hash });
    let text = said(&folder, &apply);
    assert_eq!(bytes(&folder, "a.js"), changed.as_bytes());
    assert!(text.contains("changed since that hash was given"), "{text}");
    assert!(text.contains("-box.y = 3;") && text.contains("\"apply\":true"), "{text}");
    let without = json!({ "path": "a.js", "variable": "box", "apply": true });
    assert!(said(&folder, &without).contains("needs the `hash` of a preview"));
}

/// Applies the patch of a preview with `program` and compares with what `apply` leaves.
fn assert_patch_is_what_is_done(name: &str, text: &[u8], program: &[&str]) {
    let folder = with(&[(name, text)]);
    let arguments = json!({ "path": name, "variable": "box" });
    let patch = asked(&folder, &arguments)["patch"].as_str().unwrap().to_owned();
    let beside = with(&[(name, text)]);
    fs::write(beside.project().join("p"), &patch).unwrap();
    let run = Command::new(program[0])
        .args(&program[1..])
        .current_dir(beside.project())
        .output()
        .unwrap();
    assert!(run.status.success(), "{patch}\n{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(applied(&folder, arguments)["applied"], true);
    let (by_patch, by_us) = (bytes(&beside, name), bytes(&folder, name));
    assert_eq!(String::from_utf8_lossy(&by_patch), String::from_utf8_lossy(&by_us), "{patch}");
}

#[test]
fn the_patch_is_what_is_done() {
    let long: String = (0..30)
        .map(|n| format!("a({n});\nbox.n{n} = {n};\n\n\nb();\nb();\nb();\nb();\n"))
        .collect();
    let long = format!("const box = make();\n{long}");
    for (name, text) in [
        ("a.js", CODE.to_owned()),
        ("a.js", CODE.replace('\n', "\r\n")),
        ("with space.js", CODE.trim_end().to_owned()),
        ("größe.js", format!("{CODE}box.z = 1;")),
        (
            "a.js",
            format!("\u{feff}const box = make();\n{CODE}")
                .replace("const box = layout", "box.b = layout"),
        ),
        ("a.js", "const box = make();\nbox.x = 1;\n".to_owned()),
        ("a.js", "let c = 2, box = make();\nbox.x = 1; show(c);".to_owned()),
        ("a.js", long),
    ] {
        assert_patch_is_what_is_done(name, text.as_bytes(), &["git", "apply", "p"]);
    }
}

#[cfg(unix)]
#[test]
fn mode_stays_and_what_is_read_only_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = with(&[("a.js", CODE.as_bytes())]);
    let path = folder.project().join("a.js");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o555)).unwrap();
    let arguments = json!({ "path": "a.js", "variable": "box" });
    let refused = applied(&folder, arguments.clone());
    assert!(refused["error"].as_str().unwrap().contains("read-only"), "{refused}");
    assert_eq!(bytes(&folder, "a.js"), CODE.as_bytes());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(applied(&folder, arguments)["applied"], true);
    assert_eq!(mode(&path), 0o755);
    assert_eq!(fs::read_dir(folder.project()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn links_are_followed_inside_the_root_only() {
    use std::os::unix::fs::symlink;
    let folder = with(&[("real/a.js", CODE.as_bytes())]);
    let outside = with(&[("b.js", CODE.as_bytes())]);
    symlink("real/a.js", folder.project().join("link.js")).unwrap();
    symlink(outside.project().join("b.js"), folder.project().join("out.js")).unwrap();
    fs::hard_link(folder.project().join("real/a.js"), folder.project().join("hard.js")).unwrap();
    let done = applied(&folder, json!({ "path": "link.js", "variable": "box" }));
    assert_eq!(done["path"], "real/a.js", "{done}");
    assert!(done["remarks"][0].as_str().unwrap().contains("hard links"), "{done}");
    assert!(folder.project().join("link.js").is_symlink());
    assert_eq!(bytes(&folder, "link.js"), b"const a = 1;\nshow(a);\n");
    for path in ["out.js", "../b.js"] {
        let refused = applied(&folder, json!({ "path": path, "variable": "box" }));
        assert!(refused["error"].as_str().unwrap().contains("outside the root"), "{refused}");
    }
    assert_eq!(bytes(&outside, "b.js"), CODE.as_bytes());
}

#[test]
fn what_could_not_be_kept_exactly_is_refused() {
    let utf16: Vec<u8> =
        "\u{feff}const box = 1;".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let files: [(&str, &[u8]); 3] =
        [("a.js", &utf16), ("b.js", b"const box = 1; // caf\xe9\n"), ("c.py", b"box = 1\n")];
    let folder = with(&files);
    for ((path, content), why) in files.iter().zip(["UTF-16", "not UTF-8", "no JavaScript"]) {
        let refused = applied(&folder, json!({ "path": path, "line": 1 }));
        assert!(refused["error"].as_str().unwrap().contains(why), "{refused}");
        assert_eq!(bytes(&folder, path), *content);
    }
}

#[test]
fn a_variable_alone_is_enough_where_one_file_declares_it() {
    let folder = with(&[
        ("a.js", CODE.as_bytes()),
        ("b.js", b"box();\nconst other = 1;\nlet twice;\n"),
        ("c.js", b"let twice;\n"),
    ]);
    assert_eq!(asked(&folder, &json!({ "variable": "box" }))["path"], "a.js");
    let several = said(&folder, &json!({ "variable": "twice" }));
    assert!(several.contains("{\"path\":\"c.js\",\"variable\":\"twice\",\"line\":1}"), "{several}");
    let none = said(&folder, &json!({ "variable": "nothing" }));
    assert!(none.contains("none of 3 scripts declares a variable `nothing`"), "{none}");
}

#[test]
fn an_empty_answer_explains_itself() {
    let folder = with(&[("a.js", CODE.as_bytes())]);
    for (arguments, why) in [
        (json!({}), "needs `path` with `line` or `variable`"),
        (json!({ "line": 3 }), "needs `path` with `line` or `variable`"),
        (json!({ "path": "a.js", "line": 99 }), "a.js has 7 lines and no line 99"),
        (json!({ "path": "a.js", "line": 0 }), "no line 0"),
        (
            json!({ "path": "a.js", "variable": "boxx" }),
            "declares no variable `boxx`; it declares box",
        ),
        (json!({ "path": "no.js", "line": 1 }), "no.js does not exist"),
        (json!({ "path": "a.js", "line": 4 }), "line 4 names no variable"),
    ] {
        let text = said(&folder, &arguments);
        assert!(text.contains(why), "{arguments}: {text}");
    }
}

#[test]
fn a_long_patch_goes_on_with_the_next_call() {
    let code: String = (0..200).map(|n| format!("box.member{n} = {n};\n")).collect();
    let folder = with(&[("a.js", format!("const box = make();\n{code}").as_bytes())]);
    let mut arguments = json!({ "path": "a.js", "variable": "box", "max_chars": 1500 });
    let mut seen = String::new();
    for _ in 0..40 {
        let text = said(&folder, &arguments);
        assert!(text.chars().count() <= 1501, "{}", text.chars().count());
        assert!(text.contains("\"apply\":true"), "{text}");
        seen.push_str(&text);
        let Some((_, rest)) = text.split_once("\"cursor\":\"") else { break };
        arguments["cursor"] = rest.split('"').next().unwrap().into();
    }
    for n in 0..200 {
        assert!(seen.contains(&format!("-box.member{n} = {n};\n")), "{n}");
    }
}

#[test]
fn a_hash_is_good_for_the_deletion_it_was_given_for() {
    let code = "const a = make();\na.x = 1;\nconst b = make();\nb.x = 1;\n";
    let folder = with(&[("a.js", code.as_bytes())]);
    let hash = asked(&folder, &json!({ "path": "a.js", "variable": "a" }))["hash"].clone();
    let other = json!({ "path": "a.js", "variable": "b", "apply": true, "hash": hash });
    assert!(said(&folder, &other).contains("or it was given for another deletion"));
    assert_eq!(bytes(&folder, "a.js"), code.as_bytes());
}
