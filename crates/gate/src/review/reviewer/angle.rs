//! What a reviewer is asked to look at.

use serde::{Deserialize, Serialize};

/// One side from which a pack is attacked. A reviewer has one: whoever looks at everything at once sees what is nearest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Angle {
    /// Criteria that a poor delivery satisfies as well.
    Vacuity,
    /// Deliveries that satisfy the letter and fail the intent.
    Gaming,
    /// What is asked for and held to by no criterion.
    Coverage,
    /// Wording that two people read differently, and judgements that nobody can repeat.
    Judgement,
    /// Values whose source, or reader, does not show what the statement says.
    Evidence,
    /// States and edge cases that nothing asks about.
    States,
}

impl Angle {
    /// All, in the order of the documentation.
    pub const ALL: [Angle; 6] =
        [Angle::Vacuity, Angle::Gaming, Angle::Coverage, Angle::Judgement, Angle::Evidence, Angle::States];

    /// Each with its word in `pipeline.yaml`, in answers and in the names of templates.
    pub const WORDS: [(&'static str, Angle); 6] = [
        ("vacuity", Angle::Vacuity),
        ("gaming", Angle::Gaming),
        ("coverage", Angle::Coverage),
        ("judgement", Angle::Judgement),
        ("evidence", Angle::Evidence),
        ("states", Angle::States),
    ];

    /// Its word.
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, angle)| *angle == self).map_or("", |(word, _)| word)
    }
}
