//! Statements to items, imports and exports.

use super::classes;
use super::declared::{
    Body, Declared, Export, ExportKind, Exported, Form, Import, Imported, Item, ModuleBlock, Sides,
    What,
};
use super::enums;
use super::notes::Notes;
use super::types::{self, Types};
use super::words;
use crate::base::Name;
use crate::types::{Type, TypeName, Writing};
use oxc_ast::ast::{
    self, BindingPattern, Declaration, ExportDefaultDeclarationKind, Expression, Function,
    ImportDeclarationSpecifier, ImportOrExportKind, ModuleExportName, Statement, TSModuleReference,
    TSNamespaceDeclarationBody, VariableDeclarationKind,
};
use oxc_span::GetSpan;

/// How deep namespaces may nest.
const MAX_DEPTH: u32 = 200;

/// Reads the statements of a file into `declared`.
pub(super) fn read(statements: &[Statement<'_>], declared: &mut Declared, notes: &mut Notes) {
    let mut reader = Reader { declared, notes, depth: 0 };
    let body = reader.body(statements, Level::File);
    declared.body = body;
}

#[derive(Clone, Copy, PartialEq)]
enum Level {
    File,
    Inner,
}

struct Reader<'d> {
    declared: &'d mut Declared,
    notes: &'d mut Notes,
    depth: u32,
}

