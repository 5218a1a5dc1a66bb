//! SARIF 2.1.0: what does not hold, at the pack's line or at that of the check.

use gate::code::Code;
use serde::Serialize;

use super::Told;
use super::finding::{self, CRITERION, Finding, Weight};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    automation_details: Automation,
    column_kind: &'static str,
    invocations: [Invocation; 1],
    results: Vec<Found>,
    properties: RunProperties,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
struct Driver {
    name: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: Text,
    help: Text,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
struct Automation {
    id: String,
}

/// The gate itself ran to its end, whatever its answer.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Found {
    rule_id: &'static str,
    rule_index: usize,
    kind: &'static str,
    level: &'static str,
    message: Text,
    locations: [Location; 1],
    partial_fingerprints: Fingerprint,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suppressions: Vec<Suppression>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Physical,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
}

/// What stays the same from round to round, so that a finding is known again.
#[derive(Serialize)]
struct Fingerprint {
    #[serde(rename = "criterion/v1")]
    criterion: String,
}

#[derive(Serialize)]
struct Suppression {
    kind: &'static str,
    status: &'static str,
    justification: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RunProperties {
    verdict: gate::audit::Verdict,
    round: u32,
    commit: String,
    pack_sha256: String,
}

/// The log of an audit.
pub fn of(told: &Told<'_>) -> Log {
    let audit = told.audit;
    let mut rules: Vec<&'static str> = told.findings.iter().map(|finding| finding.rule).collect();
    // In the order of the table of codes, after the criteria.
    rules.sort_by_key(|rule| Code::ALL.iter().position(|code| code.name() == *rule));
    rules.dedup();
    let index = |rule: &str| rules.iter().position(|known| *known == rule).unwrap_or_default();
    let results = told.findings.iter().map(|finding| result(finding, index(finding.rule), told)).collect();
    let lang = told.lang();
    let rule = |id: &&'static str| Rule {
        id,
        short_description: Text { text: finding::meaning(id, lang) },
        help: Text { text: finding::cure(id, lang) },
    };
    Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool { driver: Driver { name: "delivery gate", rules: rules.iter().map(rule).collect() } },
            automation_details: Automation { id: format!("{}/", audit.feature) },
            column_kind: "unicodeCodePoints",
            invocations: [Invocation { execution_successful: true }],
            results,
            properties: RunProperties {
                verdict: audit.verdict,
                round: audit.round,
                commit: audit.commit.clone(),
                pack_sha256: audit.pack_sha256.clone(),
            },
        }],
    }
}

fn result(finding: &Finding<'_>, rule_index: usize, told: &Told<'_>) -> Found {
    let details = match finding.rule {
        CRITERION => String::new(),
        _ => format!("\n{}", finding.details),
    };
    let about = finding.criterion.unwrap_or_default();
    let suppression = |waiver: &gate::check::Waiver| Suppression {
        kind: "external",
        status: "accepted",
        justification: super::text::line(&format!("{}: {}", waiver.owner, waiver.reason)),
    };
    Found {
        rule_id: finding.rule,
        rule_index,
        kind: "fail",
        level: match finding.weight {
            Weight::Error => "error",
            Weight::Warning => "warning",
            Weight::Note => "note",
        },
        message: Text { text: format!("{}{details}", finding.message) },
        locations: [Location {
            physical_location: Physical {
                artifact_location: Artifact { uri: crate::render::link(finding.file) },
                region: Region { start_line: finding.at.line.max(1), start_column: finding.at.column.max(1) },
            },
        }],
        partial_fingerprints: Fingerprint {
            criterion: format!("{}/{}/{about}", told.audit.feature, finding.rule),
        },
        suppressions: finding.waiver.map(suppression).into_iter().collect(),
    }
}
