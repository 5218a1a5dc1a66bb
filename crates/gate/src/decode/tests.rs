//! Decoding: what is accepted, and every finding at its place.

use serde_json::{Value, json};

use super::*;
use crate::node::Node;
use crate::pack::{Matcher, Weight};

fn criterion(changes: &Value) -> Value {
    let mut base = json!({
        "id": "P-01", "dimension": "performance", "statement": "cold start", "verify": "trace", "weight": "must",
        "assertion": {"matcher": "lte", "expected": 800, "unit": "ms", "source": "trace"},
    });
    for (name, change) in changes.as_object().unwrap() {
        match change {
            Value::String(gone) if gone == "-" => drop(base.as_object_mut().unwrap().remove(name)),
            change => base[name] = change.clone(),
        }
    }
    base
}

/// Decodes in both languages and lists the codes.
fn codes<T>(decode: impl Fn(Lang) -> Decoded<T>) -> Vec<&'static str> {
    let names = |decoded: &Decoded<T>| decoded.problems.iter().map(|p| p.code.name()).collect::<Vec<_>>();
    let (english, chinese) = (decode(Lang::En), decode(Lang::Zh));
    assert_eq!(names(&english), names(&chinese));
    assert_eq!(english.value.is_none(), any_error(&english.problems));
    for (en, zh) in english.problems.iter().zip(&chinese.problems) {
        assert!(en.message != zh.message && !zh.message.is_ascii() && !zh.help.is_ascii(), "{zh:?}");
        let is_fragment =
            |text: &str| !text.ends_with('.') && !text.starts_with(|c: char| c.is_ascii_uppercase());
        assert!(is_fragment(&en.message) && is_fragment(&en.help), "{en:?}");
    }
    names(&english)
}

fn pack_codes(document: &Value) -> Vec<&'static str> {
    let node = Node::from_json(document);
    codes(|lang| pack(&node, "features/login/pack.json", "login", lang))
}

#[test]
fn criteria_of_a_pack() {
    let table = [
        (json!({}), vec![]),
        (json!({"id": ""}), vec!["E_ID_INVALID"]),
        (json!({"id": "a/b"}), vec!["E_ID_INVALID"]),
        (json!({"id": 1}), vec!["E_FIELD_TYPE"]),
        (json!({"id": "-"}), vec!["E_FIELD_MISSING"]),
        (json!({"dimension": "speed"}), vec!["E_VALUE_UNKNOWN"]),
        (json!({"weight": "Must"}), vec!["E_VALUE_UNKNOWN"]),
        (json!({"weight": "-", "statement": "-"}), vec!["E_FIELD_MISSING", "E_FIELD_MISSING"]),
        (json!({"statement": " \u{200b}"}), vec!["E_FIELD_MISSING"]),
        (json!({"statement": "x".repeat(MAX_TEXT + 1)}), vec!["E_LIMIT_LENGTH"]),
        (json!({"verify": "-"}), vec!["E_VERIFY_MISSING"]),
        (json!({"verify": "\u{3000}"}), vec!["E_VERIFY_MISSING"]),
        (json!({"verify": 3}), vec!["E_FIELD_TYPE"]),
        (json!({"verify": "-", "weight": "should"}), vec![]),
        (json!({"covers": ["R-9"]}), vec!["E_REQUIREMENT_UNKNOWN"]),
        (json!({"covers": ["R-1"]}), vec![]),
        (json!({"covers": "R-1"}), vec!["E_FIELD_TYPE"]),
        (json!({"heldOut": "yes"}), vec!["E_FIELD_TYPE"]),
        (json!({"ruleId": null}), vec!["E_FIELD_TYPE"]),
        (json!({"asertion": {}}), vec!["E_FIELD_UNKNOWN"]),
        (json!({"assertion": []}), vec!["E_FIELD_TYPE"]),
        (json!({"assertion": {"expected": 1}}), vec!["E_FIELD_MISSING"]),
        (json!({"assertion": {"matcher": "atmost", "expected": 1}}), vec!["E_MATCHER_UNKNOWN"]),
        (json!({"assertion": {"matcher": "lte"}}), vec!["E_ASSERTION_INVALID"]),
        (json!({"assertion": {"matcher": "lte", "expected": {}}}), vec!["E_FIELD_TYPE"]),
        (json!({"assertion": {"matcher": "lte", "expected": 9007199254740993u64}}), vec!["E_NUMBER_INEXACT"]),
        (json!({"assertion": {"matcher": "lte", "expected": "9007199254740993"}}), vec![]),
        (
            json!({"assertion": {"matcher": "lte", "expected": 1, "aggregate": "p100"}}),
            vec!["E_VALUE_UNKNOWN"],
        ),
        (json!({"assertion": {"matcher": "lte", "expected": 1, "proposed": true}}), vec![]),
        (json!({"assertion": {"matcher": "lte", "expected": 1, "proposed": "yes"}}), vec!["E_FIELD_TYPE"]),
        (json!({"assertion": {"matcher": "lte", "expected": 1, "minSamples": -1}}), vec!["E_FIELD_TYPE"]),
        (json!({"assertion": {"matcher": "lte", "expected": 1, "minSamples": 1.5}}), vec!["E_FIELD_TYPE"]),
        (json!({"assertion": {"matcher": "matches", "expected": "("}}), vec!["E_ASSERTION_INVALID"]),
        (json!({"assertion": "-", "statement": "within 800ms"}), vec!["W_CRITERION_NO_ASSERTION"]),
        (json!({"assertion": "-", "statement": "within 800ms", "weight": "should"}), vec![]),
        (
            json!({"probe": {"evidence": "startup", "reader": "trace", "with": {"nth": 2, "all": true}}}),
            vec![],
        ),
        (json!({"probe": {"evidence": "startup"}}), vec!["E_FIELD_MISSING"]),
        (
            json!({"probe": {"evidence": "startup", "reader": "trace", "with": {"nth": [2]}}}),
            vec!["E_FIELD_TYPE"],
        ),
        (
            json!({"probe": {"evidence": "startup", "reader": "trace"}, "assertion": "-"}),
            vec!["E_FIELD_MISSING"],
        ),
    ];
    for (changes, expected) in table {
        let document =
            json!({"requirements": [{"id": "R-1", "text": "log in"}], "criteria": [criterion(&changes)]});
        assert_eq!(pack_codes(&document), expected, "{changes}");
    }
}

