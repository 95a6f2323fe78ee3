//! `groundline.toml` to records: which apis a project names and where they come from.
//!
//! What is written there is taken literally: nothing is expanded, no file it names is opened here. Which of those files
//! may be read is [`globs`]'s decision.

pub mod dialects;
pub mod globs;
pub mod levels;
pub mod patterns;

use super::workspace::opening::{OpenTrouble, bytes_of};
use super::workspace::root::below_home;
use crate::base::{Lines, Name, to_u32};
use dialects::Dialect;
use levels::{FindingKind, Level, Levels};
use patterns::{MAX_PATTERNS, Pattern, Where};
use std::ops::Range;
use std::path::{Path, PathBuf};
use thiserror::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The name of the configuration file.
pub const FILE: &str = "groundline.toml";

/// The largest configuration that is read, in bytes.
const MAX_BYTES: u64 = 1024 * 1024;

/// What a configuration says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Configuration {
    /// The file it was read from.
    pub file: PathBuf,
    /// `builtins = […]`: the built-in datagraphs that hold; without it the evidence decides.
    pub builtins: Option<Vec<Name>>,
    /// Its apis, in order.
    pub apis: Vec<ConfiguredApi>,
    /// `[check]`: what each kind of finding weighs.
    pub levels: Levels,
    /// What stands in it and means nothing here.
    pub warnings: Vec<Warning>,
}

impl Configuration {
    /// The folder that its globs are relative to.
    pub fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new("."))
    }
}

/// An `[[api]]`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfiguredApi {
    /// Its name.
    pub name: Name,
    /// Its version, maybe empty.
    pub version: Name,
    /// Globs of its declarations.
    pub declarations: Vec<String>,
    /// Globs of its pages.
    pub pages: Vec<String>,
    /// The folder of a datagraph that was mined before.
    pub datagraph: Option<String>,
    /// How its pages are read where no dialect covers them.
    pub patterns: Vec<Pattern>,
    /// The dialect of its pages; without it each page is tried in every one.
    pub dialect: Option<Dialect>,
    /// Where it begins, from 1.
    pub line: u32,
}

impl ConfiguredApi {
    /// Whether nothing but its name says where it comes from, so that an embedded datagraph is meant.
    pub fn is_name_only(&self) -> bool {
        self.declarations.is_empty() && self.pages.is_empty() && self.datagraph.is_none()
    }
}

/// Something in a configuration that means nothing here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// From 1.
    pub line: u32,
    /// What and why.
    pub text: String,
}

/// Why a configuration could not be read.
#[derive(Debug, Error)]
pub enum SettingsTrouble {
    /// It cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenTrouble),
    /// It is not TOML, or a value is of the wrong kind.
    #[error("{file}:{line}: {what}")]
    Wrong {
        /// The file.
        file: PathBuf,
        /// From 1.
        line: u32,
        /// What is wrong and what would be right.
        what: String,
    },
}

/// The configuration that holds for `root`: the nearest at the root or above it, but not above the repository's `top`.
pub fn found(root: &Path, top: &Path, home: Option<&Path>) -> Option<PathBuf> {
    below_home(root, home)
        .take_while(|folder| folder.starts_with(top))
        .map(|folder| folder.join(FILE))
        .find(|file| file.is_file())
}

/// Reads the configuration in `file`.
pub fn read(file: &Path) -> Result<Configuration, SettingsTrouble> {
    let bytes = bytes_of(file, MAX_BYTES)?;
    configuration(file, &String::from_utf8_lossy(&bytes))
}

