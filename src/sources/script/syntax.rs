//! A text's syntax as a flat list of parts in the order of the text, comments beside it, and where it is broken.
//!
//! Walking is done by index, so nothing that is built on it needs a cursor. What is broken is read here, by the parser
//! that goes on behind an error; `whole` fills the same parts from a faster one.

use super::Language;
use super::kinds::{Field, Grammar, Kind, Word};
use crate::base::{Span, to_u32};
use std::cell::Cell;
use std::ops::ControlFlow;
use tree_sitter::{ParseOptions, ParseState, Parser, Tree, TreeCursor};

/// The largest text that is parsed, in bytes.
const MAX_BYTES: usize = 4 << 20;

/// How often the parser may ask whether to go on: once in so many bytes, and so often for a start. Real code, minified or
/// broken, asks once in 27 bytes or less; some texts, made for it, would keep the parser busy for minutes.
const STEPS: (usize, usize) = (12, 3_000);

/// How much text the parser may read, in pieces of [`PIECE`] bytes: so many times the whole, and so much for a start. Real
/// code is read less than twice.
const READING: (usize, usize) = (16, 8 << 20);

/// How much text the parser is shown at a time, in bytes.
const PIECE: usize = 16 << 10;

/// A part of a text: an index into [`Syntax`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part(u32);

#[derive(Debug, Clone, Copy)]
struct Node {
    kind: Kind,
    word: Option<Word>,
    field: Field,
    /// Whether something in it, not deeper, could not be read.
    torn: bool,
    start: u32,
    end: u32,
    /// The index behind its last part.
    after: u32,
}

/// A parsed text.
#[derive(Debug, Default)]
pub(super) struct Syntax {
    nodes: Vec<Node>,
    /// Every comment, in the order of the text.
    pub comments: Vec<Span>,
    /// What could not be read; errors among statements are left to the reader, who may find whole statements in them.
    pub broken: Vec<Span>,
}

impl Syntax {
    /// Parses a text; what is too large or keeps the parser too long gives nothing and is broken whole.
    pub fn of(text: &str, language: Language) -> Syntax {
        let whole = Span::new(0, text.len());
        let given_up = || Syntax { broken: vec![whole], ..Syntax::default() };
        if text.len() > MAX_BYTES {
            return given_up();
        }
        let grammar = Grammar::of(language);
        let Some(tree) = parse(text, grammar) else { return given_up() };
        let mut syntax = Syntax::default();
        syntax.nodes.reserve(text.len() / 6);
        syntax.copy(&tree, grammar);
        syntax
    }

    /// Begins a part; what is kept until it ends lies in it.
    pub fn begin(&mut self, kind: Kind, field: Field, span: Span) -> Part {
        self.keep_part(kind, None, field, span)
    }

    /// Ends a part.
    pub fn end(&mut self, part: Part) {
        self.nodes[part.0 as usize].after = to_u32(self.nodes.len());
    }

    /// Keeps a part with nothing in it.
    pub fn leaf(&mut self, kind: Kind, field: Field, span: Span) {
        self.keep_part(kind, None, field, span);
    }

    /// Keeps a word.
    pub fn tell(&mut self, word: Word, span: Span) {
        self.keep_part(Kind::Dropped, Some(word), Field::None, span);
    }

    fn keep_part(&mut self, kind: Kind, word: Option<Word>, field: Field, span: Span) -> Part {
        let idx = to_u32(self.nodes.len());
        let Span { start, end } = span;
        self.nodes.push(Node { kind, word, field, torn: false, start, end, after: idx + 1 });
        Part(idx)
    }

    /// The whole text, if it was parsed.
    pub fn root(&self) -> Option<Part> {
        (!self.nodes.is_empty()).then_some(Part(0))
    }

    fn copy(&mut self, tree: &Tree, grammar: &Grammar) {
        let damaged = tree.root_node().has_error();
        let mut cursor = tree.walk();
        let mut open: Vec<u32> = Vec::new();
        loop {
            let around = open.last().map(|idx| *idx as usize);
            if let Some(idx) = self.keep(&cursor, grammar, around, damaged)
                && cursor.goto_first_child()
            {
                open.push(idx);
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                let Some(idx) = open.pop() else { return };
                self.nodes[idx as usize].after = to_u32(self.nodes.len());
            }
        }
    }

