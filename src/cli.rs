//! The command line: arguments and environment to a [`Command`].
//!
//! The environment is read here only. What a command does is not known here; it is run in `main`.

mod examples;
pub mod progress;
mod serving;
mod verifying;

pub use serving::{Entry, HttpOrder};
pub use verifying::Verification;

use crate::corpus::store::Mining;
use crate::deeds::build::{BuildWish, Explain};
use crate::deeds::init::{Door, HOSTS, Host, InitWish};
use crate::deeds::listing::{ListWish, Listed};
use crate::deeds::reports::Form;
use crate::deeds::reports::baseline::{Extent, OldFindings};
use crate::deeds::token;
use crate::deeds::tour::TourWish;
use crate::session::{Listing, Outside, Settings};
use clap::{Args, Parser, Subcommand, ValueEnum};
use examples::{
    BUILD_EXAMPLES, CALL_EXAMPLES, CHECK_EXAMPLES, EXAMPLES, FINGERPRINT_EXAMPLES, INIT_EXAMPLES,
    SERVE_EXAMPLES, SYMBOLS_EXAMPLES, VERIFY_EXAMPLES,
};
use serde_json::{Map, Value, json};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

/// What was asked for.
#[derive(Debug)]
pub enum Command {
    /// Speak MCP, on standard input and output or at a door of its own, for these roots.
    Serve(Settings, Vec<PathBuf>, Option<HttpOrder>),
    /// Put calls to a tool.
    Call(Settings, CallWish),
    /// Check files, and say how that went in the exit status.
    Check(Settings, CheckWish),
    /// Fingerprint a tree, or compare it with a baseline.
    Fingerprint(Settings, FingerprintWish),
    /// Run a check between two fingerprints, or hold an attestation against the tree.
    Verify(Settings, Verification),
    /// Mine an api's sources.
    Build(Settings, BuildWish),
    /// List what was mined.
    List(Settings, ListWish),
    /// Say what is known here and what is wrong.
    Doctor(Settings),
    /// Show what Groundline does.
    Tour(TourWish),
    /// Show how hosts register the server.
    Init(InitWish, Format),
}

/// Calls from the command line.
#[derive(Debug)]
pub struct CallWish {
    /// The tool's name.
    pub tool: String,
    /// With which arguments.
    pub arguments: Given,
    /// How the answer is printed.
    pub format: Format,
    /// How much of it.
    pub listing: Listing,
}

/// Where a call's arguments come from.
#[derive(Debug)]
pub enum Given {
    /// From the command line, as JSON text.
    Text(String),
    /// From standard input, one object a line.
    Lines,
}

/// A check from the command line.
#[derive(Debug)]
pub struct CheckWish {
    /// The arguments for the tool.
    pub arguments: Map<String, Value>,
    /// In which form the findings are printed.
    pub form: Form,
    /// What is done with old findings.
    pub old: OldFindings,
    /// How much is checked.
    pub extent: Extent,
    /// Whether it goes on.
    pub again: Again,
}

/// Whether a check goes on when it is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Again {
    /// It does not.
    Never,
    /// What changes is checked again; with the program's own file.
    WhenChanged(PathBuf),
}

/// A fingerprint from the command line.
#[derive(Debug)]
pub struct FingerprintWish {
    /// The arguments for the tool.
    pub arguments: Map<String, Value>,
    /// What is printed.
    pub step: Step,
    /// How long it may take.
    pub timeout: Option<Duration>,
}

/// The steps of a check by fingerprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Before: the last line is the id.
    Begin,
    /// After: a line for each path that moved, or each remark.
    Compare,
}

/// How an answer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people and agents.
    Text,
    /// As data.
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Report {
    Text,
    Json,
    Sarif,
    Github,
}

