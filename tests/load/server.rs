//! The server under load: started over HTTP, its memory and its time on the processor read from outside.

use crate::project::Project;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Stdio};

/// A running server.
pub struct Server {
    child: Child,
    /// Where it listens.
    pub address: SocketAddr,
    /// What its clients show.
    pub token: String,
}

impl Server {
    /// Starts it, and waits until it listens.
    pub fn start(binary: &Path, project: &Project) -> Server {
        let mut command = project.command(binary);
        command.args(["--http", "127.0.0.1:0", "--token-file"]).arg(project.token_file());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        let mut said = BufReader::new(child.stderr.take().expect("it was piped"));
        let mut greeting = String::new();
        said.read_line(&mut greeting).expect("it says where it listens");
        let address = greeting.split_once("http://").and_then(|(_, rest)| rest.split_once("/mcp"));
        let address = address.and_then(|(address, _)| address.parse().ok());
        let address = address.unwrap_or_else(|| panic!("no address in {greeting:?}"));
        // It may say more, which nobody waits for.
        std::thread::spawn(move || {
            let mut line = String::new();
            while said.read_line(&mut line).is_ok_and(|n_bytes| n_bytes > 0) {
                line.clear();
            }
        });
        let token = fs::read_to_string(project.token_file()).expect("it wrote its token");
        Server { child, address, token: token.trim().to_owned() }
    }

    /// What it holds of memory, in MB.
    pub fn memory(&self) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.expect("it runs, on a Linux");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kb = line.and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok());
        kb.expect("the kernel says it in kB") / 1024.0
    }

    /// How long it has worked on a processor, in seconds.
    pub fn worked(&self) -> f64 {
        worked(self.child.id())
    }

    /// How many threads it has.
    pub fn n_threads(&self) -> usize {
        fs::read_dir(format!("/proc/{}/task", self.child.id())).map_or(0, Iterator::count)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How long a process has worked on a processor, in seconds; the kernel counts hundredths.
pub fn worked(process: u32) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let fields = after_name.split_whitespace().skip(11).take(2);
    fields.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}
