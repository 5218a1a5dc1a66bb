//! What must hold of every value and every assertion, tried on many.

use proptest::prelude::*;

use super::judge;
use crate::audit::{AssertionVerdict, Scale};
use crate::check::Actual;
use crate::lang::Lang;
use crate::measure::{Exact, Target, Unit, plain_number, read};
use crate::pack::{Aggregate, Assertion, Expected, Matcher, Scalar};

fn assertion(matcher: Matcher, expected: &str, unit: Option<&str>) -> Assertion {
    let scalar = |text: &str| match plain_number(text) {
        Some(_) => Scalar::Number(text.to_owned()),
        None => Scalar::Text(text.to_owned()),
    };
    let expected = match matcher {
        Matcher::Exists => None,
        Matcher::Between | Matcher::OneOf => Some(Expected::Many(vec![scalar(expected), scalar(expected)])),
        _ => Some(Expected::One(scalar(expected))),
    };
    Assertion {
        matcher,
        expected,
        unit: unit.map(str::to_owned),
        source: None,
        not: false,
        aggregate: None,
        min_samples: None,
        tolerance: (matcher == Matcher::Approx).then(|| Scalar::Number("1".into())),
        proposed: false,
    }
}

fn verdict(assertion: &Assertion, actual: &Actual) -> AssertionVerdict {
    let scale = Scale { density: Some("3.5".into()), font_scale: Some("1.15".into()) };
    judge(assertion, Some(actual), &scale).verdict
}

fn text(text: &str) -> Actual {
    Actual::One(Scalar::Text(text.to_owned()))
}

/// Pieces of which confusing values are made.
fn fragments() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "720",
        "800",
        "1",
        "0",
        "5",
        ".",
        ",",
        "-",
        "+",
        "e",
        "ms",
        "s",
        "秒",
        "毫秒",
        "分",
        "fps",
        "%",
        " ",
        " ",
        "/",
        "、",
        "~",
        "±",
        ":",
        "<",
        "≤",
        ">=",
        "约",
        "不超过",
        "至",
        "to",
        "over",
        "at least",
        "or less",
        "以内",
        "+",
        "(",
        ")",
        "P",
        "HTTP",
        "limit",
        "半",
        "万",
        "三",
        "per",
        "每",
        "frame",
        "NaN",
        "N/A",
        "\u{200b}",
        "\u{301}",
        "½",
        "７",
        "×",
        "_",
        "'",
        "1,200",
        "2.0",
        "-1",
        "\n",
        "=",
        "→",
        "。",
    ]);
    prop::collection::vec(pieces, 0..9).prop_map(|all| all.concat())
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![3 => fragments(), 1 => any::<String>()]
}

fn any_matcher() -> impl Strategy<Value = Matcher> {
    prop::sample::select(Matcher::ALL.to_vec())
}

fn any_unit() -> impl Strategy<Value = Option<&'static str>> {
    prop::sample::select(vec![
        None,
        Some("ms"),
        Some("fps"),
        Some(":1"),
        Some("%"),
        Some("vp"),
        Some("次"),
        Some("widgets"),
    ])
}

fn any_aggregate() -> impl Strategy<Value = Option<Aggregate>> {
    prop::sample::select(vec![
        None,
        Some(Aggregate::All),
        Some(Aggregate::Any),
        Some(Aggregate::Mean),
        Some(Aggregate::Median),
        Some(Aggregate::Count),
        Some(Aggregate::Percentile(95)),
    ])
}

