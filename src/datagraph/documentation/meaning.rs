//! Which symbols the calls of an example mean, as far as the datagraph itself can say it.
//!
//! Examples are written for people: what names stand for is taken from the api's globals and modules, from what calls give,
//! and, where all that is silent, from names that only one interface has. A symbol that is not in the datagraph is never meant.

use super::examples::{Call, Purpose, Reading, Value};
use super::{Chunk, Symbol};
use crate::base::Name;
use crate::datagraph::{Datagraph, Key};
use crate::types::{Member, MemberKind, Shape, Signature, Type, TypeName};
use crate::words::parts;
use std::collections::{BTreeMap, BTreeSet};

/// How many interfaces are asked for one inherited member.
const MAX_ABOVE: usize = 64;

/// How many aliases stand for each other before it is given up.
const MAX_ALIASES: usize = 8;

/// Names of several words that every script has.
const OF_THE_LANGUAGE: &[&str] = &[
    "addEventListener",
    "appendChild",
    "charAt",
    "charCodeAt",
    "createElement",
    "endsWith",
    "findIndex",
    "flatMap",
    "forEach",
    "getElementById",
    "hasOwnProperty",
    "indexOf",
    "lastIndexOf",
    "padEnd",
    "padStart",
    "querySelector",
    "removeEventListener",
    "setInterval",
    "setTimeout",
    "startsWith",
    "toFixed",
    "toISOString",
    "toLowerCase",
    "toString",
    "toUpperCase",
];

/// An api, opened for the question what a piece of code means in it.
pub struct Meaning<'g> {
    graph: &'g Datagraph,
    /// What code may write without a receiver: globals, what modules export, and modules themselves.
    names: BTreeMap<&'g str, Named<'g>>,
    /// The only interface that declares a member of that name.
    only_owner: BTreeMap<&'g str, Option<&'g Key>>,
    /// Interfaces by the last part of their name in small letters, where only one has it.
    by_last: BTreeMap<String, Option<&'g Key>>,
}

/// What a name without receiver is.
#[derive(Clone)]
enum Named<'g> {
    /// A member of the global scope or of a module.
    Member(&'g Key, &'g Member),
    /// A module or namespace.
    Space(&'g Key),
}

impl<'g> Meaning<'g> {
    /// Opens `graph`.
    pub fn of(graph: &'g Datagraph) -> Meaning<'g> {
        let mut names = BTreeMap::new();
        let mut only_owner = BTreeMap::new();
        let mut by_last: BTreeMap<String, Option<&Key>> = BTreeMap::new();
        for (key, one) in &graph.interfaces {
            let is_scope = key.name.path.is_empty();
            for (name, member) in &one.shape.members {
                if is_scope {
                    names.entry(name.as_str()).or_insert(Named::Member(key, member));
                }
                let owner = only_owner.entry(name.as_str()).or_insert(Some(key));
                if *owner != Some(key) {
                    *owner = None;
                }
            }
            if key.side == crate::datagraph::Side::Type {
                let last = key.name.last().to_lowercase();
                by_last.entry(last).and_modify(|known| *known = None).or_insert(Some(key));
            }
        }
        for (said, module) in &graph.modules {
            let key = Key::of_value(TypeName::within(module.as_str(), ""));
            let last = said.rsplit(['/', ':']).next().unwrap_or(said);
            if let Some((key, _)) = graph.interfaces.get_key_value(&key) {
                names.entry(last).or_insert(Named::Space(key));
            }
        }
        Meaning { graph, names, only_owner, by_last }
    }

    /// The interface that declares what `key` has as `name`, and the member.
    pub fn member(&self, key: &Key, name: &str) -> Option<(&'g Key, &'g Member)> {
        self.above(key).find_map(|(key, shape)| shape.members.get(name).map(|m| (key, m)))
    }

    /// `key` and all that it inherits from, nearest first.
    pub fn above(&self, key: &Key) -> impl Iterator<Item = (&'g Key, &'g Shape)> + use<'_, 'g> {
        let mut waiting = std::collections::VecDeque::from([key.clone()]);
        let mut seen = BTreeSet::new();
        std::iter::from_fn(move || {
            while let Some(next) = waiting.pop_front() {
                if seen.len() >= MAX_ABOVE || !seen.insert(next.clone()) {
                    continue;
                }
                if let Some((key, one)) = self.graph.interfaces.get_key_value(&next) {
                    waiting.extend(one.extends.iter().flat_map(|base| self.keys_of(base)));
                    return Some((key, &one.shape));
                }
            }
            None
        })
    }

    /// The interfaces that a type names; a promise names what it holds.
    pub fn keys_of(&self, declared: &Type) -> Vec<Key> {
        let mut found = Vec::new();
        let mut waiting = vec![(declared.clone(), 0)];
        while let Some((next, depth)) = waiting.pop() {
            if depth > MAX_ALIASES || found.len() >= MAX_ABOVE || waiting.len() > MAX_ABOVE {
                continue;
            }
            match &next {
                Type::Named(named) => {
                    let name = self.graph.names.get(&named.name).unwrap_or(&named.name);
                    let key = Key::of_type(name.clone());
                    if self.graph.interfaces.contains_key(&key) {
                        found.push(key);
                    } else if let Some(alias) = self.graph.aliases.get(name) {
                        waiting.push((alias.means.clone(), depth + 1));
                    } else if ["Promise", "Readonly", "Partial", "Required"]
                        .contains(&name.path.as_str())
                    {
                        let first = named.arguments.first();
                        waiting.extend(first.map(|held| (held.clone(), depth + 1)));
                    }
                }
                Type::Typeof(name) => {
                    let name = self.graph.names.get(&**name).unwrap_or(name);
                    found.push(Key::of_value(name.clone()));
                }
                Type::Union(parts) | Type::Intersection(parts) => {
                    waiting.extend(parts.iter().rev().map(|part| (part.clone(), depth + 1)));
                }
                _ => {}
            }
        }
        found
    }

    /// The symbols that the calls of `reading` mean, in the order in which they happen; `chunk` is where it stands.
    pub fn symbols(&self, reading: &Reading, chunk: &Chunk) -> Vec<(Symbol, Purpose)> {
        let mut read =
            Read { meaning: self, chunk, variables: BTreeMap::new(), results: Vec::new() };
        let mut found: Vec<(u32, usize, Symbol, Purpose)> = Vec::new();
        let mut given = reading.given.iter().peekable();
        for (idx, call) in reading.calls.iter().enumerate() {
            while let Some(one) = given.next_if(|one| one.at <= call.at) {
                let value = read.value(&one.value);
                read.variables.insert(one.name.as_str(), value);
            }
            let meant = read.call(call);
            if let Some((symbol, _)) = &meant {
                found.push((call.happens, idx, symbol.clone(), call.purpose));
            }
            let gives = meant.and_then(|(_, gives)| gives);
            if let Some(name) = &call.given_to {
                read.variables.insert(name.as_str(), gives.clone());
            }
            read.results.push(gives);
        }
        found.sort();
        found.into_iter().map(|(_, _, symbol, purpose)| (symbol, purpose)).collect()
    }

    /// What `member` of `owner` gives when it is called with `text`.
    fn result(&self, owner: &Key, member: &Member, text: Option<&Name>) -> Option<Key> {
        let signatures = signatures(member);
        let takes_text = |signature: &&Signature| {
            let first = signature.parameters.first().map(|p| &p.declared);
            matches!((first, text), (Some(Type::Text(wanted)), Some(text)) if wanted == text)
        };
        let signature = signatures.iter().find(takes_text).or_else(|| signatures.first())?;
        match &signature.returns {
            Type::This => Some(owner.clone()),
            returns => self.keys_of(returns).into_iter().next(),
        }
    }
}

/// The ways to call a member: a method's, or those of a property that holds a function.
pub fn signatures(member: &Member) -> Vec<Signature> {
    match (member.kind, &member.declared) {
        (MemberKind::Method, _) => member.signatures.clone(),
        (MemberKind::Property, Type::Function(signature)) => vec![(**signature).clone()],
        (MemberKind::Property, Type::Literal(shape)) => shape.calls.clone(),
        (MemberKind::Property | MemberKind::Event, _) => Vec::new(),
    }
}

/// One example while it is read.
struct Read<'r, 'g> {
    meaning: &'r Meaning<'g>,
    chunk: &'r Chunk,
    variables: BTreeMap<&'r str, Option<Key>>,
    /// What each call so far gave.
    results: Vec<Option<Key>>,
}

impl<'g> Read<'_, 'g> {
    /// What a value is.
    fn value(&self, value: &Value) -> Option<Key> {
        match value {
            Value::Name(name) => match self.variables.get(name.as_str()) {
                Some(known) => known.clone(),
                None => self.named(name),
            },
            Value::Member(of, name) => {
                let (_, member) = self.meaning.member(&self.value(of)?, name)?;
                self.meaning.keys_of(&member.declared).into_iter().next()
            }
            Value::Call(number) => self.results.get(*number).cloned().flatten(),
            Value::New(name) => {
                let class = self.named(name)?;
                let instance = Key::of_type(class.name);
                self.meaning.graph.interfaces.contains_key(&instance).then_some(instance)
            }
            Value::Unknown => None,
        }
    }

