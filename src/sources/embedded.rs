//! Scripts inside of other files: `<script>` in HTML, Vue and Svelte, and fenced code in Markdown.
//!
//! A block keeps the length and the lines of its file: all that is not script is blank, so that every place in a block is
//! the same place in the file. Elements are looked for as browsers do it, and in time that grows with the file.

use super::pages::markdown::fences;
use super::script::Language;
use std::ops::Range;

/// How a file that holds scripts is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Markup {
    /// HTML: scripts share what they declare, modules do not.
    Html,
    /// A component whose scripts are one module (Vue, Svelte).
    Component,
    /// Markdown: each piece of code is a script of its own.
    Markdown,
}

/// One script of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The file's text, blank where it is not this script.
    pub text: String,
    /// What it is written in.
    pub language: Language,
}

impl Markup {
    /// How a file is written, by its name's ending.
    pub fn of_path(path: &str) -> Option<Markup> {
        let (_, ending) = path.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "html" | "htm" | "xhtml" => Some(Markup::Html),
            "vue" | "svelte" => Some(Markup::Component),
            "md" | "markdown" | "mdx" => Some(Markup::Markdown),
            _ => None,
        }
    }

    /// The scripts of a file, in the order in which they begin.
    pub fn blocks(self, text: &str) -> Vec<Block> {
        let pieces = match self {
            Markup::Html => classic_first(elements(text, self)),
            Markup::Component => in_one(elements(text, self)),
            Markup::Markdown => fences(text)
                .into_iter()
                .filter_map(|(word, ranges)| Some((language_of_fence(&word)?, ranges)))
                .collect(),
        };
        let parts = if self == Markup::Markdown { Parts::Lines } else { Parts::Programs };
        pieces
            .into_iter()
            .map(|(language, ranges)| Block { text: blank_but(text, &ranges, parts), language })
            .collect()
    }
}

/// Elements in which everything is text, and how they end.
const RAW: [(&str, &str); 3] =
    [("<style", "</style"), ("<title", "</title"), ("<textarea", "</textarea")];

type Piece = (Language, Vec<Range<usize>>);

/// A `<script>` element.
struct Element {
    language: Language,
    scope: Scope,
    inner: Range<usize>,
}

#[derive(PartialEq, Eq)]
enum Scope {
    /// What it declares is there for the scripts behind it.
    Shared,
    /// What it declares is its own.
    Module,
}

/// Scripts that share what they declare are one piece, at the place of the first.
fn classic_first(elements: Vec<Element>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut shared: Option<usize> = None;
    for Element { language, scope, inner } in elements {
        match (scope, shared) {
            (Scope::Shared, Some(at)) => {
                pieces[at].0 = wider(pieces[at].0, language);
                pieces[at].1.push(inner);
            }
            (Scope::Shared, None) => {
                shared = Some(pieces.len());
                pieces.push((language, vec![inner]));
            }
            (Scope::Module, _) => pieces.push((language, vec![inner])),
        }
    }
    pieces
}

fn in_one(elements: Vec<Element>) -> Vec<Piece> {
    let language = elements.iter().map(|e| e.language).reduce(wider);
    let ranges = elements.into_iter().map(|e| e.inner).collect();
    language.map(|language| (language, ranges)).into_iter().collect()
}

/// The language that reads both.
fn wider(a: Language, b: Language) -> Language {
    match (a, b) {
        (Language::JavaScript, Language::JavaScript) => Language::JavaScript,
        (Language::Tsx, _) | (_, Language::Tsx) => Language::Tsx,
        (Language::TypeScript, _) | (_, Language::TypeScript) => Language::TypeScript,
    }
}

fn elements(text: &str, markup: Markup) -> Vec<Element> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find('<').map(|n| at + n) {
        let rest = &text[open..];
        at = open + 1;
        if let Some(inside) = rest.strip_prefix("<!--") {
            at = inside.find("-->").map_or(text.len(), |n| open + 4 + n + 3);
        } else if let Some(inside) = rest.strip_prefix("<?") {
            // Another program's text, such as PHP's.
            at = inside.find("?>").map_or(text.len(), |n| open + 2 + n + 2);
        } else if let Some((tag, closing)) = RAW.iter().find(|(tag, _)| opens(rest, tag)) {
            at = closer(text, open + tag.len(), closing).unwrap_or(text.len());
        } else if !opens(rest, "<script")
            && rest[1..].starts_with(|c: char| c.is_ascii_alphabetic())
        {
            // What stands in an attribute is no element.
            at = tag(text, open + 1).map_or(open + 1, |(_, behind)| behind);
        } else if opens(rest, "<script") {
            let Some((attributes, behind)) = tag(text, open + "<script".len()) else { break };
            at = behind;
            if markup == Markup::Component && text[..behind].ends_with("/>") {
                continue;
            }
            let end = closer(text, behind, "</script").unwrap_or(text.len());
            at = end;
            let has_source = attributes.iter().any(|(name, _)| name == "src");
            if let (Some((language, scope)), false) = (language_of(&attributes), has_source) {
                found.push(Element { language, scope, inner: behind..end });
            }
        }
    }
    found
}

