//! HTML to nodes, by a tokenizer that stops at nothing.
//!
//! Elements end as browsers end them, as far as prose needs it: a paragraph ends where a block begins, an item where the
//! next one begins. Depth and attributes are bounded while they are read. What surrounds a page on its site (navigation,
//! headers, footers, scripts, forms) is not kept, but for the steps that lead to it.

use super::node::{Builder, Node};
use crate::base::{Lines, Name, to_u32};
use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};
use std::convert::Infallible;

/// How many attributes of an element are looked at.
const MAX_ATTRIBUTES: usize = 64;

/// The longest attribute that is kept, in bytes.
const MAX_ATTRIBUTE: usize = 1_000;

/// How far up an end tag looks for what it ends.
const MAX_UNCLOSED: usize = 32;

/// The attributes that are kept.
const KEPT: &[&str] = &["id", "name", "class", "href", "role", "aria-label", "title"];

/// Elements without content.
const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

/// Elements of which nothing is kept.
const DROPPED: &[&str] = &[
    "script", "style", "template", "noscript", "svg", "math", "iframe", "object", "footer",
    "aside", "form", "button", "select", "textarea", "canvas", "audio", "video",
];

/// Classes and roles of what surrounds a page.
const CHROME: &[&str] = &[
    "banner",
    "contentinfo",
    "headerlink",
    "menu",
    "nav",
    "navbar",
    "navheader",
    "navigation",
    "pagination",
    "related",
    "search",
    "sidebar",
    "sphinxsidebar",
    "site-menu",
    "toc",
    "tsd-theme-toggle",
    "col-sidebar",
    "page-menu",
    "navpath",
    "tsd-navigation",
    "hash-link",
];

/// Elements that end an open paragraph.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "blockquote",
    "details",
    "div",
    "dl",
    "fieldset",
    "figure",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "table",
    "ul",
];

/// What was read of a page.
#[derive(Debug, Default)]
pub struct Document {
    /// The root of its elements.
    pub root: Node,
    /// The steps that lead to it on its site, outermost first.
    pub steps: Vec<Name>,
    /// What its `title` says.
    pub title: String,
}

/// Reads a page.
pub fn document(text: &str) -> Document {
    let lines = Lines::of(text);
    let mut reader = Reader {
        lines: &lines,
        builder: Builder::new(),
        document: Document::default(),
        tag: Tag::default(),
        dropped: None,
        crumbs: None,
        in_title: false,
    };
    let callback = |event: CallbackEvent<'_>, span: Span<usize>| -> Option<Infallible> {
        reader.take(event, span.start);
        None
    };
    let mut emitter = CallbackEmitter::new(callback);
    // Without this the inside of a script would be taken for elements.
    emitter.naively_switch_states(true);
    match Tokenizer::new_with_emitter(text, emitter).finish() {
        Ok(()) => {}
        Err(never) => match never {},
    }
    let mut document = reader.document;
    document.root = reader.builder.finish(to_u32(lines.n_lines()));
    document.title = document.title.split_whitespace().collect::<Vec<_>>().join(" ");
    document
}

/// The start tag that is being read.
#[derive(Debug, Default)]
struct Tag {
    name: String,
    attributes: Vec<(String, String)>,
    n_attributes: usize,
    line: u32,
}

impl Tag {
    fn said(&self, name: &str) -> &str {
        self.attributes.iter().find(|(n, _)| n == name).map_or("", |(_, value)| value)
    }

    fn is_any_of(&self, words: &[&str]) -> bool {
        let classes = self.said("class").split_whitespace();
        // A heading may be called as anything is.
        let is_part = ["div", "section", "ul"].contains(&self.name.as_str());
        let id = if is_part { self.said("id") } else { "" };
        classes.chain([self.said("role"), id]).any(|one| words.contains(&one))
    }
}

struct Reader<'l> {
    lines: &'l Lines,
    builder: Builder,
    document: Document,
    tag: Tag,
    /// What is left out, and how many elements of that name are open in it.
    dropped: Option<(String, usize)>,
    /// The steps to the page are being read: the element, and how many of that name are open.
    crumbs: Option<(String, usize)>,
    in_title: bool,
}

