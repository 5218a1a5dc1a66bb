//! Statements beside their assertions.

use serde_json::json;

use super::*;

#[test]
fn statements_and_assertions() {
    let ms = |matcher: &str, expected: Value| json!({"matcher": matcher, "expected": expected, "unit": "ms"});
    let vp = |matcher: &str, expected: Value| json!({"matcher": matcher, "expected": expected, "unit": "vp"});
    let bare =
        |matcher: &str, expected: Value| json!({"matcher": matcher, "expected": expected, "unit": null});
    const AGREES: &[&str] = &[];
    const WARNS: &[&str] = &["P-1 W_STATEMENT_DISAGREES"];
    const BLOCKS: &[&str] = &["P-1 E_STATEMENT_CONTRADICTS"];
    const UNIT: &[&str] = &["P-1 E_UNIT_DISAGREES"];
    let at_most = ms("lte", json!(800));
    let table = [
        ("opens", &at_most, AGREES),
        ("opens within 800ms", &at_most, AGREES),
        ("opens within 0.8 s", &at_most, AGREES),
        ("opens in under 800 ms", &at_most, AGREES),
        ("three starts, each within 800 ms", &at_most, AGREES),
        ("3 starts, each ≤ 800 ms", &at_most, AGREES),
        ("八百毫秒以内", &at_most, AGREES),
        ("冷启动 ≤ 800ms (cold start ≤ 800ms)", &at_most, AGREES),
        ("at most 800ms, and 1200ms on old devices", &at_most, AGREES),
        ("opens in 800 ms", &at_most, AGREES),
        ("opens within 900ms", &at_most, WARNS),
        ("冷启动不超过 1 秒", &at_most, WARNS),
        ("opens within 700ms", &at_most, BLOCKS),
        ("冷启动不得超过 500 毫秒", &at_most, BLOCKS),
        ("五百毫秒以内打开", &at_most, BLOCKS),
        ("takes at least 800 ms", &at_most, BLOCKS),
        ("不低于 800ms", &at_most, BLOCKS),
        ("opens within 800 s", &at_most, WARNS),
        ("uses at most 800 MB", &at_most, UNIT),
        ("内存不超过 800MB", &at_most, UNIT),
        ("uses at most 200 MB", &at_most, WARNS),
        ("within 800ms", &ms("lte", json!(8000)), BLOCKS),
        ("within 800ms", &ms("gte", json!(800)), BLOCKS),
        ("within 800ms", &ms("between", json!([0, 800])), AGREES),
        ("within 800ms", &ms("between", json!([100, 800])), WARNS),
        ("within 800ms", &bare("lte", json!(800)), UNIT),
        ("the gap is 12vp", &vp("eq", json!(12)), AGREES),
        ("the gap is 12vp", &vp("eq", json!(16)), BLOCKS),
        ("间距为 12vp", &vp("eq", json!(16)), BLOCKS),
        ("a 24vp icon", &vp("eq", json!(16)), WARNS),
        ("the gap is between 8 and 12vp", &vp("between", json!([8, 12])), AGREES),
        ("间距在 8 到 12vp 之间", &vp("between", json!([8, 12])), AGREES),
        ("间距在 8 到 12vp 之间", &vp("between", json!([4, 16])), BLOCKS),
        ("间距在 8 到 12vp 之间", &vp("between", json!([9, 12])), WARNS),
        ("no smaller than 8vp and no larger than 12vp", &vp("between", json!([8, 12])), AGREES),
        ("at least 8vp, at most 12vp", &vp("between", json!([4, 12])), BLOCKS),
        ("no frame takes longer than 800 ms", &at_most, AGREES),
        ("at least 40vp", &json!({"matcher": "gte", "expected": 40, "unit": "px"}), UNIT),
        ("at least 14fp", &vp("gte", json!(14)), WARNS),
        ("more than 3 items", &bare("gte", json!(3)), WARNS),
        ("more than 3 items", &bare("gt", json!(3)), AGREES),
        ("大于 3 条", &bare("gt", json!(3)), AGREES),
        ("at most 3 items", &bare("lte", json!(5)), BLOCKS),
        ("after 3 taps exactly one toast", &bare("eq", json!(1)), AGREES),
        ("after 3 taps a toast", &bare("eq", json!(1)), WARNS),
        ("2 s after launch both are shown", &bare("eq", json!(2)), AGREES),
        ("at least two buttons", &bare("gte", json!(1)), BLOCKS),
        ("结账不超过三步", &bare("lte", json!(5)), BLOCKS),
        ("超过 1 秒未响应时，800ms 内提示", &at_most, AGREES),
        ("after 3 s the toast is gone", &bare("eq", json!(0)), AGREES),
        ("A start slower than 800ms is a failure.", &at_most, AGREES),
        ("A start slower than 800ms is a failure.", &ms("lte", json!(8000)), BLOCKS),
        ("Anything above 800ms fails.", &at_most, AGREES),
        ("Exceeding 800 ms is not allowed.", &at_most, AGREES),
        ("超过 800ms 的启动不可接受", &at_most, AGREES),
        ("杜绝 800ms 以上的启动", &at_most, AGREES),
        ("No start takes 800ms or more.", &ms("lt", json!(800)), AGREES),
        ("低于 40vp 视为不合格", &vp("gte", json!(40)), AGREES),
        ("低于 40vp 视为不合格", &vp("gte", json!(4)), BLOCKS),
        ("Buttons under 40vp are rejected", &vp("gte", json!(40)), AGREES),
        ("A target smaller than 40vp is a defect", &vp("gte", json!(40)), AGREES),
        (
            "Uploads over 10 MB fail with a message",
            &json!({"matcher": "lte", "expected": 10, "unit": "MB"}),
            AGREES,
        ),
        ("内存不超过 150MB", &json!({"matcher": "lte", "expected": 150, "unit": "MiB"}), WARNS),
        ("内存不超过 150MB", &json!({"matcher": "lte", "expected": 200, "unit": "MiB"}), BLOCKS),
        ("间距大于 8vp 小于 16vp", &vp("between", json!([8, 16])), AGREES),
        ("more than 10 but fewer than 20 rows", &bare("between", json!([11, 19])), AGREES),
        ("more than 10 but fewer than 20 rows", &bare("between", json!([5, 30])), BLOCKS),
        ("比 1000ms 少至少 200ms", &at_most, AGREES),
        ("takes less than twice 400ms", &ms("lt", json!(800)), AGREES),
        ("冷启动不超过一秒半", &ms("lte", json!(1500)), AGREES),
        ("冷启动不超过一秒半，热启动不超过 800ms", &ms("lte", json!(1500)), AGREES),
        ("导入在1分30秒内完成", &ms("lte", json!(90_000)), AGREES),
        ("Loads within 2–3 s", &ms("lte", json!(3000)), AGREES),
        ("< 1 000 ms", &ms("lt", json!(1000)), AGREES),
        ("不存在超过800ms的启动", &at_most, AGREES),
        ("不存在超过800ms的启动", &ms("lte", json!(8000)), BLOCKS),
        ("It is a bug if the start exceeds 800 ms", &at_most, AGREES),
        ("The test fails if the page takes longer than 800 ms", &at_most, AGREES),
        ("It is not acceptable for the start to exceed 800 ms", &at_most, AGREES),
        ("reads 12 of 12", &json!({"matcher": "contains", "expected": "x", "unit": null}), AGREES),
        ("contrast of at least 4.5:1", &json!({"matcher": "gte", "expected": "4.5", "unit": ":1"}), AGREES),
        ("成功率不低于百分之九十五", &json!({"matcher": "gte", "expected": 90, "unit": "%"}), BLOCKS),
    ];
    for (statement, assertion, expected) in table {
        let criterion = criterion(
            "P-1",
            json!({"statement": statement, "dimension": "function", "assertion": assertion}),
        );
        let performance = super::criterion("P-2", json!({}));
        assert_eq!(findings(&pack(json!([criterion, performance]))), expected, "{statement} {assertion}");
    }
}

