//! Searching through the built binary: every odd pattern and file gets a clear answer, and no hit is lost.

use crate::program::Folder;
use groundline::base::{Quiet, Stop};
use groundline::session::{Call, Listing, Outcome, Principal, Session, Settings};
use serde_json::{Value, json};
use std::fs;

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
fn found(folder: &Folder, arguments: &Value) -> Value {
    let (status, output, error) =
        folder.run(&["call", "find_in_files", "-", "--json"], &format!("{arguments}\n"));
    assert_eq!(status, 0, "{output}{error}");
    serde_json::from_str(&output).unwrap()
}

/// The answer as text.
fn said(folder: &Folder, arguments: &Value) -> String {
    let (status, output, error) =
        folder.run(&["call", "find_in_files", &arguments.to_string()], "");
    assert_eq!(status, 0, "{output}{error}");
    output
}

/// `path:line:column` of every hit.
fn places(answer: &Value) -> Vec<String> {
    let hits = answer["hits"].as_array().unwrap_or_else(|| panic!("no hits: {answer}"));
    let place = |hit: &Value| {
        format!("{}:{}:{}", hit["path"].as_str().unwrap(), hit["line"], hit["column"])
    };
    hits.iter().map(place).collect()
}

/// `reason rule? paths` of everything that was skipped.
fn skipped(answer: &Value) -> Vec<String> {
    let row = |row: &Value| {
        let rule = row["rule"].as_str().map_or(String::new(), |rule| format!(" ({rule})"));
        format!("{}{rule} {}", row["reason"].as_str().unwrap(), row["paths"])
    };
    answer["skipped"].as_array().unwrap().iter().map(row).collect()
}

#[test]
fn odd_patterns_are_ordinary_input() {
    let text = "let C; C++\ndon't run --flag\n*** stars\napp.activeDocument a[0]\n";
    let folder = with(&[("odd.txt", text.as_bytes())]);
    for (pattern, rung, place) in [
        ("C++", "literal", "odd.txt:1:8"),
        ("don't", "regex", "odd.txt:2:1"),
        ("--flag", "regex", "odd.txt:2:11"),
        ("***", "literal", "odd.txt:3:1"),
        ("a[0]", "literal", "odd.txt:4:20"),
        ("flag run", "words", "odd.txt:2:13"),
        ("(stars", "words", ""),
    ] {
        let answer = found(&folder, &json!({ "pattern": pattern }));
        if place.is_empty() {
            assert_eq!(places(&answer), [""; 0], "{pattern}: {answer}");
            continue;
        }
        assert_eq!(answer["rung"], rung, "{pattern}: {answer}");
        assert_eq!(places(&answer), [place], "{pattern}");
    }
    for (pattern, said) in [
        (r"(?<=a)b".to_owned(), "look-around is not supported: write the text itself"),
        (r"(a)\1".to_owned(), "backreferences are not supported"),
        (r"(\w{1000}){1000}".to_owned(), "it is too large: shorten it"),
        ("a\nb".to_owned(), "add \\\"multiline\\\": true"),
        ("x(".to_owned(), "write \\\\ before each"),
        ("x".repeat(100_000), "it is too large"),
    ] {
        let answer = found(&folder, &json!({ "pattern": pattern }));
        assert!(answer["notes"].to_string().contains(said), "{}", answer["notes"]);
    }
    for pattern in ["\0".to_owned(), "\u{fffd}".to_owned(), "y".repeat(10_000), "null".to_owned()] {
        let answer = found(&folder, &json!({ "pattern": pattern }));
        assert_eq!(places(&answer), [""; 0]);
    }
}

