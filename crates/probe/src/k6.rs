//! `k6`: a summary of k6. Its thresholds are its own verdicts, and are not read: a value is.

use gate::lang::Lang;
use gate::say;
use serde_json::{Map, Value};

use crate::answer::{Outcome, missing, noted, one, reading, unreadable};
use crate::json_report::{Report, at, pointer};
use crate::param::{ParamInfo, ParamKind, Params, Plan, ReaderInfo, words};

pub(crate) const INFO: ReaderInfo = ReaderInfo {
    name: "k6",
    purpose: words(
        "the summary of k6, of `--summary-export` or the data of `handleSummary` as JSON: one statistic of a metric; thresholds are not read",
        "k6 的汇总（`--summary-export` 或 `handleSummary` 数据的 JSON）：某个指标的一项统计；不读取其阈值结论",
    ),
    params: &[
        ParamInfo {
            name: "metric",
            kind: ParamKind::Text,
            required: true,
            meaning: words("the metric, with its tags if it has some", "指标名；带标签时一并写出"),
            example: "http_req_duration{expected_response:true}",
        },
        ParamInfo {
            name: "stat",
            kind: ParamKind::Text,
            required: true,
            meaning: words(
                "the statistic as the summary names it: avg, min, med, max, p(95), count, rate, value, passes, fails",
                "统计项，与汇总中的名称一致：avg、min、med、max、p(95)、count、rate、value、passes、fails",
            ),
            example: "p(95)",
        },
    ],
    example: "{metric: http_req_duration, stat: p(95)}",
};

/// What is a time in every summary, also where the summary does not say so.
const TIMES: [&str; 16] = [
    "http_req_duration",
    "http_req_blocked",
    "http_req_connecting",
    "http_req_tls_handshaking",
    "http_req_sending",
    "http_req_waiting",
    "http_req_receiving",
    "http_req_looking_up",
    "iteration_duration",
    "group_duration",
    "ws_connecting",
    "ws_session_duration",
    "ws_ping",
    "grpc_req_duration",
    "browser_http_req_duration",
    "browser_web_vital_lcp",
];
const SIZES: [&str; 2] = ["data_sent", "data_received"];

pub(crate) fn plan(params: &mut Params<'_>) -> Option<Plan> {
    let metric = params.text("metric")?.to_owned();
    let stat = params.text("stat")?.to_owned();
    if matches!(stat.as_str(), "thresholds" | "ok" | "type" | "contains" | "values") {
        params.invalid(
            "stat",
            format!("`{stat}` is no statistic: take the value, and let the criterion hold the limit"),
            format!("`{stat}` 不是统计项：请取数值，由标准给出阈值"),
        );
        return None;
    }
    Some(Box::new(move |input, lang| {
        let text = input.document_text(lang)?;
        let report = Report::parse(&text, lang)?;
        value(&report, &metric, &stat, lang)
    }))
}

/// A metric as either form of the summary has it.
struct Metric<'r> {
    stats: &'r Map<String, Value>,
    steps: Vec<&'r str>,
    /// `trend`, `rate`, `counter`, `gauge`, where the summary says it.
    kind: Option<&'r str>,
    /// `time`, `data`, `default`, where the summary says it.
    contains: Option<&'r str>,
}

