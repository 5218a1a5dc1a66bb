//! What reviewers answer, and what people answer to a review.

use crate::code::Code;
use crate::lang::Lang;
use crate::node::{Node, Value};
use crate::problem::{Severity, Span};
use crate::review::{Angle, MAX_OBJECTIONS, MAX_WORDS, Objection, Response, ReviewerAnswer, Stance};
use crate::say;

use super::check::list_of;
use super::{Decoded, Fields, Findings, did_you_mean};

const OBJECTION: [&str; 5] = ["criterion", "kind", "severity", "delivery", "fix"];
const SEVERITIES: [(&str, Severity); 2] = [("error", Severity::Error), ("warning", Severity::Warning)];
const RESPONSE: [&str; 4] = ["finding", "answer", "by", "reason"];

/// Decodes the answer of a reviewer. A bare list is none: that nothing was found has to be said. `known` is the criteria
/// of the pack; a finding about another one is about something else than the pack.
pub fn reviewer_answer(node: &Node, known: &[&str], file: &str, lang: Lang) -> Decoded<ReviewerAnswer> {
    let mut findings = Findings::new(file, lang);
    let answer = answer(node, known, &mut findings);
    findings.finish(answer)
}

fn answer(node: &Node, known: &[&str], findings: &mut Findings<'_>) -> Option<ReviewerAnswer> {
    let fields = Fields::open(node, ("an answer", "回答"), &["findings"], findings)?;
    fields.required("findings", findings)?;
    let items = fields.list("findings", findings)?;
    if let Some(item) = items.get(MAX_OBJECTIONS) {
        let count = items.len();
        let message = say!(
            findings.lang,
            "the answer holds {count} findings; at most {MAX_OBJECTIONS} are read",
            "回答有 {count} 条发现；最多读取 {MAX_OBJECTIONS} 条"
        );
        findings.report(Code::LimitCount, item.at, message);
    }
    let read = items.iter().take(MAX_OBJECTIONS).filter_map(|item| objection(item, known, findings));
    Some(ReviewerAnswer { findings: read.collect() })
}

fn objection(node: &Node, known: &[&str], findings: &mut Findings<'_>) -> Option<Objection> {
    let fields = Fields::open(node, ("a finding", "发现"), &OBJECTION, findings)?;
    let criterion = match fields.get("criterion").map(|node| &node.value) {
        // A model that has nothing to say of one criterion says so.
        None | Some(Value::Null) => None,
        Some(_) => fields.text("criterion", findings),
    };
    if let Some(id) = criterion.as_deref().filter(|id| !known.contains(id)) {
        report_unknown(id, known, fields.place("criterion"), findings);
    }
    let kind = match fields.get("kind").map(|node| &node.value) {
        None | Some(Value::Null) => None,
        Some(_) => fields.word("kind", &Angle::WORDS, findings),
    };
    let severity = fields.required_word("severity", &SEVERITIES, findings);
    let delivery = fields.required_text("delivery", findings);
    let fix = match fields.get("fix").map(|node| &node.value) {
        None | Some(Value::Null) => None,
        Some(_) => fields.text("fix", findings).filter(|fix| super::has_visible(fix)),
    };
    for (name, text) in [("delivery", &delivery), ("fix", &fix)] {
        report_length(text.as_deref().unwrap_or_default(), name, fields.place(name), findings);
    }
    Some(Objection { criterion, kind, severity: severity?, delivery: delivery?, fix })
}

fn report_unknown(id: &str, known: &[&str], at: Span, findings: &mut Findings<'_>) {
    let lang = findings.lang;
    let message = say!(lang, "the pack holds no criterion `{id}`", "验收包中没有标准 `{id}`");
    let help = match did_you_mean(id, known.iter().copied()) {
        Some(near) => say!(lang, "did you mean `{near}`?", "是否想写 `{near}`？"),
        None => say!(lang, "the criteria are: {}", "已有的标准：{}", known.join(", ")),
    };
    findings.report_with(Code::ValueUnknown, at, message, help);
}

fn report_length(text: &str, name: &str, at: Span, findings: &mut Findings<'_>) {
    let length = text.chars().count();
    if length > MAX_WORDS {
        let message = say!(
            findings.lang,
            "`{name}` has {length} characters; at most {MAX_WORDS} are read",
            "`{name}` 有 {length} 个字符；最多读取 {MAX_WORDS} 个"
        );
        findings.report(Code::LimitLength, at, message);
    }
}

