//! What an agent's run came to, as `dispatch.json` holds it.

use serde::{Deserialize, Serialize};

/// How the run of an executor ended. It never decides the delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum RunEnd {
    /// The run ended well by its own account. Of an agent: exit code 0, no error, and its last step ended by itself.
    Completed,
    /// It ended with an error of its own.
    Failed,
    /// It was stopped at its deadline.
    TimedOut,
    /// It was stopped because it said nothing for too long.
    Silent,
    /// It was stopped at another limit of its executor.
    Stopped,
    /// It was stopped because it had cost more than it may.
    OverCost,
    /// It was stopped because it had used more tokens than it may.
    OverTokens,
    /// It was stopped because it had taken more steps than it may.
    OverSteps,
    /// It was stopped because it had printed more than is kept.
    Flooded,
    /// The model's answer reached its greatest length, and ended there.
    CutOff,
    /// The model's answer broke off, or no step of the agent came to its end.
    StreamCut,
    /// The model's provider refused, or could not be reached.
    ProviderError,
    /// The agent stopped at something that it is not permitted to do, or its model would not go on.
    Refused,
    /// The program knows no agent of the name that was asked for, and ran another.
    WrongAgent,
}

/// What an agent did, by its own account: shown, and read by nothing that decides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AgentRun {
    /// The version that the program gives of itself.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub version: Option<String>,
    /// The agent that was asked for.
    pub agent: String,
    /// The model that was asked for; absent where the agent's own settings name it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub model: Option<String>,
    /// The session, so that a later round can go on in it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub session: Option<String>,
    /// Whether it went on in the session of the round before.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub resumed: bool,
    /// How many steps came to their end.
    pub steps: u64,
    /// The tokens of all of them.
    pub tokens: Tokens,
    /// What they cost, as the agent reckons: a decimal, in the currency of its prices.
    pub cost: String,
    /// Its tool calls, in their order.
    pub tools: Vec<ToolCall>,
    /// How many tool calls more there were than are listed.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub tools_left_out: u64,
    /// The errors that it reported.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub errors: Vec<AgentError>,
    /// How many lines on standard output were no events.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub noise: u64,
    /// Its last words. A claim, never evidence.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub claimed: Option<String>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// An agent's run as reports tell of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AgentLine {
    /// How many steps came to their end.
    pub steps: u64,
    /// The tokens of all of them.
    pub tokens: u64,
    /// What they cost, as the agent reckons.
    pub cost: String,
    /// The errors that it reported.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub errors: Vec<AgentError>,
    /// Its last words.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub claimed: Option<String>,
}

impl From<AgentRun> for AgentLine {
    fn from(run: AgentRun) -> Self {
        AgentLine {
            steps: run.steps,
            tokens: run.tokens.total(),
            cost: run.cost,
            errors: run.errors,
            claimed: run.claimed,
        }
    }
}

/// Tokens by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Tokens {
    /// Read by the model.
    pub input: u64,
    /// Written by it.
    pub output: u64,
    /// Thought by it.
    pub reasoning: u64,
    /// Read from the provider's cache.
    pub cache_read: u64,
    /// Written to the provider's cache.
    pub cache_write: u64,
}

impl Tokens {
    /// All of them.
    pub fn total(self) -> u64 {
        [self.output, self.reasoning, self.cache_read, self.cache_write]
            .into_iter()
            .fold(self.input, u64::saturating_add)
    }

    /// Both together.
    pub fn plus(self, more: Tokens) -> Tokens {
        Tokens {
            input: self.input.saturating_add(more.input),
            output: self.output.saturating_add(more.output),
            reasoning: self.reasoning.saturating_add(more.reasoning),
            cache_read: self.cache_read.saturating_add(more.cache_read),
            cache_write: self.cache_write.saturating_add(more.cache_write),
        }
    }
}

/// One tool call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToolCall {
    /// The tool, such as `write`; `invalid` is one that the agent does not have.
    pub tool: String,
    /// What it says of itself, of an agent whose tools have no names but kinds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    /// How it ended: `completed` or `error`. Of one that did not end, how far it came.
    pub status: String,
    /// The file that it was about. One inside the worktree is relative to it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub file: Option<String>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<String>,
}

/// An error that an agent reported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AgentError {
    /// Its kind, such as `APIError`.
    pub name: String,
    /// Its text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub message: Option<String>,
    /// The status that the model's provider answered with.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub status_code: Option<u64>,
}

/// A protected file that an executor changed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProtectedChange {
    /// Relative to the app, or to the root.
    pub path: String,
    /// Which of the two.
    pub place: Place,
    /// What was done to it.
    pub change: Change,
}

/// What a path is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Place {
    /// The worktree of the app.
    App,
    /// The folder of `pipeline.yaml`.
    Root,
}

/// What was done to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Change {
    /// It was not there before.
    Added,
    /// It has other bytes.
    Changed,
    /// It is gone.
    Removed,
}

/// What an executor did to the app's tests, as far as it can be told from the lines it changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TestsTouched {
    /// Test files that are gone.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub deleted: Vec<String>,
    /// Tests that are gone from files that stay.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub removed: Vec<TestLine>,
    /// Tests that are there and no longer run.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub skipped: Vec<TestLine>,
}

impl TestsTouched {
    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.deleted.is_empty() && self.removed.is_empty() && self.skipped.is_empty()
    }
}

/// A line of a test file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TestLine {
    /// Relative to the app.
    pub path: String,
    /// Counted from 1: in the delivered file, or, for what is gone, in the one before.
    pub line: u64,
    /// The line.
    pub text: String,
}
