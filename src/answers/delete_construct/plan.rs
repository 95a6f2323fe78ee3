//! What a deletion is asked for, and what it comes to.

use crate::base::Name;
use crate::corpus::Corpus;
use crate::datagraph::documentation::Construct;
use crate::sources::script::{BindingId, ExprId, StatementId};

/// What is to go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// What this line sets up.
    Line(u32),
    /// The variable of this name.
    Variable(Name),
    /// The variable of this name that this line names.
    Both(Name, u32),
}

/// What the deletion stands on beside the text.
#[derive(Clone, Copy)]
pub struct Known<'k> {
    /// What takes several calls to build.
    pub constructs: &'k [&'k Construct],
    /// The apis that hold.
    pub corpus: &'k Corpus,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Planned {
    /// What would go.
    Plan(Box<Plan>),
    /// Several variables may be meant: name and line of each.
    Several(Vec<(Name, u32)>),
    /// Nothing is meant that could go.
    Nothing(Nothing),
    /// Without these lines the text would mean something else, or be broken; none where only pieces of lines would go.
    Breaks(Vec<(u32, u32)>),
}

/// Why there is nothing to delete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Nothing {
    /// The text has fewer lines.
    NoLine {
        /// The line that was asked for.
        line: u32,
        /// How many there are.
        n_lines: u32,
    },
    /// The line names no variable of the text and opens or closes nothing.
    NoVariable(u32),
    /// The text declares no such variable; these are near.
    Undeclared {
        /// The name that was asked for.
        name: Name,
        /// Names that are declared.
        near: Vec<Name>,
    },
}

/// What goes, and what stays behind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// The variable; a construct may have none.
    pub variable: Option<Name>,
    /// Where it is declared; of a construct without a variable, where it is opened.
    pub declared: u32,
    /// The lines that go, from 1, as first and last of each stretch.
    pub lines: Vec<(u32, u32)>,
    /// The lines that lose a piece.
    pub shortened: Vec<u32>,
    /// Lines that stay though they have to do with it, and why; sorted.
    pub kept: Vec<(u32, Because)>,
    /// Openers whose closer was not found beside them: line, and the name of what would close it.
    pub unclosed: Vec<(u32, Name)>,
    /// Whether other files may use what goes.
    pub exported: bool,
    /// The change as a unified diff.
    pub patch: String,
    /// The text that is left.
    pub left: String,
}

impl Plan {
    /// How many lines go.
    pub fn n_lines(&self) -> u32 {
        self.lines.iter().map(|(first, last)| last - first + 1).sum()
    }

    /// What stays, by the lines of the text that is left.
    pub fn kept_after(&self) -> Vec<(u32, Because)> {
        let now = |line: u32| {
            let before = self.lines.iter().filter(|(_, last)| *last < line);
            line - before.map(|(first, last)| last - first + 1).sum::<u32>()
        };
        let because = |because: &Because| match because {
            Because::Declares(name, line) => Because::Declares(name.clone(), now(*line)),
            Because::Makes { made, line, gone } => {
                Because::Makes { made: made.clone(), line: now(*line), gone: gone.clone() }
            }
            Because::Belongs(_)
            | Because::Uses(_)
            | Because::Takes { .. }
            | Because::Returns(_)
            | Because::Shares(_)
            | Because::Leaves
            | Because::Module
            | Because::Body
            | Because::Torn
            | Because::Shortened
            | Because::Emptied
            | Because::Unused(_)
            | Because::Comment => because.clone(),
        };
        self.kept.iter().map(|(line, why)| (now(*line), because(why))).collect()
    }
}

/// Why a line stays.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Because {
    /// It belongs to something else that lives on.
    Belongs(Name),
    /// It declares a name that is used in a line that stays.
    Declares(Name, u32),
    /// It uses a variable that goes.
    Uses(Name),
    /// It belongs to something that lives on, and is given a variable that goes.
    Takes {
        /// What lives on.
        owner: Name,
        /// What goes.
        gone: Name,
    },
    /// It makes something that lives on out of a variable that goes.
    Makes {
        /// What lives on.
        made: Name,
        /// The line that uses it.
        line: u32,
        /// What goes.
        gone: Name,
    },
    /// It gives a variable that goes to whoever calls.
    Returns(Name),
    /// It declares the variable as a parameter, in a loop or beside others.
    Shares(Name),
    /// It leaves the function or loop.
    Leaves,
    /// It imports or exports.
    Module,
    /// It is all that its branch or loop does.
    Body,
    /// Its syntax does not hold.
    Torn,
    /// It loses a piece, and the rest is something else's.
    Shortened,
    /// It holds nothing any more.
    Emptied,
    /// It declares what nothing uses any more.
    Unused(Name),
    /// It is a comment right above what goes.
    Comment,
}

/// What was meant.
pub(super) enum Target {
    /// A variable.
    Variable(BindingId),
    /// A construct without one: the statement and the call that open it.
    Opener(StatementId, ExprId),
}
