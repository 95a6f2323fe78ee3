//! What keeps the house tidy: opening words, length, names, and outside crates in their rooms.

use crate::program::top;
use crate::source::{File, files, places};
use std::fs;

/// The packages of `Cargo.lock`. A new one is a decision: DECISIONS.md says why, and this number says that it did.
const N_PACKAGES: usize = 415;

/// A file longer than this is two.
const MAX_LINES: usize = 600;

/// Files that are longer and wait to be divided; nothing is added here.
const WAITING: &[&str] = &["sources/script/mod.rs", "types/parse.rs"];

const FORBIDDEN: &[&str] = &[
    "manager",
    "helper",
    "helpers",
    "util",
    "utils",
    "service",
    "processor",
    "engine",
    "data",
    "info",
    "simple",
    "smart",
    "v2",
    "get",
];

/// Outside crates (a name that ends in `_` stands for all that begin so), and below which paths they may be named.
const ROOMS: &[(&str, &[&str])] = &[
    ("tree_sitter", &["sources/script"]),
    ("tree_sitter_", &["sources/script"]),
    ("oxc_", &["sources/declarations", "sources/script/whole"]),
    ("pulldown_cmark", &["sources/pages"]),
    ("html5gum", &["sources/pages"]),
    ("quick_xml", &["sources/pages"]),
    ("saphyr_parser", &["sources/pages"]),
    ("json_event_parser", &["sources/pages"]),
    ("rmcp", &["server", "deeds/tour"]),
    ("ignore::", &["sources/workspace"]),
    ("globset", &["sources/workspace", "sources/settings", "sources/search"]),
    ("grep_", &["sources/search"]),
    ("regex::", &["sources/settings/patterns"]),
    ("rustix", &["sources/workspace", "server/hands", "deeds/verify"]),
    ("notify::", &["sources/watch"]),
    ("sha1", &["sources/repository"]),
    ("miniz_oxide", &["sources/repository"]),
    ("tokio", &["server", "deeds", "main"]),
    ("tokio_util", &["server"]),
    ("hyper", &["server/http"]),
    ("hyper_util", &["server/http"]),
    ("jsonwebtoken", &["server/http/oauth"]),
    ("prometheus_client", &["server/metrics"]),
    ("tantivy", &["corpus/documents"]),
    ("frostem", &["words"]),
    ("clap", &["cli"]),
    ("etcetera", &["cli"]),
    ("indicatif", &["cli"]),
];

fn assert_none(found: &[String]) {
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_file_opens_with_what_it_holds() {
    let opens = |file: &File| file.text.starts_with("//! ") && file.text.len() > "//! ".len() + 20;
    let found: Vec<String> = files().into_iter().filter(|f| !opens(f)).map(|f| f.path).collect();
    assert_none(&found);
}

#[test]
fn no_file_is_longer_than_two_should_be() {
    let long = |file: &File| {
        let n_lines = file.text.lines().take_while(|line| *line != "#[cfg(test)]").count();
        let is_waiting = WAITING.contains(&file.path.as_str());
        ((n_lines > MAX_LINES) != is_waiting)
            .then(|| format!("{} has {n_lines} lines before its tests", file.path))
    };
    let found: Vec<String> = files().iter().filter_map(long).collect();
    assert_none(&found);
}

#[test]
fn no_public_name_says_nothing() {
    let mut found = Vec::new();
    for file in files() {
        for name in file.code.lines().filter_map(public_name) {
            let words = words_of(name);
            if words.iter().any(|word| FORBIDDEN.contains(&word.as_str())) {
                found.push(format!("{}: {name}", file.path));
            }
        }
    }
    assert_none(&found);
}

#[test]
fn outside_crates_stay_in_their_rooms() {
    let mut found = Vec::new();
    for file in files() {
        let room = file.path.trim_end_matches(".rs");
        for (name, rooms) in ROOMS {
            let is_home = rooms.iter().any(|home| {
                room.strip_prefix(home).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            });
            if !is_home
                && places(&file.code, name.trim_end_matches("::"))
                    .any(|at| names(&file.code, at, name))
            {
                found.push(format!("{} names {name}", file.path));
            }
        }
    }
    assert_none(&found);
}

#[test]
fn new_packages_are_counted() {
    let lock = fs::read_to_string(top().join("Cargo.lock")).unwrap();
    assert_eq!(lock.lines().filter(|line| *line == "[[package]]").count(), N_PACKAGES);
}

/// Whether the crate `name` is meant at this place, and not a word that is spelt like it.
fn names(code: &str, at: usize, name: &str) -> bool {
    !name.ends_with("::") || code[at..].starts_with(name)
}

/// The name of the item that a line makes public.
fn public_name(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub")?;
    let rest = match rest.strip_prefix('(') {
        Some(scope) => scope.split_once(')')?.1,
        None => rest,
    };
    let mut words =
        rest.split_whitespace().skip_while(|w| ["const", "async", "unsafe"].contains(w));
    let kinds = ["fn", "struct", "enum", "trait", "type", "static", "mod"];
    let first = words.next()?;
    let name = if kinds.contains(&first) { words.next()? } else { first };
    let is_item = kinds.contains(&first) || rest.trim_start().starts_with("const ");
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    is_item.then_some(&name[..end])
}

/// `SymbolTable`, `symbol_table` and `SYMBOL_TABLE` are two words.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = '_';
    for letter in name.chars() {
        if letter == '_' || (letter.is_uppercase() && before.is_lowercase()) {
            words.push(String::new());
        }
        if letter != '_'
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words
}

#[test]
fn names_are_read_as_they_are_written() {
    assert_eq!(public_name("pub fn data_of(x: u8)"), Some("data_of"));
    assert_eq!(public_name("    pub(crate) const MAX: u8 = 1;"), Some("MAX"));
    assert_eq!(public_name("pub async fn go<T>()"), Some("go"));
    assert_eq!(public_name("    pub data: Value,"), None);
    assert_eq!(words_of("SymbolTable"), ["symbol", "table"]);
    assert_eq!(words_of("datagraph_of"), ["datagraph", "of"]);
    assert_eq!(words_of("MAX_LINES"), ["", "max", "lines"][1..]);
}
