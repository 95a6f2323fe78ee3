//! Whether a type has a member: own, merged, inherited, indexed; and why it cannot be told where it cannot.

use super::effort::bounded;
use super::{Corpus, Found, Lookup, MAX_DEPTH, Reason};
use crate::datagraph::{Interface, InterfaceKind, Key, Side};
use crate::types::substitute::{Bindings, parameters_to};
use crate::types::{Shape, Type, TypeName};

/// The interface that a language type has its members from.
fn of_language(ty: &Type) -> Option<(&'static str, Vec<Type>)> {
    Some(match ty {
        Type::String | Type::Text(_) => ("String", Vec::new()),
        Type::Number | Type::Digits(_) => ("Number", Vec::new()),
        Type::Boolean | Type::Truth(_) | Type::Is(_) => ("Boolean", Vec::new()),
        Type::BigInt => ("BigInt", Vec::new()),
        Type::Symbol => ("Symbol", Vec::new()),
        Type::Array(element) => ("Array", vec![(**element).clone()]),
        Type::Tuple(parts) => ("Array", vec![Type::union(parts.iter().cloned())]),
        Type::Function(_) | Type::Constructor(_) => ("Function", Vec::new()),
        _ => return None,
    })
}

/// What a primitive type that only a comment gives is beside that primitive.
pub const BY_COMMENT: &str = "type that only a comment gives";

/// What the type of a variable is beside what another function sets it to, and of all that comes of it.
pub const SET_ELSEWHERE: &str = "type of what another function sets";

/// A type without [`SET_ELSEWHERE`], where that is a part of it.
pub fn without_elsewhere(ty: &Type) -> Option<Type> {
    let is_mark = |part: &Type| matches!(part, Type::Opaque(what) if what == SET_ELSEWHERE);
    let Type::Union(parts) = ty else { return None };
    let others = || parts.iter().filter(|part| !is_mark(part)).cloned();
    parts.iter().any(is_mark).then(|| Type::union(others()))
}

/// Whether a part of a union is more than nothing.
pub fn is_something(part: &Type) -> bool {
    !matches!(part, Type::Null | Type::Undefined | Type::Void)
}

/// A union: known where any part is, missing only where every part lacks it.
pub fn any_of(parts: impl Iterator<Item = Lookup>) -> Lookup {
    let mut found: Vec<Found> = Vec::new();
    let mut missing = None;
    let mut doubt = None;
    for part in parts {
        match part {
            Lookup::Known(one) => found.push(one),
            Lookup::Missing(key) => missing = missing.or(Some(key)),
            Lookup::Doubt(why) => doubt = doubt.or(Some(why)),
        }
    }
    if found.is_empty() {
        return neither(missing, doubt);
    }
    let owner = found[0].owner.clone();
    // What the other parts give is not known, or the code has made sure that it is none of them.
    let believed = matches!(&doubt, Some(Reason::Unrepresented(what)) if what == BY_COMMENT);
    let elsewhere = matches!(&doubt, Some(Reason::Unrepresented(what)) if what == SET_ELSEWHERE);
    let open = (doubt.is_some() && !believed) || missing.is_some();
    let more = match elsewhere && missing.is_none() {
        true => Some(Type::opaque(SET_ELSEWHERE)),
        false => open.then_some(Type::Unknown),
    };
    Lookup::Known(Found {
        gives: Type::union(found.into_iter().map(|f| f.gives).chain(more)),
        owner,
    })
}

/// An intersection: known where any part has it, missing only where every part lacks it.
pub fn all_of(parts: impl Iterator<Item = Lookup>) -> Lookup {
    let mut missing = None;
    let mut doubt = None;
    for part in parts {
        match part {
            Lookup::Known(found) => return Lookup::Known(found),
            Lookup::Missing(key) => missing = missing.or(Some(key)),
            Lookup::Doubt(why) => doubt = doubt.or(Some(why)),
        }
    }
    neither(missing, doubt)
}

fn neither(missing: Option<Key>, doubt: Option<Reason>) -> Lookup {
    match (doubt, missing) {
        (None, Some(key)) => Lookup::Missing(key),
        (Some(why), _) => Lookup::Doubt(why),
        (None, None) => Lookup::Doubt(Reason::Untyped),
    }
}

