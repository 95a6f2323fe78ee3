//! Tokens made here, with keys made here, against the server that is meant to judge them.

use super::{Grant, MAX_TOKEN, OauthTrouble, Refused, ResourceServer};
use crate::server::caller::Rights;
use crate::session::Principal;
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey, Header, crypto, encode};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tempfile::TempDir;

/// An RSA key of 2048 bits, made for these tests: PKCS#1, DER, base64.
const RSA: &str = "\
MIIEowIBAAKCAQEAnUM0hyexlNNzCGav7heglQKh285hJDLf1V+RGXKUajvGAbDAIP19ZFw1S94ds6Crp4rVx9C6Pt3CHAR1sDOY\
au+hqlpypzptFNd/BBoUBFTo72GfQ08K5gQBPyLi/4cPm42eWr4CQr0Fdbobd8G1B/SIIb1TMyU9/PD9V3dWWY3fINH9dlUArmIX\
LLAq94MOQClQ1J5gSWbMk09BNvcTiLuX1ksGceRtdomk+X302Gkd5JdSZtIgZJiNVVHYP798eMYo1kvt1AP4vB9u8dD3YSbDuOIk\
jpS57NgTTESSkaaTuL2iC+5Jq0ZKbdbbBcMSOzv+f+28ItYl0P0coy+sxQIDAQABAoIBAAQHluuudv/tXSGGR0eU2Zuhdu+wpALI\
voomo6UUL2/7berykjG/0EjUJ6KoI3jlvinexlr5r7pw3AqNi+bccGR8SHDniWmPw//7ngV6YsnroETGBE4CuZcRDwEedG3/+Ksc\
bJLYEvgn0ZR/Lmxmpvj4HJoUuL8mQXNFfF0tF/LXQ/+jejk53RgZCFJPSedttj7bzoIWgE+kZktxYsYVf/z2UdoUm1w9tm2I17h1\
+iOfUbigPj2f2Vzzght7me1I1VZItYhiJCtp5cLnjJSKtYy7ewKWLaJ2jizBoO8mufLPNuuw6D6XmgvA00SBEVmbofb9GYc5ju2m\
3pmgaEzcU3ECgYEA1kGLCCrsDgFdgvfr3xs5laxpWW4SODdvM+XroMhW9USkqe2Xpk8DR8ZS3WZtjlCNLCybn8LSWVuWX5TMoQY2\
yNINozTRRdhxA7aXXNyf3Trce263aCoZ79M6M1ZMvgVqb1LOWVaILH5EKgrq5rj/6GRjUZOs85MlIFJkBi9uRCkCgYEAu+b+mTua\
eV3NveDEsMqV9NLqNr35FAhJCrbrf3aGrfNeeCks/VB+t/OdOqd98nWl/MtlEpBKJEz4/h1P37lJ3GG7jZbrLsAgL3vXkqAV6EdV\
5GXaRcD/7b1jI7HoW3DBPKLRGDdR/EkAYq4WMDq+/Zi7DY29Uo1vhf2VRcKz1z0CgYEAnTsQKnhFLqn108zYfavfAGW8EfLiz/pu\
UumhlyYuGmO7azB+n39QavWxjeRC9bNLRmWd9wnjj8vUeGQcHvcOcSUk+OYjxVvm49C1F2KYtqMhdjtzwK9UxVh/V3k3bCNRTky4\
PXtxByXKJAhLBfIxantxH0Z+H2mWTzfnS1q3UrECgYAlBqWQqFAOLk/GZK4dcC4QaidA1jpomiFafST2nvJ3AIfTAbodyGjP8q8+\
yZZl2oz0vVeTSt9xO8GswTXmDeriBFgi1GRPeAhfkvWtrOHkPXpNYUybhiZoQHNyqzHwIs3RFvxA21XKctAioc85fbn42smxKAbw\
Z3JcYtWxQ2aQuQKBgEWMgXzrGpXpOlID5BMkPh3hGZhCkN67CMZyurhtqdfolyN0DAwQ6BUhIWb2Qz+2MejD7O2GpU8fnLeUtRdL\
dWolt9TcG0BS4p6+LwM7LSRqtd6YGbzIkhEuiLwDRpUZvYjkRMNHjr85CDbQ/GxLVA/zbvxEdU1SWF6DRBFVMfg2";

const ISSUER: &str = "https://id.example.org/";
const RESOURCE: &str = "https://tools.example.org/mcp";
const NOW: u64 = 1_800_000_000;

fn rsa() -> EncodingKey {
    EncodingKey::from_rsa_der(EncodingKey::from_base64_secret(RSA).unwrap().as_bytes())
}

/// The P-256 key whose secret is this number over and over.
fn p256(secret: u8) -> EncodingKey {
    let before = b"\x30\x41\x02\x01\0\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\
\x2a\x86\x48\xce\x3d\x03\x01\x07\x04\x27\x30\x25\x02\x01\x01\x04\x20";
    EncodingKey::from_ec_der(&[&before[..], &[secret; 32]].concat())
}

