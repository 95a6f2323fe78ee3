//! Data flows down the page: a file names only what stands above it.
//!
//! Rooms are in the order of `lib.rs`, files of a room in the order of its `mod` lines, and no two files name each
//! other, be it over a third.

use crate::source::{File, files, places};
use std::collections::{BTreeMap, BTreeSet};

/// A module by its path: `["server", "wire"]`; the crate itself is the empty path.
type Module = Vec<String>;

struct House {
    files: BTreeMap<Module, File>,
    /// The modules that each module declares, in order.
    declared: BTreeMap<Module, Vec<String>>,
}

impl House {
    fn read() -> House {
        let files: BTreeMap<Module, File> = files()
            .into_iter()
            .filter(|file| file.path != "main.rs")
            .map(|file| (module_of(&file.path), file))
            .collect();
        let declared = files.iter().map(|(m, file)| (m.clone(), declared_in(&file.code))).collect();
        House { files, declared }
    }

    /// The deepest module that this path names.
    fn resolve(&self, path: &[String]) -> Module {
        let n_known = (0..=path.len()).rev().find(|n| self.files.contains_key(&path[..*n]));
        path[..n_known.unwrap_or(0)].to_vec()
    }

    /// Every module that this one names.
    fn named_by(&self, module: &Module) -> BTreeSet<Module> {
        let code = &self.files[module].code;
        let mut named = BTreeSet::new();
        for (word, base) in [("crate", Some(0)), ("self", Some(module.len())), ("super", None)] {
            for at in places(code, word) {
                let Some(rest) = code[at + word.len()..].strip_prefix("::") else { continue };
                let (base, rest) = match base {
                    Some(n) => (n, rest),
                    None => climbed(module.len(), rest),
                };
                for path in expanded(rest) {
                    named.insert(self.resolve(&[&module[..base], &path[..]].concat()));
                }
            }
        }
        for child in &self.declared[module] {
            let called = places(code, child).any(|at| {
                let line = code[..at].rsplit('\n').next().unwrap_or("");
                // Handing a child's names on is no use of them.
                let is_handed_on = line.trim_start().starts_with("pub use");
                code[at + child.len()..].starts_with("::") && !line.ends_with("::") && !is_handed_on
            });
            if called {
                named.insert([&module[..], std::slice::from_ref(child)].concat());
            }
        }
        named.remove(module);
        named
    }

    /// Whether `named` stands above `module`; a module and what is inside of it stand beside each other.
    fn is_above(&self, named: &Module, module: &Module) -> bool {
        let n_shared = named.iter().zip(module).take_while(|(a, b)| a == b).count();
        let (Some(theirs), Some(ours)) = (named.get(n_shared), module.get(n_shared)) else {
            return true;
        };
        let order = &self.declared[&module[..n_shared]];
        let place = |name: &String| order.iter().position(|declared| declared == name);
        place(theirs) < place(ours)
    }
}

#[test]
fn a_file_names_only_what_stands_above_it() {
    let house = House::read();
    let mut found = Vec::new();
    for module in house.files.keys() {
        for named in house.named_by(module) {
            if !house.is_above(&named, module) {
                found.push(format!("{} names {}", module.join("::"), named.join("::")));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_files_name_each_other() {
    let house = House::read();
    let named: BTreeMap<&Module, BTreeSet<Module>> =
        house.files.keys().map(|module| (module, house.named_by(module))).collect();
    for module in house.files.keys() {
        let mut reached = BTreeSet::new();
        let mut waiting: Vec<&Module> = named[module].iter().collect();
        while let Some(next) = waiting.pop() {
            assert_ne!(next, module, "{} comes back to itself", module.join("::"));
            if reached.insert(next) {
                waiting.extend(&named[next]);
            }
        }
    }
}

#[test]
fn rooms_are_in_their_order() {
    let order = [
        "base",
        "words",
        "types",
        "sources",
        "datagraph",
        "corpus",
        "answers",
        "envelope",
        "session",
        "deeds",
        "server",
        "hosts",
        "cli",
    ];
    let house = House::read();
    let rooms = &house.declared[&Module::new()];
    let mut rest = order.iter();
    for room in rooms {
        assert!(rest.any(|known| known == room), "{room} is not in its place: {rooms:?}");
    }
}

fn module_of(path: &str) -> Module {
    let path = path.trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    if path == "lib" { Module::new() } else { path.split('/').map(str::to_owned).collect() }
}

fn declared_in(code: &str) -> Vec<String> {
    let names = code.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["mod", name] | [_, "mod", name] => name.strip_suffix(';'),
            _ => None,
        }
    });
    names.map(str::to_owned).collect()
}

/// Where `super::` leads from a module at this depth, and what is left of the path.
fn climbed(depth: usize, rest: &str) -> (usize, &str) {
    let depth = depth.saturating_sub(1);
    match rest.strip_prefix("super::") {
        Some(rest) => climbed(depth, rest),
        None => (depth, rest),
    }
}

/// All paths that a tree such as `base::{Stop, Span as S}` at the beginning of `text` names.
fn expanded(text: &str) -> Vec<Module> {
    let text = text.trim_start();
    if let Some(group) = text.strip_prefix('{') {
        return branches(group).into_iter().flat_map(expanded).collect();
    }
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let (name, rest) = (text[..end].to_owned(), &text[end..]);
    match rest.strip_prefix("::") {
        Some(rest) if !name.is_empty() => expanded(rest)
            .into_iter()
            .map(|path| std::iter::once(name.clone()).chain(path).collect())
            .collect(),
        _ => vec![vec![name]],
    }
}

/// The parts of a group, up to its end.
fn branches(group: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => {
                parts.push(&group[start..at]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&group[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.into_iter().filter(|part| !part.trim().is_empty()).collect()
}

#[test]
fn trees_are_expanded() {
    let paths = |text| expanded(text).iter().map(|p| p.join("::")).collect::<Vec<_>>();
    assert_eq!(
        paths("base::{Stop, deep::{A as B, C}, self};"),
        ["base::Stop", "base::deep::A", "base::deep::C", "base::self"]
    );
    assert_eq!(paths("types::Type>,"), ["types::Type"]);
}
