//! Which symbols the code of an example uses, line by line, and what its comments say.
//!
//! It is read as a stream of names: what is assigned from `new X` or from a call has that type from there on. Nothing is
//! parsed, so that half an example, or one in another language, costs nothing but its length.

use super::Symbol;
use super::meanings::{Found, Meanings};
use crate::base::to_u32;
use crate::datagraph::Key;
use crate::types::{Member, MemberKind};
use std::collections::{BTreeMap, BTreeSet};

/// The longest code that is read, in bytes.
const MAX_CODE: usize = 64 * 1024;

/// What hosts have, so that a member of it is no member of the api.
const FOREIGN: &[&str] = &["console", "document", "globalThis", "navigator", "self", "window"];

/// What an example holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The symbols that are used, with their lines from 0, in the order of the code.
    pub used: Vec<(u32, Symbol)>,
    /// The comments that have lines of their own, with their first and last line.
    pub comments: Vec<(u32, u32, String)>,
    /// How many lines of code stand on each line: 0 or 1.
    pub has_code: Vec<bool>,
}

/// What `code` uses; `near` are the interfaces that the text around it is about.
pub fn usage(code: &str, meanings: &Meanings<'_>, near: &BTreeSet<Key>) -> Usage {
    let code = &code[..code.floor_char_boundary(MAX_CODE)];
    let mut usage = Usage::default();
    let clean = cleaned(code, &mut usage.comments);
    usage.has_code = clean.lines().map(|line| !line.trim().is_empty()).collect();
    let pairs = pairs(clean.as_bytes());
    let reader =
        Reader { code, clean: clean.as_bytes(), pairs, meanings, near, types: BTreeMap::new() };
    usage.used = reader.read(&clean);
    usage
}

/// The symbol that a piece of inline code names, as a call, a path or a title.
pub fn named(code: &str, meanings: &Meanings<'_>, near: &BTreeSet<Key>) -> Vec<Symbol> {
    let code = code.trim().trim_end_matches(['.', ';', ',']);
    if code.is_empty() || code.len() > 200 {
        return Vec::new();
    }
    if let Some((owner, member)) = code.split_once('-')
        && let Some(found) = meanings.member_of_type(owner, member.trim_end_matches("()"))
    {
        return vec![found.symbol()];
    }
    let head = code.split(['(', '<']).next().unwrap_or(code);
    let (head, is_new) = match head.strip_prefix("new ") {
        Some(rest) => (rest.trim(), true),
        None => (head.trim(), false),
    };
    let names: Vec<&str> = head.split(['.', '#']).collect();
    if names.iter().any(|name| !is_identifier(name)) {
        let event = meanings.close(code.trim_matches('\''), near);
        let event = event.filter(|found| found.member.kind == MemberKind::Event);
        return event.map(|found| found.symbol()).into_iter().collect();
    }
    match names[..] {
        [name] if is_new => meanings.type_named(name).into_iter().collect(),
        [name] if name.starts_with(char::is_uppercase) => {
            meanings.type_named(name).into_iter().collect()
        }
        [name] => {
            in_scope(name, meanings).or_else(|| meanings.bare(name, near)).into_iter().collect()
        }
        [.., owner, member] => {
            let symbol = meanings.type_named(head);
            if let Some(symbol) =
                symbol.or_else(|| dotted(owner, member, meanings).map(|found| found.symbol()))
            {
                return vec![symbol];
            }
            of_instance(owner, member, meanings, near)
        }
        [] => Vec::new(),
    }
}

/// A global function, or the interface of a global object.
fn in_scope(name: &str, meanings: &Meanings<'_>) -> Option<Symbol> {
    let found = meanings.in_scope(name)?;
    match found.member.kind {
        MemberKind::Method => Some(found.symbol()),
        MemberKind::Property | MemberKind::Event => {
            meanings.key_of(&found.member.declared).map(Symbol::interface)
        }
    }
}

/// The member of something whose type is not known: by what titles call so, else by its name alone.
fn of_instance(
    owner: &str,
    member: &str,
    meanings: &Meanings<'_>,
    near: &BTreeSet<Key>,
) -> Vec<Symbol> {
    let found = meanings.member_of_instance(owner, member, near);
    if !found.is_empty() || FOREIGN.contains(&owner) || owner.starts_with(char::is_uppercase) {
        return found;
    }
    meanings.bare(member, near).into_iter().collect()
}

fn dotted<'g>(owner: &str, member: &str, meanings: &Meanings<'g>) -> Option<Found<'g>> {
    let of_type = meanings.member_of_type(owner, member);
    of_type.or_else(|| meanings.member(&meanings.receiver(owner)?, member))
}

