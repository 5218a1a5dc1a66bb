//! What is signed of an audit: an in-toto Statement v1 with the test-result predicate v0.1. Made from the artifacts
//! alone, so that whoever checks a signature can make it again.

use std::collections::BTreeMap;

use gate::audit::{CriterionResult, Outcome, Verdict};
use gate::pack::Weight;
use serde::Serialize;

use crate::documents::AuditFile;
use crate::ledger::chain::Line;
use crate::paths::Root;

const STATEMENT: &str = "https://in-toto.io/Statement/v1";
const PREDICATE: &str = "https://in-toto.io/attestation/test-result/v0.1";

/// How the files of built packages end.
const PACKAGES: [&str; 3] = [".hap", ".hsp", ".app"];

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Statement<'a> {
    #[serde(rename = "_type")]
    kind: &'static str,
    subject: Vec<Resource<'a>>,
    predicate_type: &'static str,
    predicate: Predicate<'a>,
}

/// A ResourceDescriptor.
#[derive(Debug, Serialize)]
struct Resource<'a> {
    name: String,
    digest: BTreeMap<&'static str, &'a str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Predicate<'a> {
    result: &'static str,
    configuration: Vec<Resource<'a>>,
    passed_tests: Vec<&'a str>,
    warned_tests: Vec<&'a str>,
    failed_tests: Vec<&'a str>,
}

/// An audit with what it is bound to.
pub struct Audited<'a> {
    /// The audit.
    pub audit: &'a AuditFile,
    /// SHA-256 of its file.
    pub audit_sha256: &'a str,
    /// The branch of the delivered commit.
    pub branch: &'a str,
}

/// The statement's bytes: canonical JSON. `line` is the line of the ledger that tells of the audit: with its digest the
/// whole ledger up to there is signed.
pub fn statement(of: &Audited<'_>, line: &Line) -> Result<Vec<u8>, serde_json::Error> {
    let audit = of.audit;
    let named = |wanted: fn(&AuditFile, &CriterionResult) -> bool| -> Vec<&str> {
        audit.criteria.iter().filter(|row| wanted(audit, row)).map(|row| row.id.as_str()).collect()
    };
    let warned_tests = named(is_warning);
    let result = match (audit.verdict, warned_tests.is_empty()) {
        (Verdict::Fail, _) => "FAILED",
        (Verdict::Pass, false) => "WARNED",
        (Verdict::Pass, true) => "PASSED",
    };
    gate::canonical::canonical_json(&Statement {
        kind: STATEMENT,
        subject: subjects(of),
        predicate_type: PREDICATE,
        predicate: Predicate {
            result,
            configuration: configuration(of, line),
            passed_tests: named(|_, row| row.outcome == Outcome::Pass),
            warned_tests,
            failed_tests: named(|audit, row| row.outcome != Outcome::Pass && !is_warning(audit, row)),
        },
    })
}

/// What is not passed and fails nothing: what is waived, and a should where there are musts.
fn is_warning(audit: &AuditFile, row: &CriterionResult) -> bool {
    let has_musts = audit.criteria.iter().any(|row| row.weight == Weight::Must);
    match row.outcome {
        Outcome::Pass => false,
        Outcome::Waived => true,
        Outcome::Fail | Outcome::Unverified | Outcome::Invalid => has_musts && row.weight == Weight::Should,
    }
}

/// The delivered commit, and the packages that were built from it.
fn subjects<'a>(of: &Audited<'a>) -> Vec<Resource<'a>> {
    let commit = resource(of.branch, "gitCommit", &of.audit.commit);
    let files = of.audit.evidence.iter().filter_map(|row| row.file.as_ref());
    let packages = files.filter(|file| PACKAGES.iter().any(|ending| file.path.ends_with(ending)));
    let round = of.audit.round;
    let built =
        packages.map(|file| resource(&format!("round-{round}/{}", file.path), "sha256", &file.sha256));
    std::iter::once(commit).chain(built).collect()
}

/// What it was judged by. The digest of the pack is that of its canonical JSON, that of the ledger its line's own.
fn configuration<'a>(of: &Audited<'a>, line: &'a Line) -> Vec<Resource<'a>> {
    let audit = of.audit;
    let pipeline = line.reads.get(Root::PIPELINE).and_then(Option::as_deref);
    let mut all = vec![resource("pack", "sha256", &audit.pack_sha256)];
    all.extend(pipeline.map(|digest| resource(Root::PIPELINE, "sha256", digest)));
    all.push(resource(&format!("audit-{}.json", audit.round), "sha256", of.audit_sha256));
    all.push(resource("ledger.jsonl", "sha256", &line.sha256));
    all
}

fn resource<'a>(name: &str, algorithm: &'static str, digest: &'a str) -> Resource<'a> {
    Resource { name: name.to_owned(), digest: BTreeMap::from([(algorithm, digest)]) }
}
