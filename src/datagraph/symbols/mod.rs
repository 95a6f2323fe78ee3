//! Declaration files to a datagraph: every name is followed to what it means, and all declarations of one name become
//! one interface.
//!
//! Only what the files say is used. A name that they do not declare stays as it is written: another api may have it.

mod spaces;
mod reach;
mod names;
mod rewriting;
mod values;
mod heritage;
mod sides;
mod exports;
#[cfg(test)]
mod tests;

pub use spaces::DeclarationFile;

use super::{Datagraph, Hole, Interface, InterfaceKind, Key, Source};
use crate::base::{Name, to_u32};
use crate::types::TypeName;
use names::Target;
use spaces::{Augmentation, Seen, World};
use std::collections::BTreeMap;

/// Why an interface is open that only adds to another package's: what it adds to is not among the files. Where the
/// other package is known too, the whole is closed again if that is.
pub const AUGMENTS: &str = "adds to another package's declarations";

/// What the files of an api declare, linked. `modules` are the specifiers that code writes and the canonical names of
/// the modules that they mean.
pub fn mine(
    api: Name,
    version: Name,
    mut files: Vec<DeclarationFile>,
    modules: BTreeMap<Name, Name>,
) -> Datagraph {
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let mut world = World::of(&files, modules);
    world.follow_stars();
    if !world.augmentations.is_empty() {
        place_augmentations(&mut world);
        world.follow_stars();
    }
    let mut graph = Datagraph { api, version, ..Datagraph::default() };
    for (i, file) in files.iter().enumerate() {
        graph.sources.push(Source { path: file.path.clone(), hash: file.hash.clone() });
        graph.holes.extend(file.declared.holes.iter().map(|gap| Hole {
            source: to_u32(i),
            line: gap.line,
            what: gap.what.clone(),
        }));
    }
    list_names(&world, &mut graph);
    list_spaces(&world, &mut graph);
    open_ambiguous(&mut graph);
    graph.modules = world.modules;
    graph
}

/// Gives every addition to a module its place: beside the declaration that it adds to, wherever that is exported from.
fn place_augmentations(world: &mut World<'_>) {
    let blocks = std::mem::take(&mut world.augmentations);
    let homes: Vec<(TypeName, Vec<TypeName>)> = blocks
        .iter()
        .map(|block| {
            let module = augmented(world, block);
            let homes = block.body.items.iter().map(|item| home_of(world, &module, &item.name));
            let homes = homes.collect();
            (module, homes)
        })
        .collect();
    for (block, (module, homes)) in blocks.iter().zip(homes) {
        let file = world.scopes[block.around].file;
        let at = (to_u32(file), block.line);
        world.spaces.entry(module.clone()).or_default().at.get_or_insert(at);
        let own = world.open_scope(module.clone(), Some(block.around), file, block.body);
        for (item, home) in block.body.items.iter().zip(homes) {
            let scope = match home == module {
                true => own,
                false => world.open_scope(home, Some(own), file, block.body),
            };
            world.place_item(scope, item, Seen::Named);
        }
        world.place_statements(own, block.body);
    }
}

/// The module that a block adds to.
fn augmented(world: &World<'_>, block: &Augmentation<'_>) -> TypeName {
    let file = world.scopes[block.around].file;
    world.module(file, block.specifier).unwrap_or_else(|| {
        let canonical = world.files[file].resolved.get(block.specifier);
        TypeName::within(canonical.unwrap_or(block.specifier).clone(), "")
    })
}

/// The space that declares what a module exports under this name; a new name is the module's own.
fn home_of(world: &World<'_>, module: &TypeName, name: &str) -> TypeName {
    use names::Meaning::{Space, Type, Value};
    let declared = world.spaces.get(module).is_some_and(|s| s.entries.contains_key(name));
    if declared {
        return module.clone();
    }
    [Type, Value, Space]
        .into_iter()
        .find_map(|meaning| match world.exported(module, name, meaning) {
            Target::Here(origin) if origin.last() == name => {
                spaces::split(&origin).map(|(space, _)| space)
            }
            Target::Here(_) | Target::Elsewhere(_) | Target::Nowhere => None,
        })
        .unwrap_or_else(|| module.clone())
}

/// Interfaces and aliases of every declared name.
fn list_names(world: &World<'_>, graph: &mut Datagraph) {
    for (space_name, space) in &world.spaces {
        for (last, entry) in &space.entries {
            let name = space_name.child(last);
            match world.type_side(&name, entry) {
                Some(side) => {
                    graph.interfaces.insert(Key::of_type(name.clone()), side);
                }
                None => {
                    if let Some(alias) = world.alias(entry) {
                        graph.aliases.insert(name.clone(), alias);
                    }
                }
            }
            if let Some(side) = world.value_side(&name, entry) {
                graph.interfaces.insert(Key::of_value(name), side);
            }
        }
    }
}

/// A module may export one thing under the name that another thing has inside of it. Inside, the name stays what it is
/// there; since who asks from outside means the other, nothing is denied.
fn open_ambiguous(graph: &mut Datagraph) {
    let own = |name: &&TypeName| graph.interfaces.contains_key(&Key::of_type((*name).clone()));
    let ambiguous: Vec<TypeName> = graph.names.keys().filter(own).cloned().collect();
    for name in ambiguous {
        graph.names.remove(&name);
        if let Some(side) = graph.interfaces.get_mut(&Key::of_type(name)) {
            side.open
                .get_or_insert("its name stands for something else outside of its module".into());
        }
    }
}

/// What every space gives to the outside.
fn list_spaces(world: &World<'_>, graph: &mut Datagraph) {
    for (name, space) in &world.spaces {
        graph.names.extend(world.standing_names(name, space));
        if !name.path.is_empty() {
            let values = world.values_of(name, space);
            if let Some(side) = graph.interfaces.get_mut(&Key::of_value(name.clone())) {
                sides::merge_members(&mut side.shape.members, values);
            }
        } else if name.module.is_empty() {
            let (umd, names) = world.umd_names();
            let mut side = Interface::new(InterfaceKind::Globals);
            side.shape.members = world.values_of(name, space);
            sides::merge_members(&mut side.shape.members, umd);
            graph.names.extend(names);
            graph.interfaces.insert(Key::globals(), side);
        } else {
            let side = world.module_side(name, space);
            // Types that are added to another package's module say nothing about its values.
            if space.own || !side.shape.members.is_empty() {
                graph.interfaces.insert(Key::of_value(name.clone()), side);
            }
        }
    }
}
