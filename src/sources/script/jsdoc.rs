//! JSDoc comments to the types and names that they declare.
//!
//! Types stay text: what they mean is read elsewhere. Tags that say nothing about types are passed over.

use crate::base::Name;

/// The longest type that is read, in bytes.
const MAX_TYPE_BYTES: usize = 4_000;

/// What a comment says about what stands below it.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Doc {
    /// `@type {T}`.
    pub of_type: Option<Name>,
    /// `@param {T} name`, without those of nested names.
    pub parameters: Vec<DocParameter>,
    /// `@returns {T}`.
    pub returns: Option<Name>,
    /// `@template T`.
    pub templates: Vec<Name>,
}

/// One `@param`.
#[derive(Debug, PartialEq)]
pub(super) struct DocParameter {
    /// The parameter's name.
    pub name: Name,
    /// Its type.
    pub text: Option<Name>,
    /// Whether it may be left out: `[name]`, `{T=}`.
    pub optional: bool,
}

/// Whether a comment is a JSDoc comment with tags.
pub(super) fn is_doc(comment: &str) -> bool {
    comment.starts_with("/**") && comment.contains('@')
}

/// Reads a comment.
pub(super) fn read(comment: &str) -> Doc {
    let mut doc = Doc::default();
    let mut rest = inside(comment);
    while let Some((tag, behind)) = next_tag(rest) {
        rest = behind;
        match tag {
            "type" => {
                if let Some((text, behind)) = braces(rest) {
                    doc.of_type.get_or_insert(text);
                    rest = behind;
                }
            }
            "returns" | "return" => {
                if let Some((text, behind)) = braces(rest) {
                    doc.returns.get_or_insert(text);
                    rest = behind;
                }
            }
            "param" | "arg" | "argument" => rest = doc.parameter(rest),
            "template" => {
                let (names, behind) = templates(rest);
                doc.templates.extend(names);
                rest = behind;
            }
            _ => {}
        }
    }
    doc
}

/// Names of the types that a comment declares with `@typedef`, `@callback`, `@enum` or `@import`.
pub(super) fn declared_types(comment: &str) -> Vec<Name> {
    let mut names = Vec::new();
    let mut rest = inside(comment);
    while let Some((tag, behind)) = next_tag(rest) {
        rest = behind;
        match tag {
            "typedef" | "callback" => {
                if let Some((_, behind)) = braces(rest) {
                    rest = behind;
                }
                let (name, behind) = word(rest.trim_start_matches(is_filling));
                rest = behind;
                if !name.is_empty() {
                    // `Outer.Inner` makes `Outer` a name of the code.
                    names.push(name.split(['.', '~', '#']).next().unwrap_or(name).into());
                }
            }
            "import" => {
                let line = rest.split(['@', '"', '\'']).next().unwrap_or("");
                let list = line.split(|c: char| !is_word(c)).filter(|w| !w.is_empty());
                names.extend(list.filter(|w| !matches!(*w, "as" | "from" | "type")).map(Name::new));
            }
            _ => {}
        }
    }
    names
}

/// What a comment gives a name to with `@typedef {T} Name`; an object whose properties are listed is left out.
pub(super) fn aliases(comment: &str) -> Vec<(Name, Name)> {
    let mut found = Vec::new();
    let mut rest = inside(comment);
    while let Some((tag, behind)) = next_tag(rest) {
        rest = behind;
        if tag != "typedef" {
            continue;
        }
        let Some((text, behind)) = braces(rest) else { continue };
        let (name, behind) = word(behind.trim_start_matches(is_filling));
        rest = behind;
        let is_listed = text.eq_ignore_ascii_case("object");
        if !is_listed && !name.is_empty() && name.chars().all(is_word) {
            found.push((name.into(), text));
        }
    }
    found
}

impl Doc {
    /// Reads what follows `@param` and gives what follows that.
    fn parameter<'t>(&mut self, rest: &'t str) -> &'t str {
        let (mut text, mut rest) = split_braces(rest);
        let trimmed = rest.trim_start_matches(is_filling);
        let (name, mut optional) = match trimmed.strip_prefix('[') {
            Some(inner) => {
                let (name, behind) = word(inner.trim_start());
                rest = behind.split_once(']').map_or(behind, |(_, b)| b);
                (name, true)
            }
            None => {
                let (name, behind) = word(trimmed);
                rest = behind;
                (name, false)
            }
        };
        if text.is_none() {
            (text, rest) = split_braces(rest);
        }
        optional |= text.as_ref().is_some_and(|t| t.ends_with('='));
        let name = name.strip_prefix("...").unwrap_or(name);
        if !name.is_empty() && !name.contains(['.', '[']) {
            self.parameters.push(DocParameter { name: name.into(), text, optional });
        }
        rest
    }
}

