//! What a new pack asks less of.

use serde_json::json;

use super::*;

#[test]
fn loosenings() {
    let probe = json!({"evidence": "startup", "reader": "trace"});
    let table = [
        (json!({}), json!({}), vec![]),
        (json!({}), json!({"assertion": {"expected": 900}}), vec!["threshold weaker"]),
        (json!({}), json!({"assertion": {"expected": 700}}), vec![]),
        (json!({}), json!({"assertion": {"expected": "0.8s"}}), vec![]),
        (json!({}), json!({"assertion": {"unit": "s"}}), vec!["threshold weaker", "unit changed"]),
        (json!({}), json!({"assertion": {"expected": 0.8, "unit": "s"}}), vec!["unit changed"]),
        (json!({}), json!({"assertion": {"matcher": "lt"}}), vec![]),
        (json!({}), json!({"assertion": {"not": true}}), vec!["threshold weaker"]),
        (
            json!({}),
            json!({"assertion": {"matcher": "exists", "expected": null, "unit": null}}),
            vec!["assertion changed", "unit changed"],
        ),
        (json!({}), json!({"weight": "should"}), vec!["must became should"]),
        (json!({"weight": "should"}), json!({}), vec![]),
        (json!({}), json!({"assertion": null}), vec!["assertion removed"]),
        (json!({"assertion": null}), json!({}), vec![]),
        (json!({}), json!({"assertion": {"source": "in-app"}}), vec!["source changed"]),
        (json!({"probe": probe}), json!({}), vec!["probe removed"]),
        (
            json!({"probe": probe}),
            json!({"probe": {"evidence": "log", "reader": "trace"}}),
            vec!["probe changed"],
        ),
        (json!({}), json!({"probe": probe}), vec![]),
        (json!({}), json!({"assertion": {"aggregate": "any"}}), vec!["aggregate changed"]),
        (
            json!({"assertion": {"aggregate": "p95", "minSamples": 9}}),
            json!({}),
            vec!["fewer samples asked for"],
        ),
        (json!({"heldOut": true}), json!({}), vec!["no longer held out"]),
        (
            json!({"assertion": {"matcher": "approx", "tolerance": 5}}),
            json!({"assertion": {"matcher": "approx", "tolerance": "1%"}}),
            vec!["threshold weaker"],
        ),
        (
            json!({"assertion": {"matcher": "approx", "tolerance": "1%"}}),
            json!({"assertion": {"matcher": "approx", "tolerance": 5}}),
            vec![],
        ),
        (
            json!({"assertion": {"matcher": "oneOf", "expected": ["a", "b"], "unit": null}}),
            json!({"assertion": {"matcher": "oneOf", "expected": ["a", "b", "c"], "unit": null}}),
            vec!["threshold weaker"],
        ),
    ];
    for (before, after, expected) in table {
        let shown = format!("{before} -> {after}");
        let old = pack(json!([person("F-1"), criterion("P-1", before)]));
        let new = pack(json!([person("F-1"), criterion("P-1", after)]));
        let found: Vec<String> = loosened(&old, &new, Lang::En).into_iter().map(|l| l.what).collect();
        assert_eq!(found, expected, "{shown}");
        assert_eq!(loosened(&old, &new, Lang::Zh).len(), expected.len(), "{shown}");
    }
    let old = pack(json!([person("F-1"), criterion("P-1", json!({}))]));
    let new = pack(json!([criterion("P-1", json!({}))]));
    let found = loosened(&old, &new, Lang::En);
    assert_eq!(
        found.first().map(|l| (l.criterion.as_deref(), l.what.as_str())),
        Some((Some("F-1"), "criterion removed"))
    );
}
