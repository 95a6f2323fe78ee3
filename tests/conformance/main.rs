//! A server for the protocol's conformance suite: its tools, prompts and resources over the product's own transport.
//!
//! The suite asks for things that the product does not have, such as images, prompts and questions to the user. What is
//! proved with them is the transport and the protocol below, which both share; nothing here is part of the product.

mod content;
mod telling;
mod asking;
mod rounds;
mod changes;
mod tools;
mod prompts;
mod resources;
mod fixture;

use fixture::{Fixture, Shared};
use groundline::server::http::{self, Front, HttpWish, Keys, Opened, Sessions};
use std::error::Error;
use std::io::{self, Write};
use std::sync::Arc;

/// Serves at a free port of this machine until it is told to end, and says where on standard error.
fn main() -> Result<(), Box<dyn Error>> {
    let mut key = [0; 32];
    getrandom::fill(&mut key)?;
    let shared = Arc::new(Shared::new(key));
    let wish = HttpWish {
        address: "127.0.0.1:0".to_owned(),
        keys: Keys::None,
        hosts: Vec::new(),
        origins: Vec::new(),
        front: Front::None,
    };
    let say = |opened: &Opened| {
        let _ = writeln!(io::stderr().lock(), "listening at {}", opened.url);
    };
    http::serve_handler(wish, Sessions::Kept, move || Fixture::new(Arc::clone(&shared)), say)?;
    Ok(())
}
