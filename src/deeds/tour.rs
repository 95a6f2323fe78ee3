//! The tour: the failures that Groundline exists for, shown on the sample project through the real server.
//!
//! It starts this very program as a server and talks to it as any host does. Each failure is a row of [`SCENES`];
//! nothing is left behind, and nothing that is shown is written down beforehand but what an unaided agent does.

use super::sample::{self, Unpacked};
use rmcp::ServiceExt;
use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::TokioChildProcess;
use serde_json::{Map, Value};
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

/// What the tour needs to know of the outside.
#[derive(Debug, Clone)]
pub struct TourWish {
    /// The program to start as a server: this one.
    pub program: PathBuf,
    /// Where a temporary folder may be made.
    pub temp: PathBuf,
}

/// Why the tour could not be shown.
#[derive(Debug, thiserror::Error)]
pub enum TourTrouble {
    /// The sample could not be written.
    #[error("the sample project could not be unpacked below {place}: {error}")]
    Unpack {
        /// The temporary folder.
        place: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The output is gone.
    #[error(transparent)]
    Print(#[from] io::Error),
    /// The server did not start, or did not speak.
    #[error("the server could not be talked to: {0}")]
    Server(String),
}

/// One failure, and how it does not happen.
struct Scene {
    /// Its number in the list of nine.
    failure: u8,
    title: &'static str,
    /// What an agent did without help; nothing where the search says it all.
    unaided: Option<&'static str>,
    /// What it searched for, and what that left open.
    searched: (&'static str, &'static str),
    calls: &'static [Shown],
}

/// A call that is made and shown.
struct Shown {
    tool: &'static str,
    arguments: &'static str,
    extent: Extent,
}

/// How much of an answer is shown.
#[derive(Clone, Copy)]
enum Extent {
    Whole,
    /// Its first lines.
    Head(usize),
    /// The call is made with `apply` and the hash of the answer before it; how long this file was and is, is told.
    Applied(&'static str),
}

const SCENES: &[Scene] = &[
    Scene {
        failure: 1,
        title: "search is literal, and one deleted line leaves the rest of its object behind",
        unaided: None,
        searched: ("sampleData", "not the file of that name, nor what else goes with such a line"),
        calls: &[Shown {
            tool: "find_in_files",
            arguments: r#"{"pattern":"sampleData","glob":["data/*","invoice.js"]}"#,
            extent: Extent::Whole,
        }],
    },
    Scene {
        failure: 3,
        title: "one phrasing is a single point of failure",
        unaided: Some("asked once, for \"grid of prices\", and built on what came"),
        searched: ("grid of prices", "nobody here calls it so"),
        calls: &[
            Shown {
                tool: "lookup_docs",
                arguments: r#"{"query":"grid of prices"}"#,
                extent: Extent::Head(2),
            },
            Shown {
                tool: "lookup_docs",
                arguments: r#"{"queries":["grid of prices","align a column of amounts to the right"]}"#,
                extent: Extent::Head(3),
            },
        ],
    },
    Scene {
        failure: 4,
        title: "goal words are not index words",
        unaided: Some("searched for the words of its goal"),
        searched: ("repeat the heading", "a goal is no name"),
        calls: &[Shown {
            tool: "resolve_topic",
            arguments: r#"{"goal":"repeat the heading of a table on the next page","max_chars":900}"#,
            extent: Extent::Whole,
        }],
    },
    Scene {
        failure: 5,
        title: "the retrieval tool invents APIs",
        unaided: Some(
            "asked for tableCellEnd, and was given what comes nearest as if it were that",
        ),
        searched: ("tableCellEnd", "the agent's own line, which a lookup would confirm"),
        calls: &[Shown {
            tool: "lookup_docs",
            arguments: r#"{"symbol":"layout.tableCellEnd","max_chars":500}"#,
            extent: Extent::Whole,
        }],
    },
    Scene {
        failure: 6,
        title: "\"not found\" is not an answer",
        unaided: Some("wrote  layout.tableCellEnd();"),
        searched: ("tableCellEnd", "the agent's own line, and no word on whether it exists"),
        calls: &[
            Shown {
                tool: "check_symbols",
                arguments: r#"{"code":"layout.tableCellEnd();","path":"drafts/piece.js"}"#,
                extent: Extent::Whole,
            },
            Shown {
                tool: "check_symbols",
                arguments: r#"{"paths":["invoice.js","statement.js","labels","letters","lib","preview"]}"#,
                extent: Extent::Whole,
            },
        ],
    },
    Scene {
        failure: 9,
        title: "a deletion that grew the file",
        unaided: Some("was told to delete the box of the terms, and wrote the function anew"),
        searched: ("box.floating", "one line of all that set up the box"),
        calls: &[
            Shown {
                tool: "delete_construct",
                arguments: r#"{"path":"statement.js","line":30}"#,
                extent: Extent::Head(1),
            },
            Shown {
                tool: "delete_construct",
                arguments: r#"{"path":"statement.js","line":30}"#,
                extent: Extent::Applied("statement.js"),
            },
        ],
    },
];

/// No call of the tour may take longer.
const PATIENCE: Duration = Duration::from_secs(30);

/// Shows the tour on `out`.
pub fn run(wish: &TourWish, out: &mut dyn Write) -> Result<(), TourTrouble> {
    let unpacked = Unpacked::below(&wish.temp)
        .map_err(|error| TourTrouble::Unpack { place: wish.temp.clone(), error })?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(show(wish, &unpacked, out))
}

async fn show(
    wish: &TourWish,
    unpacked: &Unpacked,
    out: &mut dyn Write,
) -> Result<(), TourTrouble> {
    let server = start(wish, unpacked).await?;
    let name = server.peer_info().and_then(|info| info.server_info.clone());
    let tools = server.list_all_tools().await.map_err(trouble)?;
    let tools: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
    if let Some(name) = name {
        let tools = tools.join(", ");
        writeln!(out, "{} {} over stdio, with {tools}", name.name, name.version)?;
    }
    writeln!(out, "on {} files of the sample project for folio\n", sample::FILES.len())?;
    for scene in SCENES {
        play(scene, unpacked, &server, out).await?;
    }
    // It ends because its input does; whatever it says to that is not part of the tour.
    let _ = server.cancel().await;
    Ok(())
}

async fn start(
    wish: &TourWish,
    unpacked: &Unpacked,
) -> Result<RunningService<RoleClient, ()>, TourTrouble> {
    let mut command = tokio::process::Command::new(&wish.program);
    command.arg("--cache").arg(unpacked.cache()).arg("serve").arg("--root").arg(unpacked.project());
    let child = TokioChildProcess::new(command).map_err(trouble)?;
    within(().serve(child)).await
}

async fn play(
    scene: &Scene,
    unpacked: &Unpacked,
    server: &RunningService<RoleClient, ()>,
    out: &mut dyn Write,
) -> Result<(), TourTrouble> {
    let (searched, open) = scene.searched;
    let places = sample::places_of(searched);
    writeln!(out, "failure {} of 9: {}", scene.failure, scene.title)?;
    if let Some(unaided) = scene.unaided {
        writeln!(out, "  an agent        {unaided}")?;
    }
    match places.is_empty() {
        true => writeln!(out, "  a text search   finds nothing: {open}")?,
        false => {
            writeln!(out, "  a text search   finds it at {}: {open}", places.join(", "))?;
        }
    }
    let mut hash = String::new();
    for shown in scene.calls {
        let mut arguments: Map<String, Value> =
            serde_json::from_str(shown.arguments).map_err(trouble)?;
        let lines = |path: &str| -> io::Result<usize> {
            Ok(fs::read_to_string(unpacked.project().join(path))?.lines().count())
        };
        let mut n_before = None;
        if let Extent::Applied(path) = shown.extent {
            arguments.insert("apply".to_owned(), true.into());
            arguments.insert("hash".to_owned(), hash.as_str().into());
            n_before = Some(lines(path)?);
        }
        let said = Value::Object(arguments.clone()).to_string();
        let said = if hash.is_empty() { said } else { said.replace(&hash, short(&hash)) };
        writeln!(out, "  Groundline      {} {said}", shown.tool)?;
        let answer = text_of(&call(server, shown.tool, arguments).await?);
        let n_shown = match shown.extent {
            Extent::Head(n_lines) => n_lines,
            Extent::Whole | Extent::Applied(_) => usize::MAX,
        };
        for line in answer.lines().take(n_shown) {
            writeln!(out, "    {line}")?;
        }
        if let (Some(n_before), Extent::Applied(path)) = (n_before, shown.extent) {
            writeln!(out, "  {path} had {n_before} lines and has {}", lines(path)?)?;
        }
        let given = answer.lines().find_map(|line| line.strip_prefix("hash  "));
        hash = given.unwrap_or_default().to_owned();
    }
    writeln!(out)?;
    Ok(())
}

/// Enough of a hash to tell it from others.
fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

async fn call(
    server: &RunningService<RoleClient, ()>,
    tool: &'static str,
    arguments: Map<String, Value>,
) -> Result<CallToolResult, TourTrouble> {
    let request = CallToolRequestParams::new(tool).with_arguments(arguments);
    within(server.call_tool(request)).await
}

async fn within<T, E: std::fmt::Display>(
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, TourTrouble> {
    match tokio::time::timeout(PATIENCE, work).await {
        Ok(done) => done.map_err(trouble),
        Err(_) => Err(TourTrouble::Server(format!("no answer in {} s", PATIENCE.as_secs()))),
    }
}

fn trouble(error: impl std::fmt::Display) -> TourTrouble {
    TourTrouble::Server(error.to_string())
}

fn text_of(result: &CallToolResult) -> String {
    let texts = result.content.iter().filter_map(|block| block.as_text());
    texts.map(|text| text.text.as_str()).collect::<Vec<_>>().join("\n")
}
