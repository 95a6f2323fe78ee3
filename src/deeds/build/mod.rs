//! `groundline build`: mines what holds for a root into the cache, or as JSON that a team commits and reviews.
//!
//! With `--explain` it says what was recognised and what was not, since an index with a hole must not be trusted to say
//! "invented".

pub mod explain;
pub mod writing;
pub mod builtins;

use crate::base::{Progress, Stop};
use crate::corpus::store::{self};
use crate::corpus::store::{Evidence, Held, Mining, Note, Project, Recipe, Store};
use crate::session::{Outside, Settings};
use crate::sources::workspace::{Reach, RootTrouble, Starts, root};
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What is asked of `groundline build`.
#[derive(Debug, Clone, Default)]
pub struct BuildWish {
    /// How much is told.
    pub explain: Explain,
    /// Where the datagraphs are written as JSON, a folder each, instead of into the cache.
    pub out: Option<PathBuf>,
    /// Globs of declarations that are mined beside what holds, before there is a configuration.
    pub declarations: Vec<String>,
    /// The folder whose `node_modules` the built-in datagraphs are mined from, instead of anything else.
    pub builtins: Option<PathBuf>,
}

/// How much is told of what was mined.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Explain {
    /// One line for each api.
    #[default]
    Brief,
    /// What was recognised and what was not, per source.
    Sources,
}

/// What a build gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildReport {
    /// What to show.
    pub text: String,
    /// Whether everything that was asked for is there.
    pub complete: bool,
}

/// Why nothing could be built.
#[derive(Debug, Error)]
pub enum BuildTrouble {
    /// There is no root.
    #[error(transparent)]
    Root(#[from] RootTrouble),
    /// A file could not be written.
    #[error("{path} cannot be written: {why}")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        why: io::Error,
    },
    /// The packages that the built-in datagraphs are mined from are not there.
    #[error("{0} is not installed: npm install typescript@6 @types/node there first")]
    NoPackage(PathBuf),
}

/// Mines what `wish` asks for.
pub fn run(
    settings: &Settings,
    wish: &BuildWish,
    progress: &dyn Progress,
) -> Result<BuildReport, BuildTrouble> {
    if let Some(folder) = &wish.builtins {
        let out = wish.out.clone().unwrap_or_else(|| PathBuf::from("datagraphs"));
        return builtins::run(&settings.here.join(folder), &settings.here.join(out), progress);
    }
    let root = root_of(settings)?;
    let project = Project {
        root: &root,
        home: settings.home.as_deref(),
        reach: match settings.outside {
            Outside::Refused => Reach::Repository,
            Outside::Allowed => Reach::Anywhere,
        },
        evidence: Evidence::default(),
        declarations: &wish.declarations,
    };
    let store = Store::new(settings.cache.clone());
    let (held, notes) = store.held(&project, Mining::Always, &Stop::default(), progress);
    let mined: Vec<&Held> =
        held.iter().filter(|h| !matches!(h.recipe, Recipe::Embedded(_))).collect();
    let mut text = String::new();
    for one in &held {
        text.push_str(&match wish.explain {
            Explain::Brief => explain::brief(one),
            Explain::Sources => explain::sources(one),
        });
    }
    text.push_str(&told(&root, &mined, &notes));
    if let Some(out) = &wish.out {
        let out = settings.here.join(out);
        for one in &mined {
            let folder = writing::write(&out, &one.kept.datagraph)?;
            text.push_str(&format!("written {}\n", folder.display()));
        }
    }
    let complete = notes.iter().all(|n| n.weight == store::Weight::Remark);
    Ok(BuildReport { text, complete })
}

fn root_of(settings: &Settings) -> Result<PathBuf, RootTrouble> {
    let starts = Starts {
        root: settings.root.as_deref(),
        project: settings.project.as_deref(),
        here: &settings.here,
        home: settings.home.as_deref(),
    };
    root(&starts, None, &[])
}

fn told(root: &Path, mined: &[&Held], notes: &[Note]) -> String {
    let mut text = String::new();
    for note in notes {
        text.push_str(&format!("note  {}: {}\n", note.about, note.text));
    }
    if mined.is_empty() {
        text.push_str(&format!(
            "nothing to mine in {}: no groundline.toml with declarations, no installed package with types\n",
            root.display()
        ));
    }
    text
}
