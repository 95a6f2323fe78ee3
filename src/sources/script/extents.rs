//! Statements as stretches of text: what can be taken out of a text as a whole, and what needs it where it stands.
//!
//! They say nothing of what a statement means; that is in the expressions that stand in it.

use super::{ExprId, StatementId};
use crate::base::Span;

/// A statement and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// From its first word to its end, semicolon included; of an exported declaration, `export` included.
    pub span: Span,
    /// The innermost statement around it, function bodies not excepted.
    pub within: Option<StatementId>,
    /// Where it stands there.
    pub seat: Seat,
    /// What it is.
    pub kind: StatementKind,
    /// The expression of an expression statement, and what is returned.
    pub expression: Option<ExprId>,
}

/// Where a statement stands in what is around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Seat {
    /// In the list of statements with this number, which holds without it.
    Listed(u32),
    /// As the one body of a branch, loop or label, which needs it.
    Body,
}

/// What a statement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatementKind {
    /// An expression.
    Expression,
    /// `const`, `let`, `var`, `using`.
    Variables,
    /// `{ … }`.
    Block,
    /// `if`, with all its `else`s.
    If,
    /// `for … of`, `for … in`.
    Each,
    /// Any other loop.
    Loop,
    /// `switch`.
    Switch,
    /// `return`, `throw`.
    Leaves,
    /// `break`, `continue`.
    Jumps,
    /// `import`, and `export` of anything.
    Module,
    /// `try`, `with`, a label, and declarations of functions, classes and types.
    Other,
}

/// One `name = value` in a declaration of variables.
#[derive(Debug, Clone, PartialEq)]
pub struct Declarator {
    /// Its declaration.
    pub statement: Option<StatementId>,
    /// Where it stands.
    pub span: Span,
    /// Where its name or pattern stands.
    pub pattern: Span,
    /// What it is given.
    pub value: Option<ExprId>,
}
