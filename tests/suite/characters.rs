//! Characters that hide themselves or others: whatever a project holds and whatever is asked, none leaves the program.

use crate::program::{Era, Folder, Server};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};
use std::fs;

/// What must not leave, as the rule lists it.
fn is_forbidden(c: char) -> bool {
    (u32::from(c) < 0x20 && c != '\n' && c != '\t')
        || matches!(c,
            '\u{7f}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
            | '\u{3164}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{fff9}'..='\u{fffb}')
}

fn assert_visible(text: &str, about: &str) {
    let bad = text.chars().find(|c| is_forbidden(*c));
    assert!(bad.is_none(), "{about}: {bad:?} in {text:?}");
    let (mut n_marks, mut n_selectors) = (0, 0);
    for c in text.chars() {
        n_marks = if matches!(c, '\u{300}'..='\u{36f}') { n_marks + 1 } else { 0 };
        n_selectors = if matches!(c, '\u{fe00}'..='\u{fe0f}') { n_selectors + 1 } else { 0 };
        assert!(n_marks <= 4 && n_selectors <= 1, "{about}: {text:?}");
    }
}

/// Every text and name in a value.
fn assert_all_visible(value: &Value, about: &str) {
    match value {
        Value::String(text) => assert_visible(text, about),
        Value::Array(entries) => entries.iter().for_each(|e| assert_all_visible(e, about)),
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            assert_visible(name, about);
            // A patch is applied byte for byte, and shown as JSON shows it.
            if name != "patch" {
                assert_all_visible(value, about);
            }
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A few letters among characters of all forbidden kinds; no line ends, so that it can stand anywhere.
fn odd() -> impl Strategy<Value = String> {
    let one = prop_oneof![
        2 => proptest::char::range('a', 'z'),
        1 => proptest::char::range('\u{1}', '\u{8}'),
        1 => proptest::char::range('\u{e}', '\u{1f}'),
        1 => proptest::char::range('\u{7f}', '\u{9f}'),
        2 => proptest::char::range('\u{200b}', '\u{200d}'),
        2 => proptest::char::range('\u{202a}', '\u{202e}'),
        2 => proptest::char::range('\u{2060}', '\u{2069}'),
        1 => proptest::char::range('\u{e0000}', '\u{e007f}'),
        1 => proptest::char::range('\u{fff9}', '\u{fffb}'),
        1 => proptest::sample::select(vec!['\u{3164}', '\u{115f}', '\u{17b4}', '\u{feff}']),
    ];
    let stack =
        prop_oneof![Just("e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}"), Just("❤\u{fe0f}\u{fe0f}")];
    (proptest::collection::vec(one, 4..10), stack)
        .prop_map(|(chars, stack)| chars.into_iter().collect::<String>() + stack)
}

/// A project in which everything that can hold text holds these.
fn project(name: &str, code: &str, said: &str) -> Folder {
    let folder = Folder::with("tests/projects/kiln");
    let put = |path: String, text: String| fs::write(folder.project().join(path), text).unwrap();
    let page = format!(
        "# Kiln\n\nThe {said} oven.\n\n## Kiln-heatTo\n\nRaises {said} the temperature.\n\nReturns: `void`\n\n\
         ## Fire {said} a load\n\nPlace pieces {said}.\n\n```js\nkiln.heatTo(600); // {said}\nkiln.set{said}();\n```\n"
    );
    put("docs/kiln.md".to_owned(), page);
    let declared = format!(
        "/** The {said} oven. */\ninterface Kiln {{ '{said}': number; heatTo(degrees: number, mode?: '{said}'): void; shelf(n: number): Kiln }}\n\
         declare const kiln: Kiln;\n"
    );
    put(format!("api/{name}.d.ts"), declared);
    let script = format!(
        "const board = kiln.shelf(1); // {code}\nboard.heatTo(1, '{code}');\nboard.put{code} = 1;\nboard['{code}'] = 2;\nkiln.heat{code}();\nkiln.heatTwo(3);\n"
    );
    put(format!("{name}.js"), script.clone());
    put("plain.js".to_owned(), script);
    folder
}

fn calls(name: &str, code: &str, said: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("find_in_files", json!({"pattern": "board"})),
        ("find_in_files", json!({"pattern": name, "literal": true})),
        ("find_in_files", json!({"pattern": format!("nowhere {code}("), "glob": name})),
        ("find_in_files", json!({"pattern": "x", "max_chars": said})),
        ("lookup_docs", json!({})),
        ("lookup_docs", json!({"query": "fire a load"})),
        ("lookup_docs", json!({"query": said})),
        ("lookup_docs", json!({"symbol": "Kiln"})),
        ("lookup_docs", json!({"symbol": said, "api": said})),
        ("resolve_topic", json!({"goal": "fire a load"})),
        ("resolve_topic", json!({"goal": said})),
        ("find_construct", json!({"name": "load"})),
        ("find_construct", json!({"name": said})),
        ("check_symbols", json!({"paths": ["."]})),
        ("check_symbols", json!({"paths": [format!("{name}.js"), name]})),
        (
            "check_symbols",
            json!({"code": format!("kiln.{code}; kiln.heat{code}('{code}')"), "language": code}),
        ),
        ("check_symbols", json!({"code": "kiln.heatTwo()", "root": name})),
        ("verify_fingerprint", json!({"action": "begin", "allow": [name]})),
        ("verify_fingerprint", json!({"action": "compare", "baseline": name})),
        ("verify_fingerprint", json!({"action": code})),
        ("verify_fingerprint", json!({"action": "status"})),
        ("delete_construct", json!({"path": format!("{name}.js"), "line": 1})),
        ("delete_construct", json!({"path": "plain.js", "variable": "board"})),
        ("delete_construct", json!({"path": name, "variable": code})),
        ("delete_construct", json!({"path": "plain.js", "line": said})),
    ]
}

/// Few cases, since each starts servers; the same on every run.
fn cases() -> Vec<(String, String, String)> {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let texts = (odd(), odd(), odd());
    (0..3).map(|_| texts.new_tree(&mut runner).unwrap().current()).collect()
}

#[test]
fn no_answer_over_stdio_hides_anything_and_nothing_is_logged() {
    for (n, (name, code, said)) in cases().into_iter().enumerate() {
        let folder = project(&name, &code, &said);
        let era = if n % 2 == 0 { Era::Initialize } else { Era::Discover };
        let mut server = Server::open(&folder, era);
        for (id, (tool, arguments)) in (1..).zip(calls(&name, &code, &said)) {
            let params = json!({"name": tool, "arguments": arguments});
            assert_all_visible(&server.ask_with(id, "tools/call", params), tool);
        }
        for (id, (method, params)) in (100..).zip([
            ("tools/call", json!({"name": said, "arguments": {}})),
            ("tools/call", json!({"name": "lookup_docs", "arguments": said})),
            (said.as_str(), json!({})),
            ("tools/list", json!({"cursor": said})),
            ("tools/list", json!(said)),
        ]) {
            if params.is_object() || era == Era::Initialize {
                assert_all_visible(&server.ask_with(id, method, params), method);
            }
        }
        for (id, line) in (200..).zip([
            format!("{{\"jsonrpc\":\"2.0\",\"id\":200,\"method\":\"ping\",\"{said}"),
            format!("{{\"jsonrpc\":{},\"id\":201,\"method\":\"ping\"}}", json!(said)),
            json!({"jsonrpc": "2.0", "id": 202, "method": "tools/list", "params": {"_meta": {
                "io.modelcontextprotocol/protocolVersion": said,
                "io.modelcontextprotocol/clientCapabilities": {}}}})
            .to_string(),
            format!("{{\"jsonrpc\":\"2.0\",\"id\":203,\"method\":{{{}:1}}}}", json!(said)),
        ]) {
            server.say_line(&line);
            let heard = server.hear();
            assert_eq!(heard["id"], json!(id), "{heard}");
            assert_all_visible(&heard, &line);
        }
        server.close();
        assert_eq!(fs::read_to_string(folder.errors()).unwrap(), "");
    }
}

#[test]
fn no_line_that_is_printed_hides_anything() {
    let (name, code, said) = cases().remove(0);
    let folder = project(&name, &code, &said);
    let runs: Vec<Vec<String>> = [
        vec!["check"],
        vec!["check", "--format", "json"],
        vec!["check", name.as_str()],
        vec!["doctor"],
        vec!["symbols", "*", "--api", "kiln"],
        vec!["symbols", said.as_str()],
        vec!["topics"],
        vec!["constructs"],
        vec!["build", "--explain"],
        vec!["build", "--pages", said.as_str()],
        vec!["fingerprint", "begin", "--include", name.as_str()],
        vec!["fingerprint", "compare", said.as_str()],
        vec!["call", said.as_str()],
        vec!["call", "check_symbols", said.as_str()],
        vec!["init", "--root", name.as_str()],
        vec!["init", "--http", said.as_str()],
        vec!["serve", "--root", name.as_str(), "--http", said.as_str()],
        vec![said.as_str()],
        vec!["check", "--format", said.as_str()],
    ]
    .into_iter()
    .map(|words| words.into_iter().map(str::to_owned).collect())
    .collect();
    for words in runs {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (_, output, error) = folder.run(&words, "");
        assert_visible(&output, &format!("{words:?}"));
        assert_visible(&error, &format!("{words:?}"));
        assert!(!output.is_empty() || !error.is_empty() || words[0] == "constructs", "{words:?}");
    }
}

#[test]
fn no_answer_as_data_hides_anything() {
    let (name, code, said) = cases().remove(0);
    let folder = project(&name, &code, &said);
    for tool in [
        "find_in_files",
        "lookup_docs",
        "resolve_topic",
        "find_construct",
        "check_symbols",
        "verify_fingerprint",
        "delete_construct",
    ] {
        let of_tool = calls(&name, &code, &said).into_iter().filter(|(name, _)| *name == tool);
        let mut input: String = of_tool.map(|(_, arguments)| format!("{arguments}\n")).collect();
        input.push_str(&format!("{said}\n"));
        let (_, output, error) = folder.run(&["call", tool, "-", "--all"], &input);
        assert_visible(&output, tool);
        assert_visible(&error, tool);
        assert_eq!(output.lines().count(), input.lines().count(), "{tool}");
        for line in output.lines() {
            assert_all_visible(&serde_json::from_str(line).unwrap(), tool);
        }
    }
}

#[test]
fn a_patch_as_data_is_byte_for_byte_what_would_go() {
    let (name, code, said) = cases().remove(0);
    let folder = project(&name, &code, &said);
    let arguments = json!({"path": "plain.js", "variable": "board"}).to_string();
    let (_, output, _) = folder.run(&["call", "delete_construct", &arguments, "--json"], "");
    let answer: Value = serde_json::from_str(&output).unwrap();
    let first = fs::read_to_string(folder.project().join("plain.js")).unwrap();
    let first = format!("-{}\n", first.lines().next().unwrap());
    assert!(answer["patch"].as_str().unwrap().contains(&first), "{answer}");
}
