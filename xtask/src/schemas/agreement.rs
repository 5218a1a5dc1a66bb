//! Schemas and decoders agree: what decoding refuses for its shape, the schema refuses, and what decoding accepts, the
//! schema accepts.
//!
//! Each sample holds every field. It is spoiled at every place in every way, and both are asked.

use std::collections::BTreeSet;
use std::fs;

use gate::code::Code;
use gate::decode;
use gate::lang::Lang;
use gate::node::Node;
use gate::problem::{Problem, any_error};
use probe::ParamError;
use serde_json::{Value, json};

use super::{all, repository, samples};
use crate::documents::{AuditFile, Brief, Dispatch, Evidence, Lock, Report, Review};

/// What a schema can see; the other codes are about what fields mean together.
const SHAPE: [Code; 8] = [
    Code::FieldType,
    Code::FieldMissing,
    Code::FieldUnknown,
    Code::ValueUnknown,
    Code::MatcherUnknown,
    Code::StageUnknown,
    Code::VerifyMissing,
    Code::WaiverInvalid,
];

/// A word that is near none.
const NO_WORD: &str = "zzzzzzzzzzzzzzzzzzzz";

type Decode = fn(&Node) -> Vec<Problem>;

fn authored() -> [(&'static str, Value, Decode); 6] {
    [
        ("pack", samples::pack(), pack_problems),
        ("checks", samples::checks(), |node| decode::checks(node, "checks.yaml", Lang::En).problems),
        ("waivers", samples::waivers(), |node| decode::waivers(node, "waivers.yaml", Lang::En).problems),
        ("responses", samples::responses(), |node| decode::responses(node, "r.json", Lang::En).problems),
        ("answer", samples::answer(), answer_problems),
        ("pipeline", samples::pipeline(), |node| crate::pipeline::decode::pipeline(node, Lang::En).problems),
    ]
}

/// Which criteria there are is not for a schema to know.
fn answer_problems(node: &Node) -> Vec<Problem> {
    let known = ["P-01", NO_WORD];
    let problems = decode::reviewer_answer(node, &known, "answer.json", Lang::En).problems;
    let is_of_shape = |problem: &Problem| !problem.message.starts_with("the pack holds no criterion");
    problems.into_iter().filter(is_of_shape).collect()
}

/// Freezing asks the readers as well: what is wrong with a name, a word or a type under `with` is a matter of shape.
fn pack_problems(node: &Node) -> Vec<Problem> {
    let decoded = decode::pack(node, "pack.yaml", "login", Lang::En);
    let mut problems = decoded.problems;
    let criteria = decoded.value.map(|authored| authored.pack.criteria).unwrap_or_default();
    for probe in criteria.iter().filter_map(|criterion| criterion.probe.as_ref()) {
        for error in probe::check_params(&probe.reader, &probe.with) {
            let code = match error {
                ParamError::Unused { .. }
                | ParamError::Invalid { .. }
                | ParamError::Missing { needed_by: Some(_), .. } => Code::ProbeInvalid,
                _ => Code::ValueUnknown,
            };
            problems.push(Problem::new(code, error.explain(Lang::En), ""));
        }
    }
    problems
}

/// Every place in a document, as a JSON pointer.
fn places(value: &Value) -> Vec<String> {
    let children: Vec<(String, &Value)> = match value {
        Value::Array(items) => {
            items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect()
        }
        Value::Object(members) => members.iter().map(|(name, member)| (name.clone(), member)).collect(),
        _ => Vec::new(),
    };
    let below = children.iter().flat_map(|(name, child)| {
        let name = name.replace('~', "~0").replace('/', "~1");
        places(child).into_iter().map(move |place| format!("/{name}{place}"))
    });
    std::iter::once(String::new()).chain(below).collect()
}

/// The document with one thing wrong at a place: another value, a field too many, a field too few.
fn spoiled(document: &Value, place: &str, values: &[Value]) -> Vec<Value> {
    let change = |change: &dyn Fn(&mut Value)| {
        let mut spoiled = document.clone();
        change(spoiled.pointer_mut(place).unwrap());
        spoiled
    };
    let mut found: Vec<Value> = values.iter().map(|value| change(&|at| *at = value.clone())).collect();
    if let Some(members) = document.pointer(place).and_then(Value::as_object) {
        found.push(change(&|at| at[NO_WORD] = json!(0)));
        found.extend(members.keys().map(|name| change(&|at| drop(at.as_object_mut().unwrap().remove(name)))));
    }
    found
}

fn told(problems: &[Problem]) -> String {
    problems.iter().map(|problem| format!("  {} {}\n", problem.code.name(), problem.message)).collect()
}

#[test]
fn what_decoding_says_of_authored_files_their_schemas_say() {
    let values = [
        json!(null),
        json!(true),
        json!(0),
        json!(1.5),
        json!(11),
        json!(101),
        json!(-1),
        json!(NO_WORD),
        json!([]),
        json!([[]]),
        json!({}),
    ];
    for (name, sample, decode) in authored() {
        let validator = jsonschema::validator_for(&all()[name]).unwrap();
        let sound = decode(&Node::from_json(&sample));
        assert!(sound.is_empty(), "the sample of {name} is unsound:\n{}", told(&sound));
        for place in places(&sample) {
            for document in spoiled(&sample, &place, &values) {
                let problems = decode(&Node::from_json(&document));
                // Whether a source is declared elsewhere in the file is no matter of shape.
                let is_shape = |problem: &Problem| {
                    SHAPE.contains(&problem.code) && !problem.message.contains("does not declare")
                };
                let valid = validator.is_valid(&document);
                let said = told(&problems);
                assert!(
                    !problems.iter().any(is_shape) || !valid,
                    "{name}: {place}: accepted: {document}\n{said}"
                );
                assert!(any_error(&problems) || valid, "{name}: {place}: refused: {document}");
            }
        }
    }
}

/// The fields and words that decoders name when they meet one that they do not know are those of the schemas.
#[test]
fn fields_and_words_are_those_of_the_decoders() {
    for (name, sample, decode) in authored() {
        let schema = &all()[name];
        let (mut fields, mut words) = (BTreeSet::new(), BTreeSet::new());
        for place in places(&sample) {
            for document in spoiled(&sample, &place, &[json!(NO_WORD)]) {
                for problem in decode(&Node::from_json(&document)) {
                    let Some(list) = problem.help.strip_prefix("write one of: ") else { continue };
                    let list: BTreeSet<String> = list.split(", ").map(str::to_owned).collect();
                    match problem.code {
                        Code::FieldUnknown => fields.insert(list),
                        Code::ValueUnknown if !problem.message.contains("aggregate") => words.insert(list),
                        _ => continue,
                    };
                }
            }
        }
        let closed: BTreeSet<_> = closed_mappings(schema).into_iter().collect();
        // Dimensions and states are fields of `outOfScope`, and words of a finding on it.
        assert_eq!(fields, closed.difference(&words).cloned().collect(), "{name}");
        let lists = word_lists(schema);
        for list in &words {
            let is_known = lists.contains(list) || closed.contains(list);
            assert!(is_known, "{name}: {list:?} in none of {lists:?}");
        }
    }
}

fn objects(schema: &Value) -> Vec<&Value> {
    places(schema)
        .iter()
        .filter_map(|place| schema.pointer(place))
        .filter(|value| value.is_object())
        .collect()
}

fn closed_mappings(schema: &Value) -> Vec<BTreeSet<String>> {
    // What a reader takes under `with` is added to the type of a mapping, and has none of its own.
    let is_closed = |object: &&Value| object["type"] == "object" && object["additionalProperties"] == false;
    let closed = objects(schema).into_iter().filter(is_closed);
    closed.map(|object| object["properties"].as_object().unwrap().keys().cloned().collect()).collect()
}

fn word_lists(schema: &Value) -> BTreeSet<BTreeSet<String>> {
    let text = |word: &Value| word.as_str().map(str::to_owned);
    let lists = objects(schema).into_iter().filter_map(|object| match (&object["enum"], &object["oneOf"]) {
        (Value::Array(words), _) => words.iter().map(text).collect(),
        (_, Value::Array(choices)) => choices.iter().map(|choice| text(&choice["const"])).collect(),
        _ => None,
    });
    lists.collect()
}

/// Forms that authors may choose between.
#[test]
fn every_form_that_decoding_accepts_is_valid() {
    let mut table = vec![
        ("pack", json!([{ "id": "F-1", "dimension": "function", "statement": "s", "weight": "should" }])),
        ("checks", json!([])),
        ("checks", json!({ "checks": [] })),
        ("checks", json!([{ "criterionId": "P-01", "result": "pass" }])),
        ("checks", json!([{ "criterionId": "P-01", "result": "pass", "actual": true }])),
        ("checks", json!([{ "criterionId": "P-01", "result": "pass", "actual": [] }])),
        ("waivers", json!([])),
        ("waivers", json!({ "waivers": [] })),
    ];
    let assertion = |assertion: Value| {
        let mut pack = samples::pack();
        pack["criteria"][1]["assertion"] = assertion;
        ("pack", pack)
    };
    for word in gate::pack::Matcher::words() {
        let (matcher, mut judged) =
            (gate::pack::Matcher::from_word(word).unwrap().word(), json!({ "matcher": word }));
        match matcher {
            "exists" => {}
            "between" | "oneOf" => judged["expected"] = json!([1, 2]),
            "contains" | "matches" => judged["expected"] = json!("a"),
            _ => judged["expected"] = json!(1),
        }
        if matcher == "approx" {
            judged["tolerance"] = json!(0.5);
        }
        table.push(assertion(judged));
    }
    for word in ["all", "any", "min", "max", "mean", "median", "sum", "count", "p1", "p9", "p10", "p99"] {
        table.push(assertion(json!({ "matcher": "lte", "expected": 1, "aggregate": word })));
    }
    for (name, document) in table {
        let (_, _, decode) = authored().into_iter().find(|(known, ..)| *known == name).unwrap();
        let problems = decode(&Node::from_json(&document));
        assert!(!any_error(&problems), "{document}\n{}", told(&problems));
        assert!(jsonschema::is_valid(&all()[name], &document), "{name}: {document}");
    }
}

#[test]
fn words_that_no_decoder_knows_are_refused() {
    for word in ["atmost", "LTE", "<==", "", "至多 "] {
        let mut document = samples::pack();
        document["criteria"][1]["assertion"]["matcher"] = json!(word);
        assert!(!jsonschema::is_valid(&all()["pack"], &document), "matcher {word}");
    }
    for word in ["p0", "p100", "p05", "P95", "average", ""] {
        let mut document = samples::pack();
        document["criteria"][1]["assertion"]["aggregate"] = json!(word);
        assert!(!jsonschema::is_valid(&all()["pack"], &document), "aggregate {word}");
    }
    // A frozen pack has the canonical words alone.
    let mut lock = golden("pack.lock.json");
    lock["pack"]["criteria"][0]["assertion"]["matcher"] = json!("<=");
    assert!(!jsonschema::is_valid(&all()["lock"], &lock));
}

fn golden(path: &str) -> Value {
    let file = repository().join("tests/snapshots/login-page").join(path);
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

/// The document with a few items of each list: more of a kind would be spoiled in the same ways.
fn shortened(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().take(2).map(shortened).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(name, member)| (name, shortened(member))).collect()
        }
        other => other,
    }
}

