//! A datagraph to plain bytes: tables of names, full names and types, then everything else by their numbers.

use crate::base::{Name, to_u32};
use crate::datagraph::{Datagraph, Interface, InterfaceKind, Side};
use crate::types::{
    Access, Arity, Member, MemberKind, Presence, Shape, Signature, Type, TypeName, TypeParameter,
    Writing,
};
use std::collections::HashMap;

/// The plain bytes of a datagraph.
pub fn plain(datagraph: &Datagraph) -> Vec<u8> {
    let mut tables = Tables::default();
    let mut body = Bytes::default();
    tables.datagraph(datagraph, &mut body);
    let mut all = Bytes::default();
    all.count(tables.names.len());
    for name in &tables.names {
        all.count(name.len());
        all.0.extend_from_slice(name.as_bytes());
    }
    all.count(tables.full_names.len());
    for (module, path) in &tables.full_names {
        all.number(*module);
        all.number(*path);
    }
    all.number(tables.n_rows);
    all.0.extend_from_slice(&tables.rows.0);
    all.0.extend_from_slice(&body.0);
    all.0
}

/// Bytes that numbers are appended to, seven bits a byte.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    fn number(&mut self, mut n: u32) {
        while n >= 0x80 {
            self.0.push((n & 0x7f) as u8 | 0x80);
            n >>= 7;
        }
        self.0.push(n as u8);
    }

    fn count(&mut self, n: usize) {
        self.number(to_u32(n));
    }

    fn place(&mut self, (source, line): (u32, u32)) {
        self.number(source);
        self.number(line);
    }
}

/// What is written once. The rows are types, signatures and shapes, each after what it is made of.
#[derive(Default)]
struct Tables {
    names: Vec<Name>,
    name_ids: HashMap<Name, u32>,
    full_names: Vec<(u32, u32)>,
    full_name_ids: HashMap<TypeName, u32>,
    rows: Bytes,
    n_rows: u32,
    n_types: u32,
    n_signatures: u32,
    n_shapes: u32,
    type_ids: HashMap<Type, u32>,
    signature_ids: HashMap<Signature, u32>,
    shape_ids: HashMap<Shape, u32>,
}

impl Tables {
    fn name(&mut self, name: &Name) -> u32 {
        if let Some(id) = self.name_ids.get(name) {
            return *id;
        }
        let id = to_u32(self.names.len());
        self.names.push(name.clone());
        self.name_ids.insert(name.clone(), id);
        id
    }

    fn full_name(&mut self, name: &TypeName) -> u32 {
        if let Some(id) = self.full_name_ids.get(name) {
            return *id;
        }
        let pair = (self.name(&name.module), self.name(&name.path));
        let id = to_u32(self.full_names.len());
        self.full_names.push(pair);
        self.full_name_ids.insert(name.clone(), id);
        id
    }

    fn a_type(&mut self, of: &Type) -> u32 {
        if let Some(id) = self.type_ids.get(of) {
            return *id;
        }
        let mut row = Bytes::default();
        self.type_row(of, &mut row);
        self.rows.byte(0);
        self.rows.0.extend_from_slice(&row.0);
        let id = self.n_types;
        self.n_rows += 1;
        self.n_types += 1;
        self.type_ids.insert(of.clone(), id);
        id
    }

    fn types(&mut self, of: &[Type], row: &mut Bytes) {
        row.count(of.len());
        for one in of {
            let id = self.a_type(one);
            row.number(id);
        }
    }

