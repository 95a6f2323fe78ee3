//! Constructs of the demo engine and of made-up apis, as their pages show them.

use super::constructs::{constructs, example_of};
use super::{Chunk, Construct, Evidence, Symbol};
use crate::base::to_u32;
use crate::datagraph::pages::{PageFile, mine};
use crate::datagraph::{Datagraph, Interface, InterfaceKind, Key};
use crate::sources::pages::markdown::page;
use crate::types::{Member, Signature, Type, TypeName};
use std::path::{Path, PathBuf};

/// The datagraph of these pages and a chunk for each of their sections.
fn documented(pages: &[(String, String)]) -> (Datagraph, Vec<Chunk>) {
    let files = pages.iter().map(|(path, text)| PageFile {
        path: path.as_str().into(),
        hash: "00".into(),
        page: page(text.as_bytes()),
    });
    let (graph, _) = mine("folio".into(), "1".into(), files.collect());
    let mut chunks = Vec::new();
    for (source, (_, text)) in (0..).zip(pages) {
        let lines: Vec<&str> = text.lines().collect();
        for section in &page(text.as_bytes()).sections {
            let (first, last) = (section.line as usize - 1, section.last_line as usize);
            let of_section = lines.get(first..last.min(lines.len())).unwrap_or(&[]).join("\n");
            chunks.push(Chunk {
                symbols: at(&graph, (source, section.line)),
                source,
                line: section.line,
                last_line: section.last_line,
                text: of_section,
                ..Chunk::default()
            });
        }
    }
    (graph, chunks)
}

/// What is declared at a place.
fn at(graph: &Datagraph, place: (u32, u32)) -> Vec<Symbol> {
    let members = graph.interfaces.iter().flat_map(|(key, one)| {
        let there = one.shape.members.iter().filter(move |(_, member)| member.at == place);
        there.map(|(name, _)| Symbol::member(key.clone(), name.clone()))
    });
    members.collect()
}

fn markdown_in(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            true => markdown_in(&path, found),
            false => found.push(path),
        }
    }
}

fn folio() -> (Datagraph, Vec<Chunk>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("datagraphs/folio/pages");
    let mut paths = Vec::new();
    markdown_in(&folder, &mut paths);
    let read = |path: PathBuf| {
        (path.to_string_lossy().into_owned(), std::fs::read_to_string(&path).unwrap())
    };
    documented(&paths.into_iter().map(read).collect::<Vec<_>>())
}

fn spelt(symbols: &[Symbol]) -> Vec<String> {
    symbols.iter().map(ToString::to_string).collect()
}

fn opened<'c>(all: &'c [Construct], by: &str) -> &'c Construct {
    all.iter().find(|one| one.opened_by.to_string() == by).unwrap()
}

#[test]
fn the_demo_engine_has_the_constructs_that_its_design_lists() {
    let (graph, chunks) = folio();
    let all = constructs(&graph, &chunks);
    let shown = all.iter().filter(|one| one.evidence == Evidence::Strong);
    let pairs: Vec<String> =
        shown.map(|one| format!("{} {}", one.opened_by, one.closed_by)).collect();
    let mut expected = Vec::new();
    for (owner, names) in [
        (
            "Layout",
            "job section header footer block columns layer stream paragraph hold trial table",
        ),
        ("Row", "cell"),
        ("Table", "head group row"),
    ] {
        let of_owner = names.split(' ').map(|n| format!("{owner}.{n}Start {owner}.{n}End"));
        expected.extend(of_owner);
    }
    for (owner, open, close) in [
        ("Layout", "stylePush", "stylePop"),
        ("Layout", "on", "off"),
        ("PageNumbering", "suspend", "resume"),
        ("Palette", "lock", "unlock"),
        ("Source", "open", "close"),
    ] {
        expected.push(format!("{owner}.{open} {owner}.{close}"));
    }
    expected.sort();
    let mut sorted = pairs.clone();
    sorted.sort();
    assert_eq!(sorted, expected);
}

#[test]
fn a_construct_says_how_it_is_declared_filled_and_ordered() {
    let (graph, chunks) = folio();
    let all = constructs(&graph, &chunks);
    let table = opened(&all, "Layout.tableStart");
    assert_eq!(table.name, "table");
    assert_eq!(spelt(&table.declared_by), ["Layout.makeTable"]);
    assert!(spelt(&table.contains).contains(&"Table.putRow".to_owned()), "{table:?}");
    let order = spelt(&table.order);
    assert_eq!(order[..3], ["Layout.makeTable", "Table.addColumn", "Layout.tableStart"]);
    assert_eq!(order.last().map(String::as_str), Some("Layout.tableEnd"));
    assert_eq!(spelt(&opened(&all, "Layout.paragraphStart").declared_by), [""; 0]);
    let chunk = &chunks[table.example.unwrap() as usize];
    let example = example_of(table, chunk).unwrap();
    assert_eq!(chunk.text.lines().nth(example.line as usize - 1), example.code.lines().next());
    let section = opened(&all, "Layout.sectionStart");
    assert_eq!(spelt(&section.middle), ["Layout.sectionBody"]);
    let order = spelt(&section.order);
    let place = |name: &str| order.iter().position(|one| one == name).unwrap();
    assert!(place("Layout.sectionStart") < place("Layout.sectionBody"));
    assert!(place("Layout.sectionBody") < place("Layout.sectionEnd"));
    let cell = opened(&all, "Row.cellStart");
    assert_eq!(spelt(&cell.declared_by), ["Table.rowStart"]);
    assert_eq!(spelt(&opened(&all, "Layout.columnsStart").declared_by), [""; 0]);
    for one in &all {
        let of_one = [&one.declared_by, &one.middle, &one.contains, &one.order];
        assert!(of_one.into_iter().flatten().all(|symbol| symbol.is_in(&graph)), "{one:?}");
    }
}

