//! Statements that say something else than their assertion, or the same as another's.

use std::collections::BTreeMap;

use super::accepted::exact;
use crate::code::Code;
use crate::lang::Lang;
use crate::measure::{Declared, Exact, contains_measure, plain_measure};
use crate::pack::{Assertion, Expected, Pack, Scalar};
use crate::problem::Problem;
use crate::say;

/// W_STATEMENT_DISAGREES: the statement has numbers, and none of them is one of the assertion's.
pub(super) fn disagreement(statement: &str, assertion: &Assertion, lang: Lang) -> Option<Problem> {
    let declared = assertion.unit.as_deref().and_then(|unit| Declared::new(unit).ok());
    let expected: Vec<Exact> =
        scalars(assertion).iter().filter_map(|s| exact(s, declared.as_ref())).collect();
    let stated = measures(statement);
    if expected.is_empty() || stated.is_empty() {
        return None;
    }
    let is_expected = |text: &String| match stated_value(text, declared.as_ref()) {
        Some(value) => expected.contains(&value),
        // A number in words is not compared: it is not known to differ.
        None => true,
    };
    if stated.iter().any(is_expected) {
        return None;
    }
    let (stated, expected) = (stated.join(", "), crate::assertion::shown(assertion, lang));
    let message = say!(
        lang,
        "the statement says {stated}, and the assertion is `{expected}`",
        "陈述写的是 {stated}，而断言是 `{expected}`"
    );
    Some(Problem::new(Code::StatementDisagrees, message, Code::StatementDisagrees.help(lang)))
}

fn scalars(assertion: &Assertion) -> Vec<Scalar> {
    let mut scalars = match &assertion.expected {
        Some(Expected::One(scalar)) => vec![scalar.clone()],
        Some(Expected::Many(scalars)) => scalars.clone(),
        None => Vec::new(),
    };
    scalars.extend(assertion.tolerance.clone());
    scalars
}

/// All numbers of a statement, with their units, as written.
fn measures(statement: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = statement;
    while let Some(measure) = contains_measure(rest) {
        found.push(measure.text);
        rest = rest.get(measure.range.end..).unwrap_or_default();
    }
    found
}

/// The value in the assertion's unit; of an unlike unit the bare number, which is then compared as it stands.
fn stated_value(text: &str, declared: Option<&Declared>) -> Option<Exact> {
    exact(&Scalar::Text(text.to_owned()), declared).or_else(|| Some(plain_measure(text, None).ok()?.value))
}

/// W_STATEMENT_REPEATED, with the id of the later criterion of each pair.
pub(super) fn repetitions(pack: &Pack, lang: Lang) -> Vec<(String, Problem)> {
    let mut first: BTreeMap<&str, &str> = BTreeMap::new();
    let mut found = Vec::new();
    for criterion in &pack.criteria {
        let statement = criterion.statement.trim();
        let Some(earlier) = first.get(statement) else {
            first.insert(statement, &criterion.id);
            continue;
        };
        let message = say!(lang, "the statement is that of `{earlier}`", "陈述与 `{earlier}` 相同");
        let problem = Problem::new(Code::StatementRepeated, message, Code::StatementRepeated.help(lang));
        found.push((criterion.id.clone(), problem));
    }
    found
}
