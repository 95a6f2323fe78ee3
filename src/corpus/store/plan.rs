//! Which apis hold in a project and what each is made of, decided from evidence; nothing is mined here.
//!
//! The configuration's apis come first. Installed packages hold beside them, but for those that the configuration names
//! or takes files of. Of the built-in ones those hold that it names, or else those that the evidence speaks for.

use super::note::Note;
use crate::base::Name;
use crate::corpus::embedded;
use crate::datagraph::format::packed::LAYOUT;
use crate::sources::packages::manifest::Sign;
use crate::sources::packages::{Compiler, Ground, Member, Package, compiler, members, named};
use crate::sources::settings::dialects::Dialect;
use crate::sources::settings::globs::Refused;
use crate::sources::settings::patterns::Pattern;
use crate::sources::settings::{self, Configuration, ConfiguredApi, globs};
use crate::sources::workspace::opening::{Reach, hash_of, slashed};
use crate::sources::workspace::{Workspace, top_of};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A project, as far as it decides which apis hold.
#[derive(Debug, Clone)]
pub struct Project<'p> {
    /// The root.
    pub root: &'p Path,
    /// The home folder, above which nothing is looked for.
    pub home: Option<&'p Path>,
    /// How far its configuration may reach.
    pub reach: Reach,
    /// What its scripts show.
    pub evidence: Evidence,
    /// Globs that stand for a configuration that is not there yet (`--declarations`).
    pub declarations: &'p [String],
    /// Globs of pages, likewise (`--pages`).
    pub pages: &'p [String],
}

/// What a project's files show about where they run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Some script requires or imports a module of node's own.
    pub requires_node: bool,
    /// Some file is HTML; where this is false it is looked for.
    pub html: bool,
}

/// What an api is made of.
#[derive(Debug, Clone, PartialEq)]
pub enum Recipe {
    /// An installed package.
    Package(Box<Package>),
    /// Declaration files and pages that are listed.
    Listed {
        /// The api's name.
        name: Name,
        /// Its version.
        version: Name,
        /// The declaration files.
        files: Vec<PathBuf>,
        /// The pages.
        pages: Vec<PathBuf>,
        /// How pages are read where no dialect covers them.
        patterns: Vec<Pattern>,
        /// The dialect of all pages, where it is said.
        dialect: Option<Dialect>,
        /// What their paths are relative to.
        folder: PathBuf,
    },
    /// A datagraph that was mined before.
    Folder {
        /// The api's name.
        name: Name,
        /// Where it is.
        folder: PathBuf,
    },
    /// A datagraph that is built in.
    Embedded(Name),
}

impl Recipe {
    /// The api's name.
    pub fn name(&self) -> Name {
        match self {
            Recipe::Package(package) => package.name.clone(),
            Recipe::Listed { name, .. } | Recipe::Folder { name, .. } | Recipe::Embedded(name) => {
                name.clone()
            }
        }
    }

    /// What tells it from every other, as a name for a file.
    pub fn key(&self) -> String {
        let said = match self {
            Recipe::Package(p) => {
                format!("package\n{}\n{}\n{}\n{:?}", p.name, p.version, slashed(&p.folder), p.only)
            }
            Recipe::Listed { name, version, files, pages, patterns, dialect, folder } => {
                let all = |files: &[PathBuf]| -> String {
                    files.iter().map(|f| format!("{}\n", slashed(f))).collect()
                };
                let (folder, files, pages) = (slashed(folder), all(files), all(pages));
                let patterns: String = patterns.iter().map(|p| format!("{p}\n")).collect();
                let dialect = dialect.map_or("", Dialect::name);
                format!(
                    "listed\n{dialect}\n{name}\n{version}\n{folder}\n{files}\npages\n{pages}\npatterns\n{patterns}"
                )
            }
            Recipe::Folder { name, folder } => format!("folder\n{name}\n{}", slashed(folder)),
            Recipe::Embedded(name) => format!("embedded\n{name}"),
        };
        let build = env!("CARGO_PKG_VERSION");
        hash_of(format!("{LAYOUT}\n{build}\n{said}").as_bytes())
    }
}

/// Which apis hold.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// What they are made of, the configuration's first.
    pub recipes: Vec<Recipe>,
    /// Packages that the configuration stands for.
    pub covered: BTreeSet<Name>,
    /// What could not be had.
    pub notes: Vec<Note>,
    /// The repository's top, or the root.
    pub top: PathBuf,
}