impl Reader<'_> {
    fn take(&mut self, event: CallbackEvent<'_>, at: usize) {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                let line = self.lines.line(to_u32(at));
                self.tag = Tag { name: said(name), line, ..Tag::default() };
            }
            CallbackEvent::AttributeName { name } => {
                self.tag.n_attributes += 1;
                let name = said(name);
                if self.tag.n_attributes <= MAX_ATTRIBUTES && KEPT.contains(&name.as_str()) {
                    self.tag.attributes.push((name, String::new()));
                }
            }
            CallbackEvent::AttributeValue { value } => {
                // The value belongs to the name that was read last, if that one was kept.
                if self.tag.n_attributes <= MAX_ATTRIBUTES
                    && let Some((_, last)) = self.tag.attributes.last_mut()
                    && last.is_empty()
                {
                    *last = said(value.get(..MAX_ATTRIBUTE).unwrap_or(value));
                }
            }
            CallbackEvent::CloseStartTag { self_closing } => self.start(self_closing),
            CallbackEvent::EndTag { name } => {
                let line = self.lines.line(to_u32(at));
                self.end(&said(name), line);
            }
            CallbackEvent::String { value } => {
                let line = self.lines.line(to_u32(at));
                self.text(&said(value), line);
            }
            CallbackEvent::Comment { .. }
            | CallbackEvent::Doctype { .. }
            | CallbackEvent::Error(_) => {}
        }
    }

    fn start(&mut self, self_closing: bool) {
        let tag = std::mem::take(&mut self.tag);
        for open in [&mut self.dropped, &mut self.crumbs].into_iter().flatten() {
            open.1 += usize::from(open.0 == tag.name);
        }
        if self.dropped.is_some() || self.crumbs.is_some() {
            // A step begins with each element that holds one.
            if self.crumbs.is_some() && ["li", "a", "span"].contains(&tag.name.as_str()) {
                self.document.steps.push(Name::default());
            }
            return;
        }
        if tag.name == "title" && self.document.title.is_empty() {
            self.in_title = true;
            return;
        }
        let is_void = VOID.contains(&tag.name.as_str());
        let is_crumbs = ["breadcrumb", "breadcrumbs", "tsd-breadcrumb"];
        if !is_void
            && (tag.is_any_of(&is_crumbs)
                || tag.said("aria-label").to_lowercase().contains("breadcrumb"))
        {
            self.crumbs = Some((tag.name, 1));
            return;
        }
        if !is_void && self.is_dropped(&tag) {
            if !self_closing {
                self.dropped = Some((tag.name, 1));
            }
            return;
        }
        self.end_what_cannot_hold(&tag.name, tag.line);
        self.builder.open(&tag.name, tag.line);
        for (name, value) in &tag.attributes {
            self.builder.attribute(name, value, tag.line);
        }
        if is_void || (self_closing && tag.name.contains(':')) {
            self.builder.close(tag.line);
        }
    }

    fn is_dropped(&self, tag: &Tag) -> bool {
        let name = tag.name.as_str();
        if ["html", "body", "main", "article"].contains(&name) {
            return false;
        }
        let in_text = || self.builder.above().any(|one| ["main", "article"].contains(&one));
        DROPPED.contains(&name)
            || name == "nav"
            || (name == "header" && !in_text())
            || tag.is_any_of(CHROME)
            || (name == "a"
                && tag.is_any_of(&["headerlink", "anchor", "tsd-anchor-icon"])
                && tag.said("id").is_empty())
    }

    /// Ends the elements that the one that begins cannot stand in.
    fn end_what_cannot_hold(&mut self, name: &str, line: u32) {
        if BLOCKS.contains(&name) {
            self.end_up_to(&["p"], &["table", "ul", "ol", "dl", "div", "section", "td"], line);
        }
        let (ended, within): (&[&str], &[&str]) = match name {
            "li" => (&["li"], &["ul", "ol"]),
            "dt" | "dd" => (&["dt", "dd"], &["dl"]),
            "tr" => (&["tr", "td", "th"], &["table", "tbody", "thead"]),
            "td" | "th" => (&["td", "th"], &["tr", "table"]),
            "option" => (&["option"], &["select"]),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                (&["h1", "h2", "h3", "h4", "h5", "h6"], &["div", "section", "li", "td", "dd"])
            }
            _ => return,
        };
        self.end_up_to(ended, within, line);
    }

    /// Ends the nearest open element of `names`, and all in it, unless one of `within` is nearer.
    fn end_up_to(&mut self, names: &[&str], within: &[&str], line: u32) {
        let nearest = self.builder.above().take(MAX_UNCLOSED).position(|one| names.contains(&one));
        let border = self.builder.above().take(MAX_UNCLOSED).position(|one| within.contains(&one));
        if let Some(nearest) = nearest
            && border.is_none_or(|border| nearest < border)
        {
            (0..=nearest).for_each(|_| self.builder.close(line));
        }
    }

    fn end(&mut self, name: &str, line: u32) {
        if self.in_title && name == "title" {
            self.in_title = false;
            return;
        }
        for open in [&mut self.dropped, &mut self.crumbs] {
            let Some((dropped, n)) = open else { continue };
            if dropped == name {
                *n -= 1;
            }
            if *n == 0 {
                *open = None;
            }
            return;
        }
        if VOID.contains(&name) || ["html", "body"].contains(&name) {
            return;
        }
        if self.builder.is_deeper() {
            self.builder.close(line);
            return;
        }
        let found = self.builder.above().take(MAX_UNCLOSED).position(|one| one == name);
        if let Some(found) = found {
            (0..=found).for_each(|_| self.builder.close(line));
        }
    }

    fn text(&mut self, text: &str, line: u32) {
        if self.dropped.is_some() {
            return;
        }
        if self.in_title {
            self.document.title.push_str(text);
            return;
        }
        if self.crumbs.is_some() {
            let text = text.trim();
            if let Some(last) = self.document.steps.last_mut()
                && text.chars().any(char::is_alphanumeric)
                && text.len() <= MAX_ATTRIBUTE
            {
                *last = format!("{last}{text}").into();
            }
            return;
        }
        self.builder.text(text, line);
    }
}

fn said(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
