//! JSON Schemas of what goes in and what comes out, from the types.

use std::sync::Arc;

use rmcp::model::JsonObject;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;

/// The schema of arguments.
pub fn input<T: JsonSchema>() -> Arc<JsonObject> {
    object(plain().into_generator().into_root_schema_for::<T>())
}

/// The schema of an answer.
pub fn output<T: JsonSchema>() -> Arc<JsonObject> {
    object(plain().for_serialize().into_generator().into_root_schema_for::<T>())
}

/// `expected` of an assertion.
pub fn expected(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": ["string", "number", "boolean", "array"],
        "items": { "type": ["string", "number"] },
    })
}

/// Without references: some hosts hand schemas to models as they are.
fn plain() -> SchemaSettings {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    settings.with_transform(RecursiveTransform(tidy)).with_transform(RecursiveTransform(without_null))
}

fn object(schema: Schema) -> Arc<JsonObject> {
    let mut schema = schema;
    // The type's name and what it is for the code say nothing to anybody.
    schema.remove("title");
    schema.remove("description");
    let Value::Object(object) = schema.to_value() else { return Arc::default() };
    Arc::new(object)
}

/// Integer widths are no formats of JSON Schema; words are listed without an essay on each; and the table of all codes is
/// `docs/codes.md`.
fn tidy(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    let is_width = |format: &str| format.starts_with("int") || format.starts_with("uint");
    if object.get("format").and_then(Value::as_str).is_some_and(is_width) {
        object.remove("format");
    }
    let words: Option<Vec<Value>> = object
        .get("oneOf")
        .and_then(Value::as_array)
        .and_then(|choices| choices.iter().map(|choice| choice.get("const").cloned()).collect());
    let Some(words) = words else { return };
    object.remove("oneOf");
    object.insert("type".to_owned(), "string".into());
    let is_code = |word: &Value| word.as_str().is_some_and(|word| word.starts_with(['E', 'W']));
    if words.iter().all(is_code) {
        object.insert("pattern".to_owned(), "^[EW]_[A-Z_]+$".into());
    } else {
        object.insert("enum".to_owned(), Value::Array(words));
    }
}

/// What may be left out is left out, and not null.
fn without_null(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    if object.get("default") == Some(&Value::Null) {
        object.remove("default");
    }
    let Some(Value::Array(types)) = object.get_mut("type") else { return };
    types.retain(|word| word != "null");
    if let [only] = types.as_slice() {
        let only = only.clone();
        object.insert("type".to_owned(), only);
    }
}
