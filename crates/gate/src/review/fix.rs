//! Changes to a criterion that answer a finding for certain: what the statement, the rule or the collector says already is
//! written into the assertion. Whoever reads a change sees why it is right; anything that takes a decision is left alone.

use super::accepted::Accepted;
use super::node::{Visibility, visibility};
use super::{Context, attack, statement};
use crate::audit::SourceKind;
use crate::code::Code;
use crate::lang::Lang;
use crate::pack::{Assertion, Criterion, Expected, Matcher, Scalar, Weight};
use crate::rules::Rule;

/// One field of a criterion, and what it becomes. It may not be written yet; what holds it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The path of the field, such as `assertion.expected`.
    pub field: &'static str,
    /// Its value.
    pub value: Scalar,
}

/// The change that answers a finding of a code in a criterion, if there is one that is certain: with it the finding is gone,
/// and no other one has come.
pub fn fix(code: Code, criterion: &Criterion, context: &Context<'_>) -> Option<(Edit, Criterion)> {
    let before = codes(criterion, context);
    candidates(code, criterion, context).into_iter().find_map(|edit| {
        let fixed = edited(criterion, &edit)?;
        let after = codes(&fixed, context);
        let count = |codes: &[Code], code: Code| codes.iter().filter(|found| **found == code).count();
        let is_gone = count(&after, code) < count(&before, code);
        let is_better = after.iter().all(|found| count(&after, *found) <= count(&before, *found));
        (is_gone && is_better).then_some((edit, fixed))
    })
}

fn codes(criterion: &Criterion, context: &Context<'_>) -> Vec<Code> {
    attack(criterion, context, Lang::En).iter().map(|problem| problem.code).collect()
}

fn candidates(code: Code, criterion: &Criterion, context: &Context<'_>) -> Vec<Edit> {
    let Some(assertion) = &criterion.assertion else { return Vec::new() };
    let edit = |field, value| Edit { field, value };
    match code {
        Code::StatementContradicts | Code::StatementDisagrees => {
            let stated = stated(criterion, assertion).map(|value| edit("assertion.expected", value));
            // `is not shown`, of a node that only has to exist.
            let denied = (assertion.matcher == Matcher::Exists)
                .then(|| edit("assertion.not", Scalar::Bool(!assertion.not)));
            stated.into_iter().chain(denied).collect()
        }
        Code::UnitDisagrees => statement::unit_told(criterion, assertion)
            .map(|unit| edit("assertion.unit", Scalar::Text(unit)))
            .into_iter()
            .collect(),
        Code::RuleWeaker => {
            of_rule(criterion, assertion).map(|value| edit("assertion.expected", value)).into_iter().collect()
        }
        Code::NodeHidden | Code::NodeUnseen => {
            visible(criterion).map(|value| edit("probe.with.node", value)).into_iter().collect()
        }
        Code::SourceAuxiliary | Code::SourceDiffers => of_collector(criterion, context)
            .map(|value| edit("assertion.source", value))
            .into_iter()
            .collect(),
        Code::SamplesFew => {
            let enough = super::samples::enough(assertion).to_string();
            vec![edit("assertion.minSamples", Scalar::Number(enough))]
        }
        _ => Vec::new(),
    }
}

/// The threshold that the statement states, where it is stricter than the assertion's.
fn stated(criterion: &Criterion, assertion: &Assertion) -> Option<Scalar> {
    let Some(Expected::One(Scalar::Number(_))) = &assertion.expected else { return None };
    let stated = Scalar::Number(statement::threshold_told(criterion, assertion)?.to_decimal());
    let tightened = Assertion { expected: Some(Expected::One(stated.clone())), ..assertion.clone() };
    accepts_less(&tightened, assertion).then_some(stated)
}

/// The threshold of the rule that is cited, where it is in the assertion's own unit.
fn of_rule(criterion: &Criterion, assertion: &Assertion) -> Option<Scalar> {
    let rule = Rule::named(criterion.rule_id.as_deref()?)?.assertion(Weight::Must);
    let is_alike = rule.matcher == assertion.matcher && rule.unit == assertion.unit && !assertion.not;
    match (&assertion.expected, rule.expected) {
        (Some(Expected::One(Scalar::Number(_))), Some(Expected::One(required))) if is_alike => Some(required),
        _ => None,
    }
}

fn accepts_less(a: &Assertion, b: &Assertion) -> bool {
    match (Accepted::of(a), Accepted::of(b)) {
        (Some(a), Some(b)) => a.set.within(&b.set),
        _ => false,
    }
}

/// The same selector, of what can be seen. One that quotes text may hold any sign.
fn visible(criterion: &Criterion) -> Option<Scalar> {
    let probe = criterion.probe.as_ref()?;
    match probe.with.get("node") {
        Some(Scalar::Text(node)) if visibility(probe) == Visibility::Unasked && !node.contains('"') => {
            Some(Scalar::Text(format!("{},visible=true", node.trim_end())))
        }
        _ => None,
    }
}

/// The source of the file that the probe reads: the record of that file is what the gate believes.
fn of_collector(criterion: &Criterion, context: &Context<'_>) -> Option<Scalar> {
    let collector = context.collectors.get(&criterion.probe.as_ref()?.evidence)?;
    let is_independent = context.sources.get(&collector.source) == Some(&SourceKind::Independent);
    is_independent.then(|| Scalar::Text(collector.source.clone()))
}

/// The criterion with one field changed.
pub fn edited(criterion: &Criterion, edit: &Edit) -> Option<Criterion> {
    let mut fixed = criterion.clone();
    let text = || match &edit.value {
        Scalar::Text(text) => Some(text.clone()),
        _ => None,
    };
    match edit.field {
        "probe.with.node" => {
            fixed.probe.as_mut()?.with.insert("node".to_owned(), edit.value.clone());
        }
        field => {
            let assertion = fixed.assertion.as_mut()?;
            match field {
                "assertion.expected" => assertion.expected = Some(Expected::One(edit.value.clone())),
                "assertion.unit" => assertion.unit = text(),
                "assertion.source" => assertion.source = text(),
                "assertion.not" => assertion.not = edit.value == Scalar::Bool(true),
                "assertion.minSamples" => match &edit.value {
                    Scalar::Number(digits) => assertion.min_samples = digits.parse().ok(),
                    _ => return None,
                },
                _ => return None,
            }
        }
    }
    Some(fixed)
}
