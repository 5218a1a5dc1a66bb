//! The few messages of the Agent Client Protocol that are needed: JSON-RPC 2.0, one message a line.
//!
//! Names and shapes are those of version 1 of the protocol, <https://agentclientprotocol.com/protocol/v1/schema>. Its own
//! crate of types (`agent-client-protocol-schema`) brings two libraries of dates and a good deal of macros, and would more
//! than double the first build. As with any program, nothing about a message is certain: what is absent or of another type
//! is as good as nothing.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Number, Value, json};

use crate::documents::Tokens;

/// The version that is spoken.
pub const VERSION: u64 = 1;

/// The code of an answer to a request that we do not know.
const METHOD_NOT_FOUND: i64 = -32601;

/// The code with which an agent says that nobody is logged in.
pub const AUTH_REQUIRED: i64 = -32000;

/// A message of an agent.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// Something that is to be answered.
    Request {
        /// Its number or name, given back in the answer.
        id: Value,
        /// What is asked for.
        method: String,
        /// With what.
        params: Value,
    },
    /// Something that is told.
    Notification {
        /// What.
        method: String,
        /// With what.
        params: Value,
    },
    /// The answer to a request of ours.
    Answer {
        /// The request's number.
        id: Value,
        /// What was answered.
        result: Result<Value, RpcError>,
    },
}

/// An error as an answer.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct RpcError {
    /// Its code.
    pub code: i64,
    /// Its text.
    pub message: String,
    /// Anything more.
    pub data: Value,
}

/// The message of a line, if it is one.
pub fn parse(line: &str) -> Option<Message> {
    #[derive(Deserialize)]
    struct Raw {
        id: Option<Value>,
        method: Option<String>,
        #[serde(default)]
        params: Value,
        #[serde(default)]
        result: Value,
        error: Option<Value>,
    }
    let raw: Raw = serde_json::from_str(line).ok()?;
    match raw {
        Raw { id: Some(id), method: Some(method), params, .. } => {
            Some(Message::Request { id, method, params })
        }
        Raw { id: None, method: Some(method), params, .. } => Some(Message::Notification { method, params }),
        Raw { id: Some(id), method: None, result, error, .. } => {
            let result = error.map_or(Ok(result), |error| Err(read(error)));
            Some(Message::Answer { id, result })
        }
        Raw { id: None, method: None, .. } => None,
    }
}

/// A part of a message; of one that is of another shape, nothing.
pub fn read<T: DeserializeOwned + Default>(value: Value) -> T {
    serde_json::from_value(value).unwrap_or_default()
}

/// A request of ours.
pub fn request(id: u64, method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
}

/// Something that we tell.
pub fn notification(method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string()
}

/// Our answer to a request for permission: the option that was chosen, or none.
pub fn chosen(id: &Value, option: Option<&str>) -> String {
    let outcome = match option {
        Some(option) => json!({ "outcome": "selected", "optionId": option }),
        None => json!({ "outcome": "cancelled" }),
    };
    json!({ "jsonrpc": "2.0", "id": id, "result": { "outcome": outcome } }).to_string()
}

/// Our answer to anything else.
pub fn unknown_method(id: &Value, method: &str) -> String {
    let error = json!({ "code": METHOD_NOT_FOUND, "message": format!("method not found: {method}") });
    json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string()
}

/// The answer to `initialize`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Initialized {
    /// The version that the agent speaks.
    pub protocol_version: Value,
    /// What it can do.
    pub agent_capabilities: Capabilities,
    /// Who it is.
    pub agent_info: Option<Info>,
}

/// What an agent can do.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Capabilities {
    /// Whether it can go on in a session.
    pub load_session: bool,
}

/// Who an agent is.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Info {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// The answer to `session/new`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Opened {
    /// The session.
    pub session_id: String,
}

/// The answer to `session/prompt`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Prompted {
    /// Why the turn ended.
    pub stop_reason: String,
    /// What it used, of an agent that tells.
    pub usage: Usage,
}

/// What a turn used.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Usage {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    thought_tokens: Option<u64>,
    cached_read_tokens: Option<u64>,
    cached_write_tokens: Option<u64>,
}

impl Usage {
    /// As tokens are recorded.
    pub fn tokens(self) -> Tokens {
        Tokens {
            input: self.input_tokens.unwrap_or_default(),
            output: self.output_tokens.unwrap_or_default(),
            reasoning: self.thought_tokens.unwrap_or_default(),
            cache_read: self.cached_read_tokens.unwrap_or_default(),
            cache_write: self.cached_write_tokens.unwrap_or_default(),
        }
    }
}

