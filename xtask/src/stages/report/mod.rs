//! Report: the acceptance report of a delivery that passed, or the rework order of one that did not; the page that tells of all
//! rounds so far; and reports for machines.

mod machine;
mod page;

use std::sync::Arc;

use camino::Utf8PathBuf;
use gate::audit::{Outcome, Verdict};
use gate::review::Finding;

pub use page::page;

use super::{Inputs, Stage, dispatch, review};
use crate::context::Context;
use crate::documents::{self, AUDIT_FORMAT, AuditFile, PathLine, Refreeze, RoundLine};
use crate::failure::Result;
use crate::reports;
use crate::rounds;
use crate::store;

/// See the module.
pub struct Report;

impl Stage for Report {
    fn inputs(&self, context: &Context<'_>, round: u32) -> Result<Inputs> {
        let mut inputs = Inputs::default();
        inputs.file(context, &context.paths.lock())?;
        inputs.value(context, "review:disputed", &review::disputed(context)?)?;
        for earlier in rounds::up_to(context, round)? {
            inputs.file(context, &context.paths.in_round(earlier, "dispatch.json"))?;
            inputs.file(context, &context.paths.audit(earlier, "json"))?;
        }
        inputs.template(context, reports::ACCEPTANCE)?;
        inputs.template(context, reports::REWORK)?;
        inputs.template(context, reports::CRITERION)?;
        page::inputs(context, &mut inputs)?;
        inputs.value(context, "pipeline:lang", &context.lang())?;
        // Where none is asked for, none is an input: asking for the first makes the stage out of date.
        if !context.pipeline.reports.is_empty() {
            inputs.value(context, "pipeline:reports", &context.pipeline.reports)?;
        }
        Ok(inputs)
    }

    fn run(&self, context: &Context<'_>, round: u32) -> Result<Vec<Utf8PathBuf>> {
        let report = make(context, round, context.lock()?.history, review::disputed(context)?)?;
        let accepted = report.audit.verdict == Verdict::Pass;
        if accepted {
            review::require_unblocked(context)?;
        }
        let paths = |extension: &str| match accepted {
            true => context.paths.acceptance(extension),
            false => context.paths.rework(round, extension),
        };
        let text = match accepted {
            true => reports::acceptance(context.renderer()?, &report)?,
            false => reports::rework(context.renderer()?, &report)?,
        };
        withdraw(context, round, accepted)?;
        store::write_json(&context.at(paths("json")), &report)?;
        store::write(&context.at(paths("md")), &text)?;
        let mut written = vec![paths("json"), paths("md")];
        written.extend(page::write(context, round)?);
        written.extend(machine::write(context, &report.audit)?);
        Ok(written)
    }
}

/// A round has one report: what an earlier verdict on the same round left behind goes.
fn withdraw(context: &Context<'_>, round: u32, accepted: bool) -> Result<()> {
    let acceptance: Option<documents::Report> =
        context.artifact_if_any(&context.paths.acceptance("json"), "report")?;
    let is_of_round = acceptance.is_some_and(|report| report.audit.round == round);
    for extension in ["json", "md"] {
        if accepted {
            store::remove_file(&context.at(context.paths.rework(round, extension)))?;
        } else if is_of_round {
            store::remove_file(&context.at(context.paths.acceptance(extension)))?;
        }
    }
    Ok(())
}

/// The report of a round, with the packs that were replaced before it, and what people disputed of the review.
pub fn make(
    context: &Context<'_>,
    round: u32,
    history: Vec<Refreeze>,
    disputed: Vec<Finding>,
) -> Result<documents::Report> {
    let mut lines = Vec::new();
    let mut audits: Vec<Arc<AuditFile>> = Vec::new();
    for earlier in rounds::up_to(context, round)? {
        let audit = context.audit(earlier)?;
        lines.push(round_line(dispatch::recorded(context, earlier)?, &audit));
        audits.push(audit);
    }
    let last = context.audit(round)?;
    Ok(documents::Report {
        format: AUDIT_FORMAT,
        rounds: lines,
        path: last.criteria.iter().map(|criterion| path_line(&criterion.id, &audits)).collect(),
        history,
        disputed,
        audit: last.as_ref().clone(),
    })
}

fn round_line(dispatch: documents::Dispatch, audit: &AuditFile) -> RoundLine {
    RoundLine {
        round: dispatch.round,
        executor: dispatch.executor,
        kind: dispatch.kind,
        replayed: dispatch.replayed,
        end: dispatch.end,
        base: dispatch.base,
        head: dispatch.head,
        verdict: audit.verdict,
        counts: audit.counts,
        protected_changed: dispatch.protected_changed,
        tests: dispatch.tests,
        agent: dispatch.agent.map(Into::into),
    }
}

fn path_line(id: &str, audits: &[Arc<AuditFile>]) -> PathLine {
    let outcome = |audit: &Arc<AuditFile>| {
        audit.criteria.iter().find(|criterion| criterion.id == id).map(|found| found.outcome)
    };
    let outcomes: Vec<Outcome> = audits.iter().filter_map(outcome).collect();
    let regressed = match outcomes.as_slice() {
        [.., before, last] => *before == Outcome::Pass && *last != Outcome::Pass,
        _ => false,
    };
    PathLine { id: id.to_owned(), outcomes, regressed }
}
