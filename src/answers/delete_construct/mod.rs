//! All of a variable, or of a construct, out of a text: which lines go, which stay and why, and the patch.
//!
//! Nothing is made up: what is left is the text without some of its pieces, never longer than before, and its syntax is
//! what it was. Nothing is written here; whoever asks has read the text and may write what is left.

mod plan;
mod tree;
mod pairs;
mod doom;
mod cutting;
mod loose;
mod remains;

pub use plan::{Because, Known, Nothing, Plan, Planned, Wanted};

use crate::base::Span;
use crate::sources::script::{BindingId, Language, Script, StatementId, StatementKind, script};
use cutting::Cut;
use doom::{Doom, Sentence, doom};
use pairs::Pairs;
use plan::Target;
use std::collections::BTreeSet;
use tree::Tree;

/// How often variables that only serve what goes are looked for anew.
const MAX_ROUNDS: usize = 12;

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
