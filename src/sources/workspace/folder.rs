//! A folder held open: what lies in it is reached by its name from here, and no link is followed.
//!
//! So a folder that is exchanged for a link in between leads nowhere else, and no path is too long. A pipe or a device
//! is never read.

use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// What lies under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Lies {
    /// A file; whether its owner may run it.
    File {
        /// The executable bit.
        executable: bool,
    },
    /// A symbolic link.
    Link,
    /// A folder.
    Folder,
    /// A pipe, a socket or a device.
    Special,
}

/// What tells that something was touched, though nothing in it is trusted to tell that it was not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Trace {
    /// The device that it lies on.
    pub device: u64,
    /// The number of its inode.
    pub inode: u64,
    /// Its size.
    pub bytes: u64,
    /// When its content was last written, as it says, in nanoseconds since 1970.
    pub modified: i64,
    /// When anything of it was last changed, in nanoseconds since 1970.
    pub changed: i64,
}

/// What the list of a folder says of a name, without looking further.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Listed {
    /// A regular file.
    File,
    /// Anything else, or the list does not say.
    Other,
}

/// What lies under a name, and its trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status {
    /// What it is.
    pub lies: Lies,
    /// Its trace.
    pub trace: Trace,
}

#[cfg(unix)]
pub use by_descriptor::{Folder, regular, regular_without_links};
#[cfg(not(unix))]
pub use by_path::{Folder, regular, regular_without_links};

/// The bytes of the file at `path`, if there is one and it is regular; an error where it has more than `limit`.
pub fn own_bytes(path: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    match regular(path) {
        Ok(file) => bounded(file, limit).map(Some),
        Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(why) => Err(why),
    }
}

/// What is in `file`; an error where that is more than `limit`.
pub fn bounded(file: File, limit: u64) -> io::Result<Vec<u8>> {
    let expected = file.metadata().map_or(0, |found| found.len().min(limit));
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or(0).saturating_add(1));
    file.take(limit + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > limit {
        true => Err(io::Error::new(ErrorKind::FileTooLarge, "it is too large to be read")),
        false => Ok(bytes),
    }
}

fn no_file() -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, "it is no regular file")
}

