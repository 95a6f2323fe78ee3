//! What dialects find, before it is known which names the pages together declare.
//!
//! Names are bare here. Settling gives them their module, checks parents, and opens what no page lists.

use crate::base::Name;
use crate::datagraph::{Alias, Datagraph, Hole, Interface, InterfaceKind, Key, Side};
use crate::types::rename::rename;
use crate::types::{Member, MemberKind, Named, Shape, Type, TypeName, Writing};
use std::collections::{BTreeMap, BTreeSet};

/// How the module of a name begins that is meant by a link to a page.
pub const LINKED: &str = "page:";

/// How many ways to call one method are kept; what has more is no list of overloads.
const MAX_SIGNATURES: usize = 1_000;

/// What was found so far.
#[derive(Debug, Default)]
pub struct Draft {
    /// Everything that has members, by bare names.
    pub interfaces: BTreeMap<Key, Interface>,
    /// Names for types.
    pub aliases: BTreeMap<TypeName, Alias>,
    /// What the module exports, or the global scope holds: the type of each name and where it is said.
    pub exports: BTreeMap<Name, Member>,
    /// What examples import from, with the names they take.
    pub imports: BTreeSet<(Name, Name)>,
    /// What should be there and is not.
    pub holes: Vec<Hole>,
    /// Whether the names are those of a module rather than global.
    pub modular: bool,
    /// What code writes behind `from`, and the module that it means, where pages say so.
    pub modules: BTreeMap<Name, Name>,
    /// The interface that each page is about, by the page's file name, for what is meant by a link to it.
    pub subjects: BTreeMap<Name, TypeName>,
    /// What a page is about as a whole; of the rest only members were met.
    pub described: BTreeSet<TypeName>,
    /// Interfaces of which single members have pages of their own: without a page about the whole they are not known whole.
    pub parts: BTreeSet<TypeName>,
}

impl Draft {
    /// How many interfaces, aliases and members there are.
    pub fn n_found(&self) -> usize {
        let members = self.interfaces.values().map(|one| 1 + one.shape.members.len());
        let found = members.sum::<usize>() + self.aliases.len();
        // What only exports names exports what other pages describe, or what stands for itself.
        if found == 0 { self.exports.len() } else { found }
    }

    /// The interface under `key`, made where it is new.
    pub fn interface(&mut self, key: Key, kind: InterfaceKind, at: (u32, u32)) -> &mut Interface {
        self.interfaces.entry(key).or_insert_with(|| Interface { at, ..Interface::new(kind) })
    }

    /// Something is missing at `at`.
    pub fn hole(&mut self, at: (u32, u32), what: impl Into<Name>) {
        self.holes.push(Hole { source: at.0, line: at.1, what: what.into() });
    }

    /// All of `other` too.
    pub fn join(&mut self, other: Draft) {
        for (key, one) in other.interfaces {
            let is_subject =
                other.described.contains(&key.name) && !self.described.contains(&key.name);
            match self.interfaces.get_mut(&key) {
                Some(known) => {
                    if is_subject {
                        known.kind = one.kind;
                        known.at = one.at;
                        known.open = one.open;
                        known.deprecated = one.deprecated;
                        known.type_parameters = one.type_parameters;
                    }
                    known.extends.extend(one.extends);
                    known.shape.constructs.extend(one.shape.constructs);
                    known.shape.calls.extend(one.shape.calls);
                    for (name, member) in one.shape.members {
                        add(&mut known.shape, name, member);
                    }
                }
                None => drop(self.interfaces.insert(key, one)),
            }
        }
        self.aliases.extend(other.aliases);
        self.exports.extend(other.exports);
        self.imports.extend(other.imports);
        self.holes.extend(other.holes);
        self.modular |= other.modular;
        self.described.extend(other.described);
        self.parts.extend(other.parts);
        self.modules.extend(other.modules);
        self.subjects.extend(other.subjects);
    }

    /// Makes it the content of `graph`.
    pub fn settle(mut self, graph: &mut Datagraph) {
        let module = self.module(&graph.api);
        self.follow_links();
        self.open_parts();
        self.add_namespaces();
        self.add_globals();
        self.open_what_is_only_mentioned();
        let own: BTreeSet<TypeName> = self
            .interfaces
            .keys()
            .map(|key| key.name.clone())
            .chain(self.aliases.keys().cloned())
            .collect();
        // A name with a dot is spelt whole already: it belongs to another api.
        let placed = |name: &TypeName| match name.path.contains('.') || !name.module.is_empty() {
            true => name.clone(),
            false => TypeName { module: module.clone(), path: name.path.clone() },
        };
        let meaning = |named: &Named| -> Option<Type> {
            own.contains(&named.name)
                .then(|| Type::generic(placed(&named.name), named.arguments.clone()))
        };
        for (key, mut one) in self.interfaces {
            one.extends = one.extends.iter().map(|t| rename(t, &meaning)).collect();
            let shape = Type::Literal(std::sync::Arc::new(one.shape));
            if let Type::Literal(shape) = rename(&shape, &meaning) {
                one.shape = std::sync::Arc::unwrap_or_clone(shape);
                graph.interfaces.insert(Key { name: placed(&key.name), side: key.side }, one);
            } else {
                unreachable!("renaming keeps a literal a literal");
            }
        }
        for (name, mut alias) in self.aliases {
            alias.means = rename(&alias.means, &meaning);
            graph.aliases.insert(placed(&name), alias);
        }
        if !module.is_empty() {
            let specifiers = self.imports.iter().map(|(from, _)| from.clone());
            let inside = |s: &Name| *s == module || s.starts_with(&format!("{module}/"));
            graph.modules.extend(specifiers.filter(inside).map(|s| (s, module.clone())));
            graph.modules.insert(module.clone(), module);
        }
        graph.modules.extend(self.modules);
        graph.holes.extend(self.holes);
    }