    fn type_row(&mut self, of: &Type, row: &mut Bytes) {
        row.byte(tag(of));
        match of {
            Type::Any
            | Type::Unknown
            | Type::Never
            | Type::Void
            | Type::Null
            | Type::Undefined
            | Type::String
            | Type::Number
            | Type::Boolean
            | Type::BigInt
            | Type::Symbol
            | Type::Object
            | Type::This
            | Type::Truth(_) => {}
            Type::Opaque(text) | Type::Text(text) | Type::Digits(text) => {
                row.number(self.name(text));
            }
            // Never in a datagraph; what is printed for it is kept.
            Type::Own(own) => row.number(self.name(&format!("{own:?}").into())),
            Type::Named(named) => {
                row.number(self.full_name(&named.name));
                self.types(&named.arguments, row);
            }
            Type::Typeof(name) => row.number(self.full_name(name)),
            Type::Array(inner) | Type::KeyOf(inner) => row.number(self.a_type(inner)),
            Type::Tuple(parts) | Type::Union(parts) | Type::Intersection(parts) => {
                self.types(parts, row);
            }
            Type::Function(of) | Type::Constructor(of) => row.number(self.signature(of)),
            Type::Literal(shape) => row.number(self.shape(shape)),
            Type::Indexed(pair) => {
                row.number(self.a_type(&pair.0));
                row.number(self.a_type(&pair.1));
            }
            Type::Is(pair) => {
                row.number(self.name(&pair.0));
                row.number(self.a_type(&pair.1));
            }
        }
    }

    fn signature(&mut self, of: &Signature) -> u32 {
        if let Some(id) = self.signature_ids.get(of) {
            return *id;
        }
        let mut row = Bytes::default();
        self.parameters(&of.type_parameters, &mut row);
        self.maybe(of.this.as_ref(), &mut row);
        row.count(of.parameters.len());
        for parameter in &of.parameters {
            row.number(self.name(&parameter.name));
            row.number(self.a_type(&parameter.declared));
            row.byte(match parameter.arity {
                Arity::Required => 0,
                Arity::Optional => 1,
                Arity::Rest => 2,
            });
        }
        row.number(self.a_type(&of.returns));
        self.rows.byte(1);
        self.rows.0.extend_from_slice(&row.0);
        let id = self.n_signatures;
        self.n_rows += 1;
        self.n_signatures += 1;
        self.signature_ids.insert(of.clone(), id);
        id
    }

    fn signatures(&mut self, of: &[Signature], row: &mut Bytes) {
        row.count(of.len());
        for one in of {
            row.number(self.signature(one));
        }
    }

    fn shape(&mut self, of: &Shape) -> u32 {
        if let Some(id) = self.shape_ids.get(of) {
            return *id;
        }
        let mut row = Bytes::default();
        self.shape_row(of, &mut row);
        self.rows.byte(2);
        self.rows.0.extend_from_slice(&row.0);
        let id = self.n_shapes;
        self.n_rows += 1;
        self.n_shapes += 1;
        self.shape_ids.insert(of.clone(), id);
        id
    }

    fn shape_row(&mut self, of: &Shape, row: &mut Bytes) {
        self.signatures(&of.calls, row);
        self.signatures(&of.constructs, row);
        row.count(of.index.len());
        for (key, value) in &of.index {
            row.number(self.a_type(key));
            row.number(self.a_type(value));
        }
        row.count(of.members.len());
        for (name, member) in &of.members {
            row.number(self.name(name));
            self.member(member, row);
        }
    }

    fn member(&mut self, of: &Member, row: &mut Bytes) {
        row.byte(flags(of));
        row.number(self.a_type(&of.declared));
        self.signatures(&of.signatures, row);
        self.text(of.deprecated.as_ref(), row);
        row.place(of.at);
    }

    /// A type or nothing: its number plus one, or 0.
    fn maybe(&mut self, of: Option<&Type>, row: &mut Bytes) {
        let id = of.map_or(0, |t| self.a_type(t) + 1);
        row.number(id);
    }

    fn text(&mut self, of: Option<&Name>, row: &mut Bytes) {
        let id = of.map_or(0, |t| self.name(t) + 1);
        row.number(id);
    }

    fn parameters(&mut self, of: &[TypeParameter], row: &mut Bytes) {
        row.count(of.len());
        for parameter in of {
            row.number(self.name(&parameter.name));
            self.maybe(parameter.constraint.as_ref(), row);
            self.maybe(parameter.default.as_ref(), row);
        }
    }

