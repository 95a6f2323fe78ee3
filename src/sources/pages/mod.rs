//! Documentation pages as plain records: sections under their headings, with paragraphs, lists, fences and tables.
//!
//! Every text gives a page; what is odd in it is a flaw with its line. Nothing here knows what a section documents.

pub mod markdown;

use crate::base::Span;
use std::sync::Arc;

/// The endings of pages that are read.
pub const ENDINGS: [&str; 2] = [".md", ".markdown"];

/// A page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// Its sections in the order of the page; what stands before the first heading is one of level 0.
    pub sections: Vec<Section>,
    /// What is odd in it.
    pub flaws: Vec<Flaw>,
}

/// A heading and what stands under it, up to the next heading of any level.
#[derive(Debug, Clone, PartialEq, Eq)]
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

impl Page {
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
