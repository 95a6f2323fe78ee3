//! What a project's `tsconfig.json` or `jsconfig.json` says about the declarations that hold: `lib` and `types`.
//!
//! The text is JSON with comments and trailing commas. `extends` is followed inside the repository only.

use crate::sources::workspace::opening::bytes_of;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The largest configuration that is read, in bytes.
const MAX_BYTES: u64 = 1024 * 1024;

/// How many configurations may extend each other.
const MAX_EXTENDED: usize = 8;

/// What is said about declarations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Compiler {
    /// `compilerOptions.lib`, in lower case.
    pub lib: Option<Vec<String>>,
    /// `compilerOptions.types`.
    pub types: Option<Vec<String>>,
}

/// What holds in `folder`, whose repository ends at `top`.
pub fn compiler(folder: &Path, top: &Path) -> Compiler {
    let mut said = Compiler::default();
    let files = ["tsconfig.json", "jsconfig.json"].map(|name| folder.join(name));
    let mut next: Option<PathBuf> = files.into_iter().find(|f| f.is_file());
    for _ in 0..MAX_EXTENDED {
        let Some(file) = next.take() else { break };
        let inside = file.canonicalize().is_ok_and(|real| real.starts_with(top));
        let Some(value) = inside.then(|| read(&file)).flatten() else { break };
        let options = value.get("compilerOptions");
        let texts = |key: &str| {
            let items = options.and_then(|o| o.get(key)).and_then(Value::as_array)?;
            Some(items.iter().filter_map(Value::as_str).map(str::to_string).collect::<Vec<_>>())
        };
        let lower = |all: Vec<String>| all.iter().map(|l| l.to_ascii_lowercase()).collect();
        said.lib = said.lib.take().or_else(|| texts("lib").map(lower));
        said.types = said.types.take().or_else(|| texts("types"));
        let base = value.get("extends").and_then(Value::as_str).filter(|e| e.starts_with('.'));
        next = base.zip(file.parent()).map(|(base, folder)| {
            let path = folder.join(base);
            if path.is_file() { path } else { folder.join(format!("{base}.json")) }
        });
    }
    said
}

fn read(file: &Path) -> Option<Value> {
    let bytes = bytes_of(file, MAX_BYTES).ok()?;
    serde_json::from_str(&plain(&String::from_utf8_lossy(&bytes))).ok()
}

/// JSON without the comments and trailing commas of `text`.
fn plain(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.trim_start_matches('\u{feff}');
    while let Some(c) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("//") {
            rest = comment.find('\n').map_or("", |end| &comment[end..]);
        } else if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.find("*/").map_or("", |end| &comment[end + 2..]);
        } else if c == '"' {
            let end = string_end(rest);
            kept.push_str(&rest[..end]);
            rest = &rest[end..];
        } else {
            if matches!(c, ']' | '}') {
                let before = kept.trim_end();
                let cut = before.strip_suffix(',').map_or(kept.len(), str::len);
                kept.truncate(cut);
            }
            kept.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    kept
}

/// The byte behind the string that `text` begins with.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn comments_commas_and_what_is_extended_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        fs::create_dir(top.join("p")).unwrap();
        fs::write(top.join("base.json"), r#"{"compilerOptions": {"lib": ["ES2020", "DOM"]}}"#)
            .unwrap();
        let text = "{ // \"types\"\n \"extends\": \"../base\", /* x */\n\
            \"compilerOptions\": {\"types\": [\"node\", \"http://a\",],},\n}";
        fs::write(top.join("p/tsconfig.json"), text).unwrap();
        let said = compiler(&top.join("p"), &top);
        assert_eq!(said.lib, Some(vec!["es2020".into(), "dom".into()]));
        assert_eq!(said.types, Some(vec!["node".into(), "http://a".into()]));
        assert_eq!(compiler(&top, &top), Compiler::default());
    }
}
