//! Two values beside each other: the auditor's and the probe's; and a value beside its threshold.

use super::aggregate::aggregate;
use super::fault::Fault;
use super::plan::{NumberTest, Test, plain_text, scalar_text};
use crate::audit::Scale;
use crate::check::Actual;
use crate::measure::{self, Exact, Presence, Sample, Set};
use crate::pack::{Aggregate, Assertion, Matcher, Scalar};

/// How two values stand to each other, exactly and after conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// The same.
    Same,
    /// Not the same, or only one of them is there.
    Different,
    /// At least one has no single reading.
    Unreadable,
}

/// What a value comes to.
#[derive(PartialEq, Eq)]
enum Value {
    Nothing,
    Numbers(Vec<Set>),
    Texts(Vec<String>),
}

/// Compares two values as the assertion reads them. The order of samples does not matter; where the assertion
/// aggregates, a single value may also be the aggregate of the other's samples.
pub fn agreement(assertion: &Assertion, a: &Actual, b: &Actual, scale: &Scale) -> Agreement {
    agree(assertion, &Test::new(assertion, scale), a, b, scale)
}

pub(super) fn agree(
    assertion: &Assertion,
    test: &Result<Test, Fault>,
    a: &Actual,
    b: &Actual,
    scale: &Scale,
) -> Agreement {
    let (Some(a), Some(b)) = (value(test, a, scale), value(test, b, scale)) else {
        return Agreement::Unreadable;
    };
    match a == b || aggregates_to(assertion, &a, &b) || aggregates_to(assertion, &b, &a) {
        true => Agreement::Same,
        false => Agreement::Different,
    }
}

/// Whether two values are the same, exactly and after conversion.
pub fn same_value(assertion: &Assertion, a: &Actual, b: &Actual, scale: &Scale) -> bool {
    agreement(assertion, a, b, scale) == Agreement::Same
}

/// The value as the assertion reads it; none if it has no single reading.
fn value(test: &Result<Test, Fault>, actual: &Actual, scale: &Scale) -> Option<Value> {
    let scalars: Vec<&Scalar> = match actual {
        Actual::Null => Vec::new(),
        Actual::One(scalar) => vec![scalar],
        Actual::Many(members) => members.iter().flatten().collect(),
    };
    let missing = matches!(actual, Actual::Many(members) if members.iter().any(Option::is_none));
    let mut there = Vec::new();
    for scalar in &scalars {
        let text = scalar_text(scalar);
        measure::visible(text).ok()?;
        match measure::presence(text) {
            Presence::Present => there.push(*scalar),
            Presence::Missing => {}
            Presence::Unclear => return None,
        }
    }
    if there.is_empty() {
        return Some(Value::Nothing);
    }
    if missing || there.len() < scalars.len() {
        return None;
    }
    match test {
        Ok(Test::Number(test)) => numbers(test, &there, scale),
        _ => {
            let mut texts: Vec<String> = there.iter().map(|scalar| plain_text(scalar_text(scalar))).collect();
            texts.sort();
            Some(Value::Texts(texts))
        }
    }
}

fn numbers(test: &NumberTest, scalars: &[&Scalar], scale: &Scale) -> Option<Value> {
    let mut sets = Vec::new();
    for scalar in scalars {
        let text = match scalar {
            Scalar::Bool(_) => return None,
            Scalar::Number(text) | Scalar::Text(text) => text,
        };
        let reading = measure::read(text, &test.target, scale).ok()?;
        let samples: Vec<Sample> =
            if reading.series.is_empty() { vec![reading.first] } else { reading.series };
        sets.extend(samples.into_iter().map(|sample| sample.value));
    }
    if sets.iter().all(Option::is_none) {
        return Some(Value::Nothing);
    }
    let mut sets: Vec<Set> = sets.into_iter().collect::<Option<_>>()?;
    sets.sort_by(|a, b| a.point().cmp(&b.point()));
    Some(Value::Numbers(sets))
}

/// Whether the single value `one` is what the samples `many` aggregate to.
fn aggregates_to(assertion: &Assertion, one: &Value, many: &Value) -> bool {
    let (Value::Numbers(one), Value::Numbers(many)) = (one, many) else { return false };
    let [one] = one.as_slice() else { return false };
    let points: Option<Vec<&Exact>> = many.iter().map(Set::point).collect();
    match (assertion.aggregate, points, one.point()) {
        (None | Some(Aggregate::All | Aggregate::Any | Aggregate::Count), ..) => false,
        (Some(how), Some(points), Some(one)) if points.len() > 1 => {
            aggregate(how, &points).as_ref() == Some(one)
        }
        _ => false,
    }
}

/// Words that name a threshold rather than a measurement.
const THRESHOLD_WORDS: &[&str] = &[
    "limit",
    "threshold",
    "required",
    "requirement",
    "spec",
    "target",
    "expected",
    "阈值",
    "上限",
    "下限",
    "要求",
    "标准",
    "目标",
    "预期",
];

