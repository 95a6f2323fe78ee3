//! Types that the code itself writes: TypeScript annotations and JSDoc comments, read in the scope they stand in.

use super::asked::{Inference, widened};
use crate::base::Name;
use crate::corpus::lookup::BY_COMMENT;
use crate::datagraph::Key;
use crate::sources::script::{
    Annotation, BindingKind, Dialect, ExpressionKind, Imported, ScopeId, Value,
};
use crate::types::rename::rename;
use crate::types::{Named, Own, Type, TypeName, parse};

/// How many names for types may stand for one another.
const MAX_ALIASES: u32 = 8;

impl Inference<'_> {
    /// The type that an annotation means. A comment's primitive types are not believed.
    pub fn annotated(&mut self, annotation: &Annotation) -> Type {
        self.meaning(annotation, 0)
    }

    fn meaning(&self, annotation: &Annotation, depth: u32) -> Type {
        let written = match annotation.dialect {
            Dialect::TypeScript => parse::typescript(&annotation.text),
            Dialect::JsDoc => parse::jsdoc(&annotation.text),
        };
        let renamed = rename(&written, &|named| self.local_meaning(named, annotation.scope, depth));
        match annotation.dialect {
            Dialect::TypeScript => renamed,
            Dialect::JsDoc => rename(&believed(&renamed), &|named| self.loosened(named)),
        }
    }

    /// A generic type that a comment names without arguments: what they are is not known.
    fn loosened(&self, named: &Named) -> Option<Type> {
        if !named.arguments.is_empty() {
            return None;
        }
        let name = self.corpus.canonical(&named.name);
        let n_parameters = match self.corpus.alias(&name) {
            Some(alias) => alias.type_parameters.len(),
            None => {
                let key = Key::of_type(name.clone());
                self.corpus.interfaces(&key).map(|i| i.type_parameters.len()).max().unwrap_or(0)
            }
        };
        (n_parameters > 0).then(|| Type::generic(name, vec![Type::Unknown; n_parameters]))
    }

    /// What a name in an annotation means, if the code says so: its own class, an import, or something unknown.
    fn local_meaning(&self, named: &Named, scope: ScopeId, depth: u32) -> Option<Type> {
        if let Some(module) = self.meanings.get(&named.name.module) {
            return Some(self.of_module(module, &named.name.path, named));
        }
        if !named.name.module.is_empty() {
            return None;
        }
        let path = named.name.path.as_str();
        let head = path.split('.').next().unwrap_or(path);
        let mut next = Some(scope);
        while let Some(id) = next {
            let here = &self.script.scopes[id.idx()];
            if let Ok(at) = here.names.binary_search_by(|(n, _)| n.as_str().cmp(head)) {
                let binding = &self.script.bindings[here.names[at].1.idx()];
                return match binding.kind {
                    BindingKind::Class if head == path => self.own_class(&binding.values),
                    BindingKind::Import => self.imported_type(&binding.values, path, named),
                    BindingKind::Const | BindingKind::Let | BindingKind::Var => {
                        self.required_type(&binding.values, path, named)
                    }
                    _ => Some(Type::Unknown),
                };
            }
            if here.types.iter().any(|t| t == head) {
                return Some(self.aliased(path, id, depth));
            }
            next = here.parent;
        }
        self.is_type_parameter(head, scope).then_some(Type::Unknown)
    }

    /// What a type means that a comment gives a name.
    fn aliased(&self, name: &str, scope: ScopeId, depth: u32) -> Type {
        let mut named = self.script.aliases.iter().filter(|a| a.name == name);
        match (named.next(), named.next()) {
            (Some(one), None) if one.annotation.scope == scope && depth < MAX_ALIASES => {
                self.meaning(&one.annotation, depth + 1)
            }
            _ => Type::Unknown,
        }
    }

    /// What a module of the project calls by a name; without one, an instance of what it exports as a whole.
    fn of_module(&self, module: &Name, path: &str, named: &Named) -> Type {
        let whole = TypeName::within(module.clone(), path);
        if path.is_empty() {
            let whole = self.corpus.resolve(&Type::Typeof(std::sync::Arc::new(whole)));
            return match whole {
                Type::Typeof(_) => self.corpus.constructed(&whole).unwrap_or(Type::Unknown),
                _ => Type::Unknown,
            };
        }
        let name = self.corpus.canonical(&whole);
        match self.corpus.has(&Key::of_type(name.clone())) {
            true => Type::generic(name, named.arguments.clone()),
            false => Type::Unknown,
        }
    }

    /// The module of the project or of an api that a specifier means.
    pub(super) fn module(&self, specifier: &str) -> Option<Name> {
        self.meanings.get(specifier).cloned().or_else(|| self.corpus.module(specifier))
    }

    fn is_type_parameter(&self, name: &str, scope: ScopeId) -> bool {
        let mut next = Some(scope);
        while let Some(id) = next {
            let here = &self.script.scopes[id.idx()];
            let declared: &[Name] = match here.kind {
                crate::sources::script::ScopeKind::Function(f) => {
                    &self.script.functions[f.idx()].type_parameters
                }
                crate::sources::script::ScopeKind::Class(c) => {
                    &self.script.classes[c.idx()].type_parameters
                }
                _ => &[],
            };
            if declared.iter().any(|n| n == name) {
                return true;
            }
            next = here.parent;
        }
        false
    }

    fn own_class(&self, values: &[crate::sources::script::ValueId]) -> Option<Type> {
        match values {
            [one] => match &self.script.values[one.idx()] {
                Value::Class(class) => Some(Type::Own(Own::Instance(class.0))),
                _ => Some(Type::Unknown),
            },
            _ => Some(Type::Unknown),
        }
    }

    /// `Name` or `ns.Name`, where the head is imported.
    fn imported_type(
        &self,
        values: &[crate::sources::script::ValueId],
        path: &str,
        named: &Named,
    ) -> Option<Type> {
        let [one] = values else { return Some(Type::Unknown) };
        let Value::Import(import) = &self.script.values[one.idx()] else {
            return Some(Type::Unknown);
        };
        let import = &self.script.imports[*import as usize];
        let Some(module) = self.module(&import.module) else { return Some(Type::Unknown) };
        let tail = path.split_once('.').map(|(_, tail)| tail);
        let of_project = self.meanings.contains_key(&import.module);
        if of_project && tail.is_none() && import.imported == Imported::Required {
            return Some(self.of_module(&module, "", named));
        }
        let inner = match (&import.imported, tail) {
            (Imported::Name(name), None) => name.to_string(),
            (Imported::Name(name), Some(tail)) => format!("{name}.{tail}"),
            (Imported::Default, None) => "default".to_string(),
            (Imported::Default | Imported::Everything | Imported::Required, Some(tail)) => {
                tail.to_string()
            }
            (Imported::Everything | Imported::Required | Imported::Nothing, _) => {
                return Some(Type::Unknown);
            }
        };
        if of_project {
            return Some(self.of_module(&module, &inner, named));
        }
        let name = self.corpus.canonical(&TypeName::within(module, inner.as_str()));
        Some(Type::generic(name, named.arguments.clone()))
    }

    /// `ns.Name`, where `ns` is a variable set to `require("module")`.
    fn required_type(
        &self,
        values: &[crate::sources::script::ValueId],
        path: &str,
        named: &Named,
    ) -> Option<Type> {
        let tail = path.split_once('.').map(|(_, tail)| tail);
        let [one] = values else { return Some(Type::Unknown) };
        let Value::Expression(expression) = &self.script.values[one.idx()] else {
            return Some(Type::Unknown);
        };
        match (&self.script.expressions[expression.idx()].kind, tail) {
            (ExpressionKind::Class(class), None) => Some(Type::Own(Own::Instance(class.0))),
            (ExpressionKind::Call(call), tail) => {
                let Some(module) = self.required(call) else { return Some(Type::Unknown) };
                let tail = match (tail, self.meanings.values().any(|m| *m == module)) {
                    (tail, true) => {
                        return Some(self.of_module(&module, tail.unwrap_or(""), named));
                    }
                    (Some(tail), false) => tail,
                    (None, false) => return Some(Type::Unknown),
                };
                let name = self.corpus.canonical(&TypeName::within(module, tail));
                Some(Type::generic(name, named.arguments.clone()))
            }
            _ => Some(Type::Unknown),
        }
    }
}

