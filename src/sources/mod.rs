//! Reads the outside into plain records. Nothing here knows a question.

pub mod workspace;
pub mod settings;
pub mod script;
