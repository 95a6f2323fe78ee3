//! Which calls of a text open and close constructs of the apis that hold.
//!
//! A call counts if its name is an opener's or closer's and its receiver is not known to be something else. Opposite
//! actions that need not be paired are no constructs here.

use super::tree::Tree;
use crate::answers::infer::Inference;
use crate::corpus::{Corpus, Lookup};
use crate::datagraph::documentation::{Construct, Evidence, Symbol};
use crate::sources::script::{ExprId, StatementId};
use std::collections::BTreeMap;

/// The calls that open and close, with the constructs they may belong to.
pub(super) struct Pairs<'c> {
    constructs: Vec<&'c Construct>,
    opens: BTreeMap<ExprId, Vec<usize>>,
    closes: BTreeMap<ExprId, Vec<usize>>,
}

impl<'c> Pairs<'c> {
    /// Looks at every call of a member.
    pub fn of(tree: &Tree<'_>, constructs: &[&'c Construct], corpus: &Corpus) -> Pairs<'c> {
        let is_paired = |c: &&&Construct| match c.evidence {
            Evidence::Strong | Evidence::Weak => true,
            Evidence::Inverse => false,
        };
        let constructs: Vec<&Construct> = constructs.iter().filter(is_paired).copied().collect();
        let mut pairs = Pairs { constructs, opens: BTreeMap::new(), closes: BTreeMap::new() };
        let mut inference = Inference::new(corpus, tree.script);
        for id in tree.calls.values().flatten() {
            let Some((object, name)) = tree.call(*id).and_then(|call| tree.member(call)) else {
                continue;
            };
            let mut is_of = |symbol: &Symbol| {
                if symbol.member.as_ref() != Some(name) {
                    return false;
                }
                let receiver = inference.expression(object);
                match inference.lookup(&receiver, name) {
                    Lookup::Known(found) => found.owner == symbol.owner,
                    Lookup::Missing(_) => false,
                    Lookup::Doubt(_) => true,
                }
            };
            for (idx, construct) in pairs.constructs.iter().enumerate() {
                if is_of(&construct.opened_by) {
                    pairs.opens.entry(*id).or_default().push(idx);
                }
                if is_of(&construct.closed_by) {
                    pairs.closes.entry(*id).or_default().push(idx);
                }
            }
        }
        pairs
    }

    /// The constructs that a call may open.
    pub fn opened(&self, call: ExprId) -> &[usize] {
        self.opens.get(&call).map_or(&[], Vec::as_slice)
    }

    /// The constructs that a call may close.
    pub fn closed(&self, call: ExprId) -> &[usize] {
        self.closes.get(&call).map_or(&[], Vec::as_slice)
    }

    /// The symbol that closes a construct.
    pub fn closer(&self, construct: usize) -> &'c Symbol {
        &self.constructs[construct].closed_by
    }

    /// Of `list`, which statement closes what `opener` opens in the statement at `at`; inner ones of its kind count.
    pub fn end(
        &self,
        tree: &Tree<'_>,
        list: &[StatementId],
        at: usize,
        opener: ExprId,
    ) -> Option<usize> {
        let ends = self.opened(opener).iter().filter_map(|construct| {
            let mut depth = 1_u32;
            (at + 1..list.len()).find(|idx| {
                for call in self.events(tree, list[*idx], *construct, opener) {
                    depth = match self.closed(call).contains(construct) {
                        true => depth.saturating_sub(1),
                        false => depth + 1,
                    };
                    if depth == 0 {
                        return true;
                    }
                }
                false
            })
        });
        ends.min()
    }

    /// The opener that the closer in the statement at `at` belongs to.
    pub fn begin(
        &self,
        tree: &Tree<'_>,
        list: &[StatementId],
        at: usize,
        closer: ExprId,
    ) -> Option<(StatementId, ExprId)> {
        let begins = self.closed(closer).iter().filter_map(|construct| {
            let mut depth = 1_u32;
            for idx in (0..at).rev() {
                let calls = self.events(tree, list[idx], *construct, closer);
                for call in calls.into_iter().rev() {
                    match self.opened(call).contains(construct) {
                        true => depth -= 1,
                        false => depth += 1,
                    }
                    if depth == 0 {
                        return Some((idx, call));
                    }
                }
            }
            None
        });
        begins.max().map(|(idx, call)| (list[idx], call))
    }

    /// The calls directly in a statement that open or close the same construct on the same receiver as `like`.
    fn events(
        &self,
        tree: &Tree<'_>,
        statement: StatementId,
        construct: usize,
        like: ExprId,
    ) -> Vec<ExprId> {
        let receiver = |id: ExprId| {
            let (object, _) = tree.call(id).and_then(|call| tree.member(call))?;
            Some(tree.span(object).of(tree.text).trim())
        };
        let calls = tree.calls.get(&statement).into_iter().flatten().copied();
        let mut found: Vec<ExprId> = calls
            .filter(|id| {
                let takes_part =
                    self.opened(*id).contains(&construct) || self.closed(*id).contains(&construct);
                takes_part && receiver(*id) == receiver(like)
            })
            .collect();
        found.sort_by_key(|id| tree.span(*id).end);
        found
    }
}
