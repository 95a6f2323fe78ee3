//! Whole conversations, kept as text in `tests/talks`: over stdio and HTTP in both eras and in process, all say the same.
//!
//! A talk opens with `#` lines that say what it shows, and `project:` with the folder that is copied for it. `>` is a
//! call, `<` a line of its answer, `!` a line of an answer that is marked as an error. `+ PATH TEXT` is somebody who writes
//! that file before the next call, the text being a JSON string. The id of a baseline stands as `{baseline-1}`, since it
//! is another each time. `UPDATE_EXPECT=1` rewrites the answers.

use crate::program::{Era, Folder, Server, top};
use crate::web::Web;
use groundline::base::{Quiet, Stop};
use groundline::session::{Call, Listing, Outcome, Principal, Session, Settings};
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A talk as it is written.
struct Talk {
    /// Everything before the first call, as it stands.
    head: String,
    project: String,
    turns: Vec<Turn>,
}

struct Turn {
    /// What is written before the call.
    deeds: Vec<(String, String)>,
    /// The call as it stands, behind `> `.
    call: String,
    /// What is between the answer and the next call.
    rest: String,
    answer: String,
}

#[test]
fn every_talk_goes_as_it_is_written() {
    let mut paths: Vec<PathBuf> = fs::read_dir(top().join("tests/talks"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "talk"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "there are talks");
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    // A talk waits for processes most of the time.
    let next = AtomicUsize::new(0);
    let differing = Mutex::new(Vec::new());
    let work = || {
        while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
            let written = fs::read_to_string(path).unwrap();
            let held = hold(&read(&written));
            if held != written && update {
                fs::write(path, held).unwrap();
            } else if held != written {
                let name = path.file_name().unwrap().to_str().unwrap();
                differing.lock().unwrap().push(format!("{name} goes like this now:\n{held}"));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(work);
        }
    });
    let differing = differing.into_inner().unwrap();
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

fn read(text: &str) -> Talk {
    let mut talk = Talk { head: String::new(), project: String::new(), turns: Vec::new() };
    let mut deeds = Vec::new();
    for line in text.lines() {
        if let Some(call) = line.strip_prefix("> ") {
            let (call, deeds) = (call.to_owned(), std::mem::take(&mut deeds));
            talk.turns.push(Turn { deeds, call, rest: String::new(), answer: String::new() });
            continue;
        }
        if let Some((path, text)) = line.strip_prefix("+ ").and_then(|deed| deed.split_once(' ')) {
            deeds.push((path.to_owned(), serde_json::from_str(text).expect("a JSON string")));
        }
        let Some(turn) = talk.turns.last_mut() else {
            if let Some(project) = line.strip_prefix("project: ") {
                project.clone_into(&mut talk.project);
            }
            talk.head += line;
            talk.head.push('\n');
            continue;
        };
        let part = if line.starts_with(['<', '!']) { &mut turn.answer } else { &mut turn.rest };
        part.push_str(line);
        part.push('\n');
    }
    talk
}

/// Holds the talk in all of these ways, and writes it down as it went.
fn hold(talk: &Talk) -> String {
    let in_process = in_process(talk);
    for era in [Era::Initialize, Era::Discover] {
        let ways = [("stdio", over_stdio(talk, era)), ("HTTP", over_http(talk, era))];
        for (way, answers) in ways {
            assert_eq!(in_process.len(), answers.len());
            for (idx, (here, there)) in in_process.iter().zip(&answers).enumerate() {
                let call = &talk.turns[idx].call;
                assert_eq!(here, there, "in process and over {way} ({era:?}) differ for {call}");
            }
        }
    }
    let mut held = talk.head.clone();
    for (turn, (is_error, text)) in talk.turns.iter().zip(in_process) {
        writeln!(held, "> {}", turn.call).unwrap();
        let mark = if is_error { '!' } else { '<' };
        for line in text.lines() {
            writeln!(held, "{}", format!("{mark} {line}").trim_end()).unwrap();
        }
        held += &turn.rest;
    }
    held
}

fn split(call: &str) -> (String, Value) {
    let (tool, arguments) = call.split_once(' ').unwrap_or((call, "{}"));
    (tool.to_owned(), serde_json::from_str(arguments).expect("arguments are JSON"))
}

/// Holds every turn: does what is done before it, asks, and gives what was answered.
fn held(
    talk: &Talk,
    folder: &Folder,
    mut ask: impl FnMut(String, Value) -> (bool, String),
) -> Vec<(bool, String)> {
    let mut baselines = Baselines::default();
    let turn = |turn: &Turn| {
        for (path, text) in &turn.deeds {
            fs::write(folder.project().join(path), text).unwrap();
        }
        let (tool, arguments) = split(&baselines.put(&turn.call));
        let (is_error, text) = ask(tool, arguments);
        (is_error, baselines.taken_out(&text))
    };
    talk.turns.iter().map(turn).collect()
}

/// The ids of baselines, in the order in which they came.
#[derive(Default)]
struct Baselines(Vec<String>);

impl Baselines {
    fn put(&self, call: &str) -> String {
        let ids = (1..).zip(&self.0);
        ids.fold(call.to_owned(), |call, (n, id)| call.replace(&format!("{{baseline-{n}}}"), id))
    }

    fn taken_out(&mut self, text: &str) -> String {
        let named = text.split("  baseline ").skip(1);
        let words = named.filter_map(|rest| rest.split(|c: char| !c.is_ascii_hexdigit()).next());
        for id in words.filter(|word| word.len() == 64) {
            if !self.0.iter().any(|known| known == id) {
                self.0.push(id.to_owned());
            }
        }
        (1..).zip(&self.0).fold(text.to_owned(), |text, (n, id)| {
            let name = format!("{{baseline-{n}}}");
            text.replace(id, &name).replace(&id[..12], &name)
        })
    }
}

fn in_process(talk: &Talk) -> Vec<(bool, String)> {
    let folder = Folder::with(&talk.project);
    let beside = folder.project().parent().map(PathBuf::from);
    let session = Session::new(Settings {
        root: None,
        project: None,
        here: folder.project(),
        state: beside.as_ref().map(|beside| beside.join("state")),
        home: beside,
        cache: Some(folder.cache()),
        ..Settings::default()
    });
    held(talk, &folder, |tool, arguments| {
        let call = Call {
            tool,
            arguments: arguments.as_object().expect("arguments are an object").clone(),
            client_roots: Vec::new(),
            listing: Listing::Findings,
            principal: Principal::Own,
        };
        let reply = session.ask(&call, &Stop::default(), &Quiet);
        (reply.outcome == Outcome::Failed, reply.text)
    })
}

fn over_stdio(talk: &Talk, era: Era) -> Vec<(bool, String)> {
    let folder = Folder::with(&talk.project);
    let mut server = Server::open(&folder, era);
    let mut id = 0;
    let answers = held(talk, &folder, |tool, arguments| {
        id += 1;
        server.call(id, &tool, &arguments)
    });
    server.close();
    answers
}

fn over_http(talk: &Talk, era: Era) -> Vec<(bool, String)> {
    let folder = Folder::with(&talk.project);
    let web = Web::start(&folder, &[]);
    held(talk, &folder, |tool, arguments| web.call(era, &tool, &arguments))
}
