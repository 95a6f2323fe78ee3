//! Files written so that a reader finds the old or the new content, whole, whatever happens in between.
//!
//! Content goes to another name in the same folder, is forced to the disk and renamed. Nothing here decides what is
//! written or whether it may be.

use super::folder::{Folder, Lies};
use super::paths::bytes_of_path;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers unfinished files, so that threads of one process never share one.
static N_WRITTEN: AtomicU64 = AtomicU64::new(0);

/// Writes `bytes` to `path`, whose folder must be there.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (folder, unfinished) = beside(path)?;
    let mut file = OpenOptions::new().write(true).create_new(true).open(&unfinished)?;
    let done = file
        .write_all(bytes)
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&unfinished, path));
    if done.is_err() {
        let _ = fs::remove_file(&unfinished);
    } else {
        forced(folder);
    }
    done
}

/// Writes the pieces one after the other to `path`, whole or not at all for a reader now; after a loss of power it may hold
/// anything, so this is for what says itself whether it is whole.
pub fn write_unforced(path: &Path, pieces: &[&[u8]]) -> io::Result<()> {
    let (_, unfinished) = beside(path)?;
    let mut file = OpenOptions::new().write(true).create_new(true).open(&unfinished)?;
    let written = pieces.iter().try_for_each(|piece| file.write_all(piece));
    let done = written.and_then(|()| fs::rename(&unfinished, path));
    if done.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    done
}

/// Writes to a new file of `folder`, and gives it the name that comes of it; whole or not at all for a reader now, and as with
/// [`write_unforced`] after a loss of power.
pub fn write_named(
    folder: &Path,
    written: impl FnOnce(&File) -> io::Result<String>,
) -> io::Result<PathBuf> {
    let (_, unfinished) = beside(&folder.join("unnamed"))?;
    let file = OpenOptions::new().write(true).create_new(true).open(&unfinished)?;
    let done = written(&file).and_then(|name| {
        let path = folder.join(name);
        fs::rename(&unfinished, &path)?;
        Ok(path)
    });
    if done.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    done
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

/// Whether a file written at `path`, which need not be there yet, would lie in the folder `root`, which is there.
pub fn would_lie_in(path: &Path, root: &Path) -> bool {
    // What is not there yet holds no link, so where the first folder is that is there decides.
    let real = path.ancestors().find_map(|folder| folder.canonicalize().ok());
    real.zip(root.canonicalize().ok()).is_some_and(|(real, root)| real.starts_with(root))
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

/// Puts `after` in the place of the file at `path`, if that still holds `before`; mode and owner stay. The path must be
/// absolute and lead through no link: its folder is held open meanwhile, so that what takes its place is not written to.
pub fn replace(path: &Path, before: &[u8], after: &[u8]) -> Result<(), ReplaceTrouble> {
    let (folder, unfinished) = beside(path)?;
    let name = |path: &Path| path.file_name().map(|name| bytes_of_path(Path::new(name)));
    let names = name(path).zip(name(&unfinished));
    let (name, unfinished) = names.ok_or_else(|| io::Error::from(ErrorKind::InvalidInput))?;
    let folder = match Folder::open_without_links(folder) {
        Ok(folder) => folder,
        Err(_) if folder.canonicalize().is_ok_and(|now| now != folder) => {
            return Err(ReplaceTrouble::Changed);
        }
        Err(why) => return Err(why.into()),
    };
    match folder.status(&name)?.lies {
        Lies::File { .. } => {}
        Lies::Link | Lies::Folder | Lies::Special => return Err(ReplaceTrouble::Changed),
    }
    let found = folder.file(&name)?.metadata()?;
    if found.permissions().readonly() {
        return Err(ReplaceTrouble::ReadOnly);
    }
    let mut file = folder.create(&unfinished)?;
    let done = file
        .write_all(after)
        .and_then(|()| takes_after(&file, &found))
        .and_then(|()| file.sync_all())
        .map_err(ReplaceTrouble::Refused)
        .and_then(|()| {
            let mut now = Vec::new();
            folder.file(&name)?.take(before.len() as u64 + 1).read_to_end(&mut now)?;
            if now != before { Err(ReplaceTrouble::Changed) } else { Ok(()) }
        })
        .and_then(|()| Ok(folder.rename(&unfinished, &name)?));
    if done.is_err() {
        // What could not be finished is of no use to anybody.
        let _ = folder.remove(&unfinished);
    } else {
        let _ = folder.force();
    }
    done
}

/// How many names lead to the content of a file: replacing it parts one from the others.
pub fn n_names(path: &Path) -> u64 {
    #[cfg(unix)]
    if let Ok(found) = fs::symlink_metadata(path) {
        return std::os::unix::fs::MetadataExt::nlink(&found);
    }
    1
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
fn takes_after(file: &File, like: &fs::Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (like.uid(), like.gid()) {
            fchown(file, Some(like.uid()), Some(like.gid()))?;
        }
    }
    file.set_permissions(like.permissions())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_replaced_only_while_it_is_what_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().canonicalize().unwrap().join("a.js");
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
    fn what_would_lie_in_a_folder_is_known_before_it_is_there() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("root");
        fs::create_dir(&root).unwrap();
        std::os::unix::fs::symlink(&root, dir.path().join("link")).unwrap();
        for (path, is_inside) in [
            ("root", true),
            ("root/not/yet", true),
            ("link/not/yet", true),
            ("root/../root/x", true),
            ("root/../state/x", false),
            ("state/x", false),
            ("roots", false),
        ] {
            assert_eq!(would_lie_in(&dir.path().join(path), &root), is_inside, "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn mode_stays_and_what_is_read_only_is_left_alone() {
        use std::fs::Permissions;
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().canonicalize().unwrap().join("a.js");
        fs::write(&path, "one").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o754)).unwrap();
        replace(&path, b"one", b"two").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o754);
        fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
        assert!(matches!(replace(&path, b"two", b"x"), Err(ReplaceTrouble::ReadOnly)));
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_behind_a_folder_that_became_a_link() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        for folder in ["inside", "outside"] {
            fs::create_dir(top.join(folder)).unwrap();
            fs::write(top.join(folder).join("a.js"), "one").unwrap();
        }
        let path = top.join("inside/a.js");
        fs::rename(top.join("inside"), top.join("away")).unwrap();
        std::os::unix::fs::symlink(top.join("outside"), top.join("inside")).unwrap();
        let refused = replace(&path, b"one", b"two");
        assert!(matches!(refused, Err(ReplaceTrouble::Changed)), "{refused:?}");
        assert_eq!(fs::read(top.join("outside/a.js")).unwrap(), b"one");
        assert_eq!(fs::read_dir(top.join("outside")).unwrap().count(), 1);
    }
}
