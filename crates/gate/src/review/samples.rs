//! Statistics over too few samples, and performance that one lucky sample decides.

use crate::code::Code;
use crate::lang::Lang;
use crate::measure::{Quantity, Unit};
use crate::pack::{Aggregate, Assertion, Criterion, Dimension, Weight};
use crate::problem::Problem;
use crate::say;

/// W_SAMPLES_FEW, if it applies.
pub(super) fn few_samples(criterion: &Criterion, assertion: &Assertion, lang: Lang) -> Option<Problem> {
    let asked = assertion.min_samples.unwrap_or(1);
    let least = assertion.aggregate.map_or(1, least);
    if asked < least
        && let Some(aggregate) = assertion.aggregate
    {
        let word = aggregate.word();
        let message = say!(
            lang,
            "`{word}` means something from {least} samples on, and the assertion asks for {asked}",
            "`{word}` 至少要 {least} 个样本才有意义，而断言只要求 {asked} 个"
        );
        let help = say!(lang, "set `minSamples: {least}` or more", "请把 `minSamples` 设为 {least} 或更多");
        return Some(Problem::new(Code::SamplesFew, message, help));
    }
    (asked <= 1 && is_noisy(criterion, assertion)).then(|| {
        let message = lang.pick(
            "a must on performance is decided by a single sample, which luck can give",
            "性能 must 只由一个样本决定，而单个样本可能只是运气好",
        );
        let help = lang.pick(
            "set `minSamples: 3` or more, and let the collector bring as many",
            "请把 `minSamples` 设为 3 或更多，并让采集器采集同样多的样本",
        );
        Problem::new(Code::SamplesFew, message, help)
    })
}

/// As many samples as no finding here asks for more.
pub(super) fn enough(assertion: &Assertion) -> u32 {
    assertion.aggregate.map_or(1, least).max(3)
}

/// The fewest samples over which an aggregate differs from its best or worst one.
fn least(aggregate: Aggregate) -> u32 {
    match aggregate {
        Aggregate::Mean | Aggregate::Median => 2,
        // With fewer, the nearest rank is the last sample, or the first.
        Aggregate::Percentile(rank) => 100_u32.div_ceil(u32::from(rank.min(100 - rank.min(99)).max(1))),
        _ => 1,
    }
}

/// Whether the value differs from run to run. A frame rate and a jank rate are already over many frames, and a count is
/// a count.
fn is_noisy(criterion: &Criterion, assertion: &Assertion) -> bool {
    let unit = assertion.unit.as_deref().and_then(|unit| Unit::declared(unit).ok());
    let varies = unit.is_some_and(|unit| {
        matches!(
            unit.quantity(),
            Quantity::Time | Quantity::Bytes | Quantity::Ratio | Quantity::Current | Quantity::Power
        )
    });
    let is_one = !matches!(assertion.aggregate, Some(Aggregate::Sum | Aggregate::Count));
    criterion.dimension == Dimension::Performance && criterion.weight == Weight::Must && varies && is_one
}
