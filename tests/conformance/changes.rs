//! Lists that change, and who listens: a tool says that a list changed, and every open subscription to it is told.
//!
//! The lists themselves stay as they are, since the suite also checks that they keep their order.

use rmcp::ErrorData;
use rmcp::service::SubscriptionContext;
use tokio::sync::broadcast::{self, error::RecvError};

/// A list that is said to have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// That of the tools.
    Tools,
    /// That of the prompts.
    Prompts,
}

/// Where changes are said and heard; requests are served one by one, so it is shared by all of them.
#[derive(Debug, Clone)]
pub struct Changes(broadcast::Sender<Change>);

impl Changes {
    /// With nobody listening.
    pub fn new() -> Changes {
        Changes(broadcast::Sender::new(16))
    }

    /// Tells all who listen now.
    pub fn say(&self, change: Change) {
        // An error only says that nobody listens.
        let _ = self.0.send(change);
    }

    /// Passes on what is said, until the subscription ends; what was not asked for the sink refuses.
    pub async fn pass_on(&self, subscription: &SubscriptionContext) -> Result<(), ErrorData> {
        let mut heard = self.0.subscribe();
        loop {
            let change = tokio::select! {
                () = subscription.cancelled() => return Ok(()),
                change = heard.recv() => change,
            };
            let accepted = subscription.accepted();
            match change {
                Ok(Change::Tools) if accepted.tools_list_changed == Some(true) => {
                    subscription.sink().notify_tool_list_changed().await.map_err(unsent)?;
                }
                Ok(Change::Prompts) if accepted.prompts_list_changed == Some(true) => {
                    subscription.sink().notify_prompt_list_changed().await.map_err(unsent)?;
                }
                Ok(Change::Tools | Change::Prompts) | Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return Ok(()),
            }
        }
    }
}

fn unsent(error: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(format!("a change could not be told: {error}"), None)
}
