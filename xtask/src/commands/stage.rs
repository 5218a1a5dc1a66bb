//! One stage by itself: `freeze`, `review`, `brief`, `dispatch`, `evidence`, `audit`, `report`.

use gate::audit::Verdict;
use gate::code::Code;
use gate::say;
use serde_json::json;

use super::Session;
use super::answer::Answer;
use super::attest;
use crate::attestation;
use crate::cli;
use crate::context::Context;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::pipeline::lock::{FeatureLock, IfHeld};
use crate::pipeline::model::{Action, BuiltIn, Stage};
use crate::pipeline::{convergence, plan, run, selection};
use crate::rounds;
use crate::stages;

/// Runs a built-in stage, whether or not it has to.
pub fn run(
    context: &Context<'_>,
    built_in: BuiltIn,
    round: Option<u32>,
    signing: Option<&cli::Signing>,
) -> Result<Answer> {
    let stages = &context.pipeline.stages;
    // Every pipeline that was read has each of them.
    let planned = stages.iter().find(|stage| stage.action == Action::BuiltIn(built_in));
    planned.map_or_else(
        || Err(anyhow::anyhow!("no stage {}", built_in.word()).into()),
        |stage| one(context, stage, round, signing),
    )
}

/// Runs a stage by its id: a built-in, or one of the team's own.
pub fn named(session: &Session, args: &cli::Run) -> Result<Answer> {
    let context = session.context(&args.round.feature.feature)?;
    let plan = plan::plan(&context.pipeline);
    let stage = selection::find(&plan, &args.stage, context.lang())?;
    one(&context, stage, args.round.round, Some(&args.signing))
}

fn one(
    context: &Context<'_>,
    stage: &Stage,
    round: Option<u32>,
    signing: Option<&cli::Signing>,
) -> Result<Answer> {
    let key = match signing {
        Some(signing) if is_signed(stage) => attest::key(context, signing)?,
        _ => None,
    };
    let _lock = FeatureLock::take(context, IfHeld::Refuse)?;
    context.end_leftovers()?;
    let round = if stage.each_round { which_round(context, stage, round)? } else { 0 };
    run::require_applies(context, stage, round)?;
    let mut outputs = run::one(context, stage, round)?;
    if let Some(key) = key {
        context.forget();
        attest::require_verified(context)?;
        outputs.push(attestation::sign(context, round, &key)?);
    }
    let verdict = match stage.action {
        Action::BuiltIn(_) if is_signed(stage) => Some(context.audit(round)?.verdict),
        _ => None,
    };
    let ending = if verdict == Some(Verdict::Fail) { Ending::No } else { Ending::Yes };
    let written: Vec<&str> = outputs.iter().map(|path| path.as_str()).collect();
    let data = json!({
        "feature": context.feature,
        "stage": stage.id,
        "round": if round == 0 { None } else { Some(round) },
        "verdict": verdict,
        "written": written,
    });
    Ok(Answer { ending, text: text(context, round, verdict, &written), data })
}

/// Whether a stage leaves a verdict that can be signed.
fn is_signed(stage: &Stage) -> bool {
    matches!(stage.action, Action::BuiltIn(BuiltIn::Audit | BuiltIn::Report))
}

fn text(context: &Context<'_>, round: u32, verdict: Option<Verdict>, written: &[&str]) -> String {
    let (lang, feature) = (context.lang(), &context.feature);
    let said = match verdict {
        Some(Verdict::Pass) => {
            say!(lang, "{feature}: round {round} passes\n", "{feature}：第 {round} 轮通过\n")
        }
        Some(Verdict::Fail) => {
            say!(lang, "{feature}: round {round} fails\n", "{feature}：第 {round} 轮不通过\n")
        }
        None => String::new(),
    };
    format!("{said}{}", written.join("\n"))
}

/// The round that was named, or the one that the stage would work on next.
fn which_round(context: &Context<'_>, stage: &Stage, named: Option<u32>) -> Result<u32> {
    let first = rounds::first(context)?;
    let last = rounds::of_pack(context)?.last().copied();
    // A brief is for work to come: after an audited round that is the next one.
    let is_over = last.is_some_and(|last| context.at(context.paths.audit(last, "json")).is_file());
    let next = match last {
        None => first,
        Some(last) if is_over => last.saturating_add(1),
        Some(last) => last,
    };
    if let Some(round) = named {
        return if round <= next { Ok(round) } else { Err(not_begun(context, round)) };
    }
    let for_work = matches!(stage.action, Action::BuiltIn(BuiltIn::Brief | BuiltIn::Dispatch));
    match convergence::last_verdict(context)? {
        Some((round, Verdict::Pass)) if for_work && is_over => Err(accepted(context, round)),
        _ if for_work => Ok(next),
        _ => Ok(last.unwrap_or(first)),
    }
}

fn not_begun(context: &Context<'_>, round: u32) -> Failure {
    let lang = context.lang();
    let message = say!(lang, "round {round} was not begun", "第 {round} 轮尚未开始");
    Failure::coded(Ending::InvalidInput, Code::ArtifactMissing, message, Code::ArtifactMissing.help(lang))
}

/// Another round after one that was accepted would be paid for nothing; who wants it names it.
fn accepted(context: &Context<'_>, round: u32) -> Failure {
    let lang = context.lang();
    let next = round + 1;
    let message = say!(lang, "round {round} was accepted", "第 {round} 轮已验收");
    let help = say!(
        lang,
        "if there has to be another, name it: --round {next}",
        "若确需再做一轮，请写明：--round {next}"
    );
    Failure::coded(Ending::InvalidInput, Code::RoundOver, message, help)
}

/// An empty checks file for what only people can judge.
pub fn form(context: &Context<'_>) -> Result<Answer> {
    let form = stages::skeleton(&context.lock()?.pack, context.lang());
    Ok(Answer::yes(form.clone(), json!({ "feature": context.feature, "form": form })))
}
