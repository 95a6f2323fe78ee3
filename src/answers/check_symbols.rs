//! `check_symbols`: does what this code uses exist?
//!
//! Judging takes two steps, so that a caller reads no more of a project than it must: [`judge`] says what each access
//! is by the apis alone, and [`silence`] takes back what the project's own code gives. Nothing is called invented
//! unless the receiver is known, closed, and lacks the member in every part of its type and everything narrower.

use super::cautions::{Cautions, is_internal, is_nearly};
use super::elsewhere::of_what_is_set;
use super::environments::{elsewhere, is_brought_elsewhere, is_built_in_elsewhere};
use super::free_names::{Claim, Extent, FreeName, free_names};
use super::infer::{Inference, Meanings};
use super::misuse::{Misuse, misuses, named_api, shown};
use super::names::NameUses;
use super::suggest::{Candidate, MAX_SUGGESTIONS, is_slip, suggest};
pub use super::suggest::{Ground, Suggestion};
use super::usual::Usual;
use crate::base::{Lines, Name, Place, Span, Stop};
use crate::corpus::lookup::without_elsewhere;
use crate::corpus::signatures::Way;
use crate::corpus::{Corpus, Lookup, Reason};
use crate::datagraph::{Datagraph, InterfaceKind, Key, Side};
use crate::sources::script::{
    Access, Allowance, ExprId, ExpressionKind, Imported, Receiver, Script, Usage,
};
use crate::types::{Member, MemberKind, Type, TypeName};
use std::collections::BTreeSet;

/// A text to check.
#[derive(Debug, Clone)]
pub struct Code {
    /// How the answer names it.
    pub path: String,
    /// What it says.
    pub text: String,
    /// The same, lowered.
    pub script: Script,
    /// Whether that is all of it.
    pub extent: Extent,
}

/// What was found in one text.
#[derive(Debug, Clone, Default)]
pub struct Checked {
    /// How the answer names it.
    pub path: String,
    /// Every access and import, and every name that nothing declares, in the order of the text.
    pub accesses: Vec<Judged>,
    /// What exists and is used otherwise than it is declared, in the order of the text.
    pub misuses: Vec<Misuse>,
    /// The findings that comments allow, with the lines for which they hold.
    pub allowed: Vec<Allowed>,
    /// How many stretches of the text are not whole and were left out.
    pub n_broken: usize,
}

impl Checked {
    /// Takes in what was found in another script of the same text.
    pub fn add(&mut self, other: Checked) {
        self.accesses.extend(other.accesses);
        self.accesses.sort_by_key(|judged| judged.place);
        self.misuses.extend(other.misuses);
        self.misuses.sort_by_key(|misuse| misuse.place);
        self.allowed.extend(other.allowed);
        self.n_broken += other.n_broken;
    }
}

/// A comment that allows a finding.
#[derive(Debug, Clone)]
pub struct Allowed {
    /// What it says.
    pub allowance: Allowance,
    /// Where it says so.
    pub place: Place,
    /// The first and the last line of the comment.
    pub lines: (u32, u32),
}

/// One access and what is said about it.
#[derive(Debug, Clone)]
pub struct Judged {
    /// What was judged.
    pub kind: Kind,
    /// Where its name stands.
    pub place: Place,
    /// The member's name.
    pub member: Name,
    /// What stands left of the dot, as the code spells it; empty where a pattern takes the member.
    pub receiver: String,
    /// The receiver's type; empty where it is not known.
    pub receiver_type: String,
    /// How it is used.
    pub usage: Usage,
    /// What is said.
    pub verdict: Verdict,
    on_global_scope: bool,
    guarded: bool,
    claim: Claim,
}

/// What was judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `receiver.member`.
    Member,
    /// `import { member }`.
    Import,
    /// `member` alone, where neither the text nor an api declares it.
    Name,
}

