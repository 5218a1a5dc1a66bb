//! A delivery of any size: one auditor, one assertion a criterion.

use std::collections::BTreeMap;

use gate::audit::{EvidenceFact, EvidenceState, Inputs, Scale, SourceKind};
use gate::check::{Actual, Auditor, Check, CheckResult};
use gate::lang::Lang;
use gate::pack::{Assertion, Criterion, Dimension, Expected, Matcher, Pack, Scalar, Weight};

/// Sizes far apart, so that a cost that is not linear shows.
pub const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

/// Rules on so many criteria, each with a check whose value is judged.
pub fn with_inputs<T>(checks: usize, ask: impl FnOnce(&Inputs<'_>) -> T) -> T {
    let pack = pack(checks);
    let auditors = [auditor(checks)];
    let evidence = BTreeMap::from([(
        "evidence/startup.ftrace".to_owned(),
        EvidenceFact { state: EvidenceState::Sound, source: SourceKind::Independent },
    )]);
    let sources = BTreeMap::from([("trace".to_owned(), SourceKind::Independent)]);
    ask(&Inputs {
        lang: Lang::En,
        pack: &pack,
        declared: checks,
        locations: &BTreeMap::new(),
        auditors: &auditors,
        observations: &BTreeMap::new(),
        evidence: &evidence,
        scale: &Scale::default(),
        sources: &sources,
        protected: &[],
        settlements: &[],
        waivers: &[],
        waivers_file: "waivers.yaml",
        instant: "2026-11-30T12:00:00Z",
    })
}

/// One assertion a criterion, all of them `must`.
fn pack(count: usize) -> Pack {
    let assertion = Assertion {
        matcher: Matcher::Lte,
        expected: Some(Expected::One(Scalar::Number("800".to_owned()))),
        unit: Some("ms".to_owned()),
        source: Some("trace".to_owned()),
        not: false,
        aggregate: None,
        min_samples: None,
        tolerance: None,
        proposed: false,
    };
    let criterion = |place: usize| Criterion {
        id: format!("P-{place:06}"),
        dimension: Dimension::Performance,
        statement: "Cold start to first frame within 800ms".to_owned(),
        verify: Some("read the trace".to_owned()),
        weight: Weight::Must,
        rule_id: None,
        covers: Vec::new(),
        assertion: Some(assertion.clone()),
        probe: None,
        held_out: false,
    };
    Pack {
        feature: "login-page".to_owned(),
        title: None,
        goal: None,
        requirements: Vec::new(),
        out_of_scope: BTreeMap::new(),
        criteria: (0..count).map(criterion).collect(),
    }
}

/// Checks against the pack's order, so that nothing is found by luck.
fn auditor(count: usize) -> Auditor {
    let check = |place: usize| Check {
        criterion_id: format!("P-{place:06}"),
        result: CheckResult::Pass,
        evidence: "three cold starts".to_owned(),
        actual: Some(Actual::One(Scalar::Text(format!("{}ms", 100 + place % 600)))),
        evidence_refs: vec!["evidence/startup.ftrace".to_owned()],
        at: None,
    };
    Auditor {
        name: "lin".to_owned(),
        file: "checks.lin.yaml".to_owned(),
        checks: (0..count).rev().map(check).collect(),
    }
}
