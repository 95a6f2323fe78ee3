//! Text that parses without an error, read by the faster parser into the same parts as `syntax` makes of it.
//!
//! It is a short cut and nothing else: what this file does not read (an error, JSX, TypeScript, deep nesting) it leaves
//! to the parser that reads everything, and a test holds the two to the same scripts.

mod patterns;
mod functions;
mod expressions;
mod modules;
mod statements;

use super::Language;
use super::kinds::{Field, Kind};
use super::syntax::{Part, Syntax};
use crate::base::Span;
use crate::sources::nesting::{Most, too_deep};
use oxc_allocator::Allocator;
use oxc_ast::ast::{Expression, Program};
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The largest text that is read here, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// How deep a text may nest: this parser recurses. A bracket takes up to 4 kB of stack here, other nesting less than 1 kB.
const MOST: Most = Most { brackets: 1_000, tail: 6_000 };

/// The stack that the deepest text needs, in bytes; where there is less, a new one is used.
const STACK: usize = 12 << 20;

/// The syntax of a text, if it can be read here.
pub(super) fn whole(text: &str, language: Language) -> Option<Syntax> {
    let is_read = language == Language::JavaScript
        && text.len() <= MAX_BYTES
        && !text.starts_with('\u{feff}')
        // Behind this comment the parser goes down a chain of any length, call by call.
        && !text.contains("__PURE__")
        && too_deep(text, MOST).is_none();
    if !is_read {
        return None;
    }
    // A panic of the parser costs the short cut alone.
    let guarded = || catch_unwind(AssertUnwindSafe(|| read(text))).ok().flatten();
    stacker::maybe_grow(STACK, STACK, guarded)
}

fn read(text: &str) -> Option<Syntax> {
    let allocator = Allocator::default();
    let options = ParseOptions {
        preserve_parens: true,
        allow_return_outside_function: true,
        ..ParseOptions::default()
    };
    let kind = SourceType::unambiguous();
    let parsed = Parser::new(&allocator, text, kind).with_options(options).parse();
    if parsed.panicked || !parsed.diagnostics.is_empty() {
        return None;
    }
    let mut whole = Whole { text, syntax: Syntax::default(), chain: Vec::new(), left_out: false };
    whole.program(&parsed.program);
    (!whole.left_out).then_some(whole.syntax)
}

/// A syntax in the making.
struct Whole<'t, 'a> {
    text: &'t str,
    syntax: Syntax,
    /// Chains that wait for what stands behind their beginning.
    chain: Vec<(Part, &'a Expression<'a>)>,
    /// Whether something was met that is not read here.
    left_out: bool,
}

impl<'a> Whole<'_, 'a> {
    fn program(&mut self, program: &'a Program<'a>) {
        let comments = program.comments.iter().map(|comment| span(comment.span));
        self.syntax.comments = comments.collect();
        let all = self.begin(Kind::Program, Field::None, Span::new(0, self.text.len()));
        self.directives(&program.directives);
        self.statements(&program.body, Field::None);
        self.syntax.end(all);
    }

    fn begin(&mut self, kind: Kind, field: Field, span: Span) -> Part {
        self.syntax.begin(kind, field, span)
    }

    fn leaf(&mut self, kind: Kind, field: Field, at: oxc_span::Span) {
        self.syntax.leaf(kind, field, span(at));
    }

    /// Notes that something is not read here.
    fn leave_out(&mut self) {
        self.left_out = true;
    }

    /// Where a word or sign stands between two places, comments passed over.
    fn sign(&mut self, from: u32, to: u32, sign: &str) -> Span {
        let mut from = from as usize;
        let to = to as usize;
        loop {
            let between = self.text.get(from..to).unwrap_or("");
            let Some(found) = between.find(sign) else {
                self.leave_out();
                return Span::new(from, from);
            };
            let at = from + found;
            let comments = &self.syntax.comments;
            let idx = comments.partition_point(|c| c.end as usize <= at);
            match comments.get(idx) {
                Some(comment) if (comment.start as usize) <= at => from = comment.end as usize,
                _ => return Span::new(at, at + sign.len()),
            }
        }
    }
}

fn span(span: oxc_span::Span) -> Span {
    Span { start: span.start, end: span.end }
}
