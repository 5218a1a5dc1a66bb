//! One line of an agent's standard output: an event, or anything else.
//!
//! Lines come from a program that may be broken, and through its tools from anywhere: nothing about them is certain. A
//! line that is no event is no failure.

use serde_json::Value;

use crate::cost::Cost;
use crate::documents::{AgentError, Tokens};

/// What happened, and in which session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The session's id.
    pub session: Option<String>,
    /// What happened.
    pub what: What,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The model is asked.
    StepBegins,
    /// A text of the model, whole.
    Text(String),
    /// A tool call that is over.
    Tool(ToolUse),
    /// The model's answer is there.
    StepEnds {
        /// Why it ended: `stop`, `tool-calls`, `length`, `unknown`.
        reason: String,
        /// What it used.
        tokens: Tokens,
        /// What it cost.
        cost: Cost,
    },
    /// Something went wrong.
    Error(AgentError),
    /// Anything else that is an event.
    Other,
}

/// A tool call that is over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolUse {
    /// The tool.
    pub tool: String,
    /// What it says of itself, where that is something else.
    pub title: Option<String>,
    /// `completed` or `error`.
    pub status: String,
    /// The file that it was given.
    pub file: Option<String>,
    /// Why it failed.
    pub error: Option<String>,
}

/// The event of a line, if it is one.
pub fn parse(line: &[u8]) -> Option<Event> {
    let value: Value = serde_json::from_slice(line.trim_ascii()).ok()?;
    let kind = value.as_object()?.get("type")?.as_str()?;
    let part = &value["part"];
    let what = match kind {
        "step_start" => What::StepBegins,
        "text" => What::Text(text(&part["text"]).unwrap_or_default()),
        "tool_use" => What::Tool(tool(part)),
        "step_finish" => What::StepEnds {
            reason: text(&part["reason"]).unwrap_or_default(),
            tokens: tokens(&part["tokens"]),
            cost: cost(&part["cost"]),
        },
        "error" => What::Error(error(&value["error"])),
        _ => What::Other,
    };
    Some(Event { session: text(&value["sessionID"]), what })
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn tool(part: &Value) -> ToolUse {
    let state = &part["state"];
    let named = ["filePath", "path", "file"].into_iter().find_map(|name| text(&state["input"][name]));
    ToolUse {
        tool: text(&part["tool"]).unwrap_or_default(),
        title: None,
        status: text(&state["status"]).unwrap_or_default(),
        file: named,
        error: text(&state["error"]),
    }
}

fn tokens(value: &Value) -> Tokens {
    // A count may come as `100000.0`, or as text.
    let count = |value: &Value| {
        let written = value.as_number().map(ToString::to_string).or_else(|| text(value)).unwrap_or_default();
        let whole = written.split_once('.').map_or(written.as_str(), |(whole, _)| whole);
        whole.parse().unwrap_or_default()
    };
    Tokens {
        input: count(&value["input"]),
        output: count(&value["output"]),
        reasoning: count(&value["reasoning"]),
        cache_read: count(&value["cache"]["read"]),
        cache_write: count(&value["cache"]["write"]),
    }
}

/// Read from the number's own shortest text, so that sums are exact.
fn cost(value: &Value) -> Cost {
    let written = value.as_number().map(ToString::to_string).or_else(|| text(value));
    written.and_then(|written| Cost::parse(&written)).unwrap_or_default()
}

fn error(value: &Value) -> AgentError {
    let data = &value["data"];
    AgentError {
        name: text(&value["name"]).unwrap_or_else(|| "error".to_owned()),
        message: text(&data["message"]).or_else(|| text(&value["message"])).or_else(|| text(value)),
        status_code: data["statusCode"].as_u64(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn what(line: &str) -> Option<What> {
        parse(line.as_bytes()).map(|event| event.what)
    }

    #[test]
    fn events_are_read() {
        let usage = r#"{"type":"step_finish","sessionID":"ses_1","part":{"reason":"stop","cost":0.0012,
            "tokens":{"input":10,"output":2,"reasoning":1,"cache":{"read":4,"write":3}}}}"#;
        let tokens = Tokens { input: 10, output: 2, reasoning: 1, cache_read: 4, cache_write: 3 };
        let ends = What::StepEnds { reason: "stop".into(), tokens, cost: Cost::parse("0.0012").unwrap() };
        assert_eq!(parse(usage.as_bytes()), Some(Event { session: Some("ses_1".into()), what: ends }));
        let tool = r#"{"type":"tool_use","part":{"tool":"write","state":{"status":"completed","input":{"filePath":"/w/a"}}}}"#;
        let written = ToolUse {
            tool: "write".into(),
            title: None,
            status: "completed".into(),
            file: Some("/w/a".into()),
            error: None,
        };
        assert_eq!(what(tool), Some(What::Tool(written)));
        let error =
            r#"{"type":"error","error":{"name":"APIError","data":{"message":"no key","statusCode":401}}}"#;
        let told =
            AgentError { name: "APIError".into(), message: Some("no key".into()), status_code: Some(401) };
        assert_eq!(what(error), Some(What::Error(told)));
        assert_eq!(what(r#"{"type":"text","part":{"text":"done"}}"#), Some(What::Text("done".into())));
        assert_eq!(what(r#" {"type":"step_start"}  "#), Some(What::StepBegins));
        assert_eq!(what(r#"{"type":"reasoning","part":{}}"#), Some(What::Other));
    }

    /// Fields that are absent or of another type are as good as nothing.
    #[test]
    fn events_of_another_shape_are_still_events() {
        let nothing =
            What::StepEnds { reason: String::new(), tokens: Tokens::default(), cost: Cost::default() };
        for line in [
            r#"{"type":"step_finish"}"#,
            r#"{"type":"step_finish","part":[]}"#,
            r#"{"type":"step_finish","part":{"reason":3,"tokens":{"input":-1,"cache":7},"cost":"much"}}"#,
            r#"{"type":"step_finish","part":{"tokens":{"input":"many"},"cost":-1}}"#,
        ] {
            assert_eq!(what(line), Some(nothing.clone()), "{line}");
        }
        assert_eq!(what(r#"{"type":"tool_use"}"#), Some(What::Tool(ToolUse::default())));
        let bare = AgentError { name: "error".into(), message: Some("broken".into()), status_code: None };
        assert_eq!(what(r#"{"type":"error","error":"broken"}"#), Some(What::Error(bare)));
    }

    #[test]
    fn anything_else_is_no_event() {
        let deep = "[".repeat(100_000);
        for line in ["", " ", "npm warn", "{", "[]", "null", "7", r#"{"type":7}"#, r#"{"typ":"text"}"#, &deep]
        {
            assert_eq!(what(line), None, "{line:.20}");
        }
        assert_eq!(parse(b"{\"type\":\"text\",\"part\":{\"text\":\"\xff\"}}"), None);
    }
}
