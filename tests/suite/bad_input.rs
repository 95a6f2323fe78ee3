//! Input that hurts: each gets a clear answer, and nothing aborts, hangs or is lost.

use crate::program::Folder;
use serde_json::Value;
use std::fs;

/// A configuration of one api, `kiln`, whose declarations are `kiln.d.ts`.
const KILN: &str = "builtins = [\"ecmascript\"]\n[[api]]\nname = \"kiln\"\nversion = \"1\"\ndeclarations = [\"*.d.ts\"]\n";

fn with_declarations(declarations: &[u8]) -> Folder {
    let folder = Folder::empty();
    fs::write(folder.project().join("groundline.toml"), KILN).unwrap();
    fs::write(folder.project().join("kiln.d.ts"), declarations).unwrap();
    folder
}

const PLAIN: &str = "interface Kiln { heat: number; fire(): Kiln }\ndeclare const kiln: Kiln;\n";

/// The answer as data, and the exit status.
fn check(folder: &Folder, arguments: &Value) -> (i32, Value) {
    let (status, output, error) =
        folder.run(&["call", "check_symbols", "-", "--json"], &format!("{arguments}\n"));
    let answer =
        serde_json::from_str(&output).unwrap_or_else(|why| panic!("{why}: {output}{error}"));
    (status, answer)
}

fn members(answer: &Value) -> Vec<&str> {
    let findings = answer["findings"].as_array().unwrap_or_else(|| panic!("no findings: {answer}"));
    findings.iter().map(|f| f["member"].as_str().unwrap()).collect()
}

#[test]
fn code_of_any_shape_is_answered() {
    let folder = with_declarations(PLAIN.as_bytes());
    let deep = 100_000;
    let whole = "kiln.het;\n";
    let mut found: Vec<(&str, bool)> = Vec::new();
    for (name, code) in [
        ("empty", String::new()),
        ("nul", format!("\0\0{whole}")),
        ("brackets", format!("{whole}{}", "(".repeat(deep))),
        ("arrays", format!("{whole}x = {}{};", "[".repeat(deep), "]".repeat(deep))),
        ("blocks", format!("{whole}{}", "{".repeat(deep))),
        ("arrows", format!("{whole}x = {}1;", "a=>".repeat(deep))),
        ("sums", format!("{whole}x = {}1;", "a+".repeat(deep))),
        ("calls", format!("{whole}x{};", "()".repeat(deep))),
        ("members", format!("{whole}x{};", ".a".repeat(deep))),
        ("ternaries", format!("{whole}x = {}1;", "a?b:".repeat(deep))),
        ("templates", format!("{whole}x = {}", "`${".repeat(deep))),
        ("else", format!("{whole}{}", "if (a) b; else ".repeat(20_000))),
        (
            "doubling",
            (1..60).fold(format!("{whole}function f0() {{ return 'a'; }}\n"), |code, n| {
                let before = n - 1;
                code + &format!(
                    "function f{n}() {{ return Math.random() ? f{before}() : [f{before}()]; }}\n"
                )
            }) + "f59().x;",
        ),
        ("invisible", format!("{whole}a\u{202e}.b\u{200b}c")),
    ] {
        let (status, answer) = check(&folder, &serde_json::json!({ "code": code }));
        assert!(status == 0 || status == 1, "{name}: {status} {answer}");
        found.push((name, members(&answer) == ["het"]));
    }
    let left_out: Vec<&str> = found.iter().filter(|(_, het)| !het).map(|(name, _)| *name).collect();
    assert_eq!(left_out, ["empty"], "in these the statement that is whole was not judged");
}

#[test]
fn declarations_of_any_shape_cost_no_other_file() {
    let deep = 100_000;
    let union: Vec<String> = (0..deep).map(|n| format!("\"{n}\"")).collect();
    let named: Vec<String> = (0..deep).map(|n| format!("T{n}")).collect();
    for (name, text) in [
        ("empty", String::new()),
        ("brackets", format!("type A = {}", "[".repeat(deep))),
        ("generics", format!("type A = {}", "A<".repeat(deep))),
        ("namespaces", "namespace a {".repeat(deep)),
        ("recursive", "type A = A; interface B extends B {} type C = D; type D = C[]; type E<T> = E<E<T>>;\ndeclare const a: A, b: B, c: C, e: E<number>;".into()),
        ("namespace in itself", "declare namespace N { export import M = N; } declare const n: typeof N;".into()),
        ("doubling", "type Twice<T> = { a: Twice<[T, T]> }; declare const a: Twice<string>, b: any, c: any, e: any;".into()),
        ("union of texts", format!("type A = {};", union.join("|"))),
        ("union of names", format!("type A = {};", named.join("|"))),
        ("half", "interface Half { a(: }\ndeclare cons".into()),
        ("nul", "interface \0 {}".into()),
    ] {
        let folder = with_declarations(PLAIN.as_bytes());
        fs::write(folder.project().join("other.d.ts"), text).unwrap();
        let code = format!("kiln.het; a.x; b.x.y; c.x; c[0][0].y; e.f; a{};", ".a".repeat(60));
        let (status, answer) = check(&folder, &serde_json::json!({ "code": code }));
        assert_eq!((status, members(&answer).contains(&"het")), (1, true), "{name}: {answer}");
    }
}

