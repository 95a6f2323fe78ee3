//! Opening a file by a path that somebody else wrote.
//!
//! Nothing is decoded or expanded; a path that leaves the root, by `..` or by a link, is refused, and so is what is no
//! regular file: a device or a pipe never answers. What was judged is opened through no link, so that exchanging a folder
//! for one in between gains nothing.

use super::folder::regular_without_links;
pub use super::paths::slashed;
use super::text::{self, Text};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::time::UNIX_EPOCH;
use thiserror::Error;

/// The largest file that is read as text, in bytes.
pub const MAX_TEXT: u64 = 4 * 1024 * 1024;

/// How far paths in a configuration and in packages may reach.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Reach {
    /// The root and the repository around it.
    #[default]
    Repository,
    /// Anywhere, since the user allowed it.
    Anywhere,
}

/// Why a file was not opened.
#[derive(Debug, Error)]
pub enum OpenTrouble {
    /// The path leaves the root.
    #[error("{0} is outside the root: name a file inside it")]
    Outside(String),
    /// The path cannot name a file.
    #[error("{0} is not a path of a file")]
    NoPath(String),
    /// Nothing is there.
    #[error("{0} does not exist")]
    Missing(String),
    /// It is a folder, a device, a pipe or a socket.
    #[error("{path} is {what}, not a file")]
    NotAFile {
        /// The path as it was given.
        path: String,
        /// What it is.
        what: &'static str,
    },
    /// It is larger than what is read.
    #[error("{path} has {bytes} bytes, more than the {MAX_TEXT} that are read")]
    TooLarge {
        /// The path as it was given.
        path: String,
        /// Its size.
        bytes: u64,
    },
    /// It is no text.
    #[error("{0} is binary")]
    Binary(String),
    /// Its name or its beginning says that it holds a secret.
    #[error("{0} looks like a secret and is never read")]
    Secret(String),
    /// It became another file while it was opened.
    #[error("{0} was exchanged while it was opened: try again")]
    Exchanged(String),
    /// The system refused.
    #[error("{path} cannot be read: {why}")]
    Refused {
        /// The path as it was given.
        path: String,
        /// What the system said.
        why: io::Error,
    },
}

/// A project's files under their root.
#[derive(Debug, Clone)]
pub struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// The files under `root`, which [`root`](super::root::root) gave.
    pub fn new(root: PathBuf) -> Workspace {
        Workspace { root }
    }

    /// The root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The real path of `path` (relative to the root, or absolute inside it), links followed, if it lies inside.
    pub fn resolve(&self, path: &str) -> Result<PathBuf, OpenTrouble> {
        if path.is_empty() || path.contains('\0') {
            return Err(OpenTrouble::NoPath(path.escape_debug().to_string()));
        }
        let outside = || OpenTrouble::Outside(path.to_string());
        let given = Path::new(path);
        if given.components().any(|c| c == Component::ParentDir) {
            return Err(outside());
        }
        // An absolute path is told from its text alone, so that nothing is learnt about what lies outside.
        if given.has_root() && !given.starts_with(&self.root) {
            return Err(outside());
        }
        let real = self.root.join(given).canonicalize().map_err(|why| refused(path, why))?;
        if !real.starts_with(&self.root) {
            return Err(outside());
        }
        Ok(real)
    }

    /// Opens `path` for reading.
    pub fn open(&self, path: &str) -> Result<File, OpenTrouble> {
        open_judged(&self.resolve(path)?, path)
    }

    /// The bytes of `path`, if they are not too many.
    pub fn bytes(&self, path: &str) -> Result<Vec<u8>, OpenTrouble> {
        if is_secret(Path::new(path)) {
            return Err(OpenTrouble::Secret(path.to_string()));
        }
        bounded(self.open(path)?, path, MAX_TEXT)
    }

    /// The text of `path`, decoded, if it is text.
    pub fn read(&self, path: &str) -> Result<Text, OpenTrouble> {
        let bytes = self.bytes(path)?;
        text::decoded(&bytes).ok_or_else(|| OpenTrouble::Binary(path.to_string()))
    }

    /// `path` relative to the root with `/`, or as it is where it lies outside.
    pub fn shown(&self, path: &Path) -> String {
        slashed(path.strip_prefix(&self.root).unwrap_or(path))
    }
}

