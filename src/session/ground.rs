//! What a call stands on: the root it works in, and the apis that hold there.
//!
//! Opened anew for every call, so that an answer never comes from sources that have changed meanwhile; what has not
//! changed is not read twice.

use super::call::{Outside, Settings};
use crate::base::{Progress, Stop};
use crate::corpus::Corpus;
use crate::corpus::documents::Documents;
use crate::corpus::store::plan::{Evidence, Project};
use crate::corpus::store::{Held, Store, Weight};
use crate::datagraph::Datagraph;
use crate::sources::settings;
use crate::sources::workspace::{Reach, RootTrouble, Standing, Starts, Workspace, root};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// How many scripts are looked at for what shows that they run in Node.js.
const MAX_EVIDENCE: usize = 40;

/// Of how many apis the age is kept.
const MAX_AGES: usize = 256;

/// The root of a call and what is known there.
pub(super) struct Ground {
    /// The project's files.
    pub workspace: Workspace,
    /// The home folder.
    pub home: Option<PathBuf>,
    /// The apis that hold.
    pub corpus: Arc<Corpus>,
    /// What each is made of.
    pub held: Vec<Held>,
    /// Their names and versions.
    pub apis: Vec<String>,
    /// What could not be had.
    pub notes: Vec<String>,
    /// What else is worth knowing.
    pub remarks: Vec<String>,
}

/// Why a call has nothing to stand on.
#[derive(Debug, thiserror::Error)]
pub(super) enum GroundTrouble {
    /// There is no root.
    #[error(transparent)]
    Root(#[from] RootTrouble),
    /// The project's configuration cannot be read, so which apis hold is not known.
    #[error("groundline.toml {0}: mend it and call again")]
    Configuration(String),
}

/// Opens grounds and keeps what they share.
pub(super) struct Grounds {
    store: Store,
    corpora: Mutex<BTreeMap<PathBuf, Arc<Corpus>>>,
    evidence: Mutex<BTreeMap<PathBuf, Evidence>>,
    /// When each api's datagraph was taken in.
    taken_in: Mutex<BTreeMap<String, (Weak<Datagraph>, Instant)>>,
}

impl Grounds {
    /// Nothing is opened yet.
    pub fn new(cache: Option<PathBuf>) -> Grounds {
        Grounds {
            store: Store::new(cache),
            corpora: Mutex::default(),
            evidence: Mutex::default(),
            taken_in: Mutex::default(),
        }
    }

    /// The ground of a call that asks for `asked`.
    pub fn open(
        &self,
        started: &Settings,
        asked: Option<&str>,
        client_roots: &[PathBuf],
        stop: &Stop,
        progress: &dyn Progress,
    ) -> Result<Ground, GroundTrouble> {
        let root = root_of(started, asked, client_roots)?;
        let workspace = Workspace::new(root.clone());
        let project = Project {
            root: &root,
            home: started.home.as_deref(),
            reach: match started.outside {
                Outside::Refused => Reach::Repository,
                Outside::Allowed => Reach::Anywhere,
            },
            evidence: self.evidence(&workspace, stop),
            declarations: &[],
            pages: &[],
        };
        let (held, notes) = self.store.held(&project, started.mining, stop, progress);
        let graphs = held.iter().map(|h| Arc::clone(&h.kept.datagraph)).collect::<Vec<_>>();
        if let Some(broken) =
            notes.iter().find(|n| n.about == settings::FILE && n.weight == Weight::Trouble)
        {
            return Err(GroundTrouble::Configuration(broken.text.clone()));
        }
        self.note_taken_in(&graphs);
        let apis = graphs.iter().map(|g| named(g)).collect();
        let said = |weight: Weight| -> Vec<String> {
            let of_weight = notes.iter().filter(|n| n.weight == weight);
            of_weight.map(|n| format!("{}: {}", n.about, n.text)).collect()
        };
        Ok(Ground {
            corpus: self.corpus(&root, graphs),
            home: started.home.clone(),
            held,
            workspace,
            apis,
            notes: said(Weight::Trouble),
            remarks: said(Weight::Remark),
        })
    }

