//! One call of `verify_fingerprint`: a baseline is taken, compared, or listed.

use super::arguments::{ArgumentTrouble, Arguments};
use super::baselines::{self, BaselineTrouble, Baselines, Owner};
use super::call::{Call, Outcome, Principal, Reply, Settings};
use crate::answers::verify_fingerprint::{Baseline, Comparison, Verdict, compare};
use crate::base::{Progress, Stop};
use crate::envelope::verify_fingerprint::{self as words, Listed};
use crate::envelope::{DEFAULT_CHARS, MOST_CHARS};
use crate::sources::repository::ObjectId;
use crate::sources::tree::{self, Fingerprint, Ground, TreeTrouble};
use crate::sources::workspace::paths::bytes_of_path;
use crate::sources::workspace::{Patterns, RootTrouble, Starts, TreePath, root, top_of};
use std::path::{Path, PathBuf};

/// Where the tree lies that is meant.
pub(super) struct Place {
    root: PathBuf,
    top: PathBuf,
    home: Option<PathBuf>,
}

/// Why a call could not be answered.
#[derive(Debug, thiserror::Error)]
pub(super) enum FingerprintTrouble {
    /// An argument was not understood.
    #[error(transparent)]
    Argument(#[from] ArgumentTrouble),
    /// There is no root.
    #[error(transparent)]
    Root(#[from] RootTrouble),
    /// The tree could not be read when a baseline was to be taken.
    #[error("verify_fingerprint  no baseline was taken: {0}")]
    Begin(#[from] TreeTrouble),
    /// What was asked for is not one of the three actions.
    #[error(
        "`action` must be \"begin\", \"compare\" or \"status\", as in {{\"action\":\"begin\"}}"
    )]
    Action,
    /// A comparison needs to be told with what.
    #[error(
        "`baseline` must be the id that begin gave, as in {{\"action\":\"compare\",\"baseline\":\"…\"}}; status lists them"
    )]
    NoBaseline,
    /// A glob is no glob.
    #[error("`{0}` is no pattern as in a .gitignore: {1}")]
    Glob(String, String),
    /// What was asked for is not there yet.
    #[error(
        "`watch` is not offered yet: leave it out; what was edited and put back is reported from its traces"
    )]
    Watch,
    /// The state folder lies in the tree.
    #[error(
        "the state folder lies inside the root {0}: name one outside it with --state DIR or GROUNDLINE_STATE"
    )]
    StateInside(PathBuf),
}

impl Place {
    /// The place that a call means.
    pub fn of(settings: &Settings, call: &Call) -> Result<Place, FingerprintTrouble> {
        let asked = Arguments(&call.arguments).text("root")?;
        let starts = Starts {
            root: settings.root.as_deref(),
            project: settings.project.as_deref(),
            here: &settings.here,
            home: settings.home.as_deref(),
            only: &settings.only,
        };
        let root = root(&starts, asked.as_deref().map(Path::new), &call.client_roots)?;
        let top = top_of(&root, settings.home.as_deref());
        Ok(Place { root, top, home: settings.home.clone() })
    }

    fn ground(&self) -> Ground<'_> {
        Ground { root: &self.root, top: &self.top, home: self.home.as_deref() }
    }
}

/// Answers the call.
pub(super) fn verify(
    call: &Call,
    place: &Place,
    baselines: &Baselines,
    stop: &Stop,
    progress: &dyn Progress,
) -> Result<Reply, FingerprintTrouble> {
    let arguments = Arguments(&call.arguments);
    let max_chars = arguments.number("max_chars", 500..=MOST_CHARS as u64)?;
    let max_chars = max_chars.map_or(DEFAULT_CHARS, |n| n as usize);
    let principal = &call.principal;
    let one = One { place, principal, baselines, max_chars, stop, progress };
    if arguments.flag("watch")? == Some(true) {
        return Err(FingerprintTrouble::Watch);
    }
    let action = arguments.text("action")?.unwrap_or_default();
    match action.trim().to_ascii_lowercase().as_str() {
        "begin" => {
            let include = arguments.list_of_text("include")?.unwrap_or_default();
            let allow = arguments.list_of_text("allow")?.unwrap_or_default();
            one.begin(include, allow)
        }
        "compare" => {
            let id = arguments.text("baseline")?.ok_or(FingerprintTrouble::NoBaseline)?;
            Ok(one.compare(id.trim()))
        }
        "status" => Ok(one.status()),
        _ => Err(FingerprintTrouble::Action),
    }
}

struct One<'o> {
    place: &'o Place,
    principal: &'o Principal,
    baselines: &'o Baselines,
    max_chars: usize,
    stop: &'o Stop,
    progress: &'o dyn Progress,
}

