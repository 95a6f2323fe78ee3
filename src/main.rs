//! Runs the command that was asked for, prints what it gives, and says in the exit status how it went.
//!
//! The only file that prints: 0 is clean, 1 findings, 2 could not.

use groundline::base::Stop;
use groundline::cli::progress::{OnScreen, Screen};
use groundline::cli::{
    self, Again, CallWish, CheckWish, Command, Entry, FingerprintWish, Format, Given, HttpOrder,
    Step, Verification,
};
use groundline::deeds::build::BuildWish;
use groundline::deeds::listing::ListWish;
use groundline::deeds::reports::{self, Form, baseline};
use groundline::deeds::token::{self, Token};
use groundline::deeds::verify::{self, Verdict};
use groundline::deeds::watching::{Changed, Watching};
use groundline::deeds::{doctor, init, listing, opened, tour};
use groundline::envelope::{visible, visible_json};
use groundline::server::http::oauth::{OauthTrouble, ResourceServer};
use groundline::server::http::{self, HttpWish, Keys, Opened};
use groundline::server::{stdio, tools};
use groundline::session::{Call, Listing, Outcome, Principal, Reply, Session, Settings};
use groundline::sources::workspace::Workspace;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::io::{self, BufRead, IsTerminal, Write};
use std::panic::PanicHookInfo;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Deep code is walked by recursion; address space costs nothing.
const STACK: usize = 64 << 20;

/// How the command went, from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    Clean,
    Findings,
    CouldNot,
    /// What was said counts for nothing.
    Void,
}

fn main() -> ExitCode {
    let command = match cli::read(std::env::args_os()) {
        Ok(command) => command,
        Err(error) => {
            // Help and version are asked for; anything else is a slip that clap explains, quoting it.
            if !error.use_stderr() {
                let _ = error.print();
                return Status::Clean.into();
            }
            say(&error.render().to_string());
            return Status::CouldNot.into();
        }
    };
    std::panic::set_hook(Box::new(|panic| say(&last_words(panic))));
    let work = std::thread::Builder::new().stack_size(STACK).spawn(move || run(command));
    match work.map(std::thread::JoinHandle::join) {
        Ok(Ok(status)) => status.into(),
        Ok(Err(_)) => could_not("Groundline broke off, which is a bug of its own").into(),
        Err(error) => could_not(&format!("no thread to work on: {error}")).into(),
    }
}

/// What is said of a panic: where, and not what, since its message may quote what was worked on.
fn last_words(panic: &PanicHookInfo<'_>) -> String {
    let at = panic.location().map(|at| format!(" at {}:{}", at.file(), at.line()));
    format!("groundline: broke off{}, which is a bug of its own", at.unwrap_or_default())
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        match status {
            Status::Clean => ExitCode::SUCCESS,
            Status::Findings => ExitCode::from(1),
            Status::CouldNot => ExitCode::from(2),
            Status::Void => ExitCode::from(3),
        }
    }
}

fn run(command: Command) -> Status {
    match command {
        Command::Serve(settings, roots, order) => serve(settings, &roots, order),
        Command::Call(settings, wish) => call(settings, wish),
        Command::Check(settings, wish) => check(settings, wish),
        Command::Fingerprint(settings, wish) => fingerprint(settings, wish),
        Command::Verify(settings, wish) => {
            let progress = OnScreen::new(screen());
            verified(&match wish {
                Verification::Run(wish) => verify::run(settings, &wish, &progress),
                Verification::Check(file) => verify::check(settings, &file, &progress),
            })
        }
        Command::Build(settings, wish) => build(&settings, &wish),
        Command::List(settings, wish) => list(&settings, &wish),
        Command::Init(wish, format) => match init::run(&wish) {
            Ok(found) => told(&match format {
                Format::Text => init::text(&found),
                Format::Json => format!("{:#}", init::by_host(&found)),
            }),
            Err(trouble) => could_not(&trouble.to_string()),
        },
        Command::Doctor(settings) => match doctor::run(&settings, &OnScreen::new(screen())) {
            Ok(found) => {
                let status = if found.sound { Status::Clean } else { Status::CouldNot };
                match print(&found.text) {
                    Ok(()) => status,
                    Err(error) => unprinted(&error, status),
                }
            }
            Err(trouble) => could_not(&trouble.to_string()),
        },
        Command::Tour(wish) => match tour::run(&wish, &mut io::stdout().lock()) {
            Ok(()) => Status::Clean,
            Err(tour::TourTrouble::Print(error)) => unprinted(&error, Status::Clean),
            Err(trouble) => could_not(&trouble.to_string()),
        },
    }
}

