//! Expressions. What nests to the left (calls, members, operators) is unrolled, so a chain may be as long as it likes.

use super::super::kinds::{Field, Kind, Word};
use super::{Whole, span};
use oxc_ast::ast::{
    Argument, ArrayExpressionElement, AssignmentExpression, AssignmentOperator, ChainElement,
    Expression, MemberExpression, ObjectExpression, ObjectPropertyKind, PropertyKind,
    SpreadElement, TemplateLiteral,
};
use oxc_span::GetSpan;

impl<'a> Whole<'_, 'a> {
    /// An expression.
    pub fn expression(&mut self, expression: &'a Expression<'a>, field: Field) {
        let base = self.chain.len();
        let (mut first, mut field) = (expression, field);
        while let Some((kind, object, to_whole)) = begins_with(first) {
            let part = self.begin(kind, field, span(first.span()));
            self.chain.push((part, first));
            (first, field) = (object, to_whole);
        }
        self.lone(first, field);
        while self.chain.len() > base {
            let Some((part, whole)) = self.chain.pop() else { break };
            self.behind(whole);
            self.syntax.end(part);
        }
    }

    /// What stands behind the beginning of a chain.
    fn behind(&mut self, whole: &'a Expression<'a>) {
        match whole {
            Expression::CallExpression(call) => {
                self.optional(call.optional, call.span);
                if call.type_arguments.is_some() {
                    self.leave_out();
                }
                self.arguments(&call.arguments, call.callee.span().end, call.span.end);
            }
            Expression::TaggedTemplateExpression(tagged) => {
                self.template(&tagged.quasi, Field::Arguments);
            }
            Expression::BinaryExpression(binary) => {
                let (left, right) = (binary.left.span(), binary.right.span());
                self.operator(left.end, right.start, binary.operator.as_str());
                self.expression(&binary.right, Field::Right);
            }
            Expression::LogicalExpression(logical) => {
                let (left, right) = (logical.left.span(), logical.right.span());
                self.operator(left.end, right.start, logical.operator.as_str());
                self.expression(&logical.right, Field::Right);
            }
            _ => match whole.as_member_expression() {
                Some(member) => self.behind_object(member),
                None => self.leave_out(),
            },
        }
    }

    fn behind_object(&mut self, member: &'a MemberExpression<'a>) {
        match member {
            MemberExpression::ComputedMemberExpression(computed) => {
                self.optional(computed.optional, computed.span);
                self.expression(&computed.expression, Field::Index);
            }
            MemberExpression::StaticMemberExpression(named) => {
                self.optional(named.optional, named.span);
                self.leaf(Kind::PropertyIdentifier, Field::Property, named.property.span);
            }
            MemberExpression::PrivateFieldExpression(private) => {
                self.optional(private.optional, private.span);
                self.leaf(Kind::PrivateIdentifier, Field::Property, private.field.span);
            }
        }
    }

    /// A member that is assigned to.
    pub fn member(&mut self, member: &'a MemberExpression<'a>, field: Field) {
        let kind = member_kind(member);
        let part = self.begin(kind, field, span(member.span()));
        self.expression(member.object(), Field::Object);
        self.behind_object(member);
        self.syntax.end(part);
    }

    fn optional(&mut self, optional: bool, at: oxc_span::Span) {
        if optional {
            self.leaf(Kind::OptionalChain, Field::OptionalChain, at);
        }
    }

    /// The operator between two places.
    pub fn operator(&mut self, from: u32, to: u32, operator: &str) {
        let found = self.sign(from, to, operator);
        self.syntax.leaf(Kind::Dropped, Field::Operator, found);
    }

    fn arguments(&mut self, arguments: &'a [Argument<'a>], from: u32, to: u32) {
        let open = self.sign(from, to, "(");
        let at = crate::base::Span { start: open.start, end: to };
        let list = self.begin(Kind::Arguments, Field::Arguments, at);
        for argument in arguments {
            match argument {
                Argument::SpreadElement(spread) => self.spread(spread),
                _ => match argument.as_expression() {
                    Some(expression) => self.expression(expression, Field::None),
                    None => self.leave_out(),
                },
            }
        }
        self.syntax.end(list);
    }

    fn spread(&mut self, spread: &'a SpreadElement<'a>) {
        let part = self.begin(Kind::Spread, Field::None, span(spread.span));
        self.expression(&spread.argument, Field::None);
        self.syntax.end(part);
    }

    fn template(&mut self, template: &'a TemplateLiteral<'a>, field: Field) {
        let part = self.begin(Kind::Template, field, span(template.span));
        for inner in &template.expressions {
            let substitution = self.begin(Kind::Substitution, Field::None, span(inner.span()));
            self.expression(inner, Field::None);
            self.syntax.end(substitution);
        }
        self.syntax.end(part);
    }

    /// An expression that no chain begins with.
    fn lone(&mut self, expression: &'a Expression<'a>, field: Field) {
        let at = expression.span();
        match expression {
            Expression::Identifier(_) => self.leaf(Kind::Identifier, field, at),
            Expression::ThisExpression(_) => self.leaf(Kind::This, field, at),
            Expression::Super(_) => self.leaf(Kind::Super, field, at),
            Expression::StringLiteral(_) => self.leaf(Kind::String, field, at),
            Expression::NumericLiteral(_) | Expression::BigIntLiteral(_) => {
                self.leaf(Kind::Number, field, at);
            }
            Expression::BooleanLiteral(truth) => {
                self.leaf(if truth.value { Kind::True } else { Kind::False }, field, at);
            }
            Expression::NullLiteral(_) => self.leaf(Kind::Null, field, at),
            Expression::RegExpLiteral(_) => self.leaf(Kind::Regex, field, at),
            Expression::ImportMeta(_) | Expression::NewTarget(_) => {
                self.leaf(Kind::Meta, field, at);
            }
            Expression::TemplateLiteral(template) => self.template(template, field),
            Expression::ObjectExpression(object) => self.object(object, field),
            Expression::FunctionExpression(function) => {
                self.function(function, Kind::Function, field);
            }
            Expression::ArrowFunctionExpression(arrow) => self.arrow(arrow, field),
            Expression::ClassExpression(class) => self.class(class, Kind::Class, field),
            Expression::AssignmentExpression(assignment) => self.assignment(assignment, field),
            Expression::ChainExpression(chain) => self.optional_chain(&chain.expression, field),
            _ => self.composed(expression, field),
        }
    }

    /// An expression that holds others.
    fn composed(&mut self, expression: &'a Expression<'a>, field: Field) {
        let at = span(expression.span());
        let kind = match expression {
            Expression::ArrayExpression(_) => Kind::Array,
            Expression::AwaitExpression(_) => Kind::Await,
            Expression::YieldExpression(_) => Kind::Yield,
            Expression::ParenthesizedExpression(_) => Kind::Parenthesized,
            Expression::SequenceExpression(_) => Kind::Sequence,
            Expression::UnaryExpression(_) => Kind::Unary,
            Expression::UpdateExpression(_) => Kind::Update,
            Expression::ConditionalExpression(_) => Kind::Ternary,
            Expression::NewExpression(_) => Kind::New,
            Expression::ImportExpression(_) => Kind::Call,
            Expression::PrivateInExpression(_) => Kind::Binary,
            _ => return self.leave_out(),
        };
        let part = self.begin(kind, field, at);
        match expression {
            Expression::ArrayExpression(array) => self.elements(&array.elements),
            Expression::AwaitExpression(one) => self.expression(&one.argument, Field::None),
            Expression::YieldExpression(one) => {
                if one.delegate {
                    self.syntax.tell(Word::Star, at);
                }
                one.argument.iter().for_each(|given| self.expression(given, Field::None));
            }
            Expression::ParenthesizedExpression(one) => {
                self.expression(&one.expression, Field::None);
            }
            Expression::SequenceExpression(sequence) => {
                sequence.expressions.iter().for_each(|one| self.expression(one, Field::None));
            }
            Expression::UnaryExpression(unary) => {
                self.operator(at.start, at.end, unary.operator.as_str());
                self.expression(&unary.argument, Field::Argument);
            }
            Expression::UpdateExpression(update) => {
                let argument = update.argument.span();
                let (from, to) =
                    if update.prefix { (at.start, argument.start) } else { (argument.end, at.end) };
                self.operator(from, to, update.operator.as_str());
                self.named_target(&update.argument, Field::Argument);
            }
            Expression::ConditionalExpression(choice) => {
                self.expression(&choice.test, Field::Condition);
                self.expression(&choice.consequent, Field::Consequence);
                self.expression(&choice.alternate, Field::Alternative);
            }
            Expression::NewExpression(new) => {
                if new.type_arguments.is_some() {
                    self.leave_out();
                }
                self.expression(&new.callee, Field::Constructor);
                if self.text.as_bytes().get(at.end as usize - 1) == Some(&b')')
                    && at.end > new.callee.span().end
                {
                    self.arguments(&new.arguments, new.callee.span().end, at.end);
                }
            }
            Expression::ImportExpression(import) => {
                if import.phase.is_some() {
                    self.leave_out();
                }
                self.syntax.leaf(Kind::ImportWord, Field::Function, at);
                let list = self.begin(Kind::Arguments, Field::Arguments, at);
                self.expression(&import.source, Field::None);
                import.options.iter().for_each(|more| self.expression(more, Field::None));
                self.syntax.end(list);
            }
            Expression::PrivateInExpression(private) => {
                self.leaf(Kind::PrivateIdentifier, Field::Left, private.left.span);
                self.operator(private.left.span.end, private.right.span().start, "in");
                self.expression(&private.right, Field::Right);
            }
            _ => self.leave_out(),
        }
        self.syntax.end(part);
    }

    fn elements(&mut self, elements: &'a [ArrayExpressionElement<'a>]) {
        for element in elements {
            match element {
                ArrayExpressionElement::SpreadElement(spread) => self.spread(spread),
                ArrayExpressionElement::Elision(_) => {}
                _ => match element.as_expression() {
                    Some(expression) => self.expression(expression, Field::None),
                    None => self.leave_out(),
                },
            }
        }
    }

    fn object(&mut self, object: &'a ObjectExpression<'a>, field: Field) {
        let part = self.begin(Kind::Object, field, span(object.span));
        for property in &object.properties {
            let property = match property {
                ObjectPropertyKind::SpreadProperty(spread) => {
                    self.spread(spread);
                    continue;
                }
                ObjectPropertyKind::ObjectProperty(property) => property,
            };
            if property.method || property.kind != PropertyKind::Init {
                self.object_method(property);
            } else if property.shorthand {
                self.leaf(Kind::Shorthand, Field::None, property.span);
            } else {
                let pair = self.begin(Kind::Pair, Field::None, span(property.span));
                self.key(&property.key, property.computed, Field::Key);
                self.expression(&property.value, Field::Value);
                self.syntax.end(pair);
            }
        }
        self.syntax.end(part);
    }

    fn assignment(&mut self, assignment: &'a AssignmentExpression<'a>, field: Field) {
        let plain = assignment.operator == AssignmentOperator::Assign;
        let kind = if plain { Kind::Assignment } else { Kind::AugmentedAssignment };
        let part = self.begin(kind, field, span(assignment.span));
        self.target(&assignment.left, Field::Left);
        if !plain {
            let (left, right) = (assignment.left.span(), assignment.right.span());
            self.operator(left.end, right.start, assignment.operator.as_str());
        }
        self.expression(&assignment.right, Field::Right);
        self.syntax.end(part);
    }

    /// A chain with `?.` in it; its members and calls are no expressions of their own.
    fn optional_chain(&mut self, chain: &'a ChainElement<'a>, field: Field) {
        match chain {
            ChainElement::CallExpression(call) => {
                let part = self.begin(Kind::Call, field, span(call.span));
                self.expression(&call.callee, Field::Function);
                self.optional(call.optional, call.span);
                self.arguments(&call.arguments, call.callee.span().end, call.span.end);
                self.syntax.end(part);
            }
            _ => match chain.as_member_expression() {
                Some(member) => self.member(member, field),
                None => self.leave_out(),
            },
        }
    }
}

fn member_kind(member: &MemberExpression<'_>) -> Kind {
    match member {
        MemberExpression::ComputedMemberExpression(_) => Kind::Subscript,
        MemberExpression::StaticMemberExpression(_)
        | MemberExpression::PrivateFieldExpression(_) => Kind::Member,
    }
}

/// What a chain is, the expression that it begins with, and what that is to it.
fn begins_with<'a>(expression: &'a Expression<'a>) -> Option<(Kind, &'a Expression<'a>, Field)> {
    match expression {
        Expression::CallExpression(call) => Some((Kind::Call, &call.callee, Field::Function)),
        Expression::TaggedTemplateExpression(tagged) => {
            Some((Kind::Call, &tagged.tag, Field::Function))
        }
        Expression::BinaryExpression(binary) => Some((Kind::Binary, &binary.left, Field::Left)),
        Expression::LogicalExpression(logical) => Some((Kind::Binary, &logical.left, Field::Left)),
        _ => {
            let member = expression.as_member_expression()?;
            Some((member_kind(member), member.object(), Field::Object))
        }
    }
}
