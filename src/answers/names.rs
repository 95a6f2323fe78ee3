//! The member names that the project's own code gives to things: what is said about them is not an invention.
//!
//! A name counts as given where the code declares it (a prototype's member, a defined property, an extension, a member
//! of a class that may stand for what it extends) or asks for it (`"name" in x`), and where it is both written and read. A write alone gives nothing:
//! a property that is only ever set is the commonest invention of all. What the code gives to its own classes, functions
//! and exports alone says nothing about an api's types, unless they stand for one that they inherit from.

use super::free_names::{Claim, GLOBAL_OBJECTS, is_module};
use super::heirs::{OwnThings, heirs, is_own, keys, own_function};
use crate::base::{Name, Span};
use crate::sources::script::{
    Argument, BindingKind, Call, ExprId, ExpressionKind, Receiver, Script, This, Usage,
};
use std::collections::{BTreeMap, BTreeSet};

/// How a project's code uses member names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NameUses {
    uses: BTreeMap<Name, Uses>,
    /// What classes extend whose members are defined while they run, by the last part of its name.
    dynamic_bases: BTreeSet<Name>,
    /// By what ways names may come that no file of the project shows.
    ways: BTreeSet<Opening>,
    /// What classes and functions that declare a member inherit from, by the member and the last part of the name.
    heirs: BTreeMap<Name, BTreeSet<Name>>,
    /// What the code's classes extend, both by the last part of their names.
    bases: BTreeMap<Name, BTreeSet<Name>>,
}

/// A way by which global names come to scripts without any file that shows them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Opening {
    /// A page loads scripts from elsewhere.
    Pages,
    /// A framework puts imports into scripts while it builds them.
    Imports,
}

/// How one name is used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Uses {
    given: bool,
    told: bool,
    written: bool,
    read: bool,
    global: bool,
    plain: bool,
}

impl NameUses {
    /// How a script uses the names that `wanted` asks for.
    pub fn of(script: &Script, wanted: impl Fn(&str) -> bool) -> NameUses {
        let mut found = NameUses::default();
        let own = OwnThings::of(script);
        for access in script.accesses.iter().filter(|a| wanted(&a.name)) {
            let uses = found.uses.entry(access.name.clone()).or_default();
            match access.usage {
                // What the code gives its own classes, functions and exports, only they and their heirs have.
                Usage::Written | Usage::Changed => match access.receiver {
                    Receiver::Expression(_, object) if own.has(script, object) => {}
                    Receiver::Expression(..) | Receiver::Value(_) => uses.written = true,
                },
                Usage::Read | Usage::Called | Usage::Constructed | Usage::Deleted => {
                    uses.read = true
                }
            }
        }
        for name in given(script).into_iter().filter(|n| wanted(n)) {
            found.uses.entry(name).or_default().given = true;
        }
        for name in told(script).into_iter().filter(|n| wanted(n)) {
            found.uses.entry(name).or_default().told = true;
        }
        // An instance of a class that extends an api's may stand wherever the api's type is asked for.
        for heir in heirs(script) {
            for name in heir.members.into_iter().filter(|n| wanted(n)) {
                let bases = found.heirs.entry(name).or_default();
                // A type of the same name is what the class becomes where it is published.
                bases.extend([&heir.name].into_iter().filter(|n| !n.is_empty()).cloned());
                bases.extend(heir.bases.iter().cloned());
            }
            found.bases.entry(heir.name).or_default().extend(heir.bases);
        }
        found.dynamic_bases = dynamic_bases(script);
        // In a script that is not a module, what stands at the top is a member of the global scope.
        for (name, _) in script.scopes.first().iter().flat_map(|s| &s.names) {
            if wanted(name) {
                found.uses.entry(name.clone()).or_default().global = true;
            }
        }
        for name in plain(script, &own).into_iter().filter(|n| wanted(n)) {
            found.uses.entry(name).or_default().plain = true;
        }
        found
    }

