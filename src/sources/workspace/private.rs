//! Small files that belong to one user alone, such as a token.
//!
//! A file that somebody else may read, change or has put there is not read, nor is a link to one. What its content
//! means is not known here.

use super::opening::slashed;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Why a file is not taken for its user's own; each names the file and the next step.
#[derive(Debug, thiserror::Error)]
pub enum PrivateTrouble {
    /// Nothing is there.
    #[error("there is no {0}")]
    Missing(String),
    /// It is a link, folder, pipe or device.
    #[error("{path} is {what} and must be a file: remove it, or name another")]
    NotAFile {
        /// The file.
        path: String,
        /// What it is.
        what: &'static str,
    },
    /// Its mode lets others in.
    #[error("{path} is open to others (mode {mode:04o}): chmod 600 '{path}'")]
    Shared {
        /// The file.
        path: String,
        /// Its permissions.
        mode: u32,
    },
    /// Another user owns it, and so can read and change it.
    #[error("{0} belongs to another user: remove it, or name another")]
    Foreign(String),
    /// It is longer than what is expected there.
    #[error("{path} is longer than {most} bytes: remove it, or name another")]
    TooLong {
        /// The file.
        path: String,
        /// How long it may be.
        most: u64,
    },
    /// The system refused.
    #[error("{path} cannot be read: {why}")]
    Refused {
        /// The file.
        path: String,
        /// What the system said.
        why: io::Error,
    },
}

/// The bytes of the file at `path`, `most` at most, if it is its user's alone.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, PrivateTrouble> {
    let said = slashed(path);
    let refused = |why: io::Error| match why.kind() {
        ErrorKind::NotFound => PrivateTrouble::Missing(said.clone()),
        _ => PrivateTrouble::Refused { path: said.clone(), why },
    };
    let found = fs::symlink_metadata(path).map_err(refused)?;
    regular(&found, &said)?;
    let file = opened(path).map_err(refused)?;
    // What counts is what was opened, whatever the name leads to by now.
    let found = file.metadata().map_err(refused)?;
    regular(&found, &said)?;
    owned(&found, &said)?;
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes).map_err(refused)?;
    match bytes.len() as u64 > most {
        true => Err(PrivateTrouble::TooLong { path: said, most }),
        false => Ok(bytes),
    }
}

fn regular(found: &Metadata, said: &str) -> Result<(), PrivateTrouble> {
    let what = match (found.is_file(), found.is_dir(), found.is_symlink()) {
        (true, _, _) => return Ok(()),
        (_, true, _) => "a folder",
        (_, _, true) => "a link",
        _ => "a device, pipe or socket",
    };
    Err(PrivateTrouble::NotAFile { path: said.to_owned(), what })
}

#[cfg(unix)]
fn opened(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, open};
    // Opening a pipe waits for its other end unless told not to.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    Ok(File::from(open(path, flags | OFlags::CLOEXEC, Mode::empty())?))
}

#[cfg(not(unix))]
fn opened(path: &Path) -> io::Result<File> {
    File::open(path)
}

#[cfg(unix)]
fn owned(found: &Metadata, said: &str) -> Result<(), PrivateTrouble> {
    use std::os::unix::fs::MetadataExt;
    let mode = found.mode() & 0o7777;
    if found.uid() != rustix::process::geteuid().as_raw() {
        return Err(PrivateTrouble::Foreign(said.to_owned()));
    }
    match mode & 0o077 {
        0 => Ok(()),
        _ => Err(PrivateTrouble::Shared { path: said.to_owned(), mode }),
    }
}

#[cfg(not(unix))]
fn owned(_found: &Metadata, _said: &str) -> Result<(), PrivateTrouble> {
    Ok(())
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn kept(mode: u32) -> (tempfile::TempDir, std::path::PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("own");
        fs::write(&path, "word").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        (dir, path)
    }

    #[test]
    fn a_file_of_ones_own_is_read() {
        let (_dir, path) = kept(0o600);
        assert_eq!(read(&path, 4).unwrap(), b"word");
        assert!(matches!(read(&path, 3), Err(PrivateTrouble::TooLong { .. })));
    }

    #[test]
    fn a_file_that_others_may_read_or_write_is_refused_with_the_way_out() {
        for mode in [0o644, 0o640, 0o602, 0o620, 0o601] {
            let (_dir, path) = kept(mode);
            let said = read(&path, 4).unwrap_err().to_string();
            assert!(said.contains("chmod 600") && said.contains("own"), "{said}");
        }
    }

    #[test]
    fn what_is_no_file_of_its_own_is_refused() {
        let (dir, path) = kept(0o600);
        symlink(&path, dir.path().join("link")).unwrap();
        for name in ["link", ""] {
            let found = read(&dir.path().join(name), 4);
            assert!(matches!(found, Err(PrivateTrouble::NotAFile { .. })), "{found:?}");
        }
        let missing = read(&dir.path().join("none"), 4);
        assert!(matches!(missing, Err(PrivateTrouble::Missing(_))), "{missing:?}");
    }
}
