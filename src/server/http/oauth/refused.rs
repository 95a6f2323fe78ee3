//! Why a request is not let in, and what an allowed one may do.
//!
//! No text here is taken from a token, so none of it can carry one.

use crate::server::caller::Rights;
use crate::session::Principal;

/// What a token that holds gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// Who asks.
    pub principal: Principal,
    /// What its scopes allow; a token without any of them may list the tools.
    pub rights: Rights,
}

/// Why a request is refused, as RFC 6750 divides it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// It carries no token, or an `Authorization` of another form; no error is named then.
    NoToken,
    /// Its token does not hold, for the reason given in words of ours.
    Invalid(&'static str),
    /// Its token holds and does not reach this far.
    Insufficient {
        /// What would be needed.
        needed: Rights,
    },
}

impl Refused {
    /// The error code of the challenge.
    pub fn code(&self) -> Option<&'static str> {
        match self {
            Refused::NoToken => None,
            Refused::Invalid(_) => Some("invalid_token"),
            Refused::Insufficient { .. } => Some("insufficient_scope"),
        }
    }

    /// What a developer is told.
    pub fn description(&self) -> Option<&'static str> {
        match self {
            Refused::NoToken => None,
            Refused::Invalid(why) => Some(why),
            Refused::Insufficient { .. } => {
                Some("the token does not allow this: ask for one with the scope named here")
            }
        }
    }

    /// What a token must allow to be let in where this one was not.
    pub fn needed(&self) -> Rights {
        match self {
            Refused::NoToken | Refused::Invalid(_) => Rights::Read,
            Refused::Insufficient { needed } => *needed,
        }
    }
}
