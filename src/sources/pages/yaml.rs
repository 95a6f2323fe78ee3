//! YAML to nodes.
//!
//! An alias stands for a short text, or for nothing: no document grows by what it repeats. What follows a mistake in the
//! text is lost, what stands before it is kept.

use super::Flaw;
use super::node::{Builder, Node};
use saphyr_parser::{Event, Parser};
use std::collections::BTreeMap;

/// The longest text that an alias may repeat, in bytes.
const MAX_REPEATED: usize = 200;

/// How many aliases are followed.
const MAX_ALIASES: usize = 10_000;

/// What waits in an open mapping or list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Frame {
    /// A list: each value is an item.
    List,
    /// A mapping before a key.
    Key,
    /// A mapping between a key and its value; the node of the key is open.
    Value,
    /// Inside of a key that is no text: nothing is kept of it.
    Odd,
}

/// The root of `text`, whose children are its documents' keys or items, and what is odd in it.
pub fn nodes(text: &str) -> (Node, Vec<Flaw>) {
    let mut reader = Reader {
        builder: Builder::new(),
        frames: Vec::new(),
        anchors: BTreeMap::new(),
        n_aliases: 0,
        flaws: Vec::new(),
        last_line: 1,
    };
    for event in Parser::new_from_str(text) {
        match event {
            Ok((event, span)) => {
                let line = number(span.start.line());
                // The end of a text that takes whole lines is the beginning of the next one.
                let end = number(span.end.line());
                let end = if span.end.col() == 0 && end > line { end - 1 } else { end };
                reader.take(event, line, end);
            }
            Err(why) => {
                let line = number(why.marker().line());
                reader.flaws.push(Flaw { line, what: "no YAML from here on" });
                break;
            }
        }
    }
    let last_line = reader.last_line;
    (reader.builder.finish(last_line), reader.flaws)
}

struct Reader {
    builder: Builder,
    frames: Vec<Frame>,
    /// Short texts by their anchors.
    anchors: BTreeMap<usize, String>,
    n_aliases: usize,
    flaws: Vec<Flaw>,
    last_line: u32,
}

impl Reader {
    fn take(&mut self, event: Event<'_>, line: u32, end: u32) {
        match event {
            Event::Scalar(text, _, anchor, _) => {
                if anchor > 0 && text.len() <= MAX_REPEATED {
                    self.anchors.insert(anchor, text.to_string());
                }
                self.scalar(&text, line, end);
            }
            Event::Alias(anchor) => {
                self.n_aliases += 1;
                let text = self.anchors.get(&anchor).cloned();
                if text.is_none() || self.n_aliases > MAX_ALIASES {
                    self.flaws.push(Flaw { line, what: "an alias that is not followed" });
                }
                self.scalar(&text.unwrap_or_default(), line, end);
            }
            Event::SequenceStart(..) => self.begin(Frame::List, line),
            Event::MappingStart(..) => self.begin(Frame::Key, line),
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            Event::DocumentStart(_)
            | Event::DocumentEnd
            | Event::StreamStart
            | Event::StreamEnd
            | Event::Nothing => {}
        }
    }

    fn scalar(&mut self, text: &str, line: u32, end: u32) {
        self.last_line = self.last_line.max(end);
        match self.frames.last_mut() {
            Some(frame @ Frame::Key) => {
                *frame = Frame::Value;
                self.builder.open(text, line);
            }
            Some(frame @ Frame::Value) => {
                *frame = Frame::Key;
                self.builder.text(text, line);
                self.builder.close(end);
            }
            Some(Frame::List) => {
                self.builder.open("", line);
                self.builder.text(text, line);
                self.builder.close(end);
            }
            Some(Frame::Odd) => {}
            None => self.builder.text(text, line),
        }
    }

    fn begin(&mut self, frame: Frame, line: u32) {
        let outer = self.frames.last().copied();
        let frame = match outer {
            Some(Frame::Odd | Frame::Key) => Frame::Odd,
            Some(Frame::List | Frame::Value) | None => frame,
        };
        if outer == Some(Frame::List) {
            self.builder.open("", line);
        }
        self.frames.push(frame);
    }

    fn end(&mut self) {
        let Some(ended) = self.frames.pop() else { return };
        match self.frames.last_mut() {
            // The key was no text: its value has no name.
            Some(outer @ Frame::Key) if ended == Frame::Odd => {
                *outer = Frame::Value;
                self.builder.open("", self.last_line);
            }
            Some(outer @ Frame::Value) => {
                *outer = Frame::Key;
                self.builder.close(self.last_line);
            }
            Some(Frame::List) => self.builder.close(self.last_line),
            Some(Frame::Odd | Frame::Key) | None => {}
        }
    }
}

fn number(line: usize) -> u32 {
    crate::base::to_u32(line).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_items_and_lines() {
        let text = "name: Box\nsummary: >-\n  one\n  two\nmethods:\n  - name: &n open\n    end: *n\n  - close\n? [a]\n: odd\n";
        let (root, flaws) = nodes(text);
        assert_eq!(flaws, []);
        assert_eq!(root.said("name"), "Box");
        let summary = root.child("summary").unwrap();
        assert_eq!((summary.text.as_str(), summary.line, summary.last_line), ("one two", 2, 4));
        let items: Vec<&Node> = root.items("methods").collect();
        assert_eq!(
            (items[0].said("name"), items[0].said("end"), items[0].line),
            ("open", "open", 6)
        );
        assert_eq!((items[0].last_line, items[1].text.as_str()), (7, "close"));
        assert_eq!(root.children.last().unwrap().text, "odd");
    }

    #[test]
    fn no_text_grows_and_no_depth_costs_more() {
        let mut bomb = "a: &a [x, x, x]\n".to_owned();
        for n in 0..30 {
            let (this, last) =
                (format!("k{n}"), if n == 0 { "a".to_owned() } else { format!("k{}", n - 1) });
            bomb.push_str(&format!("{this}: &{this} [*{last}, *{last}, *{last}]\n"));
        }
        let (root, flaws) = nodes(&bomb);
        assert_eq!(root.children.len(), 31);
        assert_eq!(flaws.len(), 90);
        let deep: String = (0..3_000).map(|n| format!("{}a:\n", " ".repeat(n))).collect();
        let _ = nodes(&deep);
        let _ = nodes(&"- ".repeat(50_000));
        let (root, flaws) = nodes(&"[".repeat(100_000));
        assert!(root.children.is_empty() && !flaws.is_empty());
        let (root, flaws) = nodes("name: A\nodd: \"\n\tx: [\n");
        assert_eq!((root.said("name"), flaws.len()), ("A", 1));
    }
}