/// Decodes what people answered: a mapping with the list `responses`, or the list alone.
pub fn responses(node: &Node, file: &str, lang: Lang) -> Decoded<Vec<Response>> {
    let mut findings = Findings::new(file, lang);
    let items = list_of(node, "responses", ("a responses file", "答复文件"), &mut findings);
    let read = items.map(|items| items.iter().filter_map(|item| response(item, &mut findings)).collect());
    findings.finish(read)
}

fn response(node: &Node, findings: &mut Findings<'_>) -> Option<Response> {
    let fields = Fields::open(node, ("a response", "答复"), &RESPONSE, findings)?;
    let finding = fields.required_text("finding", findings);
    let answer = fields.required_word("answer", &Stance::WORDS, findings);
    let by = fields.required_text("by", findings);
    let reason = fields.required_text("reason", findings);
    Some(Response { finding: finding?, answer: answer?, by: by?, reason: reason? })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn codes(answer: &Value) -> Vec<&'static str> {
        let decoded = reviewer_answer(&Node::from_json(answer), &["P-01"], "answer.json", Lang::En);
        assert_eq!(decoded.value.is_none(), !decoded.problems.is_empty());
        decoded.problems.iter().map(|problem| problem.code.name()).collect()
    }

    #[test]
    fn an_answer_is_read_whole_or_not_at_all() {
        let one = |changes: Value| {
            let mut finding =
                json!({ "criterion": "P-01", "severity": "error", "delivery": "a splash image" });
            let (Some(fields), Value::Object(changes)) = (finding.as_object_mut(), changes) else {
                return json!(null);
            };
            fields.extend(changes);
            json!({ "findings": [finding] })
        };
        let long = "x".repeat(MAX_WORDS + 1);
        let many: Vec<Value> = (0..=MAX_OBJECTIONS).map(|_| one(json!({}))["findings"][0].clone()).collect();
        for (answer, expected) in [
            (json!({ "findings": [] }), vec![]),
            (one(json!({})), vec![]),
            (one(json!({ "criterion": null, "kind": "states", "fix": null })), vec![]),
            (one(json!({ "fix": "ask for three starts" })), vec![]),
            (json!([]), vec!["E_FIELD_TYPE"]),
            (json!({}), vec!["E_FIELD_MISSING"]),
            (json!("looks fine"), vec!["E_FIELD_TYPE"]),
            (one(json!({ "criterion": "P-1" })), vec!["E_VALUE_UNKNOWN"]),
            (one(json!({ "criterion": 1 })), vec!["E_FIELD_TYPE"]),
            (one(json!({ "severity": "blocker" })), vec!["E_VALUE_UNKNOWN"]),
            (one(json!({ "severity": null })), vec!["E_FIELD_TYPE"]),
            (one(json!({ "delivery": " " })), vec!["E_FIELD_MISSING"]),
            (one(json!({ "delivery": long })), vec!["E_LIMIT_LENGTH"]),
            (one(json!({ "kind": "security" })), vec!["E_VALUE_UNKNOWN"]),
            (one(json!({ "verdict": "pass" })), vec!["E_FIELD_UNKNOWN"]),
            (json!({ "findings": many }), vec!["E_LIMIT_COUNT"]),
            (json!({ "findings": [], "note": "all well" }), vec!["E_FIELD_UNKNOWN"]),
        ] {
            assert_eq!(codes(&answer), expected, "{answer}");
        }
    }

    #[test]
    fn a_response_says_who_and_why() {
        let said = |changes: Value| {
            let mut response =
                json!({ "finding": "12345678", "answer": "dispute", "by": "Chen", "reason": "measured" });
            if let (Some(fields), Value::Object(changes)) = (response.as_object_mut(), changes) {
                fields.extend(changes);
            }
            let node = Node::from_json(&json!({ "responses": [response] }));
            responses(&node, "responses.json", Lang::En)
                .problems
                .iter()
                .map(|p| p.code.name())
                .collect::<Vec<_>>()
        };
        assert_eq!(said(json!({})), [""; 0]);
        assert_eq!(said(json!({ "by": "\u{200b}" })), ["E_FIELD_MISSING"]);
        assert_eq!(said(json!({ "reason": "" })), ["E_FIELD_MISSING"]);
        assert_eq!(said(json!({ "answer": "waive" })), ["E_VALUE_UNKNOWN"]);
    }
}
