//! The door with an issuer's tokens: who is let in, as whom and how far, and that no token gets out again.

use crate::program::{Era, Folder, PATIENCE};
use crate::web::{Request, Said, Web};
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;

const ISSUER: &str = "https://id.example.org/";
const RESOURCE: &str = "https://tools.example.org/ground/mcp";
const METADATA: &str = "https://tools.example.org/.well-known/oauth-protected-resource/ground/mcp";

const LONG_AGO: u64 = 1_000_000_000;
const IN_A_LONG_TIME: u64 = 10_000_000_000;

/// A server with an issuer of its own, and everything that it said.
struct Site {
    folder: Folder,
    web: Web,
    answers: RefCell<String>,
}

/// The key whose secret is this number over and over.
fn key(secret: u8) -> EncodingKey {
    let before = b"\x30\x2e\x02\x01\0\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20";
    EncodingKey::from_ed_der(&[&before[..], &[secret; 32]].concat())
}

fn key_set(secret: u8) -> String {
    let mut jwk = Jwk::from_encoding_key(&key(secret), Algorithm::EdDSA).unwrap();
    jwk.common.key_id = Some("first".to_owned());
    json!({ "keys": [jwk] }).to_string()
}

fn claims(subject: &str, scope: &str) -> Value {
    json!({"iss": ISSUER, "aud": RESOURCE, "sub": subject, "exp": IN_A_LONG_TIME, "scope": scope})
}

fn signed(claims: &Value, key: &EncodingKey, name: &str) -> String {
    let header = Header { kid: Some(name.to_owned()), ..Header::new(Algorithm::EdDSA) };
    encode(&header, claims, key).unwrap()
}

/// A right token.
fn token(subject: &str, scope: &str) -> String {
    signed(&claims(subject, scope), &key(1), "first")
}

fn reading() -> String {
    token("ada", "openid groundline:read")
}

/// A text as the parts of a token are written.
fn part(value: &Value) -> String {
    let any = EncodingKey::from_secret(b"any").unwrap();
    encode(&Header::default(), value, &any).unwrap().split('.').nth(1).unwrap().to_owned()
}

fn list() -> Request {
    Request::message(Era::Discover, 1, "tools/list", json!({}))
}

fn call(era: Era, tool: &str, arguments: Value) -> Request {
    Request::message(era, 1, "tools/call", json!({"name": tool, "arguments": arguments}))
}

fn check() -> Request {
    call(Era::Discover, "check_symbols", json!({"code": "[].atIndex()"}))
}

fn challenge(said: &Said) -> &str {
    said.header("www-authenticate").unwrap_or("")
}

impl Site {
    fn open() -> Site {
        let folder = Folder::empty();
        fs::create_dir(folder.project().join(".git")).unwrap();
        fs::write(folder.project().join("a.js"), "const a = [];\na.push(1);\n").unwrap();
        let settings =
            format!("resource = \"{RESOURCE}\"\nissuer = \"{ISSUER}\"\nkeys = \"keys.json\"\n");
        fs::write(folder.project().with_file_name("oauth.toml"), settings).unwrap();
        fs::write(folder.project().with_file_name("keys.json"), key_set(1)).unwrap();
        let web = Web::with(&folder, &["--oauth", "../oauth.toml"]);
        Site { folder, web, answers: RefCell::default() }
    }

    fn keys(&self) -> PathBuf {
        self.folder.project().with_file_name("keys.json")
    }

    fn send(&self, request: &Request) -> Said {
        let said = self.web.send(request);
        self.answers.borrow_mut().push_str(&format!("{said:?}\n"));
        said
    }

    fn send_with(&self, token: &str, request: Request) -> Said {
        self.send(&request.with("authorization", &format!("Bearer {token}")))
    }

