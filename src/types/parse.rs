//! Text to types: what [`print`](super::print) writes, TypeScript annotations as code has them, and JSDoc's dialect.
//!
//! Any text gives a type. What is not understood is [`Type::Opaque`]; nesting is bounded, so no text overflows the stack.

use super::{
    Access, Arity, Member, MemberKind, Parameter, Presence, Shape, Signature, Type, TypeName,
    TypeParameter, Writing,
};
use crate::base::Name;
use std::sync::Arc;

/// How deep brackets may nest.
const MAX_DEPTH: u32 = 64;

/// The longest text that is read, in bytes.
const MAX_BYTES: usize = 200_000;

/// The type that `text` spells in TypeScript.
pub fn typescript(text: &str) -> Type {
    whole(text, Dialect::TypeScript, |r| r.a_type())
        .unwrap_or_else(|| Type::opaque("unreadable type"))
}

/// The type that `text` spells in a JSDoc comment, without the braces.
pub fn jsdoc(text: &str) -> Type {
    whole(text, Dialect::JsDoc, |r| r.a_type()).unwrap_or_else(|| Type::opaque("unreadable type"))
}

/// A member's signature, `<T>(a: A): R`.
pub fn signature(text: &str) -> Option<Signature> {
    whole(text, Dialect::TypeScript, |r| r.signature(":"))
}

/// A type parameter, `T extends U = V`.
pub fn type_parameter(text: &str) -> Option<TypeParameter> {
    whole(text, Dialect::TypeScript, |r| r.type_parameter())
}

/// Type parameters with their angle brackets, `<T, U>`.
pub fn type_parameters(text: &str) -> Vec<TypeParameter> {
    whole(text, Dialect::TypeScript, |r| r.type_parameters()).unwrap_or_default()
}

fn whole<T>(
    text: &str,
    dialect: Dialect,
    read: impl FnOnce(&mut Reader<'_>) -> Option<T>,
) -> Option<T> {
    if text.len() > MAX_BYTES {
        return None;
    }
    let mut reader = Reader { rest: text, dialect, depth: 0 };
    let found = read(&mut reader)?;
    reader.space();
    reader.rest.is_empty().then_some(found)
}

#[derive(Clone, Copy, PartialEq)]
enum Dialect {
    TypeScript,
    JsDoc,
}

#[derive(Clone)]
struct Reader<'t> {
    rest: &'t str,
    dialect: Dialect,
    depth: u32,
}

