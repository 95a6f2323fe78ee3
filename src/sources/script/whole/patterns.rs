//! Patterns that declare names, patterns that assign, and the names of properties.

use super::super::kinds::{Field, Kind, Word};
use super::{Whole, span};
use oxc_ast::ast::{
    ArrayAssignmentTarget, ArrayPattern, AssignmentTarget, AssignmentTargetMaybeDefault,
    AssignmentTargetProperty, AssignmentTargetRest, BindingPattern, BindingRestElement,
    ObjectAssignmentTarget, ObjectPattern, PropertyKey, SimpleAssignmentTarget,
};
use oxc_span::{GetSpan, Span};

impl<'a> Whole<'_, 'a> {
    /// A pattern that declares names.
    pub fn pattern(&mut self, pattern: &'a BindingPattern<'a>, field: Field) {
        match pattern {
            BindingPattern::BindingIdentifier(name) => {
                self.leaf(Kind::Identifier, field, name.span);
            }
            BindingPattern::ObjectPattern(object) => self.object_pattern(object, field),
            BindingPattern::ArrayPattern(array) => self.array_pattern(array, field),
            BindingPattern::AssignmentPattern(default) => {
                let part = self.begin(Kind::AssignmentPattern, field, span(default.span));
                self.pattern(&default.left, Field::Left);
                self.expression(&default.right, Field::Right);
                self.syntax.end(part);
            }
        }
    }

    fn object_pattern(&mut self, object: &'a ObjectPattern<'a>, field: Field) {
        let part = self.begin(Kind::ObjectPattern, field, span(object.span));
        for property in &object.properties {
            if !property.shorthand {
                let pair = self.begin(Kind::PairPattern, Field::None, span(property.span));
                self.key(&property.key, property.computed, Field::Key);
                self.pattern(&property.value, Field::Value);
                self.syntax.end(pair);
                continue;
            }
            match &property.value {
                BindingPattern::AssignmentPattern(default) => {
                    let part =
                        self.begin(Kind::AssignmentPattern, Field::None, span(property.span));
                    self.leaf(Kind::ShorthandPattern, Field::Left, property.key.span());
                    self.expression(&default.right, Field::Right);
                    self.syntax.end(part);
                }
                BindingPattern::BindingIdentifier(name) => {
                    self.leaf(Kind::ShorthandPattern, Field::None, name.span);
                }
                BindingPattern::ObjectPattern(_) | BindingPattern::ArrayPattern(_) => {
                    self.leave_out();
                }
            }
        }
        if let Some(rest) = &object.rest {
            self.rest(rest);
        }
        self.syntax.end(part);
    }

    fn array_pattern(&mut self, array: &'a ArrayPattern<'a>, field: Field) {
        let part = self.begin(Kind::ArrayPattern, field, span(array.span));
        let here = empty_behind(array.span);
        for element in &array.elements {
            if let Some(element) = element {
                self.pattern(element, Field::None);
            }
            self.syntax.tell(Word::Comma, span(here));
        }
        if let Some(rest) = &array.rest {
            self.rest(rest);
        }
        self.syntax.end(part);
    }

    /// The rest of a pattern or of parameters.
    pub fn rest(&mut self, rest: &'a BindingRestElement<'a>) {
        let part = self.begin(Kind::RestPattern, Field::None, span(rest.span));
        self.pattern(&rest.argument, Field::None);
        self.syntax.end(part);
    }

    /// What is assigned to.
    pub fn target(&mut self, target: &'a AssignmentTarget<'a>, field: Field) {
        match target {
            AssignmentTarget::ArrayAssignmentTarget(array) => self.array_target(array, field),
            AssignmentTarget::ObjectAssignmentTarget(object) => self.object_target(object, field),
            _ => match target.as_simple_assignment_target() {
                Some(simple) => self.named_target(simple, field),
                None => self.leave_out(),
            },
        }
    }

    /// A name or member that is assigned to.
    pub fn named_target(&mut self, target: &'a SimpleAssignmentTarget<'a>, field: Field) {
        if let SimpleAssignmentTarget::AssignmentTargetIdentifier(name) = target {
            self.leaf(Kind::Identifier, field, name.span);
        } else if let Some(member) = target.as_member_expression() {
            self.member(member, field);
        } else {
            self.leave_out();
        }
    }

    fn default_target(&mut self, target: &'a AssignmentTargetMaybeDefault<'a>, field: Field) {
        if let AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(default) = target {
            let part = self.begin(Kind::AssignmentPattern, field, span(default.span));
            self.target(&default.binding, Field::Left);
            self.expression(&default.init, Field::Right);
            self.syntax.end(part);
        } else if let Some(target) = target.as_assignment_target() {
            self.target(target, field);
        }
    }

    fn array_target(&mut self, array: &'a ArrayAssignmentTarget<'a>, field: Field) {
        let part = self.begin(Kind::ArrayPattern, field, span(array.span));
        let here = empty_behind(array.span);
        for element in &array.elements {
            if let Some(element) = element {
                self.default_target(element, Field::None);
            }
            self.syntax.tell(Word::Comma, span(here));
        }
        if let Some(rest) = &array.rest {
            self.target_rest(rest);
        }
        self.syntax.end(part);
    }

    fn object_target(&mut self, object: &'a ObjectAssignmentTarget<'a>, field: Field) {
        let part = self.begin(Kind::ObjectPattern, field, span(object.span));
        for property in &object.properties {
            match property {
                AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(name) => {
                    let Some(default) = &name.init else {
                        self.leaf(Kind::ShorthandPattern, Field::None, name.binding.span);
                        continue;
                    };
                    let part = self.begin(Kind::AssignmentPattern, Field::None, span(name.span));
                    self.leaf(Kind::ShorthandPattern, Field::Left, name.binding.span);
                    self.expression(default, Field::Right);
                    self.syntax.end(part);
                }
                AssignmentTargetProperty::AssignmentTargetPropertyProperty(pair) => {
                    let part = self.begin(Kind::PairPattern, Field::None, span(pair.span));
                    self.key(&pair.name, pair.computed, Field::Key);
                    self.default_target(&pair.binding, Field::Value);
                    self.syntax.end(part);
                }
            }
        }
        if let Some(rest) = &object.rest {
            self.target_rest(rest);
        }
        self.syntax.end(part);
    }

    fn target_rest(&mut self, rest: &'a AssignmentTargetRest<'a>) {
        let part = self.begin(Kind::RestPattern, Field::None, span(rest.span));
        self.target(&rest.target, Field::None);
        self.syntax.end(part);
    }

    /// The name of a property or member.
    pub fn key(&mut self, key: &'a PropertyKey<'a>, computed: bool, field: Field) {
        if computed {
            let part = self.begin(Kind::ComputedName, field, span(key.span()));
            match key.as_expression() {
                Some(expression) => self.expression(expression, Field::None),
                None => self.leave_out(),
            }
            self.syntax.end(part);
            return;
        }
        match key {
            PropertyKey::StaticIdentifier(name) => {
                self.leaf(Kind::PropertyIdentifier, field, name.span);
            }
            PropertyKey::PrivateIdentifier(name) => {
                self.leaf(Kind::PrivateIdentifier, field, name.span);
            }
            PropertyKey::StringLiteral(text) => self.leaf(Kind::String, field, text.span),
            PropertyKey::NumericLiteral(number) => self.leaf(Kind::Number, field, number.span),
            PropertyKey::BigIntLiteral(number) => self.leaf(Kind::Number, field, number.span),
            _ => self.leave_out(),
        }
    }
}

fn empty_behind(span: Span) -> Span {
    Span::new(span.end, span.end)
}
