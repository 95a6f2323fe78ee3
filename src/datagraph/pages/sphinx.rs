//! Sphinx' dialect: HTML, a term with an id an object (`jinja2.Environment.shared`), what it has in terms inside of it.

use super::draft::Draft;
use super::entries::{MAX_PARAMETERS, parameter, put, subject, told, unknown};
use crate::datagraph::{InterfaceKind, Key};
use crate::sources::pages::Page;
use crate::sources::pages::node::Node;
use crate::types::{Arity, Member, Signature, Type, TypeName, Writing};
use std::sync::Arc;

/// What objects that have members are called.
const TYPES: &[&str] = &["class", "exception", "interface", "protocol", "struct", "enum"];

/// What is found in `page`.
pub fn draft(source: u32, page: &Page) -> Draft {
    let mut reader = Reader { source, draft: Draft::default() };
    if let Some(root) = &page.root {
        reader.below(root, None);
    }
    reader.draft
}

struct Reader {
    source: u32,
    draft: Draft,
}

impl Reader {
    fn below(&mut self, node: &Node, owner: Option<&TypeName>) {
        for child in node.elements() {
            match child.name.as_str() {
                "dl" => self.objects(child, owner),
                _ => self.below(child, owner),
            }
        }
    }

    /// A list of terms: `<dl class="py method">`, several terms before what they share.
    fn objects(&mut self, list: &Node, owner: Option<&TypeName>) {
        let classes: Vec<&str> = list.said("@class").split_whitespace().collect();
        let kind = classes.get(1).copied().unwrap_or("");
        let mut inner = None;
        for child in list.elements() {
            let is_object =
                child.name == "dt" && (child.has_class("sig") || child.has_class("sig-object"));
            match child.name.as_str() {
                "dt" if is_object => {
                    if let Some(of) = self.object(child, kind, owner) {
                        inner = Some(of);
                    }
                }
                "dd" => {
                    let of = inner.clone();
                    if let Some(of) = &of {
                        self.bases(child, of);
                    }
                    self.below(child, of.as_ref().or(owner));
                }
                _ => {}
            }
        }
    }

    /// Reads a term; gives the type that what is inside of it belongs to.
    fn object(&mut self, term: &Node, kind: &str, owner: Option<&TypeName>) -> Option<TypeName> {
        let at = (self.source, term.line);
        let part = |class: &str| {
            term.find(&|node| node.has_class(class)).map(Node::whole_text).unwrap_or_default()
        };
        let (before, name) = (part("descclassname"), part("descname"));
        let before = before.trim_end_matches('.');
        if name.is_empty() {
            return None;
        }
        if TYPES.contains(&kind) {
            let of = match owner {
                Some(owner) if before.is_empty() => owner.child(&name),
                Some(_) | None => TypeName::within(before, name.as_str()),
            };
            let constructs = Signature { returns: Type::named(of.clone()), ..signature(term) };
            subject(&mut self.draft, &of, InterfaceKind::Class, at);
            let statics =
                self.draft.interface(Key::of_value(of.clone()), InterfaceKind::Statics, at);
            statics.shape.constructs.push(constructs);
            self.export(&of, at);
            return Some(of);
        }
        let annotated = term
            .find(&|node| node.has_class("property") && node.whole_text().starts_with(':'))
            .map(Node::whole_text);
        let words = term
            .elements()
            .filter(|node| node.has_class("property"))
            .map(Node::whole_text)
            .collect::<Vec<_>>()
            .join(" ");
        let mut member = match kind {
            "method" | "function" | "classmethod" | "staticmethod" | "decorator" => {
                Member::method(vec![signature(term)])
            }
            "attribute" | "property" | "data" | "member" | "const" => {
                let said = annotated.unwrap_or_default();
                Member::property(word(said.trim_start_matches(':').trim()))
            }
            _ => return None,
        };
        if kind == "property" {
            member.writing = Writing::Refused;
        }
        member.at = at;
        match self.owner_of(owner, before, kind) {
            Some(of) => {
                let is_static = ["classmethod", "staticmethod"].contains(&kind)
                    || words.contains("static")
                    || words.contains("classmethod");
                let key = if is_static { Key::of_value(of) } else { Key::of_type(of) };
                put(&mut self.draft, &key, &name, member);
            }
            None => {
                let key = Key::of_value(TypeName::within(before, ""));
                self.draft.interface(key.clone(), InterfaceKind::Module, at);
                self.draft.modules.insert(before.into(), before.into());
                put(&mut self.draft, &key, &name, member);
            }
        }
        None
    }

