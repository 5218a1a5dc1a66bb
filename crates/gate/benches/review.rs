//! Reviewing packs of 100 to 10,000 criteria: a second for a thousand is the most that a check before every commit may take.
//!
//! `varied` is what people write: statements of their own, measured and judged. `alike` is the worst case for what compares
//! criteria with each other: all statements share their words and all probes their file.
//!
//! `cargo bench -p gate --bench review`

use std::collections::BTreeMap;

use divan::Bencher;
use divan::counter::ItemsCount;
use gate::audit::SourceKind;
use gate::lang::Lang;
use gate::pack::{
    Assertion, Criterion, Dimension, Expected, Matcher, Pack, Probe, Requirement, Scalar, Weight,
};
use gate::review::{Collector, Context, loopholes, review};

const SIZES: [usize; 3] = [100, 1_000, 10_000];

fn main() {
    divan::main();
}

#[divan::bench(args = SIZES, sample_count = 5)]
fn varied(bencher: Bencher<'_, '_>, criteria: usize) {
    measure(bencher, &pack(criteria, varied_statement));
}

#[divan::bench(args = SIZES, sample_count = 5)]
fn alike(bencher: Bencher<'_, '_>, criteria: usize) {
    measure(bencher, &pack(criteria, |place| format!("控件 {place} 的高度不小于 40vp，且在深色模式下可见")));
}

fn measure(bencher: Bencher<'_, '_>, pack: &Pack) {
    let sources = BTreeMap::from([("layout bounds".to_owned(), SourceKind::Independent)]);
    let collector = Collector { source: "layout bounds".to_owned(), is_copied: true, is_constant: false };
    let collectors = BTreeMap::from([("layout".to_owned(), collector)]);
    let (locations, places) = (BTreeMap::new(), BTreeMap::new());
    let context =
        Context { sources: &sources, collectors: &collectors, locations: &locations, places: &places };
    bencher
        .counter(ItemsCount::new(pack.criteria.len()))
        .bench_local(|| (review(pack, &context, Lang::En), loopholes(pack, &context, Lang::En)));
}

/// Words that make each statement one of its own.
fn varied_statement(place: usize) -> String {
    const WHAT: [&str; 8] =
        ["button", "title", "account field", "price", "avatar", "列表项", "搜索框", "提示文字"];
    const WHERE: [&str; 7] = ["login page", "cart", "settings", "profile", "首页", "详情页", "订单页"];
    let pick = |words: &[&'static str], by: usize| words.get(by % words.len()).copied().unwrap_or_default();
    let (what, at) = (pick(&WHAT, place), pick(&WHERE, place / 8));
    format!("The {what} number {place} of the {at} is at least 40vp high, code {:x}", place * 7919)
}

fn pack(count: usize, statement: impl Fn(usize) -> String) -> Pack {
    Pack {
        feature: "bench".to_owned(),
        title: None,
        goal: None,
        requirements: vec![Requirement { id: "R-1".to_owned(), text: "It works.".to_owned() }],
        out_of_scope: BTreeMap::new(),
        criteria: (0..count).map(|place| criterion(place, statement(place))).collect(),
    }
}

fn criterion(place: usize, statement: String) -> Criterion {
    let is_measured = place % 4 != 3;
    let with = [("measure", "height".to_owned()), ("node", format!("id=node_{},visible=true", place / 2))];
    Criterion {
        id: format!("C-{place}"),
        dimension: Dimension::ALL.get(place % 4).copied().unwrap_or(Dimension::Function),
        statement,
        verify: Some(
            "The tester opens the page on a device and reads the node in the layout tree.".to_owned(),
        ),
        weight: Weight::Must,
        rule_id: None,
        covers: vec!["R-1".to_owned()],
        assertion: is_measured.then(at_least),
        probe: is_measured.then(|| Probe {
            evidence: "layout".to_owned(),
            reader: "layout".to_owned(),
            with: with.map(|(name, value)| (name.to_owned(), Scalar::Text(value))).into(),
        }),
        held_out: false,
    }
}

fn at_least() -> Assertion {
    Assertion {
        matcher: Matcher::Gte,
        expected: Some(Expected::One(Scalar::Number("40".to_owned()))),
        unit: Some("vp".to_owned()),
        source: Some("layout bounds".to_owned()),
        not: false,
        aggregate: None,
        min_samples: None,
        tolerance: None,
        proposed: false,
    }
}
