//! The fields of a mapping: known, required, typed.

use crate::code::Code;
use crate::lang::Lang;
use crate::node::{Key, Node, Value};
use crate::pack::Scalar;
use crate::problem::Span;
use crate::say;

use super::{Findings, MAX_TEXT, frozen_number};

/// One mapping, opened: duplicate keys and unknown fields are already reported, and of a duplicate the first counts.
///
/// Each getter reports a value of the wrong kind at its place and then answers as if the field were absent, so that
/// one mistake is told once. A field that is present and empty (`null`) is of the wrong kind, not absent.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'n> {
    at: Span,
    what: (&'static str, &'static str),
    entries: &'n [(Key, Node)],
}

impl<'n> Fields<'n> {
    /// Opens a mapping. `what` names it in both languages (`("a criterion", "标准")`); `known` lists its fields in
    /// the order in which they are documented. Reports and returns nothing if the node is no mapping.
    pub fn open(
        node: &'n Node,
        what: (&'static str, &'static str),
        known: &[&str],
        findings: &mut Findings<'_>,
    ) -> Option<Self> {
        let entries = entries(node, what, findings)?;
        for (key, _) in entries {
            if !known.contains(&key.name.as_str()) {
                unknown_field(key, what, known, findings);
            }
        }
        Some(Fields { at: node.at, what, entries })
    }

    /// Where the mapping begins.
    pub fn at(&self) -> Span {
        self.at
    }

    /// The field as it stands; absent if it is not written.
    pub fn get(&self, name: &str) -> Option<&'n Node> {
        self.entries.iter().find(|(key, _)| key.name == name).map(|(_, node)| node)
    }

    /// Where a field's value stands, or else the mapping.
    pub fn place(&self, name: &str) -> Span {
        self.get(name).map_or(self.at, |node| node.at)
    }

    /// The field as it stands; its absence is reported.
    pub fn required(&self, name: &str, findings: &mut Findings<'_>) -> Option<&'n Node> {
        let node = self.get(name);
        if node.is_none() {
            let what = findings.lang.pick(self.what.0, self.what.1);
            let message = say!(findings.lang, "{what} has no `{name}`", "{what}缺少 `{name}`");
            findings.report(Code::FieldMissing, self.at, message);
        }
        node
    }

    /// Text, of at most [`MAX_TEXT`] characters.
    pub fn text(&self, name: &str, findings: &mut Findings<'_>) -> Option<String> {
        text(self.get(name)?, name, findings)
    }

    /// Text with something to see in it; its absence is reported.
    pub fn required_text(&self, name: &str, findings: &mut Findings<'_>) -> Option<String> {
        let node = self.required(name, findings)?;
        let text = text(node, name, findings)?;
        if !super::has_visible(&text) {
            let message = say!(findings.lang, "`{name}` is blank", "`{name}` 是空白");
            findings.report(Code::FieldMissing, node.at, message);
            return None;
        }
        Some(text)
    }

    /// `true` or `false`.
    pub fn boolean(&self, name: &str, findings: &mut Findings<'_>) -> Option<bool> {
        let node = self.get(name)?;
        match node.value {
            Value::Bool(value) => Some(value),
            _ => wrong_kind(node, name, ("true or false", "true 或 false"), findings),
        }
    }

    /// A whole number from 0 on, as digits.
    pub fn count(&self, name: &str, findings: &mut Findings<'_>) -> Option<u32> {
        let node = self.get(name)?;
        match &node.value {
            Value::Number(digits) if digits.bytes().all(|b| b.is_ascii_digit()) => match digits.parse() {
                Ok(count) => Some(count),
                Err(_) => wrong_kind(node, name, ("a smaller whole number", "较小的整数"), findings),
            },
            _ => wrong_kind(node, name, ("a whole number from 0 on", "不小于 0 的整数"), findings),
        }
    }

    /// A list, whatever it holds.
    pub fn list(&self, name: &str, findings: &mut Findings<'_>) -> Option<&'n [Node]> {
        let node = self.get(name)?;
        match &node.value {
            Value::List(items) => Some(items),
            _ => wrong_kind(node, name, ("a list", "列表"), findings),
        }
    }

    /// A list of texts, each with its place; empty if the field is absent.
    pub fn texts(&self, name: &str, findings: &mut Findings<'_>) -> Vec<(Span, String)> {
        let items = self.list(name, findings).unwrap_or_default();
        items.iter().filter_map(|item| Some((item.at, text(item, name, findings)?))).collect()
    }

    /// One word of a closed list.
    pub fn word<T: Copy>(&self, name: &str, words: &[(&str, T)], findings: &mut Findings<'_>) -> Option<T> {
        let node = self.get(name)?;
        let text = text(node, name, findings)?;
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        if found.is_none() {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let message = say!(findings.lang, "`{name}` cannot be `{text}`", "`{name}` 不能是 `{text}`");
            let help = one_of(&text, &known, findings.lang);
            findings.report_with(Code::ValueUnknown, node.at, message, help);
        }
        found
    }

    /// One word of a closed list; its absence is reported.
    pub fn required_word<T: Copy>(
        &self,
        name: &str,
        words: &[(&str, T)],
        findings: &mut Findings<'_>,
    ) -> Option<T> {
        self.required(name, findings)?;
        self.word(name, words, findings)
    }
}

/// The entries of a mapping with free keys; of duplicates, which are reported with both places, all are returned.
pub fn entries<'n>(
    node: &'n Node,
    what: (&'static str, &'static str),
    findings: &mut Findings<'_>,
) -> Option<&'n [(Key, Node)]> {
    let Value::Map(entries) = &node.value else {
        let (what, found) = (findings.lang.pick(what.0, what.1), kind(&node.value, findings.lang));
        let message = say!(
            findings.lang,
            "{what} is a mapping of fields; found {found}",
            "{what}应为字段映射，实为{found}"
        );
        findings.report(Code::FieldType, node.at, message);
        return None;
    };
    // A sorted index keeps a mapping of many keys from being compared pair by pair.
    let mut order: Vec<&Key> = entries.iter().map(|(key, _)| key).collect();
    order.sort_by(|a, b| a.name.cmp(&b.name).then(a.at.cmp(&b.at)));
    for pair in order.windows(2) {
        if let [first, second] = pair
            && first.name == second.name
        {
            let (name, line, column) = (&second.name, first.at.line, first.at.column);
            let message = say!(
                findings.lang,
                "`{name}` is written twice; first at line {line}, column {column}",
                "`{name}` 写了两次；首次在第 {line} 行第 {column} 列"
            );
            findings.report(Code::KeyDuplicate, second.at, message);
        }
    }
    Some(entries)
}

