//! The cases of the law: the shared ones where they are at hand, and our own.

use std::path::Path;

use serde::Deserialize;

use super::judge;
use crate::audit::{AssertionVerdict, Scale};
use crate::check::Actual;
use crate::lang::Lang;
use crate::pack::{Assertion, Matcher};

#[derive(Deserialize)]
struct Vectors {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    name: String,
    assertion: serde_json::Value,
    #[serde(default, deserialize_with = "present")]
    actual: Option<Actual>,
    #[serde(default)]
    context: serde_json::Map<String, serde_json::Value>,
    assertion_verdict: AssertionVerdict,
    #[serde(default)]
    why: String,
}

/// Explicit null is a value here; only an absent field is none.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Actual>, D::Error> {
    Actual::deserialize(deserializer).map(Some)
}

fn assertion(mut json: serde_json::Value) -> Assertion {
    let word = json["matcher"].as_str().unwrap().to_owned();
    json["matcher"] = Matcher::from_word(&word).unwrap_or_else(|| panic!("no matcher {word}")).word().into();
    serde_json::from_value(json).unwrap()
}

#[expect(clippy::disallowed_methods, reason = "the vectors are files, and only this test reads them")]
fn run(path: &str) -> Option<usize> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("NO VECTORS at {}: nothing was tested against them", path.display());
        return None;
    };
    let vectors: Vectors = serde_json::from_str(&text).unwrap();
    let mut wrong = Vec::new();
    for case in &vectors.cases {
        let scale_of = |key: &str| case.context.get(key).map(ToString::to_string);
        let scale = Scale { density: scale_of("density"), font_scale: scale_of("fontScale") };
        let assertion = assertion(case.assertion.clone());
        let judgement = judge(&assertion, case.actual.as_ref(), &scale);
        let told = judgement.steps(Lang::En).join("; ");
        assert!(!told.is_empty() && !judgement.steps(Lang::Zh).is_empty(), "{}", case.name);
        if judgement.verdict != case.assertion_verdict {
            let (name, found, wanted, why) =
                (&case.name, judgement.verdict, case.assertion_verdict, &case.why);
            wrong.push(format!("{name}: {found:?}, not {wanted:?} ({told}) {:?} {why}", case.actual));
        }
    }
    assert!(wrong.is_empty(), "{} of {} disagree:\n{}", wrong.len(), vectors.cases.len(), wrong.join("\n"));
    Some(vectors.cases.len())
}

#[test]
fn shared_vectors() {
    run("../../../shared/vectors/assertions.json");
}

#[test]
fn own_vectors() {
    assert!(run("../../tests/vectors/assertions.json").is_some_and(|count| count >= 150));
}