/// Reads the command line. The error is clap's, which knows how to print itself; help and version are "errors" too.
pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, clap::Error> {
    let line = CommandLine::try_parse_from(arguments)?;
    let surroundings = Surroundings::read(line.cache, line.state);
    Ok(match line.order {
        Order::Serve(order) => {
            let allow_outside = order.allow_outside;
            let (roots, http) = order.read(&surroundings.here);
            let place = Place { root: roots.first().cloned(), allow_outside };
            let settings = surroundings.settings(place);
            // Who asks a running server asks again; a command is over when it has answered.
            Command::Serve(Settings { mining: Mining::Behind, ..settings }, roots, http)
        }
        Order::Call { tool, arguments, json, all, place } => {
            let wish = CallWish {
                tool,
                arguments: if arguments == "-" { Given::Lines } else { Given::Text(arguments) },
                format: if json { Format::Json } else { Format::Text },
                listing: if all { Listing::Everything } else { Listing::Findings },
            };
            Command::Call(surroundings.settings(place), wish)
        }
        Order::Check { paths, changed, format, baseline, write_baseline, watch, place } => {
            let extent = match paths.is_empty() && !changed {
                true => Extent::Everything,
                false => Extent::Some,
            };
            let baseline = baseline.map(|file| absolute(&surroundings.here, &file));
            let old = match (baseline, write_baseline) {
                (None, _) => OldFindings::None,
                (Some(file), true) => OldFindings::Write(file),
                (Some(file), false) => OldFindings::In(file),
            };
            let arguments = match changed {
                true => Map::new(),
                false => checked(&surroundings.here, &paths),
            };
            let form = match format {
                Report::Text => Form::Marked,
                Report::Json => Form::Json,
                Report::Sarif => Form::Sarif,
                Report::Github => Form::Github,
            };
            let again = match watch {
                true => Again::WhenChanged(program()),
                false => Again::Never,
            };
            let wish = CheckWish { arguments, form, old, extent, again };
            Command::Check(surroundings.settings(place), wish)
        }
        Order::Build { explain, out, declarations, pages, builtins, place } => {
            let wish = BuildWish {
                explain: if explain { Explain::Sources } else { Explain::Brief },
                out: out.map(|dir| surroundings.here.join(dir)),
                declarations,
                pages,
                builtins: builtins.map(|dir| surroundings.here.join(dir)),
            };
            Command::Build(surroundings.settings(place), wish)
        }
        Order::Fingerprint { step } => {
            let (wish, place) = fingerprinted(step);
            Command::Fingerprint(surroundings.settings(place), wish)
        }
        Order::Verify { order, place } => {
            let wish = order.read(&surroundings.here);
            Command::Verify(surroundings.settings(place), wish)
        }
        Order::Symbols(listed) => surroundings.list(Listed::Symbols, listed),
        Order::Topics(listed) => surroundings.list(Listed::Topics, listed),
        Order::Constructs(listed) => surroundings.list(Listed::Constructs, listed),
        Order::Doctor(place) => Command::Doctor(surroundings.settings(place)),
        Order::Tour => Command::Tour(surroundings.tour()),
        Order::Init(wanted) => surroundings.init(wanted),
    })
}

/// Paths on a command line are meant from where one stands, those of a call from the root.
fn checked(here: &Path, paths: &[String]) -> Map<String, Value> {
    let mut arguments = Map::new();
    if paths.is_empty() {
        arguments.insert("everything".to_owned(), json!(true));
    } else {
        let named = |path: &String| absolute(here, path.as_ref()).to_string_lossy().into_owned();
        let paths: Vec<String> = paths.iter().map(named).collect();
        arguments.insert("paths".to_owned(), json!(paths));
    }
    arguments
}

fn fingerprinted(order: StepOrder) -> (FingerprintWish, Place) {
    let (asked, step, (timeout, place)) = match order {
        StepOrder::Begin { include, allow, timeout, place } => (
            json!({"action": "begin", "include": include, "allow": allow}),
            Step::Begin,
            (timeout, place),
        ),
        StepOrder::Compare { id, timeout, place } => {
            (json!({"action": "compare", "baseline": id}), Step::Compare, (timeout, place))
        }
    };
    let arguments = asked.as_object().cloned().unwrap_or_default();
    (FingerprintWish { arguments, step, timeout: timeout.map(Duration::from_secs) }, place)
}

