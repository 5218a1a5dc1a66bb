//! What authors, auditors and those who waive write: the frozen types, with the other forms that decoding accepts.

use gate::check::{Check, Waiver};
use gate::pack::{Matcher, Pack};
use gate::rules::{RULES, Rule};
use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use super::{generate, readers};

/// A date and a time with a zone, as RFC 3339 writes them; whether there is such a day is for the decoder.
const INSTANT: &str =
    "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$";

/// What one auditor reports on a round: `checks.yaml`, or `checks.<auditor>.yaml`.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape is used")]
struct Checks {
    /// One line a criterion.
    checks: Vec<Check>,
}

/// Honest fails that people answer for until a date: `features/<id>/waivers.yaml`.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape is used")]
struct Waivers {
    /// One a criterion.
    waivers: Vec<Waiver>,
}

/// Answers to findings of the review, in the order in which they were given; the last to a finding holds:
/// `features/<id>/responses.json`.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape is used")]
struct Responses {
    /// One an answer.
    responses: Vec<gate::review::Response>,
}

/// What a model leaves out it often writes as null.
pub(super) fn answer() -> Value {
    let mut schema = generate::<gate::review::ReviewerAnswer>();
    let properties = &mut schema["$defs"]["Objection"]["properties"];
    for name in ["criterion", "fix"] {
        properties[name]["type"] = json!(["string", "null"]);
    }
    let description = properties["kind"]["description"].clone();
    properties["kind"] = json!({
        "description": description,
        "anyOf": [{ "$ref": "#/$defs/Angle" }, { "type": "null" }],
    });
    schema
}

pub(super) fn responses() -> Value {
    or_bare_list(generate::<Responses>(), "Responses", "responses")
}

/// As it is authored, the feature may be left to the name of the folder, and a matcher has aliases.
pub(super) fn pack() -> Value {
    let mut schema = generate::<Pack>();
    schema["required"] = json!(["criteria"]);
    schema["properties"]["criteria"]["minItems"] = json!(1);
    let types = &mut schema["$defs"];
    readers::complete(&mut types["Probe"]);
    types["Matcher"] = matcher(&types["Matcher"]);
    allow_defaults(types);
    or_bare_list(schema, "Pack", "criteria")
}

/// A default rule fills in matcher and threshold together; without one the matcher says whether there is a threshold.
fn allow_defaults(types: &mut Value) {
    types["Assertion"].as_object_mut().unwrap().remove("required");
    let exists = words(Matcher::Exists);
    extend(
        &mut types["Assertion"],
        json!({
            "if": { "properties": { "matcher": { "enum": exists } }, "required": ["matcher"] },
            "then": { "properties": { "expected": false } },
            "else": { "dependentRequired": { "matcher": ["expected"] } },
            "dependentRequired": { "expected": ["matcher"] },
        }),
    );
    let rules = RULES.iter().map(|rule| json!({ "description": told(rule), "const": rule.id }));
    let rule_id = json!({ "anyOf": [{ "oneOf": rules.collect::<Vec<_>>() }, { "type": "string" }] });
    types["Criterion"]["properties"]["ruleId"].as_object_mut().unwrap().remove("type");
    extend(&mut types["Criterion"]["properties"]["ruleId"], rule_id);
    let ids: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
    extend(
        &mut types["Criterion"],
        json!({
            "allOf": [
                {
                    "if": { "properties": { "weight": { "const": "must" } }, "required": ["weight"] },
                    "then": { "required": ["verify"] },
                },
                {
                    "if": { "properties": { "ruleId": { "enum": ids } }, "required": ["ruleId"] },
                    "else": { "properties": { "assertion": { "required": ["matcher"] } } },
                },
            ],
            "dependentRequired": { "probe": ["assertion"] },
        }),
    );
}

/// A default rule in the words of a pack.
fn told(rule: &Rule) -> String {
    let unit = rule.unit.unwrap_or_default();
    let required = format!("{} {}{unit}", rule.matcher.word(), rule.required);
    match rule.advised {
        Some(advised) => format!("must: {required}; should: {} {advised}{unit}", rule.matcher.word()),
        None => required,
    }
}

pub(super) fn checks() -> Value {
    or_bare_list(generate::<Checks>(), "Checks", "checks")
}

pub(super) fn waivers() -> Value {
    let mut schema = generate::<Waivers>();
    schema["$defs"]["Waiver"]["properties"]["expires"]["pattern"] = json!(INSTANT);
    or_bare_list(schema, "Waivers", "waivers")
}

/// The words of each matcher, with what the type says of it.
fn matcher(frozen: &Value) -> Value {
    let choices = frozen["oneOf"].as_array().unwrap().iter().map(|choice| {
        let matcher = Matcher::from_word(choice["const"].as_str().unwrap()).unwrap();
        json!({ "description": choice["description"], "type": "string", "enum": words(matcher) })
    });
    json!({ "description": frozen["description"], "oneOf": choices.collect::<Vec<_>>() })
}

/// The canonical word, then its aliases.
fn words(matcher: Matcher) -> Vec<&'static str> {
    let aliases = Matcher::ALIASES.iter().filter(|(of, _)| *of == matcher);
    let aliases = aliases.flat_map(|(_, aliases)| aliases.iter().copied());
    std::iter::once(matcher.word()).chain(aliases).collect()
}

/// The document is a mapping with a list in it, or the list alone.
fn or_bare_list(mut schema: Value, name: &str, list: &str) -> Value {
    let root = schema.as_object_mut().unwrap();
    let mut types = root.remove("$defs").unwrap();
    let mut mapping = std::mem::take(root);
    let dialect = mapping.remove("$schema").unwrap();
    let description = mapping.remove("description").unwrap();
    let bare = mapping["properties"][list].clone();
    mapping.remove("title");
    types[name] = mapping.into();
    json!({
        "$schema": dialect,
        "description": description,
        "anyOf": [{ "$ref": format!("#/$defs/{name}") }, bare],
        "$defs": types,
    })
}

fn extend(schema: &mut Value, more: Value) {
    let more: Map<String, Value> = more.as_object().cloned().unwrap();
    schema.as_object_mut().unwrap().extend(more);
}
