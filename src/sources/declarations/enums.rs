//! The members of an enum, and whether they are numbers or strings.

use super::declared::{Constant, ConstantKind};
use super::notes::Notes;
use crate::base::Name;
use oxc_ast::ast::{Expression, TSEnumDeclaration, TSEnumMemberName};
use std::collections::BTreeMap;

/// How deep an initialiser is looked into.
const MAX_DEPTH: u32 = 50;

/// The members of an enum.
pub(super) fn constants_of(node: &TSEnumDeclaration<'_>, notes: &mut Notes) -> Vec<Constant> {
    let mut kinds: BTreeMap<Name, ConstantKind> = BTreeMap::new();
    let mut found = Vec::new();
    for member in &node.body.members {
        let name: Name = match &member.id {
            TSEnumMemberName::Identifier(word) => word.name.as_str().into(),
            TSEnumMemberName::String(text) | TSEnumMemberName::ComputedString(text) => {
                text.value.as_str().into()
            }
            TSEnumMemberName::ComputedTemplateString(template) => match template.single_quasi() {
                Some(text) => text.as_str().into(),
                None => continue,
            },
        };
        let value = member
            .initializer
            .as_ref()
            .map_or(ConstantKind::Number, |v| constant_kind(v, &kinds, 0));
        kinds.insert(name.clone(), value);
        let start = member.span.start;
        found.push(Constant {
            name,
            line: notes.line(start),
            value,
            deprecated: notes.deprecated(start),
        });
    }
    found
}

/// Whether a member's value is a string: a literal, another such member, or a sum that holds one.
fn constant_kind(
    value: &Expression<'_>,
    earlier: &BTreeMap<Name, ConstantKind>,
    depth: u32,
) -> ConstantKind {
    if depth > MAX_DEPTH {
        return ConstantKind::Number;
    }
    match value {
        Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => ConstantKind::Text,
        Expression::ParenthesizedExpression(inner) => {
            constant_kind(&inner.expression, earlier, depth + 1)
        }
        Expression::Identifier(word) => {
            earlier.get(word.name.as_str()).copied().unwrap_or(ConstantKind::Number)
        }
        Expression::StaticMemberExpression(access) => {
            earlier.get(access.property.name.as_str()).copied().unwrap_or(ConstantKind::Number)
        }
        Expression::BinaryExpression(pair) => {
            let left = constant_kind(&pair.left, earlier, depth + 1);
            match left {
                ConstantKind::Text => left,
                ConstantKind::Number => constant_kind(&pair.right, earlier, depth + 1),
            }
        }
        _ => ConstantKind::Number,
    }
}
