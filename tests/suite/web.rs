//! The built program as a test reaches it over HTTP: requests as bytes, so that odd ones can be sent too.

use crate::program::{Era, Folder, PATIENCE, exit_within};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// `groundline serve --http`, running on a free port of this machine.
pub struct Web {
    child: Child,
    pub address: SocketAddr,
    /// What it says on standard error, its first line left out.
    said: Receiver<String>,
    /// Its first line there.
    pub greeting: String,
}

/// A response.
#[derive(Debug, Clone)]
pub struct Said {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Said {
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The message in it, be it alone or the last of a stream.
    pub fn message(&self) -> Value {
        let last = self.body.lines().filter_map(|line| line.strip_prefix("data: ")).next_back();
        let text = last.unwrap_or(&self.body);
        serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    pub fn code(&self) -> (u16, i64) {
        (self.status, self.message()["error"]["code"].as_i64().unwrap_or(0))
    }
}

impl Web {
    /// Starts it without a token, with more arguments.
    pub fn start(folder: &Folder, arguments: &[&str]) -> Web {
        Web::with(folder, &[&["--no-token"], arguments].concat())
    }

    /// Starts it with these arguments.
    pub fn with(folder: &Folder, arguments: &[&str]) -> Web {
        let mut command = folder.command(&["serve", "--http", "127.0.0.1:0"]);
        command.args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let greeting = lines.next().unwrap().unwrap();
        let (_, rest) = greeting.split_once("http://").unwrap_or_else(|| panic!("{greeting}"));
        let address = rest.split_once("/mcp").unwrap().0.parse().unwrap();
        let (sender, said) = channel();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Web { child, address, said, greeting }
    }

    pub fn connect(&self) -> Wire {
        wire_to(self.address)
    }

    /// One request over a connection of its own.
    pub fn send(&self, request: &Request) -> Said {
        let mut wire = self.connect();
        wire.head_only = request.line.starts_with("HEAD ");
        // It may refuse before it has heard all.
        let _ = wire.stream.write_all(&request.bytes(self.address));
        wire.hear().expect("an answer")
    }

    pub fn send_bytes(&self, bytes: &[u8]) -> Said {
        let mut wire = self.connect();
        // It may refuse before it has heard all.
        let _ = wire.stream.write_all(bytes);
        wire.hear().expect("an answer")
    }

    /// One call as a client of `era` puts it; whether it is marked as an error, and its text.
    pub fn call(&self, era: Era, tool: &str, arguments: &Value) -> (bool, String) {
        let params = json!({"name": tool, "arguments": arguments});
        let said = self.send(&Request::message(era, 1, "tools/call", params));
        assert_eq!(said.status, 200, "{said:?}");
        let answer = said.message();
        if let Some(error) = answer.get("error") {
            return (true, error["message"].as_str().unwrap().to_owned());
        }
        let result = &answer["result"];
        assert_eq!(result["content"].as_array().unwrap().len(), 1);
        (result["isError"] == true, result["content"][0]["text"].as_str().unwrap().to_owned())
    }

    pub fn process(&self) -> u32 {
        self.child.id()
    }

    pub fn signal(&self, name: &str) {
        let mut kill = std::process::Command::new("kill");
        assert!(
            kill.arg(format!("-{name}"))
                .arg(self.process().to_string())
                .status()
                .unwrap()
                .success()
        );
    }

