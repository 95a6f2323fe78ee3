//! What code can write to import from a package, and the declaration file that each means.
//!
//! With `exports` only what it lists; without, every file. Conditions are tried in their order, and the first that
//! leads to a declaration file holds.

use super::listing::{Listing, script_of, stem};
use super::manifest::Manifest;
use crate::base::Name;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The version of TypeScript whose rules `typesVersions` ranges are read for.
const TYPESCRIPT: (u32, u32) = (6, 0);

/// What code can write, and what it means.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entries {
    /// What code writes, and the file that it means.
    pub specifiers: BTreeMap<Name, String>,
    /// The file that the package's own name means.
    pub main: Option<String>,
    /// The files that are reached because somebody may import them by their path.
    pub deep: Vec<String>,
}

/// What code can write to import from the package `name`.
pub fn entries(name: &str, manifest: &Manifest, listing: &Listing) -> Entries {
    let mut found = Entries::default();
    match &manifest.exports {
        Some(exports) => exported(name, exports, listing, &mut found),
        None => every_path(name, manifest, listing, &mut found),
    }
    let main = found.specifiers.get(name).cloned().or_else(|| main(manifest, listing));
    if let Some(main) = &main {
        found.specifiers.insert(name.into(), main.clone());
    }
    found.main = main;
    found
}

/// The file in which the declarations of the package begin, `exports` aside.
fn main(manifest: &Manifest, listing: &Listing) -> Option<String> {
    let declared = manifest.types.as_deref().and_then(|t| versioned(manifest, listing, t));
    let beside = || manifest.main.as_deref().and_then(|m| versioned(manifest, listing, m));
    declared
        .or_else(beside)
        .or_else(|| versioned(manifest, listing, "index"))
        .or_else(|| listing.file("index").map(str::to_string))
}

/// The file that `path` means under the `typesVersions` that hold, or as it stands.
fn versioned(manifest: &Manifest, listing: &Listing, path: &str) -> Option<String> {
    let plain = path.trim_start_matches("./");
    let holds = manifest.types_versions.iter().find(|(range, _)| admits(range));
    for (pattern, targets) in holds.map(|(_, paths)| paths).into_iter().flatten() {
        let Some(star) = starred(pattern.trim_start_matches("./"), plain) else { continue };
        for target in targets.as_array().into_iter().flatten().filter_map(Value::as_str) {
            if let Some(file) = listing.file(&target.replace('*', star)) {
                return Some(file.to_string());
            }
        }
    }
    listing.file(plain).map(str::to_string)
}

/// Whether a range of `typesVersions` admits the TypeScript whose rules are followed.
fn admits(range: &str) -> bool {
    range.split("||").any(|part| part.split_whitespace().all(admits_one))
}

fn admits_one(bound: &str) -> bool {
    let number = bound.trim_start_matches(['<', '>', '=', '^', '~', 'v']);
    let mut parts = number.split('.').map(|p| p.split('-').next().unwrap_or(p).parse::<u32>());
    let Some(Ok(major)) = parts.next() else { return bound == "*" };
    let at = (major, parts.next().and_then(Result::ok).unwrap_or(0));
    match &bound[..bound.len() - number.len()] {
        ">=" => TYPESCRIPT >= at,
        ">" => TYPESCRIPT > at,
        "<=" => TYPESCRIPT <= at,
        "<" => TYPESCRIPT < at,
        _ => TYPESCRIPT.0 == at.0,
    }
}

fn every_path(name: &str, manifest: &Manifest, listing: &Listing, found: &mut Entries) {
    // Folders that `typesVersions` keeps for other compilers say again what the rest says.
    let other: Vec<&str> = manifest
        .types_versions
        .iter()
        .filter(|(range, _)| !admits(range))
        .flat_map(|(_, paths)| paths.values().filter_map(Value::as_array).flatten())
        .filter_map(|target| target.as_str()?.trim_start_matches("./").split_once('*'))
        .map(|(before, _)| before)
        .filter(|before| !before.is_empty())
        .collect();
    for file in listing.files.iter().filter(|f| !other.iter().any(|o| f.starts_with(o))) {
        let stem = stem(file);
        let mut written = vec![stem.to_string()];
        written.extend(script_of(file));
        written.extend(stem.strip_suffix("/index").map(str::to_string));
        for path in written {
            found.specifiers.entry(format!("{name}/{path}").into()).or_insert(file.clone());
        }
        found.deep.push(file.clone());
    }
    for folder in &listing.manifests {
        // The manifest of a folder redirects it; where it declares nothing the folder's index stands.
        if let Some(file) = listing.file(folder) {
            let specifier = format!("{name}/{folder}");
            found.specifiers.entry(specifier.into()).or_insert(file.to_string());
        }
    }
}

