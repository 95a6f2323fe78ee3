//! The modules of the project that the checked scripts import, read as far as one call may read.
//!
//! Only relative specifiers are followed. What was asked to be checked is there already; beyond that a few files are read,
//! and a module that is not among them is as unknown as if it did not exist.

use crate::answers::infer::Meanings;
use crate::answers::modules::{Module, with_modules};
use crate::base::{Name, Stop};
use crate::corpus::Corpus;
use crate::sources::script::{Argument, ExpressionKind, Language, Script, script as lowered};
use crate::sources::workspace::{Standing, Workspace, standing};
use std::collections::{BTreeMap, BTreeSet};

/// How many files are read that nobody asked for.
const MAX_FILES: usize = 24;

/// How many bytes they may have together.
const MAX_BYTES: usize = 384 * 1024;

/// How far from what was asked for they may be.
const MAX_STEPS: usize = 2;

/// What a specifier may leave out.
const LEFT_OUT: [&str; 10] =
    ["", ".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", "/index.js", "/index.ts", "/index.mjs"];

/// The modules around what is checked.
pub(super) struct Among {
    /// What the imports of each script that was asked for mean, in their order.
    pub meanings: Vec<Meanings>,
    others: Vec<(String, Script, Meanings)>,
}

impl Among {
    /// Those that `asked`, scripts with their paths, import.
    pub fn of(workspace: &Workspace, asked: &[(&str, &Script)], stop: &Stop) -> Among {
        let mut known: BTreeSet<String> =
            asked.iter().map(|(path, _)| (*path).to_owned()).collect();
        let mut reader = Reader { workspace, left: MAX_BYTES, read: Vec::new() };
        let mut meanings = Vec::with_capacity(asked.len());
        for (path, script) in asked {
            if stop.is_set() {
                break;
            }
            meanings.push(reader.meanings(path, script, &mut known));
        }
        meanings.resize_with(asked.len(), Meanings::new);
        let mut others: Vec<(String, Script, Meanings)> = Vec::new();
        for step in 1..=MAX_STEPS {
            for (path, script) in std::mem::take(&mut reader.read) {
                let means = match step < MAX_STEPS && !stop.is_set() {
                    true => reader.meanings(&path, &script, &mut known),
                    false => Meanings::new(),
                };
                others.push((path, script, means));
            }
        }
        Among { meanings, others }
    }

    /// The corpus with these modules; nothing where no script imports any.
    pub fn corpus(&self, corpus: &Corpus, asked: &[(&str, &Script)]) -> Option<Corpus> {
        let imported: BTreeSet<&Name> = self
            .meanings
            .iter()
            .chain(self.others.iter().map(|(_, _, meanings)| meanings))
            .flat_map(BTreeMap::values)
            .collect();
        if imported.is_empty() {
            return None;
        }
        let asked = asked.iter().zip(&self.meanings);
        let asked = asked.map(|((path, script), meanings)| (*path, *script, meanings));
        let others = self.others.iter().map(|(path, script, means)| (path.as_str(), script, means));
        let modules: Vec<Module<'_>> = asked
            .chain(others)
            .map(|(path, script, meanings)| Module { name: named(path), script, meanings })
            .filter(|module| imported.contains(&module.name))
            .collect();
        Some(with_modules(corpus, &modules))
    }
}

/// The name of the module in a file: no specifier is written like that.
fn named(path: &str) -> Name {
    format!("project:{path}").into()
}

/// Reads what is imported and was not asked for.
struct Reader<'w> {
    workspace: &'w Workspace,
    left: usize,
    read: Vec<(String, Script)>,
}

impl Reader<'_> {
    fn meanings(&mut self, path: &str, script: &Script, known: &mut BTreeSet<String>) -> Meanings {
        let mut found = Meanings::new();
        for specifier in specifiers(script) {
            let meant = LEFT_OUT.iter().chain(&[".."]).find_map(|end| {
                let candidate = joined(path, &specifier, end)?;
                self.has(&candidate, known).then_some(candidate)
            });
            if let Some(meant) = meant {
                found.insert(specifier, named(&meant));
            }
        }
        found
    }

    /// Whether a file is at hand, or can be read.
    fn has(&mut self, path: &str, known: &mut BTreeSet<String>) -> bool {
        if known.contains(path) {
            return true;
        }
        let Some(language) = Language::of_path(path) else { return false };
        if self.read.len() >= MAX_FILES || self.left == 0 {
            return false;
        }
        let Ok(read) = self.workspace.read(path) else { return false };
        let Some(left) = self.left.checked_sub(read.text.len()) else {
            self.left = 0;
            return false;
        };
        if standing(path, &read.text) != Standing::Own {
            return false;
        }
        self.left = left;
        self.read.push((path.to_owned(), lowered(&read.text, language)));
        known.insert(path.to_owned());
        true
    }
}

/// The relative specifiers that a script names, each once.
fn specifiers(script: &Script) -> BTreeSet<Name> {
    let imported = script.imports.iter().map(|i| i.module.clone());
    let passed_on = script.exports.iter().filter_map(|e| e.module.clone());
    let required = script.expressions.iter().filter_map(|e| {
        let ExpressionKind::Call(call) = &e.kind else { return None };
        let [Argument::One(one)] = call.arguments.as_slice() else { return None };
        let callee = &script.expressions[call.callee.idx()].kind;
        match (callee, &script.expressions[one.idx()].kind) {
            (ExpressionKind::Name(name, None), ExpressionKind::Text(text)) if name == "require" => {
                Some(text.clone())
            }
            _ => None,
        }
    });
    let named = script.aliases.iter().flat_map(|alias| in_type(&alias.annotation.text));
    let all = imported.chain(passed_on).chain(required).chain(named);
    all.filter(|s| s.starts_with("./") || s.starts_with("../") || matches!(s.as_str(), "." | ".."))
        .collect()
}

/// The specifiers of `import("…")` in a type.
fn in_type(text: &str) -> Vec<Name> {
    let behind = text.split("import(").skip(1);
    let quoted = behind.filter_map(|rest| {
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        Some(rest[1..].split_once(quote)?.0.into())
    });
    quoted.collect()
}

/// The path that a specifier in the file `from` comes to with `end` behind it; `..` stands for another ending than it says.
fn joined(from: &str, specifier: &str, end: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in specifier.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop()?,
            other => parts.push(other),
        }
    }
    let path = parts.join("/");
    match end {
        // In TypeScript `./x.js` is what `./x.ts` becomes.
        ".." => path.strip_suffix(".js").map(|stem| format!("{stem}.ts")),
        _ if path.is_empty() => end.strip_prefix('/').map(str::to_owned),
        _ => Some(format!("{path}{end}")),
    }
}
