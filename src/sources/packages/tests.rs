//! Packages as they lie on disk, in folders of the tests' own.

use super::*;
use crate::base::Stop;
use crate::sources::workspace::Reach;
use std::fs;

struct Disk {
    _dir: tempfile::TempDir,
    top: PathBuf,
}

impl Disk {
    /// Files by path and text; `repo` is the repository.
    fn with(files: &[(&str, &str)]) -> Disk {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        for (path, text) in files {
            let at = top.join(path);
            fs::create_dir_all(at.parent().unwrap()).unwrap();
            fs::write(at, text).unwrap();
        }
        fs::create_dir_all(top.join("repo")).unwrap();
        Disk { _dir: dir, top }
    }

    fn named(&self, root: &str, reach: Reach) -> Named {
        let (root, top) = (self.top.join(root), self.top.join("repo"));
        let ground = Ground { root: &root, top: &top, reach };
        named(&members(&ground), &compiler(&root, &top), &ground)
    }

    fn closed(&self, name: &str) -> Gathered {
        let named = self.named("repo", Reach::Repository);
        let found = named.packages.into_iter().find(|(package, _)| package.name == name).unwrap();
        closure(&found.0, &Stop::default())
    }
}

fn names(named: &Named) -> Vec<String> {
    named.packages.iter().map(|(p, _)| format!("{} {}", p.name, p.version)).collect()
}

fn shown(gathered: &Gathered) -> Vec<&str> {
    gathered.files.iter().map(|f| f.shown.as_str()).collect()
}

