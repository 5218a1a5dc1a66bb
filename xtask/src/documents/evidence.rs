//! `round-<n>/evidence.json`: what was gathered.

use gate::audit::SourceKind;
use serde::{Deserialize, Serialize};

use crate::failure::Result;

/// `round-<n>/evidence.json`: what was gathered, by whom the agent is not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// The version of its format.
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
