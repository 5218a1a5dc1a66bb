//! How an agent's run ended. Exit code 0 is not success: an agent exits so after a refused permission, after an answer
//! that was cut off, and after a stream that broke.

use super::account::Account;
use crate::documents::{AgentError, RunEnd};

/// Why the run was stopped from outside, if it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It had all the time that it may have.
    Deadline,
    /// It said nothing for too long.
    Silence,
    /// It cost too much.
    Cost,
    /// It used too many tokens.
    Tokens,
    /// It took too many steps.
    Steps,
    /// It printed too much.
    Flood,
}

impl Stop {
    /// How a run that was stopped for it ended.
    pub fn end(self) -> RunEnd {
        match self {
            Stop::Deadline => RunEnd::TimedOut,
            Stop::Silence => RunEnd::Silent,
            Stop::Cost => RunEnd::OverCost,
            Stop::Tokens => RunEnd::OverTokens,
            Stop::Steps => RunEnd::OverSteps,
            Stop::Flood => RunEnd::Flooded,
        }
    }
}

/// What is known of a run that is over.
#[derive(Clone, Copy, Debug)]
pub struct Over<'a> {
    /// Why it was stopped.
    pub stopped: Option<Stop>,
    /// The exit code of its process, where it ended by itself.
    pub exit_code: Option<i32>,
    /// Whether it said that it knows no agent of the name that was asked for.
    pub fell_back: bool,
    /// What its events come to.
    pub account: &'a Account,
}

/// The name of an end. What ended it from outside comes first, then what it reported, then how its last step ended.
pub fn end(over: &Over<'_>) -> RunEnd {
    let account = over.account;
    if let Some(stop) = over.stopped {
        return stop.end();
    }
    if over.fell_back {
        return RunEnd::WrongAgent;
    }
    if let Some(error) = account.errors.last() {
        return of_error(error);
    }
    if over.exit_code != Some(0) {
        return RunEnd::Failed;
    }
    match account.last_reason.as_deref() {
        Some("stop") if !account.is_open => RunEnd::Completed,
        Some("length") if !account.is_open => RunEnd::CutOff,
        _ if account.last_tool.as_ref().is_some_and(|tool| is_refusal(tool.error.as_deref())) => {
            RunEnd::Refused
        }
        _ => RunEnd::StreamCut,
    }
}

/// The names of errors are those of the agent's own code.
pub fn of_error(error: &AgentError) -> RunEnd {
    match error.name.as_str() {
        "MessageOutputLengthError" => RunEnd::CutOff,
        "APIError" | "ProviderAuthError" | "ProviderInitError" | "ProviderModelNotFoundError" => {
            RunEnd::ProviderError
        }
        _ if error.status_code.is_some() => RunEnd::ProviderError,
        _ => RunEnd::Failed,
    }
}

/// Whether a tool failed because a rule or a person forbids it.
fn is_refusal(error: Option<&str>) -> bool {
    let error = error.unwrap_or_default();
    error.contains("rejected permission") || error.contains("prevents you from using this specific tool call")
}

#[cfg(test)]
mod tests {
    use super::*;

    const STOP: &str = r#"{"type":"step_finish","part":{"reason":"stop"}}"#;
    const TOOLS: &str = r#"{"type":"step_finish","part":{"reason":"tool-calls"}}"#;
    const LENGTH: &str = r#"{"type":"step_finish","part":{"reason":"length"}}"#;
    const UNKNOWN: &str = r#"{"type":"step_finish","part":{"reason":"unknown"}}"#;
    const BEGINS: &str = r#"{"type":"step_start"}"#;
    const TOOL_ERROR: &str =
        r#"{"type":"tool_use","part":{"tool":"edit","state":{"status":"error","error":"no match"}}}"#;
    const REFUSED: &str = r#"{"type":"tool_use","part":{"tool":"bash","state":{"status":"error",
        "error":"The user rejected permission to use this specific tool call."}}}"#;
    const UNAUTHORIZED: &str =
        r#"{"type":"error","error":{"name":"APIError","data":{"message":"no","statusCode":401}}}"#;
    const CRASH: &str = r#"{"type":"error","error":{"name":"UnknownError","data":{"message":"no"}}}"#;
    const NO_MODEL: &str = r#"{"type":"error","error":{"name":"ProviderModelNotFoundError"}}"#;
    const TOO_LONG: &str = r#"{"type":"error","error":{"name":"MessageOutputLengthError"}}"#;

    #[test]
    fn every_end_has_its_name() {
        let table: &[(&[&str], Option<i32>, RunEnd)] = &[
            (&[BEGINS, STOP], Some(0), RunEnd::Completed),
            (&[BEGINS, TOOLS, TOOL_ERROR, BEGINS, STOP], Some(0), RunEnd::Completed),
            (&["noise", STOP, "noise"], Some(0), RunEnd::Completed),
            (&[STOP], Some(1), RunEnd::Failed),
            (&[STOP], Some(137), RunEnd::Failed),
            (&[], Some(0), RunEnd::StreamCut),
            (&["noise"], Some(0), RunEnd::StreamCut),
            (&[BEGINS, UNKNOWN], Some(0), RunEnd::StreamCut),
            (&[STOP, BEGINS], Some(0), RunEnd::StreamCut),
            (&[LENGTH, BEGINS], Some(0), RunEnd::StreamCut),
            (&[TOOLS], Some(0), RunEnd::StreamCut),
            (&[TOOLS, TOOL_ERROR], Some(0), RunEnd::StreamCut),
            (&[BEGINS, LENGTH], Some(0), RunEnd::CutOff),
            (&[TOO_LONG], Some(1), RunEnd::CutOff),
            (&[TOOLS, REFUSED], Some(0), RunEnd::Refused),
            (&[TOOLS, REFUSED, BEGINS, STOP], Some(0), RunEnd::Completed),
            (&[UNAUTHORIZED], Some(1), RunEnd::ProviderError),
            (&[STOP, UNAUTHORIZED], Some(0), RunEnd::ProviderError),
            (&[NO_MODEL, "noise"], Some(1), RunEnd::ProviderError),
            (&[CRASH], Some(1), RunEnd::Failed),
            (&[CRASH, STOP], Some(0), RunEnd::Failed),
        ];
        for (lines, exit_code, expected) in table {
            let mut account = Account::default();
            lines.iter().for_each(|line| drop(account.take(line.as_bytes())));
            let over = Over { stopped: None, exit_code: *exit_code, fell_back: false, account: &account };
            assert_eq!(end(&over), *expected, "{lines:?} {exit_code:?}");
        }
    }

    #[test]
    fn what_stopped_a_run_names_its_end() {
        let mut account = Account::default();
        account.take(STOP.as_bytes());
        let over = |stopped, fell_back| Over { stopped, exit_code: Some(0), fell_back, account: &account };
        for (stop, expected) in [
            (Stop::Deadline, RunEnd::TimedOut),
            (Stop::Silence, RunEnd::Silent),
            (Stop::Cost, RunEnd::OverCost),
            (Stop::Tokens, RunEnd::OverTokens),
            (Stop::Steps, RunEnd::OverSteps),
            (Stop::Flood, RunEnd::Flooded),
        ] {
            assert_eq!(end(&over(Some(stop), true)), expected);
        }
        assert_eq!(end(&over(None, true)), RunEnd::WrongAgent);
    }
}
