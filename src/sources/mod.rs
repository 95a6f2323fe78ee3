//! Reads the outside into plain records. Nothing here knows a question.

pub mod declarations;
pub mod script;
