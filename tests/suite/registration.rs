//! `groundline init` shows a form for each host, and each starts the program or knocks at its door with the token;
//! `mcp.json.example` is the same with `groundline` from the search path.

use crate::program::{Folder, hello, top};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const HOSTS: [&str; 7] =
    ["claude-code", "cursor", "codex", "gemini-cli", "vs-code", "opencode", "copilot-cli"];

/// The program under a name that hurts whoever quotes it wrongly.
fn awkward_program(folder: &Folder) -> PathBuf {
    let place = folder.project().join("it's a \"new\" $HOME \\ place");
    fs::create_dir(&place).unwrap();
    let program = place.join("groundline");
    let built = Path::new(env!("CARGO_BIN_EXE_groundline"));
    fs::hard_link(built, &program).or_else(|_| fs::copy(built, &program).map(|_| ())).unwrap();
    program
}

fn shown(folder: &Folder, program: &Path, arguments: &[&str]) -> Value {
    let mut command = Command::new(program);
    command.arg("init").arg("--json").args(arguments).current_dir(folder.project()).env_clear();
    let done = command.env("HOME", folder.project()).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    serde_json::from_slice(&done.stdout).unwrap()
}

/// The entry of the server in the form of a host, read as the host reads it.
fn entry(host: &str, form: &Value) -> Value {
    match host {
        "codex" => {
            let form: toml::Table = toml::from_str(form["toml"].as_str().unwrap()).unwrap();
            serde_json::to_value(&form["mcp_servers"]["groundline"]).unwrap()
        }
        "vs-code" => form["json"]["servers"]["groundline"].clone(),
        "opencode" => form["json"]["mcp"]["groundline"].clone(),
        _ => form["json"]["mcpServers"]["groundline"].clone(),
    }
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// The command line that an entry starts.
fn started(entry: &Value) -> Vec<String> {
    if entry["command"].is_array() {
        return texts(&entry["command"]);
    }
    let mut words = vec![entry["command"].as_str().unwrap().to_owned()];
    words.extend(texts(&entry["args"]));
    words
}

/// The words that a shell hands to a host's program.
fn words_of(line: &str) -> Vec<String> {
    let host = line.split(' ').next().unwrap();
    let script = format!("{host}() {{ printf '%s\\0' \"$@\"; }}\n{line}");
    let done = Command::new("sh").arg("-c").arg(script).env_clear().output().unwrap();
    assert!(done.status.success(), "{line}");
    let text = String::from_utf8(done.stdout).unwrap();
    text.split_terminator('\0').map(str::to_owned).collect()
}

#[test]
fn the_example_is_what_init_shows() {
    let folder = Folder::empty();
    let (status, output, error) = folder.run(&["init", "--json"], "");
    assert_eq!(status, 0, "{error}");
    let shown = output.replace(env!("CARGO_BIN_EXE_groundline"), "groundline");
    let path = top().join("mcp.json.example");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &shown).unwrap();
    }
    assert_eq!(fs::read_to_string(path).unwrap(), shown);
}

#[test]
fn every_form_starts_the_program_in_the_folder_whatever_they_are_called() {
    let folder = Folder::empty();
    let program = awkward_program(&folder);
    let root = folder.project().join("a 'b' \"c\"");
    fs::create_dir(&root).unwrap();
    let shown = shown(&folder, &program, &["--root", "a 'b' \"c\""]);
    let wanted = [program.to_str().unwrap(), "serve", "--root", root.to_str().unwrap()];
    for host in HOSTS {
        assert_eq!(started(&entry(host, &shown[host])), wanted, "{host}");
    }
}

#[test]
fn every_command_line_registers_the_same_program() {
    let folder = Folder::empty();
    let program = awkward_program(&folder);
    let shown = shown(&folder, &program, &["--root", "."]);
    for (host, before) in [
        ("claude-code", vec!["mcp", "add", "groundline", "--"]),
        ("codex", vec!["mcp", "add", "groundline", "--"]),
        ("gemini-cli", vec!["mcp", "add", "-s", "user", "groundline"]),
        ("opencode", vec!["mcp", "add", "groundline", "--"]),
        ("copilot-cli", vec!["mcp", "add", "groundline", "--"]),
    ] {
        let words = words_of(shown[host]["or"].as_str().unwrap());
        assert_eq!(words[..before.len()], before, "{host}");
        assert_eq!(words[before.len()..], started(&entry(host, &shown[host])), "{host}");
    }
    let words = words_of(shown["vs-code"]["or"].as_str().unwrap());
    let named: Value = serde_json::from_str(&words[1]).unwrap();
    assert_eq!((words[0].as_str(), &named["name"]), ("--add-mcp", &json!("groundline")));
    assert_eq!(started(&named), started(&entry("vs-code", &shown["vs-code"])));
}

#[test]
fn what_a_form_starts_is_this_server() {
    let folder = Folder::empty();
    let program = awkward_program(&folder);
    let shown = shown(&folder, &program, &["--host", "claude-code", "--root", "."]);
    let words = started(&entry("claude-code", &shown["claude-code"]));
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello()});
    fs::write(folder.project().join("hello"), format!("{hello}\n")).unwrap();
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).stdin(fs::File::open(folder.project().join("hello")).unwrap());
    let done = command.env_clear().env("HOME", folder.project()).output().unwrap();
    let answer: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(answer["result"]["serverInfo"]["name"], "groundline");
}

