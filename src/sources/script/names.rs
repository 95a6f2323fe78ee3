//! Names while a text is lowered: each kept once, declared in scopes, and bound at the end, when all of them are known.

use super::{Annotation, Binding, BindingId, BindingKind, ExprId, ScopeId, Value, ValueId};
use super::{ExpressionKind, ScopeKind, Script, ThisOf};
use crate::base::{Name, Span};
use std::collections::HashMap;

/// A name, as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Symbol(u32);

/// An assignment to a name, wherever it stands.
#[derive(Debug, Clone, Copy)]
struct Assigned {
    at: u32,
    scope: ScopeId,
    symbol: Symbol,
    value: ValueId,
}

/// The names of a text.
#[derive(Debug, Default)]
pub(super) struct Names<'t> {
    symbols: HashMap<&'t str, Symbol>,
    names: Vec<Name>,
    declared: HashMap<(ScopeId, Symbol), BindingId>,
    /// Whether any scope declares a symbol.
    is_declared: Vec<bool>,
    mentions: Vec<(ExprId, Symbol)>,
    assigned: Vec<Assigned>,
}

impl<'t> Names<'t> {
    /// The number of a name.
    pub fn symbol(&mut self, name: &'t str) -> Symbol {
        if let Some(symbol) = self.symbols.get(name) {
            return *symbol;
        }
        let symbol = Symbol(crate::base::to_u32(self.names.len()));
        self.symbols.insert(name, symbol);
        self.names.push(name.into());
        self.is_declared.push(false);
        symbol
    }

    /// A name, as cheap as it can be had.
    pub fn name(&mut self, name: &'t str) -> Name {
        let symbol = self.symbol(name);
        self.text(symbol)
    }

    /// The name with this number.
    pub fn text(&self, symbol: Symbol) -> Name {
        self.names[symbol.0 as usize].clone()
    }

    /// What a scope itself declares under a name.
    pub fn declared_in(&self, scope: ScopeId, symbol: Symbol) -> Option<BindingId> {
        self.declared.get(&(scope, symbol)).copied()
    }

    /// Declares a name; what is declared twice in a scope is one binding with the values of both.
    pub fn declare(
        &mut self,
        script: &mut Script,
        scope: ScopeId,
        (symbol, span): (Symbol, Span),
        kind: BindingKind,
        annotation: Option<Annotation>,
    ) -> BindingId {
        if let Some(known) = self.declared_in(scope, symbol) {
            let binding = &mut script.bindings[known.idx()];
            if kind == BindingKind::Declared {
                binding.kind = kind;
            }
            if binding.annotation.is_none() {
                binding.annotation = annotation;
            }
            return known;
        }
        let id = BindingId(crate::base::to_u32(script.bindings.len()));
        let name = self.names[symbol.0 as usize].clone();
        script.scopes[scope.idx()].names.push((name.clone(), id));
        script.bindings.push(Binding { name, span, scope, kind, annotation, values: Vec::new() });
        self.declared.insert((scope, symbol), id);
        self.is_declared[symbol.0 as usize] = true;
        id
    }

    /// Notes that an expression is a name, to be bound at the end.
    pub fn mention(&mut self, expression: ExprId, symbol: Symbol) {
        self.mentions.push((expression, symbol));
    }

    /// Notes that a name is given a value, at a byte of the text.
    pub fn assign(&mut self, at: u32, scope: ScopeId, symbol: Symbol, value: ValueId) {
        self.assigned.push(Assigned { at, scope, symbol, value });
    }

    /// Binds every name that was mentioned or assigned.
    pub fn bind(mut self, script: &mut Script) {
        let arguments = self.symbols.get("arguments").copied();
        let look = |scope: ScopeId, symbol: Symbol, script: &Script| {
            if !self.is_declared[symbol.0 as usize] {
                return None;
            }
            self.look_up(script, scope, symbol, arguments == Some(symbol))
        };
        for (expression, symbol) in &self.mentions {
            let scope = script.expressions[expression.idx()].scope;
            let Some(found) = look(scope, *symbol, script) else { continue };
            if let ExpressionKind::Name(_, binding) = &mut script.expressions[expression.idx()].kind
            {
                *binding = Some(found);
            }
        }
        let mut assigned = std::mem::take(&mut self.assigned);
        assigned.sort_by_key(|a| a.at);
        for Assigned { scope, symbol, value, .. } in assigned {
            match self.look_up(script, scope, symbol, arguments == Some(symbol)) {
                Some(found) => script.bindings[found.idx()].values.push(value),
                None => script.free_writes.push(self.text(symbol)),
            }
        }
        script.free_writes.sort();
        script.free_writes.dedup();
        for scope in &mut script.scopes {
            scope.names.sort();
            scope.types.sort();
            scope.types.dedup();
        }
    }

    fn look_up(
        &self,
        script: &Script,
        scope: ScopeId,
        symbol: Symbol,
        is_arguments: bool,
    ) -> Option<BindingId> {
        let mut next = Some(scope);
        while let Some(id) = next {
            if let Some(found) = self.declared_in(id, symbol) {
                return Some(found);
            }
            let scope = &script.scopes[id.idx()];
            match scope.kind {
                ScopeKind::With => return None,
                ScopeKind::Function(function)
                    if is_arguments && script.functions[function.idx()].this != ThisOf::Around =>
                {
                    return None;
                }
                ScopeKind::Function(_)
                | ScopeKind::File
                | ScopeKind::Class(_)
                | ScopeKind::Block
                | ScopeKind::Namespace => {}
            }
            next = scope.parent;
        }
        None
    }
}

/// A value of a script, kept.
pub(super) fn keep_value(script: &mut Script, value: Value) -> ValueId {
    let id = ValueId(crate::base::to_u32(script.values.len()));
    script.values.push(value);
    id
}
