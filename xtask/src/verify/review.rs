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
    let made = stages::review(context, &subject.lock);
    let text = reports::review(context.renderer()?, &stages::recorded_review(context)?)?;
    let found = [compare::json(subject, &json, &made)?, compare::markdown(subject, &markdown, &text)?];
    Ok(found.into_iter().flatten().collect())
}
