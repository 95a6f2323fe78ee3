//! The inference itself: what was asked is remembered, what is being asked is a cycle, and the work is bounded.
//!
//! What cannot be proved is [`Type::Unknown`], and a cycle is too.

use super::tests::{Tests, tests_of};
use crate::base::{Name, to_u32};
use crate::corpus::lookup::{all_of, any_of, is_something};
use crate::corpus::{Corpus, Found, Lookup, Reason};
use crate::sources::script::{
    BindingId, ExprId, ExpressionKind, FunctionId, Receiver, Script, This, ValueId,
};
use crate::types::{Own, Type};
use std::collections::{BTreeMap, HashMap};

/// How deep one question may lead to others.
const MAX_DEPTH: u32 = 120;

/// How many parts a type may have.
const MAX_PARTS: usize = 4_000;

/// How deep one lookup may lead to others.
const MAX_LOOKUPS: u32 = 40;

/// How many questions one file may ask for each byte-independent unit (expression, binding or value) it has.
const STEPS_PER_UNIT: u64 = 64;

/// Which modules of the project a script's imports mean, as they are written; others are looked for in the apis.
pub type Meanings = BTreeMap<Name, Name>;

/// A script that stands alone.
static ALONE: Meanings = Meanings::new();

/// What is known of a thing that may be asked.
#[derive(Debug, Clone, Default)]
enum State {
    /// Nobody asked.
    #[default]
    Unasked,
    /// It is being worked out: asking again is a cycle.
    Asked,
    /// Worked out.
    Is(Type),
}

/// What may be asked.
#[derive(Debug, Clone, Copy)]
enum Slot {
    Expression(ExprId),
    Value(ValueId),
    Binding(BindingId),
    Function(FunctionId),
    Context(ExprId),
}

/// The types of one script's expressions.
pub struct Inference<'a> {
    /// What exists.
    pub corpus: &'a Corpus,
    /// The code.
    pub script: &'a Script,
    pub(super) meanings: &'a Meanings,
    expressions: Vec<State>,
    values: Vec<State>,
    bindings: Vec<State>,
    functions: Vec<State>,
    contexts: Vec<State>,
    pub(super) writes: HashMap<Name, Vec<u32>>,
    pub(super) own_writes: OwnWrites,
    pub(super) callees: HashMap<ExprId, ExprId>,
    pub(super) tests: Tests,
    /// What was worked out while something is supposed, to be forgotten if it does not hold.
    supposed: Vec<Slot>,
    n_suppositions: u32,
    depth: u32,
    lookups: u32,
    steps: u64,
}