#[test]
fn a_margin_is_no_threshold() {
    for statement in
        ["the gap is 12vp, give or take at most 1vp", "the gap is 12vp ± 1vp", "间距为 12vp，误差不超过 1vp"]
    {
        let assertion = json!({"matcher": "approx", "expected": 12, "tolerance": 1, "unit": "vp"});
        let criterion = criterion(
            "P-1",
            json!({"statement": statement, "dimension": "function", "assertion": assertion}),
        );
        let performance = super::criterion("P-2", json!({}));
        assert_eq!(findings(&pack(json!([criterion, performance]))), [""; 0], "{statement}");
    }
}

#[test]
fn a_should_never_blocks() {
    let should = criterion("P-1", json!({"statement": "within 80ms", "weight": "should"}));
    let pack = pack(json!([person("F-1"), should, criterion("P-2", json!({}))]));
    assert_eq!(findings(&pack), ["P-1 W_STATEMENT_DISAGREES"]);
}

#[test]
fn statistics_and_their_assertions() {
    const AGREES: &[&str] = &[];
    const WARNS: &[&str] = &["P-1 W_STATEMENT_DISAGREES"];
    const BLOCKS: &[&str] = &["P-1 E_STATEMENT_CONTRADICTS"];
    let table = [
        ("每次冷启动不超过 800ms", "lte", "any", BLOCKS),
        ("All starts take at most 800 ms", "lte", "any", BLOCKS),
        ("冷启动最大值不超过 800ms", "lte", "min", BLOCKS),
        ("启动时间 P95 不超过 800ms", "lte", "median", BLOCKS),
        ("平均启动时间不超过 800ms", "lte", "min", BLOCKS),
        ("每次冷启动不超过 800ms", "lte", "mean", WARNS),
        ("每次冷启动不超过 800ms", "lte", "max", AGREES),
        ("每次冷启动不超过 800ms", "lte", "all", AGREES),
        ("平均启动时间不超过 800ms", "lte", "mean", AGREES),
        ("平均启动时间不超过 800ms", "lte", "max", AGREES),
        ("启动时间 P95 不超过 800ms", "lte", "p95", AGREES),
        ("每页启动时间的 P95 不超过 800ms", "lte", "p95", AGREES),
        ("任一次冷启动不超过 800ms", "lte", "max", AGREES),
        ("每次停留至少 800ms", "gte", "min", AGREES),
        ("每次停留至少 800ms", "gte", "max", BLOCKS),
    ];
    for (statement, matcher, aggregate, expected) in table {
        let assertion = json!({"matcher": matcher, "aggregate": aggregate, "minSamples": 20});
        let criterion = criterion("P-1", json!({"statement": statement, "assertion": assertion}));
        let pack = pack(json!([criterion, person("F-1")]));
        let found = findings(&pack);
        let found: Vec<&String> = found.iter().filter(|found| found.contains("STATEMENT")).collect();
        assert_eq!(found, expected.iter().collect::<Vec<_>>(), "{statement} {aggregate}");
    }
}

