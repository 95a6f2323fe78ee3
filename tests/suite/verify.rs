//! A check in one command: `groundline verify -- COMMAND`, its verdicts and its attestation.

use crate::program::Folder;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A project with a source and its test, in a repository that stands at a commit.
fn project() -> Folder {
    let folder = Folder::empty();
    let root = folder.project();
    for (path, text) in [
        (".git/HEAD", format!("{}\n", "c".repeat(40))),
        (".git/config", "[core]\n".to_owned()),
        (".gitignore", "out/\n".to_owned()),
        ("src/answer.js", "export const answer = 42;\n".to_owned()),
        ("tests/answer.test.js", "expect(answer).toBe(42);\n".to_owned()),
    ] {
        fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
        fs::write(root.join(path), text).unwrap();
    }
    folder
}

fn verified(folder: &Folder, more: &[&str], script: &str) -> (i32, String) {
    let arguments = [&["verify"], more, &["--", "/bin/sh", "-c", script]].concat();
    let (status, output, _) = folder.run(&arguments, "");
    (status, output)
}

fn checked(folder: &Folder) -> (i32, String) {
    let (status, output, _) = folder.run(&["verify", "--check", "checked.json"], "");
    (status, output)
}

#[test]
fn a_check_counts_as_it_went_where_the_tree_held_still() {
    let folder = project();
    let (status, said) = verified(&folder, &[], "echo 1 passed; mkdir out; echo > out/report");
    assert_eq!(status, 0, "{said}");
    assert!(said.starts_with("1 passed\nPASS  `/bin/sh -c "), "{said}");
    assert!(said.contains("ended with 0, and the tree held still, 3 files"), "{said}");
    let (status, said) = verified(&folder, &[], "exit 7");
    assert!(status == 1 && said.starts_with("FAIL  "), "{status} {said}");
    assert!(said.contains("ended with 7"), "{said}");
}

#[test]
fn a_check_that_mends_its_test_counts_for_nothing_and_the_file_is_named() {
    let folder = project();
    let mends = "echo 'expect(answer).toBe(43);' > tests/answer.test.js";
    let (status, said) = verified(&folder, &["--attest", "checked.json"], mends);
    assert!(status == 3 && said.starts_with("VOID  "), "{status} {said}");
    assert!(said.contains("1 path moved meanwhile\n  edited  tests/answer.test.js"), "{said}");
    assert!(said.contains("nothing was attested"), "{said}");
    assert!(!folder.project().join("checked.json").exists());
}

#[test]
fn what_is_put_back_holds_and_is_told() {
    let folder = project();
    let there_and_back =
        "cp src/answer.js out.js; echo x > src/answer.js; cat out.js > src/answer.js; rm out.js";
    let (status, said) = verified(&folder, &[], there_and_back);
    assert!(status == 0 && said.starts_with("PASS  "), "{status} {said}");
    assert!(said.contains("remark  ") && said.contains("src/answer.js"), "{said}");
    if cfg!(target_os = "linux") {
        assert!(said.contains("remark  edited and put back"), "{said}");
        assert!(said.contains("remark  came and went: out.js"), "{said}");
    }
}

#[test]
fn what_may_move_does_not_void_and_what_is_included_does() {
    let folder = project();
    let writes = "mkdir -p out; echo a > out/a; echo b > snapshot.txt";
    assert_eq!(verified(&folder, &["--allow", "snapshot.txt"], writes).0, 0);
    let (status, said) = verified(&folder, &["--include", "out/**"], "echo c > out/a");
    assert!(status == 3 && said.contains("edited  out/a"), "{status} {said}");
}

#[test]
fn what_did_not_end_by_itself_said_nothing() {
    let folder = project();
    let (status, said) = verified(&folder, &["--timeout", "1"], "sleep 600");
    assert!(status == 2 && said.contains("was stopped after 1 s"), "{status} {said}");
    let (status, said) = verified(&folder, &[], "kill -9 $$");
    assert!(status == 2 && said.contains("was ended by signal 9"), "{status} {said}");
    let (status, said, _) = folder.run(&["verify", "--", "/nothing/here"], "");
    assert!(status == 2 && said.starts_with("UNKNOWN  `/nothing/here` could not be"), "{said}");
    let (status, _, error) = folder.run(&["verify"], "");
    assert!(status == 2 && error.contains("COMMAND"), "{error}");
}

#[test]
fn an_attestation_binds_a_command_to_a_tree() {
    let folder = project();
    let (status, said) = verified(&folder, &["--attest", "checked.json"], "printf abc");
    assert!(status == 0 && said.ends_with("checked.json\n"), "{status} {said}");
    let file = folder.project().join("checked.json");
    let statement: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert_eq!(statement["predicate"]["result"], "PASSED");
    assert_eq!(statement["subject"][1]["digest"]["gitCommit"], "c".repeat(40));
    // FIPS 180-2, appendix B.1.
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(statement["predicate"]["configuration"][1]["digest"]["sha256"], abc);
    let (status, said) = checked(&folder);
    assert!(status == 0 && said.starts_with("PASS  "), "{status} {said}");
    let source = folder.project().join("src/answer.js");
    let before = fs::read(&source).unwrap();
    fs::write(&source, "export const answer = 43;\n").unwrap();
    let (status, said) = checked(&folder);
    assert!(status == 3 && said.contains("is about another tree"), "{status} {said}");
    fs::write(&source, before).unwrap();
    assert_eq!(checked(&folder).0, 0);
    make_executable(&source);
    assert_eq!(checked(&folder).0, 3);
}

#[test]
fn an_attestation_that_is_none_is_unknown() {
    let folder = project();
    let (status, said) = checked(&folder);
    assert!(status == 2 && said.contains("does not exist"), "{said}");
    for (text, why) in
        [("", "is no JSON"), ("{}", "is no in-toto statement"), ("[1]", "is no in-toto")]
    {
        fs::write(folder.project().join("checked.json"), text).unwrap();
        let (status, said) = checked(&folder);
        assert!(status == 2 && said.contains(why), "{said}");
    }
}

#[test]
fn a_check_that_failed_is_attested_as_failed() {
    let folder = project();
    let attest = ["--attest", "checked.json"];
    assert_eq!(verified(&folder, &attest, "exit 1").0, 1);
    let (status, said) = checked(&folder);
    assert!(status == 1 && said.starts_with("FAIL  "), "{status} {said}");
}

fn make_executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}
