//! The project that the server works on: the demo engine with its sample, and a file for each client that only that one
//! asks for. It is written to a folder of its own and removed at the end.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// So many files hold a canary.
pub const N_CANARIES: usize = 64;

/// A folder for one run.
pub struct Project {
    top: PathBuf,
}

impl Project {
    /// Writes it.
    pub fn write() -> io::Result<Project> {
        let top = std::env::temp_dir().join(format!("groundline-load-{}", std::process::id()));
        let project = Project { top };
        let folio = Path::new(env!("CARGO_MANIFEST_DIR")).join("datagraphs/folio");
        copy(&folio.join("sample"), &project.root())?;
        for part in ["declarations", "pages"] {
            copy(&folio.join(part), &project.root().join("sdk").join(part))?;
        }
        let toml = "builtins = [\"ecmascript\"]\n\n[[api]]\nname = \"folio\"\nversion = \"1.0\"\n\
            declarations = [\"sdk/declarations/*.d.ts\"]\n\
            pages = [\"sdk/pages/*.md\", \"sdk/pages/guides/*.md\"]\n";
        fs::write(project.root().join("groundline.toml"), toml)?;
        fs::create_dir(project.root().join("birds"))?;
        for number in 0..N_CANARIES {
            let canary = canary(number);
            let text =
                format!("const {canary} = layout.makeTable();\n{canary}.opacty = {number};\n");
            fs::write(project.root().join(file_of(number)), text)?;
        }
        Ok(project)
    }

    /// The project's folder.
    pub fn root(&self) -> PathBuf {
        self.top.join("project")
    }

    /// Where the server's token will be.
    pub fn token_file(&self) -> PathBuf {
        self.top.join("token")
    }

    /// `binary serve` on this project, with folders and an environment of its own.
    pub fn command(&self, binary: &Path) -> Command {
        let mut command = Command::new(binary);
        command.arg("serve").arg("--root").arg(self.root());
        command.arg("--cache").arg(self.top.join("cache"));
        command.arg("--state").arg(self.top.join("state"));
        command.current_dir(self.root()).env_clear().env("HOME", &self.top);
        command
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.top);
    }
}

/// The word of one client; two digits make it as long as every other.
pub fn canary(number: usize) -> String {
    format!("heron{number:02}")
}

/// The file that holds it.
pub fn file_of(number: usize) -> String {
    format!("birds/{}.js", canary(number))
}

/// Whether `text` holds the word of another client than `number`.
pub fn holds_another(text: &str, number: usize) -> bool {
    text.match_indices("heron").any(|(at, word)| {
        let digits = &text.as_bytes()[at + word.len()..];
        let digits = digits.get(..2).filter(|two| two.iter().all(u8::is_ascii_digit));
        digits.is_some_and(|two| two != format!("{number:02}").as_bytes())
    })
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
