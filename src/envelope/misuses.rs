//! How a misuse is told: what is wrong in one sentence, and what to write.

use super::one_line;
use crate::answers::misuse::{ByNew, Given, Meant, Misuse, Wrong};
use crate::base::Name;
use serde_json::{Value, json};
use std::fmt::Write;

/// What is wrong, in one sentence without a stop.
pub fn message(misuse: &Misuse) -> String {
    let member = &misuse.member;
    let whole = match misuse.receiver_type.as_str() {
        "" => member.to_string(),
        ty if ty.contains([' ', '{', '|']) => member.to_string(),
        ty => format!("{ty}.{member}"),
    };
    let within = match misuse.apis.is_empty() {
        true => String::new(),
        false => format!(" in {}", misuse.apis.join(" and ")),
    };
    match &misuse.wrong {
        Wrong::Deprecated { says, .. } if says.is_empty() => {
            format!("{whole} is deprecated{within}")
        }
        Wrong::Deprecated { says, .. } => {
            format!("{whole} is deprecated{within}: {}", one_line(says))
        }
        Wrong::ReadOnly => format!("{whole} may only be read{within}"),
        Wrong::Arity { given, takes, .. } => {
            format!("{whole} takes {}{within}, not {given}", counts(takes))
        }
        Wrong::ArgumentType { parameter, takes, given } => {
            format!("{parameter} of {whole} takes {takes}, not {}", shown(given))
        }
        Wrong::OptionKey { call, of, .. } if of.is_empty() => {
            format!("{call} has no option {member}{within}")
        }
        Wrong::OptionKey { call, of, .. } => {
            format!("{call} has no option {member} ({of}){within}")
        }
        Wrong::NotCallable { is, by_new: ByNew::No } => {
            format!("{whole} is no function but {is}")
        }
        Wrong::NotCallable { by_new: ByNew::Yes, .. } => format!("{whole} is called without new"),
        Wrong::Unreasoned => {
            format!("groundline-allow {member} gives no reason, so it allows nothing")
        }
        Wrong::Unused => format!("groundline-allow {member} allows nothing here"),
    }
}

/// `1 argument`, `1 to 3 arguments`, `0 or 2 or more arguments`.
fn counts(takes: &[(usize, usize)]) -> String {
    let one = |(least, most): &(usize, usize)| match most {
        &usize::MAX => format!("{least} or more"),
        most if most == least => least.to_string(),
        most => format!("{least} to {most}"),
    };
    let listed: Vec<String> = takes.iter().map(one).collect();
    let noun = if matches!(takes, [(1, 1)]) { "argument" } else { "arguments" };
    format!("{} {noun}", listed.join(" or "))
}

/// What an argument is, as a noun.
fn shown(given: &Given) -> String {
    match given {
        Given::Text(text) if text.chars().count() <= 40 => format!("{text:?}"),
        Given::Text(_) | Given::String => "a string".to_owned(),
        Given::Number => "a number".to_owned(),
        Given::Boolean => "a boolean".to_owned(),
        Given::Array => "an array".to_owned(),
        Given::Function => "a function".to_owned(),
        Given::Regex => "a regular expression".to_owned(),
        Given::Object(keys) if keys.is_empty() || keys.len() > 4 => "an object".to_owned(),
        Given::Object(keys) => {
            let keys: Vec<&str> = keys.iter().map(Name::as_str).collect();
            format!("{{ {} }}", keys.join(", "))
        }
    }
}

/// The finding as an agent reads it.
pub(super) fn finding(misuse: &Misuse) -> String {
    let place = misuse.place.to_string();
    let said = match (&misuse.wrong, misuse.receiver.is_empty()) {
        (Wrong::OptionKey { .. }, _) => format!("{{ {} }}", misuse.member),
        (Wrong::Unreasoned | Wrong::Unused, _) => format!("groundline-allow {}", misuse.member),
        (_, true) => misuse.member.to_string(),
        (_, false) => format!("{}.{}", misuse.receiver, misuse.member),
    };
    let indent = " ".repeat(place.len() + 2);
    let mut text = format!("{place}  {said}   {}\n", message(misuse));
    for line in steps(misuse) {
        let _ = writeln!(text, "{indent}{line}");
    }
    text
}

/// What to do, a line each.
fn steps(misuse: &Misuse) -> Vec<String> {
    let member = &misuse.member;
    match &misuse.wrong {
        Wrong::Deprecated { instead, .. } => written(misuse, instead),
        Wrong::OptionKey { instead, .. } if instead.is_empty() => vec![format!("remove {member}")],
        Wrong::OptionKey { instead, .. } => written(misuse, instead),
        Wrong::ReadOnly => vec!["remove the assignment".to_owned()],
        Wrong::Arity { signatures, .. } => {
            signatures.iter().map(|s| format!("call  {member}{}", one_line(s))).collect()
        }
        Wrong::ArgumentType { .. } => Vec::new(),
        Wrong::NotCallable { by_new: ByNew::Yes, .. } => vec![format!("write  new {member}()")],
        Wrong::NotCallable { by_new: ByNew::No, .. } => {
            vec![format!("write  {}", spelt(misuse, member))]
        }
        Wrong::Unreasoned => vec![format!("write  groundline-allow {member}: why it is right")],
        Wrong::Unused => vec!["remove the comment".to_owned()],
    }
}

fn written(misuse: &Misuse, instead: &[Meant]) -> Vec<String> {
    let lines = instead.iter().enumerate().map(|(i, meant)| {
        let lead = if i == 0 { "write" } else { "or   " };
        format!("{lead}  {}   {}{}", spelt(misuse, &meant.name), meant.name, meant.signature)
    });
    lines.collect()
}

fn spelt(misuse: &Misuse, name: &Name) -> String {
    match misuse.receiver.is_empty() {
        true => name.to_string(),
        false => format!("{}.{name}", misuse.receiver),
    }
}

/// What is meant instead, as data.
pub(super) fn suggestions(misuse: &Misuse) -> Vec<Value> {
    match &misuse.wrong {
        Wrong::Deprecated { instead, .. } | Wrong::OptionKey { instead, .. } => instead
            .iter()
            .map(|meant| json!({ "symbol": meant.name, "signature": meant.signature }))
            .collect(),
        Wrong::Arity { signatures, .. } => signatures
            .iter()
            .map(|signature| json!({ "symbol": misuse.member, "signature": signature }))
            .collect(),
        Wrong::ReadOnly
        | Wrong::ArgumentType { .. }
        | Wrong::NotCallable { .. }
        | Wrong::Unreasoned
        | Wrong::Unused => Vec::new(),
    }
}
