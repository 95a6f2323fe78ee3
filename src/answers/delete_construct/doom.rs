//! Which statements go when variables go, and which stay because they belong to something that lives on.
//!
//! A statement goes if it writes or calls one of the variables, or hands it to a call; and with an opener everything up
//! to its closer. What also serves another variable stays.

use super::pairs::Pairs;
use super::plan::Because;
use super::tree::{Deed, Manner, Root, Tree};
use crate::base::{Name, Span};
use crate::sources::script::{BindingId, ExprId, Seat, StatementId, StatementKind};
use std::collections::{BTreeMap, BTreeSet};

/// Methods that do nothing but call what they are handed, once for each of their things.
const EACH: [&str; 3] = ["forEach", "each", "map"];

/// What goes and what stays.
#[derive(Debug, Clone, Default)]
pub(super) struct Doom {
    /// Statements that go whole.
    pub whole: BTreeSet<StatementId>,
    /// Declarators that go out of declarations that stay.
    pub declarators: BTreeSet<usize>,
    /// Statements that stay, and why.
    pub kept: BTreeMap<StatementId, Because>,
    /// Openers for which no closer was found, and what would close them.
    pub unclosed: Vec<(StatementId, Name)>,
}

/// What is asked: the variables that go, and openers that go with their constructs though no variable does.
pub(super) struct Sentence<'q> {
    pub dead: &'q BTreeSet<BindingId>,
    pub openers: &'q [(StatementId, ExprId)],
}

/// Works out what goes.
pub(super) fn doom(tree: &Tree<'_>, pairs: &Pairs<'_>, sentence: &Sentence<'_>) -> Doom {
    let things = things(tree, pairs);
    let mut judge =
        Judge { tree, pairs, dead: sentence.dead, things: &things, doom: Doom::default() };
    // Inner statements first, since a callback's statements decide on the call.
    for id in tree.all().iter().rev() {
        judge.own(*id);
    }
    let mut openers = sentence.openers.to_vec();
    for id in judge.doom.whole.iter().copied() {
        openers.extend(judge.openers_in(id).into_iter().map(|call| (id, call)));
    }
    for (statement, call) in openers {
        judge.construct(statement, call);
    }
    judge.settle();
    judge.doom
}

/// The variables that are written or called anywhere: things that are set up, and no mere values.
fn things(tree: &Tree<'_>, pairs: &Pairs<'_>) -> BTreeSet<BindingId> {
    let mut found = BTreeSet::new();
    for id in tree.all() {
        if let Some(Deed { root: Root::Variable(binding), .. }) = tree.deed(*id) {
            found.insert(binding);
        }
    }
    for id in tree.calls.values().flatten().filter(|id| !pairs.opened(**id).is_empty()) {
        found.extend(tree.call(*id).into_iter().flat_map(|call| tree.handed_to(call)));
    }
    found.retain(|binding| tree.is_variable(*binding));
    found
}

/// What counts as belonging to something else.
#[derive(Clone, Copy)]
struct Border<'b> {
    /// What is declared in it goes with it.
    region: Span,
    /// Whose construct it is.
    receiver: &'b Root,
}

struct Judge<'j, 's, 'c> {
    tree: &'j Tree<'s>,
    pairs: &'j Pairs<'c>,
    dead: &'j BTreeSet<BindingId>,
    things: &'j BTreeSet<BindingId>,
    doom: Doom,
}

