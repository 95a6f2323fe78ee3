//! Declaration files to a datagraph.
mod spaces;
mod names;
pub use spaces::DeclarationFile;
