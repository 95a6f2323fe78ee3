//! Runs the command that checks, in a group of its own and without input: what it prints goes to the person as it comes,
//! and is hashed.
//!
//! When it has ended, what it left running in its group is ended too: nothing of it moves the tree afterwards. A process
//! that left the group is not found.

use crate::deeds::signals::signalled;
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};
use tokio::task::JoinHandle;

/// So much of the end of each stream is kept, in bytes.
const TAIL: usize = 4 << 10;

/// A command that is told to end has so long to do it.
const FAREWELL: Duration = Duration::from_secs(2);

/// So long is waited for the rest of a stream that somebody else still holds open.
const REST: Duration = Duration::from_millis(500);

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with this exit status.
    Exit(i32),
    /// Something else ended it: a signal, by its number where the system says it.
    Killed(Option<i32>),
    /// It was stopped after this time.
    Late(Duration),
    /// The person stopped it.
    Interrupted,
}

/// What a command printed on one of its streams.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Printed {
    /// SHA-256 of all of it, in hexadecimal.
    pub sha256: String,
    /// How much it was, in bytes.
    pub n_bytes: u64,
    /// Its end.
    pub tail: String,
}

/// What a command leaves running in its group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// Nothing.
    Nothing,
    /// Something, which was ended.
    Ended,
}

/// A run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// How it ended.
    pub ended: Ended,
    /// What it printed for its caller.
    pub stdout: Printed,
    /// What it printed for people.
    pub stderr: Printed,
    /// What it left running.
    pub left: Left,
}

/// Runs `command`, a program and its arguments, in the folder `here`, for no longer than `timeout`.
pub fn run(command: &[OsString], here: &Path, timeout: Option<Duration>) -> io::Result<Ran> {
    let [program, arguments @ ..] = command else { return Err(io::ErrorKind::InvalidInput.into()) };
    // A stream whose reader stands still keeps a thread; the clock must go on.
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(4).enable_all().build()?;
    let ran = runtime.block_on(async {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(here).kill_on_drop(true);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        command.process_group(0);
        let interrupted = signalled();
        let mut child = command.spawn()?;
        let group = child.id();
        let stdout = child.stdout.take().map(|from| Pump::begin(from, io::stdout()));
        let stderr = child.stderr.take().map(|from| Pump::begin(from, io::stderr()));
        let ended = waited(&mut child, group, timeout, interrupted).await?;
        let left = match group.is_some_and(end_group) {
            true => Left::Ended,
            false => Left::Nothing,
        };
        let (stdout, stderr) = (finished(stdout).await, finished(stderr).await);
        Ok(Ran { ended, stdout, stderr, left })
    });
    runtime.shutdown_background();
    ran
}

async fn waited(
    child: &mut Child,
    group: Option<u32>,
    timeout: Option<Duration>,
    interrupted: impl Future<Output = ()>,
) -> io::Result<Ended> {
    let late = async {
        match timeout {
            Some(timeout) => tokio::time::sleep(timeout).await,
            None => std::future::pending().await,
        }
    };
    let why = tokio::select! {
        status = child.wait() => return status.map(ended),
        () = late => Ended::Late(timeout.unwrap_or_default()),
        () = interrupted => Ended::Interrupted,
    };
    tell_group(group);
    if tokio::time::timeout(FAREWELL, child.wait()).await.is_err() {
        let _ = group.is_some_and(end_group);
        child.kill().await?;
    }
    Ok(why)
}

fn ended(status: ExitStatus) -> Ended {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal = None;
    status.code().map_or(Ended::Killed(signal), Ended::Exit)
}

/// Asks all of a group to end.
fn tell_group(group: Option<u32>) {
    #[cfg(unix)]
    if let Some(group) = group.and_then(process) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::TERM);
    }
    #[cfg(not(unix))]
    let _ = group;
}

/// Ends all that is left of a group; whether there was anything.
fn end_group(group: u32) -> bool {
    #[cfg(unix)]
    return process(group).is_some_and(|group| {
        rustix::process::kill_process_group(group, rustix::process::Signal::KILL).is_ok()
    });
    #[cfg(not(unix))]
    {
        let _ = group;
        false
    }
}

