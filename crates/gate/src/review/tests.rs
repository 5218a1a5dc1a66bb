//! What attackers find, as tables of pack against pack.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::*;
use crate::decode;
use crate::node::Node;

fn pack(criteria: Value) -> Pack {
    let document = json!({
        "requirements": [{"id": "R-1", "text": "log in"}],
        "outOfScope": {"aesthetic": "no design yet", "accessibility": "next feature"},
        "criteria": criteria,
    });
    let decoded = decode::pack(&Node::from_json(&document), "pack.json", "login", Lang::En);
    decoded.value.unwrap_or_else(|| panic!("{:?}", decoded.problems)).pack
}

fn findings(pack: &Pack) -> Vec<String> {
    let sources = BTreeMap::from([
        ("trace".to_owned(), SourceKind::Independent),
        ("layout".to_owned(), SourceKind::Independent),
        ("in-app".to_owned(), SourceKind::Auxiliary),
    ]);
    let collectors = BTreeMap::from([
        ("startup".to_owned(), "trace".to_owned()),
        ("screen".to_owned(), "layout".to_owned()),
        ("log".to_owned(), "in-app".to_owned()),
    ]);
    let locations = BTreeMap::new();
    let context = Context { sources: &sources, collectors: &collectors, locations: &locations };
    let english = review(pack, &context, Lang::En);
    let chinese = review(pack, &context, Lang::Zh);
    let codes = |problems: &[Problem]| problems.iter().map(|p| p.code).collect::<Vec<_>>();
    assert_eq!(codes(&english), codes(&chinese));
    english.iter().map(|p| format!("{} {}", p.criterion.as_deref().unwrap_or("-"), p.code.name())).collect()
}

/// A sound criterion with some fields replaced.
fn criterion(id: &str, changes: Value) -> Value {
    let mut base = json!({
        "id": id, "dimension": "performance", "statement": format!("{id} is quick"), "verify": "trace",
        "weight": "must", "covers": ["R-1"],
        "assertion": {"matcher": "lte", "expected": 800, "unit": "ms", "source": "trace"},
    });
    merge(&mut base, changes);
    base
}

fn merge(base: &mut Value, changes: Value) {
    match (base, changes) {
        (Value::Object(base), Value::Object(changes)) => {
            for (name, change) in changes {
                match change {
                    Value::Null => drop(base.remove(&name)),
                    change => merge(base.entry(name).or_insert(Value::Null), change),
                }
            }
        }
        (base, change) => *base = change,
    }
}

fn person(id: &str) -> Value {
    json!({"id": id, "dimension": "function", "statement": "it logs in", "verify": "try it", "weight": "must"})
}