fn p384(secret: u8) -> EncodingKey {
    let before = b"\x30\x4e\x02\x01\0\x30\x10\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x05\
\x2b\x81\x04\0\x22\x04\x37\x30\x35\x02\x01\x01\x04\x30";
    EncodingKey::from_ec_der(&[&before[..], &[secret; 48]].concat())
}

fn ed25519(secret: u8) -> EncodingKey {
    let before = b"\x30\x2e\x02\x01\0\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20";
    EncodingKey::from_ed_der(&[&before[..], &[secret; 32]].concat())
}

fn public(key: &EncodingKey, algorithm: Algorithm, name: &str) -> Value {
    let mut jwk = Jwk::from_encoding_key(key, algorithm).unwrap();
    jwk.common.key_id = Some(name.to_owned());
    serde_json::to_value(jwk).unwrap()
}

fn at(seconds: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(seconds)
}

/// A server in a folder of its own; its issuer has the Ed25519 key `ed` and what is given.
struct House {
    folder: TempDir,
    server: ResourceServer,
}

fn configuration() -> String {
    format!("resource = \"{RESOURCE}\"\nissuer = \"{ISSUER}\"\nkeys = \"keys.json\"\n")
}

fn opened(configuration: &str, keys: &str) -> (TempDir, Result<ResourceServer, OauthTrouble>) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("oauth.toml"), configuration).unwrap();
    fs::write(folder.path().join("keys.json"), keys).unwrap();
    let server = ResourceServer::read(&folder.path().join("oauth.toml"), |_| ());
    (folder, server)
}

fn set(more: &[Value]) -> String {
    let mut keys = vec![public(&ed25519(1), Algorithm::EdDSA, "ed")];
    keys.extend_from_slice(more);
    json!({ "keys": keys }).to_string()
}

fn house(more: &[Value]) -> House {
    let (folder, server) = opened(&configuration(), &set(more));
    House { folder, server: server.unwrap() }
}

impl House {
    fn keys(&self) -> PathBuf {
        self.folder.path().join("keys.json")
    }

    fn judge(&self, token: &str) -> Result<Grant, Refused> {
        self.server.judge(token, at(NOW))
    }

    fn judge_claims(&self, claims: &Value) -> Result<Grant, Refused> {
        self.judge(&token(claims))
    }
}

fn claims() -> Value {
    json!({
        "iss": ISSUER,
        "aud": RESOURCE,
        "sub": "ada",
        "exp": NOW + 600,
        "nbf": NOW - 600,
        "scope": "openid groundline:read",
    })
}

fn with(name: &str, value: Value) -> Value {
    let mut claims = claims();
    claims[name] = value;
    claims
}

fn without(name: &str) -> Value {
    let mut claims = claims();
    claims.as_object_mut().unwrap().remove(name);
    claims
}

fn header(algorithm: Algorithm, name: Option<&str>) -> Header {
    Header { kid: name.map(str::to_owned), ..Header::new(algorithm) }
}

fn token(claims: &Value) -> String {
    encode(&header(Algorithm::EdDSA, Some("ed")), claims, &ed25519(1)).unwrap()
}

/// A token whose header is written by hand, and signed by the issuer's own key.
fn token_with(header: &Value) -> String {
    let part = |value: &Value| {
        let any = EncodingKey::from_secret(b"any").unwrap();
        encode(&Header::default(), value, &any).unwrap().split('.').nth(1).unwrap().to_owned()
    };
    let message = format!("{}.{}", part(header), part(&claims()));
    let signature = crypto::sign(message.as_bytes(), &ed25519(1), Algorithm::EdDSA).unwrap();
    format!("{message}.{signature}")
}

fn ada(rights: Rights) -> Grant {
    let subject = r#"["https://id.example.org/","sub","ada"]"#;
    Grant { principal: Principal::Subject(subject.into()), rights }
}

fn refused(why: &'static str) -> Result<Grant, Refused> {
    Err(Refused::Invalid(why))
}

const NO_SIGNED: &str = "the token is no signed token that is known here";
const NO_KEY: &str = "no known key of the issuer fits the token";
const NO_SIGNATURE: &str = "the token's signature does not hold";

#[test]
fn a_right_token_is_let_in_with_each_kind_of_key() {
    use Algorithm::{ES256, ES384, EdDSA, PS256, PS384, PS512, RS256, RS384, RS512};
    let keys = [(rsa(), RS256), (p256(2), ES256), (p384(3), ES384), (ed25519(4), EdDSA)];
    let named = |(at, (key, algorithm)): (usize, &(EncodingKey, Algorithm))| {
        let mut key = public(key, *algorithm, &format!("k{at}"));
        key.as_object_mut().unwrap().remove("alg");
        key
    };
    let house = house(&keys.iter().enumerate().map(named).collect::<Vec<_>>());
    for (at, (key, first)) in keys.iter().enumerate() {
        let all: &[Algorithm] = match first {
            RS256 => &[RS256, RS384, RS512, PS256, PS384, PS512],
            _ => &[*first],
        };
        for algorithm in all {
            let header = header(*algorithm, Some(&format!("k{at}")));
            let token = encode(&header, &claims(), key).unwrap();
            assert_eq!(house.judge(&token), Ok(ada(Rights::Read)), "{algorithm:?}");
        }
    }
}

