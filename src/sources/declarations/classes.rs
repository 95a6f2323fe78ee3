//! Classes, and what functions and variables are declared as.

use super::declared::{Base, Class};
use super::notes::Notes;
use super::shapes::{self, Callable};
use super::types::{self, Types};
use super::words;
use crate::types::{Access, Presence, Shape, Signature, Type, TypeName, Writing};
use oxc_ast::ast::{
    self, ClassElement, Expression, Function, MethodDefinitionKind, PropertyKey, TSAccessibility,
};
use oxc_span::GetSpan;

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
                    writing: shapes::writing(property.readonly),
                    presence: shapes::presence(property.optional),
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
                let pair = types::index_of(types, index);
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
        let Some(name) = words::key_name(key, notes) else { return };
        let mut member = shapes::noted(declared, start, notes);
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
    let Some(name) = words::key_name(&method.key, notes) else { return };
    let mut member = shapes::noted(Type::Void, method.span.start, notes);
    member.access = access(method.accessibility, &method.key);
    member.presence = shapes::presence(method.optional);
    let shape = side(class, method.r#static);
    // The implementation behind overloads is no overload itself.
    if kind == Callable::Method && is_implementation && shape.members.contains_key(&name) {
        return;
    }
    shapes::add_callable(shape, name, member, signature, kind);
}

/// `constructor(readonly a: A)` declares a property too; only sources have it, never declarations.
fn add_parameter_properties(class: &mut Class, constructor: &Function<'_>, notes: &mut Notes) {
    for parameter in &constructor.params.items {
        let ast::BindingPattern::BindingIdentifier(word) = &parameter.pattern else { continue };
        if parameter.accessibility.is_none() && !parameter.readonly && !parameter.r#override {
            continue;
        }
        let declared = Types::default().annotated(parameter.type_annotation.as_deref());
        let mut member = shapes::noted(declared, parameter.span.start, notes);
        member.access = said_access(parameter.accessibility);
        member.writing = shapes::writing(parameter.readonly);
        member.presence = shapes::presence(parameter.optional);
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
    match words::expression_name(&heritage.expression) {
        Some(name) => Base::Named(TypeName::global(name), arguments),
        None if matches!(heritage.expression, Expression::NullLiteral(_)) => Base::None,
        None => {
            notes.gap(heritage.expression.span().start, "class extends an expression");
            Base::Expression("extends an expression".into())
        }
    }
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
