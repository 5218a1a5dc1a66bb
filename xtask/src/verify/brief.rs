//! The brief of every round, made again from the pack and the audit before, and rendered again.

use gate::problem::Problem;

use super::compare;
use super::subject::{Round, Subject};
use crate::documents::Brief;
use crate::failure::Result;
use crate::{reports, stages};

/// See the module.
pub fn check(subject: &Subject<'_, '_>) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for (index, round) in subject.rounds.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| subject.rounds.get(before));
        let (found, refused) = super::findings(of(subject, round, before))?;
        problems.extend(found.unwrap_or_default().into_iter().chain(refused));
    }
    Ok(problems)
}

fn of(subject: &Subject<'_, '_>, round: &Round, before: Option<&Round>) -> Result<Vec<Problem>> {
    let (context, number) = (subject.context, round.number);
    let json = context.paths.in_round(number, "brief.json");
    let Some(lock) = subject.judged_by(round).filter(|_| subject.has(&json).unwrap_or(true)) else {
        return Ok(Vec::new());
    };
    let recorded: Brief = context.artifact(&json, "brief", Some(number))?;
    let last = before.and_then(|before| before.audit.as_deref());
    let last = last.filter(|audit| audit.pack_sha256 == lock.pack_sha256);
    let made = stages::brief(context, number, lock, last);
    let markdown = context.paths.in_round(number, "brief.md");
    let mut problems = compare::json(subject, &json, &made)?;
    problems.extend(compare::rendered(subject, &markdown, |renderer| reports::brief(renderer, &recorded))?);
    Ok(problems)
}
