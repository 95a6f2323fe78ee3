//! A project's files: which folder is the root, opening what lies in it, walking it, and what was skipped and why.
//!
//! A path reaches a file only through here, and only if it lies inside; nothing here knows what a file means.

pub mod root;
pub mod text;
pub mod paths;
pub mod folder;
pub mod opening;
pub mod walk;
pub mod survey;
pub mod patterns;
pub mod writing;
pub mod private;

pub use folder::{Folder, Lies, Listed, Status, Trace};
pub use opening::{OpenTrouble, Reach, Workspace, is_secret};
pub use paths::TreePath;
pub use patterns::{Asked, Patterns, Said};
pub use root::{RootTrouble, Starts, root, top_of};
pub use survey::{Omissions, Omitted, Surveyable, Surveyed};
pub use text::{Decoding, Text};
pub use walk::{ScriptFile, Skipped, Standing, Walked, standing};