/// The file of the program that runs.
#[expect(clippy::disallowed_methods, reason = "the environment is read here")]
fn program() -> PathBuf {
    std::env::current_exe().unwrap_or_else(|_| PathBuf::from("groundline"))
}

fn absolute(here: &Path, path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in here.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                whole.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => whole.push(part),
        }
    }
    whole
}

/// What the environment says.
struct Surroundings {
    here: PathBuf,
    project: Option<PathBuf>,
    home: Option<PathBuf>,
    cache: Option<PathBuf>,
    state: Option<PathBuf>,
}

#[expect(clippy::disallowed_methods, reason = "here, and only here, the environment is read")]
impl Surroundings {
    fn read(cache: Option<PathBuf>, state: Option<PathBuf>) -> Surroundings {
        let named = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        let cache = cache.or_else(|| named("GROUNDLINE_CACHE")).map(|dir| here.join(dir));
        let state = state.or_else(|| named("GROUNDLINE_STATE")).map(|dir| here.join(dir));
        Surroundings {
            project: named("CLAUDE_PROJECT_DIR").map(|dir| here.join(dir)),
            home: std::env::home_dir().filter(|home| !home.as_os_str().is_empty()),
            cache: cache.or_else(usual_cache),
            state: state.or_else(usual_state),
            here,
        }
    }

    fn tour(&self) -> TourWish {
        TourWish { program: program(), temp: std::env::temp_dir() }
    }

    fn init(&self, wanted: Registered) -> Command {
        let named = |host: &Host| wanted.host.iter().any(|name| name == host.name());
        let hosts = HOSTS.into_iter().filter(|host| wanted.host.is_empty() || named(host));
        let door = match wanted.http {
            None => Door::Stdio {
                program: program(),
                root: wanted.root.map(|root| absolute(&self.here, &root)),
            },
            Some(address) => {
                let file = wanted.token_file.map(|file| self.here.join(file));
                let usual = || self.state.as_deref().map(token::usual_place);
                Door::Http { address, token_file: file.or_else(usual) }
            }
        };
        let format = if wanted.json { Format::Json } else { Format::Text };
        Command::Init(InitWish { hosts: hosts.collect(), door }, format)
    }

    fn list(&self, what: Listed, wanted: Wanted) -> Command {
        let Wanted { pattern, api, place } = wanted;
        Command::List(self.settings(place), ListWish { what, pattern, api })
    }

    fn settings(&self, place: Place) -> Settings {
        Settings {
            root: place.root.map(|root| self.here.join(root)),
            project: self.project.clone(),
            here: self.here.clone(),
            home: self.home.clone(),
            cache: self.cache.clone(),
            state: self.state.clone(),
            only: Vec::new(),
            outside: if place.allow_outside { Outside::Allowed } else { Outside::Refused },
            mining: Mining::WhereChanged,
        }
    }
}

/// The platform's cache folder.
fn usual_cache() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    let places = etcetera::choose_base_strategy().ok()?;
    Some(places.cache_dir().join("groundline"))
}

/// The platform's state folder; where it has none, that of its data.
fn usual_state() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    let places = etcetera::choose_base_strategy().ok()?;
    Some(places.state_dir().unwrap_or_else(|| places.data_dir()).join("groundline"))
}

/// Answers what can be shown about the APIs that code uses, for coding agents, people and CI.
///
/// Groundline mines what exists from an API's own declarations, decides whether each member in your code exists, and
/// names the real ones where it does not. What it cannot decide it leaves alone. No model, no key, no network.
#[derive(Parser)]
#[command(name = "groundline", version, max_term_width = 100, after_long_help = EXAMPLES)]
struct CommandLine {
    #[command(subcommand)]
    order: Order,

    /// Keep caches in this folder [default: the platform's cache folder, or GROUNDLINE_CACHE]
    #[arg(long, global = true, value_name = "DIR")]
    cache: Option<PathBuf>,

