//! What becomes of a criterion in each notation. That its readers accept it is tested with those readers.

use gate::pack::Weight;

use super::*;
use crate::documents::{AuditFile, Lock};

fn sample() -> (AuditFile, Lock) {
    let folder = format!("{}/../tests/snapshots/login-page", env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| std::fs::read(format!("{folder}/{name}")).unwrap();
    (
        serde_json::from_slice(&read("audit-2.json")).unwrap(),
        serde_json::from_slice(&read("pack.lock.json")).unwrap(),
    )
}

fn text(format: Format, audit: &AuditFile, lock: &Lock) -> String {
    String::from_utf8(format.render(audit, lock).unwrap()).unwrap()
}

/// The audit of one criterion, which stands so, with or without a problem that refuses.
fn one(outcome: &str, weight: Weight, problem: &str) -> (AuditFile, Lock) {
    let (mut audit, lock) = sample();
    let must = audit.criteria.iter().find(|criterion| criterion.weight == Weight::Must).unwrap().clone();
    let mut criterion = must.clone();
    criterion.weight = weight;
    criterion.outcome = serde_json::from_value(serde_json::json!(outcome)).unwrap();
    // Another must keeps a should from counting as one.
    let mut other = must;
    other.id = "F-99".to_owned();
    audit.problems = match problem {
        "" => Vec::new(),
        code => {
            let code = serde_json::from_value(serde_json::json!(code)).unwrap();
            vec![gate::problem::Problem::new(code, "it is wrong", "mend it").about(&criterion.id)]
        }
    };
    audit.criteria = vec![criterion, other];
    (audit, lock)
}

#[test]
fn every_outcome_has_its_word() {
    for (outcome, weight, problem, junit, ctrf, tap) in [
        ("pass", Weight::Must, "", "<system-out>", "passed", "ok 1 -"),
        ("fail", Weight::Must, "", "<failure type=\"fail\"", "failed", "not ok 1 -"),
        ("fail", Weight::Should, "", "<skipped>should, fail", "other", "# TODO should, fail"),
        ("fail", Weight::Should, "E_VERDICT_CONTRADICTS", "<failure type=\"fail\"", "failed", "not ok 1 -"),
        ("invalid", Weight::Must, "E_ACTUAL_INVALID", "<error type=\"invalid\"", "failed", "not ok 1 -"),
        ("pass", Weight::Must, "E_ACTUAL_DISAGREES", "<error type=\"pass\"", "failed", "not ok 1 -"),
        (
            "unverified",
            Weight::Must,
            "E_CHECK_MISSING",
            "<skipped>unverified",
            "skipped",
            "# SKIP unverified",
        ),
        ("waived", Weight::Must, "", "<skipped>waived", "other", "# TODO waived"),
    ] {
        let (audit, lock) = one(outcome, weight, problem);
        let case = format!("{outcome} {weight:?} {problem}");
        let xml = text(Format::Junit, &audit, &lock);
        assert!(xml.lines().any(|line| line.contains("F-01") && line.contains(junit)), "{case}: {xml}");
        let json: serde_json::Value = serde_json::from_str(&text(Format::Ctrf, &audit, &lock)).unwrap();
        assert_eq!(json["results"]["tests"][0]["status"], ctrf, "{case}");
        let stream = text(Format::Tap, &audit, &lock);
        assert!(stream.lines().nth(2).unwrap().contains(tap), "{case}: {stream}");
    }
}

/// A must that nobody looked at is skipped, and the delivery fails all the same.
#[test]
fn a_verdict_that_no_case_shows_is_a_case_of_its_own() {
    let (mut audit, lock) = one("unverified", Weight::Must, "E_CHECK_MISSING");
    audit.verdict = Verdict::Fail;
    assert!(text(Format::Junit, &audit, &lock).contains("<failure type=\"verdict\""));
    assert!(text(Format::Tap, &audit, &lock).contains("not ok 3 - verdict"));
    assert!(text(Format::Ctrf, &audit, &lock).contains("\"failed\": 1"));
    assert!(text(Format::Gitlab, &audit, &lock).contains("\"blocker\""));
    assert!(text(Format::Github, &audit, &lock).starts_with("::error "));
    assert!(text(Format::GithubSummary, &audit, &lock).starts_with("### ❌"));
}

/// What a server would forget without a word is said.
#[test]
fn annotations_and_summaries_keep_within_limits() {
    let (mut audit, lock) = one("fail", Weight::Must, "");
    audit.verdict = Verdict::Fail;
    let criterion = audit.criteria.first().unwrap().clone();
    audit.criteria = (0..1000)
        .map(|number| {
            let mut criterion = criterion.clone();
            criterion.id = format!("F-{number}");
            criterion.statement = "w".repeat(5_000);
            criterion
        })
        .collect();
    let lines = text(Format::Github, &audit, &lock);
    assert_eq!(lines.lines().count(), 10);
    assert!(lines.lines().last().unwrap().contains("and 992 more"), "{lines}");
    let summary = text(Format::GithubSummary, &audit, &lock);
    assert!(summary.len() < 300 << 10, "{}", summary.len());
    assert!(summary.contains("more: the report has all"));
    assert_eq!(text(Format::Tap, &audit, &lock).matches("not ok").count(), 1001);
}

#[test]
fn the_words_of_formats_are_those_that_are_decoded() {
    for format in Format::ALL {
        assert_eq!(Format::from_word(format.word()), Some(format));
        assert_eq!(serde_json::json!(format), format.word());
    }
    assert_eq!(Format::from_word("xunit"), None);
}
