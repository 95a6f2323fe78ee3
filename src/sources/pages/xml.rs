//! XML to nodes.
//!
//! Nothing is fetched and nothing is defined: a document type is skipped, and of the entities only the five that every
//! document has, and numbers of characters, stand for something. What follows a mistake in the text is lost.

use super::Flaw;
use super::node::{Builder, Node};
use crate::base::{Lines, to_u32};
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

/// How many attributes of an element are kept.
const MAX_ATTRIBUTES: usize = 64;

/// The root of `text`, whose children are its elements, and what is odd in it.
pub fn nodes(text: &str) -> (Node, Vec<Flaw>) {
    let lines = Lines::of(text);
    let line_at = |at: u64| lines.line(u32::try_from(at).unwrap_or(u32::MAX));
    let mut reader = Reader::from_str(text);
    reader.config_mut().allow_dangling_amp = true;
    reader.config_mut().allow_unmatched_ends = true;
    reader.config_mut().check_end_names = false;
    let mut builder = Builder::new();
    let mut flaws = Vec::new();
    loop {
        let line = line_at(reader.buffer_position());
        match reader.read_event() {
            Ok(Event::Start(tag)) => open(&mut builder, &tag, line),
            Ok(Event::Empty(tag)) => {
                open(&mut builder, &tag, line);
                builder.close(line_at(reader.buffer_position().saturating_sub(1)));
            }
            Ok(Event::End(_)) => builder.close(line),
            Ok(Event::Text(said)) => builder.text(&said.xml_content(XmlVersion::Implicit1_0), line),
            Ok(Event::CData(said)) => {
                builder.text(&said.xml_content(XmlVersion::Implicit1_0), line)
            }
            Ok(Event::GeneralRef(named)) => match named.resolve_char_ref() {
                Ok(Some(letter)) => builder.text(letter.encode_utf8(&mut [0; 4]), line),
                Ok(None) | Err(_) => match meant(&named) {
                    Some(said) => builder.text(said, line),
                    None => flaws.push(Flaw { line, what: "an entity that stands for nothing" }),
                },
            },
            Ok(Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_)) => {}
            Ok(Event::Eof) => break,
            Err(_) => {
                flaws.push(Flaw { line, what: "no XML from here on" });
                break;
            }
        }
    }
    let last = lines.line(to_u32(text.len().saturating_sub(1)));
    (builder.finish(last), flaws)
}

fn open(builder: &mut Builder, tag: &BytesStart<'_>, line: u32) {
    builder.open(tag.name().0, line);
    for attribute in tag.attributes().with_checks(false).flatten().take(MAX_ATTRIBUTES) {
        let value = quick_xml::escape::unescape(&attribute.value)
            .unwrap_or_else(|_| attribute.value.as_ref().into());
        builder.attribute(attribute.key.0, &value, line);
    }
}

/// What one of the five entities stands for.
fn meant(name: &str) -> Option<&'static str> {
    Some(match name {
        "lt" => "<",
        "gt" => ">",
        "amp" => "&",
        "quot" => "\"",
        "apos" => "'",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_attributes_and_lines() {
        let text = "<?xml version=\"1.0\"?>\n<class name=\"A&amp;B\">\n <m n='1'/>\n <d>one <code>x&lt;y</code> &#65;<![CDATA[<raw>]]></d>\n</class>\n";
        let (root, flaws) = nodes(text);
        assert_eq!(flaws, []);
        let class = root.child("class").unwrap();
        assert_eq!((class.said("@name"), class.line, class.last_line), ("A&B", 2, 5));
        assert_eq!(class.child("m").map(|m| (m.said("@n"), m.line)), Some(("1", 3)));
        assert_eq!(class.child("d").unwrap().whole_text(), "one x<y A<raw>");
    }

    #[test]
    fn nothing_is_expanded_fetched_or_followed() {
        let bomb = "<!DOCTYPE a [<!ENTITY a \"xxxxxxxx\"><!ENTITY b \"&a;&a;&a;\"><!ENTITY c SYSTEM \"file:///etc/passwd\">]>\n<a>&b;&c;ok</a>";
        let (root, flaws) = nodes(bomb);
        assert_eq!((root.said("a"), flaws.len()), ("ok", 2));
        for odd in [
            "<a>".repeat(200_000),
            "</a>".repeat(1_000),
            "<a b='".to_owned(),
            "<a &&& <".to_owned(),
        ] {
            let _ = nodes(&odd);
        }
        let many: String = (0..100_000).map(|n| format!(" a{n}='x'")).collect();
        let (root, _) = nodes(&format!("<a{many}/>"));
        assert_eq!(root.child("a").unwrap().children.len(), MAX_ATTRIBUTES);
    }
}
