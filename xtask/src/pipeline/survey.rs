//! Where every stage of a feature stands, and why. Nothing is run and nothing is written.

use gate::audit::Verdict;
use serde::Serialize;

use super::convergence;
use super::model::Stage;
use super::plan::Plan;
use super::selection::{Chosen, Selection};
use super::state::{Change, State};
use super::work::{Work, key};
use crate::context::Context;
use crate::failure::Result;
use crate::rounds;

/// How a stage stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Standing {
    /// It has nothing to do.
    Current,
    /// It ran, and something has changed since.
    Stale,
    /// It has not run.
    Absent,
}

/// One stage of one round.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Surveyed {
    /// The stage's id.
    pub stage: String,
    /// The round; 0 before the rounds.
    pub round: u32,
    /// How it stands.
    pub standing: Standing,
    /// What has changed since it ran.
    pub changes: Vec<Change>,
    /// Whether it has to be tried again, though nothing has changed: a fact that could not be gathered.
    pub unsettled: bool,
    /// Why its inputs cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    #[serde(skip)]
    records_facts: bool,
}

/// Every stage before the rounds, and of every round of the frozen pack that was begun, or at least of the first.
pub fn survey(context: &Context<'_>, plan: &Plan<'_>, state: &State) -> Result<Vec<Surveyed>> {
    let mut found = stretch(context, &plan.before, state, 0)?;
    for round in begun(context, state)? {
        found.extend(stretch(context, &plan.each_round, state, round)?);
    }
    Ok(found)
}

/// The rounds of the frozen pack of which anything is recorded; the first one where there is none.
fn begun(context: &Context<'_>, state: &State) -> Result<Vec<u32>> {
    // Without a lock, or with one that cannot be read, no round belongs to it.
    let first = rounds::first(context).unwrap_or(1);
    // What was begun after the round that was accepted is no part of the delivery any more.
    let last = match convergence::last_verdict(context) {
        Ok(Some((round, Verdict::Pass))) => round,
        _ => u32::MAX,
    };
    let known = state.rounds().into_iter();
    let begun: Vec<u32> = known.filter(|round| (first..=last).contains(round)).collect();
    Ok(if begun.is_empty() { vec![first] } else { begun })
}

/// The stages of a stretch of the plan in one round.
pub fn stretch(context: &Context<'_>, stages: &[&Stage], state: &State, round: u32) -> Result<Vec<Surveyed>> {
    let mut found = Vec::new();
    for stage in stages {
        found.extend(one(context, stage, state, round)?);
    }
    Ok(found)
}

fn one(context: &Context<'_>, stage: &Stage, state: &State, round: u32) -> Result<Option<Surveyed>> {
    let work = Work::of(stage, context, state, round)?;
    let mut surveyed = Surveyed {
        stage: stage.id.clone(),
        round,
        standing: Standing::Absent,
        changes: Vec::new(),
        unsettled: false,
        problem: None,
        records_facts: work.stage().records_facts(),
    };
    let key = key(&stage.id, round);
    if !work.applies(context, round).unwrap_or(false) {
        return Ok(None);
    }
    if !state.knows(&key) {
        return Ok(Some(surveyed));
    }
    match work.inputs(context, round) {
        Ok(inputs) => {
            surveyed.changes = state.changes(context, &key, &inputs)?;
            surveyed.unsettled = !work.stage().is_settled(context, round)?;
        }
        Err(failure) => surveyed.problem = Some(failure.to_string()),
    }
    let is_current = surveyed.changes.is_empty() && !surveyed.unsettled && surveyed.problem.is_none();
    surveyed.standing = if is_current { Standing::Current } else { Standing::Stale };
    Ok(Some(surveyed))
}

/// What a run would do with a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Step {
    /// Nothing: it is up to date.
    Skip,
    /// Run it.
    Run,
    /// Run it, unless what an earlier one writes turns out to be the same.
    MayRun,
    /// Nothing: the run is about other stages.
    Unselected,
}

/// What a run would do with each stage, in order. What lies beyond the last round that was begun depends on verdicts,
/// and is not foreseen.
pub fn foresee(plan: &Plan<'_>, selection: &Selection, surveyed: &[Surveyed]) -> Vec<Step> {
    let mut has_run = false;
    let step = |stage: &Surveyed| {
        let Some(planned) = plan.stages().find(|planned| planned.id == stage.stage) else {
            return Step::Skip;
        };
        if selection.of(plan, planned) != Chosen::Yes {
            return Step::Unselected;
        }
        let step = match stage.standing {
            Standing::Absent | Standing::Stale => Step::Run,
            Standing::Current if selection.forces(planned, stage.records_facts) => Step::Run,
            // A fact stands whatever was written before it, save by a pack that was frozen anew.
            Standing::Current if has_run && !stage.records_facts => Step::MayRun,
            Standing::Current => Step::Skip,
        };
        has_run |= step == Step::Run;
        step
    };
    surveyed.iter().map(step).collect()
}