/// A scalar in its frozen form: numbers as RFC 8785 writes them, refused if that is another number.
pub fn scalar(node: &Node, name: &str, findings: &mut Findings<'_>) -> Option<Scalar> {
    match &node.value {
        Value::Bool(value) => Some(Scalar::Bool(*value)),
        Value::Text(_) => text(node, name, findings).map(Scalar::Text),
        Value::Number(digits) => {
            let frozen = frozen_number(digits);
            if frozen.is_none() {
                let lang = findings.lang;
                let message = say!(
                    lang,
                    "the number {digits} of `{name}` cannot be held exactly by decoders of JSON",
                    "`{name}` 的数字 {digits} 无法被 JSON 解码器精确保存"
                );
                let help = say!(lang, "write it in quotes: \"{digits}\"", "请加引号：\"{digits}\"");
                findings.report_with(Code::NumberInexact, node.at, message, help);
            }
            frozen.map(Scalar::Number)
        }
        _ => wrong_kind(node, name, ("text, a number, true or false", "文字、数字、true 或 false"), findings),
    }
}

/// What a value is, for messages: `a number`, `一个数字`.
pub fn kind(value: &Value, lang: Lang) -> &'static str {
    match value {
        Value::Null => lang.pick("nothing", "空值"),
        Value::Bool(_) => lang.pick("true or false", "布尔值"),
        Value::Number(_) => lang.pick("a number", "数字"),
        Value::Text(_) => lang.pick("text", "文字"),
        Value::List(_) => lang.pick("a list", "列表"),
        Value::Map(_) => lang.pick("a mapping", "映射"),
    }
}

/// The known word that was probably meant, if one is near: at most a third of its letters differ, case aside.
pub fn did_you_mean<'w>(word: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let word = word.trim().to_lowercase();
    known
        .into_iter()
        .map(|candidate| (strsim::osa_distance(&word, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= candidate.chars().count() / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Help for a word outside a closed list.
pub(super) fn one_of(word: &str, known: &[&str], lang: Lang) -> String {
    let list = known.join(", ");
    match did_you_mean(word, known.iter().copied()) {
        Some(near) => say!(lang, "did you mean `{near}`? known: {list}", "是否想写 `{near}`？可用：{list}"),
        None => say!(lang, "write one of: {list}", "请使用其中之一：{list}"),
    }
}

pub(super) fn text(node: &Node, name: &str, findings: &mut Findings<'_>) -> Option<String> {
    let Value::Text(text) = &node.value else { return wrong_kind(node, name, ("text", "文字"), findings) };
    let length = text.chars().count();
    if length > MAX_TEXT {
        let message = say!(
            findings.lang,
            "`{name}` has {length} characters; at most {MAX_TEXT} are read",
            "`{name}` 有 {length} 个字符；最多读取 {MAX_TEXT} 个"
        );
        findings.report(Code::LimitLength, node.at, message);
        return None;
    }
    Some(text.clone())
}

/// Reports a value of the wrong kind; answers as for an absent field.
pub(super) fn wrong_kind<T>(
    node: &Node,
    name: &str,
    expected: (&'static str, &'static str),
    findings: &mut Findings<'_>,
) -> Option<T> {
    let lang = findings.lang;
    let (found, wanted) = (kind(&node.value, lang), lang.pick(expected.0, expected.1));
    let message = say!(lang, "`{name}` is {wanted}; found {found}", "`{name}` 应为{wanted}，实为{found}");
    let help = match (&node.value, expected.0) {
        (Value::Number(digits), "text") => {
            say!(lang, "write it in quotes: \"{digits}\"", "请加引号：\"{digits}\"")
        }
        (Value::Bool(value), "text") => {
            say!(lang, "write it in quotes: \"{value}\"", "请加引号：\"{value}\"")
        }
        (Value::Null, _) => {
            say!(lang, "write {wanted}, or leave `{name}` out", "请写{wanted}，或不写 `{name}`")
        }
        _ => say!(lang, "write {wanted}", "请写{wanted}"),
    };
    findings.report_with(Code::FieldType, node.at, message, help);
    None
}

fn unknown_field(key: &Key, what: (&str, &str), known: &[&str], findings: &mut Findings<'_>) {
    let (name, what) = (&key.name, findings.lang.pick(what.0, what.1));
    let message = say!(findings.lang, "{what} has no field `{name}`", "{what}没有字段 `{name}`");
    let help = one_of(name, known, findings.lang);
    findings.report_with(Code::FieldUnknown, key.at, message, help);
}
