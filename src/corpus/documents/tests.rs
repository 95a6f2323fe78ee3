//! The text index on a small api of its own.

use super::*;
use crate::datagraph::documentation::{Evidence, TopicKind};
use crate::datagraph::{Interface, InterfaceKind, Key, Source};
use crate::types::{Member, Signature, Type, TypeName};

fn key(name: &str) -> Key {
    Key::of_type(TypeName::global(name))
}

fn symbol(owner: &str, member: &str) -> Symbol {
    Symbol::member(key(owner), member)
}

fn graph() -> Datagraph {
    let mut graph = Datagraph { api: "desk".into(), version: "2".into(), ..Datagraph::default() };
    graph.sources.push(Source { path: "desk.md".into(), hash: "".into() });
    let mut layout = Interface::new(InterfaceKind::Interface);
    for name in ["makeTable", "makeBox", "tableStart", "tableEnd"] {
        let gives = Signature { returns: Type::Void, ..Signature::default() };
        layout.shape.members.insert(name.into(), Member::method(vec![gives]));
    }
    let mut sheet = Interface::new(InterfaceKind::Class);
    sheet.shape.members.insert("opacity".into(), Member::property(Type::Number));
    let mut globals = Interface::new(InterfaceKind::Globals);
    let of_layout = Member::property(Type::named(TypeName::global("Layout")));
    globals.shape.members.insert("layout".into(), of_layout);
    let statics = Type::Typeof(Arc::new(TypeName::global("Sheet")));
    globals.shape.members.insert("Sheet".into(), Member::property(statics));
    graph.interfaces.insert(key("Layout"), layout);
    graph.interfaces.insert(key("Sheet"), sheet);
    let statics = Interface::new(InterfaceKind::Statics);
    graph.interfaces.insert(Key::of_value(TypeName::global("Sheet")), statics);
    graph.interfaces.insert(Key::globals(), globals);
    graph
}

fn chunk(symbols: Vec<Symbol>, heading: &str, summary: &str, text: &str) -> Chunk {
    Chunk {
        headings: vec![heading.into()],
        symbols,
        line: 3,
        last_line: 4,
        summary: summary.into(),
        text: text.into(),
        ..Chunk::default()
    }
}

fn documentation() -> Documentation {
    let table = "Puts rows and columns on the page.";
    let opacity = "How much of what lies below shows through.";
    Documentation {
        chunks: vec![
            chunk(vec![symbol("Layout", "makeTable")], "Layout.makeTable", table, table),
            chunk(vec![symbol("Sheet", "opacity")], "Sheet.opacity", opacity, opacity),
            chunk(Vec::new(), "Invoices", "", "An invoice has a letterhead, then its positions."),
        ],
        constructs: vec![Construct {
            name: "table".into(),
            declared_by: Vec::new(),
            opened_by: symbol("Layout", "tableStart"),
            middle: Vec::new(),
            closed_by: symbol("Layout", "tableEnd"),
            contains: Vec::new(),
            order: Vec::new(),
            evidence: Evidence::Weak,
            example: None,
        }],
        topics: vec![Topic {
            words: "make something translucent".into(),
            kind: TopicKind::Sentence,
            symbols: vec![symbol("Sheet", "opacity")],
            at: (0, 9),
        }],
    }
}

fn documents() -> Documents {
    Documents::of(Arc::new(graph()), documentation())
}

fn names(documents: &Documents, ranked: &asking::Ranked) -> Vec<String> {
    let hits = ranked.hits.iter();
    hits.map(|hit| documents.listing.symbol(hit.number).unwrap().symbol.to_string()).collect()
}

#[test]
fn a_class_is_listed_once_however_it_is_declared() {
    let documents = documents();
    let listed = documents.listing.listed.iter().map(|one| one.symbol.to_string());
    let sheets = listed.filter(|name| name == "Sheet").count();
    assert_eq!(sheets, 1);
}

#[test]
fn a_global_that_is_a_class_is_found_as_that_class() {
    let documents = documents();
    let of_scope = Symbol::member(Key::globals(), "Sheet");
    let number = documents.listing.number(&documents.graph, &of_scope).unwrap();
    assert_eq!(documents.listing.symbol(number).unwrap().symbol, Symbol::interface(key("Sheet")));
}

#[test]
fn chunks_come_back_as_they_were_given() {
    let (documents, given) = (documents(), documentation().chunks);
    let back: Vec<Chunk> = (0..3).filter_map(|number| documents.chunk(number)).collect();
    assert_eq!(back, given);
    assert_eq!(documents.chunk(3), None);
    assert_eq!(documents.chunk(u32::MAX), None);
}

