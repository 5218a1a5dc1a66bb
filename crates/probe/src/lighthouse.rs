//! `lighthouse`: a report of Lighthouse. A run that failed, and an audit that did not apply, have no value.

use gate::lang::Lang;
use gate::say;
use serde_json::Value;

use crate::answer::{Outcome, missing, noted, one, reading, unreadable};
use crate::json_report::{Report, at, pointer};
use crate::param::{ParamInfo, ParamKind, Params, Plan, ReaderInfo, words};

pub(crate) const INFO: ReaderInfo = ReaderInfo {
    name: "lighthouse",
    purpose: words(
        "a JSON report of Lighthouse: the score of a category or audit (0 to 1), the numeric value of an audit with its unit, or how many items it lists",
        "Lighthouse 的 JSON 报告：类别或审计的得分（0 到 1）、审计的数值及单位，或其列出的条目数",
    ),
    params: &[
        ParamInfo {
            name: "measure",
            kind: ParamKind::Choice(&["score", "numericValue", "items"]),
            required: false,
            meaning: words(
                "score (the default), or of an audit numericValue or items",
                "score（默认，得分）；对审计还可用 numericValue（数值）、items（条目数）",
            ),
            example: "score",
        },
        ParamInfo {
            name: "category",
            kind: ParamKind::Text,
            required: false,
            meaning: words("the category, by its id", "类别的 id"),
            example: "performance",
        },
        ParamInfo {
            name: "audit",
            kind: ParamKind::Text,
            required: false,
            meaning: words("the audit, by its id, in place of a category", "审计的 id，代替类别"),
            example: "largest-contentful-paint",
        },
    ],
    example: "{measure: numericValue, audit: largest-contentful-paint}",
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    Score,
    NumericValue,
    Items,
}

pub(crate) fn plan(params: &mut Params<'_>) -> Option<Plan> {
    let measure = match params.text("measure") {
        Some("numericValue") => Measure::NumericValue,
        Some("items") => Measure::Items,
        _ => Measure::Score,
    };
    let audit = params.text("audit").map(str::to_owned);
    // A category has a score and nothing else; beside an audit it means nothing, and stays unused.
    let category = match (&audit, measure) {
        (None, Measure::Score) => {
            params.need("category", "measure: score");
            params.text("category").map(str::to_owned)
        }
        (None, _) => {
            params.need("audit", "measure: numericValue, items");
            None
        }
        _ => None,
    };
    Some(Box::new(move |input, lang| {
        let text = input.document_text(lang)?;
        let report = Report::parse(&text, lang)?;
        refuse_failed_run(&report.root, lang)?;
        match (&audit, &category) {
            (Some(audit), _) => of_audit(&report, audit, measure, lang),
            (None, Some(category)) => of_category(&report, category, lang),
            (None, None) => missing(say!(lang, "nothing is asked", "没有提问")),
        }
    }))
}

fn refuse_failed_run(root: &Value, lang: Lang) -> Outcome<()> {
    let is_report =
        root.get("lighthouseVersion").is_some() && root.get("audits").is_some_and(Value::is_object);
    if !is_report {
        return unreadable(say!(lang, "no report of Lighthouse", "不是 Lighthouse 的报告"));
    }
    let code = root.pointer("/runtimeError/code").and_then(Value::as_str);
    let has_error = root.get("runtimeError").is_some_and(|error| !error.is_null());
    match code {
        Some("NO_ERROR") => Ok(()),
        None if !has_error => Ok(()),
        code => {
            let code = code.unwrap_or("runtimeError");
            missing(say!(lang, "Lighthouse could not run: {code}", "Lighthouse 未能运行：{code}"))
        }
    }
}

fn of_category(report: &Report<'_>, category: &str, lang: Lang) -> Outcome {
    let place = pointer(&["categories", category, "score"]);
    let Some(found) = report.root.pointer(&pointer(&["categories", category])) else {
        return missing(say!(lang, "the report has no category `{category}`", "报告中没有类别 `{category}`"));
    };
    score(report, found, &place, lang)
}

fn of_audit(report: &Report<'_>, audit: &str, measure: Measure, lang: Lang) -> Outcome {
    let Some(found) = report.root.pointer(&pointer(&["audits", audit])) else {
        return missing(say!(lang, "the report has no audit `{audit}`", "报告中没有审计 `{audit}`"));
    };
    let mode = found.get("scoreDisplayMode").and_then(Value::as_str).unwrap_or_default();
    if matches!(mode, "error" | "notApplicable" | "manual") {
        let why = found.get("errorMessage").and_then(Value::as_str).unwrap_or(mode);
        return missing(say!(
            lang,
            "the audit `{audit}` has no result: {why}",
            "审计 `{audit}` 没有结果：{why}"
        ));
    }
    match measure {
        // Lighthouse gives every such audit a 1, which says nothing.
        Measure::Score if mode == "informative" => missing(say!(
            lang,
            "the audit `{audit}` only informs: its score is always 1",
            "审计 `{audit}` 只提供信息：其得分恒为 1"
        )),
        Measure::Score => score(report, found, &pointer(&["audits", audit, "score"]), lang),
        Measure::NumericValue => numeric_value(report, found, audit, lang),
        Measure::Items => items(found, audit, lang),
    }
}

fn score(report: &Report<'_>, found: &Value, place: &str, lang: Lang) -> Outcome {
    match (found.get("score"), report.number(place)) {
        (Some(Value::Number(_)), Some(raw)) => one(reading(raw, at(place))),
        (Some(Value::Null) | None, _) => {
            missing(say!(lang, "there is no score at {place}", "{place} 处没有得分"))
        }
        _ => unreadable(say!(lang, "the score at {place} is no number", "{place} 处的得分不是数字")),
    }
}

fn numeric_value(report: &Report<'_>, found: &Value, audit: &str, lang: Lang) -> Outcome {
    let place = pointer(&["audits", audit, "numericValue"]);
    let Some(raw) = report.number(&place) else {
        return missing(say!(lang, "the audit `{audit}` has no numeric value", "审计 `{audit}` 没有数值"));
    };
    let unit = found.get("numericUnit").and_then(Value::as_str);
    let known = match unit {
        Some("millisecond") => "ms",
        Some("second") => "s",
        Some("byte") => "B",
        // A count, or a number that has none.
        Some("unitless" | "element") => "",
        Some(other) => {
            return unreadable(say!(
                lang,
                "the unit `{other}` of `{audit}` is not known",
                "不认识 `{audit}` 的单位 `{other}`"
            ));
        }
        None => {
            let value = reading(raw, at(&place));
            let note = say!(lang, "the report says no unit", "报告没有写单位");
            return one(noted(value, note));
        }
    };
    one(reading(format!("{raw}{known}"), at(&place)))
}

fn items(found: &Value, audit: &str, lang: Lang) -> Outcome {
    let place = pointer(&["audits", audit, "details", "items"]);
    match found.pointer("/details/items").and_then(Value::as_array) {
        Some(items) => one(reading(items.len().to_string(), at(&place))),
        None => missing(say!(lang, "the audit `{audit}` lists no items", "审计 `{audit}` 没有条目列表")),
    }
}
