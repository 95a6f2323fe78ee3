//! Type nodes to types, and the members that interfaces and type literals spell.
//!
//! What cannot be represented is opaque with a short reason. Depth and width are bounded, since types are shared and
//! printed by code that recurses.

use super::notes::Notes;
use super::shapes::{self, Callable};
use super::words;
use crate::base::Name;
use crate::types::{Arity, Parameter, Shape, Signature, Type, TypeName, TypeParameter};
use oxc_ast::ast::{
    BindingPattern, Expression, FormalParameters, TSFunctionType, TSIndexSignature,
    TSMethodSignatureKind, TSSignature, TSThisParameter, TSTupleElement, TSType, TSTypeAnnotation,
    TSTypeOperatorOperator, TSTypeParameterDeclaration, TSTypeParameterInstantiation,
    TSTypePredicateName, TSTypeQueryExprName, UnaryOperator,
};
use oxc_span::GetSpan;
use std::sync::Arc;

/// How deep a type may nest before its inner parts are opaque; what reads printed types has a bound too.
const MAX_DEPTH: u32 = 40;

/// A reader of type nodes, somewhere inside a type.
#[derive(Clone, Copy, Default)]
pub(super) struct Types {
    depth: u32,
}

impl Types {
    /// The type of an annotation; absent, it is `any`.
    pub(super) fn annotated(self, annotation: Option<&TSTypeAnnotation<'_>>) -> Type {
        annotation.map_or(Type::Any, |a| self.of(&a.type_annotation))
    }

    /// The type that a node means.
    pub(super) fn of(self, node: &TSType<'_>) -> Type {
        let inner = Types { depth: self.depth + 1 };
        if inner.depth > MAX_DEPTH {
            return Type::opaque("deeply nested type");
        }
        inner.node(node)
    }

    fn node(self, node: &TSType<'_>) -> Type {
        match node {
            TSType::TSAnyKeyword(_) => Type::Any,
            TSType::TSBigIntKeyword(_) => Type::BigInt,
            TSType::TSBooleanKeyword(_) => Type::Boolean,
            TSType::TSNeverKeyword(_) => Type::Never,
            TSType::TSNullKeyword(_) => Type::Null,
            TSType::TSNumberKeyword(_) => Type::Number,
            TSType::TSObjectKeyword(_) => Type::Object,
            TSType::TSStringKeyword(_) => Type::String,
            TSType::TSSymbolKeyword(_) => Type::Symbol,
            TSType::TSUndefinedKeyword(_) => Type::Undefined,
            TSType::TSUnknownKeyword(_) | TSType::JSDocUnknownType(_) => Type::Unknown,
            TSType::TSVoidKeyword(_) => Type::Void,
            TSType::TSThisType(_) => Type::This,
            TSType::TSIntrinsicKeyword(_) => Type::opaque("intrinsic type"),
            TSType::TSInferType(_) => Type::opaque("inferred type"),
            TSType::TSMappedType(_) => Type::opaque("mapped type"),
            TSType::TSTemplateLiteralType(_) => Type::opaque("template type"),
            TSType::TSConditionalType(conditional) => {
                match is_global_object(&conditional.check_type) {
                    // So @types/node asks whether the DOM's declarations are there too; its own answer is the second.
                    true => self.of(&conditional.false_type),
                    false => Type::opaque("conditional type"),
                }
            }
            TSType::TSParenthesizedType(inner) => self.of(&inner.type_annotation),
            TSType::JSDocNullableType(inner) => {
                Type::union([self.of(&inner.type_annotation), Type::Null])
            }
            TSType::JSDocNonNullableType(inner) => self.of(&inner.type_annotation),
            TSType::TSNamedTupleMember(member) => self.element(&member.element_type).0,
            TSType::TSArrayType(array) => Type::Array(Arc::new(self.of(&array.element_type))),
            TSType::TSTupleType(tuple) => self.tuple(&tuple.element_types),
            TSType::TSUnionType(union) => {
                words::union_of(union.types.iter().map(|t| self.of(t)).collect())
            }
            TSType::TSIntersectionType(all) => {
                words::intersection_of(all.types.iter().map(|t| self.of(t)).collect())
            }
            TSType::TSFunctionType(function) => Type::Function(Arc::new(self.function(function))),
            TSType::TSConstructorType(constructor) => Type::Constructor(Arc::new(self.signature(
                constructor.type_parameters.as_deref(),
                None,
                &constructor.params,
                Some(&constructor.return_type),
            ))),
            TSType::TSTypeLiteral(literal) => {
                Type::Literal(Arc::new(shape_of(self, &literal.members, &mut Notes::default())))
            }
            TSType::TSLiteralType(literal) => words::literal_type(&literal.literal),
            TSType::TSIndexedAccessType(access) => {
                Type::Indexed(Arc::new((self.of(&access.object_type), self.of(&access.index_type))))
            }
            TSType::TSTypeOperatorType(operator) => {
                let inner = self.of(&operator.type_annotation);
                match operator.operator {
                    TSTypeOperatorOperator::Keyof => Type::KeyOf(Arc::new(inner)),
                    TSTypeOperatorOperator::Unique => Type::Symbol,
                    TSTypeOperatorOperator::Readonly => inner,
                }
            }
            TSType::TSTypePredicate(predicate) => {
                match (predicate.asserts, &predicate.type_annotation) {
                    (true, _) | (false, None) => Type::Void,
                    (false, Some(annotation)) => {
                        let name: Name = match &predicate.parameter_name {
                            TSTypePredicateName::Identifier(name) => name.name.as_str().into(),
                            TSTypePredicateName::This(_) => "this".into(),
                        };
                        Type::Is(Arc::new((name, self.of(&annotation.type_annotation))))
                    }
                }
            }
            TSType::TSTypeQuery(query) => self.query(&query.expr_name),
            TSType::TSTypeReference(reference) => match words::dotted(&reference.type_name) {
                Some(name) => {
                    let arguments = self.arguments(reference.type_arguments.as_deref());
                    Type::generic(TypeName::global(name), arguments)
                }
                None => Type::This,
            },
            TSType::TSImportType(import) => Type::generic(
                words::import_name(import),
                self.arguments(import.type_arguments.as_deref()),
            ),
        }
    }