/// The bytes of a file whose path was found here and not written by anybody.
pub fn bytes_of(path: &Path, limit: u64) -> Result<Vec<u8>, OpenTrouble> {
    let said = slashed(path);
    if is_secret(path) {
        return Err(OpenTrouble::Secret(said));
    }
    bounded(open_regular(path, &said)?, &said, limit)
}

/// The bytes of a file below a root that was come across on a walk that followed no link.
pub fn bytes_without_links(real: &Path, limit: u64) -> Result<Vec<u8>, OpenTrouble> {
    let said = slashed(real);
    if is_secret(real) {
        return Err(OpenTrouble::Secret(said));
    }
    bounded(open_judged(real, &said)?, &said, limit)
}

/// What tells that a file is probably the one that was read: enough to skip reading it, not to trust it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Stamp {
    /// Its size in bytes.
    pub bytes: u64,
    /// When it was last written, in nanoseconds since 1970; 0 where that is not known.
    pub modified: i64,
}

/// The stamp of the file at `path`, if it is one.
pub fn stamp(path: &Path) -> Option<Stamp> {
    let found = fs::metadata(path).ok().filter(Metadata::is_file)?;
    let modified = found.modified().ok().and_then(|at| match at.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).ok(),
        Err(before) => i64::try_from(before.duration().as_nanos()).ok().map(|n| -n),
    });
    Some(Stamp { bytes: found.len(), modified: modified.unwrap_or(0) })
}

/// SHA-256 of `bytes` in hexadecimal.
pub fn hash_of(bytes: &[u8]) -> String {
    use std::fmt::Write;
    let digest = Sha256::digest(bytes);
    digest.iter().fold(String::with_capacity(64), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string cannot fail");
        text
    })
}

/// Tokens that are made here begin with it, so that a file with one is known whatever it is called.
pub const OWN_TOKEN: &str = "groundline_";

/// Whether a file begins as a private key does, or is a token that was made here, whatever it is called.
pub fn is_key(bytes: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(100)]);
    let first = start.trim_start_matches(|c: char| c == '\u{feff}' || c.is_whitespace());
    let is_own_token = bytes.len() < 100
        && first.strip_prefix(OWN_TOKEN).is_some_and(|rest| {
            rest.trim_end().len() == 64 && rest.trim_end().bytes().all(|b| b.is_ascii_hexdigit())
        });
    is_own_token
        || first.starts_with("-----BEGIN ")
            && first.lines().next().is_some_and(|l| l.contains("PRIVATE KEY"))
}

/// Whether a file's name says that it holds a secret; such files are never read, whoever names them.
pub fn is_secret(path: &Path) -> bool {
    let Some(name) = path.file_name() else { return false };
    let name = name.to_string_lossy().to_ascii_lowercase();
    let ends = [
        ".env",
        ".pem",
        ".key",
        ".p12",
        ".pfx",
        ".jks",
        ".keystore",
        ".kdbx",
        ".ppk",
        ".asc",
        ".gpg",
        ".tfstate",
    ];
    let is = [
        ".npmrc",
        ".netrc",
        ".pypirc",
        ".pgpass",
        ".htpasswd",
        ".yarnrc",
        ".yarnrc.yml",
        ".envrc",
        ".git-credentials",
        ".dockercfg",
        "credentials",
        "credentials.json",
        "secrets.json",
        "secrets.yml",
        "secrets.yaml",
        "secrets.toml",
        "shadow",
    ];
    let kept = path.components().any(|c| {
        matches!(c, Component::Normal(n) if n == ".ssh" || n == ".aws" || n == ".gnupg" || n == ".kube")
    });
    // A script may well be called `id_generator.js`; a key has no extension but `.pub`.
    let key = name.starts_with("id_") && (!name.contains('.') || name.ends_with(".pub"));
    // A remote's address in there may hold a token.
    let is_git_config = name == "config"
        && path.components().any(|c| matches!(c, Component::Normal(n) if n == ".git"));
    kept || key
        || is_git_config
        || name.starts_with(".env.")
        || is.contains(&name.as_str())
        || ends.iter().any(|e| name.ends_with(e))
}

