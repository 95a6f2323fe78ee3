//! The names of one api by how they may be spelt: as written, in any case, without what separates words, and one
//! letter short. What a name means is decided where questions are answered.

use super::listing::{Kind, Listing};
use std::collections::HashMap;

/// Names longer than this are not looked for by slips.
const MAX_SLIPPED: usize = 48;

/// The names of one api.
#[derive(Debug, Default)]
pub struct Spellings {
    /// By the whole name, its last two parts, and by the name of an interface or a global alone.
    exact: HashMap<String, Vec<u32>>,
    /// The same in lower case.
    lower: HashMap<String, Vec<u32>>,
    /// By the name of a member alone.
    members: HashMap<String, Vec<u32>>,
    /// By the name of an interface alone.
    interfaces: HashMap<String, Vec<u32>>,
    /// By letters and digits only, in lower case.
    joined: HashMap<String, Vec<u32>>,
    /// By [`Spellings::joined`]'s keys with up to one letter left out.
    shortened: HashMap<u64, Vec<u32>>,
    /// What [`Spellings::shortened`] numbers.
    keys: Vec<String>,
}

impl Spellings {
    /// The names of everything that is listed.
    pub fn of(listing: &Listing) -> Spellings {
        let mut spellings = Spellings::default();
        for (number, one) in (0..).zip(&listing.listed) {
            let owner = one.symbol.owner.name.last();
            let full = one.symbol.to_string();
            let mut exact: Vec<String> = vec![full.clone()];
            match &one.symbol.member {
                Some(member) => {
                    let module_level = one.symbol.owner.name.path.is_empty();
                    if !module_level {
                        exact.push(format!("{owner}.{member}"));
                    } else {
                        exact.push(member.to_string());
                    }
                    push(&mut spellings.members, member.to_string(), number);
                    push(&mut spellings.joined, letters(member), number);
                    push(&mut spellings.joined, letters(&format!("{owner}.{member}")), number);
                }
                None => {
                    exact.push(owner.to_owned());
                    push(&mut spellings.joined, letters(owner), number);
                    if matches!(one.kind, Kind::Interface | Kind::Alias) {
                        push(&mut spellings.interfaces, owner.to_owned(), number);
                        push(&mut spellings.interfaces, full, number);
                    }
                }
            }
            for name in exact {
                push(&mut spellings.lower, name.to_lowercase(), number);
                push(&mut spellings.exact, name, number);
            }
        }
        spellings.add_lower();
        spellings.shorten();
        spellings
    }

    /// Members and interfaces in lower case as well.
    fn add_lower(&mut self) {
        for names in [&mut self.members, &mut self.interfaces] {
            let mut lower: Vec<(String, Vec<u32>)> =
                names.iter().map(|(name, all)| (name.to_lowercase(), all.clone())).collect();
            lower.sort();
            for (name, all) in lower {
                let numbers = names.entry(name).or_default();
                numbers.extend(all);
                numbers.sort_unstable();
                numbers.dedup();
            }
        }
    }

    fn shorten(&mut self) {
        let mut keys: Vec<String> =
            self.joined.keys().filter(|key| key.len() <= MAX_SLIPPED).cloned().collect();
        keys.sort();
        for (key_idx, key) in (0..).zip(&keys) {
            for short in shorter(key) {
                let numbers = self.shortened.entry(short).or_default();
                if numbers.last() != Some(&key_idx) {
                    numbers.push(key_idx);
                }
            }
        }
        self.keys = keys;
    }

    /// What is called exactly so: `Layout.makeTable`, `Layout`, a global's name.
    pub fn exact(&self, name: &str) -> &[u32] {
        self.exact.get(name).map_or(&[], Vec::as_slice)
    }

    /// What is called so but for capitals; `name` in lower case.
    pub fn lower(&self, name: &str) -> &[u32] {
        self.lower.get(name).map_or(&[], Vec::as_slice)
    }

    /// The members of that name, in any interface.
    pub fn members(&self, name: &str) -> &[u32] {
        self.members.get(name).map_or(&[], Vec::as_slice)
    }

