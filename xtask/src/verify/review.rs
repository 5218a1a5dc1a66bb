//! The review of the frozen pack, made again and rendered again.

use camino::Utf8Path;
use gate::code::Code;
use gate::problem::Problem;
use gate::say;

use super::compare;
use super::subject::Subject;
use crate::documents::Review;
use crate::failure::Result;
use crate::{reports, stages};

/// See the module. A delivery that stopped before its review has none.
pub fn check(subject: &Subject<'_, '_>) -> Result<Vec<Problem>> {
    let context = subject.context;
    let (json, markdown) = (context.paths.review("json"), context.paths.review("md"));
    if !subject.has(&json)? {
        return Ok(Vec::new());
    }
    let recorded = context.review()?;
    let made = stages::review(context, &subject.lock, &recorded)?;
    let mut problems = compare::json(subject, &json, &made)?;
    problems.extend(dispatched_despite(subject, &json, &made));
    problems.extend(unasked(subject, &made));
    for (path, asked) in stages::reviewers_asked(context, &subject.lock)? {
        problems.extend(compare::json(subject, &path, &asked)?);
    }
    problems.extend(compare::rendered(subject, &markdown, |renderer| reports::review(renderer, &recorded))?);
    Ok(problems)
}

/// Nobody is sent to work on a pack whose review blocks; nor does that work count once an answer was taken back.
fn dispatched_despite(subject: &Subject<'_, '_>, path: &Utf8Path, review: &Review) -> Option<Problem> {
    let round = last_dispatched(subject)?;
    let ids: Vec<&str> =
        review.findings.iter().filter(|finding| finding.blocks).map(|finding| finding.id.as_str()).collect();
    let ids = ids.join(", ");
    let message = say!(
        subject.context.lang(),
        "the review of the frozen pack blocks ({ids}), and yet there is a round {round}",
        "冻结验收包的预审阻断交付（{ids}），却已有第 {round} 轮"
    );
    review.blocked.then(|| subject.finding(Code::RoundsBroken, path, message))
}

/// Reviewers are asked as soon as nothing else blocks, and before anybody is sent to work.
fn unasked(subject: &Subject<'_, '_>, review: &Review) -> Vec<Problem> {
    let Some(round) = last_dispatched(subject).filter(|_| !review.blocked) else { return Vec::new() };
    let unasked = review.reviewers.iter().filter(|line| line.answer.is_none() && line.failure.is_none());
    let told = |name: &String| {
        let message = say!(
            subject.context.lang(),
            "reviewer {name} was not asked, though nothing else blocks and there is a round {round}",
            "没有其他阻断且已有第 {round} 轮，却未询问评审者 {name}"
        );
        let path = subject.context.paths.reviewer(&format!("{name}.answer.json"));
        subject.finding(Code::FileMissing, &path, message)
    };
    unasked.map(|line| told(&line.reviewer)).collect()
}

/// The last round that was dispatched under the frozen pack.
fn last_dispatched(subject: &Subject<'_, '_>) -> Option<u32> {
    let mut current = subject.rounds.iter().filter(|round| round.is_current && round.dispatch.is_some());
    Some(current.next_back()?.number)
}