    /// A call that is let in; its text.
    fn text(&self, token: &str, tool: &str, arguments: Value) -> String {
        let said = self.send_with(token, call(Era::Discover, tool, arguments));
        assert_eq!(said.status, 200, "{said:?}");
        said.message()["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// Ends it; everything that it ever said, on standard error and in answers.
    fn end(self) -> (String, String) {
        self.web.signal("TERM");
        let greeting = self.web.greeting.clone();
        let (status, said) = self.web.ends_within(PATIENCE);
        assert!(status.success(), "{status} {said}");
        (format!("{greeting}\n{said}"), self.answers.into_inner())
    }
}

#[test]
fn h17_without_a_token_one_is_asked_for_and_where_to_find_it_is_said() {
    let site = Site::open();
    let asked = format!("Bearer resource_metadata=\"{METADATA}\", scope=\"groundline:read\"");
    for request in [list(), check(), call(Era::Initialize, "check_symbols", json!({"code": "1"}))] {
        let said = site.send(&request);
        assert_eq!((said.status, challenge(&said)), (401, asked.as_str()), "{said:?}");
    }
    for malformed in ["", "Bearer", "Bearer ", "Basic eDp5", &reading()] {
        let said = site.send(&list().with("authorization", malformed));
        assert!(
            said.status == 401 && challenge(&said).starts_with(&asked),
            "{malformed}: {said:?}"
        );
    }
    assert_eq!(site.send(&Request::new("GET /metrics")).status, 401);
    assert_eq!(site.send(&Request::new("GET /healthz")).status, 200);
}

#[test]
fn h18_a_token_that_does_not_hold_is_an_invalid_token() {
    let site = Site::open();
    // A key set that a token might point to, with the key that it was signed with.
    fs::write(site.folder.project().with_file_name("theirs.json"), key_set(2)).unwrap();
    let theirs = site.folder.project().with_file_name("theirs.json").display().to_string();
    let changed = |name: &str, value: Value| {
        let mut claims = claims("ada", "groundline:read");
        claims[name] = value;
        signed(&claims, &key(1), "first")
    };
    let right = claims("ada", "groundline:read");
    let unsigned = format!("{}.{}.", part(&json!({"alg": "none"})), part(&right));
    for (what, token) in [
        ("signature", signed(&right, &key(2), "first")),
        ("expired", changed("exp", json!(LONG_AGO))),
        ("audience", changed("aud", json!("https://other.example.org/mcp"))),
        ("issuer", changed("iss", json!("https://id.example.com/"))),
        ("alg none", unsigned),
        ("kid, right key", signed(&right, &key(1), "../../../etc/passwd")),
        ("kid, their key", signed(&right, &key(2), &theirs)),
        ("kid, their key, from here", signed(&right, &key(2), "../theirs.json")),
        ("no token", "x".repeat(300)),
    ] {
        let said = site.send_with(&token, check());
        assert_eq!(said.status, 401, "{what}: {said:?}");
        let challenge = challenge(&said);
        assert!(challenge.contains("error=\"invalid_token\""), "{what}: {challenge}");
        assert!(challenge.contains(METADATA) && challenge.contains("scope=\"groundline:read\""));
    }
    assert_eq!(site.send_with(&reading(), check()).status, 200);
}

#[test]
fn h19_a_tool_that_changes_files_takes_the_scope_that_is_named() {
    let site = Site::open();
    assert!(site.text(&reading(), "check_symbols", json!({"code": "[].atIndex()"})).contains("at"));
    let delete = json!({"path": "a.js", "line": 1});
    for era in [Era::Initialize, Era::Discover] {
        let said = site.send_with(&reading(), call(era, "delete_construct", delete.clone()));
        let challenge = challenge(&said);
        assert_eq!(said.status, 403, "{said:?}");
        assert!(challenge.contains("error=\"insufficient_scope\""), "{challenge}");
        assert!(challenge.contains("scope=\"groundline:change\""), "{challenge}");
        assert!(said.body.contains("scope") && !said.body.contains("--allow-host"), "{said:?}");
    }
    let text = site.text(&token("ada", "groundline:change"), "delete_construct", delete);
    assert!(text.contains("a.push(1)"), "{text}");
    let kept = fs::read_to_string(site.folder.project().join("a.js")).unwrap();
    assert!(kept.contains("push"), "nothing was to be applied");
}

#[test]
fn h20_a_token_in_the_query_is_none_and_is_written_nowhere() {
    let site = Site::open();
    let token = reading();
    for name in ["access_token", "token", "authorization"] {
        for path in ["/mcp", "/metrics", "/healthz", "/nowhere"] {
            let method = if path == "/mcp" { "POST" } else { "GET" };
            let line = format!("{method} {path}?{name}={token}");
            let said = site.send(&Request { line, ..check() });
            let expected = match path {
                "/healthz" => 200,
                "/nowhere" => 404,
                _ => 401,
            };
            assert_eq!(said.status, expected, "{said:?}");
        }
    }
    let (said, answers) = site.end();
    assert!(!said.contains(&token) && !answers.contains(&token), "{said}\n{answers}");
}

#[test]
fn h21_whoever_asks_is_told_who_gives_tokens() {
    let site = Site::open();
    let at = "/.well-known/oauth-protected-resource";
    for path in [at.to_owned(), format!("{at}/mcp"), format!("{at}/ground/mcp")] {
        let said = site.send(&Request::new(&format!("GET {path}")));
        assert_eq!((said.status, said.header("content-type")), (200, Some("application/json")));
        let told = said.message();
        assert_eq!(told["resource"], RESOURCE);
        assert_eq!(told["authorization_servers"], json!([ISSUER]));
        assert_eq!(told["bearer_methods_supported"], json!(["header"]));
        assert_eq!(told["scopes_supported"], json!(["groundline:read", "groundline:change"]));
        let said = site.send(&Request { line: format!("POST {path}"), ..list() });
        assert_eq!((said.status, said.header("allow")), (405, Some("GET, HEAD")), "{path}");
    }
    for path in [format!("{at}/"), format!("{at}/ground"), format!("{at}x"), format!("{at}//mcp")] {
        assert_eq!(site.send(&Request::new(&format!("GET {path}"))).status, 404, "{path}");
    }
}

#[test]
fn h22_who_guesses_tokens_is_told_to_wait_and_locks_nobody_out() {
    let site = Site::open();
    let bad = |n: usize| {
        let claims = claims(&format!("guess {n}"), "groundline:read");
        site.send_with(&signed(&claims, &key(2), "first"), check())
    };
    assert!((0..19).all(|n| bad(n).status == 401));
    // On a slow day, the first tries are forgiven meanwhile.
    let said = (19..99).map(bad).find(|said| said.status != 401).expect("there is an end to it");
    assert_eq!(said.status, 429);
    let wait = said.header("retry-after").unwrap().parse::<u64>().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert_eq!(site.send_with(&reading(), check()).status, 200);
}

#[test]
fn h23_a_baseline_of_one_subject_is_not_there_for_another() {
    let site = Site::open();
    let (ada, bob) = (reading(), token("bob", "groundline:read"));
    let ask = |token: &str, arguments: Value| site.text(token, "verify_fingerprint", arguments);
    let begun = ask(&ada, json!({"action": "begin"}));
    let id = begun.split_whitespace().find(|word| word.len() == 64).unwrap().to_owned();
    let compare = |token: &str, id: &str| ask(token, json!({"action": "compare", "baseline": id}));
    let nobodys = "0".repeat(64);
    let unknown = compare(&bob, &nobodys);
    assert!(unknown.contains("is not there for this root"), "{unknown}");
    let stolen = compare(&bob, &id).replace(&id, &nobodys).replace(&id[..12], &nobodys[..12]);
    assert_eq!(stolen, unknown);
    assert!(!ask(&bob, json!({"action": "status"})).contains(&id));
    // It is the subject that counts, not the token.
    let later = token("ada", "groundline:change");
    assert!(compare(&later, &id).starts_with("verify_fingerprint  HELD"));
    // Nor is it there for the user of the machine.
    let (status, ..) = site.folder.run(&["fingerprint", "compare", &id], "");
    assert_eq!(status, 2);
}

#[test]
fn a_token_without_a_scope_shows_which_tools_there_are_and_no_more() {
    let site = Site::open();
    let bare = token("ada", "openid profile");
    for era in [Era::Initialize, Era::Discover] {
        let said = site.send_with(&bare, Request::message(era, 1, "tools/list", json!({})));
        assert_eq!(said.status, 200, "{said:?}");
        assert!(said.message()["result"]["tools"].as_array().unwrap().len() > 5);
        let said = site.send_with(&bare, call(era, "check_symbols", json!({"code": "1"})));
        assert_eq!(said.status, 403, "{said:?}");
        assert!(
            challenge(&said).contains("scope=\"groundline:read\", error=\"insufficient_scope\"")
        );
    }
}

#[test]
fn no_token_gets_out_again() {
    let site = Site::open();
    let tokens = [
        reading(),
        token("bob", "groundline:change"),
        token("eve", ""),
        signed(&claims("eve", "groundline:change"), &key(2), "first"),
        signed(&claims("eve", "groundline:change"), &key(1), "second"),
        format!("{}x", reading()),
    ];
    for token in &tokens {
        for request in [
            list(),
            check(),
            Request::post("{"),
            Request::new("GET /metrics"),
            call(Era::Discover, "no_such_tool", json!({})),
            call(Era::Discover, "delete_construct", json!({"path": "a.js", "line": 1})),
            call(Era::Discover, "verify_fingerprint", json!({"action": "begin"})),
            Request { line: "DELETE /mcp".to_owned(), ..list() },
        ] {
            site.send_with(token, request);
        }
    }
    let (said, answers) = site.end();
    assert!(answers.contains("groundline_refused_requests_total"), "{answers}");
    for token in tokens {
        for part in token.split('.').skip(1) {
            assert!(!said.contains(part) && !answers.contains(part), "{said}\n{answers}");
        }
    }
}

#[test]
fn a_key_set_that_cannot_be_read_any_more_is_told_and_the_last_one_holds() {
    let site = Site::open();
    fs::write(site.keys(), "{\"keys\":[").unwrap();
    assert_eq!(site.send_with(&reading(), check()).status, 200);
    let metrics = site.send_with(&reading(), Request::new("GET /metrics")).body;
    assert!(metrics.contains("\ngroundline_key_set_unreadable 1\n"), "{metrics}");
    let (said, _) = site.end();
    let told: Vec<&str> =
        said.lines().filter(|line| line.contains("keys.json: it is not JSON")).collect();
    assert!(told.len() == 1 && told[0].contains("were read before hold"), "{said}");
    let site = Site::open();
    let metrics = site.send_with(&reading(), Request::new("GET /metrics")).body;
    assert!(metrics.contains("\ngroundline_key_set_unreadable 0\n"), "{metrics}");
    let (said, _) = site.end();
    assert_eq!(said.trim().lines().count(), 1, "{said}");
    let web = Web::start(&Folder::empty(), &[]);
    assert!(
        !web.send(&Request::new("GET /metrics")).body.contains("groundline_key_set_unreadable ")
    );
}
