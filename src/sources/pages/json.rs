//! JSON to nodes.
//!
//! What follows a mistake in the text is lost, what stands before it is kept.

use super::Flaw;
use super::node::{Builder, Node};
use crate::base::{Lines, to_u32};
use json_event_parser::{JsonEvent, LowLevelJsonParser};

/// How deep values nest before the text is given up.
const MAX_NESTING: usize = 4_096;

/// The root of `text`, whose children are its keys or items, and what is odd in it.
pub fn nodes(text: &str) -> (Node, Vec<Flaw>) {
    let (root, flaws, _) = first(text);
    (root, flaws)
}

/// The first value of `text`, what is odd in it, and how many bytes it takes.
pub fn first(text: &str) -> (Node, Vec<Flaw>, usize) {
    let lines = Lines::of(text);
    let mut parser = LowLevelJsonParser::new().with_max_stack_size(MAX_NESTING);
    let mut builder = Builder::new();
    let mut flaws = Vec::new();
    // Of each open value whether it is an object, whose values are closed with their keys.
    let mut open: Vec<bool> = Vec::new();
    let mut at = 0;
    loop {
        let rest = text.as_bytes().get(at..).unwrap_or(&[]);
        let step = parser.parse_next(rest, true);
        at += step.consumed_bytes;
        let line = lines.line(to_u32(at.saturating_sub(1)));
        let event = match step.event {
            Some(Ok(event)) => event,
            Some(Err(_)) => {
                flaws.push(Flaw { line, what: "no JSON from here on" });
                break;
            }
            None => continue,
        };
        let in_object = open.last().copied().unwrap_or(false);
        match event {
            JsonEvent::ObjectKey(key) => builder.open(&key, line),
            JsonEvent::String(said) | JsonEvent::Number(said) => {
                value(&mut builder, &open, &said, line)
            }
            JsonEvent::Boolean(true) => value(&mut builder, &open, "true", line),
            JsonEvent::Boolean(false) => value(&mut builder, &open, "false", line),
            JsonEvent::Null => value(&mut builder, &open, "", line),
            JsonEvent::StartArray | JsonEvent::StartObject => {
                if !open.is_empty() && !in_object {
                    builder.open("", line);
                }
                open.push(matches!(event, JsonEvent::StartObject));
            }
            JsonEvent::EndArray | JsonEvent::EndObject => {
                open.pop();
                if open.is_empty() {
                    break;
                }
                builder.close(line);
            }
            JsonEvent::Eof => break,
        }
        if open.is_empty() {
            break;
        }
    }
    let last = lines.line(to_u32(at.saturating_sub(1)));
    (builder.finish(last), flaws, at)
}

fn value(builder: &mut Builder, open: &[bool], said: &str, line: u32) {
    match open.last() {
        Some(true) => {
            builder.text(said, line);
            builder.close(line);
        }
        Some(false) => {
            builder.open("", line);
            builder.text(said, line);
            builder.close(line);
        }
        None => builder.text(said, line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_items_and_lines() {
        let text = "{\"name\": \"Box\",\n \"children\": [\n  {\"name\": \"open\", \"n\": [1, [2], null, true]},\n  \"x\"\n ]}\n";
        let (root, flaws) = nodes(text);
        assert_eq!(flaws, []);
        assert_eq!(root.said("name"), "Box");
        let items: Vec<&Node> = root.items("children").collect();
        assert_eq!(
            (items[0].said("name"), items[0].line, items[1].text.as_str()),
            ("open", 3, "x")
        );
        let n: Vec<String> = items[0].items("n").map(Node::whole_text).collect();
        assert_eq!(n, ["1", "2", "", "true"]);
        let (root, flaws) = nodes("{\"a\": {\"b\": 1}, \"c\": [1,");
        assert_eq!((root.child("a").unwrap().said("b"), flaws.len()), ("1", 1));
    }

    #[test]
    fn depth_costs_no_more_than_length() {
        for odd in
            ["[".repeat(1_000_000), "{\"a\":".repeat(100_000), "\"".to_owned(), String::new()]
        {
            assert_eq!(nodes(&odd).1.len(), 1, "{}", odd.len());
        }
        let deep = format!("{}1{}", "[".repeat(1_000), "]".repeat(1_000));
        assert_eq!(nodes(&deep).1, []);
    }
}
