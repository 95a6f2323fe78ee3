//! Whole projects in folders of the tests' own.

use super::*;
use crate::base::Quiet;
use crate::datagraph::format::packed::LAYOUT;
use crate::datagraph::{Datagraph, Key};
use crate::sources::workspace::Reach;
use crate::types::TypeName;
use std::fs;

struct Ground {
    _dir: tempfile::TempDir,
    root: PathBuf,
}

impl Ground {
    fn with(files: &[(&str, &str)]) -> Ground {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        let ground = Ground { root: top.join("project"), _dir: dir };
        files.iter().for_each(|(path, text)| ground.write(path, text));
        fs::create_dir_all(ground.root.join(".git")).unwrap();
        ground
    }

    fn write(&self, path: &str, text: &str) {
        let at = self.root.join(path);
        fs::create_dir_all(at.parent().unwrap()).unwrap();
        fs::write(at, text).unwrap();
    }

    fn cache(&self) -> PathBuf {
        self.root.parent().unwrap().join("cache")
    }

    fn open(&self, store: &Store) -> (Vec<Arc<Datagraph>>, Vec<Note>) {
        self.opened(store, Mining::WhereChanged)
    }

    fn opened(&self, store: &Store, mining: Mining) -> (Vec<Arc<Datagraph>>, Vec<Note>) {
        let project = Project {
            root: &self.root,
            home: None,
            reach: Reach::Repository,
            evidence: Evidence::default(),
            declarations: &[],
            pages: &[],
        };
        let (held, notes) = store.held(&project, mining, &Stop::default(), &Quiet);
        (held.into_iter().map(|h| Arc::clone(&h.kept.datagraph)).collect(), notes)
    }

    fn planned(&self, evidence: Evidence) -> Vec<String> {
        let project = Project {
            root: &self.root,
            home: None,
            reach: Reach::Repository,
            evidence,
            declarations: &[],
            pages: &[],
        };
        plan(&project).recipes.iter().map(|r| r.name().to_string()).collect()
    }
}

fn members(graphs: &[Arc<Datagraph>], api: &str, interface: &str) -> Vec<String> {
    let graph = graphs.iter().find(|g| g.api == api).unwrap();
    let key = Key::of_type(TypeName::global(interface));
    graph.interfaces[&key].shape.members.keys().map(Name::to_string).collect()
}

const CONFIGURED: [(&str, &str); 2] = [
    (
        "groundline.toml",
        "builtins = []\n[[api]]\nname = \"e\"\nversion = \"1\"\ndeclarations = [\"t/*.d.ts\"]\n",
    ),
    ("t/a.d.ts", "interface A { one(): void }"),
];

#[test]
fn a_changed_source_is_mined_again_and_an_equal_one_is_not() {
    let ground = Ground::with(&CONFIGURED);
    let first = ground.open(&Store::new(Some(ground.cache())));
    assert_eq!(first.1, []);
    assert_eq!(members(&first.0, "e", "A"), ["one"]);
    let second = ground.open(&Store::new(Some(ground.cache())));
    assert_eq!(second, first);
    ground.write("t/a.d.ts", "interface A { one(): void; two(): void }");
    let store = Store::new(Some(ground.cache()));
    let third = ground.open(&store);
    assert_eq!(members(&third.0, "e", "A"), ["one", "two"]);
    // What is in memory is handed out again as long as it holds.
    assert!(Arc::ptr_eq(&ground.open(&store).0[0], &third.0[0]));
    ground.write("t/b.d.ts", "interface A { three(): void }");
    assert_eq!(members(&ground.open(&store).0, "e", "A"), ["one", "three", "two"]);
}

/// An interface whose source is so large that mining it would be waited for.
fn large(members: &str) -> String {
    let filler = "// a line of no meaning that makes the file large\n".repeat(50_000);
    format!("interface A {{ {members} }}\n{filler}")
}

#[test]
fn a_large_source_that_changed_is_mined_behind_and_until_then_answers_say_so() {
    let ground = Ground::with(&CONFIGURED);
    ground.write("t/a.d.ts", &large("one(): void"));
    let store = Store::new(Some(ground.cache()));
    let first = ground.opened(&store, Mining::Behind);
    assert_eq!((members(&first.0, "e", "A"), first.1), (vec!["one".to_string()], vec![]));
    ground.write("t/a.d.ts", &large("one(): void; two(): void"));
    let (graphs, notes) = ground.opened(&store, Mining::Behind);
    assert_eq!(members(&graphs, "e", "A"), ["one"]);
    assert_eq!(notes.len(), 1);
    assert!(notes[0].text.starts_with("t/a.d.ts changed since it was mined"), "{notes:?}");
    store.finish();
    let (graphs, notes) = ground.opened(&store, Mining::Behind);
    assert_eq!((members(&graphs, "e", "A").len(), notes), (2, vec![]));
    // Another process finds the new one on the disk.
    let (graphs, notes) = ground.opened(&Store::new(Some(ground.cache())), Mining::Behind);
    assert_eq!((members(&graphs, "e", "A").len(), notes), (2, vec![]));
}

