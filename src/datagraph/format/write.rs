//! A datagraph to JSON text, byte for byte the same every time.

use super::FORMAT;
use crate::datagraph::names::key_text;
use crate::datagraph::{Alias, Datagraph, Interface, InterfaceKind};
use crate::types::{Access, Member, MemberKind, Presence, Signature, Type, TypeParameter, Writing};
use std::fmt::{Display, Write};

/// `symbols.json`: what exists.
pub fn symbols(datagraph: &Datagraph) -> String {
    let mut parts = head(datagraph);
    let modules = datagraph.modules.iter().map(|(said, meant)| entry(said, &json(meant)));
    let names = datagraph.names.iter().map(|(said, meant)| entry(said, &json(meant)));
    let aliases = datagraph.aliases.iter().map(|(name, alias)| entry(name, &alias_text(alias)));
    let interfaces =
        datagraph.interfaces.iter().map(|(key, one)| entry(key_text(key), &interface_text(one)));
    parts.extend(block("modules", 2, modules.collect()));
    parts.extend(block("names", 2, names.collect()));
    parts.extend(block("aliases", 2, aliases.collect()));
    parts.extend(block("interfaces", 2, interfaces.collect()));
    document(&parts)
}

/// `provenance.json`: where it was read and what could not be.
pub fn provenance(datagraph: &Datagraph) -> String {
    let mut parts = head(datagraph);
    let sources = datagraph
        .sources
        .iter()
        .map(|s| format!("{{\"path\": {}, \"hash\": {}}}", json(&s.path), json(&s.hash)));
    let holes = datagraph
        .holes
        .iter()
        .map(|h| format!("{{\"at\": [{}, {}], \"what\": {}}}", h.source, h.line, json(&h.what)));
    parts.extend(list("sources", sources.collect()));
    parts.extend(list("holes", holes.collect()));
    document(&parts)
}

fn head(datagraph: &Datagraph) -> Vec<String> {
    vec![
        format!("\"format\": {FORMAT}"),
        entry("api", &json(&datagraph.api)),
        entry("version", &json(&datagraph.version)),
    ]
}

pub(super) fn document(parts: &[String]) -> String {
    format!("{{\n  {}\n}}\n", parts.join(",\n  "))
}

/// `"key": {` … `}` over several lines, the lines indented by two more than `indent`; nothing where there are none.
fn block(key: &str, indent: usize, lines: Vec<String>) -> Option<String> {
    bracketed(key, indent, lines, '{', '}')
}

pub(super) fn list(key: &str, lines: Vec<String>) -> Option<String> {
    bracketed(key, 2, lines, '[', ']')
}

fn bracketed(
    key: &str,
    indent: usize,
    lines: Vec<String>,
    open: char,
    close: char,
) -> Option<String> {
    if lines.is_empty() {
        return None;
    }
    let (outer, inner) = (" ".repeat(indent), " ".repeat(indent + 2));
    let joined = lines.join(&format!(",\n{inner}"));
    Some(format!("\"{key}\": {open}\n{inner}{joined}\n{outer}{close}"))
}

fn alias_text(alias: &Alias) -> String {
    let mut parts = Vec::new();
    parts.extend(texts("of", &alias.type_parameters));
    parts.push(entry("means", &json(&alias.means)));
    parts.push(at(alias.at));
    format!("{{{}}}", parts.join(", "))
}

fn interface_text(one: &Interface) -> String {
    let mut parts = vec![entry("kind", &json(kind_text(one.kind)))];
    parts.extend(texts::<TypeParameter>("of", &one.type_parameters));
    parts.extend(texts::<Type>("extends", &one.extends));
    parts.extend(one.exports.as_ref().map(|e| entry("exports", &json(e))));
    parts.extend(one.open.as_ref().map(|why| entry("open", &json(why))));
    parts.extend(one.deprecated.as_ref().map(|why| entry("deprecated", &json(why))));
    parts.push(at(one.at));
    parts.extend(texts::<Signature>("calls", &one.shape.calls));
    parts.extend(texts::<Signature>("constructs", &one.shape.constructs));
    let index = one.shape.index.iter().map(|(k, v)| format!("[{}, {}]", json(k), json(v)));
    let index: Vec<String> = index.collect();
    if !index.is_empty() {
        parts.push(format!("\"index\": [{}]", index.join(", ")));
    }
    let members = one.shape.members.iter().map(|(name, m)| entry(name, &member_text(m)));
    parts.extend(block("members", 6, members.collect()));
    format!("{{\n      {}\n    }}", parts.join(",\n      "))
}

/// How an interface's kind is written.
pub fn kind_text(kind: InterfaceKind) -> &'static str {
    match kind {
        InterfaceKind::Interface => "interface",
        InterfaceKind::Class => "class",
        InterfaceKind::Statics => "statics",
        InterfaceKind::Function => "function",
        InterfaceKind::Namespace => "namespace",
        InterfaceKind::Module => "module",
        InterfaceKind::Enum => "enum",
        InterfaceKind::Globals => "globals",
    }
}

fn member_text(member: &Member) -> String {
    let mut parts = Vec::new();
    match member.kind {
        // A method's type says nothing, and a member without a type is a method.
        MemberKind::Method if member.declared == Type::Void => {}
        MemberKind::Method => parts.push(entry("kind", "\"method\"")),
        MemberKind::Property => {}
        MemberKind::Event => parts.push(entry("kind", "\"event\"")),
    }
    if member.kind != MemberKind::Method || member.declared != Type::Void {
        parts.push(entry("type", &json(&member.declared)));
    }
    parts.extend(texts::<Signature>("calls", &member.signatures));
    match member.presence {
        Presence::Always => {}
        Presence::Maybe => parts.push("\"optional\": true".to_string()),
    }
    match member.writing {
        Writing::Allowed => {}
        Writing::Refused => parts.push("\"readonly\": true".to_string()),
    }
    match member.access {
        Access::Public => {}
        Access::Protected => parts.push(entry("access", "\"protected\"")),
        Access::Private => parts.push(entry("access", "\"private\"")),
    }
    parts.extend(member.deprecated.as_ref().map(|why| entry("deprecated", &json(why))));
    parts.push(at(member.at));
    format!("{{{}}}", parts.join(", "))
}

fn texts<T: Display>(key: &str, values: &[T]) -> Option<String> {
    let texts: Vec<String> = values.iter().map(json).collect();
    (!texts.is_empty()).then(|| format!("\"{key}\": [{}]", texts.join(", ")))
}

fn at((source, line): (u32, u32)) -> String {
    format!("\"at\": [{source}, {line}]")
}

pub(super) fn entry(key: impl Display, value: &str) -> String {
    format!("{}: {value}", json(key))
}

/// `value` as a JSON string.
pub(super) fn json(value: impl Display) -> String {
    let text = value.to_string();
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            // Characters that a reviewer would not see are spelt, so that none hides in a name.
            c if is_unseen(c) => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    write!(quoted, "\\u{unit:04x}").expect("writing to a string cannot fail");
                }
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}
