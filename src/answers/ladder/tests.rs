//! The rungs, one by one, on the demo api.

use super::*;
use crate::corpus::embedded;
use crate::datagraph::documentation::{
    Chunk, Construct, Documentation, Evidence as Shown, Topic, TopicKind,
};
use crate::types::TypeName;

/// The demo api with some documentation of its own.
pub(in crate::answers) fn folio() -> (Corpus, Vec<Arc<Documents>>) {
    let graph = embedded::datagraph("folio").unwrap();
    let of =
        |owner: &str, member: &str| Symbol::member(Key::of_type(TypeName::global(owner)), member);
    let piece = |symbols: Vec<Symbol>, heading: &str, summary: &str, text: &str| Chunk {
        headings: vec!["Folio".into(), heading.into()],
        symbols,
        line: 20,
        last_line: 30,
        summary: summary.into(),
        text: text.into(),
        ..Chunk::default()
    };
    let example = "Opens a table.\n\n```js\nlayout.tableStart(3);\nlayout.tableCellEnd();\nlayout.tableEnd();\n```";
    let documentation = Documentation {
        chunks: vec![
            piece(vec![of("Layout", "tableStart")], "tableStart", "Opens a table.", example),
            piece(
                vec![of("Layout", "pageBreak")],
                "pageBreak",
                "Goes on at the top of the next sheet.",
                "Goes on at the top of the next sheet.",
            ),
            piece(
                Vec::new(),
                "Letterheads",
                "",
                "A letterhead is put into the header of the first page master.",
            ),
        ],
        constructs: vec![Construct {
            name: "table".into(),
            declared_by: vec![of("Layout", "makeTable")],
            opened_by: of("Layout", "tableStart"),
            middle: Vec::new(),
            closed_by: of("Layout", "tableEnd"),
            contains: Vec::new(),
            order: Vec::new(),
            evidence: Shown::Strong,
            example: Some(0),
        }],
        topics: vec![Topic {
            words: "begin on a fresh sheet of paper".into(),
            kind: TopicKind::Sentence,
            symbols: vec![of("Layout", "pageBreak")],
            at: (0, 3),
        }],
    };
    let documents = Arc::new(Documents::of(Arc::clone(&graph), documentation));
    let language = embedded::datagraph("ecmascript").unwrap();
    (Corpus::new(vec![graph, language]), vec![documents])
}

fn read(text: &str) -> Option<(Rung, Strength, String)> {
    let (corpus, documents) = folio();
    let apis = Apis { corpus: &corpus, documents: &documents };
    climb(apis, text).map(|c| (c.rung, c.strength, apis.spelt(c.meant[0])))
}

#[test]
fn each_rung_forgives_what_it_says() {
    for (text, rung, strength, symbol) in [
        ("Layout.makeTable", Rung::Exact, Strength::Strong, "Layout.makeTable"),
        ("Layout.makeTable()", Rung::Exact, Strength::Strong, "Layout.makeTable"),
        ("Layout::makeTable", Rung::Exact, Strength::Strong, "Layout.makeTable"),
        ("Layout#makeTable(3, 4)", Rung::Exact, Strength::Strong, "Layout.makeTable"),
        ("`Layout/makeTable`", Rung::Exact, Strength::Strong, "Layout.makeTable"),
        ("Layout:makeTable;", Rung::Exact, Strength::Strong, "Layout.makeTable"),
        ("Layout-makeTable", Rung::Exact, Strength::Strong, "Layout.makeTable"),
        ("folio.Layout.makeTable", Rung::Exact, Strength::Strong, "Layout.makeTable"),
        ("Table", Rung::Exact, Strength::Strong, "Table"),
        ("layout", Rung::Exact, Strength::Strong, "layout"),
        ("table", Rung::Case, Strength::Strong, "Table"),
        ("LAYOUT.MAKETABLE", Rung::Case, Strength::Strong, "Layout.makeTable"),
        ("layout.palette.ink", Rung::Typed, Strength::Strong, "Palette.ink"),
        ("Table.width", Rung::Inherited, Strength::Strong, "Placed.width"),
        ("Table.sameas", Rung::Inherited, Strength::Strong, "Item.sameAs"),
        ("makeTable", Rung::Member, Strength::Strong, "Layout.makeTable"),
        ("doc.makeTable()", Rung::Member, Strength::Strong, "Layout.makeTable"),
        ("make table", Rung::Joined, Strength::Strong, "Layout.makeTable"),
        ("make_table", Rung::Joined, Strength::Strong, "Layout.makeTable"),
        ("Layout.makeTabel", Rung::Slip, Strength::Strong, "Layout.makeTable"),
        ("maketbale", Rung::Slip, Strength::Strong, "Layout.makeTable"),
        ("Table.makeTable", Rung::Elsewhere, Strength::Weak, "Layout.makeTable"),
    ] {
        assert_eq!(read(text), Some((rung, strength, symbol.to_owned())), "{text}");
    }
}

#[test]
fn a_name_that_many_interfaces_have_is_a_hint() {
    let (rung, strength, _) = read("width").unwrap();
    assert_eq!((rung, strength), (Rung::Member, Strength::Weak));
}

#[test]
fn an_invented_name_is_never_certain() {
    for text in ["Layout.tableCellEnd", "Layout.frobnicate", "desk.frobnicate", "Nothing.atAll"] {
        let strength = read(text).map_or(Strength::None, |(_, strength, _)| strength);
        assert!(strength < Strength::Strong, "{text}");
    }
}

#[test]
fn names_of_any_shape_are_read_without_panic() {
    let long = "a.".repeat(5_000);
    for text in [
        "", " ", ".", "...", "***", "C++", "--flag", "don't", "🦀", "<<>>", "a(", "->", "\u{0}",
        &long,
    ] {
        read(text);
    }
}

#[test]
fn a_global_is_read_by_its_type() {
    let (corpus, documents) = folio();
    let apis = Apis { corpus: &corpus, documents: &documents };
    assert_eq!(receivers(apis, "layout.nothing"), [Key::of_type(TypeName::global("Layout"))]);
}

#[test]
fn what_is_dotted_is_a_written_out_name() {
    assert!(is_dotted("Layout.makeTable()") && is_dotted("a::b"));
    assert!(!is_dotted("makeTable") && !is_dotted("Go on. Then stop.") && !is_dotted("e.g. this"));
}