/// `session/update`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SessionUpdate {
    /// What is new.
    pub update: Update,
}

/// What is new in a session.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(tag = "sessionUpdate", rename_all = "snake_case")]
pub enum Update {
    /// A piece of a text.
    AgentMessageChunk(Chunk),
    /// A tool call begins.
    ToolCall(Call),
    /// A tool call goes on, or is over.
    #[serde(rename = "tool_call_update")]
    ToolCallGoesOn(Call),
    /// What the session cost so far.
    #[serde(rename = "usage_update")]
    Spent(Spent),
    /// Anything else.
    #[default]
    #[serde(other)]
    Other,
}

/// A piece of a text.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Chunk {
    /// The text that it is a piece of, of an agent that tells.
    pub message_id: Option<String>,
    /// The piece.
    pub content: Content,
}

/// A block of content. Only text is read.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Content {
    /// The text, if it is one.
    pub text: Option<String>,
}

/// A tool call, or what is new of it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Call {
    /// Which.
    pub tool_call_id: String,
    /// What a person would be shown.
    pub title: Option<String>,
    /// `read`, `edit`, `execute` and so on.
    pub kind: Option<String>,
    /// `pending`, `in_progress`, `completed` or `failed`.
    pub status: Option<String>,
    /// The files that it is about.
    pub locations: Option<Vec<Location>>,
    /// What it gives.
    pub content: Option<Vec<Item>>,
    /// What it was given, in the agent's own form.
    pub raw_input: Value,
}

/// A file that a tool call is about.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Location {
    /// Its path, absolute.
    pub path: String,
}

/// Something that a tool call gives: a content, or a change of a file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Item {
    /// The file that is changed.
    pub path: Option<String>,
    /// The content.
    pub content: Option<Content>,
}

/// What a session cost so far.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Spent {
    /// The sum.
    pub cost: Option<Money>,
}

/// An amount of money.
#[derive(Clone, Debug, Deserialize)]
pub struct Money {
    /// The amount.
    pub amount: Number,
}

/// `session/request_permission`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Permission {
    /// What for.
    pub tool_call: Call,
    /// What can be answered.
    pub options: Vec<Choice>,
}

/// What a request for permission can be answered with.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Choice {
    /// Its name in the answer.
    pub option_id: String,
    /// `allow_once`, `allow_always`, `reject_once` or `reject_always`.
    pub kind: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_told_apart() {
        let answer = |result| Some(Message::Answer { id: json!(1), result });
        assert_eq!(parse(r#"{"jsonrpc":"2.0","id":1,"result":null}"#), answer(Ok(Value::Null)));
        assert_eq!(parse(r#"{"id":1,"result":{"a":2}}"#), answer(Ok(json!({ "a": 2 }))));
        let error = RpcError { code: -32000, message: "log in".to_owned(), data: Value::Null };
        assert_eq!(parse(r#"{"id":1,"error":{"code":-32000,"message":"log in"}}"#), answer(Err(error)));
        assert_eq!(parse(r#"{"id":1,"error":"broken"}"#), answer(Err(RpcError::default())));
        let (method, params) = ("session/update".to_owned(), json!([]));
        assert_eq!(
            parse(r#"{"method":"session/update","params":[]}"#),
            Some(Message::Notification { method: method.clone(), params: params.clone() })
        );
        let request = Message::Request { id: json!("x"), method, params };
        assert_eq!(parse(r#"{"id":"x","method":"session/update","params":[]}"#), Some(request));
    }

    #[test]
    fn anything_else_is_no_message() {
        let deep = "[".repeat(100_000);
        for line in ["", "npm warn", "{", "{}", "[]", "[1, 2]", "null", "7", r#"{"method":7}"#, &deep] {
            assert_eq!(parse(line), None, "{line:.20}");
        }
    }

    #[test]
    fn parts_of_another_shape_are_as_good_as_nothing() {
        assert!(matches!(read::<SessionUpdate>(json!({ "update": 7 })).update, Update::Other));
        let new = json!({ "update": { "sessionUpdate": "of_tomorrow", "a": 1 } });
        assert!(matches!(read::<SessionUpdate>(new).update, Update::Other));
        assert_eq!(read::<Prompted>(json!({ "stopReason": 7 })).stop_reason, "");
        assert!(read::<Permission>(json!({ "options": "none" })).options.is_empty());
    }
}
