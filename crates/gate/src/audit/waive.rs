//! Lays waivers over honest fails.
//!
//! A fail is honest if no error was reported about its criterion: whoever wrote it said what is so. A waiver covers
//! nothing else, and suppresses no error.

use std::collections::BTreeMap;

use time::OffsetDateTime;

use super::Inputs;
use super::rule::Docket;
use crate::check::Waiver;
use crate::code::Code;
use crate::decode::instant;
use crate::problem::Problem;
use crate::say;

/// The waivers by criterion, at the instant of the audit.
pub(super) struct Waivers<'a> {
    by_criterion: BTreeMap<&'a str, &'a Waiver>,
    /// Absent if the instant cannot be read: then every waiver has ended.
    now: Option<OffsetDateTime>,
}

impl<'a> Waivers<'a> {
    pub fn new(inputs: &Inputs<'a>) -> Self {
        let by_criterion =
            inputs.waivers.iter().map(|waiver| (waiver.criterion_id.as_str(), waiver)).collect();
        Waivers { by_criterion, now: instant(inputs.instant) }
    }

    /// The waiver that covers the criterion, if it covers it; what is wrong with it otherwise is reported.
    pub fn lay(&self, docket: &mut Docket<'_, 'a>, is_honest_fail: bool) -> Option<&'a Waiver> {
        let waiver = *self.by_criterion.get(docket.criterion.id.as_str())?;
        let has_ended = self.has_ended(waiver);
        if has_ended {
            docket.problems.push(expired(waiver, docket.inputs));
        }
        if !is_honest_fail {
            docket.problems.push(unused(waiver, docket.inputs));
        }
        (is_honest_fail && !has_ended).then_some(waiver)
    }

    /// What is wrong with the waivers that name no criterion of the pack.
    pub fn of_no_criterion(&self, inputs: &Inputs<'a>) -> Vec<Problem> {
        if self.by_criterion.is_empty() {
            return Vec::new();
        }
        let mut idle = self.by_criterion.clone();
        for criterion in &inputs.pack.criteria {
            idle.remove(criterion.id.as_str());
        }
        let mut problems = Vec::new();
        for waiver in inputs.waivers.iter().filter(|waiver| idle.contains_key(waiver.criterion_id.as_str())) {
            if self.has_ended(waiver) {
                problems.push(expired(waiver, inputs));
            }
            problems.push(unknown(waiver, inputs));
        }
        problems
    }

    fn has_ended(&self, waiver: &Waiver) -> bool {
        match (instant(&waiver.expires), self.now) {
            (Some(expires), Some(now)) => expires <= now,
            _ => true,
        }
    }
}

fn expired(waiver: &Waiver, inputs: &Inputs<'_>) -> Problem {
    let (id, owner, expires, now) = (&waiver.criterion_id, &waiver.owner, &waiver.expires, inputs.instant);
    let message = say!(
        inputs.lang,
        "{owner}'s waiver of `{id}` ended at {expires}; the audit's instant is {now}",
        "{owner} 对 `{id}` 的豁免已于 {expires} 到期；审计时刻为 {now}"
    );
    of_waiver(Code::WaiverExpired, message, waiver, inputs)
}

fn unused(waiver: &Waiver, inputs: &Inputs<'_>) -> Problem {
    let (id, owner) = (&waiver.criterion_id, &waiver.owner);
    let message = say!(
        inputs.lang,
        "{owner}'s waiver of `{id}` covers nothing: the criterion is not an honest fail",
        "{owner} 对 `{id}` 的豁免没有对象：该标准不是如实报告的不通过"
    );
    of_waiver(Code::WaiverUnused, message, waiver, inputs)
}

fn unknown(waiver: &Waiver, inputs: &Inputs<'_>) -> Problem {
    let (id, owner) = (&waiver.criterion_id, &waiver.owner);
    let message = say!(
        inputs.lang,
        "{owner}'s waiver names `{id}`, which the pack does not hold",
        "{owner} 的豁免所指的 `{id}` 不在验收包中"
    );
    of_waiver(Code::WaiverUnused, message, waiver, inputs)
}

fn of_waiver(code: Code, message: String, waiver: &Waiver, inputs: &Inputs<'_>) -> Problem {
    let mut problem = Problem::new(code, message, code.help(inputs.lang))
        .about(&waiver.criterion_id)
        .in_file(inputs.waivers_file);
    problem.at = waiver.at;
    problem
}
