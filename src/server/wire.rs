//! JSON-RPC over lines of text: bytes to messages and back.
//!
//! Every line is answered or rightly ignored, and none ends the conversation: what is no JSON, what is no message and
//! what is too long gets an error, with the request's id where one can be seen. Notes that arrive before the
//! conversation is open are dropped, since the SDK would end it over them.

use super::broken;
use crate::envelope::{visible, visible_value};
use rmcp::RoleServer;
use rmcp::model::{
    ClientNotification, ClientRequest, GetMeta, JsonRpcMessage, ProtocolVersion, RequestId,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::io;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// The longest line that is read.
pub const MAX_LINE: usize = 4 << 20;

/// So much of both ends of a longer line is kept, to find its id.
const END_KEPT: usize = 512;

/// The longest text of a refusal, in characters.
const MAX_OBJECTION: usize = 400;

/// Messages that wait to be written, at most; then the conversation waits for its reader.
const MAX_WAITING: usize = 256;

/// A refusal waits so long for a client that reads nothing.
const UNREAD: Duration = Duration::from_secs(5);

/// How a conversation's two streams ended.
#[derive(Debug, Clone, Default)]
pub struct Ends {
    /// Cancelled when the input ended.
    pub input: CancellationToken,
    /// Cancelled when the output broke.
    pub output: CancellationToken,
}

/// The two streams of a conversation.
pub struct Wire<R> {
    read: BufReader<R>,
    line: Line,
    openness: Openness,
    ends: Ends,
    out: Option<mpsc::Sender<Vec<u8>>>,
    unsaid: Option<Vec<u8>>,
    in_flight: HashSet<RequestId>,
    writer: Option<JoinHandle<()>>,
}

#[derive(PartialEq, Eq)]
enum Openness {
    /// Only requests are let through.
    Probing,
    /// The SDK has chosen an era; everything is let through.
    Open,
}

impl<R: AsyncRead + Unpin> Wire<R> {
    /// Starts writing at once; reading starts when asked for.
    pub fn new(read: R, write: impl AsyncWrite + Send + Unpin + 'static, ends: Ends) -> Wire<R> {
        let (out, waiting) = mpsc::channel(MAX_WAITING);
        let writer = tokio::spawn(write_all(write, waiting, ends.output.clone()));
        Wire {
            read: BufReader::with_capacity(64 << 10, read),
            line: Line::default(),
            openness: Openness::Probing,
            ends,
            out: Some(out),
            unsaid: None,
            in_flight: HashSet::new(),
            writer: Some(writer),
        }
    }

    /// Reads on to the end of a line. It may be dropped while it waits, and goes on where it was.
    async fn next_line(&mut self) -> Option<Whole> {
        loop {
            let bytes = match self.read.fill_buf().await {
                Ok(bytes) if !bytes.is_empty() => bytes,
                // The last line need not end; an input that cannot be read has ended.
                Ok(_) | Err(_) => return self.line.finish(),
            };
            let end = bytes.iter().position(|b| *b == b'\n');
            self.line.push(&bytes[..end.unwrap_or(bytes.len())]);
            let n_bytes = end.map_or(bytes.len(), |at| at + 1);
            self.read.consume(n_bytes);
            if end.is_some() {
                return self.line.finish().or(Some(Whole::Line(Vec::new())));
            }
        }
    }

    /// Says what was wrong with the last line. It may be dropped while it waits, and says it then the next time. A
    /// client that does not read its answers does not get this one.
    async fn object(&mut self) {
        let (Some(out), Some(_)) = (&self.out, &self.unsaid) else { return };
        let room = tokio::time::timeout(UNREAD, out.reserve()).await;
        let line = self.unsaid.take();
        if let (Ok(Ok(room)), Some(line)) = (room, line) {
            room.send(line);
        }
    }
}

impl<R: AsyncRead + Send + Unpin> Transport<RoleServer> for Wire<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        mut item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let out = self.out.clone();
        match &mut item {
            JsonRpcMessage::Response(answer) => _ = self.in_flight.remove(&answer.id),
            JsonRpcMessage::Error(refused) => {
                refused.id.iter().for_each(|id| _ = self.in_flight.remove(id));
                // The SDK quotes what it refuses.
                refused.error.message = visible(&refused.error.message).into();
                refused.error.data = refused.error.data.take().map(visible_value);
            }
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => {}
        }
        let line = serde_json::to_vec(&item).map(|mut line| {
            line.push(b'\n');
            line
        });
        // Now, and not when the future is first polled, so that messages keep their order.
        let unsent = match (&out, line) {
            (Some(out), Ok(line)) => out.try_send(line).err().map(TrySendError::into_inner),
            (None, Ok(line)) => Some(line),
            (Some(_) | None, Err(_)) => None,
        };
        async move {
            let Some(line) = unsent else { return Ok(()) };
            let Some(out) = out else { return Err(io::ErrorKind::NotConnected.into()) };
            out.send(line).await.map_err(|_| io::ErrorKind::BrokenPipe.into())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            self.object().await;
            let Some(whole) = self.next_line().await else {
                self.ends.input.cancel();
                return None;
            };
            match reading(&whole) {
                Reading::Message(message) => match self.taken(&message) {
                    Taken::In => return Some(*message),
                    Taken::Dropped => {}
                    Taken::Refused(objection) => self.unsaid = Some(line_of(&objection)),
                },
                Reading::Nothing => {}
                Reading::Objection(objection) => self.unsaid = Some(line_of(&objection)),
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.out = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.await;
        }
        Ok(())
    }
}

