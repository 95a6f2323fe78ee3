//! Words to ranked symbols and sections, by the measured recipe: a weight for each field, words that may stand for each
//! other, what is covered of the question and of the name, what a symbol counts beforehand, and what interface and
//! members lend each other.
//!
//! The postings are walked here rather than by tantivy's own queries, because the recipe adds the fields up before a
//! word saturates (BM25F) and needs to know which words each symbol has. No text of a caller reaches any grammar.

use super::Documents;
use super::kin::{is_deed, kin};
use super::wording::{Field, side_by_side};
use crate::words::asked;
use tantivy::postings::Postings;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, SegmentReader, TERMINATED, Term};

/// How many words of a question are looked at.
const MAX_WORDS: usize = 48;

/// What a symbol's fields count.
const SYMBOL_FIELDS: [(Field, f32); 11] = [
    (Field::Name, 5.0),
    (Field::Interface, 1.5),
    (Field::Summary, 3.4),
    (Field::Body, 0.5),
    (Field::Signature, 0.15),
    (Field::Code, 0.22),
    (Field::Context, 0.32),
    (Field::Sentences, 1.95),
    (Field::Headings, 2.35),
    (Field::Comments, 0.9),
    (Field::Members, 0.35),
];

/// What a guide section's fields count.
const SECTION_FIELDS: [(Field, f32); 3] =
    [(Field::Title, 4.0), (Field::Prose, 1.0), (Field::Listings, 0.6)];

/// How soon more of a word says no more, and how much a long text counts against itself.
const SATURATION: f32 = 3.0;
const LENGTH: f32 = 0.43;

/// What a word counts that may stand for the one that was asked.
const KIN: f32 = 0.2;

/// What a leading verb counts, and two words that stand side by side.
const VERB: f32 = 0.7;
const PAIR: f32 = 0.4;

/// How much of the score depends on how much of the question is covered, and how much of the name.
const COVER: f32 = 0.45;
const PRECISION: f32 = 0.14;

/// What an interface lends its members, and a member its interface.
const LENT: f32 = 0.15;

/// What each further symbol of one interface keeps of its score.
const SIBLING: f32 = 0.93;

/// From where on a word counts as found.
const FOUND: f32 = 0.15;

/// A word of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Word {
    /// Its stem.
    pub stem: String,
    /// How much it says: the rarer, the more.
    pub weight: f32,
}

/// What was found for a question in one api.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ranked {
    /// The question's words.
    pub words: Vec<Word>,
    /// Best first.
    pub hits: Vec<Hit>,
}

/// A symbol or a section, and how well it answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The symbol's number in the listing, or the chunk's.
    pub number: u32,
    /// Its score, as a share of what all words together weigh.
    pub score: f32,
    /// How much of the question's weight it covers.
    pub cover: f32,
    /// How much of it the name covers.
    pub name_cover: f32,
    /// How much of the name the question covers.
    pub precision: f32,
    /// Which of the words were found, by their index.
    pub found: Vec<bool>,
}

/// Of every document: what was found so far.
struct Sums {
    score: Vec<f32>,
    cover: Vec<f32>,
    name: Vec<f32>,
    found: Vec<Vec<bool>>,
}

impl Documents {
    /// The symbols that `question` most likely means, best first, at most `most`.
    pub fn rank_symbols(&self, question: &str, most: usize) -> Ranked {
        let n = self.beside.n_symbols as usize;
        let (sequence, words) = self.words(question, Field::Any, n);
        let mass: f32 = words.iter().map(|w| w.weight).sum();
        if words.is_empty() || mass <= 0.0 || n == 0 {
            return Ranked { words, hits: Vec::new() };
        }
        let sums = self.sums(&words, &sequence, &SYMBOL_FIELDS, Field::Pairs, 0..n, mass);
        let mut scores: Vec<f32> = sums.score.clone();
        let precision = |idx: usize| (sums.name[idx] / self.beside.masses[idx].max(0.01)).min(1.0);
        for (idx, score) in scores.iter_mut().enumerate().filter(|(_, score)| **score > 0.0) {
            *score *= 1.0 - COVER + COVER * sums.cover[idx];
            *score *= self.beside.priors[idx];
            *score *= 1.0 - PRECISION + PRECISION * precision(idx);
        }
        let scores = self.lent(&scores);
        let order = best(&scores, most.saturating_mul(6));
        let spread = self.spread(&order, &scores, most);
        let hits = spread.into_iter().map(|(number, score)| {
            let idx = number as usize;
            Hit {
                number,
                score: score / mass,
                cover: sums.cover[idx],
                name_cover: sums.name[idx] / mass,
                precision: precision(idx),
                found: sums.found.iter().map(|found| found[idx]).collect(),
            }
        });
        Ranked { hits: hits.collect(), words }
    }

