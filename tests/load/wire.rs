//! One connection to the server: requests as bytes, responses as status and body. It blocks, and costs little.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A response.
pub struct Said {
    /// Its status.
    pub status: u16,
    /// Whether it says when to ask again.
    pub says_when: bool,
    /// Its body; that of a stream of messages with everything around the last one left out.
    pub body: Vec<u8>,
}

/// A connection that is kept.
pub struct Wire {
    address: SocketAddr,
    stream: TcpStream,
    read: Vec<u8>,
}

const PATIENCE: Duration = Duration::from_secs(60);

impl Wire {
    /// Opens one.
    pub fn open(address: SocketAddr) -> io::Result<Wire> {
        Ok(Wire { address, stream: connect(address)?, read: Vec::with_capacity(32 << 10) })
    }

    /// Sends one request and hears its response. A connection that the server closed after the last one is opened again.
    pub fn ask(&mut self, request: &[u8]) -> io::Result<Said> {
        self.stream.write_all(request)?;
        let said = self.hear()?;
        if said.closes {
            self.stream = connect(self.address)?;
            self.read.clear();
        }
        Ok(said.said)
    }

    fn hear(&mut self) -> io::Result<Heard> {
        let end = loop {
            if let Some(at) = find(&self.read, b"\r\n\r\n") {
                break at;
            }
            self.more()?;
        };
        let head = String::from_utf8_lossy(&self.read[..end]).to_ascii_lowercase();
        self.read.drain(..end + 4);
        let mut lines = head.split("\r\n");
        let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok());
        let (mut length, mut says_when, mut closes) = (None, false, false);
        for line in lines {
            let Some((name, value)) = line.split_once(": ") else { continue };
            match name {
                "content-length" => length = value.parse().ok(),
                "retry-after" => says_when = true,
                "connection" => closes = value == "close",
                _ => {}
            }
        }
        let odd = || io::Error::new(io::ErrorKind::InvalidData, head.clone());
        let length: usize = length.ok_or_else(odd)?;
        while self.read.len() < length {
            self.more()?;
        }
        let body = self.read.drain(..length).collect();
        let said = Said { status: status.ok_or_else(odd)?, says_when, body };
        Ok(Heard { said, closes })
    }

    fn more(&mut self) -> io::Result<()> {
        let mut buffer = [0; 16 << 10];
        match self.stream.read(&mut buffer)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            n_bytes => {
                self.read.extend_from_slice(&buffer[..n_bytes]);
                Ok(())
            }
        }
    }
}

struct Heard {
    said: Said,
    closes: bool,
}

fn connect(address: SocketAddr) -> io::Result<TcpStream> {
    let stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    Ok(stream)
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}
