//! Declarations of one name to the interfaces that they are: the type side and the value side.

use super::rewriting::{self, Naming};
use super::spaces::{Entry, Part, World};
use super::values;
use crate::base::Name;
use crate::datagraph::{Alias, Interface, InterfaceKind};
use crate::sources::declarations::{Class, Constant, ConstantKind, What};
use crate::types::{Member, MemberKind, Shape, Signature, Type, TypeName, TypeParameter, Writing};
use std::collections::BTreeMap;

/// How much one interface may inherit from.
const MAX_PARENTS: usize = 1_000;

impl<'a> World<'a> {
    /// The type side of a name: its interfaces and classes merged.
    pub(super) fn type_side(&self, name: &TypeName, entry: &Entry<'a>) -> Option<Interface> {
        let mut found: Option<Interface> = None;
        for part in &entry.parts {
            let one = match &part.item.what {
                What::Interface { type_parameters, extends, shape } => {
                    self.interface(part, type_parameters, extends, shape)
                }
                What::Class(class) => self.instance(part, class),
                What::Alias { .. }
                | What::Variable { .. }
                | What::Function(_)
                | What::Enum(_)
                | What::Namespace(_) => continue,
            };
            match &mut found {
                None => found = Some(one),
                Some(all) => merge(all, one),
            }
        }
        let mut found = found?;
        let own = super::spaces::split(name)
            .and_then(|(space, _)| self.spaces.get(&space))
            .is_none_or(|s| s.own);
        if !own {
            found.open.get_or_insert(super::AUGMENTS.into());
        }
        Some(found)
    }

    fn interface(
        &self,
        part: &Part<'a>,
        type_parameters: &[TypeParameter],
        extends: &[Type],
        shape: &Shape,
    ) -> Interface {
        let mut resolving = self.resolving(part);
        resolving.enter(type_parameters);
        let at = self.place(part);
        let extends: Vec<Type> =
            extends.iter().map(|t| rewriting::rebuilt(t, &mut resolving)).collect();
        Interface {
            type_parameters: rewriting::rebuilt_parameters(type_parameters, &mut resolving),
            open: extends.iter().find_map(|t| self.unlistable(t)),
            extends,
            shape: rewriting::rebuilt_shape(shape, &mut resolving, Some(at.0)),
            deprecated: part.item.deprecated.clone(),
            at,
            ..Interface::new(InterfaceKind::Interface)
        }
    }

    fn instance(&self, part: &Part<'a>, class: &Class) -> Interface {
        let inherited = self.inherited(part, class);
        let unlistable = inherited.instance.iter().find_map(|t| self.unlistable(t));
        Interface {
            kind: InterfaceKind::Class,
            open: inherited.open.or(unlistable),
            ..self.interface_of_class(part, class, inherited.instance)
        }
    }

    fn interface_of_class(&self, part: &Part<'a>, class: &Class, extends: Vec<Type>) -> Interface {
        let mut found = self.interface(part, &class.type_parameters, &[], &class.instance);
        found.extends = extends;
        found
    }

    /// The value side of a name, if it has one of its own: class, enum and namespace merged.
    pub(super) fn value_side(&self, name: &TypeName, entry: &Entry<'a>) -> Option<Interface> {
        if !self.has_value_side(name) {
            return None;
        }
        let mut found: Option<Interface> = None;
        let mut calls: Vec<Signature> = Vec::new();
        for part in &entry.parts {
            let one = match &part.item.what {
                What::Class(class) => self.statics(name, part, class),
                What::Enum(constants) => self.constants(name, part, constants),
                What::Function(signature) => {
                    let signature =
                        rewriting::rebuilt_signature(signature, &mut self.resolving(part));
                    calls.push(signature);
                    Interface { at: self.place(part), ..Interface::new(InterfaceKind::Function) }
                }
                What::Namespace(_) => Interface {
                    deprecated: part.item.deprecated.clone(),
                    at: self.place(part),
                    ..Interface::new(InterfaceKind::Namespace)
                },
                What::Interface { .. } | What::Alias { .. } | What::Variable { .. } => continue,
            };
            match &mut found {
                None => found = Some(one),
                Some(all) => merge(all, one),
            }
        }
        let mut found = found?;
        values::add_overloads(&mut found.shape.calls, calls);
        Some(found)
    }

