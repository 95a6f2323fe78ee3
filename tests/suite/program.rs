//! The built program as a test starts it: in a folder of its own, talked to in lines.

use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// No test waits longer for anything.
pub const PATIENCE: Duration = Duration::from_secs(60);

const POLL: Duration = Duration::from_millis(5);

/// The repository.
pub fn top() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A copy of a project, a cache beside it, and nothing else.
pub struct Folder {
    temp: TempDir,
}

impl Folder {
    /// With a copy of `project`, a folder of the repository.
    pub fn with(project: &str) -> Folder {
        let folder = Folder::empty();
        copy(&top().join(project), &folder.project());
        folder
    }

    /// With an empty project.
    pub fn empty() -> Folder {
        let temp = TempDir::new().unwrap();
        fs::create_dir(temp.path().join("project")).unwrap();
        Folder { temp }
    }

    pub fn project(&self) -> PathBuf {
        self.temp.path().join("project")
    }

    /// Where the last server started here wrote its standard error.
    pub fn errors(&self) -> PathBuf {
        self.temp.path().join("errors")
    }

    pub fn cache(&self) -> PathBuf {
        self.temp.path().join("cache")
    }

    /// The program with these arguments, in the project, with an environment of its own.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_groundline"));
        command
            .args(arguments)
            .arg("--cache")
            .arg(self.cache())
            .current_dir(self.project())
            .env_clear()
            .env("HOME", self.temp.path())
            .env("TMPDIR", self.temp.path());
        command
    }

    /// Runs it to its end with `input`, and gives exit status, standard output and standard error.
    pub fn run(&self, arguments: &[&str], input: &str) -> (i32, String, String) {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_owned();
        // It may end without having read everything.
        let writer = std::thread::spawn(move || {
            let _ = stdin.write_all(input.as_bytes());
        });
        let done = child.wait_with_output().unwrap();
        writer.join().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (done.status.code().unwrap(), text(done.stdout), text(done.stderr))
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Which era of the protocol a client speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// With `initialize`.
    Initialize,
    /// With `server/discover`, and everything said in each request.
    Discover,
}

/// `groundline serve`, running; every line that it writes is held against the protocol.
pub struct Server {
    child: Child,
    pub input: Option<ChildStdin>,
    lines: Receiver<String>,
    era: Era,
}

impl Server {
    /// Starts it; nothing is said yet.
    pub fn start(folder: &Folder, era: Era) -> Server {
        let mut command = folder.command(&["serve"]);
        let errors = std::fs::File::create(folder.errors()).unwrap();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(errors);
        let mut child = command.spawn().unwrap();
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Server { input: child.stdin.take(), child, lines, era }
    }

    /// Starts it, and opens the conversation.
    pub fn open(folder: &Folder, era: Era) -> Server {
        let mut server = Server::start(folder, era);
        match era {
            Era::Initialize => {
                server.ask_with(0, "initialize", hello());
                server.note("notifications/initialized");
            }
            Era::Discover => {
                server.ask_with(0, "server/discover", json!({}));
            }
        }
        server
    }

    pub fn say_line(&mut self, line: &str) {
        let input = self.input.as_mut().expect("its input is open");
        input.write_all(line.as_bytes()).unwrap();
        input.write_all(b"\n").unwrap();
    }

    pub fn note(&mut self, method: &str) {
        self.say_line(&json!({"jsonrpc": "2.0", "method": method}).to_string());
    }

    pub fn request(&mut self, id: impl Into<Value>, method: &str, mut params: Value) {
        if self.era == Era::Discover {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": "suite", "version": "1"}});
        }
        let request =
            json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params});
        self.say_line(&request.to_string());
    }

    /// The next message, which is one of the protocol.
    pub fn hear(&mut self) -> Value {
        let line = match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => panic!("no message in {PATIENCE:?}"),
            Err(RecvTimeoutError::Disconnected) => panic!("the server has ended"),
        };
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        message
    }

    pub fn ask_with(&mut self, id: impl Into<Value>, method: &str, params: Value) -> Value {
        let id = id.into();
        self.request(id.clone(), method, params);
        let answer = self.hear();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// One call; whether it is marked as an error, and its text.
    pub fn call(&mut self, id: u64, tool: &str, arguments: &Value) -> (bool, String) {
        let params = json!({"name": tool, "arguments": arguments});
        let answer = self.ask_with(id, "tools/call", params);
        if let Some(error) = answer.get("error") {
            return (true, error["message"].as_str().unwrap().to_owned());
        }
        let result = &answer["result"];
        assert!(result.get("structuredContent").is_none(), "text only");
        assert_eq!(result["content"].as_array().unwrap().len(), 1);
        let text = result["content"][0]["text"].as_str().unwrap().to_owned();
        (result["isError"] == true, text)
    }

    /// Waits for its end, for `limit` at most; nothing more may be said by then.
    pub fn ends_within(mut self, limit: Duration) -> ExitStatus {
        let status = self.exit_within(limit);
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            serde_json::from_str::<Value>(&line).unwrap_or_else(|e| panic!("{e}: {line}"));
        }
        status
    }

    /// Closes its input, and waits for its end.
    pub fn close(mut self) {
        drop(self.input.take());
        let status = self.ends_within(Duration::from_secs(2));
        assert!(status.success(), "{status}");
    }

    pub fn exit_within(&mut self, limit: Duration) -> ExitStatus {
        exit_within(&mut self.child, limit)
    }

    pub fn process(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A test that failed half-way leaves no process behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for the end of `child`, and says how it ended.
pub fn exit_within(child: &mut Child, limit: Duration) -> ExitStatus {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        assert!(begun.elapsed() < limit, "still running after {limit:?}");
        std::thread::sleep(POLL);
    }
}

/// The parameters of `initialize`.
pub fn hello() -> Value {
    json!({"protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "suite", "version": "1"}})
}
