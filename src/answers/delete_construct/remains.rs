//! What is meant by a line or a name, which variables only serve what goes, and what stays behind of it.

use super::doom::Doom;
use super::loose;
use super::pairs::Pairs;
use super::plan::{Because, Nothing, Planned, Target, Wanted};
use super::tree::{Root, Tree};
use crate::answers::suggest::{Candidate, suggest};
use crate::base::{Name, Span, to_u32};
use crate::sources::script::{
    BindingId, BindingKind, ExprId, ExpressionKind, Seat, StatementId, StatementKind,
};
use std::collections::{BTreeMap, BTreeSet};

/// What the caller means.
pub(super) fn target(
    tree: &Tree<'_>,
    pairs: &Pairs<'_>,
    wanted: &Wanted,
) -> Result<Target, Planned> {
    let several = |found: Vec<BindingId>| {
        let place = |id: &BindingId| {
            let binding = &tree.script.bindings[id.idx()];
            (binding.name.clone(), tree.line(binding.span.start))
        };
        Planned::Several(found.iter().map(place).collect())
    };
    match wanted {
        Wanted::Variable(name) => match named(tree, name)[..] {
            [] => Err(undeclared(tree, name)),
            [one] => Ok(Target::Variable(one)),
            _ => Err(several(named(tree, name))),
        },
        Wanted::Both(name, line) => {
            let all = named(tree, name);
            let here: Vec<BindingId> =
                all.iter().filter(|b| on_line(tree, *line).contains(b)).copied().collect();
            match (&here[..], &all[..]) {
                ([one], _) | ([], [one]) => Ok(Target::Variable(*one)),
                (_, []) => Err(undeclared(tree, name)),
                ([], _) => Err(several(all)),
                _ => Err(several(here)),
            }
        }
        Wanted::Line(line) => {
            let n_lines = to_u32(tree.lines.n_lines());
            if *line == 0 || *line > n_lines {
                return Err(Planned::Nothing(Nothing::NoLine { line: *line, n_lines }));
            }
            by_line(tree, pairs, *line, several)
        }
    }
}

fn undeclared(tree: &Tree<'_>, name: &Name) -> Planned {
    let bindings = tree.script.bindings.iter().enumerate();
    let variables = bindings.filter(|(idx, _)| tree.is_variable(BindingId(to_u32(*idx))));
    let names: BTreeSet<&Name> = variables.map(|(_, binding)| &binding.name).collect();
    let candidates: Vec<Candidate> =
        names.into_iter().map(|name| Candidate { name: name.clone(), callable: false }).collect();
    let near = suggest(name, false, &candidates);
    Planned::Nothing(Nothing::Undeclared { name: name.clone(), near })
}

/// The variables of this name.
pub(super) fn named(tree: &Tree<'_>, name: &str) -> Vec<BindingId> {
    let all = (0..tree.script.bindings.len()).map(|idx| BindingId(to_u32(idx)));
    all.filter(|id| tree.script.bindings[id.idx()].name == name && tree.is_variable(*id)).collect()
}

/// The variables that a line names.
fn on_line(tree: &Tree<'_>, line: u32) -> Vec<BindingId> {
    let mut found: BTreeSet<BindingId> = BTreeSet::new();
    for (binding, mentions) in &tree.mentions {
        if mentions.iter().any(|m| tree.line(tree.span(*m).start) == line) {
            found.insert(*binding);
        }
    }
    found.extend(declared_on(tree, line));
    found.into_iter().filter(|b| tree.is_variable(*b)).collect()
}

fn declared_on(tree: &Tree<'_>, line: u32) -> Vec<BindingId> {
    let all = (0..tree.script.bindings.len()).map(|idx| BindingId(to_u32(idx)));
    let here = all.filter(|id| {
        let span = tree.script.bindings[id.idx()].span;
        tree.line(span.start) == line && tree.is_variable(*id)
    });
    here.collect()
}