/// Which apis hold in `project`.
pub fn plan(project: &Project<'_>) -> Plan {
    let top = top_of(project.root, project.home);
    let mut plan = Plan { top: top.clone(), ..Plan::default() };
    let ground = Ground { root: project.root, top: &top, reach: project.reach };
    let configuration = configuration(project, &top, &mut plan.notes);
    for api in &configuration.apis {
        configured(api, &configuration, &ground, &mut plan);
    }
    let said = [("declarations", project.declarations, &[][..]), ("pages", &[][..], project.pages)];
    for (name, declarations, pages) in said {
        if declarations.is_empty() && pages.is_empty() {
            continue;
        }
        let api = ConfiguredApi {
            name: name.into(),
            declarations: declarations.to_vec(),
            pages: pages.to_vec(),
            ..ConfiguredApi::default()
        };
        let here =
            Configuration { file: project.root.join(settings::FILE), ..Configuration::default() };
        configured(&api, &here, &ground, &mut plan);
    }
    let members = members(&ground);
    let compiler = compiler(project.root, &top);
    installed(&members, &compiler, &ground, &mut plan);
    unexplained(&configuration, &mut plan);
    built_in(project, &configuration, &members, &compiler, &mut plan);
    plan
}

fn configuration(project: &Project<'_>, top: &Path, notes: &mut Vec<Note>) -> Configuration {
    let Some(file) = settings::found(project.root, top, project.home) else {
        return Configuration::default();
    };
    match settings::read(&file) {
        Ok(configuration) => {
            let shown = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
            for warning in &configuration.warnings {
                notes.push(Note::remark(format!("{shown}:{}", warning.line), warning.text.clone()));
            }
            configuration
        }
        Err(why) => {
            notes.push(Note::trouble(settings::FILE, format!("is not used: {why}")));
            Configuration::default()
        }
    }
}

fn configured(api: &ConfiguredApi, from: &Configuration, ground: &Ground<'_>, plan: &mut Plan) {
    let name = &api.name;
    if plan.recipes.iter().any(|r| r.name() == *name) {
        plan.notes.push(Note::trouble(name.as_str(), "is configured twice: the first holds"));
        return;
    }
    plan.covered.insert(name.clone());
    if let Some(folder) = &api.datagraph {
        let folder = globs::lexical(&from.folder().join(folder));
        match globs::is_within(&folder, ground.top, ground.reach) {
            true => plan.recipes.push(Recipe::Folder { name: name.clone(), folder }),
            false => {
                let text = format!(
                    "its datagraph {} does not exist inside the repository",
                    slashed(&folder)
                );
                plan.notes.push(Note::trouble(name.as_str(), text));
            }
        }
        return;
    }
    if api.is_name_only() {
        match embedded::NAMES.contains(&name.as_str()) {
            true => plan.recipes.push(Recipe::Embedded(name.clone())),
            // Whether it is a package's name is known once those are found.
            false => drop(plan.covered.remove(name)),
        }
        return;
    }
    let mut found = |globs: &[String], what: &str| -> Vec<PathBuf> {
        let listed = globs::files(from.folder(), globs, ground.top, ground.reach);
        plan.notes.extend(refusals(name, &listed.refused));
        if listed.files.is_empty() && !globs.is_empty() {
            let text = format!("none of its {what} could be found");
            plan.notes.push(Note::trouble(name.as_str(), text));
        }
        listed.files
    };
    let files = found(&api.declarations, "declarations");
    let pages = found(&api.pages, "pages");
    if files.is_empty() && pages.is_empty() {
        return;
    }
    // What is listed out of a package stands for the package.
    plan.covered.extend(files.iter().filter_map(|file| package_around(file)));
    let folder = from.folder().canonicalize().unwrap_or_else(|_| from.folder().to_path_buf());
    plan.recipes.push(Recipe::Listed {
        name: name.clone(),
        version: api.version.clone(),
        files,
        pages,
        patterns: api.patterns.clone(),
        dialect: api.dialect,
        folder,
    });
}

/// One note for each reason: the first that it holds for, and how many more.
fn refusals(name: &Name, refused: &[Refused]) -> Vec<Note> {
    let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for one in refused {
        by_reason.entry(&one.why).or_default().push(&one.path);
    }
    let said = by_reason.into_iter().map(|(why, paths)| {
        let more = match paths.len() - 1 {
            0 => String::new(),
            n => format!("; so are {n} more"),
        };
        Note::trouble(name.as_str(), format!("{} {why}{more}", paths[0]))
    });
    said.collect()
}

