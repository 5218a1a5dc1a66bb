//! `review.json`, and what is kept of each reviewer that is a program.

use gate::lang::Lang;
use serde::{Deserialize, Serialize};

use super::Refreeze;

/// `review.json`: the findings against a pack before anyone is dispatched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Review {
    /// The version of its format.
    pub format: u32,
    /// The feature.
    pub feature: String,
    /// Its name for people.
    pub title: String,
    /// The language.
    pub lang: Lang,
    /// The frozen pack's digest.
    pub pack_sha256: String,
    /// Whether a finding keeps the pipeline from dispatching.
    pub blocked: bool,
    /// What the gate found, in the pack's order and then by code; then what reviewers found, in the pack's order.
    pub findings: Vec<gate::review::Finding>,
    /// The programs that were asked, by name.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub reviewers: Vec<ReviewerLine>,
    /// As many reviewers make a finding block.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub quorum: Option<u32>,
    /// The last time that the frozen pack was replaced: what asks for less than before, and why.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub refrozen: Option<Refreeze>,
    /// How each assertion could be satisfied to the letter only, in the pack's order.
    #[serde(default)]
    pub loopholes: Vec<gate::review::Loophole>,
}

/// One reviewer, as a review tells of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReviewerLine {
    /// The reviewer's name in `pipeline.yaml`.
    pub reviewer: String,
    /// What it was asked to look at.
    pub angle: gate::review::Angle,
    /// How many findings its answer holds.
    pub findings: usize,
    /// Its answer, within the delivery's folder; none where the review failed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub answer: Option<String>,
    /// SHA-256 of its answer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub answer_sha256: Option<String>,
    /// How it failed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub failure: Option<String>,
}

/// `review/<name>.json`: what a program was asked when it gave the answer beside this.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReviewerRun {
    /// The version of its format.
    pub format: u32,
    /// The reviewer's name in `pipeline.yaml`.
    pub reviewer: String,
    /// What it was asked to look at.
    pub angle: gate::review::Angle,
    /// The frozen pack's digest.
    pub pack_sha256: String,
    /// SHA-256 of its prompt, which holds the pack and the loophole table.
    pub prompt_sha256: String,
    /// SHA-256 of the canonical JSON of the program and its arguments.
    pub program_sha256: String,
    /// SHA-256 of what it answered.
    pub answer_sha256: String,
}
