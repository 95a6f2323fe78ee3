//! The answer of `lookup_docs`: the pieces that were found, verbatim and fenced, with their places; the phrasebook line on
//! top whatever was found; and beside a piece what its own code invents.

use super::quoting::{Block, BlockKind, Cursor, counted, page, quoted, short};
use super::resolve_topic::{phrasebook, place, read_as, rounded, searched, strength};
use super::{Around, check_symbols, visible};
use crate::answers::audit::Doubtful;
use crate::answers::check_symbols::Verdict;
use crate::answers::ladder::Strength;
use crate::answers::lookup_docs::{ApiLine, Looked, MemberLine, Members, Piece, PieceKind};
use crate::corpus::documents::listing::Kind;
use serde_json::{Value, json};
use std::fmt::Write;

/// How much of a query, a signature and a finding is shown, in characters.
const MAX_QUERY: usize = 60;
const MAX_SIGNATURE: usize = 200;
const MAX_FINDING: usize = 240;

/// How many findings are told under a piece.
const MAX_FINDINGS: usize = 8;

/// The answer of `lookup_docs`, from `from` on.
pub fn lookup_docs(looked: &Looked, apis: &[ApiLine], from: Cursor, around: &Around) -> String {
    let blocks = blocks(looked, apis);
    let mut head = headline(looked, apis);
    if let Some(resolved) = &looked.phrasebook {
        let _ = write!(head, "\n{}", short(&phrasebook(resolved), 300));
    }
    page("lookup_docs", &head, &blocks, from, &around.notes, around.max_chars)
}

/// The list of apis.
pub fn apis_listed_in_text(apis: &[ApiLine], from: Cursor, around: &Around) -> String {
    let head = match apis.is_empty() {
        true => "lookup_docs  no api holds here: name one in groundline.toml, or install packages"
            .to_owned(),
        false => format!("lookup_docs  {} hold here", counted(apis.len(), "api")),
    };
    let lines = apis.iter().map(api_line).collect();
    let mut blocks = vec![Block { lines, ..Block::default() }];
    if !apis.is_empty() {
        let next = "next: lookup_docs {\"queries\":[{\"query\":\"…\",\"about\":\"…\"}]} or {\"symbol\":\"…\"}";
        blocks.push(Block { lines: vec![next.to_owned()], ..Block::default() });
    }
    page("lookup_docs", &head, &blocks, from, &around.notes, around.max_chars)
}

fn api_line(line: &ApiLine) -> String {
    let [n_interfaces, n_members, n_pieces, n_sections, n_constructs, n_topics] = line.counts;
    let named = format!("{} {}", line.api, line.version);
    let mut text = format!(
        "{}   {}, {}",
        named.trim_end(),
        counted(n_interfaces, "interface"),
        counted(n_members, "member")
    );
    if n_pieces == 0 {
        text.push_str("; no documentation is known, only its declarations");
        return text;
    }
    let _ = write!(text, "; {} of documentation", counted(n_pieces, "piece"));
    for (n, what) in
        [(n_sections, "guide section"), (n_constructs, "construct"), (n_topics, "topic")]
    {
        if n > 0 {
            let _ = write!(text, ", {}", counted(n, what));
        }
    }
    text
}

fn headline(looked: &Looked, apis: &[ApiLine]) -> String {
    let queries: Vec<String> =
        looked.queries.iter().map(|query| format!("`{}`", short(&query.text, MAX_QUERY))).collect();
    let mut text = format!("lookup_docs  {}  ", queries.join(" + "));
    match looked.pieces.len() {
        0 => {
            let _ = write!(text, "nothing was found in {}", short(&searched(apis), 300));
        }
        n => text.push_str(&counted(n, "piece")),
    }
    for (again, before) in &looked.repeated {
        let (again, before) = (short(again, MAX_QUERY), short(before, MAX_QUERY));
        let _ = write!(text, "\n`{again}` says the same as `{before}` and was not asked again");
    }
    text
}

fn blocks(looked: &Looked, apis: &[ApiLine]) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines: Vec<String> = Vec::new();
    for absence in &looked.absence {
        let (asked, interface) = (short(&absence.asked, MAX_QUERY), &absence.interface);
        lines.push(match &absence.open {
            None => format!(
                "`{asked}` does not exist: the sources list all members of {interface}, and it is not among them"
            ),
            Some(why) => format!(
                "`{asked}` is not known: the sources do not list all members of {interface} ({why})"
            ),
        });
    }
    if !looked.nearest.is_empty() {
        lines.push(format!("nearest names that exist: {}", looked.nearest.join(", ")));
    }
    if looked.pieces.is_empty() && !apis.is_empty() {
        lines.push("Ask with the documentation's own words, or for a name above.".to_owned());
    }
    if !lines.is_empty() {
        blocks.push(Block { lines, ..Block::default() });
    }
    blocks.extend(looked.members.as_ref().map(members));
    for (number, piece) in (1..).zip(&looked.pieces) {
        blocks.push(block(number, piece, looked.queries.len()));
        let lines = findings(piece);
        if !lines.is_empty() {
            blocks.push(Block { lines, ..Block::default() });
        }
    }
    blocks
}

