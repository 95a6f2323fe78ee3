//! The token of this machine's HTTP door: who can read its file may knock.
//!
//! It is made on first use. It shows itself to nobody but to whoever writes a registration: no log, error or debug
//! print holds it.

use crate::sources::workspace::opening::{OWN_TOKEN, slashed};
use crate::sources::workspace::private::{self, PrivateTrouble};
use crate::sources::workspace::writing;
use sha2::{Digest, Sha256};
use std::fmt::{self, Write};
use std::io;
use std::path::{Path, PathBuf};
use subtle::ConstantTimeEq;

/// How long a token's file may be.
const MOST_BYTES: u64 = 1024;

/// How long a token must be that a person chose.
const LEAST_CHARS: usize = 16;

/// A token. Whether another text is the same takes as long whatever that text is.
#[derive(Clone)]
pub struct Token {
    text: String,
    hash: [u8; 32],
}

/// Why there is no token; each names the file and the next step, and none holds its content.
#[derive(Debug, thiserror::Error)]
pub enum TokenTrouble {
    /// The file is not its user's own.
    #[error("the token file {0}")]
    File(#[from] PrivateTrouble),
    /// The file holds something that is no token.
    #[error("the token file {path} {what}: remove it, and a new one is made")]
    Content {
        /// The file.
        path: String,
        /// What is wrong with it.
        what: &'static str,
    },
    /// No token could be written.
    #[error("no token can be kept in {path}: {why}; name another file with --token-file")]
    Write {
        /// The file.
        path: String,
        /// What the system said.
        why: io::Error,
    },
    /// The system gives no random bytes.
    #[error("the system gives no random bytes for a token: {0}")]
    Random(getrandom::Error),
}

/// Where the token is kept unless another file is named.
pub fn usual_place(state: &Path) -> PathBuf {
    state.join("token")
}

impl Token {
    /// The token in the file at `path`, which is made where there is none. Two who make it at once have the same.
    pub fn kept_in(path: &Path) -> Result<Token, TokenTrouble> {
        match private::read(path, MOST_BYTES) {
            Ok(bytes) => return Token::read(&bytes, path),
            Err(PrivateTrouble::Missing(_)) => {}
            Err(trouble) => return Err(trouble.into()),
        }
        match writing::write_first(path, format!("{}\n", made()?).as_bytes()) {
            Ok(()) => {}
            // Somebody else was first; theirs is read.
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {}
            Err(why) => return Err(TokenTrouble::Write { path: slashed(path), why }),
        }
        Token::read(&private::read(path, MOST_BYTES)?, path)
    }

    /// Whether `given` is this token.
    pub fn is(&self, given: &str) -> bool {
        self.hash.ct_eq(&hash_of(given)).into()
    }

    /// The token itself, for the registration that a client reads.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn read(bytes: &[u8], path: &Path) -> Result<Token, TokenTrouble> {
        let wrong = |what| TokenTrouble::Content { path: slashed(path), what };
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        if bytes.is_empty() {
            return Err(wrong("is empty"));
        }
        if !bytes.iter().all(u8::is_ascii_graphic) {
            return Err(wrong("holds what cannot stand in a header"));
        }
        if bytes.len() < LEAST_CHARS {
            return Err(wrong("holds fewer than 16 characters"));
        }
        let text: String = bytes.iter().copied().map(char::from).collect();
        Ok(Token { hash: hash_of(&text), text })
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// 256 random bits in hexadecimal, behind what tells a token of ours.
fn made() -> Result<String, TokenTrouble> {
    let mut bits = [0_u8; 32];
    getrandom::fill(&mut bits).map_err(TokenTrouble::Random)?;
    Ok(bits.iter().fold(OWN_TOKEN.to_owned(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string cannot fail");
        text
    }))
}

fn hash_of(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::sync::Barrier;

    fn placed(content: impl AsRef<[u8]>) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = usual_place(dir.path());
        writing::write_first(&path, content.as_ref()).unwrap();
        (dir, path)
    }

