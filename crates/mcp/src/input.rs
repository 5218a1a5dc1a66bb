//! What a client may ask with. The schemas of the tools are made from these types.

use std::num::NonZeroU32;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// A feature.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Feature {
    /// The feature: the name of its folder under features/
    pub feature: String,
}

/// A feature, or all of them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Status {
    /// The feature; otherwise all
    pub feature: Option<String>,
}

/// A round of a feature.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// The feature: the name of its folder under features/
    pub feature: String,
    /// The round, from 1; otherwise the latest
    pub round: Option<NonZeroU32>,
}

/// Stages of a feature.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Explain {
    /// The feature: the name of its folder under features/
    pub feature: String,
    /// The stage, by its id in pipeline.yaml; otherwise all
    pub stage: Option<String>,
    /// The round, from 1; otherwise all
    pub round: Option<NonZeroU32>,
}

/// A delivery that was started.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Poll {
    /// The run, as gate_deliver_start named it
    pub run: String,
    /// How many seconds to wait for its end, at most 50; 20 if absent
    #[schemars(range(max = 50))]
    pub wait: Option<u64>,
}

/// One assertion and one value.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Judge {
    /// The comparison: eq ne lt lte gt gte contains matches between approx oneOf exists
    pub matcher: String,
    /// What is compared with, as in a pack: 800, "800ms", [12, 16]. Write a number of more than 15 digits as text
    #[serde(default)]
    #[schemars(schema_with = "crate::schema::expected")]
    pub expected: Option<Value>,
    /// The unit of what is expected
    pub unit: Option<String>,
    /// The value as text, such as 720ms; several are the samples of a series, none is an absent value
    #[serde(default)]
    pub actual: Vec<String>,
    /// Negate the matcher
    pub not: Option<bool>,
    /// How samples become one answer: all any min max mean median sum count p1 to p99
    pub aggregate: Option<String>,
    /// Fewer samples than this are no value
    pub min_samples: Option<u32>,
    /// For approx: absolute, or a percentage such as 5%
    pub tolerance: Option<String>,
    /// Pixels per vp
    pub density: Option<String>,
    /// fp per vp
    pub font_scale: Option<String>,
}

/// What only a person does.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Deed {
    /// Freeze a pack, or freeze it again
    Freeze,
    /// Answer for an honest fail until a date
    Waive,
    /// Answer a finding of the review
    Answer,
    /// Change a threshold
    Threshold,
    /// Settle a criterion on which auditors differ
    Settle,
    /// Sign an audit
    Sign,
}

/// What only a person does, for a feature.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Person {
    /// What is to be done
    pub deed: Deed,
    /// The feature: the name of its folder under features/
    pub feature: String,
    /// The criterion, or the id of the finding, where it is about one
    pub about: Option<String>,
}
