//! `settle`: a person's word, by name and with a reason, where auditors differ. It is recorded, and the next audit reads it.

use gate::check::{CheckResult, Settlement};
use gate::code::Code;
use gate::say;
use serde_json::json;

use super::answer::Answer;
use crate::cli;
use crate::context::Context;
use crate::documents::{Evidence, FORMAT, Settlements};
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::ledger;
use crate::pipeline::lock::{FeatureLock, IfHeld};
use crate::rounds;
use crate::stages;
use crate::store;

pub fn run(context: &Context<'_>, args: &cli::Settle) -> Result<Answer> {
    let _lock = FeatureLock::take(context, IfHeld::Refuse)?;
    stages::require_unmeddled(context)?;
    let (lang, feature, id) = (context.lang(), &context.feature, &args.criterion);
    let lock = context.lock()?;
    let round = match args.round.round {
        Some(round) => round,
        None => rounds::of_pack(context)?.last().copied().unwrap_or(1),
    };
    require_open(context, round, id)?;
    for (option, text) in [("--by", &args.by), ("--reason", &args.reason)] {
        require_visible(context, option, text)?;
    }
    let path = context.paths.settlements(round);
    let evidence: Evidence =
        context.artifact(&context.paths.in_round(round, "evidence.json"), "evidence", Some(round))?;
    let evidence_sha256 = evidence.sha256()?;
    let recorded: Option<Settlements> = context.artifact_if_any(&path, "settle")?;
    let mut recorded = recorded
        .filter(|recorded| recorded.are_of(&lock.pack_sha256, &evidence_sha256))
        .unwrap_or(Settlements {
            format: FORMAT,
            pack_sha256: lock.pack_sha256,
            evidence_sha256: Some(evidence_sha256),
            settlements: Vec::new(),
        });
    let result = if args.result == "pass" { CheckResult::Pass } else { CheckResult::Fail };
    recorded.settlements.push(Settlement {
        criterion_id: id.clone(),
        result,
        by: args.by.trim().to_owned(),
        reason: args.reason.trim().to_owned(),
    });
    store::write_json(&context.at(&path), &recorded)?;
    // Where we die before this, the next audit adds the line.
    ledger::record_settlement(context, round)?;
    let text = say!(
        lang,
        "{path}\nrun cargo xtask deliver {feature} to go on",
        "{path}\n运行 cargo xtask deliver {feature} 继续"
    );
    Ok(Answer::yes(text, json!({ "feature": feature, "round": round, "criterion": id, "written": [path] })))
}

/// Only what auditors differ on can be settled: a verdict is not a matter of a person's wish.
fn require_open(context: &Context<'_>, round: u32, id: &str) -> Result<()> {
    let lang = context.lang();
    let audit = context.audit(round)?;
    let differs = |problem: &gate::problem::Problem| {
        problem.code == Code::AuditorsDisagree && problem.criterion.as_deref() == Some(id)
    };
    let settled = audit.criteria.iter().any(|result| result.id == id && result.settlement.is_some());
    if settled || audit.problems.iter().any(differs) {
        return Ok(());
    }
    let message = say!(
        lang,
        "there is nothing to settle: in round {round} auditors do not differ on {id}",
        "无可裁定：第 {round} 轮中审计者对 {id} 没有分歧"
    );
    Err(Failure::coded(
        Ending::InvalidInput,
        Code::NothingToSettle,
        message,
        Code::NothingToSettle.help(lang),
    ))
}

fn require_visible(context: &Context<'_>, option: &str, text: &str) -> Result<()> {
    if gate::decode::has_visible(text) {
        return Ok(());
    }
    let lang = context.lang();
    let message = say!(lang, "{option} says nothing", "{option} 没有内容");
    let help = say!(lang, "write who settles it, and why", "请写明由谁裁定以及理由");
    Err(Failure::coded(Ending::InvalidInput, Code::NothingToSettle, message, help))
}
