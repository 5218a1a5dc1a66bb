//! Aggregates that one sample satisfies.

use crate::code::Code;
use crate::lang::Lang;
use crate::pack::{Aggregate, Assertion};
use crate::problem::Problem;
use crate::say;

/// W_SAMPLES_FEW, if it applies: a percentile, mean or median of one sample is that sample.
pub(super) fn few_samples(assertion: &Assertion, lang: Lang) -> Option<Problem> {
    let aggregate = assertion.aggregate?;
    let is_statistic = matches!(aggregate, Aggregate::Mean | Aggregate::Median | Aggregate::Percentile(_));
    if !is_statistic || assertion.min_samples.is_some_and(|least| least > 1) {
        return None;
    }
    let word = aggregate.word();
    let message = say!(
        lang,
        "`{word}` of a single sample is that sample, and the assertion asks for no more",
        "单个样本的 `{word}` 就是它自己，而断言没有要求更多样本"
    );
    Some(Problem::new(Code::SamplesFew, message, Code::SamplesFew.help(lang)))
}