#[test]
fn a_token_with_another_signature_is_refused() {
    let house = house(&[public(&rsa(), Algorithm::RS256, "rsa")]);
    let forged = encode(&header(Algorithm::EdDSA, Some("ed")), &claims(), &ed25519(9)).unwrap();
    assert_eq!(house.judge(&forged), refused(NO_SIGNATURE));
    let right = encode(&header(Algorithm::RS256, Some("rsa")), &claims(), &rsa()).unwrap();
    assert_eq!(house.judge(&right), Ok(ada(Rights::Read)));
    let (message, signature) = right.rsplit_once('.').unwrap();
    let bent = if signature.starts_with('A') { "B" } else { "A" };
    assert_eq!(house.judge(&format!("{message}.{bent}{}", &signature[1..])), refused(NO_SIGNATURE));
    assert_eq!(house.judge(&format!("{message}.")), refused(NO_SIGNATURE));
    let other = token(&with("sub", json!("eve")));
    let payload = other.split('.').nth(1).unwrap();
    let header = message.split('.').next().unwrap();
    let exchanged = format!("{header}.{payload}.{signature}");
    assert_eq!(house.judge(&exchanged), refused(NO_SIGNATURE));
}

#[test]
fn an_expired_token_is_refused() {
    let house = house(&[]);
    let end = |exp: u64| house.judge_claims(&with("exp", json!(exp)));
    assert_eq!(end(NOW - 3600), refused("the token has expired"));
    assert_eq!(end(NOW - 30), refused("the token has expired"));
    assert_eq!(end(NOW - 29), Ok(ada(Rights::Read)));
    let token = token(&claims());
    assert_eq!(house.server.judge(&token, at(NOW + 629)), Ok(ada(Rights::Read)));
    assert_eq!(house.server.judge(&token, at(NOW + 630)), refused("the token has expired"));
    let before = UNIX_EPOCH - Duration::from_secs(1);
    assert_eq!(house.server.judge(&token, before), refused("the token has expired"));
}

#[test]
fn a_token_that_is_not_valid_yet_is_refused() {
    let house = house(&[]);
    let start = |nbf: Value| house.judge_claims(&with("nbf", nbf));
    assert_eq!(start(json!(NOW + 31)), refused("the token is not valid yet"));
    assert_eq!(start(json!(NOW + 30)), Ok(ada(Rights::Read)));
    assert_eq!(start(json!("tomorrow")), refused("the token's nbf is no time"));
    assert_eq!(house.judge_claims(&without("nbf")), Ok(ada(Rights::Read)));
}

#[test]
fn a_token_for_another_audience_is_refused() {
    let house = house(&[]);
    let why = "the token is for another audience";
    let audience = |aud: Value| house.judge_claims(&with("aud", aud));
    for other in [
        json!("https://other.example.org/mcp"),
        json!("https://tools.example.org/mcp/"),
        json!("https://tools.example.org"),
        json!(["https://other.example.org", "account"]),
        json!([[RESOURCE]]),
        json!({ RESOURCE: true }),
        json!([]),
        json!(null),
    ] {
        assert_eq!(audience(other.clone()), refused(why), "{other}");
    }
    assert_eq!(house.judge_claims(&without("aud")), refused(why));
    assert_eq!(audience(json!(["account", RESOURCE])), Ok(ada(Rights::Read)));
}

#[test]
fn a_token_of_another_issuer_is_refused() {
    let house = house(&[]);
    let why = "the token is from another issuer";
    for other in [json!("https://id.example.org"), json!([ISSUER]), json!("x"), json!(null)] {
        assert_eq!(house.judge_claims(&with("iss", other.clone())), refused(why), "{other}");
    }
    assert_eq!(house.judge_claims(&without("iss")), refused(why));
}

#[test]
fn a_token_without_signature_is_refused() {
    let house = house(&[]);
    for none in ["none", "None", "NONE", "nOnE"] {
        let token = token_with(&json!({ "alg": none, "kid": "ed" }));
        assert_eq!(house.judge(&token), refused(NO_SIGNED));
        let (message, _) = token.rsplit_once('.').unwrap();
        assert_eq!(house.judge(&format!("{message}.")), refused(NO_SIGNED));
    }
}

#[test]
fn a_token_signed_with_the_public_key_as_a_secret_is_refused() {
    let house = house(&[public(&rsa(), Algorithm::RS256, "rsa")]);
    let text = fs::read(house.keys()).unwrap();
    let set: Value = serde_json::from_slice(&text).unwrap();
    let n = set["keys"][1]["n"].as_str().unwrap().as_bytes().to_vec();
    let x = set["keys"][0]["x"].as_str().unwrap().as_bytes().to_vec();
    for (name, secret) in [("rsa", n), ("ed", x), ("rsa", text)] {
        let secret = EncodingKey::from_secret(&secret).unwrap();
        let token = encode(&header(Algorithm::HS256, Some(name)), &claims(), &secret).unwrap();
        assert_eq!(house.judge(&token), refused(NO_KEY));
    }
}

