//! The examples in a chunk, and the calls that an example makes, in the order in which they happen.
//!
//! Examples are often pieces: no syntax is asked of them. Whatever stands there gives calls, and a receiver that is not
//! plain stays unknown.

use super::Chunk;
use crate::base::{Name, to_u32};
use crate::sources::pages::markdown::page;
use std::borrow::Cow;

/// The longest example that is read, in bytes.
const MAX_EXAMPLE: usize = 64 * 1024;

/// How many calls of an example are read.
const MAX_CALLS: usize = 2_000;

/// How deep calls may stand in calls.
const MAX_DEPTH: usize = 64;

/// How many links of a chain (`a.b.c()`) are followed.
const MAX_LINKS: usize = 12;

/// Code in a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The word behind the fence, maybe empty.
    pub language: String,
    /// The code.
    pub code: String,
    /// The line of its first line of code, counted from 1 at the chunk's first line.
    pub line: u32,
}

/// The examples of `chunk`, in their order.
pub fn examples(chunk: &Chunk) -> Vec<Example> {
    let text = undecorated(&chunk.text);
    if !["```", "~~~", "\n    ", "\n\t"].iter().any(|sign| text.contains(sign)) {
        return Vec::new();
    }
    let page = page(text.as_bytes());
    let lines: Vec<&str> = text.lines().collect();
    let fences = page.sections.iter().flat_map(|section| section.fences());
    let found = fences.map(|fence| {
        let first = lines.get(fence.line.saturating_sub(1) as usize).map_or("", |line| line.trim());
        let is_fenced = first.starts_with("```") || first.starts_with("~~~");
        Example {
            language: fence.language.clone(),
            code: fence.code.clone(),
            line: fence.line + u32::from(is_fenced),
        }
    });
    found.filter(|example| example.code.len() <= MAX_EXAMPLE).collect()
}

/// The text of a comment without its stars, line for line; what stands behind `@example` without a fence gets one.
fn undecorated(text: &str) -> Cow<'_, str> {
    if !text.trim_start().starts_with("/**") {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut state = Comment::Prose;
    for line in text.lines() {
        let bare = line.trim_start();
        let bare = bare.strip_prefix("/**").unwrap_or(bare);
        let (bare, is_end) = match (&state, bare.split_once("*/")) {
            (Comment::Over, _) | (_, None) => (bare, false),
            (_, Some((last, _))) => (last, true),
        };
        let bare = match &state {
            Comment::Over => bare,
            Comment::Prose | Comment::Example | Comment::Fence => {
                let starless = bare.strip_prefix('*').unwrap_or(bare);
                starless.strip_prefix(' ').unwrap_or(starless)
            }
        };
        state.take(bare, &mut plain);
        plain.push('\n');
        if is_end {
            state = Comment::Over;
        }
    }
    Cow::Owned(plain)
}

/// Where in a comment a line stands.
enum Comment {
    Prose,
    /// Behind an `@example` without a fence.
    Example,
    /// In a fence.
    Fence,
    /// The comment has ended.
    Over,
}

impl Comment {
    /// Adds `line` to `plain` as a page would have it; the line of a bare `@example` makes place for four spaces.
    fn take(&mut self, line: &str, plain: &mut String) {
        let is_fence = line.trim_start().starts_with("```");
        match self {
            Comment::Prose if is_fence => *self = Comment::Fence,
            Comment::Fence if is_fence => *self = Comment::Prose,
            Comment::Example if is_fence => *self = Comment::Fence,
            Comment::Prose | Comment::Example if line.starts_with('@') => {
                *self = match line.starts_with("@example") {
                    true => Comment::Example,
                    false => Comment::Prose,
                };
                return;
            }
            Comment::Example => plain.push_str("    "),
            Comment::Prose | Comment::Fence => {}
            // What is declared is no example.
            Comment::Over => return,
        }
        plain.push_str(line);
    }
}

