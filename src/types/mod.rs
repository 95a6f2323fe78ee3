//! Types as TypeScript writes them, kept only as far as members can be decided from them.
//!
//! What cannot be represented is [`Type::Opaque`] with the reason; nothing is ever claimed about its members.
//! Nothing here looks a name up: that is the corpus's work.

pub mod parse;
pub mod print;
pub mod rename;
pub mod substitute;

use crate::base::Name;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The full name of a named type, interface or value: the module it is declared in and its dotted path.
///
/// Printed as `A.B` where it is global and as `import("module").A.B` where it is not.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TypeName {
    /// The module's name; empty for what is global.
    pub module: Name,
    /// The dotted path in it; empty for the module itself.
    pub path: Name,
}

impl TypeName {
    /// A global name.
    pub fn global(path: impl Into<Name>) -> TypeName {
        TypeName { module: Name::default(), path: path.into() }
    }

    /// A name in a module.
    pub fn within(module: impl Into<Name>, path: impl Into<Name>) -> TypeName {
        TypeName { module: module.into(), path: path.into() }
    }

    /// The last part of the path, or the module's name where there is no path.
    pub fn last(&self) -> &str {
        let whole = if self.path.is_empty() { self.module.as_str() } else { self.path.as_str() };
        whole.rsplit('.').next().unwrap_or(whole)
    }

    /// The name of `inner` declared in this namespace or module.
    pub fn child(&self, inner: &str) -> TypeName {
        let path = if self.path.is_empty() {
            inner.into()
        } else {
            format!("{}.{inner}", self.path).into()
        };
        TypeName { module: self.module.clone(), path }
    }
}

/// A type.
///
/// It is cheap to clone: what is nested is shared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Type {
    /// `any`: every member may exist.
    Any,
    /// `unknown`: nothing is known.
    Unknown,
    /// Something that cannot be represented, with what it was.
    Opaque(Name),
    /// `never`.
    Never,
    /// `void`.
    Void,
    /// `null`.
    Null,
    /// `undefined`.
    Undefined,
    /// `string`.
    String,
    /// `number`.
    Number,
    /// `boolean`.
    Boolean,
    /// `bigint`.
    BigInt,
    /// `symbol` and `unique symbol`.
    Symbol,
    /// `object`.
    Object,
    /// A string literal.
    Text(Name),
    /// A number literal, as written.
    Digits(Name),
    /// `true` or `false`.
    Truth(bool),
    /// A named type with its arguments; a name without a dot may be a type parameter in scope.
    Named(Arc<Named>),
    /// `typeof x`: the type of a value.
    Typeof(Arc<TypeName>),
    /// `T[]`.
    Array(Arc<Type>),
    /// `[A, B]`; rest and optional elements are kept as their element types.
    Tuple(Arc<[Type]>),
    /// `A | B`.
    Union(Arc<[Type]>),
    /// `A & B`.
    Intersection(Arc<[Type]>),
    /// `(a: A) => R`.
    Function(Arc<Signature>),
    /// `new (a: A) => R`.
    Constructor(Arc<Signature>),
    /// `{ a: A; b(): B }`.
    Literal(Arc<Shape>),
    /// `keyof T`.
    KeyOf(Arc<Type>),
    /// `T[K]`.
    Indexed(Arc<(Type, Type)>),
    /// `this`.
    This,
    /// `x is T`: a boolean that says something about a parameter.
    Is(Arc<(Name, Type)>),
    /// Something that the code under check declares itself; never printed into a datagraph.
    Own(Own),
}

/// What the code under check declares itself, by its index in that script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Own {
    /// The static side of a class.
    Class(u32),
    /// An instance of a class.
    Instance(u32),
    /// A function as a value.
    Function(u32),
    /// An object literal.
    Object(u32),
}

/// A named type with arguments.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Named {
    /// Its full name.
    pub name: TypeName,
    /// Its type arguments, in order.
    pub arguments: Vec<Type>,
}

/// One way to call or construct something.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Signature {
    /// Its own type parameters.
    pub type_parameters: Vec<TypeParameter>,
    /// The declared type of `this`, if any.
    pub this: Option<Type>,
    /// Its parameters, in order.
    pub parameters: Vec<Parameter>,
    /// What a call gives.
    pub returns: Type,
}