/// An artifact's decoder is its type: whatever it reads is valid, and whatever it refuses is not. Of what it reads and
/// nothing writes, null for what is left out, nothing is said here.
#[test]
fn what_artifacts_decode_from_is_valid() {
    fn reads<T: serde::de::DeserializeOwned>(document: &Value) -> bool {
        T::deserialize(document).is_ok()
    }
    type Reads = fn(&Value) -> bool;
    let table: [(&str, &str, Reads); 7] = [
        ("lock", "pack.lock.json", reads::<Lock>),
        ("review", "review.json", reads::<Review>),
        ("brief", "round-2/brief.json", reads::<Brief>),
        ("dispatch", "round-2/dispatch.json", reads::<Dispatch>),
        ("evidence", "round-2/evidence.json", reads::<Evidence>),
        ("audit", "audit-1.json", reads::<AuditFile>),
        ("report", "rework-1.json", reads::<Report>),
    ];
    let values = [json!(NO_WORD), json!(1.5), json!({})];
    for (name, path, reads) in table {
        let validator = jsonschema::validator_for(&all()[name]).unwrap();
        let document = shortened(golden(path));
        // The version of the format decides which schema holds.
        for place in places(&document).into_iter().filter(|place| !place.ends_with("/format")) {
            for spoiled in spoiled(&document, &place, &values) {
                let read = reads(&spoiled);
                let spoiled_at = spoiled.pointer(&place);
                assert_eq!(validator.is_valid(&spoiled), read, "{name}: {place}: {spoiled_at:?}");
            }
        }
    }
}
