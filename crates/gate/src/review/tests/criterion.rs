//! One criterion on its own.

use serde_json::json;

use super::*;

const BY_PERSON: &str = "a designer looks at the page on a device, in light and dark";

fn approx(expected: i64, tolerance: Value) -> Value {
    json!({"assertion": {"matcher": "approx", "expected": expected, "tolerance": tolerance, "unit": "vp"}})
}

#[test]
fn one_criterion() {
    let table = [
        (json!({}), vec![]),
        (
            json!({"assertion": null, "statement": "within 800ms", "verify": BY_PERSON}),
            vec!["W_CRITERION_NO_ASSERTION"],
        ),
        (json!({"assertion": null, "statement": "feels calm, HTTP2", "verify": BY_PERSON}), vec![]),
        (json!({"assertion": null, "statement": "feels calm"}), vec!["W_JUDGE_UNNAMED"]),
        (json!({"assertion": null, "statement": "feels calm", "verify": "有人看"}), vec!["W_JUDGE_UNNAMED"]),
        (
            json!({"assertion": null, "statement": "安静", "verify": "设计师在真机上分别用深浅色查看空态"}),
            vec![],
        ),
        (
            json!({"assertion": null, "statement": "feels calm, objectively", "verify": BY_PERSON}),
            vec!["W_OBJECTIVITY_CLAIMED"],
        ),
        (json!({"statement": "opens objectively"}), vec![]),
        (json!({"statement": "scrolls smoothly"}), vec!["W_WORD_VAGUE"]),
        (json!({"statement": "滑动流畅"}), vec!["W_WORD_VAGUE"]),
        (json!({"statement": "流畅，不超过 800ms"}), vec![]),
        (json!({"statement": "the button reads “快速登录”"}), vec![]),
        (json!({"statement": "scrolls smoothly", "weight": "should"}), vec![]),
        (json!({"covers": null}), vec!["W_CRITERION_UNTIED"]),
        (json!({"statement": "打开很快"}), vec![]),
        (json!({"verify": "see {{ trace }}"}), vec!["W_TEXT_TEMPLATE"]),
        (json!({"statement": "opens\u{202E}"}), vec!["E_TEXT_INVISIBLE"]),
        (json!({"assertion": {"proposed": true}}), vec!["E_ASSERTION_PROPOSED"]),
        (json!({"assertion": {"proposed": false}}), vec![]),
        (json!({"assertion": {"proposed": true}, "weight": "should"}), vec!["E_ASSERTION_PROPOSED"]),
        (json!({"assertion": {"minSamples": null}}), vec!["W_SAMPLES_FEW"]),
        (json!({"assertion": {"minSamples": null}, "weight": "should"}), vec![]),
        (json!({"assertion": {"minSamples": null}, "dimension": "function"}), vec![]),
        (json!({"assertion": {"minSamples": null, "matcher": "eq", "expected": 1, "unit": null}}), vec![]),
        (json!({"assertion": {"minSamples": null, "matcher": "gte", "expected": 55, "unit": "fps"}}), vec![]),
        (approx(12, json!(12)), vec!["E_TOLERANCE_WIDE"]),
        (approx(12, json!("50%")), vec!["E_TOLERANCE_WIDE"]),
        (approx(12, json!(4)), vec!["W_TOLERANCE_WIDE"]),
        (approx(12, json!(1)), vec![]),
        (approx(0, json!(1)), vec![]),
        (approx(1, json!(0.5)), vec![]),
        (json!({"assertion": {"matcher": "ne", "expected": -1}}), vec!["E_ASSERTION_VACUOUS"]),
        (json!({"assertion": {"matcher": "ne", "expected": 0}}), vec![]),
        (
            json!({"assertion": {"matcher": "between", "expected": [0, 100], "unit": "%"}}),
            vec!["E_ASSERTION_VACUOUS"],
        ),
        (json!({"statement": "CPU stays low", "assertion": {"expected": 100, "unit": "%"}}), vec![]),
        (
            json!({"assertion": {"matcher": "gte", "expected": 0, "unit": "ratio"}}),
            vec!["E_ASSERTION_VACUOUS"],
        ),
        (json!({"assertion": {"expected": 1e9}}), vec!["E_ASSERTION_VACUOUS"]),
        (json!({"assertion": {"expected": 1, "unit": "h"}}), vec!["E_ASSERTION_VACUOUS"]),
        (json!({"statement": "exports a year", "assertion": {"expected": 59, "unit": "min"}}), vec![]),
        (
            json!({"statement": "exports a year", "assertion": {"expected": 60, "unit": "min"}}),
            vec!["E_ASSERTION_VACUOUS"],
        ),
        // Nobody waits a minute for a start.
        (json!({"assertion": {"expected": 59, "unit": "min"}}), vec!["E_ASSERTION_VACUOUS"]),
        (
            json!({"statement": "冷启动", "assertion": {"expected": 60, "unit": "s"}}),
            vec!["E_ASSERTION_VACUOUS"],
        ),
        (json!({"statement": "冷启动", "assertion": {"expected": 59, "unit": "s"}}), vec![]),
        (
            json!({"statement": "内存峰值", "assertion": {"expected": 16, "unit": "GiB"}}),
            vec!["E_ASSERTION_VACUOUS"],
        ),
        (json!({"statement": "download size", "assertion": {"expected": 16, "unit": "GiB"}}), vec![]),
        (json!({"verify": "the test account's password is Harmony@24"}), vec!["W_TEXT_PASSWORD"]),
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
        (json!({"assertion": {"aggregate": "p95", "minSamples": 19}}), vec!["W_SAMPLES_FEW"]),
        (json!({"assertion": {"aggregate": "p95", "minSamples": 20}}), vec![]),
        (json!({"assertion": {"aggregate": "p50", "minSamples": 2}}), vec![]),
        (json!({"assertion": {"aggregate": "mean", "minSamples": 1}}), vec!["W_SAMPLES_FEW"]),
        (json!({"assertion": {"aggregate": "max"}}), vec![]),
    ];
    for (changes, expected) in table {
        let pack = pack(json!([person("F-1"), criterion("P-1", changes.clone())]));
        let expected: Vec<String> = expected.iter().map(|code| format!("P-1 {code}")).collect();
        let found: Vec<String> = findings(&pack).into_iter().filter(|line| line.starts_with("P-1")).collect();
        assert_eq!(found, expected, "{changes}");
    }
}

#[test]
fn words_that_only_an_assertion_makes_concrete() {
    let table = [
        ("打开很快", true),
        ("界面很美", true),
        ("操作便捷", true),
        ("触控灵敏", true),
        ("配色协调，过渡自然", true),
        ("The page is responsive", true),
        ("The layout is clean and polished", true),
        ("The result comes soon", true),
        ("快递列表显示运单号", false),
        ("按自然日统计", false),
        ("价格以美元显示", false),
        ("As soon as the key is pressed the list filters", false),
        ("按钮写着“快来”", false),
    ];
    for (statement, is_vague) in table {
        let mut vague = person("F-1");
        merge(&mut vague, json!({"statement": statement}));
        let found = findings(&pack(json!([vague, criterion("P-1", json!({}))])));
        assert_eq!(found == ["F-1 W_WORD_VAGUE"], is_vague, "{statement} {found:?}");
        assert!(is_vague || found.is_empty(), "{statement} {found:?}");
    }
}
