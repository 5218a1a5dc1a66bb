//! Assertions and probes as an author writes them.

use std::collections::BTreeMap;

use crate::code::Code;
use crate::node::{Node, Value};
use crate::pack::{Aggregate, Assertion, Expected, Matcher, Probe, Scalar};
use crate::say;

use super::fields::{one_of, text, wrong_kind};
use super::{Fields, Findings, Rules, did_you_mean, entries, scalar};

const FIELDS: [&str; 9] =
    ["matcher", "expected", "unit", "source", "not", "aggregate", "minSamples", "tolerance", "proposed"];

/// An assertion, its matcher in the canonical word. Authors are refused one that no value can be judged by; where it is
/// only judged, it makes every value invalid instead.
///
/// Of an assertion that says neither how nor with what to compare, the default rule says both.
pub(super) fn assertion(
    node: &Node,
    default: Option<Assertion>,
    rules: Rules,
    findings: &mut Findings<'_>,
) -> Option<Assertion> {
    let mark = findings.mark();
    let fields = Fields::open(node, ("an assertion", "断言"), &FIELDS, findings)?;
    let default = default.filter(|_| fields.get("matcher").is_none() && fields.get("expected").is_none());
    let (matcher, expected, unit) = match default {
        Some(rule) => (Some(rule.matcher), rule.expected, fields.text("unit", findings).or(rule.unit)),
        None => (
            matcher(&fields, findings),
            fields.get("expected").and_then(|node| expected(node, findings)),
            fields.text("unit", findings),
        ),
    };
    let source = fields.text("source", findings);
    let not = fields.boolean("not", findings).unwrap_or_default();
    let aggregate = aggregate(&fields, findings);
    let min_samples = fields.count("minSamples", findings);
    let tolerance = fields.get("tolerance").and_then(|node| scalar(node, "tolerance", findings));
    let proposed = fields.boolean("proposed", findings).unwrap_or_default();
    let matcher = matcher?;
    let assertion =
        Assertion { matcher, expected, unit, source, not, aggregate, min_samples, tolerance, proposed };
    // What is already refused would only be refused again in other words.
    if rules == Rules::Authoring && findings.mark() == mark {
        refusals(&assertion, &fields, findings);
    }
    Some(assertion)
}

/// What cannot be judged as it is written, each at the field that says so.
fn refusals(assertion: &Assertion, fields: &Fields<'_>, findings: &mut Findings<'_>) {
    let lang = findings.lang;
    for fault in crate::assertion::check(assertion) {
        let at = fields.place(fault.field.name());
        findings.report(Code::AssertionInvalid, at, fault.explain(lang));
    }
}

fn matcher(fields: &Fields<'_>, findings: &mut Findings<'_>) -> Option<Matcher> {
    let node = fields.required("matcher", findings)?;
    let word = text(node, "matcher", findings)?;
    let found = Matcher::from_word(&word);
    if found.is_none() {
        let lang = findings.lang;
        let message = say!(lang, "there is no matcher `{word}`", "没有匹配器 `{word}`");
        let known = Matcher::ALL.map(Matcher::word).join(", ");
        let help = match did_you_mean(&word, Matcher::words()) {
            Some(near) => {
                say!(lang, "did you mean `{near}`? known: {known}", "是否想写 `{near}`？可用：{known}")
            }
            None => say!(lang, "write one of: {known}", "请使用其中之一：{known}"),
        };
        findings.report_with(Code::MatcherUnknown, node.at, message, help);
    }
    found
}

fn expected(node: &Node, findings: &mut Findings<'_>) -> Option<Expected> {
    match &node.value {
        Value::List(items) => {
            let scalars: Vec<Scalar> =
                items.iter().filter_map(|item| scalar(item, "expected", findings)).collect();
            Some(Expected::Many(scalars))
        }
        _ => scalar(node, "expected", findings).map(Expected::One),
    }
}

fn aggregate(fields: &Fields<'_>, findings: &mut Findings<'_>) -> Option<Aggregate> {
    let node = fields.get("aggregate")?;
    let word = text(node, "aggregate", findings)?;
    let found = Aggregate::from_word(&word);
    if found.is_none() {
        let lang = findings.lang;
        let message = say!(lang, "there is no aggregate `{word}`", "没有聚合方式 `{word}`");
        let known =
            ["all", "any", "min", "max", "mean", "median", "sum", "count", "p50", "p90", "p95", "p99"];
        let help = one_of(&word, &known, lang);
        let help = say!(lang, "{help} (p1 to p99)", "{help}（p1 至 p99）");
        findings.report_with(Code::ValueUnknown, node.at, message, help);
    }
    found
}

/// A probe. Whether its collector, reader and parameters exist is known to the pipeline, not here.
pub(super) fn probe(node: &Node, findings: &mut Findings<'_>) -> Option<Probe> {
    let fields = Fields::open(node, ("a probe", "probe"), &["evidence", "reader", "with"], findings)?;
    let evidence = fields.required_text("evidence", findings);
    let reader = fields.required_text("reader", findings);
    let with = fields.get("with").and_then(|node| parameters(node, findings)).unwrap_or_default();
    Some(Probe { evidence: evidence?, reader: reader?, with })
}

fn parameters(node: &Node, findings: &mut Findings<'_>) -> Option<BTreeMap<String, Scalar>> {
    let entries = entries(node, ("the parameters `with`", "参数 `with`"), findings)?;
    let mut parameters = BTreeMap::new();
    for (key, value) in entries {
        match &value.value {
            Value::List(_) | Value::Map(_) | Value::Null => {
                let _: Option<()> = wrong_kind(
                    value,
                    &key.name,
                    ("text, a number, true or false", "文字、数字、true 或 false"),
                    findings,
                );
            }
            _ => {
                if let Some(scalar) = scalar(value, &key.name, findings) {
                    parameters.insert(key.name.clone(), scalar);
                }
            }
        }
    }
    Some(parameters)
}
