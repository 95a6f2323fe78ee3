//! What a type means: aliases expanded, values' types found, `T[K]` and the language's utility types worked out.

use super::effort::bounded;
use super::{Corpus, Lookup, MAX_DEPTH};
use crate::base::Name;
use crate::datagraph::Key;
use crate::types::substitute::{Bindings, parameters_to};
use crate::types::{Member, Shape, Type, TypeName};
use std::sync::Arc;

impl Corpus {
    /// `ty` as something with members: no alias, no `typeof` of a plain value, no `T[K]` is left on top.
    pub fn resolve(&self, ty: &Type) -> Type {
        let endless = || Type::opaque("type that never ends");
        let mut ty = ty.clone();
        for _ in 0..MAX_DEPTH {
            match bounded(|| Some(endless()), || self.step(&ty)) {
                Some(next) => ty = next,
                None => return ty,
            }
        }
        endless()
    }

    /// Whether a type asks for less than what it is resolved to: `Partial<T>`, `Omit<T, K>`, `Pick<T, K>` or an alias of one.
    pub fn is_partial(&self, ty: &Type) -> bool {
        let mut ty = ty.clone();
        for _ in 0..MAX_DEPTH {
            if let Type::Named(named) = &ty
                && takes_away(&named.name)
            {
                return true;
            }
            match bounded(|| None, || self.step(&ty)) {
                Some(next) => ty = next,
                None => return false,
            }
        }
        true
    }

    /// One step of [`Corpus::resolve`]; `None` where there is none to take.
    fn step(&self, ty: &Type) -> Option<Type> {
        match ty {
            Type::Named(named) => {
                let name = match named.name.module.is_empty() {
                    true if self.has(&Key::of_type(named.name.clone())) => {
                        return intrinsic(self, &named.name, &named.arguments);
                    }
                    _ => self.canonical(&named.name),
                };
                if let Some(known) = intrinsic(self, &name, &named.arguments) {
                    return Some(known);
                }
                if let Some(alias) = self.alias(&name) {
                    let parameters = parameters_to(&alias.type_parameters, &named.arguments);
                    return Some(Bindings { parameters, this: None }.apply(&alias.means));
                }
                (name != named.name).then(|| Type::generic(name, named.arguments.clone()))
            }
            Type::Typeof(name) if *name.path == *"globalThis" && name.module.is_empty() => {
                Some(Type::Typeof(Arc::new(TypeName::global(""))))
            }
            Type::Typeof(name) => self.value(name),
            Type::Indexed(pair) => Some(self.indexed(&pair.0, &pair.1)),
            Type::Literal(shape) if only_calls(shape) && shape.calls.len() == 1 => {
                Some(Type::Function(Arc::new(shape.calls[0].clone())))
            }
            _ => None,
        }
    }

    /// The type of a value that is named by `typeof`; `None` where it has an interface of its own or is not known.
    fn value(&self, name: &TypeName) -> Option<Type> {
        let key = Key::of_value(name.clone());
        if let Some(interface) = self.interfaces(&key).next() {
            return interface.exports.clone();
        }
        let canonical = self.canonical(name);
        if canonical != *name {
            return Some(Type::Typeof(Arc::new(canonical)));
        }
        let (scope, last) = match name.path.rsplit_once('.') {
            Some((scope, last)) => {
                (TypeName { module: name.module.clone(), path: scope.into() }, last)
            }
            None if name.path.is_empty() => return None,
            None => (
                TypeName { module: name.module.clone(), path: Name::default() },
                name.path.as_str(),
            ),
        };
        let scope = Key::of_value(scope);
        let mut found =
            self.interfaces(&scope).filter_map(|i| i.shape.members.get(last)).map(Member::gives);
        found.next().filter(|t| !matches!(t, Type::Typeof(n) if **n == *name))
    }

    /// `object[key]`.
    pub fn indexed(&self, object: &Type, key: &Type) -> Type {
        let object = self.resolve(object);
        match self.resolve(key) {
            Type::Text(name) => match self.lookup(&object, &name) {
                Lookup::Known(found) => found.gives,
                Lookup::Missing(_) | Lookup::Doubt(_) => Type::Unknown,
            },
            Type::Number | Type::Digits(_) => self.element(&object).unwrap_or(Type::Unknown),
            Type::Union(keys) if keys.len() <= 64 => {
                Type::union(keys.iter().map(|k| self.indexed(&object, k)))
            }
            _ => Type::Unknown,
        }
    }

