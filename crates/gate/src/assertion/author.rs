//! What is wrong with an assertion before anything is measured.

use super::fault::{Fault, Field};
use super::plan::{self, Test, scalar_text};
use crate::audit::Scale;
use crate::measure::{self, Presence};
use crate::pack::{Assertion, Expected, Matcher, Scalar};

/// Everything that would make the assertion judge nothing, or mean nothing, each with its field. Empty is sound.
pub fn check(assertion: &Assertion) -> Vec<Fault> {
    // Any scale will do: what converts with one is sound, and evidence will bring the real one. Only the order of two
    // bounds in differing units of length, as in 12vp to 40px, is known no sooner than the density.
    let scale = Scale { density: Some("1".into()), font_scale: Some("1".into()) };
    let mut faults: Vec<Fault> = Test::new(assertion, &scale).err().into_iter().collect();
    let lints = [
        exists(assertion),
        tolerance(assertion),
        min_samples(assertion),
        unit(assertion),
        sentinel(assertion),
    ];
    for fault in lints.into_iter().flatten() {
        if !faults.iter().any(|known| known.field == fault.field) {
            faults.push(fault);
        }
    }
    faults.sort_by_key(|fault| fault.field);
    faults
}

fn exists(assertion: &Assertion) -> Option<Fault> {
    (assertion.matcher == Matcher::Exists && assertion.expected.is_some()).then(|| {
        Fault::new(
            Field::Expected,
            "`exists` compares with nothing; leave `expected` out, and write `not: true` for absence",
            "`exists` 不与任何值比较；请去掉 `expected`，要求不存在时写 `not: true`",
        )
    })
}

fn tolerance(assertion: &Assertion) -> Option<Fault> {
    (assertion.matcher != Matcher::Approx && assertion.tolerance.is_some()).then(|| {
        let word = assertion.matcher.word();
        Fault::new(
            Field::Tolerance,
            format!("only `approx` has a tolerance, and the matcher is `{word}`"),
            format!("只有 `approx` 使用容差，而匹配器是 `{word}`"),
        )
    })
}

fn min_samples(assertion: &Assertion) -> Option<Fault> {
    (assertion.min_samples == Some(0)).then(|| {
        Fault::new(
            Field::MinSamples,
            "0 asks for nothing; write at least 1, or leave it out",
            "0 没有要求任何样本；请至少写 1，或去掉该字段",
        )
    })
}

/// A unit that nothing is measured in, or that cannot be read.
fn unit(assertion: &Assertion) -> Option<Fault> {
    let textual = matches!(assertion.matcher, Matcher::Contains | Matcher::Matches | Matcher::Exists);
    match (plan::declared(assertion), textual) {
        (Err(fault), _) => Some(fault),
        (Ok(Some(unit)), true) => {
            let (word, unit) = (assertion.matcher.word(), unit.unit);
            let unit = unit.name();
            Some(Fault::new(
                Field::Unit,
                format!("`{word}` measures nothing, so the unit `{unit}` means nothing"),
                format!("`{word}` 不涉及度量，单位 `{unit}` 没有意义"),
            ))
        }
        _ => None,
    }
}

