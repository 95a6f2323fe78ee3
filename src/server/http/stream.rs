//! A connection's bytes against the clock: a head that does not end, a reader that does not read and a connection that
//! nobody uses are closed.
//!
//! On the way the head of each request is looked at for what the library settles in silence: two ways to say how long the
//! body is.

use super::bounds::Bounds;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

/// So much of a head is looked at; a longer one is refused elsewhere.
const MAX_HEAD: usize = 64 << 10;

/// What a connection is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing is asked.
    Idle,
    /// The head of a request arrives.
    Head,
    /// A request is answered.
    Serving,
}

/// What a connection is doing, since when, and how the head that arrived last gives its body's length.
#[derive(Debug)]
struct State {
    stage: Stage,
    since: Instant,
    head: Vec<u8>,
}

/// How a head says how long the body is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lengths {
    /// In one way or none.
    Sound,
    /// In two ways at once, which different readers understand differently (RFC 9112, section 6.1).
    Doubled,
}

/// What the reader of a connection and the server of its requests share.
#[derive(Debug, Clone)]
pub struct Pace(Arc<Mutex<State>>);

impl Pace {
    /// Of a connection that was just opened.
    pub fn new() -> Pace {
        let (stage, since) = (Stage::Idle, Instant::now());
        Pace(Arc::new(Mutex::new(State { stage, since, head: Vec::new() })))
    }

    /// A request's head is read whole; says how it gives the body's length.
    pub fn serving(&self) -> Lengths {
        let mut state = self.locked();
        state.enter(Stage::Serving);
        lengths(&std::mem::take(&mut state.head))
    }

    /// The answer is out.
    pub fn idle(&self) {
        self.locked().enter(Stage::Idle);
    }

    /// Notes what arrived.
    fn heard(&self, bytes: &[u8]) {
        let mut state = self.locked();
        if bytes.is_empty() || state.stage == Stage::Serving {
            return;
        }
        if state.stage == Stage::Idle {
            state.enter(Stage::Head);
            state.head.clear();
        }
        let room = MAX_HEAD.saturating_sub(state.head.len());
        state.head.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    /// When what is going on must be over; none where it may go on.
    fn deadline(&self, bounds: &Bounds) -> Option<Instant> {
        let state = self.locked();
        match state.stage {
            Stage::Idle => Some(state.since + bounds.idle),
            Stage::Head => Some(state.since + bounds.head),
            Stage::Serving => None,
        }
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn enter(&mut self, stage: Stage) {
        self.stage = stage;
        self.since = Instant::now();
    }
}

fn lengths(head: &[u8]) -> Lengths {
    let named = |line: &[u8], name: &str| {
        line.split(|b| *b == b':').next().is_some_and(|n| n.eq_ignore_ascii_case(name.as_bytes()))
    };
    let (mut counted, mut chunked) = (false, false);
    for line in head.split(|b| *b == b'\n').skip(1) {
        if line.is_empty() || line == b"\r" {
            break;
        }
        counted |= named(line, "content-length");
        chunked |= named(line, "transfer-encoding");
    }
    if counted && chunked { Lengths::Doubled } else { Lengths::Sound }
}

/// A stream that errs when its time is up.
pub struct Timed<S> {
    inner: S,
    pace: Pace,
    bounds: Bounds,
    reading: Pin<Box<Sleep>>,
    writing: Option<Pin<Box<Sleep>>>,
}

impl<S> Timed<S> {
    /// Holds `inner` against the clock.
    pub fn new(inner: S, pace: Pace, bounds: Bounds) -> Timed<S> {
        let reading = Box::pin(tokio::time::sleep(bounds.idle));
        Timed { inner, pace, bounds, reading, writing: None }
    }

    /// After each try to write: a try that waits has so long until the next that does not.
    fn written<T>(
        &mut self,
        tried: Poll<io::Result<T>>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if tried.is_ready() {
            self.writing = None;
            return tried;
        }
        let reader = self.bounds.reader;
        let writing = self.writing.get_or_insert_with(|| Box::pin(tokio::time::sleep(reader)));
        match writing.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Timed<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let before = buffer.filled().len();
        let read = Pin::new(&mut this.inner).poll_read(cx, buffer);
        if let Poll::Ready(done) = read {
            this.pace.heard(&buffer.filled()[before..]);
            return Poll::Ready(done);
        }
        let Some(deadline) = this.pace.deadline(&this.bounds) else { return Poll::Pending };
        this.reading.as_mut().reset(deadline);
        match this.reading.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Timed<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let tried = Pin::new(&mut self.inner).poll_write(cx, bytes);
        self.written(tried, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let tried = Pin::new(&mut self.inner).poll_write_vectored(cx, bytes);
        self.written(tried, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let tried = Pin::new(&mut self.inner).poll_flush(cx);
        self.written(tried, cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let tried = Pin::new(&mut self.inner).poll_shutdown(cx);
        self.written(tried, cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_lengths_are_seen_in_any_case_and_only_in_the_head() {
        for (head, expected) in [
            (
                "POST / HTTP/1.1\r\nContent-Length: 3\r\ntransfer-ENCODING: chunked\r\n\r\n",
                Lengths::Doubled,
            ),
            (
                "POST / HTTP/1.1\nTransfer-Encoding: chunked\nContent-Length: 3\n\n",
                Lengths::Doubled,
            ),
            ("POST / HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\n", Lengths::Sound),
            (
                "POST / HTTP/1.1\r\nContent-Length: 40\r\n\r\nTransfer-Encoding: chunked\r\n",
                Lengths::Sound,
            ),
            (
                "POST / HTTP/1.1\r\nX-Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
                Lengths::Sound,
            ),
        ] {
            assert_eq!(lengths(head.as_bytes()), expected, "{head}");
        }
    }

    #[test]
    fn a_head_that_comes_in_pieces_is_seen_whole() {
        let pace = Pace::new();
        pace.heard(b"POST / HTTP/1.1\r\nContent-Len");
        pace.heard(b"gth: 3\r\nTransfer-Encoding: chunked\r\n\r\n");
        assert_eq!(pace.serving(), Lengths::Doubled);
        pace.idle();
        pace.heard(b"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\n");
        assert_eq!(pace.serving(), Lengths::Sound);
    }
}