impl Corpus {
    /// Whether `ty` has `member`. [`Type::Own`] is doubt here: only who has read the code can tell.
    pub fn lookup(&self, ty: &Type, member: &str) -> Lookup {
        self.lookup_within(ty, member, ty, 0)
    }

    /// As [`Corpus::lookup`], with what `this` means in what is found.
    pub fn lookup_within(&self, ty: &Type, member: &str, this: &Type, depth: u32) -> Lookup {
        if depth > MAX_DEPTH {
            return Lookup::Doubt(Reason::TooDeep);
        }
        let too_much = || Lookup::Doubt(Reason::TooDeep);
        bounded(too_much, || self.lookup_now(ty, member, this, depth))
    }

    fn lookup_now(&self, ty: &Type, member: &str, this: &Type, depth: u32) -> Lookup {
        let ty = self.resolve(ty);
        if let Some((name, arguments)) = of_language(&ty) {
            let named = TypeName::global(name);
            return self.interface_lookup(
                &Key::of_type(named),
                &arguments,
                member,
                this,
                depth + 1,
            );
        }
        match &ty {
            Type::Named(_) | Type::Typeof(_) => match self.base_lookup(&ty, member, this, depth) {
                // Who declares something as `Object` says only that it is one.
                Lookup::Missing(key) if key == Key::of_type(TypeName::global("Object")) => {
                    Lookup::Doubt(Reason::Untyped)
                }
                Lookup::Missing(key) => match self.narrower_with(&key, member) {
                    Some(narrower) => Lookup::Doubt(Reason::Narrower(narrower.to_string().into())),
                    None => Lookup::Missing(key),
                },
                other => other,
            },
            Type::Any | Type::Unknown | Type::Never | Type::This => Lookup::Doubt(Reason::Untyped),
            Type::Null | Type::Undefined | Type::Void | Type::Object | Type::KeyOf(_) => {
                Lookup::Doubt(Reason::Untyped)
            }
            Type::Indexed(_) => Lookup::Doubt(Reason::Unrepresented("looked-up type".into())),
            Type::Opaque(what) => Lookup::Doubt(Reason::Unrepresented(what.clone())),
            Type::Own(_) => Lookup::Doubt(Reason::OwnCode),
            Type::Union(parts) => any_of(parts.iter().filter(|p| is_something(p)).map(|part| {
                let this = if this == &ty { part } else { this };
                self.lookup_within(part, member, this, depth + 1)
            })),
            Type::Intersection(parts) => {
                all_of(parts.iter().map(|part| self.lookup_within(part, member, this, depth + 1)))
            }
            Type::Literal(shape) => self.shape_lookup(shape, member, this, depth + 1),
            Type::String
            | Type::Number
            | Type::Boolean
            | Type::BigInt
            | Type::Symbol
            | Type::Text(_)
            | Type::Digits(_)
            | Type::Truth(_)
            | Type::Is(_)
            | Type::Array(_)
            | Type::Tuple(_)
            | Type::Function(_)
            | Type::Constructor(_) => Lookup::Doubt(Reason::UnknownType("ecmascript".into())),
        }
    }

    /// As a base is asked: what else inherits from it does not matter.
    fn base_lookup(&self, ty: &Type, member: &str, this: &Type, depth: u32) -> Lookup {
        match ty {
            Type::Named(named) => {
                let key = Key::of_type(named.name.clone());
                self.interface_lookup(&key, &named.arguments, member, this, depth + 1)
            }
            Type::Typeof(name) => {
                let key = Key::of_value((**name).clone());
                self.interface_lookup(&key, &[], member, this, depth + 1)
            }
            other => self.lookup_within(other, member, this, depth + 1),
        }
    }

    fn shape_lookup(&self, shape: &Shape, member: &str, this: &Type, depth: u32) -> Lookup {
        let owner = Key::of_type(TypeName::global("{ … }"));
        let nothing =
            shape.members.is_empty() && shape.calls.is_empty() && shape.constructs.is_empty();
        if nothing && shape.index.is_empty() {
            return Lookup::Doubt(Reason::Untyped);
        }
        if let Some(found) = shape.members.get(member) {
            let bindings = Bindings { parameters: Vec::new(), this: Some(this.clone()) };
            return Lookup::Known(Found { gives: bindings.apply(&found.gives()), owner });
        }
        if let Some(value) = indexed(shape) {
            return Lookup::Known(Found { gives: value, owner });
        }
        let called = !shape.calls.is_empty() || !shape.constructs.is_empty();
        self.everywhere(if called { "Function" } else { "Object" }, owner, member, this, depth)
    }

