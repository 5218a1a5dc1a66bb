//! What each tool found out. What xtask prints is read into these types, and the schemas of the tools are made from them.

use gate::audit::{AssertionVerdict, Counts, Outcome, Verdict};
use gate::pack::Weight;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::runs::State;

/// Where features stand.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Status {
    /// One line a feature
    pub features: Vec<FeatureStatus>,
}

/// Where a feature stands.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct FeatureStatus {
    /// The feature
    pub feature: String,
    /// authored, frozen, dispatched, rework, accepted or broken
    pub state: String,
    /// The latest round
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    /// Whether anything is out of date
    pub stale: bool,
    /// Its stages in order
    pub stages: Vec<StageStanding>,
    /// Why nothing more can be said
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// How a stage stands.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct StageStanding {
    /// The stage
    pub stage: String,
    /// current, stale or absent
    pub standing: String,
}

/// What is wrong with a pack.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Checked {
    /// The feature
    pub feature: String,
    /// How many criteria it has; absent where it could not be read
    #[serde(skip_serializing_if = "Option::is_none")]
    pub criteria: Option<u32>,
    /// How many findings refuse it
    pub errors: usize,
    /// How many findings show only
    pub warnings: usize,
}

/// The review of a frozen pack.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Reviewed {
    /// The feature
    pub feature: String,
    /// Whether a finding keeps the pipeline from dispatching
    pub blocked: bool,
    /// The findings, in the order of the problems
    pub findings: Vec<Found>,
}

/// A finding, by what it is answered with.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Found {
    /// Its id
    pub id: String,
    /// Whether it keeps the pipeline from dispatching
    pub blocks: bool,
}

/// The Goal brief of a round.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Briefed {
    /// The feature
    pub feature: String,
    /// The round
    pub round: u32,
    /// The brief, as Markdown, or its beginning: the first of the files has all of it
    pub brief: String,
}

/// The verdict on a round.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Audited {
    /// The feature
    pub feature: String,
    /// The round
    pub round: u32,
    /// Accepted or not
    pub verdict: Verdict,
    /// Outcomes, counted
    pub counts: Counts,
    /// The criteria that neither pass nor are waived
    pub open: Vec<Open>,
}

/// A criterion that does not hold yet.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Open {
    /// The criterion
    pub criterion: String,
    /// must or should
    pub weight: Weight,
    /// What became of it
    pub outcome: Outcome,
    /// What its assertion says of the value
    pub assertion_verdict: AssertionVerdict,
}

/// Why stages are out of date.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Explained {
    /// The feature
    pub feature: String,
    /// The stages
    pub stages: Vec<ExplainedStage>,
}

/// Why a stage is out of date.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct ExplainedStage {
    /// The stage
    pub stage: String,
    /// The round; 0 before the rounds
    pub round: u32,
    /// current, stale or absent
    pub standing: String,
    /// The inputs and outputs that changed
    pub changes: Vec<Change>,
    /// Why its inputs cannot be read
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub problem: Option<String>,
}

/// One change.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// input or output
    pub what: String,
    /// Its name
    pub name: String,
    /// The digest before
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub old: Option<String>,
    /// The digest now
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub new: Option<String>,
}

/// One value, judged.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Judged {
    /// What the assertion says of the value
    pub assertion_verdict: AssertionVerdict,
    /// How the value was read and compared, step by step
    pub steps: Vec<String>,
}

/// A started delivery.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Run {
    /// Its name, for gate_deliver_poll
    pub run: String,
    /// How it stands
    pub state: State,
    /// The stage that it works on
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<String>,
    /// The round
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    /// How the delivery ended: accepted, exhausted, unrecorded, stagnated, stopped or outdated
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// The verdict on its last round
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit: Option<Audited>,
}
