//! The issuer's keys, read from a file of theirs and read again when it changes.
//!
//! Only public keys that sign are kept, each with the algorithms that fit it. A key's name is compared and never used
//! as anything else; nothing that a token names is opened.

use super::settings::OauthTrouble;
use crate::sources::workspace::folder::{Trace, bounded, regular, status_of_file};
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, PublicKeyUse};
use jsonwebtoken::jwk::{KeyAlgorithm, KeyOperations};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind, crypto};
use serde_json::Value;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// The largest key set that is read.
const MAX_BYTES: u64 = 1024 * 1024;

/// The most keys in one.
const MAX_KEYS: usize = 100;

/// The file is looked at no more often than this, and for a key that is not in it no more often than this again.
const BETWEEN_LOOKS: Duration = Duration::from_secs(5);

/// What RSA keys are taken, in bits of their modulus.
const RSA_BITS: std::ops::RangeInclusive<usize> = 2048..=8192;

/// One key of the issuer.
pub struct Key {
    name: Option<String>,
    algorithms: Vec<Algorithm>,
    /// The key itself.
    pub key: DecodingKey,
}

/// Hears that the key set cannot be read any more and why, or that it can be again.
pub type Tell = dyn Fn(Option<&OauthTrouble>) + Send + Sync;

/// The key set in a file.
pub struct KeyFile {
    path: PathBuf,
    tell: Box<Tell>,
    kept: Mutex<Kept>,
}

struct Kept {
    keys: Arc<[Key]>,
    trace: Option<Trace>,
    /// When it was last asked whether the file changed.
    looked: SystemTime,
    /// When it was last read for a key that was not known.
    sought: SystemTime,
    trouble: Option<OauthTrouble>,
}

impl KeyFile {
    /// The key set in the file at `path`, which must hold a key that can be used. `tell` hears each
    /// change of [`KeyFile::trouble`].
    pub fn open(path: &Path, tell: Box<Tell>) -> Result<KeyFile, OauthTrouble> {
        let (keys, trace) = read(path)?;
        let (looked, sought) = (SystemTime::UNIX_EPOCH, SystemTime::UNIX_EPOCH);
        let kept = Kept { keys, trace: Some(trace), looked, sought, trouble: None };
        Ok(KeyFile { path: path.to_path_buf(), tell, kept: Mutex::new(kept) })
    }

    /// The keys that may have signed what names `name` and `algorithm`: those of that name, or, where none is named, the
    /// only one that fits. A file that cannot be read any more leaves the keys as they were, see [`KeyFile::trouble`].
    pub fn fitting(
        &self,
        name: Option<&str>,
        algorithm: Algorithm,
        now: SystemTime,
    ) -> Vec<DecodingKey> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let before = kept.trouble.clone();
        if is_due(kept.looked, now) {
            kept.looked = now;
            // A file that was moved away and back has its old trace again.
            if kept.trouble.is_some() || trace_of(&self.path) != kept.trace {
                kept.read(&self.path);
            }
        }
        if fitting(&kept.keys, name, algorithm).is_empty() && is_due(kept.sought, now) {
            kept.sought = now;
            kept.read(&self.path);
        }
        let (keys, trouble) = (Arc::clone(&kept.keys), kept.trouble.clone());
        // Whoever is told may take a while, in which others go on.
        drop(kept);
        if trouble != before {
            (self.tell)(trouble.as_ref());
        }
        fitting(&keys, name, algorithm)
    }

    /// Why the file could not be read when it was last tried.
    pub fn trouble(&self) -> Option<OauthTrouble> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).trouble.clone()
    }
}

impl Kept {
    fn read(&mut self, path: &Path) {
        match read(path) {
            Ok((keys, trace)) => {
                (self.keys, self.trace, self.trouble) = (keys, Some(trace), None);
            }
            Err(why) => self.trouble = Some(why),
        }
    }
}

/// A clock that was put back makes everything due.
fn is_due(last: SystemTime, now: SystemTime) -> bool {
    now.duration_since(last).map_or(true, |since| since >= BETWEEN_LOOKS)
}

fn fitting(keys: &[Key], name: Option<&str>, algorithm: Algorithm) -> Vec<DecodingKey> {
    let fits = |key: &&Key| {
        key.algorithms.contains(&algorithm) && (name.is_none() || key.name.as_deref() == name)
    };
    let found: Vec<DecodingKey> = keys.iter().filter(fits).map(|key| key.key.clone()).collect();
    match name {
        None if found.len() > 1 => Vec::new(),
        Some(_) | None => found,
    }
}

