//! How `serve` is asked to speak: over its standard streams, or at a door of its own.

use crate::server::http::Front;
use clap::Args;
use std::path::{Path, PathBuf};

/// A door that is asked for.
#[derive(Debug)]
pub struct HttpOrder {
    /// Where to listen, as it was written.
    pub address: String,
    /// Who is let in.
    pub entry: Entry,
    /// More names under which the server may be asked for.
    pub hosts: Vec<String>,
    /// Pages that may ask, by their origins.
    pub origins: Vec<String>,
    /// What stands between the door and other machines.
    pub front: Front,
}

/// Who is let in at a door.
#[derive(Debug)]
pub enum Entry {
    /// Everybody of this machine.
    Everybody,
    /// Who knows the token in this file; none is the usual place.
    Token(Option<PathBuf>),
    /// Who shows a token of the issuer that this file describes.
    Issuer(PathBuf),
}

#[derive(Args)]
pub(super) struct ServeOrder {
    /// A project's folder; over HTTP several may be given, and a call may name one of them [default: found from where
    /// you are]
    #[arg(long, value_name = "DIR")]
    root: Vec<PathBuf>,
    /// Read files outside the root that the project's groundline.toml names
    #[arg(long)]
    pub(super) allow_outside: bool,
    /// Speak streamable HTTP at /mcp of this address instead, such as 127.0.0.1:8765; port 0 takes a free one
    #[arg(long, value_name = "ADDR")]
    http: Option<String>,
    /// The file with the token that clients must show, made on first use [default: token in the state folder]
    #[arg(long, value_name = "FILE", requires = "http")]
    token_file: Option<PathBuf>,
    /// Ask for no token; on this machine's own addresses only
    #[arg(long, requires = "http", conflicts_with = "token_file")]
    no_token: bool,
    /// Take the tokens of an authorization server, as this TOML file describes it
    #[arg(long, value_name = "FILE", requires = "http", conflicts_with_all = ["token_file", "no_token"])]
    oauth: Option<PathBuf>,
    /// A host name under which clients ask for the server; may be given several times
    #[arg(long, value_name = "HOST", requires = "http")]
    allow_host: Vec<String>,
    /// An origin whose pages may ask, such as https://app.example.org; may be given several times
    #[arg(long, value_name = "ORIGIN", requires = "http")]
    allow_origin: Vec<String>,
    /// A proxy in front speaks TLS; needed where other machines reach the address
    #[arg(long, requires = "http")]
    behind_tls_proxy: bool,
}

impl ServeOrder {
    /// The roots as they were written, and the door.
    pub(super) fn read(self, here: &Path) -> (Vec<PathBuf>, Option<HttpOrder>) {
        let ServeOrder { token_file, no_token, oauth, allow_host, allow_origin, .. } = self;
        let entry = match (no_token, oauth) {
            (_, Some(file)) => Entry::Issuer(here.join(file)),
            (true, None) => Entry::Everybody,
            (false, None) => Entry::Token(token_file.map(|file| here.join(file))),
        };
        let order = self.http.map(|address| HttpOrder {
            address,
            entry,
            hosts: allow_host,
            origins: allow_origin,
            front: if self.behind_tls_proxy { Front::Tls } else { Front::None },
        });
        (self.root.iter().map(|root| here.join(root)).collect(), order)
    }
}
