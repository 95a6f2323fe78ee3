//! The apis that hold for a root, opened for a command of a person.

use crate::base::{Progress, Stop};
use crate::corpus::store::{Evidence, Held, Mining, Note, Project, Store};
use crate::session::{Outside, Settings};
use crate::sources::workspace::{Reach, RootTrouble, Starts, root};
use std::path::{Path, PathBuf};

/// What holds for a root.
pub struct Opened {
    /// The root.
    pub root: PathBuf,
    /// Where what was mined is kept.
    pub store: Store,
    /// The apis, in the order of the configuration and then by name.
    pub held: Vec<Held>,
    /// What could not be had, and what else is worth knowing.
    pub notes: Vec<Note>,
}

/// Globs that stand for a configuration that is not there yet.
#[derive(Debug, Clone, Copy, Default)]
pub struct Globs<'g> {
    /// Of declarations.
    pub declarations: &'g [String],
    /// Of pages.
    pub pages: &'g [String],
}

/// The root that a command works in.
pub fn root_of(settings: &Settings) -> Result<PathBuf, RootTrouble> {
    let starts = Starts {
        root: settings.root.as_deref(),
        project: settings.project.as_deref(),
        here: &settings.here,
        home: settings.home.as_deref(),
        only: &settings.only,
    };
    root(&starts, None, &[])
}

/// `settings` for a session that knows `roots` only, the first where a call names none; without any, the root that a
/// command would work in.
pub fn confined(settings: Settings, roots: &[PathBuf]) -> Result<Settings, RootTrouble> {
    let found = match roots {
        [] => vec![root_of(&settings)?],
        roots => roots
            .iter()
            .map(|root| root_of(&Settings { root: Some(root.clone()), ..settings.clone() }))
            .collect::<Result<_, _>>()?,
    };
    Ok(Settings { root: found.first().cloned(), only: found, ..settings })
}

/// The project at `root`, as far as it decides which apis hold.
pub fn project<'p>(settings: &'p Settings, root: &'p Path, globs: Globs<'p>) -> Project<'p> {
    Project {
        root,
        home: settings.home.as_deref(),
        reach: match settings.outside {
            Outside::Refused => Reach::Repository,
            Outside::Allowed => Reach::Anywhere,
        },
        evidence: Evidence::default(),
        declarations: globs.declarations,
        pages: globs.pages,
    }
}

/// Opens what holds for the root of `settings`.
pub fn opened(
    settings: &Settings,
    globs: Globs<'_>,
    mining: Mining,
    progress: &dyn Progress,
) -> Result<Opened, RootTrouble> {
    let root = root_of(settings)?;
    let project = project(settings, &root, globs);
    let store = Store::new(settings.cache.clone());
    let (held, notes) = store.held(&project, mining, &Stop::default(), progress);
    Ok(Opened { root, store, held, notes })
}