fn exported(name: &str, exports: &Value, listing: &Listing, found: &mut Entries) {
    let subpaths: Vec<(&str, &Value)> = match exports.as_object() {
        Some(map) if map.keys().any(|k| k.starts_with('.')) => {
            map.iter().map(|(k, v)| (k.as_str(), v)).collect()
        }
        _ => vec![(".", exports)],
    };
    let closed: Vec<&str> =
        subpaths.iter().filter(|(_, target)| target.is_null()).map(|(s, _)| *s).collect();
    // Exact subpaths come before patterns, and longer patterns before shorter ones.
    let mut ordered = subpaths;
    ordered.sort_by_key(|(subpath, _)| (subpath.contains('*'), usize::MAX - subpath.len()));
    for (subpath, target) in ordered {
        let said = subpath.trim_start_matches('.').trim_start_matches('/');
        match said.contains('*') || said.ends_with('/') {
            true => pattern(name, said, target, &closed, listing, found),
            false => {
                let specifier =
                    if said.is_empty() { name.into() } else { format!("{name}/{said}") };
                if let Some(file) = exact(target, listing) {
                    found.specifiers.entry(specifier.into()).or_insert(file);
                }
            }
        }
    }
}

/// The declaration file that a target means.
fn exact(target: &Value, listing: &Listing) -> Option<String> {
    match target {
        Value::String(path) => listing.file(path).map(str::to_string),
        Value::Array(either) => either.iter().find_map(|t| exact(t, listing)),
        Value::Object(conditions) => in_order(conditions).find_map(|target| exact(target, listing)),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// The targets of conditions that can hold, the types first wherever they stand.
fn in_order(conditions: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    let is_types = |c: &str| match c.strip_prefix("types@") {
        Some(range) => admits(range),
        None => c == "types",
    };
    let types = conditions.iter().filter(move |(c, _)| is_types(c));
    let rest = conditions.iter().filter(move |(c, _)| !c.starts_with("types") && is_common(c));
    types.chain(rest).map(|(_, target)| target)
}

/// Whether a condition is one that hosts set; names of a package's own (`@scope/source`) lead to its sources.
fn is_common(condition: &str) -> bool {
    !condition.contains(['/', '@']) && !matches!(condition, "source" | "react-native" | "deno")
}

fn pattern(
    name: &str,
    said: &str,
    target: &Value,
    closed: &[&str],
    listing: &Listing,
    found: &mut Entries,
) {
    // `"./x/": "./y/"` is the older spelling of `"./x/*": "./y/*"`.
    let said = if said.ends_with('/') { format!("{said}*") } else { said.to_string() };
    for file in &listing.files {
        let Some(star) = star_of(target, file) else { continue };
        let path = said.replacen('*', &star, 1);
        let specifier = Name::from(format!("{name}/{path}"));
        let shut = closed.iter().any(|c| {
            let c = c.trim_start_matches("./");
            starred(c, &path).is_some() && c.len() > said.len()
        });
        if !shut {
            found.specifiers.entry(specifier).or_insert(file.clone());
        }
    }
}

/// What stands for `*` where `target` leads to `file`.
fn star_of(target: &Value, file: &str) -> Option<String> {
    match target {
        Value::String(path) => {
            let path = path.trim_start_matches("./");
            let path = if path.ends_with('/') { format!("{path}*") } else { path.to_string() };
            if let Some(star) = starred(&path, file) {
                // `./jsm/*` leads to scripts too, and those are what code names.
                return match path.ends_with('*') {
                    true => script_of(star).or(Some(star.to_string())),
                    false => Some(star.to_string()),
                };
            }
            starred(&path, &script_of(file)?).map(str::to_string)
        }
        Value::Array(either) => either.iter().find_map(|t| star_of(t, file)),
        Value::Object(conditions) => in_order(conditions).find_map(|t| star_of(t, file)),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// What stands for `*` where `pattern` is `text`; the empty text where it has none and is equal.
fn starred<'t>(pattern: &str, text: &'t str) -> Option<&'t str> {
    match pattern.split_once('*') {
        None => (pattern == text).then_some(""),
        Some((before, after)) => {
            let star = text.strip_prefix(before)?.strip_suffix(after)?;
            (!star.is_empty()).then_some(star)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::packages::manifest::manifest;
    use serde_json::json;

    fn found(name: &str, package: Value, files: &[&str]) -> Vec<(String, String)> {
        let files = files.iter().map(|f| f.to_string()).collect();
        let listing = Listing { files, ..Listing::default() };
        let all = entries(name, &manifest(&package), &listing);
        all.specifiers.into_iter().map(|(s, f)| (s.to_string(), f)).collect()
    }

    fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
        of.iter().map(|(s, f)| (s.to_string(), f.to_string())).collect()
    }

    #[test]
    fn conditions_lead_to_declarations_wherever_they_stand() {
        let package = json!({"exports": {
            ".": {"import": {"types": "./d/i.d.ts", "default": "./d/i.js"}, "require": "./d/i.cjs"},
            "./sub": {"@own/source": "./src/sub.ts", "require": "./s.cjs", "types": "./s.d.ts"},
            "./none": "./none.js",
            "./package.json": "./package.json"
        }});
        let files = ["d/i.d.ts", "s.d.ts", "s.d.cts", "hidden.d.ts"];
        assert_eq!(found("p", package, &files), pairs(&[("p", "d/i.d.ts"), ("p/sub", "s.d.ts")]));
    }

    #[test]
    fn patterns_name_every_file_that_they_reach() {
        let package = json!({"exports": {
            ".": {"import": "./build/t.module.js"},
            "./addons": "./jsm/Addons.js",
            "./addons/*": "./jsm/*",
            "./f/*": {"types": "./types/*.d.ts", "import": "./f/*.js"},
            "./f/internal/*": null
        }});
        let files = [
            "build/t.module.d.ts",
            "jsm/Addons.d.ts",
            "jsm/c/Orbit.d.ts",
            "types/x.d.ts",
            "types/internal/y.d.ts",
        ];
        assert_eq!(
            found("t", package, &files),
            pairs(&[
                ("t", "build/t.module.d.ts"),
                ("t/addons", "jsm/Addons.d.ts"),
                ("t/addons/Addons.js", "jsm/Addons.d.ts"),
                ("t/addons/c/Orbit.js", "jsm/c/Orbit.d.ts"),
                ("t/f/x", "types/x.d.ts"),
            ])
        );
    }

    #[test]
    fn without_exports_every_path_is_open() {
        let package = json!({"main": "lib/a.js"});
        assert_eq!(
            found("p", package, &["lib/a.d.ts", "lib/index.d.ts"]),
            pairs(&[
                ("p", "lib/a.d.ts"),
                ("p/lib", "lib/index.d.ts"),
                ("p/lib/a", "lib/a.d.ts"),
                ("p/lib/a.js", "lib/a.d.ts"),
                ("p/lib/index", "lib/index.d.ts"),
                ("p/lib/index.js", "lib/index.d.ts"),
            ])
        );
    }

    #[test]
    fn folders_for_other_compilers_are_left_out() {
        let package = json!({"types": "index.d.ts", "typesVersions": {
            "<=5.6": {"*": ["ts5.6/*"]}, ">=5.9": {"*": ["new/*"]}}});
        let all = found("n", package, &["index.d.ts", "ts5.6/index.d.ts", "new/index.d.ts"]);
        assert!(all.contains(&("n".into(), "new/index.d.ts".into())));
        assert!(!all.iter().any(|(_, file)| file.starts_with("ts5.6")));
        assert!(admits("*") && admits(">=4.0 <7.0") && admits("<=5.0 || >=6") && !admits("<6.0"));
    }
}
