//! Characters that hide themselves or others are shown: as `\u{…}`, never passed on and never dropped in silence.
//!
//! Everything that leaves goes through [`visible`] once: an answer where it is made into a reply, a refusal where it is
//! written to the wire, a line where it is printed. What is already visible stays as it is, byte for byte.

use serde_json::Value;
use std::fmt::{self, Write};

/// So many marks may stand on one character; scripts need three.
const MOST_MARKS: usize = 4;

/// `text` with everything that cannot be seen, or that turns what is seen around, as `\u{…}`; line ends and tabs stay.
pub fn visible(text: &str) -> String {
    shown(text, |shown, c| write!(shown, "\\u{{{:x}}}", u32::from(c)))
}

/// Data as JSON text, in which the same is shown as JSON escapes it: whoever reads it has the data as they are.
pub fn visible_json(value: &Value) -> String {
    // What JSON itself is written in is plain; all else stands in a text.
    shown(&value.to_string(), |shown, c| {
        c.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(shown, "\\u{unit:04x}"))
    })
}

fn shown(text: &str, escape: impl Fn(&mut String, char) -> fmt::Result) -> String {
    let is_plain = |b: u8| matches!(b, b' '..=b'~' | b'\n' | b'\t');
    if text.bytes().all(is_plain) {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len() + 16);
    // What a variation selector may follow, and how many marks stand on it.
    let (mut varies, mut n_marks) = (false, 0);
    let mut rest = text;
    while !rest.is_empty() {
        let n_plain = rest.bytes().take_while(|b| is_plain(*b)).count();
        let (plain, others) = rest.split_at(n_plain);
        if let Some(last) = plain.chars().next_back() {
            shown.push_str(plain);
            (varies, n_marks) = (is_varied(last), 0);
        }
        let mut chars = others.chars();
        let Some(c) = chars.next() else { break };
        rest = chars.as_str();
        let is_seen = if is_selector(c) {
            std::mem::take(&mut varies)
        } else if hides(c) {
            (varies, n_marks) = (false, 0);
            false
        } else if is_mark(c) {
            varies = false;
            n_marks += 1;
            n_marks <= MOST_MARKS
        } else {
            (varies, n_marks) = (is_varied(c), 0);
            true
        };
        match is_seen {
            true => shown.push(c),
            false => escape(&mut shown, c).expect("writing to a string cannot fail"),
        }
    }
    shown
}

/// Data with every text and every name in it [`visible`].
pub fn visible_value(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(visible(&text)),
        Value::Array(entries) => entries.into_iter().map(visible_value).collect(),
        Value::Object(fields) => {
            let shown = |(name, value): (String, Value)| (visible(&name), visible_value(value));
            Value::Object(fields.into_iter().map(shown).collect())
        }
        other @ (Value::Null | Value::Bool(_) | Value::Number(_)) => other,
    }
}

/// Whether a character hides itself or others: controls, bidirectional overrides, zero widths, tags, fillers.
fn hides(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        c if c.is_control() => true,
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{1d173}'..='\u{1d17a}'
        // Tags and the many selectors behind them: each could carry a byte that nobody sees.
        | '\u{e0000}'..='\u{e0fff}' => true,
        _ => false,
    }
}

/// Whether a character chooses the form of the one before it, such as text or emoji.
fn is_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}')
}

/// Whether a character has several forms to choose from; letters of code have not.
fn is_varied(c: char) -> bool {
    !c.is_ascii() || c.is_ascii_digit() || matches!(c, '#' | '*')
}

