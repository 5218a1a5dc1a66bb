//! How fast values are judged: a thousand, ten thousand and a hundred thousand of them. It must stay linear.
//!
//! `cargo bench -p gate`

use divan::Bencher;
use divan::counter::ItemsCount;
use gate::assertion::{Judge, judge};
use gate::audit::Scale;
use gate::check::Actual;
use gate::pack::{Assertion, Expected, Matcher, Scalar};

const COUNTS: [usize; 3] = [1_000, 10_000, 100_000];

fn main() {
    divan::main();
}

fn assertion(matcher: Matcher, expected: Scalar, unit: Option<&str>) -> Assertion {
    Assertion {
        matcher,
        expected: Some(Expected::One(expected)),
        unit: unit.map(str::to_owned),
        source: None,
        not: false,
        aggregate: None,
        min_samples: None,
        tolerance: None,
        proposed: false,
    }
}

fn at_most() -> Assertion {
    assertion(Matcher::Lte, Scalar::Number("800".into()), Some("ms"))
}

fn one(text: String) -> Actual {
    Actual::One(Scalar::Text(text))
}

/// What auditors and probes write.
fn typical(count: usize) -> Vec<Actual> {
    (0..count)
        .map(|i| match i % 4 {
            0 => one(format!("{}ms", 600 + i % 400)),
            1 => one(format!("0.{}s", 600 + i % 400)),
            2 => Actual::One(Scalar::Number((600 + i % 400).to_string())),
            _ => one(format!("{}.25 ms", 600 + i % 400)),
        })
        .collect()
}

/// What costs more: prose, Chinese, series, later numbers.
fn prose(count: usize) -> Vec<Actual> {
    (0..count)
        .map(|i| match i % 4 {
            0 => one(format!("about {} ms on the second run", 600 + i % 400)),
            1 => one(format!("{}毫秒（上限 800 毫秒）", 600 + i % 400)),
            2 => one(format!("{}/720/760ms", 600 + i % 400)),
            _ => one(format!("不超过{}毫秒", 600 + i % 400)),
        })
        .collect()
}

fn passes(assertion: &Assertion, actuals: &[Actual]) -> usize {
    let scale = Scale::default();
    actuals.iter().filter(|actual| judge(assertion, Some(actual), &scale).refused().is_none()).count()
}

#[divan::bench(args = COUNTS, sample_count = 9)]
fn one_assertion_each(bencher: Bencher, count: usize) {
    let (assertion, actuals) = (at_most(), typical(count));
    bencher.counter(ItemsCount::new(count)).bench_local(|| passes(&assertion, &actuals));
}

#[divan::bench(args = COUNTS, sample_count = 9)]
fn one_assertion_for_all(bencher: Bencher, count: usize) {
    let (assertion, actuals, scale) = (at_most(), typical(count), Scale::default());
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        let judge = Judge::new(&assertion, &scale);
        actuals.iter().filter(|actual| judge.judge(Some(actual)).refused().is_none()).count()
    });
}

#[divan::bench(args = COUNTS, sample_count = 9)]
fn prose_and_chinese(bencher: Bencher, count: usize) {
    let (assertion, actuals) = (at_most(), prose(count));
    bencher.counter(ItemsCount::new(count)).bench_local(|| passes(&assertion, &actuals));
}

#[divan::bench(args = COUNTS, sample_count = 9)]
fn one_long_series(bencher: Bencher, count: usize) {
    let members = (0..count).map(|i| Some(Scalar::Text(format!("{}.5ms", 600 + i % 400)))).collect();
    let (assertion, actual) = (at_most(), [Actual::Many(members)]);
    bencher.counter(ItemsCount::new(count)).bench_local(|| passes(&assertion, &actual));
}

#[divan::bench(args = COUNTS, sample_count = 9)]
fn text(bencher: Bencher, count: usize) {
    let assertion = assertion(Matcher::Contains, Scalar::Text("登录".into()), None);
    let actuals: Vec<Actual> = (0..count).map(|i| one(format!("请先登录账号 {i}"))).collect();
    bencher.counter(ItemsCount::new(count)).bench_local(|| passes(&assertion, &actuals));
}
