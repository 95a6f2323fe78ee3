//! What a name may be where it stands in a text that is not lowered, told by the signs around it.
//!
//! The answers may be too often yes, never too often no: a comment or string may look like code.

/// Words in front of the name of a member.
const MODIFIERS: [&str; 12] = [
    "get",
    "set",
    "async",
    "static",
    "public",
    "private",
    "protected",
    "readonly",
    "override",
    "abstract",
    "declare",
    "accessor",
];

/// Calls that give or ask for a member by its name as a text.
const BY_TEXT: [&str; 13] = [
    "defineProperty",
    "defineProperties",
    "__define",
    "hasOwn",
    "stub",
    "spyOn",
    "has(",
    "get(",
    "set(",
    ".has",
    "get<",
    "set<",
    "has<",
];

/// How far in front of a text the name of its call may stand, in bytes.
const REACH: usize = 240;

/// How long a method's parameters may be before they are taken to end as a method's do, in bytes.
const PARAMETERS: usize = 600;

/// A name in a text, behind no dot.
pub(super) struct Mention<'t> {
    pub text: &'t str,
    pub start: usize,
    pub end: usize,
}

impl Mention<'_> {
    /// Whether it may be a key of an object or pattern, or the name of a member.
    pub fn may_be_a_member(&self) -> bool {
        let (before, after) = (&self.text[..self.start], &self.text[self.end..]);
        if before.ends_with(['"', '\'', '`']) {
            return self.may_be_asked_for_as_text();
        }
        let head = before.trim_end();
        let gap = &before[head.len()..];
        let sign = head.chars().next_back().unwrap_or('{');
        let is_modified = MODIFIERS.iter().any(|word| head.ends_with(word));
        let line = head.rsplit('\n').next().unwrap_or(head);
        let begins = gap.contains('\n')
            || matches!(sign, '{' | ',' | '}' | ';' | '*' | '#')
            || is_modified
            || head.ends_with("*/")
            || line.contains('@');
        let after = after.trim_start_matches([' ', '\t']);
        match after.chars().next() {
            None | Some(':' | '?') => true,
            Some('(' | '<') => begins && (is_modified || has_body(after)),
            Some(')') => is_modified,
            Some('/') => begins && is_comment(after),
            Some('=' | ',' | '}' | ';' | '\n' | '\r' | '!') => begins,
            Some(_) => false,
        }
    }

    fn may_be_asked_for_as_text(&self) -> bool {
        let (before, after) = (&self.text[..self.start], &self.text[self.end..]);
        let Some(behind) = after.strip_prefix(['"', '\'', '`']) else { return false };
        let behind = behind.trim_start();
        let reach = self.text.floor_char_boundary(before.len().saturating_sub(REACH));
        behind.starts_with([':', ']', '('])
            || behind.starts_with('=') && !behind.starts_with("==")
            || behind.trim_start_matches([')', ' ']).starts_with("in")
            || BY_TEXT.iter().any(|call| before[reach..].contains(call))
    }

    /// Whether it may be declared or set by itself, or named as a text: not where it is only read or called.
    pub fn may_stand_alone(&self) -> bool {
        let (before, after) = (&self.text[..self.start], &self.text[self.end..]);
        if before.ends_with(['"', '\'', '`', '[']) || before.trim_end().ends_with('*') {
            return true;
        }
        let after = after.trim_start_matches([' ', '\t']);
        let is_read = |c: char| c.is_alphanumeric() || ".()+-*/<>&|%^?".contains(c);
        !after.starts_with(is_read)
            || is_comment(after)
            || ["++", "--", "in ", "of "].iter().any(|sign| after.starts_with(sign))
            || after.split_once('=').is_some_and(|(sign, _)| {
                !sign.is_empty() && sign.len() <= 3 && !sign.contains(char::is_alphanumeric)
            })
    }
}

fn is_comment(text: &str) -> bool {
    text.starts_with("//") || text.starts_with("/*")
}

/// Whether parameters that begin here may be followed by a body or a type.
fn has_body(text: &str) -> bool {
    let mut depth = 0_u32;
    for (at, byte) in text.bytes().enumerate().take(PARAMETERS) {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            // What looks like a bracket may be none.
            b'"' | b'\'' | b'`' | b'/' => return true,
            _ => {}
        }
        if byte == b')' && depth == 0 {
            return text[at + 1..].trim_start().starts_with(['{', ':', '/']);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mention of `it` in a text.
    fn mention(text: &str) -> Mention<'_> {
        let start = text.find("it").unwrap();
        Mention { text, start, end: start + 2 }
    }

    #[test]
    fn keys_members_and_texts_may_be_members() {
        for text in [
            "x = { it: 1 }",
            "x = { a, it }",
            "({ it, b })",
            "const { it = 1 } = a",
            "class A { it() { } }",
            "class A {\n  it = 1;\n}",
            "class A { static it; }",
            "class A { get it() { return 1; } }",
            "class A {\n  // so\n  async it(a, b = f()) {\n} }",
            "class A { it<T>(a: T): T { } }",
            "class A { it?: string }",
            "'it' in a",
            "Object.defineProperty(a, 'it', { })",
            "a.hasOwnProperty('it')",
            "{ 'it': 1 }",
            "a['it'] = 1",
            "f({\n  it\n})",
            "class A { #it() {} }",
            "class A { @property() it = 1; }",
            "class A {\n  /* so */ it() { }\n}",
            "{ a,\n  it // so\n}",
            "class A { 'it'() { } }",
            "class A { 'it' = 1 }",
            "('it') in a",
            "constructor(private it) { }",
            "abstract class A { abstract it(); }",
            "a.get<T>('it')",
            "class A { b; it(a = ')') { } }",
        ] {
            assert!(mention(text).may_be_a_member(), "{text}");
        }
        for text in [
            "a(it)",
            "it.b",
            "const x = it + 1",
            "// of it all",
            "emitter.on('it', f)",
            "return it(a);",
            "'so it is'",
            "if (it(a)) { }",
            "it(a);",
            "x = it;",
            "[it, a]",
            "await it(b)\n{",
            "(it) => 1",
        ] {
            assert!(!mention(text).may_be_a_member(), "{text}");
        }
    }

    #[test]
    fn what_is_declared_or_set_may_stand_alone() {
        for text in [
            "var a, it;",
            "it = 1",
            "it += 1",
            "it ||= 1",
            "it++",
            "for (it of a) { }",
            "({ it } = a)",
            "var it",
            "[it] = a",
            "window['it']",
            "function* it() { }",
            "let {\n it\n} = a",
            "it >>>= 1",
            "var a\n  , it // so",
        ] {
            assert!(mention(text).may_stand_alone(), "{text}");
        }
        for text in ["it(a)", "it.b = 1", "a(it)", "it + 1", "it > 2", "it is so", "it ? a : b"] {
            assert!(!mention(text).may_stand_alone(), "{text}");
        }
    }
}
