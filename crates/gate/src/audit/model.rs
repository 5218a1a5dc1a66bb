//! What the gate says, as `audit-<n>.json` holds it. The types are owned, so that a report can be rendered again
//! from the artifact alone.

use serde::{Deserialize, Serialize};

use crate::check::{Actual, CheckResult, Settlement, Waiver};
use crate::observation::Observation;
use crate::pack::{Assertion, Dimension, Probe, Weight};
use crate::problem::{Problem, Span};

/// A place in an authored file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Location {
    /// Relative to the root, forward slashes.
    pub file: String,
    /// Line and column.
    #[serde(flatten)]
    pub span: Span,
}

/// What an assertion says of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum AssertionVerdict {
    /// It holds.
    Pass,
    /// It does not.
    Fail,
    /// It cannot be judged.
    Invalid,
    /// There is no value.
    Missing,
    /// There is no assertion.
    None,
}

/// What becomes of a criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Holds, on a basis that counts.
    Pass,
    /// Does not hold.
    Fail,
    /// Nobody looked, or those who looked differ.
    Unverified,
    /// What was reported cannot be judged or may not count.
    Invalid,
    /// Does not hold, and a person answers for that until the waiver's expiry.
    Waived,
}

/// The verdict of the audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Accepted.
    Pass,
    /// Not accepted.
    Fail,
}

/// One ruling: an auditor's check of a criterion, or the criterion's observation where nobody checked it.
/// Every criterion has at least one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Ruling {
    /// The criterion.
    pub criterion_id: String,
    /// The auditor; absent when no auditor checked it. Empty for plain `checks.yaml`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub auditor: Option<String>,
    /// The auditor's word.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub result: Option<CheckResult>,
    /// The auditor's text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub evidence: Option<String>,
    /// The auditor's value, as reported: a claim where a probe measured.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub actual: Option<Actual>,
    /// Evidence files that the auditor names.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub evidence_refs: Vec<String>,
    /// Recomputed from the value that decides: the probe's, else the auditor's.
    pub assertion_verdict: AssertionVerdict,
    /// How the value was read and compared, step by step, for people.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub steps: Vec<String>,
    /// What this ruling alone makes of the criterion.
    pub outcome: Outcome,
}

/// What became of one criterion, with all that it rested on. What most criteria lack lies in a box, so that a row
/// stays small.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CriterionResult {
    /// The criterion.
    pub id: String,
    /// Its dimension.
    pub dimension: Dimension,
    /// Its weight.
    pub weight: Weight,
    /// Its statement.
    pub statement: String,
    /// How a person would check it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub verify: Option<String>,
    /// The rule it cites.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rule_id: Option<String>,
    /// Its assertion.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub assertion: Option<Assertion>,
    /// Its probe.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub probe: Option<Box<Probe>>,
    /// What the probe answered.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub observation: Option<Box<Observation>>,
    /// The verdict over all rulings.
    pub assertion_verdict: AssertionVerdict,
    /// The outcome over all rulings.
    pub outcome: Outcome,
    /// The waiver that covers it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub waiver: Option<Box<Waiver>>,
    /// What a person settled where auditors differ.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub settlement: Option<Box<Settlement>>,
}

/// How many criteria came to each outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Passed.
    pub pass: usize,
    /// Failed.
    pub fail: usize,
    /// Unverified.
    pub unverified: usize,
    /// Invalid.
    pub invalid: usize,
    /// Waived.
    pub waived: usize,
}

/// What the gate says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Audit {
    /// Accepted or not.
    pub verdict: Verdict,
    /// Outcomes, counted.
    pub counts: Counts,
    /// One row a ruling, in the pack's order, then by auditor.
    pub checks: Vec<Ruling>,
    /// One row a criterion, in the pack's order.
    pub criteria: Vec<CriterionResult>,
    /// All problems, in the pack's order, then by code.
    pub problems: Vec<Problem>,
}
