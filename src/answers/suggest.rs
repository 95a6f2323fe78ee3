//! Which real members an invented name most likely means: words first, letters second, then how it is used.

use crate::base::Name;

/// At most so many are suggested.
pub const MAX_SUGGESTIONS: usize = 3;

/// What scores lower is not worth naming.
const LEAST_SCORE: f64 = 0.34;

/// How much the words count against the letters.
const WORDS_SHARE: f64 = 0.62;

/// A member that may be meant.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Its name.
    pub name: Name,
    /// Whether it can be called.
    pub callable: bool,
}

/// A real member.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    /// Its name.
    pub member: Name,
    /// How it is called or what it gives: `(path: string): Sheet` or `: number`.
    pub signature: String,
    /// Its parameters' names, where it can be called.
    pub parameters: Option<Vec<Name>>,
    /// Why it is named.
    pub ground: Ground,
}

/// Why a member is named instead of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// Its name is like the other's.
    Likeness,
    /// The code that was checked uses it in the same way on receivers of that type.
    Use,
}

/// The candidates that `invented` most likely means, best first; at most [`MAX_SUGGESTIONS`].
pub fn suggest(invented: &str, called: bool, candidates: &[Candidate]) -> Vec<Name> {
    let asked = Words::of(invented);
    let mut scored: Vec<(f64, &Name)> = candidates
        .iter()
        .filter(|c| !c.name.starts_with("@@") && !c.name.starts_with('#'))
        .map(|c| {
            let fitting = if c.callable == called { 0.04 } else { 0.0 };
            (asked.likeness(&Words::of(&c.name)) + fitting, &c.name)
        })
        .filter(|(score, _)| *score >= LEAST_SCORE)
        .collect();
    scored.sort_by(|(a, n), (b, m)| b.total_cmp(a).then_with(|| n.cmp(m)));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(MAX_SUGGESTIONS).map(|(_, name)| name.clone()).collect()
}

/// Whether one name is the other with a slip of the pen that leaves no word of its own: humps in small letters, neighbours
/// swapped, a letter inside of it too many or too few.
///
/// A plural, another last letter or a small first letter is how variables are named, and no slip.
pub fn is_slip(one: &str, two: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), two.chars().collect());
    let (shorter, longer) = (a.len().min(b.len()), a.len().max(b.len()));
    if shorter < 6 || longer - shorter > 1 || a.first() != b.first() || a.last() != b.last() {
        return false;
    }
    let (small_a, small_b) = (one.to_lowercase(), two.to_lowercase());
    if small_a == small_b {
        return one != two;
    }
    let (a, b): (Vec<char>, Vec<char>) = (small_a.chars().collect(), small_b.chars().collect());
    let swapped = || {
        let mut differ = (0..a.len()).filter(|i| a[*i] != b[*i]);
        let (first, second, third) = (differ.next(), differ.next(), differ.next());
        match (first, second, third) {
            (Some(i), Some(j), None) => j == i + 1 && a[i] == b[j] && a[j] == b[i],
            _ => false,
        }
    };
    match a.len() == b.len() {
        true => swapped(),
        false => distance(&a, &b) == 1,
    }
}

/// A name, its letters and its words.
struct Words {
    letters: Vec<char>,
    words: Vec<String>,
}

impl Words {
    fn of(name: &str) -> Words {
        Words { letters: name.to_lowercase().chars().collect(), words: split(name) }
    }

    /// From 0 to 1, a little more for the same letters in another case.
    fn likeness(&self, other: &Words) -> f64 {
        let letters = closeness(&self.letters, &other.letters);
        if letters >= 1.0 {
            return 1.5;
        }
        WORDS_SHARE * self.shared(other) + (1.0 - WORDS_SHARE) * letters
    }

    /// How much of both names' words the other has too; the last word, the thing that is named, weighs most.
    fn shared(&self, other: &Words) -> f64 {
        let mut met = 0.0;
        let mut all = 0.0;
        for (one, two) in [(self, other), (other, self)] {
            for (i, word) in one.words.iter().enumerate() {
                let weight = if i + 1 == one.words.len() { 1.25 } else { 1.0 };
                let best = two.words.iter().map(|w| alike(word, w)).fold(0.0, f64::max);
                met += weight * best;
                all += weight;
            }
        }
        if all > 0.0 { met / all } else { 0.0 }
    }
}

