//! TypeDoc's dialect: JSON, a project with its modules, classes and members as numbered reflections.
//!
//! What a reflection inherits is not its own, what is private is nobody's. A type is linked by number: two things of one
//! name in two modules stay two.

use super::draft::{Draft, add, export};
use super::entries::{Choice, MAX_PARAMETERS, enumeration, parameter, put, subject, unknown};
use crate::base::Name;
use crate::datagraph::{Alias, InterfaceKind, Key};
use crate::sources::pages::Page;
use crate::sources::pages::node::Node;
use crate::types::print::is_plain;
use crate::types::{Arity, Member, Presence, Signature, Type, TypeName, TypeParameter, Writing};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How deep types nest before they are not read.
const MAX_DEPTH: usize = 24;

const MODULE: &str = "2";
const NAMESPACE: &str = "4";
const ENUM: &str = "8";
const VARIABLE: &str = "32";
const FUNCTION: &str = "64";
const CLASS: &str = "128";
const INTERFACE: &str = "256";
const CONSTRUCTOR: &str = "512";
const PROPERTY: &str = "1024";
const METHOD: &str = "2048";
const ACCESSOR: &str = "262144";
const ALIAS: &str = "2097152";
const REFERENCE: &str = "4194304";

/// What is found in `page`.
pub fn draft(source: u32, page: &Page) -> Draft {
    let mut reader = Reader { source, draft: Draft::default(), names: BTreeMap::new() };
    let Some(root) = &page.root else { return reader.draft };
    let is_project =
        root.said("kind") == "1" && root.child("children").is_some() && root.child("id").is_some();
    if !is_project {
        return reader.draft;
    }
    let package = match root.said("packageName") {
        // A project that is not called as a package says in its list of symbols which one it is of.
        "" => root
            .child("symbolIdMap")
            .and_then(|map| map.children.first())
            .map(|one| one.said("packageName"))
            .filter(|named| !named.is_empty())
            .unwrap_or(root.said("name")),
        named => named,
    };
    reader.name_all(root, package, "");
    reader.module(root, package);
    reader.draft
}

struct Reader<'p> {
    source: u32,
    draft: Draft,
    /// The names of types by their numbers.
    names: BTreeMap<&'p str, TypeName>,
}

impl<'p> Reader<'p> {
    /// Gives each reflection that is a type its name; a module's default export is called as the module.
    fn name_all(&mut self, node: &'p Node, module: &str, outer: &str) {
        for child in node.items("children") {
            match child.said("kind") {
                MODULE => {
                    let inner = within(module, child.said("name"));
                    self.name_all(child, &inner, "");
                }
                NAMESPACE => {
                    let path = dotted(outer, child.said("name"));
                    self.names.insert(child.said("id"), TypeName::within(module, path.as_str()));
                    self.name_all(child, module, &path);
                }
                ENUM | CLASS | INTERFACE | ALIAS | FUNCTION | VARIABLE => {
                    let name = own_name(child, module);
                    self.names
                        .insert(child.said("id"), TypeName::within(module, dotted(outer, name)));
                }
                _ => {}
            }
        }
    }

    fn module(&mut self, node: &'p Node, module: &str) {
        let inner: Vec<&Node> =
            node.items("children").filter(|one| one.said("kind") == MODULE).collect();
        for one in inner {
            let named = within(module, one.said("name"));
            self.module(one, &named);
        }
        if node.items("children").all(|one| one.said("kind") == MODULE) {
            return;
        }
        let key = Key::of_value(TypeName::within(module, ""));
        self.draft.interface(key.clone(), InterfaceKind::Module, (self.source, node.line));
        self.draft.modules.insert(module.into(), module.into());
        self.draft.modules.insert(format!("{module}.js").into(), module.into());
        if let Some(package) = module.strip_suffix("/index") {
            self.draft.modules.insert(package.into(), module.into());
        }
        self.exported(node, &key);
    }