#[test]
fn a_secret_in_the_key_set_is_no_key() {
    let secret = json!({ "kty": "oct", "kid": "s", "k": "c2VjcmV0", "alg": "HS256" });
    let house = house(&[secret]);
    let key = EncodingKey::from_secret(b"secret").unwrap();
    let token = encode(&header(Algorithm::HS256, Some("s")), &claims(), &key).unwrap();
    assert_eq!(house.judge(&token), refused(NO_KEY));
}

#[test]
fn an_algorithm_that_does_not_fit_the_key_is_refused() {
    let only = public(&rsa(), Algorithm::RS256, "rsa");
    let house = house(&[only, public(&p256(2), Algorithm::ES256, "p")]);
    let pss = encode(&header(Algorithm::PS256, Some("rsa")), &claims(), &rsa()).unwrap();
    assert_eq!(house.judge(&pss), refused(NO_KEY));
    let p384 = encode(&header(Algorithm::ES384, Some("p")), &claims(), &p384(2)).unwrap();
    assert_eq!(house.judge(&p384), refused(NO_KEY));
    let ed = encode(&header(Algorithm::EdDSA, Some("p")), &claims(), &ed25519(1)).unwrap();
    assert_eq!(house.judge(&ed), refused(NO_KEY));
}

#[test]
fn the_name_of_a_key_is_compared_and_never_opened() {
    let house = house(&[]);
    let secret = EncodingKey::from_secret(b"\0").unwrap();
    for name in ["../../etc/passwd", "/dev/zero", "ed\0", "\0", "keys.json", "ED", ""] {
        let right = encode(&header(Algorithm::EdDSA, Some(name)), &claims(), &ed25519(1)).unwrap();
        assert_eq!(house.judge(&right), refused(NO_KEY), "{name}");
        let shared = encode(&header(Algorithm::HS256, Some(name)), &claims(), &secret).unwrap();
        assert_eq!(house.judge(&shared), refused(NO_KEY), "{name}");
    }
}

#[test]
fn without_a_name_the_only_key_that_fits_is_meant() {
    let house = house(&[public(&rsa(), Algorithm::RS256, "r")]);
    let ed = encode(&header(Algorithm::EdDSA, None), &claims(), &ed25519(1)).unwrap();
    assert_eq!(house.judge(&ed), Ok(ada(Rights::Read)));
    fs::write(house.keys(), set(&[public(&ed25519(2), Algorithm::EdDSA, "second")])).unwrap();
    assert_eq!(house.server.judge(&ed, at(NOW + 5)), refused(NO_KEY));
}

#[test]
fn keys_that_a_token_brings_along_or_points_to_are_not_used() {
    let house = house(&[]);
    let own = public(&ed25519(9), Algorithm::EdDSA, "own");
    let path = house.folder.path().join("own.json");
    fs::write(&path, json!({ "keys": [own] }).to_string()).unwrap();
    let from_own: Jwk = serde_json::from_value(own).unwrap();
    let forged = Header {
        jwk: Some(from_own),
        jku: Some(format!("file://{}", path.display())),
        x5u: Some(path.display().to_string()),
        ..header(Algorithm::EdDSA, Some("own"))
    };
    let token = encode(&forged, &claims(), &ed25519(9)).unwrap();
    assert_eq!(house.judge(&token), refused(NO_KEY));
    let named = Header { kid: Some("ed".to_owned()), ..forged };
    let token = encode(&named, &claims(), &ed25519(9)).unwrap();
    assert_eq!(house.judge(&token), refused(NO_SIGNATURE));
}

#[test]
fn a_header_that_asks_for_the_unknown_is_refused() {
    let house = house(&[]);
    for crit in [json!(["exp"]), json!(["b64"]), json!([])] {
        let token = token_with(&json!({ "alg": "EdDSA", "kid": "ed", "crit": crit, "b64": true }));
        let why = "the token asks for what is not known here (crit)";
        assert_eq!(house.judge(&token), refused(why));
    }
    let unencoded = token_with(&json!({ "alg": "EdDSA", "kid": "ed", "b64": false }));
    assert_eq!(house.judge(&unencoded), refused(NO_SIGNATURE));
}

#[test]
fn tokens_of_other_kinds_are_refused() {
    let house = house(&[]);
    let of =
        |typ: &str| house.judge(&token_with(&json!({ "alg": "EdDSA", "kid": "ed", "typ": typ })));
    for typ in ["at+jwt", "application/at+jwt", "JWT", "AT+JWT"] {
        assert_eq!(of(typ), Ok(ada(Rights::Read)), "{typ}");
    }
    for typ in ["dpop+jwt", "logout+jwt", "secevent+jwt", ""] {
        let why = "the token is of a kind that gives no access (typ)";
        assert_eq!(of(typ), refused(why), "{typ}");
    }
    let untyped = token_with(&json!({ "alg": "EdDSA", "kid": "ed" }));
    assert_eq!(house.judge(&untyped), Ok(ada(Rights::Read)));
}

#[test]
fn a_token_bound_to_a_key_of_its_client_is_refused() {
    let why = "the token is bound to a key of its client, which cannot be checked here";
    let claims = with("cnf", json!({ "jkt": "x" }));
    assert_eq!(house(&[]).judge_claims(&claims), refused(why));
}