    /// Keep baselines in this folder [default: the platform's state folder, or GROUNDLINE_STATE]
    #[arg(long, global = true, value_name = "DIR")]
    state: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Order {
    /// Speak MCP on standard input and output, as coding agents start it, or over HTTP
    #[command(after_long_help = SERVE_EXAMPLES)]
    Serve(serving::ServeOrder),

    /// Put one call to a tool, or one for each line of standard input
    #[command(after_long_help = CALL_EXAMPLES)]
    Call {
        /// The tool's name, such as check_symbols
        tool: String,
        /// A JSON object; or - to read one object a line and answer each on a line, as data, in order
        #[arg(default_value = "{}")]
        arguments: String,
        /// Print the answer as data
        #[arg(long)]
        json: bool,
        /// List every access in the data, not only the findings
        #[arg(long)]
        all: bool,
        #[command(flatten)]
        place: Place,
    },

    /// Check files; exit status 1 if anything is found
    #[command(after_long_help = CHECK_EXAMPLES)]
    Check {
        /// Files and folders; everything below the root if there are none
        paths: Vec<String>,
        /// Check what changed since HEAD, new files among it
        #[arg(long, conflicts_with = "paths")]
        changed: bool,
        /// How findings are printed: for people, as data, as SARIF 2.1.0, or as annotations of GitHub's workflows
        #[arg(long, value_enum, default_value = "text")]
        format: Report,
        /// Old findings, which do not count: only what is not in this file does
        #[arg(long, value_name = "FILE")]
        baseline: Option<PathBuf>,
        /// Write what is found now to the baseline
        #[arg(long, requires = "baseline", conflicts_with_all = ["paths", "changed"])]
        write_baseline: bool,
        /// Go on, and check again what changes, until it is interrupted; prints text or JSON, an object a line
        #[arg(long, conflicts_with = "write_baseline")]
        watch: bool,
        #[command(flatten)]
        place: Place,
    },

    /// Mine the sources of this project's APIs, into the cache or a folder
    #[command(after_long_help = BUILD_EXAMPLES)]
    Build {
        /// Say per source what was recognised and what was not
        #[arg(long)]
        explain: bool,
        /// Write the datagraphs here, to be reviewed and committed
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// Mine these declarations, whatever the project says; may be given several times
        #[arg(long, value_name = "GLOB")]
        declarations: Vec<String>,
        /// Mine these documentation pages, whatever the project says; may be given several times
        #[arg(long, value_name = "GLOB")]
        pages: Vec<String>,
        /// Mine the built-in datagraphs from the npm packages below this folder
        #[arg(long, value_name = "DIR")]
        builtins: Option<PathBuf>,
        #[command(flatten)]
        place: Place,
    },

    /// List what exists in this project's APIs, a line each
    #[command(after_long_help = SYMBOLS_EXAMPLES)]
    Symbols(Wanted),

    /// List the goal words of this project's documentation and what they lead to, a line each
    Topics(Wanted),

    /// List what takes several calls to build, a line each
    Constructs(Wanted),

    /// Say what is indexed, from where, how fresh and how whole, and what was skipped
    Doctor(Place),

    /// Tell whether a tree held still while it was checked
    #[command(after_long_help = FINGERPRINT_EXAMPLES)]
    Fingerprint {
        #[command(subcommand)]
        step: StepOrder,
    },

    /// Run a check between two fingerprints: what it says counts only if the tree held still
    #[command(after_long_help = VERIFY_EXAMPLES)]
    Verify {
        #[command(flatten)]
        order: verifying::VerifyOrder,
        #[command(flatten)]
        place: Place,
    },

    /// See what Groundline does, on a sample project; leaves nothing behind
    Tour,

    /// Show how each host registers this server; writes no file but the token that --http needs
    #[command(after_long_help = INIT_EXAMPLES)]
    Init(Registered),
}

/// Which registrations are wanted.
#[derive(Args)]
struct Registered {
    /// Only for this host; may be given several times
    #[arg(long, value_name = "NAME", value_parser = HOSTS.map(Host::name))]
    host: Vec<String>,
    /// For a server that runs there, such as 127.0.0.1:8765 or https://host/mcp
    #[arg(long, value_name = "URL|ADDR")]
    http: Option<String>,
    /// The file with the server's token, made where there is none [default: token in the state folder]
    #[arg(long, value_name = "FILE", requires = "http")]
    token_file: Option<PathBuf>,
    /// The project's folder, where the host must not choose
    #[arg(long, value_name = "DIR", conflicts_with = "http")]
    root: Option<PathBuf>,
    /// Print them as data
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum StepOrder {
    /// Take a baseline before the check; the last line that is printed is its id
    Begin {
        /// Ignored paths that count all the same, as in a .gitignore; may be given several times
        #[arg(long, value_name = "GLOB")]
        include: Vec<String>,
        /// Paths that the check may change, as in a .gitignore; may be given several times
        #[arg(long, value_name = "GLOB")]
        allow: Vec<String>,
        /// Give up after so many seconds
        #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=604_800))]
        timeout: Option<u64>,
        #[command(flatten)]
        place: Place,
    },
    /// Compare the tree with a baseline; exit status 1 if it moved
    Compare {
        /// What begin printed last
        id: String,
        /// Give up after so many seconds; the verdict is unknown then
        #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=604_800))]
        timeout: Option<u64>,
        #[command(flatten)]
        place: Place,
    },
}

/// What of a list is wanted.
#[derive(Args)]
struct Wanted {
    /// Only what has this in its name, in any case of letters; * stands for anything
    pattern: Option<String>,
    /// Only of this API
    #[arg(long, value_name = "NAME")]
    api: Option<String>,
    #[command(flatten)]
    place: Place,
}

/// Where to work.
#[derive(Args)]
struct Place {
    /// The project's folder [default: found from where you are]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Read files outside the root that the project's groundline.toml names
    #[arg(long)]
    allow_outside: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn read_words(words: &[&str]) -> Result<Command, clap::Error> {
        read(std::iter::once("groundline").chain(words.iter().copied()).map(OsString::from))
    }

