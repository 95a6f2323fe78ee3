//! Tools that tell of their work while they do it: by log messages, and by progress.
#![expect(
    deprecated,
    reason = "the suite's older revision asks for logging, which the newer one leaves"
)]

use rmcp::RoleServer;
use rmcp::model::{
    LoggingLevel, LoggingMessageNotificationParam, ProgressNotificationParam, ProtocolVersion,
};
use rmcp::service::{RequestContext, ServiceError};
use serde_json::json;
use std::time::Duration;

/// Between two steps, so that a client gets them one by one.
const STEP: Duration = Duration::from_millis(50);

/// The level below which a caller wants no log message: what the request itself says, else, in a session, what was
/// set there. A request of the newer era that says nothing wants none.
fn wanted(context: &RequestContext<RoleServer>, set: LoggingLevel) -> Option<LoggingLevel> {
    let is_modern = context.protocol_version().is_some_and(|v| v >= ProtocolVersion::V_2026_07_28);
    if is_modern { context.meta.log_level() } else { Some(set) }
}

/// Says at level `info` what it does, three times, where that is wanted.
pub async fn by_logging(
    context: &RequestContext<RoleServer>,
    set: LoggingLevel,
) -> Result<(), ServiceError> {
    let is_wanted = wanted(context, set)
        .is_some_and(|level| matches!(level, LoggingLevel::Debug | LoggingLevel::Info));
    for text in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
        if is_wanted {
            let message = LoggingMessageNotificationParam::new(LoggingLevel::Info, json!(text));
            context.peer.notify_logging_message(message).await?;
        }
        tokio::time::sleep(STEP).await;
    }
    Ok(())
}

/// Says how far it is, three times, if the request brought a token for that.
pub async fn by_progress(context: &RequestContext<RoleServer>) -> Result<(), ServiceError> {
    let token = context.meta.get_progress_token();
    for done in [0.0, 50.0, 100.0] {
        if let Some(token) = &token {
            let step = ProgressNotificationParam::new(token.clone(), done).with_total(100.0);
            context.peer.notify_progress(step).await?;
        }
        tokio::time::sleep(STEP).await;
    }
    Ok(())
}
