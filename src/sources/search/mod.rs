//! Searching files as they are now: what to look for, in which files, and every line that has it.
//!
//! Lines end at LF or CRLF, a byte order mark is no part of the text, and columns count UTF-16 units from 1. Nothing
//! here chooses among readings of a pattern or ranks what was found.

mod globs;
mod seeker;
mod sweep;

pub use globs::{GlobTrouble, Globs};
pub use seeker::{Case, Hit, Phrase, Reach, Refusal, Seeker};
pub use sweep::{InFile, MAX_FILE, Searched, Sweep, identifiers, sweep, text_of};