impl One<'_> {
    fn owner(&self) -> Owner<'_> {
        Owner { principal: self.principal, root: &self.place.root }
    }

    fn begin(&self, include: Vec<String>, allow: Vec<String>) -> Result<Reply, FingerprintTrouble> {
        let root = &self.place.root;
        if let Some((glob, why)) = Patterns::misfit(&include).or_else(|| Patterns::misfit(&allow)) {
            return Err(FingerprintTrouble::Glob(glob, why));
        }
        if self.baselines.lie_in(root) {
            return Err(FingerprintTrouble::StateInside(root.clone()));
        }
        let included = Patterns::of(&include.join("\n"));
        let fingerprint = tree::begin(self.place.ground(), &included, self.stop, self.progress)?;
        let root_bytes = TreePath::of(&bytes_of_path(root));
        let baseline = Baseline { root: root_bytes, include, allow, fingerprint };
        let (id, kept) = self.baselines.keep(self.owner(), &baseline);
        let notes = match kept {
            baselines::Place::Disk => Vec::new(),
            baselines::Place::Memory(why) => {
                vec![format!("kept in memory only, and gone when this session ends: {why}")]
            }
        };
        let mut data = words::as_json(&id, None, Some(&baseline.fingerprint));
        data["remarks"] = notes.clone().into();
        let allowed = Patterns::of(&baseline.allow.join("\n"));
        data["tree"] = baseline.fingerprint.content(&allowed).into();
        // The repository of the root itself, or the one around it, not one that lies in it.
        let own = baseline.fingerprint.frame.repositories.iter().find(|r| r.at.is_root());
        data["commit"] = own.and_then(|r| r.head.commit.as_ref()).map(ObjectId::hex).into();
        let text = words::begun(&id, &baseline.fingerprint, &notes, self.max_chars);
        Ok(Reply::new(text, data, Outcome::Clean))
    }

    fn compare(&self, id: &str) -> Reply {
        let (found, now) = match self.compared(id) {
            Ok((found, now)) => (found, Some(now)),
            Err(why) => {
                let verdict = Verdict::Unknown(vec![why]);
                (Comparison { verdict, remarks: Vec::new() }, None)
            }
        };
        self.baselines.note(self.owner(), id, words::word(&found.verdict));
        let outcome = match found.verdict {
            Verdict::Held => Outcome::Clean,
            Verdict::Moved(_) => Outcome::Findings,
            Verdict::Unknown(_) => Outcome::Failed,
        };
        let text = words::compared(id, &found, now.as_ref(), self.max_chars);
        Reply::new(text, words::as_json(id, Some(&found), now.as_ref()), outcome)
    }

    /// The comparison, or in a line why there is none.
    fn compared(&self, id: &str) -> Result<(Comparison, Fingerprint), String> {
        let loaded = self.baselines.load(self.owner(), id);
        let base = loaded.map_err(|why: BaselineTrouble| why.to_string())?;
        let ground = self.place.ground();
        let include = Patterns::of(&base.include.join("\n"));
        let frame = &base.fingerprint.frame;
        let now = tree::again(ground, frame, &include, self.stop, self.progress);
        let now = now.map_err(|why| why.to_string())?;
        let planted = tree::planted(ground, &base.fingerprint, &now);
        Ok((compare(&base, &now, &planted), now))
    }

    fn status(&self) -> Reply {
        let listed = self.baselines.list(self.owner()).into_iter();
        let listed: Vec<Listed> = listed.map(|(id, verdict)| Listed { id, verdict }).collect();
        let text = words::listed(&listed, self.max_chars);
        Reply::new(text, words::listed_as_json(&listed), Outcome::Clean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Quiet;
    use crate::session::Listing;
    use serde_json::{Value, json};
    use tempfile::TempDir;

    /// A project that several ask about.
    struct House {
        folder: TempDir,
        baselines: Baselines,
    }

    impl House {
        fn new() -> House {
            let folder = tempfile::tempdir().unwrap();
            std::fs::create_dir_all(folder.path().join("project/.git")).unwrap();
            std::fs::write(folder.path().join("project/a.js"), "1").unwrap();
            let baselines = Baselines::new(Some(folder.path().join("state")));
            House { folder, baselines }
        }

        fn ask(&self, principal: &Principal, arguments: &Value) -> Reply {
            let call = Call {
                tool: "verify_fingerprint".to_owned(),
                arguments: arguments.as_object().unwrap().clone(),
                client_roots: Vec::new(),
                listing: Listing::Findings,
                principal: principal.clone(),
            };
            let here = self.folder.path().join("project");
            let settings = Settings { here, ..Settings::default() };
            let place = Place::of(&settings, &call).unwrap();
            verify(&call, &place, &self.baselines, &Stop::default(), &Quiet).unwrap()
        }

        fn begin(&self, principal: &Principal) -> String {
            let begun = self.ask(principal, &json!({"action": "begin"}));
            begun.data["baseline"].as_str().unwrap().to_owned()
        }
    }

    fn ada() -> Principal {
        Principal::Subject("ada".into())
    }

    fn bob() -> Principal {
        Principal::Subject("bob".into())
    }

    #[test]
    fn the_id_of_another_principal_reads_like_one_that_nobody_has() {
        for (taker, other) in [(ada(), bob()), (Principal::Own, bob()), (ada(), Principal::Own)] {
            let house = House::new();
            let id = house.begin(&taker);
            let compare = json!({"action": "compare", "baseline": id});
            let stolen = house.ask(&other, &compare);
            std::fs::remove_dir_all(house.folder.path().join("state")).unwrap();
            let unknown = house.ask(&other, &compare);
            assert_eq!(stolen.text, unknown.text);
            assert_eq!(stolen.data, unknown.data);
            assert_eq!(stolen.outcome, Outcome::Failed);
            assert!(stolen.text.contains("is not there for this root"), "{}", stolen.text);
        }
    }

    #[test]
    fn each_principal_is_listed_its_own_baselines() {
        let house = House::new();
        let id = house.begin(&ada());
        house.ask(&bob(), &json!({"action": "compare", "baseline": id}));
        let status = json!({"action": "status"});
        let nothing = House::new().ask(&bob(), &status);
        assert_eq!(house.ask(&bob(), &status).text, nothing.text);
        assert_eq!(house.ask(&Principal::Own, &status).text, nothing.text);
        let listed = house.ask(&ada(), &status).text;
        assert!(listed.contains(&format!("{id}  open")), "{listed}");
        let compared = house.ask(&ada(), &json!({"action": "compare", "baseline": id}));
        assert_eq!(compared.outcome, Outcome::Clean);
        let listed = house.ask(&ada(), &status).text;
        assert!(listed.contains(&format!("{id}  held")), "{listed}");
    }
}
