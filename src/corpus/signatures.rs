//! How a type is called and constructed.

use super::Corpus;
use super::effort::bounded;
use crate::datagraph::{Interface, InterfaceKind, Key};
use crate::types::substitute::{Bindings, parameters_to};
use crate::types::{Signature, Type, TypeName};
use std::sync::Arc;

/// Which of the two ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// `f()`.
    Call,
    /// `new f()`.
    Construct,
}

impl Corpus {
    /// The signatures that `ty` has, in the order of their declaration; empty where none is known.
    pub fn signatures(&self, ty: &Type, way: Way) -> Vec<Signature> {
        self.signatures_within(ty, way, 0)
    }

    fn signatures_within(&self, ty: &Type, way: Way, depth: u32) -> Vec<Signature> {
        if depth > 16 {
            return Vec::new();
        }
        bounded(Vec::new, || self.signatures_now(ty, way, depth))
    }

    fn signatures_now(&self, ty: &Type, way: Way, depth: u32) -> Vec<Signature> {
        match (self.resolve(&ty.present()), way) {
            (Type::Function(signature), Way::Call)
            | (Type::Constructor(signature), Way::Construct) => {
                vec![(*signature).clone()]
            }
            (Type::Literal(shape), Way::Call) => shape.calls.clone(),
            (Type::Literal(shape), Way::Construct) => shape.constructs.clone(),
            (Type::Named(named), way) => {
                let key = Key::of_type(named.name.clone());
                self.declared_signatures(&key, &named.arguments, way, depth)
            }
            (Type::Typeof(name), way) => self.value_signatures(&name, way, depth),
            (Type::Union(parts) | Type::Intersection(parts), way) => {
                parts.iter().flat_map(|p| self.signatures_within(p, way, depth + 1)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn declared_signatures(
        &self,
        key: &Key,
        arguments: &[Type],
        way: Way,
        depth: u32,
    ) -> Vec<Signature> {
        let mut found = Vec::new();
        for interface in self.interfaces(key) {
            let parameters = parameters_to(&interface.type_parameters, arguments);
            let bindings = Bindings { parameters, this: None };
            found.extend(own(interface, way).iter().map(|s| bindings.apply_signature(s)));
        }
        if !found.is_empty() {
            return found;
        }
        for interface in self.interfaces(key) {
            let parameters = parameters_to(&interface.type_parameters, arguments);
            let bindings = Bindings { parameters, this: None };
            for base in &interface.extends {
                found.extend(self.signatures_within(&bindings.apply(base), way, depth + 1));
            }
        }
        found
    }

    /// A class without a constructor of its own is constructed like its base, but gives itself.
    fn value_signatures(&self, name: &TypeName, way: Way, depth: u32) -> Vec<Signature> {
        let key = Key::of_value(name.clone());
        let mut found = self.declared_signatures(&key, &[], way, depth);
        let is_class = self.interfaces(&key).any(|i| i.kind == InterfaceKind::Statics);
        if way == Way::Construct && is_class {
            let own_constructors = self.interfaces(&key).any(|i| !own(i, way).is_empty());
            let itself = self.instance(name);
            if found.is_empty() {
                found.push(Signature { returns: itself.clone(), ..Signature::default() });
            }
            if !own_constructors {
                for signature in &mut found {
                    signature.type_parameters = self.class_parameters(name);
                    signature.returns = itself.clone();
                }
            }
        }
        found
    }

    fn class_parameters(&self, name: &TypeName) -> Vec<crate::types::TypeParameter> {
        let key = Key::of_type(name.clone());
        self.interfaces(&key).next().map(|i| i.type_parameters.clone()).unwrap_or_default()
    }

    /// An instance of a class, its type parameters standing for themselves.
    fn instance(&self, name: &TypeName) -> Type {
        let arguments = self.class_parameters(name);
        let arguments = arguments.iter().map(|p| Type::named(TypeName::global(p.name.clone())));
        Type::generic(name.clone(), arguments.collect())
    }

    /// What the first call signature gives, its own parameters left unknown.
    pub fn called(&self, ty: &Type) -> Option<Type> {
        self.signatures(ty, Way::Call).first().map(|s| self.result_of(s, &[]))
    }

    /// What the first construct signature gives, its own parameters left unknown.
    pub fn constructed(&self, ty: &Type) -> Option<Type> {
        self.signatures(ty, Way::Construct).first().map(|s| self.result_of(s, &[]))
    }

    /// What a signature gives where its type parameters stand for `inferred`; others for their default or constraint.
    pub fn result_of(&self, signature: &Signature, inferred: &[(crate::base::Name, Type)]) -> Type {
        self.bindings_of(signature, inferred).apply(&signature.returns)
    }

    /// What a signature's type parameters stand for.
    pub fn bindings_of(
        &self,
        signature: &Signature,
        inferred: &[(crate::base::Name, Type)],
    ) -> Bindings {
        let mut bindings = Bindings::default();
        for parameter in &signature.type_parameters {
            let meant = inferred.iter().find(|(n, _)| *n == parameter.name).map(|(_, t)| t.clone());
            let meant = meant
                .or_else(|| parameter.default.as_ref().map(|d| bindings.apply(d)))
                .unwrap_or(Type::Unknown);
            bindings.parameters.push((parameter.name.clone(), meant));
        }
        bindings
    }

    /// The function that a callback of this type is, if it is one.
    pub fn callback(&self, ty: &Type) -> Option<Arc<Signature>> {
        let mut found = self.signatures(ty, Way::Call);
        (!found.is_empty()).then(|| Arc::new(found.swap_remove(0)))
    }
}

fn own(interface: &Interface, way: Way) -> &[Signature] {
    match way {
        Way::Call => &interface.shape.calls,
        Way::Construct => &interface.shape.constructs,
    }
}
