//! The readers and their parameters, out of the probe crate's own table, so that editors complete them.

use gate::lang::Lang;
use probe::{ParamInfo, ParamKind, ReaderInfo, Words};
use serde_json::{Map, Value, json};

/// Completes the schema of a probe: one of the readers, and under `with` what that reader takes.
pub(super) fn complete(probe: &mut Value) {
    let readers = probe::readers();
    let words = readers
        .iter()
        .map(|reader| json!({ "description": both(reader.purpose), "type": "string", "const": reader.name }));
    probe["properties"]["reader"] = json!({ "description": probe["properties"]["reader"]["description"], "oneOf": words.collect::<Vec<_>>() });
    probe["allOf"] = readers.iter().map(parameters).collect();
}

fn parameters(reader: &ReaderInfo) -> Value {
    let params = reader.params.iter().map(|param| (param.name.to_owned(), parameter(param)));
    let required: Vec<&str> =
        reader.params.iter().filter(|param| param.required).map(|param| param.name).collect();
    let with = json!({
        "properties": params.collect::<Map<_, _>>(),
        "additionalProperties": false,
        "required": required,
    });
    let needed = if required.is_empty() { json!([]) } else { json!(["with"]) };
    json!({
        "if": { "properties": { "reader": { "const": reader.name } }, "required": ["reader"] },
        "then": { "properties": { "with": with }, "required": needed },
    })
}

fn parameter(param: &ParamInfo) -> Value {
    let mut schema = match param.kind {
        ParamKind::Text | ParamKind::Evidence => json!({ "type": "string" }),
        ParamKind::Choice(words) => json!({ "type": "string", "enum": words }),
        ParamKind::Count => json!({ "type": "integer", "minimum": 0 }),
        ParamKind::Number => json!({ "type": "number" }),
    };
    schema["description"] = json!(both(param.meaning));
    schema
}

/// A schema has no language of its own.
fn both(words: Words) -> String {
    format!("{}\n{}", words.pick(Lang::En), words.pick(Lang::Zh))
}
