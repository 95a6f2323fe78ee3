//! What classes and interfaces inherit from, as far as their members can be worked out.

use super::names::{Meaning, Target};
use super::rewriting::{self, Naming};
use super::spaces::{Part, World};
use crate::base::Name;
use crate::sources::declarations::{Base, Class, What};
use crate::types::substitute::Bindings;
use crate::types::{Shape, Signature, Type, TypeName, TypeParameter};
use std::sync::Arc;

/// How many declarations are followed from a value to what it constructs.
const MAX_STEPS: u32 = 8;

/// Mapped types that TypeScript's own library declares; whoever asks for members knows what they do.
const UTILITIES: &[&str] = &["Partial", "Required", "Readonly", "Pick", "Record"];

/// What a class inherits.
#[derive(Default)]
pub(super) struct Inherited {
    /// Its instances, from these types.
    pub instance: Vec<Type>,
    /// The class itself, from these.
    pub statics: Vec<Type>,
    /// Why that is not all.
    pub open: Option<Name>,
}

impl<'a> World<'a> {
    /// What a class inherits from its base.
    pub(super) fn inherited(&self, part: &Part<'a>, class: &Class) -> Inherited {
        let (name, arguments) = match &class.base {
            Base::None => return Inherited::default(),
            Base::Expression(what) => {
                return Inherited { open: Some(what.clone()), ..Inherited::default() };
            }
            Base::Named(name, arguments) => (name, arguments),
        };
        let mut resolving = self.resolving(part);
        resolving.enter(&class.type_parameters);
        let arguments: Vec<Type> =
            arguments.iter().map(|t| rewriting::rebuilt(t, &mut resolving)).collect();
        let base = match self.lookup(part.scope, &name.path, Meaning::Value) {
            (Target::Here(base), "") => base,
            (Target::Here(base) | Target::Elsewhere(base), rest) => {
                let base = if rest.is_empty() { base } else { base.child(rest) };
                return by_name(base, arguments);
            }
            // A global of another api, maybe one that this one knows the type of.
            (Target::Nowhere, _) => return by_name(name.clone(), arguments),
        };
        let is_type = self.entry(&base).is_some_and(|e| self.has(e, &base, Meaning::Type));
        if is_type {
            return by_name(base, arguments);
        }
        let statics = self.type_of_value(&base, 0);
        let value = self.value_member(&base).map_or(Type::Unknown, |m| super::values::as_type(&m));
        let mut instance = Vec::new();
        match self.constructed(&value, &arguments, MAX_STEPS, &mut instance) {
            Ok(()) => Inherited { instance, statics: vec![statics], open: None },
            Err(why) => {
                let open = format!("extends {}, {why}", name.path).into();
                Inherited { instance, statics: vec![statics], open: Some(open) }
            }
        }
    }

