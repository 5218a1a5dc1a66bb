//! An entry in settings that are somebody's: put in and taken out, and nothing else is touched, comments and blanks
//! included.

use gate::code::Code;
use gate::lang::Lang;
use gate::problem::Problem;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstRootNode};
use serde_json::Value;

use super::host::{PROGRAM, SERVER};
use crate::ending::Ending;
use crate::failure::{Failure, Result};

/// What becomes of settings.
#[derive(Debug, PartialEq, Eq)]
pub enum Edit {
    /// They have what is wanted.
    Same,
    /// Something else stands there, which is not ours to change.
    Taken,
    /// They become this.
    Becomes(String),
    /// They held nothing but ours.
    Empty,
}

/// Puts the server's entry below a field.
pub fn with(text: &str, file: &str, field: &str, entry: &Value, lang: Lang) -> Result<Edit> {
    let root = parse(text, file, lang)?;
    let servers = root.object_value_or_create().and_then(|object| object.object_value_or_create(field));
    let Some(servers) = servers else { return Ok(Edit::Taken) };
    if let Some(there) = servers.get(SERVER) {
        let is_same = there.value().and_then(|value| value.to_serde_value()).as_ref() == Some(entry);
        return Ok(if is_same { Edit::Same } else { Edit::Taken });
    }
    servers.append(SERVER, input(entry));
    Ok(Edit::Becomes(root.to_string()))
}

/// Takes the server's entry out, if it is ours.
pub fn without(text: &str, file: &str, field: &str, lang: Lang) -> Result<Edit> {
    let root = parse(text, file, lang)?;
    let Some(object) = root.object_value() else { return Ok(Edit::Same) };
    let Some(servers) = object.object_value(field) else { return Ok(Edit::Same) };
    let Some(entry) = servers.get(SERVER) else { return Ok(Edit::Same) };
    if !entry.to_string().contains(PROGRAM) {
        return Ok(Edit::Taken);
    }
    entry.remove();
    if servers.properties().is_empty()
        && let Some(field) = object.get(field)
    {
        field.remove();
    }
    let left: String = root.to_string().split_whitespace().collect();
    Ok(if left == "{}" { Edit::Empty } else { Edit::Becomes(root.to_string()) })
}

fn parse(text: &str, file: &str, lang: Lang) -> Result<CstRootNode> {
    // What a host reads leniently it may keep; what even that does not read is left alone.
    CstRootNode::parse(text, &ParseOptions::default()).map_err(|error| {
        let problem = Problem::new(Code::Syntax, error.to_string(), Code::Syntax.help(lang)).in_file(file);
        Failure::one(Ending::InvalidInput, problem)
    })
}

/// The value as it is put in.
fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(value) => CstInputValue::Number(value.to_string()),
        Value::String(value) => CstInputValue::String(value.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(input).collect()),
        Value::Object(fields) => {
            CstInputValue::Object(fields.iter().map(|(name, value)| (name.clone(), input(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entry() -> Value {
        json!({ "type": "local", "command": ["gate-mcp"], "enabled": true })
    }

    fn put_in(text: &str) -> Edit {
        with(text, "f", "mcp", &entry(), Lang::En).unwrap()
    }

    fn took_out(text: &str) -> Edit {
        without(text, "f", "mcp", Lang::En).unwrap()
    }

    /// Comments, blanks, order and commas of somebody's settings.
    const SETTINGS: [&str; 5] = [
        "{\n  // what we use\n  \"model\": \"a/b\", // for now\n\n  \"mcp\": {\n    \"other\": { \"type\": \"remote\" }\n  }\n}\n",
        "{\n\t\"z\": 1,\n\t\"a\": [1, 2], /* kept */\n}\n",
        "{\r\n  \"model\": \"模型\"\r\n}\r\n",
        "// only a comment\n{\n  \"permission\": { \"edit\": \"ask\" }\n}",
        "{\n  \"mcp\": {\n    \"a\": {},\n    // the last\n    \"b\": {}\n  },\n  \"x\": null\n}\n",
    ];

    #[test]
    fn what_is_put_in_comes_out_and_nothing_else_changes() {
        for before in SETTINGS {
            let Edit::Becomes(after) = put_in(before) else { panic!("{before}") };
            let value: Value = parse(&after, "f", Lang::En).unwrap().to_serde_value().unwrap();
            assert_eq!(value["mcp"]["gate"], entry(), "{after}");
            assert_eq!(put_in(&after), Edit::Same, "{after}");
            assert_eq!(took_out(&after), Edit::Becomes(before.to_owned()), "{after}");
        }
    }

    #[test]
    fn settings_that_hold_only_ours_go() {
        for empty in ["", "{}", "{\n}\n"] {
            let Edit::Becomes(after) = put_in(empty) else { panic!("{empty}") };
            assert_eq!(took_out(&after), Edit::Empty, "{after}");
        }
    }

    #[test]
    fn what_is_somebody_elses_stays() {
        for taken in ["{\"mcp\": {\"gate\": {\"command\": [\"other\"]}}}", "{\"mcp\": 3}", "[]"] {
            assert_eq!(put_in(taken), Edit::Taken, "{taken}");
        }
        assert_eq!(took_out("{\"mcp\": {\"gate\": {\"command\": [\"other\"]}}}"), Edit::Taken);
        assert_eq!(took_out("{\"a\": 1}"), Edit::Same);
        assert!(with("{ \"a\": ", "f", "mcp", &entry(), Lang::En).is_err());
    }
}