    fn named(&self, name: &str) -> Option<Key> {
        match self.meaning.names.get(name)? {
            Named::Member(_, member) => self.meaning.keys_of(&member.declared).into_iter().next(),
            Named::Space(key) => Some((*key).clone()),
        }
    }

    /// What is called, and what it gives.
    fn call(&self, call: &Call) -> Option<(Symbol, Option<Key>)> {
        let Some(receiver) = &call.receiver else {
            let Named::Member(owner, member) = self.meaning.names.get(call.name.as_str())? else {
                return None;
            };
            let gives = self.meaning.result(owner, member, call.text.as_ref());
            return Some((Symbol::member((*owner).clone(), call.name.clone()), gives));
        };
        let known = self.value(receiver);
        let (owner, member, from) = match &known {
            Some(key) => {
                let (owner, member) = self.meaning.member(key, &call.name)?;
                (owner, member, key.clone())
            }
            None => {
                let key = self.guessed(receiver, &call.name)?;
                let (owner, member) = self.meaning.member(&key, &call.name)?;
                (owner, member, key)
            }
        };
        let gives = self.meaning.result(&from, member, call.text.as_ref());
        Some((Symbol::member(owner.clone(), call.name.clone()), gives))
    }

    /// Whose member a call on something unknown means: what the receiver is called after, what the chunk is about, or the only
    /// interface that has such a name.
    fn guessed(&self, receiver: &Value, member: &str) -> Option<Key> {
        let meaning = self.meaning;
        let last = match receiver {
            Value::Name(name) | Value::Member(_, name) => name.to_lowercase(),
            Value::Call(_) | Value::New(_) | Value::Unknown => String::new(),
        };
        let called_after = meaning.by_last.get(&last).copied().flatten();
        let about = self.chunk.symbols.iter().map(|symbol| &symbol.owner);
        let near = called_after.into_iter().chain(about);
        if let Some(key) = near.into_iter().find(|key| meaning.member(key, member).is_some()) {
            return Some(key.clone());
        }
        let tells = parts(member).len() > 1 && !OF_THE_LANGUAGE.contains(&member);
        let only = meaning.only_owner.get(member).copied().flatten();
        only.filter(|_| tells).cloned()
    }
}