#[test]
fn chunks_are_found_by_their_symbol() {
    let documents = documents();
    assert_eq!(documents.chunks_of(&symbol("Sheet", "opacity")), [1]);
    assert!(documents.chunks_of(&symbol("Sheet", "nothing")).is_empty());
}

#[test]
fn a_goal_is_found_by_the_words_of_the_documentation() {
    let documents = documents();
    let ranked = documents.rank_symbols("put rows and columns on a page", 3);
    assert_eq!(names(&documents, &ranked)[0], "Layout.makeTable");
}

#[test]
fn a_goal_is_found_by_words_that_stand_elsewhere() {
    let documents = documents();
    let ranked = documents.rank_symbols("translucent", 3);
    assert_eq!(names(&documents, &ranked)[0], "Sheet.opacity");
}

#[test]
fn a_symbol_without_documentation_is_found_by_its_name() {
    let documents = documents();
    let ranked = documents.rank_symbols("how do I make boxes", 3);
    assert_eq!(names(&documents, &ranked)[0], "Layout.makeBox");
}

#[test]
fn guide_sections_are_found_by_their_own_words() {
    let ranked = documents().rank_sections("letterhead of an invoice", 3);
    assert_eq!(ranked.hits.iter().map(|hit| hit.number).collect::<Vec<u32>>(), [2]);
}

#[test]
fn any_question_is_answered() {
    let documents = documents();
    let long = "make table ".repeat(2_000);
    for question in ["", "***", "C++", "--flag", "don't", "🦀 ü", "\u{0}", "AND OR NOT (", &long]
    {
        assert!(documents.rank_symbols(question, 10).hits.len() <= 10);
        assert!(documents.rank_sections(question, 10).hits.len() <= 10);
    }
}

#[test]
fn an_empty_api_has_no_answers() {
    let empty = Documents::default();
    assert!(empty.rank_symbols("anything", 5).hits.is_empty());
    assert_eq!(empty.n_chunks(), 0);
}

#[test]
fn a_folder_answers_as_memory_does_wherever_it_stands() {
    let place = tempfile::tempdir().unwrap();
    let (first, second) = (place.path().join("first"), place.path().join("second"));
    let graph = Arc::new(graph());
    let built = Documents::build(Arc::clone(&graph), documentation(), &first).unwrap();
    std::fs::rename(&first, &second).unwrap();
    let opened = Documents::open(graph, &second).unwrap();
    let wanted = documents().rank_symbols("make a table of rows", 5);
    assert_eq!(built.rank_symbols("make a table of rows", 5), wanted);
    assert_eq!(opened.rank_symbols("make a table of rows", 5), wanted);
    assert_eq!(
        (opened.chunk(2), opened.constructs.len(), opened.topics.len()),
        (built.chunk(2), 1, 1)
    );
}

#[test]
fn opening_writes_nothing() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("index");
    let graph = Arc::new(graph());
    drop(Documents::build(Arc::clone(&graph), documentation(), &folder).unwrap());
    let files = || {
        let mut names: Vec<_> =
            std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = files();
    let opened = Documents::open(graph, &folder).unwrap();
    opened.rank_symbols("table", 3);
    assert_eq!(files(), before);
}

#[test]
fn damage_anywhere_is_an_error_and_no_panic() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("index");
    let graph = Arc::new(graph());
    drop(Documents::build(Arc::clone(&graph), documentation(), &folder).unwrap());
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let whole = std::fs::read(&path).unwrap();
        let mut damages = vec![Vec::new(), whole[..whole.len() / 2].to_vec()];
        for at in [0, whole.len() / 2, whole.len().saturating_sub(1)] {
            let mut flipped = whole.clone();
            if let Some(byte) = flipped.get_mut(at) {
                *byte ^= 0x55;
                damages.push(flipped);
            }
        }
        for damaged in damages.into_iter().filter(|damaged| *damaged != whole) {
            std::fs::write(&path, damaged).unwrap();
            let opened = Documents::open(Arc::clone(&graph), &folder);
            assert!(opened.is_err(), "{}", path.display());
        }
        std::fs::remove_file(&path).unwrap();
        assert!(Documents::open(Arc::clone(&graph), &folder).is_err(), "{}", path.display());
        std::fs::write(&path, whole).unwrap();
    }
    assert!(Documents::open(graph, &folder).is_ok());
}

#[test]
fn an_index_of_another_api_is_not_opened() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("index");
    drop(Documents::build(Arc::new(graph()), documentation(), &folder).unwrap());
    let mut other = graph();
    other.interfaces.remove(&key("Layout"));
    let opened = Documents::open(Arc::new(other), &folder);
    assert!(matches!(opened, Err(DocumentsTrouble::OtherApi(_))));
}
