//! `groundline init`: how each host registers the server, as text for people and as data. No file is written but the
//! token's.
//!
//! A form is here only if it was tried with the host or stands in its documentation. Where a host can fetch the token
//! itself, its form holds none.

use super::token::{Token, TokenTrouble};
use crate::envelope::visible;
use crate::sources::workspace::opening::slashed;
use serde_json::{Map, Value, json};
use std::net::IpAddr;
use std::path::{Path, PathBuf};

/// What hosts call the server.
const NAME: &str = "groundline";

/// The environment variable from which hosts take the token, where they can.
const VARIABLE: &str = "GROUNDLINE_TOKEN";

/// Where an address is served unless it says so.
const ENDPOINT: &str = "/mcp";

/// A program that lets its agent use tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Host {
    /// Anthropic's, in the terminal.
    ClaudeCode,
    /// The editor.
    Cursor,
    /// OpenAI's, in the terminal.
    Codex,
    /// Google's, in the terminal.
    GeminiCli,
    /// The editor.
    VsCode,
    /// In the terminal, for any model.
    Opencode,
    /// GitHub's, in the terminal.
    CopilotCli,
}

/// All of them, in the order in which they are shown.
pub const HOSTS: [Host; 7] = [
    Host::ClaudeCode,
    Host::Cursor,
    Host::Codex,
    Host::GeminiCli,
    Host::VsCode,
    Host::Opencode,
    Host::CopilotCli,
];

/// Which registrations are wanted.
#[derive(Debug, Clone)]
pub struct InitWish {
    /// For which hosts.
    pub hosts: Vec<Host>,
    /// How they reach the server.
    pub door: Door,
}

/// How a host reaches the server.
#[derive(Debug, Clone)]
pub enum Door {
    /// It starts the program and talks to it.
    Stdio {
        /// The program, absolute.
        program: PathBuf,
        /// The folder to work in, if the host must not choose.
        root: Option<PathBuf>,
    },
    /// It talks to a server that runs.
    Http {
        /// Where, as it was given.
        address: String,
        /// The file with its token; none where there is no place for one.
        token_file: Option<PathBuf>,
    },
}

/// How one host registers the server.
#[derive(Debug, Clone, PartialEq)]
pub struct Registration {
    /// The host.
    pub host: Host,
    /// Where it looks.
    pub file: &'static str,
    /// What belongs into that file.
    pub form: Form,
    /// A command that does the same, where the host has one.
    pub command: Option<String>,
    /// What one must know or do besides.
    pub notes: Vec<String>,
}

/// What belongs into a file, valid as it stands.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// JSON.
    Json(Value),
    /// TOML.
    Toml(String),
}

/// Why there is nothing to register.
#[derive(Debug, thiserror::Error)]
pub enum InitTrouble {
    /// No form could hold this path.
    #[error("{0} has characters that a registration cannot hold: give it another name")]
    Path(String),
    /// That is no address of an HTTP server.
    #[error("{0} is no address of a server: write it as 127.0.0.1:8765 or https://host/mcp")]
    Address(String),
    /// A token would cross the network in the clear.
    #[error(
        "{0} would carry the token in the clear: name an https:// address, or one of this machine"
    )]
    Clear(String),
    /// Nobody said where the token is, and the platform has no usual place.
    #[error("there is no state folder for the token: name its file with --token-file")]
    NoPlace,
    /// The token cannot be had.
    #[error(transparent)]
    Token(#[from] TokenTrouble),
}

impl Host {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Host::ClaudeCode => "claude-code",
            Host::Cursor => "cursor",
            Host::Codex => "codex",
            Host::GeminiCli => "gemini-cli",
            Host::VsCode => "vs-code",
            Host::Opencode => "opencode",
            Host::CopilotCli => "copilot-cli",
        }
    }
}

