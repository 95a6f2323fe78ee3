//! What exists and is used otherwise than it is declared: deprecated, written though read-only, called with the wrong
//! arguments.
//!
//! Only what an api declares is judged, never what the code declares itself, and only where every declaration that may be
//! meant says the same: overloads, parts of a union, several apis, and everything narrower than the receiver's type.

mod given;
mod wrong;
mod callee;
mod noted;
mod misfit;
mod arity;
mod keys;
mod judging;

pub use given::{Given, shown};
pub use judging::misuses;
pub use wrong::{ByNew, Meant, Misuse, Wrong, named_api};
