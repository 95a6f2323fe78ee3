//! What a misuse is, and which kind of finding.

use super::given::Given;
use crate::base::{Name, Place};
use crate::corpus::Corpus;
use crate::corpus::noted::Declaration;
use crate::datagraph::Datagraph;
use crate::sources::script::ExprId;
use crate::sources::settings::levels::FindingKind;
use crate::types::Type;

/// Something that exists and is not used as it is declared.
#[derive(Debug, Clone, PartialEq)]
pub struct Misuse {
    /// Where the mark stands.
    pub place: Place,
    /// How wide the mark is, in UTF-16 units.
    pub width: u32,
    /// The member, name or key.
    pub member: Name,
    /// What stands left of the dot, as the code spells it; empty where nothing does.
    pub receiver: String,
    /// The receiver's type; empty where there is none.
    pub receiver_type: String,
    /// The apis that declare it, as `name version`.
    pub apis: Vec<String>,
    /// What is wrong with it.
    pub wrong: Wrong,
}

/// What is wrong with a use.
#[derive(Debug, Clone, PartialEq)]
pub enum Wrong {
    /// Its api calls it deprecated.
    Deprecated {
        /// What its documentation says of that, maybe nothing.
        says: Name,
        /// What that names instead.
        instead: Vec<Meant>,
    },
    /// It may only be read.
    ReadOnly,
    /// It takes another number of arguments.
    Arity {
        /// How many it is given.
        given: usize,
        /// How many it takes: from and to, sorted.
        takes: Vec<(usize, usize)>,
        /// How it is called.
        signatures: Vec<String>,
    },
    /// An argument is nothing that the parameter takes.
    ArgumentType {
        /// The parameter's name.
        parameter: Name,
        /// What it takes.
        takes: String,
        /// What it is given.
        given: Given,
    },
    /// The options of a call have no such key.
    OptionKey {
        /// What is called.
        call: Name,
        /// The type of the options, where it has a name.
        of: String,
        /// The keys that are most likely meant.
        instead: Vec<Meant>,
    },
    /// It cannot be called.
    NotCallable {
        /// What it is.
        is: String,
        /// Whether it can be constructed.
        by_new: ByNew,
    },
    /// A comment allows this and gives no reason.
    Unreasoned,
    /// A comment allows this, and there is nothing to allow.
    Unused,
}

/// Whether what cannot be called can be constructed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ByNew {
    /// With `new`.
    Yes,
    /// It cannot.
    No,
}

/// What is meant instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meant {
    /// Its name.
    pub name: Name,
    /// How it is called or what it is; maybe empty.
    pub signature: String,
}

impl Misuse {
    /// Which kind of finding it is.
    pub fn kind(&self) -> FindingKind {
        match self.wrong {
            Wrong::Deprecated { .. } => FindingKind::Deprecated,
            Wrong::ReadOnly => FindingKind::ReadOnly,
            Wrong::Arity { .. } => FindingKind::Arity,
            Wrong::ArgumentType { .. } => FindingKind::ArgumentType,
            Wrong::OptionKey { .. } => FindingKind::OptionKey,
            Wrong::NotCallable { .. } => FindingKind::Call,
            Wrong::Unreasoned | Wrong::Unused => FindingKind::Directive,
        }
    }

    /// Whether the project can make this right by declaring or setting the member itself.
    pub fn depends_on_project(&self) -> bool {
        match self.wrong {
            Wrong::Arity { .. }
            | Wrong::ArgumentType { .. }
            | Wrong::OptionKey { .. }
            | Wrong::NotCallable { .. } => true,
            Wrong::Deprecated { .. } | Wrong::ReadOnly | Wrong::Unreasoned | Wrong::Unused => false,
        }
    }
}

/// What a misuse is about.
pub(super) struct Subject<'s> {
    /// Its name.
    pub member: &'s Name,
    /// The member that is declared: of a key, what is called with it.
    pub of: &'s Name,
    /// What stands left of the dot.
    pub object: Option<ExprId>,
    /// The type of that.
    pub ty: &'s Type,
    /// What declares it.
    pub declared: &'s [Declaration],
}

/// The apis that declare what a misuse is about, as `name version`.
pub(super) fn apis(corpus: &Corpus, subject: &Subject<'_>) -> Vec<String> {
    let mut named = Vec::new();
    for owner in subject.declared.iter().filter_map(|d| d.owner.as_ref()) {
        let declares = |graph: &&Datagraph| {
            let interface = graph.interfaces.get(owner);
            interface.is_some_and(|i| i.shape.members.contains_key(subject.of))
        };
        named.extend(corpus.apis_of(owner).filter(declares).map(named_api));
    }
    named.sort();
    named.dedup();
    named
}

/// An api as `name version`.
pub fn named_api(graph: &Datagraph) -> String {
    match graph.version.is_empty() {
        true => graph.api.to_string(),
        false => format!("{} {}", graph.api, graph.version),
    }
}