/// What the configuration `text` says; `file` is where it came from.
pub fn configuration(file: &Path, text: &str) -> Result<Configuration, SettingsTrouble> {
    let lines = Lines::of(text);
    let mut reader = Reader { file, lines: &lines, warnings: Vec::new() };
    let table = DeTable::parse(text).map_err(|why| {
        let at = why.span().unwrap_or_default();
        reader.wrong(&at, format!("not TOML: {}", why.message().trim()))
    })?;
    let mut said = Configuration { file: file.to_path_buf(), ..Configuration::default() };
    for (key, value) in table.get_ref() {
        match key.get_ref().as_ref() {
            "builtins" => {
                let names = reader.texts(value, "builtins")?;
                said.builtins = Some(names.into_iter().map(Name::from).collect());
            }
            "api" => said.apis = reader.apis(value)?,
            "check" => said.levels = reader.levels(value)?,
            other => reader.unknown(key.span(), other, "builtins, [[api]] and [check] are known"),
        }
    }
    reader.warnings.sort_by_key(|w| w.line);
    said.warnings = reader.warnings;
    Ok(said)
}

struct Reader<'t> {
    file: &'t Path,
    lines: &'t Lines,
    warnings: Vec<Warning>,
}

type Value<'v> = Spanned<DeValue<'v>>;

