//! The reports for machines, rendered again from the audits of their rounds. Which of them there are decides nothing.

use gate::problem::Problem;

use super::compare;
use super::subject::Subject;
use crate::failure::Result;
use crate::reports::machine::Format;

/// See the module.
pub fn check(subject: &Subject<'_, '_>) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for round in &subject.rounds {
        let (Some(audit), Some(lock)) = (&round.audit, subject.lock_of(round)) else { continue };
        for format in Format::ALL {
            let path = subject.context.paths.audit(round.number, format.extension());
            if subject.has(&path)? {
                problems.extend(compare::rendered(subject, &path, |_| format.render(audit, &lock))?);
            }
        }
    }
    Ok(problems)
}
