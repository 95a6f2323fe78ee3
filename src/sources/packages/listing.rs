//! The declaration files of one package, by their paths in it, and how a specifier finds one of them.
//!
//! Only files in this list are ever read for the package, so no path in it reaches out of its folder.

use crate::base::Name;
use std::collections::BTreeSet;

/// The endings of declaration files, with the ending of the script that each declares.
const ENDINGS: [(&str, &str); 3] = [(".d.ts", ".js"), (".d.mts", ".mjs"), (".d.cts", ".cjs")];

/// The declaration files of one package, relative to its folder, with `/`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// The files.
    pub files: BTreeSet<String>,
    /// The folders below the top that have a `package.json` of their own.
    pub manifests: BTreeSet<String>,
    /// Whether there are more than are listed.
    pub cut: bool,
}

/// Whether `path` names a declaration file.
pub fn is_declaration(path: &str) -> bool {
    ENDINGS.iter().any(|(ending, _)| path.ends_with(ending))
}

/// `path` without the ending of a declaration file.
pub fn stem(path: &str) -> &str {
    ENDINGS.iter().find_map(|(ending, _)| path.strip_suffix(ending)).unwrap_or(path)
}

/// The path of the script that the declaration file `path` declares.
pub fn script_of(path: &str) -> Option<String> {
    ENDINGS
        .iter()
        .find_map(|(ending, script)| Some(format!("{}{script}", path.strip_suffix(ending)?)))
}

impl Listing {
    /// The file that `target`, a path in the package, means: itself, the one that declares it, or a folder's `index`.
    pub fn file(&self, target: &str) -> Option<&str> {
        let plain = normal("", target)?;
        let found = |path: String| self.files.get(&path).map(String::as_str);
        if let Some(file) = self.files.get(&plain) {
            return is_declaration(file).then_some(file);
        }
        for (ending, script) in ENDINGS {
            if let Some(stem) = plain.strip_suffix(script) {
                let declared = found(format!("{stem}{ending}"));
                // A `.mjs` is often declared by the one `.d.ts` beside it.
                return declared.or_else(|| found(format!("{stem}.d.ts")));
            }
        }
        if let Some(stem) = plain.strip_suffix(".jsx").or(plain.strip_suffix(".ts")) {
            return found(format!("{stem}.d.ts"));
        }
        let beside = ENDINGS.iter().find_map(|(ending, _)| found(format!("{plain}{ending}")));
        let folder = if plain.is_empty() { String::new() } else { format!("{plain}/") };
        beside.or_else(|| ENDINGS.iter().find_map(|(e, _)| found(format!("{folder}index{e}"))))
    }

    /// The file that `specifier`, written relative in the file `from`, means.
    pub fn relative(&self, from: &str, specifier: &str) -> Option<&str> {
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        self.file(&normal(folder, specifier)?)
    }

    /// The name of the module that `file` of the package `package` is: its path without ending.
    ///
    /// A `.d.mts` or `.d.cts` beside a `.d.ts` of the same name keeps its script's ending, since it is another module.
    pub fn module(&self, package: &str, file: &str) -> Name {
        let stem = stem(file);
        let script = script_of(file).filter(|s| !s.ends_with(".js"));
        match script {
            Some(script) if self.files.contains(&format!("{stem}.d.ts")) => {
                format!("{package}/{script}").into()
            }
            _ => format!("{package}/{stem}").into(),
        }
    }
}

/// `path` seen from `folder`, without `.` and `..`; nothing where it climbs out.
pub fn normal(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|p| !p.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(files: &[&str]) -> Listing {
        Listing { files: files.iter().map(|f| f.to_string()).collect(), ..Listing::default() }
    }

    #[test]
    fn specifiers_find_what_declares_them() {
        let all = listing(&["index.d.ts", "a/b.d.ts", "a/index.d.ts", "m.d.mts", "c.d.cts"]);
        let from = |at: &str, specifier: &str| all.relative(at, specifier).map(str::to_string);
        assert_eq!(from("index.d.ts", "./a/b").as_deref(), Some("a/b.d.ts"));
        assert_eq!(from("index.d.ts", "./a/b.js").as_deref(), Some("a/b.d.ts"));
        assert_eq!(from("a/b.d.ts", "..").as_deref(), Some("index.d.ts"));
        assert_eq!(from("a/b.d.ts", ".").as_deref(), Some("a/index.d.ts"));
        assert_eq!(from("a/b.d.ts", "../m.mjs").as_deref(), Some("m.d.mts"));
        assert_eq!(from("a/b.d.ts", "../c").as_deref(), Some("c.d.cts"));
        assert_eq!(from("a/b.d.ts", "../../x"), None);
        assert_eq!(from("a/b.d.ts", "../style.css"), None);
    }

    #[test]
    fn modules_of_one_name_are_kept_apart() {
        let all = listing(&["index.d.ts", "index.d.cts", "only.d.mts"]);
        assert_eq!(all.module("z", "index.d.ts"), "z/index");
        assert_eq!(all.module("z", "index.d.cts"), "z/index.cjs");
        assert_eq!(all.module("z", "only.d.mts"), "z/only");
    }
}