#[cfg(unix)]
mod by_descriptor {
    use super::{Lies, Listed, Status, Trace, no_file};
    use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat};
    use rustix::fs::{fstat, openat, readlinkat, renameat, statat, unlinkat};
    use std::fs::File;
    use std::io::{self, ErrorKind};
    use std::os::fd::{AsFd, OwnedFd};
    use std::path::{Component, Path};

    /// A folder held open.
    #[derive(Debug)]
    pub struct Folder(OwnedFd);

    impl Folder {
        /// The folder at `path`.
        pub fn open(path: &Path) -> io::Result<Folder> {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            Ok(Folder(openat(CWD, path, flags, Mode::empty())?))
        }

        /// The folder at `path`, which must be absolute and lead through no link.
        pub fn open_without_links(path: &Path) -> io::Result<Folder> {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            Ok(Folder(opened_without_links(path, flags)?))
        }

        /// The folder in it under `name`.
        pub fn folder(&self, name: &[u8]) -> io::Result<Folder> {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            Ok(Folder(openat(&self.0, name, flags, Mode::empty())?))
        }

        /// The regular file in it under `name`.
        pub fn file(&self, name: &[u8]) -> io::Result<File> {
            opened(&self.0, name, OFlags::NOFOLLOW)
        }

        /// A new file in it under `name`, for its owner alone, to be written.
        pub fn create(&self, name: &[u8]) -> io::Result<File> {
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
            Ok(File::from(openat(&self.0, name, flags, Mode::RUSR | Mode::WUSR)?))
        }

        /// Gives what lies in it under `name` the name `new`, whatever had that before.
        pub fn rename(&self, name: &[u8], new: &[u8]) -> io::Result<()> {
            Ok(renameat(&self.0, name, &self.0, new)?)
        }

        /// Removes the file in it under `name`.
        pub fn remove(&self, name: &[u8]) -> io::Result<()> {
            Ok(unlinkat(&self.0, name, AtFlags::empty())?)
        }

        /// Forces its names to the disk.
        pub fn force(&self) -> io::Result<()> {
            Ok(rustix::fs::fsync(&self.0)?)
        }

        /// The names in it, sorted.
        pub fn names(&self) -> io::Result<Vec<Vec<u8>>> {
            Ok(self.list()?.into_iter().map(|(name, _)| name).collect())
        }

        /// The names in it, sorted, with what the list says of each.
        pub fn list(&self) -> io::Result<Vec<(Vec<u8>, Listed)>> {
            let mut names = Vec::new();
            for entry in Dir::read_from(&self.0)? {
                let entry = entry?;
                let name = entry.file_name().to_bytes();
                if name != b"." && name != b".." {
                    let listed = match entry.file_type() {
                        FileType::RegularFile => Listed::File,
                        _ => Listed::Other,
                    };
                    names.push((name.to_vec(), listed));
                }
            }
            names.sort_unstable();
            Ok(names)
        }

        /// The file in it under `name` with its status, if that is a regular one.
        pub fn file_with_status(&self, name: &[u8]) -> io::Result<(File, Status)> {
            let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
            let file = openat(&self.0, name, flags | OFlags::NOFOLLOW, Mode::empty())?;
            let status = status_of(&fstat(&file)?);
            match status.lies {
                Lies::File { .. } => Ok((File::from(file), status)),
                Lies::Link | Lies::Folder | Lies::Special => Err(no_file()),
            }
        }

        /// What lies in it under `name`.
        pub fn status(&self, name: &[u8]) -> io::Result<Status> {
            Ok(status_of(&statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?))
        }

        /// Its own status.
        pub fn own_status(&self) -> io::Result<Status> {
            Ok(status_of(&fstat(&self.0)?))
        }

        /// What the link under `name` leads to, if that can be told.
        pub fn status_behind(&self, name: &[u8]) -> io::Result<Status> {
            Ok(status_of(&statat(&self.0, name, AtFlags::empty())?))
        }

        /// The text of the link under `name`.
        pub fn link_text(&self, name: &[u8]) -> io::Result<Vec<u8>> {
            Ok(readlinkat(&self.0, name, Vec::new())?.into_bytes())
        }
    }

    /// The regular file at `path`.
    pub fn regular(path: &Path) -> io::Result<File> {
        opened(CWD, path, OFlags::empty())
    }

    /// The regular file at `path`, which must be absolute and lead through no link.
    pub fn regular_without_links(path: &Path) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = File::from(opened_without_links(path, flags)?);
        match file.metadata()?.is_file() {
            true => Ok(file),
            false => Err(no_file()),
        }
    }

    fn opened_without_links(path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{ResolveFlags, openat2};
            use rustix::io::Errno;
            match openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
                // Older than the call, or kept from it: then one name after the other.
                Err(Errno::NOSYS | Errno::PERM) => {}
                opened => return Ok(opened?),
            }
        }
        one_by_one(path, flags)
    }

    /// The same, one name after the other.
    pub(super) fn one_by_one(path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        let mut names = path.components();
        if names.next() != Some(Component::RootDir) {
            return Err(ErrorKind::InvalidInput.into());
        }
        let step = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut here = openat(CWD, "/", step, Mode::empty())?;
        while let Some(name) = names.next() {
            let Component::Normal(name) = name else { return Err(ErrorKind::InvalidInput.into()) };
            let flags = if names.as_path().as_os_str().is_empty() {
                flags | OFlags::NOFOLLOW
            } else {
                step
            };
            here = openat(&here, name, flags, Mode::empty())?;
        }
        Ok(here)
    }

    fn opened(folder: impl AsFd, name: impl rustix::path::Arg, more: OFlags) -> io::Result<File> {
        // Opening a pipe waits for its other end unless told not to.
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC | more;
        let file = File::from(openat(folder, name, flags, Mode::empty())?);
        match file.metadata()?.is_file() {
            true => Ok(file),
            false => Err(no_file()),
        }
    }

    /// The status of a file that is held open.
    pub(super) fn status_of(found: &Stat) -> Status {
        let lies = match FileType::from_raw_mode(found.st_mode) {
            FileType::RegularFile => Lies::File { executable: found.st_mode & 0o111 != 0 },
            FileType::Symlink => Lies::Link,
            FileType::Directory => Lies::Folder,
            _ => Lies::Special,
        };
        let trace = Trace {
            device: unsigned(found.st_dev),
            inode: unsigned(found.st_ino),
            bytes: unsigned(found.st_size),
            modified: nanoseconds(found.st_mtime, found.st_mtime_nsec),
            changed: nanoseconds(found.st_ctime, found.st_ctime_nsec),
        };
        Status { lies, trace }
    }

    fn nanoseconds(seconds: impl TryInto<i64>, rest: impl TryInto<i64>) -> i64 {
        let seconds: i64 = seconds.try_into().unwrap_or(i64::MAX);
        seconds.saturating_mul(1_000_000_000).saturating_add(rest.try_into().unwrap_or(0))
    }

    // The widths of these fields differ between systems.
    fn unsigned(field: impl TryInto<u64>) -> u64 {
        field.try_into().unwrap_or(u64::MAX)
    }
}

