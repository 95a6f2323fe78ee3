//! One client that floods, in a process of its own: requests that are ready, answers that are only counted, so that the
//! processor is the server's.

use crate::calls::{Era, Letterhead};
use crate::project::canary;
use crate::server::{Server, worked};
use crate::wire::Wire;
use serde_json::json;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

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
        let _ = self.child.wait();
        let mut counts = text.split_whitespace().map(|n| n.parse().unwrap_or(0));
        let mut next = || counts.next().unwrap_or(0);
        Tally { n_answered: next(), n_put_off: next(), n_wrong: next(), own }
    }
}

/// The other process: floods until its standard input ends, then says what it counted.
pub fn run(arguments: &[String]) {
    let [address, n_connections, name, weight] = arguments else {
        panic!("flood ADDRESS N NAME WEIGHT")
    };
    let address = address.parse().expect("an address");
    let n_connections: usize = n_connections.parse().expect("a number");
    let token = std::env::var("LOAD_TOKEN").expect("the token");
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let floods: Vec<_> = (0..n_connections)
            .map(|number| {
                let (token, name) = (token.clone(), name.clone());
                let letterhead = Letterhead { address, token, name, era: Era::of(number) };
                let requests = requests(&letterhead, number, weight);
                let ended = &ended;
                scope.spawn(move || flood(&letterhead, &requests, ended))
            })
            .collect();
        println!("floods");
        let _ = std::io::stdin().read(&mut [0]);
        ended.store(true, Ordering::Relaxed);
        let mut all = [0; 3];
        for flood in floods {
            let counted = flood.join().unwrap_or([0, 0, 1]);
            all.iter_mut().zip(counted).for_each(|(sum, n)| *sum += n);
        }
        println!("{} {} {}", all[0], all[1], all[2]);
    });
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

fn flood(letterhead: &Letterhead, requests: &[Vec<u8>], ended: &AtomicBool) -> [u64; 3] {
    let mut counted = [0, 0, 0];
    let Ok(mut wire) = Wire::open(letterhead.address) else { return [0, 0, 1] };
    for request in requests.iter().cycle() {
        if ended.load(Ordering::Relaxed) {
            break;
        }
        match wire.ask(request) {
            Ok(said) if said.status == 200 => counted[0] += 1,
            Ok(said) if said.status == 503 && said.says_when => counted[1] += 1,
            Ok(_) => counted[2] += 1,
            Err(_) => return [counted[0], counted[1], counted[2] + 1],
        }
    }
    counted
}