impl Reader<'_> {
    fn line(&self, at: &Range<usize>) -> u32 {
        self.lines.line(to_u32(at.start))
    }

    fn wrong(&self, at: &Range<usize>, what: String) -> SettingsTrouble {
        SettingsTrouble::Wrong { file: self.file.to_path_buf(), line: self.line(at), what }
    }

    fn unknown(&mut self, at: Range<usize>, key: &str, known: &str) {
        let text = format!("{} is not a known key and is ignored: {known}", key.escape_debug());
        self.warnings.push(Warning { line: self.line(&at), text });
    }

    fn text(&self, value: &Value<'_>, key: &str) -> Result<String, SettingsTrouble> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            other => Err(self.wrong(
                &value.span(),
                format!("{key} is {}, but must be a text: {key} = \"…\"", other.type_str()),
            )),
        }
    }

    /// A list of texts; a single text is a list of one.
    fn texts(&self, value: &Value<'_>, key: &str) -> Result<Vec<String>, SettingsTrouble> {
        match value.get_ref() {
            DeValue::Array(items) => items.iter().map(|item| self.text(item, key)).collect(),
            DeValue::String(text) => Ok(vec![text.to_string()]),
            other => Err(self.wrong(
                &value.span(),
                format!("{key} is {}, but must be a list: {key} = [\"…\"]", other.type_str()),
            )),
        }
    }

    /// `[check]`, a kind of finding and its level a line.
    fn levels(&mut self, value: &Value<'_>) -> Result<Levels, SettingsTrouble> {
        let DeValue::Table(table) = value.get_ref() else {
            let what = format!("check is {}, but must be a table", value.get_ref().type_str());
            return Err(self.wrong(&value.span(), format!("{what}: [check]")));
        };
        let mut levels = Levels::default();
        for (key, value) in table {
            let key_text = key.get_ref().as_ref();
            let Some(kind) = FindingKind::of_name(key_text) else {
                let known = FindingKind::ALL.map(FindingKind::name).join(", ");
                self.unknown(key.span(), key_text, &format!("{known} are known"));
                continue;
            };
            let said = self.text(value, key_text)?;
            let form = || format!("{key_text} must be \"off\", \"warn\" or \"gate\"");
            let level = Level::of_name(&said).ok_or_else(|| self.wrong(&value.span(), form()))?;
            levels.say(kind, level);
        }
        Ok(levels)
    }

    fn apis(&mut self, value: &Value<'_>) -> Result<Vec<ConfiguredApi>, SettingsTrouble> {
        match value.get_ref() {
            DeValue::Array(items) => items
                .iter()
                .map(|item| match item.get_ref() {
                    DeValue::Table(table) => self.api(table, item.span()),
                    other => Err(self.wrong(
                        &item.span(),
                        format!("api is {}, but must be a table: [[api]]", other.type_str()),
                    )),
                })
                .collect(),
            DeValue::Table(table) => Ok(vec![self.api(table, value.span())?]),
            other => Err(self.wrong(
                &value.span(),
                format!("api is {}, but must be a table: [[api]]", other.type_str()),
            )),
        }
    }

    fn api(
        &mut self,
        table: &DeTable<'_>,
        at: Range<usize>,
    ) -> Result<ConfiguredApi, SettingsTrouble> {
        let mut api = ConfiguredApi { line: self.line(&at), ..ConfiguredApi::default() };
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "name" => api.name = self.text(value, "name")?.into(),
                "version" => api.version = self.text(value, "version")?.into(),
                "declarations" => api.declarations = self.texts(value, "declarations")?,
                "pages" => api.pages = self.texts(value, "pages")?,
                "patterns" => api.patterns = self.patterns(value)?,
                "dialect" => api.dialect = Some(self.dialect(value)?),
                "datagraph" => api.datagraph = Some(self.text(value, "datagraph")?),
                other => self.unknown(
                    key.span(),
                    other,
                    "name, version, declarations, pages, dialect, patterns and datagraph are known",
                ),
            }
        }
        if !api.patterns.is_empty() && api.pages.is_empty() {
            let text = "patterns read pages, and this [[api]] has none: pages = [\"…\"]".to_owned();
            self.warnings.push(Warning { line: api.line, text });
        }
        match api.name.trim().is_empty() {
            true => Err(self.wrong(&at, "an [[api]] needs a name: name = \"…\"".to_string())),
            false => Ok(api),
        }
    }

    fn dialect(&self, value: &Value<'_>) -> Result<Dialect, SettingsTrouble> {
        let said = self.text(value, "dialect")?;
        Dialect::of_name(&said).ok_or_else(|| {
            let known = Dialect::ALL.map(Dialect::name).join(", ");
            self.wrong(&value.span(), format!("{said:?} is no dialect of pages: {known} are"))
        })
    }

    /// `[[api.patterns]]` tables, or a list of them; each has one expression or several.
    fn patterns(&mut self, value: &Value<'_>) -> Result<Vec<Pattern>, SettingsTrouble> {
        let form = "patterns must be tables: [[api.patterns]] with heading = '…' or line = '…'";
        let tables = match value.get_ref() {
            DeValue::Array(items) => items.iter().collect(),
            DeValue::Table(_) => vec![value],
            _ => return Err(self.wrong(&value.span(), form.to_owned())),
        };
        let mut found: Vec<Pattern> = Vec::new();
        for item in tables {
            let DeValue::Table(table) = item.get_ref() else {
                return Err(self.wrong(&item.span(), form.to_owned()));
            };
            let n_before = found.len();
            for (key, value) in table {
                let place = match key.get_ref().as_ref() {
                    "heading" => Where::Heading,
                    "line" => Where::Line,
                    other => {
                        self.unknown(key.span(), other, "heading and line are known");
                        continue;
                    }
                };
                let text = self.text(value, key.get_ref())?;
                let pattern =
                    Pattern::of(place, &text).map_err(|why| self.wrong(&value.span(), why))?;
                found.push(pattern);
            }
            if found.len() == n_before {
                return Err(self.wrong(&item.span(), form.to_owned()));
            }
            if found.len() > MAX_PATTERNS {
                let why = format!("more than {MAX_PATTERNS} patterns: join them with |");
                return Err(self.wrong(&item.span(), why));
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Configuration, String> {
        configuration(Path::new("/p/groundline.toml"), text).map_err(|why| why.to_string())
    }

    #[test]
    fn apis_and_builtins_are_read_in_order() {
        let said = read(
            "builtins = [\"web\"]\n[[api]]\nname = \"folio\"\n\n[[api]]\nname = \"b\"\n\
             version = \"2\"\ndeclarations = [\"t/*.d.ts\"]\npages = \"p.md\"\n",
        )
        .unwrap();
        assert_eq!(said.builtins, Some(vec!["web".into()]));
        assert!(said.apis[0].is_name_only());
        assert_eq!(said.apis[0].line, 2);
        assert_eq!(said.apis[1].declarations, ["t/*.d.ts"]);
        assert_eq!(said.apis[1].pages, ["p.md"]);
        assert_eq!(said.warnings, []);
    }

    #[test]
    fn kinds_of_finding_have_the_level_that_is_said() {
        let said =
            read("[check]\ndeprecated = \"off\"\narity = \"gate\"\nmood = \"off\"\n").unwrap();
        let levels = [FindingKind::Deprecated, FindingKind::Arity, FindingKind::Call];
        let levels = levels.map(|kind| said.levels.of(kind));
        assert_eq!(levels, [Level::Off, Level::Gate, Level::Warn]);
        assert_eq!(said.warnings[0].line, 4);
        let why = read("[check]\ncall = \"loud\"\n").unwrap_err();
        assert_eq!(why, "/p/groundline.toml:2: call must be \"off\", \"warn\" or \"gate\"");
        assert!(read("check = 1").unwrap_err().contains("must be a table: [check]"));
    }

    #[test]
    fn unknown_keys_are_warnings_with_their_line() {
        let said = read("x = 1\n[[api]]\nname = \"a\"\ndeclaration = []\n").unwrap();
        let lines: Vec<u32> = said.warnings.iter().map(|w| w.line).collect();
        assert_eq!(lines, [1, 4]);
        assert!(said.warnings[1].text.starts_with("declaration is not a known key"));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        assert!(read("a = 1\nb =\n").unwrap_err().starts_with("/p/groundline.toml:2: not TOML"));
        assert_eq!(
            read("[[api]]\nname = 3\n").unwrap_err(),
            "/p/groundline.toml:2: name is integer, but must be a text: name = \"…\""
        );
        assert_eq!(
            read("\n[[api]]\nversion = \"1\"\n").unwrap_err(),
            "/p/groundline.toml:2: an [[api]] needs a name: name = \"…\""
        );
        assert!(read("builtins = { web = true }").unwrap_err().contains("must be a list"));
        assert!(read("api = 1").unwrap_err().contains("must be a table"));
    }

    #[test]
    fn patterns_are_read_and_what_is_wrong_in_them_has_its_line() {
        let api = "[[api]]\nname = \"a\"\npages = [\"*.md\"]\n";
        let said = read(&format!(
            "{api}[[api.patterns]]\nheading = '(?<interface>\\w+)'\nline = '^Value: (?<type>.+)$'\n"
        ));
        let said = said.unwrap();
        let spelt: Vec<String> = said.apis[0].patterns.iter().map(ToString::to_string).collect();
        assert_eq!(spelt, [r"heading = '(?<interface>\w+)'", "line = '^Value: (?<type>.+)$'"]);
        let why = |text: &str| read(&format!("{api}{text}")).unwrap_err();
        let bad = why("[[api.patterns]]\nline = '(?<type>'\n");
        assert!(bad.starts_with("/p/groundline.toml:5: line is no regular expression"), "{bad}");
        let odd = why("[[api.patterns]]\nline = '(?<owner>x)'\n");
        assert!(odd.contains(":5: line has the group owner"), "{odd}");
        assert!(why("patterns = 3\n").contains(":4: patterns must be tables"));
        assert!(why("[[api.patterns]]\nhead = 'x'\n").contains("patterns must be tables"));
    }

    #[test]
    fn the_nearest_configuration_inside_the_repository_holds() {
        let dir = tempfile::tempdir().unwrap();
        let outer = dir.path().canonicalize().unwrap();
        let top = outer.join("repo");
        let root = top.join("a/b");
        std::fs::create_dir_all(&root).unwrap();
        std::fs::write(outer.join(FILE), "").unwrap();
        assert_eq!(found(&root, &top, None), None);
        std::fs::write(top.join(FILE), "").unwrap();
        assert_eq!(found(&root, &top, None), Some(top.join(FILE)));
        std::fs::write(root.join(FILE), "").unwrap();
        assert_eq!(found(&root, &top, None), Some(root.join(FILE)));
    }
}
