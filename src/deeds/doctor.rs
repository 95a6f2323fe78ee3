//! `groundline doctor`: what is known here, from where, in which version, how fresh and how whole, and what was skipped.
//!
//! What changed is mined again while it looks, and said.

use super::build::explain;
use super::opened::{Globs, opened, project, root_of};
use crate::base::{Progress, Stop};
use crate::corpus::documents::Documents;
use crate::corpus::embedded;
use crate::corpus::store::{Condition, Held, Mining, Note, Recipe, Store, Weight, plan};
use crate::session::Settings;
use crate::sources::workspace::opening::slashed;
use crate::sources::workspace::{RootTrouble, top_of};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// How many names one line lists.
const MAX_NAMED: usize = 8;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    /// What to show.
    pub text: String,
    /// Whether everything that was asked for is there.
    pub sound: bool,
}

/// Looks at all that holds for the root of `settings`.
pub fn run(settings: &Settings, progress: &dyn Progress) -> Result<Diagnosis, RootTrouble> {
    let before = conditions(settings)?;
    let opened = opened(settings, Globs::default(), Mining::WhereChanged, progress)?;
    let root = &opened.root;
    let mut text = String::new();
    let mut row = |name: &str, value: &str| add(&mut text, &format!("{name:<8}  {value}"));
    row("root", &slashed(root));
    row("cache", &folder(settings.cache.as_deref()));
    row("state", &folder(settings.state.as_deref()));
    let top = top_of(root, settings.home.as_deref());
    let mut notes = opened.notes;
    for held in &opened.held {
        text.push('\n');
        one(held, before.get(&held.recipe.key()), &top, &mut text);
        if says_something(held) {
            match opened.store.documents(held, &Stop::default(), progress) {
                Ok(documents) => add(&mut text, &format!("  said      {}", said(&documents))),
                Err(why) => notes.push(Note::trouble(held.recipe.name(), why)),
            }
        }
    }
    let (wrong, noted): (Vec<&Note>, Vec<&Note>) =
        notes.iter().partition(|note| note.weight == Weight::Trouble);
    for (title, notes) in [("wrong", &wrong), ("noted", &noted)] {
        if !notes.is_empty() {
            add(&mut text, &format!("\n{title}"));
            notes.iter().for_each(|n| add(&mut text, &format!("  {}: {}", n.about, n.text)));
        }
    }
    Ok(Diagnosis { text, sound: wrong.is_empty() })
}

/// How fresh everything is before it is opened, which makes it fresh.
fn conditions(settings: &Settings) -> Result<BTreeMap<String, Condition>, RootTrouble> {
    let root = root_of(settings)?;
    let project = project(settings, &root, Globs::default());
    let store = Store::new(settings.cache.clone());
    let recipes = plan(&project).recipes.into_iter();
    Ok(recipes.map(|recipe| (recipe.key(), store.condition(&recipe))).collect())
}

/// Whether an api has sources of its own to quote: the language and its hosts are built in without theirs.
fn says_something(held: &Held) -> bool {
    match &held.recipe {
        Recipe::Embedded(name) => !embedded::BUILTINS.contains(&name.as_str()),
        Recipe::Package(_) | Recipe::Listed { .. } | Recipe::Folder { .. } => true,
    }
}

/// How much of its documentation is indexed.
fn said(documents: &Documents) -> String {
    format!(
        "{} pieces, {} of them sections of guides · {} constructs · {} topics",
        documents.n_chunks(),
        documents.n_sections(),
        documents.constructs.len(),
        documents.topics.len()
    )
}

fn folder(path: Option<&Path>) -> String {
    path.map_or("none: nothing is kept from one run to the next".to_string(), slashed)
}

fn one(held: &Held, before: Option<&Condition>, top: &Path, text: &mut String) {
    let graph = &held.kept.datagraph;
    add(text, explain::brief(held).trim_end());
    let fresh = match before {
        Some(Condition::BuiltIn) => "part of this program".to_string(),
        Some(Condition::Fresh) => "its sources are what was mined".to_string(),
        Some(Condition::Changed(files)) => {
            format!("{} changed since it was mined: mined again now", listed(files))
        }
        Some(Condition::Unmined) | None => {
            "mined now, for the first time from these files".to_string()
        }
    };
    add(text, &format!("  fresh     {fresh}"));
    let open: Vec<String> = graph
        .interfaces
        .iter()
        .filter(|(_, one)| one.open.is_some())
        .map(|(key, _)| key.to_string())
        .collect();
    if !open.is_empty() {
        add(text, &format!("  open      on {} nothing is called invented", listed(&open)));
    }
    if !graph.holes.is_empty() {
        let holes = graph.holes.len();
        add(text, &format!("  holes     {holes}; groundline build --explain lists them"));
    }
    let unread: Vec<String> =
        held.kept.unread.iter().map(|u| format!("{} ({})", u.path, u.why)).collect();
    if !unread.is_empty() {
        add(text, &format!("  not read  {}", listed(&unread)));
    }
    let outside: Vec<String> = match &held.recipe {
        Recipe::Listed { files, pages, .. } => {
            let all = files.iter().chain(pages).filter(|path| !path.starts_with(top));
            all.map(|path| slashed(path)).collect()
        }
        Recipe::Package(_) | Recipe::Folder { .. } | Recipe::Embedded(_) => Vec::new(),
    };
    if !outside.is_empty() {
        add(text, &format!("  outside   {}", listed(&outside)));
    }
}

fn listed(names: &[String]) -> String {
    let first = names.iter().take(MAX_NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MAX_NAMED) {
        0 => first,
        n => format!("{first} and {n} more"),
    }
}

fn add(text: &mut String, line: &str) {
    writeln!(text, "{}", crate::envelope::visible(line)).expect("writing to a string cannot fail");
}