/// Says of which apis of the configuration nothing was found by their name.
fn unexplained(configuration: &Configuration, plan: &mut Plan) {
    for api in configuration.apis.iter().filter(|a| a.is_name_only()) {
        if plan.recipes.iter().all(|r| r.name() != api.name) {
            let known = embedded::NAMES.join(", ");
            let text = format!(
                "says nothing of where it comes from: give declarations or pages, or name an installed \
                 package or one of {known}"
            );
            plan.notes.push(Note::trouble(api.name.as_str(), text));
        }
    }
}

/// The name of the package that `file` lies in.
fn package_around(file: &Path) -> Option<Name> {
    use crate::sources::packages::manifest::{package_of, users_name};
    let text = slashed(file);
    let (_, inner) = text.rsplit_once("/node_modules/")?;
    package_of(inner).map(users_name)
}

/// How many packages a note names.
const MAX_NAMED: usize = 20;

fn installed(members: &[Member], compiler: &Compiler, ground: &Ground<'_>, plan: &mut Plan) {
    let named = named(members, compiler, ground);
    for (package, _) in named.packages {
        if !plan.covered.contains(&package.name) {
            plan.recipes.push(Recipe::Package(Box::new(package)));
        }
    }
    let uncovered = |names: Vec<Name>| -> Vec<Name> {
        names.into_iter().filter(|n| !plan.covered.contains(n)).collect()
    };
    let (silent, missing) = (uncovered(named.silent), uncovered(named.missing));
    for (names, why) in [(silent, "they declare no types"), (missing, "they are not installed")] {
        if !names.is_empty() {
            let first =
                names.iter().take(MAX_NAMED).map(Name::as_str).collect::<Vec<_>>().join(", ");
            let more = match names.len().saturating_sub(MAX_NAMED) {
                0 => String::new(),
                n => format!(" and {n} more"),
            };
            let text = format!("nothing is known of {first}{more}: {why}");
            plan.notes.push(Note::remark("packages", text));
        }
    }
}

fn built_in(
    project: &Project<'_>,
    configuration: &Configuration,
    members: &[Member],
    compiler: &Compiler,
    plan: &mut Plan,
) {
    let mut hold: Vec<Name> = Vec::new();
    match &configuration.builtins {
        Some(names) => {
            for name in names {
                match embedded::BUILTINS.contains(&name.as_str()) {
                    true => hold.push(name.clone()),
                    false => {
                        let known = embedded::BUILTINS.join(", ");
                        let text = format!("is no built-in datagraph: {known} are");
                        plan.notes.push(Note::trouble(name.as_str(), text));
                    }
                }
            }
        }
        None => {
            hold.push("ecmascript".into());
            if is_node(project, members) {
                hold.push("node".into());
            }
            if is_web(project, members, compiler) {
                hold.push("web".into());
            }
        }
    }
    for name in hold {
        // The version that is installed replaces the one that is built in.
        if !plan.covered.contains(&name) && plan.recipes.iter().all(|r| r.name() != name) {
            plan.recipes.push(Recipe::Embedded(name));
        }
    }
}

fn is_node(project: &Project<'_>, members: &[Member]) -> bool {
    project.evidence.requires_node
        || members.iter().any(|m| {
            m.manifest.signs.node == Sign::Present
                || m.manifest.dependencies.iter().any(|d| d == "@types/node")
        })
}

/// Dependencies that run in a browser.
const FRONT_END: [&str; 34] = [
    "@angular/core",
    "@builder.io/qwik",
    "@hotwired/stimulus",
    "@vitejs/plugin-react",
    "@vitejs/plugin-vue",
    "alpinejs",
    "astro",
    "backbone",
    "bootstrap",
    "d3",
    "electron",
    "ember-source",
    "gatsby",
    "htmx.org",
    "jquery",
    "jsdom",
    "konva",
    "leaflet",
    "lit",
    "next",
    "nuxt",
    "ol",
    "p5",
    "parcel",
    "phaser",
    "pixi.js",
    "preact",
    "react-dom",
    "react",
    "solid-js",
    "svelte",
    "three",
    "vite",
    "vue",
];

/// How many files are looked at for HTML.
const MAX_LOOKED_AT: usize = 20_000;

fn is_web(project: &Project<'_>, members: &[Member], compiler: &Compiler) -> bool {
    if let Some(lib) = &compiler.lib {
        return lib.iter().any(|l| l == "dom" || l.starts_with("dom."));
    }
    project.evidence.html
        || members.iter().any(|m| {
            m.manifest.signs.browser == Sign::Present
                || m.manifest.dependencies.iter().any(|d| FRONT_END.contains(&d.as_str()))
        })
        || Workspace::new(project.root.to_path_buf())
            .has_extension(&["html", "htm", "vue", "svelte"], MAX_LOOKED_AT)
}
