//! Puts the gate's questions to the assertion.

use super::value::{Deciding, Judged};
use super::{AssertionVerdict, Inputs};
use crate::assertion::{Agreement, Judge};
use crate::check::Actual;
use crate::say;

/// What the assertion says of the value that decides, and, if it is to be told, how. What is not there and what
/// cannot be read are never asked of it.
pub(super) fn ask(judge: &Judge<'_>, deciding: &Deciding<'_>, tell: bool, inputs: &Inputs<'_>) -> Judged {
    let lang = inputs.lang;
    let untold = |verdict, reason: &String, step: String| Judged {
        verdict,
        reason: Some(reason.clone()),
        steps: if tell { vec![step] } else { Vec::new() },
    };
    match deciding {
        Deciding::Unreadable(reason) => {
            let step = say!(lang, "the evidence cannot be read: {reason}", "证据无法读取：{reason}");
            untold(AssertionVerdict::Invalid, reason, step)
        }
        Deciding::Absent(reason) => {
            let step = say!(lang, "there is no value: {reason}", "没有实测值：{reason}");
            untold(AssertionVerdict::Missing, reason, step)
        }
        Deciding::Value(actual) => {
            let judgement = judge.judge(Some(actual));
            Judged {
                verdict: judgement.verdict,
                reason: judgement.refusal(lang),
                steps: if tell { judgement.steps(lang) } else { Vec::new() },
            }
        }
    }
}

/// Whether an auditor's value is not the probe's, exactly and after conversion. A value that cannot be read is not
/// known to be the same.
pub(super) fn differs(judge: &Judge<'_>, claimed: &Actual, measured: &Actual) -> bool {
    judge.agreement(claimed, measured) != Agreement::Same
}
