//! Where a delivery is going: what another round may mend, what none can, and whether anything changes from one round to
//! the next.

use gate::audit::Verdict;
use gate::code::Code;

use crate::context::Context;
use crate::documents::AuditFile;
use crate::failure::Result;
use crate::rounds;

/// Whether another round may mend what became of a criterion.
pub fn is_for_an_agent(outcome: gate::audit::Outcome) -> bool {
    matches!(outcome, gate::audit::Outcome::Fail | gate::audit::Outcome::Invalid)
}

/// Evidence that is not what was recorded.
pub fn is_tampering(code: Code) -> bool {
    matches!(code, Code::EvidenceChanged | Code::EvidenceMissing | Code::EvidenceStale)
}

/// Evidence that shows nothing, or something else: it has to be gathered again.
pub fn is_unsound_evidence(code: Code) -> bool {
    matches!(
        code,
        Code::EvidenceBlank
            | Code::EvidenceUndecodable
            | Code::EvidenceFlat
            | Code::EvidenceSize
            | Code::EvidenceTwin
            | Code::EvidenceRepeated
    )
}

/// What failed, and how: equal in two rounds running, another one would not help.
pub fn fingerprints(audit: &AuditFile) -> Vec<String> {
    let failed = audit.criteria.iter().filter(|criterion| {
        !matches!(criterion.outcome, gate::audit::Outcome::Pass | gate::audit::Outcome::Waived)
    });
    let outcomes = failed.map(|criterion| {
        let seen = criterion.observation.as_ref().map(|seen| &seen.answer);
        format!("{} {:?} {seen:?}", criterion.id, criterion.outcome)
    });
    let codes =
        audit.problems.iter().map(|problem| format!("{} {:?}", problem.code.name(), problem.criterion));
    let mut all: Vec<String> = outcomes.chain(codes).collect();
    all.sort();
    all
}

/// The round by which a delivery stands, and its verdict: the first that passed, otherwise the latest that was judged.
pub fn last_verdict(context: &Context<'_>) -> Result<Option<(u32, Verdict)>> {
    let mut last = None;
    for round in rounds::of_pack(context)? {
        last = context.verdict(round)?.map(|verdict| (round, verdict)).or(last);
        if let Some((_, Verdict::Pass)) = last {
            break;
        }
    }
    Ok(last)
}
