//! Plain bytes to a datagraph. Any bytes are read without panic: what was not written is nothing.

use crate::base::Name;
use crate::datagraph::{Alias, Datagraph, Hole, Interface, InterfaceKind, Key, Side, Source};
use crate::types::{
    Access, Arity, Member, MemberKind, Named, Parameter, Presence, Shape, Signature, Type,
    TypeName, TypeParameter, Writing,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The datagraph whose plain bytes these are.
pub fn datagraph(bytes: &[u8]) -> Option<Datagraph> {
    let mut reader = Reader { rest: bytes, ..Reader::default() };
    reader.tables()?;
    let found = reader.datagraph()?;
    reader.rest.is_empty().then_some(found)
}

#[derive(Default)]
struct Reader<'b> {
    rest: &'b [u8],
    names: Vec<Name>,
    full_names: Vec<Arc<TypeName>>,
    types: Vec<Type>,
    signatures: Vec<Arc<Signature>>,
    shapes: Vec<Arc<Shape>>,
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u32> {
        let first = self.byte()?;
        let mut n = u32::from(first & 0x7f);
        let mut more = first >= 0x80;
        let mut shift = 7;
        while more {
            let byte = self.byte()?;
            n |= u32::from(byte & 0x7f).checked_shl(shift)?;
            more = byte >= 0x80;
            shift += 7;
        }
        Some(n)
    }

    /// How many of something follow; each takes a byte at least, so a lie is noticed before memory is taken for it.
    fn count(&mut self) -> Option<usize> {
        let n = usize::try_from(self.number()?).ok()?;
        (n <= self.rest.len()).then_some(n)
    }

    /// As many as are announced.
    fn many<T>(&mut self, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let n = self.count()?;
        let mut all = Vec::with_capacity(n);
        for _ in 0..n {
            all.push(one(self)?);
        }
        Some(all)
    }

    fn tables(&mut self) -> Option<()> {
        for _ in 0..self.count()? {
            let length = self.count()?;
            let (text, rest) = self.rest.split_at_checked(length)?;
            self.rest = rest;
            self.names.push(std::str::from_utf8(text).ok()?.into());
        }
        for _ in 0..self.count()? {
            let (module, path) = (self.name()?, self.name()?);
            self.full_names.push(Arc::new(TypeName { module, path }));
        }
        for _ in 0..self.count()? {
            match self.byte()? {
                0 => {
                    let row = self.type_row()?;
                    self.types.push(row);
                }
                1 => {
                    let row = self.signature_row()?;
                    self.signatures.push(Arc::new(row));
                }
                2 => {
                    let row = self.shape_row()?;
                    self.shapes.push(Arc::new(row));
                }
                _ => return None,
            }
        }
        Some(())
    }

    fn name(&mut self) -> Option<Name> {
        let id = self.number()? as usize;
        self.names.get(id).cloned()
    }

    fn full_name(&mut self) -> Option<TypeName> {
        let id = self.number()? as usize;
        self.full_names.get(id).map(|name| TypeName::clone(name))
    }

    fn a_type(&mut self) -> Option<Type> {
        let id = self.number()? as usize;
        self.types.get(id).cloned()
    }

    fn type_row(&mut self) -> Option<Type> {
        Some(match self.byte()? {
            0 => Type::Any,
            1 => Type::Unknown,
            2 => Type::Opaque(self.name()?),
            3 => Type::Never,
            4 => Type::Void,
            5 => Type::Null,
            6 => Type::Undefined,
            7 => Type::String,
            8 => Type::Number,
            9 => Type::Boolean,
            10 => Type::BigInt,
            11 => Type::Symbol,
            12 => Type::Object,
            13 => Type::Text(self.name()?),
            14 => Type::Digits(self.name()?),
            15 => Type::Truth(false),
            16 => Type::Truth(true),
            17 => {
                let name = self.full_name()?;
                Type::Named(Arc::new(Named { name, arguments: self.many(Self::a_type)? }))
            }
            18 => {
                let id = self.number()? as usize;
                Type::Typeof(Arc::clone(self.full_names.get(id)?))
            }
            19 => Type::Array(Arc::new(self.a_type()?)),
            20 => Type::Tuple(self.many(Self::a_type)?.into()),
            21 => Type::Union(self.many(Self::a_type)?.into()),
            22 => Type::Intersection(self.many(Self::a_type)?.into()),
            23 => Type::Function(self.shared_signature()?),
            24 => Type::Constructor(self.shared_signature()?),
            25 => {
                let id = self.number()? as usize;
                Type::Literal(Arc::clone(self.shapes.get(id)?))
            }
            26 => Type::KeyOf(Arc::new(self.a_type()?)),
            27 => Type::Indexed(Arc::new((self.a_type()?, self.a_type()?))),
            28 => Type::This,
            29 => Type::Is(Arc::new((self.name()?, self.a_type()?))),
            _ => return None,
        })
    }

    fn shared_signature(&mut self) -> Option<Arc<Signature>> {
        let id = self.number()? as usize;
        self.signatures.get(id).cloned()
    }

    fn signature(&mut self) -> Option<Signature> {
        self.shared_signature().map(|signature| Signature::clone(&signature))
    }

    fn signature_row(&mut self) -> Option<Signature> {
        Some(Signature {
            type_parameters: self.parameters()?,
            this: self.maybe()?,
            parameters: self.many(|r| {
                Some(Parameter {
                    name: r.name()?,
                    declared: r.a_type()?,
                    arity: match r.byte()? {
                        0 => Arity::Required,
                        1 => Arity::Optional,
                        2 => Arity::Rest,
                        _ => return None,
                    },
                })
            })?,
            returns: self.a_type()?,
        })
    }

    fn shape_row(&mut self) -> Option<Shape> {
        Some(Shape {
            calls: self.many(Self::signature)?,
            constructs: self.many(Self::signature)?,
            index: self.many(|r| Some((r.a_type()?, r.a_type()?)))?,
            members: self.map(|r| Some((r.name()?, r.member()?)))?,
        })
    }

    /// A map. Its entries were written in order, so building it from all at once takes no search.
    fn map<K: Ord, V>(
        &mut self,
        one: impl FnMut(&mut Self) -> Option<(K, V)>,
    ) -> Option<BTreeMap<K, V>> {
        Some(self.many(one)?.into_iter().collect())
    }

    fn member(&mut self) -> Option<Member> {
        let flags = self.byte()?;
        Some(Member {
            kind: match flags & 3 {
                0 => MemberKind::Property,
                1 => MemberKind::Method,
                2 => MemberKind::Event,
                _ => return None,
            },
            access: match flags >> 2 & 3 {
                0 => Access::Public,
                1 => Access::Protected,
                2 => Access::Private,
                _ => return None,
            },
            presence: if flags & 16 == 0 { Presence::Always } else { Presence::Maybe },
            writing: if flags & 32 == 0 { Writing::Allowed } else { Writing::Refused },
            declared: self.a_type()?,
            signatures: self.many(Self::signature)?,
            deprecated: self.text()?,
            at: self.place()?,
        })
    }

    /// A type or nothing; the outer `None` is damage.
    fn maybe(&mut self) -> Option<Option<Type>> {
        match self.number()?.checked_sub(1) {
            None => Some(None),
            Some(id) => self.types.get(id as usize).cloned().map(Some),
        }
    }

    fn text(&mut self) -> Option<Option<Name>> {
        match self.number()?.checked_sub(1) {
            None => Some(None),
            Some(id) => self.names.get(id as usize).cloned().map(Some),
        }
    }

    fn place(&mut self) -> Option<(u32, u32)> {
        Some((self.number()?, self.number()?))
    }

    fn parameters(&mut self) -> Option<Vec<TypeParameter>> {
        self.many(|r| {
            Some(TypeParameter { name: r.name()?, constraint: r.maybe()?, default: r.maybe()? })
        })
    }

    fn datagraph(&mut self) -> Option<Datagraph> {
        Some(Datagraph {
            api: self.name()?,
            version: self.name()?,
            modules: self.map(|r| Some((r.name()?, r.name()?)))?,
            names: self.map(|r| Some((r.full_name()?, r.full_name()?)))?,
            aliases: self.map(|r| {
                let name = r.full_name()?;
                let type_parameters = r.parameters()?;
                Some((name, Alias { type_parameters, means: r.a_type()?, at: r.place()? }))
            })?,
            interfaces: self.map(|r| {
                let name = r.full_name()?;
                let side = match r.byte()? {
                    0 => Side::Type,
                    1 => Side::Value,
                    _ => return None,
                };
                Some((Key { name, side }, r.interface()?))
            })?,
            sources: self.many(|r| Some(Source { path: r.name()?, hash: r.name()? }))?,
            holes: self.many(|r| {
                let (source, line) = r.place()?;
                Some(Hole { source, line, what: r.name()? })
            })?,
        })
    }

    fn interface(&mut self) -> Option<Interface> {
        let kind = match self.byte()? {
            0 => InterfaceKind::Interface,
            1 => InterfaceKind::Class,
            2 => InterfaceKind::Statics,
            3 => InterfaceKind::Function,
            4 => InterfaceKind::Namespace,
            5 => InterfaceKind::Module,
            6 => InterfaceKind::Enum,
            7 => InterfaceKind::Globals,
            _ => return None,
        };
        Some(Interface {
            kind,
            type_parameters: self.parameters()?,
            extends: self.many(Self::a_type)?,
            shape: self.shape_row()?,
            exports: self.maybe()?,
            open: self.text()?,
            deprecated: self.text()?,
            at: self.place()?,
        })
    }
}