/// A comment without its ends.
fn inside(comment: &str) -> &str {
    let text = comment.strip_prefix("/**").unwrap_or(comment);
    text.strip_suffix("*/").unwrap_or(text)
}

/// The next tag that begins a line, and what follows it.
fn next_tag(text: &str) -> Option<(&str, &str)> {
    let mut from = 0;
    while let Some(at) = text.get(from..)?.find('@').map(|i| from + i) {
        // What is left may begin in the middle of a line, right behind another tag.
        let before = text[..at].trim_end_matches([' ', '\t', '*']);
        if before.is_empty() || before.ends_with('\n') {
            let behind = &text[at + 1..];
            let length = behind.find(|c: char| !is_word(c)).unwrap_or(behind.len());
            return Some(behind.split_at(length));
        }
        from = at + 1;
    }
    None
}

fn is_filling(c: char) -> bool {
    c.is_whitespace() || c == '*'
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// A name with what can be written into it, dots included, and what follows.
fn word(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| !is_word(c) && !matches!(c, '.' | '~' | '#' | '[' | ']'))
        .unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    (name.trim_end_matches(']'), rest)
}

fn templates(text: &str) -> (Vec<Name>, &str) {
    let (_, rest) = split_braces(text);
    let line = rest.split('\n').next().unwrap_or("");
    let mut names = Vec::new();
    for piece in line.split(',') {
        let piece = piece.trim_matches(is_filling).trim_start_matches('[');
        let piece = piece.strip_prefix("const ").unwrap_or(piece);
        let (name, behind) = word(piece);
        if !name.is_empty() {
            names.push(name.into());
        }
        // Behind a name that is not followed by a comma comes prose.
        if behind.trim_start().starts_with(|c: char| is_word(c) || c == '-') {
            break;
        }
    }
    (names, &rest[line.len()..])
}

fn split_braces(text: &str) -> (Option<Name>, &str) {
    braces(text).map_or((None, text), |(inner, rest)| (Some(inner), rest))
}

/// What stands in the braces that a text begins with, and what follows them.
fn braces(text: &str) -> Option<(Name, &str)> {
    let inner = text.trim_start_matches(is_filling).strip_prefix('{')?;
    let mut depth = 1;
    for (at, byte) in inner.bytes().enumerate().take(MAX_TYPE_BYTES) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((on_one_line(&inner[..at]), &inner[at + 1..]));
        }
    }
    None
}

/// A type without line breaks and the stars that begin lines.
fn on_one_line(text: &str) -> Name {
    if !text.contains('\n') {
        return text.trim().into();
    }
    let mut lines = text.lines();
    let mut joined = lines.next().unwrap_or("").trim().to_string();
    for line in lines {
        let line = line.trim_start();
        joined.push(' ');
        joined.push_str(line.strip_prefix('*').unwrap_or(line).trim());
    }
    joined.trim().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_give_types_with_nested_braces_over_several_lines() {
        let doc = read(
            "/**\n * Does {@link x} and a@b.c.\n * @param {{a: string,\n *   b: B}} options - some\n \
             * @param {number} options.a\n * @param {C} [c=1] x\n * @param {...D} d\n \
             * @returns {Promise<E>} done\n * @template T, U\n */",
        );
        let parameters: Vec<_> = doc
            .parameters
            .iter()
            .map(|p| (p.name.as_str(), p.text.as_deref().unwrap_or(""), p.optional))
            .collect();
        let wanted =
            [("options", "{a: string, b: B}", false), ("c", "C", true), ("d", "...D", false)];
        assert_eq!(parameters, wanted);
        assert_eq!(doc.returns.as_deref(), Some("Promise<E>"));
        assert_eq!(doc.templates, ["T", "U"]);
        assert_eq!(read("/** @type {A<{b: C}>} */").of_type.as_deref(), Some("A<{b: C}>"));
    }

    #[test]
    fn type_definitions_give_their_names() {
        let names = declared_types(
            "/**\n * @typedef {Object} Point\n * @property {number} x\n * @callback Done\n \
             * @typedef NS.Inner\n * @import { A, B as C } from \"m\"\n */",
        );
        assert_eq!(names, ["Point", "Done", "NS", "A", "B", "C"]);
    }

    #[test]
    fn unclosed_braces_and_bare_tags_give_nothing() {
        assert_eq!(read("/** @type {A */"), Doc::default());
        assert_eq!(read("/** @param */").parameters, []);
        assert_eq!(read("/**@*/"), Doc::default());
    }
}
