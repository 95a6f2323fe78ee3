//! What is kept of a baseline when writing it goes wrong, and when several write at once: a whole one or none.

use crate::program::Folder;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A project whose baseline takes several blocks of a disk.
fn project() -> Folder {
    let folder = Folder::empty();
    for n in 0..24 {
        fs::write(folder.project().join(format!("file-{n:02}.js")), format!("{n}")).unwrap();
    }
    folder
}

fn state(folder: &Folder) -> PathBuf {
    folder.project().parent().unwrap().join("state")
}

/// Takes a baseline in a process that may write files of so many blocks (512 bytes) and no more.
fn begun_within(folder: &Folder, blocks: usize, when_full: &str) -> Output {
    let inner = folder.command(&["fingerprint", "begin"]);
    let mut shell = Command::new("/bin/sh");
    shell.arg("-c").arg(format!("{when_full} ulimit -f {blocks}; exec \"$0\" \"$@\""));
    shell.arg(inner.get_program()).args(inner.get_args());
    shell.arg("--state").arg(state(folder)).current_dir(folder.project());
    shell.env_clear().env("HOME", folder.project().parent().unwrap());
    shell.stdin(Stdio::null()).output().unwrap()
}

fn compared(folder: &Folder, id: &str) -> i32 {
    let state = state(folder);
    folder.run(&["fingerprint", "compare", id, "--state", state.to_str().unwrap()], "").0
}

/// The ids of all baselines that can be found under their names.
fn kept(folder: &Folder) -> Vec<String> {
    let mut ids = Vec::new();
    let mut waiting = vec![state(folder)];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(next).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|e| e == "baseline") {
                ids.push(path.file_stem().unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    ids
}

fn id_of(output: &Output) -> String {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().last().unwrap_or("").to_owned()
}

#[test]
fn a_beginning_that_is_killed_at_any_block_leaves_the_older_baseline_and_no_half_one() {
    let folder = project();
    let first = id_of(&begun_within(&folder, 1_000, ""));
    assert_eq!(compared(&folder, &first), 0);
    fs::write(folder.project().join("file-00.js"), "changed").unwrap();
    let mut n_killed = 0;
    for blocks in 0..200 {
        let output = begun_within(&folder, blocks, "");
        for id in kept(&folder) {
            let expected = if id == first { 1 } else { 0 };
            assert_eq!(compared(&folder, &id), expected, "{blocks} blocks");
        }
        if output.status.success() {
            assert!(kept(&folder).contains(&id_of(&output)), "{blocks} blocks");
            break;
        }
        assert!(output.status.signal().is_some(), "{blocks} blocks: {output:?}");
        assert_eq!(kept(&folder), [first.as_str()], "{blocks} blocks");
        n_killed += 1;
    }
    assert!(n_killed >= 4, "a baseline takes several blocks, and it was killed {n_killed} times");
    assert_eq!(kept(&folder).len(), 2);
}

#[test]
fn a_full_disk_is_said_and_leaves_the_older_baseline_and_no_half_one() {
    let folder = project();
    let first = id_of(&begun_within(&folder, 1_000, ""));
    fs::write(folder.project().join("file-00.js"), "changed").unwrap();
    let mut n_full = 0;
    for blocks in 0..200 {
        let output = begun_within(&folder, blocks, "trap '' XFSZ;");
        assert!(output.status.success(), "{blocks} blocks: {output:?}");
        let text = String::from_utf8(output.stdout.clone()).unwrap();
        if !text.contains("kept in memory only") {
            break;
        }
        // It is gone with its process, so a comparison cannot be told, and the older one is as it was.
        assert_eq!(compared(&folder, &id_of(&output)), 2, "{blocks} blocks");
        assert_eq!((kept(&folder), compared(&folder, &first)), (vec![first.clone()], 1));
        n_full += 1;
    }
    assert!(n_full >= 4, "a baseline takes several blocks, and the disk was full {n_full} times");
    assert_eq!(kept(&folder).len(), 2);
}

#[test]
fn several_processes_at_once_never_mix_what_they_keep() {
    let folder = project();
    let ids: Vec<String> = std::thread::scope(|scope| {
        let begin = |n: usize| {
            // Every other one takes the same baseline as another.
            let allow = format!("out-{}", n / 2);
            let state = state(&folder);
            let arguments = ["fingerprint", "begin", "--allow", &allow, "--state"];
            let arguments = [&arguments[..], &[state.to_str().unwrap()]].concat();
            let (status, output, error) = folder.run(&arguments, "");
            assert_eq!(status, 0, "{error}");
            let id = output.lines().last().unwrap().to_owned();
            assert_eq!(compared(&folder, &id), 0, "its own, while others write");
            id
        };
        let running: Vec<_> = (0..8).map(|n| scope.spawn(move || begin(n))).collect();
        running.into_iter().map(|one| one.join().unwrap()).collect()
    });
    for (n, id) in ids.iter().enumerate() {
        assert_eq!(compared(&folder, id), 0);
        assert_eq!(ids[n / 2 * 2], *id, "one tree, one allowance, one baseline");
    }
    assert_eq!(kept(&folder).len(), 4);
}
