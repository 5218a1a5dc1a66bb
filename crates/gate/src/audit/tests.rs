//! The gate against its vectors.

use std::collections::{BTreeMap, BTreeSet};

use super::{case, drift, pack_digest};
use crate::code::Code;
use crate::lang::Lang;
use crate::node::{Node, Value};
use crate::pack::Pack;

fn vectors(path: &str) -> Option<Vec<Node>> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    #[expect(clippy::disallowed_methods, reason = "a test reads its vectors")]
    let text = std::fs::read_to_string(&path).ok()?;
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    Some(document["cases"].as_array().unwrap().iter().map(Node::from_json).collect())
}

fn run_all(cases: &[Node]) {
    for lang in [Lang::En, Lang::Zh] {
        let reports: Vec<_> = cases.iter().map(|node| case::run(node, lang)).collect();
        let failed: Vec<String> = reports
            .iter()
            .filter(|report| !report.disagreements.is_empty())
            .map(|report| format!("{}: {}", report.name, report.disagreements.join("; ")))
            .collect();
        assert!(failed.is_empty(), "{} of {} disagree:\n{}", failed.len(), cases.len(), failed.join("\n"));
    }
}

#[test]
fn shared_vectors() {
    match vectors("../../../shared/vectors/gate.json") {
        Some(cases) => run_all(&cases),
        None => eprintln!("shared/vectors/gate.json is absent: its cases were NOT run"),
    }
}

#[test]
fn own_vectors() {
    run_all(&vectors("../../tests/vectors/gate.json").unwrap());
}

/// Our own cases name every code that they report, so that each code is seen to fire and seen not to.
#[test]
fn own_vectors_are_exact() {
    let mut fired = BTreeSet::new();
    let mut inexact = Vec::new();
    for node in vectors("../../tests/vectors/gate.json").unwrap() {
        let report = case::run(&node, Lang::En);
        let reported: BTreeSet<&str> = report.reported.iter().map(|code| code.name()).collect();
        let expected: BTreeSet<String> = expected_codes(&node).into_iter().collect();
        if !reported.iter().copied().eq(expected.iter().map(String::as_str)) {
            inexact.push(format!("{}: {reported:?}, not {expected:?}", report.name));
        }
        fired.extend(reported);
    }
    assert!(inexact.is_empty(), "{}", inexact.join("\n"));
    // A drifted pack is never audited, and the authoring nudge is the decoder's: both have tests of their own.
    let elsewhere = [Code::PackDrift, Code::CriterionNoAssertion];
    let last = Code::ALL.iter().position(|code| *code == Code::CriterionNoAssertion).unwrap();
    for code in Code::ALL[..last].iter().filter(|code| !elsewhere.contains(code)) {
        assert!(fired.contains(code.name()), "{} never fires", code.name());
    }
}

fn expected_codes(node: &Node) -> Vec<String> {
    let get = |node: &Node, name: &str| match &node.value {
        Value::Map(entries) => entries.iter().find(|(key, _)| key.name == name).map(|(_, node)| node.clone()),
        _ => None,
    };
    let codes = get(&get(node, "expect").unwrap(), "codes").unwrap();
    let Value::List(items) = codes.value else { panic!("codes are a list") };
    items
        .iter()
        .map(|item| if let Value::Text(code) = &item.value { code.clone() } else { String::new() })
        .collect()
}

#[test]
fn a_pack_that_changed_has_drifted() {
    let mut pack = Pack {
        feature: "login".to_owned(),
        title: None,
        goal: None,
        requirements: Vec::new(),
        out_of_scope: BTreeMap::new(),
        criteria: Vec::new(),
    };
    let frozen = pack_digest(&pack).unwrap();
    assert_eq!(frozen.len(), 64);
    assert_eq!(drift(&pack, &frozen, Lang::En), None);
    pack.goal = Some("登录".to_owned());
    let problem = drift(&pack, &frozen, Lang::Zh).unwrap();
    assert_eq!(problem.code, Code::PackDrift);
    assert!(problem.message.contains(&frozen));
}

/// In the pack's order, then by code; what is tied to no criterion of the pack comes last.
#[test]
fn problems_are_in_order() {
    let case = serde_json::json!({
        "name": "order",
        "criteria": [
            {"id": "Z", "dimension": "function", "statement": "z", "weight": "must",
             "assertion": {"matcher": "lte", "expected": 800, "unit": "ms", "source": "trace"}},
            {"id": "A", "dimension": "function", "statement": "a", "weight": "must"},
        ],
        "checks": [
            {"criterionId": "nothing", "result": "pass", "evidence": "x"},
            {"criterionId": "A", "result": "pass", "evidence": "", "evidenceRefs": ["evidence/a"]},
            {"criterionId": "Z", "result": "fail", "evidence": "", "actual": "720ms"},
        ],
        "sources": {}, "now": "2026-11-30T12:00:00Z",
        "expect": {"verdict": "fail", "codes": []},
    });
    let report = case::run(&Node::from_json(&case), Lang::En);
    let names: Vec<&str> = report.reported.iter().map(|code| code.name()).collect();
    let expected = [
        "E_EVIDENCE_EMPTY",
        "W_FAIL_DESPITE_PASS",
        "E_EVIDENCE_EMPTY",
        "E_EVIDENCE_MISSING",
        "E_CHECK_UNKNOWN",
    ];
    assert_eq!(names, expected);
}