#[test]
fn one_criterion() {
    let table = [
        (json!({}), vec![]),
        (json!({"assertion": null, "statement": "within 800ms"}), vec!["W_CRITERION_NO_ASSERTION"]),
        (json!({"assertion": null, "statement": "feels calm, HTTP2"}), vec![]),
        (json!({"assertion": {"expected": 1e9}}), vec!["E_ASSERTION_VACUOUS"]),
        (json!({"assertion": {"expected": 1, "unit": "h"}}), vec!["E_ASSERTION_VACUOUS"]),
        (json!({"assertion": {"expected": 59, "unit": "min"}}), vec![]),
        (json!({"assertion": {"matcher": "gte", "expected": 0}}), vec!["E_ASSERTION_VACUOUS"]),
        (json!({"assertion": {"matcher": "gt", "expected": 0}}), vec![]),
        (json!({"assertion": {"matcher": "lt", "expected": 0}}), vec!["E_ASSERTION_IMPOSSIBLE"]),
        (json!({"assertion": {"matcher": "gt", "expected": 0, "not": true}}), vec![]),
        (json!({"assertion": {"matcher": "lt", "expected": 0, "not": true}}), vec!["E_ASSERTION_VACUOUS"]),
        (
            json!({"assertion": {"matcher": "between", "expected": [0, 3_600_001], "unit": "ms"}}),
            vec!["E_ASSERTION_VACUOUS"],
        ),
        (json!({"assertion": {"matcher": "lte", "expected": 21, "unit": ":1"}}), vec!["E_ASSERTION_VACUOUS"]),
        (json!({"assertion": {"matcher": "gte", "expected": "4.5", "unit": ":1"}}), vec![]),
        (
            json!({"assertion": {"matcher": "matches", "expected": ".*", "unit": null}}),
            vec!["E_ASSERTION_VACUOUS"],
        ),
        (
            json!({"assertion": {"matcher": "matches", "expected": ".", "unit": null}}),
            vec!["E_ASSERTION_VACUOUS"],
        ),
        (
            json!({"assertion": {"matcher": "matches", "expected": ".*", "unit": null, "not": true}}),
            vec!["E_ASSERTION_IMPOSSIBLE"],
        ),
        (json!({"assertion": {"matcher": "matches", "expected": "^登录$", "unit": null}}), vec![]),
        (json!({"assertion": {"matcher": "contains", "expected": "登录", "unit": null}}), vec![]),
        (
            json!({"assertion": {"aggregate": "count", "matcher": "gte", "expected": 1, "unit": null}}),
            vec!["E_ASSERTION_VACUOUS"],
        ),
        (json!({"assertion": {"aggregate": "count", "matcher": "gte", "expected": 3, "unit": null}}), vec![]),
        (json!({"assertion": {"source": null}}), vec!["E_SOURCE_AUXILIARY"]),
        (json!({"assertion": {"source": "in-app"}}), vec!["E_SOURCE_AUXILIARY"]),
        (json!({"assertion": {"source": "traces"}}), vec!["E_SOURCE_AUXILIARY"]),
        (json!({"probe": {"evidence": "startup", "reader": "trace"}}), vec![]),
        (json!({"probe": {"evidence": "startups", "reader": "trace"}}), vec!["E_COLLECTOR_UNKNOWN"]),
        (json!({"probe": {"evidence": "log", "reader": "text"}}), vec!["E_SOURCE_AUXILIARY"]),
        (json!({"probe": {"evidence": "screen", "reader": "layout"}}), vec!["W_SOURCE_DIFFERS"]),
        (json!({"assertion": {"aggregate": "p95"}}), vec!["W_SAMPLES_FEW"]),
        (json!({"assertion": {"aggregate": "p95", "minSamples": 20}}), vec![]),
        (json!({"assertion": {"aggregate": "max"}}), vec![]),
        (json!({"statement": "within 800ms"}), vec![]),
        (json!({"statement": "within 0.8s"}), vec![]),
        (json!({"statement": "three starts, each within 800 ms"}), vec![]),
        (json!({"statement": "within 900ms"}), vec!["W_STATEMENT_DISAGREES"]),
        (json!({"statement": "八百毫秒以内"}), vec![]),
    ];
    for (changes, expected) in table {
        let pack = pack(json!([person("F-1"), criterion("P-1", changes.clone())]));
        let expected: Vec<String> = expected.iter().map(|code| format!("P-1 {code}")).collect();
        // Taking out the assertion takes the coverage along in no case; the requirement stays covered.
        assert_eq!(findings(&pack), expected, "{changes}");
    }
}

