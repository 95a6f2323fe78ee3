//! A law: what is attested of a tree changes exactly when content in scope changes.

use groundline::base::{Quiet, Stop};
use groundline::sources::tree::{Ground, Memory, begin};
use groundline::sources::workspace::Patterns;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const PATHS: [&str; 7] = ["a", "b.js", "d/a", "d/e/c.js", "out/x", "d/b.log", "\u{e4}\n"];

/// Something that is done to a tree.
#[derive(Debug, Clone)]
enum Deed {
    Write(usize, u8),
    Link(usize, u8),
    Remove(usize),
    Executable(usize, bool),
    Times(usize, u32),
    Folder(u8),
}

/// What lies at a path, as far as it counts.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Lies {
    File(u8, bool),
    Link(u8),
}

type Tree = BTreeMap<&'static str, Lies>;

fn deed() -> impl Strategy<Value = Deed> {
    let path = 0..PATHS.len();
    prop_oneof![
        4 => (path.clone(), 0..3_u8).prop_map(|(path, text)| Deed::Write(path, text)),
        1 => (path.clone(), 0..2_u8).prop_map(|(path, text)| Deed::Link(path, text)),
        2 => path.clone().prop_map(Deed::Remove),
        2 => (path.clone(), any::<bool>()).prop_map(|(path, is)| Deed::Executable(path, is)),
        1 => (path, any::<u32>()).prop_map(|(path, at)| Deed::Times(path, at)),
        1 => (0..2_u8).prop_map(Deed::Folder),
    ]
}

/// Does it, to the tree and to what is known of it.
fn done(root: &Path, tree: &mut Tree, deed: &Deed) {
    let at = |path: usize| root.join(PATHS[path]);
    match *deed {
        Deed::Write(path, text) => {
            let was = tree.get(PATHS[path]).cloned();
            if matches!(was, Some(Lies::Link(_))) {
                fs::remove_file(at(path)).unwrap();
            }
            fs::create_dir_all(at(path).parent().unwrap()).unwrap();
            fs::write(at(path), [text; 3]).unwrap();
            let executable = matches!(was, Some(Lies::File(_, true)));
            tree.insert(PATHS[path], Lies::File(text, executable));
        }
        Deed::Link(path, text) => {
            let _ = fs::remove_file(at(path));
            fs::create_dir_all(at(path).parent().unwrap()).unwrap();
            symlink(format!("to-{text}"), at(path)).unwrap();
            tree.insert(PATHS[path], Lies::Link(text));
        }
        Deed::Remove(path) => {
            let _ = fs::remove_file(at(path));
            tree.remove(PATHS[path]);
        }
        Deed::Executable(path, is) => {
            if let Some(Lies::File(_, executable)) = tree.get_mut(PATHS[path]) {
                let mode = if is { 0o755 } else { 0o644 };
                fs::set_permissions(at(path), fs::Permissions::from_mode(mode)).unwrap();
                *executable = is;
            }
        }
        Deed::Times(path, seconds) => {
            if let Some(Lies::File(..)) = tree.get(PATHS[path]) {
                let time = UNIX_EPOCH + Duration::from_secs(seconds.into());
                fs::File::options().write(true).open(at(path)).unwrap().set_modified(time).unwrap();
            }
        }
        Deed::Folder(n) => fs::create_dir_all(root.join(format!("empty-{n}"))).unwrap(),
    }
}

/// What counts of it: `out` and `*.log` are ignored.
fn counted(tree: &Tree) -> Tree {
    let counts = |path: &&str| !path.starts_with("out/") && !path.ends_with(".log");
    tree.iter().filter(|(path, _)| counts(path)).map(|(path, lies)| (*path, lies.clone())).collect()
}

fn attested(root: &Path, memory: Option<&Memory>) -> String {
    let ground = Ground { root, top: root, home: None };
    let nothing = Patterns::of("");
    begin(ground, &nothing, memory, &Stop::default(), &Quiet).unwrap().content(&nothing)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn what_is_attested_changes_exactly_when_content_in_scope_does(
        deeds in proptest::collection::vec(deed(), 1..24)
    ) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("root");
        fs::create_dir_all(root.join(".git")).unwrap();
        fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        fs::write(root.join(".gitignore"), "out/\n*.log\n").unwrap();
        let mut tree = Tree::new();
        let mut seen: Vec<(Tree, String)> = vec![(Tree::new(), attested(&root, None))];
        for deed in &deeds {
            done(&root, &mut tree, deed);
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
            let begun = i64::try_from(now.as_nanos()).unwrap();
            let memory = Memory::of(&dir.path().join("cache"), &root, begun).unwrap();
            let content = attested(&root, Some(&memory));
            prop_assert_eq!(&content, &attested(&root, None), "remembered or read, it is the same");
            let counted = counted(&tree);
            for (before, attested) in &seen {
                prop_assert_eq!(*before == counted, *attested == content, "{:?}", deed);
            }
            seen.push((counted, content));
        }
    }
}