fn serve(settings: Settings, roots: &[PathBuf], order: Option<HttpOrder>) -> Status {
    // One root is a start, from which a call over the standard streams may go elsewhere; several are all there are.
    let settings = match (roots.len(), &order) {
        (0 | 1, None) => Ok(settings),
        _ => opened::confined(settings, roots),
    };
    let served = settings.map_err(|trouble| trouble.to_string()).and_then(|settings| match order {
        None => stdio::serve(settings).map_err(|trouble| trouble.to_string()),
        Some(order) => serve_over_http(settings, order),
    });
    match served {
        Ok(()) => Status::Clean,
        Err(why) => could_not(&why),
    }
}

fn serve_over_http(settings: Settings, order: HttpOrder) -> Result<(), String> {
    let HttpOrder { address, entry, hosts, origins, front } = order;
    let (keys, asks) = match entry {
        Entry::Everybody => (Keys::None, "it asks for no token".to_owned()),
        Entry::Issuer(file) => {
            let issuer = ResourceServer::read(&file, told_of_keys);
            let issuer = issuer.map_err(|why| why.to_string())?;
            let asks = format!("it takes the tokens that {} describes", file.display());
            (Keys::Issuer(Box::new(issuer)), asks)
        }
        Entry::Token(file) => {
            let usual = settings.state.as_deref().map(token::usual_place);
            let file = file.or(usual).ok_or("no place for a token: name one with --token-file")?;
            let token = Token::kept_in(&file).map_err(|why| why.to_string())?;
            (Keys::Token(token), format!("its token is in {}", file.display()))
        }
    };
    let wish = HttpWish { address, keys, hosts, origins, front };
    let say = |opened: &Opened| {
        // Whoever started it may have closed it; the door is open all the same.
        say(&format!("groundline: listening at {}; {asks}", opened.url));
    };
    http::serve(settings, wish, say).map_err(|why| why.to_string())
}

fn told_of_keys(trouble: Option<&OauthTrouble>) {
    let line = match trouble {
        Some(why) => format!("groundline: {why}; until then the keys that were read before hold"),
        None => "groundline: the issuer's keys are read again".to_owned(),
    };
    // The gauge in /metrics says it too.
    let _ = writeln!(io::stderr().lock(), "{line}");
}

fn call(settings: Settings, wish: CallWish) -> Status {
    let Some(tool) = tools::tool(&wish.tool) else {
        return could_not(&tools::no_such_tool(&wish.tool));
    };
    let session = Session::new(settings);
    let ask = |arguments| ask(&session, tool.name, tool.by_own_names(arguments), wish.listing);
    let text = match wish.arguments {
        Given::Text(text) => text,
        Given::Lines => return call_each_line(ask),
    };
    match object_in(text.as_bytes()) {
        Ok(arguments) => printed(&ask(arguments), wish.format),
        Err(trouble) => could_not(&format!("ARGUMENTS {trouble}")),
    }
}

/// One object a line in, one answer a line out. What is no object is answered with an error, and the next line read.
fn call_each_line(ask: impl Fn(Map<String, Value>) -> Reply) -> Status {
    let mut worst = Status::Clean;
    for line in io::stdin().lock().split(b'\n') {
        let line = match line {
            Ok(line) if line.trim_ascii().is_empty() => continue,
            Ok(line) => line,
            Err(error) => return could_not(&format!("standard input cannot be read: {error}")),
        };
        let (answer, status) = match object_in(&line) {
            Ok(arguments) => {
                let reply = ask(arguments);
                (as_data(&reply).into_owned(), status(reply.outcome))
            }
            Err(trouble) => (json!({"error": format!("this line {trouble}")}), Status::CouldNot),
        };
        worst = worst.max(status);
        if let Err(error) = print_data(&answer) {
            return unprinted(&error, worst);
        }
    }
    worst
}

fn check(settings: Settings, wish: CheckWish) -> Status {
    let workspace = opened::root_of(&settings).ok().map(Workspace::new);
    let session = Session::new(settings);
    match (&wish.again, &workspace, wish.form) {
        (Again::WhenChanged(_), _, Form::Sarif | Form::Github) => {
            could_not("--watch prints text or JSON: leave out --format, or say --format json")
        }
        (Again::WhenChanged(program), Some(workspace), _) => {
            check_again(&session, workspace, &wish, program)
        }
        (Again::Never, ..) | (Again::WhenChanged(_), None, _) => {
            check_once(&session, workspace.as_ref(), &wish, (wish.arguments.clone(), wish.extent))
        }
    }
}

