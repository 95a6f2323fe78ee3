//! The datagraph: what was mined from one api's sources, in the form that is written, reviewed and loaded.
//!
//! A datagraph is a plain record. How it is made from declarations is `symbols`, from documentation `pages`; what the
//! sources say beside it is `documentation`; how all is spelt as JSON is `format`; asking it questions is the corpus's
//! work.
//!
//! Everything that has members is an [`Interface`] under a [`Key`]. Its type side (`Block`) are the members of a value
//! of that type. Its value side (`typeof Block`) are the members of the name itself: the static side of a class, a
//! namespace's or module's exports, an enum's constants. The global scope is the value side of the empty name.

pub mod names;
pub mod symbols;
pub mod pages;
pub mod documentation;
pub mod format;

use crate::base::Name;
use crate::types::{Shape, Type, TypeName, TypeParameter};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What was mined from one api.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Datagraph {
    /// The api's name.
    pub api: Name,
    /// Its version, as its package or configuration says it.
    pub version: Name,
    /// Everything that has members.
    pub interfaces: BTreeMap<Key, Interface>,
    /// Type aliases (an enum's type side is one too: `number`, `string` or both).
    pub aliases: BTreeMap<TypeName, Alias>,
    /// Names that stand for another: re-exports and import aliases, both as types and as namespaces.
    pub names: BTreeMap<TypeName, TypeName>,
    /// What code writes behind `from` or in `require`, and the module that it means.
    pub modules: BTreeMap<Name, Name>,
    /// The files it was mined from, in the order that [`Member::at`](crate::types::Member::at) counts.
    pub sources: Vec<Source>,
    /// What could not be represented, per source.
    pub holes: Vec<Hole>,
}

/// One side of a name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key {
    /// The name.
    pub name: TypeName,
    /// Which side of it.
    pub side: Side,
}

impl Key {
    /// The members of a value of this type.
    pub fn of_type(name: TypeName) -> Key {
        Key { name, side: Side::Type }
    }

    /// The members of the name itself.
    pub fn of_value(name: TypeName) -> Key {
        Key { name, side: Side::Value }
    }

    /// The global scope.
    pub fn globals() -> Key {
        Key::of_value(TypeName::global(""))
    }
}

/// The two sides of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Side {
    /// What a value of that type has.
    Type,
    /// What the name itself has.
    Value,
}

/// A named type with members; declarations of one name are merged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interface {
    /// What declared it.
    pub kind: InterfaceKind,
    /// Its type parameters.
    pub type_parameters: Vec<TypeParameter>,
    /// What it inherits from; of a value side, the value sides (`typeof Base`).
    pub extends: Vec<Type>,
    /// Its own members.
    pub shape: Shape,
    /// Of a module with `export =`: what it exports instead of its members.
    pub exports: Option<Type>,
    /// Set where the sources do not enumerate it completely: the reason. On an open interface nothing is called invented.
    pub open: Option<Name>,
    /// Set where it is deprecated.
    pub deprecated: Option<Name>,
    /// Where it is first declared: index into the sources and line from 1.
    pub at: (u32, u32),
}

impl Interface {
    /// An empty, closed interface.
    pub fn new(kind: InterfaceKind) -> Interface {
        Interface {
            kind,
            type_parameters: Vec::new(),
            extends: Vec::new(),
            shape: Shape::default(),
            exports: None,
            open: None,
            deprecated: None,
            at: (0, 0),
        }
    }
}

/// What declared an interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum InterfaceKind {
    /// `interface`.
    Interface,
    /// An instance of a `class`.
    Class,
    /// The static side of a `class`.
    Statics,
    /// A function that has members of its own.
    Function,
    /// `namespace`.
    Namespace,
    /// A module.
    Module,
    /// `enum`.
    Enum,
    /// The global scope.
    Globals,
}

/// A type alias.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alias {
    /// Its type parameters.
    pub type_parameters: Vec<TypeParameter>,
    /// What it stands for.
    pub means: Type,
    /// Where it is declared: index into the sources and line from 1.
    pub at: (u32, u32),
}

/// A file that was mined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Its path with `/`, relative to what the api was mined from.
    pub path: Name,
    /// SHA-256 of its bytes, in hexadecimal.
    pub hash: Name,
}

/// Something that could not be represented.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Hole {
    /// Index into the sources.
    pub source: u32,
    /// From 1.
    pub line: u32,
    /// What stands there.
    pub what: Name,
}