impl<'a> Inference<'a> {
    /// Nothing is worked out before it is asked.
    pub fn new(corpus: &'a Corpus, script: &'a Script) -> Inference<'a> {
        Inference::among(corpus, script, &ALONE)
    }

    /// The same, among other modules of the project that the corpus has.
    pub fn among(corpus: &'a Corpus, script: &'a Script, meanings: &'a Meanings) -> Inference<'a> {
        let units = script.expressions.len() + script.bindings.len() + script.values.len();
        Inference {
            corpus,
            script,
            meanings,
            expressions: vec![State::Unasked; script.expressions.len()],
            values: vec![State::Unasked; script.values.len()],
            bindings: vec![State::Unasked; script.bindings.len()],
            functions: vec![State::Unasked; script.functions.len()],
            contexts: vec![State::Unasked; script.expressions.len()],
            writes: writes_by_name(script),
            own_writes: OwnWrites::of(script),
            callees: callees(script),
            tests: tests_of(script),
            supposed: Vec::new(),
            n_suppositions: 0,
            depth: 0,
            lookups: 0,
            steps: 10_000 + STEPS_PER_UNIT * units as u64,
        }
    }

    /// The type of what an access asks.
    pub fn receiver(&mut self, receiver: Receiver) -> Type {
        match receiver {
            Receiver::Expression(_, object) => self.expression(object),
            Receiver::Value(value) => self.value(value),
        }
    }

    /// The type of an expression.
    pub fn expression(&mut self, id: ExprId) -> Type {
        // What a name holds may be made of this very use of it, so the name is asked first.
        if let ExpressionKind::Name(_, Some(binding)) = self.script.expressions[id.idx()].kind
            && matches!(self.expressions[id.idx()], State::Unasked)
        {
            self.binding(binding);
        }
        self.once(Slot::Expression(id), |s| {
            let by_itself = s.fresh_expression(id);
            match s.script.expressions[id.idx()].kind {
                ExpressionKind::Name(..) | ExpressionKind::Member { .. } => {
                    s.narrowed(id, by_itself)
                }
                _ => by_itself,
            }
        })
    }

    /// The type of what a binding or pattern is given.
    pub fn value(&mut self, id: ValueId) -> Type {
        self.once(Slot::Value(id), |s| s.fresh_value(id))
    }

    /// The type of a name.
    pub fn binding(&mut self, id: BindingId) -> Type {
        self.once(Slot::Binding(id), |s| s.fresh_binding(id))
    }

    /// What a function of the code gives when it is called.
    pub fn result(&mut self, id: FunctionId) -> Type {
        self.once(Slot::Function(id), |s| s.fresh_result(id))
    }

    /// What the place that an expression stands in asks for; [`Type::Unknown`] where it asks for nothing.
    pub fn context(&mut self, id: ExprId) -> Type {
        self.once(Slot::Context(id), |s| s.fresh_context(id))
    }

    fn state(&mut self, slot: Slot) -> &mut State {
        match slot {
            Slot::Expression(id) => &mut self.expressions[id.idx()],
            Slot::Value(id) => &mut self.values[id.idx()],
            Slot::Binding(id) => &mut self.bindings[id.idx()],
            Slot::Function(id) => &mut self.functions[id.idx()],
            Slot::Context(id) => &mut self.contexts[id.idx()],
        }
    }

    fn once(&mut self, slot: Slot, work_out: impl FnOnce(&mut Self) -> Type) -> Type {
        match self.state(slot) {
            State::Is(known) => return known.clone(),
            State::Asked => return Type::Unknown,
            State::Unasked => {}
        }
        if self.depth >= MAX_DEPTH || self.steps == 0 {
            return Type::Unknown;
        }
        *self.state(slot) = State::Asked;
        self.depth += 1;
        self.steps -= 1;
        let mut found = work_out(self);
        // Types that grow with every step double with every step.
        if found.is_larger_than(MAX_PARTS) {
            found = Type::Unknown;
        }
        self.depth -= 1;
        *self.state(slot) = State::Is(found.clone());
        if self.n_suppositions > 0 {
            self.supposed.push(slot);
        }
        found
    }

    /// Whether something holds when a name has the type `ty`; if it does not, what was worked out on the way is forgotten.
    pub(super) fn supposing(
        &mut self,
        id: BindingId,
        ty: &Type,
        holds: impl FnOnce(&mut Self) -> bool,
    ) -> bool {
        let n_before = self.supposed.len();
        self.n_suppositions += 1;
        self.bindings[id.idx()] = State::Is(ty.clone());
        let held = holds(self);
        self.n_suppositions -= 1;
        if !held {
            for slot in self.supposed.split_off(n_before) {
                *self.state(slot) = State::Unasked;
            }
            self.bindings[id.idx()] = State::Asked;
        }
        // What holds in something that is supposed itself may still have to be forgotten.
        if self.n_suppositions == 0 {
            self.supposed.clear();
        }
        held
    }

    /// Whether a type has a member, the code's own things included.
    pub fn lookup(&mut self, ty: &Type, member: &str) -> Lookup {
        if self.lookups >= MAX_LOOKUPS || self.steps == 0 {
            return Lookup::Doubt(Reason::TooDeep);
        }
        // The code's own things may be spread into themselves and extend themselves.
        self.lookups += 1;
        self.steps -= 1;
        let found = self.lookup_now(ty, member);
        self.lookups -= 1;
        found
    }

    fn lookup_now(&mut self, ty: &Type, member: &str) -> Lookup {
        match ty {
            Type::Own(own) => self.own_lookup(*own, member),
            Type::Union(parts) => {
                let parts: Vec<Lookup> = parts
                    .iter()
                    .filter(|p| is_something(p))
                    .map(|part| self.lookup(part, member))
                    .collect();
                any_of(parts.into_iter())
            }
            Type::Intersection(parts) => {
                let parts: Vec<Lookup> =
                    parts.iter().map(|part| self.lookup(part, member)).collect();
                all_of(parts.into_iter())
            }
            other => match self.corpus.lookup(other, member) {
                // Without a default, what the module exports is taken whole, as bundlers and Node.js do.
                Lookup::Missing(owner) if member == "default" && is_module(other) => {
                    Lookup::Known(Found { gives: other.clone(), owner })
                }
                found => found,
            },
        }
    }

    /// What reading a member gives; unknown where it is not known to exist.
    pub fn member(&mut self, ty: &Type, member: &str) -> Type {
        match self.lookup(ty, member) {
            Lookup::Known(found) => found.gives,
            Lookup::Missing(_) | Lookup::Doubt(_) => Type::Unknown,
        }
    }
}

