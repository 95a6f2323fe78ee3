//! Declaration files that a configuration lists: which module each is and what their specifiers mean among them.
//!
//! Only what is listed is read. A file in `node_modules` is its package's module, as if the package had been found.

use super::closure::{Gathered, MAX_BYTES, MAX_FILES, Seen, SourceFile, Unread, parsed, text_of};
use super::entries::entries;
use super::listing::{Listing, is_declaration, stem};
use super::manifest::{in_folder, package_of, users_name};
use super::specifiers::{reference_types, specifiers};
use crate::base::{Name, Stop};
use crate::sources::declarations::{Declared, Form};
use crate::sources::workspace::opening::slashed;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The files at `paths`, parsed; `folder` is what paths outside of packages are relative to.
pub fn listed(paths: &[PathBuf], folder: &Path, stop: &Stop) -> Gathered {
    let mut gathered = Gathered::default();
    for path in paths.iter().filter(|p| !is_declaration(&slashed(p))) {
        let why = "is no declaration file (.d.ts, .d.mts, .d.cts)".to_string();
        gathered.unread.push(Unread { path: slashed(path), why });
    }
    let groups = grouped(paths, folder);
    let texts = texts_of(&groups, &mut gathered.unread, stop);
    let declared = parsed(texts.iter().map(|t| t.text.as_str()), stop);
    let read: Vec<(&Read<'_>, Declared)> = texts.iter().zip(declared).collect();
    // What the packages among them offer can be imported by the others too.
    let modules = read.iter().filter(|(_, declared)| declared.form == Form::Module);
    for (one, _) in modules {
        let said = one.group.specifiers.iter().filter(|(_, file)| *file == one.file);
        gathered.modules.extend(said.map(|(s, file)| (s.clone(), one.group.module(file))));
    }
    let ambient: BTreeSet<Name> = read
        .iter()
        .flat_map(|(_, declared)| declared.modules.iter().map(|block| block.name.clone()))
        .collect();
    for (one, declared) in read {
        let mut resolved = BTreeMap::new();
        for specifier in specifiers(&declared, &one.text) {
            match one.group.resolve(one.file, &specifier, &gathered.modules) {
                Some(module) => {
                    resolved.insert(specifier, module);
                }
                None if ambient.contains(&specifier) => {}
                None => gathered.needs.extend(package_of(&specifier).map(Name::from)),
            }
        }
        let types = reference_types(&declared).filter_map(|t| package_of(t));
        gathered.needs.extend(types.map(Name::from));
        gathered.files.push(SourceFile {
            path: one.path.clone(),
            shown: one.group.shown(one.file),
            seen: one.seen.clone(),
            module: one.group.module(one.file),
            resolved,
            declared,
        });
    }
    gathered.needs.retain(|need| groups.iter().all(|g| g.name != *need));
    gathered.files.sort_by(|a, b| a.shown.cmp(&b.shown));
    gathered.unread.sort();
    gathered
}

/// A file that was read.
struct Read<'g> {
    group: &'g Group,
    file: &'g str,
    path: PathBuf,
    text: String,
    seen: Seen,
}

fn texts_of<'g>(groups: &'g [Group], unread: &mut Vec<Unread>, stop: &Stop) -> Vec<Read<'g>> {
    let mut texts: Vec<Read<'g>> = Vec::new();
    let mut n_bytes = 0;
    let files = groups.iter().flat_map(|g| g.listing.files.iter().map(move |file| (g, file)));
    for (group, file) in files.take_while(|_| !stop.is_set()) {
        let path = group.folder.join(file);
        let found = match texts.len() >= MAX_FILES || n_bytes >= MAX_BYTES {
            true => Err(format!("more than {MAX_FILES} files or {MAX_BYTES} bytes")),
            false => text_of(&path),
        };
        match found {
            Ok((text, seen)) => {
                n_bytes += text.len() as u64;
                texts.push(Read { group, file, path, text, seen });
            }
            Err(why) => unread.push(Unread { path: slashed(&path), why }),
        }
    }
    texts
}

/// Listed files of one package, or all that are in none.
struct Group {
    /// What code writes to import the package; empty for files in none.
    name: Name,
    folder: PathBuf,
    listing: Listing,
    /// What code writes, and the file that it means.
    specifiers: BTreeMap<Name, String>,
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
            group.specifiers = entries(&group.name, &manifest, &group.listing).specifiers;
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
