//! Whether an argument can be what a parameter asks for: only as sharp as telling overloads apart needs.

use super::asked::Inference;
use crate::corpus::Lookup;
use crate::corpus::signatures::Way;
use crate::datagraph::Key;
use crate::sources::script::{Argument, Call, ObjectId};
use crate::types::{Own, Presence, Shape, Signature, Type, TypeName};

/// Whether something fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// It does not.
    No,
    /// It cannot be told.
    Maybe,
    /// It does.
    Yes,
}

/// How much of a call may be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sight {
    /// Every argument.
    Whole,
    /// All but functions, whose parameters are just being worked out.
    WithoutFunctions,
}

/// How many properties of an options object are compared.
const MAX_PROPERTIES: usize = 32;

impl Inference<'_> {
    /// Whether every argument fits.
    pub(super) fn fits(&mut self, signature: &Signature, call: &Call, sight: Sight) -> Fit {
        let mut whole = Fit::Yes;
        for (i, argument) in call.arguments.iter().enumerate() {
            let Argument::One(expression) = argument else {
                whole = whole.min(Fit::Maybe);
                continue;
            };
            let Some(declared) = signature.parameter_at(i) else { continue };
            let is_function = self.is_function(*expression);
            let fit = match (is_function, sight) {
                (true, _) if self.asks_for_a_statement(&declared) => Fit::No,
                (true, Sight::WithoutFunctions) => self.takes_function(&declared, signature),
                _ => {
                    let given = self.expression(*expression);
                    self.fit(&given, &declared, signature, 0)
                }
            };
            whole = whole.min(fit);
            if whole == Fit::No {
                return Fit::No;
            }
        }
        whole
    }

    /// Whether what is asked for is a function whose result says what its argument is (`x is T`). A function that is
    /// written on the spot says so only in TypeScript, and there the other overload gives a wider type, not a wrong one.
    fn asks_for_a_statement(&self, declared: &Type) -> bool {
        matches!(self.corpus.resolve(declared), Type::Function(f) if matches!(f.returns, Type::Is(_)))
    }

    /// Whether a function can be given where `declared` is asked for.
    fn takes_function(&mut self, declared: &Type, signature: &Signature) -> Fit {
        let declared = self.corpus.resolve(declared);
        match &declared {
            Type::Union(parts) => {
                parts.iter().map(|p| self.takes_function(p, signature)).max().unwrap_or(Fit::Maybe)
            }
            Type::Any | Type::Unknown | Type::Function(_) => Fit::Yes,
            Type::Named(named) if is_parameter(&named.name, signature) => Fit::Maybe,
            Type::Named(named) if named.name.path == "Function" => Fit::Yes,
            Type::Named(_) | Type::Literal(_) | Type::Intersection(_) => {
                match self.corpus.signatures(&declared, Way::Call).is_empty() {
                    true => Fit::No,
                    false => Fit::Yes,
                }
            }
            Type::Opaque(_) | Type::Indexed(_) | Type::Object => Fit::Maybe,
            _ => Fit::No,
        }
    }

    /// Whether a value of the type `given` fits `declared`.
    fn fit(&mut self, given: &Type, declared: &Type, signature: &Signature, depth: u32) -> Fit {
        if depth > 8 {
            return Fit::Maybe;
        }
        if let Type::Named(named) = declared
            && is_parameter(&named.name, signature)
        {
            return self.fits_parameter(given, &named.name, signature, depth);
        }
        if let Type::Own(Own::Object(object)) = given
            && self.corpus.is_partial(declared)
        {
            let fit = self.properties_fit(ObjectId(*object), declared, signature);
            return fit.min(Fit::Maybe);
        }
        let declared = self.corpus.resolve(declared);
        match (given, &declared) {
            (_, Type::Any | Type::Unknown) | (Type::Null | Type::Undefined, _) => Fit::Yes,
            (Type::Any | Type::Unknown | Type::Opaque(_) | Type::This, _) => Fit::Maybe,
            (_, Type::Opaque(_) | Type::Indexed(_) | Type::This) => Fit::Maybe,
            (_, Type::Union(parts)) => parts
                .iter()
                .map(|p| self.fit(given, p, signature, depth + 1))
                .max()
                .unwrap_or(Fit::Maybe),
            (Type::Union(parts), _) => {
                let each: Vec<Fit> =
                    parts.iter().map(|p| self.fit(p, &declared, signature, depth + 1)).collect();
                match (each.iter().all(|f| *f == Fit::Yes), each.iter().all(|f| *f == Fit::No)) {
                    (true, _) => Fit::Yes,
                    (_, true) => Fit::No,
                    _ => Fit::Maybe,
                }
            }
            (Type::Text(one), Type::Text(other)) => yes_if(one == other),
            (Type::String, Type::Text(_)) => Fit::Maybe,
            (Type::Truth(one), Type::Truth(other)) => yes_if(one == other),
            (Type::Boolean, Type::Truth(_)) => Fit::Maybe,
            (Type::Number, Type::Digits(_)) => Fit::Maybe,
            (Type::Text(_) | Type::String, Type::String)
            | (Type::Digits(_) | Type::Number, Type::Number)
            | (Type::Truth(_) | Type::Boolean, Type::Boolean)
            | (Type::BigInt, Type::BigInt)
            | (Type::Symbol, Type::Symbol) => Fit::Yes,
            (Type::Text(_) | Type::String, Type::KeyOf(_)) => Fit::Maybe,
            (given, Type::Named(named)) if is_primitive(given) => {
                let loose = ["Iterable", "ArrayLike", "Object", "String", "Number", "Boolean"];
                match loose.contains(&named.name.path.as_str()) {
                    true => Fit::Maybe,
                    false => Fit::No,
                }
            }
            (given, Type::Literal(shape)) if is_primitive(given) => {
                if shape.members.is_empty() {
                    Fit::Maybe
                } else {
                    Fit::No
                }
            }
            (given, _) if is_primitive(given) || is_primitive(&declared) => Fit::No,
            (Type::Own(own), _) => self.own_fits(*own, &declared, signature),
            (Type::Array(_) | Type::Tuple(_), Type::Array(_) | Type::Tuple(_)) => Fit::Maybe,
            (Type::Array(_), Type::Function(_)) | (Type::Function(_), Type::Array(_)) => Fit::No,
            (Type::Function(_), Type::Function(_)) => Fit::Yes,
            (Type::Named(_), Type::Named(named)) => {
                match self.corpus.seen_as(given, &named.name, 0) {
                    Some(_) => Fit::Yes,
                    None => Fit::Maybe,
                }
            }
            (Type::Named(_), Type::Function(_)) => {
                match self.corpus.signatures(given, Way::Call).is_empty() {
                    true => Fit::No,
                    false => Fit::Yes,
                }
            }
            (_, Type::Object) => Fit::Yes,
            _ => Fit::Maybe,
        }
    }

    fn fits_parameter(
        &mut self,
        given: &Type,
        name: &TypeName,
        signature: &Signature,
        depth: u32,
    ) -> Fit {
        let parameter = signature.type_parameters.iter().find(|p| p.name == name.path);
        let Some(constraint) = parameter.and_then(|p| p.constraint.clone()) else {
            return Fit::Yes;
        };
        match (self.corpus.resolve(&constraint), given) {
            (Type::KeyOf(of), Type::Text(key)) => match self.corpus.lookup(&of, key) {
                Lookup::Known(_) => Fit::Yes,
                Lookup::Missing(_) => Fit::No,
                Lookup::Doubt(_) => Fit::Maybe,
            },
            (Type::KeyOf(_), _) => Fit::Maybe,
            (constraint, given) => self.fit(given, &constraint, signature, depth + 1),
        }
    }

    fn own_fits(&mut self, own: Own, declared: &Type, signature: &Signature) -> Fit {
        match (own, declared) {
            (Own::Function(_), _) => self.takes_function(declared, signature),
            (Own::Object(_), Type::Function(_) | Type::Constructor(_) | Type::Array(_)) => Fit::No,
            (
                Own::Object(_) | Own::Instance(_),
                Type::Null | Type::Undefined | Type::Void | Type::Never,
            ) => Fit::No,
            (Own::Object(object), Type::Literal(_) | Type::Named(_) | Type::Intersection(_)) => {
                let object = ObjectId(object);
                self.has_required(object, declared)
                    .min(self.properties_fit(object, declared, signature))
            }
            (Own::Instance(_), Type::Function(_) | Type::Array(_)) => Fit::No,
            _ => Fit::Maybe,
        }
    }

    /// Whether an object literal has what a type itself requires; what the type inherits is not asked for.
    fn has_required(&self, object: ObjectId, declared: &Type) -> Fit {
        match declared {
            Type::Literal(shape) => self.has_all(object, shape),
            Type::Named(named) => {
                let key = Key::of_type(named.name.clone());
                let interfaces = self.corpus.interfaces(&key);
                interfaces.map(|i| self.has_all(object, &i.shape)).min().unwrap_or(Fit::Maybe)
            }
            Type::Intersection(parts) => {
                let parts = parts.iter().map(|p| self.corpus.resolve(p));
                parts.map(|p| self.has_required(object, &p)).min().unwrap_or(Fit::Maybe)
            }
            _ => Fit::Yes,
        }
    }

    /// Whether the properties of an object literal are what a type declares under their names.
    fn properties_fit(&mut self, object: ObjectId, declared: &Type, signature: &Signature) -> Fit {
        let script = self.script;
        let mut whole = Fit::Yes;
        for property in script.objects[object.idx()].properties.iter().take(MAX_PROPERTIES) {
            let fit = match self.corpus.lookup(declared, &property.name) {
                Lookup::Known(found) => {
                    let given = self.expression(property.value);
                    self.fit(&given, &found.gives, signature, 1)
                }
                // A literal with a property too much is not what was meant.
                Lookup::Missing(_) => Fit::No,
                Lookup::Doubt(_) => Fit::Maybe,
            };
            whole = whole.min(fit);
        }
        whole
    }

    /// Whether an object literal has every member that a shape requires.
    fn has_all(&self, object: ObjectId, shape: &Shape) -> Fit {
        let literal = &self.script.objects[object.idx()];
        if literal.may_have_more || !literal.spreads.is_empty() {
            return Fit::Maybe;
        }
        let lacking = shape.members.iter().any(|(name, member)| {
            member.presence == Presence::Always
                && !literal.properties.iter().any(|p| p.name == *name)
        });
        if lacking { Fit::No } else { Fit::Yes }
    }
}

fn yes_if(holds: bool) -> Fit {
    if holds { Fit::Yes } else { Fit::No }
}

/// Whether a type is a string, number, boolean, big integer or symbol.
fn is_primitive(ty: &Type) -> bool {
    matches!(
        ty,
        Type::String
            | Type::Number
            | Type::Boolean
            | Type::BigInt
            | Type::Symbol
            | Type::Text(_)
            | Type::Digits(_)
            | Type::Truth(_)
    )
}

/// Whether a bare name is a type parameter of the signature.
pub(super) fn is_parameter(name: &TypeName, signature: &Signature) -> bool {
    name.module.is_empty() && signature.type_parameters.iter().any(|p| p.name == name.path)
}
