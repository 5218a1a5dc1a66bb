//! The ledger: whether its chain holds, and what it says of every file.

use gate::problem::Problem;

use super::subject::Subject;
use crate::failure::Result;
use crate::ledger;

/// See the module.
pub fn check(subject: &Subject<'_, '_>) -> Result<Vec<Problem>> {
    ledger::differences(subject.context)
}
