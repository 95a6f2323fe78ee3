//! What lowering carries along: the syntax that is read, the script that grows, and where in both it stands.
//!
//! The files below add the parts of the language to it, one each.

use super::jsdoc::{self, Doc};
use super::kinds::{Field, Kind};
use super::names::{Names, Symbol, keep_value};
use super::syntax::{Part, Syntax};
use super::{Annotation, BindingId, BindingKind, Context, Dialect, ExprId, Expression};
use super::{ClassId, ObjectId, StatementId, ValueId};
use super::{ExpressionKind, FunctionId, Language, Scope, ScopeId, ScopeKind, Script, Value};
use crate::base::{Name, Span, to_u32};

/// How many statements, expressions and patterns may lie in one another; what is deeper is broken. Chains of calls,
/// operators, `else if` and `?:` do not count, whatever their length.
const MAX_DEPTH: u32 = 320;

/// A script in the making.
pub(super) struct Lower<'t> {
    /// The text, as it was parsed.
    pub text: &'t str,
    /// Its syntax.
    pub syntax: &'t Syntax,
    /// Its language.
    pub language: Language,
    /// What has been lowered.
    pub script: Script,
    /// The names in it.
    pub names: Names<'t>,
    /// The scope that is being read.
    pub scope: ScopeId,
    /// The function that is being read.
    pub function: Option<FunctionId>,
    /// The statement that is being read.
    pub statement: Option<StatementId>,
    /// The list of statements that is being read.
    pub list: u32,
    /// How many lists of statements were begun.
    pub n_lists: u32,
    /// Scopes around broken text, whose declarations belong to the scope around.
    pub torn: Vec<ScopeId>,
    /// A comment that belongs to a function or class which is about to be read.
    pub doc_of: Option<(Part, Span)>,
    /// Parts of chains that wait to be put around what they begin with.
    pub spine: Vec<Part>,
    depth: u32,
}

/// Where a statement goes when it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// To the next one, or nobody knows.
    On,
    /// To another place in the function: `break`, `continue`.
    Jumps,
    /// Out of the function: `return`, `throw`.
    Leaves,
}

impl Way {
    /// What two branches have in common.
    pub(super) fn or(self, other: Way) -> Way {
        match (self, other) {
            (Way::On, _) | (_, Way::On) => Way::On,
            (Way::Jumps, _) | (_, Way::Jumps) => Way::Jumps,
            (Way::Leaves, Way::Leaves) => Way::Leaves,
        }
    }
}

