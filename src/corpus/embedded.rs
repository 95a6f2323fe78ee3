//! The datagraphs that are built in: the language, the web, node, and folio, the demo engine.
//!
//! Which of them hold in a project is not decided here.

use crate::datagraph::Datagraph;
use crate::datagraph::format;
use std::sync::{Arc, OnceLock};

/// The names of all that are built in.
pub const NAMES: [&str; 4] = ["ecmascript", "folio", "node", "web"];

/// The names of those that hold where the evidence speaks for them.
pub const BUILTINS: [&str; 3] = ["ecmascript", "node", "web"];

/// The datagraph of the api `name`; it is read once and shared from then on.
pub fn datagraph(name: &str) -> Result<Arc<Datagraph>, String> {
    static LOADED: [OnceLock<Arc<Datagraph>>; NAMES.len()] =
        [const { OnceLock::new() }; NAMES.len()];
    let slot = NAMES
        .iter()
        .position(|n| *n == name)
        .ok_or_else(|| format!("is not built in: {} are", NAMES.join(", ")))?;
    let read = || Arc::new(read(name).expect("what is built in was written by the same build"));
    Ok(Arc::clone(LOADED[slot].get_or_init(read)))
}

fn read(name: &str) -> Result<Datagraph, format::FormatTrouble> {
    match name {
        "ecmascript" => format::unpacked(include_bytes!("../../datagraphs/ecmascript/symbols.bin")),
        "node" => format::unpacked(include_bytes!("../../datagraphs/node/symbols.bin")),
        "web" => format::unpacked(include_bytes!("../../datagraphs/web/symbols.bin")),
        _ => format::read(
            include_str!("../../datagraphs/folio/symbols.json"),
            include_str!("../../datagraphs/folio/provenance.json"),
        ),
    }
}
