//! Members put together: overloads of one name, the two halves of an accessor, what a declaration says besides its type.

use super::notes::Notes;
use crate::base::Name;
use crate::types::{Member, MemberKind, Presence, Shape, Signature, Type, Writing};

/// What something that is written like a function is.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Callable {
    Method,
    Getter,
    Setter,
}

/// Adds a method's overload, or one half of an accessor.
pub(super) fn add_callable(
    shape: &mut Shape,
    name: Name,
    mut member: Member,
    signature: Signature,
    kind: Callable,
) {
    match kind {
        Callable::Method => match shape.members.get_mut(&name) {
            Some(earlier) if earlier.kind == MemberKind::Method => {
                // An overloaded method is deprecated only where all its overloads are.
                earlier.deprecated =
                    earlier.deprecated.take().filter(|_| member.deprecated.is_some());
                earlier.signatures.push(signature);
            }
            Some(_) => {}
            None => {
                member.kind = MemberKind::Method;
                member.signatures.push(signature);
                shape.members.insert(name, member);
            }
        },
        Callable::Getter => match shape.members.get_mut(&name) {
            Some(setter) => setter.declared = signature.returns,
            None => {
                member.declared = signature.returns;
                member.writing = Writing::Refused;
                shape.members.insert(name, member);
            }
        },
        Callable::Setter => match shape.members.get_mut(&name) {
            Some(getter) => getter.writing = Writing::Allowed,
            None => {
                member.declared =
                    signature.parameters.into_iter().next().map_or(Type::Any, |p| p.declared);
                shape.members.insert(name, member);
            }
        },
    }
}

/// A member with its line and what calls it deprecated.
pub(super) fn noted(declared: Type, start: u32, notes: &Notes) -> Member {
    let mut member = Member::property(declared);
    member.at = (0, notes.line(start));
    member.deprecated = notes.deprecated(start);
    member
}

/// Whether a member may be absent.
pub(super) fn presence(optional: bool) -> Presence {
    if optional { Presence::Maybe } else { Presence::Always }
}

/// Whether a member may be written.
pub(super) fn writing(readonly: bool) -> Writing {
    if readonly { Writing::Refused } else { Writing::Allowed }
}
