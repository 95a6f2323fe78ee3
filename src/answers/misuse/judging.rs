//! A script's accesses, names, imports and calls, each asked whether it is misused.

use super::callee::{self, Called};
use super::given::{self, shown};
use super::wrong::{Misuse, Subject, Wrong, apis};
use super::{arity, keys, misfit, noted};
use crate::answers::cautions::Cautions;
use crate::answers::infer::Inference;
use crate::base::{Lines, Span, Stop};
use crate::corpus::noted::Declaration;
use crate::corpus::signatures::Way;
use crate::sources::script::{
    Access, Argument, Call, ExprId, ExpressionKind, Imported, Receiver, Script,
};
use crate::types::{Signature, Type};
use std::collections::BTreeSet;

/// How many things are judged between two looks at the stop sign.
const GLANCE: usize = 64;

/// A text that is judged, with what is known of it.
struct Judging<'j, 'a> {
    inference: &'j mut Inference<'a>,
    script: &'a Script,
    text: &'j str,
    lines: &'j Lines,
    found: Vec<Misuse>,
}

/// Everything in a script that is misused; ends early, with what there is, when `stop` is set.
pub fn misuses(
    inference: &mut Inference<'_>,
    text: &str,
    lines: &Lines,
    cautions: &Cautions,
    stop: &Stop,
) -> Vec<Misuse> {
    let script = inference.script;
    let mut judging = Judging { inference, script, text, lines, found: Vec::new() };
    for (i, access) in script.accesses.iter().enumerate() {
        if i % GLANCE == 0 && stop.is_set() {
            return judging.found;
        }
        // Who asks whether something is there knows what it is.
        let is_asked = access.tested || cautions.is_tested(&access.name);
        if !is_asked {
            judging.access(access);
        }
    }
    judging.names(cautions);
    for (i, expression) in script.expressions.iter().enumerate() {
        if i % GLANCE == 0 && stop.is_set() {
            return judging.found;
        }
        match &expression.kind {
            ExpressionKind::Call(call) => judging.call(call, Way::Call),
            ExpressionKind::New(call) => judging.call(call, Way::Construct),
            _ => {}
        }
    }
    let mut found = judging.found;
    let unchecked = unchecked_lines(text);
    found.retain(|misuse| !unchecked.contains(&misuse.place.line));
    found.sort_by(|a, b| (a.place, &a.member).cmp(&(b.place, &b.member)));
    found.dedup_by(|a, b| a.place == b.place && a.member == b.member && a.kind() == b.kind());
    found
}

/// Lines that a comment before them keeps from TypeScript's own checker.
fn unchecked_lines(text: &str) -> BTreeSet<u32> {
    let says = |line: &str| line.contains("@ts-ignore") || line.contains("@ts-expect-error");
    (2u32..).zip(text.lines()).filter(|(_, line)| says(line)).map(|(next, _)| next).collect()
}

impl Judging<'_, '_> {
    /// What is wrong with a member that is known.
    fn access(&mut self, access: &Access) {
        let corpus = self.inference.corpus;
        let may_be_deprecated = corpus.may_be_deprecated(&access.name);
        if !may_be_deprecated && !noted::is_written(access.usage) {
            return;
        }
        let ty = self.inference.receiver(access.receiver);
        let declared = callee::declared_in(self.inference, &ty, &access.name);
        if declared.is_empty() {
            return;
        }
        if may_be_deprecated && let Some(wrong) = noted::deprecated(corpus, &declared, &access.name)
        {
            self.tell(access, &ty, &declared, wrong);
        }
        let is_loose = match access.receiver {
            Receiver::Expression(_, object) => noted::is_loose(self.script, object),
            Receiver::Value(_) => false,
        };
        if noted::is_written(access.usage)
            && !is_loose
            && noted::is_read_only(corpus, &declared, &access.name)
        {
            self.tell(access, &ty, &declared, Wrong::ReadOnly);
        }
    }

    fn tell(&mut self, access: &Access, ty: &Type, declared: &[Declaration], wrong: Wrong) {
        let object = match access.receiver {
            Receiver::Expression(_, object) => Some(object),
            Receiver::Value(_) => None,
        };
        let subject = Subject { member: &access.name, of: &access.name, object, ty, declared };
        self.push(access.span, &subject, wrong);
    }

