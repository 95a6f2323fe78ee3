//! What a script says about itself that makes a claim about its names unsafe.
//!
//! Nothing here knows which api is meant.

use super::suggest::is_slip;
use crate::base::Name;
use crate::sources::script::{Argument, ExpressionKind, Imported, Script, StatementKind};
use std::collections::BTreeMap;

/// Names that the code asks for somewhere and uses somewhere else.
pub(super) fn tested_names(script: &Script) -> BTreeMap<Name, bool> {
    let mut uses: BTreeMap<Name, (bool, u32)> = BTreeMap::new();
    for access in &script.accesses {
        let entry = uses.entry(access.name.clone()).or_default();
        entry.0 |= access.tested;
        entry.1 += 1;
    }
    uses.into_iter().map(|(name, (tested, n))| (name, tested && n > 1)).collect()
}

/// Whether a script imports or requires a package and takes nothing of it.
pub(super) fn loads_for_effect(script: &Script) -> bool {
    let is_package = |module: &str| !module.starts_with(['.', '/']);
    let imports = script.imports.iter();
    let mut imported = imports.filter(|i| i.imported == Imported::Nothing);
    let stated = script.statements.iter().filter(|s| s.kind == StatementKind::Expression);
    let mut calls = stated.filter_map(|s| match &script.expressions[s.expression?.idx()].kind {
        ExpressionKind::Call(call) => Some(call),
        _ => None,
    });
    imported.any(|i| is_package(&i.module))
        || calls.any(|call| {
            let callee = &script.expressions[call.callee.idx()].kind;
            let [Argument::One(module)] = call.arguments.as_slice() else { return false };
            matches!(callee, ExpressionKind::Name(name, None) if name == "require")
                && matches!(
                    &script.expressions[module.idx()].kind,
                    ExpressionKind::Text(module) if is_package(module)
                )
        })
}

/// Names that declarations leave out on purpose: private by convention, or a browser vendor's own.
pub(super) fn is_internal(name: &str) -> bool {
    let vendor = ["webkit", "moz", "ms", "o"].iter().any(|prefix| {
        name.strip_prefix(prefix)
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
    });
    name.starts_with(['_', '#']) || vendor && !name.starts_with("on")
}

/// Whether a name is a slip of the other, or has its letters in another order.
pub(super) fn is_nearly(name: &str, other: &str) -> bool {
    let sorted = |name: &str| {
        let mut letters: Vec<char> = name.chars().collect();
        letters.sort_unstable();
        letters
    };
    is_slip(name, other) || name.len() == other.len() && sorted(name) == sorted(other)
}
