//! Clients that are slow, many, gone or in the way: over real sockets, with bounds that a test can wait for.

use super::accept;
use super::bounds::Bounds;
use super::door::{Door, Sessions};
use super::guard::{Guard, Keys};
use super::names::Names;
use crate::base::{Progress, Stop};
use crate::server::desk::{Asks, Desk, Limits};
use crate::server::handler::{AskRoots, Handler};
use crate::session::{Call, Outcome, Reply};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

const A_WHILE: Duration = Duration::from_secs(10);

const SHORT: Bounds = Bounds {
    head: Duration::from_millis(150),
    idle: Duration::from_millis(1500),
    reader: Duration::from_millis(200),
    body: Duration::from_millis(150),
    body_share: 1000,
    n_connections: 4,
    last_calls: Duration::from_millis(300),
    last_words: Duration::from_millis(200),
    ..Bounds::REAL
};

/// Does what the call's `code` says, and counts the work that runs.
#[derive(Default)]
struct Obedient {
    at_work: AtomicUsize,
}

impl Asks for Obedient {
    fn ask(&self, call: &Call, stop: &Stop, progress: &dyn Progress) -> Reply {
        self.at_work.fetch_add(1, Ordering::SeqCst);
        let text = match call.arguments.get("code").and_then(Value::as_str) {
            Some("panic") => {
                self.at_work.fetch_sub(1, Ordering::SeqCst);
                panic!("a promise")
            }
            Some("work") => {
                progress.step(1, 2, "files");
                while !stop.is_set() {
                    std::thread::sleep(Duration::from_millis(2));
                }
                "stopped".to_owned()
            }
            Some("big") => "x".repeat(20 << 20),
            other => other.unwrap_or("nothing").to_owned(),
        };
        let reply = Reply::new(text, Value::Null, Outcome::Clean);
        self.at_work.fetch_sub(1, Ordering::SeqCst);
        reply
    }
}

struct Site {
    address: SocketAddr,
    asks: Arc<Obedient>,
    end: CancellationToken,
    served: JoinHandle<()>,
}

impl Site {
    async fn open(bounds: Bounds, limits: Limits) -> Site {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let asks = Arc::new(Obedient::default());
        let closing = CancellationToken::new();
        let desk = Arc::new(Desk::new(Arc::clone(&asks) as Arc<dyn Asks>, limits, closing.clone()));
        let handler = {
            let desk = Arc::clone(&desk);
            move || Handler::new(Arc::clone(&desk), AskRoots::Never)
        };
        let names = Names::new(address, &[], &[]).unwrap();
        let door = Door::new(names, Guard::new(Keys::None), bounds, desk, Sessions::None, handler);
        let end = CancellationToken::new();
        let told = end.clone();
        let served = tokio::spawn(accept::run(listener, Arc::new(door), closing, async move {
            told.cancelled().await;
        }));
        Site { address, asks, end, served }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// Asks over a connection of its own, and gives the status and the body.
    async fn ask(&self, code: &str) -> (u16, String) {
        let mut stream = self.connect().await;
        stream.write_all(&call(code)).await.unwrap();
        hear(&mut stream).await
    }

    async fn at_work(&self, n: usize) {
        let reached = async {
            while self.asks.at_work.load(Ordering::SeqCst) != n {
                sleep(Duration::from_millis(2)).await;
            }
        };
        timeout(A_WHILE, reached).await.expect("so many are at work");
    }
}

fn call(code: &str) -> Vec<u8> {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "check_symbols", "arguments": {"code": code}}});
    post(&body.to_string(), "connection: close\r\n")
}

fn post(body: &str, more: &str) -> Vec<u8> {
    let head = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
                accept: application/json, text/event-stream\r\n";
    format!("{head}{more}content-length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

const HEALTH: &[u8] = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n";

/// All that comes until the server closes.
async fn hear(stream: &mut TcpStream) -> (u16, String) {
    let mut bytes = Vec::new();
    timeout(A_WHILE, stream.read_to_end(&mut bytes)).await.expect("it is closed").unwrap();
    split(&bytes)
}

/// What comes at once, on a connection that stays.
async fn hear_some(stream: &mut TcpStream) -> (u16, String) {
    let mut bytes = vec![0; 1 << 14];
    let n_bytes = timeout(A_WHILE, stream.read(&mut bytes)).await.expect("an answer").unwrap();
    split(&bytes[..n_bytes])
}

fn split(bytes: &[u8]) -> (u16, String) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, text.split_once("\r\n\r\n").map_or("", |(_, body)| body).to_owned())
}

