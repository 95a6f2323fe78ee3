//! What names in documentation mean in a datagraph: `layout.makeTable`, `new Tray`, `Layout-makeBlock`, `setTitle`.
//!
//! A name that could mean too much means nothing: it is better to lead nowhere than astray.

use super::Symbol;
use super::places::{Places, modules};
use crate::base::Name;
use crate::datagraph::{Datagraph, Key, Side};
use crate::sources::pages::{Face, Page};
use crate::types::{Member, MemberKind, Type, TypeName};
use crate::words::parts;
use std::collections::{BTreeMap, BTreeSet};

/// How many interfaces may have a member that is named without its receiver.
const MAX_OWNERS: usize = 3;

/// How many interfaces are looked through for an inherited member.
const MAX_PARENTS: usize = 64;

/// How many times a name may stand for another.
const MAX_STEPS: usize = 8;

/// The names of a datagraph, ready to be asked.
pub struct Meanings<'g> {
    graph: &'g Datagraph,
    /// Types by the last part of their name.
    types: BTreeMap<&'g str, Vec<&'g TypeName>>,
    /// The interfaces that have a member of this name.
    owners: BTreeMap<&'g str, Vec<&'g Key>>,
    /// What is in scope without a receiver: globals, and what modules export.
    scope: BTreeMap<&'g str, (&'g Key, &'g Member)>,
    /// Properties that have the same type wherever they are.
    properties: BTreeMap<&'g str, Option<Key>>,
    /// What titles call an instance of an interface: `win` of `win.setTitle(title)`.
    instances: BTreeMap<String, Vec<Key>>,
}

/// A member that was found, and what it is.
#[derive(Debug, Clone, Copy)]
pub struct Found<'g> {
    /// The interface that has it.
    pub owner: &'g Key,
    /// Its name.
    pub name: &'g Name,
    /// The member.
    pub member: &'g Member,
}

impl Found<'_> {
    /// As a symbol.
    pub fn symbol(&self) -> Symbol {
        Symbol::member(self.owner.clone(), self.name.clone())
    }
}

impl<'g> Meanings<'g> {
    /// The names of `graph`.
    pub fn of(graph: &'g Datagraph) -> Meanings<'g> {
        let mut all = Meanings {
            graph,
            types: BTreeMap::new(),
            owners: BTreeMap::new(),
            scope: BTreeMap::new(),
            properties: BTreeMap::new(),
            instances: BTreeMap::new(),
        };
        let names = graph.interfaces.keys().map(|key| &key.name).chain(graph.aliases.keys());
        for name in names.filter(|name| !name.path.is_empty()) {
            let known = all.types.entry(name.last()).or_default();
            if known.last() != Some(&name) && !known.contains(&name) {
                known.push(name);
            }
        }
        for (key, one) in &graph.interfaces {
            for (name, member) in &one.shape.members {
                all.owners.entry(name).or_default().push(key);
                all.take_property(name, member);
            }
        }
        let exports =
            modules(graph).into_iter().map(|m| Key::of_value(TypeName::within(m.clone(), "")));
        for key in std::iter::once(Key::globals()).chain(exports) {
            let Some((key, one)) = graph.interfaces.get_key_value(&key) else { continue };
            for (name, member) in &one.shape.members {
                all.scope.entry(name).or_insert((key, member));
            }
        }
        all
    }

    /// Learns from the titles of `page` what instances are called.
    pub fn learn(&mut self, source: u32, page: &Page, places: &Places) {
        for section in &page.sections {
            let Some(code) = section.title.first().filter(|run| run.face == Face::Code) else {
                continue;
            };
            let head = code.text.split(['(', '<']).next().unwrap_or("");
            let Some((instance, member)) = head.split_once('.') else { continue };
            let placed = places.within(source, section.line, section.line);
            for (_, symbol) in placed.iter().filter(|(_, s)| s.member.as_deref() == Some(member)) {
                let known = self.instances.entry(instance.to_string()).or_default();
                if symbol.owner.side == Side::Type
                    && known.len() <= MAX_OWNERS
                    && !known.contains(&symbol.owner)
                {
                    known.push(symbol.owner.clone());
                }
            }
        }
    }

    /// The member of what titles call `instance`; where several are called so, what is near, else of each.
    pub fn member_of_instance(
        &self,
        instance: &str,
        member: &str,
        near: &BTreeSet<Key>,
    ) -> Vec<Symbol> {
        let known = self.instances.get(instance).map_or(&[][..], Vec::as_slice);
        let found = |keys: &mut dyn Iterator<Item = &Key>| -> Vec<Symbol> {
            let mut found: Vec<Symbol> =
                keys.filter_map(|key| self.member(key, member)).map(|f| f.symbol()).collect();
            found.dedup();
            found
        };
        let close = found(&mut known.iter().filter(|key| near.contains(key)));
        let all = if close.is_empty() { found(&mut known.iter()) } else { close };
        if all.len() <= MAX_OWNERS { all } else { Vec::new() }
    }

    fn take_property(&mut self, name: &'g Name, member: &'g Member) {
        if member.kind != MemberKind::Property {
            return;
        }
        let gives = self.key_of(&member.declared);
        self.properties
            .entry(name)
            .and_modify(|known| {
                if *known != gives {
                    *known = None;
                }
            })
            .or_insert(gives);
    }

    /// The interface of a value of this type; `null` and promises are looked through.
    pub fn key_of(&self, declared: &Type) -> Option<Key> {
        match declared.present() {
            Type::Named(named) if named.name.last() == "Promise" => {
                named.arguments.first().filter(|t| **t != *declared).and_then(|t| self.key_of(t))
            }
            Type::Named(named) => self.known(Key::of_type(named.name.clone())),
            Type::Typeof(name) => self.known(Key::of_value((*name).clone())),
            _ => None,
        }
    }

    /// `key`, or what its name stands for, if it has members.
    fn known(&self, mut key: Key) -> Option<Key> {
        for _ in 0..MAX_STEPS {
            if self.graph.interfaces.contains_key(&key) {
                return Some(key);
            }
            match (self.graph.names.get(&key.name), self.graph.aliases.get(&key.name)) {
                (Some(meant), _) => key.name = meant.clone(),
                (None, Some(alias)) => match &alias.means {
                    Type::Named(named) => key.name = named.name.clone(),
                    _ => return None,
                },
                (None, None) => return None,
            }
        }
        None
    }

    /// The type called `name`: its whole path, or its last part where only one is called so.
    pub fn type_named(&self, name: &str) -> Option<Symbol> {
        let last = name.rsplit('.').next().unwrap_or(name);
        let named = self.types.get(last)?;
        let whole = named.iter().find(|n| n.path == name);
        let one = match (whole, named.as_slice()) {
            (Some(whole), _) => whole,
            // A plain word in a namespace may be what another api has in scope.
            (None, [one])
                if !name.contains('.') && (!one.path.contains('.') || parts(name).len() > 1) =>
            {
                one
            }
            (None, _) => return None,
        };
        let of_type = Symbol::interface(Key::of_type((*one).clone()));
        let of_value = Symbol::interface(Key::of_value((*one).clone()));
        [of_type, of_value].into_iter().find(|symbol| symbol.is_in(self.graph))
    }

    /// An interface by its type side, if it has one: what a name's two sides are about is one thing.
    pub fn plain(&self, symbol: Symbol) -> Symbol {
        let of_type = Symbol::interface(Key::of_type(symbol.owner.name.clone()));
        let has_both = symbol.member.is_none() && of_type.is_in(self.graph);
        if has_both { of_type } else { symbol }
    }

    /// What the parameters of a member are called.
    pub fn parameters(&self, symbol: &Symbol) -> BTreeSet<&'g str> {
        let member = self
            .graph
            .interfaces
            .get(&symbol.owner)
            .and_then(|one| one.shape.members.get(symbol.member.as_ref()?));
        let signatures = member.into_iter().flat_map(|member| &member.signatures);
        signatures.flat_map(|one| &one.parameters).map(|one| one.name.as_str()).collect()
    }

