//! Statements.

use super::super::kinds::{Field, Kind, Word};
use super::{Whole, span};
use oxc_ast::ast::{
    BlockStatement, Directive, Expression, ForStatement, ForStatementInit, ForStatementLeft,
    Statement, SwitchStatement, TryStatement, VariableDeclaration, VariableDeclarationKind,
};
use oxc_span::{GetSpan, Span};

/// A loop over what something has.
struct Each<'a> {
    at: Span,
    operator: &'static str,
    left: &'a ForStatementLeft<'a>,
    right: &'a Expression<'a>,
    body: &'a Statement<'a>,
}

impl<'a> Whole<'_, 'a> {
    /// The words like `'use strict'` that a list of statements begins with.
    pub fn directives(&mut self, directives: &'a [Directive<'a>]) {
        for directive in directives {
            let at = span(directive.span);
            let part = self.begin(Kind::ExpressionStatement, Field::None, at);
            self.leaf(Kind::String, Field::None, directive.expression.span);
            self.syntax.end(part);
        }
    }

    /// A list of statements.
    pub fn statements(&mut self, statements: &'a [Statement<'a>], field: Field) {
        statements.iter().for_each(|statement| self.statement(statement, field));
    }

    fn statement(&mut self, statement: &'a Statement<'a>, field: Field) {
        let at = statement.span();
        match statement {
            Statement::BlockStatement(block) => self.block(block, field),
            Statement::BreakStatement(_) => self.leaf(Kind::Break, field, at),
            Statement::ContinueStatement(_) => self.leaf(Kind::Continue, field, at),
            Statement::DebuggerStatement(_) | Statement::EmptyStatement(_) => {
                self.leaf(Kind::Empty, field, at);
            }
            Statement::ForStatement(each) => self.for_loop(each, field),
            Statement::ForInStatement(each) => {
                let (operator, left) = ("in", &each.left);
                let (right, body) = (&each.right, &each.body);
                self.each(&Each { at, operator, left, right, body }, false, field);
            }
            Statement::ForOfStatement(each) => {
                let (operator, left) = ("of", &each.left);
                let (right, body) = (&each.right, &each.body);
                self.each(&Each { at, operator, left, right, body }, each.r#await, field);
            }
            Statement::SwitchStatement(switch) => self.switch(switch, field),
            Statement::TryStatement(attempt) => self.attempt(attempt, field),
            _ => self.plain_statement(statement, field),
        }
    }

    /// A statement whose parts are expressions and statements, one of each kind at most.
    fn plain_statement(&mut self, statement: &'a Statement<'a>, field: Field) {
        let kind = match statement {
            Statement::ExpressionStatement(_) => Kind::ExpressionStatement,
            Statement::DoWhileStatement(_) => Kind::Do,
            Statement::WhileStatement(_) => Kind::While,
            Statement::IfStatement(_) => Kind::If,
            Statement::LabeledStatement(_) => Kind::Labeled,
            Statement::ReturnStatement(_) => Kind::Return,
            Statement::ThrowStatement(_) => Kind::Throw,
            Statement::WithStatement(_) => Kind::With,
            _ => {
                if let Some(declaration) = statement.as_declaration() {
                    self.declaration(declaration, field);
                } else if let Some(module) = statement.as_module_declaration() {
                    self.module(module, field);
                } else {
                    self.leave_out();
                }
                return;
            }
        };
        let part = self.begin(kind, field, span(statement.span()));
        match statement {
            Statement::ExpressionStatement(one) => self.expression(&one.expression, Field::None),
            Statement::DoWhileStatement(each) => {
                self.statement(&each.body, Field::Body);
                self.expression(&each.test, Field::Condition);
            }
            Statement::WhileStatement(each) => {
                self.expression(&each.test, Field::Condition);
                self.statement(&each.body, Field::Body);
            }
            Statement::IfStatement(branch) => {
                self.expression(&branch.test, Field::Condition);
                self.statement(&branch.consequent, Field::Consequence);
                if let Some(other) = &branch.alternate {
                    let part = self.begin(Kind::Else, Field::Alternative, span(other.span()));
                    self.statement(other, Field::None);
                    self.syntax.end(part);
                }
            }
            Statement::LabeledStatement(labelled) => self.statement(&labelled.body, Field::Body),
            Statement::ReturnStatement(one) => {
                one.argument.iter().for_each(|given| self.expression(given, Field::None));
            }
            Statement::ThrowStatement(one) => self.expression(&one.argument, Field::None),
            Statement::WithStatement(with) => {
                self.expression(&with.object, Field::Object);
                self.statement(&with.body, Field::Body);
            }
            _ => self.leave_out(),
        }
        self.syntax.end(part);
    }

    fn block(&mut self, block: &'a BlockStatement<'a>, field: Field) {
        let part = self.begin(Kind::Block, field, span(block.span));
        self.statements(&block.body, Field::None);
        self.syntax.end(part);
    }

    /// A declaration of variables.
    pub fn variables(&mut self, variables: &'a VariableDeclaration<'a>, field: Field) {
        let at = span(variables.span);
        let kind = match variables.kind {
            VariableDeclarationKind::Var => Kind::VariableDeclaration,
            VariableDeclarationKind::Let | VariableDeclarationKind::Const => {
                Kind::LexicalDeclaration
            }
            VariableDeclarationKind::Using | VariableDeclarationKind::AwaitUsing => {
                return self.leave_out();
            }
        };
        let part = self.begin(kind, field, at);
        if kind == Kind::LexicalDeclaration {
            let word = self.sign(at.start, at.end, variables.kind.as_str());
            self.syntax.leaf(Kind::Dropped, Field::Kind, word);
        }
        for declarator in &variables.declarations {
            let one = self.begin(Kind::Declarator, Field::None, span(declarator.span));
            self.pattern(&declarator.id, Field::Name);
            if let Some(value) = &declarator.init {
                self.expression(value, Field::Value);
            }
            self.syntax.end(one);
        }
        self.syntax.end(part);
    }

    fn for_loop(&mut self, each: &'a ForStatement<'a>, field: Field) {
        let part = self.begin(Kind::For, field, span(each.span));
        match &each.init {
            Some(ForStatementInit::VariableDeclaration(variables)) => {
                self.variables(variables, Field::Initializer);
            }
            Some(init) => match init.as_expression() {
                Some(expression) => self.expression(expression, Field::Initializer),
                None => self.leave_out(),
            },
            None => {}
        }
        each.test.iter().for_each(|test| self.expression(test, Field::Condition));
        each.update.iter().for_each(|update| self.expression(update, Field::Increment));
        self.statement(&each.body, Field::Body);
        self.syntax.end(part);
    }

    fn each(&mut self, each: &Each<'a>, awaited: bool, field: Field) {
        let part = self.begin(Kind::ForIn, field, span(each.at));
        if awaited {
            self.syntax.tell(Word::Await, span(each.at));
        }
        match each.left {
            ForStatementLeft::VariableDeclaration(variables) => {
                let at = variables.span;
                let word = self.sign(at.start, at.end, variables.kind.as_str());
                self.syntax.leaf(Kind::Dropped, Field::Kind, word);
                match variables.declarations.first() {
                    Some(only) => {
                        self.pattern(&only.id, Field::Left);
                        only.init.iter().for_each(|first| self.expression(first, Field::Value));
                    }
                    None => self.leave_out(),
                }
            }
            left => match left.as_assignment_target() {
                Some(target) => self.target(target, Field::Left),
                None => self.leave_out(),
            },
        }
        self.operator(each.left.span().end, each.right.span().start, each.operator);
        self.expression(each.right, Field::Right);
        self.statement(each.body, Field::Body);
        self.syntax.end(part);
    }

    fn switch(&mut self, switch: &'a SwitchStatement<'a>, field: Field) {
        let part = self.begin(Kind::Switch, field, span(switch.span));
        self.expression(&switch.discriminant, Field::Value);
        let from = self.sign(switch.discriminant.span().end, switch.span.end, "{");
        let at = crate::base::Span { start: from.start, end: switch.span.end };
        let body = self.begin(Kind::SwitchBody, Field::Body, at);
        for case in &switch.cases {
            let kind = if case.test.is_some() { Kind::Case } else { Kind::DefaultCase };
            let part = self.begin(kind, Field::None, span(case.span));
            case.test.iter().for_each(|test| self.expression(test, Field::Value));
            self.statements(&case.consequent, Field::Body);
            self.syntax.end(part);
        }
        self.syntax.end(body);
        self.syntax.end(part);
    }

    fn attempt(&mut self, attempt: &'a TryStatement<'a>, field: Field) {
        let part = self.begin(Kind::Try, field, span(attempt.span));
        self.block(&attempt.block, Field::Body);
        if let Some(handler) = &attempt.handler {
            let catch = self.begin(Kind::Catch, Field::Handler, span(handler.span));
            if let Some(parameter) = &handler.param {
                self.pattern(&parameter.pattern, Field::Parameter);
            }
            self.block(&handler.body, Field::Body);
            self.syntax.end(catch);
        }
        if let Some(last) = &attempt.finalizer {
            let finally = self.begin(Kind::Finally, Field::Finalizer, span(last.span));
            self.block(last, Field::Body);
            self.syntax.end(finally);
        }
        self.syntax.end(part);
    }
}
