//! The sample project of the demo engine, carried in the program, and the folder it is unpacked into.
//!
//! The folder is new each time, and gone when its owner is.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

macro_rules! files {
    ($($path:literal)*) => {
        &[$((
            $path,
            include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/datagraphs/folio/sample/", $path))
                as &[u8],
        )),*]
    };
}

/// All files of the sample project: path below its folder, and content.
pub const FILES: &[(&str, &[u8])] = files! {
    "README.md"
    "catalogue.js"
    "data/catalogue.xml"
    "data/orders.xml"
    "data/phrases.json"
    "data/sampleData.json"
    "data/stock.csv"
    "delivery-note.js"
    "drafts/invoice-draft.js"
    "groundline.toml"
    "invoice.js"
    "labels/shelf-labels.js"
    "letters/reminder.js"
    "letters/welcome.js"
    "lib/letterhead.js"
    "lib/masters.js"
    "lib/money.js"
    "lib/orders.js"
    "lib/styles.js"
    "preview/preview.js"
    "preview/template.html"
    "statement.js"
};

/// Where a piece of text stands in the scripts: path and line, as a plain text search finds it.
pub fn places_of(text: &str) -> Vec<String> {
    let scripts = FILES.iter().filter(|(path, _)| path.ends_with(".js"));
    scripts
        .flat_map(|(path, content)| {
            let content = String::from_utf8_lossy(content);
            let hits = content.lines().enumerate().filter(|(_, line)| line.contains(text));
            hits.map(|(idx, _)| format!("{path}:{}", idx + 1)).collect::<Vec<_>>()
        })
        .collect()
}

/// A folder of our own with the sample in `project`; it is removed when dropped.
pub struct Unpacked {
    folder: PathBuf,
}

impl Unpacked {
    /// Makes a new folder in `place`, and unpacks the sample there.
    pub fn below(place: &Path) -> io::Result<Unpacked> {
        let unpacked = Unpacked { folder: new_folder(place)? };
        for (path, content) in FILES {
            let file = unpacked.project().join(path);
            fs::create_dir_all(file.parent().unwrap_or(&unpacked.folder))?;
            fs::write(file, content)?;
        }
        Ok(unpacked)
    }

    /// The sample project's folder.
    pub fn project(&self) -> PathBuf {
        self.folder.join("project")
    }

    /// A folder for caches that goes with it.
    pub fn cache(&self) -> PathBuf {
        self.folder.join("cache")
    }
}

impl Drop for Unpacked {
    fn drop(&mut self) {
        // Somebody else's temporary files are all that could be left.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn new_folder(place: &Path) -> io::Result<PathBuf> {
    let process = std::process::id();
    for n in 0..1_000 {
        let folder = place.join(format!("groundline-tour-{process}-{n}"));
        match fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn below(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { below(&path, found) } else { found.push(path) }
        }
    }

    #[test]
    fn every_file_of_the_sample_is_carried() {
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("datagraphs/folio/sample");
        let mut found = Vec::new();
        below(&sample, &mut found);
        let mut found: Vec<String> = found
            .iter()
            .map(|p| p.strip_prefix(&sample).unwrap().to_str().unwrap().replace('\\', "/"))
            .collect();
        found.sort();
        let carried: Vec<&str> = FILES.iter().map(|(path, _)| *path).collect();
        assert_eq!(carried, found);
    }

    #[test]
    fn it_is_unpacked_and_removed() {
        let place = tempfile::tempdir().unwrap();
        let unpacked = Unpacked::below(place.path()).unwrap();
        let draft = unpacked.project().join("drafts/invoice-draft.js");
        assert!(fs::read_to_string(draft).unwrap().contains("tableCellEnd"));
        drop(unpacked);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }

    #[test]
    fn search_finds_the_draft_only() {
        assert_eq!(places_of("tableCellEnd"), ["drafts/invoice-draft.js:41"]);
    }
}
