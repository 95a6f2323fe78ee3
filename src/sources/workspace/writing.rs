//! Files written so that a reader finds the old or the new content, whole, whatever happens in between.
//!
//! Content goes to another name in the same folder, is forced to the disk and renamed. Nothing here decides what is
//! written or whether it may be.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers unfinished files, so that threads of one process never share one.
static N_WRITTEN: AtomicU64 = AtomicU64::new(0);

/// Writes `bytes` to `path`, whose folder must be there.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    written(path, bytes, None, || Ok(()))
}

/// Puts `bytes` at `path` for its owner alone, if nothing is there; where something is, it stays and the error is
/// `AlreadyExists`. Of several who write at once, one is the first. A folder that has to be made is its owner's alone.
pub fn write_first(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (folder, unfinished) = beside(path)?;
    let mut folders = fs::DirBuilder::new();
    let mut file = OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
        folders.mode(0o700);
        file.mode(0o600);
    }
    folders.recursive(true).create(folder)?;
    let mut file = file.write(true).create_new(true).open(&unfinished)?;
    let done = file
        .write_all(bytes)
        .and_then(|()| file.sync_all())
        // A link fails where something is; a rename would take its place.
        .and_then(|()| fs::hard_link(&unfinished, path));
    let _ = fs::remove_file(&unfinished);
    forced(folder);
    done
}

/// Why a file was not replaced.
#[derive(Debug, thiserror::Error)]
pub enum ReplaceTrouble {
    /// Its content is not what it was taken for.
    #[error("it changed meanwhile")]
    Changed,
    /// Its owner does not want it written.
    #[error("it is read-only")]
    ReadOnly,
    /// The system refused.
    #[error(transparent)]
    Refused(#[from] io::Error),
}

/// Puts `after` in the place of the file at `path`, which must be no link, if that still holds `before`; mode and owner
/// stay.
pub fn replace(path: &Path, before: &[u8], after: &[u8]) -> Result<(), ReplaceTrouble> {
    let found = fs::symlink_metadata(path)?;
    if !found.is_file() {
        return Err(ReplaceTrouble::Changed);
    }
    if found.permissions().readonly() {
        return Err(ReplaceTrouble::ReadOnly);
    }
    let is_same = || match fs::read(path)? == before {
        true => Ok(()),
        false => Err(io::Error::from(ErrorKind::InvalidData)),
    };
    written(path, after, Some(&found), is_same).map_err(|why| match why.kind() {
        ErrorKind::InvalidData => ReplaceTrouble::Changed,
        _ => ReplaceTrouble::Refused(why),
    })
}

/// How many names lead to the content of a file: replacing it parts one from the others.
pub fn n_names(path: &Path) -> u64 {
    #[cfg(unix)]
    if let Ok(found) = fs::symlink_metadata(path) {
        return std::os::unix::fs::MetadataExt::nlink(&found);
    }
    1
}

fn written(
    path: &Path,
    bytes: &[u8],
    like: Option<&fs::Metadata>,
    is_wanted: impl Fn() -> io::Result<()>,
) -> io::Result<()> {
    let (folder, unfinished) = beside(path)?;
    let mut file = OpenOptions::new().write(true).create_new(true).open(&unfinished)?;
    let done = file
        .write_all(bytes)
        .and_then(|()| like.map_or(Ok(()), |like| takes_after(&unfinished, like)))
        .and_then(|()| file.sync_all())
        .and_then(|()| is_wanted())
        .and_then(|()| fs::rename(&unfinished, path));
    if done.is_err() {
        // What could not be finished is of no use to anybody.
        let _ = fs::remove_file(&unfinished);
    } else {
        forced(folder);
    }
    done
}

/// The folder of `path`, and a name in it that nobody uses.
fn beside(path: &Path) -> io::Result<(&Path, PathBuf)> {
    let folder = path.parent().ok_or(ErrorKind::InvalidInput)?;
    let name = path.file_name().ok_or(ErrorKind::InvalidInput)?.to_string_lossy();
    let n = N_WRITTEN.fetch_add(1, Ordering::Relaxed);
    // A long name leaves no room for more.
    let name: String = name.chars().take(40).collect();
    Ok((folder, folder.join(format!(".{name}.{}.{n}.tmp", std::process::id()))))
}

/// The names in `folder` are forced to the disk as well where the system can; the content already is.
fn forced(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// Gives a file the owner and the mode of another.
fn takes_after(path: &Path, like: &fs::Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, chown};
        let own = fs::symlink_metadata(path)?;
        if (own.uid(), own.gid()) != (like.uid(), like.gid()) {
            chown(path, Some(like.uid()), Some(like.gid()))?;
        }
    }
    let mode: Permissions = like.permissions();
    fs::set_permissions(path, mode)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_replaced_only_while_it_is_what_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.js");
        write(&path, b"one").unwrap();
        replace(&path, b"one", b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        let again = replace(&path, b"one", b"three");
        assert!(matches!(again, Err(ReplaceTrouble::Changed)), "{again:?}");
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn mode_stays_and_what_is_read_only_is_left_alone() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.js");
        fs::write(&path, "one").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o754)).unwrap();
        replace(&path, b"one", b"two").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o754);
        fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
        assert!(matches!(replace(&path, b"two", b"x"), Err(ReplaceTrouble::ReadOnly)));
    }
}
