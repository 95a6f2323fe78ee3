//! `lookup_docs`: what does the documentation say?
//!
//! Several queries are one question from different angles: each is read as a name first and as words then, and their
//! results are merged by rank. Nothing is retold: a result is a piece of a source, with its place, and where an api has
//! no prose, the declaration itself.

use super::audit::{Doubtful, audit};
use super::ladder::{Apis, Climbed, Meant, Rung, Strength, climb, is_dotted, receivers};
use super::resolve_topic::{Resolved, resolve};
use super::suggest::{Candidate, suggest};
use crate::base::{Name, Stop};
use crate::corpus::documents::Documents;
use crate::corpus::documents::listing::{Kind, signature};
use crate::datagraph::documentation::Symbol;
use crate::datagraph::{Key, Side};
use crate::words::asked;
use std::collections::{BTreeMap, BTreeSet};

/// How many results an answer has.
pub const MAX_PIECES: usize = 10;

/// How many results of one query take part in merging.
const MAX_RANKED: usize = 20;

/// How many pieces of one symbol are quoted where its name was asked for.
const MAX_OF_NAME: usize = 3;

/// What a guide section's score counts beside a symbol's.
const SECTION: f32 = 0.85;

/// What the reciprocal of a rank is softened by.
const SOFTENED: f32 = 60.0;

/// From this share of common words on, two queries are one.
const SAME: f32 = 0.8;

/// How many names are said to be near.
const MAX_NEAREST: usize = 6;

/// One query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// The words or the name.
    pub text: String,
    /// What it is after, in the asker's words; maybe empty.
    pub about: String,
}

/// What the documentation says.
#[derive(Debug, Clone, Default)]
pub struct Looked {
    /// The queries that were asked, each one once.
    pub queries: Vec<Query>,
    /// The queries that say the same as an earlier one: which, and which earlier one.
    pub repeated: Vec<(String, String)>,
    /// Goal words to symbols: for the query that is answered best.
    pub phrasebook: Option<Resolved>,
    /// Whether a name was found, or words lead to something for certain.
    pub strength: Option<Strength>,
    /// What was found, best first.
    pub pieces: Vec<Piece>,
    /// Of an interface that was asked for by name: what it has.
    pub members: Option<Members>,
    /// Why there may be nothing.
    pub absence: Vec<Absence>,
    /// Names that exist and are near to what was asked.
    pub nearest: Vec<String>,
}

/// A piece of a source.
#[derive(Debug, Clone)]
pub struct Piece {
    /// What it documents; none for a guide section.
    pub symbol: Option<String>,
    /// How the name that was asked for was read; none where words led to it.
    pub rung: Option<Rung>,
    /// The headings above it, outermost first.
    pub heading: String,
    /// The api's name and version.
    pub api: (String, String),
    /// The source's path, and the line that it begins in.
    pub at: (String, u32),
    /// How well it answers.
    pub score: f32,
    /// Its text, as it stands there.
    pub text: String,
    /// Whether it is prose or only a declaration.
    pub kind: PieceKind,
    /// Which of the queries found it, by their index.
    pub queries: BTreeSet<usize>,
    /// What its code uses and does not exist.
    pub findings: Vec<Doubtful>,
}

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceKind {
    /// A piece of the documentation.
    Documented,
    /// No documentation was read: this is how it is declared.
    Declared,
}

/// What an interface has.
#[derive(Debug, Clone, PartialEq)]
pub struct Members {
    /// The interface.
    pub interface: String,
    /// Set where its source does not enumerate it: the reason.
    pub open: Option<String>,
    /// By kind; own ones first, inherited ones with who has them.
    pub groups: Vec<(Kind, Vec<MemberLine>)>,
}

/// One member.
#[derive(Debug, Clone, PartialEq)]
pub struct MemberLine {
    /// How it is declared.
    pub signature: String,
    /// The interface that it is inherited from; none for an own one.
    pub from: Option<String>,
}

/// Why a name was not found.
#[derive(Debug, Clone, PartialEq)]
pub struct Absence {
    /// The name that was asked for.
    pub asked: String,
    /// The interface that stands left of its dot, where one is known.
    pub interface: String,
    /// Whether that interface's source lists everything: none, or why not.
    pub open: Option<String>,
}

