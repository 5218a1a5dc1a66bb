//! `audit-<n>.json`, and what else of a round an audit rests on.

use std::collections::BTreeMap;

use gate::audit::{Counts, CriterionResult, EvidenceState, Ruling, Scale, SourceKind, Verdict};
use gate::check::{Check, Settlement, Waiver};
use gate::lang::Lang;
use gate::observation::Observation;
use gate::problem::Problem;
use serde::{Deserialize, Serialize};

use super::Collected;

/// `audit-<n>.json`: the verdict, with all that it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AuditFile {
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
    /// The delivered commit.
    pub commit: String,
    /// Whether the delivery or its evidence was replayed from recordings.
    pub replayed: bool,
    /// The instant of the audit.
    pub instant: String,
    /// What was read for it and may change: digests by path, within the delivery's folder or, of what an author wrote,
    /// relative to the root. Text that people wrote counts without its line endings. What is not here was not there.
    #[serde(default)]
    pub inputs: BTreeMap<String, String>,
    /// Every source of values, as the pipeline declared them.
    #[serde(default)]
    pub sources: BTreeMap<String, SourceKind>,
    /// Density and font scale, from evidence.
    pub scale: Scale,
    /// Where they were read.
    #[serde(default)]
    pub scale_from: ScaleFrom,
    /// All waivers, whether or not they apply.
    #[serde(default)]
    pub waivers: Vec<Waiver>,
    /// Checks for no criterion.
    #[serde(default)]
    pub unknown_checks: Vec<UnknownCheck>,
    /// How every recorded file stands, by path within the round.
    #[serde(default)]
    pub states: BTreeMap<String, EvidenceState>,
    /// Accepted or not.
    pub verdict: Verdict,
    /// Outcomes, counted.
    pub counts: Counts,
    /// One row a ruling.
    pub checks: Vec<Ruling>,
    /// One row a criterion.
    pub criteria: Vec<CriterionResult>,
    /// All problems.
    pub problems: Vec<Problem>,
    /// The evidence of the round.
    pub evidence: Vec<Collected>,
}

/// What density and font scale were read from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ScaleFrom {
    /// What was asked for the density, and the answer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub density: Option<Observation>,
    /// What was asked for the font scale, and the answer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub font_scale: Option<Observation>,
}

/// An auditor's check for a criterion that the pack does not have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UnknownCheck {
    /// The auditor; empty for plain `checks.yaml`.
    pub auditor: String,
    /// As it was written.
    pub check: Check,
}

/// `round-<n>/auditor.<name>.json`: what a program was asked when it answered the checks beside this.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AuditorRun {
    /// The version of its format.
    pub format: u32,
    /// The auditor's name in `pipeline.yaml`.
    pub auditor: String,
    /// The frozen pack's digest.
    pub pack_sha256: String,
    /// SHA-256 of the canonical JSON of the round's evidence.
    pub evidence_sha256: String,
    /// SHA-256 of the canonical JSON of the program and its arguments.
    pub program_sha256: String,
    /// SHA-256 of what it answered.
    pub checks_sha256: String,
}

/// `round-<n>/settlements.json`: what people settled where auditors differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Settlements {
    /// The version of its format.
    pub format: u32,
    /// The frozen pack's digest.
    pub pack_sha256: String,
    /// SHA-256 of the canonical JSON of the round's evidence: what people looked at. Without it nothing is settled.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub evidence_sha256: Option<String>,
    /// In the order in which they were made; the latest on a criterion holds.
    pub settlements: Vec<Settlement>,
}

impl Settlements {
    /// Whether people settled something about a pack and evidence, and not about others.
    pub fn are_of(&self, pack_sha256: &str, evidence_sha256: &str) -> bool {
        self.pack_sha256 == pack_sha256 && self.evidence_sha256.as_deref() == Some(evidence_sha256)
    }
}

/// `round-<n>/instant.json`: the only place where time enters a delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Instant {
    /// The version of its format.
    pub format: u32,
    /// RFC 3339, UTC, whole seconds. Recorded once a round and reused ever after.
    pub instant: String,
}