    /// What has pages for single members only may have more.
    fn open_parts(&mut self) {
        let parts: BTreeSet<&TypeName> = self.parts.difference(&self.described).collect();
        for (key, one) in &mut self.interfaces {
            if parts.contains(&key.name) && one.open.is_none() {
                one.open = Some("no page is about it as a whole".into());
            }
        }
    }

    /// What a page named by a link gets the name of the interface that the linked page is about.
    fn follow_links(&mut self) {
        let subjects = std::mem::take(&mut self.subjects);
        let meaning = |named: &Named| -> Option<Type> {
            let file = named.name.module.strip_prefix(LINKED)?;
            let path = named.name.path.clone();
            Some(Type::named(subjects.get(file).cloned().unwrap_or_else(|| TypeName::global(path))))
        };
        for one in self.interfaces.values_mut() {
            one.extends = one.extends.iter().map(|parent| rename(parent, &meaning)).collect();
            for member in one.shape.members.values_mut() {
                member.declared = rename(&member.declared, &meaning);
            }
        }
    }

    /// The namespaces that names with dots stand in: `Sheets` of `Sheets.Range`. No page lists all that they hold.
    fn add_namespaces(&mut self) {
        let values = self.interfaces.keys().filter(|key| key.side == Side::Value);
        let mut waiting: Vec<TypeName> = values.map(|key| key.name.clone()).collect();
        while let Some(name) = waiting.pop() {
            let Some((outer, last)) = name.path.rsplit_once('.').filter(|_| name.module.is_empty())
            else {
                continue;
            };
            let key = Key::of_value(TypeName::global(outer));
            let at = self.interfaces.get(&Key::of_value(name.clone())).map_or((0, 0), |one| one.at);
            let is_new = !self.interfaces.contains_key(&key);
            let one = self.interface(key.clone(), InterfaceKind::Namespace, at);
            if is_new {
                one.open = Some("no page lists all that it holds".into());
            }
            one.shape
                .members
                .entry(last.into())
                .or_insert_with(|| export(Type::Typeof(name.clone().into()), at));
            match key.name.path.contains('.') {
                true => waiting.push(key.name),
                false => {
                    let value = export(Type::Typeof(key.name.clone().into()), at);
                    self.exports.entry(key.name.path).or_insert(value);
                }
            }
        }
    }

    /// The module that examples take most of the exported names from; the api's name where they take none.
    fn module(&self, api: &Name) -> Name {
        if !self.modular {
            return Name::default();
        }
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (from, _) in self.imports.iter().filter(|(_, n)| self.exports.contains_key(n)) {
            *counts.entry(package_of(from)).or_default() += 1;
        }
        let most = counts.into_iter().max_by_key(|(name, n)| (*n, std::cmp::Reverse(*name)));
        most.map_or_else(|| api.clone(), |(name, _)| name.into())
    }

    fn add_globals(&mut self) {
        if self.exports.is_empty() {
            return;
        }
        let kind = if self.modular { InterfaceKind::Module } else { InterfaceKind::Globals };
        let members = std::mem::take(&mut self.exports);
        let at = members.values().map(|m| m.at).min().unwrap_or_default();
        self.interface(Key::globals(), kind, at).shape.members = members;
    }

    /// A parent that no page describes is a hole, and what inherits from it is open.
    fn open_what_is_only_mentioned(&mut self) {
        let known: BTreeSet<TypeName> = self.interfaces.keys().map(|k| k.name.clone()).collect();
        let mut missing = Vec::new();
        for (key, one) in self.interfaces.iter_mut().filter(|(key, _)| key.side == Side::Type) {
            for parent in &one.extends {
                if let Type::Named(named) = parent
                    && !named.name.path.contains('.')
                    && !known.contains(&named.name)
                {
                    one.open = Some(format!("no page describes {}", named.name).into());
                    missing.push((
                        one.at,
                        format!(
                            "{} inherits from {}, which no page describes",
                            key.name, named.name
                        ),
                    ));
                }
            }
        }
        for (at, what) in missing {
            self.hole(at, what);
        }
    }
}

/// Adds a member; a second method of one name is another signature, and a method or property goes before an event.
pub fn add(shape: &mut Shape, name: Name, member: Member) {
    let Some(known) = shape.members.get_mut(&name) else {
        shape.members.insert(name, member);
        return;
    };
    match (known.kind, member.kind) {
        (MemberKind::Method, MemberKind::Method) => {
            for signature in member.signatures {
                if known.signatures.len() < MAX_SIGNATURES && !known.signatures.contains(&signature)
                {
                    known.signatures.push(signature);
                }
            }
        }
        (MemberKind::Event, MemberKind::Method | MemberKind::Property) => *known = member,
        (MemberKind::Method | MemberKind::Property | MemberKind::Event, _) => {}
    }
}

/// Adds a global name; a second function of one name is another way to call it.
pub fn add_export(draft: &mut Draft, name: &str, member: Member) {
    let mut shape = Shape { members: std::mem::take(&mut draft.exports), ..Shape::default() };
    add(&mut shape, name.into(), member);
    draft.exports = shape.members;
}

/// An export that nobody may write.
pub fn export(declared: Type, at: (u32, u32)) -> Member {
    Member { writing: Writing::Refused, at, ..Member::property(declared) }
}

/// The package that a specifier names.
fn package_of(specifier: &str) -> &str {
    let n_parts = if specifier.starts_with('@') { 2 } else { 1 };
    match specifier.match_indices('/').nth(n_parts - 1) {
        Some((at, _)) => &specifier[..at],
        None => specifier,
    }
}
