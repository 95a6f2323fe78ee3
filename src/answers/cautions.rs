//! What a script says about itself that makes a claim about its names unsafe.
//!
//! Nothing here knows which api is meant.

use super::suggest::is_slip;
use crate::base::{Name, to_u32};
use crate::sources::script::{
    Argument, BindingId, BindingKind, ExprId, ExpressionKind, Imported, Script, StatementKind,
    Value,
};
use std::collections::{BTreeMap, BTreeSet};

/// What a script says, read once.
pub struct Cautions {
    tested: BTreeMap<Name, bool>,
    /// Whether it loads a package and uses nothing of it.
    pub loads_for_effect: bool,
}

impl Cautions {
    /// Those of a script.
    pub fn of(script: &Script) -> Cautions {
        Cautions { tested: tested_names(script), loads_for_effect: loads_for_effect(script) }
    }

    /// Whether the code asks for this name somewhere and uses it somewhere else.
    pub fn is_tested(&self, name: &Name) -> bool {
        self.tested.get(name).copied().unwrap_or(false)
    }
}

fn tested_names(script: &Script) -> BTreeMap<Name, bool> {
    let mut uses: BTreeMap<Name, (bool, u32)> = BTreeMap::new();
    for access in &script.accesses {
        let entry = uses.entry(access.name.clone()).or_default();
        entry.0 |= access.tested;
        entry.1 += 1;
    }
    uses.into_iter().map(|(name, (tested, n))| (name, tested && n > 1)).collect()
}

/// Whether a script imports or requires a package and takes nothing of it, or nothing that it ever names again.
fn loads_for_effect(script: &Script) -> bool {
    let named: BTreeSet<BindingId> = script
        .expressions
        .iter()
        .filter_map(|e| match e.kind {
            ExpressionKind::Name(_, binding) => binding,
            _ => None,
        })
        .collect();
    let mut imports = script.imports.iter().filter(|i| is_package(&i.module) && !i.type_only);
    let stated = script.statements.iter().filter(|s| s.kind == StatementKind::Expression);
    let mut stated = stated.filter_map(|s| s.expression);
    let mut bindings = script.bindings.iter().enumerate().filter(|(i, binding)| {
        let is_variable = matches!(binding.kind, BindingKind::Const | BindingKind::Var);
        is_variable && !named.contains(&BindingId(to_u32(*i)))
    });
    imports.any(|i| i.imported == Imported::Nothing)
        || stated.any(|expression| is_loading(script, expression))
        || bindings.any(|(_, binding)| match binding.values.as_slice() {
            [one] => match script.values[one.idx()] {
                Value::Expression(expression) => is_loading(script, expression),
                _ => false,
            },
            _ => false,
        })
}

/// Whether an expression is `require("package")`.
fn is_loading(script: &Script, id: ExprId) -> bool {
    let ExpressionKind::Call(call) = &script.expressions[id.idx()].kind else { return false };
    let [Argument::One(module)] = call.arguments.as_slice() else { return false };
    let callee = &script.expressions[call.callee.idx()].kind;
    let module = &script.expressions[module.idx()].kind;
    matches!(callee, ExpressionKind::Name(name, None) if name == "require")
        && matches!(module, ExpressionKind::Text(module) if is_package(module))
}

fn is_package(module: &str) -> bool {
    !module.starts_with(['.', '/'])
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
