//! Signed audits: what is stated of each, and by whom.

use gate::problem::Problem;
use gate::say;

use super::subject::Subject;
use crate::attestation::{self, Parts};
use crate::failure::Result;

/// Who signed what: a consistent rewrite needs their keys as well.
pub fn notes(subject: &Subject<'_, '_>) -> Result<Vec<String>> {
    let (context, policy) = (subject.context, &subject.context.pipeline.attestation);
    let mut notes = Vec::new();
    for number in subject.rounds.iter().map(|round| round.number) {
        let envelope = context.files.read(&context.paths.attestation(number))?.unwrap_or_default();
        let signers = attestation::signers(policy, &envelope).join(", ");
        if !signers.is_empty() {
            let note = say!(
                context.lang(),
                "round {number} is signed by {signers}",
                "第 {number} 轮由 {signers} 签名"
            );
            notes.push(note);
        }
    }
    Ok(notes)
}

/// See the module.
pub fn check(subject: &Subject<'_, '_>) -> Result<Vec<Problem>> {
    let (context, paths) = (subject.context, &subject.context.paths);
    let ledger = context.files.read(&paths.ledger())?.unwrap_or_default();
    let mut problems = Vec::new();
    for round in subject.rounds.iter().map(|round| round.number) {
        let audit = context.files.read(&paths.audit(round, "json"))?;
        let dispatch = context.files.read(&paths.in_round(round, "dispatch.json"))?;
        let (Some(audit), Some(dispatch)) = (audit, dispatch) else { continue };
        let envelope = context.files.read(&paths.attestation(round))?;
        let parts =
            Parts { audit: &audit, dispatch: &dispatch, ledger: &ledger, envelope: envelope.as_deref() };
        let policy = &context.pipeline.attestation;
        problems.extend(attestation::check(policy, &context.feature, round, &parts, context.lang()));
    }
    Ok(problems)
}