/// What something stands for in an example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A name.
    Name(Name),
    /// A member of something.
    Member(Box<Value>, Name),
    /// What a call gives, by its number.
    Call(usize),
    /// What `new` gives of a name.
    New(Name),
    /// Anything else.
    Unknown,
}

/// A call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// What stands left of the dot; none where nothing does.
    pub receiver: Option<Value>,
    /// What is called.
    pub name: Name,
    /// Its first argument, where that is a text.
    pub text: Option<Name>,
    /// Where it is written.
    pub at: u32,
    /// Where it happens: behind its arguments, unless these hold blocks of code.
    pub happens: u32,
    /// What its result is called: `const row = table.rowStart()`.
    pub given_to: Option<Name>,
    /// What it is made for.
    pub purpose: Purpose,
}

/// What a call is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// For what it does.
    Deed,
    /// For what it gives to another call.
    Argument,
}

/// What a name is given that is no call, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The name.
    pub name: Name,
    /// What it stands for.
    pub value: Value,
    /// Where.
    pub at: u32,
}

/// What an example does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// Its calls in the order in which they are written.
    pub calls: Vec<Call>,
    /// Its names.
    pub given: Vec<Given>,
}

/// Reads an example.
pub fn reading(code: &str) -> Reading {
    let mut scan =
        Scan { tokens: tokens(code), next: 0, reading: Reading::default(), open: Vec::new() };
    while scan.next < scan.tokens.len() && scan.reading.calls.len() < MAX_CALLS {
        scan.step();
    }
    scan.reading
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token<'c> {
    Word(&'c str),
    /// A text in quotes, without them.
    Text(&'c str),
    /// A sign; `?.` is `.`, `=>` is `>`, and `==` is `e`.
    Sign(u8),
}

/// The words, texts and signs of `code` with their places; comments are left out.
fn tokens(code: &str) -> Vec<(Token<'_>, usize)> {
    let bytes = code.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at).copied() {
        let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'$' || *b >= 0x80;
        let rest = &bytes[at..];
        let length = match byte {
            b'/' if rest.starts_with(b"//") => until(rest, b"\n"),
            b'/' if rest.starts_with(b"/*") => until(rest, b"*/"),
            b'"' | b'\'' | b'`' => {
                let length = quoted(rest, byte);
                let inner = code.get(at + 1..(at + length).saturating_sub(1)).unwrap_or("");
                found.push((Token::Text(inner), at));
                length
            }
            b if is_word(&b) => {
                let length = rest.iter().position(|b| !is_word(b)).unwrap_or(rest.len());
                found.push((Token::Word(code.get(at..at + length).unwrap_or("")), at));
                length
            }
            b'?' if rest.starts_with(b"?.") => sign(&mut found, b'.', at, 2),
            b'=' if rest.starts_with(b"=>") => sign(&mut found, b'>', at, 2),
            b'=' | b'!' if rest.get(1) == Some(&b'=') => sign(&mut found, b'e', at, 2),
            b if b.is_ascii_whitespace() => 1,
            b => sign(&mut found, b, at, 1),
        };
        at += length.max(1);
    }
    found
}

fn sign(found: &mut Vec<(Token<'_>, usize)>, byte: u8, at: usize, length: usize) -> usize {
    found.push((Token::Sign(byte), at));
    length
}

/// The length up to and with `end`, or to the end of all.
fn until(bytes: &[u8], end: &[u8]) -> usize {
    let at = bytes.windows(end.len()).skip(1).position(|window| window == end);
    at.map_or(bytes.len(), |at| at + 1 + end.len())
}

/// The length of a text in quotes; one in plain quotes ends with its line.
fn quoted(bytes: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        match *byte {
            b'\\' => at += 1,
            b'\n' if quote != b'`' => return at,
            b if b == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

struct Scan<'c> {
    tokens: Vec<(Token<'c>, usize)>,
    next: usize,
    reading: Reading,
    open: Vec<Open>,
}

/// What is open in a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    /// The arguments of a call, by its number.
    Call(usize),
    /// A block or an object.
    Block,
    /// Another bracket.
    Bracket,
}

/// Words that stand before a bracket and call nothing.
const NO_CALLS: &[&str] = &[
    "if", "for", "while", "switch", "catch", "function", "return", "typeof", "await", "new", "in",
    "of", "async", "else", "do", "void", "delete", "yield", "case", "throw", "import", "super",
    "const", "let", "var",
];

impl<'c> Scan<'c> {
    fn peek(&self, ahead: usize) -> Option<Token<'c>> {
        self.tokens.get(self.next + ahead).map(|(token, _)| *token)
    }

    fn before(&self, back: usize) -> Option<Token<'c>> {
        self.next.checked_sub(back).and_then(|at| self.tokens.get(at)).map(|(token, _)| *token)
    }

    fn step(&mut self) {
        let Some((token, at)) = self.tokens.get(self.next).copied() else { return };
        match token {
            Token::Word(word) if !NO_CALLS.contains(&word) => {
                let value = match self.before(1) {
                    Some(Token::Word("new")) => Value::New(word.into()),
                    _ => Value::Name(word.into()),
                };
                let given_to = self.given_to();
                self.next += 1;
                self.chain(value, given_to);
            }
            Token::Sign(b'(' | b'{' | b'[') => {
                let mut open = Open::Bracket;
                if token == Token::Sign(b'{') {
                    open = Open::Block;
                    // A block in its arguments runs while the call is made, or later: the call came first.
                    for outer in &self.open {
                        if let Open::Call(call) = outer {
                            let call = &mut self.reading.calls[*call];
                            call.happens = call.happens.min(call.at);
                        }
                    }
                }
                self.push(open);
                self.next += 1;
            }
            Token::Sign(b')' | b'}' | b']') => {
                self.next += 1;
                if let Some(Open::Call(call)) = self.open.pop() {
                    let call_at = &mut self.reading.calls[call];
                    if call_at.happens == u32::MAX {
                        call_at.happens = to_u32(at);
                    }
                    self.chain(Value::Call(call), None);
                }
            }
            Token::Word(_) | Token::Text(_) | Token::Sign(_) => self.next += 1,
        }
    }

    /// The name that what comes is given to: `const row = `, `row = await `.
    fn given_to(&self) -> Option<Name> {
        let mut back = 1;
        while matches!(self.before(back), Some(Token::Word("await" | "new"))) {
            back += 1;
        }
        if self.before(back) != Some(Token::Sign(b'=')) {
            return None;
        }
        let mut name = self.before(back + 1)?;
        // `const row: Row =`.
        if self.before(back + 2) == Some(Token::Sign(b':')) {
            name = self.before(back + 3)?;
        } else if self.before(back + 2) == Some(Token::Sign(b'.')) {
            return None;
        }
        match name {
            Token::Word(word) => Some(word.into()),
            Token::Text(_) | Token::Sign(_) => None,
        }
    }

    /// Follows `.name` and `(` behind a value.
    fn chain(&mut self, mut value: Value, given_to: Option<Name>) {
        let mut n_links = 0;
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some(Token::Sign(b'.')), Some(Token::Word(name))) => {
                    n_links += 1;
                    value = match n_links <= MAX_LINKS {
                        true => Value::Member(Box::new(value), name.into()),
                        false => Value::Unknown,
                    };
                    self.next += 2;
                }
                (Some(Token::Sign(b'(')), first) => {
                    self.call(value, given_to, first);
                    return;
                }
                _ => break,
            }
        }
        let at = to_u32(self.tokens.get(self.next).map_or(usize::MAX, |(_, at)| *at));
        if let Some(name) = given_to {
            self.reading.given.push(Given { name, value, at });
        }
    }

    fn call(&mut self, value: Value, given_to: Option<Name>, first: Option<Token<'c>>) {
        let at = to_u32(self.tokens[self.next].1);
        self.next += 1;
        let (receiver, name) = match value {
            Value::Member(receiver, name) => (Some(*receiver), name),
            Value::Name(name) => (None, name),
            Value::New(name) => {
                let value = Value::New(name);
                self.reading.given.extend(given_to.map(|name| Given { name, value, at }));
                return self.push(Open::Bracket);
            }
            Value::Call(_) | Value::Unknown => return self.push(Open::Bracket),
        };
        let text = match first {
            Some(Token::Text(text)) if text.len() < 100 => Some(text.into()),
            Some(Token::Word(_) | Token::Sign(_) | Token::Text(_)) | None => None,
        };
        let number = self.reading.calls.len();
        let is_argument = self.open.iter().rev().take_while(|open| **open != Open::Block);
        let purpose = match is_argument.into_iter().any(|open| matches!(open, Open::Call(_))) {
            true => Purpose::Argument,
            false => Purpose::Deed,
        };
        let happens = u32::MAX;
        self.reading.calls.push(Call { receiver, name, text, at, happens, given_to, purpose });
        self.push(Open::Call(number));
    }

    fn push(&mut self, open: Open) {
        if self.open.len() < MAX_DEPTH {
            self.open.push(open);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(code: &str) -> Vec<String> {
        let mut calls = reading(code).calls;
        calls.sort_by_key(|call| call.happens);
        let spelt = |call: &Call| {
            let name = match &call.receiver {
                Some(receiver) => format!("{}.{}", spelt(receiver), call.name),
                None => call.name.to_string(),
            };
            match &call.given_to {
                Some(to) => format!("{to}={name}"),
                None => name,
            }
        };
        calls.iter().map(spelt).collect()
    }

    fn spelt(value: &Value) -> String {
        match value {
            Value::Name(name) => name.to_string(),
            Value::Member(of, name) => format!("{}.{name}", spelt(of)),
            Value::Call(number) => format!("#{number}"),
            Value::New(name) => format!("new {name}"),
            Value::Unknown => "?".to_owned(),
        }
    }

    #[test]
    fn calls_are_read_in_the_order_in_which_they_happen() {
        let code = "const row = await table.rowStart('a'); // table.no()\nlayout.place(layout.makeMark(\"b.c()\"));\n\
            app.whenReady().then(() => { tray?.open(`${x.y()}`) })\nif (ok) { a = b.c.d() }";
        assert_eq!(
            said(code),
            [
                "row=table.rowStart",
                "layout.makeMark",
                "layout.place",
                "app.whenReady",
                "#3.then",
                "tray.open",
                "a=b.c.d"
            ]
        );
        assert_eq!(reading("x.make('rule')").calls[0].text, Some("rule".into()));
    }

    #[test]
    fn whatever_stands_there_is_read() {
        for odd in [
            "",
            "((((",
            "))))",
            "a.b.(",
            "'unclosed\nx.y()",
            "/* open",
            "a.".repeat(9000).as_str(),
            "f(".repeat(9000).as_str(),
            "é.ü(ß",
        ] {
            let _ = reading(odd);
        }
        assert_eq!(said("'unclosed\nx.y()"), ["x.y"]);
    }

    #[test]
    fn examples_of_pages_and_of_comments_know_their_line() {
        let of = |text: &str| examples(&Chunk { text: text.into(), ..Chunk::default() });
        let paged = of("## A-b\n\nText.\n\n```js\na.b()\n```\n");
        assert_eq!((paged[0].line, paged[0].code.as_str()), (6, "a.b()\n"));
        let comment = of(
            "/**\n * Opens.\n * @example\n * a.open();\n * a.close();\n * @see b\n */\nopen(): void;",
        );
        assert_eq!((comment[0].line, comment[0].code.as_str()), (4, "a.open();\na.close();\n"));
        let fenced = of("/**\n * ```ts\n * a.open();\n * ```\n */\nopen(): void;\n    x(): y;");
        assert_eq!((fenced.len(), fenced[0].line, fenced[0].code.as_str()), (1, 3, "a.open();\n"));
        assert!(of("No code here.").is_empty());
    }
}
