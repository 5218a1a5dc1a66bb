//! The Common Test Report Format: a test a criterion, and a last one for the verdict.

use serde::Serialize;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::case::{Case, Standing};
use super::{Told, text};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    report_format: &'static str,
    spec_version: &'static str,
    generated_by: &'static str,
    results: Results,
}

#[derive(Serialize)]
struct Results {
    tool: Tool,
    summary: Summary,
    tests: Vec<Test>,
    environment: Environment,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
}

#[derive(Default, Serialize)]
struct Summary {
    tests: usize,
    passed: usize,
    failed: usize,
    skipped: usize,
    pending: usize,
    other: usize,
    start: i64,
    stop: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Test {
    name: String,
    status: &'static str,
    duration: u32,
    suite: [String; 2],
    raw_status: &'static str,
    tags: Vec<&'static str>,
    #[serde(skip_serializing_if = "String::is_empty")]
    message: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    trace: String,
    file_path: String,
    line: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Environment {
    report_name: String,
    app_name: String,
    commit: String,
    extra: Extra,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Extra {
    round: u32,
    pack_sha256: String,
    replayed: bool,
}

/// The document of an audit. Its instant is the audit's; a duration is not known of anything.
pub fn of(told: &Told<'_>) -> Document {
    let audit = told.audit;
    let mut tests: Vec<Test> = told.cases.iter().map(|case| test(case, told)).collect();
    tests.push(verdict(told));
    let at = OffsetDateTime::parse(&audit.instant, &Rfc3339).map_or(0, |at| at.unix_timestamp());
    let mut summary = Summary {
        tests: tests.len(),
        start: at.saturating_mul(1000),
        stop: at.saturating_mul(1000),
        ..Summary::default()
    };
    for test in &tests {
        match test.status {
            "passed" => summary.passed += 1,
            "failed" => summary.failed += 1,
            "skipped" => summary.skipped += 1,
            _ => summary.other += 1,
        }
    }
    Document {
        report_format: "CTRF",
        spec_version: "0.0.0",
        generated_by: "delivery gate",
        results: Results {
            tool: Tool { name: "delivery gate" },
            summary,
            tests,
            environment: Environment {
                report_name: told.verdict(),
                app_name: audit.feature.clone(),
                commit: audit.commit.clone(),
                extra: Extra {
                    round: audit.round,
                    pack_sha256: audit.pack_sha256.clone(),
                    replayed: audit.replayed,
                },
            },
        },
    }
}

fn test(case: &Case<'_>, told: &Told<'_>) -> Test {
    let status = match case.standing {
        Standing::Holds => "passed",
        Standing::Fails | Standing::Refused => "failed",
        Standing::Unverified => "skipped",
        Standing::Waived | Standing::Spared => "other",
    };
    Test {
        name: case.name(),
        status,
        duration: 0,
        suite: [told.audit.feature.clone(), case.result.dimension.word().to_owned()],
        raw_status: case.outcome(),
        tags: vec![case.result.weight.word(), case.result.dimension.word()],
        message: case.summary(),
        trace: if case.standing == Standing::Holds { String::new() } else { case.details() },
        file_path: told.pack.to_owned(),
        line: case.at.line,
    }
}

fn verdict(told: &Told<'_>) -> Test {
    Test {
        name: "verdict".to_owned(),
        status: if told.is_accepted() { "passed" } else { "failed" },
        duration: 0,
        suite: [told.audit.feature.clone(), "gate".to_owned()],
        raw_status: if told.is_accepted() { "pass" } else { "fail" },
        tags: Vec::new(),
        message: told.verdict(),
        trace: text::block(&told.general_lines().join("\n")),
        file_path: told.pack.to_owned(),
        line: 1,
    }
}
