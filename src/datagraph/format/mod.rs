//! A datagraph as text that people review, and as bytes that load at once.
//!
//! The text is JSON documents: `symbols.json`, what exists, `provenance.json`, where that was read and what could not be,
//! and those of what the sources say beside it. All are sorted, one member a line, and hold only what differs from the ordinary, so that a change reads as
//! a change. Nothing here touches a file.

pub mod packed;
pub mod read;
pub mod write;
pub mod documentation;

pub use documentation::{CHUNKS, CONSTRUCTS, TOPICS, chunks, constructs, documentation, topics};
pub use packed::{packed, unpacked};
pub use read::read;
pub use write::{provenance, symbols};

use thiserror::Error;

/// The format's number; it grows when what is written changes its meaning.
pub const FORMAT: u32 = 1;

/// The name of the document that holds what exists.
pub const SYMBOLS: &str = "symbols.json";

/// The name of the document that holds where it was read.
pub const PROVENANCE: &str = "provenance.json";

/// Why a datagraph could not be read.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum FormatTrouble {
    /// It was written by another version.
    #[error("the datagraph has format {found}, this build reads {FORMAT}: run groundline build")]
    Other {
        /// Its format.
        found: u32,
    },
    /// It is not what was written.
    #[error("the datagraph is damaged ({0}): run groundline build")]
    Damaged(String),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datagraph::{Alias, Datagraph, Hole, Interface, InterfaceKind, Key, Side, Source};
    use crate::types::{
        Access, Arity, Member, MemberKind, Parameter, Presence, Shape, Signature, Type, TypeName,
        TypeParameter, Writing,
    };

    /// Numbers without chance: a linear congruence is enough to vary shapes.
    pub struct Dice(pub u64);

    impl Dice {
        pub(super) fn up_to(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) % n
        }

        pub(super) fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
            of[self.up_to(of.len() as u64) as usize]
        }

        pub(super) fn name(&mut self) -> TypeName {
            let path = self.one(&["Block", "Layout.Row", "a$", "Größe", "x.y.z", "_"]);
            let module = self.one(&["", "", "pkg/a-b", "say \"hi\"\\", "*.svg"]);
            match self.up_to(9) == 0 && !module.is_empty() {
                true => TypeName::within(module, ""),
                false => TypeName::within(module, path),
            }
        }

        fn a_type(&mut self, depth: u32) -> Type {
            let deeper = if depth == 0 { 6 } else { 13 };
            match self.up_to(deeper) {
                0 => Type::String,
                1 => Type::opaque("conditional type"),
                2 => Type::Text("it's \"so\"\n".into()),
                3 => Type::Digits("42".into()),
                4 => Type::Typeof(std::sync::Arc::new(self.name())),
                5 => Type::named(self.name()),
                6 => Type::Array(self.a_type(depth - 1).into()),
                7 => Type::union([self.a_type(depth - 1), Type::Null, Type::Undefined]),
                8 => Type::Function(self.signature(depth - 1).into()),
                9 => Type::Literal(self.shape(depth - 1).into()),
                10 => Type::Tuple([self.a_type(depth - 1), Type::Any].into()),
                11 => Type::generic(self.name(), vec![self.a_type(depth - 1)]),
                _ => Type::KeyOf(self.a_type(depth - 1).into()),
            }
        }

        fn signature(&mut self, depth: u32) -> Signature {
            let arity = [Arity::Required, Arity::Optional, Arity::Rest][self.up_to(3) as usize];
            let parameter = Parameter { name: "given".into(), declared: self.a_type(depth), arity };
            Signature {
                type_parameters: self.type_parameters(),
                this: None,
                parameters: vec![parameter],
                returns: self.a_type(depth),
            }
        }

        fn type_parameters(&mut self) -> Vec<TypeParameter> {
            let parameter =
                TypeParameter { name: "T".into(), constraint: Some(Type::Object), default: None };
            (0..self.up_to(2)).map(|_| parameter.clone()).collect()
        }

        fn member(&mut self, depth: u32) -> Member {
            let mut member = match self.up_to(2) {
                0 => Member::property(self.a_type(depth)),
                _ => Member::method(vec![self.signature(depth), self.signature(depth)]),
            };
            if self.up_to(4) == 0 {
                member.writing = Writing::Refused;
            }
            if self.up_to(4) == 0 {
                member.presence = Presence::Maybe;
            }
            member
        }

        fn shape(&mut self, depth: u32) -> Shape {
            let mut shape = Shape::default();
            for _ in 0..self.up_to(4) {
                let name = self.one(&["a", "b-c", "[Symbol.iterator]", "\u{202e}x\n", "", "0"]);
                shape.members.insert(name.into(), self.member(depth));
            }
            if self.up_to(3) == 0 {
                shape.calls.push(self.signature(depth));
                shape.constructs.push(self.signature(depth));
                shape.index.push((Type::String, self.a_type(depth)));
            }
            shape
        }

        pub fn datagraph(&mut self) -> Datagraph {
            let mut all =
                Datagraph { api: "a".into(), version: "1".into(), ..Datagraph::default() };
            for n in 0..self.up_to(12) {
                let kind = [InterfaceKind::Class, InterfaceKind::Module, InterfaceKind::Enum];
                let mut one = Interface::new(kind[self.up_to(3) as usize]);
                one.shape = self.shape(2);
                for member in one.shape.members.values_mut() {
                    member.at = (n as u32, 7);
                    member.access = [Access::Public, Access::Protected][self.up_to(2) as usize];
                    member.deprecated = (self.up_to(5) == 0).then(|| "use b".into());
                    if member.kind == MemberKind::Property && self.up_to(5) == 0 {
                        member.kind = MemberKind::Event;
                    }
                }
                one.type_parameters = self.type_parameters();
                one.open = (self.up_to(4) == 0).then(|| "index".into());
                one.exports = (self.up_to(6) == 0).then(|| self.a_type(1));
                one.extends = (0..self.up_to(3)).map(|_| self.a_type(1)).collect();
                one.at = (1, 2);
                let side = [Side::Type, Side::Value][self.up_to(2) as usize];
                all.interfaces.insert(Key { name: self.name(), side }, one);
                all.names.insert(self.name(), self.name());
                let alias = Alias {
                    type_parameters: self.type_parameters(),
                    means: self.a_type(3),
                    at: (0, 9),
                };
                all.aliases.insert(self.name(), alias);
            }
            all.interfaces.insert(Key::globals(), Interface::new(InterfaceKind::Globals));
            all.modules.insert("pkg".into(), "pkg/index".into());
            all.sources.push(Source { path: "a.d.ts".into(), hash: "00ff".into() });
            all.holes.push(Hole { source: 0, line: 3, what: "a \"hole\"".into() });
            all
        }
    }

    #[test]
    fn what_is_written_is_read_back_the_same() {
        for seed in 0..200 {
            let datagraph = Dice(seed).datagraph();
            let (s, p) = (symbols(&datagraph), provenance(&datagraph));
            assert_eq!(read(&s, &p).as_ref(), Ok(&datagraph), "seed {seed}\n{s}");
            assert_eq!(unpacked(&packed(&datagraph)).as_ref(), Ok(&datagraph), "seed {seed}");
            let again = read(&s, &p).unwrap();
            assert_eq!((symbols(&again), provenance(&again)), (s, p));
            assert_eq!(packed(&again), packed(&datagraph));
        }
    }

    #[test]
    fn a_member_is_a_line_and_says_only_what_is_not_ordinary() {
        let mut datagraph = Datagraph { api: "folio".into(), ..Datagraph::default() };
        let mut block = Interface::new(InterfaceKind::Interface);
        block.shape.members.insert("name".into(), Member::property(Type::String));
        let copy = Signature { returns: Type::This, ..Signature::default() };
        block.shape.members.insert("copy".into(), Member::method(vec![copy]));
        let mut pages = Member::property(Type::Number);
        pages.writing = Writing::Refused;
        pages.at = (2, 14);
        block.shape.members.insert("pages".into(), pages);
        datagraph.interfaces.insert(Key::of_type(TypeName::global("Block")), block);
        let expected = r#"{
  "format": 1,
  "api": "folio",
  "version": "",
  "interfaces": {
    "Block": {
      "kind": "interface",
      "at": [0, 0],
      "members": {
        "copy": {"calls": ["(): this"], "at": [0, 0]},
        "name": {"type": "string", "at": [0, 0]},
        "pages": {"type": "number", "readonly": true, "at": [2, 14]}
      }
    }
  }
}
"#;
        assert_eq!(symbols(&datagraph), expected);
    }

    #[test]
    fn another_format_and_damage_are_told_apart() {
        let (s, p) = (symbols(&Datagraph::default()), provenance(&Datagraph::default()));
        let later = s.replace("\"format\": 1", "\"format\": 2");
        assert_eq!(read(&later, &p), Err(FormatTrouble::Other { found: 2 }));
        assert!(matches!(read(&s[..s.len() - 3], &p), Err(FormatTrouble::Damaged(_))));
        let bytes = packed(&Datagraph::default());
        for end in 0..bytes.len() {
            assert!(unpacked(&bytes[..end]).is_err(), "{end}");
        }
    }
}
