//! `acceptance.json` and `rework-<n>.json`.

use gate::audit::{Counts, Outcome, Verdict};
use serde::{Deserialize, Serialize};

use super::{AgentLine, AuditFile, ProtectedChange, Refreeze, RunEnd, TestsTouched};

/// `acceptance.json` or `rework-<n>.json`: the delivery so far, and its last audit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The version of its format.
    pub format: u32,
    /// Every round under the current pack.
    pub rounds: Vec<RoundLine>,
    /// Every criterion through these rounds.
    pub path: Vec<PathLine>,
    /// Replacements of the frozen pack.
    pub history: Vec<Refreeze>,
    /// Findings of the review that a person disputed: the work went on without them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub disputed: Vec<gate::review::Finding>,
    /// The audit of the last of these rounds.
    pub audit: AuditFile,
}

/// One round, as reports tell of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RoundLine {
    /// The round.
    pub round: u32,
    /// The executor's name.
    pub executor: String,
    /// Its kind.
    pub kind: String,
    /// Whether a recording was applied.
    pub replayed: bool,
    /// How the run ended.
    pub end: RunEnd,
    /// The commit the round began from.
    pub base: String,
    /// The delivered commit.
    pub head: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Outcomes, counted.
    pub counts: Counts,
    /// Protected files that the executor changed.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub protected_changed: Vec<ProtectedChange>,
    /// What was done to the app's tests.
    #[serde(skip_serializing_if = "TestsTouched::is_empty", default)]
    pub tests: TestsTouched,
    /// What an agent did, by its own account.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub agent: Option<AgentLine>,
}

/// What became of a criterion, round by round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PathLine {
    /// The criterion.
    pub id: String,
    /// Its outcome in each round of the current pack, in order.
    pub outcomes: Vec<Outcome>,
    /// A pass that became something else in the last round.
    pub regressed: bool,
}
