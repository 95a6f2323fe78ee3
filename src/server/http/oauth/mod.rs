//! Tokens of an authorization server: which of them are for this server, from whom, and what they allow.
//!
//! Nothing is asked of the network: the issuer's keys are a file, and no address or path in a token is followed. No
//! token is kept, passed on or written anywhere. Signatures are of the asymmetric kinds only.

mod refused;
mod settings;
mod keys;
mod claims;

pub use refused::{Grant, Refused};
pub use settings::{OauthTrouble, WELL_KNOWN};

use crate::server::caller::Rights;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Validation, decode, decode_header};
use keys::KeyFile;
use serde_json::{Map, Value, json};
use settings::Settings;
use std::path::Path;
use std::time::SystemTime;

/// The longest token that is looked at.
pub const MAX_TOKEN: usize = 8 * 1024;

/// What tokens are called that are meant to be shown to a server like this; many issuers say just JWT.
const KINDS: [&str; 3] = ["jwt", "at+jwt", "application/at+jwt"];

/// A server that takes the tokens of one issuer. It may be shared between threads.
pub struct ResourceServer {
    settings: Settings,
    keys: KeyFile,
}

impl ResourceServer {
    /// The one that the TOML file at `path` describes; its key set must be there and hold a key. `tell` hears once when
    /// the key set cannot be read any more, again when that is so for another reason, and when it can be read again.
    pub fn read(
        path: &Path,
        tell: impl Fn(Option<&OauthTrouble>) + Send + Sync + 'static,
    ) -> Result<ResourceServer, OauthTrouble> {
        let settings = settings::read(path)?;
        let keys = KeyFile::open(&settings.keys, Box::new(tell))?;
        Ok(ResourceServer { settings, keys })
    }

    /// Who shows this token, and what that one may do at the time `now`. It may read the key set again, which is a
    /// small file.
    pub fn judge(&self, token: &str, now: SystemTime) -> Result<Grant, Refused> {
        if token.len() > MAX_TOKEN {
            return Err(Refused::Invalid("the token is longer than 8 KiB"));
        }
        let no_token = |_| Refused::Invalid("the token is no signed token that is known here");
        let header = decode_header(token).map_err(no_token)?;
        if header.crit.is_some() {
            return Err(Refused::Invalid("the token asks for what is not known here (crit)"));
        }
        let is_kind = |kind: &String| KINDS.contains(&kind.to_ascii_lowercase().as_str());
        if !header.typ.as_ref().is_none_or(is_kind) {
            return Err(Refused::Invalid("the token is of a kind that gives no access (typ)"));
        }
        let keys = self.keys.fitting(header.kid.as_deref(), header.alg, now);
        if keys.is_empty() {
            return Err(Refused::Invalid("no known key of the issuer fits the token"));
        }
        // All that is asked of the claims is asked with the clock that was handed in.
        let mut signature_only = Validation::new(header.alg);
        signature_only.required_spec_claims.clear();
        signature_only.validate_exp = false;
        signature_only.validate_nbf = false;
        signature_only.validate_aud = false;
        let mut why = "the token's signature does not hold";
        for key in &keys {
            match decode::<Map<String, Value>>(token, key, &signature_only) {
                Ok(token) => return claims::judge(&token.claims, &self.settings, now),
                // Only what is signed is read as claims.
                Err(trouble) if matches!(trouble.kind(), ErrorKind::Json(_)) => {
                    why = "the token's claims do not have the form of claims";
                }
                Err(_) => {}
            }
        }
        Err(Refused::Invalid(why))
    }

    /// The value of `WWW-Authenticate` for a refusal.
    pub fn challenge(&self, refused: &Refused) -> String {
        let mut parts = vec![
            ("resource_metadata", self.settings.metadata_url.as_str()),
            ("scope", self.scope_of(refused.needed())),
        ];
        parts.extend(refused.code().map(|code| ("error", code)));
        parts.extend(refused.description().map(|why| ("error_description", why)));
        let parts: Vec<String> = parts
            .into_iter()
            .map(|(name, value)| format!("{name}=\"{}\"", quoted(value)))
            .collect();
        format!("Bearer {}", parts.join(", "))
    }

    /// What clients are told about this server (RFC 9728); it needs no token.
    pub fn metadata(&self) -> Value {
        let Settings { resource, authorization_servers, scopes, .. } = &self.settings;
        json!({
            "resource": resource,
            "authorization_servers": authorization_servers,
            "bearer_methods_supported": ["header"],
            "scopes_supported": [scopes.read, scopes.change],
            "resource_name": "Groundline",
        })
    }

    /// The path at which clients look for the metadata; they try [`WELL_KNOWN`] alone, too.
    pub fn metadata_path(&self) -> &str {
        &self.settings.metadata_path
    }

    /// Why the key set could not be read when that was last tried. The keys that were read before it are used.
    pub fn trouble(&self) -> Option<OauthTrouble> {
        self.keys.trouble()
    }

    fn scope_of(&self, rights: Rights) -> &str {
        match rights {
            Rights::List | Rights::Read => &self.settings.scopes.read,
            Rights::Change => &self.settings.scopes.change,
        }
    }
}

/// A text as it stands between quotes in a header.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests;
