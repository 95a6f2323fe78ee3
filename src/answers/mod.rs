//! Question in, answer out: no printing, no clock, no sockets, no files.

pub mod infer;
pub mod suggest;
pub mod environments;
pub mod free_names;
mod heirs;
pub mod names;
mod usual;
pub mod cautions;
mod elsewhere;
pub mod modules;
pub mod misuse;
pub mod check_symbols;
pub mod weighing;
pub mod footprint;
pub mod delete_construct;
pub mod concepts;
pub mod find_in_files;
pub mod find_construct;
pub mod verify_fingerprint;
pub mod ladder;
pub mod audit;
pub mod resolve_topic;
pub mod lookup_docs;
