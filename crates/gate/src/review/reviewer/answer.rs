//! What a reviewer answers.

use serde::{Deserialize, Serialize};

use super::Angle;
use crate::problem::Severity;

/// The most findings in one answer: more is a flood that nobody reads.
pub const MAX_OBJECTIONS: usize = 200;
/// The longest text of a finding, in characters.
pub const MAX_WORDS: usize = 4_000;

/// The answer of a reviewer: an empty list says that nothing was found, and nothing at all says nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ReviewerAnswer {
    /// What was found.
    #[cfg_attr(feature = "schema", schemars(length(max = 200)))]
    pub findings: Vec<Objection>,
}

/// One finding of a reviewer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Objection {
    /// The criterion, by its id; left out where the finding is about the pack as a whole.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub criterion: Option<String>,
    /// What kind of flaw it is, in the words of the angles. That of the reviewer where it is left out.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub kind: Option<Angle>,
    /// `error` blocks; `warning` is shown, and blocks where a quorum of reviewers says it.
    pub severity: Severity,
    /// A concrete delivery that would satisfy the letter of the pack and fail its intent.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 4000)))]
    pub delivery: String,
    /// The change to the pack that would shut that delivery out.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "schema", schemars(length(max = 4000)))]
    pub fix: Option<String>,
}