#[cfg(unix)]
fn process(id: u32) -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(i32::try_from(id).ok()?)
}

/// What has come over a stream so far.
#[derive(Default)]
struct Stream {
    hash: Sha256,
    n_bytes: u64,
    tail: Vec<u8>,
}

struct Pump {
    stream: Arc<Mutex<Stream>>,
    task: JoinHandle<()>,
}

impl Pump {
    fn begin(
        mut from: impl AsyncRead + Send + Unpin + 'static,
        mut to: impl Write + Send + 'static,
    ) -> Pump {
        let stream: Arc<Mutex<Stream>> = Arc::default();
        let shared = Arc::clone(&stream);
        let task = tokio::spawn(async move {
            let mut buffer = vec![0; 16 << 10];
            while let Ok(n @ 1..) = from.read(&mut buffer).await {
                shared.lock().unwrap_or_else(PoisonError::into_inner).take(&buffer[..n]);
                // A person who reads no further misses nothing of the verdict.
                let _ = to.write_all(&buffer[..n]).and_then(|()| to.flush());
            }
        });
        Pump { stream, task }
    }
}

impl Stream {
    fn take(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
        self.n_bytes += bytes.len() as u64;
        self.tail.extend_from_slice(bytes);
        let n_over = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..n_over);
    }
}

async fn finished(pump: Option<Pump>) -> Printed {
    let Some(Pump { stream, mut task }) = pump else { return Printed::default() };
    if tokio::time::timeout(REST, &mut task).await.is_err() {
        task.abort();
    }
    let stream = stream.lock().unwrap_or_else(PoisonError::into_inner);
    let digest = stream.hash.clone().finalize();
    Printed {
        sha256: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
        n_bytes: stream.n_bytes,
        tail: String::from_utf8_lossy(&stream.tail).into_owned(),
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, timeout: Option<Duration>) -> Ran {
        let command = ["sh", "-c", script].map(OsString::from);
        run(&command, Path::new("/"), timeout).expect("there is a shell")
    }

    #[test]
    fn the_status_and_the_hash_of_what_is_printed_are_the_commands() {
        let ran = shell("printf abc; printf d >&2; exit 3", None);
        assert_eq!(ran.ended, Ended::Exit(3));
        // FIPS 180-2, appendix B.1.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!((ran.stdout.sha256.as_str(), ran.stdout.n_bytes), (abc, 3));
        assert_eq!((ran.stderr.tail.as_str(), ran.left), ("d", Left::Nothing));
    }

    #[test]
    fn it_reads_nothing() {
        assert_eq!(shell("cat; read x || exit 4", None).ended, Ended::Exit(4));
    }

    #[test]
    fn only_the_end_of_much_output_is_kept_and_all_of_it_is_hashed() {
        let ran = shell("head -c 300000 /dev/zero | tr '\\0' x", None);
        assert_eq!((ran.stdout.n_bytes, ran.stdout.tail.len()), (300_000, TAIL));
    }

    #[test]
    fn what_takes_too_long_is_stopped_with_all_that_it_started() {
        let limit = Duration::from_millis(100);
        let ran = shell("trap '' TERM; sleep 600 & sleep 600", Some(limit));
        assert_eq!(ran.ended, Ended::Late(limit));
    }

    #[test]
    fn what_is_left_running_is_ended() {
        let ran = shell("sleep 600 & echo done", None);
        assert_eq!(ran.ended, Ended::Exit(0));
        assert_eq!(ran.left, Left::Ended);
    }

    #[test]
    fn a_signal_is_no_exit_status() {
        assert_eq!(shell("kill -9 $$", None).ended, Ended::Killed(Some(9)));
    }

    #[test]
    fn what_cannot_be_started_is_an_error() {
        let none = ["/nothing/here".into()];
        assert!(run(&none, Path::new("/"), None).is_err());
        assert!(run(&[], Path::new("/"), None).is_err());
    }
}