    /// Waits for its end; gives its status and what else it said on standard error.
    pub fn ends_within(mut self, limit: Duration) -> (ExitStatus, String) {
        let status = exit_within(&mut self.child, limit);
        let said: Vec<String> = self.said.iter().collect();
        (status, said.join("\n"))
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A request as it is sent.
#[derive(Debug, Clone)]
pub struct Request {
    pub line: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Request {
    pub fn new(line: &str) -> Request {
        Request { line: line.to_owned(), headers: Vec::new(), body: Vec::new() }
    }

    /// A request to the endpoint with this body and what it takes.
    pub fn post(body: impl Into<Vec<u8>>) -> Request {
        Request { body: body.into(), ..Request::new("POST /mcp") }
            .with("content-type", "application/json")
            .with("accept", "application/json, text/event-stream")
    }

    /// A message as a client of `era` sends it.
    pub fn message(era: Era, id: impl Into<Value>, method: &str, mut params: Value) -> Request {
        let name = params["name"].as_str().map(str::to_owned);
        if era == Era::Discover {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": "suite", "version": "1"}});
        }
        let body = json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params});
        let request = Request::post(body.to_string());
        match era {
            Era::Initialize => request.with("mcp-protocol-version", "2025-11-25"),
            Era::Discover => {
                let request =
                    request.with("mcp-protocol-version", "2026-07-28").with("mcp-method", method);
                name.iter().fold(request, |request, name| request.with("mcp-name", name))
            }
        }
    }

    /// With a header more.
    pub fn with(mut self, name: &str, value: &str) -> Request {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With another value for a header, or without it.
    pub fn instead(mut self, name: &str, value: Option<&str>) -> Request {
        self.headers.retain(|(n, _)| n != name);
        value.into_iter().fold(self, |request, value| request.with(name, value))
    }

    /// The bytes; `Host` and `Content-Length` are added where they are not named.
    pub fn bytes(&self, address: SocketAddr) -> Vec<u8> {
        let has = |name: &str| self.headers.iter().any(|(n, _)| n.eq_ignore_ascii_case(name));
        let mut head = format!("{} HTTP/1.1\r\n", self.line);
        if !has("host") {
            head += &format!("host: {address}\r\n");
        }
        if !has("content-length") && !has("transfer-encoding") && !self.body.is_empty() {
            head += &format!("content-length: {}\r\n", self.body.len());
        }
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        [head.as_bytes(), b"\r\n", &self.body].concat()
    }
}

/// A connection to `address`.
pub fn wire_to(address: SocketAddr) -> Wire {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    Wire { stream, head_only: false, read: Vec::new() }
}

/// A connection.
pub struct Wire {
    pub stream: TcpStream,
    /// Whether the next response has a head only, whatever that says of a body.
    pub head_only: bool,
    read: Vec<u8>,
}

impl Wire {
    /// The next response; none where the connection ends instead.
    pub fn hear(&mut self) -> Option<Said> {
        let end = loop {
            if let Some(at) = find(&self.read, b"\r\n\r\n") {
                break at;
            }
            if !self.more() {
                return None;
            }
        };
        let head = String::from_utf8(self.read.drain(..end + 4).collect()).unwrap();
        let mut lines = head.trim_end().split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines.map(|line| {
            let (name, value) = line.split_once(':').unwrap();
            (name.to_ascii_lowercase(), value.trim().to_owned())
        });
        let mut said = Said { status, headers: headers.collect(), body: String::new() };
        let body = match (said.header("content-length"), said.header("transfer-encoding")) {
            _ if self.head_only => Vec::new(),
            (Some(length), _) => self.take(length.parse().unwrap()),
            (None, Some(_)) => self.chunks(),
            (None, None) => Vec::new(),
        };
        said.body = String::from_utf8(body).unwrap();
        Some(said)
    }

    /// Whether the server closes it within `limit`.
    pub fn is_closed_within(&mut self, limit: Duration) -> bool {
        self.stream.set_read_timeout(Some(limit)).unwrap();
        let closed = match self.stream.read(&mut [0; 1 << 12]) {
            Ok(n) => n == 0,
            Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
        };
        self.stream.set_read_timeout(Some(PATIENCE)).unwrap();
        closed
    }

    fn take(&mut self, n_bytes: usize) -> Vec<u8> {
        while self.read.len() < n_bytes {
            assert!(self.more(), "the body breaks off");
        }
        self.read.drain(..n_bytes).collect()
    }

    fn chunks(&mut self) -> Vec<u8> {
        let mut whole = Vec::new();
        loop {
            let end = loop {
                match find(&self.read, b"\r\n") {
                    Some(at) => break at,
                    None => assert!(self.more(), "the body breaks off"),
                }
            };
            let line = String::from_utf8(self.take(end + 2)).unwrap();
            let n_bytes = usize::from_str_radix(line.trim(), 16).unwrap();
            let chunk = self.take(n_bytes + 2);
            whole.extend_from_slice(&chunk[..n_bytes]);
            if n_bytes == 0 {
                return whole;
            }
        }
    }

    fn more(&mut self) -> bool {
        let mut buffer = [0; 1 << 14];
        let n_bytes = self.stream.read(&mut buffer).unwrap_or(0);
        self.read.extend_from_slice(&buffer[..n_bytes]);
        n_bytes > 0
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}
