//! What clients ask, and what must stand in each answer: the client's own canary, its own id, and nobody else's.

use crate::project::{canary, file_of, holds_another};
use crate::wire::{Said, Wire};
use serde_json::{Value, json};
use std::net::SocketAddr;

/// Which era of the protocol a client speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// With `initialize`, here without a session.
    Initialize,
    /// With everything said in each request.
    Discover,
}

impl Era {
    /// Clients of both eras take turns.
    pub fn of(number: usize) -> Era {
        if number.is_multiple_of(2) { Era::Discover } else { Era::Initialize }
    }
}

/// What a call asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The list of tools.
    List,
    /// Whether a member exists that has the canary in its name.
    Code,
    /// Whether a file is right whose variable is the canary.
    File,
    /// Where the canary is.
    Find,
    /// What the documentation says of a symbol with the canary in its name.
    Lookup,
    /// What serves a goal with the canary among its words.
    Topic,
    /// How a thing is built that has the canary for a name.
    Construct,
    /// Which baselines there are, the client's own among them.
    Status,
    /// Whether the tree held still since the client's own baseline.
    Compare,
}

/// All kinds, as a client of the crowd asks them in turn.
pub const MIXED: [Kind; 9] = [
    Kind::Code,
    Kind::Find,
    Kind::Lookup,
    Kind::Topic,
    Kind::List,
    Kind::Construct,
    Kind::File,
    Kind::Compare,
    Kind::Status,
];

/// The kinds that take little.
pub const LIGHT: [Kind; 5] = [Kind::Code, Kind::List, Kind::Find, Kind::Lookup, Kind::Topic];

/// How requests are addressed and signed.
#[derive(Debug, Clone)]
pub struct Letterhead {
    /// The server.
    pub address: SocketAddr,
    /// Its token.
    pub token: String,
    /// The client's name for itself, in `clientInfo` or as the user agent.
    pub name: String,
    /// How it speaks.
    pub era: Era,
}

impl Letterhead {
    /// A request as bytes.
    pub fn request(&self, id: &str, method: &str, mut params: Value) -> Vec<u8> {
        let tool = params["name"].as_str().map(str::to_owned);
        let mut more = String::new();
        let version = match self.era {
            Era::Initialize => "2025-11-25",
            Era::Discover => {
                params["_meta"] = json!({
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": {},
                    "io.modelcontextprotocol/clientInfo": {"name": self.name, "version": "1"}});
                more += &format!("mcp-method: {method}\r\n");
                tool.iter().for_each(|tool| more += &format!("mcp-name: {tool}\r\n"));
                "2026-07-28"
            }
        };
        let body = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let body = body.to_string();
        let head = format!(
            "POST /mcp HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\nuser-agent: {}\r\n\
             content-type: application/json\r\naccept: application/json, text/event-stream\r\n\
             mcp-protocol-version: {version}\r\n{more}content-length: {}\r\n\r\n",
            self.address,
            self.token,
            self.name,
            body.len()
        );
        [head.into_bytes(), body.into_bytes()].concat()
    }

    /// A call of a tool as bytes.
    pub fn call(&self, id: &str, tool: &str, arguments: &Value) -> Vec<u8> {
        self.request(id, "tools/call", json!({"name": tool, "arguments": arguments}))
    }
}

/// One client, with its canary.
pub struct Client {
    /// Which; its canary follows from it.
    number: usize,
    letterhead: Letterhead,
    n_calls: u64,
    baseline: String,
}

/// A request with what its answer must hold.
pub struct Sent {
    /// The request.
    pub bytes: Vec<u8>,
    id: String,
    words: Vec<String>,
}

impl Client {
    /// The client of this number.
    pub fn new(number: usize, letterhead: Letterhead) -> Client {
        Client { number, letterhead, n_calls: 0, baseline: String::new() }
    }

