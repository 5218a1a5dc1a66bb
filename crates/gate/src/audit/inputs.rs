//! What the gate looks at. Everything is a value; nothing is read from anywhere.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Location;
use crate::check::{Auditor, Settlement, Waiver};
use crate::lang::Lang;
use crate::observation::Observation;
use crate::pack::Pack;

/// Whether the process being judged could have written a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SourceKind {
    /// It could not.
    Independent,
    /// It could: never a sufficient basis.
    Auxiliary,
}

/// How the bytes of a named evidence file stand to what was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum EvidenceState {
    /// There, with the recorded digest, of this round and delivered commit.
    Sound,
    /// Not there.
    Missing,
    /// Other bytes than recorded.
    Changed,
    /// Recorded for another round or delivered commit.
    Stale,
    /// Not a byte in it.
    Blank,
    /// Does not decode as what its name says.
    Undecodable,
    /// A picture of one colour all over.
    Flat,
    /// A picture of another size than the layout of its screen.
    WrongSize,
    /// The same bytes as the file of another screen.
    Twin,
    /// The same bytes as in the round before, although the code under it changed.
    Repeated,
}

/// What the gate knows of one evidence file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvidenceFact {
    /// How it stands to the record.
    pub state: EvidenceState,
    /// Whether the agent could have written it.
    pub source: SourceKind,
}

/// Density and font scale, as evidence gives them: decimal text such as `3.5`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Scale {
    /// Pixels per vp.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub density: Option<String>,
    /// fp per vp.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub font_scale: Option<String>,
}

/// All that the gate looks at. Everything is a value; nothing is read from anywhere.
#[derive(Clone, Debug)]
pub struct Inputs<'a> {
    /// The language of messages.
    pub lang: Lang,
    /// The frozen pack.
    pub pack: &'a Pack,
    /// How many criteria the lock declares.
    pub declared: usize,
    /// Where each criterion stands in the authored pack: file and span by id.
    pub locations: &'a BTreeMap<String, Location>,
    /// What auditors reported, in the order of their names.
    pub auditors: &'a [Auditor],
    /// What probes answered, by criterion id.
    pub observations: &'a BTreeMap<String, Observation>,
    /// What is known of the evidence files of the round, by path within the round.
    pub evidence: &'a BTreeMap<String, EvidenceFact>,
    /// Density and font scale from evidence.
    pub scale: &'a Scale,
    /// The sources that the pipeline declares.
    pub sources: &'a BTreeMap<String, SourceKind>,
    /// What people settled where auditors differ, the latest last.
    pub settlements: &'a [Settlement],
    /// Files that the executor changed although it may not, in order.
    pub protected: &'a [String],
    /// Decoded and free of duplicates.
    pub waivers: &'a [Waiver],
    /// The file of the waivers, for messages.
    pub waivers_file: &'a str,
    /// The instant of the audit, RFC 3339.
    pub instant: &'a str,
}
