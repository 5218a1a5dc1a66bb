//! Writes down what the gate found, with all that it rested on: the artifact that reports are rendered from.

use super::rule::Ruled;
use super::settle::{Gate, Settled, settle};
use super::{Audit, CriterionResult, Inputs, Ruling};

/// Rules, and copies everything that was referred to while it is at hand.
pub(super) fn record(inputs: &Inputs<'_>) -> Audit {
    let count = inputs.pack.criteria.len();
    let (mut checks, mut criteria) = (Vec::with_capacity(count), Vec::with_capacity(count));
    let Gate { verdict, counts, problems } = settle(inputs, true, |settled, rulings| {
        checks.extend(rulings.drain(..).map(|ruled| ruling(settled, ruled)));
        criteria.push(criterion(settled));
    });
    Audit { verdict, counts, checks, criteria, problems }
}

fn ruling(settled: &Settled<'_>, ruled: Ruled<'_>) -> Ruling {
    let check = ruled.reported.map(|reported| reported.check);
    Ruling {
        criterion_id: settled.criterion.id.clone(),
        auditor: ruled.reported.map(|reported| reported.auditor.name.clone()),
        result: check.map(|check| check.result),
        evidence: check.map(|check| check.evidence.clone()),
        actual: check.and_then(|check| check.actual.clone()),
        evidence_refs: check.map(|check| check.evidence_refs.clone()).unwrap_or_default(),
        assertion_verdict: ruled.verdict,
        steps: ruled.steps,
        outcome: ruled.outcome,
    }
}

fn criterion(settled: &Settled<'_>) -> CriterionResult {
    let criterion = settled.criterion;
    CriterionResult {
        id: criterion.id.clone(),
        dimension: criterion.dimension,
        weight: criterion.weight,
        statement: criterion.statement.clone(),
        verify: criterion.verify.clone(),
        rule_id: criterion.rule_id.clone(),
        assertion: criterion.assertion.clone(),
        probe: criterion.probe.clone().map(Box::new),
        observation: settled.observation.cloned().map(Box::new),
        assertion_verdict: settled.verdict,
        outcome: settled.outcome,
        waiver: settled.waiver.cloned().map(Box::new),
        settlement: settled.settlement.cloned().map(Box::new),
    }
}