#[cfg(unix)]
/// The status of a file that is held open.
pub fn status_of_file(file: &File) -> io::Result<Status> {
    Ok(by_descriptor::status_of(&rustix::fs::fstat(file)?))
}

#[cfg(not(unix))]
/// The status of a file that is held open.
pub fn status_of_file(file: &File) -> io::Result<Status> {
    Ok(by_path::status_of(&file.metadata()?))
}

#[cfg(not(unix))]
mod by_path {
    use super::super::paths::{bytes_of_path, path_of};
    use super::{Lies, Listed, Status, Trace, no_file};
    use std::fs::{self, File, Metadata};
    use std::io;
    use std::path::{Path, PathBuf};
    use std::time::UNIX_EPOCH;

    /// A folder by its path, where the system has no descriptors of folders.
    #[derive(Debug)]
    pub struct Folder(PathBuf);

    impl Folder {
        /// The folder at `path`.
        pub fn open(path: &Path) -> io::Result<Folder> {
            fs::read_dir(path).map(|_| Folder(path.to_path_buf()))
        }

        /// The folder at `path`, which must be absolute and lead through no link.
        pub fn open_without_links(path: &Path) -> io::Result<Folder> {
            leads_through_no_link(path)?;
            Folder::open(path)
        }

        /// The folder in it under `name`.
        pub fn folder(&self, name: &[u8]) -> io::Result<Folder> {
            match self.status(name)?.lies {
                Lies::Folder => Folder::open(&self.0.join(path_of(name))),
                Lies::File { .. } | Lies::Link | Lies::Special => Err(no_file()),
            }
        }

        /// The regular file in it under `name`.
        pub fn file(&self, name: &[u8]) -> io::Result<File> {
            match self.status(name)?.lies {
                Lies::File { .. } => File::open(self.0.join(path_of(name))),
                Lies::Folder | Lies::Link | Lies::Special => Err(no_file()),
            }
        }

        /// A new file in it under `name`, to be written.
        pub fn create(&self, name: &[u8]) -> io::Result<File> {
            File::create_new(self.0.join(path_of(name)))
        }

        /// Gives what lies in it under `name` the name `new`, whatever had that before.
        pub fn rename(&self, name: &[u8], new: &[u8]) -> io::Result<()> {
            fs::rename(self.0.join(path_of(name)), self.0.join(path_of(new)))
        }

        /// Removes the file in it under `name`.
        pub fn remove(&self, name: &[u8]) -> io::Result<()> {
            fs::remove_file(self.0.join(path_of(name)))
        }

        /// Names of folders are forced to the disk by the system alone.
        pub fn force(&self) -> io::Result<()> {
            Ok(())
        }