/// What becomes of a message.
enum Taken {
    In,
    Dropped,
    Refused(Value),
}

impl<R> Wire<R> {
    fn taken(&mut self, message: &RxJsonRpcMessage<RoleServer>) -> Taken {
        let JsonRpcMessage::Request(request) = message else {
            if let JsonRpcMessage::Notification(note) = message
                && let ClientNotification::CancelledNotification(cancelled) = &note.notification
            {
                // The SDK sends no answer to it any more.
                cancelled.params.request_id.iter().for_each(|id| _ = self.in_flight.remove(id));
            }
            return if self.openness == Openness::Open { Taken::In } else { Taken::Dropped };
        };
        // The SDK would answer one of two under the same id.
        if !self.in_flight.insert(request.id.clone()) {
            let text = "a request with this id is being answered: give each its own";
            return Taken::Refused(objection(-32600, text, json!(request.id)));
        }
        if opens(&request.request) {
            self.openness = Openness::Open;
        }
        Taken::In
    }
}

fn line_of(message: &Value) -> Vec<u8> {
    let mut line = message.to_string().into_bytes();
    line.push(b'\n');
    line
}

/// Whether the SDK goes on from probing to serving with this request.
fn opens(request: &ClientRequest) -> bool {
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::DiscoverRequest(_) | ClientRequest::PingRequest(_) => false,
        other => {
            let meta = other.get_meta();
            let version = meta.protocol_version();
            meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty()
                && version.is_some_and(|v| ProtocolVersion::KNOWN_VERSIONS.contains(&v))
        }
    }
}

async fn write_all(
    mut write: impl AsyncWrite + Unpin,
    mut waiting: mpsc::Receiver<Vec<u8>>,
    broken: CancellationToken,
) {
    while let Some(line) = waiting.recv().await {
        let written = async {
            write.write_all(&line).await?;
            if waiting.is_empty() { write.flush().await } else { Ok(()) }
        };
        if written.await.is_err() {
            broken.cancel();
            return;
        }
    }
}

/// A line that is being read. Of one that is too long, both ends are kept.
#[derive(Default)]
struct Line {
    bytes: Vec<u8>,
    tail: Vec<u8>,
    length: usize,
}

/// A line that was read.
enum Whole {
    Line(Vec<u8>),
    TooLong { head: Vec<u8>, tail: Vec<u8> },
}

impl Line {
    fn push(&mut self, bytes: &[u8]) {
        self.length += bytes.len();
        if self.length <= MAX_LINE {
            self.bytes.extend_from_slice(bytes);
            return;
        }
        if self.bytes.len() > END_KEPT {
            self.tail = self.bytes.split_off(self.bytes.len() - END_KEPT);
            self.bytes.truncate(END_KEPT);
            self.bytes.shrink_to_fit();
        }
        self.tail.extend_from_slice(&bytes[bytes.len().saturating_sub(END_KEPT)..]);
        let n_extra = self.tail.len().saturating_sub(END_KEPT);
        self.tail.drain(..n_extra);
    }

    /// The line, if there is any of it; the next one starts empty.
    fn finish(&mut self) -> Option<Whole> {
        let Line { bytes, tail, length } = std::mem::take(self);
        match length {
            0 => None,
            n if n > MAX_LINE => Some(Whole::TooLong { head: bytes, tail }),
            _ => Some(Whole::Line(bytes)),
        }
    }
}

