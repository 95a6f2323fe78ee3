//! What a name means where it stands: lexically, through imports and re-exports, to its declaration.

use super::spaces::{Entry, ScopeId, Seen, Space, World};
use crate::base::Name;
use crate::sources::declarations::{ExportKind, Import, Imported, Sides, What};
use crate::types::TypeName;
use std::collections::BTreeSet;

/// Which of the things that may share a name is asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meaning {
    /// A type.
    Type,
    /// A value.
    Value,
    /// Something that names can stand in.
    Space,
}

/// What a name means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// A declaration, module or namespace of this api.
    Here(TypeName),
    /// Something in another package, or a global that another api may have.
    Elsewhere(TypeName),
    /// Nothing that is known.
    Nowhere,
}

impl Target {
    fn or(self, other: impl FnOnce() -> Target) -> Target {
        match self {
            Target::Nowhere => other(),
            found => found,
        }
    }
}

/// A search through imports and re-exports, which may go in circles.
pub(super) struct Search<'w, 'a> {
    world: &'w World<'a>,
    asked: BTreeSet<(TypeName, Name, Meaning)>,
    depth: u32,
}

/// How many aliases are followed.
const MAX_DEPTH: u32 = 24;

impl<'a> World<'a> {
    /// A new search.
    pub(super) fn search(&self) -> Search<'_, 'a> {
        Search { world: self, asked: BTreeSet::new(), depth: 0 }
    }

    /// What a dotted name in `scope` means, and the rest of the path that could not be followed.
    pub(super) fn lookup<'p>(
        &self,
        scope: ScopeId,
        path: &'p str,
        meaning: Meaning,
    ) -> (Target, &'p str) {
        self.search().path(scope, path, meaning)
    }

    /// What a space exports under `name`.
    pub(super) fn exported(&self, space: &TypeName, name: &str, meaning: Meaning) -> Target {
        self.search().exported(space, name, meaning)
    }

    /// Whether an entry of this full name has this meaning.
    pub(super) fn has(&self, entry: &Entry<'a>, name: &TypeName, meaning: Meaning) -> bool {
        entry.parts.iter().any(|part| match (&part.item.what, meaning) {
            (What::Interface { .. } | What::Alias { .. }, m) => m == Meaning::Type,
            (What::Class(_), m) => m != Meaning::Space,
            (What::Enum(_), _) => true,
            (What::Variable { .. } | What::Function(_), m) => m == Meaning::Value,
            (What::Namespace(_), Meaning::Space) => true,
            (What::Namespace(_), Meaning::Type) => false,
            (What::Namespace(_), Meaning::Value) => self.holds_values(name),
        })
    }

    /// Whether a namespace exists at run time.
    pub(super) fn holds_values(&self, name: &TypeName) -> bool {
        let Some(space) = self.spaces.get(name) else { return false };
        if !self.asked_for_values.borrow_mut().insert(name.clone()) {
            return false;
        }
        let own =
            space.entries.iter().any(|(last, e)| self.has(e, &name.child(last), Meaning::Value));
        let holds = own
            || space
                .named
                .keys()
                .chain(space.aliases.keys())
                .any(|last| self.exported(name, last, Meaning::Value) != Target::Nowhere);
        self.asked_for_values.borrow_mut().remove(name);
        holds
    }
}

