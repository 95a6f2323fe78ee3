//! `groundline build`: mines what holds for a root into the cache, or as JSON that a team commits and reviews.
//!
//! With `--explain` it says what was recognised and what was not, since an index with a hole must not be trusted to say
//! "invented".

pub mod wish;
pub mod explain;
pub mod writing;
pub mod builtins;

pub use wish::{BuildReport, BuildTrouble, BuildWish, Explain};

use super::opened::{Globs, Opened, opened};
use crate::base::{Progress, Stop};
use crate::corpus::store::cache::CACHE;
use crate::corpus::store::documenting::documentation_of;
use crate::corpus::store::{Held, Mining, Note, Recipe, Weight};
use crate::session::Settings;
use std::path::{Path, PathBuf};

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
    let globs = Globs { declarations: &wish.declarations, pages: &wish.pages };
    let Opened { root, held, notes, .. } = opened(settings, globs, Mining::Always, progress)?;
    let mined: Vec<&Held> =
        held.iter().filter(|h| !matches!(h.recipe, Recipe::Embedded(_))).collect();
    let mut text = String::new();
    for one in &held {
        let is_mined = !matches!(one.recipe, Recipe::Embedded(_));
        match wish.explain {
            // What is built in is the same everywhere: its sources are nobody's question.
            Explain::Sources if is_mined => {
                let said = documentation_of(one, &Stop::default()).map_err(BuildTrouble::Unsaid)?;
                text.push_str(&explain::sources(one, &said));
            }
            Explain::Brief | Explain::Sources => text.push_str(&explain::brief(one)),
        }
    }
    text.push_str(&told(&root, &mined, &notes));
    if let Some(out) = &wish.out {
        let out = settings.here.join(out);
        for one in &mined {
            let said = documentation_of(one, &Stop::default()).map_err(BuildTrouble::Unsaid)?;
            let folder = writing::write(&out, &one.kept.datagraph, &said)?;
            text.push_str(&format!("written {}\n", folder.display()));
        }
    }
    let is_kept = wish.out.is_some() || !notes.iter().any(|n| n.about == CACHE);
    if wish.out.is_none() && settings.cache.is_none() {
        text.push_str("note  there is no cache folder, so nothing is kept: pass --out DIR\n");
    }
    let complete = is_kept && notes.iter().all(|n| n.weight == Weight::Remark);
    Ok(BuildReport { text, complete })
}

fn told(root: &Path, mined: &[&Held], notes: &[Note]) -> String {
    let mut text = String::new();
    for note in notes {
        text.push_str(&format!("note  {}: {}\n", note.about, note.text));
    }
    if mined.is_empty() {
        text.push_str(&format!(
            "nothing to mine in {}: no groundline.toml with declarations or pages, no installed package with types\n",
            root.display()
        ));
    }
    text
}
