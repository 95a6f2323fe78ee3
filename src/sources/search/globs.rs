//! Which files a search is narrowed to, by their paths.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// Globs over paths relative to the root. One with a slash inside is anchored there; one without matches at any depth;
/// one that matches a folder takes what is in it; one that begins with `!` takes out.
#[derive(Debug, Clone)]
pub struct Globs {
    taken: GlobSet,
    left_out: GlobSet,
}

/// A glob that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{glob}` is no glob ({why}): write one such as *.js, src/** or !*.min.js")]
pub struct GlobTrouble {
    /// As it was written.
    pub glob: String,
    /// What is wrong with it.
    pub why: String,
}

impl Globs {
    /// These globs, heeding the case of letters or not.
    pub fn of(written: &[String], any_case: bool) -> Result<Globs, GlobTrouble> {
        let (mut taken, mut left_out) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        let mut n_taken = 0;
        for glob in written {
            let (set, bare) = match glob.strip_prefix('!') {
                Some(bare) => (&mut left_out, bare),
                None => {
                    n_taken += 1;
                    (&mut taken, glob.as_str())
                }
            };
            for form in forms(bare) {
                let built = GlobBuilder::new(&form)
                    .literal_separator(true)
                    .case_insensitive(any_case)
                    .build();
                let why = |why: globset::Error| GlobTrouble {
                    glob: glob.clone(),
                    why: why.kind().to_string(),
                };
                set.add(built.map_err(why)?);
            }
        }
        let all = globset::Glob::new("**").expect("`**` is a glob");
        if n_taken == 0 {
            taken.add(all);
        }
        let set = |set: GlobSetBuilder| {
            set.build()
                .map_err(|why| GlobTrouble { glob: written.join(" "), why: why.kind().to_string() })
        };
        Ok(Globs { taken: set(taken)?, left_out: set(left_out)? })
    }

    /// Whether they let a path through.
    pub fn accept(&self, path: &str) -> bool {
        self.taken.is_match(path) && !self.left_out.is_match(path)
    }
}

fn forms(glob: &str) -> [String; 2] {
    let bare = glob.trim_start_matches("./");
    let is_anchored = bare.trim_end_matches('/').contains('/');
    let bare = bare.trim_matches('/');
    let bare = if is_anchored { bare.to_owned() } else { format!("**/{bare}") };
    [format!("{bare}/**"), bare]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slash_anchors_and_a_folder_takes_what_is_in_it() {
        let accepts = |glob: &str, path: &str| {
            let written: Vec<String> = glob.split(' ').map(str::to_owned).collect();
            Globs::of(&written, false).unwrap().accept(path)
        };
        assert!(accepts("*.js", "a/b/y.js"));
        assert!(accepts("a/*.js", "a/y.js") && !accepts("a/*.js", "a/b/y.js"));
        assert!(accepts("src", "src/deep/y.js") && accepts("/src/", "src/y.js"));
        assert!(accepts("!*.min.js", "a.js") && !accepts("*.js !*.min.js", "a.min.js"));
        assert!(accepts("*.{ts,js}", "x/a.ts"));
        assert!(Globs::of(&["a[".to_owned()], false).is_err());
    }
}
