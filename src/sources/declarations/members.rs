//! The members of interfaces, type literals and classes.

use super::declared::{Base, Class};
use super::notes::Notes;
use super::types::Types;
use crate::base::Name;
use crate::types::{
    Access, Member, MemberKind, Presence, Shape, Signature, Type, TypeName, Writing,
};
use oxc_ast::ast::{
    self, ClassElement, Expression, Function, MethodDefinitionKind, PropertyKey, TSAccessibility,
    TSIndexSignature, TSMethodSignatureKind, TSSignature,
};
use oxc_span::GetSpan;
use std::sync::Arc;

/// A type literal.
pub(super) fn literal(types: Types, nodes: &[TSSignature<'_>]) -> Type {
    Type::Literal(Arc::new(shape_of(types, nodes, &mut Notes::default())))
}

/// The members that an interface or type literal spells.
pub(super) fn shape_of(types: Types, nodes: &[TSSignature<'_>], notes: &mut Notes) -> Shape {
    let mut shape = Shape::default();
    for node in nodes {
        let start = node.span().start;
        match node {
            TSSignature::TSIndexSignature(index) => shape.index.push(index_of(types, index)),
            TSSignature::TSPropertySignature(property) => {
                let Some(name) = key_name(&property.key, notes) else { continue };
                let mut member =
                    noted(types.annotated(property.type_annotation.as_deref()), start, notes);
                member.presence = presence(property.optional);
                member.writing = writing(property.readonly);
                shape.members.entry(name).or_insert(member);
            }
            TSSignature::TSCallSignatureDeclaration(call) => shape.calls.push(types.signature(
                call.type_parameters.as_deref(),
                call.this_param.as_deref(),
                &call.params,
                call.return_type.as_deref(),
            )),
            TSSignature::TSConstructSignatureDeclaration(construct) => {
                shape.constructs.push(types.signature(
                    construct.type_parameters.as_deref(),
                    None,
                    &construct.params,
                    construct.return_type.as_deref(),
                ));
            }
            TSSignature::TSMethodSignature(method) => {
                let Some(name) = key_name(&method.key, notes) else { continue };
                let signature = types.signature(
                    method.type_parameters.as_deref(),
                    method.this_param.as_deref(),
                    &method.params,
                    method.return_type.as_deref(),
                );
                let mut member = noted(Type::Void, start, notes);
                member.presence = presence(method.optional);
                let kind = match method.kind {
                    TSMethodSignatureKind::Method => Callable::Method,
                    TSMethodSignatureKind::Get => Callable::Getter,
                    TSMethodSignatureKind::Set => Callable::Setter,
                };
                add_callable(&mut shape, name, member, signature, kind);
            }
        }
    }
    shape
}

#[derive(Clone, Copy, PartialEq)]
enum Callable {
    Method,
    Getter,
    Setter,
}

/// Adds a method's overload, or one half of an accessor.
fn add_callable(
    shape: &mut Shape,
    name: Name,
    mut member: Member,
    signature: Signature,
    kind: Callable,
) {
    match kind {
        Callable::Method => match shape.members.get_mut(&name) {
            Some(earlier) if earlier.kind == MemberKind::Method => {
                // An overloaded method is deprecated only where all its overloads are.
                earlier.deprecated =
                    earlier.deprecated.take().filter(|_| member.deprecated.is_some());
                earlier.signatures.push(signature);
            }
            Some(_) => {}
            None => {
                member.kind = MemberKind::Method;
                member.signatures.push(signature);
                shape.members.insert(name, member);
            }
        },
        Callable::Getter => match shape.members.get_mut(&name) {
            Some(setter) => setter.declared = signature.returns,
            None => {
                member.declared = signature.returns;
                member.writing = Writing::Refused;
                shape.members.insert(name, member);
            }
        },
        Callable::Setter => match shape.members.get_mut(&name) {
            Some(getter) => getter.writing = Writing::Allowed,
            None => {
                member.declared =
                    signature.parameters.into_iter().next().map_or(Type::Any, |p| p.declared);
                shape.members.insert(name, member);
            }
        },
    }
}

/// A class.
pub(super) fn class_of(class: &ast::Class<'_>, notes: &mut Notes) -> Class {
    let types = Types::default();
    let mut found = Class {
        type_parameters: types.parameters(class.type_parameters.as_deref()),
        base: base_of(class, notes),
        instance: Shape::default(),
        statics: Shape::default(),
    };
    for element in &class.body.body {
        match element {
            ClassElement::StaticBlock(_) => {}
            ClassElement::MethodDefinition(method) => add_method(&mut found, method, notes),
            ClassElement::PropertyDefinition(property) => {
                let declared =
                    declared_type(property.type_annotation.as_deref(), property.value.as_ref());
                let field = Field {
                    is_static: property.r#static,
                    access: access(property.accessibility, &property.key),
                    writing: writing(property.readonly),
                    presence: presence(property.optional),
                };
                field.add(&mut found, &property.key, declared, property.span.start, notes);
            }
            ClassElement::AccessorProperty(property) => {
                let declared =
                    declared_type(property.type_annotation.as_deref(), property.value.as_ref());
                let field = Field {
                    is_static: property.r#static,
                    access: access(property.accessibility, &property.key),
                    writing: Writing::Allowed,
                    presence: Presence::Always,
                };
                field.add(&mut found, &property.key, declared, property.span.start, notes);
            }
            ClassElement::TSIndexSignature(index) => {
                let pair = index_of(types, index);
                side(&mut found, index.r#static).index.push(pair);
            }
        }
    }
    found
}

/// What a field says besides its name and type.
struct Field {
    is_static: bool,
    access: Access,
    writing: Writing,
    presence: Presence,
}

impl Field {
    fn add(
        self,
        class: &mut Class,
        key: &PropertyKey<'_>,
        declared: Type,
        start: u32,
        notes: &mut Notes,
    ) {
        let Some(name) = key_name(key, notes) else { return };
        let mut member = noted(declared, start, notes);
        member.access = self.access;
        member.writing = self.writing;
        member.presence = self.presence;
        side(class, self.is_static).members.entry(name).or_insert(member);
    }
}

fn side(class: &mut Class, is_static: bool) -> &mut Shape {
    if is_static { &mut class.statics } else { &mut class.instance }
}

fn add_method(class: &mut Class, method: &ast::MethodDefinition<'_>, notes: &mut Notes) {
    let signature = function_signature(&method.value);
    let is_implementation = method.value.body.is_some();
    let kind = match method.kind {
        MethodDefinitionKind::Constructor => {
            let declared = &mut class.statics.constructs;
            if !is_implementation || declared.is_empty() {
                declared.push(Signature { returns: Type::This, ..signature });
            }
            return add_parameter_properties(class, &method.value, notes);
        }
        MethodDefinitionKind::Method => Callable::Method,
        MethodDefinitionKind::Get => Callable::Getter,
        MethodDefinitionKind::Set => Callable::Setter,
    };
    let Some(name) = key_name(&method.key, notes) else { return };
    let mut member = noted(Type::Void, method.span.start, notes);
    member.access = access(method.accessibility, &method.key);
    member.presence = presence(method.optional);
    let shape = side(class, method.r#static);
    // The implementation behind overloads is no overload itself.
    if kind == Callable::Method && is_implementation && shape.members.contains_key(&name) {
        return;
    }
    add_callable(shape, name, member, signature, kind);
}

/// `constructor(readonly a: A)` declares a property too; only sources have it, never declarations.
fn add_parameter_properties(class: &mut Class, constructor: &Function<'_>, notes: &mut Notes) {
    for parameter in &constructor.params.items {
        let ast::BindingPattern::BindingIdentifier(word) = &parameter.pattern else { continue };
        if parameter.accessibility.is_none() && !parameter.readonly && !parameter.r#override {
            continue;
        }
        let declared = Types::default().annotated(parameter.type_annotation.as_deref());
        let mut member = noted(declared, parameter.span.start, notes);
        member.access = said_access(parameter.accessibility);
        member.writing = writing(parameter.readonly);
        member.presence = presence(parameter.optional);
        class.instance.members.entry(word.name.as_str().into()).or_insert(member);
    }
}

/// The signature of a function; where it has a body and no declared result, the result is not known.
pub(super) fn function_signature(function: &Function<'_>) -> Signature {
    let mut signature = Types::default().signature(
        function.type_parameters.as_deref(),
        function.this_param.as_deref(),
        &function.params,
        function.return_type.as_deref(),
    );
    if function.return_type.is_none() && function.body.is_some() {
        signature.returns = Type::opaque("undeclared result");
    }
    signature
}

/// What a variable or field is declared as: its annotation, else what its initialiser shows, else `any`.
pub(super) fn declared_type(
    annotation: Option<&ast::TSTypeAnnotation<'_>>,
    value: Option<&Expression<'_>>,
) -> Type {
    match (annotation, value) {
        (Some(annotation), _) => Types::default().of(&annotation.type_annotation),
        (None, Some(value)) => Types::default().initialiser(value),
        (None, None) => Type::Any,
    }
}

fn base_of(class: &ast::Class<'_>, notes: &mut Notes) -> Base {
    let Some(heritage) = &class.heritage else { return Base::None };
    let arguments = Types::default().arguments(heritage.type_arguments.as_deref());
    match expression_name(&heritage.expression) {
        Some(name) => Base::Named(TypeName::global(name), arguments),
        None if matches!(heritage.expression, Expression::NullLiteral(_)) => Base::None,
        None => {
            notes.gap(heritage.expression.span().start, "class extends an expression");
            Base::Expression("extends an expression".into())
        }
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

fn index_of(types: Types, index: &TSIndexSignature<'_>) -> (Type, Type) {
    let key = types.of(&index.parameter.type_annotation.type_annotation);
    (key, types.of(&index.type_annotation.type_annotation))
}

/// The name of a key. `[Symbol.x]` is named `@@x`; any other computed name cannot be written behind a dot and is noted.
fn key_name(key: &PropertyKey<'_>, notes: &mut Notes) -> Option<Name> {
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

/// A member with its line and what calls it deprecated.
fn noted(declared: Type, start: u32, notes: &Notes) -> Member {
    let mut member = Member::property(declared);
    member.at = (0, notes.line(start));
    member.deprecated = notes.deprecated(start);
    member
}

fn access(said: Option<TSAccessibility>, key: &PropertyKey<'_>) -> Access {
    if key.is_private_identifier() { Access::Private } else { said_access(said) }
}

fn said_access(said: Option<TSAccessibility>) -> Access {
    match said {
        Some(TSAccessibility::Private) => Access::Private,
        Some(TSAccessibility::Protected) => Access::Protected,
        Some(TSAccessibility::Public) | None => Access::Public,
    }
}

fn presence(optional: bool) -> Presence {
    if optional { Presence::Maybe } else { Presence::Always }
}

fn writing(readonly: bool) -> Writing {
    if readonly { Writing::Refused } else { Writing::Allowed }
}
