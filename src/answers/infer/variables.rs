//! What a name holds that is given more than one value.
//!
//! A variable that is set anew from itself (`lines = lines.slice(1)`) has the kind that it begins with, where everything it is set to has that kind
//! too when it is supposed. Nothing is said of the order in which the values come.

use super::asked::{Inference, widened};
use crate::sources::script::{BindingId, BindingKind, ExpressionKind, Value, ValueId};
use crate::types::Type;

/// How many parts of a value are looked through.
const MAX_PARTS: usize = 2_000;

impl Inference<'_> {
    /// The type of a name, from all that it is given.
    pub(super) fn variable(&mut self, id: BindingId) -> Type {
        let script = self.script;
        let binding = &script.bindings[id.idx()];
        if let Some(kept) = self.kept(id, &binding.values) {
            return kept;
        }
        let mut kinds: Vec<Type> = Vec::new();
        for value in &binding.values {
            let kind = self.value(*value);
            let kind = if binding.kind == BindingKind::Const { kind } else { widened(kind) };
            if !matches!(kind, Type::Null | Type::Undefined) && !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        match kinds.len() {
            0 => Type::Unknown,
            1 => kinds.remove(0),
            // Of a variable that holds several kinds of value nobody can say which it holds where it is used.
            _ => {
                let mut parts: Vec<Type> = kinds.iter().map(Type::present).collect();
                parts.dedup();
                match parts.as_slice() {
                    [one] if is_kind(one) => one.clone(),
                    _ => Type::union(
                        kinds.into_iter().chain([Type::Opaque("several kinds of value".into())]),
                    ),
                }
            }
        }
    }

    /// The kind that a name begins with, where every value that is made of the name itself keeps it.
    fn kept(&mut self, id: BindingId, values: &[ValueId]) -> Option<Type> {
        let (first, others) = values.split_first()?;
        if self.is_made_of(*first, id) || !others.iter().any(|v| self.is_made_of(*v, id)) {
            return None;
        }
        let mut others = others.to_vec();
        let mut kind = widened(self.value(*first)).present();
        // `let x = null; x = f();`
        while matches!(kind, Type::Null | Type::Undefined) {
            let at = others.iter().position(|v| !self.is_made_of(*v, id))?;
            kind = widened(self.value(others.remove(at))).present();
        }
        if !is_kind(&kind) {
            return None;
        }
        let keeps = self.supposing(id, &kind, |s| {
            others.iter().all(|value| {
                let given = widened(s.value(*value)).present();
                given == kind || matches!(given, Type::Null | Type::Undefined)
            })
        });
        keeps.then_some(kind)
    }

    /// Whether a value's own text names the binding.
    fn is_made_of(&self, value: ValueId, id: BindingId) -> bool {
        let script = self.script;
        let Value::Expression(whole) = script.values[value.idx()] else { return false };
        let span = script.expressions[whole.idx()].span;
        // A part comes before the whole it belongs to.
        let parts = script.expressions[..whole.idx()].iter().rev().take(MAX_PARTS);
        parts
            .take_while(|part| span.holds(part.span))
            .any(|part| matches!(part.kind, ExpressionKind::Name(_, Some(of)) if of == id))
    }
}

/// Whether a type is one kind of thing, and it is known which.
pub(super) fn is_kind(ty: &Type) -> bool {
    !matches!(
        ty,
        Type::Unknown
            | Type::Any
            | Type::Opaque(_)
            | Type::Union(_)
            | Type::Null
            | Type::Undefined
            | Type::Void
            | Type::Never
    )
}
