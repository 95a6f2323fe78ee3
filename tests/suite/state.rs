//! What is kept beside the project stays whole: several builds at once, a kill at any moment, damage.

use crate::program::{Folder, PATIENCE, exit_within};
use serde_json::Value;
use std::fs;
use std::process::{Child, Stdio};

const TOML: &str = "builtins = [\"ecmascript\"]\n[[api]]\nname = \"shop\"\nversion = \"1\"\n\
                    declarations = [\"types/*.d.ts\"]\npages = [\"pages/*.md\"]\n";

/// How often a build is killed.
const N_KILLS: u32 = 12;

fn shop(n_interfaces: usize) -> Folder {
    let folder = Folder::empty();
    let project = folder.project();
    fs::create_dir(project.join("types")).unwrap();
    fs::create_dir(project.join("pages")).unwrap();
    fs::write(project.join("groundline.toml"), TOML).unwrap();
    let more: String = (0..n_interfaces)
        .map(|n| format!("interface More{n} {{ a{n}: number; b{n}(): string }}\n"))
        .collect();
    fs::write(project.join("types/more.d.ts"), more).unwrap();
    let pages: String =
        (0..n_interfaces).map(|n| format!("## More{n}-a{n}\n\nType: `number`\n\n")).collect();
    fs::write(project.join("pages/more.md"), pages).unwrap();
    sells(&folder, "price");
    folder
}

/// Makes `member` the only member of the interface that is asked for.
fn sells(folder: &Folder, member: &str) {
    let text = format!("interface Item {{ {member}: number }}\ndeclare const item: Item;\n");
    fs::write(folder.project().join("types/item.d.ts"), text).unwrap();
}

/// What a check says of a member: its verdict, and everything that is noted.
fn judged(folder: &Folder, member: &str) -> (String, String) {
    let arguments = format!("{{\"code\": \"item.{member}\"}}");
    let (_, output, error) =
        folder.run(&["call", "check_symbols", &arguments, "--json", "--all"], "");
    let answer: Value = serde_json::from_str(&output).unwrap_or_else(|_| panic!("{output}{error}"));
    let verdict = answer["accesses"][0]["verdict"].as_str().unwrap_or("none").to_owned();
    (verdict, format!("{} {}", answer["notes"], answer["remarks"]))
}

fn build(folder: &Folder) -> Child {
    let mut command = folder.command(&["build"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

#[test]
fn builds_at_once_do_not_disturb_each_other() {
    let folder = shop(100);
    let builds: Vec<Child> = (0..4).map(|_| build(&folder)).collect();
    for mut one in builds {
        assert!(exit_within(&mut one, PATIENCE).success());
    }
    let (verdict, notes) = judged(&folder, "price");
    assert_eq!(verdict, "known");
    assert!(!notes.contains("damaged"), "{notes}");
}

#[test]
fn a_build_that_is_killed_leaves_an_old_or_a_new_index() {
    let folder = shop(200);
    assert!(exit_within(&mut build(&folder), PATIENCE).success());
    for n in 0..N_KILLS {
        let (now, before) = (format!("price{n}"), format!("price{}", n + 1));
        sells(&folder, &now);
        let mut child = build(&folder);
        // Each time a little later.
        for _ in 0..n * 80 {
            if child.try_wait().unwrap().is_some() {
                break;
            }
            std::thread::yield_now();
        }
        let _ = child.kill();
        child.wait().unwrap();
        let (verdict, notes) = judged(&folder, &now);
        assert_eq!(verdict, "known", "kill {n}");
        assert!(!notes.contains("damaged"), "{notes}");
        assert_eq!(judged(&folder, &before).0, "invented", "kill {n}");
    }
}

#[test]
fn damage_is_said_and_mended() {
    let folder = shop(3);
    assert!(exit_within(&mut build(&folder), PATIENCE).success());
    for file in files_below(&folder.cache()) {
        let mut bytes = fs::read(&file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x55;
        fs::write(&file, bytes).unwrap();
    }
    let (verdict, notes) = judged(&folder, "price");
    assert_eq!(verdict, "known");
    assert!(notes.contains("its cache was damaged and is made again"), "{notes}");
    assert!(!judged(&folder, "price").1.contains("damaged"));
}

fn files_below(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files_below(&path)) } else { found.push(path) }
    }
    found
}
