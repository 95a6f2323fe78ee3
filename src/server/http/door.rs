//! What a request must be before the protocol hears it, and what answers that need no protocol.
//!
//! In this order: the name it asks for, the page it comes from, the path, the method, the token, the form of the body, the
//! body, the right that it takes. Whatever is refused is refused with the status that says why, and never with a word of
//! what was sent.

use super::body::{self, Answer, Followed};
use super::bounds::Bounds;
use super::guard::{Admission, Guard};
use super::lane::Lane;
use super::names::{From, Names};
use super::rates::{HANDSHAKES, Rates};
use super::refusals::{self, Refusal};
use super::stream::{Lengths, Pace};
use crate::server::accounts::Asker;
use crate::server::caller::{Caller, Rights, TurnedAway};
use crate::server::desk::Desk;
use crate::server::metrics;
use crate::server::places::{self, Places, Turn};
use crate::server::tools::{self, Effect};
use crate::server::wire;
use bytes::Bytes;
use http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, ALLOW, AUTHORIZATION, CONTENT_ENCODING, CONTENT_LENGTH,
    CONTENT_TYPE, HeaderValue, TRANSFER_ENCODING, USER_AGENT, VARY,
};
use http::{HeaderMap, Method, Request, Response, StatusCode, request};
use http_body::Body;
use http_body_util::{BodyExt, Full};
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Map, Value};
use std::net::IpAddr;
use std::sync::Arc;
use tokio::time::Instant;

/// Where the protocol is.
const MCP: &str = "/mcp";

/// Seconds that it takes to understand one byte: about 15 ms a megabyte.
const A_BYTE: f64 = 1.5e-8;

/// A message of more bytes is long: reading it takes a millisecond or more.
const LONG: usize = 64 << 10;

/// From this version on, a request says all about itself.
const MODERN: &str = "2026-07-28";

/// Under which name a request says its version itself.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// Whether clients of the older era are given sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sessions {
    /// Every request stands for itself.
    None,
    /// As that era has them; a server that asks its clients back needs them.
    Kept,
}

/// Who is at the door.
#[derive(Debug, Clone)]
pub struct Visit {
    /// From which address.
    pub peer: IpAddr,
    /// Over which connection.
    pub connection: u64,
    /// The connection's clock.
    pub pace: Pace,
    /// Whether there is room for more than a word.
    pub room: Room,
}

/// Whether a connection is one too many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// It is served.
    Enough,
    /// It is told that there are too many.
    None,
}

/// The door of one server.
pub struct Door<H> {
    names: Names,
    guard: Guard,
    handshakes: Rates,
    bounds: Bounds,
    desk: Arc<Desk>,
    sessions: Sessions,
    turns: Arc<Places>,
    lane: Lane,
    protocol: StreamableHttpService<H, LocalSessionManager>,
}

