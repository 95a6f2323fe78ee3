//! What spaces give to the outside: the value side of the global scope, of modules and of namespaces, and the names
//! that stand for others.

use super::names::{Meaning, Target};
use super::spaces::{Space, World};
use crate::base::Name;
use crate::datagraph::{Interface, InterfaceKind};
use crate::types::{Member, Type, TypeName};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

impl<'a> World<'a> {
    /// The values that a space gives to the outside, by name.
    pub(super) fn values_of(&self, name: &TypeName, space: &Space<'a>) -> BTreeMap<Name, Member> {
        let mut found = BTreeMap::new();
        if space.instead.is_some() {
            return found;
        }
        for last in self.exported_names(name) {
            if let Some(member) = self.exported_value(name, &last) {
                found.insert(last, member);
            }
        }
        found
    }

    fn exported_value(&self, space: &TypeName, last: &str) -> Option<Member> {
        match self.exported(space, last, Meaning::Value) {
            Target::Nowhere => None,
            Target::Elsewhere(outside) => Some(Member::property(Type::Typeof(Arc::new(outside)))),
            Target::Here(origin) => match self.value_member(&origin) {
                Some(member) => Some(member),
                // A whole module, or a member of a value.
                None => Some(Member::property(Type::Typeof(Arc::new(origin)))),
            },
        }
    }

    /// The value side of a module.
    pub(super) fn module_side(&self, name: &TypeName, space: &Space<'a>) -> Interface {
        let mut found = Interface::new(InterfaceKind::Module);
        found.shape.members = self.values_of(name, space);
        let outside = self.reach.get(name).into_iter().flat_map(|reach| &reach.outside);
        found.extends =
            outside.map(|o| Type::Typeof(Arc::new(TypeName::within(o.clone(), "")))).collect();
        found.exports = self.exported_instead(space);
        found.at = space.at.unwrap_or_default();
        if self.is_its_own_default(name, space) {
            let itself = Member::property(Type::Typeof(Arc::new(name.clone())));
            found.shape.members.insert("default".into(), Member { at: found.at, ..itself });
        }
        if !space.own {
            found.open = Some(super::AUGMENTS.into());
        }
        found
    }

    /// Whether a module's default export is the module: those that a host builds in have no other.
    fn is_its_own_default(&self, name: &TypeName, space: &Space<'a>) -> bool {
        space.ambient && space.instead.is_none() && !self.exported_names(name).contains("default")
    }

    /// What a module exports instead of its members.
    fn exported_instead(&self, space: &Space<'a>) -> Option<Type> {
        let (scope, name) = space.instead.as_ref()?;
        Some(match self.lookup(*scope, name, Meaning::Value) {
            (Target::Here(found), "") => self.type_of_value(&found, 0),
            (Target::Here(found), rest) => Type::Typeof(Arc::new(found.child(rest))),
            (Target::Elsewhere(found), "") => Type::Typeof(Arc::new(found)),
            (Target::Elsewhere(found), rest) => Type::Typeof(Arc::new(found.child(rest))),
            (Target::Nowhere, _) => match self.lookup(*scope, name, Meaning::Type).0 {
                Target::Nowhere => Type::Typeof(Arc::new(TypeName::global(name.clone()))),
                // Nothing but types: there is no value.
                Target::Here(_) | Target::Elsewhere(_) => Type::Literal(Arc::default()),
            },
        })
    }

    /// All names that a space exports, its own and others'.
    fn exported_names(&self, name: &TypeName) -> BTreeSet<Name> {
        let Some(space) = self.spaces.get(name) else { return BTreeSet::new() };
        let mut found: BTreeSet<Name> = space.own_names().cloned().collect();
        found.extend(
            self.reach.get(name).into_iter().flat_map(|reach| reach.providers.keys().cloned()),
        );
        if space.default.is_some() {
            found.insert("default".into());
        }
        if let Some((scope, instead)) = &space.instead {
            found.insert("default".into());
            if let (Target::Here(inner), "") = self.lookup(*scope, instead, Meaning::Space)
                && inner != *name
                && let Some(inner) = self.spaces.get(&inner)
            {
                found.extend(inner.own_names().cloned());
            }
        }
        found
    }

    /// The names in a space that stand for something declared elsewhere.
    pub(super) fn standing_names(
        &self,
        name: &TypeName,
        space: &Space<'a>,
    ) -> BTreeMap<TypeName, TypeName> {
        let mut found = BTreeMap::new();
        for last in self.exported_names(name) {
            let stands = name.child(&last);
            let target = match self.exported(name, &last, Meaning::Type) {
                Target::Nowhere => self.exported(name, &last, Meaning::Space),
                found => found,
            };
            match target {
                Target::Here(origin) | Target::Elsewhere(origin) if origin != stands => {
                    found.insert(stands, origin);
                }
                Target::Here(_) | Target::Elsewhere(_) | Target::Nowhere => {}
            }
        }
        if self.is_its_own_default(name, space) {
            found.insert(name.child("default"), name.clone());
        }
        if space.instead.is_some()
            && let Target::Here(origin) | Target::Elsewhere(origin) =
                self.search().whole(name, Meaning::Type)
        {
            found.insert(name.clone(), origin);
        }
        found
    }

    /// The global names that modules give themselves, as members of the global scope and as names.
    pub(super) fn umd_names(&self) -> (BTreeMap<Name, Member>, BTreeMap<TypeName, TypeName>) {
        let mut members = BTreeMap::new();
        let mut names = BTreeMap::new();
        for (name, (module, at)) in &self.umd {
            let instead = self.spaces.get(module).and_then(|space| self.exported_instead(space));
            let declared = instead.unwrap_or_else(|| Type::Typeof(Arc::new(module.clone())));
            members.insert(name.clone(), Member { at: *at, ..Member::property(declared) });
            let target = match self.search().whole(module, Meaning::Type) {
                Target::Nowhere => self.search().whole(module, Meaning::Space),
                found => found,
            };
            if let Target::Here(origin) | Target::Elsewhere(origin) = target {
                names.insert(TypeName::global(name.clone()), origin);
            }
        }
        (members, names)
    }
}