fn open_regular(real: &Path, said: &str) -> Result<File, OpenTrouble> {
    let judged = fs::symlink_metadata(real).map_err(|why| refused(said, why))?;
    if !judged.is_file() {
        return Err(OpenTrouble::NotAFile { path: said.to_string(), what: kind_of(&judged) });
    }
    let file = File::open(real).map_err(|why| refused(said, why))?;
    let opened = file.metadata().map_err(|why| refused(said, why))?;
    match is_same(&judged, &opened) {
        true => Ok(file),
        false => Err(OpenTrouble::Exchanged(said.to_string())),
    }
}

/// Opens what was judged to lie at `real`, which leads through no link.
fn open_judged(real: &Path, said: &str) -> Result<File, OpenTrouble> {
    let found = match regular_without_links(real) {
        Ok(file) => return Ok(file),
        Err(why) => (fs::symlink_metadata(real), why),
    };
    match found {
        (Err(why), _) => Err(refused(said, why)),
        (Ok(found), _) if !found.is_file() => {
            Err(OpenTrouble::NotAFile { path: said.to_string(), what: kind_of(&found) })
        }
        // A link stands in the path by now.
        (Ok(_), _) if real.canonicalize().map_or(true, |now| now != real) => {
            Err(OpenTrouble::Exchanged(said.to_string()))
        }
        (Ok(_), why) => Err(refused(said, why)),
    }
}

fn bounded(file: File, said: &str, limit: u64) -> Result<Vec<u8>, OpenTrouble> {
    let size = file.metadata().map_err(|why| refused(said, why))?.len();
    if size > limit {
        return Err(OpenTrouble::TooLarge { path: said.to_string(), bytes: size });
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
    // The size may be a lie: files of odd file systems have none and still never end.
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|why| refused(said, why))?;
    match bytes.len() as u64 > limit {
        true => Err(OpenTrouble::TooLarge { path: said.to_string(), bytes: bytes.len() as u64 }),
        false if is_key(&bytes) => Err(OpenTrouble::Secret(said.to_string())),
        false => Ok(bytes),
    }
}

fn refused(path: &str, why: io::Error) -> OpenTrouble {
    match why.kind() {
        io::ErrorKind::NotFound => OpenTrouble::Missing(path.to_string()),
        _ => OpenTrouble::Refused { path: path.to_string(), why },
    }
}

fn kind_of(found: &Metadata) -> &'static str {
    match (found.is_dir(), found.is_symlink()) {
        (true, _) => "a folder",
        (_, true) => "a link",
        _ => "a device, pipe or socket",
    }
}

#[cfg(unix)]
fn is_same(judged: &Metadata, opened: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    opened.is_file() && judged.dev() == opened.dev() && judged.ino() == opened.ino()
}