    /// Takes a baseline of the client's own: no other client's is the same.
    pub fn begin(&mut self, wire: &mut Wire) -> Result<(), String> {
        let arguments = json!({"action": "begin", "allow": [canary(self.number)]});
        let request = self.letterhead.call("begin", "verify_fingerprint", &arguments);
        let said = wire.ask(&request).map_err(|why| why.to_string())?;
        let text = text_of(&said, "begin")?;
        let id = text.split(|c: char| !c.is_ascii_hexdigit()).find(|word| word.len() == 64);
        id.ok_or_else(|| format!("no baseline in {text}"))?.clone_into(&mut self.baseline);
        Ok(())
    }

    /// The next call among `kinds`; clients begin at different ones.
    pub fn next(&mut self, kinds: &[Kind]) -> Sent {
        let n_before = usize::try_from(self.n_calls).unwrap_or(usize::MAX);
        self.n_calls += 1;
        self.sent(kinds[n_before.wrapping_add(self.number) % kinds.len()])
    }

    fn sent(&self, kind: Kind) -> Sent {
        let own = canary(self.number);
        // New each time, so that an answer to an earlier call would show.
        let word = format!("{own}n{}z", self.n_calls);
        let id = format!("{own}-{}", self.n_calls);
        let call = |tool: &str, arguments: Value, words: Vec<String>| Sent {
            bytes: self.letterhead.call(&id, tool, &arguments),
            id: id.clone(),
            words,
        };
        match kind {
            Kind::List => {
                let bytes = self.letterhead.request(&id, "tools/list", json!({}));
                Sent { bytes, id, words: vec!["check_symbols".to_owned()] }
            }
            Kind::Code => {
                let code = format!("layout.tableEnd();\nlayout.{word}();\n");
                let path = "birds/new.js";
                call("check_symbols", json!({"code": code, "path": path}), vec![word])
            }
            Kind::File => {
                let path = file_of(self.number);
                call("check_symbols", json!({"paths": [path]}), vec![format!("{own}.opacty"), path])
            }
            Kind::Find => {
                call("find_in_files", json!({"pattern": own}), vec![file_of(self.number)])
            }
            Kind::Lookup => {
                call("lookup_docs", json!({"symbol": format!("Layout.{word}")}), vec![word])
            }
            Kind::Topic => {
                let goal = format!("draw a table {word}");
                call("resolve_topic", json!({"goal": goal}), vec![word])
            }
            Kind::Construct => call("find_construct", json!({"name": word}), vec![word]),
            Kind::Status => {
                let arguments = json!({"action": "status"});
                call("verify_fingerprint", arguments, vec![self.baseline.clone()])
            }
            Kind::Compare => {
                let arguments = json!({"action": "compare", "baseline": self.baseline});
                let shown = self.baseline.chars().take(12).collect();
                call("verify_fingerprint", arguments, vec!["HELD".to_owned(), shown])
            }
        }
    }

    /// Why an answer is not the right one, if it is not.
    pub fn judge(&self, sent: &Sent, said: &Said) -> Result<(), String> {
        let text = text_of(said, &sent.id)?;
        if let Some(word) = sent.words.iter().find(|word| !text.contains(word.as_str())) {
            return Err(format!("{word} is missing in {text}"));
        }
        if holds_another(&text, self.number) {
            return Err(format!("another client's word is in the answer to {}: {text}", sent.id));
        }
        Ok(())
    }
}

/// The text of a whole answer to the request `id`: what the tool says, or the list of tools.
fn text_of(said: &Said, id: &str) -> Result<String, String> {
    let body = String::from_utf8_lossy(&said.body);
    let short = || body.chars().take(300).collect::<String>();
    if said.status != 200 {
        return Err(format!("status {} for {id}: {}", said.status, short()));
    }
    let answer: Value =
        serde_json::from_slice(&said.body).map_err(|why| format!("{why}: {}", short()))?;
    let result = &answer["result"];
    if answer["id"] != id || !result.is_object() || result["isError"] == true {
        return Err(format!("no answer to {id}: {}", short()));
    }
    let told = result["content"][0]["text"].as_str().map(str::to_owned);
    Ok(told.unwrap_or_else(|| result["tools"].to_string()))
}
