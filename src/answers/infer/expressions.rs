//! Expressions, bindings and values to types.

use super::asked::{Inference, widened};
use crate::base::Name;
use crate::corpus::{Lookup, Reason};
use crate::sources::script::{
    Argument, BindingId, BindingKind, ExprId, ExpressionKind, Imported, Receiver, ScopeId,
    ScopeKind, Step, This, Value, ValueId,
};
use crate::types::{Own, Type, TypeName};
use std::sync::Arc;

/// How many different kinds of element an array literal may have before its elements are unknown.
const MAX_KINDS: usize = 12;

impl Inference<'_> {
    pub(super) fn fresh_expression(&mut self, id: ExprId) -> Type {
        let script = self.script;
        let expression = &script.expressions[id.idx()];
        match &expression.kind {
            ExpressionKind::Name(_, Some(binding)) => match self.flowed(id, *binding) {
                Some(kind) => kind,
                None => self.set_elsewhere(id, *binding),
            },
            ExpressionKind::Name(name, None) => self.global(name, expression.scope),
            ExpressionKind::This => self.this_in(expression.scope),
            ExpressionKind::Super => self.super_in(expression.scope),
            ExpressionKind::Text(text) => Type::Text(text.clone()),
            ExpressionKind::Number(_) => Type::Number,
            ExpressionKind::BigInt => Type::BigInt,
            ExpressionKind::Truth(truth) => Type::Truth(*truth),
            ExpressionKind::Null => Type::Null,
            ExpressionKind::Regex => Type::named(TypeName::global("RegExp")),
            ExpressionKind::Template => Type::String,
            ExpressionKind::Tagged(tag) => {
                let tag = self.expression(*tag);
                self.corpus.called(&tag).unwrap_or(Type::Unknown)
            }
            ExpressionKind::Array(elements) => self.array(elements),
            ExpressionKind::Object(object) => Type::Own(Own::Object(object.0)),
            ExpressionKind::Function(function) => Type::Own(Own::Function(function.0)),
            ExpressionKind::Class(class) => Type::Own(Own::Class(class.0)),
            ExpressionKind::Member { object, name, .. } => self.read(*object, name),
            ExpressionKind::Element { object, index, .. } => self.element(*object, *index),
            ExpressionKind::Call(call) => self.call(call),
            ExpressionKind::New(call) => self.construct(call),
            ExpressionKind::Await(inner) => {
                let inner = self.expression(*inner);
                self.corpus.awaited(&inner)
            }
            ExpressionKind::Unary(operator, _) => unary(operator),
            ExpressionKind::Binary(operator, left, right) => self.binary(operator, *left, *right),
            ExpressionKind::Logical(operator, left, right) => self.logical(operator, *left, *right),
            ExpressionKind::Conditional(_, yes, no) => {
                Type::union([self.expression(*yes), self.expression(*no)])
            }
            ExpressionKind::Assign(operator, target, value) => {
                self.assigned(operator, *target, *value)
            }
            ExpressionKind::Sequence(last) | ExpressionKind::Same(last) => self.expression(*last),
            ExpressionKind::As(_, annotation) => self.annotated(annotation),
            ExpressionKind::ImportCall(Some(module)) => {
                let module = self.module_of(module);
                Type::generic(TypeName::global("Promise"), vec![module])
            }
            ExpressionKind::ImportCall(None)
            | ExpressionKind::Yield(_)
            | ExpressionKind::Jsx
            | ExpressionKind::Unknown => Type::Unknown,
        }
    }

    pub(super) fn global(&mut self, name: &str, scope: ScopeId) -> Type {
        if name == "undefined" {
            return Type::Undefined;
        }
        // Whose scope `self` is, a window's or a worker's, is not said in the script.
        if matches!(name, "arguments" | "self") || self.within_with(scope) {
            return Type::Unknown;
        }
        self.corpus.global(name).unwrap_or(Type::Unknown)
    }

    /// Whether a free name may mean a member of some object.
    fn within_with(&self, scope: ScopeId) -> bool {
        let mut next = Some(scope);
        while let Some(id) = next {
            let scope = &self.script.scopes[id.idx()];
            if scope.kind == ScopeKind::With {
                return true;
            }
            next = scope.parent;
        }
        false
    }

    fn this_in(&mut self, scope: ScopeId) -> Type {
        match self.script.this_of(scope) {
            This::Instance(class) => Type::Own(Own::Instance(class.0)),
            This::Statics(class) => Type::Own(Own::Class(class.0)),
            This::Object(object) => {
                let own = Type::Own(Own::Object(object.0));
                let expression = self.script.objects[object.idx()].expression;
                match self.context(expression) {
                    Type::Unknown => own,
                    context => Type::Intersection([own, context.present()].into()),
                }
            }
            This::Function(function) => self.this_of_function(function),
            This::File => Type::Unknown,
        }
    }

    fn super_in(&mut self, scope: ScopeId) -> Type {
        match self.script.this_of(scope) {
            This::Instance(class) => self.base_instance(class),
            This::Statics(class) => match self.script.classes[class.idx()].extends {
                Some(base) => self.expression(base),
                None => Type::Unknown,
            },
            This::Object(_) | This::Function(_) | This::File => Type::Unknown,
        }
    }

    fn array(&mut self, elements: &[Argument]) -> Type {
        if elements.is_empty() {
            return Type::Array(Arc::new(Type::Any));
        }
        let mut kinds: Vec<Type> = Vec::new();
        for element in elements {
            let kind = match element {
                Argument::One(one) => self.expression(*one),
                Argument::Spread(many) => {
                    let many = self.expression(*many);
                    self.iterated(&many)
                }
            };
            let kind = widened(kind);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
            if kinds.len() > MAX_KINDS {
                return Type::Array(Arc::new(Type::Unknown));
            }
        }
        Type::Array(Arc::new(Type::union(kinds)))
    }

    /// What iterating gives; unknown where it cannot be told.
    pub(super) fn iterated(&mut self, ty: &Type) -> Type {
        self.corpus.iterated(ty).unwrap_or(Type::Unknown)
    }

    fn read(&mut self, object: ExprId, name: &Name) -> Type {
        let object = self.expression(object);
        self.member(&object, name)
    }

    fn element(&mut self, object: ExprId, index: ExprId) -> Type {
        let object = self.expression(object).present();
        match self.expression(index) {
            Type::Text(name) => self.member(&object, &name),
            Type::Number | Type::Digits(_) => self.corpus.element(&object).unwrap_or(Type::Unknown),
            _ => match self.corpus.resolve(&object) {
                Type::Array(element) => (*element).clone(),
                _ => Type::Unknown,
            },
        }
    }

    fn binary(&mut self, operator: &str, left: ExprId, right: ExprId) -> Type {
        match operator {
            "+" => sum([self.expression(left), self.expression(right)]),
            "-" | "*" | "/" | "%" | "**" | "&" | "|" | "^" | "<<" | ">>" | ">>>" => {
                match self.expression(left) {
                    Type::BigInt => Type::BigInt,
                    _ => Type::Number,
                }
            }
            _ => Type::Boolean,
        }
    }

    fn logical(&mut self, operator: &str, left: ExprId, right: ExprId) -> Type {
        match operator {
            // What `&&` gives when the left side fails has no members worth asking for.
            "&&" => self.expression(right),
            _ => {
                let left = self.expression(left).present();
                Type::union([left, self.expression(right)])
            }
        }
    }

    fn assigned(&mut self, operator: &str, target: Option<ExprId>, value: ExprId) -> Type {
        match operator {
            "=" => self.expression(value),
            "+=" => {
                let before = target.map_or(Type::Unknown, |t| self.expression(t));
                sum([before, self.expression(value)])
            }
            "||=" | "&&=" | "??=" => {
                let before = target.map_or(Type::Unknown, |t| self.expression(t));
                Type::union([before.present(), self.expression(value)])
            }
            _ => Type::Number,
        }
    }

    pub(super) fn fresh_binding(&mut self, id: BindingId) -> Type {
        let script = self.script;
        let binding = &script.bindings[id.idx()];
        if let Some(annotation) = &binding.annotation {
            return self.annotated(annotation);
        }
        match binding.kind {
            BindingKind::Declared | BindingKind::Catch => return Type::Unknown,
            BindingKind::Const
            | BindingKind::Let
            | BindingKind::Var
            | BindingKind::Parameter
            | BindingKind::Function
            | BindingKind::Class
            | BindingKind::Import => {}
        }
        self.variable(id)
    }

    pub(super) fn fresh_value(&mut self, id: ValueId) -> Type {
        let script = self.script;
        match &script.values[id.idx()] {
            Value::Expression(expression) => self.expression(*expression),
            Value::ElementOf { iterable, awaited } => {
                let iterable = self.expression(*iterable);
                match awaited {
                    true => {
                        let lookup = self.corpus.lookup(&iterable, "@@asyncIterator");
                        self.async_element(&iterable, lookup)
                    }
                    false => self.iterated(&iterable),
                }
            }
            Value::KeyOf(_) => Type::String,
            Value::Parameter { function, index, rest } => {
                self.parameter(*function, *index as usize, *rest)
            }
            Value::Import(import) => self.import(*import),
            Value::Function(function) => Type::Own(Own::Function(function.0)),
            Value::Class(class) => Type::Own(Own::Class(class.0)),
            Value::Piece { of, step } => {
                let whole = self.value(*of);
                self.piece(&whole, step)
            }
            Value::Caught | Value::Unknown => Type::Unknown,
        }
    }

    fn async_element(&mut self, iterable: &Type, iterator: Lookup) -> Type {
        if let Lookup::Known(found) = iterator
            && let Some(iterator) = self.corpus.called(&found.gives)
            && let Type::Named(named) = self.corpus.resolve(&iterator)
            && let Some(element) = named.arguments.first()
        {
            return self.corpus.awaited(element);
        }
        let element = self.iterated(iterable);
        self.corpus.awaited(&element)
    }

    fn piece(&mut self, whole: &Type, step: &Step) -> Type {
        match step {
            Step::Member(name) => self.member(&whole.present(), name),
            Step::Element(idx) => match self.corpus.resolve(&whole.present()) {
                Type::Tuple(parts) => parts.get(*idx as usize).cloned().unwrap_or(Type::Unknown),
                other => self.iterated(&other),
            },
            Step::OtherElements => {
                let element = self.iterated(whole);
                Type::Array(Arc::new(element))
            }
            Step::Computed | Step::OtherMembers => Type::Unknown,
        }
    }

    fn import(&mut self, import: u32) -> Type {
        let script = self.script;
        let import = &script.imports[import as usize];
        let module = self.module_of(&import.module);
        match &import.imported {
            Imported::Everything | Imported::Required => module,
            Imported::Name(name) => self.member(&module, name),
            Imported::Default => match self.lookup(&module, "default") {
                Lookup::Known(found) => found.gives,
                // Without a default, what the module exports is taken whole, as bundlers and Node.js do.
                Lookup::Missing(_) => module,
                Lookup::Doubt(Reason::Narrower(_)) => module,
                Lookup::Doubt(_) => Type::Unknown,
            },
            Imported::Nothing => Type::Unknown,
        }
    }

    /// The exports of a module that the project or an api has.
    pub fn module_of(&self, specifier: &str) -> Type {
        match self.module(specifier) {
            Some(module) => Type::Typeof(Arc::new(TypeName::within(module, ""))),
            None => Type::Unknown,
        }
    }

    /// Whether the receiver is the global scope itself, which every script may add to.
    pub fn is_global_scope(&mut self, receiver: Receiver) -> bool {
        let Receiver::Expression(_, object) = receiver else { return false };
        matches!(
            &self.script.expressions[object.idx()].kind,
            ExpressionKind::Name(name, None)
                if matches!(name.as_str(), "window" | "globalThis" | "self" | "global" | "top" | "parent")
        )
    }
}

fn unary(operator: &str) -> Type {
    match operator {
        "typeof" => Type::String,
        "!" | "delete" => Type::Boolean,
        "void" => Type::Undefined,
        _ => Type::Number,
    }
}

/// What `+` gives.
fn sum(sides: [Type; 2]) -> Type {
    match sides.map(widened) {
        [Type::String, _] | [_, Type::String] => Type::String,
        [Type::Number, Type::Number] => Type::Number,
        [Type::BigInt, Type::BigInt] => Type::BigInt,
        _ => Type::Unknown,
    }
}
