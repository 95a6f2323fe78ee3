//! What an api's sources say, beside what exists: the pieces that are quoted, how things are built, and goal words.
//!
//! It is kept apart from the symbols, since only questions to the documentation need it. Every symbol that is named here
//! stands in the datagraph: what is not in the index is never named.

pub mod places;
pub mod prose;
pub mod meanings;
pub mod usage;
pub mod rendered;
pub mod chunks;
pub mod opposites;
pub mod examples;
pub mod meaning;
pub mod pairs;
pub mod evidence;
pub mod givers;
pub mod constructs;
pub mod comments;
pub mod declared;
pub mod links;
pub mod topics;
pub mod mining;
#[cfg(test)]
mod tests;

pub use mining::of;

use super::names::key_text;
use super::{Datagraph, Key};
use crate::base::Name;
use crate::sources::pages::Page;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// A source whose text is read.
#[derive(Debug, Clone)]
pub struct SourceText {
    /// Index into the datagraph's sources.
    pub source: u32,
    /// Its text; where bytes were no UTF-8, with replacements.
    pub text: Arc<str>,
    /// What it is.
    pub kind: SourceKind,
}

/// What a source is.
#[derive(Debug, Clone)]
pub enum SourceKind {
    /// A page, read from this very text.
    Page(Page),
    /// The text of declarations.
    Declarations,
}

/// What was read in the sources of one api.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Documentation {
    /// The pieces that are indexed and quoted, in the order of the sources and then of their lines.
    pub chunks: Vec<Chunk>,
    /// What takes several calls to build.
    pub constructs: Vec<Construct>,
    /// Goal words that lead to symbols.
    pub topics: Vec<Topic>,
}

/// Something that exists: an interface, or a member of one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Symbol {
    /// The interface; for a global name, the global scope.
    pub owner: Key,
    /// The member; none where the interface itself is meant.
    pub member: Option<Name>,
}

impl Symbol {
    /// An interface.
    pub fn interface(owner: Key) -> Symbol {
        Symbol { owner, member: None }
    }

    /// A member of an interface.
    pub fn member(owner: Key, member: impl Into<Name>) -> Symbol {
        Symbol { owner, member: Some(member.into()) }
    }

    /// Whether `graph` has it.
    pub fn is_in(&self, graph: &Datagraph) -> bool {
        let Some(interface) = graph.interfaces.get(&self.owner) else {
            return self.member.is_none() && graph.aliases.contains_key(&self.owner.name);
        };
        self.member.as_ref().is_none_or(|member| interface.shape.members.contains_key(member))
    }

    /// Whether it is a module, or the global scope, as a whole.
    pub fn is_module(&self) -> bool {
        self.member.is_none() && self.owner.name.path.is_empty()
    }

    /// Its spelling in a datagraph's text: the owner as [`key_text`] spells it, then the member.
    pub fn spelt(&self) -> (String, Option<&str>) {
        (key_text(&self.owner), self.member.as_deref())
    }
}

/// As code and answers spell it: `Layout.makeTable`, `Block`, `layout`.
impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = &self.owner.name.path;
        let owner = if path.is_empty() { &self.owner.name.module } else { path };
        match (&self.member, owner.is_empty()) {
            (Some(member), true) => f.write_str(member),
            (Some(member), false) => write!(f, "{owner}.{member}"),
            (None, true) => f.write_str("globalThis"),
            (None, false) => f.write_str(owner),
        }
    }
}

/// A piece of documentation: a whole section of a page or a whole part of one, or a declaration with its comment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// The titles that lead to it, outermost first, its own last.
    pub headings: Vec<String>,
    /// What it documents.
    pub symbols: Vec<Symbol>,
    /// Index into the datagraph's sources.
    pub source: u32,
    /// Its first line, from 1.
    pub line: u32,
    /// Its last line.
    pub last_line: u32,
    /// Its first sentences, without what only says a type: what it is about, in one line.
    pub summary: String,
    /// Its text, as it stands in the source.
    pub text: String,
}

impl Chunk {
    /// What it says of `symbol` in a line or two: the bullet that describes it, where it has one, else its summary.
    pub fn says_of(&self, symbol: &Symbol) -> String {
        let Some(member) = &symbol.member else { return self.summary.clone() };
        let bullet = self.text.lines().find_map(|line| {
            let item = line.trim_start().strip_prefix(['*', '-', '+'])?.trim_start();
            let named = item.strip_prefix('`')?.strip_prefix(member.as_str())?;
            named.starts_with(['`', '?', '(']).then_some(item)
        });
        bullet.map_or_else(|| self.summary.clone(), prose::plain_line)
    }
}

/// Something that takes several calls to build.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Construct {
    /// The words that its calls share, as a name: `table` of `tableStart` and `tableEnd`; the opener's name where they
    /// share none.
    pub name: Name,
    /// What gives the thing that is opened, or that is handed to the opener.
    pub declared_by: Vec<Symbol>,
    /// The call that opens it.
    pub opened_by: Symbol,
    /// What stands between two parts of it (`sectionBody`).
    pub middle: Vec<Symbol>,
    /// The call that closes it.
    pub closed_by: Symbol,
    /// What is called between opening and closing.
    pub contains: Vec<Symbol>,
    /// All of its calls in the order in which an example makes them.
    pub order: Vec<Symbol>,
    /// How well it is shown.
    pub evidence: Evidence,
    /// A whole documented example: index into the chunks.
    pub example: Option<u32>,
}

/// How well a construct is shown by the documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Evidence {
    /// The documentation says that it has to be closed, names the other half, or an example shows both.
    Strong,
    /// Only the names say it.
    Weak,
    /// Opposite actions, which need not be paired: `show` and `hide`.
    Inverse,
}

/// Goal words that lead to symbols.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Topic {
    /// The words, as the documentation has them.
    pub words: String,
    /// Where they stand.
    pub kind: TopicKind,
    /// What they lead to, at most four.
    pub symbols: Vec<Symbol>,
    /// Index into the datagraph's sources, and line from 1.
    pub at: (u32, u32),
}

/// Where goal words stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TopicKind {
    /// A sentence that links to the symbols or names them as code.
    Sentence,
    /// A heading, above what names the symbols.
    Heading,
    /// A comment in an example, above the calls.
    Comment,
}
