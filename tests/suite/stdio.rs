//! The protocol over standard input and output: both eras, odd messages, and every way to end.

use crate::program::{Era, Folder, PATIENCE, Server, exit_within, hello};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::Duration;

const A_SECOND: Duration = Duration::from_secs(1);

const ERAS: [Era; 2] = [Era::Initialize, Era::Discover];

#[test]
fn the_handshake_names_the_server_and_carries_the_rule() {
    let folder = Folder::empty();
    let mut server = Server::start(&folder, Era::Initialize);
    let answer = server.ask_with("a", "initialize", hello());
    let result = &answer["result"];
    assert_eq!(result["protocolVersion"], "2025-11-25");
    assert_eq!(result["serverInfo"]["name"], "groundline");
    assert!(result["instructions"].as_str().unwrap().contains("check_symbols"));
    server.close();

    let mut server = Server::start(&folder, Era::Discover);
    let answer = server.ask_with("a", "server/discover", json!({}));
    let result = &answer["result"];
    let versions = result["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")) && versions.contains(&json!("2025-06-18")));
    assert_eq!(result["ttlMs"], 300_000);
    assert_eq!(result["cacheScope"], "public");
    assert!(result["instructions"].as_str().unwrap().contains("check_symbols"));
    server.close();
}

#[test]
fn older_clients_get_the_version_they_ask_for() {
    let folder = Folder::empty();
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut server = Server::start(&folder, Era::Initialize);
        let mut params = hello();
        params["protocolVersion"] = json!(version);
        let answer = server.ask_with(1, "initialize", params);
        assert_eq!(answer["result"]["protocolVersion"], version);
        server.close();
    }
}

#[test]
fn tools_are_listed_the_same_each_time_with_hints_and_a_time_to_live() {
    let folder = Folder::empty();
    let lists = ERAS.map(|era| {
        let mut server = Server::open(&folder, era);
        let first = server.ask_with(1, "tools/list", json!({}));
        let second = server.ask_with(1, "tools/list", json!({}));
        assert_eq!(first.to_string(), second.to_string());
        server.close();
        assert_eq!(first["result"]["ttlMs"], 300_000);
        assert_eq!(first["result"]["cacheScope"], "public");
        first["result"]["tools"].clone()
    });
    assert_eq!(lists[0], lists[1]);
    for tool in lists[0].as_array().unwrap() {
        assert!(tool.get("outputSchema").is_none());
        let hints = &tool["annotations"];
        for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
            assert!(hints[hint].is_boolean(), "{hint}");
        }
    }
}

