//! The JSON Schemas in `docs/schemas/`: generated from the types, and held against everything that decodes.
//!
//! An artifact's schema is that of its type. What an author writes has more forms than what is frozen: [`authored`] adds
//! them to the frozen types, and [`pipeline`] has types of its own, because a pipeline is never frozen.

mod agreement;
mod authored;
mod pipeline;
mod readers;
mod samples;
mod tidy;
mod validity;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde_json::{Value, json};

use crate::attestation::envelope::Envelope;
use crate::documents::{
    AUDIT_FORMAT, AuditFile, AuditorRun, Brief, Dispatch, Evidence, FORMAT, Handoff, Instant, LOCK_FORMAT,
    Lock, Report, Review, ReviewerRun, Settlements,
};
use crate::ledger::chain::Line;
use crate::pipeline::state::State;
use crate::progress::Record;
use crate::store;

/// Where they are committed.
const FOLDER: &str = "docs/schemas";
/// Set to anything, it makes the test write the schemas instead of comparing them.
const UPDATE: &str = "UPDATE_SCHEMAS";

/// Every schema by its name: `docs/schemas/<name>.schema.json`.
fn all() -> BTreeMap<&'static str, Value> {
    BTreeMap::from([
        ("pack", published("pack", "Acceptance pack", authored::pack())),
        ("checks", published("checks", "Checks of an auditor", authored::checks())),
        ("waivers", published("waivers", "Waivers", authored::waivers())),
        ("pipeline", published("pipeline", "Delivery pipeline", pipeline::schema())),
        ("responses", published("responses", "What people answered to a review", authored::responses())),
        ("answer", published("answer", "Answer of a reviewer", authored::answer())),
        ("lock", artifact_of::<Lock>("lock", "Frozen pack", LOCK_FORMAT)),
        ("review", artifact::<Review>("review", "Review of a pack")),
        ("reviewer", artifact::<ReviewerRun>("reviewer", "Question to a reviewer that is a program")),
        ("brief", artifact::<Brief>("brief", "Goal brief")),
        ("handoff", artifact::<Handoff>("handoff", "Hand-off to a person")),
        ("dispatch", artifact::<Dispatch>("dispatch", "Dispatch of a round")),
        ("evidence", artifact::<Evidence>("evidence", "Evidence of a round")),
        ("instant", artifact::<Instant>("instant", "Instant of an audit")),
        ("audit", artifact_of::<AuditFile>("audit", "Audit of a round", AUDIT_FORMAT)),
        ("auditor", artifact::<AuditorRun>("auditor", "Answer of an auditor that is a program")),
        ("report", artifact_of::<Report>("report", "Acceptance report or rework order", AUDIT_FORMAT)),
        ("event", artifact::<Record>("event", "Event of a run")),
        ("settlements", artifact::<Settlements>("settlements", "What people settled")),
        ("ledger", artifact::<Line>("ledger", "Line of a ledger")),
        ("attestation", published("attestation", "Signed statement of an audit", generate::<Envelope>())),
        ("state", artifact::<State>("state", "Record of stages")),
    ])
}

fn artifact<T: JsonSchema>(name: &str, title: &str) -> Value {
    artifact_of::<T>(name, title, FORMAT)
}

fn artifact_of<T: JsonSchema>(name: &str, title: &str, format: u32) -> Value {
    let mut schema = generate::<T>();
    schema["properties"]["format"] = json!({
        "description": "The version of the format of this artifact.",
        "const": format,
    });
    numbered(name, title, schema, format)
}

/// Names a schema. Its id is a URN: it stands for the format, wherever the file is kept.
fn published(name: &str, title: &str, schema: Value) -> Value {
    numbered(name, title, schema, FORMAT)
}

fn numbered(name: &str, title: &str, mut schema: Value, format: u32) -> Value {
    schema["$id"] = json!(format!("urn:delivery-gate:schema:{name}:{format}"));
    schema["title"] = json!(title);
    schema
}

fn generate<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with_transform(RecursiveTransform(tidy::tidy));
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// The root of this repository.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

#[test]
fn the_committed_schemas_are_fresh() {
    let folder = repository().join(FOLDER);
    let mut expected = BTreeMap::new();
    for (name, schema) in all() {
        let bytes = store::json_bytes(&schema).unwrap_or_default();
        expected.insert(format!("{name}.schema.json"), String::from_utf8(bytes).unwrap());
    }
    if std::env::var_os(UPDATE).is_some() {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in &expected {
            fs::write(folder.join(name), text).unwrap();
        }
    }
    let mut committed = BTreeMap::new();
    for entry in fs::read_dir(&folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
        committed.insert(path.file_name().unwrap().to_str().unwrap().to_owned(), text);
    }
    let names = |texts: &BTreeMap<String, String>| texts.keys().cloned().collect::<Vec<_>>();
    let command = format!("run {UPDATE}=1 cargo test --workspace schemas");
    assert_eq!(names(&committed), names(&expected), "{FOLDER} is out of date: {command}");
    for (name, text) in &expected {
        assert!(committed.get(name) == Some(text), "{FOLDER}/{name} is out of date: {command}");
    }
}