#[test]
fn whole_packs() {
    let sound = criterion(&json!({}));
    let table = [
        (json!([sound]), vec![]),
        (json!({"criteria": [sound]}), vec![]),
        (json!({"feature": "login", "title": "登录", "goal": "g", "criteria": [sound]}), vec![]),
        (json!({"feature": "other", "criteria": [sound]}), vec!["E_FEATURE_NAME"]),
        (json!({"criteria": []}), vec!["E_PACK_EMPTY"]),
        (json!([]), vec!["E_PACK_EMPTY"]),
        (json!({}), vec!["E_FIELD_MISSING"]),
        (json!("pack"), vec!["E_FIELD_TYPE"]),
        (json!(null), vec!["E_FIELD_TYPE"]),
        (json!({"criteria": [sound, sound]}), vec!["E_ID_DUPLICATE"]),
        (json!({"criteria": [1]}), vec!["E_FIELD_TYPE"]),
        (json!({"criteria": [sound], "outOfScope": {"aesthetic": "later"}}), vec![]),
        (json!({"criteria": [sound], "outOfScope": {"beauty": "later"}}), vec!["E_VALUE_UNKNOWN"]),
        (json!({"criteria": [sound], "outOfScope": {"aesthetic": ""}}), vec!["E_FIELD_MISSING"]),
        (
            json!({"criteria": [sound], "requirements": [{"id": "R", "text": "a"}, {"id": "R", "text": "b"}]}),
            vec!["E_ID_DUPLICATE"],
        ),
    ];
    for (document, expected) in table {
        assert_eq!(pack_codes(&document), expected, "{document}");
    }
    let many = vec![sound; MAX_CRITERIA + 1];
    assert!(pack_codes(&json!({ "criteria": many })).contains(&"E_LIMIT_COUNT"));
}

#[test]
fn the_folder_must_be_a_feature() {
    let node = Node::from_json(&json!([criterion(&json!({}))]));
    assert_eq!(codes(|lang| pack(&node, "f", "Login Page", lang)), ["E_FEATURE_NAME"]);
}

#[test]
fn aliases_are_frozen_as_the_canonical_word() {
    let table =
        [("<=", Matcher::Lte), ("不超过", Matcher::Lte), ("lte", Matcher::Lte), ("regex", Matcher::Matches)];
    for (word, matcher) in table {
        let expected = if matcher == Matcher::Matches { json!("a") } else { json!(1) };
        let document = json!([criterion(&json!({"assertion": {"matcher": word, "expected": expected}}))]);
        let authored = pack(&Node::from_json(&document), "f", "login", Lang::En).value.unwrap();
        assert_eq!(authored.pack.criteria[0].assertion.as_ref().map(|a| a.matcher), Some(matcher), "{word}");
    }
}

