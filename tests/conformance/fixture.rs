//! The fixture as a handler of requests: what the suite asks for, and nothing of the product but the transport below.
#![expect(
    deprecated,
    reason = "the suite's older revision asks for logging and resources/subscribe"
)]

use crate::changes::Changes;
use crate::rounds::{self, Next, Turn};
use crate::tools::Does;
use crate::{asking, content, prompts, resources, telling, tools};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    CompletionInfo, ContentBlock, ErrorData, GetPromptRequestParams, GetPromptResponse,
    Implementation, InputResponses, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, LoggingLevel, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, RequestStateCodec, ServerCapabilities,
    ServerConfig, SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter, Tool,
    UnsubscribeRequestParams,
};
use rmcp::service::{RequestContext, ServiceError, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::json;
use std::sync::{Arc, Mutex, PoisonError};

/// What all requests share.
pub struct Shared {
    changes: Changes,
    seals: RequestStateCodec,
}

impl Shared {
    /// Seals made with `key` are opened only with it.
    pub fn new(key: [u8; 32]) -> Shared {
        Shared { changes: Changes::new(), seals: RequestStateCodec::new(key) }
    }
}

/// One session of the older era, or one request of the newer.
pub struct Fixture {
    shared: Arc<Shared>,
    level: Mutex<LoggingLevel>,
}

impl Fixture {
    /// Logs at level `info` until something else is wanted.
    pub fn new(shared: Arc<Shared>) -> Fixture {
        Fixture { shared, level: Mutex::new(LoggingLevel::Info) }
    }

    async fn result(
        &self,
        does: &Does,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let said = match does {
            Does::Gives(given) => {
                return Ok(CallToolResult::success(content::blocks(given())).into());
            }
            Does::Fails(words) => return Ok(failure(words).into()),
            Does::Rounds(asked) => {
                let turn = turn(
                    &request.name,
                    request.input_responses.as_ref(),
                    request.request_state.as_deref(),
                    context,
                );
                return Ok(match asked.next(&turn, &self.shared.seals)? {
                    Next::Ask(input) => input.into(),
                    Next::Done(words) => success(words).into(),
                });
            }
            Does::Logs => {
                telling::by_logging(context, self.level()).await.map(|()| "logged".into())
            }
            Does::Progresses => telling::by_progress(context).await.map(|()| "done".into()),
            Does::Asks(question) => {
                let arguments = request.arguments.unwrap_or_default();
                asking::ask(*question, &arguments, &context.peer).await
            }
            Does::Changes(change) => {
                self.shared.changes.say(*change);
                Ok("said".into())
            }
        };
        Ok(said.map_or_else(|error: ServiceError| failure(&error.to_string()), success).into())
    }

    fn level(&self) -> LoggingLevel {
        *self.level.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ServerHandler for Fixture {
    fn get_info(&self) -> ServerConfig {
        let can = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_prompts()
            .enable_prompts_list_changed()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_completions()
            .enable_logging()
            .build();
        ServerConfig::new(can)
            .with_server_info(Implementation::new("groundline-fixture", env!("CARGO_PKG_VERSION")))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::listed()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::row(name).map(tools::Row::listed)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let row = tools::row(&request.name)
            .ok_or_else(|| ErrorData::invalid_params(format!("no tool {}", request.name), None))?;
        self.result(&row.does, request, &context).await
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::listed()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        if request.name == prompts::IN_ROUNDS {
            let turn = turn(
                &request.name,
                request.input_responses.as_ref(),
                request.request_state.as_deref(),
                &context,
            );
            return Ok(match rounds::PROMPT.next(&turn, &self.shared.seals)? {
                Next::Ask(input) => input.into(),
                Next::Done(words) => prompts::of_text(&words).into(),
            });
        }
        let prompt = prompts::prompt(&request.name, &request.arguments.unwrap_or_default());
        let missing = || ErrorData::invalid_params(format!("no prompt {}", request.name), None);
        Ok(prompt.ok_or_else(missing)?.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(resources::listed()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        Ok(resources::read(&request.uri).ok_or_else(|| nowhere(&request.uri))?.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let begun = &request.argument.value;
        let words = ["paris", "park", "party", "test"];
        let values = words.iter().filter(|word| word.starts_with(begun)).map(|w| (*w).to_owned());
        let values = CompletionInfo::with_all_values(values.collect());
        let values = values.map_err(|error| ErrorData::internal_error(error, None))?;
        Ok(CompleteResult::new(values))
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        *self.level.lock().unwrap_or_else(PoisonError::into_inner) = request.level;
        Ok(())
    }

    /// Nothing here changes, so there is nothing to remember.
    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        resources::read(&request.uri).map(|_| ()).ok_or_else(|| nowhere(&request.uri))
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        resources::read(&request.uri).map(|_| ()).ok_or_else(|| nowhere(&request.uri))
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(requested.supported_by(&self.get_info().capabilities))
    }

    async fn listen(&self, subscription: SubscriptionContext) -> Result<(), ErrorData> {
        self.shared.changes.pass_on(&subscription).await
    }
}

fn turn<'r>(
    name: &'r str,
    responses: Option<&'r InputResponses>,
    state: Option<&'r str>,
    context: &RequestContext<RoleServer>,
) -> Turn<'r> {
    Turn { name, responses, state, can: context.client_capabilities().unwrap_or_default() }
}

fn success(words: String) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(words)])
}

fn failure(words: &str) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(words)])
}

fn nowhere(uri: &str) -> ErrorData {
    ErrorData::resource_not_found("nothing stands there", Some(json!({"uri": uri})))
}
