//! The arguments of a call, met half-way.
//!
//! Models write `"20"` for 20, a lone text for a list, a list as JSON text, `null` or `"null"` for nothing, and
//! `maxChars` for `max_chars`. All of that is understood. What is not gives one line that shows the accepted form.
//! Names that nobody asks for are never looked at, since hosts add their own.

use serde_json::{Map, Value};
use std::ops::RangeInclusive;

/// The arguments of one call, to be asked for by name.
#[derive(Debug, Clone, Copy)]
pub struct Arguments<'a>(pub &'a Map<String, Value>);

/// An argument that could not be understood; its text is one line that shows the accepted form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` must be {form}; it was {found}")]
pub struct ArgumentTrouble {
    /// The argument's name, as the tool's schema spells it.
    pub name: String,
    /// What is accepted, with an example.
    pub form: String,
    /// What came, shortened.
    pub found: String,
}

impl<'a> Arguments<'a> {
    /// One text. Numbers and truth values are taken as written, a list of one text as that text.
    pub fn text(&self, name: &str) -> Result<Option<String>, ArgumentTrouble> {
        let Some(value) = self.value(name) else { return Ok(None) };
        match one_text(value) {
            Some(text) => Ok(Some(text)),
            None => Err(trouble(name, "a text", r#""…""#, value)),
        }
    }

    /// A list of texts. A lone text is a list of one; a list in JSON text is that list; empty entries are left out.
    pub fn list_of_text(&self, name: &str) -> Result<Option<Vec<String>>, ArgumentTrouble> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let unpacked = value.as_str().and_then(json_list);
        let entries = match (&unpacked, value) {
            (Some(entries), _) | (None, Value::Array(entries)) => entries.as_slice(),
            (None, lone) => std::slice::from_ref(lone),
        };
        let present = entries.iter().filter(|e| !is_absent(e));
        match present.map(one_text).collect::<Option<Vec<String>>>() {
            Some(texts) if texts.is_empty() => Ok(None),
            Some(texts) => Ok(Some(texts)),
            None => Err(trouble(name, "a list of texts", r#"["…", "…"]"#, value)),
        }
    }

    /// A whole number. One outside `range` is taken as the nearest inside.
    pub fn number(
        &self,
        name: &str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, ArgumentTrouble> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let (least, most) = (*range.start(), *range.end());
        match whole_number(value) {
            Some(number) => Ok(Some(number.clamp(least, most))),
            None => {
                let form = format!("a whole number from {least} to {most}");
                Err(trouble(name, &form, &most.to_string(), value))
            }
        }
    }

    /// Yes or no, also as `"true"`, `"no"`, 1 or `"0"`.
    pub fn flag(&self, name: &str) -> Result<Option<bool>, ArgumentTrouble> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let word = one_text(value).unwrap_or_default().trim().to_lowercase();
        match word.as_str() {
            "true" | "yes" | "on" | "1" => Ok(Some(true)),
            "false" | "no" | "off" | "0" => Ok(Some(false)),
            _ => Err(trouble(name, "true or false", "true", value)),
        }
    }

    /// Where to go on, as an answer that was cut says it; 0, the beginning, where nothing is said. `0:12` is the line 12
    /// of the only block.
    pub fn cursor(&self) -> Result<usize, ArgumentTrouble> {
        let Some(value) = self.value("cursor") else { return Ok(0) };
        let text = one_text(value).unwrap_or_default();
        let at = text.trim().rsplit(':').next().and_then(|at| at.parse().ok());
        at.ok_or_else(|| trouble("cursor", "what an answer that was cut says", r#""40""#, value))
    }

    /// What stands under `name`, or under a name that differs in case, `-` and `_` only; none where it says nothing.
    fn value(&self, name: &str) -> Option<&'a Value> {
        let wanted = plain(name);
        let exact = self.0.get(name).filter(|v| !is_absent(v));
        exact.or_else(|| {
            let alike = self.0.iter().find(|(key, v)| plain(key) == wanted && !is_absent(v));
            alike.map(|(_, value)| value)
        })
    }
}

fn plain(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}

fn is_absent(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => matches!(text.trim(), "" | "null"),
        Value::Array(entries) => entries.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => false,
    }
}

fn one_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Array(entries) if entries.len() == 1 => one_text(&entries[0]),
        Value::Array(_) | Value::Object(_) | Value::Null => None,
    }
}

fn json_list(text: &str) -> Option<Vec<Value>> {
    if !text.trim_start().starts_with('[') {
        return None;
    }
    serde_json::from_str(text).ok()
}

fn whole_number(value: &Value) -> Option<u64> {
    let text = one_text(value)?;
    let digits = text.trim().replace(['_', ','], "");
    digits.parse::<u64>().ok().or_else(|| whole_part(digits.parse::<f64>().ok()?))
}

