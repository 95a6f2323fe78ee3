//! Requests of the newer era that take several rounds: the result asks, and the client sends the request again with
//! the answers.
//!
//! Only what the client said it can do is asked of it, what it answers is read before it counts, and what it was given
//! to bring back must come back as it was.
#![expect(
    deprecated,
    reason = "the suite asks for sampling and roots, which the newest revision leaves"
)]

use rmcp::ErrorData;
use rmcp::model::{
    ClientCapabilities, CreateMessageResult, ElicitResult, InputRequest, InputRequests,
    InputRequiredResult, InputResponses, ListRootsResult, RequestStateCodec, SealOptions,
};
use serde_json::{Value, json};

/// What a request asks for, round by round, and how it ends.
pub struct Rounds {
    asks: &'static [fn() -> Value],
    state: State,
    end: fn(&InputResponses) -> String,
}

/// What the client is given to bring back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing.
    Nothing,
    /// The number of the round, sealed.
    Sealed,
}

/// One time that the request came.
pub struct Turn<'r> {
    /// The name of the tool or prompt, to which a seal is bound.
    pub name: &'r str,
    /// What the client answered.
    pub responses: Option<&'r InputResponses>,
    /// What it brought back.
    pub state: Option<&'r str>,
    /// What it can do.
    pub can: ClientCapabilities,
}

/// What becomes of it.
pub enum Next {
    /// The client is asked.
    Ask(InputRequiredResult),
    /// It answered all, and this is the text of the result.
    Done(String),
}

impl Rounds {
    /// The next round, or the end.
    pub fn next(&self, turn: &Turn, seals: &RequestStateCodec) -> Result<Next, ErrorData> {
        let (round, is_begun) = match (self.state, turn.state) {
            (State::Nothing, _) => (0, true),
            (State::Sealed, None) => (0, false),
            (State::Sealed, Some(sealed)) => {
                let round: usize = seals
                    .open_json_with(sealed, turn.name.as_bytes())
                    .map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
                (round, true)
            }
        };
        let asked = self.asked(round, turn)?;
        let none = InputResponses::new();
        let responses = turn.responses.unwrap_or(&none);
        let is_answered = asked
            .iter()
            .all(|(key, request)| responses.get(key).is_some_and(|answer| fits(request, answer)));
        match (is_begun && is_answered, round + 1 < self.asks.len()) {
            (true, false) => Ok(Next::Done((self.end)(responses))),
            (true, true) => {
                let asked = self.asked(round + 1, turn)?;
                Ok(Next::Ask(self.ask(asked, round + 1, turn.name, seals)?))
            }
            (false, _) => Ok(Next::Ask(self.ask(asked, round, turn.name, seals)?)),
        }
    }

    /// What is asked in this round of a client that can do this much.
    fn asked(&self, round: usize, turn: &Turn) -> Result<InputRequests, ErrorData> {
        let ask = self
            .asks
            .get(round)
            .ok_or_else(|| ErrorData::invalid_params("there is no such round", None))?;
        let mut asked: InputRequests =
            serde_json::from_value(ask()).expect("the requests below have the protocol's form");
        let first = asked.values().next().map(capability);
        let can = serde_json::to_value(&turn.can).expect("capabilities are JSON");
        asked.retain(|_, request| can.get(capability(request)).is_some());
        if let (Some(first), true) = (first, asked.is_empty()) {
            let needed = serde_json::from_value(json!({first: {}}));
            let needed = needed.expect("a capability of the client has the protocol's form");
            return Err(ErrorData::missing_required_client_capability(needed));
        }
        Ok(asked)
    }

    fn ask(
        &self,
        asked: InputRequests,
        round: usize,
        name: &str,
        seals: &RequestStateCodec,
    ) -> Result<InputRequiredResult, ErrorData> {
        let state = match self.state {
            State::Nothing => None,
            State::Sealed => {
                let bound = SealOptions::new().associated_data(name.as_bytes());
                let sealed = seals.seal_json_with(&round, &bound);
                Some(sealed.map_err(|error| ErrorData::internal_error(error.to_string(), None))?)
            }
        };
        Ok(InputRequiredResult::new(Some(asked), state))
    }
}

/// The capability of a client that can answer this.
fn capability(request: &InputRequest) -> &'static str {
    match request {
        InputRequest::CreateMessage(_) => "sampling",
        InputRequest::Elicitation(_) => "elicitation",
        // The enum is open to more; nothing below asks for them.
        _ => "roots",
    }
}

