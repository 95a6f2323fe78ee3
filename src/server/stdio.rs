//! The conversation over standard input and output, as hosts start it.
//!
//! Standard output carries messages and nothing else; whatever ends, the process can end within a second.

use super::conversation::{ConversationTrouble, converse};
use super::desk::Limits;
use super::handler::AskRoots;
use super::wire::Ends;
use crate::deeds::signals::signalled;
use crate::session::{Session, Settings};
use std::sync::Arc;

/// Why serving came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum ServeTrouble {
    /// The system gives no threads or no event queue.
    #[error("the server could not start: {0}")]
    Start(#[from] std::io::Error),
    /// The conversation failed.
    #[error(transparent)]
    Conversation(#[from] ConversationTrouble),
}

/// Deep code is walked by recursion; address space costs nothing.
const STACK: usize = 16 << 20;

/// Serves standard input and output until either ends, or a signal says so.
///
/// Work that did not stop in time may be left on its thread: the process should end after this.
pub fn serve(settings: Settings) -> Result<(), ServeTrouble> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_stack_size(STACK)
        .enable_all()
        .build()?;
    let ended = runtime.block_on(async {
        let ask_roots = match (&settings.root, &settings.project) {
            (None, None) => AskRoots::Once,
            (Some(_), _) | (None, Some(_)) => AskRoots::Never,
        };
        let ends = Ends::default();
        let output = ends.output.clone();
        tokio::spawn(async move {
            output_breaks().await;
            output.cancel();
        });
        let streams = rmcp::transport::stdio_pipes();
        let session = Arc::new(Session::new(settings));
        converse(session, ask_roots, Limits::REAL, streams, ends, signalled()).await
    });
    // A read of standard input that blocks, or work that has not noticed yet, is not waited for.
    runtime.shutdown_background();
    Ok(ended?)
}

/// Is done when nobody can read standard output any more, even while nothing is written.
#[cfg(target_os = "linux")]
async fn output_breaks() {
    use tokio::io::Interest;
    use tokio::net::unix::pipe;
    let Ok(output) = pipe::OpenOptions::new().open_sender("/proc/self/fd/1") else {
        // No pipe: it shows when something is written.
        return std::future::pending().await;
    };
    while let Ok(ready) = output.ready(Interest::ERROR).await {
        if ready.is_error() || ready.is_write_closed() {
            return;
        }
    }
}

#[cfg(not(target_os = "linux"))]
async fn output_breaks() {
    std::future::pending().await
}
