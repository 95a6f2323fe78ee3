//! The way from a text to its script: cleaned, parsed, lowered, bound.

use super::allowances::allowances;
use super::clean::cleaned;
use super::jsdoc;
use super::lower::Lower;
use super::syntax::Syntax;
use super::whole::whole;
use super::{Annotation, Dialect, Language, Script, TypeAlias, usage};
use crate::base::{Name, Span};

/// Lowers a text. Any text gives a script; one that is too large to parse gives an empty one that is broken whole.
pub fn script(text: &str, language: Language) -> Script {
    let (clean, deep) = cleaned(text);
    let syntax = whole(&clean, language).unwrap_or_else(|| Syntax::of(&clean, language));
    lowered(&clean, &syntax, language, deep)
}

/// Lowers a text's syntax; `deep` is what of the text was not shown to the parser.
pub(super) fn lowered(clean: &str, syntax: &Syntax, language: Language, deep: Vec<Span>) -> Script {
    let mut lower = Lower::new(clean, syntax, language);
    lower.script.broken = deep;
    lower.script.broken.extend(&syntax.broken);
    if let Some(root) = syntax.root() {
        lower.file(root);
    }
    let Lower { mut script, names, .. } = lower;
    names.bind(&mut script);
    usage::settle(&mut script);
    script.declarators.sort_by_key(|d| d.span);
    script.broken.sort_unstable();
    script.broken.dedup();
    script
}

impl Lower<'_> {
    fn file(&mut self, root: super::syntax::Part) {
        match self.kind(root) {
            super::kinds::Kind::Error => self.torn_text(root),
            _ => {
                self.statements_in(root);
            }
        }
        if self.language == Language::JavaScript {
            self.documented_types();
        }
        for comment in &self.syntax.comments {
            self.script.announced.extend(announced(comment.of(self.text)));
            self.script.allowances.extend(allowances(self.text, *comment));
        }
    }

    /// Types that comments declare count as declared by the file.
    fn documented_types(&mut self) {
        for comment in &self.syntax.comments {
            let text = comment.of(self.text);
            if jsdoc::is_doc(text) {
                self.script.scopes[0].types.extend(jsdoc::declared_types(text));
                for (name, text) in jsdoc::aliases(text) {
                    let scope = super::ScopeId(0);
                    let annotation = Annotation { text, dialect: Dialect::JsDoc, scope };
                    self.script.aliases.push(TypeAlias { name, annotation });
                }
            }
        }
    }
}

/// The names that a comment calls global, as linters read it: `/* global a, b: writable */`.
fn announced(comment: &str) -> impl Iterator<Item = Name> {
    let inner = comment.strip_prefix("/*").and_then(|c| c.strip_suffix("*/")).unwrap_or("");
    let (word, listed) = inner.trim_start().split_once(char::is_whitespace).unwrap_or_default();
    let listed = if matches!(word, "global" | "globals") { listed } else { "" };
    let listed = listed.split_once("--").map_or(listed, |(names, _why)| names);
    listed.split(',').filter_map(|one| {
        let name = one.split(':').next().unwrap_or(one).trim();
        (!name.is_empty()).then(|| name.into())
    })
}