    /// The guide sections that `question` most likely means, best first, at most `most`; numbers are of chunks.
    pub fn rank_sections(&self, question: &str, most: usize) -> Ranked {
        let (first, n) = (self.beside.n_symbols as usize, self.beside.n_chunks as usize);
        let n_sections = self.beside.n_sections as usize;
        let (sequence, words) = self.words(question, Field::All, n_sections);
        let mass: f32 = words.iter().map(|w| w.weight).sum();
        if words.is_empty() || mass <= 0.0 || n_sections == 0 {
            return Ranked { words, hits: Vec::new() };
        }
        let sections = first..first + n;
        let sums = self.sums(&words, &sequence, &SECTION_FIELDS, Field::Neighbours, sections, mass);
        let covered = sums.score.iter().zip(&sums.cover);
        let scores: Vec<f32> =
            covered.map(|(s, cover)| s * (1.0 - COVER + COVER * cover)).collect();
        let hits = best(&scores, most).into_iter().map(|number| Hit {
            number,
            score: scores[number as usize] / mass,
            cover: sums.cover[number as usize],
            name_cover: 0.0,
            precision: 0.0,
            found: sums.found.iter().map(|found| found[number as usize]).collect(),
        });
        Ranked { hits: hits.collect(), words }
    }

    /// The stems of a question in their order, and each once with its weight among `n` documents.
    fn words(&self, question: &str, field: Field, n: usize) -> (Vec<String>, Vec<Word>) {
        let mut sequence = asked(question);
        sequence.truncate(MAX_WORDS);
        let mut words: Vec<Word> = Vec::new();
        for stem in &sequence {
            if words.iter().all(|w| w.stem != *stem) {
                let weight = weight(&self.segment, self.field(field), stem, n);
                words.push(Word { stem: stem.clone(), weight });
            }
        }
        (sequence, words)
    }

    fn sums(
        &self,
        words: &[Word],
        sequence: &[String],
        fields: &[(Field, f32)],
        pairs: Field,
        range: std::ops::Range<usize>,
        mass: f32,
    ) -> Sums {
        let n = range.len();
        let mut sums = Sums {
            score: vec![0.0; n],
            cover: vec![0.0; n],
            name: vec![0.0; n],
            found: Vec::with_capacity(words.len()),
        };
        let leads = words.len() > 1 && words.first().is_some_and(|w| is_deed(&w.stem));
        let mut scratch = vec![0.0; n];
        for (word_idx, word) in words.iter().enumerate() {
            let share = if leads && word_idx == 0 { VERB } else { 1.0 };
            let (mut found, mut named) = (vec![0.0f32; n], vec![0.0f32; n]);
            let others = kin(&word.stem).iter().filter(|k| words.iter().all(|w| w.stem != **k));
            let stand_ins = others.map(|other| (other, KIN));
            for (stem, counts) in std::iter::once((&word.stem, 1.0)).chain(stand_ins) {
                let touched =
                    self.add_fields(stem, counts, fields, &range, &mut scratch, &mut named);
                for idx in touched {
                    let sum = std::mem::take(&mut scratch[idx]);
                    found[idx] = found[idx].max(sum / (SATURATION + sum) * counts);
                }
            }
            for idx in (0..n).filter(|idx| found[*idx] > 0.0) {
                sums.score[idx] += share * word.weight * found[idx];
                sums.cover[idx] += word.weight * (found[idx] * 2.0).min(1.0) / mass;
                sums.name[idx] += word.weight * named[idx];
            }
            sums.found.push(found.iter().map(|f| *f > FOUND).collect());
        }
        let weight =
            |stem: &String| words.iter().find(|w| w.stem == *stem).map_or(0.0, |word| word.weight);
        for (pair, two) in side_by_side(sequence).zip(sequence.windows(2)) {
            let counts = PAIR * 0.5 * (weight(&two[0]) + weight(&two[1]));
            self.each(pairs, &pair, |number, _| {
                if let Some(idx) = (number as usize).checked_sub(range.start).filter(|i| *i < n) {
                    sums.score[idx] += counts;
                }
            });
        }
        sums
    }