fn by_line(
    tree: &Tree<'_>,
    pairs: &Pairs<'_>,
    line: u32,
    several: impl Fn(Vec<BindingId>) -> Planned,
) -> Result<Target, Planned> {
    let statements: Vec<StatementId> = statements_at(tree, line);
    let declared = declared_on(tree, line);
    if let [one] = declared[..] {
        return Ok(Target::Variable(one));
    }
    let mut meant: Vec<BindingId> = Vec::new();
    for id in &statements {
        let Some(deed) = tree.deed(*id) else { continue };
        if let Root::Variable(binding) = deed.root {
            meant.push(binding);
        }
    }
    meant.sort_unstable();
    meant.dedup();
    if let [one] = owners(&meant, &declared)[..] {
        return Ok(Target::Variable(one));
    }
    if let Some(found) = statements.iter().find_map(|id| opened_or_closed(tree, pairs, *id)) {
        return Ok(found);
    }
    let named = on_line(tree, line);
    match (&named[..], &meant[..]) {
        ([one], _) => Ok(Target::Variable(*one)),
        ([], []) => Err(Planned::Nothing(Nothing::NoVariable(line))),
        ([], _) => Err(several(meant)),
        _ => Err(several(named)),
    }
}

/// The variables that statements belong to, unless the line declares several.
fn owners(meant: &[BindingId], declared: &[BindingId]) -> Vec<BindingId> {
    if declared.is_empty() { meant.to_vec() } else { Vec::new() }
}

/// The innermost statements that begin in a line, or the one around it.
fn statements_at(tree: &Tree<'_>, line: u32) -> Vec<StatementId> {
    let begin = |id: &&StatementId| tree.line(tree.statement(**id).span.start) == line;
    let found: Vec<StatementId> = tree.all().iter().filter(begin).copied().collect();
    if !found.is_empty() {
        return found;
    }
    let holds = |id: &&StatementId| {
        let span = tree.statement(**id).span;
        (tree.line(span.start)..=tree.line(span.end.saturating_sub(1))).contains(&line)
    };
    tree.all().iter().rev().find(holds).copied().into_iter().collect()
}

/// What a statement opens or closes: the variable that the opener is handed, or the construct itself.
fn opened_or_closed(tree: &Tree<'_>, pairs: &Pairs<'_>, id: StatementId) -> Option<Target> {
    let calls = tree.calls.get(&id)?;
    let opener = calls.iter().find_map(|call| {
        if !pairs.opened(*call).is_empty() {
            return Some((id, *call));
        }
        let list = tree.list(id);
        let at = list.iter().position(|s| *s == id)?;
        pairs.begin(tree, &list, at, *call)
    });
    let (statement, call) = opener?;
    let handed = tree.handed_to(tree.call(call)?);
    let handed: Vec<BindingId> = handed.into_iter().filter(|b| tree.is_variable(*b)).collect();
    let given = tree.declarators.get(&statement).into_iter().flatten();
    let given: Vec<BindingId> = given.flat_map(|idx| tree.declares(*idx)).collect();
    match (&handed[..], &given[..]) {
        ([one], _) | ([], [one]) => Some(Target::Variable(*one)),
        _ => Some(Target::Opener(statement, call)),
    }
}

/// Variables that are made from what goes, or are another name of it.
pub(super) fn servants(tree: &Tree<'_>, dead: &BTreeSet<BindingId>) -> Vec<BindingId> {
    let mut found = Vec::new();
    for (idx, declarator) in tree.script.declarators.iter().enumerate() {
        let Some(mut value) = declarator.value else { continue };
        let [one] = tree.declares(idx)[..] else { continue };
        let binding = &tree.script.bindings[one.idx()];
        if dead.contains(&one) || binding.values.len() != 1 || binding.span != declarator.pattern {
            continue;
        }
        if let ExpressionKind::Await(inner) = tree.script.expressions[value.idx()].kind {
            value = inner;
        }
        let is_made = match tree.root(value) {
            Root::Variable(root) => dead.contains(&root),
            Root::Named(_) | Root::Nobody => false,
        };
        let handed = tree.call(value).map(|call| tree.handed_to(call)).unwrap_or_default();
        let is_handed = handed.iter().any(|b| dead.contains(b));
        let is_others = matches!(tree.root(value), Root::Variable(root) if !dead.contains(&root));
        if is_made || (is_handed && !is_others) {
            found.push(one);
        }
    }
    found
}

