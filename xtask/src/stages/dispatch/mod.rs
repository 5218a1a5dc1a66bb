//! Dispatch: an executor works in a worktree of its own; what it leaves is committed by the pipeline.

mod settle;
mod tests_touched;

use camino::Utf8PathBuf;
use gate::code::Code;
use gate::say;

use super::guard::{Guard, Places};
use super::{Inputs, Stage, freeze, review};
use crate::context::Context;
use crate::documents::{self, FORMAT};
use crate::ending::Ending;
use crate::executors::{self, Job};
use crate::failure::{Failure, Result};
use crate::pipeline::model::Executor;
use crate::rounds;
use crate::secrets::Secrets;
use crate::store;

/// See the module.
pub struct Dispatch;

impl Stage for Dispatch {
    /// A paid run is never repeated because a template changed: only another pack asks for other work.
    fn inputs(&self, context: &Context<'_>, round: u32) -> Result<Inputs> {
        let mut inputs = Inputs::default();
        inputs.value(context, "pack", &context.pack_sha256()?)?;
        inputs.value(context, "round", &round)?;
        Ok(inputs)
    }

    fn records_facts(&self) -> bool {
        true
    }

    /// Work that was delivered and paid for is never done again because whoever recorded it died at the last moment.
    fn left_behind(&self, context: &Context<'_>, round: u32) -> Result<Option<Vec<Utf8PathBuf>>> {
        let pack = context.pack_sha256()?;
        let delivered = rounds::dispatched(context, round)?.filter(|dispatch| dispatch.pack_sha256 == pack);
        Ok(delivered.map(|_| vec![context.paths.in_round(round, "dispatch.json")]))
    }

    fn run(&self, context: &Context<'_>, round: u32) -> Result<Vec<Utf8PathBuf>> {
        let lock = context.lock()?;
        freeze::require_undrifted(context, &lock)?;
        review::require_passed(context, &lock)?;
        require_open(context, round)?;
        // The executor is given exactly this file, so it has to be there, and to be of this pack.
        let brief: documents::Brief =
            context.artifact(&context.paths.in_round(round, "brief.json"), "brief", Some(round))?;
        if brief.pack_sha256 != lock.pack_sha256 {
            return Err(old_brief(context, round));
        }
        let path = context.paths.in_round(round, "dispatch.json");
        store::write_json(&context.at(&path), &dispatch(context, round, &lock.pack_sha256)?)?;
        Ok(vec![path])
    }
}

/// Lets the executor work, and tells what came of it.
fn dispatch(context: &Context<'_>, round: u32, pack_sha256: &str) -> Result<documents::Dispatch> {
    let executor = executor(context)?;
    let app = context.app()?;
    let base = base(context, round, &app)?;
    let is_program = matches!(executor, Executor::Agent(_) | Executor::Acp(_) | Executor::Command { .. });
    if is_program {
        require_base(context, &app, &base)?;
    }
    let log = context.at(context.paths.in_round(round, "logs/dispatch.log"));
    let brief = context.at(context.paths.in_round(round, "brief.md"));
    let job = Job { context, round, pack_sha256, app: &app, base: &base, brief: &brief, log: &log };
    // A person works between the runs of the pipeline, and a recording changes nothing but the worktree.
    let guard =
        if is_program { Some(Guard::take(context, Places::for_executor(context, round))?) } else { None };
    let settled = executors::work(executor, &job).and_then(|delivered| settle::settle(&job, delivered));
    // Whatever became of the work, what was not to be touched is as it was.
    let touched = guard.map(|guard| guard.end(context)).transpose()?.unwrap_or_default();
    let settled = settled?;
    let (worktree, head) = (settled.worktree, settled.head);
    let secrets = Secrets::of_variables(executor.env().iter().chain(&context.pipeline.secrets));
    let mut dispatch = documents::Dispatch {
        format: FORMAT,
        feature: context.feature.clone(),
        round,
        pack_sha256: pack_sha256.to_owned(),
        executor: context.pipeline.executor.clone(),
        kind: executor.kind().to_owned(),
        replayed: matches!(executor, Executor::Replay { .. }),
        branch: app.branch(),
        changed: worktree.changes(&base, &head)?,
        untracked: settled.untracked,
        ignored: settled.ignored,
        protected_changed: settled.changes.into_iter().chain(touched).collect(),
        tests: tests_touched::between(&worktree, &base, &head, &secrets)?,
        base,
        head,
        end: settled.end,
        exit_code: settled.exit_code,
        signal: settled.signal,
        agent: settled.agent,
        log: log.exists().then(|| format!("round-{round}/logs/dispatch.log")),
    };
    mask_names(&mut dispatch, &secrets);
    Ok(dispatch)
}