#[test]
fn a_key_that_the_issuer_adds_is_found_when_a_token_names_it() {
    let house = house(&[]);
    let new = encode(&header(Algorithm::ES256, Some("new")), &claims(), &p256(7)).unwrap();
    assert_eq!(house.judge(&new), refused(NO_KEY));
    fs::write(house.keys(), set(&[public(&p256(7), Algorithm::ES256, "new")])).unwrap();
    // Whoever sends unknown names makes the file read again only so often.
    assert_eq!(house.server.judge(&new, at(NOW + 4)), refused(NO_KEY));
    assert_eq!(house.server.judge(&new, at(NOW + 5)), Ok(ada(Rights::Read)));
}

#[test]
fn a_key_that_is_named_first_after_a_quiet_look_is_found_at_once() {
    let house = house(&[]);
    assert_eq!(house.judge_claims(&claims()), Ok(ada(Rights::Read)));
    fs::write(house.keys(), set(&[public(&p256(7), Algorithm::ES256, "new")])).unwrap();
    let new = encode(&header(Algorithm::ES256, Some("new")), &claims(), &p256(7)).unwrap();
    assert_eq!(house.server.judge(&new, at(NOW + 1)), Ok(ada(Rights::Read)));
}

#[test]
fn a_key_that_the_issuer_takes_back_is_refused_soon() {
    let old = public(&p256(7), Algorithm::ES256, "old");
    let house = house(&[old]);
    let token = encode(&header(Algorithm::ES256, Some("old")), &claims(), &p256(7)).unwrap();
    assert_eq!(house.judge(&token), Ok(ada(Rights::Read)));
    fs::write(house.keys(), set(&[])).unwrap();
    assert_eq!(house.server.judge(&token, at(NOW + 5)), refused(NO_KEY));
}

#[test]
fn a_clock_that_is_put_back_does_not_keep_old_keys() {
    let old = public(&p256(7), Algorithm::ES256, "old");
    let house = house(&[old]);
    let token = encode(&header(Algorithm::ES256, Some("old")), &claims(), &p256(7)).unwrap();
    assert_eq!(house.server.judge(&token, at(NOW + 100)), Ok(ada(Rights::Read)));
    fs::write(house.keys(), set(&[])).unwrap();
    assert_eq!(house.judge(&token), refused(NO_KEY));
}

#[test]
fn a_key_set_that_cannot_be_read_any_more_leaves_the_last_one_and_is_told() {
    let house = house(&[]);
    let token = token(&claims());
    for (at_second, half) in [(5, "{\"keys\":["), (10, "{\"keys\":[]}")] {
        fs::write(house.keys(), half).unwrap();
        assert_eq!(house.server.judge(&token, at(NOW + at_second)), Ok(ada(Rights::Read)));
        let told = house.server.trouble().unwrap().to_string();
        assert!(told.starts_with(house.keys().to_str().unwrap()), "{told}");
    }
    fs::remove_file(house.keys()).unwrap();
    assert_eq!(house.server.judge(&token, at(NOW + 15)), Ok(ada(Rights::Read)));
    fs::write(house.keys(), set(&[])).unwrap();
    assert_eq!(house.server.judge(&token, at(NOW + 20)), Ok(ada(Rights::Read)));
    assert_eq!(house.server.trouble(), None);
}

#[test]
fn each_change_of_what_is_wrong_with_the_key_set_is_told_once() {
    let house = house(&[]);
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let hearing = Arc::clone(&told);
    let tell = move |trouble: Option<&OauthTrouble>| {
        hearing.lock().unwrap().push(trouble.map_or("read".to_owned(), ToString::to_string));
    };
    let server = ResourceServer::read(&house.folder.path().join("oauth.toml"), tell).unwrap();
    let token = token(&claims());
    let mut second = NOW;
    let mut heard = || {
        second += 5;
        for _ in 0..3 {
            assert_eq!(server.judge(&token, at(second)), Ok(ada(Rights::Read)));
        }
        let heard = std::mem::take(&mut *told.lock().unwrap());
        assert_eq!(server.trouble().is_some(), heard.last().is_some_and(|last| last != "read"));
        heard
    };
    assert_eq!(heard(), [""; 0]);
    let away = house.folder.path().join("away");
    fs::rename(house.keys(), &away).unwrap();
    let gone = heard();
    assert!(gone.len() == 1 && gone[0].contains("cannot be read"), "{gone:?}");
    fs::write(house.keys(), "").unwrap();
    let empty = heard();
    assert!(empty.len() == 1 && empty[0].contains("is not JSON"), "{empty:?}");
    // It is the same file again.
    fs::remove_file(house.keys()).unwrap();
    fs::rename(&away, house.keys()).unwrap();
    assert_eq!(heard(), ["read"]);
    assert_eq!(heard(), [""; 0]);
}

