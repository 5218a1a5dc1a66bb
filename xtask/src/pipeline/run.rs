//! Runs the stages of one feature: those before the rounds once, those of a round until it is accepted.

use std::sync::Arc;

use camino::Utf8PathBuf;
use gate::audit::Verdict;
use gate::code::Code;
use gate::problem::Problem;
use gate::say;
use serde::Serialize;

use super::convergence::{fingerprints, is_for_an_agent, is_tampering, is_unsound_evidence, last_verdict};
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
use crate::ledger;
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
    /// The round that was judged passes, but what it rests on is out of date.
    Outdated,
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
            (
                Delivery::Exhausted
                | Delivery::Unrecorded
                | Delivery::Stagnated
                | Delivery::Outdated
                | Delivery::Stopped,
                _,
            ) => Ending::No,
        }
    }
}

/// Takes a feature from its pack to its report, or as far as the selection goes.
pub fn deliver(context: &Context<'_>, selection: &Selection) -> Result<Delivered> {
    let plan = plan::plan(&context.pipeline);
    selection.check(&plan, context.lang())?;
    if selection.frozen {
        require_frozen(context)?;
    }
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

/// Why a run would not begin: a record that somebody changed, or a pack that is not the frozen one.
pub fn require_sound(context: &Context<'_>) -> Result<()> {
    unchanged(context, State::load(context)?.changed_records(context)?)?;
    match context.at(context.paths.lock()).is_file() {
        true => stages::require_undrifted(context, &context.lock()?),
        false => Ok(()),
    }
}

/// Refuses a pack that nobody froze, and one that is no longer what was frozen.
pub fn require_frozen(context: &Context<'_>) -> Result<()> {
    stages::require_undrifted(context, &context.lock()?)
}

/// Refuses a stage that is for another verdict than that of the round.
pub fn require_applies(context: &Context<'_>, stage: &PlannedStage, round: u32) -> Result<()> {
    if Work::of(stage, context, &State::load(context)?, round)?.applies(context, round)? {
        return Ok(());
    }
    let (lang, id) = (context.lang(), &stage.id);
    let message = say!(
        lang,
        "stage {id} is for another verdict than that of round {round}",
        "阶段 {id} 不适用于第 {round} 轮的结论"
    );
    let help = say!(lang, "see `when` of the stage in pipeline.yaml", "参见 pipeline.yaml 中该阶段的 `when`");
    Err(Failure::coded(Ending::InvalidInput, Code::StageNeeds, message, help))
}

struct Runner<'a> {
    context: &'a Context<'a>,
    plan: &'a Plan<'a>,
    selection: &'a Selection,
    state: State,
    ran: usize,
    judged: Option<Verdict>,
}

impl<'a> Runner<'a> {
    /// Takes up what is recorded: nothing is built on a record that somebody changed.
    fn begin(context: &'a Context<'a>, plan: &'a Plan<'a>, selection: &'a Selection) -> Result<Self> {
        store::sweep(&context.at(context.paths.delivery()))?;
        stages::require_unmeddled(context)?;
        let state = State::load(context)?;
        let changed = state.changed_records(context)?;
        unchanged(context, changed)?;
        ledger::require_whole(context)?;
        if !state.is_empty() {
            ledger::take_up(context)?;
        }
        Ok(Runner { context, plan, selection, state, ran: 0, judged: None })
    }

    fn deliver(&mut self) -> Result<Delivered> {
        match self.stages(&self.plan.before, 0)? {
            Walked::Through => self.rounds(),
            Walked::Stopped => self.ended(Delivery::Stopped, 0),
        }
    }

