//! The program's own source as the laws of the house see it: files, modules, and code without tests and comments.

use crate::program::top;
use std::fs;
use std::path::{Path, PathBuf};

/// One file below `src`.
pub struct File {
    /// Its path from `src`, with `/`.
    pub path: String,
    /// The whole text.
    pub text: String,
    /// Without comments and without what only tests see.
    pub code: String,
}

/// All files below `src` in order of their paths; files that only tests see are left out.
pub fn files() -> Vec<File> {
    let src = top().join("src");
    let mut paths = Vec::new();
    gather(&src, &mut paths);
    paths.sort();
    let files = paths.iter().map(|path| {
        let text = fs::read_to_string(path).unwrap().replace("\r\n", "\n");
        let path = path.strip_prefix(&src).unwrap().to_str().unwrap().replace('\\', "/");
        File { path, code: code_of(&text), text }
    });
    files.filter(|file| !file.path.ends_with("/tests.rs")).collect()
}

fn gather(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            gather(&path, paths);
        } else if path.extension().is_some_and(|e| e == "rs") {
            paths.push(path);
        }
    }
}

/// Tests stand at the end of a file.
fn code_of(text: &str) -> String {
    let lines = text.lines().take_while(|line| *line != "#[cfg(test)]");
    let code = lines.filter(|line| !line.trim_start().starts_with("//"));
    code.map(|line| format!("{line}\n")).collect()
}

/// Where `word` stands in `code` as a whole name, or as the beginning of one if it ends in `_`.
pub fn places<'c>(code: &'c str, word: &'c str) -> impl Iterator<Item = usize> + 'c {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let before = code[..*at].chars().next_back();
        let after = code[at + word.len()..].chars().next();
        !before.is_some_and(is_name) && (word.ends_with('_') || !after.is_some_and(is_name))
    })
}
