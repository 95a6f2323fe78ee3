//! The file that says whose tokens are taken: TOML to a record that holds together.
//!
//! What is not known in it is refused, since a misspelt key here would open a door or close it. No key is read here.

use crate::base::{Lines, to_u32};
use crate::sources::workspace::folder::{bounded, regular};
use http::Uri;
use serde::Deserialize;
use std::io;
use std::path::{Path, PathBuf};

/// The largest file that is read.
const MAX_BYTES: u64 = 64 * 1024;

/// Under which path a resource's metadata lies (RFC 9728); the path of the resource follows.
pub const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// Why no tokens can be judged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OauthTrouble {
    /// The file cannot be read.
    #[error("{file} cannot be read ({why}): name a file that holds {form}")]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system said.
        why: String,
        /// What it should hold.
        form: &'static str,
    },
    /// It does not say what it must, or says too much.
    #[error("{file}:{line}: {what}")]
    Wrong {
        /// The file.
        file: PathBuf,
        /// From 1.
        line: u32,
        /// What is wrong, and what would be right.
        what: String,
    },
    /// The key set is not one that tokens can be judged by.
    #[error("{file}: {what}")]
    Keys {
        /// The file.
        file: PathBuf,
        /// What is wrong, and what would be right.
        what: String,
    },
}

/// Whose tokens are taken, and for what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The address of the endpoint, as clients write it.
    pub resource: String,
    /// Where the resource's metadata lies, below its origin.
    pub metadata_path: String,
    /// The address of the metadata.
    pub metadata_url: String,
    /// What a token's audience must name.
    pub audience: String,
    /// Who must have issued it.
    pub issuer: String,
    /// Where clients get tokens.
    pub authorization_servers: Vec<String>,
    /// The file with the issuer's keys.
    pub keys: PathBuf,
    /// Which scope allows what.
    pub scopes: Scopes,
}

/// Which scope allows what.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scopes {
    /// To call tools that read.
    pub read: String,
    /// To call tools that change files, and those that read.
    pub change: String,
}

impl Default for Scopes {
    fn default() -> Scopes {
        Scopes { read: "groundline:read".to_owned(), change: "groundline:change".to_owned() }
    }
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    resource: String,
    audience: Option<String>,
    issuer: String,
    authorization_servers: Option<Vec<String>>,
    keys: PathBuf,
    #[serde(default)]
    scopes: Scopes,
}

/// Reads the file at `path`.
pub fn read(path: &Path) -> Result<Settings, OauthTrouble> {
    let refused = |why: io::Error| OauthTrouble::Unreadable {
        file: path.to_path_buf(),
        why: why.to_string(),
        form: "resource, issuer and keys as TOML",
    };
    let bytes = regular(path).and_then(|file| bounded(file, MAX_BYTES)).map_err(refused)?;
    let text = String::from_utf8_lossy(&bytes);
    let wrong = |line, what| OauthTrouble::Wrong { file: path.to_path_buf(), line, what };
    let written: Written = toml::from_str(&text).map_err(|why| {
        let at = why.span().unwrap_or_default().start;
        wrong(Lines::of(&text).line(to_u32(at)), why.message().trim().replace('\n', ", "))
    })?;
    settled(written, path.parent().unwrap_or(Path::new(""))).map_err(|(key, what)| {
        let line = text.lines().position(|line| line.trim_start().starts_with(key));
        wrong(to_u32(line.unwrap_or(0) + 1), format!("{key} {what}"))
    })
}

/// What was written, if it holds together; else the key that does not, and why.
fn settled(written: Written, folder: &Path) -> Result<Settings, (&'static str, String)> {
    let resource = address(&written.resource).map_err(|what| ("resource", what))?;
    address(&written.issuer).map_err(|what| ("issuer", what))?;
    let servers = written.authorization_servers.unwrap_or(vec![written.issuer.clone()]);
    for server in &servers {
        address(server).map_err(|what| ("authorization_servers", what))?;
    }
    if servers.is_empty() {
        let what = "must name at least one server, or be left out: the issuer is one".to_owned();
        return Err(("authorization_servers", what));
    }
    let audience = written.audience.unwrap_or_else(|| written.resource.clone());
    if audience.trim().is_empty() {
        return Err(("audience", "must not be empty: leave it out, or name one".to_owned()));
    }
    let Scopes { read, change } = &written.scopes;
    for (key, scope) in [("read", read), ("change", change)] {
        if scope.is_empty() || !scope.bytes().all(is_of_scope) {
            return Err((key, "must be one scope, as in \"groundline:read\"".to_owned()));
        }
    }
    if read == change {
        return Err(("change", "must be another scope than read".to_owned()));
    }
    let metadata_path = format!("{WELL_KNOWN}{}", resource.path.trim_end_matches('/'));
    Ok(Settings {
        metadata_url: format!("{}{metadata_path}", resource.origin),
        metadata_path,
        resource: written.resource,
        audience,
        issuer: written.issuer,
        authorization_servers: servers,
        keys: folder.join(written.keys),
        scopes: written.scopes,
    })
}

/// An address in its parts.
struct Address {
    origin: String,
    path: String,
}

/// An address that tokens may travel to and that a header may quote as it is.
fn address(text: &str) -> Result<Address, String> {
    let form = || {
        "must be an address such as \"https://tools.example.org/mcp\", without query, fragment or user"
            .to_owned()
    };
    let quotable = text.bytes().all(|b| b.is_ascii_graphic() && !br##"#"\<>"##.contains(&b));
    let uri = text.parse::<Uri>().ok().filter(|uri| quotable && uri.query().is_none());
    let uri = uri.ok_or_else(form)?;
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
        return Err(form());
    };
    if authority.as_str().contains('@') || authority.host().is_empty() {
        return Err(form());
    }
    let is_near = ["localhost", "127.0.0.1", "[::1]"].contains(&authority.host());
    match scheme {
        "https" => {}
        "http" if is_near => {}
        _ => return Err("must begin with https:// (http:// only on this machine)".to_owned()),
    }
    let path = uri.path().to_owned();
    Ok(Address { origin: format!("{scheme}://{authority}"), path })
}

/// Whether RFC 6749 allows this in a scope.
fn is_of_scope(byte: u8) -> bool {
    byte.is_ascii_graphic() && byte != b'"' && byte != b'\\'
}
