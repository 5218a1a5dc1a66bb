//! What every audit was made from: the records of its round, and what people wrote, by their digests.

use std::collections::{BTreeMap, BTreeSet};

use gate::code::Code;
use gate::problem::Problem;
use gate::say;

use super::subject::{Round, Subject};
use crate::documents::AuditFile;
use crate::failure::Result;
use crate::stages;

/// See the module.
pub fn check(subject: &Subject<'_, '_>) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for round in &subject.rounds {
        if let Some(audit) = &round.audit {
            problems.extend(of(subject, round, audit)?);
        }
    }
    Ok(problems)
}

fn of(subject: &Subject<'_, '_>, round: &Round, audit: &AuditFile) -> Result<Vec<Problem>> {
    let context = subject.context;
    let mut now = stages::read_for_audit(context, round.number)?;
    let mut then = audit.inputs.clone();
    if !round.is_current {
        // Waivers go on changing after a pack was replaced; what was judged by then is in the audit itself.
        let waivers = context.paths.waivers();
        now.remove(waivers.as_str());
        then.remove(waivers.as_str());
    }
    let all: BTreeSet<&String> = now.keys().chain(then.keys()).collect();
    let differ = all.into_iter().filter(|name| now.get(*name) != then.get(*name));
    Ok(differ.map(|name| changed(subject, round.number, name, &then, &now)).collect())
}

fn changed(
    subject: &Subject<'_, '_>,
    round: u32,
    name: &str,
    then: &BTreeMap<String, String>,
    now: &BTreeMap<String, String>,
) -> Problem {
    let lang = subject.context.lang();
    let path = match name.starts_with("round-") {
        true => subject.context.paths.delivery().join(name),
        false => name.into(),
    };
    let message = match (then.get(name), now.get(name)) {
        (None, _) => say!(
            lang,
            "{path} was not there when round {round} was audited",
            "审计第 {round} 轮时还没有 {path}"
        ),
        (_, None) => say!(
            lang,
            "{path}, from which round {round} was audited, is gone",
            "第 {round} 轮审计所依据的 {path} 已丢失"
        ),
        _ => say!(
            lang,
            "{path} is not what round {round} was audited from",
            "{path} 与第 {round} 轮审计时不一致"
        ),
    };
    subject.finding(Code::InputChanged, &path, message)
}
