//! Everything that exists in one api, in one order: the numbers that the text index knows symbols by.
//!
//! The order is that of [`Symbol`], so a symbol is found by halving. The two sides of a name are one interface here, and
//! a global that is a class or a namespace is that interface: a reader looks for one thing.

use crate::datagraph::documentation::Symbol;
use crate::datagraph::{Datagraph, Interface, InterfaceKind, Key, Side};
use crate::types::{Access, Member, MemberKind, Type};
use sha2::{Digest, Sha256};

/// How many signatures of a method are spelt.
const MAX_SIGNATURES: usize = 3;

/// What exists in an api.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// Sorted by symbol.
    pub listed: Vec<Listed>,
}

/// Something that exists.
#[derive(Debug, Clone)]
pub struct Listed {
    /// What it is called.
    pub symbol: Symbol,
    /// What it is.
    pub kind: Kind,
    /// Of a member: the number of its interface; none for a global.
    pub interface: Option<u32>,
    /// Whether it is still to be used.
    pub standing: Standing,
    /// Where it is declared: index into the datagraph's sources and line from 1.
    pub at: (u32, u32),
}

/// What something that exists is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A type with members, a namespace or a module.
    Interface,
    /// A type by another name.
    Alias,
    /// A method or a function.
    Method,
    /// A property or a variable.
    Property,
    /// An event.
    Event,
    /// A constant of an enumeration.
    Constant,
}

/// Whether something is still to be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is.
    Current,
    /// Its documentation says not to.
    Deprecated,
}

impl Standing {
    fn of(said: Option<&crate::base::Name>) -> Standing {
        if said.is_some() { Standing::Deprecated } else { Standing::Current }
    }
}

impl Listing {
    /// What exists in `graph`.
    pub fn of(graph: &Datagraph) -> Listing {
        let mut listed: Vec<Listed> = Vec::new();
        for (key, interface) in &graph.interfaces {
            if is_named(graph, key) {
                listed.push(Listed {
                    symbol: Symbol::interface(key.clone()),
                    kind: Kind::Interface,
                    interface: None,
                    standing: Standing::of(interface.deprecated.as_ref()),
                    at: interface.at,
                });
            }
            let members = interface.shape.members.iter();
            listed.extend(members.filter_map(|(name, member)| {
                let symbol = Symbol::member(key.clone(), name.clone());
                let is_other = is_hidden(name, member) || stands_for(graph, &symbol) != symbol;
                (!is_other).then(|| Listed {
                    symbol,
                    kind: kind_of(interface, member),
                    interface: None,
                    standing: Standing::of(member.deprecated.as_ref()),
                    at: member.at,
                })
            }));
        }
        let aliases = graph.aliases.iter().map(|(name, alias)| (Key::of_type(name.clone()), alias));
        listed.extend(aliases.filter(|(key, _)| !has_sides(graph, key)).map(|(key, alias)| {
            Listed {
                symbol: Symbol::interface(key),
                kind: Kind::Alias,
                interface: None,
                standing: Standing::Current,
                at: alias.at,
            }
        }));
        listed.sort_by(|a, b| a.symbol.cmp(&b.symbol));
        let mut listing = Listing { listed };
        listing.name_interfaces(graph);
        listing
    }

    fn name_interfaces(&mut self, graph: &Datagraph) {
        let interfaces: Vec<Option<u32>> = self
            .listed
            .iter()
            .map(|one| {
                one.symbol.member.as_ref()?;
                self.number(graph, &Symbol::interface(one.symbol.owner.clone()))
            })
            .collect();
        for (one, interface) in self.listed.iter_mut().zip(interfaces) {
            one.interface = interface;
        }
    }

    /// The number of `symbol`, whichever side of a name it was taken from.
    pub fn number(&self, graph: &Datagraph, symbol: &Symbol) -> Option<u32> {
        let meant = stands_for(graph, symbol);
        let exact = |symbol: &Symbol| self.listed.binary_search_by(|one| one.symbol.cmp(symbol));
        let other = || exact(&Symbol { owner: other_side(&meant.owner), ..meant.clone() });
        exact(&meant).or_else(|_| other()).ok().and_then(|idx| u32::try_from(idx).ok())
    }

    /// What is listed under this number.
    pub fn symbol(&self, number: u32) -> Option<&Listed> {
        self.listed.get(number as usize)
    }

