//! Classes: what they extend, their members, and what runs when they are made.

use super::kinds::{Field, Kind, Word};
use super::lower::Lower;
use super::syntax::Part;
use super::{
    BindingKind, Class, ClassId, ClassMember, ClassMemberKind, Context, ExprId, FunctionId,
};
use super::{ExpressionKind, ScopeId, ScopeKind, ThisOf, Value};
use crate::base::{Name, Span, to_u32};

impl Lower<'_> {
    /// Lowers a class; `doc` is the comment above it.
    pub fn lower_class(&mut self, part: Part, doc: Option<Span>) -> ClassId {
        let id = self.next_class();
        let name = self.field(part, Field::Name);
        let mut type_parameters = self.type_parameters(part);
        type_parameters.extend(self.doc(doc).templates);
        let class = Class {
            span: self.span(part),
            name: name.map(|name| self.name_of(name)),
            extends: None,
            extends_arguments: Vec::new(),
            members: Vec::new(),
            constructor: None,
            may_have_more: false,
            expression: None,
            type_parameters,
        };
        self.script.classes.push(class);
        for inner in self.parts(part) {
            match self.kind(inner) {
                Kind::Decorator => {
                    self.decorator(inner);
                    self.script.classes[id.idx()].may_have_more = true;
                }
                Kind::Heritage => self.heritage(inner, id),
                _ => {}
            }
        }
        let Some(body) = self.field(part, Field::Body) else { return id };
        let around = self.enter(ScopeKind::Class(id), self.span(body));
        if let (Some(name), Kind::Class) = (name, self.kind(part)) {
            let own = (self.names.symbol(self.text_of(name)), self.span(name));
            let binding = self.declare_in(self.scope, own, BindingKind::Class, None);
            self.hold(binding, Value::Class(id));
            self.declare_type(name);
        }
        self.class_body(id, body, around);
        self.scope = around;
        id
    }

    /// Lowers a decorator's expression.
    pub fn decorator(&mut self, part: Part) {
        if let Some(inner) = self.parts(part).next() {
            self.expression(inner);
        }
    }

    fn heritage(&mut self, part: Part, class: ClassId) {
        let Some(first) = self.parts(part).next() else { return };
        let (value, arguments) = match self.kind(first) {
            Kind::Extends => {
                (self.field(first, Field::Value), self.field(first, Field::TypeArguments))
            }
            Kind::TypeOnly => return,
            _ => (Some(first), None),
        };
        let Some(value) = value else { return };
        let extends = self.expression(value);
        let types: Vec<Part> = arguments.map(|t| self.parts(t).collect()).unwrap_or_default();
        let arguments = types.into_iter().map(|t| self.annotation(t)).collect();
        let class = &mut self.script.classes[class.idx()];
        class.extends = Some(extends);
        class.extends_arguments = arguments;
    }

    fn class_body(&mut self, id: ClassId, body: Part, around: ScopeId) {
        self.script.classes[id.idx()].may_have_more |= self.syntax.is_torn(body);
        // A decorator stands before the member that it belongs to, as its comment does.
        let mut start = None;
        let syntax = self.syntax;
        for part in syntax.all(body) {
            let from = *start.get_or_insert(self.span(part).start);
            match self.kind(part) {
                Kind::Decorator => {
                    self.outside(around, |lower| lower.decorator(part));
                    continue;
                }
                Kind::Error => self.torn_text(part),
                Kind::Method | Kind::MethodSignature => self.method(id, part, around, from),
                Kind::FieldDefinition => self.field_member(id, part, around, from),
                Kind::StaticBlock => {
                    let span = self.span(part);
                    self.within_function(span, ThisOf::Statics(id), |lower| {
                        if let Some(body) = lower.field(part, Field::Body) {
                            lower.statements_in(body);
                        }
                    });
                }
                Kind::IndexSignature => self.script.classes[id.idx()].may_have_more = true,
                _ => {}
            }
            start = None;
        }
    }

    /// Lowers what stands in a class body but is run where the class stands.
    fn outside<T>(&mut self, around: ScopeId, read: impl FnOnce(&mut Self) -> T) -> T {
        let inner = std::mem::replace(&mut self.scope, around);
        let found = read(self);
        self.scope = inner;
        found
    }

    /// A member's name; one that is computed may be any, unless it is a symbol.
    fn member_name(&mut self, id: ClassId, key: Part, around: ScopeId) -> Option<(Name, Span)> {
        if self.kind(key) != Kind::ComputedName {
            return self.property_name(key);
        }
        let inner = self.parts(key).next()?;
        let computed = self.outside(around, |lower| lower.expression(inner));
        if !self.is_symbol(computed) {
            self.script.classes[id.idx()].may_have_more = true;
        }
        None
    }

    /// Whether an expression is `Symbol.x`.
    pub fn is_symbol(&self, expression: ExprId) -> bool {
        let ExpressionKind::Member { object, .. } = &self.expr(expression).kind else {
            return false;
        };
        matches!(&self.expr(*object).kind, ExpressionKind::Name(name, _) if name == "Symbol")
    }

    fn method(&mut self, id: ClassId, part: Part, around: ScopeId, from: u32) {
        for decorator in self.parts_of(part, Kind::Decorator) {
            self.outside(around, |lower| lower.decorator(decorator));
        }
        let is_static = self.is_static(part);
        let name = self.field(part, Field::Name).and_then(|key| self.member_name(id, key, around));
        let this = if is_static { ThisOf::Statics(id) } else { ThisOf::Instance(id) };
        let doc = self.doc_before(from);
        let function = self.lower_function(part, this, doc);
        let Some((name, span)) = name else { return };
        if name == "constructor" && !is_static {
            let class = &mut self.script.classes[id.idx()];
            if class.constructor.is_none() || self.syntax.kind(part) == Kind::Method {
                class.constructor = Some(function);
            }
            return;
        }
        let kind = self.accessor_kind(part);
        self.member(id, Member { name, span, is_static, kind }, None, Some(function));
    }

    fn is_static(&self, part: Part) -> bool {
        self.syntax.has(part, Word::Static) || self.syntax.has(part, Word::StaticGet)
    }

    /// Which kind of method a definition is.
    pub fn accessor_kind(&self, part: Part) -> ClassMemberKind {
        if self.syntax.has(part, Word::Get) || self.syntax.has(part, Word::StaticGet) {
            ClassMemberKind::Getter
        } else if self.syntax.has(part, Word::Set) {
            ClassMemberKind::Setter
        } else {
            ClassMemberKind::Method
        }
    }

    fn field_member(&mut self, id: ClassId, part: Part, around: ScopeId, from: u32) {
        for decorator in self.parts_of(part, Kind::Decorator) {
            self.outside(around, |lower| lower.decorator(decorator));
        }
        let is_static = self.is_static(part);
        let key = self.field(part, Field::Property).or(self.field(part, Field::Name));
        let name = key.and_then(|key| self.member_name(id, key, around));
        let doc = self.doc_before(from);
        let idx = name.map(|(name, span)| {
            let kind = ClassMemberKind::Field;
            self.member(id, Member { name, span, is_static, kind }, None, None)
        });
        let annotation = self.annotation_in(part, Field::Type).or_else(|| {
            let of_type = self.doc(doc).of_type;
            of_type.map(|text| self.doc_annotation(text))
        });
        let value = self.field(part, Field::Value).map(|value| {
            let this = if is_static { ThisOf::Statics(id) } else { ThisOf::Instance(id) };
            let span = self.span(value);
            if is_static {
                self.within_function(span, this, |lower| lower.property_value(value, this, doc))
            } else {
                self.property_value(value, this, doc)
            }
        });
        let Some(idx) = idx else { return };
        if let Some(value) = value {
            self.give(value, Context::Field(id, to_u32(idx)));
        }
        let member = &mut self.script.classes[id.idx()].members[idx];
        member.annotation = annotation;
        member.value = value;
    }

    /// Keeps a member; gives its index.
    fn member(
        &mut self,
        class: ClassId,
        member: Member,
        value: Option<ExprId>,
        function: Option<FunctionId>,
    ) -> usize {
        let Member { name, span, is_static, kind } = member;
        let members = &mut self.script.classes[class.idx()].members;
        members.push(ClassMember {
            name,
            span,
            is_static,
            kind,
            annotation: None,
            value,
            function,
            parameter: None,
        });
        members.len() - 1
    }
}

/// A member's name and what it is.
struct Member {
    name: Name,
    span: Span,
    is_static: bool,
    kind: ClassMemberKind,
}
