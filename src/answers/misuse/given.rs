//! What an argument is, as far as the code shows it on the spot.

use crate::answers::infer::Inference;
use crate::base::Name;
use crate::sources::script::{ExprId, ExpressionKind, ObjectId, Script};
use crate::types::Type;

/// What an argument is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    /// This text.
    Text(Name),
    /// Some text.
    String,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// An array.
    Array,
    /// A function.
    Function,
    /// A regular expression.
    Regex,
    /// An object with these keys and maybe more.
    Object(Vec<Name>),
}

/// What an expression surely is.
pub(super) fn given(inference: &mut Inference<'_>, id: ExprId) -> Option<Given> {
    let script = inference.script;
    match &script.expressions[id.idx()].kind {
        ExpressionKind::Text(text) => Some(Given::Text(text.clone())),
        ExpressionKind::Template => Some(Given::String),
        ExpressionKind::Number(_) => Some(Given::Number),
        ExpressionKind::Truth(_) => Some(Given::Boolean),
        ExpressionKind::Array(_) => Some(Given::Array),
        ExpressionKind::Function(_) => Some(Given::Function),
        ExpressionKind::Regex => Some(Given::Regex),
        ExpressionKind::Object(object) => {
            let properties = &script.objects[object.idx()].properties;
            Some(Given::Object(properties.iter().map(|p| p.name.clone()).collect()))
        }
        _ => None,
    }
}

/// The object literal that an expression is.
pub(super) fn object(script: &Script, id: ExprId) -> Option<ObjectId> {
    match script.expressions[id.idx()].kind {
        ExpressionKind::Object(object) => Some(object),
        _ => None,
    }
}

/// A receiver as the code spells it, where that is short.
pub(super) fn in_short(text: &str) -> String {
    let is_short = text.chars().count() <= 48 && !text.contains(['\n', '\r']);
    if is_short && !text.starts_with(['"', '\'', '`', '[']) {
        text.to_string()
    } else {
        "…".into()
    }
}

/// A type as a person reads it; empty where it says nothing.
pub fn shown(ty: &Type) -> String {
    match ty {
        Type::Unknown | Type::Any | Type::Opaque(_) | Type::Own(_) => String::new(),
        Type::Typeof(name) if name.path.is_empty() && name.module.is_empty() => {
            "the global scope".to_string()
        }
        Type::Typeof(name) if name.path.is_empty() => format!("module {}", name.module),
        Type::Named(named) if named.name.path.is_empty() => named.name.module.to_string(),
        Type::Named(named) => named.name.path.to_string(),
        other => {
            let text = other.to_string();
            match text.char_indices().nth(120) {
                Some((cut, _)) => format!("{}…", &text[..cut]),
                None => text,
            }
        }
    }
}