    /// Global names and imports that are deprecated.
    fn names(&mut self, cautions: &Cautions) {
        let corpus = self.inference.corpus;
        for (idx, expression) in (0u32..).zip(&self.script.expressions) {
            let ExpressionKind::Name(name, None) = &expression.kind else { continue };
            if !corpus.may_be_deprecated(name) || cautions.is_tested(name) {
                continue;
            }
            // A name that scripts set is theirs, and within `with` it may be a member of anything.
            let is_own = self.script.free_writes.binary_search(name).is_ok();
            let is_known = self.inference.expression(ExprId(idx)) != Type::Unknown;
            let declared = callee::declared_globally(corpus, name);
            if !is_own
                && is_known
                && let Some(wrong) = noted::deprecated(corpus, &declared, name)
            {
                let ty = &Type::Unknown;
                let declared = declared.as_slice();
                let subject = Subject { member: name, of: name, object: None, ty, declared };
                self.push(expression.span, &subject, wrong);
            }
        }
        for import in &self.script.imports {
            let Imported::Name(name) = &import.imported else { continue };
            let Some(module) = corpus.module(&import.module) else { continue };
            let exports = noted::exports(module);
            let declared = corpus.declarations_of(&exports, name);
            if let Some(wrong) = noted::deprecated(corpus, &declared, name) {
                let ty = &exports;
                let declared = declared.as_slice();
                let subject = Subject { member: name, of: name, object: None, ty, declared };
                self.push(import.span, &subject, wrong);
            }
        }
    }

    /// What is wrong with a call or construction.
    fn call(&mut self, call: &Call, way: Way) {
        let Some(called) = callee::called(self.inference, call, way) else { return };
        let corpus = self.inference.corpus;
        if called.signatures.is_empty() {
            if let Some(wrong) = callee::not_callable(corpus, &called, call, way) {
                self.push(called.span, &called.subject(), wrong);
            }
            return;
        }
        if call.arguments.iter().any(|argument| matches!(argument, Argument::Spread(_))) {
            return;
        }
        let fitting = match arity::taking(corpus, &called.signatures, call.arguments.len()) {
            arity::Taking::These(fitting) => fitting,
            arity::Taking::Unsure => return,
            arity::Taking::Nothing(wrong) => {
                let narrower = callee::narrower(corpus, &called, way);
                let is_taken = narrower.is_none_or(|more| {
                    !more.is_empty()
                        && !matches!(
                            arity::taking(corpus, &more, call.arguments.len()),
                            arity::Taking::Nothing(_)
                        )
                });
                if !is_taken {
                    let at = arity::first_extra(self.script, call, &called.signatures);
                    self.push(at.unwrap_or(called.span), &called.subject(), wrong);
                }
                return;
            }
        };
        // A class of the code's own may take what its base does not say.
        if !matches!(called.receiver_type, Type::Own(_)) {
            self.arguments(&called, call, way, fitting);
        }
    }

    /// What is wrong with the arguments of a call that has the right number of them.
    fn arguments(&mut self, called: &Called, call: &Call, way: Way, mut fitting: Vec<Signature>) {
        let mut asked_narrower = false;
        for (i, argument) in call.arguments.iter().enumerate() {
            let Argument::One(argument) = argument else { continue };
            let Some(given) = given::given(self.inference, *argument) else { continue };
            loop {
                let wrong = misfit::misfit(self.inference.corpus, &fitting, i, &given);
                let keys = match (&wrong, given::object(self.script, *argument)) {
                    (None, Some(object)) => keys::unknown(self.inference, &fitting, i, object),
                    _ => Vec::new(),
                };
                if wrong.is_none() && keys.is_empty() {
                    break;
                }
                if !asked_narrower {
                    asked_narrower = true;
                    let Some(more) = callee::narrower(self.inference.corpus, called, way) else {
                        return;
                    };
                    if !more.is_empty() {
                        fitting.extend(more);
                        continue;
                    }
                }
                if let Some(wrong) = wrong {
                    let span = self.script.expressions[argument.idx()].span;
                    self.push(span, &called.subject(), wrong);
                }
                for key in keys {
                    let wrong = Wrong::OptionKey {
                        call: called.member.clone(),
                        of: key.of,
                        instead: key.instead,
                    };
                    let subject = Subject { member: &key.name, object: None, ..called.subject() };
                    self.push(key.span, &subject, wrong);
                }
                break;
            }
        }
    }

    fn push(&mut self, at: Span, subject: &Subject<'_>, wrong: Wrong) {
        let spelt = |object: ExprId| self.script.expressions[object.idx()].span.of(self.text);
        self.found.push(Misuse {
            place: self.lines.place(self.text, at.start),
            width: width(at.of(self.text)),
            member: subject.member.clone(),
            receiver: subject.object.map(spelt).map(given::in_short).unwrap_or_default(),
            receiver_type: shown(subject.ty),
            apis: apis(self.inference.corpus, subject),
            wrong,
        });
    }
}

/// How wide a mark under `text` is: as wide as what of it stands on its first line.
fn width(text: &str) -> u32 {
    let first = text.lines().next().unwrap_or(text);
    crate::base::to_u32(first.encode_utf16().count().clamp(1, 80))
}
