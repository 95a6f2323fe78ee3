//! What the suite's tools, prompts and resources give back: fixed content, in the form the suite's scenarios print it.

use rmcp::model::ContentBlock;
use serde_json::{Value, json};

/// A picture of one red pixel, as base64.
pub const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

/// A sound of one silent sample, as base64.
pub const WAV: &str = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==";

/// Content blocks from their JSON.
pub fn blocks(content: Value) -> Vec<ContentBlock> {
    serde_json::from_value(content).expect("the content below has the protocol's form")
}

/// For `test_simple_text`.
pub fn simple_text() -> Value {
    json!([{"type": "text", "text": "This is a simple text response for testing."}])
}

/// For `test_image_content`.
pub fn image() -> Value {
    json!([{"type": "image", "data": PNG, "mimeType": "image/png"}])
}

/// For `test_audio_content`.
pub fn audio() -> Value {
    json!([{"type": "audio", "data": WAV, "mimeType": "audio/wav"}])
}

/// For `test_embedded_resource`.
pub fn embedded_resource() -> Value {
    json!([{"type": "resource", "resource": {
        "uri": "test://embedded-resource",
        "mimeType": "text/plain",
        "text": "This is an embedded resource content.",
    }}])
}

/// For `test_multiple_content_types`.
pub fn mixed() -> Value {
    json!([
        {"type": "text", "text": "Multiple content types test:"},
        {"type": "image", "data": PNG, "mimeType": "image/png"},
        {"type": "resource", "resource": {
            "uri": "test://mixed-content-resource",
            "mimeType": "application/json",
            "text": "{\"test\":\"data\",\"value\":123}",
        }},
    ])
}
