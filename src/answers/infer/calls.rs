//! What calls and constructions give: which signature is meant, and what its type parameters stand for.

use super::asked::Inference;
use super::fits::{Fit, Sight};
use crate::base::Name;
use crate::corpus::lookup::{BY_COMMENT, SET_ELSEWHERE};
use crate::corpus::signatures::Way;
use crate::sources::script::{Argument, Call, ExprId, ExpressionKind};
use crate::types::{Own, Signature, Type, TypeName};
use std::sync::Arc;

/// How many overloads may be left before nothing is said about the result.
const MAX_CANDIDATES: usize = 24;

impl Inference<'_> {
    pub(super) fn call(&mut self, call: &Call) -> Type {
        if let Some(module) = self.required(call) {
            return Type::Typeof(Arc::new(TypeName::within(module, "")));
        }
        if let ExpressionKind::Super = self.script.expressions[call.callee.idx()].kind {
            return Type::Undefined;
        }
        let callee = self.expression(call.callee).present();
        self.called(&callee, call)
    }

    fn called(&mut self, callee: &Type, call: &Call) -> Type {
        match callee {
            Type::Own(Own::Function(function)) => {
                self.result(crate::sources::script::FunctionId(*function))
            }
            Type::Own(_) => Type::Unknown,
            Type::Opaque(what) if what == SET_ELSEWHERE => callee.clone(),
            Type::Union(parts) => {
                // What a comment leaves open is what the function carries, not what it gives.
                let given =
                    parts.iter().filter(|p| !matches!(p, Type::Opaque(w) if w == BY_COMMENT));
                Type::union(given.map(|p| self.called(p, call)).collect::<Vec<_>>())
            }
            other => {
                let signatures = self.corpus.signatures(other, Way::Call);
                self.chosen(&signatures, call)
            }
        }
    }

    pub(super) fn construct(&mut self, call: &Call) -> Type {
        // What a proxy answers is decided by its handler.
        if matches!(&self.script.expressions[call.callee.idx()].kind, ExpressionKind::Name(n, None) if n == "Proxy")
        {
            return Type::Unknown;
        }
        let callee = self.expression(call.callee).present();
        match &callee {
            Type::Own(Own::Class(class)) => Type::Own(Own::Instance(*class)),
            Type::Own(_) => Type::Unknown,
            other => {
                let signatures = self.corpus.signatures(other, Way::Construct);
                self.chosen(&signatures, call)
            }
        }
    }

    /// The module that `require("…")` names, where it is one and `require` is not the code's own.
    pub(super) fn required(&self, call: &Call) -> Option<Name> {
        let ExpressionKind::Name(name, None) = &self.script.expressions[call.callee.idx()].kind
        else {
            return None;
        };
        let [Argument::One(argument)] = call.arguments.as_slice() else { return None };
        let ExpressionKind::Text(specifier) = &self.script.expressions[argument.idx()].kind else {
            return None;
        };
        (name == "require").then(|| self.module(specifier)).flatten()
    }

    /// What the signature that is meant gives; where several may be meant, everything they give.
    fn chosen(&mut self, signatures: &[Signature], call: &Call) -> Type {
        let candidates = self.candidates(signatures, call, Sight::Whole);
        if candidates.is_empty() || candidates.len() > MAX_CANDIDATES {
            return Type::Unknown;
        }
        let results: Vec<Type> = candidates.iter().map(|s| self.instantiated(s, call)).collect();
        Type::union(results)
    }

    /// The signatures that a call may mean: the first that surely fits alone, else all that may.
    pub(super) fn candidates(
        &mut self,
        signatures: &[Signature],
        call: &Call,
        sight: Sight,
    ) -> Vec<Signature> {
        if signatures.len() <= 1 {
            return signatures.to_vec();
        }
        let spread = call.arguments.iter().any(|a| matches!(a, Argument::Spread(_)));
        let n_given = call.arguments.len();
        let by_count: Vec<&Signature> = signatures
            .iter()
            .filter(|s| {
                let (least, most) = s.takes();
                spread || (n_given >= least && n_given <= most)
            })
            .collect();
        // A signature that asks for a literal comes before those that take any value, wherever it stands.
        let (mut by_count, others): (Vec<&Signature>, Vec<&Signature>) =
            by_count.into_iter().partition(|s| asks_for_a_literal(s));
        by_count.extend(others);
        let mut may = Vec::new();
        for signature in &by_count {
            match self.fits(signature, call, sight) {
                Fit::Yes if may.is_empty() => return vec![(*signature).clone()],
                Fit::Yes => {
                    may.push((*signature).clone());
                    break;
                }
                Fit::Maybe => may.push((*signature).clone()),
                Fit::No => {}
            }
        }
        match may.is_empty() {
            false => may,
            true if !by_count.is_empty() => by_count.into_iter().cloned().collect(),
            true => signatures.to_vec(),
        }
    }

    /// What a signature gives for this call.
    fn instantiated(&mut self, signature: &Signature, call: &Call) -> Type {
        if signature.type_parameters.is_empty() {
            return signature.returns.clone();
        }
        let inferred = self.inferred(signature, call, Sight::Whole);
        self.corpus.result_of(signature, &inferred)
    }

    /// What the call's type arguments and arguments say about a signature's type parameters.
    pub(super) fn inferred(
        &mut self,
        signature: &Signature,
        call: &Call,
        sight: Sight,
    ) -> Vec<(Name, Type)> {
        if !call.type_arguments.is_empty() {
            let written: Vec<Type> =
                call.type_arguments.iter().map(|a| self.annotated(a)).collect();
            let names = signature.type_parameters.iter().map(|p| p.name.clone());
            return names.zip(written).collect();
        }
        let mut found: Vec<(Name, Type)> = Vec::new();
        let arguments: Vec<(Type, ExprId, bool)> = call
            .arguments
            .iter()
            .enumerate()
            .filter_map(|(i, argument)| {
                let Argument::One(expression) = argument else { return None };
                let declared = signature.parameter_at(i)?;
                Some((declared, *expression, self.is_function(*expression)))
            })
            .collect();
        for (declared, expression, is_function) in &arguments {
            if !is_function {
                let given = self.expression(*expression);
                self.unify(declared, &given, signature, &mut found, 0);
            }
        }
        if sight == Sight::Whole {
            for (declared, expression, is_function) in &arguments {
                if *is_function {
                    let given = self.expression(*expression);
                    self.unify(declared, &given, signature, &mut found, 0);
                }
            }
        }
        found
    }

    /// Whether an expression is a function written on the spot.
    pub(super) fn is_function(&self, id: ExprId) -> bool {
        matches!(self.script.expressions[id.idx()].kind, ExpressionKind::Function(_))
    }
}

/// Whether one of the parameters has to be a literal.
fn asks_for_a_literal(signature: &Signature) -> bool {
    signature
        .parameters
        .iter()
        .any(|p| matches!(p.declared, Type::Text(_) | Type::Digits(_) | Type::Truth(_)))
}
