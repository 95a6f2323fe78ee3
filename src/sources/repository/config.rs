//! The few words of git's configuration that matter here: where more ignore rules are, and how objects are named.
//!
//! Includes are not followed, and nothing that a configuration names is ever run.

/// What a configuration says; later files fill what earlier ones left open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Config {
    /// `core.excludesFile`.
    pub excludes_file: Option<String>,
    /// `extensions.objectFormat`.
    pub object_format: Option<String>,
}

impl Config {
    /// What `text` says.
    pub fn of(text: &str) -> Config {
        let mut config = Config::default();
        let mut section = String::new();
        for line in text.lines().map(str::trim) {
            if let Some(head) = line.strip_prefix('[') {
                section = head.split(']').next().unwrap_or("").trim().to_lowercase();
                continue;
            }
            let Some((key, value)) = line.split_once('=') else { continue };
            let value = Some(unquoted(value.trim()));
            match (section.as_str(), key.trim().to_lowercase().as_str()) {
                ("core", "excludesfile") => config.excludes_file = value,
                ("extensions", "objectformat") => config.object_format = value,
                _ => {}
            }
        }
        config
    }
}

fn unquoted(value: &str) -> String {
    let mut plain = String::new();
    let (mut quoted, mut letters) = (false, value.chars());
    while let Some(letter) = letters.next() {
        match letter {
            '"' => quoted = !quoted,
            '\\' => plain.extend(letters.next()),
            '#' | ';' if !quoted => break,
            letter => plain.push(letter),
        }
    }
    plain.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_that_matter_are_found_in_any_case() {
        let text = "[core]\n\tbare = false\n\texcludesFile = \"/a b\\\\c\" # mine\n[Extensions]\nobjectformat=sha256\n";
        let config = Config::of(text);
        assert_eq!(config.excludes_file.as_deref(), Some("/a b\\c"));
        assert_eq!(config.object_format.as_deref(), Some("sha256"));
        assert_eq!(Config::of("[core \"x\"]\nexcludesFile=/a"), Config::default());
    }
}
