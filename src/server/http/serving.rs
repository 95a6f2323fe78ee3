//! From what was asked for on the command line to a server that listens, and to its end.

use super::accept;
use super::bounds::Bounds;
use super::door::{Door, Sessions};
use super::guard::{Guard, Keys};
use super::names::{self, Names};
use crate::base::{Progress, Stop};
use crate::deeds::signals::signalled;
use crate::server::desk::{Asks, Desk, Limits};
use crate::server::handler::{AskRoots, Handler};
use crate::session::{Call, Reply, Session, Settings};
use rmcp::ServerHandler;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// How the door is to be opened.
pub struct HttpWish {
    /// Where to listen: `127.0.0.1:8765`, `localhost:8765`, `8765`; port 0 takes a free one.
    pub address: String,
    /// Who is let in.
    pub keys: Keys,
    /// More names under which the server may be asked for.
    pub hosts: Vec<String>,
    /// Pages that may ask, by their origins.
    pub origins: Vec<String>,
    /// What stands between the door and other machines.
    pub front: Front,
}

/// What stands between the door and other machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Front {
    /// Nothing: only this machine may reach it.
    None,
    /// A proxy that speaks TLS with them.
    Tls,
}

/// A door that was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    /// Where it listens.
    pub address: SocketAddr,
    /// The endpoint, as a client of this machine names it.
    pub url: String,
}

/// Why the door could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum HttpTrouble {
    /// The address is none.
    #[error("`{0}` is no address to listen at: give one such as 127.0.0.1:8765")]
    Address(String),
    /// Somebody listens there already.
    #[error("{0} is in use: is Groundline running there already? stop it, or give another port")]
    InUse(SocketAddr),
    /// The system refused.
    #[error("{0} cannot be listened at: {1}")]
    Listen(SocketAddr, io::Error),
    /// Other machines would reach the door without a token or without TLS.
    #[error(
        "{0} can be reached by other machines: that takes a token (no --no-token), and --behind-tls-proxy to say that a \
         proxy in front speaks TLS; or listen at 127.0.0.1"
    )]
    Exposed(SocketAddr),
    /// No request could name the server.
    #[error(
        "{0} has no name of its own: say with --allow-host under which names clients ask for it"
    )]
    Nameless(SocketAddr),
    /// A host or an origin is none.
    #[error("{0}")]
    Name(String),
    /// The system gives no threads or no event queue.
    #[error("the server could not start: {0}")]
    Start(io::Error),
}

/// Deep code is walked by recursion; address space costs nothing.
const STACK: usize = 16 << 20;

/// Serves the tools over HTTP until a signal says so. `opened` hears where.
pub fn serve(
    settings: Settings,
    wish: HttpWish,
    opened: impl FnOnce(&Opened),
) -> Result<(), HttpTrouble> {
    let closing = CancellationToken::new();
    let asks: Arc<dyn Asks> = Arc::new(Session::new(settings));
    let desk = Arc::new(Desk::new(asks, Limits::REAL, closing.clone()));
    let handler = {
        let desk = Arc::clone(&desk);
        // A root is never asked of who comes over the network; it was given when the server was started.
        move || Handler::new(Arc::clone(&desk), AskRoots::Never)
    };
    open(wish, (desk, closing), Sessions::None, handler, opened)
}

/// Serves any handler through the same door: what stands between a client and the protocol is what it is for
/// [`serve`].
pub fn serve_handler<H: ServerHandler + Send + 'static>(
    wish: HttpWish,
    sessions: Sessions,
    handler: impl Fn() -> H + Send + Sync + 'static,
    opened: impl FnOnce(&Opened),
) -> Result<(), HttpTrouble> {
    let closing = CancellationToken::new();
    let desk = Arc::new(Desk::new(Arc::new(Nobody), Limits::REAL, closing.clone()));
    open(wish, (desk, closing), sessions, handler, opened)
}

/// Where no call is put to a session.
struct Nobody;

impl Asks for Nobody {
    fn ask(&self, call: &Call, _: &Stop, _: &dyn Progress) -> Reply {
        Reply::failed(&format!("nobody answers {} here", call.tool))
    }
}

/// `closing` tells those who work at `desk` to stop.
fn open<H: ServerHandler + Send + 'static>(
    wish: HttpWish,
    (desk, closing): (Arc<Desk>, CancellationToken),
    sessions: Sessions,
    handler: impl Fn() -> H + Send + Sync + 'static,
    opened: impl FnOnce(&Opened),
) -> Result<(), HttpTrouble> {
    let asked = address(&wish.address)?;
    let is_exposed = !names::is_own(asked.ip());
    if is_exposed && (matches!(wish.keys, Keys::None) || wish.front == Front::None) {
        return Err(HttpTrouble::Exposed(asked));
    }
    if asked.ip().is_unspecified() && wish.hosts.is_empty() {
        return Err(HttpTrouble::Nameless(asked));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(4)
        .thread_stack_size(STACK)
        .enable_all()
        .build()
        .map_err(HttpTrouble::Start)?;
    let done = runtime.block_on(async {
        let listener = TcpListener::bind(asked).await.map_err(|why| match why.kind() {
            io::ErrorKind::AddrInUse => HttpTrouble::InUse(asked),
            _ => HttpTrouble::Listen(asked, why),
        })?;
        let address = listener.local_addr().map_err(|why| HttpTrouble::Listen(asked, why))?;
        let names = Names::new(address, &wish.hosts, &wish.origins).map_err(HttpTrouble::Name)?;
        let guard = Guard::new(wish.keys);
        let door = Door::new(names, guard, Bounds::REAL, desk, sessions, handler);
        // Whoever hears that it is open may ask it to end at once.
        let told_to_end = signalled();
        opened(&Opened { address, url: format!("http://{address}/mcp") });
        accept::run(listener, Arc::new(door), closing, told_to_end).await;
        Ok(())
    });
    // Work that has not noticed yet is not waited for.
    runtime.shutdown_background();
    done
}

fn address(text: &str) -> Result<SocketAddr, HttpTrouble> {
    let trouble = || HttpTrouble::Address(text.to_owned());
    let whole = match text.parse::<u16>() {
        Ok(port) => format!("127.0.0.1:{port}"),
        Err(_) => {
            text.strip_prefix(':').map_or(text.to_owned(), |port| format!("127.0.0.1:{port}"))
        }
    };
    // Only an address or this machine's own name: a name that others give is not asked for.
    match whole.strip_prefix("localhost:") {
        Some(port) => {
            let port = port.parse::<u16>().map_err(|_| trouble())?;
            let mut found = ("127.0.0.1", port).to_socket_addrs().map_err(|_| trouble())?;
            found.next().ok_or_else(trouble)
        }
        None => whole.parse().map_err(|_| trouble()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_in_its_usual_forms() {
        for (text, read) in [
            ("127.0.0.1:8765", "127.0.0.1:8765"),
            ("localhost:8765", "127.0.0.1:8765"),
            ("8765", "127.0.0.1:8765"),
            (":8765", "127.0.0.1:8765"),
            ("[::1]:1", "[::1]:1"),
            ("0.0.0.0:0", "0.0.0.0:0"),
        ] {
            assert_eq!(address(text).unwrap().to_string(), read, "{text}");
        }
        for odd in [
            "",
            "example.org:80",
            "127.0.0.1",
            "localhost",
            "localhost:99999",
            "http://127.0.0.1:1",
        ] {
            assert!(address(odd).unwrap_err().to_string().contains("127.0.0.1:8765"), "{odd}");
        }
    }
}
