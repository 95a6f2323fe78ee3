//! The protocol over HTTP: who is let in, what a request must be, and what each answer carries.

use crate::program::{Era, Folder, PATIENCE, hello};
use crate::web::{Request, Said, Web, wire_to};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::time::{Duration, Instant};

const ERAS: [Era; 2] = [Era::Initialize, Era::Discover];

fn list(era: Era) -> Request {
    Request::message(era, 1, "tools/list", json!({}))
}

fn call(era: Era, arguments: Value) -> Request {
    Request::message(era, 1, "tools/call", json!({"name": "check_symbols", "arguments": arguments}))
}

fn statuses(web: &Web, requests: impl IntoIterator<Item = Request>) -> Vec<u16> {
    requests.into_iter().map(|request| web.send(&request).status).collect()
}

#[test]
fn both_eras_are_served_at_one_endpoint_and_none_has_a_session() {
    let folder = Folder::empty();
    let web = Web::start(&folder, &[]);
    let said = web.send(&Request::message(Era::Initialize, 0, "initialize", hello()));
    assert_eq!(said.message()["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(said.header("mcp-session-id"), None);
    let said = web.send(&Request::message(Era::Discover, 0, "server/discover", json!({})));
    assert_eq!(said.message()["result"]["cacheScope"], "public");
    let lists = ERAS.map(|era| {
        let plain = web.send(&list(era));
        let with_session = web.send(&list(era).with("mcp-session-id", "of my own"));
        assert_eq!(with_session.header("mcp-session-id"), None);
        assert_eq!(plain.body, with_session.body);
        plain.message()["result"]["tools"].clone()
    });
    assert_eq!(lists[0], lists[1]);
    assert_eq!(
        web.send(&Request::post(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#))
            .status,
        202
    );
}

#[test]
fn a_request_names_a_host_that_is_known() {
    let folder = Folder::empty();
    let web = Web::start(&folder, &["--allow-host", "tools.example.org"]);
    let port = web.address.port();
    let hosts = |names: &[String]| {
        statuses(&web, names.iter().map(|name| list(Era::Initialize).with("host", name)))
    };
    let own = ["localhost", "127.0.0.1", "[::1]", "tools.example.org"];
    let own: Vec<String> =
        own.iter().flat_map(|n| [(*n).to_owned(), format!("{n}:{port}")]).collect();
    assert_eq!(hosts(&own), [200; 8]);
    let foreign = ["evil.example", "localhost.evil.example", "0.0.0.0", "evil.example:80"];
    assert_eq!(hosts(&foreign.map(str::to_owned)), [403; 4]);
    assert_eq!(hosts(&["", "a b", "user@localhost"].map(str::to_owned)), [400; 3]);
    let twice = list(Era::Initialize).with("host", "localhost").with("host", "localhost");
    assert_eq!(web.send(&twice).status, 400);
    assert_eq!(web.send_bytes(b"POST /mcp HTTP/1.1\r\ncontent-length: 0\r\n\r\n").status, 400);
    let absolute = Request { line: "POST http://evil.example/mcp".into(), ..list(Era::Initialize) };
    assert_eq!(web.send(&absolute.with("host", "localhost")).status, 403);
    let health = Request::new("GET /healthz").with("host", "evil.example");
    assert_eq!(web.send(&health).status, 403);
}

#[test]
fn a_page_of_a_foreign_origin_is_refused_and_one_that_was_let_in_is_answered() {
    let folder = Folder::empty();
    let web = Web::start(&folder, &["--allow-origin", "https://app.example.org"]);
    let from = |origin: &str| web.send(&list(Era::Initialize).with("origin", origin));
    for foreign in
        ["http://evil.example", "null", "http://localhost:1", "https://app.example.org:444", "x"]
    {
        let said = from(foreign);
        assert_eq!(
            (said.status, said.header("access-control-allow-origin")),
            (403, None),
            "{foreign}"
        );
    }
    assert_eq!(from(&format!("http://localhost:{}", web.address.port())).status, 200);
    let said = from("https://app.example.org");
    assert_eq!(said.status, 200);
    assert_eq!(said.header("access-control-allow-origin"), Some("https://app.example.org"));
    let asks = |origin: &str| web.send(&Request::new("OPTIONS /mcp").with("origin", origin));
    let said = asks("https://app.example.org");
    assert_eq!((said.status, said.header("access-control-allow-methods")), (204, Some("POST")));
    assert_eq!(said.header("access-control-allow-credentials"), None);
    assert_eq!(asks("http://evil.example").status, 403);
    let own = Request::new("OPTIONS /mcp");
    let said = web.send(&own);
    assert!(said.status == 405 && !said.headers.iter().any(|(n, _)| n.starts_with("access-")));
}

#[test]
fn what_is_no_message_is_refused_by_its_form() {
    let folder = Folder::empty();
    let web = Web::start(&folder, &[]);
    let good = || list(Era::Initialize);
    let types = [
        Some("text/plain"),
        None,
        Some("application/x-www-form-urlencoded"),
        Some("application/jsonx"),
    ];
    let typed = types.map(|media_type| good().instead("content-type", media_type));
    assert_eq!(statuses(&web, typed), [415; 4]);
    let spelt = good().instead("content-type", Some("Application/JSON; charset=utf-8"));
    assert_eq!(web.send(&spelt).status, 200);
    let accepted = ["application/json", "text/event-stream", "text/html"];
    let accepting = accepted.map(|media_type| good().instead("accept", Some(media_type)));
    assert_eq!(statuses(&web, accepting), [406; 3]);
    for method in ["GET", "DELETE", "PUT", "PATCH", "HEAD"] {
        let said = web.send(&Request::new(&format!("{method} /mcp?name=check_symbols")));
        assert_eq!((said.status, said.header("allow")), (405, Some("POST")), "{method}");
    }
    for path in ["/", "/mcp/", "/mcpx", "/.well-known/oauth-protected-resource", "//mcp", "/%6dcp"]
    {
        let said = web.send(&Request { line: format!("POST {path}"), ..good() });
        assert_eq!((said.status, said.body.as_str()), (404, ""), "{path}");
    }
}

#[test]
fn json_that_is_no_message_is_told_so() {
    let folder = Folder::empty();
    let web = Web::start(&folder, &[]);
    let code = |body: &str| web.send(&Request::post(body)).code();
    assert_eq!(code("{ not json"), (400, -32700));
    assert_eq!(code(""), (400, -32700));
    assert_eq!(code(&"[".repeat(100_000)), (400, -32700));
    assert_eq!(code(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#), (400, -32600));
    assert_eq!(code(r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#), (400, -32600));
    assert_eq!(code(r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#), (400, -32600));
    assert_eq!(code(r#"{"id":7}"#), (400, -32600));
    assert_eq!(web.send(&Request::post(b"\xff\xfe".to_vec())).code(), (400, -32700));
}

#[test]
fn a_request_of_the_newer_era_says_all_about_itself() {
    let folder = Folder::empty();
    let web = Web::start(&folder, &[]);
    let era = Era::Discover;
    assert_eq!(web.send(&Request::message(era, 1, "no/such", json!({}))).code(), (404, -32601));
    let mut strange = list(era).instead("mcp-protocol-version", Some("2199-01-01"));
    strange.body =
        String::from_utf8(strange.body).unwrap().replace("2026-07-28", "2199-01-01").into();
    let said = web.send(&strange);
    assert_eq!(said.code(), (400, -32022));
    assert!(said.body.contains("2025-11-25"), "{}", said.body);
    let good = call(era, json!({"code": "1"}));
    for header in ["mcp-protocol-version", "mcp-method", "mcp-name"] {
        assert_eq!(web.send(&good.clone().instead(header, None)).code(), (400, -32020), "{header}");
        let other = good.clone().instead(header, Some("2025-11-25"));
        assert_eq!(web.send(&other).code(), (400, -32020), "{header}");
    }
    let without = Request::post(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#)
        .with("mcp-protocol-version", "2026-07-28")
        .with("mcp-method", "tools/list");
    assert_eq!(web.send(&without).code(), (400, -32602));
    let tool = Request::message(era, 1, "tools/call", json!({"name": "nope", "arguments": {}}));
    assert_eq!(web.send(&tool).code(), (200, -32602));
}

#[test]
fn what_is_refused_is_quoted_with_nothing_hidden() {
    let folder = Folder::empty();
    let web = Web::start(&folder, &[]);
    let name = "no\u{202e}such\u{200b}tool";
    let params = json!({"name": name, "arguments": {}});
    for request in [
        Request::message(Era::Initialize, 1, "tools/call", params.clone()),
        Request::message(Era::Initialize, 1, name, json!({})),
        Request::post(format!(r#"{{"jsonrpc":"{name}","id":1,"method":"x"}}"#)),
    ] {
        let said = web.send(&request);
        assert!(said.message()["error"].is_object(), "{said:?}");
        assert!(!said.body.contains(['\u{202e}', '\u{200b}']), "{said:?}");
    }
}

#[test]
fn arguments_that_are_wrong_are_an_answer() {
    let folder = Folder::empty();
    let web = Web::start(&folder, &[]);
    for era in ERAS {
        let (is_error, text) = web.call(era, "check_symbols", &json!({"max_chars": "many"}));
        assert!(is_error && text.contains("`max_chars`"), "{text}");
        let (is_error, text) = web.call(era, "check_symbols", &json!([1]));
        assert!(is_error && text.contains(r#"{"code": "#), "{text}");
    }
}

#[test]
fn what_is_too_much_is_refused_before_it_is_read() {
    let folder = Folder::empty();
    let web = Web::start(&folder, &[]);
    let said = web.send(&Request::post(vec![b' '; 5 << 20]));
    assert_eq!((said.status, said.header("connection")), (413, Some("close")));
    let head = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    // Nothing of the body is there yet.
    let announced = format!("{head}content-length: 99999999\r\n\r\n");
    assert_eq!(web.send_bytes(announced.as_bytes()).status, 413);
    let chunk = format!("{:x}\r\n{}\r\n", 1 << 20, " ".repeat(1 << 20));
    let chunked = format!("{head}transfer-encoding: chunked\r\n\r\n{}0\r\n\r\n", chunk.repeat(5));
    assert_eq!(web.send_bytes(chunked.as_bytes()).status, 413);
    let long = format!("{head}x: {}\r\n\r\n", "y".repeat(70_000));
    assert_eq!(web.send_bytes(long.as_bytes()).status, 431);
    let many = format!("{head}{}\r\n", "x: y\r\n".repeat(200));
    assert_eq!(web.send_bytes(many.as_bytes()).status, 431);
    let uri = format!("GET /{} HTTP/1.1\r\nhost: localhost\r\n\r\n", "x".repeat(9_000));
    assert_eq!(web.send_bytes(uri.as_bytes()).status, 414);
    let mut wire = web.connect();
    let doubled = format!(
        "{head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n"
    );
    wire.stream.write_all(doubled.as_bytes()).unwrap();
    assert_eq!(wire.hear().unwrap().status, 400);
    assert!(wire.is_closed_within(PATIENCE));
    // Of HTTP/2 nothing is understood, so that none of its floods is either.
    let mut wire = web.connect();
    wire.stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").unwrap();
    assert!(wire.hear().is_none_or(|said| said.status >= 400) && wire.is_closed_within(PATIENCE));
    assert_eq!(web.send(&list(Era::Initialize)).status, 200);
}

#[test]
fn every_answer_carries_what_keeps_it_private() {
    let folder = Folder::empty();
    let web = Web::start(&folder, &[]);
    for request in [
        list(Era::Discover),
        Request::new("GET /x"),
        Request::new("GET /healthz"),
        Request::post("{"),
    ] {
        let said = web.send(&request);
        assert_eq!(said.header("x-content-type-options"), Some("nosniff"), "{said:?}");
        assert_eq!(said.header("cache-control"), Some("no-store"), "{said:?}");
        assert!(said.header("server").is_none() && said.header("x-powered-by").is_none());
    }
    let mut wish = call(Era::Discover, json!({"code": "[].atIndex()"}));
    wish.body = String::from_utf8(wish.body)
        .unwrap()
        .replace(r#""_meta":{"#, r#""_meta":{"progressToken":"p","#)
        .into();
    let said = web.send(&wish);
    if said.header("content-type") == Some("text/event-stream") {
        assert_eq!(said.header("x-accel-buffering"), Some("no"));
    }
    assert!(said.message()["result"]["content"][0]["text"].as_str().unwrap().contains("atIndex"));
}

#[test]
fn the_token_of_the_file_is_asked_for() {
    let folder = Folder::empty();
    let file = folder.project().join("kept/token");
    let web = Web::with(&folder, &["--token-file", "kept/token"]);
    assert!(web.greeting.contains("token"), "{}", web.greeting);
    let token = fs::read_to_string(&file).unwrap().trim().to_owned();
    assert!(!web.greeting.contains(&token));
    let shown = |value: &str| list(Era::Discover).with("authorization", value);
    assert_eq!(web.send(&shown(&format!("Bearer {token}"))).status, 200);
    for wrong in ["", "Bearer", "Bearer x", "Basic eDp5", &token] {
        let said = web.send(&shown(wrong));
        let challenge = said.header("www-authenticate").unwrap_or("");
        assert!(said.status == 401 && challenge.starts_with("Bearer "), "{wrong}: {said:?}");
    }
    let in_query =
        Request { line: format!("POST /mcp?access_token={token}"), ..list(Era::Discover) };
    assert_eq!(web.send(&in_query).status, 401);
    let metrics = Request::new("GET /metrics");
    assert_eq!(web.send(&metrics).status, 401);
    let said = web.send(&metrics.with("authorization", &format!("Bearer {token}")));
    assert!(said.status == 200 && said.body.contains("\ngroundline_connections "), "{said:?}");
    assert_eq!(web.send(&Request::new("GET /healthz")).body, "ok\n");
    let guesses: Vec<Said> = (0..20).map(|n| web.send(&shown(&format!("Bearer {n}")))).collect();
    let last = guesses.last().unwrap();
    assert!(last.status == 429 && last.header("retry-after").is_some(), "{last:?}");
    assert_eq!(web.send(&shown(&format!("Bearer {token}"))).status, 200);
    web.signal("TERM");
    let (status, said) = web.ends_within(PATIENCE);
    assert!(status.success() && !said.contains(&token), "{status} {said}");
}

#[test]
fn the_health_of_the_server_holds_no_data() {
    let folder = Folder::empty();
    let web = Web::start(&folder, &[]);
    let said = web.send(&Request::new("GET /healthz"));
    assert_eq!((said.status, said.body.as_str()), (200, "ok\n"));
    let said = web.send(&Request::new("HEAD /healthz"));
    assert_eq!(said.status, 200);
    assert_eq!(web.send(&Request::new("POST /healthz")).status, 405);
}

#[test]
fn a_door_that_others_could_reach_is_not_opened_carelessly() {
    let folder = Folder::empty();
    let refused = |arguments: &[&str]| {
        let (status, _, said) = folder.run(&[&["serve", "--http"], arguments].concat(), "");
        assert_eq!(status, 2, "{said}");
        said
    };
    assert!(refused(&["0.0.0.0:0", "--no-token"]).contains("--behind-tls-proxy"));
    assert!(refused(&["0.0.0.0:0"]).contains("--behind-tls-proxy"));
    assert!(refused(&["0.0.0.0:0", "--behind-tls-proxy"]).contains("--allow-host"));
    assert!(refused(&["example.org:80"]).contains("127.0.0.1:8765"));
    assert!(refused(&["127.0.0.1:0", "--allow-origin", "x"]).contains("`x` is no origin"));
    assert!(refused(&["127.0.0.1:0", "--root", "nowhere"]).contains("nowhere"));
    let web = Web::start(&folder, &[]);
    let said = refused(&[&web.address.to_string(), "--no-token"]);
    assert!(said.contains("is in use"), "{said}");
}

#[test]
fn calls_are_about_the_roots_that_are_served() {
    let folder = Folder::empty();
    for (path, text) in [("one/a.js", "first"), ("two/b.js", "second"), ("three/c.js", "third")] {
        fs::create_dir_all(folder.project().join(path).parent().unwrap()).unwrap();
        fs::write(folder.project().join(path), text).unwrap();
    }
    let web = Web::start(&folder, &["--root", "one", "--root", "two"]);
    let find = |arguments: Value| web.call(Era::Discover, "find_in_files", &arguments);
    assert!(find(json!({"pattern": "first"})).1.contains("a.js"));
    let two = folder.project().join("two").display().to_string();
    assert!(find(json!({"pattern": "second", "root": two})).1.contains("b.js"));
    for outside in ["three", "/", "/nowhere", "one/../three"] {
        let (is_error, text) = find(json!({"pattern": "third", "root": outside}));
        assert!(
            is_error && text.contains("is not served here") && !text.contains("c.js"),
            "{text}"
        );
    }
}

#[test]
fn each_of_many_connections_gets_its_own_answer() {
    let folder = Folder::empty();
    let web = Web::start(&folder, &[]);
    std::thread::scope(|scope| {
        for n in 0..48 {
            let address = web.address;
            scope.spawn(move || {
                let mut wire = wire_to(address);
                for round in 0..4 {
                    let code = format!("[].canary{n}x{round}()");
                    let era = ERAS[round % 2];
                    wire.stream
                        .write_all(&call(era, json!({ "code": code })).bytes(address))
                        .unwrap();
                    let said = wire.hear().unwrap();
                    assert_eq!(said.message()["id"], 1);
                    assert!(said.body.contains(&format!("canary{n}x{round} ")), "{said:?}");
                }
            });
        }
    });
}

#[test]
fn the_order_to_end_lets_a_call_finish_and_waits_for_nobody_else() {
    let folder = Folder::empty();
    for n in 0..60 {
        let code = format!("const a{n} = [];\n") + &"document.body.append(1);\n".repeat(400);
        fs::write(folder.project().join(format!("f{n}.js")), code).unwrap();
    }
    let web = Web::start(&folder, &[]);
    let mut half = web.connect();
    half.stream.write_all(b"POST /mcp HTTP/1.1\r\nhost: loc").unwrap();
    let mut idle = web.connect();
    idle.stream.write_all(&list(Era::Discover).bytes(web.address)).unwrap();
    assert_eq!(idle.hear().unwrap().status, 200);
    let mut busy = web.connect();
    let asked = call(Era::Discover, json!({"paths": ["."]}));
    busy.stream.write_all(&asked.bytes(web.address)).unwrap();
    let is_running = || web.send(&Request::new("GET /metrics")).body.contains("calls_running 1");
    let begun = Instant::now();
    while !is_running() {
        assert!(begun.elapsed() < PATIENCE, "the call is never begun");
    }
    let begun = Instant::now();
    web.signal("TERM");
    let said = busy.hear().expect("the call is answered");
    assert_eq!(said.status, 200);
    assert!(
        said.message()["result"]["content"][0]["text"].as_str().unwrap().contains("check_symbols")
    );
    let (status, _) = web.ends_within(Duration::from_secs(12));
    assert!(status.success() && begun.elapsed() < Duration::from_secs(12));
    assert!(half.is_closed_within(PATIENCE));
}
