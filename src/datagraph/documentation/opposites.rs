//! Words that open and words that close, and which two names differ in such a pair alone.
//!
//! What the pairs prove is decided elsewhere: two names are only a suspicion.

use crate::words::parts;

/// What a pair of opposing words says of two calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bond {
    /// The first opens what the second closes.
    Scope,
    /// The first ties what the second unties.
    Link,
    /// The first listens, the second stops listening.
    Listen,
    /// Opposite actions that need not be paired.
    Opposite,
}

use Bond::{Link, Listen, Opposite, Scope};

/// The usual partner of a word stands first: `start` goes with `stop` before it goes with `end`.
const PAIRS: &[(&str, &str, Bond)] = &[
    ("begin", "end", Scope),
    ("start", "stop", Scope),
    ("start", "end", Scope),
    ("start", "finish", Scope),
    ("start", "cancel", Scope),
    ("open", "close", Scope),
    ("save", "restore", Scope),
    ("push", "pop", Scope),
    ("lock", "unlock", Scope),
    ("suspend", "resume", Scope),
    ("pause", "resume", Scope),
    ("enter", "exit", Scope),
    ("enter", "leave", Scope),
    ("acquire", "release", Scope),
    ("hold", "release", Scope),
    ("capture", "release", Scope),
    ("grab", "ungrab", Scope),
    ("freeze", "unfreeze", Scope),
    ("freeze", "thaw", Scope),
    ("mount", "unmount", Scope),
    ("load", "unload", Scope),
    ("init", "destroy", Scope),
    ("init", "dispose", Scope),
    ("block", "unblock", Scope),
    ("protect", "unprotect", Scope),
    ("prevent", "allow", Scope),
    ("begin", "commit", Scope),
    ("begin", "rollback", Scope),
    ("mute", "unmute", Scope),
    ("activate", "deactivate", Scope),
    ("connect", "disconnect", Link),
    ("attach", "detach", Link),
    ("bind", "unbind", Link),
    ("link", "unlink", Link),
    ("pair", "unpair", Link),
    ("add", "remove", Listen),
    ("on", "off", Listen),
    ("register", "unregister", Listen),
    ("register", "deregister", Listen),
    ("subscribe", "unsubscribe", Listen),
    ("observe", "unobserve", Listen),
    ("watch", "unwatch", Listen),
    ("listen", "unlisten", Listen),
    ("install", "uninstall", Listen),
    ("enable", "disable", Opposite),
    ("show", "hide", Opposite),
    ("expand", "collapse", Opposite),
    ("select", "deselect", Opposite),
    ("select", "unselect", Opposite),
    ("group", "ungroup", Opposite),
    ("pin", "unpin", Opposite),
    ("mark", "unmark", Opposite),
    ("zoom", "unzoom", Opposite),
    ("maximize", "unmaximize", Opposite),
    ("minimize", "restore", Opposite),
    ("set", "unset", Opposite),
    ("set", "clear", Opposite),
    ("set", "reset", Opposite),
    ("set", "remove", Opposite),
    ("focus", "blur", Opposite),
    ("increase", "decrease", Opposite),
    ("undo", "redo", Opposite),
    ("fade", "unfade", Opposite),
    ("create", "destroy", Opposite),
    ("create", "delete", Opposite),
    ("create", "dispose", Opposite),
    ("create", "remove", Opposite),
    ("new", "free", Opposite),
    ("insert", "remove", Opposite),
    ("insert", "delete", Opposite),
    ("add", "delete", Opposite),
    ("add", "clear", Opposite),
    ("append", "remove", Opposite),
];

/// Words that stand in the middle of what [`is_three_part`] pairs open and close.
pub const MIDDLES: &[&str] = &["body", "middle"];

/// First words of names that read or write one value: what follows names two values, not two actions.
const ACCESSORS: &[&str] = &[
    "get", "set", "is", "has", "can", "are", "was", "should", "collapse", "nulls", "to", "sort",
    "sorted",
];

/// What is listened with; `addX` and `removeX` of anything else are opposite actions.
const LISTENERS: &[&str] =
    &["listener", "listeners", "handler", "handlers", "event", "observer", "callback", "callbacks"];

/// Where in a name the word stands that another name has an opposite of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// It leads the name, or is all of it.
    First,
    /// It ends a name of several words.
    Last,
}

/// A name without the word that may have an opposite.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stem {
    /// Where the word stood.
    pub end: End,
    /// The other words, in lower case.
    pub rest: Vec<String>,
}

/// The stems of `name`, each with the word that was taken off, where that word stands in some pair or is a middle.
pub fn stems(name: &str) -> Vec<(Stem, String)> {
    let words = parts(name);
    let mut found = Vec::new();
    let Some((first, rest)) = words.split_first() else { return found };
    if is_paired(first) {
        found.push((Stem { end: End::First, rest: rest.to_vec() }, first.clone()));
    }
    if let Some((last, rest)) = words.split_last()
        && !rest.is_empty()
        && is_paired(last)
    {
        found.push((Stem { end: End::Last, rest: rest.to_vec() }, last.clone()));
    }
    found
}

fn is_paired(word: &str) -> bool {
    MIDDLES.contains(&word) || PAIRS.iter().any(|(open, close, _)| *open == word || *close == word)
}

/// All pairs, the usual first, with what each says of two names that share `stem`; none where the names are the two ends of
/// a value (`setStart`, `setEnd`) or are called by a host (`onOpen`, `onClose`).
pub fn bonds(stem: &Stem) -> impl Iterator<Item = (usize, &'static str, &'static str, Bond)> {
    let lead = stem.rest.first().filter(|_| stem.end == End::Last);
    let is_void = lead.is_some_and(|lead| lead == "on" || ACCESSORS.contains(&lead.as_str()));
    let listens = stem.rest.iter().any(|word| LISTENERS.contains(&word.as_str()));
    PAIRS.iter().enumerate().filter(move |_| !is_void).map(move |(rank, (open, close, bond))| {
        let bond = if *open == "add" && !listens { Opposite } else { *bond };
        (rank, *open, *close, bond)
    })
}

/// Whether a pair can have a part between: `sectionStart`, `sectionBody`, `sectionEnd`.
pub fn is_three_part(open: &str, close: &str) -> bool {
    ["begin", "start"].contains(&open) && close == "end"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bond(open: &str, close: &str) -> Option<Bond> {
        let closing = stems(close);
        stems(open).into_iter().find_map(|(stem, word)| {
            let (_, other) = closing.iter().find(|(other, _)| *other == stem)?;
            bonds(&stem).find(|(_, o, c, _)| *o == word && c == other).map(|(_, _, _, bond)| bond)
        })
    }

    #[test]
    fn names_pair_where_one_word_at_an_end_is_opposite() {
        assert_eq!(bond("tableStart", "tableEnd"), Some(Scope));
        assert_eq!(bond("beginPath", "endPath"), Some(Scope));
        assert_eq!(bond("on", "off"), Some(Listen));
        assert_eq!(bond("addStateListener", "removeStateListener"), Some(Listen));
        assert_eq!(bond("addColumn", "removeColumn"), Some(Opposite));
        assert_eq!(bond("tableStart", "blockEnd"), None);
        assert_eq!(bond("getStartTime", "getEndTime"), None);
    }

    #[test]
    fn two_ends_of_a_value_and_hooks_are_no_pair() {
        assert_eq!(bond("setStart", "setEnd"), None);
        assert_eq!(bond("onOpen", "onClose"), None);
        assert_eq!(bond("nullsStart", "nullsEnd"), None);
    }
}