/// Checks, and then again what changes; ends only when it cannot go on.
fn check_again(
    session: &Session,
    workspace: &Workspace,
    wish: &CheckWish,
    program: &Path,
) -> Status {
    let paths = wish.arguments.get("paths").and_then(Value::as_array);
    let paths: Vec<String> =
        paths.into_iter().flatten().filter_map(|p| p.as_str().map(str::to_owned)).collect();
    let mut watching = match Watching::begin(workspace, &paths, program) {
        Ok(watching) => watching,
        Err(why) => return could_not(&format!("the project cannot be watched: {why}")),
    };
    let mut arguments = wish.arguments.clone();
    let mut extent = wish.extent;
    loop {
        check_once(session, Some(workspace), wish, (arguments, extent));
        say("watching for changes; interrupt to end");
        arguments = match watching.wait() {
            Changed::Everything(why) => {
                say(&format!("checking everything again: {why}"));
                extent = wish.extent;
                wish.arguments.clone()
            }
            Changed::Scripts(scripts) => {
                say(&format!("checking again: {}", scripts.join(", ")));
                // What is checked again is not all there is.
                extent = baseline::Extent::Some;
                [("paths".to_owned(), json!(scripts))].into_iter().collect()
            }
        };
    }
}

/// Checks what is asked for and prints what was found.
fn check_once(
    session: &Session,
    workspace: Option<&Workspace>,
    wish: &CheckWish,
    (arguments, extent): (Map<String, Value>, baseline::Extent),
) -> Status {
    let source = |path: &str| Some(workspace?.read(path).ok()?.text);
    let reply = ask(session, "check_symbols", arguments, Listing::Findings);
    if status(reply.outcome) == Status::CouldNot {
        return match wish.form {
            Form::Json => print_data(&as_data(&reply))
                .map_or_else(|error| unprinted(&error, Status::CouldNot), |()| Status::CouldNot),
            Form::Sarif | Form::Github | Form::Marked => could_not(&reply.text),
        };
    }
    let data = match baseline::applied(&wish.old, reply.data.clone(), extent, source) {
        Ok(data) => data,
        Err(trouble) => return could_not(&trouble.to_string()),
    };
    let is_error = |finding: &reports::Finding<'_>| finding.weight == reports::Weight::Error;
    let found = reports::findings(&data);
    let status = match found.iter().any(is_error) {
        true => Status::Findings,
        false => Status::Clean,
    };
    let done = match wish.form {
        Form::Json => print_data(&data),
        Form::Sarif => print_data(&reports::sarif::log(&data)),
        Form::Github if found.is_empty() => Ok(()),
        Form::Github => print(&reports::github::annotations(&data)),
        Form::Marked => print(&reports::people::for_people(&reply, &data, source)),
    };
    match done {
        Ok(()) => status,
        Err(error) => unprinted(&error, status),
    }
}

/// Prints a verdict, behind what the command printed; also where it could not be told, since a script reads it there.
fn verified(verified: &verify::Verified) -> Status {
    let status = match verified.verdict {
        Verdict::Pass => Status::Clean,
        Verdict::Fail => Status::Findings,
        Verdict::Unknown => Status::CouldNot,
        Verdict::Void => Status::Void,
    };
    match print(&verified.text) {
        Ok(()) => status,
        Err(error) => unprinted(&error, status),
    }
}

/// Prints what scripts read: after a beginning the id in the last line; after a comparison the paths, or the remarks.
fn fingerprint(settings: Settings, wish: FingerprintWish) -> Status {
    let session = Session::new(settings);
    let stop = Stop::default();
    if let Some(timeout) = wish.timeout {
        let stop = stop.clone();
        // Nobody waits for it: it ends with the process.
        std::thread::spawn(move || {
            std::thread::sleep(timeout);
            stop.set();
        });
    }
    let call = call_of("verify_fingerprint", wish.arguments, Listing::Findings);
    let reply = session.ask(&call, &stop, &OnScreen::new(screen()));
    let status = status(reply.outcome);
    if status == Status::CouldNot {
        return could_not(&reply.text);
    }
    let texts = |name: &str| reply.data[name].as_array().cloned().unwrap_or_default();
    let remarks = texts("remarks").into_iter().map(|r| r.as_str().unwrap_or("").to_owned());
    let lines: Vec<String> = match (wish.step, status) {
        (Step::Begin, _) => {
            remarks.chain(reply.data["baseline"].as_str().map(str::to_owned)).collect()
        }
        (Step::Compare, Status::Findings) => {
            let part = |row: &Value, name: &str| row[name].as_str().unwrap_or("").to_owned();
            texts("moved")
                .iter()
                .map(|r| format!("{}\t{}", part(r, "how"), part(r, "path")))
                .collect()
        }
        (Step::Compare, Status::Clean | Status::CouldNot | Status::Void) => remarks.collect(),
    };
    if lines.is_empty() {
        return status;
    }
    match print(&lines.join("\n")) {
        Ok(()) => status,
        Err(error) => unprinted(&error, status),
    }
}

