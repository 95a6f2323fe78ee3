//! Mines the built-in datagraphs: the language and the web from TypeScript's own declarations, node from `@types/node`.
//!
//! Names, types and signatures are facts and are kept; no sentence of a documentation comment is.

use super::wish::{BuildReport, BuildTrouble};
use super::writing;
use crate::base::{Name, Progress, Stop};
use crate::corpus::store::mining::from_gathered;
use crate::datagraph::Datagraph;
use crate::datagraph::format::packed::packed_at;
use crate::sources::packages::manifest::in_folder;
use crate::sources::packages::{Ground, closure, declaring, listed};
use crate::sources::workspace::Reach;
use std::path::{Path, PathBuf};

/// What is built in is compressed once and shipped often.
const LEVEL: i32 = 19;

/// The parts of TypeScript's library that are the web, besides those of the language.
const WEB: [&str; 4] = [
    "lib.dom.d.ts",
    "lib.dom.iterable.d.ts",
    "lib.dom.asynciterable.d.ts",
    "lib.webworker.importscripts.d.ts",
];

/// Mines from `folder`'s `node_modules` and writes a folder for each into `out`.
pub fn run(
    folder: &Path,
    out: &Path,
    progress: &dyn Progress,
) -> Result<BuildReport, BuildTrouble> {
    let missing = |name: &str| BuildTrouble::NoPackage(folder.join("node_modules").join(name));
    let lib = folder.join("node_modules/typescript/lib");
    if !lib.join(WEB[0]).is_file() {
        return Err(missing("typescript"));
    }
    let manifest = in_folder(&folder.join("node_modules/typescript"));
    let version = manifest.ok_or_else(|| missing("typescript"))?.version;
    let typescript: Name = format!("typescript-{version}").into();
    let ground = Ground { root: folder, top: folder, reach: Reach::Anywhere };
    let node = declaring("@types/node", folder, &ground).ok_or_else(|| missing("@types/node"))?;
    let types_node: Name = format!("types-node-{}", node.version).into();
    let apis = [
        ("ecmascript", typescript.clone(), language(&lib)),
        ("web", typescript, WEB.map(|name| lib.join(name)).to_vec()),
        ("node", types_node, node_files(&node, &ground)),
    ];
    let mut text = String::new();
    for (step, (name, version, files)) in apis.into_iter().enumerate() {
        progress.step(step as u64, 3, name);
        let mut datagraph = mined(name, version, &files, folder);
        without_sentences(&mut datagraph);
        let bytes = packed_at(&datagraph, LEVEL);
        writing::file(&out.join(name).join("symbols.bin"), &bytes)?;
        let n_interfaces = datagraph.interfaces.len();
        text.push_str(&format!(
            "{name} {}  {} files, {n_interfaces} interfaces, {} bytes\n",
            datagraph.version,
            files.len(),
            bytes.len()
        ));
    }
    Ok(BuildReport { text, complete: true })
}

/// The files of TypeScript's library that are the language, sorted.
fn language(lib: &Path) -> Vec<PathBuf> {
    let is_language = |name: &str| {
        let inner = name.strip_prefix("lib.").and_then(|n| n.strip_suffix(".d.ts"));
        // The `full` ones only refer to others, the web among them.
        inner.is_some_and(|n| {
            (n.starts_with("es") || n.starts_with("decorators")) && !n.ends_with(".full")
        })
    };
    let entries = std::fs::read_dir(lib).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .filter(|e| e.file_name().to_str().is_some_and(is_language))
        .map(|e| e.path())
        .collect();
    files.sort();
    files
}

/// The files of `@types/node` and of the packages that it needs.
fn node_files(node: &crate::sources::packages::Package, ground: &Ground<'_>) -> Vec<PathBuf> {
    let stop = Stop::default();
    let own = closure(node, &stop);
    let mut files: Vec<PathBuf> = own.files.into_iter().map(|f| f.path).collect();
    for need in &own.needs {
        if let Some(package) = declaring(need, &node.folder, ground) {
            files.extend(closure(&package, &stop).files.into_iter().map(|f| f.path));
        }
    }
    files.sort();
    files.dedup();
    files
}

fn mined(name: &str, version: Name, files: &[PathBuf], folder: &Path) -> Datagraph {
    let gathered = listed(files, folder, &Stop::default());
    from_gathered(&name.into(), &version, gathered).datagraph
}

/// Of what is deprecated only the mark stays.
fn without_sentences(datagraph: &mut Datagraph) {
    let empty = |text: &mut Option<Name>| {
        if let Some(text) = text {
            *text = Name::default();
        }
    };
    for one in datagraph.interfaces.values_mut() {
        empty(&mut one.deprecated);
        for member in one.shape.members.values_mut() {
            empty(&mut member.deprecated);
        }
    }
}