    /// How many there are.
    pub fn n_symbols(&self) -> u32 {
        crate::base::to_u32(self.listed.len())
    }

    /// A hash over all names in their order, so that an index that was made of another api is noticed.
    pub fn digest(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        for one in &self.listed {
            let Symbol { owner: Key { name, side }, member } = &one.symbol;
            let side = match side {
                Side::Type => "t",
                Side::Value => "v",
            };
            let member = member.as_deref().unwrap_or("");
            for part in [name.module.as_str(), name.path.as_str(), side, member] {
                hash.update(part.as_bytes());
                hash.update([0]);
            }
        }
        hash.finalize().into()
    }
}

/// How something is declared, on one line: `makeTable(rows: number): Table`, `width: number`, `interface Block`.
pub fn signature(graph: &Datagraph, symbol: &Symbol) -> String {
    let Some(name) = &symbol.member else { return heading(graph, symbol) };
    let interface = graph.interfaces.get(&symbol.owner);
    let Some(member) = interface.and_then(|i| i.shape.members.get(name)) else {
        return String::new();
    };
    match member.kind {
        MemberKind::Method => {
            let spelt = member.signatures.iter().take(MAX_SIGNATURES);
            let spelt: Vec<String> = spelt.map(|s| format!("{name}{s}")).collect();
            spelt.join("; ")
        }
        MemberKind::Property => format!("{name}: {}", member.declared),
        MemberKind::Event => format!("event {name}: {}", member.declared),
    }
}

fn heading(graph: &Datagraph, symbol: &Symbol) -> String {
    if let Some(alias) = graph.aliases.get(&symbol.owner.name)
        && !has_sides(graph, &symbol.owner)
    {
        return format!("type {symbol} = {}", alias.means);
    }
    let sides = [symbol.owner.clone(), other_side(&symbol.owner)];
    let Some(interface) = sides.iter().find_map(|key| graph.interfaces.get(key)) else {
        return String::new();
    };
    let what = match interface.kind {
        InterfaceKind::Interface => "interface",
        InterfaceKind::Class | InterfaceKind::Statics => "class",
        InterfaceKind::Function => "function",
        InterfaceKind::Namespace | InterfaceKind::Globals => "namespace",
        InterfaceKind::Module => "module",
        InterfaceKind::Enum => "enum",
    };
    let bases: Vec<String> = interface
        .extends
        .iter()
        .filter(|base| !matches!(base, Type::Typeof(_)))
        .map(|base| base.to_string())
        .collect();
    match bases.is_empty() {
        true => format!("{what} {symbol}"),
        false => format!("{what} {symbol} extends {}", bases.join(", ")),
    }
}

/// The interface that a global or an export stands for where it is one, else the symbol itself.
fn stands_for(graph: &Datagraph, symbol: &Symbol) -> Symbol {
    let Some(member) = symbol.member.as_ref().filter(|_| symbol.owner.side == Side::Value) else {
        return symbol.clone();
    };
    let child = Key::of_type(symbol.owner.name.child(member));
    match has_sides(graph, &child) || graph.aliases.contains_key(&child.name) {
        true => Symbol::interface(child),
        false => symbol.clone(),
    }
}

fn has_sides(graph: &Datagraph, key: &Key) -> bool {
    graph.interfaces.contains_key(key) || graph.interfaces.contains_key(&other_side(key))
}

/// Whether this side of a name is the one that is listed; the global scope has no name.
fn is_named(graph: &Datagraph, key: &Key) -> bool {
    let is_nameless = key.name.path.is_empty() && key.name.module.is_empty();
    let is_second = key.side == Side::Value && graph.interfaces.contains_key(&other_side(key));
    !is_nameless && !is_second
}

fn other_side(key: &Key) -> Key {
    match key.side {
        Side::Type => Key::of_value(key.name.clone()),
        Side::Value => Key::of_type(key.name.clone()),
    }
}

/// What no reader asks for by name.
fn is_hidden(name: &str, member: &Member) -> bool {
    name.starts_with("@@") || name.starts_with('#') || member.access == Access::Private
}

fn kind_of(interface: &Interface, member: &Member) -> Kind {
    match (interface.kind, member.kind) {
        (InterfaceKind::Enum, _) => Kind::Constant,
        (_, MemberKind::Method) => Kind::Method,
        (_, MemberKind::Property) => Kind::Property,
        (_, MemberKind::Event) => Kind::Event,
    }
}
