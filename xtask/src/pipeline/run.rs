//! Runs the stages of one feature: those before the rounds once, those of a round until it is accepted.

use camino::Utf8PathBuf;
use gate::audit::Verdict;
use gate::code::Code;
use gate::problem::Problem;
use gate::say;
use serde::{Deserialize, Serialize};

use super::model::{Action, BuiltIn, Stage as PlannedStage};
use super::plan::{self, Plan};
use super::selection::{Chosen, Selection};
use super::state::State;
use super::work::{Work, key};
use crate::context::Context;
use crate::documents::AuditFile;
use crate::ending::Ending;
use crate::executors;
use crate::failure::{Failure, Result};
use crate::rounds;
use crate::stages;
use crate::{interrupt, store};

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
    /// The stages that were asked for are done; the delivery is not.
    Stopped,
}

/// What a delivery came to.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Delivered {
    /// How it ended.
    pub outcome: Delivery,
    /// The last round; 0 before the first.
    pub round: u32,
    /// The verdict on the last round that was judged.
    pub verdict: Option<Verdict>,
    /// Its report, relative to the root.
    pub report: Option<Utf8PathBuf>,
    /// How many stages had work to do.
    pub ran: usize,
}

impl Delivered {
    /// How the command ends. A run that stopped early is no yes where the last verdict was a no.
    pub fn ending(&self) -> Ending {
        match (self.outcome, self.verdict) {
            (Delivery::Accepted, _) | (Delivery::Stopped, None | Some(Verdict::Pass)) => Ending::Yes,
            (Delivery::Exhausted | Delivery::Unrecorded | Delivery::Stagnated | Delivery::Stopped, _) => {
                Ending::No
            }
        }
    }
}

/// Takes a feature from its pack to its report, or as far as the selection goes.
pub fn deliver(context: &Context<'_>, selection: &Selection) -> Result<Delivered> {
    let plan = plan::plan(&context.pipeline);
    selection.check(&plan, context.lang())?;
    let mut runner = Runner::begin(context, &plan, selection)?;
    let delivered = runner.deliver();
    context.digests.save();
    delivered
}

/// Runs one stage, whether or not it has to. `round` is 0 for a stage before the rounds.
pub fn one(context: &Context<'_>, stage: &PlannedStage, round: u32) -> Result<Vec<Utf8PathBuf>> {
    let (plan, selection) = (plan::plan(&context.pipeline), Selection::default());
    let mut runner = Runner::begin(context, &plan, &selection)?;
    let outputs = runner.run(stage, round)?;
    context.digests.save();
    require_unblocked(context, &stage.action)?;
    Ok(outputs)
}

struct Runner<'a> {
    context: &'a Context<'a>,
    plan: &'a Plan<'a>,
    selection: &'a Selection,
    state: State,
    ran: usize,
    judged: Option<(u32, Verdict)>,
}

