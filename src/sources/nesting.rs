//! How deep a text nests, found in one pass and without a stack, before anything recursive reads it.
//!
//! The count may be too high but never too low: what makes a parser recurse without a bracket (prefix operators,
//! arrows, conditions, type arguments, `else if`) counts as well until its statement ends, and behind a slash that may
//! begin a regular expression nothing is taken for a string or comment up to the end of the line, or of the text, where
//! that line may open what goes on behind it.

/// How deep a text may nest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Most {
    /// How many brackets may be open.
    pub brackets: usize,
    /// How much may nest without brackets, in all that is open.
    pub tail: usize,
}

/// Words behind which a parser reads one more of the same kind.
const RECURSIVE: &[&str] = &[
    "keyof", "readonly", "unique", "infer", "typeof", "void", "delete", "await", "yield", "new",
    "asserts", "extends", "if", "for", "while", "do", "with", "class", "async",
];

/// Words that begin a declaration where they stand behind a closing brace.
const DECLARING: &[&str] = &[
    "interface",
    "class",
    "declare",
    "namespace",
    "module",
    "enum",
    "function",
    "type",
    "abstract",
    "const",
    "let",
    "var",
    "import",
];

/// Whether `text` nests deeper than `most`: the byte where it does.
pub fn too_deep(text: &str, most: Most) -> Option<usize> {
    let bytes = text.as_bytes();
    let at = if text.starts_with("#!") { rest_of_line(bytes).len() } else { 0 };
    let here = Tail::default();
    Scan { bytes, at, open: Vec::new(), here, around: 0, sight: Sight::Clear, before: b';' }
        .run(most)
}

/// What a bracket was opened by; behind a template's `${ … }` comes more template.
#[derive(Clone, Copy, PartialEq)]
enum Bracket {
    Plain,
    Template,
}

/// Whether strings and comments can be told from code.
#[derive(Clone, Copy, PartialEq)]
enum Sight {
    Clear,
    /// They cannot up to this byte: all counts as code, and no bracket closes another.
    Blurred(usize),
}

/// What nests without brackets.
#[derive(Clone, Copy, Default)]
struct Tail {
    /// Until the statement or the element of a list ends.
    element: usize,
    /// Until it is closed by `>`.
    angles: usize,
    /// Until the bracket around closes.
    elses: usize,
}

impl Tail {
    fn sum(self) -> usize {
        self.element + self.angles + self.elses
    }
}

struct Scan<'t> {
    bytes: &'t [u8],
    at: usize,
    /// The brackets that are open, and what was counted around each.
    open: Vec<(Bracket, Tail)>,
    here: Tail,
    around: usize,
    sight: Sight,
    /// The last byte that is neither space nor comment.
    before: u8,
}

