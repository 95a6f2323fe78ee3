//! The prompts that the suite's scenarios ask for, under the names that they ask for them by.

use crate::content::PNG;
use rmcp::model::{GetPromptResult, JsonObject, Prompt};
use serde_json::{Value, json};

/// The prompt that asks for its context by its result.
pub const IN_ROUNDS: &str = "test_input_required_result_prompt";

/// All prompts as they are listed.
pub fn listed() -> Vec<Prompt> {
    let argument =
        |name: &str, what: &str| json!({"name": name, "description": what, "required": true});
    let prompts = json!([
        {"name": "test_simple_prompt", "description": "A text"},
        {"name": "test_prompt_with_arguments", "description": "A text with two arguments", "arguments": [
            argument("arg1", "First test argument"),
            argument("arg2", "Second test argument"),
        ]},
        {"name": "test_prompt_with_embedded_resource", "description": "A resource", "arguments": [
            argument("resourceUri", "URI of the resource to embed"),
        ]},
        {"name": "test_prompt_with_image", "description": "An image"},
        {"name": IN_ROUNDS, "description": "A text whose context the user gives"},
    ]);
    serde_json::from_value(prompts).expect("the prompts above have the protocol's form")
}

/// The prompt of this name, if there is one that asks nothing.
pub fn prompt(name: &str, arguments: &JsonObject) -> Option<GetPromptResult> {
    let argument = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
    let contents = match name {
        "test_simple_prompt" => vec![text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments" => {
            let (one, two) = (argument("arg1"), argument("arg2"));
            vec![text(&format!("Prompt with arguments: arg1='{one}', arg2='{two}'"))]
        }
        "test_prompt_with_embedded_resource" => {
            let resource = json!({
                "uri": argument("resourceUri"),
                "mimeType": "text/plain",
                "text": "Embedded resource content for testing.",
            });
            let resource = json!({"type": "resource", "resource": resource});
            vec![resource, text("Please process the embedded resource above.")]
        }
        "test_prompt_with_image" => {
            let image = json!({"type": "image", "data": PNG, "mimeType": "image/png"});
            vec![image, text("Please analyze the image above.")]
        }
        _ => return None,
    };
    Some(messages(contents))
}

/// A prompt of one text.
pub fn of_text(words: &str) -> GetPromptResult {
    messages(vec![text(words)])
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn messages(contents: Vec<Value>) -> GetPromptResult {
    let message = |content| json!({"role": "user", "content": content});
    let messages = contents.into_iter().map(message).collect();
    let messages = serde_json::from_value(Value::Array(messages));
    GetPromptResult::new(messages.expect("the messages above have the protocol's form"))
}