mod properties {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use crate::audit::{
        Audit, EvidenceFact, EvidenceState, Inputs, Outcome, Scale, SourceKind, Verdict, audit, rule,
    };
    use crate::check::{Actual, Auditor, Check, CheckResult, Waiver};
    use crate::lang::Lang;
    use crate::observation::{Answer, Observation, Place, Reading};
    use crate::pack::{Assertion, Criterion, Dimension, Expected, Matcher, Pack, Probe, Scalar, Weight};

    #[derive(Clone, Debug)]
    struct World {
        pack: Pack,
        checks: Vec<(u8, Check)>,
        observations: BTreeMap<String, Observation>,
        waivers: Vec<Waiver>,
    }

    impl World {
        fn audit(&self) -> Audit {
            self.with(audit)
        }

        fn with<T>(&self, ask: impl FnOnce(&Inputs<'_>) -> T) -> T {
            let auditor = |name: u8| Auditor {
                name: name.to_string(),
                file: format!("checks.{name}.yaml"),
                checks: self
                    .checks
                    .iter()
                    .filter(|(by, _)| *by == name)
                    .map(|(_, check)| check.clone())
                    .collect(),
            };
            let fact = |state, source| EvidenceFact { state, source };
            ask(&Inputs {
                lang: Lang::En,
                pack: &self.pack,
                declared: self.pack.criteria.len(),
                locations: &BTreeMap::new(),
                auditors: &[auditor(0), auditor(1), auditor(2)],
                observations: &self.observations,
                evidence: &BTreeMap::from([
                    ("evidence/a".to_owned(), fact(EvidenceState::Sound, SourceKind::Independent)),
                    ("evidence/b".to_owned(), fact(EvidenceState::Changed, SourceKind::Independent)),
                    ("evidence/c".to_owned(), fact(EvidenceState::Sound, SourceKind::Auxiliary)),
                ]),
                scale: &Scale::default(),
                sources: &BTreeMap::from([
                    ("trace".to_owned(), SourceKind::Independent),
                    ("in-app".to_owned(), SourceKind::Auxiliary),
                ]),
                protected: &[],
                settlements: &[],
                waivers: &self.waivers,
                waivers_file: "waivers.yaml",
                instant: "2026-11-30T12:00:00Z",
            })
        }
    }

    fn id() -> impl Strategy<Value = String> {
        (0..5u8).prop_map(|n| format!("C-{n}"))
    }

    fn text() -> impl Strategy<Value = String> {
        prop::sample::select(vec!["720ms", "0.9s", "900", "fast", "N/A", "≤800ms", ""])
            .prop_map(str::to_owned)
    }

    fn check() -> impl Strategy<Value = (u8, Check)> {
        let refs =
            prop::collection::vec(prop::sample::select(vec!["evidence/a", "evidence/b", "evidence/c"]), 0..2);
        (0..3u8, id(), any::<bool>(), any::<bool>(), prop::option::of(text()), refs).prop_map(
            |(by, criterion_id, passes, says, actual, refs)| {
                let check = Check {
                    criterion_id,
                    result: if passes { CheckResult::Pass } else { CheckResult::Fail },
                    evidence: if says { "seen".to_owned() } else { String::new() },
                    actual: actual.map(|text| Actual::One(Scalar::Text(text))),
                    evidence_refs: refs.into_iter().map(str::to_owned).collect(),
                    at: None,
                };
                (by, check)
            },
        )
    }

    fn criterion(place: usize, kind: u8, must: bool, source: u8) -> Criterion {
        let source =
            ["trace", "trace", "trace", "in-app"].get(usize::from(source % 4)).map(|s| (*s).to_owned());
        let assertion = Assertion {
            matcher: Matcher::Lte,
            expected: Some(Expected::One(Scalar::Number("800".to_owned()))),
            unit: Some("ms".to_owned()),
            source,
            not: false,
            aggregate: None,
            min_samples: None,
            tolerance: None,
            proposed: false,
        };
        let probe =
            Probe { evidence: "startup".to_owned(), reader: "trace".to_owned(), with: BTreeMap::new() };
        Criterion {
            id: format!("C-{place}"),
            dimension: Dimension::Performance,
            statement: "quick".to_owned(),
            verify: None,
            weight: if must { Weight::Must } else { Weight::Should },
            rule_id: None,
            covers: Vec::new(),
            assertion: (kind > 0).then_some(assertion),
            probe: (kind > 1).then_some(probe),
            held_out: false,
        }
    }

