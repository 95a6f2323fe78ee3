//! What a token says, once its signature holds: whether it is for this server, now, and from whom.
//!
//! The clock is handed in. Nothing is taken for granted that a token leaves out.

use super::refused::{Grant, Refused};
use super::settings::{Scopes, Settings};
use crate::server::caller::Rights;
use crate::session::Principal;
use serde_json::{Map, Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

/// How far two clocks may be apart, in seconds.
const LEEWAY: f64 = 30.0;

/// What the token with these claims gives at the time `now`.
pub fn judge(
    claims: &Map<String, Value>,
    settings: &Settings,
    now: SystemTime,
) -> Result<Grant, Refused> {
    let issuer = claims.get("iss").and_then(Value::as_str);
    if issuer != Some(settings.issuer.as_str()) {
        return Err(Refused::Invalid("the token is from another issuer"));
    }
    if !words(claims.get("aud"), |text| vec![text]).contains(&settings.audience.as_str()) {
        return Err(Refused::Invalid("the token is for another audience"));
    }
    in_time(claims, now)?;
    if claims.contains_key("cnf") {
        let why = "the token is bound to a key of its client, which cannot be checked here";
        return Err(Refused::Invalid(why));
    }
    let (kind, name) = named(claims)?;
    let subject = json!([settings.issuer, kind, name]).to_string();
    Ok(Grant {
        principal: Principal::Subject(subject.into()),
        rights: rights(claims, &settings.scopes),
    })
}

fn in_time(claims: &Map<String, Value>, now: SystemTime) -> Result<(), Refused> {
    // Before 1970 the clock is wrong, and no token can be told to be still good.
    let now = now.duration_since(UNIX_EPOCH).map_or(f64::MAX, |since| since.as_secs_f64());
    let seconds = |name: &str| claims.get(name).map(|at| at.as_f64().filter(|at| at.is_finite()));
    match seconds("exp") {
        None => return Err(Refused::Invalid("the token does not say when it expires")),
        Some(None) => return Err(Refused::Invalid("the token's exp is no time")),
        Some(Some(end)) if now >= end + LEEWAY => {
            return Err(Refused::Invalid("the token has expired"));
        }
        Some(Some(_)) => {}
    }
    match seconds("nbf") {
        Some(None) => Err(Refused::Invalid("the token's nbf is no time")),
        Some(Some(start)) if now < start - LEEWAY => {
            Err(Refused::Invalid("the token is not valid yet"))
        }
        Some(Some(_)) | None => Ok(()),
    }
}

/// Whose token it is, and whether that is a user or a client; the two have names of their own.
fn named(claims: &Map<String, Value>) -> Result<(&'static str, &str), Refused> {
    let found = match claims.get("sub") {
        Some(subject) => ("sub", subject.as_str()),
        None => ("client_id", claims.get("client_id").and_then(Value::as_str)),
    };
    match found {
        (kind, Some(name)) if !name.is_empty() => Ok((kind, name)),
        (_, Some(_) | None) => Err(Refused::Invalid("the token does not say whose it is")),
    }
}

/// What its scopes allow, be they a text or a list, under either name.
fn rights(claims: &Map<String, Value>, scopes: &Scopes) -> Rights {
    let apart = |text| -> Vec<&str> { str::split(text, ' ').collect() };
    let mut given = words(claims.get("scope"), apart);
    given.extend(words(claims.get("scp"), apart));
    match (given.contains(&scopes.change.as_str()), given.contains(&scopes.read.as_str())) {
        (true, _) => Rights::Change,
        (false, true) => Rights::Read,
        (false, false) => Rights::List,
    }
}

/// The words of a claim that is a text or a list of texts.
fn words<'c>(claim: Option<&'c Value>, apart: impl Fn(&'c str) -> Vec<&'c str>) -> Vec<&'c str> {
    match claim {
        Some(Value::String(text)) => apart(text),
        Some(Value::Array(texts)) => texts.iter().filter_map(Value::as_str).collect(),
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => {
            Vec::new()
        }
    }
}