async fn closes_within(stream: &mut TcpStream, limit: Duration) -> bool {
    let mut bytes = [0; 1 << 12];
    let closed = async { while stream.read(&mut bytes).await.is_ok_and(|n| n > 0) {} };
    timeout(limit, closed).await.is_ok()
}

#[tokio::test]
async fn a_head_that_does_not_end_is_not_waited_for_and_others_are_served_meanwhile() {
    let site = Site::open(SHORT, Limits::REAL).await;
    let mut slow = Vec::new();
    for _ in 0..3 {
        let mut stream = site.connect().await;
        stream.write_all(b"POST /mcp HTTP/1.1\r\n").await.unwrap();
        slow.push(stream);
    }
    assert_eq!(site.ask("hello").await.0, 200);
    let begun = Instant::now();
    while begun.elapsed() < 2 * SHORT.head {
        for stream in &mut slow {
            // The server may have closed it by now, which is what is waited for.
            let _ = stream.write_all(b"x: y\r\n").await;
        }
        sleep(Duration::from_millis(20)).await;
    }
    for stream in &mut slow {
        assert!(closes_within(stream, A_WHILE).await);
    }
}

#[tokio::test]
async fn a_body_that_dribbles_is_given_up_with_its_status() {
    let site = Site::open(SHORT, Limits::REAL).await;
    let mut stream = site.connect().await;
    let head = String::from_utf8(post("", "")).unwrap().replace("length: 0", "length: 5000");
    stream.write_all(head.as_bytes()).await.unwrap();
    let (mut read, mut write) = stream.into_split();
    let dribble = tokio::spawn(async move {
        while write.write_all(b" ").await.is_ok() {
            sleep(Duration::from_millis(10)).await;
        }
    });
    let mut bytes = vec![0; 1 << 12];
    let n_bytes = timeout(A_WHILE, read.read(&mut bytes)).await.expect("an answer").unwrap();
    assert_eq!(split(&bytes[..n_bytes]).0, 408);
    dribble.abort();
}

#[tokio::test]
async fn a_connection_is_kept_between_requests_and_closed_when_nobody_uses_it() {
    let site = Site::open(SHORT, Limits::REAL).await;
    let mut stream = site.connect().await;
    for _ in 0..3 {
        stream.write_all(HEALTH).await.unwrap();
        assert_eq!(hear_some(&mut stream).await, (200, "ok\n".to_owned()));
        sleep(SHORT.idle / 4).await;
    }
    assert!(closes_within(&mut stream, A_WHILE).await);
    let mut silent = site.connect().await;
    assert!(closes_within(&mut silent, A_WHILE).await);
}

