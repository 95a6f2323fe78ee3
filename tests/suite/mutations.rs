//! One server, and message after message that was bent out of shape: it goes on, and whoever can be answered is, once.
//!
//! Real frames of both eras and real arguments of every tool are mutated, the same way on every run.
//! `GROUNDLINE_MUTATIONS` says how many (`.ci/mutate.sh`: 100,000), `GROUNDLINE_PROGRAM` which program.

use crate::program::{Folder, hello};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// So many where nobody says otherwise; a few seconds without optimisation.
const N_MESSAGES: u64 = 3_000;

/// So many requests may be unanswered at once: fewer than the server takes.
const MAX_OPEN: usize = 32;

const PATIENCE: Duration = Duration::from_secs(45);

/// Every so many messages one is longer than a line may be.
const BETWEEN_LONG: u64 = 2_500;

/// xorshift64*: the same numbers everywhere.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.roll() >> 11).unwrap() % n.max(1)
    }
}

/// The calls of a session, with every argument that there is.
fn arguments() -> Vec<(&'static str, Value)> {
    vec![
        (
            "check_symbols",
            json!({"code": "const shelf = kiln.shelf(1);\nshelf.put(3);\nkiln.setDegrees(1);", "path": "a.js"}),
        ),
        (
            "check_symbols",
            json!({"paths": ["main.js", "api"], "language": "javascript", "max_chars": 2000, "cursor": 0}),
        ),
        ("check_symbols", json!({})),
        (
            "find_in_files",
            json!({"pattern": "shelf", "glob": "*.js", "context": 2, "footprints": true}),
        ),
        (
            "find_in_files",
            json!({"pattern": "k[il]+n\\.(\\w+)", "case": "smart", "path": "docs", "multiline": false}),
        ),
        (
            "find_in_files",
            json!({"pattern": "the shelf of the kiln", "literal": true, "root": "."}),
        ),
        (
            "lookup_docs",
            json!({"queries": [{"query": "raise the temperature", "about": "heat"}, {"query": "open the door"}]}),
        ),
        ("lookup_docs", json!({"symbol": "Kiln.heatTo", "api": "kiln", "max_chars": "3000"})),
        ("resolve_topic", json!({"goal": "place a piece on a board"})),
        ("find_construct", json!({"name": "Kiln", "api": "kiln"})),
        ("delete_construct", json!({"path": "main.js", "line": 1})),
        (
            "delete_construct",
            json!({"path": "main.js", "variable": "shelf", "apply": true, "hash": "00"}),
        ),
        (
            "verify_fingerprint",
            json!({"action": "compare", "baseline": "none", "allow": ["*.log"]}),
        ),
        ("verify_fingerprint", json!({"action": "status", "include": ["out/**"], "watch": []})),
    ]
}

/// Requests, notes and answers of both eras, without their ids.
fn corpus() -> Vec<(Option<&'static str>, Value)> {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "suite", "version": "1"}});
    let mut frames = vec![
        (Some("ping"), json!({})),
        (Some("tools/list"), json!({"cursor": "x"})),
        (Some("server/discover"), json!({"_meta": meta})),
        (Some("resources/list"), json!({})),
        (Some("prompts/get"), json!({"name": "x", "arguments": {}})),
        (Some("logging/setLevel"), json!({"level": "debug"})),
        (
            Some("completion/complete"),
            json!({"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": "b"}}),
        ),
        (Some("no/such/method"), json!([1, 2])),
        (
            None,
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "none"}}),
        ),
        (
            None,
            json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 1, "progress": 0.5}}),
        ),
        (None, json!({"jsonrpc": "2.0", "id": "ours", "result": {"roots": []}})),
        (None, json!({"jsonrpc": "2.0", "id": "ours", "error": {"code": -1, "message": "no"}})),
    ];
    for (tool, arguments) in arguments() {
        let call = json!({"name": tool, "arguments": arguments});
        frames.push((Some("tools/call"), call.clone()));
        let mut modern = call.clone();
        modern["_meta"] = meta.clone();
        frames.push((Some("tools/call"), modern));
        let mut packed = call;
        packed["arguments"] = json!(arguments.to_string());
        packed["_meta"] = json!({"progressToken": tool});
        frames.push((Some("tools/call"), packed));
    }
    frames
}

