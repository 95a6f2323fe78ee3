//! Names, literals, unions: what needs no look inside a type.

use super::notes::Notes;
use crate::base::Name;
use crate::types::{Type, TypeName};
use oxc_ast::ast::{
    BindingPattern, Expression, PropertyKey, TSImportType, TSImportTypeQualifier, TSLiteral,
    TSTypeName, UnaryOperator,
};
use oxc_span::GetSpan;

/// How many parts a union may have. Above it, nothing but string literals becomes `string`, and anything else is
/// opaque: no code is told a member from it, and comparing each part with each would take for ever.
const MAX_PARTS: usize = 512;

/// The dotted name of a type name; `this` has none.
pub(super) fn dotted(name: &TSTypeName<'_>) -> Option<Name> {
    let mut parts: Vec<&str> = Vec::new();
    let mut at = name;
    loop {
        match at {
            TSTypeName::IdentifierReference(word) => {
                parts.push(word.name.as_str());
                break;
            }
            TSTypeName::QualifiedName(pair) => {
                parts.push(pair.right.name.as_str());
                at = &pair.left;
            }
            TSTypeName::ThisExpression(_) => return None,
        }
    }
    parts.reverse();
    Some(parts.join(".").into())
}

/// The name that `import("m").A.B` is.
pub(super) fn import_name(import: &TSImportType<'_>) -> TypeName {
    let mut parts: Vec<&str> = Vec::new();
    let mut at = import.qualifier.as_ref();
    while let Some(qualifier) = at {
        match qualifier {
            TSImportTypeQualifier::Identifier(word) => {
                parts.push(word.name.as_str());
                at = None;
            }
            TSImportTypeQualifier::QualifiedName(pair) => {
                parts.push(pair.right.name.as_str());
                at = Some(&pair.left);
            }
        }
    }
    parts.reverse();
    TypeName::within(import.source.value.as_str(), parts.join("."))
}

/// The type of a literal.
pub(super) fn literal_type(literal: &TSLiteral<'_>) -> Type {
    match literal {
        TSLiteral::BooleanLiteral(truth) => Type::Truth(truth.value),
        TSLiteral::NumericLiteral(number) => digits(number.value),
        TSLiteral::BigIntLiteral(_) => Type::BigInt,
        TSLiteral::StringLiteral(text) => Type::Text(text.value.as_str().into()),
        TSLiteral::TemplateLiteral(template) => match template.single_quasi() {
            Some(text) => Type::Text(text.as_str().into()),
            None => Type::opaque("template type"),
        },
        TSLiteral::UnaryExpression(unary) => match &unary.argument {
            Expression::NumericLiteral(number)
                if unary.operator == UnaryOperator::UnaryNegation =>
            {
                digits(-number.value)
            }
            Expression::BigIntLiteral(_) => Type::BigInt,
            _ => Type::Number,
        },
    }
}

/// A number literal in plain digits; one that needs more than these is any number.
pub(super) fn digits(value: f64) -> Type {
    let written = value.to_string();
    match written.len() <= 32
        && written.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'.'))
    {
        true => Type::Digits(written.into()),
        false => Type::Number,
    }
}

/// The name of a parameter; a pattern has none.
pub(super) fn pattern_name(pattern: &BindingPattern<'_>) -> Name {
    match pattern {
        BindingPattern::BindingIdentifier(word) => word.name.as_str().into(),
        BindingPattern::AssignmentPattern(with_default) => match &with_default.left {
            BindingPattern::BindingIdentifier(word) => word.name.as_str().into(),
            BindingPattern::AssignmentPattern(_)
            | BindingPattern::ObjectPattern(_)
            | BindingPattern::ArrayPattern(_) => "_".into(),
        },
        BindingPattern::ObjectPattern(_) | BindingPattern::ArrayPattern(_) => "_".into(),
    }
}

/// The dotted name that an expression is.
pub(super) fn expression_name(expression: &Expression<'_>) -> Option<Name> {
    let mut parts: Vec<&str> = Vec::new();
    let mut at = expression;
    loop {
        match at {
            Expression::Identifier(word) => {
                parts.push(word.name.as_str());
                break;
            }
            Expression::StaticMemberExpression(access) => {
                parts.push(access.property.name.as_str());
                at = &access.object;
            }
            Expression::ParenthesizedExpression(inner) => at = &inner.expression,
            _ => return None,
        }
    }
    parts.reverse();
    Some(parts.join(".").into())
}

/// The name of a key. `[Symbol.x]` is named `@@x`; any other computed name cannot be written behind a dot and is noted.
pub(super) fn key_name(key: &PropertyKey<'_>, notes: &mut Notes) -> Option<Name> {
    if let PropertyKey::PrivateIdentifier(word) = key {
        return Some(format!("#{}", word.name).into());
    }
    if let PropertyKey::StaticMemberExpression(access) = key
        && matches!(&access.object, Expression::Identifier(word) if word.name == "Symbol")
    {
        return Some(format!("@@{}", access.property.name).into());
    }
    let found = key.static_name();
    if found.is_none() {
        notes.gap(key.span().start, "computed member name");
    }
    found.map(Name::from)
}

/// A union of any width.
pub(super) fn union_of(parts: Vec<Type>) -> Type {
    let width = |t: &Type| if let Type::Union(inner) = t { inner.len() } else { 1 };
    if parts.iter().map(width).sum::<usize>() <= MAX_PARTS {
        return Type::union(parts);
    }
    let texts = parts.iter().all(|part| match part {
        Type::Union(inner) => inner.iter().all(|t| matches!(t, Type::Text(_))),
        part => matches!(part, Type::Text(_)),
    });
    if texts {
        return Type::String;
    }
    Type::opaque("large union")
}

/// An intersection of any width.
pub(super) fn intersection_of(parts: Vec<Type>) -> Type {
    let mut flat: Vec<Type> = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Type::Intersection(inner) => flat.extend(inner.iter().cloned()),
            other => flat.push(other),
        }
    }
    match flat.len() {
        1 => flat.remove(0),
        n if n > MAX_PARTS => Type::opaque("large intersection"),
        _ => Type::Intersection(flat.into()),
    }
}