#[test]
fn declarations_that_are_not_utf8_are_read_as_far_as_they_are() {
    let folder = with_declarations(
        b"// caf\xe9\ninterface Kiln { heat: number }\ndeclare const kiln: Kiln;\n",
    );
    let (_, answer) = check(&folder, &serde_json::json!({ "code": "kiln.het" }));
    assert_eq!(members(&answer), ["het"], "{answer}");
}

#[test]
fn files_that_are_no_text_are_said() {
    let folder = with_declarations(PLAIN.as_bytes());
    let project = folder.project();
    fs::write(project.join("latin.js"), b"// caf\xe9\nkiln.het;\n").unwrap();
    fs::write(project.join("binary.js"), b"\x00\x01\x02kiln.het").unwrap();
    fs::write(project.join("huge.js"), vec![b' '; 5 * 1024 * 1024]).unwrap();
    fs::create_dir(project.join("folder.js")).unwrap();
    let paths = [
        "latin.js",
        "binary.js",
        "huge.js",
        "missing.js",
        "../out.js",
        "/etc/passwd",
        "a\u{0}b.js",
    ];
    let (status, answer) = check(&folder, &serde_json::json!({ "paths": paths }));
    assert_eq!((status, members(&answer)), (1, vec!["het"]), "{answer}");
    let notes = answer["notes"].to_string();
    for path in &paths[1..6] {
        assert!(notes.contains(&format!("{path} was not checked")), "{path}: {notes}");
    }
}

#[test]
fn a_cursor_behind_the_last_finding_says_so() {
    let folder = with_declarations(PLAIN.as_bytes());
    let call = "{\"code\":\"kiln.het\",\"cursor\":\"9\"}";
    let (status, output, _) = folder.run(&["call", "check_symbols", call], "");
    assert_eq!(status, 1);
    assert!(output.contains("nothing is behind this cursor: there are 1 findings"), "{output}");
}

#[test]
fn what_a_project_adds_to_an_apis_types_is_known() {
    let folder = with_declarations(PLAIN.as_bytes());
    let project = folder.project();
    fs::create_dir(project.join("types")).unwrap();
    fs::write(project.join("types/more.d.ts"), "interface Kiln { glaze(): void }").unwrap();
    let script = "declare global { interface Kiln { stoke(): void } }\nkiln.stoke(); kiln.glaze(); kiln.sing();";
    fs::write(project.join("a.ts"), script).unwrap();
    let (_, answer) = check(&folder, &serde_json::json!({ "paths": ["a.ts"] }));
    assert_eq!(members(&answer), ["sing"], "{answer}");
}

#[test]
fn a_root_that_is_not_there_says_what_to_name() {
    let folder = Folder::empty();
    let (status, output, error) =
        folder.run(&["call", "check_symbols", "{\"code\":\"a.b\"}", "--root", "nowhere"], "");
    assert_eq!(status, 2, "{output}{error}");
    assert!(
        format!("{output}{error}").contains("name an existing project folder"),
        "{output}{error}"
    );
}

#[test]
fn a_bad_configuration_says_its_line() {
    let folder = Folder::empty();
    fs::write(folder.project().join("groundline.toml"), "builtins = [\n[[api]\nname = 3\n")
        .unwrap();
    let (status, output, error) = folder.run(&["call", "check_symbols", "{\"code\":\"a.b\"}"], "");
    assert_eq!(status, 2, "{output}{error}");
    assert!(format!("{output}{error}").contains("groundline.toml:"), "{output}{error}");
}

#[test]
fn a_cache_that_cannot_be_written_or_is_damaged_costs_no_answer() {
    let folder = with_declarations(PLAIN.as_bytes());
    let ask = serde_json::json!({ "code": "kiln.het" });
    let (_, first) = check(&folder, &ask);
    assert_eq!(members(&first), ["het"]);
    let mut n_damaged = 0;
    for entry in walk(&folder.cache()) {
        let mut bytes = fs::read(&entry).unwrap();
        if let Some(middle) = bytes.len().checked_div(2).filter(|m| *m < bytes.len()) {
            bytes[middle] ^= 0x55;
            bytes.truncate(bytes.len() - 1);
        }
        fs::write(&entry, bytes).unwrap();
        n_damaged += 1;
    }
    assert!(n_damaged > 0, "nothing was cached in {}", folder.cache().display());
    assert_eq!(members(&check(&folder, &ask).1), ["het"]);
    // A file where the cache's folder should be: nothing can be written there, whoever asks.
    fs::remove_dir_all(folder.cache()).unwrap();
    fs::write(folder.cache(), "").unwrap();
    let (_, answer) = check(&folder, &ask);
    assert_eq!(members(&answer), ["het"]);
    assert!(answer["remarks"].to_string().contains("cache"), "{answer}");
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found
}
