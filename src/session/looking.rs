//! One call of `lookup_docs`: queries in any of the forms that models write, a symbol, or nothing.

use super::arguments::{ArgumentTrouble, Arguments};
use super::call::{Call, Outcome, Reply};
use super::ground::Ground;
use super::resolving::{around, start};
use crate::answers::ladder::Apis;
use crate::answers::lookup_docs::{Looked, Query, listed, look};
use crate::base::Stop;
use crate::corpus::documents::Documents;
use crate::envelope::lookup_docs::{
    apis_as_rows, apis_listed_in_text, lookup_docs, lookup_docs_listed,
};
use crate::envelope::quoting::Cursor;
use serde_json::Value;
use std::sync::Arc;

/// How many queries one call may ask.
const MAX_QUERIES: usize = 6;

/// How much of a query is read, in bytes.
const MAX_QUERY: usize = 2_000;

/// The stack of the thread that judges quoted code: types and syntax nest.
const STACK: usize = 64 * 1024 * 1024;

/// Answers the call from these documents.
pub(super) fn answer(
    call: &Call,
    ground: &Ground,
    documents: &[Arc<Documents>],
    mut notes: Vec<String>,
    stop: &Stop,
) -> Result<Reply, ArgumentTrouble> {
    let arguments = Arguments(&call.arguments);
    let mut queries = queries(&arguments)?;
    if queries.len() > MAX_QUERIES {
        let n_left_out = queries.len() - MAX_QUERIES;
        notes.push(format!(
            "{n_left_out} queries were left out: at most {MAX_QUERIES} are asked at once"
        ));
        queries.truncate(MAX_QUERIES);
    }
    let around = around(&arguments, ground, notes)?;
    // What no answer said is refused here.
    arguments.cursor()?;
    let from = Cursor::of(&arguments.text("cursor")?.unwrap_or_default());
    let lines = listed(documents);
    if queries.is_empty() {
        return Ok(Reply::new(
            apis_listed_in_text(&lines, from, &around),
            apis_as_rows(&lines, &around),
            Outcome::Clean,
        ));
    }
    let apis = Apis { corpus: &ground.corpus, documents };
    let looked = looked(apis, &queries, stop);
    if stop.is_set() {
        return Ok(Reply::failed(
            "lookup_docs  stopped before the answer was whole: ask fewer queries at once",
        ));
    }
    Ok(Reply::new(
        lookup_docs(&looked, &lines, from, &around),
        lookup_docs_listed(&looked, &around),
        Outcome::Clean,
    ))
}

/// On a thread with a stack for what is quoted.
fn looked(apis: Apis<'_>, queries: &[Query], stop: &Stop) -> Looked {
    let work = || look(apis, queries, stop);
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        thread.map(std::thread::ScopedJoinHandle::join).map_or_else(
            |_| work(),
            |joined| joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        )
    })
}

/// The queries of a call: objects with `query` and `about`, bare texts, one of either, JSON in a text, or `symbol`.
fn queries(arguments: &Arguments<'_>) -> Result<Vec<Query>, ArgumentTrouble> {
    let mut found = Vec::new();
    if let Some(symbol) = arguments.text("symbol")? {
        found.push(query(&symbol, ""));
    }
    let said = arguments.0.get("queries").or_else(|| arguments.0.get("query"));
    let unpacked = said.and_then(Value::as_str).and_then(json_in);
    match unpacked.as_ref().or(said) {
        Some(Value::Array(entries)) => found.extend(entries.iter().filter_map(entry)),
        Some(one @ Value::Object(_)) => found.extend(entry(one)),
        Some(_) | None => {}
    }
    if found.is_empty() {
        for name in ["queries", "query"] {
            let texts = arguments.list_of_text(name)?.unwrap_or_default();
            found.extend(texts.iter().map(|text| query(text, "")));
        }
    }
    found.retain(|query| !query.text.is_empty());
    Ok(found)
}

fn entry(value: &Value) -> Option<Query> {
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    match value {
        Value::Object(_) => {
            let said = ["query", "symbol", "text", "q"].into_iter().find_map(text)?;
            Some(query(said, text("about").unwrap_or("")))
        }
        Value::String(said) => Some(query(said, "")),
        Value::Number(said) => Some(query(&said.to_string(), "")),
        Value::Array(_) | Value::Bool(_) | Value::Null => None,
    }
}

fn query(text: &str, about: &str) -> Query {
    Query {
        text: start(text.trim(), MAX_QUERY).to_owned(),
        about: start(about.trim(), MAX_QUERY).to_owned(),
    }
}

/// JSON that a model wrote into a text.
fn json_in(text: &str) -> Option<Value> {
    let is_json = text.trim_start().starts_with(['[', '{']);
    let value: Option<Value> = is_json.then(|| serde_json::from_str(text).ok())?;
    value.filter(|value| value.is_array() || value.is_object())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(arguments: Value) -> Vec<String> {
        let map = arguments.as_object().unwrap();
        queries(&Arguments(map)).unwrap().into_iter().map(|query| query.text).collect()
    }

    #[test]
    fn queries_are_understood_in_every_form() {
        let two = ["draw a box", "box"];
        for form in [
            json!({"queries": [{"query": "draw a box", "about": "x"}, {"query": "box"}]}),
            json!({"queries": ["draw a box", "box"]}),
            json!({"queries": "[\"draw a box\", {\"query\": \"box\"}]"}),
            json!({"query": ["draw a box", "box"]}),
        ] {
            assert_eq!(read(form.clone()), two, "{form}");
        }
    }

    #[test]
    fn one_query_needs_no_list() {
        for form in [
            json!({"query": "box"}),
            json!({"queries": "box"}),
            json!({"queries": {"query": "box"}}),
            json!({"symbol": "box"}),
        ] {
            assert_eq!(read(form.clone()), ["box"], "{form}");
        }
    }

    #[test]
    fn nothing_asks_for_the_list_of_apis() {
        for form in [json!({}), json!({"queries": []}), json!({"query": " ", "symbol": null})] {
            assert!(read(form.clone()).is_empty(), "{form}");
        }
    }

    #[test]
    fn text_that_looks_like_syntax_is_only_text() {
        for text in ["*** -- (", "[id].js", "{", "C++", "don't", "--flag", "🦀"] {
            assert_eq!(read(json!({ "query": text })), [text]);
        }
    }

    #[test]
    fn a_long_text_is_read_from_its_beginning() {
        let read = read(json!({ "query": "ä".repeat(10_000) }));
        assert_eq!(read[0].len(), MAX_QUERY);
    }
}
