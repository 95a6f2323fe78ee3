//! What `export * from` lets through: for each space, which modules give it which names.
//!
//! Barrels of barrels have thousands of names; asking every star for each of them would take seconds.

use super::spaces::{Reach, World};
use crate::base::Name;
use crate::sources::declarations::Sides;
use crate::types::TypeName;
use std::collections::{BTreeMap, BTreeSet};

/// The stars of one space.
#[derive(Default)]
struct Stars<'w> {
    /// The spaces that they lead to, by index.
    inside: Vec<(usize, Sides)>,
    /// The specifiers of other packages.
    outside: Vec<&'w Name>,
}

impl World<'_> {
    /// Works out what comes through all stars; what is placed afterwards is not in it.
    pub(super) fn follow_stars(&mut self) {
        let names: Vec<&TypeName> = self.spaces.keys().collect();
        let stars = self.stars(&names);
        let with_stars = (0..names.len())
            .filter(|i| !stars[*i].inside.is_empty() || !stars[*i].outside.is_empty());
        let reach: BTreeMap<TypeName, Reach> =
            with_stars.map(|i| (names[i].clone(), self.reach_of(i, &names, &stars))).collect();
        self.reach = reach;
    }

    /// Where the stars of each space lead.
    fn stars(&self, names: &[&TypeName]) -> Vec<Stars<'_>> {
        let of_space = |name: &&TypeName| {
            let mut found = Stars::default();
            for (scope, specifier, sides) in
                self.spaces.get(*name).into_iter().flat_map(|s| &s.stars)
            {
                match self.module(self.scopes[*scope].file, specifier) {
                    Some(inner) => {
                        found.inside.extend(names.binary_search(&&inner).ok().map(|i| (i, *sides)));
                    }
                    None => found.outside.push(specifier),
                }
            }
            found
        };
        names.iter().map(of_space).collect()
    }

    fn reach_of(&self, from: usize, names: &[&TypeName], stars: &[Stars<'_>]) -> Reach {
        let mut found = Reach::default();
        let mut met: BTreeSet<(usize, bool)> = BTreeSet::from([(from, true)]);
        let mut waiting = vec![(from, Sides::All)];
        while let Some((at, outer)) = waiting.pop() {
            for specifier in &stars[at].outside {
                if !found.outside.contains(specifier) {
                    found.outside.push((*specifier).clone());
                }
            }
            for (inner, sides) in &stars[at].inside {
                let sides = if outer == Sides::Types { outer } else { *sides };
                if !met.insert((*inner, sides == Sides::All)) {
                    continue;
                }
                let space = self.spaces.get(names[*inner]).into_iter();
                for last in space.flat_map(|s| s.own_names()).filter(|last| *last != "default") {
                    let providers = found.providers.entry(last.clone()).or_default();
                    providers.push((names[*inner].clone(), sides));
                }
                waiting.push((*inner, sides));
            }
        }
        found
    }
}