#[test]
fn what_is_shown_and_what_is_asserted() {
    const AGREES: &[&str] = &[];
    const WARNS: &[&str] = &["F-1 W_STATEMENT_DISAGREES"];
    const BLOCKS: &[&str] = &["F-1 E_STATEMENT_CONTRADICTS"];
    let presence = |not: bool| (json!({"matcher": "exists", "not": not}), "presence");
    let text = |expected: &str| (json!({"matcher": "eq", "expected": expected}), "text");
    let table = [
        ("The banner is not shown", presence(false), BLOCKS),
        ("The banner is not shown", presence(true), AGREES),
        ("未登录时不显示横幅", presence(false), BLOCKS),
        ("未登录时不显示横幅，显示登录按钮", presence(false), WARNS),
        ("登录后不出现弹窗", presence(true), AGREES),
        ("登录后出现弹窗", presence(false), AGREES),
        ("按钮文字为“登录”", text("注册"), BLOCKS),
        ("按钮文字为“登录”", text("登录"), AGREES),
        ("The button reads \"Sign in\"", text("Log in"), BLOCKS),
        ("按钮文字为“登录”，点击后变为“登录中”", text("登录中"), AGREES),
        ("按钮文字为“登录”", text("立即登录"), WARNS),
    ];
    for (statement, (assertion, measure), expected) in table {
        let mut assertion = assertion;
        merge(&mut assertion, json!({"source": "layout"}));
        let with = json!({"measure": measure, "node": "id=a,visible=true"});
        let probe = json!({"evidence": "screen", "reader": "layout", "with": with});
        let mut criterion = person("F-1");
        merge(&mut criterion, json!({"statement": statement, "assertion": assertion, "probe": probe}));
        let pack = pack(json!([criterion, super::criterion("P-2", json!({}))]));
        assert_eq!(findings(&pack), expected, "{statement} {assertion}");
    }
}
