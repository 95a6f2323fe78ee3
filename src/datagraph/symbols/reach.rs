//! What `export * from` lets through: for each space, which modules give it which names.
//!
//! Barrels of barrels have thousands of names; asking every star for each of them would take seconds.

use super::spaces::{Reach, Space, World};
use crate::sources::declarations::Sides;
use crate::types::TypeName;
use std::collections::BTreeSet;

impl<'a> World<'a> {
    /// Works out what comes through all stars; what is placed afterwards is not in it.
    pub(super) fn follow_stars(&mut self) {
        let with_stars = self.spaces.iter().filter(|(_, space)| !space.stars.is_empty());
        self.reach =
            with_stars.map(|(name, space)| (name.clone(), self.reach_of(name, space))).collect();
    }

    fn reach_of(&self, name: &TypeName, space: &Space<'a>) -> Reach {
        let mut found = Reach::default();
        let mut met: BTreeSet<(TypeName, bool)> = BTreeSet::from([(name.clone(), true)]);
        let mut waiting: Vec<(&Space<'a>, Sides)> = vec![(space, Sides::All)];
        while let Some((space, outer)) = waiting.pop() {
            for (scope, specifier, sides) in &space.stars {
                let sides = if outer == Sides::Types { outer } else { *sides };
                let Some(inner) = self.module(self.scopes[*scope].file, specifier) else {
                    if !found.outside.contains(specifier) {
                        found.outside.push(specifier.clone());
                    }
                    continue;
                };
                let Some(from) = self.spaces.get(&inner) else { continue };
                if met.insert((inner.clone(), sides == Sides::All)) {
                    for last in from.own_names().filter(|last| *last != "default") {
                        let providers = found.providers.entry(last.clone()).or_default();
                        providers.push((inner.clone(), sides));
                    }
                    waiting.push((from, sides));
                }
            }
        }
        found
    }
}
