//! Reads the outside into plain records. Nothing here knows a question.

pub mod workspace;
pub mod search;
pub mod repository;
pub mod tree;
pub mod watch;
pub mod settings;
pub mod nesting;
pub mod declarations;
pub mod pages;
pub mod packages;
pub mod script;
pub mod embedded;
