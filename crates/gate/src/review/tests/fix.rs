//! Changes that answer a finding for certain, and findings that take a decision.

use serde_json::json;

use super::*;
use crate::pack::Scalar;

/// Each change that is offered for a criterion, as its field and value.
fn fixes(changes: Value) -> Vec<String> {
    let pack = pack(json!([person("F-1"), criterion("P-1", changes)]));
    with_context(|context| {
        let found = review(&pack, context, Lang::En);
        let mut criterion = pack.criteria[1].clone();
        let mut offered = Vec::new();
        for problem in found.iter().filter(|problem| problem.criterion.as_deref() == Some("P-1")) {
            if let Some((edit, fixed)) = fix(problem.code, &criterion, context) {
                criterion = fixed;
                let value = match &edit.value {
                    Scalar::Bool(value) => value.to_string(),
                    Scalar::Number(text) | Scalar::Text(text) => text.clone(),
                };
                offered.push(format!("{}={value}", edit.field));
            }
        }
        offered
    })
}

#[test]
fn only_what_is_certain_is_offered() {
    let probe = |measure: &str, node: &str| json!({"evidence": "screen", "reader": "layout", "with": {"measure": measure, "node": node}});
    let of_layout =
        json!({"matcher": "eq", "expected": "登录", "unit": null, "minSamples": null, "source": "layout"});
    let startup = json!({"evidence": "startup", "reader": "trace"});
    for (changes, expected) in [
        (json!({}), vec![]),
        // What the statement says, in the assertion's unit, where that is stricter.
        (
            json!({"statement": "opens within 800ms", "assertion": {"expected": 8000}}),
            vec!["assertion.expected=800"],
        ),
        (
            json!({"statement": "opens within 0.8 s", "assertion": {"expected": 900}}),
            vec!["assertion.expected=800"],
        ),
        (json!({"statement": "opens within 900ms"}), vec![]),
        (
            json!({"statement": "opens within 700ms, or 600ms on new devices", "assertion": {"expected": 8000}}),
            vec![],
        ),
        (json!({"statement": "opens within 800ms", "assertion": {"matcher": "gte"}}), vec![]),
        // What the rule says.
        (
            json!({"ruleId": "perf.start.complete", "assertion": {"expected": 1500}}),
            vec!["assertion.expected=1100"],
        ),
        (json!({"ruleId": "perf.start.complete", "assertion": {"expected": 1.5, "unit": "s"}}), vec![]),
        // Where the value comes from.
        (json!({"probe": startup, "assertion": {"source": "in-app"}}), vec!["assertion.source=trace"]),
        (json!({"probe": startup, "assertion": {"source": "layout"}}), vec!["assertion.source=trace"]),
        (json!({"assertion": {"source": "in-app"}}), vec![]),
        (json!({"probe": {"evidence": "log", "reader": "text"}, "assertion": {"source": "in-app"}}), vec![]),
        // What can be seen.
        (
            json!({"dimension": "function", "probe": probe("text", "id=a"), "assertion": of_layout}),
            vec!["probe.with.node=id=a,visible=true"],
        ),
        (
            json!({"dimension": "function", "probe": probe("text", "text=\"a\""), "assertion": of_layout}),
            vec![],
        ),
        (
            json!({"dimension": "function", "probe": probe("text", "id=a,visible=false"), "assertion": of_layout}),
            vec![],
        ),
        // How many samples.
        (json!({"assertion": {"minSamples": null}}), vec!["assertion.minSamples=3"]),
        (json!({"assertion": {"aggregate": "p95", "minSamples": 5}}), vec!["assertion.minSamples=20"]),
        // The unit that the statement says.
        (json!({"statement": "opens within 800ms", "assertion": {"unit": null}}), vec!["assertion.unit=ms"]),
        // Several in one criterion.
        (
            json!({"statement": "opens within 800ms", "probe": startup,
                "assertion": {"expected": 8000, "minSamples": null, "source": "in-app"}}),
            vec!["assertion.source=trace", "assertion.expected=800", "assertion.minSamples=3"],
        ),
        (json!({"assertion": {"expected": 90, "unit": "min"}}), vec![]),
        (json!({"covers": null}), vec![]),
    ] {
        assert_eq!(fixes(changes.clone()), expected, "{changes}");
    }
}
