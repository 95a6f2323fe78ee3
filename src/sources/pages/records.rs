//! Structured pages to sections: a record that has a name is one, with what its descriptions say.
//!
//! What a member is made of (parameters, results, references) belongs to the section of the member.

use super::node::{Node, TEXT};
use super::{Block, Face, Fence, Run, Section, close_sections, markdown};
use crate::base::{Name, to_u32};

/// The deepest level of a section.
const MAX_LEVEL: u8 = 6;

/// The longest name of a record, in bytes.
const MAX_NAME: usize = 300;

/// Keys that name a record, the best first.
const NAMES: &[&str] = &["@name", "name", "fullName", "title", "uid", "id"];

/// Keys under which no record is a section of its own.
const PARTS: &[&str] = &[
    "argument",
    "arguments",
    "blockTags",
    "categories",
    "category",
    "comment",
    "extendedBy",
    "extendedTypes",
    "extends",
    "getSignature",
    "groups",
    "implementedBy",
    "implementedTypes",
    "implements",
    "indexSignatures",
    "inheritance",
    "inheritedFrom",
    "overwrites",
    "param",
    "parameters",
    "params",
    "references",
    "return",
    "returns",
    "seeAlso",
    "setSignature",
    "signature",
    "signatures",
    "sources",
    "syntax",
    "tags",
    "tutorials",
    "type",
    "typeParameter",
    "typeParameters",
];

/// Keys whose text is prose, in the order in which it is read.
const PROSE: &[&str] = &[
    "summary",
    "brief_description",
    "desc",
    "short",
    "shortdesc",
    "description",
    "longdesc",
    "deprecation_message",
    "remarks",
    "details",
    "body",
    "comment",
    "text",
    "example",
    "examples",
];

/// The sections of the records in `root`, up to line `last`.
pub fn sections(root: &Node, last: u32) -> Vec<Section> {
    let mut sections = Vec::new();
    let mut above = Vec::new();
    for one in top(root) {
        add(one, &mut above, &mut sections);
    }
    close_sections(&mut sections, last);
    sections
}

/// The outermost records: the root itself where it is one.
pub fn top(root: &Node) -> Vec<&Node> {
    match root.children.iter().any(|child| child.name.is_empty()) || is_document(root) {
        true => root.children.iter().collect(),
        false => vec![root],
    }
}

/// Whether `root` only holds the one element of a document.
fn is_document(root: &Node) -> bool {
    root.children.iter().any(|child| {
        child.children.iter().any(|one| one.name.starts_with('@')) || !child.children.is_empty()
    }) && root.children.len() <= 2
        && root.children.iter().all(|child| child.line >= root.line)
        && root.children.iter().all(|child| NAMES.iter().all(|name| child.name != *name))
        && root.text.trim().is_empty()
}

/// What a record is called; empty where it is not.
pub fn name_of(node: &Node) -> &str {
    let named = NAMES.iter().map(|name| node.said(name));
    named
        .into_iter()
        .find(|name| !name.is_empty() && name.len() <= MAX_NAME && !name.contains('\n'))
        .unwrap_or("")
}

fn add(node: &Node, above: &mut Vec<u32>, sections: &mut Vec<Section>) {
    let name = name_of(node);
    let is_section = above.is_empty() || !name.is_empty();
    if is_section {
        let level = u8::try_from(above.len() + 1).unwrap_or(MAX_LEVEL).min(MAX_LEVEL);
        let title = vec![Run { text: name.to_owned(), face: Face::Plain, link: None }];
        let parent = above.last().copied();
        above.push(to_u32(sections.len()));
        let (title, id) =
            if name.is_empty() { (Vec::new(), "") } else { (title, node.said("uid")) };
        let blocks = blocks(node);
        let line = node.line;
        sections.push(Section {
            level,
            title,
            parent,
            line,
            last_line: line,
            blocks,
            id: Name::from(id),
            ..Section::default()
        });
    }
    let inner = node.elements().filter(|child| !PARTS.contains(&child.name.as_str()));
    for child in inner.filter(|child| !PROSE.contains(&child.name.as_str())) {
        if !child.children.is_empty() {
            add(child, above, sections);
        }
    }
    if is_section {
        above.pop();
    }
}

/// What a record's descriptions say.
fn blocks(node: &Node) -> Vec<Block> {
    let mut found = Vec::new();
    if let Some(syntax) = node.child("syntax") {
        let spelt =
            if syntax.text.is_empty() { syntax.said("content") } else { syntax.text.trim() };
        if !spelt.is_empty() {
            let code = format!("{spelt}\n");
            found.push(Block::Fence(Fence { language: "ts".to_owned(), code, line: syntax.line }));
        }
    }
    let own = PROSE.iter().flat_map(|key| node.all(key).map(move |said| (*key, said)));
    // Of a call the description stands in its signature.
    let inner = node.items("signatures").chain(node.child("getSignature"));
    let inner = inner.flat_map(|one| one.all("comment").map(|said| ("comment", said)));
    // So do examples of what a call gives, with what is said of its result.
    let given = node.child("syntax").and_then(|syntax| syntax.child("return"));
    let given =
        given.into_iter().flat_map(|one| one.all("description")).map(|said| ("description", said));
    for (key, said) in own.chain(inner).chain(given) {
        let mut text = String::new();
        match key {
            "comment" if !said.children.is_empty() => add_comment(said, &mut text),
            "example" | "examples" => add_example(said, &mut text),
            _ => add_marked(said, &mut text),
        }
        let n_lines = said.last_line.saturating_sub(said.line);
        for section in markdown::of_text(&text).sections {
            if !section.title.is_empty() {
                let runs = section.title.clone();
                found.push(Block::Paragraph(super::Paragraph { runs, line: said.line }));
            }
            found.extend(section.blocks.into_iter().map(|block| placed(block, said.line, n_lines)));
        }
    }
    found
}

