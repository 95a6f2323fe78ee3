//! Many clients at once, each over a connection of its own and with its next call as soon as it has its answer.

use crate::calls::{Client, Era, Letterhead, MIXED};
use crate::figures::{Bounds, Times};
use crate::server::Server;
use crate::wire::Wire;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What became of the calls of a crowd, or of one of it.
#[derive(Default)]
struct Outcome {
    times: Times,
    errors: Vec<String>,
    /// What the server held meanwhile, in MB, in order of time.
    memory: Vec<f64>,
    seconds: f64,
}

/// Every kind of call is answered a few times, so that everything is there that comes only once.
pub fn warm_up(server: &Server, n_clients: usize, seconds: f64) {
    let Outcome { times, errors, .. } = all(server, n_clients, seconds);
    println!(
        "warmed up by {} answers, {} errors: {:.1} MB, {} threads",
        times.n(),
        errors.len(),
        server.memory(),
        server.n_threads()
    );
}

/// Has `n_clients` ask for so long, and says how it went.
pub fn load(server: &Server, n_clients: usize, seconds: f64, bounds: &mut Bounds) {
    let worked = server.worked();
    let Outcome { times, errors, memory, seconds } = all(server, n_clients, seconds);
    let n_answers = times.n() as f64;
    println!(
        "{n_clients} clients, mixed tools, {seconds:.0} s: {n_answers} answers, {:.0} a second, {} ({:.2} ms of processor each)",
        n_answers / seconds,
        times.words(),
        (server.worked() - worked) * 1000.0 / n_answers
    );
    errors.iter().take(5).for_each(|error| println!("  {error}"));
    bounds.holds(
        errors.is_empty() && times.n() > 0,
        format!("{} errors, wrong or crossed answers", errors.len()),
    );
    flat(&memory, server.n_threads(), bounds);
}

fn all(server: &Server, n_clients: usize, seconds: f64) -> Outcome {
    let ended = AtomicBool::new(false);
    let whole = Mutex::new(Outcome::default());
    let began = Instant::now();
    let mut memory = Vec::new();
    std::thread::scope(|scope| {
        for number in 0..n_clients {
            let (ended, whole) = (&ended, &whole);
            scope.spawn(move || {
                let outcome = one(server, number, ended);
                let mut whole = whole.lock().expect("nobody panics while it is held");
                whole.times.append(outcome.times);
                whole.errors.extend(outcome.errors);
            });
        }
        while began.elapsed().as_secs_f64() < seconds {
            memory.push(server.memory());
            std::thread::sleep(Duration::from_millis(100));
        }
        ended.store(true, Ordering::Relaxed);
    });
    let whole = whole.into_inner().expect("nobody panicked");
    Outcome { memory, seconds: began.elapsed().as_secs_f64(), ..whole }
}

/// The second half of the time must not need more than the first.
fn flat(memory: &[f64], n_threads: usize, bounds: &mut Bounds) {
    let (first, second) = memory.split_at(memory.len() / 2);
    let highest = |part: &[f64]| part.iter().copied().fold(0.0, f64::max);
    let (first, second) = (highest(first), highest(second));
    let grown = second - first;
    let what = format!(
        "memory is flat: at most {first:.1} MB in the first half, {second:.1} MB in the second, {n_threads} threads"
    );
    bounds.holds(grown < 5.0 || grown < first * 0.05, what);
}

fn one(server: &Server, number: usize, ended: &AtomicBool) -> Outcome {
    let mut outcome = Outcome::default();
    let (address, token) = (server.address, server.token.clone());
    let name = format!("crowd-{number}");
    let letterhead = Letterhead { address, token, name, era: Era::of(number) };
    let mut client = Client::new(number, letterhead);
    let opened = Wire::open(address).map_err(|why| why.to_string());
    let mut wire = match opened.and_then(|mut wire| client.begin(&mut wire).map(|()| wire)) {
        Ok(wire) => wire,
        Err(why) => {
            outcome.errors.push(why);
            return outcome;
        }
    };
    while !ended.load(Ordering::Relaxed) {
        let sent = client.next(&MIXED);
        let began = Instant::now();
        let said = wire.ask(&sent.bytes);
        outcome.times.add(began.elapsed());
        match said {
            Ok(said) => outcome.errors.extend(client.judge(&sent, &said).err()),
            Err(why) => {
                outcome.errors.push(format!("client {number}: {why}"));
                return outcome;
            }
        }
    }
    outcome
}