/// What is said about an access.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// It exists.
    Known,
    /// The receiver is known and closed and has no such member.
    Invented(Invention),
    /// Nothing is claimed.
    Doubt(Reason),
}

/// What is known about an invented member.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Invention {
    /// The type that lacks it.
    pub owner: String,
    /// The apis that declare that type, as `name version`.
    pub apis: Vec<String>,
    /// The real members that are most likely meant, best first; where none is, what the checked code uses on such receivers.
    pub instead: Vec<Suggestion>,
    /// Other types that have exactly this member, where nothing on the receiver comes near.
    pub elsewhere: Vec<String>,
    key: Option<Key>,
    near: Vec<Name>,
}

impl Invention {
    /// Whether the built-in web alone declares the type that lacks the member.
    fn is_of_built_in_web(&self, corpus: &Corpus) -> bool {
        let Some(key) = &self.key else { return false };
        let mut apis = corpus.apis_of(key).peekable();
        apis.peek().is_some() && apis.all(is_built_in_web)
    }

    /// Whether the type that lacks the member is one of these of the language.
    fn is_of_language(&self, names: &[&str]) -> bool {
        self.key.as_ref().is_some_and(|key| {
            key.side == Side::Type
                && key.name.module.is_empty()
                && names.contains(&key.name.path.as_str())
        })
    }

    /// Whether the type that lacks the member is `base`, or `base` inherits from it.
    fn is_above(&self, corpus: &Corpus, base: &str) -> bool {
        self.key.as_ref().is_some_and(|key| {
            key.side == Side::Type && (key.name.last() == base || corpus.is_above(key, base))
        })
    }

    /// Whether something of the project that declares the member may stand for the type that lacks it: it inherits from
    /// that type, or from something that nobody knows.
    fn may_be_an_heir(&self, corpus: &Corpus, uses: &NameUses, member: &str) -> bool {
        let known = |base: &str| uses.has_class(base) || corpus.names_type(base);
        let mut bases = uses.inherited(member).into_iter();
        bases.any(|base| self.is_above(corpus, base) || !known(base))
    }

    /// Whether a class can stand for the type that lacks the member: not for a module, a primitive or an array.
    fn may_be_extended(&self, corpus: &Corpus) -> bool {
        let of_language = ["String", "Number", "Boolean", "Symbol", "BigInt", "Array", "Function"];
        self.key.as_ref().is_some_and(|key| {
            let global = key.name.module.is_empty();
            let plain = global && of_language.contains(&key.name.path.as_str());
            let module = corpus.interfaces(key).any(|i| {
                matches!(
                    i.kind,
                    InterfaceKind::Module | InterfaceKind::Namespace | InterfaceKind::Globals
                )
            });
            !plain && !module
        })
    }
}

/// What cannot be given members.
const PRIMITIVES: [&str; 5] = ["String", "Number", "Boolean", "Symbol", "BigInt"];

/// How many accesses are judged between two looks at the stop sign.
const GLANCE: usize = 64;

/// Judges every access of a text by the apis alone; ends early, with what there is, when `stop` is set.
pub fn judge(corpus: &Corpus, code: &Code, stop: &Stop) -> Checked {
    let meanings = Meanings::new();
    judge_among(&Sight { apis: corpus, whole: corpus, meanings: &meanings }, code, stop)
}

/// What a script may see.
pub struct Sight<'s> {
    /// The apis.
    pub apis: &'s Corpus,
    /// The apis and the modules of the project.
    pub whole: &'s Corpus,
    /// Which of those modules the script's imports mean.
    pub meanings: &'s Meanings,
}

