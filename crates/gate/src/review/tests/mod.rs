//! What attackers find, as tables of pack against pack. Here is what they are built with.

mod criterion;
mod fix;
mod loophole;
mod loosening;
mod node;
mod pack;
mod pair;
mod statement;

use serde_json::{Value, json};

use super::*;
use crate::decode;
use crate::node::Node;

fn document(criteria: Value) -> Value {
    json!({
        "requirements": [{"id": "R-1", "text": "log in"}],
        "outOfScope": {
            "aesthetic": "no design yet", "accessibility": "next feature", "error": "later", "empty": "later",
            "offline": "later", "largeFont": "later", "darkMode": "later", "landscape": "later",
        },
        "criteria": criteria,
    })
}

fn decoded(document: &Value) -> Pack {
    let decoded = decode::pack(&Node::from_json(document), "pack.json", "login", Lang::En);
    decoded.value.unwrap_or_else(|| panic!("{:?}", decoded.problems)).pack
}

fn pack(criteria: Value) -> Pack {
    decoded(&document(criteria))
}

fn with_context<T>(ask: impl FnOnce(&Context<'_>) -> T) -> T {
    let sources = BTreeMap::from([
        ("trace".to_owned(), SourceKind::Independent),
        ("layout".to_owned(), SourceKind::Independent),
        ("in-app".to_owned(), SourceKind::Auxiliary),
    ]);
    let collectors = ["startup trace", "screen layout", "log in-app"].map(|line| {
        let (name, source) = line.split_once(' ').unwrap();
        let collector = Collector { source: source.to_owned(), is_copied: true, is_constant: false };
        (name.to_owned(), collector)
    });
    let (collectors, locations, places) = (BTreeMap::from(collectors), BTreeMap::new(), BTreeMap::new());
    ask(&Context { sources: &sources, collectors: &collectors, locations: &locations, places: &places })
}

fn findings(pack: &Pack) -> Vec<String> {
    let (english, chinese) =
        with_context(|context| (review(pack, context, Lang::En), review(pack, context, Lang::Zh)));
    let codes = |problems: &[Problem]| problems.iter().map(|p| p.code).collect::<Vec<_>>();
    assert_eq!(codes(&english), codes(&chinese));
    english.iter().map(|p| format!("{} {}", p.criterion.as_deref().unwrap_or("-"), p.code.name())).collect()
}

/// A sound criterion with some fields replaced.
fn criterion(id: &str, changes: Value) -> Value {
    let mut base = json!({
        "id": id, "dimension": "performance", "statement": format!("{id} opens"), "verify": "trace",
        "weight": "must", "covers": ["R-1"],
        "assertion": {"matcher": "lte", "expected": 800, "unit": "ms", "minSamples": 3, "source": "trace"},
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
    json!({"id": id, "dimension": "function", "statement": "it logs in", "weight": "must", "covers": ["R-1"],
        "verify": "a tester opens the page on a device and logs in"})
}
