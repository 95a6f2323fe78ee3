//! Declaration files that a configuration lists: which module each is and what their specifiers mean among them.
//!
//! Only what is listed is read. A file in `node_modules` is its package's module, as if the package had been found.

use super::closure::{Gathered, MAX_BYTES, MAX_FILES, SourceFile, Unread, text_of};
use super::entries::entries;
use super::listing::{Listing, is_declaration, normal, stem};
use super::manifest::{in_folder, package_of, users_name};
use super::specifiers::{reference_types, specifiers};
use crate::base::{Name, Stop};
use crate::sources::declarations::declarations_of;
use crate::sources::workspace::opening::slashed;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The files at `paths`, parsed; `folder` is what paths outside of packages are relative to.
pub fn listed(paths: &[PathBuf], folder: &Path, stop: &Stop) -> Gathered {
    let mut gathered = Gathered::default();
    let groups = grouped(paths, folder);
    let mut n_bytes = 0;
    let mut texts = Vec::new();
    for (group_idx, group) in groups.iter().enumerate() {
        for file in &group.listing.files {
            if stop.is_set() {
                return gathered;
            }
            let path = group.folder.join(file);
            if texts.len() >= MAX_FILES || n_bytes >= MAX_BYTES {
                let why = format!("more than {MAX_FILES} files or {MAX_BYTES} bytes");
                gathered.unread.push(Unread { path: slashed(&path), why });
                continue;
            }
            match text_of(&path) {
                Ok((text, hash)) => {
                    n_bytes += text.len() as u64;
                    texts.push((group_idx, file, path, text, hash));
                }
                Err(why) => gathered.unread.push(Unread { path: slashed(&path), why }),
            }
        }
    }
    for path in paths.iter().filter(|p| !is_declaration(&slashed(p))) {
        gathered.unread.push(Unread { path: slashed(path), why: NO_DECLARATIONS.to_string() });
    }
    // What the packages among them offer can be imported by the others too.
    for group in &groups {
        gathered.modules.extend(group.specifiers.clone());
    }
    let declared = declarations_of(texts.iter().map(|(_, _, _, text, _)| text.as_str()));
    for ((group_idx, file, path, text, hash), declared) in texts.iter().zip(declared) {
        let group = &groups[*group_idx];
        let mut resolved = BTreeMap::new();
        for specifier in specifiers(&declared, text) {
            match group.resolve(file, &specifier, &gathered.modules) {
                Some(module) => {
                    resolved.insert(specifier, module);
                }
                None => gathered.needs.extend(package_of(&specifier).map(Name::from)),
            }
        }
        gathered
            .needs
            .extend(reference_types(&declared).filter_map(|t| package_of(t)).map(Name::from));
        gathered.files.push(SourceFile {
            path: path.clone(),
            shown: group.shown(file),
            hash: hash.clone(),
            module: group.module(file),
            resolved,
            declared,
        });
    }
    let own: BTreeSet<Name> = groups.iter().map(|g| g.name.clone()).collect();
    gathered.needs.retain(|need| !own.contains(need));
    gathered.files.sort_by(|a, b| a.shown.cmp(&b.shown));
    gathered.unread.sort();
    gathered
}

const NO_DECLARATIONS: &str = "is no declaration file (.d.ts, .d.mts, .d.cts)";

/// Listed files of one package, or all that are in none.
struct Group {
    /// What code writes to import the package; empty for files in none.
    name: Name,
    folder: PathBuf,
    listing: Listing,
    specifiers: BTreeMap<Name, Name>,
}

impl Group {
    fn module(&self, file: &str) -> Name {
        match self.name.is_empty() {
            true => stem(file).into(),
            false => self.listing.module(&self.name, file),
        }
    }

    fn shown(&self, file: &str) -> Name {
        match self.name.is_empty() {
            true => file.into(),
            false => format!("{}/{file}", self.name).into(),
        }
    }

    fn resolve(&self, from: &str, specifier: &str, modules: &BTreeMap<Name, Name>) -> Option<Name> {
        match specifier.starts_with('.') {
            true => self.listing.relative(from, specifier).map(|file| self.module(file)),
            false => modules.get(specifier).cloned(),
        }
    }
}

fn grouped(paths: &[PathBuf], folder: &Path) -> Vec<Group> {
    let mut found: BTreeMap<(Name, PathBuf), BTreeSet<String>> = BTreeMap::new();
    for path in paths.iter().filter(|p| is_declaration(&slashed(p))) {
        let (name, base) = home_of(path, folder);
        let relative = path.strip_prefix(&base).map_or_else(|_| slashed(path), slashed);
        let relative = relative.trim_start_matches('/').to_string();
        found.entry((name, base)).or_default().insert(relative);
    }
    let mut groups = Vec::new();
    for ((name, folder), files) in found {
        let listing = Listing { files, ..Listing::default() };
        let mut group = Group { name, folder, listing, specifiers: BTreeMap::new() };
        if !group.name.is_empty() {
            let manifest = in_folder(&group.folder).unwrap_or_default();
            let entries = entries(&group.name, &manifest, &group.listing);
            let modules = entries.specifiers.iter().map(|(s, f)| (s.clone(), group.module(f)));
            group.specifiers = modules.collect();
        }
        groups.push(group);
    }
    groups
}

/// The package that `path` lies in and its folder, or no name and the folder that its module is relative to.
fn home_of(path: &Path, folder: &Path) -> (Name, PathBuf) {
    let text = slashed(path);
    if let Some(at) = text.rfind("/node_modules/") {
        let start = at + "/node_modules/".len();
        if let Some(name) = package_of(&text[start..]).filter(|n| n.len() < text.len() - start) {
            return (users_name(name), PathBuf::from(&text[..start + name.len()]));
        }
    }
    let base = if path.starts_with(folder) { folder } else { Path::new("/") };
    (Name::default(), base.to_path_buf())
}

/// The module that the file `path`, relative to a configuration's folder, is.
pub fn module_of(path: &str) -> Option<Name> {
    normal("", path).map(|plain| stem(&plain).into())
}