/// A comment's type. Its primitives are looser than they say: what they have is believed, what they lack is in doubt.
fn believed(ty: &Type) -> Type {
    match ty {
        Type::String | Type::Number | Type::Boolean | Type::BigInt | Type::Symbol => {
            Type::union([ty.clone(), Type::opaque(BY_COMMENT)])
        }
        Type::Text(_) | Type::Digits(_) | Type::Truth(_) => {
            Type::union([widened(ty.clone()), Type::opaque(BY_COMMENT)])
        }
        // A function may carry members that its comment does not speak of.
        Type::Function(_) | Type::Constructor(_) => {
            Type::union([ty.clone(), Type::opaque(BY_COMMENT)])
        }
        Type::Literal(shape) => {
            let mut shape = (**shape).clone();
            for member in shape.members.values_mut() {
                member.declared = believed(&member.declared);
            }
            Type::union([Type::Literal(shape.into()), Type::opaque(BY_COMMENT)])
        }
        Type::Object => Type::opaque(BY_COMMENT),
        Type::Named(named)
            if named.name.module.is_empty()
                && matches!(
                    named.name.path.as_str(),
                    "Object" | "Function" | "String" | "Number" | "Boolean" | "JSON"
                )
                || named.name.path == "Array" && named.arguments.is_empty() =>
        {
            Type::opaque(BY_COMMENT)
        }
        Type::Union(parts) => Type::union(parts.iter().map(believed)),
        Type::Array(element) => Type::Array(std::sync::Arc::new(believed(element))),
        other => other.clone(),
    }
}