/// Camel humps, digits and underscores apart; lower case; plurals as singulars.
fn split(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for (i, c) in chars.iter().enumerate() {
        let before = i.checked_sub(1).map(|p| chars[p]);
        let after = chars.get(i + 1);
        let hump = c.is_uppercase()
            && before.is_some_and(|b| !b.is_uppercase() || after.is_some_and(|a| a.is_lowercase()));
        let digits = before.is_some_and(|b| b.is_numeric() != c.is_numeric());
        if (hump || digits || !c.is_alphanumeric()) && !word.is_empty() {
            words.push(singular(std::mem::take(&mut word)));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
    }
    if !word.is_empty() {
        words.push(singular(word));
    }
    words
}

fn singular(word: String) -> String {
    match word.strip_suffix("ies") {
        Some(stem) if stem.len() > 2 => format!("{stem}y"),
        _ => match word.strip_suffix('s') {
            Some(stem) if stem.len() > 2 && !stem.ends_with(['s', 'u', 'i']) => stem.to_string(),
            _ => word,
        },
    }
}

/// How alike two words are, from 0 to 1: the same, one the other's beginning, or a slip apart.
fn alike(one: &str, two: &str) -> f64 {
    if one == two {
        return 1.0;
    }
    let (short, long) = if one.len() <= two.len() { (one, two) } else { (two, one) };
    if short.len() >= 3 && long.starts_with(short) {
        return 0.8;
    }
    let letters: Vec<char> = one.chars().collect();
    let others: Vec<char> = two.chars().collect();
    let close = closeness(&letters, &others);
    if close >= 0.7 { close * 0.9 } else { 0.0 }
}

/// One minus the edit distance (with neighbours swapped) over the longer length.
fn closeness(one: &[char], two: &[char]) -> f64 {
    let longest = one.len().max(two.len());
    if longest == 0 || longest > 200 {
        return 0.0;
    }
    1.0 - distance(one, two) as f64 / longest as f64
}

/// The optimal string alignment distance.
fn distance(one: &[char], two: &[char]) -> usize {
    let width = two.len() + 1;
    let mut rows = vec![vec![0usize; width]; 3];
    rows[1] = (0..width).collect();
    for (i, a) in one.iter().enumerate() {
        let (above2, above, current) = (i % 3, (i + 1) % 3, (i + 2) % 3);
        rows[current][0] = i + 1;
        for (j, b) in two.iter().enumerate() {
            let change = rows[above][j] + usize::from(a != b);
            let mut best = change.min(rows[above][j + 1] + 1).min(rows[current][j] + 1);
            if i > 0 && j > 0 && *a == two[j - 1] && one[i - 1] == *b {
                best = best.min(rows[above2][j - 1] + 1);
            }
            rows[current][j + 1] = best;
        }
    }
    rows[(one.len() + 1) % 3][two.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(invented: &str, called: bool, names: &[&str]) -> Vec<Name> {
        let candidates: Vec<Candidate> = names
            .iter()
            .map(|n| Candidate {
                name: (*n).into(),
                callable: n.contains("get") || n.contains("load"),
            })
            .collect();
        suggest(invented, called, &candidates)
    }

    #[test]
    fn the_same_letters_in_another_case_come_first() {
        assert_eq!(
            best("innerHtml", false, &["innerText", "innerHTML", "outerHTML"])[0],
            "innerHTML"
        );
    }

    #[test]
    fn a_shared_noun_is_worth_more_than_a_shared_verb() {
        assert_eq!(best("fetchSheets", true, &["fetchAll", "getSheet", "load"])[0], "getSheet");
    }

    #[test]
    fn what_is_like_nothing_gets_no_suggestion() {
        assert!(best("frobnicate", true, &["x", "width", "getSheet"]).is_empty());
    }

    #[test]
    fn a_slip_leaves_no_word_of_its_own() {
        for (slip, meant) in
            [("documnt", "document"), ("docuemnt", "document"), ("settimeout", "setTimeout")]
        {
            assert!(is_slip(slip, meant), "{slip}");
        }
        for (name, other) in [
            ("documents", "document"),
            ("promise", "Promise"),
            ("states", "status"),
            ("nane", "name"),
            ("closed", "close"),
            ("document", "document"),
        ] {
            assert!(!is_slip(name, other), "{name}");
        }
    }

    #[test]
    fn neighbours_swapped_are_one_slip() {
        let distance = |a: &str, b: &str| {
            super::distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>())
        };
        assert_eq!(distance("lenght", "length"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