/// An api, as the list of apis shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct ApiLine {
    /// Its name.
    pub api: String,
    /// Its version.
    pub version: String,
    /// How many interfaces, members, pieces of documentation, guide sections, constructs and topics there are.
    pub counts: [usize; 6],
}

/// What the apis hold, in their order.
pub fn listed(documents: &[std::sync::Arc<Documents>]) -> Vec<ApiLine> {
    let line = |documents: &std::sync::Arc<Documents>| {
        let all = &documents.listing.listed;
        let n_interfaces = all.iter().filter(|one| one.symbol.member.is_none()).count();
        ApiLine {
            api: documents.graph.api.to_string(),
            version: documents.graph.version.to_string(),
            counts: [
                n_interfaces,
                all.len() - n_interfaces,
                documents.n_chunks(),
                documents.n_sections(),
                documents.constructs.len(),
                documents.topics.len(),
            ],
        }
    };
    documents.iter().map(line).collect()
}

/// What the documentation says to these queries.
pub fn look(apis: Apis<'_>, queries: &[Query], stop: &Stop) -> Looked {
    let (queries, repeated) = once_each(queries);
    let mut looked = Looked { queries, repeated, ..Looked::default() };
    let mut merged: BTreeMap<Target, Merged> = BTreeMap::new();
    let mut strengths = Vec::new();
    for (query_idx, query) in looked.queries.iter().enumerate() {
        if stop.is_set() {
            break;
        }
        let climbed = climb(apis, &query.text);
        let ranked = ranked(apis, &query.text, climbed.as_ref());
        for (rank, (target, score)) in ranked.iter().enumerate() {
            let one = merged.entry(target.clone()).or_default();
            one.fused += 1.0 / (SOFTENED + rank as f32 + 1.0);
            one.score = one.score.max(*score);
            one.queries.insert(query_idx);
            if let Some(climbed) = climbed.as_ref().filter(|c| target.is_of(apis, c)) {
                one.rung = one.rung.into_iter().chain([climbed.rung]).min();
            }
        }
        let phrases = resolve(apis, &query.text);
        strengths.push(phrases.strength);
        let is_better =
            looked.phrasebook.as_ref().is_none_or(|before| before.strength < phrases.strength);
        if is_better {
            looked.phrasebook = Some(phrases);
        }
        if climbed.as_ref().is_none_or(|c| c.rung == Rung::Elsewhere) {
            looked.absence.extend(absence(apis, &query.text));
        }
        if looked.members.is_none() {
            looked.members = climbed.as_ref().and_then(|climbed| members(apis, climbed));
        }
        if climbed.is_none() && looked.nearest.len() < MAX_NEAREST {
            looked.nearest.extend(nearest(apis, &query.text));
        }
    }
    let pieces = pieces(apis, merged, stop);
    let strength = strengths.into_iter().max().unwrap_or(Strength::None);
    // Words lead to something: a hint at least.
    let is_found = !pieces.is_empty() && strength == Strength::None;
    looked.strength = Some(if is_found { Strength::Weak } else { strength });
    looked.pieces = pieces;
    looked.nearest.sort();
    looked.nearest.dedup();
    looked.nearest.truncate(MAX_NEAREST);
    looked
}

/// The queries without those that use the same words as an earlier one.
fn once_each(queries: &[Query]) -> (Vec<Query>, Vec<(String, String)>) {
    let mut kept: Vec<(Query, BTreeSet<String>)> = Vec::new();
    let mut repeated = Vec::new();
    for query in queries {
        let words: BTreeSet<String> = asked(&query.text).into_iter().collect();
        let earlier = kept.iter().find(|(before, theirs)| {
            let n_common = words.intersection(theirs).count() as f32;
            let n_all = words.union(theirs).count() as f32;
            before.text.trim() == query.text.trim() || (n_all > 0.0 && n_common / n_all >= SAME)
        });
        match earlier {
            Some((before, _)) => repeated.push((query.text.clone(), before.text.clone())),
            None => kept.push((query.clone(), words)),
        }
    }
    (kept.into_iter().map(|(query, _)| query).collect(), repeated)
}

