//! What the code's own classes and functions inherit from, and which things are the code's own.
//!
//! Only what a script says itself is followed; a base that is neither a name nor a member has the empty name, which
//! means that it may be anything.

use crate::base::Name;
use crate::sources::script::{
    Argument, BindingId, BindingKind, Call, Context, ExprId, ExpressionKind, FunctionId, Imported,
    ObjectId, Script, This, Value,
};
use std::collections::{BTreeMap, BTreeSet};

/// A class, or a function that is one by its prototype.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Heir {
    /// Its name; empty where it has none.
    pub name: Name,
    /// The names of the members that it declares.
    pub members: Vec<Name>,
    /// What it inherits from, by the last part of the name.
    pub bases: Vec<Name>,
}

/// Every class of a script, and every function whose prototype it gives members or a base.
pub(super) fn heirs(script: &Script) -> Vec<Heir> {
    let mut found: Vec<Heir> = Vec::new();
    for class in &script.classes {
        found.push(Heir {
            name: class.name.clone().unwrap_or_default(),
            members: class.members.iter().map(|m| m.name.clone()).collect(),
            bases: class.extends.iter().map(|base| base_name(script, *base)).collect(),
        });
    }
    let mut functions: BTreeMap<Name, Heir> = BTreeMap::new();
    for expression in &script.expressions {
        if let ExpressionKind::Call(call) = &expression.kind {
            by_call(script, call, &mut functions);
        }
    }
    for write in &script.writes {
        by_write(script, write.target, write.value, &mut functions);
    }
    for write in &script.writes {
        let ExpressionKind::Member { object, name, .. } =
            &script.expressions[write.target.idx()].kind
        else {
            continue;
        };
        let heir = match at_hand(script, *object) {
            Some(AtHand::Class(class)) => found.get_mut(class),
            Some(AtHand::Function(of)) => functions.get_mut(&of),
            None => None,
        };
        if let Some(heir) = heir {
            heir.members.push(name.clone());
        }
    }
    found.extend(functions.into_iter().map(|(name, heir)| Heir { name, ..heir }));
    found
}

/// `inherits(F, Base)`, `Object.setPrototypeOf(F.prototype, Base.prototype)`, `Object.assign(F.prototype, { … })`.
fn by_call(script: &Script, call: &Call, functions: &mut BTreeMap<Name, Heir>) {
    let callee = match &script.expressions[call.callee.idx()].kind {
        ExpressionKind::Member { name, .. } | ExpressionKind::Name(name, _) => name.as_str(),
        _ => return,
    };
    let mut arguments = call.arguments.iter().filter_map(|argument| match argument {
        Argument::One(one) => Some(*one),
        Argument::Spread(_) => None,
    });
    let Some(of) = arguments.next().and_then(|first| own_function(script, first)) else { return };
    let heir = functions.entry(of).or_default();
    match callee {
        "inherits" | "inherit" | "setPrototypeOf" => {
            heir.bases.extend(arguments.map(|base| base_name(script, base)));
        }
        "assign" | "extend" | "mixin" | "merge" | "defineProperties" | "include" => {
            for argument in arguments {
                match &script.expressions[argument.idx()].kind {
                    ExpressionKind::Object(_) => heir.members.extend(keys(script, argument)),
                    _ => heir.bases.push(base_name(script, argument)),
                }
            }
        }
        _ => {}
    }
}

/// `F.prototype.name = …`, `F.prototype = { … }`, `F.prototype = Object.create(Base.prototype)`, `F.prototype = new Base()`.
fn by_write(
    script: &Script,
    target: ExprId,
    value: Option<ExprId>,
    functions: &mut BTreeMap<Name, Heir>,
) {
    let ExpressionKind::Member { object, name, .. } = &script.expressions[target.idx()].kind else {
        return;
    };
    if name == "prototype" {
        let Some(of) = own_function(script, *object) else { return };
        let heir = functions.entry(of).or_default();
        let Some(value) = value else { return };
        match &script.expressions[value.idx()].kind {
            ExpressionKind::Object(_) => heir.members.extend(keys(script, value)),
            ExpressionKind::New(call) => heir.bases.push(base_name(script, call.callee)),
            ExpressionKind::Call(call) => {
                let first = call.arguments.first();
                let base = match first {
                    Some(Argument::One(base)) => base_name(script, *base),
                    _ => Name::default(),
                };
                heir.bases.push(base);
            }
            _ => heir.bases.push(base_name(script, value)),
        }
    } else if is_prototype(script, *object)
        && let Some(of) = own_function(script, *object)
    {
        let heir = functions.entry(of).or_default();
        match (name.as_str(), value) {
            ("__proto__", Some(value)) => heir.bases.push(base_name(script, value)),
            _ => heir.members.push(name.clone()),
        }
    }
}