    #[test]
    fn the_command_line_is_sound() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn a_check_of_nothing_is_one_of_everything() {
        let Ok(Command::Check(_, wish)) = read_words(&["check"]) else { panic!("a check") };
        assert_eq!(Value::Object(wish.arguments), json!({"everything": true}));
    }

    #[test]
    fn paths_of_a_check_are_meant_from_here() {
        let here = Path::new("/home/me/shop/src");
        let named = |path: &str| absolute(here, Path::new(path));
        assert_eq!(named("../lib/./a.js"), Path::new("/home/me/shop/lib/a.js"));
        assert_eq!(named("/x.js"), Path::new("/x.js"));
        assert_eq!(named("."), Path::new("/home/me/shop/src"));
    }

    #[test]
    fn a_folder_that_is_named_is_taken() {
        let words = ["call", "check_symbols", "-", "--root", "/p", "--cache", "/c", "--all"];
        let Ok(Command::Call(settings, wish)) = read_words(&words) else { panic!("a call") };
        assert_eq!(settings.root, Some(PathBuf::from("/p")));
        assert_eq!(settings.cache, Some(PathBuf::from("/c")));
        assert_eq!(settings.outside, Outside::Refused);
        assert!(matches!(wish.arguments, Given::Lines));
        assert_eq!(wish.listing, Listing::Everything);
    }

    #[test]
    fn a_fingerprint_is_asked_for_in_two_steps() {
        let words = ["fingerprint", "begin", "--root", "/p", "--allow", "out/**", "--state", "/s"];
        let Ok(Command::Fingerprint(settings, wish)) = read_words(&words) else { panic!("a step") };
        assert_eq!((settings.state, wish.step), (Some(PathBuf::from("/s")), Step::Begin));
        let asked = json!({"action": "begin", "include": [], "allow": ["out/**"]});
        assert_eq!(Value::Object(wish.arguments), asked);
        let Ok(Command::Fingerprint(_, wish)) = read_words(&["fingerprint", "compare", "x"]) else {
            panic!("a step")
        };
        assert_eq!(wish.step, Step::Compare);
    }
}
