//! The body of a request, read within bounds, and that of an answer, followed to its end.

use super::bounds::Bounds;
use bytes::{Bytes, BytesMut};
use http::StatusCode;
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use http_body_util::combinators::BoxBody;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::Instant;

/// What an answer's body is.
pub type Answer = BoxBody<Bytes, Infallible>;

/// What comes after a refusal is read and forgotten, so much and so long, so that the refusal arrives.
const FORGOTTEN: usize = 16 << 20;

/// See [`FORGOTTEN`].
const FORGETTING: Duration = Duration::from_secs(2);

/// Reads a body whole. The error is the status that says why not: 413 where it is too long, 408 where it is too slow, 400
/// where it breaks off.
pub async fn read<B>(body: &mut B, bounds: &Bounds) -> Result<Bytes, StatusCode>
where
    B: Body<Data = Bytes> + Unpin,
{
    if body.size_hint().lower() > bounds.max_body as u64 {
        return Err(StatusCode::PAYLOAD_TOO_LARGE);
    }
    let mut whole = BytesMut::new();
    let (mut since, mut n_before) = (Instant::now(), 0);
    loop {
        let Ok(frame) = tokio::time::timeout_at(since + bounds.body, body.frame()).await else {
            if whole.len() - n_before < bounds.body_share {
                return Err(StatusCode::REQUEST_TIMEOUT);
            }
            (since, n_before) = (Instant::now(), whole.len());
            continue;
        };
        let Some(frame) = frame else { return Ok(whole.freeze()) };
        let frame = frame.map_err(|_| StatusCode::BAD_REQUEST)?;
        if let Some(bytes) = frame.data_ref() {
            if whole.len() + bytes.len() > bounds.max_body {
                return Err(StatusCode::PAYLOAD_TOO_LARGE);
            }
            whole.extend_from_slice(bytes);
        }
    }
}

/// Reads what is left of a body, for a while, and forgets it: a client that is still sending would otherwise not hear why
/// it was refused.
pub fn forget<B>(mut body: B)
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
{
    if body.is_end_stream() {
        return;
    }
    tokio::spawn(async move {
        let until = Instant::now() + FORGETTING;
        let mut n_read = 0;
        while let Ok(Some(Ok(frame))) = tokio::time::timeout_at(until, body.frame()).await {
            n_read += frame.data_ref().map_or(0, Bytes::len);
            if n_read > FORGOTTEN {
                return;
            }
        }
    });
}

/// An answer's body that drops `kept` when it is out or not wanted any more.
pub struct Followed<K> {
    inner: Answer,
    _kept: K,
}

impl<K: Send + Sync + Unpin + 'static> Followed<K> {
    /// Follows `inner` to its end.
    pub fn to_the_end(inner: Answer, kept: K) -> Answer {
        Followed { inner, _kept: kept }.boxed()
    }
}

impl<K: Unpin> Body for Followed<K> {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Pin::new(&mut self.inner).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::Full;

    const SMALL: Bounds =
        Bounds { body: Duration::from_millis(40), body_share: 10, max_body: 100, ..Bounds::REAL };

    /// A body of pieces of `n_bytes`, one each `pause`, for ever.
    fn dribbling(n_bytes: usize, pause: Duration) -> impl Body<Data = Bytes> + Unpin {
        let (send, receive) = tokio::sync::mpsc::channel(1);
        tokio::spawn(async move {
            loop {
                let piece = Bytes::from(vec![b'x'; n_bytes]);
                if send.send(piece).await.is_err() {
                    return;
                }
                tokio::time::sleep(pause).await;
            }
        });
        Pieces(receive)
    }

    struct Pieces(tokio::sync::mpsc::Receiver<Bytes>);

    impl Body for Pieces {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            cx: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            self.0.poll_recv(cx).map(|piece| piece.map(|bytes| Ok(Frame::data(bytes))))
        }
    }

    #[tokio::test]
    async fn a_body_is_read_whole_up_to_its_limit() {
        let bytes = |n: usize| Bytes::from(vec![b'x'; n]);
        assert_eq!(read(&mut Full::new(bytes(100)), &SMALL).await.unwrap().len(), 100);
        let refused = read(&mut Full::new(bytes(101)), &SMALL).await;
        assert_eq!(refused, Err(StatusCode::PAYLOAD_TOO_LARGE));
        let mut endless = dribbling(30, Duration::ZERO);
        assert_eq!(read(&mut endless, &SMALL).await, Err(StatusCode::PAYLOAD_TOO_LARGE));
    }

    #[tokio::test]
    async fn a_body_that_dribbles_is_given_up() {
        let mut slow = dribbling(1, Duration::from_millis(10));
        let begun = Instant::now();
        assert_eq!(read(&mut slow, &SMALL).await, Err(StatusCode::REQUEST_TIMEOUT));
        assert!(begun.elapsed() < Duration::from_secs(1));
    }
}
