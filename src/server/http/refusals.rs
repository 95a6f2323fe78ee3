//! Answers without the protocol: refusals with the status that says why, and the headers that all answers carry.

use super::body::Answer;
use crate::envelope::visible_value;
use bytes::Bytes;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, CACHE_CONTROL, CONNECTION,
    CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE,
    X_CONTENT_TYPE_OPTIONS,
};
use http::{Response, StatusCode};
use http_body_util::{BodyExt, Full};
use serde_json::Value;

/// What a page of an origin that was let in may send.
const ASKED_HEADERS: &str =
    "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name";

/// A request that is refused.
#[derive(Debug)]
pub struct Refusal(Box<Refused>);

#[derive(Debug)]
struct Refused {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

impl Refusal {
    /// With a status after which the connection is closed, since what follows on it is not what it seems.
    pub fn closing(status: StatusCode) -> Refusal {
        Refusal::from(status).with(CONNECTION, "close")
    }

    /// A message that is none; `objection` is the answer of the protocol.
    pub fn objection(objection: &Value) -> Refusal {
        let mut refusal =
            Refusal::from(StatusCode::BAD_REQUEST).with(CONTENT_TYPE, "application/json");
        refusal.0.text = objection.to_string();
        refusal
    }

    /// Without a token that is good for this, and what would be (RFC 6750, section 3).
    pub fn challenge(status: StatusCode, challenge: &str) -> Refusal {
        let mut refusal = Refusal::from(status).with(WWW_AUTHENTICATE, challenge);
        if status == StatusCode::FORBIDDEN {
            refusal.0.text =
                "the token does not allow this: ask for one with the scope that WWW-Authenticate names\n"
                    .to_owned();
        }
        refusal
    }

    /// It may be tried again after so many seconds.
    pub fn after(self, seconds: u64) -> Refusal {
        self.with(RETRY_AFTER, &seconds.max(1).to_string())
    }

    /// With one more header.
    pub fn with(mut self, name: HeaderName, value: &str) -> Refusal {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.0.headers.insert(name, value);
        }
        self
    }

    /// Which.
    pub fn status(&self) -> StatusCode {
        self.0.status
    }

    /// The answer.
    pub fn into_response(self) -> Response<Answer> {
        let Refused { status, headers, text } = *self.0;
        let mut response = Response::new(Full::new(Bytes::from(text)).boxed());
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        response
    }
}

impl From<StatusCode> for Refusal {
    fn from(status: StatusCode) -> Refusal {
        let text = reason(status);
        let mut headers = HeaderMap::new();
        if !text.is_empty() {
            let plain = HeaderValue::from_static("text/plain; charset=utf-8");
            headers.insert(CONTENT_TYPE, plain);
        }
        Refusal(Box::new(Refused { status, headers, text: text.to_owned() }))
    }
}

/// What to do about a status, where its name does not say it.
fn reason(status: StatusCode) -> &'static str {
    match status {
        StatusCode::BAD_REQUEST => {
            "this is no request that is understood: send one Host and one length\n"
        }
        StatusCode::FORBIDDEN => {
            "this host or origin is not known here: start with --allow-host or --allow-origin\n"
        }
        StatusCode::UNAUTHORIZED => "send the token as Authorization: Bearer\n",
        StatusCode::METHOD_NOT_ALLOWED => {
            "not with this method: Allow names those that are taken\n"
        }
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "messages are application/json\n",
        StatusCode::PAYLOAD_TOO_LARGE => "the body is longer than 4 MiB: send less at once\n",
        StatusCode::REQUEST_TIMEOUT => "the body did not arrive in time\n",
        StatusCode::TOO_MANY_REQUESTS => "too many tries: wait\n",
        StatusCode::SERVICE_UNAVAILABLE => "too many connections: try again soon\n",
        _ => "",
    }
}

/// The answer to a page that asks whether it may.
pub fn preflight() -> Response<Answer> {
    let mut response = Refusal::from(StatusCode::NO_CONTENT).into_response();
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("POST"));
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(ASKED_HEADERS));
    response
}

/// Makes the answer to a call that found no place say so in its status, too.
pub fn turned_away(response: &mut Response<Answer>) {
    *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
}

/// An answer of the protocol in which errors, which may quote what was sent, hide no character.
pub async fn visible(response: Response<Answer>) -> Response<Answer> {
    let is_json = response.headers().get(CONTENT_TYPE).is_some_and(|t| t == "application/json");
    if !is_json {
        return response;
    }
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await.map(|whole| whole.to_bytes()).unwrap_or_default();
    let has_error = std::str::from_utf8(&bytes).is_ok_and(|text| text.contains("\"error\""));
    let message = has_error.then(|| serde_json::from_slice::<Value>(&bytes).ok()).flatten();
    let bytes = match message {
        Some(mut message) if message.get("error").is_some() => {
            message["error"] = visible_value(message["error"].take());
            Bytes::from(message.to_string())
        }
        Some(_) | None => bytes,
    };
    Response::from_parts(parts, Full::new(bytes).boxed())
}

/// What every answer carries.
pub fn harden(headers: &mut HeaderMap) {
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let is_stream = headers.get(CONTENT_TYPE).is_some_and(|t| t == "text/event-stream");
    if is_stream {
        let name = HeaderName::from_static("x-accel-buffering");
        headers.insert(name, HeaderValue::from_static("no"));
    }
}
