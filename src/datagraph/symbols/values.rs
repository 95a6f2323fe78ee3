//! Types and values as one scope means them.

use super::names::{Meaning, Target};
use super::rewriting::{self, Naming};
use super::spaces::{Entry, Part, ScopeId, Seen, World, split};
use crate::base::Name;
use crate::sources::declarations::{Export, ExportKind, Sides, What};
use crate::types::{Member, MemberKind, Shape, Signature, Type, TypeName, TypeParameter};
use std::sync::Arc;

/// How often the type of a value that has no name outside is put in the place of its name.
const MAX_INLINED: u32 = 2;

/// How many overloads one name may have.
const MAX_OVERLOADS: usize = 1_000;

/// Names as they are written in one scope to what they mean.
pub(super) struct Resolving<'w, 'a> {
    world: &'w World<'a>,
    scope: ScopeId,
    bound: Vec<Name>,
    inlined: u32,
}

impl Resolving<'_, '_> {
    /// What a type's name means.
    fn type_name(&self, name: &TypeName) -> TypeName {
        let world = self.world;
        let (found, rest) = if name.module.is_empty() {
            world.lookup(self.scope, &name.path, Meaning::Type)
        } else {
            let file = world.scopes[self.scope].file;
            let Some(module) = world.module(file, &name.module) else { return name.clone() };
            let meaning = if name.path.is_empty() { Meaning::Type } else { Meaning::Space };
            match world.search().whole(&module, meaning) {
                // What has no namespace may still be named behind a default import.
                Target::Nowhere => (Target::Here(module), name.path.as_str()),
                whole => world.search().within(whole, &name.path, Meaning::Type),
            }
        };
        match found {
            Target::Nowhere => name.clone(),
            Target::Here(found) | Target::Elsewhere(found) if rest.is_empty() => found,
            // A constant's type is its enum's.
            Target::Here(found) if world.is_enum(&found) => found,
            Target::Here(found) | Target::Elsewhere(found) => found.child(rest),
        }
    }

    fn value(&mut self, name: &TypeName) -> Type {
        let world = self.world;
        let (found, rest) = if name.module.is_empty() {
            world.lookup(self.scope, &name.path, Meaning::Value)
        } else {
            let file = world.scopes[self.scope].file;
            match world.module(file, &name.module) {
                Some(module) if name.path.is_empty() => (Target::Here(module), ""),
                Some(module) => {
                    world.search().within(Target::Here(module), &name.path, Meaning::Value)
                }
                None => (Target::Elsewhere(name.clone()), ""),
            }
        };
        match found {
            Target::Nowhere => Type::Typeof(Arc::new(name.clone())),
            Target::Elsewhere(found) if rest.is_empty() => Type::Typeof(Arc::new(found)),
            Target::Elsewhere(found) => Type::Typeof(Arc::new(found.child(rest))),
            Target::Here(found) => {
                let parts = rest.split('.').filter(|part| !part.is_empty());
                parts.fold(world.type_of_value(&found, self.inlined), |object, part| {
                    Type::Indexed(Arc::new((object, Type::Text(part.into()))))
                })
            }
        }
    }
}

impl Naming for Resolving<'_, '_> {
    fn named(&mut self, name: &TypeName, mut arguments: Vec<Type>) -> Type {
        if name.module.is_empty() && self.bound.contains(&name.path) {
            return Type::named(name.clone());
        }
        let found = self.type_name(name);
        if arguments.len() == 1 && found.module.is_empty() && found.path == "Array" {
            return Type::Array(Arc::new(arguments.remove(0)));
        }
        Type::generic(found, arguments)
    }

    fn type_of(&mut self, name: &TypeName) -> Type {
        self.value(name)
    }

    fn enter(&mut self, parameters: &[TypeParameter]) {
        self.bound.extend(parameters.iter().map(|p| p.name.clone()));
    }

    fn leave(&mut self, n: usize) {
        self.bound.truncate(self.bound.len() - n);
    }
}

impl<'a> World<'a> {
    /// What resolves the names in a declaration.
    pub(super) fn resolving(&self, part: &Part<'a>) -> Resolving<'_, 'a> {
        Resolving { world: self, scope: part.scope, bound: Vec::new(), inlined: 0 }
    }

    /// The place of a declaration: index of its file and line.
    pub(super) fn place(&self, part: &Part<'a>) -> (u32, u32) {
        (crate::base::to_u32(self.scopes[part.scope].file), part.item.line)
    }

    fn is_enum(&self, name: &TypeName) -> bool {
        self.entry(name)
            .is_some_and(|e| e.parts.iter().any(|p| matches!(p.item.what, What::Enum(_))))
    }

    /// Whether a name has a value side of its own: a class, an enum, or a namespace that exists at run time.
    pub(super) fn has_value_side(&self, name: &TypeName) -> bool {
        let Some(entry) = self.entry(name) else { return false };
        let has = |wanted: fn(&What) -> bool| entry.parts.iter().any(|p| wanted(&p.item.what));
        has(|what| matches!(what, What::Class(_) | What::Enum(_)))
            || (has(|what| matches!(what, What::Namespace(_)))
                && !has(|what| matches!(what, What::Variable { .. }))
                && self.holds_values(name))
    }