/// The same of a text whose imports mean modules of the project.
pub fn judge_among(sight: &Sight<'_>, code: &Code, stop: &Stop) -> Checked {
    let Sight { apis, whole: corpus, meanings } = *sight;
    let lines = Lines::of(&code.text);
    let mut inference = Inference::among(corpus, &code.script, meanings);
    let cautions = Cautions::of(&code.script);
    let mut accesses = Vec::with_capacity(code.script.accesses.len());
    let (claim, free) = free_names(corpus, &code.script, &code.text, code.extent);
    for (i, access) in code.script.accesses.iter().enumerate() {
        if i % GLANCE == 0 && stop.is_set() {
            break;
        }
        accesses.push(judge_access(&mut inference, code, &lines, access, &cautions));
    }
    for import in &code.script.imports {
        let Imported::Name(name) = &import.imported else { continue };
        accesses.push(judge_import(corpus, code, &lines, &import.module, name, import.span));
    }
    for judged in accesses.iter_mut().filter(|a| a.on_global_scope) {
        judged.claim = claim;
    }
    accesses.extend(free.into_iter().map(|free| judge_name(corpus, code, &lines, claim, free)));
    accesses.sort_by_key(|a| a.place);
    // What the code says of its own modules is no declaration that calls are held against.
    if !meanings.is_empty() {
        inference = Inference::new(apis, &code.script);
    }
    let misuses = misuses(&mut inference, &code.text, &lines, &cautions, stop);
    let allowed = code.script.allowances.iter().map(|allowance| Allowed {
        allowance: allowance.clone(),
        place: lines.place(&code.text, allowance.span.start),
        lines: (lines.line(allowance.comment.start), lines.line(allowance.comment.end)),
    });
    let (allowed, n_broken) = (allowed.collect(), code.script.broken.len());
    Checked { path: code.path.clone(), accesses, misuses, allowed, n_broken }
}

/// The names of those candidates that stand by themselves.
pub fn plain_candidates(checked: &[Checked]) -> BTreeSet<Name> {
    let invented = checked.iter().flat_map(|c| &c.accesses).filter(|a| is_invented(a));
    invented.filter(|a| a.on_global_scope).map(|a| a.member.clone()).collect()
}

/// The names that are candidates for an invention, or for a misuse that the project may make right.
pub fn candidates(checked: &[Checked]) -> Vec<Name> {
    // What the code asks for before it uses it is no invention, whatever the project gives.
    let invented =
        checked.iter().flat_map(|c| &c.accesses).filter(|a| is_invented(a) && !a.guarded);
    let misused = checked.iter().flat_map(|c| &c.misuses).filter(|m| m.depends_on_project());
    let mut names: Vec<Name> = invented.map(|a| a.member.clone()).collect();
    names.extend(misused.map(|m| m.member.clone()));
    names.sort();
    names.dedup();
    names
}

/// Takes back what the project's own code gives, and looks for what is meant by the rest.
pub fn silence(corpus: &Corpus, checked: &mut [Checked], uses: &NameUses) {
    for one in checked.iter_mut() {
        one.misuses.retain(|misuse| !misuse.depends_on_project() || !uses.gives(&misuse.member));
    }
    if !checked.iter().flat_map(|c| &c.accesses).any(is_invented) {
        return;
    }
    let usual = usual(checked);
    for judged in checked.iter_mut().flat_map(|c| &mut c.accesses) {
        let Verdict::Invented(invention) = &mut judged.verdict else { continue };
        if judged.kind == Kind::Name {
            let (name, usage) = (&judged.member, judged.usage);
            if let Some(why) = silence_name(corpus, name, usage, judged.claim, invention, uses) {
                judged.verdict = Verdict::Doubt(why);
            }
            continue;
        }
        let given = match judged.on_global_scope {
            true => uses.gives_globally(&judged.member) || uses.gives_plainly(&judged.member),
            false => {
                // What is set on a string or number is lost, so setting it gives nothing.
                let gives = match invention.is_of_language(&PRIMITIVES) {
                    true => uses.declares(&judged.member),
                    false => uses.gives(&judged.member),
                };
                judged.kind == Kind::Member
                    && (gives
                        || uses.dynamic_bases().any(|base| invention.is_above(corpus, base))
                        || invention.may_be_extended(corpus)
                            && (uses.tells(&judged.member)
                                || invention.may_be_an_heir(corpus, uses, &judged.member)))
            }
        };
        if given {
            judged.verdict = Verdict::Doubt(Reason::ProjectSets);
        } else if judged.guarded {
            judged.verdict = Verdict::Doubt(Reason::Guarded);
        } else {
            instead(corpus, &judged.member, judged.usage, invention);
            // Pages and hosts add to the global scope what no script shows, and browsers have more than the built-in
            // web lists: there only what is near a real name is claimed, and on the global scope what a plain name may be.
            let lists_all = !invention.is_of_built_in_web(corpus)
                && (!judged.on_global_scope
                    || matches!(judged.usage, Usage::Read | Usage::Called)
                        && uses.show_all(judged.claim)
                        && !is_brought_elsewhere(&judged.member)
                        && !is_built_in_elsewhere(&judged.member));
            if !lists_all && invention.instead.is_empty() {
                judged.verdict =
                    Verdict::Doubt(Reason::Open("there may be more than is listed".into()));
            } else if invention.instead.is_empty() {
                fill(corpus, usual.most(&judged.receiver_type, judged.usage), invention);
            }
        }
    }
}

