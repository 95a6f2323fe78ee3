//! A script as statements that lie in one another: where each name is mentioned, and what a statement does to what.
//!
//! It tells what is there, and decides nothing.

use crate::answers::footprint::{is_variable, leftmost, root_of};
use crate::base::{Lines, Name, Span, to_u32};
use crate::sources::script::{
    Argument, BindingId, Call, ExprId, ExpressionKind, Script, Seat, Statement, StatementId,
    StatementKind,
};
use std::collections::BTreeMap;

/// How deep literals are looked into for what a call is handed.
const MAX_DEPTH: u32 = 8;

/// Whose a statement is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Root {
    /// Nobody's: a plain call, a value.
    Nobody,
    /// A variable's: it stands at the left end of what is written or called.
    Variable(BindingId),
    /// Something's that is no variable of this text: `layout`, `this`, an import.
    Named(Name),
}

/// How it is done to its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// It is called.
    Called(ExprId),
    /// It is written.
    Written,
    /// Neither.
    Other,
}

/// What an expression does when it is a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Deed {
    /// Whose it is.
    pub root: Root,
    /// How it is done.
    pub manner: Manner,
    /// The variables that calls in its chain are handed, alone or in literals.
    pub handed: Vec<BindingId>,
}

/// A script as statements.
pub(super) struct Tree<'s> {
    pub script: &'s Script,
    pub text: &'s str,
    pub lines: Lines,
    /// The statements in the order of the text, outer ones first.
    order: Vec<StatementId>,
    /// The statements that lie directly in one, or in the file.
    children: BTreeMap<Option<StatementId>, Vec<StatementId>>,
    /// Every mention of a variable.
    pub mentions: BTreeMap<BindingId, Vec<ExprId>>,
    /// Arrow functions' bodies that are expressions, by the statement they lie in.
    pub bodies: BTreeMap<StatementId, Vec<ExprId>>,
    /// Assignments, `++` and `delete`, by the statement they lie in.
    pub writes: BTreeMap<StatementId, Vec<ExprId>>,
    /// Calls of members, by the statement they lie in.
    pub calls: BTreeMap<StatementId, Vec<ExprId>>,
    /// Declarators, by their statement.
    pub declarators: BTreeMap<StatementId, Vec<usize>>,
    /// The names that begin to hold in a statement, sorted by place.
    declared: Vec<(u32, BindingId)>,
}