/// A number such as `20.0` or `2e4`; 2⁵³ is the last that a float holds exactly.
fn whole_part(number: f64) -> Option<u64> {
    let exact = number.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(&number);
    exact.then(|| format!("{number:.0}").parse().ok())?
}

fn trouble(name: &str, form: &str, example: &str, found: &Value) -> ArgumentTrouble {
    let written = found.to_string();
    let mut shown: String = written.chars().take(60).collect();
    if shown.len() < written.len() {
        shown.push('…');
    }
    ArgumentTrouble {
        name: name.to_owned(),
        form: format!("{form}, as in \"{name}\": {example}"),
        found: shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn ask<T>(arguments: Value, question: impl Fn(Arguments<'_>) -> T) -> T {
        question(Arguments(arguments.as_object().unwrap()))
    }

    #[test]
    fn what_says_nothing_is_absent() {
        for nothing in
            [json!({}), json!({"path": null}), json!({"path": "null"}), json!({"path": " "})]
        {
            assert_eq!(ask(nothing, |a| a.text("path")), Ok(None));
        }
        assert_eq!(ask(json!({"paths": [null, ""]}), |a| a.list_of_text("paths")), Ok(None));
    }

    #[test]
    fn a_name_is_found_in_any_spelling_and_the_exact_one_first() {
        assert_eq!(ask(json!({"maxChars": 7}), |a| a.number("max_chars", 1..=9)), Ok(Some(7)));
        assert_eq!(ask(json!({"MAX-CHARS": 7}), |a| a.number("max_chars", 1..=9)), Ok(Some(7)));
        let both = json!({"Path": "b", "path": "a"});
        assert_eq!(ask(both, |a| a.text("path")), Ok(Some("a".into())));
    }

    #[test]
    fn lists_are_understood_in_four_forms() {
        let two = Ok(Some(vec!["a.js".to_owned(), "b.js".to_owned()]));
        assert_eq!(ask(json!({"paths": ["a.js", "b.js"]}), |a| a.list_of_text("paths")), two);
        let as_text = json!({"paths": "[\"a.js\", \"b.js\"]"});
        assert_eq!(ask(as_text, |a| a.list_of_text("paths")), two);
        let one = Ok(Some(vec!["a.js".to_owned()]));
        assert_eq!(ask(json!({"paths": "a.js"}), |a| a.list_of_text("paths")), one);
        assert_eq!(ask(json!({"paths": [["a.js"]]}), |a| a.list_of_text("paths")), one);
        let odd = Ok(Some(vec!["[id].js".to_owned()]));
        assert_eq!(ask(json!({"paths": "[id].js"}), |a| a.list_of_text("paths")), odd);
    }

    #[test]
    fn numbers_are_understood_and_kept_in_range() {
        for twenty in [json!(20), json!("20"), json!(20.0), json!(" 20 "), json!("2e1")] {
            assert_eq!(ask(json!({"n": twenty}), |a| a.number("n", 1..=30)), Ok(Some(20)));
        }
        assert_eq!(ask(json!({"n": "99,000"}), |a| a.number("n", 1..=30)), Ok(Some(30)));
        for odd in [json!("many"), json!(-1), json!(1.5), json!({}), json!(1e300)] {
            assert!(ask(json!({"n": odd}), |a| a.number("n", 1..=30)).is_err());
        }
    }

    #[test]
    fn a_cursor_is_what_an_answer_said_and_nothing_else_is_the_beginning() {
        for (written, at) in
            [(json!("40"), 40), (json!(40), 40), (json!("0:12"), 12), (json!(""), 0)]
        {
            assert_eq!(ask(json!({"cursor": written}), |a| a.cursor()), Ok(at));
        }
        for odd in [json!("next"), json!("40 more"), json!(-1), json!({})] {
            assert!(ask(json!({"cursor": odd}), |a| a.cursor()).is_err());
        }
    }

    #[test]
    fn trouble_is_one_line_with_the_accepted_form() {
        let said = ask(json!({"max_chars": "many"}), |a| a.number("max_chars", 500..=38_000));
        assert_eq!(
            said.unwrap_err().to_string(),
            "`max_chars` must be a whole number from 500 to 38000, as in \"max_chars\": 38000; it was \"many\""
        );
        let said = ask(json!({"apply": "perhaps"}), |a| a.flag("apply"));
        assert_eq!(
            said.unwrap_err().to_string(),
            "`apply` must be true or false, as in \"apply\": true; it was \"perhaps\""
        );
    }

    #[test]
    fn flags_are_understood_from_words() {
        for yes in [json!(true), json!("True"), json!("yes"), json!(1)] {
            assert_eq!(ask(json!({"f": yes}), |a| a.flag("f")), Ok(Some(true)));
        }
        assert_eq!(ask(json!({"f": "0"}), |a| a.flag("f")), Ok(Some(false)));
    }
}