    /// These names are read somewhere.
    pub fn read(names: BTreeSet<Name>) -> NameUses {
        let read = Uses { read: true, ..Uses::default() };
        NameUses::each(names, read)
    }

    /// These names are declared: in the project's own declarations, or where a script adds to an api's types.
    pub fn declared(names: BTreeSet<Name>) -> NameUses {
        let given = Uses { given: true, ..Uses::default() };
        NameUses::each(names, given)
    }

    /// These names can be read by themselves everywhere: something of the project declares or sets them for all.
    pub fn everywhere(names: BTreeSet<Name>) -> NameUses {
        let plain = Uses { plain: true, ..Uses::default() };
        NameUses::each(names, plain)
    }

    fn each(names: BTreeSet<Name>, used: Uses) -> NameUses {
        NameUses {
            uses: names.into_iter().map(|name| (name, used)).collect(),
            ..NameUses::default()
        }
    }

    /// Names may come by this way.
    pub fn open(opening: Opening) -> NameUses {
        NameUses { ways: BTreeSet::from([opening]), ..NameUses::default() }
    }

    /// Whether names may come by this way.
    fn is_open(&self, opening: Opening) -> bool {
        self.ways.contains(&opening)
    }

    /// Whether what brings names to a script is shown by the project, so that every name that nothing declares may be claimed.
    pub fn show_all(&self, claim: Claim) -> bool {
        match claim {
            Claim::All => !self.is_open(Opening::Imports),
            Claim::OutsideOfPages => {
                !self.is_open(Opening::Imports) && !self.is_open(Opening::Pages)
            }
            Claim::Slips => false,
        }
    }

    /// Whether a text may add members to an api's types.
    pub fn may_augment(text: &str) -> bool {
        ["declare global", "declare module", "interface ", "namespace "]
            .iter()
            .any(|sign| text.contains(sign))
    }

    /// Adds another script's uses.
    pub fn add(&mut self, other: NameUses) {
        for (name, more) in other.uses {
            let uses = self.uses.entry(name).or_default();
            uses.given |= more.given;
            uses.told |= more.told;
            uses.written |= more.written;
            uses.read |= more.read;
            uses.global |= more.global;
            uses.plain |= more.plain;
        }
        self.ways.extend(other.ways);
        self.dynamic_bases.extend(other.dynamic_bases);
        for (into, more) in [(&mut self.heirs, other.heirs), (&mut self.bases, other.bases)] {
            for (name, bases) in more {
                into.entry(name).or_default().extend(bases);
            }
        }
    }

    /// Whether the project gives things this member.
    pub fn gives(&self, name: &str) -> bool {
        self.uses.get(name).is_some_and(|u| u.given || (u.written && u.read))
    }

    /// Whether the project defines this member for whatever has the same prototype, or asks for it as a key.
    pub fn declares(&self, name: &str) -> bool {
        self.uses.get(name).is_some_and(|u| u.given)
    }

    /// Whether the project defines this member on things of its own, or tells of it as a key of something.
    pub fn tells(&self, name: &str) -> bool {
        self.uses.get(name).is_some_and(|u| u.told)
    }

    /// What the project's classes and functions that declare this member inherit from, by the last part of its name; the
    /// project's own classes are followed to what they extend.
    pub fn inherited(&self, name: &str) -> BTreeSet<&Name> {
        let mut found: BTreeSet<&Name> = BTreeSet::new();
        let mut open: Vec<&Name> = self.heirs.get(name).into_iter().flatten().collect();
        while let Some(base) = open.pop() {
            if found.insert(base) {
                open.extend(self.bases.get(base).into_iter().flatten());
            }
        }
        found
    }

    /// Whether a class of the project has this name, or a function that is one by its prototype.
    pub fn has_class(&self, name: &str) -> bool {
        !name.is_empty() && self.bases.contains_key(name)
    }

    /// What the project's classes extend whose members are defined while they run.
    pub fn dynamic_bases(&self) -> impl Iterator<Item = &Name> {
        self.dynamic_bases.iter()
    }

