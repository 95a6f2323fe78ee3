//! Which scripts of a project are no longer as they were committed.

use super::ground::Ground;
use crate::base::Stop;
use crate::sources::repository::committed::{Committed, CommittedTrouble};
use crate::sources::workspace::{ScriptFile, top_of};

/// Of these files, those whose content is not what HEAD holds; new ones are among them.
pub(super) fn since_head(
    ground: &Ground,
    files: &[ScriptFile],
    stop: &Stop,
) -> Result<Vec<ScriptFile>, CommittedTrouble> {
    let root = ground.workspace.root();
    let home = ground.home.as_deref();
    let committed = Committed::below(root, &top_of(root, home), home)?;
    let differs = |file: &&ScriptFile| {
        // What cannot be read is not known to be the same; whoever checks it says why it cannot.
        let content = ground.workspace.bytes(&file.path);
        content.map_or(true, |content| committed.differs(&file.path, &content))
    };
    Ok(files.iter().take_while(|_| !stop.is_set()).filter(differs).cloned().collect())
}