impl Default for Type {
    fn default() -> Type {
        Type::Opaque("undeclared".into())
    }
}

/// A type parameter.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TypeParameter {
    /// Its name.
    pub name: Name,
    /// What it `extends`.
    pub constraint: Option<Type>,
    /// What it is where nothing is given.
    pub default: Option<Type>,
}

/// A parameter of a signature.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name; patterns are named `_`.
    pub name: Name,
    /// Its type; of a rest parameter the whole array's.
    pub declared: Type,
    /// How many arguments it takes.
    pub arity: Arity,
}

impl Signature {
    /// Its parameters' types and what it gives.
    fn types(&self) -> impl Iterator<Item = &Type> {
        self.parameters.iter().map(|p| &p.declared).chain([&self.returns])
    }

    /// How many arguments it takes at least and at most.
    pub fn takes(&self) -> (usize, usize) {
        let least = self.parameters.iter().filter(|p| p.arity == Arity::Required).count();
        let rest = self.parameters.iter().any(|p| p.arity == Arity::Rest);
        (least, if rest { usize::MAX } else { self.parameters.len() })
    }

    /// The declared type of what the argument at `idx` is given to; of a rest parameter its element.
    pub fn parameter_at(&self, idx: usize) -> Option<Type> {
        let last = self.parameters.last()?;
        let parameter = match self.parameters.get(idx) {
            Some(parameter) => parameter,
            None if last.arity == Arity::Rest => last,
            None => return None,
        };
        Some(match (parameter.arity, &parameter.declared) {
            (Arity::Rest, Type::Array(element)) => (**element).clone(),
            (Arity::Rest, Type::Named(named)) if named.arguments.len() == 1 => {
                named.arguments[0].clone()
            }
            (Arity::Rest, Type::Tuple(parts)) => {
                let at = (idx + 1).saturating_sub(self.parameters.len());
                parts.get(at).cloned().unwrap_or(Type::Unknown)
            }
            (Arity::Rest, _) => Type::Unknown,
            (_, declared) => declared.clone(),
        })
    }
}

/// How many arguments a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Arity {
    /// Exactly one.
    Required,
    /// One or none.
    Optional,
    /// Any number.
    Rest,
}

/// Members, call signatures, construct signatures and index signatures: what a type literal and an interface have alike.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Shape {
    /// Its members by name.
    pub members: BTreeMap<Name, Member>,
    /// How it is called.
    pub calls: Vec<Signature>,
    /// How it is constructed with `new`.
    pub constructs: Vec<Signature>,
    /// Its index signatures, as (key, value).
    pub index: Vec<(Type, Type)>,
}

/// A property, method, accessor or event of a shape.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Member {
    /// What it is.
    pub kind: MemberKind,
    /// A property's type; of a method [`Type::Void`], since its signatures say all.
    pub declared: Type,
    /// A method's signatures in the order of their declaration; a property has none.
    pub signatures: Vec<Signature>,
    /// Whether it may be absent.
    pub presence: Presence,
    /// Whether it may be written.
    pub writing: Writing,
    /// Who may use it.
    pub access: Access,
    /// Set where it is deprecated: the text that says so, maybe empty.
    pub deprecated: Option<Name>,
    /// Where it is declared: index into the datagraph's sources and line from 1.
    pub at: (u32, u32),
}

impl Member {
    /// A plain, present, writable, public property.
    pub fn property(declared: Type) -> Member {
        Member {
            kind: MemberKind::Property,
            declared,
            signatures: Vec::new(),
            presence: Presence::Always,
            writing: Writing::Allowed,
            access: Access::Public,
            deprecated: None,
            at: (0, 0),
        }
    }

    /// What reading it gives: a property's type, a method's function.
    pub fn gives(&self) -> Type {
        match self.kind {
            MemberKind::Method => Type::callable(&self.signatures),
            MemberKind::Property | MemberKind::Event => self.declared.clone(),
        }
    }

    /// A plain method with these signatures.
    pub fn method(signatures: Vec<Signature>) -> Member {
        Member { kind: MemberKind::Method, signatures, ..Member::property(Type::Void) }
    }
}

