//! One value of a text changed where it stands, with every comment and all layout left as they are.
//!
//! A text is cut by the places of its nodes, and never written anew. What cannot be cut for certain is refused: whoever edits
//! reads the text again and holds it against what was meant.

use gate::node::{Key, Node, Value};
use gate::pack::Scalar;
use gate::problem::Span;

/// A piece of a text that another one takes the place of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cut {
    /// Where it begins, in bytes.
    start: usize,
    /// How long it is, in bytes.
    length: usize,
    new: String,
}

/// The text with all cuts made. Two at one place are made in their order; those that overlap make another text than was
/// meant, which whoever reads it again finds.
pub fn apply(text: &str, mut cuts: Vec<Cut>) -> Option<String> {
    cuts.sort_by_key(|cut| cut.start);
    let (mut made, mut at) = (String::with_capacity(text.len()), 0);
    for cut in cuts {
        made.push_str(text.get(at..cut.start)?);
        made.push_str(&cut.new);
        at = cut.start + cut.length;
    }
    made.push_str(text.get(at..)?);
    Some(made)
}

/// The cut that sets the field of a mapping, or nothing where there is no certain one. The field is a path below the node; its
/// last step may be missing, and is then written before the others.
pub fn set(text: &str, is_json: bool, node: &Node, field: &str, value: &Scalar) -> Option<Cut> {
    let (path, name) = field.rsplit_once('.').map_or(("", field), |(path, name)| (path, name));
    let mut in_flow = is_json || begins_flow(text, node);
    let mut holder = node;
    for step in path.split('.').filter(|step| !step.is_empty()) {
        holder = &entries(holder)?.iter().find(|(key, _)| key.name == step)?.1;
        in_flow |= begins_flow(text, holder);
    }
    match entries(holder)?.iter().find(|(key, _)| key.name == name) {
        Some((_, old)) => replace(text, is_json, in_flow, old, value),
        None => insert(text, is_json, in_flow, holder, name, value),
    }
}

fn entries(node: &Node) -> Option<&[(Key, Node)]> {
    match &node.value {
        Value::Map(entries) => Some(entries),
        _ => None,
    }
}

fn begins_flow(text: &str, node: &Node) -> bool {
    offset(text, node.at).and_then(|at| text.get(at..)).is_some_and(|rest| rest.starts_with(['{', '[']))
}

/// Where a place is in the text, in bytes.
fn offset(text: &str, at: Span) -> Option<usize> {
    let line = usize::try_from(at.line).ok()?.checked_sub(1)?;
    let column = usize::try_from(at.column).ok()?.checked_sub(1)?;
    let start = match line {
        0 => 0,
        line => text.match_indices('\n').nth(line - 1)?.0 + 1,
    };
    let rest = text.get(start..)?.split('\n').next()?;
    let within: usize = rest.chars().take(column).map(char::len_utf8).sum();
    Some(start + within)
}

fn replace(text: &str, is_json: bool, in_flow: bool, old: &Node, value: &Scalar) -> Option<Cut> {
    let start = offset(text, old.at)?;
    let token = token(text.get(start..)?, in_flow)?;
    let quote = token.chars().next().filter(|first| matches!(first, '"' | '\''));
    Some(Cut { start, length: token.len(), new: written(value, is_json, quote) })
}

/// A scalar as it is written at the beginning of a text, on one line. What has another form has more than one end.
fn token(rest: &str, in_flow: bool) -> Option<&str> {
    let first = rest.chars().next()?;
    let end = match first {
        '"' => {
            let mut is_escaped = false;
            let mut signs = rest.char_indices().skip(1);
            signs.find_map(|(at, sign)| {
                let ends = sign == '"' && !is_escaped;
                is_escaped = sign == '\\' && !is_escaped;
                ends.then_some(at + 1)
            })?
        }
        '\'' => {
            let mut at = 1;
            loop {
                at += rest.get(at..)?.find('\'')? + 1;
                if !rest.get(at..)?.starts_with('\'') {
                    break at;
                }
                at += 1;
            }
        }
        '|' | '>' | '&' | '*' | '!' | '{' | '[' => return None,
        _ => {
            let line = rest.split(['\n', '\r']).next()?;
            let ends = if in_flow { line.find([',', '}', ']']) } else { None };
            let line = line.get(..ends.unwrap_or(line.len()))?;
            line.get(..line.find(" #").unwrap_or(line.len()))?.trim_end().len()
        }
    };
    rest.get(..end).filter(|token| !token.is_empty() && !token.contains('\n'))
}

fn insert(
    text: &str,
    is_json: bool,
    in_flow: bool,
    holder: &Node,
    name: &str,
    value: &Scalar,
) -> Option<Cut> {
    let (first, _) = entries(holder)?.first()?;
    let start = offset(text, first.at)?;
    let key = if is_json { format!("\"{name}\"") } else { name.to_owned() };
    let pair = format!("{key}: {}", written(value, is_json, None));
    let before = text.get(..start)?;
    let lead = before.rsplit('\n').next()?;
    let is_first_on_line = lead.chars().all(char::is_whitespace);
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let separator = match (in_flow, is_first_on_line) {
        (true, true) => format!(",{end}{lead}"),
        (true, false) => ", ".to_owned(),
        // In a block every key begins in one column, whatever stands before the first.
        (false, _) => format!("{end}{}", " ".repeat(lead.chars().count())),
    };
    Some(Cut { start, length: 0, new: format!("{pair}{separator}") })
}

