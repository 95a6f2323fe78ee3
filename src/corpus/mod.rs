//! Datagraphs loaded for asking: which names exist, what they mean, and which members a type has.
//!
//! A corpus answers only from what was mined. Where the apis that hold here do not settle a question it says
//! [`Lookup::Doubt`] with the reason; nothing here sees the code that is checked.

mod effort;
pub mod documents;
pub mod embedded;
pub mod store;
pub mod evaluate;
pub mod lookup;
pub mod signatures;
pub mod noted;

use crate::base::Name;
use crate::datagraph::{Alias, Datagraph, Interface, Key, Side};
use crate::types::{Member, Type, TypeName};
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// How many steps of inheritance and evaluation are followed.
const MAX_DEPTH: u32 = 40;

/// The apis that hold in a project, best first.
#[derive(Debug, Default)]
pub struct Corpus {
    /// The datagraphs.
    pub graphs: Vec<Arc<Datagraph>>,
    children: OnceLock<HashMap<Key, Vec<Key>>>,
    declarers: OnceLock<HashMap<Name, Vec<Key>>>,
    deprecated: OnceLock<BTreeSet<Name>>,
}

/// Why nothing is claimed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The receiver is `any`, or nothing says what it is.
    Untyped,
    /// A name that no api which holds here declares.
    UnknownName(Name),
    /// A type that no api which holds here declares.
    UnknownType(Name),
    /// A type that cannot be represented.
    Unrepresented(Name),
    /// An interface whose source does not enumerate it.
    Open(Name),
    /// Something narrower than the receiver's type has the member.
    Narrower(Name),
    /// The code's own objects, classes and functions may have more than is seen.
    OwnCode,
    /// The project itself gives things this member.
    ProjectSets,
    /// The code asks whether the member is there.
    Guarded,
    /// The variable holds more than one kind of value.
    SeveralKinds,
    /// A comment's primitive type, which is often looser than it says.
    LooseComment,
    /// A name that is private by convention, or a vendor's own: declarations leave such names out.
    Internal,
    /// Too deep or too large to follow.
    TooDeep,
    /// A comment in the code allows it, or the project's settings do, as this says.
    Allowed(Name),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Untyped => f.write_str("nothing says what the receiver is"),
            Reason::UnknownName(name) => write!(f, "no api that holds here declares {name}"),
            Reason::UnknownType(name) => {
                write!(f, "no api that holds here declares the type {name}")
            }
            Reason::Unrepresented(what) => write!(f, "its type is a {what}"),
            Reason::Open(why) => write!(f, "its interface is open: {why}"),
            Reason::Narrower(name) => write!(f, "{name}, which is narrower, has it"),
            Reason::OwnCode => f.write_str("the code declares the receiver itself"),
            Reason::ProjectSets => f.write_str("the project sets this member itself"),
            Reason::Guarded => f.write_str("the code asks whether it is there"),
            Reason::SeveralKinds => f.write_str("the variable holds several kinds of value"),
            Reason::LooseComment => f.write_str("only a comment says its type"),
            Reason::Internal => f.write_str("declarations leave such names out"),
            Reason::TooDeep => f.write_str("too deep to follow"),
            Reason::Allowed(by) => write!(f, "{by} allows it"),
        }
    }
}

/// Whether a type has a member.
#[derive(Debug, Clone, PartialEq)]
pub enum Lookup {
    /// It has.
    Known(Found),
    /// It is known and closed, and has not. The name is that of the type that was asked.
    Missing(Key),
    /// It cannot be told.
    Doubt(Reason),
}

/// A member that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// What reading it gives; a method gives its function type.
    pub gives: Type,
    /// The interface that declares it.
    pub owner: Key,
}

impl Corpus {
    /// A corpus of these datagraphs; the first that declares a name decides what a module means, all together merge.
    pub fn new(graphs: Vec<Arc<Datagraph>>) -> Corpus {
        Corpus {
            graphs,
            children: OnceLock::new(),
            declarers: OnceLock::new(),
            deprecated: OnceLock::new(),
        }
    }

