//! `package.json` to a record: what a package is called, where its declarations begin, what it depends on.
//!
//! What is not as expected is as if it were absent; a manifest is data, and no script in it is looked at.

use crate::base::Name;
use crate::sources::workspace::opening::bytes_of;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::Path;

/// The largest manifest that is read, in bytes.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// What a `package.json` says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Manifest {
    /// `version`.
    pub version: Name,
    /// `types`, else `typings`.
    pub types: Option<String>,
    /// `main`.
    pub main: Option<String>,
    /// `exports`.
    pub exports: Option<Value>,
    /// `typesVersions`, in the order of its ranges.
    pub types_versions: Vec<(String, Map<String, Value>)>,
    /// The names in `dependencies`, `devDependencies`, `peerDependencies` and `optionalDependencies`.
    pub dependencies: Vec<Name>,
    /// The globs of `workspaces`.
    pub workspaces: Vec<String>,
    /// Where it says it runs.
    pub signs: Signs,
}

/// What a manifest says about where its code runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Signs {
    /// `engines.node`, `bin` or `type` stands there.
    pub node: Sign,
    /// `browserslist` or `browser` stands there.
    pub browser: Sign,
}

/// Whether something stands there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sign {
    /// It does not.
    #[default]
    Absent,
    /// It does.
    Present,
}

impl Sign {
    /// A sign that is present if `it` is.
    pub fn of(it: bool) -> Sign {
        if it { Sign::Present } else { Sign::Absent }
    }
}

/// The manifest in `folder`, if there is one that can be read.
pub fn in_folder(folder: &Path) -> Option<Manifest> {
    let bytes = bytes_of(&folder.join("package.json"), MAX_BYTES).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    Some(manifest(&serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?))
}

/// What `value`, a manifest's JSON, says.
pub fn manifest(value: &Value) -> Manifest {
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_string);
    let mut dependencies: BTreeMap<Name, ()> = BTreeMap::new();
    for kind in ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] {
        let named = value.get(kind).and_then(Value::as_object).into_iter().flatten();
        dependencies.extend(named.filter(|(n, _)| is_name(n)).map(|(n, _)| (n.into(), ())));
    }
    let versions = value.get("typesVersions").and_then(Value::as_object).into_iter().flatten();
    let versions =
        versions.filter_map(|(range, paths)| Some((range.clone(), paths.as_object()?.clone())));
    let workspaces = value.get("workspaces");
    let workspaces = workspaces.and_then(|w| w.get("packages")).or(workspaces);
    let has = |key: &str| value.get(key).is_some_and(|v| !v.is_null());
    Manifest {
        version: text("version").unwrap_or_default().into(),
        types: text("types").or_else(|| text("typings")),
        main: text("main").filter(|m| !m.is_empty()),
        exports: value.get("exports").filter(|e| !e.is_null()).cloned(),
        types_versions: versions.collect(),
        dependencies: dependencies.into_keys().collect(),
        workspaces: texts(workspaces),
        signs: Signs {
            node: Sign::of(
                value.get("engines").is_some_and(|e| e.get("node").is_some())
                    || has("bin")
                    || has("type"),
            ),
            browser: Sign::of(has("browserslist") || has("browser")),
        },
    }
}

/// Whether `name` can be a package's: a folder or a scope and a folder, nothing that climbs.
pub fn is_name(name: &str) -> bool {
    let plain = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.len() <= 214
            && !part.contains(['/', '\\', '\0', ':'])
    };
    match name.strip_prefix('@') {
        Some(scoped) => scoped.split_once('/').is_some_and(|(scope, n)| plain(scope) && plain(n)),
        None => plain(name),
    }
}

/// The package that a specifier means: its first part, or two where it is scoped; nothing where it means no package.
pub fn package_of(specifier: &str) -> Option<&str> {
    let n_parts = if specifier.starts_with('@') { 2 } else { 1 };
    let end = specifier.match_indices('/').nth(n_parts - 1).map_or(specifier.len(), |(at, _)| at);
    let name = &specifier[..end];
    is_name(name).then_some(name)
}

/// The name of the package in `@types` that declares `name`.
pub fn types_name(name: &str) -> String {
    match name.strip_prefix('@') {
        Some(scoped) => format!("@types/{}", scoped.replacen('/', "__", 1)),
        None => format!("@types/{name}"),
    }
}

/// What code writes for the package that `name`, in `@types` or not, declares.
pub fn users_name(name: &str) -> Name {
    match name.strip_prefix("@types/") {
        None => name.into(),
        Some(mangled) => match mangled.split_once("__") {
            Some((scope, inner)) => format!("@{scope}/{inner}").into(),
            None => mangled.into(),
        },
    }
}

fn texts(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_array).into_iter().flatten();
    items.filter_map(Value::as_str).map(str::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_paths_and_mapped_to_their_types() {
        assert_eq!(package_of("three/addons/x.js"), Some("three"));
        assert_eq!(package_of("@a/b/c"), Some("@a/b"));
        for no in ["./a", "../a", "/a", "", "@a", "node:fs", "#internal/.."] {
            assert!(package_of(no).is_none_or(|n| n == "#internal"), "{no}");
        }
        assert_eq!(types_name("@a/b"), "@types/a__b");
        assert_eq!(users_name("@types/a__b"), "@a/b");
        assert_eq!(users_name("@types/node"), "node");
    }
}