fn fits(request: &InputRequest, answer: &Value) -> bool {
    let answer = answer.clone();
    match request {
        InputRequest::CreateMessage(_) => {
            serde_json::from_value::<CreateMessageResult>(answer).is_ok()
        }
        InputRequest::Elicitation(_) => serde_json::from_value::<ElicitResult>(answer).is_ok(),
        _ => serde_json::from_value::<ListRootsResult>(answer).is_ok(),
    }
}

/// A form with one field.
fn form(message: &str, field: &str, kind: &str) -> Value {
    json!({
        "method": "elicitation/create",
        "params": {
            "message": message,
            "requestedSchema": {
                "type": "object",
                "properties": {field: {"type": kind}},
                "required": [field],
            },
        },
    })
}

/// A question to the client's model.
fn model(prompt: &str) -> Value {
    json!({
        "method": "sampling/createMessage",
        "params": {
            "messages": [{"role": "user", "content": {"type": "text", "text": prompt}}],
            "maxTokens": 100,
        },
    })
}

fn roots() -> Value {
    json!({"method": "roots/list"})
}

/// What stands at this place of the answers.
fn said(responses: &InputResponses, key: &str, place: &str) -> String {
    let value = responses.get(key).and_then(|answer| answer.pointer(place));
    value.map_or_else(|| "nobody".to_owned(), |v| v.as_str().map_or(v.to_string(), str::to_owned))
}

/// For `test_input_required_result_elicitation`.
pub const ELICITATION: Rounds = Rounds {
    asks: &[|| json!({"user_name": form("What is your name?", "name", "string")})],
    state: State::Nothing,
    end: |responses| format!("Hello, {}!", said(responses, "user_name", "/content/name")),
};

/// For `test_input_required_result_sampling`.
pub const SAMPLING: Rounds = Rounds {
    asks: &[|| json!({"capital_question": model("What is the capital of France?")})],
    state: State::Nothing,
    end: |responses| said(responses, "capital_question", "/content/text"),
};

/// For `test_input_required_result_list_roots`.
pub const LIST_ROOTS: Rounds = Rounds {
    asks: &[|| json!({"client_roots": roots()})],
    state: State::Nothing,
    end: |responses| format!("roots: {}", said(responses, "client_roots", "/roots")),
};

/// For `test_input_required_result_request_state`, and for `test_input_required_result_tampered_state`.
pub const CONFIRM: Rounds = Rounds {
    asks: &[|| json!({"confirm": form("Please confirm", "ok", "boolean")})],
    state: State::Sealed,
    end: |responses| format!("state-ok, confirmed: {}", said(responses, "confirm", "/content/ok")),
};

/// For `test_input_required_result_multiple_inputs`.
pub const MULTIPLE: Rounds = Rounds {
    asks: &[|| {
        json!({
            "user_name": form("What is your name?", "name", "string"),
            "greeting": model("Generate a greeting"),
            "client_roots": roots(),
        })
    }],
    state: State::Sealed,
    end: |responses| {
        let greeting = said(responses, "greeting", "/content/text");
        let name = said(responses, "user_name", "/content/name");
        format!("{greeting} {name}, of {}", said(responses, "client_roots", "/roots"))
    },
};

/// For `test_input_required_result_multi_round`.
pub const MULTI_ROUND: Rounds = Rounds {
    asks: &[
        || json!({"step1": form("Step 1: What is your name?", "name", "string")}),
        || json!({"step2": form("Step 2: What is your favorite color?", "color", "string")}),
    ],
    state: State::Sealed,
    end: |responses| format!("favorite color: {}", said(responses, "step2", "/content/color")),
};

/// For `test_input_required_result_capabilities`: what the client cannot do is left out.
pub const CAPABILITIES: Rounds = Rounds {
    asks: &[|| {
        json!({
            "question": form("What is your name?", "name", "string"),
            "completion": model("Say hello"),
        })
    }],
    state: State::Nothing,
    end: |responses| format!("Hello: {}", said(responses, "completion", "/content/text")),
};

/// For `test_missing_capability`: nothing but the client's model will do.
pub const MODEL_ONLY: Rounds = Rounds {
    asks: &[|| json!({"completion": model("Say hello")})],
    state: State::Nothing,
    end: |responses| said(responses, "completion", "/content/text"),
};

/// For the prompt `test_input_required_result_prompt`.
pub const PROMPT: Rounds = Rounds {
    asks: &[
        || json!({"user_context": form("What context should the prompt use?", "context", "string")}),
    ],
    state: State::Nothing,
    end: |responses| format!("Context: {}", said(responses, "user_context", "/content/context")),
};
