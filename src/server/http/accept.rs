//! Connections: how many there may be, how each is held, and how all of them end.

use super::body::Answer;
use super::door::{Door, Room, Visit};
use super::stream::{Pace, Timed};
use http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rmcp::ServerHandler;
use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// So many connections more than are served are told that there are too many; what comes beyond them is closed.
const N_TOLD: usize = 64;

/// After the system refused a connection (no file descriptors are left), the next try waits.
const BREATH: Duration = Duration::from_millis(50);

/// When nothing is in flight any more, connections may end by themselves for so long.
const FAREWELL: Duration = Duration::from_millis(300);

/// The requests that are being answered.
#[derive(Default)]
struct InFlight {
    n: AtomicUsize,
    fewer: Notify,
}

/// A request that is being answered, until its answer is out.
struct Flight(Arc<InFlight>);

impl Flight {
    fn begin(all: &Arc<InFlight>) -> Flight {
        all.n.fetch_add(1, Ordering::SeqCst);
        Flight(Arc::clone(all))
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.0.n.fetch_sub(1, Ordering::SeqCst);
        self.0.fewer.notify_waiters();
    }
}

impl InFlight {
    async fn none_left(&self) {
        loop {
            let fewer = self.fewer.notified();
            if self.n.load(Ordering::SeqCst) == 0 {
                return;
            }
            fewer.await;
        }
    }
}

/// Answers at `door` whoever comes to `listener`, until `told_to_end` is done.
///
/// Then nobody is let in any more, and calls in flight may finish; whoever is still at work after
/// [`Bounds::last_calls`](super::bounds::Bounds) is told to stop by `closing`, and soon after that all is over.
pub async fn run<H: ServerHandler + Send + 'static>(
    listener: TcpListener,
    door: Arc<Door<H>>,
    closing: CancellationToken,
    told_to_end: impl Future<Output = ()>,
) {
    let in_flight = Arc::new(InFlight::default());
    let ending = CancellationToken::new();
    let mut connections = JoinSet::new();
    let mut n_accepted = 0;
    tokio::pin!(told_to_end);
    loop {
        let accepted = tokio::select! {
            () = &mut told_to_end => break,
            _ = connections.join_next(), if !connections.is_empty() => continue,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, peer)) = accepted else {
            tokio::time::sleep(BREATH).await;
            continue;
        };
        let n_served = door.bounds().n_connections;
        if connections.len() >= n_served + N_TOLD {
            continue;
        }
        let room = if connections.len() < n_served { Room::Enough } else { Room::None };
        n_accepted += 1;
        let held = hold(
            stream,
            (peer.ip().to_canonical(), n_accepted, room),
            Arc::clone(&door),
            Arc::clone(&in_flight),
            ending.clone(),
        );
        connections.spawn(held);
    }
    drop(listener);
    ending.cancel();
    let bounds = *door.bounds();
    if tokio::time::timeout(bounds.last_calls, in_flight.none_left()).await.is_err() {
        closing.cancel();
        let _ = tokio::time::timeout(bounds.last_words, in_flight.none_left()).await;
    }
    let farewell = async { while connections.join_next().await.is_some() {} };
    let _ = tokio::time::timeout(FAREWELL, farewell).await;
    connections.abort_all();
}

/// Holds one connection to its end. `ending` lets it finish what it is answering.
async fn hold<H: ServerHandler + Send + 'static>(
    stream: TcpStream,
    (peer, connection, room): (IpAddr, u64, Room),
    door: Arc<Door<H>>,
    in_flight: Arc<InFlight>,
    ending: CancellationToken,
) {
    // Answers are small, and are not held back for more.
    let _ = stream.set_nodelay(true);
    let metrics = Arc::clone(door.desk().metrics());
    metrics.connected();
    let bounds = *door.bounds();
    let pace = Pace::new();
    let stream = TokioIo::new(Timed::new(stream, pace.clone(), bounds));
    let answering = service_fn(|request: Request<Incoming>| {
        let visit = Visit { peer, connection, pace: pace.clone(), room };
        let (door, flight) = (Arc::clone(&door), Flight::begin(&in_flight));
        async move {
            Ok::<http::Response<Answer>, Infallible>(door.answer(request, visit, flight).await)
        }
    });
    let held = http1::Builder::new()
        .max_buf_size(bounds.max_head)
        .max_header_size(bounds.max_head)
        .serve_connection(stream, answering);
    tokio::pin!(held);
    // Whatever goes wrong on a connection concerns that one only.
    tokio::select! {
        _ = held.as_mut() => {}
        () = ending.cancelled() => {
            held.as_mut().graceful_shutdown();
            let _ = held.await;
        }
    }
    metrics.disconnected();
}