    /// What `new` gives for a value of this type, added to `found`; or why that cannot be told.
    fn constructed(
        &self,
        value: &Type,
        arguments: &[Type],
        steps: u32,
        found: &mut Vec<Type>,
    ) -> Result<(), &'static str> {
        if steps == 0 {
            return Err("which leads too far");
        }
        match value {
            Type::Constructor(signature) => {
                found.push(filled(&signature.returns, &signature.type_parameters, arguments));
                opaque_result(found)
            }
            Type::Literal(shape) => constructed_by(shape, arguments, found),
            Type::Intersection(parts) => {
                let before = found.len();
                let mut last = Ok(());
                for part in parts.iter() {
                    match self.constructed(part, arguments, steps - 1, found) {
                        Err(why) if !is_plain(part) => last = Err(why),
                        Ok(()) | Err(_) => {}
                    }
                }
                if found.len() == before { Err("which constructs nothing known") } else { last }
            }
            Type::Typeof(name) => match self.entry(name) {
                Some(entry) if self.has(entry, name, Meaning::Type) => {
                    found.push(Type::generic((**name).clone(), arguments.to_vec()));
                    Ok(())
                }
                Some(_) => {
                    let value = self.value_member(name).map(|m| super::values::as_type(&m));
                    match value {
                        Some(Type::Typeof(same)) if same == *name => {
                            Err("which constructs nothing known")
                        }
                        Some(value) => self.constructed(&value, arguments, steps - 1, found),
                        None => Err("which constructs nothing known"),
                    }
                }
                None => {
                    found.push(Type::generic((**name).clone(), arguments.to_vec()));
                    Ok(())
                }
            },
            Type::Named(named) => {
                let Some(entry) = self.entry(&named.name) else {
                    return Err("whose type belongs to another package");
                };
                for part in &entry.parts {
                    let mut resolving = self.resolving(part);
                    match &part.item.what {
                        What::Interface { type_parameters, shape, .. }
                            if !shape.constructs.is_empty() =>
                        {
                            resolving.enter(type_parameters);
                            let shape = rewriting::rebuilt_shape(shape, &mut resolving, None);
                            let filled = filled(
                                &Type::Literal(Arc::new(shape)),
                                type_parameters,
                                &named.arguments,
                            );
                            return self.constructed(&filled, arguments, steps - 1, found);
                        }
                        What::Alias { type_parameters, means } => {
                            resolving.enter(type_parameters);
                            let means = rewriting::rebuilt(means, &mut resolving);
                            let means = filled(&means, type_parameters, &named.arguments);
                            return self.constructed(&means, arguments, steps - 1, found);
                        }
                        _ => {}
                    }
                }
                Err("which constructs nothing known")
            }
            _ => Err("whose type says nothing"),
        }
    }

    /// Why a type that is inherited from cannot be listed, if so: an alias that stands for something opaque.
    pub(super) fn unlistable(&self, parent: &Type) -> Option<Name> {
        let name: &TypeName = match parent {
            Type::Named(named) => &named.name,
            Type::Opaque(what) => return Some(format!("extends a {what}").into()),
            _ => return None,
        };
        let is_utility = name.module.is_empty() && UTILITIES.contains(&name.path.as_str());
        self.entry(name).filter(|_| !is_utility)?.parts.iter().find_map(|part| {
            match &part.item.what {
                What::Alias { means: Type::Opaque(what), .. } => {
                    Some(format!("extends {}, a {what}", name.last()).into())
                }
                _ => None,
            }
        })
    }
}

/// What stands beside a constructor in an intersection and need not construct anything.
fn is_plain(part: &Type) -> bool {
    matches!(part, Type::Literal(_) | Type::Function(_) | Type::Named(_))
}

fn by_name(base: TypeName, arguments: Vec<Type>) -> Inherited {
    Inherited {
        instance: vec![Type::generic(base.clone(), arguments)],
        statics: vec![Type::Typeof(Arc::new(base))],
        open: None,
    }
}

fn constructed_by(
    shape: &Shape,
    arguments: &[Type],
    found: &mut Vec<Type>,
) -> Result<(), &'static str> {
    let fits = |s: &&Signature| s.type_parameters.len() == arguments.len();
    let Some(signature) = shape.constructs.iter().find(fits).or(shape.constructs.first()) else {
        return Err("which constructs nothing known");
    };
    found.push(filled(&signature.returns, &signature.type_parameters, arguments));
    opaque_result(found)
}

/// A type with its parameters replaced; one that is not given is its default, else anything.
fn filled(this: &Type, parameters: &[TypeParameter], arguments: &[Type]) -> Type {
    let argument = |(i, parameter): (usize, &TypeParameter)| {
        let given = arguments.get(i).or(parameter.default.as_ref());
        (parameter.name.clone(), given.cloned().unwrap_or(Type::Any))
    };
    let parameters = parameters.iter().enumerate().map(argument).collect();
    Bindings { parameters, this: None }.apply(this)
}

fn opaque_result(found: &[Type]) -> Result<(), &'static str> {
    match found.last() {
        Some(Type::Any | Type::Unknown | Type::Opaque(_)) => {
            Err("which constructs something unknown")
        }
        _ => Ok(()),
    }
}