fn block(number: usize, piece: &Piece, n_queries: usize) -> Block {
    let mut head = format!("[{number}] {}", short(&piece.heading, 160));
    if let Some(symbol) = piece.symbol.as_ref().filter(|symbol| **symbol != piece.heading) {
        let _ = write!(head, "   {symbol}");
    }
    let _ = write!(head, "   {}", place(&piece.api, &piece.at));
    if let Some(rung) = piece.rung {
        let _ = write!(head, "   {}", read_as(rung));
    }
    if n_queries > 1 {
        let numbers: Vec<String> = piece.queries.iter().map(|q| (q + 1).to_string()).collect();
        let what = if numbers.len() == 1 { "query" } else { "queries" };
        let _ = write!(head, "   {what} {}", numbers.join(", "));
    }
    if piece.kind == PieceKind::Declared {
        head.push_str("   only its declaration is known");
    }
    quoted(head, &piece.text)
}

/// What the code of a piece invents, a line each.
fn findings(piece: &Piece) -> Vec<String> {
    let mut lines: Vec<String> = piece.findings.iter().take(MAX_FINDINGS).map(finding).collect();
    if piece.findings.len() > MAX_FINDINGS {
        let n_more = piece.findings.len() - MAX_FINDINGS;
        lines.push(format!("  {n_more} more of such lines in this piece"));
    }
    lines
}

/// What the documentation itself has wrong.
fn finding(doubtful: &Doubtful) -> String {
    let Doubtful { line, judged } = doubtful;
    let Verdict::Invented(invention) = &judged.verdict else { return String::new() };
    let instead: Vec<&str> = invention.instead.iter().map(|s| s.member.as_str()).collect();
    let mut text = format!(
        "  line {line}: {}.{}   {}: the documentation itself has it; do not copy it",
        judged.receiver,
        judged.member,
        check_symbols::message(judged, invention)
    );
    if !instead.is_empty() {
        let _ = write!(text, "; write {}", instead.join(" or "));
    }
    short(&text, MAX_FINDING)
}

fn members(members: &Members) -> Block {
    let mut head = format!("{} has", members.interface);
    match &members.open {
        None => head.push_str("   (its sources list all of its members)"),
        Some(why) => {
            let _ = write!(head, "   (and maybe more: {why})");
        }
    }
    let mut lines = Vec::new();
    for (kind, of_kind) in &members.groups {
        lines.push(format!("{}:", plural(*kind)));
        lines.extend(of_kind.iter().map(|MemberLine { signature, from }| {
            let signature = short(signature, MAX_SIGNATURE);
            match from {
                None => format!("  {signature}"),
                Some(owner) => format!("  {signature}   inherited from {owner}"),
            }
        }));
    }
    if lines.is_empty() {
        lines.push("no members of its own and none inherited".to_owned());
    }
    Block { head, kind: BlockKind::Said, lines }
}

fn plural(kind: Kind) -> &'static str {
    match kind {
        Kind::Interface => "interfaces",
        Kind::Alias => "types",
        Kind::Method => "methods",
        Kind::Property => "properties",
        Kind::Event => "events",
        Kind::Constant => "constants",
    }
}

/// The answer of `lookup_docs` as data.
pub fn lookup_docs_listed(looked: &Looked, around: &Around) -> Value {
    let results: Vec<Value> = looked.pieces.iter().map(row).collect();
    let findings: Vec<Value> = looked
        .pieces
        .iter()
        .flat_map(|piece| piece.findings.iter().map(move |doubtful| (piece, doubtful)))
        .filter_map(|(piece, doubtful)| finding_row(piece, doubtful))
        .collect();
    let mut data = json!({
        "strength": strength(looked.strength.unwrap_or(Strength::None)),
        "results": results,
        "nearest": looked.nearest,
        "findings": findings,
        "apis": around.apis,
        "notes": around.notes,
    });
    if let Some(of) = &looked.members {
        let groups = of.groups.iter().map(|(kind, lines)| {
            let lines: Vec<Value> = lines
                .iter()
                .map(|line| json!({ "signature": line.signature, "from": line.from }))
                .collect();
            (plural(*kind).to_owned(), Value::Array(lines))
        });
        let groups: serde_json::Map<String, Value> = groups.collect();
        data["members"] = json!({ "interface": of.interface, "open": of.open, "of": groups });
    }
    data
}

/// The list of apis as data.
pub fn apis_as_rows(apis: &[ApiLine], around: &Around) -> Value {
    let rows: Vec<Value> = apis
        .iter()
        .map(|line| {
            let [interfaces, members, pieces, sections, constructs, topics] = line.counts;
            json!({
                "api": line.api, "version": line.version, "interfaces": interfaces,
                "members": members, "pieces": pieces, "sections": sections,
                "constructs": constructs, "topics": topics,
            })
        })
        .collect();
    json!({
        "strength": "none", "results": [], "nearest": [], "findings": [],
        "apis": rows, "notes": around.notes,
    })
}