/// Whether a character stands on the one before it. The standard library knows: such a character, and one that has no
/// picture, is escaped where it stands first, and only the latter behind another.
fn is_mark(c: char) -> bool {
    if c < '\u{300}' || c.escape_debug().len() == 1 {
        return false;
    }
    let mut behind = [b'x'; 5];
    let n_bytes = c.encode_utf8(&mut behind[1..]).len();
    std::str::from_utf8(&behind[..=n_bytes]).is_ok_and(|text| text.escape_debug().count() == 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    /// What must not leave, as the rule lists it; a mark is meant where it is the fifth or later on one character.
    fn is_forbidden(c: char) -> bool {
        (u32::from(c) < 0x20 && c != '\n' && c != '\t')
            || matches!(c,
                '\u{7f}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
                | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
                | '\u{3164}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{fff9}'..='\u{fffb}')
    }

    fn is_latin_mark(c: char) -> bool {
        matches!(c, '\u{300}'..='\u{36f}')
    }

    /// Plain text, and all that is forbidden among it.
    fn hostile() -> impl Strategy<Value = String> {
        let odd = prop_oneof![
            3 => "[ -~\n\t]".prop_map(|s| s.chars().next().unwrap_or(' ')),
            2 => any::<char>(),
            2 => proptest::char::range('\u{0}', '\u{9f}'),
            2 => proptest::char::range('\u{2000}', '\u{206f}'),
            3 => proptest::char::range('\u{300}', '\u{36f}'),
            2 => proptest::char::range('\u{fe00}', '\u{fe0f}'),
            1 => proptest::char::range('\u{e0000}', '\u{e01ef}'),
            1 => proptest::char::range('\u{fff0}', '\u{ffff}'),
            1 => prop_oneof![Just('\u{3164}'), Just('\u{115f}'), Just('\u{17b4}'), Just('\u{feff}')],
        ];
        proptest::collection::vec(odd, 0..60).prop_map(|chars| chars.into_iter().collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

        #[test]
        fn nothing_forbidden_survives(text in hostile()) {
            let shown = visible(&text);
            prop_assert!(!shown.contains(is_forbidden), "{shown:?}");
            let (mut n_marks, mut before) = (0, ' ');
            for c in shown.chars() {
                n_marks = if is_latin_mark(c) { n_marks + 1 } else { 0 };
                prop_assert!(n_marks <= 4, "{shown:?}");
                prop_assert!(!is_selector(c) || !is_selector(before), "{shown:?}");
                before = c;
            }
        }

        #[test]
        fn what_is_visible_stays_as_it_is(text in hostile()) {
            let shown = visible(&text);
            prop_assert_eq!(visible(&shown), shown);
        }

        #[test]
        fn nothing_is_dropped(text in hostile()) {
            let mut rest = visible(&text);
            for c in text.chars() {
                let escaped = format!("\\u{{{:x}}}", u32::from(c));
                let own = if rest.starts_with(c) { c.to_string() } else { escaped };
                prop_assert!(rest.starts_with(&own), "{rest:?} has lost {c:?}");
                rest.drain(..own.len());
            }
            prop_assert_eq!(rest, "");
        }

        #[test]
        fn plain_text_is_unchanged(text in "[ -~\n\tà-öа-яぁ-んア-ン一-龥가-힣€→✓“”…😀-🙏]{0,60}") {
            prop_assert_eq!(visible(&text), text);
        }

        #[test]
        fn lines_and_columns_of_tabs_are_kept(text in hostile()) {
            let n = |text: &str, c: char| text.chars().filter(|found| *found == c).count();
            for kept in ['\n', '\t'] {
                prop_assert_eq!(n(&visible(&text), kept), n(&text, kept));
            }
        }

        #[test]
        fn json_shows_the_same_and_reads_back_as_it_was(name in hostile(), text in hostile()) {
            let value = json!({"a": [{name: text}, 1, null, true]});
            let written = visible_json(&value);
            prop_assert!(!written.contains(is_forbidden), "{written:?}");
            prop_assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), value);
        }

        #[test]
        fn names_and_texts_of_data_are_visible(name in hostile(), text in hostile()) {
            let name_shown = visible(&name);
            let shown = visible_value(json!({"a": [{name: text}, 1, null, true]}));
            prop_assert_eq!(shown, json!({"a": [{name_shown: visible(&text)}, 1, null, true]}));
        }
    }

    #[test]
    fn what_cannot_be_seen_is_shown() {
        assert_eq!(visible("a\u{202e}b\u{0}\tc\n\u{200b}"), "a\\u{202e}b\\u{0}\tc\n\\u{200b}");
        assert_eq!(visible("Größe 𝒳 日本"), "Größe 𝒳 日本");
    }

    #[test]
    fn one_selector_stays_behind_what_has_forms_and_no_more() {
        assert_eq!(visible("❤\u{fe0f} 1\u{fe0f}\u{20e3}"), "❤\u{fe0f} 1\u{fe0f}\u{20e3}");
        assert_eq!(visible("❤\u{fe0f}\u{fe01}"), "❤\u{fe0f}\\u{fe01}");
        assert_eq!(visible("a\u{fe0f}"), "a\\u{fe0f}");
        assert_eq!(visible("\u{fe0f}"), "\\u{fe0f}");
        assert_eq!(visible("日\u{e0100}"), "日\\u{e0100}");
    }

    #[test]
    fn four_marks_stay_and_the_fifth_is_shown_in_any_script() {
        for mark in ['\u{301}', '\u{e47}', '\u{64b}', '\u{20d7}', '\u{93c}'] {
            let stack = |n| format!("o{}", mark.to_string().repeat(n));
            assert_eq!(visible(&stack(4)), stack(4));
            let escaped = format!("\\u{{{:x}}}", u32::from(mark));
            assert_eq!(visible(&stack(6)), format!("{}{escaped}{escaped}", stack(4)));
        }
        // Signs of private fonts have no marks.
        assert_eq!(visible("\u{e0b0}\u{e0b0}\u{e0b0}\u{e0b0}\u{e0b0}"), "\u{e0b0}".repeat(5));
    }
}
