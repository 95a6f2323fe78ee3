//! What declarations say of a member beyond its type: every declaration that may be meant, narrower ones among them.

use super::effort::bounded;
use super::{Corpus, Lookup};
use crate::base::Name;
use crate::datagraph::{Key, Side};
use crate::types::{Member, Type};
use std::collections::BTreeSet;

/// So many narrower declarations are looked at; where there are more, nothing is said.
const MAX_NARROWER: usize = 512;

/// A member as one type declares it.
#[derive(Debug, Clone)]
pub struct Declaration {
    /// The type that declares it; none where the type has no name.
    pub owner: Option<Key>,
    /// What reading it gives.
    pub gives: Type,
    /// What is declared, of each api that declares it.
    pub members: Vec<Member>,
}

impl Corpus {
    /// Whether an api calls some member of that name deprecated.
    pub fn may_be_deprecated(&self, name: &str) -> bool {
        self.deprecated
            .get_or_init(|| {
                let mut names: BTreeSet<Name> = BTreeSet::new();
                for interface in self.graphs.iter().flat_map(|g| g.interfaces.values()) {
                    let members = interface.shape.members.iter();
                    let marked = members.filter(|(_, m)| m.deprecated.is_some());
                    names.extend(marked.map(|(name, _)| name.clone()));
                }
                names
            })
            .contains(name)
    }

    /// The declarations that `ty.name` may mean, one for each part of the type; none where a part is no api's.
    pub fn declarations_of(&self, ty: &Type, name: &str) -> Vec<Declaration> {
        let whole = self.resolve(&ty.present());
        let parts = match &whole {
            Type::Union(parts) => parts.to_vec(),
            one => vec![one.clone()],
        };
        let found: Option<Vec<Declaration>> =
            parts.iter().map(|part| self.declaration(part, name)).collect();
        found.unwrap_or_default()
    }

    fn declaration(&self, part: &Type, name: &str) -> Option<Declaration> {
        if let Type::Literal(shape) = self.resolve(part) {
            let member = shape.members.get(name)?.clone();
            return Some(Declaration { owner: None, gives: member.gives(), members: vec![member] });
        }
        let Lookup::Known(found) = self.lookup(part, name) else { return None };
        let declared: Vec<Member> = self
            .interfaces(&found.owner)
            .filter_map(|i| i.shape.members.get(name))
            .cloned()
            .collect();
        let is_declared = !declared.is_empty();
        is_declared.then(|| Declaration {
            owner: Some(found.owner.clone()),
            gives: found.gives,
            members: declared,
        })
    }

    /// What the heirs of a type declare under that name, which the value may be; none where they are too many to tell.
    pub fn narrower_declarations(&self, key: &Key, name: &str) -> Option<Vec<Member>> {
        let mut found = Vec::new();
        self.heir(key, |heir| {
            found.extend(self.interfaces(heir).filter_map(|i| i.shape.members.get(name)).cloned());
            found.len() > MAX_NARROWER
        });
        (found.len() <= MAX_NARROWER).then_some(found)
    }

    /// Whether a class or something that it inherits from says how it is constructed.
    pub fn says_how_to_construct(&self, key: &Key) -> bool {
        let mut open = vec![key.clone()];
        let mut seen = BTreeSet::new();
        while let Some(next) = open.pop() {
            if !seen.insert(next.clone()) || seen.len() > MAX_NARROWER {
                continue;
            }
            for interface in self.interfaces(&next) {
                if !interface.shape.constructs.is_empty() {
                    return true;
                }
                open.extend(interface.extends.iter().flat_map(|base| self.heads(base, 0)));
            }
        }
        false
    }

    /// Whether a type names something that no api here declares, as a type parameter does that stands for nothing.
    pub fn is_nameless(&self, ty: &Type) -> bool {
        bounded(|| true, || self.is_nameless_now(ty))
    }

    fn is_nameless_now(&self, ty: &Type) -> bool {
        match self.resolve(ty) {
            Type::Named(named) => !self.has(&Key::of_type(named.name.clone())),
            Type::Typeof(name) => !self.has(&Key { name: (*name).clone(), side: Side::Value }),
            Type::Any
            | Type::Unknown
            | Type::Opaque(_)
            | Type::Indexed(_)
            | Type::This
            | Type::Never
            | Type::Own(_) => true,
            Type::Union(parts) | Type::Intersection(parts) => {
                parts.iter().any(|part| self.is_nameless(part))
            }
            Type::Void
            | Type::Null
            | Type::Undefined
            | Type::String
            | Type::Number
            | Type::Boolean
            | Type::BigInt
            | Type::Symbol
            | Type::Object
            | Type::Text(_)
            | Type::Digits(_)
            | Type::Truth(_)
            | Type::Array(_)
            | Type::Tuple(_)
            | Type::Function(_)
            | Type::Constructor(_)
            | Type::Literal(_)
            | Type::KeyOf(_)
            | Type::Is(_) => false,
        }
    }
}
