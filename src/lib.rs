//! Groundline: tools for coding agents whose answers cannot be invented.
//!
//! The rooms in reading order; each names only those above it.

pub mod base;
pub mod words;
pub mod types;
pub mod sources;
pub mod datagraph;
pub mod corpus;
pub mod answers;
pub mod envelope;
pub mod session;
pub mod deeds;
pub mod server;
pub mod cli;
