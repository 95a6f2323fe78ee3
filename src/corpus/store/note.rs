//! What a reader of answers should know besides the answer: what could not be had, and how much that matters.

/// Something that a reader of answers should know.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// The api or file that it is about.
    pub about: String,
    /// What holds.
    pub text: String,
    /// How much it matters.
    pub weight: Weight,
}

/// How much a note matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Answers may lack something, as they always may.
    Remark,
    /// Something that was asked for is not there.
    Trouble,
}

impl Note {
    /// A remark.
    pub fn remark(about: impl Into<String>, text: impl Into<String>) -> Note {
        Note { about: about.into(), text: text.into(), weight: Weight::Remark }
    }

    /// A trouble.
    pub fn trouble(about: impl Into<String>, text: impl Into<String>) -> Note {
        Note { about: about.into(), text: text.into(), weight: Weight::Trouble }
    }
}
