//! The tools over MCP, in both eras of the protocol: with `initialize`, and with `server/discover`.
//!
//! Answers are text only. What a model can put right comes back as a result marked as an error; an error of the
//! protocol is left for what cannot be a call at all.

use super::accounts::Asker;
use super::caller::{Caller, TurnedAway};
use super::desk::{Asked, Desk, Step};
use super::places::Turn;
use super::roots::Roots;
use super::tools::{self, Effect, INSTRUCTIONS, TOOLS};
use crate::envelope::visible;
use crate::session::{Call, Listing, Outcome};
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock,
    CustomRequest, CustomResult, DiscoverResult, ErrorCode, ErrorData, Implementation,
    ListToolsResult, MetaObject, PaginatedRequestParams, ProgressNotificationParam, ProgressToken,
    ProtocolVersion, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{Peer, RoleServer, ServerHandler};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use tokio::sync::watch;

/// How long a list may be kept; it changes with the program only.
const TTL_MS: u64 = 300_000;

/// Progress is told no more often than this.
const BETWEEN_STEPS: Duration = Duration::from_millis(100);

/// So many characters of a method's name are said back.
const MAX_NAMED: usize = 100;

/// Under which name a result says who answered.
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// The tools as the protocol lists them, made once.
static LISTED: LazyLock<Vec<Tool>> = LazyLock::new(|| TOOLS.iter().map(listed).collect());

/// Whether a client is asked for its roots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskRoots {
    /// Once, if it has any.
    Once,
    /// Never: the root was given.
    Never,
}

/// What a host talks to.
pub struct Handler {
    desk: Arc<Desk>,
    roots: Roots,
    ask_roots: AskRoots,
}

impl Handler {
    /// A handler that puts its calls to `desk`.
    pub fn new(desk: Arc<Desk>, ask_roots: AskRoots) -> Handler {
        Handler { desk, roots: Roots::default(), ask_roots }
    }

    async fn client_roots(&self, context: &RequestContext<RoleServer>) -> Vec<PathBuf> {
        match self.ask_roots {
            AskRoots::Once => self.roots.of(context).await,
            AskRoots::Never => Vec::new(),
        }
    }

    async fn answer(
        &self,
        call: Call,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let tool = call.tool.clone();
        let (steps, watched) = watch::channel(Step::default());
        let asker = asker(context);
        let asked = tokio::select! {
            asked = self.desk.ask(call, asker, &context.ct, steps) => asked,
            () = tell(&context.peer, context.meta.get_progress_token(), watched) => Asked::Abandoned,
        };
        match asked {
            Asked::Answered(reply) => {
                let text = vec![ContentBlock::text(reply.text)];
                Ok(match reply.outcome {
                    Outcome::Clean | Outcome::Findings => CallToolResult::success(text),
                    Outcome::Failed => CallToolResult::error(text),
                })
            }
            Asked::Busy(n_calls) => {
                turned_away(context);
                Ok(failure(format!(
                    "{n_calls} calls are being answered already: ask again when one of them is"
                )))
            }
            Asked::Late(deadline) => Ok(failure(late(&tool, deadline))),
            Asked::Broken => Ok(failure(format!(
                "{tool} broke off, which is a bug of Groundline and not of this call: go on without it"
            ))),
            Asked::Abandoned => {
                Err(ErrorData::internal_error("the call was given up before it was answered", None))
            }
        }
    }
}

/// What is said of a call that ran into the deadline.
fn late(tool: &str, deadline: Duration) -> String {
    let next = match tool {
        "verify_fingerprint" => {
            "it is UNKNOWN whether the tree held still; groundline fingerprint on the command line has no deadline"
        }
        _ => "ask for less at once",
    };
    format!("{tool} was stopped after {} s without an answer: {next}", deadline.as_secs_f32())
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(implementation())
            .with_instructions(INSTRUCTIONS)
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        Ok(DiscoverResult::from_server_info(versions, self.get_info())
            .with_ttl_ms(TTL_MS)
            .with_cache_scope(CacheScope::Public))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut listed = ListToolsResult::with_all_items(LISTED.clone())
            .with_ttl_ms(TTL_MS)
            .with_cache_scope(CacheScope::Public);
        listed.meta = signature(&context);
        Ok(listed)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = tools::tool(&request.name)
            .ok_or_else(|| ErrorData::invalid_params(tools::no_such_tool(&request.name), None))?;
        end_turn(&context);
        let call = Call {
            tool: request.name.into_owned(),
            arguments: tool.by_own_names(request.arguments.unwrap_or_default()),
            client_roots: self.client_roots(&context).await,
            listing: Listing::Findings,
            principal: caller(&context).principal,
        };
        let mut result = self.answer(call, &context).await?;
        result.meta = signature(&context);
        Ok(result.into())
    }

    async fn on_roots_list_changed(&self, _: NotificationContext<RoleServer>) {
        self.roots.forget().await;
    }

    /// What is not known as a request arrives here, and so does a known one whose parameters have another form.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let params = request.params.as_ref();
        let is_modern = is_modern(&context);
        let known: &[&str] = match is_modern {
            true => &["tools/list", "server/discover"],
            false => &["tools/list", "server/discover", "initialize", "ping"],
        };
        match request.method.as_str() {
            "tools/call" => misfit(params, is_modern),
            method if known.contains(&method) => {
                let text = format!("the params of {method} do not have its form");
                Err(ErrorData::invalid_params(text, None))
            }
            method => {
                let named: String = method.chars().take(MAX_NAMED).collect();
                Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, visible(&named), None))
            }
        }
    }
}