/// What a member is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum MemberKind {
    /// A property or accessor.
    Property,
    /// A method.
    Method,
    /// An event that can be listened to by name.
    Event,
}

/// Whether a member may be absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Presence {
    /// It is there.
    Always,
    /// Declared with `?`.
    Maybe,
}

/// Whether a member may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Writing {
    /// It may.
    Allowed,
    /// It is `readonly`, `const` or has a getter only.
    Refused,
}

/// Who may use a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Access {
    /// Everybody.
    Public,
    /// Subclasses.
    Protected,
    /// The class alone.
    Private,
}

impl Type {
    /// A named type without arguments.
    pub fn named(name: TypeName) -> Type {
        Type::Named(Arc::new(Named { name, arguments: Vec::new() }))
    }

    /// A named type with arguments.
    pub fn generic(name: TypeName, arguments: Vec<Type>) -> Type {
        Type::Named(Arc::new(Named { name, arguments }))
    }

    /// Something that can be called with these signatures.
    pub fn callable(signatures: &[Signature]) -> Type {
        match signatures {
            [one] => Type::Function(Arc::new(one.clone())),
            many => Type::Literal(Arc::new(Shape { calls: many.to_vec(), ..Shape::default() })),
        }
    }

    /// Something that cannot be represented.
    pub fn opaque(what: &str) -> Type {
        Type::Opaque(what.into())
    }

    /// The union of `parts`: nested unions are flattened, repeats dropped, the order kept; one part stays itself.
    pub fn union(parts: impl IntoIterator<Item = Type>) -> Type {
        let mut flat: Vec<Type> = Vec::new();
        for part in parts {
            match part {
                Type::Union(inner) => {
                    for one in inner.iter() {
                        if !flat.contains(one) {
                            flat.push(one.clone());
                        }
                    }
                }
                Type::Never => {}
                other if flat.contains(&other) => {}
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Type::Never,
            1 => flat.remove(0),
            _ => Type::Union(flat.into()),
        }
    }

    /// Whether it has more than `most` parts; counting ends there.
    pub fn is_larger_than(&self, most: usize) -> bool {
        let mut left = most;
        let mut open = vec![self];
        while let Some(next) = open.pop() {
            if left == 0 {
                return true;
            }
            left -= 1;
            next.parts(&mut open);
        }
        false
    }

    /// Adds the types that it is made of.
    fn parts<'t>(&'t self, open: &mut Vec<&'t Type>) {
        match self {
            Type::Named(named) => open.extend(&named.arguments),
            Type::Array(inner) | Type::KeyOf(inner) => open.push(inner),
            Type::Tuple(parts) | Type::Union(parts) | Type::Intersection(parts) => {
                open.extend(parts.iter());
            }
            Type::Indexed(pair) => open.extend([&pair.0, &pair.1]),
            Type::Is(pair) => open.push(&pair.1),
            Type::Function(signature) | Type::Constructor(signature) => {
                open.extend(signature.types());
            }
            Type::Literal(shape) => {
                let signatures = shape.calls.iter().chain(&shape.constructs);
                let methods = shape.members.values().flat_map(|m| &m.signatures);
                open.extend(signatures.chain(methods).flat_map(Signature::types));
                open.extend(shape.members.values().map(|m| &m.declared));
                open.extend(shape.index.iter().flat_map(|(key, value)| [key, value]));
            }
            _ => {}
        }
    }

    /// Whether something that the code under check declares is a part of it.
    pub fn holds_own(&self) -> bool {
        let mut open = vec![self];
        while let Some(next) = open.pop() {
            if matches!(next, Type::Own(_)) {
                return true;
            }
            next.parts(&mut open);
        }
        false
    }

    /// Without `null`, `undefined` and `void`; what is nothing else stays as it is.
    pub fn present(&self) -> Type {
        match self {
            Type::Union(parts) => Type::union(
                parts
                    .iter()
                    .filter(|p| !matches!(p, Type::Null | Type::Undefined | Type::Void))
                    .cloned(),
            ),
            other => other.clone(),
        }
    }
}
