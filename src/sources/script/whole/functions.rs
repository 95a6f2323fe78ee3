//! Functions of all kinds and classes.

use super::super::kinds::{Field, Kind, Word};
use super::{Whole, span};
use oxc_ast::ast::{
    ArrowFunctionBody, ArrowFunctionExpression, Class, ClassElement, FormalParameters, Function,
    FunctionBody, MethodDefinition, MethodDefinitionKind, PropertyDefinition, PropertyKind,
};
use oxc_span::GetSpan;

impl<'a> Whole<'_, 'a> {
    /// A function with its own word, as `kind`.
    pub fn function(&mut self, function: &'a Function<'a>, kind: Kind, field: Field) {
        let part = self.begin(kind, field, span(function.span));
        if let Some(name) = &function.id {
            self.leaf(Kind::Identifier, Field::Name, name.span);
        }
        self.signature(function);
        self.syntax.end(part);
    }

    /// What a function's parts are beside its name.
    fn signature(&mut self, function: &'a Function<'a>) {
        if function.type_parameters.is_some()
            || function.this_param.is_some()
            || function.return_type.is_some()
        {
            self.leave_out();
        }
        self.flow(function.r#async, function.generator, function.span);
        self.parameters(&function.params);
        match &function.body {
            Some(body) => self.body(body, Field::Body),
            None => self.leave_out(),
        }
    }

    fn flow(&mut self, is_async: bool, is_generator: bool, at: oxc_span::Span) {
        if is_async {
            self.syntax.tell(Word::Async, span(at));
        }
        if is_generator {
            self.syntax.tell(Word::Star, span(at));
        }
    }

    /// A function's parameters; an arrow function's only one may stand without parentheses.
    fn parameters(&mut self, parameters: &'a FormalParameters<'a>) {
        let at = span(parameters.span);
        if !at.of(self.text).starts_with('(') {
            match parameters.items.first() {
                Some(only) => self.pattern(&only.pattern, Field::Parameter),
                None => self.leave_out(),
            }
            return;
        }
        let list = self.begin(Kind::Parameters, Field::Parameters, at);
        for parameter in &parameters.items {
            if parameter.type_annotation.is_some() || !parameter.decorators.is_empty() {
                self.leave_out();
            }
            let Some(default) = &parameter.initializer else {
                self.pattern(&parameter.pattern, Field::None);
                continue;
            };
            let part = self.begin(Kind::AssignmentPattern, Field::None, span(parameter.span));
            self.pattern(&parameter.pattern, Field::Left);
            self.expression(default, Field::Right);
            self.syntax.end(part);
        }
        if let Some(rest) = &parameters.rest {
            self.rest(&rest.rest);
        }
        self.syntax.end(list);
    }

    fn body(&mut self, body: &'a FunctionBody<'a>, field: Field) {
        let block = self.begin(Kind::Block, field, span(body.span));
        self.directives(&body.directives);
        self.statements(&body.statements, Field::None);
        self.syntax.end(block);
    }

    /// An arrow function.
    pub fn arrow(&mut self, arrow: &'a ArrowFunctionExpression<'a>, field: Field) {
        if arrow.type_parameters.is_some() || arrow.return_type.is_some() {
            self.leave_out();
        }
        let part = self.begin(Kind::Arrow, field, span(arrow.span));
        self.flow(arrow.r#async, false, arrow.span);
        self.parameters(&arrow.params);
        if let ArrowFunctionBody::FunctionBody(body) = &arrow.body {
            self.body(body, Field::Body);
        } else if let Some(expression) = arrow.body.as_expression() {
            self.expression(expression, Field::Body);
        }
        self.syntax.end(part);
    }

    /// A method or accessor of an object literal, whose span is the whole property's.
    pub fn object_method(&mut self, property: &'a oxc_ast::ast::ObjectProperty<'a>) {
        let part = self.begin(Kind::Method, Field::None, span(property.span));
        self.accessor(property.kind, property.span);
        self.key(&property.key, property.computed, Field::Name);
        match &property.value {
            oxc_ast::ast::Expression::FunctionExpression(function) => self.signature(function),
            _ => self.leave_out(),
        }
        self.syntax.end(part);
    }

    fn accessor(&mut self, kind: PropertyKind, at: oxc_span::Span) {
        match kind {
            PropertyKind::Init => {}
            PropertyKind::Get => self.syntax.tell(Word::Get, span(at)),
            PropertyKind::Set => self.syntax.tell(Word::Set, span(at)),
        }
    }

    /// A class, as `kind`.
    pub fn class(&mut self, class: &'a Class<'a>, kind: Kind, field: Field) {
        if !class.decorators.is_empty()
            || class.type_parameters.is_some()
            || !class.implements.is_empty()
        {
            self.leave_out();
        }
        let part = self.begin(kind, field, span(class.span));
        if let Some(name) = &class.id {
            self.leaf(Kind::Identifier, Field::Name, name.span);
        }
        if let Some(heritage) = &class.heritage {
            let extends = self.begin(Kind::Heritage, Field::None, span(heritage.expression.span()));
            self.expression(&heritage.expression, Field::None);
            self.syntax.end(extends);
        }
        let body = self.begin(Kind::ClassBody, Field::Body, span(class.body.span));
        class.body.body.iter().for_each(|element| self.class_element(element));
        self.syntax.end(body);
        self.syntax.end(part);
    }

    fn class_element(&mut self, element: &'a ClassElement<'a>) {
        match element {
            ClassElement::StaticBlock(block) => {
                let part = self.begin(Kind::StaticBlock, Field::None, span(block.span));
                let body = self.begin(Kind::Block, Field::Body, span(block.span));
                self.statements(&block.body, Field::None);
                self.syntax.end(body);
                self.syntax.end(part);
            }
            ClassElement::MethodDefinition(method) => self.method(method),
            ClassElement::PropertyDefinition(property) => self.field_definition(property),
            ClassElement::AccessorProperty(_) | ClassElement::TSIndexSignature(_) => {
                self.leave_out();
            }
        }
    }

    fn method(&mut self, method: &'a MethodDefinition<'a>) {
        if !method.decorators.is_empty() {
            self.leave_out();
        }
        let part = self.begin(Kind::Method, Field::None, span(method.span));
        if method.r#static {
            self.syntax.tell(Word::Static, span(method.span));
        }
        match method.kind {
            MethodDefinitionKind::Constructor | MethodDefinitionKind::Method => {}
            MethodDefinitionKind::Get => self.accessor(PropertyKind::Get, method.span),
            MethodDefinitionKind::Set => self.accessor(PropertyKind::Set, method.span),
        }
        self.key(&method.key, method.computed, Field::Name);
        self.signature(&method.value);
        self.syntax.end(part);
    }

    fn field_definition(&mut self, field: &'a PropertyDefinition<'a>) {
        if !field.decorators.is_empty() || field.type_annotation.is_some() {
            self.leave_out();
        }
        let part = self.begin(Kind::FieldDefinition, Field::None, span(field.span));
        if field.r#static {
            self.syntax.tell(Word::Static, span(field.span));
        }
        self.key(&field.key, field.computed, Field::Property);
        if let Some(value) = &field.value {
            self.expression(value, Field::Value);
        }
        self.syntax.end(part);
    }
}
