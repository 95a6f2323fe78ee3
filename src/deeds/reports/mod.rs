//! What a check found, in the forms in which people and their tools read it.
//!
//! Made from the answer as data, so that every form says the same.

mod finding;
mod read;
pub mod baseline;
pub mod github;
pub mod marked;
pub mod sarif;
pub mod people;

pub use finding::{Finding, Verdict, Weight, findings};

/// In which form findings are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// By people.
    Marked,
    /// As the answer's data.
    Json,
    /// By code hosts and editors (SARIF 2.1.0).
    Sarif,
    /// By GitHub's workflows.
    Github,
}
