//! Text that could not be read: the whole statements in it, and what may be meant by the names around them.

use super::kinds::Kind;
use super::lower::Lower;
use super::syntax::Part;
use super::{BindingKind, ThisOf, Value};
use crate::base::Span;

impl Lower<'_> {
    /// Lowers the whole statements in text that could not be read; the rest of it is broken.
    ///
    /// Nobody knows which function they stand in, so `this` is left open, and names that lie around loose, like the
    /// parameters of a function that is never closed, are declared with nothing known of them.
    pub fn torn_text(&mut self, error: Part) {
        let span = self.span(error);
        let syntax = self.syntax;
        self.within_function(span, ThisOf::Own, |lower| {
            lower.torn.push(lower.scope);
            let mut from = span.start;
            for part in syntax.all(error) {
                let kind = lower.kind(part);
                let is_whole = kind.is_statement() || kind == Kind::Method;
                if is_whole || kind == Kind::Error {
                    let inner = lower.span(part);
                    lower.broken_between(from, inner.start);
                    from = inner.end;
                }
                match kind {
                    Kind::Error => lower.torn_text(part),
                    Kind::Method => lower.torn_method(part),
                    _ if is_whole => {
                        lower.statement(part, Some(span.end));
                    }
                    _ => lower.loose_names(part),
                }
            }
            lower.broken_between(from, span.end);
            lower.torn.pop();
        });
    }

    fn broken_between(&mut self, start: u32, end: u32) {
        let span = Span { start, end };
        if !span.of(self.text).trim().is_empty() {
            self.script.broken.push(span);
        }
    }

    fn loose_names(&mut self, part: Part) {
        let scope = self.scope;
        let mut open = vec![part];
        while let Some(part) = open.pop() {
            match self.kind(part) {
                Kind::Identifier | Kind::ShorthandPattern | Kind::Shorthand => {
                    let name = (self.names.symbol(self.text_of(part)), self.span(part));
                    let binding = self.declare_in(scope, name, BindingKind::Declared, None);
                    self.hold(binding, Value::Unknown);
                }
                Kind::Parameters
                | Kind::Parameter
                | Kind::OptionalParameter
                | Kind::ObjectPattern
                | Kind::ArrayPattern
                | Kind::PairPattern
                | Kind::AssignmentPattern
                | Kind::RestPattern
                | Kind::Object
                | Kind::Array
                | Kind::Declarator => open.extend(self.parts(part)),
                _ => {}
            }
        }
    }

    /// A method of a class or object that could not be read: what is in it is whole.
    fn torn_method(&mut self, part: Part) {
        if self.dives(part) {
            self.lower_function(part, ThisOf::Own, None);
            self.surfaces();
        }
    }
}
