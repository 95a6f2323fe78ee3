//! What is called, where an api declares it: its signatures, and those of everything narrower.

use super::given;
use super::wrong::{ByNew, Subject, Wrong};
use crate::answers::infer::Inference;
use crate::base::{Name, Span};
use crate::corpus::noted::Declaration;
use crate::corpus::signatures::Way;
use crate::corpus::{Corpus, Lookup};
use crate::datagraph::Key;
use crate::sources::script::{BindingKind, Call, ExprId, ExpressionKind};
use crate::types::{Member, MemberKind, Signature, Type, TypeName};

/// More signatures than these are not compared.
const MAX_SIGNATURES: usize = 64;

/// More than these of narrower types are not.
const MAX_NARROWER: usize = 512;

/// Something that is called and that an api declares.
pub(super) struct Called {
    /// Its name.
    pub member: Name,
    /// Where the name stands.
    pub span: Span,
    /// What stands left of the dot.
    pub object: Option<ExprId>,
    /// The type of that.
    pub receiver_type: Type,
    /// How it may be called, of every declaration that may be meant; none where it cannot be called.
    pub signatures: Vec<Signature>,
    /// What it is.
    pub is: Type,
    declared: Vec<Declaration>,
}

impl Called {
    /// What a misuse of it is about.
    pub fn subject(&self) -> Subject<'_> {
        Subject {
            member: &self.member,
            of: &self.member,
            object: self.object,
            ty: &self.receiver_type,
            declared: &self.declared,
        }
    }
}

/// The declarations that a member may mean, one for each part of the receiver's type; none where a part is no api's.
pub(super) fn declared_in(
    inference: &mut Inference<'_>,
    ty: &Type,
    name: &str,
) -> Vec<Declaration> {
    let Type::Own(_) = ty else { return inference.corpus.declarations_of(ty, name) };
    // What a class of the code inherits from an api's.
    let Lookup::Known(found) = inference.lookup(ty, name) else { return Vec::new() };
    let interfaces = inference.corpus.interfaces(&found.owner);
    let members: Vec<Member> =
        interfaces.filter_map(|i| i.shape.members.get(name)).cloned().collect();
    match members.is_empty() {
        true => Vec::new(),
        false => {
            vec![Declaration { owner: Some(found.owner.clone()), gives: found.gives, members }]
        }
    }
}

/// The declarations of a global name.
pub(super) fn declared_globally(corpus: &Corpus, name: &str) -> Vec<Declaration> {
    let members: Vec<Member> = corpus.globals(name).cloned().collect();
    let Some(gives) = corpus.global(name).filter(|_| !members.is_empty()) else {
        return Vec::new();
    };
    vec![Declaration { owner: Some(Key::globals()), gives, members }]
}

/// What a call calls; none where that is not an api's, or not sure.
pub(super) fn called(inference: &mut Inference<'_>, call: &Call, way: Way) -> Option<Called> {
    let script = inference.script;
    let callee = &script.expressions[call.callee.idx()];
    let corpus = inference.corpus;
    let (member, span, object, receiver_type, declared) = match &callee.kind {
        ExpressionKind::Member { object, name, name_span, .. } => {
            let ty = inference.expression(*object);
            let declared = declared_in(inference, &ty, name);
            (name, *name_span, Some(*object), ty, declared)
        }
        ExpressionKind::Name(name, None) => {
            let is_own = script.free_writes.binary_search(name).is_ok();
            if is_own || inference.expression(call.callee) == Type::Unknown {
                return None;
            }
            let declared = declared_globally(corpus, name);
            (name, callee.span, None, Type::Unknown, declared)
        }
        ExpressionKind::Name(name, Some(binding)) => {
            let bound = &script.bindings[binding.idx()];
            let is_one = matches!(bound.kind, BindingKind::Const | BindingKind::Import)
                && bound.annotation.is_none()
                && bound.values.len() == 1;
            let gives = inference.expression(call.callee);
            if !is_one || holds_own(&gives) {
                return None;
            }
            let declared = Declaration { owner: None, gives, members: Vec::new() };
            (name, callee.span, None, Type::Unknown, vec![declared])
        }
        _ => return None,
    };
    if declared.is_empty() {
        return None;
    }
    let mut signatures = Vec::new();
    for one in &declared {
        signatures.extend(signatures_of(corpus, one, way)?);
    }
    if signatures.len() > MAX_SIGNATURES {
        return None;
    }
    let is = Type::union(declared.iter().map(|d| d.gives.clone()));
    let member = member.clone();
    Some(Called { member, span, object, receiver_type, signatures, is, declared })
}

