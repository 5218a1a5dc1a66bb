//! A document with places: what YAML and JSON texts become before they are decoded.
//!
//! Text is parsed elsewhere (`xtask/src/document/`), because parsers are heavy and this crate is not. Numbers keep their
//! text, so that nothing is rounded before anyone looks; mappings keep duplicates, so that they can be refused
//! with both places.

use crate::problem::Span;

/// A value and where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Where it begins.
    pub at: Span,
    /// What it is.
    pub value: Value,
}

/// What a node holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `null`, `~`, or nothing at all.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as its text in the document.
    Number(String),
    /// Text.
    Text(String),
    /// A sequence.
    List(Vec<Node>),
    /// A mapping in the document's order, duplicates kept.
    Map(Vec<(Key, Node)>),
}

/// A key of a mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Where it begins.
    pub at: Span,
    /// Its text.
    pub name: String,
}

impl Node {
    /// A parsed JSON value as a document without places, for vectors and tests. Duplicate keys and the digits of
    /// numbers are already lost in it; what an author wrote is read by `xtask/src/document/` instead.
    pub fn from_json(value: &serde_json::Value) -> Node {
        let value = match value {
            serde_json::Value::Null => Value::Null,
            serde_json::Value::Bool(value) => Value::Bool(*value),
            serde_json::Value::Number(number) => Value::Number(number.to_string()),
            serde_json::Value::String(text) => Value::Text(text.clone()),
            serde_json::Value::Array(items) => Value::List(items.iter().map(Node::from_json).collect()),
            serde_json::Value::Object(members) => {
                let entry = |(name, value): (&String, &serde_json::Value)| {
                    (Key { at: Span::default(), name: name.clone() }, Node::from_json(value))
                };
                Value::Map(members.iter().map(entry).collect())
            }
        };
        Node { at: Span::default(), value }
    }
}