fn decided(verdict: AssertionVerdict) -> bool {
    matches!(verdict, AssertionVerdict::Pass | AssertionVerdict::Fail)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_panics_and_everything_is_told(
        matcher in any_matcher(),
        unit in any_unit(),
        aggregate in any_aggregate(),
        not in any::<bool>(),
        expected in prop_oneof![Just("800".to_owned()), Just("12vp".to_owned()), any_text()],
        members in prop::collection::vec(any_text(), 1..4),
    ) {
        let mut assertion = assertion(matcher, &expected, unit);
        (assertion.aggregate, assertion.not) = (aggregate, not);
        let one = text(&members[0]);
        let many = Actual::Many(members.iter().map(|text| Some(Scalar::Text(text.clone()))).collect());
        let scale = Scale::default();
        for actual in [&one, &many, &Actual::Null] {
            let judgement = judge(&assertion, Some(actual), &scale);
            prop_assert!(!judgement.steps(Lang::En).is_empty() && !judgement.steps(Lang::Zh).is_empty());
            prop_assert_eq!(judgement.refusal(Lang::Zh).is_none(), decided(judgement.verdict));
            super::restates(&assertion, actual);
            super::agreement(&assertion, actual, &one, &scale);
        }
        super::check(&assertion);
    }

    #[test]
    fn not_turns_only_answers(matcher in any_matcher(), unit in any_unit(), value in any_text()) {
        let plain = assertion(matcher, "800", unit);
        let mut negated = plain.clone();
        negated.not = true;
        let (a, b) = (verdict(&plain, &text(&value)), verdict(&negated, &text(&value)));
        match a {
            AssertionVerdict::Missing => prop_assert_eq!(b, AssertionVerdict::Missing),
            AssertionVerdict::Invalid => prop_assert!(b != AssertionVerdict::Pass),
            // A series fails either way when its members differ; a comma group may be refused under `not`.
            AssertionVerdict::Pass => prop_assert!(b != AssertionVerdict::Pass),
            _ => prop_assert!(b != AssertionVerdict::Missing),
        }
    }

    #[test]
    fn at_most_and_above_are_complements(value in fragments(), unit in any_unit()) {
        let at_most = verdict(&assertion(Matcher::Lte, "800", unit), &text(&value));
        let above = verdict(&assertion(Matcher::Gt, "800", unit), &text(&value));
        if decided(at_most) && decided(above) {
            prop_assert!(!(at_most == AssertionVerdict::Pass && above == AssertionVerdict::Pass));
        }
        prop_assert_eq!(at_most == AssertionVerdict::Missing, above == AssertionVerdict::Missing);
    }

    #[test]
    fn a_single_value_is_judged_one_way(number in "[0-9]{1,12}(\\.[0-9]{1,6})?", negative in any::<bool>()) {
        let value = if negative { format!("-{number}") } else { number };
        let at_most = verdict(&assertion(Matcher::Lte, "800", None), &text(&value));
        let above = verdict(&assertion(Matcher::Gt, "800", None), &text(&value));
        prop_assert!(decided(at_most) && decided(above) && at_most != above);
        prop_assert_eq!(verdict(&assertion(Matcher::Eq, &value, None), &text(&value)), AssertionVerdict::Pass);
    }

    #[test]
    fn folding_changes_no_verdict(value in fragments()) {
        let assertion = assertion(Matcher::Lte, "800", Some("ms"));
        let wide: String = value.chars().map(|c| match c {
            '!'..='~' => char::from_u32(c as u32 + 0xFEE0).unwrap(),
            ' ' => '\u{3000}',
            other => other,
        }).collect();
        prop_assert_eq!(verdict(&assertion, &text(&value)), verdict(&assertion, &text(&wide)));
    }

    #[test]
    fn every_reading_of_a_decided_text_agrees(value in fragments(), unit in any_unit()) {
        let assertion = assertion(Matcher::Lte, "800", unit);
        let target = Target { declared: unit.map(|unit| crate::measure::Declared::new(unit).unwrap()) };
        let scale = Scale { density: Some("3.5".into()), font_scale: Some("1.15".into()) };
        let own = verdict(&assertion, &text(&value));
        if !decided(own) {
            return Ok(());
        }
        let reading = read(&value, &target, &scale).unwrap();
        for sample in std::iter::once(&reading.first).chain(&reading.later) {
            let Some(point) = sample.value.as_ref().and_then(|set| set.point()) else { continue };
            let passes = *point <= Exact::from_int(800);
            prop_assert_eq!(passes, own == AssertionVerdict::Pass, "{} of {}", sample.text, value);
        }
    }

    #[test]
    fn conversions_return(digits in "[1-9][0-9]{0,9}", pair in prop::sample::select(vec![
        ("ms", "s"), ("ns", "h"), ("us", "min"), ("MB", "MiB"), ("GiB", "B"), ("%", "ratio"), ("‰", "%"), ("px", "vp"), ("vp", "fp"), ("fp", "px"),
    ])) {
        let scale = Scale { density: Some("3.25".into()), font_scale: Some("1.3".into()) };
        let (from, to) = (Unit::declared(pair.0).unwrap(), Unit::declared(pair.1).unwrap());
        let value = plain_number(&digits).unwrap();
        let there = value.times(&from.factor_to(&to, &scale).unwrap());
        prop_assert_eq!(there.times(&to.factor_to(&from, &scale).unwrap()), value);
    }

    #[test]
    fn white_space_around_changes_nothing(value in fragments(), matcher in any_matcher()) {
        let assertion = assertion(matcher, "800", Some("ms"));
        let padded = format!(" {value}\n");
        prop_assert_eq!(verdict(&assertion, &text(&value)), verdict(&assertion, &text(&padded)));
    }
}