/// The registrations that `wish` asks for.
pub fn run(wish: &InitWish) -> Result<Vec<Registration>, InitTrouble> {
    match &wish.door {
        Door::Stdio { program, root } => {
            let program = plain(program)?;
            let root = root.as_deref().map(plain).transpose()?;
            let started = |host: &Host| started(*host, &program, root.as_deref());
            Ok(wish.hosts.iter().map(started).collect())
        }
        Door::Http { address, token_file } => {
            let file = token_file.as_deref().ok_or(InitTrouble::NoPlace)?;
            let door = Http {
                url: url_of(address)?,
                token_file: plain(file)?,
                token: Token::kept_in(file)?,
            };
            Ok(wish.hosts.iter().map(|host| door.reached(*host)).collect())
        }
    }
}

/// Registrations for people, each under its host's name.
pub fn text(registrations: &[Registration]) -> String {
    let one = |r: &Registration| {
        let form = match &r.form {
            Form::Json(value) => format!("{value:#}"),
            Form::Toml(text) => text.trim_end().to_owned(),
        };
        let mut said = format!("# {}\n\nAdd this to {}:\n\n{form}\n", r.host.name(), r.file);
        if let Some(command) = &r.command {
            said.push_str(&format!("\nOr run:\n\n{command}\n"));
        }
        for note in &r.notes {
            said.push_str(&format!("\nNote: {note}\n"));
        }
        said
    };
    visible(&registrations.iter().map(one).collect::<Vec<_>>().join("\n"))
}

/// The same by host, as `mcp.json.example` has it.
pub fn by_host(registrations: &[Registration]) -> Value {
    let one = |r: &Registration| {
        let mut entry = Map::new();
        entry.insert("file".to_owned(), json!(r.file));
        if let Some(command) = &r.command {
            entry.insert("or".to_owned(), json!(command));
        }
        match &r.form {
            Form::Json(value) => entry.insert("json".to_owned(), value.clone()),
            Form::Toml(text) => entry.insert("toml".to_owned(), json!(text)),
        };
        if !r.notes.is_empty() {
            entry.insert("notes".to_owned(), json!(r.notes));
        }
        (r.host.name().to_owned(), Value::Object(entry))
    };
    Value::Object(registrations.iter().map(one).collect())
}

/// The form of a host that starts `program` itself.
fn started(host: Host, program: &str, root: Option<&str>) -> Registration {
    // An editor starts servers anywhere, and says where the project is only if it is asked to.
    let root = match host {
        Host::Cursor | Host::VsCode => Some(root.unwrap_or("${workspaceFolder}")),
        Host::ClaudeCode | Host::Codex | Host::GeminiCli | Host::Opencode | Host::CopilotCli => {
            root
        }
    };
    let mut arguments = vec!["serve"];
    arguments.extend(root.iter().flat_map(|root| ["--root", root]));
    let start = json!({"command": program, "args": arguments});
    let typed = |kind: &str| {
        let mut entry = Map::from_iter([("type".to_owned(), json!(kind))]);
        entry.extend(start.as_object().cloned().unwrap_or_default());
        entry
    };
    let words = std::iter::once(program).chain(arguments.iter().copied());
    let line = words.clone().map(shell_word).collect::<Vec<_>>().join(" ");
    let (file, form, command) = match host {
        Host::ClaudeCode => (
            ".mcp.json",
            servers("mcpServers", start),
            Some(format!("claude mcp add {NAME} -- {line}")),
        ),
        Host::Cursor => (".cursor/mcp.json", servers("mcpServers", start), None),
        Host::Codex => (
            "~/.codex/config.toml",
            toml_table(&[("command", program.into()), ("args", arguments.clone().into())]),
            Some(format!("codex mcp add {NAME} -- {line}")),
        ),
        Host::GeminiCli => (
            ".gemini/settings.json",
            servers("mcpServers", start),
            Some(format!("gemini mcp add -s user {NAME} {line}")),
        ),
        Host::VsCode => {
            let named = json!({"name": NAME, "command": program, "args": arguments});
            let form = servers("servers", Value::Object(typed("stdio")));
            let command = format!("code --add-mcp {}", shell_word(&named.to_string()));
            (".vscode/mcp.json", form, Some(command))
        }
        Host::Opencode => {
            let entry = json!({"type": "local", "command": words.collect::<Vec<_>>()});
            let command = format!("opencode mcp add {NAME} -- {line}");
            ("opencode.json", servers("mcp", entry), Some(command))
        }
        Host::CopilotCli => {
            let mut entry = typed("local");
            entry.insert("tools".to_owned(), json!(["*"]));
            let form = servers("mcpServers", Value::Object(entry));
            let command = format!("copilot mcp add {NAME} -- {line}");
            ("~/.copilot/mcp-config.json", form, Some(command))
        }
    };
    Registration { host, file, form, command, notes: Vec::new() }
}

