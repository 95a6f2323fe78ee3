//! How long a call takes that asks for next to nothing, over standard input and over HTTP, and how many are answered a
//! second; how long the first answer takes.

use crate::calls::{Era, Letterhead};
use crate::figures::Times;
use crate::project::Project;
use crate::server::Server;
use crate::wire::Wire;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::Instant;

/// Connections that ask at once.
const N_CONNECTIONS: usize = 8;

const ERAS: [Era; 2] = [Era::Initialize, Era::Discover];

const TRIVIAL: [(&str, &str); 2] =
    [("tools/list", ""), ("check_symbols", r#"{"code": "layout.tableEnd();", "path": "a.js"}"#)];

/// Measures, and says it.
pub fn measure(binary: &Path, project: &Project, server: &Server, seconds: f64) {
    for era in ERAS {
        for (what, arguments) in TRIVIAL {
            let (address, token) = (server.address, server.token.clone());
            let letterhead = Letterhead { address, token, name: "one".to_owned(), era };
            let mut wire = Wire::open(address).expect("it listens");
            let request = request_of(&letterhead, what, arguments);
            let over_http = repeat(seconds, || {
                assert_eq!(wire.ask(&request).expect("an answer").status, 200);
            });
            let mut talk = Talk::start(binary, project, era);
            let line = line_of(&letterhead, what, arguments);
            let over_stdio = repeat(seconds, || talk.ask(&line));
            println!(
                "{what}, one after the other, {era:?}: at the median {:.2} ms over stdio, {:.2} ms over HTTP",
                over_stdio.at(0.5),
                over_http.at(0.5)
            );
        }
    }
    for (what, arguments) in TRIVIAL {
        let (began, worked) = (Instant::now(), server.worked());
        let n_answers = at_once(server, (what, arguments), seconds);
        let (took, worked) = (began.elapsed().as_secs_f64(), server.worked() - worked);
        println!(
            "{what} over {N_CONNECTIONS} connections: {:.0} a second, of 1 processor the server has {:.2}",
            n_answers as f64 / took,
            worked / took
        );
    }
    first_answers(binary, project);
}

fn request_of(letterhead: &Letterhead, what: &str, arguments: &str) -> Vec<u8> {
    match serde_json::from_str(arguments) {
        Ok(arguments) => letterhead.call("1", what, &arguments),
        Err(_) => letterhead.request("1", what, json!({})),
    }
}

/// The same as a line.
fn line_of(letterhead: &Letterhead, what: &str, arguments: &str) -> Vec<u8> {
    let mut request = request_of(letterhead, what, arguments);
    let at = request.windows(4).position(|four| four == b"\r\n\r\n").expect("a request has a head");
    request.drain(..at + 4);
    request.push(b'\n');
    request
}

fn repeat(seconds: f64, mut call: impl FnMut()) -> Times {
    (0..10).for_each(|_| call());
    let (mut times, began) = (Times::default(), Instant::now());
    while began.elapsed().as_secs_f64() < seconds {
        let asked = Instant::now();
        call();
        times.add(asked.elapsed());
    }
    times
}

fn at_once(server: &Server, (what, arguments): (&str, &str), seconds: f64) -> usize {
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..N_CONNECTIONS)
            .map(|number| {
                scope.spawn(move || {
                    let (address, token) = (server.address, server.token.clone());
                    let name = format!("many-{number}");
                    let letterhead = Letterhead { address, token, name, era: Era::of(number) };
                    let request = request_of(&letterhead, what, arguments);
                    let mut wire = Wire::open(address).expect("it listens");
                    let times = repeat(seconds, || {
                        assert_eq!(wire.ask(&request).expect("an answer").status, 200);
                    });
                    times.n()
                })
            })
            .collect();
        all.into_iter().map(|one| one.join().unwrap_or(0)).sum()
    })
}

/// From the start of a process to its first answer.
fn first_answers(binary: &Path, project: &Project) {
    let (mut stdio, mut http) = (Times::default(), Times::default());
    for _ in 0..20 {
        let began = Instant::now();
        let talk = Talk::start(binary, project, Era::Initialize);
        stdio.add(began.elapsed());
        drop(talk);
        let began = Instant::now();
        let server = Server::start(binary, project);
        let (address, token) = (server.address, server.token.clone());
        let letterhead =
            Letterhead { address, token, name: "first".to_owned(), era: Era::Initialize };
        let mut wire = Wire::open(address).expect("it listens");
        let said = wire.ask(&letterhead.request("1", "initialize", hello())).expect("an answer");
        http.add(began.elapsed());
        assert_eq!(said.status, 200);
    }
    println!(
        "from the start of the process to the first answer: at the median {:.1} ms over stdio, {:.1} ms over HTTP",
        stdio.at(0.5),
        http.at(0.5)
    );
}

fn hello() -> Value {
    json!({"protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "load", "version": "1"}})
}

/// A server over standard input and output.
struct Talk {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Talk {
    /// Starts one, and hears its first answer.
    fn start(binary: &Path, project: &Project, era: Era) -> Talk {
        let mut command = project.command(binary);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the binary starts");
        let input = child.stdin.take().expect("it was piped");
        let output = BufReader::new(child.stdout.take().expect("it was piped"));
        let mut talk = Talk { child, input, output };
        if era == Era::Initialize {
            let hello =
                json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello()});
            talk.ask(format!("{hello}\n").as_bytes());
            let note = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
            talk.input.write_all(format!("{note}\n").as_bytes()).expect("it reads");
        }
        talk
    }

    fn ask(&mut self, line: &[u8]) {
        self.input.write_all(line).expect("it reads");
        let mut answer = String::new();
        self.output.read_line(&mut answer).expect("it answers");
        assert!(answer.contains("\"result\""), "{answer}");
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
