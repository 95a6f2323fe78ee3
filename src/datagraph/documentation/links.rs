//! What a link in a page leads to: the symbol that the section documents, at which it points.
//!
//! A link out of the sources leads nowhere. Anchors are made from titles as code hosts make them.

use super::places::Places;
use super::{SourceKind, SourceText, Symbol, chunks};
use crate::datagraph::Datagraph;
use crate::sources::pages::Page;
use crate::sources::pages::reading::ENDINGS;
use std::collections::BTreeMap;

/// A longer title makes no anchor, in bytes.
const MAX_TITLE: usize = 400;

/// The pages of an api and their anchors.
#[derive(Debug, Default)]
pub struct Links {
    /// By path: the whole page first, then its sections by their anchors.
    pages: BTreeMap<String, Anchors>,
}

#[derive(Debug, Default)]
struct Anchors {
    whole: Option<Symbol>,
    sections: BTreeMap<String, Symbol>,
}

impl Links {
    /// The links that may stand in `sources`.
    pub fn of(graph: &Datagraph, sources: &[SourceText], places: &Places) -> Links {
        let mut links = Links::default();
        for one in sources {
            let path = graph.sources.get(one.source as usize).map(|source| source.path.as_str());
            if let (SourceKind::Page(page), Some(path)) = (&one.kind, path) {
                links.pages.insert(path.to_string(), anchors(one.source, page, places));
            }
        }
        links
    }

    /// The symbol that `target`, written in the page at `from`, leads to.
    pub fn leads_to(&self, from: &str, target: &str) -> Option<&Symbol> {
        let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
        if path.contains(':') || path.starts_with("//") {
            return None;
        }
        let path = path.split('?').next().unwrap_or(path);
        let path = if path.is_empty() { from.to_string() } else { joined(from, path) };
        let endings = ENDINGS.iter().copied();
        let page = std::iter::once("")
            .chain(endings)
            .find_map(|ending| self.pages.get(&format!("{path}{ending}")))?;
        match anchor {
            "" => page.whole.as_ref(),
            anchor => page.sections.get(&anchor.to_lowercase()),
        }
    }
}

fn anchors(source: u32, page: &Page, places: &Places) -> Anchors {
    let mut anchors = Anchors::default();
    let mut n_times: BTreeMap<String, u32> = BTreeMap::new();
    for section in &page.sections {
        let title = section.title_text();
        let placed = places.within(source, section.line, section.line);
        let symbols = chunks::ordered(placed.iter(), &title);
        let symbol = chunks::subject(&symbols).cloned();
        if anchors.whole.is_none() {
            anchors.whole = symbol.clone().filter(|symbol| symbol.member.is_none());
        }
        if title.len() > MAX_TITLE {
            continue;
        }
        let slug = slug(&title);
        let n = n_times.entry(slug.clone()).or_default();
        let anchor = if *n == 0 { slug } else { format!("{slug}-{n}") };
        *n += 1;
        if let Some(symbol) = symbol {
            if !section.id.is_empty() {
                anchors.sections.entry(section.id.to_lowercase()).or_insert(symbol.clone());
            }
            anchors.sections.entry(anchor).or_insert(symbol);
        }
    }
    anchors
}

/// The anchor of a title: small letters, digits, `-` and `_`, and a hyphen for each blank.
fn slug(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The path that `path` means in the file `from`.
fn joined(from: &str, path: &str) -> String {
    let mut parts: Vec<&str> = match path.starts_with('/') {
        true => Vec::new(),
        false => from.split('/').collect(),
    };
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_spelt_as_code_hosts_spell_them() {
        assert_eq!(slug("win.setTitle(title[, x]) macOS"), "winsettitletitle-x-macos");
        assert_eq!(slug("Event: 'will-quit'"), "event-will-quit");
        assert_eq!(slug("Layout-makeBlock"), "layout-makeblock");
    }

    #[test]
    fn paths_are_taken_from_the_page() {
        assert_eq!(joined("a/guides/b.md", "../c.md"), "a/c.md");
        assert_eq!(joined("b.md", "./c.md"), "c.md");
        assert_eq!(joined("b.md", "../../c.md"), "c.md");
    }
}
