//! What the sources say as JSON text: `chunks.json`, `constructs.json` and `topics.json`, one record a line.
//!
//! A symbol is spelt as a list: its interface as a key of `symbols.json`, then its member. What was not written here is
//! damage and named; whether a symbol exists is not asked.

use super::FormatTrouble;
use super::read::{damaged, document as read_document};
use super::write::{document, entry, json, list};
use crate::base::Name;
use crate::datagraph::documentation::{
    Chunk, Construct, Documentation, Evidence, Symbol, Topic, TopicKind,
};
use crate::datagraph::names::key_of;
use serde::Deserialize;
use std::borrow::Cow;

/// The name of the document that holds what is quoted.
pub const CHUNKS: &str = "chunks.json";

/// The name of the document that holds how things are built.
pub const CONSTRUCTS: &str = "constructs.json";

/// The name of the document that holds goal words.
pub const TOPICS: &str = "topics.json";

/// `chunks.json`.
pub fn chunks(chunks: &[Chunk]) -> String {
    whole(CHUNKS, chunks.iter().map(chunk_text).collect())
}

/// `constructs.json`.
pub fn constructs(constructs: &[Construct]) -> String {
    whole(CONSTRUCTS, constructs.iter().map(construct_text).collect())
}

/// `topics.json`.
pub fn topics(topics: &[Topic]) -> String {
    whole(TOPICS, topics.iter().map(topic_text).collect())
}

/// A document whose one list is called as its file.
fn whole(file: &str, records: Vec<String>) -> String {
    let mut parts = vec![format!("\"format\": {}", super::FORMAT)];
    parts.extend(list(file.trim_end_matches(".json"), records));
    document(&parts)
}

fn chunk_text(chunk: &Chunk) -> String {
    let at = format!("[{}, {}, {}]", chunk.source, chunk.line, chunk.last_line);
    let headings: Vec<String> = chunk.headings.iter().map(json).collect();
    record(vec![
        entry("at", &at),
        entry("headings", &bracketed(&headings)),
        entry("symbols", &symbols_text(&chunk.symbols)),
        entry("summary", &json(&chunk.summary)),
        entry("text", &json(&chunk.text)),
    ])
}

fn construct_text(one: &Construct) -> String {
    let mut parts = vec![
        entry("name", &json(&one.name)),
        entry("evidence", &json(evidence_text(one.evidence))),
        entry("declared_by", &symbols_text(&one.declared_by)),
        entry("opened_by", &symbol_text(&one.opened_by)),
        entry("middle", &symbols_text(&one.middle)),
        entry("closed_by", &symbol_text(&one.closed_by)),
        entry("contains", &symbols_text(&one.contains)),
        entry("order", &symbols_text(&one.order)),
    ];
    parts.extend(one.example.map(|idx| entry("example", &idx.to_string())));
    record(parts)
}

fn topic_text(topic: &Topic) -> String {
    record(vec![
        entry("at", &format!("[{}, {}]", topic.at.0, topic.at.1)),
        entry("kind", &json(kind_text(topic.kind))),
        entry("words", &json(&topic.words)),
        entry("symbols", &symbols_text(&topic.symbols)),
    ])
}

fn record(parts: Vec<String>) -> String {
    format!("{{{}}}", parts.join(", "))
}

fn bracketed(parts: &[String]) -> String {
    format!("[{}]", parts.join(", "))
}

fn symbols_text(symbols: &[Symbol]) -> String {
    bracketed(&symbols.iter().map(symbol_text).collect::<Vec<_>>())
}

fn symbol_text(symbol: &Symbol) -> String {
    let (owner, member) = symbol.spelt();
    let parts: Vec<String> = std::iter::once(json(owner)).chain(member.map(json)).collect();
    bracketed(&parts)
}

fn evidence_text(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::Strong => "strong",
        Evidence::Weak => "weak",
        Evidence::Inverse => "inverse",
    }
}

