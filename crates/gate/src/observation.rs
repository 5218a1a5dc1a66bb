//! What a probe answers: values with their places, or why there are none. `probe` fills these, the gate reads them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::pack::Scalar;

/// Where in an evidence file a value was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Place {
    /// The file as a whole.
    File,
    /// One line, from 1.
    Line {
        /// From 1.
        line: u64,
    },
    /// From one line to another, from 1.
    Lines {
        /// From 1.
        from: u64,
        /// From 1.
        to: u64,
    },
    /// A JSON pointer (RFC 6901).
    Pointer {
        /// Such as `/children/0/attributes`.
        pointer: String,
    },
    /// A box in pixels of the image or screen.
    Box {
        /// Left edge.
        left: i64,
        /// Top edge.
        top: i64,
        /// Right edge, exclusive.
        right: i64,
        /// Bottom edge, exclusive.
        bottom: i64,
    },
}

/// One value that a reader found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Reading {
    /// The value as the gate reads it: a number as text with its unit (`197px`, `1213.4ms`), or plain text.
    pub actual: Scalar,
    /// Where it was found: one place or more (a gap lies between two nodes).
    pub places: Vec<Place>,
    /// What a person should know of it, such as `56.29vp ± 0.29 at density 3.5`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
}

/// What a reader answers. It never guesses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Answer {
    /// One value or a series.
    Values {
        /// In the file's order.
        values: Vec<Reading>,
    },
    /// There is certainly no such thing (the explicit null of `exists`).
    Nothing {
        /// How that is known.
        reason: String,
    },
    /// There is no value: a sentinel, no samples.
    Missing {
        /// Why.
        reason: String,
    },
    /// The file cannot be read as this format: truncated, another format, an ambiguous selector.
    Unreadable {
        /// Why.
        reason: String,
    },
}

/// An answer together with what was asked of which bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Observation {
    /// The evidence file within the round, such as `evidence/layout.json`.
    pub file: String,
    /// SHA-256 of the bytes that were read.
    pub sha256: String,
    /// The source that `evidence.json` records for the file.
    pub source: String,
    /// The reader's name.
    pub reader: String,
    /// The reader's parameters, as frozen.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub with: BTreeMap<String, Scalar>,
    /// What it answered.
    pub answer: Answer,
}
