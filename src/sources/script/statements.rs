//! Statements: blocks and their scopes, declarations of variables, branches and what they tell about their tests.

use super::kinds::{Field, Kind, Word};
use super::lower::{Lower, Way};
use super::patterns::Taking;
use super::syntax::Part;
use super::{BindingKind, Context, Declarator, ExprId, Guard, ScopeKind, ThisOf, Value};
use super::{Seat, Statement, StatementId, StatementKind};
use crate::base::Span;

impl Lower<'_> {
    /// Lowers the statements in a block, in the scope at hand; gives where the last of them goes.
    pub fn statements_in(&mut self, block: Part) -> Way {
        let end = self.span(block).end;
        let syntax = self.syntax;
        let mut way = Way::On;
        let around = self.lists();
        for part in syntax.all(block) {
            match self.kind(part) {
                Kind::Error => {
                    self.torn_text(part);
                    way = Way::On;
                }
                Kind::Empty | Kind::Dropped => {}
                _ => {
                    let next = self.statement(part, Some(end));
                    // What stands behind a `return` is not reached, whatever it is.
                    if way == Way::On {
                        way = next;
                    }
                }
            }
        }
        self.list = around;
        way
    }

    /// Begins a list of statements; gives the number of the one around it.
    fn lists(&mut self) -> u32 {
        self.n_lists += 1;
        std::mem::replace(&mut self.list, self.n_lists)
    }

    /// Lowers a statement; `end` is where the list of statements ends in which it stands.
    pub fn statement(&mut self, part: Part, end: Option<u32>) -> Way {
        if !self.dives(part) {
            return Way::On;
        }
        let seat = if end.is_some() { Seat::Listed(self.list) } else { Seat::Body };
        let around = self.opens(part, seat);
        let way = self.any_statement(part, end);
        self.statement = around;
        self.surfaces();
        way
    }

    /// Notes a statement and stands in it; gives the one to go back to.
    fn opens(&mut self, part: Part, seat: Seat) -> Option<StatementId> {
        let kind = match self.kind(part) {
            Kind::ExpressionStatement => StatementKind::Expression,
            Kind::VariableDeclaration | Kind::LexicalDeclaration => StatementKind::Variables,
            Kind::Block => StatementKind::Block,
            Kind::If => StatementKind::If,
            Kind::ForIn => StatementKind::Each,
            Kind::For | Kind::While | Kind::Do => StatementKind::Loop,
            Kind::Switch => StatementKind::Switch,
            Kind::Return | Kind::Throw => StatementKind::Leaves,
            Kind::Break | Kind::Continue => StatementKind::Jumps,
            Kind::Import | Kind::Export | Kind::ImportAlias => StatementKind::Module,
            _ => StatementKind::Other,
        };
        let id = StatementId(crate::base::to_u32(self.script.statements.len()));
        let (span, within) = (self.span(part), self.statement);
        self.script.statements.push(Statement { span, within, seat, kind, expression: None });
        self.statement.replace(id)
    }

    /// Notes the expression of the statement at hand.
    fn states(&mut self, expression: ExprId) {
        if let Some(statement) = self.statement {
            self.script.statements[statement.idx()].expression = Some(expression);
        }
    }

    fn any_statement(&mut self, part: Part, end: Option<u32>) -> Way {
        let mut way = Way::On;
        match self.kind(part) {
            Kind::Block => way = self.block(part),
            Kind::If => way = self.branches(part, end),
            Kind::Return => way = self.returned(part),
            Kind::Throw => {
                self.expressions_in(part);
                way = Way::Leaves;
            }
            Kind::Break | Kind::Continue => way = Way::Jumps,
            Kind::ExpressionStatement => self.expression_statement(part),
            Kind::VariableDeclaration | Kind::LexicalDeclaration => {
                self.variables(part, self.span(part).start);
            }
            Kind::For => self.for_loop(part),
            Kind::ForIn => self.for_each(part),
            Kind::While => self.while_loop(part),
            Kind::Do => {
                self.substatement(part, Field::Body);
                let test = self.expression_in(part, Field::Condition);
                self.script.guards.push(Guard { test, holds: Vec::new(), fails: Vec::new() });
            }
            Kind::Switch => way = self.switch(part),
            Kind::Try => way = self.attempt(part),
            Kind::With => {
                self.expression_in(part, Field::Object);
                let around = self.enter(ScopeKind::With, self.span(part));
                self.substatement(part, Field::Body);
                self.scope = around;
            }
            Kind::Labeled => {
                if let Some(body) = self.field(part, Field::Body) {
                    // A labelled block can be left by `break`, so its end may be reached whatever its last statement is.
                    self.statement(body, None);
                }
            }
            _ => self.declaration(part, self.span(part).start),
        }
        way
    }

    /// Lowers every expression in a statement.
    pub fn expressions_in(&mut self, part: Part) {
        for inner in self.parts(part) {
            self.expression(inner);
        }
    }

    fn expression_statement(&mut self, part: Part) {
        for inner in self.parts(part) {
            if self.kind(inner) == Kind::Assignment
                && let Some(doc) = self.doc_before(self.span(part).start)
            {
                self.doc_of = Some((inner, doc));
            }
            let stated = self.expression(inner);
            self.states(stated);
        }
    }

    fn block(&mut self, part: Part) -> Way {
        let around = self.enter(ScopeKind::Block, self.span(part));
        let way = self.statements_in(part);
        self.scope = around;
        way
    }

    fn substatement(&mut self, part: Part, field: Field) -> Way {
        match self.field(part, field) {
            Some(body) => self.statement(body, None),
            None => Way::On,
        }
    }

    fn returned(&mut self, part: Part) -> Way {
        let returned = self.parts(part).next().map(|inner| {
            let doc = self.doc_before(self.span(part).start);
            self.property_value(inner, ThisOf::Own, doc)
        });
        if let Some(returned) = returned {
            self.states(returned);
        }
        if let Some(function) = self.function {
            match returned {
                Some(returned) => {
                    self.give(returned, Context::Returned(function));
                    self.script.functions[function.idx()].returns.push(returned);
                }
                None => self.script.functions[function.idx()].may_return_nothing = true,
            }
        }
        Way::Leaves
    }

    /// Lowers `if` with all its `else if`s, one after the other.
    fn branches(&mut self, part: Part, end: Option<u32>) -> Way {
        let rest = end.map(|end| Span { start: self.span(part).end, end });
        // Behind the chain, a test is known to have failed only if every branch so far has left.
        let mut so_far = Way::Leaves;
        let mut next = part;
        loop {
            let test = self.expression_in(next, Field::Condition);
            let holds = self.field(next, Field::Consequence);
            let mut guard = Guard { test, holds: Vec::new(), fails: Vec::new() };
            guard.holds.extend(holds.map(|p| self.span(p)));
            let yes = holds.map_or(Way::On, |p| self.statement(p, None));
            let all_left_before = so_far != Way::On;
            so_far = so_far.or(yes);
            let other = self.field(next, Field::Alternative);
            let other = other.and_then(|other| self.parts(other).next());
            guard.fails.extend(other.map(|p| self.span(p)));
            if so_far != Way::On {
                guard.fails.extend(rest);
            }
            match other {
                Some(other) if self.kind(other) == Kind::If => {
                    self.script.guards.push(guard);
                    next = other;
                }
                Some(other) => {
                    let no = self.statement(other, None);
                    if no != Way::On && yes == Way::On && all_left_before {
                        guard.holds.extend(rest);
                    }
                    self.script.guards.push(guard);
                    return so_far.or(no);
                }
                None => {
                    self.script.guards.push(guard);
                    return Way::On;
                }
            }
        }
    }

    /// Lowers a declaration of variables; `from` is where it begins, `export` included.
    pub fn variables(&mut self, part: Part, from: u32) {
        let kind = match (self.kind(part), self.field(part, Field::Kind)) {
            (Kind::VariableDeclaration, _) => BindingKind::Var,
            (_, Some(word)) if self.text_of(word) == "let" => BindingKind::Let,
            _ => BindingKind::Const,
        };
        let mut above = self.doc_before(from);
        for declarator in self.parts_of(part, Kind::Declarator) {
            // The comment above belongs to the first one.
            let doc = above.take().or_else(|| self.doc_before(self.span(declarator).start));
            self.declarator(declarator, kind, doc);
        }
    }

    fn declarator(&mut self, part: Part, kind: BindingKind, doc: Option<Span>) {
        let Some(name) = self.field(part, Field::Name) else { return };
        let annotation = self.annotation_in(part, Field::Type).or_else(|| {
            let of_type = self.doc(doc).of_type;
            of_type.map(|text| self.doc_annotation(text))
        });
        let value = self.field(part, Field::Value);
        let value = value.map(|value| self.property_value(value, ThisOf::Own, doc));
        let (span, pattern) = (self.span(part), self.span(name));
        let statement = self.statement;
        self.script.declarators.push(Declarator { statement, span, pattern, value });
        let is_name = self.kind(name) == Kind::Identifier;
        let values = match value {
            Some(value) => vec![self.value(Value::Expression(value))],
            None if is_name => Vec::new(),
            None => vec![self.value(Value::Unknown)],
        };
        let binding = self.pattern(name, Taking::Declares(kind), &values, annotation);
        if let (Some(binding), Some(value)) = (binding, value) {
            self.give(value, Context::Initialises(binding));
        }
    }

    fn for_loop(&mut self, part: Part) {
        let around = self.enter(ScopeKind::Block, self.span(part));
        let syntax = self.syntax;
        let mut test: Option<ExprId> = None;
        let mut holds = Vec::new();
        for inner in syntax.parts(part) {
            match (syntax.field_of(inner), self.kind(inner)) {
                (_, Kind::Empty) => {}
                (_, Kind::VariableDeclaration | Kind::LexicalDeclaration) => {
                    self.variables(inner, self.span(inner).start);
                }
                (Field::Condition, _) => test = Some(self.expression(inner)),
                (Field::Increment, _) => {
                    holds.push(self.span(inner));
                    self.expression(inner);
                }
                (Field::Body, _) => {
                    holds.push(self.span(inner));
                    self.statement(inner, None);
                }
                _ => {
                    self.expression(inner);
                }
            }
        }
        if let Some(test) = test {
            self.script.guards.push(Guard { test, holds, fails: Vec::new() });
        }
        self.scope = around;
    }

    fn for_each(&mut self, part: Part) {
        let iterated = self.expression_in(part, Field::Right);
        let operator = self.field(part, Field::Operator).map(|o| self.text_of(o));
        let awaited = self.syntax.has(part, Word::Await);
        let value = match operator {
            Some("in") => Value::KeyOf(iterated),
            _ => Value::ElementOf { iterable: iterated, awaited },
        };
        let around = self.enter(ScopeKind::Block, self.span(part));
        let taking = match self.field(part, Field::Kind).map(|k| self.text_of(k)) {
            Some("var") => Taking::Declares(BindingKind::Var),
            Some("let") => Taking::Declares(BindingKind::Let),
            Some(_) => Taking::Declares(BindingKind::Const),
            None => Taking::Assigns,
        };
        let first = self.field(part, Field::Value).map(|first| self.expression(first));
        let mut values = vec![self.value(value)];
        if let Some(first) = first {
            values.insert(0, self.value(Value::Expression(first)));
        }
        if let Some(left) = self.field(part, Field::Left) {
            self.pattern(left, taking, &values, None);
        }
        self.substatement(part, Field::Body);
        self.scope = around;
    }

    fn while_loop(&mut self, part: Part) {
        let test = self.expression_in(part, Field::Condition);
        let holds = self.field(part, Field::Body).map(|body| self.span(body));
        self.substatement(part, Field::Body);
        let holds = holds.into_iter().collect();
        self.script.guards.push(Guard { test, holds, fails: Vec::new() });
    }

    fn switch(&mut self, part: Part) -> Way {
        self.expression_in(part, Field::Value);
        let Some(body) = self.field(part, Field::Body) else { return Way::On };
        let around = self.enter(ScopeKind::Block, self.span(body));
        let mut last = Way::On;
        let mut is_whole = false;
        let mut stays = false;
        for case in self.parts(body) {
            is_whole |= self.kind(case) == Kind::DefaultCase;
            stays |= last == Way::Jumps;
            last = Way::On;
            let end = self.span(case).end;
            let outer = self.lists();
            for inner in self.parts(case) {
                last = match self.syntax.field_of(inner) {
                    Field::Value => {
                        self.expression(inner);
                        Way::On
                    }
                    _ => self.statement(inner, Some(end)),
                };
            }
            self.list = outer;
        }
        self.scope = around;
        if is_whole && !stays && last == Way::Leaves { Way::Leaves } else { Way::On }
    }

    fn attempt(&mut self, part: Part) -> Way {
        let mut way = self.substatement(part, Field::Body);
        if let Some(handler) = self.field(part, Field::Handler) {
            let around = self.enter(ScopeKind::Block, self.span(handler));
            if let Some(parameter) = self.field(handler, Field::Parameter) {
                let annotation = self.annotation_in(handler, Field::Type);
                let caught = self.value(Value::Caught);
                let taking = Taking::Declares(BindingKind::Catch);
                self.pattern(parameter, taking, &[caught], annotation);
            }
            let handled = self.field(handler, Field::Body).map(|body| self.statements_in(body));
            way = way.or(handled.unwrap_or(Way::On));
            self.scope = around;
        }
        if let Some(finalizer) = self.field(part, Field::Finalizer) {
            let last = self.substatement(finalizer, Field::Body);
            if last != Way::On {
                way = last;
            }
        }
        way
    }
}
