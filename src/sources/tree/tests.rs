//! Trees that are made, fingerprinted, changed and fingerprinted again.

use super::*;
use crate::base::Quiet;
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
    begin(ground(root), &Patterns::of(""), &Stop::default(), &Quiet).unwrap()
}

fn covered(fingerprint: &Fingerprint) -> Vec<String> {
    let counted = fingerprint.entries.iter().filter(|e| e.is_counted());
    counted.map(|e| e.path.to_string()).collect()
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
    let now = again(ground(&root), &base.frame, &Patterns::of(""), &Stop::default(), &Quiet);
    assert_eq!(covered(&now.unwrap()), [".gitignore", "a.js", "new.js"]);
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
    let base = begin(part, &Patterns::of(""), &Stop::default(), &Quiet).unwrap();
    assert_eq!(covered(&base), ["a.js"]);
    let now = again(part, &base.frame, &Patterns::of(""), &Stop::default(), &Quiet).unwrap();
    assert_eq!(covered(&now), ["a.js"]);
    fs::write(top.join(".gitignore"), "tmp\n").unwrap();
    let root = top.join("tmp");
    let part = Ground { root: &root, top: &top, home: None };
    let alone = begin(part, &Patterns::of(""), &Stop::default(), &Quiet).unwrap();
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
    let ended = begin(ground(&root), &Patterns::of(""), &stop, &Quiet);
    assert!(matches!(ended, Err(TreeTrouble::Stopped)));
}