impl<H: ServerHandler + Send + 'static> Door<H> {
    /// A door to what `handler` makes, for each request or session one.
    pub fn new(
        names: Names,
        guard: Guard,
        bounds: Bounds,
        desk: Arc<Desk>,
        sessions: Sessions,
        handler: impl Fn() -> H + Send + Sync + 'static,
    ) -> Door<H> {
        // Hosts and origins are looked at here, before anything else is.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .disable_allowed_origins()
            .with_max_request_body_bytes(bounds.max_body)
            .with_json_response(true)
            .with_legacy_session_mode(sessions == Sessions::Kept);
        let protocol = StreamableHttpService::new(move || Ok(handler()), Arc::default(), config);
        let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
        // Each connection asks for one thing at a time, so nobody is turned away here.
        let turns = Places::new(usize::MAX / 4, n_cores);
        let handshakes = Rates::new(HANDSHAKES);
        let lane = Lane::default();
        Door { names, guard, handshakes, bounds, desk, sessions, turns, lane, protocol }
    }

    /// What a client may take.
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// Where calls go.
    pub fn desk(&self) -> &Arc<Desk> {
        &self.desk
    }

    /// Answers a request.
    pub async fn answer<B, K>(
        self: &Arc<Door<H>>,
        request: Request<B>,
        visit: Visit,
        kept: K,
    ) -> Response<Answer>
    where
        B: Body<Data = Bytes> + Send + Unpin + 'static,
        K: Send + Sync + Unpin + 'static,
    {
        let lengths = visit.pace.serving();
        let served = Served { pace: visit.pace.clone(), _kept: kept };
        let (parts, mut body) = request.into_parts();
        let answered = match lengths {
            Lengths::Doubled => Err(Refusal::closing(StatusCode::BAD_REQUEST)),
            Lengths::Sound => self.let_in(parts, &mut body, &visit).await,
        };
        let mut response = answered.unwrap_or_else(|refusal| {
            self.desk.metrics().refused(refusal.status().as_u16());
            body::forget(body);
            refusal.into_response()
        });
        refusals::harden(response.headers_mut());
        response.map(|body| Followed::to_the_end(body, served))
    }

    async fn let_in<B>(
        self: &Arc<Door<H>>,
        parts: request::Parts,
        body: &mut B,
        visit: &Visit,
    ) -> Result<Response<Answer>, Refusal>
    where
        B: Body<Data = Bytes> + Send + Unpin + 'static,
    {
        if parts.uri.to_string().len() > self.bounds.max_uri {
            return Err(Refusal::closing(StatusCode::URI_TOO_LONG));
        }
        self.names.host(&parts.uri, &parts.headers)?;
        let is_health = parts.uri.path() == "/healthz";
        if visit.room == Room::None && !is_health {
            return Err(Refusal::closing(StatusCode::SERVICE_UNAVAILABLE).after(1));
        }
        let from = self.names.from(&parts.headers)?;
        let mut response = match parts.uri.path() {
            MCP => {
                if parts.method == Method::OPTIONS && matches!(from, From::Guest(_)) {
                    refusals::preflight()
                } else {
                    // Where a client has a session, it listens with GET and leaves with DELETE.
                    let methods = [Method::POST, Method::GET, Method::DELETE];
                    let n_methods = match self.sessions {
                        Sessions::None => 1,
                        Sessions::Kept => methods.len(),
                    };
                    allowed(&parts.method, &methods[..n_methods])?;
                    let admission = self.guard.admit(&parts.headers, visit.peer)?;
                    if parts.method == Method::POST {
                        self.hear(parts, body, visit, &admission).await?
                    } else {
                        self.ask(parts, Bytes::new(), Value::Null).await?
                    }
                }
            }
            "/healthz" => {
                allowed(&parts.method, &[Method::GET, Method::HEAD])?;
                text("text/plain; charset=utf-8", "ok\n".to_owned())
            }
            "/metrics" => {
                allowed(&parts.method, &[Method::GET, Method::HEAD])?;
                let admission = self.guard.admit(&parts.headers, visit.peer)?;
                if admission.rights < Rights::Read {
                    return Err(self.guard.lacking(Rights::Read));
                }
                self.desk.metrics().key_set(self.guard.key_set());
                text(metrics::CONTENT_TYPE, self.desk.metrics_text())
            }
            path => {
                let document = self.guard.metadata(path).ok_or(StatusCode::NOT_FOUND)?;
                allowed(&parts.method, &[Method::GET, Method::HEAD])?;
                text("application/json", document.to_string())
            }
        };
        if let From::Guest(origin) = from
            && let Ok(origin) = HeaderValue::try_from(origin_as_sent(&origin))
        {
            response.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            response.headers_mut().append(VARY, HeaderValue::from_static("Origin"));
        }
        Ok(response)
    }

    /// Answers a message, when it is its turn: what many ask on many connections is not allowed to keep the others'
    /// messages from being looked at.
    async fn hear<B>(
        self: &Arc<Door<H>>,
        parts: request::Parts,
        body: &mut B,
        visit: &Visit,
        admission: &Admission,
    ) -> Result<Response<Answer>, Refusal>
    where
        B: Body<Data = Bytes> + Unpin,
    {
        if !is_json(&parts.headers) || parts.headers.contains_key(CONTENT_ENCODING) {
            return Err(StatusCode::UNSUPPORTED_MEDIA_TYPE.into());
        }
        if !is_plainly_sent(&parts.headers) {
            return Err(Refusal::closing(StatusCode::BAD_REQUEST));
        }
        let read = body::read(body, &self.bounds).await.map_err(Refusal::closing)?;
        // Where clients are asked back, an answer may wait for another request of theirs, and nobody waits in line for that.
        if self.sessions == Sessions::Kept {
            return self.answered(parts, read, visit, admission, None).await;
        }
        let client = parts.headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok());
        let asker = Asker::new(&admission.principal, client.unwrap_or(""), visit.connection);
        let n_bytes = f64::from(u32::try_from(read.len()).unwrap_or(u32::MAX));
        let is_beside_others =
            read.len() > LONG && self.turns.others_are_here(&asker, Instant::now());
        let place = self.turns.take(asker, n_bytes * A_BYTE).await;
        let turn = place
            .map(Turn::at)
            .map_err(|places::Full| Refusal::from(StatusCode::SERVICE_UNAVAILABLE))?;
        if !is_beside_others {
            return self.answered(parts, read, visit, admission, Some(turn)).await;
        }
        let (door, visit, admission) = (Arc::clone(self), visit.clone(), admission.clone());
        let work = async move { door.answered(parts, read, &visit, &admission, Some(turn)).await };
        let answered = self.lane.run(work).await;
        answered.unwrap_or_else(|| Err(StatusCode::INTERNAL_SERVER_ERROR.into()))
    }

    /// Answers a message whose turn it is.
    async fn answered(
        &self,
        mut parts: request::Parts,
        read: Bytes,
        visit: &Visit,
        admission: &Admission,
        turn: Option<Turn>,
    ) -> Result<Response<Answer>, Refusal> {
        let _over_after = turn.clone().map(EndsTurn);
        let (id, bytes) = self.understand(&mut parts, &read, visit, admission)?;
        drop(read);
        turn.map(|turn| parts.extensions.insert(turn));
        self.ask(parts, bytes, id).await
    }

    /// Holds a message against the caller's rights, and writes the caller to the request. Gives the message and its id.
    fn understand(
        &self,
        parts: &mut request::Parts,
        read: &Bytes,
        visit: &Visit,
        admission: &Admission,
    ) -> Result<(Value, Bytes), Refusal> {
        let frame = wire::frame(read).map_err(|objection| Refusal::objection(&objection))?;
        let method = frame.get("method").and_then(Value::as_str).unwrap_or("");
        if method == "initialize" {
            let tried = self.handshakes.tried(visit.peer, Instant::now());
            tried.map_err(|wait| {
                Refusal::from(StatusCode::TOO_MANY_REQUESTS).after(wait.as_secs())
            })?;
        }
        if says_too_little(&parts.headers, &frame) {
            return Err(Refusal::objection(&wire::without_meta(&frame)));
        }
        let needed = needed(method, &frame);
        if admission.rights < needed {
            return Err(self.guard.lacking(needed));
        }
        parts.extensions.insert(Caller {
            principal: admission.principal.clone(),
            rights: admission.rights,
            connection: visit.connection,
        });
        let bytes = serde_json::to_vec(&frame).map_err(|_| StatusCode::BAD_REQUEST)?;
        Ok((frame.get("id").cloned().unwrap_or(Value::Null), Bytes::from(bytes)))
    }

    async fn ask(
        &self,
        mut parts: request::Parts,
        bytes: Bytes,
        id: Value,
    ) -> Result<Response<Answer>, Refusal> {
        let turned_away = TurnedAway::default();
        parts.extensions.insert(turned_away.clone());
        // Whoever answers needs no token, and the body is another than the one that these were about.
        for name in [AUTHORIZATION, CONTENT_ENCODING, CONTENT_LENGTH, TRANSFER_ENCODING] {
            parts.headers.remove(name);
        }
        let request = Request::from_parts(parts, Full::new(bytes));
        let mut response = refusals::visible(self.protocol.handle(request).await).await;
        if response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
            // The form of the body was looked at before; what the SDK does not take is no message.
            return Err(Refusal::objection(&wire::no_message(id)));
        }
        if turned_away.is_set() && response.status() == StatusCode::OK {
            refusals::turned_away(&mut response);
            self.desk.metrics().refused(response.status().as_u16());
        }
        Ok(response)
    }
}

