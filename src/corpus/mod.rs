//! Datagraphs loaded for asking: what is built in, and what a project's own sources give, kept on disk.

pub mod embedded;
pub mod store;