#[test]
fn a_file_that_joins_large_sources_is_mined_behind_too() {
    let ground = Ground::with(&CONFIGURED);
    ground.write("t/a.d.ts", &large("one(): void"));
    let store = Store::new(None);
    ground.opened(&store, Mining::Behind);
    ground.write("t/b.d.ts", "interface A { two(): void }");
    let (graphs, notes) = ground.opened(&store, Mining::Behind);
    assert_eq!(members(&graphs, "e", "A"), ["one"]);
    assert!(notes[0].text.starts_with("its list of files changed"), "{notes:?}");
    store.finish();
    assert_eq!(members(&ground.opened(&store, Mining::Behind).0, "e", "A"), ["one", "two"]);
}

#[test]
fn a_small_source_that_changed_is_not_answered_from_before() {
    let ground = Ground::with(&CONFIGURED);
    let store = Store::new(Some(ground.cache()));
    ground.opened(&store, Mining::Behind);
    ground.write("t/a.d.ts", "interface A { two(): void }");
    let (graphs, notes) = ground.opened(&store, Mining::Behind);
    assert_eq!((members(&graphs, "e", "A"), notes), (vec!["two".to_string()], vec![]));
}

#[test]
fn a_damaged_cache_is_made_again_and_a_useless_folder_does_no_harm() {
    let ground = Ground::with(&CONFIGURED);
    let first = ground.open(&Store::new(Some(ground.cache())));
    let folder = ground.cache().join("datagraphs").join(LAYOUT.to_string());
    for entry in fs::read_dir(&folder).unwrap() {
        fs::write(entry.unwrap().path(), "rubbish").unwrap();
    }
    let (graphs, notes) = ground.open(&Store::new(Some(ground.cache())));
    assert_eq!(graphs, first.0);
    assert_eq!(notes, [Note::remark("e", "its cache was damaged and is made again")]);
    assert_eq!(ground.open(&Store::new(Some(ground.cache()))), first);
    let blocked = ground.root.join("groundline.toml");
    let (graphs, notes) = ground.open(&Store::new(Some(blocked)));
    assert_eq!(graphs, first.0);
    assert!(notes.iter().any(|n| n.about == "cache" && n.text.contains("cannot be written")));
    assert_eq!(ground.open(&Store::new(None)), first);
}

#[test]
fn what_cannot_be_had_is_said() {
    let ground = Ground::with(&[
        (
            "groundline.toml",
            "builtins = [\"wbe\"]\n[[api]]\nname = \"gone\"\ndeclarations = [\"no/*.d.ts\"]\n\
             [[api]]\nname = \"folioo\"\n[[api]]\nname = \"out\"\ndeclarations = [\"/etc/*.d.ts\"]\n\
             [[api]]\nname = \"old\"\ndatagraph = \"dg\"\n",
        ),
        ("dg/symbols.json", "{\"format\": 99}"),
        ("dg/provenance.json", "{\"format\": 99}"),
    ]);
    let (graphs, notes) = ground.open(&Store::new(None));
    assert_eq!(graphs, []);
    let told: Vec<String> = notes.iter().map(|n| format!("{}: {}", n.about, n.text)).collect();
    for part in [
        "gone: none",
        "folioo: says nothing of where",
        "outside the repository",
        "wbe: is no built-in",
    ] {
        assert!(told.iter().any(|t| t.contains(part)), "{part}: {told:#?}");
    }
    assert!(told.iter().any(|t| t.starts_with("old: ") && t.contains("format 99")), "{told:#?}");
    assert!(notes.iter().all(|n| n.weight == Weight::Trouble));
}

#[test]
fn builtins_hold_where_the_evidence_speaks_for_them() {
    let holds = |files: &[(&str, &str)]| Ground::with(files).planned(Evidence::default());
    assert_eq!(holds(&[]), ["ecmascript"]);
    assert_eq!(holds(&[("package.json", "{\"type\": \"module\"}")]), ["ecmascript", "node"]);
    assert_eq!(holds(&[("a/index.html", "")]), ["ecmascript", "web"]);
    let react = ("package.json", "{\"dependencies\": {\"react\": \"1\"}}");
    assert_eq!(holds(&[react]), ["ecmascript", "web"]);
    let no_dom = ("tsconfig.json", "{\"compilerOptions\": {\"lib\": [\"es2020\"]}}");
    assert_eq!(holds(&[react, no_dom]), ["ecmascript"]);
    let said = ("groundline.toml", "builtins = [\"web\"]");
    assert_eq!(holds(&[said, ("package.json", "{\"bin\": \"x\"}")]), ["web"]);
    let requires = Evidence { requires_node: true, html: false };
    assert_eq!(Ground::with(&[]).planned(requires), ["ecmascript", "node"]);
}

#[test]
fn the_installed_node_replaces_the_one_that_is_built_in() {
    let ground = Ground::with(&[
        ("package.json", "{\"devDependencies\": {\"@types/node\": \"1\"}}"),
        (
            "node_modules/@types/node/package.json",
            "{\"version\": \"20.0.0\", \"types\": \"index.d.ts\"}",
        ),
        ("node_modules/@types/node/index.d.ts", "declare module 'fs' { function x(): void }"),
    ]);
    assert_eq!(ground.planned(Evidence::default()), ["node", "ecmascript"]);
}