impl Judge<'_, '_, '_> {
    fn is_dead(&self, root: &Root) -> bool {
        matches!(root, Root::Variable(binding) if self.dead.contains(binding))
    }

    fn hands_dead(&self, deed: &Deed) -> bool {
        deed.handed.iter().any(|binding| self.dead.contains(binding))
    }

    fn is_torn(&self, id: StatementId) -> bool {
        let span = self.tree.statement(id).span;
        let broken = &self.tree.script.broken;
        broken.iter().any(|b| b.start < span.end && span.start < b.end.max(b.start + 1))
    }

    /// Whether a stretch lies in what goes.
    fn covers(&self, span: Span) -> bool {
        self.doom.covers(self.tree, span)
    }

    /// Judges a statement by what it does itself.
    fn own(&mut self, id: StatementId) {
        let statement = self.tree.statement(id);
        let goes = match statement.kind {
            StatementKind::Expression => self.expression(id),
            StatementKind::Variables | StatementKind::Module => self.variables(id),
            StatementKind::Block
            | StatementKind::If
            | StatementKind::Each
            | StatementKind::Loop
            | StatementKind::Switch
            | StatementKind::Leaves
            | StatementKind::Jumps
            | StatementKind::Other => false,
        };
        if !goes {
            return;
        }
        if self.is_torn(id) {
            self.doom.kept.insert(id, Because::Torn);
            return;
        }
        self.doom.whole.insert(id);
    }

    fn expression(&mut self, id: StatementId) -> bool {
        let Some(deed) = self.tree.deed(id) else { return false };
        let is_own = match &deed.root {
            root if self.is_dead(root) => true,
            Root::Variable(_) => false,
            Root::Named(_) | Root::Nobody => {
                deed.manner != Manner::Written && self.hands_dead(&deed)
            }
        };
        if !is_own {
            return self.is_empty_loop(id, &deed);
        }
        if !self.is_dead(&deed.root)
            && let Some(other) = self.living_thing(&deed.handed, self.tree.statement(id).span)
        {
            self.doom.kept.insert(id, Because::Belongs(other));
            return false;
        }
        if deed.manner == Manner::Written {
            return true;
        }
        match self.serves_others(id) {
            None => true,
            Some(because) => {
                self.doom.kept.insert(id, because);
                false
            }
        }
    }

    /// Whether it only repeats, for each of something's things, what goes.
    fn is_empty_loop(&self, id: StatementId, deed: &Deed) -> bool {
        let Manner::Called(call) = deed.manner else { return false };
        let member = self.tree.call(call).and_then(|call| self.tree.member(call));
        if !member.is_some_and(|(_, name)| EACH.contains(&name.as_str())) {
            return false;
        }
        let children = self.tree.children(Some(id));
        let bodies = self.tree.bodies.get(&id).map_or(&[][..], Vec::as_slice);
        let goes = |body: &ExprId| {
            let deed = self.tree.deed_of(*body);
            self.is_dead(&deed.root)
                || (!matches!(deed.root, Root::Variable(_)) && self.hands_dead(&deed))
        };
        (!children.is_empty() || !bodies.is_empty())
            && children.iter().all(|child| self.doom.whole.contains(child))
            && bodies.iter().all(goes)
    }

    /// The first of these that lives on and is set up somewhere.
    fn living_thing(&self, handed: &[BindingId], region: Span) -> Option<Name> {
        let living = handed.iter().find(|b| self.things.contains(b) && self.lives(**b, region));
        living.map(|b| self.tree.name(*b))
    }

    fn lives(&self, binding: BindingId, region: Span) -> bool {
        let declared = self.tree.script.bindings[binding.idx()].span;
        !self.dead.contains(&binding) && !region.holds(declared)
    }

    /// Whether what stands in a call's callbacks serves another variable.
    fn serves_others(&self, id: StatementId) -> Option<Because> {
        let region = self.tree.statement(id).span;
        let foreign = |root: &Root| match root {
            Root::Variable(b) if self.lives(*b, region) => {
                Some(Because::Belongs(self.tree.name(*b)))
            }
            Root::Variable(_) | Root::Named(_) | Root::Nobody => None,
        };
        let bodies = self.tree.bodies.get(&id).into_iter().flatten();
        let mut found = bodies.filter_map(|body| foreign(&self.tree.deed_of(*body).root));
        if let Some(because) = found.next() {
            return Some(because);
        }
        let mut waiting = self.tree.children(Some(id)).to_vec();
        while let Some(next) = waiting.pop() {
            if let Some(because) = self.tree.deed(next).and_then(|deed| foreign(&deed.root)) {
                return Some(because);
            }
            waiting.extend(self.tree.children(Some(next)));
        }
        None
    }

    fn variables(&mut self, id: StatementId) -> bool {
        let declarators = self.tree.declarators.get(&id).map_or(&[][..], Vec::as_slice);
        let is_doomed = |declarator: &&usize| {
            let names = self.tree.declares(**declarator);
            !names.is_empty() && names.iter().all(|name| self.dead.contains(name))
        };
        let doomed: Vec<usize> = declarators.iter().filter(is_doomed).copied().collect();
        if doomed.is_empty() {
            return false;
        }
        if doomed.len() == declarators.len() {
            return match self.serves_others(id) {
                None => true,
                Some(because) => {
                    self.doom.kept.insert(id, because);
                    false
                }
            };
        }
        if !self.is_torn(id) {
            self.doom.declarators.extend(doomed);
        }
        false
    }

    /// The openers in a statement that goes which are handed what goes, or give it.
    fn openers_in(&self, id: StatementId) -> Vec<ExprId> {
        let calls = self.tree.calls.get(&id).into_iter().flatten().copied();
        let gives = |call: ExprId| {
            let declarators = self.tree.declarators.get(&id).into_iter().flatten();
            declarators
                .filter_map(|idx| self.tree.script.declarators[*idx].value)
                .any(|value| self.tree.span(value).end == self.tree.span(call).end)
        };
        calls
            .filter(|call| !self.pairs.opened(*call).is_empty())
            .filter(|id| {
                let handed = self.tree.call(*id).map(|call| self.tree.handed_to(call));
                handed.is_some_and(|h| h.iter().any(|b| self.dead.contains(b))) || gives(*id)
            })
            .collect()
    }

    /// Everything from an opener to its closer goes, except what belongs to something else.
    fn construct(&mut self, opener: StatementId, call: ExprId) {
        let list = self.tree.list(opener);
        let Some(at) = list.iter().position(|s| *s == opener) else { return };
        let Some(end) = self.pairs.end(self.tree, &list, at, call) else {
            let closer = self.pairs.opened(call).first().map(|idx| self.pairs.closer(*idx));
            if let Some(name) = closer.and_then(|closer| closer.member.clone()) {
                self.doom.unclosed.push((opener, name));
            }
            return;
        };
        let region = Span {
            start: self.tree.statement(opener).span.start,
            end: self.tree.statement(list[end]).span.end,
        };
        let callee = self.tree.call(call).map(|call| call.callee);
        let receiver = callee.map_or(Root::Nobody, |callee| self.tree.root(callee));
        self.dissolve_all(&list[at..=end], Border { region, receiver: &receiver });
    }

    /// Takes what it can of these statements; tells whether that was all.
    fn dissolve_all(&mut self, list: &[StatementId], border: Border<'_>) -> bool {
        let mut took_all = true;
        let mut at = 0;
        while let Some(id) = list.get(at) {
            match self.living_construct(list, at, border) {
                Some((end, owner)) => {
                    for kept in &list[at..=end] {
                        if !self.doom.whole.contains(kept) {
                            self.doom.kept.insert(*kept, Because::Belongs(owner.clone()));
                        }
                    }
                    took_all = false;
                    at = end;
                }
                None => took_all &= self.dissolve(*id, border),
            }
            at += 1;
        }
        took_all
    }

    /// The construct of something that lives on which begins at `at`: where it ends, and whose it is.
    fn living_construct(
        &self,
        list: &[StatementId],
        at: usize,
        border: Border<'_>,
    ) -> Option<(usize, Name)> {
        let calls = self.tree.calls.get(&list[at]).into_iter().flatten();
        calls.filter(|call| !self.pairs.opened(**call).is_empty()).find_map(|id| {
            let handed = self.tree.handed_to(self.tree.call(*id)?);
            let owner = self.living_thing(&handed, border.region)?;
            Some((self.pairs.end(self.tree, list, at, *id)?, owner))
        })
    }

    fn dissolve(&mut self, id: StatementId, border: Border<'_>) -> bool {
        if self.doom.whole.contains(&id) {
            return true;
        }
        if self.is_torn(id) {
            self.doom.kept.insert(id, Because::Torn);
            return false;
        }
        let own = self.foreign(id, border);
        let holds_others = match self.tree.statement(id).kind {
            StatementKind::If
            | StatementKind::Each
            | StatementKind::Loop
            | StatementKind::Switch
            | StatementKind::Block => true,
            StatementKind::Expression
            | StatementKind::Variables
            | StatementKind::Leaves
            | StatementKind::Jumps
            | StatementKind::Module
            | StatementKind::Other => own.is_none(),
        };
        let mut lists: BTreeMap<Seat, Vec<StatementId>> = BTreeMap::new();
        for child in self.tree.children(Some(id)).iter().filter(|_| holds_others) {
            lists.entry(self.tree.statement(*child).seat).or_default().push(*child);
        }
        let mut took_all = true;
        for list in lists.values() {
            took_all &= self.dissolve_all(list, border);
        }
        if let Some(because) = own {
            self.doom.kept.insert(id, because);
            return false;
        }
        if took_all {
            self.doom.kept.remove(&id);
            self.doom.whole.insert(id);
        }
        took_all
    }

    /// Why a statement between opener and closer belongs to something else; what lies in it is judged on its own.
    fn foreign(&self, id: StatementId, border: Border<'_>) -> Option<Because> {
        let statement = self.tree.statement(id);
        match statement.kind {
            StatementKind::Module => return Some(Because::Module),
            StatementKind::Leaves if !self.is_in_function(statement.span, border.region) => {
                return Some(Because::Leaves);
            }
            StatementKind::Jumps if !self.is_in_loop(id, border.region) => {
                return Some(Because::Leaves);
            }
            StatementKind::Expression
            | StatementKind::Variables
            | StatementKind::Block
            | StatementKind::If
            | StatementKind::Each
            | StatementKind::Loop
            | StatementKind::Switch
            | StatementKind::Leaves
            | StatementKind::Jumps
            | StatementKind::Other => {}
        }
        let writes = self.tree.writes.get(&id).into_iter().flatten();
        for write in writes {
            let root = self.tree.deed_of(*write).root;
            if let Some(owner) = self.owner(&root, border) {
                return Some(Because::Belongs(owner));
            }
        }
        let bodies = self.tree.bodies.get(&id).map_or(&[][..], Vec::as_slice);
        let is_structure = !bodies.is_empty() || !self.tree.children(Some(id)).is_empty();
        let mut deeds: Vec<Deed> = bodies.iter().map(|body| self.tree.deed_of(*body)).collect();
        deeds.extend(self.tree.deed(id).filter(|_| !is_structure));
        for deed in deeds {
            let owner = match deed.manner {
                Manner::Called(_) => self.owner(&deed.root, border),
                Manner::Written | Manner::Other => None,
            };
            let handed: Vec<BindingId> = deed
                .handed
                .into_iter()
                .filter(|b| Root::Variable(*b) != *border.receiver)
                .collect();
            let owner = owner.or_else(|| self.living_thing(&handed, border.region));
            if let Some(owner) = owner {
                return Some(Because::Belongs(owner));
            }
        }
        self.used_outside(id, border.region)
    }

    /// The name of what a root is, if that is neither the construct's own nor goes with it.
    fn owner(&self, root: &Root, border: Border<'_>) -> Option<Name> {
        match root {
            root if root == border.receiver => None,
            Root::Variable(b) => self.lives(*b, border.region).then(|| self.tree.name(*b)),
            Root::Named(name) => Some(name.clone()),
            Root::Nobody => None,
        }
    }

    /// A name that a statement declares and that is used where nothing goes.
    fn used_outside(&self, id: StatementId, region: Span) -> Option<Because> {
        let span = self.tree.statement(id).span;
        self.tree.declared_in(span).find_map(|binding| {
            let declared = &self.tree.script.bindings[binding.idx()];
            let scope = self.tree.script.scopes[declared.scope.idx()].span;
            let is_own = self.tree.around(declared.span) == Some(id) && !span.holds(scope);
            if !is_own || self.dead.contains(&binding) {
                return None;
            }
            let mut mentions = self.tree.mentions.get(&binding).into_iter().flatten();
            let used = mentions.find(|mention| {
                let at = self.tree.span(**mention);
                !region.holds(at) && !self.covers(at)
            })?;
            let line = self.tree.line(self.tree.span(*used).start);
            Some(Because::Declares(declared.name.clone(), line))
        })
    }

    fn is_in_function(&self, span: Span, region: Span) -> bool {
        let functions = &self.tree.script.functions;
        functions.iter().any(|f| region.holds(f.span) && f.span.holds(span))
    }

    fn is_in_loop(&self, id: StatementId, region: Span) -> bool {
        self.tree.outwards(id).skip(1).any(|around| {
            let statement = self.tree.statement(around);
            let is_loop = matches!(
                statement.kind,
                StatementKind::Each | StatementKind::Loop | StatementKind::Switch
            );
            is_loop && region.holds(statement.span)
        })
    }

    /// A body that its branch or loop needs goes with that, or stays.
    fn settle(&mut self) {
        for id in self.tree.all().iter().rev() {
            let statement = self.tree.statement(*id);
            let around = statement.within.filter(|_| statement.seat == Seat::Body);
            let Some(around) = around.filter(|_| self.doom.whole.contains(id)) else { continue };
            if self.tree.outwards(around).any(|outer| self.doom.whole.contains(&outer)) {
                continue;
            }
            if self.needs_only(around, *id) && !self.is_torn(around) {
                self.doom.whole.insert(around);
            } else {
                self.doom.whole.remove(id);
                if statement.kind != StatementKind::Block {
                    self.doom.kept.insert(*id, Because::Body);
                }
            }
        }
    }

    /// Whether a branch or loop does nothing but what this body does.
    fn needs_only(&self, around: StatementId, body: StatementId) -> bool {
        let statement = self.tree.statement(around);
        let is_plain = matches!(statement.kind, StatementKind::If | StatementKind::Each);
        let has_one = self.tree.children(Some(around)) == [body];
        let is_last = self.tree.statement(body).span.end == statement.span.end;
        let writes_nothing = !self.tree.writes.contains_key(&around);
        is_plain
            && has_one
            && is_last
            && writes_nothing
            && self.tree.statement(body).kind != StatementKind::Block
    }
}

impl Doom {
    /// Whether a stretch lies in what goes.
    pub fn covers(&self, tree: &Tree<'_>, span: Span) -> bool {
        let around = tree.around(span);
        let in_whole =
            around.is_some_and(|id| tree.outwards(id).any(|outer| self.whole.contains(&outer)));
        in_whole
            || self.declarators.iter().any(|idx| tree.script.declarators[*idx].span.holds(span))
    }
}
