//! `json`: a JSONPath (RFC 9535) in any JSON document. Numbers are answered as they stand in the text.

use std::collections::BTreeMap;

use gate::lang::Lang;
use gate::observation::{Place, Reading};
use gate::pack::Scalar;
use gate::say;
use serde_json::Value;
use serde_json_path::JsonPath;

use crate::answer::{Outcome, missing, nothing, unreadable, values};
use crate::ask::{Ask, MEASURE, PICK, refuse_flood};
use crate::json_text::skip_banner;
use crate::json_walk::{WalkError, walk_numbers};
use crate::param::{ParamInfo, ParamKind, Params, Plan, ReaderInfo, words};

pub(crate) const INFO: ReaderInfo = ReaderInfo {
    name: "json",
    purpose: words(
        "any JSON document by JSONPath (RFC 9535); lines such as `com.example.app:` before it are skipped",
        "任意 JSON 文档，用 JSONPath（RFC 9535）取值；会跳过其前面的 `com.example.app:` 之类的行",
    ),
    params: &[
        ParamInfo {
            name: "path",
            kind: ParamKind::Text,
            required: true,
            meaning: words(
                "the JSONPath; a value that is null is answered as nothing",
                "JSONPath；值为 null 时回答「没有」",
            ),
            example: "$.runs[*].startup",
        },
        MEASURE,
        PICK,
    ],
    example: "{path: '$.runs[?@.kind == \"cold\"].startup', pick: all}",
};

pub(crate) fn plan(params: &mut Params<'_>) -> Option<Plan> {
    let text = params.text("path")?;
    let ask = Ask::param(params);
    let path = match JsonPath::parse(text) {
        Ok(path) => path,
        Err(error) => {
            let (reason, at) = (error.message(), error.position());
            params.invalid(
                "path",
                format!("`{text}` is no JSONPath at {at}: {reason}"),
                format!("`{text}` 在第 {at} 处不是 JSONPath：{reason}"),
            );
            return None;
        }
    };
    let text = text.to_owned();
    Some(Box::new(move |input, lang| {
        let document = input.document_text(lang)?;
        let matches = find(skip_banner(&document), &path, lang)?;
        let what = say!(lang, "value at {text}", "{text} 处的值");
        match ask {
            Ask::Values(pick) => {
                let indices: Vec<usize> = (0..matches.len()).collect();
                let picked = pick.apply(&indices, &what, "pick", lang)?;
                let picked = picked.into_iter().filter_map(|index| matches.get(index));
                let alone = picked.clone().count() == 1;
                Ok(values(picked.map(|found| found.reading(alone, lang)).collect::<Outcome<_>>()?))
            }
            _ => {
                let places = matches.iter().take(crate::ask::PLACES).map(Match::place).collect();
                Ok(values(ask.tally(matches.len() as u64, places, &what, lang)?))
            }
        }
    }))
}

/// One match: where it is, and what stands there.
struct Match {
    pointer: String,
    found: Found,
}

enum Found {
    Scalar(Scalar),
    Null,
    /// An array or object.
    Container,
}

impl Match {
    fn place(&self) -> Place {
        Place::Pointer { pointer: self.pointer.clone() }
    }

    fn reading(&self, alone: bool, lang: Lang) -> Outcome<Reading> {
        let pointer = &self.pointer;
        match &self.found {
            Found::Scalar(actual) => {
                Ok(Reading { actual: actual.clone(), places: vec![self.place()], note: None })
            }
            Found::Null if alone => {
                nothing(say!(lang, "the value at {pointer} is null", "{pointer} 处为 null"))
            }
            Found::Null => {
                missing(say!(lang, "the sample at {pointer} is null", "{pointer} 处的样本为 null"))
            }
            Found::Container => unreadable(say!(
                lang,
                "an array or object stands at {pointer}: let the path end at a value, or take measure: count",
                "{pointer} 处是数组或对象：请让路径落在具体的值上，或使用 measure: count"
            )),
        }
    }
}

fn find(text: &str, path: &JsonPath, lang: Lang) -> Outcome<Vec<Match>> {
    let document: Value = match serde_json::from_str(text) {
        Ok(document) => document,
        Err(error) => {
            let line = error.line();
            return unreadable(if error.is_eof() {
                say!(
                    lang,
                    "the JSON is truncated in line {line}: capture it again",
                    "JSON 在第 {line} 行被截断：请重新采集"
                )
            } else {
                say!(
                    lang,
                    "no JSON in line {line}, or nested too deeply",
                    "第 {line} 行不是 JSON，或嵌套过深"
                )
            });
        }
    };
    let located = path.query_located(&document);
    refuse_flood(located.len(), lang)?;
    let mut matches: Vec<Match> = located
        .iter()
        .map(|node| Match { pointer: node.location().to_json_pointer(), found: found(node.node()) })
        .collect();
    restore_numbers(text, &mut matches, lang)?;
    Ok(matches)
}

fn found(value: &Value) -> Found {
    match value {
        Value::Null => Found::Null,
        Value::Bool(truth) => Found::Scalar(Scalar::Bool(*truth)),
        Value::Number(number) => Found::Scalar(Scalar::Text(number.to_string())),
        Value::String(text) => Found::Scalar(Scalar::Text(text.clone())),
        Value::Array(_) | Value::Object(_) => Found::Container,
    }
}

/// Puts the text of each number in place of what a binary float made of it.
fn restore_numbers(text: &str, matches: &mut [Match], lang: Lang) -> Outcome<()> {
    let mut wanted: BTreeMap<String, Vec<&mut Found>> = BTreeMap::new();
    for found in matches {
        wanted.entry(found.pointer.clone()).or_default().push(&mut found.found);
    }
    let walked = walk_numbers(text, |pointer, raw| {
        for found in wanted.get_mut(&pointer).into_iter().flatten() {
            **found = Found::Scalar(Scalar::Text(raw.to_owned()));
        }
    });
    match walked {
        Ok(()) => Ok(()),
        Err(WalkError::DuplicateKey(pointer)) => unreadable(say!(
            lang,
            "the key {pointer} stands twice: it has two values",
            "键 {pointer} 出现两次：有两个值"
        )),
        Err(WalkError::Json(error)) => unreadable(error.explain(lang)),
    }
}