impl<'t> Reader<'t> {
    fn space(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            if let Some(comment) = self.rest.strip_prefix("/*") {
                self.rest = comment.find("*/").map_or("", |end| &comment[end + 2..]);
            } else if let Some(comment) = self.rest.strip_prefix("//") {
                self.rest = comment.find('\n').map_or("", |end| &comment[end..]);
            } else if self.dialect == Dialect::JsDoc && self.rest.starts_with("* ") {
                // The star of a comment's next line, not the type `*`.
                self.rest = match self.rest[2..].trim_start() {
                    after if after.starts_with([',', '|', '}', '>', ')', '=']) => return,
                    after => after,
                };
            } else {
                return;
            }
        }
    }

    fn eat(&mut self, mark: &str) -> bool {
        self.space();
        match self.rest.strip_prefix(mark) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn need(&mut self, mark: &str) -> Option<()> {
        self.eat(mark).then_some(())
    }

    fn sees(&mut self, mark: &str) -> bool {
        self.space();
        self.rest.starts_with(mark)
    }

    /// The next word, not taken.
    fn peek(&mut self) -> &'t str {
        self.space();
        let end = self
            .rest
            .char_indices()
            .find(|(_, c)| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '#')))
            .map_or(self.rest.len(), |(i, _)| i);
        &self.rest[..end]
    }

    fn word(&mut self) -> Option<&'t str> {
        let word = self.peek();
        self.rest = &self.rest[word.len()..];
        (!word.is_empty()).then_some(word)
    }

    /// Takes `word` if it stands next as a whole word.
    fn keyword(&mut self, word: &str) -> bool {
        let found = self.peek() == word;
        if found {
            self.rest = &self.rest[word.len()..];
        }
        found
    }

    fn quoted(&mut self) -> Option<Name> {
        self.space();
        let quote = self.rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
        let mut text = String::new();
        let mut chars = self.rest[1..].char_indices();
        while let Some((i, c)) = chars.next() {
            match c {
                '\\' => match chars.next()?.1 {
                    'n' => text.push('\n'),
                    'r' => text.push('\r'),
                    other => text.push(other),
                },
                c if c == quote => {
                    self.rest = &self.rest[1 + i + 1..];
                    return Some(text.into());
                }
                c => text.push(c),
            }
        }
        None
    }

    /// Runs `read`; where it finds nothing, nothing is taken.
    fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.clone();
        let found = read(self);
        if found.is_none() {
            *self = before;
        }
        found
    }

    fn a_type(&mut self) -> Option<Type> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let found = self.conditional();
        self.depth -= 1;
        found
    }

    fn conditional(&mut self) -> Option<Type> {
        if let Some(function) = self.attempt(Self::function) {
            return Some(function);
        }
        let base = self.alternatives()?;
        let conditional = self.attempt(|r| r.keyword("extends").then_some(())).is_some();
        if !conditional {
            return Some(base);
        }
        self.alternatives()?;
        if self.eat("?") {
            self.a_type()?;
            self.need(":")?;
            self.a_type()?;
        }
        Some(Type::opaque("conditional type"))
    }

    fn function(&mut self) -> Option<Type> {
        self.keyword("abstract");
        let constructs = self.keyword("new");
        if !self.sees("(") && !self.sees("<") {
            return None;
        }
        let signature = Arc::new(self.signature("=>")?);
        Some(if constructs { Type::Constructor(signature) } else { Type::Function(signature) })
    }

    /// `<T>(a: A)`, then `mark` and what is returned.
    fn signature(&mut self, mark: &str) -> Option<Signature> {
        let type_parameters = if self.sees("<") { self.type_parameters()? } else { Vec::new() };
        self.need("(")?;
        let mut signature = Signature { type_parameters, ..Signature::default() };
        while !self.eat(")") {
            let rest = self.eat("...");
            let name = self.parameter_name()?;
            let optional = self.eat("?");
            let declared = if self.eat(":") { self.a_type()? } else { Type::Any };
            let arity = match (rest, optional) {
                (true, _) => Arity::Rest,
                (_, true) => Arity::Optional,
                _ => Arity::Required,
            };
            match name == "this" {
                true => signature.this = Some(declared),
                false => {
                    signature.parameters.push(Parameter { name: name.into(), declared, arity })
                }
            }
            if !self.eat(",") {
                self.need(")")?;
                break;
            }
        }
        signature.returns = match self.eat(mark) {
            true => self.result()?,
            false if mark == ":" => Type::Any,
            false => return None,
        };
        Some(signature)
    }

    fn parameter_name(&mut self) -> Option<&'t str> {
        for (open, close) in [("{", '}'), ("[", ']')] {
            if self.sees(open) {
                self.skip_to(close)?;
                return Some("_");
            }
        }
        self.word()
    }

    /// Skips a bracketed pattern.
    fn skip_to(&mut self, close: char) -> Option<()> {
        let mut depth = 0u32;
        for (i, c) in self.rest.char_indices() {
            match c {
                '{' | '[' | '(' => depth += 1,
                '}' | ']' | ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 && c == close {
                self.rest = &self.rest[i + 1..];
                return Some(());
            }
        }
        None
    }

    /// A result: a type, or a statement about a parameter.
    fn result(&mut self) -> Option<Type> {
        let asserted = self.attempt(|r| {
            r.keyword("asserts").then_some(())?;
            r.word()?;
            r.keyword("is").then_some(())?;
            r.a_type()
        });
        if asserted.is_some() {
            return Some(Type::Void);
        }
        if self.attempt(|r| (r.keyword("asserts") && r.word().is_some()).then_some(())).is_some() {
            return Some(Type::Void);
        }
        self.a_type()
    }

    fn type_parameters(&mut self) -> Option<Vec<TypeParameter>> {
        self.need("<")?;
        let mut found = Vec::new();
        while !self.eat(">") {
            found.push(self.type_parameter()?);
            if !self.eat(",") {
                self.need(">")?;
                break;
            }
        }
        Some(found)
    }

    fn type_parameter(&mut self) -> Option<TypeParameter> {
        while matches!(self.peek(), "const" | "in" | "out") {
            let followed = self.clone().attempt(|r| {
                r.word();
                r.word().filter(|w| *w != "extends")
            });
            match followed {
                Some(_) => self.word()?,
                None => break,
            };
        }
        let name = self.word()?.into();
        let constraint = if self.keyword("extends") { Some(self.a_type()?) } else { None };
        let default = if self.eat("=") { Some(self.a_type()?) } else { None };
        Some(TypeParameter { name, constraint, default })
    }

    fn alternatives(&mut self) -> Option<Type> {
        self.eat("|");
        let mut parts = vec![self.together()?];
        while self.sees("|") && !self.sees("||") {
            self.eat("|");
            parts.push(self.together()?);
        }
        Some(if parts.len() == 1 { parts.remove(0) } else { Type::Union(parts.into()) })
    }

    fn together(&mut self) -> Option<Type> {
        self.eat("&");
        let mut parts = vec![self.operator()?];
        while self.eat("&") {
            parts.push(self.operator()?);
        }
        Some(if parts.len() == 1 { parts.remove(0) } else { Type::Intersection(parts.into()) })
    }

    fn operator(&mut self) -> Option<Type> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let found = self.prefixed();
        self.depth -= 1;
        found
    }

    fn prefixed(&mut self) -> Option<Type> {
        if self.dialect == Dialect::JsDoc {
            if self.eat("!") || self.eat("...") {
                return self.operator();
            }
            if self.eat("?") {
                // `?` alone is JSDoc's unknown type; before a type it adds null.
                let inner = self.attempt(Self::operator);
                return Some(inner.map_or(Type::Any, |t| Type::union([t, Type::Null])));
            }
            if self.eat("*") {
                return Some(Type::Any);
            }
        }
        let before = self.clone();
        match self.peek() {
            "keyof" => {
                self.word();
                return Some(Type::KeyOf(Arc::new(self.operator()?)));
            }
            "unique" => {
                self.word();
                return self.operator();
            }
            "infer" => {
                self.word();
                self.word()?;
                return Some(Type::opaque("inferred type"));
            }
            "readonly" => {
                self.word();
                return self.operator();
            }
            _ => {}
        }
        *self = before;
        let mut base = self.primary()?;
        loop {
            if self.rest.starts_with(['\n', '\r']) {
                return Some(base);
            }
            if self.dialect == Dialect::JsDoc && (self.eat("=") || self.eat("!")) {
                continue;
            }
            if !self.eat("[") {
                return Some(base);
            }
            if self.eat("]") {
                base = Type::Array(Arc::new(base));
            } else {
                let key = self.a_type()?;
                self.need("]")?;
                base = Type::Indexed(Arc::new((base, key)));
            }
        }
    }

    fn primary(&mut self) -> Option<Type> {
        self.space();
        match self.rest.chars().next()? {
            '(' => {
                self.need("(")?;
                let inner = self.a_type()?;
                self.need(")")?;
                Some(inner)
            }
            '[' => self.tuple(),
            '{' => self.literal(),
            '"' | '\'' => Some(Type::Text(self.quoted()?)),
            '`' => {
                let text = self.quoted()?;
                Some(match text.contains("${") {
                    true => Type::opaque("template type"),
                    false => Type::Text(text),
                })
            }
            '-' => {
                self.need("-")?;
                Some(Type::Digits(format!("-{}", self.digits()?).into()))
            }
            c if c.is_ascii_digit() => Some(Type::Digits(self.digits()?.into())),
            _ => self.named(),
        }
    }

    fn digits(&mut self) -> Option<&'t str> {
        let rest = self.rest;
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '+')))
            .unwrap_or(rest.len());
        self.rest = &rest[end..];
        (end > 0).then(|| &rest[..end])
    }

    fn tuple(&mut self) -> Option<Type> {
        self.need("[")?;
        let mut parts = Vec::new();
        while !self.eat("]") {
            let rest = self.eat("...");
            self.attempt(|r| {
                r.word()?;
                r.eat("?");
                (r.eat(":")).then_some(())
            });
            let mut part = self.a_type()?;
            self.eat("?");
            if rest {
                part = match part {
                    Type::Array(element) => (*element).clone(),
                    _ => Type::opaque("spread in a tuple type"),
                };
            }
            parts.push(part);
            if !self.eat(",") {
                self.need("]")?;
                break;
            }
        }
        Some(Type::Tuple(parts.into()))
    }

    fn named(&mut self) -> Option<Type> {
        let word = self.word()?;
        let plain = match word {
            "any" => Some(Type::Any),
            "unknown" => Some(Type::Unknown),
            "never" => Some(Type::Never),
            "void" => Some(Type::Void),
            "null" => Some(Type::Null),
            "undefined" => Some(Type::Undefined),
            "string" => Some(Type::String),
            "number" => Some(Type::Number),
            "boolean" => Some(Type::Boolean),
            "bigint" => Some(Type::BigInt),
            "symbol" => Some(Type::Symbol),
            "object" => Some(Type::Object),
            "true" => Some(Type::Truth(true)),
            "false" => Some(Type::Truth(false)),
            "this" => Some(Type::This),
            _ => None,
        };
        if let Some(plain) = plain
            && !self.sees(".")
        {
            // A parameter may have the name of a type.
            return match self.attempt(|r| r.keyword("is").then_some(())) {
                Some(()) => Some(Type::Is(Arc::new((word.into(), self.alternatives()?)))),
                None => Some(plain),
            };
        }
        match word {
            "typeof" => {
                let name = self.type_name()?;
                if self.sees("<") {
                    self.arguments()?;
                }
                return Some(Type::Typeof(Arc::new(name)));
            }
            "opaque" if self.sees("(") => {
                self.need("(")?;
                let what = self.quoted()?;
                self.need(")")?;
                return Some(Type::Opaque(what));
            }
            "function" if self.dialect == Dialect::JsDoc && self.sees("(") => {
                return self.closure_function();
            }
            "function" | "Function" if self.dialect == Dialect::JsDoc => {
                return Some(Type::named(TypeName::global("Function")));
            }
            _ => {}
        }
        let name = self.name_after(word)?;
        if self.attempt(|r| r.keyword("is").then_some(())).is_some() {
            return Some(Type::Is(Arc::new((word.into(), self.alternatives()?))));
        }
        self.eat_jsdoc_dot();
        let arguments = if self.sees("<") { self.arguments()? } else { Vec::new() };
        Some(built(name, arguments))
    }

    /// JSDoc writes `Array.<T>`.
    fn eat_jsdoc_dot(&mut self) {
        if self.dialect == Dialect::JsDoc && self.rest.starts_with(".<") {
            self.rest = &self.rest[1..];
        }
    }

    fn arguments(&mut self) -> Option<Vec<Type>> {
        self.need("<")?;
        let mut found = Vec::new();
        while !self.eat(">") {
            found.push(self.a_type()?);
            if !self.eat(",") {
                self.need(">")?;
                break;
            }
        }
        Some(found)
    }

    fn type_name(&mut self) -> Option<TypeName> {
        let word = self.word()?;
        self.name_after(word)
    }

    /// The rest of a name that begins with `word`: `import("m").A.B` or `word.B.C`.
    fn name_after(&mut self, word: &str) -> Option<TypeName> {
        if word == "import" && self.sees("(") {
            self.need("(")?;
            let module = self.quoted()?;
            if self.eat(",") {
                self.literal()?;
            }
            self.need(")")?;
            let path = self.dotted(String::new())?;
            return Some(TypeName { module, path });
        }
        if self.dialect == Dialect::JsDoc && word == "module" && self.eat(":") {
            return None;
        }
        let path = self.dotted(word.to_string())?;
        Some(TypeName::global(path))
    }

    fn dotted(&mut self, mut path: String) -> Option<Name> {
        while self.rest.starts_with('.')
            && !self.rest.starts_with("..")
            && !self.rest.starts_with(".<")
        {
            self.rest = &self.rest[1..];
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(self.word()?);
        }
        Some(path.into())
    }

    /// `function(a, b): c`, as the Closure compiler's comments have it.
    fn closure_function(&mut self) -> Option<Type> {
        self.need("(")?;
        let mut signature = Signature { returns: Type::Any, ..Signature::default() };
        while !self.eat(")") {
            let this = self.attempt(|r| (r.keyword("this") && r.eat(":")).then_some(()));
            let new = self.attempt(|r| (r.keyword("new") && r.eat(":")).then_some(()));
            let rest = self.sees("...");
            let declared = self.a_type()?;
            match (this, new) {
                (Some(()), _) => signature.this = Some(declared),
                (_, Some(())) => signature.returns = declared,
                _ => {
                    let arity = if rest { Arity::Rest } else { Arity::Optional };
                    signature.parameters.push(Parameter { name: "_".into(), declared, arity });
                }
            }
            if !self.eat(",") {
                self.need(")")?;
                break;
            }
        }
        if self.eat(":") {
            signature.returns = self.a_type()?;
        }
        Some(Type::Function(Arc::new(signature)))
    }

    fn literal(&mut self) -> Option<Type> {
        self.need("{")?;
        let mut shape = Shape::default();
        while !self.eat("}") {
            if !self.member(&mut shape)? {
                // A mapped type: `{ [K in T]: V }`.
                return Some(Type::opaque("mapped type"));
            }
            if !self.eat(";") && !self.eat(",") {
                let ended = self.sees("}") || self.rest.is_empty();
                if !ended && self.peek().is_empty() && !self.sees("[") && !self.sees("\"") {
                    return None;
                }
            }
        }
        Some(Type::Literal(Arc::new(shape)))
    }

    /// One member of a literal; false where it is a mapped type, which is skipped to its end.
    fn member(&mut self, shape: &mut Shape) -> Option<bool> {
        let mut one = Member::property(Type::Any);
        loop {
            let word = self.peek();
            let flag = matches!(
                word,
                "readonly"
                    | "private"
                    | "protected"
                    | "public"
                    | "static"
                    | "event"
                    | "get"
                    | "set"
            );
            let mut after = self.clone();
            after.word();
            let names_itself =
                ["?", ":", "(", "<", ";", ",", "}"].iter().any(|mark| after.sees(mark));
            if !flag || names_itself {
                break;
            }
            self.word();
            match word {
                "readonly" => one.writing = Writing::Refused,
                "private" => one.access = Access::Private,
                "protected" => one.access = Access::Protected,
                "event" => one.kind = MemberKind::Event,
                _ => {}
            }
        }
        if self.sees("(") || self.sees("<") {
            shape.calls.push(self.signature(":")?);
            return Some(true);
        }
        if self.keyword("new") {
            shape.constructs.push(self.signature(":")?);
            return Some(true);
        }
        if self.eat("+") || self.eat("-") {
            self.word();
        }
        if self.sees("[") {
            match self.attempt(Self::index_signature) {
                Some(pair) => shape.index.push(pair),
                None => return self.skip_mapped(),
            }
            return Some(true);
        }
        let name: Name = match self.quoted() {
            Some(name) => name,
            None => self.digits_or_word()?.into(),
        };
        if self.eat("?") {
            one.presence = Presence::Maybe;
        }
        if self.sees("(") || self.sees("<") {
            let signature = self.signature(":")?;
            let method = Member { kind: MemberKind::Method, declared: Type::Void, ..one };
            shape.members.entry(name).or_insert(method).signatures.push(signature);
            return Some(true);
        }
        one.declared = if self.eat(":") { self.a_type()? } else { Type::Any };
        shape.members.insert(name, one);
        Some(true)
    }

    fn digits_or_word(&mut self) -> Option<&'t str> {
        match self.rest.starts_with(|c: char| c.is_ascii_digit()) {
            true => self.digits(),
            false => self.word(),
        }
    }

    fn index_signature(&mut self) -> Option<(Type, Type)> {
        self.need("[")?;
        self.word()?;
        self.need(":")?;
        let key = self.a_type()?;
        self.need("]")?;
        self.need(":")?;
        Some((key, self.a_type()?))
    }

    fn skip_mapped(&mut self) -> Option<bool> {
        let mut depth = 1u32;
        for (i, c) in self.rest.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.rest = &self.rest[i + 1..];
                return Some(false);
            }
        }
        None
    }
}

