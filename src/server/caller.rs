//! Who asks, as far as a door can tell.

use crate::session::Principal;

/// Who asks, what that one may do, and over which connection. The default is the user of this machine, who may do all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// Who.
    pub principal: Principal,
    /// What that one may do.
    pub rights: Rights,
    /// The connection, counted by the door; callers over standard input share 0.
    pub connection: u64,
}

/// What a caller may do; each right holds those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rights {
    /// To see which tools there are.
    List,
    /// To call tools that read.
    Read,
    /// To call tools that change files.
    Change,
}

impl Default for Caller {
    fn default() -> Caller {
        Caller { principal: Principal::Own, rights: Rights::Change, connection: 0 }
    }
}
