//! The scopes that names live in: the global one, modules and namespaces, each merged over all files.
//!
//! Here every declaration finds its place. What a name means is asked in `names`.

use crate::base::Name;
use crate::sources::declarations::{
    Body, Declared, Export, ExportKind, Exported, Form, Import, Imported, Item, Sides, What,
};
use crate::types::TypeName;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// One file, ready to be linked.
#[derive(Debug, Clone)]
pub struct DeclarationFile {
    /// Its path, with `/`, as provenance shows it.
    pub path: Name,
    /// SHA-256 of its bytes, in hexadecimal.
    pub hash: Name,
    /// The canonical name of the module that it is, if it is one.
    pub module: Name,
    /// What the specifiers in its imports, exports and `import()` types mean: canonical names of modules of the same
    /// api. What is not here belongs to another package and stays as written.
    pub resolved: BTreeMap<Name, Name>,
    /// What it declares.
    pub declared: Declared,
}

/// Index of a [`Scope`].
pub(super) type ScopeId = usize;

/// One body of declarations in its place.
pub(super) struct Scope<'a> {
    /// The space that it adds to.
    pub space: TypeName,
    /// The scope around it.
    pub parent: Option<ScopeId>,
    /// Index of its file.
    pub file: usize,
    /// What it imports, by local name.
    pub imports: BTreeMap<&'a str, &'a Import>,
}

/// A global scope, module or namespace: all bodies of that name together.
#[derive(Default)]
pub(super) struct Space<'a> {
    /// What is declared in it.
    pub entries: BTreeMap<Name, Entry<'a>>,
    /// The entry that is `export default`.
    pub default: Option<Name>,
    /// `export import X = …`, by name.
    pub aliases: BTreeMap<Name, (ScopeId, &'a Import)>,
    /// Export statements by exported name.
    pub named: BTreeMap<Name, Vec<(ScopeId, &'a Export)>>,
    /// The specifiers of `export * from`.
    pub stars: Vec<(ScopeId, Name, Sides)>,
    /// The name in `export =`.
    pub instead: Option<(ScopeId, Name)>,
    /// Whether one of the api's own files or blocks declares it, rather than only adding to another package's.
    pub own: bool,
    /// Whether it is a module that a block in a script declares, as those that a host builds in are.
    pub ambient: bool,
    /// Where it is first declared: file and line.
    pub at: Option<(u32, u32)>,
}

impl Space<'_> {
    /// The names that it exports itself, without what comes through its stars; some may come twice.
    pub(super) fn own_names(&self) -> impl Iterator<Item = &Name> {
        let seen = |entry: &Entry<'_>| entry.parts.iter().any(|p| p.seen == Seen::Named);
        let entries =
            self.entries.iter().filter(move |(_, entry)| seen(entry)).map(|(last, _)| last);
        entries.chain(self.aliases.keys()).chain(self.named.keys())
    }
}

/// What comes into a space through its stars.
#[derive(Default)]
pub(super) struct Reach {
    /// The modules that export a name themselves, nearest first, and which of its sides come through.
    pub providers: BTreeMap<Name, Vec<(TypeName, Sides)>>,
    /// The specifiers of other packages.
    pub outside: Vec<Name>,
}

/// A name in a space with all its declarations.
#[derive(Default)]
pub(super) struct Entry<'a> {
    /// Its declarations in the order of files and lines.
    pub parts: Vec<Part<'a>>,
}

/// One declaration of a name.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    /// The scope that it stands in.
    pub scope: ScopeId,
    /// The declaration.
    pub item: &'a Item,
    /// Whether it can be seen from outside its space.
    pub seen: Seen,
}

/// How a declaration can be seen from outside its space.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    /// By its name.
    Named,
    /// As `default` only.
    Default,
    /// Not at all.
    Not,
}