impl Reader<'_> {
    fn body(&mut self, statements: &[Statement<'_>], level: Level) -> Body {
        let mut body = Body::default();
        for statement in statements {
            let start = statement.span().start;
            if let Some(declaration) = statement.as_declaration() {
                self.declaration(declaration, start, Exported::Silent, &mut body);
            } else if let Some(module) = statement.as_module_declaration() {
                if level == Level::File {
                    self.declared.form = Form::Module;
                }
                self.module_statement(module, start, &mut body);
            }
            // What remains runs, and declares nothing.
        }
        body
    }

    fn module_statement(&mut self, node: &ast::ModuleDeclaration<'_>, start: u32, body: &mut Body) {
        use ast::ModuleDeclaration as M;
        let line = self.notes.line(start);
        match node {
            M::ImportDeclaration(import) => self.import(import, line, body),
            M::ExportDeclaration(export) => {
                self.declaration(&export.declaration, start, Exported::Said, body);
            }
            M::ExportAllDeclaration(all) => {
                let module = Name::from(all.source.value.as_str());
                let what = match &all.exported {
                    Some(name) => ExportKind::Whole { module, name: export_name(name) },
                    None => ExportKind::Everything(module),
                };
                body.exports.push(Export { line, sides: sides(all.export_kind), what });
            }
            M::ExportNamedDeclaration(list) => {
                for one in &list.specifiers {
                    let what = ExportKind::Local {
                        local: export_name(&one.local),
                        name: export_name(&one.exported),
                    };
                    body.exports.push(Export {
                        line,
                        sides: both(list.export_kind, one.export_kind),
                        what,
                    });
                }
                if list.specifiers.is_empty() {
                    body.exports.push(nothing(line));
                }
            }
            M::ExportFromDeclaration(list) => {
                for one in &list.specifiers {
                    let what = ExportKind::From {
                        module: list.source.value.as_str().into(),
                        original: export_name(&one.local),
                        name: export_name(&one.exported),
                    };
                    body.exports.push(Export {
                        line,
                        sides: both(list.export_kind, one.export_kind),
                        what,
                    });
                }
            }
            M::ExportDefaultDeclaration(default) => self.default(&default.declaration, start, body),
            M::TSExportAssignment(assignment) => {
                let what = match words::expression_name(&assignment.expression) {
                    Some(name) => ExportKind::Instead(name),
                    None => {
                        self.unnamed(&assignment.expression, Exported::Silent, start, body);
                        ExportKind::Instead("export=".into())
                    }
                };
                body.exports.push(Export { line, sides: Sides::All, what });
            }
            M::TSNamespaceExportDeclaration(umd) => {
                self.declared.umd.push((umd.id.name.as_str().into(), line));
            }
        }
    }

    fn import(&mut self, import: &ast::ImportDeclaration<'_>, line: u32, body: &mut Body) {
        let module = Name::from(import.source.value.as_str());
        for one in import.specifiers.iter().flatten() {
            let (local, what) = match one {
                ImportDeclarationSpecifier::ImportSpecifier(named) => (
                    &named.local,
                    Imported::Member { module: module.clone(), name: export_name(&named.imported) },
                ),
                ImportDeclarationSpecifier::ImportDefaultSpecifier(default) => (
                    &default.local,
                    Imported::Member { module: module.clone(), name: "default".into() },
                ),
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(whole) => {
                    (&whole.local, Imported::Module(module.clone()))
                }
            };
            let local = local.name.as_str().into();
            body.imports.push(Import { local, line, exported: Exported::Silent, what });
        }
    }

    fn default(&mut self, node: &ExportDefaultDeclarationKind<'_>, start: u32, body: &mut Body) {
        let line = self.notes.line(start);
        let mut item = |name: Option<&ast::BindingIdentifier<'_>>, what: What, deprecated| {
            let name = name.map_or("default", |n| n.name.as_str()).into();
            body.items.push(Item { name, line, exported: Exported::Default, deprecated, what });
        };
        let deprecated = self.notes.deprecated(start);
        match node {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                let what = What::Function(classes::function_signature(function));
                item(function.id.as_ref(), what, deprecated);
            }
            ExportDefaultDeclarationKind::ClassDeclaration(class) => {
                item(
                    class.id.as_ref(),
                    What::Class(classes::class_of(class, self.notes)),
                    deprecated,
                );
            }
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(interface) => {
                item(Some(&interface.id), interface_of(interface, self.notes), deprecated);
            }
            other => {
                let Some(expression) = other.as_expression() else { return };
                let local = match words::expression_name(expression) {
                    Some(name) => name,
                    None => return self.unnamed(expression, Exported::Default, start, body),
                };
                let what = ExportKind::Local { local, name: "default".into() };
                body.exports.push(Export { line, sides: Sides::All, what });
            }
        }
    }

    /// An exported expression that has no name.
    fn unnamed(
        &mut self,
        expression: &Expression<'_>,
        exported: Exported,
        start: u32,
        body: &mut Body,
    ) {
        let name = if exported == Exported::Default { "default" } else { "export=" };
        let declared = Types::default().initialiser(expression);
        body.items.push(Item {
            name: name.into(),
            line: self.notes.line(start),
            exported,
            deprecated: self.notes.deprecated(start),
            what: What::Variable { declared, writing: Writing::Refused },
        });
        body.exports.push(nothing(self.notes.line(start)));
    }

    fn declaration(
        &mut self,
        node: &Declaration<'_>,
        start: u32,
        exported: Exported,
        body: &mut Body,
    ) {
        let line = self.notes.line(start);
        let deprecated = self.notes.deprecated(start);
        let name_and_what = match node {
            Declaration::VariableDeclaration(variables) => {
                return self.variables(variables, start, exported, body);
            }
            Declaration::FunctionDeclaration(function) => match self.function(function, body) {
                Some(found) => found,
                None => return,
            },
            Declaration::ClassDeclaration(class) => {
                let Some(name) = class.id.as_ref().map(|n| n.name.as_str()) else { return };
                (name.into(), What::Class(classes::class_of(class, self.notes)))
            }
            Declaration::TSTypeAliasDeclaration(alias) => {
                let what = What::Alias {
                    type_parameters: Types::default().parameters(alias.type_parameters.as_deref()),
                    means: Types::default().of(&alias.type_annotation),
                };
                (alias.id.name.as_str().into(), what)
            }
            Declaration::TSInterfaceDeclaration(interface) => {
                (interface.id.name.as_str().into(), interface_of(interface, self.notes))
            }
            Declaration::TSEnumDeclaration(node) => {
                (node.id.name.as_str().into(), What::Enum(enums::constants_of(node, self.notes)))
            }
            Declaration::TSExternalModuleDeclaration(module) => {
                let body = match &module.body {
                    Some(block) => self.inner(&block.body, start),
                    None => anything(line),
                };
                self.declared.modules.push(ModuleBlock {
                    name: module.id.value.as_str().into(),
                    line,
                    body,
                });
                return;
            }
            Declaration::TSNamespaceDeclaration(namespace) => {
                (namespace.id.name.as_str().into(), What::Namespace(self.namespace(namespace)))
            }
            Declaration::TSGlobalDeclaration(global) => {
                let inner = self.inner(&global.body.body, start);
                body.globals.push(inner);
                return;
            }
            Declaration::TSImportEqualsDeclaration(import) => {
                let what = match &import.module_reference {
                    TSModuleReference::ExternalModuleReference(module) => {
                        if self.depth == 0 {
                            self.declared.form = Form::Module;
                        }
                        Imported::Module(module.expression.value.as_str().into())
                    }
                    TSModuleReference::IdentifierReference(word) => {
                        Imported::Alias(word.name.as_str().into())
                    }
                    TSModuleReference::QualifiedName(pair) => Imported::Alias(qualified(pair)),
                };
                body.imports.push(Import {
                    local: import.id.name.as_str().into(),
                    line,
                    exported,
                    what,
                });
                return;
            }
        };
        let (name, what) = name_and_what;
        body.items.push(Item { name, line, exported, deprecated, what });
    }

    /// The statements of a block inside the file.
    fn inner(&mut self, statements: &[Statement<'_>], start: u32) -> Body {
        if self.depth >= MAX_DEPTH {
            self.notes.gap(start, "namespaces nest too deep");
            return Body::default();
        }
        self.depth += 1;
        let body = self.body(statements, Level::Inner);
        self.depth -= 1;
        body
    }

    /// The body of a namespace; `namespace A.B { }` is B in A.
    fn namespace(&mut self, node: &ast::TSNamespaceDeclaration<'_>) -> Body {
        let mut dotted = Vec::new();
        let mut at = node;
        let block = loop {
            match &at.body {
                TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => {
                    at = inner;
                    dotted.push(inner);
                }
                TSNamespaceDeclarationBody::TSModuleBlock(block) => break block,
            }
        };
        let mut body = self.inner(&block.body, node.span.start);
        for inner in dotted.into_iter().rev().take(MAX_DEPTH as usize) {
            let item = Item {
                name: inner.id.name.as_str().into(),
                line: self.notes.line(inner.span.start),
                exported: Exported::Said,
                deprecated: None,
                what: What::Namespace(body),
            };
            body = Body { items: vec![item], ..Body::default() };
        }
        body
    }

    fn function(&mut self, function: &Function<'_>, body: &Body) -> Option<(Name, What)> {
        let name: Name = function.id.as_ref()?.name.as_str().into();
        // The implementation behind overloads is no overload itself.
        let has_overloads = body.items.last().is_some_and(|earlier| {
            earlier.name == name && matches!(earlier.what, What::Function(_))
        });
        match function.body.is_some() && has_overloads {
            true => None,
            false => Some((name, What::Function(classes::function_signature(function)))),
        }
    }

    fn variables(
        &mut self,
        node: &ast::VariableDeclaration<'_>,
        start: u32,
        exported: Exported,
        body: &mut Body,
    ) {
        let is_const = match node.kind {
            VariableDeclarationKind::Const
            | VariableDeclarationKind::Using
            | VariableDeclarationKind::AwaitUsing => true,
            VariableDeclarationKind::Var | VariableDeclarationKind::Let => false,
        };
        for (i, one) in node.declarations.iter().enumerate() {
            let BindingPattern::BindingIdentifier(word) = &one.id else {
                self.notes.gap(one.span.start, "destructuring declaration");
                continue;
            };
            let at = if i == 0 { start } else { one.span.start };
            let declared =
                match classes::declared_type(one.type_annotation.as_deref(), one.init.as_ref()) {
                    // What may be assigned does not stay the literal that it begins as.
                    literal if one.type_annotation.is_none() && !is_const => widened(literal),
                    other => other,
                };
            body.items.push(Item {
                name: word.name.as_str().into(),
                line: self.notes.line(one.span.start),
                exported,
                deprecated: self.notes.deprecated(at),
                what: What::Variable {
                    declared,
                    writing: if is_const { Writing::Refused } else { Writing::Allowed },
                },
            });
        }
    }
}