    /// Whether a text may hold what [`NameUses::dynamic_bases`] gives.
    pub fn may_define(text: &str) -> bool {
        text.contains("extends") && text.contains("defineProperty")
    }

    /// Whether the project gives the global scope this member: setting it once is enough there.
    pub fn gives_globally(&self, name: &str) -> bool {
        self.uses.get(name).is_some_and(|u| u.given || u.written || u.global)
    }
}

impl NameUses {
    /// Whether the project lets scripts read this name by itself.
    pub fn gives_plainly(&self, name: &str) -> bool {
        self.uses.get(name).is_some_and(|u| u.plain)
    }
}

/// The names that a script gives to all others: what it declares at its top unless it is a module, what it assigns
/// without declaring it, and what it sets or defines on the global scope.
fn plain(script: &Script, own: &OwnThings) -> Vec<Name> {
    let mut names = script.free_writes.clone();
    if !is_module(script) || !script.broken.is_empty() {
        let top = script.scopes.iter().take(1).flat_map(|s| &s.names).cloned();
        let declared = top.filter(|(_, id)| script.bindings[id.idx()].kind != BindingKind::Import);
        names.extend(declared.map(|(name, _)| name));
    }
    for write in &script.writes {
        let target = &script.expressions[write.target.idx()].kind;
        let (object, name) = match target {
            ExpressionKind::Member { object, name, .. } => (*object, name),
            ExpressionKind::Element { object, index, .. } => {
                let ExpressionKind::Text(name) = &script.expressions[index.idx()].kind else {
                    continue;
                };
                (*object, name)
            }
            _ => continue,
        };
        if may_be_global_scope(script, object) && !own.has(script, object) {
            names.push(name.clone());
        }
    }
    for expression in &script.expressions {
        match &expression.kind {
            ExpressionKind::Binary(operator, left, right) if operator == "in" => {
                if let ExpressionKind::Text(name) = &script.expressions[left.idx()].kind
                    && may_be_global_scope(script, *right)
                {
                    names.push(name.clone());
                }
            }
            ExpressionKind::Call(call) => match call.arguments.first() {
                Some(Argument::One(target)) if may_be_global_scope(script, *target) => {
                    names.extend(defined(script, call, Whose::Any));
                }
                _ => {}
            },
            _ => {}
        }
    }
    names
}

/// Whether an expression may be the global scope: by its name, as what a wrapper hands in, or as a plain function's `this`.
fn may_be_global_scope(script: &Script, id: ExprId) -> bool {
    let expression = &script.expressions[id.idx()];
    match &expression.kind {
        ExpressionKind::Name(name, None) => GLOBAL_OBJECTS.contains(&name.as_str()),
        ExpressionKind::Name(name, Some(binding)) => {
            script.bindings[binding.idx()].kind == BindingKind::Parameter
                || GLOBAL_OBJECTS.contains(&name.as_str())
                || matches!(name.as_str(), "root" | "scope" | "context" | "win" | "g" | "w")
        }
        ExpressionKind::This => match script.this_of(expression.scope) {
            This::File | This::Function(_) => true,
            This::Instance(_) | This::Statics(_) | This::Object(_) => false,
        },
        _ => false,
    }
}

/// The bases of classes in which a member with a computed name is defined on `this`.
fn dynamic_bases(script: &Script) -> BTreeSet<Name> {
    let defining: Vec<Span> = script
        .expressions
        .iter()
        .filter_map(|e| match &e.kind {
            ExpressionKind::Call(call) => defines_computed(script, call).then_some(e.span),
            _ => None,
        })
        .collect();
    let dynamic = script.classes.iter().filter(|c| defining.iter().any(|d| c.span.holds(*d)));
    dynamic
        .filter_map(|class| match &script.expressions[class.extends?.idx()].kind {
            ExpressionKind::Name(name, _) | ExpressionKind::Member { name, .. } => {
                Some(name.clone())
            }
            _ => None,
        })
        .collect()
}