    /// The type of a value by its full name: `typeof` the name that it has outside, or, where it has none, what it is
    /// declared as.
    pub(super) fn type_of_value(&self, name: &TypeName, inlined: u32) -> Type {
        let by_name = Type::Typeof(Arc::new(name.clone()));
        let Some(entry) = self.entry(name) else { return by_name };
        if self.has_value_side(name) {
            return by_name;
        }
        if let Some(outside) = self.name_outside(name, entry) {
            return Type::Typeof(Arc::new(outside));
        }
        if inlined >= MAX_INLINED {
            return Type::opaque("type of a local value");
        }
        self.declared_value(entry, inlined + 1).map_or(by_name, |member| as_type(&member))
    }

    /// The name under which a value is a member of what it stands in.
    fn name_outside(&self, name: &TypeName, entry: &Entry<'a>) -> Option<TypeName> {
        let (space_name, last) = split(name)?;
        let space = self.spaces.get(&space_name).filter(|space| space.instead.is_none())?;
        if entry.parts.iter().any(|p| p.seen == Seen::Named) {
            return Some(name.clone());
        }
        if space.default.as_deref() == Some(last) {
            return Some(space_name.child("default"));
        }
        let exported_as = |(_, export): &&(ScopeId, &Export)| match &export.what {
            ExportKind::Local { local, .. } => local == last && export.sides == Sides::All,
            ExportKind::From { .. }
            | ExportKind::Everything(_)
            | ExportKind::Whole { .. }
            | ExportKind::Instead(_) => false,
        };
        let mut exports = space.named.iter();
        let (outside, _) = exports.find(|(_, exports)| exports.iter().any(|e| exported_as(&e)))?;
        Some(space_name.child(outside))
    }

    /// The member that a name is where its values are listed.
    pub(super) fn value_member(&self, name: &TypeName) -> Option<Member> {
        let entry = self.entry(name)?;
        if !self.has_value_side(name) {
            return self.declared_value(entry, 0);
        }
        let part = entry.parts.iter().find(|p| has_value(&p.item.what))?;
        let mut member = Member::property(Type::Typeof(Arc::new(name.clone())));
        member.deprecated = part.item.deprecated.clone();
        member.at = self.place(part);
        Some(member)
    }

    /// A variable as a property, or a function with its overloads as a method.
    fn declared_value(&self, entry: &Entry<'a>, inlined: u32) -> Option<Member> {
        let mut found: Option<Member> = None;
        for part in &entry.parts {
            let mut resolving = Resolving { inlined, ..self.resolving(part) };
            match (&part.item.what, &mut found) {
                (What::Variable { declared, writing }, _) => {
                    let mut member = Member::property(rewriting::rebuilt(declared, &mut resolving));
                    member.writing = *writing;
                    member.deprecated = part.item.deprecated.clone();
                    member.at = self.place(part);
                    return Some(member);
                }
                (What::Function(signature), Some(earlier)) => {
                    let signature = rewriting::rebuilt_signature(signature, &mut resolving);
                    add_overloads(&mut earlier.signatures, [signature]);
                    earlier.deprecated =
                        earlier.deprecated.take().filter(|_| part.item.deprecated.is_some());
                }
                (What::Function(signature), None) => {
                    let signature = rewriting::rebuilt_signature(signature, &mut resolving);
                    let mut member = Member::method(vec![signature]);
                    member.deprecated = part.item.deprecated.clone();
                    member.at = self.place(part);
                    found = Some(member);
                }
                _ => {}
            }
        }
        found
    }
}

/// Adds overloads that are not there yet. No more than [`MAX_OVERLOADS`] are kept: who calls by any of the others is
/// not told that the function does not exist, and comparing each with each would take for ever.
pub(super) fn add_overloads(all: &mut Vec<Signature>, more: impl IntoIterator<Item = Signature>) {
    for signature in more {
        if all.len() < MAX_OVERLOADS && !all.contains(&signature) {
            all.push(signature);
        }
    }
}

fn has_value(what: &What) -> bool {
    match what {
        What::Class(_)
        | What::Variable { .. }
        | What::Function(_)
        | What::Enum(_)
        | What::Namespace(_) => true,
        What::Interface { .. } | What::Alias { .. } => false,
    }
}

/// The type of what a member holds.
pub(super) fn as_type(member: &Member) -> Type {
    match (&member.signatures[..], member.kind) {
        ([one], _) => Type::Function(Arc::new(one.clone())),
        (several, MemberKind::Method) => {
            Type::Literal(Arc::new(Shape { calls: several.to_vec(), ..Shape::default() }))
        }
        (_, MemberKind::Property | MemberKind::Event) => member.declared.clone(),
    }
}
