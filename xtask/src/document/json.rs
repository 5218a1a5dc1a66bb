//! Strict JSON to a located document, by serde_json.
//!
//! A `RawValue` borrows its exact text, and where that text lies within the whole is its place. Each level is
//! split into the raw text of its members, which keeps duplicate keys and the digits of numbers. A level is
//! scanned once for each level above it, which [`MAX_DEPTH`] bounds.

use std::fmt;

use gate::code::Code;
use gate::lang::Lang;
use gate::node::{Key, Node, Value};
use gate::problem::{Problem, Span};
use gate::say;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{MAX_DEPTH, span, too_deep};

/// The document, or the first syntax error.
pub(super) fn parse(text: &str, lang: Lang) -> Result<Node, Vec<Problem>> {
    let mut reader = Reader { text, lang, offset: 0, at: span(1, 1) };
    let root: &RawValue = serde_json::from_str(text).map_err(|error| vec![reader.syntax(text, &error)])?;
    reader.node(root, 0).map_err(|problem| vec![problem])
}

/// Walks the text in its own order, so that places are counted once.
struct Reader<'t> {
    text: &'t str,
    lang: Lang,
    offset: usize,
    at: Span,
}

impl<'t> Reader<'t> {
    fn node(&mut self, raw: &'t RawValue, depth: usize) -> Result<Node, Problem> {
        let text = raw.get();
        let at = self.place(text);
        let value = match text.bytes().next() {
            Some(b'{' | b'[') if depth == MAX_DEPTH => return Err(too_deep(at, self.lang)),
            Some(b'{') => Value::Map(self.members(text, depth)?),
            Some(b'[') => Value::List(self.items(text, depth)?),
            Some(b'"') => Value::Text(self.decode(text)?),
            Some(b't') => Value::Bool(true),
            Some(b'f') => Value::Bool(false),
            Some(b'n') | None => Value::Null,
            Some(_) => Value::Number(text.to_owned()),
        };
        Ok(Node { at, value })
    }

    fn items(&mut self, text: &'t str, depth: usize) -> Result<Vec<Node>, Problem> {
        let items: Vec<&'t RawValue> = self.decode(text)?;
        items.into_iter().map(|item| self.node(item, depth + 1)).collect()
    }

    fn members(&mut self, text: &'t str, depth: usize) -> Result<Vec<(Key, Node)>, Problem> {
        let Members(members) = self.decode(text)?;
        let mut entries = Vec::with_capacity(members.len());
        for (key, value) in members {
            let at = self.place(key.get());
            let name = self.decode(key.get())?;
            entries.push((Key { at, name }, self.node(value, depth + 1)?));
        }
        Ok(entries)
    }

    fn decode<T: Deserialize<'t>>(&self, part: &'t str) -> Result<T, Problem> {
        serde_json::from_str(part).map_err(|error| self.syntax(part, &error))
    }

    /// Where a part of the text begins. Parts are asked for in the order of the text.
    fn place(&mut self, part: &str) -> Span {
        let offset = self.offset_of(part);
        for character in self.text.get(self.offset..offset).unwrap_or_default().chars() {
            if character == '\n' {
                self.at = Span { line: self.at.line + 1, column: 1 };
            } else {
                self.at.column += 1;
            }
        }
        self.offset = offset;
        self.at
    }

    fn offset_of(&self, part: &str) -> usize {
        part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr())
    }

    /// serde_json counts lines from 1 and columns in bytes, within the part that it was given.
    fn syntax(&self, part: &str, error: &serde_json::Error) -> Problem {
        let before: usize =
            part.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
        let offset = self.offset_of(part) + before + error.column().saturating_sub(1);
        let offset =
            (0..=offset.min(self.text.len())).rev().find(|&o| self.text.is_char_boundary(o)).unwrap_or(0);
        let at = super::end_of(self.text.get(..offset).unwrap_or_default());
        // The parser's own words end in its own place, which is not ours.
        let words = error.to_string();
        let words = words.split(" at line ").next().unwrap_or_default();
        let (message, help) = if error.is_eof() {
            (
                say!(self.lang, "the JSON ends too early: {words}", "JSON 提前结束：{words}"),
                self.lang.pick(
                    "close what was opened: brackets, braces and quotes come in pairs",
                    "请补全未闭合的部分：括号与引号须成对出现",
                ),
            )
        } else {
            (
                say!(self.lang, "this is not JSON: {words}", "这不是合法的 JSON：{words}"),
                self.lang.pick(
                    "JSON here is strict: double quotes, no comments, no trailing comma, no leading zero",
                    "此处为严格 JSON：使用双引号，不允许注释、尾随逗号和前导零",
                ),
            )
        };
        Problem::new(Code::Syntax, message, help).at(at)
    }
}

/// The members of an object as raw text, duplicates kept.
struct Members<'t>(Vec<(&'t RawValue, &'t RawValue)>);

impl<'t> Deserialize<'t> for Members<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'t> Visitor<'t> for MembersVisitor {
    type Value = Members<'t>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Members<'t>, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Members(members))
    }
}
