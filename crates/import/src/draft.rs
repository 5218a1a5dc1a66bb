//! A draft of a pack: what an author finishes.

use gate::pack::{Assertion, Dimension, Probe, Weight};

/// A pack in the making.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// The name for people, as the file has it.
    pub title: Option<String>,
    /// What is asked for, as the file has it.
    pub goal: Option<String>,
    /// What the feature is asked to do.
    pub requirements: Vec<DraftRequirement>,
    /// Dimensions and states without a criterion, where the file is a pack that says so.
    pub out_of_scope: Vec<(String, String)>,
    /// The criteria, in the order of the file.
    pub criteria: Vec<DraftCriterion>,
}

/// A requirement and where it stands.
#[derive(Clone, Debug)]
pub struct DraftRequirement {
    /// Unique in the draft.
    pub id: String,
    /// In the file's words.
    pub text: String,
    /// Where it begins.
    pub line: u32,
    /// Why it became no criterion, where it did not.
    pub unmet: Option<String>,
}

/// A criterion and where it comes from.
#[derive(Clone, Debug)]
pub struct DraftCriterion {
    /// Unique in the draft.
    pub id: String,
    /// Where it begins in the file.
    pub line: u32,
    /// Where it ends.
    pub last: u32,
    /// The dimension with the words that say so; none is for the author to choose.
    pub dimension: Option<(Dimension, String)>,
    /// In the file's words.
    pub statement: String,
    /// How it is checked.
    pub verify: Verify,
    /// The weight with the words that say so.
    pub weight: (Weight, String),
    /// A rule by name.
    pub rule_id: Option<String>,
    /// Requirements by id.
    pub covers: Vec<String>,
    /// The assertion: stated by the file, or proposed.
    pub assertion: Option<Assertion>,
    /// The words that a proposal was read from.
    pub read_from: Option<String>,
    /// How the value is read, where the file says so.
    pub probe: Option<Probe>,
    /// Whether the agent is not shown the assertion.
    pub held_out: bool,
    /// A remark for the author.
    pub remark: Option<String>,
}

/// How a criterion is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verify {
    /// As the file says it.
    Said(String),
    /// By the steps of the file: what is to be seen after them.
    Steps(String),
    /// The file does not say.
    Unsaid,
    /// Not asked for.
    Absent,
}