    fn statics(&self, name: &TypeName, part: &Part<'a>, class: &Class) -> Interface {
        let inherited = self.inherited(part, class);
        let mut resolving = self.resolving(part);
        let at = self.place(part);
        let mut shape = class.statics.clone();
        let constructs = std::mem::take(&mut shape.constructs);
        let mut found = Interface {
            open: inherited.open,
            extends: inherited.statics,
            shape: rewriting::rebuilt_shape(&shape, &mut resolving, Some(at.0)),
            deprecated: part.item.deprecated.clone(),
            at,
            ..Interface::new(InterfaceKind::Statics)
        };
        resolving.enter(&class.type_parameters);
        let type_parameters = rewriting::rebuilt_parameters(&class.type_parameters, &mut resolving);
        let arguments =
            type_parameters.iter().map(|p| Type::named(TypeName::global(p.name.clone())));
        let instance = Type::generic(name.clone(), arguments.collect());
        for constructor in &constructs {
            let mut signature = rewriting::rebuilt_signature(constructor, &mut resolving);
            signature.type_parameters = type_parameters.clone();
            signature.returns = instance.clone();
            found.shape.constructs.push(signature);
        }
        found
    }

    fn constants(&self, name: &TypeName, part: &Part<'a>, constants: &[Constant]) -> Interface {
        let at = self.place(part);
        let mut found = Interface::new(InterfaceKind::Enum);
        found.at = at;
        found.deprecated = part.item.deprecated.clone();
        for constant in constants {
            let mut member = Member::property(Type::named(name.clone()));
            member.writing = Writing::Refused;
            member.deprecated = constant.deprecated.clone();
            member.at = (at.0, constant.line);
            found.shape.members.entry(constant.name.clone()).or_insert(member);
        }
        found
    }

    /// What a name stands for, if it is an alias or an enum.
    pub(super) fn alias(&self, entry: &Entry<'a>) -> Option<Alias> {
        entry.parts.iter().find_map(|part| match &part.item.what {
            What::Alias { type_parameters, means } => {
                let mut resolving = self.resolving(part);
                resolving.enter(type_parameters);
                Some(Alias {
                    type_parameters: rewriting::rebuilt_parameters(type_parameters, &mut resolving),
                    means: rewriting::rebuilt(means, &mut resolving),
                    at: self.place(part),
                })
            }
            What::Enum(_) => Some(Alias {
                type_parameters: Vec::new(),
                means: self.constants_type(entry),
                at: self.place(part),
            }),
            _ => None,
        })
    }

    /// `number`, `string` or both; without any constant, a number.
    fn constants_type(&self, entry: &Entry<'a>) -> Type {
        let constants = entry.parts.iter().filter_map(|part| match &part.item.what {
            What::Enum(constants) => Some(constants),
            _ => None,
        });
        let kinds = constants.flatten().map(|constant| match constant.value {
            ConstantKind::Number => Type::Number,
            ConstantKind::Text => Type::String,
        });
        match Type::union(kinds) {
            Type::Never => Type::Number,
            found => found,
        }
    }
}

/// Adds a later declaration of the same name: overloads are appended, of properties the first stays.
fn merge(all: &mut Interface, one: Interface) {
    if rank(one.kind) > rank(all.kind) {
        all.kind = one.kind;
    }
    if all.type_parameters.is_empty() {
        all.type_parameters = one.type_parameters;
    }
    for parent in one.extends {
        if all.extends.len() >= MAX_PARENTS {
            all.open.get_or_insert("inherits from too much".into());
        } else if !all.extends.contains(&parent) {
            all.extends.push(parent);
        }
    }
    merge_members(&mut all.shape.members, one.shape.members);
    values::add_overloads(&mut all.shape.calls, one.shape.calls);
    values::add_overloads(&mut all.shape.constructs, one.shape.constructs);
    all.shape.index.extend(one.shape.index);
    all.open = all.open.take().or(one.open);
    all.deprecated = all.deprecated.take().or(one.deprecated);
}

/// Which kind says most about what was merged.
fn rank(kind: InterfaceKind) -> u32 {
    match kind {
        InterfaceKind::Namespace | InterfaceKind::Interface => 0,
        InterfaceKind::Function => 1,
        InterfaceKind::Enum => 2,
        InterfaceKind::Class | InterfaceKind::Statics => 3,
        InterfaceKind::Module | InterfaceKind::Globals => 4,
    }
}

/// Adds members to others: a method's overloads are appended, of properties the first stays.
pub(super) fn merge_members(all: &mut BTreeMap<Name, Member>, more: BTreeMap<Name, Member>) {
    for (name, member) in more {
        match all.get_mut(&name) {
            None => {
                all.insert(name, member);
            }
            Some(earlier)
                if earlier.kind == MemberKind::Method && member.kind == MemberKind::Method =>
            {
                earlier.deprecated =
                    earlier.deprecated.take().filter(|_| member.deprecated.is_some());
                values::add_overloads(&mut earlier.signatures, member.signatures);
            }
            Some(_) => {}
        }
    }
}