fn kind_text(kind: TopicKind) -> &'static str {
    match kind {
        TopicKind::Sentence => "sentence",
        TopicKind::Heading => "heading",
        TopicKind::Comment => "comment",
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChunksText<'t> {
    #[serde(rename = "format")]
    _format: u32,
    #[serde(borrow, default)]
    chunks: Vec<ChunkText<'t>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChunkText<'t> {
    at: (u32, u32, u32),
    headings: Vec<String>,
    #[serde(borrow)]
    symbols: Vec<SymbolText<'t>>,
    summary: String,
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConstructsText<'t> {
    #[serde(rename = "format")]
    _format: u32,
    #[serde(borrow, default)]
    constructs: Vec<ConstructText<'t>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConstructText<'t> {
    name: Name,
    evidence: Evidence,
    #[serde(borrow)]
    declared_by: Vec<SymbolText<'t>>,
    #[serde(borrow)]
    opened_by: SymbolText<'t>,
    #[serde(borrow)]
    middle: Vec<SymbolText<'t>>,
    #[serde(borrow)]
    closed_by: SymbolText<'t>,
    #[serde(borrow)]
    contains: Vec<SymbolText<'t>>,
    #[serde(borrow)]
    order: Vec<SymbolText<'t>>,
    #[serde(default)]
    example: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TopicsText<'t> {
    #[serde(rename = "format")]
    _format: u32,
    #[serde(borrow, default)]
    topics: Vec<TopicText<'t>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TopicText<'t> {
    at: (u32, u32),
    kind: TopicKind,
    words: String,
    #[serde(borrow)]
    symbols: Vec<SymbolText<'t>>,
}

/// The interface, and the member if one is meant.
#[derive(Deserialize)]
#[serde(transparent)]
struct SymbolText<'t>(#[serde(borrow)] Vec<Cow<'t, str>>);

/// What `chunks.json`, `constructs.json` and `topics.json` hold.
pub fn documentation(
    chunks: &str,
    constructs: &str,
    topics: &str,
) -> Result<Documentation, FormatTrouble> {
    let chunks = read_document::<ChunksText<'_>>(chunks)?.chunks;
    let constructs = read_document::<ConstructsText<'_>>(constructs)?.constructs;
    let topics = read_document::<TopicsText<'_>>(topics)?.topics;
    let read = Documentation {
        chunks: chunks.into_iter().map(chunk_read).collect::<Result<_, _>>()?,
        constructs: constructs.into_iter().map(construct_read).collect::<Result<_, _>>()?,
        topics: topics.into_iter().map(topic_read).collect::<Result<_, _>>()?,
    };
    let examples = read.constructs.iter().filter_map(|one| one.example);
    match examples.max().filter(|idx| *idx as usize >= read.chunks.len()) {
        Some(idx) => Err(damaged(format!("no chunk {idx}"))),
        None => Ok(read),
    }
}

fn chunk_read(text: ChunkText<'_>) -> Result<Chunk, FormatTrouble> {
    let (source, line, last_line) = text.at;
    Ok(Chunk {
        headings: text.headings,
        symbols: symbols_read(&text.symbols)?,
        source,
        line,
        last_line,
        summary: text.summary,
        text: text.text,
    })
}

fn construct_read(text: ConstructText<'_>) -> Result<Construct, FormatTrouble> {
    Ok(Construct {
        name: text.name,
        declared_by: symbols_read(&text.declared_by)?,
        opened_by: symbol_read(&text.opened_by)?,
        middle: symbols_read(&text.middle)?,
        closed_by: symbol_read(&text.closed_by)?,
        contains: symbols_read(&text.contains)?,
        order: symbols_read(&text.order)?,
        evidence: text.evidence,
        example: text.example,
    })
}

fn topic_read(text: TopicText<'_>) -> Result<Topic, FormatTrouble> {
    let symbols = symbols_read(&text.symbols)?;
    Ok(Topic { words: text.words, kind: text.kind, symbols, at: text.at })
}

fn symbols_read(texts: &[SymbolText<'_>]) -> Result<Vec<Symbol>, FormatTrouble> {
    texts.iter().map(symbol_read).collect()
}

fn symbol_read(text: &SymbolText<'_>) -> Result<Symbol, FormatTrouble> {
    let (owner, member) = match text.0.as_slice() {
        [owner] => (owner, None),
        [owner, member] => (owner, Some(Name::from(member.as_ref()))),
        other => return Err(damaged(format!("no symbol: {}", other.join(" ")))),
    };
    let owner = key_of(owner).ok_or_else(|| damaged(format!("no name: {owner}")))?;
    Ok(Symbol { owner, member })
}

#[cfg(test)]
mod tests {
    use super::super::tests::Dice;
    use super::*;
    use crate::datagraph::{Key, Side};

    fn symbol(dice: &mut Dice) -> Symbol {
        let side = [Side::Type, Side::Value][dice.up_to(2) as usize];
        let owner = match dice.up_to(5) {
            0 => Key::globals(),
            _ => Key { name: dice.name(), side },
        };
        let member = dice.one(&["a", "will-quit", "[Symbol.iterator]", "", "\u{202e}x\n"]);
        Symbol { owner, member: (dice.up_to(3) > 0).then(|| member.into()) }
    }

    fn symbols(dice: &mut Dice) -> Vec<Symbol> {
        (0..dice.up_to(4)).map(|_| symbol(dice)).collect()
    }

    fn text(dice: &mut Dice) -> String {
        let parts = ["", "# A\r\n\n```js\n", "\"\\\u{7}", "größe 😀", "\u{2028}{\"a\": [1]}", "a"];
        (0..dice.up_to(5)).map(|_| dice.one(&parts)).collect()
    }

    fn rolled(dice: &mut Dice) -> Documentation {
        let mut all = Documentation::default();
        for n in 0..1 + dice.up_to(6) as u32 {
            all.chunks.push(Chunk {
                headings: (0..dice.up_to(3)).map(|_| text(dice)).collect(),
                symbols: symbols(dice),
                source: n,
                line: 3,
                last_line: u32::MAX,
                summary: text(dice),
                text: text(dice),
            });
            let evidence = [Evidence::Strong, Evidence::Weak, Evidence::Inverse];
            all.constructs.push(Construct {
                name: dice.one(&["table", "", "ö"]).into(),
                declared_by: symbols(dice),
                opened_by: symbol(dice),
                middle: symbols(dice),
                closed_by: symbol(dice),
                contains: symbols(dice),
                order: symbols(dice),
                evidence: evidence[dice.up_to(3) as usize],
                example: (dice.up_to(2) == 0).then_some(n),
            });
            let kind = [TopicKind::Sentence, TopicKind::Heading, TopicKind::Comment];
            all.topics.push(Topic {
                words: text(dice),
                kind: kind[dice.up_to(3) as usize],
                symbols: symbols(dice),
                at: (n, 9),
            });
        }
        all
    }

    fn written(all: &Documentation) -> [String; 3] {
        [chunks(&all.chunks), constructs(&all.constructs), topics(&all.topics)]
    }

    #[test]
    fn what_is_written_is_read_back_the_same() {
        for seed in 0..300 {
            let all = rolled(&mut Dice(seed));
            let [c, k, t] = written(&all);
            assert_eq!(documentation(&c, &k, &t).as_ref(), Ok(&all), "seed {seed}\n{c}{k}{t}");
            assert!(!c.contains(['\u{202e}', '\u{2028}', '\r']), "{c}");
        }
        let [c, k, t] = written(&Documentation::default());
        assert_eq!(documentation(&c, &k, &t), Ok(Documentation::default()));
    }

    #[test]
    fn a_record_is_a_line() {
        let layout =
            Symbol::member(Key::of_type(crate::types::TypeName::global("Layout")), "makeTable");
        let of_layout = Symbol::interface(layout.owner.clone());
        let topic = Topic {
            words: "Make a table".into(),
            kind: TopicKind::Heading,
            symbols: vec![layout, of_layout],
            at: (2, 14),
        };
        let expected = r#"{
  "format": 1,
  "topics": [
    {"at": [2, 14], "kind": "heading", "words": "Make a table", "symbols": [["Layout", "makeTable"], ["Layout"]]}
  ]
}
"#;
        assert_eq!(topics(&[topic]), expected);
    }

    #[test]
    fn another_format_and_damage_are_told_apart() {
        let all = rolled(&mut Dice(7));
        let [c, k, t] = written(&all);
        for (idx, text) in [&c, &k, &t].into_iter().enumerate() {
            let with = |changed: &str| {
                let mut each = [c.as_str(), k.as_str(), t.as_str()];
                each[idx] = changed;
                documentation(each[0], each[1], each[2])
            };
            let later = text.replace("\"format\": 1", "\"format\": 2");
            assert_eq!(with(&later), Err(FormatTrouble::Other { found: 2 }));
            for end in 0..text.len() - 2 {
                let cut = String::from_utf8_lossy(&text.as_bytes()[..end]);
                assert!(matches!(with(&cut), Err(FormatTrouble::Damaged(_))), "{end}");
            }
            let deep = "[".repeat(100_000);
            assert!(matches!(with(&deep), Err(FormatTrouble::Damaged(_))));
        }
    }

    #[test]
    fn odd_records_are_damage() {
        let empty = written(&Documentation::default());
        let odd = |chunk: &str| {
            let text = format!("{{\"format\": 1, \"chunks\": [{chunk}]}}");
            documentation(&text, &empty[1], &empty[2])
        };
        let record = |symbols: &str| {
            odd(&format!(
                r#"{{"at": [0, 1, 2], "headings": [], "symbols": {symbols}, "summary": "", "text": ""}}"#
            ))
        };
        assert!(record(r#"[["A", "b"]]"#).is_ok());
        for symbols in ["[[]]", r#"[["A", "b", "c"]]"#, r#"[["import(\"x"]]"#, r#"["A"]"#, "7"] {
            assert!(matches!(record(symbols), Err(FormatTrouble::Damaged(_))), "{symbols}");
        }
        let mut all = rolled(&mut Dice(3));
        all.constructs[0].example = Some(99);
        let [c, k, t] = written(&all);
        assert_eq!(documentation(&c, &k, &t), Err(FormatTrouble::Damaged("no chunk 99".into())));
    }
}
