//! The value that decides: the probe's where there is a probe, else the auditor's.

use std::borrow::Cow;

use super::{AssertionVerdict, Inputs};
use crate::check::{Actual, Check};
use crate::observation::{Answer, Observation, Reading};
use crate::pack::{Criterion, Probe};
use crate::say;

/// A value, or why there is none.
#[derive(Clone, Debug)]
pub(super) enum Deciding<'a> {
    /// There is one; explicit null is one for `exists`.
    Value(Cow<'a, Actual>),
    /// There is none.
    Absent(String),
    /// What there is cannot be read.
    Unreadable(String),
}

impl<'a> Deciding<'a> {
    /// With a probe only its answer counts, even where it is missing and an auditor has a value.
    pub fn new(
        criterion: &Criterion,
        check: Option<&'a Check>,
        observation: Option<&'a Observation>,
        inputs: &Inputs<'_>,
    ) -> Self {
        let lang = inputs.lang;
        match (&criterion.probe, observation, check) {
            (Some(probe), Some(observation), _) => Self::observed(probe, observation, inputs),
            (Some(probe), None, _) => {
                let collector = &probe.evidence;
                Deciding::Absent(say!(
                    lang,
                    "the collector `{collector}` gave nothing to the probe",
                    "采集器 `{collector}` 没有给 probe 提供任何内容"
                ))
            }
            (None, _, Some(Check { actual: Some(Actual::Null), .. })) => {
                // An auditor's null may be a field that nobody filled in; only a probe knows that there is nothing.
                Deciding::Absent(say!(lang, "the check's `actual` is null", "检查的 `actual` 为 null"))
            }
            (None, _, Some(Check { actual: Some(actual), .. })) => Deciding::Value(Cow::Borrowed(actual)),
            (None, _, _) => Deciding::Absent(say!(lang, "the check has no `actual`", "检查没有写 `actual`")),
        }
    }

    fn observed(probe: &Probe, observation: &'a Observation, inputs: &Inputs<'_>) -> Self {
        if probe.reader != observation.reader || probe.with != observation.with {
            return Deciding::Unreadable(say!(
                inputs.lang,
                "the observation answers another question than the frozen probe asks",
                "该观测回答的不是冻结的 probe 所问的问题"
            ));
        }
        match &observation.answer {
            Answer::Values { values } => Deciding::Value(Cow::Owned(actual_of(values))),
            Answer::Nothing { .. } => Deciding::Value(Cow::Owned(Actual::Null)),
            Answer::Missing { reason } => Deciding::Absent(reason.clone()),
            Answer::Unreadable { reason } => Deciding::Unreadable(reason.clone()),
        }
    }
}

/// What a probe's readings are as a value: a single reading is a single value.
pub fn actual_of(values: &[Reading]) -> Actual {
    match values {
        [only] => Actual::One(only.actual.clone()),
        several => Actual::Many(several.iter().map(|reading| Some(reading.actual.clone())).collect()),
    }
}

/// What the assertion says of the value.
pub(super) struct Judged {
    pub verdict: AssertionVerdict,
    /// Why there is no judgement, where there is none.
    pub reason: Option<String>,
    /// How the value was read and compared, if that is to be told.
    pub steps: Vec<String>,
}