    /// The types of type arguments.
    pub(super) fn arguments(self, given: Option<&TSTypeParameterInstantiation<'_>>) -> Vec<Type> {
        given.map(|g| g.params.iter().map(|t| self.of(t)).collect()).unwrap_or_default()
    }

    /// Type parameters.
    pub(super) fn parameters(
        self,
        given: Option<&TSTypeParameterDeclaration<'_>>,
    ) -> Vec<TypeParameter> {
        let Some(given) = given else { return Vec::new() };
        let one = |p: &oxc_ast::ast::TSTypeParameter<'_>| TypeParameter {
            name: p.name.name.as_str().into(),
            constraint: p.constraint.as_ref().map(|t| self.of(t)),
            default: p.default.as_ref().map(|t| self.of(t)),
        };
        given.params.iter().map(one).collect()
    }

    fn function(self, function: &TSFunctionType<'_>) -> Signature {
        self.signature(
            function.type_parameters.as_deref(),
            function.this_param.as_deref(),
            &function.params,
            Some(&function.return_type),
        )
    }

    /// A signature from its parts; without a declared result it gives `any`.
    pub(super) fn signature(
        self,
        type_parameters: Option<&TSTypeParameterDeclaration<'_>>,
        this: Option<&TSThisParameter<'_>>,
        parameters: &FormalParameters<'_>,
        returns: Option<&TSTypeAnnotation<'_>>,
    ) -> Signature {
        let mut found: Vec<Parameter> = Vec::with_capacity(parameters.items.len());
        for one in &parameters.items {
            let optional = one.optional
                || one.initializer.is_some()
                || matches!(one.pattern, BindingPattern::AssignmentPattern(_));
            found.push(Parameter {
                name: words::pattern_name(&one.pattern),
                declared: self.annotated(one.type_annotation.as_deref()),
                arity: if optional { Arity::Optional } else { Arity::Required },
            });
        }
        if let Some(rest) = &parameters.rest {
            found.push(Parameter {
                name: words::pattern_name(&rest.rest.argument),
                declared: self.annotated(rest.type_annotation.as_deref()),
                arity: Arity::Rest,
            });
        }
        Signature {
            type_parameters: self.parameters(type_parameters),
            this: this.map(|t| self.annotated(t.type_annotation.as_deref())),
            parameters: found,
            returns: self.annotated(returns),
        }
    }

    /// A tuple; where a rest element is not the last, positions say nothing and it is an array of all its types.
    fn tuple(self, elements: &[TSTupleElement<'_>]) -> Type {
        let found: Vec<(Type, Position)> = elements.iter().map(|e| self.element(e)).collect();
        let rest = found.iter().position(|(_, position)| *position == Position::Rest);
        let types: Vec<Type> = found.into_iter().map(|(t, _)| t).collect();
        match rest {
            Some(i) if i + 1 < types.len() || types.len() == 1 => {
                Type::Array(Arc::new(words::union_of(types)))
            }
            _ => Type::Tuple(types.into()),
        }
    }

    fn element(self, element: &TSTupleElement<'_>) -> (Type, Position) {
        match element {
            TSTupleElement::TSOptionalType(optional) => {
                (self.of(&optional.type_annotation), Position::Fixed)
            }
            TSTupleElement::TSRestType(rest) => {
                let all = match &rest.type_annotation {
                    TSType::TSNamedTupleMember(named) => self.element(&named.element_type).0,
                    other => self.of(other),
                };
                let element = match all {
                    Type::Array(element) => (*element).clone(),
                    all => Type::Indexed(Arc::new((all, Type::Number))),
                };
                (element, Position::Rest)
            }
            other => match other.as_ts_type() {
                Some(node) => (self.of(node), Position::Fixed),
                None => (Type::opaque("tuple element"), Position::Fixed),
            },
        }
    }

    fn query(self, name: &TSTypeQueryExprName<'_>) -> Type {
        match name {
            TSTypeQueryExprName::TSImportType(import) => {
                Type::Typeof(Arc::new(words::import_name(import)))
            }
            other => match other.as_ts_type_name().and_then(words::dotted) {
                Some(name) => Type::Typeof(Arc::new(TypeName::global(name))),
                None => Type::opaque("typeof this"),
            },
        }
    }

    /// The type of an initialiser, as far as it is a literal or says its type.
    pub(super) fn initialiser(self, value: &Expression<'_>) -> Type {
        match value {
            Expression::BooleanLiteral(truth) => Type::Truth(truth.value),
            Expression::StringLiteral(text) => Type::Text(text.value.as_str().into()),
            Expression::NumericLiteral(number) => words::digits(number.value),
            Expression::NullLiteral(_) => Type::Null,
            Expression::BigIntLiteral(_) => Type::BigInt,
            Expression::TemplateLiteral(_) => Type::String,
            Expression::RegExpLiteral(_) => Type::named(TypeName::global("RegExp")),
            Expression::UnaryExpression(unary) => match (unary.operator, &unary.argument) {
                (UnaryOperator::UnaryNegation, Expression::NumericLiteral(number)) => {
                    words::digits(-number.value)
                }
                _ => Type::opaque("initialiser"),
            },
            Expression::TSAsExpression(cast) => {
                match cast.type_annotation.is_const_type_reference() {
                    true => self.initialiser(&cast.expression),
                    false => self.of(&cast.type_annotation),
                }
            }
            Expression::TSTypeAssertion(cast) => self.of(&cast.type_annotation),
            Expression::TSSatisfiesExpression(satisfied) => self.initialiser(&satisfied.expression),
            Expression::ParenthesizedExpression(inner) => self.initialiser(&inner.expression),
            Expression::ArrowFunctionExpression(arrow) => {
                let mut signature = self.signature(
                    arrow.type_parameters.as_deref(),
                    None,
                    &arrow.params,
                    arrow.return_type.as_deref(),
                );
                if arrow.return_type.is_none() {
                    signature.returns = Type::opaque("undeclared result");
                }
                Type::Function(Arc::new(signature))
            }
            _ => Type::opaque("initialiser"),
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Position {
    Fixed,
    Rest,
}

/// Whether it is `typeof globalThis`.
fn is_global_object(node: &TSType<'_>) -> bool {
    let TSType::TSTypeQuery(query) = node else { return false };
    matches!(&query.expr_name, TSTypeQueryExprName::IdentifierReference(word) if word.name == "globalThis")
}

/// The members that an interface or type literal spells.
pub(super) fn shape_of(types: Types, nodes: &[TSSignature<'_>], notes: &mut Notes) -> Shape {
    let mut shape = Shape::default();
    for node in nodes {
        let start = node.span().start;
        match node {
            TSSignature::TSIndexSignature(index) => shape.index.push(index_of(types, index)),
            TSSignature::TSPropertySignature(property) => {
                let Some(name) = words::key_name(&property.key, notes) else { continue };
                let mut member = shapes::noted(
                    types.annotated(property.type_annotation.as_deref()),
                    start,
                    notes,
                );
                member.presence = shapes::presence(property.optional);
                member.writing = shapes::writing(property.readonly);
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
                let Some(name) = words::key_name(&method.key, notes) else { continue };
                let signature = types.signature(
                    method.type_parameters.as_deref(),
                    method.this_param.as_deref(),
                    &method.params,
                    method.return_type.as_deref(),
                );
                let mut member = shapes::noted(Type::Void, start, notes);
                member.presence = shapes::presence(method.optional);
                let kind = match method.kind {
                    TSMethodSignatureKind::Method => Callable::Method,
                    TSMethodSignatureKind::Get => Callable::Getter,
                    TSMethodSignatureKind::Set => Callable::Setter,
                };
                shapes::add_callable(&mut shape, name, member, signature, kind);
            }
        }
    }
    shape
}

/// The key and value of an index signature.
pub(super) fn index_of(types: Types, index: &TSIndexSignature<'_>) -> (Type, Type) {
    let key = types.of(&index.parameter.type_annotation.type_annotation);
    (key, types.of(&index.type_annotation.type_annotation))
}
