//! One client that floods, in a process of its own: requests that are ready, answers that are only counted, so that the
//! processor is the server's.

use crate::calls::{Era, Letterhead};
use crate::project::canary;
use crate::server::{Server, worked};
use crate::wire::Wire;
use serde_json::json;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What is flooded with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// Calls that take a moment, and the list of tools.
    Light,
    /// Calls that take long: a megabyte of code, and the whole project.
    Heavy,
}

/// What a client that floods calls itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Name {
    /// By a name of its own.
    Own,
    /// As the others do, so that only its connections tell it from them.
    Theirs,
}

/// How a client floods.
#[derive(Debug, Clone, Copy)]
pub struct Manner {
    /// In words.
    pub about: &'static str,
    /// Over so many connections, with the next call at once on each.
    pub n_connections: usize,
    /// What it calls itself.
    pub name: Name,
    /// With what.
    pub weight: Weight,
}

/// A flood that runs until it is stopped.
pub struct Flood {
    child: Child,
    output: BufReader<ChildStdout>,
}

/// What a flood came to.
#[derive(Debug, Default, Clone, Copy)]
pub struct Tally {
    /// Answers.
    pub n_answered: u64,
    /// Refusals that say when to ask again.
    pub n_put_off: u64,
    /// Everything else.
    pub n_wrong: u64,
    /// What the flooder itself took of the processor, in seconds.
    pub own: f64,
}

impl Flood {
    /// Begins one, in another process of this program.
    pub fn begin(server: &Server, manner: Manner, theirs: &str) -> Flood {
        let program = std::env::current_exe().expect("this program has a path");
        let mut command = Command::new(program);
        command.arg("flood").arg(server.address.to_string()).arg(manner.n_connections.to_string());
        let name = match manner.name {
            Name::Own => format!("flood beside {theirs}"),
            Name::Theirs => theirs.to_owned(),
        };
        command.arg(name).arg(format!("{:?}", manner.weight));
        // The token is no argument: whoever lists the processes would see it.
        command.env("LOAD_TOKEN", &server.token);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("this program starts");
        let mut output = BufReader::new(child.stdout.take().expect("it was piped"));
        let mut ready = String::new();
        output.read_line(&mut ready).expect("it says when it floods");
        Flood { child, output }
    }

    /// Stops it.
    pub fn end(mut self) -> Tally {
        drop(self.child.stdin.take());
        let mut text = String::new();
        let _ = self.output.read_line(&mut text);
        let own = worked(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
        let mut counts = text.split_whitespace().map(|n| n.parse().unwrap_or(0));
        let mut next = || counts.next().unwrap_or(0);
        Tally { n_answered: next(), n_put_off: next(), n_wrong: next(), own }
    }
}

/// What the other process has counted: answers, refusals that say when to ask again, and everything else.
#[derive(Default)]
struct Counts([AtomicU64; 3]);

/// The other process: floods until its standard input ends, then says what it counted.
pub fn run(arguments: &[String]) {
    let [address, n_connections, name, weight] = arguments else {
        panic!("flood ADDRESS N NAME WEIGHT")
    };
    let address = address.parse().expect("an address");
    let n_connections: usize = n_connections.parse().expect("a number");
    let token = std::env::var("LOAD_TOKEN").expect("the token");
    let counts = Arc::new(Counts::default());
    for number in 0..n_connections {
        let (token, name) = (token.clone(), name.clone());
        let letterhead = Letterhead { address, token, name, era: Era::of(number) };
        let requests = requests(&letterhead, number, weight);
        let counts = Arc::clone(&counts);
        std::thread::spawn(move || flood(&letterhead, &requests, &counts));
    }
    println!("floods");
    let _ = std::io::stdin().read(&mut [0]);
    let [answered, put_off, wrong] = counts.0.each_ref().map(|n| n.load(Ordering::Relaxed));
    println!("{answered} {put_off} {wrong}");
    // Until it is stopped from outside, so that what it used of the processor can still be read.
    std::thread::park();
}

fn requests(letterhead: &Letterhead, number: usize, weight: &str) -> Vec<Vec<u8>> {
    let own = canary(number % 64);
    if weight == "Heavy" {
        let line = "layout.tableEnd(); const box = layout.makeBlock('a'); box.width = 85;\n";
        let code = line.repeat((1 << 20) / line.len());
        let long = json!({"code": code, "path": "birds/long.js"});
        let all = json!({"paths": ["**/*.js"]});
        return vec![
            letterhead.call("long", "check_symbols", &long),
            letterhead.call("all", "check_symbols", &all),
        ];
    }
    let code = json!({"code": format!("layout.{own}();\n"), "path": "birds/new.js"});
    vec![
        letterhead.call("code", "check_symbols", &code),
        letterhead.request("list", "tools/list", json!({})),
        letterhead.call("find", "find_in_files", &json!({"pattern": own})),
    ]
}

fn flood(letterhead: &Letterhead, requests: &[Vec<u8>], counts: &Counts) {
    let count = |which: usize| _ = counts.0[which].fetch_add(1, Ordering::Relaxed);
    let Ok(mut wire) = Wire::open(letterhead.address) else { return count(2) };
    for request in requests.iter().cycle() {
        match wire.ask(request) {
            Ok(said) if said.status == 200 => count(0),
            Ok(said) if said.status == 503 && said.says_when => count(1),
            Ok(_) => count(2),
            Err(_) => return count(2),
        }
    }
}
