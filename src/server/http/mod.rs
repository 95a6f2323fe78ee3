//! The protocol over HTTP: one stateless endpoint, `/mcp`, for both eras, behind checks that come before it.
//!
//! The library's own server leaves origins unchecked, sessions uncapped and readers unhurried; what a request and a
//! connection may take is decided here.

pub mod bounds;
mod stream;
mod body;
mod refusals;
mod rates;
mod names;
pub mod oauth;
mod guard;
mod lane;
pub mod door;
mod accept;
mod serving;

pub use door::Sessions;
pub use guard::Keys;
pub use serving::{Front, HttpTrouble, HttpWish, Opened, serve, serve_handler};

#[cfg(test)]
mod tests;
