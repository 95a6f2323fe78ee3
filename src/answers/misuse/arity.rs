//! How many arguments a call may have.

use super::misfit::constrained;
use super::wrong::Wrong;
use crate::base::Span;
use crate::corpus::Corpus;
use crate::sources::script::{Argument, Call, Script};
use crate::types::{Arity, Parameter, Signature, Type};

/// So many signatures are told.
const MAX_TOLD: usize = 3;

/// Which signatures take so many arguments.
pub(super) enum Taking {
    /// These do.
    These(Vec<Signature>),
    /// It cannot be told.
    Unsure,
    /// None does.
    Nothing(Wrong),
}

/// The signatures that take `given` arguments.
pub(super) fn taking(corpus: &Corpus, signatures: &[Signature], given: usize) -> Taking {
    let fitting: Vec<Signature> = signatures
        .iter()
        .filter(|s| {
            let (least, most) = takes(corpus, s);
            (least..=most).contains(&given)
        })
        .cloned()
        .collect();
    if !fitting.is_empty() {
        return Taking::These(fitting);
    }
    if signatures.iter().any(|s| is_vague(corpus, s)) {
        return Taking::Unsure;
    }
    let mut ranges: Vec<(usize, usize)> = signatures.iter().map(|s| takes(corpus, s)).collect();
    ranges.sort_unstable();
    let ranges = merged(ranges);
    let mut told: Vec<String> = signatures.iter().map(ToString::to_string).collect();
    told.dedup();
    told.truncate(MAX_TOLD);
    Taking::Nothing(Wrong::Arity { given, takes: ranges, signatures: told })
}

/// Ranges that touch, as one.
fn merged(sorted: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (least, most) in sorted {
        match found.last_mut() {
            Some(last) if least <= last.1.saturating_add(1) => last.1 = last.1.max(most),
            Some(_) | None => found.push((least, most)),
        }
    }
    found
}

/// How many arguments a signature takes at least and at most, where what may be nothing may be left out at the end.
fn takes(corpus: &Corpus, signature: &Signature) -> (usize, usize) {
    let (_, most) = signature.takes();
    let needed = signature.parameters.iter().rposition(|p| is_needed(corpus, signature, p));
    let required = |p: &&Parameter| p.arity == Arity::Required;
    let least = needed
        .map_or(0, |last| signature.parameters.iter().take(last + 1).filter(required).count());
    (least, most)
}

fn is_needed(corpus: &Corpus, signature: &Signature, parameter: &Parameter) -> bool {
    match parameter.arity {
        Arity::Optional | Arity::Rest => false,
        Arity::Required => {
            let takes = constrained(signature, parameter.declared.clone());
            let takes = corpus.resolve(&takes);
            let is_nothing = |ty: &Type| matches!(ty, Type::Void | Type::Undefined);
            let may_be_nothing = match &takes {
                Type::Union(parts) => parts.iter().any(is_nothing),
                one => is_nothing(one),
            };
            !may_be_nothing && !corpus.is_nameless(&takes)
        }
    }
}

/// Whether a signature does not say how many arguments it takes.
fn is_vague(corpus: &Corpus, signature: &Signature) -> bool {
    signature.parameters.iter().any(|p| match p.arity {
        Arity::Rest => corpus.is_nameless(&p.declared),
        Arity::Required | Arity::Optional => false,
    })
}

/// Where the first argument stands that no signature takes.
pub(super) fn first_extra(script: &Script, call: &Call, signatures: &[Signature]) -> Option<Span> {
    let most = signatures.iter().map(|s| s.takes().1).max()?;
    match call.arguments.get(most)? {
        Argument::One(extra) | Argument::Spread(extra) => {
            Some(script.expressions[extra.idx()].span)
        }
    }
}