    /// What `object[number]` gives, for arrays and what has a number index.
    pub fn element(&self, object: &Type) -> Option<Type> {
        bounded(|| None, || self.element_now(object))
    }

    fn element_now(&self, object: &Type) -> Option<Type> {
        match self.resolve(object) {
            Type::Array(element) => Some((*element).clone()),
            Type::Tuple(parts) => Some(Type::union(parts.iter().cloned())),
            Type::String | Type::Text(_) => Some(Type::String),
            Type::Union(parts) => {
                let parts = parts.iter().filter(|p| !matches!(p, Type::Null | Type::Undefined));
                let found: Option<Vec<Type>> = parts.map(|p| self.element(p)).collect();
                found.map(Type::union)
            }
            Type::Intersection(parts) => parts.iter().find_map(|p| self.element(p)),
            Type::Literal(shape) => index_value(&shape),
            Type::Named(named) => self.index_of(&named.name, &named.arguments, 0),
            _ => None,
        }
    }

    fn index_of(&self, name: &TypeName, arguments: &[Type], depth: u32) -> Option<Type> {
        let key = Key::of_type(name.clone());
        for interface in self.interfaces(&key) {
            let parameters = parameters_to(&interface.type_parameters, arguments);
            let bindings = Bindings { parameters, this: None };
            if let Some(value) = index_value(&interface.shape) {
                return Some(bindings.apply(&value));
            }
            if depth > 16 {
                return None;
            }
            for base in &interface.extends {
                let found = match self.resolve(&bindings.apply(base)) {
                    Type::Named(base) => self.index_of(&base.name, &base.arguments, depth + 1),
                    other => self.element(&other),
                };
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// What `for … of` and spreading give, if it can be told.
    pub fn iterated(&self, ty: &Type) -> Option<Type> {
        bounded(|| None, || self.iterated_now(ty))
    }

    fn iterated_now(&self, ty: &Type) -> Option<Type> {
        let ty = self.resolve(&ty.present());
        match &ty {
            Type::Array(_) | Type::Tuple(_) | Type::String | Type::Text(_) => self.element(&ty),
            Type::Union(parts) => {
                let found: Option<Vec<Type>> = parts.iter().map(|p| self.iterated(p)).collect();
                found.map(Type::union)
            }
            _ => {
                if let Some(Type::Named(iterable)) =
                    ["Iterable", "IterableIterator", "Iterator", "Generator", "ArrayIterator"]
                        .iter()
                        .find_map(|name| self.as_named(&ty, name))
                {
                    return iterable.arguments.first().cloned();
                }
                let Lookup::Known(found) = self.lookup(&ty, "@@iterator") else {
                    return None;
                };
                let iterator = self.called(&found.gives)?;
                let Type::Named(named) = self.resolve(&iterator) else { return None };
                named.arguments.first().cloned()
            }
        }
    }

    /// What `await` gives: a promise's value, anything else itself.
    pub fn awaited(&self, ty: &Type) -> Type {
        bounded(|| Type::Unknown, || self.awaited_now(ty))
    }

    fn awaited_now(&self, ty: &Type) -> Type {
        let ty = self.resolve(ty);
        match &ty {
            Type::Union(parts) => Type::union(parts.iter().map(|p| self.awaited(p))),
            Type::Named(_) | Type::Intersection(_) => {
                for promise in ["Promise", "PromiseLike"] {
                    if let Some(Type::Named(named)) = self.as_named(&ty, promise) {
                        let inner = named.arguments.first().cloned().unwrap_or(Type::Unknown);
                        return self.awaited(&inner);
                    }
                }
                match self.lookup(&ty, "then") {
                    Lookup::Known(_) => Type::Unknown,
                    Lookup::Missing(_) => ty,
                    Lookup::Doubt(_) => ty,
                }
            }
            _ => ty,
        }
    }

    /// `ty` seen as the global interface `name` with its arguments, through what it inherits from.
    pub fn as_named(&self, ty: &Type, name: &str) -> Option<Type> {
        self.seen_as(ty, &TypeName::global(name), 0)
    }

    /// `ty` seen as the interface `target`, through what it inherits from.
    pub fn seen_as(&self, ty: &Type, target: &TypeName, depth: u32) -> Option<Type> {
        if depth > 16 {
            return None;
        }
        bounded(|| None, || self.seen_as_now(ty, target, depth))
    }

    fn seen_as_now(&self, ty: &Type, target: &TypeName, depth: u32) -> Option<Type> {
        match self.resolve(ty) {
            Type::Named(named) if named.name == *target => Some(Type::Named(named)),
            Type::Named(named) => {
                let key = Key::of_type(named.name.clone());
                self.interfaces(&key).find_map(|interface| {
                    let parameters = parameters_to(&interface.type_parameters, &named.arguments);
                    let bindings = Bindings { parameters, this: None };
                    interface
                        .extends
                        .iter()
                        .find_map(|base| self.seen_as(&bindings.apply(base), target, depth + 1))
                })
            }
            Type::Array(element) if target.module.is_empty() => match target.path.as_str() {
                "Array" | "ReadonlyArray" | "Iterable" | "ArrayLike" => {
                    Some(Type::generic(target.clone(), vec![(*element).clone()]))
                }
                _ => None,
            },
            Type::Intersection(parts) => {
                parts.iter().find_map(|p| self.seen_as(p, target, depth + 1))
            }
            _ => None,
        }
    }
}

/// Whether a utility type gives less than the type it is made of.
fn takes_away(name: &TypeName) -> bool {
    name.module.is_empty() && matches!(name.path.as_str(), "Omit" | "Pick" | "Partial")
}

/// Whether a shape has call signatures and nothing else.
fn only_calls(shape: &Shape) -> bool {
    shape.members.is_empty() && shape.constructs.is_empty() && shape.index.is_empty()
}

/// The value of a number or string index signature.
fn index_value(shape: &Shape) -> Option<Type> {
    let of = |wanted: fn(&Type) -> bool| {
        shape.index.iter().find(|(k, _)| wanted(k)).map(|(_, v)| v.clone())
    };
    of(|k| matches!(k, Type::Number)).or_else(|| of(|k| !matches!(k, Type::Symbol)))
}

/// The language's utility types, whose declarations are mapped or conditional.
fn intrinsic(corpus: &Corpus, name: &TypeName, arguments: &[Type]) -> Option<Type> {
    if !name.module.is_empty() {
        return None;
    }
    let first = arguments.first();
    match name.path.as_str() {
        "Partial" | "Required" | "Readonly" | "NoInfer" | "Mutable" => first.cloned(),
        // What is left out still exists on the whole, and saying less than is there costs a miss at most.
        "Omit" | "Pick" => first.cloned(),
        "NonNullable" => first.map(|t| corpus.resolve(t).present()),
        "Awaited" => first.map(|t| corpus.awaited(t)),
        "Extract" | "Exclude" => Some(Type::Unknown),
        "Uppercase" | "Lowercase" | "Capitalize" | "Uncapitalize" => Some(Type::String),
        "Array" if arguments.len() == 1 => Some(Type::Array(Arc::new(first?.clone()))),
        "ReturnType" => {
            let function = corpus.resolve(first?);
            Some(corpus.called(&function).unwrap_or(Type::Unknown))
        }
        "InstanceType" => {
            let class = corpus.resolve(first?);
            Some(corpus.constructed(&class).unwrap_or(Type::Unknown))
        }
        "Record" => record(corpus, arguments),
        _ => None,
    }
}

fn record(corpus: &Corpus, arguments: &[Type]) -> Option<Type> {
    let [key, value] = arguments else { return None };
    let key = corpus.resolve(key);
    let keys: Vec<Name> = match &key {
        Type::Text(one) => vec![one.clone()],
        Type::Union(parts) => parts
            .iter()
            .map(|p| match p {
                Type::Text(one) => Some(one.clone()),
                _ => None,
            })
            .collect::<Option<Vec<Name>>>()
            .unwrap_or_default(),
        _ => Vec::new(),
    };
    let mut shape = Shape::default();
    match keys.is_empty() {
        true => shape.index.push((Type::String, value.clone())),
        false => {
            for one in keys {
                shape.members.insert(one, Member::property(value.clone()));
            }
        }
    }
    Some(Type::Literal(Arc::new(shape)))
}
