//! Brief: what the agent is asked to do, and, from the second round on, what failed and why.

use camino::Utf8PathBuf;
use gate::audit::Outcome;
use gate::lang::Lang;
use gate::pack::Criterion;
use gate::problem::Problem;

use super::{Inputs, Stage, freeze, review, title};
use crate::context::Context;
use crate::documents::{self, AuditFile, BriefFailure, FORMAT, Lock, Remark};
use crate::failure::Result;
use crate::reports::{self, words};
use crate::rounds;
use crate::store;

/// See the module.
pub struct Brief;

impl Stage for Brief {
    fn inputs(&self, context: &Context<'_>, round: u32) -> Result<Inputs> {
        let mut inputs = Inputs::default();
        inputs.file(context, &context.paths.lock())?;
        inputs.template(context, reports::BRIEF)?;
        inputs.value(context, "pipeline:lang", &context.lang())?;
        if let Some(before) = rounds::before(context, round)? {
            inputs.file(context, &context.paths.audit(before, "json"))?;
        }
        Ok(inputs)
    }

    fn run(&self, context: &Context<'_>, round: u32) -> Result<Vec<Utf8PathBuf>> {
        let lock = context.lock()?;
        freeze::require_undrifted(context, &lock)?;
        review::require_passed(context, &lock)?;
        let last = rounds::before(context, round)?.map(|before| context.audit(before)).transpose()?;
        let brief = make(context, round, lock, last.as_deref());
        let json = context.paths.in_round(round, "brief.json");
        let markdown = context.paths.in_round(round, "brief.md");
        let text = reports::brief(context.renderer()?, &brief)?;
        store::write_json(&context.at(&json), &brief)?;
        store::write(&context.at(&markdown), &text)?;
        Ok(vec![json, markdown])
    }
}

/// The brief of a round, after the audit of the one before under the same pack.
pub fn make(context: &Context<'_>, round: u32, lock: Lock, last: Option<&AuditFile>) -> documents::Brief {
    let held_out = lock.pack.criteria.iter().filter(|criterion| criterion.held_out).count();
    let criteria: Vec<Criterion> = lock.pack.criteria.iter().map(shown).collect();
    let failures = last.map(|audit| failures(audit, &criteria, context)).unwrap_or_default();
    documents::Brief {
        format: FORMAT,
        feature: context.feature.clone(),
        title: title(&lock.pack),
        lang: context.lang(),
        round,
        pack_sha256: lock.pack_sha256,
        problems: last.map(|audit| problems(audit, &lock.pack.criteria, context.lang())).unwrap_or_default(),
        goal: lock.pack.goal,
        requirements: lock.pack.requirements,
        criteria,
        held_out,
        failures,
    }
}

/// The gate's problems as the agent may read them: of a criterion that is held out only what the code means, since the
/// message names what is expected.
fn problems(audit: &AuditFile, criteria: &[Criterion], lang: Lang) -> Vec<Problem> {
    let is_held_out = |problem: &Problem| {
        criteria
            .iter()
            .any(|criterion| criterion.held_out && problem.criterion.as_ref() == Some(&criterion.id))
    };
    let told = |problem: Problem| match is_held_out(&problem) {
        true => Problem { message: problem.code.meaning(lang).to_owned(), ..problem },
        false => problem,
    };
    audit.problems.iter().cloned().map(told).collect()
}

/// The criterion as the agent may see it: what is held out stays with us.
pub fn shown(criterion: &Criterion) -> Criterion {
    let mut shown = criterion.clone();
    if shown.held_out {
        shown.assertion = None;
        shown.probe = None;
    }
    shown
}

fn failures(audit: &AuditFile, criteria: &[Criterion], context: &Context<'_>) -> Vec<BriefFailure> {
    let not_passed =
        audit.criteria.iter().filter(|result| !matches!(result.outcome, Outcome::Pass | Outcome::Waived));
    not_passed
        .filter_map(|result| {
            let criterion = criteria.iter().find(|criterion| criterion.id == result.id)?.clone();
            let observation = if criterion.held_out { None } else { result.observation.as_deref() };
            let rulings = audit.checks.iter().filter(|ruling| ruling.criterion_id == result.id);
            let reported = rulings.clone().find_map(|ruling| ruling.actual.as_ref()).map(words::actual);
            let reported = reported.filter(|_| !criterion.held_out);
            Some(BriefFailure {
                outcome: result.outcome,
                assertion_verdict: result.assertion_verdict,
                actual: observation.map(|seen| words::answer(&seen.answer, context.lang())).or(reported),
                found: observation.map(|seen| words::found(seen, context.lang())),
                // What auditors wrote of a criterion that is held out may name its number.
                remarks: rulings.filter(|_| !criterion.held_out).filter_map(remark).collect(),
                criterion,
            })
        })
        .collect()
}

fn remark(ruling: &gate::audit::Ruling) -> Option<Remark> {
    Some(Remark {
        auditor: ruling.auditor.clone()?,
        result: ruling.result?,
        evidence: ruling.evidence.clone().filter(|text| !text.trim().is_empty())?,
    })
}
