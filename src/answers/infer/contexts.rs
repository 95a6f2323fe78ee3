//! What the place that an expression stands in asks for, and from it the types of callback parameters.

use super::asked::Inference;
use super::fits::Sight;
use crate::corpus::lookup::{SET_ELSEWHERE, without_elsewhere};
use crate::corpus::signatures::Way;
use crate::sources::script::{Argument, Call, Context, ExprId, ExpressionKind, Flow, FunctionId};
use crate::types::substitute::Bindings;
use crate::types::{Arity, Own, Signature, Type};
use std::sync::Arc;

impl Inference<'_> {
    pub(super) fn fresh_context(&mut self, id: ExprId) -> Type {
        let script = self.script;
        match script.expressions[id.idx()].context {
            Context::Free => Type::Unknown,
            Context::Argument(call, idx) => match &script.expressions[call.idx()].kind {
                ExpressionKind::Call(inner) => self.asked(inner, Way::Call, idx as usize),
                ExpressionKind::New(inner) => self.asked(inner, Way::Construct, idx as usize),
                _ => Type::Unknown,
            },
            Context::Property(object, idx) => {
                let object = &script.objects[object.idx()];
                let Some(property) = object.properties.get(idx as usize) else {
                    return Type::Unknown;
                };
                let whole = self.context(object.expression).present();
                self.member(&whole, &property.name)
            }
            Context::Element(array) => {
                let whole = self.context(array).present();
                self.corpus.element(&whole).unwrap_or(Type::Unknown)
            }
            Context::AssignedTo(target) => match &script.expressions[target.idx()].kind {
                ExpressionKind::Member { object, name, .. } => {
                    let object = self.expression(*object);
                    match object {
                        // What the code's own things are set to is worked out from the value itself.
                        Type::Own(_) => Type::Unknown,
                        other => self.member(&other, name),
                    }
                }
                ExpressionKind::Name(_, Some(binding)) => {
                    let annotation = script.bindings[binding.idx()].annotation.as_ref();
                    annotation.map_or(Type::Unknown, |a| self.annotated(a))
                }
                // `onmessage = event => …`
                ExpressionKind::Name(name, None) => {
                    self.global(name, script.expressions[target.idx()].scope)
                }
                _ => Type::Unknown,
            },
            Context::Initialises(binding) => {
                let annotation = script.bindings[binding.idx()].annotation.as_ref();
                annotation.map_or(Type::Unknown, |a| self.annotated(a))
            }
            Context::Field(class, idx) => {
                let member = script.classes[class.idx()].members.get(idx as usize);
                let annotation = member.and_then(|m| m.annotation.as_ref());
                annotation.map_or(Type::Unknown, |a| self.annotated(a))
            }
            Context::Returned(function) => self.asked_of_result(function),
            Context::Branch(whole) => self.context(whole),
        }
    }

    /// What a function is asked to return.
    fn asked_of_result(&mut self, function: FunctionId) -> Type {
        let declared = &self.script.functions[function.idx()];
        let asked = match &declared.returns_annotation {
            Some(annotation) => self.annotated(annotation),
            None => match self.asked_signature(function) {
                Some(signature) => signature.returns.clone(),
                None => Type::Unknown,
            },
        };
        match declared.flow {
            Flow::Async => self.corpus.awaited(&asked),
            _ => asked,
        }
    }

    /// What a call asks for at the argument `idx`: of several overloads that may be meant, all of it.
    fn asked(&mut self, call: &Call, way: Way, idx: usize) -> Type {
        let callee = self.expression(call.callee).present();
        if let Type::Own(Own::Function(function)) = callee {
            return self.own_parameter(FunctionId(function), idx);
        }
        let set_here = without_elsewhere(&callee);
        let signatures = self.corpus.signatures(set_here.as_ref().unwrap_or(&callee), way);
        let candidates = self.candidates(&signatures, call, Sight::WithoutFunctions);
        if candidates.len() > 8 {
            return Type::Unknown;
        }
        let mut parts = Vec::new();
        for signature in &candidates {
            let Some(declared) = signature.parameter_at(idx) else { continue };
            let inferred = self.inferred(signature, call, Sight::WithoutFunctions);
            parts.push(self.contextual(signature, inferred).apply(&declared));
        }
        if parts.is_empty() {
            return Type::Unknown;
        }
        parts.extend(set_here.map(|_| Type::opaque(SET_ELSEWHERE)));
        Type::union(parts)
    }

    /// What type parameters stand for while arguments are looked at: what nothing says is its constraint.
    fn contextual(
        &self,
        signature: &Signature,
        inferred: Vec<(crate::base::Name, Type)>,
    ) -> Bindings {
        let mut bindings = self.corpus.bindings_of(signature, &inferred);
        for parameter in &signature.type_parameters {
            if inferred.iter().any(|(n, _)| *n == parameter.name) {
                continue;
            }
            let Some(constraint) = &parameter.constraint else { continue };
            if matches!(self.corpus.resolve(constraint), Type::KeyOf(_)) {
                continue;
            }
            let meant = bindings.apply(constraint);
            if let Some(slot) = bindings
                .parameters
                .iter_mut()
                .find(|(n, t)| *n == parameter.name && *t == Type::Unknown)
            {
                slot.1 = meant;
            }
        }
        bindings
    }

    fn own_parameter(&mut self, function: FunctionId, idx: usize) -> Type {
        let script = self.script;
        let parameter = script.functions[function.idx()].parameters.get(idx);
        match parameter.and_then(|p| p.annotation.as_ref()) {
            Some(annotation) => self.annotated(annotation),
            None => Type::Unknown,
        }
    }

    /// The signature that a function's place asks it to have.
    fn asked_signature(&mut self, function: FunctionId) -> Option<Arc<Signature>> {
        let expression = self.script.functions[function.idx()].expression?;
        let context = self.context(expression).present();
        let context = without_elsewhere(&context).unwrap_or(context);
        let mut signatures = self.corpus.signatures(&context, Way::Call);
        match signatures.len() {
            0 => None,
            1 => Some(Arc::new(signatures.remove(0))),
            _ => Some(Arc::new(merged(&signatures))),
        }
    }

    /// The type of a parameter without annotation: what the function's place gives it.
    pub(super) fn parameter(&mut self, function: FunctionId, idx: usize, rest: bool) -> Type {
        let script = self.script;
        let declared = &script.functions[function.idx()];
        if let Some(annotation) = declared.parameters.get(idx).and_then(|p| p.annotation.as_ref()) {
            return self.annotated(annotation);
        }
        let Some(expression) = declared.expression else { return Type::Unknown };
        if let Some(call) = self.callees.get(&expression).copied() {
            return self.argument_of(call, idx, rest);
        }
        let Some(signature) = self.asked_signature(function) else { return Type::Unknown };
        let Some(given) = signature.parameter_at(idx) else { return Type::Unknown };
        let given = match without_elsewhere(&self.context(expression).present()) {
            Some(_) => Type::union([given, Type::opaque(SET_ELSEWHERE)]),
            None => given,
        };
        if rest { Type::Array(Arc::new(given)) } else { given }
    }

    fn argument_of(&mut self, call: ExprId, idx: usize, rest: bool) -> Type {
        let script = self.script;
        let ExpressionKind::Call(call) = &script.expressions[call.idx()].kind else {
            return Type::Unknown;
        };
        match (call.arguments.get(idx), rest) {
            (Some(Argument::One(argument)), false) => self.expression(*argument),
            _ => Type::Unknown,
        }
    }
}

/// One signature that asks for what any of several may give.
fn merged(signatures: &[Signature]) -> Signature {
    let longest = signatures.iter().max_by_key(|s| s.parameters.len());
    let Some(longest) = longest else { return Signature::default() };
    let mut one = longest.clone();
    for (i, parameter) in one.parameters.iter_mut().enumerate() {
        if parameter.arity == Arity::Rest {
            continue;
        }
        parameter.declared = Type::union(signatures.iter().filter_map(|s| s.parameter_at(i)));
    }
    one.returns = Type::union(signatures.iter().map(|s| s.returns.clone()));
    one
}