/// Whether a type is made of what the code declares itself.
fn holds_own(ty: &Type) -> bool {
    match ty {
        Type::Own(_) => true,
        Type::Union(parts) | Type::Intersection(parts) => parts.iter().any(holds_own),
        _ => false,
    }
}

/// The signatures of a declaration, of every api that has it; `None` where a part of it is not known.
fn signatures_of(corpus: &Corpus, declared: &Declaration, way: Way) -> Option<Vec<Signature>> {
    let is_event = |member: &Member| member.kind == MemberKind::Event;
    if corpus.is_nameless(&declared.gives) || declared.members.iter().any(is_event) {
        return None;
    }
    let mut found = Vec::new();
    for part in parts(&corpus.resolve(&declared.gives.present())) {
        let of_part = corpus.signatures(&part, way);
        // Something that nothing says how to construct may be constructed in any way.
        if way == Way::Construct && !is_said(corpus, &part) {
            return None;
        }
        let is_callable = !of_part.is_empty();
        found.extend(of_part);
        if !is_callable && !is_surely_not_callable(corpus, &part) {
            return None;
        }
    }
    for member in declared.members.iter().skip(1) {
        found.extend(corpus.signatures(&member.gives(), way));
    }
    Some(found)
}

fn parts(ty: &Type) -> Vec<Type> {
    match ty {
        Type::Union(parts) => parts.to_vec(),
        one => vec![one.clone()],
    }
}

/// Whether something says how a type is constructed.
fn is_said(corpus: &Corpus, ty: &Type) -> bool {
    match corpus.resolve(ty) {
        Type::Typeof(name) => corpus.says_how_to_construct(&Key::of_value((*name).clone())),
        Type::Named(named) => corpus.says_how_to_construct(&Key::of_type(named.name.clone())),
        Type::Literal(shape) => !shape.constructs.is_empty(),
        Type::Constructor(_) => true,
        _ => false,
    }
}

/// Whether a type is known to its last member, and is no function.
fn is_surely_not_callable(corpus: &Corpus, ty: &Type) -> bool {
    match corpus.resolve(ty) {
        Type::String
        | Type::Number
        | Type::Boolean
        | Type::BigInt
        | Type::Symbol
        | Type::Text(_)
        | Type::Digits(_)
        | Type::Truth(_)
        | Type::Array(_)
        | Type::Tuple(_)
        | Type::Constructor(_) => true,
        Type::Literal(shape) => shape.index.is_empty() && shape.calls.is_empty(),
        Type::Named(named) => {
            let key = Key::of_type(named.name.clone());
            let is_vague = key == Key::of_type(TypeName::global("Object"));
            // A function has what every function has.
            let is_closed = matches!(corpus.lookup(&ty.present(), "apply"), Lookup::Missing(_));
            !is_vague && is_closed && !corpus.members_of(&key).is_empty()
        }
        Type::Typeof(name) => {
            let key = Key::of_value((*name).clone());
            let mut interfaces = corpus.interfaces(&key).peekable();
            interfaces.peek().is_some()
                && interfaces
                    .all(|i| i.open.is_none() && i.exports.is_none() && i.shape.calls.is_empty())
        }
        _ => false,
    }
}

/// The signatures that narrower types declare under the same name; `None` where they are too many to tell.
pub(super) fn narrower(corpus: &Corpus, called: &Called, way: Way) -> Option<Vec<Signature>> {
    let mut found = Vec::new();
    for owner in called.declared.iter().filter_map(|d| d.owner.as_ref()) {
        if *owner == Key::globals() {
            continue;
        }
        for member in corpus.narrower_declarations(owner, &called.member)? {
            found.extend(corpus.signatures(&member.gives(), way));
        }
    }
    found.sort();
    found.dedup();
    (found.len() <= MAX_NARROWER).then_some(found)
}

/// What is wrong with a call of something that has no signature.
pub(super) fn not_callable(
    corpus: &Corpus,
    called: &Called,
    call: &Call,
    way: Way,
) -> Option<Wrong> {
    if way == Way::Construct || call.optional {
        return None;
    }
    let mut narrower = called.declared.iter().filter_map(|d| d.owner.as_ref());
    let is_called_elsewhere = narrower.any(|owner| {
        let declared = corpus.narrower_declarations(owner, &called.member);
        declared.is_none_or(|members| {
            members.iter().any(|m| !is_surely_not_callable(corpus, &m.gives()))
        })
    });
    if is_called_elsewhere && !called.declared.iter().any(|d| d.owner == Some(Key::globals())) {
        return None;
    }
    let by_new = match corpus.signatures(&called.is, Way::Construct).is_empty() {
        true => ByNew::No,
        false => ByNew::Yes,
    };
    Some(Wrong::NotCallable { is: given::shown(&called.is), by_new })
}