/// Whether `rest` begins with this tag's name, in any case of letters.
fn opens(rest: &str, tag: &str) -> bool {
    let Some(head) = rest.get(..tag.len()) else { return false };
    head.eq_ignore_ascii_case(tag)
        && rest[tag.len()..]
            .starts_with(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>'))
}

/// Where the closing tag begins.
fn closer(text: &str, from: usize, tag: &str) -> Option<usize> {
    let mut at = from;
    while let Some(open) = text[at..].find("</").map(|n| at + n) {
        if opens(&text[open..], tag) {
            return Some(open);
        }
        at = open + 2;
    }
    None
}

/// The attributes of a tag, names in small letters, and the place behind its `>`.
fn tag(text: &str, from: usize) -> Option<(Vec<(String, String)>, usize)> {
    let bytes = text.as_bytes();
    let (mut attributes, mut at) = (Vec::new(), from);
    loop {
        match bytes.get(at)? {
            b'>' => return Some((attributes, at + 1)),
            b'/' | b'=' => at += 1,
            b if b.is_ascii_whitespace() => at += 1,
            _ => {
                let end = at + end_of(&bytes[at..], b"=>/");
                let name = text.get(at..end)?.to_ascii_lowercase();
                let equals = end + spaces(&bytes[end..]);
                if bytes.get(equals) != Some(&b'=') {
                    attributes.push((name, String::new()));
                    at = end;
                    continue;
                }
                let start = equals + 1 + spaces(&bytes[equals + 1..]);
                let (value, behind) = match bytes.get(start)? {
                    quote @ (b'"' | b'\'') => {
                        let n = bytes[start + 1..].iter().position(|b| b == quote)?;
                        (start + 1..start + 1 + n, start + n + 2)
                    }
                    _ => {
                        let n = end_of(&bytes[start..], b">");
                        (start..start + n, start + n)
                    }
                };
                attributes.push((name, text.get(value)?.to_owned()));
                at = behind;
            }
        }
    }
}

fn spaces(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|b| b.is_ascii_whitespace()).count()
}

/// How many bytes there are before a space or one of `ends`.
fn end_of(bytes: &[u8], ends: &[u8]) -> usize {
    let is_end = |b: &u8| b.is_ascii_whitespace() || ends.contains(b);
    bytes.iter().position(is_end).unwrap_or(bytes.len())
}

/// What a script is written in; none where it is no script (`application/json`, a template).
fn language_of(attributes: &[(String, String)]) -> Option<(Language, Scope)> {
    let said = |name: &str| {
        let found = attributes.iter().find(|(n, _)| n == name);
        found.map_or(String::new(), |(_, value)| value.trim().to_ascii_lowercase())
    };
    let kind = said("type");
    let kind = kind.split(';').next().unwrap_or("").trim_end();
    let scope = if kind == "module" { Scope::Module } else { Scope::Shared };
    let by_type = match kind {
        ""
        | "module"
        | "text/javascript"
        | "application/javascript"
        | "text/ecmascript"
        | "application/ecmascript"
        | "application/x-javascript"
        | "text/babel"
        | "text/jsx"
        | "jsx" => Language::JavaScript,
        "text/typescript" | "application/typescript" | "ts" => Language::TypeScript,
        _ => return None,
    };
    let by_lang = match said("lang").as_str() {
        "" | "js" | "javascript" | "jsx" | "babel" => Language::JavaScript,
        "ts" | "typescript" => Language::TypeScript,
        "tsx" => Language::Tsx,
        _ => return None,
    };
    Some((wider(by_type, by_lang), scope))
}

/// What a fence's word says; none where it is another language.
fn language_of_fence(word: &str) -> Option<Language> {
    let word = word.split([' ', ',', '{', ':']).next().unwrap_or("").to_ascii_lowercase();
    match word.as_str() {
        "js" | "javascript" | "mjs" | "cjs" | "jsx" | "node" => Some(Language::JavaScript),
        "ts" | "typescript" | "mts" | "cts" => Some(Language::TypeScript),
        "tsx" => Some(Language::Tsx),
        _ => None,
    }
}