fn row(piece: &Piece) -> Value {
    let mut row = json!({
        "heading": visible(&piece.heading),
        "api": piece.api.0,
        "version": piece.api.1,
        "path": visible(&piece.at.0),
        "line": piece.at.1,
        "score": rounded(piece.score),
        "text": visible(&piece.text),
        "documented": piece.kind == PieceKind::Documented,
    });
    if let Some(symbol) = &piece.symbol {
        row["symbol"] = symbol.as_str().into();
    }
    row
}

fn finding_row(piece: &Piece, doubtful: &Doubtful) -> Option<Value> {
    let Doubtful { line, judged } = doubtful;
    let Verdict::Invented(invention) = &judged.verdict else { return None };
    let instead: Vec<&str> = invention.instead.iter().map(|s| s.member.as_str()).collect();
    Some(json!({
        "path": visible(&piece.at.0),
        "line": line,
        "receiver_type": judged.receiver_type,
        "member": judged.member,
        "verdict": "invented",
        "suggestions": instead,
        "message": check_symbols::message(judged, invention),
    }))
}

#[cfg(test)]
mod tests {
    use super::super::quoting::n_chars;
    use super::*;
    use crate::answers::lookup_docs::{Absence, Query};

    fn piece(heading: &str, text: &str) -> Piece {
        Piece {
            symbol: Some("Layout.makeTable".to_owned()),
            rung: None,
            heading: heading.to_owned(),
            api: ("folio".to_owned(), "1.0".to_owned()),
            at: ("pages/layout.md".to_owned(), 40),
            score: 0.016_39,
            text: text.to_owned(),
            kind: PieceKind::Documented,
            queries: [0].into(),
            findings: Vec::new(),
        }
    }

    fn around(max_chars: usize) -> Around {
        Around { max_chars, notes: vec!["folio: a note".to_owned()], ..Around::default() }
    }

    fn looked() -> Looked {
        let text = "A table has rows.\n````js\nlayout.makeTable()\n````\n\u{202e}hidden";
        let long: String =
            (0..900).map(|n| format!("{n}: a row of the table ``` and more\n")).collect();
        Looked {
            queries: vec![Query { text: "x ".repeat(5_000), about: String::new() }],
            pieces: vec![piece("Tables", text), piece("Rows", &long), piece("Cells", text)],
            nearest: vec!["Layout.makeTable".to_owned()],
            absence: vec![Absence {
                asked: "Layout.makeTabel".to_owned(),
                interface: "Layout".to_owned(),
                open: None,
            }],
            ..Looked::default()
        }
    }

    #[test]
    fn every_answer_fits_its_budget() {
        for max_chars in [500, 700, 1_000, 2_500, 20_000, 38_000] {
            for block in 0..6 {
                let from = Cursor { block, line: 0 };
                let text = lookup_docs(&looked(), &[], from, &around(max_chars));
                assert!(n_chars(&text) <= max_chars, "{max_chars} {block}: {}", n_chars(&text));
            }
        }
    }

    #[test]
    fn a_quoted_piece_cannot_end_its_own_fence() {
        let text = lookup_docs(&looked(), &[], Cursor::default(), &around(38_000));
        let (_, rest) = text.split_once("`````text\n").unwrap();
        let (inside, _) = rest.split_once("\n`````\n").unwrap();
        assert!(inside.starts_with("A table has rows.\n````js\n"), "{inside}");
        assert!(inside.ends_with("\\u{202e}hidden"), "{inside}");
    }

    #[test]
    fn a_place_stands_above_each_piece() {
        let text = lookup_docs(&looked(), &[], Cursor::default(), &around(2_000));
        assert!(
            text.contains("[1] Tables   Layout.makeTable   folio 1.0, pages/layout.md:40"),
            "{text}"
        );
    }

    #[test]
    fn what_does_not_exist_is_said_only_where_all_members_are_listed() {
        let mut looked = looked();
        let whole = lookup_docs(&looked, &[], Cursor::default(), &around(2_000));
        assert!(whole.contains("`Layout.makeTabel` does not exist"), "{whole}");
        looked.absence[0].open = Some("index signature".to_owned());
        let open = lookup_docs(&looked, &[], Cursor::default(), &around(2_000));
        assert!(!open.contains("does not exist") && open.contains("is not known"), "{open}");
    }

    #[test]
    fn data_holds_what_the_design_says() {
        let data = lookup_docs_listed(&looked(), &around(500));
        let first = &data["results"][0];
        for field in ["symbol", "heading", "api", "version", "path", "line", "score", "text"] {
            assert!(!first[field].is_null(), "{field}");
        }
        assert!(data["findings"].is_array() && data["nearest"][0] == "Layout.makeTable");
        assert_eq!(data["strength"], "none");
    }

    #[test]
    fn an_api_without_prose_says_so_in_the_list() {
        let line = ApiLine {
            api: "node".to_owned(),
            version: "24".to_owned(),
            counts: [10, 200, 0, 0, 0, 0],
        };
        let text = apis_listed_in_text(&[line], Cursor::default(), &around(2_000));
        assert!(
            text.contains("node 24   10 interfaces, 200 members; no documentation is known"),
            "{text}"
        );
    }
}
