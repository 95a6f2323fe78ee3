//! What comments say: `@deprecated` above a declaration, and `/// <reference … />`.

use super::declared::Reference;
use crate::base::Name;
use oxc_ast::ast::Comment;
use std::collections::BTreeMap;

/// The longest deprecation text that is kept, in bytes.
const MAX_TEXT: usize = 300;

/// The declarations that a comment calls deprecated, by the byte where they begin.
pub(super) fn deprecations(comments: &[Comment], text: &str) -> BTreeMap<u32, Name> {
    comments
        .iter()
        .filter(|c| c.is_jsdoc())
        .filter_map(|c| {
            let said = text.get(c.span.start as usize..c.span.end as usize)?;
            Some((c.attached_to, deprecation(said)?))
        })
        .collect()
}

/// The text behind `@deprecated` in a JSDoc comment, on one line.
fn deprecation(comment: &str) -> Option<Name> {
    let at = tag(comment, "@deprecated")?;
    let rest = comment[at..].trim_end_matches('/').trim_end_matches('*');
    let mut words: Vec<&str> = Vec::new();
    for (i, line) in rest.lines().enumerate() {
        let line = if i == 0 { line.trim() } else { line.trim().trim_start_matches('*').trim() };
        if line.starts_with('@') {
            break;
        }
        words.extend(line.split_whitespace());
    }
    let mut said = words.join(" ");
    if let Some((cut, _)) = said.char_indices().find(|(i, _)| *i > MAX_TEXT) {
        said.truncate(cut);
    }
    Some(said.trim_start_matches(['-', ' ']).into())
}

/// The byte behind `tag`, where it stands as a whole word at the beginning of a line.
fn tag(comment: &str, tag: &str) -> Option<usize> {
    comment.match_indices(tag).map(|(i, _)| (i, i + tag.len())).find_map(|(start, end)| {
        let before = comment[..start].trim_end_matches([' ', '\t']);
        let begins = before.ends_with('*') || before.ends_with('\n');
        let whole = !comment[end..].starts_with(|c: char| c.is_alphanumeric());
        (begins && whole).then_some(end)
    })
}

/// The `/// <reference … />` lines at the top of `text`.
pub(super) fn references(text: &str) -> Vec<Reference> {
    let text = text.trim_start_matches('\u{feff}');
    let mut found = Vec::new();
    let mut in_block = false;
    for line in text.lines().map(str::trim) {
        if in_block {
            in_block = !line.contains("*/");
        } else if let Some(directive) = line.strip_prefix("///") {
            found.extend(reference(directive.trim()));
        } else if line.starts_with("/*") {
            in_block = !line.contains("*/");
        } else if !(line.is_empty() || line.starts_with("//") || line.starts_with("#!")) {
            break;
        }
    }
    found
}

fn reference(directive: &str) -> Option<Reference> {
    let attributes = directive.strip_prefix("<reference")?;
    let value = |name: &str| {
        let (_, after) = attributes.split_once(name)?;
        let after = after.trim_start().strip_prefix('=')?.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        after[1..].split(quote).next().map(Name::from)
    };
    value(" path")
        .map(Reference::Path)
        .or_else(|| value(" types").map(Reference::Types))
        .or_else(|| value(" lib").map(Reference::Lib))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deprecation_is_one_line_up_to_the_next_tag() {
        let said =
            "/**\n * Old.\n * @deprecated since 2.0 - Use\n *   {@link b} instead.\n * @see c\n */";
        assert_eq!(deprecation(said).as_deref(), Some("since 2.0 - Use {@link b} instead."));
        assert_eq!(deprecation("/** @deprecated */").as_deref(), Some(""));
        assert_eq!(deprecation("/** Not @deprecatedness, nor a@deprecated. */"), None);
    }

    #[test]
    fn references_stand_above_the_code() {
        let text = "// A\n/* B\n */\n/// <reference path=\"a.d.ts\" />\n/// <reference types='node' />\n\
                    /// <reference lib=\"es2020\" />\ndeclare var x: 1;\n/// <reference path=\"late\" />";
        let found = references(text);
        assert_eq!(
            found,
            [
                Reference::Path("a.d.ts".into()),
                Reference::Types("node".into()),
                Reference::Lib("es2020".into())
            ]
        );
    }
}