/// What a line is.
pub(super) enum Reading {
    /// A message.
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    /// None, and this is what its sender is told.
    Objection(Value),
    /// Nothing that anybody waits for.
    Nothing,
}

fn reading(whole: &Whole) -> Reading {
    match whole {
        Whole::Line(bytes) => message_in(bytes),
        Whole::TooLong { head, tail } => {
            let id = broken::id_at_either_end(head, tail);
            let limit = MAX_LINE >> 20;
            let text = format!("a line longer than {limit} MiB is not read: send less at once");
            Reading::Objection(objection(-32600, &text, id))
        }
    }
}

/// The message in a line.
pub(super) fn message_in(bytes: &[u8]) -> Reading {
    if unpadded(bytes).is_empty() {
        return Reading::Nothing;
    }
    let fields = match frame(bytes) {
        Ok(fields) => fields,
        Err(objection) => return Reading::Objection(objection),
    };
    let id = fields.get("id").cloned().filter(|_| !is_answer(&fields));
    match (serde_json::from_value(Value::Object(fields)), id) {
        (Ok(message), _) => Reading::Message(Box::new(message)),
        // Nobody waits for an answer to a note or to an answer.
        (Err(_), None) => Reading::Nothing,
        (Err(error), Some(id)) => {
            let text = format!("this is no request of JSON-RPC 2.0: {error}");
            Reading::Objection(objection(-32600, &text, id))
        }
    }
}

fn unpadded(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii()
}

/// The fields of one message, whichever way it came. The error is what the sender is told.
pub(super) fn frame(bytes: &[u8]) -> Result<Map<String, Value>, Value> {
    let value: Value = serde_json::from_slice(unpadded(bytes)).map_err(|error| {
        // Whoever asked waits for an answer, however deep or broken the rest is.
        objection(-32700, &format!("this is not JSON: {error}"), broken::id_in(unpadded(bytes)))
    })?;
    let Value::Object(mut fields) = value else {
        let text = "a message is one JSON object; batches are not taken";
        return Err(objection(-32600, text, Value::Null));
    };
    if let Some(id) = fields.get("id")
        && !(id.is_string() || id.is_i64())
    {
        let is_shown = id.is_number() && !is_answer(&fields);
        let id = if is_shown { id.clone() } else { Value::Null };
        let text = "the id of a request is a text or a whole number";
        return Err(objection(-32600, text, id));
    }
    unpack_arguments(&mut fields);
    Ok(fields)
}

/// Whether a message answers something, so that nobody waits for an answer to it.
fn is_answer(fields: &Map<String, Value>) -> bool {
    let has = |name: &str| fields.contains_key(name);
    (has("result") || has("error")) && !has("method")
}

/// What the sender of fields with this id is told, which are those of no message.
pub(super) fn no_message(id: Value) -> Value {
    objection(
        -32600,
        "this is no request of JSON-RPC 2.0: it has jsonrpc, id, method and params",
        id,
    )
}

/// What a request is told that names the newer era and does not say what each request of it says.
pub(super) fn without_meta(fields: &Map<String, Value>) -> Value {
    let text = "params must hold `_meta` with protocolVersion and clientCapabilities, as the protocol of 2026-07-28 has it";
    objection(-32602, text, fields.get("id").cloned().unwrap_or(Value::Null))
}

/// Some models send a call's arguments as JSON text.
fn unpack_arguments(fields: &mut Map<String, Value>) {
    if fields.get("method").and_then(Value::as_str) != Some("tools/call") {
        return;
    }
    let Some(arguments) = fields.get_mut("params").and_then(|p| p.get_mut("arguments")) else {
        return;
    };
    let Some(text) = arguments.as_str() else { return };
    if text.trim().is_empty() {
        *arguments = json!({});
    } else if let Ok(object @ Value::Object(_)) = serde_json::from_str(text) {
        *arguments = object;
    }
}

/// A refusal; what it quotes is cut and shown as it is.
fn objection(code: i32, text: &str, id: Value) -> Value {
    let text: String = text.chars().take(MAX_OBJECTION).collect();
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": visible(&text)}})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_keeps_its_ends_and_no_more() {
        let mut line = Line::default();
        for _ in 0..(MAX_LINE / 1000 + 2) {
            line.push(&[b'x'; 1000]);
        }
        line.push(b"end");
        let Some(Whole::TooLong { head, tail }) = line.finish() else { panic!("it is too long") };
        assert_eq!((head.len(), tail.len()), (END_KEPT, END_KEPT));
        assert!(tail.ends_with(b"xend"));
        assert!(line.finish().is_none());
    }
}