    /// Keeps the node under the cursor if it is of interest; gives its index if its parts may be, too.
    fn keep(
        &mut self,
        cursor: &TreeCursor<'_>,
        grammar: &Grammar,
        around: Option<usize>,
        damaged: bool,
    ) -> Option<u32> {
        let node = cursor.node();
        let (mut kind, word) = grammar.kind(node.kind_id());
        let (start, end) = (to_u32(node.start_byte()), to_u32(node.end_byte()));
        let outer = around.map(|idx| self.nodes[idx].kind);
        if damaged && node.is_missing() {
            self.broken.push(Span { start, end });
            self.tear(around);
            if kind.is_dropped() {
                return None;
            }
            kind = Kind::Missing;
        }
        let field = match kind {
            Kind::Comment => {
                self.comments.push(Span { start, end });
                return None;
            }
            Kind::Dropped => {
                let has_signs = outer.is_some_and(Kind::has_signs);
                if !has_signs && !word.is_some_and(|w| is_told(w, outer)) {
                    return None;
                }
                grammar.field(cursor.field_id())
            }
            Kind::HtmlComment | Kind::Fragment => return None,
            _ if outer.is_some_and(Kind::is_list) => Field::None,
            _ => grammar.field(cursor.field_id()),
        };
        let idx = to_u32(self.nodes.len());
        self.nodes.push(Node { kind, word, field, torn: false, start, end, after: idx + 1 });
        match (kind, outer) {
            (Kind::Error, _) => {
                self.tear(around);
                let holds_statements = outer.is_none_or(Kind::holds_statements);
                if !holds_statements {
                    self.broken.push(Span { start, end });
                }
                holds_statements.then_some(idx)
            }
            (Kind::Dropped | Kind::Missing, _) => None,
            // What an `as` or a list of type arguments holds is a type, whatever it looks like.
            (_, Some(Kind::TypeArguments)) => None,
            (kind, _) if kind.is_leaf() => {
                if damaged && node.has_error() {
                    self.broken.push(Span { start, end });
                }
                None
            }
            _ => Some(idx),
        }
    }

    /// Notes that something directly in a node could not be read.
    fn tear(&mut self, around: Option<usize>) {
        if let Some(idx) = around {
            self.nodes[idx].torn = true;
        }
    }

    /// What a part is.
    pub fn kind(&self, part: Part) -> Kind {
        self.nodes[part.0 as usize].kind
    }

    /// Where it stands.
    pub fn span(&self, part: Part) -> Span {
        let node = &self.nodes[part.0 as usize];
        Span { start: node.start, end: node.end }
    }

    /// Whether something directly in it could not be read.
    pub fn is_torn(&self, part: Part) -> bool {
        self.nodes[part.0 as usize].torn
    }

    /// Its parts, errors and kept words included.
    pub fn all(&self, part: Part) -> impl Iterator<Item = Part> + '_ {
        let end = self.nodes[part.0 as usize].after;
        let mut next = part.0 + 1;
        std::iter::from_fn(move || {
            let here = (next < end).then_some(Part(next))?;
            next = self.nodes[next as usize].after;
            Some(here)
        })
    }

    /// Its parts, without errors and words.
    pub fn parts(&self, part: Part) -> impl Iterator<Item = Part> + '_ {
        self.all(part).filter(|p| !matches!(self.kind(*p), Kind::Error | Kind::Dropped))
    }

    /// Its first part that is this to it.
    pub fn field(&self, part: Part, field: Field) -> Option<Part> {
        self.all(part)
            .find(|p| self.nodes[p.0 as usize].field == field && self.kind(*p) != Kind::Error)
    }

    /// What a part is to the whole around it.
    pub fn field_of(&self, part: Part) -> Field {
        self.nodes[part.0 as usize].field
    }

    /// Whether it has this word directly in it.
    pub fn has(&self, part: Part, word: Word) -> bool {
        self.all(part).any(|p| self.word(p) == Some(word))
    }

    /// Which word it is.
    pub fn word(&self, part: Part) -> Option<Word> {
        self.nodes[part.0 as usize].word
    }
}

/// Whether a word means something where it stands.
fn is_told(word: Word, outer: Option<Kind>) -> bool {
    match word {
        Word::Comma => outer == Some(Kind::ArrayPattern),
        Word::Equals => outer == Some(Kind::Export),
        // Of an `export default` it is told as well, to know it from `export`.
        Word::Default => {
            matches!(outer, Some(Kind::Export | Kind::ImportSpecifier | Kind::ExportSpecifier))
        }
        Word::Question => outer != Some(Kind::Ternary),
        Word::Async
        | Word::Await
        | Word::Static
        | Word::StaticGet
        | Word::Get
        | Word::Set
        | Word::Star
        | Word::Optional
        | Word::Global
        | Word::TypeOnly
        | Word::Readonly => true,
    }
}

fn parse(text: &str, grammar: &Grammar) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&grammar.language).ok()?;
    let bytes = text.as_bytes();
    let unread = Cell::new(READING.0 * bytes.len() + READING.1);
    let mut left = bytes.len() / STEPS.0 + STEPS.1;
    let mut go_on = |_: &ParseState| {
        left = left.saturating_sub(1);
        match left.min(unread.get()) {
            0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    };
    let mut read = |from: usize, _| {
        let rest = bytes.get(from..).unwrap_or(&[]);
        let piece = &rest[..rest.len().min(PIECE)];
        unread.set(unread.get().saturating_sub(piece.len()));
        // Once too much was read, the text seems to end, so that no single step goes on for long.
        if unread.get() == 0 { &[] } else { piece }
    };
    let options = ParseOptions::new().progress_callback(&mut go_on);
    let tree = parser.parse_with_options(&mut read, None, Some(options));
    tree.filter(|_| unread.get() > 0)
}
