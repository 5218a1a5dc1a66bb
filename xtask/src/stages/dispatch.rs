//! Dispatch: an executor works in a worktree of its own; what it leaves is committed by the pipeline.

use camino::Utf8PathBuf;
use gate::code::Code;
use gate::problem::Problem;
use gate::say;

use super::{Inputs, Stage};
use crate::context::Context;
use crate::documents::{self, FORMAT, RunEnd};
use crate::ending::Ending;
use crate::executors::{self, Delivered, Job};
use crate::failure::{Failure, Result};
use crate::git::{Git, Signature};
use crate::pipeline::model::Executor;
use crate::pipeline::rounds;
use crate::store;

/// See the module.
pub struct Dispatch;

impl Stage for Dispatch {
    /// A paid run is never repeated because a template changed: only another pack asks for other work.
    fn inputs(&self, context: &Context<'_>, round: u32) -> Result<Inputs> {
        let mut inputs = Inputs::default();
        inputs.value("pack", &context.lock()?.pack_sha256)?;
        inputs.value("round", &round)?;
        Ok(inputs)
    }

    fn records_facts(&self) -> bool {
        true
    }

    fn run(&self, context: &Context<'_>, round: u32) -> Result<Vec<Utf8PathBuf>> {
        let lock = context.lock()?;
        let brief = context.paths.in_round(round, "brief.md");
        // The executor is given exactly this file, so it has to be there.
        let _: documents::Brief = context.artifact(&context.paths.in_round(round, "brief.json"), "brief")?;
        let executor = executor(context)?;
        let app = context.app()?;
        let base = base(context, round, &app)?;
        let worktree = match executors::keeps_worktree(executor) {
            true => app.kept_worktree(&base)?,
            false => app.fresh_worktree(&base)?,
        };
        let log = context.paths.in_round(round, "logs/dispatch.log");
        let job = Job {
            context,
            round,
            worktree: &worktree,
            base: &base,
            brief: context.at(&brief),
            log: context.at(&log),
        };
        let delivered = executors::work(executor, &job)?;
        let (end, exit_code, head) = settle(context, round, &lock.pack_sha256, &worktree, delivered)?;
        let dispatch = documents::Dispatch {
            format: FORMAT,
            feature: context.feature.clone(),
            round,
            pack_sha256: lock.pack_sha256,
            executor: context.pipeline.executor.clone(),
            kind: executor.kind().to_owned(),
            replayed: matches!(executor, Executor::Replay { .. }),
            branch: app.branch(),
            changed: worktree.changes(&base, &head)?,
            base,
            head,
            end,
            exit_code,
            log: context.at(&log).exists().then(|| format!("round-{round}/logs/dispatch.log")),
        };
        let path = context.paths.in_round(round, "dispatch.json");
        store::write_json(&context.at(&path), &dispatch)?;
        Ok(vec![path])
    }
}

/// The executor that the pipeline names.
pub fn executor<'a>(context: &'a Context<'_>) -> Result<&'a Executor> {
    let name = &context.pipeline.executor;
    context.pipeline.executors.get(name).ok_or_else(|| {
        let lang = context.lang();
        let known: Vec<&str> = context.pipeline.executors.keys().map(String::as_str).collect();
        let message = say!(
            lang,
            "pipeline.yaml has no executor named {name}; it has: {}",
            "pipeline.yaml 中没有名为 {name} 的执行者；已有：{}",
            known.join(", ")
        );
        Failure::coded(Ending::InvalidInput, Code::ExecutorUnknown, message, Code::ExecutorUnknown.cure(lang))
    })
}

/// The first round begins from the app's base, a later one from what the last one delivered.
fn base(context: &Context<'_>, round: u32, app: &crate::app::AppRepository) -> Result<String> {
    let Some(last) = rounds::delivered_before(context, round)? else { return app.base_commit() };
    app.require_commit(&last.head)?;
    Ok(last.head)
}

/// Commits what the executor left, or takes up what a person committed.
fn settle(
    context: &Context<'_>,
    round: u32,
    pack_sha256: &str,
    worktree: &Git,
    delivered: Delivered,
) -> Result<(RunEnd, Option<i32>, String)> {
    match delivered {
        Delivered::Committed { head } => Ok((RunEnd::Completed, None, head)),
        Delivered::Waiting => Err(waiting(context, round)),
        Delivered::Work { end, exit_code, date } => {
            let feature = &context.feature;
            let message = format!(
                "Deliver {feature}, round {round}\n\nDelivery-Feature: {feature}\nDelivery-Round: {round}\nDelivery-Pack: {pack_sha256}\n"
            );
            Ok((end, exit_code, worktree.commit_all(&message, &Signature { date })?))
        }
    }
}

fn waiting(context: &Context<'_>, round: u32) -> Failure {
    let lang = context.lang();
    let feature = &context.feature;
    let brief = context.paths.in_round(round, "brief.md");
    let message = say!(
        lang,
        "round {round} waits for a person: {brief} says what to do",
        "第 {round} 轮等待人工：见 {brief}"
    );
    let help = say!(
        lang,
        "work in .xtask/worktrees/{feature}, commit there, and run cargo xtask deliver {feature} again",
        "请在 .xtask/worktrees/{feature} 中工作并提交，然后重新运行 cargo xtask deliver {feature}"
    );
    Failure::one(Ending::Waiting, Problem::new(Code::HandoffWaiting, message, help))
}

/// What was recorded of a round.
pub fn recorded(context: &Context<'_>, round: u32) -> Result<documents::Dispatch> {
    context.artifact(&context.paths.in_round(round, "dispatch.json"), "dispatch")
}
