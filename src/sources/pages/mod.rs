//! Documentation pages as plain records: sections under their headings, with paragraphs, lists, fences and tables.
//!
//! Every text gives a page; what is odd in it is a flaw with its line. Nothing here knows what a section documents.

pub mod node;
pub mod yaml;
pub mod json;
pub mod xml;
pub mod html;
pub mod elements;
pub mod markdown;
pub mod records;
pub mod reading;

use crate::base::{Name, Span};
use node::Node;
use std::sync::Arc;

/// A page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// Its sections in the order of the page; what stands before the first heading is one of level 0.
    pub sections: Vec<Section>,
    /// What is odd in it.
    pub flaws: Vec<Flaw>,
    /// How it is quoted.
    pub form: Form,
    /// What a structured page holds; none for Markdown.
    pub root: Option<Box<Node>>,
    /// What stands before the text of a page, as keys: its front matter.
    pub front: Option<Box<Node>>,
    /// The steps that lead to it on its site, outermost first.
    pub steps: Vec<Name>,
}

/// How a page is quoted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Form {
    /// As it stands in its file.
    #[default]
    Text,
    /// By what it says: the marks around it would hide that.
    Marked,
    /// Likewise; it holds records and no headings.
    Records,
}

/// A heading and what stands under it, up to the next heading of any level.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Section {
    /// 1 to 6; 0 before the first heading.
    pub level: u8,
    /// The title, run by run.
    pub title: Vec<Run>,
    /// The section that it is inside of.
    pub parent: Option<u32>,
    /// From its heading to the next.
    pub span: Span,
    /// The line of its heading, from 1.
    pub line: u32,
    /// Its last line.
    pub last_line: u32,
    /// What stands in it.
    pub blocks: Vec<Block>,
    /// What a link to it is written as, where the page says so; else empty.
    pub id: Name,
}

/// A part of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// A paragraph, also one in a quotation.
    Paragraph(Paragraph),
    /// A list.
    List(Vec<Item>),
    /// Code set apart.
    Fence(Fence),
    /// A table; the first row is its head.
    Table(Table),
}

/// Running text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Paragraph {
    /// Its text, run by run; a line's end is a space.
    pub runs: Vec<Run>,
    /// Its first line, from 1.
    pub line: u32,
}

/// An item of a list, with the items below it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Item {
    /// Its text, run by run.
    pub runs: Vec<Run>,
    /// Its first line, from 1.
    pub line: u32,
    /// The items of the lists in it.
    pub items: Vec<Item>,
}

/// Code set apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fence {
    /// The word behind the fence, maybe empty.
    pub language: String,
    /// The code.
    pub code: String,
    /// The fence's first line, from 1.
    pub line: u32,
}

/// A table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// Its rows with the text of their cells; the first is the head.
    pub rows: Vec<Vec<String>>,
    /// Its first line, from 1.
    pub line: u32,
}

/// A stretch of text in one face.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The text.
    pub text: String,
    /// How it is set.
    pub face: Face,
    /// Where it leads.
    pub link: Option<Arc<str>>,
}

/// How a run is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Face {
    /// As the text around it.
    Plain,
    /// As code.
    Code,
    /// With stress.
    Stressed,
}

/// Something odd in a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// From 1.
    pub line: u32,
    /// What it is.
    pub what: &'static str,
}

/// The text of `runs`, without their faces.
pub fn text_of(runs: &[Run]) -> String {
    runs.iter().map(|run| run.text.as_str()).collect()
}

/// Ends each section where the next one begins, the last one at `last`.
fn close_sections(sections: &mut [Section], last: u32) {
    let mut next = last.saturating_add(1);
    for section in sections.iter_mut().rev() {
        section.last_line = next.saturating_sub(1).max(section.line);
        next = section.line;
    }
}

impl Page {
    /// Gives the whole page a title where no heading of it is one.
    fn entitle(&mut self, title: &str) {
        let has_own = self.sections.iter().any(|section| section.level == 1);
        let Some(first) = self.sections.first_mut().filter(|first| first.level == 0) else {
            return;
        };
        if has_own || title.is_empty() || !first.title.is_empty() {
            return;
        }
        first.title = vec![Run { text: title.to_owned(), face: Face::Plain, link: None }];
        for section in self.sections.iter_mut().skip(1).filter(|one| one.parent.is_none()) {
            section.parent = Some(0);
        }
    }

    /// The titles that lead to the section at `idx`, from the outermost to its own.
    pub fn path(&self, idx: usize) -> Vec<String> {
        let mut titles = Vec::new();
        let mut at = Some(idx);
        while let Some(section) = at.and_then(|at| self.sections.get(at)) {
            titles.push(text_of(&section.title));
            at = section.parent.map(|p| p as usize);
        }
        titles.reverse();
        titles
    }
}

impl Section {
    /// Its title's text.
    pub fn title_text(&self) -> String {
        text_of(&self.title).trim().to_string()
    }

    /// Its paragraphs.
    pub fn paragraphs(&self) -> impl Iterator<Item = &Paragraph> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Paragraph(paragraph) => Some(paragraph),
            Block::List(_) | Block::Fence(_) | Block::Table(_) => None,
        })
    }

    /// Its fences.
    pub fn fences(&self) -> impl Iterator<Item = &Fence> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Fence(fence) => Some(fence),
            Block::Paragraph(_) | Block::List(_) | Block::Table(_) => None,
        })
    }
}
