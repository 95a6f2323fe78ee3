//! The name ladder: what a written name means, by the first reading that finds anything.
//!
//! A name stands for something only if it is spelt so in an api that holds here; each rung forgives a little more, and
//! says what it forgave. A dotted name that no rung finds is never a certain answer, however well its words are known.

#[cfg(test)]
pub(in crate::answers) mod tests;

use crate::corpus::documents::Documents;
use crate::corpus::documents::spellings::letters;
use crate::corpus::{Corpus, Lookup};
use crate::datagraph::documentation::Symbol;
use crate::datagraph::{Key, Side};
use crate::types::Type;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A longer text is no name.
const MAX_NAME: usize = 200;

/// How many words may be joined to one name.
const MAX_JOINED: usize = 8;

/// How many steps of `a.b.c` are followed by their types.
const MAX_STEPS: usize = 12;

/// How many symbols a name may mean.
const MAX_MEANT: usize = 40;

/// A shorter name is not looked for by slips, and one that is not longer may have one only.
const LEAST_SLIPPED: usize = 4;
const TWO_SLIPS_FROM: usize = 8;

/// How well an answer is founded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// Nothing here serves.
    None,
    /// A hint.
    Weak,
    /// It serves.
    Strong,
}

/// The reading that found something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rung {
    /// It is spelt so.
    Exact,
    /// What stands left of the dot is a global or a member, whose type has it.
    Typed,
    /// It is spelt so but for capitals.
    Case,
    /// What the interface inherits from has it.
    Inherited,
    /// Members are called so; the interface was not said, or is not known.
    Member,
    /// Words that were written apart, or together.
    Joined,
    /// One or two slips away.
    Slip,
    /// The interface is known and has no such member, but others have.
    Elsewhere,
}

/// What a name means.
#[derive(Debug, Clone, PartialEq)]
pub struct Climbed {
    /// The reading that found it.
    pub rung: Rung,
    /// Whether it can be relied on.
    pub strength: Strength,
    /// What it means, most likely first.
    pub meant: Vec<Meant>,
}

/// A symbol: which api has it, and its number there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Meant {
    /// Index into the apis.
    pub api: usize,
    /// The number in its listing.
    pub number: u32,
}

/// The apis that are asked.
#[derive(Debug, Clone, Copy)]
pub struct Apis<'a> {
    /// What exists in all of them.
    pub corpus: &'a Corpus,
    /// What they say, best first.
    pub documents: &'a [Arc<Documents>],
}

impl Apis<'_> {
    /// How code spells a symbol.
    pub fn spelt(&self, meant: Meant) -> String {
        self.symbol(meant).map_or(String::new(), |symbol| symbol.to_string())
    }

    /// The symbol itself.
    pub fn symbol(&self, meant: Meant) -> Option<&Symbol> {
        Some(&self.documents.get(meant.api)?.listing.symbol(meant.number)?.symbol)
    }

    /// Whichever api lists a symbol.
    pub fn meant(&self, symbol: &Symbol) -> Vec<Meant> {
        let all = self.documents.iter().enumerate();
        let numbers = all.filter_map(|(api, documents)| {
            let number = documents.listing.number(&documents.graph, symbol)?;
            Some(Meant { api, number })
        });
        numbers.collect()
    }

    fn everywhere(&self, numbers: impl Fn(&Documents) -> Vec<u32>) -> Vec<Meant> {
        let all = self.documents.iter().enumerate();
        let found = all.flat_map(|(api, documents)| {
            numbers(documents).into_iter().map(move |number| Meant { api, number })
        });
        found.collect()
    }
}

/// Whether a text is a written-out name with a dot in it, which only an exact match answers.
pub fn is_dotted(text: &str) -> bool {
    let name = cleaned(text);
    let parts: Vec<&str> = name.split('.').collect();
    let is_name = |part: &&str| {
        !part.is_empty()
            && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '-'))
    };
    parts.len() > 1 && parts.iter().all(is_name)
}