#[tokio::test]
async fn a_connection_too_many_is_told_so_and_the_health_is_told_all_the_same() {
    let site = Site::open(Bounds { idle: A_WHILE, ..SHORT }, Limits::REAL).await;
    let mut held = Vec::new();
    for _ in 0..SHORT.n_connections {
        let mut stream = site.connect().await;
        stream.write_all(HEALTH).await.unwrap();
        assert_eq!(hear_some(&mut stream).await.0, 200);
        held.push(stream);
    }
    assert_eq!(site.ask("hello").await.0, 503);
    let mut stream = site.connect().await;
    stream.write_all(HEALTH).await.unwrap();
    assert_eq!(hear_some(&mut stream).await.0, 200);
    held.clear();
    let served = async {
        while site.ask("hello").await.0 != 200 {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(A_WHILE, served).await.expect("there is room again");
}

#[tokio::test]
async fn a_call_too_many_is_turned_away_soon_and_told_when_to_try_again() {
    let limits = Limits { n_calls: 2, deadline: 10 * A_WHILE, ..Limits::REAL };
    let site = Site::open(Bounds { n_connections: 99, ..SHORT }, limits).await;
    let mut held = Vec::new();
    for _ in 0..2 {
        let mut stream = site.connect().await;
        stream.write_all(&call("work")).await.unwrap();
        held.push(stream);
    }
    site.at_work(2).await;
    let mut stream = site.connect().await;
    stream.write_all(&call("hello")).await.unwrap();
    let mut bytes = Vec::new();
    timeout(A_WHILE, stream.read_to_end(&mut bytes)).await.unwrap().unwrap();
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.starts_with("HTTP/1.1 503 ") && text.contains("retry-after: 1\r\n"), "{text}");
    assert!(text.contains("2 calls are being answered already"), "{text}");
}

#[tokio::test]
async fn a_client_that_leaves_takes_its_work_with_it() {
    let site = Site::open(SHORT, Limits::REAL).await;
    let told = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "check_symbols", "arguments": {"code": "work"}, "_meta": {"progressToken": 1}}});
    // While nothing was answered, and in the middle of a stream.
    for request in [call("work"), post(&told.to_string(), "")] {
        let mut stream = site.connect().await;
        stream.write_all(&request).await.unwrap();
        site.at_work(1).await;
        if request.len() > call("work").len() {
            let (status, _) = hear_some(&mut stream).await;
            assert_eq!(status, 200);
        }
        drop(stream);
        site.at_work(0).await;
    }
}

#[tokio::test]
async fn a_client_that_does_not_read_is_left() {
    let site = Site::open(SHORT, Limits::REAL).await;
    let mut stream = site.connect().await;
    stream.write_all(&call("big")).await.unwrap();
    site.at_work(1).await;
    site.at_work(0).await;
    // On the way out it is copied a few times, which takes its time.
    sleep(20 * SHORT.reader).await;
    // What the system kept is still there to be read, and then comes the end, long before the answer's own.
    let mut bytes = Vec::new();
    let read = timeout(A_WHILE, stream.read_to_end(&mut bytes)).await.expect("it is closed");
    assert!(read.is_err() || bytes.len() < 20 << 20, "{}", bytes.len());
    assert_eq!(site.ask("hello").await.0, 200);
}

#[tokio::test]
async fn a_panic_is_an_answer() {
    let site = Site::open(SHORT, Limits::REAL).await;
    let (status, body) = site.ask("panic").await;
    assert!(status == 200 && body.contains(r#""isError":true"#), "{body}");
    assert!(site.ask("hello").await.1.contains("hello"));
}

#[tokio::test]
async fn the_end_waits_for_calls_within_reason_and_tells_those_that_it_cuts() {
    let site = Site::open(SHORT, Limits::REAL).await;
    let mut half = site.connect().await;
    half.write_all(b"POST /mcp HT").await.unwrap();
    let mut busy = site.connect().await;
    busy.write_all(&call("work")).await.unwrap();
    site.at_work(1).await;
    let begun = Instant::now();
    site.end.cancel();
    let (status, body) = hear(&mut busy).await;
    assert!(status == 200 && body.contains("given up"), "{status} {body}");
    assert!(begun.elapsed() >= SHORT.last_calls);
    timeout(A_WHILE, site.served).await.expect("it ends").unwrap();
    assert!(TcpStream::connect(site.address).await.is_err(), "nobody is let in any more");
    assert!(closes_within(&mut half, A_WHILE).await);
}

#[tokio::test]
async fn the_end_comes_at_once_where_nothing_is_asked() {
    let site = Site::open(Bounds { last_calls: 10 * A_WHILE, ..SHORT }, Limits::REAL).await;
    let _idle = site.connect().await;
    let mut half = site.connect().await;
    half.write_all(b"POST /mcp HTTP/1.1\r\nhost: local").await.unwrap();
    sleep(Duration::from_millis(30)).await;
    site.end.cancel();
    timeout(A_WHILE, site.served).await.expect("it ends").unwrap();
}