/// A block of a description that begins on `line`; what is spelt on fewer lines in the file is held to those.
fn placed(mut block: Block, first: u32, n_lines: u32) -> Block {
    let line = match &mut block {
        Block::Paragraph(one) => &mut one.line,
        Block::Fence(one) => &mut one.line,
        Block::Table(one) => &mut one.line,
        Block::List(items) => {
            for item in items {
                item.line = first + item.line.min(n_lines);
            }
            return block;
        }
    };
    *line = first + (*line).min(n_lines);
    block
}

/// A comment of TypeDoc: its summary, then its tags.
fn add_comment(node: &Node, text: &mut String) {
    let parts = |list: &Node, text: &mut String| {
        list.children
            .iter()
            .for_each(|part| text.push_str(part.child("text").map_or("", |t| t.text.as_str())));
        text.push_str("\n\n");
    };
    node.child("summary").into_iter().for_each(|list| parts(list, text));
    for tag in node.items("blockTags") {
        match tag.said("tag") {
            "@example" | "@remarks" | "@deprecated" | "@description" | "@classdesc" => {
                tag.child("content").into_iter().for_each(|list| parts(list, text));
            }
            _ => {}
        }
    }
}

/// An example: what it shows, then its code.
fn add_example(node: &Node, text: &mut String) {
    for desc in node.all("desc") {
        add_marked(desc, text);
        text.push_str("\n\n");
    }
    for code in node.all("code") {
        let mut said = String::new();
        code.add_text(&mut said);
        add_fence(&said, text);
    }
    if node.elements().next().is_none() {
        add_marked(node, text);
    }
    for item in node.children.iter().filter(|child| child.name.is_empty()) {
        add_marked(item, text);
        text.push_str("\n\n");
    }
}

fn add_fence(code: &str, text: &mut String) {
    let mark = if code.contains("```") { "~~~~" } else { "```" };
    text.push_str(&format!("\n\n{mark}\n{}\n{mark}\n\n", code.trim_matches(['\n', '\r'])));
}

/// A description with the marks of Markdown in place of elements.
fn add_marked(node: &Node, text: &mut String) {
    let is_code = |name: &str| ["code", "tt", "codeblock", "c"].contains(&name);
    let around = match node.name.as_str() {
        "pre" => {
            let mut code = String::new();
            node.add_text(&mut code);
            add_fence(&code, text);
            return;
        }
        name if is_code(name) => {
            let code = node.whole_text();
            text.push_str(&format!("`{code}`"));
            return;
        }
        "p" | "div" | "ul" | "ol" | "dl" | "h2" | "h3" | "h4" => "\n\n",
        "li" => "\n* ",
        "em" | "strong" | "b" | "i" => "",
        _ => "",
    };
    text.push_str(around);
    let is_element =
        node.children.iter().any(|one| !one.name.is_empty() && !one.name.starts_with('@'));
    add_plain(&node.text, is_element || node.name == TEXT, text);
    for child in node.children.iter().filter(|child| !child.name.starts_with('@')) {
        match child.name == TEXT {
            true => add_plain(&child.text, true, text),
            false => add_marked(child, text),
        }
    }
    if around == "\n\n" {
        text.push_str(around);
    }
}

/// Text between elements is set in lines as it comes, and its indent says nothing; other text is Markdown itself.
fn add_plain(said: &str, between_elements: bool, text: &mut String) {
    let codes = said.contains("[code") || said.contains("[b]");
    match between_elements {
        true => {
            let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
            let starts = said.starts_with(char::is_whitespace);
            let ends = said.ends_with(char::is_whitespace);
            let (before, after) = (if starts { " " } else { "" }, if ends { " " } else { "" });
            text.push_str(&format!("{before}{words}{after}"));
        }
        false if codes => {
            let marked = said.replace("[codeblock]", "\n```\n").replace("[/codeblock]", "\n```\n");
            let marked = marked.replace("[code]", "`").replace("[/code]", "`");
            let marked = marked.replace("[b]", "**").replace("[/b]", "**");
            text.push_str(&marked.lines().map(str::trim_start).collect::<Vec<_>>().join("\n"));
        }
        false => text.push_str(&undented(said)),
    }
}

/// A text without the indent that its document gives it.
fn undented(said: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let lines = said.lines().skip(1).filter(|line| !line.trim().is_empty());
    let least = lines.map(indent).min().unwrap_or(0);
    let cut = said.lines().enumerate().map(|(n, line)| {
        let from = if n == 0 { indent(line) } else { least };
        line.get(from..).unwrap_or_else(|| line.trim_start())
    });
    cut.collect::<Vec<_>>().join("\n")
}