    /// The interfaces of that name.
    pub fn interfaces(&self, name: &str) -> &[u32] {
        self.interfaces.get(name).map_or(&[], Vec::as_slice)
    }

    /// What has these letters, however they are divided: `make table`, `make-table`.
    pub fn joined(&self, letters: &str) -> &[u32] {
        self.joined.get(letters).map_or(&[], Vec::as_slice)
    }

    /// What is the fewest slips away, two at most, and how many those are.
    pub fn slips(&self, letters: &str) -> Option<(usize, Vec<u32>)> {
        if letters.len() > MAX_SLIPPED {
            return None;
        }
        let mut candidates: Vec<u32> = shorter(letters)
            .iter()
            .filter_map(|short| self.shortened.get(short))
            .flatten()
            .copied()
            .collect();
        candidates.sort_unstable();
        candidates.dedup();
        let asked: Vec<char> = letters.chars().collect();
        let mut best: Option<(usize, Vec<u32>)> = None;
        for key in candidates.into_iter().filter_map(|idx| self.keys.get(idx as usize)) {
            let Some(n_slips) = slips(&asked, &key.chars().collect::<Vec<char>>()) else {
                continue;
            };
            match &mut best {
                Some((least, _)) if *least < n_slips => {}
                Some((least, numbers)) if *least == n_slips => numbers.extend(self.joined(key)),
                _ => best = Some((n_slips, self.joined(key).to_vec())),
            }
        }
        best.map(|(n_slips, mut numbers)| {
            numbers.sort_unstable();
            numbers.dedup();
            (n_slips, numbers)
        })
    }
}

/// Numbers come in their order, so a repeated one is the last.
fn push(names: &mut HashMap<String, Vec<u32>>, name: String, number: u32) {
    let numbers = names.entry(name).or_default();
    if numbers.last() != Some(&number) {
        numbers.push(number);
    }
}

/// A name's letters and digits in lower case.
pub fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The hashes of a word and of the word less one letter.
fn shorter(word: &str) -> Vec<u64> {
    let chars: Vec<char> = word.chars().collect();
    let mut found = vec![hash(chars.iter())];
    for left_out in 0..chars.len() {
        let rest = chars.iter().enumerate().filter(|(idx, _)| *idx != left_out);
        found.push(hash(rest.map(|(_, c)| c)));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// FNV-1a: only the same letters matter, and a clash costs one comparison more.
fn hash<'c>(chars: impl Iterator<Item = &'c char>) -> u64 {
    chars.fold(0xcbf2_9ce4_8422_2325, |sum, c| {
        (sum ^ u64::from(*c as u32)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// How many letters were left out, put in, exchanged or swapped with their neighbour; none from three on.
fn slips(one: &[char], two: &[char]) -> Option<usize> {
    const MOST: usize = 2;
    if one.len().abs_diff(two.len()) > MOST {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=two.len()).collect();
    for (row, a) in one.iter().enumerate() {
        let mut now = vec![row + 1];
        for (column, b) in two.iter().enumerate() {
            let changed = above[column] + usize::from(a != b);
            let mut least = changed.min(above[column + 1] + 1).min(now[column] + 1);
            if row > 0 && column > 0 && *a == two[column - 1] && one[row - 1] == *b {
                least = least.min(before[column - 1] + 1);
            }
            now.push(least);
        }
        if now.iter().all(|n| *n > MOST) {
            return None;
        }
        before = std::mem::replace(&mut above, now);
    }
    above.last().copied().filter(|n| *n <= MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(one: &str, two: &str) -> Option<usize> {
        slips(&one.chars().collect::<Vec<_>>(), &two.chars().collect::<Vec<_>>())
    }

    #[test]
    fn neighbours_swapped_are_one_slip_and_three_slips_are_none() {
        assert_eq!(counted("maketbale", "maketable"), Some(1));
        assert_eq!(counted("maketble", "maketable"), Some(1));
        assert_eq!(counted("mketble", "maketable"), Some(2));
        assert_eq!(counted("kitten", "sitting"), None);
        assert_eq!(counted("", ""), Some(0));
    }

    #[test]
    fn what_separates_words_does_not_count() {
        assert_eq!(letters("make-Table_2()"), "maketable2");
    }
}