#[test]
fn a_token_that_does_not_say_when_it_expires_is_refused() {
    let house = house(&[]);
    let why = "the token does not say when it expires";
    assert_eq!(house.judge_claims(&without("exp")), refused(why));
    for odd in [json!("2027-01-01"), json!(null), json!(true)] {
        let judged = house.judge_claims(&with("exp", odd.clone()));
        assert_eq!(judged, refused("the token's exp is no time"), "{odd}");
    }
    for odd in [json!([NOW + 9]), json!({ "at": NOW + 9 })] {
        let why = "the token's claims do not have the form of claims";
        assert_eq!(house.judge_claims(&with("exp", odd.clone())), refused(why), "{odd}");
    }
    assert_eq!(house.judge_claims(&with("exp", json!(-1))), refused("the token has expired"));
    let precise = with("exp", json!(NOW as f64 + 0.5));
    assert_eq!(house.judge_claims(&precise), Ok(ada(Rights::Read)));
}

#[test]
fn a_token_that_does_not_say_whose_it_is_is_refused() {
    let house = house(&[]);
    let why = "the token does not say whose it is";
    assert_eq!(house.judge_claims(&without("sub")), refused(why));
    for odd in [json!(""), json!(7), json!(null)] {
        let mut claims = with("sub", odd.clone());
        claims["client_id"] = json!("ada");
        assert_eq!(house.judge_claims(&claims), refused(why), "{odd}");
    }
}

#[test]
fn users_clients_and_issuers_of_the_same_name_are_different_ones() {
    let house = house(&[]);
    let user = house.judge_claims(&claims()).unwrap().principal;
    let mut client = without("sub");
    client["client_id"] = json!("ada");
    let client = house.judge_claims(&client).unwrap().principal;
    assert_ne!(user, client);
    let other = house.judge_claims(&with("sub", json!("Ada"))).unwrap().principal;
    assert_ne!(user, other);
    let elsewhere = configuration().replace(ISSUER, "https://id.example.org/2");
    let (_folder, elsewhere) = opened(&elsewhere, &set(&[]));
    let there = token(&with("iss", json!("https://id.example.org/2")));
    let there = elsewhere.unwrap().judge(&there, at(NOW)).unwrap().principal;
    assert_ne!(user, there);
    assert_ne!(user, Principal::Own);
}

#[test]
fn a_giant_token_is_refused_before_it_is_read() {
    let house = house(&[]);
    let why = "the token is longer than 8 KiB";
    assert_eq!(house.judge(&"x".repeat(MAX_TOKEN + 1)), refused(why));
    assert_eq!(house.judge(&"x".repeat(50 << 20)), refused(why));
    let long = token(&with("more", json!("m".repeat(5000))));
    assert!(long.len() < MAX_TOKEN);
    assert_eq!(house.judge(&long), Ok(ada(Rights::Read)));
    let longer = token(&with("more", json!("m".repeat(7000))));
    assert_eq!(house.judge(&longer), refused(why));
}

#[test]
fn garbage_is_refused() {
    let house = house(&[]);
    let deep = token_with(&json!({ "alg": "EdDSA" })).replace("eyJ", "W1tb");
    let right = token(&claims());
    let parts: Vec<&str> = right.split('.').collect();
    let swapped = format!("{}.{}.{}", parts[1], parts[0], parts[2]);
    let padded = format!("{}=.{}.{}", parts[0], parts[1], parts[2]);
    for odd in ["", ".", "..", "...", "a.b.c", "é.é.é", "\0\0\0", &deep, &swapped, &padded] {
        assert_eq!(house.judge(odd), refused(NO_SIGNED), "{odd}");
    }
    assert!(matches!(house.judge(&format!("{right}.x")), Err(Refused::Invalid(_))));
    assert!(matches!(house.judge(&format!(" {right}")), Err(Refused::Invalid(_))));
    let nested = (0..1000).fold(json!(1), |inner, _| json!([inner]));
    let why = "the token's claims do not have the form of claims";
    assert_eq!(house.judge_claims(&with("more", nested)), refused(why));
}

#[test]
fn scopes_decide_what_a_token_may_do() {
    let house = house(&[]);
    let mut bare = without("scope");
    let rights = |claims: &Value| house.judge_claims(claims).unwrap().rights;
    assert_eq!(rights(&bare), Rights::List);
    assert_eq!(rights(&with("scope", json!("groundline:reader x groundline"))), Rights::List);
    assert_eq!(rights(&with("scope", json!("a groundline:read"))), Rights::Read);
    assert_eq!(rights(&with("scope", json!("groundline:change"))), Rights::Change);
    bare["scp"] = json!(["groundline:read"]);
    assert_eq!(rights(&bare), Rights::Read);
    bare["scp"] = json!("openid groundline:change");
    assert_eq!(rights(&bare), Rights::Change);
}

#[test]
fn where_the_scope_is_lacking_the_one_that_is_needed_is_named() {
    let house = house(&[]);
    let why = Refused::Insufficient { needed: Rights::Change };
    assert_eq!(
        house.server.challenge(&why),
        "Bearer resource_metadata=\"https://tools.example.org/.well-known/oauth-protected-resource/mcp\", \
         scope=\"groundline:change\", error=\"insufficient_scope\", \
         error_description=\"the token does not allow this: ask for one with the scope named here\""
    );
}