    fn observation() -> impl Strategy<Value = (String, Observation)> {
        let reading =
            |actual: String| Reading { actual: Scalar::Text(actual), places: vec![Place::File], note: None };
        (id(), text(), 0..4u8, prop::sample::select(vec!["evidence/a", "evidence/b", "evidence/c"])).prop_map(
            move |(id, actual, kind, file)| {
                let reason = String::new();
                let answer = match kind {
                    0 => Answer::Missing { reason },
                    1 => Answer::Unreadable { reason },
                    2 => Answer::Nothing { reason },
                    _ => Answer::Values { values: vec![reading(actual)] },
                };
                let observation = Observation {
                    file: file.to_owned(),
                    sha256: String::new(),
                    source: "trace".to_owned(),
                    reader: "trace".to_owned(),
                    with: BTreeMap::new(),
                    answer,
                };
                (id, observation)
            },
        )
    }

    fn world() -> impl Strategy<Value = World> {
        let criteria = prop::collection::vec((0..3u8, any::<bool>(), 0..8u8), 0..4);
        let checks = prop::collection::vec(check(), 0..6);
        let observations = prop::collection::btree_map(id(), observation(), 0..4);
        let waived = prop::option::of(id());
        (criteria, checks, observations, waived).prop_map(|(criteria, checks, observations, waived)| World {
            pack: Pack {
                feature: "x".to_owned(),
                title: None,
                goal: None,
                requirements: Vec::new(),
                out_of_scope: BTreeMap::new(),
                criteria: criteria
                    .into_iter()
                    .enumerate()
                    .map(|(place, (kind, must, source))| criterion(place, kind, must, source))
                    .collect(),
            },
            checks,
            observations: observations.into_values().collect(),
            waivers: waived
                .map(|criterion_id| Waiver {
                    criterion_id,
                    owner: "Lin".to_owned(),
                    reason: "old device".to_owned(),
                    expires: "2027-01-01T00:00:00Z".to_owned(),
                    at: None,
                })
                .into_iter()
                .collect(),
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

        /// A check of what is already checked, or of nothing in the pack, never helps.
        #[test]
        fn another_check_never_turns_a_fail_into_a_pass(world in world(), (by, check) in check()) {
            let is_checked = world.checks.iter().any(|(_, other)| other.criterion_id == check.criterion_id);
            let is_unknown = !world.pack.criteria.iter().any(|criterion| criterion.id == check.criterion_id);
            prop_assume!(is_checked || is_unknown);
            let before = world.audit().verdict;
            let mut after = world;
            after.checks.push((by, check));
            prop_assert!(before == Verdict::Pass || after.audit().verdict == Verdict::Fail);
        }

        /// The order in which an auditor writes checks decides nothing.
        #[test]
        fn the_order_of_checks_decides_nothing(world in world()) {
            let mut turned = world.clone();
            turned.checks.reverse();
            let (before, after) = (world.audit(), turned.audit());
            prop_assert_eq!(before.verdict, after.verdict);
            prop_assert_eq!(before.criteria, after.criteria);
        }

        /// The counts, the rows and the verdict agree with one another, told or untold, and survive JSON.
        #[test]
        fn an_audit_agrees_with_itself(world in world()) {
            let audit = world.audit();
            let counts = audit.counts;
            let counted = counts.pass + counts.fail + counts.unverified + counts.invalid + counts.waived;
            prop_assert_eq!(counted, world.pack.criteria.len());
            prop_assert_eq!(audit.criteria.len(), world.pack.criteria.len());
            if audit.verdict == Verdict::Pass {
                prop_assert!(!crate::problem::any_error(&audit.problems));
                prop_assert!(counts.pass + counts.waived > 0);
            }
            for row in &audit.criteria {
                let waived = world.waivers.iter().any(|waiver| waiver.criterion_id == row.id);
                prop_assert!(row.outcome != Outcome::Waived || (waived && row.waiver.is_some()));
                prop_assert!(audit.checks.iter().any(|ruling| ruling.criterion_id == row.id));
            }
            let untold = world.with(|inputs| { let gate = rule(inputs); (gate.verdict, gate.counts, gate.problems) });
            prop_assert_eq!(&untold, &(audit.verdict, audit.counts, audit.problems.clone()));
            let json = serde_json::to_string(&audit).unwrap();
            prop_assert_eq!(serde_json::from_str::<Audit>(&json).unwrap(), audit);
        }
    }
}