#[test]
fn two_criteria() {
    let probe = |with: &str| json!({"evidence": "startup", "reader": "trace", "with": {"from": with}});
    let pair = |a: Value, b: Value| (a, b);
    let table = [
        (pair(json!({}), json!({})), vec![]),
        (
            pair(
                json!({"probe": probe("a"), "assertion": {"expected": 5}}),
                json!({"probe": probe("a"), "assertion": {"matcher": "gte", "expected": 9}}),
            ),
            vec!["P-2 E_ASSERTIONS_CONTRADICT"],
        ),
        (
            pair(
                json!({"probe": probe("a"), "assertion": {"expected": 5}}),
                json!({"probe": probe("b"), "assertion": {"matcher": "gte", "expected": 9}}),
            ),
            vec![],
        ),
        (
            pair(
                json!({"probe": probe("a"), "assertion": {"expected": 1, "unit": "s"}}),
                json!({"probe": probe("a"), "assertion": {"matcher": "gte", "expected": 1000}}),
            ),
            vec![],
        ),
        (
            pair(
                json!({"probe": probe("a"), "assertion": {"expected": 1, "unit": "s"}}),
                json!({"probe": probe("a"), "assertion": {"matcher": "gt", "expected": 1000}}),
            ),
            vec!["P-2 E_ASSERTIONS_CONTRADICT"],
        ),
        (
            pair(
                json!({"ruleId": "r", "assertion": {"expected": 5}}),
                json!({"ruleId": "r", "assertion": {"matcher": "gte", "expected": 9}}),
            ),
            vec!["P-2 E_ASSERTIONS_CONTRADICT"],
        ),
        (
            pair(
                json!({"ruleId": "r", "assertion": {"matcher": "eq", "expected": 12}}),
                json!({"ruleId": "r", "assertion": {"matcher": "eq", "expected": 16}}),
            ),
            vec![],
        ),
        (
            pair(
                json!({"weight": "should", "probe": probe("a"), "assertion": {"expected": 5}}),
                json!({"probe": probe("a"), "assertion": {"matcher": "gte", "expected": 9}}),
            ),
            vec![],
        ),
        (
            pair(
                json!({"probe": probe("a"), "assertion": {"matcher": "exists", "expected": null, "unit": null}}),
                json!({"probe": probe("a"), "assertion": {"matcher": "exists", "expected": null, "unit": null, "not": true}}),
            ),
            vec!["P-2 E_ASSERTIONS_CONTRADICT"],
        ),
        (
            pair(
                json!({"probe": probe("a"), "assertion": {"matcher": "exists", "expected": null, "unit": null}}),
                json!({"probe": probe("a"), "assertion": {"matcher": "exists", "expected": null, "unit": null}}),
            ),
            vec![],
        ),
        (
            pair(
                json!({"probe": probe("a"), "assertion": {"matcher": "exists", "expected": null, "unit": null}}),
                json!({"probe": probe("a"), "assertion": {"matcher": "contains", "expected": "x", "unit": null, "not": true}}),
            ),
            vec![],
        ),
        (
            pair(
                json!({"probe": probe("a"), "assertion": {"matcher": "eq", "expected": "登录", "unit": null}}),
                json!({"probe": probe("a"), "assertion": {"matcher": "eq", "expected": "登陆", "unit": null}}),
            ),
            vec!["P-2 E_ASSERTIONS_CONTRADICT"],
        ),
        (pair(json!({"statement": "same"}), json!({"statement": "same"})), vec!["P-2 W_STATEMENT_REPEATED"]),
    ];
    for ((first, second), expected) in table {
        let shown = format!("{first} {second}");
        let pack = pack(json!([person("F-1"), criterion("P-1", first), criterion("P-2", second)]));
        assert_eq!(findings(&pack), expected, "{shown}");
    }
}

#[test]
fn the_whole_pack() {
    assert_eq!(findings(&pack(json!([criterion("P-1", json!({}))]))), ["- E_DIMENSION_EMPTY"]);
    let should = criterion("P-1", json!({"weight": "should"}));
    assert_eq!(findings(&pack(json!([person("F-1"), should]))), ["- W_DIMENSION_NO_MUST"]);
    let bare = criterion("P-1", json!({"covers": null}));
    assert_eq!(findings(&pack(json!([person("F-1"), bare]))), ["- W_REQUIREMENT_UNCOVERED"]);
}

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