impl Scan<'_> {
    fn run(mut self, most: Most) -> Option<usize> {
        while let Some(byte) = self.bytes.get(self.at).copied() {
            let start = self.at;
            self.at += 1;
            if matches!(self.sight, Sight::Blurred(end) if start >= end) {
                self.sight = Sight::Clear;
            }
            let rest = &self.bytes[start..];
            // What scripts may have from the days of pages without scripts: comments to some, and operators to others.
            if rest.starts_with(b"<!--") || rest.starts_with(b"-->") {
                self.sight = Sight::Blurred(usize::MAX);
            }
            match byte {
                b'(' | b'[' | b'{' => self.enter(Bracket::Plain),
                b'_' | b'$' | b'a'..=b'z' | b'A'..=b'Z' => self.word(start),
                b'?' | b'=' | b'!' | b'~' | b'-' | b'+' | b'*' | b':' => self.here.element += 1,
                b'<' => self.here.angles += 1,
                _ if self.sight == Sight::Clear => self.clear(byte, start),
                _ => {}
            }
            if !byte.is_ascii_whitespace() && !self.bytes[start..].starts_with(b"/") {
                self.before = byte;
            }
            if self.open.len() > most.brackets || self.around + self.here.sum() > most.tail {
                return Some(start);
            }
        }
        None
    }

    /// What only counts where strings and comments can be told from code.
    fn clear(&mut self, byte: u8, start: usize) {
        match byte {
            b')' | b']' | b'}' => self.leave(),
            // Between type arguments nothing ends.
            b',' if self.here.angles == 0 => self.here.element = 0,
            b';' => self.here = Tail { elses: self.here.elses, ..Tail::default() },
            b'>' if start == 0 || self.bytes[start - 1] != b'=' => {
                self.here.angles = self.here.angles.saturating_sub(1);
            }
            b'"' | b'\'' => self.quoted(byte),
            b'`' => self.template(),
            b'/' => self.slash(),
            _ => {}
        }
    }

    fn enter(&mut self, bracket: Bracket) {
        self.open.push((bracket, self.here));
        self.around += self.here.sum();
        self.here = Tail::default();
    }

    fn leave(&mut self) {
        let Some((bracket, tail)) = self.open.pop() else { return };
        self.around -= tail.sum();
        self.here = tail;
        if bracket == Bracket::Template {
            self.template();
        }
    }

    fn word(&mut self, start: usize) {
        let is_part = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$');
        self.at += self.bytes[self.at..].iter().take_while(is_part).count();
        let word = &self.bytes[start..self.at];
        let is_one_of = |words: &[&str]| words.iter().any(|w| w.as_bytes() == word);
        if self.sight == Sight::Clear
            && (word == b"export" && !matches!(self.before, b'.' | b'#')
                || (self.before == b'}' && is_one_of(DECLARING)))
        {
            // A statement begins, so the one before has ended. Declarations need no semicolon between them.
            self.here = Tail { elses: self.here.elses, ..Tail::default() };
        }
        if word == b"else" {
            self.here.elses += 1;
        } else if is_one_of(RECURSIVE) {
            self.here.element += 1;
        }
    }

    fn slash(&mut self) {
        match self.bytes.get(self.at) {
            Some(b'/') => self.at += self.rest_of_line().len(),
            Some(b'*') => {
                self.at += 1;
                let rest = &self.bytes[self.at..];
                let end = rest.windows(2).position(|pair| pair == b"*/");
                self.at += end.map_or(rest.len(), |i| i + 2);
            }
            _ => {
                let rest = self.rest_of_line();
                let end = self.at + rest.len();
                let has = |signs: &[u8]| rest.iter().any(|b| signs.contains(b));
                // A string ends with its line, though not at U+2028 or U+2029; a template or comment may not.
                let goes_on = rest.ends_with(b"\\")
                    || self.bytes.get(end) == Some(&0xe2)
                    || self.open.iter().any(|(bracket, _)| *bracket == Bracket::Template);
                if goes_on || has(b"`") || rest.windows(2).any(|pair| pair == b"/*") {
                    self.sight = Sight::Blurred(usize::MAX);
                } else if has(b"\"'/") {
                    self.sight = Sight::Blurred(end);
                }
            }
        }
    }

    /// Up to the next line end.
    fn rest_of_line(&self) -> &[u8] {
        rest_of_line(&self.bytes[self.at..])
    }

    /// A string; one that does not end on its line was none.
    fn quoted(&mut self, quote: u8) {
        let mut at = self.at;
        while let Some(byte) = self.bytes.get(at) {
            match byte {
                b'\\' if self.bytes[at..].starts_with(b"\\\r\n") => at += 2,
                b'\\' => at += 1,
                b'\n' | b'\r' => return,
                b if *b == quote => {
                    self.at = at + 1;
                    return;
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// The text of a template, up to its end or its next `${`.
    fn template(&mut self) {
        while let Some(byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'`' => return,
                b'$' if self.bytes.get(self.at) == Some(&b'{') => {
                    self.at += 1;
                    return self.enter(Bracket::Template);
                }
                _ => {}
            }
        }
    }
}

/// Up to the first line end, of which U+2028 and U+2029 are two as well.
fn rest_of_line(rest: &[u8]) -> &[u8] {
    let ends = |i: usize| {
        matches!(rest[i], b'\n' | b'\r')
            || (rest[i] == 0xe2 && matches!(rest.get(i + 1..i + 3), Some([0x80, 0xa8 | 0xa9])))
    };
    &rest[..(0..rest.len()).find(|i| ends(*i)).unwrap_or(rest.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: Most = Most { brackets: 2_000, tail: 10_000 };

    #[test]
    fn brackets_in_strings_comments_and_templates_do_not_count() {
        for quiet in ["'((((' ", "\"((((\" ", "/* (((( */ ", "// ((((\n", "`(((${a}((` "] {
            assert_eq!(too_deep(&quiet.repeat(1_000), MOST), None, "{quiet}");
        }
    }

    #[test]
    fn deep_nesting_is_seen_in_every_form() {
        for deep in [
            "[",
            "(",
            "{",
            "a<",
            "`${",
            "keyof ",
            "() => ",
            "a ? b : ",
            "!",
            "if (a) ",
            "new ",
            "A extends B ? C : ",
            "x = ",
            "if (a) b; else ",
            "a: ",
            "A<B, ",
            "A extends B<C,D> ? E : ",
            "a.export=",
            "a.export?b:",
        ] {
            assert!(too_deep(&deep.repeat(30_000), MOST).is_some(), "{deep}");
        }
    }

    #[test]
    fn what_looks_like_a_string_hides_nothing() {
        let deep = "(".repeat(30_000);
        for before in [
            "/`/;",
            "x = 1 / `/ `;",
            "x = /'/;\n",
            "/\"((/.test(a)\n'\n",
            "a / '\u{2028}'",
            "a /* / ` */ / b /*`*/;",
            "x=`${a/b}'\n`;",
            "<!-- `\n",
            "a\n--> `\n",
            "#!\r",
            "'\\\r\n'",
            "// a\r",
            "// a\u{2028}",
            "/[//]/;",
            "'\n",
        ] {
            assert!(too_deep(&format!("{before}{deep}`'"), MOST).is_some(), "{before:?}");
        }
    }

    #[test]
    fn a_line_that_is_blurred_blurs_no_other() {
        let text = "function f(a) {\n  return a.replace(/'/g, \"x\").split(/[/\"]/);\n}\n";
        assert_eq!(too_deep(&text.repeat(400), MOST), None);
    }

    #[test]
    fn many_shallow_statements_are_not_deep() {
        let text = "export type A<T> = keyof T extends string ? (a: T) => void : never;\n";
        assert_eq!(too_deep(&text.repeat(10_000), MOST), None);
        let classes = "class A<T> extends B<T> { a?: T }\n/* c */ interface C extends D<E> { }\n";
        assert_eq!(too_deep(&classes.repeat(10_000), MOST), None);
        let members = format!("interface A {{ {} }}", "a?: Map<string, B>, b: 1,".repeat(10_000));
        assert_eq!(too_deep(&members, MOST), None);
        assert_eq!(too_deep("'unclosed\n{ don't }\n/* open", MOST), None);
    }
}
