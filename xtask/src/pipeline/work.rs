//! What a planned stage does, whoever wrote it: one of the built-ins, or a program of the team's own.

use std::collections::BTreeMap;

use camino::Utf8Path;

use super::model::{Action, BuiltIn, Pipeline, Run, Stage as Planned};
use super::plan;
use super::state::State;
use crate::context::Context;
use crate::custom::Custom;
use crate::digests::Over;
use crate::failure::Result;
use crate::stages::{self, Inputs, Stage};

/// A stage that can be asked and run.
pub struct Work<'a> {
    kind: Kind<'a>,
    /// The outputs of the team's own stages that it needs, as they are on disk.
    upstream: BTreeMap<String, String>,
}

enum Kind<'a> {
    BuiltIn(&'static dyn Stage),
    Custom(Custom<'a>),
}

impl<'a> Work<'a> {
    /// The work of a planned stage, with what the stages that it needs have left.
    pub fn of(planned: &'a Planned, context: &Context<'_>, state: &State, round: u32) -> Result<Self> {
        let upstream = upstream(planned, context, state, round)?;
        let kind = match &planned.action {
            Action::BuiltIn(built_in) => Kind::BuiltIn(stages::of(*built_in)),
            Action::Run(run) => Kind::Custom(custom(planned, run, &context.pipeline)),
        };
        Ok(Work { kind, upstream })
    }

    /// The stage itself.
    pub fn stage(&self) -> &dyn Stage {
        match &self.kind {
            Kind::BuiltIn(stage) => *stage,
            Kind::Custom(custom) => custom,
        }
    }

    /// Everything that its outputs depend on.
    pub fn inputs(&self, context: &Context<'_>, round: u32) -> Result<Inputs> {
        let mut inputs = self.stage().inputs(context, round)?;
        for (path, digest) in &self.upstream {
            inputs.0.insert(format!("file:{path}"), digest.clone());
        }
        Ok(inputs)
    }

    /// Whether it is about a round at all.
    pub fn applies(&self, context: &Context<'_>, round: u32) -> Result<bool> {
        match &self.kind {
            Kind::BuiltIn(_) => Ok(true),
            Kind::Custom(custom) => custom.applies(context, round),
        }
    }
}

/// A stage of the team's own depends on the pack and the commit only where it comes after them.
fn custom<'a>(planned: &'a Planned, run: &'a Run, pipeline: &Pipeline) -> Custom<'a> {
    let plan = plan::plan(pipeline);
    let before: Vec<&Planned> = plan.stages().take_while(|stage| stage.id != planned.id).collect();
    let follows = |built_in| before.iter().any(|stage| stage.action == Action::BuiltIn(built_in));
    let (is_frozen, is_delivered) = (follows(BuiltIn::Freeze), follows(BuiltIn::Dispatch));
    Custom { planned, run, is_frozen, is_delivered }
}

/// What the stages that a stage needs left behind, in this round or before the rounds. Of built-ins a built-in says by
/// itself what it reads.
fn upstream(
    planned: &Planned,
    context: &Context<'_>,
    state: &State,
    round: u32,
) -> Result<BTreeMap<String, String>> {
    let is_built_in = |stage: &Planned| matches!(stage.action, Action::BuiltIn(_));
    let mut found = BTreeMap::new();
    for id in &planned.needs {
        let needed = context.pipeline.stages.iter().find(|stage| stage.id == *id);
        let Some(needed) = needed.filter(|needed| !(is_built_in(planned) && is_built_in(needed))) else {
            continue;
        };
        let outputs = state.outputs(&key(id, if needed.each_round { round } else { 0 }));
        // The page is written anew in every round: what a stage did in one does not depend on those that follow.
        for path in outputs.into_iter().filter(|path| *path != context.paths.page()) {
            let digest = context.digest(Utf8Path::new(&path), Over::Bytes)?;
            found.insert(path, digest.unwrap_or_else(|| stages::ABSENT.to_owned()));
        }
    }
    Ok(found)
}

/// The name of a stage in the record: `stage`, or `stage@round`.
pub fn key(id: &str, round: u32) -> String {
    if round == 0 { id.to_owned() } else { format!("{id}@{round}") }
}
