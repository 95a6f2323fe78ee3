//! Many handshakes, and what they leave behind in memory.

use crate::calls::{Era, Letterhead};
use crate::figures::Bounds;
use crate::server::Server;
use crate::wire::Wire;
use serde_json::{Value, json};
use std::time::Instant;

/// So many.
const N: usize = 20_000;

/// Over so many connections.
const N_CONNECTIONS: usize = 8;

/// They may leave so many MB.
const MOST: f64 = 5.0;

/// Opens conversations, and says what memory they cost.
pub fn many(server: &Server, bounds: &mut Bounds) {
    let before = server.memory();
    let began = Instant::now();
    let n_good: usize = std::thread::scope(|scope| {
        let all: Vec<_> =
            (0..N_CONNECTIONS).map(|number| scope.spawn(move || some(server, number))).collect();
        all.into_iter().map(|some| some.join().unwrap_or(0)).sum()
    });
    let took = began.elapsed().as_secs_f64();
    let after = server.memory();
    println!(
        "{N} initialisations over {N_CONNECTIONS} connections: {:.0} a second",
        N as f64 / took
    );
    bounds.holds(n_good == N, format!("{n_good} of {N} answered"));
    let grown = after - before;
    let what = format!("memory from {before:.1} to {after:.1} MB, {grown:+.1}");
    bounds.holds(grown < MOST, what);
}

fn some(server: &Server, number: usize) -> usize {
    let (address, token) = (server.address, server.token.clone());
    let name = format!("shaker-{number}");
    let letterhead = Letterhead { address, token, name: name.clone(), era: Era::Initialize };
    let Ok(mut wire) = Wire::open(address) else { return 0 };
    let is_good = |nth: &usize| {
        let id = format!("{number}-{nth}");
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": name, "version": "1"}});
        let Ok(said) = wire.ask(&letterhead.request(&id, "initialize", params)) else {
            return false;
        };
        let answer: Value = serde_json::from_slice(&said.body).unwrap_or_default();
        said.status == 200
            && answer["id"] == id
            && answer["result"]["serverInfo"]["name"] == "groundline"
    };
    (0..N / N_CONNECTIONS).filter(is_good).count()
}
