//! Functions of all kinds: their parameters, types, bodies and what they return.

use super::jsdoc::Doc;
use super::kinds::{Field, Kind, Word};
use super::lower::{Lower, Way};
use super::patterns::Taking;
use super::syntax::Part;
use super::{Annotation, BindingKind, ClassMember, ClassMemberKind, Context, Flow, Function};
use super::{FunctionId, ParameterOf, ScopeKind, ThisOf, Value};
use crate::base::{Name, Span, to_u32};

impl Lower<'_> {
    /// Lowers a function; `doc` is the comment above what it belongs to.
    pub fn lower_function(&mut self, part: Part, this: ThisOf, doc: Option<Span>) -> FunctionId {
        let doc = self.doc(doc);
        let name = match self.kind(part) {
            Kind::Function | Kind::FunctionDeclaration | Kind::FunctionSignature => {
                self.field(part, Field::Name)
            }
            _ => None,
        };
        let (id, around) = self.begin_function(self.span(part), this);
        let outer = self.function.replace(id);
        self.signature(part, id, name, &doc);
        self.parameters(part, id, &doc);
        self.body(part, id);
        if let (Some(name), Kind::Function) = (name, self.kind(part)) {
            self.own_name(name, id);
        }
        self.function = outer;
        self.scope = around;
        id
    }

    /// Lowers what `read` reads as if it stood in a function of its own, without parameters.
    pub fn within_function<T>(
        &mut self,
        span: Span,
        this: ThisOf,
        read: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let (id, around) = self.begin_function(span, this);
        let outer = self.function.replace(id);
        let found = read(self);
        self.function = outer;
        self.scope = around;
        found
    }

    /// Keeps a function that is filled later and stands in its scope; gives the scope to go back to.
    fn begin_function(&mut self, span: Span, this: ThisOf) -> (FunctionId, super::ScopeId) {
        let id = self.next_function();
        let around = self.enter(ScopeKind::Function(id), span);
        let scope = self.scope;
        self.script.functions.push(Function {
            span,
            scope,
            name: None,
            this,
            flow: Flow::Plain,
            parameters: Vec::new(),
            returns_annotation: None,
            returns: Vec::new(),
            yields: Vec::new(),
            may_return_nothing: false,
            type_parameters: Vec::new(),
            expression: None,
        });
        (id, around)
    }

    fn signature(&mut self, part: Part, id: FunctionId, name: Option<Part>, doc: &Doc) {
        let name = name.map(|name| self.name_of(name));
        let mut type_parameters = self.type_parameters(part);
        type_parameters.extend(doc.templates.iter().cloned());
        let written = self.annotation_in(part, Field::ReturnType);
        let spelled = doc.returns.clone().map(|text| self.doc_annotation(text));
        let flow = match (self.syntax.has(part, Word::Async), self.syntax.has(part, Word::Star)) {
            (false, false) => Flow::Plain,
            (true, false) => Flow::Async,
            (false, true) => Flow::Generator,
            (true, true) => Flow::AsyncGenerator,
        };
        let function = &mut self.script.functions[id.idx()];
        function.name = name;
        function.type_parameters = type_parameters;
        function.returns_annotation = written.or(spelled);
        function.flow = flow;
    }

    fn body(&mut self, part: Part, id: FunctionId) {
        let Some(body) = self.field(part, Field::Body) else { return };
        if self.kind(body) == Kind::Block {
            let way = self.statements_in(body);
            self.script.functions[id.idx()].may_return_nothing |= way != Way::Leaves;
            return;
        }
        let returned = self.expression(body);
        self.give(returned, Context::Returned(id));
        self.script.functions[id.idx()].returns.push(returned);
    }

    /// A function expression's own name means the function in it, unless it declares the name for something else.
    fn own_name(&mut self, name: Part, id: FunctionId) {
        let symbol = self.names.symbol(self.text_of(name));
        if self.names.declared_in(self.scope, symbol).is_none() {
            let own = (symbol, self.span(name));
            let binding = self.declare_in(self.scope, own, BindingKind::Function, None);
            self.hold(binding, Value::Function(id));
        }
    }

    fn parameters(&mut self, part: Part, id: FunctionId, doc: &Doc) {
        let list = self.field(part, Field::Parameters);
        let parts: Vec<Part> = match list {
            Some(list) => self.parts(list).collect(),
            None => self.field(part, Field::Parameter).into_iter().collect(),
        };
        for part in parts {
            let declared = Declared::of(self, part);
            if self.kind(declared.pattern) == Kind::This {
                continue;
            }
            let inline = list.and_then(|_| self.doc_before(self.span(part).start));
            let parameter = self.parameter(part, &declared, id, doc, inline);
            self.script.functions[id.idx()].parameters.push(parameter);
        }
    }

    fn parameter(
        &mut self,
        part: Part,
        declared: &Declared,
        function: FunctionId,
        doc: &Doc,
        inline: Option<Span>,
    ) -> ParameterOf {
        for decorator in self.parts_of(part, Kind::Decorator) {
            self.decorator(decorator);
        }
        let idx = self.script.functions[function.idx()].parameters.len();
        let Declared { pattern, default, rest, .. } = *declared;
        let spelled = self.spelled(pattern, idx, doc);
        let annotation = match (declared.annotation, inline) {
            (Some(written), _) => Some(self.annotation(written)),
            (None, Some(comment)) => {
                let of_type = self.doc(Some(comment)).of_type;
                of_type.map(|text| self.doc_annotation(text))
            }
            (None, None) => None,
        };
        let annotation = annotation.or(spelled.0);
        let value = Value::Parameter { function, index: to_u32(idx), rest };
        let mut values = vec![self.value(value)];
        let default = default.map(|default| self.expression(default));
        if let Some(default) = default {
            values.push(self.value(Value::Expression(default)));
        }
        let taking = Taking::Declares(BindingKind::Parameter);
        let binding = self.pattern(pattern, taking, &values, annotation.clone());
        if let (Some(default), Some(binding)) = (default, binding) {
            self.give(default, Context::Initialises(binding));
        }
        if let (true, Some(binding)) = (declared.is_property, binding) {
            self.parameter_property(pattern, function, annotation.clone(), binding);
        }
        let optional = declared.optional || default.is_some() || spelled.1;
        ParameterOf { binding, annotation, default, optional, rest }
    }

    /// What the function's comment says of a parameter: its type, and whether it may be left out.
    fn spelled(&mut self, pattern: Part, idx: usize, doc: &Doc) -> (Option<Annotation>, bool) {
        let found = match self.kind(pattern) {
            Kind::Identifier => {
                let name = self.text_of(pattern);
                doc.parameters.iter().find(|p| p.name == name)
            }
            // A pattern has no name, so its place tells which one is meant.
            _ => doc.parameters.get(idx),
        };
        let Some(found) = found else { return (None, false) };
        let annotation = found.text.clone().map(|text: Name| self.doc_annotation(text));
        (annotation, found.optional)
    }

    /// `constructor(private name: T)` makes a member, too.
    fn parameter_property(
        &mut self,
        pattern: Part,
        function: FunctionId,
        annotation: Option<Annotation>,
        binding: super::BindingId,
    ) {
        let ThisOf::Instance(class) = self.script.functions[function.idx()].this else { return };
        let name = self.name_of(pattern);
        let span = self.span(pattern);
        self.script.classes[class.idx()].members.push(ClassMember {
            name,
            span,
            is_static: false,
            kind: ClassMemberKind::Field,
            annotation,
            value: None,
            function: None,
            parameter: Some(binding),
        });
    }
}

