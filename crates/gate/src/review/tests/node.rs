//! Nodes that nobody need see.

use serde_json::json;

use super::*;

#[test]
fn nodes() {
    let layout = |measure: &str, node: &str| json!({"evidence": "screen", "reader": "layout", "with": {"measure": measure, "node": node}});
    let text = |matcher: &str, expected: &str| json!({"matcher": matcher, "expected": expected, "unit": null, "minSamples": null, "source": "layout"});
    let eq = text("eq", "登录");
    let contains = text("contains", "登录");
    const BLOCKS: &[&str] = &["P-1 E_NODE_HIDDEN"];
    const WARNS: &[&str] = &["P-1 W_NODE_UNSEEN"];
    const SILENT: &[&str] = &[];
    let not_contains = json!({"matcher": "contains", "expected": "登录", "not": true, "unit": null,
        "minSamples": null, "source": "layout"});
    let is_true =
        json!({"matcher": "eq", "expected": true, "unit": null, "minSamples": null, "source": "layout"});
    let is_false =
        json!({"matcher": "eq", "expected": false, "unit": null, "minSamples": null, "source": "layout"});
    let touch =
        json!({"matcher": "gte", "expected": 40, "unit": "vp", "minSamples": null, "source": "layout"});
    let table = [
        (layout("text", "id=a"), &eq, WARNS),
        (layout("text", "id=a,visible=true"), &eq, SILENT),
        (layout("text", "visible=true, id=a"), &eq, SILENT),
        (layout("text", "text=\"x,visible=true\""), &eq, WARNS),
        (layout("text", "id=a,visible=false"), &eq, BLOCKS),
        (layout("text", "id=a"), &contains, BLOCKS),
        (layout("text", "id=a,visible=true"), &contains, SILENT),
        (layout("text", "id=a"), &not_contains, SILENT),
        (layout("text", "id=a"), &text("matches", "登录|登入"), BLOCKS),
        (layout("text", "id=a"), &text("matches", "^登录$"), WARNS),
        (layout("accessibleName", "id=a"), &contains, WARNS),
        (layout("presence", "id=a"), &is_true, WARNS),
        (layout("presence", "id=a,visible=false"), &is_true, SILENT),
        (layout("presence", "id=a"), &is_false, SILENT),
        (layout("touchTarget", "id=a"), &touch, WARNS),
        (layout("touchTarget", "id=a,visible=true"), &touch, SILENT),
        (layout("height", "id=a"), &touch, SILENT),
    ];
    for (probe, assertion, expected) in table {
        let told = format!("{probe} {assertion}");
        let criterion =
            criterion("P-1", json!({"dimension": "function", "probe": probe, "assertion": assertion}));
        let performance = super::criterion("P-2", json!({}));
        assert_eq!(findings(&pack(json!([criterion, performance]))), expected, "{told}");
    }
}

/// A width that is read as a height passes whatever the statement says of it.
#[test]
fn sides() {
    const BLOCKS: &[&str] = &["P-1 E_STATEMENT_CONTRADICTS"];
    const SILENT: &[&str] = &[];
    for (statement, measure, expected) in [
        ("The button is 48vp high", "height", SILENT),
        ("The button is 48vp high", "width", BLOCKS),
        ("The button is 48vp wide", "height", BLOCKS),
        ("按钮宽度为 48vp", "height", BLOCKS),
        ("按钮高度为 48vp", "width", BLOCKS),
        ("按钮宽度为 48vp", "width", SILENT),
        ("按钮的宽度和高度都是 48vp", "height", SILENT),
        ("The icon measures 48vp on its sides, the width of a row", "height", SILENT),
        ("The gap below the title is 48vp", "gapVertical", SILENT),
        ("The horizontal gap is 48vp", "gapVertical", BLOCKS),
        ("左右间距 48vp", "gapVertical", BLOCKS),
        ("间距 48vp", "gapHorizontal", SILENT),
        ("The page reads “48vp wide”", "height", SILENT),
    ] {
        let probe = json!({"evidence": "screen", "reader": "layout",
            "with": {"measure": measure, "node": "id=a,visible=true"}});
        let assertion =
            json!({"matcher": "eq", "expected": 48, "unit": "vp", "minSamples": null, "source": "layout"});
        let changes = |weight: &str| {
            json!({"dimension": "function", "statement": statement, "weight": weight,
            "probe": probe, "assertion": assertion})
        };
        let performance = criterion("P-2", json!({}));
        let found = findings(&pack(json!([criterion("P-1", changes("must")), performance])));
        assert_eq!(found, expected, "{statement} {measure}");
        let performance = criterion("P-2", json!({}));
        let found = findings(&pack(json!([criterion("P-1", changes("should")), performance])));
        assert!(!found.iter().any(|line| line.starts_with("P-1 E_")), "{statement} {found:?}");
    }
}