#[test]
fn without_a_token_the_challenge_names_no_error() {
    let challenge = house(&[]).server.challenge(&Refused::NoToken);
    assert_eq!(
        challenge,
        "Bearer resource_metadata=\"https://tools.example.org/.well-known/oauth-protected-resource/mcp\", \
         scope=\"groundline:read\""
    );
}

#[test]
fn a_token_that_does_not_hold_is_an_invalid_token() {
    let house = house(&[]);
    let why = house.judge("secret.secret.secret").unwrap_err();
    let challenge = house.server.challenge(&why);
    assert!(challenge.contains("error=\"invalid_token\", error_description=\"the token "));
    assert!(!format!("{challenge}{why:?}").contains("secret"));
}

#[test]
fn the_metadata_names_the_resource_and_where_tokens_come_from() {
    let house = house(&[]);
    assert_eq!(
        house.server.metadata(),
        json!({
            "resource": RESOURCE,
            "authorization_servers": [ISSUER],
            "bearer_methods_supported": ["header"],
            "scopes_supported": ["groundline:read", "groundline:change"],
            "resource_name": "Groundline",
        })
    );
    assert_eq!(house.server.metadata_path(), "/.well-known/oauth-protected-resource/mcp");
}

#[test]
fn what_the_file_says_holds() {
    let more = "audience = \"groundline\"\nauthorization_servers = [\"https://a.example.org\"]\n\
                [scopes]\nread = \"r\"\n";
    let own = configuration().replace(RESOURCE, "http://localhost:7777");
    let (_folder, server) = opened(&format!("{own}{more}"), &set(&[]));
    let server = server.unwrap();
    let metadata = server.metadata();
    assert_eq!(metadata["authorization_servers"], json!(["https://a.example.org"]));
    assert_eq!(metadata["scopes_supported"], json!(["r", "groundline:change"]));
    assert_eq!(server.metadata_path(), "/.well-known/oauth-protected-resource");
    let challenge = server.challenge(&Refused::NoToken);
    assert!(challenge.contains("\"http://localhost:7777/.well-known/oauth-protected-resource\""));
    let mut claims = with("aud", json!("groundline"));
    claims["scope"] = json!("r");
    assert_eq!(server.judge(&token(&claims), at(NOW)), Ok(ada(Rights::Read)));
}

#[test]
fn what_the_file_should_not_say_is_named_with_its_line() {
    let wrong = |from: &str, to: &str| {
        let (folder, server) = opened(&configuration().replace(from, to), &set(&[]));
        let why = server.err().unwrap().to_string();
        let file = folder.path().join("oauth.toml").display().to_string();
        why.strip_prefix(&file).unwrap().to_owned()
    };
    let unknown = wrong("keys =", "jwks = \"x\"\nkeys =");
    assert!(
        unknown.starts_with(":3: unknown field `jwks`, expected one of `resource`"),
        "{unknown}"
    );
    let missing = wrong(&format!("issuer = \"{ISSUER}\"\n"), "");
    assert!(missing.contains("missing field `issuer`"), "{missing}");
    assert!(wrong("keys =", "keys").starts_with(":3: "));
    let no_tls = ":2: issuer must begin with https:// (http:// only on this machine)";
    assert_eq!(wrong(ISSUER, "http://id.example.org"), no_tls);
    for odd in ["tools", "https://", "https://u@h/mcp", "https://h/mcp?x", "https://h/mcp#x"] {
        let why = wrong(RESOURCE, odd);
        assert!(why.starts_with(":1: resource must be an address such as "), "{odd}: {why}");
    }
    let scope = wrong("keys =", "scopes.read = \"a b\"\nkeys =");
    assert!(scope.contains("read must be one scope"), "{scope}");
    let same = wrong("keys =", "scopes.read = \"groundline:change\"\nkeys =");
    assert!(same.contains("change must be another scope than read"), "{same}");
}

#[test]
fn a_key_set_without_a_key_to_judge_by_is_named() {
    let wrong = |keys: &str| {
        let (folder, server) = opened(&configuration(), keys);
        let why = server.err().unwrap().to_string();
        let file = folder.path().join("keys.json").display().to_string();
        why.strip_prefix(&file).unwrap().to_owned()
    };
    assert!(wrong("").starts_with(": it is not JSON"));
    assert!(wrong("[]").starts_with(": it has no list \"keys\""));
    let none = ": it has no public key to judge tokens by";
    assert!(wrong("{\"keys\":[]}").starts_with(none));
    let of = |key: Value| wrong(&json!({ "keys": [key] }).to_string());
    let ed = public(&ed25519(1), Algorithm::EdDSA, "ed");
    let changed = |name: &str, value: Value| {
        let mut key = ed.clone();
        key[name] = value;
        key
    };
    for (name, value) in [
        ("use", json!("enc")),
        ("key_ops", json!(["sign"])),
        ("alg", json!("RSA-OAEP")),
        ("alg", json!("ES256")),
        ("crv", json!("X25519")),
        ("x", json!("AAAA")),
        ("x", json!("")),
        ("x", json!("*")),
    ] {
        assert!(of(changed(name, value.clone())).starts_with(none), "{name} {value}");
    }
    let short = json!({ "kty": "RSA", "n": "w".repeat(170), "e": "AQAB" });
    assert!(of(short).starts_with(none));
    for e in ["", "AA", "AAAA", "Ag"] {
        let mut key = public(&rsa(), Algorithm::RS256, "rsa");
        key["e"] = json!(e);
        // What is no exponent never verifies; it must not panic either.
        let (_folder, server) = opened(&configuration(), &json!({ "keys": [key] }).to_string());
        let token = encode(&header(Algorithm::RS256, Some("rsa")), &claims(), &rsa()).unwrap();
        assert!(server.is_err() || server.unwrap().judge(&token, at(NOW)).is_err(), "{e}");
    }
    let mut off = public(&p256(2), Algorithm::ES256, "p");
    off["y"] = off["x"].clone();
    assert!(of(off).starts_with(none));
    assert!(of(changed("d", json!("AAAA"))).starts_with(": it holds a private key"));
}

