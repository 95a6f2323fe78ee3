//! What one client that floods does to clients that ask now and then: quiet and flooded stretches take turns, so that what
//! else the machine does weighs on both alike.

use crate::calls::{Client, Era, LIGHT, Letterhead};
use crate::figures::{Bounds, Times};
use crate::flood::{Flood, Manner, Name, Tally, Weight};
use crate::server::Server;
use crate::wire::Wire;
use std::time::{Duration, Instant};

/// Clients that ask now and then.
const N_POLITE: usize = 6;

/// How often each asks.
const PAUSE: Duration = Duration::from_millis(100);

const MANNERS: [Manner; 5] = [
    Manner { about: "1 connection", n_connections: 1, name: Name::Own, weight: Weight::Light },
    Manner { about: "64 connections", n_connections: 64, name: Name::Own, weight: Weight::Light },
    Manner {
        about: "64 connections, the others' name",
        n_connections: 64,
        name: Name::Theirs,
        weight: Weight::Light,
    },
    Manner {
        about: "64 connections, heavy calls",
        n_connections: 64,
        name: Name::Own,
        weight: Weight::Heavy,
    },
    Manner {
        about: "64 connections, heavy calls, the others' name",
        n_connections: 64,
        name: Name::Theirs,
        weight: Weight::Heavy,
    },
];

/// The calls of the polite ones in one kind of stretch.
#[derive(Default)]
struct Stretch {
    times: Times,
    errors: Vec<String>,
    tally: Tally,
    seconds: f64,
    server: f64,
}

/// Floods in each manner, `n_rounds` times for so many seconds, and says what the others felt: their 95th percentile may
/// grow to `most` times what it is in quiet.
pub fn flooded(server: &Server, (seconds, n_rounds): (f64, usize), most: f64, bounds: &mut Bounds) {
    let mut quiet = Stretch::default();
    let mut floods: [Stretch; MANNERS.len()] = Default::default();
    for _ in 0..n_rounds {
        for (nth, (manner, flooded)) in MANNERS.into_iter().zip(&mut floods).enumerate() {
            // All sessions of one host; another for each manner, since a name that flooded is remembered for a while.
            let name = format!("host {nth}");
            let mut sessions: Vec<Session> =
                (0..N_POLITE).map(|number| Session::open(server, &name, number)).collect();
            stretch(server, &mut sessions, seconds, &mut quiet);
            let flood = Flood::begin(server, manner, &name);
            // The first moments are the flood's as well: nobody is asked before it runs.
            stretch(server, &mut sessions, seconds, flooded);
            let tally = flood.end();
            flooded.tally.n_answered += tally.n_answered;
            flooded.tally.n_put_off += tally.n_put_off;
            flooded.tally.n_wrong += tally.n_wrong;
            flooded.tally.own += tally.own;
        }
    }
    let before = quiet.times.at(0.95);
    let n_errors = quiet.errors.len();
    println!(
        "{N_POLITE} clients of one name, one call each {} ms, quiet: {} calls, {}, {n_errors} errors",
        PAUSE.as_millis(),
        quiet.times.n(),
        quiet.times.words()
    );
    quiet.errors.iter().take(3).for_each(|error| println!("  {error}"));
    bounds.holds(quiet.errors.is_empty(), "no errors in quiet".to_owned());
    for (manner, flooded) in MANNERS.iter().zip(floods) {
        let Stretch { times, errors, tally, seconds, server } = flooded;
        println!(
            "  flooded over {}: {}; the flood: {:.0} answers a second, {} put off, {} else; of 1 processor the server has {:.2}, the flooder {:.2}",
            manner.about,
            times.words(),
            tally.n_answered as f64 / seconds,
            tally.n_put_off,
            tally.n_wrong,
            server / seconds,
            tally.own / seconds,
        );
        errors.iter().take(3).for_each(|error| println!("  {error}"));
        let ratio = times.at(0.95) / before;
        bounds.holds(
            ratio <= most && errors.is_empty() && tally.n_wrong == 0 && times.n() > 0,
            format!(
                "the others' p95 is {ratio:.2} times that in quiet, {} errors of {}",
                errors.len(),
                times.n()
            ),
        );
    }
}

/// One polite client and its connection.
struct Session {
    number: usize,
    client: Client,
    wire: Wire,
}

impl Session {
    fn open(server: &Server, name: &str, number: usize) -> Session {
        let (address, token) = (server.address, server.token.clone());
        let letterhead = Letterhead { address, token, name: name.to_owned(), era: Era::of(number) };
        let wire = Wire::open(address).expect("it listens");
        Session { number, client: Client::new(number, letterhead), wire }
    }

    /// Asks now and then, for so long.
    fn ask(&mut self, seconds: f64) -> (Times, Vec<String>) {
        let (mut times, mut errors) = (Times::default(), Vec::new());
        let began = Instant::now();
        let mut due = PAUSE.mul_f64(self.number as f64 / N_POLITE as f64);
        while due.as_secs_f64() < seconds {
            std::thread::sleep(due.saturating_sub(began.elapsed()));
            let sent = self.client.next(&LIGHT);
            let asked = Instant::now();
            let said = self.wire.ask(&sent.bytes);
            times.add(asked.elapsed());
            match said {
                Ok(said) => errors.extend(self.client.judge(&sent, &said).err()),
                Err(why) => {
                    errors.push(why.to_string());
                    return (times, errors);
                }
            }
            // Whoever had to wait does not make up for it.
            due = (due + PAUSE).max(began.elapsed());
        }
        (times, errors)
    }
}

/// The polite ones ask for so long.
fn stretch(server: &Server, sessions: &mut [Session], seconds: f64, into: &mut Stretch) {
    let (began, worked) = (Instant::now(), server.worked());
    let done: Vec<(Times, Vec<String>)> = std::thread::scope(|scope| {
        let polite: Vec<_> =
            sessions.iter_mut().map(|one| scope.spawn(move || one.ask(seconds))).collect();
        polite.into_iter().map(|one| one.join().expect("it does not panic")).collect()
    });
    into.seconds += began.elapsed().as_secs_f64();
    into.server += server.worked() - worked;
    for (times, errors) in done {
        into.times.append(times);
        into.errors.extend(errors);
    }
}
