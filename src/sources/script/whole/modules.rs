//! Imports and exports.

use super::super::kinds::{Field, Kind, Word};
use super::{Whole, span};
use oxc_ast::ast::{
    Declaration, ExportAllDeclaration, ExportDefaultDeclaration, ExportDefaultDeclarationKind,
    ExportSpecifier, ImportDeclaration, ImportDeclarationSpecifier, ModuleDeclaration,
    ModuleExportName,
};
use oxc_span::{GetSpan, Span};

impl<'a> Whole<'_, 'a> {
    /// An import or export.
    pub fn module(&mut self, declaration: &'a ModuleDeclaration<'a>, field: Field) {
        let kind = match declaration {
            ModuleDeclaration::ImportDeclaration(_) => Kind::Import,
            _ => Kind::Export,
        };
        let at = span(declaration.span());
        let at = crate::base::Span { end: self.end_of(declaration, at.end), ..at };
        let part = self.begin(kind, field, at);
        match declaration {
            ModuleDeclaration::ImportDeclaration(import) => self.import(import),
            ModuleDeclaration::ExportAllDeclaration(all) => self.export_all(all),
            ModuleDeclaration::ExportDefaultDeclaration(default) => self.export_default(default),
            ModuleDeclaration::ExportDeclaration(export) => {
                self.declaration(&export.declaration, Field::Declaration);
            }
            ModuleDeclaration::ExportNamedDeclaration(named) => {
                self.export_clause(&named.specifiers, named.span);
            }
            ModuleDeclaration::ExportFromDeclaration(from) => {
                self.export_clause(&from.specifiers, from.span);
                self.leaf(Kind::String, Field::Source, from.source.span);
            }
            ModuleDeclaration::TSExportAssignment(_)
            | ModuleDeclaration::TSNamespaceExportDeclaration(_) => self.leave_out(),
        }
        self.syntax.end(part);
    }

    /// Where a declaration ends: a semicolon behind a nameless function or class belongs to it, since it is an expression.
    fn end_of(&self, declaration: &ModuleDeclaration<'_>, end: u32) -> u32 {
        let is_expression = match declaration {
            ModuleDeclaration::ExportDefaultDeclaration(default) => match &default.declaration {
                ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                    function.id.is_none()
                }
                ExportDefaultDeclarationKind::ClassDeclaration(class) => class.id.is_none(),
                _ => false,
            },
            _ => false,
        };
        let rest = self.text.get(end as usize..).unwrap_or("");
        let space = rest.len() - rest.trim_start().len();
        match is_expression && rest[space..].starts_with(';') {
            true => end + crate::base::to_u32(space + 1),
            false => end,
        }
    }

    fn import(&mut self, import: &'a ImportDeclaration<'a>) {
        if import.phase.is_some() {
            self.leave_out();
        }
        if let Some(specifiers) = &import.specifiers {
            let clause = self.begin(Kind::ImportClause, Field::None, span(import.span));
            let mut named = None;
            for specifier in specifiers {
                match specifier {
                    ImportDeclarationSpecifier::ImportDefaultSpecifier(default) => {
                        self.leaf(Kind::Identifier, Field::None, default.local.span);
                    }
                    ImportDeclarationSpecifier::ImportNamespaceSpecifier(all) => {
                        let part = self.begin(Kind::NamespaceImport, Field::None, span(all.span));
                        self.leaf(Kind::Identifier, Field::None, all.local.span);
                        self.syntax.end(part);
                    }
                    ImportDeclarationSpecifier::ImportSpecifier(one) => {
                        let at = span(import.span);
                        named.get_or_insert_with(|| {
                            self.syntax.begin(Kind::NamedImports, Field::None, at)
                        });
                        let part = self.begin(Kind::ImportSpecifier, Field::None, span(one.span));
                        self.name(&one.imported, Field::Name);
                        if one.local.span != one.imported.span() {
                            self.leaf(Kind::Identifier, Field::Alias, one.local.span);
                        }
                        self.syntax.end(part);
                    }
                }
            }
            if let Some(named) = named {
                self.syntax.end(named);
            }
            self.syntax.end(clause);
        }
        self.leaf(Kind::String, Field::Source, import.source.span);
    }

    fn name(&mut self, name: &'a ModuleExportName<'a>, field: Field) {
        let kind = match name {
            ModuleExportName::StringLiteral(_) => Kind::String,
            ModuleExportName::IdentifierName(_) | ModuleExportName::IdentifierReference(_) => {
                Kind::Identifier
            }
        };
        self.leaf(kind, field, name.span());
    }

    fn export_all(&mut self, all: &'a ExportAllDeclaration<'a>) {
        if let Some(name) = &all.exported {
            let part = self.begin(Kind::NamespaceExport, Field::None, span(all.span));
            self.name(name, Field::None);
            self.syntax.end(part);
        }
        self.leaf(Kind::String, Field::Source, all.source.span);
    }

    fn export_clause(&mut self, specifiers: &'a [ExportSpecifier<'a>], at: Span) {
        let clause = self.begin(Kind::ExportClause, Field::None, span(at));
        for one in specifiers {
            let part = self.begin(Kind::ExportSpecifier, Field::None, span(one.span));
            self.name(&one.local, Field::Name);
            if one.exported.span() != one.local.span() {
                self.name(&one.exported, Field::Alias);
            }
            self.syntax.end(part);
        }
        self.syntax.end(clause);
    }

    fn export_default(&mut self, default: &'a ExportDefaultDeclaration<'a>) {
        self.syntax.tell(Word::Default, span(default.span));
        match &default.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                match function.id.is_some() {
                    true => self.function(function, Kind::FunctionDeclaration, Field::Declaration),
                    false => self.function(function, Kind::Function, Field::Value),
                }
            }
            ExportDefaultDeclarationKind::ClassDeclaration(class) => match class.id.is_some() {
                true => self.class(class, Kind::ClassDeclaration, Field::Declaration),
                false => self.class(class, Kind::Class, Field::Value),
            },
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => self.leave_out(),
            expression => match expression.as_expression() {
                Some(expression) => self.expression(expression, Field::Value),
                None => self.leave_out(),
            },
        }
    }

    /// A declaration of variables, a function or a class.
    pub fn declaration(&mut self, declaration: &'a Declaration<'a>, field: Field) {
        match declaration {
            Declaration::VariableDeclaration(variables) => self.variables(variables, field),
            Declaration::FunctionDeclaration(function) => {
                self.function(function, Kind::FunctionDeclaration, field);
            }
            Declaration::ClassDeclaration(class) => {
                self.class(class, Kind::ClassDeclaration, field);
            }
            Declaration::TSTypeAliasDeclaration(_)
            | Declaration::TSInterfaceDeclaration(_)
            | Declaration::TSEnumDeclaration(_)
            | Declaration::TSExternalModuleDeclaration(_)
            | Declaration::TSNamespaceDeclaration(_)
            | Declaration::TSGlobalDeclaration(_)
            | Declaration::TSImportEqualsDeclaration(_) => self.leave_out(),
        }
    }
}
