//! Runs the stages of one feature: those before the rounds once, those of a round until it is accepted.

use camino::Utf8PathBuf;
use gate::audit::Verdict;
use gate::code::Code;
use gate::problem::Problem;
use gate::say;
use serde::Serialize;

use super::model::{Action, BuiltIn, Stage as PlannedStage};
use super::plan::{self, Plan};
use super::state::State;
use crate::context::Context;
use crate::documents::AuditFile;
use crate::ending::Ending;
use crate::executors;
use crate::failure::{Failure, Result};
use crate::progress::Running;
use crate::rounds;
use crate::stages::{self, Inputs, Stage};
use crate::{custom, interrupt, store};

/// How a delivery ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Delivery {
    /// A round passed.
    Accepted,
    /// No round passed, and there is none left.
    Exhausted,
    /// No round passed, and no work is recorded for another.
    Unrecorded,
    /// Two rounds failed alike; a third would be paid for nothing.
    Stagnated,
}

/// What a delivery came to.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Delivered {
    /// How it ended.
    pub outcome: Delivery,
    /// The last round.
    pub round: u32,
    /// Its report, relative to the root.
    pub report: Utf8PathBuf,
    /// How many stages had work to do.
    pub ran: usize,
}

impl Delivered {
    /// How the command ends.
    pub fn ending(&self) -> Ending {
        match self.outcome {
            Delivery::Accepted => Ending::Yes,
            Delivery::Exhausted | Delivery::Unrecorded | Delivery::Stagnated => Ending::No,
        }
    }
}

/// Takes a feature from its pack to its report.
pub fn deliver(context: &Context<'_>) -> Result<Delivered> {
    let plan = plan::plan(&context.pipeline);
    let mut runner = Runner::begin(context)?;
    for stage in &plan.before {
        runner.ensure(stage, 0)?;
    }
    runner.rounds(&plan)
}

/// Runs one built-in stage, whether or not it has to.
pub fn one(context: &Context<'_>, stage: BuiltIn, round: u32) -> Result<Vec<Utf8PathBuf>> {
    let mut runner = Runner::begin(context)?;
    let planned = context.pipeline.stages.iter().find(|planned| planned.action == Action::BuiltIn(stage));
    let id = planned.map_or_else(|| stage.word(), |planned| planned.id.as_str());
    let outputs = runner.run(stages::of(stage), id, round)?;
    require_unblocked(context, stage)?;
    Ok(outputs)
}

struct Runner<'a> {
    context: &'a Context<'a>,
    state: State,
    ran: usize,
}

impl<'a> Runner<'a> {
    /// Takes up what is recorded: nothing is built on a record that somebody changed.
    fn begin(context: &'a Context<'a>) -> Result<Self> {
        store::sweep(&context.at(context.paths.delivery()))?;
        let state = State::load(context)?;
        let changed = state.changed_records(context)?;
        if changed.is_empty() {
            return Ok(Runner { context, state, ran: 0 });
        }
        let lang = context.lang();
        let problem = |path: String| {
            let message = say!(lang, "{path} is not as the pipeline left it", "{path} 与流水线写出时不一致");
            Problem::new(Code::RecordChanged, message, Code::RecordChanged.help(lang))
        };
        Err(Failure::Problems {
            ending: Ending::Tampered,
            problems: changed.into_iter().map(problem).collect(),
        })
    }

    /// Round after round, until one passes, none is left, or nothing changes any more.
    fn rounds(&mut self, plan: &Plan<'_>) -> Result<Delivered> {
        let first = rounds::first(self.context)?;
        let last = first.saturating_add(self.context.pipeline.rounds_max - 1);
        let mut before: Option<Vec<String>> = None;
        for round in first..=last {
            if round > first && !self.can_dispatch(round)? {
                return self.ended(Delivery::Unrecorded, round - 1);
            }
            for stage in &plan.each_round {
                self.ensure(stage, round)?;
            }
            let audit = stages::recorded_audit(self.context, round)?;
            if audit.verdict == Verdict::Pass {
                return self.ended(Delivery::Accepted, round);
            }
            self.require_judgeable(round, &audit)?;
            let failures = fingerprints(&audit);
            if before.as_ref() == Some(&failures) {
                return self.ended(Delivery::Stagnated, round);
            }
            before = Some(failures);
        }
        self.ended(Delivery::Exhausted, last)
    }

