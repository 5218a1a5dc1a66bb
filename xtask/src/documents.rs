//! The JSON artifacts that stages hand to each other. Each carries its format version, and every Markdown file is
//! rendered from one of these alone.

mod agent_run;
mod field;

use std::collections::BTreeMap;

use gate::audit::{
    AssertionVerdict, Counts, CriterionResult, EvidenceState, Location, Outcome, Ruling, Scale, SourceKind,
    Verdict,
};
use gate::check::{Check, CheckResult, Settlement, Waiver};
use gate::lang::Lang;
use gate::observation::Observation;
use gate::pack::{Criterion, Pack};
use gate::problem::Problem;
use serde::{Deserialize, Serialize};

use crate::failure::Result;

pub use agent_run::{
    AgentError, AgentLine, AgentRun, Change, Place, ProtectedChange, RunEnd, TestLine, TestsTouched, Tokens,
    ToolCall,
};

pub use field::field;

/// The version of every artifact below that has none of its own. Raised whenever a field is added or changes its meaning.
pub const FORMAT: u32 = 1;

/// The version of `pack.lock.json`. Since 2 it keeps the packs that were replaced.
pub const LOCK_FORMAT: u32 = 2;

/// The version of `audit-<n>.json`, and of the reports that hold one. Since 2 it holds all that a recomputation needs.
pub const AUDIT_FORMAT: u32 = 2;

/// `pack.lock.json`: what "done" means, frozen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Lock {
    /// See [`FORMAT`].
    pub format: u32,
    /// The feature.
    pub feature: String,
    /// The language of the delivery's artifacts.
    pub lang: Lang,
    /// SHA-256 of the canonical JSON (RFC 8785) of `pack`.
    pub pack_sha256: String,
    /// How many criteria were frozen.
    pub criteria_count: usize,
    /// The authored file, relative to the root.
    pub authored: String,
    /// Where each criterion stands in it.
    pub locations: BTreeMap<String, Location>,
    /// The frozen pack.
    pub pack: Pack,
    /// Earlier frozen packs, oldest first.
    #[serde(default)]
    pub history: Vec<Refreeze>,
    /// What was frozen earlier, by digest: rounds that were judged by it are judged by it again.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub earlier: BTreeMap<String, EarlierPack>,
}

/// A frozen pack that another one replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EarlierPack {
    /// The authored file, relative to the root.
    pub authored: String,
    /// Where each criterion stood in it.
    pub locations: BTreeMap<String, Location>,
    /// The pack.
    pub pack: Pack,
}

/// One time that a frozen pack was replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Refreeze {
    /// The digest that was replaced.
    pub from: String,
    /// The digest that replaced it.
    pub to: String,
    /// Why, in a person's words.
    pub reason: String,
    /// What the change made easier to satisfy.
    pub loosened: Vec<gate::review::Loosening>,
}

/// `review.json`: the findings against a pack before anyone is dispatched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Review {
    /// See [`FORMAT`].
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
    /// See [`FORMAT`].
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

/// `round-<n>/brief.json`: what the agent is asked to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Brief {
    /// See [`FORMAT`].
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

/// `round-<n>/dispatch.json`: who worked, from which commit to which.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Dispatch {
    /// See [`FORMAT`].
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

/// What a collector brought, or why it brought nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Collected {
    /// The collector's name in `pipeline.yaml`.
    pub collector: String,
    /// The source that the collector declares.
    pub source: String,
    /// Whether the agent could have written it.
    pub source_kind: SourceKind,
    /// Whether it was recorded earlier instead of gathered from a device now.
    pub recorded: bool,
    /// The round.
    pub round: u32,
    /// The delivered commit it belongs to.
    pub commit: String,
    /// The file, where there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub file: Option<FileRecord>,
    /// The screen that it shows.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub screen: Option<String>,
    /// Whether the same bytes are expected in every round.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub constant: bool,
    /// The exit status of the collector's process.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub exit_code: Option<i32>,
    /// The number of the signal that ended the collector's process, where one did that was not the pipeline's.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub signal: Option<i32>,
    /// Why there is no file.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub failure: Option<String>,
}

/// A file as it was copied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FileRecord {
    /// Within the round's folder, such as `evidence/layout.json`.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Whether it is kept outside git, by its digest.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub external: bool,
}

/// `round-<n>/evidence.json`: what was gathered, by whom the agent is not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// See [`FORMAT`].
    pub format: u32,
    /// The feature.
    pub feature: String,
    /// The round.
    pub round: u32,
    /// The frozen pack's digest.
    pub pack_sha256: String,
    /// The delivered commit.
    pub commit: String,
    /// One row a collector, in the order in which they ran.
    pub collected: Vec<Collected>,
}

impl Evidence {
    /// SHA-256 of its canonical JSON.
    pub fn sha256(&self) -> Result<String> {
        Ok(gate::canonical::digest(self).map_err(anyhow::Error::from)?)
    }
}

/// `round-<n>/handoff.json`: what a person was given, so that their work can be told from what was there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Handoff {
    /// See [`FORMAT`].
    pub format: u32,
    /// The frozen pack's digest.
    pub pack_sha256: String,
    /// The commit that the work begins from.
    pub base: String,
}

/// `round-<n>/settlements.json`: what people settled where auditors differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Settlements {
    /// See [`FORMAT`].
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

/// `round-<n>/auditor.<name>.json`: what a program was asked when it answered the checks beside this.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AuditorRun {
    /// See [`FORMAT`].
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

/// `round-<n>/instant.json`: the only place where time enters a delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Instant {
    /// See [`FORMAT`].
    pub format: u32,
    /// RFC 3339, UTC, whole seconds. Recorded once a round and reused ever after.
    pub instant: String,
}

/// `audit-<n>.json`: the verdict, with all that it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AuditFile {
    /// See [`FORMAT`].
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

/// `acceptance.json` or `rework-<n>.json`: the delivery so far, and its last audit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// See [`FORMAT`].
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
