//! The datagraphs that are built in: the language, the web, node, and folio, the demo engine.
//!
//! Which of them hold in a project is not decided here.

use crate::datagraph::Datagraph;
use crate::datagraph::documentation::{self, Documentation};
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

/// What the sources of the api `name` say; of those whose sources are not carried along, what the names say.
pub fn documentation(name: &str) -> Result<Documentation, String> {
    if name != "folio" {
        return Ok(documentation::of(&*datagraph(name)?, &[]));
    }
    let said = format::documentation(
        include_str!("../../datagraphs/folio/chunks.json"),
        include_str!("../../datagraphs/folio/constructs.json"),
        include_str!("../../datagraphs/folio/topics.json"),
    );
    Ok(said.expect("what is built in was written by the same build"))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datagraph::Key;
    use crate::types::TypeName;

    #[test]
    fn what_is_built_in_can_be_read_and_is_what_it_says() {
        let known = [
            ("ecmascript", "Array"),
            ("web", "HTMLElement"),
            ("node", "Buffer"),
            ("folio", "Layout"),
        ];
        for (name, interface) in known {
            let graph = datagraph(name).unwrap();
            assert_eq!(graph.api, name);
            let key = Key::of_type(TypeName::global(interface));
            let n_members = graph.interfaces.get(&key).map_or(0, |i| i.shape.members.len());
            assert!(n_members > 10, "{name} {interface}: {n_members}");
        }
        assert!(datagraph("jquery").is_err());
    }

    #[test]
    fn folio_carries_what_its_pages_say() {
        let said = documentation("folio").unwrap();
        let graph = datagraph("folio").unwrap();
        assert!(said.chunks.len() > 400 && said.constructs.len() > 10 && said.topics.len() > 100);
        let named = said.topics.iter().flat_map(|topic| &topic.symbols);
        assert_eq!(named.filter(|symbol| !symbol.is_in(&graph)).count(), 0);
    }

    #[test]
    fn no_sentence_of_others_is_built_in() {
        for name in BUILTINS {
            let graph = datagraph(name).unwrap();
            let text = format::symbols(&graph);
            assert!(!text.contains("\"deprecated\": \"") || text.contains("\"deprecated\": \"\""));
            let said = text.matches("\"deprecated\": \"").count();
            assert_eq!(said, text.matches("\"deprecated\": \"\"").count(), "{name}");
        }
    }
}