#[cfg(not(unix))]
fn is_same(_judged: &Metadata, opened: &Metadata) -> bool {
    opened.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace() -> (tempfile::TempDir, Workspace) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("root");
        fs::create_dir_all(root.join("sub")).unwrap();
        fs::write(dir.path().join("secret.js"), "1").unwrap();
        fs::write(root.join("sub/a.js"), "let a").unwrap();
        let root = root.canonicalize().unwrap();
        (dir, Workspace::new(root))
    }

    #[test]
    fn a_path_inside_is_opened_however_it_is_written() {
        let (_dir, workspace) = workspace();
        let absolute = workspace.root().join("sub/a.js");
        for path in ["sub/a.js", "./sub/a.js", absolute.to_str().unwrap()] {
            assert_eq!(workspace.read(path).unwrap().text, "let a", "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_became_a_link_after_it_was_judged_leads_nowhere() {
        let (dir, workspace) = workspace();
        let top = dir.path().canonicalize().unwrap();
        let real = workspace.resolve("sub/a.js").unwrap();
        fs::create_dir(top.join("elsewhere")).unwrap();
        fs::write(top.join("elsewhere/a.js"), "another's").unwrap();
        fs::rename(workspace.root().join("sub"), top.join("away")).unwrap();
        std::os::unix::fs::symlink(top.join("elsewhere"), workspace.root().join("sub")).unwrap();
        let opened = open_judged(&real, "sub/a.js");
        assert!(matches!(opened, Err(OpenTrouble::Exchanged(_))), "{opened:?}");
        let found = bytes_without_links(&real, 100);
        assert!(matches!(found, Err(OpenTrouble::Exchanged(_))), "{found:?}");
    }

    #[test]
    fn a_path_that_leaves_the_root_is_refused() {
        let (dir, workspace) = workspace();
        let beside = dir.path().canonicalize().unwrap().join("secret.js");
        for path in ["../secret.js", "sub/../../secret.js", "/etc/passwd", beside.to_str().unwrap()]
        {
            assert!(matches!(workspace.read(path), Err(OpenTrouble::Outside(_))), "{path}");
        }
        for path in ["", "a\0b"] {
            assert!(matches!(workspace.read(path), Err(OpenTrouble::NoPath(_))), "{path:?}");
        }
        for path in ["~/a.js", "$HOME/a.js", "%2e%2e/secret.js", "file:///etc/passwd"] {
            assert!(matches!(workspace.read(path), Err(OpenTrouble::Missing(_))), "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_that_leave_loop_or_end_nowhere_are_refused() {
        use std::os::unix::fs::symlink;
        let (dir, workspace) = workspace();
        let root = workspace.root();
        symlink(dir.path().join("secret.js"), root.join("out.js")).unwrap();
        symlink(dir.path(), root.join("up")).unwrap();
        symlink("loop.js", root.join("loop.js")).unwrap();
        symlink("gone.js", root.join("dangling.js")).unwrap();
        symlink("sub/a.js", root.join("inside.js")).unwrap();
        assert!(matches!(workspace.read("out.js"), Err(OpenTrouble::Outside(_))));
        assert!(matches!(workspace.read("up/secret.js"), Err(OpenTrouble::Outside(_))));
        assert!(matches!(workspace.read("loop.js"), Err(OpenTrouble::Refused { .. })));
        assert!(matches!(workspace.read("dangling.js"), Err(OpenTrouble::Missing(_))));
        assert_eq!(workspace.read("inside.js").unwrap().text, "let a");
    }

    #[cfg(unix)]
    #[test]
    fn folders_and_sockets_are_no_files() {
        let (_dir, workspace) = workspace();
        let _socket =
            std::os::unix::net::UnixListener::bind(workspace.root().join("s.js")).unwrap();
        for path in ["sub", "s.js"] {
            assert!(matches!(workspace.read(path), Err(OpenTrouble::NotAFile { .. })), "{path}");
        }
    }

    #[test]
    fn what_is_too_large_or_secret_is_not_read() {
        let (_dir, workspace) = workspace();
        let big = File::create(workspace.root().join("big.js")).unwrap();
        big.set_len(MAX_TEXT + 1).unwrap();
        fs::write(workspace.root().join(".env"), "KEY=1").unwrap();
        assert!(matches!(workspace.read("big.js"), Err(OpenTrouble::TooLarge { .. })));
        assert!(matches!(workspace.read(".env"), Err(OpenTrouble::Secret(_))));
        for secret in [".envrc", "deploy/prod.env", ".git/config", "sub/.git/config", ".env.local"]
        {
            assert!(is_secret(Path::new(secret)), "{secret}");
        }
        assert!(!is_secret(Path::new("src/config")));
        assert!(!is_secret(Path::new("src/env.js")));
        assert!(!is_secret(Path::new("src/id_list.js")));
        assert!(!is_secret(Path::new("types/environment.d.ts")));
        assert!(is_secret(Path::new("x/id_ed25519")));
        assert!(is_secret(Path::new("certs/server.PEM")));
    }

    #[test]
    fn a_private_key_is_never_read_whatever_it_is_called() {
        let (_dir, workspace) = workspace();
        let key = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----\n";
        fs::write(workspace.root().join("deploy.txt"), key).unwrap();
        assert!(matches!(workspace.read("deploy.txt"), Err(OpenTrouble::Secret(_))));
        let token = format!("{OWN_TOKEN}{}\n", "0f".repeat(32));
        fs::write(workspace.root().join("token"), token).unwrap();
        assert!(matches!(workspace.read("token"), Err(OpenTrouble::Secret(_))));
        fs::write(workspace.root().join("a.js"), format!("const key = `{key}`;")).unwrap();
        assert!(workspace.read("a.js").is_ok());
    }
}