/// A named type, `Array<T>` in its short form.
fn built(name: TypeName, mut arguments: Vec<Type>) -> Type {
    match (name.module.is_empty(), name.path.as_str(), arguments.len()) {
        (true, "Array", 1) => Type::Array(Arc::new(arguments.remove(0))),
        _ => Type::generic(name, arguments),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read_back() {
        for text in [
            "string | null",
            "Promise<Sheet[]>",
            "(a: A, b?: B, ...c: C[]) => (string | undefined)[]",
            "new <T extends Foo = Bar>(x: T) => Baz<T>",
            "{ (a: number): string; new (): Foo; [key: string]: any; a?: number; readonly \"b-c\": keyof T; m<K>(k: K): T[K] }",
            "import(\"fs\").Stats",
            "typeof import(\"node:fs\")",
            "[string, number]",
            "(keyof T)[]",
            "x is Foo",
            "object is Foo",
            "\"a\" | \"b\\\"c\" | 12 | true",
            "opaque(\"conditional type\")",
            "A & (B | C)",
            "((a: A) => B) | null",
        ] {
            assert_eq!(typescript(text).to_string(), text);
        }
    }

    #[test]
    fn what_is_not_understood_is_opaque() {
        for text in [
            "T extends U ? X : Y",
            "{ [K in keyof T]: T[K] }",
            "`a${B}`",
            "}{",
            "",
            "Foo<",
            "{ readonly [K in T]?: { a: b } }",
        ] {
            assert!(matches!(typescript(text), Type::Opaque(_)), "{text}: {:?}", typescript(text));
        }
        assert!(matches!(typescript(&"[".repeat(100_000)), Type::Opaque(_)));
    }

    #[test]
    fn jsdoc_has_its_own_spellings() {
        for (text, means) in [
            ("?string", "string | null"),
            ("!Foo", "Foo"),
            ("Array.<Foo>", "Foo[]"),
            ("*", "any"),
            ("...number", "number"),
            ("string=", "string"),
            ("(A|B)", "A | B"),
            ("function(Foo): Bar", "(_?: Foo) => Bar"),
        ] {
            assert_eq!(jsdoc(text).to_string(), means);
        }
    }
}
