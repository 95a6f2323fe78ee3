//! One call of `verify_fingerprint`: a baseline is taken, compared, or listed.

use super::arguments::{ArgumentTrouble, Arguments};
use super::baselines::{self, BaselineTrouble, Baselines, Owner};
use super::call::{Call, Outcome, Principal, Reply, Settings};
use super::watches::{Room, Watches};
use crate::answers::verify_fingerprint::{Baseline, Comparison, Verdict, Watch, Watched, compare};
use crate::base::{Progress, Stop};
use crate::envelope::verify_fingerprint::{self as words, Listed};
use crate::envelope::{DEFAULT_CHARS, MOST_CHARS};
use crate::sources::repository::ObjectId;
use crate::sources::tree::{self, Ground, Later, Memory, Scope, Seen, TreeTrouble};
use crate::sources::watch;
use crate::sources::workspace::paths::bytes_of_path;
use crate::sources::workspace::{Lies, Patterns, RootTrouble, Starts, TreePath, root, top_of};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Where the tree lies that is meant.
pub(super) struct Place {
    root: PathBuf,
    top: PathBuf,
    home: Option<PathBuf>,
    cache: Option<PathBuf>,
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
        Ok(Place { root, top, home: settings.home.clone(), cache: settings.cache.clone() })
    }

    fn ground(&self) -> Ground<'_> {
        Ground { root: &self.root, top: &self.top, home: self.home.as_deref() }
    }

    /// What hashes were read before, for a walk that begins now.
    fn memory(&self) -> Option<Memory> {
        #[expect(clippy::disallowed_methods, reason = "what is younger than this is read again")]
        let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
        Memory::of(self.cache.as_deref()?, &self.root, i64::try_from(now.as_nanos()).ok()?)
    }
}

