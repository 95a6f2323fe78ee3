//! Full names and keys as text: `Block`, `typeof Block`, `import("module").Block`; the global scope is
//! `typeof globalThis`.

use crate::datagraph::{Key, Side};
use crate::types::TypeName;

const GLOBALS: &str = "typeof globalThis";

/// A key as text.
pub fn key_text(key: &Key) -> String {
    match key.side {
        Side::Type => key.name.to_string(),
        Side::Value if *key == Key::globals() => GLOBALS.to_string(),
        Side::Value => format!("typeof {}", key.name),
    }
}

/// The key that `text` spells.
pub fn key_of(text: &str) -> Option<Key> {
    match text.strip_prefix("typeof ") {
        _ if text == GLOBALS => Some(Key::globals()),
        Some(name) => Some(Key::of_value(name_of(name)?)),
        None => Some(Key::of_type(name_of(text)?)),
    }
}

/// The full name that `text` spells.
pub fn name_of(text: &str) -> Option<TypeName> {
    let Some(quoted) = text.strip_prefix("import(\"") else {
        return Some(TypeName::global(text));
    };
    let mut module = String::new();
    let mut chars = quoted.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => {
                let rest = quoted[at + 1..].strip_prefix(')')?;
                let path = if rest.is_empty() { "" } else { rest.strip_prefix('.')? };
                return Some(TypeName::within(module, path));
            }
            '\\' => match chars.next()?.1 {
                'n' => module.push('\n'),
                'r' => module.push('\r'),
                other => module.push(other),
            },
            other => module.push(other),
        }
    }
    None
}