    /// Round after round, until one passes, none is left, or nothing changes any more.
    fn rounds(&mut self) -> Result<Delivered> {
        let first = rounds::first(self.context)?;
        // Rounds that were begun while more were allowed are rounds of this pack all the same.
        let allowed = first.saturating_add(self.context.pipeline.rounds_max - 1);
        let last = rounds::of_pack(self.context)?.last().copied().map_or(allowed, |last| last.max(allowed));
        let mut before: Option<Vec<String>> = None;
        for round in first..=last {
            if round > first && !self.is_dispatched(round) {
                if !self.is_up_to_work() {
                    return self.ended(Delivery::Stopped, round - 1);
                }
                if !executors::can_start(self.context, stages::executor(self.context)?, round) {
                    return self.ended(Delivery::Unrecorded, round - 1);
                }
            }
            self.stages(&self.plan.each_round, round)?;
            let Some(audit) = self.audit_that_counts(round)? else {
                return self.ended(Delivery::Stopped, round);
            };
            self.judged = Some(audit.verdict);
            if audit.verdict == Verdict::Pass && !self.is_whole(round)? {
                return self.ended(Delivery::Outdated, round);
            }
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
    fn audit_that_counts(&self, round: u32) -> Result<Option<Arc<AuditFile>>> {
        let Some(stage) = self.plan.stages().find(|stage| is_audit(stage)) else { return Ok(None) };
        let counts = self.selection.of(self.plan, stage) == Chosen::Yes || self.is_current(stage, round)?;
        if counts { self.context.audit(round).map(Some) } else { Ok(None) }
    }

    /// Whether everything that a verdict rests on is up to date: what this run took as it was could be anything.
    fn is_whole(&self, round: u32) -> Result<bool> {
        let Some(end) = self.plan.stages().position(is_audit) else { return Ok(false) };
        for stage in self.plan.stages().take(end) {
            let of_round = if stage.each_round { round } else { 0 };
            let is_taken = self.selection.of(self.plan, stage) != Chosen::Yes;
            if is_taken
                && self.work(stage, of_round)?.applies(self.context, of_round)?
                && !self.is_current(stage, of_round)?
            {
                self.tell_outdated(stage, of_round);
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn tell_outdated(&self, stage: &PlannedStage, round: u32) {
        let (lang, id) = (self.context.lang(), &stage.id);
        let feature = &self.context.feature;
        let said = match round {
            0 => say!(
                lang,
                "{id} is out of date: cargo xtask explain {feature} {id}",
                "{id} 已过时：cargo xtask explain {feature} {id}"
            ),
            round => say!(
                lang,
                "{id} of round {round} is out of date: cargo xtask explain {feature} {id}",
                "第 {round} 轮的 {id} 已过时：cargo xtask explain {feature} {id}"
            ),
        };
        self.context.progress.note(feature, &said);
    }

    /// Whether anything that was asked for comes before the work of a round is delivered, or is that work.
    fn is_up_to_work(&self) -> bool {
        let is_work = |stage: &PlannedStage| stage.action == Action::BuiltIn(BuiltIn::Dispatch);
        let end = self.plan.each_round.iter().position(|stage| is_work(stage)).unwrap_or(0);
        let mut until_work = self.plan.each_round.iter().take(end + 1);
        until_work.any(|stage| self.selection.of(self.plan, stage) == Chosen::Yes)
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

    fn ended(&self, outcome: Delivery, round: u32) -> Result<Delivered> {
        let paths = &self.context.paths;
        let report = match outcome {
            Delivery::Accepted => Some(paths.acceptance("md")),
            Delivery::Exhausted | Delivery::Unrecorded | Delivery::Stagnated => {
                Some(paths.rework(round, "md"))
            }
            Delivery::Stopped | Delivery::Outdated => None,
        };
        let report = report.filter(|report| self.context.at(report).is_file());
        // A run that judged nothing itself stands under the last verdict that is on record.
        let verdict = match self.judged {
            Some(verdict) => Some(verdict),
            None => last_verdict(self.context)?.map(|(_, verdict)| verdict),
        };
        Ok(Delivered { outcome, round, verdict, report, ran: self.ran })
    }

    /// Runs a stage if it has work to do, or was asked to.
    fn ensure(&mut self, planned: &PlannedStage, round: u32) -> Result<()> {
        interrupt::check()?;
        if !self.work(planned, round)?.applies(self.context, round)? {
            return Ok(());
        }
        if is_audit(planned) {
            self.wait_for_people(round)?;
        }
        self.take_up(planned, round)?;
        let records_facts = self.work(planned, round)?.stage().records_facts();
        let is_forced = self.selection.forces(planned, records_facts);
        if is_forced || !self.is_current(planned, round)? {
            self.run(planned, round)?;
        } else {
            self.context.progress.up_to_date(&self.context.feature, &planned.id, round);
        }
        require_unblocked(self.context, &planned.action)?;
        tell_findings(self.context, &planned.action)
    }

    /// Records what a run left whole and could not record itself.
    fn take_up(&mut self, planned: &PlannedStage, round: u32) -> Result<()> {
        let key = key(&planned.id, round);
        if self.state.knows(&key) {
            return Ok(());
        }
        let left = {
            let work = self.work(planned, round)?;
            let stage = work.stage();
            match stage.left_behind(self.context, round)? {
                Some(outputs) => Some((work.inputs(self.context, round)?, outputs, stage.records_facts())),
                None => None,
            }
        };
        match left {
            Some((inputs, outputs, facts)) => {
                self.tell_ledger(planned, round, &outputs)?;
                self.state.record(self.context, &key, inputs, &outputs, facts)
            }
            None => Ok(()),
        }
    }

    fn is_current(&self, planned: &PlannedStage, round: u32) -> Result<bool> {
        let (work, key) = (self.work(planned, round)?, key(&planned.id, round));
        if !self.state.knows(&key) {
            return Ok(false);
        }
        let inputs = work.inputs(self.context, round)?;
        Ok(self.state.changes(self.context, &key, &inputs)?.is_empty()
            && work.stage().is_settled(self.context, round)?)
    }

    fn work<'s>(&'s self, planned: &'s PlannedStage, round: u32) -> Result<Work<'s>> {
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
        self.require_unforged(planned, round)?;
        let (inputs, outputs, facts) = {
            let work = self.work(planned, round)?;
            let stage = work.stage();
            stage.prepare(self.context, round)?;
            let before = match stage.reads_inputs_itself() {
                true => None,
                false => Some(work.inputs(self.context, round)?),
            };
            let outputs = stage.run(self.context, round)?;
            let inputs = before.map_or_else(|| work.inputs(self.context, round), Ok)?;
            (inputs, outputs, stage.records_facts())
        };
        self.ran += 1;
        self.tell_ledger(planned, round, &outputs)?;
        self.state.record(self.context, &key(&planned.id, round), inputs, &outputs, facts)?;
        Ok(outputs)
    }

    /// What a team's own stage does is no step of the delivery: what it wrote decides nothing.
    fn tell_ledger(&self, planned: &PlannedStage, round: u32, outputs: &[Utf8PathBuf]) -> Result<()> {
        match &planned.action {
            Action::BuiltIn(stage) => {
                // What was read before is not what was just written.
                self.context.forget();
                ledger::record(self.context, *stage, round, outputs)
            }
            Action::Run(_) => Ok(()),
        }
    }

    /// Builds on no artifact that holds something else than the stage before left in it. A whole delivery makes such a one
    /// again; a part of it takes it as it is.
    fn require_unforged(&self, planned: &PlannedStage, round: u32) -> Result<()> {
        let mut changed = Vec::new();
        for earlier in self.plan.stages().take_while(|stage| stage.id != planned.id) {
            // The lock carries its own digest, and is held against the authored pack.
            if earlier.action == Action::BuiltIn(BuiltIn::Freeze) {
                continue;
            }
            let round = if earlier.each_round { round } else { 0 };
            changed.extend(self.state.changed_artifacts(self.context, &key(&earlier.id, round))?);
        }
        unchanged(self.context, changed)
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

/// Refuses to build on records that somebody changed.
pub fn unchanged(context: &Context<'_>, changed: Vec<String>) -> Result<()> {
    if changed.is_empty() {
        return Ok(());
    }
    let lang = context.lang();
    let problem = |path: String| {
        let message = say!(lang, "{path} is not as the pipeline left it", "{path} 与流水线写出时不一致");
        Problem::new(Code::RecordChanged, message, Code::RecordChanged.help(lang))
    };
    let problems = changed.into_iter().map(problem).collect();
    Err(Failure::Problems { ending: Ending::Tampered, problems })
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
    let review = context.review()?;
    if review.blocked {
        return Err(stages::blocking(context, &review));
    }
    Ok(())
}

/// Tells what does not block: nobody opens a report that stops nothing.
fn tell_findings(context: &Context<'_>, action: &Action) -> Result<()> {
    if *action != Action::BuiltIn(BuiltIn::Review) {
        return Ok(());
    }
    for finding in &context.review()?.findings {
        let (code, message) = (finding.code.name(), &finding.message);
        let about = finding.criterion.as_deref().unwrap_or("–");
        context.progress.note(&context.feature, &format!("{code} {about}: {message}"));
    }
    Ok(())
}
