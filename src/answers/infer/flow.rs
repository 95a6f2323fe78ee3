//! Which of the values that a variable is given a use of it sees, where one of them surely came last.
//!
//! Only what the order of statements proves is said: an assignment that is a statement of its own, in the list of statements
//! that the use stands in or in one around it, with no other assignment between them or on the way round a loop. A variable
//! that another function sets may hold anything at any time.

use super::asked::{Inference, widened};
use super::variables::is_kind;
use crate::base::Span;
use crate::corpus::lookup::SET_ELSEWHERE;
use crate::sources::script::{
    BindingId, BindingKind, Context, ExprId, ExpressionKind, Seat, StatementId, StatementKind,
    Value, ValueId,
};
use crate::types::Type;

/// How many values a variable may be given.
const MAX_VALUES: usize = 16;

/// How deep patterns and statements are followed.
const MAX_DEPTH: usize = 64;

/// Where a variable is given a value.
#[derive(Clone, Copy)]
struct Given {
    value: ValueId,
    at: Place,
}

/// Where that is in the text.
#[derive(Clone, Copy)]
enum Place {
    /// Before anything in the function: a parameter.
    Entry,
    /// In this expression; where a statement does nothing else, that statement.
    Text(Span, Option<StatementId>),
}

impl Inference<'_> {
    /// The kind of value that a variable holds where `id` names it, if it is given several and one surely came last.
    pub(super) fn flowed(&mut self, id: ExprId, binding: BindingId) -> Option<Type> {
        let script = self.script;
        let declared = &script.bindings[binding.idx()];
        let n_values = declared.values.len();
        match declared.kind {
            BindingKind::Let | BindingKind::Var | BindingKind::Parameter => {}
            BindingKind::Const
            | BindingKind::Function
            | BindingKind::Class
            | BindingKind::Import
            | BindingKind::Catch
            | BindingKind::Declared => return None,
        }
        if !(2..=MAX_VALUES).contains(&n_values) || declared.annotation.is_some() {
            return None;
        }
        let here = &script.expressions[id.idx()];
        let function = script.function_around(here.scope);
        if function != script.function_around(declared.scope) {
            return None;
        }
        let mut given = Vec::with_capacity(n_values);
        for value in &declared.values {
            let at = self.place(*value, binding)?;
            if let Place::Text(span, _) = at
                && span.start >= here.span.start
                && span.end <= here.span.end
            {
                return None;
            }
            given.push(Given { value: *value, at });
        }
        let all_here = declared.values.iter().all(|value| {
            self.root(*value).is_none_or(|root| {
                script.function_around(script.expressions[root.idx()].scope) == function
            })
        });
        if !all_here {
            return None;
        }
        let last = self.last_before(here.span, &given)?;
        let kind = widened(self.value(last)).present();
        is_kind(&kind).then_some(kind)
    }

    /// The type of a variable where `id` names it. One that is declared with nothing to hold, and named in another function
    /// than the one that declares it, may have been set by anybody by then, unless it is set there before: its type has
    /// [`SET_ELSEWHERE`] as a part.
    pub(super) fn set_elsewhere(&mut self, id: ExprId, binding: BindingId) -> Type {
        let script = self.script;
        let declared = &script.bindings[binding.idx()];
        let ty = self.binding(binding);
        let is_variable = matches!(declared.kind, BindingKind::Let | BindingKind::Var);
        if !is_variable || declared.annotation.is_some() || ty == Type::Unknown {
            return ty;
        }
        let is_nothing = |value: &ValueId| match &script.values[value.idx()] {
            Value::Expression(value) => match &script.expressions[value.idx()].kind {
                ExpressionKind::Null => true,
                ExpressionKind::Name(name, None) => name == "undefined",
                _ => false,
            },
            _ => false,
        };
        let begins = |value: &ValueId| match &script.values[value.idx()] {
            Value::Expression(value) => {
                script.expressions[value.idx()].context == Context::Initialises(binding)
            }
            _ => false,
        };
        let begins_with_nothing = match declared.values.iter().find(|value| begins(value)) {
            Some(first) => is_nothing(first),
            None => declared
                .values
                .iter()
                .all(|v| matches!(script.values[v.idx()], Value::Expression(_))),
        };
        let here = &script.expressions[id.idx()];
        let function = script.function_around(here.scope);
        let is_set_before = |value: &ValueId| match self.root(*value) {
            Some(root) => {
                let set = &script.expressions[root.idx()];
                set.span.start < here.span.start && script.function_around(set.scope) == function
            }
            None => false,
        };
        let is_elsewhere = function != script.function_around(declared.scope)
            && !declared.values.iter().any(is_set_before);
        match begins_with_nothing && is_elsewhere {
            true => Type::union([ty, Type::opaque(SET_ELSEWHERE)]),
            false => ty,
        }
    }

    /// The expression that a value is or is taken from; a parameter has none.
    fn root(&self, value: ValueId) -> Option<ExprId> {
        let mut value = value;
        for _ in 0..MAX_DEPTH {
            match &self.script.values[value.idx()] {
                Value::Expression(e) | Value::KeyOf(e) => return Some(*e),
                Value::ElementOf { iterable, .. } => return Some(*iterable),
                Value::Piece { of, .. } => value = *of,
                Value::Parameter { .. }
                | Value::Import(_)
                | Value::Function(_)
                | Value::Class(_)
                | Value::Caught
                | Value::Unknown => return None,
            }
        }
        None
    }

    /// Where a value is given; `None` where that cannot be told.
    fn place(&self, value: ValueId, binding: BindingId) -> Option<Place> {
        let script = self.script;
        let Some(root) = self.root(value) else {
            let is_parameter = matches!(script.values[value.idx()], Value::Parameter { .. });
            return is_parameter.then_some(Place::Entry);
        };
        let expression = &script.expressions[root.idx()];
        let stated = self.statement_at(expression.span.start).filter(|id| {
            let statement = &script.statements[id.idx()];
            let alone = match (&script.values[value.idx()], statement.kind) {
                (Value::Expression(_), StatementKind::Variables) => {
                    expression.context == Context::Initialises(binding)
                }
                (Value::Expression(_) | Value::Piece { .. }, StatementKind::Expression) => {
                    statement.expression.is_some_and(|whole| {
                        matches!(
                            &script.expressions[whole.idx()].kind,
                            ExpressionKind::Assign(operator, _, given)
                                if operator == "=" && *given == root || whole == root
                        )
                    })
                }
                _ => false,
            };
            alone && matches!(statement.seat, Seat::Listed(_))
        });
        Some(Place::Text(expression.span, stated))
    }

    /// The value that was surely given last before `here`.
    fn last_before(&self, here: Span, given: &[Given]) -> Option<ValueId> {
        let script = self.script;
        let around: Vec<StatementId> = self.statements_around(here.start).collect();
        let is_behind = |id: StatementId| {
            let first = &script.statements[id.idx()];
            around.iter().any(|other| {
                let other = &script.statements[other.idx()];
                other.seat == first.seat && other.span.start >= first.span.end
            })
        };
        let from = |given: &Given| match given.at {
            Place::Entry => Some(0),
            Place::Text(_, Some(id)) if is_behind(id) => Some(script.statements[id.idx()].span.end),
            Place::Text(..) => None,
        };
        let (last, since) =
            given.iter().filter_map(|g| Some((g, from(g)?))).max_by_key(|(_, since)| *since)?;
        let begins = match last.at {
            Place::Text(_, Some(id)) => script.statements[id.idx()].span,
            Place::Entry | Place::Text(..) => Span { start: 0, end: 0 },
        };
        let loops: Vec<Span> = around
            .iter()
            .map(|id| &script.statements[id.idx()])
            .filter(|s| matches!(s.kind, StatementKind::Each | StatementKind::Loop))
            .map(|s| s.span)
            .filter(|whole| matches!(last.at, Place::Entry) || !whole.holds(begins))
            .collect();
        let interferes = given.iter().filter(|g| g.value != last.value).any(|g| match g.at {
            Place::Entry => matches!(last.at, Place::Entry),
            Place::Text(span, _) if begins.holds(span) && begins.end > 0 => true,
            Place::Text(span, _) => {
                let between = span.start >= since && span.start < here.start;
                between || loops.iter().any(|whole| whole.holds(span))
            }
        });
        (!interferes).then_some(last.value)
    }

    /// The innermost statement at a place.
    fn statement_at(&self, at: u32) -> Option<StatementId> {
        self.statements_around(at).next()
    }

    /// The statements around a place, from the inside out.
    fn statements_around(&self, at: u32) -> impl Iterator<Item = StatementId> + '_ {
        let statements = &self.script.statements;
        let n_before = statements.partition_point(|s| s.span.start <= at);
        let last = n_before.checked_sub(1).map(|i| StatementId(crate::base::to_u32(i)));
        std::iter::successors(last, |id| statements[id.idx()].within)
            .filter(move |id| statements[id.idx()].span.end > at)
    }
}
