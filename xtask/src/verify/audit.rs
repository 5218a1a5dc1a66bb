//! The audit of every round: every probe is run again, the gate rules again, and what it says is rendered again.

use gate::problem::Problem;

use super::compare;
use super::subject::{Round, Subject};
use crate::failure::Result;
use crate::stages::{self, Answers, Basis};
use crate::{documents::AuditFile, reports};

/// See the module.
pub fn check(subject: &Subject<'_, '_>) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for round in &subject.rounds {
        let (found, refused) = super::findings(of(subject, round))?;
        problems.extend(found.unwrap_or_default().into_iter().chain(refused));
    }
    Ok(problems)
}

fn of(subject: &Subject<'_, '_>, round: &Round) -> Result<Vec<Problem>> {
    let (context, number) = (subject.context, round.number);
    let json = context.paths.audit(number, "json");
    let Some(lock) = subject.judged_by(round).filter(|_| subject.has(&json).unwrap_or(true)) else {
        return Ok(Vec::new());
    };
    let recorded = context.audit(number)?;
    let mut basis = if round.is_current { Basis::current(context)? } else { Basis::recorded(&recorded) };
    basis.answers = Answers::where_unavailable(context, number, &recorded)?;
    // What keeps the audit from being made again does not keep it from being rendered again.
    let (made, refused) = super::findings(stages::audit(context, number, lock, basis))?;
    let mut problems = refused;
    if let Some(made) = made {
        // Which of the files that it was made from is another one now, `inputs` tells.
        let made = AuditFile { inputs: recorded.inputs.clone(), ..made };
        problems.extend(compare::json(subject, &json, &made)?);
    }
    let markdown = context.paths.audit(number, "md");
    problems.extend(compare::rendered(subject, &markdown, |renderer| reports::audit(renderer, &recorded))?);
    Ok(problems)
}
