//! Packs: everything that decoding and review say of the corpus, whole, in both languages.

use std::collections::BTreeMap;

use gate::audit::SourceKind;
use gate::lang::Lang;
use gate::node::Node;
use gate::review::{Collector, Context, loopholes, review};

use serde_json::{Value, json};

use super::{golden, read, repository, told};

/// What the packs of the corpus measure with, as tests/review.rs has it.
const COLLECTORS: [(&str, &str); 10] = [
    ("startup", "hitrace"),
    ("layout", "layout tree"),
    ("screen", "screenshot"),
    ("scroll", "hitrace"),
    ("memory", "memory service"),
    ("tests", "test runner"),
    ("package", "build"),
    ("syslog", "system log"),
    ("power", "power meter"),
    ("log", "in-app timer"),
];

fn corpus() -> BTreeMap<String, String> {
    let mut packs = BTreeMap::new();
    for folder in ["flawed", "sound"] {
        for entry in std::fs::read_dir(repository().join("tests/fixtures/review").join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            packs.insert(name, read(path));
        }
    }
    packs
}

fn of_pack(name: &str, text: &str, lang: Lang) -> Vec<String> {
    let json: serde_json::Value =
        serde_yaml::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let decoded = gate::decode::pack(&Node::from_json(&json), "pack.yaml", name, lang);
    let mut lines = vec![format!("{name} {lang:?}")];
    lines.extend(told(&decoded.problems));
    let Some(authored) = decoded.value else { return lines };
    let mut sources: BTreeMap<String, SourceKind> =
        COLLECTORS.iter().map(|(_, source)| ((*source).to_owned(), SourceKind::Independent)).collect();
    sources.insert("in-app timer".to_owned(), SourceKind::Auxiliary);
    let collector = |(name, source): &(&str, &str)| {
        let collector = Collector { source: (*source).to_owned(), is_copied: true, is_constant: false };
        ((*name).to_owned(), collector)
    };
    let collectors = COLLECTORS.iter().map(collector).collect();
    let context = Context {
        sources: &sources,
        collectors: &collectors,
        locations: &BTreeMap::new(),
        places: &BTreeMap::new(),
    };
    lines.extend(told(&review(&authored.pack, &context, lang)));
    // Both languages are made of the same parts, and the table is long.
    if lang == Lang::Zh {
        return lines;
    }
    for hole in loopholes(&authored.pack, &context, lang) {
        lines.push(format!("  {}", serde_json::to_string(&hole).unwrap()));
    }
    lines
}

#[test]
fn the_corpus_reviewed() {
    let corpus = corpus();
    let lines = corpus.iter().flat_map(|(name, text)| {
        [Lang::En, Lang::Zh].into_iter().flat_map(move |lang| of_pack(name, text, lang))
    });
    golden("review.txt", &lines.collect::<Vec<_>>());
}

/// A pack with every field that there is.
fn whole() -> Value {
    json!({
        "feature": "login", "title": "Log in", "goal": "people log in",
        "requirements": [{"id": "R-1", "text": "people log in"}],
        "outOfScope": {"aesthetic": "no design yet"},
        "criteria": [
            {"id": "P-01", "dimension": "performance", "statement": "starts in at most 800 ms", "verify": "trace",
             "weight": "must", "covers": ["R-1"], "heldOut": true, "ruleId": "perf.start.complete",
             "assertion": {"matcher": "lte", "expected": 800, "unit": "ms", "source": "hitrace", "not": false,
                           "aggregate": "p95", "minSamples": 20},
             "probe": {"evidence": "startup", "reader": "trace", "with": {"measure": "between", "from": "a", "to": "b"}}},
            {"id": "A-01", "dimension": "accessibility", "statement": "the label says Log in", "verify": "layout",
             "weight": "should", "assertion": {"matcher": "contains", "expected": "Log in", "source": "layout tree"},
             "probe": {"evidence": "layout", "reader": "layout", "with": {"measure": "text", "node": "id=go"}}},
        ],
    })
}

/// Every place in a document.
fn places(value: &Value, path: &str, found: &mut Vec<String>) {
    found.push(path.to_owned());
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, field)| places(field, &format!("{path}/{name}"), found))
        }
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(index, item)| places(item, &format!("{path}/{index}"), found));
        }
        _ => {}
    }
}

#[test]
fn every_field_of_a_wrong_kind() {
    let mut all = Vec::new();
    places(&whole(), "", &mut all);
    let wrong = [
        json!(null),
        json!(true),
        json!(7),
        json!(-0.5),
        json!(1e300),
        json!(""),
        json!(" "),
        json!("x"),
        json!("lt"),
        json!("<b>"),
        json!("最多 3 秒"),
        json!([]),
        json!([1, "a"]),
        json!({}),
        json!({"x": 1}),
        json!("\u{202e}"),
        json!("[a-"),
    ];
    let mut lines = Vec::new();
    for place in all.iter().filter(|place| !place.is_empty()) {
        for replacement in &wrong {
            let mut pack = whole();
            *pack.pointer_mut(place).unwrap() = replacement.clone();
            let decoded = gate::decode::pack(&Node::from_json(&pack), "pack.yaml", "login", Lang::En);
            lines.push(format!(
                "{place} = {}: {}",
                replacement.to_string().escape_default(),
                told(&decoded.problems).join(" |").trim_start()
            ));
        }
    }
    golden("kinds.txt", &lines);
}
