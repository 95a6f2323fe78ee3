//! Whole conversations, kept as text in `tests/talks`: over stdio and HTTP in both eras and in process, all say the same.
//!
//! A talk opens with `#` lines that say what it shows, and `project:` with the folder that is copied for it. `>` is a
//! call, `<` a line of its answer, `!` a line of an answer that is marked as an error. `UPDATE_EXPECT=1` rewrites the
//! answers.

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
    for line in text.lines() {
        if let Some(call) = line.strip_prefix("> ") {
            let call = call.to_owned();
            talk.turns.push(Turn { call, rest: String::new(), answer: String::new() });
            continue;
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
    let calls: Vec<(String, Value)> = talk.turns.iter().map(|turn| split(&turn.call)).collect();
    let in_process = in_process(&talk.project, &calls);
    for era in [Era::Initialize, Era::Discover] {
        let ways = [
            ("stdio", over_stdio(&talk.project, &calls, era)),
            ("HTTP", over_http(&talk.project, &calls, era)),
        ];
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

fn in_process(project: &str, calls: &[(String, Value)]) -> Vec<(bool, String)> {
    let folder = Folder::with(project);
    let session = Session::new(Settings {
        root: None,
        project: None,
        here: folder.project(),
        home: folder.project().parent().map(Into::into),
        cache: Some(folder.cache()),
        ..Settings::default()
    });
    let ask = |(tool, arguments): &(String, Value)| {
        let call = Call {
            tool: tool.clone(),
            arguments: arguments.as_object().expect("arguments are an object").clone(),
            client_roots: Vec::new(),
            listing: Listing::Findings,
            principal: Principal::Own,
        };
        let reply = session.ask(&call, &Stop::default(), &Quiet);
        (reply.outcome == Outcome::Failed, reply.text)
    };
    calls.iter().map(ask).collect()
}

fn over_stdio(project: &str, calls: &[(String, Value)], era: Era) -> Vec<(bool, String)> {
    let folder = Folder::with(project);
    let mut server = Server::open(&folder, era);
    let answers = (1..).zip(calls).map(|(id, (tool, arguments))| server.call(id, tool, arguments));
    let answers = answers.collect();
    server.close();
    answers
}

fn over_http(project: &str, calls: &[(String, Value)], era: Era) -> Vec<(bool, String)> {
    let folder = Folder::with(project);
    let web = Web::start(&folder, &[]);
    calls.iter().map(|(tool, arguments)| web.call(era, tool, arguments)).collect()
}
