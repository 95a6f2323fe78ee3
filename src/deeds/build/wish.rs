//! What is asked of a build, what it gives, and why it gives nothing.

use crate::sources::workspace::RootTrouble;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// What is asked of `groundline build`.
#[derive(Debug, Clone, Default)]
pub struct BuildWish {
    /// How much is told.
    pub explain: Explain,
    /// Where the datagraphs are written as JSON, a folder each, instead of into the cache.
    pub out: Option<PathBuf>,
    /// Globs of declarations that are mined beside what holds, before there is a configuration.
    pub declarations: Vec<String>,
    /// Globs of pages that are mined beside what holds, likewise.
    pub pages: Vec<String>,
    /// The folder whose `node_modules` the built-in datagraphs are mined from, instead of anything else.
    pub builtins: Option<PathBuf>,
}

/// How much is told of what was mined.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Explain {
    /// One line for each api.
    #[default]
    Brief,
    /// What was recognised and what was not, per source.
    Sources,
}

/// What a build gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildReport {
    /// What to show.
    pub text: String,
    /// Whether everything that was asked for is there.
    pub complete: bool,
}

/// Why nothing could be built.
#[derive(Debug, Error)]
pub enum BuildTrouble {
    /// There is no root.
    #[error(transparent)]
    Root(#[from] RootTrouble),
    /// A file could not be written.
    #[error("{path} cannot be written: {why}")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        why: io::Error,
    },
    /// What the sources say could not be read.
    #[error("{0}: mend it and build again")]
    Unsaid(String),
    /// The packages that the built-in datagraphs are mined from are not there.
    #[error("{0} is not installed: npm install typescript@6 @types/node there first")]
    NoPackage(PathBuf),
}
