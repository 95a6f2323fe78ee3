//! What becomes of findings: which kind each is, what the code's own comments allow, and what the project switches off.

use super::check_symbols::{Allowed, Checked, Judged, Kind, Verdict};
use super::misuse::{Misuse, Wrong};
use crate::base::{Name, to_u32};
use crate::corpus::Reason;
use crate::sources::script::Beside;
use crate::sources::settings::levels::{FindingKind, Level, Levels};
use std::collections::BTreeSet;

/// Which kind of finding an access is; `None` where nothing is found.
pub fn kind_of(judged: &Judged) -> Option<FindingKind> {
    let Verdict::Invented(invention) = &judged.verdict else { return None };
    let mut instead = invention.instead.iter().map(|s| &s.member);
    if instead.any(|meant| meant.to_lowercase() == judged.member.to_lowercase()) {
        return Some(FindingKind::Case);
    }
    Some(match judged.kind {
        Kind::Member => FindingKind::Member,
        Kind::Import => FindingKind::Import,
        Kind::Name => FindingKind::Name,
    })
}

/// The level of the heaviest finding; [`Level::Off`] where there is none.
pub fn heaviest(checked: &[Checked], levels: &Levels) -> Level {
    let invented = checked.iter().flat_map(|c| &c.accesses).filter_map(kind_of);
    let misused = checked.iter().flat_map(|c| &c.misuses).map(Misuse::kind);
    invented.chain(misused).map(|kind| levels.of(kind)).max().unwrap_or(Level::Off)
}

/// Takes away what comments allow, and tells which of them allow nothing or give no reason.
pub fn allow(checked: &mut Checked) {
    let alone = checked.allowed.iter().filter(|a| a.allowance.beside == Beside::Nothing);
    let alone: BTreeSet<(u32, u32)> = alone.map(|a| a.lines).collect();
    let mut told: Vec<Misuse> = Vec::new();
    for allowed in std::mem::take(&mut checked.allowed) {
        let wrong = match allowed.allowance.reason.is_empty() {
            true => Some(Wrong::Unreasoned),
            false => (!takes_away(checked, &allowed, &alone)).then_some(Wrong::Unused),
        };
        told.extend(wrong.map(|wrong| directive(&allowed, wrong)));
    }
    checked.misuses.extend(told);
    checked.misuses.sort_by_key(|misuse| misuse.place);
}

/// Takes away everything that a comment allows; whether there was anything.
fn takes_away(checked: &mut Checked, allowed: &Allowed, alone: &BTreeSet<(u32, u32)>) -> bool {
    let (first, last) = match allowed.allowance.beside {
        Beside::Code => allowed.lines,
        Beside::Nothing => {
            // Comments that stand below each other hold for the same line.
            let mut next = allowed.lines.1.saturating_add(1);
            let from =
                |line: u32| alone.range((line, 0)..).next().filter(|(start, _)| *start == line);
            while let Some((_, end)) = from(next) {
                next = end.saturating_add(1);
            }
            (next, next)
        }
    };
    let holds =
        |line: u32, name: &Name| *name == allowed.allowance.name && (first..=last).contains(&line);
    let n_before = checked.misuses.len();
    checked.misuses.retain(|misuse| !holds(misuse.place.line, &misuse.member));
    let mut is_used = checked.misuses.len() < n_before;
    for judged in &mut checked.accesses {
        if matches!(judged.verdict, Verdict::Invented(_))
            && holds(judged.place.line, &judged.member)
        {
            judged.verdict = Verdict::Doubt(Reason::Allowed("a comment".into()));
            is_used = true;
        }
    }
    is_used
}

fn directive(allowed: &Allowed, wrong: Wrong) -> Misuse {
    let span = allowed.allowance.span;
    Misuse {
        place: allowed.place,
        width: to_u32(span.end.saturating_sub(span.start) as usize),
        member: allowed.allowance.name.clone(),
        receiver: String::new(),
        receiver_type: String::new(),
        apis: Vec::new(),
        wrong,
    }
}

/// Takes away the kinds that the project switches off.
pub fn weigh(checked: &mut Checked, levels: &Levels) {
    let is_off = |kind: FindingKind| levels.of(kind) == Level::Off;
    checked.misuses.retain(|misuse| !is_off(misuse.kind()));
    for judged in &mut checked.accesses {
        if kind_of(judged).is_some_and(is_off) {
            judged.verdict = Verdict::Doubt(Reason::Allowed("groundline.toml".into()));
        }
    }
}
