//! JSON Schemas of the types whose JSON is written by hand; the others derive theirs.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use crate::pack::{Aggregate, Aspect, Scalar};

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

/// Closes a mapping to dimensions and states as its keys.
pub(crate) fn keyed_by_aspect(schema: &mut Schema) {
    let value = schema.remove("additionalProperties").unwrap_or(json!(true));
    let properties: Map<String, Value> =
        Aspect::all().map(|aspect| (aspect.word().to_owned(), value.clone())).collect();
    schema.insert("properties".to_owned(), properties.into());
    schema.insert("additionalProperties".to_owned(), false.into());
}