/// The name of the script's own function or class that is meant, itself or by its prototype.
pub(super) fn own_function(script: &Script, id: ExprId) -> Option<Name> {
    let of = match &script.expressions[id.idx()].kind {
        ExpressionKind::Member { object, name, .. } if name == "prototype" => *object,
        _ => id,
    };
    let ExpressionKind::Name(name, Some(binding)) = &script.expressions[of.idx()].kind else {
        return None;
    };
    let binding = &script.bindings[binding.idx()];
    let declares = |value: &Value| match value {
        Value::Function(_) | Value::Class(_) => true,
        Value::Expression(value) => is_declaration(script, *value),
        Value::ElementOf { .. }
        | Value::KeyOf(_)
        | Value::Parameter { .. }
        | Value::Import(_)
        | Value::Piece { .. }
        | Value::Caught
        | Value::Unknown => false,
    };
    let all = !binding.values.is_empty()
        && binding.values.iter().all(|value| declares(&script.values[value.idx()]));
    (all && binding.kind != BindingKind::Parameter).then(|| name.clone())
}

/// Whether an expression is a function or class that is written on the spot, maybe through further assignments.
fn is_declaration(script: &Script, mut id: ExprId) -> bool {
    for _ in 0..8 {
        match &script.expressions[id.idx()].kind {
            ExpressionKind::Function(_) | ExpressionKind::Class(_) => return true,
            ExpressionKind::Assign(operator, _, value) if operator == "=" => id = *value,
            _ => return false,
        }
    }
    false
}

/// What a script has for itself: giving it a member says nothing of an api's types.
pub(super) struct OwnThings {
    /// The functions that are classes by their prototype.
    classes: BTreeSet<Name>,
    exports: Exports,
}

/// What a script exports.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Exports {
    /// Something that it has made itself.
    Own,
    /// Something that may be another's.
    Anything,
}

impl OwnThings {
    /// Those of a script.
    pub fn of(script: &Script) -> OwnThings {
        let functions = heirs(script).into_iter().skip(script.classes.len());
        let replaced = script.writes.iter().filter(|w| is_exports(script, w.target));
        let is_own = replaced.filter_map(|w| w.value).all(|value| is_made(script, value));
        OwnThings {
            classes: functions.map(|heir| heir.name).collect(),
            exports: if is_own { Exports::Own } else { Exports::Anything },
        }
    }

    /// Whether an expression is a class or function of the script, its prototype, an instance at hand, or the exports.
    pub fn has(&self, script: &Script, id: ExprId) -> bool {
        match at_hand(script, id) {
            Some(AtHand::Class(_)) => true,
            Some(AtHand::Function(of)) => self.classes.contains(&of),
            None => {
                own_function(script, id).is_some()
                    || self.exports == Exports::Own && is_exports(script, id)
            }
        }
    }
}

/// `exports`, `module.exports`.
pub(super) fn is_exports(script: &Script, id: ExprId) -> bool {
    match &script.expressions[id.idx()].kind {
        ExpressionKind::Name(name, None) => name == "exports",
        ExpressionKind::Member { object, name, .. } if name == "exports" => matches!(
            &script.expressions[object.idx()].kind,
            ExpressionKind::Name(name, None) if name == "module"
        ),
        _ => false,
    }
}

/// Whether a value is written out in the script, maybe under a name or through further assignments.
fn is_made(script: &Script, mut id: ExprId) -> bool {
    for _ in 0..8 {
        match &script.expressions[id.idx()].kind {
            ExpressionKind::Object(_)
            | ExpressionKind::Function(_)
            | ExpressionKind::Class(_)
            | ExpressionKind::Array(_) => return true,
            ExpressionKind::Assign(operator, _, value) if operator == "=" => id = *value,
            ExpressionKind::Name(_, Some(binding)) => {
                return is_literal(script, *binding) || own_function(script, id).is_some();
            }
            _ => return false,
        }
    }
    false
}

/// Whose instance `this` is.
enum AtHand {
    /// That of a class, by its index.
    Class(usize),
    /// That of a function that is called with `new`, by its name.
    Function(Name),
}

