//! What tests say about the things they name: read once for a whole script.

use crate::base::Name;
use crate::sources::script::{Argument, ExprId, ExpressionKind, Script};
use std::collections::HashMap;
use std::fmt::Write;

/// How deep a thing's name and a test's parts are followed.
const MAX_DEPTH: u32 = 12;

/// What a test says about a thing.
#[derive(Debug, Clone, Copy)]
pub(super) enum Said {
    /// It is an instance of what this expression names.
    Instance(ExprId),
    /// It is of this primitive type: where the test holds, or where it fails.
    Primitive(Primitive, Outcome),
    /// Something that is not followed.
    Something,
}

/// What `typeof` can tell of a value that has members worth asking for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Primitive {
    /// `"string"`.
    Text,
    /// `"number"`.
    Number,
}

/// How a test comes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It holds.
    Holds,
    /// It fails.
    Fails,
}

/// By a thing's name: the guards that speak of it, as index into the script's, and what they say.
pub(super) type Tests = HashMap<Name, Vec<(u32, Said)>>;

/// Reads every guard of a script.
pub(super) fn tests_of(script: &Script) -> Tests {
    let mut tests = Tests::new();
    for (i, guard) in script.guards.iter().enumerate() {
        let mut said = Vec::new();
        hear(script, guard.test, 0, &mut said);
        for (thing, what) in said {
            tests.entry(thing).or_default().push((crate::base::to_u32(i), what));
        }
    }
    tests
}

/// The name of a thing that can be tested and used again: a variable, `this`, or members of one.
pub(super) fn thing(script: &Script, id: ExprId) -> Option<Name> {
    let mut name = String::new();
    spell(script, id, 0, &mut name)?;
    Some(name.into())
}

fn spell(script: &Script, id: ExprId, depth: u32, name: &mut String) -> Option<()> {
    if depth > MAX_DEPTH {
        return None;
    }
    match &script.expressions[id.idx()].kind {
        ExpressionKind::Name(plain, binding) => {
            name.push_str(plain);
            if let Some(binding) = binding {
                let _ = write!(name, "#{}", binding.0);
            }
        }
        ExpressionKind::This => name.push_str("this"),
        ExpressionKind::Member { object, name: member, .. } => {
            spell(script, *object, depth + 1, name)?;
            let _ = write!(name, ".{member}");
        }
        ExpressionKind::Assign(_, Some(target), _) => spell(script, *target, depth + 1, name)?,
        _ => return None,
    }
    Some(())
}

/// What a test says: instances, predicates by their name (`isX(thing)`), `typeof thing`.
fn hear(script: &Script, test: ExprId, depth: u32, said: &mut Vec<(Name, Said)>) {
    if depth > MAX_DEPTH {
        return;
    }
    match &script.expressions[test.idx()].kind {
        ExpressionKind::Binary(operator, left, right) if operator == "instanceof" => {
            said.extend(thing(script, *left).map(|t| (t, Said::Instance(*right))));
        }
        ExpressionKind::Binary(operator, left, right) => {
            for (side, other) in [(left, right), (right, left)] {
                if let ExpressionKind::Unary(of, inner) = &script.expressions[side.idx()].kind
                    && of == "typeof"
                {
                    let what = compared(script, operator, *other);
                    said.extend(thing(script, *inner).map(|t| (t, what)));
                }
            }
        }
        ExpressionKind::Logical(operator, left, right) => {
            let from = said.len();
            hear(script, *left, depth + 1, said);
            hear(script, *right, depth + 1, said);
            // Of `a && b` both hold where it holds; of `a || b` both fail where it fails.
            let sure = if operator == "&&" { Outcome::Holds } else { Outcome::Fails };
            for (_, what) in &mut said[from..] {
                match what {
                    Said::Instance(_) if sure == Outcome::Holds => {}
                    Said::Primitive(_, outcome) if *outcome == sure => {}
                    _ => *what = Said::Something,
                }
            }
        }
        ExpressionKind::Unary(operator, inner) if operator == "!" => {
            let from = said.len();
            hear(script, *inner, depth + 1, said);
            for (_, what) in &mut said[from..] {
                *what = match *what {
                    Said::Primitive(primitive, Outcome::Holds) => {
                        Said::Primitive(primitive, Outcome::Fails)
                    }
                    Said::Primitive(primitive, Outcome::Fails) => {
                        Said::Primitive(primitive, Outcome::Holds)
                    }
                    Said::Instance(_) | Said::Something => Said::Something,
                };
            }
        }
        ExpressionKind::Call(call) => {
            let callee = match &script.expressions[call.callee.idx()].kind {
                ExpressionKind::Name(name, _) | ExpressionKind::Member { name, .. } => name,
                _ => return,
            };
            if callee.starts_with("is") || callee.starts_with("has") {
                for argument in &call.arguments {
                    if let Argument::One(one) = argument {
                        said.extend(thing(script, *one).map(|t| (t, Said::Something)));
                    }
                }
            }
        }
        _ => {}
    }
}

/// What `typeof thing <operator> other` says.
fn compared(script: &Script, operator: &str, other: ExprId) -> Said {
    let ExpressionKind::Text(text) = &script.expressions[other.idx()].kind else {
        return Said::Something;
    };
    let primitive = match text.as_str() {
        "string" => Primitive::Text,
        "number" => Primitive::Number,
        _ => return Said::Something,
    };
    match operator {
        "===" | "==" => Said::Primitive(primitive, Outcome::Holds),
        "!==" | "!=" => Said::Primitive(primitive, Outcome::Fails),
        _ => Said::Something,
    }
}