fn value(report: &Report<'_>, name: &str, stat: &str, lang: Lang) -> Outcome {
    let metric = metric(&report.root, name, lang)?;
    refuse_no_samples(&metric, name, lang)?;
    let place: Vec<&str> = metric.steps.iter().copied().chain([stat]).collect();
    let place = pointer(&place);
    match metric.stats.get(stat) {
        Some(Value::Number(_)) => {}
        Some(Value::Null) | None => {
            let known: Vec<&str> = metric
                .stats
                .iter()
                .filter(|(_, value)| value.is_number())
                .map(|(name, _)| name.as_str())
                .collect();
            let known = known.join(", ");
            return missing(say!(
                lang,
                "the metric `{name}` has no `{stat}`; it has: {known}",
                "指标 `{name}` 没有 `{stat}`；它有：{known}"
            ));
        }
        Some(_) => return unreadable(say!(lang, "no number stands at {place}", "{place} 处不是数字")),
    }
    let Some(raw) = report.number(&place) else {
        return unreadable(say!(lang, "no number stands at {place}", "{place} 处不是数字"));
    };
    let base = name.split('{').next().unwrap_or(name);
    let unit = unit(&metric, base, stat);
    let value = reading(format!("{raw}{}", unit.unwrap_or_default()), at(&place));
    let is_unsaid = unit.is_none() && metric.contains.is_none() && is_statistic_of_values(stat);
    one(match is_unsaid {
        true => noted(value, say!(lang, "this form of the summary says no unit", "这种汇总格式不写单位")),
        false => value,
    })
}

fn metric<'r>(root: &'r Value, name: &str, lang: Lang) -> Outcome<Metric<'r>> {
    let Some(metrics) = root.get("metrics").and_then(Value::as_object) else {
        return unreadable(say!(lang, "no summary of k6", "不是 k6 的汇总"));
    };
    let Some((key, found)) = metrics.get_key_value(name) else {
        return missing(say!(lang, "the summary has no metric `{name}`", "汇总中没有指标 `{name}`"));
    };
    let text = |field: &str| found.get(field).and_then(Value::as_str);
    let (stats, steps) = match found.get("values") {
        Some(values) => (values.as_object(), vec!["metrics", key, "values"]),
        None => (found.as_object(), vec!["metrics", key]),
    };
    match stats {
        Some(stats) => Ok(Metric { stats, steps, kind: text("type"), contains: text("contains") }),
        None => unreadable(say!(lang, "the metric `{name}` has no statistics", "指标 `{name}` 没有统计项")),
    }
}

/// k6 writes zeros for a metric that was declared and never measured.
fn refuse_no_samples(metric: &Metric<'_>, name: &str, lang: Lang) -> Outcome<()> {
    let number = |stat: &str| metric.stats.get(stat).and_then(Value::as_f64);
    let is_zero = |stat: &str| number(stat) == Some(0.0);
    let is_rate = metric.kind == Some("rate") || (number("passes").is_some() && number("fails").is_some());
    let is_trend = metric.kind == Some("trend") || (number("avg").is_some() && number("max").is_some());
    let numbers = || metric.stats.values().filter_map(Value::as_f64);
    let is_empty = (is_rate && is_zero("passes") && is_zero("fails"))
        || (is_trend && numbers().count() > 0 && numbers().all(|value| value == 0.0));
    if is_empty {
        return missing(say!(
            lang,
            "the metric `{name}` has no sample: everything in it is zero",
            "指标 `{name}` 没有样本：其中全部为零"
        ));
    }
    Ok(())
}

/// Whether a statistic is in the unit of the samples.
fn is_statistic_of_values(stat: &str) -> bool {
    matches!(stat, "avg" | "min" | "med" | "max") || stat.starts_with("p(")
}

fn unit(metric: &Metric<'_>, base: &str, stat: &str) -> Option<&'static str> {
    let is_time = metric.contains == Some("time") || (metric.contains.is_none() && TIMES.contains(&base));
    let is_data = metric.contains == Some("data") || (metric.contains.is_none() && SIZES.contains(&base));
    match stat {
        stat if is_statistic_of_values(stat) && is_time => Some("ms"),
        stat if is_statistic_of_values(stat) && is_data => Some("B"),
        "value" if is_time => Some("ms"),
        "value" | "count" if is_data => Some("B"),
        "rate" if is_data => Some("B/s"),
        // Of a counter, how many a second; of a rate, a share.
        "rate" if metric.kind == Some("counter") || metric.stats.contains_key("count") => Some("/s"),
        _ => None,
    }
}
