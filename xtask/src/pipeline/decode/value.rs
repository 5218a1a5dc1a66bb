//! What fields hold, in one place: names, programs, paths, times.

use std::collections::BTreeMap;
use std::time::Duration;

use gate::code::Code;
use gate::decode::{Fields, Findings, check_relative_path, entries, scalar};
use gate::lang::Lang;
use gate::node::{Key, Node, Value};
use gate::pack::Scalar;
use gate::problem::Span;
use gate::say;

use crate::paths::stays_inside;
use crate::pipeline::model::Limits;
use crate::placeholders;

/// How long a program may take where nothing is said.
pub(super) const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10 * 60);

/// How long an executor may take where nothing is said.
pub(super) const DEFAULT_WORK: Duration = Duration::from_secs(2 * 60 * 60);

type What = (&'static str, &'static str);

/// The most times that a collector is tried again.
const MAX_RETRIES: u32 = 10;

/// The entries of a mapping with free names; each is decoded on its own, so that one fault hides no other.
pub(super) fn named<T>(
    node: &Node,
    what: What,
    findings: &mut Findings<'_>,
    mut one: impl FnMut(&Node, &mut Findings<'_>) -> Option<T>,
) -> BTreeMap<String, T> {
    let mut found = BTreeMap::new();
    for (key, node) in entries(node, what, findings).unwrap_or_default() {
        if let Some(value) = one(node, findings) {
            found.entry(key.name.clone()).or_insert(value);
        }
    }
    found
}

/// As [`named`], for names that become file names.
pub(super) fn named_files<T>(
    node: &Node,
    what: What,
    findings: &mut Findings<'_>,
    one: impl FnMut(&Node, &mut Findings<'_>) -> Option<T>,
) -> BTreeMap<String, T> {
    for (key, _) in entries_quietly(node) {
        if let Some(reason) = name_problem(&key.name, findings.lang) {
            findings.report(Code::PathUnsafe, key.at, reason);
        }
    }
    named(node, what, findings, one)
}

fn entries_quietly(node: &Node) -> &[(Key, Node)] {
    match &node.value {
        Value::Map(entries) => entries,
        _ => &[],
    }
}

pub(super) fn name_problem(name: &str, lang: Lang) -> Option<String> {
    let plain = !name.is_empty()
        && name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_'));
    (!plain).then(|| {
        say!(
            lang,
            "`{name}` becomes part of a file name: use letters, digits, - and _",
            "`{name}` 会成为文件名的一部分：请使用文字、数字、- 和 _"
        )
    })
}

pub(super) fn parameters(node: &Node, findings: &mut Findings<'_>) -> BTreeMap<String, Scalar> {
    let mut found = BTreeMap::new();
    for (key, node) in entries(node, ("the parameters", "参数"), findings).unwrap_or_default() {
        if let Some(value) = scalar(node, &key.name, findings) {
            found.insert(key.name.clone(), value);
        }
    }
    found
}

/// `5MiB`, `800KiB`, `1000`: a whole number of bytes, or of the binary multiples.
pub(super) fn bytes(fields: &Fields<'_>, name: &str, findings: &mut Findings<'_>) -> Option<u64> {
    let text = match fields.get(name).map(|node| &node.value) {
        Some(Value::Number(text) | Value::Text(text)) => text.clone(),
        _ => String::new(),
    };
    let parsed = parse_bytes(&text);
    if parsed.is_none() {
        let message = say!(
            findings.lang,
            "`{name}` is `{text}`; write a whole number of bytes, or with KiB, MiB or GiB, such as 5MiB",
            "`{name}` 的值 `{text}` 无效；请写整数字节数，或加 KiB、MiB、GiB，例如 5MiB"
        );
        findings.report(Code::ValueUnknown, fields.place(name), message);
    }
    parsed
}

fn parse_bytes(text: &str) -> Option<u64> {
    let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("", 1)];
    let (digits, unit): (&str, u64) =
        units.into_iter().find_map(|(word, unit)| Some((text.strip_suffix(word)?, unit)))?;
    let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_plain { digits.parse::<u64>().ok()?.checked_mul(unit) } else { None }
}

/// A program and its arguments. A single text would be a shell line, and there is no shell here.
pub(super) fn argv(
    fields: &Fields<'_>,
    name: &str,
    known: &[&str],
    findings: &mut Findings<'_>,
) -> Option<Vec<String>> {
    argv_of(fields.required(name, findings)?, name, known, findings)
}

/// As [`argv`], for a list that stands by itself.
pub(super) fn argv_of(
    node: &Node,
    name: &str,
    known: &[&str],
    findings: &mut Findings<'_>,
) -> Option<Vec<String>> {
    let words = words(node, name, findings)?;
    for (at, word) in &words {
        report_placeholder(word, known, *at, findings);
    }
    if words.is_empty() {
        let message = say!(findings.lang, "`{name}` names no program", "`{name}` 没有写出程序");
        findings.report(Code::FieldMissing, node.at, message);
        return None;
    }
    Some(words.into_iter().map(|(_, word)| word).collect())
}

fn words(node: &Node, name: &str, findings: &mut Findings<'_>) -> Option<Vec<(Span, String)>> {
    let all: Option<Vec<_>> = match &node.value {
        Value::List(items) => items
            .iter()
            .map(|item| match &item.value {
                Value::Text(text) | Value::Number(text) => Some((item.at, text.clone())),
                _ => None,
            })
            .collect(),
        _ => None,
    };
    if all.is_none() {
        let message = say!(
            findings.lang,
            "`{name}` is a list: the program, then its arguments; there is no shell here",
            "`{name}` 应为列表：先写程序，再写各个参数；这里没有 shell"
        );
        findings.report(Code::FieldType, node.at, message);
    }
    all
}

/// Names of variables. A value in the place of a name would stand in the file for all to read.
pub(super) fn variables(fields: &Fields<'_>, name: &str, findings: &mut Findings<'_>) -> Vec<String> {
    let mut names = Vec::new();
    for (at, text) in fields.texts(name, findings) {
        let is_name = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        if is_name {
            names.push(text);
        } else {
            let message = say!(
                findings.lang,
                "`{name}` holds something that is no name of a variable; write names, never values",
                "`{name}` 中有不是变量名的内容；请写变量名，不要写值"
            );
            findings.report(Code::ValueUnknown, at, message);
        }
    }
    names
}

pub(super) fn texts(fields: &Fields<'_>, name: &str, findings: &mut Findings<'_>) -> Vec<String> {
    fields.texts(name, findings).into_iter().map(|(_, text)| text).collect()
}

/// A path with placeholders that stays inside the root whatever fills them.
pub(super) fn path(
    fields: &Fields<'_>,
    name: &str,
    text: String,
    known: &[&str],
    findings: &mut Findings<'_>,
) -> Option<String> {
    report_placeholder(&text, known, fields.place(name), findings);
    inside(fields, name, text, findings)
}

pub(super) fn inside(
    fields: &Fields<'_>,
    name: &str,
    text: String,
    findings: &mut Findings<'_>,
) -> Option<String> {
    // Braces are no part of a path; what fills them has no separator.
    let plain = text.replace(['{', '}'], "");
    let reason = check_relative_path(&plain, findings.lang);
    if reason.is_none() && stays_inside(&plain) {
        return Some(text);
    }
    let message = say!(
        findings.lang,
        "`{name}` is `{text}`, which is no path inside the root",
        "`{name}` 的值 `{text}` 不是根目录内的相对路径"
    );
    findings.report(Code::PathUnsafe, fields.place(name), message);
    None
}

pub(super) fn report_placeholder(text: &str, known: &[&str], at: Span, findings: &mut Findings<'_>) {
    if let Some(message) = placeholders::unknown(text, known, findings.lang) {
        findings.report(Code::PlaceholderUnknown, at, message);
    }
}

/// How often a program is tried again after a failure.
pub(super) fn retries(fields: &Fields<'_>, findings: &mut Findings<'_>) -> Option<u32> {
    let retries = fields.count("retries", findings).unwrap_or(0);
    if retries <= MAX_RETRIES {
        return Some(retries);
    }
    let message = say!(findings.lang, "at most {MAX_RETRIES} retries", "最多重试 {MAX_RETRIES} 次");
    findings.report(Code::ValueUnknown, fields.place("retries"), message);
    None
}

/// How long a program may take, and how long it may say nothing.
pub(super) fn limits(fields: &Fields<'_>, default: Duration, findings: &mut Findings<'_>) -> Option<Limits> {
    let timeout = duration_field(fields, "timeout", default, findings);
    let silence = match fields.get("silence") {
        Some(_) => time(fields, "silence", findings).map(Some),
        None => Some(None),
    };
    Some(Limits { timeout: timeout?, silence: silence? })
}

/// A time that may be left out.
pub(super) fn duration_field(
    fields: &Fields<'_>,
    name: &str,
    default: Duration,
    findings: &mut Findings<'_>,
) -> Option<Duration> {
    match fields.get(name) {
        Some(_) => time(fields, name, findings),
        None => Some(default),
    }
}

/// `90s`, `10m`, `2h`: a whole number and one of three letters.
fn time(fields: &Fields<'_>, name: &str, findings: &mut Findings<'_>) -> Option<Duration> {
    let text = fields.text(name, findings)?;
    let parsed = duration(&text);
    if parsed.is_none() {
        let message = say!(
            findings.lang,
            "`{name}` is `{text}`; write a whole number with s, m or h, such as 90s",
            "`{name}` 的值 `{text}` 无效；请写整数加 s、m 或 h，例如 90s"
        );
        findings.report(Code::ValueUnknown, fields.place(name), message);
    }
    parsed
}

/// Paths that stay inside the folder that they are relative to.
pub(super) fn paths_inside(
    fields: &Fields<'_>,
    name: &str,
    findings: &mut Findings<'_>,
) -> Option<Vec<String>> {
    texts(fields, name, findings).into_iter().map(|text| inside(fields, name, text, findings)).collect()
}

fn duration(text: &str) -> Option<Duration> {
    let (digits, seconds) = [('s', 1), ('m', 60), ('h', 3600)]
        .into_iter()
        .find_map(|(letter, seconds)| Some((text.strip_suffix(letter)?, seconds)))?;
    let count: u32 = digits.parse().ok().filter(|count| *count > 0)?;
    Some(Duration::from_secs(u64::from(count) * seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_a_binary_unit_or_none() {
        for (text, bytes) in [("0", 0), ("1000", 1000), ("5MiB", 5 << 20), ("1GiB", 1 << 30)] {
            assert_eq!(parse_bytes(text), Some(bytes), "{text}");
        }
        for wrong in ["", "KiB", "5MB", "1.5MiB", "-1", "+5", "99999999999GiB"] {
            assert_eq!(parse_bytes(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn durations_have_one_unit() {
        for (text, seconds) in [("90s", 90), ("10m", 600), ("2h", 7200)] {
            assert_eq!(duration(text), Some(Duration::from_secs(seconds)), "{text}");
        }
        for wrong in ["", "s", "0s", "90", "1h30m", "-1s", "1.5h", "１s"] {
            assert_eq!(duration(wrong), None, "{wrong}");
        }
    }
}
