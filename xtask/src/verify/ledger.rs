//! The ledger: whether its chain holds, and what it says of every file.

use gate::problem::Problem;

use super::subject::Subject;
use crate::failure::Result;
use crate::ledger::{self, chain};

/// See the module.
pub fn check(subject: &Subject<'_, '_>) -> Result<Vec<Problem>> {
    ledger::differences(subject.context)
}

/// Whether there is a ledger, and it is not that of another version.
pub fn is_readable(subject: &Subject<'_, '_>) -> Result<bool> {
    let bytes = subject.context.files.read(&subject.context.paths.ledger())?.unwrap_or_default();
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let first: Option<serde_json::Value> = serde_json::from_slice(first).ok();
    let format = first.and_then(|line| line.get("format")?.as_u64());
    Ok(!bytes.is_empty() && format.is_none_or(|format| format == u64::from(chain::FORMAT)))
}