/// A parameter, as it is written.
struct Declared {
    pattern: Part,
    annotation: Option<Part>,
    default: Option<Part>,
    optional: bool,
    rest: bool,
    is_property: bool,
}

impl Declared {
    fn of(lower: &Lower<'_>, part: Part) -> Declared {
        let is_typed = matches!(lower.kind(part), Kind::Parameter | Kind::OptionalParameter);
        let (pattern, annotation, default) = match lower.kind(part) {
            Kind::Parameter | Kind::OptionalParameter => (
                lower.field(part, Field::Pattern),
                lower.field(part, Field::Type),
                lower.field(part, Field::Value),
            ),
            Kind::AssignmentPattern => {
                (lower.field(part, Field::Left), None, lower.field(part, Field::Right))
            }
            _ => (Some(part), None, None),
        };
        let outer = pattern.unwrap_or(part);
        let rest = lower.kind(outer) == Kind::RestPattern;
        let inner = if rest { lower.parts(outer).next() } else { None };
        let is_property = is_typed
            && (lower.syntax.has(part, Word::Readonly)
                || lower.parts(part).any(|p| lower.kind(p) == Kind::Accessibility));
        Declared {
            pattern: inner.unwrap_or(outer),
            annotation,
            default,
            optional: lower.kind(part) == Kind::OptionalParameter,
            rest,
            is_property,
        }
    }
}