    /// Another round is paid for only where this one could be judged: evidence that was never brought, or is no longer
    /// what was recorded, is nothing that an agent can mend.
    fn require_judgeable(&self, round: u32, audit: &AuditFile) -> Result<()> {
        let unbrought = stages::collector_failures(self.context, round)?;
        if !unbrought.is_empty() {
            return Err(Failure::Problems { ending: Ending::CannotRun, problems: unbrought });
        }
        let of = |wanted: fn(Code) -> bool| -> Vec<Problem> {
            audit.problems.iter().filter(|problem| wanted(problem.code)).cloned().collect()
        };
        let (tampered, unsound) = (of(is_tampering), of(is_unsound_evidence));
        if !tampered.is_empty() {
            return Err(Failure::Problems { ending: Ending::Tampered, problems: tampered });
        }
        if unsound.is_empty() {
            Ok(())
        } else {
            Err(Failure::Problems { ending: Ending::CannotRun, problems: unsound })
        }
    }

    /// Whether a round was dispatched already, or can be.
    fn can_dispatch(&self, round: u32) -> Result<bool> {
        let done = self.context.at(self.context.paths.in_round(round, "dispatch.json")).is_file();
        Ok(done || executors::can_start(self.context, stages::executor(self.context)?, round))
    }

    fn ended(&self, outcome: Delivery, round: u32) -> Result<Delivered> {
        let report = match outcome {
            Delivery::Accepted => self.context.paths.acceptance("md"),
            Delivery::Exhausted | Delivery::Unrecorded | Delivery::Stagnated => {
                self.context.paths.rework(round, "md")
            }
        };
        Ok(Delivered { outcome, round, report, ran: self.ran })
    }

    /// Runs a stage if it has work to do.
    fn ensure(&mut self, planned: &PlannedStage, round: u32) -> Result<()> {
        interrupt::check()?;
        match &planned.action {
            Action::BuiltIn(built_in) => {
                let stage = stages::of(*built_in);
                if *built_in == BuiltIn::Audit {
                    self.wait_for_people(round)?;
                }
                let inputs = stage.inputs(self.context, round)?;
                let key = key(&planned.id, round);
                let is_current = self.state.is_current(self.context, &key, &inputs, stage.records_facts())?
                    && stage.is_settled(self.context, round)?;
                if is_current {
                    self.up_to_date(&planned.id, round);
                } else {
                    self.run(stage, &planned.id, round)?;
                }
                require_unblocked(self.context, *built_in)
            }
            Action::Run { .. } => self.ensure_custom(planned, round),
        }
    }

    fn run(&mut self, stage: &dyn Stage, id: &str, round: u32) -> Result<Vec<Utf8PathBuf>> {
        let telling = self.tell(id, round);
        let outputs = self.work(stage, id, round);
        telling.finish(&outputs);
        outputs
    }

    fn work(&mut self, stage: &dyn Stage, id: &str, round: u32) -> Result<Vec<Utf8PathBuf>> {
        stage.prepare(self.context, round)?;
        let inputs = stage.inputs(self.context, round)?;
        let outputs = stage.run(self.context, round)?;
        self.ran += 1;
        self.state.record(self.context, &key(id, round), inputs, &outputs, stage.records_facts())?;
        Ok(outputs)
    }