/// All scopes and spaces of an api.
pub(super) struct World<'a> {
    /// The files, sorted by path.
    pub files: &'a [DeclarationFile],
    /// Specifiers and the modules that they mean.
    pub modules: BTreeMap<Name, Name>,
    /// All scopes; the first is the bare global one.
    pub scopes: Vec<Scope<'a>>,
    /// All spaces by name.
    pub spaces: BTreeMap<TypeName, Space<'a>>,
    /// `export as namespace`: global names of modules.
    pub umd: BTreeMap<Name, (TypeName, (u32, u32))>,
    /// What comes through `export * from`, by space.
    pub reach: BTreeMap<TypeName, Reach>,
    /// Blocks that add to modules, to be placed when all spaces are known.
    pub augmentations: Vec<Augmentation<'a>>,
    /// The namespaces of which it is just being asked whether they hold values: they may name themselves in a circle.
    pub asked_for_values: RefCell<BTreeSet<TypeName>>,
}

/// A block `declare module "x" { }` in a file that is a module itself.
#[derive(Clone, Copy)]
pub(super) struct Augmentation<'a> {
    /// The scope of its file.
    pub around: ScopeId,
    /// The specifier, as written.
    pub specifier: &'a Name,
    /// From 1.
    pub line: u32,
    /// What it adds.
    pub body: &'a Body,
}

