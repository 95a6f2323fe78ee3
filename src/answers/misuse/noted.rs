//! Members that are deprecated, or that may only be read.

use super::wrong::{Meant, Wrong};
use crate::base::Name;
use crate::corpus::Corpus;
use crate::corpus::noted::Declaration;
use crate::sources::script::{Dialect, ExprId, ExpressionKind, Script, Usage};
use crate::types::{Member, Type, TypeName, Writing};
use std::sync::Arc;

/// So many names of a text that deprecates are looked up.
const MAX_NAMES: usize = 40;

/// So much of that text is told, in characters.
const MAX_TOLD: usize = 160;

/// Whether a member is given a value.
pub(super) fn is_written(usage: Usage) -> bool {
    match usage {
        Usage::Written | Usage::Changed => true,
        Usage::Read | Usage::Called | Usage::Constructed | Usage::Deleted => false,
    }
}

/// Whether what is written to something says nothing: to a prototype it declares the member, and what only a comment types
/// may be something else.
pub(super) fn is_loose(script: &Script, id: ExprId) -> bool {
    match &script.expressions[id.idx()].kind {
        ExpressionKind::Member { name, .. } => name == "prototype",
        ExpressionKind::Name(_, Some(binding)) => {
            let annotation = script.bindings[binding.idx()].annotation.as_ref();
            annotation.is_some_and(|a| a.dialect == Dialect::JsDoc)
        }
        _ => false,
    }
}

/// What a module exports.
pub(super) fn exports(module: Name) -> Type {
    Type::Typeof(Arc::new(TypeName::within(module, "")))
}

/// Whether something holds of every declaration that may be meant, narrower ones among them.
fn all(
    corpus: &Corpus,
    declared: &[Declaration],
    name: &str,
    holds: impl Fn(&Member) -> bool,
) -> bool {
    let is_said = !declared.is_empty() && declared.iter().all(|d| !d.members.is_empty());
    is_said
        && declared.iter().flat_map(|d| &d.members).all(&holds)
        && declared.iter().filter_map(|d| d.owner.as_ref()).all(|owner| {
            let narrower = corpus.narrower_declarations(owner, name);
            narrower.is_some_and(|members| members.iter().all(&holds))
        })
}

/// Whether every declaration says that the member is only read.
pub(super) fn is_read_only(corpus: &Corpus, declared: &[Declaration], name: &str) -> bool {
    all(corpus, declared, name, |member| match member.writing {
        Writing::Refused => true,
        Writing::Allowed => false,
    })
}

/// What is said where every declaration calls the member deprecated.
pub(super) fn deprecated(corpus: &Corpus, declared: &[Declaration], name: &Name) -> Option<Wrong> {
    if !all(corpus, declared, name, |member| member.deprecated.is_some()) {
        return None;
    }
    let texts = declared.iter().flat_map(|d| &d.members).filter_map(|m| m.deprecated.as_ref());
    let said = texts.map(|text| (text, in_one_line(text))).find(|(_, line)| !line.is_empty());
    let Some((text, line)) = said else {
        return Some(Wrong::Deprecated { says: Name::default(), instead: Vec::new() });
    };
    let instead = replacements(corpus, declared, name, text);
    Some(Wrong::Deprecated { says: cut(&line), instead })
}

/// A text on one line, without the marks of links and the last stop; empty where it is nothing but a reference.
fn in_one_line(text: &str) -> String {
    let words = text.replace("{@link ", "").replace('}', "");
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.starts_with("[MDN Reference]") {
        return String::new();
    }
    line.trim_end_matches('.').to_owned()
}

fn cut(text: &str) -> Name {
    match text.char_indices().nth(MAX_TOLD) {
        Some((at, _)) => format!("{}…", &text[..at]).into(),
        None => text.into(),
    }
}

/// The members of the same type that a text names.
fn replacements(corpus: &Corpus, declared: &[Declaration], name: &Name, says: &str) -> Vec<Meant> {
    let mut found: Vec<Meant> = Vec::new();
    let Some(owner) = declared.iter().find_map(|d| d.owner.as_ref()) else { return found };
    let in_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let words = says.split(|c: char| !in_name(c)).filter(|word| word.len() > 2 && *word != name);
    let members = corpus.members_of(owner);
    for word in words.take(MAX_NAMES) {
        let Some((member, of)) = members.iter().find(|(member, _)| member == word) else {
            continue;
        };
        // A word that is written like any other word of a sentence names nothing.
        let is_marked = ["`", ".", "#", "-", "~", "{@link "]
            .iter()
            .any(|mark| says.contains(&format!("{mark}{word}")))
            || ["`", "("].iter().any(|mark| says.contains(&format!("{word}{mark}")));
        let is_name = word.chars().skip(1).any(char::is_uppercase) || is_marked;
        let here = corpus.interfaces(of).find_map(|i| i.shape.members.get(member));
        let Some(here) = here.filter(|m| is_name && m.deprecated.is_none()) else { continue };
        let meant = Meant { name: member.clone(), signature: signature(here) };
        if !found.contains(&meant) && found.len() < 3 {
            found.push(meant);
        }
    }
    found
}

/// How a member is called or what it is.
pub(super) fn signature(member: &Member) -> String {
    match member.signatures.first() {
        Some(first) => first.to_string(),
        None => format!(": {}", member.declared),
    }
}