    /// What a module or namespace holds.
    fn exported(&mut self, node: &'p Node, key: &Key) {
        for child in node.items("children") {
            let at = (self.source, child.line);
            let name = child.said("name");
            let of = self.names.get(child.said("id")).cloned();
            let value = of.clone().map(|of| export(Type::Typeof(Arc::new(of)), at));
            match (child.said("kind"), of) {
                (CLASS | INTERFACE, Some(of)) => {
                    self.described(child, &of);
                    if child.said("kind") == CLASS {
                        self.give(key, name, value);
                    }
                }
                (ENUM, Some(of)) => {
                    self.choices(child, &of);
                    self.give(key, name, value);
                }
                (NAMESPACE, Some(of)) => {
                    let inner = Key::of_value(of);
                    self.draft.interface(inner.clone(), InterfaceKind::Namespace, at);
                    self.exported(child, &inner);
                    self.give(key, name, value);
                }
                (ALIAS, Some(of)) => self.alias(child, of),
                (FUNCTION, _) => {
                    let called = Member {
                        at,
                        deprecated: deprecation(child),
                        ..Member::method(self.signatures(child))
                    };
                    self.give(key, name, Some(called));
                }
                (VARIABLE, _) => {
                    let declared = self.kind(child.child("type"), 0);
                    let member = Member { deprecated: deprecation(child), ..export(declared, at) };
                    self.give(key, name, Some(member));
                }
                (REFERENCE, _) => {
                    let meant = self.names.get(child.said("target")).cloned();
                    self.give(key, name, meant.map(|of| export(Type::Typeof(Arc::new(of)), at)));
                }
                _ => {}
            }
        }
    }

    fn give(&mut self, key: &Key, name: &str, member: Option<Member>) {
        if let Some(member) = member
            && !name.is_empty()
        {
            let one = self.draft.interface(key.clone(), InterfaceKind::Module, member.at);
            add(&mut one.shape, name.into(), member);
        }
    }

    fn described(&mut self, node: &'p Node, of: &TypeName) {
        let at = (self.source, node.line);
        let is_class = node.said("kind") == CLASS;
        let parents: Vec<Type> =
            node.items("extendedTypes").map(|one| self.kind(Some(one), 0)).collect();
        let parameters = self.type_parameters(node);
        let kind = if is_class { InterfaceKind::Class } else { InterfaceKind::Interface };
        let one = subject(&mut self.draft, of, kind, at);
        one.extends.extend(parents.iter().cloned());
        one.type_parameters = parameters;
        one.deprecated = deprecation(node);
        if is_class {
            let statics =
                self.draft.interface(Key::of_value(of.clone()), InterfaceKind::Statics, at);
            statics.at = at;
            for parent in &parents {
                if let Type::Named(named) = parent {
                    statics.extends.push(Type::Typeof(Arc::new(named.name.clone())));
                }
            }
        }
        self.members(node, of);
        for one in node.items("indexSignatures").chain(node.child("indexSignature")) {
            let keys = one.items("parameters").next().and_then(|key| key.child("type"));
            let pair = (self.kind(keys, 0), self.kind(one.child("type"), 0));
            let interface = self.draft.interface(Key::of_type(of.clone()), kind, at);
            interface.shape.index.push(pair);
        }
    }

    fn members(&mut self, node: &'p Node, of: &TypeName) {
        for child in node.items("children") {
            let flags = child.child("flags");
            let has = |flag: &str| flags.is_some_and(|flags| flags.said(flag) == "true");
            let name = child.said("name");
            if child.child("inheritedFrom").is_some() || has("isPrivate") || has("isProtected") {
                continue;
            }
            let at = (self.source, child.line);
            if child.said("kind") == CONSTRUCTOR {
                let mut signatures = self.signatures(child);
                signatures.iter_mut().for_each(|one| one.returns = Type::named(of.clone()));
                let key = Key::of_value(of.clone());
                let statics = self.draft.interface(key, InterfaceKind::Statics, at);
                statics.shape.constructs.extend(signatures);
                continue;
            }
            let mut member = match child.said("kind") {
                METHOD => Member::method(self.signatures(child)),
                PROPERTY => self.property(child),
                ACCESSOR => {
                    let given = child.child("getSignature").or(child.child("setSignature"));
                    let mut member =
                        Member::property(self.kind(given.and_then(|one| one.child("type")), 0));
                    if child.child("setSignature").is_none() {
                        member.writing = Writing::Refused;
                    }
                    member
                }
                _ => continue,
            };
            member.at = at;
            member.deprecated = deprecation(child);
            if has("isOptional") {
                member.presence = Presence::Maybe;
            }
            if has("isReadonly") {
                member.writing = Writing::Refused;
            }
            let key =
                if has("isStatic") { Key::of_value(of.clone()) } else { Key::of_type(of.clone()) };
            put(&mut self.draft, &key, name, member);
        }
    }

