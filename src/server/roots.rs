//! The folders that a client of the older protocol says it works in.
//!
//! They are asked for once, when a call first needs them, and never before the handshake is answered. A client that
//! does not answer within a second has none.

use rmcp::RoleServer;
use rmcp::model::ProtocolVersion;
use rmcp::service::RequestContext;
use std::path::PathBuf;
use std::time::Duration;
use tokio::sync::Mutex;

const PATIENCE: Duration = Duration::from_secs(1);

/// What the client said, once it was asked.
#[derive(Debug, Default)]
pub struct Roots {
    known: Mutex<Option<Vec<PathBuf>>>,
}

impl Roots {
    /// The client's roots, best first; none where it has no such notion.
    pub async fn of(&self, context: &RequestContext<RoleServer>) -> Vec<PathBuf> {
        if !can_tell(context) {
            return Vec::new();
        }
        let mut known = self.known.lock().await;
        if let Some(roots) = &*known {
            return roots.clone();
        }
        let roots = ask(context).await;
        *known = Some(roots.clone());
        roots
    }

    /// They have changed: the next call asks again.
    pub async fn forget(&self) {
        *self.known.lock().await = None;
    }
}

fn can_tell(context: &RequestContext<RoleServer>) -> bool {
    let is_older = context.protocol_version().is_some_and(|v| v < ProtocolVersion::V_2026_07_28);
    is_older && context.client_capabilities().is_some_and(|c| c.roots.is_some())
}

#[expect(deprecated, reason = "roots are gone from 2026-07-28 on; older clients still have them")]
async fn ask(context: &RequestContext<RoleServer>) -> Vec<PathBuf> {
    match tokio::time::timeout(PATIENCE, context.peer.list_roots()).await {
        Ok(Ok(listed)) => listed.roots.iter().filter_map(|root| folder(&root.uri)).collect(),
        Ok(Err(_)) | Err(_) => Vec::new(),
    }
}

/// The folder that a `file:` address names on this machine.
fn folder(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = String::from_utf8(percent_decoded(path)).ok()?;
    let has_drive = path.as_bytes().get(2) == Some(&b':');
    let path = if has_drive { path.trim_start_matches('/') } else { &path };
    let path = PathBuf::from(path);
    path.is_absolute().then_some(path)
}

fn percent_decoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        match digits.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = &after[2..];
            }
            Some(_) | None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_become_folders() {
        assert_eq!(folder("file:///home/me/a%20b"), Some(PathBuf::from("/home/me/a b")));
        assert_eq!(folder("file://localhost/srv/%C3%A4"), Some(PathBuf::from("/srv/ä")));
        assert_eq!(folder("file:///100%"), Some(PathBuf::from("/100%")));
        assert_eq!(folder("https://example.org/"), None);
        assert_eq!(folder("file://elsewhere"), None);
    }
}