fn trace_of(path: &Path) -> Option<Trace> {
    regular(path).and_then(|file| status_of_file(&file)).ok().map(|status| status.trace)
}

fn read(path: &Path) -> Result<(Arc<[Key]>, Trace), OauthTrouble> {
    let read = |file: File| -> io::Result<(Vec<u8>, Trace)> {
        let trace = status_of_file(&file)?.trace;
        Ok((bounded(file, MAX_BYTES)?, trace))
    };
    let (bytes, trace) = regular(path).and_then(read).map_err(|why| OauthTrouble::Unreadable {
        file: path.to_path_buf(),
        why: why.to_string(),
        form: "the issuer's public keys, as its jwks_uri gives them",
    })?;
    let keys = keys_in(&bytes)
        .map_err(|what| OauthTrouble::Keys { file: path.to_path_buf(), what: what.to_owned() })?;
    Ok((keys.into(), trace))
}

fn keys_in(bytes: &[u8]) -> Result<Vec<Key>, &'static str> {
    let set: Value = serde_json::from_slice(bytes).map_err(
        |_| "it is not JSON: save there what the issuer's jwks_uri gives, as {\"keys\":[…]}",
    )?;
    let listed = set.get("keys").and_then(Value::as_array).ok_or(
        "it has no list \"keys\": save there what the issuer's jwks_uri gives, as {\"keys\":[…]}",
    )?;
    if listed.len() > MAX_KEYS {
        return Err("it has more than 100 keys: leave those out that sign nothing any more");
    }
    if listed.iter().any(|key| key.get("d").is_some()) {
        return Err("it holds a private key: put the public keys there, and take that one back");
    }
    let keys: Vec<Key> = listed.iter().filter_map(key_of).collect();
    match keys.is_empty() {
        true => Err("it has no public key to judge tokens by: \
             RSA from 2048 bits, P-256, P-384 or Ed25519, for signatures"),
        false => Ok(keys),
    }
}

/// The key, if it is one that tokens are judged by; others in a set have other uses.
fn key_of(written: &Value) -> Option<Key> {
    use Algorithm::{ES256, ES384, EdDSA, PS256, PS384, PS512, RS256, RS384, RS512};
    let jwk: Jwk = serde_json::from_value(written.clone()).ok()?;
    let signs = match (&jwk.common.public_key_use, &jwk.common.key_operations) {
        (Some(PublicKeyUse::Encryption | PublicKeyUse::Other(_)), _) => false,
        (_, Some(operations)) => operations.contains(&KeyOperations::Verify),
        (Some(PublicKeyUse::Signature) | None, None) => true,
    };
    let algorithms: &[Algorithm] = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => &[RS256, RS384, RS512, PS256, PS384, PS512],
        AlgorithmParameters::EllipticCurve(of) if of.curve == EllipticCurve::P256 => &[ES256],
        AlgorithmParameters::EllipticCurve(of) if of.curve == EllipticCurve::P384 => &[ES384],
        AlgorithmParameters::OctetKeyPair(of) if of.curve == EllipticCurve::Ed25519 => &[EdDSA],
        // A secret that both sides share proves nothing of who signed.
        _ => return None,
    };
    let only = jwk.common.key_algorithm;
    let is_meant = |of: &&Algorithm| only.is_none_or(|only| only == KeyAlgorithm::from(**of));
    let algorithms: Vec<Algorithm> = algorithms.iter().filter(is_meant).copied().collect();
    let key = DecodingKey::from_jwk(&jwk).ok().filter(is_sound)?;
    // Judging nothing by it tells whether it is a key at all: a point on its curve, an exponent within bounds.
    let is_key = |of: &Algorithm| crypto::verify("", b"", &key, *of).is_ok();
    let is_usable = signs && !algorithms.is_empty() && algorithms.iter().all(is_key);
    is_usable.then_some(Key { name: jwk.common.key_id, algorithms, key })
}

/// Whether the key has the length of its kind; the crates below take that for granted.
fn is_sound(key: &DecodingKey) -> bool {
    match key.kind() {
        DecodingKeyKind::RsaModulusExponent { n, e } => {
            let first = n.iter().position(|byte| *byte != 0).unwrap_or(n.len());
            let n_bits = match n[first..] {
                [] => 0,
                [top, ..] => (n.len() - first) * 8 - top.leading_zeros() as usize,
            };
            RSA_BITS.contains(&n_bits) && (1..=8).contains(&e.len())
        }
        DecodingKeyKind::SecretOrDer(bytes) => [32, 65, 97].contains(&bytes.len()),
    }
}
