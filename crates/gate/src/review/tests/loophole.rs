//! The loophole table.

use serde_json::json;

use super::*;

fn ways(changes: Value) -> Vec<String> {
    let pack = pack(json!([person("F-1"), criterion("P-1", changes)]));
    let table = with_context(|context| loopholes(&pack, context, Lang::En));
    let [loophole] = table.as_slice() else { panic!("{table:?}") };
    assert_eq!(loophole.criterion, "P-1");
    loophole.ways.iter().map(|way| way.how.clone()).collect()
}

#[test]
fn every_way_has_words_in_it() {
    let layout = |with: Value| json!({"evidence": "screen", "reader": "layout", "with": with});
    let text =
        json!({"matcher": "eq", "expected": "登录", "unit": null, "minSamples": null, "source": "layout"});
    let table = [
        (json!({}), vec!["types a value"]),
        (json!({"assertion": {"source": "in-app"}}), vec!["types a value", "timer inside the app"]),
        (
            json!({"probe": layout(json!({"measure": "text", "node": "id=a", "bundle": "b"})), "assertion": text}),
            vec!["hidden node with the right text", "layer that covers", "is copied"],
        ),
        (
            json!({"probe": layout(json!({"measure": "text", "node": "id=a,visible=true", "bundle": "b"})), "assertion": text}),
            vec!["layer that covers", "is copied"],
        ),
        (
            json!({"probe": layout(json!({"measure": "touchTarget", "node": "id=a"})), "assertion": {"matcher": "gte", "unit": "vp", "source": "layout"}}),
            vec![
                "touch target that is not visible",
                "layer that covers",
                "does not react",
                "another app",
                "is copied",
            ],
        ),
        (
            json!({"probe": {"evidence": "startup", "reader": "trace", "with": {"measure": "between"}}}),
            vec!["marker that the app itself writes", "is copied"],
        ),
        (
            json!({"probe": {"evidence": "startup", "reader": "json"}}),
            vec!["file that the agent wrote", "is copied"],
        ),
        (
            json!({"probe": {"evidence": "startup", "reader": "image"}}),
            vec!["picture of another screen", "is copied"],
        ),
        (
            json!({"probe": {"evidence": "startup", "reader": "axe"}}),
            vec!["rules that are switched off", "is copied"],
        ),
        (
            json!({"probe": {"evidence": "startup", "reader": "k6"}}),
            vec!["a run with little load", "is copied"],
        ),
        (
            json!({"probe": {"evidence": "startup", "reader": "lighthouse"}, "assertion": {"minSamples": null}}),
            vec!["one lucky run", "is copied"],
        ),
        (json!({"assertion": {"aggregate": "any"}}), vec!["one good sample", "types a value"]),
    ];
    for (changes, expected) in table {
        let told = changes.to_string();
        let found = ways(changes);
        assert_eq!(found.len(), expected.len(), "{told}: {found:?}");
        for (way, words) in found.iter().zip(expected) {
            assert!(way.contains(words), "{told}: {way}");
        }
    }
}

#[test]
fn a_criterion_without_an_assertion_has_none() {
    let pack = pack(json!([person("F-1"), criterion("P-1", json!({"heldOut": true}))]));
    let table = with_context(|context| loopholes(&pack, context, Lang::Zh));
    assert_eq!(table.len(), 1);
    assert!(table[0].held_out);
    assert_eq!((table[0].accepted.join(""), table[0].refused.join("")), ("800 ms".into(), "800.1 ms".into()));
}