fn frame(dice: &mut Dice, corpus: &[(Option<&str>, Value)], id: u64) -> String {
    match &corpus[dice.below(corpus.len())] {
        (Some(method), params) => {
            let method = json!(method);
            format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":{method},\"params\":{params}}}")
        }
        (None, message) => message.to_string(),
    }
}

const ODD_VALUES: &[&str] = &[
    "null",
    "true",
    "-1",
    "1e400",
    "-1e-400",
    "9007199254740993",
    "18446744073709551616",
    "1.5",
    "\"\"",
    "[]",
    "{}",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "\"\\u202e\\u200b\"",
    "\"𝒳é漢\u{301}\u{301}\"",
    "[null,[{}]]",
    "\"null\"",
    "{\"id\":1}",
    "\"../../etc/passwd\"",
    "\"(((((\"",
];

const ODD_BYTES: &[&[u8]] = &[
    b"\0",
    b"\xff\xfe",
    b"\xc3\x28",
    b"\xed\xa0\x80",
    b"\n",
    b"\r\n",
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"]",
    b",",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xae",
    b"\x1b[31m",
];

/// The places at which a value begins, as far as a colon tells.
fn values(line: &[u8]) -> Vec<usize> {
    (1..line.len())
        .filter(|at| line[at - 1] == b':' && line[at.saturating_sub(2)] == b'"')
        .collect()
}