    fn tell(&self, id: &str, round: u32) -> Running<'a> {
        self.context.progress.stage(&self.context.feature, id, round, self.context.lang())
    }

    fn up_to_date(&self, id: &str, round: u32) {
        self.context.progress.up_to_date(&self.context.feature, id, round);
    }

    fn ensure_custom(&mut self, planned: &PlannedStage, round: u32) -> Result<()> {
        let inputs: Inputs = custom::inputs(self.context, planned, round)?;
        let key = key(&planned.id, round);
        if self.state.is_current(self.context, &key, &inputs, false)? {
            self.up_to_date(&planned.id, round);
            return Ok(());
        }
        let telling = self.tell(&planned.id, round);
        let outputs = custom::run(self.context, planned, round);
        telling.finish(&outputs);
        let outputs = outputs?;
        self.ran += 1;
        self.state.record(self.context, &key, inputs, &outputs, false)
    }

    /// A round whose criteria only people can judge waits for them, instead of failing for want of their word.
    fn wait_for_people(&self, round: u32) -> Result<()> {
        let context = self.context;
        if !stages::waits_for_people(context, round)? {
            return Ok(());
        }
        let lang = context.lang();
        let feature = &context.feature;
        let file = context.paths.in_round(round, "checks.yaml");
        let message = say!(
            lang,
            "round {round} has criteria that only a person can judge, and nobody's checks are there",
            "第 {round} 轮有只能由人判断的标准，但还没有任何人的检查结果"
        );
        let help = say!(
            lang,
            "fill in the form that cargo xtask audit {feature} --round {round} --form > {file} writes, and run this again",
            "请填写 cargo xtask audit {feature} --round {round} --form > {file} 生成的表单，然后重新运行"
        );
        Err(Failure::one(Ending::Waiting, Problem::new(Code::ChecksWaiting, message, help)))
    }
}

/// Evidence that is not what was recorded.
fn is_tampering(code: Code) -> bool {
    matches!(code, Code::EvidenceChanged | Code::EvidenceMissing | Code::EvidenceStale)
}

/// Evidence that shows nothing, or something else: it has to be gathered again.
fn is_unsound_evidence(code: Code) -> bool {
    matches!(
        code,
        Code::EvidenceBlank
            | Code::EvidenceUndecodable
            | Code::EvidenceFlat
            | Code::EvidenceSize
            | Code::EvidenceTwin
            | Code::EvidenceRepeated
    )
}

fn key(id: &str, round: u32) -> String {
    if round == 0 { id.to_owned() } else { format!("{id}@{round}") }
}

/// A review that blocks stops everything behind it.
fn require_unblocked(context: &Context<'_>, stage: BuiltIn) -> Result<()> {
    if stage != BuiltIn::Review {
        return Ok(());
    }
    let review = stages::recorded_review(context)?;
    if review.blocked {
        return Err(Failure::Problems { ending: Ending::Blocked, problems: review.findings });
    }
    for finding in &review.findings {
        let (code, message) = (finding.code.name(), &finding.message);
        let about = finding.criterion.as_deref().unwrap_or("–");
        context.progress.note(&context.feature, &format!("{code} {about}: {message}"));
    }
    Ok(())
}

/// What failed, and how: equal in two rounds running, another one would not help.
fn fingerprints(audit: &AuditFile) -> Vec<String> {
    let failed = audit.criteria.iter().filter(|criterion| {
        !matches!(criterion.outcome, gate::audit::Outcome::Pass | gate::audit::Outcome::Waived)
    });
    let outcomes = failed.map(|criterion| {
        let seen = criterion.observation.as_ref().map(|seen| &seen.answer);
        format!("{} {:?} {seen:?}", criterion.id, criterion.outcome)
    });
    let codes =
        audit.problems.iter().map(|problem| format!("{} {:?}", problem.code.name(), problem.criterion));
    let mut all: Vec<String> = outcomes.chain(codes).collect();
    all.sort();
    all
}

/// Every round whose report is there and failed, for `status`.
pub fn last_report(context: &Context<'_>) -> Result<Option<(u32, bool)>> {
    let rounds = rounds::of_pack(context)?;
    for round in rounds.into_iter().rev() {
        if store::read_optional(&context.at(context.paths.audit(round, "json")))?.is_some() {
            let audit = stages::recorded_audit(context, round)?;
            return Ok(Some((round, audit.verdict == Verdict::Pass)));
        }
    }
    Ok(None)
}
