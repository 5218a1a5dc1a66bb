//! The review of the frozen pack, made again and rendered again.

use gate::problem::Problem;

use super::compare;
use super::subject::Subject;
use crate::failure::Result;
use crate::{reports, stages};

/// See the module. A delivery that stopped before its review has none.
pub fn check(subject: &Subject<'_, '_>) -> Result<Vec<Problem>> {
    let context = subject.context;
    let delivery = context.paths.delivery();
    let (json, markdown) = (delivery.join("review.json"), delivery.join("review.md"));
    if !subject.has(&json)? {
        return Ok(Vec::new());
    }
    let recorded = stages::recorded_review(context)?;
    let mut problems = compare::json(subject, &json, &stages::review(context, &subject.lock, &recorded)?)?;
    for (path, asked) in stages::reviewers_asked(context, &subject.lock)? {
        problems.extend(compare::json(subject, &path, &asked)?);
    }
    problems.extend(compare::rendered(subject, &markdown, |renderer| reports::review(renderer, &recorded))?);
    Ok(problems)
}
