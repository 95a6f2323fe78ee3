//! All of a variable, or of a construct, out of a text: which lines go, which stay and why, and the patch.
//!
//! Nothing is made up: what is left is the text without some of its pieces, never longer than before, and its syntax is
//! what it was. Nothing is written here; whoever asks has read the text and may write what is left.

mod tree;
mod pairs;
mod doom;
mod cutting;
mod remains;

use crate::base::{Name, Span};
use crate::corpus::Corpus;
use crate::datagraph::documentation::Construct;
use crate::sources::script::{
    BindingId, BindingKind, ExprId, ExpressionKind, Language, Script, StatementId, StatementKind,
    script,
};
use cutting::Cut;
use doom::{Doom, Sentence, doom};
use pairs::Pairs;
use std::collections::BTreeSet;
use tree::Tree;

/// How often variables that only serve what goes are looked for anew.
const MAX_ROUNDS: usize = 12;

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

/// Works out what goes with what is wanted out of `text`, the file at `path`.
pub fn plan(
    (path, text): (&str, &str),
    language: Language,
    known: Known<'_>,
    wanted: &Wanted,
) -> Planned {
    let script = script(text, language);
    let tree = Tree::of(&script, text);
    let pairs = Pairs::of(&tree, known.constructs, known.corpus);
    let target = match remains::target(&tree, &pairs, wanted) {
        Ok(target) => target,
        Err(otherwise) => return otherwise,
    };
    let (dead, doom) = spread(&tree, &pairs, &target);
    let spans = spans(&tree, &doom);
    let cut = Cut::of(text, &spans);
    let left = cut.left();
    if !holds(&tree, &doom, &left, language) {
        return Planned::Breaks(cut.gone());
    }
    let declared = match &target {
        Target::Variable(binding) => script.bindings[binding.idx()].span,
        Target::Opener(statement, _) => tree.statement(*statement).span,
    };
    let mut kept = remains::kept(&tree, &doom, &dead);
    kept.extend(cut.shortened().into_iter().filter_map(|line| {
        // The first line that stays may only have taken over the mark of the file's beginning.
        let is_cut = spans.iter().any(|s| (tree.line(s.start)..=tree.line(s.end)).contains(&line));
        is_cut.then_some((line, Because::Shortened))
    }));
    kept.sort();
    kept.dedup();
    Planned::Plan(Box::new(Plan {
        variable: match target {
            Target::Variable(binding) => Some(tree.name(binding)),
            Target::Opener(..) => None,
        },
        declared: tree.line(declared.start),
        lines: cut.gone(),
        shortened: cut.shortened(),
        kept,
        unclosed: doom
            .unclosed
            .iter()
            .map(|(id, name)| (tree.line(tree.statement(*id).span.start), name.clone()))
            .collect(),
        exported: remains::is_exported(&tree, &doom, &dead),
        patch: cut.patch(path),
        left,
    }))
}

/// The lines that declare a variable of this name.
pub fn declarations(text: &str, language: Language, name: &str) -> Vec<u32> {
    let script = script(text, language);
    let tree = Tree::of(&script, text);
    remains::named(&tree, name)
        .into_iter()
        .map(|b| tree.line(script.bindings[b.idx()].span.start))
        .collect()
}

/// What was meant.
enum Target {
    /// A variable.
    Variable(BindingId),
    /// A construct without one: the statement and the call that open it.
    Opener(StatementId, ExprId),
}

/// The variables that go with the target because they only serve it, and all that goes with them.
fn spread(tree: &Tree<'_>, pairs: &Pairs<'_>, target: &Target) -> (BTreeSet<BindingId>, Doom) {
    let (own, openers) = match target {
        Target::Variable(binding) => (BTreeSet::from([*binding]), Vec::new()),
        Target::Opener(statement, call) => (BTreeSet::new(), vec![(*statement, *call)]),
    };
    let mut refused = BTreeSet::new();
    for _ in 0..MAX_ROUNDS {
        let mut dead = own.clone();
        loop {
            let more = remains::servants(tree, &dead);
            let n_before = dead.len();
            dead.extend(more.into_iter().filter(|b| !refused.contains(b)));
            if dead.len() == n_before {
                break;
            }
        }
        let doom = doom(tree, pairs, &Sentence { dead: &dead, openers: &openers });
        let lives_on = |binding: &&BindingId| {
            let mut mentions = tree.mentions.get(binding).into_iter().flatten();
            !own.contains(binding) && mentions.any(|m| !doom.covers(tree, tree.span(*m)))
        };
        let living: Vec<BindingId> = dead.iter().filter(lives_on).copied().collect();
        if living.is_empty() {
            return (dead, doom);
        }
        refused.extend(living);
    }
    let doom = doom(tree, pairs, &Sentence { dead: &own, openers: &openers });
    (own, doom)
}

/// What is cut: statements with what lies between those that go, and declarators with a comma.
fn spans(tree: &Tree<'_>, doom: &Doom) -> Vec<Span> {
    let mut spans = Vec::new();
    for id in &doom.whole {
        let statement = tree.statement(*id);
        let is_inner = statement
            .within
            .is_some_and(|around| tree.outwards(around).any(|outer| doom.whole.contains(&outer)));
        if is_inner {
            continue;
        }
        let list = tree.list(*id);
        let next = list.iter().position(|s| s == id).and_then(|at| list.get(at + 1));
        let end = match next.filter(|next| doom.whole.contains(next)) {
            Some(next) => tree.statement(*next).span.start,
            None => statement.span.end,
        };
        spans.push(Span { start: statement.span.start, end: end.max(statement.span.end) });
    }
    for idx in &doom.declarators {
        spans.extend(remains::declarator(tree, doom, *idx));
    }
    spans
}

/// Whether what is left has the statements that stay, in their order, and no new broken syntax.
fn holds(tree: &Tree<'_>, doom: &Doom, left: &str, language: Language) -> bool {
    let stays = |id: &&StatementId| !tree.outwards(**id).any(|outer| doom.whole.contains(&outer));
    let kinds = |tree: &Tree<'_>,
                 all: &mut dyn Iterator<Item = &StatementId>|
     -> Vec<StatementKind> { all.map(|id| tree.statement(*id).kind).collect() };
    let before = kinds(tree, &mut tree.all().iter().filter(stays));
    let script: Script = script(left, language);
    let after = Tree::of(&script, left);
    let n_broken = |script: &Script| script.broken.len();
    before == kinds(&after, &mut after.all().iter()) && n_broken(&script) <= n_broken(tree.script)
}

#[cfg(test)]
mod tests;
