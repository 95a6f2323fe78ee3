//! The tools that the suite's scenarios call, under the names that they call them by: one row each.

use crate::asking::{self, Question};
use crate::changes::Change;
use crate::content;
use crate::rounds::{self, Rounds};
use rmcp::model::Tool;
use serde_json::{Value, json};

/// One tool: how it is listed, and what a call does.
pub struct Row {
    name: &'static str,
    description: &'static str,
    input: fn() -> Value,
    /// What a call does.
    pub does: Does,
}

/// What a call does.
pub enum Does {
    /// Gives this content.
    Gives(fn() -> Value),
    /// Fails, with these words.
    Fails(&'static str),
    /// Says in log messages what it does.
    Logs,
    /// Says how far it is.
    Progresses,
    /// Asks the client in the middle of the call.
    Asks(Question),
    /// Asks by its result.
    Rounds(&'static Rounds),
    /// Says that a list changed.
    Changes(Change),
}

/// The row of this name.
pub fn row(name: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.name == name)
}

/// All tools as they are listed, always in the order of the table.
pub fn listed() -> Vec<Tool> {
    ROWS.iter().map(Row::listed).collect()
}

impl Row {
    /// How the tool is listed.
    pub fn listed(&self) -> Tool {
        let Value::Object(input) = (self.input)() else {
            unreachable!("every schema of the table is an object")
        };
        Tool::new(self.name, self.description, input)
    }
}

fn nothing() -> Value {
    json!({"type": "object", "properties": {}})
}

/// One argument that must be given.
fn one(name: &str, description: &str) -> Value {
    json!({
        "type": "object",
        "properties": {name: {"type": "string", "description": description}},
        "required": [name],
    })
}

/// What the suite wants to find again in the list, word by word.
fn schema_2020_12() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }},
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    })
}

/// An argument that a client of the newer era repeats in a header of its request.
fn in_a_header() -> Value {
    json!({
        "type": "object",
        "properties": {"region": {
            "type": "string",
            "description": "Repeated in the header Mcp-Param-Region",
            "x-mcp-header": "Region",
        }},
        "required": ["region"],
    })
}

const fn row_of(name: &'static str, description: &'static str, does: Does) -> Row {
    Row { name, description, input: nothing, does }
}

static ROWS: &[Row] = &[
    row_of("test_simple_text", "Gives a text", Does::Gives(content::simple_text)),
    row_of("test_image_content", "Gives an image", Does::Gives(content::image)),
    row_of("test_audio_content", "Gives a sound", Does::Gives(content::audio)),
    row_of(
        "test_embedded_resource",
        "Gives an embedded resource",
        Does::Gives(content::embedded_resource),
    ),
    row_of(
        "test_multiple_content_types",
        "Gives a text, an image and a resource",
        Does::Gives(content::mixed),
    ),
    row_of(
        "test_error_handling",
        "Fails",
        Does::Fails("This tool intentionally returns an error for testing"),
    ),
    row_of("test_tool_with_logging", "Logs what it does", Does::Logs),
    row_of("test_logging_tool", "Logs what it does, where the request wants that", Does::Logs),
    row_of("test_tool_with_progress", "Tells how far it is", Does::Progresses),
    Row {
        name: "test_sampling",
        description: "Asks the client's model",
        input: || one("prompt", "What the model is asked"),
        does: Does::Asks(Question::Model),
    },
    Row {
        name: "test_elicitation",
        description: "Asks the user",
        input: || one("message", "What the user is told"),
        does: Does::Asks(Question::User(asking::contact)),
    },
    row_of(
        "test_elicitation_sep1034_defaults",
        "Asks the user, with defaults",
        Does::Asks(Question::User(asking::defaults)),
    ),
    row_of(
        "test_elicitation_sep1330_enums",
        "Asks the user, with choices",
        Does::Asks(Question::User(asking::choices)),
    ),
    row_of(
        "test_missing_capability",
        "Needs a client that has a model",
        Does::Rounds(&rounds::MODEL_ONLY),
    ),
    row_of(
        "test_streaming_elicitation",
        "Asks the user by its result",
        Does::Rounds(&rounds::ELICITATION),
    ),
    row_of(
        "test_input_required_result_elicitation",
        "Asks the user by its result",
        Does::Rounds(&rounds::ELICITATION),
    ),
    row_of(
        "test_input_required_result_sampling",
        "Asks the client's model by its result",
        Does::Rounds(&rounds::SAMPLING),
    ),
    row_of(
        "test_input_required_result_list_roots",
        "Asks for the client's roots by its result",
        Does::Rounds(&rounds::LIST_ROOTS),
    ),
    row_of(
        "test_input_required_result_request_state",
        "Gives the client something to bring back",
        Does::Rounds(&rounds::CONFIRM),
    ),
    row_of(
        "test_input_required_result_tampered_state",
        "Refuses what was changed on the way",
        Does::Rounds(&rounds::CONFIRM),
    ),
    row_of(
        "test_input_required_result_multiple_inputs",
        "Asks for three things at once",
        Does::Rounds(&rounds::MULTIPLE),
    ),
    row_of(
        "test_input_required_result_multi_round",
        "Asks twice, one after the other",
        Does::Rounds(&rounds::MULTI_ROUND),
    ),
    row_of(
        "test_input_required_result_capabilities",
        "Asks only what the client can answer",
        Does::Rounds(&rounds::CAPABILITIES),
    ),
    row_of(
        "test_trigger_tool_change",
        "Says that the list of tools changed",
        Does::Changes(Change::Tools),
    ),
    row_of(
        "test_trigger_prompt_change",
        "Says that the list of prompts changed",
        Does::Changes(Change::Prompts),
    ),
    Row {
        name: "json_schema_2020_12_tool",
        description: "Tool with JSON Schema 2020-12 features",
        input: schema_2020_12,
        does: Does::Gives(content::simple_text),
    },
    Row {
        name: "test_header_argument",
        description: "Takes an argument that is repeated in a header",
        input: in_a_header,
        does: Does::Gives(content::simple_text),
    },
];
