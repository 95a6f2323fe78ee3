//! JavaScript and TypeScript text to flat arrays: scopes, bindings, values, expressions, functions, classes, accesses.
//!
//! Nothing after this room sees a syntax node, and nothing here knows which api is meant. Any text gives a [`Script`]:
//! what is broken is left out and listed in [`Script::broken`], and the rest is whole.

mod extents;
mod kinds;
mod syntax;
mod whole;
mod clean;
mod jsdoc;
mod allowances;
mod names;
mod around;
mod lower;
mod patterns;
mod assignments;
mod objects;
mod expressions;
mod functions;
mod classes;
mod torn;
mod modules;
mod statements;
mod usage;
mod read;

pub use allowances::{Allowance, Beside};
pub use around::This;
pub use extents::{Declarator, Seat, Statement, StatementKind};
pub use read::script;

use crate::base::{Name, Span};

/// Which grammar reads a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// JavaScript with JSX: `.js`, `.mjs`, `.cjs`, `.jsx`, and what hosts call their scripts (`.gs`, `.jsx`, `.es6`).
    JavaScript,
    /// TypeScript: `.ts`, `.mts`, `.cts`.
    TypeScript,
    /// TypeScript with JSX: `.tsx`.
    Tsx,
}

/// An index into one of a [`Script`]'s arrays.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);
        impl $name {
            /// As an index into its array.
            pub fn idx(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
ids! {
    /// A scope.
    ScopeId,
    /// A binding.
    BindingId,
    /// A value that a binding or pattern can hold.
    ValueId,
    /// An expression.
    ExprId,
    /// A function of any kind.
    FunctionId,
    /// A class.
    ClassId,
    /// An object literal.
    ObjectId,
    /// A statement.
    StatementId
}

/// A text, lowered.
#[derive(Debug, Clone, Default)]
pub struct Script {
    /// Scope 0 is the file's.
    pub scopes: Vec<Scope>,
    /// Every declared name.
    pub bindings: Vec<Binding>,
    /// What bindings and patterns are given.
    pub values: Vec<Value>,
    /// Every expression; a part comes before the whole it belongs to.
    pub expressions: Vec<Expression>,
    /// Every function, method, accessor and constructor.
    pub functions: Vec<Function>,
    /// Every class.
    pub classes: Vec<Class>,
    /// Every object literal.
    pub objects: Vec<ObjectLiteral>,
    /// Every `receiver.member`, member taken by a pattern included, in the order of the text.
    pub accesses: Vec<Access>,
    /// Every assignment to a member (`a.b = c`, `a.b += c`, `a.b++`, `[a.b] = c`), in the order of the text.
    pub writes: Vec<Write>,
    /// Every import, `require` of a literal excluded (that is a call).
    pub imports: Vec<Import>,
    /// Every export, CommonJS excluded (that is a write).
    pub exports: Vec<Export>,
    /// Where a test holds and where it fails.
    pub guards: Vec<Guard>,
    /// Every statement, in the order of the text; one that lies in another comes behind it.
    pub statements: Vec<Statement>,
    /// Every `name = value` in a declaration of variables, in the order of the text.
    pub declarators: Vec<Declarator>,
    /// Names that are given a value and that the text nowhere declares, sorted: outside of modules that makes a global.
    pub free_writes: Vec<Name>,
    /// Names that a comment calls global (`/* global a, b */`), in the order of the text.
    pub announced: Vec<Name>,
    /// Types that a comment gives a name to (`@typedef {T} Name`), in the order of the text.
    pub aliases: Vec<TypeAlias>,
    /// Findings that comments allow, in the order of the text.
    pub allowances: Vec<Allowance>,
    /// Where the syntax does not hold; accesses in such a stretch are not listed.
    pub broken: Vec<Span>,
}

/// A stretch of text with names of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Scope {
    /// The scope around it.
    pub parent: Option<ScopeId>,
    /// What opened it.
    pub kind: ScopeKind,
    /// Where it holds.
    pub span: Span,
    /// Its names, sorted by name; of several bindings of one name (function overloads, `var` twice) the first.
    pub names: Vec<(Name, BindingId)>,
    /// Names of types that it declares (`interface`, `type`, and classes and enums too), sorted.
    pub types: Vec<Name>,
}

/// What opened a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScopeKind {
    /// The file.
    File,
    /// A function: its parameters and its body's `var`s.
    Function(FunctionId),
    /// A class body.
    Class(ClassId),
    /// A block, loop, `catch` or `switch`.
    Block,
    /// A `with` block: nothing is known of any free name in it.
    With,
    /// A TypeScript `namespace` or `module` body.
    Namespace,
}

