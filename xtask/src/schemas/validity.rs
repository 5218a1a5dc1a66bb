//! Every file that the pipeline reads or writes is valid under its schema.

use std::fs;
use std::path::Path;

use gate::lang::Lang;
use gate::node::{Node, Value as Held};
use serde_json::Value;

use super::{FOLDER, all, repository};
use crate::document;

/// The schema of a file by its name, where it has one. Evidence and Markdown have none.
fn schema_of(name: &str) -> Option<&'static str> {
    let name = name.rsplit('/').next().unwrap_or_default();
    let (stem, extension) = name.rsplit_once('.')?;
    let word = stem.split(['-', '.']).next().unwrap_or_default();
    match (word, extension) {
        ("pack", "json") if stem == "pack.lock" => Some("lock"),
        ("pack", "json" | "yaml") => Some("pack"),
        ("checks", "json" | "yaml") => Some("checks"),
        ("waivers", "json" | "yaml") => Some("waivers"),
        ("responses", "json") => Some("responses"),
        ("pipeline", "yaml") => Some("pipeline"),
        ("ledger", "jsonl") => Some("ledger"),
        ("audit", "json") if stem.ends_with(".intoto") => Some("attestation"),
        ("acceptance" | "rework", "json") => Some("report"),
        (
            "review" | "brief" | "handoff" | "dispatch" | "evidence" | "instant" | "audit" | "state",
            "json",
        ) => all().into_keys().find(|known| *known == word),
        _ => None,
    }
}

/// A text as the project itself reads it.
pub(super) fn read(file: &str, text: &str) -> Value {
    fn value(node: &Node) -> Value {
        match &node.value {
            Held::Null => Value::Null,
            Held::Bool(value) => Value::Bool(*value),
            Held::Number(digits) => serde_json::from_str(digits).unwrap(),
            Held::Text(text) => Value::String(text.clone()),
            Held::List(items) => items.iter().map(value).collect(),
            Held::Map(entries) => entries.iter().map(|(key, node)| (key.name.clone(), value(node))).collect(),
        }
    }
    value(&document::parse(file, text.as_bytes(), Lang::En).unwrap())
}

/// Every file below a folder, by its path within it; folders named `evidence` are left out.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() && name != "evidence" {
            found.extend(files(&path).into_iter().map(|inner| format!("{name}/{inner}")));
        } else if path.is_file() {
            found.push(name);
        }
    }
    found.sort();
    found
}

fn assert_valid(schema: &str, file: &str, instance: &Value) {
    let validator = jsonschema::validator_for(&all()[schema]).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(instance)
        .map(|error| format!("  {}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{file} is not valid under {schema}:\n{}", errors.join("\n"));
}

#[test]
fn the_schemas_are_schemas() {
    for (name, schema) in all() {
        assert!(jsonschema::meta::is_valid(&schema), "{name}");
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
        for word in ["$id", "title", "description"] {
            assert!(schema[word].is_string(), "{name} has no {word}");
        }
    }
}

fn is_report(name: &str) -> bool {
    name.ends_with(".md") || name.ends_with(".html")
}

#[test]
fn what_the_sample_writes_is_valid() {
    for tree in ["tests/snapshots/login-page", "tests/snapshots/login-page-zh"] {
        let folder = repository().join(tree);
        let mut seen = Vec::new();
        let is_artifact = |name: &String| !is_report(name) && name != ".gitattributes";
        for name in files(&folder).into_iter().filter(is_artifact) {
            let schema = schema_of(&name).unwrap_or_else(|| panic!("{name} has no schema"));
            let text = fs::read_to_string(folder.join(&name)).unwrap();
            // Of a file of lines each is a document.
            let documents =
                if name.ends_with(".jsonl") { text.lines().collect() } else { vec![text.as_str()] };
            for document in documents {
                assert_valid(schema, &format!("{tree}/{name}"), &read(&name, document));
            }
            seen.push(schema);
        }
        for schema in
            ["lock", "review", "brief", "dispatch", "evidence", "audit", "report", "checks", "ledger"]
        {
            assert!(seen.contains(&schema), "no {schema} in {tree}");
        }
    }
}

/// What an editor is told in the first line of a file: the file is valid under that schema, which is where it says.
#[test]
fn what_authors_begin_from_is_valid_and_names_its_schema() {
    let table = [
        ("pipeline.yaml", "pipeline.yaml"),
        ("features/login-page/pack.yaml", "features/login-page/pack.yaml"),
        ("xtask/src/commands/starter.en.yaml", "features/new/pack.yaml"),
        ("xtask/src/commands/starter.zh.yaml", "features/new/pack.yaml"),
    ];
    for (file, home) in table {
        let text = fs::read_to_string(repository().join(file)).unwrap();
        let schema = schema_of(home).unwrap();
        assert_valid(schema, file, &read(home, &text));
        let up = "../".repeat(home.matches('/').count());
        let line = format!("# yaml-language-server: $schema={up}{FOLDER}/{schema}.schema.json");
        assert_eq!(text.lines().next(), Some(line.as_str()), "{file}");
    }
}

#[test]
fn recorded_checks_are_valid() {
    let folder = repository().join("features/login-page/recorded");
    let names: Vec<String> =
        files(&folder).into_iter().filter(|name| schema_of(name) == Some("checks")).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    for name in names {
        let text = fs::read_to_string(folder.join(&name)).unwrap();
        assert_valid("checks", &name, &read(&name, &text));
    }
}