#[test]
fn files_are_regular_and_of_a_size() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("oauth.toml");
    let why =
        |path: &std::path::Path| ResourceServer::read(path, |_| ()).err().unwrap().to_string();
    assert!(why(&file).contains("cannot be read"));
    assert!(why(folder.path()).contains("cannot be read"));
    fs::write(&file, "#".repeat(1 << 20)).unwrap();
    assert!(why(&file).contains("it is too large to be read"));
    fs::write(&file, configuration()).unwrap();
    assert!(why(&file).contains("keys.json cannot be read"));
    fs::create_dir(folder.path().join("keys.json")).unwrap();
    assert!(why(&file).contains("keys.json cannot be read (it is no regular file)"));
    fs::write(&file, configuration().replace("keys.json", "/dev/zero")).unwrap();
    assert!(why(&file).contains("/dev/zero cannot be read (it is no regular file)"));
    let large = folder.path().join("large.json");
    fs::write(&large, " ".repeat(2 << 20)).unwrap();
    fs::write(&file, configuration().replace("keys.json", "large.json")).unwrap();
    assert!(why(&file).contains("large.json cannot be read (it is too large to be read)"));
}

#[test]
fn a_token_with_any_letter_changed_is_refused() {
    let house = house(&[]);
    let right = token(&claims());
    for at in 0..right.len() {
        for letter in ["A", "B", "_", ".", "=", "\n"] {
            let mut bent = right.clone();
            bent.replace_range(at..=at, letter);
            assert!(bent == right || house.judge(&bent).is_err(), "{at} {letter:?}");
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_judged(text in any::<String>(), parts in vec("[A-Za-z0-9_-]{0,40}", 0..5)) {
        let house = house(&[]);
        prop_assert!(house.judge(&text).is_err());
        prop_assert!(house.judge(&parts.join(".")).is_err());
    }

    #[test]
    fn any_header_and_claims_are_judged(
        name in "typ|alg|kid|crit|jku|jwk|x5c|b64|zip|enc",
        claim in "iss|aud|sub|exp|nbf|scope|scp|cnf|client_id",
        value in json_value(),
    ) {
        let house = house(&[]);
        let mut header = json!({ "alg": "EdDSA", "kid": "ed" });
        header[&name] = value.clone();
        // Whatever is not said by the issuer's claims gives no more than they do.
        if let Ok(grant) = house.judge(&token_with(&header)) {
            prop_assert_eq!(grant, ada(Rights::Read));
        }
        let judged = house.judge_claims(&with(&claim, value));
        prop_assert!(judged.is_err() || ["scope", "scp", "nbf", "exp", "sub", "client_id"].contains(&claim.as_str()));
    }

    #[test]
    fn any_key_set_is_read(
        parts in vec(("kty|crv|n|e|x|y|use|alg|kid|key_ops", key_part()), 0..4),
        base in 0..3_usize,
    ) {
        let all = [
            (rsa(), Algorithm::RS256), (p256(2), Algorithm::ES256), (ed25519(1), Algorithm::EdDSA),
        ];
        let (key, algorithm) = &all[base];
        let right = public(key, *algorithm, "k");
        let mut jwk = right.clone();
        for (name, value) in parts {
            jwk[&name] = value;
        }
        let is_changed = ["kty", "crv", "n", "e", "x", "y"].iter().any(|part| {
            right.get(part).is_some_and(|was| jwk.get(part) != Some(was))
        });
        let (_folder, server) = opened(&configuration(), &json!({ "keys": [jwk] }).to_string());
        if let Ok(server) = server {
            let token = encode(&header(*algorithm, Some("k")), &claims(), key).unwrap();
            let judged = server.judge(&token, at(NOW));
            prop_assert!(!is_changed || judged.is_err());
        }
    }
}

fn json_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<String>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        vec(any::<String>(), 0..3).prop_map(Value::from),
        Just(json!(null)),
        Just(json!({ "a": [{ "b": 1 }] })),
    ]
}

fn key_part() -> impl Strategy<Value = Value> {
    prop_oneof![
        "[A-Za-z0-9_-]{0,400}".prop_map(Value::from),
        "A{0,400}".prop_map(Value::from),
        "_{342}".prop_map(Value::from),
        "[A-Z]{0,3}[a-z0-9-]{0,6}".prop_map(Value::from),
        json_value(),
    ]
}