/// A declared name.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    /// The name.
    pub name: Name,
    /// Where it is first declared.
    pub span: Span,
    /// Where it holds.
    pub scope: ScopeId,
    /// How it was declared.
    pub kind: BindingKind,
    /// Its type annotation or JSDoc `@type`.
    pub annotation: Option<Annotation>,
    /// Every value it is given, in the order of the text: initialiser first, then assignments wherever they stand.
    pub values: Vec<ValueId>,
}

/// How a name was declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BindingKind {
    /// `const` and `using`.
    Const,
    /// `let`.
    Let,
    /// `var`.
    Var,
    /// A parameter.
    Parameter,
    /// `function f() {}`.
    Function,
    /// `class C {}`.
    Class,
    /// An import.
    Import,
    /// `catch (e)`.
    Catch,
    /// A TypeScript `enum`, `namespace`, `import x = …` or `declare`d name: nothing is known of its members.
    Declared,
}

/// A type written in the code.
#[derive(Debug, Clone, PartialEq)]
pub struct Annotation {
    /// Its text, without the colon, braces or `as`.
    pub text: Name,
    /// In whose spelling.
    pub dialect: Dialect,
    /// The scope whose type names it may use.
    pub scope: ScopeId,
}

/// A name that stands for a type.
#[derive(Debug, Clone, PartialEq)]
pub struct TypeAlias {
    /// The name.
    pub name: Name,
    /// What it stands for.
    pub annotation: Annotation,
}

/// Whose spelling a type has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// TypeScript's.
    TypeScript,
    /// JSDoc's.
    JsDoc,
}

/// What a binding or a pattern is given.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `= expression`.
    Expression(ExprId),
    /// One element of an iterable (`for … of`); `awaited` for `for await`.
    ElementOf {
        /// The iterable.
        iterable: ExprId,
        /// Whether each element is awaited.
        awaited: bool,
    },
    /// A key of an object (`for … in`).
    KeyOf(ExprId),
    /// A function's parameter, by index; the default is a second value of the binding.
    Parameter {
        /// The function.
        function: FunctionId,
        /// From 0.
        index: u32,
        /// Whether it takes all further arguments.
        rest: bool,
    },
    /// What an import brings.
    Import(u32),
    /// A function declaration.
    Function(FunctionId),
    /// A class declaration.
    Class(ClassId),
    /// A part of another value, taken by a pattern; a default is a second value of the binding.
    Piece {
        /// The whole.
        of: ValueId,
        /// Which part.
        step: Step,
    },
    /// What `catch` caught.
    Caught,
    /// Something of which nothing is known.
    Unknown,
}

/// Which part of a value a pattern takes.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// `{ name }`.
    Member(Name),
    /// `{ [computed] }`.
    Computed,
    /// `[ , x ]`, from 0.
    Element(u32),
    /// `...rest` of an object.
    OtherMembers,
    /// `...rest` of an array.
    OtherElements,
}

/// An expression and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    /// What it is.
    pub kind: ExpressionKind,
    /// Where it stands; parentheses around it are not part of it.
    pub span: Span,
    /// The scope it stands in.
    pub scope: ScopeId,
    /// What it is given to.
    pub context: Context,
}

/// What an expression is.
#[derive(Debug, Clone, PartialEq)]
pub enum ExpressionKind {
    /// A name, with the binding it means; `None` where the text declares no such name.
    Name(Name, Option<BindingId>),
    /// `this`.
    This,
    /// `super`.
    Super,
    /// A string.
    Text(Name),
    /// A number, as written.
    Number(Name),
    /// A big integer.
    BigInt,
    /// `true` or `false`.
    Truth(bool),
    /// `null`.
    Null,
    /// A regular expression.
    Regex,
    /// A template string.
    Template,
    /// A template with a tag.
    Tagged(ExprId),
    /// `[a, ...b]`; holes are left out.
    Array(Vec<Argument>),
    /// An object literal.
    Object(ObjectId),
    /// A function expression or arrow function.
    Function(FunctionId),
    /// A class expression.
    Class(ClassId),
    /// `object.name`; a private name begins with `#`.
    Member {
        /// What stands left of the dot.
        object: ExprId,
        /// What stands right of it.
        name: Name,
        /// Where the name stands.
        name_span: Span,
        /// Whether the dot is `?.`.
        optional: bool,
    },
    /// `object[index]`.
    Element {
        /// What stands before the bracket.
        object: ExprId,
        /// What stands in it.
        index: ExprId,
        /// Whether it is `?.[`.
        optional: bool,
    },
    /// `callee(arguments)`.
    Call(Box<Call>),
    /// `new callee(arguments)`.
    New(Box<Call>),
    /// `await x`.
    Await(ExprId),
    /// `yield x`.
    Yield(Option<ExprId>),
    /// `typeof x`, `!x`, `-x`, `delete x`, …; `x++` too.
    Unary(Name, ExprId),
    /// `a + b`, `a < b`, `a in b`, `a instanceof B`, …
    Binary(Name, ExprId, ExprId),
    /// `a && b`, `a || b`, `a ?? b`.
    Logical(Name, ExprId, ExprId),
    /// `test ? yes : no`.
    Conditional(ExprId, ExprId, ExprId),
    /// `target = value`, with the operator; the target of a pattern is `None`.
    Assign(Name, Option<ExprId>, ExprId),
    /// `a, b`: the last.
    Sequence(ExprId),
    /// `x as T`, `<T>x`, `/** @type {T} */ (x)`.
    As(ExprId, Annotation),
    /// `x satisfies T`, `x as const`, `x!`: the type of `x` (without null for `!`).
    Same(ExprId),
    /// `import("module")`, with the module where it is a literal.
    ImportCall(Option<Name>),
    /// JSX.
    Jsx,
    /// Anything else (`new.target`, `import.meta`, …).
    Unknown,
}