    /// A property; one that can be called is no method, since it may be set.
    fn property(&mut self, node: &'p Node) -> Member {
        Member::property(self.kind(node.child("type"), 0))
    }

    fn choices(&mut self, node: &'p Node, of: &TypeName) {
        let at = (self.source, node.line);
        let is_text = node.items("children").any(|one| {
            one.child("type")
                .and_then(|kind| kind.child("value"))
                .is_some_and(|value| value.text.parse::<f64>().is_err())
        });
        let choices = node.items("children").map(|one| Choice {
            name: one.said("name").into(),
            at: (self.source, one.line),
            deprecated: deprecation(one),
        });
        let means = if is_text { Type::String } else { Type::Number };
        let choices: Vec<Choice> = choices.collect();
        enumeration(&mut self.draft, of, choices, means, at);
    }

    /// A type: one that spells an object is an interface, since it lists members.
    fn alias(&mut self, node: &'p Node, of: TypeName) {
        let at = (self.source, node.line);
        let declaration = node.child("type").and_then(|kind| kind.child("declaration"));
        // Newer projects list an object's members in the alias itself.
        let listing = std::iter::once(node).chain(declaration);
        let is_object =
            |one: &&Node| one.child("children").is_some() && one.child("signatures").is_none();
        match listing.into_iter().find(is_object) {
            Some(declaration) => {
                let parameters = self.type_parameters(node);
                let one = subject(&mut self.draft, &of, InterfaceKind::Interface, at);
                one.type_parameters = parameters;
                self.members(declaration, &of);
            }
            None => {
                let means = self.kind(node.child("type"), 0);
                let alias = Alias { type_parameters: self.type_parameters(node), means, at };
                self.draft.aliases.insert(of, alias);
            }
        }
    }

    fn type_parameters(&self, node: &Node) -> Vec<TypeParameter> {
        let listed = node.items("typeParameters").chain(node.items("typeParameter"));
        let made = listed.take(MAX_PARAMETERS).map(|one| TypeParameter {
            name: one.said("name").into(),
            constraint: one.child("type").map(|kind| self.kind(Some(kind), 1)),
            default: one.child("default").map(|kind| self.kind(Some(kind), 1)),
        });
        made.collect()
    }

    fn signatures(&self, node: &Node) -> Vec<Signature> {
        node.items("signatures").map(|one| self.signature(one, 0)).collect()
    }

    fn signature(&self, node: &Node, depth: usize) -> Signature {
        let parameters = node.items("parameters").take(MAX_PARAMETERS).map(|one| {
            let flags = one.child("flags");
            let has = |flag: &str| flags.is_some_and(|flags| flags.said(flag) == "true");
            let arity =
                match (has("isRest"), has("isOptional") || one.child("defaultValue").is_some()) {
                    (true, _) => Arity::Rest,
                    (false, true) => Arity::Optional,
                    (false, false) => Arity::Required,
                };
            parameter(one.said("name"), self.kind(one.child("type"), depth + 1), arity)
        });
        Signature {
            type_parameters: self.type_parameters(node),
            parameters: parameters.collect(),
            returns: self.kind(node.child("type"), depth + 1),
            ..Signature::default()
        }
    }

