//! The type of a thing in the stretches of text where a test has told something about it.
//!
//! `x instanceof C` types `x` where it holds. Any other test that may say more than a type does leaves what `x` is open.

use super::asked::Inference;
use super::tests::{Said, thing};
use crate::base::Span;
use crate::sources::script::ExprId;
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
            match said {
                Said::Instance(class) if inside => {
                    narrowed = match self.expression(class) {
                        Type::Own(Own::Class(class)) => Type::Own(Own::Instance(class)),
                        other => self.corpus.constructed(&other).unwrap_or(Type::Unknown),
                    };
                }
                Said::Instance(_) | Said::Something if inside || outside => {
                    narrowed = Type::union([narrowed, Type::Unknown]);
                }
                Said::Instance(_) | Said::Something => {}
            }
        }
        narrowed
    }
}