/// A server's token in a file with an awkward name, and what `init` shows for it.
fn reached(folder: &Folder) -> (String, PathBuf, Value) {
    let file = folder.project().join("my 'own' token");
    let arguments = ["--http", "127.0.0.1:8765", "--token-file", file.to_str().unwrap()];
    let shown = shown(folder, Path::new(env!("CARGO_BIN_EXE_groundline")), &arguments);
    (fs::read_to_string(&file).unwrap().trim_end().to_owned(), file, shown)
}

#[test]
fn every_form_for_http_names_the_address_and_the_token() {
    let folder = Folder::empty();
    let (token, file, shown) = reached(&folder);
    for (host, address, bearer) in [
        ("claude-code", "url", "${GROUNDLINE_TOKEN}".to_owned()),
        ("cursor", "url", "${env:GROUNDLINE_TOKEN}".to_owned()),
        ("gemini-cli", "httpUrl", token.clone()),
        ("vs-code", "url", "${input:groundline-token}".to_owned()),
        ("opencode", "url", format!("{{file:{}}}", file.to_str().unwrap())),
        ("copilot-cli", "url", token.clone()),
    ] {
        let entry = entry(host, &shown[host]);
        assert_eq!(entry[address], "http://127.0.0.1:8765/mcp", "{host}");
        assert_eq!(entry["headers"]["Authorization"], format!("Bearer {bearer}"), "{host}");
    }
    let codex = entry("codex", &shown["codex"]);
    assert_eq!(codex["url"], "http://127.0.0.1:8765/mcp");
    assert_eq!(codex["bearer_token_env_var"], "GROUNDLINE_TOKEN");
    assert_eq!(shown["vs-code"]["json"]["inputs"][0]["id"], "groundline-token");
}

#[test]
fn a_form_that_holds_the_secret_says_so_and_the_others_hold_none() {
    let folder = Folder::empty();
    let (token, file, shown) = reached(&folder);
    for host in HOSTS {
        let notes = texts(&shown[host]["notes"]).join("\n");
        let warns = notes.contains("holds the secret of") && notes.contains("keep ~/");
        assert_eq!(shown[host].to_string().contains(&token), warns, "{host}: {notes}");
        assert!(notes.contains("token"), "{host}: {notes}");
        assert!(!notes.contains(&token), "{host}: {notes}");
        assert!(!warns || notes.contains(file.to_str().unwrap()), "{host}: {notes}");
    }
}

#[test]
fn a_shell_hands_hosts_the_token_without_it_on_the_line() {
    let folder = Folder::empty();
    let (token, _, shown) = reached(&folder);
    let line = shown["gemini-cli"]["or"].as_str().unwrap();
    assert_eq!(words_of(line).last(), Some(&format!("Authorization: Bearer {token}")));
    let line = shown["claude-code"]["or"].as_str().unwrap();
    assert_eq!(words_of(line).last().unwrap(), "Authorization: Bearer ${GROUNDLINE_TOKEN}");
    for host in ["claude-code", "codex", "cursor"] {
        let notes = texts(&shown[host]["notes"]).join("\n");
        let export = &notes[notes.find("export ").unwrap()..];
        let script = format!("{export}; printf %s \"$GROUNDLINE_TOKEN\"");
        let done = Command::new("sh").arg("-c").arg(script).output().unwrap();
        assert_eq!(String::from_utf8(done.stdout).unwrap(), token, "{host}");
    }
}

#[test]
fn for_people_each_form_stands_whole_under_its_host() {
    let folder = Folder::empty();
    let (_, output, _) = folder.run(&["init"], "");
    let (_, data, _) = folder.run(&["init", "--json"], "");
    let data: Value = serde_json::from_str(&data).unwrap();
    for host in HOSTS {
        let part = output.split("# ").find(|part| part.lines().next() == Some(host)).unwrap();
        let form = match data[host]["toml"].as_str() {
            Some(text) => text.trim_end().to_owned(),
            None => format!("{:#}", data[host]["json"]),
        };
        let place = format!("Add this to {}:\n\n{form}\n", data[host]["file"].as_str().unwrap());
        assert!(part.contains(&place), "{host}: {part}");
    }
}

#[test]
fn nothing_is_written_but_the_token() {
    let folder = Folder::empty();
    let names = || {
        let mut names: Vec<_> =
            fs::read_dir(folder.project()).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let program = Path::new(env!("CARGO_BIN_EXE_groundline"));
    shown(&folder, program, &[]);
    assert_eq!(names(), Vec::<&str>::new());
    shown(&folder, program, &["--http", "127.0.0.1:8765", "--token-file", "own"]);
    assert_eq!(names(), ["own"]);
}

#[test]
fn what_cannot_be_registered_is_refused_with_the_next_step() {
    let folder = Folder::empty();
    fs::write(folder.project().join("open"), "0123456789abcdef\n").unwrap();
    for (arguments, said) in [
        (vec!["--http", "127.0.0.1:1", "--token-file", "open"], "chmod 600"),
        (vec!["--http", "127.0.0.1:1", "--token-file", "."], "is a folder and must be a file"),
        (vec!["--http", "10.0.0.7:1"], "10.0.0.7:1 would carry the token in the clear"),
        (vec!["--http", "0.0.0.0:1"], "0.0.0.0:1 is no address of a server"),
        (vec!["--host", "emacs"], "[possible values: claude-code,"),
        (vec!["--root", ".", "--http", "127.0.0.1:1"], "cannot be used with"),
    ] {
        let (status, output, error) = folder.run(&[&["init"], arguments.as_slice()].concat(), "");
        assert_eq!((status, output.as_str()), (2, ""), "{arguments:?}");
        assert!(error.contains(said), "{arguments:?}: {error}");
        assert!(!error.contains("0123456789"), "{error}");
    }
}
