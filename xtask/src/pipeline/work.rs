//! What a planned stage does, whoever wrote it: one of the built-ins, or a program of the team's own.

use std::collections::BTreeMap;

use super::model::{Action, Stage as Planned};
use super::state::State;
use crate::context::Context;
use crate::custom::Custom;
use crate::failure::Result;
use crate::stages::{self, Stage};

/// A stage that can be asked and run.
pub enum Work<'a> {
    /// A built-in.
    BuiltIn(&'static dyn Stage),
    /// The team's own.
    Custom(Custom<'a>),
}

impl<'a> Work<'a> {
    /// The work of a planned stage, with what is recorded of those that it needs.
    pub fn of(planned: &'a Planned, context: &Context<'_>, state: &State, round: u32) -> Self {
        match &planned.action {
            Action::BuiltIn(built_in) => Work::BuiltIn(stages::of(*built_in)),
            Action::Run(run) => {
                let upstream = upstream(planned, context, state, round);
                Work::Custom(Custom { planned, run, upstream })
            }
        }
    }

    /// The stage itself.
    pub fn stage(&self) -> &dyn Stage {
        match self {
            Work::BuiltIn(stage) => *stage,
            Work::Custom(custom) => custom,
        }
    }

    /// Whether it is about a round at all.
    pub fn applies(&self, context: &Context<'_>, round: u32) -> Result<bool> {
        match self {
            Work::BuiltIn(_) => Ok(true),
            Work::Custom(custom) => custom.applies(context, round),
        }
    }
}

/// What the stages that a stage needs left behind, in this round or before the rounds.
fn upstream(planned: &Planned, context: &Context<'_>, state: &State, round: u32) -> BTreeMap<String, String> {
    let needed = planned.needs.iter().filter_map(|id| {
        let stage = context.pipeline.stages.iter().find(|stage| stage.id == *id)?;
        Some(state.outputs(&key(id, if stage.each_round { round } else { 0 })))
    });
    needed.flatten().collect()
}

/// The name of a stage in the record: `stage`, or `stage@round`.
pub fn key(id: &str, round: u32) -> String {
    if round == 0 { id.to_owned() } else { format!("{id}@{round}") }
}
