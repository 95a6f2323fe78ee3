//! A file to a page, by how its name ends.

use super::{Face, Flaw, Form, Page, Section, elements, html, json, markdown, records, xml, yaml};
use crate::base::{Lines, Span, to_u32};

/// The endings of files that are read as pages.
pub const ENDINGS: [&str; 10] = [
    ".md",
    ".markdown",
    ".mdx",
    ".html",
    ".htm",
    ".xml",
    ".yml",
    ".yaml",
    ".json",
    "llms-full.txt",
];

/// Whether a file of that path can be read as a page.
pub fn is_page(path: &str) -> bool {
    ENDINGS.iter().any(|ending| path.ends_with(ending))
}

/// The page that `bytes` spell in the file at `path`; what is not UTF-8 is replaced and said.
pub fn page(path: &str, bytes: &[u8]) -> Page {
    let text = String::from_utf8_lossy(bytes);
    let mut page = of_text(path, &text);
    if let Err(why) = std::str::from_utf8(bytes) {
        let line = Lines::of(&text).line(to_u32(why.valid_up_to()));
        page.flaws.push(Flaw { line, what: "bytes that are not UTF-8" });
    }
    page
}

/// Reads a page whose bytes were decoded.
pub fn of_text(path: &str, text: &str) -> Page {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match path.rsplit('.').next().unwrap_or("") {
        "html" | "htm" => of_html(text),
        "xml" => of_records(text, xml::nodes(text)),
        "yml" | "yaml" => of_records(text, yaml::nodes(text)),
        "json" => of_records(text, json::nodes(text)),
        "mdx" => without_code(markdown::of_text(text)),
        _ => markdown::of_text(text),
    }
}

fn of_records(text: &str, (root, flaws): (super::node::Node, Vec<Flaw>)) -> Page {
    let lines = Lines::of(text);
    let sections = records::sections(&root, to_u32(lines.n_lines()));
    let mut page = Page {
        sections,
        flaws,
        form: Form::Records,
        root: Some(Box::new(root)),
        ..Page::default()
    };
    place(&mut page.sections, &lines, text);
    page
}

fn of_html(text: &str) -> Page {
    let lines = Lines::of(text);
    let document = html::document(text);
    // Where the page says what its text is, the rest is its site's.
    let is_main = |node: &super::node::Node| node.name == "main" || node.said("@role") == "main";
    let text_of = document.root.find(&is_main).unwrap_or(&document.root);
    let mut sections = elements::sections(text_of, to_u32(lines.n_lines()));
    place(&mut sections, &lines, text);
    let root = Box::new(text_of.clone());
    let mut page = Page {
        sections,
        form: Form::Marked,
        root: Some(root),
        steps: document.steps.into_iter().filter(|step| !step.is_empty()).collect(),
        ..Page::default()
    };
    page.entitle(&document.title);
    if let Some(first) = page.sections.first()
        && first.blocks.is_empty()
        && first.title.is_empty()
        && page.sections.len() > 1
    {
        page.sections.remove(0);
        for section in &mut page.sections {
            section.parent = section.parent.map(|p| p.saturating_sub(1));
        }
    }
    page
}

/// Gives each section the bytes of its lines.
fn place(sections: &mut [Section], lines: &Lines, text: &str) {
    for section in sections {
        let start = lines.start(text, section.line);
        section.span = Span::new(start, lines.start(text, section.last_line.saturating_add(1)));
    }
}

/// A page of MDX without what is code around its prose: imports, exports and expressions.
fn without_code(mut page: Page) -> Page {
    for section in &mut page.sections {
        section.blocks.retain(|block| match block {
            super::Block::Paragraph(one) => {
                let first = one
                    .runs
                    .first()
                    .map_or("", |run| if run.face == Face::Plain { &run.text } else { "" });
                let imports = first.starts_with("import ")
                    && (first.contains(" from ") || first.contains(['"', '\'']));
                !(imports
                    || first.starts_with("export ")
                    || (first.starts_with('{') && first.ends_with('}')))
            }
            super::Block::List(_) | super::Block::Fence(_) | super::Block::Table(_) => true,
        });
    }
    page
}
