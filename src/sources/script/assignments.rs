//! Assignments: to names, to members, through patterns, and those that change what is there.

use super::kinds::{Field, Kind};
use super::lower::Lower;
use super::patterns::Taking;
use super::syntax::Part;
use super::{Context, ExprId, Expression, ExpressionKind, ThisOf, Value, ValueId, Write};
use crate::base::Span;

impl Lower<'_> {
    /// Lowers `a = b`, and patterns for `a`.
    pub fn assignment(&mut self, part: Part) -> ExprId {
        let doc = match self.doc_of.take() {
            Some((of, doc)) if of == part => Some(doc),
            _ => None,
        };
        let span = self.span(part);
        let left = self.field(part, Field::Left).map(|left| self.unwrapped(left));
        let is_pattern = left.is_some_and(|left| {
            matches!(
                self.kind(left),
                Kind::ObjectPattern | Kind::ArrayPattern | Kind::Object | Kind::Array
            )
        });
        if let (Some(left), true) = (left, is_pattern) {
            let right = self.expression_in(part, Field::Right);
            let value = self.value(Value::Expression(right));
            self.pattern(left, Taking::Assigns, &[value], None);
            return self.push(ExpressionKind::Assign("=".into(), None, right), span);
        }
        let target = self.expression_in(part, Field::Left);
        let right = self.assigned_value(part, doc);
        if self.syntax.is_torn(part) {
            return self.unknown(span);
        }
        let value = self.value(Value::Expression(right));
        self.assign(target, value);
        self.write(target, Some(right));
        self.give(right, Context::AssignedTo(target));
        self.push(ExpressionKind::Assign("=".into(), Some(target), right), span)
    }

    /// What an assignment assigns; the comment above the statement belongs to it.
    fn assigned_value(&mut self, part: Part, doc: Option<Span>) -> ExprId {
        let Some(right) = self.field(part, Field::Right) else {
            return self.unknown_behind(part);
        };
        if let (Some(doc), Kind::Assignment) = (doc, self.kind(right)) {
            self.doc_of = Some((right, doc));
            return self.expression(right);
        }
        let value = self.property_value(right, ThisOf::Own, doc);
        self.typed_by(doc, value)
    }

    /// A part without the parentheses around it.
    fn unwrapped(&self, mut part: Part) -> Part {
        while self.kind(part) == Kind::Parenthesized {
            let Some(inner) = self.parts(part).next() else { break };
            part = inner;
        }
        part
    }

    /// Lowers `a += b`.
    pub fn augmented(&mut self, part: Part) -> ExprId {
        let operator = self.field(part, Field::Operator).map(|o| self.name_of(o));
        let operator = operator.unwrap_or_default();
        let target = self.expression_in(part, Field::Left);
        let right = self.expression_in(part, Field::Right);
        // `a ||= b` leaves what there was or gives all of `b`; other operators make something new.
        let is_logical = matches!(operator.as_str(), "||=" | "&&=" | "??=");
        if is_logical {
            self.give(right, Context::AssignedTo(target));
        }
        let whole = ExpressionKind::Assign(operator, Some(target), right);
        let whole = self.push(whole, self.span(part));
        let value = self.value(Value::Expression(if is_logical { right } else { whole }));
        self.assign(target, value);
        self.write(target, is_logical.then_some(right));
        whole
    }

    /// Notes what a name is assigned.
    fn assign(&mut self, target: ExprId, value: ValueId) {
        let target = self.bare(target);
        let Expression { kind, span, scope, .. } = self.expr(target);
        if let ExpressionKind::Name(..) = kind {
            let (span, scope) = (*span, *scope);
            let symbol = self.names.symbol(span.of(self.text));
            self.names.assign(span.start, scope, symbol, value);
        }
    }

    /// Lowers `a++`, `--a`.
    pub fn update(&mut self, part: Part) -> ExprId {
        let updated = self.unary(part);
        if let ExpressionKind::Unary(_, target) = &self.expr(updated).kind {
            let target = *target;
            let value = self.value(Value::Expression(updated));
            self.assign(target, value);
            self.write(target, None);
        }
        updated
    }

    /// Keeps a write, if the target is a member.
    pub fn write(&mut self, target: ExprId, value: Option<ExprId>) {
        let target = self.bare(target);
        let kind = &self.expr(target).kind;
        if matches!(kind, ExpressionKind::Member { .. } | ExpressionKind::Element { .. }) {
            self.script.writes.push(Write { target, value, function: self.function });
        }
    }

    /// An expression without the assertions around it.
    pub fn bare(&self, mut id: ExprId) -> ExprId {
        while let ExpressionKind::As(inner, _) | ExpressionKind::Same(inner) = &self.expr(id).kind {
            id = *inner;
        }
        id
    }
}
