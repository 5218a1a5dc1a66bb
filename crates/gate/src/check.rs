//! What auditors report, and what people waive.

use serde::{Deserialize, Serialize};

use crate::pack::Scalar;
use crate::problem::Span;

/// The auditor's word on one criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CheckResult {
    /// It holds.
    Pass,
    /// It does not.
    Fail,
}

/// A reported value: a single one, or a list of samples. `Null` inside a list is a sample that was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Actual {
    /// Explicit nothing.
    Null,
    /// One value.
    One(Scalar),
    /// Samples.
    Many(Vec<Option<Scalar>>),
}

/// One auditor's line on one criterion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Check {
    /// The criterion, to the letter.
    pub criterion_id: String,
    /// The auditor's word.
    pub result: CheckResult,
    /// What it rests on, for people. Never read for a number.
    #[serde(default)]
    pub evidence: String,
    /// The measured value. Absent (`None`) is not the same as explicit null.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub actual: Option<Actual>,
    /// Evidence files by path within the round, such as `evidence/layout.json`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub evidence_refs: Vec<String>,
    /// Where it stands in its file; not part of the frozen form.
    #[serde(skip)]
    pub at: Option<Span>,
}

/// All that one auditor reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Auditor {
    /// From the file's name: `checks.<auditor>.yaml`; empty for plain `checks.yaml`.
    pub name: String,
    /// The file, relative to the root.
    pub file: String,
    /// The checks, in the file's order.
    pub checks: Vec<Check>,
}

/// A person's decision where auditors differ on a criterion that only people can judge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Settlement {
    /// The criterion, to the letter.
    pub criterion_id: String,
    /// What holds.
    pub result: CheckResult,
    /// Who settled it.
    pub by: String,
    /// Why.
    pub reason: String,
}

/// A person's decision to accept an honest fail for a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Waiver {
    /// The criterion, to the letter.
    pub criterion_id: String,
    /// Who answers for it.
    pub owner: String,
    /// Why.
    pub reason: String,
    /// RFC 3339 with a zone, as written. The waiver covers nothing from this instant on.
    pub expires: String,
    /// Where it stands in its file.
    #[serde(skip)]
    pub at: Option<Span>,
}
