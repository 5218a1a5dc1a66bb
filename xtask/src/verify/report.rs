//! The acceptance report, the rework orders and the page, made again from the records and audits of the rounds, and rendered
//! again.

use camino::Utf8PathBuf;
use gate::audit::Verdict;
use gate::problem::Problem;

use super::compare;
use super::subject::{Round, Subject};
use crate::documents::{Refreeze, Report};
use crate::failure::Result;
use crate::render::Renderer;
use crate::{reports, stages};

/// See the module.
pub fn check(subject: &Subject<'_, '_>) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for round in &subject.rounds {
        for verdict in [Verdict::Pass, Verdict::Fail] {
            let (found, refused) = super::findings(of(subject, round, verdict))?;
            problems.extend(found.unwrap_or_default().into_iter().chain(refused));
        }
    }
    problems.extend(page(subject)?);
    Ok(problems)
}

/// The page of all rounds. Whether it may be there is for [`super::extra`] to tell.
fn page(subject: &Subject<'_, '_>) -> Result<Vec<Problem>> {
    if !subject.is_reported()? {
        return Ok(Vec::new());
    }
    let (made, mut problems) = super::findings(stages::report_page(subject.context))?;
    if let Some(Some(made)) = made {
        problems.extend(compare::page(subject, &subject.context.paths.page(), &made)?);
    }
    Ok(problems)
}

/// One report, if it is of this round and there. Whether it may be there is for [`super::extra`] to tell.
fn of(subject: &Subject<'_, '_>, round: &Round, verdict: Verdict) -> Result<Vec<Problem>> {
    let (context, number) = (subject.context, round.number);
    let path = |extension: &str| -> Utf8PathBuf {
        match verdict {
            Verdict::Pass => context.paths.acceptance(extension),
            Verdict::Fail => context.paths.rework(number, extension),
        }
    };
    let render: fn(&Renderer, &Report) -> Result<Vec<u8>> = match verdict {
        Verdict::Pass => reports::acceptance,
        Verdict::Fail => reports::rework,
    };
    let recorded: Option<Report> = context.artifact_if_any(&path("json"), "report")?;
    // The acceptance report is of the round that it tells of.
    let is_of_round = |report: &Report| verdict == Verdict::Fail || report.audit.round == number;
    let Some(recorded) = recorded.filter(is_of_round) else { return Ok(Vec::new()) };
    // The review of an earlier pack went with it.
    let disputed = if round.is_current { stages::disputed(context)? } else { recorded.disputed.clone() };
    let made = stages::report(context, number, history(subject, round, &recorded), disputed)?;
    let mut problems = compare::json(subject, &path("json"), &made)?;
    problems.extend(compare::rendered(subject, &path("md"), |renderer| render(renderer, &recorded))?);
    Ok(problems)
}

/// The replacements of the pack before a round. Of a pack that was replaced in its turn they are those that the report
/// tells of, if it was that pack that the next of them replaced.
fn history(subject: &Subject<'_, '_>, round: &Round, recorded: &Report) -> Vec<Refreeze> {
    let all = &subject.lock.history;
    if round.is_current {
        return all.clone();
    }
    let pack = round.dispatch.as_ref().map(|dispatch| &dispatch.pack_sha256);
    let told = recorded.history.len();
    let is_next = all.get(told).is_some_and(|next| Some(&next.from) == pack);
    let count =
        if is_next { told } else { all.iter().position(|next| Some(&next.from) == pack).unwrap_or(0) };
    all.iter().take(count).cloned().collect()
}