/// What a result is of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    /// A piece of documentation: the api and the chunk's number, and the symbol that led to it.
    Chunk(usize, u32),
    /// A symbol that nothing documents.
    Symbol(Meant),
}

#[derive(Default)]
struct Merged {
    fused: f32,
    score: f32,
    rung: Option<Rung>,
    queries: BTreeSet<usize>,
}

impl Target {
    /// Whether a name that was climbed to means this.
    fn is_of(&self, apis: Apis<'_>, climbed: &Climbed) -> bool {
        climbed.meant.iter().any(|meant| match self {
            Target::Symbol(own) => own == meant,
            Target::Chunk(api, chunk) => {
                let numbered = || apis.documents[meant.api].chunks_of_number(meant.number);
                *api == meant.api && numbered().contains(chunk)
            }
        })
    }
}

/// What answers one query, best first.
fn ranked(apis: Apis<'_>, text: &str, climbed: Option<&Climbed>) -> Vec<(Target, f32)> {
    let mut found: Vec<(Target, f32)> = Vec::new();
    for meant in climbed.iter().flat_map(|climbed| &climbed.meant) {
        found.extend(targets(apis, *meant, MAX_OF_NAME).into_iter().map(|target| (target, 2.0)));
    }
    let mut by_words: Vec<(Target, f32)> = Vec::new();
    for (api, documents) in apis.documents.iter().enumerate() {
        for hit in documents.rank_symbols(text, MAX_RANKED).hits {
            let meant = Meant { api, number: hit.number };
            let targets = targets(apis, meant, 1);
            by_words.extend(targets.into_iter().map(|target| (target, hit.score)));
        }
        let sections = documents.rank_sections(text, MAX_RANKED).hits;
        let chunks = sections.into_iter();
        by_words.extend(chunks.map(|hit| (Target::Chunk(api, hit.number), hit.score * SECTION)));
    }
    by_words.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    found.extend(by_words);
    let mut seen = BTreeSet::new();
    found.retain(|(target, _)| seen.insert(target.clone()));
    found.truncate(MAX_RANKED);
    found
}

fn targets(apis: Apis<'_>, meant: Meant, most: usize) -> Vec<Target> {
    let chunks = apis.documents[meant.api].chunks_of_number(meant.number);
    match chunks.is_empty() {
        true => vec![Target::Symbol(meant)],
        false => chunks.iter().take(most).map(|chunk| Target::Chunk(meant.api, *chunk)).collect(),
    }
}

fn pieces(apis: Apis<'_>, merged: BTreeMap<Target, Merged>, stop: &Stop) -> Vec<Piece> {
    let mut order: Vec<(Target, Merged)> = merged.into_iter().collect();
    order.sort_by(|a, b| b.1.fused.total_cmp(&a.1.fused).then_with(|| a.0.cmp(&b.0)));
    order.truncate(MAX_PIECES);
    let mut pieces: Vec<Piece> =
        order.into_iter().filter_map(|(target, one)| piece(apis, &target, one)).collect();
    for piece in pieces.iter_mut().filter(|piece| piece.kind == PieceKind::Documented) {
        piece.findings = audit(apis.corpus, &piece.text, piece.at.1, stop);
    }
    pieces
}

fn piece(apis: Apis<'_>, target: &Target, merged: Merged) -> Option<Piece> {
    let (Target::Chunk(api, _) | Target::Symbol(Meant { api, .. })) = target;
    let documents = apis.documents.get(*api)?;
    let Merged { fused, rung, queries, .. } = merged;
    let path = |source: u32| {
        let source = documents.graph.sources.get(source as usize);
        source.map_or(String::new(), |source| source.path.to_string())
    };
    let named = (documents.graph.api.to_string(), documents.graph.version.to_string());
    let (symbol, heading, at, text, kind) = match target {
        Target::Chunk(_, number) => {
            let chunk = documents.chunk(*number)?;
            let symbol = chunk.symbols.first().map(|symbol| {
                let number = documents.listing.number(&documents.graph, symbol);
                let listed = number.and_then(|number| documents.listing.symbol(number));
                listed.map_or_else(|| symbol.to_string(), |listed| listed.symbol.to_string())
            });
            let at = (path(chunk.source), chunk.line);
            (symbol, chunk.headings.join(" › "), at, chunk.text, PieceKind::Documented)
        }
        Target::Symbol(meant) => {
            let listed = documents.listing.symbol(meant.number)?;
            let spelt = listed.symbol.to_string();
            let at = (path(listed.at.0), listed.at.1);
            let text = documents.signature(meant.number);
            (Some(spelt.clone()), spelt, at, text, PieceKind::Declared)
        }
    };
    Some(Piece {
        symbol,
        rung,
        heading,
        api: named,
        at,
        score: fused,
        text,
        kind,
        queries,
        findings: Vec::new(),
    })
}

