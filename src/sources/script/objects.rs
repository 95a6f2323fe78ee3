//! Object and array literals, strings and templates, and JSX.

use super::kinds::{Field, Kind};
use super::lower::Lower;
use super::syntax::Part;
use super::{Argument, ClassMemberKind, Context, ExprId, ExpressionKind, ObjectId, ObjectLiteral};
use super::{PropertyOf, ThisOf};
use crate::base::{Name, Span, to_u32};

impl Lower<'_> {
    /// Lowers an object literal.
    pub fn object(&mut self, part: Part) -> ExprId {
        let id = self.next_object();
        self.script.objects.push(ObjectLiteral {
            expression: ExprId(0),
            properties: Vec::new(),
            spreads: Vec::new(),
            may_have_more: self.syntax.is_torn(part),
        });
        for entry in self.parts(part) {
            self.property(id, entry);
        }
        let expression = self.push(ExpressionKind::Object(id), self.span(part));
        self.script.objects[id.idx()].expression = expression;
        expression
    }

    fn property(&mut self, id: ObjectId, entry: Part) {
        match self.kind(entry) {
            Kind::Pair => {
                let name = self.field(entry, Field::Key).and_then(|key| self.key(id, key));
                let Some(value) = self.field(entry, Field::Value) else { return };
                let doc = self.doc_before(self.span(entry).start);
                let value = self.property_value(value, ThisOf::Object(id), doc);
                let value = self.typed_by(doc, value);
                self.put(id, name, value, ClassMemberKind::Field);
            }
            Kind::Method => {
                let name = self.field(entry, Field::Name).and_then(|key| self.key(id, key));
                let doc = self.doc_before(self.span(entry).start);
                let value = self.function_expression(entry, ThisOf::Object(id), doc);
                self.put(id, name, value, self.accessor_kind(entry));
            }
            Kind::Shorthand => {
                let value = self.mention(entry);
                let name = Some((self.name_of(entry), self.span(entry)));
                self.put(id, name, value, ClassMemberKind::Field);
            }
            Kind::Spread => {
                if let Some(inner) = self.parts(entry).next() {
                    let spread = self.expression(inner);
                    self.script.objects[id.idx()].spreads.push(spread);
                }
            }
            _ => self.script.objects[id.idx()].may_have_more = true,
        }
    }

    /// A property's name; one that is computed may be any, unless it is a symbol.
    fn key(&mut self, id: ObjectId, key: Part) -> Option<(Name, Span)> {
        let name = match self.kind(key) {
            Kind::ComputedName => {
                let inner = self.parts(key).next()?;
                let computed = self.expression(inner);
                if self.is_symbol(computed) {
                    return None;
                }
                None
            }
            _ => self.property_name(key),
        };
        // What `__proto__` brings is not listed here.
        let is_plain = name.as_ref().is_some_and(|(name, _)| name != "__proto__");
        self.script.objects[id.idx()].may_have_more |= !is_plain;
        name
    }

    fn put(
        &mut self,
        id: ObjectId,
        name: Option<(Name, Span)>,
        value: ExprId,
        kind: ClassMemberKind,
    ) {
        let Some((name, span)) = name else { return };
        let properties = &mut self.script.objects[id.idx()].properties;
        let idx = to_u32(properties.len());
        properties.push(PropertyOf { name, span, value, kind });
        self.give(value, Context::Property(id, idx));
    }

    /// Lowers what a property, field or variable is set to: a function has `this` and the comment above it.
    pub fn property_value(&mut self, part: Part, this: ThisOf, doc: Option<Span>) -> ExprId {
        match self.kind(part) {
            Kind::Function => self.function_expression(part, this, doc),
            Kind::Arrow => self.function_expression(part, ThisOf::Around, doc),
            Kind::Class => self.class_expression(part, doc),
            _ => self.expression(part),
        }
    }

    /// An expression as the `@type` of a comment has it.
    pub fn typed_by(&mut self, doc: Option<Span>, expression: ExprId) -> ExprId {
        let Some(text) = self.doc(doc).of_type else { return expression };
        self.cast(expression, text)
    }

    /// An expression with a type that JSDoc gives it.
    pub fn cast(&mut self, expression: ExprId, text: Name) -> ExprId {
        let annotation = self.doc_annotation(text);
        let span = self.expr(expression).span;
        let cast = self.push(ExpressionKind::As(expression, annotation), span);
        self.give(expression, Context::Branch(cast));
        cast
    }

    /// Lowers a function expression, arrow function or method of an object literal.
    pub fn function_expression(&mut self, part: Part, this: ThisOf, doc: Option<Span>) -> ExprId {
        if !self.dives(part) {
            return self.unknown(self.span(part));
        }
        let doc = doc.or_else(|| self.doc_before(self.span(part).start));
        let function = self.lower_function(part, this, doc);
        let expression = self.push(ExpressionKind::Function(function), self.span(part));
        self.script.functions[function.idx()].expression = Some(expression);
        self.surfaces();
        expression
    }

    /// Lowers a class expression.
    pub fn class_expression(&mut self, part: Part, doc: Option<Span>) -> ExprId {
        if !self.dives(part) {
            return self.unknown(self.span(part));
        }
        let class = self.lower_class(part, doc);
        let expression = self.push(ExpressionKind::Class(class), self.span(part));
        self.script.classes[class.idx()].expression = Some(expression);
        self.surfaces();
        expression
    }

    /// Lowers an array literal.
    pub fn array(&mut self, part: Part) -> ExprId {
        let elements: Vec<Argument> =
            self.parts(part).map(|element| self.argument(element)).collect();
        let array = self.push(ExpressionKind::Array(elements.clone()), self.span(part));
        for element in elements {
            match element {
                Argument::One(element) => self.give(element, Context::Element(array)),
                Argument::Spread(_) => {}
            }
        }
        array
    }

    /// Lowers an argument or element.
    pub fn argument(&mut self, part: Part) -> Argument {
        if self.kind(part) != Kind::Spread {
            return Argument::One(self.expression(part));
        }
        match self.parts(part).next() {
            Some(inner) => Argument::Spread(self.expression(inner)),
            None => Argument::Spread(self.unknown(self.span(part))),
        }
    }

    /// Lowers what is substituted into a template.
    pub fn substitutions(&mut self, template: Part) {
        for substitution in self.parts(template) {
            if let Some(inner) = self.parts(substitution).next() {
                self.expression(inner);
            }
        }
    }

    /// Lowers a JSX element with all that is in it.
    pub fn jsx(&mut self, part: Part) -> ExprId {
        self.jsx_parts(part);
        self.push(ExpressionKind::Jsx, self.span(part))
    }

    fn jsx_parts(&mut self, part: Part) {
        if !self.dives(part) {
            return;
        }
        for inner in self.parts(part) {
            match self.kind(inner) {
                Kind::JsxElement
                | Kind::JsxSelfClosing
                | Kind::JsxOpening
                | Kind::JsxAttribute
                | Kind::JsxExpression => self.jsx_parts(inner),
                Kind::Identifier if self.syntax.field_of(inner) == Field::Name => {
                    // What begins with a small letter is an element of the host, not a name.
                    if !self.text_of(inner).starts_with(|c: char| c.is_lowercase()) {
                        self.mention(inner);
                    }
                }
                Kind::PropertyIdentifier
                | Kind::String
                | Kind::JsxClosing
                | Kind::JsxNamespaceName
                | Kind::TypeArguments => {}
                Kind::Spread => {
                    self.argument(inner);
                }
                _ => {
                    self.expression(inner);
                }
            }
        }
        self.surfaces();
    }

    /// The text of a string, escapes resolved.
    pub fn string(&mut self, part: Part) -> Name {
        let raw = self.text_of(part);
        let raw = raw.get(1..raw.len().saturating_sub(1)).unwrap_or("");
        if raw.contains('\\') { unescaped(raw).into() } else { self.names.name(raw) }
    }
}

