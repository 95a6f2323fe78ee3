//! Where the packages that a project depends on are installed, and which folder declares each.
//!
//! Folders are looked for upward to the repository's top. A link may lead to another place in the repository, as pnpm's
//! do; one that leaves it needs the user's leave.

use super::entries::entries;
use super::listing::{Listing, is_declaration};
use super::manifest::{Manifest, in_folder, is_name, types_name, users_name};
use crate::base::Name;
use crate::sources::settings::globs::is_within;
use crate::sources::workspace::opening::{Reach, bytes_of};
use crate::sources::workspace::walk::{folders_below, package_files};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How many declaration files of a package are looked at.
const MAX_LISTED: usize = 20_000;

/// Where packages are looked for.
#[derive(Debug, Clone, Copy)]
pub struct Ground<'g> {
    /// The root.
    pub root: &'g Path,
    /// The repository's top, or the root.
    pub top: &'g Path,
    /// How far links may lead.
    pub reach: Reach,
}

/// An installed package that declares something.
#[derive(Debug, Clone, PartialEq)]
pub struct Package {
    /// What code writes to import it.
    pub name: Name,
    /// The version of what declares it.
    pub version: Name,
    /// The folder that declares it, without links.
    pub folder: PathBuf,
    /// Its manifest.
    pub manifest: Manifest,
    /// Where only some of its paths are meant: those.
    pub only: Vec<String>,
}

/// A manifest of the project and the folder that it lies in.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// The folder.
    pub folder: PathBuf,
    /// Its manifest.
    pub manifest: Manifest,
}

/// The project's manifests: the nearest at the root or above, and those of the workspaces that it names.
pub fn members(ground: &Ground<'_>) -> Vec<Member> {
    let above = ground.root.ancestors().take_while(|f| f.starts_with(ground.top));
    let nearest = above.filter_map(|folder| {
        Some(Member { folder: folder.to_path_buf(), manifest: in_folder(folder)? })
    });
    let Some(first) = nearest.into_iter().next() else { return Vec::new() };
    let mut globs = first.manifest.workspaces.clone();
    globs.extend(pnpm_workspaces(&first.folder));
    let mut found: BTreeMap<PathBuf, Manifest> = BTreeMap::new();
    for folder in globs.iter().flat_map(|glob| folders(&first.folder, glob)) {
        if is_within(&folder, ground.top, ground.reach) && folder.starts_with(ground.root) {
            found.extend(in_folder(&folder).map(|manifest| (folder, manifest)));
        }
    }
    let inner = found.into_iter().map(|(folder, manifest)| Member { folder, manifest });
    std::iter::once(first).chain(inner).collect()
}

/// The installed package that declares `name` for code in the folder `from`.
pub fn declaring(name: &str, from: &Path, ground: &Ground<'_>) -> Option<Package> {
    let users = users_name(name);
    let own = (users == name).then(|| installed(name, from, ground)).flatten();
    if let Some((folder, manifest)) = own
        && declares(name, &folder, &manifest)
    {
        return Some(package(users, folder, manifest));
    }
    let (folder, manifest) =
        installed(&types_name(name.strip_prefix("@types/").unwrap_or(name)), from, ground)?;
    Some(package(users, folder, manifest))
}

/// Whether a package of this name is installed for code in the folder `from`.
pub fn is_installed(name: &str, from: &Path, ground: &Ground<'_>) -> bool {
    installed(name, from, ground).is_some()
}

fn package(name: Name, folder: PathBuf, manifest: Manifest) -> Package {
    Package { name, version: manifest.version.clone(), folder, manifest, only: Vec::new() }
}

fn installed(name: &str, from: &Path, ground: &Ground<'_>) -> Option<(PathBuf, Manifest)> {
    if !is_name(name) {
        return None;
    }
    let within = |f: &&Path| f.starts_with(ground.top) || ground.reach == Reach::Anywhere;
    let folders = from.ancestors().take_while(within).filter(|f| !f.ends_with("node_modules"));
    folders.into_iter().find_map(|folder| {
        let real = folder.join("node_modules").join(name).canonicalize().ok()?;
        if !is_within(&real, ground.top, ground.reach) {
            return None;
        }
        let manifest = in_folder(&real)?;
        Some((real, manifest))
    })
}

/// Whether the package in `folder` has declarations of its own.
fn declares(name: &str, folder: &Path, manifest: &Manifest) -> bool {
    // What the manifest names decides; only where it names nothing the folder is searched.
    let named = manifest.types.as_deref().is_some_and(|types| {
        let path = folder.join(types);
        path.is_file() || [".d.ts", "/index.d.ts"].iter().any(|e| with(&path, e).is_file())
    });
    named || folder.join("index.d.ts").is_file() || {
        let listing = listing(folder);
        let found = entries(name, manifest, &listing);
        found.main.is_some() || !found.specifiers.is_empty()
    }
}

fn with(path: &Path, ending: &str) -> PathBuf {
    let mut text = path.as_os_str().to_os_string();
    text.push(ending);
    PathBuf::from(text)
}

/// The declaration files in a package's folder; packages inside it are others.
pub fn listing(folder: &Path) -> Listing {
    let mut found = Listing::default();
    found.cut = !package_files(folder, |path| {
        if let Some(inner) = path.strip_suffix("/package.json") {
            found.manifests.insert(inner.to_string());
        } else if is_declaration(path) {
            found.files.insert(path.to_string());
        }
        found.files.len() < MAX_LISTED
    });
    found
}

/// The globs of `pnpm-workspace.yaml`: its list `packages`, which has no other form in practice.
fn pnpm_workspaces(folder: &Path) -> Vec<String> {
    let Ok(bytes) = bytes_of(&folder.join("pnpm-workspace.yaml"), 1 << 20) else {
        return Vec::new();
    };
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = text.lines().skip_while(|l| !l.starts_with("packages:")).skip(1);
    let items = lines.by_ref().map_while(|line| match line.trim() {
        "" => Some(None),
        comment if comment.starts_with('#') => Some(None),
        item => {
            item.strip_prefix('-').map(|i| Some(i.trim().trim_matches(['"', '\'']).to_string()))
        }
    });
    items.flatten().collect()
}

/// The folders that a workspace glob names: plain folders, and `*` or `**` as a last part.
fn folders(top: &Path, glob: &str) -> Vec<PathBuf> {
    let plain = glob.trim_start_matches("./").trim_end_matches('/');
    if plain.starts_with('!') || plain.split('/').any(|p| p == "..") {
        return Vec::new();
    }
    match plain.split_once('*') {
        None => vec![top.join(plain)],
        Some((before, after)) => {
            let depth = if after.starts_with('*') || after.contains('*') { 4 } else { 1 };
            let dirs = folders_below(&top.join(before), depth).into_iter();
            dirs.filter(|d| d.join("package.json").is_file()).collect()
        }
    }
}