    /// What the sources of the apis say, of all that hold or of the one called `api`; and what could not be had.
    pub fn documents(
        &self,
        ground: &Ground,
        api: Option<&str>,
        stop: &Stop,
        progress: &dyn Progress,
    ) -> (Vec<Arc<Documents>>, Vec<String>) {
        let (mut all, mut notes) = (Vec::new(), Vec::new());
        let wanted = ground.held.iter().filter(|h| api.is_none_or(|api| h.recipe.name() == api));
        for held in wanted {
            match self.store.documents(held, stop, progress) {
                Ok(documents) => all.push(documents),
                Err(why) => notes.push(format!("{}: {why}", held.recipe.name())),
            }
        }
        if let (true, Some(api)) = (all.is_empty() && notes.is_empty(), api) {
            let names: Vec<String> =
                ground.held.iter().map(|h| h.recipe.name().to_string()).collect();
            notes.push(format!("no api called {api} holds here; these do: {}", names.join(", ")));
        }
        (all, notes)
    }

    /// How long ago each api's index was taken in.
    pub fn ages(&self) -> Vec<(String, Duration)> {
        let taken_in = locked(&self.taken_in);
        taken_in.iter().map(|(api, (_, at))| (api.clone(), at.elapsed())).collect()
    }

    #[expect(clippy::disallowed_methods, reason = "how old an index is goes into no answer")]
    fn note_taken_in(&self, graphs: &[Arc<Datagraph>]) {
        let mut taken_in = locked(&self.taken_in);
        for graph in graphs {
            let name = named(graph);
            let same = taken_in.get(&name).is_some_and(|(g, _)| g.as_ptr() == Arc::as_ptr(graph));
            if !same && (taken_in.len() < MAX_AGES || taken_in.contains_key(&name)) {
                taken_in.insert(name, (Arc::downgrade(graph), Instant::now()));
            }
        }
    }

    /// The corpus of these datagraphs; the one from before where they are the same.
    fn corpus(&self, root: &Path, graphs: Vec<Arc<Datagraph>>) -> Arc<Corpus> {
        let mut corpora = locked(&self.corpora);
        if let Some(before) = corpora.get(root) {
            let same = before.graphs.len() == graphs.len()
                && before.graphs.iter().zip(&graphs).all(|(a, b)| Arc::ptr_eq(a, b));
            if same {
                return Arc::clone(before);
            }
        }
        let corpus = Arc::new(Corpus::new(graphs));
        corpora.insert(root.to_path_buf(), Arc::clone(&corpus));
        corpus
    }

    /// What the project's scripts show about where they run; looked at once.
    fn evidence(&self, workspace: &Workspace, stop: &Stop) -> Evidence {
        if let Some(known) = locked(&self.evidence).get(workspace.root()) {
            return *known;
        }
        let scripts = workspace.scripts(stop).files.into_iter();
        let own = scripts.filter(|f| f.standing == Standing::Own).take(MAX_EVIDENCE);
        let requires_node =
            own.filter_map(|f| workspace.read(&f.path).ok()).any(|read| mentions_node(&read.text));
        let evidence = Evidence { requires_node, html: false };
        locked(&self.evidence).insert(workspace.root().to_path_buf(), evidence);
        evidence
    }
}

/// The root of a call that asks for `asked`.
pub(super) fn root_of(
    started: &Settings,
    asked: Option<&str>,
    client_roots: &[PathBuf],
) -> Result<PathBuf, RootTrouble> {
    let starts = Starts {
        root: started.root.as_deref(),
        project: started.project.as_deref(),
        here: &started.here,
        home: started.home.as_deref(),
        only: &started.only,
    };
    root(&starts, asked.map(Path::new), client_roots)
}

fn named(graph: &Datagraph) -> String {
    if graph.version.is_empty() {
        graph.api.to_string()
    } else {
        format!("{} {}", graph.api, graph.version)
    }
}

/// Whether a text requires or imports a module of Node.js.
fn mentions_node(text: &str) -> bool {
    let modules = [
        "fs",
        "path",
        "os",
        "http",
        "https",
        "url",
        "util",
        "events",
        "stream",
        "crypto",
        "child_process",
    ];
    modules.iter().any(|module| {
        ['"', '\''].iter().any(|quote| {
            ["require(", "from "].iter().any(|before| {
                text.contains(&format!("{before}{quote}{module}{quote}"))
                    || text.contains(&format!("{before}{quote}node:{module}{quote}"))
            })
        })
    })
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
