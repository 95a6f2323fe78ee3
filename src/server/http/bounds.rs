//! What a client may take of time and room.

use std::time::Duration;

/// What a client may take of time and room.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// The head of a request must have arrived so long after its first byte.
    pub head: Duration,
    /// A connection over which nothing is asked is closed after this.
    pub idle: Duration,
    /// A client that reads nothing of its answer for so long is left.
    pub reader: Duration,
    /// In each such stretch of time a body must bring [`Bounds::body_share`] bytes, or its end.
    pub body: Duration,
    /// See [`Bounds::body`].
    pub body_share: usize,
    /// Bytes of a body.
    pub max_body: usize,
    /// Bytes of a request's address.
    pub max_uri: usize,
    /// Bytes of a request's head, address included.
    pub max_head: usize,
    /// Connections that are served at once; a few more are told that there are too many.
    pub n_connections: usize,
    /// After the order to end, calls in flight may go on for so long.
    pub last_calls: Duration,
    /// After that, what they have to say may take so long.
    pub last_words: Duration,
}

impl Bounds {
    /// What holds in earnest.
    pub const REAL: Bounds = Bounds {
        head: Duration::from_secs(10),
        idle: Duration::from_secs(60),
        reader: Duration::from_secs(30),
        body: Duration::from_secs(10),
        body_share: 10 << 10,
        max_body: 4 << 20,
        max_uri: 8 << 10,
        max_head: 64 << 10,
        n_connections: 512,
        last_calls: Duration::from_secs(10),
        last_words: Duration::from_secs(1),
    };
}
