//! The id of a request that cannot be read, so that nobody waits for its answer for ever.
//!
//! Only an id that certainly is the request's own is found: one that is cut off, stands deeper or belongs to an answer
//! is not.

use serde_json::Value;

/// The id of the request in a line that is no JSON, or is nested too deep; null where none can be seen.
pub fn id_in(line: &[u8]) -> Value {
    scanned(line).id()
}

/// The id of a request of which both ends are known: it stands at the beginning, or behind the last inner object.
/// Quotes inside a text are escaped, so `"id":` is never part of one.
pub fn id_at_either_end(head: &[u8], tail: &[u8]) -> Value {
    let found = scanned(head);
    if found.is_answer || found.id.is_some() {
        return found.id();
    }
    let tail = tail.trim_ascii();
    let Some(inner) = tail.strip_suffix(b"}") else { return Value::Null };
    let from = inner.iter().rposition(|b| *b == b'}').map_or(0, |at| at + 1);
    // As if the object began there: whatever names an id behind the last inner object is the outermost.
    scanned(&[b"{\"\":0".as_slice(), &tail[from..]].concat()).id()
}

/// What of a message's own names can be seen.
#[derive(Default)]
struct Seen {
    id: Option<Value>,
    is_answer: bool,
}

impl Seen {
    fn id(self) -> Value {
        self.id.filter(|_| !self.is_answer).unwrap_or_default()
    }
}

/// Walks a line once, by brackets and quotes alone, and looks at the names of its outermost object.
fn scanned(line: &[u8]) -> Seen {
    let mut seen = Seen::default();
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(byte) = line.get(at) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                let end = end_of_text(line, at);
                let name = line.get(at + 1..end.saturating_sub(1)).unwrap_or(b"");
                let value = line[end..].trim_ascii_start().strip_prefix(b":");
                match (depth, name, value) {
                    (1, b"id", Some(value)) => seen.id = whole_id(value),
                    (1, b"result" | b"error", Some(_)) => seen.is_answer = true,
                    _ => {}
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    seen
}

/// The byte behind the text that opens at `from`.
fn end_of_text(line: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while let Some(byte) = line.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    line.len()
}

/// The id that a text begins with, if it ends there.
fn whole_id(text: &[u8]) -> Option<Value> {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<Value>();
    let id = values.next()?.ok()?;
    let behind = text.get(values.byte_offset()..)?.trim_ascii_start();
    let ends = matches!(behind.first(), Some(b',' | b'}'));
    (ends && (id.is_string() || id.is_i64())).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_id_of_a_long_line_is_found_at_either_end() {
        let long = |head: &str, tail: &str| id_at_either_end(head.as_bytes(), tail.as_bytes());
        let head =
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"arguments":{"code":"x"#;
        assert_eq!(long(head, "xxx\"}}}"), json!(7));
        let head =
            r#"{"method":"tools/call","params":{"name":"check_symbols","arguments":{"code":"x"#;
        let tail = r#"xx {\"id\": 9}"}},"jsonrpc":"2.0","id":"a b"}"#;
        assert_eq!(long(head, tail), json!("a b"));
        assert_eq!(long(head, r#"xx {\"id\": 9}"}}}"#), Value::Null);
        assert_eq!(long("", ""), Value::Null);
        assert_eq!(long(r#"{"id":3,"result":{"a":"#, "}}"), Value::Null);
    }

    #[test]
    fn a_broken_request_is_known_by_its_id() {
        let deep = format!(r#"{{"method":"x","params":{},"id":5}}"#, "[".repeat(300));
        let deep_first = format!(r#"{{"id":5,"method":"x","params":{}"#, "[".repeat(300));
        for line in [
            deep_first.as_str(),
            r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"na"#,
            r#"{"jsonrpc":"2.0", "id" : 5 ,"method":tools"#,
            r#"{"params":{"id":9,"x":"}{\"id\":8,"},"method":"id","id":5}}}"#,
            r#"{"params":[{"id":9}],,"id":5}"#,
        ] {
            assert_eq!(id_in(line.as_bytes()), json!(5), "{line}");
        }
        // What closes is missing, so that this id seems to stand deep inside.
        assert_eq!(id_in(deep.as_bytes()), Value::Null);
        assert_eq!(id_in(b"{\"id\":\"\xff\",\"method\":\"x\"}"), Value::Null);
    }

    #[test]
    fn an_id_that_is_cut_off_or_another_s_is_not_taken() {
        for line in [
            r#"{"jsonrpc":"2.0","id":5"#,
            r#"{"jsonrpc":"2.0","id":"5"#,
            r#"{"id":{"id":5},"method":"x""#,
            r#"{"method":"tools/call","params":{"arguments":{"id":9}"#,
            r#"{"id":5,"result":{"x":"#,
            r#"[{"id":5,"method":"x"},"#,
            r#"{"id":5.5,"method"#,
            "\"id\":5,",
            "{\"id\":",
            "{\"a\\",
            "\"",
        ] {
            assert_eq!(id_in(line.as_bytes()), Value::Null, "{line}");
        }
    }
}
