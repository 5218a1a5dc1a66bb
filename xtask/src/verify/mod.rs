//! Verifying: everything that is on record of a delivery is made again from what it was made of, and compared. Nothing is
//! written, nothing that was remembered is asked, and `state.json` is looked at last and believed in nothing.
//!
//! Each file is one check. A check answers all that it finds; what it needs and cannot have is a finding, too.

mod attestation;
mod audit;
mod brief;
mod commits;
mod compare;
mod evidence;
mod extra;
mod format;
mod inputs;
mod ledger;
mod machine;
mod pack;
mod report;
mod review;
mod rounds;
mod state;
mod subject;

#[cfg(test)]
mod fuzz;

use gate::audit::Verdict;
use gate::code::Code;
use gate::problem::Problem;

use crate::context::Context;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use subject::Subject;

pub use commits::Repositories;

/// What came of verifying one delivery.
#[derive(Debug)]
pub struct Verified {
    /// Everything that is not as it has to be, check by check.
    pub problems: Vec<Problem>,
    /// What could not be looked at and need not be, and who signed.
    pub notes: Vec<String>,
    /// The digest of the frozen pack, made again.
    pub pack_sha256: Option<String>,
    /// What the last round of the frozen pack came to, as it is on record.
    pub verdict: Option<Verdict>,
    /// How many rounds there are.
    pub rounds: usize,
    /// How many rulings were made again.
    pub rulings: usize,
    /// How many files are in the delivery's folder.
    pub files: usize,
}

/// A check of a delivery.
type Check = fn(&Subject<'_, '_>) -> Result<Vec<Problem>>;

/// All checks, in the order in which their findings are told.
const CHECKS: [Check; 14] = [
    pack::check,
    review::check,
    rounds::check,
    evidence::check,
    inputs::check,
    audit::check,
    brief::check,
    report::check,
    machine::check,
    extra::check,
    ledger::check,
    attestation::check,
    commits::check,
    state::check,
];

/// Verifies the delivery of a feature. `expected` is the digest that the frozen pack has to have; `repositories` say what
/// they know of its commits.
pub fn verify(
    context: &Context<'_>,
    expected: Option<&str>,
    repositories: &Repositories,
) -> Result<Verified> {
    let subject = match findings(Subject::of(context, expected, repositories))? {
        (Some(subject), _) => subject,
        // Without a lock there is nothing to hold anything against.
        (None, problems) => return Ok(Verified::of(problems)),
    };
    let unreadable = format::check(&subject)?;
    if !unreadable.is_empty() {
        let mut problems = unreadable;
        // What another version wrote, the ledger still tells of by its bytes.
        if problems.iter().all(|problem| problem.code == Code::FormatOther) && ledger::is_readable(&subject)?
        {
            problems.extend(ledger::check(&subject)?);
        }
        return Ok(Verified { rounds: subject.rounds.len(), ..Verified::of(problems) });
    }
    let mut problems = Vec::new();
    for check in CHECKS {
        let (found, refused) = findings(check(&subject))?;
        problems.extend(found.unwrap_or_default().into_iter().chain(refused));
    }
    Ok(Verified {
        problems: each_once(problems),
        notes: [commits::notes(&subject), attestation::notes(&subject)?].concat(),
        pack_sha256: gate::audit::pack_digest(&subject.lock.pack).ok(),
        verdict: subject.verdict(),
        rounds: subject.rounds.len(),
        rulings: subject.audits().map(|audit| audit.checks.len()).sum(),
        files: context.files.below(&context.paths.delivery())?.len(),
    })
}

impl Verified {
    fn of(problems: Vec<Problem>) -> Self {
        Verified {
            problems,
            notes: Vec::new(),
            pack_sha256: None,
            verdict: None,
            rounds: 0,
            rulings: 0,
            files: 0,
        }
    }

    /// How it ends: what was tampered with comes before what is not at hand.
    pub fn ending(&self) -> Ending {
        Ending::worst(self.problems.iter().map(|problem| ending_of(problem.code)))
    }
}

/// Whether a finding says that something is not what it was, or that it cannot be told.
pub fn ending_of(code: Code) -> Ending {
    match code {
        Code::EvidenceUnavailable
        | Code::CommitUnavailable
        | Code::PackUnavailable
        | Code::FormatOther
        | Code::Git
        | Code::LineEndings
        | Code::SurroundingsChanged
        | Code::NotFrozen
        | Code::Template => Ending::Unavailable,
        // Shown, and no fault of the delivery.
        Code::LedgerBeginsLate | Code::AttestationUnchecked => Ending::Yes,
        _ => Ending::Tampered,
    }
}

/// What was found, and what kept it from being found: the latter is a finding as well.
fn findings<T>(found: Result<T>) -> Result<(Option<T>, Vec<Problem>)> {
    match found {
        Ok(found) => Ok((Some(found), Vec::new())),
        Err(Failure::Problems { problems, .. }) => Ok((None, problems)),
        Err(other) => Err(other),
    }
}

/// Several checks may stumble over one file.
fn each_once(problems: Vec<Problem>) -> Vec<Problem> {
    let mut kept: Vec<Problem> = Vec::with_capacity(problems.len());
    for problem in problems {
        if !kept.contains(&problem) {
            kept.push(problem);
        }
    }
    kept
}
