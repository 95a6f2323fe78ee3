//! Patterns: names, and object and array patterns down to the names and members in them.
//!
//! What a pattern takes from an object is an access, whether it declares names or assigns to what there is.

use super::kinds::{Field, Kind, Word};
use super::lower::Lower;
use super::syntax::Part;
use super::{Access, Annotation, BindingId, BindingKind, Receiver, Step, Usage};
use super::{Value, ValueId};
use crate::base::{Name, Span};

/// What a pattern does with the names in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taking {
    /// Declares them.
    Declares(BindingKind),
    /// Assigns to them, and to members.
    Assigns,
}

impl Lower<'_> {
    /// Lowers a pattern that is given `values`; gives the binding if it is just a name that it declares.
    pub fn pattern(
        &mut self,
        part: Part,
        taking: Taking,
        values: &[ValueId],
        annotation: Option<Annotation>,
    ) -> Option<BindingId> {
        if !self.dives(part) {
            return None;
        }
        let mut binding = None;
        match self.kind(part) {
            Kind::Identifier | Kind::ShorthandPattern | Kind::Shorthand => {
                binding = self.named(part, taking, values, annotation);
            }
            Kind::ObjectPattern | Kind::Object => self.object_pattern(part, taking, values),
            Kind::ArrayPattern | Kind::Array => self.array_pattern(part, taking, values),
            Kind::AssignmentPattern => {
                let values = self.with_default(part, values);
                if let Some(left) = self.field(part, Field::Left) {
                    binding = self.pattern(left, taking, &values, annotation);
                }
            }
            Kind::RestPattern | Kind::Spread | Kind::Parenthesized => {
                if let Some(inner) = self.parts(part).next() {
                    binding = self.pattern(inner, taking, values, annotation);
                }
            }
            _ if taking == Taking::Assigns => self.assigned_member(part),
            _ => {}
        }
        self.surfaces();
        binding
    }

    /// Keeps that a member is taken or stands behind a dot.
    pub fn access(&mut self, receiver: Receiver, name: Name, span: Span) {
        let usage = Usage::Read;
        self.script.accesses.push(Access { receiver, name, span, usage, tested: false });
    }

    fn named(
        &mut self,
        part: Part,
        taking: Taking,
        values: &[ValueId],
        annotation: Option<Annotation>,
    ) -> Option<BindingId> {
        match taking {
            Taking::Declares(kind) => {
                let binding = self.declare(part, kind, annotation);
                self.script.bindings[binding.idx()].values.extend(values);
                Some(binding)
            }
            Taking::Assigns => {
                let symbol = self.names.symbol(self.text_of(part));
                for value in values {
                    self.names.assign(self.span(part).start, self.scope, symbol, *value);
                }
                None
            }
        }
    }

    /// The values of a pattern with a default, which may be either.
    fn with_default(&mut self, part: Part, values: &[ValueId]) -> Vec<ValueId> {
        let mut values = values.to_vec();
        if let Some(right) = self.field(part, Field::Right) {
            let default = self.expression(right);
            values.push(self.value(Value::Expression(default)));
        }
        values
    }

    fn pieces(&mut self, values: &[ValueId], step: &Step) -> Vec<ValueId> {
        values.iter().map(|of| self.value(Value::Piece { of: *of, step: step.clone() })).collect()
    }

    fn object_pattern(&mut self, part: Part, taking: Taking, values: &[ValueId]) {
        for entry in self.parts(part) {
            let (key, target) = match self.kind(entry) {
                Kind::PairPattern | Kind::Pair => {
                    (self.field(entry, Field::Key), self.field(entry, Field::Value))
                }
                Kind::AssignmentPattern => (self.field(entry, Field::Left), Some(entry)),
                Kind::RestPattern | Kind::Spread => {
                    let pieces = self.pieces(values, &Step::OtherMembers);
                    self.pattern(entry, taking, &pieces, None);
                    continue;
                }
                _ => (Some(entry), Some(entry)),
            };
            let step = key.map_or(Step::Computed, |key| self.taken(key, values));
            let pieces = self.pieces(values, &step);
            if let Some(target) = target {
                self.pattern(target, taking, &pieces, None);
            }
        }
    }

    /// What a key takes; a plain name is an access.
    fn taken(&mut self, key: Part, values: &[ValueId]) -> Step {
        let Some((name, span)) = self.property_name(key) else { return Step::Computed };
        if matches!(
            self.kind(key),
            Kind::PropertyIdentifier | Kind::ShorthandPattern | Kind::Shorthand
        ) && let Some(of) = values.first()
        {
            self.access(Receiver::Value(*of), name.clone(), span);
        }
        Step::Member(name)
    }

    fn array_pattern(&mut self, part: Part, taking: Taking, values: &[ValueId]) {
        let syntax = self.syntax;
        let mut index = 0;
        for entry in syntax.all(part) {
            if syntax.word(entry) == Some(Word::Comma) {
                index += 1;
                continue;
            }
            let step = match self.kind(entry) {
                Kind::Error | Kind::Dropped => continue,
                Kind::RestPattern | Kind::Spread => Step::OtherElements,
                _ => Step::Element(index),
            };
            let pieces = self.pieces(values, &step);
            self.pattern(entry, taking, &pieces, None);
        }
    }

    /// A member that a pattern or loop assigns to.
    fn assigned_member(&mut self, part: Part) {
        let target = self.expression(part);
        self.write(target, None);
    }

    /// The name that a key spells and where it stands; a computed key is lowered and has none.
    pub fn property_name(&mut self, key: Part) -> Option<(Name, Span)> {
        let span = self.span(key);
        match self.kind(key) {
            Kind::ComputedName => {
                if let Some(inner) = self.parts(key).next() {
                    self.expression(inner);
                }
                None
            }
            Kind::String => Some((self.string(key), inside(span))),
            Kind::Number
            | Kind::Identifier
            | Kind::PropertyIdentifier
            | Kind::PrivateIdentifier
            | Kind::Shorthand
            | Kind::ShorthandPattern => Some((self.name_of(key), span)),
            _ => None,
        }
    }
}

/// A span without its first and last byte.
fn inside(span: Span) -> Span {
    Span { start: span.start + 1, end: span.end.saturating_sub(1).max(span.start + 1) }
}