#[test]
fn the_article_as_it_stands() {
    let document = json!([{
        "id": "P-01", "dimension": "performance", "statement": "Cold start to first frame ≤ 800ms",
        "verify": "ms reported by the startup profiler", "weight": "must", "ruleId": "DW-PERF-01",
        "assertion": {"matcher": "lte", "expected": 800, "unit": "ms", "source": "startup profiler"}
    }]);
    let authored = pack(&Node::from_json(&document), "pack.json", "start", Lang::En).value.unwrap();
    let criterion = &authored.pack.criteria[0];
    assert_eq!((criterion.weight, criterion.rule_id.as_deref()), (Weight::Must, Some("DW-PERF-01")));
    assert_eq!(authored.locations.keys().collect::<Vec<_>>(), ["P-01"]);
    let check = json!([{"criterionId": "P-01", "result": "pass", "evidence": "three cold starts: 700/720/760ms; screenshot artifacts/perf.png", "actual": "720ms"}]);
    assert_eq!(checks(&Node::from_json(&check), "checks.json", Lang::En).value.map(|c| c.len()), Some(1));
}

#[test]
fn a_frozen_pack_reads_back_as_itself() {
    let expected = json!([0.1, 1e21, 100000000000000000000f64, -0.0, 12]);
    let document =
        json!([criterion(&json!({"assertion": {"matcher": "oneOf", "expected": expected, "source": "s"}}))]);
    let frozen = pack(&Node::from_json(&document), "f", "login", Lang::En).value.unwrap().pack;
    let json = crate::canonical::canonical_json(&frozen).unwrap();
    let read: crate::pack::Pack = serde_json::from_slice(&json).unwrap();
    assert_eq!(read, frozen);
    assert_eq!(crate::canonical::digest(&read).unwrap(), crate::canonical::digest(&frozen).unwrap());
}

#[test]
fn checks_files() {
    let table = [
        (json!({"checks": []}), vec![]),
        (json!({"check": []}), vec!["E_FIELD_UNKNOWN", "E_FIELD_MISSING"]),
        (json!([{"criterionId": "a", "result": "pass"}]), vec![]),
        (json!([{"criterionId": "a", "result": "passed"}]), vec!["E_VALUE_UNKNOWN"]),
        (json!([{"criterionId": "a"}]), vec!["E_FIELD_MISSING"]),
        (json!([{"result": "fail"}]), vec!["E_FIELD_MISSING"]),
        (json!([{"criterionId": "a", "result": "pass", "actual": [1, null, "2ms"]}]), vec![]),
        (json!([{"criterionId": "a", "result": "pass", "actual": null}]), vec![]),
        (json!([{"criterionId": "a", "result": "pass", "actual": {}}]), vec!["E_FIELD_TYPE"]),
        (json!([{"criterionId": "a", "result": "pass", "actual": [[1]]}]), vec!["E_FIELD_TYPE"]),
        (
            json!([{"criterionId": "a", "result": "pass", "actual": 9007199254740993u64}]),
            vec!["E_NUMBER_INEXACT"],
        ),
        (json!([{"criterionId": "a", "result": "pass", "evidence": 3}]), vec!["E_FIELD_TYPE"]),
        (
            json!([{"criterionId": "a", "result": "pass", "evidenceRefs": ["evidence/a", "/b"]}]),
            vec!["E_PATH_UNSAFE"],
        ),
        (json!([{"criterionId": "a", "result": "pass", "verdict": "pass"}]), vec!["E_FIELD_UNKNOWN"]),
    ];
    for (document, expected) in table {
        let node = Node::from_json(&document);
        let mut found = codes(|lang| checks(&node, "checks.yaml", lang));
        let mut expected = expected;
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{document}");
    }
}

#[test]
fn waivers_files() {
    let waiver = |name: &str, value: Value| {
        let mut waiver = json!({"criterionId": "P-01", "owner": "Lin", "reason": "old device", "expires": "2026-12-31T00:00:00Z"});
        waiver[name] = value;
        json!([waiver])
    };
    let table = [
        (waiver("owner", json!("林")), vec![]),
        (waiver("expires", json!("2026-12-31T00:00:00+08:00")), vec![]),
        (waiver("expires", json!("2026-12-31T00:00:00.5-03:30")), vec![]),
        (waiver("expires", json!("2026-12-31T00:00:00")), vec!["E_WAIVER_INVALID"]),
        (waiver("expires", json!("2026-12-31")), vec!["E_WAIVER_INVALID"]),
        (waiver("expires", json!("2026-02-30T00:00:00Z")), vec!["E_WAIVER_INVALID"]),
        (waiver("expires", json!("tomorrow")), vec!["E_WAIVER_INVALID"]),
        (waiver("expires", json!(20261231)), vec!["E_FIELD_TYPE"]),
        (waiver("owner", json!(" ")), vec!["E_WAIVER_INVALID"]),
        (waiver("owner", json!(null)), vec!["E_WAIVER_INVALID"]),
        (waiver("reason", json!("\u{200b}")), vec!["E_WAIVER_INVALID"]),
        (waiver("until", json!("x")), vec!["E_FIELD_UNKNOWN"]),
        (json!([{"criterionId": "P-01"}]), vec!["E_WAIVER_INVALID"; 3]),
        (json!({"waivers": []}), vec![]),
    ];
    for (document, expected) in table {
        let node = Node::from_json(&document);
        assert_eq!(codes(|lang| waivers(&node, "waivers.yaml", lang)), expected, "{document}");
    }
    let one = waiver("owner", json!("Lin"))[0].clone();
    let node = Node::from_json(&json!([one, one]));
    assert_eq!(codes(|lang| waivers(&node, "waivers.yaml", lang)), ["E_WAIVER_DUPLICATE"]);
}

