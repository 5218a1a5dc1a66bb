//! JSON Schemas of the types whose JSON is written by hand; the others derive theirs.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use crate::pack::{Aggregate, Dimension, Scalar};

impl JsonSchema for Scalar {
    fn schema_name() -> Cow<'static, str> {
        "Scalar".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Text, a number or a boolean. A number that JSON decoders would round goes in quotes.",
            "type": ["string", "number", "boolean"],
        })
    }
}

impl JsonSchema for Aggregate {
    fn schema_name() -> Cow<'static, str> {
        "Aggregate".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let named = [
            Aggregate::All,
            Aggregate::Any,
            Aggregate::Min,
            Aggregate::Max,
            Aggregate::Mean,
            Aggregate::Median,
            Aggregate::Sum,
            Aggregate::Count,
        ];
        json_schema!({
            "description": "How several samples become one answer.",
            "anyOf": [
                { "type": "string", "enum": named.map(Aggregate::word) },
                { "description": "The nearest-rank percentile.", "type": "string", "pattern": "^p[1-9][0-9]?$" },
            ],
        })
    }
}

/// Closes a mapping to the four dimensions as its keys.
pub(crate) fn keyed_by_dimension(schema: &mut Schema) {
    let value = schema.remove("additionalProperties").unwrap_or(json!(true));
    let word = |dimension| match serde_json::to_value(dimension) {
        Ok(Value::String(word)) => Some((word, value.clone())),
        _ => None,
    };
    let properties: Map<String, Value> = Dimension::ALL.into_iter().filter_map(word).collect();
    schema.insert("properties".to_owned(), properties.into());
    schema.insert("additionalProperties".to_owned(), false.into());
}