/// An expected text that every value would be missing for.
fn sentinel(assertion: &Assertion) -> Option<Fault> {
    let all: &[Scalar] = match &assertion.expected {
        None => &[],
        Some(Expected::One(one)) => std::slice::from_ref(one),
        Some(Expected::Many(many)) => many,
    };
    let exact = matches!(assertion.matcher, Matcher::Eq | Matcher::Ne | Matcher::OneOf);
    let silent = |scalar: &&Scalar| matches!(scalar, Scalar::Text(text) if measure::presence(text) != Presence::Present);
    all.iter().find(|scalar| exact && silent(scalar)).map(|scalar| {
        let text = scalar_text(scalar);
        Fault::new(
            Field::Expected,
            format!("`{text}` says that there is no value, so nothing can equal it; use `exists`"),
            format!("`{text}` 表示没有值，任何实测值都不会等于它；请用 `exists`"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(json: serde_json::Value) -> Vec<Field> {
        let assertion: Assertion = serde_json::from_value(json).unwrap();
        check(&assertion).iter().map(|fault| fault.field).collect()
    }

    #[test]
    fn each_fault_names_its_field() {
        use Field::{Aggregate, Expected, MinSamples, Tolerance, Unit};
        let table = [
            (serde_json::json!({"matcher": "lte", "expected": 800, "unit": "ms"}), vec![]),
            (serde_json::json!({"matcher": "lte", "expected": "0.8s", "unit": "ms"}), vec![]),
            (serde_json::json!({"matcher": "eq", "expected": "42px", "unit": "vp"}), vec![]),
            (serde_json::json!({"matcher": "exists"}), vec![]),
            (serde_json::json!({"matcher": "lte", "unit": "ms"}), vec![Expected]),
            (serde_json::json!({"matcher": "exists", "expected": 1}), vec![Expected]),
            (serde_json::json!({"matcher": "lte", "expected": [1, 2]}), vec![Expected]),
            (serde_json::json!({"matcher": "lte", "expected": true}), vec![Expected]),
            (serde_json::json!({"matcher": "lte", "expected": "fast"}), vec![Expected]),
            (serde_json::json!({"matcher": "lte", "expected": "800fps", "unit": "ms"}), vec![Expected]),
            (serde_json::json!({"matcher": "lte", "expected": "600KB"}), vec![Expected]),
            (serde_json::json!({"matcher": "lte", "expected": 600, "unit": "KB"}), vec![Unit]),
            (serde_json::json!({"matcher": "lte", "expected": 600, "unit": " "}), vec![Unit]),
            (serde_json::json!({"matcher": "eq", "expected": "twelve", "unit": "vp"}), vec![Unit]),
            (serde_json::json!({"matcher": "contains", "expected": "x", "unit": "vp"}), vec![Unit]),
            (serde_json::json!({"matcher": "between", "expected": [16, 12]}), vec![Expected]),
            (serde_json::json!({"matcher": "between", "expected": ["12vp", 40], "unit": "px"}), vec![]),
            (serde_json::json!({"matcher": "between", "expected": 12}), vec![Expected]),
            (serde_json::json!({"matcher": "between", "expected": ["0.5s", "800ms"]}), vec![Unit]),
            (serde_json::json!({"matcher": "oneOf", "expected": 12}), vec![Expected]),
            (serde_json::json!({"matcher": "oneOf", "expected": []}), vec![Expected]),
            (serde_json::json!({"matcher": "oneOf", "expected": [12, "x"]}), vec![Expected]),
            (serde_json::json!({"matcher": "approx", "expected": 12}), vec![Tolerance]),
            (serde_json::json!({"matcher": "approx", "expected": 12, "tolerance": -1}), vec![Tolerance]),
            (serde_json::json!({"matcher": "approx", "expected": 12, "tolerance": "x%"}), vec![Tolerance]),
            (
                serde_json::json!({"matcher": "approx", "expected": 12, "unit": "vp", "tolerance": "1ms"}),
                vec![Tolerance],
            ),
            (serde_json::json!({"matcher": "eq", "expected": 12, "tolerance": 1}), vec![Tolerance]),
            (
                serde_json::json!({"matcher": "contains", "expected": "x", "aggregate": "mean"}),
                vec![Aggregate],
            ),
            (serde_json::json!({"matcher": "contains", "expected": "x", "aggregate": "any"}), vec![]),
            (serde_json::json!({"matcher": "contains", "expected": ""}), vec![Expected]),
            (serde_json::json!({"matcher": "matches", "expected": "(?=a)"}), vec![Expected]),
            (serde_json::json!({"matcher": "matches", "expected": 1}), vec![Expected]),
            (serde_json::json!({"matcher": "eq", "expected": "N/A"}), vec![Expected]),
            (serde_json::json!({"matcher": "lte", "expected": 1, "minSamples": 0}), vec![MinSamples]),
            (serde_json::json!({"matcher": "lte", "expected": "3ms", "aggregate": "count"}), vec![Expected]),
            (
                serde_json::json!({"matcher": "eq", "expected": 1, "unit": "KB", "tolerance": 1, "minSamples": 0}),
                vec![Unit, MinSamples, Tolerance],
            ),
        ];
        for (json, fields) in table {
            assert_eq!(faults(json.clone()), fields, "{json}");
        }
    }
}
