//! What derived schemas say of Rust and not of the file.

use schemars::Schema;
use serde_json::{Map, Value};

/// Integer widths are no formats of JSON Schema; links between doc comments lead nowhere; and a field that may be left
/// out is never written as null.
pub(super) fn tidy(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    let is_width = |format: &str| format.starts_with("int") || format.starts_with("uint");
    if object.get("format").and_then(Value::as_str).is_some_and(is_width) {
        object.remove("format");
    }
    if let Some(Value::String(text)) = object.get_mut("description") {
        *text = text.replace("[`", "`").replace("`]", "`");
    }
    let required = object.get("required").cloned().unwrap_or_default();
    let is_required =
        |name: &String| required.as_array().is_some_and(|names| names.iter().any(|known| known == name));
    let Some(Value::Object(properties)) = object.get_mut("properties") else { return };
    for (_, property) in properties.iter_mut().filter(|(name, _)| !is_required(name)) {
        if let Value::Object(property) = property {
            refuse_null(property);
        }
    }
}

fn refuse_null(property: &mut Map<String, Value>) {
    if property.get("default") == Some(&Value::Null) {
        property.remove("default");
    }
    if let Some(Value::Array(types)) = property.get_mut("type") {
        types.retain(|word| word != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            property.insert("type".to_owned(), only);
        }
    }
    let Some(Value::Array(choices)) = property.get_mut("anyOf") else { return };
    choices.retain(|choice| choice.get("type") != Some(&Value::from("null")));
    if let [Value::Object(only)] = choices.as_slice() {
        let only = only.clone();
        property.remove("anyOf");
        property.extend(only);
    }
}
