//! `[check]`: the kinds of finding that `check_symbols` has, and how much each weighs in a project.

use std::collections::BTreeMap;

/// A kind of finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FindingKind {
    /// A member that the receiver's type does not have.
    Member,
    /// A name that nothing declares.
    Name,
    /// A name that the module does not export.
    Import,
    /// One of these three that exists in another case of letters.
    Case,
    /// Something that its api calls deprecated.
    Deprecated,
    /// A value for a member that may only be read.
    ReadOnly,
    /// Too few or too many arguments.
    Arity,
    /// An argument of a type that the parameter does not take.
    ArgumentType,
    /// A key that the options of a call do not have.
    OptionKey,
    /// A call of something that cannot be called.
    Call,
    /// A comment that allows nothing, or gives no reason.
    Directive,
}

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// It is not told.
    Off,
    /// It is told.
    Warn,
    /// It is told, and the check fails by it.
    Gate,
}

impl FindingKind {
    /// All, in the order in which they are told of.
    pub const ALL: [FindingKind; 11] = [
        FindingKind::Member,
        FindingKind::Name,
        FindingKind::Import,
        FindingKind::Case,
        FindingKind::Deprecated,
        FindingKind::ReadOnly,
        FindingKind::Arity,
        FindingKind::ArgumentType,
        FindingKind::OptionKey,
        FindingKind::Call,
        FindingKind::Directive,
    ];

    /// How settings and answers name it.
    pub fn name(self) -> &'static str {
        match self {
            FindingKind::Member => "member",
            FindingKind::Name => "name",
            FindingKind::Import => "import",
            FindingKind::Case => "case",
            FindingKind::Deprecated => "deprecated",
            FindingKind::ReadOnly => "read-only",
            FindingKind::Arity => "arity",
            FindingKind::ArgumentType => "argument-type",
            FindingKind::OptionKey => "option-key",
            FindingKind::Call => "call",
            FindingKind::Directive => "directive",
        }
    }

    /// The kind of that name.
    pub fn of_name(name: &str) -> Option<FindingKind> {
        FindingKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// What it weighs where nothing is said: what does not exist gates.
    pub fn usual(self) -> Level {
        match self {
            FindingKind::Member | FindingKind::Name | FindingKind::Import | FindingKind::Case => {
                Level::Gate
            }
            FindingKind::Deprecated
            | FindingKind::ReadOnly
            | FindingKind::Arity
            | FindingKind::ArgumentType
            | FindingKind::OptionKey
            | FindingKind::Call
            | FindingKind::Directive => Level::Warn,
        }
    }
}

impl Level {
    /// How settings name it.
    pub fn name(self) -> &'static str {
        match self {
            Level::Off => "off",
            Level::Warn => "warn",
            Level::Gate => "gate",
        }
    }

    /// The level of that name.
    pub fn of_name(name: &str) -> Option<Level> {
        [Level::Off, Level::Warn, Level::Gate].into_iter().find(|level| level.name() == name)
    }
}

/// What each kind weighs in a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Levels(BTreeMap<FindingKind, Level>);

impl Levels {
    /// What a kind weighs.
    pub fn of(&self, kind: FindingKind) -> Level {
        self.0.get(&kind).copied().unwrap_or_else(|| kind.usual())
    }

    /// Says what a kind weighs.
    pub fn say(&mut self, kind: FindingKind, level: Level) {
        self.0.insert(kind, level);
    }
}
