//! The tools that change nothing.

use anyhow::Result;
use gate::problem::Severity;
use gate::say;
use serde::Deserialize;

use super::{Gate, Reply, on};
use crate::answer::Answer;
use crate::result::{Checked, Explained, Judged, Status};
use crate::{input, person};

impl Gate {
    pub(super) async fn status(
        &self,
        input: input::Status,
        given_up: impl Future<Output = ()>,
    ) -> Result<Reply> {
        if let Some(refusal) = input.feature.as_deref().and_then(|feature| self.refuse_name(feature)) {
            return Ok(refusal);
        }
        let named = input.feature.clone().into_iter();
        let said = self.say(["status", "--"].map(str::to_owned).into_iter().chain(named), given_up).await?;
        let status: Option<Status> = said.data();
        let lines = status.iter().flat_map(|status| &status.features).map(|feature| {
            let stale = if feature.stale { self.lang.pick(", out of date", "，已过时") } else { "" };
            let round = feature.round.map(|round| say!(self.lang, ", round {round}", "，第 {round} 轮"));
            format!("{}: {}{}{stale}", feature.feature, feature.state, round.unwrap_or_default())
        });
        let lines: Vec<String> = lines.collect();
        let answer = Answer { result: status, ..Answer::of(&said) };
        Ok(self.reply(answer, lines, input.feature))
    }

    pub(super) async fn check(
        &self,
        input: input::Feature,
        given_up: impl Future<Output = ()>,
    ) -> Result<Reply> {
        /// What is asked of the answer here.
        #[derive(Deserialize)]
        struct Count {
            criteria: u32,
        }
        if let Some(refusal) = self.refuse_name(&input.feature) {
            return Ok(refusal);
        }
        let said = self.say(on("check", None, &input.feature), given_up).await?;
        let mut answer = Answer::of(&said);
        let criteria = said.data::<Count>().map(|count| count.criteria);
        // Findings in a file are the answer; without one nothing was looked at.
        if criteria.is_some() || answer.problems.iter().any(|problem| problem.at.is_some()) {
            let errors = answer.problems.iter().filter(|found| found.severity == Severity::Error).count();
            let warnings = answer.problems.len() - errors;
            let checked = Checked { feature: input.feature.clone(), criteria, errors, warnings };
            answer = answer.with(checked);
        }
        let mut lines = Vec::new();
        if answer.result.as_ref().is_some_and(|checked| checked.errors == 0) {
            answer.person =
                Some(person::errand(input::Deed::Freeze, &input.feature, None, self.lang).command);
            let told = self.lang.pick("nothing refuses it; a person may freeze it", "没有阻碍，可由人冻结");
            lines.push(told.to_owned());
        }
        Ok(self.reply(answer, lines, Some(input.feature)))
    }

    pub(super) async fn explain(
        &self,
        input: input::Explain,
        given_up: impl Future<Output = ()>,
    ) -> Result<Reply> {
        if let Some(refusal) = self.refuse_name(&input.feature) {
            return Ok(refusal);
        }
        let arguments = on("explain", input.round, &input.feature).chain(input.stage);
        let said = self.say(arguments, given_up).await?;
        let explained: Option<Explained> = said.data();
        let stages = explained.iter().flat_map(|explained| &explained.stages);
        let lines = stages.flat_map(|stage| {
            let changes = stage.changes.iter().map(|change| {
                let short = |digest: &Option<String>| {
                    let digest = digest.as_deref().unwrap_or("–");
                    digest.get(..12).unwrap_or(digest).to_owned()
                };
                format!("  {} {}: {} → {}", change.what, change.name, short(&change.old), short(&change.new))
            });
            let round = if stage.round == 0 { String::new() } else { format!(" {}", stage.round) };
            [format!("{}{round}: {}", stage.stage, stage.standing)].into_iter().chain(changes)
        });
        let lines: Vec<String> = lines.collect();
        let answer = Answer { result: explained, ..Answer::of(&said) };
        Ok(self.reply(answer, lines, Some(input.feature)))
    }

    pub(super) async fn judge(
        &self,
        input: input::Judge,
        given_up: impl Future<Output = ()>,
    ) -> Result<Reply> {
        let mut arguments = vec!["judge".to_owned(), format!("--matcher={}", input.matcher)];
        // What is expected is read as YAML, of which JSON is a part.
        let expected = input.expected.map(|expected| expected.to_string());
        let samples = input.min_samples.map(|samples| samples.to_string());
        let options = [
            ("expected", expected),
            ("unit", input.unit),
            ("aggregate", input.aggregate),
            ("min-samples", samples),
            ("tolerance", input.tolerance),
            ("density", input.density),
            ("font-scale", input.font_scale),
            ("lang", Some(self.lang.code().to_owned())),
        ];
        arguments
            .extend(options.into_iter().filter_map(|(name, value)| Some(format!("--{name}={}", value?))));
        arguments.extend(input.actual.iter().map(|actual| format!("--actual={actual}")));
        if input.not == Some(true) {
            arguments.push("--not".to_owned());
        }
        let said = self.say(arguments, given_up).await?;
        let judged: Option<Judged> = said.data();
        let lines = judged.iter().flat_map(|judged| judged.steps.clone()).collect();
        let answer = Answer { result: judged, ..Answer::of(&said) };
        Ok(self.reply(answer, lines, None))
    }

    pub(super) fn person(&self, input: &input::Person) -> Reply {
        if let Some(refusal) = self.refuse_name(&input.feature) {
            return refusal;
        }
        let errand = person::errand(input.deed, &input.feature, input.about.as_deref(), self.lang);
        let lines = vec![errand.why.clone()];
        let answer = Answer { person: Some(errand.command.clone()), ..Answer::open().with(errand) };
        self.reply(answer, lines, Some(input.feature.clone()))
    }
}
