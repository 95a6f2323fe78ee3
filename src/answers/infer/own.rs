//! What the code under check declares itself: members of its classes, objects and functions.
//!
//! The code's own things are open: what is not seen on them is doubt. The exception is a class whose base is an api's
//! class: what neither of them has, and nothing in the file gives it, is missing.

use super::asked::{Inference, widened};
use crate::base::Name;
use crate::corpus::signatures::Way;
use crate::corpus::{Found, Lookup, Reason};
use crate::datagraph::Key;
use crate::sources::script::{
    Argument, ClassId, ClassMember, ClassMemberKind, Context, ExprId, ExpressionKind, Flow,
    FunctionId, ObjectId, This,
};
use crate::types::{Own, Type, TypeName};

impl Inference<'_> {
    pub(super) fn own_lookup(&mut self, own: Own, member: &str) -> Lookup {
        let found = match own {
            Own::Instance(class) => return self.instance_lookup(ClassId(class), member),
            Own::Class(class) => return self.static_lookup(ClassId(class), member),
            Own::Object(object) => self.object_member(ObjectId(object), member),
            Own::Function(_) => None,
        };
        if let Some(gives) = found.or_else(|| self.written(own, member)) {
            return known(own, gives);
        }
        if let Own::Function(_) = own
            && let Lookup::Known(found) =
                self.corpus.lookup(&Type::named(TypeName::global("Function")), member)
        {
            return Lookup::Known(found);
        }
        Lookup::Doubt(Reason::OwnCode)
    }

    fn instance_lookup(&mut self, class: ClassId, member: &str) -> Lookup {
        let own = Own::Instance(class.0);
        if let Some(gives) = self.class_member(class, member, false) {
            return known(own, gives);
        }
        if let Some(gives) = self.written(own, member) {
            return known(own, gives);
        }
        let base = self.base_instance(class);
        self.inherited(class, &base, member)
    }

    fn static_lookup(&mut self, class: ClassId, member: &str) -> Lookup {
        let own = Own::Class(class.0);
        if let Some(gives) = self.class_member(class, member, true) {
            return known(own, gives);
        }
        if let Some(gives) = self.written(own, member) {
            return known(own, gives);
        }
        if member == "prototype" {
            return known(own, Type::Own(Own::Instance(class.0)));
        }
        let base = match self.script.classes[class.idx()].extends {
            Some(base) => self.expression(base),
            None => Type::Unknown,
        };
        self.inherited(class, &base, member)
    }

    /// What a class has from its base; without one that is known, what it lacks is doubt.
    fn inherited(&mut self, class: ClassId, base: &Type, member: &str) -> Lookup {
        if matches!(base, Type::Unknown) {
            return Lookup::Doubt(Reason::OwnCode);
        }
        match self.lookup(base, member) {
            // What an array's methods give is an instance of the class that they are called on, not a plain array.
            Lookup::Known(found) if self.is_array(base) => {
                let gives = match self.corpus.signatures(&found.gives, Way::Call).is_empty() {
                    true => found.gives,
                    false => Type::Unknown,
                };
                Lookup::Known(Found { gives, ..found })
            }
            Lookup::Missing(_) if self.script.classes[class.idx()].may_have_more => {
                Lookup::Doubt(Reason::OwnCode)
            }
            // That something narrower than the base has it says nothing here: this class is the narrower thing.
            Lookup::Doubt(Reason::Narrower(_)) => match base {
                Type::Named(named) => Lookup::Missing(Key::of_type(named.name.clone())),
                _ => Lookup::Doubt(Reason::OwnCode),
            },
            other => other,
        }
    }

    /// Whether a class extends `Array`: seen from an instance or from the class itself.
    fn is_array(&self, base: &Type) -> bool {
        let of_class = || self.corpus.constructed(base).map(|t| self.corpus.resolve(&t));
        matches!(self.corpus.resolve(base), Type::Array(_))
            || matches!(of_class(), Some(Type::Array(_)))
    }

    /// An instance of what a class extends.
    pub fn base_instance(&mut self, class: ClassId) -> Type {
        let Some(base) = self.script.classes[class.idx()].extends else { return Type::Unknown };
        match self.expression(base) {
            Type::Own(Own::Class(base)) if base != class.0 => Type::Own(Own::Instance(base)),
            other => self.base_of(&other, class),
        }
    }

    /// What a base constructs, with the type arguments of the heritage clause; what they do not say is unknown.
    fn base_of(&mut self, base: &Type, heir: ClassId) -> Type {
        let script = self.script;
        let signatures = self.corpus.signatures(base, Way::Construct);
        let Some(first) = signatures.first() else { return Type::Unknown };
        let written = &script.classes[heir.idx()].extends_arguments;
        let meant: Vec<Type> = written.iter().map(|argument| self.annotated(argument)).collect();
        let meant = meant.into_iter().chain(std::iter::repeat(Type::Unknown));
        let meant: Vec<(Name, Type)> =
            first.type_parameters.iter().map(|p| p.name.clone()).zip(meant).collect();
        self.corpus.result_of(first, &meant)
    }

    fn class_member(&mut self, class: ClassId, name: &str, is_static: bool) -> Option<Type> {
        let script = self.script;
        let members = &script.classes[class.idx()].members;
        let found: Vec<&ClassMember> =
            members.iter().filter(|m| m.is_static == is_static && m.name == name).collect();
        let first = found.iter().find(|m| m.kind != ClassMemberKind::Setter).or(found.first())?;
        Some(match first.kind {
            ClassMemberKind::Method => {
                first.function.map_or(Type::Unknown, |f| Type::Own(Own::Function(f.0)))
            }
            ClassMemberKind::Getter => first.function.map_or(Type::Unknown, |f| self.result(f)),
            ClassMemberKind::Setter => Type::Unknown,
            ClassMemberKind::Field => self.field(class, first, is_static),
        })
    }

    /// A field's annotation, else everything it is ever set to.
    fn field(&mut self, class: ClassId, field: &ClassMember, is_static: bool) -> Type {
        if let Some(annotation) = &field.annotation {
            return self.annotated(annotation);
        }
        if let Some(parameter) = field.parameter {
            return self.binding(parameter);
        }
        let own = if is_static { Own::Class(class.0) } else { Own::Instance(class.0) };
        let first = field.value.map(|value| self.expression(value));
        let written = self.written(own, &field.name);
        together(first.into_iter().chain(written))
    }

    fn object_member(&mut self, object: ObjectId, name: &str) -> Option<Type> {
        let script = self.script;
        let literal = &script.objects[object.idx()];
        let property = literal.properties.iter().rev().find(|p| p.name == name);
        if let Some(property) = property {
            let value = self.expression(property.value);
            let gives = match (property.kind, value) {
                (ClassMemberKind::Getter, Type::Own(Own::Function(f))) => {
                    self.result(FunctionId(f))
                }
                (ClassMemberKind::Setter, _) => Type::Unknown,
                (_, value) => value,
            };
            let written = self.written(Own::Object(object.0), name);
            return Some(together([gives].into_iter().chain(written)));
        }
        for spread in &literal.spreads {
            let spread = self.expression(*spread);
            if let Lookup::Known(found) = self.lookup(&spread, name) {
                return Some(found.gives);
            }
        }
        None
    }

    /// Everything that the file assigns to this member of this thing.
    fn written(&mut self, own: Own, name: &str) -> Option<Type> {
        let script = self.script;
        let mut found: Vec<Type> = Vec::new();
        for write in self.own_writes.to(own, name) {
            let write = &script.writes[write as usize];
            let ExpressionKind::Member { object, .. } =
                &script.expressions[write.target.idx()].kind
            else {
                continue;
            };
            if self.may_be_bound_to(*object, own) {
                found.push(Type::Unknown);
                continue;
            }
            if !self.is_own(*object, own) {
                continue;
            }
            found.push(write.value.map_or(Type::Unknown, |value| self.expression(value)));
        }
        (!found.is_empty()).then(|| together(found.into_iter()))
    }

    /// Whether an expression is the `this` of a plain function inside the class, which may be called with an instance.
    fn may_be_bound_to(&self, object: ExprId, own: Own) -> bool {
        let (Own::Instance(class) | Own::Class(class)) = own else { return false };
        let expression = &self.script.expressions[object.idx()];
        matches!(expression.kind, ExpressionKind::This)
            && matches!(self.script.this_of(expression.scope), This::Function(_))
            && self.script.classes[class as usize].span.holds(expression.span)
    }

    /// Whether an expression is this very thing.
    fn is_own(&mut self, object: ExprId, own: Own) -> bool {
        match self.expression(object) {
            Type::Own(other) => other == own,
            Type::Intersection(parts) => parts.contains(&Type::Own(own)),
            _ => false,
        }
    }

    /// What `this` is in a plain function.
    pub(super) fn this_of_function(&mut self, function: FunctionId) -> Type {
        let Some(expression) = self.script.functions[function.idx()].expression else {
            return Type::Unknown;
        };
        let script = self.script;
        if let Context::AssignedTo(target) = script.expressions[expression.idx()].context
            && let ExpressionKind::Member { object, .. } = &script.expressions[target.idx()].kind
            && let ExpressionKind::Member { object: class, name, .. } =
                &script.expressions[object.idx()].kind
            && name == "prototype"
        {
            let class = self.expression(*class);
            return match class {
                Type::Own(Own::Class(class)) => Type::Own(Own::Instance(class)),
                other => self.corpus.constructed(&other).unwrap_or(Type::Unknown),
            };
        }
        let context = self.context(expression);
        let signatures = self.corpus.signatures(&context, Way::Call);
        match signatures.first().and_then(|s| s.this.clone()) {
            Some(this) => this,
            None => Type::Unknown,
        }
    }

    pub(super) fn fresh_result(&mut self, id: FunctionId) -> Type {
        let script = self.script;
        let function = &script.functions[id.idx()];
        if let Some(annotation) = &function.returns_annotation {
            let declared = self.annotated(annotation);
            let wrapped = self.corpus.as_named(&declared, "Promise").is_some();
            return match function.flow {
                Flow::Async if !wrapped && !matches!(declared, Type::Unknown) => promise(declared),
                _ => declared,
            };
        }
        match function.flow {
            Flow::Generator => return self.generator(id, "Generator"),
            Flow::AsyncGenerator => return self.generator(id, "AsyncGenerator"),
            Flow::Plain | Flow::Async => {}
        }
        let mut parts: Vec<Type> = Vec::new();
        for returned in &function.returns {
            parts.push(widened(self.expression(*returned)));
        }
        if function.may_return_nothing || parts.is_empty() {
            parts.push(Type::Undefined);
        }
        let result = Type::union(parts);
        match function.flow {
            Flow::Async => promise(self.corpus.awaited(&result)),
            _ => result,
        }
    }
}

