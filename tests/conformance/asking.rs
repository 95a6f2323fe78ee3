//! Tools of the older era that ask the client in the middle of a call: its model, and its user.
#![expect(
    deprecated,
    reason = "the suite's older revision asks for sampling, which the newer one leaves"
)]

use rmcp::RoleServer;
use rmcp::model::{CreateMessageRequestParams, ElicitRequestParams, JsonObject};
use rmcp::service::{Peer, ServiceError};
use serde_json::{Value, json};

/// Whom a tool asks.
#[derive(Clone, Copy)]
pub enum Question {
    /// The model: it answers the argument `prompt`.
    Model,
    /// The user, who fills in the form with this schema below the argument `message`.
    User(fn() -> Value),
}

/// The answer, as the text of the tool's result.
pub async fn ask(
    question: Question,
    arguments: &JsonObject,
    peer: &Peer<RoleServer>,
) -> Result<String, ServiceError> {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or(name).to_owned();
    match question {
        Question::Model => {
            let params = json!({
                "messages": [{"role": "user", "content": {"type": "text", "text": text("prompt")}}],
                "maxTokens": 100,
            });
            let params: CreateMessageRequestParams =
                serde_json::from_value(params).expect("the request has the protocol's form");
            let answer = peer.create_message(params).await?;
            Ok(format!("LLM response: {}", json!(answer.message.content)))
        }
        Question::User(schema) => {
            let params = json!({"message": text("message"), "requestedSchema": schema()});
            let params: ElicitRequestParams =
                serde_json::from_value(params).expect("the request has the protocol's form");
            let answer = peer.create_elicitation(params).await?;
            Ok(format!(
                "Elicitation completed: action={}, content={}",
                json!(answer.action).as_str().unwrap_or_default(),
                answer.content.unwrap_or_default()
            ))
        }
    }
}

/// For `test_elicitation`.
pub fn contact() -> Value {
    json!({
        "type": "object",
        "properties": {
            "username": {"type": "string", "description": "User's response"},
            "email": {"type": "string", "description": "User's email address"},
        },
        "required": ["username", "email"],
    })
}

/// For `test_elicitation_sep1034_defaults`: a default for every primitive type.
pub fn defaults() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "default": "John Doe"},
            "age": {"type": "integer", "default": 30},
            "score": {"type": "number", "default": 95.5},
            "status": {
                "type": "string",
                "enum": ["active", "inactive", "pending"],
                "default": "active",
            },
            "verified": {"type": "boolean", "default": true},
        },
        "required": [],
    })
}

/// For `test_elicitation_sep1330_enums`: every way to write a choice.
pub fn choices() -> Value {
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
            "titledSingle": {"type": "string", "oneOf": [
                {"const": "value1", "title": "First Option"},
                {"const": "value2", "title": "Second Option"},
                {"const": "value3", "title": "Third Option"},
            ]},
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": {
                "type": "array",
                "items": {"type": "string", "enum": ["option1", "option2", "option3"]},
            },
            "titledMulti": {"type": "array", "items": {"anyOf": [
                {"const": "value1", "title": "First Choice"},
                {"const": "value2", "title": "Second Choice"},
                {"const": "value3", "title": "Third Choice"},
            ]}},
        },
        "required": [],
    })
}
