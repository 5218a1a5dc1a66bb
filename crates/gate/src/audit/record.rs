//! Writes down what the gate found, with all that it rested on: the artifact that reports are rendered from.

use super::rule::Ruled;
use super::settle::{Gate, Settled};
use super::{Audit, CriterionResult, Ruling};

impl Gate<'_> {
    /// The artifact: everything that was referred to, copied.
    pub fn record(self) -> Audit {
        let mut checks = Vec::with_capacity(self.rulings.len());
        let mut rulings = self.rulings.into_iter();
        for settled in &self.criteria {
            checks
                .extend(rulings.by_ref().take(settled.rulings as usize).map(|ruled| ruling(settled, ruled)));
        }
        Audit {
            verdict: self.verdict,
            counts: self.counts,
            checks,
            criteria: self.criteria.iter().map(criterion).collect(),
            problems: self.problems,
        }
    }
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
        probe: criterion.probe.clone(),
        observation: settled.observation.cloned(),
        assertion_verdict: settled.verdict,
        outcome: settled.outcome,
        waiver: settled.waiver.cloned(),
    }
}