/// A server that runs, and its token.
struct Http {
    url: String,
    token_file: String,
    token: Token,
}

impl Http {
    /// The form of a host that talks to it.
    fn reached(&self, host: Host) -> Registration {
        let url = &self.url;
        let entry = |bearer: &str| json!({"url": url, "headers": headers(bearer)});
        let typed = |kind: &str, bearer: &str| json!({"type": kind, "url": url, "headers": headers(bearer)});
        let address = shell_word(url);
        let file = shell_word(&self.token_file);
        let exported =
            format!("it takes the token from its environment: export {VARIABLE}=\"$(cat {file})\"");
        let (file, form, command, note) = match host {
            Host::ClaudeCode => {
                let bearer = format!("${{{VARIABLE}}}");
                let header = shell_word(&format!("Authorization: Bearer {bearer}"));
                let command = format!("claude mcp add -t http {NAME} {address} -H {header}");
                let form = servers("mcpServers", typed("http", &bearer));
                (".mcp.json", form, Some(command), exported)
            }
            Host::Cursor => {
                let form = servers("mcpServers", entry(&format!("${{env:{VARIABLE}}}")));
                (".cursor/mcp.json", form, None, exported)
            }
            Host::Codex => {
                let rows = [("url", url.clone().into()), ("bearer_token_env_var", VARIABLE.into())];
                let command = format!(
                    "codex mcp add {NAME} --url {address} --bearer-token-env-var {VARIABLE}"
                );
                ("~/.codex/config.toml", toml_table(&rows), Some(command), exported)
            }
            Host::GeminiCli => {
                let place = "~/.gemini/settings.json";
                let form = json!({"httpUrl": url, "headers": headers(self.token.text())});
                let header = format!("\"Authorization: Bearer $(cat {file})\"");
                let command =
                    format!("gemini mcp add -s user -t http {NAME} {address} -H {header}");
                (place, servers("mcpServers", form), Some(command), self.secret(place))
            }
            Host::VsCode => {
                let id = "groundline-token";
                let said = "the token of Groundline";
                let mut form = typed("http", &format!("${{input:{id}}}"));
                form = json!({"servers": {NAME: form}, "inputs": [
                    {"type": "promptString", "id": id, "description": said, "password": true}]});
                let note = format!("it asks for the token once: cat {file}");
                (".vscode/mcp.json", Form::Json(form), None, note)
            }
            Host::Opencode => {
                // It puts the file's text in before it reads its configuration, so that no escape is understood there.
                let is_plain = !self.token_file.contains(['"', '\\', '{', '}']);
                let (bearer, note) = match is_plain {
                    true => (
                        format!("{{file:{}}}", self.token_file),
                        format!("it reads the token from {}", self.token_file),
                    ),
                    false => (format!("{{env:{VARIABLE}}}"), exported),
                };
                let form = servers("mcp", typed("remote", &bearer));
                ("opencode.json", form, None, note)
            }
            Host::CopilotCli => {
                let place = "~/.copilot/mcp-config.json";
                let mut form = typed("http", self.token.text());
                form["tools"] = json!(["*"]);
                (place, servers("mcpServers", form), None, self.secret(place))
            }
        };
        Registration { host, file, form, command, notes: vec![note] }
    }