impl<'a> World<'a> {
    /// Places everything that `files` declare, except augmentations.
    pub(super) fn of(files: &'a [DeclarationFile], modules: BTreeMap<Name, Name>) -> World<'a> {
        let globals = TypeName::global("");
        let mut world = World {
            files,
            modules,
            scopes: vec![Scope {
                space: globals.clone(),
                parent: None,
                file: 0,
                imports: BTreeMap::new(),
            }],
            spaces: BTreeMap::from([(globals, Space { own: true, ..Space::default() })]),
            umd: BTreeMap::new(),
            reach: BTreeMap::new(),
            augmentations: Vec::new(),
            asked_for_values: RefCell::default(),
        };
        for file in 0..files.len() {
            world.place_file(file);
        }
        world
    }

    fn place_file(&mut self, file: usize) {
        let it = &self.files[file];
        let scope = match it.declared.form {
            Form::Script => self.open_scope(TypeName::global(""), None, file, &it.declared.body),
            Form::Module => {
                let space = TypeName::within(it.module.clone(), "");
                self.own(&space, (file, 1));
                self.open_scope(space, Some(0), file, &it.declared.body)
            }
        };
        let otherwise = match it.declared.form {
            Form::Script => Implicit::Exported,
            Form::Module if is_declaration_file(&it.path) => implicit(&it.declared.body),
            Form::Module => Implicit::Hidden,
        };
        self.place_body(scope, &it.declared.body, otherwise);
        for block in it.declared.modules.iter().filter(|b| !b.name.contains('*')) {
            match it.declared.form {
                Form::Script => {
                    let canonical =
                        self.modules.entry(block.name.clone()).or_insert(block.name.clone());
                    let space = TypeName::within(canonical.clone(), "");
                    self.own(&space, (file, block.line));
                    self.spaces.entry(space.clone()).or_default().ambient = true;
                    let inner = self.open_scope(space, Some(scope), file, &block.body);
                    self.place_body(inner, &block.body, implicit(&block.body));
                }
                Form::Module => self.augmentations.push(Augmentation {
                    around: scope,
                    specifier: &block.name,
                    line: block.line,
                    body: &block.body,
                }),
            }
        }
        let space = self.scopes[scope].space.clone();
        for (name, line) in &it.declared.umd {
            let at = (crate::base::to_u32(file), *line);
            self.umd.entry(name.clone()).or_insert((space.clone(), at));
        }
    }

    fn own(&mut self, space: &TypeName, (file, line): (usize, u32)) {
        let space = self.spaces.entry(space.clone()).or_default();
        space.own = true;
        space.at.get_or_insert((crate::base::to_u32(file), line));
    }

    /// A new scope for `body`.
    pub(super) fn open_scope(
        &mut self,
        space: TypeName,
        parent: Option<ScopeId>,
        file: usize,
        body: &'a Body,
    ) -> ScopeId {
        let imports = body.imports.iter().rev().map(|i| (i.local.as_str(), i)).collect();
        self.scopes.push(Scope { space, parent, file, imports });
        self.scopes.len() - 1
    }

    /// Places all that `body` declares, imports and exports into the space of `scope`.
    pub(super) fn place_body(&mut self, scope: ScopeId, body: &'a Body, implicit: Implicit) {
        for item in &body.items {
            let seen = match (item.exported, implicit) {
                (Exported::Default, _) => Seen::Default,
                (Exported::Said, _) | (Exported::Silent, Implicit::Exported) => Seen::Named,
                (Exported::Silent, Implicit::Hidden) => Seen::Not,
            };
            self.place_item(scope, item, seen);
        }
        self.place_statements(scope, body);
    }

    /// Places what `body` exports and imports, and the global blocks in it.
    pub(super) fn place_statements(&mut self, scope: ScopeId, body: &'a Body) {
        let name = self.scopes[scope].space.clone();
        let is_global = name == TypeName::global("");
        let space = self.spaces.entry(name).or_default();
        for import in &body.imports {
            let is_alias = matches!(import.what, Imported::Alias(_));
            if import.exported == Exported::Said || (is_global && is_alias) {
                space.aliases.entry(import.local.clone()).or_insert((scope, import));
            }
        }
        for export in &body.exports {
            match &export.what {
                ExportKind::Local { name, .. } if name.is_empty() => {}
                ExportKind::Local { name, .. }
                | ExportKind::From { name, .. }
                | ExportKind::Whole { name, .. } => {
                    space.named.entry(name.clone()).or_default().push((scope, export));
                }
                ExportKind::Everything(module) => {
                    space.stars.push((scope, module.clone(), export.sides));
                }
                ExportKind::Instead(name) => space.instead = Some((scope, name.clone())),
            }
        }
        for block in &body.globals {
            let file = self.scopes[scope].file;
            let inner = self.open_scope(TypeName::global(""), Some(scope), file, block);
            self.place_body(inner, block, Implicit::Exported);
        }
    }

    /// Places one declaration, and what stands in it if it is a namespace.
    pub(super) fn place_item(&mut self, scope: ScopeId, item: &'a Item, seen: Seen) {
        let name = self.scopes[scope].space.clone();
        let child = name.child(&item.name);
        let space = self.spaces.entry(name).or_default();
        let own = space.own;
        space.entries.entry(item.name.clone()).or_default().parts.push(Part { scope, item, seen });
        if seen == Seen::Default {
            space.default.get_or_insert(item.name.clone());
        }
        if let What::Namespace(body) = &item.what {
            let file = self.scopes[scope].file;
            let inner = self.spaces.entry(child.clone()).or_default();
            inner.own |= own;
            inner.at.get_or_insert((crate::base::to_u32(file), item.line));
            let inner = self.open_scope(child, Some(scope), file, body);
            self.place_body(inner, body, implicit(body));
        }
    }

    /// The module that a specifier means in a file, if it is one of this api.
    pub(super) fn module(&self, file: usize, specifier: &str) -> Option<TypeName> {
        let resolved = self.files.get(file).and_then(|f| f.resolved.get(specifier));
        let canonical = resolved.or_else(|| self.modules.get(specifier));
        let name = TypeName::within(canonical.cloned().unwrap_or(specifier.into()), "");
        let known = self.spaces.get(&name).is_some_and(|s| s.own);
        (known && !name.module.is_empty()).then_some(name)
    }

    /// The entry of a full name.
    pub(super) fn entry(&self, name: &TypeName) -> Option<&Entry<'a>> {
        let (space, last) = split(name)?;
        self.spaces.get(&space)?.entries.get(last)
    }
}

/// A full name as the space that it stands in and its last part; a module's own name stands in none.
pub(super) fn split(name: &TypeName) -> Option<(TypeName, &str)> {
    let (path, last) = match name.path.rsplit_once('.') {
        Some((path, last)) => (path, last),
        None if name.path.is_empty() => return None,
        None => ("", name.path.as_str()),
    };
    Some((TypeName::within(name.module.clone(), path), last))
}

/// Whether a declaration that says nothing is exported.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Implicit {
    /// It is.
    Exported,
    /// It is not.
    Hidden,
}

/// In a declaration file, what says nothing is exported unless the body has export statements.
pub(super) fn implicit(body: &Body) -> Implicit {
    if body.exports.is_empty() { Implicit::Exported } else { Implicit::Hidden }
}

/// Whether a file holds declarations alone: `x.d.ts`, `x.d.mts`, `x.d.css.ts`.
fn is_declaration_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.contains(".d.")
}