/// Whether a type is what a module exports.
fn is_module(ty: &Type) -> bool {
    matches!(ty, Type::Typeof(name) if name.path.is_empty() && !name.module.is_empty())
}

/// A literal's type as a variable has it: `"a"` is a string, `1` a number.
pub fn widened(ty: Type) -> Type {
    match ty {
        Type::Text(_) => Type::String,
        Type::Digits(_) => Type::Number,
        Type::Truth(_) => Type::Boolean,
        Type::Union(parts) => Type::union(parts.iter().cloned().map(widened)),
        other => other,
    }
}

/// Assignments to members, by the member's name.
/// The writes to members by what they are surely written to, so that a class is not held against all others.
#[derive(Default)]
pub(super) struct OwnWrites {
    to_this: HashMap<(Own, Name), Vec<u32>>,
    /// Those to anything but a `this` that is known from where it stands.
    elsewhere: HashMap<Name, Vec<u32>>,
}

impl OwnWrites {
    fn of(script: &Script) -> OwnWrites {
        let mut found = OwnWrites::default();
        for (i, write) in script.writes.iter().enumerate() {
            let target = &script.expressions[write.target.idx()].kind;
            let ExpressionKind::Member { object, name, .. } = target else { continue };
            let object = &script.expressions[object.idx()];
            let this = match object.kind {
                ExpressionKind::This => script.this_of(object.scope),
                _ => This::File,
            };
            let own = match this {
                This::Instance(class) => Own::Instance(class.0),
                This::Statics(class) => Own::Class(class.0),
                This::Object(object) => Own::Object(object.0),
                This::Function(_) | This::File => {
                    found.elsewhere.entry(name.clone()).or_default().push(to_u32(i));
                    continue;
                }
            };
            found.to_this.entry((own, name.clone())).or_default().push(to_u32(i));
        }
        found
    }

    /// Those to a member of `own`, and those of which it is not known, in the order of the text.
    pub(super) fn to(&self, own: Own, name: &str) -> Vec<u32> {
        let own = self.to_this.get(&(own, name.into())).into_iter().flatten();
        let mut found: Vec<u32> =
            own.chain(self.elsewhere.get(name).into_iter().flatten()).copied().collect();
        found.sort_unstable();
        found
    }
}

fn writes_by_name(script: &Script) -> HashMap<Name, Vec<u32>> {
    let mut found: HashMap<Name, Vec<u32>> = HashMap::new();
    for (i, write) in script.writes.iter().enumerate() {
        if let ExpressionKind::Member { name, .. } = &script.expressions[write.target.idx()].kind {
            found.entry(name.clone()).or_default().push(to_u32(i));
        }
    }
    found
}

/// Functions that are called where they stand, with their call.
fn callees(script: &Script) -> HashMap<ExprId, ExprId> {
    let mut found = HashMap::new();
    for (i, expression) in script.expressions.iter().enumerate() {
        if let ExpressionKind::Call(call) = &expression.kind
            && let ExpressionKind::Function(_) = script.expressions[call.callee.idx()].kind
        {
            found.insert(call.callee, ExprId(to_u32(i)));
        }
    }
    found
}
