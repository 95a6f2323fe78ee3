//! Trees that are made, fingerprinted, changed and fingerprinted again.

use super::*;
use std::fs;
use std::path::Path;

fn written(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let at = dir.path().join(path);
        fs::create_dir_all(at.parent().unwrap()).unwrap();
        fs::write(at, text).unwrap();
    }
    dir
}

fn ground(root: &Path) -> Ground<'_> {
    Ground { root, top: root, home: None }
}

fn begun(root: &Path) -> Fingerprint {
    begin(ground(root), &Patterns::of(""), None, &Stop::default(), &Quiet).unwrap()
}

fn covered(fingerprint: &Fingerprint) -> Vec<String> {
    counted(fingerprint.entries.iter())
}

fn counted<'e>(entries: impl Iterator<Item = &'e Entry>) -> Vec<String> {
    let counted = entries.filter(|e| e.is_counted());
    let mut paths: Vec<String> = counted.map(|e| e.path.to_string()).collect();
    paths.sort();
    paths
}

const HEAD: (&str, &str) = (".git/HEAD", "ref: refs/heads/main\n");

#[test]
fn what_is_ignored_is_seen_but_not_covered() {
    let files = [
        HEAD,
        (".gitignore", "out/\n"),
        ("a.js", ""),
        ("out/b.js", ""),
        ("src/.gitignore", "*.log"),
    ];
    let dir = written(&[&files[..], &[("src/x.log", ""), ("y.log", "")]].concat());
    let root = dir.path().canonicalize().unwrap();
    let base = begun(&root);
    assert_eq!(covered(&base), [".gitignore", "a.js", "src/.gitignore", "y.log"]);
    let hidden = base.entry(&TreePath::of(b"out/b.js")).unwrap();
    assert_eq!(hidden.scope, Scope::Ignored);
}

#[test]
fn a_later_ignore_rule_uncovers_nothing() {
    let dir = written(&[HEAD, (".gitignore", "out/\n"), ("a.js", "")]);
    let root = dir.path().canonicalize().unwrap();
    let base = begun(&root);
    fs::write(root.join(".gitignore"), "*\n").unwrap();
    fs::write(root.join("new.js"), "").unwrap();
    let now = again(ground(&root), &base, &Patterns::of(""), &Stop::default(), &Quiet);
    assert_eq!(counted(now.unwrap().seen.entries()), [".gitignore", "a.js", "new.js"]);
}

#[test]
fn a_folder_without_a_repository_is_covered_whole() {
    let dir = written(&[(".gitignore", "*\n"), ("a.js", "")]);
    assert_eq!(covered(&begun(&dir.path().canonicalize().unwrap())), [".gitignore", "a.js"]);
}

#[test]
fn a_part_of_a_repository_is_ruled_from_above() {
    let files = [HEAD, (".gitignore", "*.log\n/pkg/gen\n"), ("pkg/a.js", ""), ("pkg/x.log", "")];
    let dir = written(&[&files[..], &[("pkg/gen/b.js", ""), ("tmp/own.js", "")]].concat());
    let top = dir.path().canonicalize().unwrap();
    let root = top.join("pkg");
    let part = Ground { root: &root, top: &top, home: None };
    let base = begin(part, &Patterns::of(""), None, &Stop::default(), &Quiet).unwrap();
    assert_eq!(covered(&base), ["a.js"]);
    let now = again(part, &base, &Patterns::of(""), &Stop::default(), &Quiet).unwrap();
    assert_eq!(counted(now.seen.entries()), ["a.js"]);
    fs::write(top.join(".gitignore"), "tmp\n").unwrap();
    let root = top.join("tmp");
    let part = Ground { root: &root, top: &top, home: None };
    let alone = begin(part, &Patterns::of(""), None, &Stop::default(), &Quiet).unwrap();
    assert_eq!(covered(&alone), ["own.js"], "an ignored root is a tree of its own");
}

#[test]
fn the_same_content_has_the_same_hash_whenever_it_was_written() {
    let dir = written(&[("a.js", "let a")]);
    let root = dir.path().canonicalize().unwrap();
    let hash = |root: &Path| begun(root).entry(&TreePath::of(b"a.js")).unwrap().hash;
    let before = hash(&root);
    fs::write(root.join("a.js"), "let b").unwrap();
    assert_ne!(hash(&root), before);
    fs::remove_file(root.join("a.js")).unwrap();
    fs::write(root.join("a.js"), "let a").unwrap();
    assert_eq!(hash(&root), before);
}

#[test]
fn a_walk_that_nobody_waits_for_ends() {
    let dir = written(&[("a.js", "")]);
    let stop = Stop::default();
    stop.set();
    let root = dir.path().canonicalize().unwrap();
    let ended = begin(ground(&root), &Patterns::of(""), None, &stop, &Quiet);
    assert!(matches!(ended, Err(TreeTrouble::Stopped)));
}

#[cfg(unix)]
#[test]
fn a_beginning_believes_what_is_remembered_and_a_comparison_reads() {
    let dir = written(&[("root/a.js", "let a"), ("root/b.js", "let b")]);
    let root = dir.path().canonicalize().unwrap().join("root");
    let cache = dir.path().join("cache");
    let hash =
        |of: &Fingerprint, path: &str| of.entry(&TreePath::of(path.as_bytes())).unwrap().hash;
    let begin_with = |begun: i64| {
        let memory = Memory::of(&cache, &root, begun).unwrap();
        let nothing = Patterns::of("");
        begin(ground(&root), &nothing, Some(&memory), &Stop::default(), &Quiet).unwrap()
    };
    let read = begun(&root);
    // As if all of it had been written long ago.
    assert_eq!(begin_with(i64::MAX), read);
    let file = Memory::of(&cache, &root, 0).unwrap().file;
    let remembered = Remembered::load(&file).unwrap();
    assert_eq!(remembered.n_files(), 2);
    // A record that says another hash of a file with this very trace: what is wrong in it shows at a beginning only.
    let mut entries = read.entries.clone();
    let bent = entries.iter_mut().find(|e| e.path.bytes() == b"a.js").unwrap();
    bent.hash = [7; 32];
    Remembered::keep(&entries, &Memory { file, begun: i64::MAX });
    let believed = begin_with(0);
    assert_eq!(hash(&believed, "a.js"), [7; 32]);
    assert_eq!(hash(&believed, "b.js"), hash(&read, "b.js"));
    let nothing = Patterns::of("");
    let now = again(ground(&root), &believed, &nothing, &Stop::default(), &Quiet).unwrap();
    let seen = now.seen.entry(&TreePath::of(b"a.js")).unwrap().hash;
    assert_eq!(seen, hash(&read, "a.js"));
}
