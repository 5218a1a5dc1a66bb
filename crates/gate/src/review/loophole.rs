//! How the letter of each assertion could be satisfied without its meaning, and what closes each way: the loophole table.
//!
//! A loophole is no finding. Some stay open whatever an author writes, as a layout tree does not say what lies on top; the
//! table is for whoever decides whether that matters here.

use serde::{Deserialize, Serialize};

use super::Context;
use super::nearest::nearest;
use super::way::ways;
use crate::lang::Lang;
use crate::pack::{Criterion, Pack};

/// One assertion, the values at its edge, and the ways around it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Loophole {
    /// The criterion.
    pub criterion: String,
    /// Whether the agent is not shown the assertion.
    pub held_out: bool,
    /// The assertion, as a person reads it.
    pub assertion: String,
    /// The values next to the edge that pass, as they would be reported; empty where there is no edge.
    pub accepted: Vec<String>,
    /// The values next to the edge that fail.
    pub refused: Vec<String>,
    /// The ways to satisfy its letter that its probe would not see.
    pub ways: Vec<Way>,
}

/// One way to satisfy the letter of an assertion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Way {
    /// What would pass, in words.
    pub how: String,
    /// The change to the pack or the pipeline that closes it.
    pub cure: String,
}

/// The loopholes of all assertions, in the order of the pack.
pub fn loopholes(pack: &Pack, context: &Context<'_>, lang: Lang) -> Vec<Loophole> {
    pack.criteria.iter().filter_map(|criterion| loophole(criterion, context, lang)).collect()
}

fn loophole(criterion: &Criterion, context: &Context<'_>, lang: Lang) -> Option<Loophole> {
    let assertion = criterion.assertion.as_ref()?;
    let edge = nearest(assertion);
    Some(Loophole {
        criterion: criterion.id.clone(),
        held_out: criterion.held_out,
        assertion: crate::assertion::shown(assertion, lang),
        accepted: edge.accepted,
        refused: edge.refused,
        ways: ways(criterion, assertion, context, lang),
    })
}