impl<'a> Runner<'a> {
    /// Takes up what is recorded: nothing is built on a record that somebody changed.
    fn begin(context: &'a Context<'a>, plan: &'a Plan<'a>, selection: &'a Selection) -> Result<Self> {
        store::sweep(&context.at(context.paths.delivery()))?;
        let state = State::load(context)?;
        let changed = state.changed_records(context)?;
        if changed.is_empty() {
            return Ok(Runner { context, plan, selection, state, ran: 0, judged: None });
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

    fn deliver(&mut self) -> Result<Delivered> {
        match self.stages(&self.plan.before, 0)? {
            Walked::Through => self.rounds(),
            Walked::Stopped => Ok(self.ended(Delivery::Stopped, 0)),
        }
    }

    /// Round after round, until one passes, none is left, or nothing changes any more.
    fn rounds(&mut self) -> Result<Delivered> {
        let first = rounds::first(self.context)?;
        let last = first.saturating_add(self.context.pipeline.rounds_max - 1);
        let mut before: Option<Vec<String>> = None;
        for round in first..=last {
            if round > first && !self.is_dispatched(round) {
                if !self.may_dispatch() {
                    return Ok(self.ended(Delivery::Stopped, round - 1));
                }
                if !executors::can_start(self.context, stages::executor(self.context)?, round) {
                    return Ok(self.ended(Delivery::Unrecorded, round - 1));
                }
            }
            self.stages(&self.plan.each_round, round)?;
            let Some(audit) = self.audit_that_counts(round)? else {
                return Ok(self.ended(Delivery::Stopped, round));
            };
            self.judged = Some((round, audit.verdict));
            if audit.verdict == Verdict::Pass {
                return Ok(self.ended(Delivery::Accepted, round));
            }
            self.require_judgeable(round, &audit)?;
            let failures = fingerprints(&audit);
            if before.as_ref() == Some(&failures) {
                return Ok(self.ended(Delivery::Stagnated, round));
            }
            before = Some(failures);
        }
        Ok(self.ended(Delivery::Exhausted, last))
    }

    /// Those of a stretch that were asked for, in their order.
    fn stages(&mut self, stages: &[&PlannedStage], round: u32) -> Result<Walked> {
        for stage in stages {
            match self.selection.of(self.plan, stage) {
                Chosen::Before => {}
                Chosen::Yes => self.ensure(stage, round)?,
                Chosen::After => return Ok(Walked::Stopped),
            }
        }
        Ok(Walked::Through)
    }

    /// The audit of a round, if this run made sure of it, or it is still true.
    fn audit_that_counts(&self, round: u32) -> Result<Option<AuditFile>> {
        let Some(stage) = self.plan.stages().find(|stage| is_audit(stage)) else { return Ok(None) };
        let counts = self.selection.of(self.plan, stage) == Chosen::Yes || self.is_current(stage, round)?;
        if counts { stages::recorded_audit(self.context, round).map(Some) } else { Ok(None) }
    }

    fn may_dispatch(&self) -> bool {
        let dispatch = self.plan.stages().find(|stage| stage.action == Action::BuiltIn(BuiltIn::Dispatch));
        dispatch.is_some_and(|stage| self.selection.of(self.plan, stage) == Chosen::Yes)
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
        if !unsound.is_empty() {
            return Err(Failure::Problems { ending: Ending::CannotRun, problems: unsound });
        }
        // Nor is it an agent's to mend that people do not agree, where that is all that stands in the way.
        let disputed = of(|code| code == Code::AuditorsDisagree);
        if disputed.is_empty() || audit.criteria.iter().any(|result| is_for_an_agent(result.outcome)) {
            return Ok(());
        }
        Err(Failure::Problems { ending: Ending::Waiting, problems: disputed })
    }

    fn is_dispatched(&self, round: u32) -> bool {
        self.context.at(self.context.paths.in_round(round, "dispatch.json")).is_file()
    }

    fn ended(&self, outcome: Delivery, round: u32) -> Delivered {
        let paths = &self.context.paths;
        let report = match outcome {
            Delivery::Accepted => Some(paths.acceptance("md")),
            Delivery::Exhausted | Delivery::Unrecorded | Delivery::Stagnated => {
                Some(paths.rework(round, "md"))
            }
            Delivery::Stopped => None,
        };
        Delivered { outcome, round, verdict: self.judged.map(|(_, verdict)| verdict), report, ran: self.ran }
    }

    /// Runs a stage if it has work to do, or was asked to.
    fn ensure(&mut self, planned: &PlannedStage, round: u32) -> Result<()> {
        interrupt::check()?;
        if !self.work(planned, round).applies(self.context, round)? {
            return Ok(());
        }
        if is_audit(planned) {
            self.wait_for_people(round)?;
        }
        self.take_up(planned, round)?;
        let records_facts = self.work(planned, round).stage().records_facts();
        let is_forced = self.selection.forces(planned, records_facts);
        if is_forced || !self.is_current(planned, round)? {
            self.run(planned, round)?;
        } else {
            self.context.progress.up_to_date(&self.context.feature, &planned.id, round);
        }
        require_unblocked(self.context, &planned.action)
    }

    /// Records what a run left whole and could not record itself.
    fn take_up(&mut self, planned: &PlannedStage, round: u32) -> Result<()> {
        let key = key(&planned.id, round);
        if self.state.knows(&key) {
            return Ok(());
        }
        let left = {
            let work = self.work(planned, round);
            let stage = work.stage();
            match stage.left_behind(self.context, round)? {
                Some(outputs) => Some((stage.inputs(self.context, round)?, outputs, stage.records_facts())),
                None => None,
            }
        };
        match left {
            Some((inputs, outputs, facts)) => self.state.record(self.context, &key, inputs, &outputs, facts),
            None => Ok(()),
        }
    }

    fn is_current(&self, planned: &PlannedStage, round: u32) -> Result<bool> {
        let (work, key) = (self.work(planned, round), key(&planned.id, round));
        if !self.state.knows(&key) {
            return Ok(false);
        }
        let inputs = work.stage().inputs(self.context, round)?;
        Ok(self.state.changes(self.context, &key, &inputs)?.is_empty()
            && work.stage().is_settled(self.context, round)?)
    }

    fn work<'s>(&'s self, planned: &'s PlannedStage, round: u32) -> Work<'s> {
        Work::of(planned, self.context, &self.state, round)
    }

    /// Runs a stage and records it, last of all.
    fn run(&mut self, planned: &PlannedStage, round: u32) -> Result<Vec<Utf8PathBuf>> {
        let context = self.context;
        let telling = context.progress.stage(&context.feature, &planned.id, round, context.lang());
        context.forget();
        let outputs = self.done(planned, round);
        context.forget();
        telling.finish(&outputs);
        outputs
    }

    fn done(&mut self, planned: &PlannedStage, round: u32) -> Result<Vec<Utf8PathBuf>> {
        // A broken template is found before anything acts, and leaves the last report in place.
        self.context.renderer()?;
        let (inputs, outputs, facts) = {
            let work = self.work(planned, round);
            let stage = work.stage();
            stage.prepare(self.context, round)?;
            let before = match stage.reads_inputs_itself() {
                true => None,
                false => Some(stage.inputs(self.context, round)?),
            };
            let outputs = stage.run(self.context, round)?;
            let inputs = before.map_or_else(|| stage.inputs(self.context, round), Ok)?;
            (inputs, outputs, stage.records_facts())
        };
        self.ran += 1;
        self.state.record(self.context, &key(&planned.id, round), inputs, &outputs, facts)?;
        Ok(outputs)
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

/// Whether another round may mend what became of a criterion.
fn is_for_an_agent(outcome: gate::audit::Outcome) -> bool {
    matches!(outcome, gate::audit::Outcome::Fail | gate::audit::Outcome::Invalid)
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

/// Whether a walk over a stretch of the plan came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Walked {
    Through,
    Stopped,
}

fn is_audit(stage: &PlannedStage) -> bool {
    stage.action == Action::BuiltIn(BuiltIn::Audit)
}

/// A review that blocks stops everything behind it.
fn require_unblocked(context: &Context<'_>, action: &Action) -> Result<()> {
    if *action != Action::BuiltIn(BuiltIn::Review) {
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

/// The latest round that was judged, and whether it passed, for `status`.
pub fn last_report(context: &Context<'_>) -> Result<Option<(u32, bool)>> {
    /// All that is asked of an audit here.
    #[derive(Deserialize)]
    struct Judged {
        verdict: Verdict,
    }
    for round in rounds::of_pack(context)?.into_iter().rev() {
        let audit: Option<Judged> = context.artifact_if_any(&context.paths.audit(round, "json"), "audit")?;
        if let Some(audit) = audit {
            return Ok(Some((round, audit.verdict == Verdict::Pass)));
        }
    }
    Ok(None)
}
