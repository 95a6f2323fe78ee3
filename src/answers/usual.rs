//! Which members the checked code itself uses on which types: what somebody most likely means whose word is like nothing.
//!
//! Types are told apart as they are shown, without their arguments. What is used once or twice says nothing.

use crate::base::Name;
use crate::sources::script::Usage;
use std::collections::BTreeMap;

/// How often the checked code uses a member before that says something.
const LEAST_USES: u32 = 3;

/// How often members are used: by the receiver's type, and by whether they are called.
#[derive(Debug, Default)]
pub(super) struct Usual(BTreeMap<(String, bool), BTreeMap<Name, u32>>);

impl Usual {
    /// Counts one use of a member that exists.
    pub fn note(&mut self, receiver: &str, usage: Usage, member: &Name) {
        if !receiver.is_empty() {
            let uses = self.0.entry(kind_of(receiver, usage)).or_default();
            *uses.entry(member.clone()).or_default() += 1;
        }
    }

    /// What is used in the same way on receivers of that type, the commonest first.
    pub fn most(&self, receiver: &str, usage: Usage) -> Vec<&Name> {
        let uses = self.0.get(&kind_of(receiver, usage)).into_iter().flatten();
        let mut uses: Vec<(&Name, &u32)> = uses.filter(|(_, n)| **n >= LEAST_USES).collect();
        uses.sort_by(|(one, n), (other, m)| m.cmp(n).then_with(|| one.cmp(other)));
        uses.into_iter().map(|(name, _)| name).collect()
    }
}

/// A type without its arguments or an array without its elements, and whether its member is called.
fn kind_of(receiver: &str, usage: Usage) -> (String, bool) {
    let head = match receiver.ends_with("[]") {
        true => "[]",
        false => receiver.split(['<', '|']).next().unwrap_or(receiver).trim(),
    };
    (head.to_string(), matches!(usage, Usage::Called | Usage::Constructed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(uses: &[(&str, Usage, &str, usize)]) -> Usual {
        let mut usual = Usual::default();
        for (receiver, usage, member, n) in uses {
            (0..*n).for_each(|_| usual.note(receiver, *usage, &(*member).into()));
        }
        usual
    }

    #[test]
    fn the_commonest_use_of_the_same_kind_comes_first() {
        let usual = used(&[
            ("string[]", Usage::Called, "push", 3),
            ("any[]", Usage::Called, "map", 4),
            ("any[]", Usage::Read, "length", 9),
            ("Sheet", Usage::Called, "getRange", 9),
        ]);
        assert_eq!(usual.most("number[]", Usage::Called), ["map", "push"]);
        assert_eq!(usual.most("Sheet<T> | null", Usage::Called), ["getRange"]);
    }

    #[test]
    fn what_is_used_twice_is_not_usual() {
        let usual = used(&[("any[]", Usage::Called, "push", 2), ("", Usage::Called, "x", 9)]);
        assert!(usual.most("any[]", Usage::Called).is_empty());
        assert!(usual.most("", Usage::Called).is_empty());
    }
}