/// An interface with callable members of these names, all without arguments and results.
fn graph_of(owner: &str, names: impl Iterator<Item = String>) -> Datagraph {
    let signature = Signature { returns: Type::Void, ..Signature::default() };
    let mut one = Interface::new(InterfaceKind::Interface);
    one.shape.members =
        names.map(|name| (name.into(), Member::method(vec![signature.clone()]))).collect();
    let key = Key::of_type(TypeName::global(owner));
    Datagraph { interfaces: [(key, one)].into(), ..Datagraph::default() }
}

fn chunk(of: &[(&str, &str)], text: &str) -> Chunk {
    let symbols = of
        .iter()
        .map(|(owner, name)| Symbol::member(Key::of_type(TypeName::global(*owner)), *name))
        .collect();
    Chunk { symbols, text: text.into(), ..Chunk::default() }
}

#[test]
fn without_words_or_examples_only_the_names_say_it() {
    let names = ["beginPath", "endPath", "show", "hide", "onOpen", "onClose", "start"];
    let graph = graph_of("Pen", names.into_iter().map(str::to_owned));
    let told = |chunks: &[Chunk]| -> Vec<(String, Evidence)> {
        let all = constructs(&graph, chunks);
        all.into_iter().map(|one| (one.name.to_string(), one.evidence)).collect()
    };
    let weak = [("path".to_owned(), Evidence::Weak), ("show".to_owned(), Evidence::Inverse)];
    assert_eq!(told(&[]), weak);
    let both = chunk(&[("Pen", "beginPath"), ("Pen", "endPath")], "beginPath endPath must end.");
    assert_eq!(told(&[both]), weak);
    let one = chunk(&[("Pen", "beginPath")], "Begins a path. Call endPath when done.");
    assert_eq!(told(&[one])[0].1, Evidence::Strong);
    let example = chunk(&[], "```js\npen.beginPath();\npen.endPath();\n```\n");
    assert_eq!(told(&[example])[0].1, Evidence::Strong);
    let reversed = chunk(&[], "```js\npen.endPath();\npen.beginPath();\n```\n");
    assert_eq!(told(&[reversed])[0].1, Evidence::Weak);
}

#[test]
fn a_half_that_does_not_exist_makes_no_construct() {
    let graph = graph_of("Pen", ["beginPath".to_owned()].into_iter());
    let text = "You must call endPath.\n\n```js\npen.beginPath();\npen.endPath();\n```\n";
    assert_eq!(constructs(&graph, &[chunk(&[("Pen", "beginPath")], text)]), []);
}

#[test]
fn halves_in_different_modules_stay_two() {
    let mut graph = graph_of("", ["openFile".to_owned()].into_iter());
    let key = |module: &str| Key::of_value(TypeName::within(module, ""));
    let one = graph.interfaces.pop_first().unwrap().1;
    let mut other = one.clone();
    other.shape.members =
        other.shape.members.into_values().map(|member| ("closeFile".into(), member)).collect();
    graph.interfaces.insert(key("a"), one);
    graph.interfaces.insert(key("b"), other);
    assert_eq!(constructs(&graph, &[]), []);
}

#[test]
fn ten_thousand_members_of_the_same_words_give_one_construct() {
    let names =
        (0..10_000).map(|n| format!("lid{n:014b}Start").replace('0', "_").replace('1', "$"));
    let mut graph = graph_of("Box", names);
    let members = &mut graph.interfaces.values_mut().next().unwrap().shape.members;
    let member = members.values().next().unwrap().clone();
    members.insert("lidEnd".into(), member);
    assert_eq!(constructs(&graph, &[]).len(), 1);
}

#[test]
fn hostile_examples_cost_no_more_than_their_length() {
    let graph = graph_of("Pen", ["beginPath", "endPath"].map(str::to_owned).into_iter());
    let nested =
        format!("```js\n{}{}\n```\n", "pen.beginPath();".repeat(900), "pen.endPath();".repeat(900));
    let text = nested.repeat(20);
    let chunks: Vec<Chunk> = (0..5).map(|_| chunk(&[], &text)).collect();
    let all = constructs(&graph, &chunks);
    assert_eq!((all.len(), all[0].evidence, to_u32(all[0].order.len())), (1, Evidence::Strong, 2));
}
