//! Who is let in: whoever knows this machine's token, or shows one of the issuer's, or everybody of this machine.

use super::oauth::{Refused, ResourceServer, WELL_KNOWN};
use super::rates::{GUESSES, Rates};
use super::refusals::Refusal;
use crate::deeds::token::Token;
use crate::server::caller::Rights;
use crate::server::metrics::KeySet;
use crate::session::Principal;
use http::header::AUTHORIZATION;
use http::{HeaderMap, StatusCode};
use serde_json::Value;
use std::net::IpAddr;
use std::time::SystemTime;
use tokio::time::Instant;

/// What a request without a good token is told where the token is this machine's own.
const CHALLENGE: &str = "Bearer realm=\"groundline\"";

/// What is told beside it where the token that was shown is wrong (RFC 6750, section 3.1).
const WRONG: &str = "Bearer realm=\"groundline\", error=\"invalid_token\"";

/// Who is let in.
pub enum Keys {
    /// Everybody who reaches the door.
    None,
    /// Whoever knows the token.
    Token(Token),
    /// Whoever shows a token of the issuer.
    Issuer(Box<ResourceServer>),
}

/// Looks at tokens, and counts wrong ones.
pub struct Guard {
    keys: Keys,
    guesses: Rates,
}

/// What a request may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Admission {
    /// Who asks.
    pub principal: Principal,
    /// What that one may do.
    pub rights: Rights,
}

impl Guard {
    /// Lets in whom `keys` says.
    pub fn new(keys: Keys) -> Guard {
        Guard { keys, guesses: Rates::new(GUESSES) }
    }

    /// Lets a request in, by its one `Authorization` header. A token anywhere else is none.
    ///
    /// A peer that shows too many wrong tokens is told to wait; a right one is let in all the same, so that nobody can
    /// lock others out.
    pub fn admit(&self, headers: &HeaderMap, peer: IpAddr) -> Result<Admission, Refusal> {
        let shown = bearer(headers);
        match &self.keys {
            Keys::None => Ok(Admission { principal: Principal::Own, rights: Rights::Change }),
            Keys::Token(token) => match shown {
                Some(text) if token.is(text) => {
                    Ok(Admission { principal: Principal::Own, rights: Rights::Change })
                }
                Some(_) => Err(self.wrong(peer, WRONG)),
                None => Err(Refusal::challenge(StatusCode::UNAUTHORIZED, CHALLENGE)),
            },
            Keys::Issuer(issuer) => {
                let Some(text) = shown else {
                    let challenge = issuer.challenge(&Refused::NoToken);
                    return Err(Refusal::challenge(StatusCode::UNAUTHORIZED, &challenge));
                };
                match issuer.judge(text, today()) {
                    Ok(grant) => Ok(Admission { principal: grant.principal, rights: grant.rights }),
                    Err(refused) => Err(self.wrong(peer, &issuer.challenge(&refused))),
                }
            }
        }
    }

    /// A request whose token is good, but not for this.
    pub fn lacking(&self, needed: Rights) -> Refusal {
        match &self.keys {
            Keys::Issuer(issuer) => {
                let challenge = issuer.challenge(&Refused::Insufficient { needed });
                Refusal::challenge(StatusCode::FORBIDDEN, &challenge)
            }
            Keys::None | Keys::Token(_) => StatusCode::FORBIDDEN.into(),
        }
    }

    /// What clients are told about the issuer, if there is one and they look for it at `path`: where the resource's own
    /// address leads them, or where the path of this endpoint or none does (RFC 9728, section 3).
    pub fn metadata(&self, path: &str) -> Option<Value> {
        let Keys::Issuer(issuer) = &self.keys else { return None };
        let is_there = path == issuer.metadata_path()
            || path.strip_prefix(WELL_KNOWN).is_some_and(|rest| ["", "/mcp"].contains(&rest));
        is_there.then(|| issuer.metadata())
    }

    /// Whether the issuer's key set could be read when that was last tried, where there is an issuer.
    pub fn key_set(&self) -> Option<KeySet> {
        let Keys::Issuer(issuer) = &self.keys else { return None };
        Some(issuer.trouble().map_or(KeySet::Read, |_| KeySet::Unreadable))
    }

    fn wrong(&self, peer: IpAddr, challenge: &str) -> Refusal {
        match self.guesses.tried(peer, Instant::now()) {
            Ok(()) => Refusal::challenge(StatusCode::UNAUTHORIZED, challenge),
            Err(wait) => Refusal::from(StatusCode::TOO_MANY_REQUESTS).after(wait.as_secs()),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "when a token ends is no part of an answer")]
fn today() -> SystemTime {
    SystemTime::now()
}

/// The token that a request shows. A header of another form shows one that is wrong; none shows none.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut named = headers.get_all(AUTHORIZATION).iter();
    let first = named.next()?;
    let text = first.to_str().ok().filter(|_| named.next().is_none()).unwrap_or("");
    let (scheme, token) = text.split_once(' ').unwrap_or(("", ""));
    Some(if scheme.eq_ignore_ascii_case("bearer") { token.trim() } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEER: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn shown(value: &str) -> HeaderMap {
        [(AUTHORIZATION, value.parse().unwrap())].into_iter().collect()
    }

    fn status(refused: Result<Admission, Refusal>) -> u16 {
        refused.unwrap_err().status().as_u16()
    }

    fn guard() -> (tempfile::TempDir, Guard, String) {
        let folder = tempfile::tempdir().unwrap();
        let token = Token::kept_in(&folder.path().join("token")).unwrap();
        let text = token.text().to_owned();
        (folder, Guard::new(Keys::Token(token)), text)
    }

    #[test]
    fn whoever_shows_the_token_is_let_in() {
        let (_folder, guard, token) = guard();
        for scheme in ["Bearer", "bearer"] {
            assert!(guard.admit(&shown(&format!("{scheme} {token}")), PEER).is_ok());
        }
    }

    #[test]
    fn no_token_and_a_wrong_one_are_asked_for_one() {
        let (_folder, guard, token) = guard();
        let mut twice = shown(&format!("Bearer {token}"));
        twice.append(AUTHORIZATION, format!("Bearer {token}").parse().unwrap());
        for wrong in [
            HeaderMap::new(),
            shown("Bearer x"),
            shown(&token),
            shown("Basic dTpw"),
            shown(""),
            twice,
        ] {
            let response = guard.admit(&wrong, PEER).unwrap_err().into_response();
            assert_eq!(response.status(), 401);
            let challenge = if wrong.is_empty() { CHALLENGE } else { WRONG };
            assert_eq!(response.headers()["www-authenticate"], challenge);
        }
    }

    #[test]
    fn whoever_guesses_is_told_to_wait_and_locks_nobody_out() {
        let (_folder, guard, token) = guard();
        let statuses: Vec<u16> =
            (0..25).map(|n| status(guard.admit(&shown(&format!("Bearer {n}")), PEER))).collect();
        assert_eq!((statuses[0], statuses[18], statuses[19], statuses[24]), (401, 401, 429, 429));
        assert!(guard.admit(&shown(&format!("Bearer {token}")), PEER).is_ok());
        // To ask without a token is no guess.
        assert_eq!(status(guard.admit(&HeaderMap::new(), PEER)), 401);
    }
}
