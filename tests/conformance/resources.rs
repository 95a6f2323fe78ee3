//! The resources that the suite's scenarios read, at the addresses where they read them.

use crate::content::PNG;
use rmcp::model::{ReadResourceResult, Resource, ResourceTemplate};
use serde_json::json;

const TEXT: &str = "test://static-text";
const BINARY: &str = "test://static-binary";
const WATCHED: &str = "test://watched-resource";

/// All resources as they are listed.
pub fn listed() -> Vec<Resource> {
    let resources = json!([
        {"uri": TEXT, "name": "static-text", "description": "A text", "mimeType": "text/plain"},
        {"uri": BINARY, "name": "static-binary", "description": "An image", "mimeType": "image/png"},
        {"uri": WATCHED, "name": "watched", "description": "For subscribers", "mimeType": "text/plain"},
    ]);
    serde_json::from_value(resources).expect("the resources above have the protocol's form")
}

/// All templates as they are listed.
pub fn templates() -> Vec<ResourceTemplate> {
    let templates = json!([{
        "uriTemplate": "test://template/{id}/data",
        "name": "template",
        "description": "An object that holds its number",
        "mimeType": "application/json",
    }]);
    serde_json::from_value(templates).expect("the template above has the protocol's form")
}

/// What stands at this address, if anything does.
pub fn read(uri: &str) -> Option<ReadResourceResult> {
    let text = |text: &str| json!([{"uri": uri, "mimeType": "text/plain", "text": text}]);
    let contents = match uri {
        TEXT => text("This is the content of the static text resource."),
        WATCHED => text("This resource never changes."),
        BINARY => json!([{"uri": uri, "mimeType": "image/png", "blob": PNG}]),
        _ => {
            let id = uri.strip_prefix("test://template/")?.strip_suffix("/data")?;
            if id.is_empty() || id.contains('/') {
                return None;
            }
            let data = format!("Data for ID: {id}");
            let object = json!({"id": id, "templateTest": true, "data": data}).to_string();
            json!([{"uri": uri, "mimeType": "application/json", "text": object}])
        }
    };
    let contents = serde_json::from_value(contents);
    Some(ReadResourceResult::new(contents.expect("the contents above have the protocol's form")))
}
