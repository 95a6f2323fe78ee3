//! From where a package begins to every file that it takes to know it, parsed, with each specifier resolved.
//!
//! Nothing is run and nothing outside the package's own list of files is read. Where a bound is hit, that is said.

use super::entries::{Entries, entries};
use super::listing::Listing;
use super::locate::{Package, listing};
use super::manifest::package_of;
use super::specifiers::{reference_paths, reference_types, specifiers};
use crate::base::{Name, Stop};
use crate::sources::declarations::{Declared, Form, declarations_of};
use crate::sources::workspace::opening::{Stamp, bytes_of, hash_of, stamp};
use crate::sources::workspace::text::decoded;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// How many files of one api are read.
pub const MAX_FILES: usize = 5000;

/// How many bytes of one api are read.
pub const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// The largest declaration file, in bytes.
const MAX_FILE: u64 = 16 * 1024 * 1024;

/// The declaration files of one api, parsed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gathered {
    /// The files, sorted by their path.
    pub files: Vec<SourceFile>,
    /// What code writes to import something, and the module that it means.
    pub modules: BTreeMap<Name, Name>,
    /// The other packages that its files name.
    pub needs: BTreeSet<Name>,
    /// What was not read, and why.
    pub unread: Vec<Unread>,
}

/// A declaration file of an api.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its path as it is shown.
    pub shown: Name,
    /// What it was when it was read.
    pub seen: Seen,
    /// The module that it is.
    pub module: Name,
    /// What its specifiers mean among the api's own modules.
    pub resolved: BTreeMap<Name, Name>,
    /// What it declares.
    pub declared: Declared,
}

/// What a file was when it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// SHA-256 of its bytes, in hexadecimal.
    pub hash: Name,
    /// Its stamp, taken before it was read, so that a change in between is noticed the next time.
    pub stamp: Option<Stamp>,
}

/// A file that was not read, or a specifier that leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unread {
    /// The path or specifier.
    pub path: String,
    /// Why.
    pub why: String,
}

/// Every file that it takes to know `package`.
pub fn closure(package: &Package, stop: &Stop) -> Gathered {
    let listing = listing(&package.folder);
    let entries = entries(&package.name, &package.manifest, &listing);
    let mut walk = Walk::new(package, &listing, &entries);
    let only: Vec<String> =
        package.only.iter().filter_map(|path| listing.file(path)).map(str::to_string).collect();
    match (only.is_empty(), &entries.main) {
        (false, _) => walk.follow(only, stop),
        (true, Some(main)) => {
            let others = entries.specifiers.values().filter(|_| package.manifest.exports.is_some());
            walk.follow(vec![main.clone()], stop);
            walk.follow(others.cloned().collect(), stop);
            walk.add_modules(&entries.deep, stop);
        }
        (true, None) if package.manifest.exports.is_some() => {
            walk.follow(entries.specifiers.values().cloned().collect(), stop);
        }
        // Nothing says where it begins, so its files may be alternatives to each other: what they declare globally
        // holds only where somebody names one of them.
        (true, None) => {
            let all: Vec<String> = listing.files.iter().cloned().collect();
            walk.add_modules(&all, stop);
            if walk.read.is_empty() && !all.is_empty() {
                walk.unread("", "nothing says where its declarations begin: name the files that hold in groundline.toml");
            }
        }
    }
    if listing.cut {
        walk.unread("", "the package has more files than are looked at");
    }
    walk.finish()
}

/// Reads `path`, at most [`MAX_FILE`] bytes: its text and what it was.
pub fn text_of(path: &Path) -> Result<(String, Seen), String> {
    let stamp = stamp(path);
    let bytes = bytes_of(path, MAX_FILE).map_err(|why| why.to_string())?;
    let text = decoded(&bytes).ok_or("is binary")?;
    Ok((text.text, Seen { hash: hash_of(&bytes).into(), stamp }))
}

/// What each text declares, in their order; those that come after `stop` was set are taken for empty.
pub fn parsed<'t>(texts: impl Iterator<Item = &'t str> + Send, stop: &Stop) -> Vec<Declared> {
    declarations_of(texts.map(|text| if stop.is_set() { "" } else { text }))
}

struct Read {
    seen: Seen,
    declared: Declared,
    specifiers: BTreeSet<Name>,
}

struct Walk<'w> {
    package: &'w Package,
    listing: &'w Listing,
    entries: &'w Entries,
    read: BTreeMap<String, Read>,
    tried: BTreeSet<String>,
    n_bytes: u64,
    n_over: usize,
    unread: Vec<Unread>,
}