    /// The member `name` of `key`, its own or inherited.
    pub fn member(&self, key: &Key, name: &str) -> Option<Found<'g>> {
        let mut seen: BTreeSet<&Key> = BTreeSet::new();
        let mut waiting = vec![self.graph.interfaces.get_key_value(key)?];
        while let Some((owner, one)) = waiting.pop() {
            if !seen.insert(owner) || seen.len() > MAX_PARENTS {
                continue;
            }
            if let Some((name, member)) = one.shape.members.get_key_value(name) {
                return Some(Found { owner, name, member });
            }
            let parents = one.extends.iter().rev().filter_map(|parent| self.key_of(parent));
            waiting.extend(parents.filter_map(|key| self.graph.interfaces.get_key_value(&key)));
        }
        None
    }

    /// The member of the value or, where there is none, of the values of the type called so.
    pub fn member_of_type(&self, name: &str, member: &str) -> Option<Found<'g>> {
        let Symbol { owner, .. } = self.type_named(name)?;
        let sides = [Side::Value, Side::Type].map(|side| Key { name: owner.name.clone(), side });
        sides.iter().find_map(|key| self.member(key, member))
    }

    /// What is in scope under this name: a global, or what a module exports.
    pub fn in_scope(&self, name: &str) -> Option<Found<'g>> {
        let (owner, member) = self.scope.get(name)?;
        let name = self.graph.interfaces.get(*owner)?.shape.members.get_key_value(name)?.0;
        Some(Found { owner, name, member })
    }

    /// The interface of what code calls `name`: a global, a module, a type's value, an instance of the type that is
    /// spelt so, or a property that has one type everywhere.
    pub fn receiver(&self, name: &str) -> Option<Key> {
        if let Some(found) = self.in_scope(name)
            && let Some(key) = self.key_of(&found.member.declared)
        {
            return Some(key);
        }
        let module = self.graph.modules.get(name);
        let module = module.map(|module| Key::of_value(TypeName::within(module.clone(), "")));
        if let Some(key) = module.filter(|key| self.graph.interfaces.contains_key(key)) {
            return Some(key);
        }
        let small = name.chars().next().is_some_and(char::is_lowercase);
        if small && let Some(symbol) = self.type_named(&capital(name)) {
            return Some(symbol.owner);
        }
        self.properties.get(name).cloned().flatten()
    }

    /// The member that is meant where no receiver is known: what one interface in `near` has, else what only one has; no
    /// plain word is enough.
    pub fn bare(&self, name: &str, near: &BTreeSet<Key>) -> Option<Symbol> {
        let (name, owners) = self.owners.get_key_value(name)?;
        let mut close = owners.iter().filter(|owner| near.contains(owner));
        let owner = match (close.next(), close.next(), owners.as_slice()) {
            (Some(one), None, _) => one,
            (None, _, [one]) => one,
            _ => return None,
        };
        (parts(name).len() > 1).then(|| Symbol::member((*owner).clone(), *name))
    }

    /// The member of the one interface in `near` that has it.
    pub fn close(&self, name: &str, near: &BTreeSet<Key>) -> Option<Found<'g>> {
        let (_, owners) = self.owners.get_key_value(name)?;
        let mut close = owners.iter().filter(|owner| near.contains(owner));
        let (Some(owner), None) = (close.next(), close.next()) else { return None };
        self.member(owner, name)
    }
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