impl Search<'_, '_> {
    fn path<'p>(&mut self, scope: ScopeId, path: &'p str, meaning: Meaning) -> (Target, &'p str) {
        let path = path.strip_prefix("globalThis.").unwrap_or(path);
        let Some((first, rest)) = path.split_once('.') else {
            return (self.word(scope, path, meaning), "");
        };
        let found = self.word(scope, first, Meaning::Space);
        match (found, meaning) {
            (Target::Nowhere, Meaning::Value) => (self.word(scope, first, Meaning::Value), rest),
            (found, _) => self.within(found, rest, meaning),
        }
    }

    /// Follows `path` from what its first part meant.
    pub(super) fn within<'p>(
        &mut self,
        from: Target,
        path: &'p str,
        meaning: Meaning,
    ) -> (Target, &'p str) {
        let mut at = from;
        let mut rest = path;
        while !rest.is_empty() {
            let (word, after) = rest.split_once('.').unwrap_or((rest, ""));
            let wanted = if after.is_empty() { meaning } else { Meaning::Space };
            let next = match &at {
                Target::Nowhere => return (Target::Nowhere, rest),
                Target::Elsewhere(name) => Target::Elsewhere(name.child(word)),
                Target::Here(space) => self.exported(space, word, wanted),
            };
            if next == Target::Nowhere {
                return (at, rest);
            }
            at = next;
            rest = after;
        }
        (at, "")
    }

    fn word(&mut self, scope: ScopeId, word: &str, meaning: Meaning) -> Target {
        let mut at = Some(scope);
        while let Some(id) = at {
            let scope = &self.world.scopes[id];
            let full = scope.space.child(word);
            let space = self.world.spaces.get(&scope.space);
            if let Some(entry) = space.and_then(|s| s.entries.get(word))
                && self.world.has(entry, &full, meaning)
            {
                return Target::Here(full);
            }
            let alias = space.and_then(|s| s.aliases.get(word)).copied();
            let import = scope.imports.get(word).map(|i| (id, *i)).or(alias);
            if let Some((id, import)) = import {
                match self.import(id, import, meaning) {
                    Target::Nowhere => {}
                    found => return found,
                }
            }
            at = scope.parent;
        }
        let Some((module, _)) = self.world.umd.get(word) else { return Target::Nowhere };
        self.whole(module, meaning)
    }

    /// What an import means. One that means nothing at all hides what is outside all the same.
    fn import(&mut self, scope: ScopeId, import: &Import, meaning: Meaning) -> Target {
        if self.depth > MAX_DEPTH {
            return Target::Nowhere;
        }
        self.depth += 1;
        let found = self.import_target(scope, import, meaning);
        self.depth -= 1;
        found
    }

    fn import_target(&mut self, scope: ScopeId, import: &Import, meaning: Meaning) -> Target {
        let file = self.world.scopes[scope].file;
        match &import.what {
            Imported::Member { module, name } => match self.world.module(file, module) {
                Some(space) => {
                    let found = self.exported(&space, name, meaning);
                    found.or(|| match self.means_otherwise(&space, name, meaning) {
                        true => Target::Nowhere,
                        // Without a default, the module itself is taken, as bundlers and Node.js do.
                        false if name == "default" => self.whole(&space, meaning),
                        false => Target::Here(space.child(name)),
                    })
                }
                None => Target::Elsewhere(TypeName::within(module.clone(), name.clone())),
            },
            Imported::Module(module) => match self.world.module(file, module) {
                Some(space) => self.whole(&space, meaning),
                None => Target::Elsewhere(TypeName::within(module.clone(), "")),
            },
            Imported::Alias(path) => {
                let key = (
                    self.world.scopes[scope].space.clone(),
                    format!("{scope} {path}").into(),
                    meaning,
                );
                if !self.asked.insert(key) {
                    return Target::Nowhere;
                }
                match self.path(scope, path, meaning) {
                    (found, "") => found,
                    (Target::Here(space) | Target::Elsewhere(space), rest)
                        if meaning == Meaning::Value =>
                    {
                        Target::Here(space.child(rest))
                    }
                    _ => Target::Nowhere,
                }
            }
        }
    }

    /// Whether a name that does not mean this means something else.
    fn means_otherwise(&mut self, space: &TypeName, name: &str, meaning: Meaning) -> bool {
        others(meaning).any(|m| self.exported(space, name, m) != Target::Nowhere)
    }

    /// What a whole module means: itself, or what it exports instead.
    pub(super) fn whole(&mut self, module: &TypeName, meaning: Meaning) -> Target {
        let instead = self.world.spaces.get(module).and_then(|s| s.instead.as_ref());
        match (instead, meaning) {
            (Some((scope, name)), _) => self.instead(*scope, name, meaning),
            (None, Meaning::Type) => Target::Nowhere,
            (None, Meaning::Value | Meaning::Space) => Target::Here(module.clone()),
        }
    }

    fn instead(&mut self, scope: ScopeId, name: &str, meaning: Meaning) -> Target {
        if self.depth > MAX_DEPTH {
            return Target::Nowhere;
        }
        self.depth += 1;
        let found = match self.path(scope, name, meaning) {
            (found, "") => found,
            _ => Target::Nowhere,
        };
        self.depth -= 1;
        found
    }

    /// What a space exports under `name`.
    pub(super) fn exported(&mut self, space: &TypeName, name: &str, meaning: Meaning) -> Target {
        let Some(it) = self.world.spaces.get(space) else { return Target::Nowhere };
        self.directly(space, name, meaning).or(|| self.through_stars(space, it, name, meaning))
    }

    /// The same without what comes through stars.
    fn directly(&mut self, space: &TypeName, name: &str, meaning: Meaning) -> Target {
        let Some(it) = self.world.spaces.get(space) else { return Target::Nowhere };
        if self.depth > MAX_DEPTH || !self.asked.insert((space.clone(), name.into(), meaning)) {
            return Target::Nowhere;
        }
        self.depth += 1;
        let found = self
            .own(space, it, name, meaning)
            .or(|| self.listed(it, name, meaning))
            .or(|| self.through_instead(it, name, meaning));
        self.depth -= 1;
        found
    }

    fn own(&mut self, name: &TypeName, space: &Space<'_>, last: &str, meaning: Meaning) -> Target {
        let entry_name = match (last, &space.default) {
            ("default", Some(entry)) => entry.as_str(),
            _ => last,
        };
        let Some(entry) = space.entries.get(entry_name) else { return Target::Nowhere };
        let wanted = if last == "default" { Seen::Default } else { Seen::Named };
        let full = name.child(entry_name);
        let seen = entry.parts.iter().any(|p| p.seen == wanted);
        match seen && self.world.has(entry, &full, meaning) {
            true => Target::Here(full),
            false => Target::Nowhere,
        }
    }

    fn listed(&mut self, space: &Space<'_>, name: &str, meaning: Meaning) -> Target {
        if let Some((scope, import)) = space.aliases.get(name) {
            return self.import(*scope, import, meaning);
        }
        for (scope, export) in space.named.get(name).into_iter().flatten() {
            if export.sides == Sides::Types && meaning == Meaning::Value {
                continue;
            }
            let file = self.world.scopes[*scope].file;
            let found = match &export.what {
                ExportKind::Local { local, .. } => self.local(*scope, local, meaning),
                ExportKind::From { module, original, .. } => {
                    match self.world.module(file, module) {
                        Some(from) => self.exported(&from, original, meaning),
                        None => {
                            Target::Elsewhere(TypeName::within(module.clone(), original.clone()))
                        }
                    }
                }
                ExportKind::Whole { module, .. } => match self.world.module(file, module) {
                    Some(from) if meaning != Meaning::Type => self.whole(&from, meaning),
                    Some(_) => Target::Nowhere,
                    None => Target::Elsewhere(TypeName::within(module.clone(), "")),
                },
                ExportKind::Everything(_) | ExportKind::Instead(_) => Target::Nowhere,
            };
            if found != Target::Nowhere {
                return found;
            }
        }
        Target::Nowhere
    }

    /// A local name that is exported; one that means nothing here is a global of another api.
    fn local(&mut self, scope: ScopeId, local: &str, meaning: Meaning) -> Target {
        match self.path(scope, local, meaning) {
            (Target::Nowhere, _) => {
                let known =
                    others(meaning).any(|m| self.path(scope, local, m).0 != Target::Nowhere);
                if known { Target::Nowhere } else { Target::Elsewhere(TypeName::global(local)) }
            }
            (found, "") => found,
            (Target::Here(name) | Target::Elsewhere(name), rest) if meaning == Meaning::Value => {
                Target::Here(name.child(rest))
            }
            _ => Target::Nowhere,
        }
    }

    fn through_instead(&mut self, space: &Space<'_>, name: &str, meaning: Meaning) -> Target {
        let Some((scope, instead)) = &space.instead else { return Target::Nowhere };
        if name == "default" {
            return self.instead(*scope, instead, meaning);
        }
        match self.instead(*scope, instead, Meaning::Space) {
            Target::Here(inner) => self.exported(&inner, name, meaning),
            Target::Elsewhere(outer) => Target::Elsewhere(outer.child(name)),
            Target::Nowhere => Target::Nowhere,
        }
    }

    fn through_stars(
        &mut self,
        name: &TypeName,
        space: &Space<'_>,
        last: &str,
        meaning: Meaning,
    ) -> Target {
        let Some(reach) = self.world.reach.get(name).filter(|_| last != "default") else {
            return Target::Nowhere;
        };
        for (provider, sides) in reach.providers.get(last).into_iter().flatten() {
            if *sides == Sides::Types && meaning == Meaning::Value {
                continue;
            }
            match self.directly(provider, last, meaning) {
                Target::Nowhere => {}
                found => return found,
            }
        }
        let is_own = space.entries.contains_key(last)
            || space.named.contains_key(last)
            || space.aliases.contains_key(last);
        let is_known = is_own || reach.providers.contains_key(last);
        match &reach.outside[..] {
            [one] if !is_known => Target::Elsewhere(TypeName::within(one.clone(), last)),
            _ => Target::Nowhere,
        }
    }
}

fn others(meaning: Meaning) -> impl Iterator<Item = Meaning> {
    [Meaning::Type, Meaning::Value, Meaning::Space].into_iter().filter(move |m| *m != meaning)
}