impl<'w> Walk<'w> {
    fn new(package: &'w Package, listing: &'w Listing, entries: &'w Entries) -> Walk<'w> {
        Walk {
            package,
            listing,
            entries,
            read: BTreeMap::new(),
            tried: BTreeSet::new(),
            n_bytes: 0,
            n_over: 0,
            unread: Vec::new(),
        }
    }

    fn unread(&mut self, path: &str, why: &str) {
        self.unread.push(Unread { path: path.to_string(), why: why.to_string() });
    }

    /// Reads `first` and everything that they lead to.
    fn follow(&mut self, first: Vec<String>, stop: &Stop) {
        let mut next = first;
        while !next.is_empty() && !stop.is_set() {
            let fresh = self.parse(next, stop);
            next = Vec::new();
            for (path, read) in fresh {
                let relative = read.specifiers.iter().filter_map(|s| self.inside(&path, s));
                let referred = reference_paths(&read.declared)
                    .filter_map(|r| self.listing.relative(&path, r).map(str::to_string));
                next.extend(relative.chain(referred));
                self.read.insert(path, read);
            }
        }
    }

    /// Adds the files that can be imported by their path, if they are modules: what they would declare globally is not
    /// there before somebody asks for it.
    fn add_modules(&mut self, deep: &[String], stop: &Stop) {
        if stop.is_set() {
            return;
        }
        let wanted: Vec<String> = deep.iter().filter(|f| !is_compilers_own(f)).cloned().collect();
        let fresh = self.parse(wanted, stop);
        let modules = fresh.into_iter().filter(|(_, read)| read.declared.form == Form::Module);
        let names: Vec<(String, Read)> = modules.collect();
        let mut next = Vec::new();
        for (path, read) in names {
            next.extend(read.specifiers.iter().filter_map(|s| self.inside(&path, s)));
            self.read.insert(path, read);
        }
        self.follow(next, stop);
    }

    /// Reads and parses those of `wanted` that were not yet, as far as the bounds allow.
    fn parse(&mut self, wanted: Vec<String>, stop: &Stop) -> Vec<(String, Read)> {
        let mut texts: Vec<(String, String, Seen)> = Vec::new();
        for path in wanted {
            if stop.is_set() {
                break;
            }
            if !self.tried.insert(path.clone()) {
                continue;
            }
            if self.read.len() + texts.len() >= MAX_FILES || self.n_bytes >= MAX_BYTES {
                self.n_over += 1;
                continue;
            }
            match text_of(&self.package.folder.join(&path)) {
                Ok((text, seen)) => {
                    self.n_bytes += text.len() as u64;
                    texts.push((path, text, seen));
                }
                Err(why) => self.unread(&path, &why),
            }
        }
        let declared = parsed(texts.iter().map(|(_, text, _)| text.as_str()), stop);
        let all = texts.into_iter().zip(declared);
        all.map(|((path, text, seen), declared)| {
            let specifiers = specifiers(&declared, &text);
            (path, Read { seen, declared, specifiers })
        })
        .collect()
    }

    /// The package's own file that `specifier` in the file `from` means.
    fn inside(&self, from: &str, specifier: &str) -> Option<String> {
        match specifier.starts_with('.') {
            true => self.listing.relative(from, specifier).map(str::to_string),
            false => self.entries.specifiers.get(specifier).cloned(),
        }
    }

    fn finish(mut self) -> Gathered {
        let read = std::mem::take(&mut self.read);
        let package = self.package;
        let module = |file: &str| self.listing.module(&package.name, file);
        let named = read.values().flat_map(|r| &r.declared.modules);
        let ambient: BTreeSet<&Name> = named.map(|block| &block.name).collect();
        let mut needs = BTreeSet::new();
        let mut files = Vec::new();
        for (path, one) in &read {
            let mut resolved = BTreeMap::new();
            for specifier in &one.specifiers {
                match self.inside(path, specifier) {
                    Some(file) if read.contains_key(&file) => {
                        resolved.insert(specifier.clone(), module(&file));
                    }
                    Some(_) => {}
                    None if ambient.contains(specifier) => {}
                    None => needs.extend(package_of(specifier).map(Name::from)),
                }
            }
            let types = reference_types(&one.declared);
            needs.extend(types.filter_map(|t| package_of(t)).map(Name::from));
            files.push((path.clone(), resolved));
        }
        needs.remove(&package.name);
        // A file without imports and exports is no module: what it declares is global, or a module that it names.
        let is_module =
            |file: &str| read.get(file).is_some_and(|r| r.declared.form == Form::Module);
        let specifiers = self.entries.specifiers.iter().filter(|(_, file)| is_module(file));
        let modules = specifiers.map(|(said, file)| (said.clone(), module(file))).collect();
        let mut read = read;
        let files = files.into_iter().filter_map(|(path, resolved)| {
            let one = read.remove(&path)?;
            Some(SourceFile {
                path: package.folder.join(&path),
                module: module(&path),
                shown: path.into(),
                seen: one.seen,
                resolved,
                declared: one.declared,
            })
        });
        let files = files.collect();
        if self.n_over > 0 {
            let why = format!(
                "{} more files: {MAX_FILES} files or {MAX_BYTES} bytes are read",
                self.n_over
            );
            self.unread.push(Unread { path: String::new(), why });
        }
        self.unread.sort();
        Gathered { files, modules, needs, unread: self.unread }
    }
}

/// Whether `path` is one of the declaration files that the compiler brings for the language itself.
fn is_compilers_own(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.starts_with("lib.") && name.ends_with(".d.ts")
}
