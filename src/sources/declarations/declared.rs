//! What stands in a declaration file, as plain records: every name just as it is written there.
//!
//! Nothing here knows what a name means; that is the linker's work.

use crate::base::Name;
use crate::types::{Shape, Signature, Type, TypeName, TypeParameter, Writing};

/// One declaration file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Declared {
    /// Whether it is a module or adds to the global scope.
    pub form: Form,
    /// Its `/// <reference … />` lines.
    pub references: Vec<Reference>,
    /// What it declares itself.
    pub body: Body,
    /// Its `declare module "x" { }` blocks.
    pub modules: Vec<ModuleBlock>,
    /// The global names that it gives itself: `export as namespace X`.
    pub umd: Vec<(Name, u32)>,
    /// What could not be represented.
    pub holes: Vec<Gap>,
}

/// Whether a file is a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// It has no import and no export: what it declares is global.
    #[default]
    Script,
    /// It has some.
    Module,
}

/// A `/// <reference … />` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reference {
    /// `path="…"`: another file.
    Path(Name),
    /// `types="…"`: another package.
    Types(Name),
    /// `lib="…"`: a part of the language's own declarations.
    Lib(Name),
}

/// A line that could not be represented, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// From 1.
    pub line: u32,
    /// What stands there.
    pub what: Name,
}

/// A block `declare module "x" { }`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleBlock {
    /// The specifier, as written.
    pub name: Name,
    /// From 1.
    pub line: u32,
    /// What stands in it.
    pub body: Body,
}

/// The declarations of a file, module block or namespace block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Body {
    /// What it declares, in order.
    pub items: Vec<Item>,
    /// What it imports.
    pub imports: Vec<Import>,
    /// Its export statements; declarations with `export` before them are [`Item`]s.
    pub exports: Vec<Export>,
    /// Its `declare global { }` blocks, which may stand in a module block too.
    pub globals: Vec<Body>,
}

/// A declaration of one name; overloads are one each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Its name; `default` where it has none.
    pub name: Name,
    /// From 1.
    pub line: u32,
    /// Whether it says that it is exported.
    pub exported: Exported,
    /// Set where it is deprecated: the text that says so, maybe empty.
    pub deprecated: Option<Name>,
    /// What it declares.
    pub what: What,
}

/// Whether a declaration says that it is exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exported {
    /// It begins with `export`.
    Said,
    /// It begins with `export default`: it is exported under that name alone.
    Default,
    /// It says nothing.
    Silent,
}

/// What is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// `interface`.
    Interface {
        /// Its type parameters.
        type_parameters: Vec<TypeParameter>,
        /// What it inherits from.
        extends: Vec<Type>,
        /// Its members.
        shape: Shape,
    },
    /// `class`.
    Class(Class),
    /// `type`.
    Alias {
        /// Its type parameters.
        type_parameters: Vec<TypeParameter>,
        /// What it stands for.
        means: Type,
    },
    /// `var`, `let` and `const`.
    Variable {
        /// Its type.
        declared: Type,
        /// Whether it may be assigned.
        writing: Writing,
    },
    /// `function`.
    Function(Signature),
    /// `enum`.
    Enum(Vec<Constant>),
    /// `namespace`.
    Namespace(Body),
}

/// A class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// Its type parameters.
    pub type_parameters: Vec<TypeParameter>,
    /// What it extends.
    pub base: Base,
    /// The members of its instances.
    pub instance: Shape,
    /// The members of the class itself; constructors give [`Type::This`].
    pub statics: Shape,
}

/// What a class extends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Base {
    /// Nothing.
    None,
    /// A value by its name, with type arguments.
    Named(TypeName, Vec<Type>),
    /// Something that has no name, with what it is.
    Expression(Name),
}

/// A member of an enum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constant {
    /// Its name.
    pub name: Name,
    /// From 1.
    pub line: u32,
    /// What its value is.
    pub value: ConstantKind,
    /// Set where it is deprecated.
    pub deprecated: Option<Name>,
}

/// What the value of an enum's member is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConstantKind {
    /// A number.
    Number,
    /// A string.
    Text,
}

/// A name that stands for something declared elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The name in this body.
    pub local: Name,
    /// From 1.
    pub line: u32,
    /// Whether it says `export` too.
    pub exported: Exported,
    /// What it stands for.
    pub what: Imported,
}

/// What an import stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Imported {
    /// An export of a module; the default one is named `default`.
    Member {
        /// The specifier, as written.
        module: Name,
        /// The exported name.
        name: Name,
    },
    /// A whole module: `import * as x from "m"` and `import x = require("m")`.
    Module(Name),
    /// `import X = A.B`.
    Alias(Name),
}

/// An export statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// From 1.
    pub line: u32,
    /// Which sides of the name it exports.
    pub sides: Sides,
    /// What it exports.
    pub what: ExportKind,
}

/// Which sides of a name an export gives away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sides {
    /// All that it has.
    All,
    /// `export type`: not its value.
    Types,
}

/// What an export statement exports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportKind {
    /// `export { local as name }` and `export default local`.
    Local {
        /// The dotted name in this body.
        local: Name,
        /// The exported name.
        name: Name,
    },
    /// `export { original as name } from "module"`.
    From {
        /// The specifier, as written.
        module: Name,
        /// The name there.
        original: Name,
        /// The exported name.
        name: Name,
    },
    /// `export * from "module"`.
    Everything(Name),
    /// `export * as name from "module"`.
    Whole {
        /// The specifier, as written.
        module: Name,
        /// The exported name.
        name: Name,
    },
    /// `export = local`.
    Instead(Name),
}