#[test]
fn dependencies_are_found_where_they_are_installed() {
    let disk = Disk::with(&[
        (
            "repo/package.json",
            r#"{"dependencies": {"own": "1", "plain": "1", "@s/p": "1", "gone": "1"},
                "devDependencies": {"@types/node": "1"}, "peerDependencies": {"bare": "1"},
                "optionalDependencies": {"../evil": "1"}}"#,
        ),
        ("repo/node_modules/own/package.json", r#"{"version": "1.2.3", "types": "./t.d.ts"}"#),
        ("repo/node_modules/own/t.d.ts", "export {}"),
        ("repo/node_modules/plain/package.json", r#"{"version": "9.0.0"}"#),
        ("repo/node_modules/@types/plain/package.json", r#"{"version": "2.0.0"}"#),
        ("repo/node_modules/@types/plain/index.d.ts", "export {}"),
        ("repo/node_modules/@s/p/package.json", "{}"),
        ("repo/node_modules/@types/s__p/package.json", r#"{"version": "3.0.0"}"#),
        ("repo/node_modules/@types/node/package.json", r#"{"version": "24.0.0"}"#),
        ("repo/node_modules/bare/package.json", "{}"),
        ("repo/node_modules/bare/index.js", ""),
    ]);
    let named = disk.named("repo", Reach::Repository);
    assert_eq!(names(&named), ["@s/p 3.0.0", "node 24.0.0", "own 1.2.3", "plain 2.0.0"]);
    assert_eq!(named.silent, ["bare"]);
    assert_eq!(named.missing, ["gone"]);
}

#[test]
fn workspaces_resolve_upward_to_the_repositorys_top() {
    let disk = Disk::with(&[
        ("repo/package.json", r#"{"workspaces": ["packages/*"]}"#),
        ("repo/packages/a/package.json", r#"{"dependencies": {"x": "1", "y": "1"}}"#),
        ("repo/packages/a/node_modules/x/package.json", r#"{"version": "2"}"#),
        ("repo/packages/a/node_modules/x/index.d.ts", ""),
        ("repo/node_modules/x/package.json", r#"{"version": "1"}"#),
        ("repo/node_modules/x/index.d.ts", ""),
        ("repo/node_modules/y/package.json", r#"{"version": "1"}"#),
        ("repo/node_modules/y/index.d.ts", ""),
        ("node_modules/z/package.json", "{}"),
    ]);
    let from_top = disk.named("repo", Reach::Repository);
    assert_eq!(names(&from_top), ["x 2", "y 1"]);
    assert_eq!(names(&disk.named("repo/packages/a", Reach::Repository)), ["x 2", "y 1"]);
}

#[cfg(unix)]
#[test]
fn links_may_lead_into_the_repository_and_not_out_of_it() {
    use std::os::unix::fs::symlink;
    let disk = Disk::with(&[
        ("repo/package.json", r#"{"dependencies": {"in": "1", "out": "1"}}"#),
        ("repo/node_modules/.pnpm/in@1/node_modules/in/package.json", r#"{"version": "1"}"#),
        ("repo/node_modules/.pnpm/in@1/node_modules/in/index.d.ts", "import { Y } from 'beside';"),
        ("repo/node_modules/.pnpm/in@1/node_modules/beside/package.json", r#"{"version": "7"}"#),
        ("repo/node_modules/.pnpm/in@1/node_modules/beside/index.d.ts", "export type Y = 1"),
        ("elsewhere/out/package.json", r#"{"version": "1"}"#),
        ("elsewhere/out/index.d.ts", ""),
    ]);
    symlink(".pnpm/in@1/node_modules/in", disk.top.join("repo/node_modules/in")).unwrap();
    symlink(disk.top.join("elsewhere/out"), disk.top.join("repo/node_modules/out")).unwrap();
    let named = disk.named("repo", Reach::Repository);
    assert_eq!(names(&named), ["in 1"]);
    assert_eq!(names(&disk.named("repo", Reach::Anywhere)), ["in 1", "out 1"]);
    // What a package needs lies beside it, not beside the project.
    let (root, top) = (disk.top.join("repo"), disk.top.join("repo"));
    let ground = Ground { root: &root, top: &top, reach: Reach::Repository };
    let beside = needed("beside", &named.packages[0].0.folder, &ground).unwrap();
    assert_eq!(beside.version, "7");
    assert_eq!(disk.closed("in").needs.iter().collect::<Vec<_>>(), ["beside"]);
}

#[test]
fn the_closure_follows_every_kind_of_reference_and_stays_inside() {
    let disk = Disk::with(&[
        ("repo/package.json", r#"{"dependencies": {"p": "1"}}"#),
        (
            "repo/node_modules/p/package.json",
            r#"{"exports": {".": {"types": "./i.d.ts"}, "./sub": "./sub.js"}}"#,
        ),
        (
            "repo/node_modules/p/i.d.ts",
            "/// <reference path='./r.d.ts' />\n/// <reference types='env' />\n\
             export * from './a.js';\nimport './side';\nimport { Q } from 'other/deep';\n\
             export declare const b: import('./b').B;\nexport * from '../../../../leak';\n\
             export * from 'p/sub';\nexport * from 'amb';",
        ),
        ("repo/node_modules/p/a.d.ts", "export interface A {}"),
        ("repo/node_modules/p/b/index.d.ts", "export interface B {}"),
        ("repo/node_modules/p/r.d.ts", "declare module 'amb' {}"),
        ("repo/node_modules/p/side.d.ts", "export {}"),
        ("repo/node_modules/p/sub.d.ts", "export {}"),
        ("repo/node_modules/p/unused.d.ts", "export {}"),
        ("repo/node_modules/p/node_modules/q/index.d.ts", "export {}"),
        ("leak.d.ts", "export {}"),
    ]);
    let closed = disk.closed("p");
    assert_eq!(
        shown(&closed),
        ["a.d.ts", "b/index.d.ts", "i.d.ts", "r.d.ts", "side.d.ts", "sub.d.ts"]
    );
    assert_eq!(closed.needs.iter().collect::<Vec<_>>(), ["env", "other"]);
    let first = &closed.files[2];
    assert_eq!(first.module, "p/i");
    let resolved: Vec<String> = first.resolved.iter().map(|(s, m)| format!("{s} = {m}")).collect();
    assert_eq!(resolved, ["./a.js = p/a", "./b = p/b/index", "./side = p/side", "p/sub = p/sub"]);
    let modules: Vec<&str> = closed.modules.keys().map(Name::as_str).collect();
    assert_eq!(modules, ["p", "p/sub"]);
}

#[test]
fn what_is_global_is_read_only_where_the_package_begins_with_it() {
    let disk = Disk::with(&[
        ("repo/package.json", r#"{"dependencies": {"p": "1", "loose": "1"}}"#),
        ("repo/tsconfig.json", r#"{"compilerOptions": {"types": ["loose/b"]}}"#),
        ("repo/node_modules/p/package.json", r#"{"types": "index.d.ts"}"#),
        ("repo/node_modules/p/index.d.ts", "export {}"),
        ("repo/node_modules/p/deep.d.ts", "export {}"),
        ("repo/node_modules/p/globals.d.ts", "declare const leaked: 1;"),
        ("repo/node_modules/loose/package.json", "{}"),
        ("repo/node_modules/loose/a/index.d.ts", "declare const a: 1;"),
        ("repo/node_modules/loose/b/index.d.ts", "declare const b: 1;"),
    ]);
    assert_eq!(shown(&disk.closed("p")), ["deep.d.ts", "index.d.ts"]);
    assert_eq!(shown(&disk.closed("loose")), ["b/index.d.ts"]);
}

#[test]
fn listed_files_are_the_modules_that_their_packages_say() {
    let disk = Disk::with(&[
        ("repo/types/engine.d.ts", "import { H } from 'k6/http';\nexport interface E {}"),
        ("repo/node_modules/@types/k6/package.json", r#"{"version": "1"}"#),
        ("repo/node_modules/@types/k6/index.d.ts", "export * from './http';"),
        ("repo/node_modules/@types/k6/http/index.d.ts", "export interface H {}"),
        ("repo/node_modules/@types/k6/global.d.ts", "declare const g: 1;"),
        ("else/lib/x.d.ts", "export {}"),
    ]);
    let paths = [
        "repo/types/engine.d.ts",
        "repo/node_modules/@types/k6/index.d.ts",
        "repo/node_modules/@types/k6/http/index.d.ts",
        "repo/node_modules/@types/k6/global.d.ts",
        "else/lib/x.d.ts",
    ];
    let paths: Vec<PathBuf> = paths.iter().map(|p| disk.top.join(p)).collect();
    let gathered = listed(&paths, &disk.top.join("repo"), &Stop::default());
    let outside = slashed(&disk.top.join("else/lib/x")).trim_start_matches('/').to_string();
    let modules: Vec<&str> = gathered.files.iter().map(|f| f.module.as_str()).collect();
    let mut wanted =
        vec!["k6/global", "k6/http/index", "k6/index", "types/engine", outside.as_str()];
    wanted.sort();
    let mut sorted = modules.clone();
    sorted.sort();
    assert_eq!(sorted, wanted);
    assert_eq!(gathered.modules.get("k6/http").map(Name::as_str), Some("k6/http/index"));
    assert_eq!(gathered.modules.get("k6").map(Name::as_str), Some("k6/index"));
    assert!(!gathered.modules.contains_key("k6/global"));
    let engine = gathered.files.iter().find(|f| f.module == "types/engine").unwrap();
    assert_eq!(engine.resolved.get("k6/http").map(Name::as_str), Some("k6/http/index"));
}

fn slashed(path: &Path) -> String {
    crate::sources::workspace::opening::slashed(path)
}