#[test]
fn suggestions_are_near() {
    let known = ["matcher", "expected", "unit"];
    let table = [
        ("macher", Some("matcher")),
        ("Matcher", Some("matcher")),
        ("unti", Some("unit")),
        ("foo", None),
        ("", None),
    ];
    for (word, expected) in table {
        assert_eq!(did_you_mean(word, known), expected, "{word}");
    }
}

mod properties {
    use proptest::prelude::*;

    use super::*;
    use crate::node::{Key, Value as Held};
    use crate::problem::Span;

    fn at() -> impl Strategy<Value = Span> {
        (1..9u32, 1..9u32).prop_map(|(line, column)| Span { line, column })
    }

    fn word() -> impl Strategy<Value = String> {
        let known = vec![
            "id",
            "criteria",
            "assertion",
            "matcher",
            "expected",
            "lte",
            "must",
            "performance",
            "weight",
            "statement",
            "dimension",
            "verify",
            "probe",
            "with",
            "evidence",
            "reader",
            "checks",
            "criterionId",
            "result",
            "actual",
            "pass",
            "waivers",
            "owner",
            "reason",
            "expires",
            "covers",
            "requirements",
            "text",
            "outOfScope",
            "unit",
            "aggregate",
            "p95",
            "matches",
            "between",
            "tolerance",
            "(",
            "2027-01-01T00:00:00Z",
        ];
        prop_oneof![8 => prop::sample::select(known).prop_map(str::to_owned), 1 => any::<String>()]
    }

    fn leaf() -> impl Strategy<Value = Held> {
        prop_oneof![
            Just(Held::Null),
            any::<bool>().prop_map(Held::Bool),
            any::<f64>().prop_map(|number| Held::Number(number.to_string())),
            any::<String>().prop_map(Held::Number),
            word().prop_map(Held::Text),
        ]
    }

    fn node() -> impl Strategy<Value = Node> {
        let leaf = (at(), leaf()).prop_map(|(at, value)| Node { at, value });
        leaf.prop_recursive(5, 64, 8, |inner| {
            let list = prop::collection::vec(inner.clone(), 0..6).prop_map(Held::List);
            let key = (at(), word()).prop_map(|(at, name)| Key { at, name });
            let map = prop::collection::vec((key, inner), 0..8).prop_map(Held::Map);
            (at(), prop_oneof![list, map]).prop_map(|(at, value)| Node { at, value })
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

        /// Whatever the document, there is an answer, and it is refused or sound, never both.
        #[test]
        fn decoding_always_answers(node in node()) {
            codes_of(pack(&node, "f", "login", Lang::En))?;
            codes_of(criteria(&node, "f", Lang::Zh))?;
            codes_of(checks(&node, "f", Lang::En))?;
            codes_of(waivers(&node, "f", Lang::Zh))?;
            crate::audit::case::run(&node, Lang::En);
        }

        /// A frozen number is the number that was written, in a form that freezes to itself.
        #[test]
        fn frozen_numbers_are_stable(text in "[-+]?[0-9]{1,20}(\\.[0-9]{1,8})?([eE][-+]?[0-9]{1,3})?") {
            if let Some(frozen) = frozen_number(&text) {
                prop_assert_eq!(frozen_number(&frozen), Some(frozen.clone()));
                prop_assert_eq!(frozen.parse::<f64>().unwrap(), text.parse::<f64>().unwrap());
            }
        }
    }

    fn codes_of<T>(decoded: Decoded<T>) -> Result<(), TestCaseError> {
        prop_assert_eq!(decoded.value.is_none(), any_error(&decoded.problems));
        let places: Vec<_> = decoded.problems.iter().map(|p| (p.at, p.code.name())).collect();
        prop_assert!(places.is_sorted());
        Ok(())
    }
}
