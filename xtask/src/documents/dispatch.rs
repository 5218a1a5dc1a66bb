//! `round-<n>/dispatch.json`: who worked, from which commit to which; and what a person was given who works by hand.

use serde::{Deserialize, Serialize};

use super::{AgentRun, ProtectedChange, RunEnd, TestsTouched};

/// `round-<n>/dispatch.json`: who worked, from which commit to which.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Dispatch {
    /// The version of its format.
    pub format: u32,
    /// The feature.
    pub feature: String,
    /// The round.
    pub round: u32,
    /// The frozen pack's digest.
    pub pack_sha256: String,
    /// The executor's name in `pipeline.yaml`.
    pub executor: String,
    /// Its kind: `replay`, `command`, `deveco`, `opencode`, `handoff`.
    pub kind: String,
    /// Whether nobody worked: a recording was applied.
    pub replayed: bool,
    /// The branch in the app's repository.
    pub branch: String,
    /// The commit the round began from.
    pub base: String,
    /// The delivered commit.
    pub head: String,
    /// How the run ended.
    pub end: RunEnd,
    /// The exit code of the process, where there was one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub exit_code: Option<i32>,
    /// The number of the signal that ended the process, where one did that was not the pipeline's.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub signal: Option<i32>,
    /// What the delivered commit changes.
    pub changed: Vec<ChangedFile>,
    /// Files that were new to git when the commit was made.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub untracked: Vec<String>,
    /// Files and folders that git ignores: they are there, and are not delivered.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub ignored: Vec<String>,
    /// Protected files that the executor changed. Each was put back, unless a person had committed it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub protected_changed: Vec<ProtectedChange>,
    /// What was done to the app's tests.
    #[serde(skip_serializing_if = "TestsTouched::is_empty", default)]
    pub tests: TestsTouched,
    /// What an agent did, by its own account.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub agent: Option<AgentRun>,
    /// The log, within the delivery's folder.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub log: Option<String>,
}

/// One file that the delivered commit changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChangedFile {
    /// Within the app's repository.
    pub path: String,
    /// Lines added; absent for binary files.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub added: Option<u64>,
    /// Lines removed; absent for binary files.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub removed: Option<u64>,
}

/// `round-<n>/handoff.json`: what a person was given, so that their work can be told from what was there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Handoff {
    /// The version of its format.
    pub format: u32,
    /// The frozen pack's digest.
    pub pack_sha256: String,
    /// The commit that the work begins from.
    pub base: String,
}