/// A string without its escapes; one that means nothing stands for itself.
fn unescaped(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((before, behind)) = rest.split_once('\\') {
        text.push_str(before);
        let mut chars = behind.chars();
        rest = match chars.next() {
            None => "",
            Some('n') => pushed(&mut text, '\n', chars.as_str()),
            Some('t') => pushed(&mut text, '\t', chars.as_str()),
            Some('r') => pushed(&mut text, '\r', chars.as_str()),
            Some('b') => pushed(&mut text, '\u{8}', chars.as_str()),
            Some('f') => pushed(&mut text, '\u{c}', chars.as_str()),
            Some('v') => pushed(&mut text, '\u{b}', chars.as_str()),
            Some('0') => pushed(&mut text, '\0', chars.as_str()),
            Some('\n') => chars.as_str(),
            Some('\r') => chars.as_str().strip_prefix('\n').unwrap_or(chars.as_str()),
            Some('x') => hex(&mut text, chars.as_str(), 2),
            Some('u') => match chars.as_str().strip_prefix('{').and_then(|r| r.split_once('}')) {
                Some((digits, behind)) => {
                    hex(&mut text, digits, digits.len());
                    behind
                }
                None => hex(&mut text, chars.as_str(), 4),
            },
            Some(other) => pushed(&mut text, other, chars.as_str()),
        };
    }
    text.push_str(rest);
    text
}

fn pushed<'t>(text: &mut String, c: char, rest: &'t str) -> &'t str {
    text.push(c);
    rest
}

fn hex<'t>(text: &mut String, rest: &'t str, length: usize) -> &'t str {
    let digits = rest.get(..length).unwrap_or("");
    let number = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
    text.push(number.unwrap_or(char::REPLACEMENT_CHARACTER));
    rest.get(length..).unwrap_or("")
}