    fn secret(&self, place: &str) -> String {
        format!(
            "this holds the secret of {}: show it to nobody, and keep {place} to yourself (chmod 600)",
            self.token_file
        )
    }
}

fn headers(bearer: &str) -> Value {
    json!({"Authorization": format!("Bearer {bearer}")})
}

fn servers(under: &str, entry: Value) -> Form {
    Form::Json(json!({under: {NAME: entry}}))
}

fn toml_table(rows: &[(&str, toml::Value)]) -> Form {
    let rows = rows.iter().map(|(name, value)| format!("{name} = {value}\n"));
    Form::Toml(format!("[mcp_servers.{NAME}]\n{}", rows.collect::<String>()))
}

/// A path as every form can hold it.
fn plain(path: &Path) -> Result<String, InitTrouble> {
    let odd = || InitTrouble::Path(slashed(path));
    let text = path.to_str().ok_or_else(odd)?;
    match visible(text) == text && !text.contains(['\n', '\t']) {
        true => Ok(text.to_owned()),
        false => Err(odd()),
    }
}

/// A word as a POSIX shell reads it.
fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// The whole address of a server that was given as one or as a place to listen at.
fn url_of(given: &str) -> Result<String, InitTrouble> {
    let wrong = || InitTrouble::Address(given.to_owned());
    let whole = match given.contains("://") {
        true => given.to_owned(),
        false => format!("http://{given}"),
    };
    let uri: http::Uri = whole.parse().map_err(|_| wrong())?;
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
        return Err(wrong());
    };
    if authority.as_str().contains('@') || uri.query().is_some() {
        return Err(wrong());
    }
    let host = authority.host().trim_start_matches('[').trim_end_matches(']');
    let ip = host.parse::<IpAddr>().ok();
    if host.is_empty() || ip.is_some_and(|ip| ip.is_unspecified()) {
        // There one listens; nobody is reached there.
        return Err(wrong());
    }
    let is_here = host == "localhost" || ip.is_some_and(|ip| ip.is_loopback());
    match scheme {
        "https" => {}
        "http" if is_here => {}
        "http" => return Err(InitTrouble::Clear(given.to_owned())),
        _ => return Err(wrong()),
    }
    let path = if uri.path() == "/" { ENDPOINT } else { uri.path() };
    Ok(format!("{scheme}://{authority}{path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_completed_and_one_that_reaches_nobody_is_refused() {
        for (given, whole) in [
            ("127.0.0.1:8765", "http://127.0.0.1:8765/mcp"),
            ("localhost:8765", "http://localhost:8765/mcp"),
            ("[::1]:8765", "http://[::1]:8765/mcp"),
            ("http://127.0.0.1:8765/", "http://127.0.0.1:8765/mcp"),
            ("https://tools.example/groundline", "https://tools.example/groundline"),
        ] {
            assert_eq!(url_of(given).unwrap(), whole);
        }
        for given in
            ["", "0.0.0.0:8765", "[::]:1", "ftp://localhost/x", "a b", "https://me:x@host/", "\n"]
        {
            assert!(matches!(url_of(given), Err(InitTrouble::Address(_))), "{given:?}");
        }
        for given in ["10.0.0.7:8765", "http://tools.example/mcp", "localhost.evil.example:1"] {
            assert!(matches!(url_of(given), Err(InitTrouble::Clear(_))), "{given:?}");
        }
    }

    #[test]
    fn a_path_that_no_form_can_hold_is_refused() {
        for odd in ["/a\nb", "/a\u{202e}b", "/a\u{7f}b"] {
            assert!(matches!(plain(Path::new(odd)), Err(InitTrouble::Path(_))), "{odd:?}");
        }
        assert_eq!(plain(Path::new("/größe \"a\" 'b'\\c")).unwrap(), "/größe \"a\" 'b'\\c");
    }

    #[test]
    fn a_shell_reads_words_back_as_they_are() {
        assert_eq!(shell_word("/a/b-c_1.2"), "/a/b-c_1.2");
        assert_eq!(shell_word("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(shell_word(""), "''");
    }
}
