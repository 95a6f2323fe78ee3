//! Names in texts that are not lowered: what vendored scripts, pages, declarations and settings say of them.
//!
//! A mention proves little, so it is only ever a reason to claim less. What a mention cannot be is told by what stands
//! around it; then the text need not be lowered.

use super::mention::Mention;
use crate::answers::names::{NameUses, Opening};
use crate::base::Name;
use crate::sources::workspace::Workspace;
use aho_corasick::AhoCorasick;
use std::collections::BTreeSet;

/// Words in front of a name that is declared.
const DECLARING: [&str; 9] =
    ["var", "let", "const", "function", "class", "namespace", "module", "enum", "type"];

/// Words that declarations write for types, and code for names.
const WORDS_FOR_TYPES: [&str; 6] = ["object", "string", "number", "boolean", "symbol", "any"];

/// Files at a project's root that list names which scripts may read.
const SETTINGS: [&str; 9] = [
    ".eslintrc",
    ".eslintrc.json",
    ".eslintrc.js",
    ".eslintrc.cjs",
    ".eslintrc.yml",
    ".oxlintrc.json",
    ".jshintrc",
    "appsscript.json",
    "src/appsscript.json",
];

/// Frameworks that put imports into scripts while they build them, as a project's `package.json` names them.
const IMPORTING: [&str; 5] =
    ["\"nuxt\"", "\"unplugin-auto-import\"", "\"sails\"", "\"meteor-node-stubs\"", "\"wxt\""];

/// Names, to be looked for in texts without lowering them.
pub(super) struct Mentions<'n> {
    names: &'n [Name],
    finder: AhoCorasick,
}

/// How a text mentions names.
#[derive(Default)]
pub(super) struct Mentioned {
    /// Those that stand behind a dot and are not assigned to.
    pub read: BTreeSet<Name>,
    /// Those that stand where they may be given to something: behind no dot.
    pub given: BTreeSet<Name>,
    /// Those of them that may be a key or the name of a member, and no mere word or variable.
    pub told: BTreeSet<Name>,
    /// Those of them that may be given by themselves: which are not only read.
    pub stated: BTreeSet<Name>,
    /// Those that stand behind a word that declares, or are given a value behind no dot.
    pub declared: BTreeSet<Name>,
    /// Those that stand behind a dot and are assigned to.
    pub set: BTreeSet<Name>,
    /// Those of them that are set on the prototype of something that the text does not declare.
    pub extended: BTreeSet<Name>,
}