/// What the interface that a name means has; none where it means no interface.
fn members(apis: Apis<'_>, climbed: &Climbed) -> Option<Members> {
    let Climbed { strength: Strength::Strong, meant, .. } = climbed else { return None };
    let meant = meant.iter().find(|meant| {
        let listed = apis.documents[meant.api].listing.symbol(meant.number);
        listed.is_some_and(|one| one.kind == Kind::Interface)
    })?;
    let owner = &apis.symbol(*meant)?.owner;
    let mut groups: BTreeMap<Kind, Vec<MemberLine>> = BTreeMap::new();
    let mut open = None;
    for side in [Side::Type, Side::Value] {
        let key = Key { name: owner.name.clone(), side };
        if !apis.corpus.has(&key) {
            continue;
        }
        open = open.or_else(|| apis.corpus.interfaces(&key).find_map(|i| i.open.clone()));
        for (name, declarer) in apis.corpus.members_of(&key) {
            let symbol = Symbol::member(declarer.clone(), name);
            let listed = apis.meant(&symbol).into_iter().find_map(|meant| {
                let documents = &apis.documents[meant.api];
                let one = documents.listing.symbol(meant.number)?;
                Some((one.kind, signature(&documents.graph, &one.symbol)))
            });
            let Some((kind, declared)) = listed else { continue };
            let from = (declarer.name != owner.name)
                .then(|| Symbol::interface(declarer.clone()).to_string());
            let lead = match (side, owner.name.path.is_empty() || kind == Kind::Constant) {
                (Side::Value, false) => "static ",
                (Side::Value, true) | (Side::Type, _) => "",
            };
            let signature = format!("{lead}{declared}");
            groups.entry(kind).or_default().push(MemberLine { signature, from });
        }
    }
    for lines in groups.values_mut() {
        lines.sort_by(|a, b| a.from.cmp(&b.from).then_with(|| a.signature.cmp(&b.signature)));
        lines.dedup();
    }
    Some(Members {
        interface: apis.spelt(*meant),
        open: open.map(|why| why.to_string()),
        groups: groups.into_iter().collect(),
    })
}

/// Why a dotted name is not there: its interface is known.
fn absence(apis: Apis<'_>, text: &str) -> Option<Absence> {
    if !is_dotted(text) {
        return None;
    }
    let receiver = receivers(apis, text).into_iter().find(|key| apis.corpus.has(key))?;
    let open = apis.corpus.interfaces(&receiver).find_map(|i| i.open.clone());
    Some(Absence {
        asked: text.trim().to_owned(),
        interface: receiver.to_string(),
        open: open.map(|why| why.to_string()),
    })
}

