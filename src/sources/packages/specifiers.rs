//! The specifiers in a declaration file: every module that its imports, exports and types name, as written.

use crate::base::Name;
use crate::sources::declarations::{Base, Body, Declared, ExportKind, Imported, Reference, What};
use crate::types::{Member, Shape, Signature, Type, TypeName, TypeParameter};
use std::collections::BTreeSet;

/// The specifiers of a file; `text` is what it was read from.
///
/// Names of its own `declare module "x"` blocks count only where they are relative: those add to another file.
pub fn specifiers(declared: &Declared, text: &str) -> BTreeSet<Name> {
    let mut found = BTreeSet::new();
    body(&declared.body, &mut found);
    for block in &declared.modules {
        body(&block.body, &mut found);
        if block.name.starts_with('.') {
            found.insert(block.name.clone());
        }
    }
    found.extend(bare_imports(text));
    found
}

/// The files that `/// <reference path>` lines name.
pub fn reference_paths(declared: &Declared) -> impl Iterator<Item = &Name> {
    declared.references.iter().filter_map(|reference| match reference {
        Reference::Path(path) => Some(path),
        Reference::Types(_) | Reference::Lib(_) => None,
    })
}

/// The packages that `/// <reference types>` lines name.
pub fn reference_types(declared: &Declared) -> impl Iterator<Item = &Name> {
    declared.references.iter().filter_map(|reference| match reference {
        Reference::Types(name) => Some(name),
        Reference::Path(_) | Reference::Lib(_) => None,
    })
}

/// `import "x"`: it binds no name, so no record holds it, but what it leads to may add to other modules.
fn bare_imports(text: &str) -> impl Iterator<Item = Name> {
    text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix("import")?.trim_start();
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (specifier, _) = rest[1..].split_once(quote)?;
        Some(specifier.into())
    })
}

fn body(of: &Body, found: &mut BTreeSet<Name>) {
    for import in &of.imports {
        match &import.what {
            Imported::Member { module, .. } | Imported::Module(module) => {
                found.insert(module.clone());
            }
            Imported::Alias(_) => {}
        }
    }
    for export in &of.exports {
        match &export.what {
            ExportKind::From { module, .. }
            | ExportKind::Everything(module)
            | ExportKind::Whole { module, .. } => {
                found.insert(module.clone());
            }
            ExportKind::Local { .. } | ExportKind::Instead(_) => {}
        }
    }
    for item in &of.items {
        what(&item.what, found);
    }
    for global in &of.globals {
        body(global, found);
    }
}

fn what(of: &What, found: &mut BTreeSet<Name>) {
    match of {
        What::Interface { type_parameters, extends, shape } => {
            parameters(type_parameters, found);
            all(extends, found);
            members(shape, found);
        }
        What::Class(class) => {
            parameters(&class.type_parameters, found);
            match &class.base {
                Base::Named(base, arguments) => {
                    name(base, found);
                    all(arguments, found);
                }
                Base::None | Base::Expression(_) => {}
            }
            members(&class.instance, found);
            members(&class.statics, found);
        }
        What::Alias { type_parameters, means } => {
            parameters(type_parameters, found);
            one(means, found);
        }
        What::Variable { declared, .. } => one(declared, found),
        What::Function(of) => signature(of, found),
        What::Enum(_) => {}
        What::Namespace(inner) => body(inner, found),
    }
}

fn name(of: &TypeName, found: &mut BTreeSet<Name>) {
    if !of.module.is_empty() {
        found.insert(of.module.clone());
    }
}

fn all(of: &[Type], found: &mut BTreeSet<Name>) {
    of.iter().for_each(|t| one(t, found));
}

fn one(of: &Type, found: &mut BTreeSet<Name>) {
    match of {
        Type::Named(named) => {
            name(&named.name, found);
            all(&named.arguments, found);
        }
        Type::Typeof(of) => name(of, found),
        Type::Array(inner) | Type::KeyOf(inner) => one(inner, found),
        Type::Tuple(parts) | Type::Union(parts) | Type::Intersection(parts) => all(parts, found),
        Type::Function(of) | Type::Constructor(of) => signature(of, found),
        Type::Literal(shape) => members(shape, found),
        Type::Indexed(pair) => {
            one(&pair.0, found);
            one(&pair.1, found);
        }
        Type::Is(pair) => one(&pair.1, found),
        Type::Any
        | Type::Unknown
        | Type::Opaque(_)
        | Type::Never
        | Type::Void
        | Type::Null
        | Type::Undefined
        | Type::String
        | Type::Number
        | Type::Boolean
        | Type::BigInt
        | Type::Symbol
        | Type::Object
        | Type::Text(_)
        | Type::Digits(_)
        | Type::Truth(_)
        | Type::This
        | Type::Own(_) => {}
    }
}

fn members(of: &Shape, found: &mut BTreeSet<Name>) {
    for member in of.members.values() {
        let Member { declared, signatures, .. } = member;
        one(declared, found);
        signatures.iter().for_each(|s| signature(s, found));
    }
    of.calls.iter().chain(&of.constructs).for_each(|s| signature(s, found));
    for (key, value) in &of.index {
        one(key, found);
        one(value, found);
    }
}

fn signature(of: &Signature, found: &mut BTreeSet<Name>) {
    parameters(&of.type_parameters, found);
    of.this.iter().for_each(|t| one(t, found));
    of.parameters.iter().for_each(|p| one(&p.declared, found));
    one(&of.returns, found);
}

fn parameters(of: &[TypeParameter], found: &mut BTreeSet<Name>) {
    for parameter in of {
        parameter.constraint.iter().chain(&parameter.default).for_each(|t| one(t, found));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::declarations::declarations;

    #[test]
    fn every_way_to_name_a_module_counts() {
        let text = "/// <reference path='r.d.ts' />\n/// <reference types='node' />\n\
            import a from 'a';\nimport * as b from 'b';\nimport c = require('c');\nimport 'd';\n\
            export * from 'e';\nexport { x } from 'f';\n\
            export declare function g(p: import('h').I): typeof import('i');\n\
            export class J extends Array<import('j').J> {}\n\
            declare module './k' { interface K { l: import('l').L } }\n\
            declare module 'm' {}\n";
        let declared = declarations(text);
        let found: Vec<String> = specifiers(&declared, text).iter().map(Name::to_string).collect();
        assert_eq!(found, ["./k", "a", "b", "c", "d", "e", "f", "h", "i", "j", "l"]);
        assert_eq!(reference_paths(&declared).collect::<Vec<_>>(), ["r.d.ts"]);
        assert_eq!(reference_types(&declared).collect::<Vec<_>>(), ["node"]);
    }
}