#[test]
fn a_probe_that_is_followed_by_initialize_is_answered() {
    let folder = Folder::empty();
    let mut server = Server::start(&folder, Era::Discover);
    server.ask_with(1, "server/discover", json!({}));
    server.note("notifications/cancelled");
    let line = json!({"jsonrpc": "2.0", "id": 2, "method": "initialize", "params": hello()});
    server.say_line(&line.to_string());
    assert_eq!(server.hear()["result"]["protocolVersion"], "2025-11-25");
    server.note("notifications/initialized");
    server.say_line(r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#);
    assert_eq!(server.hear()["result"], json!({}));
    server.close();
}

#[test]
fn notes_before_the_first_request_are_let_pass() {
    let folder = Folder::empty();
    let mut server = Server::start(&folder, Era::Initialize);
    server.note("notifications/initialized");
    server.say_line(
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}"#,
    );
    server.say_line(r#"{"jsonrpc":"2.0","id":8,"result":{}}"#);
    server.ask_with(1, "tools/list", json!({}));
    server.note("notifications/roots/list_changed");
    server.ask_with(2, "ping", json!({}));
    server.ask_with(3, "initialize", hello());
    server.close();
}

#[test]
fn ids_come_back_as_they_were() {
    let folder = Folder::empty();
    let mut server = Server::open(&folder, Era::Initialize);
    for id in [json!(0), json!(-7), json!("x y"), json!(""), json!(i64::MAX), json!("12")] {
        server.ask_with(id, "ping", json!({}));
    }
    server.close();
}

#[test]
fn lines_that_are_no_message_are_answered_and_change_nothing() {
    let folder = Folder::empty();
    for era in ERAS {
        let mut server = Server::open(&folder, era);
        for (line, code, id) in [
            ("garbage", -32700, Value::Null),
            (r#"{"jsonrpc":"2.0","id":1,"method":"#, -32700, json!(1)),
            ("\u{0}", -32700, Value::Null),
            ("[1]", -32600, Value::Null),
            (r#""text""#, -32600, Value::Null),
            (r#"{"id":5,"method":"tools/list"}"#, -32600, json!(5)),
        ] {
            server.say_line(line);
            let answer = server.hear();
            assert_eq!(answer["error"]["code"], code, "{line}: {answer}");
            assert_eq!(answer["id"], id, "{line}: {answer}");
        }
        for line in ["", "   ", "\r", r#"{"jsonrpc":"2.0","method":"$/setTrace"}"#, r#"{"a":1}"#] {
            server.say_line(line);
        }
        server.input.as_mut().unwrap().write_all(b"\xff\xfe\n").unwrap();
        assert_eq!(server.hear()["error"]["code"], -32700);
        server.say_line(&("[".repeat(100_000)));
        assert_eq!(server.hear()["error"]["code"], -32700);
        let tools = server.ask_with(6, "tools/list", json!({}));
        assert!(tools["result"]["tools"].is_array());
        server.close();
    }
}

#[test]
fn a_line_that_is_too_long_is_refused_under_its_id() {
    let folder = Folder::empty();
    let mut server = Server::open(&folder, Era::Initialize);
    let code = "x".repeat(5 << 20);
    let line = format!(
        r#"{{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{{"name":"check_symbols","arguments":{{"code":"{code}"}}}}}}"#
    );
    server.say_line(&line);
    let answer = server.hear();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(11), &json!(-32600)));
    assert!(answer["error"]["message"].as_str().unwrap().contains("4 MiB"));
    server.say_line(&"y".repeat(5 << 20));
    assert_eq!(server.hear()["id"], Value::Null);
    // Just below the limit it is read.
    let (_, text) = server.call(12, "check_symbols", &json!({"code": "x".repeat(3 << 20)}));
    assert!(!text.is_empty());
    server.close();
}

#[test]
fn an_unknown_tool_is_answered_with_the_tools_there_are() {
    let folder = Folder::empty();
    for era in ERAS {
        let mut server = Server::open(&folder, era);
        let answer = server.ask_with(1, "tools/call", json!({"name": "nope", "arguments": {}}));
        assert_eq!(answer["error"]["code"], -32602);
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains("`nope`") && message.contains("check_symbols"), "{message}");
        let answer = server.ask_with(2, "no/such", json!({}));
        assert_eq!(answer["error"]["code"], -32601);
        server.close();
    }
}

#[test]
fn what_the_newer_era_gave_up_is_unknown_there() {
    let folder = Folder::empty();
    let mut server = Server::open(&folder, Era::Discover);
    for method in ["initialize", "ping", "logging/setLevel", "resources/subscribe"] {
        let answer = server.ask_with(method, method, json!({}));
        assert_eq!(answer["error"]["code"], -32601, "{answer}");
    }
    server.close();
}

#[test]
fn arguments_that_are_no_object_are_answered_with_the_form() {
    let folder = Folder::empty();
    for era in ERAS {
        let mut server = Server::open(&folder, era);
        for odd in [json!([1]), json!(7), json!("not json"), json!("[]"), json!(true)] {
            let (is_error, text) = server.call(1, "check_symbols", &odd);
            assert!(is_error && text.contains(r#"{"code": "#), "{odd}: {text}");
        }
        // A form that is wrong, and one that is none at all, are told apart from no arguments.
        for fine in [json!(null), json!(""), json!("{}"), json!({})] {
            let (_, text) = server.call(2, "check_symbols", &fine);
            assert!(!text.contains("must be an object"), "{fine}: {text}");
        }
        let answer = server.ask_with(3, "tools/call", json!({"arguments": {}}));
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        server.close();
    }
}

#[test]
fn no_argument_however_odd_ends_the_session() {
    let folder = Folder::empty();
    let mut server = Server::open(&folder, Era::Discover);
    let deep = (0..60).fold(json!(1), |inner, _| json!([inner]));
    for odd in [
        json!({"code": 7}),
        json!({"code": deep}),
        json!({"code": "\u{0}\u{202e}\u{1f600}", "path": "../../../etc/passwd"}),
        json!({"paths": [null, 1, {"a": []}]}),
        json!({"paths": "\u{0}"}),
        json!({"root": "/nowhere/at/all"}),
        json!({"root": "", "api": {}, "language": ["cobol"], "cursor": -1, "max_chars": -1}),
        json!({"": "", "__proto__": {}}),
    ] {
        let (_, text) = server.call(1, "check_symbols", &odd);
        assert!(!text.is_empty(), "{odd}");
    }
    server.close();
}

#[test]
fn seventy_calls_at_once_are_each_answered_once() {
    let folder = Folder::empty();
    for era in ERAS {
        let mut server = Server::open(&folder, era);
        let params = json!({"name": "check_symbols", "arguments": {"code": "a.b()"}});
        for id in 1..=70 {
            server.request(id, "tools/call", params.clone());
        }
        let mut ids = BTreeSet::new();
        for _ in 1..=70 {
            let answer = server.hear();
            assert!(answer["result"]["content"][0]["text"].is_string(), "{answer}");
            assert!(ids.insert(answer["id"].as_u64().unwrap()));
        }
        assert_eq!(ids, (1..=70).collect());
        server.close();
    }
}

#[test]
fn an_id_that_is_in_use_is_refused_and_both_are_answered() {
    let folder = Folder::empty();
    let mut server = Server::open(&folder, Era::Initialize);
    let params = json!({"name": "check_symbols", "arguments": {"code": "a.b();\n".repeat(2_000)}});
    server.request("same", "tools/call", params.clone());
    server.request("same", "ping", json!({}));
    let (refused, answered) = (server.hear(), server.hear());
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!("same"), &json!(-32600)));
    assert!(answered["result"]["content"][0]["text"].is_string(), "{answered}");
    // Free again.
    assert!(server.ask_with("same", "ping", json!({}))["result"].is_object());
    server.close();
}

#[test]
fn the_end_of_input_ends_it() {
    let folder = Folder::empty();
    let mut unopened = Server::start(&folder, Era::Initialize);
    drop(unopened.input.take());
    assert!(unopened.ends_within(A_SECOND).success());
    for era in ERAS {
        let mut idle = Server::open(&folder, era);
        drop(idle.input.take());
        assert!(idle.ends_within(A_SECOND).success());

        let mut busy = Server::open(&folder, era);
        for id in 1..=30 {
            let arguments = json!({"code": "a.b();\n".repeat(2_000)});
            busy.request(
                id,
                "tools/call",
                json!({"name": "check_symbols", "arguments": arguments}),
            );
        }
        drop(busy.input.take());
        assert!(busy.ends_within(A_SECOND + Duration::from_millis(500)).success());
    }
}

#[test]
fn what_was_asked_before_the_end_of_input_is_still_answered() {
    let folder = Folder::empty();
    let input = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello()}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}),
    ];
    // The last line does not end.
    let input = format!("{}\n{}", input[0], input[1]);
    let (status, output, _) = folder.run(&["serve"], &input);
    assert_eq!(status, 0);
    let ids: Vec<Value> = output
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].clone())
        .collect();
    assert_eq!(ids, [json!(1), json!(2)]);
}

