//! The server under load, on this machine: many clients at once, one that floods, many handshakes; what each must hold, and
//! how fast it is.
//!
//! `cargo run --profile quick --example load -- BINARY [--seconds 60] [--clients 64] [--smoke]`, on Linux. The program and
//! the server share the processors with whatever else runs; figures say how it was then, ratios say more. The exit status
//! is 1 where a bound is broken.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::cast_precision_loss,
    reason = "this measures a server, and prints what it measured"
)]

mod project;
mod wire;
mod server;
mod calls;
mod figures;
mod crowd;
mod flood;
mod fairness;
mod handshakes;
mod latency;

use figures::Bounds;
use project::{N_CANARIES, Project};
use server::Server;
use std::path::PathBuf;
use std::process::ExitCode;

/// What is to be done.
struct Wish {
    binary: PathBuf,
    n_clients: usize,
    /// How long the crowd asks.
    seconds: f64,
    /// How long a stretch of the floods lasts, and how often each comes.
    stretch: (f64, usize),
    /// The others' 95th percentile may grow to so many times what it is in quiet.
    most: f64,
    /// How long each call is repeated.
    repeat: f64,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "flood") {
        flood::run(&arguments[1..]);
        return ExitCode::SUCCESS;
    }
    let Some(wish) = wish(&arguments) else {
        eprintln!("usage: load BINARY [--seconds 60] [--clients 64, the most] [--smoke]");
        return ExitCode::from(2);
    };
    let project = Project::write().expect("the temporary folder takes files");
    let mut bounds = Bounds::default();
    run(&wish, &project, &mut bounds);
    for what in bounds.broken() {
        println!("BROKEN: {what}");
    }
    if bounds.broken().is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run(wish: &Wish, project: &Project, bounds: &mut Bounds) {
    let server = Server::start(&wish.binary, project);
    crowd::warm_up(&server, wish.n_clients, (wish.seconds / 4.0).min(5.0));
    crowd::load(&server, wish.n_clients, wish.seconds, bounds);
    handshakes::many(&server, bounds);
    fairness::flooded(&server, wish.stretch, wish.most, bounds);
    latency::measure(&wish.binary, project, &server, wish.repeat);
    println!("at the end {:.1} MB, {} threads", server.memory(), server.n_threads());
}

fn wish(arguments: &[String]) -> Option<Wish> {
    let mut wish = Wish {
        binary: PathBuf::new(),
        n_clients: N_CANARIES,
        seconds: 60.0,
        stretch: (6.0, 3),
        most: 3.0,
        repeat: 2.0,
    };
    let mut left = arguments.iter();
    while let Some(argument) = left.next() {
        match argument.as_str() {
            "--smoke" => {
                (wish.seconds, wish.stretch, wish.repeat) = (6.0, (1.5, 1), 0.3);
                // So few calls on a machine that does other things too: what is found is a server that is broken.
                wish.most = 10.0;
            }
            "--seconds" => wish.seconds = left.next()?.parse().ok()?,
            "--clients" => wish.n_clients = left.next()?.parse().ok()?,
            binary => wish.binary = std::path::absolute(binary).ok()?,
        }
    }
    let is_whole = wish.binary.is_file() && (1..=N_CANARIES).contains(&wish.n_clients);
    is_whole.then_some(wish)
}