    /// Whose member a name is: what it stands in, or the type that is said before it.
    fn owner_of(&mut self, owner: Option<&TypeName>, before: &str, kind: &str) -> Option<TypeName> {
        if let Some(owner) = owner {
            return Some(owner.clone());
        }
        let (module, last) = before.rsplit_once('.').unwrap_or(("", before));
        let of = TypeName::within(module, last);
        let kinds = ["method", "classmethod", "staticmethod", "attribute", "property"];
        let is_of_type = kinds.contains(&kind) && !last.is_empty();
        if is_of_type {
            // The page may only add to what another one is about.
            self.draft.parts.insert(of.clone());
        }
        (is_of_type || self.draft.interfaces.contains_key(&Key::of_type(of.clone()))).then_some(of)
    }

    fn export(&mut self, of: &TypeName, at: (u32, u32)) {
        if of.module.is_empty() || of.path.contains('.') {
            return;
        }
        let key = Key::of_value(TypeName::within(of.module.clone(), ""));
        let value = super::draft::export(Type::Typeof(Arc::new(of.clone())), at);
        self.draft.interface(key.clone(), InterfaceKind::Module, at);
        self.draft.modules.insert(of.module.clone(), of.module.clone());
        put(&mut self.draft, &key, of.last(), value);
    }

    /// The types behind `Bases:`.
    fn bases(&mut self, body: &Node, of: &TypeName) {
        let Some(first) = body.elements().find(|node| node.name == "p") else { return };
        let text = first.whole_text();
        let Some(names) = text.strip_prefix("Bases:") else { return };
        let parents =
            names.split(',').map(str::trim).filter(|name| !name.is_empty() && *name != "object");
        let parents: Vec<Type> = parents
            .map(|name| match name.rsplit_once('.') {
                Some((module, name)) => Type::named(TypeName::within(module, name)),
                None => Type::named(TypeName::within(of.module.clone(), name)),
            })
            .collect();
        if let Some(one) = self.draft.interfaces.get_mut(&Key::of_type(of.clone())) {
            one.extends.extend(parents);
        }
    }
}

fn signature(term: &Node) -> Signature {
    let mut parameters = Vec::new();
    term.walk(&mut |node| {
        if !node.has_class("sig-param") || parameters.len() >= MAX_PARAMETERS {
            return;
        }
        let text = node.whole_text();
        let head = text.split('=').next().unwrap_or("");
        let (name, kind) = head.split_once(':').unwrap_or((head, ""));
        let name = name.trim();
        let arity = match (name.starts_with('*') || name.starts_with("..."), text.contains('=')) {
            (true, _) => Arity::Rest,
            (false, true) => Arity::Optional,
            (false, false) => Arity::Required,
        };
        if ["*", "/", ""].contains(&name) {
            return;
        }
        let declared =
            if arity == Arity::Rest { Type::Array(Arc::new(Type::Any)) } else { word(kind.trim()) };
        parameters.push(parameter(name.trim_start_matches(['*', '.']), declared, arity));
    });
    // What stands in brackets may be left out; how much of it is not said where it begins.
    if term.find(&|node| node.has_class("optional")).is_some() {
        parameters
            .iter_mut()
            .filter(|one| one.arity == Arity::Required)
            .for_each(|one| one.arity = Arity::Optional);
    }
    let returns = term
        .find(&|node| node.has_class("sig-return-typehint"))
        .map_or_else(unknown, |node| word(&node.whole_text()));
    Signature { parameters, returns, ..Signature::default() }
}

fn word(said: &str) -> Type {
    match said {
        "str" | "string" => Type::String,
        "int" | "float" | "number" => Type::Number,
        "bool" | "boolean" => Type::Boolean,
        "None" => Type::Void,
        "Any" => Type::Any,
        "" => unknown(),
        named if named.split('.').all(crate::types::print::is_plain) => told(named),
        _ => unknown(),
    }
}
