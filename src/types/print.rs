//! Types to text: TypeScript's own spelling, one canonical form, so that the text can be compared and read back.
//!
//! `parse(print(t)) == t` for every type without [`Own`](super::Own) parts; a law test keeps it.

use super::{
    Access, Arity, Member, MemberKind, Parameter, Presence, Shape, Signature, Type, TypeName,
    TypeParameter, Writing,
};
use std::fmt::{self, Display, Formatter, Write};

impl Display for TypeName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (self.module.is_empty(), self.path.is_empty()) {
            (true, _) => f.write_str(&self.path),
            (false, true) => write!(f, "import({})", Quoted(&self.module)),
            (false, false) => write!(f, "import({}).{}", Quoted(&self.module), self.path),
        }
    }
}

/// Text in double quotes, with the two escapes that the reader knows.
struct Quoted<'t>(&'t str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

/// How tightly a place binds: what binds looser is put in parentheses there.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Tie {
    Loose,
    Part,
    Postfix,
}

struct Tied<'t>(&'t Type, Tie);

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Tied(self, Tie::Loose).fmt(f)
    }
}

impl Display for Tied<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let needs = match self.0 {
            Type::Union(_) | Type::Intersection(_) | Type::Function(_) | Type::Constructor(_) => {
                Tie::Loose
            }
            Type::KeyOf(_) | Type::Is(_) => Tie::Part,
            _ => Tie::Postfix,
        };
        match needs < self.1 {
            true => {
                f.write_char('(')?;
                plain(self.0, f)?;
                f.write_char(')')
            }
            false => plain(self.0, f),
        }
    }
}

fn plain(this: &Type, f: &mut Formatter<'_>) -> fmt::Result {
    match this {
        Type::Any => f.write_str("any"),
        Type::Unknown => f.write_str("unknown"),
        Type::Opaque(what) => write!(f, "opaque({})", Quoted(what)),
        Type::Never => f.write_str("never"),
        Type::Void => f.write_str("void"),
        Type::Null => f.write_str("null"),
        Type::Undefined => f.write_str("undefined"),
        Type::String => f.write_str("string"),
        Type::Number => f.write_str("number"),
        Type::Boolean => f.write_str("boolean"),
        Type::BigInt => f.write_str("bigint"),
        Type::Symbol => f.write_str("symbol"),
        Type::Object => f.write_str("object"),
        Type::Text(text) => Quoted(text).fmt(f),
        Type::Digits(digits) => f.write_str(digits),
        Type::Truth(truth) => write!(f, "{truth}"),
        Type::Named(named) => {
            named.name.fmt(f)?;
            match named.arguments.is_empty() {
                true => Ok(()),
                false => {
                    f.write_char('<')?;
                    join(f, &named.arguments, ", ", |t, f| t.fmt(f))?;
                    f.write_char('>')
                }
            }
        }
        Type::Typeof(name) => write!(f, "typeof {name}"),
        Type::Array(element) => write!(f, "{}[]", Tied(element, Tie::Postfix)),
        Type::Tuple(parts) => {
            f.write_char('[')?;
            join(f, parts, ", ", |t, f| t.fmt(f))?;
            f.write_char(']')
        }
        Type::Union(parts) => join(f, parts, " | ", |t, f| Tied(t, Tie::Part).fmt(f)),
        Type::Intersection(parts) => join(f, parts, " & ", |t, f| Tied(t, Tie::Part).fmt(f)),
        Type::Function(signature) => arrow(signature, f),
        Type::Constructor(signature) => {
            f.write_str("new ")?;
            arrow(signature, f)
        }
        Type::Literal(shape) => literal(shape, f),
        Type::KeyOf(inner) => write!(f, "keyof {}", Tied(inner, Tie::Postfix)),
        Type::Indexed(pair) => write!(f, "{}[{}]", Tied(&pair.0, Tie::Postfix), pair.1),
        Type::This => f.write_str("this"),
        Type::Is(pair) => write!(f, "{} is {}", pair.0, Tied(&pair.1, Tie::Part)),
        Type::Own(own) => write!(f, "opaque(\"{own:?}\")"),
    }
}