/// Ends a request's turn at the latest when it is answered or not wanted any more.
struct EndsTurn(Turn);

impl Drop for EndsTurn {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Dropped when an answer is out.
struct Served<K> {
    pace: Pace,
    _kept: K,
}

impl<K> Drop for Served<K> {
    fn drop(&mut self) {
        self.pace.idle();
    }
}

fn allowed(method: &Method, methods: &[Method]) -> Result<(), Refusal> {
    if methods.contains(method) {
        return Ok(());
    }
    let names: Vec<&str> = methods.iter().map(Method::as_str).collect();
    Err(Refusal::from(StatusCode::METHOD_NOT_ALLOWED).with(ALLOW, &names.join(", ")))
}

/// Whether the body comes as it is or in chunks, and what the protocol says of it is said once.
fn is_plainly_sent(headers: &HeaderMap) -> bool {
    let is_once = |name: &str| headers.get_all(name).iter().count() <= 1;
    let is_chunked = headers.get(TRANSFER_ENCODING).is_none_or(|how| how == "chunked");
    is_chunked
        && ["transfer-encoding", "mcp-protocol-version", "mcp-method", "mcp-name"]
            .into_iter()
            .all(is_once)
}

fn is_json(headers: &HeaderMap) -> bool {
    let mut named = headers.get_all(CONTENT_TYPE).iter();
    let (Some(one), None) = (named.next(), named.next()) else { return false };
    let essence = one.to_str().unwrap_or("").split(';').next().unwrap_or("");
    essence.trim().eq_ignore_ascii_case("application/json")
}

/// Whether a request says that it is of the newer era, but not what each request of it must say.
fn says_too_little(headers: &HeaderMap, frame: &Map<String, Value>) -> bool {
    let version = headers.get("mcp-protocol-version").and_then(|v| v.to_str().ok());
    let is_request = frame.contains_key("id") && frame.contains_key("method");
    let said = frame.get("params").and_then(|p| p.get("_meta")).and_then(|meta| meta.get(VERSION));
    is_request && version == Some(MODERN) && said.is_none()
}

/// The right that a message takes.
fn needed(method: &str, frame: &Map<String, Value>) -> Rights {
    let name = frame.get("params").and_then(|p| p.get("name")).and_then(Value::as_str);
    match (method, name.and_then(tools::tool)) {
        ("tools/call", Some(tool)) => match tool.effect {
            Effect::Reads => Rights::Read,
            Effect::Changes => Rights::Change,
        },
        _ => Rights::List,
    }
}

fn text(media_type: &'static str, text: String) -> Response<Answer> {
    let mut response = Response::new(Full::new(Bytes::from(text)).boxed());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}

/// An origin as browsers write it: the usual port is left out (RFC 6454, section 6.2).
fn origin_as_sent(origin: &str) -> &str {
    let usual = if origin.starts_with("https:") { ":443" } else { ":80" };
    origin.strip_suffix(usual).unwrap_or(origin)
}
