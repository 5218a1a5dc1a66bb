//! What a person answers to a finding.

use serde::{Deserialize, Serialize};

/// An answer to a finding, by name and with a reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Response {
    /// The id of the finding. A finding that changes has another one, and has to be answered anew.
    pub finding: String,
    /// Whether the finding is right.
    pub answer: Stance,
    /// Who says so.
    pub by: String,
    /// Why.
    pub reason: String,
}

/// What a person makes of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Stance {
    /// It is right: it blocks until the pack is changed, whatever its severity.
    Accept,
    /// It is wrong, or matters not here: it blocks no more, and is shown in every report.
    Dispute,
}

impl Stance {
    /// Each with its word.
    pub const WORDS: [(&'static str, Stance); 2] = [("accept", Stance::Accept), ("dispute", Stance::Dispute)];
}