/// Names that exist: of the interface that was named, else by their words.
fn nearest(apis: Apis<'_>, text: &str) -> Vec<String> {
    let member = text.trim().rsplit(['.', '#', ':', '/']).next().unwrap_or("");
    let member = member.split('(').next().unwrap_or("");
    for key in receivers(apis, text) {
        let candidates: Vec<Candidate> = apis
            .corpus
            .members_of(&key)
            .into_iter()
            .map(|(name, _)| Candidate { name, callable: text.contains('(') })
            .collect();
        let near = suggest(member, text.contains('('), &candidates);
        if !near.is_empty() {
            let owner = Symbol::interface(key).to_string();
            return near.into_iter().map(|name: Name| format!("{owner}.{name}")).collect();
        }
    }
    let mut near = Vec::new();
    for (api, documents) in apis.documents.iter().enumerate() {
        let hits = documents.rank_symbols(text, 3).hits;
        near.extend(hits.iter().map(|hit| (hit.score, Meant { api, number: hit.number })));
    }
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    near.into_iter().take(3).map(|(_, meant)| apis.spelt(meant)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::ladder::tests::folio;
    use super::*;

    fn looked(queries: &[&str]) -> Looked {
        let (corpus, documents) = folio();
        let queries: Vec<Query> = queries
            .iter()
            .map(|text| Query { text: (*text).to_owned(), about: String::new() })
            .collect();
        look(Apis { corpus: &corpus, documents: &documents }, &queries, &Stop::default())
    }

    #[test]
    fn a_name_brings_its_piece_word_for_word() {
        let looked = looked(&["Layout.pageBreak"]);
        let first = &looked.pieces[0];
        assert_eq!(first.text, "Goes on at the top of the next sheet.");
        assert_eq!((first.symbol.as_deref(), first.at.1), (Some("Layout.pageBreak"), 20));
    }

    #[test]
    fn a_guide_section_is_found_by_its_words() {
        let looked = looked(&["letterhead"]);
        assert_eq!(looked.pieces[0].heading, "Folio › Letterheads");
        assert_eq!(looked.pieces[0].symbol, None);
    }

    #[test]
    fn what_nothing_documents_is_answered_by_its_declaration() {
        let looked = looked(&["Layout.columnBreak"]);
        assert_eq!(looked.pieces[0].kind, PieceKind::Declared);
        assert_eq!(looked.pieces[0].text, "columnBreak(): void");
    }

    #[test]
    fn an_interface_comes_with_its_members_and_who_has_them() {
        let members = looked(&["Table"]).members.unwrap();
        let lines: Vec<&MemberLine> = members.groups.iter().flat_map(|(_, lines)| lines).collect();
        let from = |start: &str| {
            lines.iter().find(|line| line.signature.starts_with(start)).unwrap().from.clone()
        };
        assert_eq!(from("openRow"), None);
        assert_eq!(from("width"), Some("Placed".to_owned()));
        assert_eq!(from("sameAs"), Some("Item".to_owned()));
    }

    #[test]
    fn what_the_documentation_invents_is_told_with_its_line() {
        let looked = looked(&["Layout.tableStart"]);
        let findings = &looked.pieces[0].findings;
        let told: Vec<(u32, &str)> =
            findings.iter().map(|f| (f.line, f.judged.member.as_str())).collect();
        assert_eq!(told, [(24, "tableCellEnd")]);
    }

    #[test]
    fn queries_are_merged_by_rank() {
        let looked = looked(&["go on at the next sheet", "page break", "open a table"]);
        assert_eq!(looked.pieces[0].symbol.as_deref(), Some("Layout.pageBreak"));
        assert!(looked.pieces[0].queries.contains(&0) && looked.pieces[0].queries.contains(&1));
    }

    #[test]
    fn a_query_that_says_the_same_is_asked_once() {
        let looked = looked(&["draw a table", "drawing tables"]);
        assert_eq!(looked.queries.len(), 1);
        assert_eq!(looked.repeated, [("drawing tables".to_owned(), "draw a table".to_owned())]);
    }

    #[test]
    fn an_invented_member_is_said_not_to_exist_and_real_ones_are_named() {
        let looked = looked(&["Layout.tableCellEnd"]);
        assert_eq!(looked.absence[0].interface, "Layout");
        assert_eq!(looked.absence[0].open, None);
        assert!(looked.nearest.contains(&"Layout.tableEnd".to_owned()), "{:?}", looked.nearest);
        assert!(looked.strength < Some(Strength::Strong));
    }

    #[test]
    fn the_phrasebook_speaks_whatever_was_found() {
        assert_eq!(looked(&["qwertyuiop"]).phrasebook.unwrap().strength, Strength::None);
        assert!(looked(&["fresh sheet of paper"]).phrasebook.is_some());
    }

    #[test]
    fn no_more_pieces_than_ten_and_none_twice() {
        let looked = looked(&["table", "layout", "page", "block", "style", "text"]);
        let places: BTreeSet<_> =
            looked.pieces.iter().map(|p| (p.symbol.clone(), p.text.clone())).collect();
        assert_eq!((looked.pieces.len(), places.len()), (MAX_PIECES, MAX_PIECES));
    }
}