    fn kind(&self, node: Option<&Node>, depth: usize) -> Type {
        let Some(node) = node.filter(|_| depth < MAX_DEPTH) else { return unknown() };
        let inner = |name: &str| self.kind(node.child(name), depth + 1);
        let all = |name: &str| {
            node.items(name).map(|one| self.kind(Some(one), depth + 1)).collect::<Vec<_>>()
        };
        match node.said("type") {
            "intrinsic" => super::entries::told(node.said("name")),
            "literal" => literal(node.child("value")),
            "array" => Type::Array(Arc::new(inner("elementType"))),
            "union" => Type::union(all("types")),
            "intersection" => Type::Intersection(all("types").into()),
            "tuple" => Type::Tuple(all("elements").into()),
            "namedTupleMember" => inner("element"),
            "reference" => {
                let own = self.names.get(node.said("target")).cloned();
                let name = node.said("name");
                let named =
                    own.or_else(|| name.split('.').all(is_plain).then(|| TypeName::global(name)));
                named.map_or_else(unknown, |of| Type::generic(of, all("typeArguments")))
            }
            "reflection" => match node.child("declaration") {
                Some(declaration) => self.object(declaration, depth + 1),
                None => unknown(),
            },
            "typeOperator" if node.said("operator") == "keyof" => {
                Type::KeyOf(Arc::new(inner("target")))
            }
            "typeOperator" => inner("target"),
            "indexedAccess" => Type::Indexed(Arc::new((inner("objectType"), inner("indexType")))),
            "query" => {
                match node.child("queryType").and_then(|one| self.names.get(one.said("target"))) {
                    Some(of) => Type::Typeof(Arc::new(of.clone())),
                    None => unknown(),
                }
            }
            "optional" | "rest" => inner("elementType"),
            _ => unknown(),
        }
    }

    /// What a type that is spelt in place has.
    fn object(&self, node: &Node, depth: usize) -> Type {
        if depth >= MAX_DEPTH {
            return unknown();
        }
        if let Some(call) = node.items("signatures").next() {
            return Type::Function(Arc::new(self.signature(call, depth + 1)));
        }
        let mut shape = crate::types::Shape::default();
        for child in node.items("children") {
            let mut member = match child.said("kind") {
                METHOD => Member::method(
                    child.items("signatures").map(|one| self.signature(one, depth + 1)).collect(),
                ),
                _ => Member::property(self.kind(child.child("type"), depth + 1)),
            };
            member.at = (self.source, child.line);
            if child.child("flags").is_some_and(|flags| flags.said("isOptional") == "true") {
                member.presence = Presence::Maybe;
            }
            add(&mut shape, child.said("name").into(), member);
        }
        for one in node.items("indexSignatures").chain(node.child("indexSignature")) {
            let keys = one.items("parameters").next().and_then(|key| key.child("type"));
            shape.index.push((self.kind(keys, depth + 1), self.kind(one.child("type"), depth + 1)));
        }
        match shape.members.is_empty() && shape.index.is_empty() {
            true => Type::Object,
            false => Type::Literal(Arc::new(shape)),
        }
    }
}

fn literal(value: Option<&Node>) -> Type {
    let text = value.map_or("", |value| value.text.as_str());
    match text {
        "true" => Type::Truth(true),
        "false" => Type::Truth(false),
        "" => Type::Null,
        digits if digits.parse::<f64>().is_ok() => Type::Digits(digits.into()),
        text => Type::Text(text.into()),
    }
}

/// The specifier of a module inside of a package.
fn within(package: &str, name: &str) -> String {
    let name = name.trim_matches('"');
    match name == package || name.is_empty() || name.starts_with(&format!("{package}/")) {
        true if name.is_empty() => package.to_owned(),
        true => name.to_owned(),
        false => format!("{package}/{name}"),
    }
}

fn dotted(outer: &str, name: &str) -> String {
    if outer.is_empty() { name.to_owned() } else { format!("{outer}.{name}") }
}

/// What a reflection is called: a default export as its module.
fn own_name<'n>(node: &'n Node, module: &'n str) -> &'n str {
    match node.said("name") {
        "default" => module.rsplit('/').next().unwrap_or(module),
        name => name,
    }
}

fn deprecation(node: &Node) -> Option<Name> {
    let own = node.child("comment");
    let called = node
        .items("signatures")
        .chain(node.child("getSignature"))
        .find_map(|one| one.child("comment"));
    let tags = own.or(called)?.items("blockTags");
    let tag = tags.into_iter().find(|tag| tag.said("tag") == "@deprecated")?;
    let text: String = tag
        .items("content")
        .map(|part| part.child("text").map_or("", |t| t.text.as_str()))
        .collect();
    Some(text.split_whitespace().collect::<Vec<_>>().join(" ").into())
}
