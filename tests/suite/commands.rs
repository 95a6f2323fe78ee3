//! The command line as people and CI use it.

use crate::program::{Folder, PATIENCE, exit_within};
use serde_json::Value;
use std::fs;
use std::process::Stdio;

#[test]
fn help_teaches_with_examples() {
    let folder = Folder::empty();
    for (command, taught) in [
        (vec!["--help"], "groundline tour"),
        (vec!["call", "--help"], "groundline call check_symbols '{"),
        (vec!["check", "--help"], "groundline check src"),
        (vec!["fingerprint", "--help"], "groundline fingerprint compare $id"),
        (vec!["build", "--help"], "groundline build --explain"),
        (vec!["serve", "--help"], "claude mcp add groundline -- groundline serve"),
        (vec!["init", "--help"], "groundline init --host codex --http 127.0.0.1:8765"),
    ] {
        let (status, output, _) = folder.run(&command, "");
        assert_eq!(status, 0);
        assert!(output.contains(taught), "{command:?}: {output}");
    }
    let (status, output, _) = folder.run(&["--version"], "");
    assert_eq!((status, output.trim()), (0, concat!("groundline ", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn what_cannot_be_done_is_status_2_and_says_why() {
    let folder = Folder::empty();
    for (arguments, said) in [
        (vec!["call", "nope", "{}"], "there is no tool `nope`; the tools are: check_symbols"),
        (vec!["call", "check_symbols", "[1]"], "ARGUMENTS must be a JSON object, such as"),
        (vec!["call", "check_symbols", "{"], "ARGUMENTS must be a JSON object: "),
        (vec!["frobnicate"], "unrecognized subcommand"),
        (vec![], "Usage: groundline"),
    ] {
        let (status, output, error) = folder.run(&arguments, "");
        assert_eq!((status, output.as_str()), (2, ""), "{arguments:?}");
        assert!(error.contains(said), "{arguments:?}: {error}");
    }
}

#[test]
fn what_pages_hold_and_lack_is_explained_before_there_is_a_configuration() {
    let folder = Folder::empty();
    let page =
        "# Block\n\nParent interface: Ghost.\n\n## Block-width\n\nType: `number`\n\n## Block-odd\n";
    fs::write(folder.project().join("block.md"), page).unwrap();
    fs::write(folder.project().join("guide.md"), "# How to\n\nProse.\n").unwrap();
    let (status, output, error) = folder.run(&["build", "--pages", "*.md", "--explain"], "");
    assert_eq!(status, 0, "{error}");
    for said in [
        "block.md  Interface-member titles · 1 interfaces · 2 members, 50.0 % with their whole type",
        "guide.md  no members",
        "block.md:1  Block inherits from Ghost, which no page describes",
        "block.md:9  Block.odd: its type is not known",
        "block.md:1  Block: no page describes Ghost",
    ] {
        assert!(output.contains(said), "{said}\n{output}");
    }
}

#[test]
fn lines_are_answered_in_order_and_a_bad_one_stops_nothing() {
    let folder = Folder::empty();
    let input = "{\"code\":\"a\"}\n\n[]\n{\"code\":\"b\"}\r\nnot json";
    let (status, output, _) = folder.run(&["call", "check_symbols", "-"], input);
    let answers: Vec<Value> =
        output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 4, "{output}");
    let is_misfit = |answer: &Value| {
        answer["error"].as_str().is_some_and(|e| e.starts_with("this line must be a JSON object"))
    };
    let misfits: Vec<bool> = answers.iter().map(is_misfit).collect();
    assert_eq!(misfits, [false, true, false, true]);
    assert_eq!(status, 2);
}

#[test]
fn the_tour_runs_and_leaves_nothing_behind() {
    let folder = Folder::empty();
    let before = entries(&folder);
    let mut command = folder.command(&["tour"]);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    let status = exit_within(&mut child, PATIENCE);
    let output = child.wait_with_output().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    assert!(status.success(), "{output}");
    for failure in [1, 3, 4, 5, 6, 9] {
        let scene = output.split_once(&format!("failure {failure} of 9")).unwrap().1;
        let n_lines = scene.lines().take_while(|line| !line.is_empty()).count();
        assert!(n_lines <= 12, "{n_lines} lines: {scene}");
    }
    assert!(output.contains("deleted `box`"), "{output}");
    assert!(output.contains("drafts/invoice-draft.js:41"), "{output}");
    assert_eq!(entries(&folder), before);
}

/// What is in the folder that holds project, cache, home and temporary files.
fn entries(folder: &Folder) -> Vec<String> {
    let top = folder.project().parent().unwrap().to_owned();
    let listed = fs::read_dir(top).unwrap();
    let mut names: Vec<String> =
        listed.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn what_was_mined_is_listed_a_line_each() {
    let folder = Folder::with("datagraphs/folio/sample");
    let (status, output, error) = folder.run(&["symbols", "layout.*start"], "");
    assert_eq!((status, error.as_str()), (0, ""));
    assert!(
        output.contains("folio  Layout.tableStart(table: Table): Table  declarations/"),
        "{output}"
    );
    let (status, output, error) = folder.run(&["symbols", "no such thing"], "");
    assert_eq!((status, output.as_str()), (1, ""));
    assert!(
        error.contains("nothing has \"no such thing\" in its name in folio, ecmascript"),
        "{error}"
    );
}

#[test]
fn a_doctor_says_how_fresh_and_how_whole_everything_is() {
    let folder = Folder::empty();
    let toml = "builtins = []\n[[api]]\nname = \"shop\"\nversion = \"3\"\ndeclarations = [\"*.d.ts\", \"/etc/x.d.ts\"]\n";
    fs::write(folder.project().join("groundline.toml"), toml).unwrap();
    fs::write(folder.project().join("a.d.ts"), "interface A { one(): void }").unwrap();
    let (status, output, _) = folder.run(&["doctor"], "");
    assert_eq!(status, 2);
    assert!(output.contains("shop 3  2 interfaces · 1 members"), "{output}");
    assert!(output.contains("mined now, for the first time"), "{output}");
    assert!(output.contains("said      1 pieces, 0 of them sections of guides"), "{output}");
    assert!(output.contains("wrong\n  shop: /etc/x.d.ts is outside the repository"), "{output}");
    fs::write(folder.project().join("groundline.toml"), toml.replace(", \"/etc/x.d.ts\"", ""))
        .unwrap();
    let (status, output, _) = folder.run(&["doctor"], "");
    assert_eq!(status, 0);
    assert!(output.contains("its sources are what was mined"), "{output}");
    fs::write(folder.project().join("a.d.ts"), "interface A { two(): void }").unwrap();
    let (_, output, _) = folder.run(&["doctor"], "");
    assert!(output.contains("a.d.ts changed since it was mined: mined again now"), "{output}");
}

#[test]
fn the_committed_datagraph_of_folio_is_what_a_build_gives() {
    let folder = Folder::with("datagraphs/folio");
    let (status, _, error) = folder.run(&["build", "--out", "../out"], "");
    assert_eq!(status, 0, "{error}");
    for name in ["symbols", "provenance", "chunks", "constructs", "topics"] {
        let read = |path: std::path::PathBuf| fs::read(path.join(format!("{name}.json"))).unwrap();
        let built = read(folder.project().join("../out/folio"));
        assert!(built == read(folder.project()), "{name}.json differs: run groundline build");
    }
}

#[test]
fn every_tool_explains_an_empty_answer() {
    let folder = Folder::empty();
    let toml =
        "builtins = []\n[[api]]\nname = \"shop\"\nversion = \"3\"\ndeclarations = [\"*.d.ts\"]\n";
    fs::write(folder.project().join("groundline.toml"), toml).unwrap();
    fs::write(folder.project().join("a.d.ts"), "interface Item { price: number }").unwrap();
    for (tool, arguments, said) in [
        ("check_symbols", "{}", "nothing to check: no script was named, or none was found"),
        ("find_in_files", r#"{"pattern":"zebra"}"#, "no match in 2 files"),
        ("lookup_docs", r#"{"query":"zebra"}"#, "nothing was found in shop 3: 2 symbols, 1 piece"),
        (
            "resolve_topic",
            r#"{"goal":"ride a zebra"}"#,
            "nothing here is known to serve this goal (shop 3",
        ),
        ("find_construct", r#"{"name":"zebra"}"#, "no construct is called so"),
        ("verify_fingerprint", r#"{"action":"status"}"#, "no baseline of this root"),
        ("delete_construct", r#"{"variable":"zebra"}"#, "declares a variable `zebra`"),
    ] {
        let (_, output, error) = folder.run(&["call", tool, arguments], "");
        assert!(format!("{output}{error}").contains(said), "{tool}: {output}{error}");
    }
}

#[test]
fn a_call_from_the_command_line_means_its_arguments_as_one_over_the_protocol_does() {
    let folder = Folder::empty();
    std::fs::write(folder.project().join("a.js"), "heron();\n").unwrap();
    std::fs::write(folder.project().join("b.js"), "heron();\n").unwrap();
    let arguments = r#"{"pattern": "heron", "paths": ["a.js"]}"#;
    let (status, said, error) = folder.run(&["call", "find_in_files", arguments], "");
    assert_eq!(status, 0, "{error}");
    assert!(said.contains("a.js") && !said.contains("b.js"), "{said}");
}