fn build(settings: &Settings, wish: &BuildWish) -> Status {
    match groundline::deeds::build::run(settings, wish, &OnScreen::new(screen())) {
        Ok(report) => {
            let status = if report.complete { Status::Clean } else { Status::CouldNot };
            match print(report.text.trim_end()) {
                Ok(()) => status,
                Err(error) => unprinted(&error, status),
            }
        }
        Err(trouble) => could_not(&trouble.to_string()),
    }
}

fn list(settings: &Settings, wish: &ListWish) -> Status {
    match listing::run(settings, wish, &OnScreen::new(screen())) {
        Ok(list) => {
            for note in &list.notes {
                // A note is beside the list, so that this stays one line a symbol.
                say(&format!("note  {note}"));
            }
            match list.text.is_empty() {
                true => Status::Findings,
                false => print(&list.text)
                    .map_or_else(|error| unprinted(&error, Status::Clean), |()| Status::Clean),
            }
        }
        Err(trouble) => could_not(&trouble.to_string()),
    }
}

fn ask(session: &Session, tool: &str, arguments: Map<String, Value>, listing: Listing) -> Reply {
    let call = call_of(tool, arguments, listing);
    session.ask(&call, &Stop::default(), &OnScreen::new(screen()))
}

fn call_of(tool: &str, arguments: Map<String, Value>, listing: Listing) -> Call {
    Call {
        tool: tool.to_owned(),
        arguments,
        client_roots: Vec::new(),
        listing,
        principal: Principal::Own,
    }
}

fn object_in(text: &[u8]) -> Result<Map<String, Value>, String> {
    match serde_json::from_slice(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err("must be a JSON object, such as {\"paths\": [\"src\"]}".to_owned()),
        Err(error) => Err(format!("must be a JSON object: {error}")),
    }
}

fn screen() -> Screen {
    if io::stderr().is_terminal() { Screen::Terminal } else { Screen::Plain }
}

fn status(outcome: Outcome) -> Status {
    match outcome {
        Outcome::Clean => Status::Clean,
        Outcome::Findings => Status::Findings,
        Outcome::Failed => Status::CouldNot,
    }
}

fn as_data(reply: &Reply) -> Cow<'_, Value> {
    match (reply.outcome, &reply.data) {
        (Outcome::Failed, Value::Null) => Cow::Owned(json!({"error": reply.text})),
        (Outcome::Clean | Outcome::Findings | Outcome::Failed, data) => Cow::Borrowed(data),
    }
}

fn printed(reply: &Reply, format: Format) -> Status {
    let status = status(reply.outcome);
    let done = match (format, status) {
        (Format::Json, _) => print_data(&as_data(reply)),
        (Format::Text, Status::Clean | Status::Findings) => print(&reply.text),
        (Format::Text, Status::CouldNot | Status::Void) => return could_not(&reply.text),
    };
    match done {
        Ok(()) => status,
        Err(error) => unprinted(&error, status),
    }
}

/// Prints what cannot be anything but clean.
fn told(text: &str) -> Status {
    match print(text) {
        Ok(()) => Status::Clean,
        Err(error) => unprinted(&error, Status::Clean),
    }
}

/// Prints data on one line.
fn print_data(data: &Value) -> io::Result<()> {
    write_line(&visible_json(data))
}

fn print(text: &str) -> io::Result<()> {
    write_line(&visible(text))
}

/// A line beside the answer. Who does not read it misses nothing else.
fn say(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", visible(text.trim_end()));
}

fn write_line(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.trim_end_matches('\n').as_bytes())?;
    out.write_all(b"\n")?;
    out.flush()
}

/// A reader that has gone away (`| head`) has read enough; anything else is told.
fn unprinted(error: &io::Error, status: Status) -> Status {
    match error.kind() {
        io::ErrorKind::BrokenPipe => status,
        _ => could_not(&format!("the answer cannot be written: {error}")),
    }
}

fn could_not(why: &str) -> Status {
    // Where even this cannot be written, the exit status says it.
    say(&format!("groundline: {why}"));
    Status::CouldNot
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn a_panic_says_where_and_nothing_of_what_it_worked_on() {
        static SAID: Mutex<String> = Mutex::new(String::new());
        std::panic::set_hook(Box::new(|panic| *SAID.lock().unwrap() = last_words(panic)));
        let content = "größe: hunter2";
        let cut = std::panic::catch_unwind(|| content[..3].len());
        assert!(cut.is_err());
        let said = SAID.lock().unwrap();
        assert!(said.contains("src/main.rs:") && !said.contains("hunter2"), "{said}");
    }
}
