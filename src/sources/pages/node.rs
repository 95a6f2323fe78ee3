//! What structured pages hold, however it is spelt: nodes with a name, a text, lines and what is inside of them.
//!
//! An element of XML or HTML is a node whose attributes are children named `@…`; text behind its first child is a child
//! named [`TEXT`]. A key of YAML or JSON is a node too, an item of a list one without a name.

use crate::base::Name;

/// The name of a node that is text between elements.
pub const TEXT: &str = "#text";

/// How deep nodes nest; what is deeper belongs to the last one that is not.
pub const MAX_DEPTH: usize = 96;

/// A node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Node {
    /// Its name: an element's, a key's, an attribute's with `@` before it; empty for an item of a list.
    pub name: Name,
    /// Its text; of an element, what stands before the first child.
    pub text: String,
    /// What is inside of it, in order; attributes come first.
    pub children: Vec<Node>,
    /// Its first line, from 1.
    pub line: u32,
    /// Its last line.
    pub last_line: u32,
}

impl Node {
    /// The first child of that name.
    pub fn child(&self, name: &str) -> Option<&Node> {
        self.children.iter().find(|child| child.name == name)
    }

    /// The text of the first child of that name, trimmed; empty where there is none.
    pub fn said(&self, name: &str) -> &str {
        self.child(name).map_or("", |child| child.text.trim())
    }

    /// The children of that name.
    pub fn all<'n>(&'n self, name: &'n str) -> impl Iterator<Item = &'n Node> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The items of the list under `name`.
    pub fn items<'n>(&'n self, name: &'n str) -> impl Iterator<Item = &'n Node> {
        self.child(name).into_iter().flat_map(|list| list.children.iter())
    }

    /// The children that are no attributes.
    pub fn elements(&self) -> impl Iterator<Item = &Node> {
        self.children.iter().filter(|child| !child.name.starts_with('@') && child.name != TEXT)
    }

    /// All text in it, blanks put together.
    pub fn whole_text(&self) -> String {
        let mut text = String::new();
        self.add_text(&mut text);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// All text in it, as it stands.
    pub fn add_text(&self, text: &mut String) {
        text.push_str(&self.text);
        for child in self.children.iter().filter(|child| !child.name.starts_with('@')) {
            child.add_text(text);
        }
    }

    /// Whether one of its classes is `class`.
    pub fn has_class(&self, class: &str) -> bool {
        self.said("@class").split_whitespace().any(|one| one == class)
    }

    /// Every node in it, itself first, in the order of the text.
    pub fn walk<'n>(&'n self, visit: &mut dyn FnMut(&'n Node)) {
        visit(self);
        self.children.iter().for_each(|child| child.walk(visit));
    }

    /// The first node in it, itself included, that `is_meant`.
    pub fn find<'n>(&'n self, is_meant: &dyn Fn(&Node) -> bool) -> Option<&'n Node> {
        match is_meant(self) {
            true => Some(self),
            false => self.children.iter().find_map(|child| child.find(is_meant)),
        }
    }
}

/// Puts nodes together while a reader meets their beginnings and ends.
#[derive(Debug)]
pub struct Builder {
    open: Vec<Node>,
    /// How many nodes are open that were put into the last one.
    n_deeper: usize,
}

impl Builder {
    /// Nothing but a root without name.
    pub fn new() -> Builder {
        Builder { open: vec![Node { line: 1, last_line: 1, ..Node::default() }], n_deeper: 0 }
    }

    /// A node begins.
    pub fn open(&mut self, name: &str, line: u32) {
        match self.open.len() < MAX_DEPTH && self.n_deeper == 0 {
            true => {
                self.open.push(Node { name: name.into(), line, last_line: line, ..Node::default() })
            }
            false => self.n_deeper += 1,
        }
    }

    /// The node that began last ends.
    pub fn close(&mut self, line: u32) {
        if self.n_deeper > 0 {
            self.n_deeper -= 1;
            return;
        }
        if self.open.len() < 2 {
            return;
        }
        let Some(mut node) = self.open.pop() else { return };
        node.last_line = node.last_line.max(line).max(node.line);
        if let Some(outer) = self.open.last_mut() {
            outer.last_line = outer.last_line.max(node.last_line);
            outer.children.push(node);
        }
    }

    /// The open node has an attribute.
    pub fn attribute(&mut self, name: &str, value: &str, line: u32) {
        if self.n_deeper > 0 {
            return;
        }
        if let Some(node) = self.open.last_mut() {
            let name = format!("@{name}").into();
            let text = value.to_owned();
            node.children.push(Node { name, text, children: Vec::new(), line, last_line: line });
        }
    }

    /// Text in the open node.
    pub fn text(&mut self, text: &str, line: u32) {
        let Some(node) = self.open.last_mut() else { return };
        let is_first = node.children.iter().all(|child| child.name.starts_with('@'));
        match (is_first, node.children.last_mut()) {
            (true, _) => node.text.push_str(text),
            (false, Some(last)) if last.name == TEXT => last.text.push_str(text),
            (false, _) => node.children.push(Node {
                name: TEXT.into(),
                text: text.to_owned(),
                children: Vec::new(),
                line,
                last_line: line,
            }),
        }
    }

    /// The names of the open nodes, the innermost first; those too deep to be kept are not among them.
    pub fn above(&self) -> impl Iterator<Item = &str> {
        self.open.iter().skip(1).rev().map(|node| node.name.as_str())
    }

    /// Whether what is open now is too deep to be kept.
    pub fn is_deeper(&self) -> bool {
        self.n_deeper > 0
    }

    /// The root with all that was read; what is still open ends at `line`.
    pub fn finish(mut self, line: u32) -> Node {
        self.n_deeper = 0;
        while self.open.len() > 1 {
            self.close(line);
        }
        self.open.pop().unwrap_or_default()
    }
}

impl Default for Builder {
    fn default() -> Builder {
        Builder::new()
    }
}
