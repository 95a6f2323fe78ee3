//! One conversation over two streams, from the first byte to the end.
//!
//! It ends soon after its input ends, at once when its output breaks or when told to, and never because of anything
//! that is said in it.

use super::desk::{Asks, Desk, Limits};
use super::handler::{AskRoots, Handler};
use super::wire::{Ends, Wire};
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

/// What is already said may still be written for so long.
const LAST_WORDS: Duration = Duration::from_millis(250);

/// Why a conversation could not be held.
#[derive(Debug, thiserror::Error)]
#[error("the conversation could not be opened: {0}")]
pub struct ConversationTrouble(String);

/// Serves one client, until its input ends, its output breaks (`ends` says so too) or `told_to_end` is done.
pub async fn converse(
    asks: Arc<dyn Asks>,
    ask_roots: AskRoots,
    limits: Limits,
    streams: (impl AsyncRead + Send + Unpin + 'static, impl AsyncWrite + Send + Unpin + 'static),
    ends: Ends,
    told_to_end: impl Future<Output = ()>,
) -> Result<(), ConversationTrouble> {
    let closing = CancellationToken::new();
    let handler = Handler::new(Arc::new(Desk::new(asks, limits, closing.clone())), ask_roots);
    let wire = Wire::new(streams.0, streams.1, ends.clone());
    let mut talk = tokio::spawn(hold(handler, wire, closing.clone()));
    tokio::select! {
        done = &mut talk => return done.unwrap_or(Ok(())),
        () = ends.output.cancelled() => {}
        () = told_to_end => {}
        () = after(&ends.input, limits.grace) => {}
    }
    // Whoever works is told to stop; the answers that are there go out, as far as anybody reads them.
    closing.cancel();
    let _ = tokio::time::timeout(LAST_WORDS, &mut talk).await;
    talk.abort();
    Ok(())
}

async fn hold<R: AsyncRead + Send + Unpin + 'static>(
    handler: Handler,
    wire: Wire<R>,
    closing: CancellationToken,
) -> Result<(), ConversationTrouble> {
    match handler.serve_with_ct(wire, closing).await {
        Ok(running) => {
            // How the SDK says that it ended makes no difference to us.
            let _ = running.waiting().await;
            Ok(())
        }
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {
            Ok(())
        }
        Err(ServerInitializeError::TransportError { .. }) => Ok(()),
        Err(other) => Err(ConversationTrouble(other.to_string())),
    }
}

async fn after(event: &CancellationToken, delay: Duration) {
    event.cancelled().await;
    tokio::time::sleep(delay).await;
}

#[cfg(test)]
mod tests;