/// A scalar as it is written: quoted as the one before it was, or where it has to be.
fn written(value: &Scalar, is_json: bool, quote: Option<char>) -> String {
    match value {
        Scalar::Bool(value) => value.to_string(),
        Scalar::Number(digits) => digits.clone(),
        Scalar::Text(text) => match quote {
            Some('\'') if !text.contains('\n') => format!("'{}'", text.replace('\'', "''")),
            None if !is_json && is_plain(text) => text.clone(),
            _ => serde_json::Value::from(text.as_str()).to_string(),
        },
    }
}

/// Text that reads as itself without quotes, wherever it stands.
fn is_plain(text: &str) -> bool {
    let is_word = |sign: char| sign.is_alphanumeric() || matches!(sign, ' ' | '_' | '-' | '.' | '/');
    let begins = text.chars().next().is_some_and(char::is_alphabetic);
    let is_reserved = ["true", "false", "null", "yes", "no", "on", "off"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word));
    begins && !is_reserved && !text.ends_with(' ') && text.chars().all(is_word)
}

#[cfg(test)]
mod tests {
    use gate::lang::Lang;

    use super::*;
    use crate::document;

    fn edited(file: &str, text: &str, field: &str, value: &Scalar) -> Option<String> {
        let node = document::parse(file, text.as_bytes(), Lang::En).unwrap();
        apply(text, vec![set(text, file.ends_with(".json"), &node, field, value)?])
    }

    fn number(digits: &str) -> Scalar {
        Scalar::Number(digits.to_owned())
    }

    fn text(text: &str) -> Scalar {
        Scalar::Text(text.to_owned())
    }

    #[test]
    fn what_stands_beside_a_value_stays() {
        for (before, field, value, after) in [
            ("a: 8000 # ms\nb: 1\n", "a", number("800"), "a: 800 # ms\nb: 1\n"),
            ("a: { x: 8000, y: 1 } # c\n", "a.x", number("800"), "a: { x: 800, y: 1 } # c\n"),
            ("a: { y: 1, x: 8000 }\n", "a.x", number("800"), "a: { y: 1, x: 800 }\n"),
            ("名: { 值: 8000}\n", "名.值", number("800"), "名: { 值: 800}\n"),
            ("a: \"id=x\"\n", "a", text("id=x,visible=true"), "a: \"id=x,visible=true\"\n"),
            ("a: 'it''s' # b\n", "a", text("it's,o"), "a: 'it''s,o' # b\n"),
            ("a: id=x\n", "a", text("id=x,visible=true"), "a: \"id=x,visible=true\"\n"),
            ("a: in-app timer\n", "a", text("layout bounds"), "a: layout bounds\n"),
            ("a: { s: in-app timer, t: 1 }\n", "a.s", text("layout"), "a: { s: layout, t: 1 }\n"),
            ("a: { b: 1 }\n", "a.m", number("3"), "a: { m: 3, b: 1 }\n"),
            ("a:\n  # c\n  b: 1\n", "a.m", number("3"), "a:\n  # c\n  m: 3\n  b: 1\n"),
            ("a:\r\n  b: 1\r\n", "a.m", number("3"), "a:\r\n  m: 3\r\n  b: 1\r\n"),
            ("a: {\n  b: 1\n}\n", "a.m", number("3"), "a: {\n  m: 3,\n  b: 1\n}\n"),
        ] {
            assert_eq!(edited("a.yaml", before, field, &value).as_deref(), Some(after), "{before}");
        }
        for (before, field, value, after) in [
            ("{\"a\":8000,\"b\":1}", "a", number("800"), "{\"a\":800,\"b\":1}"),
            (
                "{\n  \"a\": {\n    \"b\": 1\n  }\n}",
                "a.m",
                number("3"),
                "{\n  \"a\": {\n    \"m\": 3,\n    \"b\": 1\n  }\n}",
            ),
            ("{\"a\": \"x\\\"y\"}", "a", text("x"), "{\"a\": \"x\"}"),
            ("{\"a\": {\"b\": 1}}", "a.u", text("ms"), "{\"a\": {\"u\": \"ms\", \"b\": 1}}"),
        ] {
            assert_eq!(edited("a.json", before, field, &value).as_deref(), Some(after), "{before}");
        }
    }

    #[test]
    fn what_has_no_certain_end_is_left_alone() {
        for (before, field) in [
            ("a: &x 8000\nb: 1\n", "a"),
            ("a: [1, 2]\n", "a"),
            ("a: \"x\n  y\"\n", "a"),
            ("a: {}\n", "a.m"),
            ("a: 1\n", "b.c"),
        ] {
            assert_eq!(edited("a.yaml", before, field, &number("800")), None, "{before:?}");
        }
    }
}
