//! The acceptance pack of a feature, as it is frozen.
//!
//! What an author writes is decoded in [`crate::decode`]; these types are the frozen form, whose canonical
//! JSON is hashed, judged and shown.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One of the four dimensions in which a feature is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Dimension {
    /// What it does.
    Function,
    /// How it looks.
    Aesthetic,
    /// How fast and how lean it is.
    Performance,
    /// Who can use it.
    Accessibility,
}

impl Dimension {
    /// All four, in the order of reports.
    pub const ALL: [Dimension; 4] =
        [Dimension::Function, Dimension::Aesthetic, Dimension::Performance, Dimension::Accessibility];

    /// The word in packs and artifacts.
    pub fn word(self) -> &'static str {
        match self {
            Dimension::Function => "function",
            Dimension::Aesthetic => "aesthetic",
            Dimension::Performance => "performance",
            Dimension::Accessibility => "accessibility",
        }
    }
}

/// What a pack may declare out of scope: a dimension, or a state of the screen that users will meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Aspect {
    /// [`Dimension::Function`].
    Function,
    /// [`Dimension::Aesthetic`].
    Aesthetic,
    /// [`Dimension::Performance`].
    Performance,
    /// [`Dimension::Accessibility`].
    Accessibility,
    /// Something went wrong.
    Error,
    /// There is nothing to show.
    Empty,
    /// There is no network.
    Offline,
    /// The user has enlarged the font.
    LargeFont,
    /// The system is in dark mode.
    DarkMode,
    /// The device is held sideways.
    Landscape,
}

impl Aspect {
    /// The states, in the order of reports.
    pub const STATES: [Aspect; 6] = [
        Aspect::Error,
        Aspect::Empty,
        Aspect::Offline,
        Aspect::LargeFont,
        Aspect::DarkMode,
        Aspect::Landscape,
    ];

    /// The word in packs.
    pub fn word(self) -> &'static str {
        match self {
            Aspect::Function => "function",
            Aspect::Aesthetic => "aesthetic",
            Aspect::Performance => "performance",
            Aspect::Accessibility => "accessibility",
            Aspect::Error => "error",
            Aspect::Empty => "empty",
            Aspect::Offline => "offline",
            Aspect::LargeFont => "largeFont",
            Aspect::DarkMode => "darkMode",
            Aspect::Landscape => "landscape",
        }
    }

    /// All that can be out of scope: dimensions, then states.
    pub fn all() -> impl Iterator<Item = Aspect> {
        Dimension::ALL.into_iter().map(Aspect::from).chain(Aspect::STATES)
    }
}

impl From<Dimension> for Aspect {
    fn from(dimension: Dimension) -> Self {
        match dimension {
            Dimension::Function => Aspect::Function,
            Dimension::Aesthetic => Aspect::Aesthetic,
            Dimension::Performance => Aspect::Performance,
            Dimension::Accessibility => Aspect::Accessibility,
        }
    }
}

/// How much a criterion weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    /// The delivery is not accepted without it.
    Must,
    /// Wanted; an honest fail does not fail the delivery.
    Should,
}

impl Weight {
    /// The word in packs and artifacts.
    pub fn word(self) -> &'static str {
        match self {
            Weight::Must => "must",
            Weight::Should => "should",
        }
    }
}

/// A value that an author or a decoder wrote: text, a number in its frozen (RFC 8785) form, or a boolean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// `true` or `false`.
    Bool(bool),
    /// A number, as its shortest decimal text that survives RFC 8785, such as `0.3` or `1e+21`.
    Number(String),
    /// Anything in quotes, and anything else.
    Text(String),
}

/// What an assertion compares with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Expected {
    /// One value.
    One(Scalar),
    /// The bounds of `between`, or the choices of `oneOf`.
    Many(Vec<Scalar>),
}

/// The machine-checkable part of a criterion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Assertion {
    /// The comparison, by its canonical word.
    pub matcher: Matcher,
    /// Absent for `exists` only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expected: Option<Expected>,
    /// The unit of `expected`, and of a value that carries none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unit: Option<String>,
    /// Where the value comes from: a source that `pipeline.yaml` declares.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source: Option<String>,
    /// Negates each member's result, or the aggregate's.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub not: bool,
    /// How several samples become one answer; absent means that each must satisfy the matcher.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub aggregate: Option<Aggregate>,
    /// Fewer samples than this are no value.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub min_samples: Option<u32>,
    /// For `approx`: absolute in the assertion's unit, or a percentage of `expected` such as `5%`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tolerance: Option<Scalar>,
    /// An importer read it out of a sentence, and no person has confirmed it: the review blocks until this line is gone.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub proposed: bool,
}

/// The comparisons. `--help` and the diagnostics print their aliases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Matcher {
    /// Equal: numeric where `expected` is a number or a number with a unit, textual otherwise.
    Eq,
    /// Not equal.
    Ne,
    /// Less than.
    Lt,
    /// At most.
    Lte,
    /// More than.
    Gt,
    /// At least.
    Gte,
    /// The text contains `expected`.
    Contains,
    /// The text matches the pattern `expected`, anywhere.
    Matches,
    /// Within the closed interval `[low, high]`.
    Between,
    /// Within `tolerance` of `expected`.
    Approx,
    /// Equal to one of the choices.
    OneOf,
    /// There is such a thing.
    Exists,
}

/// How several samples become one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aggregate {
    /// Every sample satisfies the matcher.
    All,
    /// At least one does.
    Any,
    /// The smallest.
    Min,
    /// The largest.
    Max,
    /// The exact mean.
    Mean,
    /// The middle one, or the mean of the middle two.
    Median,
    /// The sum.
    Sum,
    /// The number of samples, without a unit.
    Count,
    /// The nearest-rank percentile, 1 to 99: written `p95`.
    Percentile(u8),
}

/// How a value is read out of an evidence file, so that nobody types it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Probe {
    /// The collector whose file is read, by name.
    pub evidence: String,
    /// The reader, by name, such as `layout` or `trace`.
    pub reader: String,
    /// The reader's parameters.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub with: BTreeMap<String, Scalar>,
}

/// One thing that must, or should, hold of the delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Criterion {
    /// Unique in the pack; compared to the letter.
    pub id: String,
    /// Which of the four.
    pub dimension: Dimension,
    /// What must hold, in prose.
    pub statement: String,
    /// How a person would check it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub verify: Option<String>,
    /// Must or should.
    pub weight: Weight,
    /// A rule of the default table, or the team's own name for one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rule_id: Option<String>,
    /// Requirements of the pack that this criterion covers, by id.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub covers: Vec<String>,
    /// The machine-checkable part.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub assertion: Option<Assertion>,
    /// How the value is read from evidence.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub probe: Option<Probe>,
    /// Keeps assertion and probe out of what the agent is shown.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub held_out: bool,
}

/// Something the feature is asked to do, which criteria cover.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Requirement {
    /// Unique in the pack.
    pub id: String,
    /// What is asked.
    pub text: String,
}

/// The acceptance pack of one feature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Pack {
    /// The id of the feature: the name of its folder.
    pub feature: String,
    /// A name for people.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    /// What the agent is asked to achieve, in prose.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub goal: Option<String>,
    /// What the feature is asked to do.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub requirements: Vec<Requirement>,
    /// Dimensions and states without a criterion, each with the reason.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    #[cfg_attr(feature = "schema", schemars(transform = crate::schema::keyed_by_aspect))]
    pub out_of_scope: BTreeMap<Aspect, String>,
    /// What is accepted, in the author's order.
    pub criteria: Vec<Criterion>,
}
