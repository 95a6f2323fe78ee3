//! Declarations that make names for others: functions, classes, types, namespaces, imports and exports.

use super::kinds::{Field, Kind, Word};
use super::lower::Lower;
use super::syntax::Part;
use super::{BindingId, BindingKind, Export, Import, Imported, ScopeKind, ThisOf, Value};
use crate::base::{Name, Span, to_u32};

impl Lower<'_> {
    /// Lowers a declaration; `from` is where it begins, `export` included.
    pub fn declaration(&mut self, part: Part, from: u32) {
        match self.kind(part) {
            Kind::FunctionDeclaration | Kind::FunctionSignature => {
                let doc = self.doc_before(from);
                let binding = self.declared(part, BindingKind::Function);
                let function = self.lower_function(part, ThisOf::Own, doc);
                if let Some(binding) = binding {
                    self.hold(binding, Value::Function(function));
                }
            }
            Kind::ClassDeclaration => {
                let doc = self.doc_before(from);
                let binding = self.declared(part, BindingKind::Class);
                if let Some(name) = self.field(part, Field::Name) {
                    self.declare_type(name);
                }
                let class = self.lower_class(part, doc);
                if let Some(binding) = binding {
                    self.hold(binding, Value::Class(class));
                }
            }
            Kind::VariableDeclaration | Kind::LexicalDeclaration => self.variables(part, from),
            Kind::Interface | Kind::TypeAlias => {
                if let Some(name) = self.field(part, Field::Name) {
                    self.declare_type(name);
                }
            }
            Kind::Enum => self.enumeration(part),
            Kind::Namespace => self.namespace(part),
            Kind::Ambient => self.ambient(part),
            Kind::ImportAlias => self.import_alias(part),
            Kind::Import => self.import(part),
            Kind::Export => self.export(part),
            _ => {
                self.expression(part);
            }
        }
    }

    fn declared(&mut self, part: Part, kind: BindingKind) -> Option<BindingId> {
        let name = self.field(part, Field::Name)?;
        (self.kind(name) != Kind::Missing).then(|| self.declare(name, kind, None))
    }

    fn unknown_binding(&mut self, name: Part) {
        let binding = self.declare(name, BindingKind::Declared, None);
        self.hold(binding, Value::Unknown);
    }

    fn enumeration(&mut self, part: Part) {
        if let Some(name) = self.field(part, Field::Name) {
            self.unknown_binding(name);
            self.declare_type(name);
        }
        let Some(body) = self.field(part, Field::Body) else { return };
        // Members know one another by their plain names, those of the same enum declared elsewhere too.
        let around = self.enter(ScopeKind::Namespace, self.span(body));
        for member in self.parts_of(body, Kind::EnumAssignment) {
            self.expression_in(member, Field::Value);
        }
        self.scope = around;
    }

    /// Lowers a namespace; of its name nothing is known.
    pub fn namespace(&mut self, part: Part) {
        self.namespace_name(part);
        let Some(body) = self.field(part, Field::Body) else { return };
        let around = self.enter(ScopeKind::Namespace, self.span(body));
        self.statements_in(body);
        self.scope = around;
    }

    fn namespace_name(&mut self, part: Part) {
        let Some(mut name) = self.field(part, Field::Name) else { return };
        while let Kind::NestedIdentifier | Kind::Member = self.kind(name) {
            let Some(first) = self.parts(name).next() else { return };
            name = first;
        }
        if self.kind(name) == Kind::Identifier {
            self.unknown_binding(name);
        }
    }

    /// What is only declared to exist: its names, and nothing of what is in them.
    fn ambient(&mut self, part: Part) {
        let is_global = self.syntax.has(part, Word::Global);
        for inner in self.parts(part) {
            match self.kind(inner) {
                Kind::Block if is_global => {
                    for declaration in self.parts(inner) {
                        self.ambient_declaration(declaration);
                    }
                }
                _ => self.ambient_declaration(inner),
            }
        }
    }

    fn ambient_declaration(&mut self, part: Part) {
        match self.kind(part) {
            Kind::VariableDeclaration | Kind::LexicalDeclaration => {
                for declarator in self.parts(part) {
                    let name = self.field(declarator, Field::Name);
                    let Some(name) = name.filter(|n| self.kind(*n) == Kind::Identifier) else {
                        continue;
                    };
                    let annotation = self.annotation_in(declarator, Field::Type);
                    self.declare(name, BindingKind::Declared, annotation);
                }
            }
            Kind::FunctionDeclaration | Kind::FunctionSignature => {
                if let Some(name) = self.field(part, Field::Name) {
                    self.unknown_binding(name);
                }
            }
            Kind::ClassDeclaration | Kind::Enum => {
                if let Some(name) = self.field(part, Field::Name) {
                    self.unknown_binding(name);
                    self.declare_type(name);
                }
            }
            Kind::Namespace => self.namespace_name(part),
            Kind::Export => {
                for inner in self.parts(part) {
                    self.ambient_declaration(inner);
                }
            }
            Kind::Interface | Kind::TypeAlias => self.declaration(part, self.span(part).start),
            _ => {}
        }
    }

    fn import_alias(&mut self, part: Part) {
        // Its parts are not kept: the name is what stands between `import` and `=`.
        let span = self.span(part);
        let text = span.of(self.text);
        let Some(after) = text.strip_prefix("import") else { return };
        let Some((name, _)) = after.split_once('=') else { return };
        let start = span.start + to_u32("import".len() + name.len() - name.trim_start().len());
        let name = name.trim();
        let name_span = Span { start, end: start + to_u32(name.len()) };
        let symbol = self.names.symbol(name);
        let home = self.home_of(BindingKind::Declared);
        let binding = self.declare_in(home, (symbol, name_span), BindingKind::Declared, None);
        self.hold(binding, Value::Unknown);
    }

    fn import(&mut self, part: Part) {
        let type_only = self.syntax.has(part, Word::TypeOnly);
        let require = self.parts_of(part, Kind::ImportRequire).next();
        let source = self.field(require.unwrap_or(part), Field::Source);
        let Some(source) = source else { return };
        let module = self.string(source);
        if let Some(require) = require {
            if let Some(name) = self.parts(require).next() {
                let span = self.span(name);
                self.brought(&module, Imported::Required, span, Some(name), type_only);
            }
            return;
        }
        let clause = self.parts_of(part, Kind::ImportClause).next();
        let Some(clause) = clause else {
            let span = self.span(source);
            self.brought(&module, Imported::Nothing, span, None, type_only);
            return;
        };
        for inner in self.parts(clause) {
            match self.kind(inner) {
                Kind::Identifier => {
                    let span = self.span(inner);
                    self.brought(&module, Imported::Default, span, Some(inner), type_only);
                }
                Kind::NamespaceImport => {
                    if let Some(name) = self.parts(inner).next() {
                        let span = self.span(name);
                        self.brought(&module, Imported::Everything, span, Some(name), type_only);
                    }
                }
                Kind::NamedImports => {
                    for specifier in self.parts(inner) {
                        self.import_specifier(&module, specifier, type_only);
                    }
                }
                _ => {}
            }
        }
    }

    fn import_specifier(&mut self, module: &Name, part: Part, type_only: bool) {
        let Some(name) = self.field(part, Field::Name) else { return };
        let alias = self.field(part, Field::Alias).unwrap_or(name);
        let type_only = type_only || self.syntax.has(part, Word::TypeOnly);
        let (text, span) = self.export_name(name);
        let imported = if text == "default" { Imported::Default } else { Imported::Name(text) };
        self.brought(module, imported, span, Some(alias), type_only);
    }

    /// A name between braces, which may be a string.
    fn export_name(&mut self, part: Part) -> (Name, Span) {
        match self.property_name(part) {
            Some(found) => found,
            None => (self.name_of(part), self.span(part)),
        }
    }

    fn brought(
        &mut self,
        module: &Name,
        imported: Imported,
        span: Span,
        name: Option<Part>,
        type_only: bool,
    ) {
        let import = to_u32(self.script.imports.len());
        let binding = name.map(|name| self.declare(name, BindingKind::Import, None));
        if let Some(binding) = binding {
            self.hold(binding, Value::Import(import));
        }
        let module = module.clone();
        self.script.imports.push(Import { module, imported, span, binding, type_only });
    }

    fn export(&mut self, part: Part) {
        let from = self.span(part).start;
        let module = self.field(part, Field::Source).map(|source| self.string(source));
        let mut is_decorated = false;
        for decorator in self.parts_of(part, Kind::Decorator) {
            self.decorator(decorator);
            is_decorated = true;
        }
        if let Some(declaration) = self.field(part, Field::Declaration) {
            self.exported_declaration(part, declaration, from, is_decorated);
        } else if let Some(value) = self.field(part, Field::Value) {
            self.exported_value(value, "default", from);
        } else if let Some(module) = module {
            self.passed_on(part, &module);
        } else if self.syntax.has(part, Word::Equals) {
            if let Some(value) = self.parts(part).next() {
                self.exported_value(value, "export=", from);
            }
        } else if let Some(clause) = self.parts_of(part, Kind::ExportClause).next() {
            for specifier in self.parts(clause) {
                self.specified(specifier, None);
            }
        }
    }

    fn exported_value(&mut self, value: Part, name: &str, from: u32) {
        let doc = self.doc_before(from);
        let expression = self.property_value(value, ThisOf::Own, doc);
        let expression = self.typed_by(doc, expression);
        let local = (self.kind(value) == Kind::Identifier).then(|| self.name_of(value));
        let expression = Some(expression);
        self.offer(Export { name: name.into(), module: None, local, expression });
    }

    fn exported_declaration(
        &mut self,
        part: Part,
        declaration: Part,
        from: u32,
        is_decorated: bool,
    ) {
        let is_default = self.syntax.has(part, Word::Default);
        let (n_bindings, class) = (self.script.bindings.len(), self.next_class());
        self.declaration(declaration, from);
        if is_decorated && let Some(class) = self.script.classes.get_mut(class.idx()) {
            class.may_have_more = true;
        }
        let mut names: Vec<Name> = match self.field(declaration, Field::Name) {
            Some(name) => vec![self.name_of(name)],
            None => Vec::new(),
        };
        if names.is_empty() {
            let home = self.home_of(BindingKind::Let);
            let new = &self.script.bindings[n_bindings..];
            names.extend(new.iter().filter(|b| b.scope == home).map(|b| b.name.clone()));
        }
        for local in names {
            let name = if is_default { Name::new_static("default") } else { local.clone() };
            self.offer(Export { name, module: None, local: Some(local), expression: None });
        }
    }

    /// `export … from "module"`.
    fn passed_on(&mut self, part: Part, module: &Name) {
        let mut is_whole = true;
        for inner in self.parts(part) {
            match self.kind(inner) {
                Kind::ExportClause => {
                    is_whole = false;
                    for specifier in self.parts(inner) {
                        self.specified(specifier, Some(module));
                    }
                }
                Kind::NamespaceExport => {
                    is_whole = false;
                    if let Some(name) = self.parts(inner).next() {
                        let (name, _) = self.export_name(name);
                        let local = Some("*".into());
                        let module = Some(module.clone());
                        self.offer(Export { name, module, local, expression: None });
                    }
                }
                _ => {}
            }
        }
        if is_whole {
            let module = Some(module.clone());
            self.offer(Export { name: "*".into(), module, local: None, expression: None });
        }
    }

    fn specified(&mut self, specifier: Part, module: Option<&Name>) {
        let Some(local) = self.field(specifier, Field::Name) else { return };
        let alias = self.field(specifier, Field::Alias).unwrap_or(local);
        let (local, name) = (self.export_name(local).0, self.export_name(alias).0);
        let module = module.cloned();
        self.offer(Export { name, module, local: Some(local), expression: None });
    }

    /// Keeps an export of the file; what a namespace exports stays in it.
    fn offer(&mut self, export: Export) {
        let home = self.home_of(BindingKind::Let);
        if self.script.scopes[home.idx()].kind == ScopeKind::File {
            self.script.exports.push(export);
        }
    }
}