/// Whether an actual only repeats the threshold (`≤800ms`, `不超过800毫秒`, `required 800ms` against at most 800 ms).
pub fn restates(assertion: &Assertion, actual: &Actual) -> bool {
    let Actual::One(Scalar::Text(text)) = actual else { return false };
    let scale = Scale::default();
    let Ok(Test::Number(test)) = Test::new(assertion, &scale) else { return false };
    let Ok(reading) = measure::read(text, &test.target, &scale) else { return false };
    let all = std::iter::once(&reading.first).chain(&reading.later);
    let whole: Vec<&Sample> = if reading.series.is_empty() {
        all.collect()
    } else {
        reading.series.iter().chain(&reading.later).collect()
    };
    let lower = text.to_lowercase();
    let named = THRESHOLD_WORDS.iter().any(|word| lower.contains(word));
    whole
        .iter()
        .all(|sample| sample.value.as_ref().is_some_and(|value| repeats(assertion, &test, value, named)))
}

/// Whether a set is the threshold itself: a bound at the same place and on the same side, or the same range.
fn repeats(assertion: &Assertion, test: &NumberTest, value: &Set, named: bool) -> bool {
    let [accepted] = test.accepted.as_slice() else { return false };
    match (value, accepted) {
        (Set::Interval { high: Some(a), .. }, Set::Interval { low: None, high: Some(b) }) => a.at == b.at,
        (Set::Interval { low: Some(a), high: None }, Set::Interval { low: Some(b), high: None }) => {
            a.at == b.at
        }
        (Set::Interval { .. }, _) => value == accepted,
        (Set::Point(value), Set::Interval { low, high }) if named && assertion.matcher != Matcher::Approx => {
            low.iter().chain(high).any(|end| end.at == *value)
        }
        (Set::Point(value), Set::Point(expected)) => named && value == expected,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assertion(json: serde_json::Value) -> Assertion {
        serde_json::from_value(json).unwrap()
    }

    fn actual(json: serde_json::Value) -> Actual {
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn values_agree_exactly_after_conversion() {
        use Agreement::{Different, Same, Unreadable};
        let ms = assertion(serde_json::json!({"matcher": "lte", "expected": 800, "unit": "ms"}));
        let median = assertion(
            serde_json::json!({"matcher": "lte", "expected": 800, "unit": "ms", "aggregate": "median"}),
        );
        let vp = assertion(serde_json::json!({"matcher": "gte", "expected": 40, "unit": "vp"}));
        let word = assertion(serde_json::json!({"matcher": "eq", "expected": "登录"}));
        let table = [
            (&ms, serde_json::json!("1.2s"), serde_json::json!("1200.000ms"), Same),
            (&ms, serde_json::json!(720), serde_json::json!("720ms"), Same),
            (&ms, serde_json::json!("720ms"), serde_json::json!("720.0001ms"), Different),
            (&ms, serde_json::json!("fast"), serde_json::json!("720ms"), Unreadable),
            (&ms, serde_json::json!(null), serde_json::json!("720ms"), Different),
            (&ms, serde_json::json!(""), serde_json::json!("-1ms"), Same),
            (&ms, serde_json::json!(["700ms", "0.72s"]), serde_json::json!([720, 700]), Same),
            (&ms, serde_json::json!("700/720ms"), serde_json::json!([700, 720]), Same),
            (&ms, serde_json::json!([700, null]), serde_json::json!([700]), Unreadable),
            (&ms, serde_json::json!("720ms"), serde_json::json!([700, 720, 760]), Different),
            (&median, serde_json::json!("720ms"), serde_json::json!([700, 720, 760]), Same),
            (&vp, serde_json::json!("16vp"), serde_json::json!("56px"), Same),
            (&word, serde_json::json!(" 登录"), serde_json::json!("登录"), Same),
            (&word, serde_json::json!("登陆"), serde_json::json!("登录"), Different),
        ];
        let scale = Scale { density: Some("3.5".into()), font_scale: None };
        for (assertion, a, b, expected) in table {
            assert_eq!(
                agreement(assertion, &actual(a.clone()), &actual(b.clone()), &scale),
                expected,
                "{a} {b}"
            );
            assert_eq!(
                agreement(assertion, &actual(b.clone()), &actual(a.clone()), &scale),
                expected,
                "{b} {a}"
            );
        }
    }

    #[test]
    fn a_repeated_threshold_is_no_measurement() {
        let lte = serde_json::json!({"matcher": "lte", "expected": 800, "unit": "ms"});
        let gte = serde_json::json!({"matcher": "gte", "expected": 60, "unit": "fps"});
        let between = serde_json::json!({"matcher": "between", "expected": [12, 16], "unit": "fp"});
        let table = [
            (&lte, "≤800ms", true),
            (&lte, "<= 800 ms", true),
            (&lte, "不超过800毫秒", true),
            (&lte, "0.8s or less", true),
            (&lte, "<800ms", true),
            (&lte, "required: 800ms", true),
            // Refused: what is called a limit is judged by nothing.
            (&lte, "limit 800ms", false),
            (&lte, "800ms", false),
            (&lte, "720ms (≤800ms)", false),
            (&lte, "≤700ms", false),
            (&lte, ">800ms", false),
            (&lte, "fast", false),
            (&gte, "60fps以上", true),
            (&gte, "60fps", false),
            (&between, "12-16fp", true),
            (&between, "12fp", false),
        ];
        for (json, text, expected) in table {
            assert_eq!(
                restates(&assertion(json.clone()), &Actual::One(Scalar::Text(text.into()))),
                expected,
                "{text}"
            );
        }
    }
}