fn widened(literal: Type) -> Type {
    match literal {
        Type::Text(_) => Type::String,
        Type::Digits(_) => Type::Number,
        Type::Truth(_) => Type::Boolean,
        other => other,
    }
}

fn interface_of(node: &ast::TSInterfaceDeclaration<'_>, notes: &mut Notes) -> What {
    let types = Types::default();
    let extends = node
        .extends
        .iter()
        .filter_map(|parent| {
            let name = words::dotted(&parent.type_name)?;
            let arguments = types.arguments(parent.type_arguments.as_deref());
            Some(Type::generic(TypeName::global(name), arguments))
        })
        .collect();
    What::Interface {
        type_parameters: types.parameters(node.type_parameters.as_deref()),
        extends,
        shape: types::shape_of(types, &node.body.body, notes),
    }
}

fn qualified(pair: &ast::TSQualifiedName<'_>) -> Name {
    match words::dotted(&pair.left) {
        Some(left) => format!("{left}.{}", pair.right.name).into(),
        None => pair.right.name.as_str().into(),
    }
}

fn export_name(name: &ModuleExportName<'_>) -> Name {
    name.name().as_str().into()
}

/// The body that `declare module "x";` has: whatever is imported from it is `any`.
fn anything(line: u32) -> Body {
    let name = Name::from("export=");
    let what = What::Variable { declared: Type::Any, writing: Writing::Refused };
    let item =
        Item { name: name.clone(), line, exported: Exported::Silent, deprecated: None, what };
    let export = Export { line, sides: Sides::All, what: ExportKind::Instead(name) };
    Body { items: vec![item], exports: vec![export], ..Body::default() }
}

/// `export {}`: it exports nothing, and so says that what says nothing is not exported either.
fn nothing(line: u32) -> Export {
    let what = ExportKind::Local { local: Name::default(), name: Name::default() };
    Export { line, sides: Sides::All, what }
}

fn sides(kind: ImportOrExportKind) -> Sides {
    match kind {
        ImportOrExportKind::Value => Sides::All,
        ImportOrExportKind::Type => Sides::Types,
    }
}

fn both(list: ImportOrExportKind, one: ImportOrExportKind) -> Sides {
    match sides(list) {
        Sides::Types => Sides::Types,
        Sides::All => sides(one),
    }
}
