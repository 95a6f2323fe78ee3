//! `mcp.json.example` holds a form for each host, and each starts `groundline serve`.

use crate::program::top;
use serde_json::Value;
use std::fs;

fn example() -> Value {
    let text = fs::read_to_string(top().join("mcp.json.example")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn assert_serves(command: &str, arguments: &[&str]) {
    assert_eq!(command, "groundline");
    assert_eq!(arguments.first(), Some(&"serve"));
}

fn assert_serves_json(entry: &Value) {
    let arguments = entry["args"].as_array().unwrap().iter().map(|a| a.as_str().unwrap());
    assert_serves(entry["command"].as_str().unwrap(), &arguments.collect::<Vec<_>>());
}

#[test]
fn hosts_that_read_json_find_the_server_where_they_look() {
    let example = example();
    for (host, servers) in [
        ("claude-code", "mcpServers"),
        ("cursor", "mcpServers"),
        ("gemini-cli", "mcpServers"),
        ("vs-code", "servers"),
    ] {
        assert_serves_json(&example[host]["json"][servers]["groundline"]);
    }
    assert_eq!(example["vs-code"]["json"]["servers"]["groundline"]["type"], "stdio");
}

#[test]
fn codex_reads_its_form_as_toml() {
    let example = example();
    let form: toml::Table = toml::from_str(example["codex"]["toml"].as_str().unwrap()).unwrap();
    let entry = &form["mcp_servers"]["groundline"];
    let arguments = entry["args"].as_array().unwrap().iter().map(|a| a.as_str().unwrap());
    assert_serves(entry["command"].as_str().unwrap(), &arguments.collect::<Vec<_>>());
}

#[test]
fn every_host_has_a_file_and_one_form() {
    for (host, entry) in example().as_object().unwrap() {
        assert!(entry["file"].is_string(), "{host}");
        assert!(entry["json"].is_object() != entry["toml"].is_string(), "{host}");
    }
}
