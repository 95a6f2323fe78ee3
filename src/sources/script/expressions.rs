//! Expressions: chains first, then every other kind.
//!
//! What nests to the left (calls, members, operators) is unrolled, so a chain may be as long as it likes.

use super::kinds::{Field, Kind, Word};
use super::lower::Lower;
use super::syntax::Part;
use super::{Argument, Call, Context, ExprId, ExpressionKind, Guard, Receiver, ThisOf};
use crate::base::Span;

impl Lower<'_> {
    /// Lowers an expression.
    pub fn expression(&mut self, part: Part) -> ExprId {
        if !self.dives(part) {
            return self.unknown(self.span(part));
        }
        let base = self.spine.len();
        let mut first = part;
        while let Some(inner) = self.begins_with(first) {
            self.spine.push(first);
            first = inner;
        }
        let mut whole = self.lone(first);
        while self.spine.len() > base {
            let Some(around) = self.spine.pop() else { break };
            whole = self.wrapped(around, whole);
            if self.syntax.is_torn(around) && self.kind(around) != Kind::Parenthesized {
                self.script.expressions[whole.idx()].kind = ExpressionKind::Unknown;
            }
        }
        self.surfaces();
        whole
    }

    /// Lowers a part of an expression; what is not there is unknown.
    pub fn expression_in(&mut self, part: Part, field: Field) -> ExprId {
        match self.field(part, field) {
            Some(inner) => self.expression(inner),
            None => self.unknown_behind(part),
        }
    }

    /// Keeps what should stand at the end of a part and does not.
    pub fn unknown_behind(&mut self, part: Part) -> ExprId {
        let end = self.span(part).end;
        self.unknown(Span { start: end, end })
    }

    /// The expression that a chain begins with.
    fn begins_with(&self, part: Part) -> Option<Part> {
        match self.kind(part) {
            Kind::Member | Kind::Subscript => {
                let object = self.field(part, Field::Object)?;
                (self.kind(object) != Kind::ImportWord).then_some(object)
            }
            Kind::Call => {
                let callee = self.field(part, Field::Function)?;
                (self.kind(callee) != Kind::ImportWord).then_some(callee)
            }
            Kind::Binary => {
                let left = self.field(part, Field::Left)?;
                (self.kind(left) != Kind::PrivateIdentifier).then_some(left)
            }
            Kind::As
            | Kind::Satisfies
            | Kind::NonNull
            | Kind::Instantiation
            | Kind::Parenthesized => self.parts(part).next(),
            _ => None,
        }
    }

    /// Puts the next part of a chain around what it begins with.
    fn wrapped(&mut self, part: Part, inner: ExprId) -> ExprId {
        match self.kind(part) {
            Kind::Member => self.behind_dot(part, inner),
            Kind::Subscript => self.element(part, inner),
            Kind::Call => self.call(part, inner),
            Kind::Binary => self.binary(part, inner),
            Kind::As => match self.parts(part).nth(1) {
                Some(of_type) => self.asserted(part, inner, of_type),
                None => self.same(part, inner),
            },
            Kind::Parenthesized => self.parenthesized(part, inner),
            _ => self.same(part, inner),
        }
    }

    fn same(&mut self, part: Part, inner: ExprId) -> ExprId {
        let same = self.push(ExpressionKind::Same(inner), self.span(part));
        self.give(inner, Context::Branch(same));
        same
    }

    fn asserted(&mut self, part: Part, inner: ExprId, of_type: Part) -> ExprId {
        let annotation = self.annotation(of_type);
        let asserted = self.push(ExpressionKind::As(inner, annotation), self.span(part));
        self.give(inner, Context::Branch(asserted));
        asserted
    }

    /// Parentheses are nothing by themselves, but a comment right before them can be a cast.
    fn parenthesized(&mut self, part: Part, inner: ExprId) -> ExprId {
        let doc = self.doc_before(self.span(part).start);
        match self.doc(doc).of_type {
            Some(text) => self.cast(inner, text),
            None => inner,
        }
    }

    fn behind_dot(&mut self, part: Part, object: ExprId) -> ExprId {
        let span = self.span(part);
        // The grammar takes the dot of `x satisfies a.b` for one behind the whole; it belongs to the type.
        match self.field(part, Field::Object).map(|o| self.kind(o)) {
            Some(Kind::Satisfies) => return self.same(part, object),
            Some(Kind::As) => return self.unknown(span),
            _ => {}
        }
        let property = self.field(part, Field::Property);
        let Some(property) = property.filter(|p| self.is_member_name(part, *p)) else {
            let from = self.expr(object).span.end.min(span.end);
            self.script.broken.push(Span { start: from, end: span.end });
            return self.unknown(span);
        };
        let (name, name_span) = (self.name_of(property), self.span(property));
        let optional = self.is_optional(part);
        let kind = ExpressionKind::Member { object, name: name.clone(), name_span, optional };
        let member = self.push(kind, span);
        self.access(Receiver::Expression(member, object), name, name_span);
        member
    }

    /// Whether a property is what the writer meant: a word that begins a statement on a line of its own is not, it only
    /// follows an unfinished one.
    fn is_member_name(&self, member: Part, property: Part) -> bool {
        if self.syntax.is_torn(member) || self.kind(property) == Kind::Missing {
            return false;
        }
        let span = self.span(property);
        let before = self.text.get(..span.start as usize).unwrap_or("");
        let is_on_new_line = before.trim_end_matches([' ', '\t']).ends_with(['\n', '\r']);
        let dot = before.trim_end();
        let follows_dot = is_on_new_line && dot.ends_with('.');
        !(follows_dot && begins_statement(span.of(self.text)))
    }

    fn is_optional(&self, part: Part) -> bool {
        self.field(part, Field::OptionalChain).is_some() || self.syntax.has(part, Word::Optional)
    }

    fn element(&mut self, part: Part, object: ExprId) -> ExprId {
        let index = self.expression_in(part, Field::Index);
        let optional = self.is_optional(part);
        let kind = ExpressionKind::Element { object, index, optional };
        self.push(kind, self.span(part))
    }

    fn call(&mut self, part: Part, callee: ExprId) -> ExprId {
        let arguments = self.field(part, Field::Arguments);
        if let Some(template) = arguments.filter(|a| self.kind(*a) == Kind::Template) {
            self.substitutions(template);
            return self.push(ExpressionKind::Tagged(callee), self.span(part));
        }
        let call = self.given(part, callee, arguments);
        // Outside of what it knows to be asynchronous, the grammar takes `await (x)` for a call.
        if let (ExpressionKind::Name(name, _), [Argument::One(awaited)]) =
            (&self.expr(callee).kind, call.arguments.as_slice())
            && name == "await"
        {
            let kind = ExpressionKind::Await(*awaited);
            self.script.expressions[callee.idx()].kind = ExpressionKind::Unknown;
            return self.push(kind, self.span(part));
        }
        self.called(ExpressionKind::Call(Box::new(call)), self.span(part))
    }

    /// What a call or construction is given.
    fn given(&mut self, part: Part, callee: ExprId, list: Option<Part>) -> Call {
        let mut arguments = Vec::new();
        if let Some(list) = list {
            for argument in self.parts(list) {
                arguments.push(self.argument(argument));
            }
            // Nobody knows how many arguments a broken list has.
            if self.syntax.is_torn(list) {
                let torn = self.unknown_behind(list);
                arguments.push(Argument::Spread(torn));
            }
        }
        let types = self.field(part, Field::TypeArguments);
        let types: Vec<Part> = types.map(|t| self.parts(t).collect()).unwrap_or_default();
        let type_arguments = types.into_iter().map(|t| self.annotation(t)).collect();
        Call { callee, arguments, type_arguments, optional: self.is_optional(part) }
    }

    /// Keeps a call or construction and tells its arguments.
    fn called(&mut self, kind: ExpressionKind, span: Span) -> ExprId {
        let id = self.push(kind, span);
        let arguments = match &self.expr(id).kind {
            ExpressionKind::Call(call) | ExpressionKind::New(call) => call.arguments.clone(),
            _ => Vec::new(),
        };
        for (argument, idx) in arguments.into_iter().zip(0..) {
            match argument {
                Argument::One(argument) => self.give(argument, Context::Argument(id, idx)),
                Argument::Spread(_) => {}
            }
        }
        id
    }

    fn binary(&mut self, part: Part, left: ExprId) -> ExprId {
        let operator = self.field(part, Field::Operator).map(|o| self.name_of(o));
        let operator = operator.unwrap_or_default();
        let right_span = self.field(part, Field::Right).map(|r| self.span(r));
        let right = self.expression_in(part, Field::Right);
        let span = self.span(part);
        if !matches!(operator.as_str(), "&&" | "||" | "??") {
            return self.push(ExpressionKind::Binary(operator, left, right), span);
        }
        let right_span: Vec<Span> = right_span.into_iter().collect();
        let (holds, fails) = match operator.as_str() {
            "&&" => (right_span, Vec::new()),
            "||" => (Vec::new(), right_span),
            _ => (Vec::new(), Vec::new()),
        };
        if holds.len() + fails.len() > 0 {
            self.script.guards.push(Guard { test: left, holds, fails });
        }
        let logical = self.push(ExpressionKind::Logical(operator, left, right), span);
        self.give(left, Context::Branch(logical));
        self.give(right, Context::Branch(logical));
        logical
    }

    /// Lowers an expression that no chain begins with.
    fn lone(&mut self, part: Part) -> ExprId {
        let span = self.span(part);
        let kind = match self.kind(part) {
            Kind::Identifier | Kind::Shorthand | Kind::ShorthandPattern => {
                return self.mention(part);
            }
            Kind::This => ExpressionKind::This,
            Kind::Super => ExpressionKind::Super,
            Kind::String => ExpressionKind::Text(self.string(part)),
            Kind::Number if self.text_of(part).ends_with('n') => ExpressionKind::BigInt,
            Kind::Number => ExpressionKind::Number(self.name_of(part)),
            Kind::True => ExpressionKind::Truth(true),
            Kind::False => ExpressionKind::Truth(false),
            Kind::Null => ExpressionKind::Null,
            Kind::Regex => ExpressionKind::Regex,
            Kind::Template => {
                self.substitutions(part);
                ExpressionKind::Template
            }
            Kind::Object => return self.object(part),
            Kind::Array => return self.array(part),
            Kind::Function => return self.function_expression(part, ThisOf::Own, None),
            Kind::Arrow => return self.function_expression(part, ThisOf::Around, None),
            Kind::Class => return self.class_expression(part, None),
            Kind::JsxElement | Kind::JsxSelfClosing => return self.jsx(part),
            Kind::Call => self.import_call(part),
            Kind::New => return self.construction(part),
            Kind::Await => ExpressionKind::Await(self.only(part)),
            Kind::Yield => self.yielded(part),
            Kind::Unary => return self.unary(part),
            Kind::Update => return self.update(part),
            Kind::Binary => {
                let right = self.expression_in(part, Field::Right);
                let left = self.unknown(span);
                ExpressionKind::Binary("in".into(), left, right)
            }
            Kind::Ternary => return self.ternary(part),
            Kind::Assignment => return self.assignment(part),
            Kind::AugmentedAssignment => return self.augmented(part),
            Kind::Sequence => return self.sequence(part),
            Kind::Assertion => return self.assertion(part),
            Kind::Spread => return self.only(part),
            Kind::Namespace => {
                self.namespace(part);
                ExpressionKind::Unknown
            }
            _ => ExpressionKind::Unknown,
        };
        self.push(kind, span)
    }

    fn yielded(&mut self, part: Part) -> ExpressionKind {
        let given = self.parts(part).next().map(|given| self.expression(given));
        if let (Some(given), Some(function)) = (given, self.function) {
            let given = match self.syntax.has(part, Word::Star) {
                true => Argument::Spread(given),
                false => Argument::One(given),
            };
            self.script.functions[function.idx()].yields.push(given);
        }
        ExpressionKind::Yield(given)
    }

    /// The only expression in a part.
    fn only(&mut self, part: Part) -> ExprId {
        match self.parts(part).next() {
            Some(inner) => self.expression(inner),
            None => self.unknown_behind(part),
        }
    }

    fn import_call(&mut self, part: Part) -> ExpressionKind {
        let mut module = None;
        if let Some(list) = self.field(part, Field::Arguments) {
            for (idx, argument) in self.parts(list).enumerate() {
                let argument = self.argument(argument);
                if let (0, Argument::One(id)) = (idx, argument)
                    && let ExpressionKind::Text(text) = &self.expr(id).kind
                {
                    module = Some(text.clone());
                }
            }
        }
        ExpressionKind::ImportCall(module)
    }

    fn construction(&mut self, part: Part) -> ExprId {
        let callee = self.expression_in(part, Field::Constructor);
        let list = self.field(part, Field::Arguments);
        let call = self.given(part, callee, list);
        self.called(ExpressionKind::New(Box::new(call)), self.span(part))
    }

    /// Lowers `!a`, `-a`, `typeof a` and the like.
    pub fn unary(&mut self, part: Part) -> ExprId {
        let operator = self.field(part, Field::Operator).map(|o| self.name_of(o));
        let operand = self.expression_in(part, Field::Argument);
        let kind = ExpressionKind::Unary(operator.unwrap_or_default(), operand);
        self.push(kind, self.span(part))
    }

    /// Lowers `a ? b : c ? d : e` from the front and puts it together from the back.
    fn ternary(&mut self, part: Part) -> ExprId {
        let mut links = Vec::new();
        let mut next = part;
        let mut whole = loop {
            let test = self.expression_in(next, Field::Condition);
            let yes = self.expression_in(next, Field::Consequence);
            let holds = self.field(next, Field::Consequence).map(|p| self.span(p));
            let no = self.field(next, Field::Alternative);
            let fails = no.map(|p| self.span(p));
            let holds = holds.into_iter().collect();
            self.script.guards.push(Guard { test, holds, fails: fails.into_iter().collect() });
            links.push((next, test, yes));
            match no {
                Some(no) if self.kind(no) == Kind::Ternary => next = no,
                Some(no) => break self.expression(no),
                None => break self.unknown_behind(next),
            }
        };
        for (link, test, yes) in links.into_iter().rev() {
            let no = whole;
            whole = self.push(ExpressionKind::Conditional(test, yes, no), self.span(link));
            self.give(yes, Context::Branch(whole));
            self.give(no, Context::Branch(whole));
        }
        whole
    }

    fn sequence(&mut self, part: Part) -> ExprId {
        let mut last = None;
        for inner in self.parts(part) {
            last = Some(self.expression(inner));
        }
        let last = last.unwrap_or_else(|| self.unknown_behind(part));
        let sequence = self.push(ExpressionKind::Sequence(last), self.span(part));
        self.give(last, Context::Branch(sequence));
        sequence
    }

    fn assertion(&mut self, part: Part) -> ExprId {
        let types = self.parts(part).find(|p| self.kind(*p) == Kind::TypeArguments);
        let inner = self.parts(part).find(|p| self.kind(*p) != Kind::TypeArguments);
        let inner = match inner {
            Some(inner) => self.expression(inner),
            None => self.unknown_behind(part),
        };
        match types.and_then(|types| self.parts(types).next()) {
            Some(of_type) => self.asserted(part, inner, of_type),
            None => self.same(part, inner),
        }
    }
}

/// Whether a word begins a statement wherever it stands.
fn begins_statement(word: &str) -> bool {
    matches!(
        word,
        "var"
            | "let"
            | "const"
            | "function"
            | "class"
            | "if"
            | "for"
            | "while"
            | "do"
            | "switch"
            | "try"
            | "return"
            | "throw"
            | "import"
            | "export"
            | "break"
            | "continue"
    )
}