fn join<T>(
    f: &mut Formatter<'_>,
    parts: &[T],
    between: &str,
    mut each: impl FnMut(&T, &mut Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            f.write_str(between)?;
        }
        each(part, f)?;
    }
    Ok(())
}

fn arrow(signature: &Signature, f: &mut Formatter<'_>) -> fmt::Result {
    head(signature, f)?;
    write!(f, " => {}", signature.returns)
}

/// `<T>(a: A)`: all of a signature but its result.
fn head(signature: &Signature, f: &mut Formatter<'_>) -> fmt::Result {
    if !signature.type_parameters.is_empty() {
        f.write_char('<')?;
        join(f, &signature.type_parameters, ", ", |p, f| p.fmt(f))?;
        f.write_char('>')?;
    }
    f.write_char('(')?;
    if let Some(this) = &signature.this {
        write!(f, "this: {this}")?;
        if !signature.parameters.is_empty() {
            f.write_str(", ")?;
        }
    }
    join(f, &signature.parameters, ", ", |p, f| p.fmt(f))?;
    f.write_char(')')
}

impl Display for Signature {
    /// The form of a member's signature: `(a: A): R`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        head(self, f)?;
        write!(f, ": {}", self.returns)
    }
}

impl Display for TypeParameter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if let Some(constraint) = &self.constraint {
            write!(f, " extends {constraint}")?;
        }
        if let Some(default) = &self.default {
            write!(f, " = {default}")?;
        }
        Ok(())
    }
}

impl Display for Parameter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.arity {
            Arity::Required => write!(f, "{}: {}", self.name, self.declared),
            Arity::Optional => write!(f, "{}?: {}", self.name, self.declared),
            Arity::Rest => write!(f, "...{}: {}", self.name, self.declared),
        }
    }
}

fn literal(shape: &Shape, f: &mut Formatter<'_>) -> fmt::Result {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(shape.calls.iter().map(Signature::to_string));
    parts.extend(shape.constructs.iter().map(|s| format!("new {s}")));
    parts.extend(shape.index.iter().map(|(key, value)| format!("[key: {key}]: {value}")));
    for (name, member) in &shape.members {
        parts.extend(member_texts(name, member));
    }
    match parts.is_empty() {
        true => f.write_str("{}"),
        false => write!(f, "{{ {} }}", parts.join("; ")),
    }
}

/// A member as it stands in a type literal; overloads are one text each.
fn member_texts(name: &str, member: &Member) -> Vec<String> {
    let name = if is_plain(name) { name.to_string() } else { Quoted(name).to_string() };
    let mark = match member.presence {
        Presence::Always => "",
        Presence::Maybe => "?",
    };
    let before = flags(member);
    match member.kind {
        MemberKind::Method => {
            member.signatures.iter().map(|s| format!("{before}{name}{mark}{s}")).collect()
        }
        MemberKind::Property | MemberKind::Event => {
            vec![format!("{before}{name}{mark}: {}", member.declared)]
        }
    }
}

fn flags(member: &Member) -> String {
    let mut said = String::new();
    said.push_str(match member.access {
        Access::Public => "",
        Access::Protected => "protected ",
        Access::Private => "private ",
    });
    said.push_str(match member.kind {
        MemberKind::Event => "event ",
        MemberKind::Property | MemberKind::Method => "",
    });
    said.push_str(match member.writing {
        Writing::Allowed => "",
        Writing::Refused => "readonly ",
    });
    said
}

/// Whether `name` can stand in a type literal without quotes.
pub fn is_plain(name: &str) -> bool {
    if name == "new" {
        return false;
    }
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || matches!(c, '_' | '$' | '#'))
        && chars.all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
}