/// What the ranges of a piece are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parts {
    /// Lines of one script.
    Lines,
    /// Scripts that share what they declare, but no statement.
    Programs,
}

/// `text` with spaces for every byte outside of `ranges`, except where a line ends. Behind a program stands a semicolon, in the
/// place where its closing tag begins.
fn blank_but(text: &str, ranges: &[Range<usize>], parts: Parts) -> String {
    let mut blank = String::with_capacity(text.len());
    let mut at = 0;
    let pad = |blank: &mut String, part: &str| {
        for letter in part.chars() {
            match letter {
                '\n' | '\r' => blank.push(letter),
                other => blank.extend(std::iter::repeat_n(' ', other.len_utf8())),
            }
        }
    };
    for range in ranges {
        pad(&mut blank, &text[at..range.start]);
        blank.push_str(&text[range.clone()]);
        at = range.end;
        if parts == Parts::Programs && text[at..].starts_with('<') {
            blank.push(';');
            at += 1;
        }
    }
    pad(&mut blank, &text[at..]);
    blank
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The blocks of a text, without what is blank.
    fn read(markup: Markup, text: &str) -> Vec<(Language, String)> {
        let blocks = markup.blocks(text);
        for block in &blocks {
            assert_eq!(block.text.len(), text.len());
            assert_eq!(block.text.matches('\n').count(), text.matches('\n').count());
        }
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        blocks.iter().map(|b| (b.language, words(&b.text))).collect()
    }

    #[test]
    fn scripts_of_a_page_share_one_block_and_modules_have_their_own() {
        let text = "<p>é <SCRIPT>a()</SCRIPT>\n<script type='module'>b()</script>\n\
                    <script type=\"text/javascript\" defer>c()</script >";
        let js = Language::JavaScript;
        let expected = [(js, "a(); c();".to_owned()), (js, "b();".to_owned())];
        assert_eq!(read(Markup::Html, text), expected);
        let at = text.find("a()").unwrap();
        assert_eq!(Markup::Html.blocks(text)[0].text.find("a()"), Some(at));
    }

    #[test]
    fn what_is_no_script_is_left_out() {
        for text in [
            "<script type=\"application/json\">{\"a\": 1}</script>",
            "<script type=\"text/template\"><b></script>",
            "<script src=\"x.js\">ignored()</script>",
            "<!-- <script>a()</script> -->",
            "<style>/* <script>a()</script> */</style>",
            "<scripty>a()</scripty>",
            "<p title=\"<script>a()</script>\" x>",
            "<title>of <script>a()</script></title><textarea><script>b()</script></textarea>",
            "<?php $a = \"<script>a()</script>\"; ?>",
            "<script lang=\"coffee\">a()</script>",
            "",
        ] {
            assert_eq!(read(Markup::Html, text), [], "{text}");
        }
    }

    #[test]
    fn the_scripts_of_a_component_are_one_module_in_the_wider_language() {
        let text = "<script src=\"./a.ts\" />\n<script lang=\"ts\">import a from 'a'</script>\n\
                    <template><b @click=\"x > 1\"/></template>\n<script setup>a.b()</script>";
        let expected = [(Language::TypeScript, "import a from 'a'; a.b();".to_owned())];
        assert_eq!(read(Markup::Component, text), expected);
    }

    #[test]
    fn each_fence_is_a_script_of_its_own() {
        let text = "# T\n\n```js {1,2}\na()\n```\n\n- x\n\n  ~~~~ts\n  b()\n  c()\n  ~~~~\n\n```sh\nls\n```\n\n```\nd()\n```\n\n> ```jsx\n> e()\n> ```\n";
        let expected = [
            (Language::JavaScript, "a()".to_owned()),
            (Language::TypeScript, "b() c()".to_owned()),
            (Language::JavaScript, "e()".to_owned()),
        ];
        assert_eq!(read(Markup::Markdown, text), expected);
    }

    #[test]
    fn odd_markup_costs_no_more_than_its_length() {
        for piece in [
            "<script ",
            "<script a='",
            "<script>",
            "</",
            "<!--",
            "<style>",
            "<",
            "<script a=b ",
            "```js\n",
        ] {
            let text = piece.repeat(200_000 / piece.len());
            for markup in [Markup::Html, Markup::Component, Markup::Markdown] {
                for block in markup.blocks(&text) {
                    assert_eq!(block.text.len(), text.len());
                }
            }
        }
    }
}