/// Who asks: what the door wrote to the request, or the user of this machine.
fn caller(context: &RequestContext<RoleServer>) -> Caller {
    let parts = context.extensions.get::<http::request::Parts>();
    parts.and_then(|parts| parts.extensions.get::<Caller>()).cloned().unwrap_or_default()
}

/// Says to the door that a request is understood: from here on a call waits for its turn at the desk.
fn end_turn(context: &RequestContext<RoleServer>) {
    let parts = context.extensions.get::<http::request::Parts>();
    if let Some(turn) = parts.and_then(|parts| parts.extensions.get::<Turn>()) {
        turn.end();
    }
}

/// Says to the door that a call found no place, so that the status can say it too.
fn turned_away(context: &RequestContext<RoleServer>) {
    let parts = context.extensions.get::<http::request::Parts>();
    if let Some(mark) = parts.and_then(|parts| parts.extensions.get::<TurnedAway>()) {
        mark.set();
    }
}

/// Whose turn a call takes: a principal's, told apart by the names that its clients give themselves.
fn asker(context: &RequestContext<RoleServer>) -> Asker {
    let Caller { principal, connection, .. } = caller(context);
    let parts = context.extensions.get::<http::request::Parts>();
    let told = context.meta.client_info().map(|client| client.name);
    let client = told.or_else(|| {
        let agent = parts?.headers.get(http::header::USER_AGENT)?;
        agent.to_str().ok().map(str::to_owned)
    });
    Asker::new(&principal, &client.unwrap_or_default(), connection)
}

/// A call whose parameters have another form than a call's: where its tool is known, the model is shown the form.
fn misfit(params: Option<&Value>, is_modern: bool) -> Result<CustomResult, ErrorData> {
    let name = params.and_then(|p| p.get("name")).and_then(Value::as_str).ok_or_else(|| {
        ErrorData::invalid_params("params must hold the tool's `name` and its `arguments`", None)
    })?;
    let tool = tools::tool(name)
        .ok_or_else(|| ErrorData::invalid_params(tools::no_such_tool(name), None))?;
    let text = format!(
        "the arguments of {} must be an object with names and values, such as {}",
        tool.name, tool.example
    );
    let mut result = json!({"content": [{"type": "text", "text": text}], "isError": true});
    if is_modern {
        result["resultType"] = json!("complete");
    }
    Ok(CustomResult(result))
}

/// Tells how far a call is to a client that wants to know; it never ends by itself.
async fn tell(
    peer: &Peer<RoleServer>,
    token: Option<ProgressToken>,
    mut steps: watch::Receiver<Step>,
) {
    let Some(token) = token else { return std::future::pending().await };
    let (mut before, mut last) = (0, Step::default());
    while steps.changed().await.is_ok() {
        let step = steps.borrow_and_update().clone();
        if step.done < last.done {
            // The protocol wants numbers that only grow, and this is the first step of the next part of the work.
            before += last.done;
        }
        if step != last {
            let _ = peer.notify_progress(progress(&token, before, &step)).await;
        }
        last = step;
        tokio::time::sleep(BETWEEN_STEPS).await;
    }
    std::future::pending().await
}

#[expect(clippy::cast_precision_loss, reason = "progress is told as floats, and need not be exact")]
fn progress(token: &ProgressToken, before: u64, step: &Step) -> ProgressNotificationParam {
    let done = (before + step.done) as f64;
    let told =
        ProgressNotificationParam::new(token.clone(), done).with_message(visible(&step.what));
    match step.total {
        0 => told,
        total => told.with_total((before + total) as f64),
    }
}

fn failure(text: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}

fn implementation() -> Implementation {
    Implementation::new("groundline", env!("CARGO_PKG_VERSION")).with_title("Groundline")
}

fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|v| v >= ProtocolVersion::V_2026_07_28)
}

/// Who answers, as every result of the newer era says it.
fn signature(context: &RequestContext<RoleServer>) -> Option<MetaObject> {
    if !is_modern(context) {
        return None;
    }
    let mut meta = MetaObject::default();
    meta.insert(SERVER_INFO.to_owned(), serde_json::to_value(implementation()).ok()?);
    Some(meta)
}

fn listed(tool: &tools::Tool) -> Tool {
    let changes = match tool.effect {
        Effect::Reads => false,
        Effect::Changes => true,
    };
    let hints = ToolAnnotations::with_title(tool.title)
        .read_only(!changes)
        .destructive(changes)
        .idempotent(!changes)
        .open_world(false);
    Tool::new(tool.name, tool.description, Arc::new(tool.schema()))
        .with_title(tool.title)
        .with_annotations(hints)
}
