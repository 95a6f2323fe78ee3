//! What may be said of a variable that another function sets.

use super::cautions::is_nearly;
use super::infer::Inference;
use crate::base::Name;
use crate::corpus::lookup::SET_ELSEWHERE;
use crate::corpus::{Lookup, Reason};
use crate::types::Type;

/// What a variable has that another function sets: a name that is nearly a member's is missing, of others nobody can tell.
pub(super) fn of_what_is_set(inference: &mut Inference<'_>, ty: &Type, name: &Name) -> Lookup {
    match inference.lookup(ty, name) {
        Lookup::Missing(key) => {
            let members = inference.corpus.members_of(&key);
            match members.iter().any(|(member, _)| is_nearly(name, member)) {
                true => Lookup::Missing(key),
                false => Lookup::Doubt(Reason::Unrepresented(SET_ELSEWHERE.into())),
            }
        }
        other => other,
    }
}