/// The end of the value at `from`, by quotes and brackets.
fn value_end(line: &[u8], from: usize) -> usize {
    let (mut depth, mut is_text, mut at) = (0_usize, false, from);
    while let Some(byte) = line.get(at) {
        match (is_text, byte) {
            (true, b'\\') => at += 1,
            (_, b'"') => is_text = !is_text,
            (false, b'{' | b'[') => depth += 1,
            (false, b',' | b'}' | b']') if depth == 0 => return at,
            (false, b'}' | b']') => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    line.len()
}

fn mutated(dice: &mut Dice, mut line: Vec<u8>, other: &[u8]) -> Vec<u8> {
    let places = values(&line);
    let place = places.get(dice.below(places.len())).copied();
    match (dice.below(18), place) {
        (0, _) => {
            for _ in 0..=dice.below(6) {
                let at = dice.below(line.len());
                line[at] ^= 1 << dice.below(8);
            }
        }
        (1, _) => line.truncate(dice.below(line.len())),
        (2, _) => {
            let (from, n_bytes) = (dice.below(line.len()), dice.below(20));
            line.drain(from..(from + n_bytes).min(line.len()));
        }
        (3, _) => {
            let at = dice.below(line.len());
            line.splice(at..at, ODD_BYTES[dice.below(ODD_BYTES.len())].iter().copied());
        }
        (4 | 5 | 12..=15, Some(at)) => {
            let odd = ODD_VALUES[dice.below(ODD_VALUES.len())];
            line.splice(at..value_end(&line, at), odd.bytes());
        }
        (6, Some(at)) => {
            let depth = [20, 100, 126, 140, 2_000, 30_000][dice.below(6)];
            let (open, close) = [("[", "]"), ("{\"a\":", "}")][dice.below(2)];
            let deep = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            line.splice(at..value_end(&line, at), deep.bytes());
        }
        (7, Some(at)) => {
            // A key twice: the one before this value, with another value.
            let key = line[..at - 1].iter().rposition(|b| b",{".contains(b)).map_or(0, |n| n + 1);
            let twice = [&line[key..at], ODD_VALUES[dice.below(ODD_VALUES.len())].as_bytes(), b","]
                .concat();
            line.splice(key..key, twice);
        }
        (8, _) => {
            line.truncate(dice.below(line.len()));
            line.extend_from_slice(&other[dice.below(other.len())..]);
        }
        (9, _) => line.extend_from_slice(other),
        (10, Some(at)) => {
            let from = dice.below(line.len());
            let piece = line[from..value_end(&line, from)].to_vec();
            line.splice(at..value_end(&line, at), piece);
        }
        _ => {}
    }
    line
}

/// How often an id is to be answered.
#[derive(Debug, Default)]
struct Row {
    must: usize,
    may: usize,
    heard: usize,
}

/// What was asked and answered, by id.
#[derive(Default)]
struct Tally {
    rows: BTreeMap<String, Row>,
    n_open: usize,
}

impl Tally {
    fn change(&mut self, id: String, change: impl FnOnce(&mut Row)) -> &Row {
        let row = self.rows.entry(id).or_default();
        let before = row.must.saturating_sub(row.heard);
        change(row);
        self.n_open = self.n_open + row.must.saturating_sub(row.heard) - before;
        row
    }

    fn must(&mut self, id: &Value) {
        self.change(id.to_string(), |row| row.must += 1);
    }

    fn may(&mut self, id: &Value) {
        self.change(id.to_string(), |row| row.may += 1);
    }

    fn heard(&mut self, id: String) {
        // What has no id that can be seen is answered without one.
        if id != "null" {
            let row = self.change(id.clone(), |row| row.heard += 1);
            assert!(row.heard <= row.must + row.may, "answered too often: {id} {row:?}");
        }
    }

    /// Notes what a line asks for, by rules of its own.
    fn asked(&mut self, line: &[u8], id: u64) {
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
        let is_short = line.len() <= 4 << 20;
        if let Ok(message) = serde_json::from_slice::<Value>(line).as_ref().map_err(|_| ())
            && is_short
        {
            if message["method"] == "notifications/cancelled" {
                // What is being answered then need not be.
                let cancelled = message["params"]["requestId"].to_string();
                self.change(cancelled, |row| {
                    let n_open = row.must.saturating_sub(row.heard);
                    (row.must, row.may) = (row.must - n_open, row.may + n_open);
                });
            }
            let has = |name: &str| message.get(name).is_some();
            let is_request = has("method") || !(has("result") || has("error"));
            match message.get("id").filter(|_| is_request) {
                Some(id) if id.is_string() || id.is_i64() => self.must(id),
                Some(id) if id.is_number() => self.may(id),
                _ => {}
            }
            return;
        }
        // An id that certainly is the message's own, or any that somebody might take for it.
        let own = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":");
        let text = String::from_utf8_lossy(line);
        let named: Vec<&str> = text.split("\"id\"").skip(1).collect();
        let is_answer = text.contains("\"result\"") || text.contains("\"error\"");
        if line.starts_with(own.as_bytes()) && named.len() == 1 && !is_answer {
            return self.must(&json!(id));
        }
        for after in named {
            let after = after.trim_start().trim_start_matches(':');
            let mut values = serde_json::Deserializer::from_str(after).into_iter::<Value>();
            if let Some(Ok(id)) = values.next() {
                self.may(&id);
            }
        }
    }
}

/// The server, and what is known of its answers.
struct Talk {
    child: Child,
    heard: Receiver<String>,
    tally: Tally,
    n_answered: Arc<AtomicU64>,
}

impl Talk {
    fn open(folder: &Folder) -> Talk {
        let program = std::env::var_os("GROUNDLINE_PROGRAM");
        let program = program.unwrap_or_else(|| env!("CARGO_BIN_EXE_groundline").into());
        let mut command = Command::new(program);
        command.args(["serve", "--root"]).arg(folder.project()).arg("--cache").arg(folder.cache());
        command.current_dir(folder.project()).env_clear().env("HOME", folder.cache());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(fs::File::create(folder.errors()).unwrap());
        let mut child = command.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, heard) = channel();
        let n_answered = Arc::new(AtomicU64::new(0));
        let answered = Arc::clone(&n_answered);
        std::thread::spawn(move || {
            for line in output.lines() {
                let message: Value = serde_json::from_str(&line.unwrap()).unwrap();
                assert_eq!(message["jsonrpc"], "2.0", "{message}");
                let result = &message["result"];
                if result["content"].is_array() && result["isError"] != true {
                    answered.fetch_add(1, Ordering::Relaxed);
                }
                let is_answer = message.get("method").is_none();
                if is_answer && sender.send(message["id"].to_string()).is_err() {
                    return;
                }
            }
        });
        Talk { child, heard, tally: Tally::default(), n_answered }
    }

    fn say(&mut self, bytes: &[u8], id: u64) {
        for line in bytes.split(|b| *b == b'\n') {
            self.tally.asked(line, id);
        }
        let input = self.child.stdin.as_mut().unwrap();
        input.write_all(bytes).and_then(|()| input.write_all(b"\n")).unwrap();
        while let Ok(id) = self.heard.try_recv() {
            self.tally.heard(id);
        }
        self.wait_until_open(MAX_OPEN);
    }

    /// Waits until no more than so many are unanswered.
    fn wait_until_open(&mut self, most: usize) {
        while self.tally.n_open > most {
            let Ok(id) = self.heard.recv_timeout(PATIENCE) else {
                let open: Vec<_> = self
                    .tally
                    .rows
                    .iter()
                    .filter(|(_, row)| row.heard < row.must)
                    .take(5)
                    .collect();
                panic!("no answer to {open:?}; {:?}", self.child.try_wait());
            };
            self.tally.heard(id);
        }
    }

    /// Its memory in KiB, where the system tells.
    fn memory(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().trim_end_matches(" kB").parse().ok()
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        // A test that failed half-way leaves no process behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn mutated_messages_end_nothing_and_each_request_is_answered_once() {
    let n_messages = std::env::var("GROUNDLINE_MUTATIONS").ok();
    let n_messages = n_messages.map_or(N_MESSAGES, |n| n.parse().unwrap());
    let folder = Folder::with("tests/projects/kiln");
    fs::write(folder.project().join("main.js"), "const shelf = kiln.shelf(1);\nshelf.put(3);\n")
        .unwrap();
    let before = fs::read_to_string(folder.project().join("main.js")).unwrap();
    let mut talk = Talk::open(&folder);
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello()});
    talk.say(hello.to_string().as_bytes(), 0);
    talk.wait_until_open(0);
    talk.say(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, 0);
    let (mut dice, corpus) = (Dice(0x9E37_79B9_7F4A_7C15), corpus());
    let mut memory = Vec::new();
    for id in 1..=n_messages {
        let line = frame(&mut dice, &corpus, id).into_bytes();
        let other = frame(&mut dice, &corpus, id + n_messages).into_bytes();
        let mut line = mutated(&mut dice, line, &other);
        if id % BETWEEN_LONG == 0 {
            let long = "x".repeat(5 << 20);
            line = format!(
                r#"{{"jsonrpc":"2.0","id":{id},"method":"ping","params":{{"x":"{long}"}}}}"#
            )
            .into_bytes();
        }
        talk.say(&line, id);
        if id % (n_messages / 10).max(1) == 0 {
            memory.extend(talk.memory());
        }
    }
    talk.say(br#"{"jsonrpc":"2.0","id":"last","method":"ping"}"#, 0);
    talk.wait_until_open(0);
    assert_eq!(fs::read_to_string(folder.errors()).unwrap(), "");
    assert_eq!(fs::read_to_string(folder.project().join("main.js")).unwrap(), before);
    // What is kept for a session is there after the first part; after that nothing grows.
    if let [_, _, early, .., last] = memory[..] {
        assert!(last < early + early / 4 + (24 << 10), "memory grows: {memory:?} KiB");
    }
    // Much of what was sent is still a call, and answered by its tool.
    let n_answered = talk.n_answered.load(Ordering::Relaxed);
    assert!(n_answered > n_messages / 5, "{n_answered} of {n_messages} went through a tool");
    println!(
        "{n_messages} messages, {n_answered} went through a tool, {} ids, memory {memory:?} KiB",
        talk.tally.rows.len()
    );
}
