//! Who asks, as far as a door can tell.

use crate::session::Principal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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

/// A call that was turned away, written to the request so that the status can say it.
#[derive(Debug, Clone, Default)]
pub struct TurnedAway(Arc<AtomicBool>);

impl TurnedAway {
    /// It was turned away.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
