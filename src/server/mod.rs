//! The protocol: which tools there are, and how a host's messages reach a session.
//!
//! Answers are made elsewhere; here is only what MCP asks for around them: the tool table, deadlines, cancellation,
//! progress, and a conversation that no message and no answer can end.

pub mod tools;
pub mod caller;
mod metrics;
mod accounts;
mod places;
mod hands;
mod desk;
mod roots;
mod handler;
mod broken;
mod wire;
pub mod rehearsal;
mod conversation;
pub mod stdio;
pub mod http;