#[test]
fn a_broken_output_ends_it() {
    let folder = Folder::empty();
    // While nothing is said (which only Linux shows), and when the next answer cannot be written.
    let idle = cfg!(target_os = "linux").then_some("");
    for said in idle.into_iter().chain([r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#]) {
        let mut command = folder.command(&["serve"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let line = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello()});
        writeln!(input, "{line}").unwrap();
        output.read_line(&mut String::new()).unwrap();
        drop(output);
        if !said.is_empty() {
            // It may be quicker to notice than we are to write.
            let _ = writeln!(input, "{said}");
        }
        let status = exit_within(&mut child, A_SECOND);
        assert!(status.success(), "{status}");
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it() {
    let folder = Folder::empty();
    for signal in ["INT", "TERM"] {
        let server = Server::open(&folder, Era::Initialize);
        let sent = std::process::Command::new("kill")
            .args([format!("-{signal}"), server.process().to_string()])
            .status();
        assert!(sent.unwrap().success());
        let status = server.ends_within(A_SECOND);
        assert!(status.success(), "{signal}: {status}");
    }
}

#[test]
fn input_from_a_file_is_served_too() {
    let folder = Folder::empty();
    let file = folder.project().join("said.jsonl");
    let line = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello()});
    std::fs::write(&file, format!("{line}\n")).unwrap();
    let mut command = folder.command(&["serve"]);
    command.stdin(std::fs::File::open(&file).unwrap()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut answer = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut answer).unwrap();
    assert!(answer.contains(r#""id":1"#), "{answer}");
    assert!(exit_within(&mut child, PATIENCE).success());
}