/// A call or construction.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// What is called.
    pub callee: ExprId,
    /// What it is given.
    pub arguments: Vec<Argument>,
    /// `<T>` as written, without the angle brackets, one annotation each.
    pub type_arguments: Vec<Annotation>,
    /// Whether it is `?.(`.
    pub optional: bool,
}

/// An argument or array element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Argument {
    /// One value.
    One(ExprId),
    /// `...x`.
    Spread(ExprId),
}

/// What an expression is given to; what is not listed is [`Context::Free`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Context {
    /// Nothing that says anything about its type.
    Free,
    /// The argument of a call or construction, from 0.
    Argument(ExprId, u32),
    /// The value of a property of an object literal: index into its properties.
    Property(ObjectId, u32),
    /// An element of an array literal.
    Element(ExprId),
    /// The right side of an assignment to this expression.
    AssignedTo(ExprId),
    /// The initialiser of this binding (not through a pattern).
    Initialises(BindingId),
    /// The default value of a parameter or field, or what a field is set to.
    Field(ClassId, u32),
    /// What a function returns (an arrow's body too).
    Returned(FunctionId),
    /// A branch of this expression, which has the same context (`a ? x : y`, `a || x`, `x as T`, `(a, x)`, `await x` excluded).
    Branch(ExprId),
}

/// A function of any kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Where it stands, name and body included.
    pub span: Span,
    /// The scope of its parameters and body.
    pub scope: ScopeId,
    /// Its own name, if it has one (a method's is in its class or object).
    pub name: Option<Name>,
    /// What `this` is in it.
    pub this: ThisOf,
    /// `async`, `function*` or both.
    pub flow: Flow,
    /// Its parameters, in order; TypeScript's `this` parameter excluded.
    pub parameters: Vec<ParameterOf>,
    /// Its return type annotation, or JSDoc's `@returns`.
    pub returns_annotation: Option<Annotation>,
    /// Every expression that it returns (an arrow's body too).
    pub returns: Vec<ExprId>,
    /// What a generator gives one after the other; what `yield*` gives is a spread.
    pub yields: Vec<Argument>,
    /// Whether it has a `return` without a value, or its end can be reached (a guess from the last statement is enough).
    pub may_return_nothing: bool,
    /// Names that its JSDoc declares with `@template`, or TypeScript type parameters.
    pub type_parameters: Vec<Name>,
    /// The function expression; a declaration or method has none.
    pub expression: Option<ExprId>,
}

/// What `this` is in a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThisOf {
    /// What it is around it: arrow functions.
    Around,
    /// An instance of this class.
    Instance(ClassId),
    /// The class itself: static methods and blocks.
    Statics(ClassId),
    /// This object literal: methods and function values of its properties.
    Object(ObjectId),
    /// A plain function: decided by what it is assigned to or who calls it.
    Own,
}

/// How a function runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// To its end.
    Plain,
    /// `async`.
    Async,
    /// `function*`.
    Generator,
    /// `async function*`.
    AsyncGenerator,
}

/// A parameter as declared.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterOf {
    /// Its binding; a pattern has none.
    pub binding: Option<BindingId>,
    /// Its annotation, or JSDoc's `@param`.
    pub annotation: Option<Annotation>,
    /// Its default value.
    pub default: Option<ExprId>,
    /// Whether it may be left out.
    pub optional: bool,
    /// Whether it takes all further arguments.
    pub rest: bool,
}

