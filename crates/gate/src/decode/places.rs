//! Where the fields of each criterion stand, so that a finding can point at the one that it is about.

use std::collections::BTreeMap;

use crate::node::{Node, Value};
use crate::problem::Span;

/// By criterion: where the value of each field begins, by its path, such as `assertion.expected`.
pub type Places = BTreeMap<String, BTreeMap<String, Span>>;

/// The places in criteria that are decoded already: an item without an id that is text has none.
pub(super) fn places(items: &[Node]) -> Places {
    let mut found = Places::new();
    for item in items {
        if let Some(id) = id(item) {
            let mut fields = BTreeMap::new();
            walk(item, "", &mut fields);
            // Of ids that are there twice the pack is refused anyway.
            found.entry(id.to_owned()).or_insert(fields);
        }
    }
    found
}

/// The criterion of an id, as it stands in a document.
pub fn criterion_node<'n>(document: &'n Node, wanted: &str) -> Option<&'n Node> {
    super::pack::items_of(document).iter().find(|item| id(item) == Some(wanted))
}

fn id(item: &Node) -> Option<&str> {
    let Value::Map(entries) = &item.value else { return None };
    match &entries.iter().find(|(key, _)| key.name == "id")?.1.value {
        Value::Text(id) => Some(id),
        _ => None,
    }
}

fn walk(node: &Node, path: &str, found: &mut BTreeMap<String, Span>) {
    let Value::Map(entries) = &node.value else { return };
    for (key, value) in entries {
        let inner = if path.is_empty() { key.name.clone() } else { format!("{path}.{}", key.name) };
        walk(value, &inner, found);
        found.insert(inner, value.at);
    }
}
