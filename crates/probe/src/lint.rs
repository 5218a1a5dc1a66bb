//! `lint`: findings of codelinter (`-f json`), or of any linter that writes SARIF.

use gate::lang::Lang;
use gate::observation::Place;
use gate::say;
use serde_json::Value;

use crate::answer::{Outcome, unreadable, values};
use crate::ask::{Ask, PLACES};
use crate::json_report::pointer;
use crate::param::{ParamInfo, ParamKind, Params, Plan, ReaderInfo, words};

pub(crate) const INFO: ReaderInfo = ReaderInfo {
    name: "lint",
    purpose: words(
        "findings of `codelinter -f json` or of a SARIF file: how many of a severity or rule",
        "`codelinter -f json` 或 SARIF 的检查结果：某级别或规则的条数",
    ),
    params: &[
        ParamInfo {
            name: "measure",
            kind: ParamKind::Choice(&["count", "presence"]),
            required: false,
            meaning: words("count (the default) or presence", "count（默认）或 presence"),
            example: "count",
        },
        ParamInfo {
            name: "severity",
            kind: ParamKind::Text,
            required: false,
            meaning: words(
                "the severity as the linter says it, whatever its case: error, warn, suggestion; warn and warning are one",
                "级别，与工具输出一致、不分大小写：error、warn、suggestion；warn 与 warning 视为相同",
            ),
            example: "error",
        },
        ParamInfo {
            name: "rule",
            kind: ParamKind::Text,
            required: false,
            meaning: words(
                "the rule, or its beginning when it ends with `*`",
                "规则名；以 `*` 结尾时按前缀匹配",
            ),
            example: "@performance/*",
        },
        ParamInfo {
            name: "file",
            kind: ParamKind::Text,
            required: false,
            meaning: words(
                "only files whose path contains this; `\\` and `/` are one",
                "只计路径中含此文本的文件；`\\` 与 `/` 视为相同",
            ),
            example: "entry/src/main",
        },
    ],
    example: "{severity: error}",
};

struct Finding {
    file: String,
    rule: String,
    severity: String,
    pointer: String,
}

pub(crate) fn plan(params: &mut Params<'_>) -> Option<Plan> {
    let ask = if params.text("measure") == Some("presence") { Ask::Presence } else { Ask::Count };
    let severity = params.text("severity").map(level);
    let rule = params.text("rule").map(str::to_owned);
    let file = params.text("file").map(slashes);
    Some(Box::new(move |input, lang| {
        let text = input.document_text(lang)?;
        let findings = parse(&text, lang)?;
        let holds = |finding: &&Finding| {
            severity.as_ref().is_none_or(|severity| finding.severity == *severity)
                && rule.as_ref().is_none_or(|rule| is_rule(&finding.rule, rule))
                && file.as_ref().is_none_or(|file| finding.file.contains(file))
        };
        let found: Vec<&Finding> = findings.iter().filter(holds).collect();
        let places =
            found.iter().take(PLACES).map(|finding| Place::Pointer { pointer: finding.pointer.clone() });
        let what = say!(lang, "such finding", "这样的检查结果");
        Ok(values(ask.tally(found.len() as u64, places.collect(), &what, lang)?))
    }))
}

fn level(severity: &str) -> String {
    match severity.to_lowercase() {
        word if word == "warning" => "warn".to_owned(),
        word => word,
    }
}

fn slashes(path: &str) -> String {
    path.replace('\\', "/")
}

fn is_rule(rule: &str, wanted: &str) -> bool {
    match wanted.strip_suffix('*') {
        Some(beginning) => rule.starts_with(beginning),
        None => rule == wanted,
    }
}

/// The most lines that are tried as the beginning of the document: banners are short.
const BANNER_LINES: usize = 200;

fn parse(text: &str, lang: Lang) -> Outcome<Vec<Finding>> {
    let mut offset = 0;
    let mut truncated = false;
    for line in text.split_inclusive('\n').take(BANNER_LINES) {
        if line.trim_start().starts_with(['[', '{']) {
            let body = text.get(offset..).unwrap_or_default();
            match serde_json::Deserializer::from_str(body).into_iter::<Value>().next() {
                Some(Ok(document)) => {
                    if let Some(findings) = codelinter(&document).or_else(|| sarif(&document)) {
                        return Ok(findings);
                    }
                }
                Some(Err(error)) => truncated |= error.is_eof(),
                None => {}
            }
        }
        offset += line.len();
    }
    unreadable(if truncated {
        say!(lang, "the JSON is truncated: run the linter again", "JSON 被截断：请重新运行检查")
    } else {
        say!(
            lang,
            "neither the JSON of `codelinter -f json` nor SARIF",
            "既不是 `codelinter -f json` 的 JSON，也不是 SARIF"
        )
    })
}

/// `[{"filePath", "messages": [{"severity", "rule", …}]}]`; an empty list is a clean run.
fn codelinter(document: &Value) -> Option<Vec<Finding>> {
    let mut findings = Vec::new();
    for (index, entry) in document.as_array()?.iter().enumerate() {
        let file = slashes(entry.get("filePath")?.as_str()?);
        for (position, message) in entry.get("messages")?.as_array()?.iter().enumerate() {
            findings.push(Finding {
                file: file.clone(),
                rule: message.get("rule")?.as_str()?.to_owned(),
                severity: level(message.get("severity")?.as_str()?),
                pointer: pointer(&[&index.to_string(), "messages", &position.to_string()]),
            });
        }
    }
    Some(findings)
}

/// `{"runs": [{"results": [{"ruleId", "level", "locations"}]}]}`. What a baseline says is gone does not count; what was suppressed does.
fn sarif(document: &Value) -> Option<Vec<Finding>> {
    let mut findings = Vec::new();
    for (run_index, run) in document.get("runs")?.as_array()?.iter().enumerate() {
        // A run without results did not finish its analysis.
        for (index, result) in run.get("results")?.as_array()?.iter().enumerate() {
            if result.get("baselineState").and_then(Value::as_str) == Some("absent") {
                continue;
            }
            let text = |pointer: &str| result.pointer(pointer).and_then(Value::as_str);
            let rule = text("/ruleId").or_else(|| text("/rule/id")).unwrap_or_default();
            findings.push(Finding {
                file: slashes(text("/locations/0/physicalLocation/artifactLocation/uri").unwrap_or_default()),
                rule: rule.to_owned(),
                severity: level(text("/level").unwrap_or_else(|| default_level(run, rule))),
                pointer: pointer(&["runs", &run_index.to_string(), "results", &index.to_string()]),
            });
        }
    }
    Some(findings)
}

/// The level that the rule declares, else the one that SARIF prescribes.
fn default_level<'a>(run: &'a Value, rule: &str) -> &'a str {
    let rules = run.pointer("/tool/driver/rules").and_then(Value::as_array);
    let declared =
        rules.into_iter().flatten().find(|declared| declared.get("id").and_then(Value::as_str) == Some(rule));
    declared
        .and_then(|declared| declared.pointer("/defaultConfiguration/level")?.as_str())
        .unwrap_or("warning")
}
