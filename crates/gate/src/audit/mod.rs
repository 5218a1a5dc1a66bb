//! The gate: from a frozen pack, checks and observations to outcomes, problems and a verdict.
//!
//! Three steps, each in its own file. Checks are found by criterion once ([`index`]). Each is ruled alone, from the
//! value that decides ([`value`], [`rule`], [`basis`]). The rulings of a criterion are settled into its outcome,
//! and waivers are laid over honest fails ([`settle`], [`waive`]). [`audit`] writes it all down.
//!
//! "Failed" and "could not be judged" never share a word: see [`Outcome`].

mod basis;
pub mod case;
mod drift;
mod index;
mod inputs;
mod judging;
mod model;
mod record;
mod rule;
mod settle;
mod value;
mod waive;
mod words;

pub use drift::{drift, pack_digest};
pub use inputs::{EvidenceFact, EvidenceState, Inputs, Scale, SourceKind};
pub use model::{AssertionVerdict, Audit, Counts, CriterionResult, Location, Outcome, Ruling, Verdict};
pub use settle::Gate;
pub use value::actual_of;

/// Audits a delivery: rules on every check and observation, and writes down what each ruling rested on.
///
/// Total: whatever the inputs are, there is an answer, and what cannot be judged is never a pass.
pub fn audit(inputs: &Inputs<'_>) -> Audit {
    record::record(inputs)
}

/// Rules as [`audit`] does, and keeps nothing but what the verdict is: memory grows by a few words a check.
pub fn rule(inputs: &Inputs<'_>) -> Gate {
    settle::settle(inputs, false, |_, _| {})
}

#[cfg(test)]
mod tests;