#[test]
fn what_packages_need_holds_too_and_configured_files_stand_for_their_package() {
    let files = [
        ("package.json", "{\"dependencies\": {\"react\": \"1\"}}"),
        ("node_modules/react/package.json", "{\"version\": \"19\", \"types\": \"i.d.ts\"}"),
        ("node_modules/react/i.d.ts", "import * as CSS from 'csstype';\nexport {}"),
        ("node_modules/csstype/package.json", "{\"version\": \"3\"}"),
        ("node_modules/csstype/index.d.ts", "export interface P {}"),
        ("groundline.toml", "builtins = []"),
    ];
    let ground = Ground::with(&files);
    let (graphs, notes) = ground.open(&Store::new(Some(ground.cache())));
    let names: Vec<String> = graphs.iter().map(|g| format!("{} {}", g.api, g.version)).collect();
    assert_eq!(
        (names.as_slice(), notes),
        (["react 19".into(), "csstype 3".into()].as_slice(), vec![])
    );
    // The second time the needs come from the cache.
    assert_eq!(ground.open(&Store::new(Some(ground.cache()))).0, graphs);
    ground.write(
        "groundline.toml",
        "builtins = []\n[[api]]\nname = \"mine\"\ndeclarations = [\"node_modules/react/*.d.ts\"]",
    );
    let (graphs, _) = ground.open(&Store::new(None));
    let names: Vec<&str> = graphs.iter().map(|g| g.api.as_str()).collect();
    assert_eq!(names, ["mine", "csstype"]);
}

/// A datagraph without places and without the words that deprecate.
fn bare(graph: &Datagraph) -> BTreeMap<String, String> {
    let mut said = BTreeMap::new();
    for (key, one) in &graph.interfaces {
        let name = format!("{:?} {}", key.side, key.name);
        let parents: Vec<String> = one.extends.iter().map(|t| t.to_string()).collect();
        let index = &one.shape.index;
        said.insert(
            name.clone(),
            format!(
                "{:?} {:?} {parents:?} {index:?} {:?}",
                one.kind, one.type_parameters, one.open
            ),
        );
        for (member, it) in &one.shape.members {
            let signatures: Vec<String> = it.signatures.iter().map(|s| s.to_string()).collect();
            let text = format!(
                "{:?} {} {signatures:?} {:?} {:?} {}",
                it.kind,
                it.declared,
                it.writing,
                it.presence,
                it.deprecated.is_some()
            );
            said.insert(format!("{name}.{member}"), text);
        }
    }
    for (name, alias) in &graph.aliases {
        said.insert(format!("alias {name}"), alias.means.to_string());
    }
    said
}

#[test]
fn folio_is_the_same_from_its_pages_and_from_its_declarations() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("datagraphs/folio");
    let mined_from = |globs: [&str; 2]| {
        let globs = globs.map(str::to_string);
        let listed =
            crate::sources::settings::globs::files(&folder, &globs, &folder, Reach::Anywhere);
        let is_page = |p: &PathBuf| p.extension().is_some_and(|e| e == "md");
        let (pages, files) = listed.files.into_iter().partition(is_page);
        let (name, version) = ("folio".into(), "1.0".into());
        let recipe = Recipe::Listed {
            dialect: None,
            name,
            version,
            files,
            pages,
            patterns: Vec::new(),
            folder: folder.clone(),
        };
        mining::mined(&recipe, &Stop::default()).unwrap()
    };
    let declared = mined_from(["declarations/*.d.ts", "declarations/none/*.d.ts"]);
    let paged = mined_from(["pages/*.md", "pages/guides/*.md"]);
    let (ours, theirs) = (bare(&paged.datagraph), bare(&declared.datagraph));
    let names: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
    let differ: Vec<String> = names
        .into_iter()
        .filter(|name| ours.get(*name) != theirs.get(*name))
        .map(|name| format!("{name}\n  pages {:?}\n  types {:?}", ours.get(name), theirs.get(name)))
        .collect();
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    assert!(theirs.len() > 600, "{}", theirs.len());
    assert_eq!(paged.datagraph.holes, []);
}

#[test]
fn pages_of_a_configuration_are_mined_and_mined_again_where_they_change() {
    let toml = "builtins = []\n[[api]]\nname = \"e\"\npages = [\"p/*.md\"]\n";
    let page = "# A\n\n## A-one\n\nType: `string`\n";
    let project = Ground::with(&[("groundline.toml", toml), ("p/a.md", page)]);
    let store = Store::new(Some(project.cache()));
    assert_eq!(members(&project.open(&store).0, "e", "A"), ["one"]);
    project.write("p/a.md", &page.replace("one", "three"));
    assert_eq!(members(&project.open(&store).0, "e", "A"), ["three"]);
    let later = Store::new(Some(project.cache()));
    assert_eq!(members(&project.open(&later).0, "e", "A"), ["three"]);
}