impl<'t> Lower<'t> {
    /// Begins with an empty script and the file's scope.
    pub fn new(text: &'t str, syntax: &'t Syntax, language: Language) -> Lower<'t> {
        let span = Span::new(0, text.len());
        let file = Scope {
            parent: None,
            kind: ScopeKind::File,
            span,
            names: Vec::new(),
            types: Vec::new(),
        };
        let script = Script { scopes: vec![file], ..Script::default() };
        Lower {
            text,
            syntax,
            language,
            script,
            names: Names::default(),
            scope: ScopeId(0),
            function: None,
            statement: None,
            list: 0,
            n_lists: 0,
            torn: Vec::new(),
            doc_of: None,
            spine: Vec::new(),
            depth: 0,
        }
    }

    // What is read.

    /// What a part is.
    pub fn kind(&self, part: Part) -> Kind {
        self.syntax.kind(part)
    }

    /// Where it stands.
    pub fn span(&self, part: Part) -> Span {
        self.syntax.span(part)
    }

    /// Its text.
    pub fn text_of(&self, part: Part) -> &'t str {
        self.span(part).of(self.text)
    }

    /// Its text as a name.
    pub fn name_of(&mut self, part: Part) -> Name {
        let text = self.text_of(part);
        self.names.name(text)
    }

    /// A part of it.
    pub fn field(&self, part: Part, field: Field) -> Option<Part> {
        self.syntax.field(part, field)
    }

    /// Its parts.
    pub fn parts(&self, part: Part) -> impl Iterator<Item = Part> + use<'t> {
        self.syntax.parts(part)
    }

    /// Its parts of one kind.
    pub fn parts_of(&self, part: Part, kind: Kind) -> impl Iterator<Item = Part> + use<'t> {
        let syntax = self.syntax;
        syntax.all(part).filter(move |p| syntax.kind(*p) == kind)
    }

    /// Goes one level deeper, unless that is too deep: then the part is broken.
    pub fn dives(&mut self, part: Part) -> bool {
        if self.depth >= MAX_DEPTH {
            let span = self.span(part);
            self.script.broken.push(span);
            return false;
        }
        self.depth += 1;
        true
    }

    /// Comes back up.
    pub fn surfaces(&mut self) {
        self.depth -= 1;
    }

    // What grows.

    /// Keeps an expression that stands in the scope at hand.
    pub fn push(&mut self, kind: ExpressionKind, span: Span) -> ExprId {
        let id = ExprId(to_u32(self.script.expressions.len()));
        let scope = self.scope;
        self.script.expressions.push(Expression { kind, span, scope, context: Context::Free });
        id
    }

    /// Keeps an expression of which nothing is known.
    pub fn unknown(&mut self, span: Span) -> ExprId {
        self.push(ExpressionKind::Unknown, span)
    }

    /// Keeps a name that stands for a value.
    pub fn mention(&mut self, part: Part) -> ExprId {
        let symbol = self.names.symbol(self.text_of(part));
        let name = self.names.text(symbol);
        let id = self.push(ExpressionKind::Name(name, None), self.span(part));
        self.names.mention(id, symbol);
        id
    }

    /// Says what an expression is given to.
    pub fn give(&mut self, expression: ExprId, context: Context) {
        self.script.expressions[expression.idx()].context = context;
    }

    /// An expression.
    pub fn expr(&self, id: ExprId) -> &Expression {
        &self.script.expressions[id.idx()]
    }

    /// Keeps a value.
    pub fn value(&mut self, value: Value) -> ValueId {
        keep_value(&mut self.script, value)
    }

    /// Gives a binding a value.
    pub fn hold(&mut self, binding: BindingId, value: Value) {
        let value = self.value(value);
        self.script.bindings[binding.idx()].values.push(value);
    }

    /// Opens a scope and stands in it; gives the one to go back to.
    pub fn enter(&mut self, kind: ScopeKind, span: Span) -> ScopeId {
        let id = ScopeId(to_u32(self.script.scopes.len()));
        let parent = Some(self.scope);
        let scope = Scope { parent, kind, span, names: Vec::new(), types: Vec::new() };
        self.script.scopes.push(scope);
        std::mem::replace(&mut self.scope, id)
    }

    /// Where a declaration of this kind belongs.
    pub fn home_of(&self, kind: BindingKind) -> ScopeId {
        let hoists = matches!(kind, BindingKind::Var | BindingKind::Function);
        let mut home = self.scope;
        loop {
            let scope = &self.script.scopes[home.idx()];
            let is_home = match scope.kind {
                ScopeKind::File | ScopeKind::Function(_) | ScopeKind::Namespace => true,
                ScopeKind::Block | ScopeKind::Class(_) | ScopeKind::With => !hoists,
            };
            match scope.parent {
                Some(parent) if !is_home || self.torn.contains(&home) => home = parent,
                _ => return home,
            }
        }
    }

    /// Declares a name where its kind belongs.
    pub fn declare(
        &mut self,
        part: Part,
        kind: BindingKind,
        annotation: Option<Annotation>,
    ) -> BindingId {
        let home = self.home_of(kind);
        let symbol = self.names.symbol(self.text_of(part));
        let span = self.span(part);
        self.declare_in(home, (symbol, span), kind, annotation)
    }

    /// Declares a name in a scope.
    pub fn declare_in(
        &mut self,
        scope: ScopeId,
        name: (Symbol, Span),
        kind: BindingKind,
        annotation: Option<Annotation>,
    ) -> BindingId {
        self.names.declare(&mut self.script, scope, name, kind, annotation)
    }

    /// Declares a type's name.
    pub fn declare_type(&mut self, part: Part) {
        let name = self.name_of(part);
        let home = self.home_of(BindingKind::Let);
        self.script.scopes[home.idx()].types.push(name);
    }

    // Types, as text.

    /// A TypeScript annotation, with its colon or without.
    pub fn annotation(&mut self, part: Part) -> Annotation {
        let text = self.text_of(part);
        let text = text.strip_prefix(':').unwrap_or(text).trim();
        Annotation { text: text.into(), dialect: Dialect::TypeScript, scope: self.scope }
    }

    /// The annotation that a part has as its type.
    pub fn annotation_in(&mut self, part: Part, field: Field) -> Option<Annotation> {
        let found = self.field(part, field)?;
        Some(self.annotation(found))
    }

    /// A type that a JSDoc comment spells.
    pub fn doc_annotation(&self, text: Name) -> Annotation {
        Annotation { text, dialect: Dialect::JsDoc, scope: self.scope }
    }

    /// The names of a part's type parameters.
    pub fn type_parameters(&mut self, part: Part) -> Vec<Name> {
        let Some(list) = self.field(part, Field::TypeParameters) else { return Vec::new() };
        let names: Vec<_> = self.parts(list).filter_map(|p| self.field(p, Field::Name)).collect();
        names.into_iter().map(|name| self.name_of(name)).collect()
    }

    /// The JSDoc comment that ends right before a byte; other comments may stand between. TypeScript has none.
    pub fn doc_before(&self, at: u32) -> Option<Span> {
        if self.language != Language::JavaScript {
            return None;
        }
        let comments = &self.syntax.comments;
        let mut idx = comments.partition_point(|c| c.end <= at);
        let mut at = at;
        loop {
            idx = idx.checked_sub(1)?;
            let comment = comments[idx];
            let before = self.text.get(..at as usize).unwrap_or("").trim_end();
            if before.len() > comment.end as usize {
                return None;
            }
            if jsdoc::is_doc(comment.of(self.text)) {
                return Some(comment);
            }
            at = comment.start;
        }
    }

    /// What a JSDoc comment says.
    pub fn doc(&self, comment: Option<Span>) -> Doc {
        comment.map(|c| jsdoc::read(c.of(self.text))).unwrap_or_default()
    }

    // Ids of what comes next.

    /// The id of the next function.
    pub fn next_function(&self) -> FunctionId {
        FunctionId(to_u32(self.script.functions.len()))
    }

    /// The id of the next class.
    pub fn next_class(&self) -> ClassId {
        ClassId(to_u32(self.script.classes.len()))
    }

    /// The id of the next object literal.
    pub fn next_object(&self) -> ObjectId {
        ObjectId(to_u32(self.script.objects.len()))
    }
}
