//! What a format's reader finds: requirements in the file's own words.

use gate::pack::{Assertion, Dimension, Weight};
use gate::problem::Problem;

/// All that a reader found in a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Items {
    /// The title of the document.
    pub title: Option<String>,
    /// What is asked for, in prose.
    pub goal: Option<String>,
    /// Requirements that items cover.
    pub requirements: Vec<Heading>,
    /// What can become criteria.
    pub items: Vec<Item>,
    /// Dimensions and states without a criterion, by their words in packs.
    pub out_of_scope: Vec<(String, String)>,
    /// What was not carried over, without a file yet.
    pub findings: Vec<Problem>,
    /// Whether each item is a requirement of its own where it covers no other.
    pub are_requirements: bool,
}

/// A requirement over several items: a user story, a rule, a feature.
#[derive(Clone, Debug)]
pub(crate) struct Heading {
    pub line: u32,
    pub id: String,
    pub text: String,
}

/// Something that can become a criterion. What the text does not say is absent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Item {
    /// The line in which it begins, and the one in which it ends.
    pub line: u32,
    pub last: u32,
    /// As the file numbers it.
    pub id: Option<String>,
    /// What it is called where the file numbers nothing.
    pub fallback: String,
    pub statement: String,
    /// How it is checked, in the file's words.
    pub verify: Option<String>,
    /// What is to be seen after the steps, where there are steps; the only part that numbers are read from.
    pub outcome: Option<String>,
    /// What the item itself is called: by a column, a tag, or as a scenario.
    pub dimension: Option<Said<Dimension>>,
    /// What the heading above it says, which the words of the statement outweigh.
    pub section: Option<Said<Dimension>>,
    pub weight: Option<Said<Weight>>,
    /// Requirements above it, by [`Heading::id`].
    pub covers: Vec<String>,
    /// An assertion that the file states as one.
    pub assertion: Option<Assertion>,
    /// A limit beside the statement, with comparator and unit as written.
    pub limit: Option<String>,
    pub rule_id: Option<String>,
    /// A remark for the author, as a comment.
    pub remark: Option<String>,
    /// Why it is not decided yet, where the reader knows it.
    pub open: Option<String>,
}

/// What the text says, and by which words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said<T> {
    pub value: T,
    pub by: String,
}
