//! One case of the assertions' vectors: an assertion, a value, perhaps a scale, and the verdict that they must have.

use crate::assertion::judge;
use crate::audit::{AssertionVerdict, Scale};
use crate::decode::{self, Fields, Findings, Rules};
use crate::lang::Lang;
use crate::node::{Node, Value};
use crate::problem::{Problem, any_error};
use crate::say;

const FIELDS: &[&str] = &["name", "why", "assertion", "actual", "context", "assertionVerdict"];

const VERDICTS: &[(&str, AssertionVerdict)] = &[
    ("pass", AssertionVerdict::Pass),
    ("fail", AssertionVerdict::Fail),
    ("invalid", AssertionVerdict::Invalid),
    ("missing", AssertionVerdict::Missing),
    ("none", AssertionVerdict::None),
];

/// The case's name, and how this gate's answer differs.
pub fn run(case: &Node, lang: Lang) -> (String, Vec<String>) {
    let mut findings = Findings::new("case", lang);
    let Some(fields) = Fields::open(case, ("a case", "用例"), FIELDS, &mut findings) else {
        return (String::new(), told(&findings.finish(None::<()>).problems));
    };
    let name = fields.required_text("name", &mut findings).unwrap_or_default();
    let expected = fields.required_word("assertionVerdict", VERDICTS, &mut findings);
    let scale = fields.get("context").map(|node| scale(node, &mut findings)).unwrap_or_default();
    let assertion = fields.required("assertion", &mut findings);
    let problems = findings.finish(Some(())).problems;
    let (Some(expected), Some(assertion), false) = (expected, assertion, any_error(&problems)) else {
        return (name, told(&problems));
    };
    let (found, why) = verdict(assertion, fields.get("actual"), &scale, lang);
    if found == expected {
        return (name, Vec::new());
    }
    let (expected, found) = (word(expected), word(found));
    (
        name,
        vec![say!(lang, "expected {expected}, found {found}: {why}", "应为 {expected}，实为 {found}：{why}")],
    )
}

/// A value or an assertion that decoding refuses cannot be judged: that is an answer, and often the right one.
fn verdict(assertion: &Node, actual: Option<&Node>, scale: &Scale, lang: Lang) -> (AssertionVerdict, String) {
    let refused = |problems: Vec<Problem>| (AssertionVerdict::Invalid, told(&problems).join("; "));
    let assertion = match decode::assertion(assertion, Rules::Judging, "case", lang).into_result() {
        Ok(assertion) => assertion,
        Err(problems) => return refused(problems),
    };
    let actual = match actual.map(|node| decode::actual(node, "case", lang).into_result()).transpose() {
        Ok(actual) => actual,
        Err(problems) => return refused(problems),
    };
    let judgement = judge(&assertion, actual.as_ref(), scale);
    (judgement.verdict, judgement.steps(lang).join("; "))
}

fn scale(node: &Node, findings: &mut Findings<'_>) -> Scale {
    let Some(fields) = Fields::open(node, ("the context", "上下文"), &["density", "fontScale"], findings)
    else {
        return Scale::default();
    };
    let number = |name| match fields.get(name).map(|node| &node.value) {
        Some(Value::Number(text) | Value::Text(text)) => Some(text.clone()),
        _ => None,
    };
    Scale { density: number("density"), font_scale: number("fontScale") }
}

fn word(verdict: AssertionVerdict) -> &'static str {
    VERDICTS.iter().find(|(_, known)| *known == verdict).map_or("", |(word, _)| word)
}

fn told(problems: &[Problem]) -> Vec<String> {
    problems.iter().map(|problem| format!("{}: {}", problem.code.name(), problem.message)).collect()
}
