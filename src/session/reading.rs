//! What the apis of a ground say, kept as long as they stay the same.

use super::ground::Ground;
use crate::base::{Progress, Stop};
use crate::corpus::documents::Documents;
use crate::datagraph::Datagraph;
use crate::datagraph::documentation::Documentation;
use std::sync::{Arc, Mutex, PoisonError};

/// How many apis are kept open.
const MAX_OPEN: usize = 64;

/// Documents that were opened before.
#[derive(Default)]
pub(super) struct Readings {
    open: Mutex<Vec<Arc<Documents>>>,
}

impl Readings {
    /// The documents of the apis that hold on `ground`, or of the one called `api`, and what could not be had.
    pub fn documents(
        &self,
        ground: &Ground,
        api: Option<&str>,
        stop: &Stop,
        progress: &dyn Progress,
    ) -> (Vec<Arc<Documents>>, Vec<String>) {
        let graphs = ground.corpus.graphs.iter().filter(|g| api.is_none_or(|api| *g.api == *api));
        let graphs: Vec<&Arc<Datagraph>> = graphs.collect();
        let mut documents = Vec::new();
        for (n_done, graph) in (0..).zip(&graphs) {
            if stop.is_set() {
                break;
            }
            progress.step(n_done, graphs.len() as u64, &graph.api);
            documents.push(self.of(graph));
        }
        let unknown = api.filter(|_| graphs.is_empty());
        let notes = unknown.map(|api| {
            format!("no api called {api} holds here; these do: {}", ground.apis.join(", "))
        });
        (documents, notes.into_iter().collect())
    }

    fn of(&self, graph: &Arc<Datagraph>) -> Arc<Documents> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = open.iter().find(|known| Arc::ptr_eq(&known.graph, graph)) {
            return Arc::clone(known);
        }
        let made = Arc::new(Documents::of(Arc::clone(graph), Documentation::default()));
        if open.len() >= MAX_OPEN {
            open.remove(0);
        }
        open.push(Arc::clone(&made));
        made
    }
}