    /// Adds what one stem counts in each field to `sums`, and says which documents have it.
    fn add_fields(
        &self,
        stem: &str,
        counts: f32,
        fields: &[(Field, f32)],
        range: &std::ops::Range<usize>,
        sums: &mut [f32],
        named: &mut [f32],
    ) -> Vec<usize> {
        let mut touched = Vec::new();
        for (field, weight) in fields {
            let Some(lengths) = self.lengths(*field) else { continue };
            let average = self.average(*field, range.len());
            let is_name = matches!(field, Field::Name | Field::Interface);
            self.each(*field, stem, |number, n_times| {
                let Some(idx) = (number as usize).checked_sub(range.start) else { return };
                if idx >= sums.len() {
                    return;
                }
                let length = lengths.fieldnorm(number) as f32 / average;
                if sums[idx] <= 0.0 {
                    touched.push(idx);
                }
                sums[idx] += weight * n_times / (1.0 - LENGTH + LENGTH * length);
                if is_name {
                    named[idx] = named[idx].max(counts);
                }
            });
        }
        touched
    }

    fn lengths(&self, field: Field) -> Option<tantivy::fieldnorm::FieldNormReader> {
        self.segment.get_fieldnorms_reader(self.field(field)).ok()
    }

    fn average(&self, field: Field, n: usize) -> f32 {
        let index = self.segment.inverted_index(self.field(field));
        let n_words = index.map_or(0, |index| index.total_num_tokens());
        (n_words as f32 / (n as f32).max(1.0)).max(1.0)
    }

    /// Every document that has `word` in `field`, and how often.
    fn each(&self, field: Field, word: &str, mut found: impl FnMut(u32, f32)) {
        let term = Term::from_field_text(self.field(field), word);
        let option = IndexRecordOption::WithFreqs;
        let Ok(index) = self.segment.inverted_index(self.field(field)) else { return };
        let Ok(Some(mut postings)) = index.read_postings(&term, option) else { return };
        let mut number = postings.doc();
        while number != TERMINATED {
            found(number, postings.term_freq() as f32);
            number = postings.advance();
        }
    }

    /// An interface that many words point at lifts its members a little; a strong member lifts its interface.
    fn lent(&self, scores: &[f32]) -> Vec<f32> {
        let mut lent = scores.to_vec();
        let mut up = vec![0.0f32; scores.len()];
        for (idx, one) in self.listing.listed.iter().enumerate() {
            let Some(interface) = one.interface.map(|i| i as usize) else { continue };
            lent[idx] += LENT * scores[interface];
            up[interface] = up[interface].max(scores[idx]);
        }
        for (score, up) in lent.iter_mut().zip(up) {
            *score += LENT * up;
        }
        lent
    }

    /// The best of `order`, each further one of the same interface stepping back a little.
    fn spread(&self, order: &[u32], scores: &[f32], most: usize) -> Vec<(u32, f32)> {
        const WINDOW: usize = 25;
        let mut left: Vec<u32> = order.to_vec();
        let mut taken: Vec<(u32, f32)> = Vec::new();
        let mut siblings: std::collections::BTreeMap<u32, i32> = std::collections::BTreeMap::new();
        while !left.is_empty() && taken.len() < most {
            let kept = |number: u32| {
                let n_before = siblings.get(&self.interface_of(number)).copied().unwrap_or(0);
                scores[number as usize] * SIBLING.powi(n_before)
            };
            let mut best_idx = 0;
            for idx in 1..left.len().min(WINDOW) {
                if kept(left[idx]) > kept(left[best_idx]) {
                    best_idx = idx;
                }
            }
            let number = left.remove(best_idx);
            taken.push((number, kept(number)));
            *siblings.entry(self.interface_of(number)).or_default() += 1;
        }
        taken
    }

    /// The number of a symbol's interface; an interface is its own, and so is a global.
    pub fn interface_of(&self, number: u32) -> u32 {
        self.listing.symbol(number).and_then(|one| one.interface).unwrap_or(number)
    }
}

/// How much a stem says among `n` documents: the rarer, the more.
pub(super) fn weight(
    segment: &SegmentReader,
    field: tantivy::schema::Field,
    stem: &str,
    n: usize,
) -> f32 {
    let term = Term::from_field_text(field, stem);
    let index = segment.inverted_index(field);
    let n_with = index.ok().and_then(|i| i.doc_freq(&term).ok()).unwrap_or(0) as f32;
    (1.0 + (n as f32 - n_with + 0.5).max(0.0) / (n_with + 0.5)).ln()
}

/// The numbers with the highest scores above nothing, best first.
fn best(scores: &[f32], most: usize) -> Vec<u32> {
    let mut order: Vec<u32> =
        (0..).zip(scores).filter(|(_, score)| **score > 0.0).map(|(number, _)| number).collect();
    order.sort_by(|a, b| scores[*b as usize].total_cmp(&scores[*a as usize]).then(a.cmp(b)));
    order.truncate(most);
    order
}
