//! What auditors report, as they write it.

use crate::check::{Actual, Check, CheckResult};
use crate::code::Code;
use crate::lang::Lang;
use crate::node::{Node, Value};
use crate::pack::Scalar;

use super::fields::wrong_kind;
use super::{Decoded, Fields, Findings, check_relative_path, scalar};

const CHECK: [&str; 5] = ["criterionId", "result", "evidence", "actual", "evidenceRefs"];
const RESULTS: [(&str, CheckResult); 2] = [("pass", CheckResult::Pass), ("fail", CheckResult::Fail)];

/// Decodes one auditor's checks: a mapping with the list `checks`, or the list alone.
///
/// Whether a check names a criterion of the pack, and whether it is the only one to, is for the gate to say.
pub fn checks(node: &Node, file: &str, lang: Lang) -> Decoded<Vec<Check>> {
    let mut findings = Findings::new(file, lang);
    let items = list_of(node, "checks", ("a checks file", "检查文件"), &mut findings);
    let checks = items.map(|items| items.iter().filter_map(|item| check(item, &mut findings)).collect());
    findings.finish(checks)
}

/// The list under `name`, or the list that the document itself is.
pub(super) fn list_of<'n>(
    node: &'n Node,
    name: &'static str,
    what: (&'static str, &'static str),
    findings: &mut Findings<'_>,
) -> Option<&'n [Node]> {
    if let Value::List(items) = &node.value {
        return Some(items);
    }
    let fields = Fields::open(node, what, &[name], findings)?;
    fields.required(name, findings)?;
    fields.list(name, findings)
}

fn check(node: &Node, findings: &mut Findings<'_>) -> Option<Check> {
    let mark = findings.mark();
    let fields = Fields::open(node, ("a check", "检查"), &CHECK, findings)?;
    fields.required("criterionId", findings);
    let criterion_id = fields.text("criterionId", findings);
    let result = fields.required_word("result", &RESULTS, findings);
    let evidence = fields.text("evidence", findings).unwrap_or_default();
    let actual = fields.get("actual").and_then(|node| actual(node, findings));
    let evidence_refs = evidence_refs(&fields, findings);
    let criterion_id = criterion_id?;
    findings.tie(mark, &criterion_id);
    Some(Check { criterion_id, result: result?, evidence, actual, evidence_refs, at: Some(node.at) })
}

pub(super) fn actual(node: &Node, findings: &mut Findings<'_>) -> Option<Actual> {
    match &node.value {
        Value::Null => Some(Actual::Null),
        Value::List(items) => Some(Actual::Many(items.iter().map(|item| sample(item, findings)).collect())),
        _ => scalar(node, "actual", findings).map(Actual::One),
    }
}

fn sample(node: &Node, findings: &mut Findings<'_>) -> Option<Scalar> {
    match &node.value {
        Value::Null => None,
        Value::List(_) | Value::Map(_) => {
            wrong_kind(node, "actual", ("one value a sample", "每个样本一个值"), findings)
        }
        _ => scalar(node, "actual", findings),
    }
}

fn evidence_refs(fields: &Fields<'_>, findings: &mut Findings<'_>) -> Vec<String> {
    let mut refs = Vec::new();
    for (at, path) in fields.texts("evidenceRefs", findings) {
        if let Some(reason) = check_relative_path(&path, findings.lang) {
            findings.report(Code::PathUnsafe, at, reason);
        }
        refs.push(path);
    }
    refs
}