        /// The names in it, sorted.
        pub fn names(&self) -> io::Result<Vec<Vec<u8>>> {
            let mut names = Vec::new();
            for entry in fs::read_dir(&self.0)? {
                names.push(bytes_of_path(Path::new(&entry?.file_name())));
            }
            names.sort();
            Ok(names)
        }

        /// The names in it, sorted, with what the list says of each.
        pub fn list(&self) -> io::Result<Vec<(Vec<u8>, Listed)>> {
            Ok(self.names()?.into_iter().map(|name| (name, Listed::Other)).collect())
        }

        /// The file in it under `name` with its status, if that is a regular one.
        pub fn file_with_status(&self, name: &[u8]) -> io::Result<(File, Status)> {
            let file = self.file(name)?;
            let status = status_of(&file.metadata()?);
            Ok((file, status))
        }

        /// What lies in it under `name`.
        pub fn status(&self, name: &[u8]) -> io::Result<Status> {
            Ok(status_of(&fs::symlink_metadata(self.0.join(path_of(name)))?))
        }

        /// Its own status.
        pub fn own_status(&self) -> io::Result<Status> {
            Ok(status_of(&fs::symlink_metadata(&self.0)?))
        }

        /// What the link under `name` leads to, if that can be told.
        pub fn status_behind(&self, name: &[u8]) -> io::Result<Status> {
            Ok(status_of(&fs::metadata(self.0.join(path_of(name)))?))
        }

        /// The text of the link under `name`.
        pub fn link_text(&self, name: &[u8]) -> io::Result<Vec<u8>> {
            Ok(bytes_of_path(&fs::read_link(self.0.join(path_of(name)))?))
        }
    }

    /// The regular file at `path`.
    pub fn regular(path: &Path) -> io::Result<File> {
        match fs::metadata(path)?.is_file() {
            true => File::open(path),
            false => Err(no_file()),
        }
    }

    /// The regular file at `path`, which must be absolute and lead through no link.
    pub fn regular_without_links(path: &Path) -> io::Result<File> {
        leads_through_no_link(path)?;
        regular(path)
    }

    fn leads_through_no_link(path: &Path) -> io::Result<()> {
        match path.canonicalize()? == path {
            true => Ok(()),
            false => Err(io::ErrorKind::NotFound.into()),
        }
    }

    pub(super) fn status_of(found: &Metadata) -> Status {
        let lies = match (found.is_file(), found.is_symlink(), found.is_dir()) {
            (true, _, _) => Lies::File { executable: false },
            (_, true, _) => Lies::Link,
            (_, _, true) => Lies::Folder,
            (false, false, false) => Lies::Special,
        };
        let since = found.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        let modified = since.and_then(|s| i64::try_from(s.as_nanos()).ok()).unwrap_or(0);
        let (device, inode) = (0, 0);
        Status {
            lies,
            trace: Trace { device, inode, bytes: found.len(), modified, changed: modified },
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::by_descriptor::one_by_one;
    use super::*;
    use rustix::fs::OFlags;
    use std::fs;

    #[test]
    fn one_name_after_the_other_leads_where_one_call_does() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        fs::create_dir_all(top.join("a/b")).unwrap();
        fs::write(top.join("a/b/c"), "c").unwrap();
        std::os::unix::fs::symlink(top.join("a"), top.join("link")).unwrap();
        std::os::unix::fs::symlink("c", top.join("a/b/last")).unwrap();
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        for (path, leads) in [
            ("a/b/c", true),
            ("link/b/c", false),
            ("a/b/last", false),
            ("a/b/none", false),
            ("a/../a/b/c", false),
        ] {
            let path = top.join(path);
            assert_eq!(one_by_one(&path, flags).is_ok(), leads, "{path:?}");
            if !path.components().any(|c| c == std::path::Component::ParentDir) {
                assert_eq!(regular_without_links(&path).is_ok(), leads, "{path:?}");
            }
        }
    }
}
