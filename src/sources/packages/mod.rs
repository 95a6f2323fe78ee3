//! The declarations of the packages that a project has installed, in the versions that it has installed.
//!
//! Nothing is downloaded and nothing of a package is run; what leads out of the repository needs the user's leave.

pub mod manifest;
pub mod listing;
pub mod entries;
pub mod locate;
pub mod specifiers;
pub mod closure;
pub mod listed;
pub mod tsconfig;
#[cfg(test)]
mod tests;

pub use closure::{Gathered, SourceFile, Unread, closure};
pub use listed::listed;
pub use locate::{Ground, Member, Package, declaring, members};
pub use tsconfig::{Compiler, compiler};

use crate::base::Name;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The packages that the project's manifests name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Named {
    /// Those that declare something, sorted by name, with the folder that named each.
    pub packages: Vec<(Package, PathBuf)>,
    /// Those that are installed and declare nothing.
    pub silent: Vec<Name>,
    /// Those that are not installed.
    pub missing: Vec<Name>,
}

/// The packages that `members` depend on. Of a package in several versions the first member's holds.
pub fn named(members: &[Member], compiler: &Compiler, ground: &Ground<'_>) -> Named {
    let mut found: BTreeMap<Name, (Package, PathBuf)> = BTreeMap::new();
    let mut named = Named::default();
    for member in members {
        for name in &member.manifest.dependencies {
            let users = manifest::users_name(name);
            if found.contains_key(&users) {
                continue;
            }
            match declaring(name, &member.folder, ground) {
                Some(mut package) => {
                    package.only = paths_meant(&users, compiler);
                    found.insert(users, (package, member.folder.clone()));
                }
                None if locate::is_installed(name, &member.folder, ground) => {
                    named.silent.push(users);
                }
                None => named.missing.push(users),
            }
        }
    }
    for list in [&mut named.silent, &mut named.missing] {
        list.sort();
        list.dedup();
        list.retain(|name| !found.contains_key(name));
    }
    named.packages = found.into_values().collect();
    named
}

/// The package that the file of a package in `folder` means by `name`.
pub fn needed(name: &str, folder: &Path, ground: &Ground<'_>) -> Option<Package> {
    declaring(name, folder, ground)
}

/// The paths in the package `name` that the compiler's `types` mean, such as `Photoshop/2015.5`.
fn paths_meant(name: &str, compiler: &Compiler) -> Vec<String> {
    let types = compiler.types.iter().flatten();
    types.filter_map(|t| t.strip_prefix(name)?.strip_prefix('/')).map(str::to_string).collect()
}