/// The class or function that an expression is an instance of, where it is `this` in the class itself.
fn at_hand(script: &Script, id: ExprId) -> Option<AtHand> {
    let ExpressionKind::This = script.expressions[id.idx()].kind else { return None };
    match script.this_of(script.expressions[id.idx()].scope) {
        This::Instance(class) | This::Statics(class) => Some(AtHand::Class(class.idx())),
        This::Function(function) => function_of(script, function).map(AtHand::Function),
        This::Object(object) => object_of(script, object).map(AtHand::Function),
        This::File => None,
    }
}

/// The name of the function that is called with `new` where `function` is it, or a member of its prototype.
fn function_of(script: &Script, function: FunctionId) -> Option<Name> {
    let function = &script.functions[function.idx()];
    let Some(expression) = function.expression else { return function.name.clone() };
    match script.expressions[expression.idx()].context {
        Context::Initialises(binding) => Some(script.bindings[binding.idx()].name.clone()),
        Context::AssignedTo(target) => match &script.expressions[target.idx()].kind {
            ExpressionKind::Member { object, .. } if is_prototype(script, *object) => {
                own_function(script, *object)
            }
            // `var Shape = exports.Shape = function () { … }`
            ExpressionKind::Member { name, .. } => Some(name.clone()),
            _ => own_function(script, target),
        },
        _ => None,
    }
}

/// The name of the function whose prototype an object literal is.
fn object_of(script: &Script, object: ObjectId) -> Option<Name> {
    let expression = script.objects[object.idx()].expression;
    match script.expressions[expression.idx()].context {
        Context::AssignedTo(target) if is_prototype(script, target) => own_function(script, target),
        _ => None,
    }
}

fn is_prototype(script: &Script, id: ExprId) -> bool {
    matches!(&script.expressions[id.idx()].kind, ExpressionKind::Member { name, .. } if name == "prototype")
}

/// The last part of a base's name, `prototype` left out; what an import calls it where that says more.
fn base_name(script: &Script, id: ExprId) -> Name {
    match &script.expressions[id.idx()].kind {
        ExpressionKind::Member { object, name, .. } if name == "prototype" => {
            base_name_of_plain(script, *object)
        }
        _ => base_name_of_plain(script, id),
    }
}

fn base_name_of_plain(script: &Script, id: ExprId) -> Name {
    match &script.expressions[id.idx()].kind {
        ExpressionKind::Member { name, .. } => name.clone(),
        ExpressionKind::Name(name, Some(binding)) => {
            let values = &script.bindings[binding.idx()].values;
            let imported = values.iter().find_map(|value| match &script.values[value.idx()] {
                Value::Import(import) => match &script.imports[*import as usize].imported {
                    Imported::Name(name) => Some(name.clone()),
                    _ => None,
                },
                Value::Expression(value) => match &script.expressions[value.idx()].kind {
                    ExpressionKind::Member { name, .. } => Some(name.clone()),
                    _ => None,
                },
                _ => None,
            });
            imported.unwrap_or_else(|| name.clone())
        }
        ExpressionKind::Name(name, None) => name.clone(),
        _ => Name::default(),
    }
}

/// Whether what gets members is the code's own: a literal, its exports, a function of its own, `this`.
pub(super) fn is_own(script: &Script, id: ExprId) -> bool {
    match &script.expressions[id.idx()].kind {
        ExpressionKind::Object(_) | ExpressionKind::This | ExpressionKind::Function(_) => true,
        ExpressionKind::Name(name, None) => matches!(name.as_str(), "exports" | "module"),
        ExpressionKind::Member { object, name, .. } if name == "exports" => is_own(script, *object),
        ExpressionKind::Name(_, Some(binding)) if is_literal(script, *binding) => true,
        _ => own_function(script, id).is_some(),
    }
}

/// Whether a constant is an object literal.
fn is_literal(script: &Script, binding: BindingId) -> bool {
    let binding = &script.bindings[binding.idx()];
    let [value] = binding.values.as_slice() else { return false };
    match &script.values[value.idx()] {
        Value::Expression(value) => {
            matches!(script.expressions[value.idx()].kind, ExpressionKind::Object(_))
        }
        _ => false,
    }
}

/// The keys of an object literal.
pub(super) fn keys(script: &Script, id: ExprId) -> Vec<Name> {
    match &script.expressions[id.idx()].kind {
        ExpressionKind::Object(object) => {
            script.objects[object.idx()].properties.iter().map(|p| p.name.clone()).collect()
        }
        _ => Vec::new(),
    }
}