    #[test]
    fn a_token_is_made_once_and_then_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let path = usual_place(&dir.path().join("deep/state"));
        let first = Token::kept_in(&path).unwrap();
        let bits = first.text().strip_prefix(OWN_TOKEN).unwrap();
        assert!(bits.len() == 64 && bits.bytes().all(|b| b.is_ascii_hexdigit()));
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{}\n", first.text()));
        assert_eq!(Token::kept_in(&path).unwrap().text(), first.text());
        let other = Token::kept_in(&dir.path().join("other")).unwrap();
        assert_ne!(other.text(), first.text());
    }

    #[cfg(unix)]
    #[test]
    fn its_file_and_the_folders_made_for_it_are_the_users_alone() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = usual_place(&dir.path().join("deep/state"));
        Token::kept_in(&path).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&path), 0o600);
        assert_eq!(mode(&dir.path().join("deep")), 0o700);
        assert_eq!(mode(&dir.path().join("deep/state")), 0o700);
    }

    #[test]
    fn all_who_start_at_once_have_the_same_and_leave_nothing_else() {
        for _ in 0..20 {
            let dir = tempfile::tempdir().unwrap();
            let path = usual_place(dir.path());
            let start = Barrier::new(8);
            let made: Vec<String> = std::thread::scope(|scope| {
                let asked = || {
                    start.wait();
                    Token::kept_in(&path).unwrap().text().to_owned()
                };
                let all: Vec<_> = (0..8).map(|_| scope.spawn(asked)).collect();
                all.into_iter().map(|one| one.join().unwrap()).collect()
            });
            assert!(made.iter().all(|text| *text == made[0]), "{made:?}");
            assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        }
    }

    #[test]
    fn a_token_of_ones_own_is_taken_as_it_is() {
        for content in ["my-own-token/2026", "my-own-token/2026\n", "my-own-token/2026\r\n"] {
            let (_dir, path) = placed(content);
            assert_eq!(Token::kept_in(&path).unwrap().text(), "my-own-token/2026");
        }
    }

    #[test]
    fn what_cannot_be_a_token_is_refused_without_being_shown() {
        let long = "x".repeat(2000);
        let odd =
            ["", "\n", "hunter2-short\n", "hunter2 with a space in it", "hunter2-größe-größe"];
        let split = ["hunter2-line-one\nhunter2-line-two", "hunter2-hunter2-hunter2\0", &long];
        for content in odd.into_iter().chain(split) {
            let (_dir, path) = placed(content);
            let said = Token::kept_in(&path).unwrap_err().to_string();
            assert!(said.contains(&slashed(&path)) && said.contains("remove it"), "{said}");
            assert!(!said.contains("hunter2") && !said.contains("xxx"), "{said}");
            assert_eq!(fs::read(&path).unwrap(), content.as_bytes());
        }
    }

    #[test]
    fn a_place_that_cannot_be_written_is_named_with_the_way_out() {
        let (_dir, path) = placed("a file and no folder");
        let said = Token::kept_in(&path.join("token")).unwrap_err().to_string();
        assert!(said.contains(&slashed(&path)), "{said}");
    }

    #[test]
    fn only_the_whole_token_is_the_token() {
        let (_dir, path) = placed("my-own-token/2026");
        let token = Token::kept_in(&path).unwrap();
        assert!(token.is("my-own-token/2026"));
        for other in ["", "my-own-token/202", "my-own-token/2026 ", "My-own-token/2026", "\0"] {
            assert!(!token.is(other), "{other:?}");
        }
    }

    #[test]
    fn a_token_does_not_show_itself() {
        let (_dir, path) = placed("my-own-token/2026");
        assert_eq!(format!("{:?}", Token::kept_in(&path).unwrap()), "Token(…)");
    }
}
