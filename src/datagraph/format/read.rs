//! JSON text to a datagraph. What was not written by [`write`](super::write) is damage and named; nothing is guessed.

use super::{FORMAT, FormatTrouble};
use crate::base::Name;
use crate::datagraph::names::{key_of, name_of};
use crate::datagraph::{Alias, Datagraph, Hole, Interface, InterfaceKind, Key, Source};
use crate::types::{
    Access, Member, MemberKind, Presence, Shape, Signature, Type, TypeName, TypeParameter, Writing,
    parse,
};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

type Text<'t> = Cow<'t, str>;

#[derive(Deserialize)]
struct FormatText {
    format: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SymbolsText<'t> {
    #[serde(rename = "format")]
    _format: u32,
    api: Name,
    version: Name,
    #[serde(default)]
    modules: BTreeMap<Name, Name>,
    #[serde(borrow, default)]
    names: BTreeMap<Text<'t>, Text<'t>>,
    #[serde(borrow, default)]
    aliases: BTreeMap<Text<'t>, AliasText<'t>>,
    #[serde(borrow, default)]
    interfaces: BTreeMap<Text<'t>, InterfaceText<'t>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AliasText<'t> {
    #[serde(borrow, default)]
    of: Vec<Text<'t>>,
    #[serde(borrow)]
    means: Text<'t>,
    at: (u32, u32),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InterfaceText<'t> {
    #[serde(borrow)]
    kind: Text<'t>,
    #[serde(borrow, default)]
    of: Vec<Text<'t>>,
    #[serde(borrow, default)]
    extends: Vec<Text<'t>>,
    #[serde(borrow, default)]
    exports: Option<Text<'t>>,
    #[serde(default)]
    open: Option<Name>,
    #[serde(default)]
    deprecated: Option<Name>,
    at: (u32, u32),
    #[serde(borrow, default)]
    calls: Vec<Text<'t>>,
    #[serde(borrow, default)]
    constructs: Vec<Text<'t>>,
    #[serde(borrow, default)]
    index: Vec<(Text<'t>, Text<'t>)>,
    #[serde(borrow, default)]
    members: BTreeMap<Name, MemberText<'t>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MemberText<'t> {
    #[serde(borrow, default)]
    kind: Option<Text<'t>>,
    #[serde(borrow, default, rename = "type")]
    declared: Option<Text<'t>>,
    #[serde(borrow, default)]
    calls: Vec<Text<'t>>,
    #[serde(default)]
    optional: bool,
    #[serde(default)]
    readonly: bool,
    #[serde(borrow, default)]
    access: Option<Text<'t>>,
    #[serde(default)]
    deprecated: Option<Name>,
    at: (u32, u32),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProvenanceText {
    #[serde(rename = "format")]
    _format: u32,
    api: Name,
    version: Name,
    #[serde(default)]
    sources: Vec<SourceText>,
    #[serde(default)]
    holes: Vec<HoleText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SourceText {
    path: Name,
    hash: Name,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HoleText {
    at: (u32, u32),
    what: Name,
}

/// The datagraph that `symbols.json` and `provenance.json` hold.
pub fn read(symbols: &str, provenance: &str) -> Result<Datagraph, FormatTrouble> {
    let said: SymbolsText<'_> = document(symbols)?;
    let from: ProvenanceText = document(provenance)?;
    if (&said.api, &said.version) != (&from.api, &from.version) {
        return Err(damaged("symbols.json and provenance.json are of different apis".to_string()));
    }
    let sources = from.sources.into_iter().map(|s| Source { path: s.path, hash: s.hash });
    let holes = from.holes.into_iter().map(|h| Hole { source: h.at.0, line: h.at.1, what: h.what });
    let mut datagraph = Datagraph {
        api: said.api,
        version: said.version,
        modules: said.modules,
        sources: sources.collect(),
        holes: holes.collect(),
        ..Datagraph::default()
    };
    for (name, meant) in &said.names {
        datagraph.names.insert(name_read(name)?, name_read(meant)?);
    }
    for (name, alias) in &said.aliases {
        datagraph.aliases.insert(name_read(name)?, alias_read(alias)?);
    }
    for (key, interface) in said.interfaces {
        let read: Key = key_of(&key).ok_or_else(|| damaged(format!("no name: {key}")))?;
        datagraph.interfaces.insert(read, interface_read(interface)?);
    }
    Ok(datagraph)
}

pub(super) fn document<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T, FormatTrouble> {
    let number: FormatText = serde_json::from_str(text).map_err(|why| damaged(why.to_string()))?;
    match number.format {
        FORMAT => serde_json::from_str(text).map_err(|why| damaged(why.to_string())),
        found => Err(FormatTrouble::Other { found }),
    }
}

pub(super) fn damaged(what: String) -> FormatTrouble {
    FormatTrouble::Damaged(what)
}

fn name_read(text: &str) -> Result<TypeName, FormatTrouble> {
    name_of(text).ok_or_else(|| damaged(format!("no name: {text}")))
}

fn alias_read(text: &AliasText<'_>) -> Result<Alias, FormatTrouble> {
    Ok(Alias {
        type_parameters: parameters_read(&text.of)?,
        means: parse::typescript(&text.means),
        at: text.at,
    })
}

fn interface_read(text: InterfaceText<'_>) -> Result<Interface, FormatTrouble> {
    let kind = kind_read(&text.kind)?;
    let mut members = BTreeMap::new();
    for (name, member) in text.members {
        members.insert(name, member_read(&member)?);
    }
    let index = text.index.iter().map(|(k, v)| (parse::typescript(k), parse::typescript(v)));
    Ok(Interface {
        kind,
        type_parameters: parameters_read(&text.of)?,
        extends: types_read(&text.extends),
        shape: Shape {
            members,
            calls: signatures_read(&text.calls)?,
            constructs: signatures_read(&text.constructs)?,
            index: index.collect(),
        },
        exports: text.exports.as_deref().map(parse::typescript),
        open: text.open,
        deprecated: text.deprecated,
        at: text.at,
    })
}

fn kind_read(text: &str) -> Result<InterfaceKind, FormatTrouble> {
    match text {
        "interface" => Ok(InterfaceKind::Interface),
        "class" => Ok(InterfaceKind::Class),
        "statics" => Ok(InterfaceKind::Statics),
        "function" => Ok(InterfaceKind::Function),
        "namespace" => Ok(InterfaceKind::Namespace),
        "module" => Ok(InterfaceKind::Module),
        "enum" => Ok(InterfaceKind::Enum),
        "globals" => Ok(InterfaceKind::Globals),
        other => Err(damaged(format!("no kind of interface: {other}"))),
    }
}

fn member_read(text: &MemberText<'_>) -> Result<Member, FormatTrouble> {
    let kind = match (text.kind.as_deref(), &text.declared) {
        (Some("event"), _) => MemberKind::Event,
        (Some("method"), _) | (None, None) => MemberKind::Method,
        (None, Some(_)) => MemberKind::Property,
        (Some(other), _) => return Err(damaged(format!("no kind of member: {other}"))),
    };
    let access = match text.access.as_deref() {
        None => Access::Public,
        Some("protected") => Access::Protected,
        Some("private") => Access::Private,
        Some(other) => return Err(damaged(format!("no access: {other}"))),
    };
    Ok(Member {
        kind,
        declared: text.declared.as_deref().map_or(Type::Void, parse::typescript),
        signatures: signatures_read(&text.calls)?,
        presence: if text.optional { Presence::Maybe } else { Presence::Always },
        writing: if text.readonly { Writing::Refused } else { Writing::Allowed },
        access,
        deprecated: text.deprecated.clone(),
        at: text.at,
    })
}

fn types_read(texts: &[Text<'_>]) -> Vec<Type> {
    texts.iter().map(|t| parse::typescript(t)).collect()
}

fn signatures_read(texts: &[Text<'_>]) -> Result<Vec<Signature>, FormatTrouble> {
    let read =
        |t: &Text<'_>| parse::signature(t).ok_or_else(|| damaged(format!("no signature: {t}")));
    texts.iter().map(read).collect()
}

fn parameters_read(texts: &[Text<'_>]) -> Result<Vec<TypeParameter>, FormatTrouble> {
    let read = |t: &Text<'_>| {
        parse::type_parameter(t).ok_or_else(|| damaged(format!("no type parameter: {t}")))
    };
    texts.iter().map(read).collect()
}