#[test]
fn odd_files_are_searched_or_counted() {
    let long = [&b"x".repeat(1 << 20)[..], b"needle", &b"y".repeat(1 << 20)[..]].concat();
    let wide: Vec<u8> = [0xfeff]
        .into_iter()
        .chain("a\r\nneedle".encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    let folder = with(&[
        (".gitignore", b"out/*\n*.log\n"),
        ("binary.bin", b"needle\0"),
        ("latin.txt", b"caf\xe9 needle\n"),
        ("long.txt", &long),
        ("marked.txt", "\u{feff}needle\r\n".as_bytes()),
        ("wide.txt", &wide),
        (".env", b"needle=1"),
        (".hidden/x.txt", b"needle"),
        (".git/config", b"needle"),
        ("out/a.txt", b"needle"),
        ("app.log", b"needle"),
    ]);
    let answer = found(&folder, &json!({ "pattern": "needle" }));
    let expected = [
        ".hidden/x.txt:1:1",
        "latin.txt:1:6",
        "long.txt:1:1048577",
        "marked.txt:1:1",
        "wide.txt:2:1",
    ];
    assert_eq!(places(&answer), expected);
    assert_eq!(answer, found(&folder, &json!({ "pattern": "needle" })), "the same bytes each time");
    let expected = [
        "binary [\"binary.bin\"]",
        "ignored (.gitignore: *.log) [\"app.log\"]",
        "ignored (.gitignore: out/*) [\"out/a.txt\"]",
        "looks like a secret, searched by name only [\".env\"]",
    ];
    assert_eq!(skipped(&answer), expected);
    let text = said(&folder, &json!({ "pattern": "needle" }));
    assert!(text.len() < 2_000 && text.contains("…") && text.contains("xneedley"), "{text}");
    let answer = found(&folder, &json!({ "pattern": "needle", "path": "out/a.txt" }));
    assert_eq!(places(&answer), ["out/a.txt:1:1"]);
    let answer = found(&folder, &json!({ "pattern": "env" }));
    assert_eq!(answer["names"], json!([".env"]));
    let answer = found(&folder, &json!({ "pattern": "needle", "path": ".env" }));
    assert_eq!(places(&answer), [""; 0]);
}

#[test]
fn what_a_rule_hides_is_named_where_nothing_is_found() {
    let folder =
        with(&[(".gitignore", b"scripts/*\n"), ("scripts/w.py", b"marker"), ("a.js", b"makers")]);
    let text = said(&folder, &json!({ "pattern": "marker" }));
    assert!(text.contains("no match in 2 files"), "{text}");
    assert!(text.contains("skipped  1 ignored by .gitignore: scripts/*: scripts/w.py"), "{text}");
    assert!(text.contains("nearest words that exist: makers"), "{text}");
    assert!(!text.contains("exist in"), "{text}");
}

#[cfg(unix)]
#[test]
fn links_pipes_and_loops_are_counted_and_not_opened() {
    use std::os::unix::fs::symlink;
    let folder = with(&[("a/x.txt", b"needle")]);
    let project = folder.project();
    symlink("..", project.join("a/up")).unwrap();
    symlink("/etc/passwd", project.join("out.txt")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(project.join("s")).unwrap();
    let answer = found(&folder, &json!({ "pattern": "needle|root" }));
    assert_eq!(places(&answer), ["a/x.txt:1:1"]);
    assert_eq!(skipped(&answer), ["a device or pipe [\"s\"]", "a link [\"a/up\",\"out.txt\"]"]);
}

#[test]
fn a_match_over_lines_is_only_found_when_asked() {
    let folder = with(&[("a.js", b"f(\r\n  1\r\n);\r\n")]);
    let ask = json!({ "pattern": r"f\(\s+1" });
    assert_eq!(places(&found(&folder, &ask)), [""; 0]);
    let ask = json!({ "pattern": r"f\(\s+1", "multiline": true });
    let answer = found(&folder, &ask);
    assert_eq!(
        answer["hits"],
        json!([{ "path": "a.js", "line": 1, "column": 1, "text": "f(\n  1" }])
    );
}

#[test]
fn names_are_found_in_any_case_and_with_stars() {
    let folder = with(&[("Old/Statement (7).pdf", b"\0"), ("b.js", b"")]);
    for pattern in ["*statement*", "statement", "pdf", "the PDF files"] {
        let answer = found(&folder, &json!({ "pattern": pattern }));
        assert_eq!(answer["names"], json!(["Old/Statement (7).pdf"]), "{pattern}");
    }
}

#[test]
fn every_hit_is_reached_whatever_the_budget() {
    let mut text = String::from("const box = make();\n");
    for n in 0..60 {
        text.push_str(&format!("box.put({n}); // {}\n", "word ".repeat(n * 5)));
    }
    let folder = with(&[("a.js", text.as_bytes()), ("box.txt", b""), ("b.js", b"box.x = 1;\n")]);
    let whole = places(&found(&folder, &json!({ "pattern": "box" })));
    assert_eq!(whole.len(), 62);
    for max_chars in [500, 4_000, 38_000] {
        let (mut cursor, mut seen) = (String::from("0"), Vec::new());
        loop {
            let ask = json!({ "pattern": "box", "max_chars": max_chars, "cursor": cursor });
            let text = said(&folder, &ask);
            assert!(text.trim_end().chars().count() <= max_chars, "{max_chars}: {text}");
            let body = text.split("footprint").next().unwrap();
            let is_hit = |line: &&str| {
                let place = line.trim_start().split_once("  ").map_or("", |(place, _)| place);
                place.contains(':') && place.chars().all(|c| c.is_ascii_digit() || c == ':')
            };
            seen.extend(body.lines().filter(is_hit).map(str::to_owned));
            match text.split_once("\"cursor\":\"") {
                Some((_, next)) => next.split('"').next().unwrap().clone_into(&mut cursor),
                None => break,
            }
        }
        assert_eq!(seen.len(), whole.len(), "{max_chars}");
    }
}

#[test]
fn a_call_that_is_not_wanted_any_more_ends() {
    let folder = with(&[("a.js", b"box")]);
    let settings = Settings { here: folder.project(), ..Settings::default() };
    let arguments = json!({ "pattern": "box" });
    let call = Call {
        tool: "find_in_files".to_owned(),
        arguments: arguments.as_object().unwrap().clone(),
        client_roots: Vec::new(),
        listing: Listing::Findings,
        principal: Principal::Own,
    };
    let stop = Stop::default();
    stop.set();
    let reply = Session::new(settings).ask(&call, &stop, &Quiet);
    assert_eq!(reply.outcome, Outcome::Failed);
    assert!(reply.text.contains("stopped before the answer was whole"), "{}", reply.text);
}

/// A project whose documentation says of a wagon that it is a `Carriage`.
fn railway() -> Folder {
    with(&[
        ("groundline.toml", b"builtins = []\n[[api]]\nname = \"rail\"\nversion = \"1\"\npages = [\"docs/*.md\"]\ndeclarations = [\"api/*.d.ts\"]\n"),
        ("api/rail.d.ts", b"interface Carriage { couple(): void }\ninterface Train { addCarriage(): Carriage }\ndeclare const train: Train;\n"),
        ("docs/carriage.md", b"# Carriage\n\nIt is drawn.\n\n## Carriage-couple\n\nCouples it.\n\nReturns: `void`\n"),
        ("docs/train.md", b"# Train\n\nIt moves.\n\n## Train-addCarriage\n\nAdds one.\n\nReturns: [Carriage](carriage.md)\n"),
        ("docs/guide.md", b"# Guide\n\n## Append a wagon\n\nUse [Train-addCarriage](train.md#train-addcarriage) for it.\n\n```js\ntrain.addCarriage();\n```\n"),
        ("main.js", b"const last = train.addCarriage();\nconst addCarriages = 1;\nlast.couple();\n"),
    ])
}

#[test]
fn words_that_the_documentation_knows_are_searched_by_the_symbols_behind_them() {
    let folder = railway();
    let ask = json!({ "pattern": "the wagon", "glob": "*.js" });
    let answer = found(&folder, &ask);
    assert_eq!(answer["rung"], "concept", "{answer}");
    assert_eq!(answer["symbols"], json!(["Train.addCarriage"]), "{answer}");
    assert_eq!(places(&answer), ["main.js:1:20"]);
    let text = said(&folder, &ask);
    assert!(
        text.contains("the real symbols behind `the wagon`: Train.addCarriage (1 hit)"),
        "{text}"
    );
}

#[test]
fn words_are_not_expanded_where_they_are_found_or_meant_literally_or_unknown() {
    let folder = railway();
    for (ask, rung) in [
        (json!({ "pattern": "wagon" }), json!("regex")),
        (json!({ "pattern": "the wagon", "glob": "*.js", "literal": true }), json!(null)),
        (json!({ "pattern": "the locomotive", "glob": "*.js" }), json!(null)),
        (json!({ "pattern": "wagon.length", "glob": "*.js" }), json!(null)),
    ] {
        assert_eq!(found(&folder, &ask)["rung"], rung, "{ask}");
    }
}
