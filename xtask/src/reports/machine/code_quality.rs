//! GitLab's code quality: a list of findings, each with a fingerprint by which a merge request knows it again.

use serde::Serialize;

use super::Told;
use super::finding::{Finding, Weight};
use crate::failure::Result;

#[derive(Serialize)]
pub struct Issue {
    description: String,
    check_name: &'static str,
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
}

/// The findings of an audit, and the verdict where it fails.
pub fn of(told: &Told<'_>) -> Result<Vec<Issue>> {
    let mut issues = Vec::new();
    let mut seen: Vec<String> = Vec::new();
    if !told.is_accepted() {
        let key = format!("{}/verdict", told.audit.feature);
        issues.push(Issue {
            description: told.verdict(),
            check_name: "verdict",
            fingerprint: fingerprint(&key)?,
            severity: "blocker",
            location: Location { path: told.pack.to_owned(), lines: Lines { begin: 1 } },
        });
    }
    for finding in &told.findings {
        let key =
            format!("{}/{}/{}", told.audit.feature, finding.rule, finding.criterion.unwrap_or_default());
        // Two findings of one rule on one criterion are told apart by their order.
        let earlier = seen.iter().filter(|known| **known == key).count();
        issues.push(issue(finding, fingerprint(&format!("{key}/{earlier}"))?));
        seen.push(key);
    }
    Ok(issues)
}

fn fingerprint(key: &str) -> Result<String> {
    Ok(gate::canonical::digest(&key).map_err(anyhow::Error::from)?)
}

fn issue(finding: &Finding<'_>, fingerprint: String) -> Issue {
    Issue {
        description: finding.message.clone(),
        check_name: finding.rule,
        fingerprint,
        severity: match finding.weight {
            Weight::Error => "critical",
            Weight::Warning => "minor",
            Weight::Note => "info",
        },
        location: Location { path: finding.file.to_owned(), lines: Lines { begin: finding.at.line.max(1) } },
    }
}
