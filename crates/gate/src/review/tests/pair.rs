//! Two criteria that know nothing of each other.

use serde_json::json;

use super::*;

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
            vec!["P-2 W_ASSERTION_REPEATED"],
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
        (
            pair(
                json!({"probe": probe("a"), "assertion": {"expected": 800}}),
                json!({"probe": probe("a"), "assertion": {"expected": 1, "unit": "s"}}),
            ),
            vec!["P-2 W_ASSERTION_REPEATED"],
        ),
        (
            pair(
                json!({"probe": probe("a"), "assertion": {"expected": 800}}),
                json!({"probe": probe("a"), "weight": "should", "assertion": {"expected": 500}}),
            ),
            vec![],
        ),
        (
            pair(
                json!({"probe": probe("a"), "assertion": {"matcher": "oneOf", "expected": ["登录", "登入"], "unit": null}}),
                json!({"probe": probe("a"), "assertion": {"matcher": "contains", "expected": "注册", "unit": null}}),
            ),
            vec!["P-2 E_ASSERTIONS_CONTRADICT"],
        ),
        (
            pair(
                json!({"probe": probe("a"), "assertion": {"matcher": "eq", "expected": 3, "unit": null}}),
                json!({"probe": probe("a"), "assertion": {"matcher": "ne", "expected": 3, "unit": null}}),
            ),
            vec!["P-2 E_ASSERTIONS_CONTRADICT"],
        ),
        (
            pair(
                json!({"statement": "cold start to first frame ≤ 800ms"}),
                json!({"statement": "cold start to first frame ≥ 1s", "assertion": {"matcher": "gte", "expected": 1, "unit": "s"}}),
            ),
            vec!["P-2 E_ASSERTIONS_CONTRADICT"],
        ),
        (
            pair(
                json!({"statement": "cold start to first frame ≤ 800ms"}),
                json!({"statement": "the splash stays for ≥ 1s", "assertion": {"matcher": "gte", "expected": 1, "unit": "s"}}),
            ),
            vec![],
        ),
        (pair(json!({"statement": "same"}), json!({"statement": "same"})), vec!["P-2 W_STATEMENT_REPEATED"]),
        (
            pair(
                json!({"statement": "A cold start takes at most 800 ms."}),
                json!({"statement": "The cold start must take at most 800ms"}),
            ),
            vec!["P-2 W_STATEMENT_REPEATED"],
        ),
        (
            pair(
                json!({"statement": "冷启动到首帧不超过 800ms"}),
                json!({"statement": "冷启动到首帧应在 800ms 以内"}),
            ),
            vec!["P-2 W_STATEMENT_REPEATED"],
        ),
        (
            pair(json!({"statement": "账号框与密码框出现"}), json!({"statement": "密码框与登录按钮出现"})),
            vec![],
        ),
    ];
    for ((first, second), expected) in table {
        let shown = format!("{first} {second}");
        let pack = pack(json!([person("F-1"), criterion("P-1", first), criterion("P-2", second)]));
        assert_eq!(findings(&pack), expected, "{shown}");
    }
}

#[test]
fn two_criteria_of_one_node() {
    let on = |measure: &str, node: &str, assertion: Value| {
        let with = json!({"measure": measure, "node": node});
        let probe = json!({"evidence": "screen", "reader": "layout", "with": with});
        json!({"dimension": "function", "probe": probe, "assertion": assertion})
    };
    let asks = |matcher: &str, expected: Value, not: bool| json!({"matcher": matcher, "expected": expected, "unit": null, "not": not, "source": "layout"});
    let absent = || asks("exists", Value::Null, true);
    const CONTRADICTS: &[&str] = &["P-2 E_ASSERTIONS_CONTRADICT"];
    let table = [
        (
            on("text", "id=ok,visible=true", asks("eq", json!("登录"), false)),
            on("text", "visible=true, id=ok", asks("eq", json!("登陆"), false)),
            CONTRADICTS,
        ),
        (
            on("count", "id=ok,visible=true", asks("eq", json!(3), false)),
            on("presence", "visible=true,id=ok", absent()),
            CONTRADICTS,
        ),
        (
            on("presence", "id=ok", absent()),
            on("text", "id=ok,visible=true", asks("eq", json!("登录"), false)),
            CONTRADICTS,
        ),
        (
            on("presence", "id=ok,visible=true", absent()),
            on("count", "id=ok,visible=true", asks("eq", json!(0), false)),
            &[],
        ),
        (
            on("presence", "id=other,visible=true", absent()),
            on("text", "id=ok,visible=true", asks("eq", json!("登录"), false)),
            &[],
        ),
    ];
    for (first, second, expected) in table {
        let shown = format!("{first} {second}");
        let performance = criterion("P-3", json!({}));
        let pack = pack(json!([criterion("P-1", first), criterion("P-2", second), performance]));
        assert_eq!(findings(&pack), expected, "{shown}");
    }
}