/// What is cut of a declaration for one of its declarators.
pub(super) fn declarator(tree: &Tree<'_>, doom: &Doom, idx: usize) -> Vec<Span> {
    let own = tree.script.declarators[idx].span;
    let beside = tree.script.declarators[idx].statement.and_then(|s| tree.declarators.get(&s));
    let beside = beside.map_or(&[][..], Vec::as_slice);
    let Some(at) = beside.iter().position(|other| *other == idx) else { return vec![own] };
    let stays_behind = beside[at + 1..].iter().any(|other| !doom.declarators.contains(other));
    let (from, to) = match stays_behind {
        true => (own.end, beside.get(at + 1)),
        false => (tree.script.declarators[beside[at.saturating_sub(1)]].span.end, None),
    };
    let until = to.map_or(own.start, |next| tree.script.declarators[*next].span.start);
    let comma = comma(tree.text, from, until);
    // A comma right behind goes with it as one piece.
    match comma {
        Some(comma) if stays_behind => vec![Span { start: own.start, end: comma + 1 }],
        Some(comma) => vec![Span { start: comma, end: comma + 1 }, own],
        None => vec![own],
    }
}

/// The first comma between two declarators that stands in no comment.
fn comma(text: &str, from: u32, until: u32) -> Option<u32> {
    let between = text.get(from as usize..until as usize)?;
    let mut at = 0;
    while let Some(rest) = between.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with("//") {
            at += rest.find('\n')?;
        } else if rest.starts_with("/*") {
            at += rest.find("*/")? + 2;
        } else if rest.starts_with(',') {
            return Some(from + to_u32(at));
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    None
}

/// Every line that stays and has to do with what goes.
pub(super) fn kept(
    tree: &Tree<'_>,
    doom: &Doom,
    dead: &BTreeSet<BindingId>,
) -> Vec<(u32, Because)> {
    let mut kept = Vec::new();
    for (id, because) in &doom.kept {
        let span = tree.statement(*id).span;
        if !doom.covers(tree, span) {
            kept.push((tree.line(span.start), because.clone()));
        }
    }
    let gone = loose::gone(tree, doom, dead);
    for (place, binding) in loose::named(tree, doom, &gone) {
        kept.push((tree.line(place.start), Because::Uses(tree.name(binding))));
    }
    // What is declared inside of what goes, and used by a line that stays.
    for binding in gone.difference(dead) {
        for mention in tree.mentions.get(binding).into_iter().flatten() {
            let span = tree.span(*mention);
            if !doom.covers(tree, span) {
                kept.push((tree.line(span.start), Because::Uses(tree.name(*binding))));
            }
        }
    }
    for binding in dead {
        let declared = tree.script.bindings[binding.idx()].span;
        if !doom.covers(tree, declared) {
            kept.push((tree.line(declared.start), Because::Shares(tree.name(*binding))));
        }
        for mention in tree.mentions.get(binding).into_iter().flatten() {
            let span = tree.span(*mention);
            if !doom.covers(tree, span) {
                kept.push((tree.line(span.start), still_uses(tree, doom, *binding, *mention)));
            }
        }
    }
    kept.extend(exporters(tree, doom, dead));
    kept.extend(emptied(tree, doom));
    kept.extend(unused(tree, doom, dead));
    kept.extend(comments(tree, doom));
    kept
}

/// What a line does with a variable that goes.
fn still_uses(tree: &Tree<'_>, doom: &Doom, binding: BindingId, mention: ExprId) -> Because {
    let name = tree.name(binding);
    let span = tree.span(mention);
    let Some(id) = tree.around(span) else { return Because::Uses(name) };
    match tree.statement(id).kind {
        StatementKind::Leaves => Because::Returns(name),
        StatementKind::Expression => match tree.deed(id).map(|deed| deed.root) {
            Some(Root::Variable(owner)) if owner != binding => {
                Because::Takes { owner: tree.name(owner), gone: name }
            }
            _ => Because::Uses(name),
        },
        StatementKind::Variables | StatementKind::Module => {
            let declarators = tree.declarators.get(&id).into_iter().flatten();
            let mut around = declarators
                .filter(|idx| tree.script.declarators[**idx].span.holds(span))
                .flat_map(|idx| tree.declares(*idx));
            let used = around.find_map(|declared| {
                let mut mentions = tree.mentions.get(&declared).into_iter().flatten();
                let used = mentions.find(|m| !doom.covers(tree, tree.span(**m)))?;
                Some((tree.name(declared), tree.line(tree.span(*used).start)))
            });
            match used {
                Some((made, line)) => Because::Makes { made, line, gone: name },
                None => Because::Uses(name),
            }
        }
        StatementKind::Block
        | StatementKind::If
        | StatementKind::Each
        | StatementKind::Loop
        | StatementKind::Switch
        | StatementKind::Jumps
        | StatementKind::Other => Because::Uses(name),
    }
}

/// `export { box }` of what goes.
fn exporters(tree: &Tree<'_>, doom: &Doom, dead: &BTreeSet<BindingId>) -> Vec<(u32, Because)> {
    let mut found = Vec::new();
    for binding in dead.iter().filter(|b| is_listed_export(tree, **b)) {
        let name = tree.name(*binding);
        let modules = tree.all().iter().map(|id| tree.statement(*id));
        for statement in modules.filter(|s| s.kind == StatementKind::Module) {
            let text = statement.span.of(tree.text);
            let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
            let names = text.split(|c| !is_part(c)).any(|word| word == name);
            if names && text.starts_with("export") && !doom.covers(tree, statement.span) {
                found.push((tree.line(statement.span.start), Because::Uses(name.clone())));
            }
        }
    }
    found
}

fn is_listed_export(tree: &Tree<'_>, binding: BindingId) -> bool {
    let declared = &tree.script.bindings[binding.idx()];
    let exports = &tree.script.exports;
    declared.scope.idx() == 0
        && exports.iter().any(|e| e.module.is_none() && e.local.as_ref() == Some(&declared.name))
}

/// Whether what goes is exported where it is declared.
pub(super) fn is_exported(tree: &Tree<'_>, doom: &Doom, dead: &BTreeSet<BindingId>) -> bool {
    dead.iter().any(|binding| {
        let declared = tree.script.bindings[binding.idx()].span;
        let around = tree.around(declared);
        around.is_some_and(|id| tree.statement(id).kind == StatementKind::Module)
            && doom.covers(tree, declared)
    })
}

/// Blocks and bodies that hold nothing any more.
fn emptied(tree: &Tree<'_>, doom: &Doom) -> Vec<(u32, Because)> {
    let mut lists: BTreeMap<u32, Vec<StatementId>> = BTreeMap::new();
    for id in tree.all() {
        if let Seat::Listed(list) = tree.statement(*id).seat {
            lists.entry(list).or_default().push(*id);
        }
    }
    let gone = |id: &StatementId| doom.whole.contains(id);
    let mut found = Vec::new();
    for list in lists.values().filter(|list| list.iter().all(gone)) {
        let Some(around) = list.first().and_then(|first| tree.statement(*first).within) else {
            continue;
        };
        let span = tree.statement(around).span;
        if !doom.covers(tree, span) {
            found.push((tree.line(span.start), Because::Emptied));
        }
    }
    found
}

/// Names that were used and are not any more.
fn unused(tree: &Tree<'_>, doom: &Doom, dead: &BTreeSet<BindingId>) -> Vec<(u32, Because)> {
    let mut found = Vec::new();
    for (id, mentions) in &tree.mentions {
        let binding = &tree.script.bindings[id.idx()];
        let can_go = match binding.kind {
            BindingKind::Const
            | BindingKind::Let
            | BindingKind::Var
            | BindingKind::Function
            | BindingKind::Class
            | BindingKind::Import => true,
            BindingKind::Parameter | BindingKind::Catch | BindingKind::Declared => false,
        };
        let is_left = !dead.contains(id) && !doom.covers(tree, binding.span);
        let is_used = mentions.iter().any(|m| !doom.covers(tree, tree.span(*m)));
        let around = tree.around(binding.span).map(|id| tree.statement(id));
        let is_exported = is_listed_export(tree, *id)
            || around.is_some_and(|s| s.span.of(tree.text).starts_with("export"));
        if can_go && is_left && !is_used && !is_exported {
            let line = tree.line(binding.span.start);
            found.push((line, Because::Unused(binding.name.clone())));
        }
    }
    found
}

/// Comments on lines of their own right above what goes.
fn comments(tree: &Tree<'_>, doom: &Doom) -> Vec<(u32, Because)> {
    let mut found = Vec::new();
    for id in &doom.whole {
        let statement = tree.statement(*id);
        let list = tree.list(*id);
        let at = list.iter().position(|s| s == id).unwrap_or(0);
        let follows = at.checked_sub(1).is_some_and(|at| doom.whole.contains(&list[at]));
        let is_inner = statement.within.is_some_and(|s| doom.covers(tree, tree.statement(s).span));
        let line = tree.line(statement.span.start);
        let above = tree.lines.text(tree.text, line.saturating_sub(1)).trim();
        let is_comment = above.starts_with("//")
            || above.ends_with("*/") && ["/*", "*"].iter().any(|begin| above.starts_with(begin));
        if is_comment && !follows && !is_inner {
            found.push((line - 1, Because::Comment));
        }
    }
    found
}