/// Looks for what is meant by a name, and says why it is not claimed to be invented after all.
fn silence_name(
    corpus: &Corpus,
    name: &Name,
    usage: Usage,
    claim: Claim,
    invention: &mut Invention,
    uses: &NameUses,
) -> Option<Reason> {
    if uses.gives_plainly(name) {
        return Some(Reason::ProjectSets);
    }
    instead(corpus, name, usage, invention);
    // Browsers have more classes than the built-in web lists.
    let may_be_new =
        name.starts_with(char::is_uppercase) && corpus.graphs.iter().any(|g| is_built_in_web(g));
    let slip = || invention.instead.iter().any(|meant| is_slip(name, &meant.member));
    let is_claimed = uses.show_all(claim) && !may_be_new || slip();
    (!is_claimed || is_built_in_elsewhere(name)).then(|| Reason::UnknownName(name.clone()))
}

fn is_invented(judged: &Judged) -> bool {
    matches!(judged.verdict, Verdict::Invented(_))
}

fn judge_access(
    inference: &mut Inference<'_>,
    code: &Code,
    lines: &Lines,
    access: &Access,
    cautions: &Cautions,
) -> Judged {
    let ty = inference.receiver(access.receiver);
    let lookup = match without_elsewhere(&ty) {
        Some(set_here) => of_what_is_set(inference, &set_here, &access.name),
        None => inference.lookup(&ty, &access.name),
    };
    let private = access.name.starts_with('#') || is_internal(&access.name);
    let stands_for_more = matches!(inference.corpus.resolve(&ty), Type::Boolean | Type::Truth(_));
    let verdict = match lookup {
        Lookup::Known(_) => Verdict::Known,
        Lookup::Missing(_) if private => Verdict::Doubt(Reason::Internal),
        // What a program tells with an error it writes on it.
        Lookup::Missing(_)
            if access.usage == Usage::Written
                && inference.corpus.as_named(&ty, "Error").is_some() =>
        {
            Verdict::Doubt(Reason::OwnCode)
        }
        // Nobody asks a boolean for members: what is `false` here is an object elsewhere.
        Lookup::Missing(_) if stands_for_more => Verdict::Doubt(Reason::SeveralKinds),
        Lookup::Missing(key) => {
            let invention = invention(inference.corpus, key);
            match is_added(inference.corpus, cautions, access, &invention) {
                true => Verdict::Doubt(Reason::Open("the code may add to what it has".into())),
                false => Verdict::Invented(invention),
            }
        }
        Lookup::Doubt(why) => Verdict::Doubt(why),
    };
    let receiver = match access.receiver {
        Receiver::Expression(_, object) => spelt(code, object),
        Receiver::Value(_) => String::new(),
    };
    Judged {
        kind: Kind::Member,
        place: lines.place(&code.text, access.span.start),
        member: access.name.clone(),
        receiver,
        receiver_type: shown(&ty),
        usage: access.usage,
        verdict,
        on_global_scope: inference.is_global_scope(access.receiver),
        guarded: cautions.is_tested(&access.name),
        claim: Claim::All,
    }
}

