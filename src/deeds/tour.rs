//! The tour: the failures that Groundline exists for, shown on the sample project through the real server.
//!
//! It starts this very program as a server and talks to it as any host does. Each failure is a row of [`SCENES`];
//! nothing is left behind, and nothing that is shown is written down beforehand but what an unaided agent does.

use super::sample::{self, Unpacked};
use rmcp::ServiceExt;
use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::TokioChildProcess;
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
    /// What an agent wrote without help.
    wrote: &'static str,
    /// The name that it would search for.
    searched: &'static str,
    calls: &'static [Shown],
}

/// A call that is made and shown.
struct Shown {
    tool: &'static str,
    arguments: &'static str,
}

const SCENES: &[Scene] = &[Scene {
    failure: 6,
    title: "\"not found\" is not an answer",
    wrote: "layout.tableCellEnd();",
    searched: "tableCellEnd",
    calls: &[
        Shown { tool: "check_symbols", arguments: r#"{"paths":["drafts/invoice-draft.js"]}"# },
        Shown {
            tool: "check_symbols",
            arguments: r#"{"paths":["catalogue.js","delivery-note.js","invoice.js","statement.js","labels","letters","lib","preview"]}"#,
        },
    ],
}];

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
        play(scene, &server, out).await?;
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
    server: &RunningService<RoleClient, ()>,
    out: &mut dyn Write,
) -> Result<(), TourTrouble> {
    let places = sample::places_of(scene.searched);
    writeln!(out, "failure {} of 9: {}", scene.failure, scene.title)?;
    writeln!(out, "  an agent wrote  {}", scene.wrote)?;
    writeln!(
        out,
        "  a text search   finds it at {}: the agent's own line, and no word on whether it exists",
        places.join(", ")
    )?;
    for shown in scene.calls {
        writeln!(out, "  Groundline      {} {}", shown.tool, shown.arguments)?;
        for line in text_of(&call(server, shown).await?).lines() {
            writeln!(out, "    {line}")?;
        }
    }
    writeln!(out)?;
    Ok(())
}

async fn call(
    server: &RunningService<RoleClient, ()>,
    shown: &Shown,
) -> Result<CallToolResult, TourTrouble> {
    let arguments = serde_json::from_str(shown.arguments).map_err(trouble)?;
    let request = CallToolRequestParams::new(shown.tool).with_arguments(arguments);
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