/// Answers the call.
pub(super) fn verify(
    call: &Call,
    place: &Place,
    (baselines, watches): (&Baselines, &Watches),
    stop: &Stop,
    progress: &dyn Progress,
) -> Result<Reply, FingerprintTrouble> {
    let arguments = Arguments(&call.arguments);
    let max_chars = arguments.number("max_chars", 500..=MOST_CHARS as u64)?;
    let max_chars = max_chars.map_or(DEFAULT_CHARS, |n| n as usize);
    let principal = &call.principal;
    let one = One { place, principal, baselines, watches, max_chars, stop, progress };
    let action = arguments.text("action")?.unwrap_or_default();
    match action.trim().to_ascii_lowercase().as_str() {
        "begin" => {
            let include = arguments.list_of_text("include")?.unwrap_or_default();
            let allow = arguments.list_of_text("allow")?.unwrap_or_default();
            let watch = match arguments.flag("watch")? {
                Some(true) => Watch::On,
                Some(false) | None => Watch::Off,
            };
            one.begin(include, allow, watch)
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
    watches: &'o Watches,
    max_chars: usize,
    stop: &'o Stop,
    progress: &'o dyn Progress,
}

impl One<'_> {
    fn owner(&self) -> Owner<'_> {
        Owner { principal: self.principal, root: &self.place.root }
    }

    fn begin(
        &self,
        include: Vec<String>,
        allow: Vec<String>,
        watch: Watch,
    ) -> Result<Reply, FingerprintTrouble> {
        let root = &self.place.root;
        if let Some((glob, why)) = Patterns::misfit(&include).or_else(|| Patterns::misfit(&allow)) {
            return Err(FingerprintTrouble::Glob(glob, why));
        }
        if self.baselines.lie_in(root) {
            return Err(FingerprintTrouble::StateInside(root.clone()));
        }
        let included = Patterns::of(&include.join("\n"));
        let (ground, memory) = (self.place.ground(), self.place.memory());
        let fingerprint =
            tree::begin(ground, &included, memory.as_ref(), self.stop, self.progress)?;
        let root_bytes = TreePath::of(&bytes_of_path(root));
        let baseline = Baseline { root: root_bytes, include, allow, watch, fingerprint };
        let (id, kept) = self.baselines.keep(self.owner(), &baseline);
        let mut notes = match &kept {
            baselines::Place::Disk(_) => Vec::new(),
            baselines::Place::Memory(why) => {
                vec![format!("kept in memory only, and gone when this session ends: {why}")]
            }
        };
        match watch {
            Watch::Off => {}
            Watch::On => notes.push(match self.watch(&id, &baseline, kept) {
                Ok(()) => words::WATCHED.to_owned(),
                Err(why) => words::unwatched(&why),
            }),
        }
        let mut data = words::as_json(&id, None, baseline.fingerprint.covered());
        data["remarks"] = notes.clone().into();
        let allowed = Patterns::of(&baseline.allow.join("\n"));
        data["tree"] = baseline.fingerprint.content(&allowed).into();
        // The repository of the root itself, or the one around it, not one that lies in it.
        let own = baseline.fingerprint.frame.repositories.iter().find(|r| r.at.is_root());
        data["commit"] = own.and_then(|r| r.head.commit.as_ref()).map(ObjectId::hex).into();
        let text = words::begun(&id, &baseline.fingerprint, &notes, self.max_chars);
        Ok(Reply::new(text, data, Outcome::Clean))
    }

    /// Lets a watcher run until the baseline is compared.
    fn watch(&self, id: &str, base: &Baseline, kept: baselines::Place) -> Result<(), String> {
        let mine = self.owner().mine(id);
        let sign = match kept {
            baselines::Place::Disk(file) => file,
            baselines::Place::Memory(why) => return Err(why),
        };
        match self.watches.has_room(&mine) {
            Room::Taken => return Ok(()),
            Room::Full => return Err("too many watchers run in this process".to_owned()),
            Room::Free => {}
        }
        let entries = base.fingerprint.entries.iter();
        let folders = entries.filter(|e| e.lies == Lies::Folder && e.scope == Scope::Covered);
        let folders = folders.filter(|e| !e.is_repository()).map(|e| &e.path);
        let watcher = watch::Watch::begin(&self.place.root, folders, &sign)?;
        self.watches.begin(mine, watcher);
        Ok(())
    }

    /// What the watcher of a baseline saw. It ends here, so that our own reading does not keep it busy.
    fn watched(&self, id: &str, base: &Baseline) -> Watched {
        match (base.watch, self.watches.end(&self.owner().mine(id))) {
            (Watch::Off, _) => Watched::NotAsked,
            (Watch::On, None) => Watched::Lost,
            (Watch::On, Some(touched)) => Watched::Told(touched),
        }
    }

    fn compare(&self, id: &str) -> Reply {
        let loaded = self.baselines.load(self.owner(), id);
        match loaded.map_err(|why: BaselineTrouble| why.to_string()) {
            Ok(base) => {
                let watched = self.watched(id, &base);
                match self.again(&base) {
                    Ok(now) => {
                        let ground = self.place.ground();
                        let planted = tree::planted(ground, &base.fingerprint, &now.frame);
                        let found = compare(&base, &now, &planted, &watched);
                        self.told(id, &found, Some(&now.seen))
                    }
                    Err(why) => self.untold(id, why.to_string()),
                }
            }
            Err(why) => self.untold(id, why),
        }
    }

    fn again<'b>(&self, base: &'b Baseline) -> Result<Later<'b>, TreeTrouble> {
        let include = Patterns::of(&base.include.join("\n"));
        tree::again(self.place.ground(), &base.fingerprint, &include, self.stop, self.progress)
    }

    fn untold(&self, id: &str, why: String) -> Reply {
        let verdict = Verdict::Unknown(vec![why]);
        self.told(id, &Comparison { verdict, remarks: Vec::new() }, None)
    }

    fn told(&self, id: &str, found: &Comparison, now: Option<&Seen<'_>>) -> Reply {
        self.baselines.note(self.owner(), id, words::word(&found.verdict));
        let outcome = match found.verdict {
            Verdict::Held => Outcome::Clean,
            Verdict::Moved(_) => Outcome::Findings,
            Verdict::Unknown(_) => Outcome::Failed,
        };
        let covered = now.map(Seen::covered).unwrap_or_default();
        let text = words::compared(id, found, now, self.max_chars);
        Reply::new(text, words::as_json(id, Some(found), covered), outcome)
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
        watches: Watches,
    }

    impl House {
        fn new() -> House {
            let folder = tempfile::tempdir().unwrap();
            std::fs::create_dir_all(folder.path().join("project/.git")).unwrap();
            std::fs::write(folder.path().join("project/a.js"), "1").unwrap();
            let baselines = Baselines::new(Some(folder.path().join("state")));
            House { folder, baselines, watches: Watches::default() }
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
            let kept = (&self.baselines, &self.watches);
            verify(&call, &place, kept, &Stop::default(), &Quiet).unwrap()
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