/// Whether the code may have given one of the language's own things this member: a package that is loaded for its effect
/// alone, or the script an array of its own. Nobody adds what is nearly the name of what is there.
fn is_added(corpus: &Corpus, cautions: &Cautions, access: &Access, invention: &Invention) -> bool {
    let extended = ["String", "Number", "Boolean", "Array", "Function", "Object", "Date", "RegExp"];
    let Some(key) = &invention.key else { return false };
    let set = access.usage == Usage::Written && invention.is_of_language(&["Array"]);
    let loaded = invention.is_of_language(&extended) && cautions.loads_for_effect;
    (set || loaded) && !corpus.members_of(key).iter().any(|(name, _)| is_nearly(&access.name, name))
}

fn judge_name(corpus: &Corpus, code: &Code, lines: &Lines, claim: Claim, free: FreeName) -> Judged {
    let verdict = match free.doubt {
        Some(why) => Verdict::Doubt(why),
        None if is_internal(&free.name) => Verdict::Doubt(Reason::Internal),
        None => {
            Verdict::Invented(Invention { near: free.near, ..invention(corpus, Key::globals()) })
        }
    };
    Judged {
        kind: Kind::Name,
        place: lines.place(&code.text, free.span.start),
        member: free.name,
        receiver: String::new(),
        receiver_type: "the global scope".to_string(),
        usage: free.usage,
        verdict,
        on_global_scope: true,
        guarded: false,
        claim,
    }
}

/// The receiver as the code spells it, where that is short.
fn spelt(code: &Code, object: ExprId) -> String {
    let text = code.script.expressions[object.idx()].span.of(&code.text);
    let plain = text.chars().count() <= 48 && !text.contains(['\n', '\r']);
    let kind = &code.script.expressions[object.idx()].kind;
    let literal = matches!(
        kind,
        ExpressionKind::Text(_) | ExpressionKind::Template | ExpressionKind::Array(_)
    );
    if plain && !literal { text.to_string() } else { "…".to_string() }
}

fn judge_import(
    corpus: &Corpus,
    code: &Code,
    lines: &Lines,
    specifier: &Name,
    name: &Name,
    span: Span,
) -> Judged {
    let verdict = match corpus.module(specifier) {
        None => Verdict::Doubt(Reason::UnknownName(specifier.clone())),
        Some(module) => {
            let exports = Type::Typeof(std::sync::Arc::new(TypeName::within(module.clone(), "")));
            match corpus.lookup(&exports, name) {
                Lookup::Known(_) => Verdict::Known,
                Lookup::Missing(_) if corpus.has_type(&TypeName::within(module, name.as_str())) => {
                    Verdict::Known
                }
                Lookup::Missing(key) => Verdict::Invented(invention(corpus, key)),
                Lookup::Doubt(why) => Verdict::Doubt(why),
            }
        }
    };
    Judged {
        kind: Kind::Import,
        place: lines.place(&code.text, span.start),
        member: name.clone(),
        receiver: String::new(),
        receiver_type: format!("module {specifier}"),
        usage: Usage::Read,
        verdict,
        on_global_scope: false,
        guarded: false,
        claim: Claim::All,
    }
}

fn invention(corpus: &Corpus, key: Key) -> Invention {
    let apis = corpus.apis_of(&key).map(named_api).collect();
    Invention { owner: key.to_string(), apis, key: Some(key), ..Invention::default() }
}

