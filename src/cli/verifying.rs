//! How a check between two fingerprints is asked for.

use crate::deeds::verify::VerifyWish;
use clap::Args;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is to be verified.
#[derive(Debug)]
pub enum Verification {
    /// A command that is run.
    Run(VerifyWish),
    /// An attestation, against the tree as it stands.
    Check(PathBuf),
}

/// What is to be verified, as it is written.
#[derive(Args)]
pub(super) struct VerifyOrder {
    /// Ignored paths that count all the same, as in a .gitignore; may be given several times
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// Paths that the command may change, as in a .gitignore; may be given several times
    #[arg(long, value_name = "GLOB")]
    allow: Vec<String>,
    /// Stop the command after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=604_800))]
    timeout: Option<u64>,
    /// Write what was verified to this file, as an in-toto statement of a test result, not signed
    #[arg(long, value_name = "FILE")]
    attest: Option<PathBuf>,
    /// Run nothing: say whether the tree is the one that this attestation is about
    #[arg(long, value_name = "FILE", conflicts_with_all = ["include", "allow", "timeout", "attest", "command"])]
    check: Option<PathBuf>,
    /// The program that checks, and its arguments
    #[arg(last = true, required_unless_present = "check", value_name = "COMMAND")]
    command: Vec<OsString>,
}

impl VerifyOrder {
    /// What is to be done.
    pub(super) fn read(self, here: &Path) -> Verification {
        let VerifyOrder { include, allow, timeout, attest, check, command } = self;
        match check {
            Some(file) => Verification::Check(here.join(file)),
            None => Verification::Run(VerifyWish {
                include,
                allow,
                timeout: timeout.map(Duration::from_secs),
                attest: attest.map(|file| here.join(file)),
                command,
            }),
        }
    }
}