/// What `text` means as a name; none where no rung finds anything.
pub fn climb(apis: Apis<'_>, text: &str) -> Option<Climbed> {
    let text = text.trim();
    if text.is_empty() || text.len() > MAX_NAME {
        return None;
    }
    let name = cleaned(text);
    if name.is_empty() {
        return None;
    }
    if name.contains(char::is_whitespace) {
        return joined(apis, &name);
    }
    let dotted = name.replace('-', ".");
    let spellings = [name.clone(), dotted.trim_matches('.').to_owned()];
    let n_spellings = if spellings[0] == spellings[1] { 1 } else { 2 };
    let spellings = &spellings[..n_spellings];
    let by_name = spellings.iter().find_map(|name| exact(apis, name));
    let by_case = || spellings.iter().find_map(|name| in_any_case(apis, name));
    let by_type = || spellings.iter().find_map(|name| typed(apis, name));
    let by_base = || spellings.iter().find_map(|name| inherited(apis, name));
    let by_member = || spellings.iter().find_map(|name| member(apis, name));
    by_name
        .or_else(by_type)
        .or_else(by_case)
        .or_else(by_base)
        .or_else(by_member)
        .or_else(|| joined(apis, &name))
        .or_else(|| slipped(apis, &name))
        .or_else(|| spellings.iter().find_map(|name| elsewhere(apis, name)))
}

/// The interfaces that stand left of the last dot, by name or by the type of a global.
pub fn receivers(apis: Apis<'_>, text: &str) -> Vec<Key> {
    let name = cleaned(text);
    let Some((receiver, _)) = name.rsplit_once('.') else { return Vec::new() };
    let mut keys: Vec<Key> = interfaces(apis, receiver);
    keys.extend(type_of(apis.corpus, receiver).and_then(|ty| key_of(&ty)));
    keys.sort();
    keys.dedup();
    keys
}

/// A name without what people write around it: `new`, quotes, arguments, type arguments; one separator for all.
fn cleaned(text: &str) -> String {
    let text = text.trim().trim_matches(['`', '"', '\'', ';']);
    let text = text.strip_prefix("new ").unwrap_or(text).trim();
    let text = text.split('(').next().unwrap_or(text);
    let mut plain = String::new();
    let mut depth = 0usize;
    for c in text.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    let plain = plain.replace("?.", ".").replace("::", ".").replace([':', '#', '/'], ".");
    plain.trim_matches(['.', ' ', '\t', '\n', '\r']).to_owned()
}

/// The last two parts of a name, or the whole where it has fewer.
fn tail(name: &str) -> &str {
    match name.rmatch_indices('.').nth(1) {
        Some((at, _)) => &name[at + 1..],
        None => name,
    }
}

fn exact(apis: Apis<'_>, name: &str) -> Option<Climbed> {
    [name, tail(name)].into_iter().find_map(|name| {
        let meant = apis.everywhere(|d| d.spellings().exact(name).to_vec());
        climbed(apis, Rung::Exact, meant, |_| Strength::Strong)
    })
}

fn in_any_case(apis: Apis<'_>, name: &str) -> Option<Climbed> {
    let lower = name.to_lowercase();
    [lower.as_str(), tail(&lower)].into_iter().find_map(|name| {
        let meant = apis.everywhere(|d| d.spellings().lower(name).to_vec());
        climbed(apis, Rung::Case, meant, |_| Strength::Strong)
    })
}

/// `layout.makeTable`, `desk.stack.top`: from a global on, by the types.
fn typed(apis: Apis<'_>, name: &str) -> Option<Climbed> {
    let (receiver, member) = name.rsplit_once('.')?;
    let ty = type_of(apis.corpus, receiver)?;
    let Lookup::Known(found) = apis.corpus.lookup(&ty, member) else { return None };
    let meant = apis.meant(&Symbol::member(found.owner.clone(), member));
    let is_own = key_of(&ty).is_some_and(|key| key.name == found.owner.name);
    let rung = if is_own { Rung::Typed } else { Rung::Inherited };
    climbed(apis, rung, meant, |_| Strength::Strong)
}

fn type_of(corpus: &Corpus, path: &str) -> Option<Type> {
    let mut parts = path.split('.');
    let mut ty = corpus.global(parts.next()?)?;
    for part in parts.by_ref().take(MAX_STEPS) {
        let Lookup::Known(found) = corpus.lookup(&ty, part) else { return None };
        ty = found.gives;
    }
    parts.next().is_none().then_some(ty)
}

fn key_of(ty: &Type) -> Option<Key> {
    match ty {
        Type::Named(named) => Some(Key::of_type(named.name.clone())),
        Type::Typeof(name) => Some(Key::of_value((**name).clone())),
        _ => None,
    }
}

/// The interface is known by name, and something that it inherits from has the member.
fn inherited(apis: Apis<'_>, name: &str) -> Option<Climbed> {
    let (receiver, member) = name.rsplit_once('.')?;
    let lower = member.to_lowercase();
    for key in interfaces(apis, receiver) {
        for key in [key.clone(), Key { side: other(key.side), name: key.name }] {
            let members = apis.corpus.members_of(&key);
            let exact = members.iter().find(|(name, _)| name == member);
            let found = exact.or_else(|| members.iter().find(|(n, _)| n.to_lowercase() == lower));
            let Some((name, owner)) = found else { continue };
            let meant = apis.meant(&Symbol::member(owner.clone(), name.clone()));
            let climbed = climbed(apis, Rung::Inherited, meant, |_| Strength::Strong);
            if climbed.is_some() {
                return climbed;
            }
        }
    }
    None
}