impl<'n> Mentions<'n> {
    /// A finder of these names.
    pub fn new(names: &'n [Name]) -> Option<Mentions<'n>> {
        let finder = AhoCorasick::new(names.iter().map(Name::as_str)).ok()?;
        Some(Mentions { names, finder })
    }

    /// How `text` mentions them.
    pub fn of(&self, text: &str) -> Mentioned {
        let mut mentioned = Mentioned::default();
        for found in self.finder.find_overlapping_iter(text) {
            let (before, after) = (&text[..found.start()], &text[found.end()..]);
            let in_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
            if before.ends_with(in_word) || after.starts_with(in_word) {
                continue;
            }
            let after = after.trim_start();
            let assigned = is_assigned(after);
            let name = self.names.get(found.pattern().as_usize()).cloned();
            let before = before.trim_end();
            let behind_dot = before.ends_with('.') && !before.ends_with("...");
            match (behind_dot, assigned) {
                (true, false) => mentioned.read.extend(name),
                (true, true) => {
                    if extends_another(text, before) {
                        mentioned.extended.extend(name.clone());
                    }
                    mentioned.set.extend(name);
                }
                (false, _) => {
                    let declares = DECLARING.iter().any(|word| before.ends_with(word));
                    let mention = Mention { text, start: found.start(), end: found.end() };
                    if mention.may_be_a_member() {
                        mentioned.told.extend(name.clone());
                    }
                    if declares || mention.may_stand_alone() {
                        mentioned.stated.extend(name.clone());
                    }
                    if assigned || declares {
                        mentioned.declared.extend(name.clone());
                    }
                    // In declarations and TypeScript these are words for types.
                    if !WORDS_FOR_TYPES.contains(&&text[found.range()]) {
                        mentioned.given.extend(name);
                    }
                }
            }
        }
        mentioned
    }
}

/// Whether what stands behind a name gives it a value: `=`, `+=`, `??=`, `++` and their like.
fn is_assigned(after: &str) -> bool {
    let signs = after.trim_start_matches(['+', '-', '*', '/', '%', '&', '|', '^', '?', '<', '>']);
    let operator = &after[..after.len() - signs.len()];
    let compares =
        matches!(operator, "<" | ">") || signs.starts_with("==") || signs.starts_with("=>");
    matches!(operator, "++" | "--") || operator.len() <= 3 && signs.starts_with('=') && !compares
}

/// Whether what ends in a dot here is the prototype of something that `text` does not declare.
fn extends_another(text: &str, before: &str) -> bool {
    let Some(object) = before.trim_end_matches('.').trim_end().strip_suffix(".prototype") else {
        return false;
    };
    let start = object.rfind(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$'));
    let class = &object[start.map_or(0, |at| at + 1)..];
    class.len() > 2
        && class.starts_with(char::is_uppercase)
        && !["function", "class", "var", "let", "const"]
            .iter()
            .any(|word| text.contains(&format!("{word} {class}")))
}

/// How much of a text's beginning a library's banner may take, in bytes.
const BANNER: usize = 1_000;

/// Whether a script says by its banner that it is a library which was copied into the project: a comment that is to be kept,
/// with a version and a licence.
pub(super) fn is_library(text: &str) -> bool {
    let head = &text[..text.floor_char_boundary(BANNER.min(text.len()))];
    let head = head.trim_start_matches('\u{feff}').trim_start();
    let is_kept = ["/*!", "/**!", "/* !", "//!", "// !"].iter().any(|mark| head.starts_with(mark))
        || head.starts_with("/*") && ["@license", "@preserve"].iter().any(|t| head.contains(t));
    if !is_kept {
        return false;
    }
    let comment = match head.starts_with("/*") {
        true => head.split_once("*/").map_or(head, |(comment, _)| comment),
        false => head,
    };
    let comment = comment.to_ascii_lowercase();
    let numbered = comment.split(|c: char| !c.is_alphanumeric() && c != '.').any(|word| {
        let number = word.trim_start_matches('v').split_once('.');
        let is_digit = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
        number.is_some_and(|(before, behind)| is_digit(before) && is_digit(behind))
    });
    let licensed = ["licen", "copyright", "mit"].iter().any(|word| comment.contains(word));
    numbered && licensed
}

/// What a project's settings say of plain names.
pub(super) fn in_settings(workspace: &Workspace, plain: &BTreeSet<Name>) -> NameUses {
    let mut uses = NameUses::default();
    let names: Vec<Name> = plain.iter().cloned().collect();
    let Some(mentions) = Mentions::new(&names) else { return uses };
    for path in SETTINGS {
        if let Ok(read) = workspace.read(path) {
            uses.add(NameUses::everywhere(mentions.of(&read.text).given));
        }
    }
    if let Ok(read) = workspace.read("package.json") {
        if read.text.contains("\"globals\"") {
            uses.add(NameUses::everywhere(mentions.of(&read.text).given));
        }
        if IMPORTING.iter().any(|framework| read.text.contains(framework)) {
            uses.add(NameUses::open(Opening::Imports));
        }
    }
    uses
}

/// Whether a script says what other scripts may read, by its file's name: bundlers' and linters' settings.
pub(super) fn is_settings(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.contains(".config.") || ["Gruntfile", "gulpfile"].iter().any(|n| name.starts_with(n))
}

/// What a page says of plain names: elements' ids are global names, and scripts that it loads from elsewhere bring more.
pub(super) fn in_page(text: &str, given: &BTreeSet<Name>) -> NameUses {
    let is_id = |name: &&Name| {
        ["id=", "name="].iter().any(|attribute| {
            ["\"", "'", ""].iter().any(|quote| text.contains(&format!("{attribute}{quote}{name}")))
        })
    };
    let mut uses = NameUses::everywhere(given.iter().filter(is_id).cloned().collect());
    if loads_from_elsewhere(text) {
        uses.add(NameUses::open(Opening::Pages));
    }
    uses
}

/// Whether a page loads a script that is no file of the project.
fn loads_from_elsewhere(text: &str) -> bool {
    text.split("<script").skip(1).any(|rest| {
        let tag = rest.split_once('>').map_or(rest, |(tag, _)| tag);
        let source =
            tag.split_once("src=").map(|(_, source)| source.trim_start_matches(['"', '\'']));
        source.is_some_and(|source| {
            source.starts_with("http")
                || source.starts_with("//")
                || source.contains("node_modules/")
                || source.contains("bower_components/")
                || source.contains(['{', '$', '<'])
        })
    })
}