/// `code` with its comments and texts blanked; comments on lines of their own are put into `comments`.
fn cleaned(code: &str, comments: &mut Vec<(u32, u32, String)>) -> String {
    let mut clean = String::with_capacity(code.len());
    let mut block = false;
    for (idx, line) in code.split_inclusive('\n').enumerate() {
        let said = line.trim();
        if !block && said.starts_with("//") {
            let text = said.trim_start_matches('/').trim();
            let at = to_u32(idx);
            match comments.last_mut().filter(|(_, last, _)| last + 1 == at) {
                Some((_, last, whole)) => {
                    *last = at;
                    whole.push(' ');
                    whole.push_str(text);
                }
                None => comments.push((at, at, text.to_string())),
            }
            blank(line, &mut clean);
            continue;
        }
        clean_line(line, &mut block, &mut clean);
    }
    clean
}

/// As many blanks as `text` has bytes; the end of a line stays.
fn blank(text: &str, clean: &mut String) {
    clean.extend(text.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
}

fn clean_line(line: &str, block: &mut bool, clean: &mut String) {
    let mut rest = line;
    while !rest.is_empty() {
        if *block {
            let end = rest.find("*/").map_or(rest.len(), |at| at + 2);
            *block = !rest[..end].ends_with("*/");
            blank(&rest[..end], clean);
            rest = &rest[end..];
            continue;
        }
        let Some(at) = rest.find(['"', '\'', '`', '/']) else {
            push_ascii(rest, clean);
            return;
        };
        push_ascii(&rest[..at], clean);
        let here = &rest[at..];
        let end = if here.starts_with("//") {
            here.len()
        } else if here.starts_with("/*") {
            *block = true;
            2
        } else if here.starts_with('/') {
            1
        } else {
            let quote = &here[..1];
            here[1..].find(quote).map_or(here.len(), |end| end + 2)
        };
        blank(&here[..end], clean);
        rest = &here[end..];
    }
}

/// `text` with a blank for each byte of what is not ASCII, so that places stay what they are.
fn push_ascii(text: &str, clean: &mut String) {
    clean.extend(text.bytes().map(|b| if b.is_ascii() { char::from(b) } else { ' ' }));
}

/// For each opening parenthesis, where its closing one is.
fn pairs(code: &[u8]) -> BTreeMap<usize, usize> {
    let (mut open, mut found) = (Vec::new(), BTreeMap::new());
    for (at, byte) in code.iter().enumerate() {
        match byte {
            b'(' => open.push(at),
            b')' => {
                if let Some(begun) = open.pop() {
                    found.insert(begun, at);
                }
            }
            _ => {}
        }
    }
    found
}

struct Reader<'r, 'g> {
    /// The code as it stands.
    code: &'r str,
    /// The code without comments and texts; the same length.
    clean: &'r [u8],
    pairs: BTreeMap<usize, usize>,
    meanings: &'r Meanings<'g>,
    near: &'r BTreeSet<Key>,
    /// What variables hold.
    types: BTreeMap<String, Option<Key>>,
}

/// A name of a chain, and where its call's parenthesis opens.
struct Link {
    name: String,
    call: Option<usize>,
}

impl Reader<'_, '_> {
    fn read(mut self, clean: &str) -> Vec<(u32, Symbol)> {
        let mut found: Vec<(u32, Symbol)> = Vec::new();
        let mut line = 0;
        let mut at = 0;
        let mut assigned: Option<String> = None;
        let mut before = String::new();
        while at < self.clean.len() {
            let byte = self.clean[at];
            if byte == b'\n' {
                line += 1;
            }
            if !is_letter(byte) || (at > 0 && continues(self.clean[at - 1])) {
                if b";{[".contains(&byte) {
                    assigned = None;
                }
                at += 1;
                continue;
            }
            let end = self.name_end(at);
            let name = clean.get(at..end).unwrap_or("").to_string();
            if ["const", "let", "var", "await", "new", "return", "function", "async"]
                .contains(&name.as_str())
            {
                before = name;
                at = end;
                continue;
            }
            let chain = self.chain(name, end);
            if chain.len() == 1 && chain[0].call.is_none() && self.is_assigned(end) {
                assigned = Some(chain[0].name.clone());
            } else {
                let (symbols, gives) = self.meaning(&chain, before == "new");
                if let Some(name) = assigned.take() {
                    self.types.insert(name, gives);
                }
                found.extend(symbols.into_iter().map(|symbol| (line, symbol)));
            }
            before.clear();
            at = end;
        }
        found
    }

    fn name_end(&self, at: usize) -> usize {
        let len = self.clean[at..].iter().position(|b| !is_letter(*b) && !b.is_ascii_digit());
        at + len.unwrap_or(self.clean.len() - at)
    }

    /// Whether a single `=` follows.
    fn is_assigned(&self, at: usize) -> bool {
        let rest = self.clean[at..].trim_ascii_start();
        rest.starts_with(b"=") && !rest.starts_with(b"==") && !rest.starts_with(b"=>")
    }

    /// The names that follow, joined by dots and calls.
    fn chain(&self, first: String, end: usize) -> Vec<Link> {
        let mut chain = vec![Link { name: first, call: None }];
        let mut at = end;
        loop {
            let Some(last) = chain.last_mut() else { return chain };
            if self.clean.get(at) == Some(&b'(') && last.call.is_none() {
                last.call = Some(at);
                let Some(close) = self.pairs.get(&at) else { return chain };
                at = close + 1;
                continue;
            }
            let rest = &self.clean[at.min(self.clean.len())..];
            let blanks = rest.len() - rest.trim_ascii_start().len();
            let rest = &rest[blanks..];
            let dot = if rest.starts_with(b"?.") { 2 } else { usize::from(rest.starts_with(b".")) };
            let start = at + blanks + dot;
            if dot == 0 || !self.clean.get(start).is_some_and(|b| is_letter(*b)) {
                return chain;
            }
            at = self.name_end(start);
            let name = String::from_utf8_lossy(&self.clean[start..at]).into_owned();
            chain.push(Link { name, call: None });
        }
    }

    /// What a chain uses last, and the interface of what it gives.
    fn meaning(&self, chain: &[Link], is_new: bool) -> (Vec<Symbol>, Option<Key>) {
        let Some((first, rest)) = chain.split_first() else { return (Vec::new(), None) };
        if is_new && rest.is_empty() {
            let symbol = self.meanings.type_named(&first.name);
            let key = symbol.as_ref().map(|symbol| symbol.owner.clone());
            return (symbol.into_iter().collect(), key);
        }
        let mut used: Vec<Symbol> = Vec::new();
        let mut key = match self.types.get(&first.name) {
            Some(known) => known.clone(),
            None => self.meanings.receiver(&first.name),
        };
        if first.call.is_some()
            && let Some(found) = self.meanings.in_scope(&first.name)
        {
            used = vec![found.symbol()];
            key = self.gives(found.member, first.call);
        }
        let is_type = !self.types.contains_key(&first.name)
            && first.name.starts_with(|c: char| c.is_ascii_uppercase());
        for (idx, link) in rest.iter().enumerate() {
            let of_type = (idx == 0 && is_type)
                .then(|| self.meanings.member_of_type(&first.name, &link.name))
                .flatten();
            let found = of_type.or_else(|| self.meanings.member(key.as_ref()?, &link.name));
            let Some(found) = found else {
                let before = if idx == 0 { first.name.as_str() } else { "" };
                if key.is_none() && link.call.is_some() {
                    used = of_instance(before, &link.name, self.meanings, self.near);
                }
                key = None;
                continue;
            };
            used = vec![self.event(&found, link).unwrap_or_else(|| found.symbol())];
            key = self.gives(found.member, link.call);
        }
        (used, key)
    }

    fn gives(&self, member: &Member, call: Option<usize>) -> Option<Key> {
        match (member.kind, call) {
            (MemberKind::Method, Some(_)) => {
                self.meanings.key_of(&member.signatures.first()?.returns)
            }
            (MemberKind::Property, None) => self.meanings.key_of(&member.declared),
            (MemberKind::Method | MemberKind::Property | MemberKind::Event, _) => None,
        }
    }

    /// The event that `win.on('close', …)` listens to.
    fn event(&self, found: &Found<'_>, link: &Link) -> Option<Symbol> {
        if !["on", "once", "addEventListener", "addListener"].contains(&link.name.as_str()) {
            return None;
        }
        let given = self.code.get(link.call? + 1..)?.trim_start();
        let quote = given.chars().next().filter(|c| ['"', '\''].contains(c))?;
        let (name, _) = given[1..].split_once(quote)?;
        let event = self.meanings.member(found.owner, name)?;
        (event.member.kind == MemberKind::Event).then(|| event.symbol())
    }
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$'
}

/// Whether a name behind this byte is no beginning of a chain.
fn continues(byte: u8) -> bool {
    is_letter(byte) || byte.is_ascii_digit() || byte == b'.'
}

fn is_identifier(name: &str) -> bool {
    let bytes = name.as_bytes();
    bytes.first().is_some_and(|b| is_letter(*b))
        && bytes.iter().all(|b| is_letter(*b) || b.is_ascii_digit())
}
