//! Conversations in process, with sessions that are slow, stubborn or broken.

use super::*;
use crate::base::{Progress, Stop};
use crate::session::{Call, Outcome, Reply};
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};
use tokio::task::JoinHandle;

/// Does what the call's `code` says.
struct Obedient;

impl Asks for Obedient {
    fn ask(&self, call: &Call, stop: &Stop, progress: &dyn Progress) -> Reply {
        let text = match call.arguments.get("code").and_then(Value::as_str) {
            Some("panic") => panic!("a promise"),
            Some("work") => {
                progress.step(3, 10, "files");
                while !stop.is_set() {
                    std::thread::sleep(Duration::from_millis(2));
                }
                "stopped".to_owned()
            }
            Some("roots") => format!("{:?}", call.client_roots),
            other => other.unwrap_or("nothing").to_owned(),
        };
        Reply::new(text, Value::Null, Outcome::Clean)
    }
}

struct Talk {
    write: Option<WriteHalf<DuplexStream>>,
    read: Lines<BufReader<ReadHalf<DuplexStream>>>,
    served: JoinHandle<Result<(), ConversationTrouble>>,
}

impl Talk {
    fn begin(limits: Limits) -> Talk {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (read, write) = tokio::io::split(ours);
        let streams = tokio::io::split(theirs);
        let served = tokio::spawn(converse(
            Arc::new(Obedient),
            AskRoots::Once,
            limits,
            streams,
            Ends::default(),
            std::future::pending(),
        ));
        Talk { write: Some(write), read: BufReader::new(read).lines(), served }
    }

    async fn open(limits: Limits, capabilities: Value) -> Talk {
        let mut talk = Talk::begin(limits);
        talk.say(json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": capabilities,
            "clientInfo": {"name": "test", "version": "1"}}}))
            .await;
        assert_eq!(talk.hear().await["id"], 0);
        talk.say(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        talk
    }

    async fn say(&mut self, message: Value) {
        self.say_line(&message.to_string()).await;
    }

    async fn say_line(&mut self, line: &str) {
        let write = self.write.as_mut().expect("the talk is open");
        write.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    async fn call(&mut self, id: u64, code: &str) {
        self.say(json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {
            "name": "check_symbols", "arguments": {"code": code}}}))
            .await;
    }

    async fn hear(&mut self) -> Value {
        serde_json::from_str(&self.read.next_line().await.unwrap().expect("a message")).unwrap()
    }
}

fn text(message: &Value) -> &str {
    message["result"]["content"][0]["text"].as_str().unwrap_or("")
}

#[tokio::test]
async fn a_panic_is_an_answer_and_the_next_call_is_answered_too() {
    let mut talk = Talk::open(Limits::REAL, json!({})).await;
    talk.call(1, "panic").await;
    let said = talk.hear().await;
    assert_eq!(said["result"]["isError"], true);
    // What a panic says may quote what was worked on.
    assert!(text(&said).contains("broke off") && !text(&said).contains("a promise"), "{said}");
    talk.call(2, "hello").await;
    assert_eq!(text(&talk.hear().await), "hello");
}

#[tokio::test]
async fn a_call_ends_at_its_deadline() {
    let limits = Limits { deadline: Duration::from_millis(40), ..Limits::REAL };
    let mut talk = Talk::open(limits, json!({})).await;
    talk.call(1, "work").await;
    let said = talk.hear().await;
    assert_eq!(said["result"]["isError"], true);
    assert!(text(&said).contains("stopped after 0.04 s"), "{said}");
}

#[tokio::test]
async fn a_cancelled_call_is_not_answered_and_leaves_its_place() {
    let limits = Limits { n_calls: 1, ..Limits::REAL };
    let mut talk = Talk::open(limits, json!({})).await;
    talk.call(1, "work").await;
    talk.call(2, "hello").await;
    let said = talk.hear().await;
    assert_eq!((said["id"].as_u64(), said["result"]["isError"].as_bool()), (Some(2), Some(true)));
    assert!(text(&said).contains("1 calls are being answered"), "{said}");
    talk.say(json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": {"requestId": 1, "reason": "test"}}))
        .await;
    // The place is free when the work has noticed; until then the answer is that there is none.
    for id in 3.. {
        talk.call(id, "hello").await;
        let said = talk.hear().await;
        assert_eq!(said["id"], id);
        if text(&said) == "hello" {
            break;
        }
    }
}

#[tokio::test]
async fn the_end_of_input_stops_work_after_the_grace() {
    let limits = Limits { grace: Duration::from_millis(60), ..Limits::REAL };
    let mut talk = Talk::open(limits, json!({})).await;
    talk.call(1, "hello").await;
    talk.call(2, "work").await;
    // The two halves share the stream; what closes it for the server is its shutdown.
    talk.write.take().unwrap().shutdown().await.unwrap();
    assert_eq!(text(&talk.hear().await), "hello");
    let ended = tokio::time::timeout(Duration::from_millis(900), talk.served).await;
    ended.expect("it ends soon").unwrap().unwrap();
}

#[tokio::test]
async fn progress_is_told_to_whom_asked_for_it() {
    let limits = Limits { deadline: Duration::from_millis(80), ..Limits::REAL };
    let mut talk = Talk::open(limits, json!({})).await;
    talk.say(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "check_symbols", "arguments": {"code": "work"}, "_meta": {"progressToken": "p"}}}))
        .await;
    let told = talk.hear().await;
    assert_eq!(told["method"], "notifications/progress");
    assert_eq!(told["params"]["progressToken"], "p");
    assert_eq!(told["params"]["progress"].as_f64(), Some(3.0));
    assert_eq!(told["params"]["total"].as_f64(), Some(10.0));
    assert_eq!(talk.hear().await["id"], 1);
}

#[tokio::test]
async fn an_older_client_is_asked_for_its_roots_once() {
    let mut talk = Talk::open(Limits::REAL, json!({"roots": {}})).await;
    talk.call(1, "roots").await;
    let asked = talk.hear().await;
    assert_eq!(asked["method"], "roots/list");
    talk.say(json!({"jsonrpc": "2.0", "id": asked["id"], "result": {
        "roots": [{"uri": "file:///home/me/shop"}, {"uri": "untitled:1"}]}}))
        .await;
    assert_eq!(text(&talk.hear().await), r#"["/home/me/shop"]"#);
    talk.call(2, "roots").await;
    assert_eq!(text(&talk.hear().await), r#"["/home/me/shop"]"#);
}

#[tokio::test]
async fn what_cannot_be_understood_is_answered_and_the_talk_goes_on() {
    let mut talk = Talk::begin(Limits::REAL);
    for (line, code, id) in [
        ("{ not json", -32700, Value::Null),
        ("[]", -32600, Value::Null),
        ("17", -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":null,"method":"tools/list"}"#, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}"#, -32600, json!(1.5)),
        (r#"{"jsonrpc":"1.0","id":"x","method":"tools/list"}"#, -32600, json!("x")),
        (r#"{"jsonrpc":"2.0","id":4,"method":"tools/list"}"#, -32602, json!(4)),
    ] {
        talk.say_line(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#).await;
        talk.say_line(line).await;
        let said = talk.hear().await;
        assert_eq!((&said["id"], &said["error"]["code"]), (&id, &json!(code)), "{line}: {said}");
    }
    talk.say_line(r#"{"jsonrpc":"2.0","id":5,"result":{}}"#).await;
    talk.say_line(r#"{"jsonrpc":"2.0","id":6,"method":"ping"}"#).await;
    assert_eq!(talk.hear().await["id"], 6);
}