/// `Object.defineProperty(this, computed, …)`.
fn defines_computed(script: &Script, call: &Call) -> bool {
    let callee = &script.expressions[call.callee.idx()].kind;
    let [Argument::One(target), Argument::One(key), ..] = call.arguments.as_slice() else {
        return false;
    };
    matches!(callee, ExpressionKind::Member { name, .. } if name == "defineProperty")
        && matches!(script.expressions[target.idx()].kind, ExpressionKind::This)
        && !matches!(script.expressions[key.idx()].kind, ExpressionKind::Text(_))
}

/// The names that a script adds to existing things or asks for; what it adds to its own functions says nothing of others.
fn given(script: &Script) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    for write in &script.writes {
        let ExpressionKind::Member { object, name, .. } =
            &script.expressions[write.target.idx()].kind
        else {
            continue;
        };
        if own_function(script, *object).is_some() {
            continue;
        }
        match &script.expressions[object.idx()].kind {
            ExpressionKind::Member { name: inner, .. } if inner == "prototype" => {
                names.push(name.clone());
            }
            _ if name == "prototype" => {
                names.extend(write.value.iter().flat_map(|v| keys(script, *v)));
            }
            _ => {}
        }
    }
    for expression in &script.expressions {
        match &expression.kind {
            ExpressionKind::Binary(operator, left, _) if operator == "in" => {
                if let ExpressionKind::Text(name) = &script.expressions[left.idx()].kind {
                    names.push(name.clone());
                }
            }
            ExpressionKind::Call(call) => names.extend(defined(script, call, Whose::Any)),
            _ => {}
        }
    }
    names
}

/// The names that a script defines on things of its own, or tells of as a key.
fn told(script: &Script) -> Vec<Name> {
    let calls = script.expressions.iter().filter_map(|e| match &e.kind {
        ExpressionKind::Call(call) => Some(call),
        _ => None,
    });
    calls.flat_map(|call| defined(script, call, Whose::Own)).collect()
}

/// Whose members a call defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// Those of things that may be an api's.
    Any,
    /// Those of the code's own things, and keys that are asked for in something.
    Own,
}

/// The names that a call like `Object.defineProperty(x, "name", …)` or `extend(x, { name })` gives.
fn defined(script: &Script, call: &Call, whose: Whose) -> Vec<Name> {
    let callee = match &script.expressions[call.callee.idx()].kind {
        ExpressionKind::Member { name, .. } | ExpressionKind::Name(name, _) => name.as_str(),
        _ => return Vec::new(),
    };
    let argument = |i: usize| match call.arguments.get(i) {
        Some(Argument::One(one)) => Some(*one),
        _ => None,
    };
    let own = match argument(0) {
        Some(first) if is_own(script, first) => Whose::Own,
        _ => Whose::Any,
    };
    match callee {
        "defineProperty" | "__defineGetter__" | "__defineSetter__" | "hasOwnProperty"
        | "hasOwn" | "stub" | "spyOn"
            if own == whose =>
        {
            (0..2).filter_map(argument).filter_map(|a| text(script, a)).collect()
        }
        "has" | "get" | "set" if whose == Whose::Own => {
            (0..2).filter_map(argument).filter_map(|a| text(script, a)).collect()
        }
        // An event that the code makes itself has what it is made with.
        "dispatchEvent" | "dispatch" | "emit" | "trigger" | "fire" if whose == Whose::Own => {
            (0..call.arguments.len()).filter_map(argument).flat_map(|a| keys(script, a)).collect()
        }
        "assign" | "extend" | "mixin" | "merge" | "defineProperties" | "create" | "include"
        | "augment" | "defaults" | "setPrototypeOf" | "implement" | "Class" | "inherit"
            if own == whose =>
        {
            (0..call.arguments.len()).filter_map(argument).flat_map(|a| keys(script, a)).collect()
        }
        _ => Vec::new(),
    }
}

fn text(script: &Script, id: ExprId) -> Option<Name> {
    match &script.expressions[id.idx()].kind {
        ExpressionKind::Text(name) => Some(name.clone()),
        _ => None,
    }
}
