//! Rounds follow each other: their numbers, the packs under which they were dispatched, and the commits that each began
//! from and delivered. Every record says of which feature and round it is.

use std::collections::BTreeSet;

use camino::Utf8Path;
use gate::code::Code;
use gate::problem::Problem;
use gate::say;

use super::subject::{Round, Subject};
use crate::documents::Evidence;
use crate::failure::Result;

/// See the module.
pub fn check(subject: &Subject<'_, '_>) -> Result<Vec<Problem>> {
    let mut problems: Vec<Problem> = numbers(subject).into_iter().collect();
    problems.extend(packs(subject));
    problems.extend(unjudged(subject));
    let mut head: Option<&str> = None;
    for round in &subject.rounds {
        let Some(dispatch) = &round.dispatch else { continue };
        let path = subject.context.paths.in_round(round.number, "dispatch.json");
        problems.extend(belongs(subject, round, &path, &dispatch.feature, dispatch.round, None));
        if let Some(head) = head.filter(|head| *head != dispatch.base) {
            let message = say!(
                subject.context.lang(),
                "round {} began from {}, and the round before delivered {head}",
                "第 {} 轮从 {} 开始，而上一轮交付的是 {head}",
                round.number,
                dispatch.base
            );
            problems.push(subject.finding(Code::RoundsBroken, &path, message));
        }
        head = Some(&dispatch.head);
        problems.extend(records(subject, round)?);
    }
    Ok(problems)
}

fn numbers(subject: &Subject<'_, '_>) -> Option<Problem> {
    let found: Vec<u32> = subject.rounds.iter().map(|round| round.number).collect();
    let count = u32::try_from(found.len()).unwrap_or(u32::MAX);
    if found.iter().copied().eq(1..=count) {
        return None;
    }
    let found = found.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    let message = say!(
        subject.context.lang(),
        "rounds are numbered from 1 without a gap; there are {found}",
        "轮次应从 1 开始连续编号；实际有 {found}"
    );
    Some(subject.finding(Code::RoundsBroken, &subject.context.paths.delivery(), message))
}

/// The packs of the rounds are those that were frozen, in the order in which they were.
fn packs(subject: &Subject<'_, '_>) -> Vec<Problem> {
    let lock = &subject.lock;
    let frozen: Vec<&str> =
        lock.history.iter().map(|entry| entry.from.as_str()).chain([lock.pack_sha256.as_str()]).collect();
    let mut at = 0;
    let mut problems = Vec::new();
    for round in &subject.rounds {
        let Some(dispatch) = &round.dispatch else { continue };
        let rest = frozen.get(at..).unwrap_or_default();
        match rest.iter().position(|pack| *pack == dispatch.pack_sha256) {
            Some(further) => at += further,
            None => {
                let message = say!(
                    subject.context.lang(),
                    "round {} was dispatched under the pack {}, which was not frozen then",
                    "第 {} 轮派发所依据的验收包 {} 当时并未冻结",
                    round.number,
                    dispatch.pack_sha256
                );
                let path = subject.context.paths.in_round(round.number, "dispatch.json");
                problems.push(subject.finding(Code::RoundsBroken, &path, message));
            }
        }
    }
    problems
}

/// What keeps rounds under an earlier pack from being judged again.
fn unjudged(subject: &Subject<'_, '_>) -> Vec<Problem> {
    let (context, lang) = (subject.context, subject.context.lang());
    let mut problems = Vec::new();
    let mut told = BTreeSet::new();
    for round in subject.rounds.iter().filter(|round| !round.is_current) {
        let path = context.paths.audit(round.number, "json");
        let Some(dispatch) = &round.dispatch else { continue };
        if subject.lock_of(round).is_none() && told.insert(&dispatch.pack_sha256) {
            let message = say!(
                lang,
                "the pack {} of round {} is not kept, so that nothing of it can be judged again",
                "未保存第 {1} 轮的验收包 {0}，因此无法重新判定",
                dispatch.pack_sha256,
                round.number
            );
            problems.push(subject.finding(Code::PackUnavailable, &path, message));
        } else if round.audit.as_ref().is_some_and(|audit| audit.lang != lang) {
            let message = say!(
                lang,
                "{path} is in another language than the pipeline has now",
                "{path} 的语言与流水线当前的语言不同"
            );
            problems.push(subject.finding(Code::SurroundingsChanged, &path, message));
        }
    }
    problems
}

/// What else is recorded of a round that was dispatched.
fn records(subject: &Subject<'_, '_>, round: &Round) -> Result<Vec<Problem>> {
    let context = subject.context;
    let mut problems = Vec::new();
    let path = context.paths.in_round(round.number, "evidence.json");
    let evidence = super::findings(context.artifact_if_any::<Evidence>(&path, "evidence"))?.0.flatten();
    if let Some(evidence) = evidence {
        let told = Some((evidence.pack_sha256.as_str(), evidence.commit.as_str()));
        problems.extend(belongs(subject, round, &path, &evidence.feature, evidence.round, told));
    }
    if let Some(audit) = &round.audit {
        let told = Some((audit.pack_sha256.as_str(), audit.commit.as_str()));
        let path = context.paths.audit(round.number, "json");
        problems.extend(belongs(subject, round, &path, &audit.feature, audit.round, told));
    }
    Ok(problems)
}

/// Whether a record is of this feature and round, and, where it tells, of what was dispatched in it.
fn belongs(
    subject: &Subject<'_, '_>,
    round: &Round,
    path: &Utf8Path,
    feature: &str,
    number: u32,
    told: Option<(&str, &str)>,
) -> Option<Problem> {
    let lang = subject.context.lang();
    let dispatch = round.dispatch.as_ref();
    let message = if feature != subject.context.feature || number != round.number {
        say!(lang, "{path} is of {feature}, round {number}", "{path} 属于 {feature} 的第 {number} 轮")
    } else if told
        .zip(dispatch)
        .is_some_and(|((pack, commit), dispatch)| pack != dispatch.pack_sha256 || commit != dispatch.head)
    {
        say!(
            lang,
            "{path} is of another pack or commit than was dispatched in the round",
            "{path} 所属的验收包或提交与该轮派发的不同"
        )
    } else {
        return None;
    };
    Some(subject.finding(Code::RoundsBroken, path, message))
}
