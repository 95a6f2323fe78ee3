//! jQuery's dialect: XML, an `entry` a member (`jQuery.ajax`, `addClass`, `deferred.done`), several in a file where one name
//! means several things.
//!
//! A name without a dot belongs to what `jQuery()` gives; one behind `jQuery` to the name itself.

use super::draft::{Draft, export};
use super::entries::{MAX_PARAMETERS, any_call, class, parameter, put, subject, unknown, why};
use crate::datagraph::{InterfaceKind, Key};
use crate::sources::pages::Page;
use crate::sources::pages::node::Node;
use crate::types::{Arity, Member, MemberKind, Signature, Type, TypeName, Writing};
use std::sync::Arc;

/// The name that all members stand under.
const TOP: &str = "jQuery";

/// What is found in `page`.
pub fn draft(source: u32, page: &Page) -> Draft {
    let mut draft = Draft::default();
    let Some(root) = &page.root else { return draft };
    let inner = root.all("entries").flat_map(|list| list.all("entry"));
    for one in root.all("entry").chain(inner) {
        entry(source, one, &mut draft);
    }
    draft
}

fn entry(source: u32, entry: &Node, draft: &mut Draft) {
    let (name, kind) = (entry.said("@name"), entry.said("@type"));
    let is_member = ["method", "property", "event"].contains(&kind);
    if name.is_empty() || !is_member {
        return;
    }
    let at = (source, entry.line);
    let of = TypeName::global(TOP);
    let value = Key::of_value(of.clone());
    if !draft.interfaces.contains_key(&value) {
        class(draft, &of, at);
        // It also has what its plugins and its own parts need, of which the pages only speak.
        draft.interface(value.clone(), InterfaceKind::Statics, at).open =
            Some("it also has what is only spoken of".into());
        draft.exports.insert("$".into(), export(Type::Typeof(Arc::new(of.clone())), at));
    }
    let signatures: Vec<Signature> =
        entry.all("signature").map(|one| signature(entry, one)).collect();
    if name == TOP {
        draft.interface(value, InterfaceKind::Statics, at).shape.calls.extend(signatures);
        return;
    }
    let (key, name) = owner(name, draft, at);
    let mut member = match kind {
        "property" => {
            let said = entry.said("@return");
            Member { writing: Writing::Allowed, ..Member::property(given(said)) }
        }
        // How an event is listened to is a method too; a name for `on` is not one of `$()`.
        _ if signatures.is_empty() => Member::method(vec![any_call()]),
        _ => Member::method(signatures),
    };
    if kind == "event" {
        member.kind = MemberKind::Event;
    }
    member.at = at;
    member.deprecated = why(entry.said("@deprecated")).map(|since| format!("since {since}").into());
    put(draft, &key, name, member);
}

/// Whose member a name is.
fn owner<'n>(name: &'n str, draft: &mut Draft, at: (u32, u32)) -> (Key, &'n str) {
    let Some((owner, member)) = name.rsplit_once('.') else {
        return (Key::of_type(TypeName::global(TOP)), name);
    };
    match owner {
        "jQuery" | "$" => (Key::of_value(TypeName::global(TOP)), member),
        "jQuery.fn" | "$.fn" => (Key::of_type(TypeName::global(TOP)), member),
        _ if owner.starts_with("jQuery.") => {
            let of = TypeName::global(owner);
            if !draft.interfaces.contains_key(&Key::of_value(of.clone())) {
                let one = draft.interface(Key::of_value(of.clone()), InterfaceKind::Namespace, at);
                one.open = Some("no page lists all that it holds".into());
            }
            (Key::of_value(of), member)
        }
        _ => {
            let of = TypeName::global(type_name(owner));
            let one = subject(draft, &of, InterfaceKind::Interface, at);
            // What an event has beside these is the browser's.
            one.open =
                (owner == "event").then(|| "it also has what the browser's event has".into());
            (Key::of_type(of), member)
        }
    }
}

/// `jQuery.Deferred` for `deferred`.
fn type_name(owner: &str) -> String {
    let mut letters = owner.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    match owner.starts_with("jq") {
        true => format!("{TOP}.{owner}"),
        false => format!("{TOP}.{first}{}", letters.as_str()),
    }
}

fn signature(entry: &Node, one: &Node) -> Signature {
    let mut parameters = Vec::new();
    for argument in one.all("argument").take(MAX_PARAMETERS) {
        let name = argument.said("@name");
        let is_rest = argument.said("@rest") == "true"
            || name.starts_with("...")
            || parameters.last().is_some_and(|last: &crate::types::Parameter| last.name == name);
        let arity = match (is_rest, argument.said("@optional")) {
            (true, _) => Arity::Rest,
            (false, "true") => Arity::Optional,
            (false, _) => Arity::Required,
        };
        let declared = match arity {
            Arity::Rest => Type::Array(Arc::new(Type::Any)),
            Arity::Required | Arity::Optional => taken(argument.said("@type")),
        };
        parameters.push(parameter(name.trim_start_matches("..."), declared, arity));
    }
    let said =
        if one.said("@return").is_empty() { entry.said("@return") } else { one.said("@return") };
    Signature { parameters, returns: given(said), ..Signature::default() }
}

/// What an argument may be. Most words for it stand for what no type spells.
fn taken(said: &str) -> Type {
    match said {
        "Boolean" => Type::Boolean,
        "Number" | "Integer" => Type::Number,
        _ => unknown(),
    }
}

/// What a word for a result means.
fn given(said: &str) -> Type {
    match said {
        "" => unknown(),
        "String" | "htmlString" => Type::String,
        "Boolean" => Type::Boolean,
        "Number" | "Integer" => Type::Number,
        "undefined" => Type::Void,
        "jQuery" => Type::named(TypeName::global(TOP)),
        "Deferred" | "Callbacks" | "Event" => {
            Type::named(TypeName::global(format!("{TOP}.{said}")))
        }
        "Array" => Type::Array(Arc::new(Type::Any)),
        "Element" => Type::named(TypeName::global("Element")),
        _ => unknown(),
    }
}