/// A class.
#[derive(Debug, Clone, PartialEq)]
pub struct Class {
    /// Where it stands.
    pub span: Span,
    /// Its name.
    pub name: Option<Name>,
    /// What it extends.
    pub extends: Option<ExprId>,
    /// The type arguments that it gives what it extends, one annotation each.
    pub extends_arguments: Vec<Annotation>,
    /// Its members, parameter properties of TypeScript constructors included.
    pub members: Vec<ClassMember>,
    /// Its constructor.
    pub constructor: Option<FunctionId>,
    /// Whether it has members whose names are computed, decorators that may add some, or an index signature.
    pub may_have_more: bool,
    /// The class expression; a declaration has none.
    pub expression: Option<ExprId>,
    /// Names of its type parameters.
    pub type_parameters: Vec<Name>,
}

/// A member of a class.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassMember {
    /// Its name; private names begin with `#`.
    pub name: Name,
    /// Where the name stands.
    pub span: Span,
    /// Whether it belongs to the class itself.
    pub is_static: bool,
    /// What it is.
    pub kind: ClassMemberKind,
    /// A field's annotation.
    pub annotation: Option<Annotation>,
    /// A field's initialiser.
    pub value: Option<ExprId>,
    /// The method's or accessor's function.
    pub function: Option<FunctionId>,
    /// The constructor's parameter that a parameter property comes from.
    pub parameter: Option<BindingId>,
}

/// What a member of a class is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassMemberKind {
    /// A field.
    Field,
    /// A method.
    Method,
    /// `get`.
    Getter,
    /// `set`.
    Setter,
}

/// An object literal.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectLiteral {
    /// Its expression.
    pub expression: ExprId,
    /// Its properties with plain names, in order.
    pub properties: Vec<PropertyOf>,
    /// What is spread into it.
    pub spreads: Vec<ExprId>,
    /// Whether it has properties whose names are computed.
    pub may_have_more: bool,
}

/// A property of an object literal.
#[derive(Debug, Clone, PartialEq)]
pub struct PropertyOf {
    /// Its name.
    pub name: Name,
    /// Where the name stands.
    pub span: Span,
    /// Its value; `{ a }` has the name as its value, methods and getters a function expression.
    pub value: ExprId,
    /// What it is.
    pub kind: ClassMemberKind,
}

/// One `receiver.member`.
#[derive(Debug, Clone, PartialEq)]
pub struct Access {
    /// What stands left of the dot.
    pub receiver: Receiver,
    /// The member.
    pub name: Name,
    /// Where the member's name stands.
    pub span: Span,
    /// What is done with it.
    pub usage: Usage,
    /// Whether it is only asked whether the member is there: the test of an `if`, `while`, `?:`, left of `&&` or `||`,
    /// under `!` or `typeof`, compared with `undefined` or `null`.
    pub tested: bool,
}

/// What stands left of the dot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Receiver {
    /// `x.member`: the member expression itself and the receiver.
    Expression(ExprId, ExprId),
    /// `{ member } = value`.
    Value(ValueId),
}

/// What is done with a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Usage {
    /// Read.
    Read,
    /// Called.
    Called,
    /// Constructed with `new`.
    Constructed,
    /// Written with `=`.
    Written,
    /// Read and written: `+=`, `++`.
    Changed,
    /// Deleted.
    Deleted,
}

/// An assignment to a member.
#[derive(Debug, Clone, PartialEq)]
pub struct Write {
    /// The member expression (`a.b` or `a["b"]`).
    pub target: ExprId,
    /// What is written, where it is an expression of its own.
    pub value: Option<ExprId>,
    /// The function around it.
    pub function: Option<FunctionId>,
}

/// One name that an import brings.
#[derive(Debug, Clone, PartialEq)]
pub struct Import {
    /// The module, as written.
    pub module: Name,
    /// What of it.
    pub imported: Imported,
    /// Where the imported name stands.
    pub span: Span,
    /// The binding; an import for its effect has none.
    pub binding: Option<BindingId>,
    /// `import type`.
    pub type_only: bool,
}

/// What an import brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Imported {
    /// `import { name }`.
    Name(Name),
    /// `import x`.
    Default,
    /// `import * as x`.
    Everything,
    /// `import x = require("…")`.
    Required,
    /// `import "…"`.
    Nothing,
}

/// One export.
#[derive(Debug, Clone, PartialEq)]
pub struct Export {
    /// Under which name; `default` for the default, `*` for everything of another module.
    pub name: Name,
    /// The module it comes from, for re-exports.
    pub module: Option<Name>,
    /// The name it has here or there.
    pub local: Option<Name>,
    /// What it is, for `export default expression`.
    pub expression: Option<ExprId>,
}

/// A test and the stretches of text in which its outcome is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Guard {
    /// The test.
    pub test: ExprId,
    /// Where it holds: the branch, the right side of `&&`, the loop's body.
    pub holds: Vec<Span>,
    /// Where it fails: the other branch, the right side of `||`, the rest of the block behind a branch that leaves it.
    pub fails: Vec<Span>,
}

#[cfg(test)]
mod tests;
