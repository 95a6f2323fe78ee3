//! What becomes of findings on the command line: levels, comments that allow, and old findings in a file.

use crate::program::Folder;
use serde_json::Value;
use std::fs;

const MISUSED: &str = "kiln.heatTo();\nkiln.shelf(1).pieces = 3;\n";
const INVENTED: &str = "kiln.heatUp(900);\n";

fn kiln(code: &str, check: &str) -> Folder {
    let folder = Folder::with("tests/projects/kiln");
    fs::write(folder.project().join("main.js"), code).unwrap();
    let settings = folder.project().join("groundline.toml");
    let said = fs::read_to_string(&settings).unwrap();
    fs::write(&settings, format!("{said}\n[check]\n{check}\n")).unwrap();
    folder
}

fn findings(folder: &Folder) -> (i32, Vec<String>) {
    let (status, output, error) = folder.run(&["check", "main.js", "--format", "json"], "");
    let data: Value = serde_json::from_str(&output).expect(&error);
    let told = data["findings"].as_array().unwrap().iter().map(|row| {
        let said = |name: &str| row[name].as_str().unwrap();
        format!("{} {} {}", said("kind"), said("level"), said("verdict"))
    });
    (status, told.collect())
}

#[test]
fn what_is_misused_is_told_and_does_not_gate() {
    let found = findings(&kiln(MISUSED, ""));
    assert_eq!(found, (0, vec!["arity warning known".into(), "read-only warning known".into()]));
}

#[test]
fn a_kind_gates_where_the_project_says_so() {
    let found = findings(&kiln(MISUSED, "arity = \"gate\"\nread-only = \"off\""));
    assert_eq!(found, (1, vec!["arity error known".into()]));
}

#[test]
fn an_invention_does_not_gate_where_the_project_says_so() {
    let found = findings(&kiln(INVENTED, "member = \"warn\""));
    assert_eq!(found, (0, vec!["member warning invented".into()]));
    let found = findings(&kiln(INVENTED, "member = \"off\""));
    assert_eq!(found, (0, vec![]));
}

#[test]
fn another_case_of_letters_is_a_kind_of_its_own_and_gates() {
    let found = findings(&kiln("kiln.cooldown();\n", ""));
    assert_eq!(found, (1, vec!["case error invented".into()]));
}

#[test]
fn a_comment_allows_in_every_file_that_holds_scripts() {
    let folder = kiln("", "");
    let code = "// groundline-allow heatUp: a plugin adds it\nkiln.heatUp(900);\n";
    for (name, text) in [
        ("a.ts", code.to_owned()),
        ("b.vue", format!("<script>\n{code}</script>\n")),
        ("c.svelte", format!("<script>\n{code}</script>\n")),
        ("d.html", format!("<script>\n{code}</script>\n")),
        ("e.md", format!("```js\n{code}```\n")),
        ("f.jsx", code.to_owned()),
    ] {
        fs::write(folder.project().join(name), text).unwrap();
    }
    let (status, output, _) = folder.run(&["check"], "");
    assert_eq!(status, 0, "{output}");
    assert!(!output.contains("heatUp"), "{output}");
}

#[test]
fn old_findings_do_not_count_and_new_ones_do() {
    let folder = kiln(INVENTED, "");
    assert_eq!(folder.run(&["check"], "").0, 1);
    let (status, output, error) =
        folder.run(&["check", "--baseline", "old.json", "--write-baseline"], "");
    assert_eq!(status, 0, "{output}{error}");
    let (status, output, _) = folder.run(&["check", "--baseline", "old.json"], "");
    assert!(status == 0 && output.contains("1 old findings do not count"), "{output}");
    let moved = format!("\n\n{INVENTED}kiln.heatDown();\n");
    fs::write(folder.project().join("main.js"), moved).unwrap();
    let (status, output, _) = folder.run(&["check", "--baseline", "old.json"], "");
    assert!(status == 1 && output.contains("main.js:4:6"), "{output}");
    assert!(!output.contains("main.js:3:6"), "{output}");
}

#[test]
fn old_findings_that_are_gone_are_named() {
    let folder = kiln(INVENTED, "");
    folder.run(&["check", "--baseline", "old.json", "--write-baseline"], "");
    fs::write(folder.project().join("main.js"), "kiln.coolDown();\n").unwrap();
    let (status, output, _) = folder.run(&["check", "--baseline", "old.json"], "");
    assert!(status == 0 && output.contains("gone from main.js: member Kiln.heatUp"), "{output}");
}

#[test]
fn a_baseline_that_cannot_be_read_is_no_clean_check() {
    let folder = kiln(INVENTED, "");
    let (status, _, error) = folder.run(&["check", "--baseline", "old.json"], "");
    assert!(status == 2 && error.contains("write it with --write-baseline"), "{error}");
    fs::write(folder.project().join("old.json"), "{}").unwrap();
    let (status, _, error) = folder.run(&["check", "--baseline", "old.json"], "");
    assert!(status == 2 && error.contains("is no baseline of this build"), "{error}");
}

#[test]
fn what_an_api_was_mined_from_gives_the_project_no_names() {
    let found = findings(&kiln("kiln.put(3);\n", ""));
    assert_eq!(found, (1, vec!["member error invented".into()]));
}

#[test]
fn what_the_project_declares_beside_an_api_is_its_own() {
    let folder = kiln("kiln.glaze(3);\n", "");
    let text = "interface Kiln { glaze(layers: number): void }\n";
    fs::write(folder.project().join("more.d.ts"), text).unwrap();
    assert_eq!(findings(&folder), (0, vec![]));
}
