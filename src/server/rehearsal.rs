//! One line put through all that stands behind a wire, without a conversation: what fuzzing holds on to.
//!
//! Nothing is left out on the way but the clock and the threads, so what ends this would end a server.

use super::tools::TOOLS;
use super::wire::{Reading, message_in};
use crate::base::{Quiet, Stop};
use crate::session::{Call, Listing, Outcome, Principal, Session};
use rmcp::model::{ClientRequest, JsonRpcMessage};

/// Reads `line` as a message. If it is a call, its arguments go through every tool of `session`, whichever was meant;
/// gives how each went.
pub fn put(line: &[u8], session: &Session) -> Vec<Outcome> {
    let Reading::Message(message) = message_in(line) else { return Vec::new() };
    let JsonRpcMessage::Request(request) = *message else { return Vec::new() };
    let ClientRequest::CallToolRequest(call) = request.request else { return Vec::new() };
    let arguments = call.params.arguments.unwrap_or_default();
    let asked = TOOLS.iter().map(|tool| {
        let call = Call {
            tool: tool.name.to_owned(),
            arguments: arguments.clone(),
            client_roots: Vec::new(),
            listing: Listing::Everything,
            principal: Principal::Own,
        };
        session.ask(&call, &Stop::default(), &Quiet).outcome
    });
    asked.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Settings;

    fn put_in(line: &str) -> Vec<Outcome> {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::write(root.join("a.js"), "const a = [1];\na.atIndex(0);\n").unwrap();
        let settings = Settings { root: Some(root.clone()), here: root, ..Settings::default() };
        put(line.as_bytes(), &Session::new(settings))
    }

    #[test]
    fn a_call_goes_through_every_tool() {
        let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"paths":"a.js","pattern":"a"}}}"#;
        let went = put_in(call);
        assert_eq!(went.len(), TOOLS.len());
        let at = |name| TOOLS.iter().position(|tool| tool.name == name).unwrap();
        assert_eq!(went[at("check_symbols")], Outcome::Findings);
        assert_eq!(went[at("find_in_files")], Outcome::Clean);
    }

    #[test]
    fn what_is_no_call_goes_through_none() {
        for line in ["", "{", r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, r#"{"a":1}"#] {
            assert_eq!(put_in(line), []);
        }
    }
}