    fn datagraph(&mut self, of: &Datagraph, body: &mut Bytes) {
        body.number(self.name(&of.api));
        body.number(self.name(&of.version));
        body.count(of.modules.len());
        for (said, meant) in &of.modules {
            body.number(self.name(said));
            body.number(self.name(meant));
        }
        body.count(of.names.len());
        for (said, meant) in &of.names {
            body.number(self.full_name(said));
            body.number(self.full_name(meant));
        }
        body.count(of.aliases.len());
        for (name, alias) in &of.aliases {
            body.number(self.full_name(name));
            self.parameters(&alias.type_parameters, body);
            body.number(self.a_type(&alias.means));
            body.place(alias.at);
        }
        body.count(of.interfaces.len());
        for (key, interface) in &of.interfaces {
            body.number(self.full_name(&key.name));
            body.byte(match key.side {
                Side::Type => 0,
                Side::Value => 1,
            });
            self.interface(interface, body);
        }
        body.count(of.sources.len());
        for source in &of.sources {
            body.number(self.name(&source.path));
            body.number(self.name(&source.hash));
        }
        body.count(of.holes.len());
        for hole in &of.holes {
            body.place((hole.source, hole.line));
            body.number(self.name(&hole.what));
        }
    }

    fn interface(&mut self, of: &Interface, body: &mut Bytes) {
        body.byte(match of.kind {
            InterfaceKind::Interface => 0,
            InterfaceKind::Class => 1,
            InterfaceKind::Statics => 2,
            InterfaceKind::Function => 3,
            InterfaceKind::Namespace => 4,
            InterfaceKind::Module => 5,
            InterfaceKind::Enum => 6,
            InterfaceKind::Globals => 7,
        });
        self.parameters(&of.type_parameters, body);
        self.types(&of.extends, body);
        self.shape_row(&of.shape, body);
        self.maybe(of.exports.as_ref(), body);
        self.text(of.open.as_ref(), body);
        self.text(of.deprecated.as_ref(), body);
        body.place(of.at);
    }
}

fn tag(of: &Type) -> u8 {
    match of {
        Type::Any => 0,
        Type::Unknown => 1,
        Type::Opaque(_) | Type::Own(_) => 2,
        Type::Never => 3,
        Type::Void => 4,
        Type::Null => 5,
        Type::Undefined => 6,
        Type::String => 7,
        Type::Number => 8,
        Type::Boolean => 9,
        Type::BigInt => 10,
        Type::Symbol => 11,
        Type::Object => 12,
        Type::Text(_) => 13,
        Type::Digits(_) => 14,
        Type::Truth(false) => 15,
        Type::Truth(true) => 16,
        Type::Named(_) => 17,
        Type::Typeof(_) => 18,
        Type::Array(_) => 19,
        Type::Tuple(_) => 20,
        Type::Union(_) => 21,
        Type::Intersection(_) => 22,
        Type::Function(_) => 23,
        Type::Constructor(_) => 24,
        Type::Literal(_) => 25,
        Type::KeyOf(_) => 26,
        Type::Indexed(_) => 27,
        Type::This => 28,
        Type::Is(_) => 29,
    }
}

/// What a member is, in seven bits: two for its kind, two for access, one each for presence and writing.
fn flags(of: &Member) -> u8 {
    let kind = match of.kind {
        MemberKind::Property => 0,
        MemberKind::Method => 1,
        MemberKind::Event => 2,
    };
    let access = match of.access {
        Access::Public => 0,
        Access::Protected => 1,
        Access::Private => 2,
    };
    let presence = match of.presence {
        Presence::Always => 0,
        Presence::Maybe => 1,
    };
    let writing = match of.writing {
        Writing::Allowed => 0,
        Writing::Refused => 1,
    };
    kind | access << 2 | presence << 4 | writing << 5
}