    /// All declarations of one side of a name, across the apis.
    pub fn interfaces<'c>(&'c self, key: &'c Key) -> impl Iterator<Item = &'c Interface> + 'c {
        self.graphs.iter().filter_map(move |g| g.interfaces.get(key))
    }

    /// Whether any api declares this side of the name.
    pub fn has(&self, key: &Key) -> bool {
        self.interfaces(key).next().is_some()
    }

    /// Whether that name is a type or namespace of any kind.
    pub fn has_type(&self, name: &TypeName) -> bool {
        if let Some(Type::Typeof(whole)) = self.exports_of(&name.module) {
            let inner = whole.child(&name.path);
            if self.is_type(&inner) {
                return true;
            }
        }
        self.is_type(name)
    }

    /// What a module exports as a whole (`export =`).
    fn exports_of(&self, module: &str) -> Option<&Type> {
        let name = TypeName::within(module, "");
        self.graphs
            .iter()
            .find_map(|g| g.interfaces.get(&Key::of_value(name.clone()))?.exports.as_ref())
    }

    fn is_type(&self, name: &TypeName) -> bool {
        let meant = self.canonical(name);
        let prefix = meant.child("");
        let names_space = |g: &Arc<Datagraph>| {
            let from = Key::of_type(prefix.clone());
            let next = g.interfaces.range(from..).next().map(|(key, _)| &key.name);
            let alias = g.aliases.range(prefix.clone()..).next().map(|(name, _)| name);
            [next, alias]
                .into_iter()
                .flatten()
                .any(|n| n.module == prefix.module && n.path.starts_with(prefix.path.as_str()))
        };
        self.graphs.iter().any(names_space)
            || self.has(&Key::of_type(meant.clone()))
            || self.has(&Key::of_value(meant.clone()))
            || self.alias(&meant).is_some()
            || meant.module != name.module
    }

    /// The alias of that name.
    pub fn alias(&self, name: &TypeName) -> Option<&Alias> {
        self.graphs.iter().find_map(|g| g.aliases.get(name))
    }

    /// The module that `specifier` means, if an api has it.
    pub fn module(&self, specifier: &str) -> Option<Name> {
        let bare = specifier.strip_prefix("node:").unwrap_or(specifier);
        [specifier, bare]
            .into_iter()
            .find_map(|s| self.graphs.iter().find_map(|g| g.modules.get(s)))
            .cloned()
    }

    /// The name that `name` stands for: module specifiers, re-exports and import aliases followed to the end.
    pub fn canonical(&self, name: &TypeName) -> TypeName {
        let mut name = name.clone();
        for _ in 0..16 {
            if !name.module.is_empty()
                && let Some(module) = self.module(&name.module)
                && module != name.module
            {
                name.module = module;
            }
            match self.graphs.iter().find_map(|g| g.names.get(&name)) {
                Some(next) if *next != name => name = next.clone(),
                _ => match self.through_namespace(&name) {
                    Some(next) if next != name => name = next,
                    _ => break,
                },
            }
        }
        name
    }

    /// `A.B.C` where `A` or `A.B` stands for another name.
    fn through_namespace(&self, name: &TypeName) -> Option<TypeName> {
        let (head, tail) = name.path.rsplit_once('.')?;
        let head = TypeName { module: name.module.clone(), path: head.into() };
        let key = Key::of_value(name.clone());
        if self.has(&key) || self.has(&Key::of_type(name.clone())) || self.alias(name).is_some() {
            return None;
        }
        let meant = self.canonical(&head);
        (meant != head).then(|| meant.child(tail))
    }

    /// The member of the global scope with that name, one for each api that declares it.
    pub fn globals<'c>(&'c self, name: &'c str) -> impl Iterator<Item = &'c Member> + 'c {
        let key = Key::globals();
        self.graphs.iter().filter_map(move |g| g.interfaces.get(&key)?.shape.members.get(name))
    }

    /// What a global name gives, if an api declares it.
    pub fn global(&self, name: &str) -> Option<Type> {
        if matches!(name, "globalThis") {
            return Some(Type::Typeof(Arc::new(TypeName::global(""))));
        }
        let gives: Vec<Type> = self.globals(name).map(Member::gives).collect();
        (!gives.is_empty()).then(|| Type::union(gives))
    }

    /// Something that inherits from `key` and has `member`, itself or from anything that it inherits from too.
    pub fn narrower_with(&self, key: &Key, member: &str) -> Option<Key> {
        let declarers = self.declarers.get_or_init(|| self.declarations());
        let declarers = declarers.get(member)?;
        let mut heirs = BTreeSet::new();
        self.heir(key, |heir| {
            heirs.insert(heir.clone());
            false
        });
        // An index signature names no member, so only what is declared by name counts.
        declarers.iter().find_map(|declarer| {
            if heirs.contains(declarer) {
                return Some(declarer.clone());
            }
            self.heir(declarer, |below| heirs.contains(below))
        })
    }

    /// Who declares a member of that name.
    fn declarations(&self) -> HashMap<Name, Vec<Key>> {
        let mut found: HashMap<Name, Vec<Key>> = HashMap::new();
        for (key, interface) in self.graphs.iter().flat_map(|g| &g.interfaces) {
            for name in interface.shape.members.keys() {
                found.entry(name.clone()).or_default().push(key.clone());
            }
        }
        found
    }

    /// Whether something with the name `heir` (its last part) inherits from `key`.
    pub fn is_above(&self, key: &Key, heir: &str) -> bool {
        self.heir(key, |k| k.name.last() == heir).is_some()
    }

    /// Whether an api declares a type whose name ends in `last`.
    pub fn names_type(&self, last: &str) -> bool {
        let named = |key: &Key| key.side == Side::Type && key.name.last() == last;
        self.graphs.iter().any(|g| g.interfaces.keys().any(named))
    }

    /// The first of everything that inherits from `key` for which `wanted` holds.
    fn heir(&self, key: &Key, mut wanted: impl FnMut(&Key) -> bool) -> Option<Key> {
        let children = self.children.get_or_init(|| self.inheritance());
        let mut seen = BTreeSet::new();
        let mut open = vec![key.clone()];
        while let Some(next) = open.pop() {
            for child in children.get(&next).into_iter().flatten() {
                if !seen.insert(child.clone()) {
                    continue;
                }
                if wanted(child) {
                    return Some(child.clone());
                }
                open.push(child.clone());
            }
        }
        None
    }

    /// Who inherits from whom.
    fn inheritance(&self) -> HashMap<Key, Vec<Key>> {
        let mut children: HashMap<Key, Vec<Key>> = HashMap::new();
        let all = self.graphs.iter().flat_map(|g| &g.interfaces);
        for (key, interface) in all {
            for base in &interface.extends {
                for parent in self.heads(base, 0) {
                    children.entry(parent).or_default().push(key.clone());
                }
            }
        }
        children
    }

    /// The interfaces that a type names, through aliases and intersections.
    fn heads(&self, ty: &Type, depth: u32) -> Vec<Key> {
        if depth > 8 {
            return Vec::new();
        }
        effort::bounded(Vec::new, || self.heads_now(ty, depth))
    }

    fn heads_now(&self, ty: &Type, depth: u32) -> Vec<Key> {
        match ty {
            Type::Named(named) => {
                let name = self.canonical(&named.name);
                match self.alias(&name) {
                    Some(alias) => self.heads(&alias.means, depth + 1),
                    None => match (name.path.as_str(), named.arguments.first()) {
                        ("Omit" | "Pick" | "Partial" | "Required" | "Readonly", Some(of)) => {
                            self.heads(of, depth + 1)
                        }
                        _ => vec![Key::of_type(name)],
                    },
                }
            }
            Type::Typeof(name) => vec![Key::of_value(self.canonical(name))],
            Type::Intersection(parts) | Type::Union(parts) => {
                parts.iter().flat_map(|p| self.heads(p, depth + 1)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Every member that a type has by name, inherited ones behind own ones; empty where it is not known.
    pub fn members_of(&self, key: &Key) -> Vec<(Name, Key)> {
        let mut found: Vec<(Name, Key)> = Vec::new();
        let mut names = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = std::collections::VecDeque::from([key.clone()]);
        while let Some(next) = open.pop_front() {
            if !seen.insert(next.clone()) || seen.len() > 256 {
                continue;
            }
            for interface in self.interfaces(&next) {
                for name in interface.shape.members.keys() {
                    if names.insert(name.clone()) {
                        found.push((name.clone(), next.clone()));
                    }
                }
                open.extend(interface.extends.iter().flat_map(|base| self.heads(base, 0)));
                if let Some(Type::Typeof(name)) = &interface.exports {
                    open.push_back(Key::of_value(self.canonical(name)));
                }
            }
        }
        found
    }

    /// The apis that declare this side of the name.
    pub fn apis_of<'c>(&'c self, key: &'c Key) -> impl Iterator<Item = &'c Datagraph> + 'c {
        self.graphs.iter().map(AsRef::as_ref).filter(move |g| g.interfaces.contains_key(key))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.side, self.name.module.is_empty() && self.name.path.is_empty()) {
            (Side::Type, _) => f.write_str(short(&self.name)),
            (Side::Value, true) => f.write_str("the global scope"),
            (Side::Value, false) => f.write_str(short(&self.name)),
        }
    }
}

/// The name as code spells it: without its module, or the module alone.
fn short(name: &TypeName) -> &str {
    if name.path.is_empty() { &name.module } else { &name.path }
}