    /// What `Function` or `Object` give to everything that is one.
    fn everywhere(&self, base: &str, asked: Key, member: &str, this: &Type, depth: u32) -> Lookup {
        let key = Key::of_type(TypeName::global(base));
        if asked == key {
            return Lookup::Missing(asked);
        }
        if !self.has(&key) {
            return Lookup::Doubt(Reason::UnknownType(base.into()));
        }
        match self.interface_lookup(&key, &[], member, this, depth + 1) {
            Lookup::Missing(_) => Lookup::Missing(asked),
            other => other,
        }
    }

    fn interface_lookup(
        &self,
        key: &Key,
        arguments: &[Type],
        member: &str,
        this: &Type,
        depth: u32,
    ) -> Lookup {
        if depth > MAX_DEPTH {
            return Lookup::Doubt(Reason::TooDeep);
        }
        let key = &self.declared(key);
        if !self.has(key) {
            return match key.side {
                Side::Type => Lookup::Doubt(Reason::UnknownType(key.name.to_string().into())),
                Side::Value => Lookup::Doubt(Reason::UnknownName(key.name.to_string().into())),
            };
        }
        for interface in self.interfaces(key) {
            if let Some(found) = interface.shape.members.get(member) {
                let bindings = bound(interface, arguments, this);
                return Lookup::Known(Found {
                    gives: bindings.apply(&found.gives()),
                    owner: key.clone(),
                });
            }
        }
        self.inherited(key, arguments, member, this, depth)
    }

    /// The key itself, or what its name stands for.
    fn declared(&self, key: &Key) -> Key {
        if self.has(key) {
            return key.clone();
        }
        Key { name: self.canonical(&key.name), side: key.side }
    }

    fn inherited(
        &self,
        key: &Key,
        arguments: &[Type],
        member: &str,
        this: &Type,
        depth: u32,
    ) -> Lookup {
        let mut doubt = None;
        let mut callable = false;
        for interface in self.interfaces(key) {
            let bindings = bound(interface, arguments, this);
            let exported = interface.exports.iter().chain(&interface.extends);
            for base in exported {
                let base = bindings.apply(base);
                let base = self.inheritable(&base);
                match self.base_lookup(&base, member, this, depth) {
                    Lookup::Known(found) => return Lookup::Known(found),
                    Lookup::Missing(_) => {}
                    Lookup::Doubt(why) => doubt = doubt.or(Some(why)),
                }
            }
            if let Some(why) = &interface.open {
                doubt = doubt.or(Some(Reason::Open(why.clone())));
            }
            callable |= matches!(interface.kind, InterfaceKind::Statics | InterfaceKind::Function)
                || !interface.shape.calls.is_empty()
                || !interface.shape.constructs.is_empty();
        }
        for interface in self.interfaces(key) {
            if let Some(value) = indexed(&interface.shape) {
                let gives = bound(interface, arguments, this).apply(&value);
                return Lookup::Known(Found { gives, owner: key.clone() });
            }
        }
        match self.everywhere(
            if callable { "Function" } else { "Object" },
            key.clone(),
            member,
            this,
            depth,
        ) {
            Lookup::Missing(asked) => doubt.map_or(Lookup::Missing(asked), Lookup::Doubt),
            other => other,
        }
    }

    /// A base as its heirs see it: a union in a heritage clause cannot be, so it is not followed part by part.
    fn inheritable(&self, base: &Type) -> Type {
        match self.resolve(base) {
            Type::Union(_) => Type::opaque("union in a heritage clause"),
            other => other,
        }
    }
}

/// What an interface's parameters and `this` stand for, given its arguments.
fn bound(interface: &Interface, arguments: &[Type], this: &Type) -> Bindings {
    Bindings {
        parameters: parameters_to(&interface.type_parameters, arguments),
        this: Some(this.clone()),
    }
}

/// The value of a string index signature.
pub fn indexed(shape: &Shape) -> Option<Type> {
    shape
        .index
        .iter()
        .find(|(key, _)| !matches!(key, Type::Number | Type::Symbol))
        .map(|(_, v)| v.clone())
}