/// Takes secrets out of the names of files, which whoever saw them may have chosen.
fn mask_names(dispatch: &mut documents::Dispatch, secrets: &Secrets) {
    let changed = dispatch.changed.iter_mut().map(|file| &mut file.path);
    let protected = dispatch.protected_changed.iter_mut().map(|change| &mut change.path);
    let left = dispatch.untracked.iter_mut().chain(&mut dispatch.ignored);
    for name in changed.chain(protected).chain(left) {
        *name = secrets.mask(name);
    }
}

/// A round is dispatched once, and rounds follow each other.
fn require_open(context: &Context<'_>, round: u32) -> Result<()> {
    let Some(latest) = rounds::latest(context)?.filter(|latest| *latest >= round) else { return Ok(()) };
    let lang = context.lang();
    if latest > round && rounds::dispatched(context, round)?.is_none() {
        let record = context.paths.in_round(round, "dispatch.json");
        let message = say!(
            lang,
            "{record} is gone, though round {latest} was dispatched after it",
            "{record} 已丢失，但其后的第 {latest} 轮已经派发"
        );
        let help = say!(lang, "restore it from git", "请从 git 恢复它");
        return Err(Failure::coded(Ending::Tampered, Code::RecordChanged, message, help));
    }
    let message = say!(
        lang,
        "round {round} is over: round {latest} was dispatched already",
        "第 {round} 轮已结束：第 {latest} 轮已经派发"
    );
    Err(Failure::coded(Ending::InvalidInput, Code::RoundOver, message, Code::RoundOver.help(lang)))
}

fn old_brief(context: &Context<'_>, round: u32) -> Failure {
    let (lang, feature) = (context.lang(), &context.feature);
    let message = say!(
        lang,
        "the brief of round {round} is of another pack",
        "第 {round} 轮的目标说明属于另一个验收包"
    );
    let help = say!(
        lang,
        "run cargo xtask brief {feature} --round {round}",
        "请运行 cargo xtask brief {feature} --round {round}"
    );
    Failure::coded(Ending::InvalidInput, Code::ArtifactMissing, message, help)
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
        Failure::coded(Ending::InvalidInput, Code::ExecutorUnknown, message, Code::ExecutorUnknown.help(lang))
    })
}

/// The first round begins from the app's base, a later one from what the last one delivered.
fn base(context: &Context<'_>, round: u32, app: &crate::app::AppRepository) -> Result<String> {
    let Some(last) = rounds::delivered_before(context, round)? else { return app.base_commit() };
    app.require_commit(&last.head)?;
    Ok(last.head)
}

/// A program begins where people think that it begins.
fn require_base(context: &Context<'_>, app: &crate::app::AppRepository, base: &str) -> Result<()> {
    match rounds::earliest(context)? {
        Some(first) => app.require_unmoved(&first.base),
        None => app.require_clean(base),
    }
}

/// What was recorded of a round.
pub fn recorded(context: &Context<'_>, round: u32) -> Result<documents::Dispatch> {
    context.artifact(&context.paths.in_round(round, "dispatch.json"), "dispatch", Some(round))
}

/// The delivered commit of a round, if it was dispatched.
pub fn head(context: &Context<'_>, round: u32) -> Result<Option<String>> {
    Ok(rounds::dispatched(context, round)?.map(|dispatch| dispatch.head))
}
