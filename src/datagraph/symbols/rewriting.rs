//! Types rebuilt with other names: what becomes of each name is the caller's to say.

use crate::types::{Member, Named, Parameter, Shape, Signature, Type, TypeName, TypeParameter};
use std::sync::Arc;

/// What becomes of the names in a type.
pub(super) trait Naming {
    /// A named type; its arguments have been rebuilt.
    fn named(&mut self, name: &TypeName, arguments: Vec<Type>) -> Type;
    /// `typeof name`.
    fn type_of(&mut self, name: &TypeName) -> Type;
    /// These type parameters hide other names from here on.
    fn enter(&mut self, parameters: &[TypeParameter]);
    /// The last `n` type parameters end.
    fn leave(&mut self, n: usize);
}

/// A type with other names.
pub(super) fn rebuilt(this: &Type, naming: &mut impl Naming) -> Type {
    match this {
        Type::Any
        | Type::Unknown
        | Type::Opaque(_)
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
        | Type::Text(_)
        | Type::Digits(_)
        | Type::Truth(_)
        | Type::This
        | Type::Own(_) => this.clone(),
        Type::Named(named) => {
            let Named { name, arguments } = &**named;
            let arguments = list(arguments, naming);
            naming.named(name, arguments)
        }
        Type::Typeof(name) => naming.type_of(name),
        Type::Array(element) => Type::Array(Arc::new(rebuilt(element, naming))),
        Type::Tuple(parts) => Type::Tuple(list(parts, naming).into()),
        Type::Union(parts) => Type::union(list(parts, naming)),
        Type::Intersection(parts) => Type::Intersection(list(parts, naming).into()),
        Type::Function(signature) => Type::Function(Arc::new(rebuilt_signature(signature, naming))),
        Type::Constructor(signature) => {
            Type::Constructor(Arc::new(rebuilt_signature(signature, naming)))
        }
        Type::Literal(shape) => Type::Literal(Arc::new(rebuilt_shape(shape, naming, None))),
        Type::KeyOf(inner) => Type::KeyOf(Arc::new(rebuilt(inner, naming))),
        Type::Indexed(pair) => {
            Type::Indexed(Arc::new((rebuilt(&pair.0, naming), rebuilt(&pair.1, naming))))
        }
        Type::Is(pair) => Type::Is(Arc::new((pair.0.clone(), rebuilt(&pair.1, naming)))),
    }
}

fn list(parts: &[Type], naming: &mut impl Naming) -> Vec<Type> {
    parts.iter().map(|part| rebuilt(part, naming)).collect()
}

/// A signature with other names.
pub(super) fn rebuilt_signature(this: &Signature, naming: &mut impl Naming) -> Signature {
    naming.enter(&this.type_parameters);
    let found = Signature {
        type_parameters: rebuilt_parameters(&this.type_parameters, naming),
        this: this.this.as_ref().map(|t| rebuilt(t, naming)),
        parameters: this
            .parameters
            .iter()
            .map(|p| Parameter {
                name: p.name.clone(),
                declared: rebuilt(&p.declared, naming),
                arity: p.arity,
            })
            .collect(),
        returns: rebuilt(&this.returns, naming),
    };
    naming.leave(this.type_parameters.len());
    found
}

/// Type parameters with other names in their constraints and defaults; they must have been entered.
pub(super) fn rebuilt_parameters(
    these: &[TypeParameter],
    naming: &mut impl Naming,
) -> Vec<TypeParameter> {
    these
        .iter()
        .map(|p| TypeParameter {
            name: p.name.clone(),
            constraint: p.constraint.as_ref().map(|t| rebuilt(t, naming)),
            default: p.default.as_ref().map(|t| rebuilt(t, naming)),
        })
        .collect()
}

/// A shape with other names. Its members get `source` as theirs; without one, as in a type literal, they have no place
/// and no deprecation, since text has none.
pub(super) fn rebuilt_shape(this: &Shape, naming: &mut impl Naming, source: Option<u32>) -> Shape {
    Shape {
        members: this
            .members
            .iter()
            .map(|(name, member)| (name.clone(), rebuilt_member(member, naming, source)))
            .collect(),
        calls: this.calls.iter().map(|s| rebuilt_signature(s, naming)).collect(),
        constructs: this.constructs.iter().map(|s| rebuilt_signature(s, naming)).collect(),
        index: this.index.iter().map(|(k, v)| (rebuilt(k, naming), rebuilt(v, naming))).collect(),
    }
}

fn rebuilt_member(this: &Member, naming: &mut impl Naming, source: Option<u32>) -> Member {
    Member {
        declared: rebuilt(&this.declared, naming),
        signatures: this.signatures.iter().map(|s| rebuilt_signature(s, naming)).collect(),
        at: source.map_or((0, 0), |source| (source, this.at.1)),
        deprecated: this.deprecated.clone().filter(|_| source.is_some()),
        ..*this
    }
}