impl<'s> Tree<'s> {
    /// Goes through the script of `text` once.
    pub fn of(script: &'s Script, text: &'s str) -> Tree<'s> {
        let mut order: Vec<StatementId> =
            (0..script.statements.len()).map(|idx| StatementId(to_u32(idx))).collect();
        order.sort_by_key(|id| {
            let span = script.statements[id.idx()].span;
            (span.start, std::cmp::Reverse(span.end), *id)
        });
        let mut tree = Tree {
            script,
            text,
            lines: Lines::of(text),
            order,
            children: BTreeMap::new(),
            mentions: BTreeMap::new(),
            bodies: BTreeMap::new(),
            writes: BTreeMap::new(),
            calls: BTreeMap::new(),
            declarators: BTreeMap::new(),
            declared: Vec::new(),
        };
        for id in tree.order.clone() {
            tree.children.entry(tree.statement(id).within).or_default().push(id);
        }
        for idx in 0..script.expressions.len() {
            tree.learn(ExprId(to_u32(idx)));
        }
        for (idx, declarator) in script.declarators.iter().enumerate() {
            if let Some(statement) = declarator.statement {
                tree.declarators.entry(statement).or_default().push(idx);
            }
        }
        for returned in script.functions.iter().flat_map(|function| &function.returns) {
            let Some(at) = tree.around(script.expressions[returned.idx()].span) else { continue };
            if tree.statement(at).kind != StatementKind::Leaves {
                tree.bodies.entry(at).or_default().push(*returned);
            }
        }
        let declared = script.bindings.iter().enumerate();
        tree.declared = declared.map(|(idx, b)| (b.span.start, BindingId(to_u32(idx)))).collect();
        tree.declared.sort_unstable();
        tree
    }

    fn learn(&mut self, id: ExprId) {
        let expression = &self.script.expressions[id.idx()];
        match &expression.kind {
            ExpressionKind::Name(_, Some(binding)) => {
                self.mentions.entry(*binding).or_default().push(id);
            }
            ExpressionKind::Assign(..) => self.note(id, true),
            ExpressionKind::Unary(operator, _)
                if matches!(operator.as_str(), "++" | "--" | "delete") =>
            {
                self.note(id, true);
            }
            ExpressionKind::Call(call) => {
                let callee = &self.script.expressions[call.callee.idx()].kind;
                if matches!(callee, ExpressionKind::Member { .. }) {
                    self.note(id, false);
                }
            }
            _ => {}
        }
    }

    fn note(&mut self, id: ExprId, is_write: bool) {
        if let Some(at) = self.around(self.script.expressions[id.idx()].span) {
            let noted = if is_write { &mut self.writes } else { &mut self.calls };
            noted.entry(at).or_default().push(id);
        }
    }

    /// A statement.
    pub fn statement(&self, id: StatementId) -> &'s Statement {
        &self.script.statements[id.idx()]
    }

    /// All statements in the order of the text, outer ones first.
    pub fn all(&self) -> &[StatementId] {
        &self.order
    }

    /// The statements directly in `id`, or in the file.
    pub fn children(&self, id: Option<StatementId>) -> &[StatementId] {
        self.children.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The statements of the list in which `id` stands, in order.
    pub fn list(&self, id: StatementId) -> Vec<StatementId> {
        let own = self.statement(id);
        let beside = self.children(own.within).iter().copied();
        match own.seat {
            Seat::Listed(_) => beside.filter(|s| self.statement(*s).seat == own.seat).collect(),
            Seat::Body => vec![id],
        }
    }

    /// The innermost statement around a stretch.
    pub fn around(&self, span: Span) -> Option<StatementId> {
        let behind = self.order.partition_point(|id| self.statement(*id).span.start <= span.start);
        let mut next = Some(self.order[behind.checked_sub(1)?]);
        while let Some(id) = next {
            let statement = self.statement(id);
            if statement.span.holds(span) {
                return Some(id);
            }
            next = statement.within;
        }
        None
    }

    /// A statement and all around it, from the inside out.
    pub fn outwards(&self, id: StatementId) -> impl Iterator<Item = StatementId> + '_ {
        std::iter::successors(Some(id), |id| self.statement(*id).within)
    }

    /// Where an expression stands.
    pub fn span(&self, id: ExprId) -> Span {
        self.script.expressions[id.idx()].span
    }

    /// The line of a byte.
    pub fn line(&self, at: u32) -> u32 {
        self.lines.line(at)
    }

    /// The bindings that are declared in a stretch.
    pub fn declared_in(&self, span: Span) -> impl Iterator<Item = BindingId> + '_ {
        let first = self.declared.partition_point(|(at, _)| *at < span.start);
        let here = self.declared[first..].iter().take_while(move |(at, _)| *at < span.end);
        here.map(|(_, id)| *id)
    }

    /// The bindings that a declarator declares or gives a value.
    pub fn declares(&self, declarator: usize) -> Vec<BindingId> {
        let declarator = &self.script.declarators[declarator];
        let mut found: Vec<BindingId> = self.declared_in(declarator.pattern).collect();
        if let Some(value) = declarator.value
            && let crate::sources::script::Context::Initialises(binding) =
                self.script.expressions[value.idx()].context
            && !found.contains(&binding)
        {
            found.push(binding);
        }
        found
    }

    /// The name of a binding.
    pub fn name(&self, id: BindingId) -> Name {
        self.script.bindings[id.idx()].name.clone()
    }

    /// Whether it holds something that can be configured.
    pub fn is_variable(&self, id: BindingId) -> bool {
        is_variable(self.script, &self.script.bindings[id.idx()])
    }

    /// What stands at the left end of an expression.
    pub fn root(&self, id: ExprId) -> Root {
        if let Some(binding) = root_of(self.script, id) {
            return Root::Variable(binding);
        }
        match &self.script.expressions[leftmost(self.script, id).idx()].kind {
            ExpressionKind::Name(name, _) => Root::Named(name.clone()),
            ExpressionKind::This => Root::Named("this".into()),
            _ => Root::Nobody,
        }
    }

    /// What a statement's expression does.
    pub fn deed(&self, statement: StatementId) -> Option<Deed> {
        let stated = self.statement(statement);
        let expression = stated.expression.filter(|_| stated.kind == StatementKind::Expression)?;
        Some(self.deed_of(expression))
    }

    /// What an expression does.
    pub fn deed_of(&self, mut id: ExprId) -> Deed {
        loop {
            id = match &self.script.expressions[id.idx()].kind {
                ExpressionKind::Await(inner)
                | ExpressionKind::As(inner, _)
                | ExpressionKind::Same(inner) => *inner,
                ExpressionKind::Unary(operator, inner)
                    if matches!(operator.as_str(), "void" | "!") =>
                {
                    *inner
                }
                ExpressionKind::Logical(_, _, right) => *right,
                ExpressionKind::Unary(operator, inner)
                    if matches!(operator.as_str(), "++" | "--" | "delete") =>
                {
                    return Deed {
                        root: self.root(*inner),
                        manner: Manner::Written,
                        handed: Vec::new(),
                    };
                }
                ExpressionKind::Assign(_, target, _) => {
                    let root = target.map_or(Root::Nobody, |target| self.root(target));
                    return Deed { root, manner: Manner::Written, handed: Vec::new() };
                }
                ExpressionKind::Call(call) => return self.called(id, call),
                ExpressionKind::New(call) => {
                    let handed = self.handed_to(call);
                    return Deed { root: Root::Nobody, manner: Manner::Other, handed };
                }
                _ => return Deed { root: Root::Nobody, manner: Manner::Other, handed: Vec::new() },
            };
        }
    }

    fn called(&self, id: ExprId, call: &Call) -> Deed {
        let mut handed = self.handed_to(call);
        let mut callee = call.callee;
        let is_plain =
            matches!(self.script.expressions[callee.idx()].kind, ExpressionKind::Name(..));
        let root = if is_plain { Root::Nobody } else { self.root(callee) };
        // Calls further left in the chain are handed things too.
        loop {
            callee = match &self.script.expressions[callee.idx()].kind {
                ExpressionKind::Member { object, .. } | ExpressionKind::Element { object, .. } => {
                    *object
                }
                ExpressionKind::Call(inner) => {
                    handed.extend(self.handed_to(inner));
                    inner.callee
                }
                ExpressionKind::As(inner, _) | ExpressionKind::Same(inner) => *inner,
                _ => return Deed { root, manner: Manner::Called(id), handed },
            };
        }
    }

    /// The variables that a call is handed, alone or in literals.
    pub fn handed_to(&self, call: &Call) -> Vec<BindingId> {
        let mut found = Vec::new();
        for argument in &call.arguments {
            let (Argument::One(id) | Argument::Spread(id)) = argument;
            self.hand(*id, MAX_DEPTH, &mut found);
        }
        found
    }

    fn hand(&self, id: ExprId, depth: u32, found: &mut Vec<BindingId>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match &self.script.expressions[id.idx()].kind {
            ExpressionKind::Name(_, Some(binding)) => found.push(*binding),
            ExpressionKind::As(inner, _) | ExpressionKind::Same(inner) => {
                self.hand(*inner, depth, found);
            }
            ExpressionKind::Array(entries) => {
                for Argument::One(entry) | Argument::Spread(entry) in entries {
                    self.hand(*entry, depth, found);
                }
            }
            ExpressionKind::Object(object) => {
                let object = &self.script.objects[object.idx()];
                let values = object.properties.iter().map(|property| property.value);
                for value in values.chain(object.spreads.iter().copied()) {
                    self.hand(value, depth, found);
                }
            }
            ExpressionKind::Logical(_, left, right) => {
                self.hand(*left, depth, found);
                self.hand(*right, depth, found);
            }
            ExpressionKind::Conditional(_, yes, no) => {
                self.hand(*yes, depth, found);
                self.hand(*no, depth, found);
            }
            _ => {}
        }
    }

    /// The call that an expression is, awaited or not.
    pub fn call(&self, id: ExprId) -> Option<&'s Call> {
        match &self.script.expressions[id.idx()].kind {
            ExpressionKind::Call(call) => Some(call),
            ExpressionKind::Await(inner) => match &self.script.expressions[inner.idx()].kind {
                ExpressionKind::Call(call) => Some(call),
                _ => None,
            },
            _ => None,
        }
    }

    /// The member that a call calls: what stands left of the dot, and the name.
    pub fn member(&self, call: &Call) -> Option<(ExprId, &'s Name)> {
        match &self.script.expressions[call.callee.idx()].kind {
            ExpressionKind::Member { object, name, .. } => Some((*object, name)),
            _ => None,
        }
    }
}
