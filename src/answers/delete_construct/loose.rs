//! Names in the text that no expression records: targets of destructuring, heads of loops, types.
//!
//! Only where such a name can be nothing but what goes is it told; a name after a dot, before a colon, in a comment or in
//! quotes is none.

use super::doom::Doom;
use super::tree::Tree;
use crate::base::{Span, to_u32};
use crate::sources::script::{BindingId, ExpressionKind};
use std::collections::BTreeSet;

/// The variables that are not there any more: those that go, and those that are declared in what goes.
pub(super) fn gone(
    tree: &Tree<'_>,
    doom: &Doom,
    dead: &BTreeSet<BindingId>,
) -> BTreeSet<BindingId> {
    let all = tree.script.bindings.iter().enumerate();
    let covered = all.filter(|(_, binding)| doom.covers(tree, binding.span));
    covered.map(|(idx, _)| BindingId(to_u32(idx))).chain(dead.iter().copied()).collect()
}

/// Places that name one of `gone`, stay, and are recorded nowhere.
pub(super) fn named(
    tree: &Tree<'_>,
    doom: &Doom,
    gone: &BTreeSet<BindingId>,
) -> Vec<(Span, BindingId)> {
    let bindings = tree.script.bindings.iter().map(|binding| binding.span.start);
    let expressions = tree.script.expressions.iter();
    let recorded: BTreeSet<u32> = expressions
        .filter(|expression| matches!(expression.kind, ExpressionKind::Name(..)))
        .map(|expression| expression.span.start)
        .chain(bindings)
        .collect();
    let mut found = Vec::new();
    for word in words(tree.text) {
        let name = word.of(tree.text);
        let is_free = !recorded.contains(&word.start) && !is_key(tree.text, word);
        if !is_free || doom.covers(tree, word) {
            continue;
        }
        let meant = gone.iter().find(|id| {
            let binding = &tree.script.bindings[id.idx()];
            binding.name == name && tree.is_variable(**id)
        });
        // Of two variables of one name it cannot be told here which is meant.
        let n_alike = tree.script.bindings.iter().filter(|binding| binding.name == name).count();
        if let (Some(id), 1) = (meant, n_alike) {
            found.push((word, *id));
        }
    }
    found
}

/// Whether a word is the name of a member or a key.
fn is_key(text: &str, word: Span) -> bool {
    let before = text[..word.start as usize].trim_end();
    let after = text[word.end as usize..].trim_start();
    let is_behind_dot = before.ends_with('.') && !before.ends_with("...");
    let is_before_colon = after.starts_with(':') && before.ends_with(['{', ',', ';']);
    is_behind_dot || is_before_colon
}

/// The words of a text that stand in no comment and in no quotes.
fn words(text: &str) -> Vec<Span> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().unwrap_or(' ');
        at += if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if matches!(first, '"' | '\'') {
            quoted(rest)
        } else if is_part(first) {
            let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            found.push(Span::new(at, at + length));
            length
        } else {
            first.len_utf8()
        };
    }
    found
}

/// How long the text in quotes is that `rest` begins with; it ends with its line at the latest.
fn quoted(rest: &str) -> usize {
    let mut letters = rest.char_indices();
    let Some((_, quote)) = letters.next() else { return 1 };
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            '\n' => return at,
            letter if letter == quote => return at + quote.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}