fn other(side: Side) -> Side {
    match side {
        Side::Type => Side::Value,
        Side::Value => Side::Type,
    }
}

/// The interfaces with that name, in any case; of a dotted name its last part.
fn interfaces(apis: Apis<'_>, name: &str) -> Vec<Key> {
    let last = name.rsplit('.').next().unwrap_or(name);
    for name in [name.to_owned(), last.to_owned(), name.to_lowercase(), last.to_lowercase()] {
        let found = apis.everywhere(|d| d.spellings().interfaces(&name).to_vec());
        if !found.is_empty() {
            let keys = found.into_iter().filter_map(|m| Some(apis.symbol(m)?.owner.clone()));
            return keys.collect::<BTreeSet<Key>>().into_iter().collect();
        }
    }
    Vec::new()
}

fn member(apis: Apis<'_>, name: &str) -> Option<Climbed> {
    let (is_dotted, member) = match name.rsplit_once('.') {
        Some((_, member)) => (true, member),
        None => (false, name),
    };
    if is_dotted && !receivers(apis, name).is_empty() {
        return None;
    }
    let most = if is_dotted { 1 } else { 3 };
    for name in [member.to_owned(), member.to_lowercase()] {
        let meant = apis.everywhere(|d| d.spellings().members(&name).to_vec());
        let strength = |n| if n <= most { Strength::Strong } else { Strength::Weak };
        let climbed = climbed(apis, Rung::Member, meant, strength);
        if climbed.is_some() {
            return climbed;
        }
    }
    None
}

fn joined(apis: Apis<'_>, name: &str) -> Option<Climbed> {
    if name.split_whitespace().count() > MAX_JOINED {
        return None;
    }
    [name, tail(name)].into_iter().map(letters).filter(|l| !l.is_empty()).find_map(|letters| {
        let meant = apis.everywhere(|d| d.spellings().joined(&letters).to_vec());
        climbed(apis, Rung::Joined, meant, |_| Strength::Strong)
    })
}

fn slipped(apis: Apis<'_>, name: &str) -> Option<Climbed> {
    let letters = letters(tail(name));
    let n_letters = letters.chars().count();
    if n_letters < LEAST_SLIPPED {
        return None;
    }
    let most = if n_letters < TWO_SLIPS_FROM { 1 } else { 2 };
    let found: Vec<Option<(usize, Vec<u32>)>> =
        apis.documents.iter().map(|d| d.spellings().slips(&letters)).collect();
    let least = found.iter().flatten().map(|(n_slips, _)| *n_slips).min()?;
    if least > most {
        return None;
    }
    let nearest = found.into_iter().enumerate().filter_map(|(api, found)| {
        let (n_slips, numbers) = found?;
        (n_slips == least).then(|| numbers.into_iter().map(move |number| Meant { api, number }))
    });
    let meant = nearest.flatten().collect();
    let strength = |n| if n <= 2 { Strength::Strong } else { Strength::Weak };
    climbed(apis, Rung::Slip, meant, strength)
}

fn elsewhere(apis: Apis<'_>, name: &str) -> Option<Climbed> {
    let (_, member) = name.rsplit_once('.')?;
    [member.to_owned(), member.to_lowercase()].into_iter().find_map(|member| {
        let meant = apis.everywhere(|d| d.spellings().members(&member).to_vec());
        climbed(apis, Rung::Elsewhere, meant, |_| Strength::Weak)
    })
}

/// What was found, most likely first; how many different names those are decides the strength.
fn climbed(
    apis: Apis<'_>,
    rung: Rung,
    mut meant: Vec<Meant>,
    strength: impl Fn(usize) -> Strength,
) -> Option<Climbed> {
    if meant.is_empty() {
        return None;
    }
    let prior = |m: &Meant| apis.documents[m.api].prior(m.number);
    meant.sort_by(|a, b| a.api.cmp(&b.api).then(prior(b).total_cmp(&prior(a))).then(a.cmp(b)));
    meant.dedup();
    meant.truncate(MAX_MEANT);
    let names: BTreeSet<String> = meant.iter().map(|m| apis.spelt(*m)).collect();
    Some(Climbed { rung, strength: strength(names.len()), meant })
}