/// Fills in what is meant.
fn instead(corpus: &Corpus, member: &Name, usage: Usage, invention: &mut Invention) {
    let Some(key) = &invention.key else { return };
    let members: Vec<(Name, Member)> = corpus
        .members_of(key)
        .into_iter()
        .filter_map(|(name, owner)| {
            let declared = corpus.interfaces(&owner).find_map(|i| i.shape.members.get(&name))?;
            // What is listened to is no replacement for what is read or called.
            (declared.kind != MemberKind::Event).then(|| (name, declared.clone()))
        })
        .collect();
    let called = matches!(usage, Usage::Called | Usage::Constructed);
    // What holds where a name stands was chosen for it already.
    let is_member = |name: &Name| members.iter().any(|(member, _)| member == name);
    let near = invention.near.iter().filter(|name| !is_member(name));
    let near = near.map(|name| Candidate { name: name.clone(), callable: called });
    let candidates: Vec<Candidate> = members
        .iter()
        .map(|(name, m)| Candidate { name: name.clone(), callable: is_callable(corpus, m) })
        .chain(near)
        .collect();
    invention.instead = suggest(member, called, &candidates)
        .into_iter()
        .map(|name| match members.iter().find(|(n, _)| *n == name) {
            Some((_, declared)) => suggestion(corpus, name, declared),
            None => Suggestion {
                member: name,
                signature: String::new(),
                parameters: None,
                ground: Ground::Likeness,
            },
        })
        .collect();
    if invention.instead.is_empty() {
        invention.elsewhere = elsewhere(corpus, member);
    }
}

fn is_built_in_web(graph: &Datagraph) -> bool {
    graph.api == "web" && graph.version.starts_with("typescript-")
}

/// Which members the checked code uses, by the types of their receivers.
fn usual(checked: &[Checked]) -> Usual {
    let mut usual = Usual::default();
    for judged in checked.iter().flat_map(|c| &c.accesses) {
        if judged.verdict == Verdict::Known && judged.kind == Kind::Member {
            usual.note(&judged.receiver_type, judged.usage, &judged.member);
        }
    }
    usual
}

/// Names what the code uses most on such receivers, for an invention that is like nothing.
fn fill(corpus: &Corpus, used: Vec<&Name>, invention: &mut Invention) {
    let Some(key) = &invention.key else { return };
    let members = corpus.members_of(key);
    for name in used {
        if invention.instead.len() >= MAX_SUGGESTIONS {
            return;
        }
        let owner = members.iter().find(|(member, _)| member == name);
        let declared = owner.and_then(|(_, owner)| {
            corpus.interfaces(owner).find_map(|i| i.shape.members.get(name.as_str()))
        });
        if let Some(declared) = declared {
            let found = suggestion(corpus, name.clone(), declared);
            invention.instead.push(Suggestion { ground: Ground::Use, ..found });
        }
    }
}

fn is_callable(corpus: &Corpus, member: &Member) -> bool {
    match member.kind {
        MemberKind::Method => true,
        MemberKind::Property => matches!(
            corpus.resolve(&member.declared.present()),
            Type::Function(_) | Type::Constructor(_)
        ),
        MemberKind::Event => false,
    }
}

fn suggestion(corpus: &Corpus, name: Name, member: &Member) -> Suggestion {
    let signatures = corpus.signatures(&member.gives(), Way::Call);
    match (member.kind, signatures.first()) {
        (MemberKind::Method, Some(first)) => Suggestion {
            member: name,
            signature: first.to_string(),
            parameters: Some(
                first
                    .parameters
                    .iter()
                    .filter(|p| p.arity == crate::types::Arity::Required)
                    .map(|p| p.name.clone())
                    .collect(),
            ),
            ground: Ground::Likeness,
        },
        _ => Suggestion {
            member: name,
            signature: format!(": {}", member.declared),
            parameters: None,
            ground: Ground::Likeness,
        },
    }
}
