//! The type of a thing in the stretches of text where a test has told something about it.
//!
//! `x instanceof C` and `typeof x === "string"` type `x` where they hold. Any other test that may say more than a type does leaves what `x` is open.

use super::asked::Inference;
use super::tests::{Outcome, Primitive, Said, thing};
use crate::base::Span;
use crate::sources::script::{ExprId, ExpressionKind, Value};
use crate::types::{Own, Type};

impl Inference<'_> {
    /// The type of the expression `id` where it stands, given the type `ty` that it has by itself.
    pub(super) fn narrowed(&mut self, id: ExprId, ty: Type) -> Type {
        if self.tests.is_empty() {
            return ty;
        }
        let Some(name) = thing(self.script, id) else { return ty };
        let Some(tests) = self.tests.get(&name).cloned() else { return ty };
        let span = self.script.expressions[id.idx()].span;
        let holds = |spans: &[Span]| spans.iter().any(|s| s.holds(span));
        let mut narrowed = ty;
        for (guard, said) in tests {
            let guard = &self.script.guards[guard as usize];
            let (inside, outside) = (holds(&guard.holds), holds(&guard.fails));
            let regions = guard.holds.iter().chain(&guard.fails).filter(|s| s.holds(span));
            let said = match regions.clone().all(|region| self.is_steady(id, *region)) {
                true => said,
                false => Said::Something,
            };
            match said {
                Said::Instance(class) if inside => {
                    narrowed = match self.expression(class) {
                        Type::Own(Own::Class(class)) => Type::Own(Own::Instance(class)),
                        other => self.corpus.constructed(&other).unwrap_or(Type::Unknown),
                    };
                }
                Said::Primitive(primitive, Outcome::Holds) if inside => narrowed = typed(primitive),
                Said::Primitive(primitive, Outcome::Fails) if outside => {
                    narrowed = typed(primitive)
                }
                Said::Instance(_) | Said::Primitive(..) | Said::Something if inside || outside => {
                    narrowed = Type::union([narrowed, Type::Unknown]);
                }
                Said::Instance(_) | Said::Primitive(..) | Said::Something => {}
            }
        }
        narrowed
    }
}

impl Inference<'_> {
    /// Whether nothing is assigned to the thing that `id` names in this stretch of text.
    fn is_steady(&self, id: ExprId, region: Span) -> bool {
        let script = self.script;
        match &script.expressions[id.idx()].kind {
            ExpressionKind::Name(_, Some(binding)) => {
                let values = &script.bindings[binding.idx()].values;
                values.iter().skip(1).all(|value| match &script.values[value.idx()] {
                    Value::Expression(value) => !region.holds(script.expressions[value.idx()].span),
                    _ => false,
                })
            }
            ExpressionKind::Name(_, None) => false,
            ExpressionKind::Member { name, object, .. } => {
                let writes = self.writes.get(name).into_iter().flatten();
                let within = writes.map(|w| script.writes[*w as usize].target);
                let mut spans = within.map(|target| script.expressions[target.idx()].span);
                !spans.any(|span| region.holds(span)) && self.is_steady_whole(*object, region)
            }
            _ => true,
        }
    }

    /// The same of what stands left of a dot; `this` is what it is.
    fn is_steady_whole(&self, object: ExprId, region: Span) -> bool {
        match self.script.expressions[object.idx()].kind {
            ExpressionKind::Name(_, None) => true,
            _ => self.is_steady(object, region),
        }
    }
}

fn typed(primitive: Primitive) -> Type {
    match primitive {
        Primitive::Text => Type::String,
        Primitive::Number => Type::Number,
    }
}
