//! The tools that run one stage.

use std::fs;

use anyhow::Result;
use gate::audit::{Audit, Outcome};
use gate::problem::Problem;
use gate::review::Finding;
use gate::say;
use serde::Deserialize;

use super::{Gate, Reply, on};
use crate::answer::Answer;
use crate::input;
use crate::result::{Audited, Briefed, Found, Open, Reviewed};

impl Gate {
    pub(super) async fn review(
        &self,
        input: input::Feature,
        given_up: impl Future<Output = ()>,
    ) -> Result<Reply> {
        /// What is asked of the artifact here.
        #[derive(Deserialize)]
        struct Artifact {
            blocked: bool,
            findings: Vec<Finding>,
        }
        if let Some(refusal) = self.refuse_name(&input.feature) {
            return Ok(refusal);
        }
        let said = self.say(on("review", None, &input.feature), given_up).await?;
        let mut answer = self.guided(Answer::of(&said), &input.feature);
        let mut lines = Vec::new();
        let file = |extension: &str| format!("deliveries/{}/review.{extension}", input.feature);
        if let (0 | 4, Some(Artifact { blocked, findings })) =
            (said.exit_code(), self.artifact(&file("json")))
        {
            answer.problems = findings.iter().map(problem).collect();
            let findings: Vec<Found> = findings
                .into_iter()
                .map(|finding| Found { id: finding.id, blocks: finding.blocks })
                .collect();
            let blocking: Vec<&str> =
                findings.iter().filter(|found| found.blocks).map(|found| found.id.as_str()).collect();
            if !blocking.is_empty() {
                lines.push(say!(self.lang, "blocked by: {}", "被阻断于：{}", blocking.join(", ")));
            }
            let reviewed = Reviewed { feature: input.feature.clone(), blocked, findings };
            answer = answer.with(reviewed).and_files([file("md"), file("json")]);
        }
        Ok(self.reply(answer, lines, Some(input.feature)))
    }

    pub(super) async fn brief(
        &self,
        input: input::Round,
        given_up: impl Future<Output = ()>,
    ) -> Result<Reply> {
        if let Some(refusal) = self.refuse_name(&input.feature) {
            return Ok(refusal);
        }
        let said = self.say(on("brief", input.round, &input.feature), given_up).await?;
        let mut answer = self.guided(Answer::of(&said), &input.feature);
        let mut lines = Vec::new();
        if let Some(Stage { round: Some(round), written, .. }) = said.data() {
            let markdown = written.iter().find(|file| file.ends_with(".md"));
            let brief = markdown.and_then(|file| fs::read_to_string(self.xtask.root.join(file)).ok());
            let brief = brief.unwrap_or_default();
            lines.extend(brief.lines().map(str::to_owned));
            let mut files = written;
            files.sort_by_key(|file| !file.ends_with(".md"));
            let briefed = Briefed { feature: input.feature.clone(), round, brief };
            answer = answer.with(briefed).and_files(files);
        }
        Ok(self.reply(answer, lines, Some(input.feature)))
    }

    pub(super) async fn audit(
        &self,
        input: input::Round,
        given_up: impl Future<Output = ()>,
    ) -> Result<Reply> {
        if let Some(refusal) = self.refuse_name(&input.feature) {
            return Ok(refusal);
        }
        let said = self.say(on("audit", input.round, &input.feature), given_up).await?;
        let mut answer = Answer::of(&said);
        let mut lines = Vec::new();
        if let Some(Stage { round: Some(round), written, .. }) = said.data()
            && let Some(audit) = self.audit_of(&input.feature, round)
        {
            answer.problems.extend(audit.problems.iter().cloned());
            let audited = audited(&input.feature, round, &audit);
            lines = self.open_lines(&audited);
            answer = answer.with(audited).and_files(written);
        }
        let answer = self.guided(answer, &input.feature);
        Ok(self.reply(answer, lines, Some(input.feature)))
    }
}

/// What a stage prints when it did its work.
#[derive(Deserialize)]
struct Stage {
    round: Option<u32>,
    written: Vec<String>,
}

/// A finding of the review as one like every other.
fn problem(finding: &Finding) -> Problem {
    Problem {
        code: finding.code,
        severity: finding.severity,
        message: finding.message.clone(),
        help: finding.help.clone(),
        criterion: finding.criterion.clone(),
        file: finding.file.clone(),
        at: finding.at,
    }
}

/// An audit in short.
pub(super) fn audited(feature: &str, round: u32, audit: &Audit) -> Audited {
    let holds = |outcome: Outcome| matches!(outcome, Outcome::Pass | Outcome::Waived);
    let open = audit.criteria.iter().filter(|criterion| !holds(criterion.outcome)).map(|criterion| Open {
        criterion: criterion.id.clone(),
        weight: criterion.weight,
        outcome: criterion.outcome,
        assertion_verdict: criterion.assertion_verdict,
    });
    let (open, feature) = (open.collect(), feature.to_owned());
    Audited { feature, round, verdict: audit.verdict, counts: audit.counts, open }
}
