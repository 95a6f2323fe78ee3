//! `.d.ts` text to declared symbols and their members, every name as it is written there.
//!
//! Any text gives records, with gaps where something could not be represented. No syntax node leaves this room, and
//! nothing here looks a name up. The parser recurses, so nesting is bounded before it runs, and it runs on a thread
//! with a stack that the bound cannot overflow.

mod declared;
mod comments;
mod notes;
mod words;
mod shapes;
mod types;
mod classes;
mod enums;
mod statements;
#[cfg(test)]
mod tests;

pub use declared::{
    Base, Body, Class, Constant, ConstantKind, Declared, Export, ExportKind, Exported, Form, Gap,
    Import, Imported, Item, ModuleBlock, Reference, Sides, What,
};

use crate::base::Lines;
use crate::sources::nesting::{Most, too_deep};
use notes::Notes;
use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The longest text that is parsed, in bytes.
const MAX_BYTES: usize = 16 << 20;

/// The stack of the thread that parses; only what is used of it is ever real memory.
const STACK_BYTES: usize = 256 << 20;

/// How deep a text may nest.
const MOST: Most = Most { brackets: 2_000, tail: 10_000 };

/// How many syntax errors of one file are kept.
const MAX_ERRORS: usize = 20;

/// What `text` declares.
pub fn declarations(text: &str) -> Declared {
    declarations_of(std::iter::once(text)).pop().unwrap_or_default()
}

/// What each text declares, in their order; all are parsed on one thread of their own, where they are also made.
pub fn declarations_of<T: AsRef<str>>(texts: impl Iterator<Item = T> + Send) -> Vec<Declared> {
    let mut found = Vec::new();
    let work = || {
        let mut allocator = Allocator::default();
        for text in texts {
            allocator.reset();
            found.push(guarded(text.as_ref(), &allocator));
        }
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        thread
            .expect("the system has an address range for one more stack")
            .join()
            .expect("what the parser panics about is caught where it happens");
    });
    found
}

/// Reads one text; a panic of the parser costs that file alone.
fn guarded(text: &str, allocator: &Allocator) -> Declared {
    if text.len() > MAX_BYTES {
        return refused(1, "the file is too large to be parsed");
    }
    if let Some(at) = too_deep(text, MOST) {
        let line = Lines::of(text).line(crate::base::to_u32(at));
        return refused(line, "the file nests too deep to be parsed");
    }
    catch_unwind(AssertUnwindSafe(|| read(text, allocator)))
        .unwrap_or_else(|_| refused(1, "the parser failed on this file"))
}

/// A file of which nothing is known.
fn refused(line: u32, what: &str) -> Declared {
    Declared { holes: vec![Gap { line, what: what.into() }], ..Declared::default() }
}

/// Reads `text` as a declaration file, or as ordinary TypeScript where that has fewer errors.
fn read(text: &str, allocator: &Allocator) -> Declared {
    let as_declarations = parse(text, SourceType::d_ts(), allocator);
    let mut best = match as_declarations.n_errors() {
        0 => as_declarations,
        n => {
            let as_source = parse(text, SourceType::ts(), allocator);
            if as_source.n_errors() < n { as_source } else { as_declarations }
        }
    };
    let mut notes = Notes::on(text, &best.program.comments);
    let mut declared = Declared { references: comments::references(text), ..Declared::default() };
    for (at, message) in best.errors.drain(..) {
        notes.gap(at, &format!("syntax error: {message}"));
    }
    statements::read(&best.program.body, &mut declared, &mut notes);
    declared.holes = notes.into_gaps();
    declared
}

/// A parsed text and its errors: the byte and what is wrong there.
struct Parsed<'t> {
    program: Program<'t>,
    errors: Vec<(u32, String)>,
    gave_up: bool,
}

impl Parsed<'_> {
    /// How many errors there are; giving up is worse than any number.
    fn n_errors(&self) -> usize {
        if self.gave_up { usize::MAX } else { self.errors.len() }
    }
}

fn parse<'t>(text: &'t str, kind: SourceType, allocator: &'t Allocator) -> Parsed<'t> {
    let options = ParseOptions { preserve_parens: false, ..ParseOptions::default() };
    let parsed = Parser::new(allocator, text, kind).with_options(options).parse();
    let errors = parsed.diagnostics.errors().take(MAX_ERRORS).map(|error| {
        let at = error.labels.first().map_or(0, |label| label.offset());
        (at, error.message.to_string())
    });
    Parsed { errors: errors.collect(), program: parsed.program, gave_up: parsed.panicked }
}
