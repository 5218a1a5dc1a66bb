//! `round-<n>/brief.json`: what the agent is asked to do.

use gate::audit::{AssertionVerdict, Outcome};
use gate::check::CheckResult;
use gate::lang::Lang;
use gate::pack::Criterion;
use gate::problem::Problem;
use serde::{Deserialize, Serialize};

/// `round-<n>/brief.json`: what the agent is asked to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Brief {
    /// The version of its format.
    pub format: u32,
    /// The feature.
    pub feature: String,
    /// Its name for people.
    pub title: String,
    /// The language.
    pub lang: Lang,
    /// The round.
    pub round: u32,
    /// The frozen pack's digest.
    pub pack_sha256: String,
    /// What is asked, in prose.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub goal: Option<String>,
    /// What the feature is asked to do.
    pub requirements: Vec<gate::pack::Requirement>,
    /// The criteria, without what is held out.
    pub criteria: Vec<Criterion>,
    /// How many criteria keep their assertion to themselves.
    pub held_out: usize,
    /// What failed in the round before.
    pub failures: Vec<BriefFailure>,
    /// The gate's problems in the round before.
    pub problems: Vec<Problem>,
}

/// A criterion as the agent may see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BriefFailure {
    /// The criterion as frozen.
    pub criterion: Criterion,
    /// What became of it in the round before.
    pub outcome: Outcome,
    /// The recomputed verdict.
    pub assertion_verdict: AssertionVerdict,
    /// The value that decided, as text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub actual: Option<String>,
    /// Where the value was found, as text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub found: Option<String>,
    /// What auditors wrote, by auditor.
    pub remarks: Vec<Remark>,
}

/// An auditor's words on a criterion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Remark {
    /// The auditor.
    pub auditor: String,
    /// The auditor's word.
    pub result: CheckResult,
    /// The auditor's text.
    pub evidence: String,
}