impl Inference<'_> {
    /// The generator of what a function yields.
    fn generator(&mut self, id: FunctionId, name: &str) -> Type {
        let mut parts: Vec<Type> = Vec::new();
        for yielded in &self.script.functions[id.idx()].yields {
            let part = match yielded {
                Argument::One(one) => self.expression(*one),
                Argument::Spread(many) => {
                    let many = self.expression(*many);
                    self.iterated(&many)
                }
            };
            let part = match name {
                "AsyncGenerator" => self.corpus.awaited(&part),
                _ => part,
            };
            parts.push(widened(part));
        }
        match parts.is_empty() {
            true => Type::Unknown,
            false => {
                let arguments = vec![Type::union(parts), Type::Any, Type::Any];
                Type::generic(TypeName::global(name), arguments)
            }
        }
    }
}

fn promise(value: Type) -> Type {
    Type::generic(TypeName::global("Promise"), vec![value])
}

/// Everything that a place is ever set to; what it is set to first does not count where it is nothing.
fn together(kinds: impl Iterator<Item = Type>) -> Type {
    let kinds: Vec<Type> = kinds.collect();
    let something: Vec<Type> = kinds
        .iter()
        .filter(|k| !matches!(k, Type::Null | Type::Undefined))
        .cloned()
        .map(widened)
        .collect();
    if something.is_empty() { Type::Unknown } else { Type::union(something) }
}

fn known(own: Own, gives: Type) -> Lookup {
    Lookup::Known(Found { gives, owner: Key::of_type(TypeName::global(format!("{own:?}"))) })
}
